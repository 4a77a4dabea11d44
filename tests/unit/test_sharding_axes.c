/* test_sharding_axes.c - lists of axes, and variants of shardings. */
#include "sharding_fixture.h"

/* Truncating at the first overlap: axes, against, result. */
static void truncation(void **state)
{
	static const char *const cases[][3] = {
		{"{\"a\", \"b\", \"c\", \"d\", \"e\"}", "{\"c\", \"e\", \"f\"}", "{\"a\", \"b\"}"},
		{"{\"a\", \"b\", \"c\", \"d\", \"e\"}", "{\"f\", \"e\", \"c\"}", "{\"a\", \"b\"}"},
		{"{\"a\", \"b\"}", "{\"c\"}", "{\"a\", \"b\"}"},
		{"{}", "{}", "{}"},
		{"{}", "{\"a\"}", "{}"},
		{"{\"a\"}", "{}", "{\"a\"}"},
		{"{\"a\", \"b\"}", "{\"a\", \"b\"}", "{}"},
		{"{\"a\"}", "{\"a\", \"b\"}", "{}"},
		{"{\"a\", \"b\"}", "{\"a\"}", "{}"},
		{"{\"a\", \"b\"}", "{\"b\"}", "{\"a\"}"},
		{"{\"a\", \"b\"}", "{\"a\":(4)2}", "{\"a\":(1)4}"},
		{"{\"a\"}", "{\"a\":(4)2}", "{\"a\":(1)4}"},
		{"{\"a\", \"b\"}", "{\"b\":(4)2}", "{\"a\", \"b\":(1)4}"},
		{"{\"a\", \"b\"}", "{\"b\":(4)2, \"b\":(2)2}", "{\"a\", \"b\":(1)2}"},
	};
	(void)state;
	for (int i = 0; i < COUNT(cases); i++) {
		axis_list l = axes_text(cases[i][0]);
		axis_ref *axes = COPY_N(&ctx->scratch, l.ptr, l.n);
		int n = axes_truncate_without_overlap(axes, l.n, axes_text(cases[i][1]));
		assert_string_equal(axes_string((axis_list){axes, n}), cases[i][2]);
	}
}

static void compare(void **state)
{
	static const char *const less[][2] = {
		{"{\"a\", \"b\"}", "{\"a\", \"c\"}"},  {"{\"a\", \"b\"}", "{\"b\", \"c\"}"},
		{"{\"a\", \"b\":(1)2}", "{\"a\", \"b\"}"}, {"{\"a\", \"c\"}", "{\"a\", \"b\", \"c\"}"},
		{"{}", "{\"a\"}"},
	};
	(void)state;
	for (int i = 0; i < COUNT(less); i++) {
		axis_list a = axes_text(less[i][0]), b = axes_text(less[i][1]);
		assert_true(axes_cmp(a, b) < 0 && axes_cmp(b, a) > 0);
		assert_int_equal(axes_cmp(a, a), 0);
		assert_true(axes_eq(a, a) && !axes_eq(a, b));
	}
	assert_int_equal(axes_cmp((axis_list){0}, (axis_list){0}), 0);
}

static void list_prefixes(void **state)
{
	static const char *const strict[][2] = {
		{"{}", "{\"a\"}"}, {"{\"a\"}", "{\"a\", \"b\"}"}, {"{\"a\":(1)2}", "{\"a\"}"},
		{"{\"a\", \"b\":(1)2}", "{\"a\", \"b\", \"c\"}"},
	};
	static const char *const no[][2] = {
		{"{\"b\"}", "{\"a\", \"b\"}"}, {"{\"a\":(2)2}", "{\"a\"}"},
		{"{\"a\":(1)2, \"b\"}", "{\"a\", \"b\"}"},
	};
	(void)state;
	for (int i = 0; i < COUNT(strict); i++) {
		axis_list a = axes_text(strict[i][0]), b = axes_text(strict[i][1]);
		assert_true(axes_prefix_of(a, b) && axes_prefix_of_strictly(a, b));
		assert_true(axes_prefix_of(a, a) && !axes_prefix_of_strictly(a, a));
		assert_false(axes_prefix_of(b, a));
	}
	for (int i = 0; i < COUNT(no); i++)
		assert_false(axes_prefix_of(axes_text(no[i][0]), axes_text(no[i][1])));
}

