/* explain.h - why a value is sharded, or is not: back along the trail that
 * propagation left, to the annotations it began with. */
#ifndef TESS_REPORT_EXPLAIN_H
#define TESS_REPORT_EXPLAIN_H

#include "propagate/propagate.h"

/* One link of a chain: how `axis` came to dimension `dim` of `v`. */
typedef struct why_step {
	enum why_cause {
		WHY_ANNOTATED, /* it was there when propagation began; ends the chain */
		WHY_OP,        /* through an operation's rule, from `from` */
		WHY_RESULT,    /* between a function's result and what it returns */
		WHY_GROUP,     /* a member of its sharding group has it */
		WHY_LOST,      /* the trail does not say; ends the chain */
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
	int dim; /* that was asked for; -1: all */
	VEC(why_axis) axes;
	VEC(obstacle) refused; /* what neighbours have on the same factor, and this value lacks */
} explanation;

/* `m` is the program as propagation left it, `t` its trail. */
/* Of dimension `dim`, or of all if that is -1; of one axis, or of all if that is NULL. */
void explain_value(module *m, trail *t, const value *v, int dim, const name *axis, arena *mem,
                   explanation *out);
/* The last step alone by which an axis came to dimension `dim` of a value. */
why_step explain_step(const trail *t, const value *v, int dim, axis_ref a);
void explain_text(const explanation *e, writer *w, bool color);
void explain_json(const explanation *e, arena *mem, writer *w);
/* A line for each of several values.  @return the largest, which is to be explained. */
int explain_list_text(const module *m, value *const *values, int n, writer *w);
/* The JSON object, as a value of one that is open. */
void explain_object(const explanation *e, arena *mem, json *j);

#endif
