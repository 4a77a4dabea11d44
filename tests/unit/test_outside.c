/* test_outside.c - custom calls that the caller executes (tess_exec_opts.outside). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>
#include <tessera/module.h>
#include <tessera/run.h>

/* The calls in order: the number in the config, and the device. */
typedef struct calls {
	int n;
	int64_t number[16], device[16];
	float sum[16];
} calls;

static bool answer(void *user, const tess_outside_call *call)
{
	calls *seen = user;
	const tess_attr *index = tess_attr_find(call->config, "index");
	const float *x = call->operands[0].data;
	float sum = 0;
	for (size_t i = 0; i < call->operands[0].bytes / sizeof *x; i++)
		sum += x[i];
	if (sum > 1000) {
		snprintf(call->why, call->why_room, "%g is too much", (double)sum);
		return false;
	}
	seen->number[seen->n] = tess_attr_get_int(index, -1);
	seen->device[seen->n] = call->device;
	seen->sum[seen->n++] = sum;
	for (size_t i = 0; i < call->n_results; i++)
		memcpy((void *)(uintptr_t)call->results[i].data, &sum, sizeof sum);
	return true;
}

/* Custom calls for targets that tessera does not know. */
static bool answers(void *user, tess_str target)
{
	(void)user;
	return target.len == 6 && !memcmp(target.ptr, "theirs", 6);
}

static tess_exec *make(tess_ctx *ctx, const char *text, calls *seen)
{
	tess_module *m = tess_module_parse(ctx, (tess_str){text, strlen(text)}, "test", NULL);
	tess_exec_opts opts = TESS_EXEC_OPTS_INIT;
	opts.outside = answer;
	opts.answers = answers;
	opts.user = seen;
	assert_non_null(m);
	tess_exec *e = tess_exec_new(m, &opts);
	tess_module_free(m);
	return e;
}

static tess_status run(tess_exec *e, const float *x, int64_t n)
{
	tess_tensor in = {.name = "", .dtype = TESS_F32, .rank = 1, .dims = &n, .data = x,
	                  .bytes = (size_t)n * sizeof *x};
	return tess_exec_run(e, &in, 1);
}

#define CALL "stablehlo.custom_call @xla_ffi_python_cpu_callback"
#define CONFIG(i) "{has_side_effect = true, mhlo.backend_config = {index = " #i " : ui64}}"

/* A call with tokens, one with a result, one with neither; on global values, once for all. */
static const char whole[] =
	"sdy.mesh @mesh = <[\"x\"=2]>\n"
	"func.func @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}]>})\n"
	"    -> tensor<f32> {\n"
	"  %t = stablehlo.create_token : !stablehlo.token\n"
	"  %0:2 = " CALL "(%t, %a) " CONFIG(7)
	" : (!stablehlo.token, tensor<4xf32>) -> (!stablehlo.token, tensor<f32>)\n"
	"  %1 = stablehlo.add %0#1, %0#1 : tensor<f32>\n"
	"  " CALL "(%1) " CONFIG(9) " : (tensor<f32>) -> ()\n"
	"  %2 = " CALL "(%0#0, %1) " CONFIG(8)
	" : (!stablehlo.token, tensor<f32>) -> !stablehlo.token\n"
	"  return %1 : tensor<f32>\n"
	"}\n";

static void calls_are_answered_in_order(void **unused)
{
	calls seen = {0};
	tess_tensor out;
	(void)unused;
	tess_ctx *ctx = tess_ctx_new(NULL);
	tess_exec *e = make(ctx, whole, &seen);
	assert_non_null(e);
	assert_int_equal(run(e, (float[]){1, 2, 3, 4}, 4), TESS_OK);
	assert_true(tess_exec_output(e, 0, &out));
	assert_true(*(const float *)out.data == 20);
	assert_int_equal(seen.n, 3);
	assert_int_equal(seen.number[0], 7);
	assert_int_equal(seen.number[1], 9);
	assert_int_equal(seen.number[2], 8);
	assert_true(seen.sum[0] == 10 && seen.sum[1] == 20 && seen.sum[2] == 20);
	tess_exec_free(e);
	tess_ctx_free(ctx);
}

