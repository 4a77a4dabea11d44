/* remake.c - computes a value again on a device that lacks a part of it but has all its operands.
 *
 * Example: propagation splits the product of two whole values, say of a router, because an op after
 * it is split. Then a softmax over the split dimension needs a collective each time. Computing the
 * whole product on every device costs work but sends nothing. */
#include "partition/factoring.h"

#include <math.h>

/* How many ops in a chain are computed again. */
enum { DEEPEST = 4 };

/* True if the op makes the value from its operands alone, in any blocks that its rule allows. */
static bool can_remake(emitter *e, const value *v)
{
	const op *o = value_def(v), *at = e->b.like;
	return o && at && o->parent == at->parent && o->n_results == 1 && o->n_operands &&
	       o->n_operands <= 4 && !op_n_regions(o) && !e->facts[v->id].varies &&
	       type_is_tensor(v->type) && v->type->elem->kind != TY_QUANT &&
	       local_by_rule_alone(o) && op_has(o, PURE) && !op_has(o, COLLECTIVE) &&
	       !op_has(o, DEVICE_ID);
}

static bool costs_nothing(emitter *e, const value *v) { return made_anywhere(e, v) || fact_constant(e, v); }

/* True if some copy is split into fewer parts than `parts`. */
static bool has_wider_copy(emitter *e, const value *v, int64_t parts)
{
	for (const stand_in *s = e->facts[v->id].copies; s; s = s->older)
		if (!s->as->partial.n && s->as->parts < parts)
			return true;
	return false;
}

/* A quick test if cost_of() may find a way. */
static bool might_remake(emitter *e, const value *v, int64_t parts, int deep)
{
	const op *o = value_def(v);
	if (deep == 0 || !can_remake(e, v))
		return false;
	for (int i = 0; i < o->n_operands; i++)
		if (!costs_nothing(e, operand(o, i)) && !has_wider_copy(e, operand(o, i), parts) &&
		    !might_remake(e, operand(o, i), parts, deep - 1))
			return false;
	return true;
}

static bool remake_might(emitter *e, const value *v)
{
	const spread *home = e->facts[v->id].home;
	if (!home || !spread_splits(home) || terms_has(e, v) || e->terms.of)
		return false;
	return might_remake(e, v, home->parts, DEEPEST);
}

/* Divides the op as a result in this spread requires; false: impossible. */
static bool factors_for(factoring *f, emitter *e, const op *o, const spread *as)
{
	const sharding_rule *rule = local_rule(e, o);
	if (!rule)
		return false;
	bool grows = value_def_of(result(o, 0), OP_BROADCAST_IN_DIM);
	factoring_init(f, e, o, rule, MONOID_NONE, grows ? SPLIT_RESULT_ONLY : 0);
	factoring_ask(f);
	const digits *said = project_spread(f, rule->n_operands, as);
	f->order = as->order;
	for (int i = 0; said && i < rule->n_factors; i++) {
		if (said[i].n && !f->may[i])
			return false;
		f->shard[i] = said[i];
	}
	make_sound(f);
	return factoring_result(f, 0) == as;
}

static double work_of(const factoring *f)
{
	double n = 1;
	for (int i = 0; i < f->rule->n_factors; i++)
		n *= (double)block_size(f->rule->sizes[i], digits_size(f->shard[i]));
	return n / points_per_byte(f->e);
}

static double cost_of(emitter *e, const value *v, const spread *as, double most, int deep)
{
	factoring f;
	const op *o = value_def(v);
	if (deep == 0 || as->partial.n || !can_remake(e, v) || !factors_for(&f, e, o, as))
		return INFINITY;
	double cost = work_of(&f) + 1;
	for (int i = 0; i < o->n_operands && cost < most; i++) {
		const spread *s = factoring_operand(&f, i);
		if (!costs_nothing(e, operand(o, i)) && !fact_at_hand(e, operand(o, i), s))
			cost += cost_of(e, operand(o, i), s, most - cost, deep - 1);
	}
	return cost < most ? cost : INFINITY;
}

static double remake_cost(emitter *e, const value *v, const spread *as, double most)
{
	return remake_might(e, v) ? cost_of(e, v, as, most, DEEPEST) : INFINITY;
}

/* Emits what cost_of() has costed; its cost must be finite. */
static value *remake(emitter *e, value *v, const spread *as)
{
	factoring f;
	op *o = value_def(v);
	value *at_hand = fact_at_hand(e, v, as);
	if (at_hand || costs_nothing(e, v))
		return at_hand ? at_hand : fact_get(e, v, as);
	bool good = factors_for(&f, e, o, as);
	ASSERT(good);
	UNUSED(good);
	value **operands = NEW_N(e->mem, value *, o->n_operands);
	for (int i = 0; i < o->n_operands; i++)
		operands[i] = remake(e, operand(o, i), factoring_operand(&f, i));
	const op *was = e->b.like;
	e->b.like = o;
	value *made = result(local_copy(&f, operands), 0);
	e->b.like = was;
	fact_add(e, v, as, made);
	return made;
}

const remaking remaking_by_rule = {.might = remake_might, .cost = remake_cost, .make = remake};
