/* shrink.c - a program with smaller dimensions.
 *
 * Dimensions that an operation ties together (factors of its sharding rule, data flow, calls) form
 * classes, and a class shrinks as a whole. A dimension that a reshape makes of others has their
 * product as its size. Sizes that an operation states as numbers stay as they are: constants,
 * windows, slices of part of a dimension, any operation without a rule.
 *
 * Cut into shards, the new size leaves as many elements over as the old one, so that what was
 * uneven stays uneven. */
#include "op/op.h"

typedef struct dim_class {
	int parent;
	bool fixed;
	int64_t size, now, shards;
	int n_parts;      /* dimensions of which it is the product, major to minor; 0: none */
	const int *parts;
} dim_class;

typedef struct shrinker {
	module *m;
	arena *mem;
	int *first; /* by value id: the number of its first dimension; -1: none */
	int n;
	dim_class *dims;
} shrinker;

static int class_root(shrinker *s, int d)
{
	while (s->dims[d].parent != d)
		d = s->dims[d].parent = s->dims[s->dims[d].parent].parent;
	return d;
}

static int shrink_dim_of(const shrinker *s, const value *v, int d)
{
	return s->first[v->id] < 0 ? -1 : s->first[v->id] + d;
}

static void fix_dim(shrinker *s, int d)
{
	if (d >= 0)
		s->dims[class_root(s, d)].fixed = true;
}

static void fix_value(shrinker *s, const value *v)
{
	for (int d = 0; s->first[v->id] >= 0 && d < v->type->rank; d++)
		fix_dim(s, s->first[v->id] + d);
}

static void fix_op(shrinker *s, const op *o)
{
	for (int i = 0; i < o->n_operands; i++)
		fix_value(s, operand(o, i));
	for (int i = 0; i < o->n_results; i++)
		fix_value(s, result(o, i));
}

static void tie_dims(shrinker *s, int a, int b)
{
	if (a < 0 || b < 0) {
		fix_dim(s, a);
		fix_dim(s, b);
		return;
	}
	a = class_root(s, a);
	b = class_root(s, b);
	if (a == b)
		return;
	dim_class *to = &s->dims[a], *from = &s->dims[b];
	from->parent = a;
	to->fixed |= from->fixed || to->size != from->size || (to->n_parts && from->n_parts);
	to->shards = max_i64(to->shards, from->shards);
	for (int i = 0; from->n_parts && i < to->n_parts; i++) /* these of `to` are forgotten */
		fix_dim(s, to->parts[i]);
	if (from->n_parts) {
		to->n_parts = from->n_parts;
		to->parts = from->parts;
	}
}

static void tie_values(shrinker *s, const value *a, const value *b)
{
	if (a->type != b->type) {
		fix_value(s, a);
		fix_value(s, b);
		return;
	}
	for (int d = 0; s->first[a->id] >= 0 && d < a->type->rank; d++)
		tie_dims(s, shrink_dim_of(s, a, d), shrink_dim_of(s, b, d));
}

/* ---- dimensions ------------------------------------------------------------------------ */

static void number_dims(shrinker *s, const value *v)
{
	s->first[v->id] = -1;
	if (!type_is_tensor(v->type) || !v->type->is_static || v->type->elem->kind == TY_QUANT)
		return;
	s->first[v->id] = s->n;
	const sharding *sh = value_sharding(s->m, v);
	const mesh *in = sh && sh->rank == v->type->rank ? sharding_mesh(s->m, sh) : NULL;
	for (int d = 0; d < v->type->rank; d++)
		s->dims[s->n + d] = (dim_class){.parent = s->n + d, .size = v->type->dims[d],
		                                .shards = in ? sharding_dim_shards(sh, d, in) : 1};
	s->n += v->type->rank;
}

typedef void visit_value(shrinker *s, const value *v);
static void visit_values(shrinker *s, visit_value *visit)
{
	for (op *o = s->m->top; o; o = op_next(o, s->m->top)) {
		for (int i = 0; i < o->n_results; i++)
			visit(s, result(o, i));
		for (int r = 0; r < op_n_regions(o); r++)
			for (block *b = op_region(o, r)->first; b; b = b->next)
				for (int i = 0; i < b->n_args; i++)
					visit(s, b->args[i]);
	}
}

static void count_dims(shrinker *s, const value *v)
{
	s->n += type_is_tensor(v->type) ? v->type->rank : 0;
}

/* ---- ties ---------------------------------------------------------------------------------- */

static value *tensor_of_op(const op *o, int t)
{
	return t < o->n_operands ? operand(o, t) : result(o, t - o->n_operands);
}

