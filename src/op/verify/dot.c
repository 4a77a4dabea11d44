/* dot.c - constraints of products and convolutions. */
#include "op/verify/verify.h"

static bool fits_dim(module *m, const op *o, const int *part, const char *rule, const type *a,
                     int64_t da, const type *b, int64_t db)
{
	return dims_agree(a->dims[da], b->dims[db]) ||
	       broken_at(m, o, part, rule,
	                 "pairs dimension %" PRId64 " of size %" PRId64 " with dimension %" PRId64
	                 " of size %" PRId64,
	                 da, a->dims[da], db, b->dims[db]);
}

/* The shape of a product's result; rank -1: unknown. */
typedef struct product_shape {
	int64_t *dims;
	int rank;
} product_shape;

/* Checks the shape against that of the result, for constraint `rule`. */
static bool product_agrees(module *m, const op *o, const char *rule, const product_shape *p)
{
	const type *r = o->results[0].type;
	return p->rank < 0 || shapes_agree(tensor_like(m, r, p->dims, p->rank), r) ||
	       broken(m, o, rule, "has a result %s, expected the shape %s", type_words(m, r),
	              dims_words(m, p->dims, p->rank));
}

/* The result type, with the elements of the left side unless they are quantized. */
static bool product_type(module *m, const op *o, const product_shape *p, const type **out)
{
	const type *a = operand(o, 0)->type;
	if (p->rank < 0 || is_quantized(a))
		return false;
	*out = tensor_like(m, a, p->dims, p->rank);
	return true;
}

static bool dot_product(module *m, const op *o, product_shape *p)
{
	const type *a = operand(o, 0)->type, *b = operand(o, 1)->type;
	p->rank = -1;
	if (!is_ranked(a) || !is_ranked(b))
		return true;
	if (a->rank < 1 || a->rank > 2 || b->rank < 1 || b->rank > 2)
		return broken(m, o, "", "multiplies ranks %d and %d, expected 1 or 2", a->rank,
		              b->rank);
	if (!fits_dim(m, o, PART(N_dot_dimension_numbers), "", a, a->rank - 1, b, 0))
		return false;
	p->dims = NEW_N(&m->ctx->scratch, int64_t, 2);
	p->rank = 0;
	if (a->rank == 2)
		p->dims[p->rank++] = a->dims[0];
	if (b->rank == 2)
		p->dims[p->rank++] = b->dims[1];
	return true;
}

bool check_dot(module *m, const op *o)
{
	product_shape p;
	return dot_product(m, o, &p) && product_agrees(m, o, "", &p);
}

bool infer_dot(module *m, const op *o, const type **out)
{
	product_shape p;
	return dot_product(m, o, &p) && product_type(m, o, &p, out);
}

static bool precisions_ok(module *m, const op *o, const char *rule)
{
	const attr *p = op_attr(o, N_precision_config);
	if (p && p->kind == AT_ARRAY && p->n > 2)
		return broken_at(m, o, PART(N_precision_config, ITEM(2)), rule,
		                 "has %d precisions, expected at most 2", p->n);
	return true;
}

/* Reads a field of the dimension numbers and checks that it is in range. */
static bool dot_field(module *m, const op *o, const attr *s, int known, const type *t,
                      const int64_t **v, int *n)
{
	const attr *a = attr_get(s, known);
	static const int64_t nothing = 0;
	*v = &nothing;
	*n = 0;
	if (!a)
		return true;
	*v = attr_ints(m->ctx, a, n);
	if (*n < 0)
		return bad_part(m, o, PART(N_dot_dimension_numbers, known),
		                "has a field %s that is not a list of integers",
		                name_known(m->ctx, known)->s);
	if (is_ranked(t))
		return dims_in_range(m, o, PART(N_dot_dimension_numbers, known), "C5 to C8",
		                     name_known(m->ctx, known)->s, *v, *n, t->rank, true);
	return true;
}

/* Checks that batch dimensions `a` and contracting dimensions `b` are disjoint (field `known`). */
static bool apart(module *m, const op *o, const char *rule, const int64_t *a, int n,
                  const int64_t *b, int k, int known)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < k; j++)
			if (a[i] == b[j])
				return broken_at(
					m, o, PART(N_dot_dimension_numbers, known, ITEM(j)), rule,
					"has dimension %" PRId64
					" as a batching and as a contracting one",
					a[i]);
	return true;
}

