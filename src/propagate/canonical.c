/* canonical.c - propagation whose result does not depend on the order of the program's text.
 *
 * In Shardy's order the first op that offers a sharding wins, so swapping two independent ops
 * changes the result, and some ops that a change concerns are not woken. Here propagation goes in
 * steps. In a step every waiting op reads the shardings as they were when the step started, and
 * makes offers of new ones for its tensors. Only then each tensor takes one of its offers, and
 * wakes all ops that this concerns.
 *
 * Which offer a tensor takes depends only on what the offers say. The one wins that is made by ops
 * with the most elements; then the one with more shards; then the one that shards earlier
 * dimensions more, by axes that come earlier in the mesh. An offer that was not taken is made again
 * in the next step, from the new shardings, if there is still room for it.
 *
 * Every accepted offer adds axes to a tensor, so the steps come to an end. An op is visited once
 * for each change next to it, so the cost is linear in what is propagated. */
#include "propagate/walk.h"

#include <stdlib.h>

typedef struct offer {
	uint32_t key; /* the slot, or the group of a member of a sharding group */
	uint32_t slot, node;
	view_no view;
	int64_t weight; /* elements of the op's tensors */
} offer;

typedef struct offers {
	walk *w;
	VEC(offer) all;
	VEC(uint32_t) waiting, next; /* nodes */
} offers;

/* ---- comparing offers ----------------------------------------------------------------------- */

static int order_of_parts(const book *b, part_no x, part_no y)
{
	const axis_part *p = part_at(b, x), *q = part_at(b, y);
	return p->mesh == q->mesh ? axis_cmp_mesh(p->ref, q->ref, p->mesh)
	                          : axis_cmp(p->ref, q->ref);
}

static int order_of_lists(const book *b, list_no x, list_no y)
{
	const part_list *p = list_at(b, x), *q = list_at(b, y);
	if (p->size != q->size)
		return p->size > q->size ? -1 : 1;
	for (int i = 0; i < p->n && i < q->n; i++) {
		int c = order_of_parts(b, p->parts[i], q->parts[i]);
		if (c)
			return c;
	}
	return q->n - p->n;
}

static double count_shards(const book *b, const view *v)
{
	double n = 1;
	for (int d = 0; d < v->rank; d++)
		n *= (double)list_at(b, v->dims[d].list)->size;
	return n;
}

/* Negative if `x` is better. */
static int order_of_views(const book *b, view_no x, view_no y)
{
	if (x == y)
		return 0;
	const view *v = view_at(b, x), *u = view_at(b, y);
	double m = count_shards(b, v), n = count_shards(b, u);
	if (m != n)
		return m > n ? -1 : 1;
	for (int d = 0; d < v->rank && d < u->rank; d++) {
		int c = order_of_lists(b, v->dims[d].list, u->dims[d].list);
		if (!c && v->dims[d].open != u->dims[d].open)
			c = v->dims[d].open ? -1 : 1;
		if (c)
			return c;
	}
	return 0;
}

/* Sorts offers for one tensor together, and among them those that say the same. */
static int compare_offers(const void *a, const void *b)
{
	const offer *x = a, *y = b;
	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	if (x->view != y->view)
		return x->view < y->view ? -1 : 1;
	return (x->node > y->node) - (x->node < y->node);
}

/* ---- a step ---------------------------------------------------------------------------------- */

static uint32_t offer_key(const walk *w, uint32_t slot)
{
	uint32_t group = w->g.group_at ? w->g.group_at[slot] : 0;
	return group ? group | UINT32_C(1) << 31 : slot;
}

static int64_t elements_around(const walk *w, const node *n)
{
	int64_t sum = 0;
	for (int t = 0; t < node_n_tensors(&w->g, n); t++) {
		const value *v = slot_value(&w->g, node_slot(&w->g, n, t));
		int64_t size = 1;
		for (int d = 0; v && type_is_tensor(v->type) && d < v->type->rank; d++)
			if (!mul_ok(size, max_i64(v->type->dims[d], 1), &size))
				size = INT32_MAX;
		sum += size < INT32_MAX ? size : INT32_MAX;
	}
	return sum;
}

