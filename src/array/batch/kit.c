/* kit.c - helpers for the rules of vmap. */
#include "array/batch/batch.h"

atype batch_type(const batch *b, const atype *t, int at)
{
	atype out = *t;
	out.mesh = t->mesh ? t->mesh : b->like->mesh;
	for (int d = out.rank++; d > at; d--) {
		out.dim[d] = t->dim[d - 1];
		out.spec[d] = t->spec[d - 1];
	}
	out.dim[at] = b->like->dim[0];
	out.spec[at] = axis_seq_without(b->like->spec[0], amesh_axes_of_kind(out.mesh, AXIS_AUTO));
	return out;
}

/* Returns a spec with the axes of the mapped dimension in front. */
static const pspec *batch_spec(batch *b, const pspec *s)
{
	pspec *out = NEW(&b->ctx->perm, pspec);
	axis_seq first = b->like->spec[0];
	*out = *s;
	out->n = s->n < ARRAY_MAX_RANK ? s->n + 1 : s->n;
	memmove(out->dim + 1, s->dim, sizeof *s->dim * (size_t)(out->n - 1));
	out->dim[0] = (struct pspec_dim){.n = axis_seq_len(first)};
	for (int i = 0; i < out->dim[0].n; i++)
		out->dim[0].axis[i] = b->like->mesh->axis[axis_seq_at(first, i)];
	return out;
}

anode *batch_append(batch *b, const array_op *op, avalue *const *in, int n_in, const params *a,
                    const atype *types, int n_out)
{
	params *own = params_copy(&b->ctx->scratch, a);
	for (int i = 0; i < own->list.len; i++) {
		param *p = &own->list.ptr[i];
		bool result = strcmp(p->key, "out_sharding") == 0, put = strcmp(p->key, "sharding") == 0;
		if (p->kind != PK_SPECS || p->n != 1 || (!result && !put) || !types[0].mesh)
			continue;
		const pspec *s = result || strcmp(op->name, "jax.reshard") == 0
		                         ? pspec_of(b->ctx, &types[0])
		                         : batch_spec(b, p->specs[0]);
		p->specs = COPY_N(&b->ctx->scratch, &s, 1);
	}
	return afn_append(array_state_of(b->ctx)->trace, op, in, n_in, own, types, n_out);
}

avalue *batch_node(batch *b, const char *op, avalue *const *in, int n_in, const params *a,
                   const atype *t)
{
	for (int i = 0; i < n_in; i++)
		if (!in[i]) {
			b->failed = true;
			return NULL;
		}
	return batch_append(b, array_op_named(b->ctx, op), in, n_in, a, t, 1)->out[0];
}

params *batch_params(batch *b) { return params_copy(&b->ctx->scratch, b->node->attrs); }

params *batch_ints(batch *b, params *a, const char *key, const int64_t *v, int n)
{
	if (!a)
		a = NEW(&b->ctx->scratch, params);
	params_set_ints(&b->ctx->scratch, a, key, v, n);
	return a;
}

avalue *batch_reshape(batch *b, avalue *v, const atype *t)
{
	return batch_node(b, "lax.reshape", &v, 1,
	                  batch_ints(b, NULL, "new_sizes", t->dim, t->rank), t);
}

/* Moves dimension `from` to position `to`. */
avalue *batch_moved(batch *b, avalue *v, int from, int to)
{
	int64_t perm[ARRAY_MAX_RANK];
	if (!v || from == to)
		return v;
	atype t = *v->type;
	for (int d = 0, next = 0; d < t.rank; d++) {
		next += next == from;
		perm[d] = d == to ? from : next++;
		t.dim[d] = v->type->dim[perm[d]];
		t.spec[d] = v->type->spec[perm[d]];
	}
	return batch_node(b, "lax.transpose", &v, 1,
	                  batch_ints(b, NULL, "permutation", perm, t.rank), &t);
}

avalue *batch_resharded(batch *b, avalue *v, const atype *t)
{
	const pspec *s = pspec_of(b->ctx, t);
	params a = {0};
	params_set(&b->ctx->scratch, &a,
	           (param){.key = "sharding", .kind = PK_SPECS, .n = 1, .specs = &s});
	return batch_node(b, "jax.reshard", &v, 1, &a, t);
}

avalue *batch_whole(batch *b, avalue *v)
{
	if (!v || !v->type->spec[0])
		return v;
	atype t = *v->type;
	t.spec[0] = 0;
	return batch_resharded(b, v, &t);
}

/* Broadcasts a value that is the same for all elements. */
avalue *batch_spread(batch *b, avalue *v)
{
	atype t = batch_type(b, v->type, 0);
	int64_t dims[ARRAY_MAX_RANK];
	for (int d = 0; d < v->type->rank; d++)
		dims[d] = d + 1;
	params *a = batch_ints(b, batch_ints(b, NULL, "shape", t.dim, t.rank),
	                       "broadcast_dimensions", dims, t.rank - 1);
	return batch_node(b, "lax.broadcast_in_dim", &v, 1, a, &t);
}

avalue *batch_operand(batch *b, int i)
{
	return b->mapped[i] ? b->in[i] : batch_spread(b, b->in[i]);
}

/* Inserts dimensions of 1 after the mapped one, until the value has the inner rank. */
avalue *batch_aligned(batch *b, avalue *v, int rank)
{
	atype t = *v->type;
	int lack = rank + 1 - t.rank;
	if (lack <= 0)
		return v;
	for (int d = t.rank + lack - 1; d > lack; d--) {
		t.dim[d] = t.dim[d - lack];
		t.spec[d] = t.spec[d - lack];
	}
	for (int d = 1; d <= lack; d++) {
		t.dim[d] = 1;
		t.spec[d] = 0;
	}
	t.rank += lack;
	return batch_reshape(b, v, &t);
}
