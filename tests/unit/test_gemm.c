/* test_gemm.c - every micro-kernel that this processor runs, at the edges of its blocks.
 *
 * The elements are small integers, so each product is exact in every type and is
 * compared with sums of 64-bit integers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "exec/gemm.h"

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

/* The values of a and b at (row, column). */
static int element(int64_t i, int64_t j, bool is_bool)
{
	int v = (int)((i * 7 + j * 3 + i * j) % 11) - 5;
	return is_bool ? v == 0 : v;
}

/* c = a b, with a transposed in memory or not, b in place or packed. */
static void check_product(const kernel *u, int64_t m, int64_t n, int64_t k, bool a_turned,
                          bool packed)
{
	const int bytes = u->micro->bytes;
	const bool is_bool = u->type == VT_B;
	char *a = calloc((size_t)(m * k), (size_t)bytes),
	     *b = calloc((size_t)(k * n), (size_t)bytes);
	char *c = malloc((size_t)(m * n * bytes)), *scratch = malloc(gemm_scratch(u->micro));
	char *panels = calloc((size_t)gemm_packed_size(u->micro, k, n), (size_t)bytes);
	for (int64_t i = 0; i < m; i++)
		for (int64_t p = 0; p < k; p++)
			put(u->type, a, a_turned ? p * m + i : i * k + p, element(i, p, is_bool));
	for (int64_t p = 0; p < k; p++)
		for (int64_t j = 0; j < n; j++)
			put(u->type, b, p * n + j, element(j, p + 1, is_bool));
	for (int64_t i = 0; packed && i * u->micro->columns < n; i++)
		gemm_pack_panel(u->micro, k, n, i, b, n, 1, panels);
	gemm g = {u->micro, m, n, k, a, a_turned ? 1 : k, a_turned ? m : 1,
	          packed ? panels : b, packed ? 0 : n, c, n, false};
	gemm_run(&g, scratch);
	for (int64_t i = 0; i < m; i++)
		for (int64_t j = 0; j < n; j++) {
			int64_t want = 0;
			for (int64_t p = 0; p < k; p++)
				want += element(i, p, is_bool) * element(j, p + 1, is_bool);
			want = is_bool ? want != 0 : want;
			if (get(u->type, c, i * n + j) != want)
				fail_msg("%s: %d x %d x %d%s%s: c[%d][%d] is %lld, not %lld",
				         u->name, (int)m, (int)k, (int)n,
				         a_turned ? ", a turned" : "", packed ? ", packed" : "",
				         (int)i, (int)j, (long long)get(u->type, c, i * n + j),
				         (long long)want);
		}
	free(a);
	free(b);
	free(c);
	free(scratch);
	free(panels);
}

static void check_kernel(const kernel *u)
{
	for (int64_t m = 1; m <= 2 * u->micro->rows + 1; m++)
		for (int64_t n = 1; n <= MOST; n += n % u->micro->columns < 2 ? 1 : 3)
			for (int d = 0; d < DEPTHS - (m > 3); d++)
				check_product(u, m, n, depths[d], (m + n) % 2, n % 3 == 0);
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
	                              {"f64 avx2", &gemm_f64_avx2, VT_F64}};
	static const kernel avx512[] = {{"f32 avx512", &gemm_f32_avx512, VT_F32},
	                                {"f64 avx512", &gemm_f64_avx512, VT_F64}};
	for (int i = 0; i < 2 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
	     i++)
		check_kernel(&avx2[i]);
	for (int i = 0; i < 2 && __builtin_cpu_supports("avx512f"); i++)
		check_kernel(&avx512[i]);
#endif
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(micro_kernels)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
