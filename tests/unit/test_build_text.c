/* Operations built from text: every custom syntax, names and locations, and errors. */
#include "../support/lent.h"
#include "build_fixture.h"

#include <stdio.h>

/* Returns the diagnostics of the context. */
static const char *rendered(void)
{
	static char text[2048];
	tess_str why = lent(tess_diag_render(ctx, false));
	snprintf(text, sizeof text, "%.*s", (int)why.len, why.ptr);
	return text;
}

/* ---- one operation for each kind of syntax, compared with a parsed program ------------------ */

typedef struct form_case {
	const char *built;  /* for the builder; its operands are some of the arguments */
	const char *parsed; /* the same operation as it is in a program */
	const char *given;  /* the arguments that are passed, by number: "01" */
	size_t n_results;
} form_case;

#define ARGS                                                                                       \
	"(%a0: tensor<4x8xf32>, %a1: tensor<4x8xf32>, %a2: tensor<8x2xf32>, %a3: tensor<f32>, "    \
	"%a4: tensor<i32>, %a5: tensor<4x8xi1>, %a6: tensor<4x8xbf16>)"
#define SUM                                                                                        \
	"({\n^bb0(%l: tensor<f32>, %r: tensor<f32>):\n %s = stablehlo.add %l, %r : tensor<f32>\n"  \
	"stablehlo.return %s : tensor<f32>\n})"

