/* test_plan_classes.c - how a plan represents programs, and which ops and values are equivalent. */
#include "plan/program/classes.h"

#include "plan_fixture.h"

static plan_graph graph_in(const char *text)
{
	plan_graph g;
	assert_true(plan_graph_of(parse(text), &ctx->scratch, &g));
	return g;
}

static const graph_use *use_of(const plan_graph *g, int op, int i)
{
	return &g->uses[g->ops[op].uses + i];
}

/* A barrier does not appear in the graph. A loop has its operands and what its body yields, and its
 * body counts as often as the loop's counter says. */
static void loops(void **state)
{
	(void)state;
	plan_graph g = graph_in(
	    "func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {\n"
	    "  %zero = stablehlo.constant dense<0> : tensor<i32>\n"
	    "  %b = stablehlo.optimization_barrier %x : tensor<8xf32>\n"
	    "  %r:2 = stablehlo.while(%a = %b, %i = %zero) : tensor<8xf32>, tensor<i32>\n"
	    "  cond {\n    %n = stablehlo.constant dense<5> : tensor<i32>\n"
	    "    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
	    "    stablehlo.return %p : tensor<i1>\n"
	    "  } do {\n    %one = stablehlo.constant dense<1> : tensor<i32>\n"
	    "    %j = stablehlo.add %i, %one : tensor<i32>\n"
	    "    %t = stablehlo.tanh %a : tensor<8xf32>\n"
	    "    stablehlo.return %t, %j : tensor<8xf32>, tensor<i32>\n  }\n"
	    "  return %r#0 : tensor<8xf32>\n}\n");
	assert_int_equal(g.n_ops, 7);
	assert_int_equal(g.ops[1].o->kind, OP_WHILE);
	assert_int_equal(g.ops[1].n_uses, 4);
	assert_int_equal(use_of(&g, 1, 0)->from, -1);
	assert_int_equal(use_of(&g, 1, 2)->from, 6);
	assert_int_equal(g.ops[6].o->kind, OP_TANH);
	assert_true(g.ops[6].times == 5);
	assert_int_equal(use_of(&g, 6, 0)->from, 1);
	assert_int_equal(use_of(&g, 6, 0)->result, 0);
	assert_int_equal(graph_result(&g, 0)->from, 1);
	assert_int_equal(g.arg_of_result[0], 0);
	assert_false(g.unknown_loops);
}

/* All weights are in one class, and so are the same operations of different layers. More layers add
 * no classes, and the classes are the same ones. */
static void layers(void **state)
{
	(void)state;
	plan_classes few, many;
	plan_graph g = graph_in(layered_text(8)), h = graph_in(layered_text(20));
	classes_find(&g, &ctx->scratch, &few);
	classes_find(&h, &ctx->scratch, &many);
	assert_int_equal(few.n_args, 2);
	assert_string_equal(few.args[0].place, "result[1]['layers'][*]['w']");
	assert_int_equal(many.args[0].n, 20);
	assert_int_equal(g.arg_of_result[3], 2);
	assert_int_equal(few.n_ops, many.n_ops);
	int most = 0;
	for (int i = 0; i < few.n_ops; i++) {
		assert_true(digest_eq(few.ops[i].key, many.ops[i].key));
		most = many.ops[i].n > most ? many.ops[i].n : most;
	}
	assert_true(most >= 16);
}

/* Constants with different values are different, wherever their text is. */
static void contents(void **state)
{
	(void)state;
	plan_graph g = graph_in("func.func @main() -> (tensor<f32>, tensor<f32>, tensor<f32>) {\n"
	                        "  %a = stablehlo.constant dense<1.0> : tensor<f32>\n"
	                        "  %b = stablehlo.constant dense<2.0> : tensor<f32>\n"
	                        "  %c = stablehlo.constant dense<1.0> : tensor<f32>\n"
	                        "  return %a, %b, %c : tensor<f32>, tensor<f32>, tensor<f32>\n}\n");
	plan_classes k;
	classes_find(&g, &ctx->scratch, &k);
	assert_int_equal(k.n_ops, 2);
	assert_int_equal(k.of_op[0], k.of_op[2]);
	assert_false(digest_eq(k.alone[0], k.alone[1]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(loops, setup, teardown),
	    cmocka_unit_test_setup_teardown(layers, setup, teardown),
	    cmocka_unit_test_setup_teardown(contents, setup, teardown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
