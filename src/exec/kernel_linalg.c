/* kernel_linalg.c - cholesky and triangular_solve, matrix by matrix of a batch.
 *
 * Computed in double precision, or double complex, and rounded once. */
#include "exec/kernel_complex.h"

#include <math.h>

typedef struct linalg_plan {
	int64_t n, m; /* the triangle is n x n; the right-hand side has m other entries */
	int64_t batch;
	bool lower, left, unit, transpose, conjugate;
} linalg_plan;

/* Row by row; an element that is not positive definite leaves NaN behind, as LAPACK's
 * callers expect it. */
static void run_cholesky(const step *s, const call *c)
{
	const linalg_plan *k = s->params;
	const tensor *in = step_in(s, 0);
	dtype t = in->dtype;
	int64_t n = k->n, size = n * n * in->bytes;
	cplx *a = c->scratch;
	for (int64_t i = 0; i < n; i++)
		for (int64_t j = 0; j <= i; j++) {
			int64_t at = k->lower ? i * n + j : j * n + i;
			cplx v = cplx_get(t, c->at[0] + c->tile * size + at * in->bytes);
			a[i * n + j] = k->lower ? v : conj(v);
		}
	for (int64_t j = 0; j < n; j++) {
		double d = creal(a[j * n + j]);
		for (int64_t x = 0; x < j; x++)
			d -= creal(a[j * n + x] * conj(a[j * n + x]));
		a[j * n + j] = d > 0 ? sqrt(d) : NAN;
		for (int64_t i = j + 1; i < n; i++) {
			cplx v = a[i * n + j];
			for (int64_t x = 0; x < j; x++)
				v -= a[i * n + x] * conj(a[j * n + x]);
			a[i * n + j] = v / a[j * n + j];
		}
	}
	/* The other triangle is whatever the input has there in XLA; zeros are the same
	 * everywhere. */
	char *to = call_out(s, c, 0) + c->tile * size;
	memset(to, 0, (size_t)size);
	for (int64_t i = 0; i < n; i++)
		for (int64_t j = 0; j <= i; j++) {
			int64_t at = k->lower ? i * n + j : j * n + i;
			cplx v = k->lower ? a[i * n + j] : conj(a[i * n + j]);
			cplx_put(t, to + at * in->bytes, v);
		}
}

static int64_t batch_of(const tensor *t)
{
	int64_t n = 1;
	for (int i = 0; i < t->rank - 2; i++)
		n *= t->dims[i];
	return n;
}

bool prepare_cholesky(exec_plan *p, step *s)
{
	linalg_plan *k = NEW(plan_mem(p), linalg_plan);
	const tensor *in = step_in(s, 0);
	if (in->rank < 2 || in->dims[in->rank - 1] != in->dims[in->rank - 2])
		return step_invalid(p, s, "the matrices are not square");
	*k = (linalg_plan){.n = in->dims[in->rank - 1], .lower = op_bool(s->op, N_lower)};
	s->n_tiles = batch_of(in);
	s->scratch = (size_t)(k->n * k->n) * sizeof(cplx);
	s->cost = (double)in->n * (double)k->n;
	s->params = k;
	s->run = run_cholesky;
	return true;
}

/* op(a) as a lower triangle in natural order, or an upper one: element (i, j). */
static cplx solve_at(const linalg_plan *k, const cplx *a, int64_t i, int64_t j)
{
	cplx v = k->transpose ? a[j * k->n + i] : a[i * k->n + j];
	return k->conjugate ? conj(v) : v;
}

/* Solves op(a) x = b, or x op(a) = b, which is op(a)^T x^T = b^T. */
static void run_triangular(const step *s, const call *c)
{
	const linalg_plan *k = s->params;
	const tensor *ta = step_in(s, 0), *tb = step_in(s, 1);
	dtype t = ta->dtype;
	int64_t n = k->n, m = k->m;
	cplx *a = c->scratch, *x = a + n * n;
	const char *from = c->at[0] + c->tile * n * n * ta->bytes;
	const char *rhs = c->at[1] + c->tile * n * m * tb->bytes;
	char *to = call_out(s, c, 0) + c->tile * n * m * tb->bytes;
	for (int64_t i = 0; i < n * n; i++)
		a[i] = cplx_get(t, from + i * ta->bytes);
	for (int64_t i = 0; i < n * m; i++) {
		int64_t at = k->left ? i : i % m * n + i / m; /* x is [n][m] */
		x[i] = cplx_get(t, rhs + at * tb->bytes);
	}
	/* x op(a) = b: transposing flips the triangle once more. */
	bool lower = k->lower != k->transpose;
	if (!k->left)
		lower = !lower;
	for (int64_t q = 0; q < n; q++) {
		int64_t i = lower ? q : n - 1 - q;
		cplx d = k->unit ? 1 : solve_at(k, a, i, i);
		for (int64_t r = 0; r < q; r++) {
			int64_t j = lower ? r : n - 1 - r;
			cplx v = k->left ? solve_at(k, a, i, j) : solve_at(k, a, j, i);
			for (int64_t col = 0; col < m; col++)
				x[i * m + col] -= v * x[j * m + col];
		}
		for (int64_t col = 0; col < m && !k->unit; col++)
			x[i * m + col] /= d;
	}
	for (int64_t i = 0; i < n * m; i++) {
		int64_t at = k->left ? i : i % m * n + i / m;
		cplx_put(t, to + at * tb->bytes, x[i]);
	}
}

bool prepare_triangular_solve(exec_plan *p, step *s)
{
	linalg_plan *k = NEW(plan_mem(p), linalg_plan);
	const tensor *a = step_in(s, 0), *b = step_in(s, 1);
	const char *how = enum_word(op_attr(s->op, N_transpose_a));
	if (a->rank < 2 || b->rank != a->rank || batch_of(a) != batch_of(b))
		return step_invalid(p, s, "the matrices do not fit");
	*k = (linalg_plan){.n = a->dims[a->rank - 1],
	                   .lower = op_bool(s->op, N_lower),
	                   .left = op_bool(s->op, N_left_side),
	                   .unit = op_bool(s->op, N_unit_diagonal),
	                   .transpose = strcmp(how, "NO_TRANSPOSE") != 0,
	                   .conjugate = !strcmp(how, "ADJOINT")};
	k->m = b->dims[k->left ? b->rank - 1 : b->rank - 2];
	if (b->dims[k->left ? b->rank - 2 : b->rank - 1] != k->n)
		return step_invalid(p, s, "the matrices do not fit");
	s->n_tiles = batch_of(a);
	s->scratch = (size_t)(k->n * (k->n + k->m)) * sizeof(cplx);
	s->cost = (double)b->n * (double)k->n * 2;
	s->params = k;
	s->run = run_triangular;
	return true;
}
