/* terms.c - ops on sums that are not added up yet.
 *
 * If the program wants a result unreduced, and an operand is unreduced, each device computes an op
 * that is linear in the operand (linear.def) on its own term. A gradient, for example, is
 * transposed, scaled and put into its place of a stack before it is added up, once, after the loop.
 *
 * The function that emits such an op need not know that. While it runs (terms_begin, terms_end),
 * facts about the op's result and about operands that are such sums leave out the digits along
 * which they remain partial (terms_hide), and requests get them back (terms_show). An operand that
 * is complete becomes the value on one device and zeros on the others. */
#include "partition/local.h"

enum { FIRST = 1, SECOND = 2, THIRD = 4, EACH = ~0 };
enum { LINEAR_IN = 1, MULTILINEAR_IN, MOVES_THEM };

typedef struct linear_row {
	int how; /* 0: not linear */
	unsigned operands;
	bool (*where)(const op *o);
} linear_row;

/* ---- which ops are linear ------------------------------------------------------------------- */

static bool linear_always(const op *o)
{
	UNUSED(o);
	return true;
}

/* Rounding to integers is not linear. A partial sum of integers may overflow where the sum does
 * not, which shows if the result has more bits. */
static bool linear_keeps_sums(const op *o)
{
	dtype from = operand(o, 0)->type->dtype, to = result(o, 0)->type->dtype;
	if (dtype_is_int(from))
		return dtype_is_int(to) && dtype_bits(to) <= dtype_bits(from);
	return from != DT_I1 && !dtype_is_int(to);
}

static bool linear_adds(const op *o) { return op_body_kind(o, 0) == OP_ADD; }
static bool linear_of_floats(const op *o) { return !dtype_is_int(result(o, 0)->type->dtype); }

static const linear_row linear_rows[OP_COUNT] = {
#define LINEAR(id, operands, where) [OP_##id] = {LINEAR_IN, (unsigned)(operands), linear_##where},
#define MULTILINEAR(id, operands, where)                                                           \
	[OP_##id] = {MULTILINEAR_IN, (unsigned)(operands), linear_##where},
#define MOVE(id, operands) [OP_##id] = {MOVES_THEM, (unsigned)(operands), linear_always},
#include "partition/local/linear.def"
#undef LINEAR
#undef MULTILINEAR
#undef MOVE
};

/* ---- when to compute on terms --------------------------------------------------------------- */

/* The spread in which the result is wanted partial; NULL: it is not. */
static const spread *terms_wanted(emitter *e, const op *o)
{
	const value *v = result(o, 0);
	const spread *s = fact_wanted(e, v);
	while (!s && value_has_one_use(v) && op_has(v->uses->owner, RESHARDS) &&
	       v->uses->owner->parent == o->parent) {
		v = result(v->uses->owner, 0);
		s = fact_wanted(e, v);
	}
	return s && s->partial.n ? s : NULL;
}

/* The partial spread of an operand; NULL: it is complete. */
static const spread *terms_of(emitter *e, const value *v)
{
	const spread *home = type_is_tensor(v->type) ? fact_home(e, v) : NULL;
	return !home || home->partial.n ? home : pending_sum(e, v);
}

/* True if the type has an identity of `m`, for devices without a term. */
static bool may_be_term(const value *v, monoid m)
{
	return type_is_tensor(v->type) && v->type->elem->kind != TY_QUANT &&
	       monoid_has_identity(m, v->type);
}

/* Sums of booleans are not linear. */
static bool kind_allows(const op *o, const linear_row *row, monoid m)
{
	bool sums = m == MONOID_SUM && result(o, 0)->type->dtype != DT_I1;
	return o->n_results == 1 && may_be_term(result(o, 0), m) &&
	       (sums || row->how == MOVES_THEM) && row->where(o);
}

/* True if a value is both one of the sums and another operand. */
static bool is_ambiguous(const op *o, unsigned operands)
{
	for (int i = 0; i < o->n_operands; i++)
		for (int k = 0; k < o->n_operands; k++)
			if (operands_have(operands, i) && !operands_have(operands, k) && operand(o, i) == operand(o, k))
				return true;
	return false;
}

/* True if the spreads of operands and result have the same order and do not use these digits. */
static bool stay_apart(emitter *e, const op *o, digits along, const spread *goal)
{
	for (int i = 0; i < o->n_operands; i++) {
		const value *v = operand(o, i);
		const spread *s = type_is_tensor(v->type) ? fact_home(e, v) : NULL;
		if (s && !spread_is_whole(s) &&
		    (s->order != goal->order || !digits_disjoint(spread_used(e->mem, s), along)))
			return false;
	}
	return digits_disjoint(spread_used(e->mem, goal), along);
}

/* The digits along which operands and result can remain partial; *operands: which operands are. */
static digits terms_along(emitter *e, const op *o, const linear_row *row, const spread *goal,
                          unsigned *operands)
{
	digits along = {0, NULL};
	cuts c;
	*operands = row->operands;
	cuts_begin(&c, &e->sp);
	cuts_take(&c, goal);
	for (int i = 0; i < o->n_operands; i++) {
		const spread *s = operands_have(row->operands, i) ? terms_of(e, operand(o, i)) : NULL;
		if (operands_have(row->operands, i) && !may_be_term(operand(o, i), goal->combine))
			return (digits){0, NULL};
		if (!s || !s->partial.n || s->combine != goal->combine || s->order != goal->order)
			continue;
		if (row->how == MULTILINEAR_IN && along.n)
			return (digits){0, NULL};
		if (row->how == MULTILINEAR_IN)
			*operands = 1U << i;
		cuts_take(&c, s);
		digits more = digits_common(e->mem, s->partial, goal->partial, true);
		along = digits_append(e->mem, along, digits_common(e->mem, more, along, false));
	}
	return cuts_chain(&c) ? along : (digits){0, NULL};
}

void terms_begin(emitter *e, const op *o)
{
	const linear_row *row = &linear_rows[o->kind];
	const spread *goal = row->how ? terms_wanted(e, o) : NULL;
	unsigned operands;
	if (!goal || !kind_allows(o, row, goal->combine))
		return;
	digits along = terms_along(e, o, row, goal, &operands);
	if (!along.n || is_ambiguous(o, operands) || !stay_apart(e, o, along, goal))
		return;
	spread mark = {.order = goal->order, .partial = along, .combine = goal->combine};
	e->terms = (on_terms){.of = o, .operands = operands, .along = spread_of(&e->sp, &mark)};
}

void terms_end(emitter *e) { e->terms = (on_terms){0}; }
