/* opt.c - `tess opt`: the stand-in for sdy_opt. */
#include "tess.h"

#include <stdlib.h>
#include <string.h>
#include <tessera/passes.h>

/* The pipeline that the command line spells, "a{x=1},b". */
typedef struct pipeline_text {
	char *ptr;
	size_t len;
	bool lacking; /* --pass-pipeline, without one */
} pipeline_text;

static void add_text(pipeline_text *p, const char *s)
{
	size_t n = strlen(s);
	char *q = realloc(p->ptr, p->len + n + 1);
	if (!q) {
		fputs("tess: out of memory\n", stderr);
		exit(EXIT_WRONG);
	}
	memcpy(q + p->len, s, n + 1);
	p->ptr = q;
	p->len += n;
}

static bool is_pass(const char *name)
{
	tess_pass_info info;
	for (size_t i = 0; tess_pass_get(i, &info); i++)
		if (strcmp(info.name, name) == 0)
			return true;
	return false;
}

static const char *pass_like(const char *name, size_t len, size_t least)
{
	tess_pass_info info;
	const char *nearest = NULL;
	for (size_t i = 0; tess_pass_get(i, &info); i++) {
		size_t d = text_distance(name, len, info.name);
		if (d < least) {
			least = d;
			nearest = info.name;
		}
	}
	return nearest;
}

/* -sdy-close-shardings, -sdy-basic-propagate='keep-sharding-rules=true' */
static bool add_pass(void *user, const char *name, const char *value)
{
	pipeline_text *p = user;
	bool whole = strcmp(name, "pass-pipeline") == 0;
	if (!whole && !is_pass(name))
		return false;
	p->lacking = p->lacking || (whole && !value);
	if (p->len)
		add_text(p, ",");
	add_text(p, whole ? value ? value : "" : name);
	if (!whole && value) {
		add_text(p, "{");
		add_text(p, value);
		add_text(p, "}");
	}
	return true;
}

static void print_options(const char *names)
{
	while (*names) {
		char name[80];
		size_t n = strcspn(names, " ");
		tess_pass_option option;
		snprintf(name, sizeof name, "%.*s", (int)n, names);
		if (tess_pass_option_get(name, &option))
			printf("      %s=%s\n          %s\n", option.name, option.initial,
			       option.help);
		names += n + (names[n] == ' ');
	}
}

static int list_passes(void)
{
	tess_pass_info info;
	for (size_t i = 0; tess_pass_get(i, &info); i++) {
		printf("%s%s\n    %s\n", info.name, info.pipeline ? " (pipeline)" : "",
		       info.summary);
		print_options(info.options);
	}
	return EXIT_DONE;
}

static void dump_to_stderr(void *user, tess_str text)
{
	(void)user;
	fwrite(text.ptr, 1, text.len, stderr);
}

static void print_time(void *user, const char *what, double seconds)
{
	(void)user;
	fprintf(stderr, "%10.3f ms  %s\n", seconds * 1e3, what);
}

/* What the system says of this program's memory, in MB; 0 where it says nothing. */
static double megabytes(const char *what)
{
	char line[128];
	long kilobytes = 0;
	size_t n = strlen(what);
	FILE *f = fopen("/proc/self/status", "r");
	while (f && fgets(line, sizeof line, f))
		if (strncmp(line, what, n) == 0)
			kilobytes = strtol(line + n, NULL, 10);
	if (f)
		fclose(f);
	return (double)kilobytes / 1024;
}

/* `before`: what the program had before it read anything. */
static void print_peak(double before)
{
	double peak = megabytes("VmHWM:");
	if (peak > 0)
		fprintf(stderr, "%10.1f MB  peak memory\n%10.1f MB  of it since the start\n", peak,
		        peak - before);
}

static bool write_to_stdout(void *user, tess_str text)
{
	const command **self = user;
	return write_text(*self, NULL, text);
}

