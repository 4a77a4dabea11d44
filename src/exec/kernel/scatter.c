/* scatter.c - scatter.
 *
 * Updates are applied one after the other in row-major order of the scatter indices, so results do
 * not depend on threads. If a window is partly out of bounds, its in-bounds elements are updated
 * (StableHLO specification, scatter; XLA skips such a window entirely).
 *
 * Bodies that are one operation, or that return the update, work on rows directly; any other body
 * is run on rows of the window. */
#include "exec/kernel/index.h"

#include <math.h>

enum { ROW = 1024 };

typedef struct scatter_step {
	int n; /* operands */
	index_walk walk;
	int n_map;
	int64_t map_strides[MAX_RANK], map_dims[MAX_RANK]; /* of the operand */
	int map_window[MAX_RANK];                          /* its window dimension; -1: none */
	int window_rank; /* without the row, which is the last window dimension */
	int64_t window[MAX_RANK], window_in[MAX_RANK], window_up[MAX_RANK];
	int64_t row_in, row_up;
	bool replace;                /* the body returns the update */
	vec_fn *apply;               /* or else is one operation on one dtype */
	vec_op op;                   /* that operation */
	bool points;                 /* one operand, windows of one element, no other body: see scatter_points() */
	const body *body;            /* or else is anything */
} scatter_step;

/* The in-bounds part of a window: where it starts in the operand and in the updates, relative to
 * the window's start, and its sizes, the row last. */
typedef struct scatter_box {
	int64_t to, from, dims[MAX_RANK];
} scatter_box;

/* Clips a window; returns false if nothing of it is in bounds. */
static bool scatter_clip(const scatter_step *k, dtype t, const char *indices, int64_t at,
                         scatter_box *b)
{
	b->to = b->from = 0;
	memcpy(b->dims, k->window, sizeof *b->dims * (size_t)(k->window_rank + 1));
	for (int i = 0; i < k->n_map; i++) {
		int64_t v = index_read(t, indices, at + i * k->walk.vector);
		int w = k->map_window[i];
		int64_t size = w < 0 ? 1 : k->window[w];
		if (v >= k->map_dims[i] || v <= -size)
			return false;
		int64_t low = v < 0 ? -v : 0;
		b->to += (v + low) * k->map_strides[i];
		if (w < 0)
			continue;
		b->from += low * k->window_up[w];
		b->dims[w] = min_i64(size, k->map_dims[i] - v) - low;
	}
	return true;
}

/* Updates one row of the window by running the body on contiguous pieces. */
static void body_row(const step *s, const scatter_step *k, const call *c, int64_t row, int64_t to,
                     int64_t from)
{
	char *args[2 * MAX_RANK], *results[MAX_RANK];
	char *room = (char *)c->scratch + ceil_div((int64_t)body_scratch_bytes(k->body), 64) * 64;
	const int64_t one = 1;
	for (int v = 0; v < 3 * k->n; v++, room += ROW * 16)
		*(v < 2 * k->n ? &args[v] : &results[v - 2 * k->n]) = room;
	for (int64_t x = 0; x < row; x += ROW) {
		int64_t n = min_i64(ROW, row - x);
		for (int v = 0; v < k->n; v++) {
			int bytes = s->t[v].bytes, ub = s->t[k->n + 1 + v].bytes;
			box_copy(1, &n, args[v], &one,
			         call_out(s, c, v) + (to + x * k->row_in) * bytes, &k->row_in,
			         bytes);
			box_copy(1, &n, args[k->n + v], &one,
			         c->at[k->n + 1 + v] + (from + x * k->row_up) * ub, &k->row_up, ub);
		}
		body_run(k->body, n, args, results, c->scratch);
		for (int v = 0; v < k->n; v++) {
			int bytes = s->t[v].bytes;
			box_copy(1, &n, call_out(s, c, v) + (to + x * k->row_in) * bytes,
			         &k->row_in, results[v], &one, bytes);
		}
	}
}

static void update_row(const step *s, const scatter_step *k, const call *c, int64_t row, int64_t to,
                       int64_t from)
{
	int bytes = s->t[0].bytes;
	char *d = call_out(s, c, 0) + to * bytes;
	const char *u = c->at[k->n + 1] + from * bytes;
	if (k->replace && k->n == 1)
		box_copy(1, &row, d, &k->row_in, u, &k->row_up, bytes);
	else if (k->apply && (row == 1 || (k->row_in == 1 && k->row_up == 1)))
		k->apply(row, d, d, u, NULL, 0);
	else
		body_row(s, k, c, row, to, from);
}

/* ---- windows of one element ---------------------------------------------------------------- */

/* As in a histogram. Where `n` updates go is computed first, from the walk's position, in elements of the operand; -1:
 * nowhere. */
