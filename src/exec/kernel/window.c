/* window.c - reduce_window and select_and_scatter.
 *
 * If a window has stride 1 and covers everything up to (or from) its output's position, the op is a
 * scan. JAX writes cumulative sums and maxima this way; as scans they cost one operation per
 * element instead of one per element of every window. */
#include "exec/kernel/window.h"

#include <math.h>

enum { LINE = 512 };

static void window_ints(exec_plan *p, const step *s, int known, int rank, int64_t fallback,
                        int64_t *out)
{
	int n;
	const int64_t *v = op_ints(plan_module(p), s->op, known, &n);
	for (int i = 0; i < rank; i++)
		out[i] = n == rank ? v[i] : fallback;
}

static void window_read(exec_plan *p, const step *s, window_plan *k)
{
	int n;
	k->rank = step_in(s, 0)->rank;
	window_ints(p, s, N_window_dimensions, k->rank, 1, k->size);
	window_ints(p, s, N_window_strides, k->rank, 1, k->stride);
	window_ints(p, s, N_base_dilations, k->rank, 1, k->base);
	window_ints(p, s, N_window_dilations, k->rank, 1, k->dilation);
	const int64_t *pad = op_ints(plan_module(p), s->op, N_padding, &n);
	k->n_window = 1;
	for (int i = 0; i < k->rank; i++) {
		k->low[i] = n == 2 * k->rank ? pad[2 * i] : 0;
		k->n_window *= k->size[i];
	}
}

/* Returns the position in the operand of window element `w` of output `o`; -1 for padding. */
static int64_t window_at(const window_plan *k, const tensor *in, const int64_t *o, const int64_t *w)
{
	int64_t at = 0;
	for (int d = 0; d < k->rank; d++) {
		int64_t x = o[d] * k->stride[d] + w[d] * k->dilation[d] - k->low[d];
		if (x < 0 || x % k->base[d])
			return -1;
		x /= k->base[d];
		if (x >= in->dims[d])
			return -1;
		at += x * in->strides[d];
	}
	return at;
}

/* ---- reduce_window ------------------------------------------------------------------- */

/* Splits the scratch into LINE elements each of the accumulator, next elements, and result. */
static char **window_room(const window_plan *k, const call *c, char **ptrs)
{
	char *at = (char *)c->scratch + ceil_div((int64_t)body_scratch_bytes(k->body), 64) * 64;
	for (int i = 0; i < 3 * k->n; i++, at += LINE * 16)
		ptrs[i] = at;
	return ptrs;
}

/* Computes LINE outputs at a time: for each window element, the operands' elements of all these
 * outputs are collected and folded at once. Padding, and the holes that base dilation leaves, count
 * as initial values (StableHLO specification, reduce_window). */
static void run_reduce_window(const step *s, const call *c)
{
	const window_plan *k = s->params;
	const tensor *in = step_in(s, 0), *out = step_out(s, 0);
	char *ptrs[3 * MAX_RANK];
	window_room(k, c, ptrs);
	int64_t end = tile_begin(s, out->n, c->tile + 1), at[LINE];
	for (int64_t first = tile_begin(s, out->n, c->tile); first < end; first += LINE) {
		int64_t n = min_i64(LINE, end - first), w[MAX_RANK] = {0}, o[MAX_RANK];
		for (int v = 0; v < k->n; v++)
			box_fill(ptrs[v], c->at[k->n + v], n, step_out(s, v)->bytes);
		do {
			index_of(first, out->dims, out->rank, o);
			for (int64_t i = 0; i < n; i++, index_step(out->dims, out->rank, o))
				at[i] = window_at(k, in, o, w);
			for (int v = 0; v < k->n; v++) {
				int bytes = step_out(s, v)->bytes;
				for (int64_t i = 0; i < n; i++)
					memcpy(ptrs[k->n + v] + i * bytes,
					       at[i] >= 0 ? c->at[v] + at[i] * bytes
					                  : c->at[k->n + v],
					       (size_t)bytes);
			}
			body_run(k->body, n, ptrs, ptrs + 2 * k->n, c->scratch);
			for (int v = 0; v < k->n; v++)
				memcpy(ptrs[v], ptrs[2 * k->n + v],
				       (size_t)(n * step_out(s, v)->bytes));
		} while (index_step(k->size, k->rank, w));
		for (int v = 0; v < k->n; v++)
			memcpy(call_out(s, c, v) + first * step_out(s, v)->bytes, ptrs[v],
			       (size_t)(n * step_out(s, v)->bytes));
	}
}

/* Scans along one dimension; up to LINE lines advance together. Backwards, the next elements come before
 * what is accumulated. */
