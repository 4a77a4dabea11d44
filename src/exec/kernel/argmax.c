/* argmax.c - the largest or smallest element along one dimension, and its index.
 *
 * Along a contiguous dimension, the elements of each output are folded block by block with the
 * vectorized maximum; at the end only the block that holds the best element is searched for it.
 * Along any other dimension, whole rows are folded into a row of best elements and a row of their
 * indices. The initial values are folded in last, by calling the body. The operand of indices is
 * never read, since it is known to be an iota. */
#include "exec/steps/plan.h"
#include "exec/kernel/reduce.h"

enum { BLOCK = 256 };

typedef struct arg_plan {
	reduce_plan r;
	arg_reduction arg;
	dtype dtype;
	int64_t extent; /* of the reduced dimension */
	int64_t stride; /* between its elements */
	int64_t chunk;  /* outputs handled at a time */
	vec_best_fn *best;
	vec_fn *equal, *differ, *place; /* place: converts i32 to the dtype of the indices */
	vec_type type;
	int64_t pieces; /* the dimension is cut into so many if there are few outputs */
	const body *body;
} arg_plan;

/* The scratch memory of a task. */
typedef struct arg_room {
	char *loaded, *splat;        /* [REDUCE_CHUNK] */
	uint8_t *mask;               /* [BLOCK] */
	char *best;                  /* [REDUCE_CHUNK] in computing type */
	int32_t *at;                 /* [REDUCE_CHUNK] */
	char *init[2], *found[2];    /* [REDUCE_CHUNK] for the body */
	void *body;
} arg_room;

static arg_room arg_room_of(char *at)
{
	enum { EACH_BYTES = REDUCE_CHUNK * 8 };
	arg_room r = {.loaded = at, .splat = at + EACH_BYTES, .best = at + 2 * EACH_BYTES};
	r.at = (int32_t *)(at + 3 * EACH_BYTES);
	r.mask = (uint8_t *)(at + 4 * EACH_BYTES);
	for (int i = 0; i < 2; i++) {
		r.init[i] = at + (5 + i) * EACH_BYTES;
		r.found[i] = at + (7 + i) * EACH_BYTES;
	}
	r.body = at + 9 * EACH_BYTES;
	return r;
}

/* ---- a contiguous dimension ----------------------------------------------------------------- */

/* Returns the index of the first or last of n elements that equals `best` (or is NaN if `best` is);
 * -1 if there is none. */
static int64_t find_element(const arg_plan *k, const char *from, int64_t n, const char *best,
                            bool last, arg_room *room)
{
	uint8_t is_nan;
	k->differ(1, &is_nan, best, best, NULL, 0);
	if (is_nan) {
		k->differ(n, room->mask, from, from, NULL, 0);
		last = false;
	} else {
		box_fill(room->splat, best, n, vec_type_bytes(k->type));
		k->equal(n, room->mask, from, room->splat, NULL, 0);
	}
	if (!last) {
		const uint8_t *at = memchr(room->mask, 1, (size_t)n);
		return at ? at - room->mask : -1;
	}
	while (n && !room->mask[n - 1])
		n--;
	return n - 1;
}

/* Zeros of either sign compare equal. If the best element is a zero, its index is that of the first
 * such zero, but its value, and so its sign, is that of the last. */
static void settle_zero(const arg_plan *k, const char *line, int64_t blocks, int64_t n, char *best,
                        arg_room *room)
{
	const int bytes = vec_type_bytes(k->type), in_bytes = dtype_bytes(k->dtype);
	const char zero[16] = {0};
	uint8_t is_zero;
	k->equal(1, &is_zero, best, zero, NULL, 0);
	for (int64_t b = blocks - 1, at = -1; is_zero && at < 0; b--) {
		int64_t len = min_i64(BLOCK, n - b * BLOCK);
		const char *from = reduce_loaded(&k->r, line + b * BLOCK * in_bytes, len,
		                                 room->loaded);
		at = find_element(k, from, len, best, true, room);
		if (at >= 0)
			memcpy(best, from + at * bytes, (size_t)bytes);
	}
}

