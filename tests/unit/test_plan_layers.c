/* test_plan_layers.c - predicting a program of many layers from programs of a few. */
#include "plan/sketch.h"

#include "plan_fixture.h"

#include <math.h>

enum { LAYERS = 40 };

#define X "tensor<262144x2048xbf16>"
#define W "tensor<2048x2048xbf16>"
#define Y "tensor<262144x12288xbf16>"
#define H "tensor<2048x12288xbf16>"
#define DOT(result, a, b, dims, ta, tb, tr)                                                        \
	"  %%" result " = stablehlo.dot_general %%" a ", %%" b ", contracting_dims = " dims " : (" ta ", " tb \
	") -> " tr "\n"

/* A training step with layers and a head. The head's gradient is reduced while those of the layers
 * are computed. */
static module *step_with_head(void)
{
	writer w;
	writer_init(&w, &ctx->perm);
	put_lit(&w, "func.func @main(%x0: " X ", %h: " H);
	for (int i = 0; i < LAYERS; i++)
		put_f(&w, ", %%w%d: " W, i);
	put_lit(&w, ") -> (" H " {jax.result_info = \"result['head']\"}");
	for (int i = 0; i < LAYERS; i++)
		put_f(&w, ", " W " {jax.result_info = \"result['layers'][%d]['w']\"}", i);
	put_lit(&w, ") {\n");
	for (int i = 0; i < LAYERS; i++) {
		put_f(&w, DOT("y%d", "x%d", "w%d", "[1] x [0]", X, W, X), i, i, i);
		put_f(&w, "  %%t%d = stablehlo.tanh %%y%d : " X "\n", i, i);
		put_f(&w, "  %%s%d = stablehlo.add %%t%d, %%y%d : " X "\n", i, i, i);
		put_f(&w, "  %%x%d = stablehlo.multiply %%s%d, %%t%d : " X "\n", i + 1, i, i);
	}
	put_f(&w, DOT("y", "x%d", "h", "[1] x [0]", X, H, Y), LAYERS);
	put_f(&w, DOT("d%d", "y", "h", "[1] x [1]", Y, H, X), LAYERS);
	put_f(&w, DOT("dh", "x%d", "y", "[0] x [0]", X, Y, H), LAYERS);
	for (int i = LAYERS - 1; i >= 0; i--) {
		put_f(&w, "  %%e%d = stablehlo.multiply %%d%d, %%t%d : " X "\n", i, i + 1, i);
		put_f(&w, DOT("dw%d", "x%d", "e%d", "[0] x [0]", X, X, W), i, i, i);
		put_f(&w, DOT("q%d", "e%d", "w%d", "[1] x [1]", X, W, X), i, i, i);
		put_f(&w, "  %%d%d = stablehlo.add %%q%d, %%e%d : " X "\n", i, i, i);
	}
	for (int i = 0; i < LAYERS; i++) {
		put_f(&w, "  %%a%d = stablehlo.tanh %%dw%d : " W "\n", i, i);
		put_f(&w, "  %%b%d = stablehlo.multiply %%a%d, %%dw%d : " W "\n", i, i, i);
		put_f(&w, "  %%c%d = stablehlo.abs %%b%d : " W "\n", i, i);
		put_f(&w, "  %%u%d = stablehlo.subtract %%w%d, %%c%d : " W "\n", i, i, i);
	}
	put_lit(&w, "  %uh = stablehlo.subtract %h, %dh : " H "\n");
	put_lit(&w, "  return %uh");
	for (int i = 0; i < LAYERS; i++)
		put_f(&w, ", %%u%d", i);
	put_lit(&w, " : " H);
	for (int i = 0; i < LAYERS; i++)
		put_lit(&w, ", " W);
	put_lit(&w, "\n}\n");
	return parse(writer_z(&w));
}

