/* pairs.h - finds the cheapest choice of a state for each node, where nodes and pairs of nodes have
 * costs.
 *
 * Energy = sum of own[i][state of i] + sum over edges of table[state of a][state of b]. An edge's
 * cost depends on less than the states, namely on the layouts on its two sides. So its table is
 * indexed by these, and row[] and col[] say which one each state has. */
#ifndef TESS_PLAN_PAIRS_H
#define TESS_PLAN_PAIRS_H

#include "op/op.h"

/* The cost of what is impossible; the sum of all other costs is far less. It is not infinite, so
 * that differences are numbers. */
#define PAIR_NEVER 1e6

typedef struct pair_edge {
	int a, b;             /* a < b */
	int rows, cols;
	const int *row, *col; /* [states of a], [states of b] */
	const double *table;  /* [rows * cols] */
	double times;         /* how often the table counts */
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
	int sweeps;    /* number of sweeps that were made */
} pair_solution;

/* Keeps messages between runs, so that the next run, with other `own` costs, starts where the last
 * one ended. The graph, and everything that it refers to, must outlive it. Everything is allocated
 * in `mem`. */
typedef struct pair_solver pair_solver;
pair_solver *pair_solver_new(const pair_graph *g, arena *mem);
/* Runs until energy and bound differ by `gap` of the energy, the bound no longer rises, or `sweeps`
 * sweeps have been made. */
void pair_solve(pair_solver *s, int sweeps, double gap, pair_solution *out);

/* Raises the bound of a solution, and may find a better one, until energy and bound differ by `gap`
 * of the energy, or nothing helps (certify.c). The solver has just run with the same costs. It takes
 * as long as some hundred sweeps. */
void pair_certify(const pair_solver *s, double gap, pair_solution *out);

double pair_energy(const pair_graph *g, const int *state);

#endif
