/* copy.c - strided copies, limited only by memory bandwidth.
 *
 * Loops are sorted in the order of the destination, and merged where two are one. Then one of three
 * cases remains inside:
 *
 *   - a range that is contiguous on both sides: memcpy, or, if it is as long as a register,
 *     one larger element;
 *   - a transpose: one loop is contiguous in the source, another in the destination (see
 *     transpose.c);
 *   - anything else: element by element. */
#include "hlo/shape/copy.h"
#include "hlo/shape/deal.h"

enum {
	SHORT_SIDE = 128,     /* fewer rows or columns are joined with the next loop */
	MANY_BYTES = 8 << 20, /* from here on the data exceeds the cache */
};

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
		memcpy(to + i * to_stride * (int64_t)size, from + i * from_stride * (int64_t)size,
		       size);
}

/* ---- the loop nest -------------------------------------------------------------------------- */

typedef enum inner_form {
	INNER_RUN,
	INNER_STRIDED,
	INNER_TRANSPOSE,
	INNER_INTERLEAVE,
	INNER_APART,
} inner_form;

/* Outer loops, and what is inside them: one loop, or rows and columns. */
typedef struct copy_nest {
	copy_loop *outer;
	int n_outer;
	inner_form form;
	copy_loop rows[2], cols[2];
	size_t size;
	bool stream; /* larger than a cache */
} copy_nest;

static void copy_inner(const copy_nest *c, const char *from, char *to)
{
	const copy_loop *row = c->rows, *col = c->cols;
	switch (c->form) {
	case INNER_RUN: memcpy(to, from, (size_t)row->n * c->size); return;
	case INNER_STRIDED: strided(c->size, from, row->from, to, row->to, row->n); return;
	case INNER_TRANSPOSE: transpose_strided(row, col, from, to, c->size, c->stream); return;
	case INNER_INTERLEAVE:
		interleave(c->size, (int)row->n, from, row->from, to, col->n);
		return;
	case INNER_APART: take_apart(c->size, (int)col->n, from, to, col->to, row->n); return;
	}
}

static void copy_outer(const copy_nest *c, int depth, const char *from, char *to)
{
	if (depth == c->n_outer) {
		copy_inner(c, from, to);
		return;
	}
	const copy_loop *l = &c->outer[depth];
	for (int64_t i = 0; i < l->n; i++)
		copy_outer(c, depth + 1, from + i * l->from * (int64_t)c->size,
		           to + i * l->to * (int64_t)c->size);
}

/* Drops loops with one iteration; returns -1 if a loop has none. */
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

/* Sorts by destination stride, descending; there are few loops, so by insertion. */
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

/* Replaces a short contiguous loop by one larger element. */
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

/* ---- choosing the innermost loops ----------------------------------------------------------- */

static const copy_loop one_turn = {1, 0, 0};

static copy_loop take_outer(copy_nest *c, int i)
{
	copy_loop l = c->outer[i];
	c->n_outer--;
	memmove(c->outer + i, c->outer + i + 1, sizeof l * (size_t)(c->n_outer - i));
	return l;
}

/* Returns the outer loop with this stride; -1 if there is none. */
static int outer_with(const copy_nest *c, int64_t stride, bool source)
{
	for (int i = 0; i < c->n_outer; i++)
		if ((source ? c->outer[i].from : c->outer[i].to) == stride)
			return i;
	return -1;
}

/* If rows or columns are shorter than a block, adds the loop that continues them. */
static void extend_sides(copy_nest *c)
{
	int i = outer_with(c, c->rows[0].n, false);
	c->rows[1] = i >= 0 && c->rows[0].n < SHORT_SIDE ? take_outer(c, i) : one_turn;
	i = outer_with(c, c->cols[0].n, true);
	c->cols[1] = i >= 0 && c->cols[0].n < SHORT_SIDE ? take_outer(c, i) : one_turn;
}

static bool is_few(int64_t n) { return n == 2 || n == 4; }

/* The last loop is the innermost; together with one that is contiguous in the source, it forms rows
 * and columns. */
static void find_inner(copy_nest *c)
{
	copy_loop row = c->n_outer ? take_outer(c, c->n_outer - 1) : (copy_loop){1, 1, 1};
	int i = outer_with(c, 1, true);
	bool sized = c->size <= 16 && (c->size & (c->size - 1)) == 0;
	c->rows[0] = row;
	c->form = row.from == 1 && row.to == 1 ? INNER_RUN : INNER_STRIDED;
	if (i < 0 || row.to != 1 || !sized)
		return;
	copy_loop col = c->cols[0] = take_outer(c, i);
	c->form = INNER_TRANSPOSE;
	if (is_few(row.n) && col.to == row.n && c->size < 16)
		c->form = INNER_INTERLEAVE;
	else if (is_few(col.n) && row.from == col.n && c->size < 16)
		c->form = INNER_APART;
	else
		extend_sides(c);
}

static bool are_many(const copy_loop *l, int n, size_t size)
{
	double bytes = (double)size;
	for (int i = 0; i < n; i++)
		bytes *= (double)l[i].n;
	return bytes >= MANY_BYTES;
}

void copy_strided(copy_loop *loops, int n, const char *from, char *to, size_t size)
{
	n = drop_single(loops, n);
	if (n < 0)
		return;
	sort_loops(loops, n);
	n = merge_loops(loops, n);
	n = widen(loops, n, &size);
	copy_nest c = {.outer = loops, .n_outer = n, .size = size,
	               .stream = are_many(loops, n, size)};
	find_inner(&c);
	copy_outer(&c, 0, from, to);
	stream_end();
}
