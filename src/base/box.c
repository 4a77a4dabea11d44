/* box.c - copies boxes of elements in memory. */
#include "base/box.h"

void row_major_strides(int rank, const int64_t *dims, int64_t *strides)
{
	int64_t stride = 1;
	for (int d = rank - 1; d >= 0; d--) {
		strides[d] = stride;
		stride *= dims[d];
	}
}

/* Copies along the last dimension. */
static void move_row(int64_t n, char *to, int64_t to_stride, const char *from, int64_t from_stride,
                     size_t bytes)
{
	if (to_stride == 1 && from_stride == 1) {
		memcpy(to, from, (size_t)n * bytes);
		return;
	}
	for (int64_t i = 0; i < n; i++)
		memcpy(to + i * to_stride * (int64_t)bytes,
		       from + i * from_stride * (int64_t)bytes, bytes);
}

void box_move(int rank, const int64_t *dims, char *to, const int64_t *to_strides, const char *from,
              const int64_t *from_strides, size_t bytes)
{
	if (rank == 0) {
		memcpy(to, from, bytes);
		return;
	}
	if (rank == 1) {
		if (dims[0])
			move_row(dims[0], to, to_strides[0], from, from_strides[0], bytes);
		return;
	}
	for (int64_t i = 0; i < dims[0]; i++)
		box_move(rank - 1, dims + 1, to + i * to_strides[0] * (int64_t)bytes,
		         to_strides + 1, from + i * from_strides[0] * (int64_t)bytes,
		         from_strides + 1, bytes);
}
