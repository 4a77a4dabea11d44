/* plan.c - `tess plan`: a mesh and shardings for a program and a machine. */
#include "tess.h"

#include <inttypes.h>
#include <string.h>
#include <tessera/plan.h>

typedef struct plan_command {
	program_options program; /* how it is read */
	const char *target, *mesh, *tactic, *forbid, *keep, *output, *emit, *html;
	int64_t devices, budget, limit; /* limit below 0: that of the machine */
	bool json;
} plan_command;

/* ---- options ----------------------------------------------------------------------------- */

static bool parse_keep(const char *text, tess_plan_keep *keep)
{
	static const char *const words[] = {"none", "inputs", "annotations"};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (!strcmp(text, words[i])) {
			*keep = (tess_plan_keep)i;
			return true;
		}
	return false;
}

static bool is_form(const char *text)
{
	static const char *const forms[] = {"jax", "dtensor", "specs", "json"};
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
		if (!strcmp(text, forms[i]))
			return true;
	return false;
}

static bool is_stdout(const char *path) { return path && !strcmp(path, "-"); }

/* What is wrong is said before the search, which may take minutes. */
static int check_options(const command *self, const plan_command *c, tess_plan_opts *o)
{
	if (!c->limit)
		return usage_error(self, "--limit 0: a device needs some memory");
	if (c->keep && !parse_keep(c->keep, &o->keep))
		return usage_error(self, "--keep %s: expected none, inputs or annotations",
		                   c->keep);
	if (c->emit && !is_form(c->emit))
		return usage_error(self, "--emit %s: expected jax, dtensor, specs or json", c->emit);
	if (is_stdout(c->html) + is_stdout(c->output) + c->json + (c->emit != NULL) > 1)
		return usage_error(self, "only one of --html -, -o -, --emit and --json can write to "
		                         "standard output");
	o->limit = c->limit > 0 ? c->limit : 0;
	o->target = c->target;
	o->devices = c->devices;
	o->mesh = c->mesh;
	o->tactic = c->tactic;
	o->forbid = c->forbid;
	o->budget = c->budget;
	return -1;
}

/* ---- the command ----------------------------------------------------------------------------- */

static bool show_plan_progress(void *user, const tess_plan_progress *p)
{
	(void)user;
	progress_say("%" PRId64 " plans, best %.4g ms, %.3g GB%s", p->evaluated, p->step_seconds * 1e3,
	             (double)p->peak_bytes * 1e-9, p->fits ? "" : " (does not fit)");
	return true;
}

static tess_status write_plan(const command *self, tess_plan *p, const char *path)
{
	tess_module *m = tess_plan_apply(p);
	char *text = m ? tess_module_print(m, NULL) : NULL;
	tess_status status = !text ? TESS_NOMEM
	                     : write_text(self, path, tess_str_of(text)) ? TESS_OK : TESS_IO;
	tess_text_free(text);
	tess_module_free(m);
	return status;
}

/* The page, and what is printed. */
static tess_status show_plan(const command *self, tess_plan *p, const plan_command *c)
{
	tess_status paged = TESS_OK, printed = TESS_OK;
	if (c->html)
		paged = give_text(self, c->html, tess_plan_report(p, TESS_FORMAT_HTML), false);
	if (c->emit)
		printed = give_text(self, NULL, tess_plan_emit(p, c->emit), false);
	else if (!is_stdout(c->output) && !is_stdout(c->html))
		printed = give_text(self, NULL,
		                    tess_plan_report(p, c->json ? TESS_FORMAT_JSON : terminal_format()), false);
	return paged != TESS_OK ? paged : printed;
}

static tess_status plan_file(const command *self, tess_ctx *ctx, const char *path,
                             const plan_command *c, const tess_plan_opts *o)
{
	tess_plan *p = NULL;
	tess_status status;
	tess_module *m = program_open(self, ctx, path, &c->program, &status);
	if (m)
		status = tess_plan_find(m, o, &p);
	if (status == TESS_OK) {
		/* What was found is shown also if a file cannot be written. */
		tess_status written = c->output ? write_plan(self, p, c->output) : TESS_OK;
		status = show_plan(self, p, c);
		status = written != TESS_OK ? written : status;
	}
	if (status == TESS_OK && !tess_plan_fits(p))
		status = TESS_FAILED;
	tess_plan_free(p);
	tess_module_free(m);
	return status;
}

