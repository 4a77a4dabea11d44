/* clean.c - removes what only propagation needed. */
#include "shardy/export/export.h"

bool pass_remove_sharding_groups(module *m, const pass_options *o)
{
	UNUSED(o);
	if (!module_has(m, OP_SDY_SHARDING_GROUP))
		return true;
	for (op *i = m->top, *next; i; i = next) {
		next = op_next(i, m->top);
		if (i->kind == OP_SDY_SHARDING_GROUP)
			op_erase(i);
	}
	module_forget_kind(m, OP_SDY_SHARDING_GROUP);
	return true;
}

bool pass_sharding_constraint_to_reshard(module *m, const pass_options *o)
{
	UNUSED(o);
	if (!module_has(m, OP_SDY_SHARDING_CONSTRAINT))
		return true;
	for (op *i = m->top, *next; i; i = next) {
		next = op_next(i, m->top);
		if (i->kind != OP_SDY_SHARDING_CONSTRAINT)
			continue;
		const builder b = builder_before(m, i);
		value *r = build_sharded(&b, OP_SDY_RESHARD, operand(i, 0), result(i, 0)->sharding);
		op_take_attrs(m, value_def(r), i);
		value_take_name(m, r, result(i, 0));
		value_replace_uses(result(i, 0), r);
		op_erase(i);
	}
	module_forget_kind(m, OP_SDY_SHARDING_CONSTRAINT);
	return true;
}

/* ---- dropping shardings and rules ----------------------------------------------------------- */

static const sharding *close_and_forget_replicated(void *arg, const sharding *s)
{
	tess_ctx *ctx = arg;
	return sharding_closed(ctx, sharding_with_replicated(ctx, s, (axis_list){0}));
}

bool pass_close_shardings(module *m, const pass_options *o)
{
	UNUSED(o);
	module_map_shardings(m, close_and_forget_replicated, m->ctx);
	return true;
}

/* True for ops whose sharding is part of the op. */
static bool is_made_of_sharding(const op *o)
{
	switch (o->kind) {
	case OP_SDY_SHARDING_CONSTRAINT:
	case OP_SDY_RESHARD:
	case OP_SDY_DATA_FLOW_EDGE:
		return true;
	}
	return op_has(o, COLLECTIVE) && str_starts(str_of(op_name(o)), "sdy.");
}

static void drop_shardings(module *m, op *o)
{
	op_set_attr(m, o, N_sdy_sharding, NULL);
	for (int i = 0; i < o->n_results && !is_made_of_sharding(o); i++)
		result(o, i)->sharding = NULL;
	if (!op_is_func(o))
		return;
	for (int i = 0; op_body(o) && i < op_body(o)->n_args; i++)
		op_body(o)->args[i]->sharding = NULL;
	for (int i = 0; i < op_func(o)->type->n_out; i++)
		op_func(o)->result_shardings[i] = NULL;
	for (int i = 0; i < op_func(o)->type->n_in; i++) /* of a declaration */
		attrs_set(&m->mem, &op_func(o)->arg_attrs[i],
		          name_known(m->ctx, N_sdy_sharding), NULL);
}

static void erase_meshes(module *m)
{
	for (op *i = module_body(m)->first, *next; i; i = next) {
		next = i->next;
		if (i->kind != OP_SDY_MESH)
			continue;
		module_remove_symbol(m, op_symbol(i));
		op_erase(i);
	}
}

bool pass_drop_sharding_and_mesh(module *m, const pass_options *o)
{
	UNUSED(o);
	for (op *i = m->top; i; i = op_next(i, m->top))
		drop_shardings(m, i);
	erase_meshes(m);
	return true;
}

bool pass_drop_sharding_rules(module *m, const pass_options *o)
{
	UNUSED(o);
	if (!attr_kind_made(m->ctx, AT_RULE))
		return true;
	for (op *i = m->top; i; i = op_next(i, m->top)) {
		const attr *a = i->attrs.n ? op_attr(i, N_sdy_sharding_rule) : NULL;
		if (a && a->kind == AT_RULE && !a->rule->custom)
			op_set_attr(m, i, N_sdy_sharding_rule, NULL);
	}
	return true;
}

