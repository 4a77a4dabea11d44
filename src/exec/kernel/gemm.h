/* gemm.h - matrix products: micro-kernels and the functions that use them.
 *
 * A micro-kernel computes a block of up to `rows` x `columns` elements of c, which stays in
 * registers during the loop over k. It broadcasts elements of a, read with any strides, and reads
 * contiguous rows of b: in place, or packed into panels of `columns` columns, [panel][k][column],
 * zero-padded. */
#ifndef TESS_EXEC_KERNEL_GEMM_H
#define TESS_EXEC_KERNEL_GEMM_H

#include "exec/vec/vec.h"

/* c[i][j] = or += sum over k of a[i * a_row + k * a_column] * b[k * b_row + j] for i < m <=
 * rows and j < n <= columns; strides in elements. */
typedef void gemm_micro_fn(int64_t m, int64_t n, int64_t k, const void *a, int64_t a_row,
                           int64_t a_column, const void *b, int64_t b_row, void *c, int64_t ldc,
                           bool add);
typedef struct gemm_micro {
	int rows, columns, bytes;
	gemm_micro_fn *run;
	bool pairs; /* an element of a or b is two bf16, adjacent in k; c is f32 */
} gemm_micro;

/* Returns the fastest micro-kernel for this processor; NULL if there is none for the type. */
const gemm_micro *gemm_micro_of(vec_type t);
const gemm_micro *gemm_micro_pairs(void); /* of bf16 */
extern const gemm_micro gemm_f32_base, gemm_f64_base, gemm_i32_base, gemm_i64_base;
extern const gemm_micro gemm_c64_base, gemm_c128_base, gemm_b_base;
#if defined(__x86_64__)
extern const gemm_micro gemm_f32_avx2, gemm_f64_avx2, gemm_f32_avx512, gemm_f64_avx512;
extern const gemm_micro gemm_c64_avx2, gemm_c128_avx2, gemm_c64_avx512, gemm_c128_avx512;
extern const gemm_micro gemm_bf16_avx512;
#endif

typedef struct gemm {
	const gemm_micro *micro;
	int64_t m, n, k;
	const void *a;
	int64_t a_row, a_column;
	const void *b; /* packed (required if `pairs`), or with contiguous rows */
	int64_t b_row; /* row stride; 0: packed */
	void *c;
	int64_t ldc;
	bool add; /* adds to c instead of overwriting it */
} gemm;
/* Computes the product. `scratch` must have gemm_scratch(g->micro) bytes. */
void gemm_run(const gemm *g, void *scratch);
size_t gemm_scratch(const gemm_micro *m);

/* The contraction length in elements of the micro-kernel, which may be pairs. */
static inline int64_t gemm_depth(const gemm_micro *m, int64_t k)
{
	return m->pairs ? ceil_div(k, 2) : k;
}
/* The size of packed b, in elements of m->bytes bytes; and the packing of `count` panels, starting
 * with panel `first`, from a matrix with any strides. */
static inline int64_t gemm_packed_size(const gemm_micro *m, int64_t k, int64_t n)
{
	return ceil_div(n, m->columns) * m->columns * gemm_depth(m, k);
}
void gemm_pack_panels(const gemm_micro *m, int64_t k, int64_t n, int64_t first, int64_t count,
                      const void *b, int64_t b_row, int64_t b_column, void *to);
/* Packs one panel of any width: k x n elements, zero-padded to `width`. */
void gemm_pack(const gemm_micro *m, int64_t k, int64_t n, int64_t width, const void *from,
               int64_t k_step, int64_t n_step, void *to);

/* Returns the type to compute a product in: wide enough for the result and both operands. */
dtype product_dtype(dtype a, dtype b, dtype out);

#endif
