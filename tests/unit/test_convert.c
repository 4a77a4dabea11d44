/* test_convert.c - conversions between element types, compared with plain arithmetic; narrow
 * floats, compared with their definitions and ml_dtypes 0.6.0. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "exec/vec/table.h"

#include <complex.h>
#include <math.h>

/* ---- between the computing types ---------------------------------------------------------- */

static bool is_float_type(vec_type t) { return t == VT_F32 || t == VT_F64; }
static bool is_complex_type(vec_type t) { return t == VT_C64 || t == VT_C128; }
static bool is_unsigned_type(vec_type t) { return t >= VT_U8 && t <= VT_U64; }
static bool is_int_type(vec_type t) { return t >= VT_I8 && t <= VT_U64; }
static int width_of(vec_type t) { return 8 * vec_type_bytes(t); }

static long double least_of(vec_type t)
{
	return is_unsigned_type(t) ? 0 : -ldexpl(1, width_of(t) - 1);
}
static long double most_of(vec_type t)
{
	return ldexpl(1, width_of(t) - !is_unsigned_type(t)) - 1;
}

/* The bytes of an integer of any width, two's complement. */
static void put_int_bytes(vec_type t, void *to, long double v)
{
	uint64_t bits = v < 0 ? 0 - (uint64_t)-v : (uint64_t)v;
	memcpy(to, &bits, (size_t)vec_type_bytes(t));
}

/* Stores a number, for complex `t` with imaginary part 5; false if `t` cannot represent it. */
static bool put_number(vec_type t, void *to, long double v)
{
	switch ((int)t) {
	case VT_B: *(uint8_t *)to = v == 1; return v == 0 || v == 1;
	case VT_F32: *(float *)to = (float)v; return isnan(v) || *(float *)to == v;
	case VT_F64: *(double *)to = (double)v; return true;
	case VT_C64: *(float _Complex *)to = (float)v + 5 * I; return isnan(v) || (float)v == v;
	case VT_C128: *(double _Complex *)to = (double)v + 5 * I; return true;
	}
	if (isnan(v) || v != truncl(v) || v < least_of(t) || v > most_of(t))
		return false;
	put_int_bytes(t, to, v);
	return true;
}

/* Computes what a number of type `from` becomes. Integers wrap. Floats lose their fraction, and are
 * clamped to the range, as in XLA. */
static void put_converted(vec_type from, vec_type to, void *at, long double v)
{
	bool real = !is_complex_type(from);
	if (to == VT_B) {
		*(uint8_t *)at = v != 0;
	} else if (is_float_type(to)) {
		put_number(to, at, to == VT_F32 ? (long double)(float)v : v);
	} else if (to == VT_C64) {
		*(float _Complex *)at = (float)v + (real ? 0 : 5 * I);
	} else if (to == VT_C128) {
		*(double _Complex *)at = (double)v + (real ? 0 : 5 * I);
	} else if (is_int_type(from) || from == VT_B) {
		put_int_bytes(to, at, v);
	} else {
		v = isnan(v) ? 0 : truncl(v);
		put_int_bytes(to, at, v < least_of(to) ? least_of(to) : v > most_of(to) ? most_of(to) : v);
	}
}

static bool same_number(vec_type t, const void *a, const void *b)
{
	if (t == VT_F32)
		return !memcmp(a, b, 4) || (isnan(*(const float *)a) && isnan(*(const float *)b));
	if (t == VT_F64)
		return !memcmp(a, b, 8) || (isnan(*(const double *)a) && isnan(*(const double *)b));
	return !memcmp(a, b, (size_t)vec_type_bytes(t)) || (is_complex_type(t) && isnan(creal(
		t == VT_C64 ? *(const float _Complex *)a : *(const double _Complex *)a)));
}

static void check_conversion(const vec_table *table, vec_type from, vec_type to)
{
	static const long double numbers[] = {0, 1, 2, 100, -1, -100, 3.75L, -3.75L, 200, 40000,
	                                      -40000, 3e9L, -3e9L, 1e10L, -1e10L, 9e18L, NAN};
	_Alignas(16) char in[16], out[16], want[16];
	for (int i = 0; i < COUNT(numbers); i++) {
		if (!put_number(from, in, numbers[i]))
			continue;
		put_converted(from, to, want, numbers[i]);
		table->convert[from][to](1, out, in, NULL, NULL, is_int_type(to) ? width_of(to) : 0);
		if (!same_number(to, out, want))
			fail_msg("%Lg of type %d is wrong as type %d", numbers[i], from, to);
	}
}

