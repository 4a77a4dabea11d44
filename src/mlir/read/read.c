/* read.c - parses operations.
 *
 *   op      ::= (results '=')? (generic | pretty) loc?
 *   results ::= value (':' n)? (',' value (':' n)?)*
 *   generic ::= string '(' values ')' blocks? ('<' dict '>')? ('(' regions ')')? dict? ':' type
 *   blocks  ::= '[' '^' name (',' '^' name)* ']'
 *
 * An op is created after its regions, as in MLIR: the order of a value's uses, newest first,
 * depends on that, and the order of propagation depends on the uses. */
#include "mlir/forms/forms.h"

/* ---- from parts to an op --------------------------------------------------------------- */

static void type_operands(reader *r, const pending *p)
{
	if (p->n_operands != p->n_operand_types) {
		read_fail_at(r, (place){r->src, p->at, p->name_end}, E_COUNT,
		             "%s has %d operand%s, but types for %d", p->name->s, p->n_operands,
		             p->n_operands == 1 ? "" : "s", p->n_operand_types);
		return;
	}
	for (int i = 0; i < p->n_operands && !r->failed; i++) {
		value *v = r->operands.ptr[p->operands + i];
		const type *t = r->type_stack.ptr[p->operand_types + i];
		if (LIKELY(v->type == t))
			continue;
		if (!v->type) { /* a forward reference */
			v->type = t;
			continue;
		}
		writer w;
		writer_init(&w, r->mem);
		mlir_print_type(&w, r->ctx, v->type);
		put_lit(&w, ", not ");
		mlir_print_type(&w, r->ctx, t);
		read_fail_at(r, operand_place(r, p->operands + i), E_OPERAND_TYPE,
		             "the type of this value is %.*s", STR_ARG(writer_str(&w)));
	}
}

/* Builds a function's parts from the attributes of the generic form. */
static void func_from_attrs(reader *r, pending *p)
{
	const attr *args = NULL, *results = NULL, *t = NULL;
	for (int i = p->attrs; i < r->attr_stack.len;) {
		named_attr a = r->attr_stack.ptr[i];
		const attr **to = name_is(a.name, N_function_type) ? &t
		                  : name_is(a.name, N_arg_attrs)   ? &args
		                  : name_is(a.name, N_res_attrs)   ? &results
		                                                   : NULL;
		if (!to) {
			i++;
			continue;
		}
		*to = a.value;
		r->attr_stack.ptr[i] = r->attr_stack.ptr[--r->attr_stack.len];
	}
	p->func = func_of_attrs(r->m, t, args, results);
	if (!p->func)
		read_fail_at(r, (place){r->src, p->at, p->name_end}, E_ATTR_SYNTAX,
		             "a function needs the attribute function_type");
}

static void take_attrs(reader *r, const pending *p, op *o)
{
	int n = r->attr_stack.len - p->attrs;
	if (!n)
		return;
	named_attr *list = r->attr_stack.ptr + p->attrs;
	if (!sort_attrs(r, list, n, (place){r->src, p->at, p->name_end}))
		return;
	op_attrs_as_read(r->m, o, list, n);
}

static void take_regions(reader *r, const pending *p, op *o)
{
	for (int i = 0; i < op_n_regions(o); i++) {
		region *g = op_region(o, i);
		*g = r->region_stack.ptr[p->regions + i];
		g->parent = o;
		for (block *b = g->first; b; b = b->next)
			b->parent = g;
	}
}

/* ---- results whose types are left out ------------------------------------------------------- */

static bool must_be_written(reader *r, const pending *p)
{
	return read_fail_at(r, (place){r->src, p->at, p->name_end}, E_RESULT_TYPE,
	                    "the result types of %s do not follow from its operands; write them "
	                    "behind it, as in ': (tensor<4xf32>) -> tensor<4xi32>'",
	                    p->name->s);
}

/* Pushes the inferred number of results, without types so far. */
static void push_results(reader *r, pending *p)
{
	op_parts parts = {.kind = p->kind,
	                  .operands = r->operands.ptr + p->operands,
	                  .n_operands = p->n_operands,
	                  .regions = r->region_stack.ptr + p->regions,
	                  .n_regions = r->region_stack.len - p->regions,
	                  .attrs = r->attr_stack.ptr + p->attrs,
	                  .n_attrs = r->attr_stack.len - p->attrs};
	int n = r->failed ? 0 : op_result_count(r->m, &parts);
	if (n < 0 && !r->notes)
		must_be_written(r, p);
	p->n_results = n < 0 ? 0 : n;
	p->result_types = r->type_stack.len;
	for (int i = 0; i < p->n_results; i++)
		vec_push(r->mem, &r->type_stack, type_none(r->ctx));
}

/* Errors are shown in the current text, which is not the module's. */
static void infer_results(reader *r, const pending *p, op *o)
{
	module seen = *r->m;
	int errors = diag_errors(r->ctx);
	const type **types = NEW_N(r->mem, const type *, o->n_results);
	seen.src = r->src;
	if (op_infer(&seen, o, types))
		for (int i = 0; i < o->n_results; i++)
			result(o, i)->type = types[i];
	else if (diag_errors(r->ctx) == errors)
		must_be_written(r, p);
	else
		read_stop(r);
}

