/* box.h - copies boxes of elements in memory. */
#ifndef TESS_BASE_BOX_H
#define TESS_BASE_BOX_H

#include "base/base.h"

/* Computes row-major strides, in elements. */
void row_major_strides(int rank, const int64_t *dims, int64_t *strides);
/* Copies elements of `bytes` bytes each; strides in elements. */
void box_move(int rank, const int64_t *dims, char *to, const int64_t *to_strides, const char *from,
              const int64_t *from_strides, size_t bytes);

#endif
