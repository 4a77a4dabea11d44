/* sdy.c - the syntax of sdy operations that have bodies or reductions. */
#include "mlir/forms/forms.h"

static void read_operand_list(reader *r, pending *p)
{
	read_expect(r, '(');
	read_operands(r, p);
	read_expect(r, ')');
}

static void read_computation(reader *r, pending *p)
{
	VEC(region_arg) args = {0};
	read_expect(r, '(');
	if (r->tok != ')') {
		do {
			int base = r->attr_stack.len;
			region_arg a = read_region_arg(r);
			r->attr_stack.len = base;
			vec_push(r->mem, &args, a);
		} while (read_accept(r, ','));
	}
	read_expect(r, ')');
	read_region(r, p, args.ptr, args.len);
	if (r->tok == '{')
		read_attr_dict(r);
	read_signature(r, p);
}

static void write_computation(printer *p, const op *o, const int *hidden)
{
	const block *b = op_body(o);
	put_lit(p->w, " (");
	for (int i = 0; b && i < b->n_args; i++) {
		if (i)
			put_lit(p->w, ", ");
		write_region_arg(p, b->args[i]);
	}
	put_lit(p->w, ") ");
	write_region(p, op_region(o, 0), false);
	write_op_attrs(p, o, hidden, false);
	put_lit(p->w, " : ");
	write_function_type(p, o);
}

static void write_sharding_list(printer *p, const op *o, const char *text, int known)
{
	const attr *a = op_attr(o, known);
	if (!a)
		return;
	put_z(p->w, text);
	write_shardings(p, a->shardings, a->n);
}

/* Reads (%a) in_shardings=[…] out_shardings=[…] manual_axes={…} (%b: T) {…} {…} : (T) -> T. */
void read_manual_computation(reader *r, pending *p)
{
	read_operand_list(r, p);
	read_literal(r, "in_shardings=");
	pend_read(r, N_in_shardings, read_sharding_list);
	read_literal(r, "out_shardings=");
	pend_read(r, N_out_shardings, read_sharding_list);
	read_literal(r, "manual_axes=");
	pend_read(r, N_manual_axes, read_manual_axes);
	read_computation(r, p);
}

void write_manual_computation(printer *p, const op *o)
{
	static const int hidden[] = {N_in_shardings, N_out_shardings, N_manual_axes, 0};
	const attr *axes = op_attr(o, N_manual_axes);
	put_c(p->w, '(');
	write_operands(p, o, 0, o->n_operands);
	put_c(p->w, ')');
	write_sharding_list(p, o, " in_shardings=", N_in_shardings);
	write_sharding_list(p, o, " out_shardings=", N_out_shardings);
	put_lit(p->w, " manual_axes=");
	if (axes)
		write_manual_axes(p, axes);
	write_computation(p, o, hidden);
}

/* Reads <"name">(%a) in_shardings=[…] out_shardings=[…] (%b: T) {…} : (T) -> T. */
void read_named_computation(reader *r, pending *p)
{
	read_expect(r, '<');
	pend_known(r, N_name, attr_string(r->ctx, name_of(r->ctx, read_string(r))));
	read_expect(r, '>');
	read_operand_list(r, p);
	if (tok_is(r, "in_shardings")) {
		read_literal(r, "in_shardings=");
		pend_read(r, N_in_shardings, read_sharding_list);
	}
	if (tok_is(r, "out_shardings")) {
		read_literal(r, "out_shardings=");
		pend_read(r, N_out_shardings, read_sharding_list);
	}
	read_computation(r, p);
}

void write_named_computation(printer *p, const op *o)
{
	static const int hidden[] = {N_name, N_in_shardings, N_out_shardings, 0};
	const attr *n = op_attr(o, N_name);
	put_c(p->w, '<');
	put_quoted(p->w, n && n->text ? name_str(n->text) : STR(""));
	put_lit(p->w, ">(");
	write_operands(p, o, 0, o->n_operands);
	put_c(p->w, ')');
	write_sharding_list(p, o, " in_shardings=", N_in_shardings);
	write_sharding_list(p, o, " out_shardings=", N_out_shardings);
	write_computation(p, o, hidden);
}

/* Reads max or min, or nothing, before the axes of a reduction. */
void read_reduction_word(reader *r, pending *p)
{
	static const char *const words[] = {"sum", "max", "min"};
	UNUSED(p);
	for (int i = 0; i < COUNT(words); i++)
		if (read_accept_word(r, words[i]))
			pend_known(r, N_reduction_op, attr_i32(r->ctx, i));
}

void write_reduction_word(printer *p, const op *o)
{
	int64_t kind = op_int(o, N_reduction_op, RED_SUM);
	put_z(p->w, kind == RED_MAX ? " max " : kind == RED_MIN ? " min " : " ");
}
