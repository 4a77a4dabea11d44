/* hlo.c - `tess hlo`: what an XLA shape and its layout mean. */
#include "tess.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>
#include <tessera/hlo.h>
#include <tessera/shape.h>

static const char *kind_word(tess_shape_kind kind)
{
	switch (kind) {
	case TESS_SHAPE_ARRAY: return "array";
	case TESS_SHAPE_TUPLE: return "tuple";
	case TESS_SHAPE_TOKEN: return "token";
	case TESS_SHAPE_OPAQUE: return "opaque";
	case TESS_SHAPE_BUFFER: return "buffer";
	}
	return "";
}

/* The shape with its facts as lines, or as the members of a JSON object. */
typedef struct facts {
	bool json;
	int n;
} facts;

/* "elements, padded" is "elements_padded" in JSON. */
static void print_json_key(facts *f, const char *key)
{
	printf("%s\"", f->n++ ? ", " : "");
	for (; *key; key++)
		if (*key != ',')
			putchar(*key == ' ' ? '_' : *key);
	printf("\": ");
}

static void fact(facts *f, const char *key, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

static void fact(facts *f, const char *key, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	if (f->json)
		print_json_key(f, key);
	else
		printf("%-20s ", key);
	vprintf(fmt, ap);
	if (!f->json)
		putchar('\n');
	va_end(ap);
}

static void fact_word(facts *f, const char *key, const char *s)
{
	fact(f, key, f->json ? "\"%s\"" : "%s", s);
}

/* Of a text of the library's, which it releases. */
static void fact_text(facts *f, const char *key, char *s)
{
	fact_word(f, key, s ? s : "");
	tess_text_free(s);
}

static void fact_numbers(facts *f, const char *key, const int64_t *v, int n)
{
	char text[TESS_MAX_RANK * 22 + 3], *at = text;
	*at++ = '[';
	for (int i = 0; i < n; i++)
		if (v[i] == TESS_DIM_UNBOUNDED)
			at += sprintf(at, "%s%s", i ? ", " : "", f->json ? "null" : "?");
		else
			at += sprintf(at, "%s%" PRId64, i ? ", " : "", v[i]);
	strcpy(at, "]");
	fact(f, key, "%s", text);
}

/* How XLA's documentation calls the dimensions of arrays of rank 2 to 4. */
static void fact_names(facts *f, int rank)
{
	static const char *const words[2][3] = {{"y, x", "z, y, x", "p, z, y, x"},
	                                        {"\"y\", \"x\"", "\"z\", \"y\", \"x\"",
	                                         "\"p\", \"z\", \"y\", \"x\""}};
	if (rank >= 2 && rank <= 4)
		fact(f, "called", f->json ? "[%s]" : "%s", words[f->json][rank - 2]);
}

static void layout_facts(facts *f, const tess_shape *s)
{
	const tess_layout *l = tess_shape_layout(s);
	int rank = tess_shape_rank(s), order[TESS_MAX_RANK];
	int64_t wide[TESS_MAX_RANK];
	if (!l)
		return;
	int n = tess_layout_minor_to_major(l, order, TESS_MAX_RANK);
	for (int i = 0; i < n; i++)
		wide[i] = order[i];
	fact_numbers(f, "minor to major", wide, n);
	for (size_t i = 0; i < tess_layout_tile_count(l); i++) {
		int tile = tess_layout_tile(l, i, wide, TESS_MAX_RANK);
		char key[32];
		snprintf(key, sizeof key, "tile %zu", i);
		fact_numbers(f, key, wide, tile);
	}
	if (rank && tess_shape_strides(s, wide))
		fact_numbers(f, "strides", wide, rank);
	int64_t space = tess_layout_memory_space(l);
	fact(f, "memory space", f->json ? "%" PRId64 : "%" PRId64 " %s", space,
	     tess_memory_space_name(space));
}

/* Sizes that are unbounded, or too large to count, are below 0. */
static void fact_count(facts *f, const char *key, int64_t n)
{
	if (n < 0)
		fact(f, key, "%s", f->json ? "null" : "unknown");
	else
		fact(f, key, "%" PRId64, n);
}

/* 8 * 1024 * 1024 as "8 MiB", in parentheses behind the number. */
static void fact_bytes(facts *f, const char *key, int64_t bytes)
{
	static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
	double v = (double)bytes;
	int unit = 0;
	for (; v >= 1024 && unit < 6; unit++)
		v /= 1024;
	if (f->json || !unit)
		fact_count(f, key, bytes);
	else
		fact(f, key, "%" PRId64 " (%.4g %s)", bytes, v, units[unit]);
}

/* Who is to blame for the padding. */
static void wasteful_dims(facts *f, const tess_shape *s)
{
	char key[32];
	for (int i = 0; i < tess_shape_rank(s); i++) {
		int64_t size = tess_shape_dim(s, i), stored = tess_shape_stored_dim(s, i);
		if (stored <= size || f->json)
			continue;
		snprintf(key, sizeof key, "dimension %d", i);
		fact(f, key, "stored as %" PRId64 ", %" PRId64 " used", stored, size);
	}
}

static void padding_facts(tess_ctx *ctx, facts *f, const tess_shape *s)
{
	int64_t data = tess_shape_bytes(s, TESS_SIZE_DATA),
		all = tess_shape_bytes(s, TESS_SIZE_PADDED);
	int64_t stored[TESS_MAX_RANK];
	const tess_shape *better = tess_shape_least_padded(ctx, s);
	if (data <= 0 || all < 0)
		return;
	fact(f, "padding factor", "%.4g", (double)all / (double)data);
	for (int i = 0; i < tess_shape_rank(s); i++)
		stored[i] = tess_shape_stored_dim(s, i);
	if (f->json && tess_shape_kind_of(s) == TESS_SHAPE_ARRAY)
		fact_numbers(f, "dimensions, stored", stored, tess_shape_rank(s));
	wasteful_dims(f, s);
	if (better == s)
		return;
	fact_text(f, "better layout", tess_layout_print(ctx, tess_shape_layout(better)));
	fact_bytes(f, "bytes, better", tess_shape_bytes(better, TESS_SIZE_PADDED));
}

static void shape_facts(tess_ctx *ctx, facts *f, const tess_shape *s)
{
	int64_t dims[TESS_MAX_RANK];
	int rank = tess_shape_rank(s);
	fact_text(f, "shape", tess_shape_print(ctx, s, true));
	fact_word(f, "kind", kind_word(tess_shape_kind_of(s)));
	if (tess_shape_dtype(s) != TESS_NO_DTYPE) {
		for (int i = 0; i < rank; i++)
			dims[i] = tess_shape_dim(s, i);
		fact(f, "bits of an element", "%d", tess_dtype_bits(tess_shape_dtype(s)));
		fact_numbers(f, "dimensions", dims, rank);
		fact_names(f, rank);
		fact(f, "true rank", "%d", tess_shape_true_rank(s));
		layout_facts(f, s);
		fact_count(f, "elements", tess_shape_elements(s));
		fact_count(f, "elements, padded", tess_shape_padded_elements(s));
	} else {
		fact(f, "parts", "%zu", tess_shape_part_count(s));
		fact(f, "leaves", "%zu", tess_shape_leaf_count(s));
	}
	fact_bytes(f, "bytes", tess_shape_bytes(s, TESS_SIZE_DATA));
	fact_bytes(f, "bytes, padded", tess_shape_bytes(s, TESS_SIZE_PADDED));
	padding_facts(ctx, f, s);
}

static tess_status print_shape(tess_ctx *ctx, const char *text, bool json)
{
	facts f = {.json = json};
	const tess_shape *s = tess_shape_parse(ctx, tess_str_of(text));
	if (!s)
		return TESS_INVALID;
	if (json)
		putchar('{');
	shape_facts(ctx, &f, s);
	if (json)
		puts("}");
	return TESS_OK;
}

/* ---- programs ----------------------------------------------------------------- */

typedef struct hlo_request {
	const char *style;
	bool stats, json;
	tess_hlo_print_opts print;
} hlo_request;

static bool parse_style(const char *word, tess_hlo_style *out)
{
	static const char *const words[] = {"default", "canonical", "fingerprint", "short"};
	for (int i = 0; i < 4; i++) {
		if (strcmp(word, words[i]) != 0)
			continue;
		*out = (tess_hlo_style)i;
		return true;
	}
	return false;
}

static tess_status print_hlo(const command *self, tess_ctx *ctx, const char *path,
                             const hlo_request *r)
{
	tess_parse_opts reading = TESS_PARSE_OPTS_INIT;
	reading.hlo = TESS_HLO_EXPECTED;
	tess_module *m = tess_module_parse_file(ctx, path, &reading);
	if (!m)
		return TESS_INVALID;
	char *text = r->stats ? tess_hlo_stats(m, r->json) : tess_hlo_print(m, &r->print);
	tess_module_free(m);
	return give_text(self, NULL, text, false);
}

static int run_hlo(const command *self, int argc, char **argv)
{
	const char *shape = NULL;
	hlo_request r = {.print = TESS_HLO_PRINT_OPTS_INIT};
	const option table[] = {
		{"shape", OPTION_TEXT, &shape, "TEXT", "explain a shape, as XLA writes it, instead of reading a FILE"},
		{"stats", OPTION_FLAG, &r.stats, NULL, "count opcodes and bytes, and list every collective with its\ngroups"},
		{"style", OPTION_TEXT, &r.style, "STYLE",
		 "print as XLA does in this style: default, canonical,\nfingerprint or short"},
		{"no-metadata", OPTION_FLAG, &r.print.no_metadata, NULL, "print without metadata"},
		{"large-constants", OPTION_FLAG, &r.print.large_constants, NULL,
		 "print every element of every constant"},
		{"json", OPTION_FLAG, &r.json, NULL, "with --shape or --stats: print JSON"},
	};
	options o = {
		.self = self, .table = table, .n = sizeof table / sizeof *table, .max_files = 1};
	int status = options_parse(&o, argc, argv);
	if (status < 0 && !shape && !o.n_files)
		status = usage_error(self, "a FILE is missing, or --shape");
	if (status < 0 && shape && (o.n_files || r.stats))
		status = usage_error(self, "--shape excludes FILE and --stats");
	if (status < 0 && r.json && !shape && !r.stats)
		status = usage_error(self, "--json needs --shape or --stats");
	if (status < 0 && (shape || r.stats) &&
	    (r.style || r.print.no_metadata || r.print.large_constants))
		status = usage_error(self, "--style, --no-metadata and --large-constants need a program "
		                           "that is printed");
	if (status < 0 && r.style && !parse_style(r.style, &r.print.style))
		status = usage_error(self, "--style %s: expected default, canonical, fingerprint or short", r.style);
	if (status < 0) {
		tess_ctx *ctx = context_new();
		status = finish(ctx, shape ? print_shape(ctx, shape, r.json)
		                           : print_hlo(self, ctx, o.files[0], &r));
	}
	options_free(&o);
	return status;
}

const command cmd_hlo = {
	.name = "hlo",
	.args = "FILE [--stats] [--style STYLE] | --shape TEXT [--json]",
	.summary = "check, print and count HLO; explain a shape of XLA",
	.about =
		"Reads HLO, as text or protocol buffer, as jaxlib and XLA's dumps write it, checks it, and\n"
		"prints it as XLA does, or with --stats counts what it does.  With --shape: explains a shape\n"
		"and its layout: dimensions, order in memory, tiles, memory space, sizes with and without\n"
		"padding, the dimensions that are padded, and a layout that needs less padding.\n",
	.examples = "  tess convert examples/mlp.mlir -o mlp.hlo && tess hlo mlp.hlo\n"
		    "  tess convert examples/mlp.mlir --to hlo | tess hlo --stats -\n"
		    "  tess hlo --shape 'bf16[2048,1,2048,128]{0,1,3,2:T(4,128)(2,1)}'\n"
		    "  tess hlo --shape '(f32[2,3]{0,1}, token[])' --json\n",
	.status = "0    done\n"
	          "1    the HLO or the shape is wrong",
	.run = run_hlo,
};
