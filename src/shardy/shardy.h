/* shardy.h - the door of pipeline: passes by name, and what `tess opt` does. */
#ifndef TESS_SHARDY_SHARDY_H
#define TESS_SHARDY_SHARDY_H

#include "ir/ir.h"
#include "mlir/mlir.h"

/* ---- the table of passes (passes.def) ------------------------------------------- */

typedef struct pass_list pass_list;
/* A pass of a pipeline, by its name; or, where that is NULL, that the program is written to
 * opts.dump_directory, if that is set, as `dump`. */
typedef struct pipeline_part {
	const char *pass, *dump;
	pass_options opts;
} pipeline_part;
typedef struct pipeline_parts {
	arena *mem;
	VEC(pipeline_part) list;
} pipeline_parts;
/* A pipeline: appends its parts. */
typedef void pipeline_fn(pipeline_parts *l, const pass_options *o);

typedef struct pass_def {
	const char *name; /* as sdy_opt calls it: "sdy-basic-propagate" */
	const char *summary;
	pass_fn *run;        /* NULL for a pipeline */
	pipeline_fn *expand; /* NULL for a pass */
	const char *options; /* names, separated by spaces */
} pass_def;

int pass_def_count(void);
const pass_def *pass_def_at(int i);
const pass_def *pass_def_find(tess_str name); /* NULL: there is none */
/* Whether an option belongs to a pass. */
bool pass_def_takes(const pass_def *d, const pass_option *option);

/* ---- lists of passes --------------------------------------------------------------- */

typedef struct pass_step {
	const pass_def *def;
	pass_options opts;
	const char *dump; /* a step that writes the program to a file: its name */
	bool last;        /* of what the user named: a pass, or a whole pipeline */
} pass_step;

struct pass_list {
	arena *mem;
	VEC(pass_step) steps;
	int n_dumps;
};

/* Adds a pass by its name, which must exist; a pipeline is expanded at once. */
void pass_list_add_named(pass_list *l, const char *name, const pass_options *o);
/* pipeline ::= (name ('{' options '}')? | name '(' pipeline ')'),*
 * options  ::= (name ('=' value)?)*, values quoted where they hold spaces.
 * @return false once an error is in the context. */
bool pass_list_parse(tess_ctx *ctx, pass_list *l, const char *text);

typedef void dump_fn(void *user, tess_str text);
/* What took how long, in seconds of this thread's processor time. */
typedef void timed_fn(void *user, const char *what, double seconds);

/* When the program is verified.  Between the passes of our own pipelines that checks our
 * code rather than the user's program, and costs more than the passes: only builds with
 * assertions do it unasked. */
typedef enum verify_when { VERIFY_NEVER, VERIFY_NAMED, VERIFY_EACH } verify_when;

typedef struct run_opts {
	verify_when verify;
	timed_fn *timed;  /* may be NULL */
	bool dump_all;    /* every intermediate program to `dump` */
	dump_fn *dump;
	void *user;
	mlir_print_opts print;
} run_opts;
bool pass_list_run(module *m, const pass_list *l, const run_opts *o);
/* As pass_list_run(), but module_main() returns the same function afterwards: passes change the
 * order of functions, which matters in a program without @main. */
bool pass_list_run_on_main(module *m, const pass_list *l, const run_opts *o);
/* The passes of a pipeline of our own, as pass_list_parse() reads it. */
bool passes_run(module *m, const char *text);
/* What is partitioned, run and reported: propagated as in the program that XLA compiles, and
 * left so that the partitioner puts in the reshards. */
bool propagate_for_partitioning(module *m);
/* Puts in the reshards where Shardy would, once it is propagated: the partitioner then has none to place. */
bool reshard_as_shardy(module *m);
/* For what is timed beside passes: now, 0 if nothing is timed; and the report of it. */
double run_clock(const run_opts *o);
void run_timed(const run_opts *o, const char *what, double since);

/* ---- programs between `// -----` lines (opt.c) ---------------------------------------- */

/* Takes the next program off *rest; *line is the number of its first line in the
 * file and moves along.  False: no more. */
bool split_next(tess_str *rest, uint32_t *line, tess_str *chunk, uint32_t *chunk_line);

/* ---- expected diagnostics (expect.c) ---------------------------------------------------- */

/* One thing that the comparison found, for the report at the end. */
typedef struct mismatch {
	place at;
	const char *text;
} mismatch;
typedef VEC(mismatch) mismatch_list;

/* Compares the context's diagnostics with the `expected-…` comments of the text,
 * adds the differences to `out` (in `mem`), and clears the context's. */
void expect_compare(tess_ctx *ctx, source *src, bool any_note, arena *mem, mismatch_list *out);

/* ---- all of it (opt.c) --------------------------------------------------------------------- */

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
