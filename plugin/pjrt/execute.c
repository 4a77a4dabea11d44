/* execute.c - a run: the buffers of all devices go in, and buffers come out.
 *
 * What is quick runs at once, if nothing waits before it; the rest on the client's thread, in the
 * order of the calls.  A run that fails poisons its results: whoever asks for them, or runs a program
 * on them, gets its error. */
#include "plugin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* It and its lists are one piece of memory. */
typedef struct run {
	task task;
	PJRT_Executable *x;
	cell **inputs;  /* [input * plan devices + device], each held */
	cell **outputs; /* [output * plan devices + device], each held */
	tess_buffer **in, **out; /* their buffers, while it runs */
	bool *donated;  /* [input]; NULL: none is */
	PJRT_Event *done;
	unsigned interrupts; /* that there were when it was called */
} run;

static size_t n_inputs(const PJRT_Executable *x)
{
	return (size_t)x->n_inputs * (size_t)x->n_plan_devices;
}

static size_t n_outputs(const PJRT_Executable *x)
{
	return (size_t)x->n_outputs * (size_t)x->n_plan_devices;
}

static run *run_new(PJRT_Executable *x)
{
	const size_t n_in = n_inputs(x), n_out = n_outputs(x);
	run *r = calloc(1, sizeof *r + sizeof(void *) * 2 * (n_in + n_out) +
	                       sizeof *r->donated * (size_t)x->n_inputs);
	if (!r)
		return NULL;
	r->x = executable_retain(x);
	r->interrupts = interrupts_now();
	if (x->calls_host)
		host_runs_add(1);
	r->inputs = (cell **)(r + 1);
	r->outputs = r->inputs + n_in;
	r->in = (tess_buffer **)(r->outputs + n_out);
	r->out = r->in + n_in;
	return r;
}

static void cells_release(cell **cells, size_t n)
{
	for (size_t i = 0; i < n; i++)
		cell_release(cells[i]);
}

static void run_free(run *r)
{
	if (!r)
		return;
	cells_release(r->inputs, n_inputs(r->x));
	cells_release(r->outputs, n_outputs(r->x));
	event_release(r->done);
	if (r->x->calls_host)
		host_runs_add(-1);
	executable_release(r->x);
	free(r);
}

/* Devices of this process that the plan knows apart, and their numbers in it. */
static int n_takers(const PJRT_Executable *x) { return x->n_plan_devices == 1 ? 1 : x->n_devices; }

static size_t plan_device(const PJRT_Executable *x, size_t device)
{
	return x->n_plan_devices == 1 ? 0 : (size_t)x->at[device];
}

/* Inputs and outputs of the plan, [number * plan devices + device], are there for these only. */
static bool is_here(const PJRT_Executable *x, size_t place)
{
	return x->n_plan_devices == 1 || x->own[place % (size_t)x->n_plan_devices];
}

/* ---- arguments ------------------------------------------------------------------------------- */

static PJRT_Error *check_argument(const PJRT_Executable *x, const PJRT_Buffer *b, int i)
{
	const port *p = &x->arguments[i];
	if (b->deleted)
		return error_new(PJRT_Error_Code_INVALID_ARGUMENT,
		                 "tessera: argument %d of %s was deleted or donated", i, x->name);
	if (b->type != p->type || b->rank != p->rank ||
	    memcmp(b->dims, p->dims, sizeof *b->dims * (size_t)b->rank) != 0)
		return error_new(PJRT_Error_Code_INVALID_ARGUMENT,
		                 "tessera: argument %d of %s has another type than what it was "
		                 "compiled for", i, x->name);
	return NULL;
}

static PJRT_Error *take_arguments(run *r, const PJRT_LoadedExecutable_Execute_Args *args)
{
	PJRT_Executable *x = r->x;
	for (int i = 0; i < x->n_arguments; i++) {
		int64_t k = x->arguments[i].number;
		for (int d = 0; d < n_takers(x) && k >= 0; d++) {
			PJRT_Buffer *b = args->argument_lists[d][i];
			PJRT_Error *e = check_argument(x, b, i);
			if (e)
				return e;
			r->inputs[k * x->n_plan_devices + plan_device(x, (size_t)d)] =
			    cell_retain(b->cell);
		}
	}
	return NULL;
}

