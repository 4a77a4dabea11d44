/* blocks.c - how blocks end, their successors, and how many blocks a region may have. */
#include "op/verify/verify.h"

static bool may_have_blocks(const op *o)
{
	return o->kind == OP_FUNC_FUNC || o->kind == OP_UNKNOWN;
}

static bool may_branch(const op *o)
{
	return o->kind == OP_CF_BR || o->kind == OP_CF_COND_BR || o->kind == OP_CF_SWITCH ||
	       o->kind == OP_UNKNOWN;
}

bool block_ends(const block *b)
{
	return b->last && (op_has(b->last, TERMINATOR) || b->last->kind == OP_UNKNOWN);
}

/* In a region of several blocks, each must end in a terminator, or in an op that may be one. */
static bool region_ends(module *m, const op *o, const region *g)
{
	for (const block *b = g->first; b; b = b->next)
		if (!block_ends(b))
			return diag_error(m->ctx, op_place(m, b->last ? b->last : o), E_TERMINATOR,
			                  "'%s' op: each of its blocks must end in a return or in "
			                  "a branch", op_name(o));
	return true;
}

static bool targets_ok(module *m, const op *o)
{
	int n;
	block *const *to = op_successors(o, &n);
	if (n && !may_branch(o))
		return diag_error(m->ctx, op_place(m, o), E_OPERANDS,
		                  "'%s' op has %d successors, expected none", op_name(o), n);
	for (int i = 0; i < n; i++) {
		if (to[i]->parent != o->parent->parent)
			return broken(m, o, "", "branches into another region");
		if (to[i] == to[i]->parent->first)
			return broken(m, o, "", "branches to the entry of its region");
	}
	return true;
}

bool blocks_ok(module *m, const op *o)
{
	if (o->next && op_has(o, TERMINATOR))
		return diag_error(m->ctx, op_place(m, o), E_TERMINATOR,
		                  "'%s' op must end its block", op_name(o));
	if (!m->many_blocks)
		return true;
	for (int i = 0; i < op_n_regions(o); i++) {
		const region *g = op_region(o, i);
		if (g->first == g->last)
			continue;
		if (!may_have_blocks(o))
			return bad_region(m, o, "has several blocks in region %d, expected one", i);
		if (!region_ends(m, o, g))
			return false;
	}
	return targets_ok(m, o);
}

bool module_wants_single_blocks(module *m, const char *who)
{
	const op *o = module_branching(m);
	return !o || diag_error(m->ctx, op_place(m, o), E_BRANCHES,
	                        "'%s' op: control goes from block to block in its body; %s takes "
	                        "regions of one block only", op_name(o), who);
}
