/* copy.c - copying with strides, as fast as memory allows.
 *
 * The loops are put in the order of the destination and merged where two are one.
 * Then one of three things is left inside:
 *  - a run that is contiguous on both sides: memcpy, or, if it is as long as a
 *    register, one larger element;
 *  - a transposition: one loop is contiguous in the source, another in the
 *    destination.  It goes block by block through a buffer in the cache, so that
 *    memory is read and written in whole lines;
 *  - anything else: element by element. */
#include "shape/copy.h"

enum { BLOCK_BYTES = 256 }; /* of a line of a block: four cache lines */

/* ---- elements --------------------------------------------------------------- */

typedef struct word16 {
	uint64_t lo, hi;
} word16;

#define STRIDED(T, name)                                                                           \
	static void name(const char *from, int64_t from_stride, char *to, int64_t to_stride,       \
	                 int64_t n)                                                                \
	{                                                                                          \
		for (int64_t i = 0; i < n; i++)                                                    \
			memcpy(to + i * to_stride * (int64_t)sizeof(T),                            \
			       from + i * from_stride * (int64_t)sizeof(T), sizeof(T));            \
	}
STRIDED(uint8_t, strided_1)
STRIDED(uint16_t, strided_2)
STRIDED(uint32_t, strided_4)
STRIDED(uint64_t, strided_8)
STRIDED(word16, strided_16)

static void strided(size_t size, const char *from, int64_t from_stride, char *to,
                    int64_t to_stride, int64_t n)
{
	switch (size) {
	case 1: strided_1(from, from_stride, to, to_stride, n); return;
	case 2: strided_2(from, from_stride, to, to_stride, n); return;
	case 4: strided_4(from, from_stride, to, to_stride, n); return;
	case 8: strided_8(from, from_stride, to, to_stride, n); return;
	case 16: strided_16(from, from_stride, to, to_stride, n); return;
	}
	for (int64_t i = 0; i < n; i++)
		memcpy(to + i * to_stride * (int64_t)size, from + i * from_stride * (int64_t)size, size);
}

/* ---- transpositions ------------------------------------------------------------ */

/* to[k][i] = from[i][k] for i < n, k < m: a block of at most BLOCK_BYTES a side,
 * whose rows lie from_row elements apart in `from`. */
#define TRANSPOSE_BLOCK(T, name)                                                                   \
	static void name(const char *from, int64_t from_row, char *to, int64_t to_row, int n,      \
	                 int m)                                                                    \
	{                                                                                          \
		enum { SIDE = BLOCK_BYTES / sizeof(T) };                                           \
		T block[SIDE][SIDE + 64 / sizeof(T)];                                              \
		for (int i = 0; i < n; i++) {                                                      \
			T row[SIDE];                                                               \
			memcpy(row, from + i * from_row * (int64_t)sizeof(T), (size_t)m * sizeof(T)); \
			for (int k = 0; k < m; k++)                                                \
				block[k][i] = row[k];                                              \
		}                                                                                  \
		for (int k = 0; k < m; k++)                                                        \
			memcpy(to + k * to_row * (int64_t)sizeof(T), block[k], (size_t)n * sizeof(T)); \
	}
TRANSPOSE_BLOCK(uint8_t, transpose_block_1)
TRANSPOSE_BLOCK(uint16_t, transpose_block_2)
TRANSPOSE_BLOCK(uint32_t, transpose_block_4)
TRANSPOSE_BLOCK(uint64_t, transpose_block_8)
TRANSPOSE_BLOCK(word16, transpose_block_16)

typedef void transpose_fn(const char *from, int64_t from_row, char *to, int64_t to_row, int n, int m);

static transpose_fn *transpose_block(size_t size)
{
	switch (size) {
	case 1: return transpose_block_1;
	case 2: return transpose_block_2;
	case 4: return transpose_block_4;
	case 8: return transpose_block_8;
	case 16: return transpose_block_16;
	}
	return NULL;
}

