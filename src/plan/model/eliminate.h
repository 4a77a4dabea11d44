/* eliminate.h - the cheapest choice, exactly, where few states of each node are left (inside plan/model). */
#ifndef TESS_PLAN_ELIMINATE_H
#define TESS_PLAN_ELIMINATE_H

#include "plan/model/pairs.h"

/* The states of each node that may be chosen. */
typedef struct pair_states {
	int *n;     /* [nodes] at least 1 each */
	int **list; /* [nodes] */
} pair_states;

/* Fills state[nodes] with the choice of least energy among `left`.  `never`: what stands for PAIR_NEVER.
 * false: that takes more than about `most` additions; `state` is as it was.  Everything else lies in `mem`,
 * where it may be given back. */
bool pairs_choose_among(const pair_graph *g, double never, const pair_states *left, double most, arena *mem,
                        int *state);

#endif
