/* test_plan_groups.c - which dimensions are sharded together. */
#include "plan/program/groups.h"

#include "plan_fixture.h"

static dim_groups groups_in(const char *text, module **m)
{
	dim_groups g;
	*m = parse(text);
	groups_find(*m, &ctx->scratch, &g);
	return g;
}

static value *argument(const module *m, int i) { return op_body(module_main(m))->args[i]; }

/* x[b, k] w1[k, h] w2[h, o]: four groups, the hidden one in both weights. */
static void products(void **state)
{
	(void)state;
	module *m;
	dim_groups g = groups_in(
	    "func.func @main(%x: tensor<8x16xf32>, %w1: tensor<16x32xf32>, %w2: tensor<32x4xf32>)"
	    " -> tensor<8x4xf32> {\n"
	    "  %h = stablehlo.dot_general %x, %w1, contracting_dims = [1] x [0]"
	    " : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>\n"
	    "  %t = stablehlo.tanh %h : tensor<8x32xf32>\n"
	    "  %y = stablehlo.dot_general %t, %w2, contracting_dims = [1] x [0]"
	    " : (tensor<8x32xf32>, tensor<32x4xf32>) -> tensor<8x4xf32>\n"
	    "  return %y : tensor<8x4xf32>\n}\n", &m);
	assert_int_equal(g.n, 4);
	assert_int_equal(group_of(&g, argument(m, 0), 0), 0);
	assert_int_equal(group_of(&g, argument(m, 0), 1), group_of(&g, argument(m, 1), 0));
	int hidden = group_of(&g, argument(m, 1), 1);
	assert_int_equal(hidden, group_of(&g, argument(m, 2), 0));
	assert_int_equal(g.ptr[hidden].n, 4);
	assert_int_equal(g.ptr[hidden].size, 32);
	assert_ptr_equal(g.ptr[hidden].members[0].v, argument(m, 1));
	assert_int_equal(g.ptr[hidden].n_conflicts, 0);
	assert_int_equal(group_of(&g, argument(m, 2), 1), 3);
}

/* x x^T has the rows of x twice, which cannot be sharded together. */
static void conflicts(void **state)
{
	(void)state;
	module *m;
	dim_groups g = groups_in(
	    "func.func @main(%x: tensor<8x16xf32>) -> tensor<8x8xf32> {\n"
	    "  %s = stablehlo.dot_general %x, %x, contracting_dims = [1] x [1]"
	    " : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x8xf32>\n"
	    "  return %s : tensor<8x8xf32>\n}\n", &m);
	assert_int_equal(g.n, 2);
	assert_int_equal(g.ptr[0].n, 3);
	assert_int_equal(g.ptr[0].n_conflicts, 1);
	assert_ptr_equal(g.ptr[0].conflicts[0].v->type, type_tensor(ctx, DT_F32, (int64_t[]){8, 8}, 2));
	assert_int_equal(g.ptr[1].n_conflicts, 0);
}

/* A merged dimension belongs to the group of its major part. The minor part is one group in both
 * operands of the sum. Dimensions of size 1 are in no group. */
static void reshapes(void **state)
{
	(void)state;
	module *m;
	dim_groups g = groups_in(
	    "func.func @main(%x: tensor<6x4x1xf32>) -> tensor<24xf32> {\n"
	    "  %r = stablehlo.reshape %x : (tensor<6x4x1xf32>) -> tensor<24xf32>\n"
	    "  return %r : tensor<24xf32>\n}\n", &m);
	value *r = result(op_body(module_main(m))->first, 0);
	assert_int_equal(g.n, 2);
	assert_int_equal(group_of(&g, r, 0), group_of(&g, argument(m, 0), 0));
	assert_int_not_equal(group_of(&g, r, 0), group_of(&g, argument(m, 0), 1));
	assert_int_equal(group_of(&g, argument(m, 0), 2), -1);
	assert_int_equal(g.ptr[0].size, 24);
	assert_int_equal(g.ptr[0].even, 6);
}

/* What a loop carries, uses inside, and returns is in one group; the same for a call. */
static void flows(void **state)
{
	(void)state;
	module *m;
	dim_groups g = groups_in(
	    "func.func @main(%x: tensor<8xf32>, %n: tensor<i32>) -> tensor<8xf32> {\n"
	    "  %r:2 = stablehlo.while(%a = %x, %i = %n) : tensor<8xf32>, tensor<i32>\n"
	    "  cond {\n    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
	    "    stablehlo.return %p : tensor<i1>\n"
	    "  } do {\n    %t = func.call @f(%a) : (tensor<8xf32>) -> tensor<8xf32>\n"
	    "    stablehlo.return %t, %i : tensor<8xf32>, tensor<i32>\n  }\n"
	    "  return %r#0 : tensor<8xf32>\n}\n"
	    "func.func private @f(%a: tensor<8xf32>) -> tensor<8xf32> {\n"
	    "  %t = stablehlo.tanh %a : tensor<8xf32>\n  return %t : tensor<8xf32>\n}\n", &m);
	assert_int_equal(g.n, 1);
	assert_int_equal(g.ptr[0].n, 7);
	assert_ptr_equal(g.ptr[0].members[0].v, argument(m, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(products, setup, teardown),
	    cmocka_unit_test_setup_teardown(conflicts, setup, teardown),
	    cmocka_unit_test_setup_teardown(reshapes, setup, teardown),
	    cmocka_unit_test_setup_teardown(flows, setup, teardown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
