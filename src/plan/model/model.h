/* model.h - a program, a mesh and a machine as costs of single decisions and of pairs of decisions.
 *
 * A node is a decision: how the work of a class of operations is divided, where a class of
 * arguments is stored, which layout the state of a loop has, or in which layout a value is held for
 * several users. An edge is a use: what it costs to move a value from the layout that it has to the
 * one in which it is needed. pairs.h finds the cheapest decisions of all, with a bound. What they
 * really cost is found by partitioning. */
#ifndef TESS_PLAN_MODEL_H
#define TESS_PLAN_MODEL_H

#include "plan/program/classes.h"
#include "plan/model/layout.h"
#include "plan/model/pairs.h"
#include "plan/model/works.h"

typedef struct plan_model plan_model;

/* The solution for a smaller mesh, whose axis `split` has been divided into `split` and the next
 * axis. A model with this guide only decides about these two; the other axes keep what they do in
 * the solution. */
typedef struct model_guide {
	const plan_model *coarse;
	const int *state; /* of a solution */
	int split;
} model_guide;

/* The arguments of main are stored according to their shardings, if these have axes of this mesh: a
 * closed dimension exactly, an open one at least. `guide` may be NULL; its model is one of the same
 * graph. The graph, its classes and their work must outlive the model. NULL: the mesh has more than
 * PLAN_AXES axes, or none. */
plan_model *model_new(const plan_graph *g, const plan_classes *k, const plan_works *w, const mesh *m,
                      const model_guide *guide, arena *mem);
const pair_graph *model_pairs(const plan_model *m);

typedef struct model_solution {
	double seconds; /* of a step, without overlap */
	double bytes;   /* stored, and alive where most is alive: an estimate of the peak */
	double bound;   /* no choice of this model takes less in seconds + lambda * bytes */
	double energy;  /* seconds + lambda * bytes of this choice */
	int sweeps;
	const int *state; /* [nodes] */
} model_solution;

/* `lambda`: the seconds that a byte of memory is worth. `sweeps`: the most sweeps. A second call
 * starts from the messages of the first one. */
void model_solve(plan_model *m, double lambda, int sweeps, model_solution *out);
/* The same, and goes on until the bound is within `gap` of the energy, or nothing helps. It may take
 * a few times as long: for tests, and to see how good solutions are. */
void model_certify(plan_model *m, double lambda, int sweeps, double gap, model_solution *out);

/* The shardings that follow from a solution: of main's arguments and results, and of results of
 * operations of main (NULL: none, as for values that still have to be summed). */
typedef struct model_shardings {
	const sharding **arg, **result; /* [n_args], [n_results] */
	const sharding **value;         /* [m->n_values], by id */
} model_shardings;
/* `wanted`: by id of an operation: whether the values of its results are wanted; NULL: of all. */
void model_shardings_of(plan_model *m, const model_solution *s, mesh_ref ref, const bool *wanted, arena *mem,
                        model_shardings *out);

#endif
