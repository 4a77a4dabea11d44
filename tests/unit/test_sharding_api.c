/* test_sharding_api.c - meshes and shardings through the public header, in the order of Shardy's
 * document on the representation. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../support/lent.h"
#include <tessera/sharding.h>

static tess_ctx *ctx;

static int open_ctx(void **state)
{
	(void)state;
	ctx = tess_ctx_new(NULL);
	return ctx ? 0 : -1;
}

static int close_ctx(void **state)
{
	(void)state;
	tess_ctx_free(ctx);
	return 0;
}

static tess_str str(const char *s)
{
	return (tess_str){s, strlen(s)};
}

static void expect_sound(void)
{
	if (tess_diag_count(ctx)) {
		tess_str all = lent(tess_diag_render(ctx, false));
		fail_msg("%.*s", (int)all.len, all.ptr);
	}
}

static const tess_mesh *mesh(const char *text)
{
	const tess_mesh *m = tess_mesh_parse(ctx, str(text), "mesh");
	expect_sound();
	assert_non_null(m);
	return m;
}

static const tess_sharding *sharding(const char *text, const tess_mesh *m)
{
	const tess_sharding *s = tess_sharding_parse(ctx, str(text), "sharding", m, TESS_ANY_RANK);
	expect_sound();
	assert_non_null(s);
	return s;
}

/* Expects that the text is refused, with this code first, pointing at this part. */
static void refused(const char *text, const tess_mesh *m, int rank, const char *code,
                    const char *at)
{
	tess_diag d = {0};
	assert_null(tess_sharding_parse(ctx, str(text), "sharding", m, rank));
	assert_true(tess_diag_get(ctx, 0, &d));
	assert_string_equal(d.code, code);
	assert_string_equal(d.file, "sharding");
	if (strncmp(text + d.col - 1, at, strlen(at)) != 0 || d.end_col - d.col != strlen(at))
		fail_msg("points at %d..%d of %s", (int)d.col, (int)d.end_col, text);
	tess_diag_clear(ctx);
}

static void expect_text(tess_str got, const char *want)
{
	assert_int_equal(got.len, strlen(want));
	assert_memory_equal(got.ptr, want, got.len);
}

static void expect_local(const tess_sharding *s, const tess_mesh *m, int rank,
                         const int64_t *global, const int64_t *want)
{
	int64_t local[4];
	assert_int_equal(tess_sharding_local_shape(s, m, global, rank, local), TESS_OK);
	assert_memory_equal(local, want, sizeof(int64_t) * (size_t)rank);
}
#define DIMS(...) ((const int64_t[]){__VA_ARGS__})

/* ---- the document, line by line ------------------------------------------ */

/* A mesh is a list of names and sizes. Its devices are in row-major order. */
static void logical_mesh(void **state)
{
	const tess_mesh *m = mesh("<[\"x\"=2, \"y\"=2]>");
	tess_mesh_axis a;
	(void)state;
	assert_int_equal(tess_mesh_axis_count(m), 2);
	assert_true(tess_mesh_axis_get(m, 1, &a));
	expect_text(a.name, "y");
	assert_int_equal(a.size, 2);
	assert_false(tess_mesh_axis_get(m, 2, &a));
	assert_int_equal(tess_mesh_device_count(m), 4);
	for (int64_t i = 0; i < 4; i++)
		assert_int_equal(tess_mesh_device_at(m, i), i);
	expect_text(lent(tess_mesh_print(ctx, m)), "<[\"x\"=2, \"y\"=2]>");
	assert_ptr_equal(m, mesh("x=2,y=2"));
	assert_ptr_equal(m, mesh(" #sdy.mesh<[\"x\"=2, \"y\"=2]> "));
}

