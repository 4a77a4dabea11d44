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
		{"inputs", OPTION_TEXT, &e.inputs, "FILES",
	         "the arguments: an .npz file with in0, in1, ...; or .npy files\n"
		 "and raw ones, x.raw:f32[4,8], separated by commas"},
		{"outputs", OPTION_TEXT, &e.outputs, "FILE.npz",
	         "write the results as out0, out1, ... instead of printing them"},
		{"function", OPTION_TEXT, &e.function, "NAME", "run this function instead of @main"},
		{"threads", OPTION_THREADS, &e.threads, "N", "use N threads; default: one for each core"},
		{"quiet", OPTION_FLAG, &e.quiet, NULL, "do not print the results"},
		{"json", OPTION_FLAG, &e.json, NULL, "print as JSON how many checks passed"},
	};
	return on_one_file(self, argc, argv, table, sizeof table / sizeof *table, eval, &e);
}

const command cmd_eval = {
	.name = "eval",
	.args = "FILE [--inputs FILES] [--outputs OUT.npz] [--function NAME] [--quiet] [--json]",
	.summary = "run a StableHLO program as it is written, on one device",
	.about =
		"Runs @main, or the only public function, ignoring all shardings, and prints its results.\n"
		"Dynamic dimensions get the sizes of the inputs.  The operations check.expect_* of StableHLO's\n"
		"test programs are checked, and interpreter.run_parallel runs functions on several devices.\n",
	.examples =
		"  tess run examples/gpt_step.mlir --inputs examples/gpt_step.npz --outputs out.npz\n"
		"  tess eval examples/gpt_step.mlir --inputs examples/gpt_step.npz --outputs whole.npz\n",
	.status = "0    done\n"
	          "1    a check in the program failed, or the program or its inputs are wrong",
	.run = run_eval,
};
