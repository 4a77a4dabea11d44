/* test_functions.c - the elementary functions of f32, f64 and complex numbers in each table of loops, against the C
 * library in long double, or where it lacks a function, against values of functions_values.h.
 *
 * The programs of StableHLO's tests expect values within 3 units in the last place of f32, so no function may be
 * farther from them than that, except where a row below says by which formula they are computed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "exec/vec/special.h"
#include "exec/vec/table.h"

#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef long double real;

/* glibc does not define CMPLXL for clang. */
#ifndef CMPLXL
#define CMPLXL(re, im) __builtin_complex((real)(re), (real)(im))
#endif

/* ---- the tables of loops that this processor runs ---------------------------------- */

typedef struct named_table {
	const char *name;
	const vec_table *table;
} named_table;

static int tables_here(named_table *out)
{
	int n = 0;
	out[n++] = (named_table){"base", &vec_table_base};
#if defined(__x86_64__)
	if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
		out[n++] = (named_table){"avx2", &vec_table_avx2};
	if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
	    __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
		out[n++] = (named_table){"avx512", &vec_table_avx512};
#endif
	return n;
}

/* ---- distances in units in the last place -------------------------------------------- */

/* How many units of the last place y is beside the exact value; of subnormal values as of the least normal one, and
 * with the first power of two that overflows in place of infinity. `digits` and `least` are the type's: 24 and -126
 * for f32. */
static double units_off(real y, real exact, int digits, int least)
{
	if (isnan(exact) || isnan(y))
		return isnan(exact) && isnan(y) ? 0 : INFINITY;
	const real most = ldexpl(1, 2 - least);
	y = fmaxl(-most, fminl(most, y)), exact = fmaxl(-most, fminl(most, exact));
	const int e = fabsl(exact) < ldexpl(1, least) ? least : ilogbl(exact) - (fabsl(exact) == most);
	return (double)(fabsl(y - exact) / ldexpl(1, e - digits + 1));
}
static double units32(real y, real exact) { return units_off(y, exact, 24, -126); }
static double units64(real y, real exact) { return units_off(y, exact, 53, -1022); }

/* ---- arguments ------------------------------------------------------------------------- */

enum { N = 4096, N_ENDS = 22 };

static const double ends[N_ENDS] = {
    INFINITY, -INFINITY, 0.0, -0.0, 1.0, -1.0, NAN, 0.5, -0.5, 2.0, -2.0, 0x1p-126, -0x1p-126, 0x1p-149, -0x1p-149,
    0x1.fffffep127, -0x1.fffffep127, 0x1.fffffep-1, -0x1.fffffep-1, 0x1.000002p0, -0x1.000002p0, 88.0};

static uint64_t next_random(uint64_t *s)
{
	*s ^= *s << 13, *s ^= *s >> 7, *s ^= *s << 17;
	return *s;
}

/* In [-most, most]. */
static double random_in(uint64_t *s, double most)
{
	return ((double)(next_random(s) >> 11) * 0x1p-52 - 1) * most;
}

/* Block b of the arguments of f32: every 49157th number, so every exponent, and what is between the ranges of most
 * functions. */
enum { BLOCKS_32 = 25, STEP_32 = 49157 };
static void arguments_32(int b, float *x, uint64_t *s)
{
	for (int i = 0; i < N; i++) {
		uint32_t bits = ((uint32_t)b * N + (uint32_t)i) * STEP_32;
		memcpy(&x[i], &bits, sizeof bits);
	}
	if (b >= BLOCKS_32 - 3) /* beyond 2^32 / STEP_32 */
		for (int i = 0; i < N; i++)
			x[i] = (float)random_in(s, b == BLOCKS_32 - 3 ? 1 : b == BLOCKS_32 - 2 ? 8 : 100);
	for (int i = 0; i < N_ENDS && b == 0; i++)
		x[i] = (float)ends[i];
}

