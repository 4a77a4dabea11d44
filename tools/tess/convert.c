/* convert.c - `tess convert`: a program in another form: text, bytecode, artifact, HLO, its proto. */
#include "tess.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/hlo.h>
#include <tessera/tensor.h>

typedef enum form { FORM_TEXT, FORM_GENERIC, FORM_BYTECODE, FORM_ARTIFACT, FORM_HLO, FORM_PROTO,
	FORM_EXPORT, FORM_NPZ, FORMS } form;

static const struct {
	const char *word, *suffix;
} forms[FORMS] = {{"text", ".mlir"}, {"generic", NULL}, {"bytecode", ".mlirbc"}, {"artifact", ".bc"},
                  {"hlo", ".hlo"}, {"proto", ".pb"}, {"export", NULL},
                  {"npz", ".npz"}};

typedef struct convert_options {
	bool texts, to_hlo;
	const char *to, *output, *target;
	int64_t version;
	tess_print_opts print;
	tess_hlo_print_opts hlo;
} convert_options;

static tess_module *read_as(tess_ctx *ctx, const char *path, tess_hlo_reading hlo)
{
	tess_parse_opts opts = TESS_PARSE_OPTS_INIT;
	opts.allow_unregistered = true; /* operations of the dialect "hlo" */
	opts.hlo = hlo;
	return tess_module_parse_file(ctx, path, &opts);
}

static tess_module *to_stablehlo(tess_ctx *ctx, const char *path, const convert_options *c)
{
	tess_hlo_convert_opts opts = TESS_HLO_CONVERT_OPTS_INIT;
	tess_module *m = read_as(ctx, path, TESS_HLO_EXPECTED);
	opts.sdy = !c->texts;
	if (!m || tess_hlo_to_stablehlo(m, &opts) == TESS_OK)
		return m;
	tess_module_free(m);
	return NULL;
}

static tess_module *to_hlo(tess_ctx *ctx, const char *path)
{
	tess_module *m = read_as(ctx, path, TESS_HLO_KEPT);
	if (!m || tess_hlo_from_stablehlo(m) == TESS_OK)
		return m;
	tess_module_free(m);
	return NULL;
}

static bool ends_with(const char *s, const char *suffix)
{
	size_t n = s ? strlen(s) : 0, k = strlen(suffix);
	return n >= k && !strcmp(s + n - k, suffix);
}

/* What was asked for by name, else by the suffix of the output; FORMS: there is no such form. */
static form form_of(const convert_options *c)
{
	form f = FORM_TEXT;
	if (c->to_hlo)
		return FORM_HLO;
	for (f = 0; f < FORMS; f++)
		if (c->to ? !strcmp(c->to, forms[f].word)
		          : forms[f].suffix && ends_with(c->output, forms[f].suffix))
			return f;
	return c->to ? FORMS : c->target ? FORM_ARTIFACT : FORM_TEXT;
}

static tess_status write_binary(const command *self, tess_module *m, form f,
                                const convert_options *c)
{
	tess_write_opts opts = TESS_WRITE_OPTS_INIT;
	char *bytes = NULL;
	size_t n = 0;
	opts.version = (int)c->version;
	if (f == FORM_ARTIFACT)
		opts.target = c->target ? c->target : "";
	tess_status status = tess_module_write(m, &opts, &bytes, &n);
	if (status == TESS_OK && !write_text(self, c->output, (tess_str){bytes, n}))
		status = TESS_IO;
	tess_text_free(bytes);
	return status;
}

static tess_status write_form(const command *self, tess_module *m, form f, const convert_options *c)
{
	tess_print_opts print = c->print;
	print.generic = f == FORM_GENERIC;
	if (f == FORM_BYTECODE || f == FORM_ARTIFACT || f == FORM_PROTO)
		return write_binary(self, m, f, c);
	return give_text(self, c->output,
	                 f == FORM_HLO      ? tess_hlo_print(m, &c->hlo)
	                 : f == FORM_EXPORT ? tess_module_export(m)
	                                    : tess_module_print(m, &print),
	                 false);
}

/* The arrays of a snapshot: what the program was called with, and what it returned. */
static tess_status keep_arrays(tess_ctx *ctx, const char *path, const char *output)
{
	tess_npz *z = tess_npz_open(ctx, path);
	size_t n = tess_npz_count(z);
	tess_tensor *list = calloc(n + 1, sizeof *list);
	tess_status status = !z ? TESS_INVALID : list ? TESS_OK : TESS_NOMEM;
	for (size_t i = 0; list && i < n; i++)
		tess_npz_get(z, i, &list[i]);
	if (status == TESS_OK)
		status = tess_npz_write(ctx, output, list, n);
	free(list);
	tess_npz_free(z);
	return status;
}

