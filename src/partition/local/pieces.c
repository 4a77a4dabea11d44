/* pieces.c - slices that cut a dimension into pieces of one size, and the concatenation of such
 * pieces.
 *
 * The gates of an LSTM, or queries, keys and values, are computed by one product and then cut
 * apart. If that dimension is split, and each piece shall be split in the same way, each slice on
 * its own fetches its blocks from other devices. All of them together are one exchange: the
 * dimension, seen as [n, width], is split along n and shall be split along width.
 *
 *     f32[4,64], split 4 times, cut into 4 x f32[4,16]:
 *     reshape to [4, 4, 16] split along n -> all_to_all -> split along width -> a slice of n each
 *
 * A concatenation of such pieces is the same in reverse. */
#include "partition/local.h"

/* A dimension as n pieces of one width. */
typedef struct pieces {
	int dim;
	int64_t n, width;
	const spread *as;               /* of the dimension that is cut, and of each piece */
	const type *view;               /* [.., n, width, ..] */
	const spread *whole, *of_each;  /* spreads of the view: of the whole, and of the pieces */
} pieces;

/* Splits a list of digits into its first part, of size `n`, and the rest; false: impossible. */
static bool digits_part(arena *mem, digits l, int64_t n, digits *major, digits *minor)
{
	digit_vec first = {0}, rest = {0};
	for (int i = 0; i < l.n; i++) {
		digit x = l.at[i];
		if (n == 1) {
			vec_push(mem, &rest, x);
		} else if (n % x.size == 0) {
			vec_push(mem, &first, x);
			n /= x.size;
		} else if (x.size % n == 0) {
			vec_push(mem, &first, ((digit){x.stride * (x.size / n), n}));
			vec_push(mem, &rest, ((digit){x.stride, x.size / n}));
			n = 1;
		} else {
			return false;
		}
	}
	*major = digits_of(&first);
	*minor = digits_of(&rest);
	return true;
}

/* The spread of the view, with these digits for n and width. */
static const spread *view_spread(emitter *e, const pieces *p, digits n, digits width)
{
	digits *dims = NEW_N(e->mem, digits, p->as->rank + 1);
	for (int d = 0; d < p->as->rank; d++)
		dims[d + (d > p->dim)] = p->as->dims[d];
	dims[p->dim] = n;
	dims[p->dim + 1] = width;
	return spread_of(&e->sp, &(spread){.order = p->as->order, .rank = p->as->rank + 1, .dims = dims,
	                                   .combine = MONOID_SUM});
}

/* The type of a block of the view, or of the view itself if `as` is NULL. */
static const type *view_type(emitter *e, const pieces *p, const type *t, const spread *as)
{
	int64_t *dims = NEW_N(e->mem, int64_t, t->rank + 1);
	for (int d = 0; d < t->rank; d++)
		dims[d + (d > p->dim)] = t->dims[d];
	dims[p->dim] = p->n;
	dims[p->dim + 1] = p->width;
	const type *view = type_with_dims(e->ctx, t, dims, t->rank + 1);
	return as ? spread_local_type(&e->sp, as, view) : view;
}

/* Fills in p's spreads; false: the shards of the dimension and its pieces do not fit. */
static bool pieces_fit(emitter *e, pieces *p, const type *whole)
{
	digits along = p->as->dims[p->dim], major, minor;
	int64_t shards = digits_size(along);
	if (shards == 1 || p->n < 2 || p->width % shards || p->as->partial.n ||
	    !digits_part(e->mem, along, p->n, &major, &minor))
		return false;
	p->view = view_type(e, p, whole, NULL);
	p->whole = view_spread(e, p, major, minor);
	p->of_each = view_spread(e, p, (digits){0, NULL}, along);
	return true;
}

static value *view_moved(emitter *e, const pieces *p, value *v, const spread *from,
                         const spread *to)
{
	const reshard_plan *plan = reshard_plan_for(&e->plans, from, to, p->view);
	for (int i = 0; i < plan->n; i++)
		v = emit_move(e, &plan->moves[i], v, p->view);
	return v;
}

static double moved_cost(emitter *e, const pieces *p, const spread *from, const spread *to)
{
	return reshard_plan_for(&e->plans, from, to, p->view)->cost;
}

/* ---- slices ------------------------------------------------------------------------------ */

/* True if the slice takes a piece of one dimension and everything of the others. */
static bool is_piece(emitter *e, const op *o, int *dim, int64_t *width, int64_t *index)
{
	const type *in = operand(o, 0)->type, *out = result(o, 0)->type;
	int n_starts, n_strides;
	const int64_t *starts = op_ints(e->from, o, N_start_indices, &n_starts);
	const int64_t *strides = op_ints(e->from, o, N_strides, &n_strides);
	*dim = -1;
	for (int d = 0; d < in->rank; d++) {
		if (d >= n_starts || d >= n_strides || strides[d] != 1)
			return false;
		if (in->dims[d] == out->dims[d])
			continue;
		*width = out->dims[d];
		if (*dim >= 0 || !*width || in->dims[d] % *width || starts[d] % *width)
			return false;
		*dim = d;
		*index = starts[d] / *width;
	}
	return *dim >= 0;
}

