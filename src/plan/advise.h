/* advise.h - changes that may be worth while, and what trying them needs; inside plan. */
#ifndef TESS_PLAN_ADVISE_H
#define TESS_PLAN_ADVISE_H

#include "plan/roles.h"

/* Values in the order of the text, which clones of a program share. */
typedef struct value_order {
	int n;
	value **ptr;
	ptr_map number; /* of a value, and 1 */
} value_order;
void value_order_of(module *m, arena *mem, value_order *out);

/* What the search for changes looks at. */
typedef struct advisor {
	const plan_subject *s;
	arena *mem;
	plan_roles roles;
	value_order values;
	const sharding **propagated; /* by number; NULL: none, or propagation has not kept the value */
	int *next;           /* by site: the result that is the next state of an argument; -1 */
	int64_t least_bytes; /* of a value that is worth a change */
	ptr_map known;       /* key of a change -> advice_change, and 1 */
	VEC(struct advice_change *) list;
} advisor;

typedef struct advice_change {
	advice a;
	VEC(advice_place) places;
	double bytes; /* of all places */
	double promise; /* less time and memory, when it was tried last; above 0: better */
	double gain;    /* the same, or 0 if it is too little */
	int number;   /* in the order of the program */
	bool chosen;  /* to be tried: of each kind those of most bytes */
} advice_change;

/* Collects changes into w->list, the most bytes first. */
void advice_changes_find(advisor *w);
/* The program with a change, whose values have `order`. */
void advice_change_apply(module *m, const value_order *order, const value_order *told, const advice *a);

#endif
