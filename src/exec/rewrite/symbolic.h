/* symbolic.h - symbolic sizes: "2*b + 1". */
#ifndef TESS_EXEC_REWRITE_SYMBOLIC_H
#define TESS_EXEC_REWRITE_SYMBOLIC_H

#include "base/scan.h"

/* The size of a variable, or of a dimension of an argument. */
typedef struct given_size {
	tess_str name; /* empty: the size is that of a dimension */
	int64_t arg, dim, size;
	place at;
	bool used;
} given_size;

typedef struct given_sizes {
	VEC(given_size) all;
} given_sizes;

/* Reads "b=8, t=16, 0.1=4"; the last one is dimension 1 of argument 0. */
bool sizes_read(tess_ctx *ctx, arena *mem, const char *text, given_sizes *out);

typedef enum size_result { SIZE_KNOWN, SIZE_UNNAMED, SIZE_WRONG } size_result;
/* Computes a dimension as jax.export writes it: integers, names, + - * ^, floordiv(a, b), mod(a,
 * b), max(a, b), min(a, b). SIZE_UNNAMED: `l` lacks *missing. SIZE_WRONG: it is malformed, which
 * has been reported, or not a 64-bit number. */
size_result size_compute(tess_ctx *ctx, given_sizes *l, tess_str text, int64_t *out, tess_str *missing);

#endif
