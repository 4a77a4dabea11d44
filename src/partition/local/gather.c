/* gather.c - gather and scatter, in all the ways in which they can be split.
 *
 * - Batch dimensions, and dimensions that slices take whole, are split like those of any other op.
 * - A dimension of the operand in which slices are one element wide may be split. In a gather, each
 *   device looks up what it has and takes zeros for the rest, and the result is the sum over the
 *   devices. In a scatter, each device applies the updates that fall into its block; others are out
 *   of bounds there.
 * - The updates of a scatter that combines (adds, …) may be split without regard to where they go.
 *   Each device applies its own updates to the identity, the first device to the operand, and the
 *   result is the combination over the devices. */
#include "partition/sketch.h"

/* The component of the index vectors that indexes operand dimension d; -1: none, the index is 0. */
static int index_component(const int64_t *map, int n, int64_t d)
{
	for (int i = 0; i < n; i++)
		if (map[i] == d)
			return i;
	return -1;
}

/* Component c of the index vectors; the vector dimension remains, with size 1. */
static value *component(emitter *e, value *indices, int64_t vector_dim, int c)
{
	if (vector_dim == indices->type->rank)
		return indices;
	return build_slice(&e->b, indices, (int)vector_dim, c, c + 1, 1);
}

static value *with_component(emitter *e, value *indices, int64_t vector_dim, int c, value *part)
{
	int64_t n = vector_dim == indices->type->rank ? 1 : indices->type->dims[vector_dim];
	value *parts[3];
	int k = 0;
	if (n == 1)
		return part;
	if (c > 0)
		parts[k++] = build_slice(&e->b, indices, (int)vector_dim, 0, c, 1);
	parts[k++] = part;
	if (c + 1 < n)
		parts[k++] = build_slice(&e->b, indices, (int)vector_dim, c + 1, n, 1);
	return build_concatenate(&e->b, parts, k, (int)vector_dim);
}

/* ---- gather ---------------------------------------------------------------------------- */

typedef struct gather_plan {
	gather_dims d;
	const type *in, *out;
	int *factor; /* of each operand dimension */
} gather_plan;

/* The first operand dimension from `from` on that slices keep: the next offset dimension. */
static int64_t next_offset_source(const gather_dims *d, int64_t from)
{
	while (dim_listed(d->collapsed, d->n_collapsed, from) ||
	       dim_listed(d->operand_batch, d->n_operand_batch, from))
		from++;
	return from;
}

static int gather_factor(rule_sketch *s, const gather_plan *p, int dim)
{
	const gather_dims *d = &p->d;
	int64_t size = p->in->dims[dim];
	if (d->slice_sizes[dim] == size || dim_listed(d->operand_batch, d->n_operand_batch, dim))
		return sketch_pass(s, size);
	if (d->slice_sizes[dim] == 1 && dim_listed(d->map, d->n_map, dim))
		return sketch_reduce(s, size);
	return sketch_fixed(s, size);
}

static const sharding_rule *gather_rule(emitter *e, const op *o, gather_plan *p)
{
	rule_sketch s;
	const gather_dims *d = &p->d;
	const type *indices = operand(o, 1)->type;
	int64_t source = 0, batch = 0;
	sketch_init(&s, e, o);
	p->factor = NEW_N(e->mem, int, p->in->rank);
	for (int i = 0; i < p->in->rank; i++)
		sketch_operand(&s, 0, i, p->factor[i] = gather_factor(&s, p, i));
	for (int i = 0; i < p->out->rank; i++) {
		if (dim_listed(d->offset, d->n_offset, i)) {
			source = next_offset_source(d, source);
			if (d->slice_sizes[source] == p->in->dims[source])
				sketch_result(&s, 0, i, p->factor[source]);
			source++;
			continue;
		}
		int64_t dim = batch < d->index_vector_dim ? batch : batch + 1;
		int k = index_component(d->indices_batch, d->n_operand_batch, dim);
		int f = k >= 0 ? p->factor[d->operand_batch[k]]
		               : sketch_pass(&s, indices->dims[dim]);
		sketch_operand(&s, 1, dim, f);
		sketch_result(&s, 0, i, f);
		batch++;
	}
	return sketch_done(&s);
}

/* Broadcasts a mask over the index vectors to the result. */
static value *mask_over_result(emitter *e, value *mask, const gather_dims *d, const type *local)
{
	int rank = local->rank, n = 0;
	int64_t *dims = NEW_N(e->mem, int64_t, mask->type->rank), *kept;
	kept = NEW_N(e->mem, int64_t, mask->type->rank);
	for (int i = 0; i < mask->type->rank; i++)
		if (i != d->index_vector_dim)
			kept[n++] = mask->type->dims[i];
	mask = build_reshape(&e->b, mask, kept, n);
	n = 0;
	for (int i = 0; i < rank; i++)
		if (!dim_listed(d->offset, d->n_offset, i))
			dims[n++] = i;
	const type *t = type_tensor(e->ctx, DT_I1, local->dims, rank);
	return build_broadcast(&e->b, mask, t, dims, n);
}

