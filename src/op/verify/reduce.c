/* reduce.c - constraints of ops with reducers: reduce, windows, scatter, sort, map. */
#include "op/verify/verify.h"

/* ---- reducers ---------------------------------------------------------------------- */

static int class_of_elem(const type *t)
{
	if (is_quantized(t))
		return 100;
	dtype_class c = dtype_class_of(t->dtype);
	return c == DC_BOOL || c == DC_UINT ? DC_SINT : (int)c;
}

static int width_of_elem(const type *t)
{
	return dtype_bits(is_quantized(t) ? t->elem->quant->storage : t->dtype);
}

/* True if values of `from` may be accumulated in `to`: the same class, not narrower. */
static bool promotable(const type *from, const type *to)
{
	if (elems_agree(from, to))
		return true;
	if (is_quantized(from) && is_quantized(to) &&
	    from->elem->quant->expressed != to->elem->quant->expressed)
		return false;
	return class_of_elem(from) == class_of_elem(to) && width_of_elem(from) <= width_of_elem(to);
}

/* True if the dimensions of t are some of the allowed ones, in their order. */
static bool dims_among(const type *t, const int64_t *allowed, int n)
{
	int d = 0;
	for (int i = 0; i < n && d < t->rank; i++)
		d += dims_agree(allowed[i], t->dims[d]);
	return d == t->rank;
}

bool check_reducer(module *m, const op *o, int region, int n, const type *const *inputs,
                   const type *const *inits, const type **out, const int64_t *allowed,
                   int n_allowed)
{
	const block *b = op_block(o, region);
	const op *end = block_terminator(b);
	if (b->n_args != 2 * n)
		return bad_region(m, o, "has a reducer with %d arguments, expected %d", b->n_args,
		                  2 * n);
	if (!end || !op_has(end, TERMINATOR))
		return bad_region(m, o, "has a reducer that does not end in a return");
	if (end->n_operands != n)
		return bad_region(m, o, "has a reducer that returns %d values, expected %d",
		                  end->n_operands, n);
	for (int i = 0; i < n; i++) {
		const type *r = operand(end, i)->type, *acc = b->args[i]->type;
		if (!is_tensor(r))
			return bad_region(m, o, "has a reducer that returns %s, expected a tensor",
			                  type_words(m, r));
		if (!types_agree(acc, r) || !types_agree(b->args[n + i]->type, r))
			return bad_region(m, o,
			                  "has a reducer with arguments %s and %s that returns %s",
			                  type_words(m, acc), type_words(m, b->args[n + i]->type),
			                  type_words(m, r));
		if (!shapes_agree(r, inits[i]))
			return bad_region(m, o, "has a reducer on %s for an initial value of %s",
			                  type_words(m, r), type_words(m, inits[i]));
		if (!promotable(inits[i], r))
			return bad_region(
				m, o,
				"has a reducer on %s, which an initial value of %s does not "
				"fit",
				type_words(m, r), type_words(m, inits[i]));
		if (!promotable(inputs[i], b->args[n + i]->type))
			return bad_region(
				m, o, "has a reducer on %s, which an input of %s does not fit",
				type_words(m, b->args[n + i]->type), type_words(m, inputs[i]));
		if (is_ranked(r) && !dims_among(r, allowed, n_allowed))
			return bad_region(m, o, "has a reducer on %s, expected scalars",
			                  type_words(m, r));
		if (out)
			out[i] = r;
	}
	return true;
}

/* Splits the operands into n inputs and n initial values, and checks that there are n results. */
static bool split_operands(module *m, const op *o, int *n, const type ***inputs,
                           const type ***inits)
{
	if (o->n_operands % 2)
		return broken(m, o, "",
		              "has %d operands, expected inputs and as many initial values",
		              o->n_operands);
	*n = o->n_operands / 2;
	*inputs = NEW_N(&m->ctx->scratch, const type *, *n);
	*inits = NEW_N(&m->ctx->scratch, const type *, *n);
	for (int i = 0; i < *n; i++) {
		(*inputs)[i] = operand(o, i)->type;
		(*inits)[i] = operand(o, *n + i)->type;
		if (!shapes_agree((*inputs)[0], (*inputs)[i]))
			return broken(m, o, "C1", "has inputs of different shapes, %s and %s",
			              type_words(m, (*inputs)[0]), type_words(m, (*inputs)[i]));
	}
	return *n == o->n_results ||
	       broken(m, o, "", "has %d results for %d inputs", o->n_results, *n);
}