static void a_failure_ends_the_run_with_its_reason(void **unused)
{
	calls seen = {0};
	tess_diag d;
	(void)unused;
	tess_ctx *ctx = tess_ctx_new(NULL);
	tess_exec *e = make(ctx, whole, &seen);
	assert_int_equal(run(e, (float[]){1, 2000, 3, 4}, 4), TESS_INVALID);
	assert_int_equal(seen.n, 0);
	assert_true(tess_diag_get(ctx, 0, &d));
	assert_non_null(strstr(d.message.ptr, "2008 is too much"));
	assert_int_equal(d.line, 5);
	tess_diag_clear(ctx);
	assert_int_equal(run(e, (float[]){1, 2, 3, 4}, 4), TESS_OK);
	tess_exec_free(e);
	tess_ctx_free(ctx);
}

/* In a manual computation, the call is executed on each device. */
static void each_device_calls(void **unused)
{
	static const char text[] =
		"sdy.mesh @mesh = <[\"x\"=2]>\n"
		"func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n"
		"  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{}]>]\n"
		"      out_shardings=[<@mesh, [{}]>] manual_axes={\"x\"} (%b: tensor<4xf32>) {\n"
		"    stablehlo.custom_call @xla_ffi_partitioned_python_cpu_callback(%b) " CONFIG(3)
		" : (tensor<4xf32>) -> ()\n"
		"    sdy.return %b : tensor<4xf32>\n"
		"  } : (tensor<4xf32>) -> tensor<4xf32>\n"
		"  return %0 : tensor<4xf32>\n"
		"}\n";
	calls seen = {0};
	(void)unused;
	tess_ctx *ctx = tess_ctx_new(NULL);
	tess_exec *e = make(ctx, text, &seen);
	assert_non_null(e);
	assert_int_equal(run(e, (float[]){1, 2, 3, 4}, 4), TESS_OK);
	assert_int_equal(seen.n, 2);
	assert_int_equal(seen.device[0], 0);
	assert_int_equal(seen.device[1], 1);
	assert_true(seen.sum[0] == 10 && seen.sum[1] == 10);
	tess_exec_free(e);
	tess_ctx_free(ctx);
}

/* The result takes over the operand's contents, and the sum is written to its first element. */
static void calls_of_others_are_answered(void **unused)
{
	calls seen = {0};
	tess_tensor out;
	(void)unused;
	tess_ctx *ctx = tess_ctx_new(NULL);
	tess_exec *e = make(ctx,
		"func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n"
		"  %0 = stablehlo.custom_call @theirs(%a) {output_operand_aliases = ["
		"#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, "
		"operand_tuple_indices = []>]} : (tensor<4xf32>) -> tensor<4xf32>\n"
		"  return %0 : tensor<4xf32>\n"
		"}\n", &seen);
	assert_non_null(e);
	assert_int_equal(run(e, (float[]){1, 2, 3, 4}, 4), TESS_OK);
	assert_true(tess_exec_output(e, 0, &out));
	assert_memory_equal(out.data, ((float[]){10, 2, 3, 4}), 4 * sizeof(float));
	assert_int_equal(seen.n, 1);
	tess_exec_free(e);
	assert_null(make(ctx,
		"func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n"
		"  %0 = stablehlo.custom_call @nobodys(%a) : (tensor<4xf32>) -> tensor<4xf32>\n"
		"  return %0 : tensor<4xf32>\n"
		"}\n", &seen));
	tess_ctx_free(ctx);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(calls_are_answered_in_order),
		cmocka_unit_test(a_failure_ends_the_run_with_its_reason),
		cmocka_unit_test(each_device_calls),
		cmocka_unit_test(calls_of_others_are_answered),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
