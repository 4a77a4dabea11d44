/* view.c - ops that only look at the same memory in another way.
 *
 * A transpose, slice, broadcast or reversal is an offset and strides; a reshape keeps
 * the memory if its dimensions can be split and joined evenly.  A consumer that cannot
 * mind strides asks for a dense copy, which is then planned once. */
#include "exec/steps/host.h"

/* The operand's binding with new strides. */
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

/* Strides of `to` over the memory of `from`: runs of dimensions whose products agree
 * are split and joined; joining needs even strides.  @return false if a copy is
 * needed. */
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

binding constant_binding(exec_plan *p, const attr *a)
{
	slot *s = slot_new(p, a->type, p->classes.uniform);
	s->kind = IN_CONST;
	s->data = a->data;
	binding b = {.slot = s, .cls = s->cls, .constant = a};
	if (a->splat)
		b.strides = NEW_N(&p->mem, int64_t, a->type->rank);
	return b;
}

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

/* ---- copies ---------------------------------------------------------------------------------- */

typedef struct copy_plan {
	int split;              /* the dimension that tiles divide */
	const int64_t *strides; /* of the result */
} copy_plan;

static void run_copy(const step *s, const call *c)
{
	const copy_plan *k = s->params;
	const tensor *from = step_in(s, 0);
	if (c->at[0] == c->at[1])
		return;
	if (!from->rank) {
		memcpy(c->at[1], c->at[0], (size_t)from->bytes);
		return;
	}
	int64_t dims[MAX_RANK], n = from->dims[k->split], begin = tile_begin(s, n, c->tile);
	memcpy(dims, from->dims, sizeof *dims * (size_t)from->rank);
	dims[k->split] = tile_begin(s, n, c->tile + 1) - begin;
	box_copy(from->rank, dims, c->at[1] + begin * k->strides[k->split] * from->bytes,
	         k->strides, c->at[0] + begin * from->strides[k->split] * from->bytes,
	         from->strides, from->bytes);
}

slot *plan_copy(exec_plan *p, const op *at, const type *t, const binding *b, slot *to)
{
	const classes *cls = to ? to->cls : classes_join(&p->classes, b->cls, p->control);
	step *s = step_new(p, at, 1, 1, cls);
	step_set_in(p, s, 0, t, b);
	if (to)
		step_set_out_slot(p, s, 0, t, to);
	else
		to = step_set_out(p, s, 0, t, NULL);
	copy_plan *k = NEW(&p->mem, copy_plan);
	k->strides = s->t[1].strides;
	while (k->split + 1 < t->rank && t->dims[k->split] < 16)
		k->split++;
	s->params = k;
	s->run = run_copy;
	s->cost = 5 + (double)s->t[0].n * 0.1 * s->t[0].bytes;
	if (t->rank && s->t[0].n > 1 << 16)
		step_split(s, t->dims[k->split], 16);
	if (!b->strides)
		step_in_place(p, s, 0, 0);
	step_add(p, s);
	return to;
}

static void run_convert(const step *s, const call *c)
{
	int64_t n = step_out(s, 0)->n;
	vm_run(s->params, c->at, c->at + 1, tile_begin(s, n, c->tile),
	       tile_begin(s, n, c->tile + 1), c->scratch);
}

slot *plan_convert(exec_plan *p, const op *at, const type *from, const binding *b, const type *to)
{
	step *s = step_new(p, at, 1, 1, classes_join(&p->classes, b->cls, p->control));
	step_set_in(p, s, 0, from, b);
	slot *made = step_set_out(p, s, 0, to, NULL);
	vm_builder *v = vm_begin(&p->mem, to->dims, to->rank);
	vm_reg x = vm_input(v, 0, from->dtype, s->t[0].strides);
	vm_output(v, 0, to->dtype, vm_convert(v, from->dtype, to->dtype, x));
	s->params = vm_finish(v);
	s->scratch = vm_scratch_bytes(s->params);
	s->run = run_convert;
	s->cost = (double)s->t[0].n * vm_cost(s->params);
	step_split(s, s->t[0].n, 1 << 14);
	step_add(p, s);
	return made;
}

const binding *bound_dense(exec_plan *p, const value *v)
{
	binding *b = (binding *)bound(p, v);
	if (!b->strides || !b->slot)
		return b;
	tensor t = tensor_of(p, v->type, b);
	int64_t want = 1;
	bool dense = true;
	for (int i = t.rank - 1; i >= 0; want *= t.dims[i--])
		dense &= t.dims[i] == 1 || t.strides[i] == want;
	if (dense || !t.n) {
		b->strides = NULL;
		return b;
	}
	slot *s = plan_copy(p, value_op(v), v->type, b, NULL);
	if (value_block(v) != p->block) {
		/* The copy is made inside of a region that may not be run. */
		b = NEW(&p->mem, binding);
		*b = (binding){.slot = s, .cls = s->cls};
		return b;
	}
	bind_slot(p, v, s);
	return b;
}