static const type *elems_of(module *m, const type *acc, const int64_t *dims, int rank)
{
	return type_shaped(m->ctx, TY_TENSOR, acc->elem, dims, rank, NULL);
}

bool infer_reduce(module *m, const op *o, const type **out)
{
	int n, k;
	const type **inputs, **inits;
	if (!split_operands(m, o, &n, &inputs, &inits))
		return false;
	const int64_t *over = want_ints(m, o, N_dimensions, &k);
	const type **acc = NEW_N(&m->ctx->scratch, const type *, n);
	if (k < 0)
		return false;
	const type *t = inputs[0];
	if (!dims_in_range(m, o, PART(N_dimensions), "C4, C5", "dimensions", over, k, t->rank, true))
		return false;
	int64_t *dims = NEW_N(&m->ctx->scratch, int64_t, t->rank + 1);
	int rank = 0;
	for (int d = 0; d < t->rank; d++) {
		bool gone = false;
		for (int i = 0; i < k; i++)
			gone |= over[i] == d;
		if (!gone)
			dims[rank++] = t->dims[d];
	}
	if (!check_reducer(m, o, 0, n, inputs, inits, acc, dims, rank))
		return false;
	for (int i = 0; i < n; i++)
		out[i] = elems_of(m, acc[i], dims, rank);
	return true;
}

/* ---- windows -------------------------------------------------------------------------- */

static bool read_factor(module *m, const op *o, int known, int rank, window_dim *w, size_t field,
                        const char *what)
{
	int n;
	const int64_t *v = op_ints(m, o, known, &n);
	if (n <= 0)
		return true; /* an empty list counts as absent */
	if (n != rank)
		return bad_attr(m, o, known, "has %d elements, expected %d", n, rank);
	for (int i = 0; i < rank; i++) {
		if (v[i] <= 0)
			return broken_at(m, o, PART(known, ITEM(i)), "",
			                 "has a %s of %" PRId64
			                 " in dimension %d, expected at least 1",
			                 what, v[i], i);
		memcpy((char *)&w[i] + field, &v[i], sizeof v[i]);
	}
	return true;
}

bool read_windows(module *m, const op *o, int rank, const int64_t *sizes, int strides, int padding,
                  int base_dilations, int window_dilations, window_dim *out)
{
	for (int i = 0; i < rank; i++) {
		out[i] = (window_dim){sizes[i], 1, 0, 0, 1, 1};
		if (!dim_dynamic(sizes[i]) && sizes[i] <= 0)
			return broken_at(m, o, PART(N_window_dimensions, ITEM(i)), "",
			                 "has a window of size %" PRId64
			                 " in dimension %d, expected at least 1",
			                 sizes[i], i);
	}
	if (!read_factor(m, o, strides, rank, out, offsetof(window_dim, stride), "stride") ||
	    !read_factor(m, o, base_dilations, rank, out, offsetof(window_dim, base_dilation),
	                 "base dilation") ||
	    !read_factor(m, o, window_dilations, rank, out, offsetof(window_dim, window_dilation),
	                 "window dilation"))
		return false;
	const attr *p = padding ? op_attr(o, padding) : NULL;
	int n;
	const int64_t *v = attr_ints(m->ctx, p, &n);
	if (!p || !n)
		return true;
	if (n != 2 * rank || p->kind != AT_DENSE || p->type->rank != 2 || p->type->dims[0] != rank)
		return bad_attr(m, o, padding, "must have the shape %dx2", rank);
	for (int i = 0; i < rank; i++) {
		out[i].pad_low = v[2 * i];
		out[i].pad_high = v[2 * i + 1];
	}
	return true;
}

