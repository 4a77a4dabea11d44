/* specialise.c - a function of unknown dimensions, made one for the arguments at hand.
 *
 * One forward walk: arguments have the types of what is given, results the types that
 * their operands make, and the dynamic_… ops become the static ones when the integers
 * that say their shapes are known.  Those integers are computed by this executor itself:
 * what they depend on is cut out of the function as a program of its own, which runs on
 * the arguments.  So they may be any function of the arguments; inside of loops they may
 * depend on what the loop does not change.
 *
 * The plan then holds for arguments of the same dimensions and, where an integer was
 * computed from an argument, of the same elements (exec_plan_fits()). */
#include "exec/expand.h"

typedef struct special {
	expander e;
	exec_plan *p;
	op *func;
	const exec_value *args;
	uint8_t *read; /* by argument: a shape depends on its elements */
} special;

static bool specialise_block(special *s, block *b);

static bool op_is_dynamic(const op *o)
{
	switch (o->kind) {
	case OP_DYNAMIC_RESHAPE:
	case OP_DYNAMIC_BROADCAST_IN_DIM:
	case OP_DYNAMIC_IOTA:
	case OP_DYNAMIC_PAD:
	case OP_DYNAMIC_GATHER:
	case OP_DYNAMIC_CONV:
	case OP_REAL_DYNAMIC_SLICE:
	case OP_SET_DIMENSION_SIZE: return true;
	case OP_CUSTOM_CALL: {
		const attr *target = op_attr(o, N_call_target_name);
		return target && target->text &&
		       (!strncmp(target->text->s, "stablehlo.dynamic_", 18) ||
		        !strcmp(target->text->s, "shape_assertion"));
	}
	}
	return false;
}

/* ---- integers that the program computes ------------------------------------------------ */

typedef struct cut {
	special *s;
	module *m;   /* the program that is cut out */
	block *body;
	ptr_map map; /* of the function's values to its own */
	VEC(op *) ops;
	VEC(const op *) todo;
	VEC(int) arguments; /* of the function, that it takes */
} cut;

/* What a loop carries around unchanged is what it began with. */
static value *unchanged(value *v)
{
	while (!v->def) {
		const op *loop = block_parent(v->owner);
		if (loop->kind != OP_WHILE || operand(op_block(loop, 1)->last, (int)v->index) !=
		                                  op_block(loop, 1)->args[v->index])
			break;
		v = operand(loop, (int)v->index);
	}
	return v;
}

static bool cut_value(cut *c, const op *at, value *v)
{
	arena *mem = &c->s->p->ctx->scratch;
	value *from = unchanged(v);
	value *to = ptr_map_get(&c->map, from);
	if (!to && from->def) {
		vec_push(mem, &c->todo, from->def);
		return true;
	}
	if (!to && block_parent(from->owner) != c->s->func)
		return plan_unsupported(c->s->p, at, "a shape that a loop changes is");
	if (!to) {
		int i = (int)from->index;
		if (!c->s->args || !c->s->args[i].data || c->s->args[i].of)
			return plan_error(c->s->p, at,
			                  "its shape depends on the elements of argument %d, "
			                  "which must be the same on all devices",
			                  i);
		c->s->read[i] = true;
		to = block_add_arg(c->m, c->body, from->type);
		*ptr_map_at(&c->map, mem, from) = to;
		vec_push(mem, &c->arguments, i);
	}
	*ptr_map_at(&c->map, mem, v) = to;
	return true;
}

/* Copies of the ops that the values on the list depend on, each after those before it. */
static bool cut_ops(cut *c)
{
	arena *mem = &c->s->p->ctx->scratch;
	while (c->todo.len) {
		const op *o = c->todo.ptr[c->todo.len - 1];
		int waiting = c->todo.len;
		if (ptr_map_get(&c->map, result(o, 0))) {
			c->todo.len--;
			continue;
		}
		for (const op *k = o; k; k = op_next(k, o))
			for (int i = 0; i < k->n_operands; i++) {
				value *v = operand(k, i);
				const op *def = v->def ? v->def : block_parent(v->owner);
				bool inside = op_inside(def, o) && (v->def != o || k != o) &&
				              (def != o || !v->def);
				if (!inside && !cut_value(c, o, v))
					return false;
			}
		if (c->todo.len > waiting)
			continue;
		for (const op *k = o; k; k = op_next(k, o)) /* through loops' arguments */
			for (int i = 0; i < k->n_operands; i++) {
				void *to = ptr_map_get(&c->map, unchanged(operand(k, i)));
				if (to)
					*ptr_map_at(&c->map, mem, operand(k, i)) = to;
			}
		op_append(c->body, op_clone(c->m, o, &c->map, mem));
		c->todo.len--;
	}
	return true;
}

