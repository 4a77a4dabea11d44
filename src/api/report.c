/* report.c - reports, lint, and other texts about a module. */
#include "report/report.h"

#include "api/format.h"
#include "api/frame.h"
#include "api/machine.h"
#include "api/states.h"

#include <tessera/report.h>

bool tess_target_get(size_t i, tess_target *out)
{
	if (i >= (size_t)target_count() || !out)
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

/* ---- calibrating machines ------------------------------------------------------------------- */

typedef struct calibrate_job {
	const char *path, *like;
	char **out;
	machine machine;
	file_text file;
} calibrate_job;

static tess_status calibrate_body(tess_ctx *ctx, void *arg)
{
	calibrate_job *j = arg;
	tess_status status = machine_find(ctx, j->like, &ctx->scratch, &j->machine);
	if (status == TESS_OK)
		status = file_read(ctx, j->path, &j->file);
	if (status != TESS_OK)
		return status;
	source *src = source_new(ctx, j->path, arena_str(&ctx->perm, j->file.text));
	writer w = text_writer(ctx);
	if (!target_calibrate(ctx, src, j->machine.target, &ctx->scratch, &w))
		return TESS_INVALID;
	*j->out = text_give(ctx, &w);
	return TESS_OK;
}

tess_status tess_target_calibrate(tess_ctx *ctx, const char *path, const char *like, char **out)
{
	calibrate_job j = {.path = path, .like = like, .out = out};
	if (!ctx || !path || !out)
		return TESS_USAGE;
	*out = NULL;
	tess_status status = frame_run(ctx, calibrate_body, &j);
	file_close(ctx, &j.file);
	machine_free(ctx, &j.machine);
	return status;
}

/* ---- reports -------------------------------------------------------------------------- */

/* What a report is made from. After the call, the trail and the machine are freed; the programs are
 * freed in it, or by the frame if memory runs out. */
typedef struct report_job {
	module *m;
	tess_report_opts opts;
	char **out;
	machine machine;
	program_states s;
	finding_list findings;
	advice_list advice;
	const plan_words *plan; /* with its machine; NULL: the caller names one */
} report_job;

static report_input report_input_of(const program_states *s, const module *given, const target *t)
{
	return (report_input){.global = s->global,
	                      .local = s->local.module,
	                      .opened = s->opened,
	                      .given = given,
	                      .mesh = s->mesh,
	                      .meshes = s->meshes,
	                      .n_devices = s->local.n_devices,
	                      .target = t,
	                      .origins = s->origins.ptr,
	                      .n_origins = s->origins.len,
	                      .n_merged = s->local.n_merged,
	                      .as_shardy = s->as_shardy,
	                      .trail = s->trail,
	                      .edges = s->trail ? (ptr_map *)(uintptr_t)&s->edges : NULL};
}

/* What lint checks. */
static lint_input lint_input_of(const program_states *s, const module *given, int64_t large)
{
	enum { LARGE = 1 << 20 };
	return (lint_input){.given = given,
	                    .global = s->global,
	                    .local = s->local.module,
	                    .origins = s->origins.ptr,
	                    .n_origins = s->origins.len,
	                    .mesh = s->mesh,
	                    .meshes = s->meshes,
	                    .large = large > 0 ? large : LARGE};
}

static const finding_list *findings_of(const program_states *s, const module *given, finding_list *out)
{
	if (program_came_partitioned(given))
		return NULL;
	lint_input in = lint_input_of(s, given, 0);
	lint_run(&in, &given->ctx->scratch, out);
	return out;
}

static char *report_page(tess_ctx *ctx, const report *r)
{
	writer w = text_writer(ctx);
	report_html(r, &ctx->scratch, &w);
	return text_give(ctx, &w);
}

static char *report_words(tess_ctx *ctx, const report *r, tess_format format)
{
	writer w = text_writer(ctx);
	if (format == TESS_FORMAT_HTML)
		return report_page(ctx, r);
	if (format == TESS_FORMAT_JSON)
		report_json(r, &w);
	else
		report_text(r, &w, format == TESS_FORMAT_COLOR);
	return text_give(ctx, &w);
}

/* Finds the machine that the caller names, with the requested number of devices. */
static tess_status find_machine(tess_ctx *ctx, report_job *j)
{
	const tess_report_opts *o = &j->opts;
	tess_status status = j->plan ? TESS_OK
	                             : machine_find(ctx, o->target, &ctx->scratch, &j->machine);
	if (status == TESS_OK && o->devices > 0) {
		target *t = NEW(&ctx->scratch, target);
		*t = target_with(j->machine.target, o->devices);
		j->machine.target = t;
	}
	j->s.as_shardy = o->reshards == TESS_RESHARD_SDY;
	j->s.machine = o->target || j->plan ? j->machine.target : NULL;
	return status;
}

static tess_status check_devices(tess_ctx *ctx, const report_job *j)
{
	if (j->opts.devices <= 0 || j->opts.devices >= j->s.local.n_devices)
		return TESS_OK;
	diag_error(ctx, NOWHERE, E_TARGET,
	           "the program is for %" PRId64 " devices, but the machine has %" PRId64,
	           j->s.local.n_devices, j->opts.devices);
	return TESS_USAGE;
}

static bool wants_page(const report_job *j)
{
	return j->opts.page || j->opts.format == TESS_FORMAT_HTML;
}

/* Finds what to change, if that is requested or quick. */
static tess_status find_advice(tess_ctx *ctx, report_job *j, const advice_list **out)
{
	enum { FEW_OPERATIONS = 1000 };
	bool asked = j->opts.advise == TESS_ADVISE_ALWAYS;
	bool quick = j->opts.advise == TESS_ADVISE_PAGES && wants_page(j) && j->s.mesh &&
	             j->m->n_ops <= FEW_OPERATIONS && !program_came_partitioned(j->m);
	if (!asked && !quick)
		return TESS_OK;
	if (!program_wants_annotations(j->m, "advice"))
		return TESS_INVALID;
	diag_mark said = diag_here(ctx);
	j->advice.partition = plan_partition_told(j->s.as_shardy, j->opts.target);
	if (plan_advise(j->m, j->machine.target, 0, 0, &ctx->scratch, &j->advice))
		*out = &j->advice;
	else if (asked)
		return TESS_INVALID;
	else
		diag_back(ctx, said);
	return TESS_OK;
}

static tess_status make_states(tess_ctx *ctx, report_job *j)
{
	tess_status status = format_check(ctx, j->opts.format,
	                                  FORMATS_COMMON | FORMAT_BIT(TESS_FORMAT_HTML), "a report");
	if (status == TESS_OK)
		status = find_machine(ctx, j);
	if (wants_page(j))
		j->s.trail = trail_new(ctx); /* the page explains values */
	if (status == TESS_OK)
		status = states_make(ctx, j->m, &j->s);
	return status == TESS_OK ? check_devices(ctx, j) : status;
}

static tess_status make_report(tess_ctx *ctx, report_job *j)
{
	const tess_report_opts *o = &j->opts;
	const advice_list *advice = NULL;
	report r;
	tess_status status = make_states(ctx, j);
	if (status == TESS_OK)
		status = find_advice(ctx, j, &advice);
	if (status != TESS_OK)
		return status;
	states_open(&j->s);
	report_input in = report_input_of(&j->s, j->m, j->machine.target);
	in.title = module_title(j->m, o->title);
	in.findings = wants_page(j) ? findings_of(&j->s, j->m, &j->findings) : NULL;
	in.advice = advice;
	in.plan = j->plan;
	report_build(&in, &ctx->scratch, &r);
	if (o->page)
		*o->page = report_page(ctx, &r);
	if (o->advise != TESS_ADVISE_ALWAYS && o->format != TESS_FORMAT_HTML)
		r.in.advice = NULL; /* it was for the page only */
	*j->out = report_words(ctx, &r, o->format);
	return TESS_OK;
}

static tess_status report_body(tess_ctx *ctx, void *arg)
{
	report_job *j = arg;
	tess_status status = make_report(ctx, j);
	states_free(&j->s);
	if (j->advice.subject.m)
		module_free(j->advice.subject.m);
	return status;
}

/* Frees the page of a call that failed after all. */
static void drop_page(char **page)
{
	if (!page)
		return;
	tess_text_free(*page);
	*page = NULL;
}

static tess_status report_run(tess_module *h, report_job *j)
{
	j->m = h->m;
	tess_status status = module_settle(h);
	if (status == TESS_OK)
		status = frame_run(h->ctx, report_body, j);
	if (status != TESS_OK)
		drop_page(j->opts.page);
	trail_free(j->s.trail);
	machine_free(h->ctx, &j->machine);
	return status;
}

tess_status plan_page(tess_module *planned, const plan_words *plan, const target *t, char **out)
{
	report_job j = {.opts = TESS_REPORT_OPTS_INIT, .out = out, .plan = plan, .machine.target = t};
	j.opts.format = TESS_FORMAT_HTML;
	j.opts.title = plan->title;
	j.opts.advise = TESS_ADVISE_NEVER;
	return report_run(planned, &j);
}

tess_status tess_module_report(tess_module *h, const tess_report_opts *opts, char **out)
{
	report_job j = {.opts = TESS_REPORT_OPTS_INIT, .out = out};
	if (!h || !out)
		return TESS_USAGE;
	OPTS_READ(j.opts, opts);
	*out = NULL;
	if (j.opts.page)
		*j.opts.page = NULL;
	return report_run(h, &j);
}

/* ---- lint --------------------------------------------------------------------------- */

static bool finding_is_error(const finding_list *list)
{
	for (int i = 0; i < list->len; i++)
		if (lint_severity_of(list->ptr[i].kind) == LINT_ERROR)
			return true;
	return false;
}

static char *lint_words(const module *m, const finding_list *list, tess_format format)
{
	arena *mem = &m->ctx->scratch;
	writer w = text_writer(m->ctx);
	if (format == TESS_FORMAT_JSON)
		lint_json(list, mem, &w);
	else if (format == TESS_FORMAT_SARIF)
		lint_sarif(list, m->src ? m->src->name : "", mem, &w);
	else
		lint_text(list, &w, format == TESS_FORMAT_COLOR);
	return text_give(m->ctx, &w);
}

typedef struct lint_job {
	module *m;
	tess_lint_opts opts;
	char **out;
	size_t *findings; /* may be NULL */
} lint_job;

static tess_status lint(tess_ctx *ctx, const lint_job *j, program_states *s)
{
	finding_list list = {0};
	tess_status status = format_check(ctx, j->opts.format,
	                                  FORMATS_COMMON | FORMAT_BIT(TESS_FORMAT_SARIF),
	                                  "a list of findings");
	if (status == TESS_OK && !program_wants_annotations(j->m, "lint"))
		status = TESS_INVALID;
	if (status == TESS_OK)
		status = states_make(ctx, j->m, s);
	if (status != TESS_OK)
		return status;
	lint_input in = lint_input_of(s, j->m, j->opts.large);
	lint_run(&in, &ctx->scratch, &list);
	if (j->findings)
		*j->findings = (size_t)list.len;
	*j->out = lint_words(j->m, &list, j->opts.format);
	return finding_is_error(&list) ? TESS_FAILED : TESS_OK;
}

static tess_status lint_body(tess_ctx *ctx, void *arg)
{
	const lint_job *j = arg;
	program_states s = {.as_shardy = j->opts.reshards == TESS_RESHARD_SDY};
	tess_status status = lint(ctx, arg, &s);
	states_free(&s);
	return status;
}

tess_status tess_module_lint(tess_module *h, const tess_lint_opts *opts, char **out,
                             size_t *findings)
{
	lint_job j = {.opts = TESS_LINT_OPTS_INIT, .out = out, .findings = findings};
	if (!h || !out)
		return TESS_USAGE;
	OPTS_READ(j.opts, opts);
	*out = NULL;
	if (findings)
		*findings = 0;
	j.m = h->m;
	tess_status status = module_settle(h);
	return status == TESS_OK ? frame_run(h->ctx, lint_body, &j) : status;
}

/* ---- values and their shardings ------------------------------------------------------------- */

static char *table_text(const module *m, tess_format format)
{
	tess_ctx *ctx = m->ctx;
	if (format_check(ctx, format, FORMATS_COMMON, "a table of values") != TESS_OK)
		return NULL;
	writer w = text_writer(ctx);
	table_of(m, format == TESS_FORMAT_JSON, &ctx->scratch, &w);
	return text_give(ctx, &w);
}

char *tess_module_table(tess_module *h, tess_format format)
{
	frame f;
	if (!h)
		return NULL;
	if (setjmp(*frame_start(&f, h->ctx)) == 0)
		f.made = table_text(h->m, format);
	return frame_made(&f);
}

static char *signature_text(module *m)
{
	writer w = text_writer(m->ctx);
	signature_of(m, &m->ctx->scratch, &w);
	return text_give(m->ctx, &w);
}

char *tess_module_signature(tess_module *h)
{
	frame f;
	if (!h)
		return NULL;
	if (setjmp(*frame_start(&f, h->ctx)) == 0)
		f.made = signature_text(h->m);
	return frame_made(&f);
}

/* ---- differences ------------------------------------------------------------------- */

typedef struct diff_job {
	module *m[2];
	tess_diff_opts opts;
	char **out;
	bool *same; /* may be NULL */
	machine machine;
	program_states s[2];
	finding_list findings[2];
} diff_job;

static bool shows_both(const diff_job *j)
{
	return j->opts.page || j->opts.format == TESS_FORMAT_HTML;
}

static tess_status report_of(tess_ctx *ctx, diff_job *j, int i, report *out)
{
	program_states *s = &j->s[i];
	s->machine = j->opts.target ? j->machine.target : NULL;
	s->as_shardy = (i ? j->opts.reshards_b : j->opts.reshards_a) == TESS_RESHARD_SDY;
	s->trail = shows_both(j) ? trail_new(ctx) : NULL;
	tess_status status = states_make(ctx, j->m[i], s);
	if (status != TESS_OK)
		return status;
	states_open(s);
	report_input in = report_input_of(s, j->m[i], j->machine.target);
	in.title = module_title(j->m[i], i ? j->opts.title_b : j->opts.title_a);
	in.findings = shows_both(j) ? findings_of(s, j->m[i], &j->findings[i]) : NULL;
	report_build(&in, &ctx->scratch, out);
	return TESS_OK;
}

static char *page_of_both(tess_ctx *ctx, const report *r)
{
	writer w = text_writer(ctx);
	report_html_of_both(&r[0], &r[1], &ctx->scratch, &w);
	return text_give(ctx, &w);
}

static tess_status diff(tess_ctx *ctx, diff_job *j)
{
	report r[2];
	tess_format format = j->opts.format;
	tess_status status = format_check(
		ctx, format, FORMATS_COMMON | FORMAT_BIT(TESS_FORMAT_HTML), "a comparison");
	if (status == TESS_OK)
		status = machine_find(ctx, j->opts.target, &ctx->scratch, &j->machine);
	for (int i = 0; i < 2 && status == TESS_OK; i++)
		status = report_of(ctx, j, i, &r[i]);
	if (status != TESS_OK)
		return status;
	if (j->opts.page)
		*j->opts.page = page_of_both(ctx, r);
	writer w = text_writer(ctx);
	bool same = report_diff(&r[0], &r[1], format == TESS_FORMAT_JSON,
	                        format == TESS_FORMAT_COLOR, &ctx->scratch, &w);
	if (j->same)
		*j->same = same;
	*j->out = format == TESS_FORMAT_HTML ? page_of_both(ctx, r) : text_give(ctx, &w);
	return TESS_OK;
}

static tess_status diff_body(tess_ctx *ctx, void *arg)
{
	diff_job *j = arg;
	tess_status status = diff(ctx, j);
	states_free(&j->s[0]);
	states_free(&j->s[1]);
	return status;
}

tess_status tess_module_diff(tess_module *a, tess_module *b, const tess_diff_opts *opts, char **out,
                             bool *same)
{
	diff_job j = {.opts = TESS_DIFF_OPTS_INIT, .out = out, .same = same};
	if (!a || !b || !out || a->ctx != b->ctx)
		return TESS_USAGE;
	OPTS_READ(j.opts, opts);
	*out = NULL;
	if (same)
		*same = false;
	if (j.opts.page)
		*j.opts.page = NULL;
	j.m[0] = a->m;
	j.m[1] = b->m;
	tess_status status = module_settle(a);
	if (status == TESS_OK)
		status = module_settle(b);
	if (status == TESS_OK)
		status = frame_run(a->ctx, diff_body, &j);
	if (status != TESS_OK)
		drop_page(j.opts.page);
	trail_free(j.s[0].trail);
	trail_free(j.s[1].trail);
	machine_free(a->ctx, &j.machine);
	return status;
}
