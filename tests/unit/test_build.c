/* Programs built, walked and changed through the API. */
#include "build_fixture.h"

#include "../support/lent.h"
#include <math.h>

#ifdef TESS_HAVE_ZLIB
#include <zlib.h>
#endif

/* Expects that the module prints the same as `text`, parsed and printed. */
static void assert_program(tess_module *m, const char *text)
{
	tess_module *want = parsed(text);
	tess_str have_text = lent(tess_module_print(m, NULL)),
		 want_text = lent(tess_module_print(want, NULL));
	char *have = strndup(have_text.ptr, have_text.len),
	     *w = strndup(want_text.ptr, want_text.len);
	assert_string_equal(have, w);
	free(have);
	free(w);
	tess_module_free(want);
}

static void finish(tess_module *m, tess_builder *b, tess_value *result, const char *text)
{
	assert_non_null(tess_build_op(b, "return %0", &result, 1));
	assert_int_equal(tess_builder_status(b), TESS_OK);
	tess_builder_free(b);
	assert_int_equal(tess_module_verify(m), TESS_OK);
	assert_program(m, text);
	tess_module_free(m);
}

static void test_inferred_types(void **state)
{
	(void)state;
	tess_module *m = tess_module_new(ctx);
	const char *types[] = {"tensor<4x8xf32>", "tensor<4x8xf32>"};
	tess_value *x[2];
	tess_builder *b = in_function(m, types, 2, "tensor<8x2xi1>", x);
	tess_value *t = MAKE(b, "stablehlo.transpose %0, dims = [1, 0]",
	                     MAKE(b, "stablehlo.maximum %0, %1", x[0], x[1]));
	tess_value *s = MAKE(b, "stablehlo.slice %0 [0:8, 1:3]", t);
	tess_value *lt = MAKE(b, "stablehlo.compare LT, %0, %1, FLOAT", s, s);
	finish(m, b, lt,
	       "func.func @main(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) -> tensor<8x2xi1> {\n"
	       "  %0 = stablehlo.maximum %a, %b : tensor<4x8xf32>\n"
	       "  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>\n"
	       "  %2 = stablehlo.slice %1 [0:8, 1:3] : (tensor<8x4xf32>) -> tensor<8x2xf32>\n"
	       "  %3 = stablehlo.compare LT, %2, %2, FLOAT : (tensor<8x2xf32>, tensor<8x2xf32>) -> "
	       "tensor<8x2xi1>\n"
	       "  return %3 : tensor<8x2xi1>\n}");
}

static void test_given_types_and_attributes(void **state)
{
	(void)state;
	tess_module *m = tess_module_new(ctx);
	const char *types[] = {"tensor<4xf32>"};
	tess_value *x[1];
	tess_builder *b = in_function(m, types, 1, "tensor<3x4xf32>", x);
	tess_value *y = MAKE(b, "stablehlo.broadcast_in_dim %0, dims = [1] : "
	                     "(tensor<4xf32>) -> tensor<3x4xf32>", x[0]);
	tess_value *z = MAKE(b, "stablehlo.custom_call @thing(%0) {has_side_effect = true} : "
	                     "(tensor<3x4xf32>) -> tensor<3x4xf32>", y);
	assert_int_equal(tess_op_set_attr(m, tess_value_op(z), "api_version",
	                                  tess_attr_int(ctx, 2, 32)), TESS_OK);
	finish(m, b, z,
	       "func.func @main(%a: tensor<4xf32>) -> tensor<3x4xf32> {\n"
	       "  %0 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<4xf32>) -> tensor<3x4xf32>\n"
	       "  %1 = stablehlo.custom_call @thing(%0) {api_version = 2 : i32, has_side_effect = true} : "
	       "(tensor<3x4xf32>) -> tensor<3x4xf32>\n"
	       "  return %1 : tensor<3x4xf32>\n}");
}

