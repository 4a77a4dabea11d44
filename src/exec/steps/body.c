/* body.c - regions on scalars, as programs over many elements. */
#include "exec/steps/plan.h"

struct body {
	const vm *program;
	int n_results;
};

/* Constants from outside may be used: the spec allows captured values. */
static vm_reg outer_constant(exec_plan *p, vm_builder *b, const value *v)
{
	const binding *at = &p->bind[v->id];
	if (!at->slot || at->slot->kind != IN_CONST || v->type->rank)
		return -1;
	return vm_const(b, v->type->dtype,
	                (const char *)at->slot->data + at->offset * dtype_bytes(v->type->dtype));
}

/* Values of the body are bound to registers, numbered from 1. */
static vm_reg body_reg(exec_plan *p, vm_builder *b, const value *v)
{
	const binding *at = &p->bind[v->id];
	return at->slot || !at->reg ? outer_constant(p, b, v) : at->reg - 1;
}

static void set_body_reg(exec_plan *p, const value *v, vm_reg r)
{
	p->bind[v->id] = (binding){.reg = r + 1};
}

static vm_reg body_op_reg(exec_plan *p, vm_builder *b, const op *o)
{
	const attr *a = op_has(o, CONSTANT) ? op_attr(o, N_value) : NULL;
	if (a)
		return a->kind == AT_DENSE ? vm_const(b, a->type->dtype, a->data) : -1;
	vm_reg in[3] = {-1, -1, -1};
	for (int i = 0; i < o->n_operands && i < 3; i++) {
		in[i] = body_reg(p, b, operand(o, i));
		if (in[i] < 0)
			return -1;
	}
	switch (o->kind) {
	case OP_RESHAPE:
	case OP_BROADCAST_IN_DIM:
	case OP_OPTIMIZATION_BARRIER:
	case OP_SDY_SHARDING_CONSTRAINT: /* JAX writes them in bodies, too */
	case OP_SDY_RESHARD:
	case OP_SDY_PROPAGATION_BARRIER:
		return in[0];
	case OP_BITCAST_CONVERT: {
		dtype from = operand(o, 0)->type->dtype, to = result(o, 0)->type->dtype;
		return dtype_bits(from) == dtype_bits(to) ? vm_bitcast(b, from, to, in[0]) : -1;
	}
	}
	return op_is_fusable(o->kind) && o->kind != OP_IOTA && o->n_results == 1
	           ? fuse_op(p->m, b, o, in)
	           : -1;
}

static bool scalar_value(const value *v)
{
	return v->type->kind == TY_TENSOR && v->type->n_elems == 1 && v->type->dtype != DT_NONE;
}

/* The body with other results: n values of the region. */
static const body *body_giving(exec_plan *p, const op *o, int region, const value *const *values,
                               int n)
{
	const block *blk = op_block(o, region);
	vm_builder *b = vm_begin(&p->mem, NULL, -1);
	for (int i = 0; i < blk->n_args; i++) {
		if (!scalar_value(blk->args[i]))
			return plan_unsupported(p, o, "a body that does not work on scalars is"),
			       NULL;
		set_body_reg(p, blk->args[i], vm_input(b, i, blk->args[i]->type->dtype, NULL));
	}
	for (const op *k = blk->first; k != blk->last; k = k->next) {
		for (int i = 0; i < k->n_results; i++)
			if (!scalar_value(result(k, i)))
				return plan_unsupported(p, k, "this operation in a body is"), NULL;
		vm_reg r = body_op_reg(p, b, k);
		if (r < 0)
			return plan_unsupported(p, k, "this operation in a body is"), NULL;
		set_body_reg(p, result(k, 0), r);
	}
	for (int i = 0; i < n; i++) {
		vm_reg r = body_reg(p, b, values[i]);
		if (r < 0)
			return plan_unsupported(p, o, "a value from outside of a body is"), NULL;
		vm_output(b, i, values[i]->type->dtype, r);
	}
	body *made = NEW(&p->mem, body);
	*made = (body){vm_finish(b), n};
	return made;
}

const body *body_new(exec_plan *p, const op *o, int region)
{
	const op *end = op_block(o, region)->last;
	const value **values = NEW_N(&p->mem, const value *, end->n_operands);
	for (int i = 0; i < end->n_operands; i++)
		values[i] = operand(end, i);
	return body_giving(p, o, region, values, end->n_operands);
}

const body *body_new_for(exec_plan *p, const op *o, int region, const value *v)
{
	return body_giving(p, o, region, &v, 1);
}

size_t body_scratch_bytes(const body *b) { return vm_scratch_bytes(b->program); }

void body_run(const body *b, int64_t n, char *const *args, char *const *results, void *scratch)
{
	vm_run(b->program, args, results, 0, n, scratch);
}

/* The only op of a body, on its two arguments, in order (or swapped, if it commutes); NULL if the
 * body has more ops. */
static const op *only_op(const op *o, int region)
{
	const block *b = op_block(o, region);
	const op *only = b ? b->first : NULL;
	if (!only || only->next != b->last || b->n_args != 2 || only->n_operands != 2 ||
	    b->last->n_operands != 1 || value_def(operand(b->last, 0)) != only)
		return NULL;
	bool in_order = operand(only, 0) == b->args[0] && operand(only, 1) == b->args[1];
	bool swapped = operand(only, 0) == b->args[1] && operand(only, 1) == b->args[0];
	return in_order || (swapped && op_has(only, COMMUTES)) ? only : NULL;
}

vec_op body_op(const op *o, int region)
{
	const op *only = only_op(o, region);
	return only ? vec_op_of(only->kind) : VEC_NONE;
}

vec_op body_comparison(const op *o, int region)
{
	const op *only = only_op(o, region);
	return only && only->kind == OP_COMPARE ? compare_op(only) : VEC_NONE;
}
