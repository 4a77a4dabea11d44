/* explain.h - why a value is sharded, or is not: follows the trail that propagation left back to
 * the annotations. */
#ifndef TESS_REPORT_EXPLAIN_H
#define TESS_REPORT_EXPLAIN_H

#include "propagate/propagate.h"

/* One step of a chain: how `axis` came to dimension `dim` of `v`. */
typedef struct why_step {
	enum why_cause {
		WHY_ANNOTATED, /* it was there when propagation started; ends the chain */
		WHY_OP,        /* through an operation's rule, from `from` */
		WHY_RESULT,    /* from a function's result to what it returns, or back */
		WHY_GROUP,     /* from a member of its sharding group */
		WHY_LOST,      /* the trail has no record; ends the chain */
	} cause;
	const value *v, *from;
	const op *through;
	int dim, from_dim; /* from_dim -1: not known */
	int round;
	int64_t priority;
} why_step;

typedef struct why_axis {
	int dim;
	axis_ref axis;
	VEC(why_step) steps;
} why_axis;

typedef struct explanation {
	const module *m;
	const value *v;
	const sharding *sharding;
	int dim; /* the requested dimension; -1: all */
	VEC(why_axis) axes;
	VEC(obstacle) refused; /* axes that neighbors have on the same factor and this value
	                        * lacks */
} explanation;

/* Explains dimension `dim` of a value (-1: all dimensions) and one axis (NULL: all axes). `m` is
 * the program after propagation, `t` its trail. */
void explain_value(module *m, trail *t, const value *v, int dim, const name *axis, arena *mem,
                   explanation *out);
/* Returns only the last step that brought an axis to dimension `dim` of a value. */
why_step explain_step(const trail *t, const value *v, int dim, axis_ref a);
void explain_text(const explanation *e, writer *w, bool color);
void explain_json(const explanation *e, arena *mem, writer *w);
/* Writes one line per value. @return the index of the largest, which is the one to explain */
int explain_list_text(const module *m, value *const *values, int n, writer *w);
/* Writes the JSON object into an open array or member. */
void explain_object(const explanation *e, arena *mem, json *j);

#endif
