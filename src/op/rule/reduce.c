/* reduce.c - rules of reduce, sort, reduce_window and select_and_scatter. */
#include "op/rule/rule.h"

/* inputs…, initial values… -> results… */
bool rule_reduce(rule_maker *r)
{
	int n = r->o->n_operands / 2, n_dims;
	const int64_t *dims = op_ints(r->m, r->o, N_dimensions, &n_dims);
	if (n < 1 || r->o->n_results != n || !rule_has_shapes(r, n, n))
		return false;
	const type *in = rule_operand_type(r, 0);
	for (int d = 0, out = 0; d < in->rank; d++) {
		bool reduced = rule_lists(dims, n_dims, d);
		int f = rule_factor(r, in->dims[d], reduced ? REDUCE : PASS);
		for (int i = 0; i < n; i++) {
			rule_map_operand(r, i, d, f);
			rule_map_result(r, i, reduced ? NO_DIM : out, f);
		}
		out += !reduced;
	}
	return true;
}

/* The sorted dimension must be whole. If it is the only dimension larger than 1, its sharding is
 * blocked: it could only be gathered anyway. */
bool rule_sort(rule_maker *r)
{
	if (!rule_has_shapes(r, 1, 1))
		return false;
	const type *shape = rule_operand_type(r, 0);
	int64_t sorted = op_int(r->o, N_dimension, -1);
	if (sorted < 0)
		sorted += shape->rank;
	int blocked = BLOCKED;
	for (int d = 0; d < shape->rank; d++)
		if (d != sorted && shape->dims[d] != 1)
			blocked = 0;
	for (int d = 0; d < shape->rank; d++)
		rule_tie_all(r, d == sorted ? REPLICATE | blocked : PASS, shape->dims[d], d);
	return true;
}

/* ---- windows ----------------------------------------------------------------------- */

/* True for a window of one element, with stride 1 and without padding: no window at all. */
static bool window_is_point(const rule_maker *r, int dim)
{
	int n;
	const int64_t *v = op_ints(r->m, r->o, N_padding, &n);
	if (n > 2 * dim + 1 && (v[2 * dim] || v[2 * dim + 1]))
		return false;
	v = op_ints(r->m, r->o, N_window_strides, &n);
	if (n > dim && v[dim] != 1)
		return false;
	v = op_ints(r->m, r->o, N_window_dimensions, &n);
	return n <= dim || v[dim] == 1;
}

/* The input can be split by windows, so the factor has the size of the result. */
bool rule_reduce_window(rule_maker *r)
{
	if (!rule_has_shapes(r, 1, 1))
		return false;
	const type *out = rule_result_type(r, 0);
	int window = r->conservative ? PERMUTE | BLOCKED : PERMUTE;
	for (int d = 0; d < out->rank; d++)
		rule_tie_all(r, window_is_point(r, d) ? PASS : window, out->dims[d], d);
	return true;
}

/* operand, source, initial value -> like operand. The source has one element for each window. */
bool rule_select_and_scatter(rule_maker *r)
{
	if (!rule_has_shapes(r, 2, 1))
		return false;
	const type *out = rule_result_type(r, 0);
	if (rule_operand_type(r, 1)->rank != out->rank)
		return false;
	int blocked = r->conservative ? BLOCKED : 0;
	for (int d = 0; d < out->rank; d++) {
		if (window_is_point(r, d)) {
			rule_tie_all(r, PASS, out->dims[d], d);
		} else {
			rule_tie(r, REPLICATE | blocked, NO_DIM, d, NO_DIM);
			rule_tie_size(r, PERMUTE | blocked, out->dims[d], d, NO_DIM, d);
		}
	}
	return true;
}
