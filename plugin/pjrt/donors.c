/* donors.c - which arguments a program takes the memory of.
 *
 * Their buffers are gone for the caller after a run.  An argument is named with its result, by its own
 * tf.aliasing_output or by mhlo.input_output_alias of the module (PyTorch/XLA, and what else XLA makes of
 * HLO), or it is offered, by jax.buffer_donor. */
#include <stdlib.h>

#include "plugin.h"

/* [result] whether an argument is named for it */
static void take_named(PJRT_Executable *x, int64_t argument, int64_t result, bool *taken)
{
	if (argument < 0 || argument >= x->n_arguments || result < 0 || result >= x->n_results ||
	    x->arguments[argument].number < 0)
		return;
	x->arguments[argument].donated = true;
	taken[result] = true;
}

/* {output_index = array<i64: 1>, alias = {parameter_number = 0, parameter_index = array<i64>, …}} */
static void take_pair(PJRT_Executable *x, const tess_attr *pair, bool *taken)
{
	const tess_attr *alias = tess_attr_find(pair, "alias"), *to = tess_attr_find(pair, "output_index");
	const tess_attr *part = alias ? tess_attr_find(alias, "parameter_index") : NULL;
	size_t n_part = 0, n_to = 0;
	const int64_t *path = to ? tess_attr_get_numbers(x->ctx, to, &n_to) : NULL;
	if (part)
		tess_attr_get_numbers(x->ctx, part, &n_part);
	if (!alias || n_part || n_to > 1)
		return; /* of a tuple, which are none here */
	take_named(x, tess_attr_get_int(tess_attr_find(alias, "parameter_number"), -1),
	           n_to ? path[0] : 0, taken);
}

static void take_all_named(PJRT_Executable *x, const tess_op *f, bool *taken)
{
	const tess_attr *pairs =
	    tess_op_attr(tess_module_op(x->program), "mhlo.input_output_alias");
	for (size_t i = 0; pairs && i < tess_attr_count(pairs); i++)
		take_pair(x, tess_attr_item(pairs, i), taken);
	for (int i = 0; i < x->n_arguments; i++)
		take_named(x, i,
		           tess_attr_get_int(tess_func_arg_attr(f, (size_t)i, "tf.aliasing_output"), -1),
		           taken);
}

static bool could_share(const port *a, const port *b)
{
	return a->number >= 0 && b->number >= 0 && a->bytes == b->bytes &&
	       a->memory_kind == b->memory_kind;
}

/* One that is offered is taken only where a result can have its memory: as XLA does it, and JAX shows by
 * which arguments are deleted. */
PJRT_Error *donors_match(PJRT_Executable *x, const tess_op *f)
{
	bool *taken = calloc((size_t)x->n_results + 1, sizeof *taken);
	if (!taken)
		return error_no_memory();
	take_all_named(x, f, taken);
	for (int i = 0; i < x->n_arguments; i++) {
		port *p = &x->arguments[i];
		int k = 0;
		if (p->donated || !tess_func_arg_attr(f, (size_t)i, "jax.buffer_donor"))
			continue;
		while (k < x->n_results && (taken[k] || !could_share(p, &x->results[k])))
			k++;
		p->donated = k < x->n_results;
		taken[k] = true; /* the last is one too many */
	}
	free(taken);
	return NULL;
}
