/* hlo_attr.c - the values of HLO's attributes: each form is read into the text that
 * XLA prints for it.  Computations become symbols. */
#include "text/hlo.h"

#include <stdlib.h>

static const attr *text_attr(hlo_reader *r, tess_str s)
{
	return r->failed ? NULL : attr_string(r->ctx, name_of(r->ctx, s));
}

static const attr *text_attr_of(hlo_reader *r, const writer *w)
{
	return text_attr(r, writer_str(w));
}

/* ---- numbers and words ---------------------------------------------------------- */

static const attr *read_integer(hlo_reader *r)
{
	writer w;
	writer_init(&w, r->mem);
	put_int(&w, hlo_integer(r));
	return text_attr_of(r, &w);
}

static const attr *read_boolean(hlo_reader *r)
{
	if (hlo_accept_word(r, "true") || hlo_accept_word(r, "1"))
		return text_attr(r, STR("true"));
	if (!hlo_accept_word(r, "false") && !hlo_accept_word(r, "0"))
		hlo_unexpected(r, "true or false");
	return text_attr(r, STR("false"));
}

/* As XLA prints a float: 6 digits, or 9 where that is another value. */
static const attr *read_number_attr(hlo_reader *r)
{
	char text[64] = "", *end;
	bool minus = hlo_accept(r, "-");
	hlo_peek(r);
	const char *from = r->at;
	tess_str word = hlo_word(r);
	while (r->at < r->end && (*r->at == '+'))
		r->at++, hlo_word(r);
	word.len = (size_t)(r->at - from);
	snprintf(text, sizeof text, "%s%.*s", minus ? "-" : "", (int)min_i64((int64_t)word.len, 50),
	         word.ptr);
	float v = strtof(text, &end);
	if (end == text || *end)
		hlo_fail(r, hlo_since(r, from), E_HLO_SYNTAX, "expected a number");
	snprintf(text, sizeof text, "%.6g", (double)v);
	if (strtof(text, NULL) != v)
		snprintf(text, sizeof text, "%.9g", (double)v);
	return text_attr(r, str_of(text));
}

static const attr *read_word_value(hlo_reader *r)
{
	tess_str s = hlo_word(r);
	if (!s.len)
		hlo_unexpected(r, "a word");
	return text_attr(r, s);
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
		return mode ? text_attr(r, str_of(arena_printf(r->mem, "{mode=%s}", mode->text->s)))
		            : NULL;
	}
	if (!hlo_accept_word(r, "tolerance"))
		hlo_unexpected(r, "mode or tolerance");
	hlo_expect(r, "=");
	hlo_expect(r, "{");
	while (!r->failed && hlo_peek(r) != '}') {
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
	return text_attr(r,
	                 str_of(arena_printf(r->mem, "{tolerance={atol=%.6g,rtol=%.6g,ulps=%.6g}}",
	                                     v[0], v[1], v[2])));
}

static const attr *read_one_of(hlo_reader *r, const char *const *words)
{
	hlo_peek(r);
	const char *from = r->at;
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
	return text_attr_of(r, &w);
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
	return text_attr_of(r, &w);
}

static void put_integer(hlo_reader *r, writer *w) { put_int(w, hlo_integer(r)); }

static void put_integers(hlo_reader *r, writer *w) { put_braced(r, w, ",", put_integer); }

static const attr *read_integers(hlo_reader *r) { return read_braced(r, ",", put_integer); }

static const attr *read_pairs(hlo_reader *r) { return read_braced(r, ",", put_integers); }

/* Sizes of slices: one list, or for several operands a list of lists. */
static const attr *read_slice_sizes(hlo_reader *r)
{
	const char *from = r->at, *last = r->last;
	bool lists = hlo_accept(r, "{") && hlo_peek(r) == '{';
	r->at = from;
	r->last = last;
	return lists ? read_pairs(r) : read_integers(r);
}

static const attr *read_groups(hlo_reader *r)
{
	replica_groups g;
	uint32_t end;
	hlo_peek(r);
	if (r->failed ||
	    !replica_groups_parse(r->ctx, r->src, (uint32_t)(r->at - r->begin), &end, &g)) {
		r->failed = true;
		r->at = r->end;
		return NULL;
	}
	r->at = r->last = r->begin + end;
	return text_attr(r, g.text);
}

/* ---- slices, padding, windows, labels --------------------------------------------------- */

