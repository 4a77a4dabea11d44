/* json_in.c - a small recursive JSON parser for tests. */
#include "json_in.h"

#include <stdlib.h>
#include <string.h>

typedef struct reader {
	const char *p, *end;
	bool failed;
} reader;

static json_value *read_value(reader *r);

static void skip(reader *r)
{
	while (r->p < r->end && strchr(" \t\r\n", *r->p))
		r->p++;
}

static bool take(reader *r, char c)
{
	skip(r);
	if (r->p == r->end || *r->p != c)
		return false;
	r->p++;
	return true;
}

static char *put_utf8(char *to, unsigned c)
{
	if (c < 0x80) {
		*to++ = (char)c;
	} else if (c < 0x800) {
		*to++ = (char)(0xC0 | c >> 6);
		*to++ = (char)(0x80 | (c & 0x3F));
	} else {
		*to++ = (char)(0xE0 | c >> 12);
		*to++ = (char)(0x80 | (c >> 6 & 0x3F));
		*to++ = (char)(0x80 | (c & 0x3F));
	}
	return to;
}

static char *read_escape(reader *r, char *to)
{
	static const char from[] = "\"\\/bfnrt", plain[] = "\"\\/\b\f\n\r\t";
	char c = *r->p++;
	if (c == 'u' && r->end - r->p >= 4) {
		char hex[5] = {r->p[0], r->p[1], r->p[2], r->p[3]};
		r->p += 4;
		return put_utf8(to, (unsigned)strtoul(hex, NULL, 16));
	}
	const char *at = c ? strchr(from, c) : NULL;
	if (!at)
		r->failed = true;
	*to = at ? plain[at - from] : 0;
	return to + 1;
}

/* Reads a string whose opening quote has been taken. */
static tess_str read_string(reader *r)
{
	char *text = malloc((size_t)(r->end - r->p) + 1), *to = text;
	while (r->p < r->end && *r->p != '"') {
		if (*r->p == '\\' && r->end - r->p > 1) {
			r->p++;
			to = read_escape(r, to);
		} else {
			*to++ = *r->p++;
		}
	}
	if (!take(r, '"'))
		r->failed = true;
	*to = 0;
	return (tess_str){realloc(text, (size_t)(to - text) + 1), (size_t)(to - text)};
}

static void read_members(reader *r, json_value *v, char close)
{
	json_value **at = &v->first;
	if (take(r, close))
		return;
	do {
		tess_str key = {0};
		if (v->kind == J_OBJECT) {
			if (!take(r, '"'))
				r->failed = true;
			key = read_string(r);
			if (!take(r, ':'))
				r->failed = true;
		}
		*at = read_value(r);
		(*at)->key = key;
		at = &(*at)->next;
		v->n++;
	} while (!r->failed && take(r, ','));
	if (!take(r, close))
		r->failed = true;
}

static void read_number(reader *r, json_value *v)
{
	char *end, *end_int;
	v->kind = J_NUMBER;
	v->number = strtod(r->p, &end);
	v->integer = strtoll(r->p, &end_int, 10);
	if (end_int != end)
		v->integer = (int64_t)v->number;
	r->failed = r->failed || end == r->p || end > r->end;
	v->is_real = memchr(r->p, '.', (size_t)(end - r->p)) != NULL;
	r->p = end;
}

static bool read_word(reader *r, const char *word)
{
	size_t n = strlen(word);
	if ((size_t)(r->end - r->p) < n || memcmp(r->p, word, n) != 0)
		return false;
	r->p += n;
	return true;
}

static json_value *read_value(reader *r)
{
	json_value *v = calloc(1, sizeof *v);
	skip(r);
	if (take(r, '{')) {
		v->kind = J_OBJECT;
		read_members(r, v, '}');
	} else if (take(r, '[')) {
		v->kind = J_ARRAY;
		read_members(r, v, ']');
	} else if (take(r, '"')) {
		v->kind = J_STRING;
		v->text = read_string(r);
	} else if (read_word(r, "true")) {
		*v = (json_value){.kind = J_BOOL, .yes = true};
	} else if (read_word(r, "false")) {
		v->kind = J_BOOL;
	} else if (!read_word(r, "null")) {
		read_number(r, v);
	}
	return v;
}

json_value *json_parse(tess_str text)
{
	reader r = {text.ptr, text.ptr + text.len, false};
	json_value *v = read_value(&r);
	skip(&r);
	if (!r.failed && r.p == r.end)
		return v;
	json_free(v);
	return NULL;
}

void json_free(json_value *v)
{
	while (v) {
		json_value *next = v->next;
		json_free(v->first);
		free((char *)v->text.ptr);
		free((char *)v->key.ptr);
		free(v);
		v = next;
	}
}

const json_value *json_get(const json_value *v, const char *key)
{
	size_t n = strlen(key);
	for (v = v && v->kind == J_OBJECT ? v->first : NULL; v; v = v->next)
		if (v->key.len == n && memcmp(v->key.ptr, key, n) == 0)
			return v;
	return NULL;
}

tess_str json_text(const json_value *v, const char *key)
{
	v = json_get(v, key);
	return v && v->kind == J_STRING ? v->text : (tess_str){"", 0};
}

int json_ints(const json_value *v, const char *key, int64_t *out, int cap)
{
	int n = 0;
	v = json_get(v, key);
	if (!v || v->kind != J_ARRAY)
		return -1;
	for (v = v->first; v; v = v->next, n++)
		if (n < cap)
			out[n] = v->integer;
	return n;
}

bool json_yes(const json_value *v, const char *key)
{
	v = json_get(v, key);
	return v && v->kind == J_BOOL && v->yes;
}
