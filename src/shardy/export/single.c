/* single.c - sdy-resolve-single-device-sharding: computes what is placed on one device on that
 * device only.
 *
 * An operation whose result has a sharding on a maximal mesh becomes `if (this is the device) { the
 * operation } else { zeros }`, and an all_reduce over all axes of the program's mesh gives the
 * results to all devices. Operands are replicated: a reshard to the device is dropped, since all
 * devices have the value. */
#include "shardy/export/export.h"

typedef struct single_pass {
	module *m;
	mesh_ref mesh; /* of all devices */
	const mesh *devices;
	bool replicas; /* devices differ in replica_id, not partition_id */
} single_pass;

static bool find_devices(single_pass *p)
{
	const op *o = module_first_mesh(p->m);
	if (!o)
		return false;
	p->mesh = (mesh_ref){.symbol = op_symbol(o)};
	p->devices = op_attr(o, N_mesh)->mesh;
	return true;
}

static int64_t device_of(module *m, const sharding *s)
{
	const mesh *on = s ? sharding_mesh(m, s) : NULL;
	return on && mesh_is_maximal(on) ? on->device_ids[0] : -1;
}

/* Finds the device that an op's results are placed on; -1: none. Returns false if they are on two
 * devices, or if some are sharded over others; *other is one that is elsewhere. */
static bool device_of_op(module *m, const op *o, int64_t *device, int *other)
{
	bool sharded = false;
	*device = -1;
	for (int i = 0; i < o->n_results; i++) {
		const sharding *s = value_sharding(m, result(o, i));
		int64_t on = type_is_tensor(result(o, i)->type) ? device_of(m, s) : -1;
		if (on >= 0 && *device >= 0 && on != *device) {
			*other = i;
			return false;
		}
		if (on >= 0) {
			*device = on;
		} else if (!sharding_is_fully_replicated(s)) {
			*other = i;
			sharded = true;
		}
	}
	return *device < 0 || !sharded;
}

/* ---- building ------------------------------------------------------------------------------ */

static value *this_is_device(const single_pass *p, const builder *b, int64_t device)
{
	op_kind ask = p->replicas ? OP_REPLICA_ID : OP_PARTITION_ID;
	value *id = build(b, ask, NULL, 0, type_tensor(p->m->ctx, DT_UI32, NULL, 0));
	id = build_convert(b, id, DT_I64);
	return build_compare(b, COMPARE_EQ, id, build_int(b, DT_I64, device));
}

/* Returns what other devices have in place of a result. */
static value *put_nothing(const builder *b, const type *t)
{
	return type_is_tensor(t) ? build_zeros(b, t) : build(b, OP_CREATE_TOKEN, NULL, 0, t);
}

/* Returns the operand as all devices have it: before the reshard to the device. */
static value *whole_operand(const single_pass *p, const builder *b, value *v)
{
	const sharding *s;
	while (value_def_of(v, OP_SDY_RESHARD) && device_of(p->m, v->sharding) >= 0)
		v = operand(value_def(v), 0);
	s = value_sharding(p->m, v);
	if (!type_is_tensor(v->type) || device_of(p->m, s) >= 0 || sharding_is_fully_replicated(s))
		return v;
	return build_sharded(b, OP_SDY_RESHARD, v,
	                     sharding_replicated(p->m->ctx, p->mesh, v->type->rank));
}

/* ---- one operation --------------------------------------------------------------------------- */

