/* strategy.h - the ways in which devices can divide the work of an operation. */
#ifndef TESS_PLAN_STRATEGY_H
#define TESS_PLAN_STRATEGY_H

#include "plan/model/layout.h"
#include "plan/model/works.h"

/* One way: the factor that each axis divides. */
typedef struct strategy {
	int8_t factor[PLAN_AXES]; /* of the op's rule; -1: none; -2: its operands are terms of
				   * sums, and so is its result */
	double seconds;           /* of one run of the op itself */
} strategy;

/* All ways to divide one operation, and the layouts of its operands and results in each. */
typedef struct strategies {
	int n, n_operands, n_results;
	const strategy *ptr;
	const plan_layout *layouts; /* [n][n_operands + n_results] */
} strategies;

static inline plan_layout strategy_layout(const strategies *s, int i, int tensor)
{
	return s->layouts[i * (s->n_operands + s->n_results) + tensor];
}

/* What some axes do is given: factors or dimensions by axis, AXIS_FREE for the others. */
enum { AXIS_FREE = INT8_MIN };
typedef struct settled_axes {
	int8_t at[PLAN_AXES];
} settled_axes;
static inline settled_axes all_axes_free(void)
{
	return (settled_axes){{AXIS_FREE, AXIS_FREE, AXIS_FREE, AXIS_FREE}};
}

/* `r`: the op's rule; NULL: it is computed whole on every device. `w`: its work. Dimensions are
 * divided evenly, or with little padding. If what is given is impossible, or a tensor has too many
 * dimensions for a layout, everything is whole. */
void strategies_of(pricer *p, const op *o, const sharding_rule *r, const class_work *w,
                   settled_axes settled, strategies *out);

/* Finds the layouts in which a tensor can be stored: only evenly divided ones. Returns how many
 * there are. */
int layouts_of(pricer *p, const type *t, settled_axes settled, const plan_layout **out);

#endif
