/* fusion.c - which values take no memory because their consumers make them.
 *
 * A compiler fuses chains of element-wise operations, and what only says where an element
 * comes from, into the operation that reads them.  What is as cheap to make again as to read
 * is made at each use; the rest is fused into its one user, or into several if computing it
 * again costs a step or two.  docs/memory.md compares with XLA. */
#include "cost/memory.h"

static bool fusible(const op *o) { return op_has(o, ELEMENTWISE | MOVES); }

/* Products read matrices in either order. */
static bool is_matrix_product(const op *o)
{
	return o->kind == OP_DOT_GENERAL && operand(o, 0)->type->rank <= 2 &&
	       operand(o, 1)->type->rank <= 2;
}

static bool consumes_fused(const op *o, const op *made_by)
{
	return fusible(o) || o->kind == OP_REDUCE ||
	       (made_by->kind == OP_TRANSPOSE && is_matrix_product(o));
}

static bool has_one_user(const value *v)
{
	for (const use *u = v->uses; u; u = u->next)
		if (u->owner != v->uses->owner)
			return false;
	return v->uses;
}

/* Cheaper to make again at each use than to keep. */
static bool cheap(const op *o)
{
	enum { LITTLE = 4096 };
	if (o->kind == OP_IOTA)
		return true;
	if (o->kind == OP_CONSTANT) {
		const attr *a = op_attr(o, N_value);
		return a && a->kind == AT_DENSE && a->splat;
	}
	return o->kind == OP_BROADCAST_IN_DIM && value_bytes(operand(o, 0)) <= LITTLE;
}

/* What an op reads that is not cheap, in bytes. */
static int64_t reads_of(const op *o)
{
	int64_t n = 0;
	for (int i = 0; i < o->n_operands; i++) {
		const value *v = operand(o, i);
		bool counted = (i && v == operand(o, i - 1)) ||
		               (value_def(v) && cheap(value_def(v)));
		if (!counted && !add_ok(n, value_bytes(v), &n))
			return INT64_MAX;
	}
	return n;
}

/* Computed again for each of several users, rather than kept: what takes a step or two. */
static bool duplicated(const op *o)
{
	/* Two operands kept for one result kept would be no gain. */
	return op_has(o, SIMPLE) && reads_of(o) <= value_bytes(&o->results[0]);
}

bool fuses_away(const op *o)
{
	if (cheap(o))
		return true;
	const value *v = &o->results[0];
	if (!fusible(o) || !v->uses || (!has_one_user(v) && !duplicated(o)))
		return false;
	for (const use *u = v->uses; u; u = u->next)
		if (u->owner->parent != o->parent || !consumes_fused(u->owner, o))
			return false;
	return true;
}
