/* sdy_value.c - checks a sharding of a value: sound on its mesh, of the value's rank, and without
 * the manual axes around it.
 *
 * A sharding is checked once for each rank with which it is used: shardings are interned, and the
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
	PRINTED(text, &m->ctx->scratch, fmt);
	return diag_error(m->ctx, op_place(m, o), code, "'%s' op %s", op_name(o), text);
}

bool sdy_error_at(module *m, const op *o, const int *part, diag_code code, const char *fmt, ...)
{
	PRINTED(text, &m->ctx->scratch, fmt);
	return diag_error(m->ctx, op_attr_place(m, o, part), code, "'%s' op %s", op_name(o), text);
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

/* The manual computation around `o` that binds the axis, or NULL. */
static const op *binder_of(const op *o, const name *axis)
{
	for (const op *p = op_parent(o); p; p = op_parent(p))
		if (op_is_manual(p) &&
		    manual_names_axis(op_attr(p, N_manual_axes), axis))
			return p;
	return NULL;
}

static bool inside_manual(const op *o)
{
	for (const op *p = op_parent(o); p; p = op_parent(p))
		if (op_is_manual(p))
			return true;
	return false;
}

static bool bound_error(module *m, const op *o, place at, const name *axis)
{
	const op *binder = binder_of(o, axis);
	int i = manual_axis_number(op_attr(binder, N_manual_axes), axis);
	diag_error(m->ctx, at, E_AXIS_BOUND,
	           "'%s' op uses axis \"%s\", which a manual computation around it binds",
	           op_name(o), axis->s);
	diag_note(m->ctx, op_attr_place(m, binder, PART(N_manual_axes, ITEM(i))), "bound here");
	return false;
}

bool manual_leaves_free(module *m, const op *o, const name *axis, const int *part)
{
	return !binder_of(o, axis) || bound_error(m, o, op_attr_place(m, o, part), axis);
}

/* The index of the first axis in the list that is bound; -1: none. */
static int first_bound(const op *o, axis_list l)
{
	for (int i = 0; i < l.n; i++)
		if (binder_of(o, l.ptr[i].axis))
			return i;
	return -1;
}

static bool sharding_is_free(module *m, sdy_subject at, const sharding *s)
{
	enum { REPLICATED, UNREDUCED, OTHERS };
	int i, before = 0;
	if (!inside_manual(at.o))
		return true;
	for (int k = 0; k < s->rank + OTHERS; k++) {
		axis_list l = k < s->rank ? dim_axes(&s->dims[k])
		              : k - s->rank == REPLICATED
		                      ? (axis_list){s->replicated, s->n_replicated}
		                      : (axis_list){s->unreduced, s->n_unreduced};
		if ((i = first_bound(at.o, l)) < 0) {
			before += l.n;
			continue;
		}
		sharding_places p = op_sharding_places(m, at.o, at.part, s);
		const place *list = k < s->rank ? p.axes : k - s->rank ? p.unreduced : p.replicated;
		return bound_error(m, at.o, list ? list[k < s->rank ? before + i : i] : p.all,
		                   l.ptr[i].axis);
	}
	return true;
}

/* ---- one sharding on one value ------------------------------------------------------- */

/* True if the sharding has no dimensions and axes, as one without a tensor must be. */
static bool is_bare(const sharding *s)
{
	return !s->rank && !s->n_replicated && !s->n_unreduced;
}

static const type *sharded_type(const type *t)
{
	return t && t->kind == TY_TUPLE && t->n_in == 1 ? t->in[0] : t;
}

/* Checks the sharding against its mesh; if it is wrong, once more with places. */
static bool sound_on_mesh(module *m, sdy_subject at, const sharding *s, const mesh *me, int rank)
{
	diag_mark mark = diag_here(m->ctx);
	if (sharding_verify(m->ctx, s, me, rank, NULL))
		return true;
	diag_back(m->ctx, mark);
	sharding_places places = op_sharding_places(m, at.o, at.part, s);
	return sharding_verify(m->ctx, s, me, rank, &places);
}

static bool is_shapeless(const type *t)
{
	return !t || (t->kind != TY_TENSOR && t->kind != TY_UNRANKED && t->kind != TY_MEMREF &&
	              t->kind != TY_VECTOR);
}