static const form_case form_cases[] = {
    {"stablehlo.tanh %0", "stablehlo.tanh %a0 : tensor<4x8xf32>", "0", 1},
    {"stablehlo.tanh %0 : tensor<4x8xf32>", "stablehlo.tanh %a0 : tensor<4x8xf32>", "0",
     1},
    {"\"stablehlo.tanh\"(%0)", "stablehlo.tanh %a0 : tensor<4x8xf32>", "0", 1},
    {"stablehlo.add %1, %0 {mhlo.note = \"n\"}",
     "stablehlo.add %a1, %a0 {mhlo.note = \"n\"} : tensor<4x8xf32>", "01", 1},
    {"stablehlo.add %0, %1", "stablehlo.add %a0, %a0 : tensor<4x8xf32>", "00", 1},
    {"stablehlo.compare GE, %0, %1",
     "stablehlo.compare GE, %a0, %a1 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>", "01",
     1},
    {"stablehlo.select %0, %1, %2",
     "stablehlo.select %a5, %a0, %a1 : tensor<4x8xi1>, tensor<4x8xf32>", "501", 1},
    {"stablehlo.dot_general %0, %1, contracting_dims = [1] x [0], precision = [HIGH, HIGH]",
     "stablehlo.dot_general %a0, %a2, contracting_dims = [1] x [0], precision = [HIGH, HIGH] : "
     "(tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>", "02", 1},
    {"stablehlo.dot_general %0, %1, batching_dims = [0] x [0], contracting_dims = [1] x [1] : "
     "(tensor<4x8xbf16>, tensor<4x8xbf16>) -> tensor<4xf32>",
     "stablehlo.dot_general %a6, %a6, batching_dims = [0] x [0], contracting_dims = [1] x [1] : "
     "(tensor<4x8xbf16>, tensor<4x8xbf16>) -> tensor<4xf32>", "66", 1},
    {"stablehlo.constant dense<[1, 2]> : tensor<2xi32>",
     "stablehlo.constant dense<[1, 2]> : tensor<2xi32>", "", 1},
    {"stablehlo.iota dim = 1 : tensor<2x3xi32>", "stablehlo.iota dim = 1 : tensor<2x3xi32>", "",
     1},
    {"stablehlo.concatenate %0, %1, dim = 0",
     "stablehlo.concatenate %a0, %a1, dim = 0 : (tensor<4x8xf32>, tensor<4x8xf32>) -> "
     "tensor<8x8xf32>", "01", 1},
    {"stablehlo.reduce(%0 init: %1) applies stablehlo.maximum across dimensions = [0]",
     "stablehlo.reduce(%a0 init: %a3) applies stablehlo.maximum across dimensions = [0] : "
     "(tensor<4x8xf32>, tensor<f32>) -> tensor<8xf32>", "03", 1},
    {"stablehlo.reduce(%0 init: %1) across dimensions = [1]\n"
     "reducer(%l: tensor<f32>, %r: tensor<f32>) {\n %s = stablehlo.add %r, %l\n"
     " stablehlo.return %s }",
     "stablehlo.reduce(%a0 init: %a3) across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> "
     "tensor<4xf32>\nreducer(%l: tensor<f32>, %r: tensor<f32>) {\n"
     " %s = stablehlo.add %r, %l : tensor<f32>\n stablehlo.return %s : tensor<f32>\n}",
     "03", 1},
    {"\"stablehlo.all_reduce\"(%0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> " SUM,
     "\"stablehlo.all_reduce\"(%a0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> " SUM
     " : (tensor<4x8xf32>) -> tensor<4x8xf32>", "0", 1},
    {"stablehlo.custom_call @f(%0, %1) {backend_config = \"x\"} : "
     "(tensor<4x8xf32>, tensor<i32>) -> tensor<2xf32>",
     "stablehlo.custom_call @f(%a0, %a4) {backend_config = \"x\"} : "
     "(tensor<4x8xf32>, tensor<i32>) -> tensor<2xf32>", "04", 1},
    {"stablehlo.while(%i = %0, %x = %1) cond {\n %c = stablehlo.compare LT, %i, %0\n"
     " stablehlo.return %c\n} do {\n %y = stablehlo.tanh %x\n stablehlo.return %i, %y\n}",
     "stablehlo.while(%i = %a4, %x = %a0) : tensor<i32>, tensor<4x8xf32> cond {\n"
     " %c = stablehlo.compare LT, %i, %a4 : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
     " stablehlo.return %c : tensor<i1>\n} do {\n %y = stablehlo.tanh %x : tensor<4x8xf32>\n"
     " stablehlo.return %i, %y : tensor<i32>, tensor<4x8xf32>\n}", "40", 2},
    {"\"stablehlo.case\"(%0) ({\n stablehlo.return %1, %2\n}, {\n stablehlo.return %2, %1\n})",
     "\"stablehlo.case\"(%a4) ({\n stablehlo.return %a0, %a1 : tensor<4x8xf32>, tensor<4x8xf32>\n}, "
     "{\n stablehlo.return %a1, %a0 : tensor<4x8xf32>, tensor<4x8xf32>\n}) : (tensor<i32>) -> "
     "(tensor<4x8xf32>, tensor<4x8xf32>)", "401", 2},
    {"\"stablehlo.sort\"(%0, %1) <{dimension = 1 : i64}> ({\n"
     "^bb0(%p: tensor<f32>, %q: tensor<f32>, %s: tensor<f32>, %t: tensor<f32>):\n"
     " %c = stablehlo.compare LT, %p, %q\n stablehlo.return %c\n})",
     "\"stablehlo.sort\"(%a0, %a1) <{dimension = 1 : i64}> ({\n"
     "^bb0(%p: tensor<f32>, %q: tensor<f32>, %s: tensor<f32>, %t: tensor<f32>):\n"
     " %c = stablehlo.compare LT, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>\n"
     " stablehlo.return %c : tensor<i1>\n}) : (tensor<4x8xf32>, tensor<4x8xf32>) -> "
     "(tensor<4x8xf32>, tensor<4x8xf32>)", "01", 2},
    {"stablehlo.composite \"my.negated\" %0 {decomposition = @negated}",
     "stablehlo.composite \"my.negated\" %a0 {decomposition = @negated} : (tensor<4x8xf32>) -> "
     "tensor<4x8xf32>", "0", 1},
    {"call @negated(%0)", "call @negated(%a0) : (tensor<4x8xf32>) -> tensor<4x8xf32>", "0",
     1},
    {"stablehlo.tuple %0, %1", "stablehlo.tuple %a0, %a4 : tuple<tensor<4x8xf32>, tensor<i32>>",
     "04", 1},
    {"chlo.top_k(%0, k = 2)",
     "chlo.top_k(%a0, k = 2) : tensor<4x8xf32> -> (tensor<4x2xf32>, tensor<4x2xi32>)", "0",
     2},
    {"stablehlo.optimization_barrier %0, %1",
     "stablehlo.optimization_barrier %a0, %a4 : tensor<4x8xf32>, tensor<i32>", "04",
     2},
    {"sdy.sharding_constraint %0 <@mesh, [{\"x\"}, {?}]>",
     "sdy.sharding_constraint %a0 <@mesh, [{\"x\"}, {?}]> : tensor<4x8xf32>", "0",
     1},
    {"stablehlo.negate %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{\"x\"}, {}]>]>}",
     "stablehlo.negate %a0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{\"x\"}, {}]>]>} : "
     "tensor<4x8xf32>", "0", 1},
    {"sdy.manual_computation(%0) in_shardings=[<@mesh, [{\"x\"}, {}]>] "
     "out_shardings=[<@mesh, [{\"x\"}, {}]>] manual_axes={\"x\"} (%p: tensor<2x8xf32>) {\n"
     " %n = stablehlo.negate %p\n sdy.return %n\n} : (tensor<4x8xf32>) -> tensor<4x8xf32>",
     "sdy.manual_computation(%a0) in_shardings=[<@mesh, [{\"x\"}, {}]>] "
     "out_shardings=[<@mesh, [{\"x\"}, {}]>] manual_axes={\"x\"} (%p: tensor<2x8xf32>) {\n"
     " %n = stablehlo.negate %p : tensor<2x8xf32>\n sdy.return %n : tensor<2x8xf32>\n} : "
     "(tensor<4x8xf32>) -> tensor<4x8xf32>", "0", 1},
    {"sdy.sharding_group %0 group_id=3", "sdy.sharding_group %a0 group_id=3 : tensor<4x8xf32>",
     "0", 0},
    {"stablehlo.convolution(%0, %1) dim_numbers = [b, f]x[i, o]->[b, f], window = {} "
     "{batch_group_count = 1 : i64, feature_group_count = 1 : i64}",
     "stablehlo.convolution(%a0, %a2) dim_numbers = [b, f]x[i, o]->[b, f], window = {} "
     "{batch_group_count = 1 : i64, feature_group_count = 1 : i64} : "
     "(tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>", "02", 1},
    {"\"my.op\"(%0) {a = 1 : i32} : (tensor<4x8xf32>) -> i32",
     "\"my.op\"(%a0) {a = 1 : i32} : (tensor<4x8xf32>) -> i32", "0", 1},
    {"stablehlo.tanh %0 loc(\"here\")", "stablehlo.tanh %a0 : tensor<4x8xf32> loc(\"here\")", "0",
     1},
    {"chlo.scan(%0) inits (%1) dimension=0 {\n^bb0(%x: tensor<8xf32>, %c: tensor<f32>):\n"
     " stablehlo.return %x, %c\n} : (tensor<4x8xf32>, tensor<f32>) -> (tensor<4x8xf32>, tensor<f32>)",
     "chlo.scan(%a0) inits (%a3) dimension=0 {\n^bb0(%x: tensor<8xf32>, %c: tensor<f32>):\n"
     " stablehlo.return %x, %c : tensor<8xf32>, tensor<f32>\n} : (tensor<4x8xf32>, tensor<f32>) -> "
     "(tensor<4x8xf32>, tensor<f32>)", "03", 2},
};

