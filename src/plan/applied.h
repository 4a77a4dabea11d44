/* applied.h - the program of a plan: with its annotations, and propagated. */
#ifndef TESS_PLAN_APPLIED_H
#define TESS_PLAN_APPLIED_H

#include "plan/plan.h"

/* Returns the values of the sites in a copy of the subject's program, NULL for results of main. In
 * `mem`. */
value **plan_values_of(const plan_subject *s, const module *copy, arena *mem);
/* Propagates a program as `tess report` does, and returns it; NULL: it is released, and an error is in
 * the context. `memo`: NULL: nothing is known. */
module *plan_propagate(module *m, propagation_memo *memo);
/* Returns the propagated program of a plan, which the caller releases; NULL: an error is in the
 * context. */
module *plan_propagated(const plan_subject *s, const plan *p, propagation_memo *memo);

/* Does the same in two steps, if the subject is ready for the plan; returns false otherwise. *key is
 * the same for plans that become the same program. If that is known, the second step is not needed.
 * In any case the caller must call plan_end() before it propagates another plan. */
bool plan_begin(const plan_subject *s, const plan *p, uint64_t *key);
module *plan_finish(const plan_subject *s);
void plan_end(const plan_subject *s);

#endif
