/* test_kernels.c - each vectorized kernel against the portable one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "exec/kernel/gemm.h"
#include "exec/vec/table.h"

#include <complex.h>
#include <math.h>

enum { MOST = 300 };

static uint64_t next_random(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return *state >> 16;
}

/* Fills with small numbers, arbitrary bit patterns of integers, and zeros. */
static void fill(vec_type t, void *to, int n, uint64_t *state)
{
	for (int i = 0; i < n; i++) {
		uint64_t r = next_random(state);
		double x = (double)(int64_t)(r % 2000001) * 1e-5 - 10;
		switch ((int)t) {
		case VT_B:
			((uint8_t *)to)[i] = r & 1;
			break;
		case VT_F32:
			((float *)to)[i] = i % 7 ? (float)x : 0;
			break;
		case VT_F64:
			((double *)to)[i] = i % 7 ? x : 0;
			break;
		case VT_C64:
			((float _Complex *)to)[i] = (float)x + (float)(r % 7) * (float _Complex)I;
			break;
		case VT_C128:
			((double _Complex *)to)[i] = x + (double)(r % 7) * I;
			break;
		default:
			memcpy((char *)to + i * vec_type_bytes(t), &r, (size_t)vec_type_bytes(t));
		}
	}
}

/* True if the bits are equal, both are NaN, or floats differ by < `most` relative to 1 + |b|. */
static bool agree(vec_type t, const void *a, const void *b, int n, double most)
{
	int parts = t == VT_C64 || t == VT_C128 ? 2 * n : n;
	if (!memcmp(a, b, (size_t)(n * vec_type_bytes(t))))
		return true;
	if (t != VT_F32 && t != VT_F64 && t != VT_C64 && t != VT_C128)
		return false;
	bool wide = t == VT_F64 || t == VT_C128;
	for (int i = 0; i < parts; i++) {
		double x = wide ? ((const double *)a)[i] : ((const float *)a)[i];
		double y = wide ? ((const double *)b)[i] : ((const float *)b)[i];
		bool same = x == y || (isnan(x) && isnan(y)) || fabs(x - y) <= most * (1 + fabs(y));
		if (!same)
			return false;
	}
	return true;
}

static double tolerance(vec_type t) { return t == VT_F64 || t == VT_C128 ? 1e-13 : 4e-6; }

static void compare_ops(const vec_table *table)
{
	static _Alignas(64) char a[MOST * 16], b[MOST * 16], c[MOST * 16], x[MOST * 16],
		y[MOST * 16];
	uint64_t state = 1;
	for (int op = 1; op < VEC_COUNT; op++)
		for (int t = 1; t < VT_COUNT; t++) {
			if (!table->ops[op][t])
				continue;
			assert_non_null(vec_table_base.ops[op][t]);
			int n = 1 + (int)(next_random(&state) % MOST);
			fill(op == VEC_SELECT ? VT_B : (vec_type)t, a, n, &state);
			fill((vec_type)t, b, n, &state);
			fill((vec_type)t, c, n, &state);
			int64_t imm = op == VEC_NEXT_AFTER ? DT_F32
			              : op == VEC_REDUCE_PRECISION
			                      ? 5 << 8 | 10
			                      : 8 * vec_type_bytes((vec_type)t);
			table->ops[op][t](n, x, a, b, c, imm);
			vec_table_base.ops[op][t](n, y, a, b, c, imm);
			vec_type r = vec_result((vec_op)op, (vec_type)t);
			if (!agree(r, x, y, n, 40 * tolerance(r)))
				fail_msg("operation %d on type %d differs", op, t);
		}
}

static void compare_folds(const vec_table *table)
{
	static _Alignas(64) char rows[MOST * 5 * 16], x[MOST * 16], y[MOST * 16];
	uint64_t state = 2;
	for (int op = 1; op < VEC_COUNT; op++)
		for (int t = 1; t < VT_COUNT; t++) {
			if (!table->folds[op][t])
				continue;
			int n = 1 + (int)(next_random(&state) % MOST);
			fill((vec_type)t, rows, MOST * 5, &state);
			/* Products of many factors would overflow or vanish. */
			int len = op == VEC_MUL ? 5 : MOST * 5;
			table->folds[op][t](len, rows, 0, 1, x);
			vec_table_base.folds[op][t](len, rows, 0, 1, y);
			if (!agree((vec_type)t, x, y, 1, 1000 * tolerance((vec_type)t)))
				fail_msg("fold %d of type %d differs", op, t);
			const int bytes = vec_type_bytes((vec_type)t);
			table->folds[op][t](4, rows, 5, MOST, x);
			for (int r = 0; r < MOST; r++)
				vec_table_base.folds[op][t](4, rows + r * 5 * bytes, 0, 1, y + r * bytes);
			if (!agree((vec_type)t, x, y, MOST, 10 * tolerance((vec_type)t)))
				fail_msg("short folds %d of type %d differ", op, t);
			fill((vec_type)t, x, n, &state);
			memcpy(y, x, sizeof y);
			table->rows[op][t](n, x, rows, MOST, 5);
			for (int r = 0; r < 5; r++)
				vec_table_base.ops[op][t](
					n, y, y, rows + r * MOST * vec_type_bytes((vec_type)t),
					NULL, 0);
			if (!agree((vec_type)t, x, y, n, 10 * tolerance((vec_type)t)))
				fail_msg("rows of fold %d of type %d differ", op, t);
		}
}

