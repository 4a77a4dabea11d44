/* memory.h - live ranges, and what fusion leaves of them; inside plan. */
#ifndef TESS_COST_MEMORY_H
#define TESS_COST_MEMORY_H

#include "cost/cost.h"

/* `c` is what clusters_of() says of m.  `brief`: the bracket and what is alive at the peak are not wanted. */
void memory_of(const module *m, const clusters *c, bool brief, arena *mem, memory *device, memory *host);

static inline int64_t value_bytes(const value *v) /* narrow integers packed */
{
	return max_i64(type_packed_bytes(v->type), 0);
}
/* 0: of no static shape. */
static inline double elements_of(const type *t) { return t->is_static ? (double)t->n_elems : 0; }

/* The operation of block b that is or contains o; NULL: it is elsewhere. */
const op *op_within(const op *o, const block *b);

/* placement.c: by the value's id, whether it lies in the memory of the host; NULL: none does, nor
 * does an argument or a result of main. */
const bool *values_on_host(const module *m, const op *main_func, arena *mem);
bool op_places(const op *o); /* it is a custom call that says where its result lies */

/* work.c: bytes that an op may need besides its operands and results, for its own time. */
int64_t op_scratch(const op *o);

#endif
