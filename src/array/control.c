/* control.c - scan, while, cond: traces the bodies, and checks that the types of carried values and
 * of branches match. */
#include "array/control.h"

/* A node with the bodies; values that they capture become its last operands. */
int call_node(call_with_body *c, const char *name, afn **bodies, int n_bodies, const atype *types,
              int n_types)
{
	afn *f = array_state_of(c->ctx)->trace;
	VEC(avalue *) in = {0};
	for (int i = 0; i < c->n_in; i++)
		vec_push(&c->ctx->scratch, &in, afn_lift(f, c->in[i]));
	for (int b = 0; b < n_bodies; b++)
		for (int i = 0; i < bodies[b]->captured.len; i++)
			vec_push(&c->ctx->scratch, &in, afn_lift(f, bodies[b]->captured.ptr[i]));
	for (int i = 0; i < in.len; i++)
		if (!in.ptr[i])
			return -1;
	if (n_types > c->cap) {
		diag_error(c->ctx, NOWHERE, E_ARRAY_USAGE,
		           "%s has %d results, more than there is room for", name, n_types);
		return -1;
	}
	const array_op *op = array_op_named(c->ctx, name);
	anode *n = afn_append(f, op, in.ptr, in.len, c->attrs, types, n_types);
	n->n_bodies = n_bodies;
	n->body = COPY_N(f->mem, bodies, n_bodies);
	for (int i = 0; i < n_types; i++)
		c->out[i] = n->out[i];
	return n_types;
}

static int refuse_call(bool reported)
{
	UNUSED(reported);
	return -1;
}

static bool same_carry(tess_ctx *ctx, const char *what, int i, const atype *in, const atype *out)
{
	if (atype_same(in, out))
		return true;
	return diag_error(ctx, NOWHERE, E_ARRAY_CARRY,
	                  "%s body function carry input and carry output must have equal types: "
	                  "component %d comes in as %s and goes out as %s",
	                  what, i, atype_text(ctx, in, TYPE_LONG), atype_text(ctx, out, TYPE_LONG));
}

/* ---- scan ---------------------------------------------------------------------------------- */

static bool scan_element(tess_ctx *ctx, const atype *xs, int64_t *length, atype *out)
{
	if (!xs->rank)
		return diag_error(ctx, NOWHERE, E_ARRAY_RANK, "scan cannot go over a scalar: xs need at least one dimension");
	if (xs->spec[0])
		return diag_error(ctx, NOWHERE, E_ARRAY_SHARDED_DIM,
		                  "0th dimension of all xs should be replicated; got %s",
		                  atype_text(ctx, xs, TYPE_SHORT));
	if (*length >= 0 && *length != xs->dim[0])
		return diag_error(ctx, NOWHERE, E_ARRAY_SHAPE, "scan: lengths differ: %" PRId64
		                  " and %" PRId64, *length, xs->dim[0]);
	*length = xs->dim[0];
	*out = *xs;
	out->rank--;
	memmove(out->dim, xs->dim + 1, sizeof *xs->dim * (size_t)out->rank);
	memmove(out->spec, xs->spec + 1, sizeof *xs->spec * (size_t)out->rank);
	return true;
}

static bool stacked(tess_ctx *ctx, const atype *y, int64_t length, atype *out)
{
	if (y->rank == ARRAY_MAX_RANK)
		return diag_error(ctx, NOWHERE, E_ARRAY_RANK, "the result has too many dimensions");
	*out = *y;
	out->weak = false;
	memmove(out->dim + 1, y->dim, sizeof *y->dim * (size_t)y->rank);
	memmove(out->spec + 1, y->spec, sizeof *y->spec * (size_t)y->rank);
	out->rank++;
	out->dim[0] = length;
	out->spec[0] = 0;
	return true;
}

/* num_carry, num_xs, length: first the carries, then what is scanned along dimension 0. */
int array_scan(call_with_body *c)
{
	tess_ctx *ctx = c->ctx;
	int n_carry = (int)param_int(c->attrs, "num_carry", 0);
	int64_t length = param_int(c->attrs, "length", -1);
	atype *types = NEW_N(&ctx->scratch, atype, c->n_in + ARRAY_MAX_OUT);
	if (n_carry < 0 || n_carry > c->n_in)
		return refuse_call(diag_error(ctx, NOWHERE, E_ARRAY_ATTRIBUTE, "scan: num_carry must be between 0 and the number of operands"));
	for (int i = 0; i < c->n_in; i++) {
		types[i] = *c->in[i]->type;
		if (i >= n_carry && !scan_element(ctx, c->in[i]->type, &length, &types[i]))
			return -1;
	}
	afn *f = array_trace(ctx, c->body, c->env[0], types, c->n_in, afn_begin(ctx));
	if (!f)
		return -1;
	if (f->outs.len < n_carry || length < 0)
		return refuse_call(
			diag_error(ctx, NOWHERE, E_ARRAY_ATTRIBUTE,
		                   "scan: the body returns %d values for %d carries, length is "
		                   "%" PRId64,
		                   f->outs.len, n_carry, length));
	for (int i = 0; i < f->outs.len; i++) {
		const atype *out = f->outs.ptr[i]->type;
		if (i < n_carry ? !same_carry(ctx, "scan", i, c->in[i]->type, out)
		                : !stacked(ctx, out, length, &types[i]))
			return -1;
	}
	params *a = params_copy(&ctx->scratch, c->attrs);
	params_set_ints(&ctx->scratch, a, "length", &length, 1);
	c->attrs = a;
	return call_node(c, "scan", &f, 1, types, f->outs.len);
}

