/* typed.c - runs typing rules, and helpers. */
#include "array/typed/typed.h"

#include "array/make/make.h"

/* ---- the table ----------------------------------------------------------------------- */

static const array_op array_ops[] = {
#define PRIM(name, rule, min, max, how) {name, min, max, rule, NULL, how, NULL},
#define MADE(name, make, min, max, how) {name, min, max, NULL, make, how, NULL},
#define SAME(name, as, n, how) {name, n, n, NULL, make_same, how, as},
#include "array/ops.def"
#undef PRIM
#undef MADE
#undef SAME
};

const array_op *array_op_named(tess_ctx *ctx, const char *op)
{
	array_state *st = array_state_of(ctx);
	if (!st->ops.len)
		for (int i = 0; i < COUNT(array_ops); i++)
			*ptr_map_at(&st->ops, &ctx->perm, name_of_z(ctx, array_ops[i].name)) =
			        (void *)&array_ops[i];
	return ptr_map_get(&st->ops, name_of_z(ctx, op));
}

/* ---- running a rule ------------------------------------------------------------------------- */

static bool operands_counted(typing *q)
{
	if (q->n_in >= q->op->min_in && (q->op->max_in < 0 || q->n_in <= q->op->max_in))
		return true;
	return diag_error(q->ctx, NOWHERE, E_ARRAY_OP, "%s takes %d operands, not %d", q->op->name,
	                  q->op->min_in, q->n_in);
}

/* Values from a mesh other than the current one must be resharded; a mesh without Explicit or
 * Manual axes does not appear in types and does not matter. */
static bool mesh_agrees(typing *q, const atype *t)
{
	axis_set hidden = amesh_axes_of_kind(q->mesh, AXIS_AUTO), theirs;
	if (!t->mesh || t->mesh == q->mesh)
		return true;
	theirs = amesh_axes_of_kind(t->mesh, AXIS_AUTO);
	if (axis_set_size(q->mesh, ~hidden) == 1 && axis_set_size(t->mesh, ~theirs) == 1)
		return true;
	writer w;
	writer_init(&w, &q->ctx->scratch);
	put_amesh(&w, q->mesh, "AbstractMesh");
	put_lit(&w, " should match the mesh of the operand ");
	put_amesh(&w, t->mesh, "AbstractMesh");
	put_c(&w, 0);
	return diag_error(q->ctx, NOWHERE, E_ARRAY_OTHER_MESH, "for %s, context mesh %s of type %s",
	                  q->name, w.ptr, atype_text(q->ctx, t, TYPE_LONG));
}

static bool meshes_agree(typing *q)
{
	q->mesh = array_state_of(q->ctx)->mesh;
	for (int i = 0; i < q->n_in && !q->mesh; i++)
		q->mesh = q->in[i]->mesh;
	if (strcmp(q->name, "reshard") == 0)
		return true;
	for (int i = 0; i < q->n_in; i++)
		if (!mesh_agrees(q, q->in[i]))
			return false;
	return true;
}

/* Adds a generic diagnostic if a rule fails without one. */
static bool asked_rule(typing *q)
{
	int errors = diag_errors(q->ctx);
	if (q->op->rule(q))
		return true;
	return diag_errors(q->ctx) == errors &&
	       diag_error(q->ctx, NOWHERE, E_ARRAY_SHAPE, "%s does not take %s", q->op->name,
	                  typed_operands_text(q, q->n_in));
}

bool array_type_of(typing *q)
{
	const char *dot = strrchr(q->op->name, '.');
	q->name = dot ? dot + 1 : q->op->name;
	if (!operands_counted(q) || !meshes_agree(q) || !asked_rule(q))
		return false;
	for (int i = 0; i < q->out.len; i++) {
		atype *t = &q->out.ptr[i];
		t->reduced &= ~t->varying; /* reduced operands were cast to varying */
		if (!t->mesh)
			t->mesh = q->mesh;
		if (!atype_check(q->ctx, t))
			return false;
	}
	return typed_communication(q);
}

/* ---- helpers -------------------------------------------------------------------------------- */

/* Operations with bodies are typed where they are called. */
bool typed_by_call(typing *q)
{
	return diag_error(q->ctx, NOWHERE, E_ARRAY_USAGE,
	                  "%s takes a body: it has a function of its own", q->name);
}
