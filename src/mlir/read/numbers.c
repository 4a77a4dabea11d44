/* numbers.c - parses numbers, as attributes of the type that follows.
 *
 *   number ::= '-'? (integer | hexadecimal | decimal) (':' type)?
 *
 * A number must fit its type. Floats are written with a decimal point, or as their bits in
 * hexadecimal; floats wider than 64 bits are kept as text. */
#include "mlir/read/read.h"

#include <stdlib.h>

double decimal_value(reader *r, tess_str text)
{
	char few[64], *p = text.len < sizeof few ? few : arena_alloc(r->mem, text.len + 1);
	memcpy(p, text.ptr, text.len);
	p[text.len] = 0;
	return strtod(p, NULL);
}

bool token_magnitude(const reader *r, uint64_t *out)
{
	tess_str t = tok_text(r);
	uint64_t v = 0, base = r->tok == T_HEX ? 16 : 10;
	for (size_t i = base == 16 ? 2 : 0; i < t.len; i++) {
		char c = t.ptr[i];
		uint64_t digit = (uint64_t)(c <= '9' ? c - '0' : (c | 32) - 'a' + 10);
		if (__builtin_mul_overflow(v, base, &v) || __builtin_add_overflow(v, digit, &v))
			return false;
	}
	*out = v;
	return true;
}

/* True if an integer fits a type of `bits` bits. Signless integers take what fits as signed or as
 * unsigned. */
static bool int_fits(uint64_t magnitude, bool minus, dtype t)
{
	int bits = t == DT_INDEX ? 64 : dtype_bits(t);
	dtype_class c = dtype_class_of(t);
	if (minus)
		return c != DC_UINT && magnitude <= (uint64_t)1 << (bits - 1);
	return bits == 64 || magnitude < (uint64_t)1 << bits;
}

static const attr *float_attr(reader *r, double v, const type *t)
{
	uint64_t bits = float_bits(v, t->dtype);
	return attr_float(r->ctx, float_value(bits, t->dtype), bits, t);
}

/* Makes a float from its bits, written in hexadecimal. */
static const attr *typed_bits(reader *r, uint64_t bits, bool written_so, const type *t, place at)
{
	int width = float_width(t->dtype);
	if (!written_so) {
		read_fail_at(r, at, E_NUMBER,
		             "a float needs a decimal point, or its bits in hexadecimal");
		return NULL;
	}
	if (width < 64 && bits >> width) {
		read_fail_at(r, at, E_NUMBER, "this has more bits than %s", dtype_mlir(t->dtype));
		return NULL;
	}
	return attr_float(r->ctx, float_value(bits, t->dtype), bits, t);
}

/* Makes an attribute of type t from an integer; the integer is the bits if t is a float. */
static const attr *typed_int(reader *r, uint64_t magnitude, bool minus, bool hex, const type *t,
                             place at)
{
	if (t->kind == TY_SCALAR && dtype_is_float(t->dtype))
		return typed_bits(r, magnitude, hex && !minus, t, at);
	bool plain = t->kind == TY_SCALAR && (dtype_is_int(t->dtype) || t->dtype == DT_INDEX);
	if (!plain && t->kind != TY_INT) {
		read_fail_at(r, at, E_NUMBER, "an integer cannot have this type");
		return NULL;
	}
	if (plain && !int_fits(magnitude, minus, t->dtype)) {
		read_fail_at(r, at, E_NUMBER, "the number does not fit in %s",
		             dtype_mlir(t->dtype));
		return NULL;
	}
	int64_t v = (int64_t)(minus ? 0 - magnitude : magnitude);
	if (plain && dtype_class_of(t->dtype) == DC_SINT && dtype_bits(t->dtype) < 64) {
		int shift = 64 - dtype_bits(t->dtype);
		v = (int64_t)((uint64_t)v << shift) >> shift;
	}
	if (t->dtype == DT_I1 && t->kind == TY_SCALAR)
		return attr_bool(r->ctx, v != 0);
	return attr_int(r->ctx, v, t);
}

const attr *read_bare_ui64(reader *r)
{
	uint64_t v = 0;
	if (r->tok != T_INT && r->tok != T_HEX) {
		read_expected(r, "an integer that is not negative");
		return NULL;
	}
	if (!token_magnitude(r, &v)) {
		read_fail(r, E_NUMBER, "the number does not fit in 64 bits");
		return NULL;
	}
	read_next(r);
	return attr_int(r->ctx, (int64_t)v, type_scalar(r->ctx, DT_UI64));
}

/* Returns the text from `from` to the end of the token before the current one. */
static tess_str text_since(const reader *r, const char *from)
{
	return (tess_str){from, (size_t)(r->text + r->last_end - from)};
}

/* Floats wider than 64 bits are not computed with. */
static bool is_wide_float(const type *t)
{
	return t->kind == TY_OPAQUE && t->text->s[0] == 'f';
}

static const attr *read_decimal(reader *r, const char *from)
{
	double v = decimal_value(r, tok_text(r));
	read_next(r);
	tess_str text = text_since(r, from);
	const type *t = read_accept(r, ':') ? read_type(r) : type_scalar(r->ctx, DT_F64);
	if (r->failed)
		return NULL;
	if (is_wide_float(t))
		return written_attr(r, text, t);
	if (t->kind == TY_SCALAR && dtype_is_float(t->dtype))
		return float_attr(r, *from == '-' ? -v : v, t);
	read_fail_at(r, read_since(r, (uint32_t)(from - r->text)), E_NUMBER,
	             "a float cannot have this type");
	return NULL;
}

const attr *read_number(reader *r)
{
	const char *from = r->tok_at;
	bool minus = read_accept(r, '-');
	if (r->tok == T_FLOAT)
		return read_decimal(r, from);
	if (r->tok != T_INT && r->tok != T_HEX) {
		read_expected(r, "a number");
		return NULL;
	}
	uint64_t magnitude = 0;
	bool hex = r->tok == T_HEX, fits = token_magnitude(r, &magnitude);
	read_next(r);
	tess_str text = text_since(r, from);
	const type *t = read_accept(r, ':') ? read_type(r) : type_scalar(r->ctx, DT_I64);
	place at = read_since(r, (uint32_t)(from - r->text));
	if (r->failed)
		return NULL;
	bool wide = t->kind == TY_INT && (!fits || magnitude > INT64_MAX);
	if (wide || (hex && is_wide_float(t)))
		return written_attr(r, text, t);
	if (fits)
		return typed_int(r, magnitude, minus, hex, t, at);
	read_fail_at(r, at, E_NUMBER, "the number does not fit in 64 bits");
	return NULL;
}