/* A dimension whose only factor is f; -1: none. */
static int single_dim(const shrinker *s, const op *o, const sharding_rule *r, int f)
{
	for (int t = 0; t < r->n_operands + r->n_results; t++)
		for (int d = 0; d < r->tensors[t].rank; d++)
			if (r->tensors[t].dims[d].n == 1 && r->tensors[t].dims[d].factors[0] == f &&
			    shrink_dim_of(s, tensor_of_op(o, t), d) >= 0)
				return shrink_dim_of(s, tensor_of_op(o, t), d);
	return -1;
}

static bool is_plain_factor(const sharding_rule *r, int f)
{
	const factor_set *sets[] = {&r->need_replication, &r->permutation};
	for (int k = 0; k < COUNT(sets); k++)
		for (int i = 0; i < sets[k]->n; i++)
			if (sets[k]->factors[i] == f)
				return false;
	return true;
}

/* A dimension with several factors is the product of the dimensions that have one each. */
static void make_product(shrinker *s, const op *o, const sharding_rule *r, int dim,
                         const dim_factors *f)
{
	int *parts = NEW_N(s->mem, int, f->n), n = 0;
	bool whole = true;
	int64_t product = 1;
	for (int i = 0; i < f->n; i++) {
		int part = single_dim(s, o, r, f->factors[i]);
		if (r->sizes[f->factors[i]] == 1)
			continue;
		whole &= part >= 0 && is_plain_factor(r, f->factors[i]);
		product *= r->sizes[f->factors[i]];
		parts[n++] = part;
	}
	dim_class *c = &s->dims[class_root(s, dim)];
	if (whole && product == c->size && !c->n_parts) {
		c->n_parts = n;
		c->parts = parts;
		return;
	}
	for (int i = 0; i < n; i++)
		fix_dim(s, parts[i]);
	fix_dim(s, dim);
}

/* True if dimension d has a running sum: the window is as large as the dimension, and the padding
 * on one side is all but one element. */
static bool window_runs(const shrinker *s, const op *o, int d)
{
	int n, n_pad, n_stride, n_dilation, n_base;
	if (o->kind != OP_REDUCE_WINDOW)
		return false;
	const int64_t *window = op_ints(s->m, o, N_window_dimensions, &n);
	const int64_t *pad = op_ints(s->m, o, N_padding, &n_pad);
	const int64_t *stride = op_ints(s->m, o, N_window_strides, &n_stride);
	const int64_t *dilation = op_ints(s->m, o, N_window_dilations, &n_dilation);
	const int64_t *base = op_ints(s->m, o, N_base_dilations, &n_base);
	if (d >= n || n_pad != 2 * n || window[d] != operand(o, 0)->type->dims[d])
		return false;
	int64_t low = pad[2 * d], high = pad[2 * d + 1], most = window[d] - 1;
	return ((low == most && !high) || (high == most && !low)) &&
	       (d >= n_stride || stride[d] == 1) && (d >= n_dilation || dilation[d] == 1) &&
	       (d >= n_base || base[d] == 1);
}

static void tie_by_rule(shrinker *s, const op *o, const sharding_rule *r)
{
	for (int t = 0; t < r->n_operands + r->n_results; t++)
		for (int d = 0; d < r->tensors[t].rank; d++) {
			const dim_factors *f = &r->tensors[t].dims[d];
			int dim = shrink_dim_of(s, tensor_of_op(o, t), d);
			if (dim < 0 || !f->n)
				continue;
			if (f->n == 1 &&
			    (is_plain_factor(r, f->factors[0]) || window_runs(s, o, d)))
				tie_dims(s, single_dim(s, o, r, f->factors[0]), dim);
			else if (f->n == 1)
				fix_dim(s, dim);
		}
	for (int t = 0; t < r->n_operands + r->n_results; t++)
		for (int d = 0; d < r->tensors[t].rank; d++) {
			int dim = shrink_dim_of(s, tensor_of_op(o, t), d);
			if (dim >= 0 && r->tensors[t].dims[d].n > 1)
				make_product(s, o, r, dim, &r->tensors[t].dims[d]);
		}
}

static void tie_flow(shrinker *s, const op *o)
{
	for (int i = 0; i < o->n_results; i++) {
		if (i < o->n_operands && !op_is_branch(o))
			tie_values(s, operand(o, i), result(o, i));
		for (int r = 0; r < op_n_regions(o); r++) {
			const block *b = op_block(o, r);
			if (b && i < b->n_args)
				tie_values(s, result(o, i), b->args[i]);
			if (b && b->last && b->last->n_operands == o->n_results)
				tie_values(s, result(o, i), operand(b->last, i));
		}
	}
}

static void tie_call(shrinker *s, const op *o)
{
	const op *f = call_callee(s->m, o);
	const block *b = f ? op_body(f) : NULL;
	if (!b || b->n_args != o->n_operands || b->last->n_operands != o->n_results) {
		fix_op(s, o);
		return;
	}
	for (int i = 0; i < o->n_operands; i++)
		tie_values(s, operand(o, i), b->args[i]);
	for (int i = 0; i < o->n_results; i++)
		tie_values(s, result(o, i), operand(b->last, i));
}

