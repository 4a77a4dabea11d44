/* scan.c - reading characters: blanks, words, strings, numbers, as MLIR has them. */
#include "base/scan.h"

void scan_begin(scan *s, tess_ctx *ctx, source *src, uint32_t begin)
{
	const char *text = src->text.ptr;
	*s = (scan){.ctx = ctx, .src = src, .at = text + begin, .end = text + src->text.len,
	            .last = begin};
}

static uint32_t scan_offset(const scan *s)
{
	return (uint32_t)(s->at - s->src->text.ptr);
}

static void skip_blanks(scan *s)
{
	for (; s->at < s->end; s->at++) {
		if (*s->at == ' ' || *s->at == '\n' || *s->at == '\t' || *s->at == '\r')
			continue;
		if (*s->at != '/' || s->end - s->at < 2 || s->at[1] != '/')
			return;
		while (s->at + 1 < s->end && *s->at != '\n')
			s->at++;
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

place scan_since(scan *s, uint32_t begin)
{
	return (place){s->src, begin, s->last > begin ? s->last : begin};
}

void scan_stop(scan *s)
{
	s->failed = true;
	s->end = s->at; /* everything reads as the end from here */
}

static void took(scan *s)
{
	s->last = scan_offset(s);
}

bool scan_fail(scan *s, place at, diag_code code, const char *message, tess_str text)
{
	if (!s->failed)
		diag_error(s->ctx, at, code, "%s%.*s", message, STR_ARG(text));
	scan_stop(s);
	return false;
}

static bool is_word_start(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_decimal(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_word_part(char c)
{
	return is_word_start(c) || is_decimal(c) || c == '$' || c == '.';
}

/* The end of what a reader takes for one thing, for error messages. */
static const char *thing_end(const scan *s)
{
	const char *p = s->at + 1;
	if (is_word_part(*s->at))
		while (p < s->end && is_word_part(*p))
			p++;
	return p;
}

bool scan_error(scan *s, const char *what)
{
	if (s->failed)
		return false;
	char c = scan_peek(s);
	uint32_t at = scan_offset(s);
	place here = {s->src, at, at};
	if (!c) {
		diag_error(s->ctx, here, E_SHARDING_SYNTAX, "expected %s, found the end", what);
	} else {
		tess_str found = {s->at, (size_t)(thing_end(s) - s->at)};
		here.end = at + (uint32_t)found.len;
		diag_error(s->ctx, here, E_SHARDING_SYNTAX, "expected %s, found '%.*s'", what,
		           STR_ARG(found));
	}
	scan_stop(s);
	return false;
}

bool scan_accept(scan *s, char c)
{
	if (scan_peek(s) != c || !c)
		return false;
	s->at++;
	took(s);
	return true;
}

void scan_expect(scan *s, char c)
{
	char what[] = {'\'', c, '\'', 0};
	if (!scan_accept(s, c))
		scan_error(s, what);
}

tess_str scan_word(scan *s)
{
	const char *begin = s->at;
	if (is_word_start(scan_peek(s))) {
		begin = s->at;
		while (s->at < s->end && is_word_part(*s->at))
			s->at++;
		took(s);
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

/* One character after a backslash, or two hexadecimal digits; 0 for neither. */
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
			scan_fail(s, (place){s->src, at, at + 2}, E_SHARDING_SYNTAX,
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
		scan_fail(s, (place){s->src, open, open + 1}, E_SHARDING_SYNTAX,
		          "the string that begins here does not end on its line", STR(""));
		return NULL;
	}
	const char *end = s->at++;
	took(s);
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
	if (s->at == s->end || !is_word_start(*s->at)) {
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
	int base = s->end - s->at > 2 && s->at[0] == '0' && s->at[1] == 'x' &&
	           hex_value(s->at[2]) >= 0 ? 16 : 10;
	if (base == 16)
		s->at += 2;
	for (; s->at < s->end; s->at++) {
		int digit = hex_value(*s->at);
		if (digit < 0 || digit >= base)
			break;
		fits = fits && mul_ok(value, base, &value) && add_ok(value, digit, &value);
	}
	took(s);
	if (!fits)
		scan_fail(s, scan_since(s, begin), E_SHARDING_NUMBER,
		          "this integer does not fit 63 bits", STR(""));
	return minus ? -value : value;
}
