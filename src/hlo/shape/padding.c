/* padding.c - finds the dimension whose tiles waste memory, and the order of dimensions that wastes
 * least.
 *
 * Only the most minor dimensions decide how an array is tiled: bf16[2048,1,2048,128] in
 * {0,1,3,2:T(4,128)(2,1)} pads its dimension of size 1 to 4 and takes four times its size; in
 * {0,3,1,2} nothing is padded. */
#include "hlo/shape/shape.h"

/* The number of stored elements does not decrease when a dimension grows, so the largest size that
 * is stored in the same memory is found by binary search. */
int64_t shape_stored_dim(const shape *s, int dim)
{
	int64_t dims[SHAPE_MAX_RANK], most = shape_padded_elements(s);
	shape grown = *s;
	if (s->kind != SH_ARRAY || most <= 0)
		return s->kind == SH_ARRAY && s->dims[dim] != DIM_UNBOUNDED ? s->dims[dim] : -1;
	memcpy(dims, s->dims, sizeof *dims * (size_t)s->rank);
	grown.dims = dims;
	int64_t low = s->dims[dim], high = most; /* low fits in the memory, high + 1 does not */
	while (low < high) {
		dims[dim] = low + (high - low + 1) / 2;
		if (shape_padded_elements(&grown) == most)
			low = dims[dim];
		else
			high = dims[dim] - 1;
	}
	return low;
}

/* ---- finding a better order ----------------------------------------------------------------- */

enum { TRIED_DIMS = 3 }; /* as many as the tiles of XLA's devices have */

typedef struct order_search {
	const shape *s;
	int n; /* number of most minor dimensions chosen so far */
	int order[SHAPE_MAX_RANK], best[SHAPE_MAX_RANK];
	int64_t least;
} order_search;

/* Returns the stored size with the chosen dimensions first, then the others in their order. */
static int64_t stored_in(const order_search *o, int *order)
{
	int n = o->n;
	memcpy(order, o->order, sizeof *order * (size_t)n);
	for (int i = 0; i < o->s->rank; i++) {
		int dim = o->s->layout->minor_to_major[i], k = 0;
		while (k < o->n && o->order[k] != dim)
			k++;
		if (k == o->n)
			order[n++] = dim;
	}
	layout l = *o->s->layout;
	shape s = *o->s;
	l.minor_to_major = order;
	s.layout = &l;
	return shape_padded_elements(&s);
}

/* Tries every choice for the dimensions from `at` on, the currently more minor ones first. */
static void try_orders(order_search *o, int at)
{
	int order[SHAPE_MAX_RANK];
	if (at == o->n) {
		int64_t stored = stored_in(o, order);
		if (stored >= 0 && stored < o->least) {
			o->least = stored;
			memcpy(o->best, order, sizeof *order * (size_t)o->s->rank);
		}
		return;
	}
	for (int i = 0; i < o->s->rank; i++) {
		int dim = o->s->layout->minor_to_major[i], k = 0;
		while (k < at && o->order[k] != dim)
			k++;
		o->order[at] = dim;
		if (k == at)
			try_orders(o, at + 1);
	}
}

const shape *shape_least_padded(tess_ctx *ctx, const shape *s)
{
	order_search o = {.s = s};
	if (s->kind != SH_ARRAY || (o.least = shape_padded_elements(s)) <= 0)
		return s;
	int64_t before = o.least;
	for (int i = 0; i < s->layout->n_tiles; i++)
		if (s->layout->tiles[i].rank > o.n)
			o.n = s->layout->tiles[i].rank;
	o.n = o.n > TRIED_DIMS ? TRIED_DIMS : o.n;
	o.n = o.n > s->rank ? s->rank : o.n;
	try_orders(&o, 0);
	if (o.least == before)
		return s;
	layout l = *s->layout;
	l.minor_to_major = o.best;
	return shape_with_layout(ctx, s, layout_of(ctx, &l));
}
