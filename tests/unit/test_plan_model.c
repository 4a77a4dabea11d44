/* test_plan_model.c - layouts, their prices, and what the model of small programs suggests. */
#include "plan/model/model.h"
#include "plan/model/strategy.h"

#include "plan_fixture.h"

#include <math.h>

static const mesh *mesh_with(int64_t x, int64_t y)
{
	mesh_axis axes[] = {{.name = name_of_z(ctx, "x"), .size = x}, {.name = name_of_z(ctx, "y"), .size = y}};
	return mesh_of(ctx, axes, y ? 2 : 1, NULL, 0);
}

static plan_layout on(int x, int y) { return (plan_layout){{(int8_t)x, (int8_t)y, -1, -1}}; }

/* ---- prices -------------------------------------------------------------------------------- */

static double transfer_seconds(const pricer *p, transfer kind, double bytes, unsigned axes)
{
	return transfer_of(p->t, kind, bytes, &p->groups[axes]).seconds;
}

static void prices(void **state)
{
	(void)state;
	pricer p;
	pricer_init(&p, target_named("h100x8"), mesh_with(64, 8), &ctx->scratch);
	const type *t = type_tensor(ctx, DT_F32, (int64_t[]){1024, 512}, 2);
	double bytes = 1024 * 512 * 4;
	assert_true(layout_bytes(&p, t, on(0, 1)) == bytes / 512);
	assert_true(layout_price(&p, t, on(-1, -1), on(0, 1)) == 0);
	assert_true(layout_price(&p, t, on(0, -1), on(0, -1)) == 0);
	assert_true(layout_price(&p, t, on(-1, 0), on(-1, -1)) ==
	            transfer_seconds(&p, TRANSFER_ALL_GATHER, bytes / 8, 2));
	assert_true(layout_price(&p, t, on(LAYOUT_SUM, 1), on(-1, 1)) ==
	            transfer_seconds(&p, TRANSFER_ALL_REDUCE, bytes / 8, 1));
	assert_true(layout_price(&p, t, on(LAYOUT_SUM, 1), on(0, 1)) ==
	            transfer_seconds(&p, TRANSFER_REDUCE_SCATTER, bytes / 8, 1));
	assert_true(layout_price(&p, t, on(-1, 0), on(-1, 1)) ==
	            transfer_seconds(&p, TRANSFER_ALL_TO_ALL, bytes / 8, 2));
	assert_true(layout_price(&p, t, on(-1, -1), on(LAYOUT_SUM, -1)) >= PAIR_NEVER);
	/* x is before y in device order: slicing along x has to swap blocks along y */
	assert_true(layout_price(&p, t, on(-1, 0), on(0, 0)) > 0);
	assert_true(layout_price(&p, t, on(0, -1), on(0, 0)) == 0);
}

static void padding(void **state)
{
	(void)state;
	pricer p;
	pricer_init(&p, target_named("h100x8"), mesh_with(4, 2), &ctx->scratch);
	const type *t = type_tensor(ctx, DT_F32, (int64_t[]){6, 7}, 2);
	const plan_layout *l;
	assert_true(layout_bytes(&p, t, on(0, -1)) == 2 * 7 * 4);
	assert_true(fabs(layout_padding(&p, t, on(0, -1)) - 8.0 / 6) < 1e-12);
	assert_int_equal(layouts_of(&p, t, all_axes_free(), &l), 2); /* whole, and y on 6 */
}

/* ---- strategies ------------------------------------------------------------------------------- */

static strategies strategies_in(pricer *p, const char *text)
{
	module *m = parse(text);
	const op *o = op_body(module_main(m))->first;
	strategies s;
	class_work w = {.compute = 1, .bytes = 1e9, .runs = 1};
	strategies_of(p, o, op_rule(m, o, RULE_BEYOND_SHARDY, &ctx->scratch), &w, all_axes_free(), &s);
	return s;
}

/* A product can be split by rows, columns, or the contracting dimension, which leaves partial sums,
 * along each axis. No split takes longer than the whole product. */
