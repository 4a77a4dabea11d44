/* conv.c - convolution as matrix products, without im2col.
 *
 * A convolution is a contraction whose left operand overlaps itself:
 *
 *     out[m, f] = sum over k of in[position(m) + offset(k)] * kernel[k, f]
 *
 * Here m runs over batch and output positions, k over window taps and input features, and both move
 * through the input by fixed strides. So for a range of m and a range of k that each advance by a
 * single stride in memory, the convolution is an ordinary matrix product that reads the input in
 * place; the remaining dimensions are loops around it. In NHWC the inner range of k is one row of
 * the window with all its features; in a gradient with respect to the kernel it is a row of the
 * image, and the inner range of m is a row of the window.
 *
 * This needs the padding, and the holes of a dilated input, to be present in memory, and the
 * kernel's output features to be contiguous; if they are not, a separate step first copies the
 * operand into that form. The result is computed with output features innermost and presented
 * through strides. Each feature group is a separate product; with batch groups, output feature
 * group g reads the g-th part of the input's batch. StableHLO specification, convolution. */
#include "exec/steps/plan.h"

#include "exec/kernel/gemm.h"

#include <stdlib.h>

/* Dimensions that two tensors traverse together, with the strides of each. */
typedef struct conv_walk {
	int rank;
	int64_t dims[MAX_RANK], in[MAX_RANK], other[MAX_RANK]; /* other: result or kernel */
} conv_walk;

typedef struct conv_step {
	conv_walk m, k;            /* the outer loops, without the inner ranges */
	int64_t m_run, k_run;      /* sizes of the inner ranges */
	int64_t a_row, a_column, b_row, ldc;
	int64_t m_tile, m_tiles;   /* the inner range of m is cut into tiles */
	int64_t n_m, n_k;          /* iterations of the outer loops */
	int64_t groups, n;         /* n: output features of a group */
	int64_t group_in;          /* offset between groups in the input */
	const gemm_micro *micro;
	vec_weigh_fn *weigh;       /* depthwise: scales whole rows of features by the taps */
} conv_step;

/* ---- the product ---------------------------------------------------------------- */

static void walk_to(const conv_walk *w, int64_t at, int64_t *in, int64_t *other)
{
	for (int i = w->rank - 1; i >= 0; at /= w->dims[i--]) {
		*in += at % w->dims[i] * w->in[i];
		*other += at % w->dims[i] * w->other[i];
	}
}

/* Sums the whole contraction for rows [m0, m0 + m) of one iteration of the outer loops. */
static void run_conv_rows(const conv_step *k, const char *in, const char *kernel, char *out,
                          int64_t m, void *scratch)
{
	int bytes = k->micro->bytes;
	gemm g = {.micro = k->micro, .m = m, .n = k->n, .k = k->k_run, .a_row = k->a_row,
	          .a_column = k->a_column, .b_row = k->b_row, .c = out, .ldc = k->ldc};
	for (int64_t i = 0; i < k->n_k; i++) {
		int64_t at = 0, tap = 0;
		walk_to(&k->k, i, &at, &tap);
		g.a = in + at * bytes;
		g.b = kernel + tap * bytes;
		g.add = i > 0;
		gemm_run(&g, scratch);
	}
}

/* The depthwise case: every feature is its own group, and each tap scales a row of all features. */
static void weigh_conv_rows(const conv_step *k, const char *in, const char *kernel, char *out,
                            int64_t m)
{
	int bytes = k->micro->bytes;
	for (int64_t i = 0; i < m; i++)
		memset(out + i * k->ldc * bytes, 0, (size_t)(k->groups * bytes));
	for (int64_t i = 0; i < k->n_k; i++) {
		int64_t at = 0, tap = 0;
		walk_to(&k->k, i, &at, &tap);
		k->weigh(k->groups, m, out, k->ldc, in + at * bytes, k->a_row,
		         kernel + tap * bytes);
	}
}

