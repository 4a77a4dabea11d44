/* pending.c - the parts of an op under construction, on the reader's stacks. */
#include "mlir/read/read.h"

pending pending_begin(reader *r, const name *n, uint32_t at)
{
	return (pending){.kind = op_kind_of(r->ctx, n),
	                 .name = n,
	                 .at = at,
	                 .name_end = r->last_end,
	                 .operands = r->operands.len,
	                 .operand_types = r->type_stack.len,
	                 .attrs = r->attr_stack.len,
	                 .regions = r->region_stack.len};
}

void read_operand(reader *r, pending *p)
{
	uint32_t at = tok_pos(r);
	value *v = read_value(r);
	vec_push(r->mem, &r->operands, v);
	vec_push(r->mem, &r->operand_at, at);
	p->n_operands++;
}

void read_operands(reader *r, pending *p)
{
	if (r->tok != T_VALUE)
		return;
	do
		read_operand(r, p);
	while (read_accept(r, ','));
}

place operand_place(const reader *r, int i)
{
	uint32_t at = r->operand_at.ptr[i], end = at + 1;
	const char *s = r->text + end;
	while (s + (end - at) < r->end && *s != ',' && *s != ' ' && *s != ')' && *s != '\n' &&
	       end - at < 80) {
		s++;
		end++;
	}
	return (place){r->src, at, end};
}

void push_operand_types(reader *r, pending *p, int from)
{
	for (int i = from; i < p->n_operands && !r->failed; i++) {
		const value *v = r->operands.ptr[p->operands + i];
		if (!v->type && !r->notes) {
			read_fail_at(r, operand_place(r, p->operands + i), E_OPERAND_TYPE,
			             "this value is defined later, if at all: its type must be "
			             "written");
			return;
		}
		vec_push(r->mem, &r->type_stack, v->type ? v->type : type_none(r->ctx));
	}
}

bool read_colon(reader *r, pending *p)
{
	if (!r->built || r->tok == ':') {
		read_expect(r, ':');
		return true;
	}
	p->untyped = true;
	p->operand_types = r->type_stack.len;
	push_operand_types(r, p, 0);
	p->n_operand_types = r->type_stack.len - p->operand_types;
	p->result_types = r->type_stack.len;
	return false;
}

void read_signature(reader *r, pending *p)
{
	if (!read_colon(r, p))
		return;
	p->operand_types = r->type_stack.len;
	read_function_type(r, &p->n_operand_types, &p->n_results);
	p->result_types = p->operand_types + p->n_operand_types;
}

void pend_attr(reader *r, const name *n, const attr *a)
{
	if (a)
		vec_push(r->mem, &r->attr_stack, (named_attr){n, a});
}

void pend_read(reader *r, int known, const attr *(*read)(reader *r))
{
	uint32_t at = tok_pos(r);
	pend_known(r, known, read(r));
	note_known(r, known, 0, at);
}

/* ---- parsing an op again for its attributes' positions -------------------------------------- */

op *read_noted_op(reader *r, op *(*read)(reader *r))
{
	bool outer = r->notes->here, mine = tok_pos(r) == r->notes->at;
	r->notes->here = mine;
	op *o = read(r);
	r->notes->here = outer;
	if (mine && !r->failed) {
		r->notes->found = o;
		read_stop(r);
	}
	return o;
}
