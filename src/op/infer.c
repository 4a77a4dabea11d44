/* infer.c - infers result types from operands and attributes.
 *
 * A dynamic dimension and a static one give a static one. An inference that finds its op malformed
 * reports the constraint of the specification that does not hold and returns false. One that only
 * cannot know the type returns false without a diagnostic. */
#include "op/verify/verify.h"

/* ---- like the operands ---------------------------------------------------------------------- */

/* The shape on which all operands from `first` on agree. */
static bool merged(module *m, const op *o, int first, const type **out)
{
	const type *t = operand(o, first)->type;
	int64_t *dims = NULL;
	for (int i = first + 1; i < o->n_operands; i++) {
		const type *u = operand(o, i)->type;
		if (!elems_agree(t, u))
			return broken(m, o, "",
			              "has operands of types %s and %s, expected the same elements",
			              type_words(m, t), type_words(m, u));
		if (!shapes_agree(t, u))
			return broken(m, o, "",
			              "has operands of types %s and %s, expected the same shape",
			              type_words(m, t), type_words(m, u));
		if (!is_ranked(t)) {
			t = u;
			continue;
		}
		for (int d = 0; is_ranked(u) && d < t->rank; d++) {
			if (!dim_dynamic(t->dims[d]) || dim_dynamic(u->dims[d]))
				continue;
			if (!dims)
				dims = COPY_N(&m->ctx->scratch, t->dims, t->rank);
			dims[d] = u->dims[d];
		}
		if (dims)
			t = tensor_like(m, t, dims, t->rank);
	}
	*out = t;
	return true;
}

bool infer_like0(module *m, const op *o, const type **out)
{
	return merged(m, o, 0, out);
}

bool infer_only0(module *m, const op *o, const type **out)
{
	UNUSED(m);
	*out = operand(o, 0)->type;
	return true;
}

bool infer_like1(module *m, const op *o, const type **out)
{
	UNUSED(m);
	*out = operand(o, 1)->type;
	return true;
}

bool infer_like_operands(module *m, const op *o, const type **out)
{
	if (o->n_results != o->n_operands)
		return broken(m, o, "", "has %d results for %d operands", o->n_results,
		              o->n_operands);
	for (int i = 0; i < o->n_operands; i++)
		out[i] = operand(o, i)->type;
	return true;
}

static const type *with_dtype(module *m, const type *t, dtype d)
{
	const type *elem = type_scalar(m->ctx, d);
	return type_shaped(m->ctx, t->kind, elem, t->dims, t->rank, t->encoding);
}

bool infer_pred(module *m, const op *o, const type **out)
{
	if (!merged(m, o, 0, out))
		return false;
	*out = with_dtype(m, *out, DT_I1);
	return true;
}

bool infer_real_part(module *m, const op *o, const type **out)
{
	const type *t = operand(o, 0)->type;
	*out = dtype_is_complex(t->dtype) ? with_dtype(m, t, dtype_part_of(t->dtype)) : t;
	return true;
}

bool infer_complex(module *m, const op *o, const type **out)
{
	if (!merged(m, o, 0, out))
		return false;
	dtype d = dtype_complex_of((*out)->dtype);
	if (!d)
		return broken(m, o, "C2", "has operands of type %s, expected f32 or f64",
		              type_words(m, *out));
	*out = with_dtype(m, *out, d);
	return true;
}

bool infer_select(module *m, const op *o, const type **out)
{
	const type *t = operand(o, 1)->type, *u = operand(o, 2)->type;
	if (!elems_agree(t, u) || !shapes_agree(t, u))
		return broken(m, o, "C2", "chooses between %s and %s, expected the same type",
		              type_words(m, t), type_words(m, u));
	return merged(m, o, 1, out);
}

bool infer_clamp(module *m, const op *o, const type **out)
{
	UNUSED(m);
	*out = operand(o, 1)->type;
	return true;
}

