/* classes.h - which operations and arguments of a program are alike.
 *
 * A program repeats its layers. Operations are of one class if they are equal, and so are their
 * operands and users, and the neighbors of these: just so far that the first and last layer hardly
 * differ from those between them. A plan decides once for each class. */
#ifndef TESS_PLAN_CLASSES_H
#define TESS_PLAN_CLASSES_H

#include "plan/program/digest.h"
#include "plan/program/graph.h"

typedef struct op_class {
	int first;    /* operation of the graph */
	int n;        /* operations */
	double times; /* runs in a step, of all of them */
	digest key;   /* the same in other programs that have the class */
} op_class;

typedef struct arg_class {
	int first, n;      /* arguments of main */
	const char *place; /* result[1]['layers'][*]['w1'], as far as it is known; or "" */
	digest key;
} arg_class;

typedef struct plan_classes {
	int n_ops, n_args; /* classes, in the order of their first members */
	const op_class *ops;
	const arg_class *args;
	const int *of_op;  /* [graph's n_ops] */
	const int *of_arg; /* [graph's n_args] */
	const digest *alone; /* [graph's n_ops]: the digest of each operation without its
			      * neighbors */
} plan_classes;

/* Arguments are of one class if their paths in the user's tree differ only in layer numbers; that
 * is the name of the result that is their next state, or their own. Arguments without a name are
 * alike if their users are. */
void classes_find(const plan_graph *g, arena *mem, plan_classes *out);

#endif
