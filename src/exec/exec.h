/* exec.h - the door of exec: programs of plain IR with collectives, computed on
 * virtual devices.
 *
 * A plan is made once for a function, a number of devices, and the way its
 * arguments are spread over them; it is then run many times.  exec knows nothing
 * of shardings: partitioning has ended before it begins.
 *
 * The program runs on all devices in lockstep.  A value that is provably the same
 * on several devices is computed once for all of them and shared (see
 * exec/steps/classes.h); `faithful` computes each device's own copy. */
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
	size_t max_bytes;    /* more memory than this is an error; 0: no limit */
	const uint8_t *members; /* by device: whether it runs this program; NULL: all do */
	/* What interpreter.print prints and interpreter.probe sees; may be NULL. */
	void (*print)(void *user, const type *t, const void *data);
	void (*probe)(void *user, tess_str id, int64_t times, const type *t, const void *data);
	/* Asked about 50 times a second while steps run; false ends the run: TESS_STOPPED. */
	bool (*proceed)(void *user, int64_t done, int64_t total, double seconds);
	/* Asked to do what a custom call of Python's callbacks wants; false: it could not.  NULL:
	 * programs go on without callbacks that return nothing, others are refused. */
	bool (*outside)(void *user, const struct tess_outside_call *call);
	bool (*answers)(void *user, tess_str target); /* also those of this target; NULL: no others */
	void *user;
	bool trace; /* keep when each task ran, for exec_trace() */
	/* Not NULL: the devices are spread over its ranks, and all ranks that have some make the same
	 * plan and run it together.  Of arguments only the instances of a rank's own devices are looked
	 * at; results are there whole on rank 0, elsewhere data[i] may be NULL.  With `shards` each rank
	 * has the results of its devices. */
	transport *ranks;
	const int32_t *rank_of; /* [devices]: whose a device is; NULL: dealt out evenly */
	bool shards; /* the plan is run by exec_state_run() */
} exec_opts;

/* One value on all devices: device d holds data[of[d]], row-major, elements as
 * dtype_bytes() says.  `of` NULL: every device holds data[0]. */
typedef struct exec_value {
	const type *type;
	int n; /* distinct instances */
	const int32_t *of;
	void **data;
} exec_value;

typedef struct exec_plan exec_plan;

/* Plans `func` of `m`, which must outlive the plan.  Of the arguments only `n` and
 * `of` are looked at; NULL: the same on all devices.  Where the function leaves dimensions
 * open, they are made those of the arguments' types, and a shape that depends on an
 * argument's elements is computed from them: exec_plan_fits() says whether the plan serves
 * other arguments too.
 * @param to where the plan stands from the beginning, to release with exec_plan_free(), also
 * if memory runs out meanwhile; NULL if there is none.
 * @return false once errors are in the context. */
bool exec_plan_new(exec_plan **to, module *m, const op *func, const exec_opts *opts,
                   const exec_value *args);
bool exec_plan_fits(const exec_plan *p, const exec_value *args);
/* The program with every dimension of @main as it is for these arguments.  @main must not call other
 * functions, and each argument holds its whole value.
 * @param to a plan that only this program belongs to: as exec_plan_new(), and exec_plan_fits() says
 * whether the program serves other arguments too.
 * @return NULL once errors are in the context. */
module *exec_static_program(exec_plan **to, module *m, const exec_value *args);
/* True if the function can only be planned with the arguments at hand. */
bool exec_needs_arguments(const module *m, const op *func);
/* Gives open dimensions of @main's arguments their sizes, "b=8, t=16, 0.1=4", by the names that jax.export
 * has for them or by argument and dimension, and makes all others known; calls are opened.  @return false
 * once errors are in the context: the module is of no use then.  (exec/rewrite/sizes.c) */
bool exec_give_sizes(module *m, const char *sizes);
/* The types of the results, all dimensions known.  @return their number. */
int exec_result_types(const exec_plan *p, const type *const **types);
void exec_plan_free(TESS_TAKE exec_plan *p);

/* Runs the plan.  Arguments are spread as they were when it was made; their data is
 * only read.  The results' data lives in the plan until its next run.
 * @return TESS_OK, TESS_FAILED (a check of the program failed, with a diagnostic),
 * TESS_INVALID (a diagnostic: collectives that do not meet, a rank that failed, …),
 * TESS_STOPPED, TESS_NOMEM. */
tess_status exec_run(exec_plan *p, const exec_value *args, exec_value *results);

/* ---- shards in, shards out ---------------------------------------------------------------- */

/* How an argument or result of a plan made with opts.shards lies on the devices. */
typedef struct exec_shards {
	int n;                /* instances */
	const int32_t *of;    /* [devices]: which one a device holds */
	const int32_t *first; /* [n]: the first device of this rank that holds it; -1: none does */
	size_t bytes;         /* of one */
	int argument; /* of a result: it is this argument, and nothing is written; else -1 */
	int reuse;    /* of a result: its instances may take the memory of those of this argument; else -1 */
} exec_shards;
exec_shards exec_argument_shards(exec_plan *p, int i);
exec_shards exec_result_shards(exec_plan *p, int i);

/* The memory of one run.  A plan may have several, that run at the same time. */
typedef struct run exec_state;
/* @return NULL: there is no memory.  Makes no use of the context. */
exec_state *exec_state_new(exec_plan *p);
void exec_state_free(exec_state *s);
size_t exec_state_bytes(const exec_state *s);
/* [n]: where the instances of an argument lie, and where those of a result shall be written, in 64
 * bytes or a multiple; to be set before each run. */
char **exec_state_argument(exec_state *s, int i);
char **exec_state_result(exec_state *s, int i);
/* As exec_run(), but makes no use of the context; why a run has failed exec_state_explain() puts into
 * any. */
tess_status exec_state_run(exec_state *s);
void exec_state_explain(const exec_state *s, tess_ctx *ctx);
/* Instead of a run that cannot begin here: the other ranks hear why.  Nothing, without any. */
void exec_give_up(const exec_plan *p, const char *why);
bool exec_has_device(const exec_plan *p, int32_t device); /* it is one of this rank's */
/* Whether a run exchanges anything with other ranks. */
bool exec_talks(const exec_plan *p);

/* One task: an op, or a group of fused ops that ends with it, for one distinct instance. */
typedef struct exec_event {
	const op *op; /* of the plan's copy of the program: name, place, types */
	int n_ops;    /* fused */
	int device;   /* the first device that holds the instance */
	int n_instances; /* distinct, of all devices */
	int64_t serial;  /* of the step: tasks of one step and one instance are tiles of it */
	int worker;
	int64_t begin, end; /* nanoseconds since the run began */
} exec_event;
/* The tasks of the last run of a plan made with opts.trace, in any order.  Lives until the
 * plan's next run. */
const exec_event *exec_trace(exec_plan *p, int64_t *n);
/* The same as JSON: exec/steps/trace_json.c. */
void exec_trace_json(exec_plan *p, writer *w);

typedef struct exec_facts {
	int n_steps;          /* kernels, collectives and loops */
	size_t memory_bytes;  /* of all intermediate values at the peak */
	size_t unshared_bytes;/* what they would take without sharing between devices */
	int64_t n_checks;     /* checks passed by the last run */
} exec_facts;
exec_facts exec_plan_facts(const exec_plan *p);

#endif