bool infer_constant(module *m, const op *o, const type **out)
{
	const attr *a = op_attr(o, N_value);
	if (!a || (a->kind != AT_DENSE && a->kind != AT_RESOURCE && a->kind != AT_OPAQUE))
		return bad_attr(m, o, N_value,
		                a ? "must be the elements of a tensor" : "is required");
	*out = a->type;
	const type *have = o->results[0].type;
	if (a->type && is_quantized(have))
		*out = have; /* its elements are written in the storage type */
	return a->type != NULL;
}

bool infer_ui32(module *m, const op *o, const type **out)
{
	UNUSED(o);
	*out = type_tensor(m->ctx, DT_UI32, NULL, 0);
	return true;
}

bool infer_token(module *m, const op *o, const type **out)
{
	UNUSED(o);
	*out = type_token(m->ctx);
	return true;
}

bool infer_dequantize(module *m, const op *o, const type **out)
{
	const type *t = operand(o, 0)->type;
	*out = with_dtype(m, t, t->elem->quant->expressed);
	return true;
}

bool infer_get_dimension_size(module *m, const op *o, const type **out)
{
	const type *t = operand(o, 0)->type;
	int64_t dim;
	*out = type_tensor(m->ctx, DT_I32, NULL, 0);
	return want_int(m, o, N_dimension, t->rank, &dim);
}

/* ---- moving data ---------------------------------------------------------------------- */

static int64_t *new_dims(module *m, int rank) { return NEW_N(&m->ctx->scratch, int64_t, rank + 1); }

bool infer_broadcast(module *m, const op *o, const type **out)
{
	const type *t = operand(o, 0)->type;
	int n;
	const int64_t *sizes = want_ints(m, o, N_broadcast_sizes, &n);
	if (n < 0)
		return false;
	int64_t *dims = new_dims(m, n + t->rank);
	for (int i = 0; i < n; i++) {
		if (sizes[i] < 0)
			return bad_part(m, o, PART(N_broadcast_sizes, ITEM(i)),
			                "has the negative size %" PRId64, sizes[i]);
		dims[i] = sizes[i];
	}
	for (int i = 0; i < t->rank; i++)
		dims[n + i] = t->dims[i];
	*out = tensor_like(m, t, dims, n + t->rank);
	return true;
}

bool infer_transpose(module *m, const op *o, const type **out)
{
	const type *t = operand(o, 0)->type;
	int n;
	const int64_t *p = want_ints(m, o, N_permutation, &n);
	if (n < 0)
		return false;
	if (n != t->rank)
		return broken_at(m, o, PART(N_permutation), "C2",
		                 "permutes %d dimensions, but its operand has %d", n, t->rank);
	if (!dims_in_range(m, o, PART(N_permutation), "C2", "permutation", p, n, n, true))
		return false;
	int64_t *dims = new_dims(m, n);
	for (int i = 0; i < n; i++)
		dims[i] = t->dims[p[i]];
	*out = tensor_like(m, t, dims, n);
	return true;
}

bool infer_slice(module *m, const op *o, const type **out)
{
	const type *t = operand(o, 0)->type;
	const int64_t *start = want_n_ints(m, o, N_start_indices, t->rank);
	const int64_t *limit = start ? want_n_ints(m, o, N_limit_indices, t->rank) : NULL;
	const int64_t *stride = limit ? want_n_ints(m, o, N_strides, t->rank) : NULL;
	if (!stride)
		return false;
	int64_t *dims = new_dims(m, t->rank);
	for (int i = 0; i < t->rank; i++) {
		if (start[i] < 0)
			return broken_at(m, o, PART(N_start_indices, ITEM(i)), "C3",
			                 "starts at %" PRId64
			                 " in dimension %d, expected at least 0",
			                 start[i], i);
		if (!dim_dynamic(t->dims[i]) && limit[i] > t->dims[i])
			return broken_at(m, o, PART(N_limit_indices, ITEM(i)), "C3",
			                 "ends at %" PRId64 " in dimension %d of size %" PRId64,
			                 limit[i], i, t->dims[i]);
		int64_t bound = type_bound(t, i);
		if (!dim_dynamic(bound) && limit[i] > bound)
			return broken_at(m, o, PART(N_limit_indices, ITEM(i)), "C3",
			                 "has limit %" PRId64
			                 " in dimension %d of at most %" PRId64,
			                 limit[i], i, bound);
		if (start[i] > limit[i])
			return broken_at(m, o, PART(N_start_indices, ITEM(i)), "C3",
			                 "starts at %" PRId64 " after its end %" PRId64
			                 " in dimension %d",
			                 start[i], limit[i], i);
		if (stride[i] <= 0)
			return broken_at(m, o, PART(N_strides, ITEM(i)), "C4",
			                 "has stride %" PRId64
			                 " in dimension %d, expected at least 1",
			                 stride[i], i);
		dims[i] = ceil_div(limit[i] - start[i], stride[i]);
	}
	*out = tensor_like(m, t, dims, t->rank);
	return true;
}

