/* vec.h - elementwise arithmetic on runs of contiguous elements.
 *
 * Narrow types are computed in registers of a few computing types: f8, f16 and bf16 as f32 that
 * only has values of the narrow type, i4 and i2 as sign-extended i8. After each operation whose
 * result may not be a value of the narrow type, a fix-up rounds it. Rounding once more gives what
 * direct arithmetic would, because f32 has more than twice the digits of each narrow float. */
#ifndef TESS_EXEC_VEC_VEC_H
#define TESS_EXEC_VEC_VEC_H

#include "op/op.h"

/* True if this processor has all the instructions with which files named *_avx512.c, or *_avx2.c, are
 * compiled (CMakeLists.txt). */
#if defined(__x86_64__)
static inline bool processor_has_avx512(void)
{
	return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
	       __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}
static inline bool processor_has_avx2(void)
{
	return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}
#endif

/* Computing types whose elements can be compared. X(ID, C type) */
#define VEC_ORDERED_TYPES(X)                                                                       \
	X(I8, int8_t)                                                                              \
	X(I16, int16_t)                                                                            \
	X(I32, int32_t)                                                                            \
	X(I64, int64_t)                                                                            \
	X(U8, uint8_t)                                                                             \
	X(U16, uint16_t)                                                                           \
	X(U32, uint32_t)                                                                           \
	X(U64, uint64_t)                                                                           \
	X(F32, float)                                                                              \
	X(F64, double)
#define VEC_TYPES(X)                                                                               \
	X(B, uint8_t)                                                                              \
	VEC_ORDERED_TYPES(X)                                                                       \
	X(C64, float _Complex)                                                                     \
	X(C128, double _Complex)

typedef enum vec_type {
	VT_NONE,
#define X(id, c) VT_##id,
	VEC_TYPES(X)
#undef X
	VT_COUNT
} vec_type;

typedef enum vec_op {
	VEC_NONE,
#define VEC_OP(id, kind) VEC_##id,
#define VEC_ALONE(id) VEC_##id,
#define VEC_ALSO(id, kind)
#include "exec/vec/ops.def"
#undef VEC_OP
#undef VEC_ALONE
#undef VEC_ALSO
	VEC_COUNT
} vec_op;

/* d[i] = f(a[i], b[i], c[i]) for i < n. d may be a, b or c, but not overlap them otherwise. `imm`
 * is a further parameter of some operations: see ops.def. */
typedef void vec_fn(int64_t n, void *d, const void *a, const void *b, const void *c, int64_t imm);

/* Reduces `count` runs of n > 0 contiguous elements, which begin `stride` elements apart, to
 * contiguous elements at `to`. */
typedef void vec_fold_fn(int64_t n, const void *from, int64_t stride, int64_t count, void *to);
vec_fold_fn *vec_fold(vec_op op, vec_type t); /* NULL: not defined */
/* Reduces `count` rows of n elements, `stride` elements apart, into acc, in order. */
typedef void vec_rows_fn(int64_t n, void *acc, const void *rows, int64_t stride, int64_t count);
vec_rows_fn *vec_rows(vec_op op, vec_type t); /* where vec_fold() is defined */

/* Which of equal elements wins: the first, the last, or the position of the first with the value of
 * the last, which differs if one is 0 and the other -0. */
typedef enum vec_ties { TIES_FIRST, TIES_LAST, TIES_MIXED, TIES_COUNT } vec_ties;
/* For i < n: sets best[i] = row[i] and at[i] = position if row[i] is larger (or smaller) than
 * best[i], or if row[i] is NaN and best[i] is not. */
typedef void vec_best_fn(int64_t n, void *best, int32_t *at, const void *row, int32_t position);
vec_best_fn *vec_best(bool max, vec_ties ties, vec_type t); /* real numbers only; else NULL */

/* Transposes `rows` x 16 elements of 4 bytes; to_row and from_row: elements between rows. */
typedef void vec_turn_fn(void *to, int64_t to_row, const void *from, int64_t from_row);
enum { TURN_SIDE = 16 };
vec_turn_fn *vec_turn(int64_t rows); /* 12 or 16; NULL: plain loops are as fast */

/* to[r][i] += rows[r][i] * weights[i] for r < n_rows and i < n; to_row and row are distances of
 * rows in elements. */
typedef void vec_weigh_fn(int64_t n, int64_t n_rows, void *to, int64_t to_row, const void *rows,
                          int64_t row, const void *weights);
vec_weigh_fn *vec_weigh(vec_type t); /* NULL: not defined */

/* NULL if the operation does not exist for the type (that of the operands). */
vec_fn *vec_find(vec_op op, vec_type t);
/* Conversion as in stablehlo.convert. imm: for integers the width of the target type; for F32
 * whether the result will be rounded to a narrower float. */
vec_fn *vec_convert(vec_type from, vec_type to);
/* From memory to the computing type and back; NULL if both are the same. */
vec_fn *vec_load(dtype t);
vec_fn *vec_store(dtype t);
/* Rounds a computed value to the narrow type; NULL if nothing is to be done. */
vec_fn *vec_fix(dtype t);

vec_type vec_type_of(dtype t);
int vec_type_bytes(vec_type t);
/* The operation of an op kind on operands of one type; VEC_NONE: it has none. */
vec_op vec_op_of(int kind);
/* The result type of an operation on operands of type t. */
vec_type vec_result(vec_op op, vec_type t);
/* True if the result of the operation may not be a value of the narrow type. */
bool vec_needs_fix(vec_op op);

/* One element between memory and double, for rare cases. */
double elem_get(dtype t, const void *p);
void elem_put(dtype t, void *p, double v);
int64_t elem_get_int(dtype t, const void *p);

#endif
