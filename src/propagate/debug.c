/* debug.c - where axes came from and over which edges they went, as Shardy records it.
 *
 * Shardy derives both after each step from the factor shardings before and after. The source of new
 * axes is the first tensor that had them, operands before results. If a factor's new last sub-axis
 * continues that of the factor before, it replaces that one. Tools read the attributes
 * (debug_save.c), so Shardy's records are reproduced; what really happened is in the trail.
 *
 * Source: Shardy, propagation/debugging/source_sharding.cc. */
#include "propagate/debug_log.h"
#include "propagate/projection.h"

#include "op/op.h"

/* ---- the log ------------------------------------------------------------------------- */

static value_log *log_of_value(debug_log *l, value *v)
{
	void **at = ptr_map_at(&l->value_logs, l->mem, v);
	if (!*at) {
		value_log *log = NEW(l->mem, value_log);
		log->value = v;
		*at = log;
		vec_push(l->mem, &l->values, log);
	}
	return *at;
}

static op_log *log_of_op(debug_log *l, op *o)
{
	void **at = ptr_map_at(&l->op_logs, l->mem, o);
	if (!*at) {
		op_log *log = NEW(l->mem, op_log);
		log->op = o;
		*at = log;
		vec_push(l->mem, &l->ops, log);
	}
	return *at;
}

/* Only the first origin of an axis is kept. */
static void add_origin(debug_log *l, value *bearer, origin o)
{
	if (!bearer)
		return;
	value_log *log = log_of_value(l, bearer);
	for (int i = 0; i < log->origins.len; i++)
		if (axis_eq(log->origins.ptr[i].axis, o.axis))
			return;
	vec_push(l->mem, &log->origins, o);
}

/* ---- origins at the start ------------------------------------------------------------------- */

static void add_origins(debug_log *l, value *v, const sharding *s, origin_kind kind, int index,
                        int source)
{
	value *bearer = value_shardable(v);
	for (int d = 0; s && d < s->rank; d++)
		for (int i = 0; i < s->dims[d].n_axes; i++)
			add_origin(l, bearer, (origin){s->dims[d].axes[i], kind, index, source});
}

static void set_text_attr(debug_log *l, op *o, int known, const char *text)
{
	tess_ctx *ctx = l->m->ctx;
	op_set_attr(l->m, o, known, attr_string(ctx, name_of_z(ctx, text)));
}

static void begin_constraint(debug_log *l, op *o, int source)
{
	add_origins(l, result(o, 0), result(o, 0)->sharding, ORIGIN_CONSTRAINT, 0, source);
	set_text_attr(l, o, N_sdy_sharding_origin_name,
	              arena_printf(l->mem, "constraint_%d", source));
	value *in = operand(o, 0);
	add_origins(l, in, value_sharding(l->m, in), ORIGIN_CONSTRAINT, 0, source);
}

static const sharding *listed_sharding(const op *o, int list, int i)
{
	const attr *a = op_attr(o, list);
	return a && a->kind == AT_SHARDINGS && i < a->n ? a->shardings[i] : NULL;
}

static void begin_manual(debug_log *l, op *o, int source)
{
	block *body = op_body(o);
	for (int i = 0; body && i < body->n_args; i++) {
		add_origins(l, body->args[i], listed_sharding(o, N_in_shardings, i),
		            ORIGIN_MANUAL_INPUT, i, source);
		value *in = i < o->n_operands ? operand(o, i) : NULL;
		if (in)
			add_origins(l, in, value_sharding(l->m, in), ORIGIN_MANUAL_INPUT, i,
			            source);
	}
	for (int i = 0; i < o->n_results; i++)
		add_origins(l, result(o, i), listed_sharding(o, N_out_shardings, i),
		            ORIGIN_MANUAL_OUTPUT, i, source);
	set_text_attr(l, o, N_sdy_sharding_origin_name, arena_printf(l->mem, "mc_%d", source));
}

op *function_end(const op *f)
{
	block *body = op_body(f);
	return body ? block_terminator(body) : NULL;
}

static void begin_function(debug_log *l, op *f)
{
	block *body = op_body(f);
	op *end = function_end(f);
	for (int i = 0; body && i < body->n_args; i++)
		add_origins(l, body->args[i], body->args[i]->sharding, ORIGIN_INPUT, i, 0);
	for (int i = 0; end && i < end->n_operands && i < op_func(f)->type->n_out; i++)
		add_origins(l, operand(end, i), op_func(f)->result_shardings[i], ORIGIN_OUTPUT, i,
		            0);
}

static void begin_origins(debug_log *l)
{
	module *m = l->m;
	int n_constraints = 0, n_manual = 0;
	for (op *o = op_first_post(m->top); o; o = op_next_post(o, m->top))
		if (o->kind == OP_SDY_SHARDING_CONSTRAINT)
			begin_constraint(l, o, n_constraints++);
	for (op *o = op_first_post(m->top); o; o = op_next_post(o, m->top))
		if (op_is_manual(o))
			begin_manual(l, o, n_manual++);
	for (op *f = module_body(m)->first; f; f = f->next)
		if (op_is_func(f))
			begin_function(l, f);
}

/* The highest step in the attribute: new steps are numbered from there on. */
static int64_t last_step(const attr *a)
{
	int64_t last = -1;
	const char *at = a && a->kind == AT_OPAQUE ? a->text->s : "";
	while ((at = strstr(at, "step-"))) {
		int64_t step = 0;
		for (at += 5; *at >= '0' && *at <= '9' && step < INT32_MAX; at++)
			step = step * 10 + (*at - '0');
		last = max_i64(last, step);
	}
	return last;
}

