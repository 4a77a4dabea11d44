/* routines.c - how each LAPACK routine is called.
 *
 * A routine has a row in lapack_routines[] and a function that calls it on the matrices, vectors
 * and scalars of one problem. With work->length -1 that call only asks how much work space it
 * needs. */
#include "exec/linalg/own.h"

/* Fortran passes every argument by address; the lengths of character arguments come after all
 * others. */
#define ARGS_1 const void *
#define ARGS_2 ARGS_1, ARGS_1
#define ARGS_3 ARGS_2, ARGS_1
#define ARGS_5 ARGS_3, ARGS_2
#define ARGS_6 ARGS_5, ARGS_1
#define ARGS_8 ARGS_6, ARGS_2
#define ARGS_9 ARGS_8, ARGS_1
#define ARGS_10 ARGS_9, ARGS_1
#define ARGS_11 ARGS_10, ARGS_1
#define ARGS_13 ARGS_11, ARGS_2
#define ARGS_14 ARGS_13, ARGS_1
#define ARGS_15 ARGS_14, ARGS_1
#define FORTRAN(n, k, ...)                                                                         \
	((void (*)(ARGS_##n, size_t, size_t, size_t, size_t))(k)->fn)(__VA_ARGS__, 1, 1, 1, 1)

static int run_potrf(const lapack_plan *k, char **x, char **r, const lapack_work *w)
{
	UNUSED(x), UNUSED(w);
	FORTRAN(5, k, &k->uplo, &k->n, r[0], &k->n, r[1]);
	return 0;
}

static int run_getrf(const lapack_plan *k, char **x, char **r, const lapack_work *w)
{
	UNUSED(x), UNUSED(w);
	FORTRAN(6, k, &k->m, &k->n, r[0], &k->m, r[1], r[2]);
	return 0;
}

static int run_geqrf(const lapack_plan *k, char **x, char **r, const lapack_work *w)
{
	int info = 0;
	UNUSED(x);
	FORTRAN(8, k, &k->m, &k->n, r[0], &k->m, r[1], w->room, &w->length, &info);
	return info;
}

static int run_orgqr(const lapack_plan *k, char **x, char **r, const lapack_work *w)
{
	int info = 0;
	FORTRAN(9, k, &k->m, &k->n, &k->right, r[0], &k->m, x[1], w->room,
		        &w->length, &info);
	return info;
}

static int run_geqp3(const lapack_plan *k, char **x, char **r, const lapack_work *w)
{
	int info = 0;
	UNUSED(x);
	if (k->two_parts)
		FORTRAN(10, k, &k->m, &k->n, r[0], &k->m, r[1], r[2], w->room, &w->length, w->reals,
		        &info);
	else
		FORTRAN(9, k, &k->m, &k->n, r[0], &k->m, r[1], r[2], w->room, &w->length, &info);
	return info;
}

/* Multiplies with Q or its adjoint, from the left or the right. */
static int run_ormqr(const lapack_plan *k, char **x, char **r, const lapack_work *w)
{
	int info = 0, m = (int)k->rows[2], n = k->right, reflectors = (int)k->elements[1];
	char side = k->left ? 'L' : 'R', trans = !k->transpose ? 'N' : k->two_parts ? 'C' : 'T';
	FORTRAN(13, k, &side, &trans, &m, &n, &reflectors, x[0], &k->m, x[1], r[0], &m, w->room,
	        &w->length, &info);
	return info;
}

static int run_gesvd(const lapack_plan *k, char **x, char **r, const lapack_work *w)
{
	int least = k->m < k->n ? k->m : k->n, vt = k->mode == 'S' ? least : k->n;
	UNUSED(x);
	if (k->two_parts)
		FORTRAN(15, k, &k->mode, &k->mode, &k->m, &k->n, r[0], &k->m, r[1], r[2], &k->m,
		        r[3], &vt, w->room, &w->length, w->reals, r[4]);
	else
		FORTRAN(14, k, &k->mode, &k->mode, &k->m, &k->n, r[0], &k->m, r[1], r[2], &k->m,
		        r[3], &vt, w->room, &w->length, r[4]);
	return 0;
}

static int run_gesdd(const lapack_plan *k, char **x, char **r, const lapack_work *w)
{
	int least = k->m < k->n ? k->m : k->n, vt = k->mode == 'S' ? least : k->n;
	UNUSED(x);
	if (k->two_parts)
		FORTRAN(15, k, &k->mode, &k->m, &k->n, r[0], &k->m, r[1], r[2], &k->m,
		        r[3], &vt, w->room, &w->length, w->reals, w->ints, r[4]);
	else
		FORTRAN(14, k, &k->mode, &k->m, &k->n, r[0], &k->m, r[1], r[2], &k->m,
		        r[3], &vt, w->room, &w->length, w->ints, r[4]);
	return 0;
}

static int run_syevd(const lapack_plan *k, char **x, char **r, const lapack_work *w)
{
	UNUSED(x);
	if (k->two_parts) {
		int n_reals = 1 + 5 * k->n + 2 * k->n * k->n;
		FORTRAN(13, k, &k->mode, &k->uplo, &k->n, r[0], &k->n, r[1], w->room,
		        &w->length, w->reals, &n_reals, w->ints, &w->n_ints, r[2]);
	} else {
		FORTRAN(11, k, &k->mode, &k->uplo, &k->n, r[0], &k->n, r[1], w->room,
		        &w->length, w->ints, &w->n_ints, r[2]);
	}
	return 0;
}

static int run_trsm(const lapack_plan *k, char **x, char **r, const lapack_work *w)
{
	const double one[2] = {1, 0};
	const float onef[2] = {1, 0};
	int rows = (int)k->rows[2], lda = k->m;
	UNUSED(w);
	FORTRAN(11, k, &k->side, &k->uplo, &k->trans, &k->diag, &rows, &k->right,
		        k->wide ? (const void *)one : (const void *)onef, x[0], &lda, r[0],
		        &rows);
	return 0;
}

/* Eigenvectors of a conjugate pair come as real and imaginary parts in two columns; joins them. */
static void pair_vectors(const lapack_plan *k, char *vectors, const char *imaginary, char *room)
{
	int n = k->n, bytes = k->wide ? 8 : 4;
	memcpy(room, vectors, (size_t)(n * n * bytes));
	memset(vectors, 0, (size_t)(2 * n * n * bytes));
	for (int j = 0; j < n; j++) {
		dtype t = k->wide ? DT_F64 : DT_F32;
		double im = elem_get(t, imaginary + j * bytes);
		bool pair = im != 0 && j + 1 < n;
		for (int i = 0; i < n; i++) {
			double a = elem_get(t, room + (j * n + i) * bytes);
			double b = pair ? elem_get(t, room + ((j + 1) * n + i) * bytes) : 0;
			elem_put(t, vectors + 2 * (j * n + i) * bytes, a);
			elem_put(t, vectors + (2 * (j * n + i) + 1) * bytes, b);
			if (!pair)
				continue;
			elem_put(t, vectors + 2 * ((j + 1) * n + i) * bytes, a);
			elem_put(t, vectors + (2 * ((j + 1) * n + i) + 1) * bytes, -b);
		}
		j += pair;
	}
}

static int run_geev(const lapack_plan *k, char **x, char **r, const lapack_work *w)
{
	if (k->two_parts) {
		FORTRAN(14, k, &k->left_vectors, &k->right_vectors, &k->n, x[0], &k->n,
		        r[0], r[1], &k->n, r[2], &k->n, w->room, &w->length, w->reals,
		        r[3]);
		return 0;
	}
	FORTRAN(14, k, &k->left_vectors, &k->right_vectors, &k->n, x[0], &k->n,
		        r[0], r[1], r[2], &k->n, r[3], &k->n, w->room, &w->length, r[4]);
	if (w->length < 0)
		return 0;
	if (k->left_vectors == 'V')
		pair_vectors(k, r[2], r[1], x[0]);
	if (k->right_vectors == 'V')
		pair_vectors(k, r[3], r[1], x[0]);
	return 0;
}

static int run_gees(const lapack_plan *k, char **x, char **r, const lapack_work *w)
{
	const char unsorted = 'N';
	UNUSED(x);
	if (k->two_parts)
		FORTRAN(15, k, &k->mode, &unsorted, NULL, &k->n, r[0], &k->n, r[3], r[2],
		        r[1], &k->n, w->room, &w->length, w->reals, w->ints, r[4]);
	else
		FORTRAN(15, k, &k->mode, &unsorted, NULL, &k->n, r[0], &k->n, r[4], r[2],
		        r[3], r[1], &k->n, w->room, &w->length, w->ints, r[5]);
	return 0;
}

static int run_gehrd(const lapack_plan *k, char **x, char **r, const lapack_work *w)
{
	UNUSED(x);
	FORTRAN(9, k, &k->n, &k->low, &k->high, r[0], &k->n, r[1], w->room,
		        &w->length, r[2]);
	return 0;
}

static int run_sytrd(const lapack_plan *k, char **x, char **r, const lapack_work *w)
{
	UNUSED(x);
	FORTRAN(10, k, &k->uplo, &k->n, r[0], &k->n, r[1], r[2], r[3], w->room,
		        &w->length, r[4]);
	return 0;
}

/* LAPACK ignores the first element of the lower diagonal and the last of the upper one. */
static int run_gtsv(const lapack_plan *k, char **x, char **r, const lapack_work *w)
{
	int n = (int)k->elements[1], bytes = (k->wide ? 8 : 4) * (k->two_parts ? 2 : 1);
	UNUSED(x), UNUSED(w);
	FORTRAN(8, k, &n, &k->right, r[0] + bytes, r[1], r[2], r[3], &n, r[4]);
	return 0;
}

/* For an empty matrix, the singular vectors of the other side are any orthonormal basis. */
static void empty_svd(const lapack_plan *k, char **r)
{
	const dtype t = k->wide ? DT_F64 : DT_F32;
	const int bytes = (k->wide ? 8 : 4) * (k->two_parts ? 2 : 1);
	for (int i = 0; i < k->m && k->mode == 'A'; i++)
		elem_put(t, r[2] + (int64_t)i * (k->m + 1) * bytes, 1);
	for (int i = 0; i < k->n && k->mode == 'A'; i++)
		elem_put(t, r[3] + (int64_t)i * (k->n + 1) * bytes, 1);
}

/* Empty columns stay in their order. */
static void empty_geqp3(const lapack_plan *k, char **r)
{
	for (int i = 0; i < k->n; i++)
		elem_put(DT_I32, r[1] + 4 * i, i + 1);
}

static const lapack_routine lapack_routines[] = {
    {"potrf", "Enn > Enn I", {0, -1, -1, -1}, run_potrf, own_potrf, .blas = true},
    {"getrf", "Emn > Emn Il I", {0, -1, -1, -1}, run_getrf, own_getrf, .blas = true},
    {"geqrf", "Emn > Emn El", {0, -1, -1, -1}, run_geqrf, own_geqrf},
    {"orgqr", "Emn Et > Emn", {0, -1, -1, -1}, run_orgqr, own_orgqr},
    {"ungqr", "Emn Et > Emn", {0, -1, -1, -1}, run_orgqr, own_orgqr},
    {"geqp3", "Emn In > Emn In El", {0, 1, -1, -1}, run_geqp3, NULL, .empty = empty_geqp3},
    {"ormqr", "Eot Et Epq > Epq", {2, -1, -1, -1}, run_ormqr, own_ormqr},
    {"unmqr", "Eot Et Epq > Epq", {2, -1, -1, -1}, run_ormqr, own_ormqr},
    {"gesvd", "Emn > Emn Rl Emu Evn I", {0, -1, -1, -1}, run_gesvd, own_svd, .modes = "ASN",
     .empty = empty_svd},
    {"gesdd", "Emn > Emn Rl Emu Evn I", {0, -1, -1, -1}, run_gesdd, own_svd, .modes = "ASN",
     .empty = empty_svd},
    {"syevd", "Enn > Enn Rn I", {0, -1, -1, -1}, run_syevd, own_syevd, .modes = "VN"},
    {"heevd", "Enn > Enn Rn I", {0, -1, -1, -1}, run_syevd, own_syevd, .modes = "VN"},
    {"trsm", "Eoo Epq > Epq", {1, -1, -1, -1}, run_trsm, own_trsm, .blas = true},
    {"geev", "Enn > En En Cnn Cnn I", {-1, -1, -1, -1}, run_geev, NULL,
     .complex_form = "Enn > En Enn Enn I"},
    {"gees", "Enn > Enn Enn En En I I", {0, -1, -1, -1}, run_gees, NULL, .modes = "VN",
     .complex_form = "Enn > Enn Enn En I I"},
    {"gehrd", "Enn > Enn Ek I", {0, -1, -1, -1}, run_gehrd, NULL},
    {"sytrd", "Enn > Enn Rn Rk Ek I", {0, -1, -1, -1}, run_sytrd, NULL},
    {"hetrd", "Enn > Enn Rn Rk Ek I", {0, -1, -1, -1}, run_sytrd, NULL},
    {"gtsv", "En En En Enq > En En En Enq I", {0, 1, 2, 3}, run_gtsv, own_gtsv, .blas = true},
};

const lapack_routine *lapack_routine_of(const op *o, char *letter, char *symbol, size_t size)
{
	const char *target = op_call_target(o) + strlen("lapack_");
	*letter = target[0];
	for (int i = 0; i < COUNT(lapack_routines) && strchr("sdcz", *letter); i++) {
		const char *name = lapack_routines[i].name;
		if (strncmp(target + 1, name, strlen(name)) ||
		    strcmp(target + 1 + strlen(name), "_ffi"))
			continue;
		snprintf(symbol, size, "%c%s_", *letter, name);
		return &lapack_routines[i];
	}
	return NULL;
}
