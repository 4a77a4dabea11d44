/* eval.c - `tess eval`: StableHLO programs evaluated as they are written. */
#include "tess.h"

#include <inttypes.h>
#include <tessera/run.h>

typedef struct eval_options {
	const char *inputs, *outputs, *function;
	int64_t threads;
	bool quiet, json;
} eval_options;

static void print_results(tess_ctx *ctx, const tess_exec *e)
{
	tess_tensor t;
	for (size_t i = 0; tess_exec_output(e, i, &t); i++) {
		char *text = tess_tensor_print(ctx, &t);
		progress_stop();
		printf("%s\n", text ? text : "");
		tess_text_free(text);
	}
}

static tess_status eval(const command *self, tess_ctx *ctx, const char *path, void *own)
{
	const eval_options *o = own;
	(void)self;
	tess_exec_opts eo = TESS_EXEC_OPTS_INIT;
	eo.direct = true;
	eo.function = o->function;
	eo.threads = (int)o->threads;
	tess_npz *z = o->inputs ? tess_npz_open(ctx, o->inputs) : NULL;
	if (o->inputs && !z)
		return TESS_IO;
	tess_parse_opts reading = TESS_PARSE_OPTS_INIT;
	reading.platform = "";
	tess_module *m = tess_module_parse_file(ctx, path, &reading);
	tess_exec *e = m ? tess_exec_new(m, &eo) : NULL;
	tess_status status = e ? run_with_inputs(e, z) : TESS_INVALID;
	if (status == TESS_OK && o->outputs)
		status = save_outputs(ctx, e, o->outputs);
	progress_stop();
	if (o->json && e)
		printf("{\"passed\": %s, \"checks\": %" PRId64 "}\n",
		       status == TESS_OK ? "true" : "false", tess_exec_checks(e));
	else if (status == TESS_OK && !o->quiet && !o->outputs)
		print_results(ctx, e);
	tess_exec_free(e);
	tess_module_free(m);
	tess_npz_free(z);
	return status;
}

static int run_eval(const command *self, int argc, char **argv)
{
	eval_options e = {0};
	const option table[] = {
		{"inputs", OPTION_TEXT, &e.inputs, "FILES", "values in0, in1, … of the arguments: an npz file,\n"
		 "or .npy files and x.raw:f32[4,8], with commas"},
		{"outputs", OPTION_TEXT, &e.outputs, "FILE.npz",
	         "write the results out0, out1, …; do not print them"},
		{"function", OPTION_TEXT, &e.function, "NAME", "run this function rather than @main"},
		{"threads", OPTION_THREADS, &e.threads, "N", "threads to use; default: one for each core"},
		{"quiet", OPTION_FLAG, &e.quiet, NULL, "do not print the results"},
		{"json", OPTION_FLAG, &e.json, NULL, "print how many checks passed, as JSON"},
	};
	return on_one_file(self, argc, argv, table, sizeof table / sizeof *table, eval, &e);
}

const command cmd_eval = {
	.name = "eval",
	.args = "FILE [--inputs FILES] [--outputs OUT.npz] [--function NAME] [--quiet] [--json]",
	.summary = "evaluate a StableHLO program as it is written",
	.about =
		"Runs @main, or the only public function, on one device, and prints its results.  Dimensions\n"
		"that the program leaves open are those of the inputs.  check.expect_*\n"
		"operations are obeyed: the exit status is 1 if one fails.  So is interpreter.run_parallel,\n"
		"which runs functions on several devices.\n",
	.examples = "  tess eval stablehlo/testdata/abs_bfloat16_20_20.mlir\n"
		    "  tess eval twice.mlir --inputs x.npz --function double\n",
	.run = run_eval,
};
