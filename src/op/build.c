/* build.c - new operations, put at a place. */
#include "op/op.h"

/* What was built recently in a context. Partitioned programs are full of the same indices and
 * comparisons, and interning them again is most of the cost of building them. */
typedef struct built_int {
	const type *t;
	int64_t v;
	const attr *dense;
} built_int;

typedef struct built_lately {
	const type *scalars[DT_COUNT];
	built_int ints[16];
	const attr *directions[COMPARE_LT + 1];
} built_lately;

static built_lately *built_lately_in(tess_ctx *ctx)
{
	if (!ctx->slot[SLOT_BUILD])
		ctx->slot[SLOT_BUILD] = NEW(&ctx->perm, built_lately);
	return ctx->slot[SLOT_BUILD];
}

void build_put(const builder *b, op *o)
{
	if (b->like)
		op_take_place(b->m, o, b->like);
	if (b->before)
		op_insert_before(b->before, o);
	else
		op_append(b->at, o);
}

/* ---- attributes ---------------------------------------------------------------------- */

void op_give_attrs(module *m, op *o, const attr_entry *list, int n)
{
	enum { MOST = 16 };
	named_attr given[MOST];
	int n_given = 0;
	ASSERT(n <= MOST && !o->attrs.n);
	for (int i = 0; i < n; i++) {
		const name *is = name_known(m->ctx, list[i].name);
		if (!list[i].value)
			continue;
		ASSERT(!n_given || str_cmp(name_str(given[n_given - 1].name), name_str(is)) < 0);
		given[n_given++] = (named_attr){is, list[i].value};
	}
	o->attrs = module_attrs(m, given, n_given);
}

const attr *struct_of_ints(tess_ctx *ctx, const char *form, const ints_field *fields, int n)
{
	const attr **list = NEW_N(&ctx->scratch, const attr *, n);
	const name **names = NEW_N(&ctx->scratch, const name *, n);
	for (int i = 0; i < n; i++) {
		names[i] = name_known(ctx, fields[i].name);
		list[i] = fields[i].n < 0 ? attr_i64(ctx, fields[i].v[0])
		                          : attr_i64_array(ctx, fields[i].v, fields[i].n);
	}
	return attr_of(ctx, &(attr){.kind = AT_STRUCT,
	                            .text = name_of_z(ctx, form),
	                            .n = n,
	                            .list = list,
	                            .names = names});
}

/* ---- any operation --------------------------------------------------------------------- */

op *build_op(const builder *b, op_kind kind, value *const *operands, int n,
             const type *const *types, int n_types, int n_regions)
{
	op *o = op_make(b->m, kind, operands, n, types, n_types, n_regions);
	build_put(b, o);
	return o;
}

op *build_like(const builder *b, const op *o, value *const *operands, int n,
               const type *const *types)
{
	op *made = op_new_like(b->m, o, operands, n, types, o->n_results);
	build_put(b, made);
	return made;
}

value *build(const builder *b, op_kind kind, value *const *operands, int n, const type *t)
{
	return result(build_op(b, kind, operands, n, &t, 1, 0), 0);
}

value *build_unary(const builder *b, op_kind kind, value *v)
{
	return build(b, kind, &v, 1, v->type);
}

value *build_binary(const builder *b, op_kind kind, value *x, value *y)
{
	return build(b, kind, (value *[]){x, y}, 2, x->type);
}

value *build_sharded(const builder *b, op_kind kind, value *v, const sharding *s)
{
	return value_with_sharding(build_unary(b, kind, v), s);
}

op *build_behind(module *m, op_kind kind, value *v, const sharding *s)
{
	op *o = op_make(m, kind, &v, 1, &v->type, 1, 0);
	op_take_place(m, o, value_op(v));
	op_set_loc(m, o, value_loc(v));
	result(o, 0)->sharding = s;
	op_insert_after_value(v, o);
	value_replace_uses_except(v, result(o, 0), o);
	return o;
}

/* Makes an operation with attributes and returns its only result. */
static value *build_with(const builder *b, op_kind kind, value *const *operands, int n,
                         const type *t, const attr_entry *list, int n_list)
{
	value *v = build(b, kind, operands, n, t);
	op_give_attrs(b->m, value_def(v), list, n_list);
	return v;
}
#define BUILD_WITH(b, kind, operands, n, t, ...)                                                   \
	build_with((b), (kind), (operands), (n), (t), (const attr_entry[]){__VA_ARGS__},           \
	           COUNT(((const attr_entry[]){__VA_ARGS__})))

