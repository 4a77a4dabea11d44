/* opened.c - a program with its calls replaced by what they call.
 *
 * Compilers do that before anything else, and it decides what is fused and what is overwritten;
 * so memory is counted on such a copy. */
#include "plan/plan.h"

/* How many ops a function has once calls are opened, as far as `most`; calls of what is being
 * counted already count nothing. */
static int64_t opened_size(const module *m, const op *f, int64_t most, arena *mem, ptr_map *sizes)
{
	void **memo = ptr_map_at(sizes, mem, f);
	if (*memo)
		return (intptr_t)*memo - 1;
	*memo = (void *)(intptr_t)1;
	int64_t n = 0;
	for (const op *o = op_next(f, f); o && n < most; o = op_next(o, f)) {
		const attr *callee = o->kind == OP_FUNC_CALL ? op_attr(o, N_callee) : NULL;
		const op *g = callee && callee->kind == AT_SYMBOL ? module_lookup(m, callee->text)
		                                                  : NULL;
		n += 1 + (g ? opened_size(m, g, most, mem, sizes) : 0);
	}
	*ptr_map_at(sizes, mem, f) = (void *)(intptr_t)(n + 1);
	return n;
}

bool program_openable(const module *m)
{
	enum { MOST = 1 << 22 };
	ptr_map sizes = {0};
	const op *main_func = module_main(m);
	if (!main_func || opened_size(m, main_func, MOST, &m->ctx->scratch, &sizes) < MOST)
		return true;
	return diag_error(m->ctx, op_place(m, main_func), E_TOO_LARGE,
	                  "with the functions in place of their calls the program has more than %d "
	                  "operations",
	                  MOST);
}

module *program_opened(const module *m)
{
	enum { TIMES = 8, SMALL = 100000 };
	arena *mem = &m->ctx->scratch;
	const op *main_func = module_main(m);
	int64_t most = max_i64((int64_t)m->n_ops * TIMES, SMALL);
	ptr_map sizes = {0};
	if (!main_func || opened_size(m, main_func, most, mem, &sizes) >= most)
		return NULL;
	module *copy = module_clone(m);
	pass_options o = pass_options_default();
	if (pass_inline(copy, &o))
		return copy;
	module_free(copy);
	return NULL;
}