/* Without result types, they are inferred from the operands, or there is an error. */
static void test_result_types(void **state)
{
	(void)state;
	tess_module *m = tess_module_new(ctx);
	const char *types[] = {"tensor<4x2xf32>"};
	tess_value *x[1];
	tess_builder *b = in_function(m, types, 1, "tensor<2x4xf32>", x);
	const char *names[] = {"permutation"};
	const tess_attr *order[] = {tess_attr_parse(ctx, str("array<i64: 1, 0>"))};
	tess_op_spec spec = TESS_OP_SPEC_INIT;
	spec.name = "stablehlo.transpose";
	spec.operands = x;
	spec.n_operands = spec.n_results = spec.n_attrs = 1;
	spec.attr_names = names;
	spec.attrs = order;
	tess_op *made = tess_build(b, &spec);
	assert_non_null(made);
	assert_ptr_equal(tess_value_type(tess_op_result(made, 0)), type("tensor<2x4xf32>"));
	spec.name = "stablehlo.reshape";
	assert_null(tess_build(b, &spec));
	assert_int_equal(tess_builder_status(b), TESS_INVALID);
	tess_diag d;
	assert_true(tess_diag_get(ctx, 0, &d));
	assert_int_equal(strncmp(d.message.ptr, "the result types of 'stablehlo.reshape' do not follow", 53),
	                 0);
	tess_diag_clear(ctx);
	tess_builder_free(b);
	tess_module_free(m);
}

/* Regions that are filled in several steps. */
static void test_regions(void **state)
{
	(void)state;
	tess_module *m = tess_module_new(ctx);
	const char *types[] = {"tensor<i32>", "tensor<i32>"};
	tess_value *x[2];
	tess_builder *b = in_function(m, types, 2, "tensor<i32>", x);
	const tess_type *t[] = {type("tensor<i32>"), type("tensor<i32>")};
	tess_op_spec spec = TESS_OP_SPEC_INIT;
	spec.name = "stablehlo.while";
	spec.operands = x;
	spec.results = t;
	spec.n_operands = spec.n_results = spec.n_regions = 2;
	tess_op *loop = tess_build(b, &spec);
	for (size_t i = 0; i < 2; i++) {
		tess_block *body = tess_block_new(b, loop, i, t, 2);
		tess_builder_to_end(b, body);
		tess_value *v[2] = {tess_block_arg(body, 0), tess_block_arg(body, 1)};
		v[0] = tess_build1(b, i ? "stablehlo.add %0, %1" : "stablehlo.compare LT, %0, %1", v, 2);
		assert_non_null(tess_build_op(
			b, i ? "stablehlo.return %0, %1" : "stablehlo.return %0", v, i + 1));
	}
	tess_builder *other = tess_builder_new(m);
	assert_null(tess_block_new(other, loop, 2, t, 2));
	tess_builder_free(other);
	tess_builder_after(b, loop);
	finish(m, b, tess_op_result(loop, 0),
	       "func.func @main(%a: tensor<i32>, %b: tensor<i32>) -> tensor<i32> {\n"
	       "  %0:2 = stablehlo.while(%i = %a, %n = %b) : tensor<i32>, tensor<i32> cond {\n"
	       "    %1 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
	       "    stablehlo.return %1 : tensor<i1>\n  } do {\n"
	       "    %1 = stablehlo.add %i, %n : tensor<i32>\n"
	       "    stablehlo.return %1, %n : tensor<i32>, tensor<i32>\n  }\n"
	       "  return %0#0 : tensor<i32>\n}");
}

