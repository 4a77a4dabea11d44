/* reduce_any.c - reduce with any body, by running the body on whole chunks of elements. */
#include "exec/kernel/reduce.h"

/* Buffers of REDUCE_CHUNK elements for each operand. */
typedef struct reduce_room {
	char **acc, **part, **both, **out, **pairs;
	void *scratch;
} reduce_room;

static reduce_room room_of(const reduce_plan *k, void *scratch)
{
	char **p = scratch;
	reduce_room r = {p, p + k->n, p + 2 * k->n, p + 4 * k->n, p + 5 * k->n, NULL};
	char *at = (char *)scratch + ceil_div(6 * k->n * (int64_t)sizeof(char *), 64) * 64;
	for (int i = 0; i < k->n; i++, at += 4 * REDUCE_CHUNK * 16) {
		r.acc[i] = at;
		r.part[i] = at + REDUCE_CHUNK * 16;
		r.out[i] = at + 2 * REDUCE_CHUNK * 16;
		r.pairs[i] = at + 3 * REDUCE_CHUNK * 16;
	}
	r.scratch = at;
	return r;
}

static size_t room_bytes(const reduce_plan *k)
{
	return (size_t)(ceil_div(6 * k->n * (int64_t)sizeof(char *), 64) * 64 +
	                k->n * 4 * REDUCE_CHUNK * 16) + body_scratch_bytes(k->body);
}

/* Loads a chunk of every operand, converted to the dtypes of the body. */
static void load_parts(const step *s, const reduce_plan *k, const call *c, int64_t at,
                       int64_t stride, int64_t n, char **to)
{
	for (int i = 0; i < k->n; i++) {
		int bytes = s->t[i].bytes;
		const char *from = c->at[i] + at * bytes;
		const int64_t one = 1;
		if (k->widen[i]) {
			for (int64_t x = 0; x < n; x++) {
				double v = elem_get(s->t[i].dtype, from + x * stride * bytes);
				elem_put(step_out(s, i)->dtype, to[i] + x * step_out(s, i)->bytes,
				         v);
			}
		} else {
			box_copy(1, &n, to[i], &one, from, &stride, bytes);
		}
	}
}

/* acc = body(acc, part), elementwise. */
static void apply_body(const step *s, const reduce_plan *k, reduce_room *r, char **acc, char **part,
                       int64_t n)
{
	for (int i = 0; i < k->n; i++) {
		r->both[i] = acc[i];
		r->both[k->n + i] = part[i];
	}
	body_run(k->body, n, r->both, r->out, r->scratch);
	for (int i = 0; i < k->n; i++)
		memcpy(acc[i], r->out[i], (size_t)(n * step_out(s, i)->bytes));
}

/* Folds the n parts into the first, adjacent pairs at a time: the body need not be commutative. */
static void fold_parts(const step *s, const reduce_plan *k, reduce_room *r, int64_t n)
{
	const int64_t one = 1, two = 2;
	char *odd[2 * MAX_RANK];
	for (; n > 1; n -= n / 2) {
		int64_t half = n / 2;
		for (int i = 0; i < k->n; i++) {
			int bytes = step_out(s, i)->bytes;
			odd[i] = r->pairs[i] + half * bytes;
			box_copy(1, &half, r->pairs[i], &one, r->part[i], &two, bytes);
			box_copy(1, &half, odd[i], &one, r->part[i] + bytes, &two, bytes);
			if (n % 2)
				memcpy(r->part[i] + half * bytes, r->part[i] + (n - 1) * bytes,
				       (size_t)bytes);
		}
		apply_body(s, k, r, r->pairs, odd, half);
		for (int i = 0; i < k->n; i++)
			memcpy(r->part[i], r->pairs[i], (size_t)(half * step_out(s, i)->bytes));
	}
}

static void reduce_any(const step *s, const call *c)
{
	const reduce_plan *k = s->params;
	reduce_room r = room_of(k, c->scratch);
	int64_t width = k->row > 1 ? REDUCE_CHUNK : 1; /* outputs handled at a time */
	int64_t per_row = ceil_div(k->row, width), n = step_out(s, 0)->n / k->row * per_row;
	int64_t end = tile_begin(s, n, c->tile + 1);
	for (int64_t i = tile_begin(s, n, c->tile); i < end; i++) {
		int64_t x = i % per_row * width, len = min_i64(width, k->row - x);
		int64_t from = x + reduce_offset(i / per_row, k->n_kept, k->kept, k->kept_strides);
		for (int v = 0; v < k->n; v++)
			box_fill(r.acc[v], c->at[k->n + v], len, step_out(s, v)->bytes);
		for (int64_t q = 0; q < k->rest; q++) {
			int64_t at = from +
			             reduce_offset(q, k->n_reduced, k->reduced, k->reduced_strides);
			for (int64_t y = 0; y < k->run; y += REDUCE_CHUNK) {
				int64_t part = k->row > 1 ? len : min_i64(REDUCE_CHUNK, k->run - y);
				load_parts(s, k, c, at + y, 1, part, r.part);
				if (k->row == 1)
					fold_parts(s, k, &r, part);
				apply_body(s, k, &r, r.acc, r.part, len);
			}
		}
		for (int v = 0; v < k->n; v++) {
			int bytes = step_out(s, v)->bytes;
			memcpy(call_out(s, c, v) + (i / per_row * k->row + x) * bytes, r.acc[v],
			       (size_t)(len * bytes));
		}
	}
}

bool prepare_reduce_any(exec_plan *p, step *s, reduce_plan *k)
{
	if (k->n > MAX_RANK)
		return step_unsupported(p, s, "so many operands are");
	k->body = body_new(p, s->op, 0);
	if (!k->body)
		return false;
	k->widen = NEW_N(plan_mem(p), vec_fn *, k->n);
	for (int i = 0; i < k->n; i++)
		if (s->t[i].dtype != step_out(s, i)->dtype)
			k->widen[i] = vec_convert(vec_type_of(s->t[i].dtype),
			                          vec_type_of(step_out(s, i)->dtype));
	s->run = reduce_any;
	s->scratch = room_bytes(k);
	s->cost = (double)step_in(s, 0)->n * 10;
	if (step_in(s, 0)->n > 1 << 12)
		step_split(s,
		           step_out(s, 0)->n / k->row *
		                   ceil_div(k->row, k->row > 1 ? REDUCE_CHUNK : 1),
		           1);
	return true;
}
