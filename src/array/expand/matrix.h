/* matrix.h - matrices in the last two dimensions of values. */
#ifndef TESS_ARRAY_EXPAND_MATRIX_H
#define TESS_ARRAY_EXPAND_MATRIX_H

#include "array/make/make.h"

typedef struct triangle_form {
	bool left, lower, turned, unit; /* left: a x = b; lower, transposed, unit diagonal: of a */
} triangle_form;

avalue *matrix_solve(maker *k, avalue *a, avalue *b, triangle_form f);
avalue *matrix_times(maker *k, avalue *a, avalue *b);
avalue *matrix_turned(maker *k, avalue *a);
avalue *matrix_identity(maker *k, const atype *like);
avalue *matrix_diagonal(maker *k, avalue *a);
/* The lower triangle, from diagonal `from`; or the upper one. */
avalue *matrix_part(maker *k, avalue *a, bool lower, int64_t from);
/* A matrix with this diagonal. */
avalue *matrix_of_diagonal(maker *k, avalue *v);

#endif
