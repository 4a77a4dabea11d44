/* device.c - ops that run on a single device: their operands are brought there by way of being
 * replicated over the program's mesh, and their results are sent back. */
#include "shardy/explicit/explicit.h"

bool is_on_one_device(const module *m, const sharding *s)
{
	const mesh *mesh = s ? sharding_mesh(m, s) : NULL;
	return mesh && mesh_is_maximal(mesh);
}

/* Returns the sharding of the results that are on a single device; NULL after a diagnostic if they
 * are on different ones. */
static const sharding *device_sharding(const insertion *at, const op *o)
{
	const sharding *found = NULL;
	for (int i = 0; i < o->n_results; i++) {
		const sharding *s = result(o, i)->sharding;
		if (!is_on_one_device(at->b.m, s))
			continue;
		if (found && sharding_mesh(at->b.m, found) != sharding_mesh(at->b.m, s)) {
			diag_error(at->b.m->ctx, op_place(at->b.m, o), E_RESHARD_DEVICE,
			           "'%s' op has results on different devices", op_name(o));
			return NULL;
		}
		found = s;
	}
	return found;
}

static void bring_operand(insertion *at, op *o, int i, const sharding *device, mesh_ref program)
{
	value *v = operand(o, i);
	if (!type_is_tensor(v->type))
		return;
	tess_ctx *ctx = at->b.m->ctx;
	const sharding *whole = sharding_replicated(ctx, program, v->type->rank);
	const sharding *s = value_sharding(at->b.m, v);
	if (!s)
		s = whole;
	if (mesh_ref_eq(s->mesh, device->mesh) && sharding_is_equivalent(s, device))
		return;
	if (!sharding_is_fully_replicated(s) || !mesh_ref_eq(s->mesh, program))
		v = insert_reshard(at, v, whole);
	op_set_operand(o, i, insert_reshard(at, v, device));
}

static void send_result(insertion *at, op *o, int i, mesh_ref program)
{
	value *v = result(o, i);
	if (!type_is_tensor(v->type))
		return;
	const sharding *whole = sharding_replicated(at->b.m->ctx, program, v->type->rank);
	const sharding *want = v->sharding && !is_on_one_device(at->b.m, v->sharding) ? v->sharding
	                                                                              : whole;
	value *back = insert_reshard(at, v, whole);
	value_replace_uses_except(v, back, value_def(back));
	if (want == whole)
		return;
	value *split = insert_reshard(at, back, want);
	value_replace_uses_except(back, split, value_def(split));
}

bool reshard_one_device_op(insertion *at, op *o)
{
	const sharding *device = device_sharding(at, o);
	const op *mesh = module_first_mesh(at->b.m);
	if (!device)
		return false;
	if (!mesh)
		return true;
	mesh_ref program = {.symbol = op_symbol(mesh)};
	device = sharding_replicated(at->b.m->ctx, device->mesh, 0);
	insert_before(at, o);
	for (int i = 0; i < o->n_operands; i++)
		bring_operand(at, o, i, device, program);
	insert_after(at, o);
	for (int i = 0; i < o->n_results; i++)
		send_result(at, o, i, program);
	for (int i = 0; i < o->n_results; i++) {
		value *v = result(o, i);
		if (type_is_tensor(v->type))
			v->sharding = device;
		else if (v->type->kind == TY_TOKEN)
			v->sharding = sharding_replicated(at->b.m->ctx, program, 0);
	}
	return true;
}
