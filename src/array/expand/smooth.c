/* smooth.c - forms of operations for differentiation.
 *
 * Sorting becomes a gather at constant indices; cumulative and window reductions become sums,
 * products and selects of shifted copies, whose derivatives are right even if some values are 0 or
 * equal. These forms are never run themselves: of what is emitted, only what the derivative needs
 * is kept. */
#include "array/expand/expand.h"

#include <math.h>

/* ---- sorting -------------------------------------------------------------------------------- */

static int order_axis(maker *k)
{
	const char *key = param_has(k->attrs, "axis") ? "axis" : "dimension";
	int rank = k->in[0]->type->rank;
	int64_t axis = param_int(k->attrs, key, -1);
	return (int)(axis < 0 ? axis + rank : axis);
}

static avalue *taken_along(maker *k, avalue *x, avalue *at, int64_t axis)
{
	return make2(k, "jnp.take_along_axis", x, at, make_ints(k, "axis", &axis, 1));
}

static bool smooth_sort(maker *k)
{
	int64_t axis = order_axis(k);
	avalue *order = make1(k, "jnp.argsort", k->in[0], make_ints(k, "axis", &axis, 1));
	for (int i = 0; i < k->n_in; i++)
		if (!make_out(k, taken_along(k, k->in[i], order, axis)))
			return false;
	return true;
}

static bool smooth_top_k(maker *k)
{
	avalue *out[2];
	return array_emit(k->ctx, k->op->name, k->in, 1, k->attrs, out, 2) == 2 &&
	       make_out(k, taken_along(k, k->in[0], out[1], k->in[0]->type->rank - 1)) &&
	       make_out(k, out[1]);
}

/* ---- cumulative reductions ------------------------------------------------------------------ */

/* Interleaves elements of a and b: both are padded with zeros in between, then added. */
static avalue *interleaved(maker *k, avalue *a, avalue *b, int axis)
{
	int64_t config[2][3 * ARRAY_MAX_RANK] = {{0}};
	avalue *parts[] = {a, b};
	if (!a || !b)
		return NULL;
	bool even = a->type->dim[axis] == b->type->dim[axis];
	config[0][3 * axis + 1] = even;
	config[1][3 * axis] = 1;
	config[1][3 * axis + 1] = !even;
	for (int i = 0; i < 2; i++) {
		config[i][3 * axis + 2] = 1;
		parts[i] = make2(k, "lax.pad", parts[i], ex_number(k, 0, a->type->dtype),
		                 make_ints(k, "padding_config", config[i], 3 * a->type->rank));
	}
	return make2(k, "lax.add", parts[0], parts[1], NULL);
}

/* Reduces pairs of neighbors, then those cumulatively, and from them the results in between. JAX
 * combines in this order; so of equal values, the same ones get the derivative. */
static avalue *running_pairs(maker *k, const char *op, avalue *x, int axis)
{
	int64_t n = x ? x->type->dim[axis] : 0;
	if (n < 2)
		return x;
	avalue *odd = running_pairs(k, op,
	                            make2(k, op, make_slice_by(k, x, axis, 0, n - 1, 2),
	                                  make_slice_by(k, x, axis, 1, n, 2), NULL),
	                            axis);
	if (n == 2)
		return odd ? interleaved(k, make_slice(k, x, axis, 0, 1), odd, axis) : NULL;
	avalue *before = n % 2 ? odd : make_slice(k, odd, axis, 0, n / 2 - 1);
	avalue *even = make2(k, op, before, make_slice_by(k, x, axis, 2, n, 2), NULL);
	avalue *parts[] = {make_slice(k, x, axis, 0, 1), even};
	return parts[0] && even ? interleaved(k, ex_join(k, parts, 2, axis), odd, axis) : NULL;
}

