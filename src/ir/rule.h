/* rule.h - an op's sharding rule: which dimensions belong together.
 *
 * Each dimension of each operand and result is made of factors; equal factors are
 * sharded alike.  A matrix product is ([i, k], [k, j]) -> ([i, j]) with k reduced.
 * The same structure is the attribute #sdy.op_sharding_rule<…>. */
#ifndef TESS_IR_RULE_H
#define TESS_IR_RULE_H

#include "base/base.h"

typedef struct dim_factors {
	int n;
	const int *factors; /* major to minor */
} dim_factors;

typedef struct tensor_factors {
	int rank;
	const dim_factors *dims;
} tensor_factors;

typedef struct factor_set {
	int n;
	const int *factors; /* ascending */
} factor_set;

typedef struct sharding_rule {
	int n_factors;
	const int64_t *sizes;
	int n_operands, n_results;
	const tensor_factors *tensors; /* operands, then results */
	/* Every other factor is pass-through. */
	factor_set reduction, need_replication, permutation;
	factor_set blocked; /* propagation along these is blocked */
	bool custom;        /* written by the user: kept by drop-sharding-rules */
} sharding_rule;

static inline const tensor_factors *rule_operand(const sharding_rule *r, int i)
{
	return &r->tensors[i];
}
static inline const tensor_factors *rule_result(const sharding_rule *r, int i)
{
	return &r->tensors[r->n_operands + i];
}
static inline bool factor_in_set(const factor_set *s, int factor)
{
	for (int i = 0; i < s->n; i++)
		if (s->factors[i] == factor)
			return true;
	return false;
}

#endif
