/* literal.c - parses the elements of constants.
 *
 *   literal ::= '{...}' | element | '{' literal,… '}' | '(' literal,… ')'    by the shape
 *   element ::= number | 'nan' ('(' hex ')')? | 'inf' | 'true' | 'false' | '(' re ',' im ')'
 *
 * {...} stands for elements that a dump left out. XLA makes some up; here they stay unknown. */
#include "hlo/text/text.h"

#include <errno.h>
#include <stdlib.h>

typedef struct literal_reader {
	hlo_reader *r;
	const shape *s;
	dtype part; /* of a complex number; or the element */
	size_t bytes;
	char *data, *at, *data_end;
	bool splat; /* all elements so far are equal */
} literal_reader;

/* ---- elements ------------------------------------------------------------------- */

static const attr *elided(hlo_reader *r)
{
	return attr_string(r->ctx, name_of(r->ctx, STR("{...}")));
}

/* Copies the characters of a number, for C's functions. */
static const char *number_text(hlo_reader *r, char *buf, size_t room)
{
	hlo_peek(r);
	const char *from = r->s.at;
	while (r->s.at < r->s.end && (size_t)(r->s.at - from) + 1 < room &&
	       ((*r->s.at >= '0' && *r->s.at <= '9') ||
	        (*r->s.at && strchr("+-.eExXabcdfABCDF", *r->s.at))))
		r->s.at++;
	memcpy(buf, from, (size_t)(r->s.at - from));
	buf[r->s.at - from] = 0;
	scan_took(&r->s);
	return from;
}

static bool int_in_range(const char *text, dtype t, int64_t *out)
{
	char *end;
	int bits = dtype_bits(t);
	errno = 0;
	if (dtype_class_of(t) == DC_UINT) {
		uint64_t v = strtoull(text, &end, 10);
		*out = (int64_t)v;
		return !errno && *text != '-' && (bits == 64 || v >> bits == 0);
	}
	int64_t v = strtoll(text, &end, 10),
		top = bits == 64 ? INT64_MAX : ((int64_t)1 << (bits - 1)) - 1;
	*out = v;
	return !errno && v <= top && v >= -top - 1;
}

static uint64_t read_int_element(literal_reader *l)
{
	char text[32];
	int64_t v;
	const char *from = number_text(l->r, text, sizeof text);
	if (!text[0] || strspn(text, "0123456789-") != strlen(text)) {
		hlo_fail(l->r, hlo_since(l->r, from), E_HLO_LITERAL,
		         "expected an integer of type %s", dtype_hlo(l->part));
		return 0;
	}
	if (!int_in_range(text, l->part, &v))
		hlo_fail(l->r, hlo_since(l->r, from), E_HLO_LITERAL, "%s is out of the range of %s",
		         text, dtype_hlo(l->part));
	return (uint64_t)v;
}

static uint64_t read_bool_element(literal_reader *l)
{
	if (hlo_accept_word(l->r, "true") || hlo_accept_word(l->r, "1"))
		return 1;
	if (!hlo_accept_word(l->r, "false") && !hlo_accept_word(l->r, "0"))
		hlo_unexpected(l->r, "true or false");
	return 0;
}

/* After "nan": the payload replaces the mantissa. */
static uint64_t read_nan(literal_reader *l, bool minus)
{
	char text[32];
	int bits = dtype_bits(l->part);
	uint64_t nan = float_bits((double)strtof("nan", NULL), l->part),
		 sign = (uint64_t)1 << (bits - 1);
	if (hlo_accept(l->r, "(")) {
		number_text(l->r, text, sizeof text);
		hlo_expect(l->r, ")");
		nan = (float_bits((double)strtof("inf", NULL), l->part) & ~sign) |
		      strtoull(text, NULL, 16);
	}
	return minus && l->part != DT_F8E8M0FNU ? nan | sign : nan & ~sign;
}

static uint64_t read_float_element(literal_reader *l)
{
	char text[64], *end;
	hlo_reader *r = l->r;
	bool minus = hlo_accept(r, "-");
	if (hlo_accept_word(r, "nan"))
		return read_nan(l, minus);
	if (hlo_accept_word(r, "inf"))
		return float_bits(minus ? -strtod("inf", NULL) : strtod("inf", NULL), l->part);
	const char *from = number_text(r, text, sizeof text);
	double v = l->part == DT_F32 ? (double)strtof(text, &end) : strtod(text, &end);
	if (!text[0] || *end)
		hlo_fail(r, hlo_since(r, from), E_HLO_LITERAL, "expected a number of type %s",
		         dtype_hlo(l->part));
	return float_bits(minus ? -v : v, l->part);
}

