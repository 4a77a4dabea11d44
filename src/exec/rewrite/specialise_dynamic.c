/* specialise_dynamic.c - the dynamic_… ops and similar ones: operands that are shapes become
 * attributes and types. */
#include "exec/rewrite/specialise.h"

/* Makes the static op with the first n operands and the same attributes. */
static op *static_op(special *s, const op *o, op_kind kind, int n, const type *t)
{
	value **in = NEW_N(&s->p->ctx->scratch, value *, n + 1);
	for (int i = 0; i < n; i++)
		in[i] = operand(o, i);
	op *made = build_op(&s->e.b, kind, in, n, &t, 1, 0);
	op_take_attrs(s->p->m, made, o);
	return made;
}

static bool type_of_shape(special *s, op *o, int at, const type **t)
{
	*t = result(o, 0)->type;
	if ((*t)->is_static)
		return true;
	const int64_t *dims = special_ints(s, o, at, (*t)->rank);
	if (!dims)
		return false;
	for (int i = 0; i < (*t)->rank; i++)
		if (dims[i] < 0)
			return plan_error(s->p, o, "dimension %d of its shape is %" PRId64, i,
			                  dims[i]);
	*t = type_with_dims(s->p->ctx, *t, dims, (*t)->rank);
	return true;
}

/* Operand `at` is the shape; without it the op is a `kind`. */
static bool specialise_shape(special *s, op *o, int at, op_kind kind)
{
	const type *t;
	if (!type_of_shape(s, o, at, &t))
		return false;
	if (kind == OP_RESHAPE && operand(o, 0)->type->n_elems != t->n_elems)
		return plan_error(s->p, o,
		                  "the operand has %" PRId64
		                  " elements, but its shape needs %" PRId64,
		                  operand(o, 0)->type->n_elems, t->n_elems);
	return expand_done(&s->e, o, result(static_op(s, o, kind, at, t), 0));
}

bool specialise_reshape(special *s, op *o) { return specialise_shape(s, o, 1, OP_RESHAPE); }
bool specialise_iota(special *s, op *o) { return specialise_shape(s, o, 0, OP_IOTA); }
bool specialise_broadcast_in_dim(special *s, op *o)
{
	return specialise_shape(s, o, 1, OP_BROADCAST_IN_DIM);
}

static void special_set_ints(special *s, op *o, int known, const int64_t *v, int n)
{
	op_set_attr(s->p->m, o, known, attr_i64_array(s->p->ctx, v, n));
}

/* The static op has all its attributes: infers its result from them. */
static bool specialise_inferred(special *s, op *o, op *made)
{
	const type *t = result(o, 0)->type;
	if (!op_infer(s->p->m, made, &t))
		return diag_errors(s->p->ctx) ? false
		                              : plan_error(s->p, o, "its result has no shape");
	result(made, 0)->type = type_with_elem(s->p->ctx, t, result(o, 0)->type->elem);
	return expand_done(&s->e, o, result(made, 0));
}

/* Operands from `first` on, one for each name, become attributes of that name: lists with one
 * number for each dimension of the first operand. */
static bool specialise_lists(special *s, op *o, op_kind kind, int first, const int *names, int n)
{
	enum { MOST = 3 };
	const int64_t *lists[MOST];
	int rank = operand(o, 0)->type->rank;
	for (int i = 0; i < n; i++)
		if (!(lists[i] = special_ints(s, o, first + i, rank)))
			return false;
	op *made = static_op(s, o, kind, first, result(o, 0)->type);
	for (int i = 0; i < n; i++)
		special_set_ints(s, made, names[i], lists[i], rank);
	return specialise_inferred(s, o, made);
}

bool specialise_pad(special *s, op *o)
{
	static const int names[] = {N_edge_padding_low, N_edge_padding_high, N_interior_padding};
	return specialise_lists(s, o, OP_PAD, 2, names, COUNT(names));
}