static bool may_be_donated(const PJRT_ExecuteOptions *options, int i)
{
	for (size_t k = 0; k < options->num_non_donatable_input_indices; k++)
		if (options->non_donatable_input_indices[k] == i)
			return false;
	return true;
}

/* A donated argument is no other argument. */
static PJRT_Error *check_donors(const PJRT_LoadedExecutable_Execute_Args *args)
{
	const PJRT_Executable *x = args->executable->x;
	for (int i = 0; i < x->n_arguments; i++) {
		if (!x->arguments[i].donated || !may_be_donated(args->options, i))
			continue;
		for (size_t d = 0; d < args->num_devices; d++)
			for (int k = 0; k < x->n_arguments; k++)
				if (k != i && args->argument_lists[d][k] == args->argument_lists[d][i])
					return error_new(PJRT_Error_Code_INVALID_ARGUMENT,
					                 "tessera: argument %d of %s is donated, and is "
					                 "argument %d too", i, x->name, k);
	}
	return NULL;
}

/* The buffers are gone for the caller, whatever becomes of the run.  Their memory is the run's
 * unless somebody looks at it from outside. */
static void donate(run *r, const PJRT_LoadedExecutable_Execute_Args *args)
{
	PJRT_Executable *x = r->x;
	for (int i = 0; i < x->n_arguments; i++) {
		if (!x->arguments[i].donated || !may_be_donated(args->options, i))
			continue;
		bool seen = false;
		for (size_t d = 0; d < args->num_devices; d++)
			seen |= atomic_load(&args->argument_lists[d][i]->outside) > 0;
		if (!seen) {
			r->donated = (bool *)(r->out + n_outputs(x));
			r->donated[x->arguments[i].number] = true;
		}
		for (size_t d = 0; d < args->num_devices; d++)
			device_buffer_delete(args->argument_lists[d][i]);
	}
}

/* ---- results ------------------------------------------------------------------------------------ */

static PJRT_Buffer *token_new(device_memory *m)
{
	return device_buffer_new(m, PJRT_Buffer_Type_TOKEN, NULL, 0,
	                  cell_new(event_done(), tess_buffer_new(1)));
}

static PJRT_Buffer *result_new(const run *r, int i, size_t device, PJRT_Device *on)
{
	const PJRT_Executable *x = r->x;
	const port *p = &x->results[i];
	device_memory *m = &on->memory[p->memory_kind];
	if (p->number < 0)
		return token_new(m);
	cell *c = r->outputs[(size_t)p->number * (size_t)x->n_plan_devices + plan_device(x, device)];
	PJRT_Buffer *b = device_buffer_new(m, p->type, p->dims, p->rank, cell_retain(c));
	if (b)
		device_buffer_set_order(b, p->order);
	return b;
}

/* The first ones, device by device. */
static void drop_results(PJRT_LoadedExecutable_Execute_Args *args, int n_results, size_t n)
{
	const size_t each = (size_t)n_results;
	for (size_t k = 0; k < n; k++)
		pjrt_Buffer_Destroy(&(PJRT_Buffer_Destroy_Args){
		    .buffer = args->output_lists[k / each][k % each]});
}

static PJRT_Error *give_results(const run *r, PJRT_LoadedExecutable_Execute_Args *args)
{
	int n = r->x->n_results;
	PJRT_Device *alone = is_replicated(r->x) ? args->execute_device : NULL;
	for (size_t d = 0; d < args->num_devices; d++)
		for (int i = 0; i < n; i++)
			if (!(args->output_lists[d][i] =
			          result_new(r, i, d, alone ? alone : r->x->devices[d]))) {
				drop_results(args, n, d * (size_t)n + (size_t)i);
				return error_no_memory();
			}
	for (size_t d = 0; args->device_complete_events && d < args->num_devices; d++)
		args->device_complete_events[d] = event_retain(r->done);
	return NULL;
}

/* ---- the run ------------------------------------------------------------------------------------- */

/* One that another thread may use now is not taken; the context of the run's errors is its own. */
static tess_ctx *errors_take(PJRT_Executable *x)
{
	tess_ctx *ctx = atomic_exchange(&x->errors, NULL);
	return ctx ? ctx : tess_ctx_new(NULL);
}

