/* reduce.c - derivatives of reductions and products. Each element gets the cotangent of its sum;
 * for maxima and minima, only the extreme elements do. */
#include "array/grad/grad.h"

/* ---- sums --------------------------------------------------------------------------------- */

/* Returns the cotangent with the reduced dimensions as dimensions of 1. */
static avalue *back_kept_dims(backward *b, avalue *v)
{
	const atype *x = b->node->in[0]->type;
	const char *key = param_has(b->node->attrs, "axes")         ? "axes"
	                  : param_has(b->node->attrs, "dimensions") ? "dimensions"
	                                                            : "axis";
	const int64_t *axes;
	int64_t sizes[ARRAY_MAX_RANK];
	int n = param_ints(b->node->attrs, key, &axes), axis;
	if (!v || v->type->rank == x->rank)
		return v;
	memcpy(sizes, x->dim, sizeof sizes);
	for (int i = 0; i < (n < 0 ? x->rank : n); i++) {
		if (!axis_normal(b->ctx, "reduce", n < 0 ? i : axes[i], x->rank, &axis))
			return NULL;
		sizes[axis] = 1;
	}
	return back1(b, "lax.reshape", v, back_ints(b, "new_sizes", sizes, x->rank));
}

static avalue *back_widened(backward *b, avalue *ct)
{
	atype want = atype_cotangent(b->node->in[0]->type);
	int64_t in_order[ARRAY_MAX_RANK];
	for (int d = 0; d < want.rank; d++)
		in_order[d] = d;
	ct = back_kept_dims(b, ct);
	params *a = back_ints(b, "shape", want.dim, want.rank);
	params_set_ints(&b->ctx->scratch, a, "broadcast_dimensions", in_order, want.rank);
	return back1(b, "lax.broadcast_in_dim", ct, back_spec(b, a, "out_sharding", &want));
}

void back_reduce_sum(backward *b) { back_give(b, 0, back_widened(b, b->ct)); }

/* Elements that equal the extreme share the cotangent. */
void back_reduce_extreme(backward *b)
{
	avalue *top = back_widened(b, again_out(b)),
	       *hit = back2(b, "jnp.equal", again(b, 0), top, NULL);
	params *to = NEW(&b->ctx->scratch, params), *sum = back_params(b);
	params_set(&b->ctx->scratch, to,
	           (param){.key = "dtype",
	                   .kind = PK_DTYPE,
	                   .n = 1,
	                   .dtype = b->node->in[0]->type->dtype});
	avalue *mask = back1(b, "lax.convert_element_type", hit, to);
	avalue *count = back1(b, "lax.reduce_sum", mask, sum);
	avalue *share = back_widened(b, back2(b, "jnp.divide", b->ct, count, NULL));
	back_give(b, 0, back_times(b, mask, share));
}

/* Each element counts in all sums after it. */
void back_cumsum(backward *b)
{
	int64_t back = !param_int(b->node->attrs, "reverse", 0);
	params *a = back_params(b);
	params_set_ints(&b->ctx->scratch, a, "reverse", &back, 1);
	avalue *ct = back1(b, "lax.cumsum", b->ct, a);
	const atype *x = b->node->in[0]->type;
	if (ct && ct->type->rank != x->rank)
		ct = back1(b, "lax.reshape", ct, back_ints(b, "new_sizes", x->dim, x->rank));
	back_give(b, 0, ct);
}

/* ---- products ---------------------------------------------------------------------------- */

/* Assigns a letter to each dimension of left, right and result. */
static void dot_letters(const anode *n, char *l, char *r, char *o)
{
	const int64_t *lc, *rc, *lb, *rb;
	int c = param_ints(n->attrs, "lhs_contract", &lc),
	    k = param_ints(n->attrs, "lhs_batch", &lb), at = 0;
	int ranks[] = {n->in[0]->type->rank, n->in[1]->type->rank};
	param_ints(n->attrs, "rhs_contract", &rc);
	param_ints(n->attrs, "rhs_batch", &rb);
	for (int d = 0; d < ranks[0]; d++)
		l[d] = (char)('a' + d);
	for (int d = 0; d < ranks[1]; d++)
		r[d] = (char)('A' + d);
	l[ranks[0]] = r[ranks[1]] = 0;
	for (int i = 0; i < k; i++) {
		r[rb[i]] = l[lb[i]];
		o[at++] = l[lb[i]];
	}
	for (int i = 0; i < c; i++)
		r[rc[i]] = l[lc[i]];
	for (int d = 0; d < ranks[0]; d++)
		if (!strchr(r, l[d]))
			o[at++] = l[d];
	for (int d = 0; d < ranks[1]; d++)
		if (!strchr(l, r[d]))
			o[at++] = r[d];
	o[at] = 0;
}

void back_dot(backward *b)
{
	char l[ARRAY_MAX_RANK + 1], r[ARRAY_MAX_RANK + 1], o[ARRAY_MAX_RANK + 1];
	dot_letters(b->node, l, r, o);
	for (int i = 0; i < 2 && !b->failed; i++) {
		atype want = atype_cotangent(b->node->in[i]->type);
		params *a = NEW(&b->ctx->scratch, params);
		const char *text = arena_printf(&b->ctx->scratch, "%s,%s->%s", o, i ? l : r,
		                                i ? r : l);
		params_set(&b->ctx->scratch, a,
		           (param){.key = "subscripts",
		                   .kind = PK_TEXT,
		                   .n = 1,
		                   .text = str_of(text)});
		back_give(b, i,
		          back2(b, "jnp.einsum", b->ct, again(b, 1 - i),
		                back_spec(b, a, "out_sharding", &want)));
	}
}
