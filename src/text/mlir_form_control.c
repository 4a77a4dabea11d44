/* mlir_form_control.c - pretty forms with regions: reduce, while, functions,
 * modules, calls, sdy's computations. */
#include "text/mlir_forms.h"

/* ---- reduce -----------------------------------------------------------------------
 *
 *   reduce ::= pair (',' pair)* ('applies' op)? 'across' 'dimensions' '=' ints dict?
 *              ':' function-type ('reducer' args* region)?
 *   pair   ::= '(' value 'init' ':' value ')' */

/* The inits stand after all inputs in the op, but each beside its input here. */
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

/* The body `applies` stands for: the op on the two arguments, and a return. */
static void make_applied_body(reader *r, const pending *p, int inner, const attr *loc)
{
	region g = {0};
	if (r->failed || !p->n_operand_types)
		return;
	const type *in = r->type_stack.ptr[p->operand_types];
	const type *t = type_shaped(r->ctx, TY_TENSOR, in->elem ? in->elem : in, NULL, 0, NULL);
	block *b = block_new(r->m, &g);
	value *args[] = {block_add_arg(r->m, b, t), block_add_arg(r->m, b, t)};
	arg_set_loc(args[0], loc);
	arg_set_loc(args[1], loc);
	op *o = op_make(r->m, (op_kind)inner, args, 2, &t, 1, 0);
	value *res = result(o, 0);
	op *ret = op_make(r->m, OP_RETURN, &res, 1, NULL, 0, 0);
	o->loc = ret->loc = loc;
	o->at = ret->at = p->at;
	o->at_end = ret->at_end = p->name_end;
	op_append(b, o);
	op_append(b, ret);
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

/* reducer(%a: T, %b: T) (%c: T, %d: T) { … } */
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
	pend_known(r, N_dimensions, read_ints_attr(r));
	if (r->tok == '{')
		read_attr_dict(r);
	read_expect(r, ':');
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
	if (!ret || ret->next || ret->kind != OP_RETURN || o->n_operands < 2 || in->n_regions ||
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
	write_region(p, &o->regions[0], false);
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
		put_name(p->w, in->name);
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

void read_while(reader *r, pending *p)
{
	VEC(region_arg) args = {0};
	read_expect(r, '(');
	if (r->tok != ')') {
		do {
			region_arg a = {.at = tok_place(r)};
			a.name = read_value_name(r);
			read_expect(r, '=');
			read_operand(r, p);
			vec_push(r->mem, &args, a);
		} while (read_accept(r, ','));
	}
	read_expect(r, ')');
	p->operand_types = p->result_types = r->type_stack.len;
	if (args.len)
		read_types(r, p, TYPES_PAIRWISE);
	if (p->n_results != args.len && !r->failed)
		read_fail_at(r, (place){r->src, p->at, p->name_end}, E_COUNT,
		             "%d values, but %d types", args.len, p->n_results);
	for (int i = 0; i < args.len && !r->failed; i++)
		args.ptr[i].type = r->type_stack.ptr[p->operand_types + i];
	if (read_accept_word(r, "attributes"))
		read_attr_dict(r);
	read_expect_word(r, "cond");
	read_region(r, p, args.ptr, args.len);
	read_expect_word(r, "do");
	read_region(r, p, args.ptr, args.len);
}

bool form_carries_same_types(const op *o)
{
	for (int r = 0; r < o->n_regions; r++) {
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
	const block *body = o->n_regions > 1 ? op_block(o, 1) : NULL;
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
	write_region(p, &o->regions[0], false);
	put_lit(p->w, " do ");
	write_region(p, &o->regions[1], false);
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

void read_scan(reader *r, pending *p)
{
	read_expect(r, '(');
	read_operands(r, p);
	read_literal(r, ") inits (");
	int n_inputs = p->n_operands;
	read_operands(r, p);
	read_literal(r, ") dimension =");
	pend_known(r, N_dimension, attr_i64(r->ctx, read_int(r)));
	if (read_accept_word(r, "attributes"))
		read_attr_dict(r);
	read_region(r, p, NULL, 0);
	read_expect(r, ':');
	read_signature(r, p);
	int n_carries = p->n_operands - n_inputs;
	if (p->n_results < n_carries)
		read_fail_at(r, (place){r->src, p->at, p->name_end}, E_COUNT,
		             "%d carries, but %d results", n_carries, p->n_results);
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
	write_region(p, &o->regions[0], true);
	put_lit(p->w, " : ");
	write_function_type(p, o);
}

/* ---- functions ------------------------------------------------------------------------- */

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

/* (%a: T {…} loc, …), or without names in a declaration */
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
				read_attr_dict(r);
			set_attrs(r, &l, base);
			if (s->named)
				a.sharding = pop_sharding(r, &l);
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
		read_attr_dict(r);
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

void read_func(reader *r, pending *p)
{
	signature s = {0};
	static const char *const visibility[] = {"public", "private", "nested"};
	for (int i = 0; i < COUNT(visibility); i++)
		if (read_accept_word(r, visibility[i]))
			pend_known(r, N_sym_visibility,
			           attr_string(r->ctx, name_of_z(r->ctx, visibility[i])));
	pend_known(r, N_sym_name, attr_string(r->ctx, read_symbol(r)));
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
	read_region(r, p, s.args.ptr, s.args.len);
}

static void write_func_args(printer *p, const op *o)
{
	const block *b = op_body(o);
	const func *f = o->func;
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
	const func *f = o->func;
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
		write_region(p, &o->regions[0], false);
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
	write_region(p, &o->regions[0], false);
}

/* call @f(%a) {…} : (T) -> T */
void read_call(reader *r, pending *p)
{
	read_accept_word(r, "no_inline");
	pend_known(r, N_callee, attr_symbol(r->ctx, read_symbol(r)));
	read_expect(r, '(');
	read_operands(r, p);
	read_expect(r, ')');
	if (r->tok == '{')
		read_attr_dict(r);
	read_expect(r, ':');
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

/* ---- sdy ----------------------------------------------------------------------------------- */

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
	read_expect(r, ':');
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
	write_region(p, &o->regions[0], false);
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

/* (%a) in_shardings=[…] out_shardings=[…] manual_axes={…} (%b: T) {…} {…} : (T) -> T */
void read_manual_computation(reader *r, pending *p)
{
	read_operand_list(r, p);
	read_literal(r, "in_shardings=");
	pend_known(r, N_in_shardings, read_sharding_list(r));
	read_literal(r, "out_shardings=");
	pend_known(r, N_out_shardings, read_sharding_list(r));
	read_literal(r, "manual_axes=");
	pend_known(r, N_manual_axes, read_manual_axes(r));
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

/* <"name">(%a) in_shardings=[…] out_shardings=[…] (%b: T) {…} : (T) -> T */
void read_named_computation(reader *r, pending *p)
{
	read_expect(r, '<');
	pend_known(r, N_name, attr_string(r->ctx, name_of(r->ctx, read_string(r))));
	read_expect(r, '>');
	read_operand_list(r, p);
	if (tok_is(r, "in_shardings")) {
		read_literal(r, "in_shardings=");
		pend_known(r, N_in_shardings, read_sharding_list(r));
	}
	if (tok_is(r, "out_shardings")) {
		read_literal(r, "out_shardings=");
		pend_known(r, N_out_shardings, read_sharding_list(r));
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

/* max, min or nothing before the axes of a reduction */
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