/* Lists the uses of each argument, newest first, as operand numbers. */
static void uses_of(tess_module *m, char *out, size_t size)
{
	tess_block *body = tess_op_body(tess_module_find(m, "main"), 0);
	size_t len = 0;
	for (size_t i = 0; i < tess_block_arg_count(body); i++) {
		for (tess_use *u = tess_value_uses(tess_block_arg(body, i)); u; u = tess_use_next(u)) {
			tess_str name = tess_op_name(tess_use_op(u));
			len += (size_t)snprintf(out + len, size - len, "%.*s %zu, ", (int)name.len,
			                        name.ptr, tess_use_index(u));
			assert_true(len < size);
		}
		len += (size_t)snprintf(out + len, size - len, "; ");
	}
}

static tess_module *form_program(const form_case *c, bool with_op)
{
	char text[4096];
	snprintf(text, sizeof text,
	         "sdy.mesh @mesh = <[\"x\"=2]>\n"
	         "func.func private @negated(%%x: tensor<4x8xf32>) -> tensor<4x8xf32> {\n"
	         " %%n = stablehlo.negate %%x : tensor<4x8xf32>\n return %%n : tensor<4x8xf32>\n}\n"
	         "func.func @main%s {\n %s%s%s%s\n return\n}", ARGS,
	         with_op && c->n_results ? "%res" : "", with_op && c->n_results == 2 ? ":2" : "",
	         with_op && c->n_results ? " = " : "", with_op ? c->parsed : "");
	tess_parse_opts opts = TESS_PARSE_OPTS_INIT;
	opts.allow_unregistered = true;
	tess_module *m = tess_module_parse(ctx, str(text), "test", &opts);
	if (!m)
		fail_msg("%s\n%s", text, rendered());
	return m;
}

