/* kernel_gemm.c - matrix products of our own: micro-kernels for any processor, and the
 * loops around them. */
#include "exec/gemm.h"

#include <complex.h>

/* ---- micro-kernels in plain C ---------------------------------------------------- */

/* A: the type of sums. */
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

/* Complex numbers as pairs: C's own product minds infinities at a high price. */
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

const gemm_micro *gemm_micro_of(vec_type t)
{
	switch ((int)t) {
	case VT_B:
		return &gemm_b_base;
	case VT_I32:
		return &gemm_i32_base;
	case VT_I64:
		return &gemm_i64_base;
	case VT_C64:
		return &gemm_c64_base;
	case VT_C128:
		return &gemm_c128_base;
	}
#if defined(__x86_64__)
	bool f32 = t == VT_F32;
	if ((f32 || t == VT_F64) && __builtin_cpu_supports("avx512f"))
		return f32 ? &gemm_f32_avx512 : &gemm_f64_avx512;
	if ((f32 || t == VT_F64) && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
		return f32 ? &gemm_f32_avx2 : &gemm_f64_avx2;
#endif
	return t == VT_F32 ? &gemm_f32_base : t == VT_F64 ? &gemm_f64_base : NULL;
}

/* ---- packing -------------------------------------------------------------------------- */

/* Whole rows are copied.  Where k is contiguous, rows of a often lie pages apart and meet in
 * one set of the cache: a line of each is read before any is written. */
#define DEFINE_PACK(T, name)                                                                       \
	static void name(int64_t k, int64_t n, int64_t columns, const T *b, int64_t b_row,         \
	                 int64_t b_column, T *to)                                                  \
	{                                                                                          \
		enum { LINE = 64 / sizeof(T), MOST = 32 };                                         \
		int64_t p = 0;                                                                     \
		T block[MOST][LINE];                                                               \
		for (; b_column == 1 && n == columns && p < k; p++)                                \
			memcpy(to + p * columns, b + p * b_row, sizeof(T) * (size_t)columns);      \
		for (; b_row == 1 && n == columns && n <= MOST && p + LINE <= k; p += LINE) {      \
			for (int64_t j = 0; j < n; j++)                                            \
				memcpy(block[j], b + p + j * b_column, sizeof block[j]);           \
			for (int q = 0; q < LINE; q++)                                             \
				for (int64_t j = 0; j < n; j++)                                    \
					to[(p + q) * columns + j] = block[j][q];                   \
		}                                                                                  \
		for (; p < k; p++) {                                                  \
			for (int64_t j = 0; j < n; j++)                                            \
				to[p * columns + j] = b[p * b_row + j * b_column];                 \
			for (int64_t j = n; j < columns; j++)                                      \
				to[p * columns + j] = (T){0};                                      \
		}                                                                                  \
	}
typedef struct pair {
	uint64_t re, im;
} pair;
DEFINE_PACK(uint8_t, pack_1)
DEFINE_PACK(uint32_t, pack_4)
DEFINE_PACK(uint64_t, pack_8)
DEFINE_PACK(pair, pack_16)

/* Whole panels where k is contiguous, in squares; returns how much of k is done. */
static int64_t pack_squares(int64_t k, int64_t columns, const uint32_t *b, int64_t b_column,
                            uint32_t *to)
{
	vec_turn_fn *turn = columns % TURN_SIDE ? NULL : vec_turn();
	int64_t p = 0;
	for (; turn && p + TURN_SIDE <= k; p += TURN_SIDE)
		for (int64_t j = 0; j < columns; j += TURN_SIDE)
			turn(to + p * columns + j, columns, b + p + j * b_column, b_column);
	return p;
}

/* k rows of n columns, `columns` apart in `to`. */
static void pack_columns(int bytes, int64_t k, int64_t n, int64_t columns, const void *b,
                         int64_t b_row, int64_t b_column, void *to)
{
	switch (bytes) {
	case 1:
		pack_1(k, n, columns, b, b_row, b_column, to);
		break;
	case 4: {
		int64_t done = b_row == 1 && n == columns
		                       ? pack_squares(k, columns, b, b_column, to)
		                       : 0;
		pack_4(k - done, n, columns, (const uint32_t *)b + done * b_row, b_row, b_column,
		       (uint32_t *)to + done * columns);
		break;
	}
	case 8:
		pack_8(k, n, columns, b, b_row, b_column, to);
		break;
	case 16:
		pack_16(k, n, columns, b, b_row, b_column, to);
		break;
	}
}

void gemm_pack_panel(const gemm_micro *m, int64_t k, int64_t n, int64_t i, const void *b,
                     int64_t b_row, int64_t b_column, void *to)
{
	int64_t j = i * m->columns;
	pack_columns(m->bytes, k, min_i64(m->columns, n - j), m->columns,
	             (const char *)b + j * b_column * m->bytes, b_row, b_column,
	             (char *)to + j * k * m->bytes);
}

/* ---- the loops --------------------------------------------------------------------------- */

/* Blocks of a, ROW_BLOCK x DEPTH, and of b, DEPTH x columns, stay in the second-level
 * cache while they are used. */
enum { DEPTH = 512, ROW_BLOCK = 240 };

size_t gemm_scratch(const gemm_micro *m) { return (size_t)(ROW_BLOCK * DEPTH * m->bytes) + 64; }

/* Rows of a, brought together where they are far apart: [row panel][k][row]. */
static void pack_rows(const gemm *g, int64_t i0, int64_t m, int64_t k0, int64_t k, void *to)
{
	const int rows = g->micro->rows, bytes = g->micro->bytes;
	for (int64_t i = 0; i < m; i += rows)
		pack_columns(bytes, k, min_i64(rows, m - i), rows,
		             (const char *)g->a + ((i0 + i) * g->a_row + k0 * g->a_column) * bytes,
		             g->a_column, g->a_row, (char *)to + i * k * bytes);
}

/* Rows [i0, i0 + m) and depths [k0, k0 + k) for all columns. */
static void gemm_slab(const gemm *g, int64_t i0, int64_t m, int64_t k0, int64_t k, const char *rows)
{
	const gemm_micro *u = g->micro;
	const int64_t bytes = u->bytes;
	const int64_t a_row = rows ? 1 : g->a_row, a_column = rows ? u->rows : g->a_column;
	for (int64_t j = 0; j < g->n; j += u->columns) {
		int64_t n = min_i64(u->columns, g->n - j);
		const char *b = (const char *)g->b +
		                (g->b_row ? k0 * g->b_row + j : j * g->k + k0 * u->columns) * bytes;
		for (int64_t i = 0; i < m; i += u->rows) {
			const char *a = rows ? rows + i * k * bytes
			                     : (const char *)g->a +
			                           ((i0 + i) * g->a_row + k0 * g->a_column) * bytes;
			u->run(min_i64(u->rows, m - i), n, k, a, a_row, a_column, b,
			       g->b_row ? g->b_row : u->columns,
			       (char *)g->c + ((i0 + i) * g->ldc + j) * bytes, g->ldc,
			       g->add || k0 > 0);
		}
	}
}

void gemm_run(const gemm *g, void *scratch)
{
	const int bytes = g->micro->bytes;
	for (int64_t i = 0; i < g->m && !g->k && !g->add; i++)
		memset((char *)g->c + i * g->ldc * bytes, 0, (size_t)(g->n * bytes));
	/* Packing a costs a pass over it; it pays where b is wide and the rows of a lie
	 * pages apart. */
	bool packs = g->n > 4 * g->micro->columns &&
	             (g->a_column != 1 || g->a_row * bytes >= 2048);
	for (int64_t k0 = 0; k0 < g->k; k0 += DEPTH) {
		int64_t k = min_i64(DEPTH, g->k - k0);
		for (int64_t i0 = 0; i0 < g->m; i0 += ROW_BLOCK) {
			int64_t m = min_i64(ROW_BLOCK, g->m - i0);
			if (packs)
				pack_rows(g, i0, m, k0, k, scratch);
			gemm_slab(g, i0, m, k0, k, packs ? scratch : NULL);
		}
	}
}
