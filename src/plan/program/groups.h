/* groups.h - which dimensions of a program's values are sharded together.
 *
 * The factors of sharding rules tie dimensions: to avoid communication, those of one factor are
 * sharded alike. Dimensions that are tied directly or through others form a group. A training step
 * of a transformer has few groups: batch, sequence, width, vocabulary, and some for each layer. */
#ifndef TESS_PLAN_GROUPS_H
#define TESS_PLAN_GROUPS_H

#include "op/op.h"

typedef struct group_member {
	value *v;
	int dim;
} group_member;

typedef struct dim_group {
	int64_t size; /* of its largest dimension */
	int64_t even; /* divides the size of each dimension: this number of shards never needs
		       * padding */
	int n;        /* dimensions */
	const group_member *members; /* [n] in program order, arguments of main first */
	int n_conflicts; /* values that have the group in several dimensions, only one of which
			  * can be sharded */
	const group_member *conflicts; /* [n_conflicts]: the first such dimension of each */
} dim_group;

typedef struct dim_groups {
	int n;
	const dim_group *ptr; /* [n] in the order of their first members */
	uint32_t n_values;
	const int *first; /* [n_values] by id: where the groups of a value's dimensions start in
			   * `of_dim`; -1 */
	const int *of_dim;
} dim_groups;

/* For the whole program; a function that is called has one set of groups for all its calls. The
 * result is allocated in `mem`, and is valid until the program changes. */
void groups_find(module *m, arena *mem, dim_groups *out);

/* Returns the group of a dimension; -1: it has size 1, or no static shape. */
static inline int group_of(const dim_groups *g, const value *v, int dim)
{
	int first = v->id < g->n_values ? g->first[v->id] : -1;
	return first < 0 || dim >= v->type->rank ? -1 : g->of_dim[first + dim];
}

#endif
