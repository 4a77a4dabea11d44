/* pool.c - windows over rows of features: pooling and its gradients.
 *
 * In [batch, height, width, feature] a pooling window has size 1 along the features, so each row of
 * features is that many adjacent windows. reduce_window then folds whole rows, and
 * select_and_scatter finds, for a row at a time, the tap that is selected for each feature. Padding
 * is skipped, since the initial value is known to be neutral. window.c handles all other
 * windows. */
#include "exec/kernel/window.h"

enum { ROOM = 4096, PICKS = 256 };

/* ---- recognizing windows over rows ---------------------------------------------------------- */

static bool is_trivial(const step *s, const window_plan *k, const tensor *windows, int d)
{
	return k->size[d] == 1 && k->stride[d] == 1 && !k->low[d] &&
	       step_in(s, 0)->dims[d] == windows->dims[d];
}

/* Splits the dimensions into outer ones, the line, and the row. `windows` is the tensor that has
 * one element for each window. */
static bool find_rows(const step *s, window_plan *k, const tensor *windows)
{
	k->row = 1;
	k->line = k->rank - 1;
	for (int d = 0; d < k->rank; d++)
		if (k->base[d] != 1)
			return false;
	while (k->line >= 0 && is_trivial(s, k, windows, k->line))
		k->row *= windows->dims[k->line--];
	return k->line >= 0 && windows->n > 0 && step_in(s, 0)->n > 0;
}

/* Finds the windows [*lo, *hi) along dimension d whose tap w is on an element, not on padding. */
static void windows_with(const window_plan *k, const tensor *in, int d, int64_t w, int64_t n,
                         int64_t *lo, int64_t *hi)
{
	int64_t at = w * k->dilation[d] - k->low[d], size = in->dims[d], by = k->stride[d];
	*lo = at < 0 ? ceil_div(-at, by) : 0;
	*hi = at < size ? min_i64(n, (size - at - 1) / by + 1) : 0;
}

/* Computes the input offset of outer window o and tap w; returns false for padding. */
static bool outer_tap(const window_plan *k, const tensor *in, const int64_t *o, const int64_t *w,
                      int64_t *at)
{
	*at = 0;
	for (int d = 0; d < k->line; d++) {
		int64_t x = o[d] * k->stride[d] + w[d] * k->dilation[d] - k->low[d];
		if (x < 0 || x >= in->dims[d])
			return false;
		*at += x * in->strides[d];
	}
	return true;
}

/* ---- reduce_window --------------------------------------------------------------------- */

/* Folds n rows, `step` elements apart at `from`, into contiguous rows. */
static void fold_rows(const window_plan *k, int64_t n, char *acc, const char *from, int64_t step,
                      int bytes, char *room)
{
	if (step == k->row) {
		k->apply(n * k->row, acc, acc, from, NULL, 0);
		return;
	}
	int64_t most = max_i64(1, ROOM / k->row);
	for (int64_t i = 0; i < n; i += most) {
		int64_t len = min_i64(most, n - i), dims[2] = {len, k->row};
		int64_t to_strides[2] = {k->row, 1}, from_strides[2] = {step, 1};
		const char *rows = from + i * step * bytes;
		if (most > 1) {
			box_copy(2, dims, room, to_strides, rows, from_strides, bytes);
			rows = room;
		}
		k->apply(len * k->row, acc + i * k->row * bytes, acc + i * k->row * bytes, rows,
		         NULL, 0);
	}
}

