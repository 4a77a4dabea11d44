/* raise_manual.c - manual computations, in the form in which JAX passes them through HLO:
 *
 *   %l:2 = custom_call @xla.sdy.GlobalToLocalShape(%a, %b) {in_shardings, manual_axes}
 *   %r = call @xla.sdy.manual_computation_body.2(%l#0, %l#1)
 *   %g = custom_call @xla.sdy.LocalToGlobalShape(%r) {out_shardings, manual_axes}
 *
 * This becomes sdy.manual_computation with a copy of the function as its body. Without operands the
 * first call is missing, without results the last. */
#include "hlo/convert/raise.h"

typedef struct manual_parts {
	op *in, *call, *out; /* in and out may be NULL */
	const attr *in_shardings, *out_shardings, *axes;
} manual_parts;

/* Parses an attribute whose text is in the frontend attributes. */
static const attr *told_attr(hlo_raiser *r, const op *o, const char *key)
{
	const attr *dict = o ? op_attr_named(o, name_of_z(r->ctx, "mhlo.frontend_attributes"))
	                     : NULL;
	const attr *a = dict ? attr_get_named(dict, name_of_z(r->ctx, key)) : NULL;
	return a ? r->texts->parse(r->ctx, source_new(r->ctx, key, name_str(a->text))) : NULL;
}

/* Returns the op whose results are all operands, in order; NULL if there is none. */
static op *maker_of(const op *o)
{
	op *def = o->n_operands ? value_def(operand(o, 0)) : NULL;
	for (int i = 0; i < o->n_operands; i++)
		if (!def || operand(o, i) != &def->results[i])
			return NULL;
	return def && def->n_results == o->n_operands ? def : NULL;
}

/* Returns the op that uses all results, in order. */
static op *taker_of(const op *o)
{
	op *to = o->n_results && o->results[0].uses ? o->results[0].uses->owner : NULL;
	for (int i = 0; i < o->n_results; i++)
		if (!to || !value_has_one_use(&o->results[i]) || o->results[i].uses->owner != to ||
		    use_index(o->results[i].uses) != i)
			return NULL;
	return to && to->n_operands == o->n_results ? to : NULL;
}

static bool find_parts(hlo_raiser *r, op *call, manual_parts *p)
{
	const attr *none = attr_shardings(r->ctx, NULL, 0);
	*p = (manual_parts){.call = call, .in = maker_of(call), .out = taker_of(call)};
	if (call->n_operands && (!p->in || !op_calls(p->in, "xla.sdy.GlobalToLocalShape")))
		return false;
	if (call->n_results && (!p->out || !op_calls(p->out, "xla.sdy.LocalToGlobalShape")))
		return false;
	p->in_shardings = call->n_operands ? told_attr(r, p->in, "xla.sdy.in_shardings") : none;
	p->out_shardings = call->n_results ? told_attr(r, p->out, "xla.sdy.out_shardings") : none;
	p->axes = told_attr(r, call->n_operands ? p->in : p->out, "xla.sdy.manual_axes");
	return p->in_shardings && p->out_shardings && p->axes && p->axes->kind == AT_MANUAL_AXES &&
	       p->in_shardings->kind == AT_SHARDINGS && p->out_shardings->kind == AT_SHARDINGS;
}

/* The names are unique only in the function that the body came from. */
void raise_forget_names(module *m, op *root)
{
	for (op *o = root; o; o = op_next(o, root)) {
		for (int i = 0; i < o->n_results; i++)
			value_forget_name(m, result(o, i));
		for (int k = 0; k < op_n_regions(o); k++)
			for (block *b = op_region(o, k)->first; b; b = b->next)
				for (int i = 0; i < b->n_args; i++)
					value_forget_name(m, b->args[i]);
	}
}

/* Moves in the body of a copy of the function, and replaces its return by sdy's. */
static void take_body(hlo_raiser *r, const op *f, op *to)
{
	ptr_map map = {0};
	op *copy = op_clone(r->to, f, &map, r->mem);
	block *b = op_body(copy);
	b->parent = op_region(to, 0);
	op_region(to, 0)->first = op_region(to, 0)->last = b;
	op_region(copy, 0)->first = op_region(copy, 0)->last = NULL;
	block_close_otherwise(r->to, b, OP_SDY_RETURN);
	raise_forget_names(r->to, to);
}

/* Creates the computation before the call, with a copy of the function as its body. */
static op *make_manual_before(hlo_raiser *r, op *call, const manual_parts *p, value *const *operands,
                              int n_in, const type *const *types, int n_out, const op *f)
{
	const builder b = builder_before(r->to, call);
	op *o = build_op(&b, OP_SDY_MANUAL_COMPUTATION, operands, n_in, types, n_out, 1);
	op_set_attr(r->to, o, N_in_shardings, p->in_shardings);
	op_set_attr(r->to, o, N_out_shardings, p->out_shardings);
	op_set_attr(r->to, o, N_manual_axes, p->axes);
	take_body(r, f, o);
	for (int i = 0; i < call->n_results; i++)
		value_take_name(r->to, result(o, i), result(call, i));
	return o;
}

static void make_manual(hlo_raiser *r, const manual_parts *p, const op *f)
{
	const op *in = p->in, *out = p->out;
	int n_in = in ? in->n_operands : 0, n_out = out ? out->n_results : 0;
	value **operands = NEW_N(r->mem, value *, n_in + 1);
	const type **types = NEW_N(r->mem, const type *, n_out + 1);
	for (int i = 0; i < n_in; i++)
		operands[i] = operand(in, i);
	for (int i = 0; i < n_out; i++)
		types[i] = out->results[i].type;
	op *o = make_manual_before(r, p->call, p, operands, n_in, types, n_out, f);
	for (int i = 0; i < n_out; i++)
		value_replace_uses(&p->out->results[i], &o->results[i]);
	if (p->out)
		op_erase(p->out);
	op_erase(p->call);
	if (p->in)
		op_erase(p->in);
}

static bool is_manual_body(const name *symbol)
{
	return str_starts(name_str(symbol), "xla.sdy.manual_computation_body");
}

static bool raise_manual_call(hlo_raiser *r, op *call)
{
	manual_parts p;
	const op *f = op_callee(r->to, call);
	if (!f || !is_manual_body(op_symbol(f)) || !find_parts(r, call, &p))
		return false;
	make_manual(r, &p, f);
	return true;
}

/* Bodies may call others, which come before them; so a body is complete before it is copied. */
void raise_manual_computations(hlo_raiser *r)
{
	bool any = false;
	for (op *f = module_body(r->to)->first; f; f = f->next)
		for (op *o = f, *next; o; o = next) {
			next = op_next(o, f);
			/* the last op of the triple is erased with the call: skip it first */
			op *out = o->kind == OP_FUNC_CALL ? taker_of(o) : NULL;
			if (out && next == out)
				next = op_next(out, f);
			any = raise_manual_call(r, o) || any;
		}
	for (op *f = module_body(r->to)->first, *next; any && f; f = next) {
		next = f->next;
		if (!op_is_func(f) || !is_manual_body(op_symbol(f)))
			continue;
		module_remove_symbol(r->to, op_symbol(f));
		op_erase(f);
	}
}