/* True if the numbers in the op can be adapted, or it has none. */
static bool adapts(const op *o)
{
	switch (o->kind) {
	case OP_CUSTOM_CALL:
	case OP_FFT:
	case OP_RNG_BIT_GENERATOR:
	case OP_GET_DIMENSION_SIZE:
	case OP_UNKNOWN: return false;
	}
	return true;
}

/* Windows and the dimensions that they move over keep their sizes, except running sums, whose
 * windows are as large as the dimension. */
static void fix_windows(shrinker *s, const op *o)
{
	conv_dims c;
	int n;
	if (o->kind == OP_CONVOLUTION && op_conv_dims(s->m, o, &c)) {
		for (int i = 0; i < c.n_spatial; i++) {
			fix_dim(s, shrink_dim_of(s, operand(o, 0), (int)c.in_spatial[i]));
			fix_dim(s, shrink_dim_of(s, operand(o, 1), (int)c.k_spatial[i]));
			fix_dim(s, shrink_dim_of(s, result(o, 0), (int)c.out_spatial[i]));
		}
		if (c.feature_groups > 1 || c.batch_groups > 1)
			fix_op(s, o);
	}
	if (o->kind != OP_REDUCE_WINDOW && o->kind != OP_SELECT_AND_SCATTER)
		return;
	const int64_t *window = op_ints(s->m, o, N_window_dimensions, &n);
	for (int d = 0; d < n; d++)
		for (int t = 0; window[d] != 1 && !window_runs(s, o, d) &&
		                t < o->n_operands + o->n_results;
		     t++)
			if (tensor_of_op(o, t)->type->rank == n)
				fix_dim(s, shrink_dim_of(s, tensor_of_op(o, t), d));
}

/* The body of a manual computation has sizes of parts. */
static void fix_borders(shrinker *s, const op *o)
{
	const block *b = op_body(o);
	fix_op(s, o);
	for (int i = 0; b && i < b->n_args; i++)
		fix_value(s, b->args[i]);
	if (b && b->last)
		fix_op(s, b->last);
}

static void tie_op(shrinker *s, const op *o)
{
	if (op_has(o, LISTED)) {
		fix_borders(s, o);
		return;
	}
	if (op_has(o, CONTROL | DATA_FLOW)) {
		tie_flow(s, o);
		return;
	}
	if (op_callee_attr(o->kind)) {
		tie_call(s, o);
		return;
	}
	if (op_is_func(o) || op_has(o, TERMINATOR) || o->kind == OP_SDY_MESH || o->kind == OP_IOTA)
		return;
	if (op_has(o, CONSTANT)) {
		if (!op_is_splat(o))
			fix_op(s, o);
		return;
	}
	if (op_has(o, ANNOTATES)) {
		tie_values(s, operand(o, 0), result(o, 0));
		return;
	}
	const sharding_rule *r = adapts(o) ? op_rule(s->m, o, RULE_BEYOND_SHARDY, s->mem) : NULL;
	if (r)
		tie_by_rule(s, o, r);
	else
		fix_op(s, o);
	fix_windows(s, o);
}

/* ---- sizes ------------------------------------------------------------------------------- */

/* A product that has a product as a part is fixed, and so are the parts of a fixed product. */
static void settle_products(shrinker *s)
{
	for (bool changed = true; changed;) {
		changed = false;
		for (int d = 0; d < s->n; d++) {
			dim_class *c = &s->dims[d];
			if (c->parent != d || !c->n_parts)
				continue;
			bool part_is_product = false;
			for (int i = 0; i < c->n_parts; i++)
				part_is_product |= s->dims[class_root(s, c->parts[i])].n_parts > 0;
			if (part_is_product && !c->fixed)
				c->fixed = changed = true;
			for (int i = 0; c->fixed && i < c->n_parts; i++) {
				dim_class *part = &s->dims[class_root(s, c->parts[i])];
				changed |= !part->fixed;
				part->fixed = true;
			}
		}
	}
}

static int64_t smaller_size(const dim_class *c)
{
	int64_t some = c->shards > 1 ? 2 * c->shards + c->size % c->shards : 4 + c->size % 2;
	return c->fixed ? c->size : min_i64(c->size, some);
}

static void choose_sizes(shrinker *s)
{
	for (int d = 0; d < s->n; d++)
		if (s->dims[d].parent == d && !s->dims[d].n_parts)
			s->dims[d].now = smaller_size(&s->dims[d]);
	for (int d = 0; d < s->n; d++) {
		dim_class *c = &s->dims[d];
		if (c->parent != d || !c->n_parts)
			continue;
		c->now = c->fixed ? c->size : 1;
		for (int i = 0; !c->fixed && i < c->n_parts; i++)
			c->now *= s->dims[class_root(s, c->parts[i])].now;
	}
}

