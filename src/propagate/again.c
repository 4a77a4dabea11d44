/* again.c - a program that is propagated again and again, each time with other annotations.
 *
 * The graph and the rules of its nodes depend only on operations, so they are found once. An unused
 * op spreads what it has until it is erased, which only the first propagation of a program can do;
 * so there must be none. */
#include "propagate/walk.h"

struct repeated_propagation {
	graph g;
	pass_options o;
	const sharding **first; /* [n_slots]: the shardings at the start */
	bool rules_left;        /* as attributes, where the options want it */
};

repeated_propagation *repeated_new(module *m, const pass_options *o, arena *mem)
{
	repeated_propagation *k = NEW(mem, repeated_propagation);
	walk w;
	ASSERT(o->memo && !o->why && o->order != ORDER_CANONICAL);
	k->o = *o;
	if (!graph_build(&k->g, m, mem) || k->g.groups.len)
		return NULL;
	walk_again(&w, &k->g, o, &m->ctx->scratch);
	if (walk_has_unused(&w))
		return NULL;
	k->first = NEW_N(mem, const sharding *, k->g.n_slots);
	for (uint32_t s = 1; s < k->g.n_slots; s++)
		k->first[s] = slot_bears(&k->g, s) ? slot_sharding(&k->g, s) : NULL;
	return k;
}

void repeated_run(repeated_propagation *k)
{
	arena *mem = &k->g.m->ctx->scratch;
	walk *w = NEW(mem, walk);
	walk_again(w, &k->g, &k->o, mem);
	walk_run_user_priorities(w, &k->o);
	walk_finish(w);
	if (!k->rules_left)
		walk_leave_rules(w, &k->o);
	k->rules_left = true;
}

void repeated_reset(repeated_propagation *k)
{
	for (uint32_t s = 1; s < k->g.n_slots; s++)
		if (slot_bears(&k->g, s))
			slot_put_sharding(&k->g, s, k->first[s]);
}
