/* expand_custom.c - custom calls that are ops under another name, or a few of them. */
#include "exec/rewrite/expand.h"

bool expand_called(expander *e, const op *call, op *to, int region)
{
	const attr *names = op_attr(call, N_called_computations);
	const attr *first = names && names->kind == AT_ARRAY && names->n ? names->list[0] : NULL;
	const op *f = first && first->text ? module_lookup(e->p->source, first->text) : NULL;
	const block *from = f && op_is_func(f) ? op_body(f) : NULL;
	if (!from || !from->last)
		return plan_error(e->p, call, "called_computations names no function with a body");
	region_copy_block(e->b.m, op_region(to, region), from, OP_RETURN);
	return true;
}

/* ---- the best elements of a dimension ------------------------------------------------------- */

int64_t expand_best_dim(expander *e, const op *o)
{
	const attr *a = custom_option(e->ctx, o, "reduction_dim");
	const type *in = o->n_operands ? operand(o, 0)->type : NULL;
	if (!in || in->kind != TY_TENSOR || !o->n_results || result(o, 0)->type->rank != in->rank)
		return -1;
	int64_t d = a && a->kind == AT_INT ? a->i : in->rank - 1;
	for (int i = 0; i < in->rank && !a; i++)
		if (in->dims[i] != result(o, 0)->type->dims[i])
			d = i;
	return d < in->rank ? d : -1;
}

/* (operands…, initial values…): sorted by the function that the call names, as XLA does if it does
 * not approximate. An exact result meets every recall target. */
bool expand_approx_top_k(expander *e, op *o)
{
	int n = o->n_results;
	int64_t dim = expand_best_dim(e, o);
	if (dim < 0 || o->n_operands < n)
		return plan_error(e->p, o, "takes an operand for each result, of the same rank");
	value **in = NEW_N(e->mem, value *, n), **out = NEW_N(e->mem, value *, n);
	const type **types = NEW_N(e->mem, const type *, n);
	for (int i = 0; i < n; i++) {
		in[i] = operand(o, i);
		types[i] = in[i]->type;
		if (types[i]->rank != types[0]->rank || types[i]->n_elems != types[0]->n_elems ||
		    result(o, i)->type->rank != types[0]->rank)
			return plan_error(e->p, o, "operands and results differ in shape");
		if (result(o, i)->type->dims[dim] > types[0]->dims[dim])
			return plan_error(e->p, o, "asks for more elements than there are");
	}
	op *sort = build_op(&e->b, OP_SORT, in, n, types, n, 1);
	op_set_attr(e->b.m, sort, N_dimension, attr_i64(e->ctx, dim));
	op_set_attr(e->b.m, sort, N_is_stable, attr_bool(e->ctx, true));
	if (!expand_called(e, o, sort, 0))
		return false;
	if (op_body(sort)->n_args != 2 * n || op_body(sort)->last->n_operands != 1)
		return plan_error(e->p, o, "its function does not compare two elements");
	for (int i = 0; i < n; i++)
		out[i] = build_slice(&e->b, result(sort, i), (int)dim, 0,
		                     result(o, i)->type->dims[dim], 1);
	return expand_done_all(e, o, out);
}

/* (operand) -> (values, indices), along the last dimension. */
bool expand_named_top_k(expander *e, op *o)
{
	const attr *largest = custom_option(e->ctx, o, "largest");
	if (o->n_operands != 1 || o->n_results != 2 || !result(o, 0)->type->rank)
		return plan_error(e->p, o, "takes an operand and gives two results");
	if (largest && largest->kind == AT_BOOL && !largest->i)
		return plan_unsupported(e->p, o, "looking for the least elements is");
	value *v = operand(o, 0);
	const type *types[2] = {result(o, 0)->type, result(o, 1)->type};
	op *made = build_op(&e->b, OP_CHLO_TOP_K, &v, 1, types, 2, 0);
	op_set_attr(e->b.m, made, N_k, attr_i64(e->ctx, types[0]->dims[types[0]->rank - 1]));
	return expand_done_all(e, o, (value *[]){result(made, 0), result(made, 1)});
}

/* mhlo.erf and similar targets, which are frequent in older exports. */
bool expand_chlo_by_name(expander *e, op *o)
{
	const char *rest = op_call_target(o) + strlen("mhlo");
	char text[64];
	int kind = OP_UNKNOWN;
	for (int i = 0; i < 2 && kind == OP_UNKNOWN; i++) {
		snprintf(text, sizeof text, "%s%s", i ? "stablehlo" : "chlo", rest);
		kind = op_kind_of(e->ctx, name_of_z(e->ctx, text));
	}
	if (!(op_kind_traits(kind) & ELEMENTWISE) || o->n_results != 1)
		return plan_unsupported(e->p, o, "calling @%s is", op_call_target(o));
	value **in = NEW_N(e->mem, value *, o->n_operands + 1);
	for (int i = 0; i < o->n_operands; i++)
		in[i] = operand(o, i);
	return expand_done(e, o,
	                   build(&e->b, (op_kind)kind, in, o->n_operands, result(o, 0)->type));
}

/* all-gather-start and similar targets: the collective is done at the start. */
bool expand_async_collective(expander *e, op *o)
{
	op *made = async_collective(e->b.m, e->p->source, o);
	if (!made)
		return false;
	op_insert_before(o, made);
	return op_verify(e->b.m, made) && expand_done(e, o, result(made, 0));
}
