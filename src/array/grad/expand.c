/* grad/expand.c - derivatives of operations that are expanded to others.
 *
 * Either the expansion is differentiated, or a maker emits the cotangents. Both happen with all
 * axes Auto, as if nothing were sharded; then each cotangent is resharded to its type. */
#include "array/expand/expand.h"
#include "array/grad/grad.h"

typedef struct written_out {
	const anode *node;
	make_fn *form, *back; /* one of them */
	params *attrs;        /* without sharding attributes */
} written_out;

static params *without_shardings(tess_ctx *ctx, const params *from)
{
	params *a = NEW(&ctx->scratch, params);
	for (int i = 0; from && i < from->list.len; i++)
		if (strcmp(from->list.ptr[i].key, "out_sharding") != 0)
			params_set(&ctx->scratch, a, from->list.ptr[i]);
	return a;
}

static int run_maker(tess_ctx *ctx, const written_out *w, make_fn *make, avalue *const *in,
                     int n_in, avalue **out, int cap)
{
	maker k = {.ctx = ctx, .op = w->node->op, .in = in, .n_in = n_in, .attrs = w->attrs};
	if (!make(&k) || k.out.len > cap)
		return -1;
	for (int i = 0; i < k.out.len; i++)
		out[i] = k.out.ptr[i];
	return k.out.len;
}

static int form_body(tess_ctx *ctx, void *env, avalue *const *in, int n_in, avalue **out, int cap)
{
	const written_out *w = env;
	return run_maker(ctx, w, w->form, in, n_in, out, cap);
}

/* in: operands, then cotangents; out: cotangents of the float operands. */
static int form_backward(tess_ctx *ctx, const written_out *w, avalue *const *in, avalue **out)
{
	int n = w->node->n_in, got = 0;
	atype *types = NEW_N(&ctx->scratch, atype, n + 1);
	bool *wanted = NEW_N(&ctx->scratch, bool, n + 1);
	avalue **found = NEW_N(&ctx->scratch, avalue *, n + 1);
	for (int i = 0; i < n; i++) {
		types[i] = *in[i]->type;
		wanted[i] = dtype_is_float(types[i].dtype);
	}
	afn *f = array_trace(ctx, form_body, (void *)(uintptr_t)w, types, n, afn_begin(ctx));
	if (!f || f->outs.len != w->node->n_out)
		return -1;
	avalue **cts = NEW_N(&ctx->scratch, avalue *, f->outs.len + 1);
	for (int i = 0; i < f->outs.len; i++)
		cts[i] = dtype_is_float(f->outs.ptr[i]->type->dtype) ? in[n + i] : NULL;
	int done = array_reverse(ctx, f, in, cts, wanted, NULL, found);
	if (!done)
		diag_error(ctx, NOWHERE, E_ARRAY_OP, "the derivative of %s is not known",
		           w->node->op->name);
	for (int i = 0; i < n && done > 0; i++)
		if (wanted[i])
			out[got++] = found[i];
	return done > 0 ? got : -1;
}

/* in: operands, results, cotangents of the results. */
static int written_body(tess_ctx *ctx, void *env, avalue *const *in, int n_in, avalue **out,
                        int cap)
{
	const written_out *w = env;
	const anode *n = w->node;
	if (w->back)
		return run_maker(ctx, w, w->back, in, n_in, out, cap);
	avalue **some = NEW_N(&ctx->scratch, avalue *, n->n_in + n->n_out + 1);
	for (int i = 0; i < n->n_in; i++)
		some[i] = in[i];
	for (int i = 0; i < n->n_out; i++)
		some[n->n_in + i] = in[n->n_in + n->n_out + i];
	return form_backward(ctx, w, some, out);
}

/* Runs the body with all axes Auto; results are sharded by `specs`. */
static int written_on_auto(backward *b, written_out *w, avalue *const *in, int n_in,
                           const pspec *const *specs, int n_out, avalue **out)
{
	const amesh *m = array_state_of(b->ctx)->mesh;
	params a = {0};
	void *env = w;
	params_set(&b->ctx->scratch, &a, (param){.key = "out_sharding", .kind = PK_SPECS,
	                                         .n = n_out, .specs = specs});
	call_with_body c = {.ctx = b->ctx,
	                    .body = written_body,
	                    .env = &env,
	                    .n_bodies = 1,
	                    .in = in,
	                    .n_in = n_in,
	                    .attrs = &a,
	                    .out = out,
	                    .cap = n_out};
	return m && amesh_axes_of_kind(m, AXIS_EXPLICIT)
	               ? array_auto_axes(&c)
	               : written_body(b->ctx, w, in, n_in, out, n_out);
}

static void back_written(backward *b)
{
	const anode *n = b->node;
	written_out w = {.node = n, .attrs = without_shardings(b->ctx, n->attrs)};
	w.back = expand_find(grad_matrix_rows, n->op->name);
	w.form = w.back ? NULL : expand_find(expand_smooth_rows, n->op->name);
	w.form = w.back || w.form ? w.form : expansion_of(n->op);
	avalue **in = NEW_N(&b->ctx->scratch, avalue *, n->n_in + 2 * n->n_out + 1);
	avalue **out = NEW_N(&b->ctx->scratch, avalue *, n->n_in + 1);
	const pspec **specs = NEW_N(&b->ctx->scratch, const pspec *, n->n_in + 1);
	int n_in = 0, n_out = 0;
	for (int i = 0; i < n->n_in; i++) {
		atype want = atype_cotangent(n->in[i]->type);
		want.unreduced = want.reduced = 0;
		in[n_in++] = again(b, i);
		if (dtype_is_float(want.dtype))
			specs[n_out++] = pspec_of(b->ctx, &want);
	}
	for (int i = 0; i < n->n_out; i++)
		in[n_in++] = ptr_map_get(&b->again, n->out[i]);
	for (int i = 0; i < n->n_out; i++)
		in[n_in++] = back_ct(b, i) ? back_ct(b, i) : back_zeros(b, n->out[i]->type);
	if (b->failed || written_on_auto(b, &w, in, n_in, specs, n_out, out) != n_out) {
		b->failed = true;
		return;
	}
	for (int i = 0, at = 0; i < n->n_in; i++)
		if (dtype_is_float(n->in[i]->type->dtype))
			back_give(b, i, out[at++]);
}

back_fn *back_written_rule(const array_op *op)
{
	return expand_find(grad_matrix_rows, op->name) ||
	                       expand_find(expand_smooth_rows, op->name) || expansion_of(op)
	               ? back_written
	               : NULL;
}
