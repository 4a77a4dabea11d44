/* scan.c - running sums, products and maxima along a split dimension.
 *
 * JAX writes them as a reduce_window whose window is as large as the dimension; padding before it
 * (after it: from the end) lets the first window contain one element. Each device reduces its
 * block, all gather these totals, and the total of the blocks before a device's own becomes one
 * more element at the start of its block. So of L elements in a block one is sent. */
#include "partition/sketch.h"

/* The initial value is used as often as there is padding, so it must be neutral. */
static bool start_is_neutral(emitter *e, const op *o)
{
	monoid m = o->n_results == 1 ? monoid_of_op(op_body_kind(o, 0)) : MONOID_NONE;
	if (m == MONOID_NONE) /* reduced blocks by blocks anyhow (reduce.c) */
		return op_n_regions(o) == 1;
	value *start = operand(o, 1);
	while (value_def_of(start, OP_BROADCAST_IN_DIM)) /* of a scalar to a scalar */
		start = operand(value_def(start), 0);
	const attr *constant = fact_constant(e, start);
	return constant && monoid_identity_is(m, constant);
}

int scan_dim(emitter *e, const op *o, const window_split *w, int rank)
{
	int found = ABSENT;
	for (int d = 0; d < rank; d++) {
		int64_t n = operand(o, 0)->type->dims[d];
		if (w[d].point)
			continue;
		if (found != ABSENT || n < 2 || w[d].size != n || w[d].stride != 1 ||
		    w[d].dilation != 1 || w[d].base_dilation != 1 || w[d].low + w[d].high != n - 1 ||
		    (w[d].low && w[d].high))
			return ABSENT;
		found = d;
	}
	return found != ABSENT && start_is_neutral(e, o) ? found : ABSENT;
}

double scan_cost(const factoring *f, int d)
{
	const emitter *e = f->e;
	double bytes = 0;
	for (int i = 0; i < f->o->n_results; i++) {
		const spread *as = factoring_operand(f, i);
		const type *t = operand(f->o, i)->type;
		double total = (double)spread_local_bytes(as, t) /
		               (double)max_i64(spread_local_dim(as, d, t->dims[d]), 1);
		bytes += total * (double)(spread_shards(as, d) - 1) + e->sp.step_bytes;
	}
	return bytes;
}

/* Replaces the values in `v` by a reduce_window like the op along dimension d only, whose results
 * have `size` elements there. */
static void reduce_windows(factoring *f, value **v, int d, const window_split *w, int64_t size)
{
	emitter *e = f->e;
	int n = f->o->n_results, rank = v[0]->type->rank, n_window;
	const type **types = NEW_N(e->mem, const type *, n);
	for (int i = 0; i < n; i++)
		types[i] = type_resized(e->ctx, v[i]->type, d, size);
	op *o = emit_copy(e, f->o, v, types);
	const int64_t *before = op_ints(e->to, o, N_window_dimensions, &n_window);
	int64_t *window = COPY_N(e->mem, before, n_window), shape[2] = {rank, 2};
	int64_t *padding = NEW_N(e->mem, int64_t, 2 * rank);
	window[d] = w->size;
	padding[2 * d] = w->low;
	padding[2 * d + 1] = w->high;
	op_set_attr(e->to, o, N_window_dimensions, attr_i64_array(e->ctx, window, n_window));
	op_set_attr(e->to, o, N_padding,
	            attr_dense(e->ctx, type_tensor(e->ctx, DT_I64, shape, 2), padding,
	                       sizeof *padding * 2 * (size_t)rank, false));
	for (int i = 0; i < n; i++)
		v[i] = result(o, i);
}

static void reduce_all_of(factoring *f, value **v, int d)
{
	reduce_windows(f, v, d, &(window_split){.size = v[0]->type->dims[d]}, 1);
}

/* Replaces by `start` the totals of blocks that are not before this device's own (after it, if
 * `backwards`). */
static value *others_only(emitter *e, value *totals, const spread *as, int d, bool backwards,
                          value *start)
{
	value *own = device_coordinate(e, as->order, as->dims[d]);
	value *offset = build_unary(&e->b, OP_NEGATE, own);
	return backwards ? emit_mask(e, totals, d, offset, 1, INT64_MAX, start)
	                 : emit_mask(e, totals, d, offset, INT64_MIN, 0, start);
}

/* The total of the blocks before this device's own (after it, if `backwards`); `v` are operands and
 * initial values. */
static value **total_of_others(factoring *f, value *const *v, int d, bool backwards)
{
	emitter *e = f->e;
	int n = f->o->n_results;
	const spread *as = factoring_operand(f, 0);
	value **all = COPY_N(e->mem, v, 2 * n);
	reduce_all_of(f, all, d);
	for (int i = 0; i < n; i++) {
		all[i] = emit_gather(e, all[i], d, as->order, as->dims[d]);
		all[i] = others_only(e, all[i], as, d, backwards, v[n + i]);
	}
	reduce_all_of(f, all, d);
	return all;
}

void scan_emit(factoring *f, int d, bool backwards)
{
	emitter *e = f->e;
	int n = f->o->n_results;
	value **v = local_operands(f);
	const spread *as = factoring_operand(f, 0);
	int64_t size = operand(f->o, 0)->type->dims[d], block = v[0]->type->dims[d];
	for (int i = 0; i < n && backwards && spread_pads(as, d, size); i++)
		v[i] = emit_mask(e, v[i], d, device_offset(e, as, d, size), INT64_MIN, size,
		                 v[n + i]);
	value **other = total_of_others(f, v, d, backwards);
	for (int i = 0; i < n; i++) {
		value *both[] = {backwards ? v[i] : other[i], backwards ? other[i] : v[i]};
		v[i] = build_concatenate(&e->b, both, 2, d);
	}
	const window_split w = {.size = block + 1, .low = backwards ? 0 : block,
	                        .high = backwards ? block : 0};
	reduce_windows(f, v, d, &w, block + 1);
	for (int i = 0; i < n; i++)
		local_result(e, (op *)f->o, i, factoring_result(f, i),
		             build_slice(&e->b, v[i], d, !backwards, block + !backwards, 1));
}
