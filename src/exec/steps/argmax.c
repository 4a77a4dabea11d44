/* argmax.c - which reductions are an argmax or argmin.
 *
 * Programs write "the larger element, and its index" in many ways: with GT or GE, with or without
 * NaN taking precedence, with ties decided by the indices or by the order. So the body is not
 * matched against a pattern. It is evaluated, once for each way in which two elements can compare,
 * with the left index before the right one, as in a reduction of an iota in order. The outcome is
 * which of the two arguments each result is, and this table determines what the body does:
 *
 *     case      a < b  a = b  a > b   a NaN  b NaN  both
 *     value     b      b      a       a      b      a
 *     place     b      a      a       a      b      a      JAX's argmax: the first largest */
#include "exec/steps/plan.h"
#include "exec/kernel/reduce.h"

/* How the elements a and b compare. */
enum { LESS, SAME, MORE, LEFT_NAN, RIGHT_NAN, BOTH_NAN, N_CASES };

/* What a value of the body is: the number of an argument, or a boolean. */
enum { NO = 4, YES, UNKNOWN };

enum { MOST_OPS = 24 };

typedef struct body_case {
	const block *body;
	int element; /* 0 or 1: the elements are this argument and this one + 2 */
	int how;     /* the case: how the elements compare */
	const value *known[MOST_OPS];
	uint8_t is[MOST_OPS];
	int n;
} body_case;

static int what_is(const body_case *k, const value *v)
{
	if (value_owner(v) == k->body)
		return (int)v->index;
	for (int i = 0; i < k->n; i++)
		if (k->known[i] == v)
			return k->is[i];
	return UNKNOWN;
}

/* LESS, SAME or MORE; BOTH_NAN stands for unordered, N_CASES for unknown. */
static int relation(const body_case *k, int x, int y)
{
	const int turned[] = {[LESS] = MORE, [SAME] = SAME, [MORE] = LESS};
	if (x >= NO || y >= NO || x % 2 != y % 2)
		return N_CASES;
	if (x % 2 != k->element)
		return x == y ? SAME : x < y ? LESS : MORE;
	bool left = k->how == LEFT_NAN || k->how == BOTH_NAN;
	bool right = k->how == RIGHT_NAN || k->how == BOTH_NAN;
	if (((x < 2 || y < 2) && left) || ((x >= 2 || y >= 2) && right))
		return BOTH_NAN;
	return x == y ? SAME : x < y ? k->how : turned[k->how];
}

static int compared(const body_case *k, const op *o)
{
	int r = relation(k, what_is(k, operand(o, 0)), what_is(k, operand(o, 1)));
	if (r == N_CASES)
		return UNKNOWN;
	switch (compare_op(o)) {
	case VEC_EQ: return r == SAME ? YES : NO;
	case VEC_NE: return r == SAME ? NO : YES;
	case VEC_LT: return r == LESS ? YES : NO;
	case VEC_LE: return r == LESS || r == SAME ? YES : NO;
	case VEC_GT: return r == MORE ? YES : NO;
	case VEC_GE: return r == MORE || r == SAME ? YES : NO;
	default: return UNKNOWN;
	}
}

static int evaluated(const body_case *k, const op *o)
{
	int x[3] = {UNKNOWN, UNKNOWN, UNKNOWN};
	for (int i = 0; i < o->n_operands && i < 3; i++)
		x[i] = what_is(k, operand(o, i));
	bool truths = (x[0] == NO || x[0] == YES) && (x[1] == NO || x[1] == YES);
	switch (o->kind) {
	case OP_COMPARE: return compared(k, o);
	case OP_SELECT: return x[0] == YES ? x[1] : x[0] == NO ? x[2] : UNKNOWN;
	case OP_AND: return truths ? (int)min_i64(x[0], x[1]) : UNKNOWN;
	case OP_OR: return truths ? (int)max_i64(x[0], x[1]) : UNKNOWN;
	case OP_XOR: return truths ? (x[0] != x[1] ? YES : NO) : UNKNOWN;
	case OP_NOT: return x[0] == NO ? YES : x[0] == YES ? NO : UNKNOWN;
	default: return UNKNOWN;
	}
}

