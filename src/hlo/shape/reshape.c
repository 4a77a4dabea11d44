/* reshape.c - reshapes and transposes that move nothing, and layouts in which that is so.
 *
 * Two views of a buffer agree if every index has the same position in both. Positions in untiled
 * layouts are linear in the index, so it suffices to compare the indices with a single 1. */
#include "hlo/shape/shape.h"

/* ---- orders of dimensions ------------------------------------------------- */

/* Returns `s` with other dimensions in the given order, and otherwise unchanged. */
static const shape *reshaped(tess_ctx *ctx, const shape *s, const int64_t *dims,
                             const bool *dynamic, const int *order, int rank)
{
	layout l = *s->layout;
	l.minor_to_major = order;
	l.rank = rank;
	l.n_splits = 0; /* they are for the old dimensions */
	shape t = *s;
	t.dims = dims;
	t.dynamic = dynamic;
	t.rank = rank;
	t.layout = layout_of(ctx, &l);
	return shape_of(ctx, &t);
}

const shape *shape_permute(tess_ctx *ctx, const shape *s, const int *perm)
{
	int64_t dims[SHAPE_MAX_RANK];
	bool dynamic[SHAPE_MAX_RANK];
	int inverse[SHAPE_MAX_RANK], order[SHAPE_MAX_RANK];
	for (int i = 0; i < s->rank; i++) {
		dims[i] = s->dims[perm[i]];
		dynamic[i] = s->dynamic[perm[i]];
		inverse[perm[i]] = i;
	}
	for (int i = 0; i < s->rank; i++)
		order[i] = inverse[s->layout->minor_to_major[i]];
	return reshaped(ctx, s, dims, dynamic, order, s->rank);
}

bool transpose_from_layouts(const shape *from, const shape *to, int *perm)
{
	if (from->rank != to->rank)
		return false;
	for (int i = 0; i < from->rank; i++) {
		int f = from->layout->minor_to_major[i], t = to->layout->minor_to_major[i];
		if (from->dims[f] != to->dims[t])
			return false;
		perm[t] = f;
	}
	return true;
}

/* Compares tiles, tail and element width, but not the order of dimensions. */
static bool same_packing(const layout *a, const layout *b)
{
	if (a->n_tiles != b->n_tiles || a->tail != b->tail || a->element_bits != b->element_bits)
		return false;
	for (int i = 0; i < a->n_tiles; i++)
		if (a->tiles[i].rank != b->tiles[i].rank ||
		    memcmp(a->tiles[i].dims, b->tiles[i].dims,
		           sizeof(int64_t) * (size_t)a->tiles[i].rank) != 0)
			return false;
	return true;
}

bool transpose_is_bitcast(const shape *from, const shape *to, const int *perm)
{
	if (from->rank != to->rank || from->dtype != to->dtype ||
	    !same_packing(from->layout, to->layout))
		return false;
	for (int i = 0; i < from->rank; i++) {
		int t = to->layout->minor_to_major[i];
		if (to->dims[i] != from->dims[perm[i]] ||
		    perm[t] != from->layout->minor_to_major[i])
			return false;
	}
	return true;
}

/* ---- reshapes --------------------------------------------------------------- */

/* True if each index of `a` with a single 1 has the same position as its counterpart in `b`. */
static bool units_agree(const shape *a, const int64_t *a_strides, const shape *b,
                        const int64_t *b_strides)
{
	int64_t number = 1; /* row-major number of the unit index */
	for (int i = a->rank - 1; i >= 0; i--) {
		int64_t left = number, offset = 0;
		if (a->dims[i] == 1)
			continue;
		for (int k = b->rank - 1; k >= 0; k--) {
			offset += left % b->dims[k] * b_strides[k];
			left /= b->dims[k];
		}
		if (offset != a_strides[i])
			return false;
		number *= a->dims[i];
	}
	return true;
}

bool reshape_is_bitcast(const shape *from, const shape *to)
{
	int64_t n, m, from_strides[SHAPE_MAX_RANK], to_strides[SHAPE_MAX_RANK];
	if (!shape_elements(from, &n) || !shape_elements(to, &m) || n != m ||
	    from->dtype != to->dtype || from->layout->element_bits != to->layout->element_bits)
		return false;
	if (shape_same(from, to, SHAPE_IGNORE_MEMORY_SPACE | SHAPE_IGNORE_DYNAMIC))
		return true;
	if (!shape_strides(from, from_strides) || !shape_strides(to, to_strides) ||
	    from->layout->tail != to->layout->tail)
		return false;
	return n == 0 || (units_agree(from, from_strides, to, to_strides) &&
	                  units_agree(to, to_strides, from, from_strides));
}

