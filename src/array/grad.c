/* grad.c - reverse mode: the function is written again into the one being traced, then each
 * operation backwards, last first.
 *
 * A cotangent is typed by its value: sharded alike, unreduced where that is reduced, and the
 * other way round.  Each rule passes that type on as out_sharding, so that no product of the
 * backward pass becomes ambiguous. */
#include "array/grad.h"

/* ---- emitting ------------------------------------------------------------------------------- */

avalue *back1(backward *b, const char *op, avalue *x, const params *a)
{
	avalue *out = NULL;
	if (!x || array_emit(b->ctx, op, &x, 1, a, &out, 1) != 1)
		b->failed = true;
	return b->failed ? NULL : out;
}

avalue *back2(backward *b, const char *op, avalue *x, avalue *y, const params *a)
{
	avalue *out = NULL, *in[] = {x, y};
	if (!x || !y || array_emit(b->ctx, op, in, 2, a, &out, 1) != 1)
		b->failed = true;
	return b->failed ? NULL : out;
}

avalue *back_number(backward *b, double v)
{
	params a = {0};
	avalue *out = NULL;
	params_set(&b->ctx->scratch, &a,
	           (param){.key = "value", .kind = PK_NUMBER, .n = 1, .number = v});
	if (array_emit(b->ctx, "scalar", NULL, 0, &a, &out, 1) != 1)
		b->failed = true;
	return out;
}

params *back_ints(backward *b, const char *key, const int64_t *v, int n)
{
	params *a = NEW(&b->ctx->scratch, params);
	params_set_ints(&b->ctx->scratch, a, key, v, n);
	return a;
}

/* out_sharding (or another key): the sharding of t. */
params *back_spec(backward *b, params *a, const char *key, const atype *t)
{
	const pspec *s = pspec_of(b->ctx, t);
	if (!a)
		a = NEW(&b->ctx->scratch, params);
	if (t->mesh && amesh_axes_of_kind(t->mesh, AXIS_EXPLICIT))
		params_set(&b->ctx->scratch, a, (param){.key = key, .kind = PK_SPECS, .n = 1,
		                                        .specs = COPY_N(&b->ctx->scratch, &s, 1)});
	return a;
}

avalue *again(backward *b, int i) { return ptr_map_get(&b->again, b->node->in[i]); }
avalue *again_out(backward *b) { return ptr_map_get(&b->again, b->node->out[0]); }

/* ---- handing on ------------------------------------------------------------------------------ */

/* Sums over what was broadcast, until ct has the shape of t. */
static avalue *back_unbroadcast(backward *b, avalue *ct, const atype *t)
{
	atype want = atype_cotangent(t);
	int64_t axes[ARRAY_MAX_RANK];
	int n = 0, lead;
	if (!ct)
		return NULL;
	lead = ct->type->rank - t->rank;
	for (int d = 0; d < ct->type->rank; d++)
		if (d < lead || (t->dim[d - lead] == 1 && ct->type->dim[d] != 1))
			axes[n++] = d;
	if (n) {
		atype flat = want;
		flat.rank = 0;
		for (int d = 0; d < t->rank; d++)
			if (!(t->dim[d] == 1 && ct->type->dim[d + lead] != 1)) {
				flat.dim[flat.rank] = want.dim[d];
				flat.spec[flat.rank++] = want.spec[d];
			}
		ct = back1(b, "lax.reduce_sum", ct,
		           back_spec(b, back_ints(b, "axes", axes, n), "out_sharding", &flat));
		if (flat.rank != t->rank)
			ct = back1(b, "lax.reshape", ct,
			           back_spec(b, back_ints(b, "new_sizes", t->dim, t->rank),
			                     "out_sharding", &want));
	}
	return ct;
}

avalue *back_ct(backward *b, int i) { return ptr_map_get(&b->cotangents, b->node->out[i]); }

bool is_active(const backward *b, const avalue *v) { return ptr_map_get(&b->active, v) != NULL; }

