/* Every operation, built from its text. The operations of text/every_operation.mlir are replaced,
 * one by one, by operations that a builder makes from their text, and the program still prints the
 * same. This is done with the types in the text, and without trailing types. */
#include "module_fixture.h"

#include "../support/lent.h"
#include <ctype.h>
#include <stdio.h>
#include <tessera/build.h>

enum { MOST = 16, LONGEST = 4096, NAMES = 512 };

/* A value, and its name in the current function. */
typedef struct named {
	char name[40];
	tess_value *first;
} named;

typedef struct names {
	named list[NAMES];
	size_t n;
} names;

/* The text of an operation for a builder. */
typedef struct text_of_op {
	char text[LONGEST];
	size_t len;
	tess_value *operands[MOST];
	size_t n;
} text_of_op;

static void add_name(names *all, tess_value *v)
{
	tess_str name = tess_value_name(v);
	assert_true(all->n < NAMES && name.len < sizeof all->list->name);
	named *to = &all->list[all->n++];
	snprintf(to->name, sizeof to->name, "%.*s", (int)name.len, name.ptr);
	to->first = v;
}

static tess_value *find_value(const names *all, const char *name, size_t len, size_t number)
{
	for (size_t i = 0; i < all->n; i++)
		if (strlen(all->list[i].name) == len && !memcmp(all->list[i].name, name, len))
			return number ? tess_op_result(tess_value_op(all->list[i].first), number)
			              : all->list[i].first;
	return NULL;
}

static size_t operand_number(text_of_op *t, tess_value *v)
{
	size_t i = 0;
	while (i < t->n && t->operands[i] != v)
		i++;
	assert_true(i < MOST);
	t->operands[i] = v;
	t->n += i == t->n;
	return i;
}

static void put_text(text_of_op *t, const char *text, size_t len)
{
	assert_true(t->len + len < LONGEST);
	memcpy(t->text + t->len, text, len);
	t->len += len;
	t->text[t->len] = 0;
}

/* At a '%': appends the name that the builder knows. @return the end of the name */
static const char *put_name(text_of_op *t, const names *all, const char *s)
{
	char word[64];
	const char *from = ++s;
	while (isalnum((unsigned char)*s) || *s == '_')
		s++;
	size_t len = (size_t)(s - from), number = 0;
	char *behind = (char *)s;
	if (*s == '#')
		number = strtoul(s + 1, &behind, 10);
	tess_value *v = find_value(all, from, len, number);
	if (v)
		snprintf(word, sizeof word, "%%%zu", operand_number(t, v));
	else /* a value defined in a region */
		snprintf(word, sizeof word, "%%x%.*s", (int)len, from);
	put_text(t, word, strlen(word));
	return v ? behind : s;
}

/* Converts the text of a program: drops the names of the results. */
static text_of_op taken_over(const char *begin, const char *end, const names *all)
{
	text_of_op t = {.len = 0};
	const char *s = begin;
	if (*s == '%')
		s = strstr(s, " = ") + 3;
	while (s < end)
		if (*s == '%')
			s = put_name(&t, all, s);
		else
			put_text(&t, s++, 1);
	return t;
}

/* Cuts off the types: the text after the last ':' on its line that is outside brackets. Returns
 * false if there is none, or if the ':' is required: before the type of an attribute, and in
 * check.expect_close. */
static bool without_types(text_of_op *t)
{
	size_t cut = 0;
	int depth = 0;
	if (strstr(t->text, "constant ") || strstr(t->text, "_const ") ||
	    strstr(t->text, "expect_close"))
		return false;
	for (size_t i = 0; i < t->len; i++) {
		char c = t->text[i];
		bool arrow = c == '>' && i && t->text[i - 1] == '-';
		depth += strchr("([{<", c) != NULL;
		depth -= strchr(")]}>", c) && !arrow;
		if (!depth && !strncmp(t->text + i, " : ", 3))
			cut = i;
	}
	if (!cut)
		return false;
	const char *rest = strchr(t->text + cut, '\n'); /* cond, or reducer */
	memmove(t->text + cut, rest ? rest : "", rest ? strlen(rest) + 1 : 1);
	t->len = strlen(t->text);
	return true;
}

