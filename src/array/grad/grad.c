/* grad.c - reverse mode: the function is emitted again into the one being traced, followed by the
 * backward rule of each operation, last first.
 *
 * The type of a cotangent follows from its value: it is sharded alike, unreduced where the value is
 * reduced, and vice versa. Each rule passes that type on as out_sharding, so that no product in the
 * backward pass is ambiguous. */
#include "array/grad/grad.h"

/* ---- the table ------------------------------------------------------------------------------- */

void back_none(backward *b) { (void)b; }
void back_same(backward *b) { back_give(b, 0, b->ct); }

#define BACK(op, rule) {op, rule},
static const struct {
	const char *op;
	back_fn *rule;
} back_rules[] = {
#include "array/grad/grad.def"
};
#undef BACK

/* NULL: there is none. */
static back_fn *back_rule(const array_op *op)
{
	for (int i = 0; i < COUNT(back_rules); i++)
		if (strcmp(back_rules[i].op, op->name) == 0)
			return back_rules[i].rule;
	return back_written_rule(op);
}

bool is_flat(const anode *n) { return back_rule(n->op) == back_none; }

/* ---- the whole function ---------------------------------------------------------------------- */

/* Marks values that depend on the wanted parameters, if they are floats. */
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

bool body_wants(const backward *b, const anode *n, int k, int i)
{
	const afn *f = n->body[k];
	int first = strcmp(n->op->name, "cond") == 0;
	int n_carry = strcmp(n->op->name, "while") == 0  ? n->n_out
	              : strcmp(n->op->name, "scan") == 0 ? (int)param_int(n->attrs, "num_carry", 0)
	                                                 : 0;
	if (!dtype_is_float(f->params.ptr[i]->type->dtype))
		return false;
	int at = i < f->n_explicit ? first + i : captures_from(n, k) + i - f->n_explicit;
	return i < n_carry || is_active(b, n->in[at]);
}

/* True if every operation between the wanted parameters and the results has a rule. */
static bool reverse_possible(tess_ctx *ctx, const afn *f, const bool *wanted)
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
			for (int p = 0; p < n->body[k]->params.len; p++)
				all[p] = body_wants(&b, n, k, p);
			if (!reverse_possible(ctx, n->body[k], all))
				return false;
		}
	}
	return true;
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

/* Returns all parameters: in, then the captured values. */
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
