/* partial.c - ops on values that are still to be combined.
 *
 * Sums of partial sums are partial: a + b, a - b and -a may be computed before their operands are
 * reduced if all are partial along the same digits, and if the program wants the result so or if
 * that saves a reduction.
 *
 * sdy.all_reduce and sdy.reduce_scatter say where a reduction ends. The operand of such an op is
 * the complete value to us already, if its sharding has unreduced axes or its op has split
 * reduction factors: then these ops are reshards. Only if the value is whole along the axes that
 * they reduce do they compute something. */
#include "partition/local.h"

static double plain_cost(emitter *e, const op *o)
{
	factoring f;
	factoring_init(&f, e, o, local_rule(e, o), MONOID_NONE, 0);
	factoring_decide(&f);
	return f.cost;
}

/* a b + c d with split contracting dimensions needs one reduction instead of two. If more sums
 * follow, one partial operand is enough to postpone its reduction. */
static const spread *merged_sums(emitter *e, const op *o)
{
	const spread *s = NULL, *wanted = fact_wanted(e, result(o, 0));
	double cost = 0;
	for (int i = 0; i < o->n_operands && !s; i++)
		s = pending_sum(e, operand(o, i));
	if (!s || o->n_operands < 2)
		return NULL;
	if (!wanted)
		wanted = spread_with_partial(&e->sp, s, (digits){0, NULL}, MONOID_SUM);
	for (int i = 0; i < o->n_operands; i++)
		cost += fact_cost(e, operand(o, i), s);
	cost += reshard_plan_for(&e->plans, s, wanted, result(o, 0)->type)->cost;
	double plain = plain_cost(e, o);
	return cost < plain * 0.99 || (cost < plain * 1.01 && sum_goes_on(e, o)) ? s : NULL;
}

void local_linear(emitter *e, op *o)
{
	const spread *s = partial_goal(e, o);
	if (!s && !e->terms.of)
		s = merged_sums(e, o);
	if (!s) {
		local_by_rule(e, o);
		return;
	}
	value **operands = NEW_N(e->mem, value *, o->n_operands);
	for (int i = 0; i < o->n_operands; i++)
		operands[i] = fact_get(e, operand(o, i), s);
	const type *t = spread_local_type(&e->sp, s, result(o, 0)->type);
	local_result(e, o, 0, s, result(emit_copy(e, o, operands, &t), 0));
}

/* The result is the operand in another spread. A sum that is still to be completed stays partial if
 * its only user may do better than completing it. */
void local_reshard(emitter *e, op *o)
{
	value *from = operand(o, 0), *to = result(o, 0);
	const spread *sum = op_has(o, RESHARDS) ? pending_sum(e, from) : NULL;
	if (sum) {
		local_result(e, o, 0, sum, fact_at_hand(e, from, sum));
		return;
	}
	const spread *wanted = fact_wanted(e, to), *as = wanted ? wanted : fact_home(e, from);
	local_result(e, o, 0, as, fact_get(e, from, as));
}

/* ---- sdy.all_reduce and sdy.reduce_scatter -------------------------------------------------- */

static digits digits_of_axis_attr(emitter *e, const attr *a, const mesh *m)
{
	digits l = {0, NULL};
	if (a && a->kind == AT_AXES)
		return spread_digits(&e->sp, m, (axis_list){a->axes, a->n});
	for (int i = 0; a && a->kind == AT_AXES_LIST && i < a->n; i++)
		l = digits_join(e->mem, l, digits_of_axis_attr(e, a->list[i], m));
	return l;
}

/* True if the op that makes `v` reduces along all these digits. */
static bool reduced_by_definition(emitter *e, const value *v, digits along)
{
	factoring f;
	const sharding_rule *r = value_def(v) ? local_rule(e, value_def(v)) : NULL;
	if (!r || value_def_of(v, OP_SDY_ALL_REDUCE) || value_def_of(v, OP_SDY_REDUCE_SCATTER))
		return false;
	factoring_init(&f, e, value_def(v), r, MONOID_SUM, 0);
	digits given = factoring_given(&f);
	for (int i = 0; i < along.n; i++) {
		bool in = false;
		for (int k = 0; k < given.n; k++)
			in |= !digit_disjoint(along.at[i], given.at[k]);
		if (!in)
			return false;
	}
	return true;
}

void local_reduce_partial(emitter *e, op *o)
{
	value *from = operand(o, 0);
	const sharding *s = value_sharding(e->from, from),
		       *to = value_sharding(e->from, result(o, 0));
	const mesh *m = to ? sharding_mesh(e->from, to) : NULL;
	int axes = o->kind == OP_SDY_ALL_REDUCE ? N_reduction_axes : N_reduce_scatter_axes;
	digits along = m ? digits_of_axis_attr(e, op_attr(o, axes), m) : (digits){0, NULL};
	if (!along.n || (s && s->n_unreduced) || reduced_by_definition(e, from, along)) {
		local_reshard(e, o);
		return;
	}
	const spread *home = fact_home(e, from);
	spread partial = *home;
	partial.order = spread_of_sharding(&e->sp, to, m, from->type->rank)->order;
	partial.partial = along;
	partial.combine = (monoid)op_int(o, N_reduction_op, RED_SUM);
	value *local = fact_get_home(e, from);
	local_result(e, o, 0, spread_of(&e->sp, &partial), local);
}
