/* gather.c - rules of gather and scatter, which have the same structure.
 *
 * Slices are in the result of a gather and in the updates of a scatter. Each of their dimensions is
 * either an offset dimension, which comes from the input, in order, or a batch dimension, which
 * comes from the indices, in order. A batch dimension of the indices may be one of the input, too
 * (explicit batching). */
#include "op/rule/rule.h"

typedef struct gather_skeleton {
	rule_maker *r;
	bool scatter;
	int n_inputs; /* 1 for gather */
	int batch_kind; /* the kind of a batch dimension that the input does not have */
	const type *input, *indices, *slices;
	int n_offset, n_collapsed, n_input_batch;
	const int64_t *offset, *collapsed, *input_batch, *indices_batch;
	int64_t index_vector_dim;
} gather_skeleton;

/* gather:  (input, indices) -> slices
 * scatter: (inputs…, indices, slices…) -> like inputs… */
static void tie_gather(const gather_skeleton *g, int kind, int64_t size, int64_t input_dim,
                       int64_t indices_dim, int64_t slices_dim)
{
	rule_maker *r = g->r;
	int f = rule_factor(r, size, kind), n = g->n_inputs;
	for (int i = 0; i < n; i++) {
		rule_map_operand(r, i, input_dim, f);
		if (g->scatter)
			rule_map_operand(r, n + 1 + i, slices_dim, f);
		rule_map_result(r, i, g->scatter ? input_dim : slices_dim, f);
	}
	rule_map_operand(r, n, indices_dim, f);
}

/* A dimension taken whole passes through. If a part is taken, a scatter needs both sides whole; a
 * gather of one element may sum over devices, all but one of which contribute zero. */
static void tie_offset(const gather_skeleton *g, int64_t input_dim, int64_t slices_dim)
{
	int64_t whole = g->input->dims[input_dim], part = g->slices->dims[slices_dim];
	if (whole == part) {
		tie_gather(g, PASS, whole, input_dim, NO_DIM, slices_dim);
	} else if (g->scatter || part == 1) {
		tie_gather(g, g->scatter ? REPLICATE : REDUCE, whole, input_dim, NO_DIM, NO_DIM);
		tie_gather(g, REPLICATE, part, NO_DIM, NO_DIM, slices_dim);
	} else {
		tie_gather(g, REPLICATE | BLOCKED, whole, input_dim, NO_DIM, slices_dim);
	}
}

static void tie_batch(const gather_skeleton *g, int64_t indices_dim, int64_t slices_dim)
{
	int64_t input_dim = NO_DIM;
	for (int i = 0; i < g->n_input_batch; i++)
		if (g->indices_batch[i] == indices_dim)
			input_dim = g->input_batch[i];
	tie_gather(g, input_dim == NO_DIM ? g->batch_kind : PASS, g->slices->dims[slices_dim],
	           input_dim, indices_dim, slices_dim);
}

/* Each slice has one element along a collapsed dimension of the input. */
static int collapsed_kind(const gather_skeleton *g, int64_t size)
{
	if (g->scatter)
		return PASS;
	return size == 1 ? REPLICATE : REDUCE;
}

static bool rule_skeleton(const gather_skeleton *g)
{
	int64_t input_dim = 0, batch = 0;
	for (int d = 0; d < g->slices->rank; d++) {
		if (!rule_lists(g->offset, g->n_offset, d)) {
			int64_t dim = batch < g->index_vector_dim ? batch : batch + 1;
			if (dim >= g->indices->rank)
				return false;
			tie_batch(g, dim, d);
			batch++;
			continue;
		}
		while (rule_lists(g->collapsed, g->n_collapsed, input_dim) ||
		       rule_lists(g->input_batch, g->n_input_batch, input_dim))
			input_dim++;
		if (input_dim >= g->input->rank)
			return false;
		tie_offset(g, input_dim++, d);
	}
	for (int i = 0; i < g->n_collapsed; i++) {
		int64_t size = g->input->dims[g->collapsed[i]];
		tie_gather(g, collapsed_kind(g, size), size, g->collapsed[i], NO_DIM, NO_DIM);
	}
	if (g->index_vector_dim < g->indices->rank)
		tie_gather(g, REPLICATE, g->indices->dims[g->index_vector_dim], NO_DIM,
		           g->index_vector_dim, NO_DIM);
	return true;
}

bool rule_gather(rule_maker *r)
{
	gather_dims d;
	if (!rule_has_shapes(r, 2, 1) || !op_gather_dims(r->m, r->o, &d))
		return false;
	return rule_skeleton(&(gather_skeleton){.r = r,
	                                        .n_inputs = 1,
	                                        .batch_kind = PASS,
	                                        .input = rule_operand_type(r, 0),
	                                        .indices = rule_operand_type(r, 1),
	                                        .slices = rule_result_type(r, 0),
	                                        .n_offset = d.n_offset,
	                                        .n_collapsed = d.n_collapsed,
	                                        .n_input_batch = d.n_operand_batch,
	                                        .offset = d.offset,
	                                        .collapsed = d.collapsed,
	                                        .input_batch = d.operand_batch,
	                                        .indices_batch = d.indices_batch,
	                                        .index_vector_dim = d.index_vector_dim});
}

bool rule_scatter(rule_maker *r)
{
	scatter_dims d;
	int n = r->o->n_operands / 2;
	if (!op_scatter_dims(r->m, r->o, &d) || r->o->n_results != n ||
	    !rule_has_shapes(r, 2 * n + 1, n))
		return false;
	bool sums = op_shared_reduction(r->o) != OP_UNKNOWN;
	return rule_skeleton(&(gather_skeleton){.r = r,
	                                        .scatter = true,
	                                        .n_inputs = n,
	                                        .batch_kind = sums ? REDUCE : REPLICATE,
	                                        .input = rule_operand_type(r, 0),
	                                        .indices = rule_operand_type(r, n),
	                                        .slices = rule_operand_type(r, n + 1),
	                                        .n_offset = d.n_window,
	                                        .n_collapsed = d.n_inserted,
	                                        .n_input_batch = d.n_input_batch,
	                                        .offset = d.window,
	                                        .collapsed = d.inserted,
	                                        .input_batch = d.input_batch,
	                                        .indices_batch = d.indices_batch,
	                                        .index_vector_dim = d.index_vector_dim});
}
