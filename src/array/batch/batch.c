/* batch.c - vmap: emits a function of one element for all elements along a dimension.
 *
 * Each value of the function either is the same for all elements, or gets the mapped dimension in
 * front. An operation without mapped operands is emitted unchanged. For others, a row of the table
 * names the rule that shifts attributes by one dimension; operations without a row are applied
 * element by element, in a scan. A collective that names the mapped dimension becomes an operation
 * on that dimension (comm.c).
 *
 * Typing rules are not run again: each type is the inner one plus the mapped dimension. */
#include "array/batch/batch.h"
#include "array/typed/typed.h"

/* A replacement value, and whether it is mapped. */
typedef struct batched {
	avalue *v;
	bool mapped;
} batched;

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

/* Emits a node without mapped operands unchanged. */
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
                const atype *like, tess_str name, const bool *same, avalue **outs)
{
	array_state *st = array_state_of(ctx);
	const amesh *mesh = st->mesh;
	ptr_map copies = {0};
	batch b = {.ctx = ctx, .like = like, .name = name};
	for (int i = 0; i < f->params.len && !b.failed; i++) {
		batched *v = NEW(&ctx->scratch, batched);
		*v = (batched){afn_lift(st->trace, params[i]), mapped[i]};
		*ptr_map_at(&copies, &ctx->scratch, f->params.ptr[i]) = v;
		b.failed = !v->v;
	}
	for (int i = 0; i < f->nodes.len && !b.failed; i++) {
		const anode *n = b.node = f->nodes.ptr[i];
		bool any = false, along = batch_speaks_of(n, name);
		b.in = NEW_N(&ctx->scratch, avalue *, n->n_in + 1);
		b.out = NEW_N(&ctx->scratch, avalue *, n->n_out + 1);
		b.mapped = NEW_N(&ctx->scratch, bool, n->n_in + 1);
		for (int k = 0; k < n->n_in; k++) {
			const batched *v = ptr_map_get(&copies, n->in[k]);
			b.in[k] = v->v;
			any |= b.mapped[k] = v->mapped;
		}
		st->mesh = n->mesh;
		b.same = false;
		if (along && !n->n_bodies)
			batch_named(&b);
		else if (any || along)
			batch_rule(n->op)(&b);
		else
			b.failed |= !batch_same(&b);
		for (int k = 0; k < n->n_out && !b.failed; k++) {
			batched *v = NEW(&ctx->scratch, batched);
			*v = (batched){b.out[k], (any || along) && !b.same};
			*ptr_map_at(&copies, &ctx->scratch, n->out[k]) = v;
		}
	}
	st->mesh = mesh;
	for (int i = 0; i < f->outs.len && !b.failed; i++) {
		const batched *v = ptr_map_get(&copies, f->outs.ptr[i]);
		if (same && same[i] && v->mapped)
			return diag_error(ctx, NOWHERE, E_ARRAY_MAPPED,
			                  "vmap: out_axes says that result %d is the same for all "
			                  "elements, and it is not",
			                  i);
		outs[i] = v->mapped || (same && same[i]) ? v->v : batch_spread(&b, v->v);
		b.failed = !outs[i];
	}
	return !b.failed;
}
