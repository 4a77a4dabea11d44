/* place.c - what a sharding means on devices.
 *
 * The position of a device in the row-major grid of its mesh is a mixed-radix number, and an axis
 * or sub-axis is a digit of it: (position / stride) % size. The number of the shard that a device
 * holds of a dimension is formed by the digits of the dimension's axes, major to minor. Its box is
 * a piece of ceil(dim / shards) elements; the last pieces may be short or empty.
 *
 * Whether two shardings place a tensor in the same way is decided on the digits alone if both
 * meshes order their devices in the same way, however many devices there are (see same_split).
 * Otherwise every device is looked at. */
#include "sharding/sharding.h"

digit axis_digit(axis_ref a, const mesh *m)
{
	int i = mesh_axis_index(m, a.axis);
	int64_t stride = 1;
	ASSERT(i >= 0);
	for (int j = i + 1; j < m->n_axes; j++)
		stride *= m->axes[j].size;
	if (!axis_is_full(a))
		stride *= m->axes[i].size / (a.pre * a.size);
	return (digit){stride, axis_size(a, m)};
}

static int64_t digits_at(axis_list axes, const mesh *m, int64_t position)
{
	int64_t index = 0;
	for (int i = 0; i < axes.n; i++) {
		digit g = axis_digit(axes.ptr[i], m);
		index = index * g.size + position / g.stride % g.size;
	}
	return index;
}

/* True without a sharding, or on the wildcard mesh: the whole tensor on every device. */
static bool is_whole(const sharding *s, const mesh *m)
{
	return !s || !m || mesh_is_empty(m);
}

static axis_list split_of(const sharding *s, const mesh *m, int d)
{
	return is_whole(s, m) || mesh_is_maximal(m) ? (axis_list){0} : dim_axes(&s->dims[d]);
}

static axis_list partial_of(const sharding *s, const mesh *m)
{
	return is_whole(s, m) ? (axis_list){0} : (axis_list){s->unreduced, s->n_unreduced};
}

int64_t sharding_dim_shards(const sharding *s, int d, const mesh *m)
{
	return axes_size(split_of(s, m, d), m);
}

static int64_t piece_size(int64_t dim, int64_t shards)
{
	return dim / shards + (dim % shards != 0);
}

void sharding_local_shape(const sharding *s, const mesh *m, const int64_t *dims, int rank,
                          int64_t *local)
{
	for (int d = 0; d < rank; d++)
		local[d] = dims[d] < 0 ? dims[d]
		                       : piece_size(dims[d], sharding_dim_shards(s, d, m));
}

static void box_of_dim(axis_list axes, const mesh *m, int64_t dim, int64_t position,
                       int64_t *begin, int64_t *end)
{
	int64_t piece = piece_size(dim, axes_size(axes, m));
	int64_t index = digits_at(axes, m, position);
	*begin = piece && index > dim / piece ? dim : min_i64(index * piece, dim);
	*end = min_i64(*begin + piece, dim);
}

void sharding_box(const sharding *s, const mesh *m, const int64_t *dims, int rank,
                  int64_t position, int64_t *begin, int64_t *end)
{
	for (int d = 0; d < rank; d++)
		box_of_dim(split_of(s, m, d), m, dims[d], position, &begin[d], &end[d]);
}

int64_t sharding_term(const sharding *s, const mesh *m, int64_t position)
{
	return digits_at(partial_of(s, m), m, position);
}

/* ---- same placement, by digits ------------------------------------------- */

/* Walks the digits of a list from minor to major. Adjacent digits come as one larger digit, and
 * digits of size 1 are skipped, so that equal splits give equal sequences whatever their axes
 * are. */
typedef struct digit_walk {
	axis_list axes;
	const mesh *m;
	int left;
} digit_walk;

static digit_walk digits_begin(axis_list axes, const mesh *m)
{
	return (digit_walk){axes, m, axes.n};
}

static bool digits_next(digit_walk *w, digit *out)
{
	*out = (digit){1, 1};
	for (; w->left; w->left--) {
		digit g = axis_digit(w->axes.ptr[w->left - 1], w->m);
		if (g.size == 1)
			continue;
		if (out->size == 1)
			*out = g;
		else if (g.stride == out->stride * out->size)
			out->size *= g.size;
		else
			break;
	}
	return out->size > 1;
}

/* True if the digit [stride, stride * size) is covered by those of the list. */
static bool digits_cover(axis_list axes, const mesh *m, digit g)
{
	int64_t at = g.stride, end = g.stride * g.size;
	for (bool moved = true; moved && at < end;) {
		moved = false;
		for (int i = 0; i < axes.n; i++) {
			digit h = axis_digit(axes.ptr[i], m);
			if (h.stride <= at && at < h.stride * h.size) {
				at = h.stride * h.size;
				moved = true;
			}
		}
	}
	return at >= end;
}

static bool digits_within(axis_list a, const mesh *ma, axis_list b, const mesh *mb)
{
	digit_walk w = digits_begin(a, ma);
	for (digit g; digits_next(&w, &g);)
		if (!digits_cover(b, mb, g))
			return false;
	return true;
}

