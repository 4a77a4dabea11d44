/* rewrite.c - local rewriting to a fixed point. */
#include "op/rewrite.h"

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

/* A block is numbered when an op of it is first asked about, and again when a new
 * one is; erasing keeps the order. */
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

void rewrite_push(rewriter *r, op *o)
{
	int *position = position_of(r, o);
	if (*position)
		return;
	vec_push(r->mem, &r->stack, o);
	*position = r->stack.len;
}

static op *rewrite_pop(rewriter *r)
{
	while (r->stack.len) {
		op *o = r->stack.ptr[--r->stack.len];
		if (o) {
			*position_of(r, o) = 0;
			return o;
		}
	}
	return NULL;
}

/* `o` and what is inside of it will never pop. */
static void forget(rewriter *r, op *o)
{
	for (op *i = o; i; i = op_next(i, o)) {
		int *position = position_of(r, i);
		if (*position)
			r->stack.ptr[*position - 1] = NULL;
		*position = 0;
	}
}

void rewrite_erase(rewriter *r, op *o)
{
	/* What only the inside of an op used may be unused then as well. */
	for (op *in = o; in; in = op_next(in, o))
		for (int i = 0; i < in->n_operands; i++)
			if (operand(in, i)->def)
				rewrite_push(r, operand(in, i)->def);
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

void rewrite_module(module *m, rewrite_fn *fn)
{
	rewriter r = {.m = m, .mem = &m->ctx->scratch};
	/* Filled from the end in pre-order: the first pops first. */
	int n = (int)m->n_ops, at = n;
	vec_reserve(r.mem, &r.stack, n);
	vec_reserve(r.mem, &r.position, n);
	memset(r.position.ptr, 0, sizeof *r.position.ptr * (size_t)n);
	r.position.len = n;
	for (op *o = op_next(m->top, m->top); o; o = op_next(o, m->top)) {
		r.stack.ptr[--at] = o;
		r.position.ptr[o->id] = at + 1;
	}
	memset(r.stack.ptr, 0, sizeof *r.stack.ptr * (size_t)at);
	r.stack.len = n;
	for (op *o; (o = rewrite_pop(&r));) {
		if (is_dead(o))
			rewrite_erase(&r, o);
		else
			fn(&r, o);
	}
}
