/* shape.c - typing of operations that move elements without computing: broadcast, transpose,
 * concatenate, pad, slices. */
#include "array/typed/typed.h"

static bool attribute_missing(typing *q, const char *key)
{
	return diag_error(q->ctx, NOWHERE, E_ARRAY_ATTRIBUTE, "%s needs %s", q->name, key);
}

/* ---- broadcasting ------------------------------------------------------------------------ */

bool typed_broadcast_in_dim(typing *q)
{
	const atype *x = q->in[0];
	const int64_t *shape, *at;
	int n = param_ints(q->attrs, "shape", &shape);
	int m = param_ints(q->attrs, "broadcast_dimensions", &at);
	if (n < 0 || n > ARRAY_MAX_RANK || (m < 0 ? 0 : m) != x->rank)
		return attribute_missing(q,
		                         "shape and one broadcast dimension per operand dimension");
	atype *out = typed_out(q, x);
	out->rank = n;
	for (int d = 0; d < n; d++) {
		out->dim[d] = shape[d];
		out->spec[d] = 0;
	}
	for (int i = 0; i < x->rank; i++) {
		if (at[i] < 0 || at[i] >= n || (i && at[i] <= at[i - 1]) ||
		    (x->dim[i] != 1 && x->dim[i] != shape[at[i]]))
			return diag_error(q->ctx, NOWHERE, E_ARRAY_SHAPE,
			                  "broadcast_in_dim: dimension %d of %s does not fit", i,
			                  atype_text(q->ctx, x, TYPE_SHORT));
		out->spec[at[i]] = x->spec[i];
	}
	return typed_out_sharding(q, out);
}

/* out_sharding may shard unsharded dimensions, and must not change sharded ones. */
static bool broadcast_keeps(typing *q, const atype *out)
{
	const atype *x = q->in[0];
	for (int d = 0; d < x->rank; d++)
		if (x->spec[d] && x->spec[d] != out->spec[out->rank - x->rank + d])
			return diag_error(q->ctx, NOWHERE, E_ARRAY_INCOMPATIBLE,
			                  "incompatible types for broadcasting: %s and the "
			                  "requested %s: reshard the input first",
			                  atype_text(q->ctx, x, TYPE_SHORT),
			                  atype_text(q->ctx, out, TYPE_SHORT));
	return true;
}

/* jnp.broadcast_to, lax.broadcast: the operand is aligned at the last dimension. */
bool typed_broadcast_to(typing *q)
{
	const atype *x = q->in[0];
	const int64_t *shape;
	int n = param_ints(q->attrs, "shape", &shape), lead = 0;
	if (n < 0) {
		lead = param_ints(q->attrs, "sizes", &shape);
		if (lead < 0)
			return attribute_missing(q, "shape");
		n = lead + x->rank;
	}
	if (n > ARRAY_MAX_RANK || n < x->rank)
		return diag_error(q->ctx, NOWHERE, E_ARRAY_SHAPE,
		                  "%s: there are too few or too many dimensions", q->name);
	atype *out = typed_out(q, x);
	out->rank = n;
	for (int d = 0; d < n; d++) {
		int mine = d - (n - x->rank);
		int64_t had = mine < 0 ? 1 : x->dim[mine];
		out->dim[d] = lead && mine >= 0 ? had : shape[d];
		out->spec[d] = mine >= 0 ? x->spec[mine] : 0;
		if (had != 1 && had != out->dim[d])
			return diag_error(q->ctx, NOWHERE, E_ARRAY_SHAPE, "%s: %s does not fit",
			                  q->name, atype_text(q->ctx, x, TYPE_SHORT));
	}
	return typed_out_sharding(q, out) && broadcast_keeps(q, out);
}

/* ---- dimensions reordered, removed, added --------------------------------------------------- */

bool typed_transpose(typing *q)
{
	const atype *x = q->in[0];
	const int64_t *perm;
	int n = param_ints(q->attrs, "permutation", &perm);
	uint32_t seen = 0;
	atype *out = typed_out(q, x);
	for (int d = 0; d < x->rank; d++) {
		int64_t from = n < 0 ? x->rank - 1 - d : d < n ? perm[d] : -1;
		if (from < 0 || from >= x->rank || seen >> from & 1 || (n >= 0 && n != x->rank))
			return diag_error(
				q->ctx, NOWHERE, E_ARRAY_ATTRIBUTE,
				"transpose permutation isn't a permutation of the dimensions of %s",
				atype_text(q->ctx, x, TYPE_SHORT));
		seen |= 1u << from;
		out->dim[d] = x->dim[from];
		out->spec[d] = x->spec[from];
	}
	return true;
}