/* True if both lists use the same digits of the position, in any order. */
static bool same_digits(axis_list a, const mesh *ma, axis_list b, const mesh *mb)
{
	return digits_within(a, ma, b, mb) && digits_within(b, mb, a, ma);
}

/* Returns the first shard number that is not known to mean the same devices in both lists, which
 * use the same digits. */
static int64_t agreed_shards(axis_list a, const mesh *ma, axis_list b, const mesh *mb)
{
	digit_walk wa = digits_begin(a, ma), wb = digits_begin(b, mb);
	int64_t agreed = 1;
	for (digit ga, gb; digits_next(&wa, &ga) && digits_next(&wb, &gb);) {
		if (ga.stride != gb.stride)
			break;
		agreed *= min_i64(ga.size, gb.size);
		if (ga.size != gb.size)
			break;
	}
	return agreed;
}

/* True if every position holds the same piece of a dimension of this size.
 *
 * If no piece is empty, that is so exactly if the digits are the same and in the same order. Empty
 * pieces are all alike, so only the shards that hold something must be on the same devices: 3
 * elements over "x", "y" of sizes 2 and 2, or over "y", "x", differ in shard 1, but 1 element does
 * not. */
static bool same_split(axis_list a, const mesh *ma, axis_list b, const mesh *mb, int64_t dim)
{
	if (!dim)
		return true;
	if (!same_digits(a, ma, b, mb))
		return false;
	int64_t piece = piece_size(dim, axes_size(a, ma));
	return agreed_shards(a, ma, b, mb) >= piece_size(dim, piece);
}

/* ---- same placement, device by device ------------------------------------ */

static bool same_box(axis_list a, const mesh *ma, int64_t at_a, axis_list b, const mesh *mb,
                     int64_t at_b, int64_t dim)
{
	int64_t begin_a, end_a, begin_b, end_b;
	box_of_dim(a, ma, dim, at_a, &begin_a, &end_a);
	box_of_dim(b, mb, dim, at_b, &begin_b, &end_b);
	return (begin_a == begin_b && end_a == end_b) || (begin_a == end_a && begin_b == end_b);
}

/* The position with the digits of the axes set to zero: the first device of the group whose partial
 * values are still to be combined. */
static int64_t group_of(axis_list axes, const mesh *m, int64_t position)
{
	for (int i = 0; i < axes.n; i++) {
		digit g = axis_digit(axes.ptr[i], m);
		position -= position / g.stride % g.size * g.stride;
	}
	return position;
}

/* True if this device and the first device of its group in mesh a are in one group of mesh b,
 * too. */
static bool keeps_group(axis_list a, const mesh *ma, axis_list b, const mesh *mb, int64_t device)
{
	int64_t first = mesh_device_at(ma, group_of(a, ma, mesh_position_of(ma, device)));
	return group_of(b, mb, mesh_position_of(mb, device)) ==
	       group_of(b, mb, mesh_position_of(mb, first));
}

static bool same_on_each_device(const sharding *a, const mesh *ma, const sharding *b,
                                const mesh *mb, const int64_t *dims, int rank)
{
	axis_list pa = partial_of(a, ma), pb = partial_of(b, mb);
	for (int64_t device = 0; device < ma->n_devices; device++) {
		int64_t at_a = mesh_position_of(ma, device), at_b = mesh_position_of(mb, device);
		for (int d = 0; d < rank; d++)
			if (!same_box(split_of(a, ma, d), ma, at_a, split_of(b, mb, d), mb, at_b,
			              dims[d]))
				return false;
		if (!keeps_group(pa, ma, pb, mb, device) || !keeps_group(pb, mb, pa, ma, device))
			return false;
	}
	return true;
}

/* ---- same placement ------------------------------------------------------ */

static bool same_device_set(const mesh *a, const mesh *b)
{
	bool one_a = mesh_is_maximal(a), one_b = mesh_is_maximal(b);
	if (a->n_devices != b->n_devices)
		return false;
	if (!one_a && !one_b)
		return true;
	return (one_a ? a->device_ids[0] : 0) == (one_b ? b->device_ids[0] : 0);
}

static bool same_device_order(const mesh *a, const mesh *b)
{
	if (!a->positions || !b->positions)
		return a->positions == b->positions;
	return memcmp(a->positions, b->positions, sizeof(int64_t) * (size_t)a->n_devices) == 0;
}

bool sharding_same_placement(const sharding *a, const mesh *ma, const sharding *b, const mesh *mb,
                             const int64_t *dims, int rank)
{
	if (a == b && ma == mb)
		return true;
	axis_list pa = partial_of(a, ma), pb = partial_of(b, mb);
	bool whole = is_whole(a, ma) || is_whole(b, mb);
	if ((pa.n || pb.n) && (!pa.n || !pb.n || a->reduction != b->reduction))
		return false;
	if (!whole && !same_device_set(ma, mb))
		return false;
	if (!whole && !same_device_order(ma, mb))
		return same_on_each_device(a, ma, b, mb, dims, rank);
	for (int d = 0; d < rank; d++)
		if (!same_split(split_of(a, ma, d), ma, split_of(b, mb, d), mb, dims[d]))
			return false;
	return same_digits(pa, ma, pb, mb);
}
