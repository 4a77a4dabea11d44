/* edges.c - checks sdy.propagation_edges, the record of propagation that
 * debug-propagation-edge-sharding leaves on ops:
 *
 *   edges ::= '#sdy.propagation_edges<[' (step (',' step)*)? ']>'
 *   step  ::= '{step-' number '= [' (entry (',' entry)*)? ']}'
 *   entry ::= '{' axis '=' ref '->' '[' ref (',' ref)* ']}'
 *   ref   ::= ('operand' | 'result') '-' number
 *
 * It is kept as text, whose form is checked where it is read (mlir/read/sdy.c); here only what
 * depends on the op is. Source: Shardy, verifyPropagationEdgesShardingAttr. */
#include "op/verify/sdy.h"

#include <stdlib.h>

typedef struct edge_scan {
	module *m;
	const op *o;
	const mesh *mesh; /* of the shardings of the values that are named */
} edge_scan;

static bool edge_error(const edge_scan *e, const char *what)
{
	return diag_error(e->m->ctx, op_attr_place(e->m, e->o, PART(N_sdy_propagation_edges)),
	                  E_EDGE, "'%s' op has propagation edges %s", op_name(e->o), what);
}

/* Checks the value named by "operand-N" or "result-N" at the start of `s`. */
static bool edge_ref_ok(edge_scan *e, const char *s)
{
	bool of_result = *s == 'r';
	int64_t n = of_result ? e->o->n_results : e->o->n_operands;
	int64_t index = strtoll(strchr(s, '-') + 1, NULL, 10);
	if (index < 0 || index >= n)
		return e->o->kind == OP_SDY_FUNC_DATA_FLOW_EDGE ||
		       edge_error(e, of_result ? "with a result that the op does not have"
		                               : "with an operand that the op does not have");
	const value *v = of_result ? result(e->o, (int)index) : operand(e->o, (int)index);
	if (v->sharding && !e->mesh)
		e->mesh = sharding_mesh(e->m, v->sharding);
	return true;
}

static bool starts_ref(const char *s)
{
	return !strncmp(s, "operand-", 8) || !strncmp(s, "result-", 7);
}

/* Checks the references of all entries, and then the entry's axis on the mesh of its values. */
static bool edge_entries_ok(edge_scan *e, const char *s)
{
	tess_str axis = {0};
	for (; *s; s++) {
		if (*s == '"') {
			axis = (tess_str){s + 1, strcspn(s + 1, "\"")};
			s += axis.len + 1;
		} else if (starts_ref(s)) {
			if (!edge_ref_ok(e, s))
				return false;
		} else if (*s == ']' && axis.len && e->mesh) {
			if (mesh_axis_index(e->mesh, name_of(e->m->ctx, axis)) < 0)
				return edge_error(e, "over an axis that the mesh does not have");
			axis.len = 0;
		}
	}
	return true;
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
	if (!edge_entries_ok(&e, a->text->s))
		return false;
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
