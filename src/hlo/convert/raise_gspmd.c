/* raise_gspmd.c - what programs made for GSPMD say of meshes and of manual computations.
 *
 * There are no meshes in them, only tiles of devices.  Cut at every place where some sharding
 * cuts it, the list of devices becomes a mesh on whose axes all of them can be told:
 * {devices=[8,1]<=[8]} beside {devices=[2,4]<=[8]} means a mesh of 2 by 4.
 *
 *   %1 = custom_call @Sharding(%a) {mhlo.sharding = "{devices=[8,1]<=[8]}"}
 *   %2 = custom_call @SPMDFullToShardShape(%1) {mhlo.sharding = "{manual}"}
 *   %3 = call @shmap_body(%2)
 *   %4 = custom_call @Sharding(%3) {mhlo.sharding = "{manual}"}
 *   %5 = custom_call @SPMDShardToFullShape(%4) {mhlo.sharding = "{devices=[8,1]<=[8]}"}
 *
 * becomes sdy.manual_computation: the first @Sharding of each operand says how it comes in, the
 * last call of each result how it goes out.  A sharding with a manual subgroup of devices,
 * last_tile_dims={manual, replicated}, is manual along some axes only. */
#include "hlo/convert/raise.h"

/* ---- the mesh ------------------------------------------------------------------------ */

const hlo_sharding *gspmd_sharding(tess_ctx *ctx, const attr_list *l)
{
	const attr *a = attrs_get_named(l, name_of_z(ctx, "mhlo.sharding"));
	uint32_t end;
	return a && a->kind == AT_STRING
	               ? hlo_sharding_parse(ctx, source_new(ctx, "sharding", name_str(a->text)), 0,
	                                    &end)
	               : NULL;
}

/* Numbers of devices that divide each other, 1 the first, all the last. */
typedef struct device_cuts {
	int n;
	int64_t at[ASSIGN_MAX];
} device_cuts;

/* Adds the number if it divides those above and is divided by those below. */
static void add_cut(device_cuts *c, int64_t cut)
{
	int i = 0;
	while (i < c->n && c->at[i] < cut)
		i++;
	if (c->n == ASSIGN_MAX || (i < c->n && (c->at[i] == cut || c->at[i] % cut)) ||
	    (i && cut % c->at[i - 1]))
		return;
	memmove(&c->at[i + 1], &c->at[i], sizeof c->at[0] * (size_t)(c->n - i));
	c->at[i] = cut;
	c->n++;
}

static void add_cuts_of(hlo_raiser *r, device_cuts *c, const attr_list *l)
{
	const hlo_sharding *h = gspmd_sharding(r->ctx, l);
	const mesh *m;
	const attr *n = op_attr(r->to->top, N_mhlo_num_partitions);
	if (h && h->kind == HS_UNREDUCED && !c->n && n && n->kind == AT_INT && n->i > 1) {
		add_cut(c, 1); /* of all devices */
		add_cut(c, n->i);
	}
	if (!h || h->kind != HS_TILED || h->named ||
	    (c->n && h->devices.n != c->at[c->n - 1]) ||
	    !hlo_sharding_to_sdy(r->ctx, h, h->rank - h->n_subgroups, NULL, &m) ||
	    m->n_device_ids)
		return;
	add_cut(c, 1);
	add_cut(c, m->n_devices);
	for (int64_t i = m->n_axes, units = 1; i-- > 0;)
		add_cut(c, units *= m->axes[i].size);
}

const mesh *gspmd_mesh(hlo_raiser *r)
{
	device_cuts c = {0};
	for (op *f = module_body(r->to)->first; f; f = f->next) {
		bool defined = op_is_func(f) && !func_is_declaration(f);
		for (int i = 0; defined && i < op_body(f)->n_args; i++)
			add_cuts_of(r, &c, &op_func(f)->arg_attrs[i]);
		for (int i = 0; defined && i < op_func(f)->type->n_out; i++)
			add_cuts_of(r, &c, &op_func(f)->result_attrs[i]);
		for (op *o = f; o; o = op_next(o, f))
			add_cuts_of(r, &c, &o->attrs);
	}
	mesh_axis axes[ASSIGN_MAX];
	for (int i = 0; i + 1 < c.n; i++) {
		int from = c.n - 1 - i;
		char text[32];
		snprintf(text, sizeof text, "_axis_%d", i);
		axes[i] = (mesh_axis){name_of_z(r->ctx, text), c.at[from] / c.at[from - 1]};
	}
	return c.n > 1 ? mesh_of(r->ctx, axes, c.n - 1, NULL, 0) : NULL;
}

/* ---- manual computations ---------------------------------------------------------------- */

static value *sole_user_result(const value *v)
{
	op *o = value_has_one_use(v) ? v->uses->owner : NULL;
	return o && o->n_results == 1 && o->n_operands == 1 ? result(o, 0) : NULL;
}

/* The value that the computation gives for this result of the body, behind a mark perhaps. */
static value *full_result(const value *v)
{
	value *to = sole_user_result(v);
	if (to && (is_call_to(value_def(to), "Sharding") ||
	           value_def(to)->kind == OP_SDY_SHARDING_CONSTRAINT))
		to = sole_user_result(to);
	return to && is_call_to(value_def(to), "SPMDShardToFullShape") && to->sharding ? to : NULL;
}