static bool same_index_types(module *m, const op *o, int first)
{
	for (int i = first + 1; i < o->n_operands; i++)
		if (operand(o, i)->type->elem != operand(o, first)->type->elem)
			return broken(m, o, "C3", "has start indices of different types");
	return true;
}

bool infer_dynamic_slice(module *m, const op *o, const type **out)
{
	const type *t = operand(o, 0)->type;
	int n;
	const int64_t *size = want_ints(m, o, N_slice_sizes, &n);
	if (n < 0)
		return false;
	if (o->n_operands - 1 != t->rank || n != t->rank)
		return broken(m, o, "C2",
		              "has %d start indices and %d sizes for an operand of rank %d",
		              o->n_operands - 1, n, t->rank);
	if (!same_index_types(m, o, 1))
		return false;
	for (int i = 0; i < n; i++)
		if (size[i] < 0 || (!dim_dynamic(t->dims[i]) && size[i] > t->dims[i]))
			return broken_at(m, o, PART(N_slice_sizes, ITEM(i)), "C4",
			                 "takes %" PRId64
			                 " elements of dimension %d, which does not have so many",
			                 size[i], i);
	*out = tensor_like(m, t, size, n);
	return true;
}

bool infer_dynamic_update_slice(module *m, const op *o, const type **out)
{
	const type *t = operand(o, 0)->type, *u = operand(o, 1)->type;
	*out = t;
	if (!elems_agree(t, u))
		return broken(m, o, "C2", "updates %s with %s, expected the same elements",
		              type_words(m, t), type_words(m, u));
	if (t->rank != u->rank)
		return broken(m, o, "C3", "updates rank %d with rank %d", t->rank, u->rank);
	if (o->n_operands - 2 != t->rank)
		return broken(m, o, "C4", "has %d start indices for an operand of rank %d",
		              o->n_operands - 2, t->rank);
	if (!same_index_types(m, o, 2))
		return false;
	for (int i = 0; i < t->rank; i++)
		if (!dim_dynamic(t->dims[i]) && !dim_dynamic(u->dims[i]) && u->dims[i] > t->dims[i])
			return broken(m, o, "C6",
			              "has an update of size %" PRId64
			              " in dimension %d of size %" PRId64,
			              u->dims[i], i, t->dims[i]);
	return true;
}

bool infer_concatenate(module *m, const op *o, const type **out)
{
	int64_t dim;
	const type *t = operand(o, 0)->type;
	if (!want_int(m, o, N_dimension, t->rank, &dim))
		return false;
	int64_t *dims = COPY_N(&m->ctx->scratch, t->dims, t->rank), sum = 0;
	for (int i = 0; i < o->n_operands; i++) {
		const type *u = operand(o, i)->type;
		if (u->elem != t->elem && !elems_agree(u, t))
			return broken(m, o, "C1", "joins %s and %s, expected the same elements",
			              type_words(m, t), type_words(m, u));
		if (u->rank != t->rank)
			return broken(m, o, "C2", "joins ranks %d and %d", t->rank, u->rank);
		for (int d = 0; d < t->rank; d++) {
			if (d == dim)
				continue;
			if (!dims_agree(u->dims[d], dims[d]))
				return broken(m, o, "C2", "joins sizes %" PRId64 " and %" PRId64
				              " of dimension %d", dims[d], u->dims[d], d);
			if (dim_dynamic(dims[d]))
				dims[d] = u->dims[d];
		}
		if (dim_dynamic(u->dims[dim]) || dim_dynamic(sum))
			sum = DIM_DYNAMIC;
		else if (!add_ok(sum, u->dims[dim], &sum))
			return broken(m, o, "C6", "has a result that is too large");
	}
	dims[dim] = sum;
	*out = tensor_like(m, t, dims, t->rank);
	return true;
}

