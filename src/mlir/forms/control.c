/* control.c - the syntax of reduce, while and scan, which have regions. */
#include "mlir/forms/forms.h"

/* ---- reduce -----------------------------------------------------------------------
 *
 *   reduce ::= pair (',' pair)* ('applies' op)? 'across' 'dimensions' '=' ints dict?
 *              ':' function-type ('reducer' args* region)?
 *   pair   ::= '(' value 'init' ':' value ')' */

/* In the op, the inits come after all inputs; here, each is beside its input. */
static void read_reduce_pairs(reader *r, pending *p)
{
	VEC(value *) inits = {0};
	VEC(uint32_t) init_at = {0};
	while (read_accept(r, '(')) {
		read_operand(r, p);
		read_expect_word(r, "init");
		read_expect(r, ':');
		uint32_t at = tok_pos(r);
		value *v = read_value(r);
		vec_push(r->mem, &inits, v);
		vec_push(r->mem, &init_at, at);
		read_expect(r, ')');
		if (!read_accept(r, ','))
			break;
	}
	for (int i = 0; i < inits.len; i++) {
		vec_push(r->mem, &r->operands, inits.ptr[i]);
		vec_push(r->mem, &r->operand_at, init_at.ptr[i]);
		p->n_operands++;
	}
}

/* Builds the body that `applies` stands for: the op on the two arguments, and a return. */
static void make_applied_body(reader *r, const pending *p, int inner, const attr *loc)
{
	region g = {0};
	if (r->failed || !p->n_operand_types)
		return;
	const type *in = r->type_stack.ptr[p->operand_types];
	const type *t = type_shaped(r->ctx, TY_TENSOR, in->elem ? in->elem : in, NULL, 0, NULL);
	region_combine_by(r->m, &g, (op_kind)inner, t);
	for (int i = 0; i < g.first->n_args; i++)
		arg_set_loc(g.first->args[i], loc);
	for (op *o = g.first->first; o; o = o->next) {
		op_set_place(o, p->at, p->name_end);
		op_set_loc(r->m, o, loc);
	}
	vec_push(r->mem, &r->region_stack, g);
}

static int read_applied_op(reader *r)
{
	tess_str t = tok_text(r);
	const name *n = name_of(r->ctx, r->tok == T_STRING ? (tess_str){t.ptr + 1, t.len - 2} : t);
	int kind = op_kind_of(r->ctx, n);
	if (!(op_kind_traits(kind) & COMMUTES) || !str_starts(name_str(n), "stablehlo."))
		read_expected(r, "an op of stablehlo whose two operands commute");
	read_next(r);
	return kind;
}

/* Reads reducer(%a: T, %b: T) (%c: T, %d: T) { … }. */
static void read_reducer(reader *r, const pending *p)
{
	VEC(region_arg) args = {0}, seconds = {0};
	read_expect_word(r, "reducer");
	while (read_accept(r, '(')) {
		region_arg a = read_region_arg(r);
		read_expect(r, ',');
		region_arg b = read_region_arg(r);
		read_expect(r, ')');
		vec_push(r->mem, &args, a);
		vec_push(r->mem, &seconds, b);
	}
	for (int i = 0; i < seconds.len; i++)
		vec_push(r->mem, &args, seconds.ptr[i]);
	read_region(r, p, args.ptr, args.len);
}

void read_reduce(reader *r, pending *p)
{
	read_reduce_pairs(r, p);
	int inner = read_accept_word(r, "applies") ? read_applied_op(r) : OP_UNKNOWN;
	read_literal(r, "across dimensions =");
	pend_read(r, N_dimensions, read_ints_attr);
	if (r->tok == '{')
		read_attr_dict(r);
	read_signature(r, p);
	if (inner == OP_UNKNOWN) {
		read_reducer(r, p);
		return;
	}
	p->loc = read_trailing_loc(r);
	make_applied_body(r, p, inner, p->loc);
}

const op *form_applies(const op *o)
{
	const block *b = op_body(o);
	const op *in = b ? b->first : NULL, *ret = in ? in->next : NULL;
	if (!ret || ret->next || ret->kind != OP_RETURN || o->n_operands < 2 || op_n_regions(in) ||
	    !op_has(in, COMMUTES) || !str_starts(str_of(op_kind_name(in->kind)), "stablehlo."))
		return NULL;
	const type *t = operand(in, 0)->type;
	if (in->n_operands != 2 || b->n_args != 2 || in->n_results != 1 || t->kind != TY_TENSOR ||
	    t->rank || t->encoding || t->elem != operand(o, 0)->type->elem || ret->n_operands != 1)
		return NULL;
	bool forwarded = operand(in, 0) == b->args[0] && operand(in, 1) == b->args[1] &&
	                 operand(in, 1)->type == t && in->results[0].type == t &&
	                 operand(ret, 0) == &in->results[0];
	return forwarded ? in : NULL;
}

static void write_reducer(printer *p, const op *o)
{
	const block *b = op_body(o);
	int n = o->n_operands / 2;
	write_newline(p);
	put_lit(p->w, " reducer");
	for (int i = 0; i < n; i++) {
		put_c(p->w, '(');
		write_region_arg(p, b->args[i]);
		put_lit(p->w, ", ");
		write_region_arg(p, b->args[i + n]);
		put_lit(p->w, ") ");
	}
	put_c(p->w, ' ');
	write_region(p, op_region(o, 0), false);
}

