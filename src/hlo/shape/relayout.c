/* relayout.c - copies an array from one layout into another.
 *
 * Consider both layouts as digits of the index: dimension d may be divided at units {8, 1} in the
 * source and {16, 2, 1} in the destination. If all units of a dimension divide one another (16, 8,
 * 2, 1), both sides are linear in the digits of the common refinement, and the copy is a loop nest
 * with two strides per loop.
 *
 * If a size is not a multiple of its units, the last digits are incomplete: 21 = 1*16 + 0*8 + 2*2 +
 * 1. Each non-zero term is a region in which every loop is full, so the copy is the product, over
 * all dimensions, of a few regions, each a perfect loop nest.
 *
 * Other layouts (tiles that merge dimensions or divide unevenly), and elements that are not whole
 * bytes, are copied element by element. */
#include "hlo/shape/copy.h"
#include "hlo/shape/digits.h"

enum { MAX_UNITS = 2 * (LAYOUT_MAX_TILES + 1) };

/* A dimension divided at the units of both sides. */
typedef struct cut_dim {
	int n;
	int64_t unit[MAX_UNITS], from[MAX_UNITS], to[MAX_UNITS]; /* from major to minor */
	int64_t size;
} cut_dim;

typedef struct relayout_plan {
	int rank, n_loops;
	size_t bytes; /* of an element */
	const char *src;
	char *dst;
	cut_dim dims[SHAPE_MAX_RANK];
	copy_loop loops[SHAPE_MAX_RANK * MAX_UNITS];
} relayout_plan;

/* ---- units ------------------------------------------------------------------- */

/* A digit with a single value is always 0, whatever its unit. */
static bool is_digit_of(const layout_digit *d, int dim)
{
	return d->dim == dim && d->count != 1;
}

/* Adds the units of dimension `dim` to the sorted list, without duplicates. */
static bool add_units(cut_dim *c, const digit_list *l, int dim)
{
	for (int i = 0; i < l->n; i++) {
		if (!is_digit_of(&l->d[i], dim))
			continue;
		int k = 0;
		while (k < c->n && c->unit[k] > l->d[i].unit)
			k++;
		if (k < c->n && c->unit[k] == l->d[i].unit)
			continue;
		if (c->n == MAX_UNITS)
			return false;
		memmove(c->unit + k + 1, c->unit + k, sizeof(int64_t) * (size_t)(c->n - k));
		c->unit[k] = l->d[i].unit;
		c->n++;
	}
	return true;
}

/* Distance in memory between indices that differ by `unit`. */
static int64_t unit_stride(const digit_list *l, int dim, int64_t unit)
{
	const layout_digit *best = NULL;
	for (int i = 0; i < l->n; i++)
		if (is_digit_of(&l->d[i], dim) && l->d[i].unit <= unit &&
		    (!best || l->d[i].unit > best->unit))
			best = &l->d[i];
	return best ? best->stride * (unit / best->unit) : 0;
}

static bool cut_dimension(cut_dim *c, const digit_list *from, const digit_list *to, int dim,
                          int64_t size)
{
	*c = (cut_dim){.size = size};
	if (!add_units(c, from, dim) || !add_units(c, to, dim))
		return false;
	if (!c->n) /* of size 1 */
		c->unit[c->n++] = 1;
	for (int i = 0; i < c->n; i++) {
		if (i && c->unit[i - 1] % c->unit[i] != 0)
			return false;
		c->from[i] = unit_stride(from, dim, c->unit[i]);
		c->to[i] = unit_stride(to, dim, c->unit[i]);
	}
	return true;
}

/* ---- regions ------------------------------------------------------------------- */

