/* kernel_gemm.c - matrix products of our own, for every computing type.
 *
 * Panels of b are packed so that the innermost loop runs over contiguous columns. */
#include "exec/blas.h"

#include <complex.h>

enum { COLUMNS = 64, DEPTH = 256 };

/* A: the type of sums. */
#define DEFINE_GEMM(I, T, A)                                                                       \
	static void gemm_panel_##I(const gemm *g, const A *panel, int64_t n0, int64_t nn,          \
	                           int64_t k0, int64_t kk)                                         \
	{                                                                                          \
		for (int64_t i = 0; i < g->m; i++) {                                               \
			const T *a = (const T *)g->a + i * g->a_row + k0 * g->a_column;            \
			T *c = (T *)g->c + i * g->ldc + n0;                                        \
			A sum[COLUMNS];                                                            \
			for (int j = 0; j < nn; j++)                                               \
				sum[j] = k0 ? (A)c[j] : 0;                                         \
			for (int64_t k = 0; k < kk; k++) {                                         \
				const A x = (A)a[k * g->a_column];                                 \
				const A *b = panel + k * COLUMNS;                                  \
				for (int j = 0; j < COLUMNS; j++)                                  \
					sum[j] += x * b[j];                                        \
			}                                                                          \
			for (int j = 0; j < nn; j++)                                               \
				c[j] = (T)sum[j];                                                  \
		}                                                                                  \
	}                                                                                          \
	static void gemm_##I(const gemm *g, void *scratch)                                         \
	{                                                                                          \
		A *panel = scratch;                                                                \
		for (int64_t i = 0; i < g->m && !g->k; i++)                                        \
			memset((T *)g->c + i * g->ldc, 0, sizeof(T) * (size_t)g->n);               \
		for (int64_t n0 = 0; n0 < g->n; n0 += COLUMNS)                                     \
			for (int64_t k0 = 0; k0 < g->k; k0 += DEPTH) {                             \
				int64_t nn = min_i64(COLUMNS, g->n - n0);                          \
				int64_t kk = min_i64(DEPTH, g->k - k0);                            \
				for (int64_t k = 0; k < kk; k++)                                   \
					for (int64_t j = 0; j < COLUMNS; j++)                      \
						panel[k * COLUMNS + j] =                           \
						    j < nn ? (A)((const T *)g->b)                  \
						                 [(k0 + k) * g->b_row +            \
						                  (n0 + j) * g->b_column]          \
						           : 0;                                    \
				gemm_panel_##I(g, panel, n0, nn, k0, kk);                          \
			}                                                                          \
	}
DEFINE_GEMM(I32, int32_t, uint32_t)
DEFINE_GEMM(I64, int64_t, uint64_t)
DEFINE_GEMM(F32, float, float)
DEFINE_GEMM(F64, double, double)

#define DEFINE_COMPLEX_GEMM(I, P)                                                                  \
	static void gemm_##I(const gemm *g, void *scratch)                                         \
	{                                                                                          \
		UNUSED(scratch);                                                                   \
		for (int64_t i = 0; i < g->m; i++)                                                 \
			for (int64_t j = 0; j < g->n; j++) {                                       \
				P re = 0, im = 0;                                                  \
				for (int64_t k = 0; k < g->k; k++) {                               \
					const P *a = (const P *)g->a +                             \
					             2 * (i * g->a_row + k * g->a_column);         \
					const P *b = (const P *)g->b +                             \
					             2 * (k * g->b_row + j * g->b_column);         \
					re += a[0] * b[0] - a[1] * b[1];                           \
					im += a[0] * b[1] + a[1] * b[0];                           \
				}                                                                  \
				P *c = (P *)g->c + 2 * (i * g->ldc + j);                           \
				c[0] = re;                                                         \
				c[1] = im;                                                         \
			}                                                                          \
	}
DEFINE_COMPLEX_GEMM(C64, float)
DEFINE_COMPLEX_GEMM(C128, double)

static void gemm_B(const gemm *g, void *scratch)
{
	UNUSED(scratch);
	const uint8_t *a = g->a, *b = g->b;
	for (int64_t i = 0; i < g->m; i++)
		for (int64_t j = 0; j < g->n; j++) {
			int any = 0;
			for (int64_t k = 0; k < g->k && !any; k++)
				any = a[i * g->a_row + k * g->a_column] &&
				      b[k * g->b_row + j * g->b_column];
			((uint8_t *)g->c)[i * g->ldc + j] = (uint8_t)any;
		}
}

gemm_fn *gemm_find(vec_type t)
{
	switch ((int)t) {
	case VT_B:
		return gemm_B;
	case VT_I32:
		return gemm_I32;
	case VT_I64:
		return gemm_I64;
	case VT_F32:
		return gemm_F32;
	case VT_F64:
		return gemm_F64;
	case VT_C64:
		return gemm_C64;
	case VT_C128:
		return gemm_C128;
	}
	return NULL;
}

size_t gemm_scratch(vec_type t)
{
	UNUSED(t);
	return sizeof(double) * COLUMNS * DEPTH;
}
