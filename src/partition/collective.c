/* collective.c - emits each move of a reshard plan as StableHLO. */
#include "partition/local.h"

static int64_t size_after(const move *m, const type *global, int d)
{
	return spread_local_dim(m->after, d, global->dims[d]);
}

/* Dimension d padded to `k` equal parts. */
static value *pad_to_share(emitter *e, value *v, int d, int64_t part, int64_t k)
{
	int64_t more = part * k - v->type->dims[d];
	return more > 0 ? build_pad(&e->b, v, d, 0, more, emit_any_scalar(e, v)) : v;
}

/* A gathered dimension without the padding at its end. */
static value *drop_padding(emitter *e, value *v, const move *m, int d, const type *global)
{
	return build_slice(&e->b, v, d, 0, min_i64(v->type->dims[d], size_after(m, global, d)), 1);
}

/* Cuts dimension `to` into `k` pieces, one for each device; what a device receives is concatenated
 * along `from`. */
static value *emit_exchange(emitter *e, value *v, const type *t, const move *m, int from, int to)
{
	op *o = emit_collective(e, OP_ALL_TO_ALL, v, t, MONOID_NONE);
	OP_ATTRS(e->to, o, {N_channel_handle, device_channel(e)},
	         {N_concat_dimension, attr_i64(e->ctx, from)},
	         {N_replica_groups, device_groups(e, m->after->order, m->along)},
	         {N_split_count, attr_i64(e->ctx, digits_size(m->along))},
	         {N_split_dimension, attr_i64(e->ctx, to)});
	return result(o, 0);
}

/* The reduction, of which each device keeps its part of dimension d. */
static value *emit_scatter(emitter *e, value *v, const type *t, const move *m, int d)
{
	op *o = emit_collective(e, OP_REDUCE_SCATTER, v, t, m->before->combine);
	OP_ATTRS(e->to, o, {N_channel_handle, device_channel(e)},
	         {N_replica_groups, device_groups(e, m->after->order, m->along)},
	         {N_scatter_dimension, attr_i64(e->ctx, d)},
	         {N_use_global_device_ids, device_global_ids(e)});
	return result(o, 0);
}

static value *move_window(emitter *e, const spread *split, const move *m, int d, value *v,
                          const type *global)
{
	int64_t few = spread_shards(split, d), many = few * digits_size(m->along);
	const halo h = uneven_window(d, global->dims[d], few, many, split == m->after);
	return emit_halo(e, v, split, &h);
}

static value *move_slice(emitter *e, const move *m, value *v, const type *global)
{
	int64_t part = size_after(m, global, m->to);
	if (m->uneven)
		v = move_window(e, m->before, m, m->to, v, global);
	v = pad_to_share(e, v, m->to, part, digits_size(m->along));
	value *at = device_coordinate(e, m->after->order, m->along);
	if (part > 1)
		at = build_binary(&e->b, OP_MULTIPLY, at, emit_index(e, part));
	return emit_window(e, v, m->to, at, part);
}

static value *move_gather(emitter *e, const move *m, value *v, const type *global)
{
	v = emit_gather(e, v, m->from, m->before->order, m->along);
	return m->uneven ? move_window(e, m->after, m, m->from, v, global)
	                 : drop_padding(e, v, m, m->from, global);
}

static value *move_exchange(emitter *e, const move *m, value *v, const type *global)
{
	int64_t k = digits_size(m->along), part = size_after(m, global, m->to);
	v = pad_to_share(e, v, m->to, part, k);
	int64_t *dims = COPY_N(e->mem, v->type->dims, v->type->rank);
	dims[m->to] = part;
	dims[m->from] *= k;
	const type *t = type_with_dims(e->ctx, v->type, dims, v->type->rank);
	v = emit_exchange(e, v, t, m, m->from, m->to);
	return drop_padding(e, v, m, m->from, global);
}

static value *move_permute(emitter *e, const move *m, value *v)
{
	int64_t n = e->sp.n_devices, dims[2] = {n, 2};
	if (spread_same_blocks(&e->sp, m->before, m->after))
		return v;
	int64_t *pairs = NEW_N(e->mem, int64_t, 2 * n), *source = NEW_N(e->mem, int64_t, n);
	permute_sources(&e->sp, m, source);
	for (int64_t d = 0; d < n; d++) {
		pairs[2 * d] = source[d];
		pairs[2 * d + 1] = d;
	}
	return emit_permute(e, v, attr_dense(e->ctx, type_tensor(e->ctx, DT_I64, dims, 2), pairs,
	                                     sizeof *pairs * 2 * (size_t)n, false));
}

