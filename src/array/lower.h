/* lower.h - what the writers of operations share. */
#ifndef TESS_ARRAY_LOWER_H
#define TESS_ARRAY_LOWER_H

#include "array/array.h"

typedef struct lower_row lower_row;

typedef struct lowering {
	tess_ctx *ctx;
	writer *w;
	ptr_map names; /* avalue -> 1 + its number */
	int next;
	const lower_row *row;
	VEC(const amesh *) meshes;
} lowering;

/* Writes a node's operations and names its results. */
typedef bool lower_fn(lowering *l, const anode *n);
struct lower_row {
	const char *name;
	lower_fn *write;
	const char *text; /* StableHLO's name, or a word of it */
};
extern const lower_row lower_rows[]; /* ends with a NULL name */

int lower_name(lowering *l);
int lower_of(lowering *l, const avalue *v);
void lower_set(lowering *l, const avalue *v, int id);
void put_tensor(lowering *l, const atype *t);
void put_tensor_dims(lowering *l, dtype t, const int64_t *dims, int rank);

#endif
