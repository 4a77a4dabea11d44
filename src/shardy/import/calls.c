/* calls.c - import of functions: sdy-propagate-sharding-from-func-to-call, sdy-pre-order-funcs,
 * sdy-import-func-calls. */
#include "shardy/import/import.h"

bool pass_propagate_sharding_from_func_to_call(module *m, const pass_options *o)
{
	UNUSED(o);
	func_list calls = module_calls(m, &m->ctx->scratch);
	for (int c = 0; c < calls.len; c++) {
		op *i = calls.ptr[c], *f = op_has_shardings(i) ? NULL : call_callee(m, i);
		if (!f || op_func(f)->type->n_out != i->n_results)
			continue;
		const sharding **s = func_result_shardings(m, f, &m->ctx->scratch);
		for (int k = 0; s && k < i->n_results; k++)
			result(i, k)->sharding = s[k];
	}
	return true;
}

/* Moves functions after everything else, callers first. */
bool pass_pre_order_funcs(module *m, const pass_options *o)
{
	UNUSED(o);
	func_list l = module_callees_first(m, &m->ctx->scratch);
	for (int i = l.len - 1; i >= 0; i--) {
		op_unlink(l.ptr[i]);
		op_append(module_body(m), l.ptr[i]);
	}
	return true;
}

/* ---- turning calls into named computations -------------------------------------------------- */

typedef struct call_import {
	module *m;
	uint8_t *done; /* by op id: functions whose own calls have been imported */
	uint8_t *kept; /* by op id: functions that are referred to by more than calls */
	int *depth;    /* by op id: nesting depth of calls in a finished function */
	/* function -> the named computation that took its body; later calls copy that */
	ptr_map taken;
	VEC(op *) funcs; /* that are called */
} call_import;

/* Copies the attributes of a call that are not about calling. */
static void copy_call_attrs(module *m, op *to, const op *call)
{
	for (int i = 0; i < call->attrs.n; i++) {
		const named_attr *a = &call->attrs.ptr[i];
		if (!name_is(a->name, N_callee) && !name_is(a->name, N_arg_attrs) &&
		    !name_is(a->name, N_res_attrs) && !name_is(a->name, N_no_inline) &&
		    !name_is(a->name, N_sdy_sharding))
			op_set_attr_named(m, to, a->name, a->value);
	}
}

/* Returns the shardings of the results as a list; NULL if the op has none. */
static const attr *result_shardings_attr(module *m, const op *o)
{
	if (!op_has_shardings(o) || op_attr(o, N_sdy_sharding))
		return op_attr(o, N_sdy_sharding);
	const sharding **s = NEW_N(&m->ctx->scratch, const sharding *, o->n_results);
	for (int i = 0; i < o->n_results; i++)
		s[i] = result(o, i)->sharding;
	return attr_shardings(m->ctx, s, o->n_results);
}

/* Returns those of the function's arguments; if its body was taken, they went with it. */
static const attr *arg_shardings_attr(call_import *c, const op *f)
{
	const op *taken = ptr_map_get(&c->taken, f);
	if (taken)
		return op_attr(taken, N_in_shardings);
	const sharding **in = func_arg_shardings(c->m, f, &c->m->ctx->scratch);
	return in ? attr_shardings(c->m->ctx, in, op_func(f)->type->n_in) : NULL;
}

static void fill_body(call_import *c, op *named, op *f)
{
	arena *mem = &c->m->ctx->scratch;
	void **taken = ptr_map_at(&c->taken, mem, f);
	if (!*taken) {
		*taken = named;
		if (c->kept[f->id])
			f = op_clone(c->m, f, &(ptr_map){0}, mem);
		else
			vec_push(mem, &c->funcs, f);
		region_take(op_region(named, 0), op_region(f, 0));
		for (block *b = op_body(named); b; b = b->next)
			block_close_otherwise(c->m, b, OP_SDY_RETURN);
		return;
	}
	ptr_map map = {0};
	op *copy = op_clone(c->m, *taken, &map, mem);
	region_take(op_region(named, 0), op_region(copy, 0));
	op_erase(copy);
}

/* Warns once: with flatten-call-graph there would be no copies at all. */
static void warn_copied(const call_import *c, const op *call, const op *f)
{
	if (diag_first(c->m->ctx, E_CALL_COPIED))
		diag_warn(c->m->ctx, op_place(c->m, call), E_CALL_COPIED,
		          "@%s is called several times; its body is copied for each further call",
		          op_symbol(f)->s);
}

