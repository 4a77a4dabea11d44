/* opened.c - a program in which calls are replaced by what they call, and what is computed twice is
 * computed once.
 *
 * Compilers do that before anything else, and it decides what is fused, what is overwritten, and
 * what is stored once. For example, propagation gives each user of a constant its own copy, so that
 * the users' shardings do not affect each other, and an attention mask is such a constant. So
 * memory is counted on such a copy of the program. */
#include "cost/cost.h"

/* True if the function has fewer than `most` operations when its calls are replaced. */
static bool opens_within(const module *m, const op *f, int64_t most)
{
	opened_sizes sizes = {m, &m->ctx->scratch, op_callee, most};
	return func_opened_size(&sizes, f, 0) < most;
}

bool program_openable(const module *m)
{
	enum { MOST = 1 << 22 };
	const op *main_func = module_main(m);
	if (!main_func || opens_within(m, main_func, MOST))
		return true;
	return diag_error(m->ctx, op_place(m, main_func), E_TOO_LARGE,
	                  "with the functions in place of their calls the program has more than %d "
	                  "operations",
	                  MOST);
}

static bool is_worth_opening(const module *m)
{
	enum { TIMES = 8, SMALL = 100000 };
	const op *main_func = module_main(m);
	int64_t most = max_i64((int64_t)m->n_ops * TIMES, SMALL);
	return main_func && opens_within(m, main_func, most);
}

bool program_open(module *m)
{
	pass_options o = pass_options_default();
	if (!is_worth_opening(m) || !pass_inline(m, &o) || !pass_cse(m, &o))
		return false;
	program_simplify(m);
	return true;
}

module *program_opened(const module *m)
{
	if (!is_worth_opening(m))
		return NULL;
	module *copy = module_clone(m);
	if (program_open(copy))
		return copy;
	module_free(copy);
	return NULL;
}
