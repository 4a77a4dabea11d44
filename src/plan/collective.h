/* collective.h - the cost of one collective; inside plan. */
#ifndef TESS_PLAN_COLLECTIVE_H
#define TESS_PLAN_COLLECTIVE_H

#include "plan/plan.h"

/* @return false if `o` is no collective. */
bool collective_of(const module *m, const op *o, const mesh *mesh, const target *t, arena *mem,
                   collective *c);

#endif
