/* cmv1.c - sdy-remove-all-gather-reduce-scatter-for-cmv1. XLA's collective matmul fuses a product
 * with the gather before it or the scatter after it. XLA inserts that collective itself, so the
 * program must not have it. */
#include "shardy/export/export.h"

typedef VEC(op *) fused_ops;

static bool gathers_an_operand(const op *dot, arena *mem, fused_ops *gone)
{
	bool any = false;
	for (int i = 0; i < dot->n_operands; i++) {
		op *def = value_def_of(operand(dot, i), OP_SDY_ALL_GATHER);
		if (!def || !value_has_one_use(result(def, 0)))
			continue;
		vec_push(mem, gone, def);
		any = true;
	}
	return any;
}

/* If an operand is gathered, the scatter is kept. */
static void look_at_product(const op *dot, arena *mem, fused_ops *gone)
{
	value *out = result(dot, 0);
	if (gathers_an_operand(dot, mem, gone) || !value_has_one_use(out))
		return;
	op *user = out->uses->owner;
	if (user->kind != OP_SDY_REDUCE_SCATTER || (out->sharding && out->sharding->n_unreduced))
		return;
	out->sharding = result(user, 0)->sharding;
	vec_push(mem, gone, user);
}

bool pass_remove_all_gather_reduce_scatter_for_cmv1(module *m, const pass_options *o)
{
	UNUSED(o);
	fused_ops gone = {0};
	for (op *i = op_first_post(m->top); i; i = op_next_post(i, m->top))
		if (op_is_dot(i))
			look_at_product(i, &m->ctx->scratch, &gone);
	for (int i = 0; i < gone.len; i++) {
		value_replace_uses(result(gone.ptr[i], 0), operand(gone.ptr[i], 0));
		op_erase(gone.ptr[i]);
	}
	return true;
}
