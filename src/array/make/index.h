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

/* Reads a subscript of a value of type x.  False with a diagnostic. */
bool index_read(tess_ctx *ctx, tess_str text, const atype *x, int n_operands, index_plan *out);

#endif
