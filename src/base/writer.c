/* writer.c - writes text and JSON. */
#include "base/base.h"

#include <math.h>

void writer_init(writer *w, arena *mem)
{
	*w = (writer){.mem = mem};
}

void writer_to_sink(writer *w, arena *mem, text_sink *sink, void *user)
{
	*w = (writer){.mem = mem, .sink = sink, .user = user};
}

bool writer_flush(writer *w)
{
	if (w->sink && w->len) {
		w->failed = w->failed || !w->sink(w->user, writer_str(w));
		w->len = 0;
	}
	return !w->failed;
}

void writer_room_(writer *w, size_t n)
{
	enum { SINK_BUFFER = 64 << 10 };
	if (w->sink && w->cap) {
		writer_flush(w);
		if (w->cap >= n)
			return;
	}
	size_t cap = w->cap ? w->cap * 2 : w->sink ? SINK_BUFFER : 256;
	while (cap - w->len < n)
		cap *= 2;
	w->ptr = arena_grow(w->mem, w->ptr, w->cap, cap);
	w->cap = cap;
}

void put_uint(writer *w, uint64_t v)
{
	enum { MOST = 20 }; /* digits */
	char buf[2 * MOST] = "", *p = buf + MOST;
	do
		*--p = (char)('0' + v % 10);
	while (v /= 10);
	if (UNLIKELY(w->cap - w->len < MOST))
		writer_room_(w, MOST);
	memcpy(w->ptr + w->len, p, MOST); /* copying a fixed size is faster */
	w->len += (size_t)(buf + MOST - p);
}

void put_int(writer *w, int64_t v)
{
	if (v < 0)
		put_c(w, '-');
	put_uint(w, v < 0 ? 0 - (uint64_t)v : (uint64_t)v);
}

void put_spaces(writer *w, int n)
{
	for (; n > 0; n--)
		put_c(w, ' ');
}

/* Returns the digits of four bytes (little endian), those of the first byte in the lowest two. */
static uint64_t hex_of_four(uint64_t x)
{
	x = (x | x << 16) & UINT64_C(0x0000FFFF0000FFFF);
	x = (x | x << 8) & UINT64_C(0x00FF00FF00FF00FF);
	x = (x >> 4 | x << 8) & UINT64_C(0x0F0F0F0F0F0F0F0F);
	uint64_t letters = (x + UINT64_C(0x0606060606060606)) >> 4 & UINT64_C(0x0101010101010101);
	return x + UINT64_C(0x3030303030303030) + letters * ('A' - '9' - 1);
}

void hex_digits(char *to, const void *data, size_t n)
{
	const unsigned char *p = data;
	uint32_t four;
	uint64_t digits;
	for (; n >= 4; n -= 4, p += 4, to += 8) {
		memcpy(&four, p, 4);
		digits = four ? hex_of_four(four) : UINT64_C(0x3030303030303030); /* most are 0 */
		memcpy(to, &digits, 8);
	}
	if (!n)
		return;
	four = 0;
	memcpy(&four, p, n);
	digits = hex_of_four(four);
	memcpy(to, &digits, 2 * n);
}

void put_hex(writer *w, const void *data, size_t n)
{
	enum { PIECE = 4096 }; /* no more room at once than a sink's buffer has */
	for (size_t at = 0, some; at < n; at += some) {
		some = n - at < PIECE ? n - at : PIECE;
		if (w->cap - w->len < 2 * some)
			writer_room_(w, 2 * some);
		hex_digits(w->ptr + w->len, (const char *)data + at, some);
		w->len += 2 * some;
	}
}

void put_f(writer *w, const char *fmt, ...)
{
	va_list ap, again;
	va_start(ap, fmt);
	va_copy(again, ap);
	int n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (w->cap - w->len < (size_t)n + 1)
		writer_room_(w, (size_t)n + 1);
	vsnprintf(w->ptr + w->len, (size_t)n + 1, fmt, again);
	va_end(again);
	w->len += (size_t)n;
}

