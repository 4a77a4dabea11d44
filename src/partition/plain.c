/* plain.c - collectives in the form that every reader takes.
 *
 * StableHLO lets a collective have several operands, each of which is treated for itself.  XLA
 * takes an all_to_all of several operands for another operation (operand i goes to device i), and
 * its partitioner and CPU backend fail on others.  So in a program that is printed each has one.
 *
 * A collective of a value without elements moves nothing, and StableHLO refuses some: such values
 * are constants. */
#include "partition/local.h"

/* ---- values without elements ------------------------------------------------------------- */

static value *empty_constant(module *m, op *before, const type *t)
{
	op *c = op_make(m, OP_CONSTANT, NULL, 0, &t, 1, 0);
	op_set_attr(m, c, N_value, attr_dense(m->ctx, t, NULL, 0, false));
	op_set_loc(m, c, op_loc(before));
	op_insert_before(before, c);
	return result(c, 0);
}

/* A constant has plain elements. */
static value *empty_value(module *m, op *before, const type *t)
{
	if (t->elem->kind != TY_QUANT)
		return empty_constant(m, before, t);
	const type *plain = type_tensor(m->ctx, t->elem->quant->expressed, t->dims, t->rank);
	value *number = empty_constant(m, before, plain);
	op *o = op_make(m, OP_UNIFORM_QUANTIZE, &number, 1, &t, 1, 0);
	op_set_loc(m, o, op_loc(before));
	op_insert_before(before, o);
	return result(o, 0);
}

static bool is_empty(const value *v)
{
	return type_is_tensor(v->type) && v->type->is_static && !v->type->n_elems;
}

static bool has_empty_result(const op *o)
{
	for (int i = 0; i < o->n_results; i++)
		if (is_empty(result(o, i)))
			return true;
	return false;
}

/* ---- several operands ---------------------------------------------------------------------- */

/* Operand i gives result i, whatever the others are. */
static bool is_separable(const op *o)
{
	switch (o->kind) {
	case OP_ALL_GATHER:
	case OP_ALL_REDUCE:
	case OP_ALL_TO_ALL:
	case OP_COLLECTIVE_BROADCAST:
	case OP_COLLECTIVE_PERMUTE:
	case OP_COLLECTIVE_REDUCE:
	case OP_REDUCE_SCATTER: return true;
	default: return false;
	}
}

/* Element i of a vector, as a vector: has_dynamic_root has a root for each operand. */
static value *dynamic_root_of(module *m, op *before, value *roots, int i)
{
	const int64_t start = i, limit = i + 1, stride = 1;
	const type *t = type_with_dims(m->ctx, roots->type, &stride, 1);
	op *o = op_make(m, OP_SLICE, &roots, 1, &t, 1, 0);
	op_set_attr(m, o, N_start_indices, attr_i64_array(m->ctx, &start, 1));
	op_set_attr(m, o, N_limit_indices, attr_i64_array(m->ctx, &limit, 1));
	op_set_attr(m, o, N_strides, attr_i64_array(m->ctx, &stride, 1));
	op_set_loc(m, o, op_loc(before));
	op_insert_before(before, o);
	return result(o, 0);
}

/* The collective of operand i alone, before `o`. */
static value *collective_of(module *m, op *o, int i)
{
	bool has_root = op_bool(o, N_has_dynamic_root);
	value *in[2] = {operand(o, i)};
	if (has_root)
		in[1] = dynamic_root_of(m, o, operand(o, o->n_operands - 1), i);
	const type *t = result(o, i)->type;
	op *one = op_make(m, (op_kind)o->kind, in, 1 + has_root, &t, 1, op_n_regions(o));
	one->attrs = module_attrs(m, o->attrs.ptr, o->attrs.n);
	op_set_loc(m, one, op_loc(o));
	ptr_map map = {0};
	op *copy = op_n_regions(o) ? op_clone(m, o, &map, &m->ctx->scratch) : NULL;
	for (int r = 0; r < op_n_regions(o); r++)
		region_take(op_region(one, r), op_region(copy, r));
	if (copy)
		op_erase(copy);
	op_insert_before(o, one);
	return result(one, 0);
}

static void take_apart(module *m, op *o)
{
	for (int i = 0; i < o->n_results; i++) {
		value *v = result(o, i);
		value_replace_uses(v, is_empty(v) ? empty_value(m, o, v->type)
		                                  : collective_of(m, o, i));
	}
	op_erase(o);
}

void plain_collectives(module *m, bool separate)
{
	for (op *o = m->top, *next; o; o = next) {
		next = op_next(o, m->top);
		if (!is_separable(o) || !(has_empty_result(o) || (separate && o->n_results > 1)))
			continue;
		next = op_skip(o, m->top);
		take_apart(m, o);
	}
}
