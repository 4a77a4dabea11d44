/* attrs.c - converts between attributes and their fields: builtin ones, enums, structs. */
#include "bytecode/codes/make.h"

#include <stdlib.h>

bool attr_is(coder *c, const attr *a, attr_kind kind, const char *name)
{
	bool is = a->kind == kind && (!name || !strcmp(a->text->s, name));
	return is || c->fail(c, "an attribute stands where %s belongs",
	                     name                 ? name
	                     : kind == AT_STRING  ? "a string"
	                     : kind == AT_SYMBOL  ? "a symbol"
	                     : kind == AT_AXES    ? "a list of axes"
	                     : kind == AT_SHARDING ? "a sharding"
	                                          : "another");
}

bool list_is(coder *c, const field *f, attr_kind kind, const char *name)
{
	for (int64_t i = 0; i < f->n; i++)
		if (!attr_is(c, f->list[i], kind, name))
			return false;
	return true;
}

static const attr *code_fail(coder *c, const char *what)
{
	c->fail(c, "%s", what);
	return NULL;
}

/* ---- lists ------------------------------------------------------------------------- */

const attr *codes_make_array(coder *c, const code_row *row, const field *f)
{
	UNUSED(row);
	return attr_array(c->ctx, f[0].list, (int)f[0].n);
}

bool codes_take_array(coder *c, const code_row *row, const attr *a, field *f)
{
	UNUSED(c), UNUSED(row);
	f[0] = field_list(a->list, a->n);
	return true;
}

const attr *codes_make_dict(coder *c, const code_row *row, const field *f)
{
	UNUSED(row);
	const name **names = NEW_N(c->mem, const name *, f[0].n);
	for (int64_t i = 0; i < f[0].n; i++) {
		if (!attr_is(c, f[0].list[i], AT_STRING, NULL))
			return NULL;
		names[i] = f[0].list[i]->text;
	}
	const attr *a = attr_dict(c->ctx, names, f[0].pairs, (int)f[0].n);
	for (int i = 1; i < a->n; i++)
		if (a->names[i] == a->names[i - 1])
			return code_fail(c, "a dictionary has an entry twice");
	return a;
}

bool codes_take_dict(coder *c, const code_row *row, const attr *a, field *f)
{
	UNUSED(c), UNUSED(row);
	f[0] = (field){.present = true, .n = a->n, .names = a->names, .pairs = a->list};
	return true;
}

/* ---- strings, symbols, types ---------------------------------------------------------------- */

const attr *codes_make_string(coder *c, const code_row *row, const field *f)
{
	UNUSED(row);
	return attr_string(c->ctx, f[0].name);
}

/* In VHLO, a symbol is a string. */
bool codes_take_string(coder *c, const code_row *row, const attr *a, field *f)
{
	UNUSED(c), UNUSED(row);
	f[0] = field_name(a->text);
	return !a->type && a->text && !a->n;
}

const attr *codes_make_typed_string(coder *c, const code_row *row, const field *f)
{
	UNUSED(row);
	return attr_of(c->ctx,
	               &(attr){.kind = AT_STRING, .text = f[0].name, .type = f[1].t});
}

bool codes_take_typed_string(coder *c, const code_row *row, const attr *a, field *f)
{
	UNUSED(c), UNUSED(row);
	f[0] = field_name(a->text);
	f[1] = field_type(a->type);
	return a->type != NULL;
}

const attr *codes_make_symbol(coder *c, const code_row *row, const field *f)
{
	UNUSED(row);
	return attr_symbol(c->ctx, f[0].name);
}

bool codes_take_symbol(coder *c, const code_row *row, const attr *a, field *f)
{
	UNUSED(c), UNUSED(row);
	f[0] = field_name(a->text);
	return !a->n;
}

/* For @a::@b, the IR lists all parts. */
const attr *codes_make_symbol_path(coder *c, const code_row *row, const field *f)
{
	UNUSED(row);
	if (!list_is(c, &f[1], AT_SYMBOL, NULL))
		return NULL;
	const attr **list = NEW_N(c->mem, const attr *, f[1].n + 1);
	list[0] = attr_symbol(c->ctx, f[0].name);
	memcpy(list + 1, f[1].list, sizeof *list * (size_t)f[1].n);
	return attr_of(c->ctx, &(attr){.kind = AT_SYMBOL,
	                               .text = f[0].name,
	                               .list = list,
	                               .n = (int)f[1].n + 1});
}

bool codes_take_symbol_path(coder *c, const code_row *row, const attr *a, field *f)
{
	UNUSED(c), UNUSED(row);
	if (a->n < 2)
		return false;
	f[0] = field_name(a->list[0]->text);
	f[1] = field_list(a->list + 1, a->n - 1);
	return true;
}

