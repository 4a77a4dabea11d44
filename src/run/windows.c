/* windows.c - scatters with XLA's semantics.
 *
 * A window of updates may be partly out of bounds. The StableHLO specification skips the elements
 * that are outside; XLA skips the whole window, and JAX's modes "fill" and "drop" rely on that.
 * Here the start of such a window is moved so that all of it is outside, which has the same effect
 * under both:
 *
 *     start = select(0 <= start and start <= last, start, size of the dimension)
 *
 * A window with one element along each indexed dimension is either inside or outside, so most
 * scatters need no change. */
#include "run/session.h"

/* For each component of a start index: the last in-bounds value, and a value for which the window
 * is entirely outside. */
typedef struct window_bounds {
	int64_t *last, *outside;
	int n;
} window_bounds;

/* Returns the size of the window along dimension d. */
static int64_t update_window_size(const scatter_dims *s, const type *update, int64_t d)
{
	int k = 0;
	if (dim_listed(s->inserted, s->n_inserted, d) ||
	    dim_listed(s->input_batch, s->n_input_batch, d))
		return 1;
	for (int64_t i = 0; i < d; i++)
		k += !dim_listed(s->inserted, s->n_inserted, i) &&
		     !dim_listed(s->input_batch, s->n_input_batch, i);
	return k < s->n_window ? update->dims[s->window[k]] : 1;
}

/* Returns false if no window of the scatter can be partly outside, or sizes are unknown. */
static bool find_bounds(const module *m, const op *o, window_bounds *b)
{
	scatter_dims s;
	int n = o->n_results;
	if (o->n_operands != 2 * n + 1 || !op_scatter_dims(m, o, &s))
		return false;
	const type *input = operand(o, 0)->type, *update = operand(o, n + 1)->type;
	bool partly = false;
	if (!input->is_static || !update->is_static || !operand(o, n)->type->is_static)
		return false;
	*b = (window_bounds){NEW_N(&m->ctx->scratch, int64_t, s.n_map + 1),
	                     NEW_N(&m->ctx->scratch, int64_t, s.n_map + 1), s.n_map};
	for (int i = 0; i < s.n_map; i++) {
		int64_t window = update_window_size(&s, update, s.map[i]);
		b->outside[i] = input->dims[s.map[i]];
		b->last[i] = b->outside[i] - window;
		partly |= window > 1;
	}
	return partly;
}

/* Returns the dtype of the starts, or a wider one that can hold the bounds. */
static dtype comparable(dtype t, const window_bounds *b)
{
	bool fits = dtype_bits(t) >= 32;
	for (int i = 0; i < b->n; i++)
		fits &= dtype_bits(t) >= 64 || b->outside[i] <= INT32_MAX;
	return fits ? t : DT_I64;
}

/* Broadcasts one number for each component of a start index to the shape of all starts. */
static value *for_all_starts(const builder *b, const type *starts, int64_t entry, const int64_t *v,
                             int n)
{
	if (entry == starts->rank)
		return build_fill(b, build_int(b, starts->dtype, v[0]), starts);
	return build_broadcast(b, build_ints(b, starts->dtype, v, n), starts, &entry, 1);
}

static void move_windows(module *m, op *o, const window_bounds *bounds)
{
	scatter_dims s;
	op_scatter_dims(m, o, &s);
	builder b = builder_before(m, o);
	const sharding *as = operand(o, o->n_results)->sharding;
	value *starts = operand(o, o->n_results);
	starts = value_with_sharding(
		build_convert(&b, starts, comparable(starts->type->dtype, bounds)), as);
	const type *t = starts->type;
	int64_t *zeros = NEW_N(&m->ctx->scratch, int64_t, bounds->n + 1);
	value *zero = for_all_starts(&b, t, s.index_vector_dim, zeros, bounds->n);
	value *last = for_all_starts(&b, t, s.index_vector_dim, bounds->last, bounds->n);
	value *outside = for_all_starts(&b, t, s.index_vector_dim, bounds->outside, bounds->n);
	value *inside = build_binary(&b, OP_AND, build_compare(&b, COMPARE_GE, starts, zero),
	                             build_compare(&b, COMPARE_LE, starts, last));
	op_set_operand(o, o->n_results,
	               value_with_sharding(build_select(&b, inside, starts, outside), as));
}

void windows_stay_whole(module *m)
{
	window_bounds bounds;
	for (op *o = module_has(m, OP_SCATTER) ? m->top : NULL; o; o = op_next(o, m->top))
		if (o->kind == OP_SCATTER && find_bounds(m, o, &bounds))
			move_windows(m, o, &bounds);
}
