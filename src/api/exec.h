/* exec.h - what a tess_exec is inside. */
#ifndef TESS_API_EXEC_H
#define TESS_API_EXEC_H

#include "api/run/scatter.h"
#include <tessera/run.h>

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
	arena mem;
	arena planned; /* what goes with the plan */
	module *copy; /* the program as it was propagated */
	local_program local;
	spread *in, *out; /* of arguments and results */
	void **outputs;   /* [results], global: in the plan, or pasted */
	void **pasted;
	exec_value *args, *results;
	exec_plan *plan;
	pool *pool;
	tess_exec_opts opts;
	void **nudged; /* [arguments], with opts.nudged */
	int mantissa;  /* bits behind the point of the least precise type that is computed in */
	const type *const *open; /* the arguments' types, if dimensions are known only when there
	                            are inputs: planned by the run; else NULL */
	int n_results; /* of @main; behind them come the watched values */
	int n_watched;
	watched *watched;
};

/* ---- run/entry.c ---- */

/* Takes the tokens among the function's arguments and results away.  false: there is something
 * else that is no tensor, and a diagnostic says so. */
bool entry_make_plain(tess_exec *e, module *m, op *func);

/* ---- run/watch.c ---- */

/* Makes values of the function's body results of it, `first` of them left out, at most
 * `count`, and remembers them. */
void watch_values(tess_exec *e, module *m, op *func, int64_t first, int64_t count);

/* ---- run/nudge.c ---- */

/* Bits behind the point of the least precise float type, of two bytes or more, of any result. */
int least_mantissa(const module *m);
/* The inputs of a run with opts.nudged, in memory of e's own; NULL: there is none. */
const tess_tensor *nudge_inputs(tess_exec *e, const tess_tensor *inputs);
void nudge_free(tess_exec *e);

/* ---- run.c ---- */

/* Every device holds all of it. */
bool exec_held_whole(const spread *s);
/* The arguments' shards, cut out of the global inputs. */
tess_status exec_cut_inputs(tess_exec *e, const tess_tensor *inputs);

/* ---- run/run_make.c ---- */

/* The program planned for these inputs, unless the plan at hand serves them. */
tess_status exec_plan_for(tess_exec *e, const tess_tensor *inputs);
void exec_drop_plan(tess_exec *e);

#endif
