/* advise.c - advice for a module. */
#include "report/report.h"

#include "api/format.h"
#include "api/frame.h"
#include "api/machine.h"
#include "api/module.h"

#include <tessera/plan.h>

typedef struct advise_call {
	module *m;
	tess_advise_opts opts;
	char **out;
	machine machine;
	advice_list r;
} advise_call;

static char *advice_as_text(const advise_call *c)
{
	tess_ctx *ctx = c->m->ctx;
	const char *title = c->opts.title;
	advice_words words = {.r = &c->r,
	                      .title = title       ? title
	                               : c->m->src ? c->m->src->name
	                                           : "program",
	                      .target = c->machine.target,
	                      .color = c->opts.format == TESS_FORMAT_COLOR};
	writer w = text_writer(ctx);
	if (c->opts.format == TESS_FORMAT_JSON)
		advice_json(&words, &ctx->scratch, &w);
	else
		advice_text(&words, &w);
	return text_give(ctx, &w);
}

static tess_status advise_body(tess_ctx *ctx, void *arg)
{
	advise_call *c = arg;
	tess_status status = format_check(ctx, c->opts.format, FORMATS_COMMON, "advice");
	if (status == TESS_OK)
		status = machine_find(ctx, c->opts.target, &ctx->scratch, &c->machine);
	if (status != TESS_OK)
		return status;
	if (!program_wants_global(c->m, "advice"))
		return TESS_INVALID;
	bool found = plan_advise(c->m, c->machine.target, c->opts.limit, c->opts.budget,
	                         &ctx->scratch, &c->r);
	if (found)
		*c->out = advice_as_text(c);
	if (c->r.subject.m)
		module_free(c->r.subject.m);
	return found ? TESS_OK : TESS_INVALID;
}

tess_status tess_module_advise(tess_module *h, const tess_advise_opts *opts, char **out)
{
	advise_call c = {.opts = TESS_ADVISE_OPTS_INIT, .out = out};
	if (!h || !out)
		return TESS_USAGE;
	OPTS_READ(c.opts, opts);
	*out = NULL;
	if (c.opts.limit < 0 || c.opts.budget < 0)
		return TESS_USAGE;
	c.m = h->m;
	tess_status status = module_settle(h);
	if (status == TESS_OK)
		status = frame_run(h->ctx, advise_body, &c);
	machine_free(h->ctx, &c.machine);
	return status;
}
