/* loops.c - recognizes while loops that count.
 *
 *     while (i = start, …)
 *     cond { return i < limit }          or i <= limit
 *     do   { …; return i + step, … } */
#include "op/op.h"

static bool const_int(const value *v, int64_t *out)
{
	const op *o = value_def(v);
	if (!o || !op_has(o, CONSTANT))
		return false;
	const attr *a = op_attr(o, N_value);
	if (!a || a->kind != AT_DENSE || a->type->n_elems != 1 || !dtype_is_int(a->type->dtype))
		return false;
	*out = attr_dense_int(a, 0);
	return true;
}

/* The constant that the body adds to carried value i; 0 if it does something else. */
static int64_t step_of(const op *loop, int i)
{
	const op *ret = block_terminator(op_block(loop, 1));
	const op *add = ret && i < ret->n_operands ? value_def_of(operand(ret, i), OP_ADD) : NULL;
	int64_t step = 0;
	if (!add)
		return 0;
	const value *arg = op_block(loop, 1)->args[i];
	if (operand(add, 0) == arg && const_int(operand(add, 1), &step))
		return step;
	if (operand(add, 1) == arg && const_int(operand(add, 0), &step))
		return step;
	return 0;
}

/* The comparison (less, or less or equal) of a loop-carried value in the condition; NULL: none. */
static const op *condition_of(const block *cond, bool *or_equal)
{
	const op *ret = cond ? block_terminator(cond) : NULL;
	const op *cmp = ret && ret->n_operands == 1 ? value_def_of(operand(ret, 0), OP_COMPARE) : NULL;
	const char *dir = cmp ? enum_word(op_attr(cmp, N_comparison_direction)) : "";
	*or_equal = !strcmp(dir, "LE");
	return (*or_equal || !strcmp(dir, "LT")) && value_owner(operand(cmp, 0)) == cond ? cmp : NULL;
}

bool while_count(const op *o, loop_count *c)
{
	const block *cond = o->kind == OP_WHILE ? op_block(o, 0) : NULL;
	const block *body = cond ? op_block(o, 1) : NULL;
	bool or_equal;
	const op *cmp = body ? condition_of(cond, &or_equal) : NULL;
	if (!cmp)
		return false;
	const value *lhs = operand(cmp, 0), *rhs = operand(cmp, 1);
	/* The limit may itself be loop-carried and unchanged. */
	if (value_owner(rhs) == cond &&
	    operand(block_terminator(body), (int)rhs->index) == body->args[rhs->index])
		rhs = operand(o, (int)rhs->index);
	c->counter = (int)lhs->index;
	c->step = step_of(o, c->counter);
	if (c->step <= 0 || !const_int(rhs, &c->limit) || !const_int(operand(o, c->counter), &c->start))
		return false;
	c->limit += or_equal;
	return true;
}
