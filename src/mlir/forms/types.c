/* types.c - how pretty forms abbreviate the types of an op.
 *
 * If the abbreviation would not be enough, the function type is written. */
#include "mlir/forms/forms.h"

/* ---- reading --------------------------------------------------------------------- */

/* Pushes the type of the only result; those of the operands are pushed already. */
static void push_result(reader *r, pending *p, const type *t)
{
	p->result_types = r->type_stack.len;
	push_type(r, t);
	p->n_results = 1;
}

/* Takes the last types pushed as those of n operands and one result. */
static void take_pushed(reader *r, pending *p, int n)
{
	p->operand_types = r->type_stack.len - n - 1;
	p->n_operand_types = n;
	p->n_results = 1;
	p->result_types = p->operand_types + n;
}

/* Reads one type for all operands and the result, or a function type. */
static void read_same(reader *r, pending *p)
{
	const type *t = read_type(r);
	p->operand_types = r->type_stack.len;
	if (t->kind == TY_FUNCTION) {
		for (int i = 0; i < t->n_in; i++)
			push_type(r, t->in[i]);
		for (int i = 0; i < t->n_out; i++)
			push_type(r, t->out[i]);
		p->n_operand_types = t->n_in;
		p->n_results = t->n_out;
	} else {
		for (int i = 0; i <= p->n_operands; i++)
			push_type(r, t);
		p->n_operand_types = p->n_operands;
		p->n_results = 1;
	}
	p->result_types = p->operand_types + p->n_operand_types;
}

static void read_complex_types(reader *r, pending *p)
{
	place at = tok_place(r);
	const type *t = read_type(r);
	if (t->kind == TY_FUNCTION || r->failed) {
		read_goto(r, r->text + at.begin);
		read_same(r, p);
		return;
	}
	if (!dtype_is_complex(t->dtype)) {
		read_fail_at(r, at, E_OPERAND_TYPE, "expected a complex type");
		return;
	}
	const type *part = type_with_elem(r->ctx, t, type_scalar(r->ctx, dtype_part_of(t->dtype)));
	push_type(r, part);
	push_type(r, part);
	push_type(r, t);
	take_pushed(r, p, 2);
}

static void read_select_types(reader *r, pending *p)
{
	uint32_t at = tok_pos(r);
	const type *pred = read_type(r);
	if (pred->kind == TY_FUNCTION) {
		read_goto(r, r->text + at);
		read_same(r, p);
		return;
	}
	read_expect(r, ',');
	const type *t = read_type(r);
	push_type(r, pred);
	for (int i = 0; i < 3; i++)
		push_type(r, t);
	take_pushed(r, p, 3);
}

static void read_tuple_type(reader *r, pending *p)
{
	place at = tok_place(r);
	const type *t = read_type(r);
	if (t->kind != TY_TUPLE) {
		read_fail_at(r, at, E_OPERAND_TYPE, "expected a tuple type");
		return;
	}
	for (int i = 0; i < t->n_in; i++)
		push_type(r, t->in[i]);
	push_type(r, t);
	take_pushed(r, p, t->n_in);
}

static int read_bare_types(reader *r)
{
	int n = 0;
	do {
		const type *t = read_type(r);
		push_type(r, t);
		n++;
	} while (read_accept(r, ','));
	return n;
}

static void push_results_like_operands(reader *r, pending *p)
{
	p->untyped = false;
	p->n_results = p->n_operand_types;
	p->result_types = r->type_stack.len;
	for (int i = 0; i < p->n_results; i++)
		push_type(r, r->type_stack.ptr[p->operand_types + i]);
}

static void read_pairwise(reader *r, pending *p)
{
	p->operand_types = r->type_stack.len;
	p->n_operand_types = read_bare_types(r);
	push_results_like_operands(r, p);
}

static void read_arrow(reader *r, pending *p)
{
	p->operand_types = r->type_stack.len;
	p->n_operand_types = read_bare_types(r);
	read_expect(r, T_ARROW);
	p->result_types = r->type_stack.len;
	if (!read_accept(r, '(')) {
		push_type(r, read_type(r));
		p->n_results = 1;
		return;
	}
	p->n_results = read_bare_types(r);
	read_expect(r, ')');
}

/* Reads T, T to U, U. */
static void read_to_types(reader *r, pending *p)
{
	p->operand_types = r->type_stack.len;
	if (p->n_operands && read_accept(r, ':'))
		read_bare_types(r);
	else if (r->built)
		push_operand_types(r, p, 0);
	p->result_types = r->type_stack.len;
	p->n_operand_types = p->result_types - p->operand_types;
	p->untyped = r->built && !tok_is(r, "to");
	if (p->untyped)
		return;
	read_expect_word(r, "to");
	p->n_results = read_bare_types(r);
}

