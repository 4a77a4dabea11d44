/* polish.h - changes the best plans at one place after the other, as long as that helps. */
#ifndef TESS_PLAN_POLISH_H
#define TESS_PLAN_POLISH_H

#include "plan/search.h"

/* Sites that a plan treats alike: arguments of one class with the results that are their next
 * state, or values of one class of operations. */
typedef struct site_class {
	int n;
	const int *sites; /* [n] with the first argument or value first */
	double bytes;     /* of all */
	int parameter;    /* of moments: the class of their parameter; -1 */
} site_class;
typedef struct site_classes {
	int n;
	const site_class *ptr; /* in the order of their first sites */
	const int *of;         /* [n_sites]: the class; -1: none, or the site is fixed */
} site_classes;
void site_classes_of(const plan_subject *s, const plan_sketch *k, arena *mem, site_classes *out);

/* Adds to each class of sites the seconds of the collectives that are attributed to it, on few
 * layers (blame.c). */
void search_blame(const plan_search *w, const plan_trial *t, const site_classes *c, double *seconds);

/* Finds which dimension each axis of the mesh shards; -1: none. */
void sharding_dims_of(const mesh *m, const sharding *s, int *dims);
/* Returns the sharding in which each axis shards this dimension, axes in mesh order; NULL: some
 * dimension cannot be divided. */
const sharding *sharding_by_dims(const plan_subject *s, const mesh *m, const type *t, const int *dims);

/* Coordinate descent from a trial. Each class, in the order of what is sent for it, gets the best
 * of its shardings, again and again, until a sweep gains less than a thousandth, or `budget`
 * evaluations, or a part of these without a gain, have been made. `steepest`: a sweep makes only the
 * best of its changes, which is slower and less often ends in a poor local optimum. */
const plan_trial *search_polish(plan_search *w, const site_classes *c, const plan_trial *from,
                                bool steepest, int64_t budget);

/* Descents from the best plans, as many and as long as seem worthwhile (descents.c): from the best
 * one; if that has few annotations of values, also from the best one that has more, since there is
 * more to change; from the best one of other tactics on another mesh; and for small programs from
 * one without annotations. */
void search_descend(plan_search *w, const site_classes *classes);
/* Descents after the second search (again.c): from the best plan, if it is from the first search;
 * and from what was best without the limit, to where it fits. `n`: how many trials are of the
 * second. */
void search_descend_again(plan_search *w, const site_classes *classes, int n,
                          const plan_trial *unlimited);

/* Returns the trial of a plan that annotates as few classes of values as it can without costing
 * more (minimise.c). */
const plan_trial *search_minimise(plan_search *w, const site_classes *c, const plan_trial *from);

#endif
