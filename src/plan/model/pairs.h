/* pairs.h - the cheapest choice of a state for each node, where nodes and pairs of nodes cost.
 *
 * Energy = sum of own[i][state of i] + sum over edges of table[state of a][state of b].  An edge's cost
 * depends on fewer things than states: on the layouts on its two sides, so its table is over these, and
 * says of each state which it has. */
#ifndef TESS_PLAN_PAIRS_H
#define TESS_PLAN_PAIRS_H

#include "op/op.h"

/* What must not be; the sum of all costs is far less.  Not infinite, so that differences stay numbers. */
#define PAIR_NEVER 1e6

typedef struct pair_edge {
	int a, b;             /* a < b */
	int rows, cols;
	const int *row, *col; /* [states of a], [states of b] */
	const double *table;  /* [rows * cols] */
	double times;         /* the table counts so often */
} pair_edge;

typedef struct pair_graph {
	int n;
	const int *states;        /* [n] at least 1 each */
	const double *const *own; /* [n][states] */
	int n_edges;
	const pair_edge *edges;
} pair_graph;

typedef struct pair_solution {
	int *state;    /* [n] */
	double energy;
	double bound;  /* no choice costs less */
	int sweeps;    /* done */
} pair_solution;

/* Keeps messages between runs, so that the next one, with other `own` costs, starts where the last one
 * ended.  The graph, and all that it points to, must outlive it; everything lies in `mem`. */
typedef struct pair_solver pair_solver;
pair_solver *pair_solver_new(const pair_graph *g, arena *mem);
/* Until energy and bound differ by `gap` of the energy, the bound stands still, or `sweeps` are done. */
void pair_solve(pair_solver *s, int sweeps, double gap, pair_solution *out);

double pair_energy(const pair_graph *g, const int *state);

#endif
