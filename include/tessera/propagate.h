/* tessera/propagate.h - a propagation that is kept, and repeated after some annotations change.
 *
 * Experimental. For searches and editors, which ask many times "and if this were sharded so?".
 *
 *     tess_propagation *p = tess_propagation_new(m, NULL);
 *     tess_propagation_run(p, NULL); // the whole program
 *
 *     tess_block *body = tess_op_body(tess_module_find(m, "main"), 0);
 *     tess_value *w2 = tess_block_arg(body, 2);
 *     tess_str text = tess_str_of("<@mesh, [{\"model\"}, {}]>");
 *     tess_propagation_annotate(p, w2, tess_sharding_parse(ctx, text, NULL, NULL, 2));
 *     tess_propagation_stats stats = TESS_PROPAGATION_STATS_INIT;
 *     tess_propagation_run(p, &stats); // only what the change affects
 *     printf("%d values are sharded otherwise\n", (int)stats.changed);
 *     tess_propagation_free(p); // the module keeps the shardings of the last run
 *
 * The result of each run is, value by value, that of the pass sdy-user-priority-propagate on the
 * imported program with the same annotations. docs/modules.md has a longer example. */
#ifndef TESSERA_PROPAGATE_H
#define TESSERA_PROPAGATE_H

#include <tessera/core.h>
#include <tessera/diag.h>
#include <tessera/module.h>
#include <tessera/sharding.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A program, its annotations, and what the last run did. It borrows the module. */
typedef struct tess_propagation tess_propagation;

/** Prepares a program, as the pipeline `propagate` does before it propagates (Shardy's import):
 *  calls become named computations, loops and the like get data-flow edges, each use of a constant
 *  gets its own, constraints are copied to what they constrain, and unused operations are erased.
 *  The shardings that the program then has are its first annotations.
 *  @param m must outlive the propagation, and must not be changed otherwise meanwhile. Pointers to
 *  values that import does not replace remain valid.
 *  @param options of the pipeline `propagate`, separated by spaces ("propagation-strategy=basic
 *  conservative-propagation=true"); NULL: the defaults.
 *  @return the propagation, or NULL with errors in the context; the module can then only be
 *  freed. */
TESS_API TESS_GIVE tess_propagation *tess_propagation_new(tess_module *m, const char *options);
/** Releases a propagation. The module keeps the shardings of the last run. */
TESS_API void tess_propagation_free(TESS_TAKE tess_propagation *p);

/** Replaces the annotation of a value, for the next run. A value that flows through a loop, a
 *  computation or a barrier is the same as its data-flow edge: annotating one annotates both.
 *  Either all results of an operation are annotated or none, as for tess_value_set_sharding().
 *  @param s NULL: no annotation; for the result of a constraint, an open one.
 *  @return TESS_OK; TESS_INVALID with a diagnostic if the sharding does not fit the value or the
 *  mesh; TESS_USAGE if the value can have no annotation; TESS_NOMEM. */
TESS_API tess_status tess_propagation_annotate(tess_propagation *p, tess_value *v,
                                               const tess_sharding *s);
/** Does the same for result `i` of @main. */
TESS_API tess_status tess_propagation_annotate_result(tess_propagation *p, size_t i,
                                                      const tess_sharding *s);
/** Returns the annotation of a value, or NULL. What the last run made of it is
 *  tess_value_sharding(). */
TESS_API const tess_sharding *tess_propagation_annotation(tess_propagation *p,
                                                          const tess_value *v);

/** How much a run did, and why. Values are never renumbered. */
typedef enum tess_propagated {
	TESS_PROPAGATED_PART = 0, /**< it visited only what the changes affect */
	/* It visited the whole program, because … */
	TESS_PROPAGATED_FIRST = 1,      /**< there was no earlier run */
	TESS_PROPAGATED_LARGE = 2,      /**< the changes affect most of it */
	TESS_PROPAGATED_CANONICAL = 3,  /**< of the option order=canonical */
	TESS_PROPAGATED_GROUPS = 4,     /**< it has sharding groups */
	TESS_PROPAGATED_PRIORITIES = 5, /**< an annotation has priorities */
} tess_propagated;

/** What a run did. */
typedef struct tess_propagation_stats {
	size_t struct_size;
	tess_propagated how;
	uint64_t operations; /**< how many the program has */
	uint64_t visits;     /**< of operations; 0 if `how` is CANONICAL, GROUPS or PRIORITIES */
	uint64_t changed;    /**< values whose sharding the run changed */
} tess_propagation_stats;
#define TESS_PROPAGATION_STATS_INIT {.struct_size = sizeof(tess_propagation_stats)}

/** Propagates the annotations, and sets the shardings of the program's values to the result.
 *  @param stats gets what the run did; may be NULL.
 *  @return TESS_OK; TESS_INVALID with a diagnostic; TESS_NOMEM: the shardings of the program are
 *  then undefined until a run succeeds. */
TESS_API tess_status tess_propagation_run(tess_propagation *p, tess_propagation_stats *stats);

#ifdef __cplusplus
}
#endif
#endif
