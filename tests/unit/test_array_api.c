/* test_array_api.c - array programs: gradients against difference quotients, eager against traced
 * runs, data in and out, warnings about implicit communication, meshes and device order. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "array_fixture.h"

#include "../support/lent.h"
#include "../support/meshes.h"
#include <tessera/spmd.h>

/* ---- gradients ------------------------------------------------------------------------- */

/* What is differentiated: the sum of the squares of one operation on x[8@X,4] and y[8@X,4]. */
typedef struct probe {
	const char *op;
	int n_in;
	tess_params *(*attrs)(tess_ctx *ctx);
} probe;

static tess_params *last_axis(tess_ctx *ctx)
{
	return tess_params_int(tess_params_new(ctx), "axis", 1);
}
static tess_params *turned(tess_ctx *ctx)
{
	return tess_params_ints(tess_params_new(ctx), "permutation", (int64_t[]){1, 0}, 2);
}
static tess_params *split(tess_ctx *ctx)
{
	return tess_params_ints(tess_params_new(ctx), "new_sizes", (int64_t[]){4, 2, 4}, 3);
}
static tess_params *matrix(tess_ctx *ctx)
{
	return tess_params_text(tess_params_new(ctx), "subscripts", "ab,cb->a");
}
static tess_params *part(tess_ctx *ctx)
{
	tess_params *a = tess_params_ints(tess_params_new(ctx), "start_indices", (int64_t[]){0, 1},
	                                  2);
	return tess_params_ints(a, "limit_indices", (int64_t[]){8, 3}, 2);
}
static tess_params *second(tess_ctx *ctx)
{
	return tess_params_int(tess_params_new(ctx), "dimension", 1);
}

static const probe probes[] = {
	{"lax.sin", 1, NULL},       {"lax.cos", 1, NULL},     {"lax.exp", 1, NULL},
	{"lax.tanh", 1, NULL},      {"lax.logistic", 1, NULL}, {"lax.sqrt", 1, NULL},
	{"lax.rsqrt", 1, NULL},     {"lax.log", 1, NULL},     {"lax.log1p", 1, NULL},
	{"lax.abs", 1, NULL},       {"lax.neg", 1, NULL},     {"nn.gelu", 1, NULL},
	{"nn.silu", 1, NULL},       {"nn.softplus", 1, NULL}, {"nn.softmax", 1, NULL},
	{"nn.log_softmax", 1, NULL}, {"nn.logsumexp", 1, last_axis}, {"jnp.mean", 1, last_axis},
	{"jnp.var", 1, last_axis},  {"jnp.max", 1, last_axis}, {"lax.transpose", 1, turned},
	{"lax.reshape", 1, split},  {"lax.slice", 1, part},   {"lax.add", 2, NULL},
	{"lax.sub", 2, NULL},       {"lax.mul", 2, NULL},     {"lax.div", 2, NULL},
	{"lax.max", 2, NULL},       {"lax.concatenate", 2, second}, {"jnp.einsum", 2, matrix},
};

static int probe_loss(tess_ctx *ctx, void *env, tess_array *const *in, size_t n, tess_array **out,
                      size_t cap)
{
	const probe *p = env;
	tess_array *v = NULL, *whole[2] = {in[0], in[1]};
	(void)n, (void)cap;
	if (strcmp(p->op, "jnp.einsum") ==
	    0) /* an operand that is not sharded along the same axis */
		whole[1] = tess_apply1(ctx, "jax.reshard",
		                       tess_params_spec(tess_params_new(ctx), "sharding", "_, _"),
		                       1, in[1]);
	tess_params *a = p->attrs ? p->attrs(ctx) : NULL;
	int got = tess_apply(ctx, p->op, whole, p->n_in, a, &v, 1);
	tess_params_free(a);
	if (got != 1)
		return -1;
	out[0] = tess_apply1(ctx, "jnp.sum", NULL, 1, tess_apply1(ctx, "lax.mul", NULL, 2, v, v));
	return out[0] ? 1 : -1;
}

