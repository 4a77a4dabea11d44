/* propagate.c - the public functions of a propagation that can be changed and run again. */
#include "propagate/propagate.h"

#include "api/frame.h"
#include "api/module.h"
#include "partition/partition.h"
#include "shardy/shardy.h"

#include <tessera/propagate.h>

struct tess_propagation {
	tess_ctx *ctx;
	module *m;
	kept_propagation *kept;
};

/* ---- creating and freeing ------------------------------------------------------------------- */

typedef struct propagation_call {
	tess_propagation *p;
	const char *options;
	value *value;
	size_t result;
	const sharding *sharding;
	kept_stats stats;
} propagation_call;

/* Runs the pipeline `propagate` without its last pass, whose options are returned in *o. */
static tess_status import_program(tess_ctx *ctx, const propagation_call *c, pass_options *o)
{
	pass_list l = {.mem = &ctx->scratch};
	run_opts quiet = {0};
	const char *text = arena_printf(&ctx->scratch, "propagate{%s}", c->options);
	if (!pass_list_parse(ctx, &l, text))
		return TESS_INVALID;
	const pass_step *last = &l.steps.ptr[l.steps.len - 1];
	if (!last->def || last->def->run != pass_user_priority_propagate) {
		diag_error(ctx, NOWHERE, E_PIPELINE,
		           "expected options of the pipeline `propagate`, not '%s'",
		           c->options);
		return TESS_INVALID;
	}
	*o = last->opts;
	l.steps.len--;
	return pass_list_run_on_main(c->p->m, &l, &quiet) ? TESS_OK : TESS_INVALID;
}

static tess_status propagation_new_body(tess_ctx *ctx, void *arg)
{
	propagation_call *c = arg;
	pass_options o;
	if (!program_wants_global(c->p->m, "propagation"))
		return TESS_INVALID;
	tess_status status = import_program(ctx, c, &o);
	if (status != TESS_OK)
		return status;
	c->p->kept = kept_new(c->p->m, &o);
	return kept_open(c->p->kept) ? TESS_OK : TESS_INVALID;
}

tess_propagation *tess_propagation_new(tess_module *m, const char *options)
{
	tess_propagation *p = module_settle(m) == TESS_OK
	                              ? ctx_realloc(m->ctx, NULL, sizeof *p)
	                              : NULL;
	if (!p)
		return NULL;
	*p = (tess_propagation){.ctx = m->ctx, .m = m->m};
	propagation_call c = {.p = p, .options = options ? options : ""};
	if (frame_run(CTX_OF(m), propagation_new_body, &c) == TESS_OK)
		return p;
	tess_propagation_free(p);
	return NULL;
}

void tess_propagation_free(tess_propagation *p)
{
	if (!p)
		return;
	kept_free(p->kept);
	ctx_realloc(p->ctx, p, 0);
}

/* ---- annotations ------------------------------------------------------------------ */

static bool annotation_fits(const propagation_call *c, const type *t)
{
	const sharding *s = c->sharding;
	const mesh *on = s ? sharding_mesh(c->p->m, s) : NULL;
	if (s && !on)
		return diag_error(c->p->ctx, NOWHERE, E_INPUT, "the program has no mesh @%s",
		                  s->mesh.symbol ? s->mesh.symbol->s : "");
	return !s || sharding_verify(c->p->ctx, s, on, type_is_tensor(t) ? t->rank : 0, NULL);
}

static tess_status propagation_annotate_body(tess_ctx *ctx, void *arg)
{
	const propagation_call *c = arg;
	UNUSED(ctx);
	if (!annotation_fits(c, c->value->type))
		return TESS_INVALID;
	return kept_annotate(c->p->kept, c->value, c->sharding) ? TESS_OK : TESS_USAGE;
}

tess_status tess_propagation_annotate(tess_propagation *p, tess_value *v, const tess_sharding *s)
{
	propagation_call c = {.p = p, .value = v, .sharding = s};
	return v ? frame_run(CTX_OF(p), propagation_annotate_body, &c) : TESS_USAGE;
}

static tess_status annotate_result_body(tess_ctx *ctx, void *arg)
{
	const propagation_call *c = arg;
	UNUSED(ctx);
	const op *main = module_main(c->p->m);
	if (!main || c->result >= (size_t)op_func(main)->type->n_out)
		return TESS_USAGE;
	if (!annotation_fits(c, op_func(main)->type->out[c->result]))
		return TESS_INVALID;
	return kept_annotate_result(c->p->kept, (int)c->result, c->sharding) ? TESS_OK : TESS_USAGE;
}

tess_status tess_propagation_annotate_result(tess_propagation *p, size_t i, const tess_sharding *s)
{
	propagation_call c = {.p = p, .result = i, .sharding = s};
	return frame_run(CTX_OF(p), annotate_result_body, &c);
}

static tess_status annotation_body(tess_ctx *ctx, void *arg)
{
	propagation_call *c = arg;
	UNUSED(ctx);
	c->sharding = kept_annotation(c->p->kept, c->value);
	return TESS_OK;
}

const tess_sharding *tess_propagation_annotation(tess_propagation *p, const tess_value *v)
{
	propagation_call c = {.p = p, .value = (value *)(uintptr_t)v};
	return v && frame_run(CTX_OF(p), annotation_body, &c) == TESS_OK ? c.sharding : NULL;
}

_Static_assert((int)KEPT_FIRST == TESS_PROPAGATED_FIRST &&
                       (int)KEPT_PRIORITIES == TESS_PROPAGATED_PRIORITIES,
               "the ways to run have the same numbers inside");

/* ---- running -------------------------------------------------------------------------------- */

static tess_status propagation_run_body(tess_ctx *ctx, void *arg)
{
	propagation_call *c = arg;
	UNUSED(ctx);
	return kept_run_again(c->p->kept, &c->stats) ? TESS_OK : TESS_INVALID;
}

tess_status tess_propagation_run(tess_propagation *p, tess_propagation_stats *stats)
{
	propagation_call c = {.p = p};
	tess_status status = frame_run(CTX_OF(p), propagation_run_body, &c);
	if (status != TESS_OK || !stats)
		return status;
	tess_propagation_stats s = {.struct_size = stats->struct_size,
	                            .how = (tess_propagated)c.stats.how,
	                            .operations = c.stats.n_nodes,
	                            .visits = c.stats.n_visits,
	                            .changed = c.stats.n_changed};
	memcpy(stats, &s, s.struct_size < sizeof s ? s.struct_size : sizeof s);
	return status;
}