const attr *codes_make_type(coder *c, const code_row *row, const field *f)
{
	UNUSED(row);
	return attr_type(c->ctx, f[0].t);
}

bool codes_take_type(coder *c, const code_row *row, const attr *a, field *f)
{
	UNUSED(c), UNUSED(row);
	f[0] = field_type(a->type);
	return true;
}

const attr *codes_make_unit(coder *c, const code_row *row, const field *f)
{
	UNUSED(row), UNUSED(f);
	return attr_unit(c->ctx);
}

bool codes_take_unit(coder *c, const code_row *row, const attr *a, field *f)
{
	UNUSED(c), UNUSED(row), UNUSED(a), UNUSED(f);
	return true;
}

/* ---- numbers --------------------------------------------------------------------------- */

/* Extends a number to the width of its type: with sign, except for unsigned types. */
static int64_t extended(int64_t v, const type *t)
{
	int bits = code_width(t);
	uint64_t u = (uint64_t)v;
	bool is_unsigned = t->kind == TY_INT ? t->text->s[0] == 'u'
	                                     : dtype_class_of(t->dtype) == DC_UINT;
	if (bits >= 64)
		return v;
	u <<= 64 - bits;
	return is_unsigned ? (int64_t)(u >> (64 - bits)) : (int64_t)u >> (64 - bits);
}

/* Divides a number of n digits in base 2^32, lowest first; returns the remainder. */
static uint32_t divide_digits(uint32_t *digits, int64_t n, uint32_t by)
{
	uint64_t rest = 0;
	for (int64_t i = n - 1; i >= 0; i--) {
		rest = rest << 32 | digits[i];
		digits[i] = (uint32_t)(rest / by);
		rest %= by;
	}
	return (uint32_t)rest;
}

/* Returns the absolute value in base 2^32. */
static uint32_t *magnitude_of(arena *mem, const int64_t *words, int64_t n, bool minus, int bits)
{
	uint32_t *digits = NEW_N(mem, uint32_t, 2 * n);
	for (int64_t i = 0; i < n; i++) {
		uint64_t v = (uint64_t)words[i];
		if (minus && i == n - 1 && bits % 64)
			v |= UINT64_MAX << (bits % 64);
		v = minus ? ~v : v;
		digits[2 * i] = (uint32_t)v;
		digits[2 * i + 1] = (uint32_t)(v >> 32);
	}
	for (int64_t i = 0; minus && i < 2 * n; i++)
		if (++digits[i])
			break;
	return digits;
}

/* Prints an integer in decimal; `words` are its lowest ones, and the others are 0. */
static const char *wide_decimal(arena *mem, const int64_t *words, int64_t n, int bits, bool is_unsigned)
{
	bool minus = !is_unsigned && n == (bits + 63) / 64 && words[n - 1] >> ((bits - 1) % 64) & 1;
	uint32_t *digits = magnitude_of(mem, words, n, minus, bits);
	int64_t left = 2 * n, at = 20 * n + 1; /* a word has fewer than 20 decimal digits */
	char *text = NEW_N(mem, char, at + 1);
	do {
		text[--at] = (char)('0' + divide_digits(digits, left, 10));
		while (left > 0 && !digits[left - 1])
			left--;
	} while (left > 0);
	if (minus)
		text[--at] = '-';
	return text + at;
}

/* An integer of a type wider than 64 bits becomes a number if it fits, as when read from text. */
static const attr *wide_integer(coder *c, const type *t, const field *f)
{
	enum { ALWAYS_FIT = 18 };
	if (!f->n)
		return attr_int(c->ctx, 0, t);
	const char *decimal = wide_decimal(c->mem, f->ints, f->n, code_width(t), t->text->s[0] == 'u');
	if (strlen(decimal) <= ALWAYS_FIT)
		return attr_int(c->ctx, strtoll(decimal, NULL, 10), t);
	const char *text = arena_printf(c->mem, "%s : %s", decimal, t->text->s);
	return attr_of(c->ctx, &(attr){.kind = AT_OPAQUE, .text = name_of_z(c->ctx, text)});
}

const attr *codes_make_integer(coder *c, const code_row *row, const field *f)
{
	UNUSED(row);
	const type *t = f[0].t;
	int bits = code_width(t);
	if (!bits || (t->kind == TY_SCALAR && dtype_is_float(t->dtype)))
		return code_fail(c, "the type of an integer is not an integer type");
	if (t->kind == TY_SCALAR && t->dtype == DT_I1)
		return attr_bool(c->ctx, f[1].i & 1);
	if (bits > 64)
		return wide_integer(c, t, &f[1]);
	return attr_int(c->ctx, extended(f[1].i, t), t);
}

