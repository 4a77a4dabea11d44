/* test_fft.c - the passes of Fourier transforms in each table of loops, against their definition. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "exec/kernel/fft.h"

#include <math.h>
#include <stdlib.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static fft_parts random_parts(int64_t n, uint64_t *seed)
{
	double *all = malloc(sizeof *all * (size_t)(2 * n));
	for (int64_t i = 0; i < 2 * n; i++) {
		*seed = *seed * 6364136223846793005u + 1442695040888963407u;
		all[i] = (double)(*seed >> 33) * 0x1p-30 - 1;
	}
	return (fft_parts){all, all + n};
}

static fft_roots roots_of(int64_t n)
{
	double *all = malloc(sizeof *all * (size_t)(2 * n));
	for (int64_t k = 0; k < n; k++) {
		all[k] = cos(-2 * M_PI * (double)k / (double)n);
		all[n + k] = sin(-2 * M_PI * (double)k / (double)n);
	}
	return (fft_roots){n, all, all + n};
}

/* Element p + m j of each line, times the roots of the radix, times those of the length. */
static void check_pass(const char *set, const fft_loops *loops, int64_t radix, int64_t m, int64_t stride)
{
	uint64_t seed = (uint64_t)(radix * 1000 + stride);
	const int64_t n = radix * m, turn = 3; /* of a transform three times as long */
	const fft_parts x = random_parts(n * stride, &seed), y = random_parts(n * stride, &seed);
	const fft_roots w = roots_of(n * turn);
	loops->pass(&w, radix, n, stride, x, y);
	for (int64_t p = 0; p < m; p++)
		for (int64_t k = 0; k < radix; k++)
			for (int64_t q = 0; q < stride; q++) {
				double re = 0, im = 0;
				for (int64_t j = 0; j < radix; j++) {
					const int64_t at = stride * (p + m * j) + q, root = (j * k * m + p * k) % n * turn;
					re += x.re[at] * w.re[root] - x.im[at] * w.im[root];
					im += x.re[at] * w.im[root] + x.im[at] * w.re[root];
				}
				const int64_t at = stride * (radix * p + k) + q;
				if (fabs(y.re[at] - re) > 2e-14 * (double)radix || fabs(y.im[at] - im) > 2e-14 * (double)radix)
					fail_msg("%s, radix %d, stride %d, [%d, %d, %d]: %a + %a i, not %a + %a i", set,
					         (int)radix, (int)stride, (int)p, (int)k, (int)q, y.re[at], y.im[at], re, im);
			}
	free(x.re);
	free(y.re);
	free((double *)w.re);
}

static void check_scale(const fft_loops *loops, int64_t lanes)
{
	enum { LENGTH = 19 };
	uint64_t seed = 5;
	const fft_parts x = random_parts(LENGTH * lanes, &seed), by = random_parts(LENGTH, &seed),
		    to = random_parts(LENGTH * lanes, &seed);
	loops->scale(LENGTH, lanes, x, by, to);
	for (int64_t i = 0; i < LENGTH * lanes; i++) {
		const int64_t k = i / lanes;
		assert_true(fabs(to.re[i] - (x.re[i] * by.re[k] - x.im[i] * by.im[k])) < 1e-14);
		assert_true(fabs(to.im[i] - (x.re[i] * by.im[k] + x.im[i] * by.re[k])) < 1e-14);
	}
	free(x.re);
	free(by.re);
	free(to.re);
}

static void check_loops(const char *set, const fft_loops *loops)
{
	static const int64_t radices[] = {2, 3, 4, 5, 7, 11, 13, 17, 59, 61}, strides[] = {1, 2, 8, 13};
	for (size_t r = 0; r < COUNT(radices); r++)
		for (size_t s = 0; s < COUNT(strides); s++)
			for (int64_t m = 1; m <= 4; m += 3)
				check_pass(set, loops, radices[r], m, strides[s]);
	for (size_t s = 0; s < COUNT(strides); s++)
		check_scale(loops, strides[s]);
}

static void test_loops(void **state)
{
	(void)state;
	check_loops("base", &fft_loops_base);
#if defined(__x86_64__)
	if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
		check_loops("avx2", &fft_loops_avx2);
	if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
	    __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
		check_loops("avx512", &fft_loops_avx512);
#endif
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_loops)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
