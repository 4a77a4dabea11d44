/* lint_values.c - finds values that are replicated, padded or cut too small, unused axes, and
 * redundant work. */
#include "report/lint_walk.h"

static int64_t copies_waste(const lint_walk *w, const value *v)
{
	const mesh *m = mesh_under(w, sharding_under(w, v));
	int64_t bytes = type_bytes(v->type);
	if (!m || bytes <= 0 || !type_is_tensor(v->type))
		return 0;
	return mul_capped(bytes, m->n_devices / shard_count(w, v) - 1);
}

/* ---- replication -------------------------------------------------------------------- */

/* True if the value is computed elementwise from a replicated value that was itself reported. */
static bool follows_whole(const lint_walk *w, const value *v)
{
	const op *o = value_def(v);
	for (int i = 0; o && op_has(o, ELEMENTWISE) && i < o->n_operands; i++)
		if (type_bytes(operand(o, i)->type) >= w->in->large &&
		    shard_count(w, operand(o, i)) == 1)
			return true;
	return false;
}

static bool remade_cheaply(const value *v)
{
	const op *o = value_def(v);
	return o && (op_has(o, CONSTANT) || o->kind == OP_IOTA || o->kind == OP_BROADCAST_IN_DIM ||
	             o->kind == OP_SDY_SHARDING_CONSTRAINT);
}

/* Returns argument `i` of f's counterpart in `m`, another state of the program; NULL if that is
 * gone or has fewer arguments. */
static const value *argument_in(const module *m, const op *f, int i)
{
	const op *g = f && op_symbol(f) ? module_lookup(m, op_symbol(f)) : NULL;
	bool has = g && op_is_func(g) && !func_is_declaration(g) && i < op_body(g)->n_args;
	return has ? op_body(g)->args[i] : NULL;
}

/* Returns the argument in the program as given; NULL if `v` is not a function argument. */
static const value *given_argument(const lint_walk *w, const value *v)
{
	const op *f = value_def(v) ? NULL : value_op(v);
	return f && op_is_func(f) ? argument_in(w->in->given, f, (int)v->index) : NULL;
}

/* True if the argument's sharding does not divide it evenly and was therefore replaced. */
static bool sharding_dropped(const lint_walk *w, const value *given)
{
	const value *v = argument_in(w->in->global, value_op(given), (int)given->index);
	const mesh *m = mesh_under(w, given->sharding);
	for (int d = 0; m && v && d < given->sharding->rank && type_is_tensor(v->type); d++)
		if (v->type->dims[d] % sharding_dim_shards(given->sharding, d, m))
			return v->sharding != given->sharding;
	return false;
}

static void check_replicated(lint_walk *w, const value *v)
{
	const mesh *m = mesh_under(w, sharding_under(w, v));
	if (!m || m->n_devices < 2 || !type_is_tensor(v->type) || shard_count(w, v) > 1 ||
	    type_bytes(v->type) < w->in->large || remade_cheaply(v) || follows_whole(w, v))
		return;
	const value *argument = given_argument(w, v);
	if (argument && argument->sharding && sharding_dropped(w, argument))
		return; /* reported by check_arguments() */
	found(w,
	      (finding){.kind = argument && !argument->sharding ? LINT_UNSHARDED_ARGUMENT
	                                                        : LINT_LARGE_REPLICATED,
	                .v = v,
	                .bytes = copies_waste(w, v),
	                .advice = argument ? "give it a sharding in in_shardings"
	                                   : "constrain it with with_sharding_constraint, or see "
	                                     "`tess explain` for what stopped its axes"},
	      "%s is whole on each of %" PRId64 " devices", value_words(w, v), m->n_devices);
}

/* `then`: the consequence, or "". */
static void check_size(lint_walk *w, const value *v, int d, int64_t k, const char *then)
{
	int64_t n = v->type->dims[d], pad = ceil_div(n, k) * k - n;
	if (n == 0)
		return;
	int64_t waste = mul_capped(max_i64(type_bytes(v->type), 0) / n, pad);
	if (n < k)
		found(w, (finding){.kind = LINT_EMPTY_SHARDS, .v = v, .bytes = waste,
		                   .advice = "shard it over fewer or smaller axes"},
		      "dimension %d of %s has %" PRId64 " elements over %" PRId64 " shards%s", d,
		      value_words(w, v), n, k, *then ? then : ": some hold nothing but padding");
	else if (pad)
		found(w,
		      (finding){
			      .kind = LINT_NON_DIVISIBLE,
			      .v = v,
			      .bytes = waste,
			      .advice =
				      "choose a size that is a multiple of the shards, or other axes"},
		      "dimension %d of %s has %" PRId64 " elements over %" PRId64
		      " shards, %" PRId64 " are padding%s",
		      d, value_words(w, v), n, k, pad, then);
}