bool typed_squeeze(typing *q)
{
	const atype *x = q->in[0];
	uint32_t gone;
	if (!typed_dims(q, "dimensions", x->rank, 0, &gone))
		return false;
	atype *out = typed_out(q, x);
	out->rank = 0;
	for (int d = 0; d < x->rank; d++) {
		if (gone >> d & 1 && x->dim[d] != 1)
			return diag_error(q->ctx, NOWHERE, E_ARRAY_SHAPE,
			                  "cannot squeeze dimension %d of %s: its size is not 1", d,
			                  atype_text(q->ctx, x, TYPE_SHORT));
		if (gone >> d & 1)
			continue;
		out->dim[out->rank] = x->dim[d];
		out->spec[out->rank++] = x->spec[d];
	}
	return true;
}

/* Positions are those in the result. */
bool typed_expand_dims(typing *q)
{
	const atype *x = q->in[0];
	const char *key = param_has(q->attrs, "axis") ? "axis" : "dimensions";
	const int64_t *v;
	uint32_t added;
	int n = param_ints(q->attrs, key, &v);
	if (n < 0 || x->rank + n > ARRAY_MAX_RANK)
		return attribute_missing(q, "axis");
	if (!typed_dims(q, key, x->rank + n, 0, &added))
		return false;
	atype *out = typed_out(q, x);
	out->rank = x->rank + n;
	for (int d = 0, from = 0; d < out->rank; d++) {
		bool is_new = added >> d & 1;
		out->dim[d] = is_new ? 1 : x->dim[from];
		out->spec[d] = is_new ? 0 : x->spec[from++];
	}
	return true;
}

bool typed_rev(typing *q)
{
	uint32_t dims;
	if (!typed_no_partial(q, true))
		return false;
	typed_out(q, q->in[0]);
	return typed_dims(q, param_has(q->attrs, "axis") ? "axis" : "dimensions", q->in[0]->rank, 0,
	                  &dims);
}

/* ---- concatenating -------------------------------------------------------------------------- */

static bool all_sharded_alike(typing *q)
{
	for (int i = 1; i < q->n_in; i++)
		if (!atype_same_spec(q->in[0], q->in[i]))
			return diag_error(
				q->ctx, NOWHERE, E_ARRAY_INCOMPATIBLE,
				"all operands of %s should have the same sharding; got %s", q->name,
				typed_operands_text(q, q->n_in));
	return true;
}

static bool shapes_alike_but(typing *q, int axis)
{
	for (int i = 1; i < q->n_in; i++) {
		const atype *t = q->in[i];
		bool same = t->rank == q->in[0]->rank && t->dtype == q->in[0]->dtype;
		for (int d = 0; same && d < t->rank; d++)
			same = d == axis || t->dim[d] == q->in[0]->dim[d];
		if (!same)
			return diag_error(q->ctx, NOWHERE, E_ARRAY_SHAPE,
			                  "%s: operands do not fit: %s", q->name,
			                  typed_operands_text(q, q->n_in));
	}
	return true;
}

bool typed_concatenate(typing *q)
{
	int axis = typed_axis(q, "dimension", q->in[0]->rank, 0);
	if (axis < 0 || !typed_from_front(q, "dimension") || !q->in[0]->rank ||
	    !shapes_alike_but(q, axis) || !all_sharded_alike(q))
		return false;
	atype *out = typed_out(q, q->in[0]);
	out->dim[axis] = 0;
	for (int i = 0; i < q->n_in; i++)
		if (!add_ok(out->dim[axis], q->in[i]->dim[axis], &out->dim[axis]))
			return diag_error(q->ctx, NOWHERE, E_ARRAY_SHAPE, "concatenate: the result is too long");
	return atype_check(q->ctx, out);
}

bool typed_stack(typing *q)
{
	const atype *x = q->in[0];
	int axis;
	if (x->rank == ARRAY_MAX_RANK || !shapes_alike_but(q, -1) || !all_sharded_alike(q) ||
	    !axis_normal(q->ctx, q->name, param_int(q->attrs, "axis", 0), x->rank + 1, &axis))
		return false;
	atype *out = typed_out(q, x);
	for (int d = out->rank++; d > axis; d--) {
		out->dim[d] = out->dim[d - 1];
		out->spec[d] = out->spec[d - 1];
	}
	out->dim[axis] = q->n_in;
	out->spec[axis] = 0;
	return true;
}

static void drop_dim(atype *t, int axis)
{
	t->rank--;
	for (int d = axis; d < t->rank; d++) {
		t->dim[d] = t->dim[d + 1];
		t->spec[d] = t->spec[d + 1];
	}
}

