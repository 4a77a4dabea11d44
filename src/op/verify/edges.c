/* edges.c - the record of propagation that debug-propagation-edge-sharding
 * leaves on ops, sdy.propagation_edges:
 *
 *   edges ::= '#sdy.propagation_edges<[' (step (',' step)*)? ']>'
 *   step  ::= '{step-' number '= [' (entry (',' entry)*)? ']}'
 *   entry ::= '{' axis '=' ref '->' '[' ref (',' ref)* ']}'
 *   ref   ::= ('operand' | 'result') '-' number
 *
 * It is kept as text, whose own consistency is checked where it is read; here only
 * what depends on the op.  Source: Shardy, verifyPropagationEdgesShardingAttr. */
#include "op/verify/sdy.h"

#include <stdlib.h>

typedef struct edge_scan {
	module *m;
	const op *o;
	const char *s;
	const mesh *mesh; /* of the shardings that are referred to */
} edge_scan;

static bool edge_error(const edge_scan *e, const char *what)
{
	return diag_error(e->m->ctx, op_attr_place(e->m, e->o, PART(N_sdy_propagation_edges)),
	                  E_EDGE, "'%s' op has propagation edges %s", op_name(e->o), what);
}

static bool edge_is(edge_scan *e, const char *text)
{
	size_t n = strlen(text);
	while (*e->s == ' ')
		e->s++;
	if (strncmp(e->s, text, n))
		return false;
	e->s += n;
	return true;
}

typedef struct edge_ref {
	bool of_result;
	int64_t index;
} edge_ref;

static bool edge_ref_ok(edge_scan *e, edge_ref *r)
{
	char *end;
	r->of_result = edge_is(e, "result-");
	if (!r->of_result && !edge_is(e, "operand-"))
		return edge_error(e, "that are malformed: expected operand-N or result-N");
	r->index = strtoll(e->s, &end, 10);
	if (end == e->s)
		return edge_error(e, "that are malformed: expected a number");
	e->s = end;
	int64_t n = r->of_result ? e->o->n_results : e->o->n_operands;
	if (e->o->kind != OP_SDY_FUNC_DATA_FLOW_EDGE && (r->index < 0 || r->index >= n))
		return edge_error(e, r->of_result ? "with a result that the op does not have"
		                                  : "with an operand that the op does not have");
	if (r->index < 0 || r->index >= n)
		return true;
	const value *v = r->of_result ? &e->o->results[r->index] : operand(e->o, (int)r->index);
	if (v->sharding && !e->mesh)
		e->mesh = sharding_mesh(e->m, v->sharding);
	return true;
}

/* {"x":(1)2 = operand-0 -> [result-0]} */
static bool edge_entry_ok(edge_scan *e)
{
	edge_ref r;
	if (!edge_is(e, "{") || !edge_is(e, "\""))
		return edge_error(e, "that are malformed: expected an axis");
	tess_str axis = {e->s, strcspn(e->s, "\"")};
	e->s += axis.len;
	e->s += strcspn(e->s, "=");
	if (!edge_is(e, "=") || !edge_ref_ok(e, &r) || !edge_is(e, "->") || !edge_is(e, "["))
		return edge_error(e, "that are malformed: expected a source and targets");
	do
		if (!edge_ref_ok(e, &r))
			return false;
	while (edge_is(e, ","));
	if (e->mesh && mesh_axis_index(e->mesh, name_of(e->m->ctx, axis)) < 0)
		return edge_error(e, "over an axis that the mesh does not have");
	return (edge_is(e, "]") && edge_is(e, "}")) ||
	       edge_error(e, "that are malformed: expected ']}'");
}

static bool edge_step_ok(edge_scan *e)
{
	if (!edge_is(e, "{") || !edge_is(e, "step-"))
		return edge_error(e, "that are malformed: expected {step-N");
	e->s += strcspn(e->s, "[");
	if (!edge_is(e, "["))
		return edge_error(e, "that are malformed: expected '['");
	do
		if (!edge_entry_ok(e))
			return false;
	while (edge_is(e, ","));
	return (edge_is(e, "]") && edge_is(e, "}")) ||
	       edge_error(e, "that are malformed: expected ']}'");
}

static bool is_edges(const attr *a)
{
	return a->kind == AT_OPAQUE && str_starts(name_str(a->text), "#sdy.propagation_edges<");
}

static bool edges_attr_ok(module *m, const op *o, const attr *a)
{
	edge_scan e = {.m = m, .o = o};
	if (!is_edges(a))
		return diag_error(m->ctx, op_attr_place(m, o, PART(N_sdy_propagation_edges)),
		                  E_EDGE,
		                  "'%s' op: sdy.propagation_edges must be #sdy.propagation_edges",
		                  op_name(o));
	e.s = a->text->s + strlen("#sdy.propagation_edges<");
	if (!edge_is(&e, "["))
		return edge_error(&e, "that are malformed: expected '['");
	while (!edge_is(&e, "]")) {
		if (!edge_step_ok(&e))
			return false;
		edge_is(&e, ",");
	}
	return e.mesh || edge_error(&e, "but none of the values it names has a sharding");
}

bool edges_ok(module *m, const op *o)
{
	static const int lists[] = {N_sdy_result_propagation_edges,
	                            N_sdy_block_arg_propagation_edges};
	const attr *a = op_attr(o, N_sdy_propagation_edges);
	if (a && !edges_attr_ok(m, o, a))
		return false;
	for (int k = 0; k < COUNT(lists); k++) {
		const attr *l = op_attr(o, lists[k]);
		bool good = !l || l->kind == AT_ARRAY;
		for (int i = 0; l && good && i < l->n; i++)
			good = is_edges(l->list[i]);
		if (!good)
			return diag_error(m->ctx, op_attr_place(m, o, PART(lists[k])), E_EDGE,
			                  "'%s' op: %s must be a list of #sdy.propagation_edges",
			                  op_name(o), name_known(m->ctx, lists[k])->s);
	}
	return true;
}
