/* hlo.c - `tess hlo`: what an XLA shape and its layout mean. */
#include "tess.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>
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

static void fact_text(facts *f, const char *key, tess_str s)
{
	fact(f, key, f->json ? "\"%.*s\"" : "%.*s", (int)s.len, s.ptr);
}

static void fact_numbers(facts *f, const char *key, const int64_t *v, int n)
{
	char text[TESS_MAX_RANK * 22 + 3], *at = text;
	*at++ = '[';
	for (int i = 0; i < n; i++)
		at += sprintf(at, "%s%" PRId64, i ? ", " : "", v[i]);
	strcpy(at, "]");
	fact(f, key, "%s", text);
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
	for (int i = 0; i < tess_layout_tiles(l); i++) {
		int tile = tess_layout_tile(l, i, wide, TESS_MAX_RANK);
		char key[32];
		snprintf(key, sizeof key, "tile %d", i);
		fact_numbers(f, key, wide, tile);
	}
	if (rank && tess_shape_strides(s, wide))
		fact_numbers(f, "strides", wide, rank);
	int64_t space = tess_layout_memory_space(l);
	fact(f, "memory space", f->json ? "%" PRId64 : "%" PRId64 " %s", space,
	     tess_memory_space_name(space));
}

static void shape_facts(tess_ctx *ctx, facts *f, const tess_shape *s)
{
	int64_t dims[TESS_MAX_RANK];
	int rank = tess_shape_rank(s);
	fact_text(f, "shape", tess_shape_text(ctx, s, true));
	fact_text(f, "kind", (tess_str){kind_word(tess_shape_kind_of(s)),
	                                strlen(kind_word(tess_shape_kind_of(s)))});
	if (tess_shape_dtype(s) != TESS_NO_DTYPE) {
		for (int i = 0; i < rank; i++)
			dims[i] = tess_shape_dim(s, i);
		fact(f, "bits of an element", "%d", tess_dtype_bits(tess_shape_dtype(s)));
		fact_numbers(f, "dimensions", dims, rank);
		fact(f, "true rank", "%d", tess_shape_true_rank(s));
		layout_facts(f, s);
		fact(f, "elements", "%" PRId64, tess_shape_elements(s));
		fact(f, "elements, padded", "%" PRId64, tess_shape_padded_elements(s));
	} else {
		fact(f, "parts", "%d", tess_shape_parts(s));
		fact(f, "leaves", "%" PRId64, tess_shape_leaves(s));
	}
	fact(f, "bytes", "%" PRId64, tess_shape_bytes(s, TESS_SIZE_DATA));
	fact(f, "bytes, padded", "%" PRId64, tess_shape_bytes(s, TESS_SIZE_PADDED));
}

static tess_status print_shape(tess_ctx *ctx, const char *text, bool json)
{
	facts f = {.json = json};
	const tess_shape *s = tess_shape_parse(ctx, (tess_str){text, strlen(text)});
	if (!s)
		return TESS_INVALID;
	if (json)
		putchar('{');
	shape_facts(ctx, &f, s);
	if (json)
		puts("}");
	return TESS_OK;
}

static int run_hlo(const command *self, int argc, char **argv)
{
	const char *shape = NULL;
	bool json = false;
	const option table[] = {
		{"shape", OPTION_TEXT, &shape, "TEXT", "a shape, as XLA writes it"},
		{"json", OPTION_FLAG, &json, NULL, "print JSON"},
	};
	options o = {.self = self, .table = table, .n = sizeof table / sizeof *table};
	int status = options_parse(&o, argc, argv);
	if (status < 0 && !shape)
		status = usage_error(self, "--shape is missing");
	if (status < 0) {
		tess_ctx *ctx = context_new();
		status = finish(ctx, print_shape(ctx, shape, json));
	}
	options_free(&o);
	return status;
}

const command cmd_hlo = {
	.name = "hlo",
	.args = "--shape TEXT [--json]",
	.summary = "facts of an XLA shape and its layout",
	.about = "Parses a shape with its layout, as HLO text and XLA's dumps write them, and prints what\n"
	         "it means: dimensions, order in memory, tiles, memory space, sizes with and without\n"
	         "padding.\n",
	.examples = "  tess hlo --shape 'bf16[8,1,1280,16384]{3,2,0,1:T(8,128)(2,1)}'\n"
	            "  tess hlo --shape '(f32[2,3]{0,1}, token[])' --json\n",
	.run = run_hlo,
};
