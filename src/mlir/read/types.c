/* types.c - parses types.
 *
 *   type     ::= 'tensor' '<' dims elem (',' attr)? '>' | 'vector' … | 'memref' …
 *              | 'complex' '<' type '>' | 'tuple' '<' types '>' | 'none' | scalar
 *              | '(' types ')' '->' (type | '(' types ')') | '!' name ('<' … '>')?
 *   dims     ::= ((integer | '?') 'x')* | '*' 'x'
 *
 * Dimensions are not tokens ("4x8xf32" would be lexed as 4 and x8xf32, "0x4" as a hexadecimal
 * number), so they are read by character. */
#include "mlir/read/read.h"

static const char *type_blanks(const reader *r, const char *s)
{
	while (s < r->end && (*s == ' ' || *s == '\n' || *s == '\t' || *s == '\r'))
		s++;
	return s;
}

static bool type_digit(char c) { return c >= '0' && c <= '9'; }

/* Reads one size before an 'x'. Returns false if the element type follows. */
static bool read_dim(reader *r, const char **at, int64_t *dim)
{
	const char *s = type_blanks(r, *at);
	if (s == r->end || (*s != '?' && !type_digit(*s)))
		return false;
	*dim = 0;
	if (*s == '?') {
		*dim = DIM_DYNAMIC;
		s++;
	}
	bool fits = true;
	const char *from = s;
	for (; s < r->end && type_digit(*s); s++)
		fits = fits && mul_ok(*dim, 10, dim) && add_ok(*dim, *s - '0', dim);
	if (!fits) {
		uint32_t begin = (uint32_t)(from - r->text);
		return read_fail_at(r, (place){r->src, begin, (uint32_t)(s - r->text)}, E_NUMBER,
		                    "the size of a dimension does not fit in 64 bits");
	}
	s = type_blanks(r, s);
	if (s == r->end || *s != 'x') {
		read_goto(r, s);
		return read_expected(r, "'x' after the size of a dimension");
	}
	*at = s + 1;
	return true;
}

/* Reads a memref's layout or memory space. Neither is an array in MLIR, so here an array means
 * both. */
static const attr *read_layout_or_space(reader *r)
{
	const attr *a = read_attr(r);
	if (!r->failed && a->kind == AT_ARRAY)
		read_fail(r, E_TYPE_SYNTAX,
		          "an array is neither a memref's layout nor a memory space");
	return a;
}

static const attr *read_memref_rest(reader *r)
{
	const attr *first = read_layout_or_space(r);
	if (!read_accept(r, ','))
		return first;
	const attr *both[] = {first, read_layout_or_space(r)};
	return attr_array(r->ctx, both, 2);
}

/* The element type may follow the last 'x' directly: "4xf32". */
static const type *read_shaped(reader *r, type_kind kind)
{
	enum { MAX_RANK = 255 };
	int base = r->ints.len;
	const char *s = r->at; /* after '<' */
	bool unranked = false;
	const attr *encoding = NULL;
	const char *star = type_blanks(r, s);
	if (star < r->end && *star == '*' && kind != TY_VECTOR) {
		s = type_blanks(r, star + 1);
		unranked = true;
		if (s < r->end && *s == 'x')
			s++;
		else
			read_expected(r, "'x' after '*'");
	} else {
		int64_t dim;
		while (!r->failed && read_dim(r, &s, &dim)) {
			vec_push(r->mem, &r->ints, dim);
			if (r->ints.len - base > MAX_RANK) {
				read_goto(r, s);
				read_fail(r, E_LIMIT, "a type has at most %d dimensions", MAX_RANK);
			}
		}
	}
	if (r->failed)
		return type_none(r->ctx);
	read_goto(r, s);
	const type *elem = read_type(r);
	bool may_end = kind == TY_TENSOR; /* after the comma, as MLIR allows */
	if (read_accept(r, ',') && !(may_end && r->tok == '>'))
		encoding = kind == TY_MEMREF ? read_memref_rest(r) : read_attr(r);
	if (r->tok != '>')
		read_expected(r, "'>' at the end of the type");
	if (unranked)
		kind = TY_UNRANKED;
	const type *t = r->failed ? type_none(r->ctx)
	                          : type_shaped(r->ctx, kind, elem, r->ints.ptr + base,
	                                        r->ints.len - base, encoding);
	r->ints.len = base;
	return t;
}

