/* evaluate.h - what the partitions of a propagated program cost. */
#ifndef TESS_PLAN_EVALUATE_H
#define TESS_PLAN_EVALUATE_H

#include "plan/plan.h"

/* Costs a program of one device. `opened` and `mem` as in costs_of(). */
void plan_cost_local(const local_program *l, const module *opened, const target *t, arena *mem, plan_cost *out);
/* Costs the program that partition_fastest() returns, and the partition by bytes, which is made
 * on the way (fastest.c). Returns false if the program cannot be partitioned or costed. */
bool plan_cost_fastest(module *global, const target *t, arena *mem, plan_cost *fastest, plan_cost *by_bytes);

#endif
