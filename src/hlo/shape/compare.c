/* compare.c - properties of shapes, and equality up to given differences. */
#include "hlo/shape/shape.h"

const shape *shape_array_part(const shape *s)
{
	return s->kind == SH_ARRAY ? s : s->kind == SH_BUFFER ? s->parts[0] : NULL;
}

bool shape_is_dynamic(const shape *s)
{
	for (int i = 0; i < s->rank; i++)
		if (s->dynamic[i])
			return true;
	for (int i = 0; i < s->n_parts; i++)
		if (shape_is_dynamic(s->parts[i]))
			return true;
	return false;
}

int64_t shape_leaves(const shape *s)
{
	if (s->kind != SH_TUPLE)
		return 1;
	int64_t n = 0;
	for (int i = 0; i < s->n_parts; i++)
		if (!add_ok(n, shape_leaves(s->parts[i]), &n))
			return INT64_MAX;
	return n;
}

int shape_true_rank(const shape *s)
{
	int n = 0;
	for (int i = 0; i < s->rank; i++)
		n += s->dims[i] > 1 || s->dims[i] == DIM_UNBOUNDED;
	return n;
}

int shape_dim_number(const shape *s, int64_t dim)
{
	if (dim < -(int64_t)s->rank || dim >= s->rank)
		return -1;
	return (int)(dim < 0 ? dim + s->rank : dim);
}

bool shape_elements(const shape *s, int64_t *out)
{
	int64_t n = 1;
	bool fits = true;
	for (int i = 0; i < s->rank; i++) {
		if (s->dims[i] == DIM_UNBOUNDED)
			return false;
		if (s->dims[i] == 0) {
			*out = 0;
			return true; /* however large the others are */
		}
		fits = fits && mul_ok(n, s->dims[i], &n);
	}
	*out = n;
	return fits;
}

/* ---- equality ------------------------------------------------------------- */

static bool same_tiles(const layout *a, const layout *b)
{
	if (a->n_tiles != b->n_tiles)
		return false;
	for (int i = 0; i < a->n_tiles; i++) {
		if (a->tiles[i].rank != b->tiles[i].rank)
			return false;
		for (int d = 0; d < a->tiles[i].rank; d++)
			if (a->tiles[i].dims[d] != b->tiles[i].dims[d])
				return false;
	}
	return true;
}

static bool same_splits(const layout *a, const layout *b)
{
	if (a->n_splits != b->n_splits)
		return false;
	for (int i = 0; i < a->n_splits; i++) {
		if (a->splits[i].dim != b->splits[i].dim || a->splits[i].n != b->splits[i].n)
			return false;
		for (int d = 0; d < a->splits[i].n; d++)
			if (a->splits[i].at[d] != b->splits[i].at[d])
				return false;
	}
	return true;
}

bool layout_same(const layout *a, const layout *b, unsigned ignore)
{
	if (a == b || (ignore & SHAPE_IGNORE_LAYOUT))
		return true;
	if (a->rank != b->rank)
		return false;
	for (int i = 0; i < a->rank; i++)
		if (a->minor_to_major[i] != b->minor_to_major[i])
			return false;
	return ((ignore & SHAPE_IGNORE_TILES) || same_tiles(a, b)) &&
	       ((ignore & SHAPE_IGNORE_SPLITS) || same_splits(a, b)) &&
	       ((ignore & SHAPE_IGNORE_TAIL) || a->tail == b->tail) &&
	       ((ignore & SHAPE_IGNORE_MEMORY_SPACE) || a->memory_space == b->memory_space) &&
	       a->element_bits == b->element_bits && a->metadata == b->metadata &&
	       a->index_type == b->index_type && a->pointer_type == b->pointer_type;
}

static bool same_dtype(dtype a, dtype b, unsigned ignore)
{
	return a == b || (ignore & SHAPE_IGNORE_DTYPE) ||
	       ((ignore & SHAPE_IGNORE_FLOAT_PRECISION) && dtype_is_float(a) && dtype_is_float(b));
}

static bool same_array(const shape *a, const shape *b, unsigned ignore)
{
	if (a->rank != b->rank || !same_dtype(a->dtype, b->dtype, ignore))
		return false;
	for (int i = 0; i < a->rank; i++)
		if (a->dims[i] != b->dims[i] ||
		    (!(ignore & SHAPE_IGNORE_DYNAMIC) && a->dynamic[i] != b->dynamic[i]))
			return false;
	return layout_same(a->layout, b->layout, ignore);
}

bool shape_same(const shape *a, const shape *b, unsigned ignore)
{
	if (ignore & SHAPE_IGNORE_BUFFER) {
		a = a->kind == SH_BUFFER ? a->parts[0] : a;
		b = b->kind == SH_BUFFER ? b->parts[0] : b;
	}
	if (a == b)
		return true;
	if (a->kind != b->kind || a->n_parts != b->n_parts)
		return false;
	if (a->kind == SH_ARRAY)
		return same_array(a, b, ignore);
	for (int i = 0; i < a->n_parts; i++)
		if (!shape_same(a->parts[i], b->parts[i], ignore))
			return false;
	return true;
}
