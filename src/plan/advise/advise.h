/* advise.h - changes that may be worth while, and what trying them needs; inside plan. */
#ifndef TESS_PLAN_ADVISE_ADVISE_H
#define TESS_PLAN_ADVISE_ADVISE_H

#include "plan/roles.h"

/* Values in the order of the text, which clones of a program share. */
typedef struct value_order {
	int n;
	value **ptr;
	ptr_map number; /* of a value, and 1 */
} value_order;
void value_order_of(module *m, arena *mem, value_order *out);

/* What is computed at one place of the source.  What a backward pass computes at the place of an expression
 * is no value of the expression, but belongs to what goes into it, unless the types are the same. */
typedef struct place_ops {
	VEC(op *) ops;
	const block *first; /* where the program first comes there, not backwards; NULL: nowhere */
	ptr_map types;      /* of what is computed there */
} place_ops;

/* What the search for changes looks at. */
typedef struct advisor {
	const plan_subject *s;
	arena *mem;
	plan_roles roles;
	value_order values;
	const mesh *mesh;            /* with what is taken */
	const sharding **annotated;  /* the same, by number; NULL: none, or the value is not there */
	const sharding **propagated; /* the same, propagated */
	int *next;           /* by site: the result that is the next state of an argument; -1 */
	int64_t least_bytes; /* of a value that is worth a change */
	ptr_map known;       /* key of a change -> advice_change */
	ptr_map at_place;    /* place of the source -> place_ops */
	VEC(value *) lookups; /* that sdy-explicit-gather-scatter-batching would change */
	int round;           /* of finding changes */
	VEC(struct advice_change *) list;
} advisor;

typedef struct advice_change {
	advice a;
	VEC(advice_place) places;
	double bytes; /* of all places */
	double promise; /* less time and memory, when it was tried last; above 0: better */
	double gain;    /* the same, or 0 if it is too little */
	int number;     /* in the order of the program */
	bool chosen;    /* of its kind, one of those of most bytes */
	bool tried, taken;
	int round;      /* that found it last */
} advice_change;

/* Runs a pass, or pipeline, by its name; what it reports is forgotten. */
bool advise_run_pass(module *m, const char *name, arena *mem);
#define LOOKUP_PASS "sdy-explicit-gather-scatter-batching"

/* Collects the changes of the program with all that is taken into w->list, the most bytes first.  What
 * was known keeps what was found of it. */
void advice_changes_find(advisor *w);
/* Makes a change in a copy of the program, whose values have `order`, where `done`, by number, does not
 * say that a later change was made; and says so. */
void advice_change_apply(module *m, const value_order *order, const value_order *told, const advice *a,
                         bool *done);

#endif
