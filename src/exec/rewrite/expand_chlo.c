/* expand_chlo.c - ops of CHLO that become several ops of StableHLO: broadcasting ones, and
 * ragged_dot. */
#include "exec/rewrite/expand.h"

/* ---- broadcasting ------------------------------------------------------------------------ */

/* Dimension i of an operand is dimension dims[i] of the result: given by broadcast_dimensions if
 * its rank is lower than the result's, otherwise the last ones. */
static const int64_t *broadcast_dims(expander *e, const op *o, int rank)
{
	int n, out = result(o, 0)->type->rank;
	const int64_t *given = op_ints(e->b.m, o, N_broadcast_dimensions, &n);
	if (n == rank && rank < out)
		return given;
	int64_t *dims = NEW_N(e->mem, int64_t, rank + 1);
	for (int i = 0; i < rank; i++)
		dims[i] = out - rank + i;
	return dims;
}

const type *expand_broadcast_type(expander *e, const op *o)
{
	const type *t = result(o, 0)->type;
	if (op_broadcasts(o->kind) == OP_UNKNOWN)
		return NULL;
	int64_t *out = NEW_N(e->mem, int64_t, t->rank + 1);
	for (int d = 0; d < t->rank; d++)
		out[d] = 1;
	for (int i = 0; i < o->n_operands; i++) {
		const type *in = operand(o, i)->type;
		const int64_t *dims = broadcast_dims(e, o, in->rank);
		for (int d = 0; d < in->rank; d++)
			if (dims[d] >= 0 && dims[d] < t->rank && in->dims[d] != 1)
				out[dims[d]] = in->dims[d];
	}
	return type_with_dims(e->ctx, t, out, t->rank);
}

bool expand_chlo_broadcast(expander *e, op *o)
{
	const type *t = result(o, 0)->type;
	value **in = NEW_N(e->mem, value *, o->n_operands);
	for (int i = 0; i < o->n_operands; i++) {
		value *v = operand(o, i);
		const type *wide = type_with_elem(e->ctx, t, v->type->elem);
		const int64_t *dims = broadcast_dims(e, o, v->type->rank);
		for (int d = 0; d < v->type->rank; d++)
			if (dims[d] < 0 || dims[d] >= t->rank ||
			    (v->type->dims[d] != 1 && v->type->dims[d] != t->dims[dims[d]]))
				return plan_error(e->p, o,
				                  "operand %d does not broadcast to the result", i);
		in[i] = v->type == wide ? v : build_broadcast(&e->b, v, wide, dims, v->type->rank);
	}
	op *plain = build_op(&e->b, op_broadcasts(o->kind), in, o->n_operands, &t, 1, 0);
	op_set_attr(e->b.m, plain, N_comparison_direction, op_attr(o, N_comparison_direction));
	op_set_attr(e->b.m, plain, N_compare_type, op_attr(o, N_compare_type));
	return expand_done(e, o, result(plain, 0));
}

bool expand_chlo_constant_like(expander *e, op *o)
{
	const attr *a = op_attr(o, N_value);
	const type *t = result(o, 0)->type;
	unsigned char data[16] = {0};
	if (a && a->kind == AT_DENSE && a->splat &&
	    a->type->dtype == t->dtype) /* or the part of a complex one */
		memcpy(data, a->data, (size_t)dtype_bytes(t->dtype));
	else if (a && a->kind == AT_INT)
		memcpy(data, &a->i, sizeof a->i);
	else if (a && a->kind == AT_FLOAT)
		elem_put(t->dtype, data, a->f);
	else
		return plan_unsupported(e->p, o, "such a value is");
	if (a->kind == AT_INT && !dtype_is_int(t->dtype))
		elem_put(t->dtype, data, (double)a->i);
	return expand_done(e, o,
	                   build_constant(&e->b, attr_dense(e->ctx, t, data,
	                                                    (size_t)dtype_bytes(t->dtype), true)));
}

