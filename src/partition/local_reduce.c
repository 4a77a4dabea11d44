/* local_reduce.c - products and reductions: each device reduces its block, and what
 * it gets is partial. */
#include "partition/local.h"

static value *zero_scalar(emitter *e, const type *t)
{
	return build_constant(e, monoid_identity(e->ctx, MONOID_SUM, type_elem_tensor(e->ctx, t)));
}

static bool any_reduced_padding(const factoring *f)
{
	for (int i = 0; i < f->rule->reduction.n; i++)
		if (factoring_pads(f, f->rule->reduction.factors[i]))
			return true;
	return false;
}

static bool has_zero(emitter *e, const value *v)
{
	return monoid_identity(e->ctx, MONOID_SUM, type_elem_tensor(e->ctx, v->type)) != NULL;
}

/* Padding is undefined and may be infinite or no number, so both sides become zero. */
void local_dot(emitter *e, op *o)
{
	factoring f;
	bool sums = has_zero(e, operand(o, 0)) && has_zero(e, operand(o, 1)) &&
	            has_zero(e, result(o, 0));
	factoring_init(&f, e, o, local_rule(e, o), sums ? MONOID_SUM : MONOID_NONE, 0);
	factoring_decide(&f);
	value **operands = local_operands(&f);
	for (int i = 0; i < 2 && any_reduced_padding(&f); i++)
		local_mask_reduced(&f, operands, i, zero_scalar(e, operands[i]->type));
	local_finish(&f, local_copy(&f, operands));
}

/* ---- reduce ---------------------------------------------------------------------------- */

/* The monoid that a reduce with one input computes, if it has an identity. */
static monoid reduce_monoid(emitter *e, const op *o)
{
	monoid m = o->n_results == 1 ? monoid_of_op(op_body_kind(o, 0)) : MONOID_NONE;
	const type *elem = type_elem_tensor(e->ctx, result(o, 0)->type);
	return m != MONOID_NONE && monoid_identity(e->ctx, m, elem) ? m : MONOID_NONE;
}

/* The initial value counts once: on the first device along the partial digits. */
static value *init_once(factoring *f, value *init)
{
	const value *global = operand(f->o, 1);
	const spread *s = factoring_result(f, 0);
	if (!s->partial.n || (global->def && global->def->kind == OP_CONSTANT &&
	                      monoid_identity_is(f->combine, op_attr(global->def, N_value))))
		return init;
	value *first = device_is_first(f->e, s->order, s->partial);
	return build_select(f->e, first, init, build_identity(f->e, f->combine, init->type));
}

void local_reduce(emitter *e, op *o)
{
	factoring f;
	factoring_init(&f, e, o, local_rule(e, o), reduce_monoid(e, o), 0);
	factoring_decide(&f);
	value **operands = local_operands(&f);
	if (any_reduced_padding(&f)) {
		const type *elem = type_elem_tensor(e->ctx, operands[0]->type);
		value *with = build_constant(e, monoid_identity(e->ctx, f.combine, elem));
		local_mask_reduced(&f, operands, 0, with);
	}
	if (f.combine != MONOID_NONE)
		operands[1] = init_once(&f, operands[1]);
	local_finish(&f, local_copy(&f, operands));
}