static void import_call(call_import *c, op *call, op *f)
{
	module *m = c->m;
	if (ptr_map_get(&c->taken, f))
		warn_copied(c, call, f);
	arena *mem = &m->ctx->scratch;
	const type *t = op_func(f)->type;
	value **v = NEW_N(mem, value *, call->n_operands);
	for (int i = 0; i < call->n_operands; i++)
		v[i] = operand(call, i);
	const attr *in = arg_shardings_attr(c, f), *out = result_shardings_attr(m, call);

	const builder b = builder_before(m, call);
	op *named = build_op(&b, OP_SDY_NAMED_COMPUTATION, v, call->n_operands, t->out, t->n_out,
	                     1);
	copy_call_attrs(m, named, call);
	op_set_attr(m, named, N_name, attr_string(m->ctx, func_original_name(f)));
	if (in)
		op_set_attr(m, named, N_in_shardings, in);
	if (out)
		op_set_attr(m, named, N_out_shardings, out);
	if (op_attr(f, N_execution_thread))
		op_set_attr(m, named, N_execution_thread, op_attr(f, N_execution_thread));
	fill_body(c, named, f);
	for (int i = 0; op_body(named) && i < op_body(named)->n_args; i++)
		op_body(named)->args[i]->sharding = NULL;
	for (int i = 0; i < call->n_results; i++) {
		value_take_name(m, result(named, i), result(call, i));
		value_replace_uses(result(call, i), result(named, i));
	}
	op_erase(call);
}

/* True if the function has a body, or had one that was taken. */
static bool has_body(const call_import *c, const op *f)
{
	return !func_is_declaration(f) || ptr_map_get(&c->taken, f);
}

/* Callees come first, so a call to one that is not done is recursion. Bodies may nest no deeper
 * than what the parser accepts. */
static bool import_calls_in(call_import *c, const call_graph *g, const op *f)
{
	int depth = 0, most = (int)c->m->ctx->opts.max_depth;
	for (int at = first_call_in(g, f), next; at >= 0; at = next) {
		next = next_call_in(g, f, at);
		op *i = g->calls.ptr[at], *callee = op_callee(c->m, i);
		if (!callee || !has_body(c, callee))
			continue;
		if (!c->done[callee->id])
			return diag_error(c->m->ctx, op_place(c->m, i), E_CALL_RECURSION,
			                  "@%s calls itself; its body cannot replace the call",
			                  op_symbol(callee)->s);
		if (c->depth[callee->id] >= most)
			return diag_error(c->m->ctx, op_place(c->m, i), E_CALL_RECURSION,
			                  "calls are nested more than %d deep", most);
		import_call(c, i, callee);
		depth = depth > c->depth[callee->id] ? depth : c->depth[callee->id] + 1;
	}
	c->depth[f->id] = depth;
	c->done[f->id] = true;
	return true;
}

static void keep_named(call_import *c, const attr *a)
{
	op *f = a && a->kind == AT_SYMBOL ? module_lookup(c->m, a->text) : NULL;
	if (f)
		c->kept[f->id] = true;
	for (int i = 0; a && a->list && i < a->n; i++)
		keep_named(c, a->list[i]);
}

/* Decompositions of composites, and functions that custom calls call, are kept. (Shardy erases them
 * if they are also called, and then reports that they are missing.) */
static void keep_others(call_import *c)
{
	if (!module_has(c->m, OP_COMPOSITE) && !module_has(c->m, OP_CUSTOM_CALL))
		return;
	for (op *i = c->m->top; i; i = op_next(i, c->m->top)) {
		if (i->kind == OP_COMPOSITE)
			keep_named(c, op_attr(i, N_decomposition));
		else if (i->kind == OP_CUSTOM_CALL)
			keep_named(c, op_attr(i, N_called_computations));
	}
}

bool pass_import_func_calls(module *m, const pass_options *o)
{
	if (!module_has(m, OP_FUNC_CALL) && !o->edges_on_named)
		return true;
	arena *mem = &m->ctx->scratch;
	call_import c = {.m = m, .done = NEW_N(mem, uint8_t, m->n_ops),
	                 .kept = NEW_N(mem, uint8_t, m->n_ops),
	                 .depth = NEW_N(mem, int, m->n_ops)};
	keep_others(&c);
	call_graph g = module_call_graph(m, &m->ctx->scratch);
	if (!calls_fit_copied(m, &g))
		return false;
	for (int i = 0; i < g.funcs.len; i++)
		if (!import_calls_in(&c, &g, g.funcs.ptr[i]))
			return false;
	for (int i = 0; i < c.funcs.len; i++) {
		module_remove_symbol(m, op_symbol(c.funcs.ptr[i]));
		op_erase(c.funcs.ptr[i]);
	}
	if (!o->edges_on_named)
		return true;
	for (op *i = op_first_post(m->top), *next; i; i = next) {
		next = op_next_post(i, m->top);
		if (i->kind == OP_SDY_NAMED_COMPUTATION)
			add_data_flow_edges_of(m, i);
	}
	return true;
}