bool codes_take_integer(coder *c, const code_row *row, const attr *a, field *f)
{
	UNUSED(row);
	const type *t = a->kind == AT_BOOL ? type_scalar(c->ctx, DT_I1) : a->type;
	int bits = t ? code_width(t) : 0;
	if (!bits || bits > 64)
		return false;
	uint64_t mask = bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
	f[0] = field_type(t);
	f[1] = field_int((int64_t)((a->kind == AT_BOOL ? (uint64_t)(a->i != 0) : (uint64_t)a->i) &
	                           mask));
	return true;
}

const attr *codes_make_boolean(coder *c, const code_row *row, const field *f)
{
	UNUSED(row);
	if (f[0].i != 0 && f[0].i != 1)
		return code_fail(c, "a boolean is neither 0 nor 1");
	return attr_bool(c->ctx, f[0].i);
}

bool codes_take_boolean(coder *c, const code_row *row, const attr *a, field *f)
{
	UNUSED(c), UNUSED(row);
	f[0] = field_int(a->i != 0);
	return true;
}

const attr *codes_make_float(coder *c, const code_row *row, const field *f)
{
	UNUSED(row);
	const type *t = f[0].t;
	if (t->kind != TY_SCALAR || !dtype_is_float(t->dtype))
		return code_fail(c, "the type of a float is not a float type");
	int bits = code_width(t);
	uint64_t v = (uint64_t)f[1].i & (bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1);
	return attr_float(c->ctx, float_value(v, t->dtype), v, t);
}

bool codes_take_float(coder *c, const code_row *row, const attr *a, field *f)
{
	UNUSED(c), UNUSED(row);
	f[0] = field_type(a->type);
	f[1] = field_int((int64_t)a->bits);
	return code_width(a->type) > 0;
}

/* ---- enums and structs --------------------------------------------------------------- */

/* Returns word `i` of "EQ NE GE"; empty if there is none, or if the list has "-" there. */
static tess_str code_nth_word(const char *words, int64_t i)
{
	while (*words && i-- > 0) {
		words += strcspn(words, " ");
		words += *words == ' ';
	}
	size_t len = strcspn(words, " ");
	return (tess_str){words, len == 1 && *words == '-' ? 0 : len};
}

/* "stablehlo.precision" is the enum precision of stablehlo. */
const attr *codes_make_enum(coder *c, const code_row *row, const field *f)
{
	size_t owner = strcspn(row->name1, ".");
	tess_str word = code_nth_word(row->name2, f[0].i >= 0 && f[0].i < 64 ? f[0].i : 64);
	if (!word.len)
		return c->fail(c, "%s has no word number %" PRId64, row->name1, f[0].i), NULL;
	return attr_of(c->ctx, &(attr){.kind = AT_ENUM,
	                               .text = name_of(c->ctx, (tess_str){row->name1, owner}),
	                               .sub = name_of_z(c->ctx, row->name1 + owner + 1),
	                               .word = name_of(c->ctx, word)});
}

bool codes_take_enum(coder *c, const code_row *row, const attr *a, field *f)
{
	UNUSED(c);
	size_t owner = strcspn(row->name1, ".");
	if (!str_eq(name_str(a->text), (tess_str){row->name1, owner}) ||
	    strcmp(a->sub->s, row->name1 + owner + 1) != 0)
		return false;
	for (int64_t i = 0;; i++) {
		tess_str word = code_nth_word(row->name2, i);
		if (!*word.ptr)
			return false;
		if (str_eq(word, name_str(a->word))) {
			f[0] = field_int(i);
			return true;
		}
	}
}

static const attr *struct_member(coder *c, char letter, const field *f)
{
	switch (letter) {
	case 'i':
	case 'u': return attr_i64(c->ctx, f->i);
	case 'b': return attr_bool(c->ctx, f->i);
	case 'd':
		return attr_float(c->ctx, float_value((uint64_t)f->i, DT_F64), (uint64_t)f->i,
		                  type_scalar(c->ctx, DT_F64));
	case 'I': return attr_i64_array(c->ctx, f->ints, (int)f->n);
	case 'A': return attr_array(c->ctx, f->list, (int)f->n);
	case 't': return attr_type(c->ctx, f->t);
	case 'n':
	case 's': return attr_string(c->ctx, f->name);
	default: return f->a;
	}
}

/* One field for each letter, in order; absent fields are left out. */
const attr *codes_make_struct(coder *c, const code_row *row, const field *f)
{
	const name *names[MAX_FIELDS];
	const attr *values[MAX_FIELDS];
	int n = 0, i = 0;
	for (const char *letter = row->fields; *letter; letter++) {
		if (*letter == '?' || *letter == 'q' || *letter == 'o')
			continue;
		if (f[i].present) {
			names[n] = name_of(c->ctx, code_nth_word(row->name2, i));
			values[n++] = struct_member(c, *letter, &f[i]);
		}
		i++;
	}
	return attr_of(c->ctx, &(attr){.kind = AT_STRUCT,
	                               .text = name_of_z(c->ctx, row->name1),
	                               .list = values,
	                               .names = names,
	                               .n = n});
}

