/* source.c - constants, iota, broadcasts: values that each device can make for
 * its own block. */
#include "partition/local.h"

/* Emits the part of a value that every device could compute whole: only the piece in
 * the spread that the program wants. */
static const spread *source_spread(emitter *e, const value *v)
{
	const spread *s = fact_wanted(e, v);
	return s && !s->partial.n ? s : spread_whole(&e->sp, v->type->rank);
}

static bool is_one_element(const op *o)
{
	const attr *a = op_has(o, CONSTANT) ? op_attr(o, N_value) : NULL;
	return a && a->kind == AT_DENSE && a->splat;
}

bool made_anywhere(const value *v)
{
	const op *o = value_def(value_past_reshards((value *)v));
	return o && type_is_tensor(v->type) && v->type->elem->kind != TY_QUANT &&
	       (o->kind == OP_IOTA || is_one_element(o));
}

static value *splat_block(emitter *e, const op *o, const spread *as)
{
	const attr *a = op_attr(o, N_value);
	const type *t = spread_local_type(&e->sp, as, result(o, 0)->type);
	return build_constant(&e->b, attr_dense(e->ctx, t, a->data, a->data_len, true));
}

static value *iota_block(emitter *e, const op *o, const spread *as)
{
	const type *whole = result(o, 0)->type, *t = spread_local_type(&e->sp, as, whole);
	int d = (int)op_int(o, N_iota_dimension, 0);
	value *part = result(emit_copy(e, o, NULL, &t), 0);
	if (!as->dims[d].n)
		return part;
	value *offset = device_offset(e, as, d, whole->dims[d]);
	offset = build_convert(&e->b, offset, whole->dtype);
	return build_binary(&e->b, OP_ADD, part, build_fill(&e->b, offset, t));
}

value *make_here(emitter *e, value *v, const spread *as)
{
	const op *o = value_def(value_past_reshards(v)), *was = e->b.like;
	e->b.like = o;
	v = o->kind == OP_IOTA ? iota_block(e, o, as) : splat_block(e, o, as);
	e->b.like = was;
	return v;
}

void local_constant(emitter *e, op *o)
{
	value *v = result(o, 0);
	const spread *as = source_spread(e, v), *whole = spread_whole(&e->sp, v->type->rank);
	if (is_one_element(o)) {
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

/* New dimensions cost nothing to split. */
void local_broadcast(emitter *e, op *o)
{
	factoring f;
	factoring_init(&f, e, o, local_rule(e, o), MONOID_NONE, SPLIT_RESULT_ONLY);
	factoring_decide(&f);
	local_finish(&f, local_copy(&f, local_operands(&f)));
}

/* The size that the program means is the global one. */
void local_dimension_size(emitter *e, op *o)
{
	int64_t size = operand(o, 0)->type->dims[op_int(o, N_dimension, 0)];
	value *v = build_convert(&e->b, emit_index(e, size), result(o, 0)->type->dtype);
	local_result(e, o, 0, spread_whole(&e->sp, 0), v);
}