static void errors_give(PJRT_Executable *x, tess_ctx *ctx)
{
	tess_ctx *none = NULL;
	if (ctx && !atomic_compare_exchange_strong(&x->errors, &none, ctx))
		tess_ctx_free(ctx);
}

/* What is donated has no holder but this run, and is no other argument: its reference leaves the
 * cell.  Where that does not hold, the run gets a reference of its own, and memory is not reused. */
static tess_buffer *give_up(cell *c, bool donated)
{
	if (!donated)
		return c->data;
	if (atomic_load(&c->refs) > 1)
		return tess_buffer_share(c->data);
	tess_buffer *data = c->data;
	c->data = NULL;
	return data;
}

static PJRT_Error *wait_for_inputs(const run *r)
{
	for (size_t i = 0; i < n_inputs(r->x); i++) {
		if (!is_here(r->x, i))
			continue;
		PJRT_Error *e = event_wait(r->inputs[i]->ready);
		if (e)
			return e;
		if (!r->inputs[i]->data)
			return error_new(PJRT_Error_Code_INVALID_ARGUMENT, DELETED);
	}
	return NULL;
}

/* A result that is an argument, as it came, is one buffer with it.  Callers expect memory of its own,
 * unless they donated the argument: what lies in theirs may change.  Which results are arguments is
 * seen at the first run. */
static bool find_passed(PJRT_Executable *x, tess_buffer *const *in, tess_buffer *const *out)
{
	size_t n = (size_t)x->n_plan_devices, n_in = (size_t)x->n_inputs, n_out = (size_t)x->n_outputs,
	       at = plan_device(x, 0);
	int *passed = malloc(sizeof *passed * (n_out + 1)), *none = NULL;
	if (!passed)
		return false;
	for (size_t o = 0; o < n_out; o++) {
		passed[o] = -1;
		for (size_t i = 0; i < n_in && passed[o] < 0; i++)
			if (out[o * n + at] == in[i * n + at])
				passed[o] = (int)i;
	}
	if (!atomic_compare_exchange_strong(&x->passed, &none, passed))
		free(passed);
	return true;
}

static tess_buffer *copy_buffer_of(const tess_buffer *b)
{
	tess_buffer *copy = tess_buffer_new(tess_buffer_bytes(b));
	if (copy)
		memcpy(tess_buffer_data(copy), tess_buffer_data(b), tess_buffer_bytes(b));
	return copy;
}

/* One copy for all devices that share one buffer. */
static bool copy_result(tess_buffer **out, size_t n)
{
	for (size_t d = 0; d < n; d++) {
		size_t same = 0;
		tess_buffer *from = out[d];
		while (same < d && out[same] != from)
			same++;
		if (!from || same < d)
			continue; /* another process has it, or it was copied, below */
		tess_buffer *copy = copy_buffer_of(from);
		if (!copy)
			return false;
		for (size_t k = d; k < n; k++)
			if (out[k] == from) {
				out[k] = k == d ? copy : tess_buffer_share(copy);
				tess_buffer_free(from);
			}
	}
	return true;
}

static bool copy_passed(const run *r)
{
	PJRT_Executable *x = r->x;
	size_t n = (size_t)x->n_plan_devices;
	if (!x->passed && !find_passed(x, r->in, r->out))
		return false;
	const int *passed = x->passed;
	for (size_t o = 0; o < (size_t)x->n_outputs; o++)
		if (passed[o] >= 0 && !(r->donated && r->donated[passed[o]]) &&
		    !copy_result(r->out + o * n, n))
			return false;
	return true;
}

/* Processes that wait for this one in a run that it does not begin. */
static void tell_others(PJRT_Executable *x, const PJRT_Error *e)
{
	const char *text;
	size_t n;
	char why[400];
	if (!x->talks)
		return;
	e->vtable->message(e, &text, &n);
	snprintf(why, sizeof why, "%.*s", (int)n, text);
	tess_exec_give_up(x->exec, why);
}

static PJRT_Error *interrupted(const PJRT_Executable *x)
{
	return error_new(PJRT_Error_Code_CANCELLED, "tessera: %s was interrupted", x->name);
}

