/* canonical_collective.c - collectives that do nothing, cancel each other, or can be merged.
 *
 * (Source of the patterns: shardy/dialect/sdy/ir/canonicalization.{td,cc}.) */
#include "op/simplify/rewrite.h"

/* ---- collectives over no axes --------------------------------------------------------- */

/* The axes of an op: AT_AXES, AT_AXES_LIST or AT_ALL_TO_ALL, whatever the attribute's name is. */
static const attr *axes_attr(const op *o)
{
	static const int names[] = {N_gathering_axes, N_slicing_axes, N_reduction_axes,
	                            N_reduce_scatter_axes, N_params, N_axes};
	for (int i = 0; i < COUNT(names); i++) {
		const attr *a = op_attr(o, names[i]);
		if (a)
			return a;
	}
	return NULL;
}

static bool no_axes(const attr *a)
{
	if (a->kind == AT_AXES)
		return a->n == 0;
	for (int i = 0; i < a->n; i++)
		if (a->list[i]->n)
			return false;
	return true;
}

static bool drop_noop(rewriter *r, op *o)
{
	const attr *axes = axes_attr(o);
	if (!axes || !no_axes(axes))
		return false;
	rewrite_replace(r, o, operand(o, 0));
	return true;
}

/* If both shardings place data alike, open or closed, the permutation moves nothing. */
static bool drop_permute(rewriter *r, op *o)
{
	if (!sharding_is_equivalent(value_sharding(r->m, operand(o, 0)), result(o, 0)->sharding))
		return false;
	rewrite_replace(r, o, operand(o, 0));
	return true;
}

/* ---- pairs ------------------------------------------------------------------------------ */

/* Removes `o` and its operand, an op of `kind` over the same axes: they cancel each other. */
static bool cancel_pair(rewriter *r, op *o, int kind)
{
	op *inner = value_def(operand(o, 0));
	if (!inner || inner->kind != kind || axes_attr(inner) != axes_attr(o))
		return false;
	rewrite_replace(r, o, operand(inner, 0));
	return true;
}

/* sharded_to_unreduced followed by all_reduce over the same axes is an all_gather. */
static bool reduce_to_gather(rewriter *r, op *o)
{
	op *inner = value_def_of(operand(o, 0), OP_SDY_SHARDED_TO_UNREDUCED);
	const sharding *s = result(o, 0)->sharding;
	const mesh *m = s ? sharding_mesh(r->m, s) : NULL;
	if (!inner || !m)
		return false;
	axes_vec axes = {0};
	const attr *list = axes_attr(inner), *reduced = axes_attr(o);
	for (int d = 0; d < list->n; d++)
		for (int i = 0; i < list->list[d]->n; i++)
			vec_push(r->mem, &axes, list->list[d]->axes[i]);
	axes.len = axes_sort_and_merge(axes.ptr, axes.len, m);
	if (!axes_eq((axis_list){axes.ptr, axes.len}, (axis_list){reduced->axes, reduced->n}))
		return false;
	value *from = operand(inner, 0);
	const builder b = builder_before(r->m, o);
	value *gathered = build(&b, OP_SDY_ALL_GATHER, &from, 1, result(o, 0)->type);
	OP_ATTRS(r->m, value_def(gathered), {N_gathering_axes, list});
	gathered->sharding = s;
	rewrite_push(r, value_def(gathered));
	rewrite_replace(r, o, gathered);
	return true;
}

/* ---- all_to_all --------------------------------------------------------------------------- */

static bool params_share_dim(const attr *a, const attr *b)
{
	for (int i = 0; i < 2 * a->n; i++)
		for (int k = 0; k < 2 * b->n; k++)
			if (a->ints[i] == b->ints[k])
				return true;
	return false;
}

