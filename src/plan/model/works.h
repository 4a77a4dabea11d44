/* works.h - what a machine works on the operations of a program.
 *
 * Compilers run operations in clusters (cost.h); the work of a cluster belongs to its main operation,
 * whose way of dividing it decides. */
#ifndef TESS_PLAN_WORKS_H
#define TESS_PLAN_WORKS_H

#include "cost/cost.h"
#include "plan/program/classes.h"

/* Of one run of an operation of a class, all of it on one device. */
typedef struct class_work {
	double compute; /* seconds of arithmetic */
	double bytes;   /* read and written by the whole cluster */
	double runs;    /* clusters a run of the operation is the main one of: at most 1 */
} class_work;

typedef struct plan_works {
	const target *t;
	const class_work *of; /* by class of operations */
} plan_works;

/* Clusters do not reach into calls: the program should have none. */
void plan_works_of(const plan_graph *g, const plan_classes *k, const target *t, arena *mem,
                   plan_works *out);

#endif
