/* kit.c - what the emitters of single ops share. */
#include "partition/local.h"

const sharding_rule *local_rule(emitter *e, const op *o)
{
	if (e->ruled == o)
		return e->rule;
	const sharding_rule *r = op_rule_shared(e->from, o, RULE_BEYOND_SHARDY, e->mem);
	if (e->b.like != o)
		return r;
	e->ruled = o;
	return e->rule = r;
}

void local_result(emitter *e, op *o, int i, const spread *as, value *local)
{
	fact_define(e, result(o, i), as, local);
	fact_settle(e, result(o, i));
}

value **local_operands(factoring *f)
{
	value **v = NEW_N(f->e->mem, value *, f->o->n_operands);
	for (int i = 0; i < f->o->n_operands; i++)
		v[i] = fact_get(f->e, operand(f->o, i), factoring_operand(f, i));
	return v;
}

op *local_copy(factoring *f, value *const *operands)
{
	emitter *e = f->e;
	const type **types = NEW_N(e->mem, const type *, f->o->n_results);
	for (int i = 0; i < f->o->n_results; i++)
		types[i] = spread_local_type(&e->sp, factoring_result(f, i), result(f->o, i)->type);
	return emit_copy(e, f->o, operands, types);
}

void local_finish(factoring *f, op *local)
{
	for (int i = 0; i < f->o->n_results; i++)
		local_result(f->e, (op *)f->o, i, factoring_result(f, i), result(local, i));
}

void local_mask_reduced(factoring *f, value **operands, int i, value *with)
{
	const tensor_factors *t = rule_operand(f->rule, i);
	const spread *s = factoring_operand(f, i);
	for (int d = 0; d < t->rank; d++)
		for (int k = 0; k < t->dims[d].n; k++) {
			int factor = t->dims[d].factors[k];
			int64_t size = operand(f->o, i)->type->dims[d];
			if (!factor_in_set(&f->rule->reduction, factor) ||
			    !factoring_pads(f, factor))
				continue;
			value *offset = device_offset(f->e, s, d, size);
			operands[i] = emit_mask(f->e, operands[i], d, offset, INT64_MIN, size,
			                        with);
		}
}

/* ---- by rule ------------------------------------------------------------------------ */

/* An elementwise op whose operands are all available in the result's spread: the most frequent
 * case, with nothing to decide. */
static bool local_in_place(emitter *e, op *o)
{
	const value *r = result(o, 0);
	if (!op_is_pointwise(o) || o->n_results != 1 || !o->n_operands ||
	    !type_is_tensor(r->type) || r->type->elem->kind == TY_QUANT)
		return false;
	const spread *s = fact_wanted(e, r);
	if (!s)
		s = fact_home(e, operand(o, 0));
	value **v = NEW_N(e->mem, value *, o->n_operands);
	for (int i = 0; i < o->n_operands; i++) {
		v[i] = s->partial.n ? NULL : fact_at_hand(e, operand(o, i), s);
		if (!v[i] || operand(o, i)->type->rank != s->rank ||
		    operand(o, i)->type->elem->kind == TY_QUANT)
			return false;
	}
	const type *t = spread_local_type(&e->sp, s, r->type);
	local_result(e, o, 0, s, result(emit_copy(e, o, v, &t), 0));
	return true;
}

void local_by_rule(emitter *e, op *o)
{
	factoring f;
	if (local_in_place(e, o))
		return;
	const sharding_rule *rule = local_rule(e, o);
	if (!rule) {
		local_replicated(e, o);
		return;
	}
	factoring_init(&f, e, o, rule, MONOID_NONE, 0);
	factoring_decide(&f);
	local_finish(&f, local_copy(&f, local_operands(&f)));
}

/* ---- replicated ------------------------------------------------------------------------ */

static const spread *whole_spread(emitter *e, const value *v)
{
	return spread_whole(&e->sp, value_rank(v));
}

/* The bytes of the whole value that a device lacks, given all its copies. */
static int64_t missing_bytes(emitter *e, const value *v)
{
	int64_t whole = max_i64(type_bytes(v->type), 0), most = 0;
	for (const stand_in *s = e->facts[v->id].copies; s; s = s->older)
		most = max_i64(most, s->as->partial.n
		                             ? 0
		                             : spread_local_bytes(s->as, v->type));
	return max_i64(whole - most, 0);
}

/* Remarks, once for each op, how much computing it whole communicates. */
static void remark_replicated(emitter *e, const op *o)
{
	double cost = 0;
	int64_t bytes = 0;
	for (int i = 0; i < o->n_operands; i++) {
		if (fact_constant(e, operand(o, i)))
			continue;
		cost += fact_cost(e, operand(o, i), whole_spread(e, operand(o, i)));
		bytes += missing_bytes(e, operand(o, i));
	}
	if (cost == 0)
		return;
	e->stats->n_replicated++;
	if (!e->opts->quiet && !e->again)
		diag_remark(e->ctx, op_place(e->from, o), E_PARTITION_REPLICATED,
		            "'%s' is computed whole on every device: %" PRId64
		            " bytes of its operands are gathered to each",
		            op_name(o), bytes);
}

/* A constant is repeated rather than gathered: if it says a shape, it has to be a constant. */
static value *whole_or_constant(emitter *e, value *v)
{
	const attr *constant = fact_constant(e, v);
	if (!constant || terms_has(e, v) || fact_at_hand(e, v, whole_spread(e, v)))
		return fact_get_whole(e, v);
	return build_constant(&e->b, constant);
}

/* An op that each device calls for itself (op_calls_apart) gets what the device has. */
static void fetch_operands(emitter *e, op *o, value **operands)
{
	bool apart = op_calls_apart(o);
	if (!apart)
		remark_replicated(e, o);
	e->no_better_way = true;
	for (int i = 0; i < o->n_operands; i++)
		operands[i] = apart ? fact_get_home(e, operand(o, i))
		                    : whole_or_constant(e, operand(o, i));
	e->no_better_way = false;
}

void local_replicated(emitter *e, op *o)
{
	value **operands = NEW_N(e->mem, value *, o->n_operands);
	const type **types = NEW_N(e->mem, const type *, o->n_results);
	fetch_operands(e, o, operands);
	for (int i = 0; i < o->n_results; i++)
		types[i] = result(o, i)->type;
	op *local = emit_copy(e, o, operands, types);
	for (int i = 0; i < o->n_results; i++)
		local_result(e, o, i, whole_spread(e, result(o, i)), result(local, i));
}

void local_nothing(emitter *e, op *o)
{
	UNUSED(e);
	UNUSED(o);
}

void local_same(emitter *e, op *o) { local_replicated(e, o); }
