/* constraints.c - sdy-apply-sharding-constraints.
 *
 * A fully closed constraint also becomes the sharding of its operand, if that has no sharding and
 * no conflicting constraint. If the operand is the target of a data-flow edge, giving it the
 * sharding would tie down all values of that edge; then the operand's other users read the
 * constraint instead.
 *
 * A chain of constraints, x -> c1 -> c2, requests one sharding after another: later users in the
 * block read the last one. */
#include "propagate/propagate.h"
#include "shardy/import/import.h"

typedef struct apply_walk {
	module *m;
	op_order order;
	debug_log *debug; /* NULL: no debug records */
} apply_walk;

static bool constrains(const op *o)
{
	return o->kind == OP_SDY_SHARDING_CONSTRAINT || op_is_manual(o);
}

static const sharding *in_sharding(const op *manual, int i)
{
	const attr *a = op_attr(manual, N_in_shardings);
	return a && a->kind == AT_SHARDINGS && i < a->n ? a->shardings[i] : NULL;
}

static bool constrained_otherwise(const value *v, const sharding *s)
{
	for (const use *u = v->uses; u; u = u->next) {
		if (u->owner->kind == OP_SDY_SHARDING_CONSTRAINT &&
		    result(u->owner, 0)->sharding != s)
			return true;
		if (op_is_manual(u->owner) &&
		    in_sharding(u->owner, use_index(u)) != s)
			return true;
	}
	return false;
}

static bool constrained_by_other(const value *v, const op *but)
{
	for (const use *u = v->uses; u; u = u->next)
		if (u->owner != but && constrains(u->owner))
			return true;
	return false;
}

static bool may_apply(module *m, const value *v, const sharding *s)
{
	return s && value_shardable(v) && !value_sharding(m, v) && sharding_is_fully_closed(s) &&
	       !constrained_otherwise(v, s);
}

/* Unreduced axes do not propagate, so the operand gets at least those. */
static void copy_unreduced(module *m, value *v, const sharding *s)
{
	if (!s->n_unreduced)
		return;
	const sharding *now = value_sharding(m, v);
	if (!now)
		now = sharding_open_for(m, v, s->mesh);
	value_set_sharding(m, v,
	                   sharding_with_unreduced(m->ctx, now,
	                                           (axis_list){s->unreduced, s->n_unreduced},
	                                           s->reduction));
}

static bool is_edge_target(const value *v)
{
	return value_def_of(v, OP_SDY_DATA_FLOW_EDGE) || flow_edge(v);
}

static void insert_behind(apply_walk *w, op *o, value *v)
{
	op_insert_after_value(v, o);
	op_order_moved(&w->order, o);
}

/* ---- constraints ----------------------------------------------------------------------- */

/* Returns the last constraint of the chain that starts with `head`, if the values are used by the
 * chain only and not constrained otherwise; NULL if there is no such chain. */
static op *chain_tail(module *m, op *head)
{
	const value *in = operand(head, 0);
	if (value_def_of(in, OP_SDY_SHARDING_CONSTRAINT) || value_sharding(m, in) ||
	    constrained_by_other(in, head))
		return NULL;
	op *tail = head;
	while (value_has_one_use(result(tail, 0)) &&
	       result(tail, 0)->uses->owner->kind == OP_SDY_SHARDING_CONSTRAINT)
		tail = result(tail, 0)->uses->owner;
	return tail != head && !constrained_by_other(result(tail, 0), NULL) ? tail : NULL;
}

static void read_tail(apply_walk *w, op *head, op *tail)
{
	for (use *u = operand(head, 0)->uses, *next; u; u = next) {
		next = u->next;
		op *user = u->owner;
		if (user != head && user->kind != OP_FUNC_RETURN && user->parent == tail->parent &&
		    op_stands_before(&w->order, tail, user))
			op_set_operand(user, use_index(u), result(tail, 0));
	}
}

/* Records the rule on the constraint, as Shardy does; propagation removes it. */
static void remember_rule(module *m, op *o)
{
	arena_mark here = arena_here(&m->ctx->scratch);
	const sharding_rule *r = op_rule(m, o, 0, &m->ctx->scratch);
	if (r)
		op_set_attr(m, o, N_sdy_sharding_rule, attr_rule(m->ctx, r));
	arena_back(&m->ctx->scratch, here);
}

static void apply_constraint(apply_walk *w, op *o)
{
	op *tail = chain_tail(w->m, o);
	if (tail)
		read_tail(w, o, tail);
	value *v = operand(o, 0);
	const sharding *s = result(o, 0)->sharding;
	if (!may_apply(w->m, v, s))
		return;
	if (!is_edge_target(v)) {
		remember_rule(w->m, o);
		value_set_sharding(w->m, v, s);
		if (w->debug)
			debug_add_constraint(w->debug, o);
		return;
	}
	op_unlink(o);
	insert_behind(w, o, v);
	value_replace_uses_except(v, result(o, 0), o);
	copy_unreduced(w->m, v, s);
}

/* ---- manual computations ------------------------------------------------------------------ */

/* The computation cannot be moved, so a constraint is inserted after the value. */
static void apply_in_sharding(apply_walk *w, op *manual, int i)
{
	value *v = operand(manual, i);
	const sharding *s = in_sharding(manual, i);
	if (!may_apply(w->m, v, s))
		return;
	if (!is_edge_target(v)) {
		value_set_sharding(w->m, v, s);
		return;
	}
	op *c = op_make(w->m, OP_SDY_SHARDING_CONSTRAINT, &v, 1, &v->type, 1, 0);
	op_take_place(w->m, c, manual);
	result(c, 0)->sharding = s;
	insert_behind(w, c, v);
	value_replace_uses_except(v, result(c, 0), c);
	copy_unreduced(w->m, v, s);
}

bool pass_apply_sharding_constraints(module *m, const pass_options *o)
{
	if (!module_has(m, OP_SDY_SHARDING_CONSTRAINT) && !module_has(m, OP_SDY_MANUAL_COMPUTATION))
		return true;
	apply_walk w = {.m = m,
	                .order = {.mem = &m->ctx->scratch},
	                .debug = debug_begin(m, o, &m->ctx->scratch)};
	for (op *i = op_first_post(m->top), *next; i; i = next) {
		next = op_next_post(i, m->top);
		if (i->kind == OP_SDY_SHARDING_CONSTRAINT)
			apply_constraint(&w, i);
		else if (op_is_manual(i))
			for (int k = 0; k < i->n_operands; k++)
				apply_in_sharding(&w, i, k);
	}
	if (w.debug)
		debug_save(w.debug);
	return true;
}