static uint64_t read_part(literal_reader *l)
{
	if (dtype_is_float(l->part))
		return read_float_element(l);
	return dtype_class_of(l->part) == DC_BOOL ? read_bool_element(l) : read_int_element(l);
}

static void store_part(literal_reader *l, uint64_t v)
{
	size_t n = (size_t)dtype_bytes(l->part);
	if (l->r->s.failed)
		return;
	memcpy(l->at, &v, n); /* little endian */
	l->at += n;
}

static void read_element(literal_reader *l)
{
	if (l->at >= l->data_end)
		return;
	char *from = l->at;
	if (dtype_is_complex(l->s->dtype)) {
		hlo_expect(l->r, "(");
		store_part(l, read_part(l));
		hlo_expect(l->r, ",");
		store_part(l, read_part(l));
		hlo_expect(l->r, ")");
	} else {
		store_part(l, read_part(l));
	}
	l->splat = l->splat && memcmp(from, l->data, l->bytes) == 0;
}

/* ---- nested lists --------------------------------------------------------------------------- */

static void read_rows(literal_reader *l, int dim)
{
	hlo_reader *r = l->r;
	int64_t n = 0, want = l->s->dims[dim];
	hlo_expect(r, "{");
	if (!hlo_accept(r, "}")) {
		do {
			if (n++ >= want)
				break;
			if (dim + 1 < l->s->rank)
				read_rows(l, dim + 1);
			else
				read_element(l);
		} while (!r->s.failed && hlo_accept(r, ","));
		if (n <= want)
			hlo_expect(r, "}");
	} else if (dim == 0 && l->data == l->data_end) {
		n = want; /* {} for an array without elements */
	}
	if (n != want)
		hlo_fail(r, (place){r->s.src, r->s.last - 1, r->s.last}, E_HLO_LITERAL,
		         "dimension %d has %" PRId64 " elements, found %s%" PRId64, dim, want,
		         n > want ? "more than " : "", n > want ? want : n);
}

static bool at_elided(hlo_reader *r)
{
	scan before = r->s;
	if (hlo_accept(r, "{") && hlo_accept(r, "...") && hlo_accept(r, "}"))
		return true;
	r->s = before;
	return false;
}

static const attr *read_array_literal(hlo_reader *r, const shape *s)
{
	int64_t n, bytes;
	literal_reader l = {.r = r, .s = s, .part = dtype_part_of(s->dtype), .splat = true,
	                    .bytes = (size_t)dtype_bytes(s->dtype)};
	if (!shape_elements(s, &n) || !mul_ok(n, (int64_t)l.bytes, &bytes) ||
	    n > r->s.end - r->s.at) {
		/* each element takes a character, so memory is limited by the text */
		hlo_fail(r, hlo_here(r), E_HLO_LITERAL, "there are fewer elements than the shape has");
		return NULL;
	}
	l.data = l.at = arena_alloc(r->mem, (size_t)bytes + 16);
	l.data_end = l.data + bytes;
	if (s->rank)
		read_rows(&l, 0);
	else
		read_element(&l);
	if (r->s.failed)
		return NULL;
	bool splat = l.splat && n > 0;
	return attr_dense(r->ctx, type_tensor(r->ctx, s->dtype, s->dims, s->rank), l.data,
	                  splat ? l.bytes : (size_t)bytes, splat);
}

static const attr *read_tuple_literal(hlo_reader *r, const shape *s)
{
	const attr **parts = NEW_N(r->mem, const attr *, s->n_parts + 1);
	hlo_expect(r, "(");
	for (int i = 0; i < s->n_parts && !r->s.failed; i++) {
		if (i)
			hlo_expect(r, ",");
		parts[i] = hlo_read_literal(r, s->parts[i]);
	}
	hlo_expect(r, ")");
	return r->s.failed ? NULL : attr_array(r->ctx, parts, s->n_parts);
}

const attr *hlo_read_literal(hlo_reader *r, const shape *s)
{
	if (hlo_peek(r) == '{' && at_elided(r))
		return elided(r);
	if (s->kind == SH_TUPLE)
		return read_tuple_literal(r, s);
	if (s->kind != SH_ARRAY || shape_is_dynamic(s)) {
		hlo_fail(r, hlo_here(r), E_HLO_LITERAL,
		         "a constant is an array or a tuple of arrays");
		return NULL;
	}
	return read_array_literal(r, s);
}
