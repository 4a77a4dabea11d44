/* concatenate.c - concatenate, and slices that are only concatenated.
 *
 * Along a split dimension a block of the result is made of windows of the operands (halo.c), one
 * for each operand.
 *
 * jnp.roll is a concatenation of two slices of one value, and jnp.pad(mode="wrap") one of two slices
 * and the value. Blocks of a slice have other borders than those of the value, or are small (the
 * slice [0:8] has one element on each of 8 devices), so that computing the slices sends their
 * elements to devices that do not need them. Such slices are not computed: the concatenation cuts
 * its windows out of the value itself.
 *
 *     f32[32], split 4 times, rolled by 2:  concatenate x[30:32], x[0:30]
 *     by slices:  x[30] and x[31] go from device 3 to 0 and 1, then x[31] from 1 to 0, ...
 *     as a ring:  each device receives the last two of the one before it
 *
 * If the two ends of a value change places, and its blocks are full, the blocks form a ring, and
 * each device has one window in it. */
#include "partition/sketch.h"

/* With more operands, selecting among all windows costs more than gathering. */
enum { MAX_JOINED_WINDOWS = 8 };

/* Where operand i begins in the result. */
static int64_t operand_begin(const op *o, int dim, int i)
{
	int64_t begin = 0;
	for (int k = 0; k < i; k++)
		begin += operand(o, k)->type->dims[dim];
	return begin;
}

/* The window of operand i that overlaps with this device's block of the result. */
static halo joined_window(const op *o, int dim, int i, int64_t block)
{
	return (halo){.dim = dim, .global = operand(o, i)->type->dims[dim], .step = block,
	              .start = -operand_begin(o, dim, i), .size = block};
}

/* Each element of the block comes from the last operand that begins at or before it. `parts` are the
 * windows of the operands. */
static value *select_windows(emitter *e, const op *o, int dim, const spread *as, value **parts)
{
	value *out = parts[0];
	for (int i = 1; i < o->n_operands; i++) {
		value *at = emit_iota(e, out->type, dim);
		value *offset = device_offset(e, as, dim, result(o, 0)->type->dims[dim]);
		value *begin = build_binary(&e->b, OP_SUBTRACT,
		                            emit_index(e, operand_begin(o, dim, i)), offset);
		out = build_select(
			&e->b,
			build_compare(&e->b, COMPARE_GE, at, build_fill(&e->b, begin, at->type)),
			parts[i], out);
	}
	return out;
}

/* ---- slices that are only concatenated -------------------------------------------------------- */

/* An operand as elements [from, to) of a value. */
typedef struct joined_part {
	value *of;
	int64_t from, to;
} joined_part;

typedef struct direct_join {
	const op *o; /* the concatenation */
	int dim;
	const spread *as; /* of the result and of each part's value */
	int64_t block;    /* of the result */
	joined_part parts[MAX_JOINED_WINDOWS];
} direct_join;

/* True if the slice takes a range of one dimension and everything of the others. */
static bool is_range(emitter *e, const op *o, int dim, joined_part *p)
{
	const type *in = operand(o, 0)->type, *out = result(o, 0)->type;
	int n_starts, n_strides;
	const int64_t *starts = op_ints(e->from, o, N_start_indices, &n_starts);
	const int64_t *strides = op_ints(e->from, o, N_strides, &n_strides);
	for (int d = 0; d < in->rank; d++)
		if (d >= n_starts || d >= n_strides || strides[d] != 1 ||
		    (d != dim && in->dims[d] != out->dims[d]))
			return false;
	*p = (joined_part){operand(o, 0), starts[dim], starts[dim] + out->dims[dim]};
	return true;
}

/* Reads operand i. Returns false if its value is not available in the spread of the result. */
static bool read_joined_part(emitter *e, direct_join *j, int i)
{
	value *v = operand(j->o, i);
	joined_part *p = &j->parts[i];
	const op *o = value_def_of(v, OP_SLICE);
	const spread *wanted = fact_wanted(e, v);
	if (!o || !value_has_one_use(v) || o->parent != j->o->parent ||
	    (wanted && wanted->partial.n) || !is_range(e, o, j->dim, p))
		*p = (joined_part){v, 0, v->type->dims[j->dim]};
	return p->from < p->to && !e->facts[p->of->id].varies && fact_at_hand(e, p->of, j->as);
}

/* Reads a concatenation along a split dimension. Once this returns true, it does so for every slice
 * that is a part and for the concatenation, because values only become available in more spreads. */
static bool read_join(emitter *e, const op *o, direct_join *j)
{
	const type *out = result(o, 0)->type;
	*j = (direct_join){.o = o, .dim = (int)op_int(o, N_dimension, 0),
	                   .as = fact_wanted(e, result(o, 0))};
	if (!j->as || j->as->partial.n || !j->as->dims[j->dim].n || e->terms.of ||
	    o->n_operands > MAX_JOINED_WINDOWS || out->elem->kind == TY_QUANT)
		return false;
	j->block = spread_local_dim(j->as, j->dim, out->dims[j->dim]);
	for (int i = 0; i < o->n_operands; i++)
		if (!read_joined_part(e, j, i))
			return false;
	return true;
}

/* Reads the concatenation that is the only user of a slice. */
static bool read_join_of(emitter *e, const op *slice, direct_join *j)
{
	const value *v = result(slice, 0);
	return value_has_one_use(v) && v->uses->owner->kind == OP_CONCATENATE &&
	       read_join(e, v->uses->owner, j) && j->parts[use_index(v->uses)].of != v;
}

