/* reduce.c - reduce, if the body is one operation on one operand.
 *
 * The dimensions are merged into alternating kept and reduced ones. If the last one is reduced,
 * ranges of contiguous elements are each folded into one element; if it is kept, rows are folded
 * elementwise into one row.
 *
 * The order of a fold depends only on shapes: lanes of a block first, then blocks pairwise, which
 * also keeps the rounding error of long sums small. */
#include "exec/kernel/reduce.h"

#include "exec/steps/plan.h"

enum { ROW_CHUNK = 2048 };

/* ---- the plan ---------------------------------------------------------------------------- */

void reduce_dims(reduce_plan *k, const tensor *in, const bool *is_reduced)
{
	for (int i = 0; i < in->rank; i++) {
		bool r = is_reduced[i];
		int *n = r ? &k->n_reduced : &k->n_kept;
		int64_t *dims = r ? k->reduced : k->kept;
		int64_t *strides = r ? k->reduced_strides : k->kept_strides;
		if (in->dims[i] == 1)
			continue;
		bool joins = *n && strides[*n - 1] == in->strides[i] * in->dims[i];
		if (!joins)
			dims[(*n)++] = 1;
		dims[*n - 1] *= in->dims[i];
		strides[*n - 1] = in->strides[i];
	}
	k->run = k->row = k->rest = 1;
	if (k->n_reduced && k->reduced_strides[k->n_reduced - 1] == 1)
		k->run = k->reduced[--k->n_reduced];
	else if (k->n_kept && k->kept_strides[k->n_kept - 1] == 1)
		k->row = k->kept[--k->n_kept];
	for (int i = 0; i < k->n_reduced; i++)
		k->rest *= k->reduced[i];
}

/* ---- folding by one operation --------------------------------------------------------------- */

const char *reduce_loaded(const reduce_plan *k, const char *from, int64_t n, char *room)
{
	if (!k->load)
		return from;
	k->load(n, room, from, NULL, NULL, 0);
	return room;
}

/* Folds n contiguous elements into one of the computing type, pairwise by halves. */
static void fold_run(const reduce_plan *k, const char *from, int64_t n, int bytes, char *to,
                     char *room)
{
	if (n <= REDUCE_CHUNK) {
		k->fold(n, reduce_loaded(k, from, n, room), 0, 1, to);
		return;
	}
	int64_t half = (n / 2 + REDUCE_CHUNK - 1) / REDUCE_CHUNK * REDUCE_CHUNK;
	char other[16];
	fold_run(k, from, half, bytes, to, room);
	fold_run(k, from + half * bytes, n - half, bytes, other, room);
	k->apply(1, to, to, other, NULL, 0);
}

static void put_results(const reduce_plan *k, int64_t n, char *to, char *acc, int out_bytes)
{
	if (k->store)
		k->store(n, to, acc, NULL, NULL, 0);
	else
		memcpy(to, acc, (size_t)(n * out_bytes));
}

/* Does what fold_runs_of() does where each output folds one short range of elements that need not be
 * loaded: the outputs along the last kept dimension at once. */
static void fold_short_runs(const reduce_plan *k, const char *in, int64_t *index, int64_t n,
                            int bytes, char *acc)
{
	const int last = k->n_kept - 1;
	for (int64_t x = 0, count; x < n; x += count, index_step(k->kept, k->n_kept, index)) {
		const char *from = in + index_dot(index, k->kept_strides, k->n_kept) * bytes;
		count = min_i64(n - x, k->kept[last] - index[last]);
		k->fold(k->run, from, k->kept_strides[last], count, acc + x * bytes);
		index[last] += count - 1;
	}
}

/* Folds n outputs, starting at the one at `index`; each folds `rest` contiguous ranges. */
static void fold_runs_of(const reduce_plan *k, const char *in, int64_t *index, int64_t n,
                         int in_bytes, char *acc, char *room)
{
	const int bytes = vec_type_bytes(k->type);
	char part[16];
	if (k->rest == 1 && k->run <= REDUCE_CHUNK && k->n_kept && !k->load) {
		fold_short_runs(k, in, index, n, bytes, acc);
		return;
	}
	for (int64_t x = 0; x < n; x++, index_step(k->kept, k->n_kept, index)) {
		const char *from = in + index_dot(index, k->kept_strides, k->n_kept) * in_bytes;
		fold_run(k, from, k->run, in_bytes, acc + x * bytes, room);
		for (int64_t r = 1; r < k->rest; r++) {
			int64_t at = reduce_offset(r, k->n_reduced, k->reduced, k->reduced_strides);
			fold_run(k, from + at * in_bytes, k->run, in_bytes, part, room);
			k->apply(1, acc + x * bytes, acc + x * bytes, part, NULL, 0);
		}
	}
}