static void ways_of_a_product(void **state)
{
	(void)state;
	pricer p;
	pricer_init(&p, target_named("h100x8"), mesh_with(4, 2), &ctx->scratch);
	strategies s = strategies_in(&p,
	    "func.func @main(%a: tensor<64x32xf32>, %b: tensor<32x16xf32>) -> tensor<64x16xf32> {\n"
	    "  %c = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]"
	    " : (tensor<64x32xf32>, tensor<32x16xf32>) -> tensor<64x16xf32>\n"
	    "  return %c : tensor<64x16xf32>\n}\n");
	int sums = 0;
	assert_int_equal(s.n, 16);
	for (int i = 0; i < s.n; i++) {
		sums += layout_is_partial(strategy_layout(&s, i, 2));
		assert_true(s.ptr[i].seconds <= s.ptr[0].seconds);
		assert_false(layout_is_partial(strategy_layout(&s, i, 0)));
	}
	assert_int_equal(sums, 7);
}

/* Partial sums may be added before they are reduced. With max they may not. */
static void ways_of_a_sum(void **state)
{
	(void)state;
	pricer p;
	pricer_init(&p, target_named("h100x8"), mesh_with(4, 0), &ctx->scratch);
	strategies s = strategies_in(&p, "func.func @main(%a: tensor<64xf32>) -> tensor<64xf32> {\n"
	                                 "  %c = stablehlo.add %a, %a : tensor<64xf32>\n"
	                                 "  return %c : tensor<64xf32>\n}\n");
	assert_int_equal(s.n, 3);
	assert_int_equal(strategy_layout(&s, 2, 0).on[0], LAYOUT_SUM);
	assert_int_equal(strategy_layout(&s, 2, 2).on[0], LAYOUT_SUM);
	s = strategies_in(&p,
	    "func.func @main(%a: tensor<64x8xf32>, %z: tensor<f32>) -> tensor<8xf32> {\n"
	    "  %c = stablehlo.reduce(%a init: %z) applies stablehlo.maximum across dimensions = [0]"
	    " : (tensor<64x8xf32>, tensor<f32>) -> tensor<8xf32>\n  return %c : tensor<8xf32>\n}\n");
	assert_int_equal(s.n, 3);
	for (int i = 0; i < s.n; i++)
		assert_int_not_equal(strategy_layout(&s, i, 2).on[0], LAYOUT_SUM);
}

/* ---- solutions --------------------------------------------------------------------------------- */

static model_shardings suggested(module *m, const mesh *mesh, double lambda, model_solution *s)
{
	plan_graph *g = NEW(&ctx->scratch, plan_graph);
	plan_classes *k = NEW(&ctx->scratch, plan_classes);
	model_shardings sh;
	assert_true(plan_graph_of(m, &ctx->scratch, g));
	classes_find(g, &ctx->scratch, k);
	plan_works *w = NEW(&ctx->scratch, plan_works);
	plan_works_of(g, k, target_named("h100x8"), &ctx->scratch, w);
	plan_model *p = model_new(g, k, w, mesh, NULL, &ctx->scratch);
	assert_non_null(p);
	model_solve(p, lambda, 100, s);
	assert_true(s->bound <= s->energy * (1 + 1e-9));
	model_shardings_of(p, s, (mesh_ref){.inlined = mesh}, NULL, &ctx->scratch, &sh);
	return sh;
}

static int axes_of_dim(const sharding *s, int d) { return s ? s->dims[d].n_axes : -1; }

/* Two layers with a large batch: the batch is split. Parameters that are stored in shards are
 * gathered if memory has a price, and are stored whole if memory is free. */
static const char *two_layers(int64_t batch, int64_t width)
{
	writer w;
	writer_init(&w, &ctx->perm);
	put_f(&w, "func.func @main(%%x: tensor<%" PRId64 "x%" PRId64 "xf32>, %%w: tensor<%" PRId64 "x%" PRId64
	          "xf32>, %%u: tensor<%" PRId64 "x%" PRId64 "xf32>) -> tensor<%" PRId64 "x%" PRId64
	          "xf32> {\n", batch, width, width, 4 * width, 4 * width, width, batch, width);
	put_f(&w, "  %%h = stablehlo.dot_general %%x, %%w, contracting_dims = [1] x [0] : (tensor<%" PRId64
	          "x%" PRId64 "xf32>, tensor<%" PRId64 "x%" PRId64 "xf32>) -> tensor<%" PRId64 "x%" PRId64
	          "xf32>\n", batch, width, width, 4 * width, batch, 4 * width);
	put_f(&w, "  %%t = stablehlo.tanh %%h : tensor<%" PRId64 "x%" PRId64 "xf32>\n", batch, 4 * width);
	put_f(&w, "  %%y = stablehlo.dot_general %%t, %%u, contracting_dims = [1] x [0] : (tensor<%" PRId64
	          "x%" PRId64 "xf32>, tensor<%" PRId64 "x%" PRId64 "xf32>) -> tensor<%" PRId64 "x%" PRId64
	          "xf32>\n", batch, 4 * width, 4 * width, width, batch, width);
	put_f(&w, "  return %%y : tensor<%" PRId64 "x%" PRId64 "xf32>\n}\n", batch, width);
	return writer_z(&w);
}

