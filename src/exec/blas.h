/* blas.h - matrix products. */
#ifndef TESS_EXEC_BLAS_H
#define TESS_EXEC_BLAS_H

#include "exec/vec.h"

/* c[m][n] = sum over k of a[m][k] b[k][n]; strides in elements.  c is row-major with rows
 * of `ldc` elements. */
typedef struct gemm {
	int64_t m, n, k;
	const void *a;
	int64_t a_row, a_column;
	const void *b;
	int64_t b_row, b_column;
	void *c;
	int64_t ldc;
} gemm;
typedef void gemm_fn(const gemm *g, void *scratch);
gemm_fn *gemm_find(vec_type t); /* NULL: none for the type */
size_t gemm_scratch(vec_type t);
/* The type to compute a product in: wide enough for the result and both operands. */
vec_type product_type(dtype a, dtype b, dtype out);

#endif
