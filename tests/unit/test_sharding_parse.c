/* test_sharding_parse.c - the sdy grammar of meshes, shardings and axis lists: accepted text prints
 * as in sdy, and errors have locations. */
#include "sharding_fixture.h"

/* ---- accepted text, and how it prints ------------------------------------------------------- */

typedef struct round_trip {
	const char *in, *out; /* out NULL: the same as `in` */
} round_trip;

static void meshes(void **state)
{
	static const round_trip cases[] = {
		{"<[]>", NULL},
		{"<[], device_ids=[0]>", NULL},
		{"<[], device_ids=[3]>", NULL},
		{"<[\"a\"=1]>", NULL},
		{"<[\"a\"=1], device_ids=[0]>", "<[\"a\"=1]>"},
		{"<[\"a\"=2], device_ids=[1, 0]>", NULL},
		{"<[\"a\"=2, \"b\"=1]>", NULL},
		{"<[\"a\"=2,\"b\"=2],device_ids=[0,1,2,3]>", "<[\"a\"=2, \"b\"=2]>"},
		{"< [ \"a\" = 0x10 ] // sixteen\n >", "<[\"a\"=16]>"},
		{"<[\"odd \\\\ \\22name\\22\\0A\"=2]>", "<[\"odd \\\\ \\22name\\22\\0A\"=2]>"},
		{"<[\"a\\\"b\"=2]>", "<[\"a\\22b\"=2]>"},
	};
	(void)state;
	for (int i = 0; i < COUNT(cases); i++)
		assert_string_equal(mesh_string(mesh_text(cases[i].in)),
		                    cases[i].out ? cases[i].out : cases[i].in);
}

static void shardings(void **state)
{
	static const round_trip cases[] = {
		{"<@m, []>", NULL},
		{"<@m, [{\"a\"}, {}]>", NULL},
		{"<@m, [{\"a\", ?}, {?}]>", NULL},
		{"<@m, [{\"a\", \"b\", ?}, {}]>", NULL},
		{"<@m, [{\"a\"}, {\"b\":(2)2}]>", NULL},
		{"<@m, [{\"a\":(1)2, \"b\", \"a\":(2)2}, {}]>", NULL},
		{"<@m, [{\"a\"}p0, {\"b\"}p12, {?}p3]>", NULL},
		{"<@m, [], replicated={\"b\"}>", NULL},
		{"<@m, [{}, {}], replicated={\"a\", \"b\":(2)2}>", NULL},
		{"<@m, [{}, {}], unreduced={\"a\", \"b\"}>", NULL},
		{"<@m, [{}, {}], unreduced=max{\"a\"}>", NULL},
		{"<@m, [{}, {}], unreduced=min{\"a\"}>", NULL},
		{"<@m, [{}, {}], unreduced=sum{\"a\"}>", "<@m, [{}, {}], unreduced={\"a\"}>"},
		{"<@m, [{}, {}], unreduced{\"a\"}>", "<@m, [{}, {}], unreduced={\"a\"}>"},
		{"<@m, [{}], unreduced={\"b\"}, replicated={\"a\"}>",
		 "<@m, [{}], replicated={\"a\"}, unreduced={\"b\"}>"},
		{"<mesh<[\"x\"=2, \"y\"=2]>, [{\"x\"}, {}]>", NULL},
		{"<mesh<[\"x\"=2], device_ids=[1, 0]>, [{\"x\"}]>", NULL},
		{"<mesh<[\"x\"=2], device_ids=[0, 1]>, [{\"x\"}]>", "<mesh<[\"x\"=2]>, [{\"x\"}]>"},
		{"<@\"odd name\", [{}]>", NULL},
		{"<@m.1_$, [{}]>", NULL},
		{"<\n  @m ,[ { \"a\" , ? } p1,{ } ] ,replicated = { \"c\" : ( 1 ) 2 }\n>",
		 "<@m, [{\"a\", ?}p1, {}], replicated={\"c\":(1)2}>"},
	};
	(void)state;
	for (int i = 0; i < COUNT(cases); i++) {
		const sharding *s = sharding_text(cases[i].in);
		assert_string_equal(sharding_string(s), cases[i].out ? cases[i].out : cases[i].in);
		assert_ptr_equal(s, sharding_text(sharding_string(s)));
	}
}

