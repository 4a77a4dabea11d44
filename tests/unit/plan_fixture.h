/* plan_fixture.h - a context for each test, with access to internals, and its programs. */
#ifndef TESS_PLAN_FIXTURE_H
#define TESS_PLAN_FIXTURE_H

#include "mlir/mlir.h"
#include "op/op.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

enum { MOST_PROGRAMS = 16 };

static tess_ctx *ctx;
static jmp_buf frame;
static module *programs[MOST_PROGRAMS]; /* of the current test */
static int n_programs;

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
	while (n_programs > 0)
		module_free(programs[--n_programs]);
	ctx_free(ctx);
	return 0;
}

/* Registers a program that teardown() frees. */
static inline module *kept(module *m)
{
	assert_non_null(m);
	assert_true(n_programs < MOST_PROGRAMS);
	return programs[n_programs++] = m;
}

static inline module *parse(const char *text)
{
	mlir_parse_opts o = {0};
	return kept(mlir_parse(ctx, source_new(ctx, "test", str_of(text)), &o));
}

/* A training step with n layers t = tanh(y w) (1 + y): the backward pass goes through them in
 * reverse order, and then each w becomes w - d. Only the structure matters; the gradients are
 * wrong. */
static inline const char *layered_text(int n)
{
	static const char dot[] = "(tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>\n";
	writer w;
	writer_init(&w, &ctx->perm);
	put_lit(&w, "func.func @main(");
	for (int i = 0; i < n; i++)
		put_f(&w, "%%w%d: tensor<16x16xf32>, ", i);
	put_lit(&w, "%t: tensor<8x16xf32>) -> (tensor<8x16xf32> {jax.result_info = \"result[0]\"}");
	for (int i = 0; i < n; i++)
		put_f(&w, ", tensor<16x16xf32> {jax.result_info = \"result[1]['layers'][%d]['w']\"}", i);
	put_lit(&w, ") {\n  %t0 = stablehlo.abs %t : tensor<8x16xf32>\n");
	for (int i = 0; i < n; i++) {
		put_f(&w, "  %%y%d = stablehlo.dot_general %%t%d, %%w%d, contracting_dims = [1] x [0] : %s",
		      i, i, i, dot);
		put_f(&w, "  %%h%d = stablehlo.tanh %%y%d : tensor<8x16xf32>\n", i, i);
		put_f(&w, "  %%s%d = stablehlo.add %%y%d, %%h%d : tensor<8x16xf32>\n", i, i, i);
		put_f(&w, "  %%t%d = stablehlo.multiply %%s%d, %%h%d : tensor<8x16xf32>\n", i + 1, i, i);
	}
	put_f(&w, "  %%g%d = stablehlo.negate %%t%d : tensor<8x16xf32>\n", n, n);
	for (int i = n; i-- > 0;) {
		put_f(&w, "  %%p%d = stablehlo.multiply %%g%d, %%h%d : tensor<8x16xf32>\n", i, i + 1, i);
		put_f(&w, "  %%d%d = stablehlo.dot_general %%t%d, %%p%d, contracting_dims = [0] x [0] :"
		          " (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<16x16xf32>\n", i, i, i);
		put_f(&w, "  %%q%d = stablehlo.dot_general %%p%d, %%w%d, contracting_dims = [1] x [1] : %s",
		      i, i, i, dot);
		put_f(&w, "  %%g%d = stablehlo.add %%q%d, %%s%d : tensor<8x16xf32>\n", i, i, i);
	}
	for (int i = 0; i < n; i++) {
		put_f(&w, "  %%a%d = stablehlo.tanh %%d%d : tensor<16x16xf32>\n", i, i);
		put_f(&w, "  %%b%d = stablehlo.multiply %%a%d, %%d%d : tensor<16x16xf32>\n", i, i, i);
		put_f(&w, "  %%c%d = stablehlo.abs %%b%d : tensor<16x16xf32>\n", i, i);
		put_f(&w, "  %%n%d = stablehlo.subtract %%w%d, %%c%d : tensor<16x16xf32>\n", i, i, i);
	}
	put_lit(&w, "  return %g0");
	for (int i = 0; i < n; i++)
		put_f(&w, ", %%n%d", i);
	put_lit(&w, " : tensor<8x16xf32>");
	for (int i = 0; i < n; i++)
		put_lit(&w, ", tensor<16x16xf32>");
	put_lit(&w, "\n}\n");
	return writer_z(&w);
}

#endif
