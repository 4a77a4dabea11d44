/* reduce.c - typing of reductions, and of operations that sort or accumulate along a dimension. */
#include "array/typed/typed.h"

static void reduced_shape(atype *out, const atype *x, uint32_t gone, bool keep)
{
	out->rank = 0;
	for (int d = 0; d < x->rank; d++) {
		bool reduced = gone >> d & 1;
		if (reduced && !keep)
			continue;
		out->dim[out->rank] = reduced ? 1 : x->dim[d];
		out->spec[out->rank++] = reduced ? 0 : x->spec[d];
	}
}

/* Axes of unreduced results: those on a reduced dimension, and those that were unreduced before. */
static bool reduce_given(typing *q, uint32_t gone, atype *out)
{
	const atype *x = q->in[0];
	axis_set summed = x->unreduced;
	for (int d = 0; d < x->rank; d++)
		if (gone >> d & 1)
			summed |= axis_seq_set(x->spec[d]);
	if (!typed_out_sharding(q, out))
		return false;
	if (out->unreduced && (q->op->how & EW_KIND) != EW_SUM)
		return diag_error(
			q->ctx, NOWHERE, E_ARRAY_REDUCED,
			"out_sharding of %s cannot be unreduced: what is unreduced is a sum",
			q->name);
	if (!(out->unreduced & ~summed))
		return true;
	return diag_error(
		q->ctx, NOWHERE, E_ARRAY_REDUCED,
		"out_sharding's unreduced axes should be among those that were summed over; "
		"got %s of %s",
		atype_text(q->ctx, out, TYPE_SHORT), atype_text(q->ctx, x, TYPE_SHORT));
}

/* Sums of booleans are counts; those of narrow integers have 32 bits. */
static dtype wide_sum(dtype t)
{
	dtype_class c = dtype_class_of(t);
	if (c == DC_BOOL || (c == DC_SINT && dtype_bits(t) < 32))
		return DT_I32;
	return c == DC_UINT && dtype_bits(t) < 32 ? DT_UI32 : t;
}

/* `axes` (lax), `dimensions` (lax.reduce) or `axis` with `keepdims` (jnp). EW_SUM: sums, which may
 * be of unreduced values; EW_BOOL: bits, in jnp a boolean. */
bool typed_reduce(typing *q)
{
	const atype *x = q->in[0];
	const char *key = param_has(q->attrs, "axes") ? "axes"
	                  : param_has(q->attrs, "dimensions") ? "dimensions" : "axis";
	uint32_t gone;
	bool sum = (q->op->how & EW_KIND) == EW_SUM, extreme = q->op->how & EW_EXTREME;
	if (!typed_takes(q, x->dtype) || !typed_dims(q, key, x->rank, (1u << x->rank) - 1, &gone))
		return false;
	if (!sum && param_has(q->attrs, "out_sharding") &&
	    strncmp(q->op->name, "lax.reduce_m", 12) != 0)
		return diag_error(q->ctx, NOWHERE, E_ARRAY_ATTRIBUTE, "%s has no out_sharding",
		                  q->name);
	axis_set manual = amesh_axes_of_kind(q->mesh, AXIS_MANUAL);
	if (!sum && (x->unreduced || (x->reduced & ~manual && !extreme)))
		return diag_error(q->ctx, NOWHERE, E_ARRAY_REDUCED,
		                  "%s has no rule for unreduced or reduced operands; got %s",
		                  q->name, atype_text(q->ctx, x, TYPE_SHORT));
	atype *out = typed_out(q, x);
	reduced_shape(out, x, gone, param_int(q->attrs, "keepdims", 0));
	out->weak = false;
	if (q->op->how & EW_BOOL && strncmp(q->op->name, "jnp.", 4) == 0)
		out->dtype = DT_I1;
	if (q->op->how & EW_WIDE)
		out->dtype = wide_sum(out->dtype);
	return !param_has(q->attrs, "out_sharding") || reduce_given(q, gone, out);
}