static void lists(void **state)
{
	uint32_t end;
	sharding_list l;
	axis_list axes;
	(void)state;
	assert_true(sharding_per_value_parse(ctx, text_source("<[<@m, [{}]>, <@n, []>]>"), 0, &end,
	                                     &l, NULL));
	assert_int_equal(l.n, 2);
	assert_int_equal(end, 24);
	assert_string_equal(sharding_string(l.ptr[1]), "<@n, []>");
	assert_true(sharding_per_value_parse(ctx, text_source("<[]>"), 0, &end, &l, NULL));
	assert_int_equal(l.n, 0);
	assert_true(axis_list_parse(ctx, text_source("{}"), 0, &end, &axes, NULL));
	assert_int_equal(axes.n, 0);
	assert_int_equal(diag_errors(ctx), 0);
}

/* Parsers read a part of a larger text and ignore the rest. */
static void amid_other_text(void **state)
{
	const char *text = "%0 = f <@m, [{\"a\"}p1]> { $ ^ \"";
	uint32_t end;
	sharding_places at;
	const sharding *s = sharding_parse(ctx, text_source(text), 7, &end, &at);
	(void)state;
	expect_no_errors();
	assert_string_equal(sharding_string(s), "<@m, [{\"a\"}p1]>");
	assert_int_equal(end, strchr(text, '>') + 1 - text);
	assert_int_equal(at.all.begin, 7);
	assert_int_equal(at.all.end, end);
	assert_int_equal(at.mesh.begin, 8);
	assert_int_equal(at.mesh.end, 10);
	assert_int_equal(at.dims[0].begin, 13);
	assert_int_equal(at.dims[0].end, 20);
	assert_int_equal(at.axes[0].begin, 14);
	assert_int_equal(at.axes[0].end, 17);
}

static void short_forms(void **state)
{
	uint32_t end;
	const mesh *m = mesh_parse_short(ctx, text_source("x=2, \"y z\"=4"), 0, &end);
	(void)state;
	assert_string_equal(mesh_string(m), "<[\"x\"=2, \"y z\"=4]>");
	m = mesh_parse_short(ctx, text_source("x=2,device_ids=[1,0]"), 0, &end);
	assert_string_equal(mesh_string(m), "<[\"x\"=2], device_ids=[1, 0]>");
	const sharding *s = sharding_parse_on(ctx,
	                                      text_source("[{\"x\"}, {?}], replicated={\"y\"}"), 0,
	                                      &end, (mesh_ref){.inlined = m}, NULL);
	expect_no_errors();
	assert_string_equal(sharding_string(s),
	                    "<mesh<[\"x\"=2], device_ids=[1, 0]>, [{\"x\"}, {?}], "
	                    "replicated={\"y\"}>");
}

/* ---- errors --------------------------------------------------------------------------------- */

typedef struct wrong {
	const char *text;
	diag_code code;
	int col; /* column of the only error, from 1 */
} wrong;

static void expect_error(const wrong *w)
{
	if (diag_errors(ctx) != 1 || diag_at(ctx, 0)->code != w->code ||
	    (int)diag_at(ctx, 0)->col != w->col) {
		writer out;
		writer_init(&out, &ctx->scratch);
		diag_render(ctx, &out, false);
		fail_msg("%s: expected code %d at column %d, got\n%.*s", w->text, (int)w->code,
		         w->col, STR_ARG(writer_str(&out)));
	}
	diag_clear(ctx);
}

