/* transform.c - derivatives: their types, and how they are computed.
 *
 * The type of a cotangent follows from the primal value: it is sharded alike, unreduced where that
 * is reduced, and vice versa. */
#include "array/control.h"

/* Returns zeros of a type. */
static avalue *zeros_of(tess_ctx *ctx, const atype *t)
{
	params a = {0};
	avalue *out;
	const pspec *s = pspec_of(ctx, t);
	params_set_ints(&ctx->scratch, &a, "shape", t->dim, t->rank);
	params_set(&ctx->scratch, &a,
	           (param){.key = "dtype", .kind = PK_DTYPE, .n = 1, .dtype = t->dtype});
	if (t->mesh && amesh_axes_of_kind(t->mesh, AXIS_EXPLICIT))
		params_set(&ctx->scratch, &a,
		           (param){.key = "out_sharding", .kind = PK_SPECS, .n = 1, .specs = &s});
	return array_emit(ctx, "jnp.zeros", NULL, 0, &a, &out, 1) == 1 ? out : NULL;
}

static afn *trace_primal(call_with_body *c, int n_in, int body)
{
	atype *types = NEW_N(&c->ctx->scratch, atype, n_in + 1);
	for (int i = 0; i < n_in; i++)
		types[i] = *c->in[i]->type;
	return array_trace(c->ctx, c->body, c->env[body], types, n_in, afn_begin(c->ctx));
}

static bool one_scalar(tess_ctx *ctx, const afn *f)
{
	if (f->outs.len == 1 && f->outs.ptr[0]->type->rank == 0 &&
	    dtype_is_float(f->outs.ptr[0]->type->dtype))
		return true;
	return diag_error(ctx, NOWHERE, E_ARRAY_SHAPE,
	                  "gradient only defined for scalar-output functions; output is %s",
	                  f->outs.len ? atype_text(ctx, f->outs.ptr[0]->type, TYPE_SHORT)
	                              : "nothing");
}

/* Computes the types of the cotangents of the arguments that argnums selects. */
static int argument_cotangents(call_with_body *c, atype *out)
{
	const int64_t *v, first = 0;
	int n = param_ints(c->attrs, "argnums", &v);
	if (n < 0) {
		n = 1;
		v = &first;
	}
	for (int i = 0; i < n; i++) {
		if (v[i] < 0 || v[i] >= c->n_in || n > ARRAY_MAX_OUT - 1) {
			diag_error(c->ctx, NOWHERE, E_ARRAY_ATTRIBUTE, "grad: argument %" PRId64
			           " does not exist", v[i]);
			return -1;
		}
		out[i] = atype_cotangent(c->in[v[i]]->type);
	}
	return n;
}

/* If every operation has a derivative rule, the gradient is emitted here; otherwise it is a single
 * operation, which has a type but cannot be run. */
static int gradient(call_with_body *c, bool with_value)
{
	atype types[ARRAY_MAX_OUT];
	const int64_t *v, first = 0;
	afn *f = trace_primal(c, c->n_in, 0);
	if (!f || !one_scalar(c->ctx, f))
		return -1;
	types[0] = *f->outs.ptr[0]->type;
	int n = argument_cotangents(c, types + with_value);
	if (n < 0 || n + with_value > c->cap)
		return -1;
	avalue **cts = NEW_N(&c->ctx->scratch, avalue *, c->n_in + 1), *value;
	bool *wanted = NEW_N(&c->ctx->scratch, bool, c->n_in + 1);
	if (param_ints(c->attrs, "argnums", &v) < 0)
		v = &first;
	memset(wanted, 0, sizeof *wanted * (size_t)(c->n_in + 1));
	for (int i = 0; i < n; i++)
		wanted[v[i]] = true;
	int done = array_reverse(c->ctx, f, c->in, NULL, wanted, &value, cts);
	if (done <= 0)
		return done < 0 ? -1
		                : call_node(c, with_value ? "value_and_grad" : "grad", &f, 1, types,
		                            n + with_value);
	if (with_value)
		c->out[0] = value;
	for (int i = 0; i < n; i++)
		c->out[i + with_value] = cts[v[i]];
	return n + with_value;
}