bool infer_pad(module *m, const op *o, const type **out)
{
	const type *t = operand(o, 0)->type, *p = operand(o, 1)->type;
	if (p->rank)
		return broken(m, o, "I2", "has a padding value of rank %d, expected a scalar",
		              p->rank);
	if (!elems_agree(t, p))
		return broken(m, o, "C1", "pads %s with %s, expected the same elements",
		              type_words(m, t), type_words(m, p));
	int n;
	const int64_t *low = want_ints(m, o, N_edge_padding_low, &n);
	if (n < 0)
		return false;
	if (n != t->rank)
		return broken_at(m, o, PART(N_edge_padding_low), "C2",
		                 "pads %d dimensions, but its operand has %d", n, t->rank);
	const int64_t *high = want_n_ints(m, o, N_edge_padding_high, t->rank);
	const int64_t *inner = high ? want_n_ints(m, o, N_interior_padding, t->rank) : NULL;
	if (!inner)
		return false;
	int64_t *dims = new_dims(m, n);
	for (int i = 0; i < n; i++) {
		if (inner[i] < 0)
			return broken_at(m, o, PART(N_interior_padding, ITEM(i)), "C3",
			                 "has negative interior padding in dimension %d", i);
		dims[i] = t->dims[i];
		if (dim_dynamic(dims[i]))
			continue;
		int64_t gaps;
		if (!mul_ok(max_i64(dims[i] - 1, 0), inner[i], &gaps) ||
		    !add_ok(dims[i], gaps, &dims[i]) || !add_ok(dims[i], low[i], &dims[i]) ||
		    !add_ok(dims[i], high[i], &dims[i]) || dims[i] < 0)
			return broken(m, o, "C4", "leaves no size for dimension %d", i);
	}
	*out = tensor_like(m, t, dims, n);
	return true;
}

/* ---- others --------------------------------------------------------------------------------- */

bool infer_tuple(module *m, const op *o, const type **out)
{
	const type **in = NEW_N(&m->ctx->scratch, const type *, o->n_operands + 1);
	for (int i = 0; i < o->n_operands; i++)
		in[i] = operand(o, i)->type;
	*out = type_list(m->ctx, TY_TUPLE, in, o->n_operands, NULL, 0);
	return true;
}

bool infer_get_tuple_element(module *m, const op *o, const type **out)
{
	const type *t = operand(o, 0)->type;
	int64_t index;
	if (t->kind != TY_TUPLE)
		return broken(m, o, "I1", "takes an element of %s, expected a tuple",
		              type_words(m, t));
	if (!want_int(m, o, N_index, t->n_in, &index))
		return false;
	*out = t->in[index];
	return true;
}

bool infer_branches(module *m, const op *o, const type **out)
{
	if (!op_n_regions(o))
		return !o->n_results;
	for (int r = 0; r < op_n_regions(o); r++) {
		const op *end = block_terminator(op_block(o, r));
		if (!end || !op_has(end, TERMINATOR))
			return bad_region(m, o, "has a branch %d without a return", r);
		if (end->n_operands != o->n_results)
			return bad_region(
				m, o, "has a branch %d that returns %d values, but the op has %d",
				r, end->n_operands, o->n_results);
		for (int i = 0; i < o->n_results; i++) {
			const type *t = operand(end, i)->type;
			if (r == 0)
				out[i] = t;
			else if (!types_agree(out[i], t))
				return bad_region(m, o,
				                  "has branches that return %s and %s as value %d",
				                  type_words(m, out[i]), type_words(m, t), i);
		}
	}
	return true;
}

