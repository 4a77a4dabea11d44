/* halo.c - a window that differs from device to device, of a dimension that is split into blocks.
 *
 * Slices, pads, reversals, convolutions and windows along a split dimension need elements of other
 * devices. Device i (its coordinate along the digits of the dimension) has elements [i*L, i*L + L)
 * and wants [i*step + start, i*step + start + size). There are three ways to get them:
 *
 *  near    each device receives the blocks at fixed distances r from its own, for every r that some
 *          device needs; of the first and the last of them only the part that is needed. Good if
 *          step is about L: borders of neighbors.
 *  far     the m-th block that a device needs comes directly from its owner. Good if step is at
 *          least L, or negative (reversals). But no two devices may need the same block in one
 *          permutation.
 *  whole   every device gathers everything.
 *
 * In all three, a device gets a buffer that starts at a known element, and cuts its window out of
 * it. Elements outside of the tensor are garbage, which the caller masks. Elements that the caller
 * does not need are not sent: the slice [0:1] of a split dimension is split, too, so that all
 * devices but the first have only padding, whatever the operand has there. */
#include "partition/local.h"

typedef enum halo_way { HALO_NEAR, HALO_FAR, HALO_WHOLE } halo_way;

typedef struct halo_plan {
	halo_way way;
	double cost;
	int64_t k, block;
	int64_t first, last; /* NEAR: the range of distances; FAR: 0 and the last block */
	int64_t trim_first;  /* NEAR: elements of the first block that are not needed */
	int64_t keep_last;   /* NEAR: elements of the last block that are needed */
} halo_plan;

static int64_t window_begin(const halo *h, int64_t i) { return i * h->step + h->start; }

/* The elements [*begin, *end) of the tensor that device i needs; false: none. If the window wraps,
 * they are counted on beyond the tensor's end. */
static bool needed_elements(const halo *h, int64_t i, int64_t *begin, int64_t *end)
{
	*begin = window_begin(h, i);
	*end = *begin + h->size;
	if (!h->wraps) {
		*begin = max_i64(*begin, h->low);
		*end = min_i64(*end, h->high ? h->high : h->global);
	}
	return *begin < *end;
}

/* The range of existing blocks that device i needs; false: none. */
static bool needed_blocks(const halo *h, const halo_plan *p, int64_t i, int64_t *from, int64_t *to)
{
	int64_t begin, end;
	if (!needed_elements(h, i, &begin, &end))
		return false;
	*from = begin / p->block;
	*to = (end - 1) / p->block;
	return true;
}

/* True if the block at distance r is the device's own. */
static bool is_own(const halo *h, const halo_plan *p, int64_t r)
{
	return h->wraps ? r % p->k == 0 : r == 0;
}

static void plan_near(const halo *h, halo_plan *p, double element, double step)
{
	int64_t from, to, begin, end, moved = 0, trim = p->block, keep = 0;
	int steps = 0;
	bool any = false;
	for (int64_t i = 0; i < p->k; i++) {
		if (!needed_blocks(h, p, i, &from, &to))
			continue;
		p->first = any ? min_i64(p->first, from - i) : from - i;
		p->last = any ? max_i64(p->last, to - i) : to - i;
		any = true;
	}
	for (int64_t i = 0; any && i < p->k; i++) {
		if (!needed_elements(h, i, &begin, &end))
			continue;
		trim = min_i64(trim, max_i64(begin - (i + p->first) * p->block, 0));
		keep = max_i64(keep, min_i64(end - (i + p->last) * p->block, p->block));
	}
	p->trim_first = any && p->first != 0 ? min_i64(trim, p->block - 1) : 0;
	p->keep_last = any && p->last != 0 ? max_i64(keep, 1) : p->block;
	if (p->first == p->last && p->trim_first >= p->keep_last)
		p->trim_first = 0;
	for (int64_t r = p->first; r <= p->last; r++) {
		if (is_own(h, p, r))
			continue;
		steps++;
		moved += (r == p->last ? p->keep_last : p->block) -
		         (r == p->first ? p->trim_first : 0);
	}
	p->cost = (double)moved * element + (double)steps * step;
}

/* Returns false if two devices need the same block in one permutation. */
static bool plan_far(const halo *h, halo_plan *p, double element, double step)
{
	int64_t before = 0;
	if (!p->block)
		return false;
	for (int64_t i = 0; i < p->k; i++) {
		int64_t base = floor_to(window_begin(h, i), p->block);
		int64_t end = floor_to(window_begin(h, i) + h->size - 1, p->block);
		p->last = max_i64(p->last, end - base);
		if (i && base == before)
			return false;
		before = base;
	}
	p->cost = (double)(p->last + 1) * ((double)p->block * element + step);
	return true;
}

static halo_plan plan_halo(const spreads *ls, const spread *as, double block_bytes, const halo *h)
{
	int64_t k = spread_shards(as, h->dim), block = spread_local_dim(as, h->dim, h->global);
	double element = block_bytes / (double)max_i64(block, 1);
	halo_plan near = {.way = HALO_NEAR, .k = k, .block = block}, far = near, whole = near;
	far.way = HALO_FAR;
	whole.way = HALO_WHOLE;
	whole.cost = (double)(k - 1) * (block_bytes + ls->step_bytes); /* in a ring */
	plan_near(h, &near, element, ls->step_bytes);
	if (h->wraps)
		return near; /* at most two steps, of a block together */
	halo_plan best = near.cost <= whole.cost ? near : whole;
	if (plan_far(h, &far, element, ls->step_bytes) && far.cost < best.cost)
		best = far;
	return best;
}

