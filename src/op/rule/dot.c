/* dot.c - rules of products: dot, dot_general, convolution. */
#include "op/rule/rule.h"

static bool is_free(const int64_t *batch, int n_batch, const int64_t *contract, int n_contract,
                    int64_t dim)
{
	return !rule_lists(batch, n_batch, dim) && !rule_lists(contract, n_contract, dim);
}

/* lhs[B,M,K] x rhs[B,N,K] -> [B,M,N], in any dimension order. K is summed: sharding it is allowed
 * and leaves a partial result. */
bool rule_dot(rule_maker *r)
{
	dot_dims d;
	if (!op_dot_dims(r->m, r->o, &d))
		return false;
	int lhs = rule_operand_type(r, 0)->rank, rhs = rule_operand_type(r, 1)->rank;
	int out = 0, n_batch = d.n_batch, n_contract = d.n_contract;
	if (rule_result_type(r, 0)->rank != lhs + rhs - n_batch - 2 * n_contract)
		return false;

	for (int i = 0; i < n_batch; i++)
		rule_tie(r, PASS, d.lhs_batch[i], d.rhs_batch[i], out++);
	for (int i = 0; i < lhs; i++)
		if (is_free(d.lhs_batch, n_batch, d.lhs_contract, n_contract, i))
			rule_tie(r, PASS, i, NO_DIM, out++);
	for (int i = 0; i < rhs; i++)
		if (is_free(d.rhs_batch, n_batch, d.rhs_contract, n_contract, i))
			rule_tie(r, PASS, NO_DIM, i, out++);
	for (int i = 0; i < n_contract; i++)
		rule_tie(r, REDUCE, d.lhs_contract[i], d.rhs_contract[i], NO_DIM);
	return true;
}

/* ---- convolution ------------------------------------------------------------------- */

/* A spatial dimension of the input can be split by windows (with the output) or within the window
 * (with the kernel). The larger of the two factors comes first; together they are no larger than
 * the input. */
static void tie_spatial(rule_maker *r, const conv_dims *d, int i)
{
	int64_t in = d->in_spatial[i], kernel = d->k_spatial[i], out = d->out_spatial[i];
	int64_t windows = rule_result_type(r, 0)->dims[out];
	int64_t window = rule_operand_type(r, 1)->dims[kernel];
	int64_t left = rule_operand_type(r, 0)->dims[in];
	bool windows_first = windows >= window;

	for (int step = 0; step < 2; step++) {
		bool by_windows = (step == 0) == windows_first;
		int64_t size = min_i64(left, by_windows ? windows : window);
		if (size <= 1)
			continue;
		if (by_windows)
			rule_tie_size(r, PERMUTE, size, in, NO_DIM, out);
		else
			rule_tie_size(r, REDUCE, size, in, kernel, NO_DIM);
		left /= size;
	}
}

bool rule_convolution(rule_maker *r)
{
	conv_dims d;
	if (!op_conv_dims(r->m, r->o, &d))
		return false;
	const type *kernel = rule_operand_type(r, 1), *out = rule_result_type(r, 0);

	if (d.batch_groups > 1)
		rule_tie_size(r, PASS, d.batch_groups, d.in_batch, d.k_out, d.out_feature);
	rule_tie_size(r, PASS, out->dims[d.out_batch], d.in_batch, NO_DIM, d.out_batch);
	for (int i = 0; i < d.n_spatial && !r->conservative; i++)
		tie_spatial(r, &d, i);
	if (d.feature_groups > 1)
		rule_tie_size(r, PASS, d.feature_groups, d.in_feature, d.k_out, d.out_feature);
	rule_tie_size(r, REDUCE, kernel->dims[d.k_in], d.in_feature, d.k_in, NO_DIM);
	int64_t groups = d.batch_groups > 1 ? d.batch_groups : d.feature_groups;
	if (out->dims[d.out_feature] / groups > 1)
		rule_tie_size(r, PASS, out->dims[d.out_feature] / groups, NO_DIM, d.k_out,
		              d.out_feature);
	return true;
}
