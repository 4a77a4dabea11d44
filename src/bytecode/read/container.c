/* container.c - splits a bytecode file into its sections, and reads the tables in them.
 *
 *   file     = 'M' 'L' 0xEF 'R', version, producer (ends with a zero), section*
 *   section  = id (bit 7: aligned), length, [alignment, padding], contents
 *   number   = a zero bit for each byte that follows, a one, the number; a zero byte: eight follow
 *
 * Source: MLIR, docs/BytecodeFormat.md. */
#include "bytecode/read/read.h"

/* ---- bytes ----------------------------------------------------------------------------- */

bool bytes_fail_at(bytecode *b, const unsigned char *at, diag_code code, const char *fmt, ...)
{
	va_list ap;
	if (b->failed)
		return false;
	b->failed = true;
	va_start(ap, fmt);
	char text[512];
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	size_t offset = at >= b->begin && at <= b->end ? (size_t)(at - b->begin) : 0;
	place where = {.src = b->src, .begin = (uint32_t)min_i64((int64_t)offset, UINT32_MAX)};
	where.end = where.begin;
	return diag_error(b->ctx, where, code, "%s", text);
}

void bytes_ended(bytecode *b, bytes *s)
{
	bytes_fail_at(b, s->at, E_BYTECODE, "the bytecode ends too soon here: the file was cut short, "
	                                    "or a length in it is wrong");
	s->at = s->end;
}

uint64_t bytes_long_number(bytecode *b, bytes *s)
{
	if (b->failed || s->at >= s->end) {
		bytes_ended(b, s);
		return 0;
	}
	unsigned first = *s->at;
	int more = first ? __builtin_ctz(first) : 8;
	if (LIKELY(more < 4 && s->end - s->at >= 4)) {
		uint32_t four = (uint32_t)s->at[0] | (uint32_t)s->at[1] << 8 |
		                (uint32_t)s->at[2] << 16 | (uint32_t)s->at[3] << 24;
		s->at += more + 1;
		return (four & (UINT32_MAX >> (24 - 8 * more))) >> (more + 1);
	}
	if (s->end - s->at <= more) {
		bytes_ended(b, s);
		return 0;
	}
	uint64_t v = 0;
	for (int i = more; i > 0; i--)
		v = v << 8 | s->at[i];
	if (more == 8) {
		s->at += 9;
		return v;
	}
	v = v << 8 | first;
	s->at += more + 1;
	return v >> (more + 1);
}

bytes bytes_take(bytecode *b, bytes *s, uint64_t n)
{
	if (b->failed || n > (uint64_t)(s->end - s->at)) {
		bytes_ended(b, s);
		return (bytes){s->end, s->end};
	}
	bytes taken = {s->at, s->at + n};
	s->at += n;
	return taken;
}

uint64_t bytes_count(bytecode *b, bytes *s, size_t least)
{
	const unsigned char *at = s->at;
	uint64_t n = bytes_number(b, s);
	if (b->failed)
		return 0;
	if (n > (uint64_t)(s->end - s->at) / (least ? least : 1)) {
		bytes_fail_at(b, at, E_BYTECODE, "%" PRIu64 " items are more than there is room for", n);
		s->at = s->end;
		return 0;
	}
	return n;
}

bytes bytes_section(bytecode *b, bytes *s, int *id)
{
	const unsigned char *at = s->at;
	unsigned char head = bytes_byte(b, s);
	uint64_t n = bytes_number(b, s);
	*id = head & 0x7F;
	if (head & 0x80) {
		uint64_t alignment = bytes_number(b, s);
		if (!alignment || (alignment & (alignment - 1)))
			bytes_fail_at(b, at, E_BYTECODE, "a section is aligned to %" PRIu64, alignment);
		while (!b->failed && (uint64_t)(s->at - b->begin) % alignment)
			bytes_byte(b, s);
	}
	if (*id >= SECTION_COUNT)
		bytes_fail_at(b, at, E_BYTECODE, "there is no section of number %d", *id);
	return bytes_take(b, s, n);
}

