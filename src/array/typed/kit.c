/* kit.c - helpers of typing rules. */
#include "array/typed/typed.h"

/* Returns how many bytes each device receives if operands are sharded over `kept` only. */
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
	if (atype_elements(out) == 1) { /* a single element is not sharded */
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
