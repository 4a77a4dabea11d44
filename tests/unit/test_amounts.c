/* Amounts as people read them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/base.h"

#include <tessera/core.h>

static tess_ctx *ctx;

static void assert_seconds(double s, const char *wanted)
{
	arena mem;
	arena_init(&mem, ctx);
	writer w;
	writer_init(&w, &mem);
	put_seconds(&w, s);
	assert_string_equal(writer_z(&w), wanted);
	arena_free(&mem);
}

static void are_in_the_unit_that_suits(void **unused)
{
	UNUSED(unused);
	assert_seconds(2e-9, "2 ns");
	assert_seconds(1.25e-3, "1.25 ms");
	assert_seconds(0.02e-9, "0.02 ns");
}

static void are_zero_if_next_to_nothing(void **unused)
{
	UNUSED(unused);
	assert_seconds(0, "0 ns");
	assert_seconds(-0.0, "0 ns");
	assert_seconds(3e-4 - 1e-4 - 2e-4, "0 ns");
	assert_seconds(-1e-20, "0 ns");
}

int main(void)
{
	ctx = tess_ctx_new(NULL);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(are_in_the_unit_that_suits),
		cmocka_unit_test(are_zero_if_next_to_nothing),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	tess_ctx_free(ctx);
	return failed;
}
