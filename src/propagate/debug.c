/* debug.c - sharding origins and propagation edges, as Shardy writes them.
 *
 * Shardy re-derives both after each step from the factor shardings before and after:
 * the source of new axes is the first tensor that had them, operands before results;
 * a factor's new last sub-axis that continues the factor before it replaces that one.
 * These attributes are read by tools, so they are reproduced; what really happened is
 * in the trail.
 *
 *   sdy.sharding_origins   {x = "input: 0"}: where each axis of a value began
 *   sdy.propagation_edges  <[{step-0 = [{"x" = operand-1 -> [operand-0, result-0]}]}]>
 *
 * Source: Shardy, propagation/debugging/source_sharding.cc. */
#include "propagate/debug.h"

#include "op/op.h"

/* ---- the log ------------------------------------------------------------------------- */

typedef enum origin_kind {
	ORIGIN_INPUT,
	ORIGIN_OUTPUT,
	ORIGIN_CONSTRAINT,
	ORIGIN_MANUAL_INPUT,
	ORIGIN_MANUAL_OUTPUT,
} origin_kind;

typedef struct origin {
	axis_ref axis;
	origin_kind kind;
	int index, source;
} origin;

/* A tensor of an op: operand-1, result-0. */
typedef struct edge_end {
	bool result;
	int index;
} edge_end;

typedef struct edge_record {
	axis_ref axis;
	edge_end from, to;
	int64_t step;
} edge_record;

/* What is known of one value, or of one op. */
typedef struct value_log {
	value *value;
	VEC(origin) origins;
} value_log;
typedef struct op_log {
	op *op;
	VEC(edge_record) edges;
} op_log;

struct debug_log {
	module *m;
	arena *mem;
	bool origins, edges;
	int64_t step;
	ptr_map value_logs, op_logs;
	VEC(value_log *) values; /* in the order in which they were met */
	VEC(op_log *) ops;
};

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

/* The first origin stays. */
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

/* ---- the beginning --------------------------------------------------------------------- */

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

static op *function_end(const op *f)
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
		if (o->kind == OP_SDY_MANUAL_COMPUTATION)
			begin_manual(l, o, n_manual++);
	for (op *f = module_body(m)->first; f; f = f->next)
		if (op_is_func(f))
			begin_function(l, f);
}

/* Steps are numbered on from those that the program has already. */
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

/* ---- a step ------------------------------------------------------------------------------ */

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

/* Axes that one factor of a dimension got.  *before is the last one that the factor
 * before it got, if any. */
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

/* The axis may have been split or merged on its way. */
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

/* ---- origins out ---------------------------------------------------------------------------- */

static const name *origin_name(debug_log *l, const origin *o)
{
	char *text = NULL;
	switch (o->kind) {
	case ORIGIN_INPUT:
		text = arena_printf(l->mem, "input: %d", o->index);
		break;
	case ORIGIN_OUTPUT:
		text = arena_printf(l->mem, "output: %d", o->index);
		break;
	case ORIGIN_CONSTRAINT:
		text = arena_printf(l->mem, "constraint_%d", o->source);
		break;
	case ORIGIN_MANUAL_INPUT:
		text = arena_printf(l->mem, "mc_%d_input: %d", o->source, o->index);
		break;
	case ORIGIN_MANUAL_OUTPUT:
		text = arena_printf(l->mem, "mc_%d_output: %d", o->source, o->index);
		break;
	}
	return name_of_z(l->m->ctx, text);
}

/* x or x:(1)2: without quotes around the name. */
static const name *axis_key(debug_log *l, axis_ref a)
{
	const char *text = axis_is_full(a)
	                       ? a.axis->s
	                       : arena_printf(l->mem, "%s:(%" PRId64 ")%" PRId64, a.axis->s, a.pre,
	                                      a.size);
	return name_of_z(l->m->ctx, text);
}

/* Entries that say `own` say "self" instead: a value's own annotation. */
static const attr *origin_dict(debug_log *l, const value_log *v, const char *own)
{
	tess_ctx *ctx = l->m->ctx;
	int n = v->origins.len;
	const name **keys = NEW_N(l->mem, const name *, n);
	const attr **values = NEW_N(l->mem, const attr *, n);
	for (int i = 0; i < n; i++) {
		const name *text = origin_name(l, &v->origins.ptr[i]);
		bool self = own && str_is(name_str(text), own);
		keys[i] = axis_key(l, v->origins.ptr[i].axis);
		values[i] = attr_string(ctx, self ? name_of_z(ctx, "self") : text);
	}
	return attr_dict(ctx, keys, values, n);
}

/* What the origins on an op or edge would call it itself; NULL: they would not. */
static const char *own_name(debug_log *l, const op *o)
{
	const attr *given = NULL;
	if (o->kind == OP_SDY_SHARDING_CONSTRAINT) {
		given = op_attr(o, N_sdy_sharding_origin_name);
		return given && given->text ? given->text->s : NULL;
	}
	const value *owner = operand(o, 0);
	const op *parent = value_op(owner);
	if (parent->kind == OP_SDY_MANUAL_COMPUTATION)
		given = op_attr(parent, N_sdy_sharding_origin_name);
	if (!given || !given->text)
		return NULL;
	return arena_printf(l->mem, "%s_%s: %u", given->text->s,
	                    value_def(owner) ? "output" : "input", owner->index);
}