static void build_form(const form_case *c)
{
	tess_module *want = form_program(c, true), *m = form_program(c, false);
	tess_block *body = tess_op_body(tess_module_find(m, "main"), 0);
	tess_builder *b = tess_builder_new(m);
	tess_builder_before(b, tess_block_first(body));
	tess_value *given[8];
	size_t n = strlen(c->given);
	for (size_t i = 0; i < n; i++)
		given[i] = tess_block_arg(body, (size_t)(c->given[i] - '0'));
	tess_op *o = tess_build_op(b, c->built, given, n);
	if (!o)
		fail_msg("%s\n%s", c->built, rendered());
	assert_int_equal(tess_op_result_count(o), c->n_results);
	tess_builder_free(b);
	assert_int_equal(tess_module_verify(m), TESS_OK);
	tess_print_opts opts = TESS_PRINT_OPTS_INIT;
	opts.locations = strstr(c->built, "loc(");
	tess_str have = lent(tess_module_print(m, &opts)),
		 text = lent(tess_module_print(want, &opts));
	if (have.len != text.len || memcmp(have.ptr, text.ptr, text.len))
		fail_msg("%.*s\ninstead of\n%.*s", (int)have.len, have.ptr, (int)text.len, text.ptr);
	char uses[2][1024];
	uses_of(m, uses[0], sizeof uses[0]);
	uses_of(want, uses[1], sizeof uses[1]);
	assert_string_equal(uses[0], uses[1]);
	tess_module_free(m);
	tess_module_free(want);
}

static void test_forms(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof form_cases / sizeof *form_cases; i++)
		build_form(&form_cases[i]);
}

/* Names other than numbers are kept. */
static void test_names_of_built(void **state)
{
	(void)state;
	tess_module *m = tess_module_new(ctx);
	const char *types[] = {"tensor<4x8xf32>"};
	tess_value *x[1];
	tess_builder *b = in_function(m, types, 1, "tensor<4x8xf32>", x);
	tess_op *o = tess_build_op(b, "%values, %order = chlo.top_k(%0, k = 2)", x, 1);
	assert_non_null(o);
	assert_string_equal(tess_value_name(tess_op_result(o, 0)).ptr, "values");
	assert_string_equal(tess_value_name(tess_op_result(o, 1)).ptr, "order");
	assert_int_equal(tess_value_name(MAKE(b, "%7 = stablehlo.tanh %0", x[0])).len, 0);
	tess_value *r = MAKE(b, "%sum = stablehlo.reduce(%0 init: %1) across dimensions = [0, 1]\n"
	                     "reducer(%so_far: tensor<f32>, %2: tensor<f32>) {\n"
	                     "  %s = stablehlo.add %so_far, %2\n  stablehlo.return %s\n}",
	                     x[0], MAKE(b, "stablehlo.constant dense<0.0> : tensor<f32>", x[0]));
	tess_block *body = tess_op_body(tess_value_op(r), 0);
	assert_string_equal(tess_value_name(r).ptr, "sum");
	assert_string_equal(tess_value_name(tess_block_arg(body, 0)).ptr, "so_far");
	assert_int_equal(tess_value_name(tess_block_arg(body, 1)).len, 0);
	assert_string_equal(tess_value_name(tess_op_result(tess_block_first(body), 0)).ptr, "s");
	tess_builder_free(b);
	tess_module_free(m);
}

