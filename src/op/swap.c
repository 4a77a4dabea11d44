/* swap.c - products of matrices in the other order.
 *
 * (A B)^T = B^T A^T: what is transposed after a dot_general may be another dot_general of the same
 * operands, which does not need a transposition. */
#include "op/build.h"
#include "op/op.h"

/* True if the operands are treated alike, so that either can be the first one. */
static bool treats_alike(const op *product)
{
	const attr *precision = op_attr(product, N_precision_config);
	return !op_attr(product, N_algorithm) &&
	       (!precision || precision->n < 2 || precision->list[0] == precision->list[1]) &&
	       operand(product, 0)->type->elem->kind != TY_QUANT &&
	       operand(product, 1)->type->elem->kind != TY_QUANT;
}

bool op_swaps_product(const module *m, const op *transpose, const op *product)
{
	dot_dims d;
	int n;
	const int64_t *order = op_ints(m, transpose, N_permutation, &n);
	if (product->kind != OP_DOT_GENERAL || !op_dot_dims(m, product, &d) || d.n_batch ||
	    !treats_alike(product))
		return false;
	int n_first = operand(product, 0)->type->rank - d.n_contract;
	for (int i = 0; i < n; i++)
		if (order[i] != (i + n_first) % n)
			return false;
	return n_first > 0 && n_first < n;
}

value *build_swapped_product(const builder *b, const op *product)
{
	dot_dims d;
	tess_ctx *ctx = b->m->ctx;
	if (!op_dot_dims(b->m, product, &d))
		return NULL;
	const type *t = result(product, 0)->type;
	int n_first = operand(product, 0)->type->rank - d.n_contract;
	int64_t *dims = NEW_N(&ctx->scratch, int64_t, t->rank);
	for (int i = 0; i < t->rank; i++)
		dims[i] = t->dims[(i + n_first) % t->rank];
	const name *names[] = {name_known(ctx, N_lhs_contracting_dimensions),
	                       name_known(ctx, N_rhs_contracting_dimensions)};
	const attr *list[] = {attr_i64_array(ctx, d.rhs_contract, d.n_contract),
	                      attr_i64_array(ctx, d.lhs_contract, d.n_contract)};
	const attr *numbers = attr_of(ctx, &(attr){.kind = AT_STRUCT,
	                                           .text = op_attr(product, N_dot_dimension_numbers)->text,
	                                           .n = COUNT(list),
	                                           .list = list,
	                                           .names = names});
	value *operands[] = {operand(product, 1), operand(product, 0)};
	t = type_with_dims(ctx, t, dims, t->rank);
	op *swapped = build_like(b, product, operands, 2, &t);
	op_set_attr(b->m, swapped, N_dot_dimension_numbers, numbers);
	return result(swapped, 0);
}