int array_grad(call_with_body *c) { return gradient(c, false); }
int array_value_and_grad(call_with_body *c) { return gradient(c, true); }

/* Checks that `given` has the cotangent type of a result. */
static bool cotangent_fits(tess_ctx *ctx, const atype *result, const atype *given, const char *of)
{
	atype want = atype_cotangent(result);
	return atype_same(&want, given) ||
	       diag_error(ctx, NOWHERE, E_ARRAY_CARRY,
	                  "unexpected type for the argument of a %s function: got %s, but "
	                  "expected %s",
	                  of, atype_text(ctx, given, TYPE_LONG), atype_text(ctx, &want, TYPE_LONG));
}

/* The results are f's results, then the cotangents of the parameters given as last operands. */
int array_vjp(call_with_body *c)
{
	atype types[2 * ARRAY_MAX_OUT];
	int n_primal = (int)param_int(c->attrs, "num_primals", c->n_in / 2), n = 0;
	afn *f = n_primal > 0 && n_primal <= ARRAY_MAX_OUT ? trace_primal(c, n_primal, 0) : NULL;
	if (!f || f->outs.len != c->n_in - n_primal)
		return -1;
	for (int i = 0; i < f->outs.len; i++) {
		types[n++] = *f->outs.ptr[i]->type;
		if (!cotangent_fits(c->ctx, f->outs.ptr[i]->type, c->in[n_primal + i]->type, "vjp"))
			return -1;
	}
	for (int i = 0; i < n_primal; i++)
		types[n++] = atype_cotangent(c->in[i]->type);
	if (n > c->cap)
		return -1;
	bool wanted[ARRAY_MAX_OUT];
	memset(wanted, 1, sizeof wanted);
	int done = array_reverse(c->ctx, f, c->in, c->in + n_primal, wanted, c->out,
	                         c->out + f->outs.len);
	return done ? done < 0 ? -1 : n : call_node(c, "vjp", &f, 1, types, n);
}

/* Forward mode by transposing twice: the cotangents of the operands, as a function of the
 * cotangents u of the results, are linear in u; the tangents are the cotangents of u. */
typedef struct pushed {
	const afn *f;
	avalue *const *in; /* operands of f */
	bool failed;       /* some operation has no rule */
} pushed;

static int pushed_body(tess_ctx *ctx, void *env, avalue *const *u, int n_in, avalue **out, int cap)
{
	pushed *p = env;
	bool wanted[ARRAY_MAX_OUT];
	avalue *values[ARRAY_MAX_OUT], *in[ARRAY_MAX_OUT];
	UNUSED(n_in);
	UNUSED(cap);
	memset(wanted, 1, sizeof wanted);
	for (int i = 0; i < p->f->n_explicit; i++)
		if (!(in[i] = afn_lift(array_state_of(ctx)->trace, p->in[i])))
			return -1;
	int done = array_reverse(ctx, p->f, in, u, wanted, values, out);
	p->failed = done == 0;
	return done > 0 ? p->f->n_explicit : -1;
}

/* Returns the number of tangents; 0: some operation has no rule; -1 after an error. */
static int push_forward(call_with_body *c, const afn *f, avalue *const *in, avalue *const *tangents,
                        avalue **out)
{
	tess_ctx *ctx = c->ctx;
	pushed p = {f, in, false};
	atype types[ARRAY_MAX_OUT];
	avalue *zeros[ARRAY_MAX_OUT], *values[ARRAY_MAX_OUT];
	bool wanted[ARRAY_MAX_OUT];
	if (f->n_explicit > ARRAY_MAX_OUT)
		return 0;
	memset(wanted, 1, sizeof wanted);
	for (int i = 0; i < f->outs.len; i++) {
		types[i] = atype_cotangent(f->outs.ptr[i]->type);
		zeros[i] = zeros_of(ctx, &types[i]);
		if (!zeros[i])
			return -1;
	}
	array_state *st = array_state_of(ctx);
	afn *trace = st->trace,
	    *g = array_trace(ctx, pushed_body, &p, types, f->outs.len, afn_begin(ctx));
	st->trace = trace;
	if (!g)
		return p.failed ? 0 : -1;
	int done = array_reverse(ctx, g, zeros, tangents, wanted, values, out);
	return done > 0 ? f->outs.len : done;
}

