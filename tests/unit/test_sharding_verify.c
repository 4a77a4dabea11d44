/* test_sharding_verify.c - every invariant of a sharding: which violation is found, with which
 * code, at which axis. */
#include "sharding_fixture.h"

#define MESH "<[\"a\"=8, \"b\"=2, \"c\"=12]>"

/* The text goes between "<@m, " and ">"; columns count from its first character. All diagnostics
 * are compared, but no notes. */
typedef struct verify_case {
	const char *text;
	int rank;
	struct {
		diag_code code;
		int col;
	} want[3];
} verify_case;

static void explain_failure(const verify_case *c)
{
	writer w;
	writer_init(&w, &ctx->scratch);
	diag_render(ctx, &w, false);
	fail_msg("%s:\n%.*s", c->text, STR_ARG(writer_str(&w)));
}

static void check_case(const verify_case *c, const char *mesh_name)
{
	enum { BEFORE = 5 }; /* "<@m, " */
	const char *text = arena_printf(&ctx->scratch, "<@m, %s>", c->text);
	uint32_t end;
	sharding_places at;
	const sharding *s = sharding_parse(ctx, text_source(text), 0, &end, &at);
	expect_no_errors();
	bool ok = sharding_verify(ctx, s, mesh_text(mesh_name), c->rank, &at);
	int wanted = 0;
	for (int i = 0; i < diag_count(ctx); i++) {
		const diag *d = diag_at(ctx, i);
		if (d->severity == TESS_SEVERITY_NOTE)
			continue;
		if (wanted >= COUNT(c->want) || d->code != c->want[wanted].code ||
		    (int)d->col != c->want[wanted].col + BEFORE)
			explain_failure(c);
		wanted++;
	}
	if (wanted < COUNT(c->want) && c->want[wanted].code)
		explain_failure(c);
	assert_int_equal(ok, wanted == 0);
	diag_clear(ctx);
	/* Without positions, the result is the same. */
	assert_int_equal(sharding_verify(ctx, s, mesh_text(mesh_name), c->rank, NULL), ok);
	diag_clear(ctx);
}

static void sound(void **state)
{
	static const verify_case cases[] = {
		{"[{}, {?}]", 2, {{0}}},
		{"[{\"a\"}, {\"b\", ?}]", 2, {{0}}},
		{"[{\"a\", \"b\"}, {\"c\"}]", 2, {{0}}},
		{"[{\"a\":(1)2}, {\"a\":(2)2}], replicated={\"a\":(4)2}", 2, {{0}}},
		/* a full axis between two parts, and parts in reverse order: nothing to merge */
		{"[{\"a\":(1)2, \"b\", \"a\":(2)2}]", 1, {{0}}},
		{"[{\"a\":(2)2, \"a\":(1)2}]", 1, {{0}}},
		{"[], replicated={\"a\", \"b\"}", 0, {{0}}},
		{"[{}], replicated={\"a\":(1)2, \"a\":(4)2, \"b\"}, unreduced={\"c\"}", 1, {{0}}},
		{"[{\"a\"}p0, {?}p7]", 2, {{0}}},
		{"[{\"c\":(1)2}, {\"c\":(2)3}, {\"c\":(6)2}]", 3, {{0}}},
		{"[{\"c\":(1)2}, {\"c\":(6)2}]", -1, {{0}}},
	};
	(void)state;
	for (int i = 0; i < COUNT(cases); i++)
		check_case(&cases[i], MESH);
}

