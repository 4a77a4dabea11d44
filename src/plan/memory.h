/* memory.h - live ranges, and what fusion leaves of them; inside plan. */
#ifndef TESS_PLAN_MEMORY_H
#define TESS_PLAN_MEMORY_H

#include "plan/plan.h"

void memory_of(const module *m, arena *mem, memory *out);

/* In bytes, narrow integers packed as they are at the borders of a program. */
int64_t packed_bytes(const type *t);
int64_t value_bytes(const value *v);

/* fusion.c: each user of o's one result makes it by itself, so that it is never stored. */
bool fuses_away(const op *o);

#endif