/* The last dimension is reduced: folds a chunk of outputs, then applies the initial value. */
static void reduce_runs(const step *s, const call *c)
{
	const reduce_plan *k = s->params;
	const tensor *in = step_in(s, 0), *out = step_out(s, 0);
	int64_t index[MAX_RANK];
	char *room = c->scratch, *acc = room + REDUCE_CHUNK * 16, *init = acc + REDUCE_CHUNK * 16;
	int64_t begin = tile_begin(s, out->n, c->tile), end = tile_begin(s, out->n, c->tile + 1);
	box_fill(init, reduce_loaded(k, c->at[1], 1, room), min_i64(REDUCE_CHUNK, end - begin),
	         vec_type_bytes(k->type));
	index_of(begin, k->kept, k->n_kept, index);
	for (int64_t i = begin; i < end; i += REDUCE_CHUNK) {
		int64_t n = min_i64(REDUCE_CHUNK, end - i);
		fold_runs_of(k, c->at[0], index, n, in->bytes, acc, room);
		k->apply(n, acc, acc, init, NULL, 0);
		put_results(k, n, call_out(s, c, 0) + i * out->bytes, acc, out->bytes);
	}
}

/* Folds `rest` rows of n elements into acc. Along the last reduced dimension they are a fixed
 * stride apart. fresh: acc is not initialized yet. */
static void fold_rows_of(const reduce_plan *k, const char *from, int64_t n, int bytes, bool fresh,
                         char *acc, char *room)
{
	int last = k->n_reduced - 1;
	int64_t even = k->rows && last >= 0 ? k->reduced[last] : 1;
	for (int64_t r = 0; r < k->rest; r += even) {
		const char *row =
		    from + reduce_offset(r, k->n_reduced, k->reduced, k->reduced_strides) * bytes;
		int64_t skip = fresh && !r;
		if (skip)
			memcpy(acc, reduce_loaded(k, row, n, room),
			       (size_t)(n * vec_type_bytes(k->type)));
		if (even > 1)
			k->rows(n, acc, row + skip * k->reduced_strides[last] * bytes,
			        k->reduced_strides[last], even - skip);
		else if (!skip)
			k->apply(n, acc, acc, reduce_loaded(k, row, n, room), NULL, 0);
	}
}

/* The last dimension is kept: each chunk of a row folds `rest` chunks. */
static void reduce_rows(const step *s, const call *c)
{
	const reduce_plan *k = s->params;
	const tensor *in = step_in(s, 0), *out = step_out(s, 0);
	char *room = c->scratch, *acc = room + ROW_CHUNK * 16;
	int64_t per_row = ceil_div(k->row, ROW_CHUNK), n = out->n / k->row * per_row;
	int64_t end = tile_begin(s, n, c->tile + 1);
	for (int64_t i = tile_begin(s, n, c->tile); i < end; i++) {
		int64_t x = i % per_row * ROW_CHUNK, len = min_i64(ROW_CHUNK, k->row - x);
		int64_t at = x + reduce_offset(i / per_row, k->n_kept, k->kept, k->kept_strides);
		const char *from = c->at[0] + at * in->bytes;
		box_fill(acc, reduce_loaded(k, c->at[1], 1, room), len, vec_type_bytes(k->type));
		fold_rows_of(k, from, len, in->bytes, false, acc, room);
		put_results(k, len, call_out(s, c, 0) + (i / per_row * k->row + x) * out->bytes,
		            acc, out->bytes);
	}
}

/* Sets up the loops for elements of dtype t; returns false if the body is not a single operation
 * that they support. */
