/* swapped.c - multiplies in the other order what is transposed afterwards.
 *
 * Autodiff computes the gradient of a weight in the order of the product's operands and transposes
 * it. XLA would multiply in the other order itself, but not if a collective of the partitioner is in
 * between; and for operands of more than two dimensions it does so too late: its CPU client has
 * transposed the gradient of the activations by then, and computes it element by element in that
 * order, which takes several times as long. */
#include "partition/local.h"

/* The attribute with the dimension along which a collective splits or joins; 0: it has none. */
static int dim_attribute(const op *o)
{
	static const int known[] = {N_all_gather_dim, N_scatter_dimension};
	for (int i = 0; i < COUNT(known); i++)
		if (op_attr(o, known[i]))
			return known[i];
	return 0;
}

static bool completes(const op *o)
{
	return o->n_operands == 1 && o->n_results == 1 &&
	       (op_is_device_reduction(o) || dim_attribute(o));
}

/* Returns the product that is transposed, after collectives that complete it; NULL if it is not that
 * of the operands in the other order, or something else reads it. */
static op *product_behind(const module *m, op *transpose)
{
	op *o = transpose;
	do {
		value *v = operand(o, 0);
		o = value_has_one_use(v) ? value_def(v) : NULL;
	} while (o && completes(o));
	return o && op_swaps_product(m, transpose, o) ? o : NULL;
}

static void transpose_collective(module *m, op *o, const int64_t *order)
{
	value *v = result(o, 0);
	int64_t *dims = NEW_N(&m->ctx->scratch, int64_t, v->type->rank);
	int which = dim_attribute(o), along = which ? (int)op_int(o, which, 0) : -1;
	for (int d = 0; d < v->type->rank; d++) {
		dims[d] = v->type->dims[order[d]];
		if (order[d] == along)
			op_set_attr(m, o, which, attr_i64(m->ctx, d));
	}
	v->type = type_with_dims(m->ctx, v->type, dims, v->type->rank);
}

static void swap(module *m, op *transpose, op *product)
{
	int n;
	const int64_t *order = op_ints(m, transpose, N_permutation, &n);
	builder b = builder_before(m, product);
	for (op *o = result(product, 0)->uses->owner; o != transpose; o = result(o, 0)->uses->owner)
		transpose_collective(m, o, order);
	value_replace_uses(result(product, 0), build_swapped_product(&b, product));
	value_replace_uses(result(transpose, 0), operand(transpose, 0));
	op_erase(transpose);
	op_erase(product);
}

void swap_products(module *m)
{
	for (op *o = m->top, *next; o; o = next) {
		next = op_next(o, m->top);
		op *product = o->kind == OP_TRANSPOSE ? product_behind(m, o) : NULL;
		if (product)
			swap(m, o, product);
	}
}
