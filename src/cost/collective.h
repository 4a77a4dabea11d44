/* collective.h - the cost of one collective; inside plan. */
#ifndef TESS_COST_COLLECTIVE_H
#define TESS_COST_COLLECTIVE_H

#include "cost/schedule.h"

/* @return false if `o` is no collective. */
bool collective_of(const module *m, const op *o, const program_meshes *meshes, const target *t,
                   arena *mem, collective *c);

/* Collectives that compilers make into one of several operands (merge.c): of these tasks, which are of
 * `all`, those after the first take no longer than what they add.  Their seconds change in both. */
void merge_transfers(const target *t, const task_list *tasks, collective *all);

#endif
