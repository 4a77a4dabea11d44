/* factor.c - triangular factorizations and systems if no LAPACK is installed: potrf, trsm, getrf
 * and gtsv, with LAPACK's conventions. Computed in double, rounded once at the end. */
#include "exec/linalg/own.h"

static void set_int(char *to, int64_t at, int32_t v) { memcpy(to + at * 4, &v, sizeof v); }

/* A = L L^H or U^H U, in the given triangle; the other one is unchanged. info: the order of the
 * first leading minor that is not positive. */
int own_potrf(const lapack_plan *k, char **x, char **r, const lapack_work *w)
{
	int64_t n = k->n;
	bool upper = k->uplo == 'U';
	cplx *a = (cplx *)(void *)w->room, *u = a + n * n; /* u: columns of U, which are L's rows */
	UNUSED(x);
	lapack_load(k, a, r[0], n * n);
	for (int64_t j = 0; j < n; j++)
		for (int64_t i = 0; i <= j; i++)
			u[j * n + i] = upper ? a[j * n + i] : conj(a[i * n + j]);
	int64_t info = cholesky_factor(u, n);
	for (int64_t j = 0; j < n; j++)
		for (int64_t i = 0; i <= j; i++)
			*(upper ? &a[j * n + i] : &a[i * n + j]) =
			    upper ? u[j * n + i] : conj(u[j * n + i]);
	lapack_store(k, r[0], a, n * n);
	set_int(r[1], 0, (int32_t)info);
	return 0;
}

/* op(A) X = B, or X op(A) = B. */
int own_trsm(const lapack_plan *k, char **x, char **r, const lapack_work *w)
{
	int64_t rows = k->rows[2], columns = k->right;
	bool left = k->side == 'L';
	const triangular_system t = {.n = k->m, .others = left ? columns : rows, .left = left,
	                             .upper = k->uplo == 'U', .unit = k->diag == 'U',
	                             .transpose = k->trans != 'N', .conjugate = k->trans == 'C'};
	cplx *a = (cplx *)(void *)w->room, *b = a + t.n * t.n, *room = b + rows * columns;
	lapack_load(k, a, x[0], t.n * t.n);
	lapack_load(k, b, r[0], rows * columns);
	triangular_solve(&t, a, b, room);
	lapack_store(k, r[0], b, rows * columns);
	return 0;
}

/* Swaps rows i and j of a matrix of m rows. */
static void swap_rows(cplx *a, int64_t m, int64_t i, int64_t j, int64_t columns)
{
	for (int64_t c = 0; c < columns; c++) {
		cplx t = a[c * m + i];
		a[c * m + i] = a[c * m + j];
		a[c * m + j] = t;
	}
}

static int64_t pivot_row(const cplx *a, int64_t from, int64_t m)
{
	int64_t best = from;
	for (int64_t i = from + 1; i < m; i++)
		if (fabs(creal(a[i])) + fabs(cimag(a[i])) >
		    fabs(creal(a[best])) + fabs(cimag(a[best])))
			best = i;
	return best;
}

/* P A = L U.  info: the first pivot that is zero. */
int own_getrf(const lapack_plan *k, char **x, char **r, const lapack_work *w)
{
	int64_t m = k->m, n = k->n, least = min_i64(m, n);
	cplx *a = (cplx *)(void *)w->room;
	int32_t info = 0;
	UNUSED(x);
	lapack_load(k, a, r[0], m * n);
	for (int64_t j = 0; j < least; j++) {
		cplx *aj = column(a, m, j);
		int64_t p = pivot_row(aj, j, m);
		set_int(r[1], j, (int32_t)(p + 1));
		if (aj[p] == 0) {
			info = info ? info : (int32_t)(j + 1);
			continue;
		}
		swap_rows(a, m, j, p, n);
		for (int64_t i = j + 1; i < m; i++)
			aj[i] /= aj[j];
		for (int64_t c = j + 1; c < n; c++)
			add_multiple(column(a, m, c) + j + 1, -a[c * m + j], aj + j + 1, m - 1 - j);
	}
	lapack_store(k, r[0], a, m * n);
	set_int(r[2], 0, info);
	return 0;
}

/* Swaps rows i and i + 1 of a tridiagonal matrix if the lower one has the larger element, then
 * eliminates the lower one. */
static void tridiagonal_step(cplx *low, cplx *d, cplx *up, cplx *up2, cplx *b, int64_t n, int64_t i,
                             int64_t columns)
{
	if (cabs(low[i]) > cabs(d[i])) {
		cplx row[2] = {d[i], up[i]};
		d[i] = low[i], up[i] = d[i + 1], up2[i] = i + 2 < n ? up[i + 1] : 0;
		low[i] = row[0], d[i + 1] = row[1];
		if (i + 2 < n)
			up[i + 1] = 0;
		swap_rows(b, n, i, i + 1, columns);
	}
	cplx factor = low[i] / d[i];
	d[i + 1] -= factor * up[i];
	if (i + 2 < n)
		up[i + 1] -= factor * up2[i];
	for (int64_t c = 0; c < columns; c++)
		b[c * n + i + 1] -= factor * b[c * n + i];
}

/* Solves a tridiagonal system. Unlike LAPACK, it does not return the factored diagonals. */
int own_gtsv(const lapack_plan *k, char **x, char **r, const lapack_work *w)
{
	int64_t n = k->elements[1], columns = k->right;
	int bytes = dtype_bytes(lapack_type(k));
	cplx *low = (cplx *)(void *)w->room, *d = low + n, *up = d + n, *up2 = up + n, *b = up2 + n;
	UNUSED(x);
	lapack_load(k, low, r[0] + bytes, n - 1);
	lapack_load(k, d, r[1], n);
	lapack_load(k, up, r[2], n);
	lapack_load(k, b, r[3], n * columns);
	memset(up2, 0, sizeof *up2 * (size_t)n);
	for (int64_t i = 0; i + 1 < n; i++)
		tridiagonal_step(low, d, up, up2, b, n, i, columns);
	for (int64_t c = 0; c < columns; c++)
		for (int64_t i = n - 1; i >= 0; i--) {
			cplx v = b[c * n + i];
			if (i + 1 < n)
				v -= up[i] * b[c * n + i + 1];
			if (i + 2 < n)
				v -= up2[i] * b[c * n + i + 2];
			b[c * n + i] = v / d[i];
		}
	lapack_store(k, r[3], b, n * columns);
	set_int(r[4], 0, 0);
	return 0;
}
