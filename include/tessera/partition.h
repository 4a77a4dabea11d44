/* tessera/partition.h - from annotations to the program of one device.
 *
 *     tess_module_shard_input(m, 2, "[{\"model\"}, {}]");
 *     if (tess_module_propagate(m) == TESS_OK) {
 *             tess_partition_stats stats = TESS_PARTITION_STATS_INIT;
 *             if (tess_module_partition(m, NULL, &stats) == TESS_OK)
 *                     printf("a program for each of %d devices\n", (int)stats.devices);
 *     }
 *
 * The functions that change annotations can be called in any order before
 * tess_module_propagate(). Each of them changes the module; to try several variants, work on
 * copies (tess_module_clone()). Values and operations are replaced: pointers to them become
 * invalid. */
#ifndef TESSERA_PARTITION_H
#define TESSERA_PARTITION_H

#include <tessera/core.h>
#include <tessera/diag.h>
#include <tessera/module.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Gives sizes to the dynamic dimensions of a program's arguments, as those that jax.export writes
 *  for symbolic shapes, and infers all other shapes from them. Calls are inlined.
 *  @param sizes `b=8, t=16` for the variables that jax.export names; `0.1=4` for dimension 1 of
 *  argument 0.
 *  @return TESS_OK; TESS_INVALID with a diagnostic, with the module unchanged; TESS_NOMEM. */
TESS_API tess_status tess_module_set_sizes(tess_module *m, const char *sizes);

/** Sets the mesh of a program. A program without a mesh gets one named @mesh. Otherwise the new
 *  mesh replaces, under its name, the program's mesh, or, if the program has several, the one with
 *  the same axes, and a remark says which.
 *
 *  The program's mesh is, among the meshes with the most devices, the one that most shardings use;
 *  meshes without axes do not count. When the program is next used, shardings that do not fit the
 *  new mesh are errors, and arguments and results that the new axes do not divide are warnings.
 *
 *  For a program that XLA has partitioned, the mesh names the axes among which the devices
 *  communicate, and must have as many devices.
 *  @param mesh `x=2,y=4` or `<["x"=2, "y"=4]>`; NULL changes nothing.
 *  @return TESS_OK; TESS_INVALID with a diagnostic; TESS_NOMEM or TESS_USAGE. */
TESS_API tess_status tess_module_set_mesh(tess_module *m, const char *mesh);
/** Annotates argument `index` of @main.
 *  @param sharding `[{"x"}, {}]`, with what may follow it, or as JAX writes it, `P('x', None)`:
 *  over the program's mesh, or the first of its meshes that has these axes; in full, `<@rows,
 *  [{"x"}, {}]>`: over any of them. NULL removes the annotation.
 *  @return TESS_OK; TESS_INVALID with a diagnostic; TESS_NOMEM or TESS_USAGE. */
TESS_API tess_status tess_module_shard_input(tess_module *m, size_t index, const char *sharding);
/** Does the same for result `index` of @main. */
TESS_API tess_status tess_module_shard_output(tess_module *m, size_t index, const char *sharding);

/** Annotates values anywhere in a program, to try what that changes. An argument of @main gets the
 *  sharding instead of its own; any other value gets an sdy.sharding_constraint between it and all
 *  its uses.
 *  @param value as for tess_module_explain(): "%h", "arg:0", "params/w"; "layers.*.w" for several.
 *  @param sharding as for tess_module_shard_input(), but not NULL.
 *  @return TESS_OK; TESS_INVALID with a diagnostic; TESS_NOMEM or TESS_USAGE. */
TESS_API tess_status tess_module_constrain(tess_module *m, const char *value, const char *sharding);

/** Propagates the annotations through the whole program, as Shardy's propagation pipeline does.
 *  Then every value has its sharding, and reshards are inserted where neighbors must differ.
 *  @return TESS_OK; TESS_INVALID with a diagnostic: the module can then only be freed;
 *  TESS_NOMEM. */
TESS_API tess_status tess_module_propagate(tess_module *m);