static void test_sdy(void **state)
{
	(void)state;
	tess_module *m = tess_module_new(ctx);
	tess_builder *top = tess_builder_new(m);
	const tess_mesh *mesh = tess_mesh_parse(ctx, str("x=2,y=4"), "mesh");
	assert_non_null(tess_build_op(top, "sdy.mesh @mesh = <[\"x\"=2, \"y\"=4]>", NULL, 0));
	tess_builder_free(top);
	const char *types[] = {"tensor<8x8xf32>"};
	tess_value *x[1];
	tess_builder *b = in_function(m, types, 1, "tensor<8x8xf32>", x);
	const tess_sharding *rows =
	    tess_sharding_parse(ctx, str("<@mesh, [{\"x\"}, {}]>"), "s", mesh, 2);
	assert_int_equal(tess_value_set_sharding(m, x[0], rows), TESS_OK);
	tess_value *y = MAKE(b, "sdy.sharding_constraint %0 <@mesh, [{\"x\"}, {}]>", x[0]);
	assert_ptr_equal(tess_value_sharding(y), rows);
	tess_value *z =
	    MAKE(b, "sdy.all_gather [{\"x\"}, {}] %0 out_sharding=<@mesh, [{}, {}]>", y);
	finish(m, b, z,
	       "sdy.mesh @mesh = <[\"x\"=2, \"y\"=4]>\n"
	       "func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}, {}]>}) "
	       "-> tensor<8x8xf32> {\n"
	       "  %0 = sdy.sharding_constraint %a <@mesh, [{\"x\"}, {}]> : tensor<8x8xf32>\n"
	       "  %1 = sdy.all_gather [{\"x\"}, {}] %0 out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>\n"
	       "  return %1 : tensor<8x8xf32>\n}");
}

static void test_misuse(void **state)
{
	(void)state;
	tess_module *m = tess_module_new(ctx);
	const char *types[] = {"tensor<4xf32>", "tensor<5xf32>"};
	tess_value *x[2];
	tess_builder *b = in_function(m, types, 2, "tensor<4xf32>", x);
	assert_ptr_equal(tess_builder_module(b), m);
	assert_null(tess_build1(b, "stablehlo.add %0, %1", x, 2));
	assert_int_equal(tess_builder_status(b), TESS_INVALID);
	assert_int_equal(tess_diag_errors(ctx), 1);
	assert_null(MAKE(b, "stablehlo.tanh %0", NULL));
	assert_int_equal(tess_builder_status(b), TESS_INVALID); /* the first error counts */
	assert_null(tess_build1(b, NULL, x, 1));
	assert_null(tess_build1(b, "stablehlo.tanh %0", NULL, 1));
	assert_null(tess_build1(NULL, "stablehlo.tanh %0", x, 1));
	assert_null(tess_build_op(NULL, NULL, NULL, 0));
	assert_int_equal(tess_diag_errors(ctx), 1);
	assert_null(tess_build1(b, "stablehlo.optimization_barrier %0, %1", x, 2));
	assert_null(tess_build1(b, "stablehlo.return %0", x, 1));
	assert_int_equal(tess_diag_errors(ctx), 3);
	assert_null(tess_value_uses(x[0]));
	assert_null(
		tess_build(b, &(tess_op_spec){.struct_size = sizeof(tess_op_spec), .name = "add"}));
	assert_null(tess_build(b, NULL));
	assert_null(tess_build(NULL, NULL));
	tess_builder_free(b);
	b = tess_builder_new(m);
	assert_null(tess_build_op(b, "func.func private @main()", NULL, 0)); /* twice */
	assert_int_equal(tess_builder_status(b), TESS_INVALID);
	assert_non_null(tess_build_op(b, "func.func private @other()", NULL, 0));
	assert_non_null(tess_module_find(m, "other"));
	tess_builder_free(b);
	tess_module_free(m);
}

static const char two_uses[] =
    "func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {\n"
    "  %0 = stablehlo.tanh %a : tensor<4xf32>\n"
    "  %1 = stablehlo.add %0, %0 : tensor<4xf32>\n"
    "  return %1 : tensor<4xf32>\n}";

