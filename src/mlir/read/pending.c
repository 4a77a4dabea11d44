/* pending.c - the parts of an op in the making, on the reader's stacks. */
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

void read_signature(reader *r, pending *p)
{
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

/* ---- an op that is read again --------------------------------------------------------- */

static void stop_reading(reader *r)
{
	r->failed = true;
	r->tok = T_END;
	r->tok_at = r->at = r->end;
}

op *read_noted_op(reader *r, op *(*read)(reader *r))
{
	bool outer = r->notes->here, mine = tok_pos(r) == r->notes->at;
	r->notes->here = mine;
	op *o = read(r);
	r->notes->here = outer;
	if (mine && !r->failed) {
		r->notes->found = o;
		stop_reading(r);
	}
	return o;
}
