/* tessera/run.h - runs programs on virtual devices.
 *
 *     tess_exec *e = tess_exec_new(m, NULL); // propagates, partitions and plans a copy
 *     static float x[32 * 16], w1[16 * 64], w2[64 * 8];
 *     const void *data[] = {x, w1, w2};
 *     tess_tensor in[3];
 *     for (size_t i = 0; i < 3 && tess_exec_input(e, i, &in[i]); i++)
 *             in[i].data = data[i];
 *     tess_tensor y;
 *     if (tess_exec_run(e, in, 3) == TESS_OK && tess_exec_output(e, 0, &y))
 *             printf("%d devices, the first result is %g\n", (int)tess_exec_devices(e),
 *                    *(const float *)y.data);
 *     tess_exec_free(e);
 *
 * A program is partitioned over its mesh, and the program of each device computes on its shards.
 * Inputs and outputs are whole tensors. The number of devices is only data: thousands fit on a
 * laptop. tessera/shards.h takes and returns what each device holds instead; tessera/verify.h
 * compares the partitioned run with the whole one. docs/running.md explains more. */
#ifndef TESSERA_RUN_H
#define TESSERA_RUN_H

#include <tessera/core.h>
#include <tessera/diag.h>
#include <tessera/module.h>
#include <tessera/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Processes that run programs together, each for some of the devices. */
typedef struct tess_ranks tess_ranks;

/** How processes find and wait for each other. */
typedef struct tess_ranks_opts {
	size_t struct_size;
	double patience; /**< seconds that a rank waits for another; 0: 300 */
	/* for kind "tcp": */
	int rank, count;  /**< this process, from 0, and how many there are */
	/** The name or address at which the others reach this process; NULL: any of this
	 *  computer's. */
	const char *host;
	/** Stores a text under a key, where all processes can read it; no key is stored twice.
	 *  @return false if that failed. */
	bool (*put)(void *user, const char *key, const char *text);
	/** Waits up to `seconds` for the text of a key. @return the text, which is released with
	 *  the C library's free(); NULL if it has not come. */
	char *(*get)(void *user, const char *key, double seconds);
	void *user;    /**< passed to `put` and `get` */
	double linger; /**< seconds that tess_ranks_close() waits; 0: `patience` */
} tess_ranks_opts;
#define TESS_RANKS_OPTS_INIT {.struct_size = sizeof(tess_ranks_opts)}

/** Joins processes that were started together. All of them must make this call, each with a context
 *  of its own, and then call the same functions with the same programs.
 *
 *  Waiting for a rank that does not start ends half a minute after `patience` (over TCP, after five
 *  and a half minutes at most). Over TCP any two processes have a connection; a process that ends,
 *  or that is silent for half a minute (or `patience`, if that is less), counts as lost.
 *  @param kind "mpi": the processes of MPI_COMM_WORLD (`mpirun -n 4 …`); MPI is initialized unless
 *  it is already. "tcp": those that the options describe.
 *  @return the processes, to release with tess_ranks_close(), or NULL with an error in the
 *  context. */
TESS_API TESS_GIVE tess_ranks *tess_ranks_open(tess_ctx *ctx, const char *kind,
                                               const tess_ranks_opts *opts);
/** Returns the rank of this process, from 0; -1 for NULL. */
TESS_API int tess_ranks_rank(const tess_ranks *r);
/** Returns the number of processes. */
TESS_API int tess_ranks_count(const tess_ranks *r);
/** Tells the other ranks that this one takes part in no further run, and why. Runs that wait for
 *  it fail with that reason. The ranks must still be closed. Any thread may call this. */
TESS_API void tess_ranks_leave(tess_ranks *r, const char *why);
/** Waits until all ranks have closed, and releases them. If a rank does not answer, waiting ends
 *  after `patience` (over TCP, `linger`); MPI is then not finalized, since MPI_Finalize() would
 *  wait forever, and the launcher ends what is left of the run.
 *  @param failure NULL if all went well here; otherwise the reason, which the other ranks report.
 *  @return TESS_OK; TESS_FAILED if `failure` is not NULL, or, with an error in the context, if
 *  another rank has failed. */
TESS_API tess_status tess_ranks_close(TESS_TAKE tess_ranks *r, const char *failure);

/** Threads and memory that the runs of several programs share. One run at a time uses the
 *  threads; others that run meanwhile use the thread that called. Up to 256 MB of memory for
 *  results are kept for later runs, and as much again of other memory, besides that of the last
 *  run. A pool belongs to no context, and may be used by any thread. */
typedef struct tess_pool tess_pool;
/** Creates a pool.
 *  @param threads how many, including the one that calls; 0: one for each core.
 *  @return the pool, or NULL if memory ran out. */
