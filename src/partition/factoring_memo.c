/* factoring_memo.c - recalls decisions made before.
 *
 * A program has few different ops, because layers repeat. factoring_decide() looks at an op with
 * its attributes and types, the spreads in which its operands are available, and those wanted for
 * its results. Ops that agree in all of this get the same decision. Ops with regions are not
 * remembered, because their decision also depends on the regions; an exception is reduce, whose
 * body only matters through its monoid. */
#include "partition/local.h"

typedef struct known_decision {
	const op *outline; /* as in the key */
	const device_order *order;
	double cost;
	digits *shard;
	const spread **decided;
	int n_facts;
	uint32_t facts[];
} known_decision;

static void put_fact(decision_key *k, uint32_t fact)
{
	ASSERT(k->facts.len < k->facts.cap);
	k->facts.ptr[k->facts.len++] = fact;
}

static void put_pointer_fact(decision_key *k, const void *p)
{
	put_fact(k, (uint32_t)(uintptr_t)p);
	put_fact(k, (uint32_t)((uint64_t)(uintptr_t)p >> 32));
}

static void put_spread_fact(decision_key *k, const spread *s) { put_fact(k, s ? s->id : 0); }

static void put_operand_facts(factoring *f, decision_key *k, const value *v)
{
	const global_facts *g = &f->e->facts[v->id];
	const spread *sure[2];
	put_spread_fact(k, g->home);
	for (const stand_in *s = g->copies; s; s = s->older)
		put_spread_fact(k, s->as);
	put_spread_fact(k, NULL);
	for (int n = fact_sure(f->e, v, sure); n-- > 0;)
		put_spread_fact(k, sure[n]);
	put_spread_fact(k, NULL);
	bool might_remake = f->e->remaking->might(f->e, v);
	put_fact(k, (uint32_t)fact_sharers(f->e, v, f->o) << 3 | (uint32_t)might_remake << 2 |
	                    (uint32_t)made_anywhere(f->e, v) << 1 |
	                    (g->invariant != NULL));
}

static void put_result_facts(factoring *f, decision_key *k, const value *v)
{
	const spread *pending;
	sum_hope hope = sum_outlook(f->e, v, &pending);
	put_spread_fact(k, fact_goal(f->e, v));
	put_spread_fact(k, pending);
	put_fact(k, (uint32_t)hope << 1 | value_unused(v));
}

/* Facts of an op that its rule does not identify. */
static void put_outline_facts(factoring *f, decision_key *k, const op *o)
{
	uint32_t may = 0;
	factoring_ask(f);
	k->outline = o;
	k->hash = hash_mix(k->hash, op_outline_hash(o));
	put_pointer_fact(k, op_name(o));
	for (int i = 0; i < f->rule->n_factors; i++) {
		may = may << 1 | f->may[i];
		if (i % 32 == 31 || i == f->rule->n_factors - 1)
			put_fact(k, may);
	}
}

static int most_facts(const factoring *f)
{
	int n = 7 + f->rule->n_factors / 32 + 3 * f->o->n_results;
	for (int i = 0; i < f->o->n_operands; i++) {
		n += 6;
		for (const stand_in *s = f->e->facts[operand(f->o, i)->id].copies; s; s = s->older)
			n++;
	}
	return n;
}

static void make_key(factoring *f, decision_key *k)
{
	const op *o = f->o;
	*k = (decision_key){.mem = f->e->mem, .hash = o->kind};
	if (op_n_regions(o) && o->kind != OP_REDUCE)
		return;
	vec_reserve(f->e->mem, &k->facts, most_facts(f));
	put_fact(k, (uint32_t)f->combine);
	put_spread_fact(k, f->e->terms.along);
	put_fact(k, f->e->terms.operands);
	if (f->rule == f->e->rule && op_rule_follows_from_outline(o))
		put_pointer_fact(k, f->rule);
	else
		put_outline_facts(f, k, o);
	for (int i = 0; i < o->n_operands; i++)
		put_operand_facts(f, k, operand(o, i));
	for (int i = 0; i < o->n_results; i++)
		put_result_facts(f, k, result(o, i));
	k->hash = hash_bytes(k->facts.ptr, sizeof *k->facts.ptr * (size_t)k->facts.len, k->hash);
}

static bool same_facts(const void *obj, const void *key)
{
	const known_decision *d = obj;
	const decision_key *k = key;
	if (d->n_facts != k->facts.len || !d->outline != !k->outline ||
	    memcmp(d->facts, k->facts.ptr, sizeof *d->facts * (size_t)d->n_facts) != 0)
		return false;
	if (!d->outline)
		return true;
	op_outline of = op_outline_of(k->mem, d->outline);
	return op_has_outline(k->outline, &of);
}

bool decision_recall(factoring *f, decision_key *key)
{
	make_key(f, key);
	const known_decision *d = key->facts.len ? cons_find(&f->e->decisions, key->hash,
	                                                     same_facts, key)
	                                         : NULL;
	if (!d)
		return false;
	memcpy(f->shard, d->shard, sizeof *f->shard * (size_t)f->rule->n_factors);
	f->order = d->order;
	f->cost = d->cost;
	f->decided = d->decided;
	return true;
}

void decision_remember(const factoring *f, const decision_key *key)
{
	arena *keep = f->e->keep;
	if (!key->facts.len)
		return;
	size_t facts = sizeof *key->facts.ptr * (size_t)key->facts.len;
	known_decision *d = arena_alloc(keep, sizeof *d + facts);
	*d = (known_decision){.outline = key->outline,
	                      .order = f->order,
	                      .cost = f->cost,
	                      .shard = COPY_N(keep, f->shard, f->rule->n_factors),
	                      .decided = f->decided,
	                      .n_facts = key->facts.len};
	memcpy(d->facts, key->facts.ptr, facts);
	for (int i = 0; i < f->rule->n_factors; i++)
		if (d->shard[i].n)
			d->shard[i].at = COPY_N(keep, d->shard[i].at, d->shard[i].n);
	cons_add(&f->e->decisions, keep, key->hash, d);
}
