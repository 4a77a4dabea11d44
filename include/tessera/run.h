/* tessera/run.h - programs partitioned over a mesh of virtual devices, and run.
 *
 * Values go in and come out as global tensors; the program of each device works on
 * its shards.  How many devices there are is data: thousands fit on a laptop. */
#ifndef TESSERA_RUN_H
#define TESSERA_RUN_H

#include <tessera/core.h>
#include <tessera/diag.h>
#include <tessera/module.h>
#include <tessera/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Processes that run programs together, each some of the devices. */
typedef struct tess_ranks tess_ranks;

typedef struct tess_ranks_opts {
	size_t struct_size;
	double patience; /**< seconds that a rank may keep another one waiting; 0: 300 */
	/* kind "tcp": */
	int rank, count;  /**< this process, from 0, and how many there are */
	const char *host; /**< the name or address at which the others reach this process; NULL: any of
	                   *   the machine's */
	/** A board that all processes see, by which they find each other: leaves a text that nobody left
	 *  before under this key.  @return false if that failed. */
	bool (*put)(void *user, const char *key, const char *text);
	/** Waits so many seconds for the text that a process has left.  @return what is given to free();
	 *  NULL: it has not come. */
	char *(*get)(void *user, const char *key, double seconds);
	void *user; /**< of both */
	double linger; /**< seconds that tess_ranks_close() waits for the others; 0: `patience` */
} tess_ranks_opts;
#define TESS_RANKS_OPTS_INIT {.struct_size = sizeof(tess_ranks_opts)}

/** Joins processes that were started together.  Kind "mpi" is MPI_COMM_WORLD (`mpirun -n 4
 *  …`); MPI is initialised unless it is already.  Kind "tcp" needs what the options say of it: any two
 *  processes have a connection; one that ends, or of which nothing is heard for half a minute (or
 *  `patience`, if that is less), is lost to the others.  All of them must call this, with their own
 *  contexts, then the same functions on the same programs.  A rank that does not start ends the
 *  waiting half a minute after `patience` (over TCP, after five minutes and a half at most).
 *  @return what to release with tess_ranks_close(), or NULL once an error is in the context. */
TESS_API TESS_GIVE tess_ranks *tess_ranks_open(tess_ctx *ctx, const char *kind,
                                               const tess_ranks_opts *opts);
TESS_API int tess_ranks_rank(const tess_ranks *r); /**< of this process, from 0 */
TESS_API int tess_ranks_count(const tess_ranks *r);
/** Tells the other ranks that this one takes part in no run any more, and why: those that wait for it end
 *  with that.  It has to be closed all the same.  Any thread may call this. */
TESS_API void tess_ranks_leave(tess_ranks *r, const char *why);
/** Waits until all ranks have closed.  `failure` NULL: all went well here; else it is what the other
 *  ranks report.  One that does not answer ends the waiting after `patience`; MPI is then left as it
 *  is, since MPI_Finalize() would wait for ever, and the launcher ends what is left of the run.
 *  @return TESS_OK, or TESS_FAILED (with an error in the context) if another rank has failed. */
TESS_API tess_status tess_ranks_close(TESS_TAKE tess_ranks *r, const char *failure);

/** What the runs of several programs share: threads, of which one run at a time has the use, while others
 *  do with the thread that calls; and memory for results, of which up to 256 MB are kept for the next.
 *  What their runs need besides is kept for the next run, too, up to 256 MB and that of the last one. */
typedef struct tess_pool tess_pool;
/** @param threads the calling one among them; 0: as many as there are cores.
 *  @return a pool to release with tess_pool_free(), once nothing that was made with it is left; NULL:
 *  there is no memory. */
TESS_API TESS_GIVE tess_pool *tess_pool_new(int threads);
TESS_API void tess_pool_free(TESS_TAKE tess_pool *p);

/** A program, propagated, partitioned and planned. */
typedef struct tess_exec tess_exec;

