/* canonical.c - `canonicalize`: removes obviously redundant operations.
 *
 * With -enable-patterns only the patterns of one label are tried: "sdy-reshard" or
 * "sdy-collective". (Source: shardy/dialect/sdy/ir/canonicalization.td.) */
#include "op/simplify/rewrite.h"

/* ---- merging equal constants ---------------------------------------------------------------- */

/* As in MLIR's greedy driver, each isolated region owns its constants: of equal ones the first
 * stays and the others become it. A constant that is not at the front of the region's first block,
 * or directly after another owned one, moves to the front. Ops that only look like constants
 * (sdy.constant) are left alone. */
typedef struct constant_key {
	const op *region; /* the isolated op that contains it */
	const attr *value;
	const type *type;
	int kind;
} constant_key;

typedef struct owned_constant {
	constant_key key;
	op *op;
} owned_constant;

typedef struct constant_walk {
	arena *mem;
	cons_tab table;
	uint8_t *owned; /* by op id */
} constant_walk;

static bool constant_eq(const void *obj, const void *key)
{
	const constant_key *a = &((const owned_constant *)obj)->key, *b = key;
	return a->region == b->region && a->value == b->value && a->type == b->type &&
	       a->kind == b->kind;
}

static uint64_t constant_hash(const constant_key *k)
{
	uint64_t h = hash_mix(k->value->hash, k->type->hash);
	return hash_mix(hash_mix(h, k->region->id), (uint64_t)k->kind);
}

static const op *isolated_around(const op *o)
{
	for (o = op_parent(o); op_parent(o) && !op_has(o, ISOLATED); o = op_parent(o))
		;
	return o;
}

/* True if the op is where owned constants are: at the front. */
static bool is_in_place(const constant_walk *w, const op *o, const block *front)
{
	return o->parent == front && (!o->prev || w->owned[o->prev->id]);
}

static void own_constant(constant_walk *w, op *o)
{
	const attr *value = op_attr(o, N_value);
	constant_key key = {isolated_around(o), value, result(o, 0)->type, o->kind};
	uint64_t hash = constant_hash(&key);
	owned_constant *first = cons_find(&w->table, hash, constant_eq, &key);
	if (first) {
		value_replace_uses(result(o, 0), result(first->op, 0));
		op_erase(o);
		return;
	}
	block *front = op_body(key.region);
	if (!is_in_place(w, o, front)) {
		op_unlink(o);
		op_insert_before(front->first, o);
	}
	first = NEW(w->mem, owned_constant);
	*first = (owned_constant){key, o};
	cons_add(&w->table, w->mem, hash, first);
	w->owned[o->id] = 1;
}

static void constants_once(module *m)
{
	constant_walk w = {.mem = &m->ctx->scratch,
	                   .owned = NEW_N(&m->ctx->scratch, uint8_t, m->n_ops)};
	for (op *o = m->top, *next; o; o = next) {
		next = op_next(o, m->top);
		if (op_has(o, CONSTANT) && o->kind != OP_SDY_CONSTANT && op_attr(o, N_value))
			own_constant(&w, o);
	}
}

/* ---- patterns -------------------------------------------------------------------------------- */

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