static void device_ids(void **state)
{
	const tess_mesh *m = mesh("<[\"x\"=2, \"y\"=2], device_ids=[0, 2, 1, 3]>");
	(void)state;
	assert_int_equal(tess_mesh_device_at(m, 1), 2);
	assert_int_equal(tess_mesh_position_of(m, 1), 2);
	assert_int_equal(tess_mesh_device_at(m, 4), -1);
	assert_int_equal(tess_mesh_device_at(m, -1), -1);
	assert_int_equal(tess_mesh_position_of(m, 4), -1);
	/* device ids in order are the same as none */
	assert_ptr_equal(mesh("<[\"x\"=2], device_ids=[0, 1]>"), mesh("<[\"x\"=2]>"));
}

/* Dimensions list axes major to minor. The remaining axes are replicated. */
static void bound_sharding(void **state)
{
	const tess_mesh *m = mesh("x=2,y=4,z=2");
	const tess_sharding *s = sharding("<@mesh_xyz, [{\"x\"}, {\"z\", \"y\"}]>", m);
	tess_axis a;
	(void)state;
	assert_int_equal(tess_sharding_rank(s), 2);
	expect_text(tess_sharding_mesh_name(s), "mesh_xyz");
	assert_null(tess_sharding_mesh(s));
	assert_int_equal(tess_sharding_axis_count(s, 1), 2);
	assert_true(tess_sharding_axis_get(s, 1, 0, &a));
	expect_text(a.name, "z");
	assert_int_equal(a.size, 0);
	assert_false(tess_sharding_axis_get(s, 1, 2, &a));
	assert_false(tess_sharding_axis_get(s, 2, 0, &a));
	assert_int_equal(tess_sharding_axis_count(s, TESS_AXES_REPLICATED), 0);
	assert_int_equal(tess_sharding_shards(s, m, 1), 8);
	assert_int_equal(tess_sharding_shards(s, m, 2), 0);
	expect_local(s, m, 2, DIMS(4, 8), DIMS(2, 1));
}

static void open_and_closed(void **state)
{
	const tess_sharding *s = sharding("<@m, [{\"x\", ?}, {\"y\"}, {?}]>", NULL);
	(void)state;
	assert_true(tess_sharding_is_open(s, 0));
	assert_false(tess_sharding_is_open(s, 1));
	assert_true(tess_sharding_is_open(s, 2));
	assert_false(tess_sharding_is_open(s, 3));
	expect_text(lent(tess_sharding_print(ctx, s)), "<@m, [{\"x\", ?}, {\"y\"}, {?}]>");
}

/* In mesh order; parts of an axis by increasing pre-size. These axes are not used on dimensions. */
static void explicitly_replicated(void **state)
{
	const tess_mesh *m = mesh("x=2,y=8");
	const tess_sharding *s =
		sharding("<@m, [{}], replicated={\"x\", \"y\":(1)2, \"y\":(4)2}>", m);
	tess_axis a;
	(void)state;
	assert_int_equal(tess_sharding_axis_count(s, TESS_AXES_REPLICATED), 3);
	assert_true(tess_sharding_axis_get(s, TESS_AXES_REPLICATED, 2, &a));
	expect_text(a.name, "y");
	assert_int_equal(a.pre, 4);
	assert_int_equal(a.size, 2);
	/* arrays may be in any order; a text like that is refused */
	const tess_axis axes[] = {{str("y"), 4, 2}, {str("x"), 0, 0}, {str("y"), 1, 2}};
	const tess_dim_spec dim = {.priority = TESS_NO_PRIORITY};
	tess_sharding_spec spec = TESS_SHARDING_SPEC_INIT;
	spec.mesh_name = "m";
	spec.mesh = m;
	spec.dims = &dim;
	spec.rank = 1;
	spec.replicated = axes;
	spec.n_replicated = 3;
	assert_ptr_equal(tess_sharding_make(ctx, &spec), s);
	refused("<@m, [{}], replicated={\"y\":(4)2, \"x\", \"y\":(1)2}>", m, 1, "E0223", "\"x\"");
	refused("<@m, [{\"x\"}], replicated={\"x\"}>", m, 1, "E0213", "\"x\"");
	refused("<@m, [{\"y\":(2)2}], replicated={\"y\"}>", m, 1, "E0215", "\"y\"");
}

