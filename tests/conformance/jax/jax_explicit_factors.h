/* jax_explicit_factors.h - checks the factors of a matrix by their definition. */
#ifndef TESS_TEST_FACTORS_H
#define TESS_TEST_FACTORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An operand or a result: matrices or vectors one behind the other. */
typedef struct factor {
	double *at;
	const int64_t *dims;
	int rank;
} factor;

/* Whether the results of this operation are factors that several answers fit: signs of vectors,
 * bases of a subspace, the order of equal pivots.  Those are not compared by element. */
bool factors_of(const char *op);
/* Whether result i of it is what every answer must have: singular values, eigenvalues. */
bool factor_is_unique(const char *op, int i);
/* Checks that the results r multiply to the matrices a, are orthogonal, triangular, permutations
 * as they must be; says in `why` what is wrong otherwise. */
bool factors_fit(const char *op, const factor *a, const factor *r, char *why, size_t size);

#endif