/* True if an operand has a dimension of this size in as many shards, so that the same has been
 * reported there. */
static bool follows_uneven(const lint_walk *w, const op *o, int64_t size, int64_t shards)
{
	for (int i = 0; i < o->n_operands; i++) {
		const value *v = operand(o, i);
		const sharding *s = sharding_under(w, v);
		const mesh *m = mesh_under(w, s);
		if (!s || !m || !type_is_tensor(v->type) || s->rank != v->type->rank)
			continue;
		for (int d = 0; d < s->rank; d++)
			if (v->type->dims[d] == size && sharding_dim_shards(s, d, m) == shards)
				return true;
	}
	return false;
}

/* Vector units and links transfer at least this many bytes at a time. */
static void check_tiny(lint_walk *w, const value *v, int64_t k)
{
	enum { LEAST = 32 };
	int minor = v->type->rank - 1;
	int64_t bytes = ceil_div(v->type->dims[minor], k) * dtype_bytes(v->type->dtype);
	if (k > 1 && bytes < LEAST && type_bytes(v->type) >= w->in->large &&
	    v->type->dims[minor] * dtype_bytes(v->type->dtype) >= LEAST)
		found(w,
		      (finding){.kind = LINT_TINY_SHARDS,
		                .v = v,
		                .bytes = type_bytes(v->type),
		                .advice = "shard a major dimension in the place of the last one"},
		      "a row of a shard of %s holds %" PRId64 " bytes", value_words(w, v), bytes);
}

static void check_divisible(lint_walk *w, const value *v)
{
	const sharding *s = sharding_under(w, v);
	const mesh *m = mesh_under(w, s);
	if (!s || !m || !type_is_tensor(v->type) || !v->type->is_static || s->rank != v->type->rank)
		return;
	for (int d = 0; d < v->type->rank; d++) {
		int64_t k = sharding_dim_shards(s, d, m);
		if (k > 1 && value_def(v) && !follows_uneven(w, value_def(v), v->type->dims[d], k))
			check_size(w, v, d, k, "");
		if (d == v->type->rank - 1)
			check_tiny(w, v, k);
	}
}

/* Arguments and results of a program are never padded: an annotation that does not divide one
 * evenly is reduced to one that does, which few people expect. */
static void check_arguments(lint_walk *w)
{
	const op *f = module_main(w->in->given);
	const block *b = f ? op_body(f) : NULL;
	for (int i = 0; b && i < b->n_args; i++) {
		const value *v = b->args[i];
		const mesh *m = v->sharding ? sharding_mesh(w->in->given, v->sharding) : NULL;
		const value *outside = argument_in(w->in->global, f, i);
		if (!m || !outside || !type_is_tensor(v->type) || !v->type->is_static ||
		    v->sharding->rank != v->type->rank)
			continue;
		const char *then = arena_printf(w->mem, "; outside of the program it is %s instead",
		                                sharding_words(w, outside->sharding));
		for (int d = 0; d < v->type->rank; d++) {
			int64_t k = sharding_dim_shards(v->sharding, d, m);
			if (k > 1)
				check_size(w, v, d, k, sharding_dropped(w, v) ? then : "");
		}
	}
}

static void check_constant(lint_walk *w, const value *v)
{
	const attr *a = value_def_has(v, CONSTANT) ? op_attr(value_def(v), N_value) : NULL;
	if (a && a->kind == AT_DENSE && !a->splat && type_bytes(v->type) >= w->in->large)
		found(w,
		      (finding){
			      .kind = LINT_LARGE_CONSTANT,
			      .v = v,
			      .bytes = copies_waste(w, v),
			      .advice =
				      "pass it as an argument with a sharding: in the program it is "
				      "compiled in, and every device gets all of it"},
		      "%s is a constant", value_words(w, v));
}

/* ---- axes ---------------------------------------------------------------------------- */

