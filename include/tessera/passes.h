/* tessera/passes.h - single passes and pipelines by name, as `tess opt` runs them.
 *
 *     tess_status done = tess_module_run_passes(
 *             m, "sdy-basic-propagate{conservative-propagation=true},sdy-close-shardings");
 *     if (done != TESS_OK)
 *             puts("the reasons are in the context");
 *
 * Names and options are those of Shardy's sdy_opt; docs/passes.md lists them. */
#ifndef TESSERA_PASSES_H
#define TESSERA_PASSES_H

#include <tessera/core.h>
#include <tessera/diag.h>
#include <tessera/module.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A pass or pipeline. All pointers are static. */
typedef struct tess_pass_info {
	const char *name;    /**< "sdy-basic-propagate" */
	const char *summary; /**< what it does, in one line */
	bool pipeline;       /**< whether it is a sequence of passes */
	const char *options; /**< names of its options, separated by spaces */
} tess_pass_info;
/** Gets pass `i`, in the order in which passes usually run.
 *  @return false if `i` is out of range. */
TESS_API bool tess_pass_get(size_t i, tess_pass_info *out);

/** An option of passes; it means the same for every pass that has it. All pointers are static. */
typedef struct tess_pass_option {
	const char *name, *help;
	/** The default, "true"; for a choice all its words, the default first: "first|second". */
	const char *initial;
} tess_pass_option;
/** Gets an option by name.
 *  @return false if there is none. */
TESS_API bool tess_pass_option_get(const char *name, tess_pass_option *out);

/** Runs passes on a module, and verifies it after each pass or pipeline that is named.
 *  @param pipeline names, with options in braces, separated by commas, as in the example above;
 *  optionally inside `builtin.module(…)` and `func.func(…)`.
 *  @return TESS_OK; TESS_USAGE with a diagnostic if the pipeline is not well-formed;
 *  TESS_INVALID with a diagnostic if a pass failed: the module can then only be freed;
 *  TESS_NOMEM. */
TESS_API tess_status tess_module_run_passes(tess_module *m, const char *pipeline);

/** The options of `tess opt`. */
typedef struct tess_opt_opts {
	size_t struct_size;
	const char *pipeline;    /**< as for tess_module_run_passes(); NULL or "": none */
	bool split_input;        /**< the text is several programs, separated by `// -----` */
	/** Compares the diagnostics with the comments `// expected-error {{…}}` of the text. If
	 *  one is missing or unexpected, the result is TESS_FAILED. */
	bool verify_diagnostics;
	bool allow_unregistered; /**< as in tess_parse_opts */
	bool any_note;           /**< with verify_diagnostics: allows notes that are not expected */
	bool print_after_all;    /**< passes the program after each pass to `dump` */
	tess_print_opts print;
	/** Receives intermediate programs; may be NULL. */
	void (*dump)(void *user, tess_str text);
	void *user;              /**< passed to `dump`, `timed` and `write` */
	bool verify_each;        /**< verifies also between the passes of a pipeline */
	/** Receives how long each pass took, in seconds of processor time of the thread; also
	 *  "reading", which verifies, "verification" and "printing". May be NULL. */
	void (*timed)(void *user, const char *what, double seconds);
	/** Receives the output piece by piece, which is then not stored in `out`. Returns false
	 *  if it cannot take a piece: the result is then TESS_IO. May be NULL. */
	bool (*write)(void *user, tess_str text);
} tess_opt_opts;
#define TESS_OPT_OPTS_INIT                                                                         \
	{.struct_size = sizeof(tess_opt_opts), .print = TESS_PRINT_OPTS_INIT}

/** Parses a program, runs the pipeline, and prints the result.
 *  @param name appears in diagnostics; NULL: "".
 *  @param out gets the output, also after a failure, to release with tess_text_free(); NULL if
 *  there is none, or opts.write received it. May be NULL with opts.write.
 *  @return TESS_OK; TESS_USAGE with a diagnostic if the pipeline is not well-formed;
 *  TESS_INVALID if the program is wrong or a pass failed; TESS_FAILED (verify_diagnostics);
 *  TESS_IO (`write`); TESS_NOMEM. */
TESS_API tess_status tess_opt(tess_ctx *ctx, tess_str text, const char *name,
                              const tess_opt_opts *opts, char **out);
/** Does the same for a file; "-" is standard input. TESS_IO also if it cannot be read. */
TESS_API tess_status tess_opt_file(tess_ctx *ctx, const char *path, const tess_opt_opts *opts,
                                   char **out);

#ifdef __cplusplus
}
#endif
#endif
