/* import.h - the passes before propagation.
 *
 * Names, options and results are those of Shardy's import passes; src/shardy/pipelines.c has the
 * order in which pipelines run them. */
#ifndef TESS_SHARDY_IMPORT_IMPORT_H
#define TESS_SHARDY_IMPORT_IMPORT_H

#include "op/op.h"

pass_fn pass_lift_inlined_meshes, pass_remove_size_one_axes;             /* meshes.c */
pass_fn pass_propagate_sharding_from_func_to_call, pass_pre_order_funcs; /* calls.c */
pass_fn pass_import_func_calls;  /* calls.c */
pass_fn pass_flatten_call_graph; /* flatten.c */
pass_fn pass_constant_or_scalar_splitter;                                /* constants.c */
pass_fn pass_explicit_gather_scatter_batching;                           /* gather.c */
pass_fn pass_manual_axes_cleanup;                                        /* manual.c */
pass_fn pass_add_data_flow_edges, pass_add_func_data_flow_edges;         /* edges.c */
pass_fn pass_apply_sharding_constraints; /* constraints.c */
pass_fn pass_sharding_group_import;      /* groups.c */
pass_fn pass_populate_op_sharding_rules; /* propagate/passes.c */
pass_fn pass_name_computations_apart;    /* names.c */

/* Inserts an edge for each value that the data-flow op carries. */
void add_data_flow_edges_of(module *m, op *o);

/* True if a copy of each function for each call is not too large; reports an error otherwise. */
bool calls_fit_copied(const module *m, const call_graph *g);
/* Gives the call a copy of the function, with copies of all functions that it calls. `counter`
 * numbers their names, `copied` counts their ops. @return false after a diagnostic: recursion, or
 * too many copies */
bool call_own_copy(module *m, op *call, const op *original, int *counter, int64_t *copied);

#endif
