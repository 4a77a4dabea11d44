/* explain.c - explains the shardings of a module's values and its collectives. */
#include "api/format.h"
#include "api/frame.h"
#include "api/states.h"
#include "shardy/shardy.h"

#include <tessera/report.h>

static bool propagate_recording(module *m, trail *t)
{
	pass_list l = {.mem = &m->ctx->scratch};
	run_opts quiet = {0};
	pass_options o = pass_options_default();
	o.why = t;
	pass_list_add_named(&l, "propagate", &o);
	return pass_list_run_on_main(m, &l, &quiet);
}

/* Checks that the requested dimension and axis exist. */
static bool can_ask(tess_ctx *ctx, const module *m, const value *v, const char *named,
                    const tess_explain_opts *o)
{
	program_meshes all;
	program_meshes_of(m, &ctx->scratch, &all);
	bool known = !o->axis || !all.len;
	for (int i = 0; i < all.len && !known; i++)
		known = mesh_axis_index(all.ptr[i].mesh, name_of_z(ctx, o->axis)) >= 0;
	if (!known) {
		writer w;
		writer_init(&w, &ctx->scratch);
		mesh_print(&w, all.ptr[0].mesh);
		return diag_error(ctx, NOWHERE, E_NO_VALUE, "the mesh has no axis \"%s\"; it is %s",
		                  o->axis, writer_z(&w));
	}
	int rank = type_is_tensor(v->type) ? v->type->rank : 0;
	if (o->dim >= rank || o->dim < -1)
		return diag_error(ctx, NOWHERE, E_NO_VALUE,
		                  "'%s' has no dimension %" PRId64 "; it has %d, counted from 0",
		                  named, o->dim, rank);
	return true;
}

typedef struct explain_job {
	module *m;
	const char *value;
	tess_explain_opts opts;
	char **out;
	trail *trail;
} explain_job;

static void put_explanation(writer *w, module *m, const explain_job *j, value *v)
{
	tess_ctx *ctx = m->ctx;
	const tess_explain_opts *o = &j->opts;
	const name *axis = o->axis ? name_of_z(ctx, o->axis) : NULL;
	int dim = o->dim < 0 ? -1 : (int)min_i64(o->dim, INT32_MAX);
	explanation e;
	explain_value(m, j->trail, v, dim, axis, &ctx->scratch, &e);
	if (o->format == TESS_FORMAT_JSON)
		explain_json(&e, &ctx->scratch, w);
	else
		explain_text(&e, w, o->format == TESS_FORMAT_COLOR);
}

/* For a few values, writes one explanation after the other; for more, a line for each, and an
 * explanation of the largest. JSON is an array of all. */
static char *explanation_of(module *m, const explain_job *j, const value_list *values)
{
	enum { FEW = 3 };
	bool is_json = j->opts.format == TESS_FORMAT_JSON, list = values->len > 1 && is_json;
	writer w = text_writer(m->ctx);
	if (values->len > FEW && !is_json) {
		put_explanation(&w, m, j, values->ptr[explain_list_text(m, values->ptr, values->len, &w)]);
		return text_give(m->ctx, &w);
	}
	for (int i = 0; i < values->len; i++) {
		put_z(&w, list ? i ? ",\n" : "[\n" : i ? "\n" : "");
		put_explanation(&w, m, j, values->ptr[i]);
	}
	put_z(&w, list ? "]\n" : "");
	return text_give(m->ctx, &w);
}

static tess_status explain_body(tess_ctx *ctx, void *arg)
{
	explain_job *j = arg;
	tess_status status = format_check(ctx, j->opts.format, FORMATS_COMMON, "an explanation");
	if (status != TESS_OK)
		return status;
	module *m = module_clone(j->m);
	j->trail = trail_new(ctx);
	value_list values;
	if (propagate_recording(m, j->trail) &&
	    address_values(m, j->value, &ctx->scratch, &values)) {
		bool can = true;
		for (int i = 0; can && i < values.len; i++)
			can = can_ask(ctx, m, values.ptr[i], j->value, &j->opts);
		if (can)
			*j->out = explanation_of(m, j, &values);
	}
	module_free(m);
	return *j->out ? TESS_OK : TESS_INVALID;
}

