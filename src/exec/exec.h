/* exec.h - the interface of exec: runs programs of plain IR with collectives on virtual devices.
 *
 * A plan is made once for a function, a number of devices, and the way in which its arguments are
 * distributed over them; it is then run many times. exec knows nothing of shardings: partitioning
 * has ended before.
 *
 * The program runs on all devices in lockstep. A value that is provably the same on several devices
 * is computed once for all of them and shared (exec/steps/classes.h); with `faithful` each device
 * computes its own copy. */
#ifndef TESS_EXEC_EXEC_H
#define TESS_EXEC_EXEC_H

#include "exec/ranks/transport.h"
#include "op/op.h"

struct tess_outside_call; /* tessera/run.h */

/* Devices are numbered replica * n_partitions + partition. */
typedef struct exec_opts {
	int n_replicas, n_partitions; /* 0 means 1 */
	bool faithful;
	pool *pool;          /* NULL: the calling thread does all the work */
	size_t max_bytes;    /* using more memory than this is an error; 0: no limit */
	const uint8_t *members; /* by device: true if it runs this program; NULL: all do */
	/* Called with what interpreter.print prints and interpreter.probe sees; may be NULL. */
	void (*print)(void *user, const type *t, const void *data);
	void (*probe)(void *user, tess_str id, int64_t times, const type *t, const void *data);
	/* Called about 50 times a second during steps; false ends the run: TESS_STOPPED. */
	bool (*proceed)(void *user, int64_t done, int64_t total, double seconds);
	/* Called to do what a custom call of a Python callback wants; returns false if it could
	 * not. NULL: callbacks without results are skipped, programs with others are refused. */
	bool (*outside)(void *user, const struct tess_outside_call *call);
	bool (*answers)(void *user, tess_str target); /* true for further targets that `outside`
	                                               * answers; NULL: no others */
	void *user;
	bool trace; /* record when each task ran, for exec_trace() */
	/* If not NULL, the devices are distributed over these ranks, and all ranks with devices
	 * make the same plan and run it together. Of arguments only the instances of a rank's own
	 * devices are read. Results are complete on rank 0; on others data[i] may be NULL. With
	 * `shards` each rank has the results of its own devices. */
	transport *ranks;
	const int32_t *rank_of; /* [devices]: the rank of a device; NULL: distributed evenly */
	bool shards; /* the plan is run by exec_state_run() */
} exec_opts;

/* One value on all devices: device d has data[of[d]], row-major, with elements as in dtype_bytes().
 * `of` NULL: every device has data[0]. */
typedef struct exec_value {
	const type *type;
	int n; /* distinct instances */
	const int32_t *of;
	void **data;
} exec_value;

typedef struct exec_plan exec_plan;

/* Plans `func` of `m`, which must outlive the plan. Of the arguments only `n` and `of` are read;
 * NULL: they are the same on all devices. If the function has open dimensions, they become those of
 * the arguments' types, and a shape that depends on an argument's elements is computed from them:
 * exec_plan_fits() says whether the plan can be used for other arguments.
 * @param to receives the plan at once, even if memory runs out later; to be released with
 * exec_plan_free(); NULL if there is none.
 * @return false once errors are in the context. */
bool exec_plan_new(exec_plan **to, module *m, const op *func, const exec_opts *opts,
                   const exec_value *args);
bool exec_plan_fits(const exec_plan *p, const exec_value *args);
/* Returns the program with every dimension of @main known, as for these arguments. @main must not
 * call other functions, and each argument has its whole value.
 * @param to receives a plan that belongs to this program only, see exec_plan_new();
 * exec_plan_fits() says whether the program can be used for other arguments.
 * @return NULL once errors are in the context. */
