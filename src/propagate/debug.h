/* debug.h - the records that Shardy's debugging options write into the program. */
#ifndef TESS_PROPAGATE_DEBUG_H
#define TESS_PROPAGATE_DEBUG_H

#include "ir/ir.h"

typedef struct projection projection;

typedef struct debug_log debug_log;

/* Notes the origin of each axis that the program has, and names constraints and manual
 * computations. Returns NULL if neither debugging option is set. */
debug_log *debug_begin(module *m, const pass_options *o, arena *mem);

/* One step of propagation: the op, or the function for a step between a result and its return. */
typedef struct debug_step {
	op *op;
	const projection *p;       /* cells with what they were and are */
	value *const *bearers;     /* [p->n_tensors]; NULL: none */
} debug_step;
void debug_add_step(debug_log *l, const debug_step *s);

/* Records that a sharding constraint gave its operand its sharding. */
void debug_add_constraint(debug_log *l, op *constraint);

/* Writes the records as attributes. */
void debug_save(debug_log *l);

#endif
