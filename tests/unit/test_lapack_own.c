/* test_lapack_own.c - tessera's own factorizations, used without LAPACK: the product of the factors
 * is the matrix. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "exec/linalg/own.h"

enum { MOST = 12, ROOM = 16 * 40 * MOST * MOST };

typedef struct problem {
	lapack_plan k;
	double most; /* largest difference */
	uint64_t state;
	char value[MAX_VALUES][MOST * MOST * 16];
	char *x[4], *r[5]; /* operands and results, in value[] */
	char room[ROOM];
} problem;

typedef struct matrix {
	int m, n;
	cplx at[MOST * MOST]; /* column-major */
} matrix;

/* ---- matrices -------------------------------------------------------------------------------- */

static double next_number(problem *p)
{
	p->state = p->state * 6364136223846793005u + 1442695040888963407u;
	return (double)(p->state >> 40) * 0x1p-23 - 1;
}

static matrix random_matrix(problem *p, int m, int n)
{
	matrix a = {m, n, {0}};
	for (int i = 0; i < m * n; i++) {
		double re = next_number(p);
		a.at[i] = CMPLX(re, p->k.two_parts ? next_number(p) : 0);
	}
	return a;
}

static matrix product(const matrix *a, const matrix *b)
{
	matrix c = {a->m, b->n, {0}};
	for (int j = 0; j < c.n; j++)
		for (int x = 0; x < a->n; x++)
			add_multiple(c.at + j * c.m, b->at[j * b->m + x], a->at + x * a->m, c.m);
	return c;
}

static matrix turned(const matrix *a, bool conjugate)
{
	matrix b = {a->n, a->m, {0}};
	for (int i = 0; i < a->m; i++)
		for (int j = 0; j < a->n; j++)
			b.at[i * b.m + j] = conjugate ? conj(a->at[j * a->m + i])
			                              : a->at[j * a->m + i];
	return b;
}

/* Returns the part of `a` with row - column in from..to; if `ones`, with ones on the diagonal. */
static matrix band(const matrix *a, int n, int from, int to, bool ones)
{
	matrix b = {a->m, n, {0}};
	for (int j = 0; j < n; j++)
		for (int i = 0; i < a->m; i++)
			if (i == j && ones)
				b.at[j * b.m + i] = 1;
			else if (i - j >= from && i - j <= to)
				b.at[j * b.m + i] = a->at[j * a->m + i];
	return b;
}

static void assert_close(const problem *p, const matrix *a, const matrix *b)
{
	assert_int_equal(a->m, b->m);
	assert_int_equal(a->n, b->n);
	for (int i = 0; i < a->m * a->n; i++)
		if (!(cabs(a->at[i] - b->at[i]) <= p->most))
			fail_msg("element %d is %g, not %g", i, creal(a->at[i]), creal(b->at[i]));
}

static void assert_orthonormal(const problem *p, const matrix *a)
{
	matrix h = turned(a, true), square = product(&h, a), one = {a->n, a->n, {0}};
	for (int i = 0; i < a->n; i++)
		one.at[i * a->n + i] = 1;
	assert_close(p, &square, &one);
}

/* ---- problems -------------------------------------------------------------------------------- */

/* letter: the LAPACK type, s, d, c or z. */
static void begin(problem *p, char letter, int m, int n)
{
	memset(p, 0, sizeof *p);
	p->k.wide = letter == 'd' || letter == 'z';
	p->k.two_parts = letter == 'c' || letter == 'z';
	p->k.m = m, p->k.n = n;
	p->k.mode = 'V', p->k.uplo = 'L', p->k.side = 'L', p->k.trans = p->k.diag = 'N';
	p->most = p->k.wide ? 1e-12 : 1e-4;
	p->state = (uint64_t)letter;
}

/* Stores `a` as value i, and rounds it to the type. */
static char *put(problem *p, int i, matrix *a)
{
	lapack_store(&p->k, p->value[i], a->at, a->m * a->n);
	lapack_load(&p->k, a->at, p->value[i], a->m * a->n);
	p->k.rows[i] = a->m, p->k.columns[i] = a->n;
	p->k.elements[i] = a->m * a->n;
	return p->value[i];
}

static matrix get(const problem *p, const char *from, int m, int n)
{
	matrix a = {m, n, {0}};
	lapack_load(&p->k, a.at, from, m * n);
	return a;
}

static int int_at(const char *from, int i)
{
	int32_t v;
	memcpy(&v, from + 4 * i, sizeof v);
	return v;
}

static void run(problem *p, lapack_run *routine)
{
	lapack_work w = {.room = p->room, .length = 1};
	routine(&p->k, p->x, p->r, &w);
}

static matrix positive(problem *p, int n)
{
	matrix a = random_matrix(p, n, n), h = turned(&a, true), s = product(&h, &a);
	for (int i = 0; i < n; i++)
		s.at[i * n + i] += 1;
	return s;
}

