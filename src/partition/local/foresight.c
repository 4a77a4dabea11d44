/* foresight.c - what is known of how an op will be computed before it is emitted. Deciding how to
 * compute other ops needs this, but none of the functions that emit. */
#include "partition/local.h"

enum { BY_ITSELF = 1, BY_RULE = 2 };
static const uint8_t how[OP_COUNT] = {
#define LOCAL(id, fn) [OP_##id] = BY_ITSELF,
#define LOCAL_BY_RULE(id, fn) [OP_##id] = BY_RULE,
#include "partition/local/local.def"
#undef LOCAL
#undef LOCAL_BY_RULE
};

bool local_by_rule_alone(const op *o) { return how[o->kind] != BY_ITSELF; }

/* Small functions that communicate are inlined, so their ops tell. */
static bool callee_takes_whole(emitter *e, const op *call, int i)
{
	enum { FEW = 16 };
	const op *f = call_callee(e->from, call);
	int n = 0;
	if (!f || func_is_declaration(f))
		return false;
	for (const op *o = op_body(f)->first; o; o = o->next)
		if (op_n_regions(o) || o->kind == OP_FUNC_CALL || n++ > FEW)
			return false;
	const value *arg = op_body(f)->args[i];
	const use *u = arg->uses;
	while (u && !local_takes_whole(e, u->owner, use_index(u)))
		u = u->next;
	return u != NULL;
}

bool local_takes_whole(emitter *e, const op *o, int i)
{
	if (o->kind == OP_FUNC_CALL)
		return callee_takes_whole(e, o, i);
	if (how[o->kind] || op_is_pointwise(o) || o == o->parent->last)
		return false;
	const sharding_rule *r = op_rule_shared(e->from, o, RULE_BEYOND_SHARDY, e->mem);
	if (!r)
		return !op_calls_apart(o);
	const tensor_factors *t = rule_operand(r, i);
	for (int d = 0; d < t->rank; d++)
		for (int k = 0; k < t->dims[d].n; k++)
			if (!factor_in_set(&r->need_replication, t->dims[d].factors[k]))
				return false;
	return true;
}
