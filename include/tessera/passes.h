/* tessera/passes.h - single passes and pipelines by name, as `tess opt` runs them.
 *
 * The names and options are those of Shardy's sdy_opt. */
#ifndef TESSERA_PASSES_H
#define TESSERA_PASSES_H

#include <tessera/core.h>
#include <tessera/diag.h>
#include <tessera/module.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A pass or pipeline that can be named. */
typedef struct tess_pass_info {
	const char *name;    /**< "sdy-basic-propagate" */
	const char *summary; /**< one line */
	bool pipeline;       /**< a sequence of passes */
	const char *options; /**< names of its options, separated by spaces */
} tess_pass_info;
/** The passes, in the order of the journey; @return false if `i` is out of range. */
TESS_API bool tess_pass_get(size_t i, tess_pass_info *out);

/** An option means the same for every pass that has it. */
typedef struct tess_pass_option {
	const char *name, *help;
	const char *initial; /**< the default; of a choice, all words: "first|second" */
} tess_pass_option;
/** @return false if there is no option of this name. */
TESS_API bool tess_pass_option_get(const char *name, tess_pass_option *out);

/** Runs passes over a module, which is verified after each pass and pipeline named.
 *  @param pipeline names with options in braces, separated by commas:
 *  `sdy-basic-propagate{conservative-propagation=true},sdy-close-shardings`,
 *  optionally inside `builtin.module(…)` and `func.func(…)`.
 *  @return TESS_OK; TESS_USAGE if the pipeline is not well-formed; TESS_INVALID if a pass
 *  failed: the module is then good for nothing but tess_module_free(). */
TESS_API tess_status tess_module_run_passes(tess_module *m, const char *pipeline);

/** What `tess opt` does with a text. */
typedef struct tess_opt_opts {
	size_t struct_size;
	const char *pipeline;    /**< as in tess_module_run_passes(); NULL or "": none */
	bool split_input;        /**< the text is several programs, between lines `// -----` */
	/** Compare the diagnostics with the `// expected-error {{…}}` comments of the text:
	 *  unexpected and missing ones make the result TESS_FAILED. */
	bool verify_diagnostics;
	bool allow_unregistered;
	bool any_note;           /**< with verify_diagnostics: notes that are not expected are fine */
	bool print_after_all;    /**< every intermediate program goes to `dump` */
	tess_print_opts print;
	/** Where intermediate programs go; may be NULL. */
	void (*dump)(void *user, tess_str text);
	void *user;
	bool verify_each;        /**< also between the passes of a pipeline */
	/** Told what each pass took, in seconds of the thread's processor time; also "reading",
	 *  which verifies, "verification" and "printing".  May be NULL. */
	void (*timed)(void *user, const char *what, double seconds);
	/** Given the text piece by piece as it is printed, which is then not kept for `out`;
	 *  false: it could not be taken, and the result is TESS_IO.  May be NULL. */
	bool (*write)(void *user, tess_str text);
} tess_opt_opts;
#define TESS_OPT_OPTS_INIT                                                                         \
	{.struct_size = sizeof(tess_opt_opts), .print = TESS_PRINT_OPTS_INIT}

/** Parses, runs the pipeline, prints.
 *  @param out what was printed, for tess_text_free(), also after an error; NULL if nothing was, or
 *  opts.write got it.  May be NULL with opts.write.
 *  @return TESS_OK, TESS_USAGE (the pipeline), TESS_INVALID (the text, or a pass failed),
 *  TESS_FAILED (verify_diagnostics), TESS_IO (`write`) or TESS_NOMEM. */
TESS_API tess_status tess_opt(tess_ctx *ctx, tess_str text, const char *name,
                              const tess_opt_opts *opts, char **out);
/** The same for a file; "-" is standard input. */
TESS_API tess_status tess_opt_file(tess_ctx *ctx, const char *path, const tess_opt_opts *opts,
                                   char **out);

#ifdef __cplusplus
}
#endif
#endif
