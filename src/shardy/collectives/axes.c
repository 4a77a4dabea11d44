/* axes.c - short lists of axes that are edited in place. */
#include "shardy/collectives/axes.h"

#include <stdlib.h>

void axes_insert(arena *mem, axes_vec *v, int at, axis_ref a)
{
	vec_push(mem, v, a);
	for (int i = v->len - 1; i > at; i--)
		v->ptr[i] = v->ptr[i - 1];
	v->ptr[at] = a;
}

axis_ref axes_remove(axes_vec *v, int at)
{
	axis_ref a = v->ptr[at];
	v->len--;
	for (int i = at; i < v->len; i++)
		v->ptr[i] = v->ptr[i + 1];
	return a;
}

int axes_find(const axes_vec *v, axis_ref a)
{
	for (int i = 0; i < v->len; i++)
		if (axis_eq(v->ptr[i], a))
			return i;
	return -1;
}

void axes_drop_back(axes_vec *v, const axes_vec *gone, int from)
{
	for (int i = gone->len - 1; i >= from && v->len; i--) {
		axis_ref *last = &v->ptr[v->len - 1], rest;
		if (axis_prefix_without_overlap(*last, gone->ptr[i], &rest))
			*last = rest;
		else
			v->len--;
	}
}

static bool is_cut_by(axis_ref a, axis_ref by)
{
	return axis_can_coexist(by, a) && !axis_contains(by, a) && axis_overlaps(by, a);
}

/* Splits the axis at *i; *i is then the index after its last piece. */
static void cut_axis(arena *mem, axes_vec *v, int *i, axis_list other, const mesh *mesh)
{
	axis_ref a = v->ptr[*i], piece, suffix;
	int k = axis_first_overlapping(a, other);
	for (; k >= 0 && k < other.n && is_cut_by(a, other.ptr[k]); k++, a = suffix) {
		axes_remove(v, *i);
		if (axis_prefix_without_overlap(a, other.ptr[k], &piece))
			axes_insert(mem, v, (*i)++, piece);
		if (axis_overlap(a, other.ptr[k], &piece))
			axes_insert(mem, v, (*i)++, piece);
		if (!axis_suffix_without_overlap(a, other.ptr[k], mesh, &suffix))
			return;
		axes_insert(mem, v, *i, suffix);
	}
	(*i)++;
}

void axes_cut_along(arena *mem, axes_vec *v, axis_list other, const mesh *mesh)
{
	for (int i = 0; i < v->len && other.n;)
		cut_axis(mem, v, &i, other, mesh);
}

static int compare_axes(const void *a, const void *b)
{
	return axis_cmp(*(const axis_ref *)a, *(const axis_ref *)b);
}

axis_list axes_sorted(arena *mem, const axes_vec *lists, int n)
{
	axes_vec all = {0};
	for (int i = 0; i < n; i++)
		for (int k = 0; k < lists[i].len; k++)
			vec_push(mem, &all, lists[i].ptr[k]);
	if (all.len)
		qsort(all.ptr, (size_t)all.len, sizeof *all.ptr, compare_axes);
	return axes_of(&all);
}