/* `row` is contiguous in the destination, `col` in the source. */
static void transpose(const copy_loop *row, const copy_loop *col, const char *from, char *to,
                      size_t size)
{
	transpose_fn *block = transpose_block(size);
	int64_t side = BLOCK_BYTES / (int64_t)size, bytes = (int64_t)size;
	for (int64_t k = 0; k < col->n; k += side)
		for (int64_t i = 0; i < row->n; i += side)
			block(from + (i * row->from + k) * bytes, row->from,
			      to + (k * col->to + i) * bytes, col->to,
			      (int)min_i64(side, row->n - i), (int)min_i64(side, col->n - k));
}

/* ---- the nest --------------------------------------------------------------------- */

static void copy_nest(const copy_loop *l, int n, const char *from, char *to, size_t size);

/* What is inside of all but the last loops: a run, a transposition, or elements. */
static void copy_inner(const copy_loop *l, int n, const char *from, char *to, size_t size)
{
	if (n == 0)
		memcpy(to, from, size);
	else if (n == 1 && l->from == 1 && l->to == 1)
		memcpy(to, from, (size_t)l->n * size);
	else if (n == 1)
		strided(size, from, l->from, to, l->to, l->n);
	else
		transpose(&l[1], &l[0], from, to, size);
}

static bool is_transposition(const copy_loop *col, const copy_loop *row, size_t size)
{
	return col->from == 1 && row->to == 1 && transpose_block(size);
}

static void copy_nest(const copy_loop *l, int n, const char *from, char *to, size_t size)
{
	if (n <= 1 || (n == 2 && is_transposition(&l[0], &l[1], size))) {
		copy_inner(l, n, from, to, size);
		return;
	}
	for (int64_t i = 0; i < l->n; i++)
		copy_nest(l + 1, n - 1, from + i * l->from * (int64_t)size,
		          to + i * l->to * (int64_t)size, size);
}

/* Drops loops of one turn; returns -1 if a loop has none. */
static int drop_single(copy_loop *l, int n)
{
	int kept = 0;
	for (int i = 0; i < n; i++) {
		if (l[i].n == 0)
			return -1;
		if (l[i].n != 1)
			l[kept++] = l[i];
	}
	return kept;
}

/* The destination's order, major first; few loops, so insertion will do. */
static void sort_loops(copy_loop *l, int n)
{
	for (int i = 1; i < n; i++) {
		copy_loop x = l[i];
		int k = i;
		for (; k > 0 && l[k - 1].to < x.to; k--)
			l[k] = l[k - 1];
		l[k] = x;
	}
}

static int merge_loops(copy_loop *l, int n)
{
	int kept = 0;
	for (int i = 1; i < n; i++) {
		if (l[kept].from == l[i].n * l[i].from && l[kept].to == l[i].n * l[i].to)
			l[kept] = (copy_loop){l[kept].n * l[i].n, l[i].from, l[i].to};
		else
			l[++kept] = l[i];
	}
	return n ? kept + 1 : 0;
}

/* A short contiguous run becomes one larger element. */
static int widen(copy_loop *l, int n, size_t *size)
{
	if (n < 2 || l[n - 1].from != 1 || l[n - 1].to != 1)
		return n;
	int64_t run = l[n - 1].n, bytes = run * (int64_t)*size;
	if (bytes > 16 || (bytes & (bytes - 1)) != 0)
		return n;
	for (int i = 0; i < n - 1; i++)
		if (l[i].from % run || l[i].to % run)
			return n;
	for (int i = 0; i < n - 1; i++) {
		l[i].from /= run;
		l[i].to /= run;
	}
	*size = (size_t)bytes;
	return n - 1;
}

/* The loop that is contiguous in the source becomes the last but one. */
static void pull_source_loop(copy_loop *l, int n)
{
	for (int i = 0; i < n - 1; i++) {
		if (l[i].from != 1)
			continue;
		copy_loop x = l[i];
		memmove(l + i, l + i + 1, sizeof *l * (size_t)(n - 2 - i));
		l[n - 2] = x;
		return;
	}
}

void copy_strided(copy_loop *loops, int n, const char *from, char *to, size_t size)
{
	n = drop_single(loops, n);
	if (n < 0)
		return;
	sort_loops(loops, n);
	n = merge_loops(loops, n);
	n = widen(loops, n, &size);
	pull_source_loop(loops, n);
	copy_nest(loops, n, from, to, size);
}