/* A tangent has the shape and dtype of its value, and is sharded like it or less. */
static bool tangent_fits(tess_ctx *ctx, const atype *primal, const atype *t)
{
	bool fits = primal->rank == t->rank && primal->dtype == t->dtype &&
	            dtype_is_float(t->dtype) && primal->unreduced == t->unreduced &&
	            primal->reduced == t->reduced;
	for (int d = 0; fits && d < t->rank; d++)
		fits = primal->dim[d] == t->dim[d] &&
		       (!t->spec[d] || !primal->spec[d] || t->spec[d] == primal->spec[d]);
	return fits || diag_error(ctx, NOWHERE, E_ARRAY_CARRY,
	                          "jvp: a tangent of type %s does not fit an argument of type %s",
	                          atype_text(ctx, t, TYPE_LONG), atype_text(ctx, primal, TYPE_LONG));
}

int array_jvp(call_with_body *c)
{
	atype types[2 * ARRAY_MAX_OUT];
	if (c->n_in % 2) {
		diag_error(c->ctx, NOWHERE, E_ARRAY_USAGE, "jvp takes a tangent for each argument");
		return -1;
	}
	for (int i = 0; i < c->n_in / 2; i++)
		if (!tangent_fits(c->ctx, c->in[i]->type, c->in[c->n_in / 2 + i]->type))
			return -1;
	afn *f = trace_primal(c, c->n_in / 2, 0);
	if (!f || 2 * f->outs.len > c->cap || 2 * f->outs.len > ARRAY_MAX_OUT)
		return -1;
	for (int i = 0; i < 2 * f->outs.len; i++)
		types[i] = *f->outs.ptr[i % f->outs.len]->type;
	int done = push_forward(c, f, c->in, c->in + c->n_in / 2, c->out + f->outs.len);
	if (done <= 0)
		return done < 0 ? -1 : call_node(c, "jvp", &f, 1, types, 2 * f->outs.len);
	avalue **all = NEW_N(&c->ctx->scratch, avalue *, f->params.len + 1);
	for (int i = 0; i < f->params.len; i++)
		all[i] = i < f->n_explicit ? c->in[i] : f->captured.ptr[i - f->n_explicit];
	return replay_into(c->ctx, f, all, c->out, NULL) ? 2 * f->outs.len : -1;
}

/* ---- jacobians ------------------------------------------------------------------------------- */

typedef struct jacobian_env {
	call_with_body *call;
	const afn *f;
	bool forward, failed;
} jacobian_env;

/* Computes one row: the result for one direction. */
static int jacobian_row(tess_ctx *ctx, void *env, avalue *const *in, int n_in, avalue **out,
                        int cap)
{
	jacobian_env *e = env;
	avalue *x = afn_lift(array_state_of(ctx)->trace, e->call->in[0]), *value;
	bool wanted = true;
	atype want = e->forward ? *e->f->params.ptr[0]->type
	                        : atype_cotangent(e->f->outs.ptr[0]->type);
	avalue *v = x ? emit_reshard(ctx, in[0], pspec_of(ctx, &want), NULL) : NULL;
	UNUSED(n_in);
	UNUSED(cap);
	if (!want.mesh || !amesh_axes_of_kind(want.mesh, AXIS_EXPLICIT))
		v = in[0];
	if (!v)
		return -1;
	int done = e->forward ? push_forward(e->call, e->f, &x, &v, out)
	                      : array_reverse(ctx, e->f, &x, &v, &wanted, &value, out);
	e->failed = done == 0;
	return done > 0 ? 1 : -1;
}