/* ---- constants ------------------------------------------------------------------------ */

value *build_constant(const builder *b, const attr *dense)
{
	return BUILD_WITH(b, OP_CONSTANT, NULL, 0, dense->type, {N_value, dense});
}

value *build_int(const builder *b, dtype t, int64_t v)
{
	tess_ctx *ctx = b->m->ctx;
	built_lately *lately = built_lately_in(ctx);
	built_int *known = &lately->ints[(uint64_t)v % COUNT(lately->ints)];
	if (!lately->scalars[t])
		lately->scalars[t] = type_tensor(ctx, t, NULL, 0);
	if (known->t != lately->scalars[t] || known->v != v)
		*known = (built_int){lately->scalars[t], v,
		                     attr_splat_bits(ctx, lately->scalars[t], (uint64_t)v)};
	return build_constant(b, known->dense);
}

value *build_zeros(const builder *b, const type *t)
{
	const char zeros[16] = {0};
	return build_constant(b,
	                      attr_dense(b->m->ctx, t, zeros, (size_t)dtype_bytes(t->dtype), true));
}

value *build_ints(const builder *b, dtype t, const int64_t *v, int n)
{
	tess_ctx *ctx = b->m->ctx;
	const int64_t dims[1] = {n};
	int bytes = dtype_bytes(t);
	char *data = NEW_N(&ctx->scratch, char, n * bytes + 1);
	for (int i = 0; i < n; i++)
		memcpy(data + i * bytes, &v[i], (size_t)bytes); /* little endian */
	return build_constant(
		b, attr_dense(ctx, type_tensor(ctx, t, dims, 1), data, (size_t)(n * bytes), false));
}

value *build_iota(const builder *b, dtype t, const int64_t *dims, int rank, int dim)
{
	tess_ctx *ctx = b->m->ctx;
	return BUILD_WITH(b, OP_IOTA, NULL, 0, type_tensor(ctx, t, dims, rank),
	                  {N_iota_dimension, attr_i64(ctx, dim)});
}

/* ---- element by element ------------------------------------------------------------------ */

static const attr *direction_attr(tess_ctx *ctx, comparison which)
{
	static const char *const words[] = {
		[COMPARE_EQ] = "EQ", [COMPARE_NE] = "NE", [COMPARE_GE] = "GE",
		[COMPARE_GT] = "GT", [COMPARE_LE] = "LE", [COMPARE_LT] = "LT",
	};
	const attr **known = &built_lately_in(ctx)->directions[which];
	if (!*known)
		*known = attr_enum(ctx, "stablehlo", "comparison_direction", words[which]);
	return *known;
}

value *build_compare(const builder *b, comparison which, value *x, value *y)
{
	tess_ctx *ctx = b->m->ctx;
	return BUILD_WITH(b, OP_COMPARE, ((value *[]){x, y}), 2,
	                  type_with_elem(ctx, x->type, type_scalar(ctx, DT_I1)),
	                  {N_comparison_direction, direction_attr(ctx, which)});
}

value *build_select(const builder *b, value *which, value *yes, value *no)
{
	return build(b, OP_SELECT, (value *[]){which, yes, no}, 3, yes->type);
}

value *build_convert(const builder *b, value *v, dtype to)
{
	const type *t = type_with_elem(b->m->ctx, v->type, type_scalar(b->m->ctx, to));
	return t == v->type ? v : build(b, OP_CONVERT, &v, 1, t);
}

/* ---- shapes -------------------------------------------------------------------------------- */

const type *type_resized(tess_ctx *ctx, const type *t, int d, int64_t size)
{
	int64_t *dims = COPY_N(&ctx->scratch, t->dims, t->rank);
	dims[d] = size;
	return type_with_dims(ctx, t, dims, t->rank);
}

/* Returns an array of `v`, one for each dimension of the value. */
static int64_t *dims_all(const builder *b, const value *of, int64_t v)
{
	int64_t *dims = NEW_N(&b->m->ctx->scratch, int64_t, of->type->rank);
	for (int d = 0; d < of->type->rank; d++)
		dims[d] = v;
	return dims;
}

static const attr *ints_attr(const builder *b, const int64_t *v, int n)
{
	return attr_i64_array(b->m->ctx, v, n);
}