/* Finds the best of n contiguous elements and its index. */
static void best_of_line(const arg_plan *k, const char *line, int64_t n, char *best, int32_t *at,
                         arg_room *room)
{
	const int bytes = vec_type_bytes(k->type), in_bytes = dtype_bytes(k->dtype);
	int64_t blocks = ceil_div(n, BLOCK);
	int32_t which = 0;
	char part[16];
	for (int64_t b = 0; b < blocks; b++) {
		int64_t len = min_i64(BLOCK, n - b * BLOCK);
		const char *from = line + b * BLOCK * in_bytes;
		k->r.fold(len, reduce_loaded(&k->r, from, len, room->loaded), 0, 1, b ? part : best);
		if (b)
			k->best(1, best, &which, part, (int32_t)b);
	}
	int64_t len = min_i64(BLOCK, n - which * BLOCK);
	const char *from =
	    reduce_loaded(&k->r, line + which * BLOCK * in_bytes, len, room->loaded);
	int64_t x = find_element(k, from, len, best, k->arg.ties == TIES_LAST, room);
	ASSERT(x >= 0);
	memcpy(best, from + x * bytes, (size_t)bytes);
	*at = (int32_t)(which * BLOCK + x);
	if (k->arg.ties == TIES_MIXED && dtype_is_float(k->dtype))
		settle_zero(k, line, blocks, n, best, room);
}

/* ---- a strided dimension -------------------------------------------------------------------- */

/* Folds rows from..to of n elements each. */
static void best_of_rows(const arg_plan *k, const char *rows, int64_t n, int64_t from, int64_t to,
                         char *best, int32_t *at, arg_room *room)
{
	const int64_t step = k->stride * dtype_bytes(k->dtype);
	memcpy(best, reduce_loaded(&k->r, rows + from * step, n, room->loaded),
	       (size_t)(n * vec_type_bytes(k->type)));
	for (int64_t i = 0; i < n; i++)
		at[i] = (int32_t)from;
	for (int64_t r = from + 1; r < to; r++)
		k->best(n, best, at, reduce_loaded(&k->r, rows + r * step, n, room->loaded),
		        (int32_t)r);
}

/* Outputs are handled in chunks: of whole lines, or of pieces of a row. @return the length of chunk
 * i, which starts at output *begin. */
static int64_t arg_chunk(const arg_plan *k, int64_t n_out, int64_t i, int64_t *begin)
{
	int64_t row = k->r.row > 1 ? k->r.row : n_out, per_row = ceil_div(row, k->chunk);
	int64_t x = i % per_row * k->chunk;
	*begin = i / per_row * row + x;
	return min_i64(k->chunk, row - x);
}

static int64_t arg_chunks(const arg_plan *k, int64_t n_out)
{
	int64_t row = k->r.row > 1 ? k->r.row : n_out;
	return n_out / row * ceil_div(row, k->chunk);
}

/* Finds the best of positions from..to for n outputs starting at output `begin`. */
static void best_of(const arg_plan *k, const char *in, int64_t begin, int64_t n, int64_t from,
                    int64_t to, char *best, int32_t *at, arg_room *room)
{
	const int in_bytes = dtype_bytes(k->dtype);
	int64_t index[MAX_RANK];
	if (k->r.row > 1) {
		int64_t x = begin % k->r.row + reduce_offset(begin / k->r.row, k->r.n_kept,
		                                             k->r.kept, k->r.kept_strides);
		best_of_rows(k, in + x * in_bytes, n, from, to, best, at, room);
		return;
	}
	index_of(begin, k->r.kept, k->r.n_kept, index);
	for (int64_t i = 0; i < n; i++, index_step(k->r.kept, k->r.n_kept, index)) {
		int64_t x = from + index_dot(index, k->r.kept_strides, k->r.n_kept);
		best_of_line(k, in + x * in_bytes, to - from, best + i * vec_type_bytes(k->type),
		             at + i, room);
		at[i] += (int32_t)from;
	}
}

/* ---- results --------------------------------------------------------------------------------- */