/* The entries of both lists, by ascending source dimension. */
static const attr *merge_params(rewriter *r, const attr *a, const attr *b)
{
	int n = a->n + b->n;
	const attr **list = NEW_N(r->mem, const attr *, n);
	int64_t *dims = NEW_N(r->mem, int64_t, 2 * n);
	for (int i = 0, k = 0; i + k < n;) {
		bool from_a = k == b->n || (i < a->n && a->ints[2 * i] < b->ints[2 * k]);
		const attr *from = from_a ? a : b;
		int at = from_a ? i : k, to = i + k;
		list[to] = from->list[at];
		dims[2 * to] = from->ints[2 * at];
		dims[2 * to + 1] = from->ints[2 * at + 1];
		from_a ? i++ : k++;
	}
	attr merged = {.kind = AT_ALL_TO_ALL, .n = n, .list = list, .n_ints = 2 * n, .ints = dims};
	return attr_of(r->m->ctx, &merged);
}

static bool fuse_all_to_all(rewriter *r, op *o)
{
	op *inner = value_def(operand(o, 0));
	if (value_unused(result(o, 0))) {
		rewrite_erase(r, o);
		return true;
	}
	if (!inner || inner->kind != OP_SDY_ALL_TO_ALL || !value_has_one_use(result(inner, 0)) ||
	    params_share_dim(axes_attr(inner), axes_attr(o)))
		return false;
	op_set_attr(r->m, o, N_params, merge_params(r, axes_attr(inner), axes_attr(o)));
	op_set_operand(o, 0, operand(inner, 0));
	rewrite_erase(r, inner);
	rewrite_push(r, o);
	return true;
}

/* ---- all_reduce followed by all_slice is a reduce_scatter ----------------------------------- */

typedef struct scatter_split {
	const attr *scattered; /* AT_AXES_LIST */
	const attr *rest;      /* what remains to be sliced; NULL: nothing */
	const sharding *sharding;
} scatter_split;

/* Removes `a` from the axes that are not scattered yet. */
static bool take_axis(axes_vec *left, axis_ref a)
{
	for (int i = 0; i < left->len; i++)
		if (axis_eq(left->ptr[i], a)) {
			left->ptr[i] = left->ptr[--left->len];
			return true;
		}
	return false;
}

static const attr *axes_list_attr(rewriter *r, const attr *const *list, int n)
{
	attr a = {.kind = AT_AXES_LIST, .n = n, .list = list};
	return attr_of(r->m->ctx, &a);
}

/* What is scattered is one device's part, possibly padded, so the new shards have to divide that.
 * jaxlib 0.11.2 decides in the same way. */
static bool scatters_evenly(const op *slice, int d, axis_list before, axis_list after,
                            const mesh *m)
{
	const type *t = result(slice, 0)->type;
	if (!type_is_tensor(t) || d >= t->rank || t->dims[d] == DIM_DYNAMIC)
		return false;
	int64_t shards = axes_size(before, m), local = t->dims[d] / shards;
	local += t->dims[d] % shards != 0;
	return local % (axes_size(after, m) / shards) == 0;
}

/* Scatters, for each dimension, the longest prefix of the sliced axes that was reduced. Returns
 * false if some reduced axis is not sliced like that, or not evenly. */
static bool plan_scatter(rewriter *r, const op *reduce, const op *slice, scatter_split *p)
{
	const attr *sliced = axes_attr(slice), *reduced = axes_attr(reduce);
	const sharding *out = result(slice, 0)->sharding,
		       *in = value_sharding(r->m, operand(reduce, 0));
	const mesh *m = sharding_mesh(r->m, result(reduce, 0)->sharding);
	const attr **scattered = NEW_N(r->mem, const attr *, sliced->n);
	const attr **rest = NEW_N(r->mem, const attr *, sliced->n);
	dim_sharding *dims = NEW_N(r->mem, dim_sharding, sliced->n);
	axes_vec left = {0};
	bool any_rest = false;
	for (int i = 0; i < reduced->n; i++)
		vec_push(r->mem, &left, reduced->axes[i]);
	for (int d = 0; d < sliced->n; d++) {
		const attr *axes = sliced->list[d];
		axis_list before = in ? dim_axes(&in->dims[d]) : (axis_list){0};
		axes_vec dim = {0};
		for (int i = 0; i < before.n; i++)
			vec_push(r->mem, &dim, before.ptr[i]);
		int n = 0;
		for (; n < axes->n && take_axis(&left, axes->axes[n]); n++)
			axes_append(&dim, r->mem, axes->axes[n], m);
		if (n && !scatters_evenly(slice, d, before, (axis_list){dim.ptr, dim.len}, m))
			return false;
		scattered[d] = attr_axes(r->m->ctx, axes->axes, n);
		rest[d] = attr_axes(r->m->ctx, axes->axes + n, axes->n - n);
		any_rest |= n < axes->n;
		dims[d] = (dim_sharding){
			.axes = dim.ptr, .n_axes = dim.len, .priority = PRIORITY_NONE};
	}
	sharding s = *out;
	s.mesh = result(reduce, 0)->sharding->mesh;
	s.rank = sliced->n;
	s.dims = dims;
	*p = (scatter_split){.scattered = axes_list_attr(r, scattered, sliced->n),
	                    .rest = any_rest ? axes_list_attr(r, rest, sliced->n) : NULL,
	                    .sharding = sharding_of(r->m->ctx, &s)};
	return left.len == 0;
}