typedef struct tess_progress {
	int64_t done, total; /**< steps of the program; a loop is one */
	double seconds;      /**< since the run, or the verification, began */
	const char *what;    /**< which of several runs it is; NULL: there is one */
} tess_progress;

/** A custom call that is answered outside: a callback of Python's. */
typedef struct tess_outside_call {
	tess_str target;         /**< "xla_ffi_python_cpu_callback" */
	const tess_attr *config; /**< its backend_config; NULL: none */
	int64_t device;          /**< that calls; of several with the same operands, the first */
	const tess_tensor *operands; /**< tokens are left out */
	size_t n_operands;
	const tess_tensor *results;  /**< whose `data` is to be written */
	size_t n_results;
	char *why; /**< for the reason of a failure, why_room bytes with the final 0 */
	size_t why_room;
	/** [n_results]: the operand of which the result has the elements before the call, as
	 *  output_operand_aliases says; -1: none */
	const int32_t *begins_as;
} tess_outside_call;

typedef struct tess_exec_opts {
	size_t struct_size;
	/** Every value whole on every device, as if nothing had been annotated: the
	 *  reference that a partitioned run is compared with.  Only the bodies of manual
	 *  computations run in parallel, because they say so. */
	bool whole;
	/** The function as it is written: no annotation is looked at; check.* and interpreter.*
	 *  operations say what is compared and what runs in parallel. */
	bool direct;
	const char *function; /**< with `direct`; NULL: @main, or the only function */
	bool faithful; /**< compute every device's copy, also where copies are provably equal */
	int threads;        /**< 0: as many as there are cores */
	uint64_t max_bytes; /**< more memory than this is an error; 0: no limit */
	/** The devices are spread over these processes, all of which make and run the program;
	 *  each is given all inputs, and results are on rank 0; with `shards`, each is given the inputs of
	 *  its devices, and has their results.  NULL: all devices are here. */
	tess_ranks *ranks;
	bool trace;         /**< keep when each task ran, for tess_exec_trace() */
	/** Called about 50 times a second while the program runs, by the thread that runs it;
	 *  false ends the run with TESS_STOPPED.  May be NULL. */
	bool (*proceed)(void *user, const tess_progress *progress);
	void *user;
	bool as_is; /**< shardings as the program has them: it was propagated already */
	/** For tess_exec_run_shards() of tessera/shards.h, and not for tess_exec_run().  `direct` and
	 *  `trace` must not be set. */
	bool shards;
	/** Answers custom calls of the targets `xla_ffi_python_*`, `xla_ffi_partitioned_python_*` (which
	 *  each device calls), `xla_python_*` and `xla_buffer_python_*`, in the order of the program, by the
	 *  thread that runs it;
	 *  `user` is that of the options.  @return false if it could not be done: the run ends with
	 *  TESS_INVALID.  NULL: programs go on without calls that return nothing, and others are refused. */
	bool (*outside)(void *user, const tess_outside_call *call);
	/** Whether `outside` answers the calls of this target, too, which are none that tessera knows;
	 *  asked while the program is planned.  NULL: of no other. */
	bool (*answers)(void *user, tess_str target);
	tess_pool *pool; /**< what it shares with others; NULL: it has its own, of `threads` */
	/** A scatter leaves out every window of updates that is not wholly inside, as XLA does, and as
	 *  programs of JAX expect; false: only the elements outside, as StableHLO's specification has it. */
	bool whole_windows;
	/** With `shards` and `ranks`: the rank of each device, in any order; NULL: dealt out evenly.  A
	 *  program of another number of devices than these (of one, for it has no mesh) is not spread: each
	 *  rank that runs it does so by itself.  Read by tess_exec_new(). */
	const int32_t *device_ranks;
	int64_t n_device_ranks;
} tess_exec_opts;
#define TESS_EXEC_OPTS_INIT {.struct_size = sizeof(tess_exec_opts)}

/** Prepares a copy of the program; `m` stays as it is.
 *  @return what can be run many times, to release with tess_exec_free(), or NULL once the
 *  errors are in the context. */