enum { BLOCKS_64 = 16 };
static void arguments_64(int b, double *x, uint64_t *s)
{
	static const double most[] = {1, 1.5, 8, 40, 750, 1e5};
	for (int i = 0; i < N; i++) {
		uint64_t bits = next_random(s);
		memcpy(&x[i], &bits, sizeof bits);
		if (b >= BLOCKS_64 - COUNT(most))
			x[i] = random_in(s, most[b - (BLOCKS_64 - COUNT(most))]);
	}
	for (int i = 0; i < N_ENDS && b == 0; i++)
		x[i] = ends[i];
}

/* ---- one operand -------------------------------------------------------------------------- */

/* By CHLO's formulas, in which x - log(2) is rounded to f32. */
static real half_exp(real x) { return expl((real)((float)x - 0.693147181f)); }
static real chlo_cosh(real x) { return half_exp(x) + half_exp(-x); }
static real chlo_sinh(real x) { return fabsl(x) < 1 ? sinhl(x) : half_exp(x) - half_exp(-x); }

/* exp(-x) may overflow before its inverse is too small. */
static real logistic(real x, real most) { return expl(-x) > most ? 0 : 1 / (1 + expl(-x)); }
static real logistic_32(real x) { return logistic(x, FLT_MAX); }
static real logistic_64(real x) { return logistic(x, DBL_MAX); }

static real lgamma_of(real x)
{
	int sign;
	return isinf(x) ? INFINITY : lgammal_r(x, &sign);
}
static real rsqrt_of(real x) { return 1 / sqrtl(x); }
static real square_of(real x) { return x * x; }

typedef struct function {
	const char *name;
	vec_op op;
	real (*exact_32)(real x), (*exact_64)(real x);
	double most_32, most_64; /* units in the last place */
} function;

/* The bounds of f64 leave room for C libraries less accurate than glibc. Near the zeros of lgamma at negative numbers
 * glibc itself is 5 units off. */
static const function functions[] = {
    {"exp", VEC_EXP, expl, expl, 1, 1.5},
    {"expm1", VEC_EXPM1, expm1l, expm1l, 2, 2},
    {"log", VEC_LOG, logl, logl, 1, 1.5},
    {"log1p", VEC_LOG1P, log1pl, log1pl, 2, 2},
    {"logistic", VEC_LOGISTIC, logistic_32, logistic_64, 3, 3},
    {"sqrt", VEC_SQRT, sqrtl, sqrtl, 0.5, 0.5},
    {"rsqrt", VEC_RSQRT, rsqrt_of, rsqrt_of, 1.5, 1.5},
    {"cbrt", VEC_CBRT, cbrtl, cbrtl, 1.5, 4},
    {"sin", VEC_SIN, sinl, sinl, 1, 1.5},
    {"cos", VEC_COS, cosl, cosl, 1, 1.5},
    {"tan", VEC_TAN, tanl, tanl, 1.5, 1.5},
    {"tanh", VEC_TANH, tanhl, tanhl, 2, 3},
    {"asin", VEC_ASIN, asinl, asinl, 1.5, 1.5},
    {"acos", VEC_ACOS, acosl, acosl, 1.5, 1.5},
    {"atan", VEC_ATAN, atanl, atanl, 1.5, 1.5},
    {"sinh", VEC_SINH, chlo_sinh, sinhl, 3, 3},
    {"cosh", VEC_COSH, chlo_cosh, coshl, 3, 3},
    {"asinh", VEC_ASINH, asinhl, asinhl, 3, 3},
    {"acosh", VEC_ACOSH, acoshl, acoshl, 3, 3},
    {"atanh", VEC_ATANH, atanhl, atanhl, 3, 3},
    {"erf", VEC_ERF, erfl, erfl, 2, 2},
    {"erfc", VEC_ERFC, erfcl, erfcl, 3, 3},
    {"lgamma", VEC_LGAMMA, lgamma_of, lgamma_of, 1, 10},
    {"square", VEC_SQUARE, square_of, square_of, 0.5, 0.5},
};