/* True if the two ends of a value change places, and its blocks are full. */
static bool is_turned(const direct_join *j)
{
	const joined_part *a = &j->parts[0], *b = &j->parts[1];
	int64_t size = a->of->type->dims[j->dim];
	return j->o->n_operands == 2 && a->of == b->of && a->to == size && b->from == 0 &&
	       a->from == b->to && !spread_pads(j->as, j->dim, size);
}

static halo part_window(const direct_join *j, int i)
{
	const joined_part *p = &j->parts[i];
	return (halo){.dim = j->dim, .global = p->of->type->dims[j->dim], .step = j->block,
	              .start = p->from - operand_begin(j->o, j->dim, i), .size = j->block,
	              .low = p->from, .high = p->to};
}

static double window_cost(emitter *e, const direct_join *j, const value *v, halo h)
{
	return halo_cost(&e->sp, j->as, (double)spread_local_bytes(j->as, v->type), &h);
}

/* The cost of the windows if operand i is computed first. */
static double cost_apart(emitter *e, const direct_join *j, int i)
{
	const joined_part *p = &j->parts[i];
	const value *v = operand(j->o, i);
	int64_t block = spread_local_dim(j->as, j->dim, p->to - p->from);
	const halo slice = {.dim = j->dim, .global = p->of->type->dims[j->dim], .step = block,
	                    .start = p->from, .size = block, .high = p->to};
	return window_cost(e, j, v, joined_window(j->o, j->dim, i, j->block)) +
	       (p->of == v ? 0 : window_cost(e, j, p->of, slice));
}

bool local_turns(emitter *e, const op *slice)
{
	direct_join j;
	return read_join_of(e, slice, &j) && is_turned(&j);
}

bool local_is_joined(emitter *e, const op *slice)
{
	direct_join j;
	double direct = 0, apart = 0;
	if (!read_join_of(e, slice, &j))
		return false;
	for (int i = 0; i < j.o->n_operands; i++) {
		direct += window_cost(e, &j, j.parts[i].of, part_window(&j, i));
		apart += cost_apart(e, &j, i);
	}
	return direct <= apart;
}

/* Emits a concatenation some of whose slices have not been computed; false: all have been. */
static bool join_directly(emitter *e, op *o)
{
	direct_join j;
	int left = 0;
	value *parts[MAX_JOINED_WINDOWS], *v;
	for (int i = 0; i < o->n_operands; i++)
		left += !e->facts[operand(o, i)->id].copies;
	if (!left)
		return false;
	bool good = read_join(e, o, &j);
	ASSERT(good);
	UNUSED(good);
	if (is_turned(&j)) {
		const halo ring = {.dim = j.dim, .global = j.parts[0].to, .step = j.block,
		                   .start = j.parts[0].from, .size = j.block, .wraps = true};
		v = emit_halo(e, fact_get(e, j.parts[0].of, j.as), j.as, &ring);
	} else {
		for (int i = 0; i < o->n_operands; i++) {
			const halo h = part_window(&j, i);
			parts[i] = emit_halo(e, fact_get(e, j.parts[i].of, j.as), j.as, &h);
		}
		v = select_windows(e, o, j.dim, j.as, parts);
	}
	local_result(e, o, 0, j.as, v);
	return true;
}

/* ---- operands that are computed --------------------------------------------------------------- */

static double joined_cost(const factoring *f, void *arg)
{
	int dim = *(int *)arg;
	double cost = 0;
	if (!factoring_result(f, 0)->dims[dim].n)
		return 0;
	for (int i = 0; i < f->o->n_operands; i++) {
		halo h = joined_window(f->o, dim, i, factoring_result_dim(f, dim));
		cost += operand_halo_cost(f, i, &h);
	}
	return cost;
}

static const sharding_rule *concatenate_rule(emitter *e, const op *o, int dim)
{
	rule_sketch s;
	const type *out = result(o, 0)->type;
	bool fixed = o->n_operands > MAX_JOINED_WINDOWS;
	sketch_init(&s, e, o);
	for (int i = 0; i < o->n_operands; i++)
		fixed |= operand(o, i)->type->dims[dim] == 0;
	for (int d = 0; d < out->rank; d++) {
		int f = d == dim && fixed ? sketch_fixed(&s, out->dims[d])
		                          : sketch_pass(&s, out->dims[d]);
		for (int i = 0; i < o->n_operands; i++)
			sketch_operand(&s, i, d, f);
		sketch_result(&s, 0, d, f);
	}
	return sketch_done(&s);
}

void local_concatenate(emitter *e, op *o)
{
	factoring f;
	int dim = (int)op_int(o, N_dimension, 0);
	if (join_directly(e, o) || local_join_pieces(e, o, dim))
		return;
	factoring_init(&f, e, o, concatenate_rule(e, o, dim), MONOID_NONE, 0);
	factoring_decide_with(&f, joined_cost, &dim);
	value **v = local_operands(&f);
	const spread *as = factoring_result(&f, 0);
	if (!as->dims[dim].n) {
		local_finish(&f, local_copy(&f, v));
		return;
	}
	for (int i = 0; i < o->n_operands; i++) {
		const halo h = joined_window(o, dim, i, factoring_result_dim(&f, dim));
		v[i] = emit_halo(e, v[i], factoring_operand(&f, i), &h);
	}
	local_result(e, o, 0, as, select_windows(e, o, dim, as, v));
}