/* Copies all regions of the dimensions from `dim` on, at these offsets. */
static void copy_regions(relayout_plan *p, int dim, int64_t from, int64_t to)
{
	if (dim == p->rank) {
		copy_loop loops[COUNT(p->loops)];
		memcpy(loops, p->loops, sizeof *loops * (size_t)p->n_loops);
		copy_strided(loops, p->n_loops, p->src + from * (int64_t)p->bytes,
		             p->dst + to * (int64_t)p->bytes, p->bytes);
		return;
	}
	const cut_dim *c = &p->dims[dim];
	int64_t left = c->size;
	int mark = p->n_loops;
	for (int i = 0; i < c->n && left > 0; i++) {
		int64_t turns = left / c->unit[i];
		if (!turns)
			continue;
		p->n_loops = mark;
		p->loops[p->n_loops++] = (copy_loop){turns, c->from[i], c->to[i]};
		for (int k = i + 1; k < c->n; k++)
			p->loops[p->n_loops++] =
			        (copy_loop){c->unit[k - 1] / c->unit[k], c->from[k], c->to[k]};
		copy_regions(p, dim + 1, from, to);
		left -= turns * c->unit[i];
		from += turns * c->from[i];
		to += turns * c->to[i];
	}
	p->n_loops = mark;
}

/* Returns false if the layouts have no common refinement. */
static bool relayout_by_loops(const shape *from, const char *src, const shape *to, char *dst)
{
	digit_list f, t;
	relayout_plan p = {.rank = from->rank, .bytes = (size_t)shape_element_bits(from) / 8,
	                   .src = src, .dst = dst};
	if (!digits_of(from, &f) || !digits_of(to, &t))
		return false;
	for (int i = 0; i < from->rank; i++)
		if (!cut_dimension(&p.dims[i], &f, &t, i, from->dims[i]))
			return false;
	copy_regions(&p, 0, 0, 0);
	return true;
}

/* ---- element by element --------------------------------------------------------------------- */

/* Reads element `at` of `bits` bits; the first in a byte is in its low bits. */
static uint64_t load_bits(const unsigned char *p, int64_t at, int bits)
{
	uint64_t v = 0;
	for (int i = 0; i < bits && i < 64; i++) {
		int64_t b = at * bits + i;
		v |= (uint64_t)(p[b / 8] >> (b % 8) & 1) << i;
	}
	return v;
}

static void store_bits(unsigned char *p, int64_t at, int bits, uint64_t v)
{
	for (int i = 0; i < bits; i++) {
		int64_t b = at * bits + i;
		unsigned char one = (unsigned char)(1u << (b % 8));
		p[b / 8] = (unsigned char)(i < 64 && v >> i & 1 ? p[b / 8] | one : p[b / 8] & ~one);
	}
}

static void relayout_by_index(const shape *from, const char *src, const shape *to, char *dst)
{
	int64_t index[SHAPE_MAX_RANK] = {0};
	int f = shape_element_bits(from), t = shape_element_bits(to);
	bool whole = f == t && f % 8 == 0;
	do {
		int64_t a = shape_offset(from, index), b = shape_offset(to, index);
		if (whole)
			memcpy(dst + b * (t / 8), src + a * (f / 8), (size_t)t / 8);
		else
			store_bits((unsigned char *)dst, b, t,
			           load_bits((const unsigned char *)src, a, f));
	} while (index_next(from, index));
}

/* ---- entry point ---------------------------------------------------------------------------- */

bool relayout(const shape *from, const void *src, const shape *to, void *dst)
{
	enum { SAME = SHAPE_IGNORE_LAYOUT | SHAPE_IGNORE_DYNAMIC };
	int64_t n;
	if (from->kind != SH_ARRAY || !shape_same(from, to, SAME) || !shape_elements(from, &n))
		return false;
	int64_t bytes = shape_bytes(to, SIZE_PADDED), data = shape_bytes(to, SIZE_DATA);
	if (shape_bytes(from, SIZE_PADDED) < 0 || bytes < 0)
		return false;
	if (bytes != data)
		memset(dst, 0, (size_t)bytes);
	if (!n)
		return true;
	const char *s = (const char *)src + from->layout->metadata;
	char *d = (char *)dst + to->layout->metadata;
	int bits = shape_element_bits(from);
	if (bits == shape_element_bits(to) && bits % 8 == 0 && relayout_by_loops(from, s, to, d))
		return true;
	relayout_by_index(from, s, to, d);
	return true;
}
