/* test_array_misuse.c - misuse of array programs and marked tensors gives an error that says what
 * is wrong. tests/misuse calls every function wrongly. */
#include <stdlib.h>

#include "array_fixture.h"

#include "../support/lent.h"
#include <tessera/spmd.h>

static tess_array *kept;

static int keep_value(tess_ctx *ctx, void *env, tess_array *const *in, size_t n, tess_array **out,
                      size_t cap)
{
	(void)ctx, (void)env, (void)n, (void)cap;
	kept = out[0] = in[0];
	return 1;
}

static int use_kept(tess_ctx *ctx, void *env, tess_array *const *in, size_t n, tess_array **out,
                    size_t cap)
{
	(void)env, (void)n, (void)cap;
	out[0] = tess_apply1(ctx, "lax.add", NULL, 2, in[0], kept);
	return out[0] ? 1 : -1;
}

static void misuse_is_an_error(void **state)
{
	tess_ctx *ctx = context(), *other = context();
	int64_t dims[] = {8, 4};
	float data[N] = {0};
	(void)state;
	const tess_array_type *t = tess_array_type_make(ctx, TESS_F32, dims, 2, "X, _"), *out;
	assert_null(tess_array_type_make(ctx, TESS_F32, dims, 2, "X, X"));
	assert_null(tess_array_type_make(ctx, TESS_F32, dims, 2, "X, _, Y"));
	assert_null(tess_array_type_make(ctx, TESS_F32, dims, 2, "(X"));
	assert_null(tess_array_type_make(ctx, TESS_F32, NULL, 2, NULL));
	assert_null(tess_array_type_parse(ctx, (tess_str){"f32[8@Q]", 8}, NULL));
	assert_int_equal(tess_array_infer(ctx, "lax.none", &t, 1, NULL, &out, 1), -1);
	assert_int_equal(tess_array_infer(ctx, "lax.add", &t, 1, NULL, &out, 1), -1);
	assert_int_equal(tess_array_infer(ctx, "lax.sin", NULL, 1, NULL, &out, 1), -1);
	assert_int_equal(tess_array_infer(NULL, "lax.sin", &t, 1, NULL, &out, 1), -1);
	assert_null(tess_fn_trace(ctx, NULL, NULL, &t, 1));
	assert_null(tess_array_new(ctx, t, NULL));

	tess_fn *f = tess_fn_trace(ctx, keep_value, NULL, &t, 1);
	assert_non_null(f);
	assert_null(tess_fn_trace(ctx, use_kept, NULL, &t, 1)); /* a value of a past function */
	tess_array *foreign = tess_array_new(
			   other, tess_array_type_make(other, TESS_F32, dims, 2, "X, _"), data),
		   *got;
	assert_int_equal(tess_fn_call(f, &foreign, 1, &got, 1), -1);
	assert_int_equal(tess_fn_call(f, NULL, 0, &got, 1), -1);
	assert_int_equal(tess_fn_call(NULL, NULL, 0, NULL, 0), -1);
	assert_true(tess_diag_errors(ctx) > 0);
	tess_array_free(foreign);
	tess_fn_free(f);

	assert_int_equal(tess_spmd_tensor_mark(NULL, NULL, "x"), TESS_USAGE);
	assert_int_equal(tess_spmd_tensor_shard(NULL, 0, NULL), TESS_USAGE);
	assert_int_equal(tess_spmd_run(ctx, NULL, NULL, NULL, 0, NULL, 0), -1);
	tess_ctx_free(ctx);
	tess_ctx_free(other);
}

static void a_product_of_too_many_dimensions_is_an_error(void **state)
{
	tess_ctx *ctx = context();
	int64_t dims[16] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
	float data[1] = {0};
	(void)state;
	tess_array *x = tess_array_new(ctx, tess_array_type_make(ctx, TESS_F32, dims, 9, NULL),
	                               data);
	tess_params *a = tess_params_text(tess_params_new(ctx), "subscripts",
	                                  "abcdefghi,jklmnopqr->ajr");
	assert_non_null(x);
	tess_array *y = tess_apply1(ctx, "jnp.einsum", a, 2, x,
	                            x); /* all others are summed before */
	assert_non_null(y);
	tess_array_free(y);
	tess_array *all = tess_array_new(ctx, tess_array_type_make(ctx, TESS_F32, dims, 16, NULL),
	                                 data);
	a = tess_params_text(tess_params_new(ctx), "subscripts",
	                     "abcdefghi,jklmnopqr,abcdefghijklmnop->qr");
	assert_null(tess_apply1(ctx, "jnp.einsum", a, 3, x, x, all));
	said(ctx, "a product of two operands has rank 18");
	tess_array_free(all);
	tess_array_free(x);
	tess_ctx_free(ctx);
}

static int sine(tess_ctx *ctx, void *env, tess_array *const *in, size_t n, tess_array **out,
                size_t cap)
{
	(void)env, (void)n, (void)cap;
	out[0] = tess_apply1(ctx, "lax.sin", NULL, 1, in[0]);
	return out[0] ? 1 : -1;
}

