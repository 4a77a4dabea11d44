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

/* ---- what finds changes needs (change.c) ---------------------------------------------------- */

/* -1: it is not there. */
int value_order_number(const value_order *l, const value *v);
/* Writes what values that are alike share: arguments whose paths differ in numbers only, values of one place in
 * the source.  false: there is nothing. */
bool advise_put_alike(writer *w, const attr *loc, advice_kind kind);
/* The change of this kind, to this sharding, of all that is alike; or the one with this name, which concerns
 * many values. */
advice_change *advise_change_for(advisor *w, advice_kind kind, const value *v, const sharding *to,
                                 const name *axis);
advice_change *advise_change_named(advisor *w, advice_kind kind, const char *what, const name *axis);
void advise_add_place(advisor *w, advice_change *c, value *v, int argument, int result,
                      const sharding *to);
/* With all that is taken, propagated. */
const sharding *advise_sharding_now(const advisor *w, const value *v);
/* A value that is sharded over another mesh of the program is left as it is. */
bool advise_is_elsewhere(const advisor *w, const sharding *s);
/* `s` with an axis on dimension `dim` and nowhere else; NULL: shards would not be of one size. */
const sharding *advise_with_axis(const advisor *w, const sharding *s, const type *t, const name *axis,
                                 int dim);
bool advise_has_axis_on(const sharding *s, int dim, const name *axis);
/* A tensor that is worth a change. */
bool advise_can_change(const advisor *w, const type *t);
/* Runs a pass, or pipeline, by its name; what it reports is forgotten. */
bool advise_run_pass(module *m, const char *name, arena *mem);
#define LOOKUP_PASS "sdy-explicit-gather-scatter-batching"

/* ---- changes of one kind -------------------------------------------------------------------------- */

/* Looks, once, for what stays as it is: next states of arguments, places of the source, lookups. */
void advise_arguments_note(advisor *w);
void advise_values_note(advisor *w);
/* Constraints; arguments and donation; lookups. */
void advise_values_find(advisor *w);
void advise_arguments_find(advisor *w);
void advise_lookups_find(advisor *w);
/* Adds to constraints what the same line of the source makes besides; once all are found. */
void advise_constraints_complete(advisor *w);

/* ---- all ----------------------------------------------------------------------------------------- */

/* Collects the changes of the program with all that is taken into w->list, the most bytes first.  What
 * was known keeps what was found of it. */
void advice_changes_find(advisor *w);

#endif
