/* branch.c - the syntax of cf ops, which branch to blocks.
 *
 *   br       ::= dest dict?
 *   cond_br  ::= value ('weights' ints)? ',' dest ',' dest dict?
 *   switch   ::= value ':' T ',' '[' 'default' ':' dest (',' int ':' dest)* ']' dict?
 *   assert   ::= value ',' string dict?
 *   dest     ::= '^' name ('(' values ':' types ')')? */
#include "mlir/forms/forms.h"

static const attr *i32s_attr(reader *r, const int32_t *v, int n)
{
	return attr_of(r->ctx, &(attr){.kind = AT_DENSE_ARRAY,
	                               .type = type_scalar(r->ctx, DT_I32),
	                               .n = n,
	                               .data = v,
	                               .data_len = sizeof *v * (size_t)n});
}

static void begin_types(reader *r, pending *p)
{
	p->operand_types = p->result_types = r->type_stack.len;
}

/* No results; the types read so far are those of all operands. */
static void end_types(reader *r, pending *p)
{
	p->n_operand_types = r->type_stack.len - p->operand_types;
	p->result_types = r->type_stack.len;
	if (r->tok == '{')
		read_attr_dict(r);
}

/* Reads a block and the operands for its arguments; returns their number. */
static int read_destination(reader *r, pending *p)
{
	int before = p->n_operands;
	read_successor(r);
	if (!read_accept(r, '('))
		return 0;
	read_operands(r, p);
	read_expect(r, ':');
	do
		push_type(r, read_type(r));
	while (read_accept(r, ','));
	read_expect(r, ')');
	return p->n_operands - before;
}

static void write_destination(printer *p, const op *o, const block *to, int from, int n)
{
	write_block_name(p, to);
	if (!n)
		return;
	put_c(p->w, '(');
	write_operands(p, o, from, n);
	put_lit(p->w, " : ");
	for (int i = 0; i < n; i++) {
		if (i)
			put_lit(p->w, ", ");
		write_type(p, operand(o, from + i)->type);
	}
	put_c(p->w, ')');
}

void read_br(reader *r, pending *p)
{
	begin_types(r, p);
	read_destination(r, p);
	end_types(r, p);
}

void write_br(printer *p, const op *o)
{
	static const int hidden[] = {0};
	int n;
	block *const *to = op_successors(o, &n);
	put_c(p->w, ' ');
	write_destination(p, o, to[0], 0, o->n_operands);
	write_op_attrs(p, o, hidden, false);
}

void read_cond_br(reader *r, pending *p)
{
	begin_types(r, p);
	read_operand(r, p);
	push_type(r, type_scalar(r->ctx, DT_I1));
	if (read_accept_word(r, "weights")) {
		int base = r->ints.len;
		read_expect(r, '(');
		read_int_list(r);
		read_expect(r, ')');
		int32_t *v = NEW_N(r->mem, int32_t, r->ints.len - base);
		for (int i = base; i < r->ints.len; i++)
			v[i - base] = (int32_t)r->ints.ptr[i];
		pend_known(r, N_branch_weights, i32s_attr(r, v, r->ints.len - base));
		r->ints.len = base;
	}
	read_expect(r, ',');
	int32_t segments[3] = {1, read_destination(r, p)};
	read_expect(r, ',');
	segments[2] = read_destination(r, p);
	pend_known(r, N_operandSegmentSizes, i32s_attr(r, segments, 3));
	end_types(r, p);
}

void write_cond_br(printer *p, const op *o)
{
	static const int hidden[] = {N_operandSegmentSizes, N_branch_weights, 0};
	int n;
	const int64_t *segments = op_ints(p->m, o, N_operandSegmentSizes, &n);
	const int64_t *weights = op_ints(p->m, o, N_branch_weights, &n);
	block *const *to = op_successors(o, &(int){0});
	put_c(p->w, ' ');
	write_operands(p, o, 0, 1);
	for (int i = 0; weights && i < n; i++)
		put_f(p->w, "%s%" PRId64, i ? ", " : " weights([", weights[i]);
	if (weights && n)
		put_lit(p->w, "])");
	put_lit(p->w, ", ");
	write_destination(p, o, to[0], 1, (int)segments[1]);
	put_lit(p->w, ", ");
	write_destination(p, o, to[1], 1 + (int)segments[1], (int)segments[2]);
	write_op_attrs(p, o, hidden, false);
}

/* The cases have the integer type of the flag. */
static const attr *cases_attr(reader *r, const type *flag, const int64_t *v, int n)
{
	int64_t size = dtype_bytes(flag->dtype), dims[] = {n};
	char *data = NEW_N(r->mem, char, size * n + 1);
	for (int i = 0; i < n; i++)
		memcpy(data + i * size, &v[i], (size_t)size);
	const type *t = type_shaped(r->ctx, TY_VECTOR, flag, dims, 1, NULL);
	bool splat = n > 0;
	for (int i = 1; i < n; i++)
		splat &= v[i] == v[0];
	return attr_dense(r->ctx, t, data, (size_t)(splat ? size : size * n), splat);
}

