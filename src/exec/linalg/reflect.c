/* reflect.c - Householder reflections if no LAPACK is installed: geqrf, orgqr and ormqr, with
 * LAPACK's conventions: H = I - tau v v^H with v[0] = 1, and Q is the product of all H in order. */
#include "exec/linalg/own.h"

/* Computes the reflector v of x such that H^H x is zero except for its first element, which is real
 * and stays in x[0]; x[1…] become v. @return tau. */
static cplx reflector(cplx *x, int64_t n)
{
	double rest = sqrt(creal(inner_product(x + 1, x + 1, n - 1)));
	cplx alpha = x[0];
	if (rest == 0 && cimag(alpha) == 0)
		return 0;
	double beta = -copysign(hypot(cabs(alpha), rest), creal(alpha));
	for (int64_t i = 1; i < n; i++)
		x[i] /= alpha - beta;
	x[0] = beta;
	return CMPLX((beta - creal(alpha)) / beta, -cimag(alpha) / beta);
}

/* c -= tau v (v^H c) for each column of n elements; v[0] is taken as 1. */
static void reflect_columns(const cplx *v, cplx tau, cplx *c, int64_t n, int64_t stride,
                            int64_t columns)
{
	for (int64_t j = 0; j < columns; j++, c += stride) {
		cplx sum = tau * (c[0] + inner_product(v + 1, c + 1, n - 1));
		c[0] -= sum;
		add_multiple(c + 1, -sum, v + 1, n - 1);
	}
}

/* C -= tau (C v) v^H, on columns first..first + n of m elements. */
static void reflect_rows(const cplx *v, cplx tau, cplx *c, int64_t m, int64_t n, cplx *room)
{
	memcpy(room, c, sizeof *c * (size_t)m);
	for (int64_t j = 1; j < n; j++)
		add_multiple(room, v[j], column(c, m, j), m);
	add_multiple(c, -tau, room, m);
	for (int64_t j = 1; j < n; j++)
		add_multiple(column(c, m, j), -tau * conj(v[j]), room, m);
}

int own_geqrf(const lapack_plan *k, char **x, char **r, const lapack_work *w)
{
	int64_t m = k->m, n = k->n, least = min_i64(m, n);
	cplx *a = (cplx *)(void *)w->room, *tau = a + m * n;
	UNUSED(x);
	lapack_load(k, a, r[0], m * n);
	for (int64_t j = 0; j < least; j++) {
		cplx *v = column(a, m, j) + j;
		tau[j] = reflector(v, m - j);
		reflect_columns(v, conj(tau[j]), v + m, m - j, m, n - 1 - j);
	}
	lapack_store(k, r[0], a, m * n);
	lapack_store(k, r[1], tau, least);
	return 0;
}

/* Computes the first n columns of Q, given by the reflections in r[0] and x[1]. */
int own_orgqr(const lapack_plan *k, char **x, char **r, const lapack_work *w)
{
	int64_t m = k->m, n = k->n, reflections = min_i64(k->right, n);
	cplx *a = (cplx *)(void *)w->room, *q = a + m * n, *tau = q + m * n;
	lapack_load(k, a, r[0], m * n);
	lapack_load(k, tau, x[1], reflections);
	memset(q, 0, sizeof *q * (size_t)(m * n));
	for (int64_t j = 0; j < n; j++)
		column(q, m, j)[j] = 1;
	for (int64_t j = reflections - 1; j >= 0; j--)
		reflect_columns(column(a, m, j) + j, tau[j], column(q, m, j) + j, m - j, m, n - j);
	lapack_store(k, r[0], q, m * n);
	return 0;
}

/* Computes Q C, Q^H C, C Q or C Q^H. */
int own_ormqr(const lapack_plan *k, char **x, char **r, const lapack_work *w)
{
	int64_t order = k->m, m = k->rows[2], n = k->right, reflections = k->elements[1];
	cplx *a = (cplx *)(void *)w->room, *c = a + order * reflections, *tau = c + m * n;
	lapack_load(k, a, x[0], order * reflections);
	lapack_load(k, tau, x[1], reflections);
	lapack_load(k, c, r[0], m * n);
	bool backwards = k->left != k->transpose;
	for (int64_t q = 0; q < reflections; q++) {
		int64_t j = backwards ? reflections - 1 - q : q;
		cplx t = k->transpose ? conj(tau[j]) : tau[j];
		const cplx *v = column(a, order, j) + j;
		if (k->left)
			reflect_columns(v, t, c + j, m - j, m, n);
		else
			reflect_rows(v, t, column(c, m, j), m, n - j, tau + reflections);
	}
	lapack_store(k, r[0], c, m * n);
	return 0;
}