TESS_API TESS_GIVE tess_pool *tess_pool_new(int threads);
/** Releases a pool, after all programs that use it. Buffers that their runs returned stay valid. */
TESS_API void tess_pool_free(TESS_TAKE tess_pool *p);

/** A program that is ready to run: propagated, partitioned and planned. */
typedef struct tess_exec tess_exec;

/** How far a run has got. */
typedef struct tess_progress {
	int64_t done, total; /**< steps of the program; a loop is one step */
	double seconds;      /**< since the run, or the verification, started */
	const char *what;    /**< which of several runs it is; NULL: there is only one */
} tess_progress;

/** A custom call that the caller's program answers: a Python callback, for example. */
typedef struct tess_outside_call {
	tess_str target;         /**< "xla_ffi_python_cpu_callback" */
	const tess_attr *config; /**< its backend_config; NULL: none */
	int64_t device; /**< the calling device; the first of several with equal operands */
	const tess_tensor *operands; /**< without tokens */
	size_t n_operands;
	const tess_tensor *results;  /**< the callback must write the elements at `data` */
	size_t n_results;
	char *why; /**< the callback may write the reason of a failure here */
	size_t why_room; /**< the size of `why` in bytes, with the zero at the end */
	/** [n_results]: the operand whose elements the result has before the call
	 *  (output_operand_aliases); -1: none. */
	const int32_t *begins_as;
} tess_outside_call;

/** How to run a program. */
typedef struct tess_exec_opts {
	size_t struct_size;
	/** Ignores annotations: every device computes every value whole. This is the reference
	 *  for partitioned runs. Bodies of manual computations are still computed per device. */
	bool whole;
	/** Runs a function as it is written, as StableHLO's interpreter does: annotations are
	 *  ignored, and the operations check.* and interpreter.* say what is compared and what
	 *  runs in parallel. */
	bool direct;
	const char *function; /**< with `direct`; NULL: @main, or the only function */
	bool faithful; /**< computes the copies of all devices, even if they are provably equal */
	int threads;        /**< 0: one for each core */
	uint64_t max_bytes; /**< it is an error to need more memory; 0: no limit */
	/** Processes to distribute the devices over; all must create and run the program. Each
	 *  passes all inputs, and rank 0 gets the results; with `shards`, each passes the inputs
	 *  of its own devices and gets their results. NULL: all devices are in this process. */
	tess_ranks *ranks;
	bool trace; /**< records when each operation ran, for tess_exec_trace() */
	/** Called about 50 times a second while the program runs, by the thread that called.
	 *  Returns false to end the run with TESS_STOPPED. May be NULL. */
	bool (*proceed)(void *user, const tess_progress *progress);
	void *user; /**< passed to `proceed`, `outside` and `answers` */
	bool as_is; /**< the program has been propagated: its shardings are used as they are */
	/** For tess_exec_run_shards() (tessera/shards.h) instead of tess_exec_run(). Excludes
	 *  `direct` and `trace`. */
	bool shards;
	/** Answers custom calls with the targets `xla_ffi_python_*`,
	 *  `xla_ffi_partitioned_python_*` (called for each device), `xla_python_*` and
	 *  `xla_buffer_python_*`, in the order of the program, on the thread that runs it.
	 *  Returns false if it failed: the run then ends with TESS_INVALID. NULL: such calls are
	 *  skipped if they return nothing; otherwise tess_exec_new() refuses the program. */
	bool (*outside)(void *user, const tess_outside_call *call);
	/** Returns whether `outside` also answers calls of this target, which tessera does not
	 *  know; called while the program is planned. NULL: of no other target. */
	bool (*answers)(void *user, tess_str target);
	tess_pool *pool; /**< shared with other programs; NULL: one of its own, with `threads` */
	/** Makes a scatter skip every window of updates that is not wholly inside the operand,
	 *  as XLA does and as programs of JAX expect. Otherwise it skips only the elements that
	 *  are outside, as StableHLO's specification says. */
	bool whole_windows;
	/** With `shards` and `ranks`: the rank of each device, in any order; NULL: they are
	 *  distributed evenly. A program for a different number of devices (for one, since it
	 *  has no mesh) is not distributed: each rank that runs it does so by itself. Only
	 *  needed during tess_exec_new(). */
	const int32_t *device_ranks;
	int64_t n_device_ranks;
} tess_exec_opts;
#define TESS_EXEC_OPTS_INIT {.struct_size = sizeof(tess_exec_opts)}

/** Prepares a copy of a program to be run any number of times. `m` does not change, and may be
 *  freed before the result.
 *  @return the program, or NULL with errors in the context. */
