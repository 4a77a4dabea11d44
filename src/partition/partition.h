/* partition.h - the interface of partition: turns a program with shardings into the program of one
 * device.
 *
 * partition_local() takes a propagated program: its values have shardings, and
 * sdy.sharding_constraint, sdy.reshard and sdy.manual_computation may occur. The result is plain
 * StableHLO over local shapes, with collectives. Every device runs the same program and asks for
 * its partition_id, which is its logical device id: position p of a mesh is device
 * mesh_device_at(mesh, p). */
#ifndef TESS_PARTITION_PARTITION_H
#define TESS_PARTITION_PARTITION_H

#include "op/op.h"

/* Why a collective is in the local program (origin.c). */
typedef struct collective_origin {
	const op *local;    /* the collective */
	const op *cause;    /* the global op that was being computed; may be NULL */
	const value *moved; /* the global value that the collective reshards; NULL: the collective
	                     * is a part of computing `cause` */
	const char *before, *after; /* its shardings, `[{"x"}, {}], unreduced={"y"}`; only with
	                             * `moved` */
	bool no_better_way; /* `cause` is computed whole on every device */
} collective_origin;
typedef VEC(collective_origin) origin_list;

/* The groups of a collective list every device, so there is a limit to the devices of a program. */
enum { PARTITION_DEVICES = 1 << 24 };

/* What communication and computation cost on a known machine, from the caller that knows it. The
 * unit is always bytes over the machine's fastest links. */
typedef enum price_kind {
	PRICE_ALL_REDUCE,
	PRICE_ALL_GATHER,
	PRICE_REDUCE_SCATTER,
	PRICE_ALL_TO_ALL,
	PRICE_PERMUTE,
} price_kind;
typedef struct move_prices {
	/* The bytes that the fastest links could carry in the time of the collective. Each of its
	 * devices has a block of `block_bytes`; its groups are `sizes[i]` devices at distance
	 * `strides[i]`, for each i < n. */
	double (*price)(const void *arg, price_kind kind, double block_bytes, const int64_t *sizes,
	                const int64_t *strides, int n);
	const void *arg;
	double points_per_byte; /* multiply-adds that take as long as one byte */
} move_prices;

typedef struct partition_options {
	bool quiet; /* no remarks about ops that are computed whole on every device */
	/* If not NULL, filled with the reason for each collective; its strings are in the memory of
	 * the local module. Collectives are not merged then. */
	origin_list *origins;
	/* Merges collectives into ones with several operands where that is allowed. Without `merge`
	 * and `origins` each collective has one operand, because other tools cannot read
	 * several. */
	bool merge;
	/* The program is only counted or costed, never printed: collectives keep their form as with
	 * `origins`, and workarounds for other tools are left out. It is not marked as local. */
	bool counted;
	/* XLA's CPU client compiles the program: products are of matrices where that saves it from
	 * transposing them. */
	bool for_cpu;
	/* Devices are replicas rather than partitions: the program asks for replica_id. */
	bool replicas;
	const move_prices *prices; /* NULL: bytes, plus step_bytes (spread.h) per step */
} partition_options;

typedef struct partition_stats {
	int n_ops;        /* ops of the global program */
	int n_replicated; /* of these, computed whole on every device from gathered operands,
	                   * because no better way was found */
} partition_stats;

/* An argument or result of @main as callers see it. */
typedef struct global_value {
	const type *type;
	const sharding *sharding; /* NULL: whole on every device */
	const mesh *mesh;         /* the sharding's mesh; NULL without a sharding */
} global_value;

typedef struct local_program {
	module *module; /* to be released with module_free() */
	int64_t n_devices;
	program_meshes meshes; /* of the global program */
	int n_args, n_results;
	const global_value *args, *results;
	partition_stats stats;
	bool replicas; /* devices are replicas, not partitions */
	int n_merged; /* with `origins`: how many collectives merging would save */
} local_program;

/* Partitions @main. `out`'s arrays live in `mem`. @main of the local module repeats the global
 * types and shardings of `out` as tess.global_type and tess.global_sharding. Returns false once an
 * error is in the context. */
bool partition_local(module *global, const partition_options *o, arena *mem, local_program *out);

/* ---- programs that are local already (marks.c) ----------------------------------------- */

/* True if @main of `m` has tess.global_type. */
bool program_is_local(const module *m);
/* The same, or if `m` is HLO that XLA has partitioned, which does not tell the global values. */
bool program_came_partitioned(const module *m);
/* Reports an error and returns false if the module is local. `who` names the caller, which needs a
 * whole program. */
bool program_wants_global(module *m, const char *who);
/* The same for callers that judge shardings: a program that XLA has partitioned has none either, and
 * one whose arguments have open dimensions cannot be propagated. */
bool program_wants_annotations(module *m, const char *who);
/* Reads what the marks of `m` say, into `out` with arrays in `mem`. The module of `out` is `m`,
 * which remains the caller's. Returns false once an error is in the context. */
bool local_program_read(module *m, arena *mem, local_program *out);
/* Appends the reductions that complete unreduced results, for callers that need whole values. `out`
 * no longer says then that they are unreduced. (complete.c) */
void local_program_complete(local_program *p, arena *mem);
/* Erases the marks of a local program, and the meshes that no operation names. */
bool marks_erase(module *m);

/* ---- other forms of a local program --------------------------------------------------------- */

/* Turns the devices of a program from partitions into replicas (replicas.c). */
void program_to_replicas(local_program *p);
/* True if a program of one device is for replicas. */
bool program_has_replicas(const module *m);
/* Wraps the program into one manual computation, so that @main takes and returns whole values
 * (wrap.c). Returns false once an error is in the context. */
bool program_wrap(local_program *p);

/* Partitions every function of the program by its own shardings. sdy.all_reduce and
 * sdy.reduce_scatter of whole values are computed as the op says.
 * @return a module to release with module_free(), or NULL once an error is in the context. */
module *partition_functions(module *global, const partition_options *o);

#endif