static void test_walk(void **state)
{
	(void)state;
	static const char *const names[] = {"builtin.module", "func.func", "stablehlo.tanh",
	                                    "stablehlo.add", "func.return"};
	tess_module *m = parsed(two_uses);
	tess_op *top = tess_module_op(m);
	size_t n = 0;
	for (tess_op *o = top; o; o = tess_op_walk(o, top), n++) {
		assert_true(n < 5 && tess_op_is(o, names[n]));
		assert_ptr_equal(tess_op_parent(o), n == 0   ? NULL
		                                    : n == 1 ? top
		                                             : tess_module_find(m, "main"));
	}
	assert_int_equal(n, 5);
	tess_op *f = tess_module_find(m, "main");
	assert_ptr_equal(tess_block_first(tess_module_body(m)), f);
	assert_ptr_equal(tess_op_attr(f, "sym_name"), tess_attr_string(ctx, str("main")));
	assert_int_equal(tess_type_in_count(tess_func_type(f)), 2);
	tess_op *tanh_op = tess_block_first(tess_op_body(f, 0));
	tess_value *v = tess_op_result(tanh_op, 0);
	tess_use *u = tess_value_uses(v);
	assert_int_equal(tess_use_index(u), 1); /* the newest first */
	assert_int_equal(tess_use_index(tess_use_next(u)), 0);
	assert_null(tess_use_next(tess_use_next(u)));
	assert_ptr_equal(tess_value_op(tess_op_operand(tess_op_next(tanh_op), 0)), tanh_op);
	assert_null(tess_op_result(tanh_op, 1));
	tess_module_free(m);
}

static void nothing_to_change_is_wrong_usage(void **state)
{
	tess_module *m = parsed(two_uses);
	tess_op *f = tess_module_find(m, "main");
	tess_block *body = tess_op_body(f, 0);
	tess_value *a = tess_block_arg(body, 0);
	(void)state;
	assert_int_equal(tess_value_set_sharding(NULL, a, NULL), TESS_USAGE);
	assert_int_equal(tess_value_set_sharding(m, NULL, NULL), TESS_USAGE);
	assert_int_equal(tess_value_set_name(NULL, a, "b"), TESS_USAGE);
	assert_int_equal(tess_value_set_name(m, NULL, "b"), TESS_USAGE);
	assert_null(tess_block_add_arg(NULL, body, tess_value_type(a)));
	assert_null(tess_block_add_arg(m, NULL, tess_value_type(a)));
	assert_int_equal(tess_op_set_attr(NULL, f, "x", NULL), TESS_USAGE);
	assert_int_equal(tess_op_set_attr(m, NULL, "x", NULL), TESS_USAGE);
	assert_int_equal(tess_op_set_attr(m, f, NULL, NULL), TESS_USAGE);
	assert_int_equal(tess_op_set_operands(m, NULL, NULL, 0), TESS_USAGE);
	assert_int_equal(tess_op_set_operands(m, f, NULL, 1), TESS_USAGE);
	assert_int_equal(tess_op_move(m, NULL, body, NULL), TESS_USAGE);
	assert_int_equal(tess_op_move(m, f, NULL, NULL), TESS_USAGE);
	assert_int_equal(tess_op_erase(NULL, f), TESS_USAGE);
	assert_int_equal(tess_op_erase(m, NULL), TESS_USAGE);
	assert_int_equal(tess_func_set_type(m, NULL, tess_func_type(f)), TESS_USAGE);
	assert_int_equal(tess_func_set_arg_attr(NULL, f, 0, "x", NULL), TESS_USAGE);
	assert_int_equal(tess_func_set_result_attr(m, NULL, 0, "x", NULL), TESS_USAGE);
	tess_module_free(m);
}