#ifndef NDEBUG
static void freed_handles_are_told(void **state)
{
	tess_ctx *ctx = context();
	int64_t dims[] = {8, 4};
	float data[N] = {0};
	tess_tensor t;
	(void)state;
	const tess_array_type *type = tess_array_type_make(ctx, TESS_F32, dims, 2, "X, _");
	tess_array *x = tess_array_new(ctx, type, data), *y;
	tess_fn *f = tess_fn_trace(ctx, sine, NULL, &type, 1);
	tess_params *a = tess_params_int(tess_params_new(ctx), "axis", 0);
	const tess_mesh *m = torch_mesh(ctx, NULL, 0, (int64_t[]){4, 2}, 2, NULL, 0);
	tess_spmd_tensor *s = tess_spmd_tensor_new(ctx, TESS_F32, dims, 2, data);
	assert_int_equal(tess_spmd_tensor_mark(s, m, "0, 1"), TESS_OK);
	tess_array_free(x);
	tess_array_free(x);
	said(ctx, "a value is used after it was freed");
	assert_int_equal(tess_fn_call(f, &x, 1, &y, 1), -1);
	said(ctx, "a value is used after it was freed");
	assert_null(tess_apply1(ctx, "lax.sin", NULL, 1, x));
	said(ctx, "a value is used after it was freed");
	assert_false(tess_array_tensor(x, &t));
	said(ctx, "a value is used after it was freed");
	tess_fn_free(f);
	assert_int_equal(tess_fn_call(f, &x, 1, &y, 1), -1);
	said(ctx, "a function is used after it was freed");
	assert_int_equal(lent(tess_fn_print(f)).len, 0);
	said(ctx, "a function is used after it was freed");
	tess_fn_free(f);
	said(ctx, "a function is used after it was freed");
	tess_params_free(a);
	assert_null(tess_params_int(a, "axis", 1));
	said(ctx, "attributes is used after it was freed");
	tess_spmd_tensor_free(s);
	assert_int_equal(tess_spmd_tensor_shard(s, 0, &(tess_spmd_shard){0}), TESS_USAGE);
	said(ctx, "a tensor is used after it was freed");
	tess_spmd_tensor_free(s);
	said(ctx, "a tensor is used after it was freed");
	tess_ctx_free(ctx);
}
#endif

static void wrong_values_are_told(void **state)
{
	tess_ctx *ctx = context(), *other = context();
	int64_t dims[] = {8, 4}, more[] = {8, 8};
	float data[2 * N] = {0};
	(void)state;
	const tess_array_type *type = tess_array_type_make(ctx, TESS_F32, dims, 2, "X, _");
	tess_array *x = tess_array_new(ctx, type, data), *y, *in[2];
	tess_array *i = tess_array_new(ctx, tess_array_type_make(ctx, TESS_I32, dims, 2, NULL),
	                               data);
	tess_array *wide = tess_array_new(ctx, tess_array_type_make(ctx, TESS_F32, more, 2, NULL),
	                                  data);
	tess_fn *f = tess_fn_trace(ctx, sine, NULL, &type, 1);
	assert_int_equal(tess_fn_call(f, &i, 1, &y, 1), -1); /* another element type */
	said(ctx, "not of the type");
	assert_int_equal(tess_fn_call(f, &wide, 1, &y, 1), -1); /* another shape */
	said(ctx, "not of the type");
	assert_int_equal(tess_fn_call(f, &x, 2, &y, 1), -1);
	said(ctx, "a different number of values");
	assert_int_equal(tess_fn_call(f, &x, 1, &y, 0), -1);
	said(ctx, "room");
	assert_null(tess_apply1(ctx, "lax.add", NULL, 2, x, wide));
	said(ctx, "incompatible shapes");
	assert_null(tess_apply1(ctx, "lax.add", NULL, 2, x, i));
	said(ctx, "of one element type");
	assert_null(tess_apply1(ctx, "lax.add", NULL, 2, x, NULL)); /* failed earlier */
	assert_null(tess_apply1(ctx, "lax.nothing", NULL, 1, x));
	said(ctx, "there is no operation");
	assert_null(tess_apply1(ctx, "lax.broadcast_to_rank",
	                        tess_params_int(tess_params_new(ctx), "rank", 1000), 1, x));
	said(ctx, "at most rank 16");
	assert_null(tess_apply1(ctx, "lax.index_in_dim",
	                        tess_params_int(tess_params_new(ctx), "index", INT64_MAX), 1, x));
	said(ctx, "out of range for dimension 0");
	in[0] = tess_array_new(other, tess_array_type_make(other, TESS_F32, dims, 2, "X, _"), data);
	in[1] = x;
	assert_int_equal(tess_apply(ctx, "lax.add", in, 2, NULL, &y, 1), -1);
	said(ctx, "another context");
	tess_params *a = tess_params_int(tess_params_new(other), "axis", 0);
	assert_int_equal(tess_apply(ctx, "jnp.sum", &x, 1, a, &y, 1), -1);
	said(ctx, "another context");
	tess_params_free(a);
	assert_int_equal(tess_apply(ctx, "lax.sin", &x, -1, NULL, &y, 1), -1);
	said(ctx, "room for the results");
	assert_null(tess_apply1(ctx, "lax.sin", tess_params_int(tess_params_new(ctx), "axis", 0), 1,
	                        x));
	said(ctx, "lax.sin has no attribute 'axis'");
	assert_null(tess_apply1(ctx, "jnp.sum", tess_params_int(tess_params_new(ctx), "keepdim", 1),
	                        1, x));
	said(ctx, "jnp.sum has no attribute 'keepdim'");
	assert_null(tess_apply1(ctx, "jnp.sum", tess_params_text(tess_params_new(ctx), "axis", "0"), 1,
	                        x));
	said(ctx, "jnp.sum: attribute 'axis' is a text; it has to be integers");
	const char *names[] = {"A"};
	int64_t eight = 8;
	assert_int_equal(tess_array_set_mesh(ctx, jax_mesh(ctx, &eight, 1, names, 1, NULL, 0)),
	                 TESS_OK);
	assert_null(tess_apply1(ctx, "lax.sin", NULL, 1, x)); /* of another mesh */
	said(ctx, "mesh");
	tess_array_free(in[0]);
	tess_array_free(x);
	tess_array_free(i);
	tess_array_free(wide);
	tess_fn_free(f);
	tess_ctx_free(ctx);
	tess_ctx_free(other);
}

