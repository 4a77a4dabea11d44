/* window.c - reduce_window and convolution: windows that cross the borders of the operand's blocks.
 *
 * A dilated operand (as in the gradient of a strided window) has holes between its elements. If a
 * block of the result spans whole periods, windows start at the same offset from an element on
 * every device. Otherwise the dimension is not split.
 *
 * A convolution whose kernel is larger than its result (the gradient of a kernel) is split along
 * the kernel: each device has a block of it, fetches the part of the operand that meets this block,
 * and computes partial sums. */
#include "partition/sketch.h"

static int64_t listed_or(const int64_t *v, int n, int i, int64_t otherwise)
{
	return i < n ? v[i] : otherwise;
}

static bool dim_is_point(const window_split *w)
{
	return w->size == 1 && w->stride == 1 && w->base_dilation == 1 && !w->low && !w->high;
}

/* The window that a device sees with blocks of `block` elements of the result, and the padding that
 * is left before and after it (only for an operand with holes). */
typedef struct seen {
	halo h;
	int64_t low, high;
} seen;

static seen window_seen(const window_split *w, int dim, int64_t global, int64_t block)
{
	int64_t holes = w->base_dilation;
	int64_t span = (block - 1) * w->stride + (w->size - 1) * w->dilation + 1;
	int64_t start = -floor_to(w->low, holes), low = start * holes + w->low;
	int64_t size = span > low ? (span - 1 - low) / holes + 1 : 0;
	return (seen){{.dim = dim, .global = global, .step = block * w->stride / holes,
	               .start = start, .size = size},
	              low, size ? span - low - ((size - 1) * holes + 1) : 0};
}

/* True if windows start at the same offset from an element on every device, and have elements. */
static bool holes_fit(const window_split *w, int64_t out, int64_t shards)
{
	int64_t block = ceil_div(out, shards);
	if (w->base_dilation == 1 || shards == 1)
		return true;
	return out % shards == 0 && block * w->stride % w->base_dilation == 0 &&
	       window_seen(w, 0, 1, block).h.size > 0;
}

/* The shards of a dimension in the spread that the value has, and in the one that is wanted. */
static int64_t home_shards(emitter *e, const value *v, int d)
{
	return spread_shards(fact_home(e, v), d);
}

static int64_t wanted_shards(emitter *e, const value *v, int d)
{
	const spread *s = fact_wanted(e, v);
	return s ? spread_shards(s, d) : 1;
}

/* True if a dimension, `in` of an operand and `out` of the result, may be split at all. */
static bool may_split_window(emitter *e, const window_split *w, const value *from, int64_t in,
                             const value *to, int64_t out)
{
	int64_t size = to->type->dims[out];
	if (w->base_dilation == 1)
		return from->type->dims[in] && size;
	return from->type->dims[in] && size && holes_fit(w, size, home_shards(e, from, (int)in)) &&
	       holes_fit(w, size, wanted_shards(e, to, (int)out));
}

/* The cost of a decision that turns out not to fit. */
static const double IMPOSSIBLE = 1e300;

/* True if some window reaches beyond the tensor or into the padding of a block. */
static bool halo_needs_mask(const halo *h, int64_t k)
{
	for (int64_t i = 0; i < k; i++)
		if (i * h->step + h->start < 0 || i * h->step + h->start + h->size > h->global)
			return true;
	return false;
}

static value *halo_with(emitter *e, value *v, const spread *as, const halo *h, value *outside)
{
	v = emit_halo(e, v, as, h);
	if (!halo_needs_mask(h, spread_shards(as, h->dim)))
		return v;
	value *at = device_coordinate(e, as->order, as->dims[h->dim]);
	at = build_binary(&e->b, OP_MULTIPLY, at, emit_index(e, h->step));
	at = build_binary(&e->b, OP_ADD, at, emit_index(e, h->start));
	return emit_mask(e, v, h->dim, at, 0, h->global, outside);
}

static const attr *padding_attr(emitter *e, const window_split *w, int n)
{
	int64_t *v = NEW_N(e->mem, int64_t, 2 * n), dims[2] = {n, 2};
	for (int i = 0; i < n; i++) {
		v[2 * i] = w[i].low;
		v[2 * i + 1] = w[i].high;
	}
	return attr_dense(e->ctx, type_tensor(e->ctx, DT_I64, dims, 2), v,
	                  sizeof *v * 2 * (size_t)n, false);
}

