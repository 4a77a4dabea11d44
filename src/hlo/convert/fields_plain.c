/* fields_plain.c - fields with numbers, words, lists and structs of these. */
#include "hlo/convert/fields.h"

#include <ctype.h>
#include <stdlib.h>

/* ---- lists of numbers ----------------------------------------------------------- */

static const attr *ints_value(hlo_raiser *r, const hlo_field *f, const op *from)
{
	int64_t v[4 * SHAPE_MAX_RANK];
	int n = raise_ints(r, from, f->hlo, v, COUNT(v));
	return attr_i64_array(r->ctx, v, n);
}

static void put_ints(hlo_sinker *l, const hlo_field *f, const op *o, const attr *a)
{
	int n = 0;
	const int64_t *v = a ? attr_ints(l->ctx, a, &n) : NULL;
	UNUSED(o);
	sink_ints(l, f->hlo, v, n);
}

const hlo_field_kind field_ints = {.value = ints_value, .put = put_ints};

static const attr *int_value(hlo_raiser *r, const hlo_field *f, const op *from)
{
	const hlo_attribute *a = hlo_attribute_find(str_of(f->hlo));
	int64_t usual = a ? strtoll(a->initial, NULL, 10) : 0;
	return attr_i64(r->ctx, hlo_attr_number(from, r->ctx, f->hlo, usual));
}

static void put_one(hlo_sinker *l, const hlo_field *f, const op *o, const attr *a)
{
	int64_t v = a && a->kind == AT_INT ? a->i : -1;
	if (v < 0 && o->n_operands)
		v += operand(o, 0)->type->rank;
	sink_ints(l, f->hlo, &v, 1);
}

const hlo_field_kind field_one = {.value = int_value, .put = put_one};

/* ---- numbers ------------------------------------------------------------------- */

static void put_number_field(hlo_sinker *l, const hlo_field *f, const op *o, const attr *a)
{
	UNUSED(o);
	if (a && a->kind == AT_INT)
		sink_number(l, f->hlo, a->i);
}

const hlo_field_kind field_int = {.value = int_value, .put = put_number_field};

static const attr *i32_value(hlo_raiser *r, const hlo_field *f, const op *from)
{
	return attr_i32(r->ctx, hlo_attr_number(from, r->ctx, f->hlo, 0));
}

const hlo_field_kind field_i32 = {.value = i32_value, .put = put_number_field};

static const attr *real_value(hlo_raiser *r, const hlo_field *f, const op *from)
{
	double v = strtod(hlo_attr_text(from, r->ctx, f->hlo).ptr, NULL);
	return attr_float(r->ctx, v, float_bits(v, DT_F32), type_scalar(r->ctx, DT_F32));
}

static void put_real(hlo_sinker *l, const hlo_field *f, const op *o, const attr *a)
{
	UNUSED(o);
	put_f(l->at, ", %s=%.9g", f->hlo, a && a->kind == AT_FLOAT ? a->f : 0);
}

const hlo_field_kind field_real = {.value = real_value, .put = put_real};

/* dense<[[0, 1], [1, 0]]> */
static const attr *pairs_value(hlo_raiser *r, const hlo_field *f, const op *from)
{
	tess_str s = hlo_attr_text(from, r->ctx, f->hlo);
	int n = hlo_numbers(s, NULL, 0);
	int64_t *v = NEW_N(r->mem, int64_t, n + 1);
	hlo_numbers(s, v, n);
	return raise_matrix(r, v, n / 2, 2);
}

static void put_pairs(hlo_sinker *l, const hlo_field *f, const op *o, const attr *a)
{
	int n = 0;
	const int64_t *v = a ? attr_ints(l->ctx, a, &n) : NULL;
	UNUSED(o);
	sink_matrix(l, f->hlo, v, n, 2);
}

const hlo_field_kind field_pairs = {.value = pairs_value, .put = put_pairs};

/* ---- true and false ----------------------------------------------------------- */

static bool is_true(hlo_raiser *r, const hlo_field *f, const op *from)
{
	return str_is(hlo_attr_text(from, r->ctx, f->hlo), "true");
}

