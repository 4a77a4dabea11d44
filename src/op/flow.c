/* flow.c - data-flow ops, and which value has the sharding of a value.
 *
 * Some ops compute nothing themselves but bind values together: their inputs, the values in their
 * regions and their results are the same data, and are sharded in one way.
 *
 *     op                    owner            sources                 other targets
 *     while                 result i         operand i, body yields  arguments i
 *     case                  result i         each branch yields      -
 *     optimization_barrier  result i         operand i               -
 *     manual_computation,   argument i       operand i               -
 *     named_computation     result i         body yields             -
 *
 * The owner and the other targets form one data-flow edge. During propagation an sdy.data_flow_edge
 * on the owner has its sharding. Without that, the owner's value has the sharding or, for manual
 * and named computations, the lists in_shardings and out_shardings have it. The body of a manual
 * computation sees its arguments without the manual axes. */
#include "op/op.h"

value *value_past_reshards(value *v)
{
	while (value_def_has(v, RESHARDS))
		v = operand(value_def(v), 0);
	return v;
}

value *value_past_barriers(value *v)
{
	while (value_def_of(v, OP_SDY_PROPAGATION_BARRIER))
		v = operand(value_def(v), 0);
	return v;
}

bool module_has_data_flow(const module *m)
{
	static const int kinds[] = {OP_SDY_MANUAL_COMPUTATION, OP_SDY_NAMED_COMPUTATION, OP_WHILE,
	                            OP_CASE, OP_OPTIMIZATION_BARRIER};
	for (int i = 0; i < COUNT(kinds); i++)
		if (module_has(m, kinds[i]))
			return true;
	return false;
}

/* The owner of the edge of which `target` is a target, or NULL. */
static value *flow_owner(const value *target)
{
	op *o = value_op(target);
	if (op_has(o, LISTED) || (value_def(target) && op_has(o, DATA_FLOW)))
		return (value *)target;
	if (o->kind == OP_WHILE && (int)target->index < o->n_results)
		return result(o, (int)target->index);
	return NULL;
}

/* The owner of the edge of which `source` is a source, or NULL. */
static value *flow_owner_of_source(const use *source)
{
	op *o = source->owner;
	int i = use_index(source);
	if (op_has(o, TERMINATOR)) {
		op *up = op_parent(o);
		bool yields = up &&
		              (op_has(up, LISTED) || up->kind == OP_CASE ||
		               (up->kind == OP_WHILE && o->parent->parent == op_region(up, 1)));
		return yields && i < up->n_results ? result(up, i) : NULL;
	}
	if (op_has(o, LISTED))
		return op_body(o) && i < op_body(o)->n_args ? op_body(o)->args[i] : NULL;
	if ((o->kind == OP_WHILE || o->kind == OP_OPTIMIZATION_BARRIER) && i < o->n_results)
		return result(o, i);
	return NULL;
}

static use *yielded(const op *o, int region, int i)
{
	const block *b = region < op_n_regions(o) ? op_block(o, region) : NULL;
	return b && b->last && i < b->last->n_operands ? &op_uses(b->last)[i] : NULL;
}

static use *operand_use(const op *o, int i)
{
	return i < o->n_operands ? &op_uses(o)[i] : NULL;
}

use *flow_source(const value *owner, int k)
{
	const op *o = value_op(owner);
	int i = (int)owner->index;
	switch (o->kind) {
	case OP_WHILE:
		return k == 0 ? operand_use(o, i) : k == 1 ? yielded(o, 1, i) : NULL;
	case OP_CASE: return k < op_n_regions(o) ? yielded(o, k, i) : NULL;
	case OP_OPTIMIZATION_BARRIER:
		return k == 0 ? operand_use(o, i) : NULL;
	case OP_SDY_MANUAL_COMPUTATION:
	case OP_SDY_NAMED_COMPUTATION:
		if (k > 0)
			return NULL;
		return value_def(owner) ? yielded(o, 0, i) : operand_use(o, i);
	}
	return NULL;
}

value *flow_other_target(const value *owner, int k)
{
	const op *o = value_op(owner);
	if (o->kind != OP_WHILE || k >= op_n_regions(o))
		return NULL;
	const block *b = op_block(o, k);
	return b && (int)owner->index < b->n_args ? b->args[owner->index] : NULL;
}

static op *edge_on(const value *owner)
{
	if (!owner || !value_has_one_use(owner))
		return NULL;
	op *user = owner->uses->owner;
	return user->kind == OP_SDY_DATA_FLOW_EDGE ? user : NULL;
}

op *flow_edge(const value *target) { return edge_on(flow_owner(target)); }
op *flow_edge_of_source(const use *source) { return edge_on(flow_owner_of_source(source)); }

/* ---- manual computations ----------------------------------------------------------- */

static bool is_manual(const attr *manual_axes, const name *axis)
{
	for (int i = 0; manual_axes && i < manual_axes->n; i++)
		if (manual_axes->list[i]->text == axis)
			return true;
	return false;
}

/* Manual axes come first in every dimension that manual-axes-cleanup has seen. Without that pass,
 * propagation may put a part of one behind a free axis: as Shardy, halve the list until the end of
 * the manual axes is found, which drops the free axis too. */
static int count_manual(const attr *manual_axes, const dim_sharding *d)
{
	int first = 0;
	for (int n = d->n_axes; n > 0;) {
		int half = n / 2;
		if (is_manual(manual_axes, d->axes[first + half].axis)) {
			first += half + 1;
			n -= half + 1;
		} else {
			n = half;
		}
	}
	return first;
}

