/* visits.c - the outcomes of visits, each computed once.
 *
 * What a visit gives the tensors of a node follows from the node's rule, their shardings, the
 * strategy and the allowed directions. Programs repeat themselves: their layers have the same ops
 * on the same shapes, with the same shardings. So most visits have the outcome of an earlier one.
 * A rule that nodes share (rules.c) stands for itself in the key; a node with a rule of its own is
 * computed each time. So are all nodes while a trail or a debug log needs the cells of the
 * projection. */
#include "propagate/walk.h"

typedef struct outcome_key {
	const sharding_rule *rule;
	uint32_t how; /* the strategy, the directions, and what else a projection depends on */
	int n_tensors;
	const view_no *views;
} outcome_key;

struct known_outcome {
	outcome result;
	outcome_key from;
	view_no views[]; /* those of `result`, then those of `from` */
};

static bool follows_from(const void *obj, const void *key)
{
	const outcome_key *a = &((const known_outcome *)obj)->from, *b = key;
	return a->rule == b->rule && a->how == b->how &&
	       memcmp(a->views, b->views, sizeof *a->views * (size_t)a->n_tensors) == 0;
}

static uint64_t outcome_hash(const outcome_key *k)
{
	uint64_t h = hash_mix((uintptr_t)k->rule, k->how);
	for (int t = 0; t < k->n_tensors; t++)
		h = hash_mix(h, k->views[t]);
	return h;
}

static void set_directions(projection *p, uint8_t directions)
{
	const sharding_rule *r = p->rule;
	const factor_set *others[] = {&r->reduction, &r->need_replication, &r->permutation};
	memset(p->direction, directions & DIR_BOTH, (size_t)p->n_factors);
	for (int s = 0; s < COUNT(others); s++)
		for (int i = 0; i < others[s]->n; i++)
			p->direction[others[s]->factors[i]] = directions >> 2;
	for (int i = 0; i < r->blocked.n; i++)
		p->direction[r->blocked.factors[i]] = DIR_NONE;
}

bool walk_project(walk *w, const node *n, uint8_t directions)
{
	projection *p = &w->p;
	p->rule = n->rule;
	p->views = w->views;
	p->elementwise = n->elementwise;
	p->conservative = node_is_conservative(w, n);
	if (!projection_load(p))
		return false;
	set_directions(p, directions);
	return true;
}

bool walk_spread(walk *w)
{
	return w->strategy == RUN_BASIC ? factors_spread_basic(&w->p)
	                                : factors_spread_aggressive(&w->p);
}

/* Tensors that get no other sharding, or one that says as little as none, are not updated. */
static void store_updates(walk *w, int n_tensors, outcome *out, view_no *now)
{
	for (int t = 0; t < n_tensors; t++) {
		view_no old = w->views[t], new = w->p.updated[t] ? projection_store(&w->p, t) : old;
		w->p.updated[t] = new != old && (old || !view_at(w->b, new)->empty_axes);
		now[t] = w->p.updated[t] ? new : 0;
		if (now[t])
			out->now = now;
	}
}

static outcome find_outcome(walk *w, const node *n, uint8_t directions, view_no *now)
{
	outcome out = {.settled = !walk_project(w, n, directions)};
	if (!out.settled && walk_spread(w))
		store_updates(w, node_n_tensors(&w->g, n), &out, now);
	return out;
}

/* The outcome that is not kept: its memory is used again. */
static known_outcome *passing_outcome(walk *w, int n_tensors)
{
	if (!w->passing || n_tensors > w->room_passing) {
		w->room_passing = 2 * n_tensors;
		w->passing = arena_alloc(w->mem, sizeof *w->passing +
		                         sizeof *w->passing->views * (size_t)w->room_passing);
	}
	return w->passing;
}

static known_outcome *outcome_new(walk *w, outcome_key key, uint64_t hash)
{
	arena *mem = w->memo->mem;
	size_t n = (size_t)key.n_tensors;
	known_outcome *k = arena_alloc(mem, sizeof *k + 2 * sizeof *k->views * n);
	k->from = key;
	k->from.views = memcpy(k->views + n, key.views, sizeof *k->views * n);
	cons_add(w->outcomes, mem, hash, k);
	return k;
}

const outcome *walk_outcome(walk *w, const node *n, uint8_t directions)
{
	bool keep = n->shares_rule && !w->why && !w->debug;
	outcome_key key = {.rule = n->rule, .n_tensors = node_n_tensors(&w->g, n), .views = w->views,
	                   .how = (uint32_t)directions << 8 | (uint32_t)w->strategy << 2 |
	                          (uint32_t)n->elementwise << 1 | node_is_conservative(w, n)};
	uint64_t hash = keep ? outcome_hash(&key) : 0;
	known_outcome *k = keep ? cons_find(w->outcomes, hash, follows_from, &key) : NULL;
	if (k)
		return &k->result;
	k = keep ? outcome_new(w, key, hash) : passing_outcome(w, key.n_tensors);
	k->result = find_outcome(w, n, directions, k->views);
	return &k->result;
}