/* True if `o` cuts the value into pieces of the same size, and no other spread of it is wanted. */
static bool is_sibling(emitter *e, const pieces *p, const op *o, const op *of, int64_t *index)
{
	int dim;
	int64_t width;
	if (o->kind != OP_SLICE || o->parent != of->parent || !is_piece(e, o, &dim, &width, index))
		return false;
	const spread *wanted = fact_wanted(e, result(o, 0));
	return dim == p->dim && width == p->width && (!wanted || wanted == p->as) &&
	       !e->facts[result(o, 0)->id].copies;
}

/* The cost of fetching each slice for itself. */
static double windows_of_slices(emitter *e, const pieces *p, const op *of, int *count)
{
	int64_t index, block = p->width / spread_shards(p->as, p->dim);
	const value *v = operand(of, 0);
	double cost = 0, bytes = (double)spread_local_bytes(p->as, v->type);
	*count = 0;
	for (const use *u = v->uses; u; u = u->next) {
		if (!is_sibling(e, p, u->owner, of, &index))
			continue;
		const halo h = {.dim = p->dim, .global = v->type->dims[p->dim], .step = block,
		                .start = index * p->width, .size = block};
		cost += halo_cost(&e->sp, p->as, bytes, &h);
		++*count;
	}
	return cost;
}

static void cut(emitter *e, const pieces *p, op *o, value *moved, int64_t index)
{
	const type *t = spread_local_type(&e->sp, p->as, result(o, 0)->type);
	value *one = build_slice(&e->b, moved, p->dim, index, index + 1, 1);
	local_result(e, o, 0, p->as, build_reshape(&e->b, one, t->dims, t->rank));
}

bool local_cut_pieces(emitter *e, op *o)
{
	value *v = operand(o, 0);
	pieces p = {.as = fact_home(e, v)};
	int64_t index;
	int count;
	if (e->terms.of || !is_piece(e, o, &p.dim, &p.width, &index))
		return false;
	p.n = v->type->dims[p.dim] / p.width;
	if (!pieces_fit(e, &p, v->type) || !is_sibling(e, &p, o, o, &index))
		return false;
	double apart = windows_of_slices(e, &p, o, &count);
	if (count < 2 || moved_cost(e, &p, p.whole, p.of_each) >= apart)
		return false;
	const type *block = view_type(e, &p, v->type, p.whole);
	value *moved = build_reshape(&e->b, fact_get_home(e, v), block->dims, block->rank);
	moved = view_moved(e, &p, moved, p.whole, p.of_each);
	for (use *u = v->uses; u; u = u->next)
		if (is_sibling(e, &p, u->owner, o, &index))
			cut(e, &p, u->owner, moved, index);
	return true;
}

/* ---- concatenations --------------------------------------------------------------------------- */

/* The cost of fetching each operand's windows for itself. */
static double windows_of_operands(const emitter *e, const pieces *p, const op *o)
{
	int64_t block = p->n * p->width / spread_shards(p->as, p->dim);
	double cost = 0;
	for (int i = 0; i < o->n_operands; i++) {
		const type *t = operand(o, i)->type;
		const halo h = {.dim = p->dim, .global = p->width, .step = block,
		                .start = -i * p->width, .size = block};
		cost += halo_cost(&e->sp, p->as, (double)spread_local_bytes(p->as, t), &h);
	}
	return cost;
}

bool local_join_pieces(emitter *e, op *o, int dim)
{
	const type *piece = operand(o, 0)->type, *whole = result(o, 0)->type;
	const spread *wanted = fact_wanted(e, result(o, 0));
	pieces p = {.dim = dim, .n = o->n_operands, .width = piece->dims[dim],
	            .as = wanted ? wanted : fact_home(e, operand(o, 0))};
	for (int i = 0; i < o->n_operands; i++)
		if (operand(o, i)->type != piece || fact_home(e, operand(o, i)) != p.as)
			return false;
	if (!pieces_fit(e, &p, whole) ||
	    moved_cost(e, &p, p.of_each, p.whole) >= windows_of_operands(e, &p, o))
		return false;
	const type *local = spread_local_type(&e->sp, p.as, piece);
	int64_t *dims = NEW_N(e->mem, int64_t, local->rank + 1);
	for (int d = 0; d < local->rank; d++)
		dims[d + (d >= dim)] = local->dims[d];
	dims[dim] = 1;
	value **v = NEW_N(e->mem, value *, o->n_operands);
	for (int i = 0; i < o->n_operands; i++)
		v[i] = build_reshape(&e->b, fact_get_home(e, operand(o, i)), dims, local->rank + 1);
	value *joined = build_concatenate(&e->b, v, o->n_operands, dim);
	joined = view_moved(e, &p, joined, p.of_each, p.whole);
	const type *t = spread_local_type(&e->sp, p.as, whole);
	local_result(e, o, 0, p.as, build_reshape(&e->b, joined, t->dims, t->rank));
	return true;
}