bool specialise_slice(special *s, op *o)
{
	static const int names[] = {N_start_indices, N_limit_indices, N_strides};
	return specialise_lists(s, o, OP_SLICE, 1, names, COUNT(names));
}

bool specialise_gather(special *s, op *o)
{
	static const int names[] = {N_slice_sizes};
	return specialise_lists(s, o, OP_GATHER, 2, names, COUNT(names));
}

/* Keeps the first `size` elements of the dimension. */
bool specialise_size(special *s, op *o)
{
	const type *t = operand(o, 0)->type;
	const int64_t *size = special_ints(s, o, 1, 1), d = op_int(o, N_dimension, 0);
	if (!size)
		return false;
	if (size[0] < 0 || size[0] > t->dims[d])
		return plan_error(s->p, o, "the size %" PRId64 " is not between 0 and %" PRId64,
		                  size[0], t->dims[d]);
	int64_t *limit = COPY_N(&s->p->ctx->scratch, t->dims, t->rank);
	int64_t *start = NEW_N(&s->p->ctx->scratch, int64_t, t->rank);
	int64_t *stride = NEW_N(&s->p->ctx->scratch, int64_t, t->rank);
	for (int i = 0; i < t->rank; i++)
		stride[i] = 1;
	limit[d] = size[0];
	op *made = static_op(s, o, OP_SLICE, 1, type_with_dims(s->p->ctx, t, limit, t->rank));
	special_set_ints(s, made, N_start_indices, start, t->rank);
	special_set_ints(s, made, N_limit_indices, limit, t->rank);
	special_set_ints(s, made, N_strides, stride, t->rank);
	return expand_done(&s->e, o, result(made, 0));
}

int64_t special_windows(int64_t size, int64_t low, int64_t high, int64_t dilation, int64_t window,
                       int64_t window_dilation, int64_t stride)
{
	int64_t padded = low + (size ? (size - 1) * dilation + 1 : 0) + high;
	int64_t extent = window ? (window - 1) * window_dilation + 1 : 0;
	return padded < extent || !padded ? 0 : (padded - extent) / stride + 1;
}

const type *special_convolution_type(special *s, const op *o)
{
	conv_dims c;
	const type *t = result(o, 0)->type, *in = operand(o, 0)->type, *k = operand(o, 1)->type;
	if (!op_conv_dims(s->p->m, o, &c))
		return NULL;
	int64_t *dims = NEW_N(&s->p->ctx->scratch, int64_t, t->rank);
	dims[c.out_batch] = in->dims[c.in_batch] / c.batch_groups;
	dims[c.out_feature] = k->dims[c.k_out];
	for (int i = 0; i < c.n_spatial; i++)
		dims[c.out_spatial[i]] = special_windows(
			in->dims[c.in_spatial[i]], c.pad_low[i], c.pad_high[i], c.lhs_dilation[i],
			k->dims[c.k_spatial[i]], c.rhs_dilation[i], c.stride[i]);
	return type_with_dims(s->p->ctx, t, dims, t->rank);
}

bool specialise_convolution(special *s, op *o)
{
	const type *t = operand(o, 2)->type;
	const int64_t *padding = special_ints(s, o, 2, -1);
	if (!padding)
		return false;
	const attr *dense = attr_dense(s->p->ctx, type_tensor(s->p->ctx, DT_I64, t->dims, t->rank),
	                               padding, sizeof *padding * (size_t)t->n_elems, false);
	op *made = static_op(s, o, OP_CONVOLUTION, 2, result(o, 0)->type);
	op_set_attr(s->p->m, made, N_padding, dense);
	if (!result(made, 0)->type->is_static) {
		const type *out = special_convolution_type(s, made);
		if (!out)
			return plan_error(s->p, o, "its dimension numbers do not fit the operands");
		result(made, 0)->type = out;
	}
	return expand_done(&s->e, o, result(made, 0));
}