static bool cut_run(cut *c, const op *f, int64_t *out, const type *t)
{
	exec_opts opts = {0};
	exec_value *args = NEW_N(&c->s->p->ctx->scratch, exec_value, c->arguments.len + 1), r;
	for (int i = 0; i < c->arguments.len; i++)
		args[i] = c->s->args[c->arguments.ptr[i]];
	exec_plan *p = exec_plan_new(c->m, f, &opts, args);
	bool good = p && exec_run(p, args, &r) == TESS_OK;
	for (int64_t i = 0; good && i < t->n_elems; i++)
		out[i] = elem_get_int(t->dtype, (char *)r.data[0] + i * dtype_bytes(t->dtype));
	exec_plan_free(p);
	return good;
}

/* The elements of an integer value. */
static bool known_ints(special *s, const op *o, value *v, const int64_t **out, int *n)
{
	arena *mem = &s->p->ctx->scratch;
	const attr *a = v->def && op_has(v->def, CONSTANT) ? op_attr(v->def, N_value) : NULL;
	const type *t = v->type;
	if (!t->is_static || !dtype_is_int(t->dtype) || t->n_elems > 1 << 16)
		return plan_error(s->p, o, "its shape is not given by a few integers");
	int64_t *ints = NEW_N(mem, int64_t, t->n_elems + 1);
	*out = ints;
	*n = (int)t->n_elems;
	for (int64_t i = 0; a && i < t->n_elems; i++)
		ints[i] = attr_dense_int(a, i);
	if (a)
		return true;
	cut c = {.s = s, .m = module_new(s->p->ctx)};
	c.m->src = s->p->m->src;
	op *f = op_make(c.m, OP_FUNC_FUNC, NULL, 0, NULL, 0, 1);
	f->func = func_new(c.m, s->func->func->type);
	op_append(module_body(c.m), f);
	c.body = block_new(c.m, &f->regions[0]);
	bool good = cut_value(&c, o, v) && cut_ops(&c);
	if (good) {
		value *r = ptr_map_get(&c.map, unchanged(v));
		op_append(c.body, op_make(c.m, OP_FUNC_RETURN, &r, 1, NULL, 0, 0));
		good = cut_run(&c, f, ints, t);
	}
	module_free(c.m);
	return good;
}

/* The integers of an operand, as many as a rank. */
static const int64_t *shape_ints(special *s, const op *o, int i, int rank)
{
	const int64_t *ints = NULL;
	int n = 0;
	if (i >= o->n_operands || !known_ints(s, o, operand(o, i), &ints, &n))
		return NULL;
	if (rank >= 0 && n != rank)
		return plan_error(s->p, o, "operand %d has %d elements, expected %d", i, n, rank),
		       NULL;
	return ints;
}

/* ---- dynamic ops -------------------------------------------------------------------------- */

/* The static op with the first n operands and the same attributes. */
static op *static_op(special *s, const op *o, op_kind kind, int n, const type *t)
{
	value **in = NEW_N(&s->p->ctx->scratch, value *, n + 1);
	for (int i = 0; i < n; i++)
		in[i] = operand(o, i);
	op *made = expand_op(&s->e, kind, in, n, &t, 1, 0);
	made->attrs = (attr_list){COPY_N(&s->p->m->mem, o->attrs.ptr, o->attrs.n), o->attrs.n,
	                          o->attrs.n};
	return made;
}

static bool type_of_shape(special *s, op *o, int at, const type **t)
{
	*t = result(o, 0)->type;
	if ((*t)->is_static)
		return true;
	const int64_t *dims = shape_ints(s, o, at, (*t)->rank);
	if (!dims)
		return false;
	for (int i = 0; i < (*t)->rank; i++)
		if (dims[i] < 0)
			return plan_error(s->p, o, "dimension %d of its shape is %" PRId64, i,
			                  dims[i]);
	*t = type_with_dims(s->p->ctx, *t, dims, (*t)->rank);
	return true;
}