/* ---- reduce_window ------------------------------------------------------------------- */

static window_split *window_dims_of(emitter *e, const op *o, int rank)
{
	int n_size, n_stride, n_dilation, n_base, n_pad;
	const int64_t *size = op_ints(e->from, o, N_window_dimensions, &n_size);
	const int64_t *stride = op_ints(e->from, o, N_window_strides, &n_stride);
	const int64_t *dilation = op_ints(e->from, o, N_window_dilations, &n_dilation);
	const int64_t *base = op_ints(e->from, o, N_base_dilations, &n_base);
	const int64_t *pad = op_ints(e->from, o, N_padding, &n_pad);
	window_split *w = NEW_N(e->mem, window_split, rank);
	for (int d = 0; d < rank; d++) {
		w[d] = (window_split){.size = listed_or(size, n_size, d, 1),
		                    .stride = listed_or(stride, n_stride, d, 1),
		                    .dilation = listed_or(dilation, n_dilation, d, 1),
		                    .base_dilation = listed_or(base, n_base, d, 1),
		                    .low = listed_or(pad, n_pad, 2 * d, 0),
		                    .high = listed_or(pad, n_pad, 2 * d + 1, 0)};
		w[d].point = dim_is_point(&w[d]);
	}
	return w;
}

static const sharding_rule *reduce_window_rule(emitter *e, const op *o, const window_split *w)
{
	rule_sketch s;
	const type *in = operand(o, 0)->type, *out = result(o, 0)->type;
	sketch_init(&s, e, o);
	for (int d = 0; d < out->rank; d++) {
		bool split = may_split_window(e, &w[d], operand(o, 0), d, result(o, 0), d);
		int64_t size = max_i64(in->dims[d], out->dims[d]);
		int f = split ? sketch_pass(&s, size) : sketch_fixed(&s, size);
		for (int i = 0; i < o->n_results; i++) {
			sketch_operand(&s, i, d, f);
			sketch_result(&s, i, d, f);
		}
	}
	return sketch_done(&s);
}

static seen reduce_window_seen(const factoring *f, const window_split *w, int d)
{
	return window_seen(&w[d], d, operand(f->o, 0)->type->dims[d], factoring_result_dim(f, d));
}

typedef struct reduced_windows {
	window_split *w;
	int scan; /* scan_dim() */
} reduced_windows;

static double reduce_window_cost(const factoring *f, void *arg)
{
	const reduced_windows *r = arg;
	const window_split *w = r->w;
	const spread *as = factoring_result(f, 0);
	double cost = 0;
	if (r->scan != ABSENT)
		return as->dims[r->scan].n ? scan_cost(f, r->scan) : 0;
	for (int d = 0; d < as->rank; d++)
		for (int i = 0; i < f->o->n_results && as->dims[d].n && !w[d].point; i++) {
			seen s = reduce_window_seen(f, w, d);
			if (!holes_fit(&w[d], result(f->o, 0)->type->dims[d], spread_shards(as, d)))
				return IMPOSSIBLE;
			cost += operand_halo_cost(f, i, &s.h);
		}
	return cost;
}

/* Elements outside of the tensor are the initial value, like padding. */
void local_reduce_window(emitter *e, op *o)
{
	factoring f;
	int rank = result(o, 0)->type->rank, n = o->n_results;
	window_split *w = window_dims_of(e, o, rank);
	reduced_windows r = {.w = w, .scan = scan_dim(e, o, w, rank)};
	factoring_init(&f, e, o, reduce_window_rule(e, o, w), MONOID_NONE, 0);
	factoring_decide_with(&f, reduce_window_cost, &r);
	if (f.cost >= IMPOSSIBLE) {
		local_replicated(e, o);
		return;
	}
	const spread *as = factoring_operand(&f, 0);
	if (r.scan != ABSENT && as->dims[r.scan].n) {
		scan_emit(&f, r.scan, !w[r.scan].low);
		return;
	}
	value **v = local_operands(&f);
	for (int d = 0; d < rank; d++) {
		if (!as->dims[d].n || w[d].point)
			continue;
		seen s = reduce_window_seen(&f, w, d);
		for (int i = 0; i < n; i++)
			v[i] = halo_with(e, v[i], as, &s.h, v[n + i]);
		w[d].low = s.low;
		w[d].high = s.high;
	}
	op *local = local_copy(&f, v);
	op_set_attr(e->to, local, N_padding, padding_attr(e, w, rank));
	local_finish(&f, local);
}

