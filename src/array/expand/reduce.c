/* reduce.c - any and all, counts, argmax, medians. */
#include "array/expand/expand.h"

/* ---- reductions ------------------------------------------------------------------------------ */

/* any, all: numbers are true if not 0. */
static bool ex_any(maker *k)
{
	avalue *x = k->in[0];
	if (x->type->dtype != DT_I1)
		x = make2(k, "lax.ne", x, make1(k, "jnp.zeros_like", x, NULL), NULL);
	const char *op = strcmp(k->op->name, "jnp.any") == 0 ? "lax.reduce_or" : "lax.reduce_and";
	return make_out(k, make_reduce(k, op, x, param_int(k->attrs, "keepdims", 0)));
}

static bool ex_count(maker *k)
{
	avalue *on = make2(k, "lax.ne", k->in[0], make1(k, "jnp.zeros_like", k->in[0], NULL), NULL);
	return make_out(k, make_reduce(k, "lax.reduce_sum", ex_convert(k, on, DT_I32),
	                               param_int(k->attrs, "keepdims", 0)));
}

/* Returns the first index of the extreme value; NaN counts as extreme. */
static bool ex_arg(maker *k)
{
	avalue *x = k->in[0];
	int axis = ex_axis(k, "axis", x->type->rank);
	bool least = strstr(k->op->name, "argmin") != NULL;
	if (axis < 0) {
		x = ex_flat(k, x);
		axis = 0;
	}
	if (!x)
		return false;
	avalue *top = ex_reduce(k, least ? "lax.reduce_min" : "lax.reduce_max", x, axis, true);
	avalue *hit = make2(k, "jnp.equal", x, top, NULL);
	if (dtype_is_float(x->type->dtype))
		hit = make2(k, "lax.bitwise_or", hit, make2(k, "lax.ne", x, x, NULL), NULL);
	avalue *places = ex_iota(k, x->type->dim, x->type->rank, axis);
	avalue *none = ex_int(k, x->type->dim[axis]);
	avalue *first = ex_reduce(k, "lax.reduce_min", ex_where(k, hit, places, none), axis,
	                          param_int(k->attrs, "keepdims", 0));
	return make_out(k, first);
}

/* The middle of the sorted values, or the mean of the middle two. */
static bool ex_median(maker *k)
{
	avalue *x = k->in[0];
	int axis = ex_axis(k, "axis", x->type->rank);
	if (axis < 0) {
		x = ex_flat(k, x);
		axis = 0;
	}
	int64_t n = x ? x->type->dim[axis] : 0, at = axis;
	if (!n)
		return false;
	x = make1(k, "jnp.sort", make_float(k, x), make_ints(k, "axis", &at, 1));
	avalue *low = make_slice(k, x, axis, (n - 1) / 2, (n - 1) / 2 + 1),
	       *high = make_slice(k, x, axis, n / 2, n / 2 + 1);
	avalue *sum = make2(k, "lax.add", low, high, NULL);
	return make_out(k, ex_reduce(k, "lax.reduce_sum", make_scaled(k, sum, 0.5), axis, false));
}

/* The log of cumulative sums of e^x, after subtracting the cumulative maximum. */
static bool ex_cumlogsumexp(maker *k)
{
	int64_t axis = param_int(k->attrs, "axis", 0);
	avalue *x = k->in[0], *top = ex_reduce(k, "lax.reduce_max", x, axis, true);
	avalue *e = make1(k, "lax.exp", make2(k, "jnp.subtract", x, top, NULL), NULL);
	params *a = make_ints(k, "axis", &axis, 1);
	make_pass(k, a, "reverse");
	avalue *sum = make1(k, "lax.log", make1(k, "lax.cumsum", e, a), NULL);
	return make_out(k, make2(k, "jnp.add", sum, top, NULL));
}

/* Counts the sorted values that are smaller. */
static bool ex_searchsorted(maker *k)
{
	int64_t n = k->in[0]->type->dim[0], dims[ARRAY_MAX_RANK + 1], ones[ARRAY_MAX_RANK + 1];
	avalue *q = k->in[1];
	int rank = q->type->rank;
	if (rank == ARRAY_MAX_RANK)
		return false;
	for (int d = 0; d < rank; d++)
		dims[d] = ones[d] = q->type->dim[d];
	dims[rank] = n;
	ones[rank] = 1;
	avalue *wide = ex_broadcast(k, ex_reshape(k, q, ones, rank + 1), dims, rank + 1);
	avalue *less = make2(k, "jnp.less", k->in[0], wide, NULL);
	return make_out(k,
	                ex_reduce(k, "lax.reduce_sum", ex_convert(k, less, DT_I32), rank, false));
}

const expand_row expand_reduce_rows[] = {
	{"jnp.any", ex_any},
	{"jnp.all", ex_any},
	{"jnp.count_nonzero", ex_count},
	{"jnp.argmax", ex_arg},
	{"jnp.argmin", ex_arg},
	{"lax.argmax", ex_arg},
	{"lax.argmin", ex_arg},
	{"jnp.median", ex_median},
	{"lax.cumlogsumexp", ex_cumlogsumexp},
	{"jnp.searchsorted", ex_searchsorted},
	{NULL, NULL},
};
