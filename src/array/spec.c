/* spec.c - partition specs: parsed, printed, bound to a mesh.
 *
 *   spec  ::= [dim (',' dim)*] (('U' | 'R') ':' axes)*
 *   dim   ::= '_' | 'None' | '?' | axes
 *   axes  ::= name | '(' [name (',' name)*] ')' */
#include "array/array.h"

typedef struct spec_scan {
	tess_ctx *ctx;
	const char *at, *end;
	tess_str text;
	bool failed;
} spec_scan;

static char spec_peek(spec_scan *s)
{
	while (s->at < s->end && (*s->at == ' ' || *s->at == '\t'))
		s->at++;
	return s->at < s->end && !s->failed ? *s->at : 0;
}

static bool spec_accept(spec_scan *s, char c)
{
	if (spec_peek(s) != c)
		return false;
	s->at++;
	return true;
}

static void spec_fail(spec_scan *s, const char *what)
{
	if (!s->failed)
		diag_error(s->ctx, NOWHERE, E_ARRAY_SPEC, "in the partition spec \"%.*s\": %s",
		           STR_ARG(s->text), what);
	s->failed = true;
}

static bool spec_name_char(char c)
{
	return c && !strchr("(),:?\t ", c);
}

/* Reads a word; empty if there is none. */
static tess_str spec_word(spec_scan *s)
{
	spec_peek(s);
	const char *from = s->at;
	while (s->at < s->end && !s->failed && spec_name_char(*s->at))
		s->at++;
	return (tess_str){from, (size_t)(s->at - from)};
}

static bool spec_is_none(tess_str word) { return str_is(word, "_") || str_is(word, "None"); }

static void spec_add_axis(spec_scan *s, const name **axes, int *n, tess_str word)
{
	if (!word.len || spec_is_none(word))
		spec_fail(s, "expected the name of an axis");
	else if (*n == ARRAY_MAX_AXES)
		spec_fail(s, "there are too many axes");
	else
		axes[(*n)++] = name_of(s->ctx, word);
}

static void spec_axes(spec_scan *s, const name **axes, int *n)
{
	if (!spec_accept(s, '(')) {
		spec_add_axis(s, axes, n, spec_word(s));
		return;
	}
	while (!s->failed && !spec_accept(s, ')')) {
		spec_add_axis(s, axes, n, spec_word(s));
		if (spec_peek(s) != ')' && !spec_accept(s, ','))
			spec_fail(s, "expected ',' or ')'");
	}
}

static void spec_dim(spec_scan *s, struct pspec_dim *d)
{
	const char *before = s->at;
	if (spec_accept(s, '?')) {
		d->any = true;
		return;
	}
	if (spec_is_none(spec_word(s)))
		return;
	s->at = before;
	spec_axes(s, d->axis, &d->n);
}

/* True if "U:" or "R:" follows; it is then consumed. */
static bool spec_set_starts(spec_scan *s, char which)
{
	if (spec_peek(s) != which || s->end - s->at < 2 || s->at[1] != ':')
		return false;
	s->at += 2;
	return true;
}

static void spec_read(spec_scan *s, pspec *out)
{
	bool more = spec_peek(s) != 0;
	while (more && !s->failed) {
		if (spec_set_starts(s, 'U'))
			spec_axes(s, out->unreduced, &out->n_unreduced);
		else if (spec_set_starts(s, 'R'))
			spec_axes(s, out->reduced, &out->n_reduced);
		else if (out->n == ARRAY_MAX_RANK)
			spec_fail(s, "there are too many dimensions");
		else
			spec_dim(s, &out->dim[out->n++]);
		spec_accept(s, ',');
		more = spec_peek(s) != 0;
	}
}

static bool names_overlap(const name *const *a, int n_a, const name *const *b, int n_b)
{
	for (int i = 0; i < n_a; i++)
		for (int j = 0; j < n_b; j++)
			if (a[i] == b[j])
				return true;
	return false;
}

static bool pspec_valid(spec_scan *s, const pspec *p)
{
	for (int d = 0; d < p->n; d++) {
		if (names_overlap(p->dim[d].axis, p->dim[d].n, p->unreduced, p->n_unreduced))
			spec_fail(s, "partitions cannot overlap with unreduced axes");
		if (names_overlap(p->dim[d].axis, p->dim[d].n, p->reduced, p->n_reduced))
			spec_fail(s, "partitions cannot overlap with reduced axes");
	}
	if (names_overlap(p->unreduced, p->n_unreduced, p->reduced, p->n_reduced))
		spec_fail(s, "unreduced and reduced axes cannot overlap");
	return !s->failed;
}

const pspec *pspec_parse(tess_ctx *ctx, tess_str text)
{
	if (!text.len)
		text = STR("");
	void **slot = ptr_map_at(&array_state_of(ctx)->specs, &ctx->perm, name_of(ctx, text));
	if (*slot)
		return *slot;
	spec_scan s = {.ctx = ctx, .at = text.ptr, .end = text.ptr + text.len, .text = text};
	pspec *out = NEW(&ctx->scratch, pspec);
	spec_read(&s, out);
	if (s.failed || !pspec_valid(&s, out))
		return NULL;
	slot = ptr_map_at(&array_state_of(ctx)->specs, &ctx->perm, name_of(ctx, text));
	*slot = COPY_N(&ctx->perm, out, 1);
	return *slot;
}

/* ---- printing ---------------------------------------------------------------- */

