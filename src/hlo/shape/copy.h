/* copy.h - strided copies. Internal to hlo/shape. */
#ifndef TESS_HLO_SHAPE_COPY_H
#define TESS_HLO_SHAPE_COPY_H

#include "base/base.h"

/* for (i < n): from += from_stride, to += to_stride; strides in elements. */
typedef struct copy_loop {
	int64_t n, from, to;
} copy_loop;

/* Copies one element of `size` bytes for each combination of the loops' counters. Loops may be
 * given in any order; `loops` is overwritten. */
void copy_strided(copy_loop *loops, int n, const char *from, char *to, size_t size);

/* ---- transpose.c ---- */

/* Transposes rows that are contiguous in the destination and columns that are contiguous in the
 * source: rows[0].to is 1, rows[1].to is rows[0].n, cols[0].from is 1, cols[1].from is cols[0].n.
 * The second loop of each may have a single iteration. `size` is 1, 2, 4, 8 or 16.
 * @param stream write past the cache */
void transpose_strided(const copy_loop *rows, const copy_loop *cols, const char *from, char *to,
                       size_t size, bool stream);
/* interleave: to[k * ways + r] = from[r * from_row + k] for k < n; take_apart is its inverse. ways
 * is 2 or 4, `size` 1, 2, 4 or 8. */
void interleave(size_t size, int ways, const char *from, int64_t from_row, char *to, int64_t n);
void take_apart(size_t size, int ways, const char *from, char *to, int64_t to_row, int64_t n);

#endif
