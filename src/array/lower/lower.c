/* lower.c - lowers traced functions to StableHLO text.
 *
 * As in JAX, there is one operation for each node, followed by the sharding in its type as an
 * sdy.sharding_constraint. If the mesh has axes that are not Explicit, dimensions stay open, and
 * unused Explicit axes are replicated. */
#include "array/lower/lower.h"

#include <math.h>

/* ---- shardings ---------------------------------------------------------------------------- */

/* "<@mesh0, [{"X"}, {}]>": the Explicit axes in the type. */
static void put_type_sharding(lowering *l, const atype *t)
{
	axis_set shown = amesh_axes_of_kind(t->mesh, AXIS_EXPLICIT);
	bool open = axis_set_size(t->mesh, amesh_axes_of_kind(t->mesh, AXIS_AUTO)) > 1;
	axis_set left = open ? shown & ~atype_axes(t) & ~t->unreduced : 0;
	put_spec_sharding(l, t->mesh, t->spec, t->rank, open, left, t->unreduced & shown);
}

static bool shows_sharding(const atype *t)
{
	return t->mesh && amesh_axes_of_kind(t->mesh, AXIS_EXPLICIT);
}

/* ---- one operation --------------------------------------------------------------------------- */

static const lower_row *lower_row_of(const array_op *op)
{
	const lower_row *const tables[] = {lower_rows,        lower_data_rows,
	                                   lower_window_rows, lower_matrix_rows,
	                                   lower_places_rows, lower_call_rows,
	                                   lower_comm_rows};
	for (int i = 0; i < COUNT(tables); i++)
		for (const lower_row *r = tables[i]; r->name; r++)
			if (strcmp(r->name, op->name) == 0)
				return r;
	return NULL;
}

static void lower_constraint(lowering *l, const avalue *v)
{
	int from = lower_of(l, v), id;
	if (!shows_sharding(v->type))
		return;
	id = lower_name(l);
	put_f(l->w, "  %%%d = sdy.sharding_constraint %%%d ", id, from);
	put_type_sharding(l, v->type);
	put_lit(l->w, " : ");
	put_tensor(l, v->type);
	put_c(l->w, '\n');
	lower_set(l, v, id);
}

static bool lower_node(lowering *l, const anode *n)
{
	const lower_row *r = lower_row_of(n->op);
	if (!r && !lower_has_expansion(n->op))
		return diag_error(l->ctx, NOWHERE, E_ARRAY_OP,
		                  "%s has a type, but cannot be run yet", n->op->name);
	l->row = r;
	if (r ? !r->write(l, n) : !lower_expansion(l, n))
		return false;
	for (int i = 0; i < n->n_out; i++)
		lower_constraint(l, n->out[i]);
	return true;
}

/* ---- the function ---------------------------------------------------------------------------- */

static void put_typed_value(lowering *l, const atype *t)
{
	put_tensor(l, t);
	if (!shows_sharding(t))
		return;
	put_lit(l->w, " {sdy.sharding = #sdy.sharding");
	put_type_sharding(l, t);
	put_c(l->w, '}');
}

static void put_parameter(lowering *l, const atype *t, const pspec *placed)
{
	aspec a;
	axis_seq dim[ARRAY_MAX_RANK] = {0};
	if (!placed || !t->mesh || !aspec_bind(l->ctx, t->mesh, placed, &a)) {
		put_typed_value(l, t);
		return;
	}
	for (int d = 0; d < t->rank && d < a.n; d++)
		dim[d] = a.dim[d];
	put_tensor(l, t);
	put_lit(l->w, " {sdy.sharding = #sdy.sharding");
	put_spec_sharding(l, t->mesh, dim, t->rank, true, 0, 0);
	put_c(l->w, '}');
}

/* ids: the names of the parameters. */
static void put_main(lowering *l, const afn *f, int *ids)
{
	put_lit(l->w, "func.func public @main(");
	for (int i = 0; i < f->params.len; i++) {
		ids[i] = lower_name(l);
		put_f(l->w, "%s%%%d: ", i ? ", " : "", ids[i]);
		put_parameter(l, f->params.ptr[i]->type, l->placed ? l->placed[i] : NULL);
	}
	put_lit(l->w, ") -> (");
	for (int i = 0; i < f->outs.len; i++) {
		put_z(l->w, i ? ", " : "");
		put_typed_value(l, f->outs.ptr[i]->type);
	}
	put_lit(l->w, ") {\n");
}

bool lower_body(lowering *l, const afn *f, const int *ids)
{
	for (int i = 0; i < f->params.len; i++)
		lower_set(l, f->params.ptr[i], ids[i]);
	for (int i = 0; i < f->nodes.len; i++)
		if (!lower_node(l, f->nodes.ptr[i]))
			return false;
	return true;
}

void lower_return(lowering *l, const afn *f, const char *word)
{
	put_f(l->w, "  %s ", word);
	for (int i = 0; i < f->outs.len; i++)
		put_f(l->w, "%s%%%d", i ? ", " : "", lower_of(l, f->outs.ptr[i]));
	put_z(l->w, f->outs.len ? " : " : "");
	for (int i = 0; i < f->outs.len; i++) {
		put_z(l->w, i ? ", " : "");
		put_tensor(l, f->outs.ptr[i]->type);
	}
	put_c(l->w, '\n');
}

static void put_meshes(lowering *l, writer *w)
{
	for (int i = 0; i < l->meshes.len; i++) {
		const amesh *m = l->meshes.ptr[i];
		put_f(w, "sdy.mesh @%s = <[", lower_mesh_name(l, m));
		for (int a = 0; a < m->n; a++)
			put_f(w, "%s\"%s\"=%" PRId64, a ? ", " : "", m->axis[a]->s, m->size[a]);
		for (int64_t d = 0; m->ids && d < amesh_devices(m); d++)
			put_f(w, "%s%" PRId64, d ? ", " : "], device_ids=[", m->ids[d]);
		put_lit(w, "]>\n");
	}
}

bool array_lower(tess_ctx *ctx, const afn *f, const amesh *first, const pspec *const *placed,
                 writer *w)
{
	writer body;
	lowering l = {.ctx = ctx, .w = &body, .first = first, .placed = placed};
	if (first)
		lower_mesh(&l, first);
	writer_init(&body, &ctx->scratch);
	int *ids = NEW_N(&ctx->scratch, int, f->params.len + 1);
	put_main(&l, f, ids);
	if (!lower_body(&l, f, ids))
		return false;
	lower_return(&l, f, "return");
	put_lit(&body, "}\n");
	put_meshes(&l, w);
	put_str(w, writer_str(&body));
	return true;
}