static tess_status convert(const command *self, tess_ctx *ctx, const char *path, void *own)
{
	const convert_options *c = own;
	form f = form_of(c);
	char number[24];
	snprintf(number, sizeof number, "%" PRId64, c->version);
	if (f == FORMS || c->version > 6) {
		usage_error(self, f == FORMS ? "--to %s: expected text, generic, bytecode, artifact, hlo, proto, export or npz"
		                             : "--bytecode-version %s: expected 0 to 6",
		            f == FORMS ? c->to : number);
		return TESS_USAGE;
	}
	bool hlo = f == FORM_HLO || f == FORM_PROTO;
	if (hlo && (c->texts || c->print.locations)) {
		usage_error(self, "--to %s excludes --texts and --mlir-print-debuginfo", f == FORM_HLO ? "hlo" : "proto");
		return TESS_USAGE;
	}
	if (c->target && f != FORM_ARTIFACT) {
		usage_error(self, "--target-version needs --to artifact");
		return TESS_USAGE;
	}
	if (f == FORM_NPZ && !c->output) {
		usage_error(self, "--to npz needs a file, -o FILE.npz");
		return TESS_USAGE;
	}
	if (f == FORM_NPZ)
		return keep_arrays(ctx, path, c->output);
	tess_module *m = hlo        ? to_hlo(ctx, path)
	                 : c->texts ? to_stablehlo(ctx, path, c)
	                            : read_as(ctx, path, TESS_HLO_CONVERTED);
	if (!m)
		return TESS_INVALID;
	char *said = f == FORM_EXPORT ? tess_module_export(m) : NULL;
	if (f == FORM_EXPORT && !said)
		fprintf(stderr, "tess convert: %s: --to export needs a file that jax.export has written\n", path);
	tess_status status = f == FORM_EXPORT && !said ? TESS_INVALID : write_form(self, m, f, c);
	tess_text_free(said);
	tess_module_free(m);
	return status;
}

static int run_convert(const command *self, int argc, char **argv)
{
	convert_options c = {.print = TESS_PRINT_OPTS_INIT, .hlo = TESS_HLO_PRINT_OPTS_INIT, .version = 6};
	const option table[] = {
		{"o", OPTION_TEXT, &c.output, "FILE",
		 "write to FILE; its ending chooses the format, too: .mlir text,\n"
		 ".mlirbc bytecode, .bc artifact, .hlo, .pb proto, .npz"},
		{"to", OPTION_TEXT, &c.to, "FORMAT", "text, generic, bytecode, artifact, hlo, proto, export or npz"},
		{"target-version", OPTION_TEXT, &c.target, "VERSION",
		 "write an artifact for this version of StableHLO, 1.16.0, or\nfor readers of this age, "
		 "4w, 12w; default: the newest"},
		{"bytecode-version", OPTION_COUNT, &c.version, "N", "version of MLIR's bytecode, 0 to 6; default: 6"},
		{"texts", OPTION_FLAG, &c.texts, NULL,
		 "when reading HLO, keep shardings as texts, mhlo.sharding, as\nXLA's own conversion does"},
		{"mlir-print-debuginfo", OPTION_FLAG, &c.print.locations, NULL,
		 "print locations, the names of instructions among them"},
		{"to-hlo", OPTION_FLAG, &c.to_hlo, NULL, "the same as --to hlo"},
	};
	c.hlo.large_constants = true;
	return on_one_file(self, argc, argv, table, sizeof table / sizeof *table, convert, &c);
}

const command cmd_convert = {
	.name = "convert",
	.args = "FILE [-o FILE] [--to FORMAT] [OPTION]...",
	.summary = "write a program in another format: text, bytecode, HLO, ...",
	.about =
		"Reads a program in any format: MLIR text or bytecode, a StableHLO portable artifact, a file\n"
		"of jax.export, HLO as text or protocol buffer; gzipped or not.  Writes it as\n"
		"  text       MLIR text (default)\n"
		"  generic    the same, every operation in its generic form\n"
		"  bytecode   MLIR bytecode\n"
		"  artifact   a StableHLO portable artifact; it is an error if the version that is asked for\n"
		"             cannot express the program\n"
		"  hlo        HLO text with all elements of constants, which XLA can read\n"
		"  proto      the same as an HloModuleProto\n"
		"  export     what jax.export recorded about its program, as JSON\n"
		"  npz        the arrays of a snapshot that XLA has dumped\n\n"
		"From HLO to MLIR, computations become functions, the entry @main; fusions become calls and\n"
		"asynchronous operations synchronous ones; shardings become sdy's, on the meshes that the\n"
		"program names, or on meshes made of their devices.  Instructions that StableHLO does not\n"
		"have stay operations of the dialect \"hlo\".\n",
	.examples = "  tess convert examples/mlp.mlir -o mlp.mlir.bc --target-version 12w\n"
		    "  tess convert mlp.mlir.bc\n"
		    "  tess convert examples/mlp.mlir -o mlp.hlo\n"
		    "  tess convert mlp.hlo --to generic\n",
	.status = "0    done\n"
	          "1    the program is wrong, or the format cannot express it",
	.run = run_convert,
};
