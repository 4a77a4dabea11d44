/* again.c - a program that is propagated again and again, each time with other annotations.
 *
 * The graph and the rules of its nodes depend only on operations, so they are found once. An unused
 * op spreads what it has until it is erased, which only the first propagation of a program can do;
 * so there must be none. */
#include "propagate/walk.h"

/* A slot that holds a sharding, and the one at the start. */
typedef struct first_sharding {
	uint32_t slot;
	value *own; /* the value that has it as its own; NULL: it stands elsewhere */
	const sharding *s;
} first_sharding;

struct repeated_propagation {
	graph g;
	pass_options o;
	VEC(first_sharding) first;
	bool rules_left;        /* as attributes, where the options want it */
};

static first_sharding first_of(const graph *g, uint32_t slot)
{
	value *v = slot_value(g, slot);
	return (first_sharding){slot, v && value_has_own_sharding(v) ? v : NULL, slot_sharding(g, slot)};
}

repeated_propagation *repeated_new(module *m, const pass_options *o, arena *mem)
{
	repeated_propagation *k = NEW(mem, repeated_propagation);
	ASSERT(o->memo && !o->why && o->order != ORDER_CANONICAL);
	k->o = *o;
	if (!graph_build(&k->g, m, mem) || k->g.groups.len || graph_has_unused(&k->g))
		return NULL;
	for (uint32_t at = 1; at < k->g.n_slots; at++)
		if (slot_bears(&k->g, at))
			vec_push(mem, &k->first, first_of(&k->g, at));
	return k;
}

static uint64_t axes_key(const walk *w)
{
	uint64_t key = propagation_memo_number(w->memo, w->b);
	for (uint32_t s = 1; s < w->g.n_slots; s++)
		key = hash_mix(key, view_at(w->b, w->at[s])->axes_hash);
	return key;
}

uint64_t repeated_run(repeated_propagation *k)
{
	arena *mem = &k->g.m->ctx->scratch;
	walk *w = NEW(mem, walk);
	walk_again(w, &k->g, &k->o, mem);
	walk_run_user_priorities(w, &k->o);
	walk_finish(w);
	if (!k->rules_left)
		walk_leave_rules(w, &k->o);
	k->rules_left = true;
	return axes_key(w);
}

void repeated_reset(repeated_propagation *k)
{
	for (int i = 0; i < k->first.len; i++) {
		const first_sharding *f = &k->first.ptr[i];
		if (f->own)
			f->own->sharding = f->s;
		else
			slot_put_sharding(&k->g, f->slot, f->s);
	}
}
