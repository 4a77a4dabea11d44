/* window.c - reads the sizes, strides and paddings of convolutions and window reductions, by the
 * rules of jax.lax. */
#include "array/array.h"

static bool windows_wrong(tess_ctx *ctx, const char *op, const char *text)
{
	return diag_error(ctx, NOWHERE, E_ARRAY_ATTRIBUTE, "%s: %s", op, text);
}

/* Reads a list with an entry for each dimension; 1 if it is missing. */
static bool read_steps(tess_ctx *ctx, const char *op, const params *a, const char *key, int n,
                       int64_t out[])
{
	const int64_t *v = NULL;
	int found = param_ints(a, key, &v);
	if (found >= 0 && found != n)
		return diag_error(ctx, NOWHERE, E_ARRAY_ATTRIBUTE,
		                  "%s: %s has %d entries, for %d dimensions", op, key, found, n);
	for (int i = 0; i < n; i++) {
		out[i] = found < 0 ? 1 : v[i];
		if (out[i] < 1 || out[i] > INT32_MAX)
			return diag_error(ctx, NOWHERE, E_ARRAY_ATTRIBUTE,
			                  "%s: %s holds %" PRId64 "; its entries are positive", op, key,
			                  out[i]);
	}
	return true;
}

/* Computes the extent of `n` elements that are `step` apart. */
static bool reach_of(int64_t n, int64_t step, int64_t *out)
{
	*out = 0;
	return n <= 0 || (mul_ok(n - 1, step, out) && add_ok(*out, 1, out));
}

/* For SAME, pads as much as the windows need, the larger half at the end; for SAME_LOWER, at the
 * start. The dilation of the operand does not count, as in JAX. */
static bool pad_as_wide(array_window *w, bool lower)
{
	int64_t reach, lack;
	if (!reach_of(w->window, w->window_dilation, &reach) ||
	    !reach_of(ceil_div(w->size, w->stride), w->stride, &lack))
		return false;
	lack = w->size ? max_i64(lack - 1 + reach - w->size, 0) : 0;
	w->low = lower ? lack - lack / 2 : lack / 2;
	w->high = lack - w->low;
	return true;
}

/* The names of the attributes of an operation with windows. */
typedef struct window_keys {
	const char *strides, *base_dilation, *window_dilation;
	bool dilation_needs_pairs; /* SAME and VALID are not allowed with a base dilation */
} window_keys;

static bool read_window_padding(tess_ctx *ctx, const char *op, const params *a, const window_keys *keys,
                         int n, array_window *w)
{
	const int64_t *pairs = NULL;
	int found = param_ints(a, "padding", &pairs);
	tess_str how = param_text(a, "padding");
	bool lower = str_is(how, "SAME_LOWER"), same = lower || str_is(how, "SAME");
	if (found >= 0 ? found != 2 * n : how.len && !same && !str_is(how, "VALID"))
		return windows_wrong(ctx, op, "padding is SAME, SAME_LOWER, VALID, or two numbers for each "
		                              "dimension");
	for (int i = 0; i < n; i++) {
		if (how.len && keys->dilation_needs_pairs && w[i].base_dilation > 1)
			return windows_wrong(ctx, op, "a dilated operand needs padding in numbers");
		w[i].low = found < 0 ? 0 : pairs[2 * i];
		w[i].high = found < 0 ? 0 : pairs[2 * i + 1];
		if (w[i].low != (int32_t)w[i].low || w[i].high != (int32_t)w[i].high ||
		    (same && !pad_as_wide(&w[i], lower)))
			return windows_wrong(ctx, op, "the padding is too large");
	}
	return true;
}

static bool count_places(array_window *w)
{
	int64_t reach, in;
	if (!reach_of(w->window, w->window_dilation, &reach) ||
	    !reach_of(w->size, w->base_dilation, &in) || !add_ok(in, w->low, &in) ||
	    !add_ok(in, w->high, &in))
		return false;
	in = max_i64(in, 0);
	w->out = in < reach ? 0 : (in - reach) / w->stride + 1;
	return true;
}

/* Reads the lists with these names, and `padding`, for n dimensions, whose sizes and windows are
 * already in w, and computes the number of positions. Returns false with a diagnostic. */
static bool windows_read(tess_ctx *ctx, const char *op, const params *a, const window_keys *keys,
                         int n, array_window *w)
{
	int64_t stride[ARRAY_MAX_RANK], base[ARRAY_MAX_RANK], window[ARRAY_MAX_RANK];
	if (!read_steps(ctx, op, a, keys->strides, n, stride) ||
	    !read_steps(ctx, op, a, keys->base_dilation, n, base) ||
	    !read_steps(ctx, op, a, keys->window_dilation, n, window))
		return false;
	for (int i = 0; i < n; i++) {
		w[i].stride = stride[i];
		w[i].base_dilation = base[i];
		w[i].window_dilation = window[i];
	}
	if (!read_window_padding(ctx, op, a, keys, n, w))
		return false;
	for (int i = 0; i < n; i++)
		if (!count_places(&w[i]))
			return windows_wrong(ctx, op, "a dilation is too large");
	return true;
}

