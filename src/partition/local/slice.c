/* slice.c - slice, pad, reverse.
 *
 * Along a split dimension a block of the result is a window of the operand, part of which is on
 * other devices (halo.c). A single element of a dimension, x[-1], is on one device: that device
 * gives it, the others give zeros, and the sum is the result. */
#include "partition/sketch.h"

/* Factor d is dimension d of the first operand and of the result. */
static const sharding_rule *dimwise_rule(emitter *e, const op *o, const bool *fixed)
{
	rule_sketch s;
	const type *in = operand(o, 0)->type, *out = result(o, 0)->type;
	sketch_init(&s, e, o);
	for (int d = 0; d < out->rank; d++) {
		int64_t size = max_i64(in->dims[d], out->dims[d]);
		bool whole = (fixed && fixed[d]) || in->dims[d] == 0 || out->dims[d] == 0;
		int f = whole ? sketch_fixed(&s, size) : sketch_pass(&s, size);
		sketch_operand(&s, 0, d, f);
		sketch_result(&s, 0, d, f);
	}
	return sketch_done(&s);
}

/* The window of the operand that a device needs for its block of the result, along split dimension
 * d. Returns false if the device's own block of the operand is what it needs. */
typedef bool window_fn(const factoring *f, int d, halo *h);

static double windows_cost(const factoring *f, void *arg)
{
	window_fn *window = *(window_fn **)arg;
	const spread *as = factoring_operand(f, 0);
	const type *t = operand(f->o, 0)->type;
	double cost = 0;
	halo h;
	for (int d = 0; d < as->rank; d++)
		if (as->dims[d].n && window(f, d, &h))
			cost += halo_cost(&f->e->sp, as, (double)spread_local_bytes(as, t), &h);
	return cost;
}

static void decide_windows(factoring *f, emitter *e, const op *o, const sharding_rule *rule,
                           window_fn **window)
{
	factoring_init(f, e, o, rule, MONOID_NONE, 0);
	factoring_decide_with(f, windows_cost, window);
}

/* The first element of this device's window. */
static value *window_offset(emitter *e, const spread *as, const halo *h)
{
	value *at = device_coordinate(e, as->order, as->dims[h->dim]);
	at = build_binary(&e->b, OP_MULTIPLY, at, emit_index(e, h->step));
	return build_binary(&e->b, OP_ADD, at, emit_index(e, h->start));
}

static int64_t *copy_ints(emitter *e, const op *o, int known, int rank)
{
	int n;
	const int64_t *v = op_ints(e->from, o, known, &n);
	int64_t *copy = NEW_N(e->mem, int64_t, rank);
	for (int i = 0; i < rank && i < n; i++)
		copy[i] = v[i];
	return copy;
}

static void set_ints(emitter *e, op *o, int known, const int64_t *v, int n)
{
	op_set_attr(e->to, o, known, attr_i64_array(e->ctx, v, n));
}

static int64_t int_at(const factoring *f, int known, int d)
{
	int n;
	const int64_t *v = op_ints(f->e->from, f->o, known, &n);
	return d < n ? v[d] : 0;
}

/* ---- slice ------------------------------------------------------------------------- */

/* True if dimension d is not one of the result: the result is a sum over the devices along it. */
static bool sums_dim(const factoring *f, int d) { return !rule_result(f->rule, 0)->dims[d].n; }

static bool slice_window(const factoring *f, int d, halo *h)
{
	int64_t stride = int_at(f, N_strides, d), block = factoring_result_dim(f, d);
	*h = (halo){.dim = d, .global = operand(f->o, 0)->type->dims[d], .step = block * stride,
	            .start = int_at(f, N_start_indices, d), .size = (block - 1) * stride + 1,
	            .high = int_at(f, N_limit_indices, d)};
	return !sums_dim(f, d) && (h->start || h->global != result(f->o, 0)->type->dims[d]);
}

/* Splitting a dimension of one element is useless if a reshape drops it, which needs it whole. */
static bool becomes_whole(emitter *e, const op *o)
{
	const value *v = result(o, 0);
	return value_has_one_use(v) && v->uses->owner->kind == OP_RESHAPE &&
	       v->uses->owner->parent == value_block(v) &&
	       monoid_identity(e->ctx, MONOID_SUM, type_elem_tensor(e->ctx, v->type)) != NULL;
}

static const sharding_rule *slice_rule(emitter *e, const op *o, bool whole)
{
	rule_sketch s;
	const type *in = operand(o, 0)->type, *out = result(o, 0)->type;
	sketch_init(&s, e, o);
	for (int d = 0; d < out->rank; d++) {
		bool one = whole && out->dims[d] == 1 && in->dims[d] > 1;
		bool none = !in->dims[d] || !out->dims[d];
		int f = one    ? sketch_reduce(&s, in->dims[d])
		        : none ? sketch_fixed(&s, in->dims[d])
		               : sketch_pass(&s, in->dims[d]);
		sketch_operand(&s, 0, d, f);
		sketch_result(&s, 0, one ? ABSENT : d, f);
	}
	return sketch_done(&s);
}

/* True on the device that has index `at` of dimension d; its index in that device's block is
 * *inside. Combined with `also`, if that is not NULL. */
static value *has_index(factoring *f, int d, int64_t at, int64_t *inside, value *also)
{
	emitter *e = f->e;
	const spread *as = factoring_operand(f, 0);
	int64_t block = spread_local_dim(as, d, operand(f->o, 0)->type->dims[d]);
	value *here = build_compare(&e->b, COMPARE_EQ, device_coordinate(e, as->order, as->dims[d]),
	                            emit_index(e, at / block));
	*inside = at % block;
	return also ? build_binary(&e->b, OP_AND, also, here) : here;
}

