/* reduce.c - products and reductions: each device reduces its block, and the results are
 * partial. */
#include "partition/local.h"

static bool any_reduced_padding(const factoring *f)
{
	for (int i = 0; i < f->rule->reduction.n; i++)
		if (factoring_pads(f, f->rule->reduction.factors[i]))
			return true;
	return false;
}

static bool has_zero(const value *v)
{
	return monoid_has_identity(MONOID_SUM, v->type);
}

/* The padding is undefined and may contain infinities or NaNs, so it is zeroed on both sides. */
void local_dot(emitter *e, op *o)
{
	factoring f;
	bool sums = has_zero(operand(o, 0)) && has_zero(operand(o, 1)) &&
	            has_zero(result(o, 0));
	factoring_init(&f, e, o, local_rule(e, o), sums ? MONOID_SUM : MONOID_NONE, 0);
	factoring_decide(&f);
	value **operands = local_operands(&f);
	for (int i = 0; i < 2 && any_reduced_padding(&f); i++)
		local_mask_reduced(&f, operands, i, emit_zero(e, operands[i]->type));
	local_finish(&f, local_copy(&f, operands));
}

/* ---- reduce ---------------------------------------------------------------------------- */

/* The monoid that a reduce computes for each of its inputs, if all types have an identity of it. */
static monoid reduce_monoid(const op *o)
{
	monoid m = monoid_of_op(o->n_results == 1 ? op_body_kind(o, 0) : op_shared_reduction(o));
	for (int i = 0; i < o->n_results; i++)
		if (!monoid_has_identity(m, result(o, i)->type))
			return MONOID_NONE;
	return m;
}

/* The initial value of input i must count once: on the first device along the partial digits. */
static value *init_once(factoring *f, int i, value *init)
{
	const attr *constant = fact_constant(f->e, operand(f->o, f->o->n_results + i));
	const spread *s = factoring_result(f, i);
	if (!s->partial.n || (constant && monoid_identity_is(f->combine, constant)))
		return init;
	value *first = device_is_first(f->e, s->order, s->partial);
	return build_select(&f->e->b, first, init, emit_identity(f->e, f->combine, init->type));
}

/* ---- reductions with any body: an argmax, a product of matrices ----------------------------- */

/* Gathers the blocks' results [R] of k devices as [k, R], in the order of the blocks. */
static value *gather_partial_results(const factoring *f, value *block, const spread *as,
                                     digits along, const type *result_type)
{
	emitter *e = f->e;
	int rank = as->rank + 1;
	int64_t *dims = NEW_N(e->mem, int64_t, rank), *local = NEW_N(e->mem, int64_t, rank);
	digits *split = NEW_N(e->mem, digits, rank);
	dims[0] = digits_size(along);
	local[0] = 1;
	split[0] = along;
	for (int d = 1; d < rank; d++) {
		dims[d] = result_type->dims[d - 1];
		local[d] = block->type->dims[d - 1];
		split[d] = as->dims[d - 1];
	}
	spread s = {.order = f->order, .rank = rank, .dims = split};
	const spread *before = spread_of(&e->sp, &s);
	const spread *after = spread_with_dim(&e->sp, before, 0, (digits){0, NULL});
	const type *t = type_with_dims(e->ctx, result_type, dims, rank);
	const reshard_plan *p = reshard_plan_for(&e->plans, before, after, t);
	value *v = build_reshape(&e->b, block, local, rank);
	for (int i = 0; i < p->n; i++)
		v = emit_move(e, &p->moves[i], v, t);
	return v;
}

/* The body is associative, and initial values are neutral however often they are used (StableHLO
 * spec, reduce). So the results of the blocks can be reduced like the elements. Along one dimension
 * their order is kept. */
static bool reduce_blocks(emitter *e, op *o, double other_cost)
{
	factoring f;
	factoring_init(&f, e, o, local_rule(e, o), MONOID_SUM, 0); /* MONOID_SUM: any body */
	factoring_decide(&f);
	if (f.rule->reduction.n != 1 || f.cost >= other_cost)
		return false;
	digits along = f.shard[f.rule->reduction.factors[0]];
	if (!along.n)
		return false;
	int n = o->n_results;
	value **operands = local_operands(&f), **gathered = NEW_N(e->mem, value *, 2 * n);
	for (int i = 0; i < n; i++)
		local_mask_reduced(&f, operands, i, operands[n + i]);
	op *blocks = local_copy(&f, operands);
	const type **types = NEW_N(e->mem, const type *, n);
	const spread **whole = NEW_N(e->mem, const spread *, n);
	for (int i = 0; i < n; i++) {
		whole[i] = spread_with_partial(&e->sp, factoring_result(&f, i), (digits){0, NULL},
		                               MONOID_SUM);
		types[i] = result(blocks, i)->type;
		gathered[i] = gather_partial_results(&f, result(blocks, i), whole[i], along,
		                                     result(o, i)->type);
		gathered[n + i] = operands[n + i];
	}
	op *again = emit_copy(e, o, gathered, types);
	const int64_t first = 0;
	op_set_attr(e->to, again, N_dimensions, attr_i64_array(e->ctx, &first, 1));
	for (int i = 0; i < n; i++)
		local_result(e, o, i, whole[i], result(again, i));
	return true;
}

void local_reduce(emitter *e, op *o)
{
	factoring f;
	factoring_init(&f, e, o, local_rule(e, o), reduce_monoid(o), 0);
	factoring_decide(&f);
	if (f.combine == MONOID_NONE && reduce_blocks(e, o, f.cost))
		return;
	value **operands = local_operands(&f);
	const int n = o->n_results;
	for (int i = 0; i < n && any_reduced_padding(&f); i++) {
		const type *elem = type_elem_tensor(e->ctx, operands[i]->type);
		value *with = build_constant(&e->b, monoid_identity(e->ctx, f.combine, elem));
		local_mask_reduced(&f, operands, i, with);
	}
	for (int i = 0; i < n && f.combine != MONOID_NONE; i++)
		operands[n + i] = init_once(&f, i, operands[n + i]);
	local_finish(&f, local_copy(&f, operands));
}
