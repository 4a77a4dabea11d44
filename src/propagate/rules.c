/* rules.c - the sharding rules of a program's nodes, each made once.
 *
 * A program repeats itself: its layers have the same ops on the same shapes. Rules of pointwise ops
 * are looked up by shape, and those of ops whose rule follows from types and attributes by these.
 * An op whose rule depends on its neighbors or its region has a rule of its own. */
#include "propagate/walk.h"

bool node_is_edge(const node *n) { return op_has(n->op, EDGE); }

/* ---- pointwise ------------------------------------------------------------------------ */

enum { N_SHARED_RULES = 8 };
/* By the number of operands. */
typedef struct shared_rules {
	const sharding_rule *by_operands[N_SHARED_RULES];
} shared_rules;

static const sharding_rule *identity_rule(walk *w, const type *t, int n_operands)
{
	if (n_operands >= N_SHARED_RULES)
		return op_identity_rule(t, n_operands, 1, w->g.mem);
	arena *mem = w->memo->mem;
	void **at = ptr_map_at(&w->memo->pointwise, mem, t);
	if (!*at)
		*at = NEW(mem, shared_rules);
	const sharding_rule **rule = &((shared_rules *)*at)->by_operands[n_operands];
	if (!*rule)
		*rule = op_identity_rule(t, n_operands, 1, mem);
	return *rule;
}

static bool is_pointwise(const node *n)
{
	if (node_is_edge(n) || n->class == NODE_FIXED)
		return true;
	const op *o = n->op;
	if (n->own_rule || o->n_results != 1 || !op_is_pointwise(o))
		return false;
	for (int i = 0; i < o->n_operands; i++)
		if (operand(o, i)->type->rank != result(o, 0)->type->rank)
			return false;
	return true;
}

/* ---- any node ----------------------------------------------------------------------- */

/* True if dimension i of each tensor is factor i, so that equal shardings always agree. */
static bool rule_is_identity(const sharding_rule *r)
{
	for (int t = 0; t < r->n_operands + r->n_results; t++) {
		if (r->tensors[t].rank != r->n_factors)
			return false;
		for (int d = 0; d < r->n_factors; d++)
			if (r->tensors[t].dims[d].n != 1 || r->tensors[t].dims[d].factors[0] != d)
				return false;
	}
	return true;
}

static const sharding_rule *pointwise_rule(walk *w, node *n, const type *t, int n_operands)
{
	n->shares_rule = n_operands < N_SHARED_RULES;
	n->identity = true;
	return identity_rule(w, t, n_operands);
}

static const sharding_rule *rule_for(walk *w, node *n)
{
	if (n->class == NODE_RESULT) {
		const value *v = slot_value(&w->g, node_slot(&w->g, n, 0));
		return v ? pointwise_rule(w, n, v->type, 1) : NULL;
	}
	if (is_pointwise(n))
		return pointwise_rule(w, n, result(n->op, 0)->type, node_n_operands(&w->g, n));
	n->shares_rule = op_rule_follows_from_outline(n->op);
	const sharding_rule *r = rule_memo_get(&w->memo->rules, n->op, w->g.mem);
	if (!r || r->n_operands != node_n_operands(&w->g, n) ||
	    r->n_operands + r->n_results != node_n_tensors(&w->g, n))
		return NULL;
	n->identity = rule_is_identity(r);
	return r;
}

bool node_find_rule(walk *w, node *n)
{
	n->rule = rule_for(w, n);
	return n->rule != NULL;
}
