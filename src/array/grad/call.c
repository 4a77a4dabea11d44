/* call.c - derivatives of operations with bodies: the backward operation has the same body, emitted
 * again and followed by its backward pass. */
#include "array/grad/grad.h"

/* Operands (or results) of the node that a backward body is for, by index. */
typedef struct back_list {
	int *at, n;
} back_list;

static back_list active_operands(backward *b, int from, int to)
{
	back_list l = {NEW_N(&b->ctx->scratch, int, to - from + 1), 0};
	for (int i = from; i < to; i++)
		if (dtype_is_float(b->node->in[i]->type->dtype) && is_active(b, b->node->in[i]))
			l.at[l.n++] = i;
	return l;
}

static back_list active_results(backward *b, int from, int to)
{
	back_list l = {NEW_N(&b->ctx->scratch, int, to - from + 1), 0};
	for (int i = from; i < to; i++)
		if (dtype_is_float(b->node->out[i]->type->dtype))
			l.at[l.n++] = i;
	return l;
}

/* Returns the cotangent of result i, or zeros. */
static avalue *ct_or_zeros(backward *b, int i)
{
	avalue *ct = back_ct(b, i);
	return ct ? ct : back_zeros(b, b->node->out[i]->type);
}

/* Emits body k of the node and its backward pass into the function being traced. `own` are its own
 * operands; out_cts are by result; found, by parameter of the body, is set to cotangents, or
 * NULL. */
static bool body_backwards(backward *b, int k, avalue *const *own, avalue *const *out_cts,
                           avalue **found)
{
	const anode *n = b->node;
	const afn *f = n->body[k];
	int from = captures_from(n, k);
	avalue **params = NEW_N(&b->ctx->scratch, avalue *, f->params.len + 1);
	bool *wanted = NEW_N(&b->ctx->scratch, bool, f->params.len + 1);
	for (int i = 0; i < f->params.len; i++) {
		params[i] = i < f->n_explicit ? own[i] : again(b, from + i - f->n_explicit);
		wanted[i] = body_wants(b, n, k, i);
	}
	return reverse_into(b->ctx, f, params, out_cts, wanted, NULL, found);
}

static avalue *found_or_zeros(backward *b, avalue *found, const atype *primal)
{
	backward inner = {.ctx = b->ctx};
	atype want = atype_cotangent(primal);
	return found ? back_fit(&inner, found, &want) : back_zeros(&inner, primal);
}

/* ---- scan ------------------------------------------------------------------------------------ */

/* Values are carries | scanned | captured, like the operands of the forward node; while is a scan
 * with carries only. */
typedef struct back_scan_state {
	backward *b;
	int n_carry, n_own;
	back_list carry, xs, captured, ys;
} back_scan_state;

/* One iteration of the forward pass; also returns the incoming carries. */
static int scan_keeping(tess_ctx *ctx, void *env, avalue *const *in, int n_in, avalue **out,
                        int cap)
{
	back_scan_state *s = env;
	const anode *n = s->b->node;
	const afn *f = n->body[0];
	avalue **all = NEW_N(&ctx->scratch, avalue *, f->params.len + 1);
	UNUSED(cap);
	for (int i = 0; i < f->params.len; i++)
		all[i] = i < n_in ? in[i] : again(s->b, s->n_own + i - n_in);
	avalue **outs = NEW_N(&ctx->scratch, avalue *, f->outs.len + 1);
	if (!replay_into(ctx, f, all, outs, NULL))
		return -1;
	for (int i = 0; i < s->n_carry; i++) {
		out[i] = outs[i];
		out[s->n_carry + i] = in[i];
	}
	return 2 * s->n_carry;
}

/* One iteration of the backward pass. Inputs: cotangents of carries and sums for captured values;
 * then the incoming carries, scanned values, and cotangents of stacked results. */
