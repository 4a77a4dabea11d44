/* lapack.c - the custom calls lapack_…_ffi, which JAX emits for linear algebra.
 *
 * A call has matrices, vectors and scalars, after num_batch_dims batch dimensions. LAPACK's
 * matrices are column-major and ours are row-major: each is transposed on the way in and out,
 * unless its layout tells the callee to read rows as columns. Most routines work in place: then a
 * result starts as a copy of an operand.
 *
 * The library is loaded when a program first needs it. Without one, factorizations, eigenvalues of
 * Hermitian matrices and singular values are computed by our own routines (own.h). */
#include "exec/linalg/routines.h"

#include <stdlib.h>

/* ---- running ------------------------------------------------------------------------------- */

static const tensor *lapack_value(const step *s, int i) { return &s->t[i]; }

/* Transposes between row-major and column-major. */
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

/* Calls the routine, unless the matrix is empty. @return false if LAPACK rejected an argument. */
static bool call_routine(const lapack_plan *k, char **x, char **r, const lapack_work *w)
{
	if (k->empty) {
		if (k->routine->empty)
			k->routine->empty(k, r);
		return true;
	}
	if (k->hear)
		k->hear(true);
	one_thread_begin(&k->threads);
	k->run(k, x, r, w);
	one_thread_end(&k->threads);
	return !k->hear || !k->hear(false);
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
	if (!call_routine(k, at, at + s->n_in, &w))
		call_fail(c, s, "LAPACK refused an argument of the routine");
	for (int i = s->n_in; i < k->n_values; i++) {
		int bytes = lapack_value(s, i)->bytes;
		if (k->rows[i])
			turn(k->rows[i], k->columns[i], bytes, whole[i], at[i], true);
		else
			memcpy(whole[i], at[i], (size_t)(k->elements[i] * bytes));
	}
}

/* ---- planning -------------------------------------------------------------------------------- */

/* Returns an option of mhlo.backend_config: a character code or a number. */
static int lapack_option(exec_plan *p, const step *s, const char *key, int fallback)
{
	const attr *a = custom_option(plan_ctx(p), s->op, key);
	return a && (a->kind == AT_INT || a->kind == AT_BOOL) ? (int)a->i : fallback;
}

/* Returns num_batch_dims. Programs from earlier versions of JAX lack it; there the batch dimensions
 * are those that the first operand has beyond what the routine takes. */
static int lapack_batch_dims(exec_plan *p, const step *s, const lapack_plan *k)
{
	tess_ctx *ctx = plan_ctx(p);
	const attr *front = op_attr_named(s->op, name_of_z(ctx, "mhlo.frontend_attributes"));
	const attr *n = front && front->kind == AT_DICT
	                    ? attr_get_named(front, name_of_z(ctx, "num_batch_dims"))
	                    : NULL;
	if (n && n->kind == AT_STRING)
		return atoi(n->text->s);
	int taken = (int)strcspn(k->routine->form, " ") - 1; /* "Emn ...": a matrix */
	return s->n_in && s->t[0].rank > taken ? s->t[0].rank - taken : 0;
}

/* True if the layout makes the callee read a row-major matrix as it is. */
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

/* Places each value in the scratch and decides if it is transposed. Shapes have been checked. */
static bool lapack_values(exec_plan *p, step *s, lapack_plan *k, int n_batch)
{
	for (int i = 0; i < k->n_values; i++) {
		const tensor *t = &s->t[i];
		bool matrix = t->rank == n_batch + 2;
		int64_t batch = 1;
		for (int d = 0; d < n_batch; d++)
			batch *= t->dims[d];
		if (i && batch != k->batch)
			return step_invalid(p, s, "operands and results are not of one batch");
		k->batch = batch;
		k->elements[i] = batch ? t->n / batch : 0;
		if (matrix && !by_rows(p, s, i)) {
			k->rows[i] = t->dims[t->rank - 2];
			k->columns[i] = t->dims[t->rank - 1];
		}
		k->empty |= matrix && i < s->n_in && k->elements[i] == 0;
		/* two spare: a routine may write complex vectors in place of real ones */
		k->offset[i] = reserve(k, (k->elements[i] + 2) * t->bytes);
		if (k->elements[i] > INT32_MAX)
			return step_invalid(p, s, "the matrix is too large for LAPACK");
	}
	return true;
}

/* Sets the sizes of the problem from the first and the last operand. */
static bool lapack_sizes(exec_plan *p, const step *s, lapack_plan *k, int n_batch)
{
	if (s->n_in < 1 || s->n_in + s->n_out > MAX_VALUES)
		return step_invalid(p, s, "@%s has %d operands and %d results",
		                    op_call_target(s->op), s->n_in, s->n_out);
	k->n_values = s->n_in + s->n_out;
	const tensor *first = &s->t[0], *last = &s->t[s->n_in - 1];
	if (n_batch < 0 || first->rank <= n_batch || last->rank <= n_batch)
		return step_invalid(p, s, "operands and results do not fit %d dimensions of batch",
		                    n_batch);
	int64_t n = first->dims[first->rank - 1], right = last->dims[last->rank - 1];
	int64_t m = first->rank > n_batch + 1 ? first->dims[first->rank - 2] : n;
	if (m > INT32_MAX || n > INT32_MAX || right > INT32_MAX)
		return step_invalid(p, s, "the matrix is too large for LAPACK");
	k->m = (int)m, k->n = (int)n, k->right = (int)right;
	return true;
}

