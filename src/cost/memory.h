/* memory.h - how long values live, and which of them fusion leaves. Internal to cost. */
#ifndef TESS_COST_MEMORY_H
#define TESS_COST_MEMORY_H

#include "cost/cost.h"

/* `c` is the result of clusters_of() for m. `brief`: the bounds, and what lives at the peak, are
 * not wanted. */
void memory_of(const module *m, const clusters *c, bool brief, arena *mem, memory *device, memory *host);

static inline int64_t value_bytes(const value *v) /* narrow integers are packed */
{
	return max_i64(type_packed_bytes(v->type), 0);
}
/* 0: the shape is not static */
static inline double elements_of(const type *t) { return t->is_static ? (double)t->n_elems : 0; }


/* Returns, by the value's id, whether it is in the memory of the host; NULL: none is, and no
 * argument or result of main. (placement.c) */
const bool *values_on_host(const module *m, const op *main_func, arena *mem);
bool op_places(const op *o); /* it is a custom call that says in which memory its result is */

/* Returns the bytes that an op may need while it runs, in addition to its operands and results.
 * (work.c) */
int64_t op_scratch(const op *o);

#endif