/* lax.map is a scan without carries. */
int array_map(call_with_body *c) { return array_scan(c); }

/* ---- while ---------------------------------------------------------------------------------- */

/* `trips`, or a second body that says whether to continue. */
int array_while(call_with_body *c)
{
	tess_ctx *ctx = c->ctx;
	afn *bodies[2];
	atype *types = NEW_N(&ctx->scratch, atype, c->n_in + 1);
	for (int i = 0; i < c->n_in; i++)
		types[i] = *c->in[i]->type;
	for (int b = 0; b < c->n_bodies && b < 2; b++) {
		bodies[b] = array_trace(ctx, c->body, c->env[b], types, c->n_in, afn_begin(ctx));
		if (!bodies[b])
			return -1;
	}
	if (bodies[0]->outs.len != c->n_in)
		return refuse_call(diag_error(ctx, NOWHERE, E_ARRAY_CARRY,
		                              "while_loop: %d values go in, %d come out", c->n_in,
		                              bodies[0]->outs.len));
	for (int i = 0; i < c->n_in; i++)
		if (!same_carry(ctx, "while_loop", i, &types[i], bodies[0]->outs.ptr[i]->type))
			return -1;
	if (c->n_bodies > 1 && (bodies[1]->outs.len != 1 || bodies[1]->outs.ptr[0]->type->rank ||
	                        bodies[1]->outs.ptr[0]->type->dtype != DT_I1))
		return refuse_call(
			diag_error(ctx, NOWHERE, E_ARRAY_CARRY,
		                   "while_loop: the condition must return one scalar boolean"));
	return call_node(c, "while", bodies, c->n_bodies > 1 ? 2 : 1, types, c->n_in);
}

/* ---- cond ------------------------------------------------------------------------------------ */

static bool branches_agree(tess_ctx *ctx, afn *const *f, int n)
{
	for (int b = 1; b < n; b++) {
		if (f[b]->outs.len != f[0]->outs.len)
			return diag_error(ctx, NOWHERE, E_ARRAY_CARRY,
			                  "branches must return equally many values, not %d and %d",
			                  f[0]->outs.len, f[b]->outs.len);
		for (int i = 0; i < f[0]->outs.len; i++) {
			const atype *x = f[0]->outs.ptr[i]->type, *y = f[b]->outs.ptr[i]->type;
			if (!atype_same(x, y))
				return diag_error(
					ctx, NOWHERE, E_ARRAY_CARRY,
					"cond branches must have equal output types, but output %d is %s "
					"in branch 0 and %s in branch %d",
					i, atype_text(ctx, x, TYPE_LONG),
					atype_text(ctx, y, TYPE_LONG), b);
		}
	}
	return true;
}

/* The first operand is a boolean (two branches: true, false) or the index of a branch. */
int array_cond(call_with_body *c)
{
	tess_ctx *ctx = c->ctx;
	if (c->n_in < 1 || c->in[0]->type->rank || !dtype_is_int(c->in[0]->type->dtype))
		return refuse_call(
			diag_error(ctx, NOWHERE, E_ARRAY_SHAPE,
		                   "pred must be a scalar truth value or integer, got %s",
		                   c->n_in ? atype_text(ctx, c->in[0]->type, TYPE_LONG) : "none"));
	int n = c->n_in - 1;
	afn **f = NEW_N(&ctx->scratch, afn *, c->n_bodies);
	atype *types = NEW_N(&ctx->scratch, atype, n + ARRAY_MAX_OUT);
	for (int i = 0; i < n; i++)
		types[i] = *c->in[i + 1]->type;
	for (int b = 0; b < c->n_bodies; b++) {
		f[b] = array_trace(ctx, c->body, c->env[b], types, n, afn_begin(ctx));
		if (!f[b])
			return -1;
	}
	if (!branches_agree(ctx, f, c->n_bodies))
		return -1;
	for (int i = 0; i < f[0]->outs.len; i++) {
		types[i] = *f[0]->outs.ptr[i]->type;
		types[i].varying |= c->in[0]->type->varying;
	}
	return call_node(c, "cond", f, c->n_bodies, types, f[0]->outs.len);
}
