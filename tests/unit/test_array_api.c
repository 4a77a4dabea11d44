/* test_array_api.c - array programs: gradients against differences, eager against traced, and
 * what happens when the API is misused. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <tessera/array.h>
#include <tessera/spmd.h>

static tess_ctx *context(void)
{
	tess_ctx *ctx = tess_ctx_new(NULL);
	const char *names[] = {"X", "Y"};
	int64_t sizes[] = {4, 2};
	assert_non_null(ctx);
	assert_int_equal(tess_set_mesh(ctx, tess_make_mesh(ctx, sizes, 2, names, 2, NULL, 0)), TESS_OK);
	return ctx;
}

/* ---- gradients ------------------------------------------------------------------------- */

/* What is differentiated: the sum of the squares of one operation of x[8@X,4] and y[8@X,4]. */
typedef struct probe {
	const char *op;
	int n_in;
	tess_attrs *(*attrs)(tess_ctx *ctx);
} probe;

static tess_attrs *last_axis(tess_ctx *ctx) { return tess_attrs_int(tess_attrs_new(ctx), "axis", 1); }
static tess_attrs *turned(tess_ctx *ctx)
{
	return tess_attrs_ints(tess_attrs_new(ctx), "permutation", (int64_t[]){1, 0}, 2);
}
static tess_attrs *split(tess_ctx *ctx)
{
	return tess_attrs_ints(tess_attrs_new(ctx), "new_sizes", (int64_t[]){4, 2, 4}, 3);
}
static tess_attrs *matrix(tess_ctx *ctx) { return tess_attrs_text(tess_attrs_new(ctx), "subscripts", "ab,cb->a"); }
static tess_attrs *part(tess_ctx *ctx)
{
	tess_attrs *a = tess_attrs_ints(tess_attrs_new(ctx), "start_indices", (int64_t[]){0, 1}, 2);
	return tess_attrs_ints(a, "limit_indices", (int64_t[]){8, 3}, 2);
}
static tess_attrs *second(tess_ctx *ctx) { return tess_attrs_int(tess_attrs_new(ctx), "dimension", 1); }

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

static int probe_loss(tess_ctx *ctx, void *env, tess_array *const *in, int n, tess_array **out, int cap)
{
	const probe *p = env;
	tess_array *v = NULL, *whole[2] = {in[0], in[1]};
	(void)n, (void)cap;
	if (strcmp(p->op, "jnp.einsum") == 0) /* an operand that is not sharded along the same axis */
		whole[1] = tess_op(ctx, "jax.reshard", tess_attrs_spec(tess_attrs_new(ctx), "sharding", "_, _"), 1, in[1]);
	tess_attrs *a = p->attrs ? p->attrs(ctx) : NULL;
	int got = tess_apply(ctx, p->op, whole, p->n_in, a, &v, 1);
	tess_attrs_free(a);
	if (got != 1)
		return -1;
	out[0] = tess_op(ctx, "jnp.sum", NULL, 1, tess_op(ctx, "lax.mul", NULL, 2, v, v));
	return out[0] ? 1 : -1;
}

static int probe_gradient(tess_ctx *ctx, void *env, tess_array *const *in, int n, tess_array **out, int cap)
{
	tess_attrs *a = tess_attrs_ints(tess_attrs_new(ctx), "argnums", (int64_t[]){0, 1}, 2);
	int got = tess_apply_body(ctx, "value_and_grad", probe_loss, &env, 1, in, n, a, out, cap);
	tess_attrs_free(a);
	return got;
}

enum { N = 32 };