/* Returns all directions: the identity matrix, with t's dimensions after the mapped one. */
static avalue *directions(tess_ctx *ctx, const atype *t)
{
	params a = {0}, shape = {0};
	int64_t n = atype_elements(t), dims[ARRAY_MAX_RANK] = {n};
	avalue *eye, *out;
	if (t->rank + 1 > ARRAY_MAX_RANK)
		return NULL;
	memcpy(dims + 1, t->dim, sizeof *dims * (size_t)t->rank);
	params_set_ints(&ctx->scratch, &a, "n", &n, 1);
	params_set(&ctx->scratch, &a,
	           (param){.key = "dtype", .kind = PK_DTYPE, .n = 1, .dtype = t->dtype});
	params_set_ints(&ctx->scratch, &shape, "new_sizes", dims, t->rank + 1);
	return array_emit(ctx, "jnp.eye", NULL, 0, &a, &eye, 1) == 1 &&
	                       array_emit(ctx, "lax.reshape", &eye, 1, &shape, &out, 1) == 1
	               ? out
	               : NULL;
}

/* Stacks the rows, then orders dimensions as in the type: those of the result, then of the operand.
 * @return NULL without an error if some operation has no rule */
static avalue *jacobian_written(call_with_body *c, const afn *f, bool forward, const atype *t,
                                bool *reported)
{
	tess_ctx *ctx = c->ctx;
	jacobian_env e = {c, f, forward, false};
	void *env = &e;
	const atype *along = forward ? c->in[0]->type : f->outs.ptr[0]->type;
	const atype *across = forward ? f->outs.ptr[0]->type : c->in[0]->type;
	avalue *eye = directions(ctx, along), *rows;
	params a = {0};
	int64_t dims[ARRAY_MAX_RANK], perm[ARRAY_MAX_RANK];
	call_with_body map = {.ctx = ctx,
	                      .body = jacobian_row,
	                      .env = &env,
	                      .n_bodies = 1,
	                      .in = &eye,
	                      .n_in = 1,
	                      .out = &rows,
	                      .cap = 1};
	*reported = true;
	if (!eye || array_vmap(&map) != 1) {
		*reported = !e.failed;
		return NULL;
	}
	memcpy(dims, along->dim, sizeof *dims * (size_t)along->rank);
	memcpy(dims + along->rank, across->dim, sizeof *dims * (size_t)across->rank);
	params_set_ints(&ctx->scratch, &a, "new_sizes", dims, t->rank);
	avalue *out = emit_unsharded(ctx, rows);
	if (!out || array_emit(ctx, "lax.reshape", &out, 1, &a, &out, 1) != 1)
		return NULL;
	for (int d = 0; d < t->rank; d++)
		perm[d] = !forward ? d : d < across->rank ? along->rank + d : d - across->rank;
	params p = {0};
	params_set_ints(&ctx->scratch, &p, "permutation", perm, t->rank);
	if (array_emit(ctx, "lax.transpose", &out, 1, &p, &out, 1) != 1)
		return NULL;
	return t->mesh && amesh_axes_of_kind(t->mesh, AXIS_EXPLICIT)
	               ? emit_reshard(ctx, out, pspec_of(ctx, t), NULL)
	               : out;
}

/* The type has the dimensions of both; the second ones are unsharded. */
static bool jacobian_type(const atype *out, const atype *in, bool forward, atype *t)
{
	*t = forward ? *out : atype_cotangent(in);
	if (out->rank + in->rank > ARRAY_MAX_RANK)
		return false;
	t->rank = out->rank + in->rank;
	for (int d = 0; d < t->rank; d++) {
		bool of_out = d < out->rank;
		t->dim[d] = of_out ? out->dim[d] : in->dim[d - out->rank];
		t->spec[d] = of_out != forward ? 0
		             : of_out          ? out->spec[d]
		                               : in->spec[d - out->rank];
	}
	return true;
}