/** Makes the dimensions of a propagated program smaller, to try out one that is too large to run.
 *  Dimensions that belong together get the same size, a few elements for each shard; one that
 *  shards divide unevenly stays uneven. Dimensions whose size appears in the program as a number
 *  (constants, windows, parts of a dimension) do not change.
 *  @return TESS_OK; TESS_INVALID with a diagnostic; TESS_NOMEM or TESS_USAGE. */
TESS_API tess_status tess_module_shrink(tess_module *m);

/** What tess_module_partition() did. */
typedef struct tess_partition_stats {
	size_t struct_size;
	int64_t devices;    /**< for how many the program is */
	int64_t operations; /**< of the global program */
	int64_t replicated; /**< of these, computed whole on every device */
} tess_partition_stats;
#define TESS_PARTITION_STATS_INIT {.struct_size = sizeof(tess_partition_stats)}

/** How the program of one device refers to devices. */
typedef enum tess_devices {
	/** As partitions: stablehlo.partition_id; collectives have a channel. */
	TESS_DEVICES_PARTITIONS = 0,
	/** As replicas: stablehlo.replica_id; collectives have no channel. For compilers that
	 *  would run their own partitioner on a program for several partitions, as XLA does. */
	TESS_DEVICES_REPLICAS = 1,
} tess_devices;

/** What the program of one device is wrapped in. */
typedef enum tess_wrap {
	TESS_WRAP_NONE = 0, /**< nothing: @main takes and returns what one device holds */
	/** One sdy.manual_computation over all axes of a mesh, as jax.shard_map writes it, in a
	 *  @main with whole arguments and results. A partitioner leaves everything inside as it
	 *  is. The mesh has an axis for every part of an axis that splits an argument or a
	 *  result. */
	TESS_WRAP_SHARD_MAP = 1,
} tess_wrap;

/** How to partition. */
typedef struct tess_partition_opts {
	size_t struct_size;
	/** Merges collectives among the same devices into one with several operands. Otherwise
	 *  each collective has one operand, which all readers understand alike: XLA reads an
	 *  all_to_all with several as another operation. */
	bool merge;
	/** Omits tess.global_type, tess.global_sharding and the meshes. The result is plain
	 *  StableHLO, which no longer says what it is a part of. */
	bool bare;
	tess_devices devices; /**< must be PARTITIONS with `wrap` */
	tess_wrap wrap;
	/** The machine to partition for, as in tess_report_opts: of several partitions, the one
	 *  that fits and has the shortest estimated time on this machine. NULL: the one that
	 *  moves the fewest bytes. */
	const char *target;
	/** XLA's client for CPUs compiles the program. It transposes tensors before it multiplies
	 *  them if dimensions that come first in both are summed, as in the gradient of a weight;
	 *  such products are then written as products of matrices, which it multiplies as they lie.
	 *  A `target` that is a CPU implies it. */
	bool for_cpu;
} tess_partition_opts;
#define TESS_PARTITION_OPTS_INIT {.struct_size = sizeof(tess_partition_opts)}

/** Replaces a propagated program by the program of one device, with local shapes and StableHLO's
 *  collectives. The attributes tess.global_type and tess.global_sharding of the arguments and
 *  results of @main say what these are parts of. tess_exec_new() and tess_module_report() accept
 *  such a program; functions that need a whole program refuse it.
 *  @param stats gets what was done; may be NULL.
 *  @return TESS_OK; TESS_INVALID with a diagnostic, with the module unchanged; TESS_USAGE for an
 *  unknown target (with a diagnostic) or options that exclude each other; TESS_IO for a table of
 *  machines that cannot be read; TESS_NOMEM. */
TESS_API tess_status tess_module_partition(tess_module *m, const tess_partition_opts *opts,
                                           tess_partition_stats *stats);

/** True if the module is a program of one device that tess_module_partition() has written, in
 *  this process or another. */
TESS_API bool tess_module_is_local(const tess_module *m);

#ifdef __cplusplus
}
#endif
#endif
