/* scf.c - the syntax of the loops and branches of scf, and of shape.assuming.
 *
 *   for      ::= 'unsigned'? value '=' value 'to' value 'step' value
 *                ('iter_args' '(' value '=' value, … ')' '->' types)? (':' T)? region dict?
 *   if       ::= value ('->' types)? region ('else' region)? dict?
 *   while    ::= ('(' value '=' value, … ')')? ':' function-type region 'do' region
 *                ('attributes' dict)?
 *   assuming ::= value ('->' types)? region dict?
 *
 * A yield without operands is not written. */
#include "mlir/forms/forms.h"

/* Reads -> T, or -> (T, T); nothing if there are no results. */
static int read_result_list(reader *r)
{
	int n = 0;
	if (!read_accept(r, T_ARROW))
		return 0;
	bool paren = read_accept(r, '(');
	if (paren && read_accept(r, ')'))
		return 0;
	do {
		push_type(r, read_type(r));
		n++;
	} while (paren && read_accept(r, ','));
	if (paren)
		read_expect(r, ')');
	return n;
}

/* Gives each block of the newest region a terminator without operands, unless it has one. */
static void end_region(reader *r, const pending *p, op_kind kind)
{
	region *g = &r->region_stack.ptr[r->region_stack.len - 1];
	if (r->failed)
		return;
	if (!g->first)
		block_new(r->m, g);
	if (g->last->last && op_has(g->last->last, TERMINATOR))
		return;
	op_set_place(block_close(r->m, g->last, kind, NULL, 0), p->at, p->name_end);
}

static void read_dict_behind(reader *r)
{
	if (r->tok == '{')
		read_attr_dict(r);
}

/* Prints a region, with its terminator only if there are results. */
static void write_scf_body(printer *p, const op *o, int region)
{
	if (o->n_results)
		write_region(p, op_region(o, region), false);
	else
		write_region_without_end(p, op_region(o, region));
}

static void write_result_list(printer *p, const op *o)
{
	if (!o->n_results)
		return;
	put_lit(p->w, " -> (");
	write_results_types(p, o);
	put_c(p->w, ')');
}

static void write_carried(printer *p, const op *o, int arg, int from)
{
	const block *b = op_body(o);
	put_c(p->w, '(');
	for (int i = from; i < o->n_operands; i++, arg++) {
		if (i > from)
			put_lit(p->w, ", ");
		write_value(p, b->args[arg]);
		put_lit(p->w, " = ");
		write_value(p, operand(o, i));
	}
	put_c(p->w, ')');
}

/* ---- for -------------------------------------------------------------------------------- */

void read_scf_for(reader *r, pending *p)
{
	if (read_accept_word(r, "unsigned"))
		pend_known(r, N_unsignedCmp, attr_unit(r->ctx));
	region_arg *args = NEW(r->mem, region_arg), first = {.at = tok_place(r)};
	first.name = read_value_name(r);
	read_expect(r, '=');
	read_operand(r, p);
	read_expect_word(r, "to");
	read_operand(r, p);
	read_expect_word(r, "step");
	read_operand(r, p);
	int n = read_accept_word(r, "iter_args") ? read_carried(r, p, &args, 1) : 0;
	p->result_types = r->type_stack.len;
	p->n_results = n ? read_result_list(r) : 0;
	if (p->n_results != n && !r->failed)
		read_fail_at(r, (place){r->src, p->at, p->name_end}, E_COUNT,
		             "%d values go around, but there are %d types", n, p->n_results);
	first.type = read_accept(r, ':') ? read_type(r) : type_scalar(r->ctx, DT_INDEX);
	args[0] = first;
	p->operand_types = r->type_stack.len;
	for (int i = 0; i < 3; i++)
		push_type(r, first.type);
	for (int i = 0; i < n && !r->failed; i++) {
		args[i + 1].type = r->type_stack.ptr[p->result_types + i];
		push_type(r, args[i + 1].type);
	}
	p->n_operand_types = p->n_operands;
	read_region(r, p, args, n + 1);
	end_region(r, p, OP_SCF_YIELD);
	read_dict_behind(r);
}

void write_scf_for(printer *p, const op *o)
{
	static const int hidden[] = {N_unsignedCmp, 0};
	const value *v = op_body(o)->args[0];
	put_z(p->w, op_attr(o, N_unsignedCmp) ? " unsigned " : " ");
	write_value(p, v);
	put_lit(p->w, " = ");
	write_operands(p, o, 0, 1);
	put_lit(p->w, " to ");
	write_operands(p, o, 1, 1);
	put_lit(p->w, " step ");
	write_operands(p, o, 2, 1);
	if (o->n_operands > 3) {
		put_lit(p->w, " iter_args");
		write_carried(p, o, 1, 3);
		write_result_list(p, o);
	}
	put_c(p->w, ' ');
	if (v->type != type_scalar(p->ctx, DT_INDEX)) {
		put_lit(p->w, " : ");
		write_type(p, v->type);
		put_c(p->w, ' ');
	}
	write_scf_body(p, o, 0);
	write_op_attrs(p, o, hidden, false);
}

