/* debug_save.c - writes the debugging records as attributes, in Shardy's form.
 *
 *   sdy.sharding_origins   {x = "input: 0"}: where each axis of a value came from
 *   sdy.propagation_edges  <[{step-0 = [{"x" = operand-1 -> [operand-0, result-0]}]}]>
 *
 * Source: Shardy, propagation/debugging/source_sharding.cc. */
#include "propagate/debug_log.h"

#include <stdlib.h>

#include "op/op.h"

/* ---- origins ------------------------------------------------------------------------------ */

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

/* Entries equal to `own` become "self": they come from the value's own annotation. */
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

/* The name under which the op or edge itself is an origin; NULL: none. */
static const char *own_name(debug_log *l, const op *o)
{
	const attr *given = NULL;
	if (o->kind == OP_SDY_SHARDING_CONSTRAINT) {
		given = op_attr(o, N_sdy_sharding_origin_name);
		return given && given->text ? given->text->s : NULL;
	}
	const value *owner = operand(o, 0);
	const op *parent = value_op(owner);
	if (op_is_manual(parent))
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
	if (value_def_of(at, OP_SDY_SHARDING_CONSTRAINT) ||
	    value_def_of(at, OP_SDY_DATA_FLOW_EDGE)) {
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

/* ---- edges -------------------------------------------------------------------------------- */

static int ends_cmp(edge_end a, edge_end b)
{
	return a.result != b.result ? a.result - b.result : a.index - b.index;
}

static int edges_cmp(const edge_record *a, const edge_record *b)
{
	int by_axis = axis_cmp(a->axis, b->axis);
	int by_source = ends_cmp(a->from, b->from);
	return by_axis ? by_axis : by_source ? by_source : ends_cmp(a->to, b->to);
}

static int steps_cmp(const edge_record *a, const edge_record *b)
{
	return (a->step > b->step) - (a->step < b->step);
}

static int by_edge_then_step(const void *a, const void *b)
{
	int by_edge = edges_cmp(a, b);
	return by_edge ? by_edge : steps_cmp(a, b);
}

static int by_step_then_edge(const void *a, const void *b)
{
	int by_step = steps_cmp(a, b);
	return by_step ? by_step : edges_cmp(a, b);
}

/* Of an edge that several steps used, only the first is kept. */
static int keep_first_steps(edge_record *r, int n)
{
	qsort(r, (size_t)n, sizeof *r, by_edge_then_step);
	int kept = 0;
	for (int i = 0; i < n; i++)
		if (!kept || edges_cmp(&r[kept - 1], &r[i]))
			r[kept++] = r[i];
	qsort(r, (size_t)kept, sizeof *r, by_step_then_edge);
	return kept;
}

static void put_edge_end(writer *w, edge_end e)
{
	put_f(w, "%s-%d", e.result ? "result" : "operand", e.index);
}

static const attr *edges_attr(debug_log *l, op_log *o)
{
	edge_record *r = o->edges.ptr;
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

/* The results of a function are joined one by one; Shardy stores the records of all of them at the
 * first result. */
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