/* Reshape of 8 elements to 2x4 keeps every element where it is. */
static void sub_axes(void **state)
{
	const tess_mesh *m = mesh("x=4");
	const tess_sharding *flat = sharding("<@m, [{\"x\"}]>", m);
	const tess_sharding *split = sharding("<@m, [{\"x\":(1)2}, {\"x\":(2)2}]>", m);
	(void)state;
	expect_local(split, m, 2, DIMS(2, 4), DIMS(1, 2));
	for (int64_t device = 0; device < 4; device++) {
		int64_t b, e, b2[2], e2[2];
		assert_int_equal(tess_sharding_box(flat, m, DIMS(8), 1, device, &b, &e), TESS_OK);
		assert_int_equal(tess_sharding_box(split, m, DIMS(2, 4), 2, device, b2, e2),
		                 TESS_OK);
		assert_int_equal(b2[0] * 4 + b2[1], b);
		assert_int_equal((e2[0] - 1) * 4 + e2[1], e);
	}
	sharding("<@m, [{\"x\":(1)2}], replicated={\"x\":(2)2}>", m);
	refused("<@m, [{\"x\":(0)2}]>", m, 1, "E0218", "\"x\":(0)2");
	refused("<@m, [{\"x\":(1)1}]>", m, 1, "E0219", "\"x\":(1)1");
	refused("<@m, [{\"x\":(2)4}]>", m, 1, "E0220", "\"x\":(2)4");
	refused("<@m, [{\"x\":(1)3}]>", m, 1, "E0220", "\"x\":(1)3");
	refused("<@m, [{\"x\":(1)4}]>", m, 1, "E0221", "\"x\":(1)4");
}

/* The same devices with other axis names and another order have equal placements. */
static void several_meshes(void **state)
{
	const tess_mesh *m0 = mesh("<[\"a\"=4, \"b\"=2]>");
	const tess_mesh *m1 =
		mesh("<[\"x\"=2, \"y\"=2, \"z\"=2], device_ids=[0, 1, 4, 5, 2, 3, 6, 7]>");
	const tess_mesh *flat = mesh("devices=8"), *grid = mesh("x=4,y=2");
	(void)state;
	assert_int_equal(tess_sharding_same_placement(sharding("[{\"b\"}]", m0), NULL,
	                                              sharding("[{\"z\"}]", m1), NULL, DIMS(8), 1),
	                 TESS_OK);
	assert_int_equal(tess_sharding_same_placement(sharding("[{\"a\"}]", m0), NULL,
	                                              sharding("[{\"x\", \"y\"}]", m1), NULL,
	                                              DIMS(8), 1),
	                 TESS_FAILED);
	assert_int_equal(tess_sharding_same_placement(
				 sharding("<@f, [{\"devices\":(1)4}, {\"devices\":(4)2}]>", flat),
				 flat, sharding("<@g, [{\"x\"}, {\"y\"}]>", grid), grid,
				 DIMS(8, 8), 2),
	                 TESS_OK);
}

static void priorities(void **state)
{
	const tess_mesh *m = mesh("x=2,y=2,z=2");
	const tess_sharding *s = sharding("<@m, [{\"x\"}p1, {\"y\"}, {?}p7]>", m);
	(void)state;
	assert_int_equal(tess_sharding_priority(s, 0), 1);
	assert_int_equal(tess_sharding_priority(s, 1), TESS_NO_PRIORITY);
	assert_int_equal(tess_sharding_priority(s, 2), 7);
	assert_int_equal(tess_sharding_priority(s, 3), TESS_NO_PRIORITY);
	refused("<@m, [{}p1]>", m, 1, "E0226", "{}p1");
}

