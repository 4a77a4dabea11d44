/* nodes.h - nodes and edges of a program's model. Internal to plan/model.
 *
 * A node has ports: one for each tensor that it takes or gives, with the layouts that occur there
 * and the layout of each of its states. An edge joins two ports of tensors of one type. The table
 * of an edge depends only on the type and the two lists of layouts, and most edges share theirs
 * with others.
 *
 * A value with several kinds of users gets a node of its own, so that it is gathered once for all
 * of them: a user that needs a part slices it from the whole, which costs nothing. */
#ifndef TESS_PLAN_MODEL_NODES_H
#define TESS_PLAN_MODEL_NODES_H

#include "plan/model/model.h"

#include "plan/model/strategy.h"

/* The layouts of one tensor of a node. */
typedef struct port {
	int node;
	const type *t;
	int n;                   /* different layouts */
	const plan_layout *list; /* [n] */
	const int *of_state;     /* [states of the node] */
	uint64_t key;            /* of the list */
} port;

typedef struct model_node {
	int states;
	double *seconds; /* [states]: of all runs */
	double *bytes;   /* [states]: at the place where most is alive */
	double *own;     /* [states]: the costs for the solver */
	port out;        /* of a node that stands for a tensor */
	port *ports;     /* of an operation: its operands, then its results */
	const strategy *ways; /* of an operation: [states] */
	digest key;
	int place; /* nodes are visited in the order of their places; those with equal places, as
		    * they were made */
} model_node;

typedef struct edge_table {
	const type *t;
	const port *from, *to; /* the first pair of ports that needed it */
	double *price, *turned;
} edge_table;

struct plan_model {
	const plan_graph *g;
	const plan_classes *k;
	const plan_works *works;
	const mesh *mesh;
	const model_guide *guide; /* NULL: none */
	arena *mem;
	pricer p;
	VEC(model_node) nodes;
	VEC(pair_edge) edges;
	VEC(const edge_table *) tables; /* of each edge, in the same order */
	int *node_of_arg;    /* [classes of arguments] */
	int *node_of_op;     /* [classes of operations]; of control flow: the node of its first
			      * result */
	int *node_of_result; /* [results of main]: of results that are not a next state; -1 */
	int *holder;         /* the node that holds a value for its users: by first_value[class]
			      * + result; -1 */
	int *first_value;    /* [classes of operations + 1]; the values of arguments follow */
	cons_tab shared;     /* edge_table */
	bool *alive;         /* [graph's ops]: the result is kept at the place where most is
			      * alive */
	int *rank;           /* [nodes]: in the order in which the solver visits them */
	pair_graph pairs;    /* in that order */
	pair_solver *solver;
	double noise;        /* seconds */
};

/* Adds a node that stands for a tensor, in one of n layouts (model.c). */
int model_add_tensor(plan_model *m, const type *t, const plan_layout *l, int n, digest key,
                     int place);
/* For a loop or a choice, each value that flows through it is a node, instead of the operation. */
static inline bool op_is_flow(const op *o) { return op_has(o, CONTROL); }

/* ---- uses (uses.c) --------------------------------------------------------------------------------- */

/* Returns the number of a value of a class: result `r` of a class of operations, or a class of
 * arguments. */
int model_value_number(const plan_model *m, const graph_use *u);
/* Return the port from which a use takes its value, and the one where it needs it; NULL: it is not
 * in the model. */
const port *model_source_port(const plan_model *m, const graph_use *u);
const port *model_target_port(const plan_model *m, const graph_use *u);
/* Adds the edges of all uses, and the bytes of the values that are kept, once all nodes of
 * arguments and operations exist. */
void model_add_edges(plan_model *m);

#endif