/* Shards the rows of x over all devices. */
static plan data_parallel(const plan_subject *s, int64_t devices)
{
	mesh_axis axis = {.name = name_of_z(ctx, "data"), .size = devices};
	axis_ref a = axis_full(axis.name);
	plan p = {.mesh = mesh_of(ctx, &axis, 1, NULL, 0),
	          .at = NEW_N(&ctx->perm, const sharding *, s->n_sites)};
	for (int i = 0; i < s->n_sites; i++)
		if (s->sites[i].kind == SITE_ARGUMENT)
			p.at[i] = sharding_replicated(ctx, (mesh_ref){.symbol = s->mesh_symbol}, 2);
	p.at[0] = sharding_with_dim(ctx, p.at[0], 0, (dim_sharding){&a, 1, false, PRIORITY_NONE});
	return p;
}

static void tells_what_many_take(void **state)
{
	(void)state;
	plan_subject s;
	plan_sketch k;
	sketch_result r;
	const target *t = target_named("h100x8");
	module *m = step_with_head();
	assert_true(plan_subject_of(m, PLAN_KEEP_NONE, &ctx->perm, &s));
	assert_true(plan_sketch_of(&s, &ctx->perm, &k));
	assert_true(k.few.layers && k.more.layers > k.few.layers);
	plan few = data_parallel(&s, 64), more = few, all = few;
	assert_true(sketch_evaluate(&k, &s, t, NULL, NULL, &few, &r));
	assert_true(sketch_evaluate_surely(&k, &s, t, NULL, NULL, &more));
	assert_true(plan_evaluate(&s, t, NULL, &all));
	print_message("few layers: %.6g s, more: %.6g s, all: %.6g s\n", few.cost.step_seconds,
	              more.cost.step_seconds, all.cost.step_seconds);
	assert_true(fabs(few.cost.step_seconds / all.cost.step_seconds - 1) < 0.02);
	assert_true(fabs(more.cost.step_seconds / all.cost.step_seconds - 1) < 0.005);
	plan_sketch_free(&k);
	module_free(s.m);
}

/* Both costs of a plan at once are those that are found one by one. */
static void costs_both_at_once(void **state)
{
	(void)state;
	plan_subject s;
	plan_cost by_bytes, fastest;
	const target *t = target_named("h100x8");
	module *m = step_with_head();
	assert_true(plan_subject_of(m, PLAN_KEEP_NONE, &ctx->perm, &s));
	plan p = data_parallel(&s, 64), quick = p;
	assert_true(plan_evaluate_both(&s, t, NULL, NULL, &p, &by_bytes, &fastest));
	assert_true(plan_evaluate(&s, t, NULL, &quick));
	assert_true(plan_evaluate_fastest(&s, t, NULL, &p));
	assert_true(by_bytes.step_seconds == quick.cost.step_seconds);
	assert_true(by_bytes.peak_bytes == quick.cost.peak_bytes);
	assert_true(fastest.step_seconds == p.cost.step_seconds && fastest.peak_bytes == p.cost.peak_bytes);
	print_message("by bytes: %.6g s, fastest: %.6g s\n", by_bytes.step_seconds, fastest.step_seconds);
	module_free(s.m);
}

static bool costs_the_same(plan_subject *s, int64_t devices, plan_keep keep, const char *text)
{
	const target *t = target_named("h100x8");
	plan_memo memo = {.mem = &ctx->perm, .propagation = propagation_memo_new(&ctx->perm)};
	assert_true(plan_subject_of(parse(text), keep, &ctx->perm, s));
	plan p[] = {data_parallel(s, devices), data_parallel(s, 2 * devices)}, again[COUNT(p)];
	plan_make_ready(s, memo.propagation, &ctx->perm);
	for (int i = 0; s->ready && i < COUNT(p); i++) {
		plan_subject bare = *s;
		bare.ready = NULL;
		again[i] = p[i];
		assert_true(plan_evaluate(&bare, t, NULL, &p[i]) && plan_evaluate(s, t, &memo, &again[i]));
		assert_memory_equal(&p[i].cost, &again[i].cost, sizeof p[i].cost);
		assert_true(p[i].cost.step_seconds > 0);
	}
	return s->ready != NULL;
}

