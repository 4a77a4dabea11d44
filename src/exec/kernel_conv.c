/* kernel_conv.c - convolution as matrix products.
 *
 * For some output positions at a time, what the window covers at each is gathered into
 * a row (a patch; padding and the holes of a dilated input are zeros), and the patches
 * are multiplied with the kernel as a matrix [taps and input features][output features].
 * Feature groups are separate products; with batch groups, output feature group g reads
 * the g-th part of the input's batch.  StableHLO specification, convolution. */
#include "exec/gemm.h"
#include "exec/kernel.h"

enum { POSITIONS = 256, CONVERT = 512 };

typedef struct conv_plan {
	conv_dims d;
	int64_t spatial[MAX_SPATIAL], taps[MAX_SPATIAL]; /* output positions, kernel sizes */
	int64_t n_positions, n_taps, groups, in_features, out_features; /* features of a group */
	int64_t depth;   /* taps x in_features */
	int64_t chunks;  /* of positions, per output batch element */
	vec_type type;
	const gemm_micro *gemm;
	vec_fn *load[2], *convert[2], *from_type, *store;
	bool kernel_in_place; /* it is that matrix already */
} conv_plan;

/* n elements of operand `which` to the computing type. */
static void conv_widen(const conv_plan *k, int which, int64_t n, char *to, const char *from, int bytes)
{
	vec_fn *load = k->load[which], *convert = k->convert[which];
	int out = vec_type_bytes(k->type);
	char wide[CONVERT * 16];
	if (!load && !convert) {
		memcpy(to, from, (size_t)(n * bytes));
		return;
	}
	for (int64_t i = 0; i < n; i += CONVERT) {
		int64_t len = min_i64(CONVERT, n - i);
		const char *x = from + i * bytes;
		if (load)
			load(len, convert ? wide : to + i * out, x, NULL, NULL, 0);
		if (convert)
			convert(len, to + i * out, load ? wide : x, NULL, NULL, 64);
	}
}

/* Offset in the input of the element that tap `t` meets at position `o`; -1: a zero. */
static int64_t conv_input_at(const conv_plan *k, const tensor *in, const int64_t *o, const int64_t *t)
{
	const conv_dims *d = &k->d;
	int64_t at = 0;
	for (int i = 0; i < d->n_spatial; i++) {
		int64_t w = d->reversed[i] ? k->taps[i] - 1 - t[i] : t[i];
		int64_t x = o[i] * d->stride[i] + w * d->rhs_dilation[i] - d->pad_low[i];
		if (x < 0 || x % d->lhs_dilation[i])
			return -1;
		x /= d->lhs_dilation[i];
		if (x >= in->dims[d->in_spatial[i]])
			return -1;
		at += x * in->strides[d->in_spatial[i]];
	}
	return at;
}

/* One patch, in the input's type. */
static void conv_patch(const conv_plan *k, const tensor *in, const char *from, const int64_t *o,
                       char *to)
{
	int64_t t[MAX_SPATIAL] = {0}, step = in->strides[k->d.in_feature];
	const int64_t one = 1;
	int64_t run = k->in_features * in->bytes;
	do {
		int64_t at = conv_input_at(k, in, o, t);
		if (at < 0)
			memset(to, 0, (size_t)run);
		else if (step == 1)
			memcpy(to, from + at * in->bytes, (size_t)run);
		else
			box_copy(1, &k->in_features, to, &one, from + at * in->bytes, &step, in->bytes);
		to += run;
	} while (index_step(k->taps, k->d.n_spatial, t));
}

/* The kernel of group g as [depth][out_features], in the kernel's type. */
static void conv_kernel(const conv_plan *k, const tensor *kernel, const char *from, int64_t g, char *to)
{
	const conv_dims *d = &k->d;
	int n = d->n_spatial;
	int64_t dims[MAX_SPATIAL + 2], strides[MAX_SPATIAL + 2], dense[MAX_SPATIAL + 2];
	for (int i = 0; i < n; i++) {
		dims[i] = k->taps[i];
		strides[i] = kernel->strides[d->k_spatial[i]];
	}
	dims[n] = k->in_features;
	strides[n] = kernel->strides[d->k_in];
	dims[n + 1] = k->out_features;
	strides[n + 1] = kernel->strides[d->k_out];
	strides_of(dims, n + 2, dense);
	box_copy(n + 2, dims, to, dense,
	         from + g * k->out_features * strides[n + 1] * kernel->bytes, strides, kernel->bytes);
}

/* Writes the product of one group to the output. */
static void conv_put(const conv_plan *k, const tensor *out, char *to, const int64_t *first, int64_t n,
                     char *product, char *narrow)
{
	const conv_dims *d = &k->d;
	int64_t total = n * k->out_features, o[MAX_SPATIAL], step = out->strides[d->out_feature];
	const int64_t one = 1;
	char *p = product;
	if (k->from_type) {
		k->from_type(total, narrow, p, NULL, NULL, 1);
		p = narrow;
	}
	if (k->store) {
		k->store(total, narrow, p, NULL, NULL, 0);
		p = narrow;
	}
	memcpy(o, first, sizeof o);
	for (int64_t i = 0; i < n; i++, index_step(k->spatial, d->n_spatial, o)) {
		int64_t at = 0;
		for (int s = 0; s < d->n_spatial; s++)
			at += o[s] * out->strides[d->out_spatial[s]];
		box_copy(1, &k->out_features, to + at * out->bytes, &step,
		         p + i * k->out_features * out->bytes, &one, out->bytes);
	}
}

static int64_t room_for(int64_t n, int bytes) { return ceil_div(n * bytes, 64) * 64; }

