/* export.h - the passes after propagation.
 *
 * Names, options and results are those of Shardy's export passes; src/shardy/pipelines.c has the
 * order in which pipelines run them. */
#ifndef TESS_SHARDY_EXPORT_EXPORT_H
#define TESS_SHARDY_EXPORT_EXPORT_H

#include "op/op.h"

/* calls.c */
pass_fn pass_propagate_to_func_results, pass_insert_func_call_reshards, pass_unflatten_call_graph;
pass_fn pass_export_named_computations; /* named.c */
/* edges.c */
pass_fn pass_sink_data_flow_edges, pass_sink_func_data_flow_edges;
pass_fn pass_constant_or_scalar_merger; /* constants.c */
pass_fn pass_convert_global_to_local;        /* local.c */
pass_fn pass_resolve_permutation_factors;    /* permutation.c */
pass_fn pass_pad_for_divisibility;           /* pad.c */
pass_fn pass_resolve_single_device_sharding; /* single.c */
pass_fn pass_per_instruction_partitioning; /* instruction.c */
/* borders.c */
pass_fn pass_update_non_divisible_input_output_shardings;
pass_fn pass_remove_sub_axes_in_input_output_shardings;
/* clean.c */
pass_fn pass_remove_sharding_groups, pass_sharding_constraint_to_reshard, pass_close_shardings;
pass_fn pass_drop_sharding_rules, pass_drop_sharding_and_mesh, pass_inline_meshes;
pass_fn pass_remove_propagation_debug_info;
pass_fn pass_verify_unreduced_axes;    /* unreduced.c */
pass_fn pass_insert_explicit_reshards; /* shardy/explicit/reshards.c */
pass_fn pass_reshard_to_collectives;   /* shardy/collectives/collectives.c */
pass_fn pass_remove_all_gather_reduce_scatter_for_cmv1; /* cmv1.c */

/* Returns the shardings of the edges on values of one op or block, fully open if an edge has none;
 * NULL if no edge has one (edges.c). */
const sharding **edge_shardings(module *m, value *const *owners, int n);

/* ---- partitioning a single operation (isolate.c) -------------------------------------------- */

typedef enum isolation {
	ISOLATE_ALWAYS,
	ISOLATE_IF_IT_COMMUNICATES, /* otherwise the op is left alone */
} isolation;

/* Returns a sharding with the mesh along which the operation is sharded; NULL if it is not sharded
 * or cannot be isolated. */
const sharding *isolation_sharding(module *m, const op *o);
/* Replaces the op by a manual computation of one device's work; false after a diagnostic. */
bool isolate_operation(module *m, op *o, mesh_ref mesh, isolation how);

#endif
