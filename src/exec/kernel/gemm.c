/* gemm.c - matrix products: micro-kernels in plain C for any processor, and the cache blocking
 * around all micro-kernels. */
#include "exec/kernel/gemm.h"

#include <complex.h>

/* ---- micro-kernels in plain C ---------------------------------------------------- */

/* A: the accumulator type, unsigned for integers so that overflow wraps. */
#define DEFINE_MICRO(name, T, A, R, C)                                                             \
	static void name##_run(int64_t m, int64_t n, int64_t k, const void *a_, int64_t a_row,     \
	                       int64_t a_column, const void *b_, int64_t b_row, void *c_,          \
	                       int64_t ldc, bool add)                                              \
	{                                                                                          \
		const T *a = a_, *b = b_;                                                          \
		T *c = c_;                                                                         \
		A sum[R][C];                                                                       \
		for (int i = 0; i < R; i++)                                                        \
			for (int j = 0; j < C; j++)                                                \
				sum[i][j] = add && i < m && j < n ? (A)c[i * ldc + j] : (A)0;      \
		if (m == R && n == C) {                                                            \
			for (int64_t p = 0; p < k; p++)                                            \
				for (int i = 0; i < R; i++) {                                      \
					const A x = (A)a[i * a_row + p * a_column];                \
					for (int j = 0; j < C; j++)                                \
						sum[i][j] += x * (A)b[p * b_row + j];              \
				}                                                                  \
		} else {                                                                           \
			for (int64_t p = 0; p < k; p++)                                            \
				for (int i = 0; i < m; i++)                                        \
					for (int j = 0; j < n; j++)                                \
						sum[i][j] += (A)a[i * a_row + p * a_column] *      \
						             (A)b[p * b_row + j];                  \
		}                                                                                  \
		for (int i = 0; i < m; i++)                                                        \
			for (int j = 0; j < n; j++)                                                \
				c[i * ldc + j] = (T)sum[i][j];                                     \
	}                                                                                          \
	const gemm_micro name = {R, C, sizeof(T), name##_run};
DEFINE_MICRO(gemm_f32_base, float, float, 4, 8)
DEFINE_MICRO(gemm_f64_base, double, double, 4, 4)
DEFINE_MICRO(gemm_i32_base, int32_t, uint32_t, 4, 8)
DEFINE_MICRO(gemm_i64_base, int64_t, uint64_t, 4, 4)

/* Complex products on pairs of reals: C's own are slow because of its rules for infinities. */
#define DEFINE_COMPLEX_MICRO(name, P, R, C)                                                        \
	static void name##_run(int64_t m, int64_t n, int64_t k, const void *a_, int64_t a_row,     \
	                       int64_t a_column, const void *b_, int64_t b_row, void *c_,          \
	                       int64_t ldc, bool add)                                              \
	{                                                                                          \
		for (int64_t i = 0; i < m; i++)                                                    \
			for (int64_t j = 0; j < n; j++) {                                          \
				P *c = (P *)c_ + 2 * (i * ldc + j);                                \
				P re = add ? c[0] : 0, im = add ? c[1] : 0;                        \
				for (int64_t p = 0; p < k; p++) {                                  \
					const P *a = (const P *)a_ +                               \
					             2 * (i * a_row + p * a_column);               \
					const P *b = (const P *)b_ + 2 * (p * b_row + j);          \
					re += a[0] * b[0] - a[1] * b[1];                           \
					im += a[0] * b[1] + a[1] * b[0];                           \
				}                                                                  \
				c[0] = re;                                                         \
				c[1] = im;                                                         \
			}                                                                          \
	}                                                                                          \
	const gemm_micro name = {R, C, 2 * sizeof(P), name##_run};
DEFINE_COMPLEX_MICRO(gemm_c64_base, float, 4, 8)
DEFINE_COMPLEX_MICRO(gemm_c128_base, double, 4, 4)

static void gemm_b_run(int64_t m, int64_t n, int64_t k, const void *a_, int64_t a_row,
                       int64_t a_column, const void *b_, int64_t b_row, void *c_, int64_t ldc,
                       bool add)
{
	const uint8_t *a = a_, *b = b_;
	uint8_t *c = c_;
	for (int64_t i = 0; i < m; i++)
		for (int64_t j = 0; j < n; j++) {
			int any = add ? c[i * ldc + j] : 0;
			for (int64_t p = 0; p < k && !any; p++)
				any = a[i * a_row + p * a_column] && b[p * b_row + j];
			c[i * ldc + j] = (uint8_t)any;
		}
}
const gemm_micro gemm_b_base = {4, 16, 1, gemm_b_run};

static const gemm_micro *gemm_micro_float(vec_type t)
{
	const int i = t == VT_F32 ? 0 : t == VT_F64 ? 1 : t == VT_C64 ? 2 : 3;
#if defined(__x86_64__)
	static const gemm_micro *const avx512[] = {&gemm_f32_avx512, &gemm_f64_avx512, &gemm_c64_avx512,
	                                           &gemm_c128_avx512};
	static const gemm_micro *const avx2[] = {&gemm_f32_avx2, &gemm_f64_avx2, &gemm_c64_avx2, &gemm_c128_avx2};
	if (processor_has_avx512())
		return avx512[i];
	if (processor_has_avx2())
		return avx2[i];
#endif
	static const gemm_micro *const base[] = {&gemm_f32_base, &gemm_f64_base, &gemm_c64_base, &gemm_c128_base};
	return base[i];
}

const gemm_micro *gemm_micro_of(vec_type t)
{
	switch ((int)t) {
	case VT_B:
		return &gemm_b_base;
	case VT_I32:
		return &gemm_i32_base;
	case VT_I64:
		return &gemm_i64_base;
	case VT_F32:
	case VT_F64:
	case VT_C64:
	case VT_C128:
		return gemm_micro_float(t);
	}
	return NULL;
}

const gemm_micro *gemm_micro_pairs(void)
{
#if defined(__x86_64__)
	if (processor_has_avx512() && __builtin_cpu_supports("avx512bf16"))
		return &gemm_bf16_avx512;
#endif
	return NULL;
}

/* ---- cache blocking ------------------------------------------------------------------------- */

/* One row panel of a block of a stays in the L1 cache while it is multiplied with COLUMN_BYTES of
 * b, which stay in the L2 cache for all row panels of the block. */
enum { DEPTH = 512, ROW_BLOCK = 240, COLUMN_BYTES = 1 << 19 };

size_t gemm_scratch(const gemm_micro *m) { return (size_t)(ROW_BLOCK * DEPTH * m->bytes) + 64; }

/* Packs rows [i0, i0 + m) and depths [k0, k0 + k) of a as [row panel][k][row]. */
static void pack_rows(const gemm *g, int64_t i0, int64_t m, int64_t k0, int64_t k, void *to)
{
	const gemm_micro *u = g->micro;
	const int64_t deep = u->pairs ? 2 : 1, element = u->bytes / deep;
	for (int64_t i = 0; i < m; i += u->rows)
		gemm_pack(u, min_i64(k * deep, g->k - k0 * deep), min_i64(u->rows, m - i), u->rows,
		          (const char *)g->a +
		                  ((i0 + i) * g->a_row + k0 * deep * g->a_column) * element,
		          g->a_column, g->a_row, (char *)to + i * k * u->bytes);
}

/* A part of the product: a range each of rows, depths and columns. */
typedef struct gemm_part {
	int64_t i0, m, k0, k, j0, n;
	const char *rows; /* of a, packed; NULL: a is read in place */
} gemm_part;

static void gemm_part_run(const gemm *g, const gemm_part *t)
{
	const gemm_micro *u = g->micro;
	const int64_t bytes = u->bytes, depth = gemm_depth(u, g->k);
	const int64_t a_row = t->rows ? 1 : g->a_row, a_column = t->rows ? u->rows : g->a_column;
	const int64_t b_row = g->b_row ? g->b_row : u->columns;
	for (int64_t i = 0; i < t->m; i += u->rows) {
		const char *a = t->rows ? t->rows + i * t->k * bytes
		                        : (const char *)g->a +
		                              ((t->i0 + i) * a_row + t->k0 * a_column) * bytes;
		for (int64_t j = t->j0; j < t->j0 + t->n; j += u->columns) {
			const char *b = (const char *)g->b +
			                (g->b_row ? t->k0 * b_row + j : j * depth + t->k0 * b_row) *
			                        bytes;
			u->run(min_i64(u->rows, t->m - i), min_i64(u->columns, g->n - j), t->k, a,
			       a_row, a_column, b, b_row,
			       (char *)g->c + ((t->i0 + i) * g->ldc + j) * bytes, g->ldc,
			       g->add || t->k0 > 0);
		}
	}
}

/* Multiplies rows [i0, i0 + m) and depths [k0, k0 + k) with all columns. */
static void gemm_slab(const gemm *g, gemm_part part)
{
	const gemm_micro *u = g->micro;
	int64_t panels = g->b_row ? 1 : max_i64(1, COLUMN_BYTES / (part.k * u->columns * u->bytes));
	const int64_t width = panels * u->columns;
	for (int64_t j = 0; j < g->n; j += width) {
		part.j0 = j;
		part.n = min_i64(width, g->n - j);
		gemm_part_run(g, &part);
	}
}

void gemm_run(const gemm *g, void *scratch)
{
	const gemm_micro *u = g->micro;
	const int64_t depth = gemm_depth(u, g->k), slabs = ceil_div(depth, DEPTH);
	const int64_t step = slabs ? ceil_div(depth, slabs) : 0;
	for (int64_t i = 0; i < g->m && !g->k && !g->add; i++)
		memset((char *)g->c + i * g->ldc * u->bytes, 0, (size_t)(g->n * u->bytes));
	/* Packing a costs one pass over it. It pays if b is wide and the rows of a are far apart in
	 * memory. */
	bool packs = u->pairs || (g->n > 4 * u->columns &&
	                          (g->a_column != 1 || g->a_row * u->bytes >= 2048));
	for (int64_t k0 = 0; k0 < depth; k0 += step) {
		gemm_part part = {.k0 = k0, .k = min_i64(step, depth - k0)};
		part.rows = packs ? scratch : NULL;
		for (part.i0 = 0; part.i0 < g->m; part.i0 += ROW_BLOCK) {
			part.m = min_i64(ROW_BLOCK, g->m - part.i0);
			if (packs)
				pack_rows(g, part.i0, part.m, k0, part.k, scratch);
			gemm_slab(g, part);
		}
	}
}
