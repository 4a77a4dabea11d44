/* lex.c - the tokens of MLIR text. */
#include "mlir/read/read.h"

enum { C_LETTER = 1, C_DIGIT = 2, C_IDENT = 4, C_SUFFIX = 8, C_SPACE = 16, C_HEX = 32 };

#define LETTER (C_LETTER | C_IDENT | C_SUFFIX)
#define HEX_LETTER (LETTER | C_HEX)
#define DIGIT (C_DIGIT | C_IDENT | C_SUFFIX | C_HEX)
#define DIGITS10(f) f, f, f, f, f, f, f, f, f, f

static const unsigned char char_class[256] = {
    ['\t'] = C_SPACE,
    ['\n'] = C_SPACE,
    ['\r'] = C_SPACE,
    [' '] = C_SPACE,
    ['0'] = DIGITS10(DIGIT),
    ['A'] = HEX_LETTER, HEX_LETTER, HEX_LETTER, HEX_LETTER, HEX_LETTER, HEX_LETTER,
    ['G'] = DIGITS10(LETTER), DIGITS10(LETTER),
    ['a'] = HEX_LETTER, HEX_LETTER, HEX_LETTER, HEX_LETTER, HEX_LETTER, HEX_LETTER,
    ['g'] = DIGITS10(LETTER), DIGITS10(LETTER),
    ['_'] = LETTER,
    ['$'] = C_IDENT | C_SUFFIX,
    ['.'] = C_IDENT | C_SUFFIX,
    ['-'] = C_SUFFIX,
};

static inline bool in_class(char c, unsigned classes)
{
	return char_class[(unsigned char)c] & classes;
}

void read_begin(reader *r, tess_ctx *ctx, source *src, const mlir_parse_opts *opts)
{
	static const mlir_parse_opts no_opts = {0};
	*r = (reader){.ctx = ctx, .src = src, .mem = &ctx->scratch, .opts = opts ? opts : &no_opts};
	r->text = r->at = r->tok_at = src->text.ptr;
	r->end = r->text + src->text.len;
	r->stretch = r->text;
	/* Marks are offsets into these stacks, so the stacks must have memory even if they are
	 * never used. */
	vec_reserve(r->mem, &r->operands, 1);
	vec_reserve(r->mem, &r->operand_at, 1);
	vec_reserve(r->mem, &r->type_stack, 1);
	vec_reserve(r->mem, &r->attr_stack, 1);
	vec_reserve(r->mem, &r->region_stack, 1);
	vec_reserve(r->mem, &r->sharding_stack, 1);
	vec_reserve(r->mem, &r->ints, 1);
	vec_reserve(r->mem, &r->result_names, 1);
	const char *zero = src->text.len ? memchr(r->text, 0, src->text.len) : NULL;
	if (src->text.len > UINT32_MAX) {
		read_fail_at(r, NOWHERE, E_LIMIT, "the text is larger than 4 GB");
	} else if (zero) { /* it would cut off text that is kept as written */
		uint32_t at = (uint32_t)(zero - r->text);
		read_fail_at(r, (place){src, at, at + 1}, E_SYNTAX, "there is a byte 0x00 in the text");
	} else {
		read_next(r);
	}
}

/* ---- errors ----------------------------------------------------------------------- */

void read_stop(reader *r)
{
	r->failed = true;
	r->tok = T_END;
	r->tok_at = r->at = r->end;
}

bool read_fail_at(reader *r, place at, diag_code code, const char *fmt, ...)
{
	if (r->failed)
		return false;
	va_list ap;
	va_start(ap, fmt);
	char buf[400];
	vsnprintf(buf, sizeof buf, fmt, ap);
	va_end(ap);
	diag_error(r->ctx, at, code, "%s", buf);
	read_stop(r);
	return false;
}

/* Returns where something is missing: at the token found instead or, if that is on a later line,
 * after the token before it. */
static place missed_at(const reader *r)
{
	const char *before = r->text + r->last_end;
	if (r->last_end && memchr(before, '\n', (size_t)(r->tok_at - before)))
		return (place){r->src, r->last_end, r->last_end + 1};
	return tok_place(r);
}

