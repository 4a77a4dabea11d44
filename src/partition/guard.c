/* guard.c - rewrites what XLA would compute differently, or refuse, in a program printed for it.
 *
 * Positions beyond the end. XLA merges two successive dynamic_slices by adding up their positions.
 * It forgets that the second is clamped by what the first has left, and clamps the first by too
 * much. It does the same when it turns a scatter or gather with one index into a dynamic_slice. JAX
 * alone shows the error: dynamic_slice(a, ...).at[i].add(1, mode="drop"). Partitioning puts a
 * dynamic_slice, of this device's part, before or after ops of the program. So the positions of a
 * dynamic_slice next to another one are clamped, unless they are known to be inside, and a barrier
 * is put between a dynamic_slice and a scatter or gather, also if there are only ops between them
 * that may be simplified away.
 *
 * Initial values of reductions. XLA assumes that they change nothing. It drops them if one element
 * is reduced, which may be so on a device only, and counts them once for each part if it reduces
 * parts, as it does with concatenations (an all-to-all is one) and with many elements. In these
 * cases a separate op combines the initial value with the rest.
 *
 * Scatters of several operands. If two of them are one value, XLA's CPU client computes both
 * results wrong. A barrier makes them two values.
 *
 * Collectives that reduce. XLA supports sums, products, maxima and minima, and `and` and `or` of
 * booleans. Bitwise and, or, xor it calls unsupported. In these cases the parts are gathered or
 * exchanged, and each device reduces them.
 *
 * Dimension orders in memory. The FFT of XLA's CPU client refuses an operand or result that is not
 * row-major, and XLA chooses another order if a transposition or an all-gather next to it wants
 * one. So both are reshaped to one dimension and back. */
#include "partition/local.h"

/* ---- positions ------------------------------------------------------------------------------- */

/* How far back the origin of a position is traced. */
enum { MAX_STEPS = 12 };

/* True if the value is computed from the device's number alone: an offset of the partitioner's own,
 * which is inside. */
static bool is_of_device(const value *v, int steps)
{
	const op *o = value_def(v);
	if (!o || steps > MAX_STEPS)
		return false;
	if (op_has(o, DEVICE_ID | CONSTANT))
		return true;
	switch (o->kind) {
	case OP_ADD:
	case OP_CONVERT:
	case OP_DIVIDE:
	case OP_DYNAMIC_SLICE:
	case OP_MULTIPLY:
	case OP_REMAINDER:
	case OP_RESHAPE: break;
	default: return false;
	}
	for (int i = 0; i < o->n_operands; i++)
		if (!is_of_device(operand(o, i), steps + 1))
			return false;
	return true;
}

static bool is_inside(const value *start, int64_t most)
{
	const op *o = value_def_of(start, OP_CONSTANT);
	const attr *a = o ? op_attr(o, N_value) : NULL;
	if (!a)
		return is_of_device(start, 0);
	int64_t at = attr_dense_int(a, 0);
	return at >= 0 && at <= most;
}

static void clamp_positions(module *m, op *o)
{
	const type *in = operand(o, 0)->type, *out = result(o, 0)->type;
	builder b = builder_before(m, o);
	for (int d = 0; d < in->rank; d++) {
		value *start = operand(o, 1 + d);
		int64_t most = in->dims[d] - out->dims[d];
		if (is_inside(start, most))
			continue;
		value *v[] = {build_int(&b, start->type->dtype, 0), start,
		              build_int(&b, start->type->dtype, most)};
		op_set_operand(o, 1 + d, build(&b, OP_CLAMP, v, 3, start->type));
	}
}

/* True if XLA's simplifier may remove the op, as it does with x * 1 or a select between x and x. */
static bool may_vanish(const op *o)
{
	return op_has(o, ELEMENTWISE) || op_rearranges(o);
}

/* True if a dynamic_slice may end up directly before the value, or after it. If there is too much
 * to look at, the answer is true. */
enum { MAX_LOOKS = 32 };

static bool look_before(const value *v, int *looks)
{
	const op *o = value_def(v);
	if (!o)
		return false;
	if (o->kind == OP_DYNAMIC_SLICE || ++*looks > MAX_LOOKS)
		return true;
	for (int i = 0; may_vanish(o) && i < o->n_operands; i++)
		if (look_before(operand(o, i), looks))
			return true;
	return false;
}

