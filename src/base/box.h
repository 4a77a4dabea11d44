/* box.h - boxes of elements in memory. */
#ifndef TESS_BASE_BOX_H
#define TESS_BASE_BOX_H

#include "base/base.h"

/* Strides, in elements, of row-major dimensions. */
void row_major_strides(int rank, const int64_t *dims, int64_t *strides);
/* Copies elements of `bytes` each from one place to another; strides in elements. */
void box_move(int rank, const int64_t *dims, char *to, const int64_t *to_strides, const char *from,
              const int64_t *from_strides, size_t bytes);

#endif