static bool take_member(coder *c, char letter, const attr *a, field *f)
{
	int n;
	switch (letter) {
	case 'i':
	case 'u': *f = field_int(a->i); return a->kind == AT_INT;
	case 'b': *f = field_int(a->i != 0); return a->kind == AT_BOOL;
	case 'd': *f = field_int((int64_t)a->bits); return a->kind == AT_FLOAT;
	case 'I': {
		const int64_t *v = attr_ints(c->ctx, a, &n);
		*f = field_ints(v, n);
		return v != NULL;
	}
	case 'A': *f = field_list(a->list, a->n); return a->kind == AT_ARRAY;
	case 't': *f = field_type(a->type); return a->kind == AT_TYPE;
	case 'n':
	case 's': *f = field_name(a->text); return a->kind == AT_STRING;
	default: *f = field_attr(a); return true;
	}
}

bool codes_take_struct(coder *c, const code_row *row, const attr *a, field *f)
{
	if (strcmp(a->text->s, row->name1) != 0)
		return false;
	int i = 0, at = 0;
	for (const char *letter = row->fields; *letter; letter++) {
		if (*letter == '?' || *letter == 'q' || *letter == 'o')
			continue;
		bool has = at < a->n && str_eq(name_str(a->names[at]), code_nth_word(row->name2, i));
		bool optional = letter > row->fields && strchr("?qo", letter[-1]);
		if (!has && !optional)
			return false;
		if (has && !take_member(c, *letter, a->list[at++], &f[i]))
			return false;
		i++;
	}
	return at == a->n;
}

/* #stablehlo.axis_ref: the IR stores the sub-axis as two numbers. */
const attr *codes_make_axis_ref(coder *c, const code_row *row, const field *f)
{
	const name *names[2] = {name_known(c->ctx, N_name), name_of_z(c->ctx, "sub_axis_info")};
	const attr *values[2] = {attr_string(c->ctx, f[0].name)};
	if (f[1].present) {
		if (!attr_is(c, f[1].a, AT_STRUCT, "stablehlo.sub_axis_info"))
			return NULL;
		int64_t v[2] = {struct_int(f[1].a, 0), struct_int(f[1].a, 1)};
		values[1] = attr_i64_array(c->ctx, v, 2);
	}
	return attr_of(c->ctx, &(attr){.kind = AT_STRUCT,
	                               .text = name_of_z(c->ctx, row->name1),
	                               .list = values,
	                               .names = names,
	                               .n = f[1].present ? 2 : 1});
}

bool codes_take_axis_ref(coder *c, const code_row *row, const attr *a, field *f)
{
	int n = -1;
	const int64_t *v = a->n > 1 ? attr_ints(c->ctx, a->list[1], &n) : NULL;
	if (strcmp(a->text->s, row->name1) != 0 || !a->n || a->list[0]->kind != AT_STRING ||
	    (a->n > 1 && n != 2))
		return false;
	f[0] = field_name(a->list[0]->text);
	if (!v)
		return true;
	const name *names[2] = {name_of_z(c->ctx, "pre_size"), name_of_z(c->ctx, "size")};
	const attr *values[2] = {attr_i64(c->ctx, v[0]), attr_i64(c->ctx, v[1])};
	f[1] = field_attr(attr_of(c->ctx, &(attr){.kind = AT_STRUCT,
	                                          .text = name_of_z(c->ctx, "stablehlo.sub_axis_info"),
	                                          .list = values,
	                                          .names = names,
	                                          .n = 2}));
	return true;
}

/* In VHLO, the mesh is named by a string. */
const attr *codes_make_group_axes(coder *c, const code_row *row, const field *f)
{
	const name *names[2] = {name_known(c->ctx, N_mesh), name_known(c->ctx, N_axes)};
	const attr *values[2] = {f[0].a, f[1].a};
	if (f[0].a->kind == AT_STRING)
		values[0] = attr_symbol(c->ctx, f[0].a->text);
	return attr_of(c->ctx, &(attr){.kind = AT_STRUCT,
	                               .text = name_of_z(c->ctx, row->name1),
	                               .list = values,
	                               .names = names,
	                               .n = 2});
}

bool codes_take_group_axes(coder *c, const code_row *row, const attr *a, field *f)
{
	UNUSED(c);
	if (strcmp(a->text->s, row->name1) != 0 || a->n != 2)
		return false;
	f[0] = field_attr(a->list[0]);
	f[1] = field_attr(a->list[1]);
	return true;
}
