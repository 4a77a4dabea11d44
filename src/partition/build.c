/* build.c - the ops that local programs are made of. */
#include "partition/local.h"

void build_append(emitter *e, op *o)
{
	if (e->cause)
		op_take_place(e->to, o, e->cause);
	op_append(e->at, o);
}

/* An op with one result, not emitted yet. */
static op *make_one(emitter *e, op_kind kind, value *const *operands, int n, const type *t)
{
	return op_make(e->to, kind, operands, n, &t, 1, 0);
}

static value *append_one(emitter *e, op *o)
{
	build_append(e, o);
	return result(o, 0);
}

value *build(emitter *e, op_kind kind, value *const *operands, int n, const type *t)
{
	return append_one(e, make_one(e, kind, operands, n, t));
}

value *build_binary(emitter *e, op_kind kind, value *a, value *b)
{
	return build(e, kind, (value *[]){a, b}, 2, a->type);
}

/* ---- constants ------------------------------------------------------------------- */

value *build_constant(emitter *e, const attr *dense)
{
	op *o = make_one(e, OP_CONSTANT, NULL, 0, dense->type);
	BUILD_ATTRS(e, o, {N_value, dense});
	return append_one(e, o);
}

value *build_index(emitter *e, int64_t v)
{
	known_index *known = &e->indices[(uint64_t)v % KNOWN_INDICES];
	if (!known->dense || known->v != v) {
		const type *t = type_tensor(e->ctx, e->index, NULL, 0);
		*known = (known_index){v, attr_splat_bits(e->ctx, t, (uint64_t)v)};
	}
	return build_constant(e, known->dense);
}

const attr *build_int(emitter *e, int64_t v)
{
	if (v < 0 || v >= KNOWN_INTS)
		return attr_i64(e->ctx, v);
	if (!e->ints[v])
		e->ints[v] = attr_i64(e->ctx, v);
	return e->ints[v];
}

void build_attrs(emitter *e, op *o, const said_attr *list, int n)
{
	named_attr *said = NEW_N(e->mem, named_attr, n);
	int n_said = 0;
	for (int i = 0; i < n; i++) {
		const name *is = name_known(e->ctx, list[i].known);
		if (!list[i].value)
			continue;
		ASSERT(!n_said || str_cmp(name_str(said[n_said - 1].name), name_str(is)) < 0);
		said[n_said++] = (named_attr){is, list[i].value};
	}
	o->attrs = module_attrs(e->to, said, n_said);
}

value *build_identity(emitter *e, monoid m, const type *t)
{
	const attr *scalar = monoid_identity(e->ctx, m, type_elem_tensor(e->ctx, t));
	ASSERT(scalar);
	return build_fill(e, build_constant(e, scalar), t);
}

/* ---- shapes ------------------------------------------------------------------------ */

const type *resized_type(emitter *e, const type *t, int d, int64_t size)
{
	int64_t *dims = COPY_N(e->mem, t->dims, t->rank);
	dims[d] = size;
	return type_with_dims(e->ctx, t, dims, t->rank);
}

value *build_fill(emitter *e, value *scalar, const type *t)
{
	if (!t->rank)
		return scalar;
	op *o = make_one(e, OP_BROADCAST_IN_DIM, &scalar, 1, t);
	BUILD_ATTRS(e, o, {N_broadcast_dimensions, attr_i64_array(e->ctx, NULL, 0)});
	return append_one(e, o);
}

value *build_reshape(emitter *e, value *v, const int64_t *dims, int rank)
{
	const type *t = type_with_dims(e->ctx, v->type, dims, rank);
	return t == v->type ? v : build(e, OP_RESHAPE, &v, 1, t);
}

value *build_transpose(emitter *e, value *v, const int64_t *permutation)
{
	int rank = v->type->rank;
	int64_t *dims = NEW_N(e->mem, int64_t, rank);
	for (int d = 0; d < rank; d++)
		dims[d] = v->type->dims[permutation[d]];
	op *o = make_one(e, OP_TRANSPOSE, &v, 1, type_with_dims(e->ctx, v->type, dims, rank));
	BUILD_ATTRS(e, o, {N_permutation, attr_i64_array(e->ctx, permutation, rank)});
	return append_one(e, o);
}

value *build_iota(emitter *e, const type *like, int dim)
{
	const type *t = type_tensor(e->ctx, e->index, like->dims, like->rank);
	op *o = make_one(e, OP_IOTA, NULL, 0, t);
	BUILD_ATTRS(e, o, {N_iota_dimension, build_int(e, dim)});
	return append_one(e, o);
}

value *build_slice(emitter *e, value *v, int dim, int64_t start, int64_t limit, int64_t stride)
{
	int rank = v->type->rank;
	if (start == 0 && limit == v->type->dims[dim] && stride == 1)
		return v;
	int64_t *starts = NEW_N(e->mem, int64_t, rank), *strides = NEW_N(e->mem, int64_t, rank);
	int64_t *limits = COPY_N(e->mem, v->type->dims, rank);
	for (int d = 0; d < rank; d++)
		strides[d] = 1;
	starts[dim] = start;
	limits[dim] = limit;
	strides[dim] = stride;
	op *o = make_one(e, OP_SLICE, &v, 1,
	                 resized_type(e, v->type, dim, ceil_div(limit - start, stride)));
	BUILD_ATTRS(e, o, {N_limit_indices, attr_i64_array(e->ctx, limits, rank)},
	            {N_start_indices, attr_i64_array(e->ctx, starts, rank)},
	            {N_strides, attr_i64_array(e->ctx, strides, rank)});
	return append_one(e, o);
}