static int probe_gradient(tess_ctx *ctx, void *env, tess_array *const *in, size_t n,
                          tess_array **out, size_t cap)
{
	tess_params *a = tess_params_ints(tess_params_new(ctx), "argnums", (int64_t[]){0, 1}, 2);
	int got = tess_apply_body(ctx, "value_and_grad", probe_loss, &env, 1, in, n, a, out, cap);
	tess_params_free(a);
	return got;
}

static tess_array *matrix_of(tess_ctx *ctx, const float *data)
{
	int64_t dims[] = {8, 4};
	tess_array *v = tess_array_new(ctx, tess_array_type_make(ctx, TESS_F32, dims, 2, "X, _"),
	                               data);
	assert_non_null(v);
	return v;
}

static double first_of(tess_array *v)
{
	tess_tensor t;
	assert_true(tess_array_tensor(v, &t));
	return *(const float *)t.data;
}

static double value_at(tess_ctx *ctx, tess_fn *f, const float *x, const float *y, float grads[2][N])
{
	tess_array *in[] = {matrix_of(ctx, x), matrix_of(ctx, y)}, *out[3];
	assert_int_equal(tess_fn_call(f, in, 2, out, 3), 3);
	double value = first_of(out[0]);
	for (int k = 0; grads && k < 2; k++) {
		tess_tensor t;
		assert_true(tess_array_tensor(out[k + 1], &t));
		assert_int_equal(t.bytes, sizeof grads[k]);
		memcpy(grads[k], t.data, t.bytes);
	}
	for (int k = 0; k < 3; k++)
		tess_array_free(out[k]);
	tess_array_free(in[0]);
	tess_array_free(in[1]);
	return value;
}

static void check_probe(const probe *p)
{
	tess_ctx *ctx = context();
	float data[2][N], grads[2][N];
	for (int i = 0; i < N; i++) {
		data[0][i] = 0.3f + 0.05f * (float)((i * 7) % 32);
		data[1][i] = 1.9f - 0.04f * (float)((i * 5) % 32);
	}
	int64_t dims[] = {8, 4};
	const tess_array_type *t = tess_array_type_make(ctx, TESS_F32, dims, 2, "X, _"),
			      *types[] = {t, t};
	tess_fn *f = tess_fn_trace(ctx, probe_gradient, (void *)(uintptr_t)p, types, 2);
	if (!f)
		print_message("%s: %.*s\n", p->op, (int)lent(tess_diag_render(ctx, false)).len,
		              lent(tess_diag_render(ctx, false)).ptr);
	assert_non_null(f);
	assert_ptr_equal(tess_fn_result_type(f, 1), t); /* the gradient is sharded like its value */
	value_at(ctx, f, data[0], data[1], grads);
	for (int k = 0; k < 2; k++)
		for (int i = 0; i < N; i += 5) {
			const float h = 1.0f / 256;
			float kept = data[k][i];
			data[k][i] = kept + h;
			double above = value_at(ctx, f, data[0], data[1], NULL);
			data[k][i] = kept - h;
			double below = value_at(ctx, f, data[0], data[1], NULL);
			data[k][i] = kept;
			double slope = (above - below) / (2 * (double)h);
			if (fabs(slope - grads[k][i]) > 0.02 * (1 + fabs(slope)))
				fail_msg("%s: argument %d, element %d: gradient %g, slope %g",
				         p->op, k, i, grads[k][i], slope);
		}
	tess_fn_free(f);
	tess_ctx_free(ctx);
}

static void gradients_are_slopes(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof probes / sizeof *probes; i++)
		check_probe(&probes[i]);
}

/* ---- eager ------------------------------------------------------------------------------ */

