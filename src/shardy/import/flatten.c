/* flatten.c - sdy-flatten-call-graph: gives every call its own function.
 *
 * The first call of a function keeps it; each further call gets a copy, with copies of all
 * functions that it calls. A copy remembers the name of its original. Calls are handled callees
 * first, so that a copied function contains only finished calls.
 *
 * The result is a tree that may be exponentially larger than the program: with functions that each
 * call the next one twice, 40 deep, it would not fit into any machine. So a limit is checked before
 * anything is copied; recursion is an error. */
#include "shardy/import/import.h"

enum { MAX_COPIED_OPS = 20 * 1000 * 1000 };

typedef struct flatten {
	module *m;
	int counter; /* for unique names */
	int64_t copied;
	ptr_map called; /* functions that have a call already */
} flatten;

static void name_copy(flatten *f, op *copy)
{
	const name *symbol = module_next_symbol(f->m, op_symbol(copy), &f->counter);
	op_set_attr(f->m, copy, N_sym_name, attr_string(f->m->ctx, symbol));
	op_append(module_body(f->m), copy);
	module_add_symbol(f->m, copy);
}

static op *copy_func(flatten *f, const op *original)
{
	arena *mem = &f->m->ctx->scratch;
	arena_mark here = arena_here(mem);
	uint32_t before = f->m->n_ops;
	ptr_map map = {0};
	op *copy = op_clone(f->m, original, &map, mem);
	arena_back(mem, here);
	f->copied += f->m->n_ops - before;
	op_set_attr(f->m, copy, N_sdy_original_func_name,
	            attr_string(f->m->ctx, func_original_name(original)));
	return copy;
}

static bool too_many_copies(const module *m, const op *call)
{
	return diag_error(m->ctx, op_place(m, call), E_CALL_COPIES,
	                  "one copy of each function for each call makes more than %d "
	                  "operations; dedup-functions-fully needs no copies",
	                  MAX_COPIED_OPS);
}

static bool call_copy(flatten *f, op *call, const op *original, int depth)
{
	tess_ctx *ctx = f->m->ctx;
	if (depth > (int)ctx->opts.max_depth)
		return diag_error(ctx, op_place(f->m, call), E_CALL_RECURSION,
		                  "calls are nested more than %d deep; is the function recursive?",
		                  (int)ctx->opts.max_depth);
	op *copy = copy_func(f, original);
	if (f->copied > MAX_COPIED_OPS)
		return too_many_copies(f->m, call);
	for (op *i = op_first_post(copy), *next; i; i = next) {
		next = op_next_post(i, copy);
		op *callee = op_callee(f->m, i);
		if (callee && !call_copy(f, i, callee, depth + 1))
			return false;
	}
	name_copy(f, copy);
	op_set_attr(f->m, call, N_callee, attr_symbol(ctx, op_symbol(copy)));
	return true;
}

static bool flatten_calls_in(flatten *f, const call_graph *g, const op *root)
{
	for (int i = first_call_in(g, root); i >= 0; i = next_call_in(g, root, i)) {
		op *callee = op_callee(f->m, g->calls.ptr[i]);
		if (!callee)
			continue;
		void **called = ptr_map_at(&f->called, &f->m->ctx->scratch, callee);
		if (*called && !call_copy(f, g->calls.ptr[i], callee, 0))
			return false;
		*called = callee;
	}
	return true;
}

/* Returns the number of ops in a function and everything it calls, once per call; -1 after a
 * diagnostic. The program's own ops, which are not copies, do not count against the limit.
 * Recursion is counted once: call_copy() reports it. */
static int64_t tree_size(const module *m, const op *func, const int64_t *sizes)
{
	int64_t size = 0;
	for (op *i = op_first_post((op *)func); i; i = op_next_post(i, func)) {
		const op *callee = op_callee(m, i);
		size += 1 + (callee ? sizes[callee->id] : 0);
		if (size - m->n_ops > MAX_COPIED_OPS) {
			too_many_copies(m, i);
			return -1;
		}
	}
	return size;
}

/* True if some function has several calls: others are not copied. */
static bool any_called_twice(const module *m, const call_graph *g, arena *mem)
{
	uint8_t *called = NEW_N(mem, uint8_t, m->n_ops);
	for (int i = 0; i < g->calls.len; i++) {
		const op *callee = op_callee(m, g->calls.ptr[i]);
		if (callee && called[callee->id]++)
			return true;
	}
	return false;
}

bool calls_fit_copied(const module *m, const call_graph *g)
{
	arena *mem = &m->ctx->scratch;
	arena_mark here = arena_here(mem);
	int64_t size = 0;
	if (any_called_twice(m, g, mem)) {
		int64_t *sizes = NEW_N(mem, int64_t, m->n_ops);
		for (int i = 0; i < g->funcs.len && size >= 0; i++)
			size = sizes[g->funcs.ptr[i]->id] = tree_size(m, g->funcs.ptr[i], sizes);
	}
	arena_back(mem, here);
	return size >= 0;
}

bool call_own_copy(module *m, op *call, const op *original, int *counter, int64_t *copied)
{
	flatten f = {.m = m, .counter = *counter, .copied = *copied};
	bool ok = call_copy(&f, call, original, 0);
	*counter = f.counter;
	*copied = f.copied;
	return ok;
}

bool pass_flatten_call_graph(module *m, const pass_options *o)
{
	UNUSED(o);
	if (!module_has(m, OP_FUNC_CALL))
		return true;
	flatten f = {.m = m};
	call_graph g = module_call_graph(m, &m->ctx->scratch);
	if (!calls_fit_copied(m, &g))
		return false;
	for (int i = 0; i < g.funcs.len; i++)
		if (!flatten_calls_in(&f, &g, g.funcs.ptr[i]))
			return false;
	return true;
}