static bool reduce_op_of(reduce_plan *k, const op *o, dtype t)
{
	k->op = body_op(o, 0);
	if (k->op == VEC_NONE)
		return false;
	k->type = vec_type_of(t);
	k->fold = vec_fold(k->op, k->type);
	k->apply = vec_find(k->op, k->type);
	/* Integers of 2 or 4 bits would have to wrap after each operation. */
	if (!k->fold || !k->apply || (dtype_is_int(t) && vec_fix(t)))
		return false;
	k->load = vec_load(t);
	k->store = vec_store(t);
	k->rows = k->load ? NULL : vec_rows(k->op, k->type);
	return true;
}

/* The number of output chunks, which tiles are made of. */
static int64_t reduce_items(const reduce_plan *k, int64_t n_out)
{
	return k->row > 1 ? n_out / k->row * ceil_div(k->row, ROW_CHUNK) : n_out;
}

bool prepare_reduce_op(step *s, reduce_plan *k)
{
	dtype t = step_in(s, 0)->dtype;
	if (k->n != 1 || step_out(s, 0)->dtype != t || !reduce_op_of(k, s->op, t))
		return false;
	s->run = k->row > 1 ? reduce_rows : reduce_runs;
	s->scratch = ROW_CHUNK * 32;
	s->cost = (double)step_in(s, 0)->n * 0.2;
	if (step_in(s, 0)->n > 1 << 15)
		step_split(s, reduce_items(k, step_out(s, 0)->n), 1);
	return true;
}

/* ---- long folds in two steps ---------------------------------------------------------------- */

/* With few results of many elements each, the outermost reduced dimension is cut into pieces; one
 * step folds each piece, and the next joins them. The cuts depend on shapes only. */
static int64_t pieces_of(const reduce_plan *k, int64_t n_in, int64_t n_out)
{
	const int64_t enough_items = 8, worth = 1 << 15, most = 64;
	int64_t extent = k->n_reduced ? k->reduced[0] : k->run / REDUCE_CHUNK;
	if (reduce_items(k, n_out) >= enough_items)
		return 1;
	return min_i64(min_i64(n_in / worth, extent), most);
}

/* Narrows the plan to piece i. @return where the piece starts, in elements. */
static int64_t cut_piece(reduce_plan *k, int64_t i)
{
	int64_t unit = k->n_reduced ? 1 : REDUCE_CHUNK;
	int64_t *extent = k->n_reduced ? k->reduced : &k->run;
	int64_t units = *extent / unit, begin = units * i / k->pieces * unit;
	int64_t end = i + 1 < k->pieces ? units * (i + 1) / k->pieces * unit : *extent;
	k->rest = k->rest / *extent * (end - begin);
	*extent = end - begin;
	return begin * (k->n_reduced ? k->reduced_strides[0] : 1);
}

/* Folds all outputs over one piece, in the computing type. */
static void fold_piece(const reduce_plan *k, const char *in, int in_bytes, int64_t n_out, char *to,
                       char *room)
{
	const int bytes = vec_type_bytes(k->type);
	int64_t index[MAX_RANK] = {0};
	int64_t width = k->row > 1 ? min_i64(k->row, ROW_CHUNK) : REDUCE_CHUNK;
	if (k->row == 1) {
		for (int64_t i = 0; i < n_out; i += width)
			fold_runs_of(k, in, index, min_i64(width, n_out - i), in_bytes,
			             to + i * bytes, room);
		return;
	}
	for (int64_t i = 0; i < n_out; i += k->row, index_step(k->kept, k->n_kept, index))
		for (int64_t x = 0; x < k->row; x += width) {
			int64_t at = x + index_dot(index, k->kept_strides, k->n_kept);
			fold_rows_of(k, in + at * in_bytes, min_i64(width, k->row - x), in_bytes,
			             true, to + (i + x) * bytes, room);
		}
}

static void reduce_pieces(const step *s, const call *c)
{
	const reduce_plan *k = s->params;
	int64_t n_out = step_out(s, 0)->n / k->pieces;
	int64_t end = tile_begin(s, k->pieces, c->tile + 1);
	for (int64_t i = tile_begin(s, k->pieces, c->tile); i < end; i++) {
		reduce_plan part = *k;
		int64_t at = cut_piece(&part, i);
		fold_piece(&part, c->at[0] + at * step_in(s, 0)->bytes, step_in(s, 0)->bytes, n_out,
		           call_out(s, c, 0) + i * n_out * vec_type_bytes(k->type), c->scratch);
	}
}