/* Builds a detached op from everything after the marks, and pops that. */
static op *read_finish_op(reader *r, pending *p)
{
	type_operands(r, p);
	if (UNLIKELY(p->untyped))
		push_results(r, p);
	if (p->kind == OP_FUNC_FUNC && !p->func && !r->failed)
		func_from_attrs(r, p);
	op *o = NULL;
	if (!r->failed) {
		o = op_new(r->m, p->kind, p->name, r->operands.ptr + p->operands, p->n_operands,
		           r->type_stack.ptr + p->result_types, p->n_results,
		           r->region_stack.len - p->regions);
		op_set_place(o, p->at, p->name_end);
		op_set_loc(r->m, o, p->loc);
		if (p->func)
			op_set_func(r->m, o, p->func);
		take_regions(r, p, o);
		take_attrs(r, p, o);
		if (op_func(o))
			func_take_arg_shardings(r->m, o);
		if (UNLIKELY(p->untyped && p->n_results && !r->notes && !r->failed))
			infer_results(r, p, o);
	}
	r->operands.len = r->operand_at.len = p->operands;
	r->type_stack.len = p->operand_types < r->type_stack.len ? p->operand_types
	                                                         : r->type_stack.len;
	r->attr_stack.len = p->attrs;
	r->region_stack.len = p->regions;
	return o;
}

/* ---- ops ------------------------------------------------------------------------------- */

static void read_generic(reader *r, pending *p)
{
	read_expect(r, '(');
	read_operands(r, p);
	read_expect(r, ')');
	if (read_accept(r, '[')) {
		do
			read_successor(r);
		while (read_accept(r, ','));
		read_expect(r, ']');
	}
	if (read_accept(r, '<')) {
		if (p->kind == OP_UNKNOWN)
			pend_known(r, N_empty, read_attr(r));
		else
			read_attr_dict(r);
		read_expect(r, '>');
	}
	if (read_accept(r, '(')) {
		do
			read_region(r, p, NULL, 0);
		while (read_accept(r, ','));
		read_expect(r, ')');
	}
	if (r->tok == '{')
		read_attr_dict(r);
	read_signature(r, p);
}

static bool is_of_dialect(tess_str opname, const char *const *dialects, int n)
{
	for (int i = 0; i < n; i++)
		if (str_starts(opname, dialects[i]))
			return true;
	return false;
}

/* Dialects whose ops are all in the tables. */
static bool is_known_dialect(tess_str opname)
{
	static const char *const dialects[] = {"stablehlo.", "chlo.", "sdy.", "func.", "builtin."};
	return is_of_dialect(opname, dialects, COUNT(dialects));
}

/* Dialects that StableHLO programs borrow from. The tables have their common ops; other ops are
 * kept in generic form. */
static bool is_borrowed_dialect(tess_str opname)
{
	static const char *const dialects[] = {"affine.", "arith.",  "cf.",     "complex.",
	                                       "linalg.", "math.",   "memref.", "quant.",
	                                       "scf.",    "shape.",  "tensor.", "ub.",
	                                       "vector."};
	return is_of_dialect(opname, dialects, COUNT(dialects));
}

static const name *read_generic_name(reader *r)
{
	const name *n = name_of(r->ctx, read_string(r));
	place at = {r->src, r->last_end - n->len - 2, r->last_end};
	if (memchr(n->s, 0, n->len)) {
		read_fail_at(r, at, E_UNKNOWN_OP, "the name of an op has a zero byte");
		return n;
	}
	bool known = op_kind_of(r->ctx, n) != OP_UNKNOWN || is_borrowed_dialect(name_str(n));
	bool may_be_unknown = r->opts->allow_unregistered &&
	                      !(r->built && is_known_dialect(name_str(n)));
	if (known || may_be_unknown || r->failed)
		return n;
	if (is_known_dialect(name_str(n)))
		read_fail_at(r, at, E_UNKNOWN_OP, "there is no op %s", n->s);
	else
		read_fail_at(r, at, E_UNKNOWN_OP,
		             "unknown op %s; -allow-unregistered-dialect keeps such ops", n->s);
	return n;
}

static void fail_unknown(reader *r, tess_str t)
{
	char meant[64];
	int len = snprintf(meant, sizeof meant, "stablehlo.%.*s", (int)(t.len < 40 ? t.len : 40),
	                   t.ptr);
	bool is_meant = op_kind_of(r->ctx, name_of(r->ctx, (tess_str){meant, (size_t)len})) !=
	                OP_UNKNOWN;
	if (str_is(t, "func"))
		read_fail(r, E_UNKNOWN_OP, "unknown op func; write func.func");
	else if (is_meant && !memchr(t.ptr, '.', t.len))
		read_fail(r, E_UNKNOWN_OP, "unknown op %.*s; write %s", STR_ARG(t), meant);
	else
		read_fail(r, E_UNKNOWN_OP, "unknown op %.*s%s", (int)(t.len < 80 ? t.len : 80),
		          t.ptr, is_borrowed_dialect(t) ? "; its generic form is read" : "");
}

