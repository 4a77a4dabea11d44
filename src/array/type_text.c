/* type_text.c - prints types: float32[8@X,4@(Y,Z)]{V:A, U:B, R:C} and the short form f32[8@X,4].
 *
 *   type ::= '~'? name '[' (dim (',' dim)*)? ']' ('{' set (', ' set)* '}')?
 *   dim  ::= size ('@' (axis | '(' axis (',' axis)* ')'))?
 *   set  ::= ('V' | 'U' | 'R') ':' (axis | '(' … ')') */
#include "array/array.h"

/* The letters by which JAX's short names replace the kinds in NumPy's: u8 is uint8. */
static const struct {
	const char *longer, *shorter;
} kinds[] = {{"bfloat", "bf"}, {"float", "f"}, {"complex", "c"}, {"uint", "u"}, {"int", "i"}};

typedef struct short_name {
	const char *kind, *rest;
} short_name;

static short_name short_name_of(dtype t)
{
	const char *name = dtype_numpy(t);
	for (int i = 0; i < COUNT(kinds); i++)
		if (str_starts(str_of(name), kinds[i].longer))
			return (short_name){kinds[i].shorter, name + strlen(kinds[i].longer)};
	return (short_name){"", name};
}

/* Types that NumPy does not have have MLIR's names. */
static void put_type_name(writer *w, const atype *t, int form)
{
	const char *name = t->key ? "key<fry>" : dtype_numpy(t->dtype);
	if (*name == '?')
		name = dtype_mlir(t->dtype);
	short_name s = form == TYPE_LONG || t->key ? (short_name){"", name} : short_name_of(t->dtype);
	put_f(w, "%s%s", s.kind, s.rest);
}

dtype atype_dtype_named(tess_str s)
{
	dtype named = dtype_from_numpy(s);
	for (int t = 1; t < DT_COUNT && !named; t++) {
		short_name n = short_name_of((dtype)t);
		size_t len = strlen(n.kind);
		if (*n.rest != '?' && str_starts(s, n.kind) &&
		    str_is((tess_str){s.ptr + len, s.len - len}, n.rest))
			named = (dtype)t;
	}
	return named ? named : dtype_from_mlir(s);
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
	put_type_name(w, t, form);
	put_c(w, '[');
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