static void eager_is_typed_and_right(void **state)
{
	tess_ctx *ctx = context();
	float data[N];
	(void)state;
	for (int i = 0; i < N; i++)
		data[i] = (float)i / 8;
	tess_array *x = matrix_of(ctx, data), *y = tess_apply1(ctx, "lax.sin", NULL, 1, x);
	tess_tensor t;
	assert_non_null(y);
	assert_ptr_equal(tess_array_typeof(x), tess_array_typeof(y));
	assert_true(tess_array_tensor(y, &t));
	for (int i = 0; i < N; i++)
		assert_true(fabs(((const float *)t.data)[i] - sin(data[i])) < 1e-5);
	tess_array_free(x);
	tess_array_free(y);
	tess_ctx_free(ctx);
}

/* ---- implicit communication, and ambiguous shardings ---------------------------------------- */

static void communication_is_told(void **state)
{
	tess_ctx *ctx = context();
	int64_t dims[] = {8, 8};
	float data[64] = {0};
	(void)state;
	tess_array *x = tess_array_new(ctx, tess_array_type_make(ctx, TESS_F32, dims, 2, "X, _"),
	                               data);
	tess_params *(*part)(tess_ctx *) = matrix;
	assert_int_equal(tess_array_set_comm(ctx, TESS_COMM_WARN), TESS_OK);
	int64_t zero = 0, two[] = {0, 0}, four[] = {4, 8};
	(void)part;
	tess_array *y = tess_apply1(ctx, "jnp.flip",
	                            tess_params_ints(tess_params_new(ctx), "axis", &zero, 1), 1, x);
	assert_non_null(y);
	said(ctx, "a collective-permute");
	assert_int_equal(tess_array_set_comm(ctx, TESS_COMM_DENY), TESS_OK);
	tess_params *cut = tess_params_ints(
		tess_params_ints(tess_params_new(ctx), "start_indices", two, 2), "limit_indices",
		four, 2);
	assert_null(tess_apply1(ctx, "lax.slice", cut, 1, x));
	said(ctx, "reshard first");
	tess_params *sum = tess_params_text(tess_params_new(ctx), "subscripts", "ab,ac->bc");
	tess_array *whole = tess_array_new(ctx, tess_array_type_make(ctx, TESS_F32, dims, 2, NULL),
	                                   data);
	assert_null(
		tess_apply1(ctx, "jnp.einsum", sum, 2, x, whole)); /* sharded on one side only */
	said(ctx, "an all-gather");
	assert_int_equal(tess_array_set_comm(ctx, TESS_COMM_ALLOW), TESS_OK);
	assert_int_equal(tess_array_set_comm(ctx, (tess_comm)7), TESS_USAGE);
	/* a lookup in a sharded dimension: the message names both choices */
	int32_t places[] = {1, 2};
	int64_t n = 2;
	tess_array *at = tess_array_new(ctx, tess_array_type_make(ctx, TESS_I32, &n, 1, NULL),
	                                places);
	tess_diag_clear(ctx);
	assert_null(tess_apply1(ctx, "jnp.take", tess_params_int(tess_params_new(ctx), "axis", 0),
	                        2, x, at));
	tess_diag d;
	assert_true(tess_diag_get(ctx, 1, &d));
	assert_true(text_has(d.message,
	                     "out_sharding=P(None, None): all-gather of operands, 192 bytes"));
	tess_array_free(at);
	tess_array_free(whole);
	tess_array_free(y);
	tess_array_free(x);
	tess_ctx_free(ctx);
}

/* ---- lookups --------------------------------------------------------------------------- */

static tess_array *vector_of(tess_ctx *ctx, tess_dtype type, int64_t n, const void *data)
{
	return tess_array_new(ctx, tess_array_type_make(ctx, type, &n, 1, NULL), data);
}

/* Compares the elements of x at these indices. Releases both arrays. */
static void taken(tess_ctx *ctx, tess_array *x, tess_array *at, void *elements, size_t bytes)
{
	tess_tensor t;
	tess_array *out = tess_apply1(ctx, "jnp.take",
	                              tess_params_int(tess_params_new(ctx), "axis", 0), 2, x, at);
	assert_non_null(out);
	assert_true(tess_array_tensor(out, &t));
	memcpy(elements, t.data, bytes);
	tess_array_free(out);
	tess_array_free(at);
	tess_array_free(x);
}

