/* flat.c - reads FlatBuffers: numbers, tables, lists and texts. */
#include "bytecode/export/flat.h"

static size_t flat_fail(flat *f, size_t at)
{
	if (!f->failed)
		f->wrong = min_i64((int64_t)at, (int64_t)f->len);
	f->failed = true;
	return 0;
}

uint64_t flat_number(flat *f, size_t at, int bytes)
{
	uint64_t v = 0;
	if (f->failed || at > f->len || f->len - at < (size_t)bytes)
		return flat_fail(f, at);
	for (int i = bytes; i-- > 0;)
		v = v << 8 | f->p[at + (size_t)i];
	return v;
}

/* Returns the position that the number at `at` points to; 0 if that is outside the file. */
static size_t flat_follow(flat *f, size_t at)
{
	uint64_t far = flat_number(f, at, 4);
	if (f->failed || !far || far > f->len - at)
		return flat_fail(f, at);
	return at + (size_t)far;
}

/* Returns the position of field `i` of a table; 0 if it is absent. */
static size_t flat_field(flat *f, size_t table, int i)
{
	int64_t list = (int64_t)table - (int32_t)flat_number(f, table, 4);
	if (f->failed || list < 0 || (uint64_t)list > f->len)
		return flat_fail(f, table);
	uint64_t size = flat_number(f, (size_t)list, 2);
	if (4 + 2 * (uint64_t)i + 2 > size)
		return 0;
	uint64_t at = flat_number(f, (size_t)list + 4 + 2 * (size_t)i, 2);
	return f->failed || !at ? 0 : table + (size_t)at;
}

uint64_t flat_value(flat *f, size_t table, int i, int bytes)
{
	size_t field = flat_field(f, table, i);
	return field ? flat_number(f, field, bytes) : 0;
}

size_t flat_table(flat *f, size_t table, int i)
{
	size_t field = flat_field(f, table, i);
	return field ? flat_follow(f, field) : 0;
}

static flat_list list_at(flat *f, size_t field, int bytes)
{
	size_t at = field ? flat_follow(f, field) : 0;
	uint64_t n = at ? flat_number(f, at, 4) : 0;
	if (!f->failed && at && n > (f->len - at - 4) / (size_t)bytes)
		flat_fail(f, at);
	return f->failed || !at ? (flat_list){.bytes = bytes} : (flat_list){at + 4, n, bytes};
}

flat_list flat_list_of(flat *f, size_t table, int i, int bytes)
{
	return list_at(f, flat_field(f, table, i), bytes);
}

/* A zero byte follows the text. */
static tess_str text_at(flat *f, size_t field)
{
	flat_list l = list_at(f, field, 1);
	if (l.first && flat_number(f, l.first + (size_t)l.n, 1))
		flat_fail(f, l.first + (size_t)l.n);
	return (tess_str){(const char *)f->p + l.first, (size_t)l.n};
}

tess_str flat_text(flat *f, size_t table, int i) { return text_at(f, flat_field(f, table, i)); }

uint64_t flat_list_number(flat *f, const flat_list *l, uint64_t k)
{
	return k < l->n ? flat_number(f, l->first + (size_t)k * (size_t)l->bytes, l->bytes) : 0;
}

size_t flat_list_table(flat *f, const flat_list *l, uint64_t k)
{
	return k < l->n ? flat_follow(f, l->first + 4 * (size_t)k) : 0;
}

tess_str flat_list_text(flat *f, const flat_list *l, uint64_t k)
{
	return k < l->n ? text_at(f, l->first + 4 * (size_t)k) : (tess_str){"", 0};
}

size_t export_table(flat *f, int order)
{
	if (f->len % 4) /* the last item is padded to four bytes */
		flat_fail(f, f->len);
	size_t table = flat_follow(f, 0);
	for (; order > 0 && table && !f->failed; order--)
		table = flat_table(f, table, EXPORT_VJP);
	return f->failed ? 0 : table;
}
