/* dims.c - decodes dimension numbers and windows.
 *
 * #stablehlo.dot, .gather, .scatter and .conv are AT_STRUCTs whose fields have the names of the
 * text (offset_dims, lhs_contracting_dimensions, …); the short form of a convolution, [b, f, 0,
 * 1]x[…]->[…], has the fields of its raw form. An absent field is an empty list or zero. Callers
 * may index with the results: all numbers are dimensions of the tensors that they are about. */
#include "op/op.h"

/* A list of dimensions of a tensor with the given rank. */
static bool dims_field(const module *m, const attr *s, int known, int rank, const int64_t **out,
                       int *n)
{
	const attr *a = s ? attr_get(s, known) : NULL;
	*n = 0;
	*out = NULL;
	if (!a)
		return true;
	*out = attr_ints(m->ctx, a, n);
	if (*n < 0)
		return false;
	for (int i = 0; i < *n; i++)
		if ((*out)[i] < 0 || (*out)[i] >= rank)
			return false;
	return true;
}

/* A number in [0, limit). */
static bool dim_field(const attr *s, int known, int64_t limit, int64_t *out)
{
	const attr *a = s ? attr_get(s, known) : NULL;
	*out = a && a->kind == AT_INT ? a->i : 0;
	return *out >= 0 && *out < limit;
}

static bool operands_are_tensors(const op *o, int n)
{
	if (o->n_operands < n || o->n_results < 1)
		return false;
	for (int i = 0; i < n; i++)
		if (!type_is_tensor(operand(o, i)->type))
			return false;
	const type *r = result(o, 0)->type;
	return type_is_tensor(r) || r->kind == TY_NONE; /* none, while it is being inferred */
}

bool op_dot_dims(const module *m, const op *o, dot_dims *d)
{
	static const int64_t zero[] = {0}, one[] = {1};

	*d = (dot_dims){0};
	if (!operands_are_tensors(o, 2))
		return false;
	int lhs = operand(o, 0)->type->rank, rhs = operand(o, 1)->type->rank;
	if (o->kind == OP_DOT) {
		d->n_contract = 1;
		d->lhs_contract = lhs == 2 ? one : zero;
		d->rhs_contract = zero;
		return (lhs == 1 || lhs == 2) && (rhs == 1 || rhs == 2);
	}
	const attr *s = op_attr(o, N_dot_dimension_numbers);
	int n_rhs_batch, n_rhs_contract;
	return s &&
	       dims_field(m, s, N_lhs_batching_dimensions, lhs, &d->lhs_batch, &d->n_batch) &&
	       dims_field(m, s, N_rhs_batching_dimensions, rhs, &d->rhs_batch, &n_rhs_batch) &&
	       dims_field(m, s, N_lhs_contracting_dimensions, lhs, &d->lhs_contract,
	                  &d->n_contract) &&
	       dims_field(m, s, N_rhs_contracting_dimensions, rhs, &d->rhs_contract,
	                  &n_rhs_contract) &&
	       n_rhs_batch == d->n_batch && n_rhs_contract == d->n_contract;
}

bool op_gather_dims(const module *m, const op *o, gather_dims *d)
{
	*d = (gather_dims){0};
	if (!operands_are_tensors(o, 2))
		return false;
	int in = operand(o, 0)->type->rank, indices = operand(o, 1)->type->rank;
	const attr *s = op_attr(o, N_dimension_numbers);
	int n_indices_batch;
	d->sorted = op_bool(o, N_indices_are_sorted);
	d->slice_sizes = op_ints(m, o, N_slice_sizes, &d->n_slice_sizes);
	if (d->n_slice_sizes < 0) { /* dynamic_gather has them in an operand */
		d->n_slice_sizes = 0;
		d->slice_sizes = NULL;
	}
	return s &&
	       dims_field(m, s, N_offset_dims, result(o, 0)->type->rank, &d->offset,
	                  &d->n_offset) &&
	       dims_field(m, s, N_collapsed_slice_dims, in, &d->collapsed, &d->n_collapsed) &&
	       dims_field(m, s, N_operand_batching_dims, in, &d->operand_batch,
	                  &d->n_operand_batch) &&
	       dims_field(m, s, N_start_indices_batching_dims, indices, &d->indices_batch,
	                  &n_indices_batch) &&
	       dims_field(m, s, N_start_index_map, in, &d->map, &d->n_map) &&
	       dim_field(s, N_index_vector_dim, indices + 1, &d->index_vector_dim) &&
	       n_indices_batch == d->n_operand_batch;
}

