/* graph.h - a program as a plan sees it: operations and who uses what.
 *
 * What only hands values on is not there: barriers, calls, named computations, the edges of data flow;
 * the operations of a function stand there once for each call.  A loop
 * is one operation whose operands are what comes in and then what its body yields, and whose results
 * are also what its body and its condition see; the operations inside stand beside it.  Reducers and the
 * bodies of manual computations belong to their operation. */
#ifndef TESS_PLAN_GRAPH_H
#define TESS_PLAN_GRAPH_H

#include "op/op.h"

/* One operand, or result of main. */
typedef struct graph_use {
	int from;    /* the operation that makes it; -1 - i: argument i of main; GRAPH_NOWHERE */
	int result;  /* of that operation */
	int to;      /* the operation that has it as operand; -1 - i: result i of main */
	int operand; /* 0 for a result of main */
	value *v;    /* the operand as the program has it */
} graph_use;
enum { GRAPH_NOWHERE = INT32_MIN };

typedef struct graph_op {
	op *o;
	double times;     /* that it runs in a step; a loop of unknown count: once */
	int uses, n_uses; /* its operands, in `uses` of the graph */
	int users, n_users; /* of its results, in `users` of the graph */
} graph_op;

typedef struct plan_graph {
	module *m;
	op *main;
	int n_ops, n_args, n_results, n_uses;
	graph_op *ops; /* [n_ops] in program order */
	int n_ids;
	int *of_op;    /* [n_ids] by id: index in `ops`, of several the first; -1 */
	graph_use *uses; /* [n_uses] by operation, then the results of main */
	int *users;      /* [n_uses] indices in `uses` of those of each operation */
	int *arg_users;  /* the same of arguments: those of argument i from arg_first[i] */
	int *arg_first;  /* [n_args + 1] */
	int *arg_of_result; /* [n_results] the argument that a result is the next state of; -1 */
	bool unknown_loops; /* some loop runs a number of times that the program does not say */
} plan_graph;

/* Of @main.  Lies in `mem`.  false: there is no main with a body of one block, or calls of calls make it
 * far too large, which is reported. */
bool plan_graph_of(module *m, arena *mem, plan_graph *out);

static inline const graph_use *graph_result(const plan_graph *g, int i)
{
	return &g->uses[g->n_uses - g->n_results + i];
}

#endif
