/* call.c - vmap of operations with bodies: the body is emitted for all elements at once. */
#include "array/batch/batch.h"

/* A body of a node, to be emitted for all elements, with all results mapped. */
typedef struct batch_env {
	batch *b;
	const afn *f;
	avalue *const *captured;
	const bool *captured_mapped;
	const bool *own_mapped;
	const atype *like;
	tess_str name;
} batch_env;

static int batch_body(tess_ctx *ctx, void *env, avalue *const *in, int n_in, avalue **out, int cap)
{
	const batch_env *e = env;
	int n = e->f->params.len;
	avalue **params = NEW_N(&ctx->scratch, avalue *, n + 1);
	bool *mapped = NEW_N(&ctx->scratch, bool, n + 1);
	UNUSED(cap);
	for (int i = 0; i < n; i++) {
		params[i] = i < n_in ? in[i] : e->captured[i - n_in];
		mapped[i] = i < n_in ? e->own_mapped[i] : e->captured_mapped[i - n_in];
	}
	return batch_into(ctx, e->f, params, mapped, e->like, e->name, NULL, out) ? e->f->outs.len : -1;
}

static void **batch_envs(batch *b, const bool *own_mapped)
{
	const anode *n = b->node;
	batch_env *e = NEW_N(&b->ctx->scratch, batch_env, n->n_bodies);
	void **env = NEW_N(&b->ctx->scratch, void *, n->n_bodies);
	for (int k = 0; k < n->n_bodies; k++) {
		int from = captures_from(n, k);
		e[k] = (batch_env){b,          n->body[k], b->in + from, b->mapped + from,
		                   own_mapped, b->like,    b->name};
		env[k] = &e[k];
	}
	return env;
}

/* Carries are mapped; what is scanned keeps the scanned dimension first. */
void batch_scan(batch *b)
{
	const anode *n = b->node;
	int n_own = n->body[0]->n_explicit, n_carry = (int)param_int(n->attrs, "num_carry", 0);
	avalue **in = NEW_N(&b->ctx->scratch, avalue *, n->n_in + 1);
	bool *mapped = NEW_N(&b->ctx->scratch, bool, n_own + 1);
	for (int i = 0; i < n_own; i++) {
		mapped[i] = i < n_carry || b->mapped[i];
		in[i] = i < n_carry    ? batch_operand(b, i)
		        : b->mapped[i] ? batch_moved(b, b->in[i], 0, 1)
		                       : b->in[i];
	}
	if (replay_call(b->ctx, n, in, batch_body, batch_envs(b, mapped), b->out) != n->n_out)
		b->failed = true;
	for (int i = n_carry; i < n->n_out && !b->failed; i++)
		b->out[i] = batch_moved(b, b->out[i], 1, 0);
}

/* True as long as any element continues. */
static int any_goes_on(tess_ctx *ctx, void *env, avalue *const *in, int n_in, avalue **out, int cap)
{
	if (batch_body(ctx, env, in, n_in, out, cap) != 1)
		return -1;
	return array_emit(ctx, "lax.reduce_or", out, 1, NULL, out, 1);
}

static avalue *batch_choice(batch *b, avalue *which, avalue *yes, avalue *no)
{
	atype t = *yes->type;
	t.dtype = DT_I1;
	which = batch_aligned(b, which, t.rank - 1);
	if (which)
		which = batch_node(b, "jnp.broadcast_to", &which, 1,
		                   batch_ints(b, NULL, "shape", t.dim, t.rank), &t);
	avalue *in[] = {which, yes, no};
	return batch_node(b, "lax.select", in, 3, NULL, yes->type);
}

/* Elements that are done keep their values while others continue. */
typedef struct while_env {
	batch_env body, test;
} while_env;

static int while_step(tess_ctx *ctx, void *env, avalue *const *in, int n_in, avalue **out, int cap)
{
	while_env *e = env;
	avalue *on;
	int n = batch_body(ctx, &e->body, in, n_in, out, cap);
	if (n < 0 || batch_body(ctx, &e->test, in, n_in, &on, 1) != 1)
		return -1;
	for (int i = 0; i < n; i++)
		if (!(out[i] = batch_choice(e->body.b, on, out[i], in[i])))
			return -1;
	return n;
}

static int while_bodies(tess_ctx *ctx, void *env, avalue *const *in, int n_in, avalue **out,
                        int cap)
{
	while_env *e = env;
	return e->body.f ? while_step(ctx, e, in, n_in, out, cap)
	                 : any_goes_on(ctx, &e->test, in, n_in, out, cap);
}

void batch_while(batch *b)
{
	const anode *n = b->node;
	avalue **in = NEW_N(&b->ctx->scratch, avalue *, n->n_in + 1);
	bool *mapped = NEW_N(&b->ctx->scratch, bool, n->n_out + 1);
	for (int i = 0; i < n->n_out; i++) {
		in[i] = batch_operand(b, i);
		mapped[i] = true;
	}
	void **env = batch_envs(b, mapped);
	int got;
	if (n->n_bodies == 1) {
		got = replay_call(b->ctx, n, in, batch_body, env, b->out);
	} else {
		while_env e[2] = {{*(batch_env *)env[0], *(batch_env *)env[1]},
		                  {{0}, *(batch_env *)env[1]}};
		void *both[] = {&e[0], &e[1]};
		got = replay_call(b->ctx, n, in, while_bodies, both, b->out);
	}
	b->failed |= got != n->n_out;
}