static void run_conv_depthwise(const step *s, const call *c)
{
	const conv_step *k = s->params;
	int bytes = k->micro->bytes;
	int64_t items = k->n_m * k->m_tiles, end = tile_begin(s, items, c->tile + 1);
	for (int64_t i = tile_begin(s, items, c->tile); i < end; i++) {
		int64_t m0 = i % k->m_tiles * k->m_tile, in = 0, out = 0;
		walk_to(&k->m, i / k->m_tiles, &in, &out);
		weigh_conv_rows(k, c->at[0] + (in + m0 * k->a_row) * bytes, c->at[1],
		                call_out(s, c, 0) + (out + m0 * k->ldc) * bytes,
		                min_i64(k->m_tile, k->m_run - m0));
	}
}

static void run_conv(const step *s, const call *c)
{
	const conv_step *k = s->params;
	int bytes = k->micro->bytes;
	int64_t items = k->groups * k->n_m * k->m_tiles, end = tile_begin(s, items, c->tile + 1);
	for (int64_t i = tile_begin(s, items, c->tile); i < end; i++) {
		int64_t m0 = i % k->m_tiles * k->m_tile, at = i / k->m_tiles;
		int64_t group = at / k->n_m, in = group * k->group_in, out = group * k->n;
		walk_to(&k->m, at % k->n_m, &in, &out);
		run_conv_rows(k, c->at[0] + (in + m0 * k->a_row) * bytes,
		              c->at[1] + group * k->n * bytes,
		              call_out(s, c, 0) + (out + m0 * k->ldc) * bytes,
		              min_i64(k->m_tile, k->m_run - m0), c->scratch);
	}
}

/* The contraction is empty: the result is zero. */
static void run_conv_nothing(const step *s, const call *c)
{
	memset(call_out(s, c, 0), 0, (size_t)(step_out(s, 0)->n * step_out(s, 0)->bytes));
}

/* ---- preparing the operands ----------------------------------------------------------------- */

/* An operand: a copy in a slot of its own, or the value in place. */
typedef struct conv_side {
	const value *v;
	slot *made;
	const type *type; /* of the copy */
	tensor t;         /* dimensions in the operand's order, with the strides of wherever it is
	                   * now */
} conv_side;

static binding side_binding(exec_plan *p, const conv_side *s)
{
	return s->made ? (binding){.slot = s->made, .cls = s->made->cls} : *bound(p, s->v);
}

/* Lists the dimensions of a tensor by decreasing stride. */
static void memory_order(const tensor *t, int *order)
{
	for (int i = 0; i < t->rank; i++) {
		int k = i;
		for (; k > 0 && llabs(t->strides[order[k - 1]]) < llabs(t->strides[i]); k--)
			order[k] = order[k - 1];
		order[k] = i;
	}
}

/* Copies the operand, starting at element `offset`, with its dimensions in the given order, and
 * converts it to `to`. */
static void side_copy(exec_plan *p, const op *o, conv_side *s, const int *order, int64_t offset,
                      dtype to)
{
	int64_t dims[MAX_RANK], strides[MAX_RANK], dense[MAX_RANK],
		*now = NEW_N(&p->mem, int64_t, s->t.rank);
	for (int i = 0; i < s->t.rank; i++) {
		dims[i] = s->t.dims[order[i]];
		strides[i] = s->t.strides[order[i]];
	}
	binding from = side_binding(p, s);
	from.strides = COPY_N(&p->mem, strides, s->t.rank);
	from.offset += offset;
	const type *in = type_tensor(p->ctx, s->t.dtype, dims, s->t.rank);
	s->type = type_tensor(p->ctx, to, dims, s->t.rank);
	s->made = to == s->t.dtype ? plan_copy(p, o, in, &from, NULL)
	                           : plan_convert(p, o, in, &from, s->type);
	strides_of(dims, s->t.rank, dense);
	for (int i = 0; i < s->t.rank; i++)
		now[order[i]] = dense[i];
	s->t.strides = now;
	s->t.dtype = to;
	s->t.bytes = dtype_bytes(to);
}

