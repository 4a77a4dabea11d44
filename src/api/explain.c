/* explain.c - why a value of a module is sharded as it is. */
#include "api/format.h"
#include "api/frame.h"
#include "api/states.h"
#include "shardy/shardy.h"

#include <tessera/report.h>

typedef struct explain_call {
	tess_module *h;
	const char *value;
	tess_explain_opts opts;
	trail *trail;
	tess_str out;
} explain_call;

static bool propagate_recording(module *m, trail *t)
{
	pass_list l = {.mem = &m->ctx->scratch};
	run_opts quiet = {0};
	pass_options o = pass_options_default();
	o.why = t;
	pass_list_add_named(&l, "propagate", &o);
	return pass_list_run_on_main(m, &l, &quiet);
}

/* The dimension and the axis that were asked for exist. */
static bool can_ask(tess_ctx *ctx, const module *m, const value *v, const explain_call *c)
{
	program_meshes all;
	program_meshes_of(m, &ctx->scratch, &all);
	bool known = !c->opts.axis || !all.len;
	for (int i = 0; i < all.len && !known; i++)
		known = mesh_axis_index(all.ptr[i].mesh, name_of_z(ctx, c->opts.axis)) >= 0;
	if (!known) {
		writer w;
		writer_init(&w, &ctx->scratch);
		mesh_print(&w, all.ptr[0].mesh);
		return diag_error(ctx, NOWHERE, E_NO_VALUE, "the mesh has no axis \"%s\"; it is %s",
		                  c->opts.axis, writer_z(&w));
	}
	int rank = type_is_tensor(v->type) ? v->type->rank : 0;
	if (c->opts.dim >= rank || c->opts.dim < -1)
		return diag_error(ctx, NOWHERE, E_NO_VALUE,
		                  "'%s' has no dimension %" PRId64 "; it has %d, counted from 0",
		                  c->value, c->opts.dim, rank);
	return true;
}

static tess_status explain_body(tess_ctx *ctx, void *arg)
{
	explain_call *c = arg;
	tess_status status = format_check(ctx, c->opts.format, FORMATS_COMMON, "an explanation");
	if (status != TESS_OK)
		return status;
	module *m = module_clone(c->h->m);
	c->trail = trail_new(ctx);
	status = TESS_INVALID;
	if (propagate_recording(m, c->trail)) {
		const value *v = explain_find(m, str_of(c->value));
		if (v && !can_ask(ctx, m, v, c))
			v = NULL;
		else if (!v)
			explain_no_value(ctx, c->value);
		explanation e;
		writer w;
		writer_init(&w, frame_text_arena(ctx));
		if (v) {
			const name *axis = c->opts.axis ? name_of_z(ctx, c->opts.axis) : NULL;
			int dim = c->opts.dim < 0 ? -1 : (int)min_i64(c->opts.dim, INT32_MAX);
			explain_value(m, c->trail, v, dim, axis, &ctx->scratch, &e);
			if (c->opts.format == TESS_FORMAT_JSON)
				explain_json(&e, &ctx->scratch, &w);
			else
				explain_text(&e, &w, c->opts.format == TESS_FORMAT_COLOR);
			c->out = writer_str(&w);
			status = TESS_OK;
		}
	}
	module_free(m);
	return status;
}

tess_status tess_module_explain(tess_module *m, const char *value, const tess_explain_opts *opts,
                                tess_str *out)
{
	explain_call c = {.h = m, .value = value, .opts = TESS_EXPLAIN_OPTS_INIT};
	if (!m || !value || !out)
		return TESS_USAGE;
	if (opts)
		memcpy(&c.opts, opts,
		       opts->struct_size < sizeof c.opts ? opts->struct_size : sizeof c.opts);
	tess_status status = module_settle(m);
	if (status == TESS_OK)
		status = frame_run(CTX_OF(m), explain_body, &c);
	trail_free(c.trail);
	*out = c.out;
	return status;
}

/* ---- collectives -------------------------------------------------------------------- */

typedef struct collective_call {
	tess_module *h;
	int64_t number;
	tess_explain_opts opts;
	trail *trail;
	module *traced; /* as propagation left it */
	program_states s;
	tess_str out;
} collective_call;

static const collective_origin *origin_of(const program_states *s, const op *collective)
{
	for (int i = 0; i < s->origins.len; i++)
		if (s->origins.ptr[i].local == collective)
			return &s->origins.ptr[i];
	return NULL;
}

static tess_status tell_collective(tess_ctx *ctx, collective_call *c)
{
	costs costs;
	collective_why y;
	writer w;
	costs_of(c->s.local.module, NULL, &c->s.meshes, target_at(0), &ctx->scratch, &costs);
	if (c->number < 0 || c->number >= costs.collectives.len) {
		diag_error(ctx, NOWHERE, E_NO_VALUE,
		           "there is no collective %" PRId64
		           "; the program has %d, numbered from 0 as in "
		           "`tess report`",
		           c->number, costs.collectives.len);
		return TESS_INVALID;
	}
	const collective *k = &costs.collectives.ptr[c->number];
	explain_collective(c->traced, c->trail, k, origin_of(&c->s, k->o), (int)c->number,
	                   &ctx->scratch, &y);
	writer_init(&w, frame_text_arena(ctx));
	if (c->opts.format == TESS_FORMAT_JSON)
		explain_collective_json(&y, &ctx->scratch, &w);
	else
		explain_collective_text(&y, &w, c->opts.format == TESS_FORMAT_COLOR);
	c->out = writer_str(&w);
	return TESS_OK;
}

static tess_status collective_body(tess_ctx *ctx, void *arg)
{
	collective_call *c = arg;
	tess_status status = format_check(ctx, c->opts.format, FORMATS_COMMON, "an explanation");
	if (status != TESS_OK)
		return status;
	if (!program_wants_global(c->h->m, "an explanation"))
		return TESS_INVALID;
	c->trail = trail_new(ctx);
	c->traced = module_clone(c->h->m);
	status = propagate_recording(c->traced, c->trail) ? TESS_OK : TESS_INVALID;
	if (status == TESS_OK)
		status = states_make(ctx, c->h->m, &c->s);
	if (status == TESS_OK)
		status = tell_collective(ctx, c);
	states_free(&c->s);
	module_free(c->traced);
	return status;
}

tess_status tess_module_explain_collective(tess_module *m, int64_t number,
                                           const tess_explain_opts *opts, tess_str *out)
{
	collective_call c = {.h = m, .number = number, .opts = TESS_EXPLAIN_OPTS_INIT};
	if (!m || !out)
		return TESS_USAGE;
	if (opts)
		memcpy(&c.opts, opts,
		       opts->struct_size < sizeof c.opts ? opts->struct_size : sizeof c.opts);
	tess_status status = module_settle(m);
	if (status == TESS_OK)
		status = frame_run(CTX_OF(m), collective_body, &c);
	trail_free(c.trail);
	*out = c.out;
	return status;
}
