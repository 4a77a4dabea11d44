/* graph.h - a program as the planner sees it: operations and their users.
 *
 * Operations that only pass on values are left out: barriers, calls, named computations, data-flow
 * edges. The operations of a function occur once for each call. A loop is one operation whose
 * operands are its initial values and then what its body yields; its results are also the arguments
 * of its body and condition. The operations inside it are listed like others. Reducers and the
 * bodies of manual computations belong to their operation. */
#ifndef TESS_PLAN_GRAPH_H
#define TESS_PLAN_GRAPH_H

#include "op/op.h"

/* An operand, or a result of main. */
typedef struct graph_use {
	int from;    /* the operation that computes it; -1 - i: argument i of main; GRAPH_NOWHERE */
	int result;  /* of that operation */
	int to;      /* the operation that uses it; -1 - i: result i of main */
	int operand; /* 0 for a result of main */
	value *v;    /* the operand in the program */
} graph_use;
enum { GRAPH_NOWHERE = INT32_MIN };

typedef struct graph_op {
	op *o;
	double times;     /* how often it runs in a step; a loop of unknown count: once */
	int uses, n_uses; /* its operands, in `uses` of the graph */
	int users, n_users; /* of its results, in `users` of the graph */
} graph_op;

typedef struct plan_graph {
	module *m;
	op *main;
	int n_ops, n_args, n_results, n_uses;
	graph_op *ops; /* [n_ops] in program order */
	int n_ids;
	int *of_op;    /* [n_ids] by id: index in `ops`, the first one if there are several; -1 */
	graph_use *uses; /* [n_uses] by operation, then the results of main */
	int *users;      /* [n_uses]: for each operation, the indices of its users in `uses` */
	int *arg_users;  /* the same for arguments: those of argument i start at arg_first[i] */
	int *arg_first;  /* [n_args + 1] */
	int *arg_of_result; /* [n_results]: the argument whose next state a result is; -1 */
	bool unknown_loops; /* the program does not say how often some loop runs */
} plan_graph;

/* For @main. Everything is allocated in `mem`. Returns false after reporting that there is no main
 * with a body of one block, or that nested calls make it far too large. */
bool plan_graph_of(module *m, arena *mem, plan_graph *out);

static inline const graph_use *graph_result(const plan_graph *g, int i)
{
	return &g->uses[g->n_uses - g->n_results + i];
}

#endif