static void check_32(const named_table *t, const function *f, const float *x, const real *exact)
{
	float y[N];
	t->table->ops[f->op][VT_F32](N, y, x, NULL, NULL, 0);
	for (int i = 0; i < N; i++)
		if (units32((real)y[i], exact[i]) > f->most_32 ||
		    (x[i] == 0 && !isnan(y[i]) && !signbit(y[i]) != !signbit(exact[i])))
			fail_msg("f32, %s, %s(%a): %a, not %La", t->name, f->name, (double)x[i], (double)y[i],
			         exact[i]);
}

static void check_64(const named_table *t, const function *f, const double *x, const real *exact)
{
	double y[N];
	t->table->ops[f->op][VT_F64](N, y, x, NULL, NULL, 0);
	for (int i = 0; i < N; i++)
		if (units64((real)y[i], exact[i]) > f->most_64 ||
		    (x[i] == 0 && !isnan(y[i]) && !signbit(y[i]) != !signbit(exact[i])))
			fail_msg("f64, %s, %s(%a): %a, not %La", t->name, f->name, x[i], y[i], exact[i]);
}

static void test_one_operand(void **state)
{
	(void)state;
	named_table tables[3];
	const int n_tables = tables_here(tables);
	for (int k = 0; k < COUNT(functions); k++) {
		const function *f = &functions[k];
		uint64_t seed = 88172645463325252u;
		real exact[N];
		for (int b = 0; b < BLOCKS_32; b++) {
			float x[N];
			arguments_32(b, x, &seed);
			for (int i = 0; i < N; i++)
				exact[i] = f->exact_32((real)x[i]);
			for (int t = 0; t < n_tables; t++)
				check_32(&tables[t], f, x, exact);
		}
		for (int b = 0; b < BLOCKS_64; b++) {
			double x[N];
			arguments_64(b, x, &seed);
			for (int i = 0; i < N; i++)
				exact[i] = f->exact_64((real)x[i]);
			for (int t = 0; t < n_tables; t++)
				check_64(&tables[t], f, x, exact);
		}
	}
}

/* ---- two operands --------------------------------------------------------------------- */

typedef struct function_of_two {
	const char *name;
	vec_op op;
	real (*exact)(real x, real y);
	double most_32, most_64;
} function_of_two;

static real quotient(real x, real y) { return x / y; }

static const function_of_two functions_of_two[] = {
    {"power", VEC_POW, powl, 1, 1.5},
    {"atan2", VEC_ATAN2, atan2l, 1.5, 1.5},
    {"remainder", VEC_REM, fmodl, 0, 0},
    {"divide", VEC_DIV, quotient, 0.5, 0.501}, /* the quotient is rounded to long double first */
};

static void check_two(const named_table *t, const function_of_two *f, const double *x, const double *y)
{
	double d[N];
	float x32[N], y32[N], d32[N];
	for (int i = 0; i < N; i++)
		x32[i] = (float)x[i], y32[i] = (float)y[i];
	t->table->ops[f->op][VT_F32](N, d32, x32, y32, NULL, 0);
	t->table->ops[f->op][VT_F64](N, d, x, y, NULL, 0);
	for (int i = 0; i < N; i++) {
		const real exact_32 = f->exact((real)x32[i], (real)y32[i]), exact = f->exact((real)x[i], (real)y[i]);
		if (units32((real)d32[i], exact_32) > f->most_32 ||
		    (exact_32 == 0 && !signbit(d32[i]) != !signbit(exact_32)))
			fail_msg("f32, %s, %s(%a, %a): %a, not %La", t->name, f->name, (double)x32[i],
			         (double)y32[i], (double)d32[i], exact_32);
		if (units64((real)d[i], exact) > f->most_64 || (exact == 0 && !signbit(d[i]) != !signbit(exact)))
			fail_msg("f64, %s, %s(%a, %a): %a, not %La", t->name, f->name, x[i], y[i], d[i], exact);
	}
}