static void padding(void **state)
{
	const tess_mesh *m = mesh("x=8,y=2,z=3");
	const tess_sharding *s = sharding("[{\"x\"}, {\"y\"}, {\"z\"}]", m);
	int64_t b[3], e[3];
	(void)state;
	expect_local(s, m, 3, DIMS(7, 3, 8), DIMS(1, 2, 3));
	/* the last device: nothing of the first dimension, less of the others */
	assert_int_equal(tess_sharding_box(s, m, DIMS(7, 3, 8), 3, 47, b, e), TESS_OK);
	assert_memory_equal(b, DIMS(7, 2, 6), sizeof b);
	assert_memory_equal(e, DIMS(7, 3, 8), sizeof e);
}

static void invariants(void **state)
{
	const tess_mesh *m = mesh("x=8,y=2");
	(void)state;
	refused("<@m, [{}, {}]>", m, 1, "E0211", "<@m, [{}, {}]>");
	refused("<@m, [{\"w\"}]>", m, 1, "E0214", "\"w\"");
	refused("<@m, [{\"y\", \"y\"}]>", m, 1, "E0213", "\"y\"");
	refused("<@m, [{\"x\"}, {\"x\":(1)2}]>", m, 2, "E0215", "\"x\":(1)2");
	refused("<@m, [{\"x\":(1)4}, {\"x\":(2)4}]>", m, 2, "E0216", "\"x\":(2)4");
	refused("<@m, [{\"x\":(1)2, \"x\":(2)4}]>", m, 1, "E0217", "\"x\":(2)4");
	tess_sharding_parse(ctx, str("<@m, [{\"x\":(1)2, \"x\":(2)2}]>"), NULL, m, 1);
	tess_diag d;
	assert_true(tess_diag_get(ctx, 0, &d));
	assert_non_null(strstr(d.message.ptr, "write \"x\":(1)4"));
	tess_diag_clear(ctx);
}

static void unreduced(void **state)
{
	const tess_sharding *s = sharding("<@m, [{}], unreduced=max{\"x\"}>", NULL);
	(void)state;
	assert_int_equal(tess_sharding_reduction(s), TESS_REDUCTION_MAX);
	assert_int_equal(tess_sharding_axis_count(s, TESS_AXES_UNREDUCED), 1);
	expect_text(lent(tess_sharding_print(ctx, s)), "<@m, [{}], unreduced=max{\"x\"}>");
}

/* ---- without text, and misuse --------------------------------------------------------------- */

static void from_arrays(void **state)
{
	const tess_mesh_axis axes[] = {{str("x"), 4}, {str("y"), 2}};
	const tess_mesh *m = tess_mesh_make(ctx, axes, 2, NULL, 0);
	const tess_axis first[] = {{str("x"), 1, 2}}, second[] = {{str("y"), 0, 0}};
	const tess_axis rest[] = {{str("x"), 2, 2}};
	const tess_dim_spec dims[] = {{first, 1, true, 2}, {second, 1, false, TESS_NO_PRIORITY}};
	tess_sharding_spec spec = TESS_SHARDING_SPEC_INIT;
	(void)state;
	assert_ptr_equal(m, mesh("x=4,y=2"));
	spec.mesh_name = "m";
	spec.mesh = m;
	spec.dims = dims;
	spec.rank = 2;
	spec.replicated = rest;
	spec.n_replicated = 1;
	const tess_sharding *s = tess_sharding_make(ctx, &spec);
	assert_non_null(s);
	expect_text(lent(tess_sharding_print(ctx, s)),
	            "<@m, [{\"x\":(1)2, ?}p2, {\"y\"}], replicated={\"x\":(2)2}>");
	assert_int_equal(tess_sharding_verify(ctx, s, m, 2), TESS_OK);
	assert_int_equal(tess_sharding_verify(ctx, s, m, 3), TESS_INVALID);
	tess_diag_clear(ctx);

	spec.mesh_name = NULL;
	assert_ptr_equal(tess_sharding_mesh(tess_sharding_make(ctx, &spec)), m);
	spec.replicated = first;
	assert_null(tess_sharding_make(ctx, &spec));
	tess_diag_clear(ctx);
	spec.mesh = NULL;
	assert_null(tess_sharding_make(ctx, &spec)); /* no mesh to be bound to */
	const int64_t twice[] = {0, 0};
	assert_null(tess_mesh_make(ctx, axes + 1, 1, twice, 2));
	tess_diag_clear(ctx);
	const int64_t one[] = {5};
	expect_text(lent(tess_mesh_print(ctx, tess_mesh_make(ctx, NULL, 0, one, 1))),
	            "<[], device_ids=[5]>");
}

