/* test_narrow.c - floats of at most 8 bits in each table of loops, against float_value() and float_bits(). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "exec/vec/table.h"

#include <math.h>
#include <string.h>

static const dtype types[] = {
#define FLOATING(...)
#define NARROW(id, ...) DT_##id,
#include "shape/dtype.def"
};

/* The bits that a number becomes in memory. These differ from those of float_bits(), which is for attributes: a NaN
 * keeps its sign if the type has more than one, what no power of two is near is NaN, and an infinity is not the largest
 * number, but what stands for NaN. */
static uint64_t stored(float x, dtype t)
{
	const float_format f = float_format_of(t);
	const uint64_t sign = signbit(x) ? (uint64_t)1 << (f.exp + f.man) : 0;
	if (f.special == FLOAT_POWERS)
		return x == 0 ? 0 : !(x > 0) ? 255 : float_bits((double)x, t);
	if (isnan(x) && f.special == FLOAT_ONE_NAN)
		return sign | float_bits((double)x, t);
	if (isinf(x) && f.special == FLOAT_FINITE)
		return (uint64_t)1 << (f.exp + f.man);
	return float_bits((double)x, t);
}

static void check_load(const char *set, const vec_half *h, dtype t)
{
	const int n = 1 << float_width(t);
	uint8_t codes[256];
	float values[256];
	for (int i = 0; i < n; i++)
		codes[i] = (uint8_t)i;
	h->load(n, values, codes, NULL, NULL, 0);
	for (int i = 0; i < n; i++) {
		const double want = float_value((uint64_t)i, t);
		if (isnan(want) ? !isnan(values[i]) : (double)values[i] != want || !signbit(values[i]) != !signbit(want))
			fail_msg("%s, %s, code %d: %a, not %a", set, dtype_mlir(t), i, (double)values[i], want);
	}
}

enum { N = 4096 };

static void check_store(const char *set, const vec_half *h, dtype t, const float *x, int n)
{
	uint8_t codes[N];
	float fixed[N], loaded[N];
	h->store(n, codes, x, NULL, NULL, 0);
	h->fix(n, fixed, x, NULL, NULL, 0);
	h->load(n, loaded, codes, NULL, NULL, 0);
	for (int i = 0; i < n; i++)
		if (codes[i] != stored(x[i], t) || memcmp(&fixed[i], &loaded[i], sizeof fixed[i]) != 0)
			fail_msg("%s, %s, %a: code %d, not %d, and %a beside %a", set, dtype_mlir(t), (double)x[i],
			         codes[i], (int)stored(x[i], t), (double)fixed[i], (double)loaded[i]);
}

/* What lies half way between two values, and its neighbors; and numbers of every exponent. */
static void check_type(const char *set, const vec_half *h, dtype t)
{
	float x[N];
	int n = 0;
	check_load(set, h, t);
	for (int i = 0; i + 1 < 1 << float_width(t); i++) {
		const float middle = (float)((float_value((uint64_t)i, t) + float_value((uint64_t)i + 1, t)) / 2);
		x[n++] = middle;
		x[n++] = nextafterf(middle, INFINITY);
		x[n++] = nextafterf(middle, -INFINITY);
		x[n++] = (float)float_value((uint64_t)i, t);
	}
	check_store(set, h, t, x, n);
	for (uint64_t first = 0; first < 1ull << 32; first += (uint64_t)N * 24593) {
		for (int i = 0; i < N; i++) {
			uint32_t bits = (uint32_t)(first + (uint64_t)i * 24593);
			memcpy(&x[i], &bits, sizeof bits);
		}
		check_store(set, h, t, x, N);
	}
	const float ends[] = {INFINITY, -INFINITY, NAN, -NAN, 0.0f, -0.0f, 0x1p-149f, -0x1p-149f, 0x1.fffffep127f};
	check_store(set, h, t, ends, COUNT(ends));
}

static void test_narrow(void **state)
{
	(void)state;
	for (int i = 0; i < COUNT(types); i++) {
		check_type("base", &vec_table_base.narrow[types[i]], types[i]);
#if defined(__x86_64__)
		if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
			check_type("avx2", &vec_table_avx2.narrow[types[i]], types[i]);
		if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
		    __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
			check_type("avx512", &vec_table_avx512.narrow[types[i]], types[i]);
#endif
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_narrow)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
