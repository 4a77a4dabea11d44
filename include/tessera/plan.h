/* tessera/plan.h - finds a mesh and shardings for a program and a machine, and advice for
 * annotations.
 *
 * Experimental.
 *
 *     tess_plan_opts opts = TESS_PLAN_OPTS_INIT;
 *     opts.target = "h100";
 *     opts.devices = 8;
 *     tess_plan *p = NULL;
 *     if (tess_plan_find(m, &opts, &p) == TESS_OK) {
 *             char *text = tess_plan_report(p, TESS_FORMAT_TEXT);
 *             char *code = tess_plan_emit(p, "jax");
 *             printf("%s\n%s", text, code);
 *             tess_text_free(text);
 *             tess_text_free(code);
 *     }
 *     tess_plan_free(p);
 *
 * Each plan that is considered is propagated, partitioned and costed like any annotated program,
 * so what a plan promises is what tess_module_report() says of it. Costs are estimates:
 * docs/costs.md says how good. The same call finds the same plan on every computer. */
#ifndef TESSERA_PLAN_H
#define TESSERA_PLAN_H

#include <tessera/core.h>
#include <tessera/module.h>
#include <tessera/report.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The result of a search: the best plan, what its decisions cost, and the plans that take less
 *  memory or less time. It has copied what it needs of the module, which may be freed before it. */
typedef struct tess_plan tess_plan;

/** Which of the program's annotations a plan keeps. */
typedef enum tess_plan_keep {
	TESS_PLAN_KEEP_NONE = 0,        /**< none: the search is free */
	TESS_PLAN_KEEP_INPUTS = 1,      /**< those of arguments and results of @main */
	TESS_PLAN_KEEP_ANNOTATIONS = 2, /**< all; open dimensions may be split further */
} tess_plan_keep;

/** How far a search has got. */
typedef struct tess_plan_progress {
	int64_t evaluated;   /**< plans, or changes, so far */
	double step_seconds; /**< estimated time of a step with the best one; 0: none yet */
	int64_t peak_bytes;  /**< memory of one device with the best one */
	bool fits;           /**< whether that is within the limit */
	double bound;        /**< seconds that no plan can be faster than; 0: not known */
} tess_plan_progress;

/** What to search for. */
typedef struct tess_plan_opts {
	size_t struct_size;
	const char *target; /**< the machine, as in tess_report_opts */
	int64_t devices;    /**< how many to use; 0: as many as the program's mesh has */
	int64_t limit;      /**< bytes of one device; 0: 92 % of the machine's memory */
	tess_plan_keep keep; /**< which annotations of the program stay */
	/** The mesh, "data=*,model=8", where "*" is any size; NULL: any mesh of one or two axes. */
	const char *mesh;
	/** The only tactic to try, "fsdp over data; megatron over model"; NULL: all
	 *  (docs/plan.md). */
	const char *tactic;
	/** Collectives that the plan must not have, "all_to_all over far, all_gather"; NULL:
	 *  none. */
	const char *forbid;
	int64_t budget; /**< how many plans to evaluate at most; 0: no limit */
	/** Called after each evaluation. Returns false to end the search, which then succeeds
	 *  with what was found so far. May be NULL. */
	bool (*proceed)(void *user, const tess_plan_progress *p);
	void *user; /**< passed to `proceed` */
} tess_plan_opts;
#define TESS_PLAN_OPTS_INIT {.struct_size = sizeof(tess_plan_opts)}

/** Finds a plan. `m` does not change.
 *  @param out gets the plan, to release with tess_plan_free(); NULL after a failure.
 *  @return TESS_OK, also if no plan fits into memory: see tess_plan_fits(). TESS_INVALID, with a
 *  diagnostic, if the program or an option is wrong. TESS_USAGE, with a diagnostic, for an
 *  unknown target; without one, if `m` or `out` is NULL or a number is negative. TESS_IO if a
 *  table of machines cannot be read. TESS_NOMEM. */
TESS_API tess_status tess_plan_find(tess_module *m, const tess_plan_opts *opts, tess_plan **out);
/** Releases a plan. */
TESS_API void tess_plan_free(TESS_TAKE tess_plan *p);

