/* expand_kit.c - what expansions are built with: new ops, and taking the place of an old one. */
#include "exec/rewrite/expand.h"

/* ---- taking an op's place -------------------------------------------------------------- */

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

op *expand_op(expander *e, op_kind kind, value *const *in, int n, const type *const *out, int n_out,
              int n_regions)
{
	op *o = op_make(e->m, kind, in, n, out, n_out, n_regions);
	op_take_place(e->m, o, e->like);
	if (e->at)
		op_insert_before(e->at, o);
	else
		op_append(e->end, o);
	return o;
}

value *expand_one(expander *e, op_kind kind, value *const *in, int n, const type *t)
{
	return result(expand_op(e, kind, in, n, &t, 1, 0), 0);
}

value *expand_unary(expander *e, op_kind kind, value *a)
{
	return expand_one(e, kind, &a, 1, a->type);
}

value *expand_binary(expander *e, op_kind kind, value *a, value *b)
{
	return expand_one(e, kind, (value *[]){a, b}, 2, a->type);
}

value *expand_constant(expander *e, const attr *dense)
{
	value *v = expand_one(e, OP_CONSTANT, NULL, 0, dense->type);
	op_set_attr(e->m, value_def(v), N_value, dense);
	return v;
}

value *expand_splat(expander *e, const type *t, double v)
{
	unsigned char data[16] = {0};
	elem_put(t->dtype, data, v);
	return expand_constant(e, attr_dense(e->ctx, t, data, (size_t)dtype_bytes(t->dtype), true));
}

value *expand_ints(expander *e, dtype t, const int64_t *v, int n)
{
	const int64_t dims[1] = {n};
	int bytes = dtype_bytes(t);
	char *data = NEW_N(e->mem, char, n * bytes + 1);
	for (int i = 0; i < n; i++)
		memcpy(data + i * bytes, &v[i], (size_t)bytes); /* little endian */
	return expand_constant(e, attr_dense(e->ctx, type_tensor(e->ctx, t, dims, 1), data,
	                                     (size_t)(n * bytes), false));
}

value *expand_convert(expander *e, value *v, dtype to)
{
	const type *t = type_of_elem(e->ctx, v->type, to);
	return t == v->type ? v : expand_one(e, OP_CONVERT, &v, 1, t);
}

value *expand_compare(expander *e, const char *direction, value *a, value *b)
{
	value *v = expand_one(e, OP_COMPARE, (value *[]){a, b}, 2,
	                      type_of_elem(e->ctx, a->type, DT_I1));
	op_set_attr(e->m, value_def(v), N_comparison_direction,
	            attr_enum(e->ctx, "stablehlo", "comparison_direction", direction));
	return v;
}

value *expand_select(expander *e, value *which, value *yes, value *no)
{
	return expand_one(e, OP_SELECT, (value *[]){which, yes, no}, 3, yes->type);
}

value *expand_broadcast(expander *e, value *v, const type *t, const int64_t *dims, int n)
{
	value *r = expand_one(e, OP_BROADCAST_IN_DIM, &v, 1, t);
	op_set_attr(e->m, value_def(r), N_broadcast_dimensions, attr_i64_array(e->ctx, dims, n));
	return r;
}

value *expand_fill(expander *e, value *scalar, const type *t)
{
	return t->rank ? expand_broadcast(e, scalar, type_with_elem(e->ctx, t, scalar->type->elem),
	                                  NULL, 0)
	               : scalar;
}

value *expand_reshape(expander *e, value *v, const int64_t *dims, int rank)
{
	const type *t = type_with_dims(e->ctx, v->type, dims, rank);
	return t == v->type ? v : expand_one(e, OP_RESHAPE, &v, 1, t);
}

