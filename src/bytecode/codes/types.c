/* types.c - converts between types and their fields. */
#include "bytecode/codes/make.h"

static const type *code_type_fail(coder *c, const char *what)
{
	c->fail(c, "%s", what);
	return NULL;
}

/* ---- numbers --------------------------------------------------------------------------- */

const type *codes_make_plain_type(coder *c, const code_row *row, const field *f)
{
	UNUSED(f);
	return type_scalar(c->ctx, (dtype)row->dtype);
}

bool codes_take_plain_type(coder *c, const code_row *row, const type *t, field *f)
{
	UNUSED(c), UNUSED(f);
	return row->code >= 0 && row->dtype == (int)t->dtype;
}

enum { SIGNLESS, SIGNED, UNSIGNED };

const type *codes_make_integer_type(coder *c, const code_row *row, const field *f)
{
	UNUSED(row);
	static const char *const before[] = {"i", "si", "ui"};
	int64_t sign = f[0].i & 3, width = f[0].i >> 2;
	enum { WIDEST = (1 << 24) - 1 };
	if (sign > UNSIGNED || width < 1 || width > WIDEST)
		return code_type_fail(c, "no integer type is of that width");
	tess_str text = str_of(arena_printf(c->mem, "%s%" PRId64, before[sign], width));
	dtype dt = dtype_from_mlir(text);
	return dt ? type_scalar(c->ctx, dt) : type_text(c->ctx, TY_INT, text);
}

static bool take_integer_of(const type *t, const char *spelled, field *f)
{
	int sign = spelled[0] == 'u' ? UNSIGNED : spelled[0] == 's' ? SIGNED : SIGNLESS;
	f[0] = field_int((int64_t)code_width(t) << 2 | sign);
	return true;
}

bool codes_take_integer_type(coder *c, const code_row *row, const type *t, field *f)
{
	UNUSED(c), UNUSED(row);
	return dtype_is_int(t->dtype) && dtype_mlir(t->dtype) &&
	       take_integer_of(t, dtype_mlir(t->dtype), f);
}

const type *codes_make_wide_integer_type(coder *c, const code_row *row, const field *f)
{
	return codes_make_integer_type(c, row, f);
}

bool codes_take_wide_integer_type(coder *c, const code_row *row, const type *t, field *f)
{
	UNUSED(c), UNUSED(row);
	return take_integer_of(t, t->text->s, f);
}

const type *codes_make_complex_type(coder *c, const code_row *row, const field *f)
{
	UNUSED(row);
	if (f[0].t->kind != TY_SCALAR && f[0].t->kind != TY_INT)
		return code_type_fail(c, "the parts of a complex type are not numbers");
	return type_complex(c->ctx, f[0].t);
}

bool codes_take_complex_type(coder *c, const code_row *row, const type *t, field *f)
{
	UNUSED(row);
	if (t->kind == TY_SCALAR && !dtype_is_complex(t->dtype))
		return false;
	f[0] = field_type(t->kind == TY_SCALAR ? type_scalar(c->ctx, dtype_part_of(t->dtype))
	                                       : t->elem);
	return true;
}

/* ---- types without parts ------------------------------------------------------------ */

const type *codes_make_none_type(coder *c, const code_row *row, const field *f)
{
	UNUSED(row), UNUSED(f);
	return type_none(c->ctx);
}

bool codes_take_none_type(coder *c, const code_row *row, const type *t, field *f)
{
	UNUSED(c), UNUSED(row), UNUSED(t), UNUSED(f);
	return true;
}

const type *codes_make_token_type(coder *c, const code_row *row, const field *f)
{
	UNUSED(row), UNUSED(f);
	return type_token(c->ctx);
}

bool codes_take_token_type(coder *c, const code_row *row, const type *t, field *f)
{
	return codes_take_none_type(c, row, t, f);
}

const type *codes_make_text_type(coder *c, const code_row *row, const field *f)
{
	UNUSED(f);
	return type_text(c->ctx, TY_OPAQUE, str_of(row->name1));
}

bool codes_take_text_type(coder *c, const code_row *row, const type *t, field *f)
{
	UNUSED(c), UNUSED(f);
	return !strcmp(t->text->s, row->name1);
}

/* ---- tensors ------------------------------------------------------------------------- */

