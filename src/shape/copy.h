/* copy.h - copying with strides.  Private to the layer. */
#ifndef TESS_SHAPE_COPY_H
#define TESS_SHAPE_COPY_H

#include "base/base.h"

/* for (i < n): from += from_stride, to += to_stride; strides in elements. */
typedef struct copy_loop {
	int64_t n, from, to;
} copy_loop;

/* Copies one element of `size` bytes for each combination of the loops' counters.
 * The loops may be nested in any order; `loops` is overwritten. */
void copy_strided(copy_loop *loops, int n, const char *from, char *to, size_t size);

#endif