/* ---- rewriting ------------------------------------------------------------------------------ */

/* A class with several sizes is fixed: each dimension keeps its own. */
static int64_t new_size(shrinker *s, int d)
{
	const dim_class *c = &s->dims[class_root(s, d)];
	return c->fixed ? s->dims[d].size : c->now;
}

static const type *new_type(shrinker *s, const value *v)
{
	int64_t *dims = NEW_N(s->mem, int64_t, v->type->rank + 1);
	if (s->first[v->id] < 0)
		return v->type;
	for (int d = 0; d < v->type->rank; d++)
		dims[d] = new_size(s, s->first[v->id] + d);
	return type_with_dims(s->m->ctx, v->type, dims, v->type->rank);
}

/* Adapts the numbers that mean "all of the dimension". */
static void adapt_sizes(shrinker *s, op *o, int known, const value *whole)
{
	int n;
	const int64_t *old = op_ints(s->m, o, known, &n);
	if (n != whole->type->rank || s->first[whole->id] < 0)
		return;
	int64_t *now = COPY_N(s->mem, old, n);
	for (int d = 0; d < n; d++)
		if (old[d] == whole->type->dims[d])
			now[d] = new_size(s, s->first[whole->id] + d);
	op_set_attr(s->m, o, known, attr_i64_array(s->m->ctx, now, n));
}

/* The padding of a running sum is the dimension less one element. */
static void adapt_running(shrinker *s, op *o)
{
	const value *in = operand(o, 0);
	const attr *a = op_attr(o, N_padding);
	int n, rank = in->type->rank;
	const int64_t *old = op_ints(s->m, o, N_padding, &n);
	if (a && n == 2 * rank && a->kind == AT_DENSE && s->first[in->id] >= 0) {
		int64_t *now = COPY_N(s->mem, old, n);
		for (int i = 0; i < n; i++)
			if (old[i] && old[i] == in->type->dims[i / 2] - 1)
				now[i] = new_size(s, s->first[in->id] + i / 2) - 1;
		op_set_attr(s->m, o, N_padding,
		            attr_dense(s->m->ctx, a->type, now, sizeof *now * (size_t)n, false));
	}
	adapt_sizes(s, o, N_window_dimensions, in);
}

static void adapt_op(shrinker *s, op *o)
{
	if (o->kind == OP_SLICE)
		adapt_sizes(s, o, N_limit_indices, operand(o, 0));
	else if (o->kind == OP_DYNAMIC_SLICE || o->kind == OP_GATHER)
		adapt_sizes(s, o, N_slice_sizes, operand(o, 0));
	else if (o->kind == OP_REDUCE_WINDOW)
		adapt_running(s, o);
	else if (op_is_splat(o)) {
		const attr *a = op_attr(o, N_value);
		op_set_attr(s->m, o, N_value,
		            attr_dense(s->m->ctx, new_type(s, result(o, 0)), a->data, a->data_len,
		                       true));
	}
}

static void adapt_function(shrinker *s, op *f)
{
	const block *b = op_body(f);
	const type *t = op_func(f)->type;
	if (!b || !b->last)
		return;
	const type **in = NEW_N(s->mem, const type *, t->n_in),
		   **out = NEW_N(s->mem, const type *, t->n_out);
	for (int i = 0; i < t->n_in; i++)
		in[i] = new_type(s, b->args[i]);
	for (int i = 0; i < t->n_out; i++)
		out[i] = new_type(s, operand(b->last, i));
	op_func(f)->type = type_list(s->m->ctx, TY_FUNCTION, in, t->n_in, out, t->n_out);
	if (op_attr(f, N_function_type))
		op_set_attr(s->m, f, N_function_type, attr_type(s->m->ctx, op_func(f)->type));
}

static void set_type(shrinker *s, const value *v)
{
	((value *)v)->type = new_type(s, v);
}

void module_shrink(module *m)
{
	shrinker s = {.m = m,
	              .mem = &m->ctx->scratch,
	              .first = NEW_N(&m->ctx->scratch, int, m->n_values)};
	visit_values(&s, count_dims);
	s.dims = NEW_N(s.mem, dim_class, s.n + 1);
	s.n = 0;
	visit_values(&s, number_dims);
	for (op *o = m->top; o; o = op_next(o, m->top))
		tie_op(&s, o);
	settle_products(&s);
	choose_sizes(&s);
	for (op *o = m->top; o; o = op_next(o, m->top))
		if (op_is_func(o))
			adapt_function(&s, o);
		else
			adapt_op(&s, o);
	visit_values(&s, set_type);
}