/** True if the plan is within the limit of memory; otherwise it is the one that takes the least. */
TESS_API bool tess_plan_fits(const tess_plan *p);
/** Returns what was found as a text.
 *  @param format TEXT; COLOR; JSON, whose members docs/plan.md lists; or HTML: the page of
 *  tess_module_report() for the program with the plan, with the plan at the top.
 *  @return the text, or NULL; for another format with a diagnostic. */
TESS_API TESS_GIVE char *tess_plan_report(tess_plan *p, tess_format format);
/** Returns the plan as code or data for another program.
 *  @param form one of
 *
 *      "jax"      Python: the mesh, PartitionSpecs by the path of each parameter, in_shardings, and
 *                 where with_sharding_constraint is needed
 *      "dtensor"  Python for PyTorch: the device mesh, and placements
 *      "specs"    a table
 *      "json"     the same for programs
 *
 *  @return the text, or NULL; for another form with a diagnostic. */
TESS_API TESS_GIVE char *tess_plan_emit(tess_plan *p, const char *form);
/** Returns a copy of the program with the plan's mesh and annotations, or NULL if memory ran
 *  out. */
TESS_API TESS_GIVE tess_module *tess_plan_apply(tess_plan *p);

/** What to price. */
typedef struct tess_price_opts {
	size_t struct_size;
	tess_format format; /**< TEXT, COLOR or JSON */
	const char *target; /**< the machine, as in tess_report_opts */
	int64_t limit;      /**< bytes of one device; 0: 92 % of the machine's memory */
	const char *value;  /**< as for tess_module_explain(); NULL: all annotated ones */
} tess_price_opts;
#define TESS_PRICE_OPTS_INIT {.struct_size = sizeof(tess_price_opts)}

/** Computes what a step would cost if one annotation of the program, of the kind that a plan
 *  writes, were different: each of its axes on another dimension or on none, with the rest
 *  unchanged. Each alternative is evaluated. Values that are alike, such as those of all layers,
 *  change together. `m` does not change.
 *  @param out gets the text (docs/plan.md shows it), to release with tess_text_free(); NULL after a
 *  failure.
 *  @return TESS_OK; TESS_INVALID, with a diagnostic, if the program has no mesh or cannot be
 *  partitioned, or the value is not annotated; otherwise as tess_plan_find(). */
TESS_API tess_status tess_module_price(tess_module *m, const tess_price_opts *opts, char **out);

/** What to advise on. */
typedef struct tess_advise_opts {
	size_t struct_size;
	tess_format format; /**< TEXT, COLOR or JSON */
	const char *target; /**< the machine, as in tess_report_opts */
	const char *title;  /**< the name of the program in the text; NULL: of its source */
	int64_t limit;      /**< bytes of one device; 0: 92 % of the machine's memory */
	int64_t budget;     /**< how many changes to try at most; 0: 144 */
	tess_reshard_policy reshards; /**< whose partition to judge by */
	/** Called after each change that was tried. Returns false to end the search, which then
	 *  succeeds with what was found so far. May be NULL. */
	bool (*proceed)(void *user, const tess_plan_progress *p);
	void *user; /**< passed to `proceed` */
	/** Gets the JSON of the same search in addition, to release with tess_text_free(); NULL:
	 *  none. */
	char **json;
} tess_advise_opts;
#define TESS_ADVISE_OPTS_INIT {.struct_size = sizeof(tess_advise_opts)}

/** Finds what to change in the annotations of a program: constraints on values, shardings of
 *  arguments, donation, the shape of the mesh. Each change that is listed was tried; the text says
 *  what it gains, and gives the line of Python that makes it. `m` does not change.
 *  @param out gets the text, to release with tess_text_free(); NULL after a failure. docs/advise.md
 *  lists the members of the JSON.
 *  @return TESS_OK, also if no change gains enough; TESS_INVALID, with a diagnostic, if the
 *  program has no mesh or cannot be partitioned; otherwise as tess_plan_find(). */
TESS_API tess_status tess_module_advise(tess_module *m, const tess_advise_opts *opts, char **out);

#ifdef __cplusplus
}
#endif
#endif
