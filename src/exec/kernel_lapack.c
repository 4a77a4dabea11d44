/* kernel_lapack.c - the custom calls lapack_…_ffi, of which JAX makes its linear algebra.
 *
 * A call has matrices, vectors and scalars behind num_batch_dims dimensions of batch.
 * LAPACK wants matrices by columns, and ours lie by rows: each is turned on the way in and
 * out, unless its layout says that the callee is to see rows as columns.  Most routines work
 * in place: some results begin as copies of operands.
 *
 * The library is found when a program needs it; a build without it refuses the calls. */
#include "exec/kernel.h"

#include <dlfcn.h>
#include <stdlib.h>

enum { MAX_VALUES = 9 };

typedef struct lapack_work {
	char *room;  /* `length` elements */
	int length;  /* -1: the routine only says how many it wants, as room[0] */
	char *reals; /* of complex routines */
	int *ints;
	int n_ints;
} lapack_work;

typedef struct lapack_plan lapack_plan;
/* x, r: operands and results, matrices by columns. */
typedef int lapack_run(const lapack_plan *k, char **x, char **r, const lapack_work *w);

typedef struct lapack_routine {
	const char *name;
	int n_in, n_out;
	int8_t from[4]; /* the operand that a result begins with; -1: none */
	lapack_run *run;
	bool blas; /* without a work array */
} lapack_routine;

typedef void lapack_fn(void);

struct lapack_plan {
	const lapack_routine *routine;
	lapack_fn *fn;
	bool complex, wide; /* elements of two parts; parts of 64 bits */
	int m, n;           /* of the first operand */
	int right;          /* columns of the last operand */
	char mode, uplo, side, trans, diag, left_vectors, right_vectors;
	int low, high;
	int n_values;
	int64_t batch;
	int64_t elements[MAX_VALUES]; /* of one matrix, vector or scalar */
	int64_t rows[MAX_VALUES], columns[MAX_VALUES]; /* 0: not to be turned */
	size_t offset[MAX_VALUES];    /* in the scratch */
	size_t work_at, reals_at, ints_at, scratch;
	int work_length, n_ints;
};

/* ---- routines ------------------------------------------------------------------------ */

/* Fortran takes all by address; behind the arguments come the lengths of those that are
 * characters. */
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

