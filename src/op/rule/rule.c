/* rule.c - maps ops to their rule functions, and remembers rules. */
#include "op/rule/rule.h"

static const struct {
	bool listed;
	rule_fn *fn;
	bool known; /* in Shardy's registry */
} op_rules[OP_COUNT] = {
#define OP(id, opname, form, traits, ...) [OP_##id] = {.listed = true, __VA_ARGS__},
#define RULE(f) .fn = rule_##f, .known = true,
#define RULE_MORE(f) .fn = rule_##f,
#define NO_RULE .known = true,
#include "op/ops.def"
};

/* Tokens and tuples count as scalars. Returns false if a shape is unknown. */
static bool start_tensor(rule_maker *r, int tensor, const type *t)
{
	if (t->kind == TY_TENSOR && !t->is_static)
		return false;
	r->tensors[tensor].rank = t->kind == TY_TENSOR ? t->rank : 0;
	return true;
}

static bool start_rule(rule_maker *r)
{
	const op *o = r->o;
	int n = o->n_operands + o->n_results;
	r->rule = NEW(r->mem, sharding_rule);
	r->rule->n_operands = o->n_operands;
	r->rule->n_results = o->n_results;
	r->rule->tensors = r->tensors = NEW_N(r->mem, tensor_factors, n);
	for (int i = 0; i < o->n_operands; i++)
		if (!start_tensor(r, i, operand(o, i)->type))
			return false;
	for (int i = 0; i < o->n_results; i++)
		if (!start_tensor(r, o->n_operands + i, result(o, i)->type))
			return false;
	return true;
}

static const sharding_rule *rule_done(rule_maker *r)
{
	int n = r->rule->n_operands + r->rule->n_results;
	for (int t = 0; t < n; t++)
		for (int d = 0; d < r->tensors[t].rank; d++)
			if (!r->tensors[t].dims || !r->tensors[t].dims[d].n)
				rule_map_tensor(r, t, d, rule_factor(r, 1, PASS));
	r->rule->n_factors = r->sizes.len;
	r->rule->sizes = r->sizes.ptr;
	return r->rule;
}

bool op_rule_is_known(const op *o)
{
	if (o->kind == OP_CUSTOM_CALL)
		return custom_call_is_known(o);
	return op_rules[o->kind].known || op_has(o, TERMINATOR) || op_attr(o, N_sdy_sharding_rule);
}

const sharding_rule *op_rule(module *m, const op *o, unsigned flags, arena *mem)
{
	const attr *own = op_attr(o, N_sdy_sharding_rule);
	if (own && own->kind == AT_RULE)
		return own->rule;
	rule_fn *fn = op_rules[o->kind].fn;
	if (!fn || !(op_rules[o->kind].known || (flags & RULE_BEYOND_SHARDY)))
		return NULL;
	rule_maker r = {.m = m, .o = o, .mem = mem,
	                .conservative = flags & RULE_CONSERVATIVE,
	                .beyond_shardy = flags & RULE_BEYOND_SHARDY};
	return start_rule(&r) && fn(&r) ? rule_done(&r) : NULL;
}

bool op_is_pointwise(const op *o)
{
	return op_rules[o->kind].fn == rule_elementwise && op_rules[o->kind].known;
}

bool op_rule_follows_from_outline(const op *o)
{
	return op_has(o, OUTLINED) || op_is_pointwise(o);
}

const sharding_rule *op_identity_rule(const type *t, int n_operands, int n_results, arena *mem)
{
	if (!type_is_tensor(t) || !t->is_static)
		return NULL;
	rule_maker r = {.mem = mem, .rule = NEW(mem, sharding_rule)};
	int n = n_operands + n_results;
	r.rule->n_operands = n_operands;
	r.rule->n_results = n_results;
	r.rule->tensors = r.tensors = NEW_N(mem, tensor_factors, n);
	for (int i = 0; i < n; i++)
		r.tensors[i].rank = t->rank;
	rule_pointwise(&r, t);
	return rule_done(&r);
}

/* ---- remembered rules: the layers of a program repeat their ops ----------------------------- */

/* A copy of the outline, because the op that had it first may be erased. */
typedef struct shared_rule {
	op_outline of;
	const sharding_rule *rule;
} shared_rule;

static bool has_shared_rule(const void *obj, const void *key)
{
	return op_has_outline(key, &((const shared_rule *)obj)->of);
}

const sharding_rule *rule_memo_get(rule_memo *memo, const op *o, arena *mem)
{
	if (!op_rule_follows_from_outline(o))
		return op_rule(memo->m, o, memo->flags, mem);
	uint64_t h = op_outline_hash(o);
	shared_rule *found = cons_find(&memo->tab, h, has_shared_rule, o);
	if (!found) {
		found = NEW(memo->mem, shared_rule);
		*found = (shared_rule){op_outline_of(memo->mem, o),
		                       op_rule(memo->m, o, memo->flags, memo->mem)};
		cons_add(&memo->tab, memo->mem, h, found);
	}
	return found->rule;
}

static rule_memo *rules_in(module *m, unsigned flags)
{
	enum { FLAGS = RULE_CONSERVATIVE | RULE_BEYOND_SHARDY };
	tess_ctx *ctx = m->ctx;
	if (!ctx->slot[SLOT_RULES])
		ctx->slot[SLOT_RULES] = NEW_N(&ctx->perm, rule_memo, FLAGS + 1);
	rule_memo *memo = (rule_memo *)ctx->slot[SLOT_RULES] + (flags & FLAGS);
	memo->m = m;
	memo->mem = &ctx->perm;
	memo->flags = flags;
	return memo;
}

const sharding_rule *op_rule_shared(module *m, const op *o, unsigned flags, arena *mem)
{
	return rule_memo_get(rules_in(m, flags), o, mem);
}