static void test_two_operands(void **state)
{
	(void)state;
	named_table tables[3];
	const int n_tables = tables_here(tables);
	for (int k = 0; k < COUNT(functions_of_two); k++) {
		uint64_t seed = 88172645463325252u;
		for (int b = 0; b < 12; b++) {
			static const double most[] = {1, 2, 8, 100};
			double x[N], y[N];
			for (int i = 0; i < N; i++) {
				x[i] = random_in(&seed, most[b % 4]);
				y[i] = b < 8 ? random_in(&seed, most[b / 2 % 4]) : rint(random_in(&seed, 20));
				if (b == 0 && i < N_ENDS * N_ENDS)
					x[i] = ends[i / N_ENDS], y[i] = ends[i % N_ENDS];
			}
			for (int t = 0; t < n_tables; t++)
				check_two(&tables[t], &functions_of_two[k], x, y);
		}
	}
}

/* ---- functions that the C library lacks --------------------------------------------------- */

typedef struct known {
	vec_op op;
	float x, y;
	real value; /* rounded to 64 bits */
} known;

static const known known_values[] = {
#include "functions_values.h"
};

/* In f64 they are sums of series. digamma is a difference: near its zeros its error is that of numbers near 1. */
static void test_known_values(void **state)
{
	(void)state;
	named_table tables[3];
	const int n_tables = tables_here(tables);
	for (int t = 0; t < n_tables; t++) {
		for (int i = 0; i < COUNT(known_values); i++) {
			const known *k = &known_values[i];
			const double x = (double)k->x, y = (double)k->y;
			const real beside = k->op == VEC_DIGAMMA && fabsl(k->value) < 1 ? 1 : 0;
			float d32;
			double d;
			tables[t].table->ops[k->op][VT_F32](1, &d32, &k->x, &k->y, NULL, 0);
			tables[t].table->ops[k->op][VT_F64](1, &d, &x, &y, NULL, 0);
			if (units32((real)d32, k->value) > 1 || units64(beside + (real)d, beside + k->value) > 16)
				fail_msg("%s, row %d, (%a, %a): %a and %a, not %La", tables[t].name, i, x, y,
				         (double)d32, d, k->value);
		}
	}
}

/* ---- complex numbers ------------------------------------------------------------------------- */

typedef long double _Complex complex_real;

typedef struct complex_function {
	const char *name;
	vec_op op;
	complex_real (*exact)(complex_real x);
} complex_function;

static complex_real c_expm1(complex_real z)
{
	const real a = creall(z), b = cimagl(z), s = sinl(b / 2);
	return CMPLXL(expm1l(a) * cosl(b) - 2 * s * s, expl(a) * sinl(b));
}
static complex_real c_log1p(complex_real z)
{
	const real a = creall(z), b = cimagl(z);
	if (fabsl(a) > 0.5L || fabsl(b) > 0.5L)
		return clogl(1 + z);
	return CMPLXL(log1pl(a * (2 + a) + b * b) / 2, atan2l(b, 1 + a));
}
static complex_real c_logistic(complex_real z) { return 1 / (1 + cexpl(-z)); }
static complex_real c_rsqrt(complex_real z) { return 1 / csqrtl(z); }
static complex_real c_cbrt(complex_real z) { return cpowl(z, 1 / 3.0L); }
static complex_real c_square(complex_real z) { return z * z; }
static complex_real c_sign(complex_real z) { return z / cabsl(z); }
static complex_real c_neg(complex_real z) { return -z; }

