/* attr.c - parses the values of HLO's attributes: each form is converted to the text that XLA
 * prints for it. Computations become symbols. */
#include "hlo/text/text.h"

#include <stdlib.h>

/* ---- numbers and words ---------------------------------------------------------- */

static const attr *read_integer(hlo_reader *r)
{
	writer w;
	writer_init(&w, r->mem);
	put_int(&w, hlo_integer(r));
	return hlo_written_attr(r, &w);
}

static const attr *read_boolean(hlo_reader *r)
{
	if (hlo_accept_word(r, "true") || hlo_accept_word(r, "1"))
		return hlo_text_attr(r, STR("true"));
	if (!hlo_accept_word(r, "false") && !hlo_accept_word(r, "0"))
		hlo_unexpected(r, "true or false");
	return hlo_text_attr(r, STR("false"));
}

/* Prints a float like XLA: with 6 digits, or 9 if these give another value. */
static const attr *read_number_attr(hlo_reader *r)
{
	char text[64] = "", *end;
	bool minus = hlo_accept(r, "-");
	hlo_peek(r);
	const char *from = r->s.at;
	tess_str word = hlo_word(r);
	while (r->s.at < r->s.end && (*r->s.at == '+'))
		r->s.at++, hlo_word(r);
	word.len = (size_t)(r->s.at - from);
	snprintf(text, sizeof text, "%s%.*s", minus ? "-" : "", (int)min_i64((int64_t)word.len, 50),
	         word.ptr);
	float v = strtof(text, &end);
	if (end == text || *end)
		hlo_fail(r, hlo_since(r, from), E_HLO_SYNTAX, "expected a number");
	snprintf(text, sizeof text, "%.6g", (double)v);
	if (strtof(text, NULL) != v)
		snprintf(text, sizeof text, "%.9g", (double)v);
	return hlo_text_attr(r, str_of(text));
}

static const attr *read_word_value(hlo_reader *r)
{
	tess_str s = hlo_word(r);
	if (!s.len)
		hlo_unexpected(r, "a word");
	return hlo_text_attr(r, s);
}

/* '{' 'mode' '=' word '}' or '{' 'tolerance' '=' '{' (atol | rtol | ulps '=' number),… '}' '}' */
static const attr *read_accuracy(hlo_reader *r)
{
	static const char *const keys[] = {"atol", "rtol", "ulps"};
	double v[COUNT(keys)] = {0};
	hlo_expect(r, "{");
	if (hlo_accept_word(r, "mode")) {
		hlo_expect(r, "=");
		const attr *mode = read_word_value(r);
		hlo_expect(r, "}");
		if (!mode)
			return NULL;
		return hlo_text_attr(r, str_of(arena_printf(r->mem, "{mode=%s}", mode->text->s)));
	}
	if (!hlo_accept_word(r, "tolerance"))
		hlo_unexpected(r, "mode or tolerance");
	hlo_expect(r, "=");
	hlo_expect(r, "{");
	while (!r->s.failed && hlo_peek(r) != '}') {
		int i = 0;
		while (i < COUNT(keys) && !hlo_accept_word(r, keys[i]))
			i++;
		if (i == COUNT(keys))
			hlo_unexpected(r, "atol, rtol or ulps");
		hlo_expect(r, "=");
		const attr *number = read_number_attr(r);
		if (number && i < COUNT(keys))
			v[i] = strtod(number->text->s, NULL);
		if (!hlo_accept(r, ","))
			break;
	}
	hlo_expect(r, "}");
	hlo_expect(r, "}");
	return hlo_text_attr(r,
	                 str_of(arena_printf(r->mem, "{tolerance={atol=%.6g,rtol=%.6g,ulps=%.6g}}",
	                                     v[0], v[1], v[2])));
}

static const attr *read_one_of(hlo_reader *r, const char *const *words)
{
	hlo_peek(r);
	const char *from = r->s.at;
	const attr *a = read_word_value(r);
	for (int i = 0; a && words[i]; i++)
		if (str_is(name_str(a->text), words[i]))
			return a;
	if (a)
		hlo_fail(r, hlo_since(r, from), E_HLO_ATTRIBUTE, "there is no %s here: %s, for one",
		         a->text->s, words[0]);
	return NULL;
}

static const attr *read_comparison(hlo_reader *r)
{
	return read_one_of(r, (const char *[]){"TOTALORDER", "FLOAT", "SIGNED", "UNSIGNED", NULL});
}