bool op_scatter_dims(const module *m, const op *o, scatter_dims *d)
{
	*d = (scatter_dims){0};
	/* inputs…, indices, updates… */
	int n = o->n_operands / 2;
	if (o->n_operands % 2 == 0 || n < 1 || !operands_are_tensors(o, n + 2))
		return false;
	int in = operand(o, 0)->type->rank, indices = operand(o, n)->type->rank;
	const attr *s = op_attr(o, N_scatter_dimension_numbers);
	int n_indices_batch;
	d->sorted = op_bool(o, N_indices_are_sorted);
	d->unique = op_bool(o, N_unique_indices);
	return s &&
	       dims_field(m, s, N_update_window_dims, operand(o, n + 1)->type->rank, &d->window,
	                  &d->n_window) &&
	       dims_field(m, s, N_inserted_window_dims, in, &d->inserted, &d->n_inserted) &&
	       dims_field(m, s, N_input_batching_dims, in, &d->input_batch, &d->n_input_batch) &&
	       dims_field(m, s, N_scatter_indices_batching_dims, indices, &d->indices_batch,
	                  &n_indices_batch) &&
	       dims_field(m, s, N_scatter_dims_to_operand_dims, in, &d->map, &d->n_map) &&
	       dim_field(s, N_index_vector_dim, indices + 1, &d->index_vector_dim) &&
	       n_indices_batch == d->n_input_batch;
}

/* ---- convolution ------------------------------------------------------------- */

static bool conv_spatial(const module *m, const attr *s, int known, int rank, int n_spatial,
                         int64_t *out)
{
	const int64_t *v;
	int n;
	if (!dims_field(m, s, known, rank, &v, &n) || n != n_spatial)
		return false;
	if (n)
		memcpy(out, v, sizeof *out * (size_t)n);
	return true;
}

/* One number for each spatial dimension, at least 1; absent: all are 1. */
static bool conv_factors(const module *m, const op *o, int known, int n_spatial, int64_t *out)
{
	int n;
	const int64_t *v = op_ints(m, o, known, &n);
	if (op_attr(o, known) && n && n != n_spatial) /* an empty list counts as absent */
		return false;
	for (int i = 0; i < n_spatial; i++) {
		out[i] = n > 0 ? v[i] : 1;
		if (out[i] < 1)
			return false;
	}
	return true;
}

static bool conv_padding(const module *m, const op *o, conv_dims *d)
{
	int n;
	const int64_t *v = op_ints(m, o, N_padding, &n);
	if (op_attr(o, N_padding) && n && n != 2 * d->n_spatial)
		return false;
	for (int i = 0; n > 0 && i < d->n_spatial; i++) {
		d->pad_low[i] = v[2 * i];
		d->pad_high[i] = v[2 * i + 1];
	}
	return true;
}

static bool conv_reversal(const module *m, const op *o, conv_dims *d)
{
	int n;
	const int64_t *v = op_ints(m, o, N_window_reversal, &n);
	if (op_attr(o, N_window_reversal) && n && n != d->n_spatial)
		return false;
	for (int i = 0; n > 0 && i < d->n_spatial; i++)
		d->reversed[i] = v[i] != 0;
	return true;
}

bool op_conv_dims(const module *m, const op *o, conv_dims *d)
{
	*d = (conv_dims){0};
	const attr *s = op_attr(o, N_dimension_numbers);
	if (!s || !operands_are_tensors(o, 2))
		return false;
	const type *r = result(o, 0)->type;
	int rank = operand(o, 0)->type->rank, n = rank - 2;
	if (n < 0 || n > MAX_SPATIAL || operand(o, 1)->type->rank != rank ||
	    (r->kind != TY_NONE && r->rank != rank))
		return false;
	d->n_spatial = n;
	d->feature_groups = op_int(o, N_feature_group_count, 1);
	d->batch_groups = op_int(o, N_batch_group_count, 1);
	return d->feature_groups >= 1 && d->batch_groups >= 1 &&
	       dim_field(s, N_input_batch_dimension, rank, &d->in_batch) &&
	       dim_field(s, N_input_feature_dimension, rank, &d->in_feature) &&
	       dim_field(s, N_kernel_input_feature_dimension, rank, &d->k_in) &&
	       dim_field(s, N_kernel_output_feature_dimension, rank, &d->k_out) &&
	       dim_field(s, N_output_batch_dimension, rank, &d->out_batch) &&
	       dim_field(s, N_output_feature_dimension, rank, &d->out_feature) &&
	       conv_spatial(m, s, N_input_spatial_dimensions, rank, n, d->in_spatial) &&
	       conv_spatial(m, s, N_kernel_spatial_dimensions, rank, n, d->k_spatial) &&
	       conv_spatial(m, s, N_output_spatial_dimensions, rank, n, d->out_spatial) &&
	       conv_factors(m, o, N_window_strides, n, d->stride) &&
	       conv_factors(m, o, N_lhs_dilation, n, d->lhs_dilation) &&
	       conv_factors(m, o, N_rhs_dilation, n, d->rhs_dilation) && conv_padding(m, o, d) &&
	       conv_reversal(m, o, d);
}

