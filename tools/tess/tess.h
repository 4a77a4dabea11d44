/* tess.h - what the subcommands of `tess` share.
 *
 * The command is a client of the library like any other: it includes
 * <tessera/...> only.  A subcommand is one file with one `command`; main.c has
 * the table. */
#ifndef TESS_TOOL_H
#define TESS_TOOL_H

#include <stdbool.h>
#include <stdio.h>
#include <tessera/core.h>
#include <tessera/diag.h>
#include <tessera/module.h>
#include <tessera/report.h>
#include <tessera/run.h>
#include <tessera/tensor.h>

/* Exit status. */
enum { EXIT_DONE = 0, EXIT_WRONG = 1, EXIT_USAGE = 2, EXIT_INTERRUPTED = 130 };

typedef struct command {
	const char *name;
	const char *args;    /* "FILE [--json]", after the name */
	const char *summary; /* one line */
	const char *about;   /* paragraphs for --help, each line ended by \n */
	const char *examples; /* lines that tests/tool/help_examples.py runs */
	const char *status;  /* what the exit status 0 and 1 say: "0    …\n1    …\n" */
	int (*run)(const struct command *self, int argc, char **argv);
} command;

extern const command cmd_opt, cmd_shard, cmd_partition, cmd_run, cmd_verify, cmd_eval,
	cmd_explain, cmd_report, cmd_plan, cmd_advise, cmd_lint, cmd_diff, cmd_hlo, cmd_convert;

/* ---- options.c: the command line ------------------------------------------------ */

typedef enum option_kind {
	OPTION_FLAG,  /* bool: --name */
	OPTION_TEXT,  /* const char *: --name VALUE or --name=VALUE */
	OPTION_INT,   /* int64_t */
	OPTION_COUNT, /* the same, not negative */
	OPTION_POSITIVE, /* the same, not 0 either */
	OPTION_THREADS, /* the same, as many as make sense */
	OPTION_BYTES, /* the same, with a unit: 72GB, 64GiB */
	OPTION_LIST,  /* text_list: may be given several times */
} option_kind;

typedef struct text_list {
	const char **ptr;
	int n;
} text_list;

typedef struct option {
	const char *name; /* without dashes; one dash or two on the command line */
	option_kind kind;
	void *to;
	const char *arg;  /* what the help calls the value */
	const char *help; /* lines, "\n" between them */
} option;

typedef struct options {
	const command *self;
	const option *table;
	int n;
	/* Called for an option that the table lacks: `name` without dashes, `value`
	 * what follows '=', or NULL.  False: unknown.  May be NULL. */
	bool (*other)(void *user, const char *name, const char *value);
	void *user;
	/* What other() knows at fewer than `least` letters' distance from name[0..len), or NULL. */
	const char *(*other_like)(const char *name, size_t len, size_t least);
	int min_files, max_files;
	/* out */
	const char **files;
	int n_files;
} options;

/* @return -1 to go on, or the exit status: --help was printed, or the command
 * line is wrong. */
int options_parse(options *o, int argc, char **argv);
void options_free(options *o);
/* How many letters of a[0..len) have to be put in, left out or changed to get `b`. */
size_t text_distance(const char *a, size_t len, const char *b);
/* "tess opt: message" and how to get help; returns EXIT_USAGE. */
int usage_error(const command *self, const char *fmt, ...);
void command_help(const command *self, const option *table, int n, FILE *to);

/* ---- manual.c: the same tables as manual pages, and for completion ------------------ */

void command_man(const command *self, const option *table, int n, FILE *to);
/* "--mesh\tthe mesh, x=2,y=4, …", a line for each option. */
void command_options(const option *table, int n, FILE *to);
void overview_man(const command *const *commands, int n, FILE *to);

/* ---- program.c: a program, and annotations for it --------------------------------- */