static bool running(maker *k, const char *op)
{
	avalue *x = param_has(k->attrs, "axis") ? k->in[0] : ex_flat(k, k->in[0]);
	int axis = ex_axis(k, "axis", k->in[0]->type->rank);
	int64_t at = axis = axis < 0 ? 0 : axis;
	bool back = param_int(k->attrs, "reverse", 0);
	if (back && x)
		x = make1(k, "lax.rev", x, make_ints(k, "dimensions", &at, 1));
	x = running_pairs(k, op, x, axis);
	return make_out(k, back ? make1(k, "lax.rev", x, make_ints(k, "dimensions", &at, 1)) : x);
}

static bool smooth_cumprod(maker *k) { return running(k, "lax.mul"); }
static bool smooth_cummax(maker *k) { return running(k, "lax.max"); }
static bool smooth_cummin(maker *k) { return running(k, "lax.min"); }

/* ---- products ---------------------------------------------------------------------------- */

/* Halves the dimension until one element is left; an odd element waits. */
static avalue *product_along(maker *k, avalue *x, int axis)
{
	avalue *left = NULL;
	while (x && x->type->dim[axis] > 1) {
		int64_t n = x->type->dim[axis];
		if (n % 2) {
			avalue *last = make_slice(k, x, axis, n - 1, n);
			left = left ? make2(k, "lax.mul", left, last, NULL) : last;
		}
		x = make2(k, "lax.mul", make_slice(k, x, axis, 0, n / 2),
		          make_slice(k, x, axis, n / 2, n / 2 * 2), NULL);
	}
	return x && left ? make2(k, "lax.mul", x, left, NULL) : x;
}

static bool smooth_product(maker *k)
{
	const char *key = param_has(k->attrs, "axes") ? "axes" : "axis";
	const int64_t *axes;
	avalue *x = k->in[0];
	int rank = x->type->rank, n = param_ints(k->attrs, key, &axes);
	for (int i = 0; i < (n < 0 ? rank : n) && x; i++) {
		int64_t axis = n < 0 ? i : axes[i];
		axis += axis < 0 ? rank : 0;
		if (!x->type->dim[axis])
			return diag_error(k->ctx, NOWHERE, E_ARRAY_SHAPE,
			                  "the gradient of a product of nothing is not known");
		x = product_along(k, x, (int)axis);
	}
	int64_t dims[ARRAY_MAX_RANK];
	int kept = 0;
	for (int d = 0; x && d < rank; d++) {
		bool gone = n < 0;
		for (int i = 0; i < n; i++)
			gone |= axes[i] == d || axes[i] + rank == d;
		if (!gone || param_int(k->attrs, "keepdims", 0))
			dims[kept++] = x->type->dim[d];
	}
	return make_out(k, x ? ex_reshape(k, x, dims, kept) : NULL);
}

/* ---- windows ----------------------------------------------------------------------------- */

enum { MAX_TAPS = 4096 };

/* What windows see: x padded, and for each position in the window the values that it falls on. */
typedef struct sliding {
	avalue *x;
	int rank;
	array_window at[ARRAY_MAX_RANK];
	int64_t taps;
} sliding;

/* Sets trivial windows for dimensions. */
static void no_windows(sliding *s)
{
	for (int d = 0; d < s->rank; d++)
		s->at[d] = (array_window){.size = s->x->type->dim[d],
		                        .window = 1,
		                        .stride = 1,
		                        .base_dilation = 1,
		                        .window_dilation = 1,
		                        .out = s->x->type->dim[d]};
}

static bool pad_windows(maker *k, sliding *s, double fill)
{
	int64_t config[3 * ARRAY_MAX_RANK] = {0};
	s->taps = 1;
	for (int d = 0; d < s->rank; d++) {
		const array_window *w = &s->at[d];
		if (!w->out)
			return diag_error(k->ctx, NOWHERE, E_ARRAY_SHAPE,
			                  "the gradient is only known if there is at least one window");
		if (!mul_ok(s->taps, w->window, &s->taps) || s->taps > MAX_TAPS)
			return diag_error(k->ctx, NOWHERE, E_ARRAY_SHAPE,
			                  "the gradient of %s: windows have at most %d places",
			                  k->op->name, MAX_TAPS);
		config[3 * d] = w->low;
		config[3 * d + 1] = w->high;
		config[3 * d + 2] = w->base_dilation - 1;
	}
	s->x = make2(k, "lax.pad", s->x, ex_number(k, fill, s->x->type->dtype),
	             make_ints(k, "padding_config", config, 3 * s->rank));
	return s->x != NULL;
}

