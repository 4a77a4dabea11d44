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
	if (!op_dot_dims(b->m, product, &d))
		return NULL;
	value *sides[] = {operand(product, 1), operand(product, 0)};
	return build_product_like(b, product, sides, d.rhs_contract, d.lhs_contract, d.n_contract);
}

static void push_kept(int64_t *dims, int *rank, const type *t, const int64_t *contract, int n)
{
	for (int d = 0; d < t->rank; d++)
		if (!dim_listed(contract, n, d))
			dims[(*rank)++] = t->dims[d];
}

value *build_product_like(const builder *b, const op *product, value *const *sides,
                          const int64_t *lhs_contract, const int64_t *rhs_contract, int n)
{
	tess_ctx *ctx = b->m->ctx;
	int rank = 0;
	const type *x = sides[0]->type, *y = sides[1]->type;
	int64_t *dims = NEW_N(&ctx->scratch, int64_t, x->rank + y->rank);
	push_kept(dims, &rank, x, lhs_contract, n);
	push_kept(dims, &rank, y, rhs_contract, n);
	const ints_field numbers[] = {{N_lhs_contracting_dimensions, lhs_contract, n},
	                              {N_rhs_contracting_dimensions, rhs_contract, n}};
	const type *t = type_with_dims(ctx, result(product, 0)->type, dims, rank);
	op *o = build_like(b, product, sides, 2, &t);
	op_set_attr(b->m, o, N_dot_dimension_numbers,
	            struct_of_ints(ctx, "stablehlo.dot", numbers, COUNT(numbers)));
	return result(o, 0);
}