/* Expects an error for a convolution of 6 features with a kernel for `in`. */
static void refused_conv(tess_ctx *ctx, int64_t in, const char *key, const int64_t *v, size_t n,
                         const char *why)
{
	const int64_t dims[] = {2, 5, 6}, kernel[] = {3, in, 4};
	const tess_array_type *types[] = {tess_array_type_make(ctx, TESS_F32, dims, 3, NULL),
	                                  tess_array_type_make(ctx, TESS_F32, kernel, 3, NULL)};
	const tess_array_type *out;
	tess_params *a = tess_params_new(ctx);
	tess_params_text(a, "lhs_layout", "NWC");
	tess_params_text(a, "rhs_layout", "WIO");
	tess_params_text(a, "out_layout", "NWC");
	tess_params_ints(a, key, v, n);
	assert_int_equal(tess_array_infer(ctx, "lax.conv_general_dilated", types, 2, a, &out, 1),
	                 why ? -1 : 1);
	if (why)
		said(ctx, why);
	else
		assert_int_equal(tess_array_type_dim(out, 1), 4);
	tess_params_free(a);
}

static void wrong_windows_are_told(void **state)
{
	(void)state;
	tess_ctx *ctx = tess_ctx_new(NULL);
	const int64_t zero = 0, one = 1, two = 2, three = 3, four = 4, pads[] = {1, 0, 1, 0};
	const int64_t far[] = {INT64_MAX, 1};
	refused_conv(ctx, 6, "padding", pads, 2, NULL);
	refused_conv(ctx, 3, "padding", pads, 2, "do not fit a kernel for 3");
	refused_conv(ctx, 6, "padding", pads, 4, "two numbers for each dimension");
	refused_conv(ctx, 6, "padding", far, 2, "too large");
	refused_conv(ctx, 6, "rhs_dilation", &zero, 1, "its entries are positive");
	refused_conv(ctx, 6, "window_strides", pads, 2, "2 entries, for 1 dimensions");
	refused_conv(ctx, 3, "feature_group_count", &four, 1, "6 features in 4 groups");
	refused_conv(ctx, 2, "feature_group_count", &three, 1, "must divide");
	refused_conv(ctx, 6, "feature_group_count", &zero, 1, "are positive");
	refused_conv(ctx, 6, "batch_group_count", &four, 1, "must divide the batch");
	refused_conv(ctx, 6, "lhs_dilations", &one, 1, "has no attribute 'lhs_dilations'");
	tess_params *a = tess_params_new(ctx);
	const int64_t dims[] = {5}, window = 2;
	const tess_array_type *x = tess_array_type_make(ctx, TESS_F32, dims, 1, NULL), *out;
	tess_params_text(a, "padding", "NEARLY");
	tess_params_text(a, "computation", "max");
	tess_params_ints(a, "window", &window, 1);
	assert_int_equal(tess_array_infer(ctx, "lax.reduce_window", &x, 1, a, &out, 1), -1);
	said(ctx, "padding is SAME, SAME_LOWER, VALID");
	tess_params_text(a, "padding", "SAME");
	tess_params_ints(a, "base_dilation", &two, 1);
	assert_int_equal(tess_array_infer(ctx, "lax.reduce_window", &x, 1, a, &out, 1), 1);
	tess_params_free(a);
	tess_ctx_free(ctx);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(misuse_is_an_error),
		cmocka_unit_test(a_product_of_too_many_dimensions_is_an_error),
#ifndef NDEBUG
		cmocka_unit_test(freed_handles_are_told),
#endif
		cmocka_unit_test(wrong_values_are_told),
		cmocka_unit_test(wrong_windows_are_told),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
