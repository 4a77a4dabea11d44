/* model.h - a program, a mesh and a machine as costs of single decisions and of pairs.
 *
 * A node is a decision: how the work of a class of operations is divided, where a class of arguments is
 * stored, how a loop's state is laid out, in which layout a value is held for several users.  An edge is
 * a use: what it takes to bring a value from where it is to where it is needed.  The cheapest decisions
 * of all are found by pairs.h, with a bound; what they really cost, partitioning says. */
#ifndef TESS_PLAN_MODEL_H
#define TESS_PLAN_MODEL_H

#include "plan/program/classes.h"
#include "plan/model/layout.h"
#include "plan/model/pairs.h"
#include "plan/model/works.h"

typedef struct plan_model plan_model;

typedef struct model_size {
	int nodes, edges, most_states;
	int64_t entries; /* of all edges' tables, shared ones counted each time */
} model_size;

/* The solution of a smaller mesh, of which axis `split` has become two, `split` and the next: a model
 * with this guide decides about these two only.  Other axes do what they did. */
typedef struct model_guide {
	const plan_model *coarse;
	const int *state; /* a solution's */
	int split;
} model_guide;

/* The arguments of main are stored as their shardings say, where they have any on axes of this mesh: a
 * closed dimension exactly, an open one at least.  `guide` may be NULL; the coarse model is one of the
 * same graph.  The graph, its classes and their work must outlive the
 * model.  NULL: the mesh has more than PLAN_AXES axes, or none. */
plan_model *model_new(const plan_graph *g, const plan_classes *k, const plan_works *w, const mesh *m,
                      const model_guide *guide, arena *mem);
model_size model_size_of(const plan_model *m);
const pair_graph *model_pairs(const plan_model *m);

typedef struct model_solution {
	double seconds; /* of a step, nothing overlapped */
	double bytes;   /* stored, and alive where most is: an estimate of the peak */
	double bound;   /* no choice of this model takes less than that in seconds + lambda * bytes */
	double energy;  /* seconds + lambda * bytes of this one */
	int sweeps;
	const int *state; /* [nodes] */
} model_solution;

/* `lambda`: seconds that a byte of memory is worth.  `sweeps`: at most so many.  A second call starts
 * from what the first one has learned. */
void model_solve(plan_model *m, double lambda, int sweeps, model_solution *out);

/* The solution of least seconds whose bytes are at most `bytes`, by bisection of lambda; if none has so
 * few, that of the largest lambda.  @return lambda */
double model_solve_within(plan_model *m, double bytes, int sweeps, model_solution *out);

/* What a solution says of the program: shardings of main's arguments and results, and of results of
 * operations of main (NULL: nothing, as of what still has to be summed). */
typedef struct model_shardings {
	const sharding **arg, **result; /* [n_args], [n_results] */
	const sharding **value;         /* [m->n_values] by id */
	bool *changes; /* [m->n_ops] by id: an operand comes, or a result goes, in another layout.  If these
	                * are annotated, propagation finds what lies between */
} model_shardings;
void model_shardings_of(plan_model *m, const model_solution *s, mesh_ref ref, arena *mem,
                        model_shardings *out);

#endif
