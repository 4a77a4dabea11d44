/* after_loops.c - sums over devices that a loop adds up are computed once, after it.
 *
 * The gradient of what every iteration uses, as of a recurrent layer or of parameters over
 * micro-batches, is the sum of what iterations compute of it, each of which is a sum over devices.
 * Both are sums, so devices can add up their own terms, and be added up at the end:
 *
 *     loop c: c + convert(all_reduce(p))     becomes     all_reduce(loop c: c + convert(p))
 *
 * if the loop starts with zeros, and otherwise with zeros in the loop and an addition after it. The
 * loop's body may be in functions that nothing else calls. XLA's compiler for CPUs leaves such sums
 * in the loop. */
#include "partition/local.h"

typedef struct loops {
	module *m;
	ptr_map calls; /* how many, by function */
} loops;

/* True if the body adds its two arguments. */
static bool body_adds(const op *o)
{
	const block *b = op_body(o);
	const op *by = b->first;
	return monoid_of_op(by->kind) == MONOID_SUM && by->next == b->last && b->n_args == 2 &&
	       operand(by, 0) != operand(by, 1) && value_owner(operand(by, 0)) == b &&
	       value_owner(operand(by, 1)) == b && operand(b->last, 0) == result(by, 0);
}

static bool adds_over_devices(const op *o)
{
	return o->kind == OP_ALL_REDUCE && o->n_operands == 1 && body_adds(o) &&
	       dtype_is_float(result(o, 0)->type->dtype);
}

static bool is_zeros(const value *v)
{
	const op *o = value_def(v);
	if (o && o->kind == OP_BROADCAST_IN_DIM)
		o = value_def(operand(o, 0));
	const attr *a = o && o->kind == OP_CONSTANT ? op_attr(o, N_value) : NULL;
	return a && monoid_identity_is(MONOID_SUM, a);
}

static bool adds_up(const op *o)
{
	return o->kind == OP_REDUCE && o->n_operands == 2 && body_adds(o) && is_zeros(operand(o, 1));
}

/* True for what gives the same before and after a sum of its operand over devices. */
static bool keeps_sums(const op *o)
{
	bool converts = o->kind == OP_CONVERT && dtype_is_float(operand(o, 0)->type->dtype) &&
	                dtype_is_float(result(o, 0)->type->dtype);
	return converts || o->kind == OP_RESHAPE || o->kind == OP_TRANSPOSE || adds_up(o);
}

/* Moves a sum over devices so that it has another operand, of perhaps another type. */
static void add_up_later(module *m, op *sum, value *v)
{
	const type *scalar = type_with_dims(m->ctx, v->type, NULL, 0);
	block *by = op_body(sum);
	value_replace_uses(result(sum, 0), operand(sum, 0));
	op_unlink(sum);
	op_insert_after(value_def(v), sum);
	result(sum, 0)->type = v->type;
	for (int i = 0; i < by->n_args; i++)
		by->args[i]->type = scalar;
	result(by->first, 0)->type = scalar;
}

static bool same_groups(const op *a, const op *b)
{
	return op_attr(a, N_replica_groups) == op_attr(b, N_replica_groups) &&
	       op_attr(a, N_use_global_device_ids) == op_attr(b, N_use_global_device_ids);
}

static op *sum_behind(module *m, value *v);

/* If both operands of an addition are sums over the same devices, its result is summed instead.
 * Returns that sum; NULL: they are not. */
static op *sum_of_both(module *m, op *add)
{
	op *x = sum_behind(m, operand(add, 0)), *y = x ? sum_behind(m, operand(add, 1)) : NULL;
	value *v = result(add, 0);
	if (!y || !same_groups(x, y))
		return NULL;
	value_replace_uses(result(y, 0), operand(y, 0));
	op_erase(y);
	add_up_later(m, x, v);
	value_replace_uses(v, result(x, 0));
	op_set_operand(x, 0, v);
	return x;
}

/* Returns the sum over devices behind the value, in its block; NULL: there is none, or something else
 * reads it. */
static op *sum_behind(module *m, value *v)
{
	const block *in = value_block(v);
	for (op *o; value_has_one_use(v) && value_block(v) == in && (o = value_def(v)); v = operand(o, 0)) {
		if (adds_over_devices(o))
			return o;
		if (o->kind == OP_ADD)
			return sum_of_both(m, o);
		if (!keeps_sums(o))
			return NULL;
	}
	return NULL;
}

/* Returns the sum over devices that is added to `before` to get `after`, and nothing else is done with
 * either; NULL: there is none. */
static op *sum_added(const loops *w, value *before, value *after)
{
	op *o = value_def(after);
	if (!o || !value_has_one_use(before) || !value_has_one_use(after) || before->uses->owner != o ||
	    before->type != after->type)
		return NULL;
	if (o->kind == OP_ADD)
		return sum_behind(w->m, operand(o, 1 - use_index(before->uses)));
	op *f = o->kind == OP_FUNC_CALL ? call_callee(w->m, o) : NULL;
	block *body = f && ptr_map_get(&w->calls, f) == o ? op_body(f) : NULL;
	return body ? sum_added(w, body->args[use_index(before->uses)], operand(body->last, after->index)) : NULL;
}

static void move_sum(module *m, op *loop, int i, op *sum)
{
	value *start = operand(loop, i), *end = result(loop, i), *all = result(sum, 0);
	add_up_later(m, sum, end);
	if (!is_zeros(start)) {
		builder before = builder_before(m, loop), after = builder_before(m, sum->next);
		op_set_operand(loop, i, build_zeros(&before, start->type));
		all = build_binary(&after, OP_ADD, start, all);
	}
	value_replace_uses(end, all);
	op_set_operand(sum, 0, end);
}

static void move_sums(const loops *w, op *loop)
{
	const block *body = op_block(loop, 1), *test = op_block(loop, 0);
	for (int i = 0; i < loop->n_operands; i++) {
		op *sum = test->args[i]->uses ? NULL : sum_added(w, body->args[i], operand(body->last, i));
		if (sum)
			move_sum(w->m, loop, i, sum);
	}
}

void sum_after_loops(module *m)
{
	static op several; /* instead of a call: there are two or more */
	loops w = {.m = m};
	for (op *o = m->top; o; o = op_next(o, m->top)) {
		op *f = o->kind == OP_FUNC_CALL ? call_callee(m, o) : NULL;
		void **calls = f ? ptr_map_at(&w.calls, &m->ctx->scratch, f) : NULL;
		if (calls)
			*calls = *calls ? &several : o;
	}
	for (op *o = m->top; o; o = op_next(o, m->top))
		if (o->kind == OP_WHILE)
			move_sums(&w, o);
}