static int run_gesdd(const lapack_plan *k, char **x, char **r, const lapack_work *w)
{
	int least = k->m < k->n ? k->m : k->n, vt = k->mode == 'S' ? least : k->n;
	UNUSED(x);
	if (k->complex)
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
	if (k->complex) {
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

/* Eigenvectors of conjugate pairs come as real and imaginary parts in two columns. */
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
	if (k->complex) {
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
	if (k->complex)
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

/* The first element of the lower diagonal and the last of the upper one are not used. */
static int run_gtsv(const lapack_plan *k, char **x, char **r, const lapack_work *w)
{
	int n = (int)k->elements[1], bytes = (k->wide ? 8 : 4) * (k->complex ? 2 : 1);
	UNUSED(x), UNUSED(w);
	FORTRAN(8, k, &n, &k->right, r[0] + bytes, r[1], r[2], r[3], &n, r[4]);
	return 0;
}

static const lapack_routine lapack_routines[] = {
    {"potrf", 1, 2, {0, -1, -1, -1}, run_potrf, true},
    {"getrf", 1, 3, {0, -1, -1, -1}, run_getrf, true},
    {"geqrf", 1, 2, {0, -1, -1, -1}, run_geqrf, false},
    {"orgqr", 2, 1, {0, -1, -1, -1}, run_orgqr, false},
    {"ungqr", 2, 1, {0, -1, -1, -1}, run_orgqr, false},
    {"gesdd", 1, 5, {0, -1, -1, -1}, run_gesdd, false},
    {"syevd", 1, 3, {0, -1, -1, -1}, run_syevd, false},
    {"heevd", 1, 3, {0, -1, -1, -1}, run_syevd, false},
    {"trsm", 2, 1, {1, -1, -1, -1}, run_trsm, true},
    {"geev", 1, 5, {-1, -1, -1, -1}, run_geev, false},
    {"gees", 1, 6, {0, -1, -1, -1}, run_gees, false},
    {"gehrd", 1, 3, {0, -1, -1, -1}, run_gehrd, false},
    {"sytrd", 1, 5, {0, -1, -1, -1}, run_sytrd, false},
    {"hetrd", 1, 5, {0, -1, -1, -1}, run_sytrd, false},
    {"gtsv", 4, 5, {0, 1, 2, 3}, run_gtsv, true},
};

/* ---- running ------------------------------------------------------------------------------- */

static const tensor *lapack_value(const step *s, int i) { return &s->t[i]; }

/* Between rows and columns. */
static void turn(int64_t rows, int64_t columns, int bytes, char *to, const char *from, bool back)
{
	const int64_t dims[2] = {rows, columns}, by_row[2] = {columns, 1}, by_column[2] = {1, rows};
	box_copy(2, dims, to, back ? by_row : by_column, from, back ? by_column : by_row, bytes);
}

static void value_in(const step *s, const lapack_plan *k, int i, char *to, const char *from)
{
	int bytes = lapack_value(s, i)->bytes;
	if (k->rows[i])
		turn(k->rows[i], k->columns[i], bytes, to, from, false);
	else
		memcpy(to, from, (size_t)(k->elements[i] * bytes));
}

static void run_lapack(const step *s, const call *c)
{
	const lapack_plan *k = s->params;
	const lapack_routine *r = k->routine;
	char *room = c->scratch, *at[MAX_VALUES], *whole[MAX_VALUES];
	for (int i = 0; i < k->n_values; i++) {
		at[i] = room + k->offset[i];
		whole[i] = c->at[i] + c->tile * k->elements[i] * lapack_value(s, i)->bytes;
		if (i < s->n_in)
			value_in(s, k, i, at[i], whole[i]);
	}
	for (int i = s->n_in; i < k->n_values; i++) {
		int from = i - s->n_in < COUNT(r->from) ? r->from[i - s->n_in] : -1;
		size_t bytes = (size_t)(k->elements[i] * lapack_value(s, i)->bytes);
		if (from >= 0)
			memcpy(at[i], at[from], bytes);
		else
			memset(at[i], 0, bytes);
	}
	lapack_work w = {room + k->work_at, k->work_length, room + k->reals_at,
	                 (int *)(void *)(room + k->ints_at), k->n_ints};
	r->run(k, at, at + s->n_in, &w);
	for (int i = s->n_in; i < k->n_values; i++) {
		int bytes = lapack_value(s, i)->bytes;
		if (k->rows[i])
			turn(k->rows[i], k->columns[i], bytes, whole[i], at[i], true);
		else
			memcpy(whole[i], at[i], (size_t)(k->elements[i] * bytes));
	}
}

/* ---- planning -------------------------------------------------------------------------------- */

static lapack_fn *lapack_symbol(const char *name)
{
	static const char *const libraries[] = {
#ifdef TESS_BLAS_SONAME
		TESS_BLAS_SONAME,
#endif
		"liblapack.so.3", "libopenblas.so.0", "libblas.so.3"};
	for (int i = 0; i < COUNT(libraries); i++) {
		void *library = dlopen(libraries[i], RTLD_NOW | RTLD_LOCAL);
		void *symbol = library ? dlsym(library, name) : NULL;
		lapack_fn *fn;
		memcpy(&fn, &symbol, sizeof fn);
		if (symbol)
			return fn;
	}
	return NULL;
}

/* A character code or a number of mhlo.backend_config. */
static int lapack_option(const exec_plan *p, const step *s, const char *key, int fallback)
{
	tess_ctx *ctx = plan_ctx((exec_plan *)p);
	const attr *config = op_attr_named(s->op, name_of_z(ctx, "mhlo.backend_config"));
	const attr *a = config && config->kind == AT_DICT
	                        ? attr_get_named(config, name_of_z(ctx, key))
	                        : NULL;
	return a && a->kind == AT_INT ? (int)a->i : fallback;
}

static int lapack_batch_dims(exec_plan *p, const step *s)
{
	tess_ctx *ctx = plan_ctx(p);
	const attr *front = op_attr_named(s->op, name_of_z(ctx, "mhlo.frontend_attributes"));
	const attr *n = front && front->kind == AT_DICT
	                    ? attr_get_named(front, name_of_z(ctx, "num_batch_dims"))
	                    : NULL;
	int rank = s->t[0].rank;
	return n && n->text ? atoi(n->text->s) : rank > 2 ? rank - 2 : 0;
}

/* Whether the layout makes the callee see rows. */
static bool by_rows(exec_plan *p, const step *s, int i)
{
	const char *key = i < s->n_in ? "operand_layouts" : "result_layouts";
	const attr *all = op_attr_named(s->op, name_of_z(plan_ctx(p), key));
	int k = i < s->n_in ? i : i - s->n_in, n;
	if (!all || all->kind != AT_ARRAY || k >= all->n)
		return false;
	const int64_t *order = attr_ints(plan_ctx(p), all->list[k], &n);
	return n == s->t[i].rank && n >= 2 && order[0] == n - 1;
}

static size_t reserve(lapack_plan *k, int64_t bytes)
{
	size_t at = k->scratch;
	k->scratch = (at + (size_t)bytes + 63) & ~(size_t)63;
	return at;
}

static bool lapack_values(exec_plan *p, step *s, lapack_plan *k)
{
	int n_batch = lapack_batch_dims(p, s);
	k->n_values = s->n_in + s->n_out;
	for (int i = 0; i < k->n_values; i++) {
		const tensor *t = &s->t[i];
		int64_t batch = 1;
		if (t->rank < n_batch || t->rank > n_batch + 2)
			return step_invalid(
				p, s, "operands and results do not fit %d dimensions of batch",
				n_batch);
		for (int d = 0; d < n_batch; d++)
			batch *= t->dims[d];
		if (i && batch != k->batch)
			return step_invalid(p, s, "operands and results are not of one batch");
		k->batch = batch;
		k->elements[i] = batch ? t->n / batch : 0;
		if (t->rank == n_batch + 2 && !by_rows(p, s, i)) {
			k->rows[i] = t->dims[t->rank - 2];
			k->columns[i] = t->dims[t->rank - 1];
		}
		/* what a routine may need beyond: complex vectors made of real ones */
		k->offset[i] = reserve(k, (k->elements[i] + 2) * t->bytes);
		if (k->elements[i] > INT32_MAX)
			return step_invalid(p, s, "the matrix is too large for LAPACK");
	}
	const tensor *first = &s->t[0], *last = &s->t[s->n_in - 1];
	bool matrix = first->rank == n_batch + 2;
	k->m = (int)(matrix ? first->dims[first->rank - 2] : first->n / max_i64(k->batch, 1));
	k->n = (int)first->dims[first->rank - 1];
	k->right = (int)last->dims[last->rank - 1];
	return true;
}

/* How much room the routine wants, by its own word. */
static void lapack_room(exec_plan *p, step *s, lapack_plan *k)
{
	int64_t m = k->m, n = k->n, least = m < n ? m : n, most = m < n ? n : m;
	int part = k->wide ? 8 : 4, bytes = part * (k->complex ? 2 : 1);
	k->n_ints = (int)(8 * most + 8);
	k->ints_at = reserve(k, 4 * (int64_t)k->n_ints);
	int64_t reals = 5 * least * least + 7 * least + 2 * most * least + 2 * least * least +
	                least + 1 + 5 * n + 2 * n * n;
	k->reals_at = reserve(k, k->complex ? reals * part : 0);
	k->work_length = 1;
	if (!k->routine->blas && k->batch && m && n) {
		char *room = arena_zalloc(&plan_ctx(p)->scratch, k->scratch + 64), *at[MAX_VALUES];
		for (int i = 0; i < k->n_values; i++)
			at[i] = room + k->offset[i];
		lapack_work w = {room + k->scratch, -1, room + k->reals_at,
		                 (int *)(void *)(room + k->ints_at), k->n_ints};
		k->routine->run(k, at, at + s->n_in, &w);
		double wanted = elem_get(k->wide ? DT_F64 : DT_F32, w.room);
		k->work_length = wanted > 1 ? (int)(wanted * (k->wide ? 1 : 1.0001)) + 1 : 1;
	}
	k->work_at = reserve(k, (int64_t)k->work_length * bytes);
}

static void lapack_options(exec_plan *p, const step *s, lapack_plan *k)
{
	k->mode = (char)lapack_option(p, s, "mode", 'V');
	k->uplo = (char)lapack_option(p, s, "uplo", 'L');
	k->side = (char)lapack_option(p, s, "side", 'L');
	k->trans = (char)lapack_option(p, s, "trans_x", 'N');
	k->diag = (char)lapack_option(p, s, "diag", 'N');
	k->left_vectors = (char)lapack_option(p, s, "compute_left", 'N');
	k->right_vectors = (char)lapack_option(p, s, "compute_right", 'N');
	k->low = lapack_option(p, s, "low", 1);
	k->high = lapack_option(p, s, "high", k->n);
}

/* lapack_sgetrf_ffi: letter and name of the routine. */
static const lapack_routine *lapack_routine_of(const op *o, char *letter, char *symbol, size_t size)
{
	const char *target = op_attr(o, N_call_target_name)->text->s + strlen("lapack_");
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

bool prepare_lapack(exec_plan *p, step *s)
{
	char letter, symbol[16];
	lapack_plan *k = NEW(plan_mem(p), lapack_plan);
	k->routine = lapack_routine_of(s->op, &letter, symbol, sizeof symbol);
	if (!k->routine)
		return step_unsupported(p, s, "calling @%s is",
		                        op_attr(s->op, N_call_target_name)->text->s);
	k->complex = letter == 'c' || letter == 'z';
	k->wide = letter == 'd' || letter == 'z';
	bool one_less = k->complex && (k->routine->run == run_geev || k->routine->run == run_gees);
	if (s->n_in != k->routine->n_in || s->n_out != k->routine->n_out - one_less ||
	    s->n_in + s->n_out > MAX_VALUES)
		return step_invalid(p, s, "expected %d operands and %d results", k->routine->n_in,
		                    k->routine->n_out - one_less);
	if (!(k->fn = lapack_symbol(symbol)))
		return step_invalid(p, s, "this machine has no LAPACK library with %s", symbol);
	if (!lapack_values(p, s, k))
		return false;
	lapack_options(p, s, k);
	lapack_room(p, s, k);
	s->params = k;
	s->run = run_lapack;
	s->n_tiles = k->batch;
	s->scratch = k->scratch;
	double n = (double)(k->m > k->n ? k->m : k->n);
	s->cost = 1000 + (double)k->batch * n * n * n;
	return true;
}
