/* states.c - a program in the states that reports need. */
#include "api/states.h"

#include "shardy/shardy.h"

static void note_edges(program_states *s)
{
	const module *m = s->global;
	for (const op *o = m->top; o; o = op_next(o, m->top))
		if (op_has(o, EDGE))
			*ptr_map_at(&s->edges, &s->global->mem, &o->results[0]) = operand(o, 0);
}

/* The trail refers to edges, which passes after propagation erase; they are recorded in between. */
static bool run_noting_edges(program_states *s, pass_list *l)
{
	run_opts quiet = {0};
	pass_list head = *l, tail = *l;
	int n = 0;
	while (n < l->steps.len && strcmp(l->steps.ptr[n].def->name, "sdy-user-priority-propagate"))
		n++;
	head.steps.len = (int)min_i64(n + 1, l->steps.len);
	tail.steps.ptr += head.steps.len;
	tail.steps.len -= head.steps.len;
	if (!pass_list_run_on_main(s->global, &head, &quiet))
		return false;
	if (s->trail)
		note_edges(s);
	return pass_list_run_on_main(s->global, &tail, &quiet);
}

static bool is_reportable(const module *local)
{
	return program_countable(local) && program_openable(local);
}

/* A per-device program is used as it is; of the global program only @main's values are known. */
static tess_status states_of_local(tess_ctx *ctx, const module *given, program_states *out)
{
	out->global = module_clone(given);
	program_meshes_of(out->global, &ctx->scratch, &out->meshes);
	out->mesh = out->meshes.len ? out->meshes.ptr[0].mesh : NULL;
	module *local = module_clone(given);
	if (local_program_read(local, &ctx->scratch, &out->local) && is_reportable(local))
		return TESS_OK;
	out->local.module = NULL;
	module_free(local);
	return TESS_INVALID;
}

static bool partition_for(program_states *s, const partition_options *o, arena *mem)
{
	if (s->as_shardy)
		return reshard_as_shardy(s->global) && partition_local(s->global, o, mem, &s->local);
	return s->machine ? partition_fastest(s->global, s->machine, o, mem, &s->local)
	                  : partition_local(s->global, o, mem, &s->local);
}

tess_status states_make(tess_ctx *ctx, const module *given, program_states *out)
{
	if (program_is_local(given))
		return states_of_local(ctx, given, out);
	pass_list l = {.mem = &ctx->scratch};
	partition_options po = {.quiet = true, .origins = &out->origins};
	pass_options o = pass_options_default();
	o.why = out->trail;
	pass_list_add_named(&l, "shard", &o);
	out->global = module_clone(given);
	if (!run_noting_edges(out, &l))
		return TESS_INVALID;
	program_meshes_of(out->global, &ctx->scratch, &out->meshes);
	out->mesh = out->meshes.len ? out->meshes.ptr[0].mesh : NULL;
	return partition_for(out, &po, &ctx->scratch) && is_reportable(out->local.module)
	               ? TESS_OK
	               : TESS_INVALID;
}

void states_open(program_states *s) { s->opened = program_opened(s->local.module); }

void states_free(program_states *s)
{
	if (s->opened)
		module_free(s->opened);
	if (s->local.module)
		module_free(s->local.module);
	if (s->global)
		module_free(s->global);
}
