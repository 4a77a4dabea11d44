/* func.c - the syntax of functions, calls and modules. */
#include "mlir/forms/forms.h"

static void set_attrs(reader *r, attr_list *l, int base)
{
	sort_attrs(r, r->attr_stack.ptr + base, r->attr_stack.len - base, tok_place(r));
	for (int i = base; i < r->attr_stack.len && !r->failed; i++)
		attrs_set(&r->m->mem, l, r->attr_stack.ptr[i].name, r->attr_stack.ptr[i].value);
	r->attr_stack.len = base;
}

typedef struct signature {
	VEC(region_arg) args;
	VEC(attr_list) arg_attrs, result_attrs;
	VEC(const type *) in, out;
	bool named;
} signature;

static const sharding *pop_sharding(reader *r, attr_list *l)
{
	const attr *a = attrs_get(l, N_sdy_sharding);
	if (!a || a->kind != AT_SHARDING)
		return NULL;
	attrs_set(&r->m->mem, l, name_known(r->ctx, N_sdy_sharding), NULL);
	return a->sharding;
}

/* Reads the {…} of argument or result `i`. */
static void read_dict_of(reader *r, int known, int i)
{
	uint32_t at = tok_pos(r);
	bool noting = notes_pause(r);
	read_attr_dict(r);
	notes_go_on(r, noting);
	note_known(r, known, ITEM(i), at);
}

/* Reads (%a: T {…} loc, …), or the same without names in a declaration. */
static void read_func_args(reader *r, signature *s)
{
	read_expect(r, '(');
	s->named = r->tok == T_VALUE;
	if (r->tok != ')') {
		do {
			region_arg a = {.at = tok_place(r)};
			attr_list l = {0};
			int base = r->attr_stack.len;
			if (s->named) {
				a.name = read_value_name(r);
				read_expect(r, ':');
			}
			a.type = read_type(r);
			if (r->tok == '{')
				read_dict_of(r, N_arg_attrs, s->args.len);
			set_attrs(r, &l, base);
			a.loc = read_trailing_loc(r);
			vec_push(r->mem, &s->args, a);
			vec_push(r->mem, &s->arg_attrs, l);
			vec_push(r->mem, &s->in, a.type);
		} while (read_accept(r, ','));
	}
	read_expect(r, ')');
}

static void read_func_result(reader *r, signature *s, bool with_attrs)
{
	attr_list l = {0};
	int base = r->attr_stack.len;
	const type *t = read_type(r);
	if (with_attrs && r->tok == '{')
		read_dict_of(r, N_res_attrs, s->out.len);
	set_attrs(r, &l, base);
	vec_push(r->mem, &s->out, t);
	vec_push(r->mem, &s->result_attrs, l);
}

static void read_func_results(reader *r, signature *s)
{
	if (!read_accept(r, T_ARROW))
		return;
	if (!read_accept(r, '(')) {
		read_func_result(r, s, false);
		return;
	}
	if (!read_accept(r, ')')) {
		do
			read_func_result(r, s, true);
		while (read_accept(r, ','));
		read_expect(r, ')');
	}
}

static func *func_of_signature(reader *r, signature *s)
{
	const type *t =
	    type_list(r->ctx, TY_FUNCTION, s->in.ptr, s->in.len, s->out.ptr, s->out.len);
	func *f = func_new(r->m, t);
	for (int i = 0; i < s->in.len; i++)
		f->arg_attrs[i] = s->arg_attrs.ptr[i];
	for (int i = 0; i < s->out.len; i++) {
		f->result_attrs[i] = s->result_attrs.ptr[i];
		f->result_shardings[i] = pop_sharding(r, &f->result_attrs[i]);
	}
	return f;
}

static const attr *read_symbol_name(reader *r) { return attr_string(r->ctx, read_symbol(r)); }
static const attr *read_symbol_ref(reader *r) { return attr_symbol(r->ctx, read_symbol(r)); }

