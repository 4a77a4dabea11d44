/* shape.c - derivatives of operations that move data: the cotangent is moved back, with 0
 * elsewhere. */
#include "array/grad/grad.h"

void back_reshape(backward *b)
{
	atype want = atype_cotangent(b->node->in[0]->type);
	params *a = back_ints(b, "new_sizes", want.dim, want.rank);
	/* a reshape keeps unreduced axes: it may only reshard dimensions */
	if (b->ct && b->ct->type->unreduced == want.unreduced &&
	    b->ct->type->reduced == want.reduced)
		back_spec(b, a, "out_sharding", &want);
	back_give(b, 0, back1(b, "lax.reshape", b->ct, a));
}

void back_transpose(backward *b)
{
	const int64_t *perm;
	int64_t inverse[ARRAY_MAX_RANK];
	int rank = b->node->in[0]->type->rank, n = param_ints(b->node->attrs, "permutation", &perm);
	for (int d = 0; d < rank; d++)
		inverse[n < 0 ? rank - 1 - d : perm[d]] = d;
	back_give(b, 0,
	          back1(b, "lax.transpose", b->ct, back_ints(b, "permutation", inverse, rank)));
}

void back_broadcast_in_dim(backward *b)
{
	const atype *x = b->node->in[0]->type, *out = b->node->out[0]->type;
	const int64_t *at;
	int64_t axes[ARRAY_MAX_RANK];
	bool kept[ARRAY_MAX_RANK] = {false};
	int n = 0;
	param_ints(b->node->attrs, "broadcast_dimensions", &at);
	for (int i = 0; i < x->rank; i++)
		kept[at[i]] = x->dim[i] == out->dim[at[i]];
	for (int d = 0; d < out->rank; d++)
		if (!kept[d])
			axes[n++] = d;
	avalue *ct = b->ct;
	if (n)
		ct = back1(b, "lax.reduce_sum", ct, back_ints(b, "axes", axes, n));
	if (ct && ct->type->rank != x->rank)
		ct = back1(b, "lax.reshape", ct, back_ints(b, "new_sizes", x->dim, x->rank));
	back_give(b, 0, ct);
}

/* The rest of the operand gets zeros. */
void back_slice(backward *b)
{
	const atype *x = b->node->in[0]->type, *out = b->node->out[0]->type;
	const int64_t *from, *step;
	int64_t config[3 * ARRAY_MAX_RANK];
	bool by = param_ints(b->node->attrs, "strides", &step) >= 0;
	param_ints(b->node->attrs, "start_indices", &from);
	for (int d = 0; d < x->rank; d++) {
		int64_t gap = by ? step[d] - 1 : 0,
			span = out->dim[d] ? (out->dim[d] - 1) * (gap + 1) + 1 : 0;
		config[3 * d] = from[d];
		config[3 * d + 1] = x->dim[d] - from[d] - span;
		config[3 * d + 2] = gap;
	}
	back_give(b, 0,
	          back2(b, "lax.pad", b->ct, back_number(b, 0),
	                back_ints(b, "padding_config", config, 3 * x->rank)));
}

void back_concatenate(backward *b)
{
	int64_t start[ARRAY_MAX_RANK] = {0}, limit[ARRAY_MAX_RANK];
	int rank = b->node->out[0]->type->rank, axis = 0;
	if (!axis_normal(b->ctx, "concatenate", param_int(b->node->attrs, "dimension", 0), rank,
	                 &axis))
		b->failed = true;
	memcpy(limit, b->node->out[0]->type->dim, sizeof limit);
	limit[axis] = 0;
	for (int i = 0; i < b->node->n_in && !b->failed; i++) {
		start[axis] = limit[axis];
		limit[axis] += b->node->in[i]->type->dim[axis];
		params *a = back_ints(b, "start_indices", start, rank);
		params_set_ints(&b->ctx->scratch, a, "limit_indices", limit, rank);
		back_give(b, i, back1(b, "lax.slice", b->ct, a));
	}
}

void back_rev(backward *b) { back_give(b, 0, back1(b, "lax.rev", b->ct, back_params(b))); }

/* Inverts padding: what it cropped is 0 again, what it added is removed. Keeps elements from … to
 * of each dimension, counted in ct. */