static int run_opt(const command *self, int argc, char **argv)
{
	tess_opt_opts opt = TESS_OPT_OPTS_INIT;
	bool list = false, timing = false;
	const char *output = NULL;
	pipeline_text pipeline = {0};
	const option table[] = {
		{"list-passes", OPTION_FLAG, &list, NULL, "list passes, pipelines and their options"},
		{"o", OPTION_TEXT, &output, "FILE", "write to FILE instead of standard output"},
		{"mlir-print-ir-after-all", OPTION_FLAG, &opt.print_after_all, NULL,
	         "print the program after each pass, to standard error"},
		{"mlir-print-op-generic", OPTION_FLAG, &opt.print.generic, NULL,
	         "print every operation in its generic form"},
		{"mlir-print-debuginfo", OPTION_FLAG, &opt.print.locations, NULL,
	         "print locations"},
		{"mlir-print-local-scope", OPTION_FLAG, &opt.print.local_scope, NULL,
	         "print without aliases"},
		{"mlir-elide-elementsattrs-if-larger", OPTION_COUNT, &opt.print.elide_larger, "N",
	         "print constants of more than N elements as ..."},
		{"packed-booleans", OPTION_FLAG, &opt.print.packed_booleans, NULL,
	         "print eight booleans to a byte in hexadecimal constants, as\nolder MLIR does"},
		{"mlir-timing", OPTION_FLAG, &timing, NULL,
	         "print the processor time of each pass, and the memory, to\nstandard error"},
		{"verify-each", OPTION_FLAG, &opt.verify_each, NULL,
	         "verify also between the passes of a pipeline"},
		{"split-input-file", OPTION_FLAG, &opt.split_input, NULL,
	         "FILE holds several programs, separated by lines `// -----`"},
		{"verify-diagnostics", OPTION_FLAG, &opt.verify_diagnostics, NULL,
	         "compare the diagnostics with comments in FILE:\n`// expected-error {{text}}`"},
		{"allow-unregistered-dialect", OPTION_FLAG, &opt.allow_unregistered, NULL,
	         "accept operations of unknown dialects, in generic form"},
	};
	options o = {.self = self, .table = table, .n = sizeof table / sizeof *table,
	             .other = add_pass, .other_like = pass_like, .user = &pipeline,
	             .max_files = 1};
	int status = options_parse(&o, argc, argv);
	if (status < 0 && pipeline.lacking)
		status = usage_error(self, "--pass-pipeline needs a value: "
		                           "--pass-pipeline='builtin.module(PASS,...)'");
	if (status < 0 && list)
		status = list_passes();
	if (status < 0) {
		tess_ctx *ctx = context_new();
		double before = timing ? megabytes("VmRSS:") : 0;
		char *out = NULL;
		opt.pipeline = pipeline.ptr;
		opt.any_note = getenv("LIT_ANY_TEXT") != NULL;
		opt.dump = dump_to_stderr;
		opt.timed = timing ? print_time : NULL;
		opt.write = output ? NULL : write_to_stdout; /* FILE may be what is read */
		opt.user = &self;
		tess_status done = tess_opt_file(ctx, o.n_files ? o.files[0] : "-", &opt, &out);
		if (out && out[0] && !write_text(self, output, tess_str_of(out)))
			done = TESS_IO;
		tess_text_free(out);
		status = finish(ctx, done);
		if (timing)
			print_peak(before);
	}
	free(pipeline.ptr);
	options_free(&o);
	return status;
}

const command cmd_opt = {
	.name = "opt",
	.args = "[FILE] [-PASS[=OPTIONS]]... [OPTION]...",
	.summary = "run passes by name, as Shardy's sdy_opt does",
	.about =
		"Reads a program (from standard input if there is no FILE), runs the passes in the given\n"
		"order, and prints the program as MLIR text, as sdy_opt prints it.  Passes and their options\n"
		"have the names that they have in sdy_opt; --list-passes lists them.  Options follow the\n"
		"name of the pass after '=', in quotes if there are several.  A whole pipeline can be given\n"
		"as one text, too: --pass-pipeline='builtin.module(sdy-basic-propagate{order=canonical})'.\n",
	.examples =
		"  tess opt --list-passes\n"
		"  tess opt examples/mlp.mlir -sdy-propagation-pipeline\n"
		"  tess opt examples/mlp.mlir -sdy-add-data-flow-edges -sdy-basic-propagate\n"
		"  tess opt examples/mlp.mlir -sdy-basic-propagate='keep-sharding-rules=true order=canonical'\n"
		"  tess convert examples/mlp.mlir --to generic | tess opt -canonicalize -mlir-timing\n",
	.status = "0    done\n"
	          "1    the program is wrong, a pass failed, or the diagnostics are not the expected ones",
	.run = run_opt,
};