value *build_concatenate(emitter *e, value *const *parts, int n, int dim)
{
	int64_t size = 0;
	if (n == 1)
		return parts[0];
	for (int i = 0; i < n; i++)
		size += parts[i]->type->dims[dim];
	op *o = make_one(e, OP_CONCATENATE, parts, n, resized_type(e, parts[0]->type, dim, size));
	BUILD_ATTRS(e, o, {N_dimension, build_int(e, dim)});
	return append_one(e, o);
}

value *build_pad(emitter *e, value *v, int dim, int64_t low, int64_t high, value *with)
{
	int rank = v->type->rank;
	if (!low && !high)
		return v;
	int64_t *lows = NEW_N(e->mem, int64_t, rank), *highs = NEW_N(e->mem, int64_t, rank);
	int64_t *interior = NEW_N(e->mem, int64_t, rank);
	lows[dim] = low;
	highs[dim] = high;
	op *o = make_one(e, OP_PAD, (value *[]){v, with}, 2,
	                 resized_type(e, v->type, dim, v->type->dims[dim] + low + high));
	BUILD_ATTRS(e, o, {N_edge_padding_high, attr_i64_array(e->ctx, highs, rank)},
	            {N_edge_padding_low, attr_i64_array(e->ctx, lows, rank)},
	            {N_interior_padding, attr_i64_array(e->ctx, interior, rank)});
	return append_one(e, o);
}

value *build_dynamic_slice(emitter *e, value *v, value *const *starts, const int64_t *sizes)
{
	int rank = v->type->rank;
	value **operands = NEW_N(e->mem, value *, rank + 1);
	operands[0] = v;
	for (int d = 0; d < rank; d++)
		operands[d + 1] = starts[d];
	op *o = make_one(e, OP_DYNAMIC_SLICE, operands, rank + 1,
	                 type_with_dims(e->ctx, v->type, sizes, rank));
	BUILD_ATTRS(e, o, {N_slice_sizes, attr_i64_array(e->ctx, sizes, rank)});
	return append_one(e, o);
}

value *build_window(emitter *e, value *v, int dim, value *start, int64_t size)
{
	int rank = v->type->rank;
	if (size == v->type->dims[dim])
		return v;
	int64_t *sizes = COPY_N(e->mem, v->type->dims, rank);
	value **starts = NEW_N(e->mem, value *, rank), *zero = rank > 1 ? build_index(e, 0) : NULL;
	for (int d = 0; d < rank; d++)
		starts[d] = d == dim ? start : zero;
	sizes[dim] = size;
	return build_dynamic_slice(e, v, starts, sizes);
}

/* ---- element by element ---------------------------------------------------------------- */

static const attr *comparison_attr(emitter *e, comparison which)
{
	static const char *const words[] = {
	    [COMPARE_EQ] = "EQ", [COMPARE_GE] = "GE", [COMPARE_LT] = "LT"};
	const attr **known = &e->comparisons[which];
	if (!*known)
		*known = attr_enum(e->ctx, "stablehlo", "comparison_direction", words[which]);
	return *known;
}

value *build_compare(emitter *e, comparison which, value *a, value *b)
{
	const type *t = type_tensor(e->ctx, DT_I1, a->type->dims, a->type->rank);
	op *o = make_one(e, OP_COMPARE, (value *[]){a, b}, 2, t);
	BUILD_ATTRS(e, o, {N_comparison_direction, comparison_attr(e, which)});
	return append_one(e, o);
}

value *build_select(emitter *e, value *which, value *yes, value *no)
{
	return build(e, OP_SELECT, (value *[]){which, yes, no}, 3, yes->type);
}

value *build_convert(emitter *e, value *v, dtype to)
{
	const type *t = type_with_elem(e->ctx, v->type, type_scalar(e->ctx, to));
	return t == v->type ? v : build(e, OP_CONVERT, &v, 1, t);
}

/* An integer constant of the type of `like`. */
static value *build_int_like(emitter *e, const value *like, int64_t v)
{
	const type *scalar = type_elem_tensor(e->ctx, like->type);
	return build_fill(e, build_constant(e, attr_splat_bits(e->ctx, scalar, (uint64_t)v)),
	                  like->type);
}

value *build_clamped_index(emitter *e, value *v, int64_t most)
{
	dtype t = v->type->dtype;
	if (t == e->index || dtype_bits(t) < dtype_bits(e->index))
		v = build_convert(e, v, e->index);
	v = build_binary(e, OP_MAXIMUM, v, build_int_like(e, v, 0));
	v = build_binary(e, OP_MINIMUM, v, build_int_like(e, v, most));
	return build_convert(e, v, e->index);
}

/* ---- combiners --------------------------------------------------------------------------- */

void build_combiner(emitter *e, op *o, int i, monoid m, const type *elem)
{
	block *b = block_new(e->to, op_region(o, i));
	value *args[2] = {block_add_arg(e->to, b, elem), block_add_arg(e->to, b, elem)};
	op *combine = op_make(e->to, monoid_op(m), args, 2, &elem, 1, 0);
	op_append(b, combine);
	value *v = result(combine, 0);
	op_append(b, op_make(e->to, OP_RETURN, &v, 1, NULL, 0, 0));
}