static const attr *field_flag_value(hlo_raiser *r, const hlo_field *f, const op *from)
{
	return attr_bool(r->ctx, is_true(r, f, from));
}

static void put_flag(hlo_sinker *l, const hlo_field *f, const op *o, const attr *a)
{
	UNUSED(a);
	if (op_bool(o, f->to[0]))
		put_f(l->at, ", %s=true", f->hlo);
}

const hlo_field_kind field_flag = {.value = field_flag_value, .put = put_flag};

static const attr *true_value(hlo_raiser *r, const hlo_field *f, const op *from)
{
	return is_true(r, f, from) ? attr_bool(r->ctx, true) : NULL;
}

const hlo_field_kind field_true = {.value = true_value, .put = put_flag};

static const attr *unit_value(hlo_raiser *r, const hlo_field *f, const op *from)
{
	return is_true(r, f, from) ? attr_unit(r->ctx) : NULL;
}

const hlo_field_kind field_unit = {.value = unit_value, .put = put_flag};

/* CHLO's top_k only returns the largest elements. */
static bool raise_largest(hlo_raiser *r, const hlo_field *f, const op *from, op *to)
{
	UNUSED(to);
	return is_true(r, f, from);
}

static bool sink_largest(hlo_sinker *l, const hlo_field *f, const op *o)
{
	UNUSED(o);
	put_f(l->at, ", %s=true", f->hlo);
	return true;
}

const hlo_field_kind field_largest = {.raise = raise_largest, .sink = sink_largest};

/* In CHLO, a missing value means true. */
static const attr *stable_value(hlo_raiser *r, const hlo_field *f, const op *from)
{
	bool unstable = str_is(hlo_attr_text(from, r->ctx, f->hlo), "false");
	return unstable ? attr_bool(r->ctx, false) : NULL;
}

static void put_stable(hlo_sinker *l, const hlo_field *f, const op *o, const attr *a)
{
	put_f(l->at, ", %s=%s", f->hlo, !a || op_bool(o, f->to[0]) ? "true" : "false");
}

const hlo_field_kind field_stable = {.value = stable_value, .put = put_stable};

/* ---- words ---------------------------------------------------------------------- */

/* Returns the enum value of that attribute for a word, which is uppercased. */
static const attr *enum_value(hlo_raiser *r, int to, tess_str word)
{
	char *upper = arena_printf(r->mem, "%.*s", STR_ARG(word));
	for (char *p = upper; *p; p++)
		*p = (char)toupper((unsigned char)*p);
	return attr_enum(r->ctx, "stablehlo", attr_enum_kind(to), upper);
}

/* Writes HIGHEST as highest, after a prefix. */
static void put_lower_word(hlo_sinker *l, const char *prefix, const char *word)
{
	put_z(l->at, prefix);
	for (; *word; word++)
		put_c(l->at, (char)tolower((unsigned char)*word));
}

static const attr *word_value(hlo_raiser *r, const hlo_field *f, const op *from)
{
	tess_str s = hlo_attr_text(from, r->ctx, f->hlo);
	return enum_value(r, f->to[0], s.len || !f->word ? s : str_of(f->word));
}

static void put_word_field(hlo_sinker *l, const hlo_field *f, const op *o, const attr *a)
{
	UNUSED(o);
	put_f(l->at, ", %s=%s", f->hlo, enum_word(a));
}

const hlo_field_kind field_word = {.value = word_value, .put = put_word_field};

static const attr *lower_value(hlo_raiser *r, const hlo_field *f, const op *from)
{
	tess_str s = hlo_attr_text(from, r->ctx, f->hlo);
	size_t n = strlen(f->word);
	return enum_value(r, f->to[0],
	                  str_starts(s, f->word) ? (tess_str){s.ptr + n, s.len - n} : s);
}

static void put_lower(hlo_sinker *l, const hlo_field *f, const op *o, const attr *a)
{
	UNUSED(o);
	put_f(l->at, ", %s=", f->hlo);
	put_lower_word(l, f->word, enum_word(a));
}

const hlo_field_kind field_lower = {.value = lower_value, .put = put_lower};