int64_t window_count(int64_t size, const window_dim *w)
{
	if (dim_dynamic(size) || dim_dynamic(w->size))
		return DIM_DYNAMIC;
	int64_t dilated = 0, padded, reach; /* a number that overflows has no windows */
	if (size && (!mul_ok(size - 1, w->base_dilation, &dilated) || !add_ok(dilated, 1, &dilated)))
		return 0;
	if (!add_ok(w->pad_low, dilated, &padded) || !add_ok(padded, w->pad_high, &padded) ||
	    !mul_ok(w->size - 1, w->window_dilation, &reach) || !add_ok(reach, 1, &reach))
		return 0;
	return padded <= 0 || reach > padded ? 0 : (padded - reach) / w->stride + 1;
}

bool infer_reduce_window(module *m, const op *o, const type **out)
{
	int n, k;
	const type **inputs, **inits;
	if (!split_operands(m, o, &n, &inputs, &inits))
		return false;
	const int64_t *sizes = want_ints(m, o, N_window_dimensions, &k);
	const type **acc = NEW_N(&m->ctx->scratch, const type *, n);
	if (k < 0 || !check_reducer(m, o, 0, n, inputs, inits, acc, sizes, k))
		return false;
	const type *t = inputs[0];
	if (k != t->rank)
		return broken_at(m, o, PART(N_window_dimensions), "C4",
		                 "has a window of %d dimensions for an input of rank %d", k,
		                 t->rank);
	window_dim *w = NEW_N(&m->ctx->scratch, window_dim, k + 1);
	if (!read_windows(m, o, k, sizes, N_window_strides, N_padding, N_base_dilations,
	                  N_window_dilations, w))
		return false;
	int64_t *dims = NEW_N(&m->ctx->scratch, int64_t, k + 1);
	for (int i = 0; i < k; i++)
		dims[i] = window_count(t->dims[i], &w[i]);
	for (int i = 0; i < n; i++)
		out[i] = elems_of(m, acc[i], dims, k);
	return true;
}

/* `select` must compare two scalars of the operand's elements. */
static bool check_selector(module *m, const op *o, const type *t)
{
	const block *b = op_block(o, 0);
	const op *end = block_terminator(b);
	const type *scalar = scalar_like(m, t);
	if (b->n_args != 2)
		return bad_region(m, o, "has a select with %d arguments, expected 2", b->n_args);
	for (int i = 0; i < 2; i++)
		if (!types_agree(b->args[i]->type, scalar))
			return bad_region(m, o, "has a select on %s, expected %s",
			                  type_words(m, b->args[i]->type), type_words(m, scalar));
	const type *r = end && end->n_operands == 1 ? operand(end, 0)->type : NULL;
	if (!r || !is_tensor(r) || r->rank || r->dtype != DT_I1)
		return bad_region(m, o, "has a select that must return one scalar i1");
	return true;
}

bool check_select_and_scatter(module *m, const op *o)
{
	const type *t = operand(o, 0)->type, *src = operand(o, 1)->type,
		   *init = operand(o, 2)->type;
	const type *acc = NULL;
	if (init->rank)
		return broken(m, o, "I3", "has an initial value %s, expected a scalar",
		              type_words(m, init));
	if (!elems_agree(t, src))
		return broken(m, o, "C2", "scatters %s into %s, expected the same elements",
		              type_words(m, src), type_words(m, t));
	if (!check_selector(m, o, t) || !check_reducer(m, o, 1, 1, &src, &init, &acc, NULL, 0))
		return false;
	if (!shapes_agree(t, o->results[0].type) || !elems_agree(acc, o->results[0].type))
		return broken(m, o, "C11", "has a result %s for an operand %s",
		              type_words(m, o->results[0].type), type_words(m, t));
	int64_t *sizes = NEW_N(&m->ctx->scratch, int64_t, t->rank + 1);
	const int64_t *given = NULL;
	if ((t->rank || op_attr(o, N_window_dimensions)) &&
	    !(given = want_n_ints(m, o, N_window_dimensions, t->rank)))
		return false;
	for (int i = 0; i < t->rank; i++)
		sizes[i] = given ? given[i] : 1;
	window_dim *w = NEW_N(&m->ctx->scratch, window_dim, t->rank + 1);
	if (!read_windows(m, o, t->rank, sizes, N_window_strides, N_padding, 0, 0, w))
		return false;
	if (src->rank != t->rank)
		return broken(m, o, "C1", "has a source of rank %d for an operand of rank %d",
		              src->rank, t->rank);
	for (int i = 0; i < t->rank; i++)
		if (!dims_agree(window_count(t->dims[i], &w[i]), src->dims[i]))
			return broken(m, o, "C1",
			              "has %" PRId64
			              " windows in dimension %d, but a source of %" PRId64,
			              window_count(t->dims[i], &w[i]), i, src->dims[i]);
	return true;
}

