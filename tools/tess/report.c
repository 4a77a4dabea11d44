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
		{"html", OPTION_TEXT, &r.html, "FILE", "write one self-contained page, too; - is standard output,\nin the place of the text"},
		{"json", OPTION_FLAG, &r.json, NULL, "print JSON"},
		{"advise", OPTION_FLAG, &r.advise, NULL, "tell first what to change, as `tess advise` does; pages of programs\nof at most 1,000 operations do in any case"},
		TARGET_OPTION(r.target),
		{"devices", OPTION_COUNT, &r.devices, "N", "how many devices the machine has: a part of a node, or a torus\nof that size"},
		{"calibrate", OPTION_TEXT, &r.calibrate, "LIST", "fit the machine to what was measured on it, and print it as a\nrow of a table of machines"},
		{"list-targets", OPTION_FLAG, &r.targets, NULL, "which machines there are"},
		PROGRAM_OPTIONS(r.program),
		POLICY_OPTION(r.program),
	};
	options o = {
		.self = self, .table = table, .n = sizeof table / sizeof *table, .max_files = 2};
	int status = options_parse(&o, argc, argv);
	if (status < 0 && r.targets && (r.json || r.html || o.n_files))
		status = usage_error(self, "--list-targets is a text of its own: no FILE, no --json, "
		                           "no --html");
	if (status < 0 && r.targets)
		status = list_targets();
	if (status < 0 && r.calibrate && (r.json || r.html || o.n_files))
		status = usage_error(self, "--calibrate prints a machine: no FILE, no --json, no --html");
	if (status < 0 && r.calibrate)
		status = calibrate(self, &r);
	if (status < 0 && r.html && strcmp(r.html, "-") == 0 && r.json)
		status = usage_error(self, "--html -: standard output is for --json");
	if (status < 0 && o.n_files == 0)
		status = usage_error(self, "a FILE is missing");
	if (status < 0 && o.n_files == 2 && (r.devices || r.advise))
		status = usage_error(self, "--devices and --advise are for one FILE");
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
	.summary = "memory per device, every collective with its bytes, cost",
	.about =
		"Propagates and partitions the program, and reports what one device holds at the peak, what\n"
		"is communicated over which axes, how long that takes on a machine, and which source line\n"
		"caused it.  Costs are estimates from shapes and the machine's table; nothing is run.\n"
		"Of HLO text that XLA has partitioned it reports the program of one device as it is.\n"
		"Of two FILEs it says what `tess diff` does; the page has both, side by side.\n",
	.examples = "  tess report examples/gpt_step.mlir\n"
		    "  tess report model.mlir --target v5p --html report.html\n"
		    "  tess report before.mlir after.mlir --html both.html\n"
		    "  tess report model.mlir --target machines.txt:mybox\n"
		    "  tess report module_0001.after_optimizations.txt\n"
		    "  tess report --calibrate measured.txt --target h100x8\n"
		    "  tess report --list-targets\n",
	.run = run_report,
};