/* Emits one branch for all elements, or all branches and a select per element. */
void batch_cond(batch *b)
{
	const anode *n = b->node;
	int n_own = n->body[0]->n_explicit;
	void **env = batch_envs(b, b->mapped + 1);
	if (!b->mapped[0]) {
		b->failed |= replay_call(b->ctx, n, b->in, batch_body, env, b->out) != n->n_out;
		return;
	}
	avalue **outs = NEW_N(&b->ctx->scratch, avalue *, n->n_out + 1);
	bool truth = n->in[0]->type->dtype == DT_I1;
	for (int k = n->n_bodies - 1; k >= 0 && !b->failed; k--) {
		params a = {0};
		avalue *at = NULL, *on[] = {b->in[0], NULL};
		if (batch_body(b->ctx, env[k], b->in + 1, n_own, outs, n->n_out) != n->n_out) {
			b->failed = true;
			return;
		}
		params_set(&b->ctx->scratch, &a,
		           (param){.key = "dtype",
		                   .kind = PK_DTYPE,
		                   .n = 1,
		                   .dtype = n->in[0]->type->dtype});
		params_set(&b->ctx->scratch, &a,
		           (param){.key = "value", .kind = PK_NUMBER, .n = 1, .number = k});
		if (k + 1 < n->n_bodies && !truth &&
		    (array_emit(b->ctx, "scalar", NULL, 0, &a, &on[1], 1) != 1 ||
		     array_emit(b->ctx, k ? "jnp.equal" : "lax.le", on, 2, NULL, &at, 1) != 1))
			b->failed = true;
		for (int i = 0; i < n->n_out && !b->failed; i++)
			b->out[i] = k + 1 == n->n_bodies ? outs[i]
			            : batch_choice(b, truth ? b->in[0] : at, outs[i], b->out[i]);
	}
}

void batch_inline(batch *b)
{
	void **env = batch_envs(b, b->mapped);
	b->failed |= batch_body(b->ctx, env[0], b->in, b->node->body[0]->n_explicit, b->out,
	                        b->node->n_out) != b->node->n_out;
}

static void put_axis_group(writer *w, const char *before, const name *const *axis, int n)
{
	put_z(w, n ? before : "");
	for (int i = 0; i < n; i++)
		put_f(w, "%s%s%s", i ? "," : "(", axis[i]->s, i + 1 == n ? ")" : "");
}

/* Returns a spec with an additional unsharded dimension in front; the rest is from how the value
 * was sharded, with the unreduced and reduced axes of the given spec. */
static const pspec *spec_behind(batch *b, const axis_seq *cut, int rank, const pspec *given)
{
	const amesh *m = b->node->mesh;
	writer w;
	writer_init(&w, &b->ctx->scratch);
	put_c(&w, '_');
	for (int d = 0; d < rank; d++) {
		const name *axis[ARRAY_MAX_AXES];
		int n = axis_seq_len(cut[d]);
		for (int i = 0; i < n; i++)
			axis[i] = m->axis[axis_seq_at(cut[d], i)];
		put_z(&w, n ? "" : ", _");
		put_axis_group(&w, ", ", axis, n);
	}
	if (given) {
		put_axis_group(&w, " U:", given->unreduced, given->n_unreduced);
		put_axis_group(&w, " R:", given->reduced, given->n_reduced);
	}
	return pspec_parse(b->ctx, writer_str(&w));
}

/* Emits the body for all elements at once; the mapped dimension is not sharded by it. */
void batch_shard_map(batch *b)
{
	const anode *n = b->node;
	int n_own = n->body[0]->n_explicit;
	const pspec **in = NEW_N(&b->ctx->scratch, const pspec *, n_own + 1);
	const pspec **out = NEW_N(&b->ctx->scratch, const pspec *, n->n_out + 1);
	avalue **args = NEW_N(&b->ctx->scratch, avalue *, n_own + 1);
	bool *mapped = NEW_N(&b->ctx->scratch, bool, n_own + 1);
	params *a = batch_params(b);
	writer w;
	writer_init(&w, &b->ctx->scratch);
	for (int i = 0, left = 0; i < n->mesh->n; i++)
		if (n->body[0]->manual >> i & 1)
			put_f(&w, "%s%s", left++ ? "," : "", n->mesh->axis[i]->s);
	for (int i = 0; i < n_own; i++) {
		mapped[i] = true;
		args[i] = batch_operand(b, i);
		in[i] = spec_behind(b, n->in_cut + i * ARRAY_MAX_RANK, n->in[i]->type->rank,
		                    param_spec_at(n->attrs, "in_specs", i));
	}
	for (int i = 0; i < n->n_out; i++)
		out[i] = spec_behind(b, n->out_cut + i * ARRAY_MAX_RANK, n->out[i]->type->rank,
		                     param_spec_at(n->attrs, "out_specs", i));
	params_set(&b->ctx->scratch, a, (param){.key = "axis_names", .kind = PK_TEXT, .n = 1,
	                                        .text = writer_str(&w)});
	params_set(&b->ctx->scratch, a,
	           (param){.key = "in_specs", .kind = PK_SPECS, .n = n_own, .specs = in});
	params_set(&b->ctx->scratch, a,
	           (param){.key = "out_specs", .kind = PK_SPECS, .n = n->n_out, .specs = out});
	call_with_body c = {.ctx = b->ctx,
	                    .body = batch_body,
	                    .env = batch_envs(b, mapped),
	                    .n_bodies = 1,
	                    .in = args,
	                    .n_in = n_own,
	                    .attrs = a,
	                    .out = b->out,
	                    .cap = n->n_out};
	b->failed |= b->failed || array_shard_map(&c) != n->n_out;
}