static bool shards_over(const module *m, const name *axis)
{
	axis_ref a = axis_full(axis);
	for (const op *o = m->top; o; o = op_next(o, m->top)) {
		for (int i = 0; i < o->n_results; i++)
			if (o->results[i].sharding && sharding_uses_axis(o->results[i].sharding, a))
				return true;
		const block *b = op_func(o) ? op_body(o) : NULL;
		for (int i = 0; b && i < b->n_args; i++)
			if (b->args[i]->sharding && sharding_uses_axis(b->args[i]->sharding, a))
				return true;
		const attr *manual = op_attr(o, N_manual_axes);
		for (int i = 0; manual && i < manual->n; i++)
			if (manual->list[i]->text == axis)
				return true;
	}
	return false;
}

/* Returns the op that declares the mesh. */
static const op *mesh_op(const module *m, const mesh *me)
{
	for (const op *o = module_body(m)->first; o; o = o->next) {
		if (op_declared_mesh(o) == me)
			return o;
	}
	return NULL;
}

static void check_axes(lint_walk *w)
{
	const mesh *m = w->in->mesh;
	const op *at = m ? mesh_op(w->in->global, m) : NULL;
	for (int i = 0; m && i < m->n_axes; i++)
		if (m->axes[i].size > 1 && !shards_over(w->in->global, m->axes[i].name))
			found(w,
			      (finding){
				      .kind = LINT_UNUSED_AXIS,
				      .o = at,
				      .advice =
					      "drop the axis from the mesh, or shard something over it"},
			      "axis \"%s\" of size %" PRId64 " shards nothing: %" PRId64
			      " times the same work is done",
			      m->axes[i].name->s, m->axes[i].size, m->axes[i].size);
}

/* ---- redundant work ------------------------------------------------------------------------- */

static bool op_uses_axis(const lint_walk *w, const op *o, axis_ref a)
{
	for (int i = 0; i < o->n_results; i++)
		if (o->results[i].sharding && sharding_uses_axis(o->results[i].sharding, a))
			return true;
	for (int i = 0; i < o->n_operands; i++)
		if (sharding_under(w, operand(o, i)) &&
		    sharding_uses_axis(sharding_under(w, operand(o, i)), a))
			return true;
	return false;
}

static bool in_manual(const op *o)
{
	return op_enclosing(o, OP_SDY_MANUAL_COMPUTATION);
}

typedef void product_fn(lint_walk *w, const op *o, double flops, double total);

/* Calls `fn` for every matrix product and convolution outside manual computations, and returns the
 * sum of their FLOPs. `total` is passed on; the sum itself is computed by a first call without
 * `fn`. */
static double each_product(lint_walk *w, product_fn *fn, double total)
{
	const module *m = w->in->global;
	double sum = 0;
	for (const op *o = m->top; o; o = op_next(o, m->top)) {
		if (!op_has(o, PRODUCT) || in_manual(o))
			continue;
		double flops = op_work(m, o).flops;
		sum += flops;
		if (fn)
			fn(w, o, flops, total);
	}
	return sum;
}

/* Reports that all devices along an axis compute the same: operands and result do not use it. */
static void check_product(lint_walk *w, const op *o, double flops, double total)
{
	const double share = 0.02; /* of all products' FLOPs; smaller products are not reported */
	const mesh *m = mesh_under(w, o->results[0].sharding);
	if (!m || flops < share * total || type_bytes(o->results[0].type) < w->in->large)
		return;
	for (int i = 0; i < m->n_axes; i++)
		if (m->axes[i].size > 1 && !op_uses_axis(w, o, axis_full(m->axes[i].name)) &&
		    shards_over(w->in->global, m->axes[i].name))
			found(w,
			      (finding){
				      .kind = LINT_REDUNDANT_COMPUTE,
				      .v = &o->results[0],
				      .o = o,
				      .advice =
					      "shard the batch, or another dimension of the product, over "
					      "the axis"},
			      "%s is computed %" PRId64
			      " times over: no operand and no dimension uses axis \"%s\"",
			      value_words(w, &o->results[0]), m->axes[i].size, m->axes[i].name->s);
}

void lint_values(lint_walk *w)
{
	each_value(w, w->in->global, check_replicated);
	each_value(w, w->in->global, check_divisible);
	check_arguments(w);
	each_value(w, w->in->global, check_constant);
	check_axes(w);
	each_product(w, check_product, each_product(w, NULL, 0));
}