static void test_edit(void **state)
{
	(void)state;
	tess_module *m = parsed(two_uses);
	tess_op *f = tess_module_find(m, "main");
	tess_block *body = tess_op_body(f, 0);
	tess_op *tanh_op = tess_block_first(body);
	assert_int_equal(tess_op_erase(m, tanh_op), TESS_USAGE);
	tess_value_replace(tess_op_result(tanh_op, 0), tess_block_arg(body, 1));
	assert_int_equal(tess_op_erase(m, tanh_op), TESS_OK);
	assert_int_equal(tess_block_erase_arg(body, 1), TESS_USAGE);
	assert_int_equal(tess_op_set_operand(tess_block_first(body), 2, tess_block_arg(body, 0)),
	                 TESS_USAGE);
	tess_op_set_operand(tess_block_first(body), 1, tess_block_arg(body, 0));
	assert_int_equal(tess_op_set_attr(m, f, "sym_name", tess_attr_string(ctx, str("other"))),
	                 TESS_OK);
	assert_null(tess_module_find(m, "main"));
	assert_int_equal(tess_op_set_attr(m, f, "function_type", attr("i32")), TESS_USAGE);
	assert_int_equal(tess_func_set_arg_attr(m, f, 0, "jax.donated", attr("unit")),
	                 TESS_OK);
	assert_int_equal(tess_module_verify(m), TESS_OK);
	assert_program(m, "func.func @other(%a: tensor<4xf32> {jax.donated}, %b: tensor<4xf32>) -> "
	                  "tensor<4xf32> {\n"
	                  "  %0 = stablehlo.add %b, %a : tensor<4xf32>\n"
	                  "  return %0 : tensor<4xf32>\n}");
	tess_module_free(m);
}

/* Operations share lists of attributes. Changing one operation's leaves the others unchanged. */
static void test_equal_attributes(void **state)
{
	(void)state;
	tess_module *m = parsed("func.func @main(%a: tensor<4xf32>) {\n"
	                        "  %0 = stablehlo.tanh %a {a = 1, b = 2} : tensor<4xf32>\n"
	                        "  %1 = stablehlo.tanh %0 {a = 1, b = 2} : tensor<4xf32>\n"
	                        "  %2 = stablehlo.tanh %1 {a = 1, b = 2} : tensor<4xf32>\n"
	                        "  %3 = stablehlo.tanh %2 {a = 1, b = 2} : tensor<4xf32>\n"
	                        "  return\n}");
	tess_builder *b = tess_builder_new(m);
	tess_op *f = tess_module_find(m, "main");
	tess_op *at = tess_block_first(tess_op_body(f, 0));
	tess_op_copy(b, f);
	assert_int_equal(tess_op_set_attr(m, at, "a", attr("unit")), TESS_OK);
	at = tess_op_next(at);
	assert_int_equal(tess_op_set_attr(m, at, "a", NULL), TESS_OK);
	at = tess_op_next(at);
	assert_int_equal(tess_op_set_attr(m, at, "c", attr("unit")), TESS_OK);
	tess_op_erase(m, tess_module_find(m, "main_0"));
	assert_program(m, "func.func @main(%a: tensor<4xf32>) {\n"
	                  "  %0 = stablehlo.tanh %a {a, b = 2} : tensor<4xf32>\n"
	                  "  %1 = stablehlo.tanh %0 {b = 2} : tensor<4xf32>\n"
	                  "  %2 = stablehlo.tanh %1 {a = 1, b = 2, c} : tensor<4xf32>\n"
	                  "  %3 = stablehlo.tanh %2 {a = 1, b = 2} : tensor<4xf32>\n"
	                  "  return\n}");
	tess_builder_free(b);
	tess_module_free(m);
}

static void test_copies(void **state)
{
	(void)state;
	tess_module *m = parsed(two_uses), *other = tess_module_new(ctx);
	tess_builder *b = tess_builder_new(other);
	tess_op *first = tess_op_copy(b, tess_module_find(m, "main"));
	tess_op *second = tess_op_copy(b, tess_module_find(m, "main"));
	assert_ptr_equal(first, tess_module_find(other, "main"));
	assert_ptr_equal(second, tess_module_find(other, "main_0"));
	assert_int_equal(tess_op_move(other, second, tess_module_body(other), first), TESS_OK);
	assert_ptr_equal(tess_op_next(second), first);
	assert_int_equal(tess_op_move(other, first, tess_op_body(first, 0), NULL), TESS_USAGE);
	assert_int_equal(tess_op_erase(other, second), TESS_OK);
	assert_null(tess_module_find(other, "main_0"));
	tess_module_free(m); /* the copy is independent */
	assert_int_equal(tess_module_verify(other), TESS_OK);
	assert_program(other, two_uses);
	tess_builder_free(b);
	tess_module_free(other);
}

