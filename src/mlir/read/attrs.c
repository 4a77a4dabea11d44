/* attrs.c - parses attributes.
 *
 *   attr ::= 'true' | 'false' | 'unit' | number (':' type)? | string (':' type)?
 *          | '[' attrs ']' | dict | symbol ('::' symbol)* | type | loc
 *          | 'dense' '<' … '>' ':' type | 'array' '<' type (':' numbers)? '>'
 *          | 'dense_resource' '<' name '>' ':' type | 'affine_map' '<' … '>'
 *          | 'sparse' '<' … '>' ':' type | 'strided' '<' … '>' | 'distinct' '[' n ']' '<' attr? '>'
 *          | '#' alias | '#' dialect '.' name '<' … '>' | '#' dialect '<' … '>'
 *   dict ::= '{' (name ('=' attr)? (',' name ('=' attr)?)*)? '}' */
#include "mlir/read/read.h"

#include <stdlib.h>

/* ---- lists and dictionaries -------------------------------------------------------- */

static const attr *read_array(reader *r)
{
	VEC(const attr *) list = {0};
	read_expect(r, '[');
	if (r->tok != ']') {
		do {
			const attr *a = read_attr(r);
			vec_push(r->mem, &list, a);
		} while (read_accept(r, ','));
	}
	read_expect(r, ']');
	return r->failed ? NULL : attr_array(r->ctx, list.ptr, list.len);
}

static const name *read_attr_name(reader *r)
{
	if (r->tok != T_WORD && (r->tok != T_STRING || r->at - r->tok_at == 2)) {
		read_expected(r, "the name of an attribute");
		return name_known(r->ctx, N_empty);
	}
	if (r->tok == T_STRING)
		return name_of(r->ctx, read_string(r));
	const name *n = read_word_name(r, tok_text(r));
	read_next(r);
	return n;
}

static int cmp_named_attrs(const void *x, const void *y)
{
	const named_attr *a = x, *b = y;
	return str_cmp(name_str(a->name), name_str(b->name));
}

bool sort_attrs(reader *r, named_attr *list, int n, place at)
{
	if (n > 1)
		qsort(list, (size_t)n, sizeof *list, cmp_named_attrs);
	for (int i = 1; i < n; i++)
		if (list[i].name == list[i - 1].name)
			return read_fail_at(r, at, E_ATTR_SYNTAX, "the attribute %s is given twice",
			                    list[i].name->s);
	return true;
}

void read_attr_dict(reader *r)
{
	read_expect(r, '{');
	if (read_accept(r, '}'))
		return;
	do {
		uint32_t at = tok_pos(r);
		const name *n = read_attr_name(r);
		bool valued = read_accept(r, '=');
		at = valued ? tok_pos(r) : at;
		const attr *a = valued ? read_attr(r) : attr_unit(r->ctx);
		vec_push(r->mem, &r->attr_stack, (named_attr){n, a});
		if (UNLIKELY(r->notes != NULL))
			note_attr(r, n, 0, at);
	} while (read_accept(r, ','));
	read_expect(r, '}');
}

static const attr *read_dict_attr(reader *r)
{
	int base = r->attr_stack.len;
	uint32_t at = tok_pos(r);
	bool noting = notes_pause(r);
	read_attr_dict(r);
	notes_go_on(r, noting);
	int n = r->attr_stack.len - base;
	if (r->failed || !sort_attrs(r, r->attr_stack.ptr + base, n, read_since(r, at)))
		return NULL;
	const name **names = NEW_N(r->mem, const name *, n);
	const attr **list = NEW_N(r->mem, const attr *, n);
	for (int i = 0; i < n; i++) {
		names[i] = r->attr_stack.ptr[base + i].name;
		list[i] = r->attr_stack.ptr[base + i].value;
	}
	r->attr_stack.len = base;
	return attr_dict(r->ctx, names, list, n);
}

