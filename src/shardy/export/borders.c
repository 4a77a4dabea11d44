/* borders.c - shardings of arguments and results, which code outside the program fills and reads:
 * sdy-update-non-divisible-input-output-shardings and
 * sdy-remove-sub-axes-in-input-output-shardings. */
#include "shardy/export/export.h"

static void divide_func(module *m, op *f)
{
	const block *b = op_body(f);
	for (int i = 0; b && i < b->n_args; i++)
		b->args[i]->sharding = evenly_sharded(m, b->args[i]->sharding, b->args[i]->type);
	for (int i = 0; i < op_func(f)->type->n_out; i++)
		op_func(f)->result_shardings[i] = evenly_sharded(m, op_func(f)->result_shardings[i],
		                                                 op_func(f)->type->out[i]);
}

/* What the body of a manual computation sees has to divide evenly: the sharding without its manual
 * axes, which do anyway. */
static void divide_manual_args(module *m, op *o)
{
	const attr *a = op_attr(o, N_in_shardings);
	const block *b = op_body(o);
	if (!a || a->n != b->n_args)
		return;
	const sharding **s = COPY_N(&m->ctx->scratch, a->shardings, a->n);
	for (int i = 0; i < a->n; i++) {
		const sharding *inside = sharding_inside_manual(m, o, s[i]);
		s[i] = sharding_outside_manual(m, o, s[i],
		                               evenly_sharded(m, inside, b->args[i]->type));
	}
	op_set_attr(m, o, N_in_shardings, attr_shardings(m->ctx, s, a->n));
}

static void divide_manual_results(module *m, op *o)
{
	const attr *a = op_attr(o, N_out_shardings);
	if (!a || a->n != o->n_results)
		return;
	const sharding **s = COPY_N(&m->ctx->scratch, a->shardings, a->n);
	for (int i = 0; i < a->n; i++)
		s[i] = evenly_sharded(m, s[i], result(o, i)->type);
	op_set_attr(m, o, N_out_shardings, attr_shardings(m->ctx, s, a->n));
}

bool pass_update_non_divisible_input_output_shardings(module *m, const pass_options *o)
{
	UNUSED(o);
	bool inside = module_has(m, OP_FUNC_CALL) || module_has(m, OP_SDY_MANUAL_COMPUTATION);
	for (op *i = module_body(m)->first; i; i = inside ? op_next(i, m->top) : i->next) {
		if (op_is_func(i))
			divide_func(m, i);
		for (int k = 0; i->kind == OP_FUNC_CALL && k < i->n_results; k++)
			result(i, k)->sharding =
			        evenly_sharded(m, result(i, k)->sharding, result(i, k)->type);
		if (op_is_manual(i)) {
			divide_manual_args(m, i);
			divide_manual_results(m, i);
		}
	}
	return true;
}

/* ---- removing sub-axes ---------------------------------------------------------------------- */

/* Truncates open dimensions before their first sub-axis. */
static const sharding *without_sub_axes(module *m, const sharding *s)
{
	if (!s)
		return NULL;
	arena_mark here = arena_here(&m->ctx->scratch);
	dim_sharding *dims = COPY_N(&m->ctx->scratch, s->dims, s->rank);
	for (int d = 0; d < s->rank; d++)
		for (int i = 0; dims[d].open && i < dims[d].n_axes; i++)
			if (!axis_is_full(dims[d].axes[i]))
				dims[d].n_axes = i;
	s = sharding_with_dims(m->ctx, s, dims, s->rank);
	arena_back(&m->ctx->scratch, here);
	return s;
}

bool pass_remove_sub_axes_in_input_output_shardings(module *m, const pass_options *o)
{
	UNUSED(o);
	op *f = module_main_or_only(m);
	if (!f)
		return true;
	for (int i = 0; op_body(f) && i < op_body(f)->n_args; i++) {
		value *v = op_body(f)->args[i];
		v->sharding = without_sub_axes(m, v->sharding);
	}
	for (int i = 0; i < op_func(f)->type->n_out; i++)
		op_func(f)->result_shardings[i] = without_sub_axes(m,
		                                                   op_func(f)->result_shardings[i]);
	return true;
}
