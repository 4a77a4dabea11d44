/* write.c - the entry point of the writer: writes a module as sections of bytecode. */
#include "bytecode/write/write.h"

/* ---- tables --------------------------------------------------------------------------------------- */

static void write_strings(encoder *e, writer *w)
{
	put_number(w, (uint64_t)e->strings.len);
	for (int i = e->strings.len; i-- > 0;)
		put_number(w, e->strings.ptr[i].len + 1);
	for (int i = 0; i < e->strings.len; i++) {
		put_str(w, e->strings.ptr[i]);
		put_c(w, 0);
	}
}

/* Writes the consecutive names of one dialect from number i on; returns the next number. */
static int write_op_names(encoder *e, writer *w, int i)
{
	int end = i;
	while (end < e->ops.len && e->ops.ptr[end].dialect == e->ops.ptr[i].dialect)
		end++;
	put_number(w, e->ops.ptr[i].dialect);
	put_number(w, (uint64_t)(end - i));
	for (; i < end; i++) {
		const out_op *o = &e->ops.ptr[i];
		if (e->version >= 5)
			put_flagged(w, o->string, o->registered);
		else
			put_number(w, o->string);
	}
	return end;
}

static void write_dialects(encoder *e, writer *w)
{
	put_number(w, (uint64_t)e->dialects.len);
	for (int i = 0; i < e->dialects.len; i++) {
		uint32_t s = string_number_of(e, name_of(e->ctx, e->dialects.ptr[i]));
		if (e->version)
			put_flagged(w, s, false);
		else
			put_number(w, s);
	}
	if (e->version >= 4)
		put_number(w, (uint64_t)e->ops.len);
	for (int i = 0; i < e->ops.len;)
		i = write_op_names(e, w, i);
}

static void write_properties(encoder *e, writer *w)
{
	put_number(w, e->n_properties);
	put_str(w, writer_str(&e->properties));
}

/* ---- the file ------------------------------------------------------------------------------- */

static bool write_fail(coder *c, const char *fmt, ...)
{
	encoder *e = c->user;
	va_list ap;
	va_start(ap, fmt);
	char text[256];
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	if (e->failed)
		return false;
	e->failed = true;
	if (e->opts->portable)
		return diag_error(e->ctx, e->here ? op_place(e->m, e->here) : NOWHERE, E_VERSION,
		                  "%s; the artifact is to be for %d.%d.%d", text,
		                  e->opts->target.major, e->opts->target.minor,
		                  e->opts->target.patch);
	return diag_error(e->ctx, e->here ? op_place(e->m, e->here) : NOWHERE, E_BYTECODE, "%s", text);
}

static void put_section(writer *w, int id, const writer *contents)
{
	put_c(w, (char)id);
	put_number(w, contents->len);
	put_mem(w, contents->ptr, contents->len);
}

/* Writes a section with contents aligned to `alignment` in the file, which starts at `from`. */
static void put_aligned_section(writer *w, size_t from, int id, const writer *contents, size_t alignment)
{
	put_c(w, (char)(id | 0x80));
	put_number(w, contents->len);
	put_number(w, alignment);
	put_padding(w, from, alignment);
	put_mem(w, contents->ptr, contents->len);
}

static int format_for(vhlo_version v)
{
	int n = 100 * v.major + v.minor;
	return n < 10 ? 0 : n < 12 ? 1 : n < 14 ? 3 : n < 15 ? 4 : 6;
}

static void put_header(const encoder *e, writer *w)
{
	vhlo_version v = e->opts->target;
	put_lit(w, "ML\xefR");
	put_number(w, (uint64_t)e->version);
	if (e->opts->portable)
		put_f(w, "StableHLO_v%d.%d.%d", v.major, v.minor, v.patch);
	else
		put_lit(w, "tessera");
	put_c(w, 0);
}

enum { OUT_STRING, OUT_DIALECT, OUT_ATTR_TYPE, OUT_OFFSETS, OUT_IR, OUT_RESOURCE, OUT_RESOURCE_OFFSET,
	OUT_VERSIONS, OUT_PROPERTIES, OUT_COUNT };

/* Writes the tables that operations refer to: their numbers are known now, and they come first. */
static void write_tables(encoder *e, writer *w, size_t from)
{
	static const int order[] = {OUT_DIALECT, OUT_OFFSETS, OUT_ATTR_TYPE, OUT_RESOURCE_OFFSET,
	                            OUT_RESOURCE, OUT_STRING};
	writer s[OUT_COUNT];
	for (int i = 0; i < OUT_COUNT; i++)
		writer_init(&s[i], e->mem);
	size_t alignment = resources_write(e, &s[OUT_RESOURCE_OFFSET], &s[OUT_RESOURCE]);
	write_dialects(e, &s[OUT_DIALECT]);
	entries_write(e, &s[OUT_OFFSETS], &s[OUT_ATTR_TYPE]);
	write_properties(e, &s[OUT_PROPERTIES]);
	write_strings(e, &s[OUT_STRING]);
	size_t most = 100 + alignment; /* for headers and padding */
	for (int i = 0; i < OUT_COUNT; i++)
		most += s[i].len + 1 + NUMBER_MOST;
	writer_room(w, most);
	for (int i = 0; i < COUNT(order); i++)
		if (order[i] == OUT_RESOURCE && alignment > 1)
			put_aligned_section(w, from, order[i], &s[order[i]], alignment);
		else
			put_section(w, order[i], &s[order[i]]);
	if (e->version >= 5)
		put_section(w, OUT_PROPERTIES, &s[OUT_PROPERTIES]);
}

static encoder *encoder_new(const module *m, const bytecode_write_opts *opts)
{
	tess_ctx *ctx = m->ctx;
	encoder *e = NEW(&ctx->scratch, encoder);
	*e = (encoder){.ctx = ctx, .m = m, .opts = opts, .mem = &ctx->scratch};
	e->version = opts->portable ? format_for(opts->target) : opts->version;
	e->target = 100 * opts->target.major + opts->target.minor;
	e->coder = (coder){.ctx = ctx,
	                   .mem = e->mem,
	                   .fail = write_fail,
	                   .version = (uint64_t)e->version,
	                   .resource_number = resource_number_of,
	                   .user = e};
	e->op_name_numbers = NEW_N(e->mem, uint32_t, 3 * OP_COUNT);
	resources_init(e);
	entries_init(e);
	op_attrs_init(e);
	e->builtin = dialect_number(e, STR("builtin"));
	locs_init(e);
	return e;
}

bool bytecode_write(writer *w, const module *m, const bytecode_write_opts *opts)
{
	encoder *e = encoder_new(m, opts);
	size_t from = w->len;
	writer_room(w, 12 * (size_t)m->n_ops + 1024); /* enough for most programs */
	put_header(e, w);
	put_c(w, OUT_IR);
	size_t at = put_number_later(w);
	if (!ops_write(e, w))
		return false;
	patch_number(w, at, w->len - at - NUMBER_MOST);
	write_tables(e, w, from);
	return !e->failed;
}
