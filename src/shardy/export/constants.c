/* constants.c - sdy-constant-or-scalar-merger: merges constants, and broadcasts of scalars, that
 * ended up with the same attributes and sharding. */
#include "shardy/export/export.h"

/* The op itself is the key. */
static bool merge_equal(const void *obj, const void *key)
{
	const op *a = obj, *b = key;
	if (a->kind != b->kind || a->parent != b->parent || a->n_operands != b->n_operands ||
	    result(a, 0)->type != result(b, 0)->type ||
	    result(a, 0)->sharding != result(b, 0)->sharding)
		return false;
	if (a->n_operands && operand(a, 0) != operand(b, 0))
		return false;
	return attrs_same(&a->attrs, &b->attrs);
}

/* Hashes ids, not addresses, so that the result is deterministic. */
static uint64_t merge_hash(const op *o)
{
	uint64_t h = hash_mix(o->kind, o->parent->id);
	h = hash_mix(h, result(o, 0)->type->hash);
	if (result(o, 0)->sharding)
		h = hash_mix(h, result(o, 0)->sharding->hash);
	if (o->n_operands)
		h = hash_mix(h, operand(o, 0)->id);
	for (int i = 0; i < o->attrs.n; i++)
		h = hash_mix(h, o->attrs.ptr[i].value->hash);
	return h;
}

static bool can_merge(const op *o)
{
	if (op_has(o, CONSTANT))
		return o->n_results == 1 && !o->n_operands;
	return op_repeats_scalar(o);
}

/* Merges only within a block, where the first of them dominates the others. */
bool pass_constant_or_scalar_merger(module *m, const pass_options *o)
{
	UNUSED(o);
	cons_tab seen = {0};
	for (op *i = op_first_post(m->top), *next; i; i = next) {
		next = op_next_post(i, m->top);
		if (!can_merge(i))
			continue;
		uint64_t h = merge_hash(i);
		op *same = cons_find(&seen, h, merge_equal, i);
		if (!same) {
			cons_add(&seen, &m->ctx->scratch, h, i);
			continue;
		}
		value_replace_uses(result(i, 0), result(same, 0));
		op_erase(i);
	}
	return true;
}
