/* inline.c - copies a function into a private module, with calls and composites inlined.
 *
 * So each value is computed in one place, planning needs no stack of frames, and chains of small
 * functions, of which JAX makes many, fuse. */
#include "exec/steps/plan.h"

enum { MAX_INLINED_OPS = 1 << 22 };

typedef struct inliner {
	module *from, *to;
	ptr_map values; /* of `from` -> of `to` */
	ptr_map active; /* functions being inlined */
	opened_sizes sizes;
	uint32_t depth;
} inliner;

static bool inline_block(inliner *in, const block *from, block *to, const op **terminator);

static value *inlined(inliner *in, const value *v)
{
	value *to = ptr_map_get(&in->values, v);
	ASSERT(to);
	return to;
}

static void inline_map(inliner *in, const value *from, value *to)
{
	*ptr_map_at(&in->values, &in->to->ctx->scratch, from) = to;
	if (!value_is_named(to))
		value_take_name(in->to, to, from);
	to->sharding = from->sharding;
}

static const name *called_function(const op *o)
{
	int named_in = op_callee_attr(o->kind);
	const attr *a = named_in ? op_attr(o, named_in) : NULL;
	return a && (a->kind == AT_SYMBOL || a->kind == AT_STRING) ? a->text : NULL;
}

static bool call_error(inliner *in, const op *o, const char *what)
{
	const name *callee = called_function(o);
	return diag_error(in->to->ctx, op_place(in->from, o), E_EXEC_INVALID, "%s: @%s %s",
	                  op_kind_name(o->kind), callee ? callee->s : "?", what);
}

static bool too_large(inliner *in, const op *o)
{
	return diag_error(in->to->ctx, op_place(in->from, o), E_EXEC_INVALID,
	                  "with the functions in place of their calls the program has more than %d "
	                  "operations",
	                  MAX_INLINED_OPS);
}

static bool op_is_inlined(const op *o)
{
	switch (o->kind) {
#define INLINED(kind) case OP_##kind:
#include "exec/kernel/kernels.def"
		return true;
	}
	return false;
}

static op *inlined_callee(const module *m, const op *o)
{
	const name *callee = op_is_inlined(o) ? called_function(o) : NULL;
	op *f = callee ? module_lookup(m, callee) : NULL;
	return f && op_is_func(f) ? f : NULL;
}

/* Copies the callee's ops to the place of the call. */
static bool inline_called(inliner *in, const op *o, block *to)
{
	const name *callee = called_function(o);
	const op *f = callee ? module_lookup(in->from, callee) : NULL;
	const block *body = f && op_is_func(f) ? op_body(f) : NULL;
	if (!body)
		return call_error(in, o, "is not a function with a body");
	if (body->n_args != o->n_operands)
		return call_error(in, o, "takes a different number of arguments");
	if (ptr_map_get(&in->active, f))
		return call_error(in, o, "calls itself");
	if (++in->depth > in->to->ctx->opts.max_depth)
		return call_error(in, o, "is called too deeply");
	if (func_opened_size(&in->sizes, f, in->depth) > MAX_INLINED_OPS)
		return too_large(in, o);
	*ptr_map_at(&in->active, &in->to->ctx->scratch, f) = (void *)f;
	for (int i = 0; i < body->n_args; i++)
		inline_map(in, body->args[i], inlined(in, operand(o, i)));
	const op *end = NULL;
	if (!inline_block(in, body, to, &end))
		return false;
	if (!end || end->n_operands != o->n_results)
		return call_error(in, o, "returns a different number of results");
	for (int i = 0; i < o->n_results; i++)
		inline_map(in, &o->results[i], inlined(in, operand(end, i)));
	*ptr_map_at(&in->active, &in->to->ctx->scratch, f) = NULL;
	in->depth--;
	return true;
}

/* Copies a loop's iterations, one after the other. */
static bool inline_rounds(inliner *in, const op *o, int rounds, block *to)
{
	const block *body = op_block(o, 1);
	value **carried = NEW_N(&in->to->ctx->scratch, value *, o->n_operands);
	for (int i = 0; i < o->n_operands; i++)
		carried[i] = inlined(in, operand(o, i));
	for (int r = 0; r < rounds; r++) {
		const op *end = NULL;
		for (int i = 0; i < o->n_operands; i++)
			inline_map(in, body->args[i], carried[i]);
		if (!inline_block(in, body, to, &end))
			return false;
		for (int i = 0; i < o->n_operands; i++)
			carried[i] = inlined(in, operand(end, i));
	}
	for (int i = 0; i < o->n_results; i++)
		inline_map(in, &o->results[i], carried[i]);
	return true;
}

