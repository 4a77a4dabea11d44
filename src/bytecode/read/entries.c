/* entries.c - makes the attributes and types of a file on demand.
 *
 * Most are given by a code and fields (codes/codes.def); what a dialect has no code for is text. */
#include "bytecode/read/read.h"

static bool entry_fail(coder *c, const char *fmt, ...)
{
	bytecode *b = c->user;
	va_list ap;
	va_start(ap, fmt);
	char text[256];
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	return bytes_fail_at(b, b->here, E_BYTECODE, "%s", text);
}

static const name *entry_resource(coder *c, int64_t number)
{
	bytecode *b = c->user;
	if (number >= 0 && number < b->resources.len)
		return b->resources.ptr[number].key;
	c->fail(c, "there is no resource of number %" PRId64, number);
	return NULL;
}

void bytecode_coder_init(bytecode *b)
{
	b->coder = (coder){.ctx = b->ctx,
	                   .mem = b->mem,
	                   .fail = entry_fail,
	                   .version = b->version,
	                   .texts = &b->opts->texts,
	                   .resource_name = entry_resource,
	                   .user = b};
}

/* ---- fields ----------------------------------------------------------------------------- */

/* Reads a number as wide as its type: up to 8 bits as a byte, up to 64 bits as one number, else as
 * 64-bit words, lowest first. */
static void wide_number(bytecode *b, bytes *s, const type *t, field *f)
{
	enum { MOST_WORDS = 64 };
	int bits = code_width(t);
	if (t->kind == TY_OPAQUE)
		bytes_fail_at(b, s->at, E_BYTECODE, "a number of type %s is not read", t->text->s);
	if (bits <= 64) {
		f->i = bits <= 8 ? bytes_byte(b, s) : bytes_signed(b, s);
		return;
	}
	uint64_t n = bytes_count(b, s, 1);
	if (n > MOST_WORDS || n > ((uint64_t)bits + 63) / 64)
		bytes_fail_at(b, s->at, E_BYTECODE, "a number of type %s has %" PRIu64 " words", t->text->s, n);
	int64_t *words = NEW_N(b->mem, int64_t, n);
	for (uint64_t i = 0; i < n && !b->failed; i++)
		words[i] = bytes_signed(b, s);
	f->n = b->failed ? 0 : (int64_t)n;
	f->ints = words;
}

static const attr **bytes_attrs_of(bytecode *b, bytes *s, uint64_t n)
{
	const attr **list = NEW_N(b->mem, const attr *, n);
	for (uint64_t i = 0; i < n; i++)
		list[i] = entry_attr(b, bytes_number(b, s));
	return list;
}

static void bytes_read_pairs(bytecode *b, bytes *s, field *f)
{
	uint64_t n = bytes_count(b, s, 2);
	const attr **keys = NEW_N(b->mem, const attr *, n), **values = NEW_N(b->mem, const attr *, n);
	for (uint64_t i = 0; i < n; i++) {
		keys[i] = entry_attr(b, bytes_number(b, s));
		values[i] = entry_attr(b, bytes_number(b, s));
	}
	f->n = (int64_t)n;
	f->list = keys;
	f->pairs = values;
}

static void read_list(bytecode *b, bytes *s, char letter, field *f)
{
	uint64_t n = bytes_count(b, s, 1);
	if (n > INT32_MAX)
		bytes_fail_at(b, s->at, E_LIMIT, "a list has %" PRIu64 " items", n);
	if (b->failed)
		n = 0;
	f->n = (int64_t)n;
	if (letter == 'A') {
		f->list = bytes_attrs_of(b, s, n);
	} else if (letter == 'T') {
		const type **types = NEW_N(b->mem, const type *, n);
		for (uint64_t i = 0; i < n; i++)
			types[i] = entry_type(b, bytes_number(b, s));
		f->types = types;
	} else {
		int64_t *ints = NEW_N(b->mem, int64_t, n);
		for (uint64_t i = 0; i < n; i++)
			ints[i] = letter == 'U' ? (int64_t)bytes_number(b, s) : bytes_signed(b, s);
		f->ints = ints;
	}
}