bool pass_remove_propagation_debug_info(module *m, const pass_options *o)
{
	UNUSED(o);
	static const int records[] = {N_sdy_propagation_edges, N_sdy_block_arg_propagation_edges,
	                              N_sdy_result_propagation_edges, N_sdy_sharding_origins,
	                              N_sdy_block_arg_sharding_origins,
	                              N_sdy_result_sharding_origins};
	for (op *i = m->top; i; i = op_next(i, m->top))
		for (int r = 0; r < COUNT(records); r++) {
			const name *n = name_known(m->ctx, records[r]);
			op_set_attr_named(m, i, n, NULL);
			for (int k = 0; op_is_func(i) && k < op_func(i)->type->n_in; k++)
				attrs_set(&m->mem, &op_func(i)->arg_attrs[k], n, NULL);
			for (int k = 0; op_is_func(i) && k < op_func(i)->type->n_out; k++)
				attrs_set(&m->mem, &op_func(i)->result_attrs[k], n, NULL);
		}
	return true;
}

/* ---- inlining meshes ---------------------------------------------------------------- */

static const sharding *inline_mesh(void *arg, const sharding *s)
{
	module *m = arg;
	const mesh *mesh = sharding_mesh(m, s);
	return mesh ? sharding_with_mesh(m->ctx, s, (mesh_ref){.inlined = mesh}) : s;
}

static const attr *struct_attr(tess_ctx *ctx, const char *struct_name, const name *const *names,
                               const attr *const *values, int n)
{
	return attr_of(ctx, &(attr){.kind = AT_STRUCT,
	                            .text = name_of_z(ctx, struct_name),
	                            .n = n,
	                            .names = names,
	                            .list = values});
}

/* Builds #stablehlo.mesh<axes=[<name = "x", size = 2>], device_ids=dense<…>>. */
static const attr *stablehlo_mesh(tess_ctx *ctx, const mesh *mesh)
{
	const name *names[] = {name_known(ctx, N_axes), name_known(ctx, N_device_ids)};
	const attr *values[2];
	const attr **axes = NEW_N(&ctx->scratch, const attr *, mesh->n_axes);
	for (int i = 0; i < mesh->n_axes; i++) {
		const name *of_axis[] = {name_known(ctx, N_name), name_known(ctx, N_size)};
		const attr *axis[] = {attr_string(ctx, mesh->axes[i].name),
		                      attr_i64(ctx, mesh->axes[i].size)};
		axes[i] = struct_attr(ctx, "stablehlo.mesh_axis", of_axis, axis, COUNT(axis));
	}
	values[0] = attr_array(ctx, axes, mesh->n_axes);
	if (mesh->n_device_ids) {
		const type *t = type_tensor(ctx, DT_I64, &mesh->n_device_ids, 1);
		values[1] = attr_dense(ctx, t, mesh->device_ids,
		                       sizeof(int64_t) * (size_t)mesh->n_device_ids, false);
	}
	return struct_attr(ctx, "stablehlo.mesh", names, values, mesh->n_device_ids ? 2 : 1);
}

static void inline_group_mesh(module *m, op *o)
{
	const attr *groups = op_attr(o, N_replica_groups);
	const attr *symbol = groups && groups->kind == AT_STRUCT ? attr_get(groups, N_mesh) : NULL;
	if (!symbol || symbol->kind != AT_SYMBOL)
		return;
	const mesh *mesh = module_mesh(m, (mesh_ref){.symbol = symbol->text});
	if (!mesh)
		return;
	const attr **fields = COPY_N(&m->ctx->scratch, groups->list, groups->n);
	for (int i = 0; i < groups->n; i++)
		if (fields[i] == symbol)
			fields[i] = stablehlo_mesh(m->ctx, mesh);
	op_set_attr(m, o, N_replica_groups,
	            struct_attr(m->ctx, groups->text->s, groups->names, fields, groups->n));
}

static bool has_groups(const module *m)
{
	for (int kind = 0; kind < OP_COUNT; kind++)
		if (module_has(m, kind) && op_takes_mesh_groups(kind))
			return true;
	return false;
}

bool pass_inline_meshes(module *m, const pass_options *o)
{
	UNUSED(o);
	module_map_shardings(m, inline_mesh, m);
	for (op *i = has_groups(m) ? m->top : NULL; i; i = op_next(i, m->top))
		inline_group_mesh(m, i);
	erase_meshes(m);
	return true;
}
