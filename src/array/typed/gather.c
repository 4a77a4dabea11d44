/* gather.c - typing of gather and scatter.
 *
 * The sharding of a gather is inferred if the indexed dimensions and the indices are unsharded, so
 * that nothing moves. Otherwise out_sharding decides. */
#include "array/make/index.h"
#include "array/typed/typed.h"

static bool ask_out_sharding(typing *q, const char *what)
{
	diag_error(q->ctx, NOWHERE, E_ARRAY_AMBIGUOUS,
	           "pass out_sharding to %s: it could not be resolved unambiguously or would "
	           "require collectives; got %s",
	           what, typed_operands_text(q, q->n_in));
	if (q->out.len && q->mesh)
		typed_note_choices(q, &q->out.ptr[0]);
	return false;
}

/* x, indices -> x with the indices' dimensions in place of `axis`. */
bool typed_take(typing *q)
{
	const atype *x = q->in[0], *at = q->in[1];
	int axis = typed_axis(q, "axis", x->rank, 0), last = q->op->how; /* gather_rows: [n,1] */
	int at_rank = at->rank - last;
	if (axis < 0 || !x->rank || !dtype_is_int(at->dtype) || at_rank < 0 ||
	    (last && at->dim[at_rank] != 1) || x->rank - 1 + at_rank > ARRAY_MAX_RANK)
		return diag_error(q->ctx, NOWHERE, E_ARRAY_SHAPE, "%s: operands do not fit: %s",
		                  q->name, typed_operands_text(q, 2));
	if (!typed_no_unreduced(q))
		return false;
	atype *out = typed_out(q, x);
	out->rank = x->rank - 1 + at_rank;
	for (int d = 0; d < at_rank; d++) {
		out->dim[axis + d] = at->dim[d];
		out->spec[axis + d] = 0;
	}
	for (int d = axis + 1; d < x->rank; d++) {
		out->dim[d - 1 + at_rank] = x->dim[d];
		out->spec[d - 1 + at_rank] = x->spec[d];
	}
	if (param_has(q->attrs, "out_sharding"))
		return typed_out_sharding(q, out);
	bool whole = !x->spec[axis] || x->dim[axis] == 1;
	return (whole && !atype_is_sharded(at)) || ask_out_sharding(q, "the lookup");
}

/* All other dimensions of x and of the indices correspond. */
bool typed_take_along(typing *q)
{
	const atype *x = q->in[0], *at = q->in[1];
	int axis = typed_axis(q, "axis", x->rank, x->rank - 1);
	if (axis < 0 || at->rank != x->rank)
		return diag_error(q->ctx, NOWHERE, E_ARRAY_RANK, "take_along_axis: ranks differ");
	atype *out = typed_out(q, x);
	for (int d = 0; d < x->rank; d++) {
		bool wide = d != axis && at->dim[d] == 1; /* broadcast, as in NumPy */
		out->dim[d] = wide ? x->dim[d] : at->dim[d];
		if (d != axis && !wide && x->dim[d] != 1 && x->dim[d] != at->dim[d])
			return diag_error(q->ctx, NOWHERE, E_ARRAY_SHAPE,
			                  "take_along_axis: dimension %d is %" PRId64
			                  " of the values and %" PRId64 " of the places",
			                  d, x->dim[d], at->dim[d]);
		if (d != axis && x->spec[d] && at->spec[d] && x->spec[d] != at->spec[d])
			return ask_out_sharding(q, "take_along_axis");
		if (d != axis && !out->spec[d])
			out->spec[d] = at->spec[d];
	}
	if (param_has(q->attrs, "out_sharding"))
		return typed_out_sharding(q, out);
	return (!x->spec[axis] && !at->spec[axis]) || ask_out_sharding(q, "take_along_axis");
}

/* ---- scatter -------------------------------------------------------------------------------- */

static void window_add(atype *window, int64_t size, axis_seq spec)
{
	window->spec[window->rank] = spec;
	window->dim[window->rank++] = size;
}

/* Computes the type of x[index] as far as updates must fit it, and whether an indexed dimension is
 * sharded. */
static bool window_of(typing *q, atype *window, bool *cut)
{
	const atype *x = q->in[0];
	index_plan p;
	index_places l;
	window->rank = 0;
	if (!index_read(q->ctx, param_text(q->attrs, "index"), x, q->n_in - 1, &p) ||
	    !index_places_of(q->ctx, q->name, &p, q->in, &l))
		return false;
	*cut = false;
	if (!param_has(q->attrs, "out_sharding") &&
	    !index_places_agree(q->ctx, q->name, &l, q->in, cut))
		return false;
	bool placed = false;
	for (int i = 0; i < p.n; i++) {
		const index_item *it = &p.item[i];
		*cut |= it->dim >= 0 && !it->whole && x->spec[it->dim];
		for (int d = 0; !placed && (l.in_front || index_is_advanced(it)) && d < l.rank; d++)
			window_add(window, l.dim[d], 0);
		placed |= l.in_front || index_is_advanced(it);
		if (!index_is_advanced(it))
			window_add(window, it->size, it->whole ? x->spec[it->dim] : 0);
	}
	return true;
}

/* The update broadcasts to the window; its sharding must match the window's. */
static bool update_fits(typing *q, const atype *window, bool *cut)
{
	const atype *u = q->in[q->n_in - 1];
	for (int d = 0; d < u->rank; d++) {
		int at = window->rank - u->rank + d;
		if (at < 0 || (u->dim[d] != 1 && u->dim[d] != window->dim[at]))
			return diag_error(q->ctx, NOWHERE, E_ARRAY_SHAPE,
			                  "%s: the update %s does not fit what is written to",
			                  q->name, atype_text(q->ctx, u, TYPE_SHORT));
		*cut |= u->spec[d] && u->spec[d] != window->spec[at];
	}
	return true;
}

