/* grad_more.c - derivative rules of what moves, orders and accumulates data. */
#include "array/grad.h"

#include <math.h>

static params *more_params(backward *b)
{
	params *a = NEW(&b->ctx->scratch, params);
	for (int i = 0; i < b->node->attrs->list.len; i++)
		params_set(&b->ctx->scratch, a, b->node->attrs->list.ptr[i]);
	return a;
}

static avalue *more_times(backward *b, avalue *x, avalue *y)
{
	return back2(b, "jnp.multiply", x, y, NULL);
}

/* An operation of several operands, whose copies come after the first. */
static avalue *more_apply(backward *b, const char *op, avalue *first, int from, int to,
                          avalue *last, const params *a)
{
	avalue **in = NEW_N(&b->ctx->scratch, avalue *, b->node->n_in + 2), *out = NULL;
	int n = 0;
	in[n++] = first;
	if (last && strcmp(op, "lax.dynamic_update_slice") == 0)
		in[n++] = last;
	for (int i = from; i < to; i++)
		in[n++] = again(b, i);
	if (last && strcmp(op, "lax.dynamic_update_slice") != 0)
		in[n++] = last;
	if (!first || array_emit(b->ctx, op, in, n, a, &out, 1) != 1)
		b->failed = true;
	return out;
}

/* ---- elementwise ------------------------------------------------------------------------- */

static void back_tan(backward *b)
{
	avalue *y = again_out(b);
	back_give(b, 0,
	          more_times(b, b->ct,
	                     back2(b, "jnp.add", back_number(b, 1), more_times(b, y, y), NULL)));
}

static void back_expm1(backward *b)
{
	back_give(b, 0,
	          more_times(b, b->ct, back2(b, "jnp.add", again_out(b), back_number(b, 1), NULL)));
}

static void back_erf(backward *b)
{
	avalue *x = again(b, 0), *square = back1(b, "lax.neg", more_times(b, x, x), NULL);
	avalue *slope = more_times(b, back1(b, "lax.exp", square, NULL),
	                           back_number(b, 2 / sqrt(M_PI)));
	back_give(b, 0, more_times(b, b->ct, slope));
}

/* The cube root: 1 / 3y² */
static void back_cbrt(backward *b)
{
	avalue *y = again_out(b), *three = back_number(b, 3);
	avalue *under = more_times(b, three, more_times(b, y, y));
	back_give(b, 0, back2(b, "jnp.divide", b->ct, under, NULL));
}

/* √π/2 e^(y²) */
static void back_erf_inv(backward *b)
{
	avalue *y = again_out(b), *slope = back1(b, "lax.exp", more_times(b, y, y), NULL);
	back_give(b, 0, more_times(b, b->ct,
	                           more_times(b, slope, back_number(b, sqrt(M_PI) / 2))));
}

/* x - trunc(x/y) y */
static void back_rem(backward *b)
{
	avalue *x = again(b, 0), *y = again(b, 1);
	avalue *whole = back2(b, "jnp.divide", back2(b, "jnp.subtract", x, again_out(b), NULL), y,
	                      NULL);
	back_give(b, 0, b->ct);
	back_give(b, 1, back1(b, "lax.neg", more_times(b, b->ct, whole), NULL));
}

static void back_precision(backward *b)
{
	back_give(b, 0, back1(b, "lax.reduce_precision", b->ct, b->node->attrs));
}

/* x^y: y x^(y-1), and x^y log x, which is 0 where x is. */
static void back_pow(backward *b)
{
	avalue *x = again(b, 0), *y = again(b, 1);
	avalue *less = back2(b, "jnp.subtract", y, back_number(b, 1), NULL);
	if (is_active(b, b->node->in[0]))
		back_give(b, 0,
		          more_times(b, b->ct,
		                     more_times(b, y, back2(b, "jnp.power", x, less, NULL))));
	if (!is_active(b, b->node->in[1]))
		return;
	avalue *in[] = {back2(b, "jnp.equal", x, back_number(b, 0), NULL), back_number(b, 1), x},
	       *safe = NULL;
	if (b->failed || array_emit(b->ctx, "jnp.where", in, 3, NULL, &safe, 1) != 1)
		b->failed = true;
	else
		back_give(b, 1,
		          more_times(b, b->ct,
		                     more_times(b, again_out(b), back1(b, "lax.log", safe, NULL))));
}

