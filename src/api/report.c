/* report.c - reports and lint of a module. */
#include "report/report.h"

#include "api/format.h"
#include "api/frame.h"
#include "api/machine.h"
#include "api/states.h"

#include <tessera/report.h>

bool tess_target_get(size_t i, tess_target *out)
{
	if (i >= (size_t)target_count())
		return false;
	const target *t = target_at((int)i);
	*out = (tess_target){.name = t->name,
	                     .about = t->about,
	                     .flops_f32 = t->flops_f32,
	                     .flops_bf16 = t->flops_bf16,
	                     .memory_bytes = t->memory_bytes,
	                     .memory_bandwidth = t->memory_bandwidth,
	                     .link_bandwidth = t->link_bandwidth};
	return true;
}

typedef struct report_call {
	tess_module *h;
	tess_report_opts opts;
	machine machine;
	program_states s;
	tess_str out;
	size_t findings;
} report_call;

static void write_report(tess_ctx *ctx, report_call *c, const report *r)
{
	writer w;
	writer_init(&w, frame_text_arena(ctx));
	if (c->opts.format == TESS_FORMAT_HTML)
		report_html(r, &ctx->scratch, &w);
	else if (c->opts.format == TESS_FORMAT_JSON)
		report_json(r, &w);
	else
		report_text(r, &w, c->opts.format == TESS_FORMAT_COLOR);
	c->out = writer_str(&w);
	if (c->opts.page) {
		writer_init(&w, &ctx->text);
		report_html(r, &ctx->scratch, &w);
		*c->opts.page = writer_str(&w);
	}
}

static tess_status report_body(tess_ctx *ctx, void *arg)
{
	report_call *c = arg;
	tess_status status = format_check(ctx, c->opts.format,
	                                  FORMATS_COMMON | FORMAT_BIT(TESS_FORMAT_HTML), "a report");
	if (status == TESS_OK)
		status = machine_find(ctx, c->opts.target, &ctx->scratch, &c->machine);
	if (c->opts.page || c->opts.format == TESS_FORMAT_HTML)
		c->s.trail = trail_new(ctx); /* values of the page say why */
	if (status == TESS_OK)
		status = states_make(ctx, c->h->m, &c->s);
	if (status == TESS_OK) {
		states_open(&c->s);
		const char *title = c->opts.title ? c->opts.title
		                    : c->h->m->src ? c->h->m->src->name : "program";
		report_input in = {.global = c->s.global,
		                   .local = c->s.local.module,
		                   .opened = c->s.opened,
		                   .mesh = c->s.mesh,
		                   .meshes = c->s.meshes,
		                   .n_devices = c->s.local.n_devices,
		                   .title = title,
		                   .target = c->machine.target,
		                   .origins = c->s.origins.ptr,
		                   .n_origins = c->s.origins.len,
		                   .n_merged = c->s.local.n_merged,
		                   .trail = c->s.trail,
		                   .edges = &c->s.edges};
		report r;
		report_build(&in, &ctx->scratch, &r);
		write_report(ctx, c, &r);
	}
	states_free(&c->s);
	return status;
}

static bool finding_is_error(const finding_list *list)
{
	for (int i = 0; i < list->len; i++)
		if (lint_severity_of(list->ptr[i].kind) == LINT_ERROR)
			return true;
	return false;
}

static tess_status lint_body(tess_ctx *ctx, void *arg)
{
	report_call *c = arg;
	tess_status status = format_check(ctx, c->opts.format,
	                                  FORMATS_COMMON | FORMAT_BIT(TESS_FORMAT_SARIF),
	                                  "a list of findings");
	if (status == TESS_OK && !program_wants_global(c->h->m, "lint"))
		status = TESS_INVALID;
	if (status == TESS_OK)
		status = states_make(ctx, c->h->m, &c->s);
	if (status == TESS_OK) {
		enum { LARGE = 1 << 20 };
		lint_input in = {.given = c->h->m,
		                 .global = c->s.global,
		                 .local = c->s.local.module,
		                 .origins = c->s.origins.ptr,
		                 .n_origins = c->s.origins.len,
		                 .mesh = c->s.mesh,
		                 .meshes = c->s.meshes,
		                 .large = c->opts.large > 0 ? c->opts.large : LARGE};
		finding_list list = {0};
		writer w;
		lint_run(&in, &ctx->scratch, &list);
		writer_init(&w, frame_text_arena(ctx));
		if (c->opts.format == TESS_FORMAT_JSON)
			lint_json(&list, &ctx->scratch, &w);
		else if (c->opts.format == TESS_FORMAT_SARIF)
			lint_sarif(&list, c->h->m->src ? c->h->m->src->name : "", &ctx->scratch,
			           &w);
		else
			lint_text(&list, &w, c->opts.format == TESS_FORMAT_COLOR);
		c->out = writer_str(&w);
		c->findings = (size_t)list.len;
		status = finding_is_error(&list) ? TESS_FAILED : TESS_OK;
	}
	states_free(&c->s);
	return status;
}