static void greatest_common_prefix(void **state)
{
	static const char *const cases[][3] = {
		{"{\"a\", \"b\"}", "{\"a\", \"c\"}", "{\"a\"}"},
		{"{\"a\", \"b\"}", "{\"a\", \"b\":(1)2, \"c\"}", "{\"a\", \"b\":(1)2}"},
		{"{\"a\"}", "{\"b\"}", "{}"},
		{"{\"a\"}", "{}", "{}"},
		{"{\"a\", \"b\"}", "{\"a\", \"b\"}", "{\"a\", \"b\"}"},
	};
	(void)state;
	for (int i = 0; i < COUNT(cases); i++) {
		axis_ref out[8];
		int n = axes_common_prefix(axes_text(cases[i][0]), axes_text(cases[i][1]), out);
		assert_string_equal(axes_string((axis_list){out, n}), cases[i][2]);
	}
}

/* The part of the first list that is not in the second. */
static void difference(void **state)
{
	static const char *const cases[][3] = {
		{"{}", "{\"c\", \"d\"}", "{}"},
		{"{\"b\", \"a\"}", "{}", "{\"b\", \"a\"}"},
		{"{\"a\", \"b\":(1)2}", "{\"b\":(1)2, \"a\"}", "{}"},
		{"{\"b\", \"a\"}", "{\"c\", \"d\":(1)2}", "{\"b\", \"a\"}"},
		{"{\"b\", \"a\"}", "{\"b\", \"d\"}", "{\"a\"}"},
		{"{\"b\", \"a\":(1)4}", "{\"a\", \"b\":(2)2}", "{\"b\":(1)2}"},
		{"{\"a\":(2)4}", "{\"a\":(1)4}", "{\"a\":(4)2}"},
		{"{\"b\":(1)2, \"a\"}", "{\"a\":(2)2, \"b\":(2)2}",
		 "{\"b\":(1)2, \"a\":(1)2, \"a\":(4)2}"},
		{"{\"a\"}", "{\"a\":(1)2, \"a\":(4)2}", "{\"a\":(2)2}"},
	};
	const mesh *m = mesh_text("<[\"a\"=8, \"b\"=4, \"c\"=2, \"d\"=4]>");
	(void)state;
	for (int i = 0; i < COUNT(cases); i++)
		assert_string_equal(axes_string(axes_minus(&ctx->scratch, axes_text(cases[i][0]),
		                                           axes_text(cases[i][1]), m)),
		                    cases[i][2]);
}

static void sort_and_merge(void **state)
{
	const mesh *m = mesh_text("<[\"d\"=8, \"a\"=8, \"b\"=8, \"c\"=8]>");
	axis_list l = axes_text("{\"b\":(4)2, \"a\":(1)2, \"d\":(4)2, \"c\", \"b\":(1)2, "
	                        "\"a\":(4)2, \"d\":(2)2, \"b\":(2)2}");
	axis_ref *axes = COPY_N(&ctx->scratch, l.ptr, l.n);
	(void)state;
	int n = axes_sort_and_merge(axes, l.n, m);
	assert_string_equal(axes_string((axis_list){axes, n}),
	                    "{\"d\":(2)4, \"a\":(1)2, \"a\":(4)2, \"b\", \"c\"}");
}

static void append_merges(void **state)
{
	const mesh *m = mesh_text("<[\"a\"=8, \"b\"=16]>");
	axes_vec v = {0};
	(void)state;
	axes_append(&v, &ctx->scratch, axis_text("\"b\":(2)2"), m);
	axes_append(&v, &ctx->scratch, axis_text("\"b\":(4)2"), m);
	axes_append(&v, &ctx->scratch, axis_text("\"b\":(8)2"), m);
	axes_append(&v, &ctx->scratch, axis_text("\"a\":(1)2"), m);
	axes_append(&v, &ctx->scratch, axis_text("\"a\":(2)4"), m);
	axes_append(&v, &ctx->scratch, axis_text("\"a\":(2)4"), m);
	assert_string_equal(axes_string((axis_list){v.ptr, v.len}),
	                    "{\"b\":(2)8, \"a\", \"a\":(2)4}");
}

static void first_overlapping(void **state)
{
	static const struct {
		const char *axis;
		int at;
	} cases[] = {
		{"\"a\"", -1}, {"\"a\":(1)2", -1}, {"\"y\":(2)2", -1}, {"\"y\":(16)4", -1},
		{"\"x\"", 0}, {"\"x\":(1)2", 0},
		{"\"y\"", 1}, {"\"y\":(1)2", 1}, {"\"y\":(1)4", 1}, {"\"y\":(1)32", 1},
		{"\"y\":(2)4", 2}, {"\"y\":(2)16", 2}, {"\"y\":(4)2", 2}, {"\"y\":(8)2", 2},
		{"\"y\":(32)4", 3}, {"\"z\"", 4},
	};
	axis_list l = axes_text("{\"x\", \"y\":(1)2, \"y\":(4)4, \"y\":(64)2, \"z\":(2)2}");
	(void)state;
	for (int i = 0; i < COUNT(cases); i++)
		assert_int_equal(axis_first_overlapping(axis_text(cases[i].axis), l), cases[i].at);
}

