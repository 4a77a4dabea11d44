/* memo.c - rules that were made before: a program's layers repeat their ops. */
#include "op/op.h"

/* The op that had it first may be erased by now. */
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