typedef struct program_options {
	const char *mesh, *policy, *platform;
	int64_t derivative;
	text_list sizes, inputs, outputs, constraints;
} program_options;
/* How a program is read, for commands that take no annotations. */
#define READING_OPTIONS(p)                                                                         \
	{"dim", OPTION_LIST, &(p).sizes, "NAME=SIZE",                                              \
	 "give a dynamic dimension a size: b=8, by its name in\n"                                  \
	 "jax.export, or 0.1=8: dimension 1 of argument 0"},                                       \
	{"platform", OPTION_TEXT, &(p).platform, "NAME",                                           \
	 "if jax.export wrote the program for several platforms: the\none to use; default: cpu; other programs have none"}, \
	{"vjp", OPTION_COUNT, &(p).derivative, "N",                                                \
	 "if jax.export wrote the program with derivatives: use the\none of order N; other programs have none"}
#define PROGRAM_OPTIONS(p)                                                                         \
	{"mesh", OPTION_TEXT, &(p).mesh, "MESH", "use this mesh, x=2,y=4, instead of the program's"}, \
	{"arg", OPTION_LIST, &(p).inputs, "N=SHARDING",                                            \
	 "shard argument N of @main: --arg '0=[{\"x\"}, {}]'; or all\n"                             \
	 "arguments with such a name: --arg 'params.*.w=[{}, {\"x\"}]'"},                            \
	{"result", OPTION_LIST, &(p).outputs, "N=SHARDING", "shard result N of @main"},            \
	{"constrain", OPTION_LIST, &(p).constraints, "VALUE=SHARDING",                             \
	 "shard a value inside the program: --constrain\n"                                         \
	 "'%h=[{\"x\"}, {}]' or \"h=P('x')\"; VALUE as in `tess help explain`"},                     \
	READING_OPTIONS(p)
#define POLICY_OPTION(p)                                                                           \
	{"reshard-policy", OPTION_TEXT, &(p).policy, "cost|sdy",                                   \
	 "where values change their sharding: where it costs least\n(cost, the default), or where Shardy "  \
	 "inserts reshards (sdy)"}

#define TARGET_OPTION(to)                                                                          \
	{"target", OPTION_TEXT, &(to), "MACHINE",                                                  \
	 "the machine: a name of `tess report --list-targets`, or the\nbeginning of only one; FILE:NAME " \
	 "for a table of your own;\nNAME/N with N devices to a node, or to a slice of a TPU;\n" \
	 "default: h100x8"}

/* @return NULL, and why in *status. */
tess_module *program_open(const command *self, tess_ctx *ctx, const char *path,
                          const program_options *o, tess_status *status);

/* Propagates; by the policy of Shardy, reshards are then in the program, and values stay
 * sharded as they are. */
tess_status program_propagate(tess_module *m, const program_options *o);
tess_status program_reshard(tess_module *m); /* as Shardy, after propagation */
static inline bool program_has_reshards(const program_options *o)
{
	return o->policy && o->policy[0] == 's';
}
static inline tess_reshard_policy program_policy(const program_options *o)
{
	return program_has_reshards(o) ? TESS_RESHARD_SDY : TESS_RESHARD_COST;
}

/* ---- ranks.c: one program on several processes -------------------------------------- */

typedef struct backend_options {
	const char *backend;
	int64_t patience;
} backend_options;
#define BACKEND_OPTIONS(b)                                                                            \
	{"backend", OPTION_TEXT, &(b).backend, "NAME",                                                \
	 "threads, or mpi: distribute the devices over the processes\nthat mpirun started; default: mpi " \
	 "if there are any"},                                                                        \
	{                                                                                             \
		"patience", OPTION_POSITIVE, &(b).patience, "SECONDS",                                     \
			"how long a rank waits for another; default: 300"                 \
	}

