/* live.c - which values share memory, which are fused away, and how long each value lives. */
#include "cost/live.h"

/* ---- what shares, what fuses ------------------------------------------------------- */

bool op_shares(const mem_walk *w, const op *o)
{
	switch (o->kind) {
	case OP_CUSTOM_CALL: /* to the memory in which it already is */
		return op_places(o) && o->n_operands && o->n_results &&
		       lies_on_host(w, operand(o, 0)) == lies_on_host(w, &o->results[0]);
	case OP_RESHAPE:
	case OP_OPTIMIZATION_BARRIER:
	case OP_GET_TUPLE_ELEMENT:
	case OP_SDY_SHARDING_CONSTRAINT: return true;
	default: return false;
	}
}

/* Returns the operand of which the value is only another name; NULL: there is none. */
const value *renamed(const mem_walk *w, const value *v)
{
	const op *o = value_def(v);
	return o && op_shares(w, o) && (int)v->index < o->n_operands ? operand(o, (int)v->index)
	                                                           : NULL;
}

/* True if a loop passes on value i unchanged, so that it stays in its memory. */
static bool carries_unchanged(const mem_walk *w, const op *o, int i)
{
	const block *body = o->kind == OP_WHILE ? op_block(o, 1) : NULL;
	const op *end = body ? block_terminator(body) : NULL;
	if (!end || i >= end->n_operands)
		return false;
	const value *v = operand(end, i);
	while (renamed(w, v))
		v = renamed(w, v);
	return v == body->args[i];
}

/* True if the value is only copied to the host, into a value there that it updates. */
static bool goes_into_update(const mem_walk *w, const value *v)
{
	while (value_has_one_use(v)) {
		const op *o = v->uses->owner;
		if (o->kind == OP_DYNAMIC_UPDATE_SLICE)
			return v == operand(o, 1) && lies_on_host(w, &o->results[0]);
		if (o->kind != OP_RESHAPE && o->kind != OP_BROADCAST_IN_DIM)
			return false;
		v = &o->results[0];
	}
	return false;
}

/* True if a loop carries the value in the memory of the host and fills it there. */
static bool starts_on_host(const mem_walk *w, const value *v)
{
	const use *u = value_has_one_use(v) ? v->uses : NULL;
	return u && u->owner->kind == OP_WHILE && lies_on_host(w, result(u->owner, use_index(u))) &&
	       w->fusing->at[value_def(v)->id].fused;
}

/* Between host and device, a part is copied directly from or to its place in the whole. */
static bool moves_in_one(const mem_walk *w, const op *o)
{
	if (starts_on_host(w, &o->results[0]))
		return true;
	if (!lies_on_host(w, &o->results[0]))
		return false;
	return op_is_slice(o) ||
	       ((op_places(o) || o->kind == OP_BROADCAST_IN_DIM) &&
	        goes_into_update(w, &o->results[0]));
}

static bool is_made_by_readers(const mem_walk *w, const op *o)
{
	return w->fusing->at[o->id].fused && !w->fusing->at[o->id].stored;
}

/* True for results that every compiler that fuses lets their users compute: those of elementwise
 * operations that have one user, or read no more than they write. */
static bool is_made_by_any_reader(const mem_walk *w, const op *o)
{
	return w->careful && is_made_by_readers(w, o) && op_has(o, ELEMENTWISE | MOVES) &&
	       (value_has_one_use(&o->results[0]) || reads_little(o) || reads_one_no_larger(o));
}

bool op_is_virtual(const mem_walk *w, const op *o)
{
	if (o->n_results != 1 || fact_const(w, &o->results[0])->returned)
		return false;
	return moves_in_one(w, o) ||
	       (w->fused ? is_made_by_readers(w, o) : is_made_by_any_reader(w, o));
}

/* ---- live ranges of one block --------------------------------------------------------- */

/* Returns the operation of block b that is, or contains, o; NULL: it is elsewhere. */
static const op *op_within(const op *o, const block *b)
{
	while (o && o->parent != b)
		o = op_parent(o);
	return o;
}

static int last_use(const mem_walk *w, const value *v, const block *b)
{
	int last = -1;
	for (const use *u = v->uses; u; u = u->next) {
		const op *a = op_within(u->owner, b);
		if (a && w->pos[a->id] > last)
			last = w->pos[a->id];
	}
	return last;
}

/* Positions are those in block b; a value from outside lives as long as the op around b. */
static void extend(mem_walk *w, const value *v, const block *b, int to)
{
	value_fact *f = fact(w, v);
	if (f->root && f->last < to && value_block(v) == b)
		f->last = to;
}

int number_ops(mem_walk *w, const block *b)
{
	int n = 0;
	for (const op *o = b->first; o; o = o->next)
		w->pos[o->id] = n++;
	return n;
}

void find_ranges(mem_walk *w, const block *b)
{
	for (int i = 0; i < b->n_args; i++)
		*fact(w, b->args[i]) = (value_fact){.last = last_use(w, b->args[i], b),
		                                    .root = b->args[i],
		                                    .fixed = fact(w, b->args[i])->fixed};
	for (op *o = b->first; o; o = o->next)
		for (int i = 0; i < o->n_results; i++) {
			value *v = &o->results[i];
			bool share = (op_shares(w, o) || carries_unchanged(w, o, i)) &&
			             i < o->n_operands && fact(w, operand(o, i))->root;
			*fact(w, v) = (value_fact){.last = last_use(w, v, b),
			                           .root = share ? fact(w, operand(o, i))->root : v,
			                           .returned = fact(w, v)->returned,
			                           .donor = fact(w, v)->donor,
			                           .virtual = op_is_virtual(w, o)};
		}
	/* Backwards, so that the end of a life is passed along chains of renamed and fused
	 * values. */
	for (op *o = b->last; o; o = o->prev)
		for (int i = 0; i < o->n_results; i++) {
			const value_fact *f = fact(w, &o->results[i]);
			if (f->root != &o->results[i])
				extend(w, f->root, b, f->last);
			for (int k = 0; f->virtual && k < o->n_operands; k++)
				extend(w,
				       fact(w, operand(o, k))->root ? fact(w, operand(o, k))->root
				                                    : operand(o, k),
				       b, f->last);
		}
}
