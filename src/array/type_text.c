/* type_text.c - prints types: float32[8@X,4@(Y,Z)]{V:A, U:B, R:C} and the short form f32[8@X,4].
 *
 *   type ::= '~'? name '[' (dim (',' dim)*)? ']' ('{' set (', ' set)* '}')?
 *   dim  ::= size ('@' (axis | '(' axis (',' axis)* ')'))?
 *   set  ::= ('V' | 'U' | 'R') ':' (axis | '(' … ')') */
#include "array/array.h"

/* NumPy's names, as JAX prints them; other types have MLIR's. */
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

dtype atype_dtype_named(tess_str s)
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