static void wrong_meshes(void **state)
{
	static const wrong cases[] = {
		{"", E_SHARDING_SYNTAX, 1},
		{"<", E_SHARDING_SYNTAX, 2},
		{"<[", E_SHARDING_SYNTAX, 3},
		{"<[a=2]>", E_SHARDING_SYNTAX, 3},
		{"<[\"a\"]>", E_SHARDING_SYNTAX, 6},
		{"<[\"a\"=]>", E_SHARDING_SYNTAX, 7},
		{"<[\"a\"=2,]>", E_SHARDING_SYNTAX, 9},
		{"<[\"a\"=2", E_SHARDING_SYNTAX, 8},
		{"<[\"a\"=2]", E_SHARDING_SYNTAX, 9},
		{"<[\"a\"=2], ids=[0, 1]>", E_SHARDING_SYNTAX, 11},
		{"<[\"a\"=2], device_ids=[]>", E_SHARDING_SYNTAX, 23},
		{"<[\"a\n\"=2]>", E_SHARDING_SYNTAX, 3},
		{"<[\"a\\q\"=2]>", E_SHARDING_SYNTAX, 5},
		{"<[\"a\\4\"=2]>", E_SHARDING_SYNTAX, 5},
		{"<[\"a", E_SHARDING_SYNTAX, 3},
		{"<[\"a\\", E_SHARDING_SYNTAX, 3},
		{"<[\"a\"=9223372036854775808]>", E_SHARDING_NUMBER, 7},
		{"<[\"a\"=2, \"b\"=0]>", E_MESH_AXIS_SIZE, 10},
		{"<[\"a\"=-2]>", E_MESH_AXIS_SIZE, 3},
		{"<[\"a\"=2, \"b\"=2, \"a\"=4]>", E_MESH_AXIS_TWICE, 17},
		{"<[], device_ids=[-1]>", E_MESH_ID_NEGATIVE, 18},
		{"<[], device_ids=[1, 0]>", E_MESH_ID_WITHOUT_AXES, 21},
		{"<[\"a\"=2, \"b\"=2], device_ids=[0, 2, 1, 3, 4, 5]>", E_MESH_ID_COUNT, 1},
		{"<[\"a\"=2], device_ids=[0]>", E_MESH_ID_COUNT, 1},
		{"<[\"a\"=2], device_ids=[1, 1]>", E_MESH_ID_ORDER, 26},
		{"<[\"a\"=2], device_ids=[2, 1]>", E_MESH_ID_ORDER, 23},
		{"<[\"a\"=4294967296, \"b\"=4294967296]>", E_MESH_TOO_LARGE, 1},
	};
	(void)state;
	for (int i = 0; i < COUNT(cases); i++) {
		uint32_t end;
		assert_null(mesh_parse(ctx, text_source(cases[i].text), 0, &end));
		expect_error(&cases[i]);
	}
}