/* atan2(y, x): x / (x² + y²) and -y / (x² + y²). */
static void back_atan2(backward *b)
{
	avalue *y = again(b, 0), *x = again(b, 1);
	avalue *norm = back2(b, "jnp.add", more_times(b, x, x), more_times(b, y, y), NULL);
	avalue *share = back2(b, "jnp.divide", b->ct, norm, NULL);
	back_give(b, 0, more_times(b, share, x));
	back_give(b, 1, back1(b, "lax.neg", more_times(b, share, y), NULL));
}

/* Where the operand is within the bounds. */
static void back_clamp(backward *b)
{
	avalue *x = again(b, 1), *low = back2(b, "jnp.greater_equal", x, again(b, 0), NULL);
	avalue *high = back2(b, "jnp.greater_equal", again(b, 2), x, NULL);
	avalue *in[] = {back2(b, "lax.bitwise_and", low, high, NULL), b->ct,
	                back1(b, "jnp.zeros_like", b->ct, NULL)};
	avalue *out = NULL;
	if (b->failed || array_emit(b->ctx, "lax.select", in, 3, NULL, &out, 1) != 1)
		b->failed = true;
	else
		back_give(b, 1, out);
}

/* ---- shapes -------------------------------------------------------------------------------- */

static void back_rev(backward *b) { back_give(b, 0, back1(b, "lax.rev", b->ct, more_params(b))); }

/* What was padded is cut off; the padding value gets the sum of the rest. */
static void back_pad(backward *b)
{
	const atype *x = b->node->in[0]->type, *t = b->node->out[0]->type;
	const int64_t *p;
	int64_t from[ARRAY_MAX_RANK], to[ARRAY_MAX_RANK], by[ARRAY_MAX_RANK];
	param_ints(b->node->attrs, "padding_config", &p);
	for (int d = 0; d < x->rank; d++) {
		by[d] = p[3 * d + 2] + 1;
		from[d] = p[3 * d];
		to[d] = x->dim[d] ? from[d] + (x->dim[d] - 1) * by[d] + 1 : from[d];
		if (from[d] < 0 || to[d] > t->dim[d]) {
			diag_error(b->ctx, NOWHERE, E_ARRAY_OP,
			           "the gradient of a pad that cuts off is not known");
			b->failed = true;
			return;
		}
	}
	params *a = back_ints(b, "start_indices", from, x->rank);
	params_set_ints(&b->ctx->scratch, a, "limit_indices", to, x->rank);
	params_set_ints(&b->ctx->scratch, a, "strides", by, x->rank);
	avalue *ct = back1(b, "lax.slice", b->ct, a);
	back_give(b, 0, ct);
	if (b->node->n_in > 1 && is_active(b, b->node->in[1])) {
		avalue *all = back1(b, "lax.reduce_sum", b->ct, NULL),
		       *kept = back1(b, "lax.reduce_sum", ct, NULL);
		back_give(b, 1, back2(b, "lax.sub", all, kept, NULL));
	}
}

/* The rest of the operand gets zeros. */
static void back_dynamic_slice(backward *b)
{
	avalue *zeros = back_zeros(b, b->node->in[0]->type);
	back_give(b, 0,
	          more_apply(b, "lax.dynamic_update_slice", zeros, 1, b->node->n_in, b->ct, NULL));
}

static void back_dynamic_update_slice(backward *b)
{
	const atype *u = b->node->in[1]->type;
	avalue *zeros = back_zeros(b, u);
	back_give(b, 0,
	          more_apply(b, "lax.dynamic_update_slice", b->ct, 2, b->node->n_in, zeros, NULL));
	back_give(b, 1, more_apply(b, "lax.dynamic_slice", b->ct, 2, b->node->n_in, NULL,
	                           back_ints(b, "slice_sizes", u->dim, u->rank)));
}

static void back_stack(backward *b)
{
	avalue **parts = NEW_N(&b->ctx->scratch, avalue *, b->node->n_in + 1);
	if (array_emit(b->ctx, "jnp.unstack", &b->ct, 1, b->node->attrs, parts, b->node->n_in) !=
	    b->node->n_in)
		b->failed = true;
	for (int i = 0; i < b->node->n_in && !b->failed; i++)
		back_give(b, i, parts[i]);
}