/* Like jnp.take (JAX 0.11.2): indices of 8 bits can count neither 200 elements nor from the end of
 * them, but find those in their range. Out-of-range elements of unsigned types are the largest
 * number. */
static void lookups_count_in_their_types(void **state)
{
	tess_ctx *ctx = tess_ctx_new(NULL);
	const int8_t near[] = {3, -1, 127};
	const uint8_t far[] = {3, 199, 250};
	const uint64_t numbers[] = {5, 6, 7, 8};
	const int32_t outside[] = {1, 9, -9};
	float data[200], f[3];
	uint64_t u[3];
	(void)state;
	for (int i = 0; i < 200; i++)
		data[i] = (float)i;
	taken(ctx, vector_of(ctx, TESS_F32, 200, data), vector_of(ctx, TESS_I8, 3, near), f, sizeof f);
	assert_true(f[0] == 3 && isnan(f[1]) && f[2] == 127);
	taken(ctx, vector_of(ctx, TESS_F32, 200, data), vector_of(ctx, TESS_UI8, 3, far), f, sizeof f);
	assert_true(f[0] == 3 && f[1] == 199 && isnan(f[2]));
	taken(ctx, vector_of(ctx, TESS_UI64, 4, numbers), vector_of(ctx, TESS_I32, 3, outside), u,
	      sizeof u);
	assert_true(u[0] == 6 && u[1] == UINT64_MAX && u[2] == UINT64_MAX);
	tess_ctx_free(ctx);
}

/* ---- element types ---------------------------------------------------------------------- */

/* Like jnp.add (JAX 0.11.2, with 64-bit types only where they are given). */
static void types_meet_in_one_that_has_both(void **state)
{
	static const tess_dtype met[][3] = {
		{TESS_I8, TESS_UI8, TESS_I16},   {TESS_UI8, TESS_I16, TESS_I16},
		{TESS_UI16, TESS_I16, TESS_I32}, {TESS_I8, TESS_UI32, TESS_I32},
		{TESS_UI32, TESS_I64, TESS_I64}, {TESS_I32, TESS_UI64, TESS_F64},
		{TESS_C64, TESS_F64, TESS_C128}, {TESS_F16, TESS_BF16, TESS_F32},
	};
	tess_ctx *ctx = tess_ctx_new(NULL);
	int64_t n = 2;
	(void)state;
	for (size_t i = 0; i < sizeof met / sizeof *met; i++) {
		const tess_array_type *in[2], *out;
		for (int k = 0; k < 2; k++)
			in[k] = tess_array_type_make(ctx, met[i][k], &n, 1, NULL);
		assert_int_equal(tess_array_infer(ctx, "jnp.add", in, 2, NULL, &out, 1), 1);
		assert_int_equal(tess_array_type_dtype(out), met[i][2]);
	}
	tess_ctx_free(ctx);
}

/* jnp's functions at the limits of float types (JAX 0.11.2). */
static void borders_of_floats_are_as_in_jax(void **state)
{
	static const struct {
		const char *op;
		float a, b, gives;
	} borders[] = {
		{"jnp.hypot", INFINITY, INFINITY, INFINITY}, {"jnp.hypot", NAN, -INFINITY, INFINITY},
		{"jnp.hypot", 0, 0, 0},                      {"jnp.hypot", NAN, 1, NAN},
		{"jnp.heaviside", NAN, 1, NAN},              {"jnp.heaviside", 0, 5, 5},
		{"jnp.floor_divide", -2.5F, 0, -INFINITY},   {"jnp.floor_divide", 2.5F, 0, INFINITY},
		{"jnp.floor_divide", 0, 0, NAN},             {"jnp.floor_divide", -7, 2, -4},
	};
	tess_ctx *ctx = tess_ctx_new(NULL);
	(void)state;
	for (size_t i = 0; i < sizeof borders / sizeof *borders; i++) {
		tess_tensor t;
		tess_array *a = vector_of(ctx, TESS_F32, 1, &borders[i].a);
		tess_array *b = vector_of(ctx, TESS_F32, 1, &borders[i].b);
		tess_array *out = tess_apply1(ctx, borders[i].op, tess_params_new(ctx), 2, a, b);
		assert_true(tess_array_tensor(out, &t));
		float got = *(const float *)t.data, want = borders[i].gives;
		if (!(got == want || (isnan(got) && isnan(want))))
			fail_msg("%s of %g and %g: %g", borders[i].op, borders[i].a, borders[i].b, got);
		tess_array_free(out);
		tess_array_free(b);
		tess_array_free(a);
	}
	tess_ctx_free(ctx);
}