static void check_potrf(problem *p, char letter, int n)
{
	for (int upper = 0; upper < 2; upper++) {
		begin(p, letter, n, n);
		p->k.uplo = upper ? 'U' : 'L';
		matrix a = positive(p, n);
		p->r[0] = put(p, 0, &a), p->r[1] = p->value[1];
		run(p, own_potrf);
		assert_int_equal(int_at(p->r[1], 0), 0);
		matrix f = get(p, p->r[0], n, n);
		f = upper ? band(&f, n, -n, 0, false) : band(&f, n, 0, n, false);
		matrix h = turned(&f, true), made = upper ? product(&h, &f) : product(&f, &h);
		assert_close(p, &made, &a);
	}
	matrix bad = positive(p, n);
	bad.at[n * n - 1] = -1;
	put(p, 0, &bad);
	run(p, own_potrf);
	assert_int_equal(int_at(p->r[1], 0), n);
}

static void check_trsm(problem *p, char letter, int n, int others)
{
	for (int way = 0; way < 24; way++) {
		begin(p, letter, n, n);
		p->k.side = "LR"[way % 2], p -> k.uplo = "LU"[way / 2 % 2],
		p -> k.diag = "NU"[way / 4 % 2];
		p->k.trans = "NTC"[way / 8];
		bool left = p->k.side == 'L', upper = p->k.uplo == 'U', unit = p->k.diag == 'U';
		matrix a = positive(p, n),
		       b = random_matrix(p, left ? n : others, left ? others : n);
		p->x[0] = put(p, 0, &a), p->r[0] = put(p, 2, &b);
		p->k.right = b.n;
		matrix t = upper ? band(&a, n, -n, unit ? -1 : 0, unit)
		                 : band(&a, n, unit ? 1 : 0, n, unit);
		matrix op = p->k.trans == 'N' ? t : turned(&t, p->k.trans == 'C');
		run(p, own_trsm);
		matrix s = get(p, p->r[0], b.m, b.n);
		matrix made = left ? product(&op, &s) : product(&s, &op);
		p->most *= 1000;
		assert_close(p, &made, &b);
	}
}

static void check_getrf(problem *p, char letter, int m, int n)
{
	int least = m < n ? m : n;
	begin(p, letter, m, n);
	matrix a = random_matrix(p, m, n);
	p->r[0] = put(p, 0, &a), p->r[1] = p->value[1], p->r[2] = p->value[2];
	run(p, own_getrf);
	assert_int_equal(int_at(p->r[2], 0), 0);
	matrix f = get(p, p->r[0], m, n), l = band(&f, least, 1, m, true), u = {least, n, {0}};
	for (int j = 0; j < n; j++)
		for (int i = 0; i <= j && i < least; i++)
			u.at[j * least + i] = f.at[j * m + i];
	matrix made = product(&l, &u);
	for (int i = 0; i < least; i++)
		for (int j = 0, q = int_at(p->r[1], i) - 1; j < n; j++) {
			cplx t = a.at[j * m + i];
			a.at[j * m + i] = a.at[j * m + q];
			a.at[j * m + q] = t;
		}
	assert_close(p, &made, &a);
	memset(p->r[0], 0, sizeof p->value[0]);
	run(p, own_getrf);
	assert_int_equal(int_at(p->r[2], 0), 1);
}

static void check_reflections(problem *p, char letter, int m, int n)
{
	int least = m < n ? m : n;
	begin(p, letter, m, n);
	matrix a = random_matrix(p, m, n);
	p->r[0] = put(p, 0, &a), p->r[1] = p->value[1];
	run(p, own_geqrf);
	matrix f = get(p, p->r[0], m, n), tau = get(p, p->r[1], least, 1), r = {least, n, {0}};
	for (int j = 0; j < n; j++)
		for (int i = 0; i <= j && i < least; i++)
			r.at[j * least + i] = f.at[j * m + i];
	matrix v = band(&f, least, -m, m, false), whole = v;
	whole.n = m;
	p->k.n = m, p->k.right = least;
	p->r[0] = put(p, 0, &whole), p->x[1] = put(p, 1, &tau);
	run(p, own_orgqr);
	matrix q = get(p, p->r[0], m, m), first = q;
	first.n = least;
	assert_orthonormal(p, &q);
	matrix made = product(&first, &r);
	assert_close(p, &made, &a);
	for (int way = 0; way < 4; way++) {
		p->k.left = way % 2, p->k.transpose = way / 2;
		matrix c = random_matrix(p, p->k.left ? m : 3, p->k.left ? 3 : m);
		p->x[0] = put(p, 0, &v), p->x[1] = put(p, 1, &tau), p->r[0] = put(p, 2, &c);
		p->k.right = c.n;
		run(p, own_ormqr);
		matrix h = p->k.transpose ? turned(&q, true) : q;
		matrix want = p->k.left ? product(&h, &c) : product(&c, &h);
		matrix got = get(p, p->r[0], c.m, c.n);
		assert_close(p, &got, &want);
	}
}