static void assert_name(const tess_value *v, const char *want)
{
	tess_str name = tess_value_name(v);
	assert_int_equal(name.len, strlen(want));
	assert_memory_equal(name.ptr ? name.ptr : "", want, name.len);
}

/* Values keep the text's names, also in a copy whose original is freed, and in another module. */
static void test_names(void **state)
{
	(void)state;
	tess_module *m = parsed("func.func @main(%a: tensor<4xf32>, %b.1: tensor<4xf32>) {\n"
	                        "  %c, // two names\n"
	                        "  %d:2 = stablehlo.optimization_barrier %a, %b.1, %a\n"
	                        "    : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>\n"
	                        "  %07=stablehlo.tanh %d#1 : tensor<4xf32>\n"
	                        "  return\n}");
	tess_module *copy = tess_module_clone(m), *other = tess_module_new(ctx);
	tess_builder *b = tess_builder_new(other);
	assert_non_null(tess_op_copy(b, tess_module_find(m, "main")));
	tess_value_set_name(
		copy, tess_block_arg(tess_op_body(tess_module_find(copy, "main"), 0), 0), "given");
	tess_module_free(m);
	for (int i = 0; i < 2; i++) {
		tess_block *body = tess_op_body(tess_module_find(i ? other : copy, "main"), 0);
		tess_op *barrier = tess_block_first(body);
		assert_name(tess_block_arg(body, 0), i ? "a" : "given");
		assert_name(tess_block_arg(body, 1), "b.1");
		assert_name(tess_op_result(barrier, 0), "c");
		assert_name(tess_op_result(barrier, 1), "d");
		assert_name(tess_op_result(barrier, 2), "d");
		assert_name(tess_op_result(tess_op_next(barrier), 0), "07");
	}
	tess_builder_free(b);
	tess_module_free(other);
	tess_module_free(copy);
}

static void test_function_type(void **state)
{
	(void)state;
	tess_module *m = parsed(two_uses);
	tess_op *f = tess_module_find(m, "main");
	tess_value *v = tess_block_add_arg(m, tess_op_body(f, 0), type("tensor<i1>"));
	tess_value *out[] = {v, tess_block_arg(tess_op_body(f, 0), 0)};
	assert_int_equal(tess_module_verify(m), TESS_INVALID);
	tess_diag_clear(ctx);
	tess_op_set_operands(m, tess_block_last(tess_op_body(f, 0)), out, 2);
	const tess_type *t = type(
		"(tensor<4xf32>, tensor<4xf32>, tensor<i1>) -> (tensor<i1>, tensor<4xf32>)");
	assert_int_equal(tess_func_set_type(m, f, t), TESS_OK);
	assert_int_equal(tess_module_verify(m), TESS_OK);
	tess_module_free(m);
}

static void assert_text(const tess_attr *a, const char *text)
{
	assert_non_null(a);
	tess_str have = lent(tess_attr_print(ctx, a));
	assert_int_equal(have.len, strlen(text));
	assert_memory_equal(have.ptr, text, have.len);
	assert_ptr_equal(attr(text), a);
}