bool read_expected(reader *r, const char *what)
{
	tess_str t = tok_text(r);
	if (r->failed)
		return false;
	if (r->tok == T_END)
		return read_fail_at(r, missed_at(r), E_SYNTAX,
		                    "expected %s, found the end of the text", what);
	return read_fail_at(r, missed_at(r), E_SYNTAX, "expected %s, found '%.*s'", what,
	                    (int)(t.len < 40 ? t.len : 40), t.ptr);
}

bool read_deeper(reader *r)
{
	if (r->depth < (int)r->ctx->opts.max_depth) {
		r->depth++;
		r->parts++;
		if (r->depth > r->deepest)
			r->deepest = r->depth;
		return true;
	}
	return read_fail(r, E_LIMIT, "this is nested more than %u deep", r->ctx->opts.max_depth);
}

/* ---- the lexer ---------------------------------------------------------------------- */

const char *skip_blanks(const char *s, const char *end)
{
	for (;;) {
		while (s < end && in_class(*s, C_SPACE))
			s++;
		if (end - s < 2 || s[0] != '/' || s[1] != '/')
			return s;
		s = memchr(s, '\n', (size_t)(end - s));
		if (!s)
			return end;
	}
}

static const char *skip_class(const char *s, const char *end, unsigned classes)
{
	while (s < end && in_class(*s, classes))
		s++;
	return s;
}

/* Called after the opening quote; returns the position after the closing one, or NULL. */
static const char *skip_string(const char *s, const char *end)
{
	for (; s < end; s++) {
		if (*s == '"')
			return s + 1;
		if (*s == '\n')
			return NULL;
		if (*s == '\\' && ++s == end)
			return NULL;
	}
	return NULL;
}

static int lex_string(reader *r, const char *s)
{
	const char *after = skip_string(s + 1, r->end);
	if (!after) {
		r->at = r->tok_at + 1;
		read_fail(r, E_SYNTAX, "the string does not end on its line");
		return T_END;
	}
	r->at = after;
	return T_STRING;
}

/* Lexes 12, 0x1F, 1.5e-3. "0x" without digits after it is a 0 and a word. */
static int lex_number(reader *r, const char *s)
{
	const char *end = r->end;
	if (*s == '0' && end - s > 2 && s[1] == 'x' && in_class(s[2], C_HEX)) {
		r->at = skip_class(s + 2, end, C_HEX);
		return T_HEX;
	}
	s = skip_class(s, end, C_DIGIT);
	if (s == end || *s != '.') {
		r->at = s;
		return T_INT;
	}
	s = skip_class(s + 1, end, C_DIGIT);
	if (s < end && (*s == 'e' || *s == 'E')) {
		const char *e = s + 1;
		if (e < end && (*e == '+' || *e == '-'))
			e++;
		if (e < end && in_class(*e, C_DIGIT))
			s = skip_class(e, end, C_DIGIT);
	}
	r->at = s;
	return T_FLOAT;
}

/* After the sigil: digits, or a letter and further identifier characters. */
static int lex_suffix(reader *r, const char *s, int tok)
{
	const char *from = ++s;
	if (s < r->end && in_class(*s, C_DIGIT))
		s = skip_class(s, r->end, C_DIGIT);
	else if (s < r->end && in_class(*s, C_SUFFIX))
		s = skip_class(s, r->end, C_SUFFIX);
	r->at = s;
	if (s == from) {
		r->at = s < r->end ? s + 1 : s;
		read_fail(r, E_SYNTAX, "expected a name after '%c'", from[-1]);
		return T_END;
	}
	return tok;
}

static int lex_symbol(reader *r, const char *s)
{
	if (s + 1 < r->end && s[1] == '"')
		return lex_string(r, s + 1) == T_STRING ? T_SYMBOL : T_END;
	return lex_suffix(r, s, T_SYMBOL);
}

static int lex_two(reader *r, const char *s, char second, int tok)
{
	bool two = s + 1 < r->end && s[1] == second;
	r->at = s + 1 + two;
	return two ? tok : (unsigned char)*s;
}

static int lex_brace(reader *r, const char *s)
{
	bool resources = r->end - s > 2 && s[1] == '-' && s[2] == '#';
	r->at = s + (resources ? 3 : 1);
	return resources ? T_RESOURCES : '{';
}

static int lex_hash(reader *r, const char *s)
{
	if (r->end - s > 2 && s[1] == '-' && s[2] == '}') {
		r->at = s + 3;
		return T_RESOURCES_END;
	}
	return lex_suffix(r, s, T_HASH);
}

