/* grad/index.c - derivatives of gather and scatter. */
#include "array/grad/grad.h"

/* Returns non-negative indices. Indices out of bounds contribute nothing, even if the nearest
 * elements were read. */
static avalue *back_places(backward *b, int64_t size)
{
	maker k = {.ctx = b->ctx};
	avalue *at = again(b, 1), *zero = ex_int(&k, 0);
	avalue *below = make2(&k, "jnp.less", at, zero, NULL);
	at = ex_where(&k, below, make2(&k, "jnp.add", at, ex_int(&k, size), NULL), at);
	b->failed |= !at;
	return at;
}

/* As a product with a one-hot matrix, which is sharded like any product. */
void back_take(backward *b)
{
	const atype *x = b->node->in[0]->type, *at = b->node->in[1]->type;
	atype want = atype_cotangent(x);
	char in[ARRAY_MAX_RANK + 1], ids[ARRAY_MAX_RANK + 1], out[ARRAY_MAX_RANK + 1];
	int axis = 0, n = 0;
	if (!axis_normal(b->ctx, "take", param_int(b->node->attrs, "axis", 0), x->rank, &axis))
		b->failed = true;
	for (int d = 0; d < x->rank; d++)
		out[d] = (char)('a' + d);
	out[x->rank] = 0;
	for (int d = 0; d < at->rank; d++)
		ids[d] = (char)('A' + d);
	ids[at->rank] = out[axis];
	ids[at->rank + 1] = 0;
	for (int d = 0; d < x->rank; d++) {
		for (int i = 0; d == axis && i < at->rank; i++)
			in[n++] = ids[i];
		if (d != axis)
			in[n++] = out[d];
	}
	in[n] = 0;
	avalue *hot = back1(b, "nn.one_hot", back_places(b, x->dim[axis]),
	                    back_ints(b, "num_classes", &x->dim[axis], 1));
	params *a = NEW(&b->ctx->scratch, params);
	const char *text = arena_printf(&b->ctx->scratch, "%s,%s->%s", in, ids, out);
	params_set(&b->ctx->scratch, a,
	           (param){.key = "subscripts", .kind = PK_TEXT, .n = 1, .text = str_of(text)});
	back_give(b, 0, back2(b, "jnp.einsum", b->ct, hot, back_spec(b, a, "out_sharding", &want)));
}

static avalue *back_whole(backward *b, avalue *v)
{
	if (!v || !atype_is_sharded(v->type))
		return v;
	atype whole = *v->type;
	memset(whole.spec, 0, sizeof whole.spec);
	return back_fit(b, v, &whole);
}

/* Applies an operation at the node's indices, to `first` (and `last`, if not NULL), unsharded. */
static avalue *at_places(backward *b, const char *op, avalue *first, avalue *last, const params *a)
{
	const anode *n = b->node;
	avalue **in = NEW_N(&b->ctx->scratch, avalue *, n->n_in + 1), *out = NULL;
	int n_in = 0;
	in[n_in++] = back_whole(b, first);
	for (int i = 1; i < n->n_in - 1; i++)
		in[n_in++] = back_whole(b, again(b, i));
	if (last)
		in[n_in++] = last;
	if (!in[0] || array_emit(b->ctx, op, in, n_in, a, &out, 1) != 1)
		b->failed = true;
	return out;
}

static bool may_write_twice(const anode *n)
{
	for (int i = 1; i < n->n_in - 1; i++)
		if (n->in[i]->type->rank > 0)
			return true;
	return false;
}

/* An element written by x.at[i].set(u) counts only if it is not overwritten: the last of equal
 * indices wins. To find out, the elements of the update are numbered, and the numbers written and
 * read back. */
static avalue *what_stays(backward *b, avalue *ct, const params *index)
{
	maker k = {.ctx = b->ctx};
	const atype *x = b->node->in[0]->type;
	if (!ct || !may_write_twice(b->node))
		return ct;
	int64_t many = atype_elements(ct->type);
	avalue *one = ex_int(&k, 1), *numbers = ex_iota(&k, &many, 1, 0), *out = NULL;
	numbers = ex_reshape(&k, make2(&k, "jnp.add", numbers, one, NULL), ct->type->dim,
	                     ct->type->rank);
	avalue *none = ex_broadcast(&k, ex_int(&k, 0), x->dim, x->rank);
	avalue *written = numbers ? at_places(b, "at.set", none, numbers, index) : NULL;
	avalue *there = written ? at_places(b, "index", written, NULL, index) : NULL;
	avalue *stays = make2(&k, "jnp.equal", there, numbers, NULL);
	atype want = *ct->type;
	want.dtype = DT_I1;
	avalue *in[] = {stays ? back_fit(b, stays, &want) : NULL, ct, back_number(b, 0)};
	if (!in[0] || !in[2] || array_emit(b->ctx, "jnp.where", in, 3, NULL, &out, 1) != 1)
		b->failed = true;
	return out;
}

/* x.at[i].add(u) and x.at[i].set(u): the update gets the cotangent at the indices. */
void back_scatter(backward *b)
{
	const anode *n = b->node;
	bool set = strcmp(n->op->name, "at.set") == 0, told = param_has(n->attrs, "out_sharding");
	const atype *u = n->in[n->n_in - 1]->type;
	params index = {0}, read = {0};
	params_set(&b->ctx->scratch, &index, *param_find(n->attrs, "index"));
	params_set(&b->ctx->scratch, &read, *param_find(n->attrs, "index"));
	params_set(&b->ctx->scratch, &read, /* out-of-bounds updates get nothing */
	           (param){.key = "mode", .kind = PK_TEXT, .n = 1, .text = str_of("zero")});
	avalue *at = told ? at_places(b, "index", b->ct, NULL, &read)
	                  : back_apply(b, "index", b->ct, 1, n->n_in - 1, NULL, &read);
	avalue *zero = set ? back_zeros(b, u) : NULL;
	back_give(b, 0,
	          set ? back_apply(b, "at.set", b->ct, 1, n->n_in - 1, zero, n->attrs) : b->ct);
	back_give(b, n->n_in - 1, set ? what_stays(b, at, &index) : at);
}

void back_gather_points(backward *b)
{
	params *a = NEW(&b->ctx->scratch, params);
	avalue *in[] = {back_zeros(b, b->node->in[0]->type), again(b, 1), b->ct}, *out = NULL;
	params_set(&b->ctx->scratch, a,
	           (param){.key = "how", .kind = PK_TEXT, .n = 1, .text = str_of("add")});
	if (b->failed || array_emit(b->ctx, "scatter.points", in, 3, a, &out, 1) != 1)
		b->failed = true;
	back_give(b, 0, out);
}

/* The operand's cotangent is unchanged, except that overwritten elements get 0. */
void back_scatter_points(backward *b)
{
	tess_str how = param_text(b->node->attrs, "how");
	bool adds = str_is(how, "add");
	if (!adds && !str_is(how, "set")) {
		diag_error(b->ctx, NOWHERE, E_ARRAY_OP, "the derivative of at.%.*s is not known",
		           STR_ARG(how));
		b->failed = true;
		return;
	}
	avalue *kept = b->ct, *update = back2(b, "gather.points", b->ct, again(b, 1), NULL);
	if (!adds && update) {
		avalue *none = back1(b, "jnp.zeros_like", update, NULL);
		avalue *in[] = {b->ct, again(b, 1), none};
		if (b->failed ||
		    array_emit(b->ctx, "scatter.points", in, 3, b->node->attrs, &kept, 1) != 1)
			b->failed = true;
	}
	back_give(b, 0, kept);
	back_give(b, 2, update);
}
