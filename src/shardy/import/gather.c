/* gather.c - sdy-explicit-gather-scatter-batching.
 *
 * x[arange(B), i] in JAX is a gather with index vectors (b, i): along dimension 0, the input is
 * looked up at the position of the index itself. Written as a batching dimension, it passes
 * shardings between input, indices and result, while a looked-up dimension costs a reduction.
 *
 * The rewrite is correct only if that index equals the coordinate along dimension 0 of the indices,
 * regardless of the others. Shardy accepts any iota along its own dimension 0; we follow the
 * dimension through every op in between, and stop at any op whose effect on it is not known. */
#include "shardy/import/import.h"

/* ---- recognizing coordinates ---------------------------------------------------------------- */

static bool constant_is(const value *v, int64_t *out)
{
	while (value_def_of(v, OP_BROADCAST_IN_DIM))
		v = operand(value_def(v), 0);
	const attr *a = value_def(v) && op_has(value_def(v), CONSTANT)
	                        ? op_attr(value_def(v), N_value)
	                        : NULL;
	if (!a || a->kind != AT_DENSE || !dtype_is_int(a->type->dtype))
		return false;
	if (!a->splat && a->type->n_elems != 1)
		return false;
	*out = attr_dense_int(a, 0);
	return true;
}

/* Returns the operand dimension of a reshape that becomes dimension `dim`: one of the same size,
 * with the same number of elements before it. */
static int reshape_source_dim(const type *in, const type *out, int dim)
{
	int64_t before = 1, want = 1;
	for (int d = 0; d < dim; d++)
		want *= out->dims[d];
	for (int d = 0; d < in->rank; before *= in->dims[d++])
		if (before == want && in->dims[d] == out->dims[dim])
			return d;
	return -1;
}

static int broadcast_source_dim(const module *m, const op *o, int dim)
{
	int n;
	const int64_t *dims = op_ints(m, o, N_broadcast_dimensions, &n);
	for (int d = 0; d < n && d < operand(o, 0)->type->rank; d++)
		if (dims[d] == dim && operand(o, 0)->type->dims[d] == result(o, 0)->type->dims[dim])
			return d;
	return -1;
}

static bool is_coordinate(const module *m, const value *v, int dim, int depth);

/* Recognizes select(x < 0, _, x) of coordinates x, whose first case never happens. */
static bool is_never_negative_test(const module *m, const value *pred, int dim, int depth)
{
	int64_t limit;
	const op *o = value_def_of(pred, OP_COMPARE);
	return o && !strcmp(enum_word(op_attr(o, N_comparison_direction)), "LT") &&
	       constant_is(operand(o, 1), &limit) && limit <= 0 &&
	       is_coordinate(m, operand(o, 0), dim, depth);
}

/* Recognizes clamp(low, x, high) that changes no coordinate. */
static bool clamps_nothing(const op *o, int64_t size)
{
	int64_t low, high;
	return constant_is(operand(o, 0), &low) && low <= 0 && constant_is(operand(o, 2), &high) &&
	       high >= size - 1;
}

/* True if element i of `v` equals i[dim]. */
static bool is_coordinate(const module *m, const value *v, int dim, int depth)
{
	enum { MAX_STEPS = 64 };
	const op *o = value_def(v);
	if (!o || dim < 0 || depth > MAX_STEPS)
		return false;
	const type *t = v->type;
	switch (o->kind) {
	case OP_IOTA:
		return op_int(o, N_iota_dimension, -1) == dim;
	case OP_RESHAPE:
		return is_coordinate(m, operand(o, 0),
		                     reshape_source_dim(operand(o, 0)->type, t, dim), depth + 1);
	case OP_BROADCAST_IN_DIM:
		return is_coordinate(m, operand(o, 0), broadcast_source_dim(m, o, dim), depth + 1);
	case OP_CLAMP:
		return clamps_nothing(o, t->dims[dim]) &&
		       is_coordinate(m, operand(o, 1), dim, depth + 1);
	case OP_SELECT:
		return is_coordinate(m, operand(o, 2), dim, depth + 1) &&
		       (is_never_negative_test(m, operand(o, 0), dim, depth + 1) ||
		        is_coordinate(m, operand(o, 1), dim, depth + 1));
	}
	return false;
}

/* True if component `part` of every index vector equals its coordinate along dimension 0. */
static bool part_is_coordinate(const module *m, const value *indices, int64_t vector_dim,
                               int64_t part)
{
	const op *o = value_def_of(indices, OP_CONCATENATE);
	if (!o || op_int(o, N_dimension, -1) != vector_dim)
		return vector_dim != 0 && is_coordinate(m, indices, 0, 0);
	for (int i = 0; i < o->n_operands; i++) {
		int64_t size = operand(o, i)->type->dims[vector_dim];
		if (part < size)
			return is_coordinate(m, operand(o, i), 0, 0);
		part -= size;
	}
	return false;
}

/* ---- indices without that component --------------------------------------------------------- */

static value *drop_part(module *m, op *at, value *indices, int64_t vector_dim, int64_t part)
{
	const builder b = builder_before(m, at);
	int64_t total = indices->type->dims[vector_dim];
	value *parts[2];
	int n = 0, dim = (int)vector_dim;
	const op *o = value_def_of(indices, OP_CONCATENATE);
	if (o && op_int(o, N_dimension, -1) == vector_dim && o->n_operands == total) {
		value **kept = NEW_N(&m->ctx->scratch, value *, total);
		for (int i = 0; i < o->n_operands; i++)
			if (i != part)
				kept[n++] = operand(o, i);
		return build_concatenate(&b, kept, n, dim);
	}
	if (part > 0)
		parts[n++] = build_slice(&b, indices, dim, 0, part, 1);
	if (part + 1 < total)
		parts[n++] = build_slice(&b, indices, dim, part + 1, total, 1);
	return build_concatenate(&b, parts, n, dim);
}

