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
	double patience; /**< seconds that a rank may be silent while another waits for it; 0: 300
	                  */
} tess_ranks_opts;
#define TESS_RANKS_OPTS_INIT {.struct_size = sizeof(tess_ranks_opts)}

/** Joins the processes that were started together: kind "mpi" is MPI_COMM_WORLD (`mpirun -n 4
 *  …`); MPI is initialised unless it is already.  All of them must call this, with their own
 *  contexts, then the same functions on the same programs.  A rank that does not start ends the
 *  waiting half a minute after `patience`.
 *  @return what to release with tess_ranks_close(), or NULL once an error is in the context. */
TESS_API TESS_GIVE tess_ranks *tess_ranks_open(tess_ctx *ctx, const char *kind,
                                               const tess_ranks_opts *opts);
TESS_API int tess_ranks_rank(const tess_ranks *r); /**< of this process, from 0 */
TESS_API int tess_ranks_count(const tess_ranks *r);
/** Waits until all ranks have closed.  `failure` NULL: all went well here; else it tells the others
 *  why not.  One that does not answer ends the waiting after `patience`; MPI is then left as it is,
 *  since MPI_Finalize() would wait for ever, and the launcher ends what is left of the run.
 *  @return TESS_OK, or TESS_FAILED (with an error in the context) if another rank has failed. */
TESS_API tess_status tess_ranks_close(TESS_TAKE tess_ranks *r, const char *failure);

/** A program, propagated, partitioned and planned. */
typedef struct tess_exec tess_exec;

typedef struct tess_progress {
	int64_t done, total; /**< steps of the program; a loop is one */
	double seconds;      /**< since the run began */
} tess_progress;

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
	/** Each run is one of other inputs: about half of the floats are changed by one unit in the
	 *  last place, of their type or of the least precise type of two bytes or more that the
	 *  program computes in; zeros, powers of two and what is not finite stay.  For
	 *  tess_tensor_compare_nudged(). */
	bool nudged;
	int threads;        /**< 0: as many as there are cores */
	uint64_t max_bytes; /**< more memory than this is an error; 0: no limit */
	/** The devices are spread over these processes, all of which make and run the program;
	 *  each is given all inputs.  Results are on rank 0.  NULL: all devices are here. */
	tess_ranks *ranks;
	bool trace;         /**< keep when each task ran, for tess_exec_trace() */
	/** Called about 50 times a second while the program runs, by the thread that runs it;
	 *  false ends the run with TESS_STOPPED.  May be NULL. */
	bool (*proceed)(void *user, const tess_progress *progress);
	void *user;
	bool as_is; /**< shardings as the program has them: it was propagated already */
	/** Values of operations of @main, the first `watch_first` left out, at most `watch_count`,
	 *  are outputs behind the results; constants are not counted. */
	int64_t watch_first, watch_count;
	/** A program of one device, partitioned elsewhere, to be run in the place of ours; `m` says
	 * how arguments and results are spread. */
	tess_module *local;
} tess_exec_opts;
#define TESS_EXEC_OPTS_INIT {.struct_size = sizeof(tess_exec_opts)}

/** Prepares a copy of the program; `m` stays as it is.
 *  @return what can be run many times, to release with tess_exec_free(), or NULL once the
 *  errors are in the context. */
TESS_API TESS_GIVE tess_exec *tess_exec_new(tess_module *m, const tess_exec_opts *opts);
TESS_API void tess_exec_free(TESS_TAKE tess_exec *e);

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

/** A tensor as MLIR text, `dense<[1, 2]> : tensor<2xi32>`.  It lives until the next call on the
 *  context that returns a text; ptr is NULL if there is no memory. */
TESS_API tess_str tess_tensor_text(tess_ctx *ctx, const tess_tensor *t);
/** Checks that the last run has passed (check.expect_*). */
TESS_API int64_t tess_exec_checks(const tess_exec *e);
/** When each operation of the last run began and ended: JSON of the Trace Event Format, which
 *  Perfetto and Chrome show, with a lane for each device; times in microseconds.  What several
 *  devices share is in the lane of the first.  Needs opts.trace; lives until the next call on
 *  the context that returns a text; ptr is NULL if there is no memory. */
TESS_API tess_str tess_exec_trace(tess_exec *e);

/* ---- finding the operation that differs ----------------------------------------- */

/** Values that are watched. */
TESS_API size_t tess_exec_watch_count(const tess_exec *e);
/** After both have run: `whole` watches values of the global program, `local` (opts.local)
 *  those of the program of one device.
 *  @return the first watched value of `whole` that no value of the devices is, put together
 *  as its sharding says, though what it is computed from is there; -1: none. */
TESS_API int64_t tess_exec_locate(tess_exec *whole, tess_exec *local);
/** Puts an error at the operation of a watched value into the context: "<operation>: <what>",
 *  and a note that tells its sharding. */
TESS_API void tess_exec_blame(tess_exec *e, size_t watched, const char *what);
/** Fills `n` elements: floats between -1 and 1, integers 0 to 3, truth values; the same for the
 *  same seed.  `data` has n elements as tess_tensor holds them. */
TESS_API void tess_tensor_random(tess_dtype t, void *data, int64_t n, uint64_t seed);

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
} tess_difference;
/** Both tensors must have the same type and dimensions.
 *  @return whether they agree. */
TESS_API bool tess_tensor_compare(const tess_tensor *got, const tess_tensor *expected,
                                  tess_tolerance tolerance, tess_difference *out);
/** For results of which rounding leaves little: `nudged` is what a run with opts.nudged gives in
 *  the place of `expected`.  If n elements differ by no more than 4 + 12/sqrt(n) times that change in
 *  root mean square, those that differ by no more than 16 times the largest change are no faults.
 *  @return whether they agree. */
TESS_API bool tess_tensor_compare_nudged(const tess_tensor *got, const tess_tensor *expected,
                                         const tess_tensor *nudged, tess_tolerance tolerance,
                                         tess_difference *out);

#ifdef __cplusplus
}
#endif
#endif
