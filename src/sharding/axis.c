/* axis.c - the algebra of axis references.
 *
 * Splitting an axis of size n gives digits of a mixed-radix number: the sub-axis (pre)size is the
 * digit of `size` values with `pre` values of more major digits before it. So a reference is the
 * interval [pre, pre * size) on a scale that is read by ratios, a full axis is [1, n), and
 * containment, prefix and overlap are comparisons of interval ends. Without the mesh, the end of a
 * full axis is FULL_END, greater than any other.
 *
 * Two sub-axes of one axis can be cut so that they have no common factorization: of 6 = 2 * 3 = 3 *
 * 2, "x":(1)2 and "x":(1)3. Such references cannot coexist; an overlap or common prefix of them
 * does not exist.
 *
 * Names and meaning follow Shardy's AxisRefAttr. */
#include "sharding/sharding.h"

#define FULL_END INT64_MAX

/* pre * size, or FULL_END. */
static int64_t axis_end(axis_ref a)
{
	return axis_is_full(a) ? FULL_END : a.pre * a.size;
}

/* The reference to [pre, end) of the axis. */
static axis_ref axis_between(const name *axis, int64_t pre, int64_t end)
{
	if (end == FULL_END)
		return axis_full(axis);
	return (axis_ref){axis, pre, end / pre};
}

axis_ref axis_sub(const mesh *m, const name *axis, int64_t pre, int64_t size)
{
	if (pre == 1 && size == mesh_axis_size(m, axis))
		return axis_full(axis);
	return (axis_ref){axis, pre, size};
}

int64_t axis_size(axis_ref a, const mesh *m)
{
	return axis_is_full(a) ? mesh_axis_size(m, a.axis) : a.size;
}

int64_t axis_pre(axis_ref a)
{
	return axis_is_full(a) ? 1 : a.pre;
}

int64_t axis_next_pre(axis_ref a, const mesh *m)
{
	return axis_is_full(a) ? mesh_axis_size(m, a.axis) : a.pre * a.size;
}

bool axis_contains(axis_ref a, axis_ref b)
{
	return a.axis == b.axis && a.pre <= b.pre && axis_end(a) >= axis_end(b);
}

bool axis_prefix_of(axis_ref a, axis_ref b)
{
	return axis_contains(b, a) && a.pre == b.pre;
}

bool axis_suffix_of(axis_ref a, axis_ref b, const mesh *m)
{
	return axis_contains(b, a) && axis_next_pre(a, m) == axis_next_pre(b, m);
}

bool axis_overlaps(axis_ref a, axis_ref b)
{
	return a.axis == b.axis && a.pre < axis_end(b) && b.pre < axis_end(a);
}

bool axis_can_coexist(axis_ref a, axis_ref b)
{
	if (a.axis != b.axis || axis_is_full(a) || axis_is_full(b))
		return true;
	int64_t min_pre = min_i64(a.pre, b.pre), max_pre = max_i64(a.pre, b.pre);
	int64_t min_end = min_i64(axis_end(a), axis_end(b));
	int64_t max_end = max_i64(axis_end(a), axis_end(b));
	if (min_end <= max_pre) /* disjoint: what lies between them must be a digit */
		return max_pre % min_end == 0;
	return max_pre % min_pre == 0 && min_end % max_pre == 0 && max_end % min_end == 0;
}

bool axis_overlap(axis_ref a, axis_ref b, axis_ref *out)
{
	if (!axis_overlaps(a, b) || !axis_can_coexist(a, b))
		return false;
	*out = axis_between(a.axis, max_i64(a.pre, b.pre), min_i64(axis_end(a), axis_end(b)));
	return true;
}

bool axis_common_prefix(axis_ref a, axis_ref b, axis_ref *out)
{
	if (!axis_can_coexist(a, b))
		return false;
	*out = axis_prefix_of(a, b) ? a : b;
	return axis_prefix_of(*out, a) && axis_prefix_of(*out, b);
}

bool axis_prefix_without_overlap(axis_ref a, axis_ref b, axis_ref *out)
{
	if (!axis_can_coexist(a, b))
		return false;
	if (!axis_overlaps(a, b)) {
		*out = a;
		return true;
	}
	if (a.pre >= b.pre)
		return false;
	*out = (axis_ref){a.axis, a.pre, b.pre / a.pre};
	return true;
}

bool axis_suffix_without_overlap(axis_ref a, axis_ref b, const mesh *m, axis_ref *out)
{
	if (!axis_can_coexist(a, b))
		return false;
	if (!axis_overlaps(a, b)) {
		*out = a;
		return true;
	}
	int64_t a_end = axis_next_pre(a, m), b_end = axis_next_pre(b, m);
	if (a_end <= b_end)
		return false;
	*out = (axis_ref){a.axis, b_end, a_end / b_end};
	return true;
}

bool axis_can_merge(axis_ref a, axis_ref b)
{
	return a.axis == b.axis && !axis_is_full(a) && !axis_is_full(b) && axis_end(a) == b.pre;
}

axis_ref axis_merge(axis_ref a, axis_ref b, const mesh *m)
{
	ASSERT(axis_can_merge(a, b));
	return axis_sub(m, a.axis, a.pre, a.size * b.size);
}

static int compare_i64(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

/* Compares parts of one axis by pre-size, then by size; of parts that start at the same place the
 * full axis is the largest. */
static int compare_parts(axis_ref a, axis_ref b)
{
	int c = compare_i64(a.pre, b.pre);
	return c ? c : compare_i64(axis_end(a), axis_end(b));
}

int axis_cmp(axis_ref a, axis_ref b)
{
	if (a.axis == b.axis)
		return compare_parts(a, b);
	return str_cmp(name_str(a.axis), name_str(b.axis));
}

int axis_cmp_mesh(axis_ref a, axis_ref b, const mesh *m)
{
	if (a.axis == b.axis)
		return compare_parts(a, b);
	int i = mesh_axis_index(m, a.axis), j = mesh_axis_index(m, b.axis);
	/* Unknown axes come last, by name, so that the order is total. */
	if (i < 0 && j < 0)
		return axis_cmp(a, b);
	if (i < 0 || j < 0)
		return i < 0 ? 1 : -1;
	return compare_i64(i, j);
}
