/* attrs.c - inherent attributes: their kinds, and the meaning of an absent one. */
#include "op/op.h"

const attr_row *op_attr_row(int kind, const name *n)
{
	for (const attr_row *row = op_attr_rows(kind); row->kind; row++)
		if (name_is(n, row->name))
			return row;
	return NULL;
}

bool accuracy_is_default(const attr *a)
{
	static const int tolerances[] = {N_atol, N_rtol, N_ulps};
	if (a->kind != AT_STRUCT)
		return false;
	for (int i = 0; i < COUNT(tolerances); i++) {
		const attr *t = attr_get(a, tolerances[i]);
		if (t && (t->kind == AT_FLOAT ? t->f != 0 : t->i != 0))
			return false;
	}
	const attr *mode = attr_get(a, N_mode);
	return mode && mode->kind == AT_ENUM && !strcmp(mode->word->s, "DEFAULT");
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
	case FALLBACK_ACCURACY: return accuracy_is_default(a);
	}
	return false;
}

/* ---- enums ------------------------------------------------------------------------------ */

/* #stablehlo<comparison_direction LT>: an enum, its words, and the attribute of that kind (N_empty:
 * it is a field of another attribute, or of no attribute in the tables). */
static const struct {
	int attribute;
	const char *kind, *words;
} enum_kinds[] = {
    {N_comparison_direction, "comparison_direction", "EQ NE GE GT LE LT"},
    {N_compare_type, "comparison_type", "NOTYPE FLOAT TOTALORDER SIGNED UNSIGNED"},
    {N_empty, "custom_call_api_version",
     "API_VERSION_UNSPECIFIED API_VERSION_ORIGINAL API_VERSION_STATUS_RETURNING "
     "API_VERSION_STATUS_RETURNING_UNIFIED API_VERSION_TYPED_FFI"},
    {N_fft_type, "fft_type", "FFT IFFT RFFT IRFFT"},
    {N_precision_config, "precision", "DEFAULT HIGH HIGHEST"},
    {N_empty, "result_accuracy_mode", "DEFAULT HIGHEST TOLERANCE"},
    {N_rng_algorithm, "rng_algorithm", "DEFAULT THREE_FRY PHILOX"},
    {N_rng_distribution, "rng_distribution", "UNIFORM NORMAL"},
    {N_transpose_a, "transpose", "TRANSPOSE_INVALID NO_TRANSPOSE TRANSPOSE ADJOINT"},
};

const char *attr_enum_kind(int attribute)
{
	for (int i = 0; i < COUNT(enum_kinds); i++)
		if (enum_kinds[i].attribute == attribute)
			return enum_kinds[i].kind;
	return NULL;
}

const char *enum_words(const attr *a)
{
	for (int i = 0; i < COUNT(enum_kinds); i++)
		if (!strcmp(a->sub->s, enum_kinds[i].kind))
			return enum_kinds[i].words;
	return NULL;
}

static bool has_word(const char *words, const name *word)
{
	for (const char *at = words; (at = strstr(at, word->s)); at += word->len)
		if ((at == words || at[-1] == ' ') && (at[word->len] == ' ' || !at[word->len]))
			return word->len > 0;
	return false;
}

const attr *attr_bad_enum(const attr *a)
{
	for (int i = 0; a->kind == AT_ARRAY && i < a->n; i++) {
		const attr *bad = a->list[i]->kind == AT_ENUM ? attr_bad_enum(a->list[i]) : NULL;
		if (bad)
			return bad;
	}
	const char *words = a->kind == AT_ENUM ? enum_words(a) : NULL;
	return words && !has_word(words, a->word) ? a : NULL;
}

static bool is_enum_of(const attr *a, int attribute)
{
	const char *kind = attr_enum_kind(attribute);
	return a->kind == AT_ENUM && (!kind || !strcmp(a->sub->s, kind));
}

static bool is_enums_of(const attr *a, int attribute)
{
	for (int i = 0; a->kind == AT_ARRAY && i < a->n; i++)
		if (!is_enum_of(a->list[i], attribute))
			return false;
	return a->kind == AT_ARRAY;
}

/* ---- kinds ------------------------------------------------------------------------------ */

/* In older texts, lists of integers are elements of a tensor. */
static bool is_ints(const attr *a)
{
	return (a->kind == AT_DENSE || a->kind == AT_DENSE_ARRAY) &&
	       (dtype_is_int(a->type->dtype) || a->type->dtype == DT_INDEX);
}