static PJRT_Error *run_plan(run *r)
{
	PJRT_Executable *x = r->x;
	const size_t n_in = n_inputs(x), n_out = n_outputs(x);
	PJRT_Error *e = wait_for_inputs(r);
	run_begins(r->interrupts);
	if (!e && !run_may_proceed(NULL, NULL)) /* a short run may end before it asks */
		e = interrupted(x);
	if (!e)
		e = verify_first_run(x, r->inputs);
	if (e) {
		tell_others(x, e);
		return e;
	}
	tess_ctx *errors = errors_take(x);
	if (errors) {
		for (size_t i = 0; i < n_in; i++)
			if (is_here(x, i))
				r->in[i] = give_up(r->inputs[i], r->donated &&
				                r->donated[i / (size_t)x->n_plan_devices]);
		double begin = seconds_now(), traced = trace_now();
		tess_status status = tess_exec_run_shards(x->exec, r->in, r->donated, r->out, errors);
		x->seconds = seconds_now() - begin;
		trace_add("run", x->name, traced, x->devices[0]);
		if (status == TESS_STOPPED)
			e = interrupted(x);
		else if (status != TESS_OK)
			e = error_of_context(errors, status, x->name);
		else if (!copy_passed(r))
			e = error_no_memory();
		for (size_t i = 0; i < n_out && e; i++)
			tess_buffer_free(r->out[i]);
		for (size_t i = 0; i < n_out && !e; i++)
			if (r->outputs[i])
				r->outputs[i]->data = r->out[i];
	} else {
		e = error_no_memory();
		tell_others(x, e);
	}
	errors_give(x, errors);
	return e;
}

static void run_later(task *t)
{
	run *r = (run *)t;
	PJRT_Error *e = run_plan(r);
	if (e && !run_may_proceed(NULL, NULL))
		wait_for_python();
	size_t n = n_outputs(r->x);
	for (size_t i = 0; i < n; i++)
		if (r->outputs[i])
			event_set(r->outputs[i]->ready, error_copy(e));
	event_set(r->done, e);
	run_free(r);
}

enum { QUICK_BYTES = 1 << 20 };

/* What other processes wait for never runs on the caller's thread, which may wait for them otherwise.
 * The first run is judged by the memory that it needs, later ones by how long the last one took. */
static bool runs_at_once(const run *r)
{
	const PJRT_Executable *x = r->x;
	const double quick = 200e-6;
	if (!x->client->asynchronous || is_in_callback())
		return true;
	if (x->calls_host || x->talks)
		return false;
	if (x->seconds > 0 ? x->seconds > quick : tess_exec_memory(x->exec) > QUICK_BYTES)
		return false;
	for (size_t i = 0; i < n_inputs(x); i++)
		if (is_here(x, i) && !event_is_done(r->inputs[i]->ready))
			return false;
	return queue_is_idle(x->client->queue);
}

static PJRT_Error *outputs_new(run *r, bool at_once)
{
	r->done = at_once ? event_done() : event_new();
	if (!r->done)
		return error_no_memory();
	for (size_t i = 0; i < n_outputs(r->x); i++)
		if (is_here(r->x, i) && !(r->outputs[i] = cell_new(at_once ? event_done() : event_new(), NULL)))
			return error_no_memory();
	return NULL;
}

static PJRT_Error *check_call(const PJRT_LoadedExecutable_Execute_Args *args)
{
	const PJRT_Executable *x = args->executable->x;
	if (x->deleted)
		return error_new(PJRT_Error_Code_FAILED_PRECONDITION,
		                 "tessera: %s was deleted", x->name);
	if (!x->client)
		return error_new(PJRT_Error_Code_FAILED_PRECONDITION,
		                 "tessera: %s was compiled without devices", x->name);
	const bool alone = is_replicated(x) && args->execute_device && args->num_devices == 1;
	if (x->talks && is_in_callback())
		return error_new(PJRT_Error_Code_FAILED_PRECONDITION,
		                 "tessera: %s runs in several processes, which a callback cannot wait "
		                 "for", x->name);
	if (!x->n_devices && !args->num_devices)
		return NULL; /* a program of other processes: JAX calls it in all */
	if (args->num_args != (size_t)x->n_arguments ||
	    (args->num_devices != (size_t)x->n_devices && !alone))
		return error_new(PJRT_Error_Code_INVALID_ARGUMENT,
		                 "tessera: %s takes %d arguments on %d devices, not %zu on %zu",
		                 x->name, x->n_arguments, x->n_devices, args->num_args,
		                 args->num_devices);
	return NULL;
}