static void test_attributes(void **state)
{
	(void)state;
	const int64_t n[] = {1, -2};
	const float f[] = {1, 2};
	const char *keys[] = {"b", "a"};
	const tess_attr *items[] = {tess_attr_bool(ctx, true), tess_attr_int(ctx, -1, 8)};
	assert_text(tess_attr_numbers(ctx, n, 2), "array<i64: 1, -2>");
	assert_text(tess_attr_dict(ctx, keys, items, 2), "{a = -1 : i8, b = true}");
	assert_text(tess_attr_array(ctx, items, 2), "[true, -1 : i8]");
	assert_text(tess_attr_float(ctx, 0.5, TESS_F32), "5.000000e-01 : f32");
	assert_text(tess_attr_elements(ctx, type("tensor<2xf32>"), f, 8),
	            "dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>");
	assert_text(tess_attr_elements(ctx, type("tensor<2xf32>"), f, 4),
	            "dense<1.000000e+00> : tensor<2xf32>");
	assert_text(tess_attr_symbol(ctx, "main"), "@main");
	assert_text(tess_attr_location(ctx, "a.py", 3, 4), "loc(\"a.py\":3:4)");
	assert_null(tess_attr_int(ctx, 300, 8));
	assert_null(tess_attr_elements(ctx, type("tensor<?xf32>"), f, 4));
	assert_null(attr("dense<[1, 2> : tensor<2xi32>"));
	assert_true(tess_diag_errors(ctx) > 0);

	size_t count;
	const int64_t *v = tess_attr_get_numbers(ctx, attr("dense<[3, 4]> : tensor<2xi8>"), &count);
	assert_true(v && count == 2);
	assert_int_equal(v[1], 4);
	assert_null(tess_attr_get_numbers(ctx, attr("7 : i32"), &count));
	assert_int_equal(count, 0);
	assert_non_null(tess_attr_get_numbers(ctx, attr("array<i64>"), &count));
	assert_int_equal(tess_attr_get_int(attr("7 : i32"), 0), 7);
	assert_true(isnan(tess_attr_get_float(attr("7 : i32"))));
	const tess_attr *dot = attr("#stablehlo.dot<lhs_contracting_dimensions = [1]>");
	tess_attr_get_numbers(ctx, tess_attr_find(dot, "lhs_contracting_dimensions"), &count);
	assert_int_equal(count, 1);
	assert_null(tess_attr_find(dot, "nothing"));
}

static void test_types(void **state)
{
	(void)state;
	const int64_t dims[] = {2, TESS_DYNAMIC};
	const tess_type *t = tess_type_tensor(ctx, TESS_BF16, dims, 2);
	assert_ptr_equal(t, type("tensor<2x?xbf16>"));
	assert_int_equal(tess_type_rank(t), 2);
	assert_int_equal(tess_type_dim(t, 1), TESS_DYNAMIC);
	assert_int_equal(tess_type_dim(t, 2), -1);
	const tess_type *pair[] = {t, type("!stablehlo.token")};
	assert_ptr_equal(tess_type_function(ctx, pair, 2, pair, 1),
	                 type("(tensor<2x?xbf16>, !stablehlo.token) -> tensor<2x?xbf16>"));
	assert_int_equal(tess_type_kind_of(type("tensor<*xf32>")), TESS_TYPE_UNRANKED);
	assert_int_equal(tess_type_rank(type("tensor<*xf32>")), -1);
	assert_non_null(tess_type_encoding(type("tensor<?xf32, #stablehlo.bounds<4>>")));
	assert_null(tess_type_tensor(ctx, TESS_F32, (int64_t[]){-3}, 1));
}

#ifdef TESS_HAVE_ZLIB
static void test_gzipped_text(void **state)
{
	(void)state;
	unsigned char packed[1024];
	z_stream z = {.next_in = (unsigned char *)two_uses, .avail_in = sizeof two_uses - 1,
	              .next_out = packed, .avail_out = sizeof packed};
	assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
	assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
	tess_str text = {(const char *)packed, sizeof packed - z.avail_out};
	deflateEnd(&z);
	tess_module *m = tess_module_parse(ctx, text, "packed", NULL);
	assert_non_null(m);
	assert_program(m, two_uses);
	tess_module_free(m);
	text.len -= 9;
	assert_null(tess_module_parse(ctx, text, "cut", NULL));
	assert_int_equal(tess_diag_errors(ctx), 1);
}
#endif

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_inferred_types),
		TEST(test_given_types_and_attributes),
		TEST(test_result_types),
		TEST(test_regions),
		TEST(test_sdy),
		TEST(test_misuse),
		TEST(test_walk),
		TEST(test_edit),
		TEST(nothing_to_change_is_wrong_usage),
		TEST(test_equal_attributes),
		TEST(test_copies),
		TEST(test_names),
		TEST(test_function_type),
		TEST(test_attributes),
		TEST(test_types),
#ifdef TESS_HAVE_ZLIB
		TEST(test_gzipped_text),
#endif
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