static bool same_dims(const shape *a, const shape *b)
{
	return a->rank == b->rank &&
	       (!a->rank || memcmp(a->dims, b->dims, sizeof(int64_t) * (size_t)a->rank) == 0);
}

/* Finds where groups of dimensions with equal products start: (0,0) … (rank, rank). Both lists of
 * dimensions are traversed from the left; the side with the smaller product takes its next
 * dimension; if the products are equal, the smaller next dimension is taken, or both if they are
 * equal.
 *
 *   [4,1,3,5] and [2,6,5] give (0,0) (3,2) (4,3). */
static int reshape_common_factors(const shape *from, const shape *to, dim_pair *out)
{
	int i = 0, k = 0, n = 0;
	int64_t a = 1, b = 1, empty;
	if (same_dims(from, to)) {
		for (; i <= from->rank; i++)
			out[n++] = (dim_pair){i, i};
		return n;
	}
	out[n++] = (dim_pair){0, 0};
	if (!shape_elements(from, &empty) || empty == 0) {
		out[n++] = (dim_pair){from->rank, to->rank};
		return n;
	}
	while (i < from->rank || k < to->rank) {
		bool more_from = i < from->rank, more_to = k < to->rank, draw = a == b;
		bool take_from = more_from &&
		                 (a < b || (draw && (!more_to || from->dims[i] <= to->dims[k])));
		bool take_to = more_to &&
		               (b < a || (draw && (!more_from || to->dims[k] <= from->dims[i])));
		if (!take_from && !take_to)
			break; /* the products differ: not a reshape */
		if (take_from)
			a *= from->dims[i++];
		if (take_to)
			b *= to->dims[k++];
		if (a == b)
			out[n++] = (dim_pair){i, k};
	}
	return n;
}

int reshape_kept_dims(const shape *from, const shape *to, dim_pair *out, int cap)
{
	dim_pair bounds[2 * SHAPE_MAX_RANK + 1];
	int n = reshape_common_factors(from, to, bounds), kept = 0;
	for (int i = 0; i + 1 < n; i++) {
		if (bounds[i + 1].from - bounds[i].from != 1 ||
		    bounds[i + 1].to - bounds[i].to != 1)
			continue;
		if (kept < cap)
			out[kept] = bounds[i];
		kept++;
	}
	return kept;
}

/* Each group of dimensions with equal products must be contiguous in memory; the new dimensions
 * take its place, row-major. Dimensions of size 1 may be anywhere and become the most major. */
const shape *shape_align(tess_ctx *ctx, const shape *from, const shape *to)
{
	dim_pair bounds[2 * SHAPE_MAX_RANK + 1];
	int group[SHAPE_MAX_RANK], order[SHAPE_MAX_RANK], n_order = 0, last = -1;
	bool placed[SHAPE_MAX_RANK] = {false};
	int64_t n_from, n_to;
	if (!shape_elements(from, &n_from) || !shape_elements(to, &n_to) || n_from != n_to)
		return NULL;
	int n = reshape_common_factors(from, to, bounds);
	for (int g = 0; g + 1 < n; g++)
		for (int i = bounds[g].from; i < bounds[g + 1].from; i++)
			group[i] = g;
	for (int i = 0; i < from->rank; i++) {
		int dim = from->layout->minor_to_major[i];
		if (from->dims[dim] == 1 || group[dim] == last)
			continue;
		last = group[dim];
		for (int k = bounds[last + 1].to - 1; k >= bounds[last].to; k--)
			if (to->dims[k] != 1 && !placed[k]) {
				placed[k] = true;
				order[n_order++] = k;
			}
	}
	for (int k = to->rank - 1; k >= 0; k--)
		if (!placed[k])
			order[n_order++] = k;
	const shape *out = reshaped(ctx, to, to->dims, to->dynamic, order, to->rank);
	return reshape_is_bitcast(from, out) ? out : NULL;
}