double halo_cost(const spreads *ls, const spread *as, double block_bytes, const halo *h)
{
	return plan_halo(ls, as, block_bytes, h).cost;
}

/* ---- emission ---------------------------------------------------------------------------- */

/* Device i, counted by coordinates along the digits of the dimension, receives the block of device
 * source[i] (-1: nothing). */
static value *receive_from(emitter *e, value *v, const spread *as, int dim, const int64_t *source)
{
	return emit_permute(e, v, device_pairs(e, as->order, as->dims[dim], source));
}

/* The part that is needed of the block at distance r. */
static value *near_block(emitter *e, value *v, const spread *as, const halo *h, const halo_plan *p,
                         int64_t r)
{
	int64_t from = r == p->first ? p->trim_first : 0,
		to = r == p->last ? p->keep_last : p->block;
	int64_t *source = NEW_N(e->mem, int64_t, p->k);
	v = build_slice(&e->b, v, h->dim, from, to, 1);
	if (is_own(h, p, r))
		return v;
	for (int64_t i = 0; i < p->k; i++) {
		bool exists = h->wraps || (i + r >= 0 && i + r < p->k);
		source[i] = exists ? (i + r) % p->k : -1;
	}
	return receive_from(e, v, as, h->dim, source);
}

static value *far_block(emitter *e, value *v, const spread *as, const halo *h, const halo_plan *p,
                        int64_t m)
{
	int64_t *source = NEW_N(e->mem, int64_t, p->k);
	for (int64_t i = 0; i < p->k; i++) {
		int64_t b = floor_to(window_begin(h, i), p->block) + m;
		source[i] = b >= 0 && b < p->k ? b : -1;
	}
	return receive_from(e, v, as, h->dim, source);
}

/* i * a + b for this device. */
static value *linear_in_device(emitter *e, const spread *as, int dim, int64_t a, int64_t b)
{
	if (a == 0)
		return emit_index(e, b);
	value *v = device_coordinate(e, as->order, as->dims[dim]);
	if (a != 1)
		v = build_binary(&e->b, OP_MULTIPLY, v, emit_index(e, a));
	return b ? build_binary(&e->b, OP_ADD, v, emit_index(e, b)) : v;
}

/* A buffer whose first element on device i is element i*step + first of the tensor. */
typedef struct halo_buffer {
	value *v;
	int64_t step, first;
} halo_buffer;

/* Cuts the window out of a buffer, which is padded if the window of some device sticks out. Devices
 * whose window has no element that is needed do not count: theirs is clamped. */
static value *cut_window(emitter *e, const spread *as, const halo *h, halo_buffer b,
                         const halo_plan *p)
{
	int64_t low = 0, high = 0, size = b.v->type->dims[h->dim], from, to;
	for (int64_t i = 0; i < p->k; i++) {
		if (h->step != b.step && !needed_blocks(h, p, i, &from, &to))
			continue;
		int64_t begin = window_begin(h, i) - (i * b.step + b.first);
		low = max_i64(low, -begin);
		high = max_i64(high, begin + h->size - size);
	}
	high = max_i64(high, h->size - size - low);
	value *v = b.v;
	if (low || high)
		v = build_pad(&e->b, v, h->dim, low, high, emit_any_scalar(e, v));
	if (h->step == b.step)
		return build_slice(&e->b, v, h->dim, h->start - b.first + low,
		                   h->start - b.first + low + h->size, 1);
	value *at = linear_in_device(e, as, h->dim, h->step - b.step, h->start - b.first + low);
	return emit_window(e, v, h->dim, at, h->size);
}

/* With HALO_FAR the buffer starts at the block that has the window's first element. */
static value *cut_far_window(emitter *e, const spread *as, const halo *h, value *v, int64_t block)
{
	int64_t least = min_i64(h->start, window_begin(h, spread_shards(as, h->dim) - 1));
	int64_t up = least < 0 ? ceil_div(-least, block) * block : 0;
	value *at = linear_in_device(e, as, h->dim, h->step, h->start + up);
	at = build_binary(&e->b, OP_REMAINDER, at, emit_index(e, block));
	int64_t more = block - 1 + h->size - v->type->dims[h->dim];
	if (more > 0)
		v = build_pad(&e->b, v, h->dim, 0, more, emit_any_scalar(e, v));
	return emit_window(e, v, h->dim, at, h->size);
}

value *emit_halo(emitter *e, value *v, const spread *as, const halo *h)
{
	double bytes = (double)max_i64(type_bytes(v->type), 0);
	halo_plan p = plan_halo(&e->sp, as, bytes, h);
	if (p.way == HALO_WHOLE) {
		if (p.k > 1)
			v = emit_gather(e, v, h->dim, as->order, as->dims[h->dim]);
		return cut_window(e, as, h, (halo_buffer){v, 0, 0}, &p);
	}
	int n = (int)(p.last - p.first + 1);
	value **parts = NEW_N(e->mem, value *, n);
	for (int i = 0; i < n; i++)
		parts[i] = p.way == HALO_NEAR ? near_block(e, v, as, h, &p, p.first + i)
		                              : far_block(e, v, as, h, &p, i);
	value *all = build_concatenate(&e->b, parts, n, h->dim);
	if (p.way == HALO_FAR)
		return cut_far_window(e, as, h, all, p.block);
	return cut_window(e, as, h, (halo_buffer){all, p.block, p.first * p.block + p.trim_first},
	                  &p);
}
