/* view.c - ops that only describe the same memory differently.
 *
 * A transpose, slice, broadcast or reversal is an offset and strides; a reshape keeps the memory if
 * its dimensions can be split and merged. A consumer that cannot handle strides asks for a dense
 * copy, which is then planned once. */
#include "exec/steps/host.h"

/* A new binding to the operand's memory, whose strides are to be changed. */
static binding *view_new(exec_plan *p, const op *o, int64_t **strides)
{
	const binding *from = bound(p, operand(o, 0));
	binding *b = &p->bind[result(o, 0)->id];
	*b = *from;
	b->constant = NULL;
	*strides = NEW_N(&p->mem, int64_t, result(o, 0)->type->rank);
	b->strides = *strides;
	return b;
}

static const int64_t *strides_in(exec_plan *p, const op *o)
{
	return tensor_of(p, operand(o, 0)->type, bound(p, operand(o, 0))).strides;
}

bool plan_broadcast_in_dim(exec_plan *p, const op *o)
{
	int n;
	const int64_t *at = op_ints(p->m, o, N_broadcast_dimensions, &n);
	const type *in = operand(o, 0)->type, *out = result(o, 0)->type;
	if (n != in->rank)
		return plan_error(p, o, "broadcast_dimensions do not fit the operand");
	const int64_t *from = strides_in(p, o);
	int64_t *to;
	view_new(p, o, &to);
	for (int i = 0; i < n; i++) {
		if (at[i] < 0 || at[i] >= out->rank)
			return plan_error(p, o, "broadcast_dimensions do not fit the result");
		to[at[i]] = in->dims[i] == 1 ? 0 : from[i];
	}
	return true;
}

bool plan_transpose(exec_plan *p, const op *o)
{
	int n;
	const int64_t *perm = op_ints(p->m, o, N_permutation, &n);
	if (n != operand(o, 0)->type->rank)
		return plan_error(p, o, "the permutation does not fit the operand");
	const int64_t *from = strides_in(p, o);
	int64_t *to;
	view_new(p, o, &to);
	for (int i = 0; i < n; i++) {
		if (perm[i] < 0 || perm[i] >= n)
			return plan_error(p, o, "the permutation does not fit the operand");
		to[i] = from[perm[i]];
	}
	return true;
}

bool plan_slice(exec_plan *p, const op *o)
{
	int n, n_strides, n_limits;
	const int64_t *start = op_ints(p->m, o, N_start_indices, &n);
	const int64_t *limit = op_ints(p->m, o, N_limit_indices, &n_limits);
	const int64_t *step_by = op_ints(p->m, o, N_strides, &n_strides);
	const type *in = operand(o, 0)->type;
	if (n != in->rank || n_limits != n || (n_strides >= 0 && n_strides != n))
		return plan_error(p, o, "the slice does not fit the operand");
	const int64_t *from = strides_in(p, o);
	int64_t *to;
	binding *b = view_new(p, o, &to);
	for (int i = 0; i < n; i++) {
		if (start[i] < 0 || limit[i] > in->dims[i] || start[i] > limit[i])
			return plan_error(p, o, "the slice leaves the operand");
		to[i] = from[i] * (n_strides >= 0 ? step_by[i] : 1);
		b->offset += start[i] * from[i];
	}
	if (!result(o, 0)->type->n_elems)
		b->offset = 0;
	return true;
}

bool plan_reverse(exec_plan *p, const op *o)
{
	int n;
	const int64_t *dims = op_ints(p->m, o, N_dimensions, &n);
	const type *in = operand(o, 0)->type;
	const int64_t *from = strides_in(p, o);
	int64_t *to;
	binding *b = view_new(p, o, &to);
	for (int i = 0; i < in->rank; i++)
		to[i] = from[i];
	for (int i = 0; i < n; i++) {
		if (dims[i] < 0 || dims[i] >= in->rank)
			return plan_error(p, o, "the dimensions do not fit the operand");
		b->offset += in->n_elems ? (in->dims[dims[i]] - 1) * from[dims[i]] : 0;
		to[dims[i]] = -from[dims[i]];
	}
	return true;
}