/* A variance that rounding makes negative is 0 (nn.standardize in JAX 0.11.2). */
static void large_means_are_taken_out(void **state)
{
	tess_ctx *ctx = tess_ctx_new(NULL);
	const float data[] = {10001, 10002, 10003, 10001};
	tess_tensor t;
	(void)state;
	tess_array *x = vector_of(ctx, TESS_F32, 4, data);
	tess_array *y = tess_apply1(ctx, "nn.standardize", tess_params_new(ctx), 1, x);
	assert_true(tess_array_tensor(y, &t));
	for (int i = 0; i < 4; i++)
		assert_true(isfinite(((const float *)t.data)[i]));
	tess_array_free(y);
	tess_array_free(x);
	tess_ctx_free(ctx);
}

/* ---- data in and out ------------------------------------------------------------------------- */

/* DLPack's DLManagedTensorVersioned, as in version 1.0 of its header. */
typedef struct managed {
	uint32_t major, minor;
	void *manager_ctx;
	void (*deleter)(struct DLManagedTensorVersioned *self);
	uint64_t flags;
	void *data;
	int32_t device_type, device_id, ndim;
	uint8_t code, bits;
	uint16_t lanes;
	int64_t *shape, *strides;
	uint64_t byte_offset;
} managed;

static void data_comes_and_goes(void **state)
{
	tess_ctx *ctx = context();
	int64_t dims[] = {8, 4};
	float shards[8][8], expected[N], back[N];
	const void *ptrs[8];
	tess_tensor t;
	(void)state;
	/* (X, Y) cut rows by X and columns by Y: the device at x, y has rows 2x, columns 2y */
	for (int p = 0; p < 8; p++) {
		for (int r = 0; r < 2; r++)
			for (int c = 0; c < 2; c++)
				shards[p][2 * r + c] = (float)((2 * (p / 2) + r) * 4 + 2 * (p % 2) +
				                               c);
		ptrs[p] = shards[p];
	}
	for (int i = 0; i < N; i++)
		expected[i] = (float)i;
	const tess_array_type *type = tess_array_type_make(ctx, TESS_F32, dims, 2, "X, Y");
	tess_array *v = tess_array_from_shards(ctx, type, ptrs, 8);
	assert_true(tess_array_tensor(v, &t));
	assert_memory_equal(t.data, expected, sizeof expected);
	assert_null(tess_array_from_shards(ctx, type, ptrs, 7));
	struct DLManagedTensorVersioned *dl = tess_array_to_dlpack(ctx, v);
	assert_non_null(dl);
	tess_array *w = tess_array_from_dlpack(ctx, dl, "_, Y");
	assert_true(tess_array_tensor(w, &t));
	assert_memory_equal(t.data, expected, sizeof expected);
	memcpy(back, t.data, sizeof back);
	managed *m = (managed *)dl;
	assert_true(m->major == 1 && m->device_type == 1 && m->ndim == 2 && m->lanes == 1);
	assert_true(m->code == 2 && m->bits == 32 && m->shape[0] == 8 && m->shape[1] == 4);
	m->major = 2;
	tess_diag_clear(ctx);
	assert_null(tess_array_from_dlpack(ctx, dl, NULL));
	said(ctx, "major version");
	m->deleter(dl);
	tess_tensor again = {.name = "",
	                     .dtype = TESS_F32,
	                     .rank = 2,
	                     .dims = dims,
	                     .data = back,
	                     .bytes = sizeof back};
	tess_array *u = tess_array_from_tensor(ctx, &again, "Y, X");
	assert_true(tess_array_tensor(u, &t));
	assert_memory_equal(t.data, expected, sizeof expected);
	again.bytes = 4;
	assert_null(tess_array_from_tensor(ctx, &again, NULL));
	tess_array_free(u);
	tess_array_free(v);
	tess_array_free(w);
	tess_ctx_free(ctx);
}