void write_reduce(printer *p, const op *o)
{
	static const int hidden[] = {N_dimensions, 0};
	const op *in = form_applies(o);
	int n = o->n_operands / 2;
	for (int i = 0; i < n; i++) {
		put_z(p->w, i ? ", (" : "(");
		write_value(p, operand(o, i));
		put_lit(p->w, " init: ");
		write_value(p, operand(o, i + n));
		put_c(p->w, ')');
	}
	if (in) {
		put_lit(p->w, " applies ");
		put_z(p->w, op_name(in));
	}
	put_lit(p->w, " across dimensions = ");
	write_ints(p, op_attr(o, N_dimensions));
	write_op_attrs(p, o, hidden, false);
	put_lit(p->w, " : ");
	write_function_type(p, o);
	if (!in)
		write_reducer(p, o);
}

/* ---- while: (%i = %a, %j = %b) : T, T attributes {…} cond {…} do {…} ----------------- */

int read_carried(reader *r, pending *p, region_arg **args, int before)
{
	VEC(region_arg) list = {0};
	for (int i = 0; i < before; i++)
		vec_push(r->mem, &list, (region_arg){0});
	read_expect(r, '(');
	if (r->tok != ')') {
		do {
			region_arg a = {.at = tok_place(r)};
			a.name = read_value_name(r);
			read_expect(r, '=');
			read_operand(r, p);
			vec_push(r->mem, &list, a);
		} while (read_accept(r, ','));
	}
	read_expect(r, ')');
	*args = list.ptr;
	return list.len - before;
}

void read_while(reader *r, pending *p)
{
	region_arg *args;
	int n = read_carried(r, p, &args, 0);
	p->operand_types = p->result_types = r->type_stack.len;
	if (n)
		read_types(r, p, TYPES_PAIRWISE);
	if (p->n_results != n && !r->failed)
		read_fail_at(r, (place){r->src, p->at, p->name_end}, E_COUNT,
		             "there are %d values, but %d types", n, p->n_results);
	for (int i = 0; i < n && !r->failed; i++)
		args[i].type = r->type_stack.ptr[p->operand_types + i];
	if (read_accept_word(r, "attributes"))
		read_attr_dict(r);
	read_expect_word(r, "cond");
	read_region(r, p, args, n);
	read_expect_word(r, "do");
	read_region(r, p, args, n);
}

bool form_carries_same_types(const op *o)
{
	for (int r = 0; r < op_n_regions(o); r++) {
		const block *b = op_block(o, r);
		if (!b || b->n_args != o->n_operands)
			return false;
		for (int i = 0; i < b->n_args; i++)
			if (b->args[i]->type != operand(o, i)->type)
				return false;
	}
	for (int i = 0; i < o->n_operands; i++)
		if (i >= o->n_results || o->results[i].type != operand(o, i)->type)
			return false;
	return o->n_results == o->n_operands;
}

void write_while(printer *p, const op *o)
{
	static const int hidden[] = {0};
	const block *body = op_n_regions(o) > 1 ? op_block(o, 1) : NULL;
	put_c(p->w, '(');
	for (int i = 0; i < o->n_operands && body && i < body->n_args; i++) {
		if (i)
			put_lit(p->w, ", ");
		write_value(p, body->args[i]);
		put_lit(p->w, " = ");
		write_value(p, operand(o, i));
	}
	put_c(p->w, ')');
	if (o->n_operands)
		write_types_of(p, o, TYPES_PAIRWISE);
	write_op_attrs(p, o, hidden, true);
	write_newline(p);
	put_lit(p->w, "cond ");
	write_region(p, op_region(o, 0), false);
	put_lit(p->w, " do ");
	write_region(p, op_region(o, 1), false);
}

/* ---- chlo.scan: (%a) inits (%b) dimension=0 attributes {…} {…} : (T) -> T -------------- */

static const attr *segments_attr(reader *r, int first, int second)
{
	int32_t v[2] = {first, second};
	return attr_of(r->ctx, &(attr){.kind = AT_DENSE_ARRAY,
	                               .type = type_scalar(r->ctx, DT_I32),
	                               .n = 2,
	                               .data = v,
	                               .data_len = sizeof v});
}

static const attr *read_i64_attr(reader *r) { return attr_i64(r->ctx, read_int(r)); }

void read_scan(reader *r, pending *p)
{
	read_expect(r, '(');
	read_operands(r, p);
	read_literal(r, ") inits (");
	int n_inputs = p->n_operands;
	read_operands(r, p);
	read_literal(r, ") dimension =");
	pend_read(r, N_dimension, read_i64_attr);
	if (read_accept_word(r, "attributes"))
		read_attr_dict(r);
	read_region(r, p, NULL, 0);
	read_signature(r, p);
	int n_carries = p->n_operands - n_inputs;
	if (!p->untyped && p->n_results < n_carries)
		read_fail_at(r, (place){r->src, p->at, p->name_end}, E_COUNT,
		             "there are %d carries, but %d results", n_carries, p->n_results);
	pend_known(r, N_operandSegmentSizes, segments_attr(r, n_inputs, n_carries));
	pend_known(r, N_resultSegmentSizes, segments_attr(r, p->n_results - n_carries, n_carries));
}

void write_scan(printer *p, const op *o)
{
	static const int hidden[] = {N_dimension, N_operandSegmentSizes, N_resultSegmentSizes, 0};
	int n;
	const int64_t *segments = op_ints(p->m, o, N_operandSegmentSizes, &n);
	int n_inputs = n == 2 && segments[0] <= o->n_operands ? (int)segments[0] : o->n_operands;
	put_c(p->w, '(');
	write_operands(p, o, 0, n_inputs);
	put_lit(p->w, ") inits (");
	write_operands(p, o, n_inputs, o->n_operands - n_inputs);
	put_f(p->w, ") dimension=%" PRId64 " ", op_int(o, N_dimension, 0));
	write_op_attrs(p, o, hidden, true);
	put_c(p->w, ' ');
	write_region(p, op_region(o, 0), true);
	put_lit(p->w, " : ");
	write_function_type(p, o);
}
