/* scratch.c - what operations need besides operands and results, for their own time. */
#include "cost/memory.h"

/* Collectives put the parts of devices one after the other: along another dimension than the
 * major one they need their operand or result once more, in that order. */
static int64_t order_scratch(const op *o)
{
	switch (o->kind) {
	case OP_ALL_GATHER:
		return op_int(o, N_all_gather_dim, 0) ? value_bytes(&o->results[0]) : 0;
	case OP_REDUCE_SCATTER:
		return op_int(o, N_scatter_dimension, 0) ? value_bytes(operand(o, 0)) : 0;
	case OP_ALL_TO_ALL: return value_bytes(operand(o, 0)) + value_bytes(&o->results[0]);
	default: return 0;
	}
}

/* Libraries want operands and results in an order of their own. */
static int64_t library_scratch(const op *o)
{
	int64_t n = 0;
	if (!op_has(o, LIBRARY))
		return 0;
	for (int i = 0; i < o->n_operands; i++)
		n += value_bytes(operand(o, i));
	for (int i = 0; i < o->n_results; i++)
		n += value_bytes(&o->results[i]);
	return n;
}

int64_t op_scratch(const op *o) { return order_scratch(o) + library_scratch(o); }
