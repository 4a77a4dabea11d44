/* write.c - a module as MLIR text: ops, regions, blocks. */
#include "mlir/forms/forms.h"

void write_newline(printer *p)
{
	put_c(p->w, '\n');
	put_spaces(p->w, p->indent);
}

/* ---- values ------------------------------------------------------------------------ */

static void write_label_of(printer *p, const value *v)
{
	const value_label *l = v->id < p->n_labels ? &p->labels[v->id] : NULL;
	put_c(p->w, '%');
	if (l && l->named)
		put_z(p->w, p->names.ptr[l->number]);
	else
		put_uint(p->w, l ? l->number : v->id);
}

static bool named_singly(const printer *p, const op *o)
{
	uint32_t id = o->results[0].id;
	return id < p->n_labels && p->labels[id].single;
}

void write_value(printer *p, const value *v)
{
	if (!value_def(v) || value_def(v)->n_results == 1 || named_singly(p, value_def(v))) {
		write_label_of(p, v);
		return;
	}
	write_label_of(p, result(value_def(v), 0));
	put_c(p->w, '#');
	put_uint(p->w, v->index);
}

void write_operands(printer *p, const op *o, int from, int n)
{
	for (int i = 0; i < n; i++) {
		if (i)
			put_lit(p->w, ", ");
		write_value(p, operand(o, from + i));
	}
}

static void write_values(printer *p, const value *v, int n)
{
	for (int i = 0; i < n; i++) {
		if (i)
			put_lit(p->w, ", ");
		write_label_of(p, &v[i]);
	}
}

static void write_result_names(printer *p, const op *o)
{
	if (!o->n_results)
		return;
	if (named_singly(p, o)) {
		write_values(p, o->results, o->n_results);
	} else {
		write_label_of(p, &o->results[0]);
		if (o->n_results > 1) {
			put_c(p->w, ':');
			put_int(p->w, o->n_results);
		}
	}
	put_lit(p->w, " = ");
}

/* ---- attributes of an op ---------------------------------------------------------------- */

static bool has_result_sharding(const op *o)
{
	for (int i = 0; i < o->n_results; i++)
		if (o->results[i].sharding)
			return true;
	return false;
}

/* A list of all results' shardings: what has none is fully open on the mesh of
 * the others. */
static void write_per_value(printer *p, const op *o)
{
	mesh_ref mesh = {0};
	for (int i = 0; i < o->n_results && !mesh.symbol && !mesh.inlined; i++)
		if (o->results[i].sharding)
			mesh = o->results[i].sharding->mesh;
	put_lit(p->w, "#sdy.sharding_per_value<[");
	for (int i = 0; i < o->n_results; i++) {
		const value *v = &o->results[i];
		if (i)
			put_lit(p->w, ", ");
		sharding_print(p->w, v->sharding ? v->sharding
		                                 : sharding_open(p->ctx, mesh, v->type->rank));
	}
	put_lit(p->w, "]>");
}

static void write_sharding_slot(printer *p, const op *o, int known)
{
	put_name(p->w, name_known(p->ctx, known));
	put_lit(p->w, " = ");
	if (known == N_sdy_sharding) {
		write_per_value(p, o);
	} else {
		put_lit(p->w, "#sdy.sharding");
		sharding_print(p->w, o->results[0].sharding);
	}
}

typedef enum attr_choice { ALL_ATTRS, INHERENT, DISCARDABLE } attr_choice;

typedef struct attr_filter {
	const int *hidden; /* ends with 0; NULL: none */
	attr_choice choice;
	bool hide_defaults;
} attr_filter;

static bool attr_shown(const op *o, const named_attr *a, const attr_filter *f)
{
	if (name_is(a->name, N_empty))
		return false;
	for (const int *h = f->hidden; h && *h; h++)
		if (name_is(a->name, *h))
			return false;
	if (f->choice == ALL_ATTRS && !f->hide_defaults)
		return true;
	const attr_row *row = op_attr_row(o->kind, a->name);
	if (f->choice != ALL_ATTRS)
		return (f->choice == INHERENT) == (row != NULL);
	return !row || !attr_is_fallback(row, a->value);
}

static bool slot_shown(const op *o, const attr_filter *f)
{
	bool inherent = op_sharding_attr(o->kind) != N_sdy_sharding;
	if (!has_result_sharding(o))
		return false;
	return f->choice == ALL_ATTRS ? !inherent : (f->choice == INHERENT) == inherent;
}

/* An attribute to print, or the slot of the results' sharding (value NULL). */
static void write_item(printer *p, const op *o, const name *n, const attr *value)
{
	if (!value) {
		write_sharding_slot(p, o, op_sharding_attr(o->kind));
		return;
	}
	write_keyword_or_string(p, name_str(n));
	if (value->kind == AT_UNIT)
		return;
	put_lit(p->w, " = ");
	write_attr(p, value);
}

/* What is not among the op's attributes but prints as one: the sharding of its
 * results, and in the generic form defaults that MLIR always writes. */
static int extra_items(printer *p, const op *o, const attr_filter *f, named_attr *items, int max)
{
	int n = 0;
	if (slot_shown(o, f))
		items[n++].name = name_known(p->ctx, op_sharding_attr(o->kind));
	if (f->choice != INHERENT)
		return n;
	for (const attr_row *row = op_attr_rows(o->kind); row->kind; row++)
		if (row->always && !op_attr(o, row->name) && n < max)
			items[n++] = (named_attr){name_known(p->ctx, row->name),
			                          attr_fallback_value(p->ctx, row)};
	if (n == 2 && str_cmp(name_str(items[0].name), name_str(items[1].name)) > 0) {
		named_attr first = items[0];
		items[0] = items[1];
		items[1] = first;
	}
	return n;
}

