/* plan_fixture.h - a context for each test, from inside, and programs read in it. */
#ifndef TESS_PLAN_FIXTURE_H
#define TESS_PLAN_FIXTURE_H

#include "mlir/mlir.h"
#include "op/op.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static tess_ctx *ctx;
static jmp_buf frame;

static int setup(void **state)
{
	(void)state;
	ctx = ctx_new(NULL);
	if (setjmp(frame))
		return -1;
	ctx->frame = &frame;
	return ctx ? 0 : -1;
}

static int teardown(void **state)
{
	(void)state;
	ctx_free(ctx);
	return 0;
}

static inline module *parse(const char *text)
{
	mlir_parse_opts o = {0};
	module *m = mlir_parse(ctx, source_new(ctx, "test", str_of(text)), &o);
	assert_non_null(m);
	return m;
}

/* A step of training n layers y = tanh(y w): each w becomes w - dw, where dw is made of the layer's own
 * values only; the loss is the sum. */
static inline const char *layered_text(int n)
{
	writer w;
	writer_init(&w, &ctx->perm);
	put_lit(&w, "func.func @main(");
	for (int i = 0; i < n; i++)
		put_f(&w, "%%w%d: tensor<16x16xf32>, ", i);
	put_lit(&w, "%x: tensor<8x16xf32>) -> (tensor<f32> {jax.result_info = \"result[0]\"}");
	for (int i = 0; i < n; i++)
		put_f(&w, ", tensor<16x16xf32> {jax.result_info = \"result[1]['layers'][%d]['w']\"}", i);
	put_lit(&w, ") {\n  %zero = stablehlo.constant dense<0.0> : tensor<f32>\n");
	for (int i = 0; i < n; i++) {
		if (i)
			put_f(&w, "  %%y%d = stablehlo.dot_general %%t%d, %%w%d", i, i - 1, i);
		else
			put_lit(&w, "  %y0 = stablehlo.dot_general %x, %w0");
		put_lit(&w, ", contracting_dims = [1] x [0] :"
		            " (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>\n");
		put_f(&w, "  %%t%d = stablehlo.tanh %%y%d : tensor<8x16xf32>\n", i, i);
	}
	put_f(&w, "  %%l = stablehlo.reduce(%%t%d init: %%zero) applies stablehlo.add across"
	          " dimensions = [0, 1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<f32>\n", n - 1);
	for (int i = 0; i < n; i++) {
		put_f(&w, "  %%d%d = stablehlo.dot_general %%t%d, %%y%d, contracting_dims = [0] x [0] :"
		          " (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<16x16xf32>\n", i, i, i);
		put_f(&w, "  %%n%d = stablehlo.subtract %%w%d, %%d%d : tensor<16x16xf32>\n", i, i, i);
	}
	put_lit(&w, "  return %l");
	for (int i = 0; i < n; i++)
		put_f(&w, ", %%n%d", i);
	put_lit(&w, " : tensor<f32>");
	for (int i = 0; i < n; i++)
		put_lit(&w, ", tensor<16x16xf32>");
	put_lit(&w, "\n}\n");
	return writer_z(&w);
}

#endif
