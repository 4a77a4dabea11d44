/* report.c - `tess report`: memory, collectives and cost of one device. */
#include "tess.h"

#include <string.h>
#include <tessera/report.h>

typedef struct report_options {
	program_options program;
	const char *html, *target, *calibrate;
	int64_t devices;
	bool json, targets, advise;
} report_options;

static int list_targets(void)
{
	tess_target t;
	printf("name     TFLOP/s bf16, f32  memory at GB/s   link GB/s\n");
	for (size_t i = 0; tess_target_get(i, &t); i++)
		printf("%-8s %12.4g, %-6.3g %4.0f GB %7.0f %9.4g    %s\n", t.name,
		       t.flops_bf16 / 1e12, t.flops_f32 / 1e12, t.memory_bytes / 1e9,
		       t.memory_bandwidth / 1e9, t.link_bandwidth / 1e9, t.about);
	return EXIT_DONE;
}

static tess_status report(const command *self, tess_ctx *ctx, const char *path,
                          const report_options *r)
{
	tess_report_opts ro = TESS_REPORT_OPTS_INIT;
	char *text = NULL, *page = NULL;
	tess_status status;
	ro.format = r->json ? TESS_FORMAT_JSON : terminal_format();
	ro.target = r->target;
	ro.devices = r->devices;
	ro.reshards = program_policy(&r->program);
	ro.page = r->html ? &page : NULL;
	ro.advise = r->advise ? TESS_ADVISE_ALWAYS : TESS_ADVISE_PAGES;
	tess_module *m = program_open(self, ctx, path, &r->program, &status);
	if (m)
		status = tess_module_report(m, &ro, &text);
	if (status == TESS_OK)
		status = give_text_and_page(self, text, page, r->html);
	tess_module_free(m);
	return status;
}

/* Two programs side by side. */
static tess_status report_both(const command *self, tess_ctx *ctx, const char *const *paths,
                               const report_options *r)
{
	tess_diff_opts opts = TESS_DIFF_OPTS_INIT;
	char *text = NULL, *page = NULL;
	tess_status status;
	opts.format = r->json ? TESS_FORMAT_JSON : terminal_format();
	opts.target = r->target;
	opts.reshards_a = opts.reshards_b = program_policy(&r->program);
	opts.page = r->html ? &page : NULL;
	tess_module *a = program_open(self, ctx, paths[0], &r->program, &status);
	tess_module *b = a ? program_open(self, ctx, paths[1], &r->program, &status) : NULL;
	if (b)
		status = tess_module_diff(a, b, &opts, &text, NULL);
	if (b && status == TESS_OK)
		status = give_text_and_page(self, text, page, r->html);
	tess_module_free(a);
	tess_module_free(b);
	return status;
}

static int calibrate(const command *self, const report_options *r)
{
	tess_ctx *ctx = context_new();
	char *text = NULL;
	tess_status status = tess_target_calibrate(ctx, r->calibrate, r->target, &text);
	if (status == TESS_OK && !write_text(self, NULL, tess_str_of(text)))
		status = TESS_IO;
	tess_text_free(text);
	return finish(ctx, status);
}

static int run_report(const command *self, int argc, char **argv)
{
	report_options r = {0};
	const option table[] = {
		TARGET_OPTION(r.target),
		{"html", OPTION_TEXT, &r.html, "FILE", "write one self-contained page, too; -: to standard output,\ninstead of the text"},
		{"json", OPTION_FLAG, &r.json, NULL, "print JSON"},
		{"advise", OPTION_FLAG, &r.advise, NULL, "start with what to change, as `tess advise`; pages of programs\nof at most 1,000 operations do so in any case"},
		{"devices", OPTION_COUNT, &r.devices, "N", "the machine has N devices: a part of a node, or a torus of\nthat size"},
		PROGRAM_OPTIONS(r.program),
		POLICY_OPTION(r.program),
		{"list-targets", OPTION_FLAG, &r.targets, NULL, "list the machines that are built in"},
		{"calibrate", OPTION_TEXT, &r.calibrate, "LIST", "fit the machine to measurements (docs/costs.md), and print it\nas a row of a table of machines"},
	};
	options o = {
		.self = self, .table = table, .n = sizeof table / sizeof *table, .max_files = 2};
	int status = options_parse(&o, argc, argv);
	if (status < 0 && r.targets && (r.json || r.html || o.n_files))
		status = usage_error(self, "--list-targets excludes FILE, --json and --html");
	if (status < 0 && r.targets)
		status = list_targets();
	if (status < 0 && r.calibrate && (r.json || r.html || o.n_files))
		status = usage_error(self, "--calibrate excludes FILE, --json and --html");
	if (status < 0 && r.calibrate)
		status = calibrate(self, &r);
	if (status < 0 && r.html && strcmp(r.html, "-") == 0 && r.json)
		status = usage_error(self, "--html - and --json both write to standard output");
	if (status < 0 && o.n_files == 0)
		status = usage_error(self, "a FILE is missing");
	if (status < 0 && o.n_files == 2 && (r.devices || r.advise))
		status = usage_error(self, "--devices and --advise need a single FILE");
	if (status < 0) {
		tess_ctx *ctx = context_new();
		status = finish(ctx, o.n_files == 2 ? report_both(self, ctx, o.files, &r)
		                                    : report(self, ctx, o.files[0], &r));
	}
	options_free(&o);
	return status;
}

const command cmd_report = {
	.name = "report",
	.args = "FILE [FILE] [--html FILE] [--json] [--target MACHINE] [OPTION]...",
	.summary = "report memory, collectives and time of one device",
	.about =
		"Propagates the annotations, partitions the program, and reports what one device holds at the\n"
		"peak, what is communicated over which axes, how long a step takes on the machine, and which\n"
		"source lines cause it.  Nothing is run: costs are estimates from shapes and a table of\n"
		"machines (docs/costs.md says how good).  HLO that XLA has partitioned is reported as it is.\n"
		"For two FILEs the text is that of `tess diff`, and the page shows both side by side.\n",
	.examples = "  tess report examples/gpt_step.mlir\n"
		    "  tess report examples/gpt_step.mlir --target v5p --html report.html\n"
		    "  tess report examples/gpt_step.mlir --mesh data=8,model=1 --target h100 --json\n"
		    "  tess partition examples/mlp.mlir -o local.mlir && tess report local.mlir\n"
		    "  tess report --list-targets\n",
	.status = "0    done\n"
	          "1    the program is wrong, or cannot be partitioned",
	.run = run_report,
};
