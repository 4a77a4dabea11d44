/* gather.c - gather.
 *
 * Each index vector gives the start of a slice of the operand, clamped so that the slice is in
 * bounds; the slice is copied to the index's batch position in the result. StableHLO specification,
 * gather. */
#include "exec/kernel/index.h"

bool index_walk_init(index_walk *w, const tensor *indices, int64_t vector_dim, const tensor *outer,
                     const int *outer_of, int n_outer)
{
	int next = 0;
	w->n = 1;
	w->vector = vector_dim < indices->rank ? indices->strides[vector_dim] : 0;
	for (int d = 0; d < indices->rank; d++) {
		if (d == vector_dim)
			continue;
		if (next == n_outer || outer->dims[outer_of[next]] != indices->dims[d])
			return false;
		w->dims[next] = indices->dims[d];
		w->in_indices[next] = indices->strides[d];
		w->in_outer[next] = outer->strides[outer_of[next]];
		w->n *= indices->dims[d];
		next++;
	}
	w->rank = next;
	return next == n_outer;
}

void index_walk_batch(index_walk *w, const tensor *operand, int64_t operand_dim,
                      int64_t indices_dim, int64_t vector_dim)
{
	int64_t b = indices_dim > vector_dim ? indices_dim - 1 : indices_dim;
	w->in_operand[b] = operand->strides[operand_dim];
}

typedef struct gather_step {
	index_walk walk;
	int n_map;
	int64_t map_strides[MAX_RANK], limits[MAX_RANK]; /* the largest valid start in each mapped
	                                                  * dimension */
	int slice_rank; /* slice dimensions that the result keeps */
	int64_t slice[MAX_RANK], slice_in[MAX_RANK], slice_out[MAX_RANK];
	bool row; /* the slice is one contiguous range on both sides */
	int64_t row_bytes;
} gather_step;

static int64_t gather_start(const gather_step *k, dtype t, const char *indices, int64_t at)
{
	int64_t start = 0;
	for (int i = 0; i < k->n_map; i++) {
		int64_t v = index_read(t, indices, at + i * k->walk.vector);
		start += max_i64(0, min_i64(v, k->limits[i])) * k->map_strides[i];
	}
	return start;
}

static void run_gather(const step *s, const call *c)
{
	const gather_step *k = s->params;
	const index_walk *w = &k->walk;
	int bytes = step_in(s, 0)->bytes;
	dtype t = step_in(s, 1)->dtype;
	int64_t index[MAX_RANK], end = tile_begin(s, w->n, c->tile + 1);
	int64_t i = tile_begin(s, w->n, c->tile);
	if (i == end)
		return; /* no indices: index_of() cannot handle dimensions of 0 */
	index_of(i, w->dims, w->rank, index);
	for (; i < end; i++) {
		int64_t from = gather_start(k, t, c->at[1],
		                            index_dot(index, w->in_indices, w->rank)) +
		               index_dot(index, w->in_operand, w->rank);
		char *to = call_out(s, c, 0) + index_dot(index, w->in_outer, w->rank) * bytes;
		if (k->row)
			memcpy(to, c->at[0] + from * bytes, (size_t)k->row_bytes);
		else
			box_copy(k->slice_rank, k->slice, to, k->slice_out, c->at[0] + from * bytes,
			         k->slice_in, bytes);
		index_step(w->dims, w->rank, index);
	}
}

/* Sets k->row if the slice is one contiguous range on both sides. */
static void gather_row(gather_step *k, int bytes)
{
	int64_t want = 1;
	k->row = true;
	for (int i = k->slice_rank - 1; i >= 0; i--) {
		if (k->slice[i] == 1)
			continue;
		k->row &= k->slice_in[i] == want && k->slice_out[i] == want;
		want *= k->slice[i];
	}
	k->row_bytes = want * bytes;
}

bool prepare_gather(exec_plan *p, step *s)
{
	gather_dims d;
	gather_step *k = NEW(plan_mem(p), gather_step);
	const tensor *in = step_in(s, 0), *indices = step_in(s, 1), *out = step_out(s, 0);
	if (!op_gather_dims(plan_module(p), s->op, &d) || d.n_slice_sizes != in->rank)
		return step_invalid(p, s, "dimension numbers do not fit the operands");
	int outer_of[MAX_RANK], n_outer = 0, next = 0;
	for (int i = 0; i < out->rank; i++)
		if (!index_lists(d.offset, d.n_offset, i))
			outer_of[n_outer++] = i;
	if (!index_walk_init(&k->walk, indices, d.index_vector_dim, out, outer_of, n_outer))
		return step_invalid(p, s, "the result does not fit the indices");
	for (int i = 0; i < d.n_operand_batch; i++)
		index_walk_batch(&k->walk, in, d.operand_batch[i], d.indices_batch[i],
		                 d.index_vector_dim);
	k->n_map = d.n_map;
	for (int i = 0; i < d.n_map; i++) {
		k->map_strides[i] = in->strides[d.map[i]];
		k->limits[i] = in->dims[d.map[i]] - d.slice_sizes[d.map[i]];
	}
	for (int i = 0; i < in->rank; i++) {
		if (index_lists(d.collapsed, d.n_collapsed, i) ||
		    index_lists(d.operand_batch, d.n_operand_batch, i))
			continue;
		if (next == d.n_offset)
			return step_invalid(p, s, "dimension numbers do not fit the result");
		k->slice[next] = d.slice_sizes[i];
		k->slice_in[next] = in->strides[i];
		k->slice_out[next] = out->strides[d.offset[next]];
		next++;
	}
	k->slice_rank = next;
	gather_row(k, in->bytes);
	s->params = k;
	s->run = run_gather;
	s->cost = (double)k->walk.n * 8 + (double)(out->n * out->bytes) * 0.1;
	if (out->n > 1 << 14)
		step_split(s, k->walk.n, 1);
	return true;
}