static void test_location_of_built(void **state)
{
	(void)state;
	tess_module *m = tess_module_new(ctx);
	const char *types[] = {"tensor<4xf32>"};
	tess_value *x[1];
	tess_builder *b = in_function(m, types, 1, "tensor<4xf32>", x);
	const tess_attr *here = attr("loc(\"here\")");
	assert_non_null(here);
	tess_builder_set_location(b, here);
	assert_ptr_equal(tess_op_location(tess_value_op(MAKE(b, "stablehlo.tanh %0", x[0]))), here);
	tess_value *other = MAKE(b, "stablehlo.tanh %0 loc(\"there\")", x[0]);
	assert_ptr_equal(tess_op_location(tess_value_op(other)), attr("loc(\"there\")"));
	tess_builder_free(b);
	tess_module_free(m);
}

/* ---- errors --------------------------------------------------------------------------------- */

/* Texts that are errors for %0: tensor<4xf32> and %1: tensor<5xf32>. */
static const struct wrong_text {
	const char *text, *why;
} wrong_texts[] = {
    {"", "<operation>:1:1: error[E0100]: expected an op, found the end of the text"},
    {"stablehlo.tanh", "<operation>:1:15: error[E0100]: expected a value, %name, found the end"},
    {"stablehlo.tanh %9", "<operation>:1:16: error[E0104]: no value is named %9 here; "
                          "the operands are %0 to %1"},
    {"stablehlo.tanh %x", "<operation>:1:16: error[E0104]: no value is named %x here"},
    {"stablehlo.tanh %0#1", "<operation>:1:16: error[E0104]: %0 has 1 result"},
    {"stablehlo.add %0, %1", "<operation>:1:1: error[E0304]: 'stablehlo.add' op has operands of types "
                             "tensor<4xf32> and tensor<5xf32>, expected the same shape"},
    {"stablehlo.tan %0 : tensor<5xf32>",
     "<operation>:1:15: error[E0106]: the type of this value is tensor<4xf32>, not tensor<5xf32>"},
    {"stablehlo.tanh %0 stablehlo.tanh %0",
     "<operation>:1:19: error[E0100]: expected the end of the operation, found 'stablehlo.tanh'"},
    {"stablehlo.tanh %0\nstablehlo.tanh %0", "<operation>:1:18: error[E0100]: expected the end"},
    {"stablehlo.tanh %0 }", "<operation>:1:19: error[E0100]: expected the end of the operation"},
    {"stablehlo.tanx %0", "<operation>:1:1: error[E0103]: unknown op stablehlo.tanx"},
    {"\"stablehlo.tanx\"(%0) : (tensor<4xf32>) -> i32",
     "<operation>:1:1: error[E0103]: there is no op stablehlo.tanx"},
    {"stablehlo.convert %0",
     "<operation>:1:1: error[E0303]: the result types of stablehlo.convert do not follow from its operands; write them"},
    {"\"my.op\"(%0)", "<operation>:1:1: error[E0303]: the result types of my.op"},
    {"stablehlo.transpose %0, dims = [0, 1]",
     "<operation>:1:32: error[E0304]: 'stablehlo.transpose' op permutes 2 dimensions"},
    {"stablehlo.transpose %0, dims = [3]", "<operation>:1:33: error[E0304]: 'stablehlo.transpose' op has 3"},
    {"\"stablehlo.transpose\"(%0)",
     "<operation>:1:1: error[E0302]: 'stablehlo.transpose' op attribute 'permutation' is required"},
    {"stablehlo.slice %0 [0:9]", "<operation>:1:23: error[E0304]: 'stablehlo.slice' op ends at 9"},
    {"stablehlo.compare LT, %0, %1, FLOAT",
     "<operation>:1:1: error[E0304]: 'stablehlo.compare' op has operands of types"},
    {"stablehlo.dot_general %0, %1, contracting_dims = [0] x [0]",
     "<operation>:1:57: error[E0304]: 'stablehlo.dot_general' op pairs dimension 0 of size 4"},
    {"\"stablehlo.reduce\"(%0, %1) <{dimensions = array<i64: 0>}> ({})",
     "<operation>:1:1: error[E0305]: 'stablehlo.reduce' op has an empty region 0"},
    {"\"stablehlo.reduce\"(%0, %1) <{dimensions = array<i64: 0>}>",
     "<operation>:1:1: error[E0300]: 'stablehlo.reduce' op has 0 regions, expected 1"},
    {"\"stablehlo.case\"(%0)", "<operation>:1:1: error[E0303]: the result types of stablehlo.case"},
    {"\"stablehlo.async_start\"(%0)",
     "<operation>:1:1: error[E0300]: 'stablehlo.async_start' op has 0 regions, expected 1"},
    {"%0 = stablehlo.tanh %1", "<operation>:1:1: error[E0105]: %0 is defined already"},
    {"%a, %b = stablehlo.tanh %0",
     "<operation>:1:1: error[E0107]: stablehlo.tanh has 1 result, but 2 are named"},
    {"cf.br ^bb1", "<operation>:1:7: error[E0104]: there is no block ^bb1 in this region"},
    {"func.func @f() {\n  %x = stablehlo.tanh %0 : tensor<4xf32>\n  return\n}",
     "<operation>:2:23: error[E0104]: %0 is defined outside of this region"},
    {"call @nobody(%0)", "<operation>:1:1: error[E0303]: the result types of func.call"},
    {"\"stablehlo.if\"(%0) ({\n  stablehlo.return %later\n}, {\n})",
     "<operation>:2:20: error[E0106]: this value is defined later, if at all"},
    {"stablehlo.constant dense<1.0>", "<operation>:1:30: error[E0100]: expected ':'"},
    {"sdy.sharding_constraint %0 <@mesh, [{\"x\", \"x\"}]",
     "<operation>:1:48: error[E0230]: expected '>', found the end"},
    {"#loc = loc(unknown)", "<operation>:1:1: error[E0100]: expected an op"},
    {"\x01\xff", "<operation>:1:1: error[E0100]: this character does not belong here"},
};