/* An index among all elements refers to the flattened operand, which must have a valid sharding. */
static bool flattens(typing *q, const atype *x)
{
	atype flat = *x;
	flat.rank = 1;
	flat.dim[0] = atype_elements(x);
	memset(flat.spec, 0, sizeof flat.spec);
	return !atype_is_sharded(x) || reshape_spec(x, &flat) ||
	       diag_error(
		       q->ctx, NOWHERE, E_ARRAY_AMBIGUOUS,
		       "%s without an axis flattens %s, which cannot be sharded: pass an axis or "
		       "reshard it first",
		       q->name, atype_text(q->ctx, x, TYPE_SHORT));
}

/* argmax, argmin, count_nonzero: indices or counts. */
bool typed_reduce_to_int(typing *q)
{
	const atype *x = q->in[0];
	uint32_t gone;
	if (strncmp(q->op->name, "lax.", 4) == 0 && !typed_from_front(q, "axis"))
		return false;
	if (!param_has(q->attrs, "axis") && strcmp(q->name, "count_nonzero") != 0 &&
	    !flattens(q, x))
		return false;
	if (!typed_no_unreduced(q) || !typed_dims(q, "axis", x->rank, (1u << x->rank) - 1, &gone))
		return false;
	atype *out = typed_out(q, x);
	reduced_shape(out, x, gone, param_int(q->attrs, "keepdims", 0));
	out->dtype = DT_I32;
	out->weak = false;
	return true;
}

/* ---- along a dimension ---------------------------------------------------------------------- */

static bool dim_is_whole(typing *q, const atype *x, int axis, const char *doing)
{
	return !x->spec[axis] ||
	       diag_error(q->ctx, NOWHERE, E_ARRAY_SHARDED_DIM,
	                  "%s: the operand must be unsharded over the dimension %s; got %s and "
	                  "dimension %d",
	                  q->name, doing, atype_text(q->ctx, x, TYPE_SHORT), axis);
}

/* EW_BOOL: the result is the permutation. */
bool typed_sort(typing *q)
{
	const atype *x = q->in[0];
	const char *key = param_has(q->attrs, "axis") ? "axis" : "dimension";
	int axis = typed_axis(q, key, x->rank, x->rank - 1);
	if (axis < 0 || !typed_no_partial(q, false))
		return false;
	for (int i = 1; i < q->n_in; i++)
		if (q->in[i]->rank != x->rank ||
		    memcmp(q->in[i]->dim, x->dim, sizeof *x->dim * (size_t)x->rank) != 0)
			return diag_error(q->ctx, NOWHERE, E_ARRAY_SHAPE, "sort: shapes differ: %s",
			                  typed_operands_text(q, q->n_in));
	for (int i = 0; i < q->n_in; i++)
		if (!dim_is_whole(q, q->in[i], axis, "that is sorted"))
			return false;
	for (int i = 1; i < q->n_in; i++)
		if (!atype_same_spec(x, q->in[i]))
			return diag_error(q->ctx, NOWHERE, E_ARRAY_INCOMPATIBLE,
			                  "arguments to sort must have equal shardings, got %s",
			                  typed_operands_text(q, q->n_in));
	for (int i = 0; i < q->n_in; i++)
		typed_out(q, q->in[i])->weak = false;
	if (q->op->how & EW_BOOL)
		q->out.ptr[0].dtype = DT_I32;
	return true;
}

/* In jnp, without an axis, over all elements in order. */
bool typed_cumulative(typing *q)
{
	const atype *x = q->in[0];
	bool flat = q->op->how & 1 && !param_has(q->attrs, "axis");
	int axis = typed_axis(q, "axis", x->rank, 0);
	if (axis < 0 || !typed_takes(q, x->dtype) ||
	    (!(q->op->how & 1) && !typed_from_front(q, "axis")) ||
	    !typed_no_partial(q, strcmp(q->name, "cumsum") == 0))
		return false;
	atype *out = typed_out(q, x);
	if (q->op->how & 1 && x->dtype == DT_I1)
		out->dtype = DT_I32;
	if (flat) {
		if (atype_is_sharded(x))
			return diag_error(
				q->ctx, NOWHERE, E_ARRAY_SHARDED_DIM,
				"the input should be fully replicated when axis is not specified to "
				"%s; got %s",
				q->name, atype_text(q->ctx, x, TYPE_SHORT));
		out->rank = 1;
		out->dim[0] = atype_elements(x);
		return true;
	}
	if (!x->rank)
		return diag_error(q->ctx, NOWHERE, E_ARRAY_RANK, "%s does not take a scalar", q->name);
	return dim_is_whole(q, x, axis, "being reduced");
}

