/* elementwise.c - rules of elementwise ops, and of ops that differ from these in a dimension or
 * two. */
#include "op/rule/rule.h"

bool rule_elementwise(rule_maker *r)
{
	return r->o->n_results > 0 && rule_pointwise(r, rule_result_type(r, 0));
}

/* `min` and `max` may be scalars. */
bool rule_clamp(rule_maker *r)
{
	return rule_has_shapes(r, 3, 1) && rule_pointwise(r, rule_operand_type(r, 1));
}

/* `pred` may be a scalar, which every device has. */
bool rule_select(rule_maker *r)
{
	return rule_has_shapes(r, 3, 1) && rule_pointwise(r, rule_result_type(r, 0));
}

/* A dimension that means something else before and after: whole on both sides. */
static void tie_apart(rule_maker *r, int64_t dim)
{
	rule_tie_operands(r, REPLICATE, rule_operand_type(r, 0)->dims[dim], dim);
	rule_tie_results(r, REPLICATE, rule_result_type(r, 0)->dims[dim], dim);
}

/* All dimensions but `a` and `b` pass through; these two are apart. */
static bool rule_apart(rule_maker *r, int64_t a, int64_t b)
{
	if (!rule_has_shapes(r, 1, 1))
		return false;
	const type *in = rule_operand_type(r, 0);
	if (in->rank != rule_result_type(r, 0)->rank || a < 0 || a >= in->rank || b < 0 ||
	    b >= in->rank)
		return false;
	for (int d = 0; d < in->rank; d++)
		if (d != a && d != b)
			rule_tie_all(r, PASS, in->dims[d], d);
	tie_apart(r, a);
	if (a != b)
		tie_apart(r, b);
	return true;
}

bool rule_all_gather(rule_maker *r)
{
	int64_t dim = op_int(r->o, N_all_gather_dim, -1);
	return rule_apart(r, dim, dim);
}

bool rule_reduce_scatter(rule_maker *r)
{
	int64_t dim = op_int(r->o, N_scatter_dimension, -1);
	return rule_apart(r, dim, dim);
}

bool rule_all_to_all(rule_maker *r)
{
	return rule_apart(r, op_int(r->o, N_split_dimension, -1),
	                  op_int(r->o, N_concat_dimension, -1));
}
