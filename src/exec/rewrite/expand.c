/* expand.c - the walk over a function that replaces ops by several simpler ones. */
#include "exec/rewrite/custom.h"

static expand_fn *expand_fn_of(const op *o)
{
	static expand_fn *const rows[OP_COUNT] = {
#define EXPANDED(kind, name) [OP_##kind] = expand_##name,
#include "exec/kernel/kernels.def"
	};
	const custom_row *custom = custom_row_of(o);
	return custom ? custom->expand : rows[o->kind];
}

/* ---- the walk ----------------------------------------------------------------------------- */

static bool op_has_quantized(const op *o)
{
	bool any = false;
	for (int i = 0; i < o->n_operands; i++)
		any |= type_is_quantized(operand(o, i)->type);
	for (int i = 0; i < o->n_results; i++)
		any |= type_is_quantized(result(o, i)->type);
	for (int r = 0; r < op_n_regions(o); r++)
		for (int i = 0; op_block(o, r) && i < op_block(o, r)->n_args; i++)
			any |= type_is_quantized(op_block(o, r)->args[i]->type);
	return any;
}

bool expand_function(exec_plan *p, op *func)
{
	expander e = {.p = p, .ctx = p->ctx, .mem = &p->ctx->scratch};
	for (op *o = op_body(func)->first, *next; o; o = next) {
		bool quantized = op_has_quantized(o);
		expand_fn *fn = quantized && quantized_computes(o) ? expand_quantized
		                                                   : expand_fn_of(o);
		e.quantized |= quantized;
		if (!fn) {
			next = op_next(o, func);
			continue;
		}
		op *before = o->prev;
		block *b = o->parent;
		e.b = builder_before(p->m, o);
		if (!fn(&e, o))
			return false;
		next = before ? before->next : b->first;
	}
	if (e.quantized)
		quantized_to_storage(&e, func);
	return true;
}