static const attr *read_order(hlo_reader *r)
{
	return read_one_of(r, (const char *[]){"TOTAL", "PARTIAL", NULL});
}

static const attr *read_text(hlo_reader *r)
{
	writer w;
	writer_init(&w, r->mem);
	hlo_put_quoted(&w, hlo_string(r));
	return hlo_written_attr(r, &w);
}

/* ---- lists of numbers --------------------------------------------------------------- */

/* '{' (item,…)? '}' */
static void put_braced(hlo_reader *r, writer *w, const char *between,
                       void (*item)(hlo_reader *r, writer *w))
{
	const char *separator = "";
	put_c(w, '{');
	hlo_expect(r, "{");
	if (!hlo_accept(r, "}")) {
		do {
			put_z(w, separator);
			item(r, w);
			separator = between;
		} while (hlo_accept(r, ","));
		hlo_expect(r, "}");
	}
	put_c(w, '}');
}

static const attr *read_braced(hlo_reader *r, const char *between,
                               void (*item)(hlo_reader *r, writer *w))
{
	writer w;
	writer_init(&w, r->mem);
	put_braced(r, &w, between, item);
	return hlo_written_attr(r, &w);
}

static void put_integer(hlo_reader *r, writer *w) { put_int(w, hlo_integer(r)); }

static void put_integers(hlo_reader *r, writer *w) { put_braced(r, w, ",", put_integer); }

static const attr *read_integers(hlo_reader *r) { return read_braced(r, ",", put_integer); }

static const attr *read_pairs(hlo_reader *r) { return read_braced(r, ",", put_integers); }

/* Sizes of slices: one list, or a list of lists for several operands. */
static const attr *read_slice_sizes(hlo_reader *r)
{
	scan before = r->s;
	bool lists = hlo_accept(r, "{") && hlo_peek(r) == '{';
	r->s = before;
	return lists ? read_pairs(r) : read_integers(r);
}

static const attr *read_groups(hlo_reader *r)
{
	replica_groups g;
	uint32_t end;
	hlo_peek(r);
	if (r->s.failed ||
	    !replica_groups_parse(r->ctx, r->s.src, scan_offset(&r->s), &end, &g)) {
		scan_stop(&r->s);
		return NULL;
	}
	scan_go(&r->s, end);
	return hlo_text_attr(r, g.text);
}

/* '{' word,… '}'; dropped if all are default */
static const attr *read_precisions(hlo_reader *r)
{
	writer w;
	bool usual = true;
	writer_init(&w, r->mem);
	hlo_expect(r, "{");
	put_c(&w, '{');
	do {
		tess_str s = hlo_word(r);
		if (!s.len)
			hlo_unexpected(r, "a precision such as highest");
		if (w.len > 1)
			put_c(&w, ',');
		put_str(&w, s);
		usual = usual && str_is(s, "default");
	} while (hlo_accept(r, ","));
	hlo_expect(r, "}");
	put_c(&w, '}');
	return usual ? NULL : hlo_written_attr(r, &w);
}

/* ---- shapes and aliases ---------------------------------------------------------------------- */

static void put_shape(hlo_reader *r, writer *w)
{
	const shape *s = hlo_read_shape(r);
	if (s)
		shape_print(w, s, SHAPE_WITH_LAYOUT);
}

static const attr *read_shape_attr(hlo_reader *r)
{
	writer w;
	writer_init(&w, r->mem);
	put_shape(r, &w);
	return hlo_written_attr(r, &w);
}

static const attr *read_shapes(hlo_reader *r) { return read_braced(r, ", ", put_shape); }

/* {out} ':' '(' operand ',' {index} ')' */
static void put_alias(hlo_reader *r, writer *w)
{
	put_integers(r, w);
	hlo_expect(r, ":");
	hlo_expect(r, "(");
	put_f(w, ": (%" PRId64 ", ", hlo_integer(r));
	hlo_expect(r, ",");
	put_integers(r, w);
	hlo_expect(r, ")");
	put_c(w, ')');
}

static const attr *read_aliases(hlo_reader *r) { return read_braced(r, ", ", put_alias); }

static const attr *read_config(hlo_reader *r)
{
	return hlo_peek(r) == '"' ? read_text(r) : hlo_text_attr(r, hlo_braces(r));
}

/* ---- shardings ------------------------------------------------------------------------------- */

