/* collective_kit.c - builds single collectives. */
#include "partition/local.h"

/* A scalar to pad with where the contents do not matter: zero or, for types without a zero, some
 * element of the value, if it has any. */
value *emit_any_scalar(emitter *e, value *v)
{
	const type *scalar = type_elem_tensor(e->ctx, v->type);
	const attr *zero = monoid_identity(e->ctx, MONOID_SUM, scalar);
	if (zero)
		return build_constant(&e->b, zero);
	if (!v->type->n_elems && v->type->elem->kind == TY_QUANT) {
		const type *plain = type_tensor(e->ctx, v->type->elem->quant->expressed, NULL, 0);
		value *number = build_constant(&e->b, monoid_identity(e->ctx, MONOID_SUM, plain));
		return build(&e->b, OP_UNIFORM_QUANTIZE, &number, 1, scalar);
	}
	for (int d = 0; d < v->type->rank; d++)
		v = build_slice(&e->b, v, d, 0, 1, 1);
	return build_reshape(&e->b, v, NULL, 0);
}

op *emit_collective(emitter *e, op_kind kind, value *v, const type *t, monoid combine)
{
	bool combines = combine != MONOID_NONE;
	op *o = build_op(&e->b, kind, &v, 1, &t, 1, combines);
	if (combines)
		region_combine_by(e->to, op_region(o, 0), monoid_op(combine),
		                  type_elem_tensor(e->ctx, v->type));
	origin_add(e, o);
	return o;
}

value *emit_gather(emitter *e, value *v, int d, const device_order *order, digits along)
{
	const type *t = type_resized(e->ctx, v->type, d, v->type->dims[d] * digits_size(along));
	op *o = emit_collective(e, OP_ALL_GATHER, v, t, MONOID_NONE);
	OP_ATTRS(e->to, o, {N_all_gather_dim, attr_i64(e->ctx, d)},
	         {N_channel_handle, device_channel(e)},
	         {N_replica_groups, device_groups(e, order, along)},
	         {N_use_global_device_ids, device_global_ids(e)});
	return result(o, 0);
}

value *emit_permute(emitter *e, value *v, const attr *pairs)
{
	op *o = emit_collective(e, OP_COLLECTIVE_PERMUTE, v, v->type, MONOID_NONE);
	OP_ATTRS(e->to, o, {N_channel_handle, device_channel(e)}, {N_source_target_pairs, pairs});
	return result(o, 0);
}
