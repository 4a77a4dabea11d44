/* plan.c - plans for a module. */
#include "report/report.h"

#include "api/format.h"
#include "api/frame.h"
#include "api/machine.h"
#include "api/states.h"

#include <tessera/plan.h>
#include <time.h>

struct tess_plan {
	tess_ctx *ctx;
	arena mem;
	plan_result r;
	const target *machine;
	const char *title; /* in mem, like the machine */
	double seconds;             /* processor time of the search */
};

typedef struct plan_call {
	tess_module *h;
	tess_plan_opts opts;
	tess_plan *p;
	machine machine;
} plan_call;

static bool tell_plan_progress(void *user, const plan_progress *p)
{
	const plan_call *c = user;
	tess_plan_progress out = {.evaluated = p->evaluated, .fits = p->fits, .bound = p->bound};
	if (p->best) {
		out.step_seconds = p->best->cost.step_seconds;
		out.peak_bytes = p->best->cost.peak_bytes;
	}
	return c->opts.proceed(c->opts.user, &out);
}

static double processor_seconds(void) { return (double)clock() / CLOCKS_PER_SEC; }

static tess_status find_plan(tess_ctx *ctx, void *arg)
{
	plan_call *c = arg;
	const tess_plan_opts *o = &c->opts;
	tess_plan *p = c->p;
	double begun = processor_seconds();
	tess_status status = machine_find(ctx, o->target, &p->mem, &c->machine);
	if (status != TESS_OK)
		return status;
	if (!program_wants_annotations(c->h->m, "a plan"))
		return TESS_INVALID;
	plan_options options = {.target = c->machine.target,
	                        .devices = o->devices,
	                        .limit = o->limit,
	                        .keep = (plan_keep)o->keep,
	                        .mesh = o->mesh,
	                        .tactic = o->tactic,
	                        .forbid = o->forbid,
	                        .budget = o->budget,
	                        .progress = o->proceed ? tell_plan_progress : NULL,
	                        .user = c};
	const module *m = c->h->m;
	p->machine = c->machine.target;
	p->title = arena_printf(&p->mem, "%s", module_title(m, NULL));
	bool found = plan_find(m, &options, &p->mem, &p->r);
	if (p->r.subject.m)
		module_adopt(p->r.subject.m);
	p->seconds = processor_seconds() - begun;
	return found ? TESS_OK : TESS_INVALID;
}

static tess_plan *plan_handle_new(tess_ctx *ctx)
{
	tess_plan *p = ctx_realloc(ctx, NULL, sizeof *p);
	if (p) {
		*p = (tess_plan){.ctx = ctx};
		arena_init(&p->mem, ctx);
	}
	return p;
}

tess_status tess_plan_find(tess_module *h, const tess_plan_opts *opts, tess_plan **out)
{
	plan_call c = {.h = h, .opts = TESS_PLAN_OPTS_INIT};
	if (!h || !out)
		return TESS_USAGE;
	OPTS_READ(c.opts, opts);
	*out = NULL;
	if (c.opts.devices < 0 || c.opts.limit < 0 || c.opts.budget < 0)
		return TESS_USAGE;
	tess_status status = module_settle(h);
	if (status != TESS_OK)
		return status;
	c.p = plan_handle_new(h->ctx);
	if (!c.p)
		return TESS_NOMEM;
	status = frame_run(h->ctx, find_plan, &c);
	machine_free(h->ctx, &c.machine);
	if (status == TESS_OK) {
		*out = c.p;
	} else {
		if (status == TESS_NOMEM) /* the frame has released it */
			c.p->r.subject.m = NULL;
		tess_plan_free(c.p);
	}
	return status;
}

void tess_plan_free(tess_plan *p)
{
	if (!p)
		return;
	if (p->r.subject.m)
		module_free(p->r.subject.m);
	arena_free(&p->mem);
	ctx_realloc(p->ctx, p, 0);
}

bool tess_plan_fits(const tess_plan *p) { return p && p->r.fits; }

static plan_words words_of(const tess_plan *p, tess_format format)
{
	return (plan_words){.r = &p->r,
	                    .title = p->title,
	                    .target = p->machine->name,
	                    .seconds = p->seconds,
	                    .color = format == TESS_FORMAT_COLOR};
}

static char *plan_report_text(tess_plan *p, tess_format format)
{
	tess_ctx *ctx = p->ctx;
	if (format_check(ctx, format, FORMATS_COMMON | FORMAT_BIT(TESS_FORMAT_HTML), "a plan") !=
	    TESS_OK)
		return NULL;
	writer w = text_writer(ctx);
	plan_words words = words_of(p, format);
	if (format == TESS_FORMAT_JSON)
		plan_json(&words, &ctx->scratch, &w);
	else
		plan_text(&words, &w);
	return text_give(ctx, &w);
}

/* The report of the program with the plan, which comes first. */
static char *plan_report_page(tess_plan *p)
{
	plan_words words = words_of(p, TESS_FORMAT_HTML);
	char *page = NULL;
	tess_module *m = tess_plan_apply(p);
	if (m)
		plan_page(m, &words, p->machine, &page);
	tess_module_free(m);
	return page;
}

char *tess_plan_report(tess_plan *p, tess_format format)
{
	frame f;
	if (!p)
		return NULL;
	if (format == TESS_FORMAT_HTML)
		return plan_report_page(p);
	if (setjmp(*frame_start(&f, p->ctx)) == 0)
		f.made = plan_report_text(p, format);
	return frame_made(&f);
}

static char *plan_emitted(tess_plan *p, const char *form)
{
	tess_ctx *ctx = p->ctx;
	writer w = text_writer(ctx);
	plan_words words = words_of(p, TESS_FORMAT_TEXT);
	return plan_emit(&words, form, &ctx->scratch, &w) ? text_give(ctx, &w) : NULL;
}

char *tess_plan_emit(tess_plan *p, const char *form)
{
	frame f;
	if (!p || !form)
		return NULL;
	if (setjmp(*frame_start(&f, p->ctx)) == 0)
		f.made = plan_emitted(p, form);
	return frame_made(&f);
}

typedef struct plan_apply_call {
	const tess_plan *p;
	tess_module *to;
} plan_apply_call;

static tess_status apply_plan(tess_ctx *ctx, void *arg)
{
	plan_apply_call *c = arg;
	(void)ctx;
	c->to->m = plan_applied(&c->p->r.subject, &c->p->r.best);
	module_adopt(c->to->m);
	return TESS_OK;
}

tess_module *tess_plan_apply(tess_plan *p)
{
	plan_apply_call c = {.p = p, .to = module_handle_new(CTX_OF(p))};
	return c.to ? module_or_free(c.to, frame_run(p->ctx, apply_plan, &c)) : NULL;
}
