/* write_literal.c - prints the elements of constants on one line, as XLA does:
 *
 *   1.5    {1, 2}    { { 1, 2 }, { 3, 4 } }    { {1}, {2} }
 *
 * Above rank 3, rows except the innermost start with a comment that numbers them.
 *
 * Floats have the fewest digits that give back the value; but f32 and f64 first try the number of
 * digits that is always preserved (6, 15), and small types have a fixed number. */
#include "hlo/text/text.h"

#include <math.h>
#include <stdlib.h>

/* Digits that distinguish any two values: C's max_digits10. */
static int float_digits(dtype t)
{
	return (int)ceil(1 + (float_mantissa(t) + 1) * 0.30102999566398120);
}

/* 0: the type has a single NaN, or one per sign. */
static uint64_t mantissa_mask(dtype t)
{
	return dtype_bits(t) < 16 ? 0 : ((uint64_t)1 << float_mantissa(t)) - 1;
}

/* nan, -nan, or with the payload if it is not the default one */
static void write_nan(writer *w, uint64_t bits, dtype t)
{
	uint64_t mask = mantissa_mask(t), usual = (mask + 1) >> 1;
	if (bits >> (dtype_bits(t) - 1) & 1)
		put_c(w, '-');
	put_lit(w, "nan");
	if (mask && (bits & mask) != usual)
		put_f(w, "(0x%" PRIx64 ")", bits & mask);
}

static void write_float_element(writer *w, uint64_t bits, dtype t)
{
	char text[40];
	double v = float_value(bits, t);
	if (isnan(v)) {
		write_nan(w, bits, t);
		return;
	}
	snprintf(text, sizeof text, "%.*g",
	         t == DT_F64   ? 15
	         : t == DT_F32 ? 6
	                       : float_digits(t),
	         v);
	if ((t == DT_F64 && strtod(text, NULL) != v) ||
	    (t == DT_F32 && (double)strtof(text, NULL) != v))
		snprintf(text, sizeof text, "%.*g", float_digits(t), v);
	put_z(w, text);
}

static void write_part(writer *w, const char *p, dtype t)
{
	uint64_t v = 0;
	int bits = dtype_bits(t);
	memcpy(&v, p, (size_t)dtype_bytes(t)); /* little endian */
	if (dtype_is_float(t))
		write_float_element(w, v, t);
	else if (dtype_class_of(t) == DC_UINT || dtype_class_of(t) == DC_BOOL)
		put_uint(w, v);
	else /* moves the sign bit to the top and back */
		put_int(w, bits == 64 ? (int64_t)v : (int64_t)(v << (64 - bits)) >> (64 - bits));
}

static void write_element(writer *w, const char *p, dtype t)
{
	dtype part = dtype_part_of(t);
	if (!dtype_is_complex(t)) {
		write_part(w, p, t);
		return;
	}
	put_c(w, '(');
	write_part(w, p, part);
	put_lit(w, ", ");
	write_part(w, p + dtype_bytes(part), part);
	put_c(w, ')');
}

typedef struct literal_writer {
	writer *w;
	const shape *s;
	const char *at;
	size_t step; /* 0 for a splat */
} literal_writer;

static void write_open(const literal_writer *l, int dim, int64_t row)
{
	put_c(l->w, '{');
	if (l->s->rank == 1)
		return;
	bool innermost = dim == l->s->rank - 1;
	if (!innermost && dim && l->s->rank > 3)
		put_f(l->w, " /*i%d=%" PRId64 "*/", dim - 1, row);
	if (!innermost ? !dim || l->s->rank <= 3 || l->s->dims[dim] > 0 : l->s->dims[dim] > 1)
		put_c(l->w, ' ');
}

static void write_close(const literal_writer *l, int dim)
{
	bool innermost = dim == l->s->rank - 1;
	if (l->s->rank > 1 && (!innermost || l->s->dims[dim] > 1))
		put_c(l->w, ' ');
	put_c(l->w, '}');
}

static void write_rows(literal_writer *l, int dim, int64_t row)
{
	if (dim == l->s->rank) {
		if (dim == 0 && l->s->dtype == DT_I1) /* in arrays, 0 and 1, to be compact */
			put_z(l->w, *l->at ? "true" : "false");
		else
			write_element(l->w, l->at, l->s->dtype);
		l->at += l->step;
		return;
	}
	write_open(l, dim, row);
	for (int64_t i = 0; i < l->s->dims[dim]; i++) {
		if (i)
			put_lit(l->w, ", ");
		write_rows(l, dim + 1, i);
	}
	write_close(l, dim);
}

/* ( 1, {2, 3} ), which XLA prints only on request. */
static void write_tuple(writer *w, const attr *a, const shape *s)
{
	put_lit(w, "( ");
	for (int i = 0; i < a->n; i++) {
		if (i)
			put_lit(w, ", ");
		hlo_write_literal(w, a->list[i], s->parts[i]);
	}
	put_lit(w, " )");
}

void hlo_write_literal(writer *w, const attr *a, const shape *s)
{
	if (a->kind == AT_ARRAY) {
		write_tuple(w, a, s);
	} else if (a->kind != AT_DENSE) {
		put_lit(w, "{...}");
	} else {
		literal_writer l = {w, s, a->data, a->splat ? 0 : (size_t)dtype_bytes(s->dtype)};
		write_rows(&l, 0, 0);
	}
}
