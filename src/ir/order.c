/* order.c - which of two ops of a block comes first.
 *
 * When a block is first asked about, its ops get keys in order, far apart. An op inserted later
 * gets a key between its neighbors'. Only if there is none left the block is numbered again. */
#include "ir/ir.h"

enum { FIRST_KEY = 1 };
static const uint64_t key_gap = (uint64_t)1 << 32;

static uint64_t *order_key(op_order *order, const op *o)
{
	while (order->keys.len <= (int)o->id)
		vec_push(order->mem, &order->keys, 0);
	return &order->keys.ptr[o->id];
}

static void order_block(op_order *order, const block *b)
{
	uint64_t key = FIRST_KEY;
	for (const op *o = b->first; o; o = o->next)
		*order_key(order, o) = key += key_gap;
}

/* Gives `o` a key between those of its neighbors. Returns false if there is none. */
static bool order_squeeze(op_order *order, const op *o)
{
	uint64_t low = o->prev ? *order_key(order, o->prev) : FIRST_KEY;
	uint64_t high = o->next ? *order_key(order, o->next) : low + 2 * key_gap;
	if (!low || !high || high - low < 2)
		return false;
	*order_key(order, o) = low + (high - low) / 2;
	return true;
}

bool op_stands_before(op_order *order, const op *a, const op *b)
{
	ASSERT(a->parent == b->parent);
	if ((!*order_key(order, a) && !order_squeeze(order, a)) ||
	    (!*order_key(order, b) && !order_squeeze(order, b)))
		order_block(order, a->parent);
	return *order_key(order, a) < *order_key(order, b);
}

void op_order_moved(op_order *order, const op *o) { *order_key(order, o) = 0; }
