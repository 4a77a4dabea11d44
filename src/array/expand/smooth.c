/* smooth.c - operations in the form in which they are differentiated.
 *
 * What orders values becomes a lookup at places that do not change; running and windowed
 * reductions become sums, products and choices of shifted copies, which is also right where some
 * of the values are 0 or equal.  These forms are never run themselves: of what is written, only
 * what the derivative needs is kept. */
#include "array/expand/expand.h"

#include <math.h>

/* ---- order ------------------------------------------------------------------------------- */

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

/* ---- running reductions ------------------------------------------------------------------ */

/* Elements of a and b in turn: each spread out with zeros between, then added. */
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

/* Results of pairs of neighbours, of those in turn, and from them the results between: the order
 * in which JAX combines, so that of equal values the same ones get the derivative. */
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

/* The dimension halved until one is left; what is left over waits. */
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

/* What a window looks at: x padded, and for each place in the window the values that it meets. */
typedef struct sliding {
	avalue *x;
	int rank;
	int64_t window[ARRAY_MAX_RANK], strides[ARRAY_MAX_RANK], out[ARRAY_MAX_RANK], taps;
} sliding;

/* Pads for windows of which `out` are wanted along each dimension; SAME puts the odd one behind. */
static bool pad_windows(maker *k, sliding *s, double fill)
{
	int64_t config[3 * ARRAY_MAX_RANK] = {0};
	s->taps = 1;
	for (int d = 0; d < s->rank; d++) {
		int64_t lack = (s->out[d] - 1) * s->strides[d] + s->window[d] - s->x->type->dim[d];
		if (!mul_ok(s->taps, s->window[d], &s->taps) || s->taps > MAX_TAPS)
			return diag_error(k->ctx, NOWHERE, E_ARRAY_SHAPE,
			                  "the gradient of %s: windows have at most %d places",
			                  k->op->name, MAX_TAPS);
		if (str_is(param_text(k->attrs, "padding"), "SAME") && lack > 0) {
			config[3 * d] = lack / 2;
			config[3 * d + 1] = lack - lack / 2;
		}
	}
	s->x = make2(k, "lax.pad", s->x, ex_number(k, fill, s->x->type->dtype),
	             make_ints(k, "padding_config", config, 3 * s->rank));
	return s->x != NULL;
}

/* The values that place `tap` of each window meets. */
static avalue *tapped(maker *k, const sliding *s, int64_t tap)
{
	int64_t start[ARRAY_MAX_RANK], limit[ARRAY_MAX_RANK];
	for (int d = s->rank - 1; d >= 0; d--) {
		start[d] = tap % s->window[d];
		tap /= s->window[d];
		limit[d] = start[d] + (s->out[d] - 1) * s->strides[d] + 1;
	}
	params *a = make_ints(k, "start_indices", start, s->rank);
	make_more(k, a, "limit_indices", limit, s->rank);
	make_more(k, a, "strides", s->strides, s->rank);
	return make1(k, "lax.slice", s->x, a);
}

/* The first of equal values is taken, as by select_and_scatter. */
static avalue *extreme_of(maker *k, avalue *a, avalue *b, bool least)
{
	return ex_where(k, make2(k, least ? "lax.le" : "lax.ge", a, b, NULL), a, b);
}