static int scan_backwards(tess_ctx *ctx, void *env, avalue *const *in, int n_in, avalue **out,
                          int cap)
{
	back_scan_state *s = env;
	backward *b = s->b;
	const anode *n = b->node;
	const afn *f = n->body[0];
	avalue *const *sums = in + s->carry.n, *const *kept = sums + s->captured.n;
	avalue *const *xs = kept + s->n_carry, *const *y_cts = xs + s->n_own - s->n_carry;
	avalue **own = NEW_N(&ctx->scratch, avalue *, s->n_own + 1);
	avalue **out_cts = NEW_N(&ctx->scratch, avalue *, n->n_out + 1);
	avalue **found = NEW_N(&ctx->scratch, avalue *, f->params.len + 1);
	int n_res = 0;
	UNUSED(n_in);
	UNUSED(cap);
	for (int i = 0; i < s->n_own; i++)
		own[i] = i < s->n_carry ? kept[i] : xs[i - s->n_carry];
	for (int i = 0; i < n->n_out; i++)
		out_cts[i] = NULL;
	for (int i = 0; i < s->carry.n; i++)
		out_cts[s->carry.at[i]] = in[i];
	for (int i = 0; i < s->ys.n; i++)
		out_cts[s->ys.at[i]] = y_cts[i];
	if (!body_backwards(b, 0, own, out_cts, found))
		return -1;
	for (int i = 0; i < s->carry.n; i++)
		out[n_res++] = found_or_zeros(b, found[s->carry.at[i]],
		                              f->params.ptr[s->carry.at[i]]->type);
	for (int i = 0; i < s->captured.n; i++) {
		int at = s->captured.at[i];
		avalue *pair[] = {sums[i], found[at]};
		if (!found[at])
			out[n_res++] = sums[i];
		else if (array_emit(ctx, "lax.add", pair, 2, NULL, &out[n_res++], 1) != 1)
			return -1;
	}
	for (int i = 0; i < s->xs.n; i++)
		out[n_res++] = found_or_zeros(b, found[s->xs.at[i]],
		                              f->params.ptr[s->xs.at[i]]->type);
	return n_res;
}

static int back_run_scan(backward *b, array_body *body, void *state, avalue *const *in, int n_in,
                         int n_carry, int64_t length, bool reverse, avalue **out, int cap)
{
	int64_t carries = n_carry, turned = reverse;
	params *a = back_ints(b, "num_carry", &carries, 1);
	params_set_ints(&b->ctx->scratch, a, "length", &length, 1);
	params_set_ints(&b->ctx->scratch, a, "reverse", &turned, 1);
	for (int i = 0; i < n_in; i++)
		if (!in[i])
			return -1;
	call_with_body c = {.ctx = b->ctx,
	                    .body = body,
	                    .env = &state,
	                    .n_bodies = 1,
	                    .in = in,
	                    .n_in = n_in,
	                    .attrs = a,
	                    .out = out,
	                    .cap = cap};
	return array_scan(&c);
}

void back_scan(backward *b)
{
	const anode *n = b->node;
	const afn *f = n->body[0];
	bool loop = strcmp(n->op->name, "while") == 0, reverse = param_int(n->attrs, "reverse", 0);
	int64_t length = param_int(n->attrs, loop ? "trips" : "length", 0);
	back_scan_state s = {.b = b, .n_own = f->n_explicit,
	                     .n_carry = loop ? n->n_out : (int)param_int(n->attrs, "num_carry", 0)};
	/* include all float carries: they may become active in a later iteration */
	s.carry = (back_list){NEW_N(&b->ctx->scratch, int, s.n_carry + 1), 0};
	for (int i = 0; i < s.n_carry; i++)
		if (dtype_is_float(n->in[i]->type->dtype))
			s.carry.at[s.carry.n++] = i;
	s.xs = active_operands(b, s.n_carry, s.n_own);
	s.captured = active_operands(b, s.n_own, n->n_in);
	s.ys = active_results(b, s.n_carry, n->n_out);
	int room = 2 * n->n_in + 2 * n->n_out + 2, n_in = 0, n_kept = 2 * s.n_carry;
	avalue **in = NEW_N(&b->ctx->scratch, avalue *, room),
	       **out = NEW_N(&b->ctx->scratch, avalue *, room);
	avalue **kept = NEW_N(&b->ctx->scratch, avalue *, n_kept + 1);
	for (int i = 0; i < s.n_own; i++)
		in[i] = again(b, i);
	if (back_run_scan(b, scan_keeping, &s, in, s.n_own, s.n_carry, length, reverse, kept,
	                  n_kept) != n_kept) {
		b->failed = true;
		return;
	}
	for (int i = 0; i < s.carry.n; i++)
		in[n_in++] = ct_or_zeros(b, s.carry.at[i]);
	for (int i = 0; i < s.captured.n; i++)
		in[n_in++] = back_zeros(b, n->in[s.captured.at[i]]->type);
	int n_carry = n_in;
	for (int i = 0; i < s.n_carry; i++)
		in[n_in++] = kept[s.n_carry + i];
	for (int i = s.n_carry; i < s.n_own; i++)
		in[n_in++] = again(b, i);
	for (int i = 0; i < s.ys.n; i++)
		in[n_in++] = ct_or_zeros(b, s.ys.at[i]);
	int want = n_carry + s.xs.n, at = 0;
	if (back_run_scan(b, scan_backwards, &s, in, n_in, n_carry, length, !reverse, out, room) !=
	    want) {
		b->failed = true;
		return;
	}
	for (int i = 0; i < s.carry.n; i++)
		back_give(b, s.carry.at[i], out[at++]);
	for (int i = 0; i < s.captured.n; i++)
		back_give(b, s.captured.at[i], out[at++]);
	for (int i = 0; i < s.xs.n; i++)
		back_give(b, s.xs.at[i], out[at++]);
}

