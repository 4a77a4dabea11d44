/* populate_rules.c - sdy-populate-op-sharding-rules: rules as attributes. */
#include "propagate/import.h"

bool pass_populate_op_sharding_rules(module *m, const pass_options *o)
{
	unsigned flags = o->conservative ? RULE_CONSERVATIVE : 0;
	arena *mem = &m->ctx->scratch;
	for (op *i = m->top; i; i = op_next(i, m->top)) {
		arena_mark here = arena_here(mem);
		const sharding_rule *r = op_rule(m, i, flags, mem);
		if (r)
			op_set_attr(m, i, N_sdy_sharding_rule, attr_rule(m->ctx, r));
		arena_back(mem, here);
	}
	return true;
}
