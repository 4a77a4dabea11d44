/* explain.c - why a value is sharded, or is not.
 *
 * For each axis of each dimension, the trail gives the step that put it there, then the step that
 * put it on that step's source, and so on. Each step is older than the one before, so the chain
 * ends, at an annotation.
 *
 * Why a value lacks an axis follows from the final state of propagation: if a neighbor has the axis
 * on the same factor of an operation, the reason for which the axis was refused still holds. */
#include "report/explain.h"
#include "report/words.h"

/* ---- why ------------------------------------------------------------------------------ */

/* Returns the dimension on which a sharding has (part of) an axis; -1 if there is none. */
static int dim_with_axis(const sharding *s, axis_ref a)
{
	for (int d = 0; s && d < s->rank; d++)
		if (axes_overlap_axis(dim_axes(&s->dims[d]), a))
			return d;
	return -1;
}

static bool holds(const sharding *s, int dim, axis_ref a)
{
	return s && dim >= 0 && dim < s->rank && axes_overlap_axis(dim_axes(&s->dims[dim]), a);
}

/* Returns the value's sharding before step `before`. */
static const sharding *sharding_before(const trail *t, const value *v, int before)
{
	int i = trail_last(t, v, before);
	return i < 0 ? trail_initial(t, v) : trail_at(t, i).sharding;
}

/* True if step `i` put the axis there. One visit to an operation records a step per factor, and all
 * of these show the sharding after the visit, so the axes listed in the step itself decide. */
static bool step_added(const trail *t, const value *v, int i, int dim, axis_ref a)
{
	trail_step s = trail_at(t, i);
	if (s.cause == STEP_OP || s.cause == STEP_RESULT)
		return s.dim == dim && axes_overlap_axis(s.after, a) &&
		       !axes_overlap_axis(s.before, a);
	return holds(s.sharding, dim, a) && !holds(sharding_before(t, v, i), dim, a);
}

/* Returns the last step before `before` that put the axis there; -1 if none did. */
static int step_that_added(const trail *t, const value *v, int dim, axis_ref a, int before)
{
	for (int i = trail_last(t, v, before); i >= 0; i = trail_last(t, v, i))
		if (step_added(t, v, i, dim, a))
			return i;
	return -1;
}

static enum why_cause cause_of(const trail_step *s)
{
	switch (s->cause) {
	case STEP_OP: return WHY_OP;
	case STEP_RESULT: return WHY_RESULT;
	case STEP_GROUP: return WHY_GROUP;
	case STEP_START: return WHY_ANNOTATED;
	}
	return WHY_LOST;
}

/* Describes the last step before `before` that brought the axis to the value; *at: its number. */
static why_step step_to(const trail *t, const value *v, int dim, axis_ref a, int before, int *at)
{
	int i = *at = step_that_added(t, v, dim, a, before);
	why_step step = {.v = v, .dim = dim, .from_dim = -1, .cause = WHY_ANNOTATED};
	if (i >= 0) {
		trail_step s = trail_at(t, i);
		step.cause = cause_of(&s);
		step.through = s.op;
		step.from = s.from;
		step.round = s.round;
		step.priority = s.priority;
		if (s.from)
			step.from_dim = dim_with_axis(sharding_before(t, s.from, i), a);
	} else if (!holds(trail_initial(t, v), dim, a)) {
		step.cause = WHY_LOST;
	}
	return step;
}

why_step explain_step(const trail *t, const value *v, int dim, axis_ref a)
{
	int at;
	return step_to(t, v, dim, a, trail_count(t), &at);
}

static void follow(const trail *t, const value *v, int dim, arena *mem, why_axis *out)
{
	int before = trail_count(t);
	while (v) {
		int at;
		why_step step = step_to(t, v, dim, out->axis, before, &at);
		vec_push(mem, &out->steps, step);
		if (at < 0 || step.from_dim < 0)
			return;
		before = at;
		v = step.from;
		dim = step.from_dim;
	}
}

static void explain_axes(const trail *t, int dim, const name *axis, arena *mem, explanation *e)
{
	for (int d = 0; e->sharding && d < e->sharding->rank; d++)
		for (int i = 0; i < e->sharding->dims[d].n_axes; i++) {
			why_axis a = {.dim = d, .axis = e->sharding->dims[d].axes[i]};
			if ((dim >= 0 && d != dim) || (axis && a.axis.axis != axis))
				continue;
			follow(t, e->v, d, mem, &a);
			vec_push(mem, &e->axes, a);
		}
}

/* ---- why not --------------------------------------------------------------------------- */

static bool lists_same_axes(axis_list a, axis_list b)
{
	return a.n == b.n && (!a.n || axes_eq(a, b));
}

static bool known_refusal(const explanation *e, const obstacle *o)
{
	for (int i = 0; i < e->refused.len; i++) {
		const obstacle *k = &e->refused.ptr[i];
		if (k->why == o->why && k->dim == o->dim && lists_same_axes(k->axes, o->axes) &&
		    (o->dim >= 0 || k->op == o->op))
			return true;
	}
	return false;
}

static bool speaks_of_axis(axis_list l, const name *axis)
{
	for (int i = 0; i < l.n; i++)
		if (l.ptr[i].axis == axis)
			return true;
	return !axis;
}

/* Many users may refuse for the same reason; it is reported once. */
static void explain_refusals(trail *t, int dim, const name *axis, arena *mem, explanation *e)
{
	obstacle *all;
	int n = trail_obstacles(t, e->v, dim, &all);
	for (int i = 0; i < n; i++)
		if ((all[i].dim < 0 || speaks_of_axis(all[i].axes, axis)) &&
		    !known_refusal(e, &all[i]))
			vec_push(mem, &e->refused, all[i]);
}

void explain_value(module *m, trail *t, const value *v, int dim, const name *axis, arena *mem,
                   explanation *out)
{
	*out = (explanation){.m = m, .v = v, .sharding = value_sharding(m, v), .dim = dim};
	if (v->type->kind != TY_TENSOR)
		return;
	explain_axes(t, dim, axis, mem, out);
	explain_refusals(t, dim, axis, mem, out);
}