static void broken(void **state)
{
	static const verify_case cases[] = {
		{"[{}, {\"b\"}]", 1, {{E_SHARDING_RANK, -4}}},
		{"[{}, {\"d\"}]", 2, {{E_AXIS_UNKNOWN, 7}}},
		{"[{}], replicated={\"d\"}", 1, {{E_AXIS_UNKNOWN, 19}}},
		{"[{}], unreduced={\"d\":(2)2}", 1, {{E_AXIS_UNKNOWN, 18}}},

		{"[{\"b\", \"b\"}]", 1, {{E_AXIS_TWICE, 8}}},
		{"[{\"b\"}, {\"b\"}]", 2, {{E_AXIS_TWICE, 10}}},
		{"[{}, {\"b\"}], replicated={\"b\"}", 2, {{E_AXIS_TWICE, 26}}},
		{"[{}, {\"b\"}], unreduced={\"b\"}", 2, {{E_AXIS_TWICE, 25}}},
		{"[{}], replicated={\"b\"}, unreduced={\"b\"}", 1, {{E_AXIS_TWICE, 36}}},
		{"[{}], replicated={\"b\", \"b\"}", 1, {{E_AXIS_TWICE, 24}}},
		{"[{}], unreduced={\"b\", \"b\"}", 1, {{E_AXIS_TWICE, 23}}},
		{"[{\"a\":(2)2}], replicated={\"a\":(2)2}", 1, {{E_AXIS_TWICE, 27}}},
		/* each further use is an error */
		{"[{\"b\"}, {\"b\"}, {\"b\"}]", 3, {{E_AXIS_TWICE, 10}, {E_AXIS_TWICE, 17}}},

		{"[{\"a\"}], replicated={\"a\":(2)2}", 1, {{E_AXIS_AND_SUB_AXIS, 22}}},
		{"[{\"a\"}], unreduced={\"a\":(2)2}", 1, {{E_AXIS_AND_SUB_AXIS, 21}}},
		{"[{\"a\":(4)2}, {\"a\"}]", 2, {{E_AXIS_AND_SUB_AXIS, 15}}},

		{"[{\"a\":(1)4}, {\"a\":(2)4}]", 2, {{E_SUB_AXES_OVERLAP, 15}}},
		{"[{\"a\":(2)4}, {}], replicated={\"a\":(1)4}", 2, {{E_SUB_AXES_OVERLAP, 31}}},
		{"[{\"c\":(1)2}, {\"c\":(3)2}]", 2, {{E_SUB_AXES_CUT, 15}}},

		{"[{\"a\":(1)2, \"a\":(2)2}]", 1, {{E_SUB_AXES_MERGE, 13}}},
		{"[{}], replicated={\"a\":(2)2, \"a\":(4)2}", 1, {{E_SUB_AXES_MERGE, 29}}},
		{"[{}], unreduced={\"a\":(2)2, \"a\":(4)2}", 1, {{E_SUB_AXES_MERGE, 28}}},

		{"[{\"a\":(-1)2}]", 1, {{E_SUB_AXIS_PRE_SIZE, 3}}},
		{"[{\"a\":(0)2}]", 1, {{E_SUB_AXIS_PRE_SIZE, 3}}},
		{"[{\"a\":(2)1}]", 1, {{E_SUB_AXIS_SIZE, 3}}},
		{"[{\"a\":(2)-2}]", 1, {{E_SUB_AXIS_SIZE, 3}}},
		{"[{\"a\":(3)2}]", 1, {{E_SUB_AXIS_DIVIDES, 3}}},
		{"[{\"a\":(2)3}]", 1, {{E_SUB_AXIS_DIVIDES, 3}}},
		{"[{\"a\":(4)4}]", 1, {{E_SUB_AXIS_DIVIDES, 3}}},
		{"[{\"a\":(1)8}]", 1, {{E_SUB_AXIS_FULL, 3}}},

		{"[{}], replicated={\"b\", \"a\"}", 1, {{E_REPLICATED_ORDER, 24}}},
		{"[{}], replicated={\"a\":(4)2, \"a\":(1)2, \"b\"}", 1, {{E_REPLICATED_ORDER, 29}}},
		{"[{}], unreduced={\"c\", \"b\"}", 1, {{E_UNREDUCED_ORDER, 23}}},
		{"[{}], unreduced={\"a\":(4)2, \"a\":(1)2}", 1, {{E_UNREDUCED_ORDER, 28}}},

		{"[{\"a\"}, {}p3]", 2, {{E_PRIORITY_EMPTY, 9}}},

		/* all errors are reported, in the order of the text */
		{"[{\"a\":(3)2}, {\"d\"}, {\"b\", \"b\"}]", 3,
		 {{E_SUB_AXIS_DIVIDES, 3}, {E_AXIS_UNKNOWN, 15}, {E_AXIS_TWICE, 27}}},
	};
	(void)state;
	for (int i = 0; i < COUNT(cases); i++)
		check_case(&cases[i], MESH);
}