/* Reads the first operand's type; the other operands are indices. */
static void read_indexed_types(reader *r, pending *p, bool element)
{
	const type *t = read_type(r), *index = type_scalar(r->ctx, DT_INDEX);
	p->operand_types = r->type_stack.len;
	p->n_operand_types = p->n_operands;
	for (int i = 0; i < p->n_operands; i++)
		push_type(r, i ? index : t);
	push_result(r, p, element && t->elem ? t->elem : index);
}

static void read_elements_type(reader *r, pending *p)
{
	const type *t = read_type(r);
	p->operand_types = r->type_stack.len;
	p->n_operand_types = p->n_operands;
	for (int i = 0; i < p->n_operands; i++)
		push_type(r, t->elem ? t->elem : t);
	push_result(r, p, t);
}

static void read_operand_type(reader *r, pending *p)
{
	const type *t = read_type(r);
	p->operand_types = r->type_stack.len;
	for (int i = 0; i < p->n_operands; i++)
		push_type(r, t);
	p->n_operand_types = p->n_operands;
	p->result_types = r->type_stack.len;
}

static void read_result_type(reader *r, pending *p)
{
	p->operand_types = r->type_stack.len;
	for (int i = 0; i < p->n_operands; i++)
		push_type(r, type_scalar(r->ctx, DT_INDEX));
	p->n_operand_types = p->n_operands;
	push_result(r, p, read_type(r));
}

static void read_predicate_types(reader *r, pending *p)
{
	const type *t = read_type(r);
	p->operand_types = r->type_stack.len;
	p->n_operand_types = 2;
	push_type(r, t);
	push_type(r, t);
	push_result(r, p, op_predicate_type(r->ctx, t));
}

const type *form_witness_type(tess_ctx *ctx)
{
	return type_text(ctx, TY_OPAQUE, STR("!shape.witness"));
}

static void read_operand_types(reader *r, pending *p)
{
	p->operand_types = r->type_stack.len;
	p->n_operand_types = read_bare_types(r);
	p->result_types = r->type_stack.len;
}

static void read_witness_types(reader *r, pending *p)
{
	read_operand_types(r, p);
	push_result(r, p, form_witness_type(r->ctx));
}

static void read_choice_types(reader *r, pending *p)
{
	const type *t = read_type(r), *condition = type_scalar(r->ctx, DT_I1);
	if (read_accept(r, ',')) {
		condition = t;
		t = read_type(r);
	}
	p->operand_types = r->type_stack.len;
	p->n_operand_types = 3;
	push_type(r, condition);
	push_type(r, t);
	push_type(r, t);
	push_result(r, p, t);
}

static void read_inserted_types(reader *r, pending *p)
{
	const type *t = read_type(r);
	p->operand_types = r->type_stack.len;
	p->n_operand_types = p->n_operands;
	for (int i = 0; i < p->n_operands; i++)
		push_type(r, i > 1 ? type_scalar(r->ctx, DT_INDEX) : !i && t->elem ? t->elem : t);
	push_result(r, p, t);
}

/* The operand has the type of the attribute `value`, which has been read. */
static void read_value_type(reader *r, pending *p)
{
	p->operand_types = r->type_stack.len;
	for (int i = p->attrs; i < r->attr_stack.len; i++)
		if (name_is(r->attr_stack.ptr[i].name, N_value) &&
		    r->attr_stack.ptr[i].value->type) {
			push_type(r, r->attr_stack.ptr[i].value->type);
			p->n_operand_types = 1;
			break;
		}
	p->result_types = r->type_stack.len;
}