/* @return -1, or the exit status if the options are wrong. */
int backend_check(const command *self, const backend_options *o);
typedef struct backend {
	tess_ranks *ranks; /* NULL: there is one process */
	FILE *voice;       /* on ranks other than 0: where they say why they end */
} backend;
/* On ranks other than 0 nothing is printed from then on, until they end. */
tess_status backend_open(tess_ctx *ctx, const backend_options *o, backend *out);
/* Once all work is done; tells the other ranks if it failed, and what ended them is said on all.
 * @return the status of all on rank 0, TESS_OK elsewhere. */
tess_status backend_close(tess_ctx *ctx, backend *b, tess_status status);
static inline bool backend_leads(const tess_ranks *r) { return !r || tess_ranks_rank(r) == 0; }

/* ---- inputs.c ------------------------------------------------------------------------ */

void print_type(FILE *f, const tess_tensor *t); /* f32[8,16] */
/* The arrays in0, in1, … of the file, for a program of n arguments, to release with free(). */
tess_status named_inputs(const tess_npz *z, size_t n, tess_tensor **list);
/* In the place of Python's functions: what they return is zero, and a warning says so once. */
bool answer_zero(void *user, const tess_outside_call *call);
#define SKIP_CALLBACKS_OPTION(to)                                                                  \
	{"skip-callbacks", OPTION_FLAG, &(to), NULL,                                               \
	 "do not call functions of Python, as error checks do, but\ntake zeros for what they return"}
/* Runs with them. */
tess_status run_with_inputs(tess_exec *e, const tess_npz *z);

/* ---- run.c: shared with eval ------------------------------------------------------ */

/* Writes the results of the last run: out0, out1, … */
tess_status save_outputs(tess_ctx *ctx, const tess_exec *e, const char *path);

/* ---- progress.c: how far a command is, on a terminal ---------------------------------- */

/* From a second on a line says how long the command has taken, or what was said last; progress_stop() takes
 * it away, before anything is written. */
void progress_start(const char *command);
void progress_stop(void);
void progress_say(const char *fmt, ...);
bool progress_interrupted(void); /* by Ctrl-C, where it is watched */
/* Ctrl-C ends the run that these options are for, and a terminal sees how far it is. */
void progress_begin(tess_exec_opts *o);
void progress_watch(void); /* Ctrl-C alone, where progress_show() is given otherwise */
bool progress_show(void *user, const tess_progress *p);
/* Stops; TESS_STOPPED if Ctrl-C was pressed, else `status`. */
tess_status progress_end(tess_status status);
/* Says how far a long text is read. */
void progress_reading(tess_ctx *ctx);

/* ---- common.c ---------------------------------------------------------------------- */

/* With colours if standard output is a terminal. */
tess_format terminal_format(void);
/* A context, or exit: there is no memory even for that. */
tess_ctx *context_new(void);
/* Writes out what was printed; `code`, or EXIT_WRONG and a message if that cannot be done. */
int finish_output(int code);
/* Prints what the context has to say, on standard error; frees the context. */
int finish(tess_ctx *ctx, tess_status status);
void print_diags(tess_ctx *ctx);
/* What a command does with its one FILE; `own` are its options. */
typedef tess_status file_work(const command *self, tess_ctx *ctx, const char *path, void *own);
/* Reads the command line into the table's variables, and does the work.  @return exit status */
int on_one_file(const command *self, int argc, char **argv, const option *table, int n,
                file_work *work, void *own);
/* Writes to a file, or to standard output if path is NULL or "-". */
bool write_text(const command *self, const char *path, tess_str text);
/* The same, but on a terminal only the first lines, and how many more there are.  For lists, and
 * programs, that people read; not for what other programs do. */
bool write_list(const command *self, const char *path, tess_str text);
/* Writes a text of the library's in one of these ways and releases it.
 * @return TESS_OK, TESS_INVALID if it is NULL, TESS_IO. */
tess_status give_text(const command *self, const char *path, char *text, bool list);
/* Writes a text to standard output and a page, if there is a path for it, there; one to standard output
 * takes the text's place.  Releases both.  @return TESS_OK, TESS_IO. */
tess_status give_text_and_page(const command *self, char *text, char *page, const char *path);

#endif