/* ---- header ----------------------------------------------------------------------------- */

static const char magic[] = "ML\xefR";

/* Also true for a file that ends within the first four bytes. */
bool bytecode_is(tess_str s)
{
	size_t n = s.len < strlen(magic) ? s.len : strlen(magic);
	return n && !memcmp(s.ptr, magic, n);
}

static bool header_read(bytecode *b, bytes *s)
{
	bytes_take(b, s, strlen(magic));
	const unsigned char *at = s->at;
	b->version = bytes_number(b, s);
	if (!b->failed && b->version > BYTECODE_NEWEST)
		return bytes_fail_at(b, at, E_VERSION,
		                     "this is bytecode of version %" PRIu64 "; versions 0 to %d are read",
		                     b->version, BYTECODE_NEWEST);
	const unsigned char *end = memchr(s->at, 0, (size_t)(s->end - s->at));
	if (b->failed || !end) {
		bytes_ended(b, s);
		return false;
	}
	b->producer = (tess_str){(const char *)s->at, (size_t)(end - s->at)};
	s->at = end + 1;
	return true;
}

static bool sections_read(bytecode *b, bytes *s)
{
	while (s->at < s->end && !b->failed) {
		int id;
		const unsigned char *at = s->at;
		bytes contents = bytes_section(b, s, &id);
		if (!b->failed && b->sections[id].at)
			bytes_fail_at(b, at, E_BYTECODE, "section %d is there twice", id);
		if (!b->failed)
			b->sections[id] = contents;
	}
	static const struct {
		section_id id;
		const char *what;
	} needed[] = {{SECTION_STRING, "strings"},
	              {SECTION_DIALECT, "dialects"},
	              {SECTION_ATTR_TYPE, "attributes and types"},
	              {SECTION_ATTR_TYPE_OFFSET, "offsets of attributes and types"},
	              {SECTION_IR, "operations"}};
	for (int i = 0; i < COUNT(needed) && !b->failed; i++)
		if (!b->sections[needed[i].id].at)
			bytes_fail_at(b, b->end, E_BYTECODE,
			              "the file ends without its section of %s: it was cut short",
			              needed[i].what);
	if (!b->failed && b->version >= 5 && !b->sections[SECTION_PROPERTIES].at)
		bytes_fail_at(b, b->end, E_BYTECODE,
		              "the file ends without its section of properties: it was cut short");
	return !b->failed;
}

/* ---- strings ------------------------------------------------------------------------------ */

/* The lengths come first, in reverse order of the strings; each includes a terminating zero. */
static bool strings_read(bytecode *b)
{
	bytes s = b->sections[SECTION_STRING];
	b->n_strings = bytes_count(b, &s, 2);
	b->strings = NEW_N(b->mem, tess_str, b->n_strings);
	b->names = NEW_N(b->mem, const name *, b->n_strings);
	for (uint64_t i = b->n_strings; i-- > 0;)
		b->strings[i].len = bytes_number(b, &s);
	for (uint64_t i = 0; i < b->n_strings && !b->failed; i++) {
		bytes text = bytes_take(b, &s, b->strings[i].len);
		if (b->failed)
			break;
		if (!b->strings[i].len || text.end[-1])
			return bytes_fail_at(b, text.at, E_BYTECODE, "a string does not end with a zero");
		b->strings[i] = (tess_str){(const char *)text.at, (size_t)(text.end - text.at) - 1};
	}
	if (!b->failed && s.at != s.end)
		bytes_fail_at(b, s.at, E_BYTECODE, "the section of strings has bytes left");
	return !b->failed;
}

const name *string_name(bytecode *b, uint64_t i)
{
	if (i >= b->n_strings) {
		bytes_fail_at(b, b->here, E_BYTECODE, "there is no string of number %" PRIu64, i);
		return name_known(b->ctx, N_empty);
	}
	if (!b->names[i])
		b->names[i] = name_of(b->ctx, b->strings[i]);
	return b->names[i];
}

