/* custom.h - custom calls by target. */
#ifndef TESS_EXEC_REWRITE_CUSTOM_H
#define TESS_EXEC_REWRITE_CUSTOM_H

#include "exec/rewrite/specialise.h"

/* A row of customs.def: one of the four. */
typedef struct custom_row {
	const char *target; /* a * at the end: all that begin so */
	plan_fn *plan;
	prepare_fn *prepare;
	bool views; /* of prepare */
	expand_fn *expand;
	specialise_fn *specialise;
} custom_row;

/* NULL if the op is not a custom call, or its target is unknown. */
const custom_row *custom_row_of(const op *o);

#endif