/* How elements compare: "type", and since 2026 "order=TOTAL" for one of its values. */
static const attr *comparison_value(hlo_raiser *r, const hlo_field *f, const op *from)
{
	tess_str s = hlo_attr_text(from, r->ctx, f->hlo);
	if (str_is(hlo_attr_text(from, r->ctx, "order"), "TOTAL"))
		s = STR("TOTALORDER");
	return s.len ? enum_value(r, f->to[0], s) : NULL;
}

static void put_comparison(hlo_sinker *l, const hlo_field *f, const op *o, const attr *a)
{
	const char *word = enum_word(a);
	if (*word && strcmp(word, "NOTYPE") != 0)
		put_word_field(l, f, o, a);
}

const hlo_field_kind field_comparison = {.value = comparison_value, .put = put_comparison};

/* {high,default} becomes [HIGH, DEFAULT]; if absent, as many DEFAULT as operands. */
static const attr *precision_value(hlo_raiser *r, const hlo_field *f, const op *from)
{
	const attr *list[2];
	tess_str s = hlo_attr_text(from, r->ctx, f->hlo);
	const char *p = s.len ? s.ptr + 1 : "", *end = s.ptr + s.len;
	for (int i = 0; i < 2; i++) {
		const char *to = p;
		while (s.len && to < end && *to != ',' && *to != '}')
			to++;
		list[i] = enum_value(r, f->to[0],
		                     s.len ? (tess_str){p, (size_t)(to - p)} : STR("DEFAULT"));
		p = to < end ? to + 1 : end;
	}
	return attr_array(r->ctx, list, 2);
}

static void put_precision(hlo_sinker *l, const hlo_field *f, const op *o, const attr *a)
{
	UNUSED(o);
	if (!a || a->kind != AT_ARRAY || !a->n)
		return;
	put_f(l->at, ", %s={", f->hlo);
	for (int i = 0; i < a->n; i++)
		put_lower_word(l, i ? "," : "", enum_word(a->list[i]));
	put_c(l->at, '}');
}

const hlo_field_kind field_precision = {.value = precision_value, .put = put_precision};

/* ---- strings -------------------------------------------------------------------- */

static const attr *string_value(hlo_raiser *r, const hlo_field *f, const op *from)
{
	tess_str s = raise_unquoted(r, hlo_attr_text(from, r->ctx, f->hlo));
	return attr_string(r->ctx, name_of(r->ctx, s));
}

static bool sink_string(hlo_sinker *l, const hlo_field *f, const op *o)
{
	const attr *a = op_attr(o, f->to[0]);
	if (!a || a->kind != AT_STRING)
		return false;
	put_f(l->at, ", %s=", f->hlo);
	hlo_put_quoted(l->at, name_str(a->text));
	return true;
}

static bool raise_string(hlo_raiser *r, const hlo_field *f, const op *from, op *to)
{
	op_set_attr(r->to, to, f->to[0], string_value(r, f, from));
	return true;
}

const hlo_field_kind field_string = {.raise = raise_string, .sink = sink_string};

/* ---- structures ------------------------------------------------------------------ */

static const attr *struct_value(hlo_raiser *r, const hlo_field *f, const op *from)
{
	const name *names[16];
	const attr *values[16];
	int n = 0;
	for (const hlo_field *m = f->members; m->kind; m++, n++) {
		names[n] = name_known(r->ctx, m->to[0]);
		values[n] = m->kind->value(r, m, from);
	}
	return attr_of(r->ctx, &(attr){.kind = AT_STRUCT, .text = name_of_z(r->ctx, f->word),
	                               .list = values, .names = names, .n = n});
}

static bool sink_struct(hlo_sinker *l, const hlo_field *f, const op *o)
{
	const attr *a = op_attr(o, f->to[0]);
	if (!a || a->kind != AT_STRUCT)
		return false;
	for (const hlo_field *m = f->members; m->kind; m++)
		m->kind->put(l, m, o, attr_get(a, m->to[0]));
	return true;
}

static bool raise_struct(hlo_raiser *r, const hlo_field *f, const op *from, op *to)
{
	op_set_attr(r->to, to, f->to[0], struct_value(r, f, from));
	return true;
}

const hlo_field_kind field_struct = {.raise = raise_struct, .sink = sink_struct};
