/* test_verify.c - tess_verify(): programs that agree, and where others differ. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <tessera/partition.h>
#include <tessera/verify.h>

#define LEN(a) (sizeof(a) / sizeof *(a))

static const char program[] =
	"sdy.mesh @mesh = <[\"x\"=2]>\n"
	"func.func @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}]>})"
	" -> (tensor<4xf32>, tensor<4xf32>) {\n"
	"  %0 = stablehlo.tanh %a : tensor<4xf32>\n"
	"  %1 = stablehlo.exponential %0 : tensor<4xf32>\n"
	"  return %a, %1 : tensor<4xf32>, tensor<4xf32>\n"
	"}\n";

/* A per-device program, as from another partitioner, that computes the sine instead. */
static const char wrong[] =
	"func.func @main(%a: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {\n"
	"  %0 = stablehlo.sine %a : tensor<2xf32>\n"
	"  %1 = stablehlo.exponential %0 : tensor<2xf32>\n"
	"  return %a, %1 : tensor<2xf32>, tensor<2xf32>\n"
	"}\n";

typedef struct job {
	tess_ctx *ctx;
	tess_module *m;
	tess_verdict *v;
} job;

static tess_module *parsed(tess_ctx *ctx, const char *text)
{
	tess_module *m = tess_module_parse(ctx, (tess_str){text, strlen(text)}, "test", NULL);
	assert_non_null(m);
	return m;
}

static job job_start(void)
{
	job j = {.ctx = tess_ctx_new(NULL)};
	assert_non_null(j.ctx);
	j.m = parsed(j.ctx, program);
	return j;
}

static void job_end(job *j)
{
	tess_verdict_free(j->v);
	tess_module_free(j->m);
	tess_ctx_free(j->ctx);
}

static tess_tensor four(const float *data)
{
	static const int64_t dims[] = {4};
	return (tess_tensor){.name = "", .dtype = TESS_F32, .rank = 1, .dims = dims, .data = data,
	                     .bytes = 16};
}

static void random_inputs_agree(void **unused)
{
	(void)unused;
	job j = job_start();
	const tess_comparison *c;
	assert_int_equal(tess_verify(j.m, NULL, &j.v), TESS_OK);
	assert_int_equal(tess_verdict_devices(j.v), 2);
	assert_int_equal(tess_verdict_count(j.v), 2);
	for (size_t i = 0; (c = tess_verdict_get(j.v, i)); i++) {
		assert_true(c->agree && !c->sensitive && c->output == i);
		assert_int_equal(c->against, TESS_REFERENCE_WHOLE);
		assert_int_equal(c->difference.elements, 4);
		assert_int_equal(c->type.dims[0], 4);
		assert_null(c->type.data);
	}
	job_end(&j);
}

static void expected_results_are_compared(void **unused)
{
	(void)unused;
	job j = job_start();
	const float in[] = {1, 2, 3, 4}, other[] = {1, 2, 0, 4};
	const tess_tensor given = four(in), expected = four(other);
	tess_verify_opts o = TESS_VERIFY_OPTS_INIT;
	const tess_comparison *c;
	o.inputs = &given;
	o.expected = &expected;
	o.n_inputs = o.n_expected = 1;
	assert_int_equal(tess_verify(j.m, &o, &j.v), TESS_FAILED);
	assert_int_equal(tess_verdict_count(j.v), 3); /* result 0 twice */
	assert_true(tess_verdict_get(j.v, 0)->agree);
	c = tess_verdict_get(j.v, 1);
	assert_false(c->agree);
	assert_int_equal(c->against, TESS_REFERENCE_EXPECTED);
	assert_int_equal(c->difference.first, 2);
	assert_true(c->difference.got == 3 && c->difference.expected == 0);
	assert_null(tess_verdict_get(j.v, 3));
	tess_verdict_free(j.v);
	o.tolerance = (tess_tolerance){4, 4}; /* large enough to accept it */
	assert_int_equal(tess_verify(j.m, &o, &j.v), TESS_OK);
	job_end(&j);
}

static void the_operation_is_named(void **unused)
{
	(void)unused;
	job j = job_start();
	tess_module *local = parsed(j.ctx, wrong);
	tess_verify_opts o = TESS_VERIFY_OPTS_INIT;
	tess_diag d;
	o.local = local;
	assert_int_equal(tess_verify(j.m, &o, &j.v), TESS_FAILED);
	assert_int_equal(tess_diag_count(j.ctx), 0); /* diagnostics are not requested */
	tess_verdict_free(j.v);
	o.locate = true;
	assert_int_equal(tess_verify(j.m, &o, &j.v), TESS_FAILED);
	assert_true(tess_diag_get(j.ctx, 0, &d));
	assert_string_equal(d.code, "E0708");
	assert_int_equal(d.line, 3);
	assert_memory_equal(d.message.ptr, "stablehlo.tanh", 14);
	tess_module_free(local);
	job_end(&j);
}