/* ---- ragged_dot ----------------------------------------------------------------------------- */

/* Group g has the rows [end - size, end) of the ragged dimension. With a mask for these, all groups
 * are one dot_general: lhs gets the group as its first dimension, which is contracted with that of
 * rhs or kept. */
typedef struct ragged_dot {
	expander *e;
	value *lhs, *rhs, *sizes;
	const int64_t *lhs_batch, *rhs_batch, *lhs_contract, *rhs_contract, *group, *dim;
	int n_batch, n_contract, n_group;
} ragged_dot;

static const int64_t *ragged_ints(expander *e, const op *o, int known, int *n)
{
	const attr *s = op_attr(o, N_ragged_dot_dimension_numbers),
		   *a = s ? attr_get(s, known) : NULL;
	*n = 0;
	return a ? attr_ints(e->ctx, a, n) : NULL;
}

/* The dimensions of lhs that come before the groups in the shape of the group sizes. */
static int ragged_before(const ragged_dot *r, bool contracting, int64_t *out)
{
	int n = 0;
	for (int i = 0; i < r->n_batch; i++)
		out[n++] = r->lhs_batch[i];
	for (int i = 0; contracting && i < r->n_contract && r->lhs_contract[i] != r->dim[0]; i++)
		out[n++] = r->lhs_contract[i];
	for (int64_t d = 0; !contracting && d < r->dim[0]; d++)
		if (!dim_listed(r->lhs_batch, r->n_batch, d) &&
		    !dim_listed(r->lhs_contract, r->n_contract, d))
			out[n++] = d;
	return n;
}

/* Where each group ends: cumulative sums of the sizes. */
static value *ragged_ends(const ragged_dot *r, value *sizes)
{
	expander *e = r->e;
	int rank = sizes->type->rank;
	int64_t *dims = NEW_N(e->mem, int64_t, rank + 1), *places = NEW_N(e->mem, int64_t, rank);
	memcpy(dims, sizes->type->dims, sizeof *dims * (size_t)rank);
	dims[rank] = dims[rank - 1];
	for (int i = 0; i < rank; i++)
		places[i] = i;
	const type *t = type_tensor(e->ctx, DT_I64, dims, rank + 1);
	places[rank - 1] = rank; /* [.., g, h]: the size of h */
	value *each = build_broadcast(&e->b, sizes, t, places, rank);
	value *upto = build_compare(&e->b, COMPARE_LE,
	                            build_iota(&e->b, DT_I64, dims, rank + 1, rank),
	                            build_iota(&e->b, DT_I64, dims, rank + 1, rank - 1));
	const int64_t last = rank;
	return expand_sum(e, build_select(&e->b, upto, each, expand_splat(e, t, 0)), &last, 1);
}

/* lhs for each group, zero outside of the group's rows: [g, lhs...]. */
static value *ragged_masked(const ragged_dot *r, bool contracting)
{
	expander *e = r->e;
	const type *t = r->lhs->type;
	value *sizes = build_convert(&e->b, r->sizes, DT_I64);
	int rank = sizes->type->rank;
	int64_t *dims = NEW_N(e->mem, int64_t, t->rank + 1),
		*places = NEW_N(e->mem, int64_t, t->rank + 1);
	dims[0] = sizes->type->dims[rank - 1];
	memcpy(dims + 1, t->dims, sizeof *dims * (size_t)t->rank);
	int n = rank > 1 ? ragged_before(r, contracting, places) : 0;
	for (int i = 0; i < n; i++)
		places[i]++;
	places[n] = 0;
	const type *wide = type_tensor(e->ctx, DT_I64, dims, t->rank + 1);
	value *ends = ragged_ends(r, sizes),
	      *starts = build_binary(&e->b, OP_SUBTRACT, ends, sizes);
	value *row = build_iota(&e->b, DT_I64, dims, t->rank + 1, (int)r->dim[0] + 1);
	value *after = build_compare(&e->b, COMPARE_GE, row,
	                             build_broadcast(&e->b, starts, wide, places, n + 1));
	value *before = build_compare(&e->b, COMPARE_LT, row,
	                              build_broadcast(&e->b, ends, wide, places, n + 1));
	const type *out = type_with_dims(e->ctx, t, dims, t->rank + 1);
	for (int i = 0; i < t->rank; i++)
		places[i] = i + 1;
	return build_select(&e->b, build_binary(&e->b, OP_AND, after, before),
	                    build_broadcast(&e->b, r->lhs, out, places, t->rank),
	                    expand_splat(e, out, 0));
}