static void run_conv(const step *s, const call *c)
{
	const conv_plan *k = s->params;
	const conv_dims *d = &k->d;
	const tensor *in = step_in(s, 0), *kernel = step_in(s, 1), *out = step_out(s, 0);
	int bytes = vec_type_bytes(k->type);
	int64_t batch = c->tile / k->chunks, p0 = c->tile % k->chunks * POSITIONS;
	int64_t n = min_i64(POSITIONS, k->n_positions - p0), first[MAX_SPATIAL] = {0}, o[MAX_SPATIAL];
	int64_t in_batches = in->dims[d->in_batch] / d->batch_groups;
	index_of(p0, k->spatial, d->n_spatial, first);
	char *raw = c->scratch;
	char *patches = raw + room_for(max_i64(POSITIONS, k->out_features) * k->depth, 16);
	char *matrix = patches + room_for(POSITIONS * k->depth, bytes);
	char *product = matrix + room_for(k->depth * k->out_features, bytes);
	char *narrow = product + room_for(POSITIONS * k->out_features, bytes);
	char *rest = narrow + room_for(POSITIONS * k->out_features, 16);
	for (int64_t g = 0; g < k->groups; g++) {
		int64_t b = d->batch_groups > 1 ? g * in_batches + batch : batch;
		int64_t f = d->feature_groups > 1 ? g * k->in_features : 0;
		const char *from = c->at[0] + (b * in->strides[d->in_batch] +
		                               f * in->strides[d->in_feature]) * in->bytes;
		memcpy(o, first, sizeof o);
		for (int64_t i = 0; i < n; i++, index_step(k->spatial, d->n_spatial, o))
			conv_patch(k, in, from, o, raw + i * k->depth * in->bytes);
		conv_widen(k, 0, n * k->depth, patches, raw, in->bytes);
		const char *w = c->at[1];
		if (!k->kernel_in_place) {
			conv_kernel(k, kernel, c->at[1], g, raw);
			conv_widen(k, 1, k->depth * k->out_features, matrix, raw, kernel->bytes);
			w = matrix;
		}
		gemm_run(&(gemm){k->gemm, n, k->out_features, k->depth, patches, k->depth, 1,
		                 w, k->out_features, product, k->out_features}, rest);
		char *to = call_out(s, c, 0) + (batch * out->strides[d->out_batch] +
		           g * k->out_features * out->strides[d->out_feature]) * out->bytes;
		conv_put(k, out, to, first, n, product, narrow);
	}
}

/* Whether the kernel lies as the matrix, in the computing type. */
static bool kernel_is_matrix(const conv_plan *k, const tensor *kernel)
{
	int64_t want = 1;
	const conv_dims *d = &k->d;
	if (k->groups > 1 || k->load[1] || k->convert[1])
		return false;
	bool ok = kernel->strides[d->k_out] == want;
	want *= k->out_features;
	ok &= kernel->strides[d->k_in] == want;
	want *= k->in_features;
	for (int i = d->n_spatial - 1; i >= 0; i--) {
		ok &= kernel->strides[d->k_spatial[i]] == want;
		want *= k->taps[i];
	}
	return ok;
}

bool prepare_convolution(exec_plan *p, step *s)
{
	conv_plan *k = NEW(plan_mem(p), conv_plan);
	const tensor *in = step_in(s, 0), *kernel = step_in(s, 1), *out = step_out(s, 0);
	if (!op_conv_dims(plan_module(p), s->op, &k->d))
		return step_invalid(p, s, "dimension numbers do not fit the operands");
	const conv_dims *d = &k->d;
	k->groups = max_i64(d->feature_groups, d->batch_groups);
	k->in_features = kernel->dims[d->k_in];
	k->out_features = kernel->dims[d->k_out] / k->groups;
	k->n_positions = k->n_taps = 1;
	for (int i = 0; i < d->n_spatial; i++) {
		k->n_positions *= k->spatial[i] = out->dims[d->out_spatial[i]];
		k->n_taps *= k->taps[i] = kernel->dims[d->k_spatial[i]];
	}
	k->depth = k->n_taps * k->in_features;
	k->type = product_type(in->dtype, kernel->dtype, out->dtype);
	/* Sums of a few terms: rounded term by term, as who looks at single digits expects. */
	k->gemm = k->type == VT_F32 && k->depth < 8 ? &gemm_f32_base : gemm_micro_of(k->type);
	for (int i = 0; i < 2; i++) {
		vec_type t = vec_type_of(step_in(s, i)->dtype);
		k->load[i] = vec_load(step_in(s, i)->dtype);
		k->convert[i] = t == k->type ? NULL : vec_convert(t, k->type);
		if (t != k->type && !k->convert[i])
			k->gemm = NULL;
	}
	if (vec_type_of(out->dtype) != k->type)
		k->from_type = vec_convert(k->type, vec_type_of(out->dtype));
	k->store = vec_store(out->dtype);
	if (!k->gemm || (!k->store && vec_fix(out->dtype)))
		return step_unsupported(p, s, "convolutions of these types are");
	k->kernel_in_place = kernel_is_matrix(k, kernel);
	k->chunks = max_i64(1, ceil_div(k->n_positions, POSITIONS));
	int bytes = vec_type_bytes(k->type);
	s->scratch = (size_t)(room_for(max_i64(POSITIONS, k->out_features) * k->depth, 16) +
	                      room_for(POSITIONS * k->depth, bytes) +
	                      room_for(k->depth * k->out_features, bytes) +
	                      room_for(POSITIONS * k->out_features, bytes) +
	                      room_for(POSITIONS * k->out_features, 16)) + (k->gemm ? gemm_scratch(k->gemm) : 0);
	s->n_tiles = out->n ? out->dims[d->out_batch] * k->chunks : 0;
	s->cost = (double)out->n * (double)k->depth * 0.04;
	s->params = k;
	s->run = run_conv;
	return true;
}