/* Turns `call` into func.call and `module` into builtin.module. */
static const name *read_pretty_name(reader *r)
{
	tess_str t = tok_text(r);
	const name *n = read_word_name(r, t);
	if (UNLIKELY(!memchr(t.ptr, '.', t.len))) {
		const char *dialect = str_is(t, "module") || str_is(t, "unrealized_conversion_cast")
		                          ? "builtin."
		                          : "func.";
		char full[64];
		int len = snprintf(full, sizeof full, "%s%.*s", dialect,
		                   (int)(t.len < 40 ? t.len : 40), t.ptr);
		n = name_of(r->ctx, (tess_str){full, (size_t)len});
	}
	int kind = op_kind_of(r->ctx, n);
	if (kind == OP_UNKNOWN || str_is(t, "func"))
		fail_unknown(r, t);
	else if (!form_has_pretty(kind))
		read_fail(r, E_UNKNOWN_OP, "%s has no pretty form: write \"%s\"(…)", n->s, n->s);
	read_next(r);
	return n;
}

static op *read_op_body(reader *r)
{
	bool generic = r->tok == T_STRING;
	if (!generic && r->tok != T_WORD) {
		read_expected(r, "an op");
		return NULL;
	}
	uint32_t at = tok_pos(r);
	const name *n = generic ? read_generic_name(r) : read_pretty_name(r);
	if (r->failed)
		return NULL;
	pending p = pending_begin(r, n, at);
	if (generic)
		read_generic(r, &p);
	else
		read_form(r, &p);
	if (!p.loc)
		p.loc = read_trailing_loc(r);
	return read_finish_op(r, &p);
}

/* Reads %a, %b:2 = …, pushed to result_names. */
static void read_result_names(reader *r)
{
	do {
		result_name rn = {.at = tok_place(r), .count = 1};
		rn.name = read_value_name(r);
		if (read_accept(r, ':')) {
			int64_t count = read_int(r);
			if (count < 1 || count > INT32_MAX)
				read_fail_at(r, read_since(r, rn.at.begin), E_COUNT,
				             "a name must be for at least one result");
			rn.count = (int)count;
		}
		vec_push(r->mem, &r->result_names, rn);
	} while (read_accept(r, ','));
	read_expect(r, '=');
}

/* Records in the op where its names are in the text or, if that is impossible, the names. */
static void note_names(reader *r, op *o, const result_name *names, int n)
{
	uint32_t back = o->at - names[0].at.begin;
	if (back <= UINT16_MAX && !r->built) {
		o->name_back = (uint16_t)back;
		return;
	}
	for (int i = 0, at = 0; i < n; at += names[i++].count)
		for (int k = 0; k < names[i].count; k++)
			name_value(r, result(o, at + k), names[i].name);
}

static void name_results(reader *r, op *o, const result_name *names, int n)
{
	int64_t total = 0;
	for (int i = 0; i < n; i++)
		total += names[i].count;
	if (n && total != o->n_results) {
		read_fail_at(r, (place){r->src, names[0].at.begin, names[n - 1].at.end}, E_COUNT,
		             "%s has %d result%s, but %" PRId64 " are named", op_name(o),
		             o->n_results, o->n_results == 1 ? "" : "s", total);
		return;
	}
	for (int i = 0, at = 0; i < n; at += names[i++].count)
		scope_define(r, names[i].name, result(o, at), names[i].count, names[i].at);
	if (n)
		note_names(r, o, names, n);
}

/* Every SOURCE_STRETCH bytes, releases the memory of text that has been passed; every megabyte,
 * reports progress, for programs that take seconds. */
static void next_stretch(reader *r)
{
	const text_tables *t = text_tables_of(r->ctx);
	size_t done = (size_t)(r->at - r->text);
	if (t->reading && !r->notes && (!r->passed || done >> 20 > r->passed >> 20))
		t->reading(t->reading_user, done, r->src->text.len);
	source_passed(r->src, r->passed, done);
	r->passed = done;
	r->stretch = r->end - r->at > SOURCE_STRETCH ? r->at + SOURCE_STRETCH : r->end;
}

void read_op(reader *r, block *b)
{
	if (UNLIKELY(r->at > r->stretch))
		next_stretch(r);
	int base = r->result_names.len, successors = r->successors.len;
	if (UNLIKELY(b->successors))
		read_fail_at(r, read_op_place(r, b->last), E_TERMINATOR,
		             "'%s' op must end its block", op_name(b->last));
	if (r->tok == T_VALUE)
		read_result_names(r);
	op *o = UNLIKELY(r->notes != NULL) ? read_noted_op(r, read_op_body) : read_op_body(r);
	if (o && !r->failed) {
		op_append(b, o);
		if (UNLIKELY(r->successors.len > successors))
			op_set_successors(r->m, o, r->successors.ptr + successors,
			                  r->successors.len - successors);
		name_results(r, o, r->result_names.ptr + base, r->result_names.len - base);
	}
	r->result_names.len = base;
	r->successors.len = successors;
}
