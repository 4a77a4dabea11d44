/* named.c - sdy-export-named-computations: turns named computations into private functions and
 * calls to them. */
#include "shardy/export/export.h"

typedef struct named_export {
	module *m;
	int counter;               /* for unique names */
	VEC(value *) call_results; /* of all inserted calls */
} named_export;

/* Removes the edge on an argument of the new function, or on a result of the new call. */
static void remove_edge_on(value *v)
{
	op *user = v->uses ? v->uses->owner : NULL;
	if (!user || user->kind != OP_SDY_DATA_FLOW_EDGE || !value_has_one_use(v))
		return;
	value_replace_uses(result(user, 0), v);
	op_erase(user);
}

/* Returns the edges' shardings, fully open if an edge has none; or the op's own list if no edge has
 * one. */
static const attr *exported_shardings(named_export *e, op *named, value *const *owners, int n,
                                      int list)
{
	const sharding **s = edge_shardings(e->m, owners, n);
	return s ? attr_shardings(e->m->ctx, s, n) : op_attr(named, list);
}

static const type *function_type_of(module *m, const op *named)
{
	const block *b = op_body(named);
	const type **in = NEW_N(&m->ctx->scratch, const type *, b->n_args);
	const type **out = NEW_N(&m->ctx->scratch, const type *, named->n_results);
	for (int i = 0; i < b->n_args; i++)
		in[i] = b->args[i]->type;
	for (int i = 0; i < named->n_results; i++)
		out[i] = result(named, i)->type;
	return type_list(m->ctx, TY_FUNCTION, in, b->n_args, out, named->n_results);
}

static op *make_func(named_export *e, op *named, const attr *in)
{
	module *m = e->m;
	const attr *original = op_attr(named, N_name);
	const type *t = function_type_of(m, named);
	op *f = func_make(m, t);
	op_take_place(m, f, named);
	op_set_attr(m, f, N_function_type, attr_type(m->ctx, t));
	op_set_attr(m, f, N_sym_visibility, attr_string(m->ctx, name_known(m->ctx, N_private)));
	op_set_attr(m, f, N_sdy_original_func_name, original);
	if (op_attr(named, N_execution_thread))
		op_set_attr(m, f, N_execution_thread, op_attr(named, N_execution_thread));
	region_take(op_region(f, 0), op_region(named, 0));
	block_close_otherwise(m, op_body(f), OP_FUNC_RETURN);
	for (int i = 0; i < op_body(f)->n_args; i++) {
		value *arg = op_body(f)->args[i];
		remove_edge_on(arg);
		arg->sharding = in && i < in->n ? in->shardings[i] : NULL;
	}
	const name *symbol = module_next_symbol(m, original->text, &e->counter);
	op_set_attr(m, f, N_sym_name, attr_string(m->ctx, symbol));
	op_append(module_body(m), f);
	module_add_symbol(m, f);
	return f;
}

static void copy_named_attrs(module *m, op *call, const op *named)
{
	for (int i = 0; i < named->attrs.n; i++) {
		const named_attr *a = &named->attrs.ptr[i];
		if (!name_is(a->name, N_name) && !name_is(a->name, N_in_shardings) &&
		    !name_is(a->name, N_out_shardings) && !name_is(a->name, N_execution_thread))
			op_set_attr_named(m, call, a->name, a->value);
	}
}

/* Sets the shardings of the call's results; an op without results keeps the list as an
 * attribute. */
static void shard_results(module *m, op *call, const attr *out)
{
	if (out && !call->n_results)
		op_set_attr(m, call, N_sdy_sharding, out);
	for (int i = 0; out && i < call->n_results && i < out->n; i++)
		result(call, i)->sharding = out->shardings[i];
}

static void export_named(named_export *e, op *named)
{
	module *m = e->m;
	arena *mem = &m->ctx->scratch;
	value **v = NEW_N(mem, value *, max_i64(named->n_operands, named->n_results));
	const type **types = NEW_N(mem, const type *, named->n_results);
	for (int i = 0; i < named->n_results; i++) {
		v[i] = result(named, i);
		types[i] = v[i]->type;
	}
	const attr *out = exported_shardings(e, named, v, named->n_results, N_out_shardings);
	const attr *in = exported_shardings(e, named, op_body(named)->args, op_body(named)->n_args,
	                                    N_in_shardings);
	const op *f = make_func(e, named, in);
	for (int i = 0; i < named->n_operands; i++)
		v[i] = operand(named, i);
	const builder b = builder_before(m, named);
	op *call = build_op(&b, OP_FUNC_CALL, v, named->n_operands, types, named->n_results, 0);
	copy_named_attrs(m, call, named);
	op_set_attr(m, call, N_callee, attr_symbol(m->ctx, op_symbol(f)));
	shard_results(m, call, out);
	for (int i = 0; i < named->n_results; i++) {
		value_take_name(m, result(call, i), result(named, i));
		value_replace_uses(result(named, i), result(call, i));
		vec_push(mem, &e->call_results, result(call, i));
	}
	op_erase(named);
}

/* In post-order, so that inner computations become functions first. */
bool pass_export_named_computations(module *m, const pass_options *o)
{
	UNUSED(o);
	if (!module_has(m, OP_SDY_NAMED_COMPUTATION))
		return true;
	named_export e = {.m = m};
	for (op *i = op_first_post(m->top), *next; i; i = next) {
		next = op_next_post(i, m->top);
		if (op_computation_name(i))
			export_named(&e, i);
	}
	for (int i = 0; i < e.call_results.len; i++)
		remove_edge_on(e.call_results.ptr[i]);
	return true;
}
