/* session.h - inside of run: what a session consists of. */
#ifndef TESS_RUN_SESSION_H
#define TESS_RUN_SESSION_H

#include "run/run.h"
#include "run/scatter.h"

#include <stdatomic.h>

/* A value of the program that is an output besides the results of @main. */
typedef struct watched {
	place at;
	const char *op; /* "stablehlo.add" */
	global_value global; /* in a program of one device: its type alone */
	int n_operands;
	const int *operands; /* those that are watched, too */
} watched;

struct tess_exec {
	tess_ctx *ctx;
	atomic_int references;
	void (*ended)(void *user); /* called at last; may be NULL */
	void *ended_user;
	arena mem;
	arena planned; /* what goes with the plan */
	module *copy; /* the program as it was propagated */
	local_program local;
	distribution *in, *out; /* of arguments and results */
	void **outputs;   /* [results], global: in the plan, or pasted */
	void **pasted;
	exec_value *args, *results;
	exec_plan *plan;
	tess_pool *pool, own; /* pool: somebody else's, or its own */
	struct shard_plan *shards; /* with opts.exec.shards */
	session_opts opts;
	const char *function; /* to begin with; NULL: @main */
	void **nudged; /* [arguments], with opts.nudged */
	int mantissa;  /* bits behind the point of the least precise type that is computed in */
	const type *const *open; /* the arguments' types, if dimensions are known only when there
	                            are inputs: planned by the run; else NULL */
	module *unsized;     /* of a mesh, with such arguments: partitioned by the run, too; else NULL */
	exec_plan *sized_by; /* has the program of that for the inputs of the last run */
	int n_results; /* of @main; behind them come the watched values */
	int n_watched;
	watched *watched;
};

/* ---- entry.c ---- */

/* Takes the tokens among the function's arguments and results away.  false: there is something
 * else that is no tensor, and a diagnostic says so. */
bool entry_make_plain(module *m, op *func);

/* ---- watch.c ---- */

/* Makes values of the function's body results of it, `first` of them left out, at most
 * `count`, and remembers them. */
void watch_values(session *s, module *m, op *func, int64_t first, int64_t count);

/* ---- locate.c ---- */

/* Of the values that `whole` watches the first that no value of the devices is, put together as its
 * sharding says, though what it is computed from is there; -1: none.  `local` watches values of the
 * program of one device; both have run.  `proceed` may be NULL; once it is false, none is looked for. */
int locate_by_content(session *whole, session *local, bool (*proceed)(void *, const tess_progress *),
                      void *user);
/* Reports an error at the operation of a watched value, "<operation>: <what>", and its sharding. */
void watched_blame(const session *s, int i, const char *what);

/* ---- draw.c ---- */

/* splitmix64, Steele, Lea and Flood 2014. */
uint64_t splitmix_next(uint64_t *state);
/* Fills n elements: floats in [-1, 1), or positive ones below 1, integers 0 to 3; the same for the same
 * seed. */
void tensor_random(dtype t, void *data, int64_t n, bool positive, uint64_t seed);
/* Fills n elements of `width` bytes with some of the `count` there are at `like`. */
void tensor_draw_like(void *data, int64_t n, int width, const void *like, int64_t count, uint64_t seed);
/* Whether an argument of @main is a number whose root or logarithm the program takes. */
bool input_is_positive(const module *m, const value *input);

/* ---- nudge.c ---- */

/* Bits behind the point of the least precise float type, of two bytes or more, of any result. */
int least_mantissa(const module *m);
/* The inputs of a run with opts.nudged, in memory of the session's own; NULL: there is none. */
const tess_tensor *nudge_inputs(session *s, const tess_tensor *inputs);
void nudge_free(session *s);

/* ---- program.c ---- */

/* Makes the program of the session, `local`, of its copy. */
bool program_make(session *s);
/* Makes it once more, of `unsized`, for arguments of these types and elements. */
bool program_make_sized(session *s, const exec_value *args);

/* ---- windows.c ---- */

/* Of no scatter a part of a window is left out, but the whole window, as XLA does it. */
void windows_stay_whole(module *m);

/* ---- plan.c ---- */

/* Says how arguments are spread over devices. */
void plan_arguments(session *s);
/* Plans the program for these arguments; their data counts where dimensions were open. */
bool plan_program(session *s);
/* Arguments of a program with open dimensions get the types of these inputs; a plan is wanted then,
 * unless the last one serves them.  false, and reported: there is no program for these inputs. */
bool plan_open_arguments(session *s, const tess_tensor *inputs, bool *unplanned);
void plan_free(session *s);

/* ---- idle.c ---- */

/* The head of what one run of a plan needs, while it is not used. */
typedef struct idle_run {
	struct idle_run *next;  /* of the same plan */
	struct idle_run **home; /* the list of these */
	struct idle_run *newer, *older; /* of all plans */
	size_t bytes;
	void (*release)(struct idle_run *r);
} idle_run;

/* One of the plan whose list that is, or NULL. */
idle_run *idle_take(idle_runs *all, idle_run **home);
void idle_give(idle_runs *all, idle_run **home, idle_run *r);

/* ---- shards.c ---- */

/* What runs on shards ask of the plan. */
void shards_plan(session *s);
void shards_free(session *s);

/* ---- tensors.c ---- */

/* Whether input i is what the program wants; else a diagnostic says what it is. */
bool tensor_fits(session *s, int i, const tess_tensor *t);
/* The arguments' shards, cut out of the global inputs. */
tess_status tensors_cut(session *s, const tess_tensor *inputs);
/* The global results, put together. */
tess_status tensors_paste(session *s);
/* Releases what they made for this plan. */
void tensors_free(session *s);

#endif