static tess_status report_run(tess_module *m, frame_fn *body, const tess_report_opts *opts,
                              report_call *c)
{
	tess_report_opts o = TESS_REPORT_OPTS_INIT;
	if (opts)
		memcpy(&o, opts, opts->struct_size < sizeof o ? opts->struct_size : sizeof o);
	*c = (report_call){.h = m, .opts = o};
	tess_status status = module_settle(m);
	if (status == TESS_OK)
		status = frame_run(CTX_OF(m), body, c);
	trail_free(c->s.trail);
	machine_free(m->ctx, &c->machine);
	return status;
}

tess_status tess_module_report(tess_module *m, const tess_report_opts *opts, tess_str *out)
{
	report_call c;
	if (!m || !out)
		return TESS_USAGE;
	tess_status status = report_run(m, report_body, opts, &c);
	*out = c.out;
	return status;
}

tess_status tess_module_lint(tess_module *m, const tess_report_opts *opts, tess_str *out,
                             size_t *findings)
{
	report_call c;
	if (!m || !out)
		return TESS_USAGE;
	tess_status status = report_run(m, lint_body, opts, &c);
	*out = c.out;
	if (findings)
		*findings = c.findings;
	return status;
}

/* ---- values with their shardings ------------------------------------------------- */

typedef struct table_call {
	tess_module *h;
	tess_format format;
	tess_str out;
} table_call;

static tess_status table_body(tess_ctx *ctx, void *arg)
{
	table_call *c = arg;
	writer w;
	tess_status status = format_check(ctx, c->format, FORMATS_COMMON, "a table of values");
	if (status != TESS_OK)
		return status;
	writer_init(&w, frame_text_arena(ctx));
	table_of(c->h->m, c->format == TESS_FORMAT_JSON, &ctx->scratch, &w);
	c->out = writer_str(&w);
	return TESS_OK;
}

tess_str tess_module_table(tess_module *m, tess_format format)
{
	table_call c = {.h = m, .format = format};
	return frame_run(CTX_OF(m), table_body, &c) == TESS_OK ? c.out : (tess_str){0};
}

static tess_status main_signature_body(tess_ctx *ctx, void *arg)
{
	table_call *c = arg;
	writer w;
	writer_init(&w, frame_text_arena(ctx));
	signature_of(c->h->m, &ctx->scratch, &w);
	c->out = writer_str(&w);
	return TESS_OK;
}

tess_str tess_module_signature(tess_module *m)
{
	table_call c = {.h = m};
	return frame_run(CTX_OF(m), main_signature_body, &c) == TESS_OK ? c.out : (tess_str){0};
}

/* ---- differences ------------------------------------------------------------------- */

typedef struct diff_call {
	tess_module *h[2];
	tess_report_opts opts;
	machine machine;
	program_states s[2];
	bool same;
	tess_str out;
} diff_call;

static tess_status diff_body(tess_ctx *ctx, void *arg)
{
	diff_call *c = arg;
	report r[2];
	writer w;
	tess_status status = format_check(ctx, c->opts.format, FORMATS_COMMON, "a comparison");
	if (status == TESS_OK)
		status = machine_find(ctx, c->opts.target, &ctx->scratch, &c->machine);
	for (int i = 0; i < 2 && status == TESS_OK; i++) {
		status = states_make(ctx, c->h[i]->m, &c->s[i]);
		if (status != TESS_OK)
			break;
		states_open(&c->s[i]);
		report_input in = {.global = c->s[i].global,
		                   .local = c->s[i].local.module,
		                   .opened = c->s[i].opened,
		                   .given = c->h[i]->m,
		                   .mesh = c->s[i].mesh,
		                   .meshes = c->s[i].meshes,
		                   .n_devices = c->s[i].local.n_devices,
		                   .title = "",
		                   .target = c->machine.target};
		report_build(&in, &ctx->scratch, &r[i]);
	}
	if (status == TESS_OK) {
		writer_init(&w, frame_text_arena(ctx));
		c->same = report_diff(&r[0], &r[1], c->opts.format == TESS_FORMAT_JSON,
		                      c->opts.format == TESS_FORMAT_COLOR, &ctx->scratch, &w);
		c->out = writer_str(&w);
	}
	states_free(&c->s[0]);
	states_free(&c->s[1]);
	return status;
}

tess_status tess_module_diff(tess_module *a, tess_module *b, const tess_report_opts *opts,
                             tess_str *out, bool *same)
{
	diff_call c = {.h = {a, b}, .opts = TESS_REPORT_OPTS_INIT};
	if (!a || !b || !out || a->ctx != b->ctx)
		return TESS_USAGE;
	if (opts)
		memcpy(&c.opts, opts,
		       opts->struct_size < sizeof c.opts ? opts->struct_size : sizeof c.opts);
	tess_status status = module_settle(a);
	if (status == TESS_OK)
		status = module_settle(b);
	if (status == TESS_OK)
		status = frame_run(CTX_OF(a), diff_body, &c);
	machine_free(a->ctx, &c.machine);
	*out = c.out;
	if (same)
		*same = c.same;
	return status;
}