static void run_scan(const step *s, const call *c)
{
	const window_plan *k = s->params;
	const tensor *out = step_out(s, 0);
	int d = k->scan_dim;
	int64_t inner = out->strides[d], len = out->dims[d], outer = out->n / (inner * len);
	int64_t lines = outer * inner, end = tile_begin(s, lines, c->tile + 1);
	char *ptrs[3 * MAX_RANK], *args[2 * MAX_RANK];
	window_room(k, c, ptrs);
	for (int v = 0; v < k->n; v++) {
		args[v] = ptrs[k->scan_back ? k->n + v : v];
		args[k->n + v] = ptrs[k->scan_back ? v : k->n + v];
	}
	for (int64_t first = tile_begin(s, lines, c->tile); first < end; first += LINE) {
		int64_t n = min_i64(LINE, end - first);
		for (int v = 0; v < k->n; v++)
			box_fill(ptrs[v], c->at[k->n + v], n, step_out(s, v)->bytes);
		for (int64_t x = 0; x < len; x++) {
			int64_t row = k->scan_back ? len - 1 - x : x;
			for (int v = 0; v < k->n; v++) {
				int bytes = step_out(s, v)->bytes;
				for (int64_t i = 0; i < n; i++) {
					int64_t line = first + i;
					int64_t at = line / inner * inner * len + row * inner +
					             line % inner;
					memcpy(ptrs[k->n + v] + i * bytes, c->at[v] + at * bytes,
					       (size_t)bytes);
				}
			}
			body_run(k->body, n, args, ptrs + 2 * k->n, c->scratch);
			for (int v = 0; v < k->n; v++) {
				int bytes = step_out(s, v)->bytes;
				memcpy(ptrs[v], ptrs[2 * k->n + v], (size_t)(n * bytes));
				for (int64_t i = 0; i < n; i++) {
					int64_t line = first + i;
					int64_t at = line / inner * inner * len + row * inner +
					             line % inner;
					memcpy(call_out(s, c, v) + at * bytes, ptrs[v] + i * bytes,
					       (size_t)bytes);
				}
			}
		}
	}
}

/* Sets k->scan_dim if the window covers exactly the elements up to (or from) each output, along one
 * dimension. */
static void find_scan(const step *s, window_plan *k, const int64_t *high)
{
	const tensor *in = step_in(s, 0);
	bool plain = true;
	k->scan_dim = -1;
	for (int d = 0; d < k->rank; d++)
		plain &= k->stride[d] == 1 && k->base[d] == 1 && k->dilation[d] == 1;
	for (int d = 0; d < k->rank && plain; d++) {
		int64_t n = in->dims[d];
		bool forward = k->low[d] == n - 1 && !high[d],
		     back = !k->low[d] && high[d] == n - 1;
		if (k->size[d] == 1 && !k->low[d] && !high[d])
			continue;
		if (n < 2 || k->size[d] != n || !(forward || back) || k->scan_dim >= 0) {
			k->scan_dim = -1;
			return;
		}
		k->scan_dim = d;
		k->scan_back = back;
	}
}

/* True if v is the integer dtype's least value (or its largest, unless `least`): the identity of
 * maximum (or minimum). */
static bool is_extreme(dtype t, int64_t v, bool least)
{
	int bits = dtype_bits(t);
	bool is_signed = dtype_class_of(t) == DC_SINT;
	uint64_t all = bits < 64 ? ((uint64_t)1 << bits) - 1 : UINT64_MAX;
	uint64_t most = is_signed ? all >> 1 : all;
	return v == (int64_t)(least ? (is_signed ? ~most : 0) : most);
}

/* True if folding the initial value again changes nothing; then padding may be skipped. */
static bool init_is_neutral(exec_plan *p, const step *s)
{
	const void *init = s->n_out == 1 ? step_constant(p, s, 1) : NULL;
	dtype t = s->t[0].dtype;
	if (!init || dtype_is_complex(t))
		return false;
	bool is_float = dtype_is_float(t);
	double x = is_float ? elem_get(t, init) : 0;
	int64_t v = is_float ? 0 : elem_get_int(t, init);
	switch (body_op(s->op, 0)) {
	case VEC_ADD:
	case VEC_OR:
	case VEC_XOR: return x == 0 && v == 0;
	case VEC_MUL: return is_float ? x == 1 : v == 1;
	case VEC_MAX: return is_float ? x == -INFINITY : is_extreme(t, v, true);
	case VEC_MIN: return is_float ? x == INFINITY : is_extreme(t, v, false);
	case VEC_AND: return v == -1 || is_extreme(t, v, false);
	default: return false;
	}
}

/* True if the initial values folded with themselves are the initial values: then the padding before the
 * first element changes nothing, whatever the body is. */
