/* Walking, changing and reporting on programs: each query's result, also at ends of lists. */
#include "module_fixture.h"

#include "../support/hlo_read.h"
#include "../support/lent.h"
#include <tessera/build.h>
#include <tessera/hlo.h>
#include <tessera/partition.h>
#include <tessera/passes.h>
#include <tessera/propagate.h>
#include <tessera/report.h>
#include <tessera/run.h>
#include <tessera/shape.h>
#include <tessera/sharding.h>

static bool same(tess_str s, const char *text)
{
	return s.len == strlen(text) && memcmp(s.ptr, text, s.len) == 0;
}

static const char program[] =
	"sdy.mesh @mesh = <[\"x\"=2]>\n"
	"func.func @main(%a: tensor<8xf32> {jax.buffer_donor = true}, %b: tensor<8xf32>)\n"
	"    -> (tensor<8xf32> {jax.result_info = \"sum\"}) {\n"
	"  %0 = stablehlo.negate %a {one = 1 : i64, two = 2 : i64} : tensor<8xf32>\n"
	"  %1 = stablehlo.add %0, %b : tensor<8xf32>\n"
	"  return %1 : tensor<8xf32>\n"
	"}\n";

static const char branches[] =
	"func.func @main(%a: tensor<f32>) -> tensor<f32> {\n"
	"  cf.br ^bb1(%a : tensor<f32>)\n"
	"^bb1(%b: tensor<f32>):\n"
	"  cf.br ^bb2(%b : tensor<f32>)\n"
	"^bb2(%c: tensor<f32>):\n"
	"  return %c : tensor<f32>\n"
	"}\n";

static void test_neighbours(void **state)
{
	(void)state;
	tess_module *m = parsed(program);
	tess_op *f = tess_module_find(m, "main");
	tess_block *body = tess_op_body(f, 0);
	assert_null(tess_block_next(body));
	tess_op *neg = tess_block_first(body), *add = tess_op_next(neg);
	assert_null(tess_op_prev(neg));
	assert_ptr_equal(tess_op_prev(add), neg);
	assert_ptr_equal(tess_op_parent_block(add), body);
	assert_ptr_equal(tess_op_parent_block(f), tess_module_body(m));
	assert_null(tess_op_parent_block(tess_module_op(m)));
	assert_int_equal(tess_op_operand_count(neg), 1);
	assert_int_equal(tess_op_operand_count(add), 2);

	tess_value *b = tess_block_arg(body, 1);
	assert_int_equal(tess_value_index(b), 1);
	assert_int_equal(tess_value_index(tess_op_result(add, 0)), 0);
	tess_use *use = tess_value_uses(b);
	assert_ptr_equal(tess_use_op(use), add);
	assert_int_equal(tess_use_index(use), 1);
	assert_null(tess_use_next(use));
	tess_module_free(m);
}

static void test_attributes_in_order(void **state)
{
	(void)state;
	tess_module *m = parsed(program);
	tess_op *f = tess_module_find(m, "main");
	tess_op *neg = tess_block_first(tess_op_body(f, 0));
	tess_str name;
	assert_int_equal(tess_op_attr_count(neg), 2);
	assert_int_equal(tess_attr_get_int(tess_op_attr_at(neg, 0, &name), 0), 1);
	assert_true(same(name, "one"));
	assert_ptr_equal(tess_op_attr_at(neg, 1, &name), tess_op_attr(neg, "two"));
	assert_true(same(name, "two"));
	assert_null(tess_op_attr_at(neg, 2, NULL));

	assert_non_null(tess_func_arg_attr(f, 0, "jax.buffer_donor"));
	assert_null(tess_func_arg_attr(f, 1, "jax.buffer_donor"));
	assert_null(tess_func_arg_attr(f, 2, "jax.buffer_donor"));
	assert_true(same(tess_attr_text(tess_func_result_attr(f, 0, "jax.result_info")), "sum"));
	assert_null(tess_func_result_attr(f, 1, "jax.result_info"));
	assert_int_equal(tess_func_set_result_attr(m, f, 0, "jax.result_info", NULL), TESS_OK);
	assert_null(tess_func_result_attr(f, 0, "jax.result_info"));
	assert_int_equal(tess_module_verify(m), TESS_OK);
	tess_module_free(m);
}