static bool look_behind(const value *v, int *looks)
{
	for (const use *u = v->uses; u; u = u->next) {
		const op *o = u->owner;
		if ((o->kind == OP_DYNAMIC_SLICE && !use_index(u)) || ++*looks > MAX_LOOKS)
			return true;
		if (may_vanish(o) && look_behind(result(o, 0), looks))
			return true;
	}
	return false;
}

static bool is_sliced(const value *v) { return look_before(v, &(int){0}); }
static bool is_sliced_on(const op *o) { return look_behind(result(o, 0), &(int){0}); }

/* True if a gather or scatter needs a barrier before it. */
static bool needs_barrier(const op *o)
{
	if (o->kind == OP_SCATTER && o->n_results > 1)
		return true;
	return (o->kind == OP_GATHER || o->kind == OP_SCATTER) && is_sliced(operand(o, 0));
}

/* Puts a barrier before the first n operands of `o`. It also separates them from each other. */
static void separate_operands(module *m, op *o, int n)
{
	builder b = builder_before(m, o);
	value **in = NEW_N(&m->ctx->scratch, value *, n);
	const type **types = NEW_N(&m->ctx->scratch, const type *, n);
	for (int i = 0; i < n; i++)
		types[i] = (in[i] = operand(o, i))->type;
	op *apart = build_op(&b, OP_OPTIMIZATION_BARRIER, in, n, types, n, 0);
	for (int i = 0; i < n; i++)
		op_set_operand(o, i, result(apart, i));
}

/* ---- reductions ------------------------------------------------------------------------------ */

static bool reduces_one(const op *o)
{
	const type *in = operand(o, 0)->type, *out = result(o, 0)->type;
	return in->n_elems == out->n_elems && out->n_elems > 0;
}

/* True if the initial value changes nothing, however often it is counted. */
static bool is_neutral(module *m, monoid by, const value *initial)
{
	const op *o = value_def_of(initial, OP_CONSTANT);
	const attr *known = o ? op_attr(o, N_value) : NULL;
	return known &&
	       (monoid_identity_is(by, known) || known == monoid_identity(m->ctx, by, known->type));
}

/* The monoid of a reduction whose initial value has to be combined separately; else MONOID_NONE. */
static monoid has_own_initial(module *m, const op *o)
{
	if (o->kind != OP_REDUCE || o->n_results != 1)
		return MONOID_NONE;
	monoid by = monoid_of_op(op_body_kind(o, 0));
	if (!monoid_has_identity(by, operand(o, 1)->type) || is_neutral(m, by, operand(o, 1)))
		return MONOID_NONE;
	return reduces_one(o) || !monoid_is_idempotent(by) ? by : MONOID_NONE;
}

/* Combines the initial value with the single element, or the result of reducing the elements. */
static void combine_initial(module *m, op *o, monoid by)
{
	builder b = builder_before(m, o), behind = b;
	value *initial = operand(o, 1), *all = result(o, 0), *rest = all;
	const type *t = all->type;
	behind.before = o->next;
	if (reduces_one(o))
		rest = build_reshape(&b, operand(o, 0), t->dims, t->rank);
	else
		op_set_operand(o, 1, build_constant(&b, monoid_identity(m->ctx, by, initial->type)));
	value *v = build_binary(&behind, monoid_op(by), build_fill(&behind, initial, t), rest);
	value_replace_uses_except(all, v, value_def(v));
	if (rest != all)
		op_erase(o);
}

/* The monoid of a reducing collective that XLA does not support; MONOID_NONE: it does. */
static monoid unknown_to_xla(const op *o)
{
	if (!op_is_device_reduction(o) || o->n_operands != 1 || !op_body_kind(o, 0))
		return MONOID_NONE;
	monoid by = monoid_of_op(op_body_kind(o, 0));
	bool truth = operand(o, 0)->type->dtype == DT_I1;
	bool bitwise = by == MONOID_XOR || (!truth && (by == MONOID_AND || by == MONOID_OR));
	return bitwise ? by : MONOID_NONE;
}

