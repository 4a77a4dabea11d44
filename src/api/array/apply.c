/* apply.c - applies operations to types, to values, and with bodies; traces functions. */
#include <tessera/array.h>

#include "api/array/fn.h"

_Static_assert((int)TESS_VMAP_NOT_MAPPED == (int)NOT_MAPPED, "TESS_VMAP_NOT_MAPPED differs");

/* More operands than an int can count are an error; for results, that is just enough room. */
enum { MOST = 1 << 20 };
static int room_for(size_t cap) { return cap < MOST ? (int)cap : MOST; }

/* ---- inferring types, tracing --------------------------------------------------------------- */

typedef struct apply_call {
	const char *op;
	const tess_array_type *const *types;
	avalue *const *in;
	int n_in;
	const params *attrs;
	const tess_array_type **out_types;
	avalue **out;
	int cap, n;
	tess_fn_body *body;
	void *const *env;
	int n_bodies;
	afn *f;
} apply_call;

/* The caller's body, whose counts have other types than in array. */
typedef struct given_body {
	tess_fn_body *body;
	void *env;
} given_body;

static int run_given(tess_ctx *ctx, void *env, avalue *const *in, int n_in, avalue **out, int cap)
{
	const given_body *g = env;
	return g->body(ctx, g->env, in, (size_t)n_in, out, (size_t)cap);
}

static const params *attrs_of(const tess_params *a) { return a ? &a->list : NULL; }

static int typed_one(tess_ctx *ctx, void *env, avalue *const *in, int n_in, avalue **out, int cap)
{
	apply_call *c = env;
	params_begin(c->attrs);
	int n = array_emit(ctx, c->op, in, n_in, c->attrs, out, cap);
	return n >= 0 && params_all_asked(ctx, c->op, c->attrs) ? n : -1;
}

static afn *trace_types(tess_ctx *ctx, apply_call *c, array_body *body, void *env)
{
	atype *params = NEW_N(&ctx->scratch, atype, c->n_in + 1);
	for (int i = 0; i < c->n_in; i++)
		params[i] = *c->types[i];
	c->f = afn_begin(ctx);
	return array_trace(ctx, body, env, params, c->n_in, c->f);
}

static tess_status typed_body(tess_ctx *ctx, void *arg)
{
	apply_call *c = arg;
	afn *f = trace_types(ctx, c, typed_one, c);
	c->n = f ? f->outs.len : -1;
	for (int i = 0; i < c->n && i < c->cap; i++)
		c->out_types[i] = f->outs.ptr[i]->type;
	return f ? TESS_OK : TESS_INVALID;
}

static bool types_given(tess_ctx *ctx, const tess_array_type *const *in, size_t n_in)
{
	bool right = array_usage(ctx, n_in <= MOST && (in || !n_in), "an operand is missing");
	for (size_t i = 0; right && i < n_in; i++)
		right = array_type_here(ctx, in[i]);
	return right;
}

int tess_array_infer(tess_ctx *ctx, const char *op, const tess_array_type *const *in, size_t n_in,
                     const tess_params *a, const tess_array_type **out, size_t cap)
{
	apply_call c = {.op = op, .types = in, .n_in = (int)n_in, .attrs = attrs_of(a),
	                .out_types = out, .cap = room_for(cap), .n = -1};
	if (!array_attrs_here(ctx, a) || !types_given(ctx, in, n_in) ||
	    !array_usage(ctx, op && (out || !cap), "the name of the operation, or room for its results, is missing"))
		return -1;
	tess_status done = array_run(ctx, typed_body, &c);
	afn_free(c.f && !c.f->outer ? c.f : NULL);
	return done == TESS_OK ? c.n : -1;
}

static tess_status trace_body(tess_ctx *ctx, void *arg)
{
	apply_call *c = arg;
	given_body g = {c->body, c->env[0]};
	return trace_types(ctx, c, run_given, &g) ? TESS_OK : TESS_INVALID;
}

tess_fn *tess_fn_trace(tess_ctx *ctx, tess_fn_body *body, void *env,
                       const tess_array_type *const *in, size_t n_in)
{
	apply_call c = {.types = in, .n_in = (int)n_in, .body = body, .env = &env};
	if (!types_given(ctx, in, n_in) || !array_usage(ctx, body, "the body is missing") ||
	    !array_usage(ctx, !array_state_of(ctx)->trace, "a function is being traced already"))
		return NULL;
	tess_fn *fn = ctx_realloc(ctx, NULL, sizeof *fn);
	if (fn && array_run(ctx, trace_body, &c) == TESS_OK) {
		*fn = (tess_fn){.ctx = ctx, .f = c.f, .mark = HANDLE_ALIVE};
		return fn;
	}
	afn_free(c.f);
	if (fn)
		ctx_realloc(ctx, fn, 0);
	return NULL;
}

void array_fn_drop(tess_ctx *ctx, void *handle)
{
	tess_fn *fn = handle;
	tess_exec_free(fn->exec);
	tess_module_free(fn->module);
	if (fn->placed_in)
		ctx_realloc(ctx, (void *)fn->placed_in, 0);
	if (fn->placed_out)
		ctx_realloc(ctx, (void *)fn->placed_out, 0);
	afn_free(fn->f);
	ctx_realloc(ctx, fn, 0);
}

void tess_fn_free(tess_fn *fn)
{
	if (fn)
		handle_free(fn->ctx, fn, &fn->mark, "a function", array_fn_drop);
}

size_t tess_fn_result_count(const tess_fn *fn)
{
	bool alive = fn && handle_alive(fn->ctx, fn->mark, "a function");
	return alive ? (size_t)fn->f->outs.len : 0;
}

