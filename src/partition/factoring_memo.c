/* factoring_memo.c - decisions that were made before.
 *
 * A program has few different operations: layers repeat.  What factoring_decide() looks at
 * is the operation with its attributes and types, the spreads that its operands are at
 * hand in, and those wanted for its results; two operations that agree in all of this
 * get the same decision.  Operations with regions are left out, for what is in there
 * decides, too; but a reduction's body matters only through what it combines by. */
#include "partition/local.h"

typedef struct known_decision {
	const op *outline; /* as in the key */
	int n_facts;
	const uint64_t *facts;
	digits *shard;
	const device_order *order;
	double cost;
	const spread **decided;
} known_decision;

static void put_fact(factoring *f, decision_key *k, uint64_t fact)
{
	vec_push(f->e->mem, &k->facts, fact);
}

static void put_pointer_fact(factoring *f, decision_key *k, const void *p)
{
	put_fact(f, k, (uint64_t)(uintptr_t)p);
}

static void put_operand_facts(factoring *f, decision_key *k, const value *v)
{
	const global_facts *g = &f->e->facts[v->id];
	put_pointer_fact(f, k, g->home);
	for (const stand_in *s = g->copies; s; s = s->older)
		put_pointer_fact(f, k, s->as);
	put_pointer_fact(f, k, NULL);
}

static void put_result_facts(factoring *f, decision_key *k, const value *v)
{
	const spread *wanted = fact_wanted(f->e, v), *pending;
	put_pointer_fact(f, k, wanted);
	put_fact(f, k, value_unused(v));
	put_fact(f, k, (uint64_t)sum_outlook(f->e, v, &pending));
	put_pointer_fact(f, k, pending);
}

/* Of an op whose rule does not stand for it. */
static void put_outline_facts(factoring *f, decision_key *k, const op *o)
{
	uint64_t may = 0;
	factoring_ask(f);
	k->outline = o;
	k->hash = hash_mix(k->hash, op_outline_hash(o));
	put_pointer_fact(f, k, op_name(o));
	for (int i = 0; i < f->rule->n_factors; i++) {
		may = may << 1 | f->may[i];
		if (i % 64 == 63 || i == f->rule->n_factors - 1)
			put_fact(f, k, may);
	}
}

static void make_key(factoring *f, decision_key *k)
{
	const op *o = f->o;
	*k = (decision_key){.mem = f->e->mem, .hash = o->kind};
	if (op_n_regions(o) && o->kind != OP_REDUCE)
		return;
	vec_reserve(f->e->mem, &k->facts, 8 * (o->n_operands + o->n_results) + 8);
	put_fact(f, k, (uint64_t)f->combine);
	if (f->rule == f->e->rule && op_rule_follows_from_outline(o))
		put_pointer_fact(f, k, f->rule);
	else
		put_outline_facts(f, k, o);
	for (int i = 0; i < o->n_operands; i++)
		put_operand_facts(f, k, operand(o, i));
	for (int i = 0; i < o->n_results; i++)
		put_result_facts(f, k, result(o, i));
	for (int i = 0; i < k->facts.len; i++)
		k->hash = hash_mix(k->hash, k->facts.ptr[i]);
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
	known_decision *d = NEW(keep, known_decision);
	*d = (known_decision){key->outline, key->facts.len,
	                      COPY_N(keep, key->facts.ptr, key->facts.len),
	                      COPY_N(keep, f->shard, f->rule->n_factors), f->order, f->cost,
	                      f->decided};
	for (int i = 0; i < f->rule->n_factors; i++)
		if (d->shard[i].n)
			d->shard[i].at = COPY_N(keep, d->shard[i].at, d->shard[i].n);
	cons_add(&f->e->decisions, keep, key->hash, d);
}
