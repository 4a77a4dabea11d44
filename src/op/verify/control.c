/* control.c - control flow, calls, custom calls. */
#include "op/verify/verify.h"

/* ---- loops and branches -------------------------------------------------------------- */

static bool same_args(module *m, const op *o, const block *b, const char *what)
{
	if (b->n_args != o->n_operands)
		return bad_region(m, o, "has a %s with %d arguments, expected %d", what, b->n_args,
		                  o->n_operands);
	for (int i = 0; i < b->n_args; i++)
		if (!types_agree(b->args[i]->type, operand(o, i)->type))
			return bad_region(m, o, "has a %s whose argument %d is %s, expected %s",
			                  what, i, type_words(m, b->args[i]->type),
			                  type_words(m, operand(o, i)->type));
	return true;
}

bool check_while(module *m, const op *o)
{
	const block *cond = op_block(o, 0), *body = op_block(o, 1);
	if (!same_args(m, o, cond, "condition") || !same_args(m, o, body, "body"))
		return false;
	const op *ce = block_terminator(cond), *be = block_terminator(body);
	if (!ce || !be || !op_has(ce, TERMINATOR) || !op_has(be, TERMINATOR))
		return bad_region(m, o, "has a region without a return");
	if (be->n_operands != o->n_operands)
		return bad_region(m, o, "has a body that returns %d values, expected %d",
		                  be->n_operands, o->n_operands);
	for (int i = 0; i < be->n_operands; i++)
		if (!types_agree(operand(be, i)->type, operand(o, i)->type))
			return bad_region(m, o,
			                  "has a body that returns %s as value %d, expected %s",
			                  type_words(m, operand(be, i)->type), i,
			                  type_words(m, operand(o, i)->type));
	const type *t = ce->n_operands == 1 ? operand(ce, 0)->type : NULL;
	return (t && is_tensor(t) && !t->rank && t->dtype == DT_I1) ||
	       bad_region(m, o, "has a condition that must return one scalar i1");
}

static bool no_args(module *m, const op *o)
{
	for (int r = 0; r < op_n_regions(o); r++)
		if (op_block(o, r)->n_args)
			return bad_region(m, o, "has a branch %d with arguments, expected none", r);
	return true;
}

bool check_if(module *m, const op *o)
{
	const type *p = operand(o, 0)->type;
	if (is_ranked(p) && p->rank)
		return broken(m, o, "I1", "has a predicate %s, expected a scalar",
		              type_words(m, p));
	return no_args(m, o);
}

bool check_case(module *m, const op *o)
{
	if (!op_n_regions(o))
		return bad_region(m, o, "has no branch");
	return no_args(m, o);
}

/* ---- calls and returns ------------------------------------------------------------------ */

bool check_module(module *m, const op *o)
{
	const block *b = op_body(o);
	return (!b->n_args && !b->next) ||
	       diag_error(m->ctx, op_place(m, o), E_REGION,
	                  "'%s' op has %s, expected one block without arguments", op_name(o),
	                  b->next ? "several blocks" : "a block with arguments");
}

bool check_return(module *m, const op *o)
{
	const op *f = op_parent(o);
	if (!f || !op_is_func(f))
		return true;
	if (o->next)
		return diag_error(m->ctx, op_place(m, o), E_TERMINATOR,
		                  "'%s' op must end its block", op_name(o));
	const type *t = op_func(f)->type;
	/* StableHLO's own return need not match the function's type, but needs enough values. */
	if (o->n_operands < t->n_out || (o->n_operands > t->n_out && o->kind != OP_RETURN))
		return broken(m, o, "", "returns %d value%s, but its function returns %d",
		              o->n_operands, o->n_operands == 1 ? "" : "s", t->n_out);
	for (int i = 0; i < t->n_out; i++)
		if (operand(o, i)->type != t->out[i])
			return broken(
				m, o, "", "returns %s as value %d, but its function returns %s",
				type_words(m, operand(o, i)->type), i, type_words(m, t->out[i]));
	return true;
}