/* `a = 1, b`, sorted by name.  Returns whether there was anything; `before` is
 * printed first if so. */
static bool write_filtered(printer *p, const op *o, const attr_filter *f, const char *before)
{
	named_attr extra[2] = {{0}};
	int n_extra = extra_items(p, o, f, extra, COUNT(extra)), written = 0;
	for (int i = 0, e = 0; i < o->attrs.n || e < n_extra;) {
		const named_attr *a = i < o->attrs.n ? &o->attrs.ptr[i] : NULL;
		const named_attr *x = e < n_extra ? &extra[e] : NULL;
		bool from_extra = x && (!a || str_cmp(name_str(a->name), name_str(x->name)) > 0);
		if (!from_extra && !attr_shown(o, a, f)) {
			i++;
			continue;
		}
		const named_attr *next = from_extra ? x : a;
		put_z(p->w, written++ ? ", " : before);
		write_item(p, o, next->name, next->value);
		if (from_extra)
			e++;
		else
			i++;
	}
	return written > 0;
}

void write_op_attrs(printer *p, const op *o, const int *hidden, bool with_word)
{
	if (!o->attrs.n && !o->n_results)
		return;
	attr_filter f = {.hidden = hidden, .choice = ALL_ATTRS, .hide_defaults = true};
	if (write_filtered(p, o, &f, with_word ? " attributes {" : " {"))
		put_c(p->w, '}');
}

/* ---- regions ------------------------------------------------------------------------------- */

void write_region_arg(printer *p, const value *v)
{
	write_value(p, v);
	put_lit(p->w, ": ");
	write_type(p, v->type);
	if (v->sharding) {
		put_lit(p->w, " {sdy.sharding = #sdy.sharding");
		sharding_print(p->w, v->sharding);
		put_c(p->w, '}');
	}
	write_arg_loc(p, v);
}

/* ---- ops ------------------------------------------------------------------------------------- */

/* arg_attrs or res_attrs of a function: a list of dictionaries, if any has an item */
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

/* `call` and `return` directly in a function, `module`, `func.func` in full. */
static void write_pretty_name(printer *p, const op *o)
{
	const char *s = op_name(o);
	const op *parent = op_parent(o);
	if ((!parent || parent->kind == OP_BUILTIN_MODULE) && str_starts(str_of(s), "builtin."))
		s += 8;
	else if (parent && op_func(parent) && str_starts(str_of(s), "func."))
		s += 5;
	put_z(p->w, s);
}

static void write_op_body(printer *p, const op *o)
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

/* ---- modules --------------------------------------------------------------------------------- */

/* { key: { key: "0x…" } }, a pair of spaces deeper at each level */
static void write_resource_map(printer *p, const attr *a)
{
	put_lit(p->w, "{");
	p->indent += 2;
	for (int i = 0; i < a->n; i++) {
		if (i)
			put_c(p->w, ',');
		write_newline(p);
		write_keyword_or_string(p, name_str(a->names[i]));
		put_lit(p->w, ": ");
		if (a->list[i]->kind == AT_DICT)
			write_resource_map(p, a->list[i]);
		else
			write_attr(p, a->list[i]);
	}
	p->indent -= 2;
	write_newline(p);
	put_c(p->w, '}');
}

static void write_resources(printer *p, const attr_list *l)
{
	if (!l->n)
		return;
	put_lit(p->w, "\n{-#");
	p->indent += 2;
	for (int i = 0; i < l->n; i++) {
		if (i)
			put_c(p->w, ',');
		write_newline(p);
		put_name(p->w, l->ptr[i].name);
		put_lit(p->w, ": ");
		if (l->ptr[i].value->kind == AT_DICT)
			write_resource_map(p, l->ptr[i].value);
		else
			write_attr(p, l->ptr[i].value);
	}
	p->indent -= 2;
	put_lit(p->w, "\n#-}\n");
}

static printer printer_begin(writer *w, const module *m, const mlir_print_opts *opts)
{
	static const mlir_print_opts usual = MLIR_PRINT_OPTS_INIT;
	return (printer){.w = w, .ctx = m->ctx, .m = m, .opts = opts ? *opts : usual,
	                 .mem = &m->ctx->scratch};
}

void mlir_print(writer *w, const module *m, const mlir_print_opts *opts)
{
	printer p = printer_begin(w, m, opts);
	name_values(&p, m->top);
	if (p.opts.debuginfo && !p.opts.local_scope)
		name_locations(&p, m->top);
	write_loc_aliases(&p, false);
	write_op_body(&p, m->top);
	write_op_loc(&p, m->top);
	put_c(w, '\n');
	write_loc_aliases(&p, true);
	write_resources(&p, &m->resources);
}

void mlir_print_op(writer *w, const module *m, const op *o, const mlir_print_opts *opts)
{
	printer p = printer_begin(w, m, opts);
	const op *root = o;
	while (op_parent(root) && !op_func(root))
		root = op_parent(root);
	name_values(&p, root);
	write_op(&p, o);
}
