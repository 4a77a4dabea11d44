/* collective.h - the cost of one collective; inside cost. */
#ifndef TESS_COST_COLLECTIVE_H
#define TESS_COST_COLLECTIVE_H

#include "cost/schedule.h"

/* The collectives of one program: many have the same groups, which are looked at once. */
typedef struct collective_costs {
	const module *m;
	const program_meshes *meshes;
	const target *t;
	arena *mem;
	ptr_map groups; /* by the attribute that lists them */
} collective_costs;
int64_t devices_of_program(const module *m);
/* @return false if `o` is no collective. */
bool collective_of(collective_costs *k, const op *o, collective *c);

/* Collectives that compilers make into one of several operands (merge.c): of these tasks, which are of
 * `all`, those after the first take no longer than what they add.  Their seconds change in both. */
void merge_transfers(const target *t, const task_list *tasks, collective *all);

#endif
