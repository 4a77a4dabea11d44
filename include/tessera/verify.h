/* tessera/verify.h - whether a partitioned program computes what the whole one does. */
#ifndef TESSERA_VERIFY_H
#define TESSERA_VERIFY_H

#include <tessera/run.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tess_verify_opts {
	size_t struct_size;
	/** Whole values of the arguments, as tess_module_inputs() says.  NULL: random ones, floats in
	 *  [-1, 1), positive where the program takes a root or logarithm of them, integers 0 to 3, the same
	 *  for the same seed. */
	const tess_tensor *inputs;
	size_t n_inputs;
	uint64_t seed;
	/** What the results should be, too; those whose `data` is NULL, and those beyond n_expected, are
	 *  not compared with anything but the whole run. */
	const tess_tensor *expected;
	size_t n_expected;
	tess_tolerance tolerance; /**< of every comparison; `most` 0: what is usual for the type */
	/** A program of one device, partitioned elsewhere, to be run in the place of ours; the program
	 *  says how its arguments and results are spread.  May be NULL. */
	tess_module *local;
	bool as_is;  /**< shardings as the program has them: it was propagated already */
	bool locate; /**< look for the first operation that differs, among those of @main */
	int threads; /**< 0: as many as there are cores */
	/** The partitioned run is spread over these processes, which all call this; rank 0 compares.  NULL:
	 *  all devices are here. */
	tess_ranks *ranks;
	/** As in tess_exec_opts, for every run; `what` of the progress says which.  Called also before a
	 *  program is made, with `total` 0. */
	bool (*proceed)(void *user, const tess_progress *progress);
	void *user;
	bool (*outside)(void *user, const tess_outside_call *call);
	/** Arrays that random inputs are like: input i has elements of like[i], drawn with the seed, whatever
	 *  its dimensions are; `data` NULL: as without. */
	const tess_tensor *like;
	size_t n_like;
} tess_verify_opts;
#define TESS_VERIFY_OPTS_INIT {.struct_size = sizeof(tess_verify_opts), .seed = 1}

typedef enum tess_reference {
	TESS_REFERENCE_WHOLE = 0,    /**< the whole run */
	TESS_REFERENCE_EXPECTED = 1, /**< opts.expected */
} tess_reference;

/** One result of the partitioned run beside what it should be. */
typedef struct tess_comparison {
	size_t output;
	tess_reference against;
	bool agree;
	/** They agree only as far as rounding lets them: they differ by no more than what changing the
	 *  inputs by a rounding does to the whole program. */
	bool sensitive;
	/** Of the result; `data` is NULL, `dims` live as long as the context; `name` as JAX writes it,
	 *  "result[0]['w']", or "out0", lives as long as the verdict. */
	tess_tensor type;
	tess_difference difference;
	double tolerance; /**< `most` of it, with which it was compared */
} tess_comparison;

/** What was compared, and how it came out. */
typedef struct tess_verdict tess_verdict;

/** Runs a program partitioned over its mesh and whole, on the same inputs, and compares the results.
 *  A program of one device (tess_module_is_local()) cannot be run whole: its results are compared
 *  with opts.expected.  With opts.locate the operation at which a difference begins is an error in the
 *  context, with its place.
 *  @param opts NULL for the defaults.
 *  @param out the verdict, to release with tess_verdict_free(); NULL if there is none.
 *  @return TESS_OK if all agree; TESS_FAILED if not, or, without a verdict, if a check of the program
 *  failed; else as tess_exec_new() and tess_exec_run(), without a verdict.  On ranks other than 0
 *  TESS_OK, and a verdict without comparisons. */
TESS_API tess_status tess_verify(tess_module *m, const tess_verify_opts *opts,
                                 TESS_GIVE tess_verdict **out);
TESS_API void tess_verdict_free(TESS_TAKE tess_verdict *v);
TESS_API int64_t tess_verdict_devices(const tess_verdict *v);
/** Results in their order; of each the whole run comes first. */
TESS_API size_t tess_verdict_count(const tess_verdict *v);
/** @return comparison `i`, which lives as long as the verdict; NULL if `i` is out of range. */
TESS_API const tess_comparison *tess_verdict_get(const tess_verdict *v, size_t i);

#ifdef __cplusplus
}
#endif
#endif
