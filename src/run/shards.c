/* shards.c - runs on shards that the devices already hold.
 *
 * Devices that hold the same data form an instance; a run takes one buffer for each instance and
 * returns one, counting references for all its devices at once. What a run needs besides the plan
 * (exec_state) is kept for the next one (idle.c); concurrent runs each have their own. */
#include "run/buffer.h"
#include "run/session.h"

#include <stdlib.h>

/* What one run needs. */
struct shard_run {
	idle_run idle; /* first: the header while idle */
	exec_state *state;
	tess_buffer **made; /* [all instances of all results]: memory of results */
	bool *reused;       /* [arguments]: its memory became that of a result */
};

struct shard_plan {
	int n_args, n_results;
	const bool *own; /* [devices]: whether the device is on this rank */
	int64_t n_devices;
	exec_shards *args, *results; /* in the plan's memory */
	int *first_made; /* [results + 1]: where a result's instances start in shard_run.made */
	int32_t **devices; /* [results]: number of devices that hold each instance */
	idle_run *unused;
};

/* ---- setting up ----------------------------------------------------------------------------- */

static int32_t *count_holders(session *s, const bool *own, const exec_shards *at)
{
	int32_t *n = NEW_N(&s->planned, int32_t, at->n + 1);
	for (int64_t d = 0; d < s->local.n_devices; d++)
		n[at->of[d]] += own[d];
	return n;
}

static const bool *own_devices(session *s)
{
	bool *own = NEW_N(&s->planned, bool, s->local.n_devices + 1);
	for (int64_t d = 0; d < s->local.n_devices; d++)
		own[d] = exec_has_device(s->plan, (int32_t)d);
	return own;
}

void shards_plan(session *s)
{
	arena *mem = &s->planned;
	struct shard_plan *p = NEW(mem, struct shard_plan);
	p->n_devices = s->local.n_devices;
	p->own = own_devices(s);
	p->n_args = s->local.n_args;
	p->n_results = s->local.n_results;
	p->args = NEW_N(mem, exec_shards, p->n_args + 1);
	p->results = NEW_N(mem, exec_shards, p->n_results + 1);
	p->first_made = NEW_N(mem, int, p->n_results + 1);
	p->devices = NEW_N(mem, int32_t *, p->n_results + 1);
	for (int i = 0; i < p->n_args; i++)
		p->args[i] = exec_argument_shards(s->plan, i);
	for (int i = 0; i < p->n_results; i++) {
		p->results[i] = exec_result_shards(s->plan, i);
		p->first_made[i + 1] = p->first_made[i] + p->results[i].n;
		p->devices[i] = count_holders(s, p->own, &p->results[i]);
	}
	s->shards = p;
}

static void shard_run_free(idle_run *head)
{
	shard_run *r = (shard_run *)head;
	exec_state_free(r->state);
	free(r->made);
	free(r->reused);
	free(r);
}

void shards_free(session *s)
{
	struct shard_plan *p = s->shards;
	for (idle_run *r; p && (r = idle_take(s->pool->idle, &p->unused));)
		shard_run_free(r);
	s->shards = NULL;
}

static shard_run *shard_run_new(const session *s)
{
	const struct shard_plan *p = s->shards;
	shard_run *r = calloc(1, sizeof *r);
	if (!r)
		return NULL;
	r->state = exec_state_new(s->plan);
	r->made = calloc((size_t)p->first_made[p->n_results] + 1, sizeof(tess_buffer *));
	r->reused = calloc((size_t)p->n_args + 1, sizeof *r->reused);
	if (!r->state || !r->made || !r->reused) {
		shard_run_free(&r->idle);
		return NULL;
	}
	r->idle.bytes = exec_state_bytes(r->state);
	r->idle.release = shard_run_free;
	return r;
}

static shard_run *shard_run_take(const session *s)
{
	idle_run *r = idle_take(s->pool->idle, &s->shards->unused);
	return r ? (shard_run *)r : shard_run_new(s);
}

static void shard_run_give(const session *s, shard_run *r)
{
	idle_give(s->pool->idle, &s->shards->unused, &r->idle);
}

/* ---- passing arguments ---------------------------------------------------------------------- */

static tess_buffer *input_of(const shard_call *c, int i, int64_t device)
{
	return c->inputs[(int64_t)i * c->s->shards->n_devices + device];
}

static bool set_argument(shard_call *c, int i)
{
	const exec_shards *at = &c->s->shards->args[i];
	char **table = exec_state_argument(c->run->state, i);
	for (int32_t k = 0; k < at->n; k++) {
		if (at->first[k] < 0)
			continue;
		const tess_buffer *b = input_of(c, i, at->first[k]);
		if (!b || b->bytes != at->bytes) {
			c->wrong = true;
			c->wrong_input = i;
			c->wrong_device = at->first[k];
			return false;
		}
		table[k] = b->data;
	}
	return true;
}

/* ---- returning results ---------------------------------------------------------------------- */

/* True if the argument's memory may be reused: it is donated, and for each instance the donated
 * references are all that exist. `devices`: how many hold each instance. */
static bool is_given_up(const shard_call *c, int arg, const int32_t *devices)
{
	const exec_shards *at = &c->s->shards->args[arg];
	if (!c->donated || !c->donated[arg])
		return false;
	const bool *own = c->s->shards->own;
	for (int64_t d = 0; d < c->s->shards->n_devices; d++)
		if (own[d] && input_of(c, arg, d) != input_of(c, arg, at->first[at->of[d]]))
			return false; /* copies of one instance: the references to one of them prove
			               * nothing */
	for (int32_t k = 0; k < at->n; k++) {
		if (at->first[k] < 0)
			continue;
		tess_buffer *b = input_of(c, arg, at->first[k]);
		if (!b->piece ||
		    atomic_load_explicit(&b->references, memory_order_acquire) != devices[k])
			return false;
	}
	return true;
}

