/* tessera/report.h - what a sharded program costs, what is probably wrong with it, and why.
 *
 *     tess_report_opts opts = TESS_REPORT_OPTS_INIT;
 *     opts.target = "h100";
 *     char *text = NULL, *why = NULL;
 *     if (tess_module_report(m, &opts, &text) == TESS_OK)
 *             puts(text); // memory, collectives and time of one device
 *     if (tess_module_explain(m, "arg:2", NULL, &why) == TESS_OK)
 *             puts(why); // where the sharding of argument 2 comes from
 *     tess_text_free(text);
 *     tess_text_free(why);
 *
 * These functions work on copies: the module does not change. Texts are for people, and may
 * change with any version; programs should read JSON. Costs are estimates for a machine:
 * docs/costs.md says how they are computed, and how good they are. */
#ifndef TESSERA_REPORT_H
#define TESSERA_REPORT_H

#include <tessera/core.h>
#include <tessera/diag.h>
#include <tessera/module.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The form of a text; not every function has all of them. */
typedef enum tess_format {
	TESS_FORMAT_TEXT = 0,  /**< for people */
	TESS_FORMAT_COLOR = 1, /**< the same with the escape sequences of terminals */
	TESS_FORMAT_JSON = 2,  /**< for programs */
	TESS_FORMAT_HTML = 3,  /**< one self-contained page: reports, differences and plans only */
	TESS_FORMAT_SARIF = 4, /**< for code hosts and editors: lint only */
} tess_format;

/** Where values change from one sharding to another, and so whose partition is reported. */
typedef enum tess_reshard_policy {
	TESS_RESHARD_COST = 0, /**< where it costs least: the partition of tessera */
	TESS_RESHARD_SDY = 1,  /**< where Shardy inserts reshards, and so XLA with Shardy */
} tess_reshard_policy;

/** A machine that is built in. */
typedef struct tess_target {
	const char *name, *about; /**< static */
	double flops_f32, flops_bf16; /**< dense, per second and device */
	double memory_bytes; /**< per device */
	double memory_bandwidth, link_bandwidth; /**< bytes per second and device */
} tess_target;
/** Gets machine `i` of the built-in table.
 *  @return false if `i` is out of range. */
TESS_API bool tess_target_get(size_t i, tess_target *out);

/** Fits a machine to what was measured on it.
 *  @param path a file of products, copies, launches and collectives with the seconds that they
 *  took, in the format of docs/costs.md.
 *  @param like the machine to start from, as in tess_report_opts.target.
 *  @param out gets a row of a table of machines, after comments that say how far each measurement
 *  is from it, to release with tess_text_free(); NULL after a failure.
 *  @return TESS_OK; TESS_INVALID if the file or a table of machines is wrong; TESS_USAGE for an
 *  unknown machine; TESS_IO; TESS_NOMEM; with a diagnostic for all but TESS_NOMEM and NULL
 *  arguments. */
TESS_API tess_status tess_target_calibrate(tess_ctx *ctx, const char *path, const char *like,
                                           char **out);

/** Whether a report starts with what to change in the annotations, as tess_module_advise() finds
 *  it. */
typedef enum tess_report_advice {
	/** Only pages, and only of programs with a mesh and at most 1,000 operations. */
	TESS_ADVISE_PAGES = 0,
	TESS_ADVISE_ALWAYS = 1,
	TESS_ADVISE_NEVER = 2,
} tess_report_advice;

/** What to report. */
typedef struct tess_report_opts {
	size_t struct_size;
	tess_format format; /**< TEXT, COLOR, JSON or HTML */
	const char *title;  /**< NULL: the name that was given to the parser */
	/** The machine, one of
	 *
	 *      "h100"          a name of tess_target_get(), or the beginning of only one
	 *      "FILE:NAME"     from a table that users write, in the format of docs/costs.md
	 *      "FILE"          the first one of such a table
	 *      "v5p/256"       any of these, with 256 devices to a node, or to a slice of a TPU
	 *
	 *  NULL: the first of tess_target_get(). If a machine is given, the program is also
	 *  partitioned for it, as with tess_partition_opts.target. */
	const char *target;
	char **page; /**< gets the HTML page in addition, for tess_text_free(); NULL: none */
	/** How many devices the machine has, as a part of a node or a torus of that size; 0: as
	 *  many as the target says. It is an error (TESS_USAGE) if the program is for more. */
	int64_t devices;
	tess_reshard_policy reshards; /**< whose partition to report */
	tess_report_advice advise;    /**< whether to look for advice */
} tess_report_opts;
#define TESS_REPORT_OPTS_INIT {.struct_size = sizeof(tess_report_opts)}

/** Propagates and partitions a copy of the program, and reports memory, collectives and estimated
 *  time of one device. docs/report.md lists the members of the JSON.
 *  @param out gets the report, to release with tess_text_free(); NULL after a failure.
 *  @return TESS_OK. With a diagnostic: TESS_INVALID if the program or a table of machines is
 *  wrong; TESS_USAGE for an unknown target, or a format that reports do not have; TESS_IO if a
 *  table of machines cannot be read. Without: TESS_NOMEM; TESS_USAGE if `m` or `out` is NULL. */
TESS_API tess_status tess_module_report(tess_module *m, const tess_report_opts *opts, char **out);

