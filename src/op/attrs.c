/* attrs.c - the table of inherent attributes. */
#include "op/op.h"

#define DEFAULT_ROW(attr, k, need, d, n)                                                           \
	{.name = N_##attr, .kind = ATTR_##k, .needed = (need), .fallback = FALLBACK_##d,           \
	 .number = (n)}
#define NEED(attr, k) DEFAULT_ROW(attr, k, true, NONE, 0)
#define MAY(attr, k) DEFAULT_ROW(attr, k, false, NONE, 0)
#define ELSE(attr, k, d, n) DEFAULT_ROW(attr, k, false, d, n)

#define ATTRS(id, ...) static const attr_row attr_rows_##id[] = {__VA_ARGS__, {0}};
#include "op/attrs.def"
#undef ATTRS

static const attr_row no_attr_rows[] = {{0}};
static const attr_row *const attr_tables[OP_COUNT] = {
#define ATTRS(id, ...) [OP_##id] = attr_rows_##id,
#include "op/attrs.def"
#undef ATTRS
};

const attr_row *op_attr_rows(int kind)
{
	return attr_tables[kind] ? attr_tables[kind] : no_attr_rows;
}

const attr_row *op_attr_row(int kind, const name *n)
{
	for (const attr_row *row = op_attr_rows(kind); row->kind; row++)
		if (name_is(n, row->name))
			return row;
	return NULL;
}

bool attr_is_fallback(const attr_row *row, const attr *a)
{
	switch (row->fallback) {
	case FALLBACK_NONE: return false;
	case FALLBACK_FALSE: return a->kind == AT_BOOL && !a->i;
	case FALLBACK_TRUE: return a->kind == AT_BOOL && a->i;
	case FALLBACK_NUMBER: return a->kind == AT_INT && a->i == row->number;
	case FALLBACK_EMPTY:
		return ((a->kind == AT_ARRAY || a->kind == AT_DICT) && !a->n) ||
		       (a->kind == AT_STRING && !a->text->len);
	}
	return false;
}