/* ---- convolution ------------------------------------------------------------------------ */

typedef struct conv_plan {
	conv_dims d;
	window_split *w; /* of the spatial dimensions */
	int groups, batch_groups, in_feature; /* factors; ABSENT where there is none */
	bool by_kernel[MAX_SPATIAL]; /* split along the kernel, not along the result */
	int space[MAX_SPATIAL];      /* factors of spatial dimensions */
} conv_plan;

static void conv_windows(emitter *e, const op *o, conv_plan *p)
{
	p->w = NEW_N(e->mem, window_split, p->d.n_spatial);
	for (int i = 0; i < p->d.n_spatial; i++) {
		p->w[i] = (window_split){.size = operand(o, 1)->type->dims[p->d.k_spatial[i]],
		                       .stride = p->d.stride[i], .dilation = p->d.rhs_dilation[i],
		                       .base_dilation = p->d.lhs_dilation[i],
		                       .low = p->d.pad_low[i], .high = p->d.pad_high[i]};
		p->w[i].point = dim_is_point(&p->w[i]);
	}
}

/* The factor of a spatial dimension: along it either the windows or the kernel, which all windows
 * share, may be split. */
static int conv_space(emitter *e, const op *o, conv_plan *p, int i, rule_sketch *s)
{
	const conv_dims *d = &p->d;
	int64_t in = d->in_spatial[i], k = d->k_spatial[i], out = d->out_spatial[i];
	int64_t n_in = operand(o, 0)->type->dims[in], n_k = operand(o, 1)->type->dims[k],
		n_out = result(o, 0)->type->dims[out];
	int f;
	p->by_kernel[i] = n_k > n_out && n_in && d->lhs_dilation[i] == 1 && !d->reversed[i];
	if (p->by_kernel[i]) {
		f = sketch_reduce(s, n_k);
		sketch_operand(s, 0, in, f);
		sketch_operand(s, 1, k, f);
		return f;
	}
	bool split = may_split_window(e, &p->w[i], operand(o, 0), in, result(o, 0), out);
	f = split ? sketch_pass(s, max_i64(n_in, n_out)) : sketch_fixed(s, max_i64(n_in, n_out));
	sketch_operand(s, 0, in, f);
	sketch_result(s, 0, out, f);
	return f;
}

/* Groups are the major factor of features (or of the batch): input group g meets kernel group g and
 * makes output group g. */
static const sharding_rule *conv_rule(emitter *e, const op *o, conv_plan *p)
{
	rule_sketch s;
	const conv_dims *d = &p->d;
	const type *kernel = operand(o, 1)->type, *out = result(o, 0)->type;
	int64_t groups = d->feature_groups, batch_groups = d->batch_groups;
	sketch_init(&s, e, o);
	p->groups = p->batch_groups = ABSENT;
	if (batch_groups > 1) {
		p->batch_groups = sketch_pass(&s, batch_groups);
		sketch_operand(&s, 0, d->in_batch, p->batch_groups);
		sketch_operand(&s, 1, d->k_out, p->batch_groups);
		sketch_result(&s, 0, d->out_feature, p->batch_groups);
	}
	int batch = sketch_pass(&s, out->dims[d->out_batch]);
	sketch_operand(&s, 0, d->in_batch, batch);
	sketch_result(&s, 0, d->out_batch, batch);
	if (groups > 1) {
		p->groups = sketch_pass(&s, groups);
		sketch_operand(&s, 0, d->in_feature, p->groups);
		sketch_operand(&s, 1, d->k_out, p->groups);
		sketch_result(&s, 0, d->out_feature, p->groups);
	}
	p->in_feature = sketch_reduce(&s, kernel->dims[d->k_in]);
	sketch_operand(&s, 0, d->in_feature, p->in_feature);
	sketch_operand(&s, 1, d->k_in, p->in_feature);
	int feature = sketch_pass(&s, out->dims[d->out_feature] / max_i64(groups, batch_groups));
	sketch_operand(&s, 1, d->k_out, feature);
	sketch_result(&s, 0, d->out_feature, feature);
	for (int i = 0; i < d->n_spatial; i++)
		p->space[i] = conv_space(e, o, p, i, &s);
	return sketch_done(&s);
}

