/* export_local.c - sdy-convert-global-to-local: partitioning as a pass.
 *
 * What Shardy divides among resolve-permutation-factors, pad-for-divisibility,
 * resolve-single-device-sharding and this pass is one walk here (local.h): it exchanges
 * borders and masks padding where it emits an op, because only there is known what the
 * op makes of them.  So the other three leave the program to this one.  They exist
 * because pipelines name them. */
#include "partition/export.h"
#include "partition/partition.h"

/* The functions of `m` become those of `local`. */
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

static bool leave_program(module *m, const pass_options *o)
{
	UNUSED(m);
	UNUSED(o);
	return true;
}

bool pass_resolve_permutation_factors(module *m, const pass_options *o)
{
	return leave_program(m, o);
}

bool pass_pad_for_divisibility(module *m, const pass_options *o) { return leave_program(m, o); }

bool pass_resolve_single_device_sharding(module *m, const pass_options *o)
{
	return leave_program(m, o);
}