static value *emit_all_reduce(emitter *e, value *v, const device_order *order, digits along,
                              monoid m)
{
	op *o = emit_collective(e, OP_ALL_REDUCE, v, v->type, m);
	OP_ATTRS(e->to, o, {N_channel_handle, device_channel(e)},
	         {N_replica_groups, device_groups(e, order, along)},
	         {N_use_global_device_ids, device_global_ids(e)});
	return result(o, 0);
}

static value *move_scatter(emitter *e, const move *m, value *v, const type *global)
{
	int64_t part = size_after(m, global, m->to);
	v = pad_to_share(e, v, m->to, part, digits_size(m->along));
	return emit_scatter(e, v, type_resized(e->ctx, v->type, m->to, part), m, m->to);
}

/* ---- moves of several dimensions at once ---------------------------------------------------- */

/* A StableHLO collective works along one dimension. So the coordinates of the devices become a
 * dimension of their own in front: what a device sends is cut along each dimension that is to be
 * split, the pieces are stacked, exchanged as a whole, and put side by side. */

/* The part of the move that splits dimension d, or concatenates blocks of it; -1: none. */
static int joint_part_at(const move *m, int d, bool splits)
{
	for (int i = 0; i < m->n_parts; i++)
		if ((splits ? m->parts[i].to : m->parts[i].from) == d)
			return i;
	return -1;
}

/* [8, 6] split by 2 and 3 becomes 6 stacked pieces [4, 2]. */
static value *stack_pieces(emitter *e, const move *m, value *v, const type *global)
{
	int rank = v->type->rank, n = 0, *place = NEW_N(e->mem, int, m->n_parts);
	int64_t *dims = NEW_N(e->mem, int64_t, 2 * rank + 1);
	int64_t *permutation = NEW_N(e->mem, int64_t, 2 * rank + 1);
	int at = m->n_parts;
	for (int d = 0; d < rank; d++) {
		int i = joint_part_at(m, d, true);
		int64_t k = i < 0 ? 1 : digits_size(m->parts[i].along);
		int64_t size = i < 0 ? v->type->dims[d] : size_after(m, global, d);
		if (i >= 0) {
			v = pad_to_share(e, v, d, size, k);
			place[i] = n;
			dims[n++] = k;
		}
		permutation[at++] = n;
		dims[n++] = size;
	}
	for (int i = 0; i < m->n_parts; i++)
		permutation[i] = place[i];
	v = build_transpose(&e->b, build_reshape(&e->b, v, dims, n), permutation);
	dims[0] = digits_size(m->along);
	for (int d = 0; d < rank; d++)
		dims[d + 1] = v->type->dims[m->n_parts + d];
	return build_reshape(&e->b, v, dims, rank + 1);
}

/* The reverse: stacked pieces are put side by side as the parts say. */
static value *unstack_pieces(emitter *e, const move *m, value *v, const type *global)
{
	int rank = v->type->rank - 1, n = 0;
	int64_t *dims = NEW_N(e->mem, int64_t, 2 * rank + 1);
	int64_t *permutation = NEW_N(e->mem, int64_t, 2 * rank + 1);
	for (int i = 0; i < m->n_parts; i++)
		dims[n++] = digits_size(m->parts[i].along);
	for (int d = 0, at = 0; d < rank; d++) {
		int i = joint_part_at(m, d, false);
		if (i >= 0)
			permutation[at++] = i;
		permutation[at++] = n;
		dims[n++] = v->type->dims[d + 1];
	}
	const type *pieces = v->type;
	v = build_transpose(&e->b, build_reshape(&e->b, v, dims, n), permutation);
	for (int d = 0; d < rank; d++) {
		int i = joint_part_at(m, d, false);
		dims[d] = pieces->dims[d + 1] * (i < 0 ? 1 : digits_size(m->parts[i].along));
	}
	v = build_reshape(&e->b, v, dims, rank);
	for (int d = 0; d < rank; d++)
		if (joint_part_at(m, d, false) >= 0)
			v = drop_padding(e, v, m, d, global);
	return v;
}