/* The shape is operand `at`; what is left of the op is `kind`. */
static bool specialise_shape(special *s, op *o, int at, op_kind kind)
{
	const type *t;
	if (!type_of_shape(s, o, at, &t))
		return false;
	if (kind == OP_RESHAPE && operand(o, 0)->type->n_elems != t->n_elems)
		return plan_error(s->p, o,
		                  "the operand has %" PRId64
		                  " elements, its shape asks for %" PRId64,
		                  operand(o, 0)->type->n_elems, t->n_elems);
	return expand_done(&s->e, o, result(static_op(s, o, kind, at, t), 0));
}

static void special_ints(special *s, op *o, int known, const int64_t *v, int n)
{
	op_set_attr(s->p->m, o, known, attr_i64_array(s->p->ctx, v, n));
}

/* The static op has its attributes: its result is what they make. */
static bool specialise_inferred(special *s, op *o, op *made)
{
	const type *t = result(o, 0)->type;
	if (!op_infer(s->p->m, made, &t))
		return diag_errors(s->p->ctx) ? false
		                              : plan_error(s->p, o, "its result has no shape");
	result(made, 0)->type = type_with_elem(s->p->ctx, t, result(o, 0)->type->elem);
	return expand_done(&s->e, o, result(made, 0));
}

static bool specialise_pad(special *s, op *o)
{
	int rank = operand(o, 0)->type->rank;
	const int64_t *low = shape_ints(s, o, 2, rank),
		      *high = low ? shape_ints(s, o, 3, rank) : NULL;
	const int64_t *interior = high ? shape_ints(s, o, 4, rank) : NULL;
	if (!interior)
		return false;
	op *made = static_op(s, o, OP_PAD, 2, result(o, 0)->type);
	special_ints(s, made, N_edge_padding_low, low, rank);
	special_ints(s, made, N_edge_padding_high, high, rank);
	special_ints(s, made, N_interior_padding, interior, rank);
	return specialise_inferred(s, o, made);
}

static bool specialise_slice(special *s, op *o)
{
	int rank = operand(o, 0)->type->rank;
	const int64_t *start = shape_ints(s, o, 1, rank),
		      *limit = start ? shape_ints(s, o, 2, rank) : NULL;
	const int64_t *stride = limit ? shape_ints(s, o, 3, rank) : NULL;
	if (!stride)
		return false;
	op *made = static_op(s, o, OP_SLICE, 1, result(o, 0)->type);
	special_ints(s, made, N_start_indices, start, rank);
	special_ints(s, made, N_limit_indices, limit, rank);
	special_ints(s, made, N_strides, stride, rank);
	return specialise_inferred(s, o, made);
}

static bool specialise_gather(special *s, op *o)
{
	int rank = operand(o, 0)->type->rank;
	const int64_t *sizes = shape_ints(s, o, 2, rank);
	if (!sizes)
		return false;
	op *made = static_op(s, o, OP_GATHER, 2, result(o, 0)->type);
	special_ints(s, made, N_slice_sizes, sizes, rank);
	return specialise_inferred(s, o, made);
}

/* The dimension becomes its first `size` elements. */
static bool specialise_size(special *s, op *o)
{
	const type *t = operand(o, 0)->type;
	const int64_t *size = shape_ints(s, o, 1, 1), d = op_int(o, N_dimension, 0);
	if (!size)
		return false;
	if (size[0] < 0 || size[0] > t->dims[d])
		return plan_error(s->p, o, "the size %" PRId64 " is not between 0 and %" PRId64,
		                  size[0], t->dims[d]);
	int64_t *limit = COPY_N(&s->p->ctx->scratch, t->dims, t->rank);
	int64_t *start = NEW_N(&s->p->ctx->scratch, int64_t, t->rank);
	int64_t *stride = NEW_N(&s->p->ctx->scratch, int64_t, t->rank);
	for (int i = 0; i < t->rank; i++)
		stride[i] = 1;
	limit[d] = size[0];
	op *made = static_op(s, o, OP_SLICE, 1, type_with_dims(s->p->ctx, t, limit, t->rank));
	special_ints(s, made, N_start_indices, start, t->rank);
	special_ints(s, made, N_limit_indices, limit, t->rank);
	special_ints(s, made, N_strides, stride, t->rank);
	return expand_done(&s->e, o, result(made, 0));
}

/* Elements of a dimension after padding and dilation, seen by windows. */
static int64_t windows(int64_t size, int64_t low, int64_t high, int64_t dilation, int64_t window,
                       int64_t window_dilation, int64_t stride)
{
	int64_t padded = low + (size ? (size - 1) * dilation + 1 : 0) + high;
	int64_t extent = window ? (window - 1) * window_dilation + 1 : 0;
	return padded < extent || !padded ? 0 : (padded - extent) / stride + 1;
}

