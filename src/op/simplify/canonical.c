/* canonical.c - `canonicalize`: removes what is plainly redundant.
 *
 * With -enable-patterns only the patterns of one label are tried: "sdy-reshard" or
 * "sdy-collective".  (Source: shardy/dialect/sdy/ir/canonicalization.td.) */
#include "op/simplify/rewrite.h"

static bool try_reshard(rewriter *r, op *o)
{
	return o->kind == OP_SDY_RESHARD && canonical_reshard_of_reshard(r, o);
}

static bool try_collective(rewriter *r, op *o)
{
	return op_has(o, COLLECTIVE) && canonical_collective(r, o);
}

static bool try_all(rewriter *r, op *o)
{
	switch (o->kind) {
	case OP_SDY_MANUAL_COMPUTATION: return canonical_manual(r, o);
	case OP_SDY_RESHARD:
		return canonical_reshard_of_reshard(r, o) || canonical_reshard_again(r, o);
	default: return try_collective(r, o);
	}
}

bool pass_canonicalize(module *m, const pass_options *o)
{
	if (str_is(o->enable_patterns, "sdy-reshard"))
		rewrite_module(m, try_reshard);
	else if (str_is(o->enable_patterns, "sdy-collective"))
		rewrite_module(m, try_collective);
	else {
		constants_once(m);
		rewrite_module(m, try_all);
	}
	return true;
}
