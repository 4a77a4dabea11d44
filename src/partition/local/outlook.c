/* outlook.c - what becomes of a partial sum: who adds to it, and when it is completed. */
#include "partition/local.h"

const spread *partial_goal(emitter *e, const op *o)
{
	const spread *s = fact_wanted(e, result(o, 0));
	return s && s->partial.n && s->combine == MONOID_SUM ? s : NULL;
}

/* A sum that the program itself completes, by sdy.all_reduce, does not stay pending. */
const spread *pending_sum(emitter *e, const value *v)
{
	const spread *found = NULL;
	if (!value_has_one_use(v) || value_def_of(v, OP_SDY_ALL_REDUCE))
		return NULL;
	for (const stand_in *s = e->facts[v->id].copies; s; s = s->older) {
		if (!s->as->partial.n)
			return NULL; /* it has been combined already */
		if (s->as->combine == MONOID_SUM)
			found = s->as;
	}
	return found;
}

/* The only op that uses `v`, perhaps through reshards, in the same block; else NULL. */
static const op *only_user(const value *v)
{
	const op *user = value_has_one_use(v) ? v->uses->owner : NULL;
	while (user && op_has(user, RESHARDS))
		user = value_has_one_use(result(user, 0)) ? result(user, 0)->uses->owner : NULL;
	return user && user->parent == value_block(v) ? user : NULL;
}

static bool is_sum(const op *o) { return o->kind == OP_ADD || o->kind == OP_SUBTRACT; }

/* True if `v` may still turn out to be a partial sum: it has not been computed yet, and its op is a
 * sum or a product. */
static bool may_come_partial(emitter *e, const value *v)
{
	v = fact_origin(e, v);
	if (!value_def(v) || e->facts[v->id].home)
		return false;
	return op_has(value_def(v), PRODUCT) || is_sum(value_def(v));
}

/* If the only use of `v` is a sum, the sum's other operand; else NULL. */
static const value *other_term(const value *v)
{
	const op *user = only_user(v);
	if (!user || !is_sum(user))
		return NULL;
	while (v->uses->owner != user)
		v = result(v->uses->owner, 0);
	return operand(user, operand(user, 0) == v);
}

bool sum_goes_on(emitter *e, const op *o)
{
	const value *other = other_term(result(o, 0));
	return other && (may_come_partial(e, other) || pending_sum(e, other));
}

sum_hope sum_outlook(emitter *e, const value *v, const spread **pending)
{
	const value *other = other_term(v);
	*pending = other && e->facts[other->id].home ? pending_sum(e, other) : NULL;
	if (*pending)
		return SUM_PENDING;
	return other && may_come_partial(e, other) ? SUM_LIKELY : SUM_ALONE;
}

double reduction_share(emitter *e, const value *v, const spread *partial)
{
	const spread *pending;
	switch (sum_outlook(e, v, &pending)) {
	case SUM_PENDING: return digits_eq(pending->partial, partial->partial) ? 0 : 1;
	case SUM_LIKELY: return 0.5;
	case SUM_ALONE: break;
	}
	return 1;
}
