/* test_plan.c - the subject of planning, and the cost of a plan. */
#include "plan/meshes.h"

#include "plan_fixture.h"

/* A step of gradient descent, in which w1 and w2 are state and x is not. It is large, so that
 * computing takes longer than starting ops. */
static const char *const step_text =
	"func.func @main(%w1: tensor<1024x4096xf32>, %w2: tensor<4096x1024xf32>, %x: tensor<8192x1024xf32>)\n"
	"    -> (tensor<f32>, tensor<1024x4096xf32>, tensor<4096x1024xf32>) {\n"
	"  %h = stablehlo.dot_general %x, %w1, contracting_dims = [1] x [0] : (tensor<8192x1024xf32>, "
	"tensor<1024x4096xf32>) -> tensor<8192x4096xf32>\n"
	"  %y = stablehlo.dot_general %h, %w2, contracting_dims = [1] x [0] : (tensor<8192x4096xf32>, "
	"tensor<4096x1024xf32>) -> tensor<8192x1024xf32>\n"
	"  %z = stablehlo.constant dense<0.0> : tensor<f32>\n"
	"  %l = stablehlo.reduce(%y init: %z) applies stablehlo.add across dimensions = [0, 1] : "
	"(tensor<8192x1024xf32>, tensor<f32>) -> tensor<f32>\n"
	"  %g2 = stablehlo.dot_general %h, %y, contracting_dims = [0] x [0] : (tensor<8192x4096xf32>, "
	"tensor<8192x1024xf32>) -> tensor<4096x1024xf32>\n"
	"  %h1 = stablehlo.dot_general %y, %w2, contracting_dims = [1] x [1] : (tensor<8192x1024xf32>, "
	"tensor<4096x1024xf32>) -> tensor<8192x4096xf32>\n"
	"  %g1 = stablehlo.dot_general %x, %h1, contracting_dims = [0] x [0] : (tensor<8192x1024xf32>, "
	"tensor<8192x4096xf32>) -> tensor<1024x4096xf32>\n"
	"  %u1 = stablehlo.subtract %w1, %g1 : tensor<1024x4096xf32>\n"
	"  %u2 = stablehlo.subtract %w2, %g2 : tensor<4096x1024xf32>\n"
	"  return %l, %u1, %u2 : tensor<f32>, tensor<1024x4096xf32>, tensor<4096x1024xf32>\n"
	"}\n";

static plan_subject subject_of(const char *text, plan_keep keep)
{
	plan_subject s;
	module *m = parse(text);
	assert_true(plan_subject_of(m, keep, &ctx->perm, &s));
	return s;
}

static plan new_plan(const plan_subject *s, int64_t devices)
{
	mesh_axis axis = {.name = name_of_z(ctx, "data"), .size = devices};
	return (plan){.mesh = mesh_of(ctx, &axis, 1, NULL, 0),
	              .at = NEW_N(&ctx->perm, const sharding *, s->n_sites)};
}

/* Splits dimension `dim` of the site over all devices. */
static void shard_site(const plan_subject *s, plan *p, int site, int dim)
{
	axis_ref a = axis_full(name_of_z(ctx, "data"));
	const sharding *whole =
		sharding_replicated(ctx, (mesh_ref){.symbol = s->mesh_symbol}, s->sites[site].type->rank);
	p->at[site] = sharding_with_dim(ctx, whole, dim,
	                                (dim_sharding){&a, 1, false, PRIORITY_NONE});
}

static void test_sites(void **state)
{
	(void)state;
	plan_subject s = subject_of(step_text, PLAN_KEEP_NONE);
	assert_int_equal(s.n_sites, 3 + 2 + 5); /* the loss is a scalar */
	assert_int_equal(s.sites[0].kind, SITE_ARGUMENT);
	assert_int_equal(s.sites[3].kind, SITE_RESULT);
	assert_int_equal(s.sites[3].number, 1);
	assert_int_equal(s.sites[3].follows, 0);
	assert_int_equal(s.sites[4].follows, 1);
	assert_int_equal(s.sites[5].kind, SITE_VALUE);
	assert_null(s.given);
	module_free(s.m);
}