static void point_places(const scatter_step *k, dtype t, const char *indices, int64_t at, int64_t operand, int64_t n,
                         int64_t *to)
{
	const int last = k->walk.rank - 1;
	const int64_t step = last < 0 ? 0 : k->walk.in_indices[last], ahead = last < 0 ? 0 : k->walk.in_operand[last];
	for (int64_t i = 0; i < n; i++)
		to[i] = operand + i * ahead;
	for (int m = 0; m < k->n_map; m++) {
		const uint64_t size = (uint64_t)k->map_dims[m];
		const int64_t stride = k->map_strides[m], first = at + m * k->walk.vector;
		for (int64_t i = 0; i < n; i++) {
			const int64_t v = index_read(t, indices, first + i * step);
			to[i] = to[i] < 0 || (uint64_t)v >= size ? -1 : to[i] + v * stride;
		}
	}
}

/* Of floats NaN wins, and -0 is less than 0. */
#define LEAST(a, b) ((a) < (b) ? (a) : (b) < (a) ? (b) : (a) != (a) || signbit(a) ? (a) : (b))
#define MOST(a, b) ((a) > (b) ? (a) : (b) > (a) ? (b) : (a) != (a) || signbit(b) ? (a) : (b))

#define POINTS(T, combine)                                                                         \
	for (int64_t i = 0; i < n; i++)                                                            \
		if (to[i] >= 0) {                                                                  \
			T *d = (T *)out + to[i];                                                   \
			const T u = ((const T *)up)[i * step];                                     \
			*d = combine;                                                              \
		}                                                                                  \
	return;

/* Applies the updates in order. `step`: elements between two of them. */
static void points_apply(const scatter_step *k, const tensor *t, int64_t n, const int64_t *to, const char *up,
                         int64_t step, char *out)
{
	if (k->op == VEC_ADD)
		switch ((int)vec_type_of(t->dtype)) {
		case VT_F32: POINTS(float, *d + u)
		case VT_F64: POINTS(double, *d + u)
		case VT_I32:
		case VT_U32: POINTS(uint32_t, *d + u)
		case VT_I64:
		case VT_U64: POINTS(uint64_t, *d + u)
		}
	if (k->op == VEC_MIN || k->op == VEC_MAX)
		switch ((int)vec_type_of(t->dtype) * 2 + (k->op == VEC_MAX)) {
		case VT_F32 * 2: POINTS(float, LEAST(*d, u))
		case VT_F32 * 2 + 1: POINTS(float, MOST(*d, u))
		case VT_F64 * 2: POINTS(double, LEAST(*d, u))
		case VT_F64 * 2 + 1: POINTS(double, MOST(*d, u))
		case VT_I32 * 2: POINTS(int32_t, *d < u ? *d : u)
		case VT_I32 * 2 + 1: POINTS(int32_t, *d > u ? *d : u)
		case VT_I64 * 2: POINTS(int64_t, *d < u ? *d : u)
		case VT_I64 * 2 + 1: POINTS(int64_t, *d > u ? *d : u)
		}
	if (k->replace)
		switch (t->bytes) {
		case 4: POINTS(uint32_t, u)
		case 8: POINTS(uint64_t, u)
		}
	for (int64_t i = 0; i < n; i++) {
		char *d = out + to[i] * t->bytes;
		const char *u = up + i * step * t->bytes;
		if (to[i] >= 0 && k->replace)
			memcpy(d, u, (size_t)t->bytes);
		else if (to[i] >= 0)
			k->apply(1, d, d, u, NULL, 0);
	}
}
#undef POINTS
#undef LEAST
#undef MOST

static void scatter_points(const step *s, const call *c)
{
	enum { FEW = 256 };
	const scatter_step *k = s->params;
	const index_walk *w = &k->walk;
	const int outer = w->rank > 0 ? w->rank - 1 : 0;
	const int64_t line = w->rank ? w->dims[outer] : 1;
	int64_t index[MAX_RANK] = {0}, to[FEW];
	for (int64_t i = 0; i < w->n; i += line, index_step(w->dims, outer, index)) {
		int64_t at = index_dot(index, w->in_indices, outer), from = index_dot(index, w->in_outer, outer),
			operand = index_dot(index, w->in_operand, outer);
		for (int64_t x = 0, n; x < line; x += n) {
			n = min_i64(FEW, line - x);
			const int64_t step = w->rank ? w->in_outer[outer] : 0;
			point_places(k, s->t[1].dtype, c->at[1], at + (w->rank ? x * w->in_indices[outer] : 0),
			             operand + (w->rank ? x * w->in_operand[outer] : 0), n, to);
			points_apply(k, &s->t[0], n, to, c->at[2] + (from + x * step) * s->t[0].bytes, step,
			             call_out(s, c, 0));
		}
	}
}

/* ---- any windows --------------------------------------------------------------------------------- */