/* A block of the kernel meets all windows, which start `stride` apart. */
static seen kernel_seen(const window_split *w, int dim, int64_t global, int64_t block, int64_t out)
{
	return (seen){.h = {.dim = dim, .global = global, .step = block * w->dilation,
	                    .start = -w->low,
	                    .size = (out - 1) * w->stride + (block - 1) * w->dilation + 1}};
}

static seen conv_seen(const factoring *f, const conv_plan *p, int i)
{
	int out = (int)p->d.out_spatial[i], in = (int)p->d.in_spatial[i],
	    k = (int)p->d.k_spatial[i];
	int64_t global = operand(f->o, 0)->type->dims[in], n = result(f->o, 0)->type->dims[out];
	if (p->by_kernel[i])
		return kernel_seen(&p->w[i], in, global,
		                   spread_local_dim(factoring_operand(f, 1), k,
		                                    operand(f->o, 1)->type->dims[k]), n);
	return window_seen(&p->w[i], in, global, factoring_result_dim(f, out));
}

static double conv_cost(const factoring *f, void *arg)
{
	const conv_plan *p = arg;
	const spread *as = factoring_operand(f, 0);
	double cost = 0;
	for (int i = 0; i < p->d.n_spatial; i++) {
		int in = (int)p->d.in_spatial[i];
		if (!as->dims[in].n || p->w[i].point)
			continue;
		seen s = conv_seen(f, p, i);
		if (!p->by_kernel[i] &&
		    !holes_fit(&p->w[i], result(f->o, 0)->type->dims[p->d.out_spatial[i]],
		               spread_shards(as, in)))
			return IMPOSSIBLE;
		cost += operand_halo_cost(f, 0, &s.h);
	}
	return cost;
}

static void set_group_count(factoring *f, op *local, int known, int factor, int64_t count)
{
	if (factor != ABSENT)
		op_set_attr(f->e->to, local, known,
		            attr_i64(f->e->ctx, count / digits_size(f->shard[factor])));
}

void local_convolution(emitter *e, op *o)
{
	factoring f;
	conv_plan p = {0};
	if (!op_conv_dims(e->from, o, &p.d) ||
	    !monoid_has_identity(MONOID_SUM, operand(o, 0)->type) ||
	    result(o, 0)->type->n_elems == 0) {
		local_replicated(e, o);
		return;
	}
	conv_windows(e, o, &p);
	factoring_init(&f, e, o, conv_rule(e, o, &p), MONOID_SUM, 0);
	factoring_decide_with(&f, conv_cost, &p);
	if (f.cost >= IMPOSSIBLE) {
		local_replicated(e, o);
		return;
	}
	value **v = local_operands(&f);
	const spread *as = factoring_operand(&f, 0);
	bool pads = factoring_pads(&f, p.in_feature);
	for (int i = 0; i < p.d.n_spatial; i++)
		pads |= p.by_kernel[i] && factoring_pads(&f, p.space[i]);
	for (int i = 0; i < 2 && pads; i++)
		local_mask_reduced(&f, v, i, emit_zero(e, v[i]->type));
	bool windows = false;
	for (int i = 0; i < p.d.n_spatial; i++) {
		if (!as->dims[p.d.in_spatial[i]].n || p.w[i].point)
			continue;
		seen s = conv_seen(&f, &p, i);
		windows = true;
		v[0] = halo_with(e, v[0], as, &s.h, emit_zero(e, v[0]->type));
		p.w[i].low = s.low;
		p.w[i].high = s.high;
	}
	op *local = local_copy(&f, v);
	if (windows)
		op_set_attr(e->to, local, N_padding, padding_attr(e, p.w, p.d.n_spatial));
	set_group_count(&f, local, N_feature_group_count, p.groups, p.d.feature_groups);
	set_group_count(&f, local, N_batch_group_count, p.batch_groups, p.d.batch_groups);
	local_finish(&f, local);
}
