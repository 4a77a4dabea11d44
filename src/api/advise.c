/* advise.c - advice for a module, and the cost of alternative annotations. */
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

/* Prepares what both functions here need before they try changes. */
static tess_status begin_trying(tess_ctx *ctx, module *m, tess_format format, const char *what,
                                const char *target, machine *out)
{
	tess_status status = format_check(ctx, format, FORMATS_COMMON, what);
	if (status == TESS_OK)
		status = machine_find(ctx, target, &ctx->scratch, out);
	return status == TESS_OK && !program_wants_annotations(m, what) ? TESS_INVALID : status;
}

/* The machine is one that begin_trying() found, or none. */
static tess_status try_changes(tess_module *h, frame_fn *body, void *call, machine *m)
{
	tess_status status = module_settle(h);
	if (status == TESS_OK)
		status = frame_run(h->ctx, body, call);
	machine_free(h->ctx, m);
	return status;
}

static char *advice_as_text(const advise_call *c, tess_format format)
{
	tess_ctx *ctx = c->m->ctx;
	advice_words words = {.r = &c->r,
	                      .title = module_title(c->m, c->opts.title),
	                      .target = c->machine.target,
	                      .color = format == TESS_FORMAT_COLOR};
	writer w = text_writer(ctx);
	if (format == TESS_FORMAT_JSON)
		advice_json(&words, &ctx->scratch, &w);
	else
		advice_text(&words, &w);
	return text_give(ctx, &w);
}

static bool tell_advice_progress(void *user, int64_t tried, const plan_cost *best)
{
	const advise_call *c = user;
	tess_plan_progress out = {.evaluated = tried,
	                          .step_seconds = best->step_seconds,
	                          .peak_bytes = best->peak_bytes,
	                          .fits = best->peak_bytes <= c->r.limit};
	return c->opts.proceed(c->opts.user, &out);
}

static tess_status advise_body(tess_ctx *ctx, void *arg)
{
	advise_call *c = arg;
	tess_status status = begin_trying(ctx, c->m, c->opts.format, "advice", c->opts.target, &c->machine);
	if (status != TESS_OK)
		return status;
	c->r.partition = plan_partition_told(c->opts.reshards == TESS_RESHARD_SDY, c->opts.target);
	c->r.proceed = c->opts.proceed ? tell_advice_progress : NULL;
	c->r.user = c;
	bool found = plan_advise(c->m, c->machine.target, c->opts.limit, c->opts.budget,
	                         &ctx->scratch, &c->r);
	if (found && c->opts.json)
		*c->opts.json = advice_as_text(c, TESS_FORMAT_JSON);
	if (found)
		*c->out = advice_as_text(c, c->opts.format);
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
	if (c.opts.json)
		*c.opts.json = NULL;
	if (c.opts.limit < 0 || c.opts.budget < 0)
		return TESS_USAGE;
	c.m = h->m;
	tess_status status = try_changes(h, advise_body, &c, &c.machine);
	if (status != TESS_OK && c.opts.json) {
		tess_text_free(*c.opts.json);
		*c.opts.json = NULL;
	}
	return status;
}

/* ---- the cost of alternative annotations ---------------------------------------------------- */

typedef struct price_call {
	module *m;
	tess_price_opts opts;
	char **out;
	machine machine;
	plan_subject subject;
	plan_price_list list;
} price_call;

static int site_of_value(const plan_subject *s, const value *v)
{
	for (int i = 0; i < s->n_sites; i++)
		if (s->sites[i].v == v && s->given_at[i])
			return i;
	return -1;
}

/* Finds the annotation that was asked for; -1: all. Returns false if the named value has none. */
static bool find_asked(tess_ctx *ctx, const price_call *c, int *site)
{
	value_list values;
	*site = -1;
	if (!c->opts.value)
		return true;
	if (!address_values(c->subject.m, c->opts.value, &ctx->scratch, &values))
		return false;
	for (int i = 0; i < values.len && *site < 0; i++)
		*site = site_of_value(&c->subject, values.ptr[i]);
	if (*site >= 0)
		return true;
	return diag_error(ctx, NOWHERE, E_NO_VALUE,
	                  "'%s' has no annotation that a plan could change: its sharding, if it has one, "
	                  "follows from others, and `tess explain` says from which",
	                  c->opts.value);
}

static char *prices_as_text(tess_ctx *ctx, const price_call *c)
{
	const target *t = c->machine.target;
	price_words words = {.s = &c->subject,
	                     .l = &c->list,
	                     .mem = &ctx->scratch,
	                     .title = module_title(c->m, NULL),
	                     .target = t->name,
	                     .limit = plan_memory_limit(t, c->opts.limit),
	                     .all = c->opts.value != NULL};
	writer w = text_writer(ctx);
	if (c->opts.format == TESS_FORMAT_JSON)
		price_json(&words, &w);
	else
		price_text(&words, &w);
	return text_give(ctx, &w);
}

static tess_status price_body(tess_ctx *ctx, void *arg)
{
	price_call *c = arg;
	int site;
	tess_status status = begin_trying(ctx, c->m, c->opts.format, "prices", c->opts.target, &c->machine);
	if (status != TESS_OK)
		return status;
	if (plan_subject_of(c->m, PLAN_KEEP_CONSTRAINTS, &ctx->scratch, &c->subject) &&
	    find_asked(ctx, c, &site) &&
	    plan_prices(&c->subject, c->machine.target, site, &ctx->scratch, &c->list))
		*c->out = prices_as_text(ctx, c);
	if (c->subject.m)
		module_free(c->subject.m);
	return *c->out ? TESS_OK : TESS_INVALID;
}

tess_status tess_module_price(tess_module *h, const tess_price_opts *opts, char **out)
{
	price_call c = {.opts = TESS_PRICE_OPTS_INIT, .out = out};
	if (!h || !out)
		return TESS_USAGE;
	OPTS_READ(c.opts, opts);
	*out = NULL;
	if (c.opts.limit < 0)
		return TESS_USAGE;
	c.m = h->m;
	return try_changes(h, price_body, &c, &c.machine);
}