/* Where the operand's elements go in its padded form; dimensions in memory order. */
typedef struct conv_pad {
	int64_t first[MAX_RANK], shown[MAX_RANK]; /* the part of the operand that is not cropped */
	int64_t at[MAX_RANK], by[MAX_RANK];       /* at: position of the first element; by: distance
	                                           * between elements */
	int64_t strides[MAX_RANK];                /* of the operand */
	int64_t to_strides[MAX_RANK];
} conv_pad;

/* A tile is a range of the outermost dimension: it is zeroed, and elements are copied in. */
static void run_conv_pad(const step *s, const call *c)
{
	const conv_pad *k = s->params;
	const tensor *out = step_out(s, 0);
	int64_t begin = tile_begin(s, out->dims[0], c->tile),
		end = tile_begin(s, out->dims[0], c->tile + 1);
	int64_t inner = out->strides[0], from = 0, to = 0;
	char *base = call_out(s, c, 0);
	memset(base + begin * inner * out->bytes, 0, (size_t)((end - begin) * inner * out->bytes));
	for (int i = 1; i < out->rank; i++) {
		from += k->first[i] * k->strides[i];
		to += k->at[i] * out->strides[i];
	}
	for (int64_t x = 0; x < k->shown[0]; x++) {
		int64_t row = k->at[0] + x * k->by[0];
		if (row < begin || row >= end)
			continue;
		box_copy(out->rank - 1, k->shown + 1, base + (to + row * inner) * out->bytes,
		         k->to_strides + 1,
		         c->at[0] + (from + (k->first[0] + x) * k->strides[0]) * out->bytes,
		         k->strides + 1, out->bytes);
	}
}

/* Pads one spatial dimension as far as the windows reach. */
static int64_t conv_pad_dim(const conv_dims *d, int i, int64_t size, int64_t positions,
                            int64_t taps, conv_pad *k, int at)
{
	int64_t extent = max_i64(0, (positions - 1) * d->stride[i] +
	                                    (taps - 1) * d->rhs_dilation[i] + 1);
	int64_t by = d->lhs_dilation[i], low = d->pad_low[i];
	int64_t first = low < 0 ? min_i64(ceil_div(-low, by), size) : 0;
	int64_t fits = extent > low ? ceil_div(extent - low, by) : 0;
	k->first[at] = first;
	k->shown[at] = max_i64(0, min_i64(size, fits) - first);
	k->at[at] = low + first * by;
	k->by[at] = by;
	return extent;
}

static bool is_padded(const conv_dims *d)
{
	for (int i = 0; i < d->n_spatial; i++)
		if (d->pad_low[i] || d->pad_high[i] || d->lhs_dilation[i] != 1)
			return true;
	return false;
}

/* Plans a step that copies the input with its padding. */
static void plan_conv_pad(exec_plan *p, const op *o, const conv_dims *d, conv_side *s,
                          const int64_t *positions, const int64_t *taps)
{
	int rank = s->t.rank, order[MAX_RANK], spatial[MAX_RANK];
	int64_t dims[MAX_RANK], *now = NEW_N(&p->mem, int64_t, rank);
	conv_pad *k = NEW(&p->mem, conv_pad);
	memory_order(&s->t, order);
	for (int i = 0; i < rank; i++)
		spatial[i] = -1;
	for (int i = 0; i < d->n_spatial; i++)
		spatial[d->in_spatial[i]] = i;
	for (int i = 0; i < rank; i++) {
		int64_t size = dims[i] = k->shown[i] = s->t.dims[order[i]];
		int at = spatial[order[i]];
		k->by[i] = 1;
		k->strides[i] = s->t.strides[order[i]];
		if (at >= 0)
			dims[i] = conv_pad_dim(d, at, size, positions[at], taps[at], k, i);
	}
	binding from = side_binding(p, s);
	step *q = step_new(p, o, 1, 1, classes_join(&p->classes, from.cls, p->control));
	step_set_in(p, q, 0, s->made ? s->type : s->v->type, &from);
	s->type = type_tensor(p->ctx, s->t.dtype, dims, rank);
	s->made = step_set_out(p, q, 0, s->type, NULL);
	strides_of(dims, rank, k->to_strides);
	for (int i = 0; i < rank; i++) {
		now[order[i]] = k->to_strides[i];
		k->to_strides[i] *= k->by[i];
	}
	q->params = k;
	q->run = run_conv_pad;
	q->cost = 20 + (double)s->type->n_elems * 0.1 * s->t.bytes;
	step_split(q, dims[0],
	           max_i64(1, (1 << 14) / max_i64(1, s->type->n_elems / max_i64(1, dims[0]))));
	step_add(p, q);
	s->t.strides = now;
}