static void put_free(const type *t, const int64_t *a, int n, const int64_t *b, int k,
                     int64_t *dims, int *rank)
{
	for (int d = 0; d < t->rank; d++) {
		bool used = false;
		for (int i = 0; i < n; i++)
			used |= a[i] == d;
		for (int i = 0; i < k; i++)
			used |= b[i] == d;
		if (!used)
			dims[(*rank)++] = t->dims[d];
	}
}

static bool general_product(module *m, const op *o, product_shape *result)
{
	const type *a = operand(o, 0)->type, *b = operand(o, 1)->type;
	const attr *s = op_attr(o, N_dot_dimension_numbers);
	const int64_t *lb, *rb, *lc, *rc;
	int n_lb, n_rb, n_lc, n_rc;
	result->rank = -1;
	if (!s)
		return bad_attr(m, o, N_dot_dimension_numbers, "is required");
	if (!dot_field(m, o, s, N_lhs_batching_dimensions, a, &lb, &n_lb) ||
	    !dot_field(m, o, s, N_rhs_batching_dimensions, b, &rb, &n_rb) ||
	    !dot_field(m, o, s, N_lhs_contracting_dimensions, a, &lc, &n_lc) ||
	    !dot_field(m, o, s, N_rhs_contracting_dimensions, b, &rc, &n_rc))
		return false;
	if (n_lb != n_rb)
		return broken_at(m, o, PART(N_dot_dimension_numbers, N_rhs_batching_dimensions),
		                 "C1",
		                 "has %d batching dimensions of its left side and %d of its right "
		                 "side, expected as many",
		                 n_lb, n_rb);
	if (n_lc != n_rc)
		return broken_at(
			m, o, PART(N_dot_dimension_numbers, N_rhs_contracting_dimensions), "C2",
			"has %d contracting dimensions of its left side and %d of its right "
			"side, expected as many",
			n_lc, n_rc);
	if (!apart(m, o, "C3", lb, n_lb, lc, n_lc, N_lhs_contracting_dimensions) ||
	    !apart(m, o, "C4", rb, n_rb, rc, n_rc, N_rhs_contracting_dimensions))
		return false;
	if (!precisions_ok(m, o, "C11"))
		return false;
	if (!is_ranked(a) || !is_ranked(b))
		return true;
	for (int i = 0; i < n_lb; i++)
		if (!fits_dim(m, o,
		              PART(N_dot_dimension_numbers, N_rhs_batching_dimensions, ITEM(i)),
		              "C9", a, lb[i], b, rb[i]))
			return false;
	for (int i = 0; i < n_lc; i++)
		if (!fits_dim(m, o,
		              PART(N_dot_dimension_numbers, N_rhs_contracting_dimensions, ITEM(i)),
		              "C10", a, lc[i], b, rc[i]))
			return false;
	int64_t *dims = NEW_N(&m->ctx->scratch, int64_t, a->rank + b->rank + 1);
	int rank = 0;
	for (int i = 0; i < n_lb; i++)
		dims[rank++] = dim_dynamic(a->dims[lb[i]]) ? b->dims[rb[i]] : a->dims[lb[i]];
	put_free(a, lb, n_lb, lc, n_lc, dims, &rank);
	put_free(b, rb, n_rb, rc, n_rc, dims, &rank);
	*result = (product_shape){dims, rank};
	return true;
}

bool check_dot_general(module *m, const op *o)
{
	product_shape p;
	return general_product(m, o, &p) && product_agrees(m, o, "C12", &p);
}

bool infer_dot_general(module *m, const op *o, const type **out)
{
	product_shape p;
	return general_product(m, o, &p) && product_type(m, o, &p, out);
}

/* ---- convolution ------------------------------------------------------------------------- */

