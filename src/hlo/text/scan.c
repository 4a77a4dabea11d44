/* scan.c - the tokens of HLO text.
 *
 * What a token is depends on the context (`b01f_01io` is a name, or the labels of a convolution),
 * so the parser asks for what it expects. */
#include "hlo/text/text.h"

/* ---- names and errors ---------------------------------------------------------- */

static const scan_rules hlo_rules = {.syntax = E_HLO_SYNTAX, .number = E_HLO_NUMBER,
                                     .in_words = ".-", .words_start_anyhow = true,
                                     .block_comments = true};

hlo_reader hlo_reader_of(tess_ctx *ctx, source *src)
{
	hlo_reader r = {.ctx = ctx, .mem = &ctx->scratch};
	scan_begin(&r.s, ctx, src, 0);
	r.s.rules = &hlo_rules;
	return r;
}

place hlo_since(const hlo_reader *r, const char *from)
{
	return scan_since(&r->s, (uint32_t)(from - r->s.src->text.ptr));
}

void hlo_fail(hlo_reader *r, place at, diag_code code, const char *fmt, ...)
{
	char text[400];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	scan_fail(&r->s, at, code, text, STR(""));
}

void hlo_unexpected(hlo_reader *r, const char *wanted) { scan_error(&r->s, wanted); }

tess_str hlo_name(hlo_reader *r)
{
	hlo_accept(r, "%");
	char c = scan_peek(&r->s);
	if (c == '-' || c == '.' || (c >= '0' && c <= '9'))
		hlo_unexpected(r, "a name");
	tess_str s = hlo_word(r);
	if (!s.len)
		hlo_unexpected(r, "a name");
	return s;
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

/* Decodes what follows a backslash; returns the number of characters, 0 if it is not an escape. */
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
	const char *from = r->s.at, *close = from + 1;
	while (close < r->s.end && *close != '"')
		close += *close == '\\' ? 2 : 1;
	if (close >= r->s.end) {
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
			uint32_t at = (uint32_t)(p - r->s.src->text.ptr);
			hlo_fail(r, (place){r->s.src, at, at + 2}, E_HLO_SYNTAX,
			         "strings do not have this escape");
			return (tess_str){"", 0};
		}
		p += 1 + took;
	}
	r->s.at = close + 1;
	scan_took(&r->s);
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

/* Returns the end of the string that starts at `p`. */
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
	const char *p = r->s.at;
	do {
		if (*p == '"') {
			const char *to = string_end(p, r->s.end);
			put_mem(&w, p, (size_t)(to - p));
			p = to;
			continue;
		}
		depth += (*p == '{') - (*p == '}');
		bool blank = *p == '\n' || *p == '\r' || *p == '\t' || *p == ' ';
		if (!blank || w.ptr[w.len - 1] != ' ')
			put_c(&w, blank ? ' ' : *p);
		p++;
	} while (depth > 0 && p < r->s.end);
	r->s.at = p;
	scan_took(&r->s);
	if (depth > 0)
		hlo_unexpected(r, "'}'");
	return writer_str(&w);
}

bool hlo_is_text(tess_ctx *ctx, tess_str text)
{
	source src = {.name = "", .text = text, .first_line = 1};
	hlo_reader r = hlo_reader_of(ctx, &src);
	return hlo_accept_word(&r, "HloModule");
}

bool hlo_at_shape(hlo_reader *r)
{
	if (hlo_peek(r) == '(')
		return true;
	scan before = r->s;
	tess_str w = hlo_word(r);
	int next = hlo_peek(r);
	bool named = next == '[' &&
	             (dtype_from_hlo(w) || str_is(w, "token") || str_is(w, "opaque"));
	r->s = before;
	return named || (next == '(' && str_is(w, "b"));
}

const shape *hlo_read_shape(hlo_reader *r)
{
	hlo_peek(r);
	uint32_t at = scan_offset(&r->s);
	const shape *s = r->s.failed ? NULL : shape_parse_at(r->ctx, r->s.src, &at);
	if (!s) {
		if (!r->s.failed && r->s.at == r->s.end)
			hlo_unexpected(r, "a shape");
		scan_stop(&r->s);
		return NULL;
	}
	scan_go(&r->s, at);
	return s;
}

/* ---- attributes with XLA's text ------------------------------------------------------------- */

const attr *hlo_text_attr(hlo_reader *r, tess_str s)
{
	return r->s.failed ? NULL : attr_string(r->ctx, name_of(r->ctx, s));
}

const attr *hlo_written_attr(hlo_reader *r, const writer *w)
{
	return hlo_text_attr(r, writer_str(w));
}
