/* shardy.h - the interface of shardy: Shardy's passes by name, and `tess opt`. */
#ifndef TESS_SHARDY_SHARDY_H
#define TESS_SHARDY_SHARDY_H

#include "ir/ir.h"
#include "mlir/mlir.h"

/* ---- the table of passes (passes.def) ------------------------------------------- */

typedef struct pass_list pass_list;
/* A pass of a pipeline, by name. If `pass` is NULL, the program is written to opts.dump_directory,
 * if that is set, as `dump`. */
typedef struct pipeline_part {
	const char *pass, *dump;
	pass_options opts;
} pipeline_part;
typedef struct pipeline_parts {
	arena *mem;
	VEC(pipeline_part) list;
} pipeline_parts;
/* Appends the parts of a pipeline. */
typedef void pipeline_fn(pipeline_parts *l, const pass_options *o);

typedef struct pass_def {
	const char *name; /* as in sdy_opt: "sdy-basic-propagate" */
	const char *summary;
	pass_fn *run;        /* NULL for a pipeline */
	pipeline_fn *expand; /* NULL for a pass */
	const char *options; /* names, separated by spaces */
} pass_def;

int pass_def_count(void);
const pass_def *pass_def_at(int i);
/* True if the pass takes this option. */
bool pass_def_takes(const pass_def *d, const pass_option *option);

/* ---- lists of passes --------------------------------------------------------------- */

typedef struct pass_step {
	const pass_def *def;
	pass_options opts;
	const char *dump; /* a step that writes the program to a file of this name */
	bool last;        /* last step of a pass or pipeline that the user named */
} pass_step;

struct pass_list {
	arena *mem;
	VEC(pass_step) steps;
	int n_dumps;
};

/* Adds a pass, which must exist, by name; a pipeline is expanded at once. */
void pass_list_add_named(pass_list *l, const char *name, const pass_options *o);
/* Parses a list of passes. Values are quoted if they contain spaces.
 *
 * pipeline ::= (name ('{' options '}')? | name '(' pipeline ')'),*
 * options  ::= (name ('=' value)?)*
 *
 * @return false after a diagnostic */
bool pass_list_parse(tess_ctx *ctx, pass_list *l, const char *text);

typedef void dump_fn(void *user, tess_str text);
/* Receives the processor time of this thread that a step took, in seconds. */
typedef void timed_fn(void *user, const char *what, double seconds);

/* When to verify the program. Verifying it between the passes of our own pipelines checks our code
 * rather than the user's program and costs more than the passes, so only builds with assertions do
 * it by default. */
typedef enum verify_when { VERIFY_NEVER, VERIFY_NAMED, VERIFY_EACH } verify_when;

typedef struct run_opts {
	verify_when verify;
	timed_fn *timed;  /* may be NULL */
	bool dump_all;    /* write every intermediate program to `dump` */
	dump_fn *dump;
	void *user;
	mlir_print_opts print;
} run_opts;
bool pass_list_run(module *m, const pass_list *l, const run_opts *o);
/* Like pass_list_run(), but module_main() returns the same function afterward: passes reorder
 * functions, which matters in a program without @main. */
bool pass_list_run_on_main(module *m, const pass_list *l, const run_opts *o);
/* Runs a list of passes given as text, with default run options. */
bool passes_run(module *m, const char *text);
/* Propagates as in the program that XLA compiles, and leaves reshards to the partitioner; for
 * everything that is partitioned, run or reported. */
bool propagate_for_partitioning(module *m);
/* Inserts reshards where Shardy would, so that the partitioner has none to place. */
bool reshard_as_shardy(module *m);
/* For timing steps other than passes: the time, or 0 if not timed; reports the time since. */
double run_clock(const run_opts *o);
void run_timed(const run_opts *o, const char *what, double since);

/* ---- programs between `// -----` lines (opt.c) ---------------------------------------- */

/* Splits the next program off *rest; *line is the number of its first line and advances with it.
 * Returns false at the end. */
bool split_next(tess_str *rest, uint32_t *line, tess_str *chunk, uint32_t *chunk_line);

/* ---- expected diagnostics (expect.c) ---------------------------------------------------- */

/* A difference found by the comparison, for the report at the end. */
typedef struct mismatch {
	place at;
	const char *text;
} mismatch;
typedef VEC(mismatch) mismatch_list;

/* Compares the context's diagnostics with the `expected-…` comments of the text, adds the
 * differences to `out` (in `mem`), and clears the diagnostics. */
void expect_compare(tess_ctx *ctx, source *src, bool any_note, arena *mem, mismatch_list *out);

/* ---- tess opt (opt.c) ----------------------------------------------------------------------- */

typedef struct opt_opts {
	const char *pipeline; /* may be NULL */
	bool split_input, verify_diagnostics, any_note, allow_unregistered;
	bool mapped; /* the text is a mapped file */
	module *(*read)(tess_ctx *ctx, source *src, const mlir_parse_opts *opts);
	run_opts run;
} opt_opts;
tess_status opt_run(tess_ctx *ctx, const char *name, tess_str text, const opt_opts *o,
                    writer *out);

#endif
