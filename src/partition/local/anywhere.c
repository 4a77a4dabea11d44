/* anywhere.c - iotas and splats, which every device can make without communication. */
#include "partition/local.h"

bool made_anywhere(emitter *e, const value *v)
{
	const op *o = value_def(fact_origin(e, v));
	return o && type_is_tensor(v->type) && v->type->elem->kind != TY_QUANT &&
	       (o->kind == OP_IOTA || op_is_splat(o));
}

value *splat_block(emitter *e, const op *o, const spread *as)
{
	const attr *a = op_attr(o, N_value);
	const type *t = spread_local_type(&e->sp, as, result(o, 0)->type);
	return build_constant(&e->b, attr_dense(e->ctx, t, a->data, a->data_len, true));
}

value *iota_block(emitter *e, const op *o, const spread *as)
{
	const type *whole = result(o, 0)->type, *t = spread_local_type(&e->sp, as, whole);
	int d = (int)op_int(o, N_iota_dimension, 0);
	value *part = build_iota(&e->b, t->dtype, t->dims, t->rank, d);
	if (!as->dims[d].n)
		return part;
	value *offset = device_offset(e, as, d, whole->dims[d]);
	offset = build_convert(&e->b, offset, whole->dtype);
	return build_binary(&e->b, OP_ADD, part, build_fill(&e->b, offset, t));
}

value *make_here(emitter *e, value *v, const spread *as)
{
	const op *o = value_def(fact_origin(e, v)), *was = e->b.like;
	e->b.like = o;
	v = o->kind == OP_IOTA ? iota_block(e, o, as) : splat_block(e, o, as);
	e->b.like = was;
	return v;
}