static void compare_products(const gemm_micro *fast, const gemm_micro *plain, vec_type t)
{
	enum { K = 37, LD = 64 };
	static _Alignas(64) char a[16 * K * 8], b[K * LD * 8], x[16 * LD * 8], y[16 * LD * 8];
	uint64_t state = 3;
	for (int m = 1; m <= fast->rows; m++)
		for (int n = 1; n <= fast->columns; n++) {
			fill(t, a, 16 * K, &state);
			fill(t, b, K * LD, &state);
			fill(t, x, 16 * LD, &state);
			memcpy(y, x, sizeof y);
			fast->run(m, n, K, a, K, 1, b, LD, x, LD, n % 2);
			for (int i = 0; i < m; i += plain->rows)
				for (int j = 0; j < n; j += plain->columns)
					plain->run(min_i64(plain->rows, m - i),
					           min_i64(plain->columns, n - j), K,
					           a + i * K * fast->bytes, K, 1,
					           b + j * fast->bytes, LD,
					           y + (i * LD + j) * fast->bytes, LD, n % 2);
			if (!agree(t, x, y, 16 * LD, 1000 * tolerance(t)))
				fail_msg("the product of %d rows and %d columns differs", m, n);
		}
}

/* Every half, and the floats next to each: ties, overflow, subnormals, NaN. */
static void compare_halves(const vec_half *fast, const vec_half *plain)
{
	static uint16_t half[1 << 16], a[1 << 16], b[1 << 16];
	static float x[1 << 16], y[1 << 16];
	for (int i = 0; i < 1 << 16; i++)
		half[i] = (uint16_t)i;
	fast->load(1 << 16, x, half, NULL, NULL, 0);
	plain->load(1 << 16, y, half, NULL, NULL, 0);
	assert_memory_equal(x, y, sizeof x);
	for (uint32_t more = 0; more < 4; more++) {
		for (uint32_t i = 0; i < 1 << 16; i++) {
			uint32_t bits = i << 16 | more * 0x5555;
			memcpy(&x[i], &bits, sizeof bits);
		}
		fast->store(1 << 16, a, x, NULL, NULL, 0);
		plain->store(1 << 16, b, x, NULL, NULL, 0);
		assert_memory_equal(a, b, sizeof a);
		plain->fix(1 << 16, y, x, NULL, NULL, 0);
		fast->fix(1 << 16, x, x, NULL, NULL, 0);
		assert_memory_equal(x, y, sizeof x);
	}
}

/* Transposes a square, or less, in rows of other lengths. Elements outside it stay unchanged. */
static void compare_turn(vec_turn_fn *turn, int rows)
{
	enum { FROM = 19, TO = 23 };
	static uint32_t from[TURN_SIDE * FROM], to[TURN_SIDE * TO];
	for (uint32_t i = 0; i < TURN_SIDE * FROM; i++)
		from[i] = i + 1;
	memset(to, 0, sizeof to);
	turn(to, TO, from, FROM);
	for (int i = 0; i < TURN_SIDE; i++)
		for (int k = 0; k < TO; k++)
			assert_int_equal(to[i * TO + k], k < rows ? from[k * FROM + i] : 0);
}

/* Tests every instruction set that this processor has. */
static void test_avx2(void **unused)
{
	(void)unused;
#if defined(__x86_64__)
	if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
		compare_ops(&vec_table_avx2);
		compare_folds(&vec_table_avx2);
		compare_halves(&vec_table_avx2.bf16, &vec_table_base.bf16);
		compare_halves(&vec_table_avx2.f16, &vec_table_base.f16);
		compare_products(&gemm_f32_avx2, &gemm_f32_base, VT_F32);
		compare_products(&gemm_f64_avx2, &gemm_f64_base, VT_F64);
	}
#endif
}

static void test_avx512(void **unused)
{
	(void)unused;
#if defined(__x86_64__)
	if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
	    __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) {
		compare_ops(&vec_table_avx512);
		compare_folds(&vec_table_avx512);
		compare_halves(&vec_table_avx512.bf16, &vec_table_base.bf16);
		compare_halves(&vec_table_avx512.f16, &vec_table_base.f16);
		compare_turn(turn_12_avx512, 12);
		compare_turn(turn_16_avx512, 16);
		compare_products(&gemm_f32_avx512, &gemm_f32_base, VT_F32);
		compare_products(&gemm_f64_avx512, &gemm_f64_base, VT_F64);
	}
#endif
}

/* The portable folds of rows, element by element. */
static void test_plain(void **unused)
{
	(void)unused;
	compare_folds(&vec_table_base);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plain),
		cmocka_unit_test(test_avx2),
		cmocka_unit_test(test_avx512),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