/* Copies the kernel unless its output features are contiguous, no tap dimension is reversed and no
 * row stride is 0: to the matrix product, a distance of 0 between rows means that b is packed. */
static void plan_conv_kernel(exec_plan *p, const op *o, const conv_dims *d, conv_side *s, dtype to)
{
	int order[MAX_RANK], n = d->n_spatial;
	int64_t *strides = COPY_N(&p->mem, s->t.strides, s->t.rank), offset = 0;
	bool good = s->t.dtype == to && strides[d->k_out] == 1 && strides[d->k_in] > 0;
	for (int i = 0; i < n; i++) {
		int at = order[i] = (int)d->k_spatial[i];
		if (d->reversed[i]) {
			offset += (s->t.dims[at] - 1) * strides[at];
			strides[at] = -strides[at];
		}
		good &= strides[at] > 0;
	}
	s->t.strides = strides;
	order[n] = (int)d->k_in;
	order[n + 1] = (int)d->k_out;
	if (!good || offset)
		side_copy(p, o, s, order, offset, to);
}

/* The input as the product wants to read it. */
static void plan_conv_input(exec_plan *p, const op *o, const conv_dims *d, conv_side *s,
                            const int64_t *positions, const int64_t *taps, dtype to)
{
	int order[MAX_RANK];
	bool backwards = false;
	for (int i = 0; i < s->t.rank; i++)
		backwards |= s->t.strides[i] < 0;
	if (backwards || s->t.dtype != to) {
		memory_order(&s->t, order);
		side_copy(p, o, s, order, 0, to);
	}
	if (is_padded(d))
		plan_conv_pad(p, o, d, s, positions, taps);
}

/* ---- loops and runs -------------------------------------------------------------------- */

static void walk_add(conv_walk *w, int64_t dim, int64_t in, int64_t other)
{
	int i = w->rank++; /* the widest stride in the input first */
	for (; i > 0 && w->in[i - 1] < in; i--) {
		w->dims[i] = w->dims[i - 1];
		w->in[i] = w->in[i - 1];
		w->other[i] = w->other[i - 1];
	}
	w->dims[i] = dim, w->in[i] = in, w->other[i] = other;
}

static void walk_remove(conv_walk *w, int i)
{
	size_t n = sizeof *w->dims * (size_t)(w->rank - i - 1);
	memmove(&w->dims[i], &w->dims[i + 1], n);
	memmove(&w->in[i], &w->in[i + 1], n);
	memmove(&w->other[i], &w->other[i + 1], n);
	w->rank--;
}

/* Dimensions of size 1 go; those that both sides walk through evenly become one. */
static void walk_join(conv_walk *w)
{
	for (int i = w->rank - 1; i >= 0; i--)
		if (w->dims[i] == 1)
			walk_remove(w, i);
	for (int i = w->rank - 2; i >= 0; i--) {
		if (w->in[i] != w->in[i + 1] * w->dims[i + 1] ||
		    w->other[i] != w->other[i + 1] * w->dims[i + 1])
			continue;
		w->dims[i + 1] *= w->dims[i];
		walk_remove(w, i);
	}
}

/* Takes the dimension that becomes the run: the innermost if it is long enough, else the
 * longest. */
static void walk_take_run(conv_walk *w, int64_t enough, int64_t *n, int64_t *in, int64_t *other)
{
	int best = w->rank - 1;
	*n = 1, *in = *other = 1;
	if (best < 0)
		return;
	for (int i = best; i >= 0 && w->dims[best] < enough; i--)
		if (w->dims[i] > w->dims[best])
			best = i;
	*n = w->dims[best], *in = w->in[best], *other = w->other[best];
	walk_remove(w, best);
}