/* '{' ('[' from ':' to (':' step)? ']'),… '}'; steps are printed if any is not 1 */
static const attr *read_slices(hlo_reader *r)
{
	struct {
		int64_t from, to, step;
	} s[SHAPE_MAX_RANK];
	int n = 0;
	bool steps = false;
	writer w;
	hlo_expect(r, "{");
	while (!r->failed && n < SHAPE_MAX_RANK && hlo_accept(r, "[")) {
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
	return text_attr_of(r, &w);
}

/* low_high(_interior)? joined by 'x'; interior is printed if any is not 0 */
static const attr *read_padding_attr(hlo_reader *r)
{
	int64_t p[SHAPE_MAX_RANK][3];
	int n = 0;
	bool interior = false;
	writer w;
	do {
		if (n == SHAPE_MAX_RANK)
			hlo_unexpected(r, "padding of fewer dimensions");
		if (r->failed)
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
	return text_attr_of(r, &w);
}

/* One part of a window, 3x3 or 1_1x0_0; what it is where the part is not written. */
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
		if (r->failed)
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

/* '{' size=3x3 stride=… pad=… lhs_dilate=… rhs_dilate=… rhs_reversal=… '}', in any order;
 * what is as usual is not printed */
static const attr *read_window(hlo_reader *r)
{
	window_part parts[] = {{"size", false, INT64_MIN}, {"stride", false, 1}, {"pad", true, 0},
	                       {"lhs_dilate", false, 1}, {"rhs_dilate", false, 1},
	                       {"rhs_reversal", false, 0}};
	writer w;
	hlo_expect(r, "{");
	while (!r->failed && !hlo_accept(r, "}")) {
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
	return text_attr_of(r, &w);
}

/* b01f_01io->b01f */
static const attr *read_labels(hlo_reader *r)
{
	hlo_peek(r);
	const char *from = r->at;
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
	return text_attr_of(r, &w);
}

/* '{' word,… '}', nothing if all are default */
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
	return usual ? NULL : text_attr_of(r, &w);
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
	return text_attr_of(r, &w);
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

/* ---- dictionaries ---------------------------------------------------------------------------- */

typedef struct dict_entry {
	tess_str key, value; /* as printed */
} dict_entry;

static int compare_keys(const void *a, const void *b)
{
	return str_cmp(((const dict_entry *)a)->key, ((const dict_entry *)b)->key);
}

/* '{' (key '=' (string | braces)),… '}', sorted by key */
static const attr *read_dictionary(hlo_reader *r)
{
	VEC(dict_entry) v = {0};
	writer w;
	hlo_expect(r, "{");
	if (!hlo_accept(r, "}")) {
		do {
			dict_entry e = {.key = hlo_word(r)};
			if (!e.key.len)
				hlo_unexpected(r, "the name of an attribute");
			hlo_expect(r, "=");
			if (hlo_peek(r) == '{') {
				e.value = hlo_braces(r);
			} else {
				writer_init(&w, r->mem);
				hlo_put_quoted(&w, hlo_string(r));
				e.value = writer_str(&w);
			}
			vec_push(r->mem, &v, e);
		} while (hlo_accept(r, ","));
		hlo_expect(r, "}");
	}
	if (v.len)
		qsort(v.ptr, (size_t)v.len, sizeof *v.ptr, compare_keys);
	writer_init(&w, r->mem);
	put_c(&w, '{');
	for (int i = 0; i < v.len; i++) {
		if (i)
			put_c(&w, ',');
		put_str(&w, v.ptr[i].key);
		put_c(&w, '=');
		put_str(&w, v.ptr[i].value);
	}
	put_c(&w, '}');
	return text_attr_of(r, &w);
}

/* The words of metadata, in the order in which XLA prints them. */
static const char *const metadata_words[] = {
	"op_type", "op_name", "source_file", "source_line", "source_end_line", "source_column",
	"source_end_column", "profile_type", "deduplicated_name", "metadata_payload",
	"stack_frame_id", "scheduling_name",
};

static tess_str read_metadata_value(hlo_reader *r)
{
	writer w;
	if (hlo_peek(r) == '{')
		return hlo_braces(r);
	writer_init(&w, r->mem);
	if (hlo_peek(r) == '"')
		hlo_put_quoted(&w, hlo_string(r));
	else
		put_int(&w, hlo_integer(r));
	return writer_str(&w);
}

/* '{' (word '=' value)* '}'.  A stack frame means nothing without the table of frames. */
static const attr *read_metadata(hlo_reader *r)
{
	tess_str values[COUNT(metadata_words)] = {0};
	writer w;
	hlo_expect(r, "{");
	while (!r->failed && !hlo_accept(r, "}")) {
		int i = 0;
		while (i < COUNT(metadata_words) && !hlo_accept_word(r, metadata_words[i]))
			i++;
		if (i == COUNT(metadata_words))
			hlo_unexpected(r,
			               "op_type, op_name, source_file or another word of metadata");
		else if (values[i].ptr)
			hlo_unexpected(r, "each word of metadata once");
		hlo_expect(r, "=");
		tess_str v = read_metadata_value(r);
		if (!r->failed &&
		    (r->has_frames || strcmp(metadata_words[i], "stack_frame_id") != 0))
			values[i] = v;
		hlo_accept(r, ",");
	}
	writer_init(&w, r->mem);
	for (int i = 0; i < COUNT(metadata_words); i++)
		if (values[i].ptr) {
			put_f(&w, "%c%s=", w.len ? ' ' : '{', metadata_words[i]);
			put_str(&w, values[i]);
		}
	if (!w.len)
		return NULL;
	put_c(&w, '}');
	return text_attr_of(r, &w);
}

static const attr *read_config(hlo_reader *r)
{
	return hlo_peek(r) == '"' ? read_text(r) : text_attr(r, hlo_braces(r));
}

/* ---- shardings ------------------------------------------------------------------------------- */

/* One sharding for a tuple is one for each of its leaves. */
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

/* An empty tuple has a sharding, too (XLA's HloSharding::RequiredLeaves). */
static int64_t sharding_leaves(const shape *s) { return max_i64(shape_leaves(s), 1); }

static const attr *read_sharding_attr(hlo_reader *r, const shape *result)
{
	uint32_t end;
	hlo_peek(r);
	const char *from = r->at;
	const hlo_sharding *s =
	        r->failed ? NULL
	                  : hlo_sharding_parse(r->ctx, r->src, (uint32_t)(from - r->begin), &end);
	if (!s) {
		r->failed = true;
		r->at = r->end;
		return NULL;
	}
	r->at = r->last = r->begin + end;
	s = for_each_leaf(r, s, result);
	if (s->kind == HS_TUPLE && s->n_parts && result && s->n_parts != sharding_leaves(result))
		hlo_fail(r, hlo_since(r, from), E_HLO_SHARDING_SHAPE,
		         "%d shardings for a shape of %" PRId64 " leaves", s->n_parts,
		         shape_leaves(result));
	return text_attr(r, name_str(s->text));
}

/* ---- computations ---------------------------------------------------------------------------- */

/* '{' name,… '}' or one name */
static const attr *read_computations(hlo_reader *r)
{
	VEC(const attr *) v = {0};
	if (!hlo_accept(r, "{")) {
		vec_push(r->mem, &v, hlo_read_computation(r));
	} else if (!hlo_accept(r, "}")) {
		do
			vec_push(r->mem, &v, hlo_read_computation(r));
		while (hlo_accept(r, ","));
		hlo_expect(r, "}");
	}
	return r->failed ? NULL : attr_array(r->ctx, v.ptr, v.len);
}

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
	return text_attr_of(r, &w);
}

static const attr *read_form(hlo_reader *r, hlo_form form, const shape *result)
{
	switch (form) {
	case HLO_FORM_aliases: return read_aliases(r);
	case HLO_FORM_boolean: return read_boolean(r);
	case HLO_FORM_accuracy: return read_accuracy(r);
	case HLO_FORM_braces: return text_attr(r, hlo_braces(r));
	case HLO_FORM_comparison: return read_comparison(r);
	case HLO_FORM_computation: return hlo_read_computation(r);
	case HLO_FORM_computations: return read_computations(r);
	case HLO_FORM_config: return read_config(r);
	case HLO_FORM_dictionary: return read_dictionary(r);
	case HLO_FORM_groups: return read_groups(r);
	case HLO_FORM_integer: return read_integer(r);
	case HLO_FORM_integers: return read_integers(r);
	case HLO_FORM_labels: return read_labels(r);
	case HLO_FORM_literal: return read_literal_attr(r);
	case HLO_FORM_metadata: return read_metadata(r);
	case HLO_FORM_number: return read_number_attr(r);
	case HLO_FORM_order: return read_order(r);
	case HLO_FORM_padding: return read_padding_attr(r);
	case HLO_FORM_pairs: return read_pairs(r);
	case HLO_FORM_precisions: return read_precisions(r);
	case HLO_FORM_predecessors: return NULL; /* they are operands: see hlo_instruction.c */
	case HLO_FORM_shape: return read_shape_attr(r);
	case HLO_FORM_shapes: return read_shapes(r);
	case HLO_FORM_sharding: return read_sharding_attr(r, result);
	case HLO_FORM_sizes: return read_slice_sizes(r);
	case HLO_FORM_slices: return read_slices(r);
	case HLO_FORM_text: return read_text(r);
	case HLO_FORM_window: return read_window(r);
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