static const type *convolution_type(special *s, const op *o)
{
	conv_dims c;
	const type *t = result(o, 0)->type, *in = operand(o, 0)->type, *k = operand(o, 1)->type;
	if (!op_conv_dims(s->p->m, o, &c))
		return NULL;
	int64_t *dims = NEW_N(&s->p->ctx->scratch, int64_t, t->rank);
	dims[c.out_batch] = in->dims[c.in_batch] / c.batch_groups;
	dims[c.out_feature] = k->dims[c.k_out];
	for (int i = 0; i < c.n_spatial; i++)
		dims[c.out_spatial[i]] = windows(
			in->dims[c.in_spatial[i]], c.pad_low[i], c.pad_high[i], c.lhs_dilation[i],
			k->dims[c.k_spatial[i]], c.rhs_dilation[i], c.stride[i]);
	return type_with_dims(s->p->ctx, t, dims, t->rank);
}

static bool specialise_convolution(special *s, op *o)
{
	const type *t = operand(o, 2)->type;
	const int64_t *padding = shape_ints(s, o, 2, -1);
	if (!padding)
		return false;
	const attr *dense = attr_dense(s->p->ctx, type_tensor(s->p->ctx, DT_I64, t->dims, t->rank),
	                               padding, sizeof *padding * (size_t)t->n_elems, false);
	op *made = static_op(s, o, OP_CONVOLUTION, 2, result(o, 0)->type);
	op_set_attr(s->p->m, made, N_padding, dense);
	if (!result(made, 0)->type->is_static) {
		const type *out = convolution_type(s, made);
		if (!out)
			return plan_error(s->p, o, "its dimension numbers do not fit the operands");
		result(made, 0)->type = out;
	}
	return expand_done(&s->e, o, result(made, 0));
}

static bool specialise_dynamic(special *s, op *o)
{
	s->e.at = o;
	s->e.like = o;
	switch (o->kind) {
	case OP_DYNAMIC_RESHAPE: return specialise_shape(s, o, 1, OP_RESHAPE);
	case OP_DYNAMIC_BROADCAST_IN_DIM: return specialise_shape(s, o, 1, OP_BROADCAST_IN_DIM);
	case OP_DYNAMIC_IOTA: return specialise_shape(s, o, 0, OP_IOTA);
	case OP_DYNAMIC_PAD: return specialise_pad(s, o);
	case OP_DYNAMIC_GATHER: return specialise_gather(s, o);
	case OP_DYNAMIC_CONV: return specialise_convolution(s, o);
	case OP_REAL_DYNAMIC_SLICE: return specialise_slice(s, o);
	default: return specialise_size(s, o);
	}
}

/* ---- custom calls that JAX's shape polymorphism leaves behind -------------------------------- */

static const char *custom_target(const op *o)
{
	const attr *a = op_attr(o, N_call_target_name);
	return a && a->text ? a->text->s : "";
}

/* shape_assertion(condition, numbers...) {error_message = "… {0} …"} */
static bool specialise_assertion(special *s, op *o)
{
	const int64_t *holds = shape_ints(s, o, 0, 1);
	if (!holds)
		return false;
	const attr *message = op_attr_named(o, name_of_z(s->p->ctx, "error_message"));
	if (!holds[0])
		return plan_error(s->p, o, "%s",
		                  message && message->text ? message->text->s : "does not hold");
	op_erase(o);
	return true;
}

static bool specialise_top_k(special *s, op *o)
{
	const int64_t *k = shape_ints(s, o, 1, 1);
	const type *in = operand(o, 0)->type, *types[2];
	if (!k || o->n_results != 2 || !in->rank)
		return k ? plan_error(s->p, o, "takes an operand and gives two results") : false;
	int64_t *dims = COPY_N(&s->p->ctx->scratch, in->dims, in->rank);
	dims[in->rank - 1] = k[0];
	for (int i = 0; i < 2; i++)
		types[i] = type_with_dims(s->p->ctx, result(o, i)->type, dims, in->rank);
	value *v = operand(o, 0);
	op *made = expand_op(&s->e, OP_CHLO_TOP_K, &v, 1, types, 2, 0);
	op_set_attr(s->p->m, made, N_k, attr_i64(s->p->ctx, k[0]));
	return expand_done_all(&s->e, o, (value *[]){result(made, 0), result(made, 1)});
}

