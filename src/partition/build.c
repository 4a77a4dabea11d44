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

const type *type_elem_tensor(tess_ctx *ctx, const type *t)
{
	return type_is_tensor(t) ? type_shaped(ctx, TY_TENSOR, t->elem, NULL, 0, NULL) : t;
}

/* ---- constants ------------------------------------------------------------------- */

value *build_constant(emitter *e, const attr *dense)
{
	op *o = make_one(e, OP_CONSTANT, NULL, 0, dense->type);
	BUILD_ATTRS(e, o, {N_value, dense});
	return append_one(e, o);
}

static const attr *splat_bits(tess_ctx *ctx, const type *t, uint64_t bits)
{
	unsigned char data[16] = {0};
	for (int i = 0; i < 8; i++)
		data[i] = (unsigned char)(bits >> (8 * i));
	return attr_dense(ctx, t, data, (size_t)dtype_bytes(t->dtype), true);
}

value *build_index(emitter *e, int64_t v)
{
	known_index *known = &e->indices[(uint64_t)v % KNOWN_INDICES];
	if (!known->dense || known->v != v) {
		const type *t = type_tensor(e->ctx, e->index, NULL, 0);
		*known = (known_index){v, splat_bits(e->ctx, t, (uint64_t)v)};
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

/* The largest value (infinity where there is one), the least, and one, as bits. */
typedef struct limits {
	uint64_t most, least, one;
} limits;

static const limits float_limits[DT_COUNT] = {
    [DT_F4E2M1FN] = {0x7, 0xf, 0x2},
    [DT_F6E2M3FN] = {0x1f, 0x3f, 0x08},
    [DT_F6E3M2FN] = {0x1f, 0x3f, 0x0c},
    [DT_F8E3M4] = {0x70, 0xf0, 0x30},
    [DT_F8E4M3] = {0x78, 0xf8, 0x38},
    [DT_F8E4M3FN] = {0x7e, 0xfe, 0x38},
    [DT_F8E4M3FNUZ] = {0x7f, 0xff, 0x40},
    [DT_F8E4M3B11FNUZ] = {0x7f, 0xff, 0x58},
    [DT_F8E5M2] = {0x7c, 0xfc, 0x3c},
    [DT_F8E5M2FNUZ] = {0x7f, 0xff, 0x40},
    [DT_F8E8M0FNU] = {0xfe, 0x00, 0x7f},
    [DT_BF16] = {0x7f80, 0xff80, 0x3f80},
    [DT_F16] = {0x7c00, 0xfc00, 0x3c00},
    [DT_TF32] = {0x3fc00, 0x7fc00, 0x1fc00},
    [DT_F32] = {0x7f800000, 0xff800000, 0x3f800000},
    [DT_F64] = {0x7ff0000000000000, 0xfff0000000000000, 0x3ff0000000000000},
    [DT_C64] = {0, 0, 0x3f800000},
    [DT_C128] = {0, 0, 0x3ff0000000000000},
};

static bool dtype_limits(dtype t, limits *out)
{
	int bits = dtype_bits(t);
	uint64_t all = bits < 64 ? ((uint64_t)1 << bits) - 1 : UINT64_MAX;
	switch (dtype_class_of(t)) {
	case DC_BOOL:
	case DC_UINT: *out = (limits){all, 0, 1}; return true;
	case DC_SINT:
	case DC_INDEX: *out = (limits){all >> 1, ~(all >> 1), 1}; return true;
	case DC_FLOAT:
	case DC_COMPLEX: *out = float_limits[t]; return out->one != 0;
	case DC_NONE: return false;
	}
	return false;
}

bool monoid_has_identity(monoid m, const type *t)
{
	limits l;
	return m != MONOID_NONE && t->kind == TY_TENSOR && dtype_limits(t->dtype, &l) &&
	       !(dtype_is_complex(t->dtype) && (m == MONOID_MAX || m == MONOID_MIN));
}

const attr *monoid_identity(tess_ctx *ctx, monoid m, const type *elem)
{
	limits l;
	if (!monoid_has_identity(m, elem) || !dtype_limits(elem->dtype, &l))
		return NULL;
	bool is_bool = elem->dtype == DT_I1;
	switch (m) {
	case MONOID_SUM:
	case MONOID_OR:
	case MONOID_XOR: return splat_bits(ctx, elem, 0);
	case MONOID_PRODUCT: return splat_bits(ctx, elem, l.one);
	case MONOID_MAX: return splat_bits(ctx, elem, l.least);
	case MONOID_MIN: return splat_bits(ctx, elem, l.most);
	case MONOID_AND: return splat_bits(ctx, elem, is_bool ? 1 : UINT64_MAX);
	case MONOID_NONE: return NULL;
	}
	return NULL;
}

bool monoid_identity_is(monoid m, const attr *dense)
{
	if (!dense || dense->kind != AT_DENSE || !dense->splat)
		return false;
	size_t n = (size_t)dtype_bytes(dense->type->dtype);
	const unsigned char *p = dense->data;
	bool zero = true;
	for (size_t i = 0; i < n; i++)
		zero &= p[i] == 0 || (m == MONOID_SUM && i == n - 1 && p[i] == 0x80 &&
		                      dtype_is_float(dense->type->dtype));
	if (m == MONOID_SUM || m == MONOID_OR || m == MONOID_XOR)
		return zero;
	double v = dtype_is_complex(dense->type->dtype) ? 0 : attr_dense_float(dense, 0);
	if (!dtype_is_float(dense->type->dtype))
		return false;
	return (m == MONOID_PRODUCT && v == 1) ||
	       (m == MONOID_MAX && v < -1.7976931348623157e308) ||
	       (m == MONOID_MIN && v > 1.7976931348623157e308);
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
	return build_fill(e, build_constant(e, splat_bits(e->ctx, scalar, (uint64_t)v)),
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

/* ---- monoids ----------------------------------------------------------------------------- */

static const op_kind monoid_ops[] = {
    [MONOID_SUM] = OP_ADD,          [MONOID_MAX] = OP_MAXIMUM, [MONOID_MIN] = OP_MINIMUM,
    [MONOID_PRODUCT] = OP_MULTIPLY, [MONOID_AND] = OP_AND,     [MONOID_OR] = OP_OR,
    [MONOID_XOR] = OP_XOR,          [MONOID_NONE] = OP_UNKNOWN,
};

monoid monoid_of_op(op_kind k)
{
	for (int m = 0; m < MONOID_NONE; m++)
		if (monoid_ops[m] == k)
			return (monoid)m;
	return MONOID_NONE;
}

void build_combiner(emitter *e, op *o, int i, monoid m, const type *elem)
{
	block *b = block_new(e->to, op_region(o, i));
	value *args[2] = {block_add_arg(e->to, b, elem), block_add_arg(e->to, b, elem)};
	op *combine = op_make(e->to, monoid_ops[m], args, 2, &elem, 1, 0);
	op_append(b, combine);
	value *v = result(combine, 0);
	op_append(b, op_make(e->to, OP_RETURN, &v, 1, NULL, 0, 0));
}