tess_status tess_module_explain(tess_module *h, const char *value, const tess_explain_opts *opts,
                                char **out)
{
	explain_job j = {.value = value, .opts = TESS_EXPLAIN_OPTS_INIT, .out = out};
	if (!h || !value || !out)
		return TESS_USAGE;
	OPTS_READ(j.opts, opts);
	*out = NULL;
	j.m = h->m;
	tess_status status = module_settle(h);
	if (status == TESS_OK)
		status = frame_run(h->ctx, explain_body, &j);
	trail_free(j.trail);
	return status;
}

/* ---- collectives -------------------------------------------------------------------- */

static const collective_origin *origin_of(const program_states *s, const op *collective)
{
	for (int i = 0; i < s->origins.len; i++)
		if (s->origins.ptr[i].local == collective)
			return &s->origins.ptr[i];
	return NULL;
}

typedef struct collective_job {
	module *m;
	int64_t number;
	tess_format format;
	char **out;
	trail *trail;
	module *traced; /* the program after propagation */
	program_states s;
} collective_job;

static tess_status tell_collective(tess_ctx *ctx, const collective_job *j)
{
	int64_t number = j->number;
	costs costs;
	collective_why y;
	costs_of(j->s.local.module, NULL, &j->s.meshes, target_at(0), &ctx->scratch, &costs);
	if (number < 0 || number >= costs.collectives.len) {
		diag_error(ctx, NOWHERE, E_NO_VALUE,
		           "there is no collective %" PRId64
		           "; the program has %d, numbered from 0 as in "
		           "`tess report`",
		           number, costs.collectives.len);
		return TESS_INVALID;
	}
	const collective *k = &costs.collectives.ptr[number];
	writer w = text_writer(ctx);
	explain_collective(j->traced, j->trail, k, origin_of(&j->s, k->o), (int)number,
	                   &ctx->scratch, &y);
	if (j->format == TESS_FORMAT_JSON)
		explain_collective_json(&y, &ctx->scratch, &w);
	else
		explain_collective_text(&y, &w, j->format == TESS_FORMAT_COLOR);
	*j->out = text_give(ctx, &w);
	return TESS_OK;
}

static tess_status collective_body(tess_ctx *ctx, void *arg)
{
	collective_job *j = arg;
	tess_status status = format_check(ctx, j->format, FORMATS_COMMON, "an explanation");
	if (status != TESS_OK)
		return status;
	if (!program_wants_global(j->m, "an explanation"))
		return TESS_INVALID;
	j->trail = trail_new(ctx);
	j->traced = module_clone(j->m);
	status = propagate_recording(j->traced, j->trail) ? TESS_OK : TESS_INVALID;
	if (status == TESS_OK)
		status = states_make(ctx, j->m, &j->s);
	if (status == TESS_OK)
		status = tell_collective(ctx, j);
	states_free(&j->s);
	module_free(j->traced);
	return status;
}

tess_status tess_module_explain_collective(tess_module *h, int64_t number,
                                           const tess_explain_opts *opts, char **out)
{
	tess_explain_opts o = TESS_EXPLAIN_OPTS_INIT;
	collective_job j = {.number = number, .out = out};
	if (!h || !out)
		return TESS_USAGE;
	OPTS_READ(o, opts);
	*out = NULL;
	j.m = h->m;
	j.format = o.format;
	j.s.as_shardy = o.reshards == TESS_RESHARD_SDY;
	tess_status status = module_settle(h);
	if (status == TESS_OK)
		status = frame_run(h->ctx, collective_body, &j);
	trail_free(j.trail);
	return status;
}
