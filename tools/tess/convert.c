/* convert.c - `tess convert`: HLO text to StableHLO text, and back. */
#include "tess.h"

#include <string.h>
#include <tessera/hlo.h>

typedef struct convert_options {
	bool texts, to_hlo;
	tess_print_opts print;
	tess_hlo_print_opts hlo;
} convert_options;

static tess_module *to_stablehlo(tess_ctx *ctx, const char *path, const convert_options *c)
{
	tess_hlo_convert_opts opts = TESS_HLO_CONVERT_OPTS_INIT;
	tess_module *m = tess_hlo_parse_file(ctx, path);
	opts.sdy = !c->texts;
	if (!m || tess_hlo_to_stablehlo(m, &opts) == TESS_OK)
		return m;
	tess_module_free(m);
	return NULL;
}

static tess_module *to_hlo(tess_ctx *ctx, const char *path)
{
	tess_parse_opts opts = TESS_PARSE_OPTS_INIT;
	opts.allow_unregistered = true; /* operations of the dialect "hlo" */
	tess_module *m = tess_module_parse_file(ctx, path, &opts);
	if (!m || tess_hlo_from_stablehlo(m) == TESS_OK)
		return m;
	tess_module_free(m);
	return NULL;
}

static tess_status convert(const command *self, tess_ctx *ctx, const char *path, void *own)
{
	const convert_options *c = own;
	if (c->to_hlo && (c->texts || c->print.locations)) {
		usage_error(self, "--texts and --mlir-print-debuginfo are not of --to-hlo");
		return TESS_USAGE;
	}
	tess_module *m = c->to_hlo ? to_hlo(ctx, path) : to_stablehlo(ctx, path, c);
	if (!m)
		return TESS_INVALID;
	char *text = c->to_hlo ? tess_hlo_print(m, &c->hlo) : tess_module_print(m, &c->print);
	tess_module_free(m);
	return give_text(self, NULL, text, false);
}

static int run_convert(const command *self, int argc, char **argv)
{
	convert_options c = {.print = TESS_PRINT_OPTS_INIT, .hlo = TESS_HLO_PRINT_OPTS_INIT};
	const option table[] = {
		{"to-hlo", OPTION_FLAG, &c.to_hlo, NULL, "StableHLO to HLO, with all elements of constants"},
		{"texts", OPTION_FLAG, &c.texts, NULL,
		 "leave shardings as texts, mhlo.sharding, as XLA's\nown conversion does"},
		{"mlir-print-debuginfo", OPTION_FLAG, &c.print.locations, NULL,
		 "print locations: the names of instructions"},
	};
	c.hlo.large_constants = true;
	return on_one_file(self, argc, argv, table, sizeof table / sizeof *table, convert, &c);
}

const command cmd_convert = {
	.name = "convert",
	.args = "FILE [--to-hlo] [--texts] [--mlir-print-debuginfo]",
	.summary = "HLO text to StableHLO, and back",
	.about =
		"Reads HLO text and prints the same program as StableHLO.  Computations become functions,\n"
		"the entry @main; fusions become calls, async operations their synchronous counterparts;\n"
		"what StableHLO has not stays an operation of the dialect \"hlo\".  Shardings become sdy\n"
		"shardings on the meshes that the program names, or on meshes made of their devices.\n"
		"With --to-hlo the other way round: XLA reads what is printed.\n",
	.examples = "  tess convert dump.hlo\n"
		    "  tess convert --to-hlo program.mlir | tess hlo --stats -\n",
	.run = run_convert,
};
