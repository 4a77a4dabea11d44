/* generator.h - what the generators of operations share. */
#ifndef TEST_GENERATOR_H
#define TEST_GENERATOR_H

#include "generate.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { MAX_RANK = 4, MAX_POOL = 96, MAX_TEXT = 1 << 16, MAX_ELEMENTS = 4096 };

typedef struct shape {
	int rank;
	int64_t dims[MAX_RANK];
} shape;

typedef struct term {
	char name[16];
	shape s;
	const char *type; /* "i32", "f32", "i1" */
} term;

typedef struct axis_part {
	const char *text;
	int size, pre;
} axis_part;

typedef struct mesh_kind {
	const char *text;
	axis_part parts[12];
} mesh_kind;

typedef struct generator {
	uint64_t rng;
	char *text;
	size_t len;
	const mesh_kind *mesh, *other; /* other: with as many devices; may be NULL */
	term pool[MAX_POOL];
	int n, next, depth;
	char *functions; /* the functions besides @main */
	size_t functions_len;
	int n_functions;
	unsigned manual; /* axes of the mesh (a bit for each letter) that are manual here */
	bool in_function; /* it may be copied: no calls, no manual computations */
	const char *type; /* the type of most values */
	bool empty;      /* dimensions may be 0 */
	bool priorities; /* of dimensions, in shardings */
} generator;

int below(generator *g, int n); /* 0 … n-1 */
bool chance(generator *g, int percent);
__attribute__((format(printf, 2, 3))) void say(generator *g, const char *fmt, ...);
int64_t elements(const shape *s);
void say_type(generator *g, const shape *s, const char *type);
void say_sharding(generator *g, int rank);
void say_result_sharding(generator *g, const term *results, int n);
int64_t random_dim(generator *g);
shape random_shape(generator *g, int max_rank);
term *any_term(generator *g);
term *find_term(generator *g, const char *type, int min_rank); /* NULL if none is found */
term *numeric(generator *g, int min_rank);
term *filled(generator *g, int min_rank); /* a term with at least one element */
term fresh(generator *g, shape s, const char *type);
void add_to_pool(generator *g, const term *t);
/* Writes " : (types) -> (types)" and the end of the line. */
void say_types(generator *g, const term *operands, int n_operands, const term *results, int n);
void say_operation(generator *g, const char *name, const term *operands, int n_operands,
                   const char *properties, const char *region, const term *results, int n);
bool one_result(generator *g, const char *name, const term *operands, int n, const char *properties,
                const char *region, shape s, const char *type);
term scalar(generator *g, const char *type, int value); /* a constant */
/* Returns the value; half of the time behind a barrier, so that it is known only at run time. */
term maybe_hidden(generator *g, term t);
char *list_text(char *to, size_t size, const int64_t *v, int n);
const char *reducer_text(generator *g, char *to, size_t size, const char *op, const char *type);
void gen_step(generator *g);
/* Writes a few steps on a separate pool, and a value of the wanted shape. Their values are not
 * visible outside. */
void inner_steps(generator *g, const term *want, term *out);

/* ---- generators of ops: write nothing and return false if no value fits --------------------- */

typedef bool gen_fn(generator *g);
/* generate_shapes.c */
gen_fn gen_unary, gen_binary, gen_select, gen_transpose, gen_reshape, gen_broadcast,
	gen_slice, gen_pad, gen_reverse, gen_concatenate, gen_iota;
/* generate_reduce.c */
gen_fn gen_dot, gen_reduce, gen_argmax, gen_best_in_windows, gen_reduce_window, gen_sort;
/* generate_index.c */
gen_fn gen_dynamic_slice, gen_update_slice, gen_gather, gen_scatter, gen_replace;
/* generate_convolution.c */
gen_fn gen_convolution;
/* generate_control.c */
gen_fn gen_loop, gen_case, gen_call, gen_manual;
/* generate_more.c */
gen_fn gen_constraint, gen_group, gen_on_one_device, gen_pending, gen_fft, gen_rng, gen_cumulative,
	gen_solve, gen_custom_call, gen_cholesky, gen_select_and_scatter;
/* generate_rare.c */
gen_fn gen_batch_norm, gen_complex, gen_quantized, gen_bitcast, gen_clamp, gen_map, gen_barrier,
	gen_broadcasting, gen_top_k, gen_index_select, gen_einsum, gen_ragged_dot, gen_dynamic;

#endif
