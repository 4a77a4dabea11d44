/* border.c - how arguments and results lie on devices, where the program leaves that open.
 *
 * What has no sharding, and may get none by propagation, is whole on every device.
 *
 * Two partitioners have two habits.  Shardy cuts shardings of arguments and results down to what divides
 * their dimensions.  GSPMD keeps them as they are told: of 9 rows over 8 devices each has 2, the last
 * ones padding, and callers (PyTorch/XLA) give and expect such parts.  The compile options say which of
 * them the caller has in mind. */
#include <stdio.h>
#include <string.h>
#include <tessera/passes.h>
#include <tessera/partition.h>

#include "plugin.h"

static bool is_free(const bool *flags, int n, size_t i)
{
	return n == 1 ? flags[0] : i < (size_t)n && flags[i];
}

static bool has_mesh(const tess_module *m)
{
	for (const tess_op *o = tess_block_first(tess_module_body(m)); o; o = tess_op_next(o))
		if (tess_op_is(o, "sdy.mesh"))
			return true;
	return false;
}

/* "[{}, {}]": whole on every device, and propagation leaves it so. */
static void closed_text(int rank, char *out)
{
	*out++ = '[';
	for (int d = 0; d < rank; d++)
		out += sprintf(out, d ? ", {}" : "{}");
	strcpy(out, "]");
}

/* What has no sharding, and may get none by propagation, is whole on every device. */
static tess_status pin_shardings(PJRT_Executable *x, const tess_op *f)
{
	const tess_type *t = tess_func_type(f);
	const compile_options *o = &x->options;
	tess_block *body = tess_op_body(f, 0);
	char text[4 * 64 + 4];
	tess_status status = TESS_OK;
	if (!body)
		return TESS_OK;
	for (size_t i = 0; i < tess_type_in_count(t) && status == TESS_OK; i++) {
		int rank = tess_type_rank(tess_type_in(t, i));
		if (rank < 0 || rank > 64 || tess_value_sharding(tess_block_arg(body, i)) ||
		    is_free(o->free_arguments, o->n_free_arguments, i))
			continue;
		closed_text(rank, text);
		status = tess_module_shard_input(x->program, i, text);
	}
	for (size_t i = 0; i < tess_type_out_count(t) && status == TESS_OK; i++) {
		int rank = tess_type_rank(tess_type_out(t, i));
		if (rank < 0 || rank > 64 || tess_func_result_sharding(f, i) ||
		    is_free(o->free_results, o->n_free_results, i))
			continue;
		closed_text(rank, text);
		status = tess_module_shard_output(x->program, i, text);
	}
	return status;
}

/* As GSPMD has it.  The program is kept as it came for those who look at it. */
static tess_status propagate_uneven(PJRT_Executable *x)
{
	x->propagated = tess_module_clone(x->program);
	return x->propagated ? tess_module_run_passes(
	                           x->propagated,
	                           "sdy-propagation-pipeline{avoid-export-for-partitioning=true "
	                           "more-rules=true update-non-divisible-input-output-shardings=false}")
	                     : TESS_NOMEM;
}

PJRT_Error *border_settle(PJRT_Executable *x, const tess_op *f)
{
	if (!has_mesh(x->program))
		return NULL;
	tess_status status = pin_shardings(x, f);
	if (status != TESS_OK)
		return error_of_context(x->ctx, status, "the shardings do not fit");
	if (!x->options.shardy)
		status = propagate_uneven(x);
	return status == TESS_OK ? NULL : error_of_context(x->ctx, status, x->name);
}