static bool init_stays(exec_plan *p, const step *s, const window_plan *k)
{
	char values[MAX_RANK][16], *args[2 * MAX_RANK], *results[MAX_RANK];
	for (int v = 0; v < k->n; v++) {
		args[v] = args[k->n + v] = (char *)step_constant(p, s, k->n + v);
		results[v] = values[v];
		if (!args[v])
			return false;
	}
	char *scratch = arena_alloc(plan_mem(p), body_scratch_bytes(k->body) + 64);
	body_run(k->body, 1, args, results, scratch + (64 - (uintptr_t)scratch % 64) % 64);
	for (int v = 0; v < k->n; v++)
		if (memcmp(values[v], args[v], (size_t)step_out(s, v)->bytes))
			return false;
	return true;
}

bool prepare_reduce_window(exec_plan *p, step *s)
{
	window_plan *k = NEW(plan_mem(p), window_plan);
	int n;
	int64_t high[MAX_RANK] = {0};
	k->n = s->n_in / 2;
	if (!k->n || s->n_out != k->n || k->n > MAX_RANK / 2)
		return step_invalid(p, s, "operands and results do not match");
	for (int v = k->n; v < s->n_in; v++)
		if (s->t[v].rank)
			return step_invalid(p, s,
			                    "initial values that are not scalars are not supported");
	for (int v = 0; v < k->n; v++)
		if (s->t[v].dtype != step_out(s, v)->dtype)
			return step_unsupported(p, s, "another element type of the result is");
	window_read(p, s, k);
	const int64_t *pad = op_ints(plan_module(p), s->op, N_padding, &n);
	for (int i = 0; i < k->rank && n == 2 * k->rank; i++)
		high[i] = pad[2 * i + 1];
	if (!(k->body = body_new(p, s->op, 0)))
		return false;
	bool neutral = init_is_neutral(p, s);
	find_scan(s, k, high);
	if (k->scan_dim >= 0 && !neutral && !init_stays(p, s, k))
		k->scan_dim = -1;
	const tensor *out = step_out(s, 0);
	s->params = k;
	if (neutral && (k->scan_dim >= 0 ? scan_reduce(p, s, k) : pool_reduce(p, s, k)))
		return true;
	s->scratch = body_scratch_bytes(k->body) + 64 + (size_t)(3 * k->n * LINE * 16);
	s->run = k->scan_dim >= 0 ? run_scan : run_reduce_window;
	s->cost = (double)out->n * (k->scan_dim >= 0 ? 4 : 4 * (double)k->n_window);
	if (out->n > 1 << 10)
		step_split(s, k->scan_dim >= 0 ? out->n / out->dims[k->scan_dim] : out->n, 64);
	return true;
}

/* ---- select_and_scatter ------------------------------------------------------------------ */

/* Returns the position of the element that `select` prefers in the window; -1: only padding. */
static int64_t selected(const step *s, const window_plan *k, const call *c, const int64_t *o)
{
	const tensor *in = step_in(s, 0);
	int64_t w[MAX_RANK] = {0}, best = -1;
	do {
		int64_t at = window_at(k, in, o, w);
		if (at < 0)
			continue;
		uint8_t keep = 0;
		if (best >= 0) {
			char *args[2] = {c->at[0] + best * in->bytes, c->at[0] + at * in->bytes};
			char *results[1] = {(char *)&keep};
			body_run(k->select, 1, args, results, c->scratch);
		}
		if (!keep)
			best = at;
	} while (index_step(k->size, k->rank, w));
	return best;
}

static void run_select_and_scatter(const step *s, const call *c)
{
	const window_plan *k = s->params;
	const tensor *src = step_in(s, 1), *out = step_out(s, 0);
	int bytes = out->bytes;
	int64_t o[MAX_RANK] = {0};
	char made[16];
	box_fill(call_out(s, c, 0), c->at[2], out->n, bytes);
	for (int64_t i = 0; i < src->n; i++, index_step(src->dims, src->rank, o)) {
		int64_t at = selected(s, k, c, o);
		if (at < 0)
			continue;
		char *d = call_out(s, c, 0) + at * bytes;
		char *args[2] = {d, c->at[1] + i * bytes}, *results[1] = {made};
		body_run(k->body, 1, args, results, c->scratch);
		memcpy(d, made, (size_t)bytes);
	}
}

bool prepare_select_and_scatter(exec_plan *p, step *s)
{
	window_plan *k = NEW(plan_mem(p), window_plan);
	window_read(p, s, k);
	k->n = 1;
	if (step_in(s, 0)->dtype != step_out(s, 0)->dtype || step_in(s, 1)->rank != k->rank)
		return step_unsupported(p, s, "another element type of the result is");
	s->params = k;
	if (pool_scatter(p, s, k))
		return true;
	k->select = body_new(p, s->op, 0);
	k->body = k->select ? body_new(p, s->op, 1) : NULL;
	if (!k->body)
		return false;
	size_t a = body_scratch_bytes(k->select), b = body_scratch_bytes(k->body);
	s->scratch = a > b ? a : b;
	s->run = run_select_and_scatter;
	s->cost = (double)step_in(s, 1)->n * (double)k->n_window * 40;
	return true;
}