/* An i32 of -1 may also be written as 4294967295. */
static int64_t read_case(reader *r)
{
	uint64_t v = 0;
	bool minus = read_accept(r, '-');
	if (r->tok != T_INT || !token_magnitude(r, &v))
		read_expected(r, "an integer");
	read_next(r);
	return (int64_t)(minus ? -v : v);
}

void read_switch(reader *r, pending *p)
{
	VEC(int32_t) counts = {0};
	VEC(int64_t) cases = {0};
	begin_types(r, p);
	read_operand(r, p);
	read_expect(r, ':');
	place at = tok_place(r);
	const type *flag = read_type(r);
	push_type(r, flag);
	if (!r->failed && (flag->kind != TY_SCALAR || !dtype_is_int(flag->dtype)))
		read_fail_at(r, at, E_OPERAND_TYPE, "a switch takes an integer");
	read_expect(r, ',');
	read_expect(r, '[');
	read_expect_word(r, "default");
	read_expect(r, ':');
	int32_t segments[3] = {1, read_destination(r, p)};
	while (read_accept(r, ',')) {
		vec_push(r->mem, &cases, read_case(r));
		read_expect(r, ':');
		vec_push(r->mem, &counts, read_destination(r, p));
	}
	read_expect(r, ']');
	segments[2] = p->n_operands - 1 - segments[1];
	if (r->failed)
		return;
	if (cases.len)
		pend_known(r, N_case_values, cases_attr(r, flag, cases.ptr, cases.len));
	pend_known(r, N_case_operand_segments, i32s_attr(r, counts.ptr, counts.len));
	pend_known(r, N_operandSegmentSizes, i32s_attr(r, segments, 3));
	end_types(r, p);
}

void write_switch(printer *p, const op *o)
{
	static const int hidden[] = {N_operandSegmentSizes, N_case_operand_segments, N_case_values,
	                             0};
	int n, n_to;
	const int64_t *segments = op_ints(p->m, o, N_operandSegmentSizes, &n);
	const int64_t *counts = op_ints(p->m, o, N_case_operand_segments, &n);
	const attr *cases = op_attr(o, N_case_values);
	block *const *to = op_successors(o, &n_to);
	int unused = 64 - dtype_bits(operand(o, 0)->type->dtype);
	put_c(p->w, ' ');
	write_operands(p, o, 0, 1);
	put_lit(p->w, " : ");
	write_type(p, operand(o, 0)->type);
	put_lit(p->w, ", [");
	p->indent += 2;
	write_newline(p);
	put_lit(p->w, "default: ");
	write_destination(p, o, to[0], 1, (int)segments[1]);
	for (int i = 1, at = 1 + (int)segments[1]; i < n_to; at += (int)counts[i++ - 1]) {
		put_c(p->w, ',');
		write_newline(p);
		uint64_t bits = (uint64_t)attr_dense_int(cases, i - 1) << unused >> unused;
		put_f(p->w, "%" PRIu64 ": ", bits);
		write_destination(p, o, to[i], at, (int)counts[i - 1]);
	}
	p->indent -= 2;
	write_newline(p);
	put_c(p->w, ']');
	write_op_attrs(p, o, hidden, false);
}

void read_assert(reader *r, pending *p)
{
	begin_types(r, p);
	read_operand(r, p);
	push_type(r, type_scalar(r->ctx, DT_I1));
	read_expect(r, ',');
	pend_known(r, N_msg, attr_string(r->ctx, name_of(r->ctx, read_string(r))));
	end_types(r, p);
}

void write_assert(printer *p, const op *o)
{
	static const int hidden[] = {N_msg, 0};
	put_c(p->w, ' ');
	write_operands(p, o, 0, 1);
	put_lit(p->w, ", ");
	write_attr(p, op_attr(o, N_msg));
	write_op_attrs(p, o, hidden, false);
}

/* ---- is the form faithful? ------------------------------------------------------------------ */

static bool counts_ok(const module *m, const op *o, int known, int n_counts, int64_t total)
{
	int n;
	const int64_t *v = op_ints(m, o, known, &n);
	if (n != n_counts)
		return false;
	for (int i = 0; i < n; i++) {
		if (v[i] < 0 || v[i] > total)
			return false;
		total -= v[i];
	}
	return !total;
}

bool form_branches_well(const module *m, const op *o)
{
	int n, k;
	op_successors(o, &n);
	if (o->kind == OP_CF_BR)
		return n == 1;
	if (o->kind != OP_CF_COND_BR && o->kind != OP_CF_SWITCH)
		return true;
	if (!counts_ok(m, o, N_operandSegmentSizes, 3, o->n_operands))
		return false;
	const int64_t *segments = op_ints(m, o, N_operandSegmentSizes, &k);
	if (segments[0] != 1)
		return false;
	if (o->kind == OP_CF_COND_BR)
		return n == 2 && operand(o, 0)->type == type_scalar(m->ctx, DT_I1);
	const attr *cases = op_attr(o, N_case_values);
	int n_cases = 0;
	if (cases && (!attr_ints(m->ctx, cases, &n_cases) || cases->kind != AT_DENSE ||
	              cases->type->kind != TY_VECTOR))
		return false;
	const type *t = cases ? cases->type->elem : operand(o, 0)->type;
	return n == n_cases + 1 && t == operand(o, 0)->type &&
	       counts_ok(m, o, N_case_operand_segments, n_cases, segments[2]);
}
