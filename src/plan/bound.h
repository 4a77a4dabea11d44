/* bound.h - a time that no plan is under. */
#ifndef TESS_PLAN_BOUND_H
#define TESS_PLAN_BOUND_H

#include "plan/plan.h"

/* Seconds that the devices take if all that the program computes is divided evenly among them, runs as
 * fast as the machine can, and nothing has to be sent.  0: the program's work cannot be counted. */
double plan_bound(const plan_subject *s, const target *t, int64_t devices);

#endif
