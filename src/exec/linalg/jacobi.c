/* jacobi.c - eigenvalues of Hermitian matrices and singular values if no LAPACK is installed:
 * syevd, heevd, gesdd and gesvd.
 *
 * Both rotate pairs of columns, sweep after sweep, until all are orthogonal enough: the columns of
 * the matrix itself for singular values (Hestenes), rows and columns together for eigenvalues
 * (Jacobi). This converges quadratically, in about ten sweeps, and small values are as precise as
 * large ones. */
#include "exec/linalg/own.h"

#include <float.h>

enum { MOST_SWEEPS = 60 };

/* Maps x and y to c x - s e y and s x + c e y, where |e| = 1. */
typedef struct rotation {
	double c, s;
	cplx e;
} rotation;

static void rotate(cplx *x, cplx *y, int64_t n, int64_t stride, const rotation *r)
{
	for (int64_t i = 0; i < n * stride; i += stride) {
		cplx a = x[i], b = r->e * y[i];
		x[i] = r->c * a - r->s * b;
		y[i] = r->s * a + r->c * b;
	}
}

/* Returns the rotation that diagonalizes the Hermitian matrix [[a, g], [conj(g), b]]. */
static rotation rotation_of(double a, double b, cplx g)
{
	double size = cabs(g), z = (b - a) / (2 * size);
	double t = copysign(1 / (fabs(z) + hypot(1, z)), z);
	double c = 1 / hypot(1, t);
	return (rotation){c, c * t, conj(g) / size};
}

static void identity(cplx *a, int64_t n)
{
	memset(a, 0, sizeof *a * (size_t)(n * n));
	for (int64_t i = 0; i < n; i++)
		a[i * n + i] = 1;
}

/* Sorts columns of m elements by rising or falling `key`; selection moves each column once. */
static void sort_columns(double *key, bool rising, int64_t n, cplx *a, int64_t m, cplx *b,
                         int64_t l)
{
	for (int64_t i = 0; i < n; i++) {
		int64_t best = i;
		for (int64_t j = i + 1; j < n; j++)
			if (rising ? key[j] < key[best] : key[j] > key[best])
				best = j;
		double t = key[i];
		key[i] = key[best], key[best] = t;
		for (int64_t x = 0; x < m && best != i; x++) {
			cplx v = a[i * m + x];
			a[i * m + x] = a[best * m + x], a[best * m + x] = v;
		}
		for (int64_t x = 0; x < l && best != i; x++) {
			cplx v = b[i * l + x];
			b[i * l + x] = b[best * l + x], b[best * l + x] = v;
		}
	}
}

static void store_reals(const lapack_plan *k, char *to, const double *from, int64_t n)
{
	dtype t = lapack_real(k);
	for (int64_t i = 0; i < n; i++)
		elem_put(t, to + i * dtype_bytes(t), from[i]);
}

static void set_info(char *to, bool good)
{
	int32_t info = good ? 0 : 1;
	memcpy(to, &info, sizeof info);
}

/* ---- eigenvalues ----------------------------------------------------------------------------- */

/* One sweep over all pairs. Returns false if no rotation was needed. */
static bool eigen_sweep(cplx *a, cplx *v, int64_t n, double tiny)
{
	bool turned = false;
	for (int64_t p = 0; p < n; p++)
		for (int64_t q = p + 1; q < n; q++) {
			cplx g = a[q * n + p];
			if (!(cabs(g) > tiny))
				continue;
			rotation r = rotation_of(creal(a[p * n + p]), creal(a[q * n + q]), g);
			rotation back = {r.c, r.s, conj(r.e)};
			rotate(column(a, n, p), column(a, n, q), n, 1, &r);
			rotate(a + p, a + q, n, n, &back);
			rotate(column(v, n, p), column(v, n, q), n, 1, &r);
			a[q * n + p] = a[p * n + q] = 0;
			turned = true;
		}
	return turned;
}

/* A = V diag(values) V^H, values ascending. */
int own_syevd(const lapack_plan *k, char **x, char **r, const lapack_work *w)
{
	int64_t n = k->n;
	cplx *a = (cplx *)(void *)w->room, *v = a + n * n;
	double *values = (double *)(v + n * n), norm = 0;
	bool turned = true;
	UNUSED(x);
	lapack_load(k, a, r[0], n * n);
	for (int64_t j = 0; j < n; j++)
		for (int64_t i = 0; i <= j; i++) {
			cplx *up = &a[j * n + i], *low = &a[i * n + j];
			if (i == j)
				*up = creal(*up);
			else if (k->uplo == 'U')
				*low = conj(*up);
			else
				*up = conj(*low);
		}
	norm = sqrt(creal(inner_product(a, a, n * n)));
	identity(v, n);
	for (int i = 0; i < MOST_SWEEPS && turned; i++)
		turned = eigen_sweep(a, v, n, norm * DBL_EPSILON / 16);
	for (int64_t i = 0; i < n; i++)
		values[i] = creal(a[i * n + i]);
	sort_columns(values, true, n, v, n, NULL, 0);
	store_reals(k, r[1], values, n);
	if (k->mode == 'V')
		lapack_store(k, r[0], v, n * n);
	set_info(r[2], !turned && isfinite(norm));
	return 0;
}