static const complex_function complex_functions[] = {
    {"exp", VEC_EXP, cexpl},
    {"expm1", VEC_EXPM1, c_expm1},
    {"log", VEC_LOG, clogl},
    {"log1p", VEC_LOG1P, c_log1p},
    {"logistic", VEC_LOGISTIC, c_logistic},
    {"sqrt", VEC_SQRT, csqrtl},
    {"rsqrt", VEC_RSQRT, c_rsqrt},
    {"cbrt", VEC_CBRT, c_cbrt},
    {"sin", VEC_SIN, csinl},
    {"cos", VEC_COS, ccosl},
    {"tan", VEC_TAN, ctanl},
    {"tanh", VEC_TANH, ctanhl},
    {"asin", VEC_ASIN, casinl},
    {"acos", VEC_ACOS, cacosl},
    {"atan", VEC_ATAN, catanl},
    {"asinh", VEC_ASINH, casinhl},
    {"acosh", VEC_ACOSH, cacoshl},
    {"atanh", VEC_ATANH, catanhl},
    {"sinh", VEC_SINH, csinhl},
    {"cosh", VEC_COSH, ccoshl},
    {"square", VEC_SQUARE, c_square},
    {"sign", VEC_SIGN, c_sign},
    {"negate", VEC_NEG, c_neg},
};

/* complex<f32> is computed in double, so that each part is what rounding the exact part gives, or nearly so; parts of
 * complex<f64> only have few units of the larger part's last place. */
static void check_part(const char *table, const char *name, real y, real exact, real larger, double _Complex x, bool wide)
{
	const real beside = wide ? larger : 0;
	const double off = wide ? units64(beside + (y - exact), beside) : units32(y, exact);
	if (!(off <= (wide ? 8 : 1)))
		fail_msg("%s, %s, %s(%a, %a): %La, not %La", wide ? "c128" : "c64", table, name, creal(x), cimag(x), y,
		         exact);
}

static void check_complex(const named_table *t, const complex_function *f, const float *parts, const complex_real *exact)
{
	double _Complex x[N], y[N];
	float _Complex x32[N], y32[N];
	memcpy(x32, parts, sizeof x32);
	for (int i = 0; i < N; i++)
		x[i] = CMPLX(parts[2 * i], parts[2 * i + 1]);
	t->table->ops[f->op][VT_C64](N, y32, x32, NULL, NULL, 0);
	t->table->ops[f->op][VT_C128](N, y, x, NULL, NULL, 0);
	for (int i = 0; i < N; i++) {
		const real re = creall(exact[i]), im = cimagl(exact[i]), larger = fmaxl(fabsl(re), fabsl(im));
		check_part(t->name, f->name, (real)crealf(y32[i]), re, larger, x[i], false);
		check_part(t->name, f->name, (real)cimagf(y32[i]), im, larger, x[i], false);
		check_part(t->name, f->name, (real)creal(y[i]), re, larger, x[i], true);
		check_part(t->name, f->name, (real)cimag(y[i]), im, larger, x[i], true);
	}
}

enum { COMPLEX_BLOCKS = 5 };

/* N complex numbers that f32 has, of different magnitudes. */
static void complex_arguments(int block, float *parts, uint64_t *seed)
{
	static const double most[COMPLEX_BLOCKS] = {1e-3, 1, 3, 30, 80};
	for (int i = 0; i < 2 * N; i++)
		parts[i] = (float)random_in(seed, most[block]);
}

static void test_complex(void **state)
{
	(void)state;
	named_table tables[3];
	const int n_tables = tables_here(tables);
	for (int k = 0; k < COUNT(complex_functions); k++) {
		uint64_t seed = 88172645463325252u;
		for (int b = 0; b < COMPLEX_BLOCKS; b++) {
			float parts[2 * N];
			complex_real exact[N];
			complex_arguments(b, parts, &seed);
			for (int i = 0; i < N; i++)
				exact[i] = complex_functions[k].exact(CMPLXL(parts[2 * i], parts[2 * i + 1]));
			for (int t = 0; t < n_tables; t++)
				check_complex(&tables[t], &complex_functions[k], parts, exact);
		}
	}
}

