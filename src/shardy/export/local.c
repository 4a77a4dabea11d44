/* local.c - sdy-convert-global-to-local: partitioning as a pass.
 *
 * It needs no pass before it: when it emits an op (local.h), it exchanges halos, masks padding, and
 * computes on a single device what is placed there. What resolve-permutation-factors,
 * pad-for-divisibility and resolve-single-device-sharding have done before, it leaves as it is. */
#include "shardy/export/export.h"
#include "partition/partition.h"

/* Replaces the functions of `m` by those of `local`. */
static void replace_functions(module *m, module *local)
{
	ptr_map map = {0};
	for (op *o = module_body(m)->first, *next; o; o = next) {
		next = o->next;
		if (!op_is_func(o) || func_is_declaration(o))
			continue;
		module_remove_symbol(m, op_symbol(o));
		op_erase(o);
	}
	for (const op *o = module_body(local)->first; o; o = o->next) {
		if (!op_is_func(o))
			continue;
		op *copy = op_clone(m, o, &map, &m->ctx->scratch);
		op_append(module_body(m), copy);
		module_add_symbol(m, copy);
	}
}

bool pass_convert_global_to_local(module *m, const pass_options *o)
{
	partition_options po = {.quiet = true,
	                        .replicas = o->replica_count > 1 && o->partition_count <= 1};
	module *local = partition_functions(m, &po);
	if (!local)
		return false;
	replace_functions(m, local);
	module_free(local);
	return true;
}
