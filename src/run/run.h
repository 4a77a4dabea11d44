/* run.h - the interface of run: runs a program on all its devices, and verifies the results.
 *
 * A session is a program made ready to run: program.c propagates and partitions a copy of it,
 * plan.c plans that for exec, and session.c runs the plan on whole tensors, which tensors.c cuts
 * into shards and pastes together again. verify.c compares sessions of the same program.
 *
 * If memory runs out, functions unwind to their caller's frame; session_free() then releases what
 * the session holds. */
#ifndef TESS_RUN_RUN_H
#define TESS_RUN_RUN_H

#include "base/pool.h"
#include "exec/exec.h"
#include "partition/partition.h"
#include "run/npz/npz.h"

#include <tessera/shards.h>
#include <tessera/verify.h>

typedef struct tess_exec session;

/* The options of a session: the public ones, and those needed to compare sessions. */
typedef struct session_opts {
	tess_exec_opts exec;
	transport *ranks; /* transport for exec.ranks */
	/* Perturbs the inputs of each run: about half of the floats change by one unit in the last
	 * place (nudge.c). */
	bool nudged;
	/* Adds values of @main as outputs after its results: skips the first `watch_first`, takes
	 * at most `watch_count`; constants do not count. */
	int64_t watch_first, watch_count;
	/* A per-device program, partitioned elsewhere, to run in place of ours. The session's
	 * program says how arguments and results are sharded. */
	const module *local;
} session_opts;

/* Creates a session without a program. @return NULL if there is no memory */
session *session_new(tess_ctx *ctx, const session_opts *o);
/* Prepares a copy of the program and plans it, unless dimensions are known only with the inputs.
 * @return TESS_OK, or TESS_INVALID with the errors in the context */
tess_status session_make(session *s, const module *m);
/* Drops a reference; the last one frees the session. */
void session_free(session *s);
/* Adds a reference and returns the session. A session that runs on shards may be shared and freed
 * from any thread. */
session *session_share(session *s);
bool session_is_shared(const session *s);
/* Has ended(user) called when the session has been freed. */
void session_on_end(session *s, void (*ended)(void *user), void *user);

/* Implements tess_exec_run(). */
tess_status session_run(session *s, const tess_tensor *inputs, size_t n);
/* Drops the plan of a run that was unwound: it may be incomplete. */
void session_drop_half_plan(session *s);

tess_ctx *session_ctx(const session *s);
int64_t session_devices(const session *s);
exec_facts session_facts(const session *s);
/* The number of arguments that are not tokens, and the type of argument i, without data. */
int session_n_inputs(const session *s);
tess_tensor session_input(const session *s, int i);
/* The same for results, followed by watched values; with the data of the last run. */
int session_n_outputs(const session *s);
tess_tensor session_output(const session *s, int i);
tess_tensor tensor_of_type(const type *t, const void *data);
/* Writes when each task of the last run ran. */
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
	/* set by the caller: */
	tess_ctx *ctx;
	const module *m, *local; /* local: NULL if we partition */
	tess_verify_opts opts;
	transport *ranks; /* transport for opts.ranks */
	tess_verdict *verdict;
	/* set by verify(): */
	bool compared; /* the verdict is complete */
	session *parts;
	session *whole;  /* NULL: there is no whole program */
	session *nudged; /* like `whole`, on perturbed inputs; NULL: not needed */
	const tess_tensor *inputs;
	size_t n_inputs;
	void **random; /* memory of the random inputs */
	double began;     /* clock reading, in seconds */
	const char *what; /* the run in progress */
	module *propagated; /* the program that is searched for the first difference */
	verification_search search;
} verification;

/* Implements tess_verify(). */
tess_status verify(verification *v);
/* Releases what verify() allocated except the verdict, also after memory ran out. */
void verification_end(verification *v);

/* ---- program.c ---- */

/* Lists the global types of the arguments or results of @main that are not tokens, in scratch
 * memory. @return their number; -1 with the errors in the context */
int program_signature(module *m, bool results, const type *const **types);

/* ---- shards.c: sessions with opts.exec.shards ----------------------------------------------- */

typedef struct shard_run shard_run;

/* One tess_exec_run_shards(): its arguments, and its state. */
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

/* Implements tess_exec_run_shards() without using the session's own context: shards_explain()
 * reports an error to a given context. shards_end() must follow; it consumes donated inputs. */
tess_status shards_run(shard_call *c);
/* True if runs communicate with other ranks, which wait for them. shards_give_up() tells these that
 * a run will not take place. */
bool shards_talk(const session *s);
void shards_give_up(const session *s, const char *why);
void shards_explain(const shard_call *c, tess_ctx *errors);
void shards_end(shard_call *c);

/* True if runs can be on shards. (session.c) */
bool session_has_shards(const session *s);
/* The type of a device's shard of an input or output, and the global value with its sharding. */
const type *session_input_shard(const session *s, int i);
const type *session_output_shard(const session *s, int i);
const global_value *session_input_value(const session *s, int i);
const global_value *session_output_value(const session *s, int i);

/* ---- buffer.c, store.c ---- */

/* Recycled memory for buffers. Buffers may outlive their store. */
typedef struct buffer_store buffer_store;
buffer_store *store_new(void); /* NULL: no memory; a store is optional */
void store_free(buffer_store *s);

tess_buffer *buffer_new(size_t bytes);
/* Creates n buffers; returns false if memory runs out, with those created so far in `out`. */
bool buffers_new(buffer_store *store, size_t bytes, int n, tess_buffer **out);
tess_buffer *buffer_wrap(const void *data, size_t bytes, void (*release)(void *user), void *user);
void *buffer_data(const tess_buffer *b);
size_t buffer_bytes(const tess_buffer *b);
/* Add or drop n references. */
void buffer_retain(tess_buffer *b, int64_t n);
void buffer_release(tess_buffer *b, int64_t n);

/* ---- idle.c ---- */

typedef struct idle_runs idle_runs;
idle_runs *idle_runs_new(void); /* NULL: no memory */
void idle_runs_free(idle_runs *all); /* after the plans; `all` may be NULL */

/* What several programs share. */
struct tess_pool {
	pool *threads;
	buffer_store *store;
	idle_runs *idle;
};

/* ---- compare.c ---- */

tess_tolerance tolerance_of(dtype t);
/* True if two tensors of one type agree. `nudged` is what `expected` becomes on perturbed inputs:
 * the tensors may then differ as much as such noise. It may be NULL. */
bool tensors_agree(const tess_tensor *got, const tess_tensor *expected, const tess_tensor *nudged,
                   tess_tolerance tolerance, tess_difference *out);

#endif