static void make_offers(offers *o, uint32_t n)
{
	walk *w = o->w;
	const node *nd = &w->g.nodes[n];
	if (!walk_look(w, n))
		return;
	int64_t weight = elements_around(w, nd);
	for (int t = 0; t < node_n_tensors(&w->g, nd); t++) {
		uint32_t slot = node_slot(&w->g, nd, t);
		view_no v = walk_offer(w, n, t);
		if (v)
			vec_push(w->mem, &o->all,
			         (offer){offer_key(w, slot), slot, n, v, weight});
	}
}

static void wait_for_step(offers *o, uint32_t n)
{
	node *nd = &o->w->g.nodes[n];
	if (nd->waiting || nd->erased || nd->class == NODE_INERT)
		return;
	nd->waiting = true;
	vec_push(o->w->mem, &o->next, n);
}

static void change_slot(offers *o, uint32_t slot, view_no v)
{
	walk *w = o->w;
	walk_set(w, slot, v);
	for (const uint32_t *at = wakes_begin(&w->g, slot); at; at = wakes_next(at))
		wait_for_step(o, *at & WAKE_NODE);
}

static void change_group(offers *o, const offer *x)
{
	walk *w = o->w;
	for (uint32_t at = w->g.group_at[x->slot]; w->g.wakes.ptr[at] != GROUP_END; at++) {
		uint32_t bearer = bearer_slot(slot_value(&w->g, w->g.wakes.ptr[at]));
		if (bearer == SLOT_NONE || bearer == x->slot || w->at[bearer] == x->view)
			continue;
		change_slot(o, bearer, x->view);
		if (w->why)
			trail_add_group(w, x->slot, bearer, x->view);
	}
}

/* The best of the offers [from, to), all of which are for one tensor. */
static int choose_offer(const offers *o, int from, int to)
{
	int best = from;
	int64_t most = -1;
	for (int i = from, j; i < to; i = j) {
		int64_t sum = 0;
		for (j = i; j < to && o->all.ptr[j].view == o->all.ptr[i].view; j++)
			if (__builtin_add_overflow(sum, o->all.ptr[j].weight, &sum))
				sum = INT64_MAX;
		bool better = sum == most && order_of_views(o->w->b, o->all.ptr[i].view,
		                                           o->all.ptr[best].view) < 0;
		if (sum > most || better) {
			most = sum;
			best = i;
		}
	}
	return best;
}

/* Takes the best offer for each tensor, moves these to the front, and returns their number. */
static int choose_offers(offers *o)
{
	int n = 0;
	if (o->all.len)
		qsort(o->all.ptr, (size_t)o->all.len, sizeof *o->all.ptr, compare_offers);
	for (int i = 0, j; i < o->all.len; i = j) {
		for (j = i; j < o->all.len && o->all.ptr[j].key == o->all.ptr[i].key; j++)
			;
		o->all.ptr[n++] = o->all.ptr[choose_offer(o, i, j)];
	}
	return n;
}

static void take_step(offers *o)
{
	walk *w = o->w;
	o->all.len = o->next.len = 0;
	for (int i = 0; i < o->waiting.len; i++) {
		w->g.nodes[o->waiting.ptr[i]].waiting = false;
		make_offers(o, o->waiting.ptr[i]);
	}
	int n = choose_offers(o);
	/* Reasons are found from the shardings before the change. */
	for (int i = 0; i < n && (w->why || w->debug); i++)
		walk_record(w, o->all.ptr[i].node, o->all.ptr[i].slot, o->all.ptr[i].view);
	for (int i = 0; i < n; i++) {
		change_slot(o, o->all.ptr[i].slot, o->all.ptr[i].view);
		if (w->g.group_at && w->g.group_at[o->all.ptr[i].slot])
			change_group(o, &o->all.ptr[i]);
	}
}

void walk_run_canonical(walk *w)
{
	offers o = {.w = w};
	for (uint32_t n = 0; n < w->g.n_nodes; n++)
		wait_for_step(&o, n);
	while (o.next.len) {
		vec_reserve(w->mem, &o.waiting, o.next.len);
		memcpy(o.waiting.ptr, o.next.ptr, sizeof *o.next.ptr * (size_t)o.next.len);
		o.waiting.len = o.next.len;
		take_step(&o);
	}
}
