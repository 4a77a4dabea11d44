/* collective_kit.c - collectives as operations. */
#include "partition/local.h"

/* A scalar to pad with where nobody looks: zero, or for types without one some
 * element of the value, if it has any. */
value *emit_any_scalar(emitter *e, value *v)
{
	const type *scalar = type_elem_tensor(e->ctx, v->type);
	const attr *zero = monoid_identity(e->ctx, MONOID_SUM, scalar);
	if (zero)
		return build_constant(e, zero);
	if (!v->type->n_elems && v->type->elem->kind == TY_QUANT) {
		const type *plain = type_tensor(e->ctx, v->type->elem->quant->expressed, NULL, 0);
		value *number = build_constant(e, monoid_identity(e->ctx, MONOID_SUM, plain));
		return build(e, OP_UNIFORM_QUANTIZE, &number, 1, scalar);
	}
	for (int d = 0; d < v->type->rank; d++)
		v = build_slice(e, v, d, 0, 1, 1);
	return build_reshape(e, v, NULL, 0);
}

value *emit_collective(emitter *e, op *o)
{
	origin_add(e, o);
	build_append(e, o);
	return result(o, 0);
}

value *emit_gather(emitter *e, value *v, int d, const device_order *order, digits along)
{
	const type *t = resized_type(e, v->type, d, v->type->dims[d] * digits_size(along));
	op *o = op_make(e->to, OP_ALL_GATHER, &v, 1, &t, 1, 0);
	BUILD_ATTRS(e, o, {N_all_gather_dim, build_int(e, d)},
	            {N_channel_handle, device_channel(e)},
	            {N_replica_groups, device_groups(e, order, along)},
	            {N_use_global_device_ids, device_global_ids(e)});
	return emit_collective(e, o);
}

value *emit_permute(emitter *e, value *v, const attr *pairs)
{
	op *o = op_make(e->to, OP_COLLECTIVE_PERMUTE, &v, 1, &v->type, 1, 0);
	BUILD_ATTRS(e, o, {N_channel_handle, device_channel(e)}, {N_source_target_pairs, pairs});
	return emit_collective(e, o);
}
