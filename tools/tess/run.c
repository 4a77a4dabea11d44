/* run.c - `tess run`: a program computed on virtual devices. */
#include "tess.h"

#include <inttypes.h>
#include <stdlib.h>
#include <tessera/run.h>

static void print_outputs(const tess_exec *e)
{
	tess_tensor t;
	int64_t n = tess_exec_devices(e);
	printf("%" PRId64 " device%s, %" PRIu64 " bytes of intermediate values\n", n,
	       n == 1 ? "" : "s", tess_exec_memory(e));
	for (size_t i = 0; tess_exec_output(e, i, &t); i++) {
		printf("out%zu ", i);
		print_type(stdout, &t);
		putchar('\n');
	}
}

static void print_outputs_json(const tess_exec *e)
{
	tess_tensor t;
	printf("{\"devices\": %" PRId64 ", \"memory_bytes\": %" PRIu64 ", \"outputs\": [",
	       tess_exec_devices(e), tess_exec_memory(e));
	for (size_t i = 0; tess_exec_output(e, i, &t); i++) {
		printf("%s\"", i ? ", " : "");
		print_type(stdout, &t);
		putchar('"');
	}
	puts("]}");
}

tess_status save_outputs(tess_ctx *ctx, const tess_exec *e, const char *path)
{
	size_t n = tess_exec_output_count(e);
	tess_tensor *list = calloc(n + 1, sizeof *list);
	char(*names)[32] = calloc(n + 1, sizeof *names);
	tess_status status = list && names ? TESS_OK : TESS_NOMEM;
	for (size_t i = 0; status == TESS_OK && i < n; i++) {
		tess_exec_output(e, i, &list[i]);
		snprintf(names[i], sizeof names[i], "out%zu", i);
		list[i].name = names[i];
	}
	if (status == TESS_OK)
		status = tess_npz_write(ctx, path, list, n);
	free(list);
	free(names);
	return status;
}

typedef struct run_options {
	program_options program;
	const char *inputs, *outputs, *trace;
	backend_options backend;
	int64_t devices, threads;
	bool faithful, whole_windows, skip_callbacks, json;
} run_options;

static tess_status run(const command *self, tess_ctx *ctx, const char *path, const run_options *o,
                       tess_ranks *ranks)
{
	tess_exec_opts eo = TESS_EXEC_OPTS_INIT;
	tess_status status;
	tess_npz *z = o->inputs ? tess_npz_open(ctx, o->inputs) : NULL;
	if (o->inputs && !z)
		return TESS_IO;
	eo.whole = o->devices == 1;
	eo.threads = (int)o->threads;
	eo.faithful = o->faithful;
	eo.whole_windows = o->whole_windows;
	eo.ranks = ranks;
	eo.trace = o->trace != NULL;
	progress_begin(&eo);
	eo.outside = o->skip_callbacks ? answer_zero : NULL;
	tess_module *m = program_open(self, ctx, path, &o->program, &status);
	eo.as_is = program_has_reshards(&o->program);
	if (m && eo.as_is)
		status = program_propagate(m, &o->program);
	tess_exec *e = status == TESS_OK ? tess_exec_new(m, &eo) : NULL;
	if (status == TESS_OK)
		status = e ? run_with_inputs(e, z) : TESS_INVALID;
	if (status == TESS_OK && o->outputs && backend_leads(ranks))
		status = save_outputs(ctx, e, o->outputs);
	if (status == TESS_OK && o->trace && backend_leads(ranks))
		status = give_text(self, o->trace, tess_exec_trace(e), false);
	status = progress_end(status);
	if (status == TESS_OK)
		o->json ? print_outputs_json(e) : print_outputs(e);
	tess_exec_free(e);
	tess_module_free(m);
	tess_npz_free(z);
	return status;
}

static tess_status run_on_backend(const command *self, tess_ctx *ctx, const char *path,
                                  const run_options *o)
{
	backend b;
	tess_status status = backend_open(ctx, &o->backend, &b);
	if (status == TESS_OK)
		status = run(self, ctx, path, o, b.ranks);
	return backend_close(ctx, &b, status);
}

static int run_run(const command *self, int argc, char **argv)
{
	run_options r = {0};
	const option table[] = {
		{"inputs", OPTION_TEXT, &r.inputs, "FILES",
	         "the arguments of @main, as whole arrays: an .npz file with\n"
		 "in0, in1, ...; or .npy files and raw ones, x.raw:f32[4,8],\nseparated by commas"},
		{"outputs", OPTION_TEXT, &r.outputs, "FILE.npz", "write the results, as whole arrays out0, out1, ..."},
		{"trace", OPTION_TEXT, &r.trace, "FILE.json",
		 "write when each operation ran, for Perfetto or Chrome, with\n"
		 "a lane for each device"},
		PROGRAM_OPTIONS(r.program),
		POLICY_OPTION(r.program),
		{"devices", OPTION_POSITIVE, &r.devices, "1", "1: run the program whole, on one device"},
		{"threads", OPTION_THREADS, &r.threads, "N", "use N threads; default: one for each core"},
		BACKEND_OPTIONS(r.backend),
		{"faithful", OPTION_FLAG, &r.faithful, NULL, "compute every copy of a replicated value"},
		SKIP_CALLBACKS_OPTION(r.skip_callbacks),
		{"whole-windows", OPTION_FLAG, &r.whole_windows, NULL,
		 "make scatter skip windows that are partly outside, as XLA"},
		{"json", OPTION_FLAG, &r.json, NULL, "print JSON"},
	};
	options o = {.self = self,
	             .table = table,
	             .n = sizeof table / sizeof *table,
	             .min_files = 1,
	             .max_files = 1};
	int status = options_parse(&o, argc, argv);
	if (status < 0 && r.devices != 0 && r.devices != 1)
		status = usage_error(self,
		                     "--devices %" PRId64
		                     ": the number of devices is that of the mesh; set the mesh with "
		                     "--mesh, or give 1 to run the program whole",
		                     r.devices);
	if (status < 0)
		status = backend_check(self, &r.backend);
	if (status < 0) {
		tess_ctx *ctx = context_new();
		status = finish(ctx, run_on_backend(self, ctx, o.files[0], &r));
	}
	options_free(&o);
	return status;
}

const command cmd_run = {
	.name = "run",
	.args = "FILE [--inputs IN.npz] [--outputs OUT.npz] [OPTION]...",
	.summary = "run a program on as many virtual devices as its mesh has",
	.about =
		"Propagates the annotations, partitions the program, and runs the program of each device on\n"
		"its part of the data, in this process.  Arguments and results are whole arrays.  Prints the\n"
		"number of devices, the memory of intermediate values, and the types of the results;\n"
		"--outputs writes their values.  `tess verify` runs a program on random arguments.\n",
	.examples =
		"  tess run examples/gpt_step.mlir --inputs examples/gpt_step.npz --outputs out.npz\n"
		"  tess run examples/gpt_step.mlir --inputs examples/gpt_step.npz --mesh data=8,model=1\n"
		"  mpirun -n 2 tess run examples/gpt_step.mlir --inputs examples/gpt_step.npz --outputs out.npz\n",
	.status = "0    done\n"
	          "1    the program or its inputs are wrong, or a check in the program failed",
	.run = run_run,
};