static void read_rest_of_entry(bytecode *b, bytes *s, char letter, field *f)
{
	VEC(int64_t) numbers = {0};
	while (s->at < s->end && !b->failed)
		vec_push(b->mem, &numbers, (int64_t)bytes_number(b, s));
	f->n = b->failed ? 0 : numbers.len;
	f->ints = numbers.ptr;
	if (letter != 'S')
		return;
	const name **names = NEW_N(b->mem, const name *, f->n);
	for (int64_t i = 0; i < f->n; i++)
		names[i] = string_name(b, (uint64_t)numbers.ptr[i]);
	f->names = names;
}

static const name *string_attr_text(bytecode *b, const attr *a)
{
	if (a->kind == AT_STRING)
		return a->text;
	bytes_fail_at(b, b->here, E_BYTECODE, "an attribute stands where a string belongs");
	return name_known(b->ctx, N_empty);
}

static void bytes_read_field(bytecode *b, bytes *s, char letter, const field *before, field *f)
{
	f->present = true;
	switch (letter) {
	case 'a': f->a = entry_attr(b, bytes_number(b, s)); break;
	case 't': f->t = entry_type(b, bytes_number(b, s)); break;
	case 'n': f->name = string_attr_text(b, entry_attr(b, bytes_number(b, s))); break;
	case 's': f->name = string_name(b, bytes_number(b, s)); break;
	case 'i':
	case 'd': f->i = bytes_signed(b, s); break;
	case 'u': f->i = (int64_t)bytes_number(b, s); break;
	case 'b': f->i = bytes_byte(b, s); break;
	case 'w':
	case 'x': wide_number(b, s, before->t, f); break;
	case 'P': bytes_read_pairs(b, s, f); break;
	case 'R':
	case 'S': read_rest_of_entry(b, s, letter, f); break;
	case 'B': {
		bytes blob = bytes_take(b, s, bytes_number(b, s));
		f->bytes = blob.at;
		f->n = blob.end - blob.at;
		break;
	}
	default: read_list(b, s, letter, f); break;
	}
}

/* An optional attribute or number has a presence flag in its lowest bit. */
static void read_optional(bytecode *b, bytes *s, char letter, field *f)
{
	uint64_t v = bytes_flagged(b, s, &f->present);
	if (f->present && letter == 'a')
		f->a = entry_attr(b, v);
	else
		f->i = (int64_t)v;
}

static void bytes_read_fields(bytecode *b, bytes *s, const char *letters, field *f)
{
	memset(f, 0, sizeof *f * MAX_FIELDS);
	for (; *letters && !b->failed; letters++, f++) {
		if (*letters == '?') {
			read_optional(b, s, *++letters, f);
		} else if (*letters == 'o' || *letters == 'q') {
			bool there = *letters == 'o' ? bytes_number(b, s) : bytes_byte(b, s);
			letters++;
			if (there)
				bytes_read_field(b, s, *letters, NULL, f);
		} else {
			bytes_read_field(b, s, *letters, f - 1, f);
		}
	}
}

/* ---- entries ----------------------------------------------------------------------------- */

/* An entry as text, ending with a zero, for the text parser. */
static source *entry_text(bytecode *b, bytes s)
{
	if (s.at == s.end || s.end[-1])
		bytes_fail_at(b, s.at, E_BYTECODE, "the text of an attribute or type does not end");
	size_t n = (size_t)(s.end - s.at) - !b->failed;
	return source_new(b->ctx, b->src->name, (tess_str){(const char *)s.at, n});
}

static const void *made_of_fields(bytecode *b, bytes s, const code_row *row)
{
	field f[MAX_FIELDS];
	bytes_read_fields(b, &s, row->fields, f);
	if (b->failed)
		return NULL;
	if (s.at != s.end) {
		bytes_fail_at(b, s.at, E_BYTECODE, "an attribute or type has bytes left");
		return NULL;
	}
	return row->is_type ? (const void *)row->make_type(&b->coder, row, f)
	                    : (const void *)row->make_attr(&b->coder, row, f);
}

