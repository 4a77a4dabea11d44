/* reduce.h - a graph with fewer nodes that has the same cheapest choice. Internal to plan/model. */
#ifndef TESS_PLAN_REDUCE_H
#define TESS_PLAN_REDUCE_H

#include "plan/model/pairs.h"

/* What is left of a graph, its core, and how the other nodes are chosen. Everything is allocated in
 * `mem`. The graph must outlive it. Costs are set by pair_reduction_fill(). */
typedef struct pair_reduction pair_reduction;
pair_reduction *pair_reduction_new(const pair_graph *g, arena *mem);
const pair_graph *pair_reduction_core(const pair_reduction *r);
/* Computes the core's costs from those of the graph. `never` represents PAIR_NEVER there, and must
 * be more than everything else can cost together. @return what the other nodes cost independent of
 * the core's states */
double pair_reduction_fill(pair_reduction *r, double never);
/* Copies the states of the core's nodes to state[nodes of the graph], and chooses the cheapest
 * states of the others. */
void pair_reduction_expand(const pair_reduction *r, const int *core, int *state);

/* Computes fresh[c] = the minimum over r of at[r] + table[r][c]. `near`: rows; `far`: columns. */
void pair_least_sums(const double *restrict at, const double *restrict table, int near, int far,
                     double *restrict fresh);

#endif