static bool specialise_random(special *s, op *o)
{
	if (o->n_operands != 2 || o->n_results != 2)
		return plan_error(s->p, o, "takes a state and a shape");
	const int64_t *dims = shape_ints(s, o, 1, result(o, 1)->type->rank);
	if (!dims)
		return false;
	const type *types[2] = {
		operand(o, 0)->type,
		type_with_dims(s->p->ctx, result(o, 1)->type, dims, result(o, 1)->type->rank)};
	value *v = operand(o, 0);
	op *made = expand_op(&s->e, OP_RNG_BIT_GENERATOR, &v, 1, types, 2, 0);
	op_set_attr(s->p->m, made, N_rng_algorithm, op_attr(o, N_rng_algorithm));
	return expand_done_all(&s->e, o, (value *[]){result(made, 0), result(made, 1)});
}

static bool specialise_custom(special *s, op *o)
{
	const char *target = custom_target(o);
	s->e.at = o;
	s->e.like = o;
	if (!strcmp(target, "shape_assertion"))
		return specialise_assertion(s, o);
	if (!strcmp(target, "stablehlo.dynamic_top_k"))
		return specialise_top_k(s, o);
	if (!strcmp(target, "stablehlo.dynamic_rng_bit_generator"))
		return specialise_random(s, o);
	return plan_unsupported(s->p, o, "custom call @%s is", target);
}

/* ---- other ops ------------------------------------------------------------------------------- */

static const type *dot_type(special *s, const op *o)
{
	dot_dims d;
	const type *t = result(o, 0)->type, *a = operand(o, 0)->type, *b = operand(o, 1)->type;
	if (!op_dot_dims(s->p->m, o, &d))
		return NULL;
	int64_t *dims = NEW_N(&s->p->ctx->scratch, int64_t, a->rank + b->rank + 1);
	int n = 0;
	for (int i = 0; i < d.n_batch; i++)
		dims[n++] = a->dims[d.lhs_batch[i]];
	for (int side = 0; side < 2; side++) {
		const type *in = side ? b : a;
		for (int64_t i = 0; i < in->rank; i++) {
			bool used = false;
			for (int k = 0; k < d.n_batch; k++)
				used |= (side ? d.rhs_batch : d.lhs_batch)[k] == i;
			for (int k = 0; k < d.n_contract; k++)
				used |= (side ? d.rhs_contract : d.lhs_contract)[k] == i;
			if (!used)
				dims[n++] = in->dims[i];
		}
	}
	return n == t->rank ? type_with_dims(s->p->ctx, t, dims, n) : NULL;
}

static bool all_static(const op *o)
{
	bool all = true;
	for (int i = 0; i < o->n_results; i++)
		all &= result(o, i)->type->kind != TY_TENSOR || result(o, i)->type->is_static;
	return all;
}

/* Results of the types that the operands make. */
static bool specialise_results(special *s, op *o)
{
	tess_ctx *ctx = s->p->ctx;
	if (all_static(o))
		return true;
	const type **types = NEW_N(&ctx->scratch, const type *, o->n_results), *one = NULL;
	if (o->kind == OP_DOT || o->kind == OP_DOT_GENERAL)
		one = dot_type(s, o);
	else if (o->kind == OP_CONVOLUTION)
		one = convolution_type(s, o);
	else
		one = expand_broadcast_type(&s->e, o);
	int errors = diag_errors(ctx);
	bool inferred = !one && op_infer(s->p->m, o, types);
	if (diag_errors(ctx) > errors)
		return false;
	for (int i = 0; i < o->n_results; i++) {
		const type *t = result(o, i)->type, *like = one ? one : inferred ? types[i] : NULL;
		if (t->kind != TY_TENSOR || t->is_static)
			continue;
		if (!like && i < o->n_operands && operand(o, i)->type->rank == t->rank)
			like = operand(o, i)->type;
		else if (!like && o->n_operands && operand(o, 0)->type->rank == t->rank)
			like = operand(o, 0)->type;
		if (!like || !like->is_static)
			return plan_error(s->p, o, "the dimensions of result %d are not known", i);
		result(o, i)->type = type_with_dims(ctx, t, like->dims, like->rank);
	}
	return true;
}

