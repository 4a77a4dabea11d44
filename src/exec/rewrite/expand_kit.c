/* expand_kit.c - building blocks of expansions: new ops, and replacing the old one. */
#include "exec/rewrite/expand.h"

/* ---- replacing an op ------------------------------------------------------------------------ */

bool expand_done_all(expander *e, op *o, value *const *by)
{
	UNUSED(e);
	for (int i = 0; i < o->n_results; i++)
		if (by[i] != result(o, i))
			value_replace_uses(result(o, i), by[i]);
	op_erase(o);
	return true;
}

bool expand_done(expander *e, op *o, value *by) { return expand_done_all(e, o, &by); }

/* ---- new ops ---------------------------------------------------------------------------- */

value *expand_splat(expander *e, const type *t, double v)
{
	unsigned char data[16] = {0};
	elem_put(t->dtype, data, v);
	return build_constant(&e->b,
	                      attr_dense(e->ctx, t, data, (size_t)dtype_bytes(t->dtype), true));
}

value *expand_sum(expander *e, value *v, const int64_t *dims, int n)
{
	value *zero = expand_splat(e, type_with_dims(e->ctx, v->type, NULL, 0), 0);
	return build_reduce(&e->b, OP_ADD, v, zero, dims, n);
}

value *expand_dot(expander *e, value *a, value *b, const dot_dims *d, const type *t)
{
	const ints_field fields[] = {
		{N_lhs_batching_dimensions, d->lhs_batch, d->n_batch},
		{N_rhs_batching_dimensions, d->rhs_batch, d->n_batch},
		{N_lhs_contracting_dimensions, d->lhs_contract, d->n_contract},
		{N_rhs_contracting_dimensions, d->rhs_contract, d->n_contract}};
	value *v = build(&e->b, OP_DOT_GENERAL, (value *[]){a, b}, 2, t);
	op_set_attr(e->b.m, value_def(v), N_dot_dimension_numbers,
	            struct_of_ints(e->ctx, "stablehlo.dot", fields, COUNT(fields)));
	return v;
}
