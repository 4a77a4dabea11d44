/* operands.c - values as steps read them (copied, converted, dense), and the step of a kernel. */
#include "exec/steps/host.h"

/* ---- copies ---------------------------------------------------------------------------------- */

typedef struct copy_plan {
	int split;              /* the dimension that is divided into tiles */
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
		/* The copy is in a region that may not run, so the value is not bound to it. */
		b = NEW(&p->mem, binding);
		*b = (binding){.slot = s, .cls = s->cls};
		return b;
	}
	bind_slot(p, v, s);
	return b;
}

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

/* ---- kernels ------------------------------------------------------------------------------ */

static const classes *join_operands(exec_plan *p, const op *o)
{
	const classes *c = o->n_results ? p->cls[o->results[0].id] : p->classes.uniform;
	for (int i = 0; i < o->n_results; i++)
		c = classes_join(&p->classes, c, p->cls[o->results[i].id]);
	for (int i = 0; i < o->n_operands && !o->n_results; i++)
		c = classes_join(&p->classes, c, p->cls[operand(o, i)->id]);
	return classes_join(&p->classes, c, p->control);
}

/* True if no result has elements: kernels then need not handle divisions by zero sizes. */
static bool gives_nothing(const op *o)
{
	for (int i = 0; i < o->n_results; i++)
		if (o->results[i].type->kind != TY_TENSOR || o->results[i].type->n_elems)
			return false;
	return o->n_results > 0;
}

static void run_nothing(const step *s, const call *c)
{
	UNUSED(s);
	UNUSED(c);
}

bool plan_kernel(exec_plan *p, const op *o, prepare_fn *prepare, bool views)
{
	const binding **in = NEW_N(&p->ctx->scratch, const binding *, o->n_operands);
	for (int i = 0; i < o->n_operands; i++)
		in[i] = views ? bound(p, operand(o, i)) : bound_dense(p, operand(o, i));
	step *s = step_new(p, o, o->n_operands, o->n_results, join_operands(p, o));
	for (int i = 0; i < o->n_operands; i++)
		step_set_in(p, s, i, operand(o, i)->type, in[i]);
	for (int i = 0; i < o->n_results; i++)
		step_set_out(p, s, i, o->results[i].type, &o->results[i]);
	if (gives_nothing(o))
		s->run = run_nothing;
	else if (!prepare(p, s))
		return false;
	step_add(p, s);
	return true;
}
