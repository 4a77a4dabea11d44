/* sdy_value.c - a sharding on a value: sound on its mesh, of the value's rank, and
 * free of the manual axes around.
 *
 * A sharding is checked once for each rank it is used with: they are interned, and the
 * meshes of a module do not change while it is verified. */
#include "op/verify/sdy.h"

static const char *subject_words(module *m, sdy_subject s)
{
	if (!s.what[0])
		return arena_printf(&m->ctx->scratch, "'%s' op", op_name(s.o));
	if (s.n == 1)
		return arena_printf(&m->ctx->scratch, "'%s' op %s", op_name(s.o), s.what);
	return arena_printf(&m->ctx->scratch, "'%s' op %s %d", op_name(s.o), s.what, s.index);
}

bool sdy_error(module *m, const op *o, diag_code code, const char *fmt, ...)
{
	char text[400];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	return diag_error(m->ctx, op_place(m, o), code, "'%s' op %s", op_name(o), text);
}

const char *sdy_axis_words(module *m, axis_ref a)
{
	writer w;
	writer_init(&w, &m->ctx->scratch);
	axis_print(&w, a);
	return writer_z(&w);
}

const char *sdy_axes_words(module *m, axis_list l)
{
	writer w;
	writer_init(&w, &m->ctx->scratch);
	axes_print(&w, l);
	return writer_z(&w);
}

const char *sdy_sharding_words(module *m, const sharding *s)
{
	writer w;
	writer_init(&w, &m->ctx->scratch);
	sharding_print(&w, s);
	return writer_z(&w);
}

/* ---- manual axes above an op ------------------------------------------------------- */

bool manual_names_axis(const attr *manual_axes, const name *axis)
{
	for (int i = 0; manual_axes && i < manual_axes->n; i++)
		if (manual_axes->list[i]->text == axis)
			return true;
	return false;
}

/* The manual computation around `o` that binds the axis, or NULL. */
static const op *binder_of(const op *o, const name *axis)
{
	for (const op *p = op_parent(o); p; p = op_parent(p))
		if (p->kind == OP_SDY_MANUAL_COMPUTATION &&
		    manual_names_axis(op_attr(p, N_manual_axes), axis))
			return p;
	return NULL;
}

static bool inside_manual(const op *o)
{
	for (const op *p = op_parent(o); p; p = op_parent(p))
		if (p->kind == OP_SDY_MANUAL_COMPUTATION)
			return true;
	return false;
}

bool manual_leaves_free(module *m, const op *o, const name *axis)
{
	const op *binder = binder_of(o, axis);
	if (!binder)
		return true;
	sdy_error(m, o, E_AXIS_BOUND,
	          "uses axis \"%s\", which a manual computation around it binds", axis->s);
	diag_note(m->ctx, op_place(m, binder), "bound here");
	return false;
}

static bool axes_are_free(module *m, const op *o, axis_list l)
{
	for (int i = 0; i < l.n; i++)
		if (!manual_leaves_free(m, o, l.ptr[i].axis))
			return false;
	return true;
}

static bool sharding_is_free(module *m, const op *o, const sharding *s)
{
	if (!inside_manual(o))
		return true;
	for (int d = 0; d < s->rank; d++)
		if (!axes_are_free(m, o, dim_axes(&s->dims[d])))
			return false;
	return axes_are_free(m, o, (axis_list){s->replicated, s->n_replicated}) &&
	       axes_are_free(m, o, (axis_list){s->unreduced, s->n_unreduced});
}

/* ---- one sharding on one value ------------------------------------------------------- */

/* What a sharding on no tensor at all must be: without dimensions and axes. */
static bool is_bare(const sharding *s)
{
	return !s->rank && !s->n_replicated && !s->n_unreduced;
}

static const type *sharded_type(const type *t)
{
	return t && t->kind == TY_TUPLE && t->n_in == 1 ? t->in[0] : t;
}

bool sdy_value_ok(sdy_walk *w, sdy_subject at, const sharding *s, const type *t)
{
	module *m = w->m;
	place here = op_place(m, at.o);
	const mesh *me = sharding_mesh(m, s);
	if (!me)
		return diag_error(m->ctx, here, E_SHARDING_MESH, "%s: there is no mesh @%s",
		                  subject_words(m, at), s->mesh.symbol ? s->mesh.symbol->s : "");
	if (mesh_is_maximal(me) || (!t && sharding_is_fully_replicated(s)))
		return is_bare(s) ||
		       diag_error(
			       m->ctx, here, E_SHARDING_MAXIMAL,
			       "%s: on one device a sharding has no dimensions and no axes, found %s",
			       subject_words(m, at), sdy_sharding_words(m, s));
	if (t && t->kind == TY_TUPLE && t->n_in != 1)
		return diag_error(m->ctx, here, E_SHARDING_TYPE,
		                  "%s: a tuple of %d has a sharding, only "
		                  "one of 1 may",
		                  subject_words(m, at), t->n_in);
	t = sharded_type(t);
	if (!t || (t->kind != TY_TENSOR && t->kind != TY_UNRANKED && t->kind != TY_MEMREF &&
	           t->kind != TY_VECTOR))
		return is_bare(s) ||
		       diag_error(
			       m->ctx, here, E_SHARDING_TYPE,
			       "%s: no tensor, so its sharding has no dimensions and no axes, found %s",
			       subject_words(m, at), sdy_sharding_words(m, s));
	if (t->kind == TY_UNRANKED)
		return diag_error(m->ctx, here, E_SHARDING_TYPE,
		                  "%s: an unranked tensor has a sharding", subject_words(m, at));
	if (s->rank != t->rank)
		return diag_error(m->ctx, here, E_SHARDING_RANK,
		                  "%s: its sharding is of rank %d, the tensor of rank %d",
		                  subject_words(m, at), s->rank, t->rank);
	void **known = ptr_map_at(&w->verified, &m->ctx->scratch, s);
	if (!*known) {
		if (!sharding_verify(m->ctx, s, me, t->rank, &(sharding_places){.all = here}))
			return false;
		*ptr_map_at(&w->verified, &m->ctx->scratch, s) = m;
	}
	return sharding_is_free(m, at.o, s);
}

bool sdy_shardings_ok(sdy_walk *w, const op *o, const char *what, const attr *a, int n,
                         const type *(*get)(const op *, int))
{
	if (!a)
		return true;
	if (a->kind != AT_SHARDINGS)
		return sdy_error(w->m, o, E_SHARDING_KIND, "%s must be #sdy.sharding_per_value",
		                 what);
	if (!n && a->n == 1) {
		const sharding *s = a->shardings[0];
		const mesh *me = s ? sharding_mesh(w->m, s) : NULL;
		if (s && ((me && mesh_is_maximal(me)) || sharding_is_fully_replicated(s)))
			return sdy_value_ok(w, (sdy_subject){o, what, 0, 1}, s, NULL);
	}
	if (a->n != n)
		return sdy_error(w->m, o, E_SHARDING_COUNT, "%s has %d shardings for %d values",
		                 what, a->n, n);
	for (int i = 0; i < n; i++)
		if (a->shardings[i] &&
		    !sdy_value_ok(w, (sdy_subject){o, what, i, n}, a->shardings[i], get(o, i)))
			return false;
	return true;
}

const type *sdy_operand_type(const op *o, int i) { return operand(o, i)->type; }
const type *sdy_result_type(const op *o, int i) { return o->results[i].type; }
