/* why_not.c - why a value is not sharded further.
 *
 * Propagation keeps no record of what it did not do, which would be most of its work. The reasons
 * follow from its final state. For each op of which the value is a tensor, and for each factor of
 * the dimension in question, find a neighbor that has more axes there. The functions that refused
 * them during propagation then say why. */
#include "propagate/walk.h"

typedef struct search {
	walk *w;
	int dim;
	VEC(obstacle) found;
} search;

static void add_obstacle(search *s, const node *n, int neighbour, obstacle o)
{
	uint32_t slot = node_slot(&s->w->g, n, neighbour);
	o.op = n->op;
	o.from = slot_value(&s->w->g, slot);
	o.result = o.from ? 0 : slot_result(&s->w->g, slot);
	vec_push(s->w->mem, &s->found, o);
}

/* Nothing passes through the op at all. One neighbor with axes stands for all. */
static void add_closed_door(search *s, const node *n, int tensor, refusal why)
{
	for (int t = 0; t < node_n_tensors(&s->w->g, n); t++) {
		const view *v = view_at(s->w->b, s->w->views[t]);
		if (t == tensor || !v->mask)
			continue;
		add_obstacle(
			s, n, t,
			(obstacle){why, .dim = -1, .factor = -1, .from_dim = -1, .used_by = -1});
		return;
	}
}

static int dim_with_factor(const tensor_factors *t, int factor)
{
	for (int d = 0; d < t->rank; d++)
		for (int i = 0; i < t->dims[d].n; i++)
			if (t->dims[d].factors[i] == factor)
				return d;
	return -1;
}

/* The tensor with the most axes along the factor, other than those that `tensor` has; -1: none. */
static int richest_neighbour(const projection *p, int tensor, int factor)
{
	const cell *own = cell_at(p, tensor, factor);
	int best = -1, most = 0;
	for (int t = 0; t < p->n_tensors; t++) {
		const cell *c = cell_at(p, t, factor);
		bool more = c->present && c->list && c->list != own->list &&
		            !list_strict_prefix(p->b, c->list, own->list);
		if (t != tensor && more && list_at(p->b, c->list)->n > most) {
			most = list_at(p->b, c->list)->n;
			best = t;
		}
	}
	return best;
}

static bool limited_by_result(const projection *p, int tensor, int factor)
{
	if (!p->elementwise || tensor >= p->n_operands)
		return false;
	for (int t = p->n_operands; t < p->n_tensors; t++)
		if (cell_at(p, t, factor)->list == cell_at(p, tensor, factor)->list)
			return true;
	return false;
}

static refusal reason(projection *p, int tensor, int factor, int neighbour, int *other)
{
	const cell *own = cell_at(p, tensor, factor);
	list_no theirs = cell_at(p, neighbour, factor)->list;
	if (!list_strict_prefix(p->b, own->list, theirs))
		return REFUSED_CONFLICT;
	if (!own->present)
		return REFUSED_STRIDE;
	refusal why = factors_refusal(p, tensor, factor, theirs, other);
	if (why != REFUSED_NOT)
		return why;
	if (p->direction[factor] != DIR_BOTH)
		return REFUSED_DIRECTION;
	if (!list_strict_prefix(p->b, own->list, factors_compatible(p, factor)))
		return REFUSED_CONFLICT;
	return limited_by_result(p, tensor, factor) ? REFUSED_RESULT : REFUSED_STRIDE;
}

static void ask_factor(search *s, const node *n, int tensor, int dim, int factor)
{
	projection *p = &s->w->p;
	int neighbour = richest_neighbour(p, tensor, factor), other = -1;
	if (neighbour < 0)
		return;
	refusal why = reason(p, tensor, factor, neighbour, &other);
	bool used = why == REFUSED_USED;
	add_obstacle(
		s, n, neighbour,
		(obstacle){.why = why,
	                   .dim = dim,
	                   .factor = factor,
	                   .from_dim = dim_with_factor(&p->rule->tensors[neighbour], factor),
	                   .axes = book_axes(p->b, cell_at(p, neighbour, factor)->list, p->mem),
	                   .used_by = used ? dim_with_factor(&p->rule->tensors[tensor], other)
	                                   : -1});
}

static void ask_tensor(search *s, node *n, int tensor)
{
	walk *w = s->w;
	refusal why = walk_read(w, n);
	if (why == REFUSED_RULE)
		return; /* no axis anywhere */
	if (why != REFUSED_NOT) {
		add_closed_door(s, n, tensor, why);
		return;
	}
	if (!walk_find_rule(w, n) || !walk_project(w, n, walk_directions(w, n))) {
		if (!n->rule)
			add_closed_door(s, n, tensor, REFUSED_RULE);
		return;
	}
	const tensor_factors *t = &w->p.rule->tensors[tensor];
	for (int d = 0; d < t->rank; d++)
		for (int i = 0; (s->dim < 0 || d == s->dim) && i < t->dims[d].n; i++)
			ask_factor(s, n, tensor, d, t->dims[d].factors[i]);
}

static void ask_node(search *s, node *n, uint32_t slot)
{
	for (int t = 0; t < node_n_tensors(&s->w->g, n); t++)
		if (!n->erased && node_slot(&s->w->g, n, t) == slot) {
			ask_tensor(s, n, t);
			return;
		}
}

int trail_obstacles(trail *t, const value *v, int dim, obstacle **out)
{
	walk *w = trail_walk(t);
	search s = {.w = w, .dim = dim};
	uint32_t slot = trail_slot(t, v), last = WAKE_NODE;
	w->round = -1;
	if (slot != SLOT_NONE)
		for (const uint32_t *at = wakes_begin(&w->g, slot); at; at = wakes_next(at)) {
			uint32_t n = *at & WAKE_NODE;
			if (n != last)
				ask_node(&s, &w->g.nodes[n], slot);
			last = n;
		}
	*out = s.found.ptr;
	return s.found.len;
}