/* Sets is[0], is[1] to what the results of the body are. */
static void evaluate(body_case *k, int is[2])
{
	for (const op *o = k->body->first; o != k->body->last && k->n < MOST_OPS; o = o->next) {
		k->is[k->n] = (uint8_t)(o->n_results == 1 ? evaluated(k, o) : UNKNOWN);
		k->known[k->n++] = o->n_results ? result(o, 0) : NULL;
	}
	is[0] = what_is(k, operand(k->body->last, 0));
	is[1] = what_is(k, operand(k->body->last, 1));
}

/* Fills in the table: whether value and place are the left ones in each case. Returns false if they
 * are neither, or not of the same element where that matters. */
static bool decisions(const block *body, int element, bool floats, bool value[], bool place[])
{
	for (int how = 0; how < (floats ? N_CASES : LEFT_NAN); how++) {
		body_case k = {.body = body, .element = element, .how = how};
		int is[2];
		evaluate(&k, is);
		if (is[element] % 2 != element || is[element] >= NO ||
		    is[!element] % 2 == element || is[!element] >= NO)
			return false;
		value[how] = is[element] < 2;
		place[how] = is[!element] < 2;
		if (value[how] != place[how] && how != SAME)
			return false;
	}
	return !floats || (value[LEFT_NAN] && !value[RIGHT_NAN] && value[BOTH_NAN]);
}

/* True if the values are the indices along the dimension, from 0: an iota that does not overflow,
 * perhaps made in one dimension and broadcast. */
static bool counts_along(const module *m, const value *v, int64_t dimension)
{
	dtype t = v->type->dtype;
	const op *o = value_def(v);
	int n;
	if (!o || !dtype_is_int(t) || dtype_bits(t) < 8 ||
	    v->type->dims[dimension] > (int64_t)1 << min_i64(dtype_bits(t) - 1, 31))
		return false;
	if (o->kind == OP_BROADCAST_IN_DIM && operand(o, 0)->type->rank == 1) {
		const int64_t *to = op_ints(m, o, N_broadcast_dimensions, &n);
		if (n != 1 || to[0] != dimension ||
		    operand(o, 0)->type->dims[0] != v->type->dims[dimension])
			return false;
		o = value_def(operand(o, 0));
		dimension = 0;
	}
	return o && o->kind == OP_IOTA && op_int(o, N_iota_dimension, -1) == dimension;
}

/* True if shapes and types are what plan_arg_reduction() expects. */
static bool is_pair_of_lines(const module *m, const op *o, int *dimension)
{
	const block *b = op_block(o, 0);
	int n;
	const int64_t *dims = op_ints(m, o, N_dimensions, &n);
	if (o->n_operands != 4 || o->n_results != 2 || n != 1 || !b || !b->last || b->n_args != 4 ||
	    b->last->n_operands != 2)
		return false;
	for (int i = 0; i < 2; i++)
		if (operand(o, i)->type->dtype != result(o, i)->type->dtype ||
		    operand(o, i)->type->rank != operand(o, 0)->type->rank ||
		    operand(o, 2 + i)->type->rank)
			return false;
	*dimension = (int)dims[0];
	return dims[0] >= 0 && dims[0] < operand(o, 0)->type->rank && operand(o, 0)->type->n_elems;
}

bool arg_reduction_of(const module *m, const op *o, arg_reduction *r)
{
	bool value[N_CASES], place[N_CASES];
	if (o->kind != OP_REDUCE || !is_pair_of_lines(m, o, &r->dimension))
		return false;
	r->value = counts_along(m, operand(o, 0), r->dimension);
	dtype t = operand(o, r->value)->type->dtype;
	if (!counts_along(m, operand(o, !r->value), r->dimension) ||
	    !(dtype_is_float(t) || (dtype_is_int(t) && dtype_bits(t) >= 8)) ||
	    !decisions(op_block(o, 0), r->value, dtype_is_float(t), value, place))
		return false;
	r->max = value[MORE];
	r->ties = place[SAME] ? (value[SAME] ? TIES_FIRST : TIES_MIXED) : TIES_LAST;
	return value[MORE] != value[LESS] && (place[SAME] || !value[SAME]);
}

bool reduce_counts(const module *m, const op *o, const value *v)
{
	arg_reduction r;
	return arg_reduction_of(m, o, &r) && operand(o, !r.value) == v &&
	       operand(o, r.value) != v;
}