/* A program with a loop, a function that is called twice, and a constant that is used twice. */
static const char with_calls[] =
	"func.func @main(%x: tensor<64x16xf32>, %w: tensor<16x16xf32>) -> tensor<64x16xf32> {\n"
	"  %c = stablehlo.constant dense<2.0> : tensor<64x16xf32>\n"
	"  %n = stablehlo.constant dense<3> : tensor<i32>\n"
	"  %0 = stablehlo.multiply %x, %c : tensor<64x16xf32>\n"
	"  %1 = call @f(%0, %w) : (tensor<64x16xf32>, tensor<16x16xf32>) -> tensor<64x16xf32>\n"
	"  %2:2 = stablehlo.while(%i = %n, %y = %1) : tensor<i32>, tensor<64x16xf32>\n"
	"    cond {\n"
	"      %s = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
	"      stablehlo.return %s : tensor<i1>\n"
	"    } do {\n"
	"      %s = stablehlo.dot_general %y, %w, contracting_dims = [1] x [0]\n"
	"        : (tensor<64x16xf32>, tensor<16x16xf32>) -> tensor<64x16xf32>\n"
	"      stablehlo.return %i, %s : tensor<i32>, tensor<64x16xf32>\n"
	"    }\n"
	"  %3 = stablehlo.add %2#1, %c : tensor<64x16xf32>\n"
	"  %4 = call @f(%3, %w) : (tensor<64x16xf32>, tensor<16x16xf32>) -> tensor<64x16xf32>\n"
	"  return %4 : tensor<64x16xf32>\n"
	"}\n"
	"func.func private @f(%x: tensor<64x16xf32>, %w: tensor<16x16xf32>) -> tensor<64x16xf32> {\n"
	"  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]\n"
	"    : (tensor<64x16xf32>, tensor<16x16xf32>) -> tensor<64x16xf32>\n"
	"  return %0 : tensor<64x16xf32>\n"
	"}\n";

/* The constraint gives its operand its sharding, unless a plan annotates that. */
static const char with_constraint[] =
	"sdy.mesh @mesh = <[\"data\"=2]>\n"
	"func.func @main(%x: tensor<64x16xf32>, %w: tensor<16x16xf32>) -> tensor<64x16xf32> {\n"
	"  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]\n"
	"    : (tensor<64x16xf32>, tensor<16x16xf32>) -> tensor<64x16xf32>\n"
	"  %1 = sdy.sharding_constraint %0 <@mesh, [{\"data\"}, {}]> : tensor<64x16xf32>\n"
	"  return %1 : tensor<64x16xf32>\n"
	"}\n";

/* A program that is imported once costs what it costs if it is imported with each plan; one in which
 * the import depends on the annotations is not imported once. */
static void imports_once(void **state)
{
	(void)state;
	plan_subject s;
	assert_true(costs_the_same(&s, 4, PLAN_KEEP_NONE, with_calls));
	plan_ready_free(&s);
	module_free(s.m);
	assert_true(costs_the_same(&s, 2, PLAN_KEEP_NONE, with_constraint));
	plan_ready_free(&s);
	module_free(s.m);
	assert_false(costs_the_same(&s, 2, PLAN_KEEP_ANNOTATIONS, with_constraint));
	module_free(s.m);
}

/* No decision in the result could be improved by replacing it with another. */
static void decides_for_the_better(void **state)
{
	(void)state;
	plan_result r;
	plan_options o = {.target = target_named("h100x8"), .devices = 64};
	module *m = step_with_head();
	assert_true(plan_find(m, &o, &ctx->perm, &r));
	assert_true(r.fits && r.decisions.len > 2);
	for (int i = 0; i < r.decisions.len; i++) {
		const plan_decision *d = &r.decisions.ptr[i];
		if (d->next && d->next_fits)
			assert_true(d->next_cost.step_seconds >= r.best.cost.step_seconds * (1 - 1e-4));
	}
	module_free(r.subject.m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(tells_what_many_take, setup, teardown),
		cmocka_unit_test_setup_teardown(imports_once, setup, teardown),
		cmocka_unit_test_setup_teardown(costs_both_at_once, setup, teardown),
		cmocka_unit_test_setup_teardown(decides_for_the_better, setup, teardown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
