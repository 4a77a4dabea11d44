/* session.h - the inside of a session, for the files of run. */
#ifndef TESS_RUN_SESSION_H
#define TESS_RUN_SESSION_H

#include "run/run.h"
#include "run/scatter.h"

#include <stdatomic.h>

/* A value inside the program that is an extra output. */
typedef struct watched {
	place at;
	const char *op; /* "stablehlo.add" */
	global_value global; /* in a per-device program only its type is set */
	int n_operands;
	const int *operands; /* indices of operands that are watched, too */
} watched;

struct tess_exec {
	tess_ctx *ctx;
	atomic_int references;
	void (*ended)(void *user); /* called when the session has been freed; may be NULL */
	void *ended_user;
	arena mem;
	arena planned; /* lives as long as the plan */
	module *copy; /* the program after propagation */
	local_program local;
	distribution *in, *out; /* of arguments and results */
	void **outputs;   /* [results], global: in the plan's memory, or in `pasted` */
	void **pasted;
	exec_value *args, *results;
	exec_plan *plan;
	tess_pool *pool, own; /* pool: shared, or `own` */
	struct shard_plan *shards; /* if opts.exec.shards */
	session_opts opts;
	const char *function; /* the entry; NULL: @main */
	void **nudged; /* [arguments], if opts.nudged */
	int mantissa;  /* mantissa bits of the least precise dtype that is computed in */
	const type *const *open; /* the arguments' types, if dimensions are known only with the
	                          * inputs, so that runs make the plan; else NULL */
	module *unsized;     /* a program for a mesh of that kind, which runs partition, or NULL */
	exec_plan *sized_by; /* holds `unsized` specialized to the inputs of the last run */
	int n_results; /* of @main; watched values follow */
	int n_watched;
	watched *watched;
};

/* ---- entry.c ---- */

/* Removes the tokens among the function's arguments and results. Returns false, with a diagnostic,
 * if something else is not a tensor. */
bool entry_make_plain(module *m, op *func);

/* ---- watch.c ---- */

/* Makes values of the function's body results of it, skipping the first `first` and taking at most
 * `count`, and records them. */
void watch_values(session *s, module *m, op *func, int64_t first, int64_t count);

/* ---- locate.c ---- */

/* Returns the first value watched in `whole` that no value of the devices matches, although its
 * operands are present; -1 if there is none. `local` watches values of the per-device program; both
 * have run. `proceed` may be NULL; if it returns false, the search ends. */
int locate_by_content(session *whole, session *local, bool (*proceed)(void *, const tess_progress *),
                      void *user);
/* Reports an error at a watched value's operation, "<operation>: <what>", with its sharding. */
void watched_blame(const session *s, int i, const char *what);

/* ---- draw.c ---- */

/* splitmix64 (Steele, Lea and Flood 2014). */
uint64_t splitmix_next(uint64_t *state);
/* Fills n elements with random numbers, the same for the same seed: floats in [-1, 1), or in (0, 1)
 * if positive; integers from 0 to 3. */
void tensor_random(dtype t, void *data, int64_t n, bool positive, uint64_t seed);
/* Fills n elements of `width` bytes with random ones of the `count` at `like`. */
void tensor_draw_like(void *data, int64_t n, int width, const void *like, int64_t count, uint64_t seed);
/* True if the program takes the root or logarithm of this argument of @main. */
bool input_is_positive(const module *m, const value *input);

/* ---- nudge.c ---- */

/* Returns the mantissa bits of the results' least precise float dtype of two bytes or more. */
int least_mantissa(const module *m);
/* Returns the perturbed inputs of a run with opts.nudged, in the session's memory; or NULL. */
const tess_tensor *nudge_inputs(session *s, const tess_tensor *inputs);
void nudge_free(session *s);

/* ---- program.c ---- */

/* Sets the program of the session, `local`, from its copy. */
bool program_make(session *s);
/* Sets it again, from `unsized`, for arguments with these types and elements. */
bool program_make_sized(session *s, const exec_value *args);

/* ---- windows.c ---- */

/* Makes scatters skip a window that is partly out of bounds, as XLA does. */
void windows_stay_whole(module *m);

/* ---- plan.c ---- */

/* Says how arguments are distributed over devices. */
void plan_arguments(session *s);
/* Plans the program for these arguments; their data matters only if dimensions were unknown. */
bool plan_program(session *s);
/* Gives the arguments of a program with unknown dimensions the types of these inputs; sets
 * *unplanned if the last plan does not fit them. Returns false, with a diagnostic, if there is no
 * program for these inputs. */
bool plan_open_arguments(session *s, const tess_tensor *inputs, bool *unplanned);
void plan_free(session *s);

/* ---- idle.c ---- */

/* The header of what one run of a plan needs, while it is idle. */
typedef struct idle_run {
	struct idle_run *next;  /* links in the list of its plan */
	struct idle_run **home; /* that list */
	struct idle_run *newer, *older; /* links over all plans */
	size_t bytes;
	void (*release)(struct idle_run *r);
} idle_run;

/* Returns an idle run of the plan with this list, or NULL. */
idle_run *idle_take(idle_runs *all, idle_run **home);
void idle_give(idle_runs *all, idle_run **home, idle_run *r);

/* ---- shards.c ---- */

/* Sets up what runs on shards need beyond the plan. */
void shards_plan(session *s);
void shards_free(session *s);

/* ---- tensors.c ---- */

/* True if input i fits the program; reports a diagnostic otherwise. */
bool tensor_fits(session *s, int i, const tess_tensor *t);
/* Cuts the arguments' shards out of the global inputs. */
tess_status tensors_cut(session *s, const tess_tensor *inputs);
/* Pastes the global results together. */
tess_status tensors_paste(session *s);
/* Frees what these two allocated for this plan. */
void tensors_free(session *s);

#endif
