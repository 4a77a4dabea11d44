/* placement.c - which values are in the memory of the host.
 *
 * For arguments and results, mhlo.memory_kind says so; for values, a custom call that moves them
 * (annotate_device_placement, MoveToHost). As in XLA's host offloading, the result of an operation
 * that only moves data on the host, or inserts a part into it, stays there. So the buffer into
 * which a loop writes what it offloads in each iteration is on the host from the start. Everything
 * that is computed is on the device again. */
#include "cost/memory.h"

/* Where the op's result is, independent of its operand; PLACE_SAME: where the operand is. */
typedef enum memory_place {
	PLACE_SAME,
	PLACE_DEVICE,
	PLACE_HOST,
} memory_place;

typedef struct placing {
	bool *host; /* [n_values] */
	bool changed;
} placing;

static memory_place told_place(const op *o)
{
	if (op_calls(o, "MoveToHost"))
		return PLACE_HOST;
	if (op_calls(o, "MoveToDevice"))
		return PLACE_DEVICE;
	if (!op_calls(o, "annotate_device_placement"))
		return PLACE_SAME;
	const attr *dict = op_attr(o, N_mhlo_frontend_attributes);
	const attr *to = dict ? attr_get(dict, N_xla_buffer_placement) : NULL;
	if (!to || to->kind != AT_STRING)
		return PLACE_SAME;
	return str_is(name_str(to->text), "pinned_host") ||
	                       str_is(name_str(to->text), "unpinned_host")
	               ? PLACE_HOST
	               : PLACE_DEVICE;
}

bool op_places(const op *o)
{
	return op_calls(o, "annotate_device_placement") || op_calls(o, "MoveToHost") ||
	       op_calls(o, "MoveToDevice");
}

static bool is_on_host(const placing *p, const value *v) { return p->host[v->id]; }

static void put_on_host(placing *p, const value *v)
{
	p->changed = p->changed || !p->host[v->id];
	p->host[v->id] = true;
}

/* The result is in the same memory as the operand whose data it takes. */
static bool moves_only(const op *o)
{
	switch (o->kind) {
	case OP_RESHAPE:
	case OP_TRANSPOSE:
	case OP_SLICE:
	case OP_DYNAMIC_SLICE:
	case OP_BROADCAST_IN_DIM:
	case OP_OPTIMIZATION_BARRIER:
	case OP_SDY_SHARDING_CONSTRAINT: return true;
	case OP_CUSTOM_CALL: return op_places(o) && told_place(o) == PLACE_SAME;
	default: return false;
	}
}

static void place_loop(placing *p, const op *o)
{
	const op *end = op_block(o, 1) ? block_terminator(op_block(o, 1)) : NULL;
	for (int i = 0; end && i < o->n_results && i < end->n_operands; i++) {
		if (!is_on_host(p, operand(o, i)) && !is_on_host(p, operand(end, i)))
			continue;
		put_on_host(p, result(o, i));
		for (int r = 0; r < op_n_regions(o); r++)
			if (op_block(o, r) && i < op_block(o, r)->n_args)
				put_on_host(p, op_block(o, r)->args[i]);
	}
}

static void place_branches(placing *p, const op *o)
{
	for (int r = 0; r < op_n_regions(o); r++) {
		const op *end = op_block(o, r) ? block_terminator(op_block(o, r)) : NULL;
		for (int i = 0; end && i < o->n_results && i < end->n_operands; i++)
			if (is_on_host(p, operand(end, i)))
				put_on_host(p, result(o, i));
	}
}

static void place_results(placing *p, const op *o)
{
	if (told_place(o) == PLACE_HOST)
		for (int i = 0; i < o->n_results; i++)
			put_on_host(p, result(o, i));
	else if (moves_only(o))
		for (int i = 0; i < o->n_results && i < o->n_operands; i++) {
			if (is_on_host(p, operand(o, i)))
				put_on_host(p, result(o, i));
		}
	else if (o->kind == OP_DYNAMIC_UPDATE_SLICE)
		for (int i = 0; i < 2 && i < o->n_operands; i++) {
			if (is_on_host(p, operand(o, i)))
				put_on_host(p, result(o, 0));
		}
	else if (o->kind == OP_WHILE)
		place_loop(p, o);
	else if (op_is_branch(o))
		place_branches(p, o);
}

const bool *values_on_host(const module *m, const op *main_func, arena *mem)
{
	placing p = {.host = NEW_N(mem, bool, m->n_values + 1)};
	const block *b = op_body(main_func);
	bool any = false;
	for (int i = 0; i < b->n_args; i++)
		if (attrs_on_host(&op_func(main_func)->arg_attrs[i]))
			put_on_host(&p, b->args[i]);
	for (int i = 0; i < op_func(main_func)->type->n_out; i++)
		any = any || attrs_on_host(&op_func(main_func)->result_attrs[i]);
	/* Each pass over a loop may find more carried values that are there; loops nest. */
	do {
		any = any || p.changed;
		p.changed = false;
		for (const op *o = m->top; o; o = op_next(o, m->top))
			place_results(&p, o);
	} while (p.changed);
	return any ? p.host : NULL;
}
