/* bytecode.c - the entry points of the reader: reads a module, and locations on demand. */
#include "bytecode/read/read.h"

static void bytecode_begin(bytecode *b, tess_ctx *ctx, source *src, arena *tables)
{
	b->ctx = ctx;
	b->src = src;
	b->mem = b->tables = tables;
	b->begin = (const unsigned char *)src->text.ptr;
	b->end = b->begin + src->text.len;
	b->here = b->begin;
}

/* Returns {key: "0x…"}, a resource as in text, with four bytes for its alignment in front. */
static const attr *resource_text(bytecode *b, const resource_entry *r)
{
	if (r->kind == RESOURCE_BOOL)
		return attr_bool(b->ctx, r->blob.at < r->blob.end && *r->blob.at);
	if (r->kind == RESOURCE_STRING) {
		bytes s = r->blob;
		return attr_string(b->ctx, string_name(b, bytes_number(b, &s)));
	}
	size_t n = (size_t)(r->blob.end - r->blob.at), len = 2 + 2 * (4 + n);
	char *text = arena_alloc(b->mem, len), *at = text;
	const uint32_t alignment = (uint32_t)r->alignment;
	*at++ = '0';
	*at++ = 'x';
	hex_digits(at, &alignment, sizeof alignment);
	hex_digits(at + 8, r->blob.at, n);
	return attr_string(b->ctx, name_of(b->ctx, (tess_str){text, len}));
}

/* Stores resources as the text {-# dialect_resources: { builtin: { key: "0x…" } } #-} would. */
static void keep_resources(bytecode *b)
{
	const name **keys = NEW_N(b->mem, const name *, b->resources.len);
	const attr **values = NEW_N(b->mem, const attr *, b->resources.len);
	int n = 0;
	for (int i = 0; i < b->resources.len; i++) {
		if (b->resources.ptr[i].kind == RESOURCE_NONE)
			continue;
		keys[n] = b->resources.ptr[i].key;
		values[n++] = resource_text(b, &b->resources.ptr[i]);
	}
	if (!n)
		return;
	const attr *list = attr_dict(b->ctx, keys, values, n);
	const name *builtin = name_of_z(b->ctx, "builtin");
	attrs_set(&b->m->mem, &b->m->resources, name_of_z(b->ctx, "dialect_resources"),
	          attr_dict(b->ctx, &builtin, &list, 1));
}

/* ---- locations ---------------------------------------------------------------------------- */

/* What is kept of a file after reading, to read its locations on demand. */
typedef struct loc_reader {
	bytecode_read_opts opts;
	bytecode *tables; /* NULL until the first one is needed */
} loc_reader;

static void locs_begin(tess_ctx *ctx, source *src, const bytecode_read_opts *opts)
{
	loc_reader *r = NEW(&ctx->perm, loc_reader);
	r->opts = *opts;
	src->find_loc = bytecode_find_loc;
	src->reader = r;
}

/* Opens the tables of a file again; they live as long as the context. */
static bytecode *reopened(tess_ctx *ctx, source *src)
{
	loc_reader *r = src->reader;
	if (r->tables)
		return r->tables;
	bytecode *b = NEW(&ctx->perm, bytecode);
	bytecode_begin(b, ctx, src, &ctx->perm);
	b->opts = &r->opts;
	bytecode_coder_init(b);
	if (!container_open(b))
		return NULL;
	b->mem = b->coder.mem = &ctx->scratch;
	return r->tables = b;
}

bytecode *bytecode_of_locs(const module *m)
{
	source *src = m->src;
	return src && src->find_loc == bytecode_find_loc ? reopened(m->ctx, src) : NULL;
}

const attr *bytecode_find_loc(const module *m, uint32_t at, bool of_arg)
{
	bytecode *b = reopened(m->ctx, m->src);
	uint64_t i = b ? bytecode_loc_at(b, at, of_arg) : UINT64_MAX;
	const attr *a = b && !b->failed && i < b->n_attrs ? entry_attr(b, i) : NULL;
	return a && a->kind > AT_LOC_UNKNOWN ? a : NULL;
}

/* ---- the program --------------------------------------------------------------------------- */

module *bytecode_read(tess_ctx *ctx, source *src, const bytecode_read_opts *opts)
{
	arena_mark here = arena_here(&ctx->scratch);
	bytecode *b = NEW(&ctx->scratch, bytecode);
	src->binary = true;
	bytecode_begin(b, ctx, src, &ctx->scratch);
	b->opts = opts;
	b->m = module_new(ctx);
	module_set_source(b->m, src);
	locs_begin(ctx, src, opts);
	b->m->top->kind = OP_BUILTIN_MODULE;
	bytecode_coder_init(b);
	bool good = container_open(b);
	b->coder.version = b->version;
	good = good && ops_read(b);
	if (good)
		keep_resources(b);
	module *m = b->m;
	if (good) {
		module_unwrap(m);
		good = module_take_symbols(m);
	}
	arena_back(&ctx->scratch, here);
	source_passed(src, 0, src->text.len);
	if (good && (opts->no_verify || module_verify(m)))
		return m;
	module_free(m);
	return NULL;
}
