/* table.h - the tables of elementwise loops, one for each instruction set. */
#ifndef TESS_EXEC_VEC_TABLE_H
#define TESS_EXEC_VEC_TABLE_H

#include "exec/vec/vec.h"

/* Loads to f32, stores, and rounding in registers: vec_load(), … */
typedef struct vec_half {
	vec_fn *load, *store, *fix;
} vec_half;

typedef struct vec_table {
	vec_fn *ops[VEC_COUNT][VT_COUNT];
	vec_fn *convert[VT_COUNT][VT_COUNT]; /* [from][to] */
	vec_fold_fn *folds[VEC_COUNT][VT_COUNT];
	vec_rows_fn *rows[VEC_COUNT][VT_COUNT];
	vec_best_fn *best[2][TIES_COUNT][VT_COUNT]; /* [max] */
	vec_weigh_fn *weigh[VT_COUNT];
	vec_half bf16, f16, narrow[DT_COUNT]; /* narrow: floats of at most 8 bits */
} vec_table;

extern const vec_table vec_table_base;
#if defined(__x86_64__)
extern const vec_table vec_table_avx2, vec_table_avx512;
vec_turn_fn turn_12_avx512, turn_16_avx512;
#endif

#endif
