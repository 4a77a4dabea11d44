/* test_array_vmap.c - collectives along a named vmap dimension: what JAX does not support, and what
 * is refused. tests/conformance/jax/jax_explicit_derived.jsonl covers what JAX supports. */
#include "../support/lent.h"
#include "array_fixture.h"

/* One collective on x[4,2] under vmap(axis_name="i"), possibly in a shard_map over X. */
typedef struct collective {
	const char *op, *axes, *key, *value;
	const char *name; /* axis_name; NULL: "i" */
	bool inside, not_mapped_out;
	const char *refused; /* in the message */
} collective;

static int one_collective(tess_ctx *ctx, void *env, tess_array *const *in, size_t n,
                          tess_array **out, size_t cap)
{
	const collective *c = env;
	tess_params *a = tess_params_text(tess_params_new(ctx), "axes", c->axes);
	(void)n;
	if (c->key)
		tess_params_text(a, c->key, c->value);
	if (strcmp(c->op, "lax.ppermute") == 0)
		tess_params_ints(a, "perm", (int64_t[]){0, 1, 1, 2, 0, 3}, 6);
	int n_in = strcmp(c->op, "lax.axis_index") != 0;
	int got = tess_apply(ctx, c->op, in, n_in, a, out, cap);
	tess_params_free(a);
	return got;
}

static int mapped(tess_ctx *ctx, void *env, tess_array *const *in, size_t n, tess_array **out,
                  size_t cap)
{
	const collective *c = env;
	tess_params *a = tess_params_text(tess_params_new(ctx), "axis_name",
	                                  c->name ? c->name : "i");
	if (c->not_mapped_out)
		tess_params_int(a, "out_axes", TESS_VMAP_NOT_MAPPED);
	int got = tess_apply_body(ctx, "vmap", one_collective, &env, 1, in, n, a, out, cap);
	tess_params_free(a);
	return got;
}

static int in_region(tess_ctx *ctx, void *env, tess_array *const *in, size_t n, tess_array **out,
                     size_t cap)
{
	tess_params *a = tess_params_spec(
		tess_params_spec(tess_params_new(ctx), "in_specs", "_, _"), "out_specs", "_, _");
	int got = tess_apply_body(ctx, "shard_map", mapped, &env, 1, in, n, a, out, cap);
	tess_params_free(a);
	return got;
}

static const collective refusals[] = {
	{"lax.psum", "k", .refused = "unbound axis name: k"},
	{"lax.psum", "i,k", .refused = "unbound axis name: k"},
	{"lax.psum", "i,X", .inside = true, .refused = "write one after the other"},
	{"lax.all_gather", "X,i", .inside = true, .refused = "write one after the other"},
	{"lax.all_gather", "i", "to", "reduced", .refused = "not for names of a vmap"},
	{"lax.pcast", "i", "to", "varying", .refused = "not for names of a vmap"},
	{"lax.ppermute", "i", .refused = "a source and a target at most once"},
	{"lax.psum", "X", .name = "X", .refused = "is an axis of the mesh, too"},
	{"lax.psum", "i", .name = "i,j", .refused = "axis_name must be one name"},
	{"lax.axis_index", "i", .not_mapped_out = true, .refused = "is the same for all"},
};

static void refusals_say_why(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
		collective c = refusals[i];
		tess_ctx *ctx = context();
		const tess_array_type *t = tess_array_type_make(ctx, TESS_F32, (int64_t[]){4, 2}, 2,
		                                                NULL);
		tess_fn *f = tess_fn_trace(ctx, c.inside ? in_region : mapped, &c, &t, 1);
		tess_str why = lent(tess_diag_render(ctx, false));
		if (f || !text_has(why, c.refused))
			print_message("%s along %s: %.*s\n", c.op, c.axes, (int)why.len, why.ptr);
		assert_null(f);
		assert_true(text_has(why, c.refused));
		tess_ctx_free(ctx);
	}
}

