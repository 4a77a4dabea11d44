/* linalg.c - cholesky and triangular_solve, one matrix of the batch at a time.
 *
 * Computed in double precision, or double complex, and rounded once. */
#include "exec/linalg/triangular.h"

typedef struct cholesky_plan {
	int64_t n;
	bool lower;
} cholesky_plan;

/* A row-major matrix is its transpose if read by columns: the rows of L are the conjugates of U's
 * columns. From the first minor that is not positive definite, the result is NaN, as with LAPACK in
 * JAX. */
static void run_cholesky(const step *s, const call *c)
{
	const cholesky_plan *k = s->params;
	const tensor *in = step_in(s, 0);
	dtype t = in->dtype;
	int64_t n = k->n, size = n * n * in->bytes;
	cplx *u = c->scratch;
	for (int64_t i = 0; i < n; i++)
		for (int64_t j = 0; j <= i; j++) {
			int64_t at = k->lower ? i * n + j : j * n + i;
			cplx v = cplx_get(t, c->at[0] + c->tile * size + at * in->bytes);
			u[i * n + j] = k->lower ? conj(v) : v;
		}
	cholesky_factor(u, n);
	/* In XLA the other triangle keeps whatever the input has there; we write zeros, so that
	 * results do not vary. */
	char *to = call_out(s, c, 0) + c->tile * size;
	memset(to, 0, (size_t)size);
	for (int64_t i = 0; i < n; i++)
		for (int64_t j = 0; j <= i; j++) {
			int64_t at = k->lower ? i * n + j : j * n + i;
			cplx v = k->lower ? conj(u[i * n + j]) : u[i * n + j];
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
	cholesky_plan *k = NEW(plan_mem(p), cholesky_plan);
	const tensor *in = step_in(s, 0);
	if (in->rank < 2 || in->dims[in->rank - 1] != in->dims[in->rank - 2])
		return step_invalid(p, s, "the matrices are not square");
	*k = (cholesky_plan){.n = in->dims[in->rank - 1], .lower = op_bool(s->op, N_lower)};
	s->n_tiles = batch_of(in);
	s->scratch = (size_t)(k->n * k->n) * sizeof(cplx);
	s->cost = (double)in->n * (double)k->n;
	s->params = k;
	s->run = run_cholesky;
	return true;
}

/* Read by columns, everything is transposed: op(A) X = B is X^T op(A)^T = B^T. */
static void run_triangular(const step *s, const call *c)
{
	const triangular_system *k = s->params;
	const tensor *ta = step_in(s, 0), *tb = step_in(s, 1);
	dtype t = ta->dtype;
	int64_t n = k->n, m = k->others;
	cplx *a = c->scratch, *x = a + n * n;
	const char *from = c->at[0] + c->tile * n * n * ta->bytes;
	const char *rhs = c->at[1] + c->tile * n * m * tb->bytes;
	char *to = call_out(s, c, 0) + c->tile * n * m * tb->bytes;
	for (int64_t i = 0; i < n * n; i++)
		a[i] = cplx_get(t, from + i * ta->bytes);
	for (int64_t i = 0; i < n * m; i++)
		x[i] = cplx_get(t, rhs + i * tb->bytes);
	triangular_solve(k, a, x, x + n * m);
	for (int64_t i = 0; i < n * m; i++)
		cplx_put(t, to + i * tb->bytes, x[i]);
}

bool prepare_triangular_solve(exec_plan *p, step *s)
{
	triangular_system *k = NEW(plan_mem(p), triangular_system);
	const tensor *a = step_in(s, 0), *b = step_in(s, 1);
	const char *how = enum_word(op_attr(s->op, N_transpose_a));
	if (a->rank < 2 || b->rank != a->rank || batch_of(a) != batch_of(b))
		return step_invalid(p, s, "the matrices do not fit");
	bool left = op_bool(s->op, N_left_side);
	*k = (triangular_system){.n = a->dims[a->rank - 1],
	                         .left = !left,
	                         .upper = op_bool(s->op, N_lower),
	                         .unit = op_bool(s->op, N_unit_diagonal),
	                         .transpose = strcmp(how, "NO_TRANSPOSE") != 0,
	                         .conjugate = !strcmp(how, "ADJOINT")};
	k->others = b->dims[left ? b->rank - 1 : b->rank - 2];
	if (b->dims[left ? b->rank - 2 : b->rank - 1] != k->n)
		return step_invalid(p, s, "the matrices do not fit");
	s->n_tiles = batch_of(a);
	s->scratch = (size_t)(k->n * (k->n + k->others) + triangular_room(k)) * sizeof(cplx);
	s->cost = (double)b->n * (double)k->n * 2;
	s->params = k;
	s->run = run_triangular;
	return true;
}