static void wrong_texts(void **state)
{
	const tess_mesh *m = mesh("x=2");
	(void)state;
	refused("<@m, [{}]> and more", m, 1, "E0230", "and");
	refused("[{\"x\"}] x", m, 1, "E0230", "x");
	assert_null(tess_sharding_parse(ctx, str("[{\"x\"}]"), NULL, NULL, 1));
	assert_null(tess_sharding_parse(ctx, (tess_str){0}, NULL, m, 1));
	assert_null(tess_mesh_parse(ctx, str("x=2 y=4"), NULL));
	assert_null(tess_mesh_parse(ctx, (tess_str){0}, NULL));
	assert_null(tess_mesh_parse(ctx, str("#sdy.mesh x=2"), NULL));
	assert_int_equal(tess_diag_errors(ctx), 5);
	tess_diag_clear(ctx);
}

/* A sharding that does not fit the mesh is reported, and never used in computations. */
static void misfits(void **state)
{
	const tess_mesh *m = mesh("x=2");
	int64_t a[3], b[3];
	(void)state;
	static const char *const texts[] = {
		"<@m, [{\"y\"}]>", "<@m, [{\"x\":(3)5}]>", "<@m, [{\"x\":(0)2}]>", "<@m, [{}, {}]>",
		"<@m, [{\"x\", \"x\", \"x\"}]>", "<@m, [{}], unreduced={\"z\"}>",
	};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		const tess_sharding *s = sharding(texts[i], NULL),
				    *t = sharding("<@m, [{}]>", NULL);
		assert_int_equal(tess_sharding_local_shape(s, m, DIMS(8), 1, a), TESS_USAGE);
		assert_int_equal(tess_sharding_box(s, m, DIMS(8), 1, 0, a, b), TESS_USAGE);
		assert_int_equal(tess_sharding_same_placement(s, m, t, m, DIMS(8), 1), TESS_USAGE);
		assert_int_equal(tess_sharding_same_placement(t, m, s, m, DIMS(8), 1), TESS_USAGE);
	}
	const tess_sharding *s = sharding("<@m, [{\"x\"}]>", NULL);
	assert_int_equal(tess_sharding_local_shape(s, NULL, DIMS(8), 1, a), TESS_USAGE);
	assert_int_equal(tess_sharding_shards(s, NULL, 0), 0);
	assert_int_equal(tess_sharding_box(s, m, DIMS(8), 1, 2, a, b), TESS_USAGE);
	assert_int_equal(tess_sharding_box(s, m, DIMS(-1), 1, 0, a, b), TESS_USAGE);
	assert_int_equal(tess_sharding_box(NULL, m, DIMS(8), 1, 0, a, b), TESS_OK);
	assert_int_equal(tess_sharding_shards(NULL, m, 5), 1);
	assert_int_equal(tess_sharding_local_shape(sharding("<@e, [{}]>", mesh("<[]>")),
	                                           mesh("<[]>"), DIMS(8), 1, a),
	                 TESS_OK);
	const tess_mesh *one = mesh("<[], device_ids=[3]>");
	s = sharding("<@one, []>", one);
	assert_int_equal(tess_sharding_shards(s, one, 1), 1);
	assert_int_equal(tess_sharding_box(s, one, DIMS(8, 4), 2, 3, a, b), TESS_OK);
	assert_int_equal(tess_sharding_box(s, one, DIMS(8, 4), 2, 0, a, b), TESS_USAGE);
}

