/* emit.c - small pieces that only local programs need: indices, windows, identities. */
#include "partition/local.h"

value *emit_index(emitter *e, int64_t v) { return build_int(&e->b, e->index, v); }

/* The identity of `m` for the elements of `t`, as a scalar. */
static value *emit_neutral(emitter *e, monoid m, const type *t)
{
	const attr *scalar = monoid_identity(e->ctx, m, type_elem_tensor(e->ctx, t));
	ASSERT(scalar);
	return build_constant(&e->b, scalar);
}

value *emit_zero(emitter *e, const type *t) { return emit_neutral(e, MONOID_SUM, t); }

value *emit_identity(emitter *e, monoid m, const type *t)
{
	return build_fill(&e->b, emit_neutral(e, m, t), t);
}

value *emit_iota(emitter *e, const type *like, int dim)
{
	return build_iota(&e->b, e->index, like->dims, like->rank, dim);
}

value *emit_window(emitter *e, value *v, int dim, value *start, int64_t size)
{
	int rank = v->type->rank;
	if (size == v->type->dims[dim])
		return v;
	int64_t *sizes = COPY_N(e->mem, v->type->dims, rank);
	value **starts = NEW_N(e->mem, value *, rank), *zero = rank > 1 ? emit_index(e, 0) : NULL;
	for (int d = 0; d < rank; d++)
		starts[d] = d == dim ? start : zero;
	sizes[dim] = size;
	return build_dynamic_slice(&e->b, v, starts, sizes);
}

/* An integer constant of the type of `like`. */
static value *emit_int_like(emitter *e, const value *like, int64_t v)
{
	const type *scalar = type_elem_tensor(e->ctx, like->type);
	const attr *dense = attr_splat_bits(e->ctx, scalar, (uint64_t)v);
	return build_fill(&e->b, build_constant(&e->b, dense), like->type);
}

value *emit_clamped_index(emitter *e, value *v, int64_t most)
{
	dtype t = v->type->dtype;
	if (t == e->index || dtype_bits(t) < dtype_bits(e->index))
		v = build_convert(&e->b, v, e->index);
	v = build_binary(&e->b, OP_MAXIMUM, v, emit_int_like(e, v, 0));
	v = build_binary(&e->b, OP_MINIMUM, v, emit_int_like(e, v, most));
	return build_convert(&e->b, v, e->index);
}
