/* type_text.c - types as text: float32[8@X,4@(Y,Z)]{V:A, U:B, R:C} and the short f32[8@X,4].
 *
 *   type ::= '~'? name '[' (dim (',' dim)*)? ']' ('{' set (', ' set)* '}')?
 *   dim  ::= size ('@' (axis | '(' axis (',' axis)* ')'))?
 *   set  ::= ('V' | 'U' | 'R') ':' (axis | '(' … ')') */
#include "array/array.h"

/* NumPy's names, as JAX prints them; the rest has MLIR's. */
static const struct {
	dtype t;
	const char *longer, *shorter;
} type_names[] = {
	{DT_I1, "bool", "bool"},       {DT_I8, "int8", "i8"},          {DT_I16, "int16", "i16"},
	{DT_I32, "int32", "i32"},      {DT_I64, "int64", "i64"},       {DT_UI8, "uint8", "u8"},
	{DT_UI16, "uint16", "u16"},    {DT_UI32, "uint32", "u32"},     {DT_UI64, "uint64", "u64"},
	{DT_F16, "float16", "f16"},    {DT_BF16, "bfloat16", "bf16"},  {DT_F32, "float32", "f32"},
	{DT_F64, "float64", "f64"},    {DT_C64, "complex64", "c64"},   {DT_C128, "complex128", "c128"},
	{DT_F8E4M3FN, "float8_e4m3fn", "f8_e4m3fn"}, {DT_F8E5M2, "float8_e5m2", "f8_e5m2"},
	{DT_I4, "int4", "i4"},         {DT_UI4, "uint4", "u4"},
};

static const char *type_name(const atype *t, int form)
{
	if (t->key)
		return "key<fry>";
	for (int i = 0; i < COUNT(type_names); i++)
		if (type_names[i].t == t->dtype)
			return form == TYPE_LONG ? type_names[i].longer : type_names[i].shorter;
	return dtype_mlir(t->dtype);
}

static dtype type_named(tess_str s)
{
	for (int i = 0; i < COUNT(type_names); i++)
		if (str_is(s, type_names[i].longer) || str_is(s, type_names[i].shorter))
			return type_names[i].t;
	return dtype_from_mlir(s);
}

/* ---- printing ------------------------------------------------------------------- */

void put_axis_names(writer *w, const amesh *m, axis_seq l)
{
	int n = axis_seq_len(l);
	if (n != 1)
		put_c(w, '(');
	for (int i = 0; i < n; i++)
		put_f(w, "%s%s", i ? "," : "", m->axis[axis_seq_at(l, i)]->s);
	if (n != 1)
		put_c(w, ')');
}

void put_axis_set(writer *w, const amesh *m, axis_set s)
{
	axis_seq l = 0;
	for (int i = 0; m && i < m->n; i++)
		if (s >> i & 1)
			l = axis_seq_add(l, i);
	put_axis_names(w, m, l);
}

static void put_set(writer *w, const atype *t, const char *what, axis_set s, bool *any)
{
	if (!s)
		return;
	put_f(w, "%s%s:", *any ? ", " : "{", what);
	put_axis_set(w, t->mesh, s);
	*any = true;
}

void put_atype(writer *w, const atype *t, int form)
{
	bool any = false;
	if (t->weak && t->dtype != DT_I1)
		put_c(w, '~');
	put_f(w, "%s[", type_name(t, form));
	for (int d = 0; d < t->rank; d++) {
		put_f(w, "%s%" PRId64, d ? "," : "", t->dim[d]);
		if (t->spec[d]) {
			put_c(w, '@');
			put_axis_names(w, t->mesh, t->spec[d]);
		}
	}
	put_c(w, ']');
	put_set(w, t, "V", t->varying, &any);
	put_set(w, t, "U", t->unreduced, &any);
	put_set(w, t, "R", t->reduced, &any);
	if (any)
		put_c(w, '}');
}

const char *atype_text(tess_ctx *ctx, const atype *t, int form)
{
	writer w;
	writer_init(&w, &ctx->scratch);
	put_atype(&w, t, form);
	return writer_z(&w);
}

static void put_quoted_list(writer *w, const amesh *m, axis_seq l)
{
	int n = axis_seq_len(l);
	if (n == 0)
		put_lit(w, "None");
	else if (n > 1)
		put_c(w, '(');
	for (int i = 0; i < n; i++)
		put_f(w, "%s'%s'", i ? ", " : "", m->axis[axis_seq_at(l, i)]->s);
	if (n > 1)
		put_c(w, ')');
}

void put_spec_tuple(writer *w, const atype *t, int from, int to)
{
	put_c(w, '(');
	for (int d = from; d < to; d++) {
		if (d > from)
			put_lit(w, ", ");
		put_quoted_list(w, t->mesh, t->spec[d]);
	}
	put_z(w, to - from == 1 ? ",)" : ")");
}

const char *atype_spec_text(tess_ctx *ctx, const atype *t)
{
	writer w;
	writer_init(&w, &ctx->scratch);
	put_c(&w, 'P');
	put_spec_tuple(&w, t, 0, t->rank);
	return writer_z(&w);
}

/* ---- reading -------------------------------------------------------------------- */

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
			type_fail(s, "an axis of the mesh was expected");
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
		type_fail(s, "a size was expected");
	for (size_t i = 0; i < word.len && !s->failed; i++)
		if (word.ptr[i] < '0' || word.ptr[i] > '9' || !mul_ok(v, 10, &v) ||
		    !add_ok(v, word.ptr[i] - '0', &v))
			type_fail(s, "a size was expected");
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
			type_fail(s, "too many dimensions");
			return;
		}
		t->dim[t->rank] = type_size(s);
		if (!mul_ok(elements, t->dim[t->rank], &elements))
			type_fail(s, "too many elements");
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
			type_fail(s, "V, U or R was expected");
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
	t.dtype = t.key ? DT_UI64 : type_named(word);
	if (!t.dtype)
		type_fail(&s, "an element type was expected");
	type_dims(&s, &t);
	type_sets(&s, &t);
	if (!s.failed && s.at != s.end)
		type_fail(&s, "nothing more was expected");
	if (s.failed)
		return NULL;
	for (int d = 0; d < t.rank; d++)
		t.spec[d] = axis_seq_without(t.spec[d], amesh_axes_of_kind(m, AXIS_AUTO));
	return atype_check(ctx, &t) ? atype_intern(ctx, &t) : NULL;
}