/* The indices relative to this device's block, clamped to it. *inside: if they are in it. */
static value *localize_indices(factoring *f, const gather_plan *p, value *indices, value **inside)
{
	emitter *e = f->e;
	const spread *as = factoring_operand(f, 0);
	const gather_dims *d = &p->d;
	for (int i = 0; i < p->in->rank; i++) {
		if (!factor_in_set(&f->rule->reduction, p->factor[i]) || !as->dims[i].n)
			continue;
		int c = index_component(d->map, d->n_map, i);
		value *offset = device_offset(e, as, i, p->in->dims[i]);
		value *at = component(e, indices, d->index_vector_dim, c);
		at = emit_clamped_index(e, at, p->in->dims[i] - 1);
		at = build_binary(&e->b, OP_SUBTRACT, at, build_fill(&e->b, offset, at->type));
		int64_t block = spread_local_dim(as, i, p->in->dims[i]);
		value *zero = build_fill(&e->b, emit_index(e, 0), at->type);
		value *end = build_fill(&e->b, emit_index(e, block), at->type);
		value *in = build_binary(&e->b, OP_AND, build_compare(&e->b, COMPARE_GE, at, zero),
		                         build_compare(&e->b, COMPARE_LT, at, end));
		*inside = *inside ? build_binary(&e->b, OP_AND, *inside, in) : in;
		at = build_convert(&e->b, emit_clamped_index(e, at, block - 1),
		                   indices->type->dtype);
		indices = with_component(e, indices, d->index_vector_dim, c, at);
	}
	return indices;
}

/* The sizes of slices in a device's block. */
static int64_t *local_slice_sizes(factoring *f, const gather_plan *p)
{
	int64_t *sizes = COPY_N(f->e->mem, p->d.slice_sizes, p->in->rank);
	const spread *as = factoring_operand(f, 0);
	for (int i = 0; i < p->in->rank; i++)
		if (sizes[i] == p->in->dims[i])
			sizes[i] = spread_local_dim(as, i, p->in->dims[i]);
	return sizes;
}

/* A small index type may not hold every index of the operand, or a difference of two. So indices
 * are clamped in e->index first. */
void local_gather(emitter *e, op *o)
{
	factoring f;
	gather_plan p = {.in = operand(o, 0)->type, .out = result(o, 0)->type};
	if (!op_gather_dims(e->from, o, &p.d) || p.in->n_elems == 0) {
		local_replicated(e, o);
		return;
	}
	const type *elem = type_elem_tensor(e->ctx, p.out);
	bool sums = monoid_identity(e->ctx, MONOID_SUM, elem) != NULL;
	factoring_init(&f, e, o, gather_rule(e, o, &p), sums ? MONOID_SUM : MONOID_NONE, 0);
	factoring_decide(&f);
	value **v = local_operands(&f), *inside = NULL;
	v[1] = localize_indices(&f, &p, v[1], &inside);
	op *local = local_copy(&f, v);
	op_set_attr(e->to, local, N_slice_sizes,
	            attr_i64_array(e->ctx, local_slice_sizes(&f, &p), p.in->rank));
	value *out = result(local, 0);
	if (inside)
		out = build_select(&e->b, mask_over_result(e, inside, &p.d, out->type), out,
		                   emit_identity(e, MONOID_SUM, out->type));
	local_result(e, o, 0, factoring_result(&f, 0), out);
}

/* ---- scatter ---------------------------------------------------------------------------- */

typedef struct scatter_plan {
	scatter_dims d;
	int n; /* inputs */
	const type *in, *updates;
	int *factor; /* of each input dimension */
} scatter_plan;

static int64_t next_window_target(const scatter_dims *d, int64_t from)
{
	while (dim_listed(d->inserted, d->n_inserted, from) ||
	       dim_listed(d->input_batch, d->n_input_batch, from))
		from++;
	return from;
}

static void tie_inputs(rule_sketch *s, const scatter_plan *p, int64_t dim, int f)
{
	for (int i = 0; i < p->n; i++) {
		sketch_operand(s, i, dim, f);
		sketch_result(s, i, dim, f);
	}
}

static void tie_updates(rule_sketch *s, const scatter_plan *p, int64_t dim, int f)
{
	for (int i = 0; i < p->n; i++)
		sketch_operand(s, p->n + 1 + i, dim, f);
}

/* An input dimension that no window covers may be split if the index vectors index it: a device
 * skips updates whose index is out of bounds in its block. */
static int input_factor(rule_sketch *s, const scatter_plan *p, int dim)
{
	const scatter_dims *d = &p->d;
	int64_t size = p->in->dims[dim];
	if (dim_listed(d->inserted, d->n_inserted, dim) && !dim_listed(d->map, d->n_map, dim))
		return sketch_fixed(s, size);
	return sketch_pass(s, size);
}

