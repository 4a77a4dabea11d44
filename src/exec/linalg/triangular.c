/* triangular.c - triangular factorizations and systems. */
#include "exec/linalg/triangular.h"

int64_t cholesky_factor(cplx *a, int64_t n)
{
	int64_t wrong = 0;
	for (int64_t j = 0; j < n; j++) {
		cplx *aj = column(a, n, j);
		for (int64_t i = 0; i < j; i++)
			aj[i] = (aj[i] - inner_product(column(a, n, i), aj, i)) /
			        creal(column(a, n, i)[i]);
		double d = creal(aj[j]) - creal(inner_product(aj, aj, j));
		aj[j] = d > 0 ? sqrt(d) : NAN;
		if (!(d > 0) && !wrong)
			wrong = j + 1;
	}
	return wrong;
}

/* Solves A X = B; X, m x n, overwrites B. */
static void solve_left(cplx *a, cplx *b, int64_t m, int64_t n, bool upper, bool unit)
{
	for (int64_t j = 0; j < n; j++) {
		cplx *x = column(b, m, j);
		for (int64_t q = 0; q < m; q++) {
			int64_t i = upper ? m - 1 - q : q;
			cplx *ai = column(a, m, i);
			if (!unit)
				x[i] /= ai[i];
			if (upper)
				add_multiple(x, -x[i], ai, i);
			else
				add_multiple(x + i + 1, -x[i], ai + i + 1, m - 1 - i);
		}
	}
}

/* Copies op(A). Transposing swaps the triangles. */
static void open_matrix(cplx *to, const cplx *a, int64_t n, bool transpose, bool conjugate)
{
	for (int64_t j = 0; j < n; j++)
		for (int64_t i = 0; i < n; i++) {
			cplx v = transpose ? a[i * n + j] : a[j * n + i];
			to[j * n + i] = conjugate ? conj(v) : v;
		}
}

/* From the right, X op(A) = B is op(A)^T X^T = B^T. */
void triangular_solve(const triangular_system *k, const cplx *a, cplx *b, cplx *room)
{
	int64_t n = k->n, others = k->others;
	bool transpose = k->transpose == k->left, upper = k->upper != transpose;
	cplx *op = room, *bt = room + n * n;
	open_matrix(op, a, n, transpose, k->conjugate);
	if (k->left) {
		solve_left(op, b, n, others, upper, k->unit);
		return;
	}
	for (int64_t i = 0; i < n * others; i++)
		bt[i % others * n + i / others] = b[i];
	solve_left(op, bt, n, others, upper, k->unit);
	for (int64_t i = 0; i < n * others; i++)
		b[i] = bt[i % others * n + i / others];
}