static int run_plan(const command *self, int argc, char **argv)
{
	plan_command c = {.limit = -1};
	tess_plan_opts po = TESS_PLAN_OPTS_INIT;
	const option table[] = {
		TARGET_OPTION(c.target),
		{"devices", OPTION_POSITIVE, &c.devices, "N",
	         "use N devices; default: as many as the program's mesh has"},
		{"o", OPTION_TEXT, &c.output, "FILE",
	         "write the program with the plan's annotations; -: to standard\noutput, instead of the report"},
		{"emit", OPTION_TEXT, &c.emit, "jax|dtensor|specs|json",
	         "print the plan in this form instead of the report"},
		{"html", OPTION_TEXT, &c.html, "FILE",
	         "write one self-contained page, too: the report of the program\nwith the plan, with the plan at "
	         "the top; -: to standard output,\ninstead of the text"},
		{"limit", OPTION_BYTES, &c.limit, "BYTES",
	         "memory of one device, 72GB or 64GiB; default: 92 % of the\nmachine's"},
		{"mesh", OPTION_TEXT, &c.mesh, "PATTERN",
	         "only meshes data=*,model=8, with * for any size; default: any\nof one or two axes"},
		{"keep", OPTION_TEXT, &c.keep, "none|inputs|annotations",
	         "which annotations of the program stay; default: none"},
		{"tactic", OPTION_TEXT, &c.tactic, "TACTIC",
	         "only this tactic: 'fsdp over data; megatron over model'"},
		{"forbid", OPTION_TEXT, &c.forbid, "COLLECTIVES",
	         "collectives that the plan must not have:\n'all_to_all over far, all_gather'"},
		{"budget", OPTION_POSITIVE, &c.budget, "N", "evaluate at most N plans; default: no limit, the search ends\n"
		 "when nothing is left that it would try (docs/plan.md)"},
		{"json", OPTION_FLAG, &c.json, NULL, "print JSON"},
		READING_OPTIONS(c.program),
	};
	options o = {.self = self,
	             .table = table,
	             .n = sizeof table / sizeof *table,
	             .min_files = 1,
	             .max_files = 1};
	int status = options_parse(&o, argc, argv);
	if (status < 0)
		status = check_options(self, &c, &po);
	if (status < 0) {
		tess_ctx *ctx = context_new();
		po.proceed = show_plan_progress;
		status = finish(ctx, plan_file(self, ctx, o.files[0], &c, &po));
	}
	options_free(&o);
	return status;
}

const command cmd_plan = {
	.name = "plan",
	.args = "FILE [--target MACHINE] [--devices N] [-o FILE] [--emit FORM] [OPTION]...",
	.summary = "find a mesh and shardings for a program and a machine",
	.about =
		"Finds the mesh and the shardings with which one step of the program takes the least time on\n"
		"the machine and fits into its memory.  Prints the plan, what its decisions gain, and other\n"
		"plans that take less memory or less time.  Every plan is propagated, partitioned and costed\n"
		"as by `tess report`, so the program that -o writes costs what is printed.  The program's own\n"
		"annotations are ignored unless --keep says otherwise.\n",
	.examples = "  tess plan examples/gpt_step.mlir --target h100 --devices 8\n"
		    "  tess plan examples/gpt_step.mlir --target h100 --devices 8 --emit jax\n"
		    "  tess plan examples/gpt_step.mlir --target v5p --devices 16 --mesh data=*,model=4 -o planned.mlir\n"
		    "  tess plan examples/gpt_step.mlir --devices 64 --tactic 'fsdp over data; megatron over model'\n",
	.status = "0    the plan fits into memory\n"
	          "1    no plan fits: the one that takes the least memory is shown; or the program,\n"
	          "     or what --mesh, --tactic or --forbid say, is wrong",
	.run = run_plan,
};