/* Our own routines work on copies, in double. */
static void own_room(lapack_plan *k)
{
	int64_t elements = 8 * max_i64(k->m, k->n) + 64;
	for (int i = 0; i < k->n_values; i++)
		elements += 3 * k->elements[i];
	k->work_at = reserve(k, elements * 16);
}

/* Asks the routine for the size of its work array. Returns false after a diagnostic. */
static bool lapack_room(exec_plan *p, step *s, lapack_plan *k)
{
	int64_t m = k->m, n = k->n, least = m < n ? m : n, most = m < n ? n : m;
	int part = k->wide ? 8 : 4, bytes = part * (k->two_parts ? 2 : 1);
	k->n_ints = (int)(8 * most + 8);
	k->ints_at = reserve(k, 4 * (int64_t)k->n_ints);
	int64_t reals = 5 * least * least + 7 * least + 2 * most * least + 2 * least * least +
	                least + 1 + 5 * n + 2 * n * n;
	k->reals_at = reserve(k, k->two_parts ? reals * part : 0);
	k->work_length = 1;
	if (!k->routine->blas && k->batch && !k->empty) {
		char *room = arena_zalloc(&plan_ctx(p)->scratch, k->scratch + 64), *at[MAX_VALUES];
		for (int i = 0; i < k->n_values; i++)
			at[i] = room + k->offset[i];
		lapack_work w = {room + k->scratch, -1, room + k->reals_at,
		                 (int *)(void *)(room + k->ints_at), k->n_ints};
		if (!call_routine(k, at, at + s->n_in, &w))
			return step_invalid(p, s, "LAPACK refused an argument of the routine");
		double wanted = elem_get(k->wide ? DT_F64 : DT_F32, w.room);
		k->work_length = wanted > 1 ? (int)(wanted * (k->wide ? 1 : 1.0001)) + 1 : 1;
	}
	k->work_at = reserve(k, (int64_t)k->work_length * bytes);
	return true;
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
	k->left = lapack_option(p, s, "left", 1);
	k->transpose = lapack_option(p, s, "transpose", 0);
	k->low = lapack_option(p, s, "low", 1);
	k->high = lapack_option(p, s, "high", k->n);
}

/* Finds the routine; its function stays NULL if no library has it and our own is used. Returns
 * false after a diagnostic. */
static bool lapack_find(exec_plan *p, const step *s, lapack_plan *k, char *symbol, size_t size)
{
	char letter;
	const char *why;
	k->routine = lapack_routine_of(s->op, &letter, symbol, size);
	if (!k->routine)
		return step_unsupported(p, s, "calling @%s is", op_call_target(s->op));
	k->two_parts = letter == 'c' || letter == 'z';
	k->wide = letter == 'd' || letter == 'z';
	k->hear = lapack_hearing(); /* before LAPACK is opened */
	k->fn = lapack_symbol(symbol, &k->threads, &why);
	if (why)
		return step_invalid(p, s, "TESS_LAPACK_LIBRARY names \"%s\", but %s",
		                    getenv("TESS_LAPACK_LIBRARY"), why);
	k->run = k->fn ? k->routine->run : k->routine->own;
	return true;
}

/* True if the library may use its own threads, for a single large matrix. */
static bool is_shared_out(const lapack_plan *k)
{
	const int large = 512;
	return k->batch == 1 && k->m >= large && k->n >= large;
}

bool prepare_lapack(exec_plan *p, step *s)
{
	lapack_plan *k = NEW(plan_mem(p), lapack_plan);
	char symbol[16];
	if (!lapack_find(p, s, k, symbol, sizeof symbol))
		return false;
	int n_batch = lapack_batch_dims(p, s, k);
	if (!lapack_sizes(p, s, k, n_batch))
		return false;
	lapack_options(p, s, k);
	if (!lapack_fits(p, s, k, n_batch) || !lapack_values(p, s, k, n_batch))
		return false;
	if (!k->run && !k->empty && k->batch)
		return step_invalid(
			p, s,
			"this machine has no LAPACK library with %s: install OpenBLAS or LAPACK",
			symbol);
	if (!k->fn)
		own_room(k);
	else if (!lapack_room(p, s, k))
		return false;
	if (is_shared_out(k))
		k->threads = (lapack_threads){NULL, NULL};
	s->params = k;
	s->run = run_lapack;
	s->n_tiles = k->batch;
	s->scratch = k->scratch;
	double n = (double)(k->m > k->n ? k->m : k->n);
	s->cost = 1000 + (double)k->batch * n * n * n;
	return true;
}
