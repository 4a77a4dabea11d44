/* jax_explicit_factors.c - checks the factors of a matrix by their definition.
 *
 * A singular vector may have either sign, vectors of equal values are any basis of their space,
 * and of two equal pivots either may come first: libraries differ there, and all are right.  So
 * the factors of each matrix are multiplied, and the product is compared with the matrix; factors
 * that must be orthogonal or triangular are checked for that, too. */
#include "jax_explicit_factors.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* One matrix: element (i, j) is at[i * row + j * column]. */
typedef struct matrix {
	const double *at;
	int64_t rows, columns, row, column;
} matrix;

static matrix matrix_of(const factor *f, int64_t b)
{
	int64_t m = f->dims[f->rank - 2], n = f->dims[f->rank - 1];
	return (matrix){f->at + b * m * n, m, n, n, 1};
}

static const double *vector_of(const factor *f, int64_t b)
{
	return f->at + b * f->dims[f->rank - 1];
}

static matrix turned(matrix m) { return (matrix){m.at, m.columns, m.rows, m.column, m.row}; }

static double element(matrix m, int64_t i, int64_t j) { return m.at[i * m.row + j * m.column]; }

/* float32 keeps seven digits; a NaN is not close to anything. */
static bool close_to(double a, double b, double size) { return fabs(a - b) <= 1e-5 * (1 + size); }

static double largest(matrix m)
{
	double max = 0;
	for (int64_t i = 0; i < m.rows; i++)
		for (int64_t j = 0; j < m.columns; j++)
			max = fmax(max, fabs(element(m, i, j)));
	return max;
}

static bool columns_orthonormal(matrix q)
{
	for (int64_t i = 0; i < q.columns; i++)
		for (int64_t j = 0; j < q.columns; j++) {
			double sum = 0;
			for (int64_t k = 0; k < q.rows; k++)
				sum += element(q, k, i) * element(q, k, j);
			if (!close_to(sum, i == j, 0))
				return false;
		}
	return true;
}

/* Whether element (i, j) of x · diag(d) · y is that of a, with n columns of x; d NULL: ones. */
static bool multiply_to(matrix a, matrix x, const double *d, matrix y, int64_t n)
{
	double size = largest(a);
	for (int64_t i = 0; i < a.rows; i++)
		for (int64_t j = 0; j < a.columns; j++) {
			double sum = 0;
			for (int64_t k = 0; k < n; k++)
				sum += element(x, i, k) * (d ? d[k] : 1) * element(y, k, j);
			if (!close_to(sum, element(a, i, j), size))
				return false;
		}
	return true;
}

static const char *svd_fault(matrix a, const factor *r, int64_t b)
{
	matrix u = matrix_of(&r[0], b), vt = matrix_of(&r[2], b);
	if (!columns_orthonormal(u))
		return "the left singular vectors are not orthonormal";
	if (!columns_orthonormal(turned(vt)))
		return "the right singular vectors are not orthonormal";
	int64_t n = a.rows < a.columns ? a.rows : a.columns;
	return multiply_to(a, u, vector_of(&r[1], b), vt, n) ? NULL : "U S Vt is not the matrix";
}

/* JAX takes the mean of the matrix and its transpose. */
static const char *eigh_fault(matrix a, const factor *r, int64_t b)
{
	enum { MOST = 16 };
	double mean[MOST * MOST];
	matrix v = matrix_of(&r[0], b);
	if (a.rows > MOST)
		return "the matrix is too large for this test";
	for (int64_t i = 0; i < a.rows; i++)
		for (int64_t j = 0; j < a.rows; j++)
			mean[i * a.rows + j] = (element(a, i, j) + element(a, j, i)) / 2;
	if (!columns_orthonormal(v))
		return "the eigenvectors are not orthonormal";
	matrix m = {mean, a.rows, a.rows, a.rows, 1};
	return multiply_to(m, v, vector_of(&r[1], b), turned(v), a.rows)
	               ? NULL : "V W Vt is not the matrix";
}

static const char *qr_fault(matrix a, const factor *r, int64_t b)
{
	matrix q = matrix_of(&r[0], b), upper = matrix_of(&r[1], b);
	for (int64_t i = 0; i < upper.rows; i++)
		for (int64_t j = 0; j < i && j < upper.columns; j++)
			if (element(upper, i, j) != 0)
				return "R is not upper triangular";
	if (!columns_orthonormal(q))
		return "the columns of Q are not orthonormal";
	return multiply_to(a, q, NULL, upper, q.columns) ? NULL : "Q R is not the matrix";
}

/* Rows of a in the order of the permutation are L U; no element of L exceeds 1, since the largest
 * of a column is its pivot; the permutation is what the exchanges of rows make. */
static const char *lu_fault(matrix a, const factor *r, int64_t b)
{
	matrix lu = matrix_of(&r[0], b);
	const double *pivots = vector_of(&r[1], b), *order = vector_of(&r[2], b);
	int64_t least = a.rows < a.columns ? a.rows : a.columns;
	double size = largest(a);
	for (int64_t i = 0; i < a.rows; i++) {
		if (!(order[i] >= 0 && order[i] < (double)a.rows))
			return "the permutation leaves the matrix";
		for (int64_t j = 0; j < a.columns; j++) {
			double sum = 0;
			for (int64_t k = 0; k <= i && k <= j && k < least; k++)
				sum += (k == i ? 1 : element(lu, i, k)) * element(lu, k, j);
			if (!close_to(sum, element(a, (int64_t)order[i], j), size))
				return "L U is not the permuted matrix";
			if (j < i && j < least && !(fabs(element(lu, i, j)) <= 1 + 1e-6))
				return "an element of L is larger than its pivot";
		}
	}
	for (int64_t i = 0; i < a.rows; i++) { /* where row i of the matrix goes */
		double at = (double)i;
		for (int64_t k = 0; k < least; k++)
			at = at == (double)k ? pivots[k] : at == pivots[k] ? (double)k : at;
		if (!(at >= 0 && at < (double)a.rows) || order[(int64_t)at] != (double)i)
			return "the pivots do not make the permutation";
	}
	return NULL;
}

static const struct {
	const char *op;
	int unique; /* the result that every answer has; -1: none */
	const char *(*fault)(matrix a, const factor *r, int64_t b);
} factorizations[] = {
    {"lax.linalg.svd", 1, svd_fault},
    {"lax.linalg.eigh", 1, eigh_fault},
    {"lax.linalg.qr", -1, qr_fault},
    {"lax.linalg.lu", -1, lu_fault},
};

static int factorization(const char *op)
{
	for (int i = 0; i < (int)(sizeof factorizations / sizeof *factorizations); i++)
		if (strcmp(factorizations[i].op, op) == 0)
			return i;
	return -1;
}

bool factors_of(const char *op) { return factorization(op) >= 0; }

bool factor_is_unique(const char *op, int i) { return factorizations[factorization(op)].unique == i; }

bool factors_fit(const char *op, const factor *a, const factor *r, char *why, size_t size)
{
	int64_t batch = 1;
	for (int d = 0; d < a->rank - 2; d++)
		batch *= a->dims[d];
	for (int64_t b = 0; b < batch; b++) {
		const char *fault = factorizations[factorization(op)].fault(matrix_of(a, b), r, b);
		if (!fault)
			continue;
		snprintf(why, size, "matrix %lld: %s", (long long)b, fault);
		return false;
	}
	return true;
}