/* ---- meshes and shardings as values -------------------------------------- */

static void interning(void **state)
{
	const mesh *m = mesh_text("<[\"x\"=2, \"y\"=2]>");
	(void)state;
	assert_ptr_equal(m, mesh_text("<[\"x\"=2,\"y\"=2], device_ids=[0,1,2,3]>"));
	assert_ptr_not_equal(m, mesh_text("<[\"x\"=2, \"y\"=2], device_ids=[0, 1, 3, 2]>"));
	assert_ptr_not_equal(m, mesh_text("<[\"y\"=2, \"x\"=2]>"));
	assert_ptr_not_equal(mesh_text("<[]>"), mesh_text("<[], device_ids=[0]>"));
	assert_ptr_equal(sharding_text("<@m, [{\"x\"}]>"), sharding_text("<@m,[{\"x\"}]>"));
	static const char *const different[] = {
		"<@m, [{\"x\"}]>", "<@n, [{\"x\"}]>", "<@m, [{\"x\", ?}]>", "<@m, [{\"x\"}p0]>",
		"<@m, [{\"x\"}p1]>", "<@m, [{\"x\":(1)2}]>", "<@m, [{\"x\":(2)2}]>",
		"<@m, [{\"x\"}, {}]>", "<@m, [{\"x\"}], replicated={\"y\"}>",
		"<@m, [{\"x\"}], unreduced={\"y\"}>", "<@m, [{\"x\"}], unreduced=max{\"y\"}>",
		"<mesh<[\"x\"=2]>, [{\"x\"}]>",
	};
	for (int i = 0; i < COUNT(different); i++)
		for (int j = 0; j < i; j++)
			assert_ptr_not_equal(sharding_text(different[i]),
			                     sharding_text(different[j]));
}

/* Equal except for the order of devices. */
static void mesh_equality(void **state)
{
	static const char *const meshes[] = {
		"<[]>", "<[\"x\"=3, \"y\"=2]>", "<[\"x\"=2, \"y\"=3]>", "<[\"x\"=3, \"z\"=2]>",
		"<[\"y\"=2, \"x\"=3]>", "<[\"x\"=4, \"y\"=2]>", "<[\"x\"=4]>", "<[\"x\"=1]>",
		"<[], device_ids=[0]>",
	};
	(void)state;
	for (int i = 0; i < COUNT(meshes); i++)
		for (int j = 0; j < COUNT(meshes); j++)
			assert_int_equal(mesh_same_axes(mesh_text(meshes[i]), mesh_text(meshes[j])),
			                 i == j);
	assert_true(
		mesh_same_axes(mesh_text(meshes[1]),
	                       mesh_text("<[\"x\"=3, \"y\"=2], device_ids=[5, 4, 3, 2, 1, 0]>")));
	assert_true(mesh_same_axes(mesh_text("<[], device_ids=[3]>"),
	                           mesh_text("<[], device_ids=[5]>")));
}

/* More axes than linear search is used for. */
static void wide_mesh(void **state)
{
	enum { AXES = 1000 };
	mesh_axis axes[AXES];
	(void)state;
	for (int i = 0; i < AXES; i++)
		axes[i] = (mesh_axis){name_of_z(ctx, arena_printf(&ctx->scratch, "axis%d", i)),
		                      i % 100 ? 1 : 2};
	const mesh *m = mesh_of(ctx, axes, AXES, NULL, 0);
	assert_true(mesh_verify(ctx, m, NOWHERE));
	assert_int_equal(m->n_devices, 1024);
	for (int i = 0; i < AXES; i++)
		assert_int_equal(mesh_axis_index(m, axes[i].name), i);
	assert_int_equal(mesh_axis_index(m, name_of_z(ctx, "other")), -1);
	axes[AXES - 1].name = axes[3].name;
	assert_false(mesh_verify(ctx, mesh_of(ctx, axes, AXES, NULL, 0), NOWHERE));
	assert_int_equal(diag_at(ctx, 0)->code, E_MESH_AXIS_TWICE);
	diag_clear(ctx);
}

