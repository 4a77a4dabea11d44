/* dot.c - typing of products: the result has the batch dimensions, then those of the left operand,
 * then those of the right one. */
#include "array/typed/typed.h"

typedef struct dot_request {
	const int64_t *lhs_contract, *rhs_contract, *lhs_batch, *rhs_batch;
	int n_contract, n_batch;
} dot_request;

static bool dot_read(typing *q, dot_request *d)
{
	int lc = param_ints(q->attrs, "lhs_contract", &d->lhs_contract);
	int rc = param_ints(q->attrs, "rhs_contract", &d->rhs_contract);
	int lb = param_ints(q->attrs, "lhs_batch", &d->lhs_batch);
	int rb = param_ints(q->attrs, "rhs_batch", &d->rhs_batch);
	d->n_contract = lc < 0 ? 0 : lc;
	d->n_batch = lb < 0 ? 0 : lb;
	if (d->n_contract != (rc < 0 ? 0 : rc) || d->n_batch != (rb < 0 ? 0 : rb))
		return diag_error(
			q->ctx, NOWHERE, E_ARRAY_ATTRIBUTE,
			"dot_general: both sides must have the same number of contracting and of batch dimensions");
	return true;
}

static bool dot_pair(typing *q, int64_t l, int64_t r, uint32_t *used_l, uint32_t *used_r)
{
	const atype *a = q->in[0], *b = q->in[1];
	if (l < 0 || l >= a->rank || r < 0 || r >= b->rank || *used_l >> l & 1 || *used_r >> r & 1)
		return diag_error(q->ctx, NOWHERE, E_ARRAY_ATTRIBUTE,
		                  "dot_general: dimension %" PRId64 " of the left or %" PRId64
		                  " of the right operand is out of range or named twice",
		                  l, r);
	*used_l |= 1u << l;
	*used_r |= 1u << r;
	if (a->dim[l] == b->dim[r])
		return true;
	return diag_error(q->ctx, NOWHERE, E_ARRAY_SHAPE,
	                  "dot_general: dimensions %" PRId64 " and %" PRId64 " differ in size: %s",
	                  l, r, typed_operands_text(q, 2));
}

static void dot_append(atype *out, const atype *from, uint32_t skip)
{
	for (int d = 0; d < from->rank; d++)
		if (!(skip >> d & 1) && out->rank < ARRAY_MAX_RANK) {
			out->dim[out->rank] = from->dim[d];
			out->spec[out->rank++] = from->spec[d];
		}
}

/* Computes the shape, with the sharding of the free dimensions. */
static bool dot_out_shape(typing *q, const dot_request *d, atype *out)
{
	uint32_t used_l = 0, used_r = 0;
	for (int i = 0; i < d->n_batch; i++) {
		if (!dot_pair(q, d->lhs_batch[i], d->rhs_batch[i], &used_l, &used_r))
			return false;
		out->dim[i] = q->in[0]->dim[d->lhs_batch[i]];
		out->spec[i] = q->in[0]->spec[d->lhs_batch[i]];
	}
	out->rank = d->n_batch;
	for (int i = 0; i < d->n_contract; i++)
		if (!dot_pair(q, d->lhs_contract[i], d->rhs_contract[i], &used_l, &used_r))
			return false;
	dot_append(out, q->in[0], used_l);
	dot_append(out, q->in[1], used_r);
	return true;
}

/* ---- suggesting out_sharding ---------------------------------------------------------------- */

static void note_choice(typing *q, const atype *out, const char *what, int64_t bytes)
{
	diag_note(q->ctx, NOWHERE, "out_sharding=%s: %s, %" PRId64 " bytes per device",
	          atype_spec_text(q->ctx, out), what, bytes);
}

/* Costs on a ring: an all-reduce moves its operand twice, a reduce-scatter once. */
static void note_dot_choices(typing *q, const atype *out, axis_set summed)
{
	atype t = *out;
	writer w;
	for (int d = 0; d < t.rank; d++)
		t.spec[d] = axis_seq_without(t.spec[d], summed);
	int64_t bytes = atype_device_bytes(&t);
	writer_init(&w, &q->ctx->scratch);
	put_axis_set(&w, t.mesh, summed);
	put_c(&w, 0);
	note_choice(q, &t, arena_printf(&q->ctx->scratch, "all-reduce over %s", w.ptr), 2 * bytes);
	for (int d = 0; d < t.rank; d++) {
		atype scattered = t;
		for (int a = 0; a < t.mesh->n; a++)
			if (summed >> a & 1)
				scattered.spec[d] = axis_seq_add(scattered.spec[d], a);
		if (scattered.dim[d] % axis_seq_size(t.mesh, scattered.spec[d]) == 0)
			note_choice(q, &scattered,
			            arena_printf(&q->ctx->scratch, "reduce-scatter over %s", w.ptr),
			            bytes);
	}
	diag_note(q->ctx, NOWHERE, "out_sharding=%s with U:%s: nothing now, reduce later",
	          atype_spec_text(q->ctx, &t), w.ptr);
}

/* ---- contracting dimensions ----------------------------------------------------------------- */

