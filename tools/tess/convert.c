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
		usage_error(self, f == FORMS ? "--to %s: text, generic, bytecode, artifact, hlo, proto, export or npz was expected"
		                             : "--bytecode-version %s: 0 to 6 was expected",
		            f == FORMS ? c->to : number);
		return TESS_USAGE;
	}
	bool hlo = f == FORM_HLO || f == FORM_PROTO;
	if (hlo && (c->texts || c->print.locations)) {
		usage_error(self, "--texts and --mlir-print-debuginfo are not of --to hlo or proto");
		return TESS_USAGE;
	}
	if (c->target && f != FORM_ARTIFACT) {
		usage_error(self, "--target-version is of --to artifact");
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
		fprintf(stderr, "tess convert: %s: jax.export has not written this\n", path);
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
		 "write to FILE; .mlir, .mlirbc, .bc, .hlo, .pb and .npz say the form\n"
		 "too: text, bytecode, artifact, hlo, proto, npz"},
		{"to", OPTION_TEXT, &c.to, "FORM", "text, generic, bytecode, artifact, hlo or proto; export: what\n"
		 "jax.export says of the program that it wrote, as JSON; npz: the\narrays of a snapshot"},
		{"target-version", OPTION_TEXT, &c.target, "VERSION",
		 "of StableHLO, for which an artifact is written: 1.16.0, or\n4w, 12w: readers that are so "
		 "old; default: the newest"},
		{"bytecode-version", OPTION_COUNT, &c.version, "N", "of MLIR's bytecode, 0 to 6; default: 6"},
		{"to-hlo", OPTION_FLAG, &c.to_hlo, NULL, "the same as --to hlo"},
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
	.args = "FILE [-o FILE] [--to FORM] [--target-version VERSION] [--bytecode-version N]\n"
		"       [--texts] [--mlir-print-debuginfo]",
	.summary = "a program in another form: text, bytecode, artifact, HLO, its proto",
	.about =
		"Reads a program in whichever form it is: MLIR text, MLIR bytecode, a StableHLO portable\n"
		"artifact, what jax.export writes, HLO text, HLO's protos; gzipped or not.  Writes it as text\n"
		"unless another form is asked for.\n"
		"An artifact is for a version of StableHLO: what that version has not is an error.\n"
		"\n"
		"Of HLO computations become functions, the entry @main; fusions become calls, async\n"
		"operations their synchronous counterparts; what StableHLO has not stays an operation of the\n"
		"dialect \"hlo\".  Shardings become sdy shardings on the meshes that the program names, or on\n"
		"meshes made of their devices.  With --to hlo the other way round, with all elements of\n"
		"constants: XLA reads what is printed.  proto is the same as an HloModuleProto.  A program\n"
		"that is HLO already stays as it is then.\n",
	.examples = "  tess convert program.mlir -o program.bc --target-version 12w\n"
		    "  tess convert dump.hlo\n"
		    "  tess convert --to hlo program.mlir | tess hlo --stats -\n",
	.run = run_convert,
};