/* The attribute that names manual axes: "X,Y". */
static params *manual_axes(backward *b, const amesh *m, axis_set over)
{
	params *a = NEW(&b->ctx->scratch, params);
	writer w;
	writer_init(&w, &b->ctx->scratch);
	for (int i = 0; i < m->n; i++)
		if (over >> i & 1)
			put_f(&w, "%s%s", over & (((axis_set)1 << i) - 1) ? "," : "",
			      m->axis[i]->s);
	params_set(&b->ctx->scratch, a,
	           (param){.key = "axes", .kind = PK_TEXT, .n = 1, .text = writer_str(&w)});
	return a;
}

/* A value that did not vary along manual axes was used where it did: the parts are summed, or
 * called parts of a sum where the value was reduced. */
static avalue *back_summed(backward *b, avalue *ct, const atype *want)
{
	axis_set over = ct ? ct->type->varying & ~want->varying : 0;
	if (!over || array_state_of(b->ctx)->unchecked)
		return ct;
	const amesh *m = ct->type->mesh;
	if (over & ~want->unreduced)
		ct = back1(b, "lax.psum", ct, manual_axes(b, m, over & ~want->unreduced));
	if (over & want->unreduced) {
		params *a = manual_axes(b, m, over & want->unreduced);
		params_set(
			&b->ctx->scratch, a,
			(param){.key = "to", .kind = PK_TEXT, .n = 1, .text = str_of("unreduced")});
		ct = back1(b, "lax.pcast", ct, a);
	}
	return ct;
}

avalue *back_fit(backward *b, avalue *ct, const atype *want)
{
	if (ct && ct->type->dtype != want->dtype) {
		params *a = NEW(&b->ctx->scratch, params);
		params_set(&b->ctx->scratch, a,
		           (param){.key = "dtype", .kind = PK_DTYPE, .n = 1, .dtype = want->dtype});
		ct = back1(b, "lax.convert_element_type", ct, a);
	}
	ct = back_summed(b, ct, want);
	if (ct && want->mesh && !atype_same_spec(ct->type, want))
		ct = emit_reshard(b->ctx, ct, pspec_of(b->ctx, want), want->mesh);
	b->failed |= !ct;
	return ct;
}

void back_give(backward *b, int i, avalue *ct)
{
	const avalue *to = b->node->in[i];
	atype want = atype_cotangent(to->type);
	if (b->failed || !ct || !dtype_is_float(to->type->dtype) || !is_active(b, to))
		return;
	ct = back_fit(b, back_unbroadcast(b, ct, to->type), &want);
	void **slot = ptr_map_at(&b->cotangents, &b->ctx->scratch, to);
	avalue *before = *slot, *sum = before && ct ? back2(b, "lax.add", before, ct, NULL) : ct;
	if (!sum)
		b->failed = true;
	*ptr_map_at(&b->cotangents, &b->ctx->scratch, to) = sum;
}

/* ---- rules, one operand ---------------------------------------------------------------------- */

static avalue *times(backward *b, avalue *x, avalue *y)
{
	return back2(b, "jnp.multiply", x, y, NULL);
}

static void back_none(backward *b) { (void)b; }
static void back_same(backward *b) { back_give(b, 0, b->ct); }
static void back_neg(backward *b) { back_give(b, 0, back1(b, "lax.neg", b->ct, NULL)); }
static void back_sin(backward *b)
{
	back_give(b, 0, times(b, b->ct, back1(b, "lax.cos", again(b, 0), NULL)));
}
static void back_cos(backward *b)
{
	avalue *slope = back1(b, "lax.neg", back1(b, "lax.sin", again(b, 0), NULL), NULL);
	back_give(b, 0, times(b, b->ct, slope));
}
static void back_exp(backward *b) { back_give(b, 0, times(b, b->ct, again_out(b))); }
static void back_log(backward *b)
{
	back_give(b, 0, back2(b, "jnp.divide", b->ct, again(b, 0), NULL));
}

static void back_log1p(backward *b)
{
	avalue *one = back2(b, "jnp.add", again(b, 0), back_number(b, 1), NULL);
	back_give(b, 0, back2(b, "jnp.divide", b->ct, one, NULL));
}

/* 1 - y² */
static void back_tanh(backward *b)
{
	avalue *y = again_out(b),
	       *slope = back2(b, "jnp.subtract", back_number(b, 1), times(b, y, y), NULL);
	back_give(b, 0, times(b, b->ct, slope));
}

