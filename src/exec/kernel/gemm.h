/* gemm.h - matrix products: micro-kernels and what drives them.
 *
 * A micro-kernel computes a block of up to `rows` x `columns` elements of c, which
 * stays in registers while it walks through k.  It broadcasts elements of a, from
 * wherever they are, and reads rows of b that are contiguous: in place, or packed into
 * panels of `columns` columns, [panel][k][column], filled up with zeros. */
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
	bool pairs; /* elements of a and b are two bf16, neighbours in k; those of c are f32 */
} gemm_micro;

/* The best micro-kernel of this processor; NULL if there is none for the type. */
const gemm_micro *gemm_micro_of(vec_type t);
const gemm_micro *gemm_micro_pairs(void); /* of bf16 */
extern const gemm_micro gemm_f32_base, gemm_f64_base, gemm_i32_base, gemm_i64_base;
extern const gemm_micro gemm_c64_base, gemm_c128_base, gemm_b_base;
#if defined(__x86_64__)
extern const gemm_micro gemm_f32_avx2, gemm_f64_avx2, gemm_f32_avx512, gemm_f64_avx512;
extern const gemm_micro gemm_bf16_avx512;
#endif

typedef struct gemm {
	const gemm_micro *micro;
	int64_t m, n, k;
	const void *a;
	int64_t a_row, a_column;
	const void *b; /* packed, as it must be for pairs, or rows of contiguous elements */
	int64_t b_row; /* 0: packed */
	void *c;
	int64_t ldc;
	bool add; /* to what is in c */
} gemm;
/* Computes the product.  scratch: gemm_scratch(g->micro) bytes. */
void gemm_run(const gemm *g, void *scratch);
size_t gemm_scratch(const gemm_micro *m);

/* What the micro-kernel takes k for. */
static inline int64_t gemm_depth(const gemm_micro *m, int64_t k)
{
	return m->pairs ? ceil_div(k, 2) : k;
}
/* Panels of b: elements of m->bytes bytes in all, and `count` panels from the first on, from a
 * matrix of any strides. */
static inline int64_t gemm_packed_size(const gemm_micro *m, int64_t k, int64_t n)
{
	return ceil_div(n, m->columns) * m->columns * gemm_depth(m, k);
}
void gemm_pack_panels(const gemm_micro *m, int64_t k, int64_t n, int64_t first, int64_t count,
                      const void *b, int64_t b_row, int64_t b_column, void *to);
/* One panel of any width: k times n elements, filled up to `width`. */
void gemm_pack(const gemm_micro *m, int64_t k, int64_t n, int64_t width, const void *from,
               int64_t k_step, int64_t n_step, void *to);

/* The type to compute a product in: wide enough for the result and both operands. */
dtype product_dtype(dtype a, dtype b, dtype out);

#endif