/* ---- the program, operation by operation --------------------------------------------------- */

typedef struct rebuilding {
	tess_module *m;
	bool typed;
	char kept[LONGEST]; /* names of the operations that need their types, one per line */
	size_t built;
} rebuilding;

/* Returns the end of the operation that starts at `s`: the next line indented by four spaces. */
static const char *op_end(const char *s)
{
	while ((s = strchr(s, '\n')) && !strncmp(s, "\n    ", 5) &&
	       (strchr(" ^}", s[5]) || !strncmp(s + 5, "cond {", 6)))
		s++;
	assert_non_null(s);
	return s;
}

/* Returns the diagnostics of the context. */
static const char *rendered(void)
{
	static char text[2048];
	tess_str why = lent(tess_diag_render(ctx, false));
	snprintf(text, sizeof text, "%.*s", (int)why.len, why.ptr);
	return text;
}

static void keep(rebuilding *r, const tess_op *o)
{
	tess_str name = tess_op_name(o);
	size_t len = strlen(r->kept);
	assert_true(len + name.len + 2 < LONGEST);
	snprintf(r->kept + len, LONGEST - len, "%.*s\n", (int)name.len, name.ptr);
	tess_diag d;
	if (tess_diag_count(ctx) != 1 || !tess_diag_get(ctx, 0, &d) ||
	    !strstr(d.message.ptr, "do not follow from its operands"))
		fail_msg("%.*s: %s", (int)name.len, name.ptr, rendered());
	tess_diag_clear(ctx);
}

/* @return the operation that replaces `o` */
static tess_op *rebuild(rebuilding *r, tess_op *o, text_of_op *t)
{
	if (!r->typed && !without_types(t))
		return o;
	tess_builder *b = tess_builder_new(r->m);
	tess_builder_before(b, o);
	tess_op *made = tess_build_op(b, t->text, t->operands, t->n);
	assert_int_equal(tess_builder_status(b), made ? TESS_OK : TESS_INVALID);
	tess_builder_free(b);
	if (!made && r->typed)
		fail_msg("%s\n%s", t->text, rendered());
	if (!made) {
		keep(r, o);
		return o;
	}
	assert_int_equal(tess_op_result_count(made), tess_op_result_count(o));
	for (size_t i = 0; i < tess_op_result_count(o); i++) {
		assert_ptr_equal(tess_value_type(tess_op_result(made, i)),
		                 tess_value_type(tess_op_result(o, i)));
		tess_value_replace(tess_op_result(o, i), tess_op_result(made, i));
	}
	assert_int_equal(tess_op_erase(r->m, o), TESS_OK);
	r->built++;
	return made;
}

static void rebuild_function(rebuilding *r, tess_op *f, const char *text)
{
	names *all = calloc(1, sizeof *all);
	tess_block *body = tess_op_body(f, 0);
	for (size_t i = 0; i < tess_block_arg_count(body); i++)
		add_name(all, tess_block_arg(body, i));
	for (tess_op *o = tess_block_first(body); o; o = tess_op_next(o)) {
		const char *end = op_end(text);
		text_of_op t = taken_over(text, end, all);
		size_t before = all->n;
		for (size_t i = 0; i < tess_op_result_count(o); i++)
			add_name(all, tess_op_result(o, i));
		o = rebuild(r, o, &t);
		for (size_t i = 0; i < tess_op_result_count(o); i++)
			all->list[before + i].first = tess_op_result(o, i);
		text = end + strspn(end, "\n ");
	}
	free(all);
}

