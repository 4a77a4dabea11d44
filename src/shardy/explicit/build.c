/* build.c - ops put in at a point, one after the other. */
#include "shardy/explicit/explicit.h"

void insert_before(insertion *at, op *o)
{
	at->b = o->parent;
	at->before = o;
}

void insert_after(insertion *at, op *o)
{
	at->b = o->parent;
	at->before = o->next;
}

void insert_after_value(insertion *at, const value *v)
{
	at->b = value_block(v);
	at->before = value_def(v) ? value_def(v)->next : value_owner(v)->first;
}

op *insert_unary(insertion *at, op_kind kind, value *in, const sharding *s)
{
	op *o = op_make(at->m, kind, &in, 1, &in->type, 1, 0);
	if (value_def(in))
		op_take_place(at->m, o, value_def(in));
	else
		op_set_loc(at->m, o, value_loc(in));
	result(o, 0)->sharding = s;
	if (at->before)
		op_insert_before(at->before, o);
	else
		op_append(at->b, o);
	return o;
}

value *insert_reshard(insertion *at, value *in, const sharding *s)
{
	return result(insert_unary(at, OP_SDY_RESHARD, in, s), 0);
}
