/* comm.c - typing of operations that move data between devices explicitly: reshard, constraints,
 * and collectives in a shard_map. */
#include "array/typed/typed.h"

/* From any type to any type; the spec may be for another mesh. */
bool typed_reshard(typing *q)
{
	const pspec *s = param_spec(q->attrs, "sharding");
	q->mesh = param_mesh(q->attrs, "mesh", array_state_of(q->ctx)->mesh);
	if (!s)
		return diag_error(q->ctx, NOWHERE, E_ARRAY_ATTRIBUTE, "%s needs a sharding",
		                  q->name);
	atype *out = typed_out(q, q->in[0]);
	return strcmp(q->name, "device_put") == 0 ? atype_place(q->ctx, out, s)
	                                          : atype_shard(q->ctx, out, s, q->name);
}

/* Both values should be sharded alike where the compiler decides. */
bool typed_shard_as(typing *q)
{
	for (int i = 0; i < 2; i++)
		typed_out(q, q->in[i]);
	return q->in[0]->rank == q->in[1]->rank ||
	       diag_error(q->ctx, NOWHERE, E_ARRAY_RANK, "shard_as: ranks differ: %s",
	                  typed_operands_text(q, 2));
}

static bool spec_matches(const atype *t, const aspec *s)
{
	for (int d = 0; d < t->rank || d < s->n; d++)
		if ((d < s->n ? s->dim[d] : 0) != (d < t->rank ? t->spec[d] : 0))
			return false;
	return s->unreduced == t->unreduced && s->reduced == t->reduced;
}

/* With Explicit axes only, it is an assertion; on Auto axes it constrains the compiler. */
bool typed_constraint(typing *q)
{
	const pspec *s = param_spec(q->attrs, "sharding");
	const atype *x = q->in[0];
	aspec a;
	if (!s || !q->mesh)
		return diag_error(q->ctx, NOWHERE, E_ARRAY_NO_MESH,
		                  "with_sharding_constraint needs a sharding and a mesh");
	if (!aspec_bind(q->ctx, q->mesh, s, &a))
		return false;
	typed_out(q, x);
	axis_set named = a.unreduced | a.reduced;
	for (int d = 0; d < a.n; d++)
		named |= axis_seq_set(a.dim[d]);
	if (axis_set_size(q->mesh, ~amesh_axes_of_kind(q->mesh, AXIS_EXPLICIT)) == 1) {
		if (spec_matches(x, &a))
			return true;
		return diag_error(
			q->ctx, NOWHERE, E_ARRAY_ASSERTION,
			"with_sharding_constraint acts as an assert when all axes of the mesh "
			"are Explicit, and %s is not sharded so",
			atype_text(q->ctx, x, TYPE_SHORT));
	}
	if (named & ~amesh_axes_of_kind(q->mesh, AXIS_AUTO))
		return diag_error(
			q->ctx, NOWHERE, E_ARRAY_AXIS_KIND,
			"the spec passed to with_sharding_constraint can only refer to Auto axes");
	return true;
}

/* ---- collectives --------------------------------------------------------------------------- */

/* Resolves the manual axes in the attribute "axes", with the number of devices along them; or no
 * axes, and the number of elements that enclosing vmaps map under these names. */
static bool collective_axes(typing *q, axis_set *out, int64_t *size)
{
	comm_reach c;
	if (!comm_reach_of(q->ctx, q->name, q->mesh, q->attrs, &c))
		return false;
	*out = c.set;
	*size = c.size;
	tess_str to = param_text(q->attrs, "to");
	if (c.mapped && to.len && (!str_is(to, "varying") || q->op->rule == typed_pcast))
		return diag_error(q->ctx, NOWHERE, E_ARRAY_MANUAL,
		                  "%s to %.*s is for axes of a shard_map, not for names of a vmap",
		                  q->name, STR_ARG(to));
	return c.mapped < 2 || q->op->rule == typed_all_reduce ||
	       diag_error(q->ctx, NOWHERE, E_ARRAY_AXIS,
	                  "%s takes one name of a vmap, not %d: write one after the other",
	                  q->name, c.mapped);
}

/* True if names were given, none of which is an axis of the mesh. */
static bool along_mapped(typing *q, axis_set axes)
{
	return !axes && param_text(q->attrs, "axes").len;
}

static void out_varying(typing *q, atype *t, axis_set v)
{
	t->varying = array_state_of(q->ctx)->unchecked ? 0 : v;
}

/* Along an axis, a value varies, is unreduced, is reduced, or none of these. A collective requires
 * the same along all its axes. */
static bool same_along(typing *q, axis_set axes)
{
	const atype *x = q->in[0];
	axis_set states[] = {x->varying & axes, x->unreduced & axes, x->reduced & axes};
	for (int i = 0; i < COUNT(states); i++)
		if (states[i] && states[i] != axes)
			return diag_error(q->ctx, NOWHERE, E_ARRAY_MANUAL,
			                  "%s takes a value that is the same along all of its axes: "
			                  "varying, unreduced, reduced, or none of them; got %s",
			                  q->name, atype_text(q->ctx, x, TYPE_LONG));
	return true;
}

