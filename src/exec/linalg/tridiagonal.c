/* tridiagonal.c - the custom call tridiagonal_solve_perturbed_ffi, for a tridiagonal system that
 * may be singular.
 *
 *   (below, diagonal, above, right-hand sides) -> solutions, for each matrix of the batch
 *
 * Rows are swapped as in LAPACK's lagtf: the larger element relative to its row is the pivot, so
 * that U has two diagonals above the main one. If a pivot of U is so small that dividing by it
 * would overflow, a multiple of eps * max |U| is added to it (lagts): the solution is then large,
 * and inverse iteration uses it to find eigenvectors.
 *
 * After cancellation, what is left of a pivot is rounding error, and it determines the solution of
 * a singular system. So numbers are rounded to the element dtype after each operation, and
 * operations are done in jaxlib's order. */
#include "exec/linalg/triangular.h"

#include <float.h>

typedef struct tridiagonal_plan {
	dtype type;
	bool real, wide;
	int64_t n, columns;
} tridiagonal_plan;

/* ---- arithmetic in the element dtype -------------------------------------------------------- */

static double part_rounded(const tridiagonal_plan *k, double v) { return k->wide ? v : (float)v; }

static cplx to_type(const tridiagonal_plan *k, double re, double im)
{
	return CMPLX(part_rounded(k, re), k->real ? 0 : part_rounded(k, im));
}

static double size_of(const tridiagonal_plan *k, cplx v)
{
	return k->real ? fabs(creal(v)) : part_rounded(k, hypot(creal(v), cimag(v)));
}

static cplx times(const tridiagonal_plan *k, cplx a, cplx b)
{
	if (k->real)
		return to_type(k, creal(a) * creal(b), 0);
	return to_type(k, creal(a) * creal(b) - cimag(a) * cimag(b),
	               creal(a) * cimag(b) + cimag(a) * creal(b));
}

static cplx over(const tridiagonal_plan *k, cplx a, cplx b)
{
	if (k->real)
		return to_type(k, creal(a) / creal(b), 0);
	cplx q = a / b;
	return to_type(k, creal(q), cimag(q));
}

static cplx minus(const tridiagonal_plan *k, cplx a, cplx b)
{
	return to_type(k, creal(a) - creal(b), cimag(a) - cimag(b));
}

/* a - f b */
static cplx minus_times(const tridiagonal_plan *k, cplx a, cplx f, cplx b)
{
	return minus(k, a, times(k, f, b));
}

/* ---- solving one system --------------------------------------------------------------------- */

/* Rows of U: the main diagonal and the two above it. x: the right-hand sides, row by row. */
typedef struct tridiagonal_system {
	const tridiagonal_plan *k;
	cplx *below, *diagonal, *above;
	cplx *u[3];
	cplx *x;
} tridiagonal_system;

/* Subtracts `f` times row i from row i + 1; if they are swapped, the other way round. */
static void eliminate_rows(const tridiagonal_system *s, int64_t i, cplx f, bool exchange)
{
	const tridiagonal_plan *k = s->k;
	cplx *upper = s->x + i * k->columns, *lower = upper + k->columns;
	for (int64_t c = 0; c < k->columns; c++) {
		cplx a = upper[c], b = lower[c];
		upper[c] = exchange ? b : a;
		lower[c] = exchange ? minus_times(k, a, f, b) : minus_times(k, b, f, a);
	}
}

/* Computes row i + 1 of U from row i and the matrix's next row. @return the new row's scale */
static double eliminate(const tridiagonal_system *s, int64_t i, double scale)
{
	const tridiagonal_plan *k = s->k;
	cplx *const *u = s->u, low = s->below[i + 1], d = s->diagonal[i + 1];
	cplx up = s->above[i + 1];
	const bool inner = i + 2 < k->n;
	double next = part_rounded(k, size_of(k, low) + size_of(k, d));
	if (inner)
		next = part_rounded(k, next + size_of(k, up));
	u[0][i + 1] = d;
	u[1][i + 1] = up;
	if (low == 0)
		return next;
	double here = u[0][i] == 0 ? 0 : part_rounded(k, size_of(k, u[0][i]) / scale);
	if (part_rounded(k, size_of(k, low) / next) <= here) {
		cplx f = over(k, low, u[0][i]);
		u[0][i + 1] = minus_times(k, d, f, u[1][i]);
		eliminate_rows(s, i, f, false);
		return next;
	}
	cplx f = over(k, u[0][i], low), right = u[1][i];
	u[0][i] = low;
	u[1][i] = d;
	u[0][i + 1] = minus_times(k, right, f, d);
	u[1][i + 1] = 0;
	if (inner) {
		u[2][i] = up;
		u[1][i + 1] = times(k, CMPLX(-creal(f), -cimag(f)), up); /* for the sign of zeros */
	}
	eliminate_rows(s, i, f, true);
	return part_rounded(k, size_of(k, u[0][i + 1]) + size_of(k, u[1][i + 1]));
}

static double largest_of_row(const tridiagonal_plan *k, const cplx *row)
{
	double most = 0;
	for (int64_t c = 0; c < k->columns; c++)
		most = fmax(most, size_of(k, row[c]));
	return most;
}