void read_types(reader *r, pending *p, types_kind kind)
{
	if (kind == TYPES_OF_VALUE) {
		read_value_type(r, p);
		return;
	}
	if (kind == TYPES_TO) {
		read_to_types(r, p);
		return;
	}
	if (kind == TYPES_BARE_OPERANDS) {
		read_operand_types(r, p);
		return;
	}
	if (kind == TYPES_OPERANDS && r->tok != ':') {
		p->operand_types = r->type_stack.len;
		if (r->built)
			push_operand_types(r, p, 0);
		p->result_types = r->type_stack.len;
		p->n_operand_types = p->result_types - p->operand_types;
		return;
	}
	if (kind == TYPES_FUNCTION) {
		read_signature(r, p);
		return;
	}
	if (!read_colon(r, p)) {
		if (kind == TYPES_PAIRWISE)
			push_results_like_operands(r, p);
		return;
	}
	switch (kind) {
	case TYPES_FUNCTION:
	case TYPES_SAME: read_same(r, p); break;
	case TYPES_RESULT: read_result_type(r, p); break;
	case TYPES_COMPLEX: read_complex_types(r, p); break;
	case TYPES_SELECT: read_select_types(r, p); break;
	case TYPES_TUPLE: read_tuple_type(r, p); break;
	case TYPES_PAIRWISE: read_pairwise(r, p); break;
	case TYPES_OPERANDS:
	case TYPES_BARE_OPERANDS: read_operand_types(r, p); break;
	case TYPES_TO:
	case TYPES_OF_VALUE: break;
	case TYPES_FIRST: read_indexed_types(r, p, false); break;
	case TYPES_ELEMENT: read_indexed_types(r, p, true); break;
	case TYPES_ELEMENTS: read_elements_type(r, p); break;
	case TYPES_WITNESS: read_witness_types(r, p); break;
	case TYPES_CHOICE: read_choice_types(r, p); break;
	case TYPES_PREDICATE: read_predicate_types(r, p); break;
	case TYPES_INSERTED: read_inserted_types(r, p); break;
	case TYPES_ARROW:
	case TYPES_TOP_K: read_arrow(r, p); break;
	case TYPES_OPERAND: read_operand_type(r, p); break;
	}
}

/* ---- printing ------------------------------------------------------------------------- */

static bool operands_are(const op *o, int from, const type *t)
{
	for (int i = from; i < o->n_operands; i++)
		if (operand(o, i)->type != t)
			return false;
	return true;
}

static bool parts_fit(const op *o, const type *t)
{
	for (int i = 0; i < o->n_operands; i++) {
		const type *part = operand(o, i)->type;
		if (part->kind != t->kind || part->rank != t->rank ||
		    part->encoding != t->encoding || part->dtype != dtype_part_of(t->dtype) ||
		    (t->rank && memcmp(part->dims, t->dims, sizeof *t->dims * (size_t)t->rank)))
			return false;
	}
	return dtype_is_complex(t->dtype);
}

static void write_operand_types(printer *p, const op *o)
{
	for (int i = 0; i < o->n_operands; i++) {
		if (i)
			put_lit(p->w, ", ");
		write_type(p, operand(o, i)->type);
	}
}

static void write_arrow(printer *p, const op *o)
{
	write_operand_types(p, o);
	put_lit(p->w, " -> ");
	if (o->n_results != 1)
		put_c(p->w, '(');
	write_results_types(p, o);
	if (o->n_results != 1)
		put_c(p->w, ')');
}

void write_types_of(printer *p, const op *o, types_kind kind)
{
	const type *t = o->n_results ? o->results[0].type : NULL;
	if (kind == TYPES_OF_VALUE || (kind == TYPES_OPERANDS && !o->n_operands))
		return;
	if (kind != TYPES_TO || o->n_operands)
		put_z(p->w, kind == TYPES_BARE_OPERANDS ? " " : " : ");
	switch (kind) {
	case TYPES_FUNCTION: break;
	case TYPES_SAME:
		if (!operands_are(o, 0, t))
			break;
		write_type(p, t);
		return;
	case TYPES_COMPLEX:
		if (!parts_fit(o, t))
			break;
		write_type(p, t);
		return;
	case TYPES_SELECT:
		if (!operands_are(o, 1, t))
			break;
		write_type(p, operand(o, 0)->type);
		put_lit(p->w, ", ");
		write_type(p, t);
		return;
	case TYPES_CHOICE:
		if (operand(o, 0)->type != type_scalar(p->ctx, DT_I1)) {
			write_type(p, operand(o, 0)->type);
			put_lit(p->w, ", ");
		}
		write_type(p, t);
		return;
	case TYPES_RESULT:
	case TYPES_INSERTED:
	case TYPES_ELEMENTS:
	case TYPES_TUPLE: write_type(p, t); return;
	case TYPES_TO:
		write_operand_types(p, o);
		put_lit(p->w, " to ");
		write_results_types(p, o);
		return;
	case TYPES_OF_VALUE: return;
	case TYPES_PAIRWISE:
	case TYPES_BARE_OPERANDS:
	case TYPES_WITNESS:
	case TYPES_OPERANDS: write_operand_types(p, o); return;
	case TYPES_ARROW:
	case TYPES_TOP_K: write_arrow(p, o); return;
	case TYPES_FIRST:
	case TYPES_ELEMENT:
	case TYPES_PREDICATE:
	case TYPES_OPERAND: write_type(p, operand(o, 0)->type); return;
	}
	write_function_type(p, o);
}