static void queries(void **state)
{
	const sharding *s = sharding_text("<@m, [{\"x\", \"z\":(2)2}, {\"w\", ?}], "
	                                  "replicated={\"u\", \"v\":(1)2}>");
	static const char *const used[] = {"x", "z", "w", "u", "v"};
	(void)state;
	for (int i = 0; i < COUNT(used); i++)
		assert_true(sharding_uses_axis(s, axis_full(name_of_z(ctx, used[i]))));
	assert_false(sharding_uses_axis(s, axis_full(name_of_z(ctx, "y"))));
	assert_true(sharding_is_fully_open(NULL));
	assert_true(sharding_is_fully_open(sharding_text("<@m, [{?}, {?}]>")));
	assert_false(sharding_is_fully_open(sharding_text("<@m, [{?}, {}]>")));
	assert_true(sharding_is_fully_replicated(sharding_text("<@m, [{?}, {}]>")));
	assert_false(sharding_is_fully_replicated(s));
	assert_true(sharding_is_fully_closed(sharding_text("<@m, [{\"x\"}, {}]>")));
	assert_false(sharding_is_fully_closed(s));
}

static void equivalence(void **state)
{
	static const struct {
		const char *a, *b;
		bool same;
	} cases[] = {
		{"<@m, [{\"x\"}p1, {?}], replicated={\"y\"}>", "<@m, [{\"x\", ?}, {}]>", true},
		{"<@m, [{}]>", "<@n, [{?}]>", true},
		{"<@m, [{\"x\"}]>", "<@n, [{\"x\"}]>", false},
		{"<@m, [{\"x\"}]>", "<@m, [{}]>", false},
		{"<@m, [{}], unreduced={\"x\"}>", "<@m, [{}]>", false},
		{"<@m, [{}], unreduced={\"x\"}>", "<@m, [{?}], unreduced={\"x\"}>", true},
		{"<@m, [{}], unreduced={\"x\"}>", "<@m, [{}], unreduced=max{\"x\"}>", false},
	};
	(void)state;
	for (int i = 0; i < COUNT(cases); i++) {
		const sharding *a = sharding_text(cases[i].a), *b = sharding_text(cases[i].b);
		assert_int_equal(sharding_is_equivalent(a, b), cases[i].same);
		assert_int_equal(sharding_is_equivalent(b, a), cases[i].same);
	}
	assert_true(sharding_is_equivalent(NULL, sharding_text("<@m, [{}]>")));
	assert_false(sharding_is_equivalent(sharding_text("<@m, [{\"x\"}]>"), NULL));
}

static void variants(void **state)
{
	const sharding *s = sharding_text("<@m, [{\"x\", ?}p1, {}], replicated={\"y\"}>");
	mesh_ref m = s->mesh;
	(void)state;
#define VARIANT(call, text) assert_ptr_equal((call), sharding_text(text))
	VARIANT(sharding_closed(ctx, s), "<@m, [{\"x\"}p1, {}], replicated={\"y\"}>");
	VARIANT(sharding_with_dim(ctx, s, 1, s->dims[0]),
	        "<@m, [{\"x\", ?}p1, {\"x\", ?}p1], replicated={\"y\"}>");
	VARIANT(sharding_with_dims(ctx, s, s->dims, 1), "<@m, [{\"x\", ?}p1], replicated={\"y\"}>");
	VARIANT(sharding_with_replicated(ctx, s, (axis_list){0}), "<@m, [{\"x\", ?}p1, {}]>");
	VARIANT(sharding_with_unreduced(ctx, s, axes_text("{\"z\"}"), RED_MIN),
	        "<@m, [{\"x\", ?}p1, {}], replicated={\"y\"}, unreduced=min{\"z\"}>");
	VARIANT(sharding_with_mesh(ctx, s, (mesh_ref){.symbol = name_of_z(ctx, "n")}),
	        "<@n, [{\"x\", ?}p1, {}], replicated={\"y\"}>");
	VARIANT(sharding_replicated(ctx, m, 2), "<@m, [{}, {}]>");
	VARIANT(sharding_open(ctx, m, 2), "<@m, [{?}, {?}]>");
	VARIANT(sharding_open(ctx, m, 0), "<@m, []>");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(truncation), cmocka_unit_test(compare),
		cmocka_unit_test(list_prefixes), cmocka_unit_test(greatest_common_prefix),
		cmocka_unit_test(difference), cmocka_unit_test(sort_and_merge),
		cmocka_unit_test(append_merges), cmocka_unit_test(first_overlapping),
		cmocka_unit_test(interning), cmocka_unit_test(mesh_equality),
		cmocka_unit_test(wide_mesh), cmocka_unit_test(queries),
		cmocka_unit_test(equivalence), cmocka_unit_test(variants),
	};
	return cmocka_run_group_tests(tests, fixture_open, fixture_close);
}
