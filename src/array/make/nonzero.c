/* nonzero.c - the indices of nonzero elements: as many as `size`, since sizes must be known when
 * tracing.
 *
 * The cumulative count of nonzeros at each position is how many have been found so far. Index k of
 * the result is the number of positions at which at most k have been found; so it is the cumulative
 * sum of the number of positions at which 0, 1, 2, … have been found. */
#include "array/expand/expand.h"
#include "array/make/make.h"

/* Converts flat indices to indices along one dimension. */
static avalue *nonzero_along(maker *k, avalue *flat, int64_t stride, int64_t size)
{
	avalue *at = make2(k, "jnp.floor_divide", flat, ex_int(k, stride), NULL);
	return make2(k, "jnp.remainder", at, ex_int(k, size ? size : 1), NULL);
}

/* Indices after the last one are `fill_value`. */
static avalue *nonzero_filled(maker *k, avalue *at, avalue *found, int64_t size)
{
	avalue *place = ex_iota(k, &size, 1, 0);
	avalue *behind = make2(k, "jnp.greater_equal", place, found, NULL);
	return ex_where(k, behind, ex_int(k, (int64_t)param_number(k->attrs, "fill_value", 0)), at);
}

/* nonzero: a result for each dimension. how 1: one for all; 2: the first as a column. */
bool make_nonzero(maker *k)
{
	avalue *x = k->in[0], *part[ARRAY_MAX_RANK];
	int64_t size = param_int(k->attrs, "size", -1), stride = atype_elements(x->type);
	int64_t behind = 1;
	int how = k->op->how, rank = how == 1 ? 1 : x->type->rank;
	if (size < 0)
		return diag_error(k->ctx, NOWHERE, E_ARRAY_OP,
		                  "%s: how many there are is not known while tracing; pass size",
		                  k->op->name);
	if (!rank)
		return diag_error(k->ctx, NOWHERE, E_ARRAY_RANK, "%s does not take a scalar", k->op->name);
	if (how == 1 && !(x = make1(k, "jnp.ravel", x, NULL)))
		return false;
	avalue *on = make1(k, "jnp.logical_not", make1(k, "jnp.logical_not", x, NULL), NULL);
	avalue *met = make1(k, "jnp.cumsum", ex_convert(k, on, DT_I32), NULL);
	avalue *found = ex_reduce(k, "lax.reduce_max", met, 0, false);
	avalue *flat = make1(k, "jnp.bincount", met, make_ints(k, "length", &size, 1));
	flat = make1(k, "jnp.cumsum", flat, NULL);
	for (int d = 0; d < rank; d++) {
		int64_t dim = x->type->dim[d];
		stride = dim ? stride / dim : 1;
		part[d] = nonzero_filled(k, nonzero_along(k, flat, stride ? stride : 1, dim), found,
		                         size);
		if (how == 2)
			part[d] = make1(k, "jnp.expand_dims", part[d],
			                make_ints(k, "axis", &behind, 1));
		if (!part[d] || (how != 2 && !make_out(k, part[d])))
			return false;
	}
	return how != 2 || make_out(k, ex_join(k, part, rank, 1));
}