static void run_scatter(const step *s, const call *c)
{
	const scatter_step *k = s->params;
	const index_walk *w = &k->walk;
	dtype t = s->t[k->n].dtype;
	int64_t index[MAX_RANK] = {0}, at[MAX_RANK] = {0};
	scatter_box b;
	for (int v = 0; v < k->n; v++)
		if (call_out(s, c, v) != call_in(c, v))
			memcpy(call_out(s, c, v), call_in(c, v),
			       (size_t)(s->t[v].n * s->t[v].bytes));
	if (k->points) {
		scatter_points(s, c);
		return;
	}
	for (int64_t i = 0; i < w->n; i++, index_step(w->dims, w->rank, index)) {
		if (!scatter_clip(k, t, c->at[k->n], index_dot(index, w->in_indices, w->rank), &b))
			continue;
		int64_t to = b.to + index_dot(index, w->in_operand, w->rank);
		int64_t from = b.from + index_dot(index, w->in_outer, w->rank);
		do
			update_row(s, k, c, b.dims[k->window_rank],
			           to + index_dot(at, k->window_in, k->window_rank),
			           from + index_dot(at, k->window_up, k->window_rank));
		while (index_step(b.dims, k->window_rank, at));
	}
}

/* Collects the dimensions of the window, the last one separately. */
static bool scatter_window(scatter_step *k, const scatter_dims *d, const tensor *in,
                           const tensor *up)
{
	int n = 0, window_of[MAX_RANK];
	for (int i = 0; i < in->rank; i++) {
		window_of[i] = -1;
		if (index_lists(d->inserted, d->n_inserted, i) ||
		    index_lists(d->input_batch, d->n_input_batch, i))
			continue;
		if (n == d->n_window)
			return false;
		window_of[i] = n;
		k->window[n] = up->dims[d->window[n]];
		k->window_in[n] = in->strides[i];
		k->window_up[n] = up->strides[d->window[n]];
		n++;
	}
	k->n_map = d->n_map;
	for (int i = 0; i < d->n_map; i++) {
		k->map_strides[i] = in->strides[d->map[i]];
		k->map_dims[i] = in->dims[d->map[i]];
		k->map_window[i] = window_of[d->map[i]];
	}
	if (!n)
		k->window[n++] = k->window_in[0] = k->window_up[0] = 1;
	k->window_rank = n - 1;
	k->row_in = k->window_in[n - 1];
	k->row_up = k->window_up[n - 1];
	return true;
}

static void scatter_body(exec_plan *p, step *s, scatter_step *k)
{
	const block *b = op_block(s->op, 0);
	const op *end = block_terminator(b);
	dtype t = s->t[0].dtype;
	k->replace = end && end->n_operands == 1 && k->n == 1 && operand(end, 0) == b->args[1] &&
	             s->t[2].dtype == t;
	vec_op op = k->n == 1 && s->t[2].dtype == t ? body_op(s->op, 0) : VEC_NONE;
	if (op != VEC_NONE && !vec_load(t) && !vec_fix(t)) {
		k->apply = vec_find(op, vec_type_of(t));
		k->op = op;
	}
	k->points = k->n == 1 && (k->replace || k->apply);
	for (int i = 0; i <= k->window_rank; i++)
		k->points &= k->window[i] == 1;
	if (!k->replace)
		k->body = body_new(p, s->op, 0);
}

bool prepare_scatter(exec_plan *p, step *s)
{
	scatter_dims d;
	scatter_step *k = NEW(plan_mem(p), scatter_step);
	k->n = s->n_in / 2;
	const tensor *in = step_in(s, 0), *indices = step_in(s, k->n), *up = step_in(s, k->n + 1);
	if (s->n_in != 2 * k->n + 1 || k->n > MAX_RANK / 2 ||
	    !op_scatter_dims(plan_module(p), s->op, &d))
		return step_invalid(p, s, "dimension numbers do not fit the operands");
	int outer_of[MAX_RANK], n_outer = 0;
	for (int i = 0; i < up->rank; i++)
		if (!index_lists(d.window, d.n_window, i))
			outer_of[n_outer++] = i;
	if (!index_walk_init(&k->walk, indices, d.index_vector_dim, up, outer_of, n_outer))
		return step_invalid(p, s, "the updates do not fit the indices");
	for (int i = 0; i < d.n_input_batch; i++)
		index_walk_batch(&k->walk, in, d.input_batch[i], d.indices_batch[i],
		                 d.index_vector_dim);
	if (!scatter_window(k, &d, in, up))
		return step_invalid(p, s, "dimension numbers do not fit the updates");
	scatter_body(p, s, k);
	if (!k->replace && !k->body)
		return false;
	for (int v = 0; v < k->n; v++)
		step_in_place(p, s, v, v);
	if (!up->n)
		k->walk.n = 0;
	s->params = k;
	s->run = run_scatter;
	if (k->body)
		s->scratch = body_scratch_bytes(k->body) + 64 + (size_t)(3 * k->n * ROW * 16);
	s->cost = (double)in->n * 0.1 + (double)up->n * (k->replace || k->apply ? 4 : 20);
	return true;
}