module *exec_static_program(exec_plan **to, module *m, const exec_value *args);
/* True if the function can only be planned for given arguments. */
bool exec_needs_arguments(const module *m, const op *func);
/* Gives open dimensions of @main's arguments their sizes, "b=8, t=16, 0.1=4", by their names in
 * jax.export or by argument and dimension, and makes all others known; calls are inlined. @return
 * false once errors are in the context: the module must not be used then. (exec/rewrite/sizes.c) */
bool exec_give_sizes(module *m, const char *sizes);
/* Sets *types to the types of the results, with all dimensions known. @return their number. */
int exec_result_types(const exec_plan *p, const type *const **types);
void exec_plan_free(TESS_TAKE exec_plan *p);

/* Runs the plan. Arguments are distributed as when it was made; their data is only read. The
 * results' data is in the plan and lives until its next run.
 * @return TESS_OK, TESS_FAILED (a check of the program failed, with a diagnostic), TESS_INVALID (a
 * diagnostic: collectives that do not match, a rank that failed, …), TESS_STOPPED, TESS_NOMEM. */
tess_status exec_run(exec_plan *p, const exec_value *args, exec_value *results);

/* ---- running on shards ---------------------------------------------------------------------- */

/* How an argument or result of a plan made with opts.shards is distributed over the devices. */
typedef struct exec_shards {
	int n;                /* instances */
	const int32_t *of;    /* [devices]: the instance that a device has */
	const int32_t *first; /* [n]: the first device of this rank that has it; -1: none */
	size_t bytes;         /* of one instance */
	int argument; /* for a result: it is this argument, and nothing is written; else -1 */
	int reuse;    /* for a result: the argument whose memory it may take over; else -1 */
} exec_shards;
exec_shards exec_argument_shards(exec_plan *p, int i);
exec_shards exec_result_shards(exec_plan *p, int i);

/* The memory of one run. A plan may have several, which may run at the same time. */
typedef struct run exec_state;
/* @return NULL if there is no memory. Does not use the context. */
exec_state *exec_state_new(exec_plan *p);
void exec_state_free(exec_state *s);
size_t exec_state_bytes(const exec_state *s);
/* [n]: the addresses of the instances of an argument, and those where a result's shall be written,
 * aligned to 64 bytes; to be set before each run. */
char **exec_state_argument(exec_state *s, int i);
char **exec_state_result(exec_state *s, int i);
/* Like exec_run(), but does not use the context; exec_state_explain() reports in a context why a
 * run failed. */
tess_status exec_state_run(exec_state *s);
void exec_state_explain(const exec_state *s, tess_ctx *ctx);
/* Called instead of a run that cannot start here: tells the other ranks, if there are any, why. */
void exec_give_up(const exec_plan *p, const char *why);
bool exec_has_device(const exec_plan *p, int32_t device); /* true if the device is one of this
                                                           * rank's */
/* True if a run exchanges data with other ranks. */
bool exec_talks(const exec_plan *p);

/* One task: an op, or a group of fused ops that ends with it, for one distinct instance. */
typedef struct exec_event {
	const op *op; /* of the plan's copy of the program: name, place, types */
	int n_ops;    /* fused */
	int device;   /* the first device that has the instance */
	int n_instances; /* distinct, of all devices */
	int64_t serial;  /* of the step: tasks of one step and one instance are tiles of it */
	int worker;
	int64_t begin, end; /* nanoseconds since the start of the run */
} exec_event;
/* The tasks of the last run of a plan made with opts.trace, in any order. Valid until the plan's
 * next run. */
const exec_event *exec_trace(exec_plan *p, int64_t *n);
/* The same as JSON: exec/steps/trace_json.c. */
void exec_trace_json(exec_plan *p, writer *w);

typedef struct exec_facts {
	int n_steps;          /* kernels, collectives and loops */
	size_t memory_bytes;  /* of all intermediate values at the peak */
	size_t unshared_bytes;/* what they would take if devices did not share them */
	int64_t n_checks;     /* checks passed by the last run */
} exec_facts;
exec_facts exec_plan_facts(const exec_plan *p);

#endif
