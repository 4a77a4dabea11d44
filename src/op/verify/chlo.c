/* chlo.c - constraints of CHLO. */
#include "op/verify/verify.h"

/* ---- elementwise ------------------------------------------------------------------ */

/* Operands and result must have the same element type, also if that is quantized. */
static bool same_elements(module *m, const op *o, int first)
{
	const type *t = operand(o, first)->type;
	for (int i = first; i < o->n_operands; i++) {
		const type *u = operand(o, i)->type;
		bool agree = is_quantized(t) || is_quantized(u) ? elems_agree(t, u)
		                                                : t->elem == u->elem;
		if (!agree)
			return broken(m, o, "",
			              "has operands %s and %s, expected the same elements",
			              type_words(m, t), type_words(m, u));
	}
	return true;
}

bool check_chlo_broadcast(module *m, const op *o)
{
	const type *r = o->results[0].type;
	if (!same_elements(m, o, 0))
		return false;
	for (int i = 0; i < o->n_operands; i++) {
		const type *t = operand(o, i)->type;
		if ((is_quantized(t) || is_quantized(r)) && !elems_agree(t, r))
			return broken(m, o, "", "has a result %s for an operand %s",
			              type_words(m, r), type_words(m, t));
	}
	return true;
}

/* Unknown ranks may not be mixed with known ones. */
bool check_chlo_elementwise(module *m, const op *o)
{
	const type *t = operand(o, 0)->type, *r = o->results[0].type;
	return t->kind == r->kind || broken(m, o, "", "has a result %s for an operand %s",
	                                    type_words(m, r), type_words(m, t));
}

bool check_chlo_broadcast_pred(module *m, const op *o) { return same_elements(m, o, 0); }
bool check_chlo_broadcast_select(module *m, const op *o) { return same_elements(m, o, 1); }

bool check_chlo_constant_like(module *m, const op *o)
{
	const attr *a = op_attr(o, N_value);
	const type *r = o->results[0].type;
	if (!shapes_agree(operand(o, 0)->type, r))
		return broken(m, o, "", "has a result %s like an operand %s", type_words(m, r),
		              type_words(m, operand(o, 0)->type));
	return (a->type && a->type == r->elem) ||
	       broken_at(m, o, PART(N_value), "",
	                 "has a value of another type than its result's elements");
}

/* ---- top_k ------------------------------------------------------------------------------ */

bool infer_chlo_top_k(module *m, const op *o, const type **out)
{
	const type *t = operand(o, 0)->type, *i32 = type_scalar(m->ctx, DT_I32);
	int64_t k = op_int(o, N_k, 0);
	if (!is_ranked(t)) {
		out[0] = t;
		out[1] = type_shaped(m->ctx, TY_UNRANKED, i32, NULL, 0, NULL);
		return true;
	}
	if (!t->rank)
		return broken(m, o, "", "takes a scalar, expected at least one dimension");
	int64_t *dims = COPY_N(&m->ctx->scratch, t->dims, t->rank), *last = &dims[t->rank - 1];
	if (k < 0 || (!dim_dynamic(*last) && *last < k))
		return broken_at(m, o, PART(N_k), "",
		                 "takes %" PRId64 " of %" PRId64 " elements, which are not so many",
		                 k, *last);
	*last = k;
	out[0] = tensor_like(m, t, dims, t->rank);
	out[1] = type_shaped(m->ctx, TY_TENSOR, i32, dims, t->rank, NULL);
	return true;
}

/* ---- ragged_dot ---------------------------------------------------------------------------
 *
 *   ragged m: [b,m,k] x [g,b,k,n], sizes [b,g] -> [b,m,n]
 *   ragged k: [b,m,k] x [b,k,n],   sizes [b,g] -> [g,b,m,n]
 *   ragged b: [b,m,k] x [b,k,n],   sizes [g]   -> [b,m,n] */

typedef struct ragged_fields {
	const int64_t *lhs_batch, *rhs_batch, *lhs_contract, *rhs_contract, *ragged, *group;
	int n_batch, n_rhs_batch, n_contract, n_rhs_contract, n_ragged, n_group;
	const type *lhs, *rhs, *sizes;
} ragged_fields;

static const int64_t *ragged_field(module *m, const attr *s, int known, int *n)
{
	const int64_t *v = attr_ints(m->ctx, attr_get(s, known), n);
	if (*n < 0)
		*n = 0;
	return v;
}

#define RAGGED N_ragged_dot_dimension_numbers

static bool ragged_range(module *m, const op *o, int known, const int64_t *v, int n, const type *t)
{
	return dims_in_range(m, o, PART(RAGGED, known), "", name_known(m->ctx, known)->s, v, n,
	                     t->rank, true);
}