/* ---- running out of memory ------------------------------------------------------------------ */

typedef struct budget {
	int left; /* allocations before the first that fails */
} budget;

static void *failing_realloc(void *user, void *old, size_t size)
{
	budget *b = user;
	if (!size) {
		free(old);
		return NULL;
	}
	if (b->left-- <= 0)
		return NULL;
	return realloc(old, size);
}

/* Calls every function that allocates. True if all succeed. */
static bool one_of_each(tess_ctx *c)
{
	const char *text = "<@m, [{\"x\", ?}p1, {\"y\":(1)2}], replicated={\"y\":(2)2}>";
	const tess_mesh *m = tess_mesh_parse(c, str("<[\"x\"=2, \"y\"=4]>"), "name");
	if (!m)
		return false;
	const tess_sharding *s = tess_sharding_parse(c, str(text), "name", m, 2);
	if (!s || tess_sharding_verify(c, s, m, 3) != TESS_INVALID)
		return false;
	char *printed = tess_sharding_print(c, s), *of_mesh = tess_mesh_print(c, m);
	char *diags = tess_diag_render(c, false);
	bool good = printed && strcmp(printed, text) == 0 && of_mesh && diags && diags[0];
	tess_text_free(printed);
	tess_text_free(of_mesh);
	tess_text_free(diags);
	return good;
}

/* Texts do not change until they are released, whatever is called meanwhile. */
static void texts_stay(void **state)
{
	(void)state;
	const tess_mesh *m = mesh("<[\"x\"=2, \"y\"=4]>");
	char *a = tess_sharding_print(ctx, sharding("<@m, [{\"x\"}]>", m));
	char *b = tess_sharding_print(ctx, sharding("<@m, [{\"y\"}]>", m));
	char *none = tess_diag_render(ctx, false), both[100];
	snprintf(both, sizeof both, "%s %s%s", a, b, none);
	assert_string_equal(both, "<@m, [{\"x\"}]> <@m, [{\"y\"}]>");
	tess_ctx *other = tess_ctx_new(NULL);
	char *late = tess_mesh_print(other, tess_mesh_parse(other, str("x=2"), NULL));
	tess_ctx_free(other);
	assert_string_equal(late, "<[\"x\"=2]>");
	char *const all[] = {a, b, none, late, NULL};
	for (int i = 0; i < 5; i++)
		tess_text_free(all[i]);
}

/* Whichever allocation fails first, nothing crashes and the context is usable afterwards. */
static void memory_runs_out(void **state)
{
	bool done = false;
	(void)state;
	for (int n = 0; !done; n++) {
		budget b = {n};
		tess_ctx_opts opts = TESS_CTX_OPTS_INIT;
		opts.realloc = failing_realloc;
		opts.user = &b;
		tess_ctx *c = tess_ctx_new(&opts);
		if (!c)
			continue;
		done = one_of_each(c);
		b.left = 1 << 20;
		assert_true(one_of_each(c));
		tess_ctx_free(c);
		assert_in_range(n, 0, 1000);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(logical_mesh),
		cmocka_unit_test(device_ids),
		cmocka_unit_test(bound_sharding),
		cmocka_unit_test(open_and_closed),
		cmocka_unit_test(explicitly_replicated),
		cmocka_unit_test(sub_axes),
		cmocka_unit_test(several_meshes),
		cmocka_unit_test(priorities),
		cmocka_unit_test(padding),
		cmocka_unit_test(invariants),
		cmocka_unit_test(unreduced),
		cmocka_unit_test(from_arrays),
		cmocka_unit_test(wrong_texts),
		cmocka_unit_test(misfits),
		cmocka_unit_test(texts_stay),
		cmocka_unit_test(memory_runs_out),
	};
	return cmocka_run_group_tests(tests, open_ctx, close_ctx);
}