static void put_quoted_axes(writer *w, const name *const *axes, int n)
{
	for (int i = 0; i < n; i++)
		put_f(w, "%s'%s'", i ? ", " : "", axes[i]->s);
}

static void put_pspec_dim(writer *w, const struct pspec_dim *d)
{
	if (d->any) {
		put_lit(w, "UNCONSTRAINED");
	} else if (d->n == 0) {
		put_lit(w, "None");
	} else if (d->n == 1) {
		put_f(w, "'%s'", d->axis[0]->s);
	} else {
		put_c(w, '(');
		put_quoted_axes(w, d->axis, d->n);
		put_c(w, ')');
	}
}

static void put_pspec_set(writer *w, const char *what, bool first, const name *const *axes, int n)
{
	if (!n)
		return;
	put_f(w, "%s%s={", first ? "" : ", ", what);
	put_quoted_axes(w, axes, n);
	put_c(w, '}');
}

void put_pspec(writer *w, const pspec *s)
{
	put_lit(w, "P(");
	for (int d = 0; d < s->n; d++) {
		if (d)
			put_lit(w, ", ");
		put_pspec_dim(w, &s->dim[d]);
	}
	if (s->n == 1 && !s->n_unreduced && !s->n_reduced)
		put_c(w, ',');
	put_pspec_set(w, "unreduced", s->n == 0, s->unreduced, s->n_unreduced);
	put_pspec_set(w, "reduced", s->n == 0 && !s->n_unreduced, s->reduced, s->n_reduced);
	put_c(w, ')');
}

static const char *pspec_text(tess_ctx *ctx, const pspec *s)
{
	writer w;
	writer_init(&w, &ctx->scratch);
	put_pspec(&w, s);
	return writer_z(&w);
}

const pspec *pspec_of(tess_ctx *ctx, const atype *t)
{
	writer w;
	writer_init(&w, &ctx->scratch);
	for (int d = 0; d < t->rank; d++) {
		put_z(&w, d ? ", " : "");
		if (t->spec[d])
			put_axis_names(&w, t->mesh, t->spec[d]);
		else
			put_c(&w, '_');
	}
	if (t->unreduced) {
		put_lit(&w, " U:");
		put_axis_set(&w, t->mesh, t->unreduced);
	}
	if (t->reduced) {
		put_lit(&w, " R:");
		put_axis_set(&w, t->mesh, t->reduced);
	}
	return pspec_parse(ctx, writer_str(&w));
}

/* ---- binding ------------------------------------------------------------------ */

static bool bind_axis(tess_ctx *ctx, const amesh *m, const pspec *s, const name *axis, int *out)
{
	*out = amesh_axis(m, axis);
	if (*out >= 0)
		return true;
	writer w;
	writer_init(&w, &ctx->scratch);
	for (int i = 0; m && i < m->n; i++)
		put_f(&w, "%s'%s'", i ? ", " : "", m->axis[i]->s);
	put_c(&w, 0);
	return diag_error(ctx, NOWHERE, E_ARRAY_AXIS, "axis %s of %s is not found in mesh: (%s)",
	                  axis->s, pspec_text(ctx, s), w.ptr);
}

static bool bind_dim(tess_ctx *ctx, const amesh *m, const pspec *s, int d, axis_set *used,
                     axis_seq *out)
{
	*out = 0;
	for (int i = 0, axis; i < s->dim[d].n; i++) {
		if (!bind_axis(ctx, m, s, s->dim[d].axis[i], &axis))
			return false;
		if (*used >> axis & 1)
			return diag_error(
				ctx, NOWHERE, E_ARRAY_DUPLICATE,
				"a spec can map every mesh axis to at most one dimension, but %s "
				"has duplicate entries for %s",
				pspec_text(ctx, s), m->axis[axis]->s);
		*used |= (axis_set)1 << axis;
		*out = axis_seq_add(*out, axis);
	}
	return true;
}

static bool bind_set(tess_ctx *ctx, const amesh *m, const pspec *s, const char *what,
                     const name *const *axes, int n, axis_set *out)
{
	*out = 0;
	for (int i = 0, axis; i < n; i++) {
		if (!bind_axis(ctx, m, s, axes[i], &axis))
			return false;
		*out |= (axis_set)1 << axis;
		if (m->kind[axis] == AXIS_AUTO)
			return diag_error(ctx, NOWHERE, E_ARRAY_AXIS_KIND,
			                  "%s axes can only be axes of type Explicit; %s is Auto",
			                  what, axes[i]->s);
	}
	return true;
}

bool aspec_bind(tess_ctx *ctx, const amesh *m, const pspec *s, aspec *out)
{
	axis_set used = 0;
	*out = (aspec){.n = s->n};
	for (int d = 0; d < s->n; d++) {
		if (!bind_dim(ctx, m, s, d, &used, &out->dim[d]))
			return false;
		out->any |= (uint32_t)s->dim[d].any << d;
	}
	if (out->any && !amesh_axes_of_kind(m, AXIS_AUTO))
		return diag_error(
			ctx, NOWHERE, E_ARRAY_UNCONSTRAINED,
			"%s cannot contain unconstrained dimensions when no mesh axis is Auto",
			pspec_text(ctx, s));
	return bind_set(ctx, m, s, "unreduced", s->unreduced, s->n_unreduced, &out->unreduced) &&
	       bind_set(ctx, m, s, "reduced", s->reduced, s->n_reduced, &out->reduced);
}