/* ---- singular values ------------------------------------------------------------------------- */

static bool svd_sweep(cplx *a, int64_t m, cplx *v, int64_t n)
{
	bool turned = false;
	for (int64_t p = 0; p < n; p++)
		for (int64_t q = p + 1; q < n; q++) {
			cplx *x = column(a, m, p), *y = column(a, m, q), g = inner_product(x, y, m);
			double xx = creal(inner_product(x, x, m));
			double yy = creal(inner_product(y, y, m));
			double noise = DBL_EPSILON * (double)m * sqrt(xx) * sqrt(yy);
			if (!(cabs(g) > noise) || cabs(g) < DBL_MIN)
				continue;
			rotation r = rotation_of(xx, yy, g);
			rotate(x, y, m, 1, &r);
			rotate(column(v, n, p), column(v, n, q), n, 1, &r);
			turned = true;
		}
	return turned;
}

/* Makes columns from..to of a, of m elements each, orthonormal to all columns before them: unit
 * vectors are tried in turn, minus their projections onto the previous columns. */
static void complete_basis(cplx *a, int64_t m, int64_t from, int64_t to)
{
	for (int64_t j = from, axis = 0; j < to && axis < m; axis++) {
		cplx *c = column(a, m, j);
		memset(c, 0, sizeof *c * (size_t)m);
		c[axis] = 1;
		for (int twice = 0; twice < 2; twice++)
			for (int64_t i = 0; i < j; i++)
				add_multiple(c, -inner_product(column(a, m, i), c, m),
				             column(a, m, i), m);
		double length = sqrt(creal(inner_product(c, c, m)));
		if (length * length * (double)(2 * m) < 1) /* some unit vector has 1 / m left */
			continue;
		for (int64_t i = 0; i < m; i++)
			c[i] /= length;
		j++;
	}
}

/* Normalizes a's columns, and returns their lengths. @return the number of nonzero columns. */
static int64_t take_lengths(cplx *a, int64_t m, int64_t n, double *lengths, cplx *v)
{
	int64_t rank = 0;
	for (int64_t j = 0; j < n; j++)
		lengths[j] = sqrt(creal(inner_product(column(a, m, j), column(a, m, j), m)));
	sort_columns(lengths, false, n, a, m, v, n);
	for (int64_t j = 0; j < n && lengths[j] > lengths[0] * DBL_EPSILON * 1e-3; j++, rank++)
		for (int64_t i = 0; i < m; i++)
			a[j * m + i] /= lengths[j];
	return rank;
}

/* A = U diag(s) V^H, s descending. A wide matrix is factored as its adjoint: U and V swap. */
int own_svd(const lapack_plan *k, char **x, char **r, const lapack_work *w)
{
	bool wide = k->m < k->n, turned = true;
	int64_t m = wide ? k->n : k->m, n = wide ? k->m : k->n;
	int64_t columns = k->mode == 'A' ? m : n; /* of the longer side's factor */
	cplx *in = (cplx *)(void *)w->room, *a = in + m * n, *v = a + m * columns;
	double *lengths = (double *)(v + n * n);
	UNUSED(x);
	lapack_load(k, in, r[0], m * n);
	for (int64_t i = 0; i < m * n; i++)
		a[i] = wide ? conj(in[i % m * n + i / m]) : in[i];
	identity(v, n);
	for (int i = 0; i < MOST_SWEEPS && turned; i++)
		turned = svd_sweep(a, m, v, n);
	int64_t rank = take_lengths(a, m, n, lengths, v);
	store_reals(k, r[1], lengths, n);
	set_info(r[4], !turned && isfinite(creal(inner_product(in, in, m * n))));
	if (k->mode == 'N')
		return 0;
	complete_basis(a, m, rank, columns);
	cplx *left = wide ? v : a, *right = wide ? a : v;
	int64_t right_rows = wide ? m : n, right_columns = wide ? columns : n;
	lapack_store(k, r[2], left, wide ? n * n : m * columns);
	dtype t = lapack_type(k);
	for (int64_t j = 0; j < right_columns; j++)
		for (int64_t i = 0; i < right_rows; i++)
			cplx_put(t, r[3] + (i * right_columns + j) * dtype_bytes(t),
			         conj(right[j * right_rows + i]));
	return 0;
}