int read_int_list(reader *r)
{
	int n = 0;
	read_expect(r, '[');
	if (read_accept(r, ']'))
		return 0;
	do {
		int64_t v = r->tok == '?' ? DIM_DYNAMIC : 0;
		if (!read_accept(r, '?'))
			v = read_int(r);
		vec_push(r->mem, &r->ints, v);
		n++;
	} while (read_accept(r, ','));
	read_expect(r, ']');
	return n;
}

const attr *read_ints_attr(reader *r)
{
	enum { MEMO_MAX = 40 };
	uint64_t hash;
	const char *close = r->tok == '[' ? memchr(r->at, ']', (size_t)(r->end - r->at)) : NULL;
	tess_str span = {r->tok_at, close && close - r->tok_at < MEMO_MAX
	                                    ? (size_t)(close + 1 - r->tok_at)
	                                    : 0};
	const attr *a = span.len ? memo_find(&r->int_lists, span, &hash) : NULL;
	if (LIKELY(a != NULL)) {
		read_goto(r, close + 1);
		return a;
	}
	int n = read_int_list(r);
	r->ints.len -= n;
	if (r->failed)
		return NULL;
	a = attr_i64_array(r->ctx, r->ints.ptr + r->ints.len, n);
	if (span.len)
		memo_add(r, &r->int_lists, span, hash, a);
	return a;
}

static const attr *read_symbol_path(reader *r)
{
	attr a = {.kind = AT_SYMBOL, .text = read_symbol(r)};
	VEC(const attr *) list = {0};
	while (r->tok == T_COLON2) {
		read_next(r);
		const attr *part = attr_symbol(r->ctx, read_symbol(r));
		vec_push(r->mem, &list, part);
	}
	a.list = list.ptr;
	a.n = list.len;
	return attr_of(r->ctx, &a);
}

static const attr *read_string_attr(reader *r)
{
	attr a = {.kind = AT_STRING, .text = name_of(r->ctx, read_string(r))};
	if (read_accept(r, ':'))
		a.type = read_type(r);
	return r->failed ? NULL : attr_of(r->ctx, &a);
}

const attr *written_attr(reader *r, tess_str text, const type *t)
{
	writer w;
	writer_init(&w, r->mem);
	put_str(&w, text);
	if (t) {
		put_lit(&w, " : ");
		mlir_print_type(&w, r->ctx, t); /* aliases are not kept */
	}
	return attr_of(r->ctx, &(attr){.kind = AT_OPAQUE, .text = name_of(r->ctx, writer_str(&w))});
}

/* ---- attributes that start with a keyword --------------------------------------------------- */

/* Returns the text of word<…> unparsed; it ends at the '>' that matches the '<' after the current
 * token. */
static tess_str read_raw(reader *r)
{
	const char *begin = r->tok_at,
		   *end = r->at < r->end && *r->at == '<' ? angle_end(r, r->at) : NULL;
	if (!end) {
		read_expected(r, "'<' and a matching '>'");
		return (tess_str){"", 0};
	}
	read_goto(r, end + 1);
	return (tess_str){begin, (size_t)(end + 1 - begin)};
}

/* Reads strided<[4, 1], offset: 3>. */
static const attr *read_strided(reader *r)
{
	tess_str text = read_raw(r);
	return r->failed ? NULL : written_attr(r, text, NULL);
}

/* sparse<[[0, 1]], 5> : tensor<2x2xi32> */
static const attr *read_sparse(reader *r)
{
	tess_str text = read_raw(r);
	read_expect(r, ':');
	uint32_t at = (uint32_t)(r->tok_at - r->text);
	const type *t = read_type(r);
	if (!r->failed && t->kind != TY_TENSOR && t->kind != TY_VECTOR)
		read_fail_at(r, read_since(r, at), E_ATTR_SYNTAX,
		             "elements need the type of a tensor or a vector");
	return r->failed ? NULL : written_attr(r, text, t);
}

/* distinct[3]<attribute> */
static const attr *read_distinct(reader *r)
{
	writer w;
	writer_init(&w, r->mem);
	read_next(r);
	read_expect(r, '[');
	put_f(&w, "distinct[%" PRId64 "]<", read_int(r));
	read_expect(r, ']');
	read_expect(r, '<');
	if (r->tok != '>')
		mlir_print_attr(&w, r->ctx, read_attr(r));
	put_c(&w, '>');
	read_expect(r, '>');
	return r->failed ? NULL : written_attr(r, writer_str(&w), NULL);
}