/* For collectives that first cast their operand to varying, which a reduced one cannot be. */
static bool may_vary(typing *q, axis_set axes)
{
	const atype *x = q->in[0];
	return array_state_of(q->ctx)->unchecked || !(x->reduced & axes) ||
	       diag_error(q->ctx, NOWHERE, E_ARRAY_MANUAL,
	                  "%s cannot take what is reduced along its axes; got %s", q->name,
	                  atype_text(q->ctx, x, TYPE_LONG));
}

/* Along a mapped dimension, a sum of booleans counts, and the mean of integers is a float. */
static dtype summed_dtype(const typing *q, dtype t)
{
	if ((q->op->how & EW_KIND) != EW_SUM)
		return t;
	if (strcmp(q->name, "pmean") == 0)
		return dtype_is_float(t) || dtype_is_complex(t) ? t : DT_F32;
	return t == DT_I1 ? DT_I32 : t;
}

/* psum, pmax, pmin, pmean: the result is invarying; a psum also completes unreduced sums. */
bool typed_all_reduce(typing *q)
{
	axis_set axes;
	int64_t parts;
	if (!collective_axes(q, &axes, &parts) || !same_along(q, axes) || !may_vary(q, axes))
		return false;
	atype *out = typed_out(q, q->in[0]);
	if ((q->op->how & EW_KIND) != EW_SUM && !typed_no_unreduced(q))
		return false;
	out_varying(q, out, q->in[0]->varying & ~axes);
	out->unreduced &= ~axes;
	if (along_mapped(q, axes))
		out->dtype = summed_dtype(q, out->dtype);
	return true;
}

static int collective_dim(typing *q, const char *key, const atype *t)
{
	int axis = -1;
	if (!t->rank)
		diag_error(q->ctx, NOWHERE, E_ARRAY_RANK, "%s does not take a scalar", q->name);
	else
		axis = typed_axis(q, key, t->rank, 0);
	return axis;
}

int typed_gather_axis(const params *a, int rank)
{
	int64_t axis = param_int(a, "axis", 0);
	axis += axis < 0 ? rank + 1 : 0;
	return axis < 0 || axis > rank ? 0 : (int)axis;
}

/* Removes a dimension with as many elements as there are parts. */
static bool part_goes(typing *q, atype *t, int axis, int64_t parts)
{
	if (t->dim[axis] != parts)
		return diag_error(q->ctx, NOWHERE, E_ARRAY_SHAPE,
		                  "%s without tiled: dimension %d of %s must have %" PRId64
		                  " elements",
		                  q->name, axis, atype_text(q->ctx, q->in[0], TYPE_SHORT), parts);
	t->rank--;
	memmove(t->dim + axis, t->dim + axis + 1, sizeof *t->dim * (size_t)(t->rank - axis));
	memmove(t->spec + axis, t->spec + axis + 1, sizeof *t->spec * (size_t)(t->rank - axis));
	return true;
}

/* Inserts a dimension. */
static void part_comes(atype *t, int axis, int64_t size)
{
	memmove(t->dim + axis + 1, t->dim + axis, sizeof *t->dim * (size_t)(t->rank - axis));
	memmove(t->spec + axis + 1, t->spec + axis, sizeof *t->spec * (size_t)(t->rank - axis));
	t->rank++;
	t->dim[axis] = size;
	t->spec[axis] = 0;
}

bool typed_all_gather(typing *q)
{
	const atype *x = q->in[0];
	axis_set axes;
	int64_t parts;
	tess_str to = param_text(q->attrs, "to");
	bool tiled = param_int(q->attrs, "tiled", 0);
	int axis = tiled ? collective_dim(q, "axis", x) : 0;
	if (axis < 0 || !collective_axes(q, &axes, &parts))
		return false;
	if (!str_is(to, "reduced") && !str_is(to, "invarying") && !may_vary(q, axes))
		return false;
	if (str_is(to, "reduced") && (axes & ~x->varying))
		return diag_error(q->ctx, NOWHERE, E_ARRAY_MANUAL,
		                  "all_gather to reduced takes what varies over its axes; got %s",
		                  atype_text(q->ctx, x, TYPE_LONG));
	atype *out = typed_out(q, x);
	if (tiled && !mul_ok(x->dim[axis], parts, &out->dim[axis]))
		return diag_error(q->ctx, NOWHERE, E_ARRAY_SHAPE, "all_gather: the result is too large");
	if (!tiled && out->rank < ARRAY_MAX_RANK)
		part_comes(out, typed_gather_axis(q->attrs, out->rank), parts);
	bool same_everywhere = str_is(to, "invarying") || str_is(to, "reduced");
	out_varying(q, out, same_everywhere ? x->varying & ~axes : x->varying | axes);
	if (str_is(to, "reduced"))
		out->reduced |= axes;
	return true;
}