/* y (1 - y) */
static void back_logistic(backward *b)
{
	avalue *y = again_out(b);
	back_give(
		b, 0,
		times(b, b->ct, times(b, y, back2(b, "jnp.subtract", back_number(b, 1), y, NULL))));
}

/* 1 / 2y */
static void back_sqrt(backward *b)
{
	avalue *half = times(b, b->ct, back_number(b, 0.5));
	back_give(b, 0, back2(b, "jnp.divide", half, again_out(b), NULL));
}

/* -y³ / 2 */
static void back_rsqrt(backward *b)
{
	avalue *y = again_out(b), *cube = times(b, times(b, y, y), y);
	back_give(b, 0, times(b, b->ct, times(b, cube, back_number(b, -0.5))));
}

static void back_abs(backward *b)
{
	back_give(b, 0, times(b, b->ct, back1(b, "lax.sign", again(b, 0), NULL)));
}

/* ---- rules, two operands --------------------------------------------------------------------- */

static void back_add(backward *b)
{
	back_give(b, 0, b->ct);
	back_give(b, 1, b->ct);
}

static void back_sub(backward *b)
{
	back_give(b, 0, b->ct);
	back_give(b, 1, back1(b, "lax.neg", b->ct, NULL));
}

static bool is_float_operand(backward *b, int i)
{
	return dtype_is_float(b->node->in[i]->type->dtype);
}

static void back_mul(backward *b)
{
	if (is_float_operand(b, 0))
		back_give(b, 0, times(b, b->ct, again(b, 1)));
	if (is_float_operand(b, 1))
		back_give(b, 1, times(b, b->ct, again(b, 0)));
}

static void back_div(backward *b)
{
	avalue *by = again(b, 1);
	back_give(b, 0, back2(b, "jnp.divide", b->ct, by, NULL));
	avalue *slope = back2(b, "jnp.divide", again_out(b), by, NULL);
	back_give(b, 1, back1(b, "lax.neg", times(b, b->ct, slope), NULL));
}

/* To the operand that was taken; half each where they are equal, as JAX does. */
static void back_extreme(backward *b)
{
	for (int i = 0; i < 2; i++) {
		avalue *mine = back2(b, "jnp.equal", again(b, i), again_out(b), NULL);
		avalue *other = back2(b, "jnp.equal", again(b, 1 - i), again_out(b), NULL);
		params *a = NEW(&b->ctx->scratch, params);
		params_set(&b->ctx->scratch, a,
		           (param){.key = "dtype",
		                   .kind = PK_DTYPE,
		                   .n = 1,
		                   .dtype = b->ct ? b->ct->type->dtype : DT_F32});
		avalue *share = back1(b, "lax.convert_element_type", mine, a);
		avalue *both = times(b, back1(b, "lax.convert_element_type", other, a),
		                     back_number(b, 0.5));
		share = times(b, share, back2(b, "jnp.subtract", back_number(b, 1), both, NULL));
		back_give(b, i, times(b, b->ct, share));
	}
}

static void back_select(backward *b)
{
	avalue *zero = back1(b, "jnp.zeros_like", b->ct, NULL), *which = again(b, 0), *out = NULL;
	for (int i = 1; i < 3 && !b->failed; i++) {
		avalue *in[] = {which, i == 1 ? b->ct : zero, i == 1 ? zero : b->ct};
		if (array_emit(b->ctx, "lax.select", in, 3, NULL, &out, 1) != 1)
			b->failed = true;
		back_give(b, i, out);
	}
}

/* ---- rules, shapes --------------------------------------------------------------------------- */

static void back_reshape(backward *b)
{
	atype want = atype_cotangent(b->node->in[0]->type);
	params *a = back_ints(b, "new_sizes", want.dim, want.rank);
	/* a reshape keeps what is unreduced: only dimensions may be resharded by it */
	if (b->ct && b->ct->type->unreduced == want.unreduced &&
	    b->ct->type->reduced == want.reduced)
		back_spec(b, a, "out_sharding", &want);
	back_give(b, 0, back1(b, "lax.reshape", b->ct, a));
}

static void back_transpose(backward *b)
{
	const int64_t *perm;
	int64_t inverse[ARRAY_MAX_RANK];
	int rank = b->node->in[0]->type->rank, n = param_ints(b->node->attrs, "permutation", &perm);
	for (int d = 0; d < rank; d++)
		inverse[n < 0 ? rank - 1 - d : perm[d]] = d;
	back_give(b, 0,
	          back1(b, "lax.transpose", b->ct, back_ints(b, "permutation", inverse, rank)));
}

