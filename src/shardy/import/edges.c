/* edges.c - sdy-add-data-flow-edges and sdy-add-func-data-flow-edges: insert ops that hold the
 * shardings of values carried by control flow and calls. */
#include "shardy/import/import.h"

/* In reverse, since each edge is inserted right after the op or at the front of the block. */
static void add_edges_on(module *m, value *const *owners, int n)
{
	for (int i = n - 1; i >= 0; i--)
		if (type_is_tensor(owners[i]->type) && owners[i]->type->is_static)
			build_behind(m, OP_SDY_DATA_FLOW_EDGE, owners[i],
			             value_sharding(m, owners[i]));
}

void add_data_flow_edges_of(module *m, op *o)
{
	value **results = NEW_N(&m->ctx->scratch, value *, o->n_results);
	for (int i = 0; i < o->n_results; i++)
		results[i] = result(o, i);
	if (op_has(o, LISTED))
		add_edges_on(m, op_body(o)->args, op_body(o)->n_args);
	add_edges_on(m, results, o->n_results);
}

bool pass_add_data_flow_edges(module *m, const pass_options *o)
{
	UNUSED(o);
	if (!module_has_data_flow(m))
		return true;
	for (op *i = op_first_post(m->top), *next; i; i = next) {
		next = op_next_post(i, m->top);
		if (op_has(i, DATA_FLOW))
			add_data_flow_edges_of(m, i);
	}
	return true;
}

/* ---- functions ------------------------------------------------------------------------- */

/* Inserts an edge for each of the values, in their order, after `at` or at the front of `b`. */
static void add_func_edges(module *m, value *const *owners, int n)
{
	for (int i = n - 1; i >= 0; i--)
		if (type_is_tensor(owners[i]->type) && owners[i]->type->is_static)
			build_behind(m, OP_SDY_FUNC_DATA_FLOW_EDGE, owners[i], owners[i]->sharding);
}

bool pass_add_func_data_flow_edges(module *m, const pass_options *o)
{
	UNUSED(o);
	const op *top = module_main_or_only(m);
	for (op *f = module_body(m)->first; f; f = f->next)
		if (op_is_func(f) && f != top && !func_is_declaration(f))
			add_func_edges(m, op_body(f)->args, op_body(f)->n_args);
	for (op *i = op_first_post(m->top), *next; i; i = next) {
		next = op_next_post(i, m->top);
		if (i->kind != OP_FUNC_CALL)
			continue;
		value **results = NEW_N(&m->ctx->scratch, value *, i->n_results);
		for (int k = 0; k < i->n_results; k++)
			results[k] = result(i, k);
		add_func_edges(m, results, i->n_results);
	}
	return true;
}