debug_log *debug_begin(module *m, const pass_options *o, arena *mem)
{
	if (!o->debug_origins && !o->debug_edges)
		return NULL;
	debug_log *l = NEW(mem, debug_log);
	*l = (debug_log){.m = m, .mem = mem, .origins = o->debug_origins, .edges = o->debug_edges};
	for (op *i = op_next(m->top, m->top); i; i = op_next(i, m->top))
		l->step = max_i64(l->step, last_step(op_attr(i, N_sdy_propagation_edges)) + 1);
	if (l->origins)
		begin_origins(l);
	return l;
}

/* ---- one step ------------------------------------------------------------------------------- */

typedef struct new_axis {
	axis_ref axis;
	int from; /* tensor */
} new_axis;
typedef VEC(new_axis) new_axes;

static void note_axis(debug_log *l, new_axes *out, axis_ref a, int from)
{
	for (int i = 0; i < out->len; i++)
		if (axis_eq(out->ptr[i].axis, a))
			return;
	vec_push(l->mem, out, (new_axis){a, from});
}

static void drop_axis(new_axes *out, axis_ref a)
{
	for (int i = 0; i < out->len; i++)
		if (axis_eq(out->ptr[i].axis, a))
			out->ptr[i--] = out->ptr[--out->len];
}

/* Collects the axes that one factor of a dimension got. *before is the last axis that the factor
 * before it got, if *follows. */
static void note_factor(debug_log *l, const projection *p, int tensor, int factor,
                        axis_ref *before, bool *follows, new_axes *out)
{
	const cell *c = cell_at(p, tensor, factor);
	if (!c->present || c->list == c->was)
		return;
	axis_list old = book_axes(p->b, c->was, l->mem), now = book_axes(p->b, c->list, l->mem);
	axis_ref *axes = COPY_N(l->mem, now.ptr, now.n);
	axis_ref last = axes[now.n - 1];
	if (*follows && axis_can_merge(*before, last)) {
		drop_axis(out, *before);
		axes[now.n - 1] = axis_merge(*before, last, p->mesh);
	}
	*before = last;
	*follows = true;
	int from = projection_source(p, tensor, factor);
	if (from < 0)
		return;
	if (old.n && !axis_eq(old.ptr[old.n - 1], axes[old.n - 1]))
		note_axis(l, out, axes[old.n - 1], from);
	for (int i = old.n; i < now.n; i++)
		note_axis(l, out, axes[i], from);
}

static new_axes axes_of_step(debug_log *l, const projection *p, int tensor)
{
	const tensor_factors *t = &p->rule->tensors[tensor];
	new_axes out = {0};
	for (int d = 0; d < t->rank; d++) {
		axis_ref before = {0};
		bool follows = false;
		for (int i = 0; i < t->dims[d].n; i++)
			note_factor(l, p, tensor, t->dims[d].factors[i], &before, &follows, &out);
	}
	return out;
}

static edge_end end_of_tensor(const projection *p, int tensor)
{
	bool result = tensor >= p->n_operands;
	return (edge_end){result, result ? tensor - p->n_operands : tensor};
}

/* The origin of the axis, or else of one that it is a part of, or that is a part of it: an axis may
 * have been split or merged on its way. */
static const origin *find_origin(debug_log *l, value *bearer, axis_ref a)
{
	const value_log *log = bearer ? ptr_map_get(&l->value_logs, bearer) : NULL;
	for (int i = 0; log && i < log->origins.len; i++)
		if (axis_eq(log->origins.ptr[i].axis, a))
			return &log->origins.ptr[i];
	for (int i = 0; log && i < log->origins.len; i++)
		if (axis_contains(log->origins.ptr[i].axis, a) ||
		    axis_contains(a, log->origins.ptr[i].axis))
			return &log->origins.ptr[i];
	return NULL;
}

static void add_edge_record(debug_log *l, op *o, edge_record e)
{
	if (l->edges)
		vec_push(l->mem, &log_of_op(l, o)->edges, e);
}

static void copy_origin(debug_log *l, value *from, value *to, axis_ref a)
{
	const origin *o = l->origins ? find_origin(l, from, a) : NULL;
	if (o)
		add_origin(l, to, (origin){a, o->kind, o->index, o->source});
}

static void add_new_axis(debug_log *l, const debug_step *s, int tensor, const new_axis *a)
{
	add_edge_record(l, s->op,
	         (edge_record){a->axis, end_of_tensor(s->p, a->from), end_of_tensor(s->p, tensor),
	                       l->step});
	copy_origin(l, s->bearers[a->from], s->bearers[tensor], a->axis);
}

void debug_add_constraint(debug_log *l, op *c)
{
	const sharding *s = result(c, 0)->sharding;
	value *to = value_shardable(operand(c, 0));
	for (int d = 0; d < s->rank; d++)
		for (int i = 0; i < s->dims[d].n_axes; i++) {
			axis_ref a = s->dims[d].axes[i];
			add_edge_record(l, c, (edge_record){a, {true, 0}, {false, 0}, l->step});
			copy_origin(l, result(c, 0), to, a);
		}
	l->step += s->rank || s->n_replicated || s->n_unreduced;
}

void debug_add_step(debug_log *l, const debug_step *s)
{
	const projection *p = s->p;
	for (int t = 0; t < p->n_tensors; t++) {
		new_axes axes = axes_of_step(l, p, t);
		for (int i = 0; i < axes.len; i++)
			add_new_axis(l, s, t, &axes.ptr[i]);
	}
	l->step++;
}