/* The function of this name in the innermost module around the op. */
static op *visible_func(module *m, const op *o, const name *symbol)
{
	const op *around = op_enclosing(op_parent(o), OP_BUILTIN_MODULE);
	if (!around || around == m->top) {
		op *f = module_lookup(m, symbol);
		return f && op_is_func(f) ? f : NULL;
	}
	for (op *f = op_body(around)->first; f; f = f->next)
		if (op_is_func(f) && op_symbol(f) == symbol)
			return f;
	return NULL;
}

static op *called_func(module *m, const op *o, int known)
{
	const attr *a = op_attr(o, known);
	if (!a || a->kind != AT_SYMBOL) {
		bad_attr(m, o, known, "must name a function");
		return NULL;
	}
	op *f = visible_func(m, o, a->text);
	if (!f)
		diag_error(m->ctx, op_attr_place(m, o, PART(known)), E_SYMBOL,
		           "'%s' op: there is no function @%s", op_name(o), a->text->s);
	return f;
}

static bool fits_signature(module *m, const op *o, const type *t)
{
	if (o->n_operands != t->n_in || o->n_results != t->n_out)
		return broken(
			m, o, "",
			"passes %d values and takes %d, but the function takes %d and returns %d",
			o->n_operands, o->n_results, t->n_in, t->n_out);
	for (int i = 0; i < t->n_in; i++)
		if (!types_agree(operand(o, i)->type, t->in[i]))
			return broken(m, o, "", "passes %s as argument %d, which is %s",
			              type_words(m, operand(o, i)->type), i,
			              type_words(m, t->in[i]));
	for (int i = 0; i < t->n_out; i++)
		if (!types_agree(o->results[i].type, t->out[i]))
			return broken(m, o, "", "takes %s as result %d, which is %s",
			              type_words(m, o->results[i].type), i,
			              type_words(m, t->out[i]));
	return true;
}

bool check_call(module *m, const op *o)
{
	op *f = called_func(m, o, N_callee);
	return f && fits_signature(m, o, op_func(f)->type);
}

static bool results_of(const op *f, const op *o, const type **out)
{
	const type *t = f ? op_func(f)->type : NULL;
	for (int i = 0; t && i < t->n_out && i < o->n_results; i++)
		out[i] = t->out[i];
	return t && t->n_out == o->n_results;
}

bool infer_call(module *m, const op *o, const type **out)
{
	return results_of(called_func(m, o, N_callee), o, out);
}

bool infer_composite(module *m, const op *o, const type **out)
{
	return results_of(called_func(m, o, N_decomposition), o, out);
}

bool check_func_constant(module *m, const op *o)
{
	op *f = called_func(m, o, N_value);
	return f &&
	       (op_func(f)->type == o->results[0].type ||
	        broken(m, o, "", "gives @%s another type than that function has", op_symbol(f)->s));
}