/* A per-device program has no global program to run, so expected results are required. */
static void parts_need_what_is_expected(void **unused)
{
	(void)unused;
	job j = job_start();
	const float in[] = {1, 2, 3, 4};
	const tess_tensor given = four(in);
	tess_verify_opts o = TESS_VERIFY_OPTS_INIT;
	tess_tensor list[2];
	size_t n;
	assert_int_equal(tess_module_propagate(j.m), TESS_OK);
	assert_int_equal(tess_module_partition(j.m, NULL, NULL), TESS_OK);
	assert_int_equal(tess_module_outputs(j.m, list, 2, &n), TESS_OK);
	assert_true(n == 2 && list[1].dims[0] == 4 && list[1].bytes == 16);
	assert_int_equal(tess_verify(j.m, NULL, &j.v), TESS_INVALID);
	assert_null(j.v);
	o.inputs = o.expected = &given;
	o.n_inputs = o.n_expected = 1;
	assert_int_equal(tess_verify(j.m, &o, &j.v), TESS_OK);
	assert_int_equal(tess_verdict_count(j.v), 1);
	job_end(&j);
}

static void wrong_calls_have_no_verdict(void **unused)
{
	(void)unused;
	job j = job_start();
	const float in[] = {1, 2, 3, 4};
	tess_tensor given = four(in), wide = four(in);
	tess_verify_opts o = TESS_VERIFY_OPTS_INIT;
	size_t n = 0;
	assert_true(!tess_verdict_devices(NULL) && !tess_verdict_count(NULL));
	assert_null(tess_verdict_get(NULL, 0));
	assert_int_equal(tess_verify(NULL, NULL, &j.v), TESS_USAGE);
	assert_int_equal(tess_verify(j.m, NULL, NULL), TESS_USAGE);
	assert_int_equal(tess_module_inputs(j.m, NULL, 1, &n), TESS_USAGE);
	assert_int_equal(tess_module_inputs(j.m, NULL, 0, &n), TESS_OK);
	assert_int_equal(n, 1);
	wide.dtype = TESS_I32;
	o.inputs = &given;
	o.expected = &wide;
	o.n_expected = 1;
	assert_int_equal(tess_verify(j.m, &o, &j.v), TESS_INVALID); /* no inputs */
	o.n_inputs = 1;
	assert_int_equal(tess_verify(j.m, &o, &j.v), TESS_INVALID); /* of another type */
	assert_null(j.v);
	assert_int_equal(tess_diag_errors(j.ctx), 2);
	job_end(&j);
}

/* ---- running out of memory ------------------------------------------------------------------ */

typedef struct allowance {
	int64_t left, live;
} allowance;

static void *allowed(void *user, void *old, size_t size)
{
	allowance *a = user;
	if (!size) {
		a->live -= old != NULL;
		free(old);
		return NULL;
	}
	void *got = a->left-- > 0 ? realloc(old, size) : NULL;
	a->live += got && !old;
	return got;
}

static void memory_runs_out_anywhere(void **unused)
{
	(void)unused;
	tess_status status = TESS_NOMEM;
	for (int64_t n = 0; status == TESS_NOMEM; n++) {
		allowance a = {.left = INT64_MAX};
		tess_ctx_opts co = TESS_CTX_OPTS_INIT;
		co.realloc = allowed;
		co.user = &a;
		job j = {.ctx = tess_ctx_new(&co)};
		tess_verify_opts o = TESS_VERIFY_OPTS_INIT;
		o.locate = true;
		o.threads = 1;
		j.m = parsed(j.ctx, program);
		o.local = parsed(j.ctx, wrong);
		a.left = n;
		status = tess_verify(j.m, &o, &j.v);
		assert_true(!j.v || status != TESS_NOMEM);
		a.left = INT64_MAX;
		tess_module_free(o.local);
		job_end(&j);
		assert_int_equal(a.live, 0);
	}
	assert_int_equal(status, TESS_FAILED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_inputs_agree),
		cmocka_unit_test(expected_results_are_compared),
		cmocka_unit_test(the_operation_is_named),
		cmocka_unit_test(parts_need_what_is_expected),
		cmocka_unit_test(wrong_calls_have_no_verdict),
		cmocka_unit_test(memory_runs_out_anywhere),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