static bool ragged_pairs(module *m, const op *o, const ragged_fields *r)
{
	if (r->n_batch != r->n_rhs_batch || r->n_contract != r->n_rhs_contract)
		return broken_at(m, o,
		                 PART(RAGGED, r->n_batch != r->n_rhs_batch
		                                      ? N_rhs_batching_dimensions
		                                      : N_rhs_contracting_dimensions),
		                 "", "pairs lists of different lengths, expected the same");
	if (!ragged_range(m, o, N_lhs_batching_dimensions, r->lhs_batch, r->n_batch, r->lhs) ||
	    !ragged_range(m, o, N_rhs_batching_dimensions, r->rhs_batch, r->n_batch, r->rhs) ||
	    !ragged_range(m, o, N_lhs_contracting_dimensions, r->lhs_contract, r->n_contract,
	                  r->lhs) ||
	    !ragged_range(m, o, N_rhs_contracting_dimensions, r->rhs_contract, r->n_contract,
	                  r->rhs) ||
	    !ragged_range(m, o, N_lhs_ragged_dimensions, r->ragged, r->n_ragged, r->lhs) ||
	    !ragged_range(m, o, N_rhs_group_dimensions, r->group, r->n_group, r->rhs))
		return false;
	for (int i = 0; i < r->n_batch; i++)
		if (!dims_agree(r->lhs->dims[r->lhs_batch[i]], r->rhs->dims[r->rhs_batch[i]]))
			return broken_at(m, o, PART(RAGGED, N_rhs_batching_dimensions, ITEM(i)), "",
			                 "has batches of different sizes, expected the same");
	for (int i = 0; i < r->n_contract; i++)
		if (!dims_agree(r->lhs->dims[r->lhs_contract[i]], r->rhs->dims[r->rhs_contract[i]]))
			return broken_at(
				m, o, PART(RAGGED, N_rhs_contracting_dimensions, ITEM(i)), "",
				"contracts dimensions of different sizes, expected the same");
	for (int i = 0; i < r->n_group; i++)
		if (dim_listed(r->rhs_batch, r->n_batch, r->group[i]) ||
		    dim_listed(r->rhs_contract, r->n_contract, r->group[i]))
			return broken_at(m, o, PART(RAGGED, N_rhs_group_dimensions, ITEM(i)), "",
			                 "has a group dimension that is a batch or contracted too");
	return true;
}

/* The dimensions of the left side that come before the groups in the shape of group_sizes. */
static int ragged_prefix(const ragged_fields *r, bool batch, bool contract, int64_t *out)
{
	int n = 0;
	for (int i = 0; i < r->n_batch && !(batch && r->lhs_batch[i] == r->ragged[0]); i++)
		out[n++] = r->lhs_batch[i];
	for (int i = 0; contract && r->lhs_contract[i] != r->ragged[0]; i++)
		out[n++] = r->lhs_contract[i];
	for (int64_t i = 0; !batch && !contract && i < r->ragged[0]; i++)
		if (!dim_listed(r->lhs_batch, r->n_batch, i) &&
		    !dim_listed(r->lhs_contract, r->n_contract, i))
			out[n++] = i;
	return n;
}

static bool ragged_sizes(module *m, const op *o, const ragged_fields *r, bool batch, bool contract)
{
	int64_t *prefix = NEW_N(&m->ctx->scratch, int64_t, r->lhs->rank + 1);
	int n = ragged_prefix(r, batch, contract, prefix);
	if (r->sizes->rank < 1)
		return broken(m, o, "", "has scalar group sizes");
	if (r->sizes->rank == 1)
		return true;
	if (r->sizes->rank != n + 1)
		return broken(m, o, "", "has group sizes of rank %d, expected %d", r->sizes->rank,
		              n + 1);
	for (int i = 0; i < n; i++)
		if (!dims_agree(r->sizes->dims[i], r->lhs->dims[prefix[i]]))
			return broken(m, o, "", "has group sizes %s, which do not fit %s",
			              type_words(m, r->sizes), type_words(m, r->lhs));
	return true;
}

static bool ragged_groups(module *m, const op *o, const ragged_fields *r, bool inner)
{
	int64_t n = r->sizes->dims[r->sizes->rank - 1];
	if (inner)
		return !r->n_group ||
		       broken_at(m, o, PART(RAGGED, N_rhs_group_dimensions), "",
		                 "has group dimensions, expected none where a batch or contracted "
		                 "dimension is ragged");
	if (r->n_group != 1)
		return broken_at(m, o, PART(RAGGED, N_rhs_group_dimensions), "",
		                 "has %d group dimensions, expected 1", r->n_group);
	return dims_agree(n, r->rhs->dims[r->group[0]]) ||
	       broken(m, o, "", "has a group dimension of %" PRId64 ", expected %" PRId64,
	              r->rhs->dims[r->group[0]], n);
}

