/* typed.c - asking the typing rules, and what they share. */
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

/* ---- asking ----------------------------------------------------------------------------- */

static bool operands_counted(typing *q)
{
	if (q->n_in >= q->op->min_in && (q->op->max_in < 0 || q->n_in <= q->op->max_in))
		return true;
	return diag_error(q->ctx, NOWHERE, E_ARRAY_OP, "%s takes %d operands, not %d", q->op->name,
	                  q->op->min_in, q->n_in);
}

/* Values of another mesh than the one that is set cross by reshard only; a mesh without
 * Explicit or Manual axes does not show in types and does not matter. */
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

/* No refusal without a word: what a rule does not say is about the operands. */
static bool asked_rule(typing *q)
{
	int told = diag_errors(q->ctx);
	if (q->op->rule(q))
		return true;
	return diag_errors(q->ctx) == told &&
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
		t->reduced &= ~t->varying; /* a reduced operand was cast to what varies */
		if (!t->mesh)
			t->mesh = q->mesh;
		if (!atype_check(q->ctx, t))
			return false;
	}
	return typed_communication(q);
}

/* ---- choices for the one who must choose ----------------------------------------------------- */

/* What each device receives when operands are sharded over no other axes than `kept`. */
static int64_t gathered_bytes(const typing *q, axis_set kept)
{
	int64_t bytes = 0;
	for (int i = 0; i < q->n_in; i++) {
		atype t = *q->in[i];
		int64_t before = atype_device_bytes(&t);
		for (int d = 0; d < t.rank; d++)
			t.spec[d] = axis_seq_within(t.spec[d], kept);
		bytes += atype_device_bytes(&t) - before;
	}
	return bytes;
}

static void note_gathered(typing *q, const atype *out)
{
	diag_note(q->ctx, NOWHERE,
	          "out_sharding=%s: all-gather of operands, %" PRId64 " bytes per device",
	          atype_spec_text(q->ctx, out), gathered_bytes(q, atype_axes(out)));
}

void typed_note_choices(typing *q, const atype *out)
{
	atype whole = *out, kept = *out;
	axis_set used = 0;
	memset(whole.spec, 0, sizeof whole.spec);
	note_gathered(q, &whole);
	for (int d = 0; d < kept.rank; d++) {
		kept.spec[d] = axis_seq_without(kept.spec[d], used);
		if (kept.dim[d] % axis_seq_size(kept.mesh, kept.spec[d]))
			kept.spec[d] = 0;
		used |= axis_seq_set(kept.spec[d]);
	}
	if (atype_is_sharded(&kept))
		note_gathered(q, &kept);
}

/* ---- what rules share ---------------------------------------------------------------------- */

atype *typed_out(typing *q, const atype *like)
{
	atype t = *like;
	t.mesh = q->mesh;
	t.varying |= array_state_of(q->ctx)->unchecked ? 0 : typed_varying(q);
	vec_push(&q->ctx->scratch, &q->out, t);
	return &q->out.ptr[q->out.len - 1];
}

axis_set typed_varying(const typing *q)
{
	axis_set v = 0;
	for (int i = 0; i < q->n_in; i++)
		v |= q->in[i]->varying;
	return v;
}

bool axis_normal(tess_ctx *ctx, const char *op, int64_t axis, int rank, int *out)
{
	if (axis < -rank || axis >= rank)
		return diag_error(ctx, NOWHERE, E_ARRAY_ATTRIBUTE,
		                  "%s: axis %" PRId64 " is out of range for rank %d", op, axis,
		                  rank);
	*out = (int)(axis < 0 ? axis + rank : axis);
	return true;
}

int typed_axis(typing *q, const char *key, int rank, int otherwise)
{
	int axis = -1;
	if (!param_has(q->attrs, key))
		return otherwise;
	return axis_normal(q->ctx, q->name, param_int(q->attrs, key, 0), rank, &axis) ? axis : -1;
}

bool typed_from_front(typing *q, const char *key)
{
	return param_int(q->attrs, key, 0) >= 0 ||
	       diag_error(q->ctx, NOWHERE, E_ARRAY_ATTRIBUTE, "%s: %s is negative", q->name, key);
}