static void size_one_axes(void **state)
{
	static const verify_case twice = {"[{\"a\"}, {\"a\"}]", 2, {{E_AXIS_TWICE, 10}}};
	static const verify_case part = {"[{\"a\":(1)2}]", 1, {{E_SUB_AXIS_DIVIDES, 3}}};
	(void)state;
	check_case(&twice, "<[\"a\"=1, \"b\"=2]>");
	check_case(&part, "<[\"a\"=1, \"b\"=2]>");
}

static void one_device(void **state)
{
	static const verify_case cases[] = {
		{"[]", 2, {{0}}}, /* the whole tensor on that device, whatever its rank */
		{"[{}, {}]", 2, {{E_SHARDING_MAXIMAL, -4}}},
		{"[], replicated={\"a\"}", 0, {{E_SHARDING_MAXIMAL, -4}}},
		{"[], unreduced={\"a\"}", 0, {{E_SHARDING_MAXIMAL, -4}}},
	};
	(void)state;
	for (int i = 0; i < COUNT(cases); i++)
		check_case(&cases[i], "<[], device_ids=[3]>");
}

static void other_errors(void **state)
{
	const sharding *s = sharding_text("<@nowhere, [{}]>");
	sharding t = *s;
	dim_sharding dim = {.priority = -7, .open = true};
	(void)state;
	assert_false(sharding_verify(ctx, s, NULL, 1, NULL));
	assert_int_equal(diag_at(ctx, 0)->code, E_SHARDING_MESH);
	diag_clear(ctx);
	t.dims = &dim;
	assert_false(sharding_verify(ctx, sharding_of(ctx, &t), mesh_text(MESH), 1, NULL));
	assert_int_equal(diag_at(ctx, 0)->code, E_PRIORITY_NEGATIVE);
	diag_clear(ctx);
}

/* The note about a conflict points at the other axis. */
static void notes(void **state)
{
	const char *text = "<@m, [{\"b\"}, {\"a\", \"b\"}]>";
	uint32_t end;
	sharding_places at;
	const sharding *s = sharding_parse(ctx, text_source(text), 0, &end, &at);
	(void)state;
	assert_false(sharding_verify(ctx, s, mesh_text(MESH), 2, &at));
	assert_int_equal(diag_count(ctx), 2);
	assert_string_equal(diag_at(ctx, 0)->message.ptr, "axis \"b\" already shards dimension 0");
	assert_int_equal(diag_at(ctx, 1)->severity, TESS_SEVERITY_NOTE);
	assert_int_equal(diag_at(ctx, 1)->col, 8);
	diag_clear(ctx);
}

/* Ten thousand uses of one axis give as many errors, and take no quadratic time. */
static void hostile(void **state)
{
	enum { N = 10000 };
	writer w;
	(void)state;
	writer_init(&w, &ctx->scratch);
	put_lit(&w, "<@m, [{");
	for (int i = 0; i < N; i++)
		put_z(&w, i ? ", \"a\":(2)2" : "\"a\":(2)2");
	put_lit(&w, "}]>");
	put_c(&w, 0);
	const sharding *s = sharding_text(w.ptr);
	assert_false(sharding_verify(ctx, s, mesh_text(MESH), 1, NULL));
	assert_int_equal(diag_errors(ctx), N - 1);
	diag_clear(ctx);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sound), cmocka_unit_test(broken), cmocka_unit_test(size_one_axes),
		cmocka_unit_test(one_device), cmocka_unit_test(other_errors),
		cmocka_unit_test(notes), cmocka_unit_test(hostile),
	};
	return cmocka_run_group_tests(tests, fixture_open, fixture_close);
}