static void wrong_shardings(void **state)
{
	static const wrong cases[] = {
		{"", E_SHARDING_SYNTAX, 1},
		{"<[{}]>", E_SHARDING_SYNTAX, 2},
		{"<@, [{}]>", E_SHARDING_SYNTAX, 3},
		{"<@a::@b, []>", E_SHARDING_SYNTAX, 4},
		{"<mesh, []>", E_SHARDING_SYNTAX, 6},
		{"<mesh<[\"a\"=0]>, []>", E_MESH_AXIS_SIZE, 8},
		{"<@m [{}]>", E_SHARDING_SYNTAX, 5},
		{"<@m, [{}>", E_SHARDING_SYNTAX, 9},
		{"<@m, [{\"a\",}]>", E_SHARDING_SYNTAX, 12},
		{"<@m, [{\"a\" ?}]>", E_SHARDING_SYNTAX, 12},
		{"<@m, [{?, \"a\"}]>", E_SHARDING_SYNTAX, 9},
		{"<@m, [{\"a\", ?, ?}]>", E_SHARDING_SYNTAX, 14},
		{"<@m, [{a}]>", E_SHARDING_SYNTAX, 8},
		{"<@m, [{}, ]>", E_SHARDING_SYNTAX, 11},
		{"<@m, [{\"a\":2}]>", E_SHARDING_SYNTAX, 12},
		{"<@m, [{\"a\":(1)}]>", E_SHARDING_SYNTAX, 15},
		{"<@m, [{\"a\":(1)0}]>", E_SUB_AXIS_SIZE, 8},
		{"<@m, [{\"a\":(4294967296)4294967296}]>", E_SHARDING_NUMBER, 8},
		{"<@m, [{\"a\"}phigh]>", E_PRIORITY_SYNTAX, 12},
		{"<@m, [{\"a\"}p]>", E_PRIORITY_SYNTAX, 12},
		{"<@m, [{\"a\"}p1.5]>", E_PRIORITY_SYNTAX, 12},
		{"<@m, [{\"a\"}p01]>", E_PRIORITY_SYNTAX, 12},
		{"<@m, [{\"a\"}p9999999999999999999]>", E_SHARDING_NUMBER, 12},
		{"<@m, [{\"a\"}p-1]>", E_PRIORITY_SYNTAX, 12},
		{"<@m, [{}], replicated{\"a\"}>", E_SHARDING_SYNTAX, 22},
		{"<@m, [{}], replicated={}>", E_SHARDING_SYNTAX, 24},
		{"<@m, [{}], replicated={\"a\", b}>", E_SHARDING_SYNTAX, 29},
		{"<@m, [{}], replicated unreduced={\"a\"}>", E_SHARDING_SYNTAX, 23},
		{"<@m, [{}], unreduced=[\"a\"]>", E_SHARDING_SYNTAX, 22},
		{"<@m, [{}], unreduced=prod{\"a\"}>", E_SHARDING_SYNTAX, 22},
		{"<@m, [{}], unreduced max{\"a\"}>", E_SHARDING_SYNTAX, 22},
		{"<@m, [{}], unreduced={\"a\"[]}>", E_SHARDING_SYNTAX, 26},
		{"<@m, [{}],>", E_SHARDING_SYNTAX, 11},
		{"<@m, [{}], unknown={\"a\"}>", E_SHARDING_SYNTAX, 12},
		{"<@m, [{}], replicated={\"a\"}, >", E_SHARDING_SYNTAX, 30},
		{"<@m, [{}], replicated={\"a\"}, replicated={\"b\"}>", E_SHARDING_LIST_TWICE, 30},
		{"<@m, [{}], unreduced={\"a\"}, unreduced={\"b\"}>", E_SHARDING_LIST_TWICE, 29},
		{"<@m, [{}]", E_SHARDING_SYNTAX, 10},
	};
	(void)state;
	for (int i = 0; i < COUNT(cases); i++) {
		uint32_t end;
		sharding_places at;
		assert_null(sharding_parse(ctx, text_source(cases[i].text), 0, &end,
		                           i % 2 ? &at : NULL));
		expect_error(&cases[i]);
	}
}

static void wrong_lists(void **state)
{
	uint32_t end;
	sharding_list l;
	axis_list axes;
	(void)state;
	assert_false(sharding_per_value_parse(ctx, text_source("<[<@m, []>, ]>"), 0, &end, &l,
	                                      NULL));
	expect_error(&(wrong){"per value", E_SHARDING_SYNTAX, 13});
	assert_false(sharding_per_value_parse(ctx, text_source("<[<@m, []>"), 0, &end, &l, NULL));
	expect_error(&(wrong){"per value", E_SHARDING_SYNTAX, 11});
	assert_false(axis_list_parse(ctx, text_source("{\"a\",}"), 0, &end, &axes, NULL));
	expect_error(&(wrong){"axes", E_SHARDING_SYNTAX, 6});
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(meshes), cmocka_unit_test(shardings), cmocka_unit_test(lists),
		cmocka_unit_test(amid_other_text), cmocka_unit_test(short_forms),
		cmocka_unit_test(wrong_meshes), cmocka_unit_test(wrong_shardings),
		cmocka_unit_test(wrong_lists),
	};
	return cmocka_run_group_tests(tests, fixture_open, fixture_close);
}
