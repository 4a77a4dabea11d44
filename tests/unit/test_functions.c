/* test_functions.c - functions of f32 in each table of loops, against the C library in double. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "exec/vec/table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct function {
	const char *name;
	vec_op op;
	double (*exact)(double x);
	double most; /* units in the last place */
} function;

/* By CHLO's formulas, in which x - log(2) is rounded to f32. */
static double half_exp(double x) { return exp((double)((float)x - 0.693147181f)); }
static double chlo_cosh(double x) { return half_exp(x) + half_exp(-x); }
static double chlo_sinh(double x) { return fabs(x) < 1 ? sinh(x) : half_exp(x) - half_exp(-x); }

static const function functions[] = {
    {"sinh", VEC_SINH, chlo_sinh, 3}, {"cosh", VEC_COSH, chlo_cosh, 3}, {"asinh", VEC_ASINH, asinh, 3},
    {"acosh", VEC_ACOSH, acosh, 3},   {"atanh", VEC_ATANH, atanh, 3},   {"erf", VEC_ERF, erf, 3},
    {"tanh", VEC_TANH, tanh, 3},      {"log1p", VEC_LOG1P, log1p, 3},   {"expm1", VEC_EXPM1, expm1, 3},
};

/* How many units of the last place y is beside the exact value; of subnormal values as of the least
 * normal one. */
static double units_off(float y, double exact)
{
	if (isnan(exact) || isnan(y))
		return isnan(exact) && isnan(y) ? 0 : INFINITY;
	if (isinf((float)exact) || isinf(y))
		return (float)exact == y ? 0 : INFINITY;
	const int e = exact == 0 || fabs(exact) < 0x1p-126 ? -126 : ilogb(exact);
	return fabs((double)y - exact) / ldexp(1, e - 23);
}

static void check_function(const vec_table *table, const char *set, const function *f)
{
	enum { N = 4096 };
	float x[N], y[N];
	for (uint64_t first = 0; first < 1ull << 32; first += (uint64_t)N * 12289) {
		for (int i = 0; i < N; i++) {
			uint32_t bits = (uint32_t)(first + (uint64_t)i * 12289);
			memcpy(&x[i], &bits, sizeof bits);
		}
		table->ops[f->op][VT_F32](N, y, x, NULL, NULL, 0);
		for (int i = 0; i < N; i++)
			if (units_off(y[i], f->exact(x[i])) > f->most)
				fail_msg("%s, %s(%a): %a, not %a", set, f->name, (double)x[i],
				         (double)y[i], f->exact(x[i]));
	}
	const float ends[] = {INFINITY, -INFINITY, 0.0f, -0.0f, 1.0f, -1.0f, NAN};
	table->ops[f->op][VT_F32](7, y, ends, NULL, NULL, 0);
	for (int i = 0; i < 7; i++) {
		const double exact = f->exact(ends[i]);
		if (units_off(y[i], exact) > f->most ||
		    (!isnan(exact) && !signbit(y[i]) != !signbit(exact)))
			fail_msg("%s, %s(%g): %g, not %g", set, f->name, (double)ends[i],
			         (double)y[i], exact);
	}
}

static void test_functions(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
		check_function(&vec_table_base, "base", &functions[i]);
#if defined(__x86_64__)
		if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
			check_function(&vec_table_avx2, "avx2", &functions[i]);
		if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
		    __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
			check_function(&vec_table_avx512, "avx512", &functions[i]);
#endif
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_functions)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