static void back_broadcast_in_dim(backward *b)
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
static void back_slice(backward *b)
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
	back_give(b, 0, back2(b, "lax.pad", b->ct, back_number(b, 0),
	                      back_ints(b, "padding_config", config, 3 * x->rank)));
}

static void back_concatenate(backward *b)
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

/* ---- rules, sums and products ---------------------------------------------------------------- */

/* The cotangent with the reduced dimensions back, as 1. */
static avalue *back_kept_dims(backward *b, avalue *v)
{
	const atype *x = b->node->in[0]->type;
	const char *key = param_has(b->node->attrs, "axes") ? "axes"
	                  : param_has(b->node->attrs, "dimensions") ? "dimensions" : "axis";
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
	ct = back_kept_dims(b, ct);
	params *a = back_ints(b, "shape", want.dim, want.rank);
	return back1(b, "jnp.broadcast_to", ct, back_spec(b, a, "out_sharding", &want));
}

static void back_reduce_sum(backward *b) { back_give(b, 0, back_widened(b, b->ct)); }

/* Shared among the places that hold the extreme. */
static void back_reduce_extreme(backward *b)
{
	avalue *top = back_widened(b, again_out(b)),
	       *hit = back2(b, "jnp.equal", again(b, 0), top, NULL);
	params *to = NEW(&b->ctx->scratch, params), *sum = NEW(&b->ctx->scratch, params);
	params_set(&b->ctx->scratch, to, (param){.key = "dtype", .kind = PK_DTYPE, .n = 1,
	                                         .dtype = b->node->in[0]->type->dtype});
	for (int i = 0; i < b->node->attrs->list.len; i++)
		params_set(&b->ctx->scratch, sum, b->node->attrs->list.ptr[i]);
	avalue *mask = back1(b, "lax.convert_element_type", hit, to);
	avalue *count = back1(b, "lax.reduce_sum", mask, sum);
	avalue *share = back_widened(b, back2(b, "jnp.divide", b->ct, count, NULL));
	back_give(b, 0, times(b, mask, share));
}

/* One letter for each dimension of left, right and result. */
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

static void back_dot(backward *b)
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

/* As a product with the one-hot places: sharded like any product. */
static void back_take(backward *b)
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
	avalue *hot = back1(b, "nn.one_hot", again(b, 1),
	                    back_ints(b, "num_classes", &x->dim[axis], 1));
	params *a = NEW(&b->ctx->scratch, params);
	const char *text = arena_printf(&b->ctx->scratch, "%s,%s->%s", in, ids, out);
	params_set(&b->ctx->scratch, a,
	           (param){.key = "subscripts", .kind = PK_TEXT, .n = 1, .text = str_of(text)});
	back_give(b, 0, back2(b, "jnp.einsum", b->ct, hot, back_spec(b, a, "out_sharding", &want)));
}

/* ---- the table ------------------------------------------------------------------------------- */