static int lex_dots(reader *r, const char *s)
{
	if (r->end - s > 2 && s[1] == '.' && s[2] == '.') {
		r->at = s + 3;
		return T_ELLIPSIS;
	}
	r->at = s + 1;
	return '.';
}

static int lex_token(reader *r, const char *s)
{
	if (in_class(*s, C_LETTER)) {
		r->at = skip_class(s + 1, r->end, C_IDENT);
		return T_WORD;
	}
	if (in_class(*s, C_DIGIT))
		return lex_number(r, s);
	switch (*s) {
	case '%': return lex_suffix(r, s, T_VALUE);
	case '"': return lex_string(r, s);
	case '@': return lex_symbol(r, s);
	case '!': return lex_suffix(r, s, T_BANG);
	case '#': return lex_hash(r, s);
	case '^': return lex_suffix(r, s, T_CARET);
	case '-': return lex_two(r, s, '>', T_ARROW);
	case ':': return lex_two(r, s, ':', T_COLON2);
	case '{': return lex_brace(r, s);
	case '.': return lex_dots(r, s);
	case ',': case '=': case '(': case ')': case '[': case ']': case '}': case '<': case '>':
	case '?': case '*': case '+': case '|': case '/':
		r->at = s + 1;
		return *s;
	default:
		break;
	}
	r->at = s + 1;
	read_fail(r, E_SYNTAX, "this character does not belong here");
	return T_END;
}

void read_next(reader *r)
{
	if (r->failed)
		return;
	r->last_end = (uint32_t)(r->at - r->text);
	const char *s = skip_blanks(r->at, r->end);
	r->tok_at = s;
	if (s == r->end) {
		r->at = s;
		r->tok = T_END;
		return;
	}
	r->tok = lex_token(r, s);
}

/* ---- literals and names --------------------------------------------------------------------- */

static const char *token_words(int tok)
{
	switch (tok) {
	case T_WORD: return "a word";
	case T_INT: return "an integer";
	case T_STRING: return "a string";
	case T_VALUE: return "a value";
	case T_SYMBOL: return "a symbol";
	case T_ARROW: return "'->'";
	case T_RESOURCES_END: return "'#-}'";
	default: return "another token";
	}
}

bool read_expect(reader *r, int tok)
{
	if (LIKELY(r->tok == tok)) {
		read_next(r);
		return true;
	}
	if (tok >= T_WORD)
		return read_expected(r, token_words(tok));
	char what[] = {'\'', (char)tok, '\'', 0};
	return read_expected(r, what);
}

bool tok_is(const reader *r, const char *word)
{
	return r->tok == T_WORD && str_is(tok_text(r), word);
}

bool read_accept_word(reader *r, const char *word)
{
	if (!tok_is(r, word))
		return false;
	read_next(r);
	return true;
}

static bool expected_word(reader *r, tess_str word)
{
	char what[64];
	snprintf(what, sizeof what, "'%.*s'", (int)word.len, word.ptr);
	return read_expected(r, what);
}

bool read_expect_word(reader *r, const char *word)
{
	return read_accept_word(r, word) || expected_word(r, str_of(word));
}

void read_literal(reader *r, const char *text)
{
	while (*text && !r->failed) {
		if (*text == ' ') {
			text++;
		} else if (in_class(*text, C_LETTER)) {
			size_t n = 1;
			while (in_class(text[n], C_IDENT))
				n++;
			if (r->tok == T_WORD && str_eq(tok_text(r), (tess_str){text, n}))
				read_next(r);
			else
				expected_word(r, (tess_str){text, n});
			text += n;
		} else if (text[0] == '-' && text[1] == '>') {
			read_expect(r, T_ARROW);
			text += 2;
		} else {
			read_expect(r, (unsigned char)*text++);
		}
	}
}

static int lex_digit(char c)
{
	return c <= '9' ? c - '0' : (c | 32) - 'a' + 10;
}

int64_t read_int(reader *r)
{
	bool minus = read_accept(r, '-');
	if (r->tok != T_INT && r->tok != T_HEX) {
		read_expected(r, "an integer");
		return 0;
	}
	tess_str t = tok_text(r);
	int base = r->tok == T_HEX ? 16 : 10;
	uint64_t v = 0;
	bool fits = true;
	for (size_t i = base == 16 ? 2 : 0; i < t.len; i++) {
		fits &= !__builtin_mul_overflow(v, (uint64_t)base, &v);
		fits &= !__builtin_add_overflow(v, (uint64_t)lex_digit(t.ptr[i]), &v);
	}
	if (!fits || v > (uint64_t)INT64_MAX + minus) {
		read_fail(r, E_NUMBER, "the number does not fit in 64 bits");
		return 0;
	}
	read_next(r);
	return minus ? (int64_t)(0 - v) : (int64_t)v;
}

