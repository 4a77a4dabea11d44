/* memory.h - live ranges; inside plan. */
#ifndef TESS_PLAN_MEMORY_H
#define TESS_PLAN_MEMORY_H

#include "plan/plan.h"

void memory_of(const module *m, arena *mem, memory *out);

#endif
