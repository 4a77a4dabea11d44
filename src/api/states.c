/* states.c - a program in the states that reports look at. */
#include "api/states.h"

#include "pipeline/pipeline.h"

const mesh *states_mesh(const module *m)
{
	for (const op *o = module_body(m)->first; o; o = o->next) {
		const attr *a = o->kind == OP_SDY_MESH ? op_attr(o, N_mesh) : NULL;
		if (a && a->kind == AT_MESH)
			return a->mesh;
	}
	return NULL;
}

tess_status states_target(tess_ctx *ctx, const char *named, const target **out)
{
	*out = named ? target_named(named) : target_at(0);
	if (*out)
		return TESS_OK;
	diag_error(ctx, NOWHERE, E_TARGET, "there is no target '%s'", named);
	return TESS_USAGE;
}

tess_status states_make(tess_ctx *ctx, const module *given, program_states *out)
{
	pass_list l = {.mem = &ctx->scratch};
	run_opts quiet = {0};
	partition_options po = {.quiet = true, .origins = &out->origins};
	out->global = module_clone(given);
	if (!pass_list_parse(ctx, &l, "shard") || !pass_list_run(out->global, &l, &quiet))
		return TESS_INVALID;
	return partition_local(out->global, &po, &ctx->scratch, &out->local) ? TESS_OK : TESS_INVALID;
}

void states_free(program_states *s)
{
	if (s->local.module)
		module_free(s->local.module);
	if (s->global)
		module_free(s->global);
}