/* Folds the initial values with what was found, initial values first, and writes n results starting
 * at output `begin`. */
static void arg_results(const step *s, const call *c, int64_t begin, int64_t n, arg_room *room)
{
	const arg_plan *k = s->params;
	const int value = k->arg.value;
	char *args[4], *results[2];
	if (k->r.store)
		k->r.store(n, room->found[value], room->best, NULL, NULL, 0);
	else
		memcpy(room->found[value], room->best, (size_t)(n * vec_type_bytes(k->type)));
	k->place(n, room->found[!value], room->at, NULL, NULL, 8 * step_out(s, !value)->bytes);
	for (int i = 0; i < 2; i++) {
		int bytes = step_out(s, i)->bytes;
		box_fill(room->init[i], c->at[s->n_in - 2 + i], n, bytes);
		args[i] = room->init[i];
		args[2 + i] = room->found[i];
		results[i] = call_out(s, c, i) + begin * bytes;
	}
	body_run(k->body, n, args, results, room->body);
}

static void arg_whole(const step *s, const call *c)
{
	const arg_plan *k = s->params;
	arg_room room = arg_room_of(c->scratch);
	int64_t n_out = step_out(s, 0)->n, chunks = arg_chunks(k, n_out), begin;
	int64_t end = tile_begin(s, chunks, c->tile + 1);
	for (int64_t i = tile_begin(s, chunks, c->tile); i < end; i++) {
		int64_t n = arg_chunk(k, n_out, i, &begin);
		best_of(k, c->at[0], begin, n, 0, k->extent, room.best, room.at, &room);
		arg_results(s, c, begin, n, &room);
	}
}

/* Folds one piece of the dimension into a row of elements and a row of indices. */
static void arg_pieces(const step *s, const call *c)
{
	const arg_plan *k = s->params;
	const int bytes = vec_type_bytes(k->type);
	arg_room room = arg_room_of(c->scratch);
	int64_t n_out = step_out(s, 0)->n / k->pieces, chunks = arg_chunks(k, n_out), begin;
	int64_t end = tile_begin(s, k->pieces, c->tile + 1);
	for (int64_t q = tile_begin(s, k->pieces, c->tile); q < end; q++)
		for (int64_t i = 0; i < chunks; i++) {
			int64_t n = arg_chunk(k, n_out, i, &begin), to = q * n_out + begin;
			best_of(k, c->at[0], begin, n, k->extent * q / k->pieces,
			        k->extent * (q + 1) / k->pieces,
			        call_out(s, c, 0) + to * bytes,
			        (int32_t *)call_out(s, c, 1) + to, &room);
		}
}

static void arg_join(const step *s, const call *c)
{
	const arg_plan *k = s->params;
	const int bytes = vec_type_bytes(k->type);
	const int32_t *places = (const int32_t *)c->at[1];
	arg_room room = arg_room_of(c->scratch);
	int64_t n_out = step_out(s, 0)->n, begin;
	for (int64_t i = 0; i < arg_chunks(k, n_out); i++) {
		int64_t n = arg_chunk(k, n_out, i, &begin);
		memcpy(room.best, c->at[0] + begin * bytes, (size_t)(n * bytes));
		memset(room.at, 0, sizeof *room.at * (size_t)n);
		for (int64_t q = 1; q < k->pieces; q++)
			k->best(n, room.best, room.at, c->at[0] + (q * n_out + begin) * bytes,
			        (int32_t)q);
		for (int64_t x = 0; x < n; x++)
			room.at[x] = places[room.at[x] * n_out + begin + x];
		arg_results(s, c, begin, n, &room);
	}
}

/* ---- planning -------------------------------------------------------------------------------- */