/** What to look for. */
typedef struct tess_lint_opts {
	size_t struct_size;
	tess_format format; /**< TEXT, COLOR, JSON or SARIF */
	int64_t large;      /**< bytes from which a replicated tensor is large; 0: 1 MiB */
	tess_reshard_policy reshards; /**< whose partition to judge */
} tess_lint_opts;
#define TESS_LINT_OPTS_INIT                                                                        \
	{                                                                                          \
		.struct_size = sizeof(tess_lint_opts)                                              \
	}

/** Propagates and partitions a copy of the program, and looks for probable mistakes; docs/lint.md
 *  explains each.
 *  @param out gets the findings, to release with tess_text_free(); NULL after a failure.
 *  @param findings gets how many there are; may be NULL.
 *  @return TESS_FAILED if a finding is an error, with the findings in `out`; otherwise as
 *  tess_module_report(). */
TESS_API tess_status tess_module_lint(tess_module *m, const tess_lint_opts *opts, char **out,
                                      size_t *findings);

/** How to compare. */
typedef struct tess_diff_opts {
	size_t struct_size;
	tess_format format; /**< TEXT, COLOR, JSON; HTML: a page with both, side by side */
	const char *target; /**< the machine, as in tess_report_opts */
	tess_reshard_policy reshards_a, reshards_b; /**< whose partition of each program */
	char **page; /**< gets the HTML page in addition, for tess_text_free(); NULL: none */
	const char *title_a, *title_b; /**< for the page; NULL: the names given to the parser */
} tess_diff_opts;
#define TESS_DIFF_OPTS_INIT                                                                        \
	{                                                                                          \
		.struct_size = sizeof(tess_diff_opts)                                              \
	}

/** Reports what changed from program `a` to program `b` of the same context: shardings, first those
 *  of annotations; then memory, communication and time of one device.
 *  @param out gets the text, to release with tess_text_free(); NULL after a failure.
 *  @param same gets whether nothing changed; may be NULL.
 *  @return as tess_module_report(); TESS_USAGE also if the contexts differ. */
TESS_API tess_status tess_module_diff(tess_module *a, tess_module *b, const tess_diff_opts *opts,
                                      char **out, bool *same);

/** Lists every value of @main with its type, its present sharding (nothing is propagated), and what
 *  one device holds of it.
 *  @param format TEXT or COLOR, which are the same: a line for each; or JSON:
 *
 *      {"values": [{"value", "op", "type", "sharding", "local_type", "local_bytes", "source"}],
 *       "meshes": [{"name", "devices", "shardings", "axes"}]}
 *
 *  @return the text, or NULL; for another format with a diagnostic. */
TESS_API TESS_GIVE char *tess_module_table(tess_module *m, tess_format format);

/** Returns what @main takes and returns, as JSON:
 *
 *      {"arguments": [{"value", "type", "dtype", "dims", "sharding", "donated"}],
 *       "results": […], "meshes": […]}
 *
 *  "dtype" and "dims" are there for tensors of static shape; "donated" says that a result may use
 *  the memory of the argument.
 *  @return the text, or NULL if memory ran out. */
TESS_API TESS_GIVE char *tess_module_signature(tess_module *m);

/** What to explain. */
typedef struct tess_explain_opts {
	size_t struct_size;
	tess_format format; /**< TEXT, COLOR or JSON */
	int64_t dim;        /**< only this dimension; -1: all */
	const char *axis;   /**< only this axis of the mesh; NULL: all */
	tess_reshard_policy reshards; /**< for collectives: those of whose partition */
} tess_explain_opts;
#define TESS_EXPLAIN_OPTS_INIT {.struct_size = sizeof(tess_explain_opts), .dim = -1}

/** Explains why a value is sharded as it is after propagation: for each axis, the steps back to the
 *  annotation that it comes from; for each axis that a neighbor has and the value does not, what
 *  prevents it.
 *  @param value one of
 *
 *      "%h", "h", "%0#1"         its name in the text
 *      "%h of @f"                its name in a function that is called
 *      "arg:0", "result:0"       an argument or result of @main
 *      "params['w']", "params/w", "params.w.value", "w"
 *                                the path of an argument or result in JAX, or the end of it
 *      "layers.*.w"              all with such a path
 *      "train.py:26"             what a line of the source computes
 *
 *  For several values there is one explanation after another, as JSON an array. For more than
 *  three, the text is a line for each and the explanation of the largest.
 *  @param out gets the text, to release with tess_text_free(); NULL after a failure.
 *  @return TESS_OK; TESS_INVALID with a diagnostic, also if there is no such value; TESS_USAGE
 *  with a diagnostic for another format; TESS_NOMEM or TESS_USAGE. */
TESS_API tess_status tess_module_explain(tess_module *m, const char *value,
                                         const tess_explain_opts *opts, char **out);

/** Explains why a collective of the program of one device exists: the value that it moves, from
 *  which sharding to which and for which operation, and why these two are sharded as they are.
 *  @param number of the collective in tess_module_report(), from 0.
 *  @param out gets the text, to release with tess_text_free(); NULL after a failure.
 *  @return as tess_module_explain(). */
TESS_API tess_status tess_module_explain_collective(tess_module *m, int64_t number,
                                                    const tess_explain_opts *opts, char **out);

#ifdef __cplusplus
}
#endif
#endif