static void run_pool_reduce(const step *s, const call *c)
{
	const window_plan *k = s->params;
	const tensor *in = step_in(s, 0), *out = step_out(s, 0);
	int bytes = in->bytes, line = k->line;
	int64_t n = out->dims[line], lines = out->n / (n * k->row), o[MAX_RANK], at, lo, hi;
	int64_t step = k->stride[line] * in->strides[line], end = tile_begin(s, lines, c->tile + 1);
	for (int64_t i = tile_begin(s, lines, c->tile); i < end; i++) {
		char *acc = call_out(s, c, 0) + i * n * k->row * bytes;
		int64_t w[MAX_RANK] = {0};
		index_of(i, out->dims, line, o);
		box_fill(acc, c->at[1], n * k->row, bytes);
		do {
			windows_with(k, in, line, w[line], n, &lo, &hi);
			if (lo >= hi || !outer_tap(k, in, o, w, &at))
				continue;
			at += (lo * k->stride[line] + w[line] * k->dilation[line] - k->low[line]) *
			      in->strides[line];
			fold_rows(k, hi - lo, acc + lo * k->row * bytes, c->at[0] + at * bytes,
			          step, bytes, c->scratch);
		} while (index_step(k->size, line + 1, w));
	}
}

bool pool_reduce(exec_plan *p, step *s, window_plan *k)
{
	UNUSED(p);
	const tensor *in = step_in(s, 0), *out = step_out(s, 0);
	vec_op op = body_op(s->op, 0);
	k->apply = op ? vec_find(op, vec_type_of(in->dtype)) : NULL;
	if (k->n != 1 || !k->apply || vec_fix(in->dtype) || vec_load(in->dtype) ||
	    !find_rows(s, k, out))
		return false;
	s->run = run_pool_reduce;
	s->scratch = (size_t)ROOM * 16;
	s->cost = (double)out->n * (double)k->n_window * 0.5;
	step_split(
		s, out->n / (out->dims[k->line] * k->row),
		(int64_t)max_i64(
			1, 20000 / (int64_t)(1 + s->cost / (double)(out->n / (out->dims[k->line] *
	                                                                      k->row)))));
	return true;
}

/* ---- select_and_scatter ------------------------------------------------------------------ */

/* For each of n features, compares the kept element with the next tap's and keeps the one that `op`
 * selects; `best` records the number of the kept tap. */
typedef void pick_fn(int64_t n, void *kept, int32_t *best, const void *next, int32_t tap);
#define DEFINE_PICK(name, T, op)                                                                   \
	static void name(int64_t n, void *kept_, int32_t *best, const void *next_, int32_t tap)    \
	{                                                                                          \
		T *kept = kept_;                                                                   \
		const T *next = next_;                                                             \
		for (int64_t i = 0; i < n; i++) {                                                  \
			bool keep = kept[i] op next[i];                                            \
			kept[i] = keep ? kept[i] : next[i];                                        \
			best[i] = keep ? best[i] : tap;                                            \
		}                                                                                  \
	}
DEFINE_PICK(pick_ge_f32, float, >=)
DEFINE_PICK(pick_gt_f32, float, >)
DEFINE_PICK(pick_le_f32, float, <=)
DEFINE_PICK(pick_lt_f32, float, <)
DEFINE_PICK(pick_ge_f64, double, >=)
DEFINE_PICK(pick_gt_f64, double, >)
DEFINE_PICK(pick_le_f64, double, <=)
DEFINE_PICK(pick_lt_f64, double, <)

static pick_fn *pick_of(vec_op op, dtype t)
{
	bool wide = t == DT_F64;
	if (t != DT_F32 && !wide)
		return NULL;
	switch ((int)op) {
	case VEC_GE:
		return wide ? pick_ge_f64 : pick_ge_f32;
	case VEC_GT:
		return wide ? pick_gt_f64 : pick_gt_f32;
	case VEC_LE:
		return wide ? pick_le_f64 : pick_le_f32;
	case VEC_LT:
		return wide ? pick_lt_f64 : pick_lt_f32;
	}
	return NULL;
}

typedef struct pool_scatter_plan {
	window_plan window;
	pick_fn *pick;
} pool_scatter_plan;

