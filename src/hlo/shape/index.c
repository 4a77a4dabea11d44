/* index.c - sizes of arrays and positions of their elements.
 *
 * A position in memory follows XLA's definition of tiling: take the index in physical order; for
 * each tile, split each of the most minor dimensions into (which tile, where in the tile), with all
 * of the latter after all of the former; then count the result row-major. Golden:
 * f32[3,5]{1,0:T(2,2)} has element (2,3) at 17 (XLA, docs/tiled_layout.md). */
#include "hlo/shape/shape.h"

/* A position, from major to minor, in the dimensions that the tiles so far give. */
typedef struct position {
	int n;
	bool fits; /* no size overflowed */
	int64_t size[LAYOUT_MAX_DIGITS], at[LAYOUT_MAX_DIGITS];
} position;

static void physical_position(const shape *s, const int64_t *index, position *p)
{
	p->n = s->rank;
	p->fits = true;
	for (int i = 0; i < s->rank; i++) {
		int dim = s->layout->minor_to_major[s->rank - 1 - i];
		p->size[i] = s->dims[dim];
		p->at[i] = index ? index[dim] : 0;
	}
}

/* Adds leading dimensions of size 1 if a tile has more than the array. Returns how many. */
static int pad_position(position *p, int n)
{
	int more = n - p->n;
	if (more <= 0)
		return 0;
	memmove(p->size + more, p->size, sizeof(int64_t) * (size_t)p->n);
	memmove(p->at + more, p->at, sizeof(int64_t) * (size_t)p->n);
	for (int i = 0; i < more; i++) {
		p->size[i] = 1;
		p->at[i] = 0;
	}
	p->n = n;
	return more;
}

/* Removes them again; returns false if the position is outside them. */
static bool unpad_position(position *p, int more)
{
	for (int i = 0; i < more; i++)
		if (p->at[i] != 0)
			return false;
	p->n -= more;
	memmove(p->size, p->size + more, sizeof(int64_t) * (size_t)p->n);
	memmove(p->at, p->at + more, sizeof(int64_t) * (size_t)p->n);
	return true;
}

static int64_t round_tiles(int64_t size, int64_t tile)
{
	return size / tile + (size % tile != 0);
}

static void tile_position(const tile *t, position *p)
{
	int64_t cut[SHAPE_MAX_RANK], size[SHAPE_MAX_RANK], at[SHAPE_MAX_RANK];
	int n = 0;
	pad_position(p, t->rank);
	int base = p->n - t->rank;
	size[0] = 1;
	at[0] = 0;
	for (int i = 0; i < t->rank; i++) {
		p->fits = p->fits && mul_ok(size[n], p->size[base + i], &size[n]);
		at[n] = p->fits ? at[n] * p->size[base + i] + p->at[base + i] : 0;
		if (t->dims[i] == TILE_MERGE)
			continue;
		cut[n++] = t->dims[i];
		if (i + 1 < t->rank) {
			size[n] = 1;
			at[n] = 0;
		}
	}
	for (int i = 0; i < n; i++) {
		p->size[base + i] = round_tiles(size[i], cut[i]);
		p->size[base + n + i] = cut[i];
		p->at[base + i] = at[i] / cut[i];
		p->at[base + n + i] = at[i] % cut[i];
	}
	p->n = base + 2 * n;
}

int64_t shape_offset(const shape *s, const int64_t *index)
{
	position p;
	int64_t offset = 0;
	physical_position(s, index, &p);
	for (int i = 0; i < s->layout->n_tiles; i++)
		tile_position(&s->layout->tiles[i], &p);
	for (int i = 0; i < p.n; i++)
		offset = offset * p.size[i] + p.at[i];
	return offset;
}

int64_t shape_padded_elements(const shape *s)
{
	position p;
	int64_t n = 1;
	bool empty = false;
	for (int i = 0; i < s->rank; i++)
		if (s->dims[i] == DIM_UNBOUNDED)
			return -1;
	physical_position(s, NULL, &p);
	for (int i = 0; i < s->layout->n_tiles; i++)
		tile_position(&s->layout->tiles[i], &p);
	for (int i = 0; i < p.n; i++) {
		empty = empty || p.size[i] == 0;
		p.fits = p.fits && mul_ok(n, p.size[i], &n);
	}
	return empty ? 0 : p.fits ? n : -1;
}

/* ---- from positions to indices -------------------------------------------------------------- */

