/* replay.c - emits a traced function into the function being traced. */
#include "array/control.h"

int replay_body(tess_ctx *ctx, void *env, avalue *const *in, int n_in, avalue **out, int cap)
{
	const replay *r = env;
	avalue **all = NEW_N(&ctx->scratch, avalue *, r->f->params.len + 1);
	UNUSED(cap);
	for (int i = 0; i < r->f->params.len; i++)
		all[i] = i < n_in ? in[i] : r->captured[i - n_in];
	return replay_into(ctx, r->f, all, out, NULL) ? r->f->outs.len : -1;
}

/* Returns the index of the first capture of body b among the operands of a node. */
int captures_from(const anode *n, int b)
{
	int at = n->n_in;
	for (int i = n->n_bodies - 1; i >= b; i--)
		at -= n->body[i]->captured.len;
	return at;
}

static array_call *call_named(const char *name)
{
	static const struct {
		const char *name;
		array_call *call;
	} calls[] = {
		{"scan", array_scan}, {"while", array_while}, {"cond", array_cond},
		{"custom_vjp", array_custom_vjp}, {"shard_map", array_shard_map}, {"vmap", array_vmap},
		{"grad", array_grad}, {"value_and_grad", array_value_and_grad}, {"vjp", array_vjp},
		{"jvp", array_jvp}, {"jacfwd", array_jacfwd}, {"jacrev", array_jacrev},
		{"linear_transpose", array_linear_transpose},
	};
	for (int i = 0; i < COUNT(calls); i++)
		if (strcmp(calls[i].name, name) == 0)
			return calls[i].call;
	return NULL;
}

int replay_call(tess_ctx *ctx, const anode *n, avalue *const *args, array_body *body,
                void *const *env, avalue **out)
{
	array_call *call = call_named(n->op->name);
	call_with_body c = {.ctx = ctx,
	                    .body = body,
	                    .env = env,
	                    .n_bodies = n->n_bodies,
	                    .in = args,
	                    .n_in = captures_from(n, 0),
	                    .attrs = n->attrs,
	                    .out = out,
	                    .cap = n->n_out};
	return call ? call(&c) : -1;
}

static int replay_node(tess_ctx *ctx, const anode *n, avalue *const *args, avalue **out)
{
	if (!n->n_bodies)
		return array_emit(ctx, n->op->name, args, n->n_in, n->attrs, out, n->n_out);
	replay *r = NEW_N(&ctx->scratch, replay, n->n_bodies);
	void **env = NEW_N(&ctx->scratch, void *, n->n_bodies);
	for (int b = 0; b < n->n_bodies; b++) {
		r[b] = (replay){n->body[b], args + captures_from(n, b)};
		env[b] = &r[b];
	}
	return replay_call(ctx, n, args, replay_body, env, out);
}

/* Copies a node for other operands of the same types, with known result types. */
static bool copy_node(afn *into, const anode *n, avalue *const *args, avalue **out)
{
	atype *types = NEW_N(&into->ctx->scratch, atype, n->n_out + 1);
	for (int k = 0; k < n->n_in; k++)
		if (!args[k])
			return false;
	for (int k = 0; k < n->n_out; k++)
		types[k] = *n->out[k]->type;
	anode *made = afn_append(into, n->op, args, n->n_in, n->attrs, types, n->n_out);
	made->body = n->body;
	made->n_bodies = n->n_bodies;
	made->in_cut = n->in_cut;
	made->out_cut = n->out_cut;
	for (int k = 0; k < n->n_out; k++)
		out[k] = made->out[k];
	return true;
}

/* If parameters have the types with which f was traced, all types stay the same; the rules would
 * not always give the types that vmap produced. */
static bool same_types(const afn *f, avalue *const *params)
{
	for (int i = 0; i < f->params.len; i++)
		if (!params[i] || params[i]->type != f->params.ptr[i]->type)
			return false;
	return true;
}

bool replay_into(tess_ctx *ctx, const afn *f, avalue *const *params, avalue **outs, ptr_map *known)
{
	array_state *st = array_state_of(ctx);
	afn *into = st->trace;
	const amesh *mesh = st->mesh;
	ptr_map own = {0}, *copies = known ? known : &own;
	bool ok = true, same = same_types(f, params);
	for (int i = 0; i < f->params.len && ok; i++)
		ok = (*ptr_map_at(copies, &ctx->scratch,
		                  f->params.ptr[i]) = afn_lift(into, params[i])) != NULL;
	for (int i = 0; i < f->nodes.len && ok; i++) {
		const anode *n = f->nodes.ptr[i];
		avalue **args = NEW_N(&ctx->scratch, avalue *, n->n_in + 1);
		avalue **out = NEW_N(&ctx->scratch, avalue *, n->n_out + 1);
		for (int k = 0; k < n->n_in; k++)
			args[k] = ptr_map_get(copies, n->in[k]);
		st->mesh = n->mesh;
		ok = same ? copy_node(into, n, args, out)
		          : replay_node(ctx, n, args, out) == n->n_out;
		for (int k = 0; k < n->n_out && ok; k++)
			*ptr_map_at(copies, &ctx->scratch, n->out[k]) = out[k];
	}
	st->mesh = mesh;
	for (int i = 0; i < f->outs.len && ok; i++)
		outs[i] = ptr_map_get(copies, f->outs.ptr[i]);
	return ok;
}
