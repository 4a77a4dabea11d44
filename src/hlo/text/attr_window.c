/* attr_window.c - parses slices, padding, windows and the labels of convolutions.
 *
 *   slices  ::= '{' ('[' from ':' to (':' step)? ']'),… '}'
 *   padding ::= low '_' high ('_' interior)? ('x' …)*
 *   window  ::= '{' (('size' | 'stride' | 'pad' | …) '=' n ('x' n)*)* '}'
 *   labels  ::= b01f_01io->b01f */
#include "hlo/text/text.h"

/* Steps are printed if any is not 1. */
const attr *hlo_read_slices(hlo_reader *r)
{
	struct {
		int64_t from, to, step;
	} s[SHAPE_MAX_RANK];
	int n = 0;
	bool steps = false;
	writer w;
	hlo_expect(r, "{");
	while (!r->s.failed && n < SHAPE_MAX_RANK && hlo_accept(r, "[")) {
		s[n].from = hlo_integer(r);
		hlo_expect(r, ":");
		s[n].to = hlo_integer(r);
		s[n].step = hlo_accept(r, ":") ? hlo_integer(r) : 1;
		steps = steps || s[n].step != 1;
		n++;
		hlo_expect(r, "]");
		if (!hlo_accept(r, ","))
			break;
	}
	hlo_expect(r, "}");
	writer_init(&w, r->mem);
	put_c(&w, '{');
	for (int i = 0; i < n; i++) {
		put_f(&w, "%s[%" PRId64 ":%" PRId64, i ? ", " : "", s[i].from, s[i].to);
		if (steps)
			put_f(&w, ":%" PRId64, s[i].step);
		put_c(&w, ']');
	}
	put_c(&w, '}');
	return hlo_written_attr(r, &w);
}

/* Interior padding is printed if any is not 0. */
const attr *hlo_read_padding(hlo_reader *r)
{
	int64_t p[SHAPE_MAX_RANK][3];
	int n = 0;
	bool interior = false;
	writer w;
	do {
		if (n == SHAPE_MAX_RANK)
			hlo_unexpected(r, "padding of fewer dimensions");
		if (r->s.failed)
			return NULL;
		p[n][0] = hlo_integer(r);
		hlo_expect(r, "_");
		p[n][1] = hlo_integer(r);
		p[n][2] = hlo_accept(r, "_") ? hlo_integer(r) : 0;
		interior = interior || p[n][2] != 0;
		n++;
	} while (hlo_accept(r, "x"));
	writer_init(&w, r->mem);
	for (int i = 0; i < n; i++) {
		put_f(&w, "%s%" PRId64 "_%" PRId64, i ? "x" : "", p[i][0], p[i][1]);
		if (interior)
			put_f(&w, "_%" PRId64, p[i][2]);
	}
	return hlo_written_attr(r, &w);
}

/* One part of a window, 3x3 or 1_1x0_0, and its default. */
typedef struct window_part {
	const char *word;
	bool pairs;
	int64_t usual;
	int n;
	int64_t v[SHAPE_MAX_RANK][2];
} window_part;

static void read_window_part(hlo_reader *r, window_part *p)
{
	hlo_expect(r, "=");
	if (p->n)
		hlo_unexpected(r, "each part of a window once");
	do {
		if (p->n == SHAPE_MAX_RANK)
			hlo_unexpected(r, "a window of fewer dimensions");
		if (r->s.failed)
			return;
		p->v[p->n][0] = hlo_integer(r);
		p->v[p->n][1] = p->usual;
		if (p->pairs) {
			hlo_expect(r, "_");
			p->v[p->n][1] = hlo_integer(r);
		}
		p->n++;
	} while (hlo_accept(r, "x"));
}

static bool is_usual(const window_part *p)
{
	for (int i = 0; i < p->n; i++)
		if (p->v[i][0] != p->usual || (p->pairs && p->v[i][1] != p->usual))
			return false;
	return true;
}

static void put_window_part(writer *w, const window_part *p)
{
	put_f(w, "%s%s=", w->len > 1 ? " " : "", p->word);
	for (int i = 0; i < p->n; i++) {
		put_f(w, "%s%" PRId64, i ? "x" : "", p->v[i][0]);
		if (p->pairs)
			put_f(w, "_%" PRId64, p->v[i][1]);
	}
}

/* The parts may be in any order; parts with their default are not printed. */
const attr *hlo_read_window(hlo_reader *r)
{
	window_part parts[] = {{"size", false, INT64_MIN}, {"stride", false, 1}, {"pad", true, 0},
	                       {"lhs_dilate", false, 1}, {"rhs_dilate", false, 1},
	                       {"rhs_reversal", false, 0}};
	writer w;
	hlo_expect(r, "{");
	while (!r->s.failed && !hlo_accept(r, "}")) {
		int i = 0;
		while (i < COUNT(parts) && !hlo_accept_word(r, parts[i].word))
			i++;
		if (i < COUNT(parts))
			read_window_part(r, &parts[i]);
		else
			hlo_unexpected(r,
			               "size, stride, pad, lhs_dilate, rhs_dilate or rhs_reversal");
	}
	writer_init(&w, r->mem);
	put_c(&w, '{');
	for (int i = 0; i < COUNT(parts); i++) {
		if (parts[i].n && parts[i].n != parts[0].n)
			hlo_fail(r, hlo_here(r), E_HLO_SYNTAX,
			         "the parts of a window have different numbers of dimensions");
		if (!is_usual(&parts[i]))
			put_window_part(&w, &parts[i]);
	}
	put_c(&w, '}');
	return hlo_written_attr(r, &w);
}

const attr *hlo_read_labels(hlo_reader *r)
{
	hlo_peek(r);
	const char *from = r->s.at;
	writer w;
	tess_str left = hlo_word(r);
	hlo_expect(r, "->");
	tess_str right = hlo_word(r);
	if (!left.len || !right.len || !memchr(left.ptr, '_', left.len))
		hlo_fail(r, hlo_since(r, from), E_HLO_SYNTAX,
		         "expected the labels of the dimensions, such as b01f_01io->b01f");
	writer_init(&w, r->mem);
	put_str(&w, left);
	put_lit(&w, "->");
	put_str(&w, right);
	return hlo_written_attr(r, &w);
}