/* at.set, at.add, …: operand, indices, update. */
bool typed_scatter(typing *q)
{
	atype window = {0};
	bool cut;
	if ((q->op->how & EW_KIND) != EW_SUM && !typed_no_unreduced(q))
		return false;
	if (!window_of(q, &window, &cut) || !update_fits(q, &window, &cut))
		return false;
	atype *out = typed_out(q, q->in[0]);
	if (param_has(q->attrs, "out_sharding"))
		return typed_out_sharding(q, out);
	return !cut || ask_out_sharding(q, "the scatter update");
}

/* bincount(x), segment_sum(data, ids), histogram(x): sums at indices in the data. */
bool typed_count(typing *q)
{
	int64_t n = param_int(q->attrs, "length", param_int(q->attrs, "num_segments",
	                                                  param_int(q->attrs, "bins", 10)));
	const atype *ids = q->in[q->n_in - 1];
	atype *out = typed_out(q, q->in[0]);
	out->rank = 1;
	out->dim[0] = n;
	out->spec[0] = 0;
	if (n < 0)
		return diag_error(q->ctx, NOWHERE, E_ARRAY_ATTRIBUTE, "%s: a length is negative",
		                  q->name);
	if (param_has(q->attrs, "out_sharding"))
		return typed_out_sharding(q, out);
	return (!atype_is_sharded(ids) && !atype_is_sharded(q->in[0])) ||
	       ask_out_sharding(q, q->name);
}

/* histogram: counts, and the edges of the bins. */
bool typed_histogram(typing *q)
{
	if (!typed_count(q))
		return false;
	atype *edges = typed_out(q, &q->out.ptr[0]);
	edges->dim[0]++;
	return true;
}

bool typed_one_hot(typing *q)
{
	const atype *x = q->in[0];
	int64_t n = param_int(q->attrs, "num_classes", -1);
	int axis = x->rank;
	if (n < 0 || x->rank == ARRAY_MAX_RANK)
		return diag_error(q->ctx, NOWHERE, E_ARRAY_ATTRIBUTE, "one_hot needs num_classes");
	if (param_has(q->attrs, "axis") &&
	    !axis_normal(q->ctx, q->name, param_int(q->attrs, "axis", -1), x->rank + 1, &axis))
		return false;
	atype *out = typed_out(q, x);
	for (int d = out->rank++; d > axis; d--) {
		out->dim[d] = out->dim[d - 1];
		out->spec[d] = out->spec[d - 1];
	}
	out->dim[axis] = n;
	out->spec[axis] = 0;
	out->dtype = DT_F32;
	return true;
}

/* Single elements: x and the indices, whose last dimension holds one index and is unsharded. */
static bool points_fit(typing *q)
{
	const atype *x = q->in[0], *at = q->in[1];
	if (!at->rank || at->dim[at->rank - 1] != x->rank || !dtype_is_int(at->dtype))
		return diag_error(q->ctx, NOWHERE, E_ARRAY_SHAPE, "%s: places do not fit: %s",
		                  q->op->name, typed_operands_text(q, q->n_in));
	for (int i = 0; i < q->n_in; i++)
		if (atype_is_sharded(q->in[i]))
			return ask_out_sharding(q, q->op->name);
	return typed_no_unreduced(q);
}

bool typed_gather_points(typing *q)
{
	if (!points_fit(q))
		return false;
	atype *out = typed_out(q, q->in[1]);
	out->rank--;
	out->dtype = q->in[0]->dtype;
	return true;
}

bool typed_scatter_points(typing *q)
{
	return points_fit(q) && typed_out(q, q->in[0]);
}

/* Complex numbers correspond to pairs of reals in the last dimension. */
bool typed_view(typing *q)
{
	const atype *x = q->in[0];
	dtype to = param_dtype(q->attrs, "dtype", x->dtype);
	int d = x->rank - 1;
	atype *out = typed_out(q, x);
	out->dtype = to;
	if (dtype_bits(to) == dtype_bits(x->dtype))
		return true;
	if (d < 0 || (dtype_bits(x->dtype) * x->dim[d]) % dtype_bits(to))
		return diag_error(q->ctx, NOWHERE, E_ARRAY_SHAPE,
		                  "view: the last dimension does not fit");
	if (x->spec[d])
		return ask_out_sharding(q, "view, which changes the sharded last dimension");
	out->dim[d] = dtype_bits(x->dtype) * x->dim[d] / dtype_bits(to);
	return true;
}

/* The two dimensions of which the diagonal is taken must be unsharded. */
bool typed_diagonal(typing *q)
{
	const atype *x = q->in[0];
	if (x->rank == 1 && q->op->how) { /* diag of a vector: a matrix */
		atype *out = typed_out(q, x);
		out->rank = 2;
		out->dim[1] = x->dim[0];
		out->spec[1] = 0;
		return true;
	}
	if (x->rank != 2)
		return diag_error(q->ctx, NOWHERE, E_ARRAY_RANK, "%s does not take values of rank %d", q->name, x->rank);
	if (atype_is_sharded(x))
		return ask_out_sharding(q, q->name);
	atype *out = typed_out(q, x);
	out->rank = 1;
	out->dim[0] = min_i64(x->dim[0], x->dim[1]);
	return true;
}
