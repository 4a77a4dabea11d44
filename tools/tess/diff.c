/* diff.c - `tess diff`: what changed between two programs, meshes or sets of annotations. */
#include "tess.h"

typedef struct diff_options {
	program_options program;
	const char *target, *html;
	bool json, exit_code;
} diff_options;

static tess_status diff(const command *self, tess_ctx *ctx, const options *o, const diff_options *d,
                        bool *same)
{
	static const program_options as_it_is;
	tess_diff_opts ro = TESS_DIFF_OPTS_INIT;
	tess_status status;
	char *text = NULL, *page = NULL;
	ro.format = d->json ? TESS_FORMAT_JSON : terminal_format();
	ro.target = d->target;
	ro.reshards_b = program_policy(&d->program);
	ro.page = d->html ? &page : NULL;
	tess_module *a = program_open(self, ctx, o->files[0], &as_it_is, &status);
	tess_module *b = a ? program_open(self, ctx, o->files[o->n_files - 1], &d->program, &status)
	                   : NULL;
	if (b)
		status = tess_module_diff(a, b, &ro, &text, same);
	if (b && status == TESS_OK)
		status = d->html ? give_text_and_page(self, text, page, d->html)
		                 : give_text(self, NULL, text, !d->json);
	tess_module_free(a);
	tess_module_free(b);
	return status;
}

static int run_diff(const command *self, int argc, char **argv)
{
	diff_options d = {0};
	bool same = true;
	const option table[] = {
		{"html", OPTION_TEXT, &d.html, "FILE", "write one self-contained page with both, too; -: to standard\noutput, instead of the text"},
		{"json", OPTION_FLAG, &d.json, NULL, "print JSON"},
		{"exit-code", OPTION_FLAG, &d.exit_code, NULL, "exit with status 1 if anything differs"},
		TARGET_OPTION(d.target),
		PROGRAM_OPTIONS(d.program),
		POLICY_OPTION(d.program),
	};
	options o = {.self = self,
	             .table = table,
	             .n = sizeof table / sizeof *table,
	             .min_files = 1,
	             .max_files = 2};
	int status = options_parse(&o, argc, argv);
	if (status < 0) {
		tess_ctx *ctx = context_new();
		status = finish(ctx, diff(self, ctx, &o, &d, &same));
		if (status == EXIT_DONE && d.exit_code && !same)
			status = EXIT_WRONG;
	}
	options_free(&o);
	return status;
}

const command cmd_diff = {
	.name = "diff",
	.args = "FILE [FILE] [--exit-code] [--json] [OPTION]...",
	.summary = "compare two programs, or one with other annotations",
	.about =
		"Reports on both programs and prints what differs, causes first: annotations, the shardings\n"
		"that follow from them, then memory, communication and time of one device.  --mesh, --arg,\n"
		"--result, --constrain and --reshard-policy apply to the second program; if there is only one\n"
		"FILE, to a copy of it.\n",
	.examples = "  tess diff examples/mlp.mlir --constrain 'w2=[{}, {}]'\n"
		    "  tess diff examples/gpt_step.mlir --mesh data=8,model=1 --target h100 --html both.html\n"
		    "  tess plan examples/mlp.mlir --devices 8 -o planned.mlir; tess diff examples/mlp.mlir planned.mlir\n",
	.status = "0    done\n"
	          "1    a program is wrong, or, with --exit-code, something differs",
	.run = run_diff,
};