const type *op_predicate_type(tess_ctx *ctx, const type *t)
{
	const type *i1 = type_scalar(ctx, DT_I1);
	return t->elem && t->kind != TY_COMPLEX ? type_with_elem(ctx, t, i1) : i1;
}

bool infer_truth(module *m, const op *o, const type **out)
{
	*out = op_predicate_type(m->ctx, operand(o, 0)->type);
	return true;
}

/* The results are the first operands. */
bool infer_leading(module *m, const op *o, const type **out)
{
	UNUSED(m);
	for (int i = 0; i < o->n_results && i < o->n_operands; i++)
		out[i] = operand(o, i)->type;
	return o->n_results <= o->n_operands;
}

/* The operands are inputs, indices, and as many updates as inputs. */
bool infer_scattered(module *m, const op *o, const type **out)
{
	return o->n_operands == 2 * o->n_results + 1 && infer_leading(m, o, out);
}

static bool fft_last(module *m, const op *o, const type *t, int64_t want, const char *rule)
{
	if (t->rank && !dim_dynamic(t->dims[t->rank - 1]) && t->dims[t->rank - 1] != want)
		return broken(m, o, rule, "has a last dimension of %" PRId64 ", expected %" PRId64,
		              t->dims[t->rank - 1], want);
	return true;
}

bool infer_fft(module *m, const op *o, const type **out)
{
	const type *t = operand(o, 0)->type;
	const char *kind = enum_word(op_attr(o, N_fft_type));
	bool rfft = !strcmp(kind, "RFFT"), irfft = !strcmp(kind, "IRFFT");
	int n;
	const int64_t *len = want_ints(m, o, N_fft_length, &n);
	if (n < 0)
		return false;
	if (n < 1 || n > 3)
		return broken(m, o, "C3", "has %d lengths, expected 1 to 3", n);
	bool real = t->dtype == DT_F32 || t->dtype == DT_F64;
	if (rfft ? !real : !dtype_is_complex(t->dtype))
		return broken(m, o, "C2", "transforms %s, expected %s", type_words(m, t),
		              rfft ? "f32 or f64" : "complex numbers");
	if (t->rank < n)
		return broken(m, o, "C1", "transforms %d dimensions of an operand of rank %d", n,
		              t->rank);
	int64_t *dims = COPY_N(&m->ctx->scratch, t->dims, t->rank);
	for (int i = 0; i < n; i++) {
		int d = t->rank - n + i;
		bool last = i == n - 1;
		if (len[i] < 0)
			return broken(m, o, "C3", "has a negative length");
		if (!(last && irfft) && !dim_dynamic(t->dims[d]) && t->dims[d] != len[i])
			return broken(m, o, "C4",
			              "has length %" PRId64 " for dimension %d of size %" PRId64,
			              len[i], d, t->dims[d]);
	}
	int64_t half = len[n - 1] ? len[n - 1] / 2 + 1 : 0;
	if (irfft && !fft_last(m, o, t, half, "C5"))
		return false;
	if (rfft)
		dims[t->rank - 1] = half;
	if (irfft)
		dims[t->rank - 1] = len[n - 1];
	dtype d = rfft ? dtype_complex_of(t->dtype) : irfft ? dtype_part_of(t->dtype) : t->dtype;
	*out = type_tensor(m->ctx, d, dims, t->rank);
	return d != DT_NONE;
}

bool infer_batch_norm_training(module *m, const op *o, const type **out)
{
	const type *t = operand(o, 0)->type;
	int64_t f;
	if (!want_int(m, o, N_feature_index, t->rank, &f))
		return false;
	out[0] = t;
	out[1] = out[2] = tensor_like(m, t, &t->dims[f], 1);
	return true;
}
