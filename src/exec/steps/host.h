/* host.h - steps that the calling thread runs, one instance after the other: they report, print, or
 * call out. */
#ifndef TESS_EXEC_STEPS_HOST_H
#define TESS_EXEC_STEPS_HOST_H

#include "exec/steps/plan.h"

typedef void host_fn(struct run *r, const step *s, const call *c);
/* Makes a step over all operands, dense, and results; it still has to be added by step_add(). */
step *host_step(exec_plan *p, const op *o, host_fn *fn);
/* The same with one more operand after the op's own. */
step *host_step_with(exec_plan *p, const op *o, host_fn *fn, const type *t, const binding *extra);
/* A dense constant in a slot of its own. */
binding constant_binding(exec_plan *p, const attr *a);

/* Plans a custom call that exec_opts.outside answers. */
bool plan_outside(exec_plan *p, const op *o);

/* Makes a token: no bytes, on all devices. */
bool plan_token_of(exec_plan *p, const value *v);

#endif
