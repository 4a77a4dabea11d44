/* locs.c - writes locations.
 *
 * The locations of a program that was read from bytecode are in that file, by number; each op may
 * have one of its own. Making attributes of them only to take those apart again would take longer
 * than everything else. So entries are copied from the file, with our numbers in place of
 * theirs. */
#include "bytecode/read/read.h"
#include "bytecode/write/write.h"

enum { LOC_NEW, LOC_AT_WORK, LOC_COPIED, LOC_NAME };

static bool copy_loc(encoder *e, uint64_t i, int depth);

/* Returns the row of an entry, and its fields; NULL if it is text, or not a builtin one. */
static const code_row *row_of_entry(encoder *e, uint64_t i, bytes *fields)
{
	const bytecode *b = e->file;
	const entry *x = i < b->n_attrs ? &b->attrs[i] : NULL;
	if (!x || !x->coded || b->dialects[x->dialect].codes != CODES_BUILTIN)
		return NULL;
	*fields = (bytes){entry_at(b, x), entry_at(b, x + 1)};
	uint64_t code = bytes_number(e->file, fields);
	if (code >= COUNT(e->builtin_rows))
		return NULL;
	if (!e->builtin_rows[code])
		e->builtin_rows[code] = code_row_of(CODES_BUILTIN, false, code);
	return e->builtin_rows[code];
}

static bool is_location(const code_row *row) { return row && row->kind >= AT_LOC_UNKNOWN; }

/* True if the file has locations with any information: builtin ones, or text. */
static bool has_locations(encoder *e)
{
	for (uint64_t i = 0; i < e->file->n_attrs; i++) {
		bytes fields;
		const code_row *row = row_of_entry(e, i, &fields);
		if (!e->file->attrs[i].coded || (is_location(row) && row->kind != AT_LOC_UNKNOWN))
			return true;
	}
	return false;
}

void locs_init(encoder *e)
{
	e->unknown_loc = attr_number(e, PLAIN, attr_loc_unknown(e->ctx));
	e->file = bytecode_of_locs(e->m);
	e->no_locs = e->file ? !has_locations(e) : !(e->m->src && e->m->src->find_loc);
	if (e->no_locs)
		e->file = NULL;
	if (e->file)
		e->file_locs = NEW_N(e->mem, file_loc, e->file->n_attrs);
}

/* Handles a name, or the metadata of a fused location: an attribute like any other. */
static bool number_plain_part(encoder *e, uint64_t i, bool name, uint64_t *out)
{
	bytes fields;
	const code_row *row = row_of_entry(e, i, &fields);
	if (!row || is_location(row) || (name && row->kind != AT_STRING))
		return false;
	*out = attr_number(e, PLAIN, entry_attr(e->file, i));
	if (name)
		e->file_locs[i] = (file_loc){(uint32_t)*out, LOC_NAME};
	return true;
}

/* Returns our number of attribute i of the file, which a location refers to; false if such an
 * attribute does not belong there. */
static bool number_of_part(encoder *e, uint64_t i, bool name, bool meta, int depth, uint64_t *out)
{
	if (e->file->failed || i >= e->file->n_attrs)
		return false;
	bool known = e->file_locs[i].state == (name ? LOC_NAME : LOC_COPIED) && !meta;
	if (!known && (name || meta))
		return number_plain_part(e, i, name, out);
	if (!known && !copy_loc(e, i, depth + 1))
		return false;
	*out = e->file_locs[i].number;
	return true;
}

static bool is_number(char letter) { return letter == 'u' || letter == 'U'; }

/* Collects our numbers of what a location refers to, which come before its lines and columns;
 * returns their count, or -1 if they are invalid. Each takes at least one byte. */
static int copy_refs(encoder *e, const code_row *row, bytes *s, uint64_t *out, int depth)
{
	int len = 0;
	for (const char *letter = row->fields; *letter && !is_number(*letter); letter++) {
		bool list = *letter == 'A', meta = *letter == 'a' && row->fields[0] == 'A';
		uint64_t n = list ? bytes_count(e->file, s, 1) : 1;
		if (list)
			out[len++] = n;
		for (uint64_t k = 0; k < n; k++, len++)
			if (!number_of_part(e, bytes_number(e->file, s), *letter == 'n', meta, depth,
			                    &out[len]))
				return -1;
	}
	return e->file->failed ? -1 : len;
}

