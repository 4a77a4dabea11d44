/* locs.c - converts between locations and their fields. */
#include "bytecode/codes/make.h"

static bool are_locations(coder *c, const attr *const *list, int64_t n)
{
	for (int64_t i = 0; i < n; i++)
		if (list[i]->kind < AT_LOC_UNKNOWN)
			return c->fail(c, "an attribute stands where a location belongs");
	return true;
}

const attr *codes_make_callsite(coder *c, const code_row *row, const field *f)
{
	UNUSED(row);
	const attr *pair[2] = {f[0].a, f[1].a};
	if (!are_locations(c, pair, 2))
		return NULL;
	return attr_of(c->ctx, &(attr){.kind = AT_LOC_CALLSITE, .list = pair, .n = 2});
}

bool codes_take_callsite(coder *c, const code_row *row, const attr *a, field *f)
{
	UNUSED(c), UNUSED(row);
	f[0] = field_attr(a->list[0]);
	f[1] = field_attr(a->list[1]);
	return true;
}

static const attr *file_loc(coder *c, const name *file, const int64_t v[4])
{
	return attr_of(c->ctx, &(attr){.kind = AT_LOC_FILE, .text = file, .ints = v, .n_ints = 4});
}

const attr *codes_make_file_line_col(coder *c, const code_row *row, const field *f)
{
	UNUSED(row);
	int64_t v[4] = {f[1].i, f[2].i};
	return file_loc(c, f[0].name, v);
}

bool codes_take_file_line_col(coder *c, const code_row *row, const attr *a, field *f)
{
	UNUSED(c), UNUSED(row);
	f[0] = field_name(a->text);
	f[1] = field_int(a->ints[0]);
	f[2] = field_int(a->ints[1]);
	return !a->ints[2] && !a->ints[3];
}

/* line; line, col; line, col, end col; or line, col, end line, end col */
const attr *codes_make_file_range(coder *c, const code_row *row, const field *f)
{
	UNUSED(row);
	int64_t v[4] = {0};
	for (int64_t i = 0; i < f[1].n && i < 4; i++)
		v[i] = f[1].ints[i];
	if (f[1].n > 4)
		return c->fail(c, "a location has more than four numbers"), NULL;
	if (f[1].n == 3) {
		v[3] = v[2];
		v[2] = v[0];
	}
	return file_loc(c, f[0].name, v);
}

bool codes_take_file_range(coder *c, const code_row *row, const attr *a, field *f)
{
	UNUSED(row);
	bool one_line = a->ints[2] == a->ints[0];
	int64_t *v = COPY_N(c->mem, a->ints, 4);
	if (one_line)
		v[2] = v[3];
	f[0] = field_name(a->text);
	f[1] = field_ints(v, one_line ? 3 : 4);
	return true;
}

static const attr *fused(coder *c, const field *list, const attr *meta)
{
	if (!are_locations(c, list->list, list->n))
		return NULL;
	return attr_of(c->ctx, &(attr){.kind = AT_LOC_FUSED,
	                               .list = list->list,
	                               .n = (int)list->n,
	                               .meta = meta});
}

const attr *codes_make_fused(coder *c, const code_row *row, const field *f)
{
	UNUSED(row);
	return fused(c, &f[0], NULL);
}

bool codes_take_fused(coder *c, const code_row *row, const attr *a, field *f)
{
	UNUSED(c), UNUSED(row);
	f[0] = field_list(a->list, a->n);
	return !a->meta;
}

const attr *codes_make_fused_with(coder *c, const code_row *row, const field *f)
{
	UNUSED(row);
	return fused(c, &f[0], f[1].a);
}

bool codes_take_fused_with(coder *c, const code_row *row, const attr *a, field *f)
{
	UNUSED(c), UNUSED(row);
	f[0] = field_list(a->list, a->n);
	f[1] = field_attr(a->meta);
	return a->meta != NULL;
}

const attr *codes_make_name_loc(coder *c, const code_row *row, const field *f)
{
	UNUSED(row);
	const attr *child = f[1].a;
	if (!are_locations(c, &child, 1))
		return NULL;
	return attr_of(c->ctx, &(attr){.kind = AT_LOC_NAME,
	                               .text = f[0].name,
	                               .list = &child,
	                               .n = child->kind != AT_LOC_UNKNOWN});
}

bool codes_take_name_loc(coder *c, const code_row *row, const attr *a, field *f)
{
	UNUSED(row);
	f[0] = field_name(a->text);
	f[1] = field_attr(a->n ? a->list[0] : attr_loc_unknown(c->ctx));
	return true;
}

const attr *codes_make_unknown_loc(coder *c, const code_row *row, const field *f)
{
	UNUSED(row), UNUSED(f);
	return attr_loc_unknown(c->ctx);
}

bool codes_take_unknown_loc(coder *c, const code_row *row, const attr *a, field *f)
{
	UNUSED(c), UNUSED(row), UNUSED(a), UNUSED(f);
	return true;
}