/* Counts the parts, and numbers the elements of the whole array. */
static bool numbered(void *env, const int64_t *begin, const int64_t *end, void *data,
                     const int64_t *strides)
{
	int *parts = env;
	for (int64_t r = begin[0]; r < end[0]; r++)
		for (int64_t c = begin[1]; c < end[1]; c++)
			((float *)data)[(r - begin[0]) * strides[0] + (c - begin[1]) * strides[1]] =
				(float)(4 * r + c);
	return ++*parts < 9;
}

static void values_are_made_where_they_lie(void **state)
{
	static const struct {
		const char *spec;
		int parts;
	} specs[] = {{"X, Y", 8}, {"X, _", 4}, {"_, Y", 2}, {"(Y,X), _", 8}, {"_, _", 1}};
	tess_ctx *ctx = context();
	int64_t dims[] = {8, 4};
	(void)state;
	for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
		int parts = 0;
		tess_tensor t;
		const tess_array_type *type = tess_array_type_make(ctx, TESS_F32, dims, 2,
		                                                   specs[i].spec);
		tess_array *v = tess_array_from_callback(ctx, type, numbered, &parts);
		assert_int_equal(parts, specs[i].parts);
		assert_true(tess_array_tensor(v, &t));
		for (int k = 0; k < N; k++)
			assert_true(((const float *)t.data)[k] == (float)k);
		tess_array_free(v);
	}
	int full = 8;
	assert_null(tess_array_from_callback(
		ctx, tess_array_type_make(ctx, TESS_F32, dims, 2, "X, _"), numbered, &full));
	said(ctx, "not filled");
	tess_ctx_free(ctx);
}

/* ---- manual regions on meshes with another device order ------------------------------------- */

/* Returns the sum over y of each part, plus the index of its device along x. */
static int placed_part(tess_ctx *ctx, void *env, tess_array *const *in, size_t n, tess_array **out,
                       size_t cap)
{
	(void)env, (void)n, (void)cap;
	tess_array *at = tess_apply1(ctx, "lax.axis_index",
	                             tess_params_text(tess_params_new(ctx), "axes", "x"), 0);
	tess_array *sum = tess_apply1(
		ctx, "lax.psum", tess_params_text(tess_params_new(ctx), "axes", "y"), 1, in[0]);
	out[0] = tess_apply1(ctx, "jnp.add", NULL, 2, sum, at);
	return out[0] ? 1 : -1;
}

static int region(tess_ctx *ctx, void *env, tess_array *const *in, size_t n, tess_array **out,
                  size_t cap)
{
	tess_params *a = tess_params_spec(
		tess_params_spec(tess_params_new(ctx), "in_specs", "x, y"), "out_specs", "x, _");
	(void)n;
	int got = tess_apply_body(ctx, "shard_map", placed_part, &env, 1, in, 1, a, out, cap);
	tess_params_free(a);
	return got;
}

static void regions_know_their_devices(void **state)
{
	static const int64_t ids[] = {3, 1, 0, 2, 7, 6, 5, 4};
	tess_ctx *ctx = context();
	int64_t dims[] = {4, 4};
	float data[16];
	(void)state;
	for (int i = 0; i < 16; i++)
		data[i] = (float)i;
	const tess_mesh *m = torch_mesh(ctx, ids, 8, (int64_t[]){4, 2}, 2,
	                                (const char *[]){"x", "y"}, 2);
	tess_spmd_tensor *t = tess_spmd_tensor_new(ctx, TESS_F32, dims, 2, data), *out = NULL;
	assert_int_equal(tess_spmd_tensor_mark(t, m, "x, y"), TESS_OK);
	assert_int_equal(tess_spmd_run(ctx, region, NULL, &t, 1, &out, 1), 1);
	const float *got = tess_spmd_tensor_global(out).data;
	for (int r = 0; r < 4; r++)
		for (int c = 0; c < 2; c++)
			assert_true(got[2 * r + c] ==
			            data[4 * r + c] + data[4 * r + 2 + c] + (float)r);
	tess_spmd_tensor_free(out);
	tess_spmd_tensor_free(t);
	tess_ctx_free(ctx);
}