/* The gradient of what is sliced is put together by additions: the last of them can be annotated, the parts cannot. */
static void test_put_together(void **state)
{
	(void)state;
	plan_subject s = subject_of(
		"func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>, %d: tensor<12xf32>)\n"
		"    -> tensor<12xf32> {\n"
		"  %z = stablehlo.constant dense<0.0> : tensor<f32>\n"
		"  %p = stablehlo.pad %a, %z, low = [0], high = [8], interior = [0]\n"
		"      : (tensor<4xf32>, tensor<f32>) -> tensor<12xf32>\n"
		"  %q = stablehlo.pad %b, %z, low = [4], high = [4], interior = [0]\n"
		"      : (tensor<4xf32>, tensor<f32>) -> tensor<12xf32>\n"
		"  %r = stablehlo.pad %c, %z, low = [8], high = [0], interior = [0]\n"
		"      : (tensor<4xf32>, tensor<f32>) -> tensor<12xf32>\n"
		"  %s = stablehlo.add %p, %q : tensor<12xf32>\n"
		"  %t = stablehlo.add %s, %r : tensor<12xf32>\n"
		"  %u = stablehlo.multiply %t, %d : tensor<12xf32>\n"
		"  return %u : tensor<12xf32>\n}\n",
		PLAN_KEEP_NONE);
	assert_int_equal(s.n_sites, 4 + 1 + 1);
	assert_int_equal(s.sites[5].kind, SITE_VALUE);
	assert_int_equal(s.sites[5].number, 5);
	module_free(s.m);
}

/* A factor of two goes from one axis to another, but not so that nodes are cut in the middle. */
static void test_mesh_moved(void **state)
{
	(void)state;
	mesh_axis axes[3];
	memset(axes, 0, sizeof axes);
	const int64_t sizes[] = {6, 8, 8};
	for (int i = 0; i < 3; i++)
		axes[i] = (mesh_axis){.name = name_of_z(ctx, (const char *[]){"a", "b", "c"}[i]), .size = sizes[i]};
	const mesh *m = mesh_of(ctx, axes, 3, NULL, 0), *moved;
	const target *t = target_named("h100x8");
	moved = plan_mesh_moved(ctx, m, t, 2, 0);
	assert_non_null(moved);
	assert_int_equal(moved->axes[0].size, 12);
	assert_int_equal(moved->axes[1].size, 8);
	assert_int_equal(moved->axes[2].size, 4);
	assert_non_null(plan_mesh_moved(ctx, m, t, 1, 2));
	assert_null(plan_mesh_moved(ctx, m, t, 1, 1));
	axes[0].size = 2;
	assert_null(plan_mesh_moved(ctx, mesh_of(ctx, axes, 3, NULL, 0), t, 0, 1)); /* one device would be left */
	axes[0].size = 3;
	assert_null(plan_mesh_moved(ctx, mesh_of(ctx, axes, 3, NULL, 0), t, 0, 1));
	axes[1].size = 3;
	axes[2].size = 2;
	assert_null(plan_mesh_moved(ctx, mesh_of(ctx, axes, 3, NULL, 0), t, 2, 0));
	axes[0].size = 8;
	axes[2].size = 8;
	assert_null(plan_mesh_moved(ctx, mesh_of(ctx, axes, 3, NULL, 0), t, 2, 0)); /* 4 x 3 of nodes of 8 */
}

/* An axis is divided where that gives whole numbers, and nodes are not cut unevenly. */
static void test_mesh_divided(void **state)
{
	(void)state;
	mesh_axis axes[2];
	memset(axes, 0, sizeof axes);
	axes[0] = (mesh_axis){.name = name_of_z(ctx, "a"), .size = 12};
	axes[1] = (mesh_axis){.name = name_of_z(ctx, "b"), .size = 8};
	const mesh *m = mesh_of(ctx, axes, 2, NULL, 0);
	const target *t = target_named("h100x8");
	const mesh *divided = plan_mesh_divided(ctx, m, t, 0, 4, "c");
	assert_non_null(divided);
	assert_int_equal(divided->n_axes, 3);
	const int64_t sizes[] = {3, 4, 8};
	const char *const names[] = {"a", "c", "b"};
	for (int i = 0; i < 3; i++) {
		assert_int_equal(divided->axes[i].size, sizes[i]);
		assert_string_equal(divided->axes[i].name->s, names[i]);
	}
	assert_null(plan_mesh_divided(ctx, m, t, 0, 5, "c"));
	assert_null(plan_mesh_divided(ctx, m, t, 0, 12, "c")); /* one device would be left */
	assert_null(plan_mesh_divided(ctx, m, t, 0, 0, "c"));
	assert_null(plan_mesh_divided(ctx, m, t, 0, 4, "b"));
	axes[1].size = 2;
	m = mesh_of(ctx, axes, 2, NULL, 0);
	assert_non_null(plan_mesh_divided(ctx, m, t, 0, 4, "c"));
	assert_null(plan_mesh_divided(ctx, m, t, 0, 3, "c")); /* 3 x 2 of nodes of 8 */
}

