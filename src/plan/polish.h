/* polish.h - the best plans, changed in one place after the other as long as that helps. */
#ifndef TESS_PLAN_POLISH_H
#define TESS_PLAN_POLISH_H

#include "plan/search.h"

/* Sites that a plan treats alike: arguments of one class with the results that are their next state,
 * or values of one class of operations. */
typedef struct site_class {
	int n;
	const int *sites; /* [n] the first argument or value first */
	double bytes;     /* of all */
	int parameter;    /* of moments: the class of the parameter that they are of; -1 */
} site_class;
typedef struct site_classes {
	int n;
	const site_class *ptr; /* in the order of their first sites */
	const int *of;         /* [n_sites] the class; -1: fixed, or of none */
} site_classes;
void site_classes_of(const plan_subject *s, const plan_sketch *k, arena *mem, site_classes *out);

/* Adds the seconds that collectives take for each class of sites, of a few layers (blame.c). */
void search_blame(const plan_search *w, const plan_trial *t, const site_classes *c, double *seconds);

/* Which dimension each axis of the mesh shards; -1: none. */
void sharding_dims_of(const mesh *m, const sharding *s, int *dims);
/* The sharding with axes so, in mesh order; NULL: some dimension is not divided. */
const sharding *sharding_by_dims(const plan_subject *s, const mesh *m, const type *t, const int *dims);

/* Coordinate descent from a trial: classes, those that most is sent for first, take each the best of their shardings, again
 * and again, until a sweep gains less than a thousandth or `budget` evaluations are spent.  `steepest`: a
 * sweep makes only the best of its changes, which is slower and less often ends in a bad place. */
const plan_trial *search_polish(plan_search *w, const site_classes *c, const plan_trial *from,
                                bool steepest, int64_t budget);

/* Descents from the best plans, as many and as long as seem worth while (descents.c): from the best one, also from the
 * best that says more of values if that one says little, since there is more to change; from the best of other tactics
 * on another mesh, and, of small programs, from one that says nothing. */
void search_descend(plan_search *w, const site_classes *classes);

/* The trial of a plan that annotates as few classes of values as it can without costing more
 * (minimise.c). */
const plan_trial *search_minimise(plan_search *w, const site_classes *c, const plan_trial *from);

#endif
