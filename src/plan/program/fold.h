/* fold.h - programs of a few layers that stand for one of many.
 *
 * Costs of a program that repeats a layer are linear in the number of layers: time(L) = time(2) + (L - 2)
 * (time(3) - time(2)), and so are bytes at the peak.  A folded program is the program without some of
 * its layers: of each run of repeated operations - forward, backward, optimizer - the same layers are
 * left out, with the arguments and results that they alone have. */
#ifndef TESS_PLAN_FOLD_H
#define TESS_PLAN_FOLD_H

#include "plan/program/classes.h"
#include "plan/program/periods.h"

/* How a program repeats itself. */
typedef struct fold_layers {
	int layers; /* how often; 0: it cannot be folded */
	int n_ops;  /* of main, its terminator not counted */
	period_runs runs; /* of main's operations, in program order; each has `layers` periods or one less */
	int covered;      /* operations of them */
	const int *layer_of_arg; /* [arguments of main]; -1: it is of no layer */
	const int *twins;        /* [arguments of main] the first of those that differ in the layer only */
	plan_graph graph;        /* of the whole program */
	plan_classes classes;
} fold_layers;

/* Looks at @main, whose calls count as one operation each.  false: an error is reported.  Lies in
 * `mem`. */
bool fold_layers_of(module *m, arena *mem, fold_layers *out);

/* The program with `kept` of its layers, the first ones and the last, to be released, and where what the whole program has is in it.
 * An argument, result or operation that was left out stands where its like is in a layer that is kept. */
typedef struct folded {
	module *m;
	int kept;
	int n_args, n_results, n_ops;  /* of the whole main, without its terminator */
	const int *arg, *result, *op;  /* by number, or position in main; -1: nothing like it is there */
} folded;
/* false: the layers do not hang together so that some can be left out. */
bool fold_program(const fold_layers *l, int kept, arena *mem, folded *out);

/* The cost of all layers from those of `n` and n + 1.  Of two and three it is surer than of one and two:
 * memory has its peak elsewhere where no layer lies between the first and the last. */
static inline double fold_extrapolated(const fold_layers *l, int n, double fewer, double more)
{
	return fewer + (double)(l->layers - n) * (more - fewer);
}
static inline int64_t fold_extrapolated_bytes(const fold_layers *l, int n, int64_t fewer, int64_t more)
{
	return fewer + (l->layers - n) * (more - fewer);
}
/* Whether costs of three consecutive numbers of layers lie on a line that does not fall. */
bool fold_is_linear(double first, double second, double third, double tolerance);

#endif
