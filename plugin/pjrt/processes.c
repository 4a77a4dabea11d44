/* processes.c - clients of several processes: they find each other, and number their devices.
 *
 * JAX says how many processes there are and which this is (num_nodes, node_id), and lends the key-value
 * store of jax.distributed, by which they find each other's addresses; or `mpirun` has started them.
 * Devices are numbered process by process: a process learns from the others how many they have by a
 * program of one number for each, which all gather. */
#include "host.h"
#include "plugin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- the key-value store ------------------------------------------------------------------- */

typedef struct board {
	const PJRT_Client_Create_Args *args;
	char prefix[48];
} board;

/* What the callbacks make their errors with. */
static PJRT_Error *make_error(PJRT_Error_Code code, const char *message, size_t n)
{
	return error_new(code, "%.*s", (int)n, message);
}

static PJRT_CallbackError make_error_pointer = make_error;

static void board_key(const board *b, const char *key, char *out, size_t bytes)
{
	snprintf(out, bytes, "%s%s", b->prefix, key);
}

static bool board_put(void *user, const char *key, const char *text)
{
	const board *b = user;
	char full[96];
	board_key(b, key, full, sizeof full);
	PJRT_KeyValuePutCallback_Args args = {
	    .struct_size = sizeof args, .key = full, .key_size = strlen(full), .value = text,
	    .value_size = strlen(text), .callback_error = &make_error_pointer,
	    .user_arg = b->args->kv_put_user_arg,
	};
	PJRT_Error *e = b->args->kv_put_callback(&args);
	error_drop(e);
	return !e;
}

/* The store's own waiting may end early, with an error: then this one waits a little. */
static char *board_get(void *user, const char *key, double seconds)
{
	const board *b = user;
	const double begin = seconds_now();
	char full[96];
	board_key(b, key, full, sizeof full);
	PJRT_KeyValueGetCallback_Args args = {
	    .struct_size = sizeof args, .key = full, .key_size = strlen(full),
	    .timeout_in_ms = seconds < 0.001 ? 1 : (int)(seconds * 1000),
	    .callback_error = &make_error_pointer, .user_arg = b->args->kv_get_user_arg,
	};
	PJRT_Error *e = b->args->kv_get_callback(&args);
	char *text = NULL;
	if (!e && (text = malloc(args.value_size + 1))) {
		memcpy(text, args.value, args.value_size);
		text[args.value_size] = 0;
	}
	if (!e && args.value_deleter_callback)
		args.value_deleter_callback(args.value);
	if (e && seconds > 0.2 && seconds_now() - begin < seconds / 2)
		nanosleep(&(struct timespec){0, 100000000}, NULL);
	error_drop(e);
	return text;
}

/* ---- how many devices the others have ------------------------------------------------------ */

static tess_exec *plan_count(PJRT_Client *c, int n)
{
	char text[400];
	snprintf(text, sizeof text,
	         "sdy.mesh @all = <[\"p\"=%d]>\n"
	         "func.func @main(%%a: tensor<%dxi32> {sdy.sharding = #sdy.sharding<@all, [{\"p\"}]>})\n"
	         "    -> (tensor<%dxi32> {sdy.sharding = #sdy.sharding<@all, [{}]>}) {\n"
	         "  return %%a : tensor<%dxi32>\n}\n", n, n, n, n);
	tess_module *m = tess_module_parse(c->ranks_ctx, (tess_str){text, strlen(text)}, "devices", NULL);
	tess_exec_opts opts = TESS_EXEC_OPTS_INIT;
	opts.shards = true;
	opts.ranks = c->ranks;
	opts.threads = 1;
	tess_exec *e = m ? tess_exec_new(m, &opts) : NULL;
	tess_module_free(m);
	return e;
}

/* counts: [n]. */
static tess_status run_count(PJRT_Client *c, tess_exec *e, int n, int32_t *counts)
{
	tess_buffer **in = calloc((size_t)n, sizeof *in), **out = calloc((size_t)n, sizeof *out),
		    *own = tess_buffer_new(sizeof *counts);
	tess_status status = TESS_NOMEM;
	if (in && out && own) {
		memcpy(tess_buffer_data(own), &c->n_own, sizeof *counts);
		in[c->process] = own;
		status = tess_exec_run_shards(e, in, NULL, out, c->ranks_ctx);
	}
	if (status == TESS_OK)
		memcpy(counts, tess_buffer_data(out[c->process]), sizeof *counts * (size_t)n);
	if (status == TESS_OK)
		tess_buffer_free(out[c->process]);
	tess_buffer_free(own);
	free(in);
	free(out);
	return status;
}

/* Sets where the devices of each process begin. */
static PJRT_Error *count_devices(PJRT_Client *c)
{
	const int n = c->n_processes;
	int32_t *counts = calloc((size_t)n, sizeof *counts);
	c->first_of = calloc((size_t)n + 1, sizeof *c->first_of);
	tess_exec *e = counts && c->first_of ? plan_count(c, n) : NULL;
	const tess_status status = e ? run_count(c, e, n, counts) : TESS_NOMEM;
	tess_exec_free(e);
	for (int k = 0; status == TESS_OK && k < n; k++)
		c->first_of[k + 1] = c->first_of[k] + counts[k];
	free(counts);
	return status == TESS_OK
	           ? NULL
	           : error_of_context(c->ranks_ctx, status, "the processes cannot count their devices");
}

