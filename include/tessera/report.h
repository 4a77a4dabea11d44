/* tessera/report.h - what a sharded program costs, and what is likely wrong with it. */
#ifndef TESSERA_REPORT_H
#define TESSERA_REPORT_H

#include <tessera/core.h>
#include <tessera/diag.h>
#include <tessera/module.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum tess_format {
	TESS_FORMAT_TEXT = 0,
	TESS_FORMAT_COLOR = 1, /**< text with the escape sequences of terminals */
	TESS_FORMAT_JSON = 2,
	TESS_FORMAT_HTML = 3,  /**< one self-contained page; reports and differences only */
	TESS_FORMAT_SARIF = 4, /**< for code hosts and editors; lint only */
} tess_format;

/** Whose partition figures are of: where values are brought from one sharding to another. */
typedef enum tess_reshard_policy {
	TESS_RESHARD_COST = 0, /**< where it costs least */
	TESS_RESHARD_SDY = 1,  /**< where Shardy would, and so XLA with it */
} tess_reshard_policy;

/** A machine that costs are estimated for, of those that are built in. */
typedef struct tess_target {
	const char *name, *about;
	double flops_f32, flops_bf16; /**< dense, per second and device */
	double memory_bytes;
	double memory_bandwidth, link_bandwidth; /**< bytes per second and device */
} tess_target;
/** @return false if `i` is out of range. */
TESS_API bool tess_target_get(size_t i, tess_target *out);

/** Fits a machine to what was measured on it.
 *  @param path a list of products, copies, launches and collectives with the seconds that they took,
 *  of the form in docs/costs.md.
 *  @param like the machine to begin with, as tess_report_opts.target.
 *  @param out a row of a table of machines, after comments that say how far each measurement is from
 *  it, for tess_text_free(); NULL after an error.
 *  @return TESS_OK, TESS_INVALID (the list, or a table of machines), TESS_USAGE (unknown machine, or
 *  a NULL), TESS_IO or TESS_NOMEM. */
TESS_API tess_status tess_target_calibrate(tess_ctx *ctx, const char *path, const char *like,
                                           char **out);

/** Whether a report tells first what to change in the annotations, as tess_module_advise() does. */
typedef enum tess_report_advice {
	TESS_ADVISE_PAGES = 0, /**< on pages of programs of at most 1,000 operations, where there is a mesh */
	TESS_ADVISE_ALWAYS = 1,
	TESS_ADVISE_NEVER = 2,
} tess_report_advice;

typedef struct tess_report_opts {
	size_t struct_size;
	tess_format format;
	const char *title;  /**< NULL: the name of the text */
	/** The machine: a name of tess_target_get(), "FILE:NAME" or "FILE" (its first) for a table
	 *  that users write, of the form in docs/costs.md; of a name what only one begins with is
	 *  enough ("h100"); "NAME/N" for nodes, or slices of a TPU, of N devices ("v5p/256"); NULL: the
	 *  first of tess_target_get(). */
	const char *target;
	char **page; /**< gets the HTML page besides, for tess_text_free(); NULL: not wanted */
	/** How many devices the machine has: a part of a node, or a torus of that size; 0: as many as
	 *  the target says.  TESS_USAGE, with a diagnostic, if the program is for more. */
	int64_t devices;
	tess_reshard_policy reshards;
	tess_report_advice advise;
} tess_report_opts;
#define TESS_REPORT_OPTS_INIT {.struct_size = sizeof(tess_report_opts)}

/** Propagates and partitions copies of the program, and reports memory, collectives and
 *  cost of one device; `m` stays as it is.
 *  @param out the report, for tess_text_free(); NULL after an error.
 *  @return TESS_OK, TESS_INVALID (the program, or a table of machines), TESS_USAGE (unknown
 *  target, or a format that a report has not, both with a diagnostic; `m` or `out` is NULL),
 *  TESS_IO (a table that cannot be read) or TESS_NOMEM. */
TESS_API tess_status tess_module_report(tess_module *m, const tess_report_opts *opts, char **out);

typedef struct tess_lint_opts {
	size_t struct_size;
	tess_format format; /**< TEXT, COLOR, JSON or SARIF */
	int64_t large;      /**< bytes from which a replicated tensor is large; 0: usual */
	tess_reshard_policy reshards;
} tess_lint_opts;
#define TESS_LINT_OPTS_INIT                                                                        \
	{                                                                                          \
		.struct_size = sizeof(tess_lint_opts)                                              \
	}

