/* advise.c - `tess advise`: what to change in a program that is annotated. */
#include "tess.h"

#include <tessera/plan.h>

#include <inttypes.h>

typedef struct advise_command {
	program_options program;
	const char *target;
	int64_t budget;
	bool json;
} advise_command;

static bool show_changes_tried(void *user, const tess_plan_progress *p)
{
	(void)user;
	progress_say("%" PRId64 " changes tried, best step %.4g ms, peak %.3g GB%s", p->evaluated,
	             p->step_seconds * 1e3, (double)p->peak_bytes * 1e-9, p->fits ? "" : " (does not fit)");
	return !progress_interrupted();
}

static tess_status advise(const command *self, tess_ctx *ctx, const char *path, void *own)
{
	const advise_command *c = own;
	tess_advise_opts o = TESS_ADVISE_OPTS_INIT;
	tess_status status;
	char *text = NULL;
	tess_module *m = program_open(self, ctx, path, &c->program, &status);
	o.format = c->json ? TESS_FORMAT_JSON : terminal_format();
	o.target = c->target;
	o.title = path;
	o.reshards = program_policy(&c->program);
	o.budget = c->budget;
	o.proceed = show_changes_tried;
	progress_watch();
	if (m)
		status = tess_module_advise(m, &o, &text);
	if (status == TESS_OK)
		status = give_text(self, NULL, text, false);
	tess_module_free(m);
	return status;
}

static int run_advise(const command *self, int argc, char **argv)
{
	advise_command c = {0};
	const option table[] = {
		TARGET_OPTION(c.target),
		{"budget", OPTION_POSITIVE, &c.budget, "N", "try at most N changes; default: 144"},
		{"json", OPTION_FLAG, &c.json, NULL, "print JSON"},
		PROGRAM_OPTIONS(c.program),
		POLICY_OPTION(c.program),
	};
	return on_one_file(self, argc, argv, table, sizeof table / sizeof *table, advise, &c);
}

const command cmd_advise = {
	.name = "advise",
	.args = "FILE [--target MACHINE] [--json] [OPTION]...",
	.summary = "find what to change in the annotations of a program",
	.about =
		"Tries changes to an annotated program, each costed as by `tess report`: constraints on values\n"
		"that lose an axis of the data, constraints on another dimension or none, shardings of\n"
		"arguments and of the state of optimizers, donation, and other sizes of the mesh's axes; first\n"
		"each alone, then together with what gained most.  Prints those that gain, with how much and\n"
		"the line of Python that makes the change.  `tess plan` finds a mesh and all shardings instead.\n",
	.examples = "  tess advise examples/gpt_step.mlir --target h100\n"
	            "  tess advise examples/mlp.mlir --json\n",
	.status = "0    done, also if no change gains anything\n"
	          "1    the program is wrong or has no mesh",
	.run = run_advise,
};