/* ---- how it ends ------------------------------------------------------------------------------ */

/* Clients that belong to others of other processes. */
static pthread_mutex_t clients_lock = PTHREAD_MUTEX_INITIALIZER;
static PJRT_Client *clients;

static void clients_add(PJRT_Client *c)
{
	pthread_mutex_lock(&clients_lock);
	c->next = clients;
	clients = c;
	pthread_mutex_unlock(&clients_lock);
}

static void clients_remove(const PJRT_Client *c)
{
	pthread_mutex_lock(&clients_lock);
	PJRT_Client **at = &clients;
	while (*at && *at != c)
		at = &(*at)->next;
	if (*at)
		*at = c->next;
	pthread_mutex_unlock(&clients_lock);
}

void tess_pjrt_leave(const char *why)
{
	pthread_mutex_lock(&clients_lock);
	for (PJRT_Client *c = clients; c; c = c->next)
		tess_ranks_leave(c->ranks, why);
	pthread_mutex_unlock(&clients_lock);
}

/* ---- all together --------------------------------------------------------------------------- */

static PJRT_Error *check_options(const PJRT_Client *c, bool mpi)
{
	const process_options *o = &c->wanted;
	if (o->transport[0] && !mpi && strcmp(o->transport, "tcp") != 0)
		return error_new(PJRT_Error_Code_INVALID_ARGUMENT,
		                 "tessera: option ranks must be tcp or mpi, not %s", o->transport);
	if (!mpi && o->transport[0] && o->count < 1)
		return error_new(PJRT_Error_Code_INVALID_ARGUMENT,
		                 "tessera: ranks=tcp needs jax.distributed.initialize()");
	if (o->count > 0 && (o->index < 0 || o->index >= o->count))
		return error_new(PJRT_Error_Code_INVALID_ARGUMENT,
		                 "tessera: node_id must be from 0 to %lld, not %lld",
		                 (long long)o->count - 1, (long long)o->index);
	return NULL;
}

/* Of several clients of one process, one behind the other, each has keys of its own. */
static PJRT_Error *open_ranks(PJRT_Client *c, const PJRT_Client_Create_Args *args, bool mpi)
{
	static atomic_int clients;
	board b = {.args = args};
	tess_ranks_opts o = TESS_RANKS_OPTS_INIT;
	snprintf(b.prefix, sizeof b.prefix, "tessera/%d/", atomic_fetch_add(&clients, 1));
	o.patience = (double)c->wanted.patience;
	o.rank = (int)c->wanted.index;
	o.count = (int)c->wanted.count;
	o.host = c->wanted.host[0] ? c->wanted.host : NULL;
	o.put = board_put;
	o.get = board_get;
	o.user = &b;
	o.linger = 10;
	c->ranks = tess_ranks_open(c->ranks_ctx, mpi ? "mpi" : "tcp", &o);
	if (!c->ranks)
		return error_of_context(c->ranks_ctx, TESS_FAILED, "the processes do not find each other");
	c->process = tess_ranks_rank(c->ranks);
	c->n_processes = tess_ranks_count(c->ranks);
	if (c->wanted.count > 0 && (c->process != c->wanted.index || c->n_processes != c->wanted.count))
		return error_new(PJRT_Error_Code_INVALID_ARGUMENT,
		                 "tessera: this is rank %d of %d for MPI, and process %lld of %lld for "
		                 "jax.distributed", c->process, c->n_processes,
		                 (long long)c->wanted.index, (long long)c->wanted.count);
	return NULL;
}

PJRT_Error *processes_join(PJRT_Client *c, const PJRT_Client_Create_Args *args)
{
	const bool mpi = strcmp(c->wanted.transport, "mpi") == 0;
	PJRT_Error *e = check_options(c, mpi);
	c->n_own = c->n_devices;
	c->n_processes = 1;
	if (e || (!mpi && c->wanted.count <= 1))
		return e;
	c->ranks_ctx = tess_ctx_new(NULL);
	e = c->ranks_ctx ? open_ranks(c, args, mpi) : error_no_memory();
	if (!e)
		e = count_devices(c);
	if (e)
		return e;
	clients_add(c);
	trace_is_of(c->process);
	c->first_own = c->first_of[c->process];
	c->n_devices = c->first_of[c->n_processes];
	return NULL;
}

int process_of_device(const PJRT_Client *c, int id)
{
	int k = 0;
	while (c->first_of && id >= c->first_of[k + 1])
		k++;
	return k;
}

/* The others hear that this process has ended; what it still owes them is sent. */
void processes_leave(PJRT_Client *c)
{
	clients_remove(c);
	tess_ranks_close(c->ranks, NULL);
	tess_ctx_free(c->ranks_ctx);
	free(c->first_of);
}