/* Returns the values on which position `tap` of each window falls. */
static avalue *tapped(maker *k, const sliding *s, int64_t tap)
{
	int64_t start[ARRAY_MAX_RANK], limit[ARRAY_MAX_RANK], strides[ARRAY_MAX_RANK];
	for (int d = s->rank - 1; d >= 0; d--) {
		const array_window *w = &s->at[d];
		start[d] = tap % w->window * w->window_dilation;
		tap /= w->window;
		strides[d] = w->stride;
		limit[d] = start[d] + (w->out - 1) * w->stride + 1;
	}
	params *a = make_ints(k, "start_indices", start, s->rank);
	make_more(k, a, "limit_indices", limit, s->rank);
	make_more(k, a, "strides", strides, s->rank);
	return make1(k, "lax.slice", s->x, a);
}

/* Of equal values the first is taken, as in select_and_scatter. */
static avalue *extreme_of(maker *k, avalue *a, avalue *b, bool least)
{
	return ex_where(k, make2(k, least ? "lax.le" : "lax.ge", a, b, NULL), a, b);
}

static bool smooth_reduce_window(maker *k)
{
	tess_str how = param_text(k->attrs, "computation");
	bool least = str_is(how, "min"), most = str_is(how, "max");
	sliding s = {.x = k->in[0], .rank = k->in[0]->type->rank};
	if (!pool_read(k->ctx, k->attrs, s.x->type, s.at) ||
	    !pad_windows(k, &s, most ? -HUGE_VAL : least ? HUGE_VAL : 0))
		return false;
	avalue *all = tapped(k, &s, 0);
	for (int64_t i = 1; i < s.taps && all; i++) {
		avalue *one = tapped(k, &s, i);
		all = most || least ? extreme_of(k, all, one, least)
		                    : make2(k, "lax.add", all, one, NULL);
	}
	return make_out(k, all);
}

/* ---- convolutions ------------------------------------------------------------------------ */

/* Returns the kernel at one position of its window, as a matrix of features. */
static avalue *kernel_at(maker *k, const sliding *s, const array_conv *c, int64_t tap)
{
	int64_t start[ARRAY_MAX_RANK] = {0}, limit[ARRAY_MAX_RANK];
	const atype *t = k->in[1]->type;
	memcpy(limit, t->dim, sizeof limit);
	for (int d = s->rank - 1; d >= 0; d--) {
		for (int i = CONV_SPATIAL; i < s->rank; i++)
			if (c->lhs[i] == d) {
				start[c->rhs[i]] = tap % s->at[d].window;
				limit[c->rhs[i]] = start[c->rhs[i]] + 1;
			}
		tap /= s->at[d].window;
	}
	params *a = make_ints(k, "start_indices", start, t->rank);
	make_more(k, a, "limit_indices", limit, t->rank);
	return make1(k, "lax.slice", k->in[1], a);
}

/* Splits dimension `at` into `groups` parts, which become a dimension before it; 1: unchanged. */
static avalue *grouped(maker *k, avalue *x, int at, int64_t groups)
{
	int64_t dims[ARRAY_MAX_RANK + 1];
	if (!x || groups == 1)
		return x;
	for (int d = 0, n = 0; d < x->type->rank; d++) {
		if (d == at)
			dims[n++] = groups;
		dims[n++] = d == at ? x->type->dim[d] / groups : x->type->dim[d];
	}
	return ex_reshape(k, x, dims, x->type->rank + 1);
}

