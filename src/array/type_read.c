/* type_read.c - parses types; type_text.c has the grammar. */
#include "array/array.h"

typedef struct type_scan {
	tess_ctx *ctx;
	const char *at, *end;
	tess_str text;
	const amesh *mesh;
	bool failed;
} type_scan;

static void type_fail(type_scan *s, const char *what)
{
	if (!s->failed)
		diag_error(s->ctx, NOWHERE, E_ARRAY_TYPE_SYNTAX, "in the type \"%.*s\": %s",
		           STR_ARG(s->text), what);
	s->failed = true;
}

static bool type_accept(type_scan *s, char c)
{
	while (s->at < s->end && *s->at == ' ')
		s->at++;
	if (s->failed || s->at == s->end || *s->at != c)
		return false;
	s->at++;
	return true;
}

static void type_expect(type_scan *s, char c)
{
	char what[] = "'.' was expected";
	what[1] = c;
	if (!type_accept(s, c))
		type_fail(s, what);
}

static tess_str type_word(type_scan *s)
{
	const char *from = s->at;
	while (s->at < s->end && !s->failed && !strchr("[]{}(),:@ ", *s->at))
		s->at++;
	return (tess_str){from, (size_t)(s->at - from)};
}

static axis_seq type_axes(type_scan *s)
{
	axis_seq l = 0;
	bool many = type_accept(s, '(');
	do {
		tess_str word = type_word(s);
		int axis = amesh_axis(s->mesh, name_of(s->ctx, word));
		if (axis < 0)
			type_fail(s, "expected an axis of the mesh");
		else if (axis_seq_set(l) >> axis & 1)
			type_fail(s, "an axis appears twice");
		else
			l = axis_seq_add(l, axis);
	} while (many && !s->failed && type_accept(s, ','));
	if (many)
		type_expect(s, ')');
	return l;
}

static int64_t type_size(type_scan *s)
{
	tess_str word = type_word(s);
	int64_t v = 0;
	if (!word.len)
		type_fail(s, "expected a size");
	for (size_t i = 0; i < word.len && !s->failed; i++)
		if (word.ptr[i] < '0' || word.ptr[i] > '9' || !mul_ok(v, 10, &v) ||
		    !add_ok(v, word.ptr[i] - '0', &v))
			type_fail(s, "expected a size");
	return v;
}

static void type_dims(type_scan *s, atype *t)
{
	int64_t elements = 1;
	type_expect(s, '[');
	if (type_accept(s, ']'))
		return;
	do {
		if (t->rank == ARRAY_MAX_RANK) {
			type_fail(s, "there are too many dimensions");
			return;
		}
		t->dim[t->rank] = type_size(s);
		if (!mul_ok(elements, t->dim[t->rank], &elements))
			type_fail(s, "there are too many elements");
		if (type_accept(s, '@'))
			t->spec[t->rank] = type_axes(s);
		t->rank++;
	} while (type_accept(s, ','));
	type_expect(s, ']');
}

static void type_sets(type_scan *s, atype *t)
{
	if (!type_accept(s, '{'))
		return;
	do {
		axis_set *set = type_accept(s, 'V')   ? &t->varying
		                : type_accept(s, 'U') ? &t->unreduced
		                : type_accept(s, 'R') ? &t->reduced
		                                      : NULL;
		type_expect(s, ':');
		if (set)
			*set = axis_seq_set(type_axes(s));
		else
			type_fail(s, "expected V, U or R");
	} while (type_accept(s, ','));
	type_expect(s, '}');
}

const atype *atype_parse(tess_ctx *ctx, tess_str text, const amesh *m)
{
	type_scan s = {
		.ctx = ctx, .at = text.ptr, .end = text.ptr + text.len, .text = text, .mesh = m};
	atype t = {.mesh = m};
	t.weak = type_accept(&s, '~');
	tess_str word = type_word(&s);
	t.key = str_is(word, "key<fry>");
	t.dtype = t.key ? DT_UI64 : atype_dtype_named(word);
	if (!t.dtype)
		type_fail(&s, "expected an element type");
	type_dims(&s, &t);
	type_sets(&s, &t);
	if (!s.failed && s.at != s.end)
		type_fail(&s, "expected nothing more");
	if (s.failed)
		return NULL;
	for (int d = 0; d < t.rank; d++)
		t.spec[d] = axis_seq_without(t.spec[d], amesh_axes_of_kind(m, AXIS_AUTO));
	return atype_check(ctx, &t) ? atype_intern(ctx, &t) : NULL;
}