bool typed_unstack(typing *q)
{
	const atype *x = q->in[0];
	int axis = typed_axis(q, "axis", x->rank, 0);
	if (axis < 0 || !x->rank)
		return false;
	if (x->spec[axis])
		return diag_error(
			q->ctx, NOWHERE, E_ARRAY_SHARDED_DIM,
			"unstack operand cannot be sharded on the unstacking axis %d; got %s", axis,
			atype_text(q->ctx, x, TYPE_SHORT));
	for (int64_t i = 0; i < x->dim[axis] && i < 4096; i++)
		drop_dim(typed_out(q, x), axis);
	return true;
}

bool typed_split(typing *q)
{
	const atype *x = q->in[0];
	const int64_t *sizes;
	int axis = typed_axis(q, "axis", x->rank, 0), n = param_ints(q->attrs, "sizes", &sizes);
	int64_t total = 0;
	if (axis < 0 || n < 0)
		return attribute_missing(q, "sizes and axis");
	for (int i = 0; i < n; i++) {
		atype *out = typed_out(q, x);
		out->dim[axis] = sizes[i];
		if (sizes[i] < 0 || !add_ok(total, sizes[i], &total))
			return diag_error(q->ctx, NOWHERE, E_ARRAY_SHAPE, "split: a size is negative");
		if (!typed_resized(q, x, out, "split"))
			return false;
	}
	return total == x->dim[axis] ||
	       diag_error(q->ctx, NOWHERE, E_ARRAY_SHAPE, "split: the sizes add up to %" PRId64
	                  ", not %" PRId64, total, x->dim[axis]);
}

/* jnp.split, jnp.array_split: into n parts, of which the first may be larger by one. */
bool typed_split_parts(typing *q)
{
	const atype *x = q->in[0];
	int axis = typed_axis(q, "axis", x->rank, 0);
	int64_t n = param_int(q->attrs, "indices_or_sections", 0);
	if (axis < 0 || n < 1 || n > 4096)
		return attribute_missing(q, "indices_or_sections");
	if (x->dim[axis] % n && !q->op->how)
		return diag_error(q->ctx, NOWHERE, E_ARRAY_SHAPE,
		                  "split: %" PRId64 " does not divide dimension %d", n, axis);
	for (int64_t i = 0; i < n; i++) {
		atype *out = typed_out(q, x);
		out->dim[axis] = x->dim[axis] / n + (i < x->dim[axis] % n);
		if (!typed_resized(q, x, out, "split"))
			return false;
	}
	return true;
}

/* ---- padding and slices --------------------------------------------------------------------- */

/* low, high and interior padding, three numbers for each dimension. */
bool typed_pad(typing *q)
{
	const atype *x = q->in[0];
	const int64_t *p;
	if (param_ints(q->attrs, "padding_config", &p) != 3 * x->rank)
		return attribute_missing(q, "padding_config");
	atype *out = typed_out(q, x);
	for (int d = 0; d < x->rank; d++) {
		int64_t gaps, size = x->dim[d];
		if (p[3 * d + 2] < 0 || !mul_ok(size ? size - 1 : 0, p[3 * d + 2], &gaps) ||
		    !add_ok(size, gaps, &size) || !add_ok(size, p[3 * d], &size) ||
		    !add_ok(size, p[3 * d + 1], &size) || size < 0)
			return diag_error(
				q->ctx, NOWHERE, E_ARRAY_SHAPE,
				"pad: dimension %d would have a negative or too large size", d);
		out->dim[d] = size;
	}
	return typed_resized(q, x, out, "padding");
}

bool typed_slice(typing *q)
{
	const atype *x = q->in[0];
	const int64_t *from, *to, *step;
	int n = param_ints(q->attrs, "start_indices", &from),
	    m = param_ints(q->attrs, "limit_indices", &to);
	int k = param_ints(q->attrs, "strides", &step);
	if (n != x->rank || m != x->rank || (k >= 0 && k != x->rank))
		return attribute_missing(q, "start_indices and limit_indices for each dimension");
	atype *out = typed_out(q, x);
	for (int d = 0; d < x->rank; d++) {
		int64_t by = k < 0 ? 1 : step[d];
		if (from[d] < 0 || to[d] < from[d] || to[d] > x->dim[d] || by < 1)
			return diag_error(q->ctx, NOWHERE, E_ARRAY_SHAPE,
			                  "slice: %" PRId64 ":%" PRId64 ":%" PRId64
			                  " is out of range for dimension %d of %s",
			                  from[d], to[d], by, d, atype_text(q->ctx, x, TYPE_SHORT));
		out->dim[d] = ceil_div(to[d] - from[d], by);
	}
	return typed_resized(q, x, out, "slicing");
}

static bool start_indices_fit(typing *q, int first, int rank)
{
	bool fit = q->n_in - first == rank;
	for (int i = first; i < q->n_in; i++)
		fit &= q->in[i]->rank == 0 && dtype_is_int(q->in[i]->dtype);
	return fit ||
	       diag_error(q->ctx, NOWHERE, E_ARRAY_SHAPE,
	                  "%s takes one scalar index for each of %d dimensions", q->name, rank);
}

