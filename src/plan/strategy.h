/* strategy.h - the ways in which devices can divide the work of an operation. */
#ifndef TESS_PLAN_STRATEGY_H
#define TESS_PLAN_STRATEGY_H

#include "plan/layout.h"

/* One way: what each axis divides. */
typedef struct strategy {
	int8_t factor[PLAN_AXES]; /* of the op's rule; -1: nothing; -2: its operands are terms of sums, and
	                           * so is its result */
	double seconds;           /* of the op's own work, one run */
} strategy;

/* All ways of one operation, and the layouts that they need and give. */
typedef struct strategies {
	int n, n_operands, n_results;
	const strategy *ptr;
	const plan_layout *layouts; /* [n][n_operands + n_results] */
} strategies;

static inline plan_layout strategy_layout(const strategies *s, int i, int tensor)
{
	return s->layouts[i * (s->n_operands + s->n_results) + tensor];
}

/* `r`: the op's rule; NULL: it is computed whole on every device.  `k`: its work, or NULL.  Dimensions
 * are divided evenly, or with little padding. */
void strategies_of(pricer *p, const op *o, const sharding_rule *r, const cluster *k, strategies *out);

/* The layouts in which a tensor can be stored: evenly divided only.  Returns how many. */
int layouts_of(pricer *p, const type *t, const plan_layout **out);

#endif
