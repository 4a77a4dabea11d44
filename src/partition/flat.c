/* flat.c - products of tensors as products of matrices, for XLA's CPU client.
 *
 * It multiplies matrices, also a transposed one by another. Before it does so with tensors it
 * transposes them, if the dimensions that are summed are not last in the first operand: it computes
 * that operand element by element in that order, which takes several times as long. If they come
 * first in both operands, as in the gradient of a weight, the tensors are reshaped to matrices
 * instead, which takes no time. */
#include "partition/local.h"

static bool come_first(const int64_t *dims, int n)
{
	for (int i = 0; i < n; i++)
		if (dims[i] != i)
			return false;
	return n > 0;
}

static bool is_matrix(const value *v) { return v->type->rank == 2; }

/* True if the first n dimensions of the value can be the rows of a matrix. */
static bool has_rows(const value *v, int n)
{
	return v->type->rank > n && v->type->is_static && v->type->elem->kind != TY_QUANT;
}

/* Multiplies the dimensions `from` up to `to`. */
static int64_t count(const type *t, int from, int to)
{
	int64_t n = 1;
	for (int d = from; d < to; d++)
		n *= t->dims[d];
	return n;
}

static value *as_matrix(const builder *b, value *v, int n_rows)
{
	int64_t dims[] = {count(v->type, 0, n_rows), count(v->type, n_rows, v->type->rank)};
	return build_reshape(b, v, dims, COUNT(dims));
}

static void multiply_matrices(module *m, op *o)
{
	dot_dims d;
	value *x = operand(o, 0), *y = operand(o, 1);
	if (!op_dot_dims(m, o, &d) || d.n_batch || !come_first(d.lhs_contract, d.n_contract) ||
	    !come_first(d.rhs_contract, d.n_contract) || !has_rows(x, d.n_contract) ||
	    !has_rows(y, d.n_contract) || (is_matrix(x) && is_matrix(y)))
		return;
	builder b = builder_before(m, o);
	static const int64_t rows = 0;
	value *sides[] = {as_matrix(&b, x, d.n_contract), as_matrix(&b, y, d.n_contract)};
	value *product = build_product_like(&b, o, sides, &rows, &rows, 1);
	const type *t = result(o, 0)->type;
	value_replace_uses(result(o, 0), build_reshape(&b, product, t->dims, t->rank));
	op_erase(o);
}

void flatten_products(module *m)
{
	for (op *o = m->top, *next; o; o = next) {
		next = op_next(o, m->top);
		if (o->kind == OP_DOT_GENERAL)
			multiply_matrices(m, o);
	}
}