static void test_moves_and_types(void **state)
{
	(void)state;
	tess_module *m = parsed(program);
	tess_op *f = tess_module_find(m, "main");
	tess_block *body = tess_op_body(f, 0);
	tess_op *neg = tess_block_first(body), *add = tess_op_next(neg), *end = tess_block_last(body);
	assert_int_equal(tess_op_move(m, neg, body, tess_op_next(add)), TESS_OK);
	assert_ptr_equal(tess_op_prev(neg), add);
	assert_int_equal(tess_module_verify(m), TESS_INVALID); /* used before it is defined */
	assert_int_equal(tess_op_move(m, add, body, tess_op_next(neg)), TESS_OK);
	assert_int_equal(tess_module_verify(m), TESS_OK);
	assert_int_equal(tess_op_move(m, end, body, neg), TESS_OK);
	assert_ptr_equal(tess_block_first(body), end);
	assert_int_equal(tess_op_move(m, end, body, NULL), TESS_OK);
	assert_ptr_equal(tess_block_last(body), end);
	assert_int_equal(tess_op_move(m, end, body, end), TESS_USAGE);
	assert_int_equal(tess_op_move(m, end, tess_module_body(m), add), TESS_USAGE);
	assert_int_equal(tess_module_verify(m), TESS_OK);

	tess_value *v = tess_op_result(neg, 0);
	const tess_type *was = tess_value_type(v);
	tess_value_set_type(v, tess_type_parse(ctx, str("tensor<4xf32>")));
	assert_int_equal(tess_type_dim(tess_value_type(v), 0), 4);
	assert_int_equal(tess_module_verify(m), TESS_INVALID);
	tess_value_set_type(v, was);
	assert_int_equal(tess_module_verify(m), TESS_OK);
	tess_module_free(m);
}

static void test_successors(void **state)
{
	(void)state;
	tess_module *m = parsed(branches), *other = parsed(branches);
	tess_block *first = tess_op_body(tess_module_find(m, "main"), 0);
	tess_block *second = tess_block_next(first), *third = tess_block_next(second);
	tess_block *stranger = tess_op_body(tess_module_find(other, "main"), 0);
	tess_op *br = tess_block_last(first);
	assert_int_equal(tess_op_successor_count(br), 1);
	assert_ptr_equal(tess_op_successor(br, 0), second);
	assert_null(tess_op_successor(br, 1));
	assert_int_equal(tess_op_successor_count(tess_block_last(third)), 0);

	assert_int_equal(tess_op_set_successors(m, br, &stranger, 1), TESS_USAGE);
	assert_int_equal(tess_op_set_successors(m, br, NULL, 1), TESS_USAGE);
	assert_ptr_equal(tess_op_successor(br, 0), second);
	assert_int_equal(tess_op_set_successors(m, br, &third, 1), TESS_OK);
	assert_ptr_equal(tess_op_successor(br, 0), third);
	assert_int_equal(tess_op_move(m, br, third, NULL), TESS_USAGE);
	tess_module_free(other);
	tess_module_free(m);
}

static void test_locations(void **state)
{
	(void)state;
	tess_module *m = parsed(program);
	tess_op *f = tess_module_find(m, "main");
	tess_op *neg = tess_block_first(tess_op_body(f, 0));
	const tess_attr *here = tess_attr_location(ctx, "model.py", 7, 3);
	tess_op_set_location(neg, here);
	assert_ptr_equal(tess_op_location(neg), here);
	tess_builder *b = tess_builder_new(m);
	tess_builder_set_location(b, here);
	tess_builder_after(b, neg);
	tess_value *x = tess_block_arg(tess_op_body(f, 0), 1);
	const tess_type *t = tess_value_type(x);
	tess_op *o = tess_build(b, &(tess_op_spec){.struct_size = sizeof(tess_op_spec),
	                                           .name = "stablehlo.abs",
	                                           .operands = &x,
	                                           .n_operands = 1,
	                                           .results = &t,
	                                           .n_results = 1});
	assert_non_null(o);
	assert_ptr_equal(tess_op_location(o), here);
	tess_builder_free(b);
	assert_int_equal(tess_module_verify(m), TESS_OK);
	tess_module_free(m);
}

static void test_types_and_attributes_of_them(void **state)
{
	(void)state;
	const tess_type *f32 = tess_type_scalar(ctx, TESS_F32);
	const tess_type *t = tess_type_parse(ctx, str("tensor<8xf32>"));
	assert_ptr_equal(f32, tess_type_parse(ctx, str("f32")));
	assert_ptr_equal(tess_type_element(t), f32);
	assert_null(tess_type_element(f32));
	assert_ptr_equal(tess_attr_get_type(tess_attr_type(ctx, t)), t);

	const tess_mesh *mesh = tess_mesh_parse(ctx, str("<[\"x\"=2]>"), NULL);
	assert_non_null(mesh);
	assert_ptr_equal(tess_attr_get_mesh(tess_attr_mesh(ctx, mesh)), mesh);
	assert_null(tess_attr_get_sharding(tess_attr_mesh(ctx, mesh)));
	const tess_sharding *s = tess_sharding_parse(ctx, str("<@mesh, [{\"x\"}]>"), "mesh", mesh, 1);
	assert_non_null(s);
	assert_ptr_equal(tess_attr_get_sharding(tess_attr_sharding(ctx, s)), s);
	assert_null(tess_attr_get_mesh(tess_attr_sharding(ctx, s)));
}

