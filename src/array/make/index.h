/* index.h - NumPy's subscripts as text: "0, 1:5, ::2, None, ..., #1", where #1 is the
 * operand of that number. */
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
	int64_t number;       /* position, or number of the operand */
	int64_t from, to, by; /* of a slice, within the dimension; by may be negative */
	int64_t size;         /* of the result */
	bool whole;           /* the slice takes all of the dimension, in order */
	int dim;              /* of the operand; -1 for a new one */
} index_item;

typedef struct index_plan {
	index_item item[2 * ARRAY_MAX_RANK];
	int n;
} index_plan;

/* What the items of a subscript that are no slices say together. */
typedef struct index_places {
	int arrays;   /* operands with dimensions */
	int advanced; /* those, numbers and single computed places */
	int left;     /* how many dimensions numbers and single places leave */
	int at[ARRAY_MAX_RANK]; /* among these, the dimensions that arrays look up in */
	int of[ARRAY_MAX_RANK]; /* the operands that these arrays are */
	bool in_front;          /* the looked-up dimensions come first */
	bool cut;               /* some slice is not whole */
	int rank;               /* of what the arrays broadcast to */
	int64_t dim[ARRAY_MAX_RANK];
} index_places;

/* Sorts the items; `in` are the types of the operands that the plan was read with.
 * False with a diagnostic: the arrays do not broadcast, or there are too many dimensions. */
bool index_places_of(tess_ctx *ctx, const char *name, const index_plan *p, const atype *const *in,
                     index_places *out);
/* Whether the places can be put together: arrays, numbers and starts of slices must be sharded
 * alike.  *sharded: whether any is.  False with a diagnostic. */
bool index_places_agree(tess_ctx *ctx, const char *name, const index_places *l,
                        const atype *const *in, bool *sharded);
static inline bool index_is_advanced(const index_item *it)
{
	return it->kind == INDEX_NUMBER || it->kind == INDEX_ARRAY;
}

/* Reads a subscript of a value of type x.  False with a diagnostic. */
bool index_read(tess_ctx *ctx, tess_str text, const atype *x, int n_operands, index_plan *out);

#endif
