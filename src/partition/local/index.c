/* index.c - dynamic_slice and dynamic_update_slice with a start index into a split dimension.
 *
 * The index is global and only known at run time. A device subtracts its own offset and pads its
 * block by the size of the window on both sides. Then a window outside of the block, or across its
 * border, is a window of the padded block. */
#include "partition/sketch.h"

/* The start of a window in the padded block: clamped as the op does, minus this device's offset,
 * and clamped to where the window touches the block. */
static value *start_in_block(emitter *e, value *start, const spread *as, int d, int64_t size,
                             int64_t window)
{
	int64_t block = spread_local_dim(as, d, size);
	value *at = emit_clamped_index(e, start, size - window);
	at = build_binary(&e->b, OP_SUBTRACT, at, device_offset(e, as, d, size));
	at = build_binary(&e->b, OP_ADD, at, emit_index(e, window));
	at = build_binary(&e->b, OP_MAXIMUM, at, emit_index(e, 0));
	return build_binary(&e->b, OP_MINIMUM, at, emit_index(e, block + window));
}

/* The starts of all dimensions: in a split dimension that the window does not take whole, the start
 * in the padded block; in others the given one. All are converted to e->index if any is. */
static value **local_starts(factoring *f, value *const *starts, const spread *as,
                            const type *window, bool *extended)
{
	emitter *e = f->e;
	const type *in = operand(f->o, 0)->type;
	value **out = NEW_N(e->mem, value *, in->rank);
	bool any = false;
	for (int d = 0; d < in->rank; d++) {
		extended[d] = as->dims[d].n && in->dims[d] != window->dims[d];
		any |= extended[d];
	}
	for (int d = 0; d < in->rank; d++) {
		if (extended[d])
			out[d] = start_in_block(e, starts[d], as, d, in->dims[d], window->dims[d]);
		else if (any)
			out[d] = emit_clamped_index(e, starts[d], in->dims[d] - window->dims[d]);
		else
			out[d] = starts[d];
	}
	return out;
}

static value *extend_block(emitter *e, value *v, const bool *extended, const type *window)
{
	for (int d = 0; d < v->type->rank; d++)
		if (extended[d])
			v = build_pad(&e->b, v, d, window->dims[d], window->dims[d],
			              emit_zero(e, v->type));
	return v;
}

/* ---- dynamic_slice --------------------------------------------------------------------- */

/* If the window takes a part of a split dimension, every device gives the elements that it has, and
 * zeros, and the result is the sum over the devices. */
static const sharding_rule *dynamic_slice_rule(emitter *e, const op *o)
{
	rule_sketch s;
	const type *in = operand(o, 0)->type, *out = result(o, 0)->type;
	sketch_init(&s, e, o);
	for (int d = 0; d < in->rank; d++) {
		bool same = in->dims[d] == out->dims[d];
		int f = same ? sketch_pass(&s, in->dims[d]) : sketch_reduce(&s, in->dims[d]);
		sketch_operand(&s, 0, d, f);
		if (same)
			sketch_result(&s, 0, d, f);
	}
	return sketch_done(&s);
}

void local_dynamic_slice(emitter *e, op *o)
{
	factoring f;
	const type *window = result(o, 0)->type;
	bool sums = monoid_identity(e->ctx, MONOID_SUM, type_elem_tensor(e->ctx, window)) != NULL;
	factoring_init(&f, e, o, dynamic_slice_rule(e, o), sums ? MONOID_SUM : MONOID_NONE, 0);
	factoring_decide(&f);
	value **v = local_operands(&f);
	const spread *as = factoring_operand(&f, 0), *to = factoring_result(&f, 0);
	bool *extended = NEW_N(e->mem, bool, window->rank);
	value **starts = local_starts(&f, v + 1, as, window, extended);
	value *from = extend_block(e, v[0], extended, window);
	const type *local = spread_local_type(&e->sp, to, window);
	local_result(e, o, 0, to, build_dynamic_slice(&e->b, from, starts, local->dims));
}

/* ---- dynamic_update_slice ------------------------------------------------------------------ */

/* If the update covers a dimension partly, it is whole there: any device may need any of it. */
static const sharding_rule *update_slice_rule(emitter *e, const op *o)
{
	rule_sketch s;
	const type *in = operand(o, 0)->type, *update = operand(o, 1)->type;
	sketch_init(&s, e, o);
	for (int d = 0; d < in->rank; d++) {
		int f = sketch_pass(&s, in->dims[d]);
		sketch_operand(&s, 0, d, f);
		if (in->dims[d] == update->dims[d])
			sketch_operand(&s, 1, d, f);
		sketch_result(&s, 0, d, f);
	}
	return sketch_done(&s);
}

void local_dynamic_update_slice(emitter *e, op *o)
{
	factoring f;
	const type *window = operand(o, 1)->type;
	int rank = window->rank;
	if (!monoid_identity(e->ctx, MONOID_SUM, type_elem_tensor(e->ctx, window))) {
		local_replicated(e, o);
		return;
	}
	factoring_init(&f, e, o, update_slice_rule(e, o), MONOID_NONE, 0);
	factoring_decide(&f);
	value **v = local_operands(&f), **operands = NEW_N(e->mem, value *, rank + 2);
	const spread *as = factoring_operand(&f, 0);
	bool *extended = NEW_N(e->mem, bool, rank);
	value **starts = local_starts(&f, v + 2, as, window, extended);
	operands[0] = extend_block(e, v[0], extended, window);
	operands[1] = v[1];
	for (int d = 0; d < rank; d++)
		operands[d + 2] = starts[d];
	value *out = build(&e->b, OP_DYNAMIC_UPDATE_SLICE, operands, rank + 2, operands[0]->type);
	for (int d = 0; d < rank; d++)
		if (extended[d])
			out = build_slice(&e->b, out, d, window->dims[d],
			                  window->dims[d] + v[0]->type->dims[d], 1);
	local_result(e, o, 0, factoring_result(&f, 0), out);
}