static const type *ragged_result(module *m, const op *o, const ragged_fields *r, bool contract)
{
	int64_t *dims = NEW_N(&m->ctx->scratch, int64_t, r->lhs->rank + r->rhs->rank + 1);
	int n = 0;
	if (contract)
		dims[n++] = r->sizes->dims[r->sizes->rank - 1];
	for (int i = 0; i < r->n_batch; i++)
		dims[n++] = r->lhs->dims[r->lhs_batch[i]];
	for (int i = 0; i < r->lhs->rank; i++)
		if (!dim_listed(r->lhs_batch, r->n_batch, i) &&
		    !dim_listed(r->lhs_contract, r->n_contract, i))
			dims[n++] = r->lhs->dims[i];
	for (int i = 0; i < r->rhs->rank; i++)
		if (!dim_listed(r->rhs_batch, r->n_batch, i) &&
		    !dim_listed(r->rhs_contract, r->n_contract, i) &&
		    !dim_listed(r->group, r->n_group, i))
			dims[n++] = r->rhs->dims[i];
	return tensor_like(m, o->results[0].type, dims, n);
}

bool check_chlo_ragged_dot(module *m, const op *o)
{
	const attr *s = op_attr(o, N_ragged_dot_dimension_numbers);
	ragged_fields r = {.lhs = operand(o, 0)->type,
	            .rhs = operand(o, 1)->type,
	            .sizes = operand(o, 2)->type};
	if (!is_ranked(r.lhs) || !is_ranked(r.rhs) || !is_ranked(r.sizes))
		return true;
	r.lhs_batch = ragged_field(m, s, N_lhs_batching_dimensions, &r.n_batch);
	r.rhs_batch = ragged_field(m, s, N_rhs_batching_dimensions, &r.n_rhs_batch);
	r.lhs_contract = ragged_field(m, s, N_lhs_contracting_dimensions, &r.n_contract);
	r.rhs_contract = ragged_field(m, s, N_rhs_contracting_dimensions, &r.n_rhs_contract);
	r.ragged = ragged_field(m, s, N_lhs_ragged_dimensions, &r.n_ragged);
	r.group = ragged_field(m, s, N_rhs_group_dimensions, &r.n_group);
	if (r.n_ragged != 1)
		return broken_at(m, o, PART(RAGGED, N_lhs_ragged_dimensions), "",
		                 "has %d ragged dimensions, expected 1", r.n_ragged);
	if (!ragged_pairs(m, o, &r))
		return false;
	bool batch = dim_listed(r.lhs_batch, r.n_batch, r.ragged[0]);
	bool contract = dim_listed(r.lhs_contract, r.n_contract, r.ragged[0]);
	if (!ragged_sizes(m, o, &r, batch, contract) || !ragged_groups(m, o, &r, batch || contract))
		return false;
	const type *want = ragged_result(m, o, &r, contract);
	return shapes_agree(want, o->results[0].type) ||
	       broken(m, o, "", "has a result %s, expected %s", type_words(m, o->results[0].type),
	              type_words(m, want));
}

/* ---- scan ------------------------------------------------------------------------------- */

/* The input's type without the dimension that is scanned. */
static const type *scanned_slice(module *m, const type *t, int64_t dim)
{
	int64_t *dims = NEW_N(&m->ctx->scratch, int64_t, t->rank);
	int n = 0;
	for (int i = 0; i < t->rank; i++)
		if (i != dim)
			dims[n++] = t->dims[i];
	return tensor_like(m, t, dims, n);
}

bool check_chlo_scan(module *m, const op *o)
{
	const block *b = op_body(o);
	int64_t dim = op_int(o, N_dimension, 0), size = op_int(o, N_scan_dim_size, DIM_DYNAMIC);
	int n;
	const int64_t *segments = op_ints(m, o, N_operandSegmentSizes, &n);
	int64_t n_inputs = n == 2 ? segments[0] : o->n_operands;
	for (int i = 0; i < o->n_operands && i < n_inputs; i++) {
		const type *t = operand(o, i)->type;
		if (!is_ranked(t))
			return broken(m, o, "", "scans %s, expected a ranked tensor",
			              type_words(m, t));
		if (dim >= t->rank)
			return broken_at(m, o, PART(N_dimension), "",
			                 "scans dimension %" PRId64 " of %s, which has rank %d",
			                 dim, type_words(m, t), t->rank);
		if (!dims_agree(t->dims[dim], size))
			return broken(m, o, "",
			              "scans a dimension of %" PRId64 ", expected %" PRId64,
			              t->dims[dim], size);
		size = dim_dynamic(t->dims[dim]) ? size : t->dims[dim];
	}
	if (b->n_args != o->n_operands)
		return bad_region(m, o, "has a body with %d arguments for %d operands", b->n_args,
		                  o->n_operands);
	for (int i = 0; i < b->n_args; i++) {
		const type *t = operand(o, i)->type;
		const type *want = i < n_inputs ? scanned_slice(m, t, dim) : t;
		if (!types_agree(want, b->args[i]->type))
			return bad_region(m, o, "has a body whose argument %d is %s, expected %s",
			                  i, type_words(m, b->args[i]->type), type_words(m, want));
	}
	return true;
}