static int64_t *dims_shifted(expander *e, const int64_t *v, int n, int by)
{
	int64_t *r = NEW_N(e->mem, int64_t, n + 1);
	for (int i = 0; i < n; i++)
		r[i] = v[i] + by;
	return r;
}

/* Transposes a product [b, g, m, n] to [g, b, m, n]. */
static value *ragged_groups_first(expander *e, value *dot, const type *t, int n_batch)
{
	int64_t *permutation = NEW_N(e->mem, int64_t, t->rank);
	permutation[0] = n_batch;
	for (int i = 1; i < t->rank; i++)
		permutation[i] = i - (i <= n_batch);
	return build_transpose(&e->b, dot, permutation);
}

bool expand_ragged_dot(expander *e, op *o)
{
	int n_dim;
	ragged_dot r = {.e = e, .lhs = operand(o, 0), .rhs = operand(o, 1), .sizes = operand(o, 2)};
	r.lhs_batch = ragged_ints(e, o, N_lhs_batching_dimensions, &r.n_batch);
	r.rhs_batch = ragged_ints(e, o, N_rhs_batching_dimensions, &r.n_batch);
	r.lhs_contract = ragged_ints(e, o, N_lhs_contracting_dimensions, &r.n_contract);
	r.rhs_contract = ragged_ints(e, o, N_rhs_contracting_dimensions, &r.n_contract);
	r.group = ragged_ints(e, o, N_rhs_group_dimensions, &r.n_group);
	r.dim = ragged_ints(e, o, N_lhs_ragged_dimensions, &n_dim);
	const type *t = result(o, 0)->type;
	dot_dims d = {.n_batch = r.n_batch,
	              .n_contract = r.n_contract,
	              .lhs_batch = r.lhs_batch,
	              .rhs_batch = r.rhs_batch,
	              .lhs_contract = r.lhs_contract,
	              .rhs_contract = r.rhs_contract};
	if (dim_listed(r.lhs_batch, r.n_batch, r.dim[0])) /* whole products are grouped */
		return expand_done(e, o, expand_dot(e, r.lhs, r.rhs, &d, t));
	bool contracting = dim_listed(r.lhs_contract, r.n_contract, r.dim[0]);
	r.lhs = ragged_masked(&r, contracting);
	d.lhs_batch = dims_shifted(e, r.lhs_batch, r.n_batch, 1);
	int64_t *lhs = dims_shifted(e, r.lhs_contract, r.n_contract, 1);
	int64_t *rhs = dims_shifted(e, r.rhs_contract, r.n_contract, 0);
	d.lhs_contract = lhs;
	d.rhs_contract = rhs;
	if (!contracting) {
		lhs[r.n_contract] = 0;
		rhs[r.n_contract] = r.group[0];
		d.n_contract++;
		return expand_done(e, o, expand_dot(e, r.lhs, r.rhs, &d, t));
	}
	int64_t *dims = COPY_N(e->mem, t->dims, t->rank);
	for (int i = 0; i < r.n_batch; i++)
		dims[i] = t->dims[i + 1];
	dims[r.n_batch] = t->dims[0];
	value *dot = expand_dot(e, r.lhs, r.rhs, &d, type_with_dims(e->ctx, t, dims, t->rank));
	return expand_done(e, o, ragged_groups_first(e, dot, t, r.n_batch));
}
