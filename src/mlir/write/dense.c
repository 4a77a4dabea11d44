/* dense.c - prints floats and dense elements as MLIR does.
 *
 * A float is printed with six significant digits, 1.500000e+00, if that reads back as the same
 * value; otherwise with as many digits as its type may need, 0.699999988; infinities and NaNs as
 * their bits. LLVM (APFloat::toString) computes digits from the exact value, but truncates it to a
 * few more digits than requested before it rounds, so that 0.7f does not become 7.000000e-01. To
 * print the same text, we truncate in the same place. */
#include "mlir/write/write.h"

#include <math.h>
#include <stdlib.h>

/* ---- exact decimal digits ----------------------------------------------------------- */

enum { BIG_WORDS = 84 }; /* 53 bits times 5^1074 */

typedef struct big {
	uint32_t w[BIG_WORDS]; /* least significant first */
	int n;
} big;

static void big_mul(big *b, uint32_t by)
{
	uint64_t carry = 0;
	for (int i = 0; i < b->n; i++) {
		carry += (uint64_t)b->w[i] * by;
		b->w[i] = (uint32_t)carry;
		carry >>= 32;
	}
	if (carry)
		b->w[b->n++] = (uint32_t)carry;
}

static uint32_t big_div(big *b, uint32_t by)
{
	uint64_t rest = 0;
	for (int i = b->n - 1; i >= 0; i--) {
		rest = rest << 32 | b->w[i];
		b->w[i] = (uint32_t)(rest / by);
		rest %= by;
	}
	while (b->n && !b->w[b->n - 1])
		b->n--;
	return (uint32_t)rest;
}

static int big_bits(const big *b)
{
	return b->n ? 32 * b->n - __builtin_clz(b->w[b->n - 1]) : 0;
}

/* Computes |v| as an integer times ten to the power of *exp. */
static void big_of(big *b, double v, int *exp)
{
	int e;
	uint64_t m = (uint64_t)ldexp(frexp(fabs(v), &e), 53);
	e -= 53;
	while (m && !(m & 1)) {
		m >>= 1;
		e++;
	}
	b->w[0] = (uint32_t)m;
	b->w[1] = (uint32_t)(m >> 32);
	b->n = b->w[1] ? 2 : 1;
	*exp = e < 0 ? e : 0;
	for (; e > 0; e -= e < 31 ? e : 31)
		big_mul(b, (uint32_t)1 << (e < 31 ? e : 31));
	for (; e < 0; e++)
		big_mul(b, 5);
}

/* Drops decimal digits that are clearly beyond the first `precision` ones. */
static void big_cut(big *b, int *exp, int precision)
{
	int bits = big_bits(b), required = (precision * 196 + 58) / 59;
	int tens = bits > required ? (bits - required) * 59 / 196 : 0;
	*exp += tens;
	for (; tens >= 9; tens -= 9)
		big_div(b, 1000000000);
	for (; tens > 0; tens--)
		big_div(b, 10);
}

typedef struct decimal {
	char d[40]; /* least significant first */
	int n, exp;
} decimal;

/* Rounds to `precision` digits, half up. */
static void round_digits(decimal *d, int precision)
{
	int first = d->n - precision, n = d->n;
	if (first <= 0)
		return;
	if (d->d[first - 1] < '5') {
		while (first < n && d->d[first] == '0')
			first++;
	} else {
		while (first < n && d->d[first] == '9')
			first++;
		if (first < n)
			d->d[first]++;
	}
	d->exp += first;
	if (first == n) {
		d->d[0] = '1';
		d->n = 1;
		return;
	}
	memmove(d->d, d->d + first, (size_t)(n - first));
	d->n = n - first;
}

static decimal digits_of_value(double v, int precision)
{
	big b;
	decimal d = {.n = 0};
	big_of(&b, v, &d.exp);
	big_cut(&b, &d.exp, precision);
	while (b.n) {
		char c = (char)('0' + big_div(&b, 10));
		if (!d.n && c == '0')
			d.exp++;
		else
			d.d[d.n++] = c;
	}
	round_digits(&d, precision);
	return d;
}

/* Formats as 1.500000e+00: one digit before the point and six after it. */
static void format_scientific(char *out, bool minus, const decimal *d)
{
	char *s = out;
	int exp = d->exp + d->n - 1;
	if (minus)
		*s++ = '-';
	*s++ = d->d[d->n - 1];
	*s++ = '.';
	for (int i = 1; i < d->n; i++)
		*s++ = d->d[d->n - 1 - i];
	for (int i = d->n; i <= 6; i++)
		*s++ = '0';
	sprintf(s, "e%c%02d", exp < 0 ? '-' : '+', abs(exp));
}

/* Formats with as many digits as needed: 0.699999988, 12345.6787, 1.17549435E-38. */
static void format_plain(char *out, bool minus, const decimal *d, int precision)
{
	char *s = out;
	int exp = d->exp, n = d->n, top = exp + n - 1;
	bool scientific = exp >= 0 ? exp > 3 || n + exp > precision : top < 0 && -top > 3;
	if (minus)
		*s++ = '-';
	if (scientific) {
		*s++ = d->d[n - 1];
		*s++ = '.';
		if (n == 1)
			*s++ = '0';
		for (int i = 1; i < n; i++)
			*s++ = d->d[n - 1 - i];
		sprintf(s, "E%c%d", top < 0 ? '-' : '+', abs(top));
		return;
	}
	int whole = exp + n;
	if (whole <= 0) {
		*s++ = '0';
		*s++ = '.';
		for (int i = whole; i < 0; i++)
			*s++ = '0';
	}
	for (int i = 0; i < n; i++) {
		if (i && i == whole)
			*s++ = '.';
		*s++ = d->d[n - 1 - i];
	}
	for (int i = 0; i < exp; i++)
		*s++ = '0';
	*s = 0;
}