bool typed_psum_scatter(typing *q)
{
	axis_set axes;
	int64_t parts;
	int axis = collective_dim(q, "scatter_dimension", q->in[0]);
	if (axis < 0 || !collective_axes(q, &axes, &parts) || !may_vary(q, axes))
		return false;
	atype *out = typed_out(q, q->in[0]);
	if (out->dim[axis] % parts)
		return diag_error(q->ctx, NOWHERE, E_ARRAY_INDIVISIBLE,
		                  "psum_scatter: %" PRId64 " parts of dimension %d of %s", parts,
		                  axis, atype_text(q->ctx, q->in[0], TYPE_SHORT));
	if (!param_int(q->attrs, "tiled", 0) && !part_goes(q, out, axis, parts))
		return false;
	if (param_int(q->attrs, "tiled", 0))
		out->dim[axis] /= parts;
	out->unreduced &= ~axes;
	out_varying(q, out, q->in[0]->varying | axes);
	return true;
}

bool typed_all_to_all(typing *q)
{
	axis_set axes;
	int64_t parts;
	int split = collective_dim(q, "split_axis", q->in[0]);
	int join = split < 0 ? -1 : typed_axis(q, "concat_axis", q->in[0]->rank, 0);
	if (join < 0 || !collective_axes(q, &axes, &parts) || !may_vary(q, axes))
		return false;
	atype *out = typed_out(q, q->in[0]);
	if (out->dim[split] % parts)
		return diag_error(q->ctx, NOWHERE, E_ARRAY_INDIVISIBLE,
		                  "all_to_all: %" PRId64 " parts of dimension %d", parts, split);
	if (param_int(q->attrs, "tiled", 0)) {
		out->dim[split] /= parts;
		out->dim[join] *= parts;
	} else {
		if (!part_goes(q, out, split, parts))
			return false;
		part_comes(out, join, parts);
	}
	out_varying(q, out, q->in[0]->varying | axes);
	return true;
}

/* True if each pair in `perm` maps an element to another, none twice. */
static bool permutes(typing *q, int64_t size)
{
	const int64_t *perm;
	int n = param_ints(q->attrs, "perm", &perm);
	bool *seen = NEW_N(&q->ctx->scratch, bool, 2 * size + 1), right = n >= 0 && n % 2 == 0;
	for (int i = 0; i < n && right; i++) {
		bool *at = perm[i] < 0 || perm[i] >= size ? NULL : &seen[2 * perm[i] + i % 2];
		right = at && !*at;
		if (at)
			*at = true;
	}
	return right || diag_error(q->ctx, NOWHERE, E_ARRAY_ATTRIBUTE,
	                           "ppermute: perm is pairs of a source and a target of %" PRId64
	                           " elements, each a source and a target at most once",
	                           size);
}

bool typed_ppermute(typing *q)
{
	axis_set axes;
	int64_t parts;
	if (!collective_axes(q, &axes, &parts) || !typed_no_unreduced(q) || !may_vary(q, axes))
		return false;
	if (along_mapped(q, axes) && !permutes(q, parts))
		return false;
	out_varying(q, typed_out(q, q->in[0]), q->in[0]->varying | axes);
	return true;
}

bool typed_axis_index(typing *q)
{
	axis_set axes;
	int64_t parts;
	atype t = atype_scalar(DT_I32, q->mesh);
	if (!collective_axes(q, &axes, &parts))
		return false;
	out_varying(q, typed_out(q, &t), axes);
	return true;
}

/* Casts: invarying -> varying or reduced, reduced -> varying, varying -> unreduced. */
bool typed_pcast(typing *q)
{
	const atype *x = q->in[0];
	axis_set axes;
	int64_t parts;
	tess_str to = param_text(q->attrs, "to");
	if (!collective_axes(q, &axes, &parts))
		return false;
	atype *out = typed_out(q, x);
	axis_set varying = x->varying & axes, other = x->unreduced & axes,
		 reduced = x->reduced & axes;
	bool ok = false;
	if (str_is(to, "varying")) {
		ok = !varying && !other;
		out_varying(q, out, x->varying | axes);
		out->reduced &= ~axes;
	} else if (str_is(to, "reduced")) {
		ok = !varying && !other && !reduced;
		out->reduced |= array_state_of(q->ctx)->unchecked ? 0 : axes;
	} else if (str_is(to, "unreduced")) {
		ok = varying == axes;
		out->varying &= ~axes;
		out->unreduced |= axes;
	}
	return ok || diag_error(q->ctx, NOWHERE, E_ARRAY_MANUAL, "unsupported pcast of %s to %.*s",
	                        atype_text(q->ctx, x, TYPE_SHORT), STR_ARG(to));
}