static const sharding_rule *scatter_rule(emitter *e, const op *o, scatter_plan *p, bool combines)
{
	rule_sketch s;
	const scatter_dims *d = &p->d;
	int64_t target = 0, batch = 0;
	sketch_init(&s, e, o);
	p->factor = NEW_N(e->mem, int, p->in->rank);
	for (int i = 0; i < p->updates->rank; i++) {
		int64_t size = p->updates->dims[i];
		if (dim_listed(d->window, d->n_window, i)) {
			target = next_window_target(d, target);
			/* An index could move the window: the part inside of the input is
			 * written. */
			bool whole = size == p->in->dims[target] &&
			             !dim_listed(d->map, d->n_map, target);
			int f = whole ? sketch_pass(&s, size)
			              : sketch_fixed(&s, p->in->dims[target]);
			tie_inputs(&s, p, target, p->factor[target] = f);
			if (whole)
				tie_updates(&s, p, i, f);
			target++;
			continue;
		}
		int64_t dim = batch < d->index_vector_dim ? batch : batch + 1;
		int k = index_component(d->indices_batch, d->n_input_batch, dim);
		int f = k >= 0 ? sketch_pass(&s, size)
		        : combines ? sketch_reduce(&s, size)
		                   : sketch_fixed(&s, size);
		if (k >= 0)
			tie_inputs(&s, p, d->input_batch[k], p->factor[d->input_batch[k]] = f);
		sketch_operand(&s, p->n, dim, f);
		tie_updates(&s, p, i, f);
		batch++;
	}
	for (int i = 0; i < d->n_inserted; i++)
		tie_inputs(&s, p, d->inserted[i],
		           p->factor[d->inserted[i]] = input_factor(&s, p, (int)d->inserted[i]));
	return sketch_done(&s);
}

/* Subtracts this device's offset from the indices of split dimensions. In a type that cannot hold
 * every index the difference could wrap around into the block, so such a type is widened. */
static value *shift_indices(factoring *f, const scatter_plan *p, value *indices)
{
	emitter *e = f->e;
	const spread *as = factoring_operand(f, 0);
	const scatter_dims *d = &p->d;
	for (int i = 0; i < d->n_inserted; i++) {
		int dim = (int)d->inserted[i];
		int c = index_component(d->map, d->n_map, dim);
		if (!as->dims[dim].n || c < 0)
			continue;
		if (dtype_bits(indices->type->dtype) < dtype_bits(e->index))
			indices = build_convert(&e->b, indices, e->index);
		value *offset = device_offset(e, as, dim, p->in->dims[dim]);
		value *at = component(e, indices, d->index_vector_dim, c);
		offset = build_convert(&e->b, offset, indices->type->dtype);
		at = build_binary(&e->b, OP_SUBTRACT, at, build_fill(&e->b, offset, at->type));
		indices = with_component(e, indices, d->index_vector_dim, c, at);
	}
	return indices;
}

/* Along partial digits the operand must count once; padding of updates must change nothing. */
static void make_partial(factoring *f, const scatter_plan *p, value **v)
{
	emitter *e = f->e;
	for (int i = 0; i < p->n; i++) {
		const spread *s = factoring_result(f, i);
		if (!s->partial.n)
			continue;
		const type *elem = type_elem_tensor(e->ctx, v[i]->type);
		value *identity = build_constant(&e->b, monoid_identity(e->ctx, f->combine, elem));
		value *first = device_is_first(e, s->order, s->partial);
		v[i] = build_select(&e->b, first, v[i], build_fill(&e->b, identity, v[i]->type));
		local_mask_reduced(f, v, p->n + 1 + i, identity);
	}
}

static monoid scatter_monoid(emitter *e, const op *o, int n)
{
	monoid m = monoid_of_op(op_shared_reduction(o));
	for (int i = 0; i < n && m != MONOID_NONE; i++)
		if (!monoid_identity(e->ctx, m, type_elem_tensor(e->ctx, result(o, i)->type)))
			m = MONOID_NONE;
	return m;
}

void local_scatter(emitter *e, op *o)
{
	factoring f;
	scatter_plan p = {.n = o->n_results};
	if (!op_scatter_dims(e->from, o, &p.d) || o->n_operands != 2 * p.n + 1 ||
	    operand(o, 0)->type->n_elems == 0) {
		local_replicated(e, o);
		return;
	}
	p.in = operand(o, 0)->type;
	p.updates = operand(o, p.n + 1)->type;
	monoid m = scatter_monoid(e, o, p.n);
	factoring_init(&f, e, o, scatter_rule(e, o, &p, m != MONOID_NONE), m, 0);
	factoring_decide(&f);
	value **v = local_operands(&f);
	v[p.n] = shift_indices(&f, &p, v[p.n]);
	make_partial(&f, &p, v);
	local_finish(&f, local_copy(&f, v));
}
