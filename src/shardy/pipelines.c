/* pipelines.c - sequences of passes that have a name of their own.
 *
 * Their order is Shardy's (shardy/dialect/sdy/transforms: import_pipeline.cc,
 * propagation_pipeline.cc, export_pipeline.cc). */
#include "shardy/passes.h"

static void add(pipeline_parts *l, const char *name, const pass_options *o)
{
	vec_push(l->mem, &l->list, (pipeline_part){.pass = name, .opts = *o});
}

static void add_dump(pipeline_parts *l, const char *name, const pass_options *o)
{
	vec_push(l->mem, &l->list, (pipeline_part){.dump = name, .opts = *o});
}

static void add_constraints_and_groups(pipeline_parts *l, const pass_options *o)
{
	add(l, "sdy-apply-sharding-constraints", o);
	/* after the constraints, since members of a group may get conflicting shardings */
	add(l, "sdy-sharding-group-import", o);
}

void pipeline_import(pipeline_parts *l, const pass_options *o)
{
	add(l, "symbol-dce", o);
	add(l, "flatten-tuples", o);
	add(l, "sdy-lift-inlined-meshes", o);
	add(l, "sdy-remove-size-one-axes", o);
	add(l, "sdy-propagate-sharding-from-func-to-call", o);
	add(l, "sdy-constant-or-scalar-splitter", o);
	if (o->gather_batching)
		add(l, "sdy-explicit-gather-scatter-batching", o);
	add(l, "symbol-dce", o);
	add(l, "sdy-manual-axes-cleanup", o);
	add_dump(l, "before_propagation", o);
	add(l, "sdy-add-data-flow-edges", o);
	if (o->dedup_fully)
		add_constraints_and_groups(l, o);
}

/* Gives every call its own copy of the function, as a named computation. */
static void add_call_import(pipeline_parts *l, const pass_options *o)
{
	add(l, "sdy-flatten-call-graph", o);
	add(l, "symbol-dce", o);
	add(l, "sdy-import-func-calls", o);
	add(l, "symbol-dce", o);
	add_constraints_and_groups(l, o);
}

static void add_import_and_propagation(pipeline_parts *l, const pass_options *o)
{
	if (o->more_rules)
		add(l, "chlo-recompose-ops", o);
	add(l, "name-computations-apart", o);
	pipeline_import(l, o);
	if (o->dedup_fully)
		add(l, "sdy-add-func-data-flow-edges", o);
	else
		add_call_import(l, o);
	add(l, "sdy-pre-order-funcs", o);
	add(l, "sdy-user-priority-propagate", o);
}

/* In XLA, Shardy sees a JAX program after operations without a rule have been rewritten; we have
 * rules for them instead.  XLA has also replaced composites by the CHLO operations they stand for. */
static pass_options with_more_rules(const pass_options *o)
{
	pass_options more = *o;
	more.more_rules = true;
	return more;
}

/* Import and propagation, for `tess explain`. */
void pipeline_propagate(pipeline_parts *l, const pass_options *o)
{
	pass_options more = with_more_rules(o);
	add_import_and_propagation(l, &more);
}

/* Import and propagation; then functions are deduplicated again. */
static void add_propagation(pipeline_parts *l, const pass_options *o)
{
	/* Shardy keeps all rules until the end of the export. Those that the export would derive
	 * again unchanged need not be written. */
	pass_options propagate = *o;
	propagate.pin_rules = true;
	add_import_and_propagation(l, &propagate);
	if (!o->dedup_fully)
		add(l, "sdy-export-named-computations", o);
	add(l, "sdy-propagate-to-func-results", o);
	if (o->dedup_fully)
		add(l, "sdy-sink-func-data-flow-edges", o);
	add(l, "sdy-unflatten-call-graph", o);
	add(l, "symbol-dce", o);
	add(l, "sdy-insert-func-call-reshards", o);
}

void pipeline_propagation(pipeline_parts *l, const pass_options *o)
{
	add_propagation(l, o);
	pass_options export = *o;
	export.dump_origins = o->debug_origins;
	export.dump_edges = o->debug_edges;
	export.avoid_call_reshards = o->dedup_fully;
	export.inline_meshes = false;
	pipeline_export(l, &export);
}

static void add_canonicalize(pipeline_parts *l, const pass_options *o, tess_str label)
{
	pass_options labelled = *o;
	labelled.enable_patterns = label;
	add(l, "canonicalize", &labelled);
}

/* Inserts reshards, and collectives if requested; shapes stay global. */
static void add_reshards(pipeline_parts *l, const pass_options *o)
{
	pass_options reshard = *o;
	reshard.full_version = o->explicit_collectives || o->per_instruction;
	add(l, "sdy-verify-unreduced-axes", o);
	add(l, "sdy-insert-explicit-reshards", &reshard);
	if (reshard.full_version && o->reshard_policy == RESHARD_COST)
		add(l, "cse", o); /* a value that was resharded before is reused */
	if (o->per_instruction) {
		pass_options some = *o;
		some.filter = o->per_instruction_filter;
		add_dump(l, "before_per_instruction_partitioning", o);
		add(l, "sdy-per-instruction-partitioning", &some);
		add_dump(l, "after_per_instruction_partitioning", o);
	} else if (o->explicit_collectives) {
		add_dump(l, "after_explicit_reshards", o);
		add_canonicalize(l, o, STR("sdy-reshard"));
		add(l, "sdy-reshard-to-collectives", o);
	}
	add_canonicalize(l, o, STR("sdy-collective"));
	if (o->explicit_collectives && o->remove_cmv1)
		add(l, "sdy-remove-all-gather-reduce-scatter-for-cmv1", o);
	add_dump(l, "after_partitioner_with_global_shapes", o);
}

/* Removes what only propagation needed; constraints become reshards. */
static void add_clean_up(pipeline_parts *l, const pass_options *o)
{
	pass_options sink = *o;
	sink.sink_origins = o->dump_origins;
	sink.sink_edges = o->dump_edges;
	add(l, "sdy-constant-or-scalar-merger", o);
	add(l, "sdy-sink-data-flow-edges", &sink);
	if (!o->avoid_export) {
		add(l, "sdy-remove-sharding-groups", o);
		add(l, "sdy-sharding-constraint-to-reshard", o);
	}
	if (o->update_non_divisible) {
		add(l, "sdy-update-non-divisible-input-output-shardings", o);
		add(l, "sdy-remove-sub-axes-in-input-output-shardings", o);
	}
	add(l, "sdy-close-shardings", o);
	add_dump(l, "after_propagation", o);
}

void pipeline_export(pipeline_parts *l, const pass_options *o)
{
	add_clean_up(l, o);
	if (!o->avoid_export)
		add_reshards(l, o);
	if (o->dump_edges || o->dump_origins)
		add(l, "sdy-remove-propagation-debug-info", o);
	if (!o->keep_rules)
		add(l, "sdy-drop-sharding-rules", o);
	if (!o->avoid_export && o->inline_meshes)
		add(l, "sdy-inline-meshes", o);
}

/* Our partitioner inserts reshards itself. */
void pipeline_shard(pipeline_parts *l, const pass_options *o)
{
	pass_options more = with_more_rules(o);
	add_propagation(l, &more);
	add_clean_up(l, o);
	add(l, "sdy-drop-sharding-rules", o);
}