bool pool_read(tess_ctx *ctx, const params *a, const atype *x, array_window *w)
{
	static const window_keys keys = {"strides", "base_dilation", "window_dilation"};
	const int64_t *window;
	if (param_ints(a, "window", &window) != x->rank)
		return windows_wrong(ctx, "reduce_window", "window has a size for each dimension");
	for (int d = 0; d < x->rank; d++) {
		if (window[d] < 1)
			return windows_wrong(ctx, "reduce_window", "sizes of windows are positive");
		w[d].size = x->dim[d];
		w[d].window = window[d];
	}
	return windows_read(ctx, "reduce_window", a, &keys, x->rank, w);
}

/* ---- convolutions ------------------------------------------------------------------------ */

/* Returns the position of a letter in a layout such as "NWC"; -1 if it is missing. */
static int letter_at(tess_str layout, char letter)
{
	const char *at = layout.len ? memchr(layout.ptr, letter, layout.len) : NULL;
	return at ? (int)(at - layout.ptr) : -1;
}

/* Spatial dimensions are in the order of the kernel's layout, as in JAX. */
static bool read_layouts(const params *a, int rank, array_conv *c)
{
	tess_str lhs = param_text(a, "lhs_layout"), rhs = param_text(a, "rhs_layout");
	tess_str out = param_text(a, "out_layout");
	if (rank < 2 || (int)lhs.len != rank || (int)rhs.len != rank || (int)out.len != rank)
		return false;
	c->lhs[CONV_BATCH] = letter_at(lhs, 'N');
	c->lhs[CONV_FEATURE] = letter_at(lhs, 'C');
	c->rhs[CONV_OUT] = letter_at(rhs, 'O');
	c->rhs[CONV_IN] = letter_at(rhs, 'I');
	c->out[CONV_BATCH] = letter_at(out, 'N');
	c->out[CONV_FEATURE] = letter_at(out, 'C');
	bool fit = c->rhs[CONV_OUT] >= 0 && c->rhs[CONV_IN] >= 0;
	int n = CONV_SPATIAL;
	for (int d = 0; fit && d < rank; d++) {
		if (d == c->rhs[CONV_OUT] || d == c->rhs[CONV_IN])
			continue;
		fit = letter_at(rhs, rhs.ptr[d]) == d && n < rank;
		c->rhs[n] = d;
		c->lhs[n] = letter_at(lhs, rhs.ptr[d]);
		c->out[n++] = letter_at(out, rhs.ptr[d]);
	}
	for (int i = 0; fit && i < rank; i++)
		fit = c->lhs[i] >= 0 && c->out[i] >= 0;
	c->n_spatial = rank - CONV_SPATIAL;
	return fit;
}

static bool groups_fit(tess_ctx *ctx, const array_conv *c, const atype *x, const atype *k)
{
	const char *op = "conv_general_dilated";
	int64_t in = x->dim[c->lhs[CONV_FEATURE]], out = k->dim[c->rhs[CONV_OUT]];
	if (c->feature_groups < 1 || c->batch_groups < 1 ||
	    (c->feature_groups > 1 && c->batch_groups > 1))
		return windows_wrong(ctx, op, "feature_group_count and batch_group_count are positive, and "
		                              "one of them is 1");
	if (in % c->feature_groups || in / c->feature_groups != k->dim[c->rhs[CONV_IN]])
		return diag_error(ctx, NOWHERE, E_ARRAY_SHAPE,
		                  "%s: %" PRId64 " features in %" PRId64
		                  " groups do not fit a kernel for %" PRId64,
		                  op, in, c->feature_groups, k->dim[c->rhs[CONV_IN]]);
	if (x->dim[c->lhs[CONV_BATCH]] % c->batch_groups || out % c->batch_groups ||
	    out % c->feature_groups)
		return windows_wrong(ctx, op, "the groups must divide the batch, and the features that the "
		                              "kernel makes");
	return true;
}

bool conv_read(tess_ctx *ctx, const params *a, const atype *x, const atype *k, array_conv *c)
{
	static const window_keys keys = {"window_strides", "lhs_dilation", "rhs_dilation", true};
	if (x->rank != k->rank || !read_layouts(a, x->rank, c))
		return windows_wrong(ctx, "conv_general_dilated", "layouts do not fit the operands");
	c->feature_groups = param_int(a, "feature_group_count", 1);
	c->batch_groups = param_int(a, "batch_group_count", 1);
	if (!groups_fit(ctx, c, x, k))
		return false;
	for (int i = 0; i < c->n_spatial; i++)
		c->at[i] = (array_window){.size = x->dim[c->lhs[CONV_SPATIAL + i]],
		                        .window = k->dim[c->rhs[CONV_SPATIAL + i]]};
	return windows_read(ctx, "conv_general_dilated", a, &keys, c->n_spatial, c->at);
}
