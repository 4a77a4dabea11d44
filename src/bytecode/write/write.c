/* write.c - the door of the writer: a module as sections of bytecode. */
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

/* From number i on, those of one dialect that follow each other; returns the next number. */
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

/* ---- resources ------------------------------------------------------------------------------------- */

/* {key: "0x…"} of dialect_resources: { builtin: … }; NULL: there are none. */
static const attr *resources_of(const module *m)
{
	for (int i = 0; i < m->resources.n; i++) {
		const named_attr *a = &m->resources.ptr[i];
		if (!strcmp(a->name->s, "dialect_resources") && a->value->kind == AT_DICT &&
		    a->value->n)
			return a->value->list[0];
	}
	return NULL;
}

static int nibble(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : 0;
}

/* The bytes of "0x…", but the four that say its alignment. */
static void put_blob(writer *w, const attr *a)
{
	tess_str s = a->kind == AT_STRING ? name_str(a->text) : (tess_str){0};
	size_t n = s.len > 10 ? (s.len - 10) / 2 : 0;
	put_number(w, 1); /* aligned to nothing */
	put_number(w, n);
	for (size_t i = 0; i < n; i++)
		put_c(w, (char)(nibble(s.ptr[10 + 2 * i]) << 4 | nibble(s.ptr[11 + 2 * i])));
}

static void put_resources(encoder *e, writer *offsets, writer *data)
{
	const attr *list = resources_of(e->m);
	put_number(offsets, 0); /* external groups */
	if (!list || list->kind != AT_DICT)
		return;
	put_number(offsets, dialect_number(e, STR("builtin")));
	put_number(offsets, (uint64_t)list->n);
	for (int i = 0; i < list->n; i++) {
		size_t from = data->len;
		put_blob(data, list->list[i]);
		put_number(offsets, string_number_of(e, list->names[i]));
		put_number(offsets, data->len - from);
		put_c(offsets, 0);
	}
}

static int64_t resource_number_of(coder *c, const name *n)
{
	const encoder *e = c->user;
	const attr *list = resources_of(e->m);
	for (int i = 0; list && list->kind == AT_DICT && i < list->n; i++)
		if (list->names[i] == n)
			return i;
	return -1;
}

/* ---- a file ------------------------------------------------------------------------------------------ */

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

static void write_sections(encoder *e, writer *s, writer *w)
{
	static const int order[] = {OUT_DIALECT, OUT_OFFSETS, OUT_ATTR_TYPE, OUT_IR,
	                            OUT_RESOURCE_OFFSET, OUT_RESOURCE, OUT_STRING};
	put_resources(e, &s[OUT_RESOURCE_OFFSET], &s[OUT_RESOURCE]);
	write_dialects(e, &s[OUT_DIALECT]);
	entries_write(e, &s[OUT_OFFSETS], &s[OUT_ATTR_TYPE]);
	write_properties(e, &s[OUT_PROPERTIES]);
	write_strings(e, &s[OUT_STRING]);
	size_t most = 100; /* what stands around them */
	for (int i = 0; i < OUT_COUNT; i++)
		most += s[i].len + 1 + NUMBER_MOST;
	writer_room(w, most);
	put_header(e, w);
	for (int i = 0; i < COUNT(order); i++)
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
	entries_init(e);
	op_attrs_init(e);
	e->builtin = dialect_number(e, STR("builtin"));
	locs_init(e);
	return e;
}

bool bytecode_write(writer *w, const module *m, const bytecode_write_opts *opts)
{
	encoder *e = encoder_new(m, opts);
	writer sections[OUT_COUNT];
	for (int i = 0; i < OUT_COUNT; i++)
		writer_init(&sections[i], e->mem);
	if (!ops_write(e, &sections[OUT_IR]))
		return false;
	write_sections(e, sections, w);
	return !e->failed;
}