/* Reports a missing mesh, and names those that there are. */
static bool no_mesh(module *m, sdy_subject at, const sharding *s)
{
	enum { MOST_LISTED = 8 };
	writer w;
	writer_init(&w, &m->ctx->scratch);
	int n = 0;
	for (const op *o = module_body(m)->first; o && n < MOST_LISTED; o = o->next)
		if (o->kind == OP_SDY_MESH && op_symbol(o))
			put_f(&w, "%s@%s", n++ ? ", " : "", op_symbol(o)->s);
	return diag_error(m->ctx, op_sharding_places(m, at.o, at.part, s).mesh, E_SHARDING_MESH,
	                  "%s: there is no mesh @%s; the module has %s", subject_words(m, at),
	                  s->mesh.symbol ? s->mesh.symbol->s : "",
	                  n ? writer_z(&w) : "no mesh; write sdy.mesh @mesh = <[\"x\"=8]>");
}

bool sdy_value_ok(sdy_walk *w, sdy_subject at, const sharding *s, const type *t)
{
	module *m = w->m;
	const mesh *me = sharding_mesh(m, s);
	if (!me)
		return no_mesh(m, at, s);
#define HERE op_attr_place(m, at.o, at.part)
	if (mesh_is_maximal(me) || (!t && sharding_is_fully_replicated(s)))
		return is_bare(s) ||
		       diag_error(m->ctx, HERE, E_SHARDING_MAXIMAL,
		                  "%s: a sharding on one device has no dimensions and no axes, but "
		                  "this one is %s",
		                  subject_words(m, at), sdy_sharding_words(m, s));
	if (t && t->kind == TY_TUPLE && t->n_in != 1)
		return diag_error(m->ctx, HERE, E_SHARDING_TYPE,
		                  "%s: a tuple of %d members cannot have a sharding; only a tuple "
		                  "of one can",
		                  subject_words(m, at), t->n_in);
	t = sharded_type(t);
	if (is_shapeless(t))
		return is_bare(s) ||
		       diag_error(m->ctx, HERE, E_SHARDING_TYPE,
		                  "%s: the value is not a tensor, so its sharding must have no "
		                  "dimensions and no axes, but it is %s",
		                  subject_words(m, at), sdy_sharding_words(m, s));
	if (t->kind == TY_UNRANKED)
		return diag_error(m->ctx, HERE, E_SHARDING_TYPE,
		                  "%s: an unranked tensor cannot have a sharding",
		                  subject_words(m, at));
	if (s->rank != t->rank)
		return diag_error(m->ctx, HERE, E_SHARDING_RANK,
		                  "%s: the sharding is of rank %d, but the tensor is of rank %d",
		                  subject_words(m, at), s->rank, t->rank);
#undef HERE
	void **known = ptr_map_at(&w->verified, &m->ctx->scratch, s);
	if (!*known) {
		if (!sound_on_mesh(m, at, s, me, t->rank))
			return false;
		*ptr_map_at(&w->verified, &m->ctx->scratch, s) = m;
	}
	return sharding_is_free(m, at, s);
}

bool sdy_shardings_ok(sdy_walk *w, const op *o, const char *what, int known, int n,
                      const type *(*get)(const op *, int))
{
	const attr *a = op_attr(o, known);
	if (!a)
		return true;
	if (a->kind != AT_SHARDINGS)
		return sdy_error_at(w->m, o, PART(known), E_SHARDING_KIND,
		                    "%s must be #sdy.sharding_per_value<[…]>, with a sharding "
		                    "for each of them", what);
	if (!n && a->n == 1) {
		const sharding *s = a->shardings[0];
		const mesh *me = s ? sharding_mesh(w->m, s) : NULL;
		if (s && ((me && mesh_is_maximal(me)) || sharding_is_fully_replicated(s)))
			return sdy_value_ok(w, (sdy_subject){o, what, 0, 1, PART(known, ITEM(0))},
			                    s, NULL);
	}
	if (a->n != n)
		return sdy_error_at(w->m, o, PART(known), E_SHARDING_COUNT,
		                    "%s has %d sharding%s for %d value%s", what, a->n,
		                    a->n == 1 ? "" : "s", n, n == 1 ? "" : "s");
	for (int i = 0; i < n; i++)
		if (a->shardings[i] &&
		    !sdy_value_ok(w, (sdy_subject){o, what, i, n, PART(known, ITEM(i))},
		                  a->shardings[i], get(o, i)))
			return false;
	return true;
}

const type *sdy_operand_type(const op *o, int i) { return operand(o, i)->type; }
const type *sdy_result_type(const op *o, int i) { return o->results[i].type; }