void local_slice(emitter *e, op *o)
{
	factoring f;
	halo h;
	value *here = NULL;
	window_fn *window = slice_window;
	if (e->facts[result(o, 0)->id].copies || local_turns(e, o) || local_cut_pieces(e, o) ||
	    local_is_joined(e, o))
		return;
	bool whole = becomes_whole(e, o);
	factoring_init(&f, e, o, slice_rule(e, o, whole), whole ? MONOID_SUM : MONOID_NONE, 0);
	factoring_decide_with(&f, windows_cost, &window);
	const spread *as = factoring_operand(&f, 0);
	value **v = local_operands(&f);
	int64_t *starts = copy_ints(e, o, N_start_indices, as->rank);
	int64_t *limits = copy_ints(e, o, N_limit_indices, as->rank);
	for (int d = 0; d < as->rank; d++) {
		if (!as->dims[d].n)
			continue;
		if (sums_dim(&f, d)) {
			here = has_index(&f, d, starts[d], &starts[d], here);
			limits[d] = starts[d] + 1;
			continue;
		}
		if (slice_window(&f, d, &h))
			v[0] = emit_halo(e, v[0], as, &h);
		starts[d] = 0;
		limits[d] = v[0]->type->dims[d];
	}
	op *local = local_copy(&f, v);
	set_ints(e, local, N_start_indices, starts, as->rank);
	set_ints(e, local, N_limit_indices, limits, as->rank);
	value *out = result(local, 0);
	if (here)
		out = build_select(&e->b, here, out, emit_identity(e, MONOID_SUM, out->type));
	local_result(e, o, 0, factoring_result(&f, 0), out);
}

/* ---- pad ------------------------------------------------------------------------------ */

/* With interior padding, elements are `apart` positions apart. If that divides the block, each
 * block has the same number of elements at the same places. */
static bool pad_window(const factoring *f, int d, halo *h)
{
	int64_t block = factoring_result_dim(f, d), low = int_at(f, N_edge_padding_low, d);
	int64_t apart = int_at(f, N_interior_padding, d) + 1;
	int64_t high = result(f->o, 0)->type->dims[d] - low;
	*h = (halo){.dim = d, .global = operand(f->o, 0)->type->dims[d], .step = block / apart,
	            .start = -floor_to(low, apart), .size = block / apart};
	h->high = min_i64(h->global, ceil_div(max_i64(high, 0), apart));
	return low || int_at(f, N_edge_padding_high, d) || apart > 1;
}

static bool pads_evenly(const factoring *f)
{
	const spread *as = factoring_operand(f, 0);
	for (int d = 0; d < as->rank; d++)
		if (as->dims[d].n &&
		    factoring_result_dim(f, d) % (int_at(f, N_interior_padding, d) + 1) != 0)
			return false;
	return true;
}

/* Dimensions with interior padding are split only if the blocks allow it. */
static void decide_pad(factoring *f, emitter *e, op *o, window_fn **window)
{
	int rank = result(o, 0)->type->rank;
	decide_windows(f, e, o, dimwise_rule(e, o, NULL), window);
	if (pads_evenly(f))
		return;
	bool *fixed = NEW_N(e->mem, bool, rank);
	for (int d = 0; d < rank; d++)
		fixed[d] = int_at(f, N_interior_padding, d) != 0;
	decide_windows(f, e, o, dimwise_rule(e, o, fixed), window);
}

static bool windows_stay_inside(const spread *as, const halo *h)
{
	return h->start >= 0 && (spread_shards(as, h->dim) - 1) * h->step + h->start + h->size <= h->global;
}

void local_pad(emitter *e, op *o)
{
	factoring f;
	halo h;
	window_fn *window = pad_window;
	int rank = result(o, 0)->type->rank;
	decide_pad(&f, e, o, &window);
	const spread *as = factoring_operand(&f, 0);
	value **v = local_operands(&f);
	int64_t *low = copy_ints(e, o, N_edge_padding_low, rank);
	int64_t *high = copy_ints(e, o, N_edge_padding_high, rank);
	for (int d = 0; d < rank; d++) {
		if (!as->dims[d].n || !pad_window(&f, d, &h))
			continue;
		int64_t apart = int_at(&f, N_interior_padding, d) + 1;
		v[0] = emit_halo(e, v[0], as, &h);
		if (!windows_stay_inside(as, &h))
			v[0] = emit_mask(e, v[0], d, window_offset(e, as, &h), 0, h.global, v[1]);
		low[d] += h.start * apart;
		high[d] = apart - 1 - low[d];
	}
	op *local = local_copy(&f, v);
	set_ints(e, local, N_edge_padding_low, low, rank);
	set_ints(e, local, N_edge_padding_high, high, rank);
	local_finish(&f, local);
}

/* ---- reverse ------------------------------------------------------------------------------ */

static bool reverse_window(const factoring *f, int d, halo *h)
{
	int n, i = 0;
	const int64_t *dims = op_ints(f->e->from, f->o, N_dimensions, &n);
	int64_t block = factoring_result_dim(f, d), size = operand(f->o, 0)->type->dims[d];
	while (i < n && dims[i] != d)
		i++;
	*h = (halo){.dim = d, .global = size, .step = -block, .start = size - block, .size = block};
	return i < n;
}

void local_reverse(emitter *e, op *o)
{
	factoring f;
	halo h;
	window_fn *window = reverse_window;
	decide_windows(&f, e, o, dimwise_rule(e, o, NULL), &window);
	const spread *as = factoring_operand(&f, 0);
	value **v = local_operands(&f);
	for (int d = 0; d < as->rank; d++)
		if (as->dims[d].n && reverse_window(&f, d, &h))
			v[0] = emit_halo(e, v[0], as, &h);
	local_finish(&f, local_copy(&f, v));
}
