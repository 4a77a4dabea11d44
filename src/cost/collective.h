/* collective.h - the cost of one collective; inside plan. */
#ifndef TESS_COST_COLLECTIVE_H
#define TESS_COST_COLLECTIVE_H

#include "cost/cost.h"

/* @return false if `o` is no collective. */
bool collective_of(const module *m, const op *o, const program_meshes *meshes, const target *t,
                   arena *mem, collective *c);

#endif