/* Finds the axes that are summed over: those that shard a contracting dimension on both sides. */
static bool dot_contract(typing *q, const dot_request *d, axis_set *summed, bool *one_sided)
{
	*summed = 0;
	*one_sided = false;
	for (int i = 0; i < d->n_contract; i++) {
		axis_seq l = q->in[0]->spec[d->lhs_contract[i]],
			 r = q->in[1]->spec[d->rhs_contract[i]];
		if (l && r && l != r)
			return diag_error(
				q->ctx, NOWHERE, E_ARRAY_AMBIGUOUS,
				"dot_general requires contracting dimensions to have consistent "
				"sharding, got %s and %s",
				typed_spec_of(q, q->in[0], d->lhs_contract, d->n_contract),
				typed_spec_of(q, q->in[1], d->rhs_contract, d->n_contract));
		if (l == r)
			*summed |= axis_seq_set(l);
		else
			*one_sided = true;
	}
	return true;
}

static bool dot_batch(typing *q, const dot_request *d)
{
	for (int i = 0; i < d->n_batch; i++)
		if (q->in[0]->spec[d->lhs_batch[i]] != q->in[1]->spec[d->rhs_batch[i]])
			return diag_error(
				q->ctx, NOWHERE, E_ARRAY_INCOMPATIBLE,
				"dot_general requires lhs batch dimensions and rhs batch dimensions "
				"to have the same sharding, got %s and %s",
				typed_spec_of(q, q->in[0], d->lhs_batch, d->n_batch),
				typed_spec_of(q, q->in[1], d->rhs_batch, d->n_batch));
	return true;
}

static bool dot_given(typing *q, const dot_request *d, atype *out)
{
	axis_set summed = 0, gathered = 0;
	if (!typed_out_sharding(q, out))
		return false;
	for (int i = 0; i < d->n_contract; i++) {
		axis_seq l = q->in[0]->spec[d->lhs_contract[i]],
			 r = q->in[1]->spec[d->rhs_contract[i]];
		if (l == r)
			summed |= axis_seq_set(l);
		else
			gathered |= axis_seq_set(l) | axis_seq_set(r);
	}
	if (out->unreduced & gathered)
		return diag_error(q->ctx, NOWHERE, E_ARRAY_REDUCED,
		                  "lhs and rhs contracting dims should be sharded identically when "
		                  "out_sharding of dot_general is unreduced; got %s",
		                  typed_operands_text(q, 2));
	if (out->unreduced && out->unreduced != summed)
		return diag_error(
			q->ctx, NOWHERE, E_ARRAY_REDUCED,
			"out_sharding's unreduced axes should be equal to the contracted ones; "
			"got %s of %s",
			atype_text(q->ctx, out, TYPE_SHORT), typed_operands_text(q, 2));
	return true;
}

static bool dot_reduced(typing *q)
{
	for (int i = 0; i < 2; i++)
		if (q->in[i]->unreduced)
			return diag_error(
				q->ctx, NOWHERE, E_ARRAY_REDUCED,
				"lhs or rhs passed to dot_general cannot be unreduced; got %s",
				typed_operands_text(q, 2));
	return true;
}

bool typed_dot(typing *q)
{
	dot_request d = {0};
	axis_set summed;
	bool one_sided, weak;
	atype *out = typed_out(q, q->in[0]);
	if (!dot_read(q, &d) || !dot_out_shape(q, &d, out) || !dot_reduced(q))
		return false;
	if (q->in[0]->rank + q->in[1]->rank - d.n_batch - 2 * d.n_contract > ARRAY_MAX_RANK)
		return diag_error(q->ctx, NOWHERE, E_ARRAY_RANK, "the result has too many dimensions");
	out->dtype = param_dtype(q->attrs, "preferred_element_type",
	                        dtype_meet(q->in[0], q->in[1], &weak));
	out->weak = false;
	out->reduced = out->unreduced = 0;
	if (param_has(q->attrs, "out_sharding"))
		return dot_given(q, &d, out);
	if (!dot_batch(q, &d) || !dot_contract(q, &d, &summed, &one_sided))
		return false;
	if (summed) {
		diag_error(
			q->ctx, NOWHERE, E_ARRAY_AMBIGUOUS,
			"contracting dimensions are sharded and it is ambiguous how the output should "
			"be sharded; pass out_sharding. Got %s and %s",
			typed_spec_of(q, q->in[0], d.lhs_contract, d.n_contract),
			typed_spec_of(q, q->in[1], d.rhs_contract, d.n_contract));
		note_dot_choices(q, out, summed);
		return false;
	}
	return !atype_uses_axis_twice(out) || typed_illegal_result(q, out, 2);
}

/* Groups of rows of the left operand, each with its own matrix; out_sharding decides. */
bool typed_ragged_dot(typing *q)
{
	const atype *a = q->in[0], *b = q->in[1];
	if (a->rank != 2 || b->rank != 3 || a->dim[1] != b->dim[1])
		return diag_error(q->ctx, NOWHERE, E_ARRAY_SHAPE,
		                  "ragged_dot: shapes do not fit: %s",
		                  typed_operands_text(q, q->n_in));
	atype *out = typed_out(q, a);
	out->dim[1] = b->dim[2];
	if (param_has(q->attrs, "out_sharding"))
		return typed_out_sharding(q, out);
	if (amesh_axes_of_kind(q->mesh, AXIS_EXPLICIT))
		return diag_error(q->ctx, NOWHERE, E_ARRAY_AMBIGUOUS,
		                  "ragged_dot has no sharding rule: pass out_sharding");
	return true;
}
