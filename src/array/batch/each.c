/* each.c - applies an operation without a rule element by element, in a scan. */
#include "array/batch/batch.h"

typedef struct each_env {
	batch *b;
} each_env;

/* The operation on one element: mapped operands are parameters, the others are captured. */
static int each_body(tess_ctx *ctx, void *env, avalue *const *in, int n_in, avalue **out, int cap)
{
	batch *b = ((each_env *)env)->b;
	const anode *n = b->node;
	afn *f = array_state_of(ctx)->trace;
	avalue **args = NEW_N(&ctx->scratch, avalue *, n->n_in + 1);
	atype *types = NEW_N(&ctx->scratch, atype, n->n_out + 1);
	UNUSED(n_in);
	UNUSED(cap);
	for (int i = 0, at = 0; i < n->n_in; i++)
		if (!(args[i] = afn_lift(f, b->mapped[i] ? in[at++] : b->in[i])))
			return -1;
	for (int i = 0; i < n->n_out; i++)
		types[i] = *n->out[i]->type;
	const anode *made = afn_append(f, n->op, args, n->n_in, n->attrs, types, n->n_out);
	for (int i = 0; i < n->n_out; i++)
		out[i] = made->out[i];
	return n->n_out;
}

void batch_each(batch *b)
{
	const anode *n = b->node;
	avalue **xs = NEW_N(&b->ctx->scratch, avalue *, n->n_in + 1);
	int n_xs = 0;
	each_env e = {b};
	void *env = &e;
	params a = {0};
	for (int i = 0; i < n->n_in; i++)
		if (b->mapped[i])
			xs[n_xs++] = batch_whole(b, b->in[i]);
	call_with_body c = {.ctx = b->ctx,
	                    .body = each_body,
	                    .env = &env,
	                    .n_bodies = 1,
	                    .in = xs,
	                    .n_in = n_xs,
	                    .attrs = batch_ints(b, &a, "length", &b->like->dim[0], 1),
	                    .out = b->out,
	                    .cap = n->n_out};
	if (array_scan(&c) != n->n_out) {
		b->failed = true;
		return;
	}
	for (int i = 0; i < n->n_out && b->like->spec[0]; i++) {
		atype t = batch_type(b, n->out[i]->type, 0);
		b->out[i] = batch_resharded(b, b->out[i], &t);
	}
}
