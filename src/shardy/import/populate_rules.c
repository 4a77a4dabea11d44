/* populate_rules.c - sdy-populate-op-sharding-rules: rules as attributes. */
#include "shardy/import/import.h"

/* Nothing propagates through such an op; one warning for each name. */
static void warn_unknown(module *m, const op *o, ptr_map *warned)
{
	const attr *target = o->kind == OP_CUSTOM_CALL ? op_attr(o, N_call_target_name) : NULL;
	const name *what = target && target->text ? target->text : name_of_z(m->ctx, op_name(o));
	void **before = ptr_map_at(warned, &m->mem, what);
	if (*before)
		return;
	*before = m;
	diag_warn(m->ctx, op_place(m, o), E_NO_RULE,
	          target ? "custom call @%s is unknown to the sharding rule registry"
	                 : "op '%s' is unknown to the sharding rule registry",
	          what->s);
}

bool pass_populate_op_sharding_rules(module *m, const pass_options *o)
{
	unsigned flags = o->conservative ? RULE_CONSERVATIVE : 0;
	arena *mem = &m->ctx->scratch;
	ptr_map warned = {0};
	for (op *i = m->top; i; i = op_next(i, m->top)) {
		if (!op_rule_is_known(i))
			warn_unknown(m, i, &warned);
		arena_mark here = arena_here(mem);
		const sharding_rule *r = op_rule(m, i, flags, mem);
		if (r)
			op_set_attr(m, i, N_sdy_sharding_rule, attr_rule(m->ctx, r));
		arena_back(mem, here);
	}
	return true;
}