static const type *shaped(coder *c, type_kind kind, const field *dims, const type *elem,
                          const attr *encoding)
{
	enum { MOST_DIMS = 1 << 16 };
	if (dims->n > MOST_DIMS)
		return code_type_fail(c, "a shape has too many dimensions");
	for (int64_t i = 0; i < dims->n; i++)
		if (dims->ints[i] < 0 && dims->ints[i] != DIM_DYNAMIC)
			return code_type_fail(c, "a dimension is negative");
	switch (elem->kind) {
	case TY_SCALAR:
	case TY_INT:
	case TY_COMPLEX:
	case TY_QUANT:
	case TY_OPAQUE:
	case TY_VECTOR:
	case TY_TENSOR:
	case TY_MEMREF:
	case TY_TUPLE: break;
	case TY_NONE:
	case TY_UNRANKED:
	case TY_FUNCTION:
	case TY_TOKEN:
	case TY_FUTURE: return code_type_fail(c, "the elements of a shape have a type that tensors cannot have");
	}
	return type_shaped(c->ctx, kind, elem, dims->ints, (int)dims->n, encoding);
}

const type *codes_make_tensor_type(coder *c, const code_row *row, const field *f)
{
	UNUSED(row);
	return shaped(c, TY_TENSOR, &f[0], f[1].t, NULL);
}

static bool take_shape(const type *t, field *f)
{
	f[0] = field_ints(t->dims, t->rank);
	f[1] = field_type(t->elem);
	return !t->encoding;
}

bool codes_take_tensor_type(coder *c, const code_row *row, const type *t, field *f)
{
	UNUSED(c), UNUSED(row);
	return take_shape(t, f);
}

const type *codes_make_encoded_type(coder *c, const code_row *row, const field *f)
{
	UNUSED(row);
	return shaped(c, TY_TENSOR, &f[1], f[2].t, f[0].a);
}

/* VHLO has no encodings except StableHLO's bounds. */
bool codes_take_encoded_type(coder *c, const code_row *row, const type *t, field *f)
{
	UNUSED(c);
	take_shape(t, f + 1);
	f[0] = field_attr(t->encoding);
	return t->encoding && (row->dialect != CODES_VHLO ||
	                       (t->encoding->kind == AT_STRUCT &&
	                        !strcmp(t->encoding->text->s, "stablehlo.type_extensions")));
}

const type *codes_make_vector_type(coder *c, const code_row *row, const field *f)
{
	UNUSED(row);
	return shaped(c, TY_VECTOR, &f[0], f[1].t, NULL);
}

bool codes_take_vector_type(coder *c, const code_row *row, const type *t, field *f)
{
	UNUSED(c), UNUSED(row);
	return take_shape(t, f);
}

const type *codes_make_memref_type(coder *c, const code_row *row, const field *f)
{
	UNUSED(row);
	return shaped(c, TY_MEMREF, &f[0], f[1].t, NULL);
}

bool codes_take_memref_type(coder *c, const code_row *row, const type *t, field *f)
{
	UNUSED(c), UNUSED(row);
	return take_shape(t, f);
}

const type *codes_make_unranked_type(coder *c, const code_row *row, const field *f)
{
	UNUSED(row);
	return shaped(c, TY_UNRANKED, &(field){.n = 0}, f[0].t, NULL);
}

bool codes_take_unranked_type(coder *c, const code_row *row, const type *t, field *f)
{
	UNUSED(c), UNUSED(row);
	f[0] = field_type(t->elem);
	return !t->encoding;
}

/* ---- lists ----------------------------------------------------------------------------- */

static field field_types(const type *const *list, int n)
{
	return (field){.present = true, .n = n, .types = list};
}

const type *codes_make_function_type(coder *c, const code_row *row, const field *f)
{
	UNUSED(row);
	return type_list(c->ctx, TY_FUNCTION, f[0].types, (int)f[0].n, f[1].types, (int)f[1].n);
}

bool codes_take_function_type(coder *c, const code_row *row, const type *t, field *f)
{
	UNUSED(c), UNUSED(row);
	f[0] = field_types(t->in, t->n_in);
	f[1] = field_types(t->out, t->n_out);
	return true;
}

const type *codes_make_tuple_type(coder *c, const code_row *row, const field *f)
{
	UNUSED(row);
	return type_list(c->ctx, TY_TUPLE, f[0].types, (int)f[0].n, NULL, 0);
}

bool codes_take_tuple_type(coder *c, const code_row *row, const type *t, field *f)
{
	UNUSED(c), UNUSED(row);
	f[0] = field_types(t->in, t->n_in);
	return true;
}

const type *codes_make_future_type(coder *c, const code_row *row, const field *f)
{
	UNUSED(row);
	return type_list(c->ctx, TY_FUTURE, f[0].types, (int)f[0].n, NULL, 0);
}

bool codes_take_future_type(coder *c, const code_row *row, const type *t, field *f)
{
	return codes_take_tuple_type(c, row, t, f);
}
