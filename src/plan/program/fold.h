/* fold.h - programs of a few layers that represent one of many layers.
 *
 * The costs of a program that repeats a layer are linear in the number of layers: time(L) = time(2)
 * + (L - 2) (time(3) - time(2)), and so are the bytes at the peak. A folded program is the program
 * without some of its layers: of each run of repeated operations - forward, backward, optimizer -
 * the same layers are removed, with the arguments and results that only they have. */
#ifndef TESS_PLAN_FOLD_H
#define TESS_PLAN_FOLD_H

#include "plan/program/classes.h"
#include "plan/program/periods.h"

/* How a program repeats itself. */
typedef struct fold_layers {
	int layers; /* number of layers; 0: it cannot be folded */
	int n_ops;  /* operations of main, without its terminator */
	period_runs runs; /* of main's operations, in program order; each has `layers` periods or one less */
	int covered;      /* number of operations in the runs */
	const int *layer_of_arg; /* [arguments of main]; -1: it does not belong to a layer */
	const int *twins;        /* [arguments of main]: the first of those that differ only in
				  * the layer */
	plan_graph graph;        /* of the whole program */
	plan_classes classes;
} fold_layers;

/* Analyzes @main; a call counts as one operation. Returns false after reporting an error.
 * Everything is allocated in `mem`. */
bool fold_layers_of(module *m, arena *mem, fold_layers *out);

/* The program with `kept` of its layers, the first ones and the last, which the caller releases;
 * and the places in it of what the whole program has. An argument, result or operation that was
 * removed has the place of the corresponding one in a layer that is kept. */
typedef struct folded {
	module *m;
	int kept;
	int n_args, n_results, n_ops;  /* of the whole main, without its terminator */
	const int *arg, *result, *op;  /* by number, or position in main; -1: it has no
				        * counterpart */
} folded;
/* Returns false if the layers are not connected in a way that allows removing some. */
bool fold_program(const fold_layers *l, int kept, arena *mem, folded *out);

/* Returns the cost of all layers, from those of `n` and n + 1 layers. Two and three are more
 * reliable than one and two: memory has its peak elsewhere if no layer is between the first and the
 * last. */
static inline double fold_extrapolated(const fold_layers *l, int n, double fewer, double more)
{
	return fewer + (double)(l->layers - n) * (more - fewer);
}
static inline int64_t fold_extrapolated_bytes(const fold_layers *l, int n, int64_t fewer, int64_t more)
{
	return fewer + (l->layers - n) * (more - fewer);
}

#endif
