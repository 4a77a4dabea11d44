/* purpose.h - what memory is held for: parameters, the optimizer's state, gradients, activations.
 *
 * Told by what is tied to what, and by the names that JAX gives arguments and results.  A result that is
 * computed element by element from an argument of its type is the argument's next state.  State from which
 * more than that is computed, and whose update needs what runs backwards, is a parameter; state that such
 * an update needs besides is the optimizer's.  What stands between a derivative and the next state is a
 * gradient, what is computed from inputs otherwise an activation.  What cannot be told is FOR_OTHER, and of
 * programs without a parameter nothing is told. */
#ifndef TESS_REPORT_PURPOSE_H
#define TESS_REPORT_PURPOSE_H

#include "cost/cost.h"
#include "op/op.h"
#include "report/address.h"

typedef enum purpose {
	FOR_OTHER,
	FOR_PARAMETERS,
	FOR_OPTIMIZER,
	FOR_GRADIENTS,   /* and updates */
	FOR_ACTIVATIONS, /* what is computed from inputs, forwards and backwards */
	FOR_INPUTS,
	FOR_OUTPUTS,
	FOR_COMMUNICATION, /* copies of what other devices have, which collectives that do not sum give */
	PURPOSES,
} purpose;

/* "parameters", "optimizer state", …; of JSON "optimizer_state". */
const char *purpose_word(purpose p);
const char *purpose_key(purpose p);

/* The update of a result of main. */
typedef struct update {
	int argument;  /* whose next state it is; -1 */
	bool written;  /* into, as caches are */
	bool backward; /* a derivative is part of it */
	bool gradient; /* it is one, of a parameter */
	VEC(int) from; /* arguments that it is computed from element by element */
} update;

typedef struct purposes {
	const module *m; /* of one device, calls opened */
	const op *main, *named; /* named: with the names and whole types of arguments and results */
	arena *mem;
	int n_arguments, n_results;
	uint8_t *of_argument; /* a purpose */
	uint8_t *of_value;    /* likewise, by id; results of main are those of the step */
	update *updates;      /* by result */
	int *next;            /* by argument: the result that is its next state; -1 */
	update_walk walk;
} purposes;

/* What `m` holds its values for; `named`: a program with the same arguments and results that has their
 * names and whole shapes.  False: nothing can be told. */
bool purposes_of(const module *m, const module *named, arena *mem, purposes *out);

/* ---- inside ------------------------------------------------------------------------------------------ */

/* updates_walk() of what result `i` of main is computed from; `visit` gets an update_of. */
typedef struct update_of {
	purposes *p;
	int result;
} update_of;
void update_each(purposes *p, int i, void (*visit)(void *of, const update_step *s));

/* Fills of_argument and updates (arguments.c). */
bool purposes_of_arguments(purposes *p);

#endif
