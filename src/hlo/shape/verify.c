/* verify.c - checks shapes and layouts.
 *
 * XLA only checks that minor_to_major is as long as the rank, and crashes later on other errors. A
 * tile may have more dimensions than the array: then the array has additional leading dimensions of
 * size 1, as TPU layouts of vectors need. */
#include "hlo/shape/shape.h"

static bool is_permutation(const int *p, int n)
{
	bool seen[SHAPE_MAX_RANK] = {false};
	for (int i = 0; i < n; i++) {
		if (p[i] < 0 || p[i] >= n || seen[p[i]])
			return false;
		seen[p[i]] = true;
	}
	return true;
}

static bool tile_verify(tess_ctx *ctx, const tile *t, place at)
{
	if (t->rank == 0)
		return diag_error(ctx, at, E_SHAPE_TILE, "a tile has at least one dimension");
	for (int i = 0; i < t->rank; i++)
		if (t->dims[i] < 1 && t->dims[i] != TILE_MERGE)
			return diag_error(ctx, at, E_SHAPE_TILE,
			                  "the size of a tile is at least 1, not %" PRId64,
			                  t->dims[i]);
	if (t->dims[t->rank - 1] == TILE_MERGE)
		return diag_error(ctx, at, E_SHAPE_TILE,
		                  "'*' merges with the next dimension, so it cannot be last");
	return true;
}

static bool splits_verify(tess_ctx *ctx, const layout *l, place at)
{
	bool seen[SHAPE_MAX_RANK] = {false};
	for (int i = 0; i < l->n_splits; i++) {
		const dim_split *s = &l->splits[i];
		if (s->dim < 0 || s->dim >= l->rank)
			return diag_error(ctx, at, E_SHAPE_LAYOUT,
			                  "SC() cuts dimension %d of %d", s->dim, l->rank);
		if (seen[s->dim])
			return diag_error(ctx, at, E_SHAPE_LAYOUT, "SC() cuts dimension %d twice",
			                  s->dim);
		seen[s->dim] = true;
		if (!s->n) /* possible in a proto, not in text */
			return diag_error(ctx, at, E_SHAPE_LAYOUT,
			                  "SC() cuts dimension %d at no index", s->dim);
		for (int k = 0; k < s->n; k++)
			if (s->at[k] < 1 || (k && s->at[k] <= s->at[k - 1]))
				return diag_error(ctx, at, E_SHAPE_LAYOUT,
				                  "the indices of SC() are positive and growing");
	}
	return true;
}

bool layout_verify(tess_ctx *ctx, const layout *l, place at)
{
	int digits = l->rank;
	if (!is_permutation(l->minor_to_major, l->rank))
		return diag_error(ctx, at, E_SHAPE_PERMUTATION,
		                  "minor_to_major must name each dimension from 0 to %d once",
		                  l->rank - 1);
	for (int i = 0; i < l->n_tiles; i++) {
		if (!tile_verify(ctx, &l->tiles[i], at))
			return false;
		digits += 2 * l->tiles[i].rank;
	}
	if (digits > LAYOUT_MAX_DIGITS)
		return diag_error(ctx, at, E_SHAPE_LIMIT, "the tiles have too many dimensions");
	if (l->tail < 1)
		return diag_error(ctx, at, E_SHAPE_LAYOUT, "L() rounds up to at least 1 element");
	if (l->element_bits < 0 || l->element_bits > 1024)
		return diag_error(ctx, at, E_SHAPE_LAYOUT, "E() is a number of bits up to 1024");
	if (l->memory_space < 0 || l->metadata < 0)
		return diag_error(ctx, at, E_SHAPE_LAYOUT, "S() and M() cannot be negative");
	return splits_verify(ctx, l, at);
}

static bool array_verify(tess_ctx *ctx, const shape *s, place at)
{
	bool unbounded = false;
	if (s->layout->rank != s->rank)
		return diag_error(ctx, at, E_SHAPE_RANK,
		                  "the layout orders %d dimensions, the array has %d",
		                  s->layout->rank, s->rank);
	for (int i = 0; i < s->rank; i++) {
		unbounded = unbounded || s->dims[i] == DIM_UNBOUNDED;
		if (s->dims[i] < 0 && s->dims[i] != DIM_UNBOUNDED)
			return diag_error(ctx, at, E_SHAPE_DIM, "a dimension cannot be negative");
	}
	if (!unbounded && (shape_bytes(s, SIZE_PADDED) < 0 || shape_bytes(s, SIZE_HOST) < 0))
		return diag_error(ctx, at, E_SHAPE_SIZE, "the array has more than 2^63 bytes");
	return true;
}

bool shape_verify(tess_ctx *ctx, const shape *s, place at)
{
	if (s->kind == SH_ARRAY)
		return layout_verify(ctx, s->layout, at) && array_verify(ctx, s, at);
	if (s->kind == SH_BUFFER && s->parts[0]->kind != SH_ARRAY)
		return diag_error(ctx, at, E_SHAPE_BUFFER,
		                  "a buffer holds an array, not another kind of shape");
	for (int i = 0; i < s->n_parts; i++)
		if (!shape_verify(ctx, s->parts[i], at))
			return false;
	return true;
}
