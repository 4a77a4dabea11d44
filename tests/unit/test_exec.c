/* test_exec.c - plans and runs of small programs, on one and on many devices. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "exec/exec.h"
#include "mlir/mlir.h"

typedef struct program {
	tess_ctx *ctx;
	module *m;
	exec_plan *p;
	jmp_buf frame;
} program;

static void program_plan(program *g, const char *text, const exec_opts *o, const exec_value *args)
{
	*g = (program){.ctx = tess_ctx_new(NULL)};
	assert_non_null(g->ctx);
	g->ctx->frame = &g->frame;
	assert_int_equal(setjmp(g->frame), 0);
	source *src = source_new(g->ctx, "test.mlir", str_of(text));
	g->m = mlir_parse(g->ctx, src, &(mlir_parse_opts){0});
	if (g->m)
		exec_plan_new(&g->p, g->m, module_main(g->m), o, args);
	for (int i = 0; i < diag_count(g->ctx); i++)
		print_message("%.*s\n", STR_ARG(diag_at(g->ctx, i)->message));
}

static void program_free(program *g)
{
	exec_plan_free(g->p);
	module_free(g->m);
	g->ctx->frame = NULL;
	tess_ctx_free(g->ctx);
}

static void adds(void **state)
{
	(void)state;
	program g;
	program_plan(&g,
	             "func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {\n"
	             "  %0 = stablehlo.add %a, %b : tensor<4xf32>\n"
	             "  %1 = stablehlo.multiply %0, %a : tensor<4xf32>\n"
	             "  return %1 : tensor<4xf32>\n}\n",
	             &(exec_opts){0}, NULL);
	assert_non_null(g.p);
	float a[4] = {1, 2, 3, 4}, b[4] = {5, 6, 7, 8};
	void *pa = a, *pb = b;
	exec_value in[2] = {{.n = 1, .data = &pa}, {.n = 1, .data = &pb}}, out;
	assert_int_equal(exec_run(g.p, in, &out), TESS_OK);
	for (int i = 0; i < 4; i++)
		assert_true(((float *)out.data[0])[i] == (a[i] + b[i]) * a[i]);
	assert_int_equal(exec_plan_facts(g.p).n_steps, 1); /* fused into one step */
	program_free(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(adds)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
