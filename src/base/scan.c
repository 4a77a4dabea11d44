/* scan.c - reads characters: blanks, words, strings, numbers. */
#include "base/scan.h"

static const scan_rules mlir_rules = {.syntax = E_SHARDING_SYNTAX, .number = E_SHARDING_NUMBER,
                                      .in_words = "$.", .hexadecimal = true};

void scan_begin(scan *s, tess_ctx *ctx, source *src, uint32_t begin)
{
	const char *text = src->text.ptr;
	*s = (scan){.ctx = ctx, .src = src, .rules = &mlir_rules, .at = text + begin,
	            .end = text + src->text.len, .last = begin};
}

void scan_go(scan *s, uint32_t at)
{
	s->at = s->src->text.ptr + at;
	s->last = at;
}

/* Returns the last character of the comment that starts here; NULL: no comment, or no end. */
static const char *comment_end(const scan *s)
{
	const char *p = s->at;
	if (s->end - p < 2 || *p != '/')
		return NULL;
	if (p[1] == '/') {
		const char *line = memchr(p, '\n', (size_t)(s->end - p));
		return line ? line : s->end - 1;
	}
	if (p[1] != '*' || !s->rules->block_comments)
		return NULL;
	for (p += 2; s->end - p >= 2; p++)
		if (p[0] == '*' && p[1] == '/')
			return p + 1;
	return NULL;
}

static void skip_blanks(scan *s)
{
	for (; s->at < s->end; s->at++) {
		if (*s->at == ' ' || *s->at == '\n' || *s->at == '\t' || *s->at == '\r')
			continue;
		const char *end = comment_end(s);
		if (!end)
			return;
		s->at = end;
	}
}

char scan_peek(scan *s)
{
	skip_blanks(s);
	return s->at < s->end ? *s->at : 0;
}

uint32_t scan_here(scan *s)
{
	skip_blanks(s);
	return scan_offset(s);
}

place scan_since(const scan *s, uint32_t begin)
{
	return (place){s->src, begin, s->last > begin ? s->last : begin};
}

void scan_stop(scan *s)
{
	s->failed = true;
	s->end = s->at; /* from here on everything reads as the end */
}

bool scan_fail(scan *s, place at, diag_code code, const char *message, tess_str text)
{
	if (!s->failed)
		diag_error(s->ctx, at, code, "%s%.*s", message, STR_ARG(text));
	scan_stop(s);
	return false;
}

