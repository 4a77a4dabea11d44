/* source.c - constants, iotas, broadcasts, of which each device can make its own block. */
#include "partition/local.h"

/* The spread in which to make a value that every device could make whole: the wanted one if it is
 * complete. */
static const spread *source_spread(emitter *e, const value *v)
{
	const spread *s = fact_wanted(e, v);
	return s && !s->partial.n ? s : spread_whole(&e->sp, v->type->rank);
}

void local_constant(emitter *e, op *o)
{
	value *v = result(o, 0);
	const spread *as = source_spread(e, v), *whole = spread_whole(&e->sp, v->type->rank);
	if (op_is_splat(o)) {
		local_result(e, o, 0, as, splat_block(e, o, as));
		return;
	}
	value *copy = build(&e->b, OP_CONSTANT, NULL, 0, v->type);
	OP_ATTRS(e->to, value_def(copy), {N_value, op_attr(o, N_value)});
	local_result(e, o, 0, whole, copy);
}

void local_iota(emitter *e, op *o)
{
	const spread *as = source_spread(e, result(o, 0));
	local_result(e, o, 0, as, iota_block(e, o, as));
}

/* True if some dimension of size 1 is split, which no decision does. */
static bool splits_one(const spread *s, const type *t)
{
	for (int d = 0; d < s->rank; d++)
		if (s->dims[d].n && t->dims[d] <= 1)
			return true;
	return false;
}

/* Fills a tensor with a scalar that is available: each device makes the block that is wanted, and
 * there is nothing to decide. */
static bool local_fill(emitter *e, op *o)
{
	value *scalar = operand(o, 0), *r = result(o, 0);
	if (scalar->type->rank || e->terms.of || r->type->elem->kind == TY_QUANT)
		return false;
	const spread *s = fact_goal(e, r), *whole = spread_whole(&e->sp, 0);
	value *v = fact_at_hand(e, scalar, whole);
	if (!s)
		s = spread_whole(&e->sp, r->type->rank);
	if (!v || s->partial.n || splits_one(s, r->type))
		return false;
	const type *t = spread_local_type(&e->sp, s, r->type);
	local_result(e, o, 0, s, result(emit_copy(e, o, &v, &t), 0));
	return true;
}

/* New dimensions cost nothing to split. */
void local_broadcast(emitter *e, op *o)
{
	factoring f;
	if (local_fill(e, o))
		return;
	factoring_init(&f, e, o, local_rule(e, o), MONOID_NONE, SPLIT_RESULT_ONLY);
	factoring_decide(&f);
	local_finish(&f, local_copy(&f, local_operands(&f)));
}

/* The program means the global size. */
void local_dimension_size(emitter *e, op *o)
{
	int64_t size = operand(o, 0)->type->dims[op_int(o, N_dimension, 0)];
	value *v = build_convert(&e->b, emit_index(e, size), result(o, 0)->type->dtype);
	local_result(e, o, 0, spread_whole(&e->sp, 0), v);
}