static void check_gtsv(problem *p, char letter, int n)
{
	begin(p, letter, n, n);
	matrix low = random_matrix(p, n, 1), d = random_matrix(p, n, 1),
	       up = random_matrix(p, n, 1);
	matrix b = random_matrix(p, n, 2), a = {n, n, {0}};
	p->r[0] = put(p, 0, &low), p->r[1] = put(p, 1, &d), p->r[2] = put(p, 2, &up);
	p->r[3] = put(p, 3, &b), p->r[4] = p->value[4];
	p->k.right = 2;
	for (int i = 0; i < n; i++) {
		a.at[i * n + i] = d.at[i];
		if (i + 1 < n)
			a.at[i * n + i + 1] = low.at[i + 1], a.at[(i + 1) * n + i] = up.at[i];
	}
	run(p, own_gtsv);
	matrix s = get(p, p->r[3], n, 2), made = product(&a, &s);
	p->most *= 100;
	assert_close(p, &made, &b);
}

static void check_eigenvalues(problem *p, char letter, int n)
{
	for (int upper = 0; upper < 2; upper++) {
		begin(p, letter, n, n);
		p->k.uplo = upper ? 'U' : 'L';
		matrix a = random_matrix(p, n, n), h = turned(&a, true), half;
		for (int i = 0; i < n * n; i++)
			a.at[i] += h.at[i];
		p->r[0] = put(p, 0, &a), p->r[1] = p->value[1], p->r[2] = p->value[2];
		half = upper ? band(&a, n, -n, 0, false) : band(&a, n, 0, n, false);
		put(p, 0, &half); /* the other triangle is not read */
		run(p, own_syevd);
		assert_int_equal(int_at(p->r[2], 0), 0);
		matrix v = get(p, p->r[0], n, n), av = product(&a, &v), vw = v;
		double last = -INFINITY;
		for (int j = 0; j < n; j++) {
			double w = elem_get(lapack_real(&p->k), p->r[1] + j * (p->k.wide ? 8 : 4));
			assert_true(w >= last);
			last = w;
			for (int i = 0; i < n; i++)
				vw.at[j * n + i] *= w;
		}
		assert_orthonormal(p, &v);
		assert_close(p, &av, &vw);
	}
}

/* `rank` is the rank of the matrix. */
static void check_singular_values(problem *p, char letter, int m, int n, int rank, char mode)
{
	int least = m < n ? m : n, nu = mode == 'A' ? m : least, nv = mode == 'A' ? n : least;
	begin(p, letter, m, n);
	p->k.mode = mode;
	matrix left = random_matrix(p, m, rank), right = random_matrix(p, rank, n);
	matrix a = product(&left, &right), s = {nu, nv, {0}};
	p->r[0] = put(p, 0, &a);
	for (int i = 1; i < 5; i++)
		p->r[i] = p->value[i];
	run(p, own_svd);
	assert_int_equal(int_at(p->r[4], 0), 0);
	for (int i = 0; i < least; i++) {
		s.at[i * nu + i] = elem_get(lapack_real(&p->k), p->r[1] + i * (p->k.wide ? 8 : 4));
		assert_true(creal(s.at[i * nu + i]) >= 0);
		assert_true(!i || creal(s.at[i * nu + i]) <= creal(s.at[(i - 1) * nu + i - 1]));
		assert_true(i < rank || creal(s.at[i * nu + i]) <= p->most);
	}
	matrix u = get(p, p->r[2], m, nu), vt = get(p, p->r[3], nv, n), v = turned(&vt, true);
	matrix us = product(&u, &s), made = product(&us, &vt);
	assert_orthonormal(p, &u);
	assert_orthonormal(p, &v);
	assert_close(p, &made, &a);
}

static void factors_make_the_matrix(void **state)
{
	static problem p;
	(void)state;
	for (const char *letter = "sdcz"; *letter; letter++)
		for (int n = 1; n <= MOST; n += 1 + n / 3) {
			check_potrf(&p, *letter, n);
			check_trsm(&p, *letter, n, 4);
			check_gtsv(&p, *letter, n);
			check_eigenvalues(&p, *letter, n);
			for (int m = 1; m <= MOST; m += 2) {
				check_getrf(&p, *letter, m, n);
				check_reflections(&p, *letter, m, n);
				int least = m < n ? m : n;
				for (int rank = (least + 1) / 2; rank <= least; rank++) {
					check_singular_values(&p, *letter, m, n, rank, 'S');
					check_singular_values(&p, *letter, m, n, rank, 'A');
				}
			}
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(factors_make_the_matrix)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
