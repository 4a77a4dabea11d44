/* purpose.h - what memory is held for: parameters, optimizer state, gradients, activations.
 *
 * This is inferred from data flow and from the names that JAX gives arguments and results. A result
 * computed elementwise from an argument of its type is that argument's next state. State is a
 * parameter if something other than its update is computed from it, and its update needs the
 * backward pass; other state that such an update needs is optimizer state. Values between a
 * derivative and the next state are gradients; other values computed from inputs are activations.
 * The rest is FOR_OTHER, and for programs without parameters nothing is inferred. */
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
	FOR_ACTIVATIONS, /* computed from inputs, in the forward or backward pass */
	FOR_INPUTS,
	FOR_OUTPUTS,
	FOR_COMMUNICATION, /* results of collectives that only copy */
	PURPOSES,
} purpose;

/* Return "parameters", "optimizer state", …; for JSON "optimizer_state". */
const char *purpose_word(purpose p);
const char *purpose_key(purpose p);

/* The update that a result of main may be. */
typedef struct update {
	int argument;  /* the argument whose next state it is; -1 */
	bool written;  /* the update writes into it, as into a cache */
	bool backward; /* a derivative is part of it */
	bool gradient; /* it is itself the gradient of a parameter */
	VEC(int) from; /* arguments that it is computed from elementwise */
} update;

typedef struct purposes {
	const module *m; /* the per-device program with calls inlined */
	const op *main, *named; /* named: has the names and whole types of arguments and results */
	arena *mem;
	int n_arguments, n_results;
	uint8_t *of_argument; /* a purpose for each argument */
	uint8_t *of_value;    /* by value id; results of main have those of the step */
	update *updates;      /* by result */
	int *next;            /* by argument: the result that is its next state; -1 */
	update_walk walk;
} purposes;

/* Infers what `m` holds its values for. `named` is a program with the same arguments and results
 * that has their names and whole shapes. Returns false if nothing can be inferred. */
bool purposes_of(const module *m, const module *named, arena *mem, purposes *out);

/* ---- internal ------------------------------------------------------------------------------- */

/* Runs updates_walk() over what result `i` of main is computed from; `visit` gets an update_of. */
typedef struct update_of {
	purposes *p;
	int result;
} update_of;
void update_each(purposes *p, int i, void (*visit)(void *of, const update_step *s));

/* Fills in of_argument and updates (arguments.c). */
bool purposes_of_arguments(purposes *p);

#endif