static void rebuild_program(rebuilding *r)
{
	char *text = calloc(1, 1 << 17);
	FILE *f = fopen(TEST_DATA "/text/every_operation.mlir", "r");
	assert_non_null(f);
	fread(text, 1, (1 << 17) - 1, f);
	fclose(f);
	r->m = parsed(text);
	tess_str print = lent(tess_module_print(r->m, NULL));
	char *want = strndup(print.ptr, print.len);
	for (tess_op *o = tess_block_first(tess_module_body(r->m)); o; o = tess_op_next(o)) {
		char head[80];
		if (!tess_op_is(o, "func.func"))
			continue;
		tess_str name = tess_attr_text(tess_op_attr(o, "sym_name"));
		snprintf(head, sizeof head, "func.func @%.*s(", (int)name.len, name.ptr);
		const char *at = strstr(text, head);
		if (!at) /* a private function, which is a declaration or called by others */
			continue;
		at = strchr(at, '\n');
		rebuild_function(r, o, at + strspn(at, "\n "));
	}
	print = lent(tess_module_print(r->m, NULL));
	char *have = strndup(print.ptr, print.len);
	assert_string_equal(have, want);
	assert_int_equal(tess_module_verify(r->m), TESS_OK);
	free(have);
	free(want);
	free(text);
	tess_module_free(r->m);
}

static void test_with_types(void **state)
{
	rebuilding r = {.typed = true};
	(void)state;
	rebuild_program(&r);
	assert_string_equal(r.kept, "");
	assert_true(r.built > 350);
}

/* Operations that convert, have an unknown shape or one from an operand, or are unregistered. */
static const char must_be_written[] =
    "stablehlo.convert\n"
    "chlo.constant_like\n"
    "chlo.ragged_dot\n"
    "chlo.scan\n"
    "arith.extf\n"
    "arith.truncf\n"
    "arith.extsi\n"
    "arith.extui\n"
    "arith.trunci\n"
    "arith.sitofp\n"
    "arith.uitofp\n"
    "arith.fptosi\n"
    "arith.fptoui\n"
    "arith.bitcast\n"
    "arith.index_cast\n"
    "arith.index_castui\n"
    "tensor.empty\n"
    "tensor.dim\n"
    "tensor.cast\n"
    "tensor.extract\n"
    "tensor.insert\n"
    "tensor.from_elements\n"
    "tensor.reshape\n"
    "shape.shape_of\n"
    "shape.const_shape\n"
    "shape.broadcast\n"
    "shape.concat\n"
    "shape.num_elements\n"
    "shape.to_extent_tensor\n"
    "shape.value_as_shape\n"
    "shape.cstr_broadcastable\n"
    "shape.cstr_eq\n"
    "quant.qcast\n"
    "quant.scast\n"
    "quant.dcast\n"
    "builtin.unrealized_conversion_cast\n"
    "interpreter.run_parallel\n"
    "sdy.manual_computation\n"
    "stablehlo.recv\n"
    "stablehlo.recv\n"
    "stablehlo.infeed\n"
    "stablehlo.infeed\n"
    "stablehlo.rng\n"
    "stablehlo.rng_bit_generator\n"
    "stablehlo.all_gather\n"
    "stablehlo.reduce_scatter\n"
    "stablehlo.set_dimension_size\n"
    "stablehlo.torch_index_select\n"
    "stablehlo.einsum\n"
    "stablehlo.unary_einsum\n"
    "stablehlo.real_dynamic_slice\n"
    "stablehlo.dynamic_reshape\n"
    "stablehlo.dynamic_iota\n"
    "stablehlo.dynamic_pad\n"
    "stablehlo.dynamic_broadcast_in_dim\n"
    "stablehlo.dynamic_conv\n"
    "stablehlo.dynamic_gather\n"
    "stablehlo.bitcast_convert\n"
    "stablehlo.uniform_quantize\n"
    "stablehlo.broadcast_in_dim\n"
    "stablehlo.iota\n"
    "stablehlo.reshape\n"
    "stablehlo.custom_call\n";

static void test_without_types(void **state)
{
	rebuilding r = {.typed = false};
	(void)state;
	rebuild_program(&r);
	assert_string_equal(r.kept, must_be_written);
	assert_true(r.built > 240);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_with_types, setup, teardown),
		cmocka_unit_test_setup_teardown(test_without_types, setup, teardown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