/* A single sharding for a tuple applies to each of its leaves. */
static const hlo_sharding *for_each_leaf(hlo_reader *r, const hlo_sharding *s, const shape *result)
{
	if (!result || result->kind != SH_TUPLE || s->kind == HS_TUPLE)
		return s;
	int64_t n = shape_leaves(result);
	const hlo_sharding **parts = NEW_N(r->mem, const hlo_sharding *, max_i64(n, 1));
	for (int64_t i = 0; i < n; i++)
		parts[i] = s;
	return hlo_sharding_tuple(r->ctx, parts, (int)n);
}

/* An empty tuple has one sharding, too (XLA's HloSharding::RequiredLeaves). */
static int64_t sharding_leaves(const shape *s) { return max_i64(shape_leaves(s), 1); }

static const attr *read_sharding_attr(hlo_reader *r, const shape *result)
{
	uint32_t end;
	hlo_peek(r);
	const char *from = r->s.at;
	const hlo_sharding *s =
	        r->s.failed ? NULL
	                    : hlo_sharding_parse(r->ctx, r->s.src, scan_offset(&r->s), &end);
	if (!s) {
		scan_stop(&r->s);
		return NULL;
	}
	scan_go(&r->s, end);
	s = for_each_leaf(r, s, result);
	if (s->kind == HS_TUPLE && s->n_parts && result && s->n_parts != sharding_leaves(result))
		hlo_fail(r, hlo_since(r, from), E_HLO_SHARDING_SHAPE,
		         "there are %d shardings for a shape of %" PRId64 " leaves", s->n_parts,
		         shape_leaves(result));
	return hlo_text_attr(r, name_str(s->text));
}

/* ---- literals ------------------------------------------------------------------------------- */

/* f32[2] {1, 2}: a shape and its elements */
static const attr *read_literal_attr(hlo_reader *r)
{
	const shape *s = hlo_read_shape(r);
	const attr *literal = s ? hlo_read_literal(r, s) : NULL;
	writer w;
	if (!literal)
		return NULL;
	writer_init(&w, r->mem);
	shape_print(&w, s, SHAPE_WITH_LAYOUT);
	put_c(&w, ' ');
	hlo_write_literal(&w, literal, s);
	return hlo_written_attr(r, &w);
}

static const attr *read_form(hlo_reader *r, hlo_form form, const shape *result)
{
	switch (form) {
	case HLO_FORM_aliases: return read_aliases(r);
	case HLO_FORM_boolean: return read_boolean(r);
	case HLO_FORM_accuracy: return read_accuracy(r);
	case HLO_FORM_braces: return hlo_text_attr(r, hlo_braces(r));
	case HLO_FORM_comparison: return read_comparison(r);
	case HLO_FORM_config: return read_config(r);
	case HLO_FORM_dictionary: return hlo_read_dictionary(r);
	case HLO_FORM_groups: return read_groups(r);
	case HLO_FORM_integer: return read_integer(r);
	case HLO_FORM_integers: return read_integers(r);
	case HLO_FORM_labels: return hlo_read_labels(r);
	case HLO_FORM_literal: return read_literal_attr(r);
	case HLO_FORM_metadata: return hlo_read_metadata(r);
	case HLO_FORM_number: return read_number_attr(r);
	case HLO_FORM_order: return read_order(r);
	case HLO_FORM_padding: return hlo_read_padding(r);
	case HLO_FORM_pairs: return read_pairs(r);
	case HLO_FORM_precisions: return read_precisions(r);
	case HLO_FORM_computation:
	case HLO_FORM_computations:
	case HLO_FORM_predecessors: return NULL; /* see instruction.c */
	case HLO_FORM_shape: return read_shape_attr(r);
	case HLO_FORM_shapes: return read_shapes(r);
	case HLO_FORM_sharding: return read_sharding_attr(r, result);
	case HLO_FORM_sizes: return read_slice_sizes(r);
	case HLO_FORM_slices: return hlo_read_slices(r);
	case HLO_FORM_text: return read_text(r);
	case HLO_FORM_window: return hlo_read_window(r);
	case HLO_FORM_word: return read_word_value(r);
	}
	return NULL;
}

const attr *hlo_read_attr(hlo_reader *r, const hlo_attribute *a, const shape *result)
{
	const attr *v = read_form(r, a->form, result);
	if (v && v->kind == AT_STRING && a->initial[0] && str_is(name_str(v->text), a->initial))
		return NULL;
	return v;
}
