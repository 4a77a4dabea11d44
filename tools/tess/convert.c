/* convert.c - `tess convert`: HLO text to StableHLO text. */
#include "tess.h"

#include <string.h>
#include <tessera/hlo.h>

static int run_convert(const command *self, int argc, char **argv)
{
	tess_hlo_convert_opts opts = TESS_HLO_CONVERT_OPTS_INIT;
	tess_print_opts print = TESS_PRINT_OPTS_INIT;
	bool texts = false;
	const option table[] = {
		{"texts", OPTION_FLAG, &texts, NULL,
		 "leave shardings as texts, mhlo.sharding, as XLA's\nown conversion does"},
		{"mlir-print-debuginfo", OPTION_FLAG, &print.locations, NULL,
		 "print locations: the names of instructions"},
	};
	options o = {.self = self, .table = table, .n = sizeof table / sizeof *table, .min_files = 1,
	             .max_files = 1};
	int status = options_parse(&o, argc, argv);
	if (status < 0) {
		tess_ctx *ctx = context_new();
		tess_module *m = tess_hlo_parse_file(ctx, o.files[0]);
		opts.sdy = !texts;
		tess_status done = m ? tess_hlo_to_stablehlo(m, &opts) : TESS_INVALID;
		if (done == TESS_OK) {
			tess_str text = tess_module_print(m, &print);
			fwrite(text.ptr, 1, text.len, stdout);
		}
		tess_module_free(m);
		status = finish(ctx, done);
	}
	options_free(&o);
	return status;
}

const command cmd_convert = {
	.name = "convert",
	.args = "FILE [--texts] [--mlir-print-debuginfo]",
	.summary = "HLO text to StableHLO",
	.about = "Reads HLO text and prints the same program as StableHLO.  Computations become functions,\n"
	         "the entry @main; fusions become calls, async operations their synchronous counterparts;\n"
	         "what StableHLO has not stays an operation of the dialect \"hlo\".  Shardings become sdy\n"
	         "shardings on the meshes that the program names, or on meshes made of their devices.\n",
	.examples = "  tess convert dump.hlo\n"
	            "  tess convert dump.hlo | tess report -\n",
	.run = run_convert,
};