/* Elements of a tensor, not a list; StableHLO's own reader would refuse i32. */
static bool is_i64_elements(const attr *a)
{
	return (a->kind == AT_DENSE && a->type->dtype == DT_I64) || a->kind == AT_RESOURCE ||
	       a->kind == AT_OPAQUE;
}

bool attr_fits(const attr_row *row, const attr *a)
{
	switch (row->kind) {
	case ATTR_NONE:
	case ATTR_ANY: return true;
	case ATTR_UNIT: return a->kind == AT_UNIT || a->kind == AT_BOOL;
	case ATTR_BOOL: return a->kind == AT_BOOL || a->kind == AT_UNIT;
	case ATTR_STRING: return a->kind == AT_STRING;
	case ATTR_TYPE: return a->kind == AT_TYPE;
	case ATTR_LIST: return a->kind == AT_ARRAY;
	case ATTR_DICT: return a->kind == AT_DICT;
	case ATTR_I32:
	case ATTR_I64:
	case ATTR_INDEX:
	case ATTR_POSITIVE: return a->kind == AT_INT;
	case ATTR_F32: return a->kind == AT_FLOAT;
	case ATTR_INTS:
	case ATTR_BOOLS: return is_ints(a);
	case ATTR_ELEMENTS:
		return a->kind == AT_DENSE || a->kind == AT_RESOURCE || a->kind == AT_OPAQUE;
	case ATTR_ENUM: return is_enum_of(a, row->name);
	case ATTR_ENUMS: return is_enums_of(a, row->name);
	case ATTR_STRUCT: return a->kind == AT_STRUCT;
	case ATTR_I64_ELEMENTS: return is_i64_elements(a);
	case ATTR_GROUPS: return is_i64_elements(a) || (a->kind == AT_STRUCT && attr_get(a, N_axes));
	case ATTR_SYMBOL_REF: return a->kind == AT_SYMBOL;
	case ATTR_MESH: return a->kind == AT_MESH;
	case ATTR_SHARDING: return a->kind == AT_SHARDING;
	case ATTR_SHARDINGS: return a->kind == AT_SHARDINGS;
	case ATTR_MANUAL_AXES: return a->kind == AT_MANUAL_AXES;
	case ATTR_AXES: return a->kind == AT_AXES;
	case ATTR_AXES_LIST: return a->kind == AT_AXES_LIST;
	case ATTR_ALL_TO_ALL: return a->kind == AT_ALL_TO_ALL;
	}
	return true;
}

const attr *attr_fallback_value(tess_ctx *ctx, const attr_row *row)
{
	switch (row->fallback) {
	case FALLBACK_NONE:
	case FALLBACK_ACCURACY: return NULL;
	case FALLBACK_FALSE: return attr_bool(ctx, false);
	case FALLBACK_TRUE: return attr_bool(ctx, true);
	case FALLBACK_NUMBER:
		return row->kind == ATTR_I32 ? attr_i32(ctx, row->number)
		                             : attr_i64(ctx, row->number);
	case FALLBACK_EMPTY:
		return row->kind == ATTR_STRING ? attr_string(ctx, name_known(ctx, N_empty))
		       : row->kind == ATTR_DICT ? attr_dict(ctx, NULL, NULL, 0)
		                                : attr_array(ctx, NULL, 0);
	}
	return NULL;
}

/* ---- shardings of results ------------------------------------------------------------------- */

bool op_take_shardings(op *o, const attr *a)
{
	bool of_all = op_sharding_attr(o->kind) == N_sdy_sharding;
	if (!of_all && a->kind == AT_SHARDING && o->n_results == 1) {
		result(o, 0)->sharding = a->sharding;
		return true;
	}
	if (!of_all || a->kind != AT_SHARDINGS || !a->n || a->n != o->n_results)
		return false;
	for (int i = 0; i < a->n; i++)
		result(o, i)->sharding = a->shardings[i];
	return true;
}

void op_put_attr(module *m, op *o, const name *n, const attr *a)
{
	if (name_is(n, op_sharding_attr(o->kind))) {
		for (int i = 0; i < o->n_results; i++)
			result(o, i)->sharding = NULL;
		if (a && op_take_shardings(o, a))
			a = NULL; /* it is in the slots */
	}
	op_set_attr_named(m, o, n, a);
}