value *build_broadcast(const builder *b, value *v, const type *t, const int64_t *dims, int n)
{
	return BUILD_WITH(b, OP_BROADCAST_IN_DIM, &v, 1, t,
	                  {N_broadcast_dimensions, ints_attr(b, dims, n)});
}

value *build_fill(const builder *b, value *scalar, const type *t)
{
	if (!t->rank)
		return scalar;
	return build_broadcast(b, scalar, type_with_elem(b->m->ctx, t, scalar->type->elem), NULL,
	                       0);
}

value *build_reshape(const builder *b, value *v, const int64_t *dims, int rank)
{
	const type *t = type_with_dims(b->m->ctx, v->type, dims, rank);
	return t == v->type ? v : build(b, OP_RESHAPE, &v, 1, t);
}

value *build_transpose(const builder *b, value *v, const int64_t *permutation)
{
	int rank = v->type->rank;
	int64_t *dims = NEW_N(&b->m->ctx->scratch, int64_t, rank);
	for (int d = 0; d < rank; d++)
		dims[d] = v->type->dims[permutation[d]];
	return BUILD_WITH(b, OP_TRANSPOSE, &v, 1, type_with_dims(b->m->ctx, v->type, dims, rank),
	                  {N_permutation, ints_attr(b, permutation, rank)});
}

static value *slice_to(const builder *b, value *v, const int64_t *starts, const int64_t *limits,
                       const int64_t *strides, const type *t)
{
	return BUILD_WITH(b, OP_SLICE, &v, 1, t, {N_limit_indices, ints_attr(b, limits, t->rank)},
	                  {N_start_indices, ints_attr(b, starts, t->rank)},
	                  {N_strides, ints_attr(b, strides, t->rank)});
}

value *build_slice(const builder *b, value *v, int dim, int64_t start, int64_t limit,
                   int64_t stride)
{
	tess_ctx *ctx = b->m->ctx;
	if (start == 0 && limit == v->type->dims[dim] && stride == 1)
		return v;
	int64_t *starts = dims_all(b, v, 0), *strides = dims_all(b, v, 1);
	int64_t *limits = COPY_N(&ctx->scratch, v->type->dims, v->type->rank);
	starts[dim] = start;
	limits[dim] = limit;
	strides[dim] = stride;
	return slice_to(b, v, starts, limits, strides,
	                type_resized(ctx, v->type, dim, ceil_div(limit - start, stride)));
}

value *build_first(const builder *b, value *v, const int64_t *dims)
{
	const type *t = type_with_dims(b->m->ctx, v->type, dims, v->type->rank);
	return t == v->type ? v : slice_to(b, v, dims_all(b, v, 0), dims, dims_all(b, v, 1), t);
}

value *build_dynamic_slice(const builder *b, value *v, value *const *starts, const int64_t *sizes)
{
	int rank = v->type->rank;
	value **operands = NEW_N(&b->m->ctx->scratch, value *, rank + 1);
	operands[0] = v;
	for (int d = 0; d < rank; d++)
		operands[d + 1] = starts[d];
	return BUILD_WITH(b, OP_DYNAMIC_SLICE, operands, rank + 1,
	                  type_with_dims(b->m->ctx, v->type, sizes, rank),
	                  {N_slice_sizes, ints_attr(b, sizes, rank)});
}

value *build_concatenate(const builder *b, value *const *parts, int n, int dim)
{
	tess_ctx *ctx = b->m->ctx;
	int64_t size = 0;
	if (n == 1)
		return parts[0];
	for (int i = 0; i < n; i++)
		size += parts[i]->type->dims[dim];
	return BUILD_WITH(b, OP_CONCATENATE, parts, n, type_resized(ctx, parts[0]->type, dim, size),
	                  {N_dimension, attr_i64(ctx, dim)});
}

static value *pad_by(const builder *b, value *v, const int64_t *low, const int64_t *high,
                     value *with, const type *t)
{
	const attr *interior = ints_attr(b, dims_all(b, v, 0), t->rank);
	return BUILD_WITH(b, OP_PAD, ((value *[]){v, with}), 2, t,
	                  {N_edge_padding_high, ints_attr(b, high, t->rank)},
	                  {N_edge_padding_low, ints_attr(b, low, t->rank)},
	                  {N_interior_padding, interior});
}