static int64_t walk_size(const conv_walk *w)
{
	int64_t n = 1;
	for (int i = 0; i < w->rank; i++)
		n *= w->dims[i];
	return n;
}

/* ---- planning ------------------------------------------------------------------------------ */

/* Cuts the rows of a product into tiles that take about `worth` nanoseconds each. */
static void split_conv(step *s, conv_step *k)
{
	const double worth = 50000;
	double row = (double)k->n * (double)(k->k_run * k->n_k) * 0.03 + 5;
	int64_t groups = k->weigh ? 1 : k->groups;
	/* Cut the inner range only if the outer loops give too few tiles. */
	int64_t rows = k->n_m * groups >= 16 ? k->m_run
	                                     : max_i64(k->micro->rows, (int64_t)(worth / row));
	k->m_tile = min_i64(max_i64(1, k->m_run), ceil_div(rows, k->micro->rows) * k->micro->rows);
	k->m_tiles = max_i64(1, ceil_div(k->m_run, k->m_tile));
	s->cost = row * (double)(k->m_run * k->n_m * k->groups);
	step_split(s, groups * k->n_m * k->m_tiles,
	           max_i64(1, (int64_t)(worth /
	                                (row * (double)(k->m_tile * k->groups / groups) + 1))));
}

/* Lays out the result as it is computed: dimensions in the order of the loops over the input,
 * output features last. Fills in the strides of the result. */
static const type *result_layout(exec_plan *p, const conv_dims *d, const type *result,
                                 const conv_side *in, dtype to, int64_t *strides)
{
	int order[MAX_RANK], of[MAX_RANK], n = d->n_spatial;
	int64_t walk[MAX_RANK], dims[MAX_RANK], dense[MAX_RANK];
	of[0] = (int)d->out_batch;
	walk[0] = in->t.strides[d->in_batch];
	for (int i = 0; i < n; i++) {
		of[i + 1] = (int)d->out_spatial[i];
		walk[i + 1] = in->t.strides[d->in_spatial[i]] * d->stride[i];
	}
	memory_order(&(tensor){.rank = n + 1, .strides = walk}, order);
	for (int i = 0; i <= n; i++)
		dims[i] = result->dims[of[order[i]]];
	dims[n + 1] = result->dims[d->out_feature];
	strides_of(dims, n + 2, dense);
	for (int i = 0; i <= n; i++)
		strides[of[order[i]]] = dense[i];
	strides[d->out_feature] = 1;
	return type_tensor(p->ctx, to, dims, n + 2);
}

static void conv_walks(conv_step *k, const conv_dims *d, const type *result, const conv_side *in,
                       const conv_side *kernel, const int64_t *out_strides)
{
	walk_add(&k->m, result->dims[d->out_batch], in->t.strides[d->in_batch],
	         out_strides[d->out_batch]);
	walk_add(&k->k, kernel->t.dims[d->k_in], in->t.strides[d->in_feature],
	         kernel->t.strides[d->k_in]);
	for (int i = 0; i < d->n_spatial; i++) {
		int64_t step = in->t.strides[d->in_spatial[i]];
		walk_add(&k->m, result->dims[d->out_spatial[i]], step * d->stride[i],
		         out_strides[d->out_spatial[i]]);
		walk_add(&k->k, kernel->t.dims[d->k_spatial[i]], step * d->rhs_dilation[i],
		         kernel->t.strides[d->k_spatial[i]]);
	}
	walk_join(&k->m);
	walk_join(&k->k);
	walk_take_run(&k->m, k->micro->rows, &k->m_run, &k->a_row, &k->ldc);
	k->k_run = 1;
	if (!k->weigh)
		walk_take_run(&k->k, 16, &k->k_run, &k->a_column, &k->b_row);
	k->n_m = walk_size(&k->m);
	k->n_k = walk_size(&k->k);
}