bool check_composite(module *m, const op *o)
{
	const attr *n = op_attr(o, N_name);
	if (!n || n->kind != AT_STRING || !strchr(n->text->s, '.'))
		return bad_attr(m, o, N_name, "must be a name with a namespace, \"dialect.name\"");
	const char *p = n->text->s;
	bool valid = (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z');
	for (; *p; p++)
		valid &= (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') ||
		         (*p >= '0' && *p <= '9') || *p == '_' || *p == '.' || *p == '$';
	if (!valid || p[-1] == '.')
		return bad_attr(m, o, N_name, "is \"%s\", expected \"namespace.name\"", n->text->s);
	op *f = called_func(m, o, N_decomposition);
	return f && fits_signature(m, o, op_func(f)->type);
}

/* ---- custom calls ------------------------------------------------------------------------- */

/* Checks layouts: one for each tensor, a permutation of its dimensions. */
static bool check_layouts(module *m, const op *o, int known, int n,
                          const type *(*get)(const op *, int))
{
	const attr *a = op_attr(o, known);
	if (!a)
		return true;
	if (a->kind != AT_ARRAY)
		return bad_attr(m, o, known, "must be a list of layouts");
	if (a->n != n)
		return bad_attr(m, o, known, "has %d layouts for %d values", a->n, n);
	for (int i = 0; i < n; i++) {
		const type *t = get(o, i);
		int k;
		const int64_t *v = attr_ints(m->ctx, a->list[i], &k);
		if (k < 0)
			return bad_part(m, o, PART(known, ITEM(i)),
			                "has a layout %d that is not a list of integers", i);
		if (!is_tensor(t)) {
			if (k)
				return bad_part(m, o, PART(known, ITEM(i)),
				                "has a layout for value %d, which is not a tensor",
				                i);
			continue;
		}
		if (!is_ranked(t))
			continue;
		if (k != t->rank)
			return bad_part(m, o, PART(known, ITEM(i)),
			                "has a layout of %d dimensions for %s", k,
			                type_words(m, t));
		if (!dims_in_range(m, o, PART(known, ITEM(i)), "", "a layout", v, k, k, true))
			return false;
	}
	return true;
}

static const type *operand_type_of(const op *o, int i) { return operand(o, i)->type; }
static const type *result_type_of(const op *o, int i) { return o->results[i].type; }
static const type *tuple_part_of(const op *o, int i) { return o->results[0].type->in[i]; }

/* Follows tuple indices; NULL if they lead nowhere. */
static const type *type_part(const type *t, const int64_t *path, int n)
{
	for (int i = 0; i < n; i++) {
		if (t->kind != TY_TUPLE || path[i] < 0 || path[i] >= t->n_in)
			return NULL;
		t = t->in[path[i]];
	}
	return t;
}

static bool check_alias(module *m, const op *o, const attr *a, const int *part)
{
	int n_out, n_in;
	const int64_t *out = attr_ints(m->ctx, attr_get(a, N_output_tuple_indices), &n_out);
	const int64_t *in = attr_ints(m->ctx, attr_get(a, N_operand_tuple_indices), &n_in);
	const attr *which = attr_get(a, N_operand_index);
	int64_t k = which && which->kind == AT_INT ? which->i : 0;
	if (k < 0 || k >= o->n_operands)
		return broken_at(m, o, part, "", "aliases operand %" PRId64 ", but has %d operands",
		                 k, o->n_operands);
	const type *from = type_part(operand(o, (int)k)->type, in, n_in);
	const type *to = NULL;
	if (o->n_results == 1)
		to = type_part(o->results[0].type, out, n_out);
	else if (n_out > 0 && out[0] >= 0 && out[0] < o->n_results)
		to = type_part(o->results[out[0]].type, out + 1, n_out - 1);
	if (!from || !to)
		return broken_at(m, o, part, "",
		                 "has an alias with tuple indices that lead nowhere");
	return from == to || broken_at(m, o, part, "", "aliases %s with %s, expected the same type",
	                               type_words(m, from), type_words(m, to));
}

/* A dictionary for typed FFI calls (version 4), a string for all others. */
static bool backend_config_ok(module *m, const op *o)
{
	enum { TYPED_FFI = 4 };
	const attr *a = op_attr(o, N_backend_config);
	bool typed = op_int(o, N_api_version, 1) == TYPED_FFI;
	return !a || a->kind == (typed ? AT_DICT : AT_STRING) ||
	       bad_attr(m, o, N_backend_config,
	                typed ? "must be a dictionary" : "must be a string");
}

bool check_custom_call(module *m, const op *o)
{
	const attr *aliases = op_attr(o, N_output_operand_aliases);
	bool in = op_attr(o, N_operand_layouts), out = op_attr(o, N_result_layouts);
	if (in != out)
		return broken_at(m, o, PART(in ? N_operand_layouts : N_result_layouts), "",
		                 "has layouts of its %s, but not of its %s",
		                 in ? "operands" : "results", in ? "results" : "operands");
	bool tuple = o->n_results == 1 && o->results[0].type->kind == TY_TUPLE;
	if (in && (!check_layouts(m, o, N_operand_layouts, o->n_operands, operand_type_of) ||
	           !check_layouts(m, o, N_result_layouts,
	                          tuple ? o->results[0].type->n_in : o->n_results,
	                          tuple ? tuple_part_of : result_type_of)))
		return false;
	for (int i = 0; aliases && aliases->kind == AT_ARRAY && i < aliases->n; i++)
		if (!check_alias(m, o, aliases->list[i], PART(N_output_operand_aliases, ITEM(i))))
			return false;
	return backend_config_ok(m, o) && buffers_ok(m, o);
}
