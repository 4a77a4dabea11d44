/* custom.h - custom calls by target. */
#ifndef TESS_EXEC_REWRITE_CUSTOM_H
#define TESS_EXEC_REWRITE_CUSTOM_H

#include "exec/rewrite/specialise.h"

/* A row of customs.def: one of the four functions. */
typedef struct custom_row {
	const char *target; /* with a * at the end: a prefix */
	plan_fn *plan;
	prepare_fn *prepare;
	bool views; /* for prepare */
	expand_fn *expand;
	specialise_fn *specialise;
} custom_row;

/* Returns NULL if the op is not a custom call, or its target is unknown. */
const custom_row *custom_row_of(const op *o);

#endif