/* Returns the pivot, perturbed until it can divide the row, or scaled up together with the row. */
static cplx safe_pivot(const tridiagonal_plan *k, cplx pivot, double change, cplx *row)
{
	const double least = k->wide ? DBL_MIN : FLT_MIN, most = 1 / least;
	const double factor = largest_of_row(k, row);
	change = copysign(fmax(fabs(change), least), creal(pivot));
	for (double size = size_of(k, pivot); size < 1; size = size_of(k, pivot)) {
		bool tiny = size < least;
		if (tiny ? size == 0 || factor * least > size : factor > size * most) {
			pivot = to_type(k, creal(pivot) + change, cimag(pivot));
			change *= 2;
			continue;
		}
		if (tiny) {
			pivot = times(k, pivot, most);
			for (int64_t c = 0; c < k->columns; c++)
				row[c] = times(k, row[c], most);
		}
		break;
	}
	return pivot;
}

/* Solves U x = the transformed right-hand sides, from the last row up. */
static void substitute_back(const tridiagonal_system *s, double change)
{
	const tridiagonal_plan *k = s->k;
	for (int64_t i = k->n - 1; i >= 0; i--) {
		cplx *row = s->x + i * k->columns;
		for (int64_t c = 0; c < k->columns; c++)
			for (int64_t j = 1; j <= 2 && i + j < k->n; j++)
				row[c] = minus_times(k, row[c], s->u[j][i], row[j * k->columns + c]);
		cplx pivot = safe_pivot(k, s->u[0][i], change, row), by = over(k, 1, pivot);
		for (int64_t c = 0; c < k->columns; c++)
			row[c] = k->n == 1 ? over(k, row[c], pivot) : times(k, row[c], by);
	}
}

static double largest_of_u(const tridiagonal_system *s)
{
	const tridiagonal_plan *k = s->k;
	double most = fmax(size_of(k, s->u[0][0]), k->n > 1 ? size_of(k, s->above[0]) : 0);
	for (int64_t i = 0; i + 2 < k->n; i++)
		for (int j = 0; j < 3; j++)
			most = fmax(most, size_of(k, s->u[j][i]));
	return fmax(most, size_of(k, s->u[0][k->n - 1]));
}

static void solve_tridiagonal(const tridiagonal_system *s)
{
	const tridiagonal_plan *k = s->k;
	memset(s->u[0], 0, sizeof(cplx) * (size_t)(3 * k->n));
	s->u[0][0] = s->diagonal[0];
	s->u[1][0] = s->above[0];
	double first = fmax(size_of(k, s->diagonal[0]), size_of(k, s->above[0]));
	double scale = part_rounded(k, size_of(k, s->diagonal[0]) + size_of(k, s->above[0]));
	for (int64_t i = 0; i + 1 < k->n; i++)
		scale = eliminate(s, i, scale);
	double most = k->n == 1 ? size_of(k, s->diagonal[0]) : fmax(first, largest_of_u(s));
	substitute_back(s, part_rounded(k, (k->wide ? DBL_EPSILON : FLT_EPSILON) * most));
}

/* ---- the kernel ------------------------------------------------------------------------------ */

static void run_tridiagonal(const step *s, const call *c)
{
	const tridiagonal_plan *k = s->params;
	int64_t n = k->n, cells = n * k->columns, bytes = dtype_bytes(k->type);
	cplx *room = c->scratch, *in[4] = {room, room + n, room + 2 * n, room + 6 * n};
	const tridiagonal_system system = {.k = k, .below = in[0], .diagonal = in[1],
	                                   .above = in[2], .x = in[3],
	                                   .u = {room + 3 * n, room + 4 * n, room + 5 * n}};
	for (int i = 0; i < 4; i++) {
		int64_t elements = i < 3 ? n : cells;
		const char *from = call_in(c, i) + c->tile * elements * bytes;
		for (int64_t j = 0; j < elements; j++)
			in[i][j] = cplx_get(k->type, from + j * bytes);
	}
	solve_tridiagonal(&system);
	char *to = call_out(s, c, 0) + c->tile * cells * bytes;
	for (int64_t j = 0; j < cells; j++)
		cplx_put(k->type, to + j * bytes, system.x[j]);
}

static bool tridiagonal_fits(const step *s)
{
	if (s->n_in != 4 || s->n_out != 1)
		return false;
	const tensor *b = step_in(s, 3), *x = step_out(s, 0);
	bool fits = b->rank >= 2 && x->rank == b->rank && x->dtype == b->dtype && x->n == b->n;
	for (int i = 0; i < 3 && fits; i++) {
		const tensor *d = step_in(s, i);
		fits = d->rank == b->rank - 1 && d->dtype == b->dtype;
		for (int k = 0; k < d->rank && fits; k++)
			fits = d->dims[k] == b->dims[k];
	}
	return fits;
}

bool prepare_tridiagonal_perturbed(exec_plan *p, step *s)
{
	tridiagonal_plan *k = NEW(plan_mem(p), tridiagonal_plan);
	if (!tridiagonal_fits(s))
		return step_invalid(p, s, "three diagonals and right sides of one type, with shapes "
		                    "[…, n] and […, n, m], and a result like the right sides, "
		                    "were expected");
	const tensor *b = step_in(s, 3);
	k->type = b->dtype;
	k->real = k->type == DT_F32 || k->type == DT_F64;
	k->wide = k->type == DT_F64 || k->type == DT_C128;
	if (!k->real && !k->wide && k->type != DT_C64)
		return step_unsupported(p, s, "elements of type %s are", dtype_mlir(k->type));
	k->n = b->dims[b->rank - 2];
	k->columns = b->dims[b->rank - 1];
	int64_t batch = 1;
	for (int d = 0; d < b->rank - 2; d++)
		batch *= b->dims[d];
	s->n_tiles = k->n && k->columns ? batch : 0;
	s->scratch = (size_t)(k->n * (6 + k->columns)) * sizeof(cplx);
	s->cost = 100 + (double)b->n * 60;
	s->params = k;
	s->run = run_tridiagonal;
	return true;
}
