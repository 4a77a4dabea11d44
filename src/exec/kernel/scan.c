/* scan.c - cumulative sums, products, maxima.
 *
 * The elements of a line depend on each other, but lines are independent, so many lines advance
 * together as a row. If dimensions follow the scanned one, rows are contiguous; if the scanned
 * dimension is the last one, a few lines at a time are transposed into rows and back. */
#include "exec/kernel/window.h"

enum { LINES = 64, DEEP = 256 };

/* Folds each row of n elements with the one before it. `step` is the distance between rows in
 * elements, negative when scanning backwards. */
static void scan_rows(const window_plan *k, int64_t n, int64_t len, char *to, const char *from,
                      int64_t step, const char *before, int bytes)
{
	for (int64_t x = 0; x < len; x++) {
		k->apply(n, to, before, from, NULL, 0);
		before = to;
		to += step * bytes;
		from += step * bytes;
	}
}

/* Scans contiguous rows; a tile is a range of row pieces. */
static void run_scan_outer(const step *s, const call *c)
{
	const window_plan *k = s->params;
	const tensor *out = step_out(s, 0);
	int bytes = out->bytes;
	int64_t len = out->dims[k->scan_dim], inner = k->row, pieces = ceil_div(inner, DEEP);
	int64_t end = tile_begin(s, out->n / (len * inner) * pieces, c->tile + 1);
	box_fill(c->scratch, c->at[1], DEEP, bytes);
	for (int64_t i = tile_begin(s, out->n / (len * inner) * pieces, c->tile); i < end; i++) {
		int64_t x = i % pieces * DEEP, at = i / pieces * len * inner + x;
		at += k->scan_back ? (len - 1) * inner : 0;
		scan_rows(k, min_i64(DEEP, inner - x), len, call_out(s, c, 0) + at * bytes,
		          c->at[0] + at * bytes, k->scan_back ? -inner : inner, c->scratch, bytes);
	}
}

/* Scans up to LINES lines along the last dimension, DEEP elements of each at a time. */
static void scan_some_lines(const step *s, const call *c, int64_t first, int64_t n)
{
	const window_plan *k = s->params;
	const tensor *out = step_out(s, 0);
	int bytes = out->bytes;
	int64_t len = out->dims[k->scan_dim], apart = out->strides[k->scan_dim];
	int64_t across = apart == 1 ? len : 1; /* distance between lines */
	char *rows = c->scratch, *before = rows + DEEP * LINES * 16;
	box_fill(before, c->at[1], n, bytes);
	for (int64_t x = 0; x < len; x += DEEP) {
		int64_t deep = min_i64(DEEP, len - x), begin = k->scan_back ? len - x - deep : x;
		int64_t dims[2] = {deep, n}, there[2] = {apart, across}, here[2] = {n, 1};
		int64_t at = (first * across + begin * apart) * bytes;
		box_copy(2, dims, rows, here, c->at[0] + at, there, bytes);
		char *row = rows + (k->scan_back ? deep - 1 : 0) * n * bytes;
		scan_rows(k, n, deep, row, row, k->scan_back ? -n : n, before, bytes);
		memcpy(before, rows + (k->scan_back ? 0 : deep - 1) * n * bytes,
		       (size_t)(n * bytes));
		int64_t back[2] = {n, deep}, to[2] = {across, apart}, from[2] = {1, n};
		box_copy(2, back, call_out(s, c, 0) + at, to, rows, from, bytes);
	}
}

static void run_scan_last(const step *s, const call *c)
{
	const window_plan *k = s->params;
	int64_t lines = step_out(s, 0)->n / step_out(s, 0)->dims[k->scan_dim];
	int64_t groups = ceil_div(lines, LINES), end = tile_begin(s, groups, c->tile + 1);
	for (int64_t i = tile_begin(s, groups, c->tile); i < end; i++)
		scan_some_lines(s, c, i * LINES, min_i64(LINES, lines - i * LINES));
}

bool scan_reduce(exec_plan *p, step *s, window_plan *k)
{
	UNUSED(p);
	const tensor *in = step_in(s, 0), *out = step_out(s, 0);
	vec_op op = body_op(s->op, 0);
	k->apply = op ? vec_find(op, vec_type_of(in->dtype)) : NULL;
	if (k->n != 1 || !k->apply || vec_fix(in->dtype) || vec_load(in->dtype) || !out->n)
		return false;
	int64_t len = out->dims[k->scan_dim];
	k->row = out->strides[k->scan_dim];
	bool rows = k->row >= 16;
	if (!rows && k->row != 1)
		return false;
	s->run = rows ? run_scan_outer : run_scan_last;
	s->scratch = (size_t)(DEEP * LINES * 16 + DEEP * 16);
	s->cost = (double)out->n * 0.7;
	int64_t items = rows ? out->n / (len * k->row) * ceil_div(k->row, DEEP)
	                     : ceil_div(out->n / len, LINES);
	step_split(s, items, max_i64(1, (int64_t)(20000 / (s->cost / (double)items + 1))));
	return true;
}
