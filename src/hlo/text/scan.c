/* scan.c - the tokens of HLO text.
 *
 * Which token is meant depends on where it stands (`b01f_01io` is a name or the labels
 * of a convolution), so the reader asks for what it expects. */
#include "hlo/text/text.h"

/* ---- blanks and errors ------------------------------------------------------- */

/* A comment that does not end is left where it stands. */
static void skip_hlo_blanks(hlo_reader *r)
{
	for (; r->at < r->end; r->at++) {
		const char *c = r->at;
		if (*c == ' ' || *c == '\t' || *c == '\n' || *c == '\r')
			continue;
		if (*c != '/' || r->end - c < 2)
			return;
		if (c[1] == '/') {
			const char *line = memchr(c, '\n', (size_t)(r->end - c));
			r->at = line ? line : r->end - 1;
		} else if (c[1] == '*') {
			for (c += 2; r->end - c >= 2 && (c[0] != '*' || c[1] != '/'); c++)
				;
			if (r->end - c < 2)
				return;
			r->at = c + 1;
		} else {
			return;
		}
	}
}

place hlo_since(const hlo_reader *r, const char *from)
{
	const char *to = r->last > from ? r->last : from;
	return (place){r->src, (uint32_t)(from - r->begin), (uint32_t)(to - r->begin)};
}

place hlo_here(hlo_reader *r)
{
	skip_hlo_blanks(r);
	const char *to = r->at;
	while (to < r->end && to - r->at < 40 && !strchr(" \t\r\n,(){}=", *to))
		to++;
	uint32_t at = (uint32_t)(r->at - r->begin);
	return (place){r->src, at, at + (uint32_t)(to - r->at) + (to == r->at && to < r->end)};
}

void hlo_fail(hlo_reader *r, place at, diag_code code, const char *fmt, ...)
{
	char text[400];
	va_list ap;
	if (!r->failed) {
		va_start(ap, fmt);
		vsnprintf(text, sizeof text, fmt, ap);
		va_end(ap);
		diag_error(r->ctx, at, code, "%s", text);
	}
	r->failed = true;
	r->at = r->end;
}

void hlo_unexpected(hlo_reader *r, const char *wanted)
{
	if (r->failed)
		return;
	place at = hlo_here(r);
	unsigned char c = r->at < r->end ? (unsigned char)*r->at : 0;
	if (r->at == r->end)
		hlo_fail(r, at, E_HLO_SYNTAX, "expected %s, found the end of the text", wanted);
	else if (c < 0x20 || c >= 0x7F)
		hlo_fail(r, at, E_HLO_SYNTAX, "expected %s, found byte 0x%02x", wanted, c);
	else
		hlo_fail(r, at, E_HLO_SYNTAX, "expected %s, found '%.*s'", wanted,
		         (int)(at.end - at.begin), r->at);
}

int hlo_peek(hlo_reader *r)
{
	skip_hlo_blanks(r);
	return r->at < r->end ? (unsigned char)*r->at : -1;
}

/* ---- tokens -------------------------------------------------------------------- */

bool hlo_accept(hlo_reader *r, const char *token)
{
	size_t n = strlen(token);
	skip_hlo_blanks(r);
	if ((size_t)(r->end - r->at) < n || memcmp(r->at, token, n) != 0)
		return false;
	r->at += n;
	r->last = r->at;
	return true;
}

void hlo_expect(hlo_reader *r, const char *token)
{
	char wanted[16];
	snprintf(wanted, sizeof wanted, "'%s'", token);
	if (!hlo_accept(r, token))
		hlo_unexpected(r, wanted);
}

static bool is_name_char(int c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || c == '.' || c == '-';
}

/* "->" ends a word. */
tess_str hlo_word(hlo_reader *r)
{
	skip_hlo_blanks(r);
	const char *from = r->at;
	while (r->at < r->end && is_name_char((unsigned char)*r->at) &&
	       (*r->at != '-' || r->end - r->at < 2 || r->at[1] != '>'))
		r->at++;
	if (r->at > from)
		r->last = r->at;
	return (tess_str){from, (size_t)(r->at - from)};
}

bool hlo_accept_word(hlo_reader *r, const char *word)
{
	const char *from, *last = r->last;
	skip_hlo_blanks(r);
	from = r->at;
	if (str_is(hlo_word(r), word))
		return true;
	r->at = from;
	r->last = last;
	return false;
}

tess_str hlo_name(hlo_reader *r)
{
	hlo_accept(r, "%");
	skip_hlo_blanks(r);
	if (r->at < r->end && (*r->at == '-' || *r->at == '.' || (*r->at >= '0' && *r->at <= '9')))
		hlo_unexpected(r, "a name");
	tess_str s = hlo_word(r);
	if (!s.len)
		hlo_unexpected(r, "a name");
	return s;
}

int64_t hlo_integer(hlo_reader *r)
{
	bool minus = hlo_accept(r, "-"), fits = true;
	int64_t v = 0;
	const char *from;
	skip_hlo_blanks(r);
	from = r->at;
	for (; r->at < r->end && *r->at >= '0' && *r->at <= '9'; r->at++)
		fits = fits && mul_ok(v, 10, &v) && add_ok(v, *r->at - '0', &v);
	if (r->at == from) {
		hlo_unexpected(r, "an integer");
		return 0;
	}
	r->last = r->at;
	if (!fits)
		hlo_fail(r, hlo_since(r, from), E_HLO_NUMBER,
		         "an integer that does not fit 63 bits");
	return minus ? -v : v;
}

/* ---- strings ---------------------------------------------------------------------- */