static const attr *read_resource(reader *r)
{
	attr a = {.kind = AT_RESOURCE};
	read_next(r);
	read_expect(r, '<');
	if (r->tok == T_STRING) {
		a.text = name_of(r->ctx, read_string(r));
	} else {
		a.text = name_of(r->ctx, tok_text(r));
		read_expect(r, T_WORD);
	}
	read_expect(r, '>');
	read_expect(r, ':');
	a.type = read_type(r);
	return r->failed ? NULL : attr_of(r->ctx, &a);
}

/* An affine map may contain "->" and comparisons; it ends at the '>' outside of these. */
static const attr *read_affine(reader *r)
{
	const char *begin = r->tok_at, *s = r->at;
	int parens = 0;
	while (s < r->end &&
	       !(*s == '>' && s[-1] != '-' && !parens && (s + 1 == r->end || s[1] != '='))) {
		parens += (*s == '(') - (*s == ')');
		s++;
	}
	if (r->at == r->end || *r->at != '<' || s == r->end) {
		read_expected(r, "'<' and a matching '>'");
		return NULL;
	}
	tess_str text = {begin, (size_t)(s + 1 - begin)};
	read_goto(r, s + 1);
	return attr_of(r->ctx, &(attr){.kind = AT_AFFINE, .text = name_of(r->ctx, text)});
}

static const attr *read_type_attr(reader *r)
{
	const type *t = read_type(r);
	return r->failed ? NULL : attr_type(r->ctx, t);
}

static const attr *read_word_attr(reader *r)
{
	tess_str t = tok_text(r);
	switch (t.ptr[0]) {
	case 'a':
		if (str_is(t, "array"))
			return read_dense_array(r);
		if (str_is(t, "affine_map") || str_is(t, "affine_set"))
			return read_affine(r);
		break;
	case 'd':
		if (str_is(t, "dense"))
			return read_dense(r);
		if (str_is(t, "dense_resource"))
			return read_resource(r);
		if (str_is(t, "distinct"))
			return read_distinct(r);
		break;
	case 'f':
		if (read_accept_word(r, "false"))
			return attr_bool(r->ctx, false);
		break;
	case 'l':
		if (str_is(t, "loc"))
			return read_loc(r);
		break;
	case 's':
		if (str_is(t, "sparse"))
			return read_sparse(r);
		if (str_is(t, "strided"))
			return read_strided(r);
		break;
	case 't':
		if (read_accept_word(r, "true"))
			return attr_bool(r->ctx, true);
		break;
	case 'u':
		if (read_accept_word(r, "unit"))
			return attr_unit(r->ctx);
		break;
	default:
		break;
	}
	if (!read_type_ahead(r)) {
		read_expected(r, "an attribute");
		return NULL;
	}
	return read_type_attr(r);
}

/* ---- attributes of dialects ------------------------------------------------------------ */

static const attr *read_sdy_word(reader *r, tess_str word)
{
	static const struct {
		const char *word;
		const attr *(*read)(reader *);
	} rows[] = {
	    {"sharding", read_sharding_attr},
	    {"sharding_per_value", read_per_value},
	    {"mesh", read_mesh_attr},
	    {"op_sharding_rule", read_rule_attr},
	    {"manual_axes", read_manual_axes},
	    {"axis_ref_list", read_axes_attr},
	    {"list_of_axis_ref_lists", read_axes_list_attr},
	    {"all_to_all_param_list", read_all_to_all_attr},
	    {"propagation_edges", read_propagation_edges},
	};
	for (int i = 0; i < COUNT(rows); i++)
		if (str_is(word, rows[i].word))
			return rows[i].read(r);
	return NULL;
}

/* Reads what may follow "#dialect": <precision HIGH>, or <manual_axes{"x"}>, the long form of
 * #sdy.manual_axes. Returns NULL if it is neither. */