bool typed_dynamic_slice(typing *q)
{
	const atype *x = q->in[0];
	const int64_t *sizes;
	if (param_ints(q->attrs, "slice_sizes", &sizes) != x->rank)
		return attribute_missing(q, "slice_sizes");
	if (!start_indices_fit(q, 1, x->rank) || !typed_no_unreduced(q))
		return false;
	atype *out = typed_out(q, x);
	for (int d = 0; d < x->rank; d++) {
		if (sizes[d] < 0 || sizes[d] > x->dim[d])
			return diag_error(q->ctx, NOWHERE, E_ARRAY_SHAPE,
			                  "dynamic_slice: size %" PRId64
			                  " does not fit dimension %d",
			                  sizes[d], d);
		out->dim[d] = sizes[d];
	}
	return typed_resized(q, x, out, "dynamic_slice");
}

bool typed_dynamic_update_slice(typing *q)
{
	const atype *x = q->in[0], *u = q->in[1];
	bool fits = x->rank == u->rank && x->dtype == u->dtype;
	for (int d = 0; fits && d < x->rank; d++)
		fits = u->dim[d] <= x->dim[d];
	if (!fits)
		return diag_error(q->ctx, NOWHERE, E_ARRAY_SHAPE,
		                  "dynamic_update_slice: the update does not fit: %s",
		                  typed_operands_text(q, 2));
	if (!start_indices_fit(q, 2, x->rank))
		return false;
	if (!atype_same_spec(x, u))
		return diag_error(
			q->ctx, NOWHERE, E_ARRAY_INCOMPATIBLE,
			"dynamic_update_slice operand sharding must be equal to update sharding, "
			"got %s",
			typed_operands_text(q, 2));
	typed_out(q, x);
	return true;
}

/* ---- repeating ------------------------------------------------------------------------------- */

bool typed_tile(typing *q)
{
	const atype *x = q->in[0];
	const int64_t *reps;
	int n = param_ints(q->attrs, "reps", &reps), rank = n > x->rank ? n : x->rank;
	if (n < 0 || rank > ARRAY_MAX_RANK)
		return attribute_missing(q, "reps");
	atype *out = typed_out(q, x);
	out->rank = rank;
	for (int d = 0; d < rank; d++) {
		int from = d - (rank - x->rank), r = d - (rank - n);
		int64_t times = r < 0 ? 1 : reps[r], had = from < 0 ? 1 : x->dim[from];
		out->spec[d] = from < 0 ? 0 : x->spec[from];
		if (times < 0 || !mul_ok(had, times, &out->dim[d]))
			return diag_error(q->ctx, NOWHERE, E_ARRAY_SHAPE,
			                  "tile: there are too many repetitions");
		if (times != 1 && out->spec[d])
			return diag_error(
				q->ctx, NOWHERE, E_ARRAY_SHARDED_DIM,
				"operand cannot be sharded on dimension %d when the tiling is "
				"non-trivial; got %s",
				from, atype_text(q->ctx, x, TYPE_SHORT));
	}
	return true;
}

bool typed_repeat(typing *q)
{
	const atype *x = q->in[0];
	int axis = typed_axis(q, "axis", x->rank, 0);
	int64_t times = param_int(q->attrs, "repeats", 1);
	if (axis < 0 || !x->rank || times < 0)
		return false;
	atype *out = typed_out(q, x);
	if (!mul_ok(x->dim[axis], times, &out->dim[axis]))
		return diag_error(q->ctx, NOWHERE, E_ARRAY_SHAPE, "repeat: there are too many repetitions");
	if (x->spec[axis] && !param_has(q->attrs, "out_sharding"))
		return diag_error(q->ctx, NOWHERE, E_ARRAY_AMBIGUOUS,
		                  "repeat along a sharded dimension of %s needs out_sharding",
		                  atype_text(q->ctx, x, TYPE_SHORT));
	return typed_out_sharding(q, out);
}

/* Shifting a dimension splits it: both parts must divide evenly. */
bool typed_roll(typing *q)
{
	const atype *x = q->in[0];
	int axis = typed_axis(q, "axis", x->rank, x->rank == 1 ? 0 : -2);
	if (axis == -1)
		return false;
	for (int d = 0; d < x->rank; d++)
		if ((axis == -2 || axis == d) && x->spec[d])
			return diag_error(
				q->ctx, NOWHERE, E_ARRAY_INDIVISIBLE,
				"roll cuts the sharded dimension %d of %s: reshard it first", d,
				atype_text(q->ctx, x, TYPE_SHORT));
	typed_out(q, x);
	return true;
}
