/* triangular.h - triangular factorizations and systems. Matrices are column-major double complex,
 * real ones too. */
#ifndef TESS_EXEC_LINALG_TRIANGULAR_H
#define TESS_EXEC_LINALG_TRIANGULAR_H

#include "exec/kernel/complex.h"

#include <math.h>

/* Column j of a matrix of m rows. */
static inline cplx *column(cplx *a, int64_t m, int64_t j) { return a + j * m; }

/* The sum of conj(x[i]) y[i]. */
static inline cplx inner_product(const cplx *x, const cplx *y, int64_t n)
{
	double re = 0, im = 0;
	for (int64_t i = 0; i < n; i++) {
		re += creal(x[i]) * creal(y[i]) + cimag(x[i]) * cimag(y[i]);
		im += creal(x[i]) * cimag(y[i]) - cimag(x[i]) * creal(y[i]);
	}
	return CMPLX(re, im);
}

/* y += a x */
static inline void add_multiple(cplx *y, cplx a, const cplx *x, int64_t n)
{
	const double re = creal(a), im = cimag(a);
	for (int64_t i = 0; i < n; i++)
		y[i] += CMPLX(re * creal(x[i]) - im * cimag(x[i]),
		              re * cimag(x[i]) + im * creal(x[i]));
}

/* A = U^H U, which overwrites A's upper triangle; the other one is not read. Returns 0, or the
 * order of the first leading minor that is not positive; from there on the result is NaN. */
int64_t cholesky_factor(cplx *a, int64_t n);

/* The system op(A) X = B, or X op(A) = B unless `left`, for a triangular A of n columns; op(A) is
 * A, its transpose or, if `conjugate`, its adjoint. */
typedef struct triangular_system {
	int64_t n, others; /* X and B are n x others, or others x n */
	bool left, upper, unit, transpose, conjugate;
} triangular_system;
/* Solves the system; X overwrites B. `room` has triangular_room() elements. */
void triangular_solve(const triangular_system *k, const cplx *a, cplx *b, cplx *room);
static inline int64_t triangular_room(const triangular_system *k)
{
	return k->n * (k->n + (k->left ? 0 : k->others));
}

#endif
