/* test_gemm.c - every micro-kernel that this processor supports, at the edges of its blocks.
 *
 * The elements are small integers, so each product is exact in every type and can be compared with
 * sums of 64-bit integers. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "exec/kernel/gemm.h"

enum { MOST = 40, DEPTHS = 3 };
static const int64_t depths[DEPTHS] = {1, 5, 600}; /* 600: more than one slab of k */

typedef struct kernel {
	const char *name;
	const gemm_micro *micro;
	vec_type type;
} kernel;

static void put(vec_type t, void *at, int64_t i, int v)
{
	switch ((int)t) {
	case VT_F32: ((float *)at)[i] = (float)v; return;
	case VT_F64: ((double *)at)[i] = v; return;
	case VT_I32: ((int32_t *)at)[i] = v; return;
	case VT_I64: ((int64_t *)at)[i] = v; return;
	case VT_C64: ((float *)at)[2 * i] = (float)v, ((float *)at)[2 * i + 1] = 0; return;
	case VT_C128: ((double *)at)[2 * i] = v, ((double *)at)[2 * i + 1] = 0; return;
	case VT_B: ((uint8_t *)at)[i] = v != 0; return;
	}
	fail_msg("no such type");
}

static int64_t get(vec_type t, const void *at, int64_t i)
{
	switch ((int)t) {
	case VT_F32: return (int64_t)((const float *)at)[i];
	case VT_F64: return (int64_t)((const double *)at)[i];
	case VT_I32: return ((const int32_t *)at)[i];
	case VT_I64: return ((const int64_t *)at)[i];
	case VT_C64: return (int64_t)((const float *)at)[2 * i];
	case VT_C128: return (int64_t)((const double *)at)[2 * i];
	case VT_B: return ((const uint8_t *)at)[i];
	}
	fail_msg("no such type");
	return 0;
}

/* `v` can be represented in bf16. */
static uint16_t bf16_of(float v)
{
	uint32_t bits;
	memcpy(&bits, &v, sizeof bits);
	return (uint16_t)(bits >> 16);
}

/* The values of a and b at (row, column). */
static int element(int64_t i, int64_t j, bool is_bool)
{
	int v = (int)((i * 7 + j * 3 + i * j) % 11) - 5;
	return is_bool ? v == 0 : v;
}

/* A matrix in memory. Consecutive rows are `row` elements apart. */
typedef struct matrix {
	char *data;
	int64_t row, column;
} matrix;

/* Fills the matrix with the elements of a, or of b, of which the first is one larger. */
static matrix matrix_new(const kernel *u, int64_t m, int64_t n, bool is_b, bool turned)
{
	const int64_t gap = (m + n) % 3, bytes = u->micro->pairs ? 2 : u->micro->bytes;
	matrix x = {.row = turned ? 1 : n + gap, .column = turned ? m + gap : 1};
	x.data = calloc((size_t)((m + gap) * (n + gap)), (size_t)bytes);
	for (int64_t i = 0; i < m; i++)
		for (int64_t j = 0; j < n; j++) {
			int v = is_b ? element(j, i + 1, u->type == VT_B)
			             : element(i, j, u->type == VT_B);
			int64_t at = i * x.row + j * x.column;
			if (u->micro->pairs)
				((uint16_t *)x.data)[at] = bf16_of((float)v);
			else
				put(u->type, x.data, at, v);
		}
	return x;
}

/* The storage order of the operands, and if they are packed. */
typedef struct form {
	bool a_turned, b_turned, packed;
} form;

static void check_sums(const kernel *u, int64_t m, int64_t n, int64_t k, form f, const char *c)
{
	const bool is_bool = u->type == VT_B;
	for (int64_t i = 0; i < m; i++)
		for (int64_t j = 0; j < n; j++) {
			int64_t want = 0;
			for (int64_t p = 0; p < k; p++)
				want += element(i, p, is_bool) * element(j, p + 1, is_bool);
			want = is_bool ? want != 0 : want;
			if (get(u->type, c, i * n + j) != want)
				fail_msg("%s: %d x %d x %d%s%s%s: c[%d][%d] is %lld, not %lld",
				         u->name, (int)m, (int)k, (int)n,
				         f.a_turned ? ", a turned" : "",
				         f.b_turned ? ", b turned" : "", f.packed ? ", packed" : "",
				         (int)i, (int)j, (long long)get(u->type, c, i * n + j),
				         (long long)want);
		}
}

/* Checks c = a b. */
static void check_product(const kernel *u, int64_t m, int64_t n, int64_t k, form f)
{
	matrix a = matrix_new(u, m, k, false, f.a_turned);
	matrix b = matrix_new(u, k, n, true, f.b_turned);
	const int64_t bytes = u->micro->bytes;
	char *c = malloc((size_t)(m * n * bytes) + 1), *scratch = malloc(gemm_scratch(u->micro));
	char *panels = malloc((size_t)(gemm_packed_size(u->micro, k, n) * bytes) + 1);
	if (f.packed)
		gemm_pack_panels(u->micro, k, n, 0, ceil_div(n, u->micro->columns), b.data, b.row,
		                 b.column, panels);
	gemm g = {u->micro, m, n, k, a.data, a.row, a.column, f.packed ? panels : b.data,
	          f.packed ? 0 : b.row, c, n, false};
	gemm_run(&g, scratch);
	check_sums(u, m, n, k, f, c);
	free(a.data);
	free(b.data);
	free(c);
	free(scratch);
	free(panels);
}