/* The values of all devices of a group, stacked along a new first dimension. */
static value *gathered(const builder *b, const op *o, int64_t n)
{
	const type *t = operand(o, 0)->type;
	int64_t *dims = NEW_N(&b->m->ctx->scratch, int64_t, t->rank + 1);
	dims[0] = 1;
	for (int d = 0; d < t->rank; d++)
		dims[d + 1] = t->dims[d];
	value *part = build_reshape(b, operand(o, 0), dims, t->rank + 1);
	const type *all = type_resized(b->m->ctx, part->type, 0, n);
	op *gather = build_op(b, OP_ALL_GATHER, &part, 1, &all, 1, 0);
	op_take_attrs(b->m, gather, o);
	op_set_attr(b->m, gather, N_all_gather_dim, attr_i64(b->m->ctx, 0));
	return result(gather, 0);
}

/* This device's part of each device's value, stacked along a new first dimension. */
static value *exchanged(const builder *b, op *o, int64_t n)
{
	module *m = b->m;
	const type *t = operand(o, 0)->type;
	int at = (int)op_int(o, N_scatter_dimension, 0);
	int64_t *dims = NEW_N(&m->ctx->scratch, int64_t, t->rank + 1);
	int64_t *order = NEW_N(&m->ctx->scratch, int64_t, t->rank + 1);
	for (int d = 0; d < t->rank; d++) {
		dims[d + (d >= at)] = d == at ? n : t->dims[d];
		order[d + 1] = d + (d >= at);
	}
	dims[at + 1] = t->dims[at] / n;
	dims[at] = n;
	order[0] = at;
	value *parts = build_transpose(b, build_reshape(b, operand(o, 0), dims, t->rank + 1), order);
	op *swap = build_op(b, OP_ALL_TO_ALL, &parts, 1, &parts->type, 1, 0);
	OP_ATTRS(m, swap, {N_channel_handle, op_attr(o, N_channel_handle)},
	         {N_concat_dimension, attr_i64(m->ctx, 0)},
	         {N_replica_groups, op_attr(o, N_replica_groups)},
	         {N_split_count, attr_i64(m->ctx, n)},
	         {N_split_dimension, attr_i64(m->ctx, 0)});
	return result(swap, 0);
}

/* Replaces a collective by an exchange of the values, which each device then reduces. */
static void reduce_here(module *m, op *o, monoid by)
{
	group_table groups;
	const type *t = operand(o, 0)->type;
	const int64_t front = 0;
	if (replica_groups_of(m, o, &m->ctx->scratch, &groups) || groups.n < 1)
		return;
	builder b = builder_before(m, o);
	value *parts = o->kind == OP_ALL_REDUCE ? gathered(&b, o, groups.size)
	                                        : exchanged(&b, o, groups.size);
	value *start = build_constant(&b, monoid_identity(m->ctx, by, type_elem_tensor(m->ctx, t)));
	value_replace_uses(result(o, 0),
	                   build_reduce(&b, monoid_op(by), parts, start, &front, 1));
	op_erase(o);
}

/* ---- order of dimensions --------------------------------------------------------------------- */

/* A value of one dimension has only one order. */
static value *through_one_dimension(const builder *b, value *v)
{
	const type *t = v->type;
	int64_t n = t->n_elems;
	value *flat = build_unary(b, OP_OPTIMIZATION_BARRIER, build_reshape(b, v, &n, 1));
	return build_reshape(b, flat, t->dims, t->rank);
}

static void order_dims(module *m, op *o)
{
	builder b = builder_before(m, o);
	value *in[] = {through_one_dimension(&b, operand(o, 0))};
	value *made = result(build_like(&b, o, in, 1, &result(o, 0)->type), 0);
	value_replace_uses(result(o, 0), through_one_dimension(&b, made));
	op_erase(o);
}

void guard_from_xla(module *m)
{
	for (op *o = m->top, *next; o; o = next) {
		next = op_next(o, m->top);
		if (o->kind == OP_DYNAMIC_SLICE && (is_sliced(operand(o, 0)) || is_sliced_on(o)))
			clamp_positions(m, o);
		if (needs_barrier(o))
			separate_operands(m, o, o->kind == OP_GATHER ? 1 : o->n_results);
		monoid unknown = unknown_to_xla(o), own = has_own_initial(m, o);
		if (o->kind == OP_FFT && operand(o, 0)->type->rank > 1) {
			order_dims(m, o);
		} else if (own != MONOID_NONE) {
			next = op_skip(o, m->top);
			combine_initial(m, o, own);
		} else if (unknown != MONOID_NONE) {
			next = op_skip(o, m->top);
			reduce_here(m, o, unknown);
		}
	}
}
