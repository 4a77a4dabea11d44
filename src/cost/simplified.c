/* simplified.c - rewrites, before fusion, what compilers write differently, where costs depend on
 * it.
 *
 * A product whose result is only transposed is the product of its operands in the other order;
 * gradients of weights are such products. A division by a smaller value, repeated, is a
 * multiplication by the repeated inverse of that value. The maximum with minus infinity is its
 * other operand. Padding of no width, and a slice that is the whole, change nothing, and a
 * repetition that only adds dimensions of size 1 is a reshape. */
#include "cost/cost.h"

#include <math.h>

/* ---- transposed products -------------------------------------------------------------------- */

static void swap_product(module *m, op *transpose)
{
	op *product = value_def_of(operand(transpose, 0), OP_DOT_GENERAL);
	if (!product || !value_has_one_use(operand(transpose, 0)) ||
	    !op_swaps_product(m, transpose, product))
		return;
	builder b = builder_before(m, product);
	value_replace_uses(result(transpose, 0), build_swapped_product(&b, product));
	op_erase(transpose);
	op_erase(product);
}

/* ---- element by element -------------------------------------------------------------------- */

static void multiply_by_inverse(module *m, op *o)
{
	op *repeat = value_def_of(operand(o, 1), OP_BROADCAST_IN_DIM);
	const type *t = o->results[0].type;
	value *divisor = repeat ? operand(repeat, 0) : NULL;
	if (!divisor || !dtype_is_float(t->dtype) || !t->is_static || divisor->type->n_elems <= 1 ||
	    divisor->type->n_elems >= t->n_elems)
		return;
	builder b = builder_before(m, o);
	value *one = build_zeros(&b, divisor->type); /* its value costs nothing */
	value *inverse = build_binary(&b, OP_DIVIDE, one, divisor);
	op *again = build_like(&b, repeat, &inverse, 1, &t);
	value_replace_uses(result(o, 0),
	                   build_binary(&b, OP_MULTIPLY, operand(o, 0), result(again, 0)));
	op_erase(o);
	if (value_unused(result(repeat, 0)))
		op_erase(repeat);
}

/* True for minus infinity, repeated or not. */
static bool is_least(const value *v)
{
	const op *o = value_def(v);
	if (o && o->kind == OP_BROADCAST_IN_DIM)
		o = value_def(operand(o, 0));
	const attr *a = o && o->kind == OP_CONSTANT ? op_attr(o, N_value) : NULL;
	return a && a->kind == AT_DENSE && a->splat && dtype_is_float(a->type->dtype) &&
	       attr_dense_float(a, 0) == -INFINITY;
}

static void drop_maximum(module *m, op *o)
{
	UNUSED(m);
	for (int i = 0; i < 2; i++)
		if (is_least(operand(o, i)) && operand(o, 1 - i)->type == o->results[0].type) {
			value_replace_uses(result(o, 0), operand(o, 1 - i));
			op_erase(o);
			return;
		}
}

/* ---- what changes nothing -------------------------------------------------------------------- */

/* Removes a slice that is the whole, and padding of no width. */
static void drop_if_same(module *m, op *o)
{
	static const int widths[] = {N_edge_padding_low, N_interior_padding};
	for (int k = 0; o->kind == OP_PAD && k < COUNT(widths); k++) {
		int n;
		const int64_t *width = op_ints(m, o, widths[k], &n);
		for (int i = 0; i < n; i++)
			if (width[i])
				return;
	}
	if (operand(o, 0)->type != o->results[0].type || !o->results[0].type->is_static)
		return;
	value_replace_uses(result(o, 0), operand(o, 0));
	op_erase(o);
}

/* A repetition that only adds dimensions of size 1 is a reshape. */
static void repeat_as_reshape(module *m, op *o)
{
	int n;
	const type *in = operand(o, 0)->type, *out = o->results[0].type;
	const int64_t *dims = op_ints(m, o, N_broadcast_dimensions, &n);
	if (!in->is_static || !out->is_static || in->n_elems != out->n_elems)
		return;
	for (int i = 1; i < n; i++)
		if (dims[i] <= dims[i - 1])
			return;
	builder b = builder_before(m, o);
	value *v = operand(o, 0);
	value_replace_uses(result(o, 0), build(&b, OP_RESHAPE, &v, 1, out));
	op_erase(o);
}

void program_simplify(module *m)
{
	static void (*const simplify[OP_COUNT])(module * m, op * o) = {
		[OP_TRANSPOSE] = swap_product, [OP_DIVIDE] = multiply_by_inverse,
		[OP_MAXIMUM] = drop_maximum,   [OP_SLICE] = drop_if_same,
		[OP_PAD] = drop_if_same,       [OP_BROADCAST_IN_DIM] = repeat_as_reshape,
	};
	for (op *o = op_first_post(m->top), *next; o; o = next) {
		next = op_next_post(o, m->top);
		if (simplify[o->kind])
			simplify[o->kind](m, o);
	}
}