/* Skips the lines and columns that end a location of this row; false if they are invalid. */
static bool pass_numbers(encoder *e, const code_row *row, bytes *s)
{
	const char *letter = row->fields;
	while (*letter && !is_number(*letter))
		letter++;
	uint64_t n = *letter == 'U' ? bytes_number(e->file, s) : strlen(letter);
	if (n > 4)
		return false;
	for (; n > 0; n--)
		bytes_number(e->file, s);
	return !e->file->failed && s->at == s->end;
}

/* Writes a location: our numbers of what it refers to, then the rest unchanged. */
static uint32_t put_loc(encoder *e, const code_row *row, const uint64_t *numbers, int n, bytes rest)
{
	writer *data = &e->attrs.data;
	size_t from = data->len, n_rest = (size_t)(rest.end - rest.at);
	char *at = writer_room(data, ((size_t)n + 1) * NUMBER_MOST + n_rest);
	at = store_number(at, (uint64_t)row->code);
	for (int k = 0; k < n; k++)
		at = store_number(at, numbers[k]);
	memcpy(at, rest.at, n_rest);
	data->len = (size_t)(at - data->ptr) + n_rest;
	return entry_end(e, &e->attrs, e->builtin, from, true);
}

/* Gives attribute i of the file a number of ours; returns false if it is not a valid location. */
static bool copy_loc(encoder *e, uint64_t i, int depth)
{
	enum { FEW = 16 };
	bytes fields;
	uint64_t few[FEW], *numbers = few;
	file_loc *loc = &e->file_locs[i];
	if (loc->state)
		return loc->state == LOC_COPIED;
	const code_row *row = row_of_entry(e, i, &fields);
	if (!is_location(row) || depth > (int)e->ctx->opts.max_depth * 4)
		return false;
	if (row->kind == AT_LOC_UNKNOWN) {
		*loc = (file_loc){e->unknown_loc, LOC_COPIED};
		return true;
	}
	if (fields.end - fields.at > FEW)
		numbers = NEW_N(e->mem, uint64_t, fields.end - fields.at);
	loc->state = LOC_AT_WORK;
	int n = copy_refs(e, row, &fields, numbers, depth);
	loc->state = LOC_NEW;
	const unsigned char *rest = fields.at;
	if (n < 0 || !pass_numbers(e, row, &fields))
		return false;
	bytes numbers_of_file = {rest, fields.end};
	*loc = (file_loc){put_loc(e, row, numbers, n, numbers_of_file), LOC_COPIED};
	return true;
}

/* Returns our number of the location at a position of the file; false if it cannot be copied. */
static bool number_in_file(encoder *e, uint32_t at, bool of_arg, uint32_t *out)
{
	uint64_t i = bytecode_loc_at(e->file, at, of_arg);
	if (i >= e->file->n_attrs || (e->file_locs[i].state != LOC_COPIED && !copy_loc(e, i, 0)))
		return false;
	*out = e->file_locs[i].number;
	return true;
}

uint32_t op_loc_number(encoder *e, const op *o)
{
	uint32_t n;
	if (e->file && o->at_size && !(o->more && o->more->loc) && number_in_file(e, o->at, false, &n))
		return n;
	bool none = e->no_locs && !(o->more && o->more->loc);
	const attr *loc = none ? NULL : op_loc(o);
	return loc ? attr_number(e, PLAIN, loc) : e->unknown_loc;
}

bool arg_loc_number(encoder *e, const value *arg, uint32_t *number)
{
	const block_arg *a = (const block_arg *)arg;
	if (!e->file || !a->at || a->loc || !number_in_file(e, a->at, true, number)) {
		const attr *loc = e->no_locs ? a->loc : value_loc(arg);
		*number = loc ? attr_number(e, PLAIN, loc) : e->unknown_loc;
	}
	return *number != e->unknown_loc;
}