/* Finds strides of `to` over the memory of `from`: runs of dimensions with equal products are split
 * and merged; merging needs even strides. @return false if a copy is needed. */
static bool reshape_strides(const type *from, const int64_t *strides, const type *to, int64_t *out)
{
	int i = 0, k = 0;
	while (i < from->rank || k < to->rank) {
		int i0 = i, k0 = k;
		int64_t a = i < from->rank ? from->dims[i++] : 1;
		int64_t b = k < to->rank ? to->dims[k++] : 1;
		while (a != b) {
			if (a < b && i < from->rank)
				a *= from->dims[i++];
			else if (k < to->rank)
				b *= to->dims[k++];
			else
				return false;
		}
		while (i < from->rank && from->dims[i] == 1)
			i++;
		while (k < to->rank && to->dims[k] == 1)
			k++;
		int64_t inner = 0, extent = 1;
		for (int d = i - 1; d >= i0; d--) {
			if (from->dims[d] == 1)
				continue;
			if (extent == 1)
				inner = strides[d];
			else if (strides[d] != inner * extent)
				return false;
			extent *= from->dims[d];
		}
		for (int d = k - 1; d >= k0; d--) {
			out[d] = inner;
			inner *= to->dims[d];
		}
	}
	return true;
}

bool plan_reshape(exec_plan *p, const op *o)
{
	const type *in = operand(o, 0)->type, *out = result(o, 0)->type;
	if (in->n_elems != out->n_elems)
		return plan_error(p, o, "the operand has another number of elements");
	const binding *from = bound(p, operand(o, 0));
	binding *b = &p->bind[result(o, 0)->id];
	int64_t *strides = NEW_N(&p->mem, int64_t, out->rank);
	if (from->strides && in->n_elems && reshape_strides(in, from->strides, out, strides)) {
		*b = *from;
		b->strides = strides;
	} else {
		*b = *bound_dense(p, operand(o, 0));
	}
	b->constant = NULL;
	return true;
}

/* ---- constants -------------------------------------------------------------------------- */

bool plan_constant(exec_plan *p, const op *o)
{
	const attr *a = op_attr(o, N_value);
	if (!a || a->kind != AT_DENSE)
		return plan_unsupported(p, o, "a constant that is not dense is");
	p->bind[result(o, 0)->id] = constant_binding(p, a);
	return true;
}

bool plan_dimension_size(exec_plan *p, const op *o)
{
	int64_t d = op_int(o, N_dimension, -1);
	const type *in = operand(o, 0)->type;
	if (d < 0 || d >= in->rank)
		return plan_error(p, o, "the operand has no such dimension");
	int32_t *size = NEW(&p->mem, int32_t);
	*size = (int32_t)in->dims[d];
	slot *s = slot_new(p, result(o, 0)->type, p->classes.uniform);
	s->kind = IN_CONST;
	s->data = size;
	bind_slot(p, result(o, 0), s);
	return true;
}

/* ---- tuples, barriers ---------------------------------------------------------------------- */

bool plan_tuple(exec_plan *p, const op *o)
{
	binding *items = NEW_N(&p->mem, binding, o->n_operands);
	for (int i = 0; i < o->n_operands; i++)
		items[i] = *bound(p, operand(o, i));
	p->bind[result(o, 0)->id] = (binding){.items = items, .cls = p->classes.uniform};
	return true;
}

bool plan_get_tuple_element(exec_plan *p, const op *o)
{
	const binding *b = bound(p, operand(o, 0));
	int64_t i = op_int(o, N_index, -1);
	if (!b->items || i < 0 || i >= operand(o, 0)->type->n_in)
		return plan_unsupported(p, o, "an element of such a tuple is");
	p->bind[result(o, 0)->id] = b->items[i];
	return true;
}

bool plan_same(exec_plan *p, const op *o)
{
	for (int i = 0; i < o->n_results; i++)
		p->bind[result(o, i)->id] = *bound(p, operand(o, i));
	return true;
}
