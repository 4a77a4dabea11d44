/* local_linear.c - sums of partial values are partial sums.
 *
 * a + b, a - b and -a may be computed before the operands have been reduced, if all
 * are partial along the same digits and the program wants the result so. */
#include "partition/local.h"

static const spread *partial_goal(emitter *e, const op *o)
{
	const spread *s = fact_wanted(e, result(o, 0));
	return s && s->partial.n && s->combine == MONOID_SUM ? s : NULL;
}

void local_linear(emitter *e, op *o)
{
	const spread *s = partial_goal(e, o);
	if (!s) {
		local_by_rule(e, o);
		return;
	}
	value **operands = NEW_N(e->mem, value *, o->n_operands);
	for (int i = 0; i < o->n_operands; i++)
		operands[i] = fact_get(e, operand(o, i), s);
	const type *t = spread_local_type(&e->sp, s, result(o, 0)->type);
	local_result(e, o, 0, s, result(build_copy(e, o, operands, &t), 0));
}