static bool is_decimal(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_word_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool in_word(const scan *s, const char *p)
{
	if (is_word_letter(*p) || is_decimal(*p))
		return true;
	return *p && strchr(s->rules->in_words, *p) &&
	       (*p != '-' || s->end - p < 2 || p[1] != '>');
}

static bool starts_word(const scan *s, const char *p)
{
	return is_word_letter(*p) || (s->rules->words_start_anyhow && in_word(s, p));
}

place scan_next(scan *s)
{
	skip_blanks(s);
	const char *p = s->at;
	while (p < s->end && in_word(s, p))
		p++;
	p += p == s->at && p < s->end;
	return (place){s->src, scan_offset(s), (uint32_t)(p - s->src->text.ptr)};
}

bool scan_error(scan *s, const char *what)
{
	if (s->failed)
		return false;
	place here = scan_next(s);
	unsigned char c = s->at < s->end ? (unsigned char)*s->at : 0;
	if (s->at == s->end)
		diag_error(s->ctx, here, s->rules->syntax, "expected %s, found the end of the text",
		           what);
	else if (c < 0x20 || c >= 0x7F)
		diag_error(s->ctx, here, s->rules->syntax, "expected %s, found byte 0x%02x", what,
		           c);
	else
		diag_error(s->ctx, here, s->rules->syntax, "expected %s, found '%.*s'", what,
		           (int)min_i64(here.end - here.begin, 40), s->at);
	scan_stop(s);
	return false;
}

bool scan_accept(scan *s, char c)
{
	if (scan_peek(s) != c || !c)
		return false;
	s->at++;
	scan_took(s);
	return true;
}

void scan_expect(scan *s, char c)
{
	char what[] = {'\'', c, '\'', 0};
	if (!scan_accept(s, c))
		scan_error(s, what);
}

bool scan_accept_text(scan *s, const char *token)
{
	size_t n = strlen(token);
	skip_blanks(s);
	if ((size_t)(s->end - s->at) < n || memcmp(s->at, token, n) != 0)
		return false;
	s->at += n;
	scan_took(s);
	return true;
}

void scan_expect_text(scan *s, const char *token)
{
	char wanted[16];
	snprintf(wanted, sizeof wanted, "'%s'", token);
	if (!scan_accept_text(s, token))
		scan_error(s, wanted);
}

tess_str scan_word(scan *s)
{
	skip_blanks(s);
	const char *begin = s->at;
	if (s->at < s->end && starts_word(s, s->at)) {
		while (s->at < s->end && in_word(s, s->at))
			s->at++;
		scan_took(s);
	}
	return (tess_str){begin, (size_t)(s->at - begin)};
}

bool scan_accept_word(scan *s, const char *word)
{
	scan before = *s;
	tess_str w = scan_word(s);
	if (w.len && str_is(w, word))
		return true;
	*s = before;
	return false;
}

/* ---- strings ------------------------------------------------------------- */

static int hex_value(char c)
{
	if (is_decimal(c))
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Decodes one character after a backslash, or two hexadecimal digits; returns 0 for neither. */
static int escape_length(const char *p, const char *end, char *out)
{
	static const char from[] = "\"\\nt", to[] = "\"\\\n\t";
	const char *simple = p < end && *p ? strchr(from, *p) : NULL;
	if (simple) {
		*out = to[simple - from];
		return 1;
	}
	if (end - p < 2 || hex_value(p[0]) < 0 || hex_value(p[1]) < 0)
		return 0;
	*out = (char)(hex_value(p[0]) << 4 | hex_value(p[1]));
	return 2;
}

static const name *unescape(scan *s, const char *p, const char *end)
{
	arena_mark mark = arena_here(&s->ctx->scratch);
	char *buf = arena_alloc(&s->ctx->scratch, (size_t)(end - p));
	size_t n = 0;
	while (p < end) {
		if (*p != '\\') {
			buf[n++] = *p++;
			continue;
		}
		int took_chars = escape_length(p + 1, end, &buf[n++]);
		if (!took_chars) {
			uint32_t at = (uint32_t)(p - s->src->text.ptr);
			scan_fail(s, (place){s->src, at, at + 2}, s->rules->syntax,
			          "strings do not have this escape", STR(""));
			return NULL;
		}
		p += 1 + took_chars;
	}
	const name *out = name_of(s->ctx, (tess_str){buf, n});
	arena_back(&s->ctx->scratch, mark);
	return out;
}

const name *scan_string(scan *s, const char *what)
{
	if (scan_peek(s) != '"') {
		scan_error(s, what);
		return NULL;
	}
	uint32_t open = scan_offset(s);
	const char *begin = ++s->at;
	bool escapes = false;
	for (; s->at < s->end && *s->at != '"' && *s->at != '\n'; s->at++)
		if (*s->at == '\\' && s->end - s->at > 1) {
			escapes = true;
			s->at++;
		}
	if (s->at == s->end || *s->at != '"') {
		scan_fail(s, (place){s->src, open, open + 1}, s->rules->syntax,
		          "the string that begins here does not end on its line", STR(""));
		return NULL;
	}
	const char *end = s->at++;
	scan_took(s);
	if (escapes)
		return unescape(s, begin, end);
	return name_of(s->ctx, (tess_str){begin, (size_t)(end - begin)});
}

const name *scan_symbol(scan *s)
{
	if (scan_peek(s) != '@') {
		scan_error(s, "a mesh: @name or mesh<…>");
		return NULL;
	}
	s->at++;
	if (s->at < s->end && *s->at == '"')
		return scan_string(s, "a string");
	if (s->at == s->end || !is_word_letter(*s->at)) {
		scan_error(s, "a name after '@'");
		return NULL;
	}
	return name_of(s->ctx, scan_word(s));
}

/* ---- numbers ------------------------------------------------------------- */

int64_t scan_integer(scan *s)
{
	uint32_t begin = scan_here(s);
	bool minus = scan_accept(s, '-'), fits = true;
	int64_t value = 0;
	if (!is_decimal(scan_peek(s))) {
		scan_error(s, "an integer");
		return 0;
	}
	int base = s->rules->hexadecimal && s->end - s->at > 2 && s->at[0] == '0' &&
	           s->at[1] == 'x' && hex_value(s->at[2]) >= 0 ? 16 : 10;
	if (base == 16)
		s->at += 2;
	for (; s->at < s->end; s->at++) {
		int digit = hex_value(*s->at);
		if (digit < 0 || digit >= base)
			break;
		fits = fits && mul_ok(value, base, &value) && add_ok(value, digit, &value);
	}
	scan_took(s);
	if (!fits)
		scan_fail(s, scan_since(s, begin), s->rules->number,
		          "this integer does not fit 63 bits", STR(""));
	return minus ? -value : value;
}