static op *guard_op(const single_pass *p, op *o, int64_t device)
{
	arena *mem = &p->m->ctx->scratch;
	const builder b = builder_before(p->m, o);
	ptr_map map = {0};
	const type **types = NEW_N(mem, const type *, o->n_results);
	value **made = NEW_N(mem, value *, o->n_results), **in = NEW_N(mem, value *, o->n_operands);
	for (int i = 0; i < o->n_results; i++)
		types[i] = result(o, i)->type;
	for (int i = 0; i < o->n_operands; i++)
		in[i] = whole_operand(p, &b, operand(o, i));
	value *which = this_is_device(p, &b, device);
	op *guard = build_op(&b, OP_IF, &which, 1, types, o->n_results, 2);
	block *yes = block_new(p->m, op_region(guard, 0));
	const builder no = builder_at_end(p->m, block_new(p->m, op_region(guard, 1)));
	op *copy = op_clone(p->m, o, &map, mem);
	op_set_operands(p->m, copy, in, o->n_operands);
	op_append(yes, copy);
	for (int i = 0; i < o->n_results; i++) {
		made[i] = result(copy, i);
		made[i]->sharding = NULL;
	}
	block_close(p->m, yes, OP_RETURN, made, o->n_results);
	for (int i = 0; i < o->n_results; i++)
		made[i] = put_nothing(&no, types[i]);
	block_close(p->m, no.at, OP_RETURN, made, o->n_results);
	return guard;
}

static value *give_to_all(const single_pass *p, op *at, value *v)
{
	tess_ctx *ctx = p->m->ctx;
	axis_ref *axes = NEW_N(&ctx->scratch, axis_ref, p->devices->n_axes);
	for (int i = 0; i < p->devices->n_axes; i++)
		axes[i] = axis_full(p->devices->axes[i].name);
	const builder b = builder_before(p->m, at);
	value *all = build_sharded(&b, OP_SDY_ALL_REDUCE, v,
	                           sharding_replicated(ctx, p->mesh, v->type->rank));
	OP_ATTRS(p->m, value_def(all),
	         {N_reduction_axes, attr_axes(ctx, axes, p->devices->n_axes)});
	return all;
}

/* Removes reshards that do not move the value. */
static void drop_reshards(value *v)
{
	for (use *u = v->uses, *next; u; u = next) {
		op *o = u->owner;
		next = u->next;
		if (o->kind != OP_SDY_RESHARD || result(o, 0)->sharding != v->sharding)
			continue;
		value_replace_uses(result(o, 0), v);
		op_erase(o);
		next = v->uses; /* the reshard's uses were added at the front of the list */
	}
}

/* An operand may occur twice. */
static void drop_unused_reshards(value *v)
{
	while (value_def_of(v, OP_SDY_RESHARD) && value_def(v)->parent && value_unused(v)) {
		value *from = operand(value_def(v), 0);
		op_erase(value_def(v));
		v = from;
	}
}

static void resolve_op(const single_pass *p, op *o, int64_t device)
{
	value **in = NEW_N(&p->m->ctx->scratch, value *, o->n_operands);
	op *guard = guard_op(p, o, device);
	for (int i = 0; i < o->n_operands; i++)
		in[i] = operand(o, i);
	for (int i = 0; i < o->n_results; i++) {
		value *v = result(guard, i);
		if (type_is_tensor(v->type))
			v = give_to_all(p, o, v);
		value_replace_uses(result(o, i), v);
		if (value_def(v) != guard)
			drop_reshards(v);
	}
	int n = o->n_operands;
	op_erase(o);
	for (int i = 0; i < n; i++)
		drop_unused_reshards(in[i]);
}

bool pass_resolve_single_device_sharding(module *m, const pass_options *options)
{
	single_pass p = {.m = m,
	                 .replicas = options->replica_count > 1 && options->partition_count <= 1};
	VEC(op *) found = {0};
	arena *mem = &m->ctx->scratch;
	int other = 0;
	if (!find_devices(&p))
		return true;
	for (op *o = m->top; o; o = op_next(o, m->top)) {
		int64_t device;
		if (!o->n_results || op_has(o, DATA_FLOW | RESHARDS))
			continue;
		if (!device_of_op(m, o, &device, &other))
			return diag_error(m->ctx, op_attr_place(m, o, RESULT_PART(o, other)),
			                  E_RESHARD_DEVICE,
			                  "the results of '%s' are placed on different devices",
			                  op_name(o));
		if (device >= 0)
			vec_push(mem, &found, o);
	}
	for (int i = 0; i < found.len; i++) {
		int64_t device;
		device_of_op(m, found.ptr[i], &device, &other);
		resolve_op(&p, found.ptr[i], device);
	}
	return true;
}
