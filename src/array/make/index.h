/* index.h - NumPy's subscripts as text: "0, 1:5, ::2, None, ..., #1", where #1 is operand 1. */
#ifndef TESS_ARRAY_MAKE_INDEX_H
#define TESS_ARRAY_MAKE_INDEX_H

#include "array/array.h"

typedef enum index_kind {
	INDEX_NUMBER,
	INDEX_SLICE,
	INDEX_NEW,
	INDEX_ARRAY,
	INDEX_DOTS
} index_kind;

typedef struct index_item {
	index_kind kind;
	int64_t number;       /* position, or number of an operand */
	int64_t from, to, by; /* of a slice, within the dimension; by may be negative */
	int64_t size;         /* of the result */
	bool whole;           /* the slice is the whole dimension, in order */
	int dim;              /* of the operand; -1 for a new one */
} index_item;

typedef struct index_plan {
	index_item item[2 * ARRAY_MAX_RANK];
	int n;
} index_plan;

/* Summary of a subscript's items that are not slices. */
typedef struct index_places {
	int arrays;   /* operands with dimensions */
	int advanced; /* those, plus numbers and scalar indices */
	int left;     /* number of dimensions left after numbers and scalar indices */
	int at[ARRAY_MAX_RANK]; /* among these, the dimensions that arrays index */
	int of[ARRAY_MAX_RANK]; /* the operand numbers of these arrays */
	bool in_front;          /* the indexed dimensions come first */
	bool cut;               /* some slice is not whole */
	int rank;               /* of the arrays' common shape */
	int64_t dim[ARRAY_MAX_RANK];
} index_places;

/* Summarizes the items; `in` are the types of the operands that the plan was made for. Returns
 * false with a diagnostic if the arrays do not broadcast, or if there are too many dimensions. */
bool index_places_of(tess_ctx *ctx, const char *name, const index_plan *p, const atype *const *in,
                     index_places *out);
/* Checks that arrays, numbers and starts of slices are sharded alike, so that they can be combined.
 * *sharded: whether any is sharded. Returns false with a diagnostic. */
bool index_places_agree(tess_ctx *ctx, const char *name, const index_places *l,
                        const atype *const *in, bool *sharded);
static inline bool index_is_advanced(const index_item *it)
{
	return it->kind == INDEX_NUMBER || it->kind == INDEX_ARRAY;
}

/* Parses a subscript for a value of type x. Returns false with a diagnostic. */
bool index_read(tess_ctx *ctx, tess_str text, const atype *x, int n_operands, index_plan *out);

#endif