static void plan_conv_product(exec_plan *p, const op *o, const conv_dims *d, conv_side *in,
                              conv_side *kernel, dtype type, const gemm_micro *micro)
{
	const struct tess_type *result_type = result(o, 0)->type; /* `type` is the computing one */
	int64_t *strides = NEW_N(&p->mem, int64_t, result_type->rank);
	const struct tess_type *made = result_layout(p, d, result_type, in, type, strides);
	conv_step *k = NEW(&p->mem, conv_step);
	k->groups = max_i64(d->feature_groups, d->batch_groups);
	k->n = kernel->t.dims[d->k_out] / k->groups;
	k->group_in = d->batch_groups > 1
	                  ? in->t.dims[d->in_batch] / d->batch_groups * in->t.strides[d->in_batch]
	                  : kernel->t.dims[d->k_in] * in->t.strides[d->in_feature];
	k->micro = micro;
	if (d->feature_groups > 1 && k->n == 1 && kernel->t.dims[d->k_in] == 1 &&
	    in->t.strides[d->in_feature] == 1)
		k->weigh = vec_weigh(vec_type_of(type));
	conv_walks(k, d, result_type, in, kernel, strides);
	step *s = step_new(p, o, 2, 1, p->cls[result(o, 0)->id]);
	conv_side *sides[2] = {in, kernel};
	for (int i = 0; i < 2; i++) {
		binding b = side_binding(p, sides[i]);
		step_set_in(p, s, i, sides[i]->made ? sides[i]->type : sides[i]->v->type, &b);
	}
	slot *to = step_set_out(p, s, 0, made, NULL);
	s->params = k;
	s->run = !k->k_run || !k->n_k ? run_conv_nothing : k->weigh ? run_conv_depthwise : run_conv;
	s->scratch = gemm_scratch(micro);
	if (s->run != run_conv_nothing && result_type->n_elems)
		split_conv(s, k);
	if (result_type->n_elems)
		step_add(p, s);
	if (type != result_type->dtype && result_type->n_elems)
		to = plan_convert(p, o, made, &(binding){.slot = to, .cls = to->cls},
		                  type_tensor(p->ctx, result_type->dtype, made->dims, made->rank));
	p->bind[result(o, 0)->id] = (binding){.slot = to, .cls = to->cls, .strides = strides};
}

bool plan_convolution(exec_plan *p, const op *o)
{
	conv_dims d;
	conv_side in = {.v = operand(o, 0)}, kernel = {.v = operand(o, 1)};
	if (!op_conv_dims(p->source, o, &d))
		return plan_error(p, o, "dimension numbers do not fit the operands");
	in.t = tensor_of(p, in.v->type, bound(p, in.v));
	kernel.t = tensor_of(p, kernel.v->type, bound(p, kernel.v));
	const type *r = result(o, 0)->type;
	dtype type = product_dtype(in.t.dtype, kernel.t.dtype, r->dtype);
	int64_t positions[MAX_SPATIAL], taps[MAX_SPATIAL], depth = kernel.t.dims[d.k_in];
	for (int i = 0; i < d.n_spatial; i++) {
		positions[i] = r->dims[d.out_spatial[i]];
		depth *= taps[i] = kernel.t.dims[d.k_spatial[i]];
	}
	/* For sums of a few terms, use the base kernel, which rounds after each term: that is what
	 * people who check single digits expect. */
	const gemm_micro *micro = type == DT_F32 && depth < 8 ? &gemm_f32_base
	                                                      : gemm_micro_of(vec_type_of(type));
	if (!micro || in.v->type->dtype == DT_NONE || kernel.v->type->dtype == DT_NONE ||
	    r->dtype == DT_NONE || (!vec_store(r->dtype) && vec_fix(r->dtype)))
		return plan_unsupported(p, o, "convolutions of these types are");
	plan_conv_kernel(p, o, &d, &kernel, type);
	plan_conv_input(p, o, &d, &in, positions, taps, type);
	plan_conv_product(p, o, &d, &in, &kernel, type, micro);
	return true;
}
