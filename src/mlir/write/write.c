/* write.c - prints ops. */
#include "mlir/forms/forms.h"

/* Prints arg_attrs or res_attrs of a function: a list of dictionaries, if any is not empty. */
static void write_func_attrs(printer *p, const char *before, const attr_list *lists,
                             const sharding *const *shardings, const block *args, int n)
{
	bool any = false;
	for (int i = 0; i < n; i++)
		any |= lists[i].n ||
		       (shardings ? shardings[i] != NULL
		                  : args && i < args->n_args && args->args[i]->sharding);
	if (!any)
		return;
	put_z(p->w, before);
	put_lit(p->w, " = [");
	for (int i = 0; i < n; i++) {
		const sharding *s = shardings                  ? shardings[i]
		                    : args && i < args->n_args ? args->args[i]->sharding
		                                               : NULL;
		if (i)
			put_lit(p->w, ", ");
		if (!write_dict(p, &lists[i], s, ""))
			put_lit(p->w, "{}");
	}
	put_lit(p->w, "], ");
}

static void write_func_properties(printer *p, const op *o)
{
	static const int hidden[] = {N_sym_name, N_sym_visibility, 0};
	const func *f = op_func(o);
	const name *n = op_symbol(o);
	const attr *visibility = op_attr(o, N_sym_visibility);
	attr_filter inherent = {.hidden = hidden, .choice = INHERENT};
	put_lit(p->w, " <{");
	write_func_attrs(p, "arg_attrs", f->arg_attrs, NULL, op_body(o), f->type->n_in);
	put_lit(p->w, "function_type = ");
	write_type(p, f->type);
	put_lit(p->w, ", ");
	if (write_filtered(p, o, &inherent, ""))
		put_lit(p->w, ", ");
	write_func_attrs(p, "res_attrs", f->result_attrs, f->result_shardings, NULL,
	                 f->type->n_out);
	put_lit(p->w, "sym_name = ");
	put_quoted(p->w, n ? name_str(n) : STR(""));
	if (visibility) {
		put_lit(p->w, ", sym_visibility = ");
		write_attr(p, visibility);
	}
	put_lit(p->w, "}>");
}

static void write_successors(printer *p, const op *o)
{
	int n;
	block *const *to = op_successors(o, &n);
	for (int i = 0; i < n; i++) {
		put_z(p->w, i ? ", " : "[");
		write_block_name(p, to[i]);
	}
	if (n)
		put_c(p->w, ']');
}

void write_generic_rest(printer *p, const op *o)
{
	attr_filter inherent = {.choice = INHERENT}, others = {.choice = DISCARDABLE};
	put_c(p->w, '(');
	write_operands(p, o, 0, o->n_operands);
	put_c(p->w, ')');
	write_successors(p, o);
	const attr *properties = op_attr(o, N_empty);
	if (op_func(o))
		write_func_properties(p, o);
	else if (properties) {
		put_lit(p->w, " <");
		write_attr(p, properties);
		put_c(p->w, '>');
	} else if (write_filtered(p, o, &inherent, " <{"))
		put_lit(p->w, "}>");
	for (int i = 0; i < op_n_regions(o); i++) {
		put_z(p->w, i ? ", " : " (");
		write_region(p, op_region(o, i), true);
	}
	if (op_n_regions(o))
		put_c(p->w, ')');
	if (write_filtered(p, o, &others, " {"))
		put_c(p->w, '}');
	put_lit(p->w, " : ");
	write_function_type(p, o);
}

/* Prints `call` and `return` in a function, and `module`, without dialect; `func.func` in full. */
static void write_pretty_name(printer *p, const op *o)
{
	const char *s = op_name(o);
	const op *parent = op_parent(o);
	if ((!parent || parent->kind == OP_BUILTIN_MODULE) && !strncmp(s, "builtin.", 8))
		s += 8;
	else if (parent && op_func(parent) && !strncmp(s, "func.", 5))
		s += 5;
	put_z(p->w, s);
}

void write_op_body(printer *p, const op *o)
{
	if (p->opts.generic || !form_is_faithful(p->m, o)) {
		put_quoted(p->w, str_of(op_name(o)));
		write_generic_rest(p, o);
	} else {
		write_pretty_name(p, o);
		write_form(p, o);
	}
}

void write_op(printer *p, const op *o)
{
	write_result_names(p, o);
	write_op_body(p, o);
	write_op_loc(p, o);
}
