/* shard.c - `tess shard`: the program with the sharding of every value. */
#include "tess.h"

#include <tessera/partition.h>

static tess_status shard(const command *self, tess_ctx *ctx, const char *path,
                         const program_options *program, const char *output)
{
	tess_status status;
	tess_module *m = program_open(self, ctx, path, program, &status);
	if (m)
		status = tess_module_propagate(m);
	if (status == TESS_OK) {
		tess_print_opts print = TESS_PRINT_OPTS_INIT;
		print.keep_names = true;
		tess_str text = tess_module_print(m, &print);
		status = !text.ptr ? TESS_NOMEM : write_text(self, output, text) ? TESS_OK : TESS_IO;
	}
	tess_module_free(m);
	return status;
}

static int run_shard(const command *self, int argc, char **argv)
{
	program_options program = {0};
	const char *output = NULL;
	const option table[] = {
		PROGRAM_OPTIONS(program),
		{"o", OPTION_TEXT, &output, "FILE", "write to FILE rather than to standard output"},
	};
	options o = {.self = self, .table = table, .n = sizeof table / sizeof *table, .min_files = 1,
	             .max_files = 1};
	int status = options_parse(&o, argc, argv);
	if (status < 0) {
		tess_ctx *ctx = context_new();
		status = finish(ctx, shard(self, ctx, o.files[0], &program, output));
	}
	options_free(&o);
	return status;
}

const command cmd_shard = {
	.name = "shard",
	.args = "FILE [--mesh MESH] [--arg N=SHARDING]... [-o FILE]",
	.summary = "propagate, and print the program with every sharding",
	.about = "Reads a program, spreads the shardings of its annotations to all other values, and prints\n"
	         "it.  Where two shardings of one value are wanted, a reshard stands between them.\n",
	.examples = "  tess shard examples/mlp.mlir\n"
	            "  tess shard plain.mlir --mesh x=2,y=4 --arg '0=[{\"x\"}, {}]' --arg '1=[{}, {\"y\"}]'\n",
	.run = run_shard,
};
