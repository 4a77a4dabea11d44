/* factoring.h - what factorings are made of (factoring.c), for those who choose among them
 * (factoring_decide.c). */
#ifndef TESS_PARTITION_FACTORING_H
#define TESS_PARTITION_FACTORING_H

#include "partition/local.h"

static inline int n_tensors(const sharding_rule *r) { return r->n_operands + r->n_results; }
static inline value *tensor_value(const factoring *f, int t)
{
	return t < f->rule->n_operands ? operand(f->o, t)
	                               : result(f->o, t - f->rule->n_operands);
}
bool tensor_has_factor(const tensor_factors *t, int factor);

/* True if some reduction factor is split. */
bool splits_reduction(const factoring *f);
/* The spread of each operand and result, as the factors are split now; `likely` are those
 * that are looked at first, or NULL. */
const spread **tensor_spreads(const factoring *f, const spread *const *likely);

/* What a spread of tensor t says of each factor; NULL: nothing. */
const digits *project_spread(const factoring *f, int t, const spread *s);
/* Gives the factors what `said` suggests, as far as it does not contradict what stands
 * already.  `order` is of the spread that says it. */
void suggest_factors(factoring *f, const digits *said, const device_order *order);
/* Cuts digits that make no blocks. */
void make_sound(factoring *f);

#endif