static const attr *read_in_dialect(reader *r, tess_str dialect)
{
	const attr *a = NULL;
	read_next(r);
	if (r->tok != T_WORD)
		return NULL;
	tess_str word = tok_text(r);
	read_next(r);
	if (r->tok == T_WORD) {
		a = attr_of(r->ctx, &(attr){.kind = AT_ENUM,
		                            .text = name_of(r->ctx, dialect),
		                            .sub = name_of(r->ctx, word),
		                            .word = name_of(r->ctx, tok_text(r))});
		read_next(r);
	} else if (str_is(dialect, "sdy")) {
		a = read_sdy_word(r, word);
	}
	return a && read_accept(r, '>') ? a : NULL;
}

/* Reads #stablehlo.result_accuracy_mode<HIGHEST>, spelled unlike other enums. */
static const attr *read_mode(reader *r, tess_str dialect)
{
	read_expect(r, '<');
	attr a = {.kind = AT_ENUM,
	          .text = name_of(r->ctx, dialect),
	          .sub = name_of_z(r->ctx, "result_accuracy_mode"),
	          .word = name_of(r->ctx, tok_text(r))};
	read_expect(r, T_WORD);
	read_expect(r, '>');
	return r->failed ? NULL : attr_of(r->ctx, &a);
}

/* For a '#' token with a dialect; the current token is the one after it. */
static const attr *read_known_dialect_attr(reader *r, tess_str spelled)
{
	tess_str s = {spelled.ptr + 1, spelled.len - 1};
	const char *dot = memchr(s.ptr, '.', s.len);
	if (!dot)
		return read_in_dialect(r, s);
	if (str_is(s, "stablehlo.result_accuracy_mode") || str_is(s, "chlo.result_accuracy_mode"))
		return read_mode(r, (tess_str){s.ptr, (size_t)(dot - s.ptr)});
	if (str_starts(s, "sdy."))
		return read_sdy_word(r, (tess_str){dot + 1, (size_t)(s.ptr + s.len - dot - 1)});
	return read_struct(r, s);
}

static const attr *read_hash_attr(reader *r)
{
	tess_str t = tok_text(r);
	bool angle = r->at < r->end && *r->at == '<';
	if (!angle && !memchr(t.ptr, '.', t.len)) {
		const alias *a = find_alias(r, t.ptr, t.len);
		if (!a || !a->attr) {
			read_fail(r, E_ALIAS, "no attribute alias is named %.*s", STR_ARG(t));
			return NULL;
		}
		if (use_alias(r, a))
			read_next(r);
		return a->attr;
	}
	const char *after = r->at;
	read_next(r);
	const attr *a = read_known_dialect_attr(r, t);
	if (a || r->failed)
		return a;
	const char *end = angle ? angle_end(r, after) : after - 1;
	if (!end) {
		read_fail(r, E_SYNTAX, "the attribute does not end");
		return NULL;
	}
	tess_str text = {t.ptr, (size_t)(end + 1 - t.ptr)};
	read_goto(r, end + 1);
	return attr_of(r->ctx, &(attr){.kind = AT_OPAQUE, .text = name_of(r->ctx, text)});
}

static const attr *read_any_attr(reader *r)
{
	switch (r->tok) {
	case T_WORD: return read_word_attr(r);
	case T_INT:
	case T_HEX:
	case T_FLOAT:
	case '-': return read_number(r);
	case T_STRING: return read_string_attr(r);
	case T_HASH: return read_hash_attr(r);
	case T_SYMBOL: return read_symbol_path(r);
	case '[': return read_array(r);
	case '{': return read_dict_attr(r);
	case T_BANG:
	case '(': return read_type_attr(r);
	default: break;
	}
	read_expected(r, "an attribute");
	return NULL;
}

const attr *read_attr(reader *r)
{
	if (!read_deeper(r))
		return attr_unit(r->ctx);
	const attr *a = read_any_attr(r);
	r->depth--;
	return a && !r->failed ? a : attr_unit(r->ctx);
}