/* ---- if, assuming ------------------------------------------------------------------------- */

static void read_condition_of(reader *r, pending *p, const type *t)
{
	read_operand(r, p);
	p->operand_types = r->type_stack.len;
	push_type(r, t);
	p->n_operand_types = 1;
	p->result_types = r->type_stack.len;
	p->n_results = read_result_list(r);
}

void read_scf_if(reader *r, pending *p)
{
	read_condition_of(r, p, type_scalar(r->ctx, DT_I1));
	read_region(r, p, NULL, 0);
	end_region(r, p, OP_SCF_YIELD);
	if (read_accept_word(r, "else")) {
		read_region(r, p, NULL, 0);
		end_region(r, p, OP_SCF_YIELD);
	} else {
		region none = {0};
		vec_push(r->mem, &r->region_stack, none);
	}
	read_dict_behind(r);
}

/* Prints what read_condition_of() reads, and the first region. */
static void write_conditional(printer *p, const op *o)
{
	put_c(p->w, ' ');
	write_operands(p, o, 0, 1);
	write_result_list(p, o);
	put_c(p->w, ' ');
	write_scf_body(p, o, 0);
}

void write_scf_if(printer *p, const op *o)
{
	static const int hidden[] = {0};
	write_conditional(p, o);
	if (op_block(o, 1)) {
		put_lit(p->w, " else ");
		write_scf_body(p, o, 1);
	}
	write_op_attrs(p, o, hidden, false);
}

void read_assuming(reader *r, pending *p)
{
	read_condition_of(r, p, form_witness_type(r->ctx));
	read_region(r, p, NULL, 0);
	end_region(r, p, OP_SHAPE_ASSUMING_YIELD);
	read_dict_behind(r);
}

void write_assuming(printer *p, const op *o)
{
	static const int hidden[] = {0};
	write_conditional(p, o);
	write_op_attrs(p, o, hidden, false);
}

/* ---- while --------------------------------------------------------------------------------- */

void read_scf_while(reader *r, pending *p)
{
	region_arg *args = NULL;
	int n = r->tok == '(' ? read_carried(r, p, &args, 0) : 0;
	read_signature(r, p);
	if (p->n_operand_types != n && !r->failed)
		read_fail_at(r, (place){r->src, p->at, p->name_end}, E_COUNT,
		             "%d values go around, but there are %d types", n,
		             p->n_operand_types);
	for (int i = 0; i < n && !r->failed; i++)
		args[i].type = r->type_stack.ptr[p->operand_types + i];
	read_region(r, p, args, n);
	read_expect_word(r, "do");
	read_region(r, p, NULL, 0);
	if (read_accept_word(r, "attributes"))
		read_attr_dict(r);
}

void write_scf_while(printer *p, const op *o)
{
	static const int hidden[] = {0};
	if (o->n_operands) {
		put_c(p->w, ' ');
		write_carried(p, o, 0, 0);
	}
	put_lit(p->w, " : ");
	write_function_type(p, o);
	put_c(p->w, ' ');
	write_region(p, op_region(o, 0), false);
	put_lit(p->w, " do ");
	write_region(p, op_region(o, 1), true);
	write_op_attrs(p, o, hidden, true);
}

/* Reads %a, %b : T, T, a terminator's operands, after those already read; nothing if none. */
static void read_given(reader *r, pending *p)
{
	int before = p->n_operands;
	read_operands(r, p);
	if (r->built && r->tok != ':') {
		push_operand_types(r, p, before);
	} else if (p->n_operands > before) {
		read_expect(r, ':');
		do
			push_type(r, read_type(r));
		while (read_accept(r, ','));
	}
	p->n_operand_types = r->type_stack.len - p->operand_types;
	p->result_types = r->type_stack.len;
}

static void write_given(printer *p, const op *o, int from)
{
	for (int i = from; i < o->n_operands; i++) {
		put_z(p->w, i > from ? ", " : " ");
		write_operands(p, o, i, 1);
	}
	for (int i = from; i < o->n_operands; i++) {
		put_z(p->w, i > from ? ", " : " : ");
		write_type(p, operand(o, i)->type);
	}
}

void read_yielded(reader *r, pending *p)
{
	p->operand_types = r->type_stack.len;
	read_given(r, p);
}

void write_yielded(printer *p, const op *o) { write_given(p, o, 0); }

/* Reads the rest of condition(%c) %a, %b : T, T, after the condition. */
void read_condition_args(reader *r, pending *p)
{
	p->operand_types = r->type_stack.len;
	push_type(r, type_scalar(r->ctx, DT_I1));
	read_given(r, p);
}

void write_condition_args(printer *p, const op *o) { write_given(p, o, 1); }