/* Products and quotients, also of numbers whose squares overflow. */
static void test_complex_of_two(void **state)
{
	(void)state;
	named_table tables[3];
	const int n_tables = tables_here(tables);
	uint64_t seed = 88172645463325252u;
	for (int b = 0; b < COMPLEX_BLOCKS * 3; b++) {
		const bool divide = b % 3 > 0;
		const int scale = b % 3 == 2 ? 900 : 0;
		float a_parts[2 * N], b_parts[2 * N];
		double _Complex x[N], y[N], d[N];
		float _Complex x32[N], y32[N], d32[N];
		complex_arguments(b / 3, a_parts, &seed);
		complex_arguments(COMPLEX_BLOCKS - 1 - b / 3, b_parts, &seed);
		memcpy(x32, a_parts, sizeof x32);
		memcpy(y32, b_parts, sizeof y32);
		for (int i = 0; i < N; i++) {
			x[i] = CMPLX(ldexp((double)a_parts[2 * i], scale), ldexp((double)a_parts[2 * i + 1], scale));
			y[i] = CMPLX(ldexp((double)b_parts[2 * i], scale), ldexp((double)b_parts[2 * i + 1], scale));
		}
		for (int t = 0; t < n_tables; t++) {
			vec_fn *const *row = tables[t].table->ops[divide ? VEC_DIV : VEC_MUL];
			row[VT_C64](N, d32, x32, y32, NULL, 0);
			row[VT_C128](N, d, x, y, NULL, 0);
			for (int i = 0; i < N; i++) {
				const complex_real l = (complex_real)x[i], r = (complex_real)y[i];
				const complex_real exact = divide ? l / r : l * r;
				const real re = creall(exact), im = cimagl(exact), larger = fmaxl(fabsl(re), fabsl(im));
				const char *const name = divide ? "divide" : "multiply";
				check_part(tables[t].name, name, (real)crealf(d32[i]), re, larger, x[i], false);
				check_part(tables[t].name, name, (real)cimagf(d32[i]), im, larger, x[i], false);
				check_part(tables[t].name, name, (real)creal(d[i]), re, larger, x[i], true);
				check_part(tables[t].name, name, (real)cimag(d[i]), im, larger, x[i], true);
			}
		}
	}
}

/* Quotients of zeros, infinities and NaN are those of C, beside others too. */
static void test_complex_specials(void **state)
{
	(void)state;
	static const float parts[] = {0.0f, -0.0f, 1.0f, -3.0f, INFINITY, -INFINITY, NAN, FLT_MAX, 0x1p-149f};
	enum { P = COUNT(parts), ALL = P * P * P * P };
	float x[2 * ALL], y[2 * ALL], d[2 * ALL];
	named_table tables[3];
	const int n_tables = tables_here(tables);
	for (int i = 0; i < ALL; i++) {
		x[2 * i] = parts[i % P], x[2 * i + 1] = parts[i / P % P];
		y[2 * i] = parts[i / P / P % P], y[2 * i + 1] = parts[i / P / P / P];
	}
	for (int t = 0; t < n_tables; t++) {
		tables[t].table->ops[VEC_DIV][VT_C64](ALL, d, x, y, NULL, 0);
		for (int i = 0; i < ALL; i++) {
			const float _Complex want = (float _Complex)(CMPLX(x[2 * i], x[2 * i + 1]) / CMPLX(y[2 * i], y[2 * i + 1]));
			const float re = crealf(want), im = cimagf(want);
			if (!(isnan(re) ? isnan(d[2 * i]) : d[2 * i] == re) || !(isnan(im) ? isnan(d[2 * i + 1]) : d[2 * i + 1] == im))
				fail_msg("%s, (%a, %a) / (%a, %a): (%a, %a), not (%a, %a)", tables[t].name, (double)x[2 * i],
				         (double)x[2 * i + 1], (double)y[2 * i], (double)y[2 * i + 1], (double)d[2 * i],
				         (double)d[2 * i + 1], (double)re, (double)im);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_one_operand),  cmocka_unit_test(test_two_operands),
	    cmocka_unit_test(test_known_values), cmocka_unit_test(test_complex),
	    cmocka_unit_test(test_complex_of_two), cmocka_unit_test(test_complex_specials),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