void put_quoted(writer *w, tess_str s)
{
	static const char hex[] = "0123456789ABCDEF";
	put_c(w, '"');
	for (size_t i = 0; i < s.len; i++) {
		unsigned char c = (unsigned char)s.ptr[i];
		if (c == '\\') {
			put_lit(w, "\\\\");
		} else if (c >= 0x20 && c < 0x7F && c != '"') {
			put_c(w, (char)c);
		} else {
			put_c(w, '\\');
			put_c(w, hex[c >> 4]);
			put_c(w, hex[c & 15]);
		}
	}
	put_c(w, '"');
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* Letters, digits, '_', '$' and '.', starting with a letter or '_'. */
static bool is_bare_symbol(tess_str s)
{
	if (!s.len || !is_letter(s.ptr[0]))
		return false;
	for (size_t i = 1; i < s.len; i++) {
		char c = s.ptr[i];
		if (!is_letter(c) && !(c >= '0' && c <= '9') && c != '$' && c != '.')
			return false;
	}
	return true;
}

void put_symbol(writer *w, tess_str s)
{
	put_c(w, '@');
	if (is_bare_symbol(s))
		put_str(w, s);
	else
		put_quoted(w, s);
}

/* ---- amounts ------------------------------------------------------------------------------- */

static void put_scaled(writer *w, double v, const char *const *units, int n)
{
	const double step = 1000;
	int i = 0;
	double a = v < 0 ? -v : v;
	if (a < 0.005) /* what sums leave, and -0 */
		a = v = 0;
	for (; a >= step * 0.9995 && i + 1 < n; i++) {
		a /= step;
		v /= step;
	}
	if (a < step && v == (double)(int64_t)v)
		put_f(w, "%.0f %s", v, units[i]);
	else
		put_f(w, a < 9.995 ? "%.2f %s" : a < 99.95 ? "%.1f %s" : "%.0f %s", v, units[i]);
}

void put_bytes(writer *w, double bytes)
{
	static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
	put_scaled(w, bytes, units, COUNT(units));
}

void put_seconds(writer *w, double s)
{
	static const char *const units[] = {"ns", "us", "ms", "s"};
	put_scaled(w, s * 1e9, units, COUNT(units));
}

void put_count(writer *w, double n)
{
	static const char *const units[] = {"", "k", "M", "G", "T", "P", "E"};
	put_scaled(w, n, units, COUNT(units));
}

/* ---- JSON ---------------------------------------------------------------- */

void json_init(json *j, writer *w, bool pretty)
{
	*j = (json){.w = w, .pretty = pretty};
}

/* Starts a key or a value; a value after a key is on the same line. */
static void json_next(json *j)
{
	if (j->keyed) {
		j->keyed = false;
		return;
	}
	if (j->comma)
		put_c(j->w, ',');
	if (j->pretty && j->depth) {
		put_c(j->w, '\n');
		put_spaces(j->w, 2 * j->depth);
	}
	j->comma = true;
}

static void json_open(json *j, char open, char close)
{
	json_next(j);
	put_c(j->w, open);
	ASSERT(j->depth < COUNT(j->close));
	j->close[j->depth++] = close;
	j->comma = false;
}

void json_obj(json *j) { json_open(j, '{', '}'); }
void json_arr(json *j) { json_open(j, '[', ']'); }

void json_end(json *j)
{
	bool empty = !j->comma;
	j->depth--;
	if (j->pretty && !empty) {
		put_c(j->w, '\n');
		put_spaces(j->w, 2 * j->depth);
	}
	put_c(j->w, j->close[j->depth]);
	j->comma = true;
}

/* Returns the length of the UTF-8 character at the start of s; 0: it is invalid. */
static size_t utf8_character(tess_str s)
{
	const unsigned char *p = (const unsigned char *)s.ptr;
	size_t n = p[0] < 0x80 ? 1 : p[0] < 0xC2 ? 0 : p[0] < 0xE0 ? 2 : p[0] < 0xF0 ? 3 : 4;
	if (p[0] > 0xF4 || n > s.len)
		return 0;
	for (size_t i = 1; i < n; i++)
		if (p[i] >> 6 != 2)
			return 0;
	/* Rejects overlong forms, surrogates, and anything above 0x10FFFF. */
	if ((p[0] == 0xE0 && p[1] < 0xA0) || (p[0] == 0xED && p[1] >= 0xA0) ||
	    (p[0] == 0xF0 && p[1] < 0x90) || (p[0] == 0xF4 && p[1] >= 0x90))
		return 0;
	return n;
}

/* Names may have any bytes, JSON must be UTF-8: invalid bytes are replaced by U+FFFD. */
void put_json_string(writer *w, tess_str s)
{
	put_c(w, '"');
	for (size_t i = 0; i < s.len; i++) {
		unsigned char c = (unsigned char)s.ptr[i];
		size_t n = utf8_character((tess_str){s.ptr + i, s.len - i});
		if (n != 1) {
			put_mem(w, n ? s.ptr + i : "\xEF\xBF\xBD", n ? n : 3);
			i += n ? n - 1 : 0;
			continue;
		}
		if (c == '"' || c == '\\') {
			put_c(w, '\\');
			put_c(w, (char)c);
		} else if (c == '\n') {
			put_lit(w, "\\n");
		} else if (c == '\t') {
			put_lit(w, "\\t");
		} else if (c < 0x20 || c == 0x7F) {
			put_f(w, "\\u%04x", c);
		} else {
			put_c(w, (char)c);
		}
	}
	put_c(w, '"');
}

void json_key(json *j, const char *key)
{
	json_next(j);
	put_json_string(j->w, str_of(key));
	put_c(j->w, ':');
	if (j->pretty)
		put_c(j->w, ' ');
	j->keyed = true;
}

void json_str(json *j, tess_str s)
{
	json_next(j);
	put_json_string(j->w, s);
}

void json_z(json *j, const char *s) { json_str(j, str_of(s)); }

void json_int(json *j, int64_t v)
{
	json_next(j);
	put_int(j->w, v);
}

void json_num(json *j, double v)
{
	json_next(j);
	if (isfinite(v))
		put_f(j->w, "%.17g", v);
	else
		put_lit(j->w, "null");
}

static void json_bool(json *j, bool v)
{
	json_next(j);
	put_z(j->w, v ? "true" : "false");
}

#define JSON_MEMBER(what, T)                                                                       \
	void json_key_##what(json *j, const char *key, T v)                                        \
	{                                                                                          \
		json_key(j, key);                                                                  \
		json_##what(j, v);                                                                 \
	}
JSON_MEMBER(str, tess_str)
JSON_MEMBER(z, const char *)
JSON_MEMBER(int, int64_t)
JSON_MEMBER(num, double)
JSON_MEMBER(bool, bool)

void json_key_obj(json *j, const char *key)
{
	json_key(j, key);
	json_obj(j);
}

void json_key_arr(json *j, const char *key)
{
	json_key(j, key);
	json_arr(j);
}
