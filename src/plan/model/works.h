/* works.h - how much work the operations of a program are for a machine.
 *
 * Compilers run operations in clusters (cost.h). The work of a cluster is attributed to its main
 * operation, since the way in which that is divided decides. */
#ifndef TESS_PLAN_WORKS_H
#define TESS_PLAN_WORKS_H

#include "cost/cost.h"
#include "plan/program/classes.h"

/* Of one run of an operation of a class, on a single device. */
typedef struct class_work {
	double compute; /* seconds of arithmetic */
	double bytes;   /* read and written by the whole cluster */
	double runs;    /* clusters per run of which the operation is the main one: at most 1 */
} class_work;

typedef struct plan_works {
	const target *t;
	const class_work *of; /* by class of operations */
} plan_works;

/* Clusters do not extend into calls, so the program should have none. */
void plan_works_of(const plan_graph *g, const plan_classes *k, const target *t, arena *mem,
                   plan_works *out);

#endif
