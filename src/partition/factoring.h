/* factoring.h - the parts of factorings (factoring.c) that factoring_decide.c and remake.c use. */
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
/* The spread of each operand and result, as the factors are split now. `likely` are spreads to try
 * first, which saves making them. */
const spread **tensor_spreads(const factoring *f, const spread *const *likely);

/* The digits that a spread of tensor t gives each factor; NULL: none. */
const digits *project_spread(const factoring *f, int t, const spread *s);
/* Gives the factors the digits that `said` suggests, unless they contradict those that factors
 * have. `order` is that of the spread that suggests them. */
void suggest_factors(factoring *f, const digits *said, const device_order *order);
/* Drops digits of compound dimensions that would not cut them into blocks. */
void make_sound(factoring *f);

#endif
