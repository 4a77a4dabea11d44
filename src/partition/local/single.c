/* single.c - values on one device: shardings on a maximal mesh.
 *
 * An op without side effects can be computed on every device instead, because all get the same
 * result. This does not work if it asks which device it runs on, or might do more than compute (a
 * custom call). Then only the given device computes it, or only its result counts, and the others
 * receive it: elsewhere the value is zero, and the sum over all devices is the value. */
#include "partition/local.h"

int64_t single_device(emitter *e, const sharding *s)
{
	const mesh *m = s ? sharding_mesh(e->from, s) : NULL;
	return m && mesh_is_maximal(m) && m->device_ids[0] < e->sp.n_devices ? m->device_ids[0]
	                                                                     : -1;
}

static value *device_is(emitter *e, int64_t device)
{
	digits all = {1, &(digit){1, e->sp.n_devices}};
	return build_compare(&e->b, COMPARE_EQ, device_coordinate(e, NULL, all),
	                     emit_index(e, device));
}

/* Whole on one device and zero elsewhere: partial along everything. */
static const spread *single_spread(emitter *e, const value *v)
{
	digits all = {1, &(digit){1, e->sp.n_devices}};
	return spread_with_partial(&e->sp, spread_whole(&e->sp, value_rank(v)), all, MONOID_SUM);
}

static bool can_be_zero(emitter *e, const value *v)
{
	return type_is_tensor(v->type) &&
	       monoid_identity(e->ctx, MONOID_SUM, type_elem_tensor(e->ctx, v->type));
}

void single_define(emitter *e, value *global, value *local, int64_t device)
{
	if (!can_be_zero(e, global)) {
		fact_define(e, global, spread_whole(&e->sp, value_rank(global)), local);
		return;
	}
	value *zero = emit_identity(e, MONOID_SUM, local->type);
	fact_define(e, global, single_spread(e, global),
	            build_select(&e->b, device_is(e, device), local, zero));
}

/* if (this device is meant) { op } else { zeros } */
static op *guarded_copy(emitter *e, const op *o, value *const *operands, const type **types,
                        int64_t device)
{
	value *which = device_is(e, device), **zeros = NEW_N(e->mem, value *, o->n_results);
	op *guard = op_make(e->to, OP_IF, &which, 1, types, o->n_results, 2);
	block *was = e->b.at;
	e->b.at = block_new(e->to, op_region(guard, 0));
	op *copy = emit_copy(e, o, operands, types);
	value **made = NEW_N(e->mem, value *, o->n_results);
	for (int i = 0; i < o->n_results; i++)
		made[i] = result(copy, i);
	build_op(&e->b, OP_RETURN, made, o->n_results, NULL, 0, 0);
	e->b.at = block_new(e->to, op_region(guard, 1));
	for (int i = 0; i < o->n_results; i++)
		zeros[i] = emit_identity(e, MONOID_SUM, types[i]);
	build_op(&e->b, OP_RETURN, zeros, o->n_results, NULL, 0, 0);
	e->b.at = was;
	build_put(&e->b, guard);
	return guard;
}

/* A value that differs between devices and is resharded to one device becomes that device's. */
static void take_from_device(emitter *e, op *o, int64_t device)
{
	single_define(e, result(o, 0), fact_get_whole(e, operand(o, 0)), device);
	fact_settle(e, result(o, 0));
}

bool local_single(emitter *e, op *o)
{
	int64_t device = o->n_results ? single_device(e, value_sharding(e->from, result(o, 0)))
	                              : -1;
	if (device < 0 || op_has(o, DATA_FLOW | CONTROL) || o->kind == OP_FUNC_CALL)
		return false;
	bool pure = op_is_dead_if_unused(o);
	if (pure && !fact_varies(e, o))
		return false;
	for (int i = 0; i < o->n_results; i++)
		if (!can_be_zero(e, result(o, i)))
			return false;
	if (op_has(o, RESHARDS)) {
		take_from_device(e, o, device);
		return true;
	}
	value **operands = NEW_N(e->mem, value *, o->n_operands);
	const type **types = NEW_N(e->mem, const type *, o->n_results);
	for (int i = 0; i < o->n_operands; i++)
		operands[i] = fact_get_whole(e, operand(o, i));
	for (int i = 0; i < o->n_results; i++)
		types[i] = result(o, i)->type;
	op *local = pure ? emit_copy(e, o, operands, types)
	                 : guarded_copy(e, o, operands, types, device);
	for (int i = 0; i < o->n_results; i++) {
		if (pure)
			single_define(e, result(o, i), result(local, i), device);
		else
			fact_define(e, result(o, i), single_spread(e, result(o, i)),
			            result(local, i));
		fact_settle(e, result(o, i));
	}
	return true;
}