/* Creates buffers for this rank's instances; NULL for the others. */
static bool make_buffers(const shard_call *c, const exec_shards *at, tess_buffer **made)
{
	int n = 0;
	for (int32_t k = 0; k < at->n; k++)
		n += at->first[k] >= 0;
	if (n && !buffers_new(c->s->pool->store, at->bytes, n, made))
		return false;
	for (int32_t k = at->n; k-- > 0;) {
		tess_buffer *b = at->first[k] >= 0 ? made[--n] : NULL;
		made[k] = b;
	}
	return true;
}

/* Chooses the memory of a result: an argument's that is given up, or new buffers. */
static bool set_result(shard_call *c, int i)
{
	const struct shard_plan *p = c->s->shards;
	const exec_shards *at = &p->results[i];
	char **table = exec_state_result(c->run->state, i);
	tess_buffer **made = c->run->made + p->first_made[i];
	const bool reused = at->reuse >= 0 && is_given_up(c, at->reuse, p->devices[i]);
	if (at->argument >= 0)
		return true;
	if (reused)
		c->run->reused[at->reuse] = true;
	if (!reused && !make_buffers(c, at, made))
		return false;
	for (int32_t k = 0; k < at->n; k++) {
		if (at->first[k] < 0)
			continue;
		if (reused)
			made[k] = input_of(c, at->reuse, at->first[k]);
		table[k] = made[k]->data;
	}
	return true;
}

static bool took_over(const shard_call *c, int i)
{
	const int from = c->s->shards->results[i].reuse;
	return from >= 0 && c->run->reused[from];
}

static void release_results(const shard_call *c)
{
	const struct shard_plan *p = c->s->shards;
	for (int i = 0; i < p->n_results; i++)
		for (int k = p->first_made[i]; k < p->first_made[i + 1]; k++) {
			if (!took_over(c, i))
				buffer_release(c->run->made[k], 1);
			c->run->made[k] = NULL;
		}
	memset(c->run->reused, 0, (size_t)p->n_args);
}

/* Returns one reference for each device. A new buffer has one already, a reused one all of them. */
static void give_result(const shard_call *c, int i)
{
	const struct shard_plan *p = c->s->shards;
	const exec_shards *at = &p->results[i];
	tess_buffer **made = c->run->made + p->first_made[i],
		    **out = c->outputs + (int64_t)i * p->n_devices;
	for (int32_t k = 0; k < at->n; k++) {
		if (at->first[k] < 0)
			continue;
		const int64_t had = at->argument >= 0 ? 0 : took_over(c, i) ? p->devices[i][k] : 1;
		if (at->argument >= 0)
			made[k] = input_of(c, at->argument, at->first[k]);
		if (p->devices[i][k] != had)
			buffer_retain(made[k], p->devices[i][k] - had);
	}
	for (int64_t d = 0; d < p->n_devices; d++)
		out[d] = p->own[d] ? made[at->of[d]] : NULL;
	memset(made, 0, sizeof *made * (size_t)at->n);
}

/* ---- running -------------------------------------------------------------------------------- */

bool shards_talk(const session *s) { return exec_talks(s->plan); }
void shards_give_up(const session *s, const char *why) { exec_give_up(s->plan, why); }

static tess_status run_on_buffers(shard_call *c, bool *began)
{
	const struct shard_plan *p = c->s->shards;
	for (int i = 0; i < p->n_args; i++)
		if (!set_argument(c, i))
			return TESS_INVALID;
	for (int i = 0; i < p->n_results; i++)
		if (!set_result(c, i))
			return TESS_NOMEM;
	*began = true;
	return exec_state_run(c->run->state);
}

tess_status shards_run(shard_call *c)
{
	const struct shard_plan *p = c->s->shards;
	bool began = false;
	c->run = shard_run_take(c->s);
	tess_status status = c->run ? run_on_buffers(c, &began) : TESS_NOMEM;
	if (!began)
		exec_give_up(c->s->plan, status == TESS_NOMEM ? "out of memory" : "its inputs do not fit");
	for (int i = 0; i < p->n_results && status == TESS_OK; i++)
		give_result(c, i);
	if (c->run && status != TESS_OK)
		release_results(c);
	for (int64_t i = 0; i < p->n_results * p->n_devices && status != TESS_OK; i++)
		c->outputs[i] = NULL;
	return status;
}

void shards_explain(const shard_call *c, tess_ctx *errors)
{
	if (!c->wrong) {
		exec_state_explain(c->run->state, errors);
		return;
	}
	const tess_buffer *b = input_of(c, c->wrong_input, c->wrong_device);
	if (b)
		diag_error(errors, NOWHERE, E_INPUT,
		           "input %d of device %" PRId64 " has %zu bytes, not %zu", c->wrong_input,
		           c->wrong_device, b->bytes, c->s->shards->args[c->wrong_input].bytes);
	else
		diag_error(errors, NOWHERE, E_INPUT, "input %d of device %" PRId64 " is missing",
		           c->wrong_input, c->wrong_device);
}

void shards_end(shard_call *c)
{
	const struct shard_plan *p = c->s->shards;
	for (int i = 0; i < p->n_args && c->donated; i++)
		if (c->donated[i] && !(c->run && c->run->reused[i]))
			for (int64_t d = 0; d < p->n_devices; d++)
				if (p->own[d])
					buffer_release(input_of(c, i, d), 1);
	if (!c->run)
		return;
	memset(c->run->reused, 0, (size_t)p->n_args);
	shard_run_give(c->s, c->run);
}