static void check_conversions(const vec_table *table)
{
	for (int from = VT_B; from < VT_COUNT; from++)
		for (int to = VT_B; to < VT_COUNT; to++)
			check_conversion(table, (vec_type)from, (vec_type)to);
}

/* ---- argmax of columns, weighted sums of rows ----------------------------------------------- */

static void check_best(const vec_table *table, bool max, vec_ties ties)
{
	enum { ROWS = 6, N = 33 };
	for (int t = VT_I8; t <= VT_F64; t++) {
		vec_best_fn *best = table->best[max][ties][t];
		char rows[ROWS][N * 8], have[N * 8];
		double number[ROWS][N];
		int32_t at[N] = {0};
		size_t size = (size_t)vec_type_bytes((vec_type)t);
		for (int r = 0; r < ROWS; r++)
			for (int i = 0; i < N; i++) {
				number[r][i] = (r * 5 + i * 7) % 4; /* many are equal */
				put_number((vec_type)t, rows[r] + (size_t)i * size, number[r][i]);
			}
		memcpy(have, rows[0], sizeof have);
		for (int r = 1; r < ROWS; r++)
			best(N, have, at, rows[r], r);
		for (int i = 0; i < N; i++) {
			int want = 0;
			for (int r = 1; r < ROWS; r++) {
				double x = number[r][i], y = number[want][i];
				if (max ? x > y : x < y)
					want = r;
				else if (x == y && ties == TIES_LAST)
					want = r;
			}
			assert_int_equal(at[i], want);
			assert_memory_equal(have + (size_t)i * size,
			                    rows[want] + (size_t)i * size, size);
		}
	}
}

static void check_weighed_rows(const vec_table *table)
{
	enum { N = 11, ROWS = 3 };
	double to[ROWS * N], rows[ROWS * N], weights[N];
	for (int i = 0; i < ROWS * N; i++) {
		to[i] = i;
		rows[i] = 2 * i + 1;
	}
	for (int i = 0; i < N; i++)
		weights[i] = i - 4;
	table->weigh[VT_F64](N, ROWS, to, N, rows, N, weights);
	for (int i = 0; i < ROWS * N; i++)
		assert_true(to[i] == i + (2 * i + 1) * (i % N - 4));
}

static void check_table(const vec_table *table)
{
	check_conversions(table);
	check_weighed_rows(table);
	for (int max = 0; max < 2; max++)
		for (int ties = 0; ties < TIES_COUNT; ties++)
			check_best(table, max, (vec_ties)ties);
}

static void test_tables(void **unused)
{
	(void)unused;
	check_table(&vec_table_base);
#if defined(__x86_64__)
	if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
		check_table(&vec_table_avx2);
	if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
	    __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
		check_table(&vec_table_avx512);
#endif
}

/* ---- narrow floats ---------------------------------------------------------------------------- */

/* A format's codes for 1, infinity (0: none), NaN (or -0 if it has none), 4 times and -4 times its
 * largest number; and its largest and smallest positive numbers. */
typedef struct narrow {
	dtype t;
	int bits;
	unsigned one, infinity, nan, over, under;
	double largest, least;
} narrow;

static const narrow narrows[] = {
	{DT_F4E2M1FN, 4, 0x2, 0, 0x8, 0x7, 0xf, 6, 0.5},
	{DT_F6E2M3FN, 6, 0x8, 0, 0x20, 0x1f, 0x3f, 7.5, 0.125},
	{DT_F6E3M2FN, 6, 0xc, 0, 0x20, 0x1f, 0x3f, 28, 0.0625},
	{DT_F8E3M4, 8, 0x30, 0x70, 0x78, 0x70, 0xf0, 15.5, 0x1p-6},
	{DT_F8E4M3, 8, 0x38, 0x78, 0x7c, 0x78, 0xf8, 240, 0x1p-9},
	{DT_F8E4M3FN, 8, 0x38, 0, 0x7f, 0x7f, 0xff, 448, 0x1p-9},
	{DT_F8E4M3FNUZ, 8, 0x40, 0, 0x80, 0x80, 0x80, 240, 0x1p-10},
	{DT_F8E4M3B11FNUZ, 8, 0x58, 0, 0x80, 0x80, 0x80, 30, 0x1p-13},
	{DT_F8E5M2, 8, 0x3c, 0x7c, 0x7e, 0x7c, 0xfc, 57344, 0x1p-16},
	{DT_F8E5M2FNUZ, 8, 0x40, 0, 0x80, 0x80, 0x80, 57344, 0x1p-17},
};

static float loaded(dtype t, unsigned code)
{
	uint8_t in = (uint8_t)code;
	float out;
	vec_load(t)(1, &out, &in, NULL, NULL, 0);
	return out;
}