value *build_pad(const builder *b, value *v, int dim, int64_t low, int64_t high, value *with)
{
	int64_t *lows = dims_all(b, v, 0), *highs = dims_all(b, v, 0);
	if (!low && !high)
		return v;
	lows[dim] = low;
	highs[dim] = high;
	return pad_by(b, v, lows, highs, with,
	              type_resized(b->m->ctx, v->type, dim, v->type->dims[dim] + low + high));
}

value *build_pad_to(const builder *b, value *v, const int64_t *dims, value *with)
{
	const type *t = type_with_dims(b->m->ctx, v->type, dims, v->type->rank);
	int64_t *low = dims_all(b, v, 0), *high = dims_all(b, v, 0);
	for (int d = 0; d < v->type->rank; d++)
		high[d] = dims[d] - v->type->dims[d];
	return t == v->type ? v : pad_by(b, v, low, high, with, t);
}

/* ---- regions ---------------------------------------------------------------------------- */

op *block_close(module *m, block *b, op_kind kind, value *const *v, int n)
{
	op *o = op_make(m, kind, v, n, NULL, 0, 0);
	op_append(b, o);
	return o;
}

void block_close_otherwise(module *m, block *b, op_kind kind)
{
	op *old = b->last;
	value **v = NEW_N(&m->ctx->scratch, value *, old->n_operands);
	for (int i = 0; i < old->n_operands; i++)
		v[i] = operand(old, i);
	op_set_loc(m, block_close(m, b, kind, v, old->n_operands), op_loc(old));
	op_erase(old);
}

void region_combine_by(module *m, region *g, op_kind kind, const type *scalar)
{
	builder b = builder_at_end(m, block_new(m, g));
	value *x = block_add_arg(m, b.at, scalar), *y = block_add_arg(m, b.at, scalar);
	value *v = build_binary(&b, kind, x, y);
	block_close(m, b.at, OP_RETURN, &v, 1);
}

void region_copy_block(module *m, region *to, const block *from, op_kind kind)
{
	arena *mem = &m->ctx->scratch;
	ptr_map map = {0};
	block *b = block_new(m, to);
	for (int i = 0; i < from->n_args; i++)
		*ptr_map_at(&map, mem, from->args[i]) = block_add_arg(m, b, from->args[i]->type);
	for (const op *o = from->first; o != from->last; o = o->next)
		op_append(b, op_clone(m, o, &map, mem));
	value **v = NEW_N(mem, value *, from->last->n_operands);
	for (int i = 0; i < from->last->n_operands; i++)
		v[i] = ptr_map_get(&map, operand(from->last, i));
	block_close(m, b, kind, v, from->last->n_operands);
}

value *build_reduce(const builder *b, op_kind by, value *v, value *start, const int64_t *dims,
                    int n)
{
	int64_t *rest = NEW_N(&b->m->ctx->scratch, int64_t, v->type->rank);
	int rank = 0;
	for (int d = 0; d < v->type->rank; d++)
		if (!dim_listed(dims, n, d))
			rest[rank++] = v->type->dims[d];
	const type *t = type_with_dims(b->m->ctx, v->type, rest, rank);
	op *o = build_op(b, OP_REDUCE, (value *[]){v, start}, 2, &t, 1, 1);
	OP_ATTRS(b->m, o, {N_dimensions, ints_attr(b, dims, n)});
	region_combine_by(b->m, op_region(o, 0), by, start->type);
	return result(o, 0);
}

/* ---- symbols of a module -------------------------------------------------------------------- */

op *module_declare_mesh(module *m, op *behind, const name *symbol, const mesh *mesh)
{
	op *o = op_make(m, OP_SDY_MESH, NULL, 0, NULL, 0, 0), *first = module_body(m)->first;
	OP_ATTRS(m, o, {N_mesh, attr_mesh(m->ctx, mesh)},
	         {N_sym_name, attr_string(m->ctx, symbol)});
	if (behind)
		op_insert_after(behind, o);
	else if (first)
		op_insert_before(first, o);
	else
		op_append(module_body(m), o);
	module_add_symbol(m, o);
	return o;
}

op *func_make(module *m, const type *t)
{
	op *f = op_make(m, OP_FUNC_FUNC, NULL, 0, NULL, 0, 1);
	op_set_func(m, f, func_new(m, t));
	return f;
}