/* Hundreds of plans are evaluated: the memory of each is available to the next. */
static void test_leaves_nothing(void **state)
{
	(void)state;
	plan_subject s = subject_of(step_text, PLAN_KEEP_NONE);
	plan p = new_plan(&s, 8);
	arena_mark before = arena_here(&ctx->scratch);
	assert_true(plan_evaluate_fastest(&s, target_named("h100x8"), NULL, &p));
	arena_mark after = arena_here(&ctx->scratch);
	assert_ptr_equal(before.chunk, after.chunk);
	assert_ptr_equal(before.at, after.at);
	module_free(s.m);
}

/* Splitting the batch divides the work and adds all-reduces of the gradients. Computing the cost of
 * a plan does not change the subject. */
static void test_costs(void **state)
{
	(void)state;
	plan_subject s = subject_of(step_text, PLAN_KEEP_NONE);
	const target *t = target_named("h100x8");
	plan whole = new_plan(&s, 8), split = new_plan(&s, 8), again = new_plan(&s, 8);
	shard_site(&s, &split, 2, 0);
	assert_true(plan_evaluate(&s, t, NULL, &whole));
	assert_true(plan_evaluate(&s, t, NULL, &split));
	assert_true(plan_evaluate(&s, t, NULL, &again));
	assert_int_equal(whole.cost.collectives, 0);
	assert_true(split.cost.collectives >= 3);
	assert_true(split.cost.compute_seconds < whole.cost.compute_seconds);
	assert_true(split.cost.peak_bytes < whole.cost.peak_bytes);
	assert_true(again.cost.step_seconds == whole.cost.step_seconds);
	module *m = kept(plan_applied(&s, &split));
	plan_cost written;
	assert_true(plan_costs(m, t, false, &written));
	assert_true(written.step_seconds == split.cost.step_seconds);
	assert_int_equal(written.peak_bytes, split.cost.peak_bytes);
	module_free(s.m);
}

/* Costs are known by what the propagated program is: which argument is sharded makes a difference, also
 * if nothing follows from it for others. */
static void test_known_costs(void **state)
{
	(void)state;
	plan_subject s = subject_of("func.func @main(%a: tensor<1024x1024xf32>, %b: tensor<1024x1024xf32>)\n"
	                            "    -> tensor<1024x1024xf32> {\n"
	                            "  %0 = stablehlo.custom_call @whole(%a) : (tensor<1024x1024xf32>)\n"
	                            "    -> tensor<1024x1024xf32>\n"
	                            "  return %0 : tensor<1024x1024xf32>\n}\n",
	                            PLAN_KEEP_NONE);
	const target *t = target_named("h100x8");
	plan_memo memo = {.mem = &ctx->perm, .propagation = propagation_memo_new(&ctx->perm)};
	for (int site = 0; site < 2; site++) {
		plan fresh = new_plan(&s, 8), known = new_plan(&s, 8);
		shard_site(&s, &fresh, site, 0);
		shard_site(&s, &known, site, 0);
		assert_true(plan_evaluate(&s, t, NULL, &fresh));
		assert_true(plan_evaluate(&s, t, &memo, &known));
		assert_int_equal(known.cost.collectives, fresh.cost.collectives);
		assert_int_equal(known.cost.peak_bytes, fresh.cost.peak_bytes);
		assert_int_equal(fresh.cost.collectives, site == 0);
	}
	module_free(s.m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_sites, setup, teardown),
		cmocka_unit_test_setup_teardown(test_put_together, setup, teardown),
		cmocka_unit_test_setup_teardown(test_mesh_moved, setup, teardown),
		cmocka_unit_test_setup_teardown(test_mesh_divided, setup, teardown),
		cmocka_unit_test_setup_teardown(test_costs, setup, teardown),
		cmocka_unit_test_setup_teardown(test_known_costs, setup, teardown),
		cmocka_unit_test_setup_teardown(test_leaves_nothing, setup, teardown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