/* ---- rewriting gather and scatter ----------------------------------------------------------- */

/* What gather and scatter have in common, with each op's attribute names. */
typedef struct batching {
	int attr, map, collapsed, input_batch, indices_batch; /* attribute names */
	int n_inputs;
	bool has_batch;
	int n_map, n_collapsed;
	const int64_t *map_dims, *collapsed_dims;
	int64_t vector_dim;
} batching;

static bool read_gather(const module *m, const op *o, batching *b)
{
	gather_dims d;
	*b = (batching){N_dimension_numbers, N_start_index_map, N_collapsed_slice_dims,
	                N_operand_batching_dims, N_start_indices_batching_dims, 1};
	if (!op_gather_dims(m, o, &d))
		return false;
	b->has_batch = d.n_operand_batch;
	b->n_map = d.n_map;
	b->map_dims = d.map;
	b->n_collapsed = d.n_collapsed;
	b->collapsed_dims = d.collapsed;
	b->vector_dim = d.index_vector_dim;
	return true;
}

static bool read_scatter(const module *m, const op *o, batching *b)
{
	scatter_dims d;
	*b = (batching){N_scatter_dimension_numbers,     N_scatter_dims_to_operand_dims,
	                N_inserted_window_dims,          N_input_batching_dims,
	                N_scatter_indices_batching_dims, o->n_operands / 2};
	if (!op_scatter_dims(m, o, &d))
		return false;
	b->has_batch = d.n_input_batch;
	b->n_map = d.n_map;
	b->map_dims = d.map;
	b->n_collapsed = d.n_inserted;
	b->collapsed_dims = d.inserted;
	b->vector_dim = d.index_vector_dim;
	return true;
}

static int position_of_zero(const int64_t *v, int n)
{
	for (int i = 0; i < n; i++)
		if (v[i] == 0)
			return i;
	return -1;
}

static const attr *without(module *m, const int64_t *v, int n, int at)
{
	int64_t *kept = NEW_N(&m->ctx->scratch, int64_t, n);
	for (int i = 0, k = 0; i < n; i++)
		if (i != at)
			kept[k++] = v[i];
	return attr_i64_array(m->ctx, kept, n - 1);
}

static const attr *with_field(module *m, const attr *s, int field, const attr *to)
{
	attr changed = *s;
	const attr **list = NEW_N(&m->ctx->scratch, const attr *, s->n + 1);
	const name **names = NEW_N(&m->ctx->scratch, const name *, s->n + 1);
	int n = 0;
	for (; n < s->n; n++) {
		list[n] = name_is(s->names[n], field) ? to : s->list[n];
		names[n] = s->names[n];
	}
	if (!attr_get(s, field)) {
		list[n] = to;
		names[n++] = name_known(m->ctx, field);
	}
	changed.list = list;
	changed.names = names;
	changed.n = n;
	return attr_of(m->ctx, &changed);
}

/* Erases the op if it is unused, and then its operands likewise. */
static void erase_dead(module *m, op *o)
{
	arena *mem = &m->ctx->scratch;
	VEC(op *) stack = {0};
	vec_push(mem, &stack, o);
	while (stack.len) {
		o = stack.ptr[--stack.len];
		bool used = !o->parent || !op_is_dead_if_unused(o);
		for (int i = 0; i < o->n_results; i++)
			used |= !value_unused(result(o, i));
		if (used)
			continue;
		for (int i = 0; i < o->n_operands; i++)
			if (value_def(operand(o, i)))
				vec_push(mem, &stack, value_def(operand(o, i)));
		op_erase(o);
	}
}

static void make_batching(module *m, op *o, const batching *b, int part, int collapsed)
{
	static const int64_t first[] = {0};
	const attr *s = op_attr(o, b->attr), *zero = attr_i64_array(m->ctx, first, 1);
	s = with_field(m, s, b->map, without(m, b->map_dims, b->n_map, part));
	s = with_field(m, s, b->collapsed,
	               without(m, b->collapsed_dims, b->n_collapsed, collapsed));
	s = with_field(m, s, b->input_batch, zero);
	s = with_field(m, s, b->indices_batch, zero);
	value *indices = operand(o, b->n_inputs);
	value *kept = drop_part(m, o, indices, b->vector_dim, part);
	op_set_operand(o, b->n_inputs, kept);
	op_set_attr(m, o, b->attr, s);
	if (value_def(indices))
		erase_dead(m, value_def(indices));
}

static void find_batching(module *m, op *o)
{
	batching b;
	if (!(o->kind == OP_GATHER ? read_gather(m, o, &b) : read_scatter(m, o, &b)) || b.has_batch)
		return;
	const type *in = operand(o, 0)->type, *indices = operand(o, b.n_inputs)->type;
	if (!in->is_static || !indices->is_static || !in->rank || !indices->rank ||
	    b.vector_dim >= indices->rank || indices->dims[b.vector_dim] <= 1 ||
	    in->dims[0] != indices->dims[0])
		return;
	int part = position_of_zero(b.map_dims, b.n_map);
	int collapsed = position_of_zero(b.collapsed_dims, b.n_collapsed);
	if (part >= 0 && collapsed >= 0 &&
	    part_is_coordinate(m, operand(o, b.n_inputs), b.vector_dim, part))
		make_batching(m, o, &b, part, collapsed);
}

bool pass_explicit_gather_scatter_batching(module *m, const pass_options *o)
{
	UNUSED(o);
	for (op *i = m->top, *next; i; i = next) {
		next = op_next(i, m->top);
		if (i->kind == OP_GATHER || i->kind == OP_SCATTER)
			find_batching(m, i);
	}
	return true;
}
