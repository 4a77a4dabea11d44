/* tessera/partition.h - from annotations to the program of one device. */
#ifndef TESSERA_PARTITION_H
#define TESSERA_PARTITION_H

#include <tessera/core.h>
#include <tessera/diag.h>
#include <tessera/module.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Makes a program of static shapes of one that leaves dimensions of its arguments open, as jax.export does
 *  for symbolic shapes.
 *  @param sizes `b=8, t=16`: of the variables that jax.export names; `0.1=4`: of dimension 1 of argument 0.
 *  Functions that are called are opened; values and operations that were asked for before are gone.  After an
 *  error the module is as it was. */
TESS_API tess_status tess_module_set_sizes(tess_module *m, const char *sizes);

/** Annotates a program that has no annotations, or other ones.
 *  @param mesh `x=2,y=4` or `<["x"=2, "y"=4]>`; NULL: the program's own.  It replaces the
 *  program's mesh, or the one of several that has the same axes, under its name, and a remark says which; a program without one gets @mesh.
 *  The program's mesh is what its shardings use: of the meshes with the most devices the one that
 *  most shardings are over; meshes without axes do not count.  Arguments and results that the new
 *  axes do not divide are reported as warnings when the program is next used.
 *  Of a program that XLA has partitioned it says what the axes are called among which the devices
 *  communicate, and must have as many devices. */
TESS_API tess_status tess_module_set_mesh(tess_module *m, const char *mesh);
/** Shards an argument of @main: `[{"x"}, {}]`, with what may follow it, or as JAX has it,
 *  `P('x', None)`, on the program's mesh, or the first of its meshes that has these axes; in full,
 *  `<@rows, [{"x"}, {}]>`, on any.  NULL: no sharding. */
TESS_API tess_status tess_module_shard_input(tess_module *m, size_t index, const char *sharding);
/** The same for a result. */
TESS_API tess_status tess_module_shard_output(tess_module *m, size_t index, const char *sharding);

/** What if values were sharded in this way?  An argument of @main gets the sharding in the place
 *  of its own; any other value a sharding constraint between it and all its uses.
 *  @param value as for tess_module_explain(): "%h", "arg:0", "params/w", "layers.*.w" for several.
 *  @param sharding as for tess_module_shard_input(). */
TESS_API tess_status tess_module_constrain(tess_module *m, const char *value, const char *sharding);

/** Propagates the annotations through the whole program, as Shardy's propagation pipeline
 *  does: every value then has its sharding, and reshards stand where two must differ.
 *  @return TESS_OK; TESS_INVALID: the module is then good for nothing but
 *  tess_module_free(). */
TESS_API tess_status tess_module_propagate(tess_module *m);

/** Makes the dimensions of a propagated program smaller, all that belong together alike, to try
 *  out what is too large to run: sizes become a few elements for each shard, and what shards
 *  divide unevenly stays uneven.  Dimensions of which the program speaks in numbers (constants,
 *  windows, parts of a dimension) stay. */
TESS_API tess_status tess_module_shrink(tess_module *m);

typedef struct tess_partition_stats {
	size_t struct_size;
	int64_t devices;
	int64_t operations; /**< of the global program */
	int64_t replicated; /**< of these, computed whole on every device for lack of a better way
	                     */
} tess_partition_stats;
#define TESS_PARTITION_STATS_INIT {.struct_size = sizeof(tess_partition_stats)}

/** What distinguishes the devices. */
typedef enum tess_devices {
	/** stablehlo.partition_id; collectives have a channel. */
	TESS_DEVICES_PARTITIONS = 0,
	/** stablehlo.replica_id; collectives have none.  For compilers whose own partitioner is off,
	 *  as XLA wants it of several partitions. */
	TESS_DEVICES_REPLICAS = 1,
} tess_devices;

/** What the program of one device comes in. */
typedef enum tess_wrap {
	TESS_WRAP_NONE = 0,
	/** A whole program, whose @main is one sdy.manual_computation over all axes of a mesh, as
	 *  jax.shard_map makes it: a partitioner leaves everything inside as it is.  The mesh has an
	 *  axis for every part of an axis that splits an argument or a result. */
	TESS_WRAP_SHARD_MAP = 1,
} tess_wrap;

typedef struct tess_partition_opts {
	size_t struct_size;
	/** Collectives among the same devices become one of several operands.  Without it each
	 *  collective has one operand, as others want it: XLA reads an all_to_all of several as
	 *  another operation. */
	bool merge;
	/** Leaves tess.global_type, tess.global_sharding and the meshes out: plain StableHLO, of which
	 *  it no longer shows what it is a part of. */
	bool bare;
	tess_devices devices; /**< partitions, if wrapped */
	tess_wrap wrap;
	/** The machine, as in tess_report_opts: of the partitions by bytes and by its seconds the one that
	 *  is predicted to be fastest on it.  NULL: by bytes.  TESS_USAGE, with a diagnostic, if there is
	 *  no such machine. */
	const char *target;
} tess_partition_opts;
#define TESS_PARTITION_OPTS_INIT {.struct_size = sizeof(tess_partition_opts)}

/** Replaces a propagated program by the program of one device: local shapes, and
 *  StableHLO's collectives.  What the arguments and results of @main are parts of stands beside
 * them, as tess.global_type and tess.global_sharding: tess_exec_new() and tess_module_report() take
 *  such a program as it is, and what takes a whole program refuses it.
 *  @param opts NULL for the defaults.
 *  @param stats filled, if not NULL. */
TESS_API tess_status tess_module_partition(tess_module *m, const tess_partition_opts *opts,
                                           tess_partition_stats *stats);

/** True if the module is a program of one device that tess_module_partition() has made, in this
 *  process or in another. */
TESS_API bool tess_module_is_local(const tess_module *m);

#ifdef __cplusplus
}
#endif
#endif