/* ---- cond ------------------------------------------------------------------------------------ */

typedef struct back_branch {
	backward *b;
	int k;
	back_list operands, results; /* whose cotangents are computed, and given */
} back_branch;

/* Returns the manual axes along which a value is not sharded. All devices along them hold it, and,
 * if it is not tracked what varies, each has a share of its cotangent. */
static axis_set uncut_axes(const anode *n, const axis_seq *cut)
{
	axis_set named = 0;
	for (int d = 0; d < ARRAY_MAX_RANK; d++)
		named |= axis_seq_set(cut[d]);
	return n->body[0]->manual & ~named;
}

static bool is_unchecked(const anode *n)
{
	return strcmp(n->op->name, "shard_map") == 0 && !param_int(n->attrs, "check_vma", 1);
}

/* Returns one device's share of the cotangent of result i. */
static avalue *unchecked_share(backward *b, int i, avalue *ct)
{
	const anode *n = b->node;
	int64_t holders = axis_set_size(n->mesh, uncut_axes(n, n->out_cut + i * ARRAY_MAX_RANK));
	return holders == 1 ? ct : back_times(b, ct, back_number(b, 1 / (double)holders));
}

static avalue *unchecked_sum(backward *b, int i, avalue *ct)
{
	const anode *n = b->node;
	return back_over(b, "lax.psum", NULL, ct, uncut_axes(n, n->in_cut + i * ARRAY_MAX_RANK));
}

/* Inputs: the branch's own operands, then cotangents. */
static int branch_backwards(tess_ctx *ctx, void *env, avalue *const *in, int n_in, avalue **out,
                            int cap)
{
	back_branch *s = env;
	backward *b = s->b;
	const anode *n = b->node;
	const afn *f = n->body[s->k];
	int first = strcmp(n->op->name, "cond") == 0, from = captures_from(n, s->k);
	avalue **out_cts = NEW_N(&ctx->scratch, avalue *, n->n_out + 1);
	avalue **found = NEW_N(&ctx->scratch, avalue *, f->params.len + 1);
	UNUSED(n_in);
	UNUSED(cap);
	for (int i = 0; i < n->n_out; i++)
		out_cts[i] = NULL;
	for (int i = 0; i < s->results.n; i++) {
		avalue *ct = in[f->n_explicit + i];
		int at = s->results.at[i];
		out_cts[at] = is_unchecked(n) ? unchecked_share(b, at, ct) : ct;
	}
	if (b->failed || !body_backwards(b, s->k, in, out_cts, found))
		return -1;
	for (int i = 0; i < s->operands.n; i++) {
		int at = s->operands.at[i], p = at - first;
		if (p >= f->n_explicit) /* captured: by this branch, or by another */
			p = at >= from && at < from + f->captured.len ? f->n_explicit + at - from
			                                              : -1;
		const atype *primal = p < 0 ? n->in[at]->type : f->params.ptr[p]->type;
		out[i] = found_or_zeros(b, p < 0 ? NULL : found[p], primal);
		if (out[i] && is_unchecked(n))
			out[i] = unchecked_sum(b, at, out[i]);
		if (!out[i])
			return -1;
	}
	return s->operands.n;
}

void back_cond(backward *b)
{
	const anode *n = b->node;
	int n_own = n->body[0]->n_explicit, n_in = 0;
	back_branch *s = NEW_N(&b->ctx->scratch, back_branch, n->n_bodies);
	void **env = NEW_N(&b->ctx->scratch, void *, n->n_bodies);
	back_list operands = active_operands(b, 1, n->n_in),
		  results = active_results(b, 0, n->n_out);
	avalue **in = NEW_N(&b->ctx->scratch, avalue *, n->n_in + n->n_out + 1);
	avalue **out = NEW_N(&b->ctx->scratch, avalue *, operands.n + 1);
	for (int k = 0; k < n->n_bodies; k++) {
		s[k] = (back_branch){b, k, operands, results};
		env[k] = &s[k];
	}
	for (int i = 0; i <= n_own; i++)
		in[n_in++] = again(b, i);
	for (int i = 0; i < results.n; i++)
		in[n_in++] = ct_or_zeros(b, results.at[i]);
	call_with_body c = {.ctx = b->ctx,
	                    .body = branch_backwards,
	                    .env = env,
	                    .n_bodies = n->n_bodies,
	                    .in = in,
	                    .n_in = n_in,
	                    .out = out,
	                    .cap = operands.n};
	if (b->failed || array_cond(&c) != operands.n) {
		b->failed = true;
		return;
	}
	for (int i = 0; i < operands.n; i++)
		back_give(b, operands.at[i], out[i]);
}