static tess_array *matrix_of(tess_ctx *ctx, const float *data)
{
	int64_t dims[] = {8, 4};
	tess_array *v = tess_array_new(ctx, tess_type_make(ctx, TESS_F32, dims, 2, "X, _"), data);
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
	const tess_type *t = tess_type_make(ctx, TESS_F32, dims, 2, "X, _"), *types[] = {t, t};
	tess_fn *f = tess_trace(ctx, probe_gradient, (void *)(uintptr_t)p, types, 2);
	if (!f)
		print_message("%s: %.*s\n", p->op, (int)tess_diag_render(ctx, false).len, tess_diag_render(ctx, false).ptr);
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
				fail_msg("%s: argument %d, element %d: gradient %g, slope %g", p->op, k, i, grads[k][i], slope);
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
	tess_array *x = matrix_of(ctx, data), *y = tess_op(ctx, "lax.sin", NULL, 1, x);
	tess_tensor t;
	assert_non_null(y);
	assert_ptr_equal(tess_typeof(x), tess_typeof(y));
	assert_true(tess_array_tensor(y, &t));
	for (int i = 0; i < N; i++)
		assert_true(fabs(((const float *)t.data)[i] - sin(data[i])) < 1e-5);
	tess_array_free(x);
	tess_array_free(y);
	tess_ctx_free(ctx);
}

/* ---- misuse ------------------------------------------------------------------------------ */

static tess_array *kept;

static int keep_value(tess_ctx *ctx, void *env, tess_array *const *in, int n, tess_array **out, int cap)
{
	(void)ctx, (void)env, (void)n, (void)cap;
	kept = out[0] = in[0];
	return 1;
}

static int use_kept(tess_ctx *ctx, void *env, tess_array *const *in, int n, tess_array **out, int cap)
{
	(void)env, (void)n, (void)cap;
	out[0] = tess_op(ctx, "lax.add", NULL, 2, in[0], kept);
	return out[0] ? 1 : -1;
}

static void misuse_is_an_error(void **state)
{
	tess_ctx *ctx = context(), *other = context();
	int64_t dims[] = {8, 4};
	float data[N] = {0};
	(void)state;
	const tess_type *t = tess_type_make(ctx, TESS_F32, dims, 2, "X, _"), *out;
	assert_null(tess_type_make(ctx, TESS_F32, dims, 2, "X, X"));
	assert_null(tess_type_make(ctx, TESS_F32, dims, 2, "X, _, Y"));
	assert_null(tess_type_make(ctx, TESS_F32, dims, 2, "(X"));
	assert_null(tess_type_make(ctx, TESS_F32, NULL, 2, NULL));
	assert_null(tess_type_parse(ctx, (tess_str){"f32[8@Q]", 8}, NULL));
	assert_int_equal(tess_infer(ctx, "lax.none", &t, 1, NULL, &out, 1), -1);
	assert_int_equal(tess_infer(ctx, "lax.add", &t, 1, NULL, &out, 1), -1);
	assert_int_equal(tess_infer(ctx, "lax.sin", NULL, 1, NULL, &out, 1), -1);
	assert_int_equal(tess_infer(NULL, "lax.sin", &t, 1, NULL, &out, 1), -1);
	assert_null(tess_trace(ctx, NULL, NULL, &t, 1));
	assert_null(tess_array_new(ctx, t, NULL));

	tess_fn *f = tess_trace(ctx, keep_value, NULL, &t, 1);
	assert_non_null(f);
	assert_null(tess_trace(ctx, use_kept, NULL, &t, 1)); /* of a function that has ended */
	tess_array *foreign = tess_array_new(other, tess_type_make(other, TESS_F32, dims, 2, "X, _"), data), *got;
	assert_int_equal(tess_fn_call(f, &foreign, 1, &got, 1), -1);
	assert_int_equal(tess_fn_call(f, NULL, 0, &got, 1), -1);
	assert_int_equal(tess_fn_call(NULL, NULL, 0, NULL, 0), -1);
	assert_true(tess_diag_errors(ctx) > 0);
	tess_array_free(foreign);
	tess_fn_free(f);

	assert_int_equal(tess_mark_sharding(NULL, NULL, "x"), TESS_USAGE);
	assert_int_equal(tess_local_shard(NULL, 0, NULL), TESS_USAGE);
	assert_int_equal(tess_spmd_run(ctx, NULL, NULL, NULL, 0, NULL, 0), -1);
	tess_ctx_free(ctx);
	tess_ctx_free(other);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gradients_are_slopes),
		cmocka_unit_test(eager_is_typed_and_right),
		cmocka_unit_test(misuse_is_an_error),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