static axis_list free_axes(arena *mem, const attr *manual_axes, const axis_ref *axes, int n)
{
	axis_ref *kept = NEW_N(mem, axis_ref, n);
	int n_kept = 0;
	for (int i = 0; i < n; i++)
		if (!is_manual(manual_axes, axes[i].axis))
			kept[n_kept++] = axes[i];
	return (axis_list){kept, n_kept};
}

const sharding *sharding_inside_manual(const module *m, const op *manual, const sharding *s)
{
	const attr *axes = op_attr(manual, N_manual_axes);
	arena *mem = &m->ctx->scratch;
	if (!s || !axes || !axes->n)
		return s;
	dim_sharding *dims = COPY_N(mem, s->dims, s->rank);
	for (int d = 0; d < s->rank; d++) {
		int n = count_manual(axes, &dims[d]);
		dims[d].axes += n;
		dims[d].n_axes -= n;
	}
	axis_list replicated = free_axes(mem, axes, s->replicated, s->n_replicated);
	axis_list unreduced = free_axes(mem, axes, s->unreduced, s->n_unreduced);
	sharding inside = *s;
	inside.dims = dims;
	inside.replicated = replicated.ptr;
	inside.n_replicated = replicated.n;
	inside.unreduced = unreduced.ptr;
	inside.n_unreduced = unreduced.n;
	return sharding_of(m->ctx, &inside);
}

const sharding *sharding_outside_manual(module *m, const op *manual, const sharding *outside,
                                        const sharding *inside)
{
	const attr *axes = op_attr(manual, N_manual_axes);
	arena *mem = &m->ctx->scratch;
	if (!outside || !inside || outside->rank != inside->rank)
		return inside;
	dim_sharding *dims = COPY_N(mem, inside->dims, inside->rank);
	for (int d = 0; d < inside->rank; d++) {
		int n = count_manual(axes, &outside->dims[d]);
		axis_ref *joined = NEW_N(mem, axis_ref, n + dims[d].n_axes);
		if (n)
			memcpy(joined, outside->dims[d].axes, sizeof *joined * (size_t)n);
		if (dims[d].n_axes)
			memcpy(joined + n, dims[d].axes, sizeof *joined * (size_t)dims[d].n_axes);
		dims[d].axes = joined;
		dims[d].n_axes += n;
	}
	sharding both = *outside;
	both.mesh = inside->mesh;
	both.dims = dims;
	return sharding_of(m->ctx, &both);
}

/* ---- reading and setting the sharding of a value -------------------------------------------- */

value *value_shardable(const value *v)
{
	op *edge = flow_edge(v);
	if (edge)
		return result(edge, 0);
	if (value_def(v) || op_func(value_op(v)))
		return (value *)v;
	return flow_owner(v);
}

static const sharding *listed(const op *o, int list, uint32_t i)
{
	const attr *a = op_attr(o, list);
	return a && a->kind == AT_SHARDINGS && (int)i < a->n ? a->shardings[i] : NULL;
}

const sharding *value_sharding(const module *m, const value *v)
{
	if (value_def(v) && !op_has(value_def(v), DATA_FLOW)) /* the most frequent case */
		return v->sharding;
	v = value_shardable(v);
	if (!v)
		return NULL;
	op *o = value_op(v);
	if (!op_has(o, LISTED))
		return v->sharding;
	if (value_def(v))
		return listed(o, N_out_shardings, v->index);
	const sharding *s = listed(o, N_in_shardings, v->index);
	return op_is_manual(o) ? sharding_inside_manual(m, o, s) : s;
}

const sharding *sharding_open_for(module *m, const value *v, mesh_ref mesh)
{
	return sharding_open(m->ctx, mesh, type_is_tensor(v->type) ? v->type->rank : 0);
}

/* An op either has shardings for all its results, or for none. */
static void set_result_sharding(module *m, value *v, const sharding *s)
{
	op *o = value_def(v);
	bool first = s && !v->sharding;
	v->sharding = s;
	for (int i = 0; first && i < o->n_results; i++)
		if (!result(o, i)->sharding)
			result(o, i)->sharding = sharding_open_for(m, result(o, i), s->mesh);
}

static void set_listed(module *m, op *o, int list, const value *v, const sharding *s)
{
	const attr *a = op_attr(o, list);
	int n = value_def(v) ? o->n_results : value_owner(v)->n_args;
	const sharding **all = NEW_N(&m->ctx->scratch, const sharding *, n);
	for (int i = 0; i < n; i++)
		all[i] = a && i < a->n ? a->shardings[i]
		         : !s          ? NULL
		                       : sharding_open_for(
						 m, value_def(v) ? result(o, i) : value_owner(v)->args[i],
						 s->mesh);
	all[v->index] = s;
	op_set_attr(m, o, list, attr_shardings(m->ctx, all, n));
}

void value_set_sharding(module *m, value *v, const sharding *s)
{
	v = value_shardable(v);
	if (!v)
		return;
	op *o = value_op(v);
	if (!op_has(o, LISTED) && !value_def(v))
		v->sharding = s;
	else if (!op_has(o, LISTED))
		set_result_sharding(m, v, s);
	else if (value_def(v))
		set_listed(m, o, N_out_shardings, v, s);
	else if (op_is_manual(o))
		set_listed(m, o, N_in_shardings, v,
		           sharding_outside_manual(m, o, listed(o, N_in_shardings, v->index), s));
	else
		set_listed(m, o, N_in_shardings, v, s);
}