/* ---- sort, map ---------------------------------------------------------------------------- */

bool check_sort(module *m, const op *o)
{
	const type *t = operand(o, 0)->type;
	for (int i = 1; i < o->n_operands; i++)
		if (!shapes_agree(t, operand(o, i)->type))
			return broken(m, o, "C2",
			              "sorts inputs of different shapes, expected the same shape");
	int64_t dim = op_int(o, N_dimension, -1);
	if (dim < -t->rank || dim >= t->rank)
		return broken_at(m, o, PART(N_dimension), "C4",
		                 "sorts along dimension %" PRId64 ", but its inputs have rank %d",
		                 dim, t->rank);
	const block *b = op_block(o, 0);
	if (b->n_args != 2 * o->n_operands)
		return bad_region(m, o, "has a comparator with %d arguments, expected %d",
		                  b->n_args, 2 * o->n_operands);
	for (int i = 0; i < b->n_args; i++) {
		const type *want = scalar_like(m, operand(o, i / 2)->type);
		if (!types_agree(b->args[i]->type, want))
			return bad_region(m, o,
			                  "has a comparator whose argument %d is %s, expected %s",
			                  i, type_words(m, b->args[i]->type), type_words(m, want));
	}
	const op *end = block_terminator(b);
	const type *r = end && end->n_operands == 1 ? operand(end, 0)->type : NULL;
	return (r && is_tensor(r) && !r->rank && r->dtype == DT_I1) ||
	       bad_region(m, o, "has a comparator that must return one scalar i1");
}

bool infer_map(module *m, const op *o, const type **out)
{
	const type *t = operand(o, 0)->type;
	const op *end = block_terminator(op_block(o, 0));
	const type *r = end && end->n_operands == 1 ? operand(end, 0)->type : NULL;
	if (!r || !r->elem)
		return bad_region(m, o, "has a computation that does not return one scalar");
	*out = type_with_elem(m->ctx, t, r->elem);
	return true;
}

bool check_map(module *m, const op *o)
{
	const type *t = operand(o, 0)->type, *res = o->results[0].type;
	const block *b = op_block(o, 0);
	const op *end = block_terminator(b);
	int n;
	const int64_t *dims = want_ints(m, o, N_dimensions, &n);
	if (n < 0)
		return false;
	for (int i = 0; i < n; i++)
		if (dims[i] != i)
			return broken_at(m, o, PART(N_dimensions, ITEM(i)), "C3",
			                 "must name its dimensions in order, 0 to rank - 1");
	if (n != t->rank)
		return broken_at(m, o, PART(N_dimensions), "C3",
		                 "names %d dimensions, but its inputs have rank %d", n, t->rank);
	for (int i = 1; i < o->n_operands; i++)
		if (!shapes_agree(t, operand(o, i)->type))
			return broken(m, o, "C1",
			              "maps inputs of different shapes, expected the same shape");
	if (b->n_args != o->n_operands)
		return bad_region(m, o, "has a computation with %d arguments, expected %d",
		                  b->n_args, o->n_operands);
	for (int i = 0; i < b->n_args; i++) {
		const type *want = scalar_like(m, operand(o, i)->type);
		if (!types_agree(b->args[i]->type, want))
			return bad_region(m, o,
			                  "has a computation whose argument %d is %s, expected %s",
			                  i, type_words(m, b->args[i]->type), type_words(m, want));
	}
	if (!end || end->n_operands != 1)
		return bad_region(m, o, "has a computation that must return one scalar");
	const type *r = operand(end, 0)->type;
	if (!is_tensor(r) || r->rank)
		return bad_region(m, o, "has a computation that returns %s, expected a scalar",
		                  type_words(m, r));
	if (!elems_agree(r, res) || !shapes_agree(t, res))
		return broken(m, o, "C4", "has a result %s for a computation that returns %s",
		              type_words(m, res), type_words(m, r));
	return true;
}