static const struct {
	const char *op;
	back_fn *back;
} back_rules[] = {
	{"lax.sin", back_sin}, {"lax.cos", back_cos}, {"lax.exp", back_exp}, {"lax.log", back_log},
	{"lax.log1p", back_log1p}, {"lax.tanh", back_tanh}, {"lax.logistic", back_logistic},
	{"lax.sqrt", back_sqrt}, {"lax.rsqrt", back_rsqrt}, {"lax.abs", back_abs}, {"lax.neg", back_neg},
	{"lax.sign", back_none}, {"lax.floor", back_none}, {"lax.ceil", back_none}, {"lax.stop_gradient", back_none}, {"lax.is_finite", back_none},
	{"lax.convert_element_type", back_same}, {"lax.optimization_barrier", back_same},
	{"lax.add", back_add}, {"jnp.add", back_add}, {"lax.sub", back_sub}, {"jnp.subtract", back_sub},
	{"lax.mul", back_mul}, {"jnp.multiply", back_mul}, {"lax.div", back_div}, {"jnp.divide", back_div},
	{"lax.max", back_extreme}, {"jnp.maximum", back_extreme}, {"lax.min", back_extreme},
	{"jnp.minimum", back_extreme}, {"lax.select", back_select},
	{"lax.eq", back_none}, {"lax.ne", back_none}, {"lax.lt", back_none}, {"lax.le", back_none},
	{"lax.gt", back_none}, {"lax.ge", back_none}, {"jnp.equal", back_none}, {"jnp.less", back_none},
	{"jnp.greater_equal", back_none},
	{"lax.reshape", back_reshape}, {"lax.squeeze", back_reshape}, {"lax.expand_dims", back_reshape},
	{"jnp.expand_dims", back_reshape}, {"lax.transpose", back_transpose},
	{"jnp.transpose", back_transpose}, {"lax.broadcast_in_dim", back_broadcast_in_dim},
	{"jnp.broadcast_to", back_same}, {"lax.broadcast", back_same}, {"lax.slice", back_slice},
	{"lax.concatenate", back_concatenate}, {"lax.reduce_sum", back_reduce_sum},
	{"jnp.sum", back_reduce_sum}, {"lax.reduce", back_reduce_sum}, {"lax.reduce_max", back_reduce_extreme},
	{"jnp.max", back_reduce_extreme}, {"lax.reduce_min", back_reduce_extreme},
	{"jnp.min", back_reduce_extreme}, {"lax.dot_general", back_dot}, {"jnp.take", back_take},
	{"jax.reshard", back_same}, {"lax.with_sharding_constraint", back_same}, {"jax.device_put", back_same}, {"scalar", back_none},
	{"jnp.zeros", back_none}, {"jnp.ones", back_none}, {"lax.full", back_none},
	{"jnp.zeros_like", back_none}, {"jnp.ones_like", back_none}, {"jnp.full_like", back_none},
	{"lax.iota", back_none}, {"jnp.arange", back_none}, {"nn.one_hot", back_none},
};

back_fn *back_rule(const array_op *op)
{
	for (int i = 0; i < COUNT(back_rules); i++)
		if (strcmp(back_rules[i].op, op->name) == 0)
			return back_rules[i].back;
	back_fn *rule = back_more_rule(op);
	rule = rule ? rule : back_call_rule(op);
	rule = rule ? rule : back_comm_rule(op);
	return rule ? rule : back_written_rule(op);
}

/* ---- the whole function ---------------------------------------------------------------------- */

/* Results of float type of operations on values that depend on the wanted parameters. */
static void find_active(backward *b, const afn *f, const bool *wanted)
{
	for (int i = 0; i < f->params.len; i++)
		if (wanted[i] && dtype_is_float(f->params.ptr[i]->type->dtype))
			*ptr_map_at(&b->active, &b->ctx->scratch,
			            f->params.ptr[i]) = f->params.ptr[i];
	for (int i = 0; i < f->nodes.len; i++) {
		const anode *n = f->nodes.ptr[i];
		bool any = false;
		for (int k = 0; k < n->n_in; k++)
			any |= is_active(b, n->in[k]);
		for (int k = 0; k < n->n_out && any; k++)
			if (dtype_is_float(n->out[k]->type->dtype))
				*ptr_map_at(&b->active, &b->ctx->scratch, n->out[k]) = n->out[k];
	}
}

static bool node_active(const backward *b, const anode *n)
{
	for (int k = 0; k < n->n_out; k++)
		if (is_active(b, n->out[k]))
			return true;
	return false;
}

bool reverse_possible(tess_ctx *ctx, const afn *f, const bool *wanted)
{
	backward b = {.ctx = ctx};
	find_active(&b, f, wanted);
	for (int i = 0; i < f->nodes.len; i++) {
		const anode *n = f->nodes.ptr[i];
		if (!node_active(&b, n))
			continue;
		if (!back_rule(n->op) || (strcmp(n->op->name, "while") == 0 && n->n_bodies > 1))
			return false;
		for (int k = 0; k < n->n_bodies && strcmp(n->op->name, "custom_vjp") != 0; k++) {
			bool *all = NEW_N(&ctx->scratch, bool, n->body[k]->params.len + 1);
			memset(all, 1, (size_t)n->body[k]->params.len);
			if (!reverse_possible(ctx, n->body[k], all))
				return false;
		}
	}
	return true;
}