static bool conv_dims_field(module *m, const op *o, const attr *s, int batch, int feature,
                            int spatial, const type *t, const char *rule, const char *what)
{
	int n;
	const int64_t *sp = attr_ints(m->ctx, attr_get(s, spatial), &n);
	const attr *b = attr_get(s, batch), *f = attr_get(s, feature);
	if (n < 0)
		n = 0;
	int64_t *all = NEW_N(&m->ctx->scratch, int64_t, n + 2);
	all[0] = b && b->kind == AT_INT ? b->i : 0;
	all[1] = f && f->kind == AT_INT ? f->i : 0;
	for (int i = 0; i < n; i++)
		all[2 + i] = sp[i];
	if (is_ranked(t) && n + 2 != t->rank)
		return broken_at(m, o, PART(N_dimension_numbers, spatial), rule,
		                 "names %d dimensions of %s, which has rank %d", n + 2, what,
		                 t->rank);
	int bad = bad_dim(m, all, n + 2, n + 2, true);
	const int *part = bad < 2 ? PART(N_dimension_numbers, bad ? feature : batch)
	                          : PART(N_dimension_numbers, spatial, ITEM(bad - 2));
	return bad < 0 || bad_dim_error(m, o, part, rule, what, all[bad], n + 2);
}

static bool conv_groups(module *m, const op *o, const conv_dims *d, const type *a, const type *k)
{
	int64_t fg = d->feature_groups, bg = d->batch_groups;
	if (fg > 1 && bg > 1)
		return broken_at(m, o, PART(N_batch_group_count), "C23",
		                 "groups both features and batches, expected at most one of them");
	int64_t in_f = a->dims[d->in_feature], in_b = a->dims[d->in_batch];
	int64_t k_in = k->dims[d->k_in], k_out = k->dims[d->k_out];
	if (!dim_dynamic(in_b) && in_b % bg)
		return broken_at(m, o, PART(N_batch_group_count), "C10",
		                 "has a batch of %" PRId64 ", which %" PRId64
		                 " groups do not divide",
		                 in_b, bg);
	if (!dim_dynamic(in_f) && in_f % fg)
		return broken_at(m, o, PART(N_feature_group_count), "C11",
		                 "has %" PRId64 " input features, which %" PRId64
		                 " groups do not divide",
		                 in_f, fg);
	if (!dim_dynamic(in_f) && !dims_agree(k_in, in_f / fg))
		return broken(m, o, "C14",
		              "has a kernel of %" PRId64 " input features, expected %" PRId64, k_in,
		              in_f / fg);
	if (!dim_dynamic(k_out) && k_out % bg)
		return broken_at(m, o, PART(N_batch_group_count), "C15",
		                 "has %" PRId64 " output features, which %" PRId64
		                 " batch groups do not divide",
		                 k_out, bg);
	if (!dim_dynamic(k_out) && k_out % fg)
		return broken_at(m, o, PART(N_feature_group_count), "C16",
		                 "has %" PRId64 " output features, which %" PRId64
		                 " feature groups do not divide",
		                 k_out, fg);
	return true;
}

static product_shape conv_product(module *m, const op *o, const conv_dims *d, bool known_padding)
{
	const type *a = operand(o, 0)->type, *k = operand(o, 1)->type;
	int n = d->n_spatial;
	int64_t *dims = NEW_N(&m->ctx->scratch, int64_t, n + 2);
	int64_t batch = a->dims[d->in_batch];
	dims[d->out_batch] = dim_dynamic(batch) ? batch : batch / d->batch_groups;
	dims[d->out_feature] = k->dims[d->k_out];
	for (int i = 0; i < n; i++) {
		window_dim w = {k->dims[d->k_spatial[i]], d->stride[i],       d->pad_low[i],
		                d->pad_high[i],           d->lhs_dilation[i], d->rhs_dilation[i]};
		int64_t size = known_padding ? window_count(a->dims[d->in_spatial[i]], &w)
		                             : DIM_DYNAMIC;
		dims[d->out_spatial[i]] = size;
	}
	return (product_shape){dims, n + 2};
}

/* The windows of n spatial dimensions; the reference checks them only if the padding is known. */
static bool conv_windows_ok(module *m, const op *o, int n, bool known_padding)
{
	const type *k = operand(o, 1)->type;
	int64_t *sizes = NEW_N(&m->ctx->scratch, int64_t, n + 1);
	int nk, n_padding;
	const int64_t *spatial = attr_ints(
		m->ctx, attr_get(op_attr(o, N_dimension_numbers), N_kernel_spatial_dimensions),
		&nk);
	for (int i = 0; i < n; i++)
		sizes[i] = is_ranked(k) && i < nk ? k->dims[spatial[i]] : DIM_DYNAMIC;
	window_dim *w = NEW_N(&m->ctx->scratch, window_dim, n + 1);
	return (!known_padding && !const_ints(m, operand(o, 2), &n_padding)) ||
	       read_windows(m, o, n, sizes, N_window_strides, known_padding ? N_padding : 0,
	                    N_lhs_dilation, N_rhs_dilation, w);
}

