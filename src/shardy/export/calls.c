/* calls.c - export of functions: sdy-propagate-to-func-results, sdy-insert-func-call-reshards,
 * sdy-unflatten-call-graph. */
#include "shardy/export/export.h"

bool pass_propagate_to_func_results(module *m, const pass_options *o)
{
	UNUSED(o);
	const op *top = module_main_or_only(m);
	for (op *f = module_body(m)->first; f; f = f->next) {
		op *end = op_is_func(f) && f != top && op_body(f) ? op_body(f)->last : NULL;
		if (!end || end->kind != OP_FUNC_RETURN)
			continue;
		for (int i = 0; i < end->n_operands && i < op_func(f)->type->n_out; i++)
			op_func(f)->result_shardings[i] = value_sharding(m, operand(end, i));
	}
	return true;
}

/* ---- reshards after calls ------------------------------------------------------------------- */

/* Reshards a result if the function returns another sharding than the caller expects. */
static void reshard_result(module *m, op *call, int i, const sharding *from)
{
	value *v = result(call, i);
	const sharding *to = v->sharding;
	if (sharding_is_equivalent(from, to))
		return;
	build_behind(m, OP_SDY_RESHARD, v,
	             to ? to : sharding_replicated(m->ctx, from->mesh, from->rank));
}

static void reshard_call(module *m, op *call, const op *f)
{
	arena *mem = &m->ctx->scratch;
	const sharding **from = func_result_shardings(m, f, mem);
	if (!from && !op_has_shardings(call))
		return;
	for (int i = 0; !from && i < call->n_results; i++)
		if (!result(call, i)->sharding)
			return;
	if (!from) {
		from = NEW_N(mem, const sharding *, call->n_results);
		for (int i = 0; i < call->n_results; i++) {
			const sharding *s = result(call, i)->sharding;
			from[i] = sharding_replicated(m->ctx, s->mesh, s->rank);
		}
	}
	for (int i = 0; i < call->n_results; i++) {
		reshard_result(m, call, i, from[i]);
		result(call, i)->sharding = from[i];
	}
}

bool pass_insert_func_call_reshards(module *m, const pass_options *o)
{
	UNUSED(o);
	func_list calls = module_calls(m, &m->ctx->scratch);
	for (int c = 0; c < calls.len; c++) {
		op *i = calls.ptr[c];
		const op *f = call_callee(m, i);
		if (f && op_func(f)->type->n_out == i->n_results)
			reshard_call(m, i, f);
	}
	return true;
}

/* ---- merging copies of functions ------------------------------------------------------------ */

/* Copies of one function are merged again if their arguments and results got the same shardings.
 * With dedup-functions-fully they are merged in any case: the signature with most calls is kept,
 * and the other callers reshard. */
typedef struct func_key {
	const name *original;
	const type *type; /* the same for all copies, unless attributes of the program are wrong */
	const attr *manual_axes, *in, *out;
} func_key;

typedef struct func_class {
	func_key key;
	op *f; /* the function that calls of this class will use */
	int calls;
} func_class;

typedef struct unflatten {
	module *m;
	arena *mem;
	cons_tab classes;      /* by key; if `fully`, without shardings */
	cons_tab signatures;   /* by key; counts calls */
	func_class **class_of; /* [n_ops at the start], by the function's id */
	func_class **signature_of;
	bool fully;
} unflatten;

static bool func_key_eq(const void *obj, const void *key)
{
	const func_key *a = &((const func_class *)obj)->key, *b = key;
	return a->original == b->original && a->type == b->type &&
	       a->manual_axes == b->manual_axes && a->in == b->in && a->out == b->out;
}

static uint64_t func_key_hash(const func_key *k)
{
	uint64_t h = k->original->hash;
	h = hash_mix(h, k->manual_axes ? k->manual_axes->hash : 0);
	h = hash_mix(h, k->in ? k->in->hash : 0);
	return hash_mix(h, k->out ? k->out->hash : 0);
}

static func_class *class_find(unflatten *u, cons_tab *tab, const func_key *k, op *f)
{
	uint64_t h = func_key_hash(k);
	func_class *c = cons_find(tab, h, func_key_eq, k);
	if (!c) {
		c = NEW(u->mem, func_class);
		c->key = *k;
		c->f = f;
		cons_add(tab, u->mem, h, c);
	}
	return c;
}

static void classify(unflatten *u, op *f)
{
	module *m = u->m;
	const type *t = op_func(f)->type;
	const sharding **in = func_arg_shardings(m, f, u->mem);
	const sharding **out = func_result_shardings(m, f, u->mem);
	func_key k = {func_original_name(f), t, op_attr(f, N_sdy_func_manual_axes),
	              in ? attr_shardings(m->ctx, in, t->n_in) : NULL,
	              out ? attr_shardings(m->ctx, out, t->n_out) : NULL};
	u->signature_of[f->id] = class_find(u, &u->signatures, &k, f);
	if (u->fully)
		k.in = k.out = NULL;
	u->class_of[f->id] = class_find(u, &u->classes, &k, f);
}

/* The first function of a class is kept, unless another signature has more calls. */
static void count_call(unflatten *u, op *f)
{
	if (!u->class_of[f->id])
		classify(u, f);
	func_class *c = u->class_of[f->id], *s = u->signature_of[f->id];
	s->calls++;
	if (u->fully && s->calls > u->signature_of[c->f->id]->calls)
		c->f = f;
}

bool pass_unflatten_call_graph(module *m, const pass_options *o)
{
	arena *mem = &m->ctx->scratch;
	unflatten u = {.m = m,
	               .mem = mem,
	               .class_of = NEW_N(mem, func_class *, m->n_ops),
	               .signature_of = NEW_N(mem, func_class *, m->n_ops),
	               .fully = o->dedup_fully};
	func_list calls = module_calls(m, mem);
	for (int i = 0; i < calls.len; i++) {
		op *f = call_callee(m, calls.ptr[i]);
		if (f)
			count_call(&u, f);
	}
	for (int i = 0; i < calls.len; i++) {
		op *f = call_callee(m, calls.ptr[i]);
		if (f)
			op_set_attr(m, calls.ptr[i], N_callee,
			            attr_symbol(m->ctx, op_symbol(u.class_of[f->id]->f)));
	}
	for (op *i = module_body(m)->first; i; i = i->next) {
		if (op_is_func(i)) {
			op_set_attr(m, i, N_sdy_original_func_name, NULL);
			op_set_attr(m, i, N_sdy_func_manual_axes, NULL);
		}
	}
	return true;
}
