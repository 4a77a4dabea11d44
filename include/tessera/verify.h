/* tessera/verify.h - checks that a partitioned program computes what the whole one does.
 *
 *     tess_verdict *v = NULL;
 *     tess_status done = tess_verify(m, NULL, &v); // on random inputs
 *     for (size_t i = 0; i < tess_verdict_count(v); i++) {
 *             const tess_comparison *c = tess_verdict_get(v, i);
 *             printf("%s: %s, largest error %g\n", c->type.name, c->agree ? "agrees" : "differs",
 *                    c->difference.max_error);
 *     }
 *     puts(done == TESS_OK ? "all agree" : "see above, and the context");
 *     tess_verdict_free(v);
 *
 * Both runs use virtual devices in this process (tessera/run.h), so this works for any number. */
#ifndef TESSERA_VERIFY_H
#define TESSERA_VERIFY_H

#include <tessera/run.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What to run and how to compare. Values are borrowed for the call. */
typedef struct tess_verify_opts {
	size_t struct_size;
	/** Whole values of the arguments, in the order of tess_module_inputs(). NULL: random
	 *  ones, the same for the same seed: floats in [-1, 1), positive where the program takes
	 *  a root or logarithm of them, and integers 0 to 3. */
	const tess_tensor *inputs;
	size_t n_inputs;
	uint64_t seed;
	/** What the results should be, besides those of the whole run; results whose `data` is
	 *  NULL here, and those beyond n_expected, are compared with the whole run only. */
	const tess_tensor *expected;
	size_t n_expected;
	tess_tolerance tolerance; /**< of every comparison; `most` 0: tess_tolerance_of() */
	/** A program of one device, partitioned by someone else, to run instead of tessera's;
	 *  `m` says how its arguments and results are split. May be NULL. */
	tess_module *local;
	bool as_is;  /**< the program has been propagated: its shardings are used as they are */
	bool locate; /**< finds the first operation of @main whose result differs */
	int threads; /**< 0: one for each core */
	/** Processes to distribute the partitioned run over; all must make the same call, and
	 *  rank 0 compares. NULL: all devices are in this process. */
	tess_ranks *ranks;
	/** As in tess_exec_opts, for every run; `what` of the progress says which. Also called
	 *  before a program is planned, with `total` 0. */
	bool (*proceed)(void *user, const tess_progress *progress);
	void *user; /**< passed to `proceed` and `outside` */
	bool (*outside)(void *user, const tess_outside_call *call); /**< as in tess_exec_opts */
	/** Examples for random inputs: the elements of input i are drawn from those of like[i],
	 *  whose dimensions may differ. `data` NULL: no example. */
	const tess_tensor *like;
	size_t n_like;
} tess_verify_opts;
#define TESS_VERIFY_OPTS_INIT {.struct_size = sizeof(tess_verify_opts), .seed = 1}

/** What a result was compared with. */
typedef enum tess_reference {
	TESS_REFERENCE_WHOLE = 0,    /**< the run of the whole program */
	TESS_REFERENCE_EXPECTED = 1, /**< opts.expected */
} tess_reference;

/** A result of the partitioned run compared with what it should be. */
typedef struct tess_comparison {
	size_t output;          /**< number of the result, from 0 */
	tess_reference against; /**< what it was compared with */
	bool agree;             /**< whether they agree within the tolerance */
	/** They agree, although they differ by more than the tolerance, because they do not
	 *  differ by more than the result of the whole program does when its inputs change by
	 *  one rounding. */
	bool sensitive;
	/** The type of the result, without data. `name` is its path in JAX, "result[0]['w']", or
	 *  "out0", and lives as long as the verdict; `dims` live as long as the context. */
	tess_tensor type;
	tess_difference difference;
	double tolerance; /**< `most` of the tolerance that was used */
} tess_comparison;

/** The comparisons of one tess_verify(). */
typedef struct tess_verdict tess_verdict;

/** Runs a program partitioned over its mesh and whole, on the same inputs, and compares the
 *  results. A program of one device (tess_module_is_local()) cannot be run whole: its results are
 *  compared with opts.expected only. With opts.locate the operation where a difference starts is an
 *  error in the context, with its place.
 *  @param out gets the verdict; NULL if there is none.
 *  @return TESS_OK if all results agree. TESS_FAILED if not, with a verdict; or, without one, if
 *  a check in the program failed (check.expect_…). TESS_INVALID, TESS_STOPPED, TESS_NOMEM or
 *  TESS_USAGE, without a verdict, if a run failed, as for tess_exec_run(). On ranks other than
 *  0: TESS_OK and a verdict without comparisons. */
TESS_API tess_status tess_verify(tess_module *m, const tess_verify_opts *opts,
                                 TESS_GIVE tess_verdict **out);
TESS_API void tess_verdict_free(TESS_TAKE tess_verdict *v);
/** Returns the number of devices of the partitioned run. */
TESS_API int64_t tess_verdict_devices(const tess_verdict *v);
/** Returns the number of comparisons, which are in the order of the results; for each, the one
 *  with the whole run comes first. */
TESS_API size_t tess_verdict_count(const tess_verdict *v);
/** Returns comparison `i`, which lives as long as the verdict; NULL if `i` is out of range. */
TESS_API const tess_comparison *tess_verdict_get(const tess_verdict *v, size_t i);

#ifdef __cplusplus
}
#endif
#endif
