/* rewrite.c - local rewriting to a fixed point.
 *
 * A sweep imitates MLIR's greedy driver: all ops are on a stack, so that they pop in pre-order, and
 * changed ops are pushed on top. Ops that have not popped yet are not really on the stack: they are
 * those from r->next on. Source of the order: GreedyPatternRewriteDriver.cpp. */
#include "op/simplify/rewrite.h"

static int *position_of(rewriter *r, const op *o)
{
	while (r->position.len <= (int)o->id)
		vec_push(r->mem, &r->position, 0);
	return &r->position.ptr[o->id];
}

static int *order_of(rewriter *r, const op *o)
{
	while (r->order.len <= (int)o->id)
		vec_push(r->mem, &r->order, 0);
	return &r->order.ptr[o->id];
}

/* A block is numbered when one of its ops is first asked about, and again when a new one is;
 * erasing keeps the order. */
bool rewrite_stands_before(rewriter *r, const op *a, const op *b)
{
	if (a->parent != b->parent)
		return false;
	if (!*order_of(r, a) || !*order_of(r, b)) {
		int n = 0;
		for (const op *o = a->parent->first; o; o = o->next)
			*order_of(r, o) = ++n;
	}
	return *order_of(r, a) < *order_of(r, b);
}

enum { FIRST_TURN = -1 }; /* a position: the op has not popped yet */

void rewrite_push(rewriter *r, op *o)
{
	int *position = position_of(r, o);
	if (*position)
		return;
	vec_push(r->mem, &r->stack, o);
	*position = r->stack.len;
}

/* Returns NULL at the end of the sweep. */
static op *rewrite_pop(rewriter *r)
{
	while (r->stack.len) {
		op *o = r->stack.ptr[--r->stack.len];
		if (o) {
			*position_of(r, o) = 0;
			return o;
		}
	}
	op *o = r->next;
	if (o) {
		*position_of(r, o) = 0;
		r->next = op_next(o, r->m->top);
	}
	return o;
}

/* Makes sure that `o` and the ops inside it never pop. */
static void forget(rewriter *r, op *o)
{
	bool next = false;
	for (op *i = o; i; i = op_next(i, o)) {
		int *position = position_of(r, i);
		if (*position > 0)
			r->stack.ptr[*position - 1] = NULL;
		*position = 0;
		next = next || i == r->next;
	}
	if (next)
		r->next = op_skip(o, r->m->top);
}

static bool has_patterns(const op *o)
{
	return op_has(o, COLLECTIVE) || o->kind == OP_SDY_RESHARD ||
	       op_is_manual(o);
}

void rewrite_erase(rewriter *r, op *o)
{
	/* Ops that only the inside of an op used may be unused now, too. */
	for (op *in = o; in; in = op_next(in, o))
		for (int i = 0; i < in->n_operands; i++) {
			op *def = value_def(operand(in, i));
			if (!def)
				continue;
			rewrite_push(r, def);
			/* This use may have kept another user from being rewritten. */
			r->again |= has_patterns(def) && !value_has_one_use(operand(in, i));
		}
	/* The op around it may be pure now, and unused. */
	const op *around = op_parent(o);
	r->again |= around && !op_is_func(around) && !op_is_dead_if_unused(o);
	forget(r, o);
	op_erase(o);
}

void rewrite_replace(rewriter *r, op *o, value *by)
{
	for (use *u = result(o, 0)->uses; u; u = u->next)
		rewrite_push(r, u->owner);
	value_replace_uses(result(o, 0), by);
	rewrite_erase(r, o);
}

static bool is_dead(const op *o)
{
	for (int i = 0; i < o->n_results; i++)
		if (!value_unused(result(o, i)))
			return false;
	return o->n_results && op_is_dead_if_unused(o);
}

/* Offers every op once, and then those that change meanwhile. */
static void sweep_module(rewriter *r, rewrite_fn *fn)
{
	int n = (int)r->m->n_ops;
	vec_reserve(r->mem, &r->position, n);
	for (int i = 0; i < n; i++)
		r->position.ptr[i] = FIRST_TURN;
	r->position.len = n;
	r->again = false;
	r->next = op_next(r->m->top, r->m->top);
	for (op *o; (o = rewrite_pop(r));) {
		if (is_dead(o))
			rewrite_erase(r, o);
		else
			fn(r, o);
	}
}

void rewrite_module(module *m, rewrite_fn *fn)
{
	enum { MAX_SWEEPS = 10 }; /* MLIR's limit */
	rewriter r = {.m = m, .mem = &m->ctx->scratch};
	sweep_module(&r, fn);
	for (int i = 1; i < MAX_SWEEPS && r.again; i++)
		sweep_module(&r, fn);
}
