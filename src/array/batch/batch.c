/* batch.c - vmap: a function of one element, written for all elements along a dimension.
 *
 * Every value of the function either is the same for all elements or gets the mapped dimension
 * in front.  An operation none of whose operands has it is written as it is.  Else its
 * attributes are shifted by one dimension: a row of the table names who does that.  What has no
 * row goes through the elements one by one, in a scan.
 *
 * The types need not be asked for again: each is what it was inside, and the mapped dimension. */
#include "array/batch/batch.h"
#include "array/typed/typed.h"

/* A value in front and whether it is mapped. */
typedef struct batched {
	avalue *v;
	bool mapped;
} batched;

/* ---- types and nodes ---------------------------------------------------------------------- */

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

/* A spec with the axes of the mapped dimension in front. */
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

/* Dimension `from` goes to the place `to`. */
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

/* The same for all elements, now once for each. */
static avalue *batch_spread(batch *b, avalue *v)
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

/* Dimensions of 1 behind the mapped one, until the value has the rank inside. */
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

/* ---- the table ------------------------------------------------------------------------------- */

#define BATCH(op, rule) {op, rule},
static const struct {
	const char *op;
	batch_fn *rule;
} batch_rules[] = {
#include "array/batch/batch.def"
};
#undef BATCH

static batch_fn *batch_rule(const array_op *op)
{
	for (int i = 0; i < COUNT(batch_rules); i++)
		if (strcmp(batch_rules[i].op, op->name) == 0)
			return batch_rules[i].rule;
	return op->rule == typed_unary || op->rule == typed_nary ? batch_elementwise : batch_each;
}

bool batch_possible(const afn *f)
{
	for (int i = 0; i < f->nodes.len; i++) {
		const anode *n = f->nodes.ptr[i];
		if (n->n_bodies && batch_rule(n->op) == batch_each)
			return false;
		for (int b = 0; b < n->n_bodies; b++)
			if (!batch_possible(n->body[b]))
				return false;
	}
	return true;
}

/* A node none of whose operands is mapped is written as it is. */
static bool batch_same(batch *b)
{
	const anode *n = b->node;
	if (!n->n_bodies) {
		afn *f = array_state_of(b->ctx)->trace;
		atype *types = NEW_N(&b->ctx->scratch, atype, n->n_out + 1);
		for (int i = 0; i < n->n_out; i++)
			types[i] = *n->out[i]->type;
		const anode *made = afn_append(f, n->op, b->in, n->n_in, n->attrs, types, n->n_out);
		for (int i = 0; i < n->n_out; i++)
			b->out[i] = made->out[i];
		return true;
	}
	replay *r = NEW_N(&b->ctx->scratch, replay, n->n_bodies);
	void **env = NEW_N(&b->ctx->scratch, void *, n->n_bodies);
	for (int k = 0; k < n->n_bodies; k++) {
		r[k] = (replay){n->body[k], b->in + captures_from(n, k)};
		env[k] = &r[k];
	}
	return replay_call(b->ctx, n, b->in, replay_body, env, b->out) == n->n_out;
}

bool batch_into(tess_ctx *ctx, const afn *f, avalue *const *params, const bool *mapped,
                const atype *like, avalue **outs)
{
	array_state *st = array_state_of(ctx);
	const amesh *mesh = st->mesh;
	ptr_map copies = {0};
	batch b = {.ctx = ctx, .like = like};
	for (int i = 0; i < f->params.len && !b.failed; i++) {
		batched *v = NEW(&ctx->scratch, batched);
		*v = (batched){afn_lift(st->trace, params[i]), mapped[i]};
		*ptr_map_at(&copies, &ctx->scratch, f->params.ptr[i]) = v;
		b.failed = !v->v;
	}
	for (int i = 0; i < f->nodes.len && !b.failed; i++) {
		const anode *n = b.node = f->nodes.ptr[i];
		bool any = false;
		b.in = NEW_N(&ctx->scratch, avalue *, n->n_in + 1);
		b.out = NEW_N(&ctx->scratch, avalue *, n->n_out + 1);
		b.mapped = NEW_N(&ctx->scratch, bool, n->n_in + 1);
		for (int k = 0; k < n->n_in; k++) {
			const batched *v = ptr_map_get(&copies, n->in[k]);
			b.in[k] = v->v;
			any |= b.mapped[k] = v->mapped;
		}
		st->mesh = n->mesh;
		if (any)
			batch_rule(n->op)(&b);
		else
			b.failed |= !batch_same(&b);
		for (int k = 0; k < n->n_out && !b.failed; k++) {
			batched *v = NEW(&ctx->scratch, batched);
			*v = (batched){b.out[k], any};
			*ptr_map_at(&copies, &ctx->scratch, n->out[k]) = v;
		}
	}
	st->mesh = mesh;
	for (int i = 0; i < f->outs.len && !b.failed; i++) {
		const batched *v = ptr_map_get(&copies, f->outs.ptr[i]);
		outs[i] = v->mapped ? v->v : batch_spread(&b, v->v);
		b.failed = !outs[i];
	}
	return !b.failed;
}