/* True if every use of the reduction slices it in the same way, and `slice` is the first. */
static bool only_sliced_alike(rewriter *r, const op *reduce, const op *slice)
{
	for (const use *u = result(reduce, 0)->uses; u; u = u->next) {
		const op *o = u->owner;
		if (o->kind != OP_SDY_ALL_SLICE || axes_attr(o) != axes_attr(slice) ||
		    (o != slice && rewrite_stands_before(r, o, slice)))
			return false;
	}
	return true;
}

static bool fuse_reduce_scatter(rewriter *r, op *slice)
{
	op *reduce = value_def_of(operand(slice, 0), OP_SDY_ALL_REDUCE);
	scatter_split p;
	if (!reduce || !only_sliced_alike(r, reduce, slice) ||
	    !plan_scatter(r, reduce, slice, &p))
		return false;
	value *from = operand(reduce, 0);
	const type *t = result(slice, 0)->type;
	const builder b = builder_before(r->m, slice);
	op *made = build_op(&b, OP_SDY_REDUCE_SCATTER, &from, 1, &t, 1, 0);
	op_set_loc(r->m, made, op_loc(reduce));
	op_set_attr(r->m, made, N_reduce_scatter_axes, p.scattered);
	op_set_attr(r->m, made, N_reduction_op, op_attr(reduce, N_reduction_op));
	result(made, 0)->sharding = p.sharding;
	rewrite_push(r, made);
	if (p.rest) {
		value *scattered = result(made, 0);
		made = build_op(&b, OP_SDY_ALL_SLICE, &scattered, 1, &t, 1, 0);
		op_set_attr(r->m, made, N_slicing_axes, p.rest);
		result(made, 0)->sharding = result(slice, 0)->sharding;
		rewrite_push(r, made);
	}
	while (result(reduce, 0)->uses)
		rewrite_replace(r, result(reduce, 0)->uses->owner, result(made, 0));
	rewrite_erase(r, reduce);
	return true;
}

static bool simplify_all_slice(rewriter *r, op *o)
{
	return drop_noop(r, o) || cancel_pair(r, o, OP_SDY_ALL_GATHER) || fuse_reduce_scatter(r, o);
}

static bool simplify_all_reduce(rewriter *r, op *o)
{
	return drop_noop(r, o) || cancel_pair(r, o, OP_SDY_REPLICATED_TO_UNREDUCED) ||
	       reduce_to_gather(r, o);
}

bool canonical_collective(rewriter *r, op *o)
{
	static bool (*const simplify[OP_COUNT])(rewriter *r, op *o) = {
	    [OP_SDY_ALL_GATHER] = drop_noop,
	    [OP_SDY_ALL_SLICE] = simplify_all_slice,
	    [OP_SDY_ALL_REDUCE] = simplify_all_reduce,
	    [OP_SDY_REDUCE_SCATTER] = drop_noop,
	    [OP_SDY_COLLECTIVE_PERMUTE] = drop_permute,
	    [OP_SDY_ALL_TO_ALL] = fuse_all_to_all,
	};
	return simplify[o->kind] && simplify[o->kind](r, o);
}