/* ---- custom_vjp ------------------------------------------------------------------------------ */

void back_custom_vjp(backward *b)
{
	const anode *n = b->node;
	const afn *f = n->body[1];
	int n_own = n->body[0]->n_explicit, from = captures_from(n, 1);
	avalue **params = NEW_N(&b->ctx->scratch, avalue *, f->params.len + 1);
	avalue **out = NEW_N(&b->ctx->scratch, avalue *, f->outs.len + 1);
	for (int i = 0; i < f->params.len; i++)
		params[i] = i < n_own           ? again(b, i)
		            : i < f->n_explicit ? ct_or_zeros(b, i - n_own)
		                                : again(b, from + i - f->n_explicit);
	if (b->failed || !replay_into(b->ctx, f, params, out, NULL)) {
		b->failed = true;
		return;
	}
	for (int i = 0; i < n_own && i < f->outs.len; i++)
		back_give(b, i, out[i]);
}

/* ---- shard_map ------------------------------------------------------------------------------- */

/* Returns the spec for how a value of this type was sharded. */
static const pspec *cut_spec(backward *b, const atype *t, const axis_seq *cut, axis_set unreduced,
                             axis_set reduced)
{
	atype like = *t;
	memcpy(like.spec, cut, sizeof *cut * (size_t)t->rank);
	like.unreduced = unreduced;
	like.reduced = reduced;
	return pspec_of(b->ctx, &like);
}

void back_shard_map(backward *b)
{
	const anode *n = b->node;
	const afn *f = n->body[0];
	axis_set manual = f->manual;
	int n_own = f->n_explicit, n_in = 0;
	back_list operands = active_operands(b, 0, n->n_in),
		  results = active_results(b, 0, n->n_out);
	back_branch s = {b, 0, operands, results};
	void *env = &s;
	avalue **in = NEW_N(&b->ctx->scratch, avalue *, n_own + n->n_out + 1);
	avalue **out = NEW_N(&b->ctx->scratch, avalue *, operands.n + 1);
	const pspec **in_specs = NEW_N(&b->ctx->scratch, const pspec *, n_own + n->n_out + 1);
	const pspec **out_specs = NEW_N(&b->ctx->scratch, const pspec *, operands.n + 1);
	params *a = NEW(&b->ctx->scratch, params);
	for (int i = 0; i < n_own; i++) {
		const atype *t = n->in[i]->type;
		in_specs[n_in] = cut_spec(b, t, n->in_cut + i * ARRAY_MAX_RANK,
		                          t->unreduced & manual, t->reduced & manual);
		in[n_in++] = again(b, i);
	}
	for (int i = 0; i < results.n; i++) {
		const atype *t = n->out[results.at[i]]->type;
		in_specs[n_in] = cut_spec(b, t, n->out_cut + results.at[i] * ARRAY_MAX_RANK,
		                          t->reduced & manual, t->unreduced & manual);
		in[n_in++] = ct_or_zeros(b, results.at[i]);
	}
	for (int i = 0; i < operands.n; i++) {
		const atype *t = n->in[operands.at[i]]->type;
		out_specs[i] = cut_spec(b, t, n->in_cut + operands.at[i] * ARRAY_MAX_RANK,
		                        t->reduced & manual, t->unreduced & manual);
	}
	params_set(&b->ctx->scratch, a,
	           (param){.key = "in_specs", .kind = PK_SPECS, .n = n_in, .specs = in_specs});
	params_set(
		&b->ctx->scratch, a,
		(param){.key = "out_specs", .kind = PK_SPECS, .n = operands.n, .specs = out_specs});
	static const char *const passed[] = {"axis_names", "check_vma"};
	for (int i = 0; i < COUNT(passed); i++)
		if (param_has(n->attrs, passed[i]))
			params_set(&b->ctx->scratch, a, *param_find(n->attrs, passed[i]));
	call_with_body c = {.ctx = b->ctx,
	                    .body = branch_backwards,
	                    .env = &env,
	                    .n_bodies = 1,
	                    .in = in,
	                    .n_in = n_in,
	                    .attrs = a,
	                    .out = out,
	                    .cap = operands.n};
	if (b->failed || array_shard_map(&c) != operands.n) {
		b->failed = true;
		return;
	}
	for (int i = 0; i < operands.n; i++)
		back_give(b, operands.at[i], out[i]);
}
