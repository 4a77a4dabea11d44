/* generator.h - what the makers of operations share. */
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
	const mesh_kind *mesh, *other; /* of as many devices; may be NULL */
	term pool[MAX_POOL];
	int n, next, depth;
	char *functions; /* of the program, besides @main */
	size_t functions_len;
	int n_functions;
	unsigned manual; /* axes of the mesh (by letter) that a manual computation has taken */
	bool in_function; /* of which there may be copies: no calls, no manual computations */
	const char *type; /* of most values */
} generator;

int below(generator *g, int n); /* 0 … n-1 */
bool chance(generator *g, int percent);
__attribute__((format(printf, 2, 3))) void say(generator *g, const char *fmt, ...);
int64_t elements(const shape *s);
void say_type(generator *g, const shape *s, const char *type);
void say_sharding(generator *g, int rank);
void say_result_sharding(generator *g, const term *results, int n);
shape random_shape(generator *g, int max_rank);
term *any_term(generator *g);
term *find_term(generator *g, const char *type, int min_rank); /* NULL: none found */
term *numeric(generator *g, int min_rank);
term fresh(generator *g, shape s, const char *type);
void add_to_pool(generator *g, const term *t);
void say_operation(generator *g, const char *name, const term *operands, int n_operands,
                   const char *properties, const char *region, const term *results, int n);
bool one_result(generator *g, const char *name, const term *operands, int n, const char *properties,
                const char *region, shape s, const char *type);
term scalar(generator *g, const char *type, int value); /* a constant */
char *list_text(char *to, size_t size, const int64_t *v, int n);
const char *reducer_text(generator *g, char *to, size_t size, const char *op, const char *type);
void make_step(generator *g);
/* A few steps on a pool of their own, whose values nobody outside sees; a value of the wanted
 * shape. */
void inner_steps(generator *g, const term *want, term *out);

/* ---- generate_more.c: false, and nothing said, if there is nothing to apply it to ---- */

typedef bool make_fn(generator *g);
make_fn make_call, make_manual, make_fft, make_rng, make_cumulative, make_solve, make_pending,
	make_on_one_device, make_custom_call, make_cholesky, make_select_and_scatter;

#endif
