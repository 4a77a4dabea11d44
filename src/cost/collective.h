/* collective.h - the cost of one collective; inside cost. */
#ifndef TESS_COST_COLLECTIVE_H
#define TESS_COST_COLLECTIVE_H

#include "cost/schedule.h"

/* The collectives of one program. Many have the same groups, which are analyzed once. */
typedef struct collective_costs {
	const module *m;
	const program_meshes *meshes;
	const target *t;
	arena *mem;
	ptr_map groups; /* by the attribute that lists them */
} collective_costs;
int64_t devices_of_program(const module *m);
/* Fills `c`. @return false if `o` is not a collective */
bool collective_of(collective_costs *k, const op *o, collective *c);

/* Merges collectives as compilers do, into collectives of several operands (merge.c). Of those that
 * are merged, each one after the first gets the time that it adds, both in `tasks` and in `all`, to
 * which the tasks refer. Where devices share cores, so does each one after the first of those that
 * start together. `mem`: for lists that are not needed afterwards. */
void merge_transfers(const target *t, const task_list *tasks, collective *all, arena *mem);

#endif
