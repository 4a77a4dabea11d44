/* tessera/propagate.h - a program propagated again and again, each time with a few other
 * annotations: for searches and editors, which ask "and if this were sharded so?" many times.
 *
 *     tess_propagation *p = tess_propagation_new(m, NULL);
 *     tess_propagation_run(p, NULL);                          // all of it
 *     tess_propagation_annotate(p, value, sharding);
 *     tess_propagation_run(p, &stats);                        // what that concerns
 *     tess_value_sharding(other);                             // as of now
 *     tess_propagation_free(p);                               // m stays as it is now
 *
 * Results equal, to the last value, those of the pass sdy-user-priority-propagate on the imported
 * program with the same annotations.  docs/modules.md has an example. */
#ifndef TESSERA_PROPAGATE_H
#define TESSERA_PROPAGATE_H

#include <tessera/core.h>
#include <tessera/diag.h>
#include <tessera/module.h>
#include <tessera/sharding.h>

#ifdef __cplusplus
extern "C" {
#endif

/** TESS_EXPERIMENTAL.  A program, its annotations, and how they were propagated last. */
typedef struct tess_propagation tess_propagation;

/** Imports the program, as the pipeline `propagate` does before it propagates: functions are
 *  inlined as named computations, loops and the like get data-flow edges, constants are copied to
 *  their users, constraints are copied to what they constrain.  Unused operations are
 *  erased.  The shardings that the program has then are its first annotations.
 *  @param m stays the caller's and must outlive the propagation.  Its values keep their handles
 *  where import keeps them; meanwhile only this propagation may change it.
 *  @param options of the pipeline `propagate`, separated by spaces
 *  ("propagation-strategy=basic conservative-propagation=true"); NULL: the defaults.
 *  @return what tess_propagation_free() releases, or NULL once the errors are in the context: the
 *  module is then good for nothing but tess_module_free(). */
TESS_API TESS_GIVE tess_propagation *tess_propagation_new(tess_module *m, const char *options);
/** The program keeps the shardings of the last run. */
TESS_API void tess_propagation_free(TESS_TAKE tess_propagation *p);

/** Annotates a value in place of what it was annotated with; the next run heeds it.  A value that
 *  flows through a loop, a computation or a barrier is one with its data-flow edge: annotating
 *  either means both.  Results of one operation are annotated all or none, as
 *  tess_value_set_sharding() has it.
 *  @param s NULL: no annotation, or, at a constraint, an open one.
 *  @return TESS_OK; TESS_INVALID with a diagnostic if the sharding does not fit the value or its
 *  mesh; TESS_USAGE if the value can have none; TESS_NOMEM. */
TESS_API tess_status tess_propagation_annotate(tess_propagation *p, tess_value *v,
                                               const tess_sharding *s);
/** The same for result `i` of @main. */
TESS_API tess_status tess_propagation_annotate_result(tess_propagation *p, size_t i,
                                                      const tess_sharding *s);
/** What the value is annotated with; tess_value_sharding() is what became of it.  NULL: with
 *  nothing. */
TESS_API const tess_sharding *tess_propagation_annotation(tess_propagation *p,
                                                          const tess_value *v);

/** How a run was done.  Values are never renumbered. */
typedef enum tess_propagated {
	TESS_PROPAGATED_PART = 0, /**< only what the changed annotations concern */
	/* All of it, because … */
	TESS_PROPAGATED_FIRST = 1,      /**< there was no run to begin from */
	TESS_PROPAGATED_LARGE = 2,      /**< most of the program was concerned */
	TESS_PROPAGATED_CANONICAL = 3,  /**< the option order=canonical has no order to keep to */
	TESS_PROPAGATED_GROUPS = 4,     /**< the program has sharding groups */
	TESS_PROPAGATED_PRIORITIES = 5, /**< some annotation has priorities */
} tess_propagated;

typedef struct tess_propagation_stats {
	size_t struct_size;
	tess_propagated how;
	uint64_t operations; /**< of the program */
	uint64_t visits; /**< of operations, each as often as looked at; 0 from CANONICAL on */
	uint64_t changed;    /**< values that are sharded otherwise than before the run */
} tess_propagation_stats;
#define TESS_PROPAGATION_STATS_INIT {.struct_size = sizeof(tess_propagation_stats)}

/** Propagates the annotations; the program's values then bear the result.
 *  @param stats filled, if not NULL.
 *  @return TESS_OK; TESS_INVALID with a diagnostic; TESS_NOMEM: the shardings of the program are
 *  undefined until a run succeeds. */
TESS_API tess_status tess_propagation_run(tess_propagation *p, tess_propagation_stats *stats);

#ifdef __cplusplus
}
#endif
#endif