TESS_API TESS_GIVE tess_exec *tess_exec_new(tess_module *m, const tess_exec_opts *opts);
/** Releases a program, with the data of its outputs. */
TESS_API void tess_exec_free(TESS_TAKE tess_exec *e);

/** Gets what a run of the program takes, without preparing it: the types of the arguments of @main,
 *  except tokens; for a program of one device those of the whole values.
 *  @param list gets the first `room` of them: `data` is NULL, `dims` live as long as the context.
 *  @param n gets how many there are.
 *  @return TESS_OK; TESS_INVALID with a diagnostic if there is no @main, or what the program
 *  says it is a part of is wrong; TESS_NOMEM or TESS_USAGE. */
TESS_API tess_status tess_module_inputs(tess_module *m, tess_tensor *list, size_t room, size_t *n);
/** Gets what it returns, in the same way: the results of @main, except tokens. */
TESS_API tess_status tess_module_outputs(tess_module *m, tess_tensor *list, size_t room, size_t *n);

/** Returns the number of devices. */
TESS_API int64_t tess_exec_devices(const tess_exec *e);
/** Returns the bytes that the intermediate values of all devices take at most at one time. */
TESS_API uint64_t tess_exec_memory(const tess_exec *e);
/** Returns the number of inputs: the arguments of @main, except tokens. */
TESS_API size_t tess_exec_input_count(const tess_exec *e);
/** Returns the number of outputs: the results of @main, except tokens. */
TESS_API size_t tess_exec_output_count(const tess_exec *e);
/** Gets the type of input `i`, whole; `data` is NULL. It lives as long as `e`.
 *  @return false if `i` is out of range. */
TESS_API bool tess_exec_input(const tess_exec *e, size_t i, tess_tensor *out);
/** Gets the type of output `i`, and after a successful run its data, which lives until the next run
 *  or tess_exec_free(). `data` is NULL before, and on ranks other than 0.
 *  @return false if `i` is out of range. */
TESS_API bool tess_exec_output(const tess_exec *e, size_t i, tess_tensor *out);

/** Runs the program.
 *  @param inputs one for each argument, in order, with whole data. Element types that NumPy does
 *  not know may be passed as unsigned integers of the same width.
 *  @return TESS_OK; TESS_INVALID with a diagnostic if the inputs do not fit, lack their data, or
 *  the run fails; TESS_FAILED with a diagnostic if a check in the program failed
 *  (check.expect_…); TESS_STOPPED; TESS_NOMEM; TESS_USAGE, also if `e` is for shards. */
TESS_API tess_status tess_exec_run(tess_exec *e, const tess_tensor *inputs, size_t n);

/** Prints a tensor as MLIR: `dense<[1, 2]> : tensor<2xi32>`.
 *  @return the text; NULL if the tensor has elements but no data, or no element type, or memory
 *  ran out. */
TESS_API TESS_GIVE char *tess_tensor_print(tess_ctx *ctx, const tess_tensor *t);
/** Returns how many checks (check.expect_…) the last run has passed. */
TESS_API int64_t tess_exec_checks(const tess_exec *e);
/** Returns when each operation of the last run started and ended, as JSON in the Trace Event
 *  Format, which Perfetto and Chrome show: a lane for each device, times in microseconds. What
 *  devices compute together is in the lane of the first. Needs opts.trace.
 *  @return the text, or NULL if memory ran out. */
TESS_API TESS_GIVE char *tess_exec_trace(tess_exec *e);

/* ---- comparing ---------------------------------------------------------------- */

/** How much numbers may differ. An element agrees if |got - expected| <= t * (1 + |expected|);
 *  integers and booleans must be equal, and NaN agrees with NaN. */
typedef struct tess_tolerance {
	double most; /**< t for all elements except one in 10,000 */
	double all;  /**< t for every element */
} tess_tolerance;
/** Returns the usual tolerance for an element type. */
TESS_API tess_tolerance tess_tolerance_of(tess_dtype t);

/** How two tensors differ. */
typedef struct tess_difference {
	int64_t elements;     /**< how many were compared */
	int64_t wrong;        /**< how many of these differ by more than `most` */
	int64_t first;        /**< the first of these, row-major; -1: there is none */
	double got, expected; /**< its values; for a complex number, of the part that differs */
	double max_error;     /**< the largest |got - expected| / (1 + |expected|) */
	int64_t undefined;    /**< in how many one is a number and the other is NaN */
} tess_difference;
/** Compares two tensors of the same type and dimensions.
 *  @param out gets how they differ.
 *  @return true if they agree. */
TESS_API bool tess_tensor_compare(const tess_tensor *got, const tess_tensor *expected,
                                  tess_tolerance tolerance, tess_difference *out);

#ifdef __cplusplus
}
#endif
#endif
