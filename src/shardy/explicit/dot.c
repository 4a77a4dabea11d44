/* dot.c - the one reshard that a matrix product gets even in the partial version.
 *
 * Suppose the operands agree, and exactly one dimension of the result is sharded differently, over
 * the axes that shard the contracting dimensions. If the result is no larger than the operand in
 * question, it is better to compute the product as its operands suggest and reshard the result:
 *
 *     %a [{}, {"x"}], %b [{"x"}, {"y"}] -> [{}, {"x"}]
 *     computed as [{}, {"y"}], then reduced and resharded. */
#include "shardy/explicit/explicit.h"

/* The conflict, found by looking at all factors. */
typedef struct dot_conflict {
	int factor; /* -1: none yet */
	axis_list operand_axes, reduced, seen;
} dot_conflict;

static int64_t tensor_elements(const value *v)
{
	return type_is_tensor(v->type) ? v->type->n_elems : 0;
}

/* Returns false if there is any other conflict. */
static bool look_at_factor(const op_view *v, const op *o, int f, dot_conflict *c)
{
	const factor_axes *lhs = &v->tensors[0].factors[f], *rhs = &v->tensors[1].factors[f];
	const factor_axes *out = &v->tensors[2].factors[f];
	int64_t lhs_size = tensor_elements(operand(o, 0)),
		rhs_size = tensor_elements(operand(o, 1));
	axis_list axes = lhs->present ? lhs->axes : rhs->axes;
	int64_t size = lhs->present ? lhs_size : rhs_size;

	if (lhs->present && rhs->present) {
		size = max_i64(lhs_size, rhs_size);
		if (!axes_eq(lhs->axes, rhs->axes))
			return false;
		if (rule_has_kind(v->rule->reduction, f)) {
			c->reduced = axes_joined(v->mem, c->reduced, axes);
			return true;
		}
	} else {
		for (int i = 0; i < axes.n; i++) {
			if (axes_overlap_axis(c->seen, axes.ptr[i]))
				return false;
			c->seen = axes_joined(v->mem, c->seen, (axis_list){&axes.ptr[i], 1});
		}
	}
	if (axes_eq(out->axes, axes))
		return true;
	if (!axes.n || c->factor >= 0 || tensor_elements(result(o, 0)) > size)
		return false;
	c->factor = f;
	c->operand_axes = axes;
	return true;
}

void reshard_dot_result(insertion *at, op *o, op_view *v, const sharding *out)
{
	dot_conflict c = {.factor = -1};
	if (!out || v->n_tensors != 3)
		return;
	for (int f = 0; f < v->rule->n_factors; f++)
		if (!look_at_factor(v, o, f, &c))
			return;
	if (c.factor < 0)
		return;
	factor_axes *split = &v->tensors[2].factors[c.factor];
	if (!split->axes.n || !axes_eq(split->axes, c.reduced))
		return;
	split->axes = c.operand_axes;
	value *r = result(o, 0);
	value_set_sharding(at->b.m, r, view_sharding(v, 2));
	insert_after(at, o);
	value *resharded = insert_reshard(at, r, out);
	value_replace_uses_except(r, resharded, value_def(resharded));
}
