/* test_builders.c - each builder of tessera/ops.h: given the operands, the attributes and, where
 * they do not follow, the result types of an operation, it makes that operation again. */
#include "module_fixture.h"

#include <stdio.h>
#include <tessera/ops.h>

enum { MOST = 8, LONGEST = 80 };

/* An operation of the program, taken apart. */
typedef struct instance {
	const tess_op *op;
	tess_value *operands[MOST];
	const tess_type *types[MOST];
	size_t n_operands, n_types;
	char words[4][LONGEST];
	int n_words;
} instance;

typedef struct builder_row {
	const char *op;
	tess_op *(*make)(tess_builder *b, instance *i);
	int times;
} builder_row;

/* Where a group starts of n values: `singles` groups hold one, `lists` groups share the others;
 * `singles_before` and `lists_before` of them stand before this one. */
static size_t place(size_t n, size_t singles, size_t lists, size_t singles_before,
                    size_t lists_before)
{
	return singles_before + (lists ? lists_before * ((n - singles) / lists) : 0);
}

static const tess_attr *attribute(instance *i, const char *name)
{
	const tess_attr *a = tess_op_attr(i->op, name);
	if (!a)
		fail_msg("%s has no attribute %s", tess_op_name(i->op).ptr, name);
	return a;
}

static int64_t whole(instance *i, const char *name)
{
	return tess_attr_get_int(attribute(i, name), -77);
}

static const char *word(instance *i, const char *name)
{
	tess_str text = tess_attr_text(attribute(i, name));
	char *to = i->words[i->n_words++];
	assert_true(text.ptr && text.len < LONGEST);
	snprintf(to, LONGEST, "%.*s", (int)text.len, text.ptr);
	return to;
}

static const int64_t *numbers(instance *i, const char *name)
{
	const int64_t *v = NULL;
	tess_attr_get_numbers(ctx, attribute(i, name), &v);
	return v;
}

static size_t count(instance *i, const char *name)
{
	const int64_t *v;
	return (size_t)tess_attr_get_numbers(ctx, attribute(i, name), &v);
}

/* Of sdy's operations it is the sharding of their result. */
static const tess_sharding *placement(instance *i, const char *name)
{
	const tess_attr *a = tess_op_attr(i->op, name);
	return a ? tess_attr_get_sharding(a) : tess_value_sharding(tess_op_result(i->op, 0));
}

static tess_op *owner(tess_value *v) { return v ? tess_value_op(v) : NULL; }

#include "builder_calls.h"

static instance taken_apart(const tess_op *o)
{
	instance i = {.op = o,
	              .n_operands = tess_op_operand_count(o),
	              .n_types = tess_op_result_count(o)};
	assert_true(i.n_operands <= MOST && i.n_types <= MOST);
	for (size_t k = 0; k < i.n_operands; k++)
		i.operands[k] = tess_op_operand(o, k);
	for (size_t k = 0; k < i.n_types; k++)
		i.types[k] = tess_value_type(tess_op_result(o, k));
	return i;
}

static void assert_like(tess_module *m, const instance *i, tess_op *made)
{
	tess_str name = tess_op_name(i->op);
	assert_true(tess_op_name(made).len == name.len);
	assert_memory_equal(tess_op_name(made).ptr, name.ptr, name.len);
	assert_int_equal(tess_op_operand_count(made), i->n_operands);
	for (size_t k = 0; k < i->n_operands; k++)
		assert_ptr_equal(tess_op_operand(made, k), i->operands[k]);
	assert_int_equal(tess_op_result_count(made), i->n_types);
	for (size_t k = 0; k < i->n_types; k++) {
		tess_value *r = tess_op_result(made, k), *want = tess_op_result(i->op, k);
		assert_ptr_equal(tess_value_type(r), i->types[k]);
		if (tess_value_sharding(r))
			assert_ptr_equal(tess_value_sharding(r), tess_value_sharding(want));
	}
	assert_int_equal(tess_op_region_count(made), tess_op_region_count(i->op));
	/* What may be left out comes afterwards; what the builder gave must be right by now. */
	for (size_t k = 0; k < tess_op_attr_count(i->op); k++) {
		tess_str key;
		const tess_attr *a = tess_op_attr_at(i->op, k, &key);
		char text[LONGEST];
		snprintf(text, sizeof text, "%.*s", (int)key.len, key.ptr);
		const tess_attr *have = tess_op_attr(made, text);
		if (have)
			assert_ptr_equal(have, a);
		else
			assert_int_equal(tess_op_set_attr(m, made, text, a), TESS_OK);
	}
	assert_int_equal(tess_op_attr_count(made), tess_op_attr_count(i->op));
}

static builder_row *row_of(const tess_op *o)
{
	for (size_t i = 0; i < sizeof builder_rows / sizeof *builder_rows; i++)
		if (tess_op_is(o, builder_rows[i].op))
			return &builder_rows[i];
	return NULL;
}

static void test_every_builder(void **state)
{
	(void)state;
	char *text = calloc(1, 1 << 17);
	FILE *f = fopen(TEST_DATA "/text/every_operation.mlir", "r");
	assert_non_null(f);
	fread(text, 1, (1 << 17) - 1, f);
	fclose(f);
	tess_module *m = parsed(text);
	free(text);
	tess_op *top = tess_module_op(m), *next;
	for (tess_op *o = tess_op_walk(top, top); o; o = next) {
		next = tess_op_walk(o, top);
		builder_row *row = row_of(o);
		if (!row) { /* its builder is in tessera/build.h */
			assert_true(tess_op_is(o, "func.func"));
			continue;
		}
		tess_builder *b = tess_builder_new(m);
		tess_builder_before(b, o);
		instance i = taken_apart(o);
		tess_op *made = row->make(b, &i);
		if (!made || tess_builder_status(b) != TESS_OK) {
			tess_str why = tess_diag_render(ctx, false);
			fail_msg("%s is not built: %.*s", row->op, (int)why.len, why.ptr);
		}
		row->times++;
		assert_like(m, &i, made);
		assert_int_equal(tess_op_erase(m, made), TESS_OK);
		tess_builder_free(b);
	}
	for (size_t i = 0; i < sizeof builder_rows / sizeof *builder_rows; i++)
		if (!builder_rows[i].times)
			fail_msg("%s is not in the program", builder_rows[i].op);
	tess_module_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_every_builder, setup, teardown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