/* ---- dialects and names of operations --------------------------------------------------- */

static uint64_t bytes_string_number(bytecode *b, const unsigned char *at, uint64_t i)
{
	if (i < b->n_strings)
		return i;
	bytes_fail_at(b, at, E_BYTECODE, "there is no string of number %" PRIu64, i);
	return 0;
}

/* The version of a dialect is skipped: the names of operations say as much. */
static void dialect_read(bytecode *b, bytes *s, dialect_entry *d)
{
	const unsigned char *at = s->at;
	bool versioned = false;
	uint64_t i = b->version ? bytes_flagged(b, s, &versioned) : bytes_number(b, s);
	i = bytes_string_number(b, at, i);
	if (b->failed)
		return;
	d->name = b->strings[i];
	d->codes = code_dialect_of(d->name);
	int id = SECTION_DIALECT_VERSIONS;
	if (versioned)
		bytes_section(b, s, &id);
	if (id != SECTION_DIALECT_VERSIONS)
		bytes_fail_at(b, at, E_BYTECODE, "the version of a dialect is not a section of versions");
}

static void op_name_read(bytecode *b, bytes *s, uint64_t dialect, op_entry *e)
{
	const unsigned char *at = s->at;
	bool registered = true;
	uint64_t i = b->version >= 5 ? bytes_flagged(b, s, &registered) : bytes_number(b, s);
	*e = (op_entry){.dialect = (uint32_t)dialect,
	                .string = (uint32_t)bytes_string_number(b, at, i),
	                .registered = registered};
	b->portable |= !b->failed && b->dialects[dialect].codes == CODES_VHLO;
}

static bool dialects_read(bytecode *b)
{
	bytes s = b->sections[SECTION_DIALECT];
	b->n_dialects = bytes_count(b, &s, 1);
	b->dialects = NEW_N(b->mem, dialect_entry, b->n_dialects);
	for (uint64_t i = 0; i < b->n_dialects; i++)
		dialect_read(b, &s, &b->dialects[i]);
	VEC(op_entry) ops = {0};
	if (b->version >= 4)
		bytes_number(b, &s); /* the number of names */
	while (s.at < s.end && !b->failed) {
		const unsigned char *at = s.at;
		uint64_t dialect = bytes_number(b, &s), n = bytes_count(b, &s, 1);
		if (!b->failed && dialect >= b->n_dialects)
			bytes_fail_at(b, at, E_BYTECODE, "there is no dialect of number %" PRIu64, dialect);
		for (; n > 0 && !b->failed; n--) {
			op_entry e;
			op_name_read(b, &s, dialect, &e);
			vec_push(b->mem, &ops, e);
		}
	}
	b->ops = ops.ptr;
	b->n_ops = (uint64_t)ops.len;
	return !b->failed;
}

/* ---- attributes and types --------------------------------------------------------------- */

enum { MOST_DIALECTS = (1 << 22) - 1 };

/* Reads groups of one dialect each, up to `n` entries. @return where the next entry starts */
static const unsigned char *entries_read(bytecode *b, bytes *s, entry *list, uint64_t n,
                                         const unsigned char *at)
{
	const unsigned char *end = b->sections[SECTION_ATTR_TYPE].end;
	for (uint64_t i = 0; i < n && !b->failed;) {
		const unsigned char *head = s->at;
		uint64_t dialect = bytes_number(b, s), count = bytes_count(b, s, 1);
		if (!b->failed && (dialect >= b->n_dialects || dialect > MOST_DIALECTS || count > n - i))
			bytes_fail_at(b, head, E_BYTECODE, "a group of attributes or types is %s",
			              count > n - i ? "too large" : "of no dialect");
		for (; count > 0 && !b->failed; count--, i++) {
			bool coded;
			uint64_t size = bytes_flagged(b, s, &coded);
			if (size > (uint64_t)(end - at)) {
				bytes_fail_at(b, s->at, E_BYTECODE,
				              "an attribute or type lies behind the end of its section");
				break;
			}
			list[i] = (entry){.at = (uint64_t)(at - b->begin),
			                  .dialect = (uint32_t)dialect & MOST_DIALECTS,
			                  .coded = coded};
			at += size;
		}
	}
	list[n].at = (uint64_t)(at - b->begin);
	return at;
}

