/* export.h - the simple passes that end propagation (inside partition).
 *
 * Names, options and results are those of Shardy's export passes; the order in which
 * a pipeline runs them stands in src/pipeline. */
#ifndef TESS_EXPORT_H
#define TESS_EXPORT_H

#include "op/op.h"

/* export_calls.c */
pass_fn pass_propagate_to_func_results, pass_insert_func_call_reshards, pass_unflatten_call_graph;
pass_fn pass_export_named_computations; /* export_named.c */
/* export_edges.c */
pass_fn pass_sink_data_flow_edges, pass_sink_func_data_flow_edges;
pass_fn pass_constant_or_scalar_merger; /* export_constants.c */
pass_fn pass_convert_global_to_local;        /* export_local.c */
pass_fn pass_resolve_permutation_factors;    /* export_permutation.c */
pass_fn pass_pad_for_divisibility;           /* export_pad.c */
pass_fn pass_resolve_single_device_sharding; /* export_single.c */
pass_fn pass_per_instruction_partitioning; /* export_instruction.c */
/* export_borders.c */
pass_fn pass_update_non_divisible_input_output_shardings;
pass_fn pass_remove_sub_axes_in_input_output_shardings;
/* The sharding without the axes, or the parts of axes, that do not divide dimensions of `t`. */
const sharding *evenly_sharded(module *m, const sharding *s, const type *t);
/* export_clean.c */
pass_fn pass_remove_sharding_groups, pass_sharding_constraint_to_reshard, pass_close_shardings;
pass_fn pass_drop_sharding_rules, pass_drop_sharding_and_mesh, pass_inline_meshes;
pass_fn pass_remove_propagation_debug_info;
pass_fn pass_verify_unreduced_axes;    /* export_unreduced.c */
pass_fn pass_insert_explicit_reshards; /* explicit_reshards.c */
pass_fn pass_reshard_to_collectives;   /* reshard_collectives.c */
pass_fn pass_remove_all_gather_reduce_scatter_for_cmv1; /* export_cmv1.c */

/* ---- one operation for itself (export_isolate.c) ------------------------------------------- */

typedef enum isolation {
	ISOLATE_ALWAYS,
	ISOLATE_IF_IT_COMMUNICATES, /* otherwise the op stays */
} isolation;

/* A sharding that says along which mesh the operation is sharded; NULL: it is not, or cannot
 * be isolated. */
const sharding *isolation_sharding(module *m, const op *o);
/* The op becomes a manual computation of what one device does.  false after a diagnostic. */
bool isolate_operation(module *m, op *o, mesh_ref mesh, isolation how);

#endif