/* Inverts tile_position(): `before` has the sizes, `p` the position after it. */
static bool untile_position(const tile *t, position *before, const position *p)
{
	int more_dims = pad_position(before, t->rank);
	int base = before->n - t->rank, n = (p->n - base) / 2, last = t->rank - 1;
	memcpy(before->at, p->at, sizeof(int64_t) * (size_t)base);
	for (int i = n - 1; i >= 0; i--) {
		int64_t at = p->at[base + i] * p->size[base + n + i] + p->at[base + n + i];
		do {
			int64_t size = before->size[base + last];
			bool more = last > 0 && t->dims[last - 1] == TILE_MERGE;
			if (size == 0 || (!more && at >= size))
				return false;
			before->at[base + last] = more ? at % size : at;
			at /= size;
		} while (last-- > 0 && t->dims[last] == TILE_MERGE);
	}
	return unpad_position(before, more_dims);
}

bool shape_index_at(const shape *s, int64_t offset, int64_t *index)
{
	position p[LAYOUT_MAX_TILES + 1];
	int n = s->layout->n_tiles;
	physical_position(s, NULL, &p[0]);
	for (int i = 0; i < n; i++) {
		p[i + 1] = p[i];
		tile_position(&s->layout->tiles[i], &p[i + 1]);
	}
	for (int i = p[n].n - 1; i >= 0; i--) {
		if (p[n].size[i] == 0)
			return false;
		p[n].at[i] = offset % p[n].size[i];
		offset /= p[n].size[i];
	}
	for (int i = n - 1; i >= 0; i--)
		if (!untile_position(&s->layout->tiles[i], &p[i], &p[i + 1]))
			return false;
	for (int i = 0; i < s->rank; i++)
		index[s->layout->minor_to_major[s->rank - 1 - i]] = p[0].at[i];
	return offset == 0;
}

bool index_next(const shape *s, int64_t *index)
{
	for (int i = s->rank - 1; i >= 0; i--) {
		if (++index[i] < s->dims[i])
			return true;
		index[i] = 0;
	}
	return false;
}

/* ---- bytes ---------------------------------------------------------------------- */

int shape_element_bits(const shape *s)
{
	return s->layout->element_bits ? (int)s->layout->element_bits : 8 * dtype_bytes(s->dtype);
}

static bool bits_to_bytes(int64_t elements, int64_t bits, int64_t *bytes)
{
	if (!mul_ok(elements, bits, bytes) || !add_ok(*bytes, 7, bytes))
		return false;
	*bytes /= 8;
	return true;
}

static bool round_up(int64_t *v, int64_t to)
{
	return *v % to == 0 || add_ok(*v, to - *v % to, v);
}

/* Computes the largest part into which the splits divide each dimension. */
static void split_dims(const shape *s, int64_t *dims)
{
	for (int i = 0; i < s->rank; i++)
		dims[i] = s->dims[i];
	for (int i = 0; i < s->layout->n_splits; i++) {
		const dim_split *c = &s->layout->splits[i];
		int64_t from = 0, largest = 0, size = s->dims[c->dim];
		for (int k = 0; k <= c->n; k++) {
			int64_t to = k < c->n ? min_i64(c->at[k], size) : size;
			largest = max_i64(largest, to - from);
			from = to;
		}
		dims[c->dim] = largest;
	}
}

static int64_t padded_bytes(const shape *s)
{
	int64_t n = shape_padded_elements(s), bytes;
	if (n < 0 || !round_up(&n, s->layout->tail) ||
	    !bits_to_bytes(n, shape_element_bits(s), &bytes) ||
	    !add_ok(bytes, s->layout->metadata, &bytes))
		return -1;
	return bytes;
}

static int64_t array_bytes(const shape *s, size_kind kind)
{
	int64_t n, bytes, dims[SHAPE_MAX_RANK];
	if (kind == SIZE_PADDED)
		return padded_bytes(s);
	if (kind == SIZE_SPLIT) {
		shape largest = *s;
		split_dims(s, dims);
		largest.dims = dims;
		return padded_bytes(&largest);
	}
	if (!shape_elements(s, &n) || !bits_to_bytes(n, shape_element_bits(s), &bytes))
		return -1;
	if (kind == SIZE_HOST && shape_is_dynamic(s) && !add_ok(bytes, 4 * s->rank, &bytes))
		return -1;
	return bytes;
}

int64_t shape_bytes(const shape *s, size_kind kind)
{
	int64_t sum = 0;
	if (s->kind == SH_ARRAY)
		return array_bytes(s, kind);
	for (int i = 0; i < s->n_parts; i++) {
		int64_t part = shape_bytes(s->parts[i], kind);
		if (part < 0 || !add_ok(sum, part, &sum))
			return -1;
	}
	return sum;
}