/* A call that fails at once, in its turn for the other processes. */
typedef struct refusal {
	task task;
	PJRT_Executable *x;
	PJRT_Error *why;
} refusal;

static void refuse_later(task *t)
{
	refusal *f = (refusal *)t;
	tell_others(f->x, f->why);
	executable_release(f->x);
	error_drop(f->why);
	free(f);
}

static void refuse(PJRT_Executable *x, const PJRT_Error *e)
{
	refusal *f = x->talks ? malloc(sizeof *f) : NULL;
	if (!f)
		return;
	*f = (refusal){{refuse_later, NULL}, executable_retain(x), error_copy(e)};
	if (!f->why || !x->client->asynchronous)
		refuse_later(&f->task);
	else
		queue_push(x->client->queue, &f->task);
}

/* Waits for the end of a run that calls Python.  Its error is that of the call, as on JAX's CPU backend:
 * JAX keeps how the last such run of a device ended, and raises that again whenever it waits for effects. */
static PJRT_Error *wait_for_callbacks(PJRT_Event *done, PJRT_LoadedExecutable_Execute_Args *args)
{
	const int n = args->executable->x->n_results;
	PJRT_Error *e = event_wait(done);
	if (!e)
		return NULL;
	drop_results(args, n, args->num_devices * (size_t)n);
	for (size_t d = 0; args->device_complete_events && d < args->num_devices; d++)
		event_release(args->device_complete_events[d]);
	return e;
}

static PJRT_Error *run_in_turn(run *r, PJRT_LoadedExecutable_Execute_Args *args)
{
	PJRT_Event *done = r->x->calls_host ? event_retain(r->done) : NULL;
	r->task.run = run_later;
	queue_push(r->x->client->queue, &r->task);
	PJRT_Error *e = done ? wait_for_callbacks(done, args) : NULL;
	event_release(done);
	return e;
}

static PJRT_Error *execute_devices(PJRT_LoadedExecutable_Execute_Args *args)
{
	last_upload_forget(args->executable->x->client);
	run *r = run_new(args->executable->x);
	PJRT_Error *e = r ? take_arguments(r, args) : error_no_memory();
	if (!e)
		e = check_donors(args);
	bool at_once = !e && runs_at_once(r);
	if (!e)
		e = outputs_new(r, at_once);
	if (!e)
		donate(r, args);
	if (e)
		refuse(args->executable->x, e);
	if (!e && at_once)
		e = run_plan(r);
	if (!e)
		e = give_results(r, args);
	if (!e && !at_once)
		return run_in_turn(r, args);
	run_free(r);
	return e;
}

/* Each replica is a run of its own. */
static PJRT_Error *execute_replicas(PJRT_LoadedExecutable_Execute_Args *args)
{
	PJRT_Error *e = NULL;
	for (size_t d = 0; d < args->num_devices && !e; d++) {
		PJRT_LoadedExecutable_Execute_Args one = *args;
		one.num_devices = 1;
		one.execute_device = args->executable->x->devices[d];
		one.argument_lists = args->argument_lists ? args->argument_lists + d : NULL;
		one.output_lists = args->output_lists + d;
		if (args->device_complete_events)
			one.device_complete_events = args->device_complete_events + d;
		e = execute_devices(&one);
		if (e)
			drop_results(args, args->executable->x->n_results,
			             d * (size_t)args->executable->x->n_results);
	}
	return e;
}

PJRT_Error *pjrt_LoadedExecutable_Execute(PJRT_LoadedExecutable_Execute_Args *args)
{
	PJRT_Error *e = check_call(args);
	if (e || !args->executable->x->n_devices)
		return e;
	const bool all = is_replicated(args->executable->x) && args->num_devices > 1;
	return all ? execute_replicas(args) : execute_devices(args);
}

PJRT_Error *pjrt_ExecuteContext_Create(PJRT_ExecuteContext_Create_Args *args)
{
	args->context = malloc(1);
	return args->context ? NULL : error_no_memory();
}

PJRT_Error *pjrt_ExecuteContext_Destroy(PJRT_ExecuteContext_Destroy_Args *args)
{
	free(args->context);
	return NULL;
}