static arg_plan *arg_plan_new(exec_plan *p, const op *o, const arg_reduction *r)
{
	arg_plan *k = NEW(&p->mem, arg_plan);
	bool is_reduced[MAX_RANK] = {0};
	tensor in = tensor_of(p, operand(o, r->value)->type, NULL);
	is_reduced[r->dimension] = true;
	reduce_dims(&k->r, &in, is_reduced);
	k->arg = *r;
	k->dtype = in.dtype;
	k->type = vec_type_of(in.dtype);
	k->extent = in.dims[r->dimension];
	k->stride = in.strides[r->dimension];
	k->best = vec_best(r->max, r->ties, k->type);
	k->equal = vec_find(VEC_EQ, k->type);
	k->differ = vec_find(VEC_NE, k->type);
	k->place = vec_convert(VT_I32, vec_type_of(operand(o, !r->value)->type->dtype));
	k->r.fold = vec_fold(r->max ? VEC_MAX : VEC_MIN, k->type);
	k->r.load = vec_load(in.dtype);
	k->r.store = vec_store(in.dtype);
	const int64_t worth = 1 << 15, enough = 8, most = 64, n_out = result(o, 0)->type->n_elems;
	k->chunk = k->r.row > 1 ? REDUCE_CHUNK
	                        : max_i64(1, min_i64(REDUCE_CHUNK, worth / k->extent));
	k->pieces = arg_chunks(k, n_out) >= enough
	                ? 1
	                : max_i64(1, min_i64(min_i64(in.n / worth, k->extent), most));
	k->body = body_new(p, o, 0);
	return k->body ? k : NULL;
}

/* Creates the last step, which writes the op's results. The caller sets the inputs that come before
 * the initial values. */
static step *arg_last_step(exec_plan *p, const op *o, const arg_plan *k, int n_in)
{
	const classes *cls = classes_join(&p->classes, p->cls[result(o, 0)->id],
	                                  p->cls[result(o, 1)->id]);
	step *s = step_new(p, o, n_in + 2, 2, classes_join(&p->classes, cls, p->control));
	for (int i = 0; i < 2; i++) {
		step_set_in(p, s, n_in + i, operand(o, 2 + i)->type,
		            bound_dense(p, operand(o, 2 + i)));
		step_set_out(p, s, i, result(o, i)->type, result(o, i));
	}
	s->params = k;
	s->scratch = 9 * REDUCE_CHUNK * 8 + body_scratch_bytes(k->body);
	return s;
}

static void plan_arg_pieces(exec_plan *p, const op *o, const arg_plan *k)
{
	const value *v = operand(o, k->arg.value);
	const binding *in = bound_dense(p, v);
	int64_t n = k->pieces * result(o, 0)->type->n_elems;
	const type *parts[2] = {type_tensor(p->ctx, k->r.load ? DT_F32 : k->dtype, &n, 1),
	                        type_tensor(p->ctx, DT_I32, &n, 1)};
	slot *made[2];
	step *s = step_new(p, o, 1, 2, classes_join(&p->classes, in->cls, p->control));
	step_set_in(p, s, 0, v->type, in);
	for (int i = 0; i < 2; i++)
		made[i] = step_set_out(p, s, i, parts[i], NULL);
	s->params = k;
	s->run = arg_pieces;
	s->scratch = 9 * REDUCE_CHUNK * 8;
	s->cost = (double)v->type->n_elems * 0.3;
	step_split(s, k->pieces, 1);
	step_add(p, s);
	s = arg_last_step(p, o, k, 2);
	for (int i = 0; i < 2; i++)
		step_set_in(p, s, i, parts[i], &(binding){.slot = made[i], .cls = made[i]->cls});
	s->run = arg_join;
	s->cost = (double)n;
	step_add(p, s);
}

bool plan_arg_reduction(exec_plan *p, const op *o, const arg_reduction *r)
{
	const value *v = operand(o, r->value);
	const arg_plan *k = arg_plan_new(p, o, r);
	if (!k)
		return false;
	if (k->pieces > 1) {
		plan_arg_pieces(p, o, k);
		return true;
	}
	const binding *in = bound_dense(p, v);
	step *s = arg_last_step(p, o, k, 1);
	step_set_in(p, s, 0, v->type, in);
	s->run = arg_whole;
	s->cost = (double)v->type->n_elems * 0.3;
	if (v->type->n_elems > 1 << 15)
		step_split(s, arg_chunks(k, result(o, 0)->type->n_elems), 1);
	step_add(p, s);
	return true;
}
