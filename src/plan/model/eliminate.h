/* eliminate.h - finds the cheapest choice exactly, if few states of each node are possible.
 * Internal to plan/model. */
#ifndef TESS_PLAN_ELIMINATE_H
#define TESS_PLAN_ELIMINATE_H

#include "plan/model/pairs.h"

/* The possible states of each node. */
typedef struct pair_states {
	int *n;     /* [nodes] at least 1 each */
	int **list; /* [nodes] */
} pair_states;

/* Fills state[nodes] with the choice of least energy among `left`. `never` is the value that
 * represents PAIR_NEVER. Returns false if that takes more than about `most` additions; `state` is
 * then unchanged. Everything else is allocated in `mem`, and may be freed afterwards. */
bool pairs_choose_among(const pair_graph *g, double never, const pair_states *left, double most, arena *mem,
                        int *state);

#endif