static void test_wrong_texts(void **state)
{
	(void)state;
	tess_module *m = parsed("func.func @main(%a: tensor<4xf32>, %b: tensor<5xf32>) {\n return\n}");
	tess_block *body = tess_op_body(tess_module_find(m, "main"), 0);
	tess_value *x[] = {tess_block_arg(body, 0), tess_block_arg(body, 1)};
	tess_str empty = lent(tess_module_print(m, NULL));
	char *before = strndup(empty.ptr, empty.len);
	for (size_t i = 0; i < sizeof wrong_texts / sizeof *wrong_texts; i++) {
		const struct wrong_text *w = &wrong_texts[i];
		tess_builder *b = tess_builder_new(m);
		tess_builder_before(b, tess_block_first(body));
		assert_null(tess_build_op(b, w->text, x, 2));
		assert_int_equal(tess_builder_status(b), TESS_INVALID);
		if (strncmp(rendered(), w->why, strlen(w->why)) != 0)
			fail_msg("'%s':\n%s\ninstead of\n%s", w->text, rendered(), w->why);
		tess_diag_clear(ctx);
		assert_null(tess_value_uses(x[0])); /* the failed operation left no uses */
		assert_null(tess_value_uses(x[1]));
		tess_str print = lent(tess_module_print(m, NULL));
		assert_int_equal(print.len, strlen(before));
		assert_memory_equal(print.ptr, before, print.len);
		tess_builder_free(b);
	}
	free(before);
	tess_module_free(m);
}

