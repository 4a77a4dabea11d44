/* tessera/plan.h - a mesh and shardings for a program and a machine, found rather than given.
 *
 * Experimental: functions and fields may change. */
#ifndef TESSERA_PLAN_H
#define TESSERA_PLAN_H

#include <tessera/core.h>
#include <tessera/module.h>
#include <tessera/report.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What was found for a program: the best plan, the price of its decisions, and other plans that take
 *  less memory or less time. */
typedef struct tess_plan tess_plan;

/** Which of the program's annotations a plan keeps. */
typedef enum tess_plan_keep {
	TESS_PLAN_KEEP_NONE = 0,
	TESS_PLAN_KEEP_INPUTS = 1,      /**< those of arguments and results of @main */
	TESS_PLAN_KEEP_ANNOTATIONS = 2, /**< all; open dimensions may be sharded further */
} tess_plan_keep;

/** How far a search is. */
typedef struct tess_plan_progress {
	int64_t evaluated;   /**< plans, or changes */
	double step_seconds; /**< of the best one; 0: there is none yet */
	int64_t peak_bytes;  /**< of one device, for the best one */
	bool fits;           /**< the best one is within the limit */
	double bound;        /**< seconds that no plan is under; 0: none is known */
} tess_plan_progress;

typedef struct tess_plan_opts {
	size_t struct_size;
	const char *target; /**< the machine, as in tess_report_opts */
	int64_t devices;    /**< how many; 0: as many as the program's mesh has */
	int64_t limit;      /**< bytes of one device; 0: 92 % of the machine's memory */
	tess_plan_keep keep;
	/** The mesh, "data=*,model=8", "*" for any size; NULL: any of one or two axes. */
	const char *mesh;
	/** Only this tactic, "fsdp over data; megatron over model"; NULL: all. */
	const char *tactic;
	/** Collectives that the plan may not have, "all_to_all over far, all_gather"; NULL: none. */
	const char *forbid;
	int64_t budget; /**< plans that are evaluated at most; 0: as many as are usual */
	/** Called after each evaluation; false ends the search with what was found so far.  NULL: it
	 *  is not called. */
	bool (*proceed)(void *user, const tess_plan_progress *p);
	void *user;
} tess_plan_opts;
#define TESS_PLAN_OPTS_INIT {.struct_size = sizeof(tess_plan_opts)}

/** Finds a plan; `m` stays as it is.  The same plan is found on any machine.
 *  @param out the plan, for tess_plan_free(); NULL after an error.
 *  @return TESS_OK, also if no plan fits into the memory (tess_plan_fits()); TESS_INVALID (the
 *  program, or an option, with a diagnostic); TESS_USAGE (an unknown target, with a diagnostic; `m` or
 *  `out` is NULL); TESS_IO (a table of machines that cannot be read) or TESS_NOMEM. */
TESS_API tess_status tess_plan_find(tess_module *m, const tess_plan_opts *opts, tess_plan **out);
/** The context must still be there. */
TESS_API void tess_plan_free(TESS_TAKE tess_plan *p);

/** Whether the plan is within the limit of memory; if not, it is the one that takes least. */
TESS_API bool tess_plan_fits(const tess_plan *p);
/** What was found, as a report.  @param format TEXT, COLOR, JSON, whose members docs/plan.md lists, or HTML:
 *  the page of the program with the plan, as tess_module_report() makes it, with the plan on top.
 *  @return the text, or NULL, with a diagnostic for another format. */
TESS_API TESS_GIVE char *tess_plan_report(tess_plan *p, tess_format format);
/** The plan for others' programs.  @param form "jax" (code: mesh, PartitionSpecs by the place of
 *  parameters, in_shardings, where with_sharding_constraint is needed), "dtensor" (code: device mesh,
 *  placements), "specs" (a table) or "json".
 *  @return the text, or NULL, with a diagnostic for another form. */
TESS_API TESS_GIVE char *tess_plan_emit(tess_plan *p, const char *form);
/** A copy of the program with the plan's mesh and annotations.
 *  @return a module to release with tess_module_free(), or NULL if there is no memory. */
TESS_API TESS_GIVE tess_module *tess_plan_apply(tess_plan *p);

typedef struct tess_price_opts {
	size_t struct_size;
	tess_format format; /**< TEXT, COLOR or JSON */
	const char *target; /**< the machine, as in tess_report_opts */
	int64_t limit;      /**< bytes of one device; 0: 92 % of the machine's memory */
	const char *value;  /**< only this one, as in tess_module_explain(); NULL: all that are annotated */
} tess_price_opts;
#define TESS_PRICE_OPTS_INIT {.struct_size = sizeof(tess_price_opts)}

/** What a step would cost if one annotation of the program, as a plan writes them, were another: each axis
 *  elsewhere or nowhere, the rest as it is.  Each other one is evaluated; values that are alike, as those of
 *  all layers, change together.
 *  @param out for tess_text_free(); docs/plan.md shows it.
 *  @return TESS_OK; TESS_INVALID (with a diagnostic: a program without a mesh, or one that cannot be
 *  partitioned, a value that is not annotated); else as tess_plan_find(). */
TESS_API tess_status tess_module_price(tess_module *m, const tess_price_opts *opts, char **out);

typedef struct tess_advise_opts {
	size_t struct_size;
	tess_format format; /**< TEXT, COLOR or JSON */
	const char *target; /**< the machine, as in tess_report_opts */
	const char *title;  /**< what the text calls the program; NULL: its source's name */
	int64_t limit;      /**< bytes of one device; 0: 92 % of the machine's memory */
	int64_t budget;     /**< changes that are tried at most; 0: as many as are usual */
	tess_reshard_policy reshards;
	/** Called after each change that is tried; false ends the search with what was found so far.  NULL:
	 *  it is not called. */
	bool (*proceed)(void *user, const tess_plan_progress *p);
	void *user;
	/** Where the JSON of the same search goes, too, for tess_text_free(); NULL: it is not wanted. */
	char **json;
} tess_advise_opts;
#define TESS_ADVISE_OPTS_INIT {.struct_size = sizeof(tess_advise_opts)}

/** What to change in the annotations of a program: constraints on values, shardings of arguments,
 *  donation, the shape of the mesh.  Each change was tried, and is told with what it gains and as the
 *  line of Python that makes it.
 *  @param out for tess_text_free(); docs/advise.md lists the members of the JSON.
 *  @return TESS_OK, also if nothing gains enough; TESS_INVALID (with a diagnostic: a program without a
 *  mesh, or one that cannot be partitioned); else as tess_plan_find(). */
TESS_API tess_status tess_module_advise(tess_module *m, const tess_advise_opts *opts, char **out);

#ifdef __cplusplus
}
#endif
#endif