void read_func(reader *r, pending *p)
{
	signature s = {0};
	static const char *const visibility[] = {"public", "private", "nested"};
	for (int i = 0; i < COUNT(visibility); i++)
		if (read_accept_word(r, visibility[i]))
			pend_known(r, N_sym_visibility,
			           attr_string(r->ctx, name_of_z(r->ctx, visibility[i])));
	pend_read(r, N_sym_name, read_symbol_name);
	read_func_args(r, &s);
	read_func_results(r, &s);
	if (read_accept_word(r, "attributes"))
		read_attr_dict(r);
	if (r->failed)
		return;
	p->func = func_of_signature(r, &s);
	p->operand_types = p->result_types = r->type_stack.len;
	if (r->tok != '{') {
		region none = {0};
		vec_push(r->mem, &r->region_stack, none);
		return;
	}
	if (!s.named && s.args.len)
		read_fail(r, E_REGION_SYNTAX, "the arguments of a function with a body have names");
	for (int i = 0; i < s.args.len; i++) /* a declaration has them as attributes */
		s.args.ptr[i].sharding = pop_sharding(r, &p->func->arg_attrs[i]);
	read_region(r, p, s.args.ptr, s.args.len);
}

static void write_func_args(printer *p, const op *o)
{
	const block *b = op_body(o);
	const func *f = op_func(o);
	put_c(p->w, '(');
	for (int i = 0; i < f->type->n_in; i++) {
		if (i)
			put_lit(p->w, ", ");
		if (b && i < b->n_args) {
			write_value(p, b->args[i]);
			put_lit(p->w, ": ");
		}
		write_type(p, f->type->in[i]);
		write_dict(p, &f->arg_attrs[i], b && i < b->n_args ? b->args[i]->sharding : NULL,
		           " ");
		if (b && i < b->n_args)
			write_arg_loc(p, b->args[i]);
	}
	put_c(p->w, ')');
}

static void write_func_results(printer *p, const op *o)
{
	const func *f = op_func(o);
	const type *t = f->type;
	if (!t->n_out)
		return;
	bool bare = t->n_out == 1 && !f->result_attrs[0].n && !f->result_shardings[0] &&
	            t->out[0]->kind != TY_FUNCTION;
	put_z(p->w, bare ? " -> " : " -> (");
	for (int i = 0; i < t->n_out; i++) {
		if (i)
			put_lit(p->w, ", ");
		write_type(p, t->out[i]);
		write_dict(p, &f->result_attrs[i], f->result_shardings[i], " ");
	}
	if (!bare)
		put_c(p->w, ')');
}

void write_func(printer *p, const op *o)
{
	static const int hidden[] = {N_sym_name, N_sym_visibility, N_function_type, 0};
	const attr *visibility = op_attr(o, N_sym_visibility);
	const name *n = op_symbol(o);
	put_c(p->w, ' ');
	if (visibility && visibility->kind == AT_STRING) {
		put_name(p->w, visibility->text);
		put_c(p->w, ' ');
	}
	put_symbol(p->w, n ? name_str(n) : STR(""));
	write_func_args(p, o);
	write_func_results(p, o);
	write_op_attrs(p, o, hidden, true);
	if (op_body(o)) {
		put_c(p->w, ' ');
		write_region(p, op_region(o, 0), false);
	}
}

/* module @name attributes {…} { … } */
void read_module(reader *r, pending *p)
{
	p->operand_types = p->result_types = r->type_stack.len;
	if (r->tok == T_SYMBOL)
		pend_known(r, N_sym_name, attr_string(r->ctx, read_symbol(r)));
	if (read_accept_word(r, "attributes"))
		read_attr_dict(r);
	read_region(r, p, NULL, 0);
	region *body = r->region_stack.len ? &r->region_stack.ptr[r->region_stack.len - 1] : NULL;
	if (!r->failed && !body->first)
		block_new(r->m, body);
}

void write_module(printer *p, const op *o)
{
	static const int hidden[] = {N_sym_name, 0};
	const name *n = op_symbol(o);
	if (n) {
		put_c(p->w, ' ');
		put_symbol(p->w, name_str(n));
	}
	write_op_attrs(p, o, hidden, true);
	put_c(p->w, ' ');
	write_region(p, op_region(o, 0), false);
}

/* call @f(%a) {…} : (T) -> T */
void read_call(reader *r, pending *p)
{
	read_accept_word(r, "no_inline");
	pend_read(r, N_callee, read_symbol_ref);
	read_expect(r, '(');
	read_operands(r, p);
	read_expect(r, ')');
	if (r->tok == '{')
		read_attr_dict(r);
	read_signature(r, p);
}

void write_call(printer *p, const op *o)
{
	static const int hidden[] = {N_callee, 0};
	const attr *callee = op_attr(o, N_callee);
	put_c(p->w, ' ');
	if (callee)
		write_attr(p, callee);
	put_c(p->w, '(');
	write_operands(p, o, 0, o->n_operands);
	put_c(p->w, ')');
	write_op_attrs(p, o, hidden, false);
	put_lit(p->w, " : ");
	write_function_type(p, o);
}