static void check_kernel(const kernel *u)
{
	for (int64_t m = 1; m <= 2 * u->micro->rows + 1; m++)
		for (int64_t n = 1; n <= MOST; n += n % u->micro->columns < 2 ? 1 : 3)
			for (int d = 0; d < DEPTHS - (m > 3); d++) {
				bool packed = n % 3 == 0 || u->micro->pairs;
				check_product(u, m, n, depths[d],
				              (form){(m + n) % 2, packed && n % 2, packed});
			}
	/* So wide that a is packed, too, and more rows than a block. */
	const int64_t wide = 5 * u->micro->columns + 3;
	for (int i = 0; i < 8; i++)
		check_product(u, i < 4 ? 5 : 250, wide, i < 4 ? 601 : 33,
		              (form){i % 2, i / 2 % 2, true});
	check_product(u, 3, 5, 0, (form){.packed = true});
	check_product(u, 0, 5, 3, (form){.packed = true});
}

/* Infinities and NaN stay in their row or column. */
static void check_specials(const kernel *u)
{
	enum { N = 20, K = 18 };
	float a[N * K], b[K * N], c[N * N];
	uint16_t narrow[2][N * K];
	for (int i = 0; i < N * K; i++)
		a[i] = b[i] = 1;
	a[3 * K + 17] = INFINITY;
	b[17 * N + 5] = 0;
	b[4 * N + 7] = NAN;
	for (int i = 0; i < N * K; i++)
		narrow[0][i] = bf16_of(a[i]), narrow[1][i] = bf16_of(b[i]);
	bool pairs = u->micro->pairs;
	float *panels = calloc((size_t)gemm_packed_size(u->micro, K, N), sizeof *panels);
	void *scratch = malloc(gemm_scratch(u->micro));
	gemm_pack_panels(u->micro, K, N, 0, ceil_div(N, u->micro->columns),
	                 pairs ? (void *)narrow[1] : b, N, 1, panels);
	gemm g = {u->micro, N, N, K, pairs ? (void *)narrow[0] : a, K, 1, panels, 0, c, N, false};
	gemm_run(&g, scratch);
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			if (j == 7 || (i == 3 && j == 5))
				assert_true(isnan(c[i * N + j]));
			else
				assert_true(c[i * N + j] == (i == 3 ? INFINITY : K - (j == 5)));
	free(panels);
	free(scratch);
}

static void micro_kernels(void **state)
{
	(void)state;
	static const kernel base[] = {
	    {"f32", &gemm_f32_base, VT_F32},    {"f64", &gemm_f64_base, VT_F64},
	    {"i32", &gemm_i32_base, VT_I32},    {"i64", &gemm_i64_base, VT_I64},
	    {"c64", &gemm_c64_base, VT_C64},    {"c128", &gemm_c128_base, VT_C128},
	    {"boolean", &gemm_b_base, VT_B},
	};
	for (int i = 0; i < COUNT(base); i++)
		check_kernel(&base[i]);
#if defined(__x86_64__)
	static const kernel avx2[] = {{"f32 avx2", &gemm_f32_avx2, VT_F32},
	                              {"f64 avx2", &gemm_f64_avx2, VT_F64},
	                              {"c64 avx2", &gemm_c64_avx2, VT_C64},
	                              {"c128 avx2", &gemm_c128_avx2, VT_C128}};
	static const kernel avx512[] = {{"f32 avx512", &gemm_f32_avx512, VT_F32},
	                                {"f64 avx512", &gemm_f64_avx512, VT_F64},
	                                {"c64 avx512", &gemm_c64_avx512, VT_C64},
	                                {"c128 avx512", &gemm_c128_avx512, VT_C128}};
	for (int i = 0; i < COUNT(avx2) && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
	     i++)
		check_kernel(&avx2[i]);
	for (int i = 0; i < COUNT(avx512) && __builtin_cpu_supports("avx512f"); i++)
		check_kernel(&avx512[i]);
	static const kernel bf16 = {"bf16 avx512", &gemm_bf16_avx512, VT_F32};
	if (gemm_micro_pairs())
		check_kernel(&bf16);
#endif
}

static void special_values(void **state)
{
	(void)state;
	check_specials(&(kernel){"f32 base", &gemm_f32_base, VT_F32});
	check_specials(&(kernel){"f32", gemm_micro_of(VT_F32), VT_F32});
	if (gemm_micro_pairs())
		check_specials(&(kernel){"bf16", gemm_micro_pairs(), VT_F32});
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(micro_kernels),
	                                   cmocka_unit_test(special_values)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