#ifndef TESS_NO_HLO
static void test_hlo(void **state)
{
	(void)state;
	assert_string_equal(tess_dtype_hlo(TESS_F32), "f32");
	assert_string_equal(tess_dtype_hlo(TESS_NO_DTYPE), "?");
	assert_int_equal(tess_dtype_from_hlo(str("bf16")), TESS_BF16);
	assert_int_equal(tess_dtype_from_hlo(str("i1")), TESS_NO_DTYPE); /* MLIR's spelling */

	const tess_shape *parts[] = {tess_shape_parse(ctx, str("f32[8]{0}")),
	                             tess_shape_parse(ctx, str("token[]"))};
	const tess_shape *tuple = tess_shape_tuple(ctx, parts, 2);
	assert_ptr_equal(tuple, tess_shape_parse(ctx, str("(f32[8]{0}, token[])")));
	assert_ptr_equal(tess_shape_part(tuple, 1), parts[1]);
	assert_null(tess_shape_part(tuple, 2));
	assert_int_equal(tess_layout_tail(tess_shape_layout(parts[0])), 1);

	assert_false(tess_hlo_sharding_is_named(
		tess_hlo_sharding_parse(ctx, str("{devices=[2]<=[2]}"))));
	assert_true(tess_hlo_sharding_is_named(
		tess_hlo_sharding_parse(ctx, str("{mesh['x'=2], [{'x'}]}"))));

	tess_module *hlo = hlo_read(
		ctx, str("HloModule m\nENTRY e { ROOT p = f32[8] parameter(0) }\n"), "test");
	assert_non_null(hlo);
	tess_module *plain = parsed(program);
	assert_true(tess_module_is_hlo(hlo));
	assert_false(tess_module_is_hlo(plain));
	tess_module_free(plain);
	tess_module_free(hlo);
}
#endif

/* Blocks can be in any order: a copy uses its own values, even if they are defined later. */
static void test_copy_of_blocks_in_any_order(void **state)
{
	(void)state;
	tess_module *m = parsed("func.func @main(%p: i1, %a: i32) -> i32 {\n  cf.br ^bb2\n"
	                        "^bb1:\n  %1 = arith.addi %0, %a : i32\n"
	                        "  cf.cond_br %p, ^bb1, ^bb3\n"
	                        "^bb2:\n  %0 = arith.muli %a, %a : i32\n  cf.br ^bb1\n"
	                        "^bb3:\n  return %1 : i32\n}\n");
	tess_module *copy = tess_module_clone(m);
	tess_op *top = tess_module_op(copy), *sum = NULL;
	for (tess_op *o = top; o; o = tess_op_walk(o, top))
		if (tess_op_is(o, "arith.addi"))
			sum = o;
	assert_non_null(sum);
	tess_op *product = tess_value_op(tess_op_operand(sum, 0)), *up = product;
	while (tess_op_parent(up))
		up = tess_op_parent(up);
	assert_true(up == top);
	tess_str one = lent(tess_module_print(m, NULL));
	tess_module_free(m);
	tess_str two = lent(tess_module_print(copy, NULL));
	assert_int_equal(one.len, two.len);
	assert_memory_equal(one.ptr, two.ptr, one.len);
	tess_module_free(copy);
}