/* Writes an operand's letters, one per dimension; "g" before dimension `grouped` (-1: none). */
static void put_subscript(writer *w, const int *at, int rank, const char *letters, int grouped)
{
	for (int d = 0; d < rank; d++) {
		int i = 0;
		while (at[i] != d)
			i++;
		if (d == grouped)
			put_c(w, 'g');
		put_c(w, letters[i]);
	}
}

/* Writes an einsum with n and spatial letters, i, o, and g for groups; the kernel's own spatial
 * letters have size 1. */
static params *conv_subscripts(maker *k, const array_conv *c, int rank)
{
	writer w;
	bool features = c->feature_groups > 1, batches = c->batch_groups > 1;
	writer_init(&w, &k->ctx->scratch);
	put_subscript(&w, c->lhs, rank, "nipqrstuvwxyzabc",
	            features  ? c->lhs[CONV_FEATURE]
	            : batches ? c->lhs[CONV_BATCH]
	                      : -1);
	put_c(&w, ',');
	put_subscript(&w, c->rhs, rank, "oiPQRSTUVWXYZABC",
	            features || batches ? c->rhs[CONV_OUT] : -1);
	put_lit(&w, "->");
	put_subscript(&w, c->out, rank, "nopqrstuvwxyzabc",
	            features || batches ? c->out[CONV_FEATURE] : -1);
	params *p = make_attrs(k);
	params_set(&k->ctx->scratch, p,
	           (param){.key = "subscripts", .kind = PK_TEXT, .n = 1, .text = writer_str(&w)});
	return p;
}

/* Sums, over the positions of the window, products over the features. */
static bool smooth_conv(maker *k)
{
	array_conv c;
	sliding s = {.x = k->in[0], .rank = k->in[0]->type->rank};
	no_windows(&s);
	if (!conv_read(k->ctx, k->attrs, s.x->type, k->in[1]->type, &c))
		return false;
	for (int i = 0; i < c.n_spatial; i++)
		s.at[c.lhs[CONV_SPATIAL + i]] = c.at[i];
	if (!pad_windows(k, &s, 0))
		return false;
	avalue *all = NULL;
	int64_t groups = c.feature_groups * c.batch_groups;
	int split = c.lhs[c.feature_groups > 1 ? CONV_FEATURE : CONV_BATCH];
	for (int64_t i = 0; i < s.taps; i++) {
		avalue *x = grouped(k, tapped(k, &s, i), split, groups);
		avalue *at = grouped(k, kernel_at(k, &s, &c, i), c.rhs[CONV_OUT], groups);
		avalue *one = x && at ? make2(k, "jnp.einsum", x, at, conv_subscripts(k, &c, s.rank)) : NULL;
		all = all && one ? make2(k, "lax.add", all, one, NULL) : one;
		if (!all)
			return false;
	}
	int64_t dims[ARRAY_MAX_RANK];
	for (int j = 0; j < s.rank; j++)
		dims[c.out[j]] = j == CONV_BATCH     ? s.x->type->dim[c.lhs[j]] / c.batch_groups
		                 : j == CONV_FEATURE ? k->in[1]->type->dim[c.rhs[CONV_OUT]]
		                                     : c.at[j - CONV_SPATIAL].out;
	all = groups > 1 ? ex_reshape(k, all, dims, s.rank) : all;
	dtype to = param_dtype(k->attrs, "preferred_element_type", s.x->type->dtype);
	return make_out(k, all ? ex_convert(k, all, to) : NULL);
}

const expand_row expand_smooth_rows[] = {
	{"lax.sort", smooth_sort},
	{"jnp.sort", smooth_sort},
	{"lax.top_k", smooth_top_k},
	{"lax.approx_max_k", smooth_top_k},
	{"lax.cumprod", smooth_cumprod},
	{"jnp.cumprod", smooth_cumprod},
	{"lax.cummax", smooth_cummax},
	{"lax.cummin", smooth_cummin},
	{"lax.reduce_prod", smooth_product},
	{"jnp.prod", smooth_product},
	{"lax.reduce_window", smooth_reduce_window},
	{"lax.conv_general_dilated", smooth_conv},
	{NULL, NULL},
};