static bool conv_counts_ok(module *m, const op *o)
{
	static const int counts[] = {N_feature_group_count, N_batch_group_count};
	for (int i = 0; i < COUNT(counts); i++)
		if (op_int(o, counts[i], 1) < 1)
			return broken_at(m, o, PART(counts[i]), "C21, C22",
			                 "has a group count of %" PRId64 ", expected at least 1",
			                 op_int(o, counts[i], 1));
	return true;
}

/* Checks everything except the shape of the result, which is returned in *result. */
static bool conv_common(module *m, const op *o, bool known_padding, product_shape *result)
{
	const type *a = operand(o, 0)->type, *k = operand(o, 1)->type, *r = o->results[0].type;
	const attr *s = op_attr(o, N_dimension_numbers);
	result->rank = -1;
	if (!s)
		return bad_attr(m, o, N_dimension_numbers, "is required");
	if (is_ranked(a) && is_ranked(k) && a->rank != k->rank)
		return broken(m, o, "C1", "convolves rank %d with rank %d", a->rank, k->rank);
	if (is_ranked(a) && a->rank < 2)
		return broken(m, o, "C1", "convolves rank %d, expected at least 2", a->rank);
	if (!is_quantized(a) && !is_quantized(k) && a->elem != k->elem)
		return broken(m, o, "C27", "convolves %s with %s", type_words(m, a),
		              type_words(m, k));
	if (!conv_dims_field(m, o, s, N_input_batch_dimension, N_input_feature_dimension,
	                     N_input_spatial_dimensions, a, "C13", "the input") ||
	    !conv_dims_field(m, o, s, N_kernel_input_feature_dimension,
	                     N_kernel_output_feature_dimension, N_kernel_spatial_dimensions, k,
	                     "C18", "the kernel") ||
	    !conv_dims_field(m, o, s, N_output_batch_dimension, N_output_feature_dimension,
	                     N_output_spatial_dimensions, r, "C20", "the output"))
		return false;
	if (!precisions_ok(m, o, "C24"))
		return false;
	int n;
	attr_ints(m->ctx, attr_get(s, N_input_spatial_dimensions), &n);
	if (n < 0)
		n = 0;
	if (n > MAX_SPATIAL)
		return broken_at(m, o, PART(N_dimension_numbers, N_input_spatial_dimensions), "",
		                 "has %d spatial dimensions, expected at most %d", n, MAX_SPATIAL);
	if (!conv_windows_ok(m, o, n, known_padding) || !conv_counts_ok(m, o))
		return false;
	if (!is_ranked(a) || !is_ranked(k) || r->kind == TY_UNRANKED)
		return true;
	conv_dims d;
	int n_reversed;
	op_ints(m, o, N_window_reversal, &n_reversed);
	if (n_reversed > 0 && n_reversed != n)
		return bad_attr(m, o, N_window_reversal, "has %d elements, expected %d",
		                n_reversed, n);
	if (!op_conv_dims(m, o, &d))
		return o->kind == OP_DYNAMIC_CONV ||
		       broken(m, o, "", "has malformed dimension numbers or window attributes");
	*result = conv_product(m, o, &d, known_padding);
	return conv_groups(m, o, &d, a, k);
}

bool check_convolution(module *m, const op *o)
{
	product_shape p;
	return conv_common(m, o, true, &p) && product_agrees(m, o, "C25, C26", &p);
}

bool infer_convolution(module *m, const op *o, const type **out)
{
	product_shape p;
	return conv_common(m, o, true, &p) && product_type(m, o, &p, out);
}

bool check_dynamic_conv(module *m, const op *o)
{
	const type *p = operand(o, 2)->type, *t = operand(o, 0)->type;
	if (is_ranked(p) && is_ranked(t) &&
	    (p->rank != 2 || !dims_agree(p->dims[0], t->rank - 2) || !dims_agree(p->dims[1], 2)))
		return broken(m, o, "C4", "has a padding %s, expected %dx2", type_words(m, p),
		              t->rank - 2);
	product_shape result;
	return conv_common(m, o, false, &result) &&
	       product_agrees(m, o, "C25, C26", &result);
}