static const type *read_tuple(reader *r, type_kind kind)
{
	int base = r->type_stack.len;
	read_goto(r, r->at);
	if (r->tok != '>') {
		do {
			const type *t = read_type(r);
			vec_push(r->mem, &r->type_stack, t);
		} while (read_accept(r, ','));
	}
	if (r->tok != '>')
		read_expected(r, "'>' at the end of the type");
	const type *t =
	    type_list(r->ctx, kind, r->type_stack.ptr + base, r->type_stack.len - base, NULL, 0);
	r->type_stack.len = base;
	return t;
}

static const type *read_complex(reader *r)
{
	read_next(r);
	const type *t = type_complex(r->ctx, read_type(r));
	if (r->tok != '>')
		read_expected(r, "'>' at the end of the type");
	return t;
}

/* ---- dialect types ------------------------------------------------------------------- */

/* Keeps !dialect.name<…>, or a bracketed type, as text; the current token is its '!' or word. */
static const type *read_opaque_type(reader *r)
{
	const char *begin = r->tok_at, *end = r->at;
	if (end < r->end && *end == '<') {
		end = angle_end(r, end);
		if (!end) {
			read_fail(r, E_SYNTAX, "the type does not end");
			return type_none(r->ctx);
		}
		end++;
	}
	const type *t = type_text(r->ctx, TY_OPAQUE, (tess_str){begin, (size_t)(end - begin)});
	read_goto(r, end);
	return t;
}

static const type *read_quant_type(reader *r)
{
	reader before = *r;
	quant_info q = {0};
	quant_blocks blocks = {0};
	read_next(r);
	if (r->tok == '<' && read_quant(r, &q, &blocks)) {
		read_next(r);
		return type_quant(r->ctx, &q);
	}
	if (r->failed)
		return type_none(r->ctx);
	r->tok = before.tok;
	r->tok_at = before.tok_at;
	r->at = before.at;
	return read_opaque_type(r);
}

static const type *read_bang_type(reader *r)
{
	tess_str t = tok_text(r);
	if (str_is(t, "!stablehlo.token")) {
		read_next(r);
		return type_token(r->ctx);
	}
	if (str_is(t, "!quant.uniform"))
		return read_quant_type(r);
	if (str_is(t, "!stablehlo.future")) {
		read_next(r);
		if (r->tok != '<')
			read_expected(r, "'<' after !stablehlo.future");
		const type *future = read_tuple(r, TY_FUTURE);
		for (int i = 0; i < future->n_in && !r->failed; i++)
			if (future->in[i]->kind != TY_TENSOR)
				read_fail(r, E_TYPE_SYNTAX, "a future must contain ranked tensors");
		read_next(r);
		return future;
	}
	if (str_starts(t, "!stablehlo.") || str_starts(t, "!sdy.") || str_starts(t, "!chlo.")) {
		read_fail(r, E_TYPE_SYNTAX, "there is no type %.*s", STR_ARG(t));
		return type_none(r->ctx);
	}
	bool alias_name = !memchr(t.ptr, '.', t.len) && (r->at == r->end || *r->at != '<');
	if (alias_name) {
		const alias *a = find_alias(r, t.ptr, t.len);
		if (!a || !a->type) {
			read_fail(r, E_ALIAS, "no type alias is named %.*s", STR_ARG(t));
			return type_none(r->ctx);
		}
		if (use_alias(r, a))
			read_next(r);
		return a->type;
	}
	return read_opaque_type(r);
}

/* ---- any type --------------------------------------------------------------------------- */

static bool is_integer_type(tess_str t)
{
	size_t i = t.len > 1 && (t.ptr[0] == 's' || t.ptr[0] == 'u') ? 1 : 0;
	if (i >= t.len || t.ptr[i++] != 'i' || i >= t.len || t.ptr[i] == '0' || t.len - i > 8)
		return false;
	for (; i < t.len; i++)
		if (!type_digit(t.ptr[i]))
			return false;
	return true;
}

static bool is_wide_float_type(tess_str t)
{
	return str_is(t, "f80") || str_is(t, "f128");
}

