/* plain.c - collectives in a form that every tool can read.
 *
 * StableHLO allows a collective to have several operands, each treated on its own. XLA mistakes an
 * all_to_all with several operands for another op (operand i goes to device i), and its partitioner
 * and CPU backend fail on others. So in a printed program each collective has one operand.
 *
 * A collective of a value without elements moves nothing, and StableHLO refuses some of these. Such
 * values become constants. */
#include "partition/local.h"

/* ---- values without elements ------------------------------------------------------------- */

/* The elements of a constant are not quantized. */
static value *empty_value(builder *b, const type *t)
{
	tess_ctx *ctx = b->m->ctx;
	if (t->elem->kind != TY_QUANT)
		return build_constant(b, attr_dense(ctx, t, NULL, 0, false));
	const type *plain = type_tensor(ctx, t->elem->quant->expressed, t->dims, t->rank);
	value *number = build_constant(b, attr_dense(ctx, plain, NULL, 0, false));
	return build(b, OP_UNIFORM_QUANTIZE, &number, 1, t);
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

/* The collective of operand i alone, before `o`. With has_dynamic_root the last operand has a root
 * for each of the others. */
static value *collective_of(builder *b, op *o, int i)
{
	bool has_root = op_bool(o, N_has_dynamic_root);
	value *in[2] = {operand(o, i)};
	if (has_root)
		in[1] = build_slice(b, operand(o, o->n_operands - 1), 0, i, i + 1, 1);
	const type *t = result(o, i)->type;
	op *one = op_new_like(b->m, o, in, 1 + has_root, &t, 1);
	ptr_map map = {0};
	op *copy = op_n_regions(o) ? op_clone(b->m, o, &map, &b->m->ctx->scratch) : NULL;
	for (int r = 0; r < op_n_regions(o); r++)
		region_take(op_region(one, r), op_region(copy, r));
	if (copy)
		op_erase(copy);
	build_put(b, one);
	return result(one, 0);
}

static void take_apart(module *m, op *o)
{
	builder b = builder_before(m, o);
	for (int i = 0; i < o->n_results; i++) {
		value *v = result(o, i);
		value_replace_uses(v, is_empty(v) ? empty_value(&b, v->type)
		                                  : collective_of(&b, o, i));
	}
	op_erase(o);
}

void plain_collectives(module *m, bool separate)
{
	for (op *o = m->top, *next; o; o = next) {
		next = op_next(o, m->top);
		if (!op_has(o, COLLECTIVE) ||
		    !(has_empty_result(o) || (separate && o->n_results > 1)))
			continue;
		next = op_skip(o, m->top);
		take_apart(m, o);
	}
}
