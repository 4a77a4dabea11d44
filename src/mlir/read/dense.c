/* dense.c - parses dense<…> and array<…>, which may hold millions of numbers.
 *
 *   dense ::= 'dense' '<' body '>' ':' type
 *   body  ::= element | '[' … ']' | '"0x…"' | nothing (no elements)
 *
 * The type comes after the body, so the end of the body is found first; then the body is parsed by
 * character directly into the elements' bytes. A string holds these bytes in hexadecimal, little
 * endian, with one byte for an i1. (Older writers packed eight i1 into a byte: recognized by the
 * length.) */
#include "mlir/read/read.h"

typedef struct dense {
	reader *r;
	const type *type;
	dtype dtype, part; /* part: of a complex number */
	const char *at, *end;
	char *data;
	int64_t n; /* elements written so far */
} dense;

static bool dense_fail(dense *d, const char *what)
{
	uint32_t at = (uint32_t)(d->at - d->r->text);
	return read_fail_at(d->r, (place){d->r->src, at, at + 1}, E_DENSE, "%s", what);
}

static void dense_blanks(dense *d)
{
	d->at = skip_blanks(d->at, d->end);
}

static bool dense_accept(dense *d, char c)
{
	dense_blanks(d);
	if (d->at == d->end || *d->at != c)
		return false;
	d->at++;
	return true;
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 32;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* ---- one element ------------------------------------------------------------------ */

/* Parses digits into *v; returns false if there are none, or more than 64 bits. */
static bool dense_digits(dense *d, bool *hex, uint64_t *v)
{
	const char *s = d->at, *from;
	*v = 0;
	*hex = d->end - s > 2 && s[0] == '0' && s[1] == 'x' && hex_digit(s[2]) >= 0;
	if (*hex) {
		for (from = s += 2; s < d->end && hex_digit(*s) >= 0; s++)
			*v = *v << 4 | (uint64_t)hex_digit(*s);
		d->at = s;
		return s - from <= 16;
	}
	bool fits = true;
	for (from = s; s < d->end && *s >= '0' && *s <= '9'; s++)
		fits = fits && !__builtin_mul_overflow(*v, (uint64_t)10, v) &&
		       !__builtin_add_overflow(*v, (uint64_t)(*s - '0'), v);
	d->at = s;
	return fits && s > from;
}

static uint64_t dense_bool(dense *d)
{
	size_t left = (size_t)(d->end - d->at);
	if (d->part == DT_I1 && left >= 4 && !memcmp(d->at, "true", 4)) {
		d->at += 4;
		return 1;
	}
	if (d->part == DT_I1 && left >= 5 && !memcmp(d->at, "false", 5)) {
		d->at += 5;
		return 0;
	}
	dense_fail(d, "expected an element");
	return 0;
}

static uint64_t dense_int(dense *d, bool minus)
{
	bool hex;
	uint64_t v;
	const char *from = d->at;
	int bits = d->part == DT_INDEX ? 64 : dtype_bits(d->part);
	if (!dense_digits(d, &hex, &v)) {
		dense_fail(d, d->at == from ? "expected an element" : "the number is too large");
		return 0;
	}
	if (d->at < d->end && *d->at == '.') {
		dense_fail(d, "an integer has no decimal point");
		return 0;
	}
	bool unsigned_type = dtype_class_of(d->part) == DC_UINT;
	bool fits = minus ? !unsigned_type && v <= (uint64_t)1 << (bits - 1)
	                  : bits == 64 || v < (uint64_t)1 << bits;
	if (!fits) {
		d->at = from;
		dense_fail(d, "the number does not fit in the element type");
	}
	v = minus ? 0 - v : v;
	return bits < 8 ? v & (((uint64_t)1 << bits) - 1) : v;
}

static uint64_t dense_float(dense *d, bool minus)
{
	const char *from = d->at, *s = from;
	while (s < d->end && *s >= '0' && *s <= '9')
		s++;
	if (s == d->end || *s != '.') {
		bool hex;
		uint64_t v;
		if (!dense_digits(d, &hex, &v) || !hex || minus) {
			d->at = from;
			dense_fail(d, "a float needs a decimal point, or its bits in hexadecimal");
			return 0;
		}
		int width = float_width(d->part);
		if (width < 64 && v >> width) {
			d->at = from;
			dense_fail(d, "this has more bits than the element type");
		}
		return v;
	}
	for (s++; s < d->end && *s >= '0' && *s <= '9'; s++)
		;
	d->at = s;
	if (s < d->end && (*s | 32) == 'e') {
		s++;
		s += s < d->end && (*s == '+' || *s == '-');
		for (; s < d->end && *s >= '0' && *s <= '9'; s++)
			d->at = s + 1;
	}
	double v = decimal_value(d->r, (tess_str){from, (size_t)(d->at - from)});
	return float_bits(minus ? -v : v, d->part);
}

static uint64_t dense_part(dense *d)
{
	dense_blanks(d);
	bool minus = dense_accept(d, '-');
	char c = d->at < d->end ? *d->at : 0;
	if (c < '0' || c > '9')
		return minus ? (uint64_t)dense_fail(d, "expected a number") : dense_bool(d);
	if (dtype_is_float(d->part))
		return dense_float(d, minus);
	return dense_int(d, minus);
}

static void dense_element(dense *d)
{
	int bytes = dtype_bytes(d->dtype);
	char *to = d->data + d->n++ * bytes;
	uint64_t v;
	if (!dtype_is_complex(d->dtype)) {
		v = dense_part(d);
		memcpy(to, &v, (size_t)bytes);
		return;
	}
	if (!dense_accept(d, '(')) {
		dense_fail(d, "expected '(' of a complex number");
		return;
	}
	v = dense_part(d);
	memcpy(to, &v, (size_t)bytes / 2);
	if (!dense_accept(d, ','))
		dense_fail(d, "expected ',' in a complex number");
	v = dense_part(d);
	memcpy(to + bytes / 2, &v, (size_t)bytes / 2);
	if (!dense_accept(d, ')'))
		dense_fail(d, "expected ')' of a complex number");
}

/* ---- bodies -------------------------------------------------------------------------- */

static void dense_list(dense *d, int level)
{
	if (level == d->type->rank) {
		dense_element(d);
		return;
	}
	if (!dense_accept(d, '[')) {
		dense_fail(d, "expected '[': the list is not as deep as the type");
		return;
	}
	for (int64_t i = 0; i < d->type->dims[level] && !d->r->failed; i++) {
		if (i && !dense_accept(d, ','))
			dense_fail(d, "the list is shorter than the dimension of the type");
		else
			dense_list(d, level + 1);
	}
	if (!d->r->failed && !dense_accept(d, ']'))
		dense_fail(d, "expected ']': the list is longer than the dimension of the type");
}

/* Clears the unused upper bits of types narrower than a byte. */
static void clean_bytes(char *data, int64_t n, dtype t)
{
	int bytes = dtype_bytes(t), bits = dtype_is_float(t) ? float_width(t) : dtype_bits(t);
	for (int64_t i = 0; i < n && t == DT_I1; i++)
		data[i] = data[i] != 0;
	if (bits == 1 || bits == 8 * bytes)
		return;
	for (char *at = data; at + bytes <= data + n; at += bytes) {
		uint64_t v = 0;
		memcpy(&v, at, (size_t)bytes);
		v &= ((uint64_t)1 << bits) - 1;
		memcpy(at, &v, (size_t)bytes);
	}
}

static const attr *dense_hex(dense *d)
{
	const char *s = d->at + 1, *close = memchr(s, '"', (size_t)(d->end - s));
	int64_t bytes = dtype_bytes(d->dtype), all = type_bytes(d->type), n = d->type->n_elems;
	int64_t len = close ? (close - s - 2) / 2 : -1;
	if (!close || close - s < 2 || s[0] != '0' || s[1] != 'x' || (close - s) % 2) {
		dense_fail(d, "expected \"0x…\", two digits a byte");
		return NULL;
	}
	char *data = arena_alloc(d->r->mem, (size_t)len);
	s += 2;
	for (int64_t i = 0; i < len; i++) {
		int high = hex_digit(s[2 * i]), low = hex_digit(s[2 * i + 1]);
		if ((high | low) < 0) {
			d->at = s + 2 * i;
			dense_fail(d, "this is not a hexadecimal digit");
			return NULL;
		}
		data[i] = (char)(high << 4 | low);
	}
	d->at = close + 1;
	if (d->dtype == DT_I1 && len != all && len > 1 && len == ceil_div(n, 8)) {
		char *wide = arena_alloc(d->r->mem, (size_t)n);
		for (int64_t i = 0; i < n; i++)
			wide[i] = data[i / 8] >> (i % 8) & 1;
		data = wide;
		len = n;
	}
	if (len != all && len != bytes) {
		dense_fail(d, "the bytes are not as many as the type needs");
		return NULL;
	}
	clean_bytes(data, len, d->dtype);
	return attr_dense(d->r->ctx, d->type, data, (size_t)len, len != all);
}

static const attr *dense_numbers(dense *d)
{
	int64_t all = type_bytes(d->type);
	dense_blanks(d);
	if (d->at == d->end) {
		if (d->type->n_elems)
			dense_fail(d,
			           "expected elements: only a type without any has an empty list");
		return attr_dense(d->r->ctx, d->type, NULL, 0, false);
	}
	bool splat = *d->at != '[';
	/* An element takes at least two characters, so a larger type cannot match. */
	if (!splat && d->type->n_elems > d->end - d->at) {
		dense_fail(d, "the list is shorter than the type");
		return NULL;
	}
	d->data = arena_alloc(d->r->mem, splat ? 16 : (size_t)all);
	if (splat)
		dense_element(d);
	else
		dense_list(d, 0);
	size_t len = splat ? (size_t)dtype_bytes(d->dtype) : (size_t)all;
	return d->r->failed ? NULL : attr_dense(d->r->ctx, d->type, d->data, len, splat);
}

/* Parses the body of dense<…> at [begin, end), for a type. */
static const attr *read_dense_body(reader *r, const type *t, const char *begin, const char *end)
{
	dense d = {.r = r, .type = t, .at = begin, .end = end};
	d.dtype = t->elem && t->elem->kind == TY_QUANT ? t->elem->quant->storage : t->dtype;
	d.part = dtype_part_of(d.dtype);
	if (!t->is_static || type_bytes(t) < 0) {
		dense_fail(&d, "elements need a static type of numbers");
		return NULL;
	}
	dense_blanks(&d);
	bool hex = d.at < d.end && *d.at == '"';
	const attr *a = hex ? dense_hex(&d) : dense_numbers(&d);
	dense_blanks(&d);
	if (!r->failed && d.at != d.end)
		dense_fail(&d, "expected '>' after the elements");
	return r->failed ? NULL : a;
}

/* Returns the '>' after the body, which contains no other except in strings and comments. */
static const char *dense_end(const reader *r, const char *s)
{
	for (; s < r->end; s++) {
		if (*s == '>')
			return s;
		if (*s == '/' && s + 1 < r->end && s[1] == '/' &&
		    !(s = memchr(s, '\n', (size_t)(r->end - s))))
			return NULL;
		if (*s == '"' && !(s = memchr(s + 1, '"', (size_t)(r->end - s - 1))))
			return NULL;
	}
	return NULL;
}

const attr *read_dense(reader *r)
{
	enum { MEMO_MAX = 160 };
	const char *begin = r->tok_at, *open = r->at;
	const char *close = open < r->end && *open == '<' ? dense_end(r, open + 1) : NULL;
	if (!close) {
		read_next(r);
		read_expected(r, "'<' and a matching '>'");
		return NULL;
	}
	read_goto(r, close + 1);
	read_expect(r, ':');
	const type *t = read_type(r);
	if (r->failed)
		return NULL;
	uint64_t hash = 0;
	tess_str span = {begin, (size_t)(r->text + r->last_end - begin)};
	const attr *a = span.len < MEMO_MAX ? memo_find(&r->constants, span, &hash) : NULL;
	if (a)
		return a;
	if (t->kind == TY_OPAQUE ||
	    (t->elem && t->dtype == DT_NONE && t->elem->kind != TY_QUANT))
		return written_attr(r, (tess_str){begin, (size_t)(close + 1 - begin)}, t);
	a = read_dense_body(r, t, open + 1, close);
	if (a && span.len < MEMO_MAX)
		memo_add(r, &r->constants, span, hash, a);
	return a;
}

/* Arrays of integers wider than 64 bits are kept as text. */
static const attr *read_wide_array(reader *r, const type *elem)
{
	writer w;
	writer_init(&w, r->mem);
	put_f(&w, "array<%s", elem->text->s);
	for (const char *between = ": "; r->tok != '>'; between = ", ") {
		if (!read_expect(r, between[0]))
			return NULL;
		const char *sign = read_accept(r, '-') ? "-" : "";
		tess_str number = tok_text(r);
		if (r->tok != T_INT && r->tok != T_HEX) {
			read_expected(r, "an integer");
			return NULL;
		}
		put_f(&w, "%s%s%.*s", between, sign, STR_ARG(number));
		read_next(r);
	}
	put_c(&w, '>');
	read_next(r);
	return written_attr(r, writer_str(&w), NULL);
}

/* Reads array<i64: 1, 2>. */
const attr *read_dense_array(reader *r)
{
	read_next(r);
	read_expect(r, '<');
	const type *elem = read_type(r);
	bool none = r->tok == '>';
	if (elem->kind == TY_INT)
		return read_wide_array(r, elem);
	if (r->failed || elem->kind != TY_SCALAR || (!none && r->tok != ':')) {
		read_expected(r, "array<type: numbers>");
		return NULL;
	}
	attr a = {.kind = AT_DENSE_ARRAY, .type = elem};
	if (!none) {
		const char *end = dense_end(r, r->at);
		dense d = {.r = r, .dtype = elem->dtype, .part = elem->dtype, .at = r->at};
		d.end = end ? end : r->end;
		d.data = arena_alloc(r->mem, (size_t)(d.end - d.at + 2) / 2 *
		                                     (size_t)dtype_bytes(elem->dtype));
		do
			dense_element(&d);
		while (!r->failed && dense_accept(&d, ','));
		if (r->failed)
			return NULL;
		read_goto(r, d.at);
		a.n = (int)d.n;
		a.data = d.data;
		a.data_len = (size_t)d.n * (size_t)dtype_bytes(elem->dtype);
	}
	read_expect(r, '>');
	return r->failed ? NULL : attr_of(r->ctx, &a);
}