/* Returns true if printed in decimal. */
bool write_float(writer *w, uint64_t bits, dtype t)
{
	char text[64];
	double v = float_value(bits, t);
	if (v == 0) {
		put_z(w, signbit(v) ? "-0.000000e+00" : "0.000000e+00");
		return true;
	}
	if (isfinite(v)) {
		decimal d = digits_of_value(v, 6);
		format_scientific(text, v < 0, &d);
		if (float_bits(strtod(text, NULL), t) == bits) {
			put_z(w, text);
			return true;
		}
		int precision = 2 + (1 + float_mantissa(t)) * 59 / 196;
		d = digits_of_value(v, precision);
		format_plain(text, v < 0, &d, precision);
		if (strchr(text, '.')) {
			put_z(w, text);
			return true;
		}
	}
	put_f(w, "0x%" PRIX64, bits);
	return false;
}

/* ---- elements ----------------------------------------------------------------------------- */

static uint64_t element_bits(const char *p, int bytes)
{
	uint64_t v = 0;
	memcpy(&v, p,
	       (size_t)(bytes > 8 ? 8 : bytes)); /* a complex number's parts are read separately */
	return v;
}

static void write_number(writer *w, const char *p, dtype t)
{
	int bytes = dtype_bytes(t), bits = dtype_bits(t);
	uint64_t v = element_bits(p, bytes);
	switch (dtype_class_of(t)) {
	case DC_BOOL: put_z(w, v ? "true" : "false"); return;
	case DC_FLOAT: write_float(w, v, t); return;
	case DC_UINT: put_uint(w, bits < 64 ? v & (((uint64_t)1 << bits) - 1) : v); return;
	case DC_COMPLEX:
		put_c(w, '(');
		write_number(w, p, dtype_part_of(t));
		put_c(w, ',');
		write_number(w, p + bytes / 2, dtype_part_of(t));
		put_c(w, ')');
		return;
	case DC_SINT:
	case DC_INDEX: {
		int shift = bits < 64 && t != DT_INDEX ? 64 - bits : 0;
		put_int(w, (int64_t)(v << shift) >> shift);
		return;
	}
	case DC_NONE: return;
	}
}

typedef struct dense_writer {
	writer *w;
	const type *type;
	dtype dtype;
	const char *at;
} dense_writer;

static void write_dense_list(dense_writer *d, int level)
{
	if (level == d->type->rank) {
		write_number(d->w, d->at, d->dtype);
		d->at += dtype_bytes(d->dtype);
		return;
	}
	put_c(d->w, '[');
	for (int64_t i = 0; i < d->type->dims[level]; i++) {
		if (i)
			put_lit(d->w, ", ");
		write_dense_list(d, level + 1);
	}
	put_c(d->w, ']');
}

static void write_booleans(writer *w, const unsigned char *p, int64_t n)
{
	put_lit(w, "\"0x");
	for (int64_t i = 0; i < n; i += 8) {
		unsigned char byte = 0;
		for (int64_t j = i; j < n && j < i + 8; j++)
			byte |= (unsigned char)((p[j] != 0) << (j - i));
		put_hex(w, &byte, 1);
	}
	put_c(w, '"');
}

void write_dense(printer *p, const attr *a)
{
	enum { HEX_LIMIT = 100 }; /* elements printed one by one */
	const type *t = a->type;
	dtype dt = t->elem && t->elem->kind == TY_QUANT ? t->elem->quant->storage : t->dtype;
	bool list = !a->splat && t->n_elems > 0;
	if (list && p->opts.elide_larger >= 0 && t->n_elems > p->opts.elide_larger) {
		put_lit(p->w, "dense_resource<__elided__> : ");
		write_type(p, t);
		return;
	}
	put_lit(p->w, "dense<");
	if (a->splat) {
		write_number(p->w, a->data, dt);
	} else if (list && t->n_elems > HEX_LIMIT && dt == DT_I1 && p->opts.packed_booleans) {
		write_booleans(p->w, a->data, t->n_elems);
	} else if (list && t->n_elems > HEX_LIMIT) {
		put_lit(p->w, "\"0x");
		put_hex(p->w, a->data, a->data_len);
		put_c(p->w, '"');
	} else if (list) {
		dense_writer d = {p->w, t, dt, a->data};
		write_dense_list(&d, 0);
	}
	put_lit(p->w, "> : ");
	write_type(p, t);
}

void write_dense_array(printer *p, const attr *a, bool stripped)
{
	int bytes = dtype_bytes(a->type->dtype);
	if (stripped) {
		put_c(p->w, '[');
	} else {
		put_lit(p->w, "array<");
		write_type(p, a->type);
		if (a->n)
			put_lit(p->w, ": ");
	}
	for (int i = 0; i < a->n; i++) {
		if (i)
			put_lit(p->w, ", ");
		write_number(p->w, (const char *)a->data + (size_t)i * (size_t)bytes,
		             a->type->dtype);
	}
	put_c(p->w, stripped ? ']' : '>');
}