/* ---- reducer bodies and side effects -------------------------------------------------------- */

op_kind op_body_kind(const op *o, int region)
{
	const block *b = region < op_n_regions(o) ? op_block(o, region) : NULL;
	const op *f = b ? b->first : NULL, *end = b ? b->last : NULL;
	if (!f || f->next != end || end->n_operands != 1 || f->n_results != 1 ||
	    operand(end, 0) != &f->results[0] || f->n_operands != 2 || b->n_args != 2)
		return OP_UNKNOWN;
	bool ordered = operand(f, 0) == b->args[0] && operand(f, 1) == b->args[1];
	bool swapped = operand(f, 0) == b->args[1] && operand(f, 1) == b->args[0];
	return ordered || (swapped && op_has(f, COMMUTES)) ? (op_kind)f->kind : OP_UNKNOWN;
}

/* True if `f` combines arguments `a` and `b` by an op that has an identity and commutes. */
static bool combines_args(const op *f, const block *body, int a, int b)
{
	if (!f || f->n_operands != 2 || !type_is_tensor(result(f, 0)->type))
		return false;
	monoid by = monoid_of_op(f->kind);
	bool logical = by == MONOID_AND || by == MONOID_OR;
	if (by == MONOID_NONE || by == MONOID_XOR ||
	    (logical && result(f, 0)->type->dtype != DT_I1))
		return false;
	const value *lhs = operand(f, 0), *rhs = operand(f, 1);
	return (lhs == body->args[a] && rhs == body->args[b]) ||
	       (lhs == body->args[b] && rhs == body->args[a]);
}

op_kind op_shared_reduction(const op *o)
{
	const block *b = op_body(o);
	int n = o->n_operands / 2;
	if (!b || b->n_args != 2 * n || !b->last || b->last->n_operands != n)
		return OP_UNKNOWN;
	op_kind kind = OP_UNKNOWN;
	for (int i = 0; i < n; i++) {
		const op *f = value_def(operand(b->last, i));
		if (!combines_args(f, b, i, i + n) || (i && f->kind != kind))
			return OP_UNKNOWN;
		kind = (op_kind)f->kind;
	}
	return kind;
}

bool op_is_elementwise(const op *o)
{
	if (o->kind == OP_BITCAST_CONVERT) {
		const type *in = operand(o, 0)->type, *out = result(o, 0)->type;
		return in->rank == out->rank &&
		       memcmp(in->dims, out->dims, sizeof *in->dims * (size_t)in->rank) == 0;
	}
	return op_has(o, ELEMENTWISE | ANNOTATES);
}

/* True if the op itself has no effects besides its results. */
static bool op_is_quiet(const op *o)
{
	if (o->kind == OP_CUSTOM_CALL)
		return !op_bool(o, N_has_side_effect);
	return op_has(o, PURE | BODY_PURE | TERMINATOR);
}

bool op_is_dead_if_unused(const op *o)
{
	if (op_has(o, TERMINATOR | SYMBOL) || !op_is_quiet(o))
		return false;
	if (!op_has(o, BODY_PURE))
		return true;
	for (const op *i = op_next(o, o); i; i = op_next(i, o))
		if (!op_is_quiet(i))
			return false;
	return true;
}

bool dim_listed(const int64_t *dims, int n, int64_t d)
{
	for (int i = 0; i < n; i++)
		if (dims[i] == d)
			return true;
	return false;
}