static int octal_digits(const char *p, const char *end, char *out)
{
	int n = 0, v = 0;
	while (n < 3 && p + n < end && p[n] >= '0' && p[n] <= '7')
		v = v * 8 + (p[n++] - '0');
	*out = (char)v;
	return n;
}

static int hex_digit_value(char c)
{
	return c >= '0' && c <= '9'                 ? c - '0'
	       : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10
	                                            : -1;
}

/* What follows a backslash; how many characters it took, 0 if it is no escape. */
static int c_escape(const char *p, const char *end, char *out)
{
	static const char from[] = "ntr\"'\\?abfv", to[] = "\n\t\r\"'\\?\a\b\f\v";
	if (p == end)
		return 0;
	const char *simple = *p ? strchr(from, *p) : NULL;
	if (simple) {
		*out = to[simple - from];
		return 1;
	}
	if (*p == 'x' && end - p >= 2 && hex_digit_value(p[1]) >= 0) {
		int second = end - p >= 3 ? hex_digit_value(p[2]) : -1;
		*out = (char)(second < 0 ? hex_digit_value(p[1])
		                         : hex_digit_value(p[1]) * 16 + second);
		return second < 0 ? 2 : 3;
	}
	return octal_digits(p, end, out);
}

tess_str hlo_string(hlo_reader *r)
{
	if (hlo_peek(r) != '"') {
		hlo_unexpected(r, "a string");
		return (tess_str){"", 0};
	}
	const char *from = r->at, *close = from + 1;
	while (close < r->end && *close != '"')
		close += *close == '\\' ? 2 : 1;
	if (close >= r->end) {
		hlo_unexpected(r, "a string with a quote at its end");
		return (tess_str){"", 0};
	}
	char *out = arena_alloc(r->mem, (size_t)(close - from));
	size_t n = 0;
	for (const char *p = from + 1; p < close;) {
		if (*p != '\\') {
			out[n++] = *p++;
			continue;
		}
		int took = c_escape(p + 1, close, &out[n++]);
		if (!took) {
			uint32_t at = (uint32_t)(p - r->begin);
			hlo_fail(r, (place){r->src, at, at + 2}, E_HLO_SYNTAX,
			         "no such escape in a string");
			return (tess_str){"", 0};
		}
		p += 1 + took;
	}
	r->at = close + 1;
	r->last = r->at;
	return (tess_str){out, n};
}

void hlo_put_quoted(writer *w, tess_str s)
{
	put_c(w, '"');
	for (size_t i = 0; i < s.len; i++) {
		unsigned char c = (unsigned char)s.ptr[i];
		switch (c) {
		case '\n': put_lit(w, "\\n"); break;
		case '\r': put_lit(w, "\\r"); break;
		case '\t': put_lit(w, "\\t"); break;
		case '"': put_lit(w, "\\\""); break;
		case '\'': put_lit(w, "\\'"); break;
		case '\\': put_lit(w, "\\\\"); break;
		default:
			if (c >= 0x20 && c < 0x7F)
				put_c(w, (char)c);
			else
				put_f(w, "\\%03o", c);
		}
	}
	put_c(w, '"');
}

/* ---- braces ------------------------------------------------------------------------- */

/* The end of the string that begins at `p`. */
static const char *string_end(const char *p, const char *end)
{
	for (p++; p < end && *p != '"'; p++)
		p += *p == '\\' && p + 1 < end;
	return p < end ? p + 1 : end;
}

tess_str hlo_braces(hlo_reader *r)
{
	writer w;
	int depth = 0;
	writer_init(&w, r->mem);
	if (hlo_peek(r) != '{') {
		hlo_unexpected(r, "'{'");
		return (tess_str){"{}", 2};
	}
	const char *p = r->at;
	do {
		if (*p == '"') {
			const char *to = string_end(p, r->end);
			put_mem(&w, p, (size_t)(to - p));
			p = to;
			continue;
		}
		depth += (*p == '{') - (*p == '}');
		bool blank = *p == '\n' || *p == '\r' || *p == '\t' || *p == ' ';
		if (!blank || w.ptr[w.len - 1] != ' ')
			put_c(&w, blank ? ' ' : *p);
		p++;
	} while (depth > 0 && p < r->end);
	r->at = p;
	r->last = p;
	if (depth > 0)
		hlo_unexpected(r, "'}'");
	return writer_str(&w);
}

bool hlo_is_text(tess_ctx *ctx, tess_str text)
{
	hlo_reader r = {.ctx = ctx, .begin = text.ptr, .at = text.ptr, .last = text.ptr,
	                .end = text.ptr + text.len};
	return hlo_accept_word(&r, "HloModule");
}

bool hlo_at_shape(hlo_reader *r)
{
	if (hlo_peek(r) == '(')
		return true;
	const char *from = r->at, *last = r->last;
	tess_str w = hlo_word(r);
	int next = hlo_peek(r);
	bool named = next == '[' &&
	             (dtype_from_hlo(w) || str_is(w, "token") || str_is(w, "opaque"));
	r->at = from;
	r->last = last;
	return named || (next == '(' && str_is(w, "b"));
}

const shape *hlo_read_shape(hlo_reader *r)
{
	hlo_peek(r);
	uint32_t at = (uint32_t)(r->at - r->begin);
	const shape *s = r->failed ? NULL : shape_parse_at(r->ctx, r->src, &at);
	if (!s) {
		if (!r->failed && r->at == r->end)
			hlo_unexpected(r, "a shape");
		r->failed = true;
		r->at = r->end;
		return NULL;
	}
	r->at = r->last = r->begin + at;
	return s;
}