/* ---- elements that nobody sends to are 0; JAX accepts only full permutations ---------------- */

static int moved(tess_ctx *ctx, void *env, tess_array *const *in, size_t n, tess_array **out,
                 size_t cap)
{
	(void)env, (void)n, (void)cap;
	tess_params *a = tess_params_text(tess_params_new(ctx), "axes", "i");
	tess_params_ints(a, "perm", (int64_t[]){1, 3, 0, 2, 3, 0}, 6);
	out[0] = tess_apply1(ctx, "lax.ppermute", a, 1, in[0]);
	return out[0] ? 1 : -1;
}

static void nothing_comes_from_nowhere(void **state)
{
	(void)state;
	static const char *const specs[] = {"_, _", "X, _", "_, Y", "X, Y"};
	static const float x[8] = {1, 2, 3, 4, 5, 6, 7, 8}, want[8] = {7, 8, 0, 0, 1, 2, 3, 4};
	for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
		tess_ctx *ctx = context();
		tess_array *v = tess_array_new(
			ctx, tess_array_type_make(ctx, TESS_F32, (int64_t[]){4, 2}, 2, specs[i]),
			x);
		tess_array *out = NULL;
		tess_tensor t;
		void *env = NULL;
		tess_params *a = tess_params_text(tess_params_new(ctx), "axis_name", "i");
		assert_int_equal(tess_apply_body(ctx, "vmap", moved, &env, 1, &v, 1, a, &out, 1),
		                 1);
		assert_true(tess_array_tensor(out, &t));
		assert_memory_equal(t.data, want, sizeof want);
		tess_params_free(a);
		tess_array_free(out);
		tess_array_free(v);
		tess_ctx_free(ctx);
	}
}

/* ---- loops that end at different times for different elements ------------------------------- */

/* As the loop's body, doubles its value; as its condition, if env is not NULL, tests if the value
 * is below ten. */
static int doubled_or_below(tess_ctx *ctx, void *env, tess_array *const *in, size_t n,
                            tess_array **out, size_t cap)
{
	(void)n, (void)cap;
	if (!env) {
		out[0] = tess_apply1(ctx, "lax.add", NULL, 2, in[0], in[0]);
		return out[0] ? 1 : -1;
	}
	tess_params *a = tess_params_number(tess_params_new(ctx), "value", 10);
	tess_array *ten = tess_apply1(ctx, "scalar", tess_params_dtype(a, "dtype", TESS_F32), 0);
	out[0] = tess_apply1(ctx, "lax.lt", NULL, 2, in[0], ten);
	return out[0] ? 1 : -1;
}

static int doubled_to_ten(tess_ctx *ctx, void *env, tess_array *const *in, size_t n,
                          tess_array **out, size_t cap)
{
	void *envs[2] = {NULL, ctx};
	(void)env;
	return tess_apply_body(ctx, "while", doubled_or_below, envs, 2, in, n, NULL, out, cap);
}

static void loops_end_for_each_element(void **state)
{
	(void)state;
	static const char *const specs[] = {"_", "X"};
	static const float x[4] = {1, 3, 20, 6}, want[4] = {16, 12, 20, 12};
	for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
		tess_ctx *ctx = context();
		tess_array *v = tess_array_new(
			ctx, tess_array_type_make(ctx, TESS_F32, (int64_t[]){4}, 1, specs[i]), x);
		tess_array *out = NULL;
		tess_tensor t;
		void *env = NULL;
		assert_int_equal(tess_apply_body(ctx, "vmap", doubled_to_ten, &env, 1, &v, 1, NULL,
		                                 &out, 1), 1);
		assert_true(tess_array_tensor(out, &t));
		assert_memory_equal(t.data, want, sizeof want);
		tess_array_free(out);
		tess_array_free(v);
		tess_ctx_free(ctx);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refusals_say_why),
		cmocka_unit_test(nothing_comes_from_nowhere),
		cmocka_unit_test(loops_end_for_each_element),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