/* Pieces put together again; those that nothing came for are 0. */
static void back_pieces(backward *b)
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
	if (b->failed || array_emit(b->ctx, stacked ? "jnp.stack" : "lax.concatenate", parts,
	                            n->n_out, a, &out, 1) != 1)
		b->failed = true;
	else
		back_give(b, 0, out);
}

/* ---- sums ------------------------------------------------------------------------------------ */

/* Each element counts in all sums behind it. */
static void back_cumsum(backward *b)
{
	int64_t back = !param_int(b->node->attrs, "reverse", 0);
	params *a = more_params(b);
	params_set_ints(&b->ctx->scratch, a, "reverse", &back, 1);
	avalue *ct = back1(b, "lax.cumsum", b->ct, a);
	const atype *x = b->node->in[0]->type;
	if (ct && ct->type->rank != x->rank)
		ct = back1(b, "lax.reshape", ct, back_ints(b, "new_sizes", x->dim, x->rank));
	back_give(b, 0, ct);
}

/* ---- places ---------------------------------------------------------------------------------- */

/* x.at[i].add(u) and x.at[i].set(u): the update gets what stands at the places. */
static void back_scatter(backward *b)
{
	const anode *n = b->node;
	bool set = strcmp(n->op->name, "at.set") == 0;
	const atype *u = n->in[n->n_in - 1]->type;
	params *a = NEW(&b->ctx->scratch, params);
	params_set(&b->ctx->scratch, a, *param_find(n->attrs, "index"));
	avalue *at = more_apply(b, "index", b->ct, 1, n->n_in - 1, NULL, a);
	avalue *zero = set ? back_zeros(b, u) : NULL;
	back_give(b, 0,
	          set ? more_apply(b, "at.set", b->ct, 1, n->n_in - 1, zero, n->attrs) : b->ct);
	back_give(b, n->n_in - 1, at);
}

static void back_gather_points(backward *b)
{
	params *a = NEW(&b->ctx->scratch, params);
	avalue *in[] = {back_zeros(b, b->node->in[0]->type), again(b, 1), b->ct}, *out = NULL;
	params_set(&b->ctx->scratch, a,
	           (param){.key = "how", .kind = PK_TEXT, .n = 1, .text = str_of("add")});
	if (b->failed || array_emit(b->ctx, "scatter.points", in, 3, a, &out, 1) != 1)
		b->failed = true;
	back_give(b, 0, out);
}

/* What is added to is as it was; what is overwritten does not count. */
static void back_scatter_points(backward *b)
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

static const struct {
	const char *op;
	back_fn *back;
} more_rules[] = {
	{"lax.tan", back_tan}, {"lax.expm1", back_expm1}, {"lax.erf", back_erf}, {"lax.pow", back_pow},
	{"jnp.power", back_pow}, {"lax.atan2", back_atan2}, {"lax.clamp", back_clamp}, {"lax.rev", back_rev},
	{"lax.pad", back_pad}, {"lax.pad1", back_pad}, {"lax.dynamic_slice", back_dynamic_slice},
	{"lax.dynamic_update_slice", back_dynamic_update_slice}, {"jnp.stack", back_stack},
	{"jnp.unstack", back_pieces}, {"lax.split", back_pieces}, {"jnp.split", back_pieces},
	{"jnp.array_split", back_pieces}, {"lax.cumsum", back_cumsum}, {"jnp.cumsum", back_cumsum},
	{"at.add", back_scatter}, {"at.set", back_scatter}, {"lax.associative_scan", back_cumsum},
	{"gather.points", back_gather_points}, {"scatter.points", back_scatter_points},
	{"lax.cbrt", back_cbrt}, {"lax.erf_inv", back_erf_inv}, {"lax.rem", back_rem},
	{"lax.reduce_precision", back_precision},
};

back_fn *back_more_rule(const array_op *op)
{
	for (int i = 0; i < COUNT(more_rules); i++)
		if (strcmp(more_rules[i].op, op->name) == 0)
			return more_rules[i].back;
	return NULL;
}