static bool inline_regions(inliner *in, const op *o, op *copy)
{
	for (int i = 0; i < op_n_regions(o); i++) {
		const block *b = op_region(o, i)->first;
		if (!b)
			continue;
		block *to = block_new(in->to, op_region(copy, i));
		for (int k = 0; k < b->n_args; k++)
			inline_map(in, b->args[k], block_add_arg(in->to, to, b->args[k]->type));
		if (!inline_block(in, b, to, NULL))
			return false;
	}
	return true;
}

static bool inline_op(inliner *in, const op *o, block *to)
{
	if (op_is_inlined(o))
		return inline_called(in, o, to);
	int rounds = rounds_to_unroll(in->from, o, inlined_callee);
	if (rounds >= 0)
		return inline_rounds(in, o, rounds, to);
	if (in->to->n_ops > MAX_INLINED_OPS)
		return too_large(in, o);
	arena *scratch = &in->to->ctx->scratch;
	value **operands = NEW_N(scratch, value *, o->n_operands);
	const type **types = NEW_N(scratch, const type *, o->n_results);
	for (int i = 0; i < o->n_operands; i++)
		operands[i] = inlined(in, operand(o, i));
	for (int i = 0; i < o->n_results; i++)
		types[i] = o->results[i].type;
	op *copy = op_new_like(in->to, o, operands, o->n_operands, types, o->n_results);
	op_take_place(in->to, copy, o);
	op_append(to, copy);
	for (int i = 0; i < o->n_results; i++)
		inline_map(in, &o->results[i], &copy->results[i]);
	return inline_regions(in, o, copy);
}

/* If `terminator` is not NULL, the block's last op is not copied but returned there. */
static bool inline_block(inliner *in, const block *from, block *to, const op **terminator)
{
	if (from->next)
		return diag_error(in->to->ctx, op_place(in->from, block_parent(from)),
		                  E_EXEC_INVALID, "a region of several blocks cannot be executed");
	for (const op *o = from->first; o; o = o->next) {
		if (terminator && !o->next) {
			*terminator = o;
			break;
		}
		if (!inline_op(in, o, to))
			return false;
	}
	return true;
}

/* True for a custom call that compares: it is executed even if its result is unused. */
static bool is_check(const op *o) { return !strncmp(op_call_target(o), "check.", 6); }

void erase_unneeded(block *b)
{
	for (op *o = b->last, *prev; o; o = prev) {
		prev = o->prev;
		for (int r = 0; r < op_n_regions(o); r++)
			if (op_region(o, r)->first)
				erase_unneeded(op_region(o, r)->first);
		bool unused = o != b->last && op_is_dead_if_unused(o) && !is_check(o);
		for (int i = 0; i < o->n_results && unused; i++)
			unused = value_unused(&o->results[i]);
		if (unused)
			op_erase(o);
	}
}

module *inline_function(module *m, const op *func, op **copy)
{
	module *to = module_new(m->ctx);
	module_set_source(to, m->src);
	inliner in = {.from = m, .to = to,
	              .sizes = {m, &to->ctx->scratch, inlined_callee, MAX_INLINED_OPS + 1}};
	op *f = func_make(to, op_func(func)->type);
	op_take_attrs(to, f, func);
	op_set_place(f, func->at, func->at + func->at_size);
	op_append(module_body(to), f);
	block *body = block_new(to, op_region(f, 0));
	const block *from = op_body(func);
	for (int i = 0; i < from->n_args; i++)
		inline_map(&in, from->args[i], block_add_arg(to, body, from->args[i]->type));
	*ptr_map_at(&in.active, &m->ctx->scratch, func) = (void *)func;
	if (!inline_block(&in, from, body, NULL)) {
		module_free(to);
		return NULL;
	}
	erase_unneeded(body);
	*copy = f;
	return to;
}