/* Wrong calls of functions in tessera/report.h: no program, no value, no pointer for the text. */
static void test_reports_of_nothing(void **state)
{
	(void)state;
	tess_module *m = parsed(program);
	char *out;
	assert_int_equal(tess_module_report(NULL, NULL, &out), TESS_USAGE);
	assert_int_equal(tess_module_report(m, NULL, NULL), TESS_USAGE);
	assert_int_equal(tess_module_lint(NULL, NULL, &out, NULL), TESS_USAGE);
	assert_int_equal(tess_module_lint(m, NULL, NULL, NULL), TESS_USAGE);
	assert_int_equal(tess_module_diff(m, NULL, NULL, &out, NULL), TESS_USAGE);
	assert_int_equal(tess_module_diff(NULL, m, NULL, &out, NULL), TESS_USAGE);
	assert_int_equal(tess_module_diff(m, m, NULL, NULL, NULL), TESS_USAGE);
	assert_int_equal(tess_module_explain(NULL, "0", NULL, &out), TESS_USAGE);
	assert_int_equal(tess_module_explain(m, NULL, NULL, &out), TESS_USAGE);
	assert_int_equal(tess_module_explain(m, "0", NULL, NULL), TESS_USAGE);
	assert_int_equal(tess_module_explain_collective(NULL, 0, NULL, &out), TESS_USAGE);
	assert_int_equal(tess_module_explain_collective(m, 0, NULL, NULL), TESS_USAGE);
	assert_int_equal(tess_module_explain(m, "0", NULL, &out), TESS_OK);
	tess_text_free(out);
	tess_module_free(m);
}

static bool told(const char *text)
{
	tess_str all = lent(tess_diag_render(ctx, false));
	bool there = all.len && strstr(all.ptr, text);
	tess_diag_clear(ctx);
	return there;
}

/* A sharding may name a mesh that the module does not have. Everything that uses the module reports
 * this. */
static void test_lost_mesh(void **state)
{
	static const char text[] =
	    "sdy.mesh @mesh = <[\"x\"=2]>\n"
	    "func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> { return %a : tensor<8xf32> }";
	(void)state;
	const tess_mesh *mesh = tess_mesh_parse(ctx, str("x=2"), "mesh");
	const tess_sharding *lost = tess_sharding_parse(ctx, str("<@lost, [{\"x\"}]>"), "s", mesh, 1);
	tess_module *m = parsed(text);
	char *out;
	assert_non_null(lost);
	tess_value *a = tess_block_arg(tess_op_body(tess_module_find(m, "main"), 0), 0);
	assert_int_equal(tess_value_set_sharding(m, a, lost), TESS_OK);
	assert_int_equal(tess_module_report(m, NULL, &out), TESS_INVALID);
	assert_true(told("a sharding names mesh @lost, which the program lacks"));
	assert_int_equal(tess_module_explain(m, "a", NULL, &out), TESS_INVALID);
	assert_true(told("@lost"));
	assert_null(tess_exec_new(m, NULL));
	assert_true(told("@lost"));
	assert_int_equal(tess_module_partition(m, NULL, NULL), TESS_INVALID);
	assert_true(told("@lost"));
	assert_int_equal(tess_module_verify(m), TESS_INVALID);
	assert_true(told("@lost"));
	assert_int_equal(tess_module_propagate(m), TESS_INVALID);
	assert_true(told("@lost"));
	tess_module_free(m);
}

static void assert_sharding(const tess_value *v, const char *text)
{
	const tess_sharding *s = tess_value_sharding(v);
	assert_non_null(s);
	tess_str have = lent(tess_sharding_print(ctx, s));
	assert_int_equal(have.len, strlen(text));
	assert_memory_equal(have.ptr, text, have.len);
}

/* Operands and results of a manual computation are sharded as its lists say. */
static void test_manual_shardings(void **state)
{
	static const char text[] =
	    "sdy.mesh @mesh = <[\"x\"=2, \"y\"=2]>\n"
	    "func.func @main(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {\n"
	    "  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{\"x\"}, {\"y\"}]>] "
	    "out_shardings=[<@mesh, [{\"x\"}, {}]>] manual_axes={\"x\"} (%b: tensor<4x8xf32>) {\n"
	    "    sdy.return %b : tensor<4x8xf32>\n"
	    "  } : (tensor<8x8xf32>) -> tensor<8x8xf32>\n"
	    "  return %0 : tensor<8x8xf32>\n}";
	(void)state;
	tess_module *m = parsed(text);
	tess_op *manual = tess_block_first(tess_op_body(tess_module_find(m, "main"), 0));
	tess_value *given = tess_op_result(manual, 0);
	assert_sharding(given, "<@mesh, [{\"x\"}, {}]>");
	assert_sharding(tess_block_arg(tess_op_body(manual, 0), 0), "<@mesh, [{}, {\"y\"}]>");
	const tess_sharding *other = tess_sharding_parse(
	    ctx, str("<@mesh, [{\"x\"}, {\"y\"}]>"), "s", tess_mesh_parse(ctx, str("x=2,y=2"), "m"),
	    2);
	assert_int_equal(tess_value_set_sharding(m, given, other), TESS_OK);
	assert_sharding(given, "<@mesh, [{\"x\"}, {\"y\"}]>");
	assert_int_equal(tess_module_verify(m), TESS_OK);
	tess_module_free(m);
}

