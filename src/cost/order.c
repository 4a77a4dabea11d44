/* order.c - the order in which operations run on CPUs.
 *
 * XLA's compiler for CPUs has what could run first run first, so that much can run at once: an
 * operation queues up when the last of its operands is there; of those who wait for one value, in
 * the order of the program.  What runs within others, or only renames, does not queue up.  What
 * ends the block is last. */
#include "cost/cluster.h"
#include "cost/memory.h"

#include <stdlib.h>

typedef struct waiting {
	int place; /* in the program */
	const op *o;
} waiting;

typedef struct breadth_walk {
	const block *b;
	op_test passes;
	const void *of;
	arena *mem;
	const int *pos;
	int *missing; /* [n_ops]: operands that are not there yet */
	VEC(waiting) users;
	VEC(const op *) passing;
	const op **queue, **order;
	int queued, taken, n;
} breadth_walk;

const op *op_within(const op *o, const block *b)
{
	while (o && o->parent != b)
		o = op_parent(o);
	return o;
}

static int in_program_order(const void *a, const void *b)
{
	const waiting *x = a, *y = b;
	return (x->place > y->place) - (x->place < y->place);
}

static void count_users(breadth_walk *w, const value *v)
{
	for (const use *u = v->uses; u; u = u->next) {
		const op *o = op_within(u->owner, w->b);
		if (o)
			w->missing[o->id]++;
	}
}

/* An operation that has all its operands. */
static void queue_up(breadth_walk *w, const op *o)
{
	if (op_has(o, TERMINATOR))
		return;
	if (w->passes(w->of, o))
		vec_push(w->mem, &w->passing, o);
	else
		w->queue[w->queued++] = o;
}

static void value_is_there(breadth_walk *w, const value *v)
{
	w->users.len = 0;
	for (const use *u = v->uses; u; u = u->next) {
		const op *o = op_within(u->owner, w->b);
		if (o)
			vec_push(w->mem, &w->users, (waiting){w->pos[o->id], o});
	}
	if (w->users.len > 1)
		qsort(w->users.ptr, (size_t)w->users.len, sizeof *w->users.ptr, in_program_order);
	for (int i = 0; i < w->users.len; i++)
		if (--w->missing[w->users.ptr[i].o->id] == 0)
			queue_up(w, w->users.ptr[i].o);
}

static void run_op(breadth_walk *w, const op *o)
{
	w->order[w->n++] = o;
	for (int i = 0; i < (int)o->n_results; i++)
		value_is_there(w, &o->results[i]);
}

static void run_passing(breadth_walk *w)
{
	while (w->passing.len)
		run_op(w, w->passing.ptr[--w->passing.len]);
}

const op **ops_breadth_first(const block *b, op_test passes, const void *of, const int *pos,
                             int *missing, arena *mem)
{
	breadth_walk w = {
		.b = b, .passes = passes, .of = of, .mem = mem, .pos = pos, .missing = missing};
	int n = pos[b->last->id] + 1;
	w.queue = NEW_N(mem, const op *, n);
	w.order = NEW_N(mem, const op *, n);
	for (int i = 0; i < b->n_args; i++)
		count_users(&w, b->args[i]);
	for (const op *o = b->first; o; o = o->next)
		for (int i = 0; i < (int)o->n_results; i++)
			count_users(&w, &o->results[i]);
	for (const op *o = b->first; o; o = o->next)
		if (!w.missing[o->id])
			queue_up(&w, o);
	for (int i = 0; i < b->n_args; i++)
		value_is_there(&w, b->args[i]);
	run_passing(&w);
	while (w.taken < w.queued) {
		run_op(&w, w.queue[w.taken++]);
		run_passing(&w);
	}
	w.order[w.n++] = b->last;
	ASSERT(w.n == n);
	return w.order;
}