/* The names of the axes along which the call's operand becomes manual. */
static const attr *manual_axes_of(hlo_raiser *r, const op *full, const mesh *m)
{
	const hlo_sharding *h = gspmd_sharding(r->ctx, &full->attrs);
	axis_list axes;
	if (!h || !hlo_sharding_manual_axes(r->ctx, h, m, &axes))
		return NULL;
	const attr **names = NEW_N(r->mem, const attr *, axes.n + 1);
	for (int i = 0; i < axes.n; i++) {
		if (!axis_is_full(axes.ptr[i]))
			return NULL;
		names[i] = attr_string(r->ctx, axes.ptr[i].axis);
	}
	return attr_of(r->ctx, &(attr){.kind = AT_MANUAL_AXES, .list = names, .n = axes.n});
}

/* Everything on one mesh and manual along the same axes, or false. */
static bool find_gspmd_parts(hlo_raiser *r, const op *call, manual_shape *p)
{
	int n_in = call->n_operands, n_out = call->n_results;
	value **operands = NEW_N(r->mem, value *, n_in + 1);
	const type **types = NEW_N(r->mem, const type *, n_out + 1);
	const sharding **s = NEW_N(r->mem, const sharding *, n_in + n_out + 1);
	const attr *axes = NULL;
	for (int i = 0; i < n_in; i++) {
		const op *full = value_def(operand(call, i));
		const op *mark = is_call_to(full, "SPMDFullToShardShape") ? value_def(operand(full, 0))
		                                                          : NULL;
		if (!mark || mark->kind != OP_SDY_SHARDING_CONSTRAINT)
			return false;
		operands[i] = operand(mark, 0);
		s[i] = mark->results[0].sharding;
		const mesh *m = module_mesh(r->to, s[i]->mesh);
		const attr *these = m ? manual_axes_of(r, full, m) : NULL;
		if (!these || (axes && these != axes))
			return false;
		axes = these;
	}
	for (int i = 0; i < n_out; i++) {
		const value *v = full_result(&call->results[i]);
		if (!v)
			return false;
		types[i] = v->type;
		s[n_in + i] = v->sharding;
	}
	for (int i = 1; i < n_in + n_out; i++)
		if (!mesh_ref_eq(s[0]->mesh, s[i]->mesh))
			return false;
	*p = (manual_shape){operands, n_in, types, n_out, attr_shardings(r->ctx, s, n_in),
	                    attr_shardings(r->ctx, s + n_in, n_out), axes};
	return axes != NULL;
}

/* Erases the op and what made its operands, as long as nobody else uses it. */
static void erase_chain(op *o, int calls)
{
	op *before = o->n_operands == 1 ? value_def(operand(o, 0)) : NULL;
	for (int i = 0; i < o->n_results; i++)
		if (o->results[i].uses)
			return;
	op_erase(o);
	if (before && calls > 1)
		erase_chain(before, calls - 1);
}

static bool raise_gspmd_call(hlo_raiser *r, op *call)
{
	manual_shape p;
	const op *f = module_lookup(r->to, op_attr(call, N_callee)->text);
	if (!f || !op_is_func(f) || func_is_declaration(f) || !call->n_operands ||
	    !is_call_to(value_def(operand(call, 0)), "SPMDFullToShardShape") ||
	    !find_gspmd_parts(r, call, &p))
		return false;
	op *made = raise_manual_before(r, call, &p, f);
	for (int i = 0; i < p.n_out; i++) {
		value *full = full_result(&call->results[i]);
		op *mark = value_def(operand(value_def(full), 0));
		value_replace_uses(full, &made->results[i]);
		op_erase(value_def(full));
		if (mark != call)
			op_erase(mark);
	}
	op **full = NEW_N(r->mem, op *, p.n_in);
	for (int i = 0; i < p.n_in; i++)
		full[i] = value_def(operand(call, i));
	op_erase(call);
	for (int i = 0; i < p.n_in; i++)
		if (!i || full[i] != full[i - 1])
			erase_chain(full[i], 2);
	return true;
}

/* Adds to the number of calls of each function those inside of `root`. */
static void count_callees(hlo_raiser *r, ptr_map *counts, const op *root, int by)
{
	for (const op *o = root; o; o = op_next(o, root)) {
		const attr *callee = o->kind == OP_FUNC_CALL ? op_attr(o, N_callee) : NULL;
		void **n = callee ? ptr_map_at(counts, r->mem, callee->text) : NULL;
		if (n)
			*n = (void *)((intptr_t)*n + by);
	}
}

void raise_gspmd_computations(hlo_raiser *r)
{
	VEC(op *) calls = {0};
	VEC(const name *) bodies = {0};
	for (op *f = module_body(r->to)->first; f; f = f->next)
		for (op *o = f; o; o = op_next(o, f))
			if (o->kind == OP_FUNC_CALL)
				vec_push(r->mem, &calls, o);
	for (int i = 0; i < calls.len; i++) {
		const name *callee = op_attr(calls.ptr[i], N_callee)->text;
		if (raise_gspmd_call(r, calls.ptr[i]) &&
		    (!bodies.len || bodies.ptr[bodies.len - 1] != callee))
			vec_push(r->mem, &bodies, callee);
	}
	ptr_map counts = {0};
	if (bodies.len)
		count_callees(r, &counts, r->to->top, 1);
	for (int i = 0; i < bodies.len; i++) {
		op *f = module_lookup(r->to, bodies.ptr[i]);
		if (!f || ptr_map_get(&counts, bodies.ptr[i]))
			continue;
		count_callees(r, &counts, f, -1);
		module_remove_symbol(r->to, bodies.ptr[i]);
		op_erase(f);
	}
}
