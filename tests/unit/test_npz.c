/* .npz files: what is written can be read, and damage is detected. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <tessera/tensor.h>

static char path[] = "/tmp/tess-npz-XXXXXX";

static void test_round_trip(void **state)
{
	tess_ctx *ctx = *state;
	float a[] = {1, 2, 3, 4, 5, 6};
	uint16_t b[] = {0x3f80, 0x4000};
	bool c = true;
	int64_t dims[] = {2, 3}, two = 2, none = 0;
	tess_tensor out, in[] = {
		{.name = "in0", .dtype = TESS_F32, .rank = 2, .dims = dims, .data = a, .bytes = sizeof a},
		{.name = "in1", .dtype = TESS_BF16, .rank = 1, .dims = &two, .data = b, .bytes = sizeof b},
		{.name = "flag", .dtype = TESS_I1, .data = &c, .bytes = 1},
		{.name = "empty", .dtype = TESS_I64, .rank = 1, .dims = &none, .data = &c},
	};
	assert_int_equal(tess_npz_write(ctx, path, in, 4), TESS_OK);
	tess_npz *z = tess_npz_open(ctx, path);
	assert_non_null(z);
	assert_int_equal(tess_npz_count(z), 4);
	assert_true(tess_npz_find(z, "in0", &out));
	assert_true(out.dtype == TESS_F32 && out.rank == 2 && out.dims[0] == 2 && out.dims[1] == 3);
	assert_memory_equal(out.data, a, sizeof a);
	assert_true(tess_npz_get(z, 1, &out));
	assert_true(out.dtype == TESS_UI16 && out.bytes == sizeof b);
	assert_true(tess_npz_find(z, "flag", &out) && out.rank == 0 && out.bytes == 1);
	assert_true(tess_npz_find(z, "empty", &out) && out.bytes == 0);
	assert_false(tess_npz_find(z, "in2", &out) || tess_npz_get(z, 4, &out));
	tess_npz_free(z);
}

/* Files written by NumPy. */
static void test_numpy(void **state)
{
	tess_tensor out;
	tess_npz *z = tess_npz_open(*state, TEST_DATA "/unit/data/numpy.npz");
	assert_non_null(z);
	assert_true(tess_npz_find(z, "row", &out) && out.dtype == TESS_I32 && out.rank == 2);
	assert_int_equal(((const int32_t *)out.data)[5], 5);
	assert_true(tess_npz_find(z, "column", &out));
	assert_int_equal(((const int32_t *)out.data)[1], 1);
	assert_true(tess_npz_find(z, "scalar", &out) && out.rank == 0 && out.dtype == TESS_F64);
	assert_true(tess_npz_find(z, "bf16", &out) && out.dtype == TESS_NO_DTYPE && out.bytes == 4);
	tess_npz_free(z);
}

/* A file cut off, or with a changed byte, is read or refused, never read out of bounds. */
static void test_npy(void **state)
{
	tess_ctx *ctx = *state;
	char alone[64];
	float a[] = {1, 2, 3, 4, 5, 6};
	int64_t dims[] = {2, 3};
	tess_tensor out, in[] = {{.name = "a",
	                          .dtype = TESS_F32,
	                          .rank = 2,
	                          .dims = dims,
	                          .data = a,
	                          .bytes = sizeof a}};
	snprintf(alone, sizeof alone, "%s.npy", path);
	assert_int_equal(tess_npz_write(ctx, alone, in, 1), TESS_OK);
	tess_npz *z = tess_npz_open(ctx, alone);
	assert_true(tess_npz_get(z, 0, &out));
	assert_true(out.dtype == TESS_F32 && out.rank == 2 && out.dims[1] == 3);
	assert_memory_equal(out.data, a, sizeof a);
	tess_npz_free(z);
	assert_int_equal(tess_npz_write(ctx, alone, in, 0), TESS_IO);
	assert_int_equal(access(alone, F_OK), -1); /* no partial file is left */
}

static void test_damage(void **state)
{
	static unsigned char whole[1 << 12], bad[1 << 12];
	tess_ctx *ctx = *state;
	FILE *f = fopen(TEST_DATA "/unit/data/numpy.npz", "rb");
	size_t n = fread(whole, 1, sizeof whole, f);
	fclose(f);
	assert_true(n < sizeof whole);
	for (size_t i = 0; i < 2 * n; i++) {
		size_t len = i < n ? i : n;
		memcpy(bad, whole, n);
		if (i >= n)
			bad[i - n] ^= 0xFF;
		f = fopen(path, "wb");
		fwrite(bad, 1, len, f);
		fclose(f);
		tess_npz *z = tess_npz_open(ctx, path);
		assert_true(z || tess_diag_errors(ctx) > 0);
		assert_true(z == NULL || i >= n);
		tess_npz_free(z);
		tess_diag_clear(ctx);
	}
}

static int set_up(void **state)
{
	close(mkstemp(path));
	*state = tess_ctx_new(NULL);
	return 0;
}

static int tear_down(void **state)
{
	remove(path);
	tess_ctx_free(*state);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_numpy),
		cmocka_unit_test(test_npy),
		cmocka_unit_test(test_damage),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