static bool smooth_reduce_window(maker *k)
{
	const atype *x = k->in[0]->type;
	tess_str how = param_text(k->attrs, "computation");
	bool least = str_is(how, "min"), most = str_is(how, "max");
	bool same = str_is(param_text(k->attrs, "padding"), "SAME");
	sliding s = {.x = k->in[0], .rank = x->rank};
	const int64_t *window, *strides;
	if (param_ints(k->attrs, "window", &window) != x->rank ||
	    param_ints(k->attrs, "strides", &strides) != x->rank)
		return false;
	for (int d = 0; d < x->rank; d++) {
		s.window[d] = window[d];
		s.strides[d] = strides[d];
		s.out[d] = same               ? ceil_div(x->dim[d], strides[d])
		           : x->dim[d] < window[d] ? 0
		                                   : (x->dim[d] - window[d]) / strides[d] + 1;
		if (!s.out[d])
			return diag_error(k->ctx, NOWHERE, E_ARRAY_SHAPE,
			                  "the gradient of windows of which there are none");
	}
	if (!pad_windows(k, &s, most ? -HUGE_VAL : least ? HUGE_VAL : 0))
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

/* Where a letter stands in a layout; the rule has seen that it is there. */
static int letter_in(tess_str layout, char c)
{
	return (int)((const char *)memchr(layout.ptr, c, layout.len) - layout.ptr);
}

/* The kernel at one place of its window, as a matrix of features. */
static avalue *kernel_at(maker *k, tess_str rhs, const sliding *s, tess_str lhs, int64_t tap)
{
	int64_t start[ARRAY_MAX_RANK] = {0}, limit[ARRAY_MAX_RANK];
	const atype *t = k->in[1]->type;
	memcpy(limit, t->dim, sizeof limit);
	for (int d = s->rank - 1; d >= 0; d--) {
		if (lhs.ptr[d] != 'N' && lhs.ptr[d] != 'C') {
			int at = letter_in(rhs, lhs.ptr[d]);
			start[at] = tap % s->window[d];
			limit[at] = start[at] + 1;
		}
		tap /= s->window[d];
	}
	params *a = make_ints(k, "start_indices", start, t->rank);
	make_more(k, a, "limit_indices", limit, t->rank);
	return make1(k, "lax.slice", k->in[1], a);
}

/* For each place of the window a product over the features, all of them summed. */
static bool smooth_conv(maker *k)
{
	tess_str lhs = param_text(k->attrs, "lhs_layout"), rhs = param_text(k->attrs, "rhs_layout");
	tess_str out = param_text(k->attrs, "out_layout");
	sliding s = {.x = k->in[0], .rank = (int)lhs.len};
	const int64_t *strides = NULL;
	int n_strides = param_ints(k->attrs, "window_strides", &strides), spatial = 0;
	char a[ARRAY_MAX_RANK + 1], b[ARRAY_MAX_RANK + 1], c[ARRAY_MAX_RANK + 1];
	bool same = str_is(param_text(k->attrs, "padding"), "SAME");
	for (int i = 0; i < s.rank; i++) {
		int d = letter_in(lhs, out.ptr[i]);
		int64_t size = k->in[0]->type->dim[d];
		s.window[d] = s.strides[d] = 1;
		s.out[d] = size;
		if (out.ptr[i] == 'N' || out.ptr[i] == 'C')
			continue;
		s.window[d] = k->in[1]->type->dim[letter_in(rhs, out.ptr[i])];
		s.strides[d] = spatial < n_strides ? strides[spatial] : 1;
		s.out[d] = same ? ceil_div(size, s.strides[d])
		                : (size - s.window[d]) / s.strides[d] + 1;
		spatial++;
	}
	/* letters of an einsum: n, x y z …, i, o; the kernel's own spatial letters have size 1 */
	for (int d = 0; d < s.rank; d++) {
		char l = lhs.ptr[d], r = rhs.ptr[d], o = out.ptr[d];
		a[d] = (char)(l == 'N' ? 'n' : l == 'C' ? 'i' : 'a' + letter_in(lhs, l));
		b[d] = (char)(r == 'I' ? 'i' : r == 'O' ? 'o' : 'A' + d);
		c[d] = (char)(o == 'N' ? 'n' : o == 'C' ? 'o' : 'a' + letter_in(lhs, o));
	}
	a[s.rank] = b[s.rank] = c[s.rank] = 0;
	const char *text = arena_printf(&k->ctx->scratch, "%s,%s->%s", a, b, c);
	if (!pad_windows(k, &s, 0))
		return false;
	avalue *all = NULL;
	for (int64_t i = 0; i < s.taps; i++) {
		params *p = make_attrs(k);
		params_set(&k->ctx->scratch, p,
		           (param){.key = "subscripts", .kind = PK_TEXT, .n = 1,
		                   .text = str_of(text)});
		avalue *one = make2(k, "jnp.einsum", tapped(k, &s, i),
		                    kernel_at(k, rhs, &s, lhs, i), p);
		all = all ? make2(k, "lax.add", all, one, NULL) : one;
		if (!all)
			return false;
	}
	return make_out(k, all);
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