static value *move_gather_joint(emitter *e, const move *m, value *v, const type *global)
{
	int rank = v->type->rank;
	int64_t *dims = NEW_N(e->mem, int64_t, rank + 1);
	dims[0] = 1;
	memcpy(dims + 1, v->type->dims, sizeof *dims * (size_t)rank);
	v = build_reshape(&e->b, v, dims, rank + 1);
	v = emit_gather(e, v, 0, m->before->order, m->along);
	return unstack_pieces(e, m, v, global);
}

static value *move_exchange_joint(emitter *e, const move *m, value *v, const type *global)
{
	v = stack_pieces(e, m, v, global);
	return unstack_pieces(e, m, emit_exchange(e, v, v->type, m, 0, 0), global);
}

static value *move_scatter_joint(emitter *e, const move *m, value *v, const type *global)
{
	v = stack_pieces(e, m, v, global);
	v = emit_scatter(e, v, type_resized(e->ctx, v->type, 0, 1), m, 0);
	return build_reshape(&e->b, v, v->type->dims + 1, v->type->rank - 1);
}

static value *emit_joint(emitter *e, const move *m, value *v, const type *global)
{
	switch (m->kind) {
	case MOVE_GATHER: return move_gather_joint(e, m, v, global);
	case MOVE_EXCHANGE: return move_exchange_joint(e, m, v, global);
	default: return move_scatter_joint(e, m, v, global);
	}
}

/* ---- one move ------------------------------------------------------------------------------- */

static value *move_lead(emitter *e, const move *m, value *v)
{
	monoid combine = m->after->combine;
	if (monoid_is_idempotent(combine))
		return v;
	value *first = device_is_first(e, m->after->order, m->along);
	return build_select(&e->b, first, v, emit_identity(e, combine, v->type));
}

/* The block surrounded by zeros, at its position among those of the devices that differ along the
 * move's digits. */
static value *move_place(emitter *e, const move *m, value *v, const type *global)
{
	int d = m->from, rank = v->type->rank;
	int64_t part = v->type->dims[d], k = digits_size(m->along);
	value *zeros = emit_identity(e, m->after->combine, type_resized(e->ctx, v->type, d, part * k));
	value *at = device_coordinate(e, m->before->order, m->along);
	value **operands = NEW_N(e->mem, value *, rank + 2);
	operands[0] = zeros;
	operands[1] = v;
	for (int i = 0; i < rank; i++)
		operands[i + 2] = i == d ? build_binary(&e->b, OP_MULTIPLY, at, emit_index(e, part))
		                         : emit_index(e, 0);
	v = build(&e->b, OP_DYNAMIC_UPDATE_SLICE, operands, rank + 2, zeros->type);
	return drop_padding(e, v, m, d, global);
}

value *emit_move(emitter *e, const move *m, value *v, const type *global)
{
	if (m->n_parts)
		return emit_joint(e, m, v, global);
	switch (m->kind) {
	case MOVE_SLICE: return move_slice(e, m, v, global);
	case MOVE_GATHER: return move_gather(e, m, v, global);
	case MOVE_EXCHANGE: return move_exchange(e, m, v, global);
	case MOVE_PERMUTE: return move_permute(e, m, v);
	case MOVE_REDUCE:
		return emit_all_reduce(e, v, m->before->order, m->along, m->before->combine);
	case MOVE_SCATTER: return move_scatter(e, m, v, global);
	case MOVE_LEAD: return move_lead(e, m, v);
	case MOVE_PLACE: return move_place(e, m, v, global);
	}
	return v;
}

/* ---- masks --------------------------------------------------------------------------- */

value *emit_mask(emitter *e, value *v, int d, value *offset, int64_t low, int64_t high, value *with)
{
	value *at = emit_iota(e, v->type, d), *inside = NULL;
	if (offset)
		at = build_binary(&e->b, OP_ADD, at, build_fill(&e->b, offset, at->type));
	if (high != INT64_MAX)
		inside = build_compare(&e->b, COMPARE_LT, at,
		                       build_fill(&e->b, emit_index(e, high), at->type));
	if (low != INT64_MIN) {
		value *after = build_compare(&e->b, COMPARE_GE, at,
		                             build_fill(&e->b, emit_index(e, low), at->type));
		inside = inside ? build_binary(&e->b, OP_AND, inside, after) : after;
	}
	return build_select(&e->b, inside, v, build_fill(&e->b, with, v->type));
}