/* An unsupported format of a report is an error, which lists the supported ones. */
static void test_formats(void **state)
{
	(void)state;
	tess_module *m = parsed(program);
	char *out;
	tess_report_opts ro = TESS_REPORT_OPTS_INIT;
	tess_lint_opts lo = TESS_LINT_OPTS_INIT;
	tess_diff_opts dopts = TESS_DIFF_OPTS_INIT;
	tess_explain_opts eo = TESS_EXPLAIN_OPTS_INIT;
	ro.format = TESS_FORMAT_SARIF;
	assert_int_equal(tess_module_report(m, &ro, &out), TESS_USAGE);
	assert_true(told("a report has no format SARIF; it has TEXT, COLOR, JSON, HTML"));
	ro.format = TESS_FORMAT_HTML;
	assert_int_equal(tess_module_report(m, &ro, &out), TESS_OK);
	tess_text_free(out);
	lo.format = TESS_FORMAT_HTML;
	assert_int_equal(tess_module_lint(m, &lo, &out, NULL), TESS_USAGE);
	assert_null(out);
	assert_true(told("a list of findings has no format HTML; it has TEXT, COLOR, JSON, SARIF"));
	dopts.format = TESS_FORMAT_SARIF;
	assert_int_equal(tess_module_diff(m, m, &dopts, &out, NULL), TESS_USAGE);
	assert_true(told("a comparison has no format SARIF; it has TEXT, COLOR, JSON, HTML"));
	dopts.format = TESS_FORMAT_HTML;
	assert_int_equal(tess_module_diff(m, m, &dopts, &out, NULL), TESS_OK);
	tess_text_free(out);
	assert_null(tess_module_table(m, TESS_FORMAT_HTML));
	assert_true(told("a table of values has no format HTML"));
	eo.format = (tess_format)77;
	assert_int_equal(tess_module_explain(m, "0", &eo, &out), TESS_USAGE);
	assert_true(told("there is no format 77; an explanation has TEXT, COLOR, JSON"));
	assert_int_equal(tess_module_explain_collective(m, 0, &eo, &out), TESS_USAGE);
	assert_true(told("there is no format 77"));
	eo.format = TESS_FORMAT_TEXT;
	eo.dim = -2;
	assert_int_equal(tess_module_explain(m, "0", &eo, &out), TESS_INVALID);
	assert_true(told("has no dimension -2"));
	tess_module_free(m);
}

/* Calls with NULL for the program or context do nothing. */
static void test_nothing(void **state)
{
	(void)state;
	assert_null(tess_module_parse(NULL, str(program), "test", NULL));
	assert_null(tess_module_parse_file(NULL, "test.mlir", NULL));
	assert_null(tess_module_parse_file(ctx, NULL, NULL));
	assert_null(tess_module_new(NULL));
	assert_null(tess_module_clone(NULL));
	assert_null(tess_propagation_new(NULL, NULL));
	assert_null(tess_exec_new(NULL, NULL));
	assert_int_equal(tess_module_verify(NULL), TESS_USAGE);
	assert_null(tess_module_print(NULL, NULL));
	assert_int_equal(tess_module_set_mesh(NULL, "x=2"), TESS_USAGE);
	assert_int_equal(tess_module_shard_input(NULL, 0, "[{\"x\"}]"), TESS_USAGE);
	assert_int_equal(tess_module_shard_output(NULL, 0, "[{\"x\"}]"), TESS_USAGE);
	assert_int_equal(tess_module_constrain(NULL, "0", "[{\"x\"}]"), TESS_USAGE);
	assert_int_equal(tess_module_propagate(NULL), TESS_USAGE);
	assert_int_equal(tess_module_shrink(NULL), TESS_USAGE);
	assert_int_equal(tess_module_partition(NULL, NULL, NULL), TESS_USAGE);
	assert_int_equal(tess_module_run_passes(NULL, "canonicalize"), TESS_USAGE);
	tess_module_free(NULL);
	tess_exec_free(NULL);
	tess_propagation_free(NULL);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_neighbours),
		TEST(test_attributes_in_order),
		TEST(test_moves_and_types),
		TEST(test_successors),
		TEST(test_locations),
		TEST(test_types_and_attributes_of_them),
#ifndef TESS_NO_HLO
		TEST(test_hlo),
#endif
		TEST(test_copy_of_blocks_in_any_order),
		TEST(test_reports_of_nothing),
		TEST(test_lost_mesh),
		TEST(test_manual_shardings),
		TEST(test_formats),
		TEST(test_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