/* f8E4M3FN is one word; in 4x8xf8E4M3FN the word is the current token. */
static const type *read_word_type(reader *r)
{
	tess_str t = tok_text(r);
	dtype dt = dtype_from_mlir(t);
	if (dt != DT_NONE) {
		read_next(r);
		return type_scalar(r->ctx, dt);
	}
	if (str_is(t, "none")) {
		read_next(r);
		return type_none(r->ctx);
	}
	if (is_integer_type(t)) {
		read_next(r);
		return type_text(r->ctx, TY_INT, t);
	}
	if (is_wide_float_type(t)) {
		read_next(r);
		return type_text(r->ctx, TY_OPAQUE, t);
	}
	read_expected(r, "a type");
	return type_none(r->ctx);
}

static const type *read_function(reader *r)
{
	int base = r->type_stack.len, n_in, n_out;
	read_function_type(r, &n_in, &n_out);
	const type *const *list = r->type_stack.ptr + base;
	const type *t = type_list(r->ctx, TY_FUNCTION, list, n_in, list + n_in, n_out);
	r->type_stack.len = base;
	return t;
}

static const type *read_bracketed(reader *r, tess_str word)
{
	switch (word.ptr[0]) {
	case 't':
		return word.ptr[1] == 'e' ? read_shaped(r, TY_TENSOR) : read_tuple(r, TY_TUPLE);
	case 'v': return read_shaped(r, TY_VECTOR);
	case 'm': return read_shaped(r, TY_MEMREF);
	default: return read_complex(r);
	}
}

static bool is_bracketed(tess_str t)
{
	return str_is(t, "tensor") || str_is(t, "complex") || str_is(t, "tuple") ||
	       str_is(t, "vector") || str_is(t, "memref");
}

/* vector<[4]xf32>, memref<*xf32>: types that no known op has. */
static bool is_kept_as_written(const reader *r)
{
	char kind = r->tok_at[0];
	const char *s = r->at;
	if ((kind != 'v' && kind != 'm') || s == r->end || *s != '<')
		return false;
	if (kind == 'm')
		return (s = type_blanks(r, s + 1)) < r->end && *s == '*';
	while (s < r->end && *s != '>' && *s != '[')
		s++;
	return s < r->end && *s == '[';
}

static const type *read_bracketed_type(reader *r)
{
	tess_str word = tok_text(r);
	if (is_kept_as_written(r))
		return read_opaque_type(r);
	read_next(r);
	if (r->tok != '<') {
		read_expected(r, "'<'");
		return type_none(r->ctx);
	}
	const char *end = angle_end(r, r->tok_at);
	uint64_t hash = 0;
	tess_str span = {word.ptr, end ? (size_t)(end + 1 - word.ptr) : 0};
	const type *t = end ? memo_find(&r->types, span, &hash) : NULL;
	if (LIKELY(t != NULL)) {
		read_goto(r, end + 1);
		return t;
	}
	t = read_bracketed(r, word);
	if (r->failed)
		return type_none(r->ctx);
	if (end && r->tok_at == end)
		memo_add(r, &r->types, span, hash, t);
	read_next(r);
	return t;
}

const type *read_type(reader *r)
{
	const type *t;
	if (!read_deeper(r))
		return type_none(r->ctx);
	if (r->tok == T_WORD)
		t = is_bracketed(tok_text(r)) ? read_bracketed_type(r) : read_word_type(r);
	else if (r->tok == T_BANG)
		t = read_bang_type(r);
	else if (r->tok == '(')
		t = read_function(r);
	else {
		read_expected(r, "a type");
		t = type_none(r->ctx);
	}
	r->depth--;
	return t;
}

bool read_type_ahead(const reader *r)
{
	tess_str t = tok_text(r);
	return r->tok == T_BANG || r->tok == '(' ||
	       (r->tok == T_WORD && (is_bracketed(t) || dtype_from_mlir(t) != DT_NONE ||
	                             is_integer_type(t) || is_wide_float_type(t) ||
	                             str_is(t, "none")));
}

static int read_type_list(reader *r)
{
	int n = 0;
	read_expect(r, '(');
	if (read_accept(r, ')'))
		return 0;
	do {
		const type *t = read_type(r);
		vec_push(r->mem, &r->type_stack, t);
		n++;
	} while (read_accept(r, ','));
	read_expect(r, ')');
	return n;
}

void read_function_type(reader *r, int *n_in, int *n_out)
{
	*n_in = read_type_list(r);
	read_expect(r, T_ARROW);
	if (r->tok == '(') {
		*n_out = read_type_list(r);
		return;
	}
	const type *t = read_type(r);
	vec_push(r->mem, &r->type_stack, t);
	*n_out = 1;
}
