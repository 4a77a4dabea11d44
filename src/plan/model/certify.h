/* certify.h - what certify.c needs of a solver (pairs.c). Internal to plan/model. */
#ifndef TESS_PLAN_CERTIFY_H
#define TESS_PLAN_CERTIFY_H

#include "plan/model/reduce.h"

/* After a run. */
typedef struct solver_view {
	arena *mem;
	const pair_graph *whole;
	const pair_reduction *reduction;
	const pair_graph *core;
	double constant, never;
	double *const *at_least; /* [nodes of the core][states]: no choice with the state costs less */
} solver_view;
solver_view pair_solver_view(const pair_solver *s);

#endif