/* Joins the pieces of a chunk of outputs, by halves until one is left. */
static void reduce_join(const step *s, const call *c)
{
	const reduce_plan *k = s->params;
	const tensor *out = step_out(s, 0);
	const int bytes = vec_type_bytes(k->type);
	char *room = c->scratch, *init = room + REDUCE_CHUNK * 16, *acc = init + REDUCE_CHUNK * 16;
	box_fill(init, reduce_loaded(k, c->at[1], 1, room), min_i64(REDUCE_CHUNK, out->n), bytes);
	for (int64_t i = 0; i < out->n; i += REDUCE_CHUNK) {
		int64_t n = min_i64(REDUCE_CHUNK, out->n - i);
		for (int64_t q = 0; q < k->pieces; q++)
			memcpy(acc + q * n * bytes, c->at[0] + (q * out->n + i) * bytes,
			       (size_t)(n * bytes));
		for (int64_t q = k->pieces; q > 1; q -= q / 2)
			k->apply(q / 2 * n, acc, acc, acc + (q - q / 2) * n * bytes, NULL, 0);
		k->apply(n, acc, acc, init, NULL, 0);
		put_results(k, n, call_out(s, c, 0) + i * out->bytes, acc, out->bytes);
	}
}

const reduce_plan *reduce_long_fold(exec_plan *p, const op *o)
{
	reduce_plan *k = NEW(&p->mem, reduce_plan);
	int n_dims;
	const int64_t *dims = op_ints(p->m, o, N_dimensions, &n_dims);
	bool is_reduced[MAX_RANK] = {0};
	if (o->n_operands != 2 || o->n_results != 1 || operand(o, 1)->type->rank)
		return NULL;
	const type *in = operand(o, 0)->type;
	for (int i = 0; i < n_dims; i++) {
		if (dims[i] < 0 || dims[i] >= in->rank)
			return NULL;
		is_reduced[dims[i]] = true;
	}
	tensor t = tensor_of(p, in, NULL);
	if (in->dtype == DT_NONE || result(o, 0)->type->dtype != in->dtype ||
	    !reduce_op_of(k, o, in->dtype))
		return NULL;
	reduce_dims(k, &t, is_reduced);
	k->n = 1;
	k->pieces = pieces_of(k, t.n, result(o, 0)->type->n_elems);
	return k->pieces > 1 ? k : NULL;
}

void plan_reduce_pieces(exec_plan *p, const op *o, const reduce_plan *k)
{
	const binding *in = bound_dense(p, operand(o, 0)), *init = bound_dense(p, operand(o, 1));
	dtype type = k->load ? DT_F32 : operand(o, 0)->type->dtype;
	int64_t n = k->pieces * result(o, 0)->type->n_elems;
	step *s = step_new(p, o, 1, 1, classes_join(&p->classes, in->cls, p->control));
	step_set_in(p, s, 0, operand(o, 0)->type, in);
	slot *parts = step_set_out(p, s, 0, type_tensor(p->ctx, type, &n, 1), NULL);
	s->params = k;
	s->run = reduce_pieces;
	s->scratch = ROW_CHUNK * 32;
	s->cost = (double)step_in(s, 0)->n * 0.2;
	step_split(s, k->pieces, 1);
	step_add(p, s);
	s = step_new(p, o, 2, 1, p->cls[result(o, 0)->id]);
	step_set_in(p, s, 0, type_tensor(p->ctx, type, &n, 1),
	            &(binding){.slot = parts, .cls = parts->cls});
	step_set_in(p, s, 1, operand(o, 1)->type, init);
	step_set_out(p, s, 0, result(o, 0)->type, result(o, 0));
	s->params = k;
	s->run = reduce_join;
	s->cost = (double)n;
	n = k->pieces * min_i64(REDUCE_CHUNK, step_out(s, 0)->n);
	s->scratch = REDUCE_CHUNK * 32 + (size_t)(n * vec_type_bytes(k->type));
	step_add(p, s);
}