avalue *back_zeros(backward *b, const atype *primal)
{
	atype want = atype_cotangent(primal);
	params *a = back_spec(b, back_ints(b, "shape", want.dim, want.rank), "out_sharding", &want);
	avalue *out = NULL;
	params_set(&b->ctx->scratch, a,
	           (param){.key = "dtype", .kind = PK_DTYPE, .n = 1, .dtype = want.dtype});
	if (array_emit(b->ctx, "jnp.zeros", NULL, 0, a, &out, 1) != 1)
		b->failed = true;
	return out;
}

bool reverse_into(tess_ctx *ctx, const afn *f, avalue *const *params, avalue *const *out_cts,
                  const bool *wanted, avalue **outs, avalue **cts)
{
	array_state *st = array_state_of(ctx);
	const amesh *mesh = st->mesh;
	backward b = {.ctx = ctx};
	avalue **values = NEW_N(&ctx->scratch, avalue *, f->outs.len + 1);
	find_active(&b, f, wanted);
	b.failed = !replay_into(ctx, f, params, values, &b.again);
	for (int i = 0; i < f->outs.len && !b.failed; i++) {
		const avalue *o = f->outs.ptr[i];
		avalue *ct = out_cts[i] ? afn_lift(st->trace, out_cts[i]) : NULL;
		if (!ct || !is_active(&b, o))
			continue;
		atype want = atype_cotangent(o->type);
		avalue *before = ptr_map_get(&b.cotangents, o);
		ct = back_fit(&b, ct, &want);
		ct = before && ct ? back2(&b, "lax.add", before, ct, NULL) : ct;
		*ptr_map_at(&b.cotangents, &ctx->scratch, o) = ct;
	}
	for (int i = f->nodes.len - 1; i >= 0 && !b.failed; i--) {
		b.node = f->nodes.ptr[i];
		bool any = false;
		for (int k = 0; k < b.node->n_out; k++)
			any |= back_ct(&b, k) != NULL;
		b.ct = b.node->n_out ? back_ct(&b, 0) : NULL;
		st->mesh = b.node->mesh;
		if (any)
			back_rule(b.node->op)(&b);
	}
	st->mesh = mesh;
	for (int i = 0; i < f->params.len && !b.failed; i++)
		cts[i] = wanted[i] ? ptr_map_get(&b.cotangents, f->params.ptr[i]) : NULL;
	for (int i = 0; i < f->outs.len && outs && !b.failed; i++)
		outs[i] = values[i];
	return !b.failed;
}

/* All parameters: in, then what the function closes over. */
static avalue **all_params(const afn *f, avalue *const *in)
{
	avalue **all = NEW_N(&f->ctx->scratch, avalue *, f->params.len + 1);
	for (int i = 0; i < f->params.len; i++)
		all[i] = i < f->n_explicit ? in[i] : f->captured.ptr[i - f->n_explicit];
	return all;
}

int array_reverse(tess_ctx *ctx, const afn *f, avalue *const *in, avalue *const *out_cts,
                  const bool *wanted, avalue **outs, avalue **cts)
{
	bool *all = NEW_N(&ctx->scratch, bool, f->params.len + 1);
	avalue **found = NEW_N(&ctx->scratch, avalue *, f->params.len + 1);
	backward b = {.ctx = ctx};
	memset(all, 0, sizeof *all * (size_t)(f->params.len + 1));
	for (int i = 0; i < f->n_explicit; i++)
		all[i] = wanted[i];
	if (!reverse_possible(ctx, f, all))
		return 0;
	avalue **ones = NEW_N(&ctx->scratch, avalue *, f->outs.len + 1);
	for (int i = 0; i < f->outs.len; i++) {
		ones[i] = out_cts ? out_cts[i] : back_zeros(&b, f->outs.ptr[i]->type);
		if (!out_cts)
			ones[i] = back1(&b, "jnp.ones_like", ones[i], NULL);
	}
	if (b.failed || !reverse_into(ctx, f, all_params(f, in), ones, all, outs, found))
		return -1;
	for (int i = 0; i < f->n_explicit && !b.failed; i++)
		cts[i] = !wanted[i] ? NULL
		         : found[i] ? found[i]
		                    : back_zeros(&b, f->params.ptr[i]->type);
	return b.failed ? -1 : 1;
}
