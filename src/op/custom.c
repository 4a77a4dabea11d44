/* custom.c - decodes custom calls.
 *
 * JAX's ragged_all_to_all is a custom call, though HLO has an instruction for it: its groups and
 * channel are in a dictionary. It counts as a collective wherever devices communicate. */
#include "op/op.h"

const char *op_call_target(const op *o)
{
	const attr *a = o->kind == OP_CUSTOM_CALL ? op_attr(o, N_call_target_name) : NULL;
	return a && a->text ? a->text->s : "";
}

bool op_calls(const op *o, const char *target)
{
	return o->kind == OP_CUSTOM_CALL && !strcmp(op_call_target(o), target);
}

bool op_calls_apart(const op *o)
{
	for (int i = 0; i < o->n_results; i++)
		if (result(o, i)->type->kind != TY_TOKEN)
			return false;
	return str_starts(str_of(op_call_target(o)), "xla_ffi_partitioned_");
}

/* JAX writes a dictionary as mhlo.backend_config where backend_config must be a string, and as
 * mhlo.attributes for operations of MHLO. */
const attr *custom_option(tess_ctx *ctx, const op *o, const char *key)
{
	const attr *places[] = {op_attr(o, N_mhlo_backend_config), op_attr(o, N_backend_config),
	                        op_attr_named(o, name_of_z(ctx, "mhlo.attributes"))};
	for (int i = 0; i < COUNT(places); i++) {
		const attr *a = places[i] && places[i]->kind == AT_DICT
		                        ? attr_get_named(places[i], name_of_z(ctx, key))
		                        : NULL;
		if (a)
			return a;
	}
	return NULL;
}

bool op_is_ragged_all_to_all(const op *o) { return op_calls(o, "ragged_all_to_all"); }

bool op_is_collective(const op *o) { return op_has(o, COLLECTIVE) || op_is_ragged_all_to_all(o); }

void ragged_set_channel(module *m, op *o, int64_t channel)
{
	const name *key = name_of_z(m->ctx, "channel_id");
	int at = op_attr(o, N_mhlo_backend_config) ? N_mhlo_backend_config : N_backend_config;
	const attr *dict = op_attr(o, at);
	if (!dict || dict->kind != AT_DICT || !attr_get_named(dict, key))
		return;
	const attr **list = COPY_N(&m->ctx->scratch, dict->list, dict->n);
	for (int i = 0; i < dict->n; i++)
		if (dict->names[i] == key)
			list[i] = attr_i64(m->ctx, channel);
	op_set_attr(m, o, at, attr_dict(m->ctx, dict->names, list, dict->n));
}
