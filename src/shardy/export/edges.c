/* edges.c - sdy-sink-data-flow-edges and sdy-sink-func-data-flow-edges: move the sharding that
 * propagation found for an edge to the op that owns it, and remove the edge. */
#include "shardy/export/export.h"

static void forward_edge(op *edge)
{
	value_replace_uses(result(edge, 0), operand(edge, 0));
	op_erase(edge);
}

const sharding **edge_shardings(module *m, value *const *owners, int n)
{
	const sharding **s = NEW_N(&m->ctx->scratch, const sharding *, n), *any = NULL;
	for (int i = 0; i < n; i++) {
		const op *edge = flow_edge(owners[i]);
		s[i] = edge ? result(edge, 0)->sharding : NULL;
		if (!any)
			any = s[i];
	}
	for (int i = 0; any && i < n; i++)
		if (!s[i])
			s[i] = sharding_open_for(m, owners[i], any->mesh);
	return any ? s : NULL;
}

/* ---- debug records of propagation ----------------------------------------------------------- */

/* Lists the edges' records, in the order of their owners. */
static const attr *edge_records(module *m, value *const *owners, int n, int record)
{
	const attr **list = NEW_N(&m->ctx->scratch, const attr *, n);
	int n_records = 0;
	for (int i = 0; i < n; i++) {
		const op *edge = flow_edge(owners[i]);
		const attr *a = edge ? op_attr(edge, record) : NULL;
		if (a)
			list[n_records++] = a;
	}
	return attr_array(m->ctx, list, n_records);
}

static void save_records(module *m, op *o, value *const *owners, int n, const pass_options *opts,
                         bool args)
{
	if (opts->sink_origins)
		op_set_attr(m, o,
		            args ? N_sdy_block_arg_sharding_origins : N_sdy_result_sharding_origins,
		            edge_records(m, owners, n, N_sdy_sharding_origins));
	if (opts->sink_edges)
		op_set_attr(m, o,
		            args ? N_sdy_block_arg_propagation_edges
		                 : N_sdy_result_propagation_edges,
		            edge_records(m, owners, n, N_sdy_propagation_edges));
}

/* ---- sinking edges -------------------------------------------------------------------------- */

static void sink_args(module *m, op *o)
{
	const block *b = op_body(o);
	const attr *now = op_attr(o, N_in_shardings);
	const sharding **s = edge_shardings(m, b->args, b->n_args);
	for (int i = 0; s && op_is_manual(o) && i < b->n_args; i++)
		if (now && i < now->n)
			s[i] = sharding_outside_manual(m, o, now->shardings[i], s[i]);
	if (s)
		op_set_attr(m, o, N_in_shardings, attr_shardings(m->ctx, s, b->n_args));
}

static void sink_results(module *m, op *o, value *const *results, bool listed)
{
	const sharding **s = edge_shardings(m, results, o->n_results);
	if (s && listed)
		op_set_attr(m, o, N_out_shardings, attr_shardings(m->ctx, s, o->n_results));
	else
		for (int i = 0; s && i < o->n_results; i++)
			result(o, i)->sharding = s[i];
}

static void sink_edges_of(module *m, op *o, const pass_options *opts)
{
	bool listed = op_has(o, LISTED);
	value **results = NEW_N(&m->ctx->scratch, value *, o->n_results);
	for (int i = 0; i < o->n_results; i++)
		results[i] = result(o, i);
	if (listed)
		sink_args(m, o);
	save_records(m, o, listed ? op_body(o)->args : NULL, listed ? op_body(o)->n_args : 0, opts,
	             true);
	sink_results(m, o, results, listed);
	save_records(m, o, results, o->n_results, opts, false);
}

/* In pre-order, an op comes before the edges on it. */
bool pass_sink_data_flow_edges(module *m, const pass_options *o)
{
	bool records = o->sink_origins || o->sink_edges;
	if (!module_has(m, OP_SDY_DATA_FLOW_EDGE) && !(records && module_has_data_flow(m)))
		return true;
	for (op *i = m->top, *next; i; i = next) {
		next = op_next(i, m->top);
		if (i->kind == OP_SDY_DATA_FLOW_EDGE)
			forward_edge(i);
		else if (op_has(i, DATA_FLOW))
			sink_edges_of(m, i, o);
	}
	module_forget_kind(m, OP_SDY_DATA_FLOW_EDGE);
	return true;
}

bool pass_sink_func_data_flow_edges(module *m, const pass_options *o)
{
	UNUSED(o);
	if (!module_has(m, OP_SDY_FUNC_DATA_FLOW_EDGE))
		return true;
	for (op *i = m->top, *next; i; i = next) {
		next = op_next(i, m->top);
		if (i->kind != OP_SDY_FUNC_DATA_FLOW_EDGE)
			continue;
		value *in = operand(i, 0);
		const sharding *s = result(i, 0)->sharding, *now = value_sharding(m, in);
		if (s)
			value_set_sharding(m, in, s);
		else if (now)
			value_set_sharding(m, in, sharding_open(m->ctx, now->mesh, now->rank));
		forward_edge(i);
	}
	module_forget_kind(m, OP_SDY_FUNC_DATA_FLOW_EDGE);
	return true;
}