static bool specialise_regions(special *s, op *o)
{
	for (int r = 0; r < o->n_regions; r++) {
		block *b = op_block(o, r);
		if (!b)
			continue;
		for (int i = 0; i < b->n_args && o->kind == OP_WHILE; i++)
			b->args[i]->type = operand(o, i)->type;
		if (!specialise_block(s, b))
			return false;
	}
	const block *last = o->n_regions ? op_block(o, o->n_regions - 1) : NULL;
	bool yields = o->kind == OP_WHILE || o->kind == OP_CASE || o->kind == OP_IF;
	for (int i = 0; yields && i < o->n_results && last && i < last->last->n_operands; i++) {
		if (o->kind == OP_WHILE && operand(last->last, i)->type != operand(o, i)->type)
			return plan_unsupported(s->p, o,
			                        "a carried value that changes its shape is");
		result(o, i)->type = operand(last->last, i)->type;
	}
	return true;
}

static bool specialise_block(special *s, block *b)
{
	for (op *o = b->first, *next; o; o = next) {
		next = o->next;
		bool good = o->kind == OP_CUSTOM_CALL && op_is_dynamic(o) ? specialise_custom(s, o)
		            : op_is_dynamic(o)
		                    ? specialise_dynamic(s, o)
		                    : specialise_regions(s, o) && specialise_results(s, o);
		if (!good)
			return false;
	}
	return true;
}

/* ---- arguments ------------------------------------------------------------------------------- */

static bool type_admits(const type *t, const type *given)
{
	if (!given || given->kind != TY_TENSOR || t->kind != TY_TENSOR || given->rank != t->rank)
		return false;
	for (int d = 0; d < t->rank; d++)
		if (t->dims[d] != DIM_DYNAMIC && t->dims[d] != given->dims[d])
			return false;
	return true;
}

static bool specialise_args(special *s)
{
	block *b = op_body(s->func);
	for (int i = 0; i < b->n_args; i++) {
		const type *t = b->args[i]->type, *given = s->args ? s->args[i].type : NULL;
		if (t->kind != TY_TENSOR || t->is_static)
			continue;
		if (!type_admits(t, given) || !given->is_static)
			return plan_error(s->p, s->func, "argument %d has unknown dimensions", i);
		b->args[i]->type = type_with_dims(s->p->ctx, t, given->dims, given->rank);
	}
	return true;
}

static bool needs_specialising(const op *func)
{
	for (int i = 0; i < op_body(func)->n_args; i++) {
		const type *t = op_body(func)->args[i]->type;
		if (t->kind == TY_TENSOR && !t->is_static)
			return true;
	}
	for (const op *o = op_body(func)->first; o; o = op_next(o, func))
		if (op_is_dynamic(o) || !all_static(o))
			return true;
	return false;
}

/* What the plan was made for, to be compared with later arguments. */
static void remember_args(special *s)
{
	exec_plan *p = s->p;
	p->n_special = op_body(s->func)->n_args;
	p->special = NEW_N(&p->mem, special_arg, p->n_special + 1);
	for (int i = 0; i < p->n_special; i++) {
		const type *t = op_body(s->func)->args[i]->type;
		p->special[i].type = t;
		if (!s->read[i])
			continue;
		size_t bytes = (size_t)type_bytes(t);
		p->special[i].data = memcpy(arena_alloc(&p->mem, bytes + 1), s->args[i].data[0],
		                            bytes);
	}
}

bool specialise_function(exec_plan *p, op *func, const exec_value *args)
{
	if (!needs_specialising(func))
		return true;
	special s = {.p = p, .func = func, .args = args,
	             .e = {.p = p, .ctx = p->ctx, .m = p->m, .mem = &p->ctx->scratch}};
	s.read = NEW_N(&p->ctx->scratch, uint8_t, op_body(func)->n_args + 1);
	if (!specialise_args(&s) || !specialise_block(&s, op_body(func)))
		return false;
	remember_args(&s);
	return true;
}

bool exec_plan_fits(const exec_plan *p, const exec_value *args)
{
	for (int i = 0; i < p->n_special; i++) {
		const special_arg *a = &p->special[i];
		if (a->type != args[i].type)
			return false;
		if (a->data && memcmp(a->data, args[i].data[0], (size_t)type_bytes(a->type)))
			return false;
	}
	return true;
}

/* Whether a function can only be planned with its arguments. */
bool exec_needs_arguments(const module *m, const op *func)
{
	for (int i = 0; i < func->func->type->n_in; i++) {
		const type *t = func->func->type->in[i];
		if (t->kind == TY_TENSOR && !t->is_static)
			return true;
	}
	for (const op *o = m->top; o && func->func->type->n_in; o = op_next(o, m->top))
		if (op_is_dynamic(o))
			return true;
	return false;
}

int exec_result_types(const exec_plan *p, const type *const **types)
{
	*types = p->result_types;
	return p->n_results;
}