static const void *make_entry(bytecode *b, const entry *e, bool is_type)
{
	bytes s = {entry_at(b, e), entry_at(b, e + 1)};
	const dialect_entry *d = &b->dialects[e->dialect];
	if (!e->coded) {
		source *text = entry_text(b, s);
		if (b->failed)
			return NULL;
		return is_type ? (const void *)b->opts->texts.read_type(b->ctx, text)
		               : (const void *)b->opts->texts.read_attr(b->ctx, text);
	}
	uint64_t code = bytes_number(b, &s);
	const code_row *row = b->failed ? NULL : code_row_of(d->codes, is_type, code);
	if (row)
		return made_of_fields(b, s, row);
	bytes_fail_at(b, entry_at(b, e), E_VERSION,
	              "%.*s has no %s of code %" PRIu64 " that is known: the program was written by a "
	              "newer version of it (%.*s)",
	              STR_ARG(d->name), is_type ? "type" : "attribute", code, STR_ARG(b->producer));
	return NULL;
}

/* Limits the expanded size: an entry that refers twice to one that refers twice to another, and so
 * on, is small in the file but would never end when printed. */
static void check_parts(bytecode *b, const entry *e)
{
	enum { ALWAYS = 1 << 20, FOR_A_BYTE = 16 };
	uint64_t most = ALWAYS + FOR_A_BYTE * (uint64_t)(b->end - b->begin);
	if (b->parts > most)
		bytes_fail_at(b, entry_at(b, e), E_LIMIT,
		              "an attribute or type has more than %" PRIu64 " parts", most);
}

/* Makes an entry and all it refers to. Entries in themselves, or too deep, are errors. */
static made entry_with_parts(bytecode *b, entry *e, bool is_type)
{
	if (e->busy || b->depth >= (int)b->ctx->opts.max_depth * 4) {
		bytes_fail_at(b, entry_at(b, e), E_LIMIT, e->busy ? "an attribute or type is part of itself"
		                                         : "an attribute or type is nested too deep");
		return (made){0};
	}
	const unsigned char *here = b->here;
	uint64_t outer_parts = b->parts;
	arena_mark mark = {0};
	bool outer = !b->depth;
	uint32_t n_pages = b->n_pages;
	if (outer)
		mark = arena_here(b->mem);
	e->busy = 1;
	b->here = entry_at(b, e);
	b->depth++;
	b->parts = 1;
	const void *it = b->failed ? NULL : make_entry(b, e, is_type);
	check_parts(b, e);
	made m = {b->failed ? NULL : it, b->parts};
	b->parts = outer_parts;
	b->depth--;
	b->here = here;
	e->busy = 0;
	if (outer && (n_pages == b->n_pages || b->tables != b->mem))
		arena_back(b->mem, mark);
	if (!m.it && !b->failed) /* for text, already reported */
		bytes_fail_at(b, entry_at(b, e), E_BYTECODE, "an attribute or type is wrong");
	return m;
}

/* Returns the slot of attribute i. */
static made *made_attr(bytecode *b, uint64_t i)
{
	made_page **page = &b->made_attrs[i / MADE_PAGE];
	if (!*page) {
		*page = NEW(b->tables, made_page);
		b->n_pages++;
	}
	return &(**page)[i % MADE_PAGE];
}

const attr *entry_attr(bytecode *b, uint64_t i)
{
	if (i >= b->n_attrs) {
		bytes_fail_at(b, b->here, E_BYTECODE, "there is no attribute of number %" PRIu64, i);
		return attr_unit(b->ctx);
	}
	made *m = made_attr(b, i);
	if (!m->it)
		*m = entry_with_parts(b, &b->attrs[i], false);
	b->parts += m->parts;
	return m->it ? m->it : attr_unit(b->ctx);
}

const type *entry_type(bytecode *b, uint64_t i)
{
	if (i >= b->n_types) {
		bytes_fail_at(b, b->here, E_BYTECODE, "there is no type of number %" PRIu64, i);
		return type_none(b->ctx);
	}
	made *m = &b->made_types[i];
	if (!m->it)
		*m = entry_with_parts(b, &b->types[i], true);
	b->parts += m->parts;
	return m->it ? m->it : type_none(b->ctx);
}
