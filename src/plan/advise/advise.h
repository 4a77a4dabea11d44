/* advise.h - changes that may be worthwhile, and what is needed to try them. Internal to plan. */
#ifndef TESS_PLAN_ADVISE_ADVISE_H
#define TESS_PLAN_ADVISE_ADVISE_H

#include "plan/roles.h"

/* Values in the order of the text, which is the same for clones of a program. */
typedef struct value_order {
	int n;
	value **ptr;
	ptr_map number; /* of a value, + 1 */
} value_order;
void value_order_of(module *m, arena *mem, value_order *out);

/* What is computed at one place of the source. A value that a backward pass computes at the place
 * of an expression is not a value of that expression: it is the derivative of one of its inputs,
 * unless the types are the same. */
typedef struct place_ops {
	VEC(op *) ops;
	const block *first; /* block of the first operation at that place in the forward pass;
			     * NULL: there is none */
	ptr_map types;      /* the types that are computed there */
} place_ops;

/* The state of the search for changes. */
typedef struct advisor {
	const plan_subject *s;
	arena *mem;
	plan_roles roles;
	value_order values;
	const mesh *mesh;            /* with the changes that are taken */
	const sharding **annotated;  /* the annotations, with these changes, by number; NULL:
				      * none, or the value no longer exists */
	const sharding **propagated; /* the same after propagation */
	int *next;           /* by site: the result that is the next state of an argument; or -1 */
	int64_t least_bytes; /* smaller values are not worth a change */
	ptr_map known;       /* key of a change -> advice_change */
	ptr_map at_place;    /* place of the source -> place_ops */
	VEC(value *) lookups; /* lookups that sdy-explicit-gather-scatter-batching would change */
	int round;           /* number of the search for changes */
	VEC(struct advice_change *) list;
} advisor;

typedef struct advice_change {
	advice a;
	VEC(advice_place) places;
	double bytes; /* of all places */
	double promise; /* how much less time and memory it took when it was tried last; above 0:
			 * better */
	double gain;    /* the same; 0 if it is too little */
	int number;     /* in the order of the program */
	bool chosen;    /* it is one of those with the most bytes of its kind */
	bool tried, taken;
	int round;      /* the last search that found it */
} advice_change;

/* ---- what finds changes needs (change.c) ---------------------------------------------------- */

/* Returns -1 if the value is not in the list. */
int value_order_number(const value_order *l, const value *v);
/* Writes what values that are alike have in common: the path of arguments without its numbers, the
 * place in the source of values. Returns false if there is nothing. */
bool advise_put_alike(writer *w, const attr *loc, advice_kind kind);
/* Return the change of this kind, to this sharding, of all values that are like `v`; or the change
 * with this name, which concerns many values. */
advice_change *advise_change_for(advisor *w, advice_kind kind, const value *v, const sharding *to,
                                 const name *axis);
advice_change *advise_change_named(advisor *w, advice_kind kind, const char *what, const name *axis);
void advise_add_place(advisor *w, advice_change *c, value *v, int argument, int result,
                      const sharding *to);
/* The sharding after propagation, with all changes that are taken. */
const sharding *advise_sharding_now(const advisor *w, const value *v);
/* True if a sharding is over another mesh of the program; such values are not changed. */
bool advise_is_elsewhere(const advisor *w, const sharding *s);
/* Returns `s` with an axis on dimension `dim` and on no other; NULL: the shards would differ in
 * size. */
const sharding *advise_with_axis(const advisor *w, const sharding *s, const type *t, const name *axis,
                                 int dim);
bool advise_has_axis_on(const sharding *s, int dim, const name *axis);
/* True if a tensor is worth a change. */
bool advise_can_change(const advisor *w, const type *t);
/* Runs a pass, or a pipeline, by its name, and drops what it reports. */
bool advise_run_pass(module *m, const char *name, arena *mem);
#define LOOKUP_PASS "sdy-explicit-gather-scatter-batching"

/* ---- changes of one kind -------------------------------------------------------------------------- */

/* Find, once, what does not change: next states of arguments, places of the source, lookups. */
void advise_arguments_note(advisor *w);
void advise_values_note(advisor *w);
/* Find constraints; arguments and donation; lookups. */
void advise_values_find(advisor *w);
void advise_arguments_find(advisor *w);
void advise_lookups_find(advisor *w);
/* Adds to constraints the other values that the same source line computes, once all are found. */
void advise_constraints_complete(advisor *w);

/* ---- all ----------------------------------------------------------------------------------------- */

/* Collects the changes of the program, with all changes that are taken, into w->list, those with
 * the most bytes first. Changes that were known keep what was found out about them. */
void advice_changes_find(advisor *w);

#endif
