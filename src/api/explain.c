/* explain.c - why a value of a module is sharded as it is. */
#include "api/frame.h"
#include "api/module.h"
#include "pipeline/pipeline.h"
#include "report/report.h"

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
	return pass_list_run(m, &l, &quiet);
}

static tess_status explain_body(tess_ctx *ctx, void *arg)
{
	explain_call *c = arg;
	module *m = module_clone(c->h->m);
	c->trail = trail_new(ctx);
	tess_status status = TESS_INVALID;
	if (propagate_recording(m, c->trail)) {
		const value *v = explain_find(m, str_of(c->value));
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
		} else {
			explain_no_value(ctx, c->value);
		}
	}
	module_free(m);
	return status;
}

tess_status tess_module_explain(tess_module *m, const char *value, const tess_explain_opts *opts,
                                tess_str *out)
{
	explain_call c = {.h = m, .value = value, .opts = TESS_EXPLAIN_OPTS_INIT};
	if (opts)
		memcpy(&c.opts, opts,
		       opts->struct_size < sizeof c.opts ? opts->struct_size : sizeof c.opts);
	tess_status status = frame_run(m->ctx, explain_body, &c);
	trail_free(c.trail);
	*out = c.out;
	return status;
}