/* The same region on an array mesh. The values do not depend on the device order; the placement
 * does. */
static void meshes_know_their_devices(void **state)
{
	static const int64_t ids[] = {3, 1, 0, 2, 7, 6, 5, 4}, twice[] = {0, 1, 2, 3, 4, 5, 6, 6};
	tess_ctx *ctx = tess_ctx_new(NULL);
	int64_t dims[] = {4, 4}, sizes[] = {4, 2};
	const char *names[] = {"x", "y"};
	float data[16];
	(void)state;
	for (int i = 0; i < 16; i++)
		data[i] = (float)i;
	const tess_mesh *plain = jax_mesh(ctx, sizes, 2, names, 2, NULL, 0);
	const tess_axis_kind kind = TESS_AXIS_EXPLICIT;
	const tess_mesh *mesh = mesh_with(ctx, sizes, 2, names, NULL, kind, ids, 8);
	assert_ptr_not_equal(mesh, plain);
	assert_ptr_equal(mesh, mesh_with(ctx, sizes, 2, names, NULL, kind, ids, 8));
	assert_ptr_not_equal(mesh, mesh_with(ctx, sizes, 2, names, NULL, TESS_AXIS_AUTO, ids, 8));
	assert_null(mesh_with(ctx, sizes, 2, names, NULL, kind, twice, 8));
	said(ctx, "device");
	assert_null(mesh_with(ctx, sizes, 2, names, NULL, kind, ids, 7));
	said(ctx, "device");
	assert_null(mesh_with(ctx, sizes, 2, names, NULL, (tess_axis_kind)7, NULL, 0));
	assert_int_equal(tess_array_set_mesh(ctx, mesh), TESS_OK);
	assert_true(text_has(lent(tess_array_mesh_print(ctx, mesh, false)),
	                     "Mesh('x': 4, 'y': 2, axis_types=(Explicit, Explicit), "
	                     "device_ids=[3, 1, 0, 2, 7, 6, 5, 4])"));
	tess_array *v = tess_array_new(ctx, tess_array_type_make(ctx, TESS_F32, dims, 2, "x, y"),
	                               data);
	const tess_array_type *type = tess_array_typeof(v);
	tess_fn *f = tess_fn_trace(ctx, region, NULL, &type, 1);
	assert_true(text_has(lent(tess_fn_print(f)), "device_ids=[3, 1, 0, 2, 7, 6, 5, 4]"));
	tess_array *out;
	tess_tensor t;
	assert_int_equal(tess_fn_call(f, &v, 1, &out, 1), 1);
	assert_true(tess_array_tensor(out, &t));
	for (int r = 0; r < 4; r++)
		for (int c = 0; c < 2; c++)
			assert_true(((const float *)t.data)[2 * r + c] ==
			            data[4 * r + c] + data[4 * r + 2 + c] + (float)r);
	/* a mesh in another order is a different mesh */
	assert_int_equal(tess_array_set_mesh(ctx, plain), TESS_OK);
	assert_null(tess_apply1(ctx, "lax.sin", NULL, 1, v));
	said(ctx, "mesh");
	tess_array_free(v);
	tess_array_free(out);
	tess_fn_free(f);
	tess_ctx_free(ctx);
}

/* ---- placement of values -------------------------------------------------------------------- */