static avalue *back_uncut(backward *b, int64_t *from, int64_t *to)
{
	const atype *t = b->ct->type;
	int64_t config[3 * ARRAY_MAX_RANK] = {0};
	for (int d = 0; d < t->rank; d++) {
		config[3 * d] = -from[d];
		config[3 * d + 1] = to[d] - t->dim[d];
		to[d] -= from[d];
		from[d] = 0;
	}
	return back2(b, "lax.pad", b->ct, back_number(b, 0),
	             back_ints(b, "padding_config", config, 3 * t->rank));
}

/* The operand gets the unpadded part; the padding value gets the sum of the rest. */
void back_pad(backward *b)
{
	const atype *x = b->node->in[0]->type, *t = b->node->out[0]->type;
	const int64_t *p;
	int64_t from[ARRAY_MAX_RANK], to[ARRAY_MAX_RANK], by[ARRAY_MAX_RANK];
	bool cut = false;
	param_ints(b->node->attrs, "padding_config", &p);
	for (int d = 0; d < x->rank; d++) {
		by[d] = p[3 * d + 2] + 1;
		from[d] = p[3 * d];
		to[d] = x->dim[d] ? from[d] + (x->dim[d] - 1) * by[d] + 1 : from[d];
		cut |= from[d] < 0 || to[d] > t->dim[d];
	}
	avalue *whole = cut ? back_uncut(b, from, to) : b->ct;
	params *a = back_ints(b, "start_indices", from, x->rank);
	params_set_ints(&b->ctx->scratch, a, "limit_indices", to, x->rank);
	params_set_ints(&b->ctx->scratch, a, "strides", by, x->rank);
	avalue *ct = back1(b, "lax.slice", whole, a);
	back_give(b, 0, ct);
	if (b->node->n_in > 1 && is_active(b, b->node->in[1])) {
		avalue *all = back1(b, "lax.reduce_sum", b->ct, NULL),
		       *kept = back1(b, "lax.reduce_sum", ct, NULL);
		back_give(b, 1, back2(b, "lax.sub", all, kept, NULL));
	}
}

/* The rest of the operand gets zeros. */
void back_dynamic_slice(backward *b)
{
	avalue *zeros = back_zeros(b, b->node->in[0]->type);
	back_give(b, 0,
	          back_apply(b, "lax.dynamic_update_slice", zeros, 1, b->node->n_in, b->ct, NULL));
}

void back_dynamic_update_slice(backward *b)
{
	const atype *u = b->node->in[1]->type;
	avalue *zeros = back_zeros(b, u);
	back_give(b, 0,
	          back_apply(b, "lax.dynamic_update_slice", b->ct, 2, b->node->n_in, zeros, NULL));
	back_give(b, 1,
	          back_apply(b, "lax.dynamic_slice", b->ct, 2, b->node->n_in, NULL,
	                     back_ints(b, "slice_sizes", u->dim, u->rank)));
}

void back_stack(backward *b)
{
	avalue **parts = NEW_N(&b->ctx->scratch, avalue *, b->node->n_in + 1);
	if (array_emit(b->ctx, "jnp.unstack", &b->ct, 1, b->node->attrs, parts, b->node->n_in) !=
	    b->node->n_in)
		b->failed = true;
	for (int i = 0; i < b->node->n_in && !b->failed; i++)
		back_give(b, i, parts[i]);
}

/* Concatenates the parts' cotangents; missing ones are 0. */
void back_pieces(backward *b)
{
	const anode *n = b->node;
	bool stacked = strcmp(n->op->name, "jnp.unstack") == 0;
	avalue **parts = NEW_N(&b->ctx->scratch, avalue *, n->n_out + 1), *out = NULL;
	int64_t axis = param_int(n->attrs, "axis", 0);
	axis += axis < 0 ? n->in[0]->type->rank : 0;
	for (int i = 0; i < n->n_out; i++) {
		parts[i] = back_ct(b, i);
		if (!parts[i])
			parts[i] = back_zeros(b, n->out[i]->type);
	}
	params *a = back_ints(b, stacked ? "axis" : "dimension", &axis, 1);
	if (b->failed || array_emit(b->ctx, stacked ? "lax.stack" : "lax.concatenate", parts,
	                            n->n_out, a, &out, 1) != 1)
		b->failed = true;
	else
		back_give(b, 0, out);
}
