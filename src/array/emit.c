/* emit.c - emits an operation: runs its typing rule, and appends a node to the function being
 * traced. */
#include "array/array.h"

static int emit_made(tess_ctx *ctx, const array_op *op, avalue *const *in, int n_in,
                     const params *a, avalue **out, int cap)
{
	maker k = {.ctx = ctx, .op = op, .in = in, .n_in = n_in, .attrs = a};
	if (n_in < op->min_in || (op->max_in >= 0 && n_in > op->max_in)) {
		diag_error(ctx, NOWHERE, E_ARRAY_OP, "%s takes %d operands, not %d", op->name,
		           op->min_in, n_in);
		return -1;
	}
	int errors = diag_errors(ctx);
	if (!op->make(&k)) {
		if (diag_errors(ctx) == errors)
			diag_error(ctx, NOWHERE, E_ARRAY_SHAPE, "%s does not take these operands",
			           op->name);
		return -1;
	}
	if (k.out.len > cap)
		return -1;
	for (int i = 0; i < k.out.len; i++) {
		if (!k.out.ptr[i])
			return -1;
		out[i] = k.out.ptr[i];
	}
	return k.out.len;
}

static int emit_primitive(tess_ctx *ctx, const array_op *op, avalue *const *in, int n_in,
                          const params *a, avalue **out, int cap)
{
	afn *f = array_state_of(ctx)->trace;
	const atype **types = NEW_N(&ctx->scratch, const atype *, n_in + 1);
	avalue **lifted = NEW_N(&ctx->scratch, avalue *, n_in + 1);
	for (int i = 0; i < n_in; i++) {
		lifted[i] = afn_lift(f, in[i]);
		if (!lifted[i])
			return -1;
		types[i] = lifted[i]->type;
	}
	typing q = {.ctx = ctx, .op = op, .in = types, .n_in = n_in, .attrs = a};
	if (!array_type_of(&q))
		return -1;
	if (q.out.len > cap) {
		diag_error(ctx, NOWHERE, E_ARRAY_USAGE,
		           "%s has %d results, more than there is room for", op->name, q.out.len);
		return -1;
	}
	anode *n = afn_append(f, op, lifted, n_in, a, q.out.ptr, q.out.len);
	for (int i = 0; i < n->n_out; i++)
		out[i] = n->out[i];
	return n->n_out;
}

int array_emit(tess_ctx *ctx, const char *name, avalue *const *in, int n_in, const params *a,
               avalue **out, int cap)
{
	const array_op *op = array_op_named(ctx, name);
	if (!op) {
		diag_error(ctx, NOWHERE, E_ARRAY_OP, "there is no operation %s", name);
		return -1;
	}
	if (!array_state_of(ctx)->trace) {
		diag_error(ctx, NOWHERE, E_ARRAY_USAGE, "%s outside of a function being traced",
		           name);
		return -1;
	}
	for (int i = 0; i < n_in; i++)
		if (!in[i])
			return -1;
	return op->make ? emit_made(ctx, op, in, n_in, a, out, cap)
	                : emit_primitive(ctx, op, in, n_in, a, out, cap);
}
