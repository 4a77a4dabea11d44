/* local.c - one op after the other. */
#include "partition/local.h"

static local_fn *const local_fns[OP_COUNT] = {
#define LOCAL(id, fn) [OP_##id] = local_##fn,
#include "partition/local/local.def"
#undef LOCAL
};

/* What is on one device is the same for all. */
static void mark_varying(emitter *e, const op *o)
{
	if (e->failed || !fact_varies(e, o))
		return;
	for (int i = 0; i < o->n_results; i++)
		if (single_device(e, value_sharding(e->from, result(o, i))) < 0)
			fact_set_varying(e, result(o, i));
}

static void local_op(emitter *e, op *o)
{
	const op *was = e->b.like;
	local_fn *fn = local_fns[o->kind];
	arena_mark mark = arena_here(e->mem);
	e->b.like = o;
	e->stats->n_ops++;
	if (local_single(e, o))
		;
	else if (fn)
		fn(e, o);
	else if (local_rule(e, o))
		local_by_rule(e, o);
	else
		local_replicated(e, o);
	mark_varying(e, o);
	e->b.like = was;
	e->ruled = NULL;
	e->rule = NULL;
	arena_back(e->mem, mark);
}

void local_block(emitter *e, const block *b)
{
	for (op *o = b->first; o && o != b->last && !e->failed; o = o->next)
		local_op(e, o);
}

/* ---- by rule ------------------------------------------------------------------------ */

/* Element by element on values that are all where the result shall be: most operations,
 * and nothing to decide. */
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
	factoring_init(&f, e, o, local_rule(e, o), MONOID_NONE, 0);
	factoring_decide(&f);
	local_finish(&f, local_copy(&f, local_operands(&f)));
}

/* ---- replicated ------------------------------------------------------------------------ */

void local_same(emitter *e, op *o) { local_replicated(e, o); }