static unsigned stored(dtype t, double x)
{
	float in = (float)x;
	uint8_t out;
	vec_store(t)(1, &out, &in, NULL, NULL, 0);
	return out;
}

/* Positive numbers are in the order of their codes. A number between two of them is rounded to the
 * nearer, and in the middle to the even code. Each number can be stored and loaded again. */
static void check_order(const narrow *f)
{
	double last = 0;
	for (unsigned code = 1; last < f->largest; code++) {
		double x = loaded(f->t, code), middle = (last + x) / 2;
		assert_true(x > last);
		assert_int_equal(stored(f->t, x), code);
		assert_int_equal(stored(f->t, middle), code & 1 ? code - 1 : code);
		assert_int_equal(stored(f->t, (middle + x) / 2), code);
		assert_int_equal(stored(f->t, (middle + last) / 2), code - 1);
		unsigned minus = 1u << (f->bits - 1) | code;
		assert_true(loaded(f->t, minus) == -x);
		assert_int_equal(stored(f->t, -x), minus);
		last = x;
	}
	assert_true(last == f->largest);
}

static void test_narrow_floats(void **unused)
{
	(void)unused;
	for (int i = 0; i < COUNT(narrows); i++) {
		const narrow *f = &narrows[i];
		bool has_nan = f->bits == 8;
		assert_true(loaded(f->t, 0) == 0);
		assert_true(loaded(f->t, 1) == f->least);
		assert_true(loaded(f->t, f->one) == 1);
		check_order(f);
		assert_int_equal(stored(f->t, NAN), f->nan);
		assert_int_equal(stored(f->t, 4 * f->largest), f->over);
		assert_int_equal(stored(f->t, -4 * f->largest), f->under);
		if (has_nan) {
			assert_true(isnan(loaded(f->t, f->nan)));
			assert_int_equal(stored(f->t, INFINITY), f->over);
		}
		if (f->infinity)
			assert_true(isinf(loaded(f->t, f->infinity)));
		float x[] = {(float)f->least * 2.25f, (float)f->largest * 3, -1}, y[3];
		vec_fix(f->t)(3, y, x, NULL, NULL, 0);
		for (int k = 0; k < 3; k++) {
			float want = loaded(f->t, stored(f->t, x[k]));
			assert_true(y[k] == want || (isnan(y[k]) && isnan(want)));
		}
	}
}

/* f8E8M0FNU has only powers of two: no sign, no 0. */
static void test_powers(void **unused)
{
	(void)unused;
	for (unsigned code = 0; code < 255; code++) {
		double x = ldexp(1, (int)code - 127);
		assert_true(loaded(DT_F8E8M0FNU, code) == x);
		assert_int_equal(stored(DT_F8E8M0FNU, x), code);
		if (code && code < 254) {
			assert_int_equal(stored(DT_F8E8M0FNU, 1.25 * x), code);
			assert_int_equal(stored(DT_F8E8M0FNU, 1.75 * x), code + 1);
		}
	}
	assert_true(isnan(loaded(DT_F8E8M0FNU, 255)));
	assert_int_equal(stored(DT_F8E8M0FNU, NAN), 255);
	assert_int_equal(stored(DT_F8E8M0FNU, INFINITY), 255);
	assert_int_equal(stored(DT_F8E8M0FNU, -1), 255);
}

/* ---- narrow integers ---------------------------------------------------------------------------- */

static void check_narrow_int(dtype t, int bits, bool is_signed)
{
	for (int v = -128; v < 128; v++) {
		int8_t in = (int8_t)v, out;
		uint8_t stored_as, back;
		vec_fix(t)(1, &out, &in, NULL, NULL, 0);
		int mask = (1 << bits) - 1, want = v & mask;
		if (is_signed && want >> (bits - 1))
			want -= 1 << bits;
		assert_int_equal(is_signed ? out : (uint8_t)out, want);
		/* In memory the upper bits are 0. */
		vec_store(t)(1, &stored_as, &out, NULL, NULL, 0);
		assert_int_equal(stored_as, v & mask);
		vec_load(t)(1, &back, &stored_as, NULL, NULL, 0);
		assert_int_equal(back, (uint8_t)out);
	}
}

static void test_narrow_ints(void **unused)
{
	(void)unused;
	check_narrow_int(DT_I2, 2, true);
	check_narrow_int(DT_I4, 4, true);
	check_narrow_int(DT_UI2, 2, false);
	check_narrow_int(DT_UI4, 4, false);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tables),
		cmocka_unit_test(test_narrow_floats),
		cmocka_unit_test(test_powers),
		cmocka_unit_test(test_narrow_ints),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