static void lies(tess_ctx *ctx, tess_array *v, const char *type, const char *sharding)
{
	assert_non_null(v);
	char shown[100];
	tess_str s = lent(tess_array_sharding(v));
	snprintf(shown, sizeof shown, "%.*s", (int)s.len, s.ptr);
	assert_string_equal(shown, sharding);
	s = lent(tess_array_type_print(ctx, tess_array_typeof(v), TESS_ARRAY_TYPE_FORM_SHORT));
	snprintf(shown, sizeof shown, "%.*s", (int)s.len, s.ptr);
	assert_string_equal(shown, type);
}

static int doubled(tess_ctx *ctx, void *env, tess_array *const *in, size_t n, tess_array **out,
                   size_t cap)
{
	(void)env, (void)n, (void)cap;
	out[0] = tess_apply1(ctx, "lax.add", NULL, 2, in[0], in[0]);
	out[1] = tess_apply1(ctx, "lax.transpose", NULL, 1, in[0]);
	return out[0] && out[1] ? 2 : -1;
}

/* Types name only Explicit axes. The sharding chosen along Auto axes is shown in addition. */
static void auto_axes_are_seen_beside_types(void **state)
{
	tess_ctx *ctx = tess_ctx_new(NULL);
	int64_t dims[] = {8, 4}, sizes[] = {4, 2};
	const char *names[] = {"X", "Y"};
	const tess_axis_kind kinds[] = {TESS_AXIS_EXPLICIT, TESS_AXIS_AUTO};
	float data[N] = {1};
	(void)state;
	assert_int_equal(tess_array_set_mesh(ctx, jax_mesh(ctx, sizes, 2, names, 2, kinds, 2)),
	                 TESS_OK);
	tess_array *x = tess_array_new(ctx, tess_array_type_make(ctx, TESS_F32, dims, 2, "X, _"),
	                               data);
	lies(ctx, x, "f32[8@X,4]", "P('X', None)");
	tess_array *y = tess_apply1(ctx, "jax.device_put",
	                            tess_params_spec(tess_params_new(ctx), "sharding", "X, Y"), 1,
	                            x);
	assert_ptr_equal(tess_array_typeof(x), tess_array_typeof(y));
	lies(ctx, y, "f32[8@X,4]", "P('X', 'Y')");
	tess_array *z = tess_apply1(ctx, "lax.sin", NULL, 1, y), *out[2];
	lies(ctx, z, "f32[8@X,4]", "P('X', 'Y')");
	const tess_array_type *type = tess_array_typeof(x);
	tess_fn *f = tess_fn_trace(ctx, doubled, NULL, &type, 1);
	for (int k = 0; k < 3; k++) { /* with y, with x, with y again: a plan for each */
		tess_tensor t;
		assert_int_equal(tess_fn_call(f, k == 1 ? &x : &y, 1, out, 2), 2);
		lies(ctx, out[0], "f32[8@X,4]", k == 1 ? "P('X', None)" : "P('X', 'Y')");
		lies(ctx, out[1], "f32[4,8@X]", k == 1 ? "P(None, 'X')" : "P('Y', 'X')");
		assert_true(tess_array_tensor(out[0], &t));
		assert_true(*(const float *)t.data == 2);
		tess_array_free(out[0]);
		tess_array_free(out[1]);
	}
	tess_fn_free(f);
	tess_array_free(x);
	tess_array_free(y);
	tess_array_free(z);
	tess_ctx_free(ctx);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gradients_are_slopes),
		cmocka_unit_test(eager_is_typed_and_right),
		cmocka_unit_test(communication_is_told),
		cmocka_unit_test(lookups_count_in_their_types),
		cmocka_unit_test(types_meet_in_one_that_has_both),
		cmocka_unit_test(borders_of_floats_are_as_in_jax),
		cmocka_unit_test(large_means_are_taken_out),
		cmocka_unit_test(data_comes_and_goes),
		cmocka_unit_test(values_are_made_where_they_lie),
		cmocka_unit_test(regions_know_their_devices),
		cmocka_unit_test(meshes_know_their_devices),
		cmocka_unit_test(auto_axes_are_seen_beside_types),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
