/* rows.c - the table of codes, and lookups in it. */
#include "bytecode/codes/make.h"

#include <stdlib.h>

#define FIELDS(letters) .fields = letters, .most_fields = sizeof(letters) - 1
enum { NONE = -1 };
static const code_row rows[] = {
#define ATTR(d, number, from, k, letters, how, n1, n2)                                             \
	{.dialect = CODES_##d, .code = number, .since = from, .kind = k, FIELDS(letters),        \
	 .name1 = n1, .name2 = n2, .make_attr = codes_make_##how, .take_attr = codes_take_##how},
#define TYPE(d, number, from, k, letters, how, n1, n2)                                             \
	{.dialect = CODES_##d, .code = number, .is_type = true, .since = from, .kind = k,          \
	 FIELDS(letters), .name1 = n1, .name2 = n2, .make_type = codes_make_##how,                     \
	 .take_type = codes_take_##how},
#define PLAIN(d, number, from, id)                                                                 \
	{.dialect = CODES_##d,                                                                     \
	 .code = number,                                                                           \
	 .is_type = true,                                                                          \
	 .since = from,                                                                            \
	 .kind = TY_SCALAR,                                                                        \
	 .fields = "",                                                                             \
	 .dtype = DT_##id,                                                                         \
	 .make_type = codes_make_plain_type,                                                       \
	 .take_type = codes_take_plain_type},
#define READ_ATTR(d, number, k, letters, how)                                                      \
	{.dialect = CODES_##d, .code = number, .kind = k, FIELDS(letters), .make_attr = codes_make_##how},
#define READ_TYPE(d, number, k, letters, how, n1)                                                  \
	{.dialect = CODES_##d, .code = number, .is_type = true, .kind = k, FIELDS(letters),      \
	 .name1 = n1, .make_type = codes_make_##how},
#include "bytecode/codes/codes.def"
};

code_dialect code_dialect_of(tess_str name)
{
	static const char *const names[] = {"builtin", "vhlo", "stablehlo", "chlo", "sdy", "quant"};
	for (int i = 0; i < COUNT(names); i++)
		if (str_is(name, names[i]))
			return (code_dialect)i;
	return CODES_OTHER;
}

/* Rows are sorted by dialect. */
static int first_row(code_dialect d)
{
	int lo = 0, hi = COUNT(rows);
	while (lo < hi) {
		int mid = (lo + hi) / 2;
		if (rows[mid].dialect < d)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

const code_row *code_row_of(code_dialect d, bool is_type, uint64_t code)
{
	for (int i = first_row(d); i < COUNT(rows) && rows[i].dialect == d; i++)
		if (rows[i].is_type == is_type && rows[i].code != NONE &&
		    (uint64_t)rows[i].code == code)
			return &rows[i];
	return NULL;
}

static int first_row_of_kind(coder *c, code_dialect d, attr_kind kind)
{
	int16_t *known = &c->first_of_kind[d][kind];
	for (int i = first_row(d); !*known && i < COUNT(rows) && rows[i].dialect == d; i++)
		if (!rows[i].is_type && rows[i].kind == (int)kind && rows[i].take_attr)
			*known = (int16_t)(i + 1);
	if (!*known)
		*known = -1;
	return *known < 0 ? COUNT(rows) : *known - 1;
}

const code_row *code_take_attr(coder *c, code_dialect d, const attr *a, field *f)
{
	for (int i = first_row_of_kind(c, d, a->kind); i < COUNT(rows) && rows[i].dialect == d; i++) {
		const code_row *row = &rows[i];
		if (row->is_type || row->kind != (int)a->kind || !row->take_attr)
			continue;
		memset(f, 0, sizeof *f * row->most_fields);
		if (row->take_attr(c, row, a, f))
			return row;
	}
	return NULL;
}

const code_row *code_take_type(coder *c, code_dialect d, const type *t, field *f)
{
	for (int i = first_row(d); i < COUNT(rows) && rows[i].dialect == d; i++) {
		const code_row *row = &rows[i];
		if (!row->is_type || row->kind != (int)t->kind || !row->take_type)
			continue;
		memset(f, 0, sizeof *f * row->most_fields);
		if (row->take_type(c, row, t, f))
			return row;
	}
	return NULL;
}

int code_width(const type *t)
{
	dtype dt = t->kind == TY_SCALAR ? t->dtype : DT_NONE;
	if (t->kind == TY_INT) {
		const char *s = t->text->s + (t->text->s[0] != 'i');
		return (int)min_i64(strtol(s + 1, NULL, 10), 1 << 24);
	}
	if (dtype_is_float(dt))
		return dt == DT_TF32 ? 19 : float_width(dt);
	if (dt == DT_INDEX)
		return 64;
	return dtype_is_int(dt) ? dtype_bits(dt) : 0;
}

static bool counts_groups(const attr_row *row)
{
	return row->name == N_operandSegmentSizes || row->name == N_resultSegmentSizes;
}

static bool property_before(const attr_row *a, const attr_row *b, const tess_ctx *ctx)
{
	return str_cmp(name_str(name_known(ctx, a->name)), name_str(name_known(ctx, b->name))) < 0;
}

property_rows code_property_rows(const tess_ctx *ctx, int kind, uint64_t version)
{
	property_rows p = {.n = 0};
	for (const attr_row *row = op_attr_rows(kind); row->kind; row++) {
		if (version >= 6 && counts_groups(row)) {
			p.sizes[p.n_sizes++] = row;
			continue;
		}
		int i = p.n++;
		ASSERT(p.n <= MAX_PROPERTIES);
		for (; i > 0 && property_before(row, p.rows[i - 1], ctx); i--)
			p.rows[i] = p.rows[i - 1];
		p.rows[i] = row;
	}
	return p;
}
