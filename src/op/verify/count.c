/* count.c - the number of results of operations whose row leaves it open, if no types are
 * written. */
#include "op/verify/verify.h"

int count_operands(const module *m, const op_parts *p)
{
	UNUSED(m);
	return p->n_operands;
}

/* Inputs and as many initial values or updates; the indices of a scatter are one more. */
int count_pairs(const module *m, const op_parts *p)
{
	UNUSED(m);
	return p->n_operands / 2;
}

/* As many as the first region returns. */
int count_returned(const module *m, const op_parts *p)
{
	const block *b = p->n_regions ? p->regions[0].first : NULL;
	const op *end = b ? block_terminator(b) : NULL;
	UNUSED(m);
	return end && op_has(end, TERMINATOR) ? end->n_operands : -1;
}

/* As many as the future has. */
int count_awaited(const module *m, const op_parts *p)
{
	const type *t = p->n_operands == 1 ? p->operands[0]->type : NULL;
	UNUSED(m);
	return t && t->kind == TY_FUTURE ? t->n_in : -1;
}

static const attr *part_attr(const op_parts *p, int known)
{
	for (int i = 0; i < p->n_attrs; i++)
		if (name_is(p->attrs[i].name, known))
			return p->attrs[i].value;
	return NULL;
}

/* With has_dynamic_root the last operand has the roots of the others. */
int count_without_root(const module *m, const op_parts *p)
{
	UNUSED(m);
	return p->n_operands - (part_attr(p, N_has_dynamic_root) != NULL);
}

/* As many as the called function returns. */
int count_called(const module *m, const op_parts *p)
{
	const attr *a = part_attr(p, N_callee);
	if (!a)
		a = part_attr(p, N_decomposition);
	const op *f = a && a->kind == AT_SYMBOL ? module_lookup(m, a->text) : NULL;
	return f && op_is_func(f) ? op_func(f)->type->n_out : -1;
}