static void divides_a_large_batch(void **state)
{
	(void)state;
	model_solution s;
	model_shardings sh = suggested(parse(two_layers(1 << 20, 256)), mesh_with(8, 0), 1e-13, &s);
	assert_int_equal(axes_of_dim(sh.arg[0], 0), 1);
	assert_int_equal(axes_of_dim(sh.result[0], 0), 1);
	assert_true(s.energy - s.bound < 1e-4 * s.energy);
}

/* Few rows and large weights: the weights are split and stay where they are. */
static void divides_large_weights(void **state)
{
	(void)state;
	model_solution s;
	model_shardings sh = suggested(parse(two_layers(8, 16384)), mesh_with(8, 0), 1e-13, &s);
	assert_int_equal(axes_of_dim(sh.arg[1], 0) + axes_of_dim(sh.arg[1], 1), 1);
	assert_int_equal(axes_of_dim(sh.arg[2], 0) + axes_of_dim(sh.arg[2], 1), 1);
	assert_true(axes_of_dim(sh.arg[1], 1) == axes_of_dim(sh.arg[2], 0));
}

/* The higher the price of memory, the less is used. The bound holds for each price. */
static void memory_has_its_price(void **state)
{
	(void)state;
	double last = INFINITY;
	static const double lambdas[] = {0, 1e-12, 1e-10, 1e-8};
	for (int i = 0; i < COUNT(lambdas); i++) {
		model_solution s;
		suggested(parse(two_layers(1 << 16, 1024)), mesh_with(4, 8), lambdas[i], &s);
		assert_true(s.bytes <= last * (1 + 1e-9));
		last = s.bytes;
	}
}

/* Dimensions that the user closed stay as they are. Open ones may get more axes. */
static void obeys_annotations(void **state)
{
	(void)state;
	module *m = parse(two_layers(1 << 20, 256));
	const mesh *mesh = mesh_with(4, 2);
	axis_ref y = axis_full(mesh->axes[1].name);
	dim_sharding dims[2] = {{.axes = &y, .n_axes = 1, .priority = PRIORITY_NONE},
	                        {.open = true, .priority = PRIORITY_NONE}};
	value *x = op_body(module_main(m))->args[0];
	x->sharding = sharding_of(ctx, &(sharding){.mesh = {.inlined = mesh}, .rank = 2, .dims = dims});
	model_solution s;
	model_shardings sh = suggested(m, mesh, 1e-13, &s);
	assert_int_equal(axes_of_dim(sh.arg[0], 0), 1);
	assert_true(sh.arg[0]->dims[0].axes[0].axis == y.axis);
}

/* Equal layers get the same decisions, and their state is stored as it is computed. */
static void decides_for_classes(void **state)
{
	(void)state;
	model_solution s;
	model_shardings sh = suggested(parse(layered_text(9)), mesh_with(4, 2), 1e-13, &s);
	for (int i = 1; i < 9; i++) {
		assert_ptr_equal(sh.arg[i], sh.arg[0]);
		assert_ptr_equal(sh.result[i + 1], sh.arg[0]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(prices, setup, teardown),
	    cmocka_unit_test_setup_teardown(padding, setup, teardown),
	    cmocka_unit_test_setup_teardown(ways_of_a_product, setup, teardown),
	    cmocka_unit_test_setup_teardown(ways_of_a_sum, setup, teardown),
	    cmocka_unit_test_setup_teardown(divides_a_large_batch, setup, teardown),
	    cmocka_unit_test_setup_teardown(divides_large_weights, setup, teardown),
	    cmocka_unit_test_setup_teardown(memory_has_its_price, setup, teardown),
	    cmocka_unit_test_setup_teardown(obeys_annotations, setup, teardown),
	    cmocka_unit_test_setup_teardown(decides_for_classes, setup, teardown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
