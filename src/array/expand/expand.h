/* expand.h - expanding operations to others, for lowering or differentiation. */
#ifndef TESS_ARRAY_EXPAND_EXPAND_H
#define TESS_ARRAY_EXPAND_EXPAND_H

#include "array/make/make.h"

/* An operation and its expansion. */
typedef struct expand_row {
	const char *name;
	make_fn *make;
} expand_row;
/* Each ends with a NULL name. */
extern const expand_row expand_shape_rows[], expand_reduce_rows[], expand_places_rows[],
        expand_random_rows[], expand_linalg_rows[];
/* Replacements for derivatives only: operations that have derivative rules. */
extern const expand_row expand_smooth_rows[];

/* Returns the expansion with that name, or of that operation; NULL if there is none. */
make_fn *expand_find(const expand_row *rows, const char *name);
make_fn *expansion_of(const array_op *op);

/* ---- steps; each returns NULL after a failure, and for a NULL operand ----------------------- */

avalue *ex_iota(maker *k, const int64_t *dims, int rank, int64_t along); /* i32 */
avalue *ex_int(maker *k, int64_t v);                                     /* i32 */
avalue *ex_number(maker *k, double v, dtype t); /* a scalar of this type */
avalue *ex_wide(maker *k, double v, const atype *like); /* with the shape and type of `like` */
avalue *ex_convert(maker *k, avalue *x, dtype t);
avalue *ex_where(maker *k, avalue *which, avalue *a, avalue *b);
avalue *ex_join(maker *k, avalue *const *in, int n, int dim);
avalue *ex_reshape(maker *k, avalue *x, const int64_t *dims, int rank);
avalue *ex_broadcast(maker *k, avalue *x, const int64_t *dims, int rank);
avalue *ex_flat(maker *k, avalue *x);
avalue *ex_reduce(maker *k, const char *op, avalue *x, int64_t axis, bool keep);
/* Returns the axis attribute, normalized, or -1 if absent (it was checked by the rule). */
int ex_axis(maker *k, const char *key, int rank);

#endif