value *expand_transpose(expander *e, value *v, const int64_t *permutation)
{
	int rank = v->type->rank;
	int64_t *dims = NEW_N(e->mem, int64_t, rank);
	for (int i = 0; i < rank; i++)
		dims[i] = v->type->dims[permutation[i]];
	value *r = expand_one(e, OP_TRANSPOSE, &v, 1, type_with_dims(e->ctx, v->type, dims, rank));
	op_set_attr(e->m, value_def(r), N_permutation, attr_i64_array(e->ctx, permutation, rank));
	return r;
}

value *expand_iota(expander *e, dtype t, const int64_t *dims, int rank, int dim)
{
	value *v = expand_one(e, OP_IOTA, NULL, 0, type_tensor(e->ctx, t, dims, rank));
	op_set_attr(e->m, value_def(v), N_iota_dimension, attr_i64(e->ctx, dim));
	return v;
}

value *expand_sum(expander *e, value *v, const int64_t *dims, int n)
{
	int64_t *rest = NEW_N(e->mem, int64_t, v->type->rank);
	int rank = 0;
	for (int d = 0; d < v->type->rank; d++) {
		bool kept = true;
		for (int i = 0; i < n; i++)
			kept &= dims[i] != d;
		if (kept)
			rest[rank++] = v->type->dims[d];
	}
	const type *t = type_with_dims(e->ctx, v->type, rest, rank);
	const type *scalar = type_with_dims(e->ctx, v->type, NULL, 0);
	value *in[2] = {v, expand_splat(e, scalar, 0)};
	op *o = expand_op(e, OP_REDUCE, in, 2, &t, 1, 1);
	op_set_attr(e->m, o, N_dimensions, attr_i64_array(e->ctx, dims, n));
	block *b = block_new(e->m, op_region(o, 0));
	value *args[2] = {block_add_arg(e->m, b, scalar), block_add_arg(e->m, b, scalar)};
	op *add = op_make(e->m, OP_ADD, args, 2, &scalar, 1, 0);
	op_append(b, add);
	value *sum = result(add, 0);
	op_append(b, op_make(e->m, OP_RETURN, &sum, 1, NULL, 0, 0));
	return result(o, 0);
}

const attr *expand_struct(expander *e, const char *struct_name, const int_field *fields, int n)
{
	const attr **list = NEW_N(e->mem, const attr *, n);
	const name **names = NEW_N(e->mem, const name *, n);
	for (int i = 0; i < n; i++) {
		names[i] = name_known(e->ctx, fields[i].name);
		list[i] = fields[i].n < 0 ? attr_i64(e->ctx, fields[i].v[0])
		                          : attr_i64_array(e->ctx, fields[i].v, fields[i].n);
	}
	return attr_of(e->ctx, &(attr){.kind = AT_STRUCT,
	                               .text = name_of_z(e->ctx, struct_name),
	                               .n = n,
	                               .list = list,
	                               .names = names});
}

value *expand_dot(expander *e, value *a, value *b, const dot_dims *d, const type *t)
{
	const int_field fields[] = {{N_lhs_batching_dimensions, d->lhs_batch, d->n_batch},
	                            {N_rhs_batching_dimensions, d->rhs_batch, d->n_batch},
	                            {N_lhs_contracting_dimensions, d->lhs_contract, d->n_contract},
	                            {N_rhs_contracting_dimensions, d->rhs_contract, d->n_contract}};
	value *v = expand_one(e, OP_DOT_GENERAL, (value *[]){a, b}, 2, t);
	op_set_attr(e->m, value_def(v), N_dot_dimension_numbers,
	            expand_struct(e, "stablehlo.dot", fields, COUNT(fields)));
	return v;
}

op *expand_again(expander *e, const op *o, value *const *in, const type *const *out)
{
	op *copy = expand_op(e, (op_kind)o->kind, in, o->n_operands, out, o->n_results, 0);
	copy->attrs = (attr_list){COPY_N(&e->m->mem, o->attrs.ptr, o->attrs.n), o->attrs.n,
	                          o->attrs.n};
	return copy;
}
