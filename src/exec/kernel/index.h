/* index.h - what gather and scatter share: reading indices. */
#ifndef TESS_EXEC_KERNEL_INDEX_H
#define TESS_EXEC_KERNEL_INDEX_H

#include "exec/kernel.h"

/* Element i of an index tensor.  Unsigned indices stay unsigned: a huge one lies
 * beyond the end, not before the beginning. */
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

/* Dimension numbers are short lists. */
static inline bool index_lists(const int64_t *v, int n, int64_t d)
{
	for (int i = 0; i < n; i++)
		if (v[i] == d)
			return true;
	return false;
}

/* One index vector after the other: the batch dimensions of the indices, with what
 * each contributes to positions in the indices, the other side, and the operand. */
typedef struct index_walk {
	int rank; /* batch dimensions */
	int64_t n;
	int64_t dims[MAX_RANK];
	int64_t in_indices[MAX_RANK];
	int64_t in_outer[MAX_RANK];   /* result of a gather, updates of a scatter */
	int64_t in_operand[MAX_RANK]; /* explicit batching */
	int64_t vector;               /* stride between components of an index vector */
} index_walk;

/* Batch dimensions of `indices`, in order; `outer_of[b]` is the dimension of the other
 * tensor that runs along.  false: they do not match. */
bool index_walk_init(index_walk *w, const tensor *indices, int64_t vector_dim, const tensor *outer,
                     const int *outer_of, int n_outer);
/* Explicit batching: operand dimension `operand_dim` runs along indices dimension
 * `indices_dim`. */
void index_walk_batch(index_walk *w, const tensor *operand, int64_t operand_dim,
                      int64_t indices_dim, int64_t vector_dim);

#endif
