/* outline.c - compares ops without their operands. */
#include "op/op.h"

bool op_alike(const op *a, const op *b)
{
	if (a->kind != b->kind || op_own_name(a) != op_own_name(b) || a->n_operands != b->n_operands ||
	    a->n_results != b->n_results || op_n_regions(a) != op_n_regions(b))
		return false;
	for (int i = 0; i < a->n_results; i++)
		if (result(a, i)->type != result(b, i)->type ||
		    result(a, i)->sharding != result(b, i)->sharding)
			return false;
	return attrs_same(&a->attrs, &b->attrs);
}

uint64_t op_outline_hash(const op *o)
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

op_outline op_outline_of(arena *mem, const op *o)
{
	op_outline s = {o->kind, o->n_operands, o->n_results, NULL, o->attrs};
	const type **types = NEW_N(mem, const type *, o->n_operands + o->n_results);
	s.attrs.ptr = COPY_N(mem, o->attrs.ptr, o->attrs.n);
	for (int i = 0; i < o->n_operands; i++)
		types[i] = operand(o, i)->type;
	for (int i = 0; i < o->n_results; i++)
		types[o->n_operands + i] = result(o, i)->type;
	s.types = types;
	return s;
}

bool op_has_outline(const op *o, const op_outline *s)
{
	if (s->kind != o->kind || s->n_operands != o->n_operands || s->n_results != o->n_results)
		return false;
	for (int i = 0; i < o->n_operands; i++)
		if (s->types[i] != operand(o, i)->type)
			return false;
	for (int i = 0; i < o->n_results; i++)
		if (s->types[o->n_operands + i] != result(o, i)->type)
			return false;
	return attrs_same(&s->attrs, &o->attrs);
}