/* Adds n gradients at the selected taps. */
static void add_picked(dtype t, int64_t n, char *out, const int64_t *taps, const int32_t *best,
                       const char *from)
{
	if (t == DT_F32)
		for (int64_t i = 0; i < n; i++)
			((float *)out)[taps[best[i]] + i] += ((const float *)from)[i];
	else
		for (int64_t i = 0; i < n; i++)
			((double *)out)[taps[best[i]] + i] += ((const double *)from)[i];
}

/* Handles one window position: `row` features, PICKS at a time. */
static void scatter_row(const pool_scatter_plan *q, const tensor *in, const char *x, char *out,
                        const char *from, const int64_t *o, int64_t *taps)
{
	const window_plan *k = &q->window;
	char kept[PICKS * 8];
	int32_t best[PICKS];
	int64_t w[MAX_RANK] = {0}, n_taps = 0;
	do {
		int64_t lo, hi, at;
		windows_with(k, in, k->line, w[k->line], o[k->line] + 1, &lo, &hi);
		if (lo <= o[k->line] && o[k->line] < hi && outer_tap(k, in, o, w, &at))
			taps[n_taps++] = at +
			                 (o[k->line] * k->stride[k->line] +
			                  w[k->line] * k->dilation[k->line] - k->low[k->line]) *
			                         in->strides[k->line];
	} while (index_step(k->size, k->line + 1, w));
	for (int64_t i = 0; n_taps && i < k->row; i += PICKS) {
		int64_t n = min_i64(PICKS, k->row - i);
		memcpy(kept, x + (taps[0] + i) * in->bytes, (size_t)(n * in->bytes));
		memset(best, 0, sizeof *best * (size_t)n);
		for (int64_t t = 1; t < n_taps; t++)
			q->pick(n, kept, best, x + (taps[t] + i) * in->bytes, (int32_t)t);
		add_picked(in->dtype, n, out + i * in->bytes, taps, best, from + i * in->bytes);
	}
}

/* Each tile is a range of the first dimension, along which windows do not overlap. */
static void run_pool_scatter(const step *s, const call *c)
{
	const pool_scatter_plan *q = s->params;
	const window_plan *k = &q->window;
	const tensor *in = step_in(s, 0), *src = step_in(s, 1);
	int64_t images = s->n_tiles > 1 ? src->dims[0] : 1, o[MAX_RANK];
	int64_t begin = tile_begin(s, images, c->tile), end = tile_begin(s, images, c->tile + 1);
	int64_t rows = src->n / k->row / images;
	char *out = call_out(s, c, 0);
	box_fill(out + in->n / images * begin * in->bytes, c->at[2], in->n / images * (end - begin),
	         in->bytes);
	index_of(begin * rows, src->dims, k->line + 1, o);
	for (int64_t i = begin * rows; i < end * rows; i++, index_step(src->dims, k->line + 1, o))
		scatter_row(q, in, c->at[0], out, c->at[1] + i * k->row * in->bytes, o, c->scratch);
}

bool pool_scatter(exec_plan *p, step *s, window_plan *k)
{
	const tensor *in = step_in(s, 0), *src = step_in(s, 1);
	pick_fn *pick = pick_of(body_comparison(s->op, 0), in->dtype);
	if (!pick || body_op(s->op, 1) != VEC_ADD || src->dtype != in->dtype ||
	    k->n_window > INT32_MAX || !find_rows(s, k, src))
		return false;
	pool_scatter_plan *q = NEW(plan_mem(p), pool_scatter_plan);
	*q = (pool_scatter_plan){*k, pick};
	s->params = q;
	s->run = run_pool_scatter;
	s->scratch = sizeof(int64_t) * (size_t)k->n_window;
	s->cost = (double)src->n * (double)k->n_window * 0.5 + (double)in->n * 0.3;
	if (k->line > 0 && is_trivial(s, k, src, 0))
		step_split(s, src->dims[0],
		           max_i64(1, (int64_t)(20000 / (s->cost / (double)src->dims[0] + 1))));
	return true;
}
