/* explain.h - why a value is sharded, or is not: back along the trail that
 * propagation left, to the annotations it began with. */
#ifndef TESS_EXPLAIN_H
#define TESS_EXPLAIN_H

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

/* An axis that a neighbour has on the same factor, and this value has not. */
typedef struct why_not {
	enum why_not_reason {
		WHY_NOT_CLOSED,      /* the dimension was closed */
		WHY_NOT_USED,        /* the axis shards another dimension of the value */
		WHY_NOT_REPLICATED,  /* the annotation says that it stays replicated */
		WHY_NOT_WHOLE,       /* the operation needs the dimension whole */
		WHY_NOT_CONFLICT,    /* another tensor of the operation holds other axes there */
		WHY_NOT_ROOM,        /* the dimension is too small, or not divided */
		WHY_NOT_PROPAGATED,  /* the operation does not propagate that way */
	} reason;
	int dim;
	axis_ref axis;
	const op *through;
	const value *neighbour;
	int neighbour_dim;
	int other_dim;          /* WHY_NOT_USED */
	const value *other;     /* WHY_NOT_CONFLICT */
} why_not;

typedef struct explanation {
	const value *v;
	const sharding *sharding;
	const mesh *mesh;
	VEC(why_axis) axes;
	VEC(why_not) refused;
} explanation;

/* The value that a name stands for: "%h", "%0#1", "h", "out0" for what @main returns, or
 * the name that the program's locations give an argument.  NULL: none. */
value *explain_find(module *m, tess_str text);
/* `m` is the program as propagation left it, `t` its trail. */
void explain_value(module *m, const trail *t, const value *v, arena *mem, explanation *out);
void explain_text(const explanation *e, writer *w, bool color);
void explain_json(const explanation *e, arena *mem, writer *w);

#endif