/* %0 to %4999, where every second operand is the same value. */
static void test_many_operands(void **state)
{
	enum { N = 5000 };
	(void)state;
	tess_module *m = tess_module_new(ctx);
	const char *types[] = {"tensor<4xf32>", "tensor<4xf32>"};
	tess_value *x[2], **all = calloc(N, sizeof *all);
	tess_builder *b = in_function(m, types, 2, "tensor<4xf32>", x);
	char *text = calloc(N, 16);
	size_t len = (size_t)sprintf(text, "stablehlo.tuple %%0");
	for (size_t i = 0; i < N; i++) {
		all[i] = x[i % 2];
		if (i)
			len += (size_t)sprintf(text + len, ", %%%zu", i);
	}
	tess_value *t = tess_build1(b, text, all, N);
	assert_non_null(t);
	for (size_t i = 0; i < N; i++)
		assert_ptr_equal(tess_op_operand(tess_value_op(t), i), x[i % 2]);
	assert_non_null(tess_build1(b, "stablehlo.tanh %1500", all, N));
	assert_null(tess_build1(b, "stablehlo.tanh %1500", all, 1500));
	free(text);
	free(all);
	tess_builder_free(b);
	tess_module_free(m);
}

/* ---- running out of memory ------------------------------------------------------------------ */

static long requests, fail_at; /* the allocation that fails, from 1; 0: none */

static void *failing_realloc(void *user, void *old, size_t size)
{
	(void)user;
	if (size && ++requests == fail_at)
		return NULL;
	if (size)
		return realloc(old, size);
	free(old);
	return NULL;
}

/* A reduction with a body so large that it allocates memory many times. */
static char *large_text(void)
{
	enum { N = 3000 };
	char *text = calloc(N + 10, 40);
	size_t len = (size_t)sprintf(text, "%%sum = stablehlo.reduce(%%0 init: %%1) across dimensions = "
	                             "[0]\nreducer(%%l: tensor<f32>, %%r: tensor<f32>) {\n"
	                             "%%s = stablehlo.add %%l, %%1\n");
	for (int i = 0; i < N; i++)
		len += (size_t)sprintf(text + len, "%%n%d = stablehlo.tanh %%r\n", i);
	sprintf(text + len, "stablehlo.return %%s\n}");
	return text;
}

/* Tries to build it in a new context. Returns true if it was built. */
static bool built_or_nothing(const char *text, long n)
{
	tess_ctx_opts opts = TESS_CTX_OPTS_INIT;
	opts.realloc = failing_realloc;
	fail_at = 0;
	tess_ctx *outer = ctx;
	ctx = tess_ctx_new(&opts);
	tess_module *m = parsed("func.func @main(%a: tensor<4xf32>, %b: tensor<f32>) {\n return\n}");
	tess_block *body = tess_op_body(tess_module_find(m, "main"), 0);
	tess_value *x[] = {tess_block_arg(body, 0), tess_block_arg(body, 1)};
	tess_builder *b = tess_builder_new(m);
	tess_builder_set_location(b, attr("loc(\"here\")"));
	tess_builder_before(b, tess_block_first(body));
	requests = 0;
	fail_at = n;
	bool made = tess_build_op(b, text, x, 2);
	fail_at = 0;
	assert_int_equal(tess_builder_status(b), made ? TESS_OK : TESS_NOMEM);
	assert_true(!tess_value_uses(x[0]) == !made && !tess_value_uses(x[1]) == !made);
	assert_int_equal(tess_op_is(tess_block_first(body), "stablehlo.reduce"), made);
	assert_int_equal(tess_module_verify(m), TESS_OK);
	tess_builder_free(b);
	tess_module_free(m);
	tess_ctx_free(ctx);
	ctx = outer;
	return made;
}

static void test_no_memory(void **state)
{
	long n = 1;
	char *text = large_text();
	(void)state;
	while (!built_or_nothing(text, n))
		n++;
	assert_true(n > 10);
	free(text);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_forms), TEST(test_names_of_built), TEST(test_location_of_built),
		TEST(test_wrong_texts), TEST(test_many_operands), TEST(test_no_memory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
