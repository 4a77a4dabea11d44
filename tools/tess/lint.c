/* lint.c - `tess lint`: likely mistakes in a sharded program. */
#include "tess.h"

#include <tessera/report.h>

typedef struct lint_options {
	program_options program;
	int64_t large;
	bool json, sarif;
} lint_options;

static tess_status lint(const command *self, tess_ctx *ctx, const char *path, void *own)
{
	const lint_options *l = own;
	tess_status status;
	tess_lint_opts ro = TESS_LINT_OPTS_INIT;
	if (l->sarif && l->json) {
		usage_error(self, "--json or --sarif, not both");
		return TESS_USAGE;
	}
	ro.reshards = program_policy(&l->program);
	ro.large = l->large == 0 ? 1 : l->large; /* below 0: as it is usual */
	ro.format = l->sarif ? TESS_FORMAT_SARIF : l->json ? TESS_FORMAT_JSON : terminal_format();
	tess_module *m = program_open(self, ctx, path, &l->program, &status);
	if (m) {
		char *text;
		status = tess_module_lint(m, &ro, &text, NULL);
		if (text && give_text(self, NULL, text, !(l->sarif || l->json)) != TESS_OK)
			status = TESS_IO;
	}
	tess_module_free(m);
	return status;
}

static int run_lint(const command *self, int argc, char **argv)
{
	lint_options l = {.large = -1};
	const option table[] = {
		{"json", OPTION_FLAG, &l.json, NULL, "print JSON"},
		{"sarif", OPTION_FLAG, &l.sarif, NULL, "print SARIF 2.1.0, for code hosts and editors"},
		{"large", OPTION_BYTES, &l.large, "BYTES",
	         "report replicated tensors from this size, 500kB or 64MiB;\ndefault: 1 MiB"},
		PROGRAM_OPTIONS(l.program),
		POLICY_OPTION(l.program),
	};
	return on_one_file(self, argc, argv, table, sizeof table / sizeof *table, lint, &l);
}

const command cmd_lint = {
	.name = "lint",
	.args = "FILE [--json | --sarif] [--large BYTES] [OPTION]...",
	.summary = "point at probable mistakes: large replicated tensors, unused axes, ...",
	.about =
		"Propagates the annotations, partitions the program, and prints what is probably a mistake:\n"
		"each finding with a permanent code, its place, what it costs, and what to do.  docs/lint.md\n"
		"explains each code.\n",
	.examples = "  tess lint examples/gpt_step.mlir\n"
		    "  tess lint examples/gpt_step.mlir --large 1kB --sarif > lint.sarif\n",
	.status = "0    no finding is an error\n"
	          "1    a finding is an error, or the program is wrong",
	.run = run_lint,
};