static bool tables_read(bytecode *b)
{
	bytes s = b->sections[SECTION_ATTR_TYPE_OFFSET];
	uint64_t room = (uint64_t)(s.end - s.at);
	b->n_attrs = bytes_count(b, &s, 1);
	b->n_types = bytes_count(b, &s, 1);
	if (!b->failed && b->n_attrs + b->n_types > room)
		return bytes_fail_at(b, s.at, E_BYTECODE, "there is no room for so many attributes");
	b->attrs = NEW_N(b->mem, entry, b->n_attrs + 1);
	b->types = NEW_N(b->mem, entry, b->n_types + 1);
	b->made_attrs = NEW_N(b->mem, made_page *, b->n_attrs / MADE_PAGE + 1);
	b->made_types = NEW_N(b->mem, made, b->n_types);
	const unsigned char *at = b->sections[SECTION_ATTR_TYPE].at;
	at = entries_read(b, &s, b->attrs, b->n_attrs, at);
	entries_read(b, &s, b->types, b->n_types, at);
	return !b->failed;
}

/* ---- properties and resources ------------------------------------------------------------ */

static bool properties_index(bytecode *b)
{
	bytes s = b->sections[SECTION_PROPERTIES];
	if (!s.at)
		return true;
	b->n_props = bytes_count(b, &s, 1);
	b->props = NEW_N(b->mem, bytes, b->n_props);
	for (uint64_t i = 0; i < b->n_props && !b->failed; i++)
		b->props[i] = bytes_take(b, &s, bytes_number(b, &s));
	return !b->failed;
}

/* Reads one resource; a blob is aligned in the file. */
static void resource_read(bytecode *b, bytes *s, resource_entry *r, uint64_t size)
{
	bytes at = bytes_take(b, s, size);
	if (!size)
		r->kind = RESOURCE_NONE;
	if (r->kind != RESOURCE_BLOB) {
		r->blob = at;
		return;
	}
	r->alignment = bytes_number(b, &at);
	uint64_t n = bytes_number(b, &at);
	while (!b->failed && r->alignment > 1 && (uint64_t)(at.at - b->begin) % r->alignment)
		bytes_byte(b, &at);
	r->blob = bytes_take(b, &at, n);
}

/* External groups come first, then those of dialects, which attributes refer to by number. */
static bool resources_read(bytecode *b)
{
	bytes s = b->sections[SECTION_RESOURCE_OFFSET], data = b->sections[SECTION_RESOURCE];
	if (!s.at || !data.at)
		return true;
	uint64_t external = bytes_number(b, &s);
	for (uint64_t group = 0; s.at < s.end && !b->failed; group++) {
		bytes_number(b, &s); /* the key of the group, or its dialect */
		for (uint64_t n = bytes_count(b, &s, 3); n > 0 && !b->failed; n--) {
			b->here = s.at;
			resource_entry r = {.key = string_name(b, bytes_number(b, &s))};
			uint64_t size = bytes_number(b, &s);
			unsigned char kind = bytes_byte(b, &s);
			if (kind >= RESOURCE_NONE)
				bytes_fail_at(b, b->here, E_BYTECODE, "there is no resource of kind %d", kind);
			r.kind = kind;
			resource_read(b, &data, &r, size);
			if (group >= external)
				vec_push(b->mem, &b->resources, r);
		}
	}
	return !b->failed;
}

bool container_open(bytecode *b)
{
	bytes s = {b->begin, b->end};
	return header_read(b, &s) && sections_read(b, &s) && strings_read(b) && dialects_read(b) &&
	       tables_read(b) && properties_index(b) && resources_read(b);
}
