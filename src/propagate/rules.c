/* rules.c - the sharding rules of a program's nodes, each made once.
 *
 * A program repeats itself: its layers have the same ops on the same shapes.  Rules of
 * pointwise ops are found by shape, those of ops whose rule follows from their types and
 * attributes by these; what looks at its neighbours or its region has a rule of its own. */
#include "propagate/walk.h"

bool node_is_edge(const node *n)
{
	return n->op->kind == OP_SDY_DATA_FLOW_EDGE || n->op->kind == OP_SDY_FUNC_DATA_FLOW_EDGE;
}

/* ---- pointwise ------------------------------------------------------------------------ */

enum { N_SHARED_RULES = 8 };
/* By the number of operands. */
typedef struct shared_rules {
	const sharding_rule *by_operands[N_SHARED_RULES];
} shared_rules;

static const sharding_rule *identity_rule(walk *w, const type *t, int n_operands)
{
	if (n_operands >= N_SHARED_RULES)
		return op_identity_rule(t, n_operands, 1, w->mem);
	void **at = ptr_map_at(&w->pointwise, w->mem, t);
	if (!*at)
		*at = NEW(w->mem, shared_rules);
	const sharding_rule **rule = &((shared_rules *)*at)->by_operands[n_operands];
	if (!*rule)
		*rule = op_identity_rule(t, n_operands, 1, w->mem);
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

/* ---- of types and attributes ------------------------------------------------------------ */

static bool rule_follows_from_types(const op *o)
{
	switch (o->kind) {
	case OP_BROADCAST_IN_DIM:
	case OP_DOT:
	case OP_DOT_GENERAL:
	case OP_PAD:
	case OP_REDUCE:
	case OP_RESHAPE:
	case OP_SLICE:
	case OP_TRANSPOSE: return true;
	default: return false;
	}
}

/* What the rule follows from; the op that had it first may be erased by now. */
typedef struct shared_rule {
	int kind, n_operands, n_results;
	const type **types; /* of operands, then results */
	attr_list attrs;
	const sharding_rule *rule;
} shared_rule;

static bool has_shared_rule(const void *obj, const void *key)
{
	const shared_rule *a = obj;
	const op *b = key;
	if (a->kind != b->kind || a->n_operands != b->n_operands || a->n_results != b->n_results)
		return false;
	for (int i = 0; i < a->n_operands; i++)
		if (a->types[i] != operand(b, i)->type)
			return false;
	for (int i = 0; i < a->n_results; i++)
		if (a->types[a->n_operands + i] != result(b, i)->type)
			return false;
	return attrs_same(&a->attrs, &b->attrs);
}

static shared_rule *shared_rule_new(arena *mem, const op *o, const sharding_rule *r)
{
	shared_rule *s = NEW(mem, shared_rule);
	*s = (shared_rule){o->kind, o->n_operands, o->n_results, NULL, o->attrs, r};
	s->types = NEW_N(mem, const type *, o->n_operands + o->n_results);
	s->attrs.ptr = COPY_N(mem, o->attrs.ptr, o->attrs.n);
	for (int i = 0; i < o->n_operands; i++)
		s->types[i] = operand(o, i)->type;
	for (int i = 0; i < o->n_results; i++)
		s->types[o->n_operands + i] = result(o, i)->type;
	return s;
}

static uint64_t shared_rule_hash(const op *o)
{
	uint64_t h = o->kind;
	for (int i = 0; i < o->n_operands; i++)
		h = hash_mix(h, operand(o, i)->type->hash);
	for (int i = 0; i < o->n_results; i++)
		h = hash_mix(h, result(o, i)->type->hash);
	for (int i = 0; i < o->attrs.n; i++)
		h = hash_mix(h, o->attrs.ptr[i].value->hash);
	return h;
}

static const sharding_rule *registered_rule(walk *w, const op *o)
{
	unsigned flags = w->conservative ? RULE_CONSERVATIVE : 0;
	if (!rule_follows_from_types(o))
		return op_rule(w->m, o, flags, w->mem);
	uint64_t h = shared_rule_hash(o);
	shared_rule *found = cons_find(&w->rules, h, has_shared_rule, o);
	if (!found) {
		found = shared_rule_new(w->mem, o, op_rule(w->m, o, flags, w->mem));
		cons_add(&w->rules, w->mem, h, found);
	}
	return found->rule;
}

/* ---- any -------------------------------------------------------------------------------- */

static const sharding_rule *rule_for(walk *w, const node *n)
{
	if (n->class == NODE_RESULT) {
		const value *v = w->g.values[w->g.tensors.ptr[n->tensors]];
		return v ? identity_rule(w, v->type, 1) : NULL;
	}
	if (is_pointwise(n))
		return identity_rule(w, result(n->op, 0)->type, n->n_operands);
	const sharding_rule *r = registered_rule(w, n->op);
	return r && r->n_operands == n->n_operands &&
	               r->n_operands + r->n_results == n->n_tensors
	           ? r
	           : NULL;
}

/* Whether dimension i of each tensor is factor i, so that equal shardings agree. */
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

bool node_find_rule(walk *w, node *n)
{
	n->rule = rule_for(w, n);
	if (n->rule)
		n->identity = rule_is_identity(n->rule);
	return n->rule != NULL;
}