bool typed_dims(typing *q, const char *key, int rank, uint32_t otherwise, uint32_t *out)
{
	const int64_t *v;
	int n = param_ints(q->attrs, key, &v), axis = 0;
	*out = n < 0 ? otherwise : 0;
	for (int i = 0; i < n; i++) {
		if (!axis_normal(q->ctx, q->name, v[i], rank, &axis))
			return false;
		if (*out >> axis & 1)
			return diag_error(q->ctx, NOWHERE, E_ARRAY_ATTRIBUTE,
			                  "%s: dimension %d is named twice", q->name, axis);
		*out |= 1u << axis;
	}
	return true;
}

bool typed_out_sharding(typing *q, atype *t)
{
	const pspec *s = param_spec(q->attrs, "out_sharding");
	t->mesh = q->mesh;
	return (!s || atype_shard(q->ctx, t, s, q->name)) && atype_check(q->ctx, t);
}

bool typed_no_unreduced(typing *q)
{
	for (int i = 0; i < q->n_in; i++)
		if (q->in[i]->unreduced)
			return diag_error(
				q->ctx, NOWHERE, E_ARRAY_REDUCED,
				"%s is not linear and cannot accept operands that are unreduced; "
				"got %s",
				q->name, atype_text(q->ctx, q->in[i], TYPE_LONG));
	return true;
}

bool typed_no_partial(typing *q, bool linear)
{
	axis_set manual = amesh_axes_of_kind(q->mesh, AXIS_MANUAL), sums = linear ? manual : 0;
	for (int i = 0; i < q->n_in; i++)
		if (q->in[i]->unreduced & ~sums || q->in[i]->reduced & ~manual)
			return diag_error(
				q->ctx, NOWHERE, E_ARRAY_REDUCED,
				"%s has no rule for unreduced or reduced operands; got %s", q->name,
				atype_text(q->ctx, q->in[i], TYPE_SHORT));
	return true;
}

bool typed_resized(typing *q, const atype *in, atype *out, const char *verb)
{
	if (atype_elements(out) == 1) { /* one element is nowhere split */
		memset(out->spec, 0, sizeof out->spec);
		return true;
	}
	for (int d = 0; d < out->rank; d++) {
		int64_t parts = axis_seq_size(out->mesh, out->spec[d]);
		if (in->dim[d] == out->dim[d] || out->dim[d] % parts == 0)
			continue;
		return diag_error(
			q->ctx, NOWHERE, E_ARRAY_INDIVISIBLE,
			"%s on sharded dims where out dim (%" PRId64 ") is not divisible by "
			"mesh axes (%" PRId64 ") is not possible; got input type %s: reshard "
			"dimension %d first",
			verb, out->dim[d], parts, atype_text(q->ctx, in, TYPE_SHORT), d);
	}
	return true;
}

const char *typed_operands_text(typing *q, int n)
{
	writer w;
	writer_init(&w, &q->ctx->scratch);
	for (int i = 0; i < n; i++) {
		put_z(&w, i ? ", " : "");
		put_atype(&w, q->in[i], TYPE_SHORT);
	}
	return writer_z(&w);
}

const char *typed_spec_of(typing *q, const atype *t, const int64_t *dims, int n)
{
	atype part = {.rank = n, .mesh = t->mesh};
	writer w;
	for (int i = 0; i < n; i++)
		part.spec[i] = t->spec[dims[i]];
	writer_init(&w, &q->ctx->scratch);
	put_spec_tuple(&w, &part, 0, n);
	return writer_z(&w);
}

bool atype_uses_axis_twice(const atype *t)
{
	axis_set used = 0;
	for (int d = 0; d < t->rank; d++) {
		axis_set mine = axis_seq_set(t->spec[d]);
		if (used & mine)
			return true;
		used |= mine;
	}
	return false;
}

bool typed_illegal_result(typing *q, const atype *t, int n_operands)
{
	return diag_error(q->ctx, NOWHERE, E_ARRAY_DUPLICATE,
	                  "%s operation with inputs: %s produces an illegally sharded result: %s",
	                  q->name, typed_operands_text(q, n_operands),
	                  atype_text(q->ctx, t, TYPE_SHORT));
}

/* Operations with bodies are typed where they are called. */
bool typed_by_call(typing *q)
{
	return diag_error(q->ctx, NOWHERE, E_ARRAY_USAGE,
	                  "%s takes a body: it has a function of its own", q->name);
}
