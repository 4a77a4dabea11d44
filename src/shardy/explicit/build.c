/* build.c - ops put in at a point, one after the other. */
#include "shardy/explicit/explicit.h"

void insert_before(insertion *at, op *o)
{
	at->b.at = o->parent;
	at->b.before = o;
}

void insert_after(insertion *at, op *o)
{
	at->b.at = o->parent;
	at->b.before = o->next;
}

void insert_after_value(insertion *at, const value *v)
{
	at->b.at = value_block(v);
	at->b.before = value_def(v) ? value_def(v)->next : value_owner(v)->first;
}

op *insert_unary(insertion *at, op_kind kind, value *in, const sharding *s)
{
	at->b.like = value_def(in);
	op *o = value_def(build_sharded(&at->b, kind, in, s));
	if (!at->b.like)
		op_set_loc(at->b.m, o, value_loc(in));
	return o;
}

value *insert_reshard(insertion *at, value *in, const sharding *s)
{
	return result(insert_unary(at, OP_SDY_RESHARD, in, s), 0);
}