static int jacobian(call_with_body *c, bool forward)
{
	atype t;
	afn *f = trace_primal(c, c->n_in, 0);
	if (!f || f->outs.len != 1 || c->n_in != 1 ||
	    !jacobian_type(f->outs.ptr[0]->type, c->in[0]->type, forward, &t))
		return -1;
	bool reported;
	avalue *written = jacobian_written(c, f, forward, &t, &reported);
	if (written)
		c->out[0] = written;
	if (written || reported)
		return written ? 1 : -1;
	return call_node(c, forward ? "jacfwd" : "jacrev", &f, 1, &t, 1);
}

int array_jacfwd(call_with_body *c) { return jacobian(c, true); }
int array_jacrev(call_with_body *c) { return jacobian(c, false); }

/* True if the function is linear: the cotangent does not depend on where it is evaluated, and every
 * operation passes it on. */
static bool is_linear(tess_ctx *ctx, const afn *f, avalue *ct, const avalue *at)
{
	const anode *flat = dependent_node(ctx, f, f->params.ptr[0], is_flat);
	if (flat)
		return diag_error(ctx, NOWHERE, E_ARRAY_OP, "linear_transpose: %s is not linear",
		                  flat->op->name);
	return !depends_on(ctx, array_state_of(ctx)->trace, ct, at) ||
	       diag_error(ctx, NOWHERE, E_ARRAY_OP,
	                  "linear_transpose: the function is not linear, since its transpose depends on its argument");
}

int array_linear_transpose(call_with_body *c)
{
	atype t;
	afn *f = c->n_in == 2 ? trace_primal(c, 1, 0) : NULL;
	if (!f)
		return -1;
	if (f->outs.len == 1 &&
	    !cotangent_fits(c->ctx, f->outs.ptr[0]->type, c->in[1]->type, "linear_transpose"))
		return -1;
	t = atype_cotangent(c->in[0]->type);
	avalue *zero = zeros_of(c->ctx, c->in[0]->type), *values[ARRAY_MAX_OUT];
	bool wanted = true;
	int done = zero && f->outs.len == 1
	                   ? array_reverse(c->ctx, f, &zero, c->in + 1, &wanted, values, c->out)
	                   : -1;
	if (done > 0 && !is_linear(c->ctx, f, c->out[0], zero))
		return -1;
	return done ? done : call_node(c, "linear_transpose", &f, 1, &t, 1);
}

/* Takes the primal function, and a backward function of its arguments and its results' cotangents,
 * which must return the arguments' cotangents. */
int array_custom_vjp(call_with_body *c)
{
	tess_ctx *ctx = c->ctx;
	afn *f[2];
	atype *types = NEW_N(&ctx->scratch, atype, c->n_in + ARRAY_MAX_OUT);
	int n = c->n_in;
	if (c->n_bodies != 2 || !(f[0] = trace_primal(c, n, 0)))
		return -1;
	for (int i = 0; i < c->n_in; i++)
		types[i] = *c->in[i]->type;
	for (int i = 0; i < f[0]->outs.len; i++)
		types[n++] = atype_cotangent(f[0]->outs.ptr[i]->type);
	f[1] = array_trace(ctx, c->body, c->env[1], types, n, afn_begin(ctx));
	if (!f[1])
		return -1;
	for (int i = 0; i < f[1]->outs.len && i < c->n_in; i++) {
		atype want = atype_cotangent(c->in[i]->type);
		if (!atype_same(&want, f[1]->outs.ptr[i]->type)) {
			diag_error(
				ctx, NOWHERE, E_ARRAY_CARRY,
				"the backward rule must produce cotangents of the arguments: output %d is "
				"%s, not %s",
				i, atype_text(ctx, f[1]->outs.ptr[i]->type, TYPE_LONG),
				atype_text(ctx, &want, TYPE_LONG));
			return -1;
		}
	}
	for (int i = 0; i < f[0]->outs.len; i++)
		types[i] = *f[0]->outs.ptr[i]->type;
	return call_node(c, "custom_vjp", f, 2, types, f[0]->outs.len);
}
