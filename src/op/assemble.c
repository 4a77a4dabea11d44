/* assemble.c - the common last step of all readers: attributes of an op that was read go to the
 * values of arguments and results and to functions, and symbols to the module's table. */
#include "op/op.h"

/* Moves the dictionaries of arguments or results to `lists`; shardings go to `shardings` if that is
 * not NULL. */
static void take_dicts(module *m, const attr *dicts, int n, attr_list *lists,
                       const sharding **shardings)
{
	for (int i = 0; dicts && dicts->kind == AT_ARRAY && i < dicts->n && i < n; i++) {
		const attr *d = dicts->list[i];
		for (int k = 0; d->kind == AT_DICT && k < d->n; k++) {
			if (shardings && name_is(d->names[k], N_sdy_sharding) &&
			    d->list[k]->kind == AT_SHARDING)
				shardings[i] = d->list[k]->sharding;
			else
				attrs_set(&m->mem, &lists[i], d->names[k], d->list[k]);
		}
	}
}

func *func_of_attrs(module *m, const attr *type, const attr *args, const attr *results)
{
	if (!type || type->kind != AT_TYPE || type->type->kind != TY_FUNCTION)
		return NULL;
	func *f = func_new(m, type->type);
	take_dicts(m, args, f->type->n_in, f->arg_attrs, NULL);
	take_dicts(m, results, f->type->n_out, f->result_attrs, f->result_shardings);
	return f;
}

void func_take_arg_shardings(module *m, op *o)
{
	const block *b = op_body(o);
	for (int i = 0; b && i < b->n_args && i < op_func(o)->type->n_in; i++) {
		attr_list *l = &op_func(o)->arg_attrs[i];
		const attr *a = attrs_get(l, N_sdy_sharding);
		if (!a || a->kind != AT_SHARDING)
			continue;
		b->args[i]->sharding = a->sharding;
		attrs_set(&m->mem, l, name_known(m->ctx, N_sdy_sharding), NULL);
	}
}

/* Moves the attribute with the shardings of results to their values. */
static void take_result_shardings(module *m, op *o)
{
	int known = op_sharding_attr(o->kind);
	const attr *a = op_attr(o, known);
	if (a && op_take_shardings(o, a))
		op_set_attr(m, o, known, NULL);
}

void op_attrs_as_read(module *m, op *o, named_attr *sorted, int n)
{
	o->attrs = (attr_list){.ptr = sorted, .cap = n}; /* until module_attrs() shares them */
	for (int i = 0; i < n; i++) {
		const attr_row *row = op_attr_row(o->kind, sorted[i].name);
		if (!row || !row->always || !attr_is_fallback(row, sorted[i].value))
			sorted[o->attrs.n++] = sorted[i];
	}
	take_result_shardings(m, o);
	o->attrs = module_attrs(m, sorted, o->attrs.n);
}

void module_unwrap(module *m)
{
	op *only = module_body(m)->first;
	if (!only || only->next || only->kind != OP_BUILTIN_MODULE || op_n_regions(only) != 1 ||
	    only->n_operands || only->n_results || (op_body(only) && op_body(only)->n_args))
		return;
	op_unlink(only);
	module_set_top(m, only);
	m->wrapped = true;
	if (!module_body(m))
		block_new(m, op_region(only, 0));
}

bool module_take_symbols(module *m)
{
	for (op *o = module_body(m)->first; o; o = o->next) {
		const name *n = op_symbol(o);
		const op *other = n ? module_lookup(m, n) : NULL;
		if (other) {
			diag_error(m->ctx, op_place(m, o), E_REDEFINED,
			           "the symbol @%s is defined already", n->s);
			diag_note(m->ctx, op_place(m, other), "first defined here");
			return false;
		}
		module_add_symbol(m, o);
	}
	return true;
}
