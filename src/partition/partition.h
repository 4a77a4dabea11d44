/* partition.h - the door of partition: from a program with shardings to the program
 * of one device.
 *
 * partition_local() takes a propagated program: values bear shardings, and
 * sdy.sharding_constraint, sdy.reshard, sdy.manual_computation may occur.  What comes
 * out is plain StableHLO over local shapes with collectives: every device runs the
 * same program and asks for its partition_id, which is the logical device id: the
 * device at position p of a mesh is mesh_device_at(mesh, p). */
#ifndef TESS_PARTITION_PARTITION_H
#define TESS_PARTITION_PARTITION_H

#include "op/op.h"

/* Why a collective is there (origin.c). */
typedef struct collective_origin {
	const op *local;    /* the collective, of the local program */
	const op *cause;    /* the op of the global program that was at work; may be NULL */
	const value *moved; /* of the global program, that it brings from one sharding to another;
	                     * NULL: it is a part of computing `cause` */
	const char *before, *after; /* `[{"x"}, {}], unreduced={"y"}`; with `moved` only */
	bool no_better_way; /* `cause` is computed whole on every device */
} collective_origin;
typedef VEC(collective_origin) origin_list;

/* What it takes to move data and to compute, where that is known: a machine's seconds, handed in by
 * who knows the machine.  Everything is weighed in bytes of the fastest links. */
typedef enum price_kind {
	PRICE_ALL_REDUCE,
	PRICE_ALL_GATHER,
	PRICE_REDUCE_SCATTER,
	PRICE_ALL_TO_ALL,
	PRICE_PERMUTE,
} price_kind;
typedef struct move_prices {
	/* Bytes that the fastest links would carry in the time that the collective takes, among devices
	 * `strides[i]` apart, `sizes[i]` of them, each with a block of so many bytes. */
	double (*price)(const void *arg, price_kind kind, double block_bytes, const int64_t *sizes,
	                const int64_t *strides, int n);
	const void *arg;
	double points_per_byte; /* multiplications and additions that take as long as a byte */
} move_prices;

typedef struct partition_options {
	bool quiet; /* no remarks on ops that are computed whole on every device */
	/* Filled if not NULL, in the memory of the local module.  Then each collective stays
	 * for itself, with the reason why it is there. */
	origin_list *origins;
	/* Collectives that may are merged into one of several operands; otherwise, and without
	 * `origins`, each has one operand: what other tools read. */
	bool merge;
	/* The program is only counted: what `origins` leave in it is there, and nothing that only other
	 * tools need. */
	bool counted;
	/* Devices are replicas rather than partitions: replica_id distinguishes them. */
	bool replicas;
	const move_prices *prices; /* NULL: bytes decide, and STEP_BYTES for each step */
} partition_options;

typedef struct partition_stats {
	int n_ops;        /* global ops */
	int n_replicated; /* of these, for lack of anything better computed whole from gathered
	                     operands */
} partition_stats;

/* An argument or result of main, as the world outside sees it. */
typedef struct global_value {
	const type *type;
	const sharding *sharding; /* NULL: whole on every device */
	const mesh *mesh;         /* of the sharding; NULL without one */
} global_value;

typedef struct local_program {
	module *module; /* to release with module_free() */
	int64_t n_devices;
	int n_args, n_results;
	const global_value *args, *results;
	partition_stats stats;
	bool replicas; /* devices are replicas, not partitions */
	int n_merged; /* with `origins`: collectives fewer in a program where they are merged */
} local_program;

/* The struct and its arrays live in `mem`.  @main of the local module says in tess.global_type and
 * tess.global_sharding what `out` says.  false once an error is in the context. */
bool partition_local(module *global, const partition_options *o, arena *mem, local_program *out);

/* ---- programs that are local already (marks.c) ----------------------------------------- */

bool program_is_local(const module *m);
/* The same, or HLO that XLA has partitioned, which does not say what its values are parts of. */
bool program_came_partitioned(const module *m);
/* For what takes a whole program, as `who` says: false, and reported, if the module is local. */
bool program_wants_global(module *m, const char *who);
/* The same for what judges shardings, which a program that came partitioned has none of. */
bool program_wants_annotations(module *m, const char *who);
/* What the module says of itself, with `module` = m, which stays the caller's; as for
 * partition_local(). */
bool local_program_read(module *m, arena *mem, local_program *out);
/* Adds what combines results that are unreduced; `out` says then that they are not.  For what
 * wants whole values of any program of one device. */
void local_program_complete(local_program *p, arena *mem);
/* The program says no longer that it is local, and drops the meshes that no operation names. */
bool marks_erase(module *m);

/* ---- forms for others ---------------------------------------------------------------------- */

/* The devices of a program become replicas of one partition (replicas.c). */
void program_to_replicas(local_program *p);
/* True if a program of one device is for replicas. */
bool program_has_replicas(const module *m);
/* The program becomes a whole one, of one manual computation (wrap.c).  false once an error is in the
 * context. */
bool program_wrap(local_program *p);

/* Every function of the program, each as its own shardings say.  sdy.all_reduce and
 * sdy.reduce_scatter of whole values compute what they say.
 * @return a module to release with module_free(), or NULL once an error is in the context. */
module *partition_functions(module *global, const partition_options *o);

#endif
