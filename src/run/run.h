/* run.h - the door of run: from a program to the results that its devices compute together, and
 * whether they are right.
 *
 * A session is a program made ready to run: program.c propagates and partitions a copy of it, plan.c
 * plans that for exec, session.c runs the plan on whole tensors, which tensors.c cuts into the shards
 * of devices and puts together again.  verify.c compares sessions of the same program.
 *
 * Functions unwind to the frame of their caller when memory runs out; what hangs off a session then
 * is released by session_free(). */
#ifndef TESS_RUN_RUN_H
#define TESS_RUN_RUN_H

#include "base/pool.h"
#include "exec/exec.h"
#include "partition/partition.h"
#include "run/npz/npz.h"

#include <tessera/shards.h>
#include <tessera/verify.h>

typedef struct tess_exec session;

/* What a session is made with: what everybody may ask for, and what comparing sessions needs. */
typedef struct session_opts {
	tess_exec_opts exec;
	transport *ranks; /* of exec.ranks */
	/* Each run is one of other inputs: about half of the floats are changed by one unit in the last
	 * place (nudge.c). */
	bool nudged;
	/* Values of operations of @main, the first `watch_first` left out, at most `watch_count`, are
	 * outputs behind the results; constants are not counted. */
	int64_t watch_first, watch_count;
	/* A program of one device, partitioned elsewhere, to be run in the place of ours; the program of
	 * the session says how arguments and results are spread. */
	const module *local;
} session_opts;

/* @return a session without a program, to release with session_free(); NULL: there is no memory. */
session *session_new(tess_ctx *ctx, const session_opts *o);
/* Gives it a copy of the program, and plans that, unless dimensions are known only when there are
 * inputs.  @return TESS_OK, or TESS_INVALID once the errors are in the context. */
tess_status session_make(session *s, const module *m);
/* Gives up a reference; with the last one the session ends. */
void session_free(session *s);
/* The session, with one more reference.  Any thread may share and free one that is run on shards. */
session *session_share(session *s);
bool session_is_shared(const session *s);
/* Has ended(user) called when nothing of the session is left. */
void session_on_end(session *s, void (*ended)(void *user), void *user);

/* As tess_exec_run(). */
tess_status session_run(session *s, const tess_tensor *inputs, size_t n);
/* Forgets the plan of a run that was unwound: it may be half of one. */
void session_drop_half_plan(session *s);

tess_ctx *session_ctx(const session *s);
int64_t session_devices(const session *s);
exec_facts session_facts(const session *s);
/* How many arguments that are no tokens there are; what argument i is, without data. */
int session_n_inputs(const session *s);
tess_tensor session_input(const session *s, int i);
/* The same of results, watched values behind them; with the data of the last run. */
int session_n_outputs(const session *s);
tess_tensor session_output(const session *s, int i);
tess_tensor tensor_of_type(const type *t, const void *data);
/* When each task of the last run ran. */
void session_trace(const session *s, writer *w);

/* ---- verify.c ---- */

struct tess_verdict {
	tess_ctx *ctx;
	arena mem;
	int64_t devices;
	int n_wrong;
	VEC(tess_comparison) comparisons;
};

typedef struct verification_search {
	session *parts, *whole, *nudged;
} verification_search;

typedef struct verification {
	/* to be set */
	tess_ctx *ctx;
	const module *m, *local; /* local NULL: we partition */
	tess_verify_opts opts;
	transport *ranks; /* of opts.ranks */
	tess_verdict *verdict;
	/* by verify() */
	bool compared; /* the verdict counts */
	session *parts;
	session *whole;  /* NULL: there is no whole program */
	session *nudged; /* as `whole`, on inputs that differ by a rounding; NULL: not needed */
	const tess_tensor *inputs;
	size_t n_inputs;
	void **random; /* what they were made in */
	double began;     /* seconds of a clock */
	const char *what; /* the run that is made */
	module *propagated; /* in which the first difference is looked for */
	verification_search search;
} verification;

/* As tess_verify(). */
tess_status verify(verification *v);
/* Releases what verify() made but for the verdict, also if memory ran out meanwhile. */
void verification_end(verification *v);

/* ---- program.c ---- */

/* What a run of the program takes, or gives: global types of the arguments or results of @main that
 * are no tokens, in the scratch memory.  @return their number; -1 once the errors are in the
 * context. */
int program_signature(module *m, bool results, const type *const **types);

/* ---- shards.c: sessions with opts.exec.shards ---- */

typedef struct shard_run shard_run;

/* One run: of tess_exec_run_shards() the arguments, and what is made of them. */
typedef struct shard_call {
	const session *s;
	tess_buffer *const *inputs;
	const bool *donated;
	tess_buffer **outputs;
	shard_run *run;
	bool wrong; /* this input of this device does not fit */
	int wrong_input;
	int64_t wrong_device;
} shard_call;

/* As tess_exec_run_shards(), but for the reasons: shards_explain() puts them into a context, and
 * shards_end() has to follow, which takes what is donated.  The session's own context is not used. */
tess_status shards_run(shard_call *c);
/* Whether a run exchanges anything with other ranks, which wait for it; that it does not take place here. */
bool shards_talk(const session *s);
void shards_give_up(const session *s, const char *why);
void shards_explain(const shard_call *c, tess_ctx *errors);
void shards_end(shard_call *c);

bool session_has_shards(const session *s);
/* What a device holds of an input or output, and how that is spread. */
const type *session_input_shard(const session *s, int i);
const type *session_output_shard(const session *s, int i);
const global_value *session_input_value(const session *s, int i);
const global_value *session_output_value(const session *s, int i);

/* ---- buffer.c, store.c ---- */

/* Memory for buffers, kept for the next; buffers may live longer. */
typedef struct buffer_store buffer_store;
buffer_store *store_new(void); /* NULL: there is no memory, and there need not be a store */
void store_free(buffer_store *s);

/* ---- idle.c ---- */

typedef struct idle_runs idle_runs;
idle_runs *idle_runs_new(void); /* NULL: there is no memory */
void idle_runs_free(idle_runs *all); /* after the plans; NULL: nothing */

/* What several programs share. */
struct tess_pool {
	pool *threads;
	buffer_store *store;
	idle_runs *idle;
};

tess_buffer *buffer_new(size_t bytes);
/* n of them; false: memory has run out, and those that were made are in `out`. */
bool buffers_new(buffer_store *store, size_t bytes, int n, tess_buffer **out);
tess_buffer *buffer_wrap(const void *data, size_t bytes, void (*release)(void *user), void *user);
void *buffer_data(const tess_buffer *b);
size_t buffer_bytes(const tess_buffer *b);
/* Gives n references, or takes them. */
void buffer_retain(tess_buffer *b, int64_t n);
void buffer_release(tess_buffer *b, int64_t n);

/* ---- compare.c ---- */

tess_tolerance tolerance_of(dtype t);
/* Whether two tensors of one type agree.  With `nudged`, what `expected` becomes when inputs change
 * by a rounding, they may differ as much as noise does; it may be NULL. */
bool tensors_agree(const tess_tensor *got, const tess_tensor *expected, const tess_tensor *nudged,
                   tess_tolerance tolerance, tess_difference *out);

#endif