static tess_str lex_unescape(reader *r, const char *s, const char *end)
{
	if (!memchr(s, '\\', (size_t)(end - s)))
		return (tess_str){s, (size_t)(end - s)};
	char *buf = arena_alloc(r->mem, (size_t)(end - s)), *out = buf;
	while (s < end) {
		if (*s != '\\') {
			*out++ = *s++;
		} else if (end - s > 2 && in_class(s[1], C_HEX) && in_class(s[2], C_HEX)) {
			*out++ = (char)(lex_digit(s[1]) * 16 + lex_digit(s[2]));
			s += 3;
		} else if (end - s > 1 && strchr("\"\\nt", s[1])) {
			*out++ = s[1] == 'n' ? '\n' : s[1] == 't' ? '\t' : s[1];
			s += 2;
		} else {
			read_fail(r, E_SYNTAX, "unknown escape in a string");
			break;
		}
	}
	return (tess_str){buf, (size_t)(out - buf)};
}

tess_str read_string(reader *r)
{
	if (r->tok != T_STRING) {
		read_expected(r, "a string");
		return (tess_str){"", 0};
	}
	tess_str s = lex_unescape(r, r->tok_at + 1, r->at - 1);
	read_next(r);
	return s;
}

const name *read_symbol(reader *r)
{
	if (r->tok != T_SYMBOL) {
		read_expected(r, "a symbol, @name");
		return name_known(r->ctx, N_empty);
	}
	const char *s = r->tok_at + 1;
	tess_str text = {s, (size_t)(r->at - s)};
	if (*s == '"')
		text = lex_unescape(r, s + 1, r->at - 1);
	const name *n = name_of(r->ctx, text);
	read_next(r);
	return n;
}

const char *angle_end(const reader *r, const char *open)
{
	int depth = 0;
	for (const char *s = open; s < r->end; s++) {
		switch (*s) {
		case '<':
			depth++;
			break;
		case '>':
			if (s[-1] != '-' && --depth == 0)
				return s;
			break;
		case '"':
			s = skip_string(s + 1, r->end);
			if (!s)
				return NULL;
			s--;
			break;
		default:
			break;
		}
	}
	return NULL;
}

/* ---- the memo ------------------------------------------------------------------------------- */

static struct span_slot *memo_slot(const span_memo *m, tess_str span, uint64_t hash)
{
	for (uint32_t i = (uint32_t)hash & (m->cap - 1);; i = (i + 1) & (m->cap - 1)) {
		struct span_slot *s = &m->slots[i];
		if (!s->obj || (s->hash == hash && s->len == span.len &&
		                !memcmp(s->ptr, span.ptr, span.len)))
			return s;
	}
}

const void *memo_find(const span_memo *m, tess_str span, uint64_t *hash)
{
	*hash = hash_bytes(span.ptr, span.len, 7);
	return m->cap ? memo_slot(m, span, *hash)->obj : NULL;
}

void memo_add(reader *r, span_memo *m, tess_str span, uint64_t hash, const void *obj)
{
	if (m->len * 2 >= m->cap) {
		span_memo old = *m;
		uint32_t cap = old.cap ? old.cap * 2 : r->built ? 16 : 256;
		*m = (span_memo){NEW_N(r->mem, struct span_slot, cap), old.len, cap};
		for (uint32_t i = 0; i < old.cap; i++) {
			struct span_slot *s = &old.slots[i];
			if (s->obj)
				*memo_slot(m, (tess_str){s->ptr, s->len}, s->hash) = *s;
		}
	}
	*memo_slot(m, span, hash) = (struct span_slot){hash, span.ptr, obj, (uint32_t)span.len};
	m->len++;
}

const name *read_word_name(reader *r, tess_str word)
{
	uint64_t hash;
	const name *n = memo_find(&r->words, word, &hash);
	if (LIKELY(n != NULL))
		return n;
	n = name_of(r->ctx, word);
	memo_add(r, &r->words, word, hash, n);
	return n;
}