const tess_array_type *tess_fn_result_type(const tess_fn *fn, size_t i)
{
	return i < tess_fn_result_count(fn) ? fn->f->outs.ptr[i]->type : NULL;
}

const tess_array_type *tess_array_typeof(const tess_array *v)
{
	return v && (v->home || handle_alive(v->ctx, v->mark, "a value")) ? v->type : NULL;
}

/* ---- applying -------------------------------------------------------------------------------- */

static const struct {
	const char *name;
	array_call *call;
} calls_with_bodies[] = {
	{"jit", array_jit},           {"remat", array_jit},
	{"scan", array_scan},         {"map", array_map},
	{"while", array_while},       {"cond", array_cond},
	{"while_loop", array_while},  {"switch", array_cond},
	{"checkpoint", array_jit},
	{"vmap", array_vmap},         {"grad", array_grad},
	{"value_and_grad", array_value_and_grad},
	{"vjp", array_vjp},           {"jvp", array_jvp},
	{"jacfwd", array_jacfwd},     {"jacrev", array_jacrev},
	{"linear_transpose", array_linear_transpose},
	{"custom_vjp", array_custom_vjp},
	{"shard_map", array_shard_map},
	{"auto_axes", array_auto_axes}, {"explicit_axes", array_explicit_axes},
	{"use_mesh", array_use_mesh},
};

static tess_status array_apply_body(tess_ctx *ctx, void *arg)
{
	apply_call *c = arg;
	c->n = typed_one(ctx, c, c->in, c->n_in, c->out, c->cap);
	return c->n < 0 ? TESS_INVALID : TESS_OK;
}

static bool values_given(tess_ctx *ctx, tess_array *const *in, size_t n_in, tess_array **out,
                         size_t cap)
{
	if (!array_usage(ctx, n_in <= MOST && (in || !n_in) && (out || !cap),
	                 "the operands, or room for the results, are missing"))
		return false;
	for (size_t i = 0; i < n_in; i++)
		if (in[i] && !in[i]->home &&
		    (!handle_alive(ctx, in[i]->mark, "a value") ||
		     !array_usage(ctx, in[i]->ctx == ctx, "an operand belongs to another context")))
			return false;
	return true;
}

int tess_apply(tess_ctx *ctx, const char *op, tess_array *const *in, size_t n_in,
               const tess_params *a, tess_array **out, size_t cap)
{
	apply_call c = {.op = op, .in = in, .n_in = (int)n_in, .attrs = attrs_of(a),
	                .out = out, .cap = room_for(cap), .n = -1};
	if (!values_given(ctx, in, n_in, out, cap) || !array_usage(ctx, op, "the name of the operation is missing") ||
	    !array_attrs_here(ctx, a))
		return -1;
	if (!array_state_of(ctx)->trace)
		return array_eager(ctx, op, in, n_in, a, out, cap);
	return array_run(ctx, array_apply_body, &c) == TESS_OK ? c.n : -1;
}

static tess_status apply_with_bodies(tess_ctx *ctx, void *arg)
{
	apply_call *c = arg;
	given_body *given = NEW_N(&ctx->scratch, given_body, c->n_bodies);
	void **env = NEW_N(&ctx->scratch, void *, c->n_bodies);
	for (int i = 0; i < c->n_bodies; i++) {
		given[i] = (given_body){c->body, c->env[i]};
		env[i] = &given[i];
	}
	call_with_body call = {.ctx = ctx,
	                       .body = run_given,
	                       .env = env,
	                       .n_bodies = c->n_bodies,
	                       .in = c->in,
	                       .n_in = c->n_in,
	                       .attrs = c->attrs,
	                       .out = c->out,
	                       .cap = c->cap};
	for (int i = 0; i < c->n_in; i++)
		if (!c->in[i])
			return TESS_INVALID;
	for (int i = 0; i < COUNT(calls_with_bodies); i++)
		if (strcmp(calls_with_bodies[i].name, c->op) == 0) {
			int told = diag_errors(ctx);
			params_begin(c->attrs);
			c->n = calls_with_bodies[i].call(&call);
			if (c->n >= 0 && !params_all_asked(ctx, c->op, c->attrs))
				c->n = -1;
			if (c->n < 0 && diag_errors(ctx) == told)
				diag_error(ctx, NOWHERE, E_ARRAY_USAGE,
				           "%s does not take these operands, or does not have that many results",
				           c->op);
			return c->n < 0 ? TESS_INVALID : TESS_OK;
		}
	diag_error(ctx, NOWHERE, E_ARRAY_OP, "%s takes no body", c->op);
	return TESS_INVALID;
}

int tess_apply_body(tess_ctx *ctx, const char *what, tess_fn_body *body, void *const *env,
                    size_t n_bodies, tess_array *const *in, size_t n_in, const tess_params *a,
                    tess_array **out, size_t cap)
{
	apply_call c = {.op = what, .in = in, .n_in = (int)n_in, .attrs = attrs_of(a),
	                .out = out, .cap = room_for(cap), .n = -1,
	                .body = body, .env = env, .n_bodies = (int)n_bodies};
	if (!values_given(ctx, in, n_in, out, cap) || !array_attrs_here(ctx, a) ||
	    !array_usage(ctx, what && body && env && n_bodies && n_bodies <= MOST, "the body is missing"))
		return -1;
	if (!array_state_of(ctx)->trace)
		return array_eager_call(ctx, what, body, env, n_bodies, in, n_in, a, out, cap);
	return array_run(ctx, apply_with_bodies, &c) == TESS_OK ? c.n : -1;
}
