/* inline.c - `inline`: replaces calls by the bodies of the called functions.
 *
 * Functions are visited callees first, so that each body is copied in its final form. A call that
 * leads back to a function being visited stays a call, and so does one with no_inline, on itself or
 * on its function. Private functions that are no longer called are erased at the end. */
#include "op/op.h"

typedef enum visit { UNVISITED, VISITING, VISITED } visit;

typedef struct inlining {
	module *m;
	uint8_t *visits; /* [n_ops at the start], by the function's id */
	uint32_t n;
} inlining;

static op *callee_of(const module *m, const op *call)
{
	const attr *callee = op_attr(call, N_callee);
	op *f = callee && callee->kind == AT_SYMBOL ? module_lookup(m, callee->text) : NULL;
	if (!f || !op_is_func(f) || op_attr(call, N_no_inline) || op_attr(f, N_no_inline))
		return NULL;
	return !func_is_declaration(f) && !op_body(f)->next ? f : NULL;
}

/* Copies the body to the place of the call; what it returns replaces the results. */
static void inline_call(inlining *in, op *call, const op *f)
{
	arena *mem = &in->m->ctx->scratch;
	ptr_map map = {0};
	const block *body = op_body(f);
	for (int i = 0; i < body->n_args; i++)
		*ptr_map_at(&map, mem, body->args[i]) = operand(call, i);
	for (const op *o = body->first; o != body->last; o = o->next)
		op_insert_before(call, op_clone(in->m, o, &map, mem));
	for (int i = 0; i < call->n_results; i++) {
		value *returned = operand(body->last, i), *copy = ptr_map_get(&map, returned);
		value_replace_uses(result(call, i), copy ? copy : returned);
	}
	op_erase(call);
}

static void inline_into(inlining *in, op *f, int depth)
{
	if (in->visits[f->id] != UNVISITED)
		return;
	in->visits[f->id] = VISITING;
	for (op *o = f, *next; o; o = next) {
		next = op_next(o, f);
		op *callee = o->kind == OP_FUNC_CALL ? callee_of(in->m, o) : NULL;
		if (!callee || callee->id >= in->n || depth > (int)in->m->ctx->opts.max_depth)
			continue;
		inline_into(in, callee, depth + 1);
		if (in->visits[callee->id] == VISITED)
			inline_call(in, o, callee);
	}
	in->visits[f->id] = VISITED;
}

bool pass_inline(module *m, const pass_options *o)
{
	inlining in = {.m = m, .n = m->n_ops, .visits = NEW_N(&m->ctx->scratch, uint8_t, m->n_ops)};
	for (op *f = module_body(m)->first; f; f = f->next)
		if (op_is_func(f))
			inline_into(&in, f, 0);
	/* MLIR's inliner also simplifies the functions. */
	return pass_symbol_dce(m, o) && pass_canonicalize(m, o);
}
