/* axes.c - lists of axis references, major to minor.
 *
 * A list has at most as many elements as the mesh has axes, so functions of two lists loop over
 * pairs. Where lists come from possibly hostile text they are sorted instead (verify.c). */
#include "sharding/sharding.h"

#include <stdlib.h>

int64_t axes_size(axis_list l, const mesh *m)
{
	int64_t size = 1;
	for (int i = 0; i < l.n; i++)
		if (!mul_ok(size, axis_size(l.ptr[i], m), &size))
			return INT64_MAX;
	return size;
}

/* How many leading elements are the same. */
static int same_head(axis_list a, axis_list b)
{
	int i = 0;
	while (i < a.n && i < b.n && axis_eq(a.ptr[i], b.ptr[i]))
		i++;
	return i;
}

bool axes_eq(axis_list a, axis_list b)
{
	return a.n == b.n && same_head(a, b) == a.n;
}

bool axes_prefix_of(axis_list a, axis_list b)
{
	int same = same_head(a, b);
	return same == a.n ||
	       (same == a.n - 1 && same < b.n && axis_prefix_of(a.ptr[same], b.ptr[same]));
}

bool axes_prefix_of_strictly(axis_list a, axis_list b)
{
	return !axes_eq(a, b) && axes_prefix_of(a, b);
}

bool axes_overlap(axis_list a, axis_list b)
{
	for (int i = 0; i < a.n; i++)
		if (axes_overlap_axis(b, a.ptr[i]))
			return true;
	return false;
}

bool axes_overlap_axis(axis_list l, axis_ref a)
{
	for (int i = 0; i < l.n; i++)
		if (axis_overlaps(l.ptr[i], a))
			return true;
	return false;
}

int axes_cmp(axis_list a, axis_list b)
{
	if (a.n != b.n)
		return a.n < b.n ? -1 : 1;
	int i = same_head(a, b);
	return i == a.n ? 0 : axis_cmp(a.ptr[i], b.ptr[i]);
}

int axes_common_prefix(axis_list a, axis_list b, axis_ref *out)
{
	int n = same_head(a, b);
	for (int i = 0; i < n; i++)
		out[i] = a.ptr[i];
	if (n < a.n && n < b.n && axis_common_prefix(a.ptr[n], b.ptr[n], &out[n]))
		n++;
	return n;
}

/* Sets *out to the largest prefix of `a` that overlaps nothing in `l`; false if there is none. */
static bool axis_prefix_without_overlaps(axis_ref a, axis_list l, axis_ref *out)
{
	*out = a;
	for (int i = 0; i < l.n; i++)
		if (!axis_prefix_without_overlap(*out, l.ptr[i], out))
			return false;
	return true;
}

int axes_truncate_without_overlap(axis_ref *axes, int n, axis_list against)
{
	for (int i = 0; i < n; i++) {
		axis_ref head;
		if (!axis_prefix_without_overlaps(axes[i], against, &head))
			return i;
		if (!axis_eq(head, axes[i])) {
			axes[i] = head;
			return i + 1;
		}
	}
	return n;
}

int axis_first_overlapping(axis_ref a, axis_list sorted)
{
	int lo = 0, hi = sorted.n;
	while (lo < hi) { /* the first element that is not before `a` */
		int mid = lo + (hi - lo) / 2;
		if (axis_cmp(sorted.ptr[mid], a) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	/* As no two elements overlap, only the neighbours of that place can
	 * be the first that overlaps `a`. */
	if (lo > 0 && axis_overlaps(a, sorted.ptr[lo - 1]))
		return lo - 1;
	return lo < sorted.n && axis_overlaps(a, sorted.ptr[lo]) ? lo : -1;
}

void axes_append(axes_vec *v, arena *mem, axis_ref a, const mesh *m)
{
	axis_ref *last = v->len ? &v->ptr[v->len - 1] : NULL;
	if (last && axis_can_merge(*last, a))
		*last = axis_merge(*last, a, m);
	else
		vec_push(mem, v, a);
}

/* Insertion sort: lists are short, and the usual one is sorted already. */
void axes_sort(axis_ref *axes, int n, const mesh *m)
{
	for (int i = 1; i < n; i++) {
		axis_ref a = axes[i];
		int j = i;
		for (; j > 0 && axis_cmp_mesh(a, axes[j - 1], m) < 0; j--)
			axes[j] = axes[j - 1];
		axes[j] = a;
	}
}

int axes_sort_and_merge(axis_ref *axes, int n, const mesh *m)
{
	int to = 0;
	axes_sort(axes, n, m);
	for (int i = 0; i < n; i++) {
		if (to && axis_can_merge(axes[to - 1], axes[i]))
			axes[to - 1] = axis_merge(axes[to - 1], axes[i], m);
		else
			axes[to++] = axes[i];
	}
	return to;
}

static int compare_axes_by_name(const void *a, const void *b)
{
	return axis_cmp(*(const axis_ref *)a, *(const axis_ref *)b);
}

axis_list axes_minus(arena *mem, axis_list a, axis_list b, const mesh *m)
{
	axes_vec out = {0};
	axis_ref *sorted = COPY_N(mem, b.ptr, b.n);
	qsort(sorted, (size_t)b.n, sizeof *sorted, compare_axes_by_name);
	axis_list set = {sorted, b.n};
	for (int i = 0; i < a.n; i++) {
		axis_ref rest = a.ptr[i], head;
		for (bool left = true; left;) {
			int hit = axis_first_overlapping(rest, set);
			if (hit < 0) {
				vec_push(mem, &out, rest);
				break;
			}
			if (axis_prefix_without_overlap(rest, set.ptr[hit], &head))
				vec_push(mem, &out, head);
			left = axis_suffix_without_overlap(rest, set.ptr[hit], m, &rest);
		}
	}
	return (axis_list){out.ptr, out.len};
}