static void save_on_results(debug_log *l, const value_log *v)
{
	op *o = value_def(v->value);
	tess_ctx *ctx = l->m->ctx;
	const attr *now = op_attr(o, N_sdy_sharding_origins);
	const attr **dicts = NEW_N(l->mem, const attr *, o->n_results);
	for (int i = 0; i < o->n_results; i++)
		dicts[i] = now && now->kind == AT_ARRAY && i < now->n
		                   ? now->list[i]
		                   : attr_dict(ctx, NULL, NULL, 0);
	dicts[v->value->index] = origin_dict(l, v, NULL);
	op_set_attr(l->m, o, N_sdy_sharding_origins, attr_array(ctx, dicts, o->n_results));
}

static op *enclosing_function(const value *v)
{
	op *o = value_op(v);
	while (o && !op_is_func(o))
		o = op_parent(o);
	return o;
}

static void save_on_func_result(debug_log *l, const value_log *v)
{
	op *f = enclosing_function(v->value);
	const op *end = f ? function_end(f) : NULL;
	for (const use *u = v->value->uses; u && end; u = u->next) {
		if (u->owner != end || use_index(u) >= op_func(f)->type->n_out)
			continue;
		int i = use_index(u);
		attrs_set(&l->m->mem, &op_func(f)->result_attrs[i],
		          name_known(l->m->ctx, N_sdy_sharding_origins),
		          origin_dict(l, v, arena_printf(l->mem, "output: %d", i)));
		return;
	}
}

static void save_origins(debug_log *l, const value_log *v)
{
	const value *at = v->value;
	if (!v->origins.len || (value_def(at) && !value_def(at)->parent))
		return;
	save_on_func_result(l, v);
	if (value_def(at) && (value_def(at)->kind == OP_SDY_SHARDING_CONSTRAINT ||
	                      value_def(at)->kind == OP_SDY_DATA_FLOW_EDGE)) {
		op_set_attr(l->m, value_def(at), N_sdy_sharding_origins,
		            origin_dict(l, v, own_name(l, value_def(at))));
	} else if (value_def(at)) {
		save_on_results(l, v);
	} else if (op_is_func(value_op(at))) {
		attrs_set(&l->m->mem, &op_func(value_op(at))->arg_attrs[at->index],
		          name_known(l->m->ctx, N_sdy_sharding_origins),
		          origin_dict(l, v, arena_printf(l->mem, "input: %u", at->index)));
	}
}

/* ---- edges out ------------------------------------------------------------------------------- */

static int ends_cmp(edge_end a, edge_end b)
{
	return a.result != b.result ? a.result - b.result : a.index - b.index;
}

/* By step, axis, source, target. */
static int records_cmp(const edge_record *a, const edge_record *b)
{
	if (a->step != b->step)
		return a->step < b->step ? -1 : 1;
	int by_axis = axis_cmp(a->axis, b->axis);
	int by_source = ends_cmp(a->from, b->from);
	return by_axis ? by_axis : by_source ? by_source : ends_cmp(a->to, b->to);
}

static void sort_records(edge_record *r, int n)
{
	for (int i = 1; i < n; i++) {
		edge_record x = r[i];
		int at = i;
		for (; at > 0 && records_cmp(&x, &r[at - 1]) < 0; at--)
			r[at] = r[at - 1];
		r[at] = x;
	}
}

/* An edge that several steps used counts for the first. */
static int keep_first_steps(edge_record *r, int n)
{
	int kept = 0;
	for (int i = 0; i < n; i++) {
		bool again = false;
		for (int k = 0; k < kept && !again; k++)
			again = axis_eq(r[k].axis, r[i].axis) && !ends_cmp(r[k].from, r[i].from) &&
			        !ends_cmp(r[k].to, r[i].to);
		if (!again)
			r[kept++] = r[i];
	}
	return kept;
}

static void put_edge_end(writer *w, edge_end e)
{
	put_f(w, "%s-%d", e.result ? "result" : "operand", e.index);
}

static const attr *edges_attr(debug_log *l, op_log *o)
{
	edge_record *r = o->edges.ptr;
	sort_records(r, o->edges.len);
	int n = keep_first_steps(r, o->edges.len);
	writer w;
	writer_init(&w, l->mem);
	put_lit(&w, "#sdy.propagation_edges<[");
	for (int i = 0; i < n; i++) {
		bool step = !i || r[i].step != r[i - 1].step;
		bool entry = step || !axis_eq(r[i].axis, r[i - 1].axis) ||
		             ends_cmp(r[i].from, r[i - 1].from);
		if (i)
			put_z(&w, step ? "]}]}, " : entry ? "]}, " : ", ");
		if (step)
			put_f(&w, "{step-%" PRId64 " = [", r[i].step);
		if (entry) {
			put_c(&w, '{');
			axis_print(&w, r[i].axis);
			put_lit(&w, " = ");
			put_edge_end(&w, r[i].from);
			put_lit(&w, " -> [");
		}
		put_edge_end(&w, r[i].to);
	}
	put_z(&w, n ? "]}]}]>" : "]>");
	return attr_of(l->m->ctx, &(attr){.kind = AT_OPAQUE,
	                                  .text = name_of(l->m->ctx, writer_str(&w))});
}

/* A function's results are joined one by one, so that Shardy's record of any of them
 * stands at the first. */
static void save_edges(debug_log *l, op_log *o)
{
	if (!o->edges.len || (!o->op->parent))
		return;
	if (op_is_func(o->op))
		attrs_set(&l->m->mem, &op_func(o->op)->result_attrs[0],
		          name_known(l->m->ctx, N_sdy_propagation_edges), edges_attr(l, o));
	else
		op_set_attr(l->m, o->op, N_sdy_propagation_edges, edges_attr(l, o));
}

void debug_save(debug_log *l)
{
	for (int i = 0; i < l->values.len; i++)
		save_origins(l, l->values.ptr[i]);
	for (int i = 0; i < l->ops.len; i++)
		save_edges(l, l->ops.ptr[i]);
}
