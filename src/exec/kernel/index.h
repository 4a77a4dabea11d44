/* index.h - reading index tensors, for gather and scatter. */
#ifndef TESS_EXEC_KERNEL_INDEX_H
#define TESS_EXEC_KERNEL_INDEX_H

#include "exec/kernel.h"

/* Reads element i of an index tensor. Unsigned indices stay unsigned: a huge one is past the end,
 * not negative. */
static inline int64_t index_read(dtype t, const char *p, int64_t i)
{
	switch (t) {
	case DT_I32: return ((const int32_t *)p)[i];
	case DT_I64: return ((const int64_t *)p)[i];
	case DT_UI32: return ((const uint32_t *)p)[i];
	case DT_UI64: {
		uint64_t v = ((const uint64_t *)p)[i];
		return v > INT64_MAX ? INT64_MAX : (int64_t)v;
	}
	default: return elem_get_int(t, p + i * dtype_bytes(t));
	}
}

/* True if d is among the n dimension numbers v. */
static inline bool index_lists(const int64_t *v, int n, int64_t d)
{
	for (int i = 0; i < n; i++)
		if (v[i] == d)
			return true;
	return false;
}

/* Iterates over the index vectors: the batch dimensions of the index tensor, with the strides they
 * have in the indices, in the other side, and in the operand. */
typedef struct index_walk {
	int rank; /* batch dimensions */
	int64_t n;
	int64_t dims[MAX_RANK];
	int64_t in_indices[MAX_RANK];
	int64_t in_outer[MAX_RANK];   /* in the result of a gather, the updates of a scatter */
	int64_t in_operand[MAX_RANK]; /* for explicit batching dimensions */
	int64_t vector;               /* stride between the components of an index vector */
} index_walk;

/* Sets the batch dimensions from `indices`, in order; outer_of[b] is the matching dimension of
 * `outer`. Returns false if the sizes do not match. */
bool index_walk_init(index_walk *w, const tensor *indices, int64_t vector_dim, const tensor *outer,
                     const int *outer_of, int n_outer);
/* Adds an explicit batching dimension: operand_dim of the operand is iterated together with
 * indices_dim of the indices. */
void index_walk_batch(index_walk *w, const tensor *operand, int64_t operand_dim,
                      int64_t indices_dim, int64_t vector_dim);

#endif