/** Looks for likely mistakes in the same way.
 *  @param findings how many there are; may be NULL.
 *  @return as tess_module_report(), or TESS_FAILED if a finding is an error; `out` is then there.
 */
TESS_API tess_status tess_module_lint(tess_module *m, const tess_lint_opts *opts, char **out,
                                      size_t *findings);

typedef struct tess_diff_opts {
	size_t struct_size;
	tess_format format; /**< TEXT, COLOR, JSON, or HTML: a page of both, side by side */
	const char *target; /**< the machine, as in tess_report_opts */
	tess_reshard_policy reshards_a, reshards_b; /**< of both programs */
	char **page; /**< gets an HTML page of both besides, for tess_text_free(); NULL: not wanted */
	const char *title_a, *title_b; /**< for the page; NULL: the names of the texts */
} tess_diff_opts;
#define TESS_DIFF_OPTS_INIT                                                                        \
	{                                                                                          \
		.struct_size = sizeof(tess_diff_opts)                                              \
	}

/** What changed from `a` to `b`, two programs of one context: shardings, annotations first, then
 *  memory, communication and time of one device.
 *  @param same whether nothing did; may be NULL.
 *  @return as tess_module_report(); TESS_USAGE too if the contexts differ. */
TESS_API tess_status tess_module_diff(tess_module *a, tess_module *b, const tess_diff_opts *opts,
                                      char **out, bool *same);

/** Every value of @main with its type, its sharding as the module stands, and what one device
 *  holds of it: one line each, or JSON `{"values": [{"value", "op", "type", "sharding",
 *  "local_type", "local_bytes", "source"}], "meshes": [{"name", "devices", "shardings", "axes"}]}`.
 *  @param format TEXT, COLOR (the same as TEXT) or JSON.
 *  @return the text, or NULL, with a diagnostic for another format. */
TESS_API TESS_GIVE char *tess_module_table(tess_module *m, tess_format format);

/** What @main takes and returns, as JSON `{"arguments": [{"value", "type", "dtype", "dims",
 *  "sharding", "donated"}], "results": […], "meshes": […]}`; "dtype" and "dims" of tensors of
 * static shape; "donated": a result may take the argument's place. */
TESS_API TESS_GIVE char *tess_module_signature(tess_module *m);

typedef struct tess_explain_opts {
	size_t struct_size;
	tess_format format; /**< TEXT, COLOR or JSON */
	int64_t dim;        /**< of one dimension; -1: of all */
	const char *axis;   /**< of one axis of the mesh; NULL: of all */
	tess_reshard_policy reshards; /**< of a collective */
} tess_explain_opts;
#define TESS_EXPLAIN_OPTS_INIT {.struct_size = sizeof(tess_explain_opts), .dim = -1}

/** Why a value is sharded as it is: for each axis the steps back to the annotation that it
 *  comes from; for what a neighbour has and the value has not, what stands against it.
 *  @param value "%h" or "h" as in the text, "%0#1", "%h of @f" in a function that is called, "arg:0",
 *  "result:0" for what @main returns; the path that JAX gives an argument or result, or its end, in any
 *  spelling ("params['w']", "params/w", "params.w.value", "w"); a path with * in a part, for all that
 *  fit ("layers.*.w"); "train.py:26" for what a line of the source made.  Of several values there is one
 *  explanation after the other, as JSON an array; of more than three, as text, a line each and the
 *  explanation of the largest.
 *  @return TESS_OK, TESS_INVALID (with a diagnostic, also if there is no such value), TESS_NOMEM,
 *  or TESS_USAGE (`m`, `value` or `out` is NULL; another format, with a diagnostic). */
TESS_API tess_status tess_module_explain(tess_module *m, const char *value,
                                         const tess_explain_opts *opts, char **out);

/** Why a collective of the program of one device exists: the value that it moves, from what to
 *  what sharding and for which operation, and why these two are sharded as they are.
 *  @param number counts from 0 as in tess_module_report().
 *  @return as tess_module_explain(). */
TESS_API tess_status tess_module_explain_collective(tess_module *m, int64_t number,
                                                    const tess_explain_opts *opts, char **out);

#ifdef __cplusplus
}
#endif
#endif