TESS_API TESS_GIVE tess_exec *tess_exec_new(tess_module *m, const tess_exec_opts *opts);
TESS_API void tess_exec_free(TESS_TAKE tess_exec *e);

/** What a run of the program takes: the types of @main's arguments that are no tokens, whole ones also
 *  of a program of one device; `data` is NULL, `dims` live as long as the context.  The first `room`
 *  of them are put into `list`, how many there are into *n.
 *  @return TESS_OK; TESS_INVALID if the program has no @main, or says wrongly what it is a part of. */
TESS_API tess_status tess_module_inputs(tess_module *m, tess_tensor *list, size_t room, size_t *n);
/** The same for what it gives: the results that are no tokens. */
TESS_API tess_status tess_module_outputs(tess_module *m, tess_tensor *list, size_t room, size_t *n);

TESS_API int64_t tess_exec_devices(const tess_exec *e);
/** Bytes that the intermediate values of all devices take at the peak. */
TESS_API uint64_t tess_exec_memory(const tess_exec *e);
/** Arguments that are tokens are no inputs, results that are tokens no outputs. */
TESS_API size_t tess_exec_input_count(const tess_exec *e);
TESS_API size_t tess_exec_output_count(const tess_exec *e);
/** Type of an argument or result of @main; `data` is NULL.
 *  @return false if `i` is out of range. */
TESS_API bool tess_exec_input(const tess_exec *e, size_t i, tess_tensor *out);
/** The same for a result; after a run, with its data, which lives until the next run (NULL on
 *  ranks other than 0). */
TESS_API bool tess_exec_output(const tess_exec *e, size_t i, tess_tensor *out);

/** Runs the program.  An input of a type that NumPy does not know may come as unsigned
 *  integers of the same width.
 *  @return TESS_OK; TESS_INVALID if the inputs do not fit or lack their data; TESS_FAILED if a
 *  check in the program failed; TESS_NOMEM; TESS_USAGE if `e` is NULL, or `inputs` and n is not 0. */
TESS_API tess_status tess_exec_run(tess_exec *e, const tess_tensor *inputs, size_t n);

/** A tensor as MLIR text, `dense<[1, 2]> : tensor<2xi32>`; `data` may be NULL if it has no elements.
 *  @return NULL if `ctx` or `t` is NULL, if the tensor lacks its data, or if memory runs out. */
TESS_API TESS_GIVE char *tess_tensor_print(tess_ctx *ctx, const tess_tensor *t);
/** Checks that the last run has passed (check.expect_*). */
TESS_API int64_t tess_exec_checks(const tess_exec *e);
/** When each operation of the last run began and ended: JSON of the Trace Event Format, which
 *  Perfetto and Chrome show, with a lane for each device; times in microseconds.  What several
 *  devices share is in the lane of the first.  Needs opts.trace. */
TESS_API TESS_GIVE char *tess_exec_trace(tess_exec *e);

/* ---- comparing ---------------------------------------------------------------- */

/** An element is close if |got - expected| <= t * (1 + |expected|); integers and truth
 *  values must be equal, NaN meets NaN. */
typedef struct tess_tolerance {
	double most; /**< t for all elements but one in 10,000 */
	double all;  /**< t for every element */
} tess_tolerance;
/** What is usual for the element type. */
TESS_API tess_tolerance tess_tolerance_of(tess_dtype t);

typedef struct tess_difference {
	int64_t elements;   /**< compared */
	int64_t wrong;      /**< beyond `most` */
	int64_t first;      /**< the first wrong one, row-major; -1: none */
	double got, expected; /**< there; of a complex number, the part that differs */
	double max_error;   /**< largest |got - expected| / (1 + |expected|) */
	int64_t undefined;  /**< elements of which one is a number and the other is none */
} tess_difference;
/** Both tensors must have the same type and dimensions.
 *  @return whether they agree. */
TESS_API bool tess_tensor_compare(const tess_tensor *got, const tess_tensor *expected,
                                  tess_tolerance tolerance, tess_difference *out);

#ifdef __cplusplus
}
#endif
#endif