/* Even and odd elements are computed separately, recursively, so the axis must be unsharded. */
bool typed_associative_scan(typing *q)
{
	const atype *x = q->in[0];
	int axis = typed_axis(q, "axis", x->rank, 0);
	if (axis < 0)
		return false;
	typed_out(q, x);
	return !x->spec[axis] ||
	       diag_error(q->ctx, NOWHERE, E_ARRAY_INDIVISIBLE,
	                  "associative_scan cuts the sharded dimension %d of %s: reshard it first",
	                  axis, atype_text(q->ctx, x, TYPE_SHORT));
}

bool typed_top_k(typing *q)
{
	const atype *x = q->in[0];
	int64_t k = param_int(q->attrs, "k", 0);
	int axis = x->rank ? typed_axis(q, "reduction_dimension", x->rank, x->rank - 1) : -1;
	if (axis < 0 || !typed_no_partial(q, false))
		return axis < 0 && !x->rank
		               ? diag_error(q->ctx, NOWHERE, E_ARRAY_RANK, "top_k does not take a scalar")
		               : false;
	if (k < 0 || k > x->dim[axis])
		return diag_error(q->ctx, NOWHERE, E_ARRAY_ATTRIBUTE,
		                  "%s: k is %" PRId64 " of %" PRId64 " elements", q->name, k,
		                  x->dim[axis]);
	if (!dim_is_whole(q, x, axis, "along which to compute the top values"))
		return false;
	for (int i = 0; i < 2; i++) {
		atype *out = typed_out(q, x);
		out->dim[axis] = k;
		if (i)
			out->dtype = DT_I32;
	}
	return true;
}

/* A single query may read sharded values. Several are mapped over, which reads single values. */
bool typed_searchsorted(typing *q)
{
	const atype *x = q->in[0], *of = q->in[1];
	if (x->rank != 1)
		return diag_error(q->ctx, NOWHERE, E_ARRAY_RANK, "searchsorted: the sorted values must have rank 1");
	if (of->rank && (atype_axes(x) & atype_axes(of)))
		return diag_error(q->ctx, NOWHERE, E_ARRAY_MAPPED,
		                  "searchsorted maps over the queries, so the values cannot be "
		                  "sharded over the same axis; got %s",
		                  typed_operands_text(q, 2));
	if (of->rank && (atype_is_sharded(x) || atype_is_sharded(of)))
		return diag_error(q->ctx, NOWHERE, E_ARRAY_AMBIGUOUS,
		                  "searchsorted looks up single values, which must not be sharded, "
		                  "nor the queries: reshard them first; got %s",
		                  typed_operands_text(q, 2));
	typed_out(q, of)->dtype = DT_I32;
	return true;
}

bool typed_median(typing *q)
{
	const atype *x = q->in[0];
	int axis = typed_axis(q, "axis", x->rank, -2);
	if (axis == -1 || !typed_no_partial(q, false))
		return false;
	for (int d = 0; d < x->rank; d++)
		if ((axis == d || axis == -2) && !dim_is_whole(q, x, d, "that is sorted"))
			return false;
	atype *out = typed_out(q, x);
	reduced_shape(out, x, axis == -2 ? (1u << x->rank) - 1 : 1u << axis, false);
	if (dtype_is_int(out->dtype))
		out->dtype = DT_F32;
	return true;
}

/* The diagonal mask is not sharded, so the operand may not be. */
bool typed_trace(typing *q)
{
	const atype *x = q->in[0];
	if (x->rank < 2)
		return diag_error(q->ctx, NOWHERE, E_ARRAY_RANK, "trace does not take values of rank %d",
		                  x->rank);
	if (x->spec[0] || x->spec[1])
		return diag_error(q->ctx, NOWHERE, E_ARRAY_INCOMPATIBLE,
		                  "trace: the two dimensions of %s must be unsharded",
		                  atype_text(q->ctx, x, TYPE_SHORT));
	atype *out = typed_out(q, x);
	reduced_shape(out, x, 3, false);
	out->dtype = wide_sum(x->dtype);
	return true;
}
