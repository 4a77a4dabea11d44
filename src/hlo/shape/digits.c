/* digits.c - a layout as mixed-radix digits of the index. */
#include "hlo/shape/digits.h"

/* Merges digits of the tiled dimensions, starting at `base`. A `*` is harmless if all but one of
 * the merged digits are always 0. */
static int merge_digits(const tile *t, const layout_digit *in, layout_digit *out, int64_t *cuts)
{
	int n = 0;
	layout_digit acc = {.dim = -1, .unit = 1, .count = 1};
	for (int i = 0; i < t->rank; i++) {
		if (in[i].count != 1) {
			if (acc.count != 1)
				return -1;
			acc = in[i];
		}
		if (t->dims[i] == TILE_MERGE)
			continue;
		out[n] = acc;
		cuts[n++] = t->dims[i];
		acc = (layout_digit){.dim = -1, .unit = 1, .count = 1};
	}
	return n;
}

/* A digit may be split unevenly only if it is the top digit of its dimension; otherwise the parts
 * would not be digits of the whole index. */
static bool can_cut(const layout_digit *d, int64_t cut, const shape *s)
{
	bool top = d->dim < 0 || d->count >= ceil_div(s->dims[d->dim], d->unit);
	return top || d->count % cut == 0;
}

static bool apply_tile(const shape *s, const tile *t, digit_list *l)
{
	layout_digit merged[SHAPE_MAX_RANK];
	int64_t cuts[SHAPE_MAX_RANK];
	for (; l->n < t->rank; l->n++) {
		memmove(l->d + 1, l->d, sizeof(layout_digit) * (size_t)l->n);
		l->d[0] = (layout_digit){.dim = -1, .unit = 1, .count = 1};
	}
	int base = l->n - t->rank, n = merge_digits(t, l->d + base, merged, cuts);
	if (n < 0)
		return false;
	for (int i = 0; i < n; i++) {
		if (!can_cut(&merged[i], cuts[i], s))
			return false;
		l->d[base + i] = l->d[base + n + i] = merged[i];
		l->d[base + i].unit = merged[i].unit * cuts[i];
		l->d[base + i].count = ceil_div(merged[i].count, cuts[i]);
		l->d[base + n + i].count = cuts[i];
	}
	l->n = base + 2 * n;
	return true;
}

bool digits_of(const shape *s, digit_list *out)
{
	int64_t stride = 1;
	out->n = s->rank;
	for (int i = 0; i < s->rank; i++) {
		int dim = s->layout->minor_to_major[s->rank - 1 - i];
		out->d[i] = (layout_digit){.dim = dim, .unit = 1, .count = s->dims[dim]};
	}
	for (int i = 0; i < s->layout->n_tiles; i++)
		if (!apply_tile(s, &s->layout->tiles[i], out))
			return false;
	for (int i = out->n - 1; i >= 0; i--) {
		out->d[i].stride = stride;
		stride *= out->d[i].count;
	}
	return true;
}

/* True if the digits, from minor to major, are those of the untiled layout. */
bool shape_is_plain(const shape *s)
{
	digit_list l;
	int64_t n, unit = 1;
	int at = 0;
	if (!shape_elements(s, &n) || shape_padded_elements(s) != n || !digits_of(s, &l))
		return false;
	for (int i = l.n - 1; i >= 0; i--) {
		if (l.d[i].count == 1)
			continue;
		while (at < s->rank && unit == s->dims[s->layout->minor_to_major[at]]) {
			at++;
			unit = 1;
		}
		if (at == s->rank || l.d[i].dim != s->layout->minor_to_major[at] ||
		    l.d[i].unit != unit)
			return n == 0;
		unit *= l.d[i].count;
	}
	return true;
}

bool shape_strides(const shape *s, int64_t *strides)
{
	int64_t stride = 1;
	if (s->layout->n_tiles && !shape_is_plain(s))
		return false;
	for (int i = 0; i < s->rank; i++) {
		int dim = s->layout->minor_to_major[i];
		strides[dim] = stride;
		if (!mul_ok(stride, s->dims[dim], &stride))
			return false; /* valid, so another dimension is 0 */
	}
	return true;
}
