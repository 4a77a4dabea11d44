/* world.c - interpreter.run_parallel, and the ops with which its programs communicate: send, recv,
 * infeed, outfeed.
 *
 * Devices that run the same function run it in lockstep. Different functions take turns: each runs
 * until it is done or waits for a message. If all that are left wait, that is a deadlock, and an
 * error. */
#include "exec/steps/world.h"

#include <stdlib.h>

/* ---- channels ------------------------------------------------------------------------ */

static channel *channel_at(world *w, int64_t id)
{
	for (int i = 0; i < w->channels.len; i++)
		if (w->channels.ptr[i].id == id)
			return &w->channels.ptr[i];
	vec_push(&w->owner->mem, &w->channels, (channel){.id = id});
	return &w->channels.ptr[w->channels.len - 1];
}

/* Empties the channels, for the next run. */
static void world_clear(world *w)
{
	for (int i = 0; i < w->channels.len; i++)
		for (message *m = w->channels.ptr[i].first, *next; m; m = next) {
			next = m->next;
			free(m);
		}
	w->channels.len = 0;
	w->next_infeed = 0;
}

static int64_t channel_id(const op *o)
{
	const attr *h = op_attr(o, N_channel_handle), *id = h ? attr_get(h, N_handle) : NULL;
	return id ? id->i : 0;
}

static size_t tensor_bytes(const tensor *t)
{
	return t->type->kind == TY_TENSOR ? (size_t)(t->n * t->bytes) : 0;
}

static void run_send(struct run *r, const step *s, const call *c)
{
	size_t bytes = 0;
	for (int i = 0; i < s->n_in; i++)
		bytes += tensor_bytes(step_in(s, i));
	message *m = malloc(sizeof *m + bytes);
	if (!m) {
		r->status = TESS_NOMEM;
		return;
	}
	*m = (message){.bytes = bytes};
	char *to = m->data;
	for (int i = 0; i < s->n_in; i++) {
		memcpy(to, c->at[i], tensor_bytes(step_in(s, i)));
		to += tensor_bytes(step_in(s, i));
	}
	channel *ch = channel_at(r->world, channel_id(s->op));
	if (ch->last)
		ch->last->next = m;
	else
		ch->first = m;
	ch->last = m;
}

static void run_recv(struct run *r, const step *s, const call *c)
{
	channel *ch = channel_at(r->world, channel_id(s->op));
	message *m = ch->first;
	if (!m) {
		r->blocked = s;
		return;
	}
	size_t bytes = 0;
	for (int i = 0; i < s->n_out; i++)
		bytes += tensor_bytes(step_out(s, i));
	if (bytes != m->bytes) {
		call_fail(c, s, "the message has another size than what is received");
		return;
	}
	const char *from = m->data;
	for (int i = 0; i < s->n_out; i++) {
		memcpy(call_out(s, c, i), from, tensor_bytes(step_out(s, i)));
		from += tensor_bytes(step_out(s, i));
	}
	ch->first = m->next;
	ch->last = ch->first ? ch->last : NULL;
	free(m);
}

static void run_infeed(struct run *r, const step *s, const call *c)
{
	world *w = r->world;
	if (w->next_infeed >= w->n_infeed) {
		call_fail(c, s, "the infeed is empty");
		return;
	}
	exec_plan *from = w->infeed[w->next_infeed++];
	exec_value *values = calloc((size_t)from->n_results + 1, sizeof *values);
	if (!values || exec_run(from, NULL, values) != TESS_OK) {
		free(values);
		call_fail(c, s, "the infeed's function failed");
		return;
	}
	bool fits = from->n_results == s->n_out - 1;
	for (int i = 0; i < from->n_results && fits; i++) {
		fits = values[i].type == step_out(s, i)->type;
		if (fits)
			memcpy(call_out(s, c, i), values[i].data[0], tensor_bytes(step_out(s, i)));
	}
	if (!fits)
		call_fail(c, s, "the infeed's function returns values of other types");
	free(values);
}

static void run_outfeed(struct run *r, const step *s, const call *c)
{
	UNUSED(r), UNUSED(s), UNUSED(c); /* its values are dropped */
}

bool plan_message(exec_plan *p, const op *o)
{
	host_fn *fn = o->kind == OP_SEND     ? run_send
	              : o->kind == OP_RECV   ? run_recv
	              : o->kind == OP_INFEED ? run_infeed
	                                     : run_outfeed;
	if (!p->in_world && o->kind != OP_OUTFEED)
		return plan_unsupported(p, o, "outside of interpreter.run_parallel, this is");
	step_add(p, host_step(p, o, fn));
	return true;
}

/* ---- running ------------------------------------------------------------------------------- */

/* The operands and results of run_parallel, process by process. */
typedef struct world_values {
	exec_value **args, **results; /* [plan][value] */
} world_values;

static bool world_alloc(const world *w, world_values *v, int n_devices)
{
	v->args = calloc((size_t)w->n_plans, sizeof *v->args);
	v->results = calloc((size_t)w->n_plans, sizeof *v->results);
	bool good = v->args && v->results;
	for (int i = 0; i < w->n_plans && good; i++) {
		const exec_plan *q = w->plans[i];
		v->args[i] = calloc((size_t)q->n_args + 1, sizeof(exec_value));
		v->results[i] = calloc((size_t)q->n_results + 1, sizeof(exec_value));
		good = v->args[i] && v->results[i];
		for (int a = 0; good && a < q->n_args; a++) {
			v->args[i][a].n = n_devices;
			v->args[i][a].data = calloc((size_t)n_devices, sizeof(void *));
			good = v->args[i][a].data != NULL;
		}
	}
	return good;
}

static void world_free_values(const world *w, world_values *v)
{
	for (int i = 0; i < w->n_plans; i++) {
		for (int a = 0; v->args && v->args[i] && a < w->plans[i]->n_args; a++)
			free(v->args[i][a].data);
		if (v->args)
			free(v->args[i]);
		if (v->results)
			free(v->results[i]);
	}
	free(v->args);
	free(v->results);
}

static bool report_deadlock(struct run *r, const world *w)
{
	const exec_plan *q = w->plans[0];
	for (int i = 0; i < w->n_plans; i++)
		if (w->plans[i]->run->blocked)
			q = w->plans[i];
	int device = 0;
	while (!q->run->active[device] && device + 1 < q->n_devices)
		device++;
	return diag_error(r->p->ctx, op_place(q->m, q->run->blocked->op), E_EXEC_MEET,
	                  "%s: device %d waits for a message that nobody sends",
	                  op_name(q->run->blocked->op), device);
}

/* Runs the programs in turn until all are done. */
static tess_status world_run(struct run *r, world *w, world_values *v)
{
	tess_status status = TESS_OK;
	int left = w->n_plans;
	for (int i = 0; i < w->n_plans; i++)
		if (exec_begin(w->plans[i], v->args[i]) != TESS_OK)
			return TESS_NOMEM;
	while (left && status == TESS_OK) {
		bool progress = false;
		left = 0;
		for (int i = 0; i < w->n_plans && status == TESS_OK; i++) {
			struct run *q = w->plans[i]->run;
			int before = q->next;
			q->world = w;
			status = exec_continue(w->plans[i]);
			progress |= q->next != before;
			left += q->blocked != NULL;
		}
		if (left && !progress && status == TESS_OK)
			status = report_deadlock(r, w) ? TESS_OK : TESS_INVALID;
	}
	return status;
}

static void run_parallel(struct run *r, const step *s, const call *c)
{
	world *w = (world *)s->params;
	int n = w->plans[0]->n_devices, at = 0;
	world_values v = {0};
	if (!world_alloc(w, &v, n)) {
		r->status = TESS_NOMEM;
	} else {
		for (int d = 0; d < n; d++)
			for (int a = 0; a < w->plans[w->plan_of[d]]->n_args; a++)
				v.args[w->plan_of[d]][a].data[d] = c->at[at++];
		tess_status status = world_run(r, w, &v);
		if (status == TESS_FAILED)
			r->check_failed = true;
		else
			r->status = status;
	}
	at = 0;
	for (int d = 0; d < n && r->status == TESS_OK; d++) {
		exec_plan *q = w->plans[w->plan_of[d]];
		exec_collect(q, v.results[w->plan_of[d]]);
		for (int i = 0; i < q->n_results; i++, at++) {
			const exec_value *x = &v.results[w->plan_of[d]][i];
			memcpy(call_out(s, c, at), x->data[x->of[d]],
			       tensor_bytes(step_out(s, at)));
		}
	}
	world_free_values(w, &v);
	world_clear(w);
}

/* ---- planning -------------------------------------------------------------------------------- */

static const op *program_of(exec_plan *p, const attr *a)
{
	const op *f = a && a->kind == AT_SYMBOL ? module_lookup(p->source, a->text) : NULL;
	return f && op_is_func(f) && op_body(f) ? f : NULL;
}

static exec_plan *plan_nested(exec_plan *p, const op *f, const exec_opts *opts)
{
	vec_push(&p->mem, &p->nested, NULL);
	exec_plan **q = &p->nested.ptr[p->nested.len - 1];
	return exec_plan_world(q, p->source, f, opts) ? *q : NULL;
}

/* Finds the distinct functions of the grid, and which device runs which. */
static bool find_programs(exec_plan *p, const op *o, world *w, int *n_replicas, int *n_partitions)
{
	const attr *grid = op_attr(o, N_programs);
	if (!grid || grid->kind != AT_ARRAY || !grid->n || grid->list[0]->kind != AT_ARRAY)
		return plan_error(p, o, "programs is not a grid of functions");
	int R = grid->n, P = grid->list[0]->n;
	int *plan_of = NEW_N(&p->mem, int, R * P);
	w->functions = NEW_N(&p->mem, const op *, R * P);
	w->members = NEW_N(&p->mem, uint8_t *, R * P);
	for (int i = 0; i < R * P; i++) {
		const attr *row = grid->list[i / P];
		const op *f = row->kind == AT_ARRAY && row->n == P ? program_of(p, row->list[i % P])
		                                                   : NULL;
		if (!f)
			return plan_error(p, o, "programs is not a grid of functions with bodies");
		int k = 0;
		while (k < w->n_plans && w->functions[k] != f)
			k++;
		if (k == w->n_plans) {
			w->functions[w->n_plans++] = f;
			w->members[k] = NEW_N(&p->mem, uint8_t, R * P);
		}
		w->members[k][i] = 1;
		plan_of[i] = k;
	}
	w->plan_of = plan_of;
	*n_replicas = R;
	*n_partitions = P;
	return true;
}

static bool plan_infeed(exec_plan *p, const op *o, world *w)
{
	const attr *list = op_attr(o, N_infeed);
	w->n_infeed = list && list->kind == AT_ARRAY ? list->n : 0;
	w->infeed = NEW_N(&p->mem, exec_plan *, w->n_infeed);
	for (int i = 0; i < w->n_infeed; i++) {
		const op *f = program_of(p, list->list[i]);
		if (!f || op_func(f)->type->n_in)
			return plan_error(p, o, "an infeed function has no body, or arguments");
		w->infeed[i] = plan_nested(p, f, &(exec_opts){.pool = p->opts.pool});
		if (!w->infeed[i])
			return false;
	}
	return true;
}

bool plan_run_parallel(exec_plan *p, const op *o)
{
	world *w = NEW(&p->mem, world);
	int R = 0, P = 0, n_in = 0, n_out = 0;
	w->owner = p;
	if (!find_programs(p, o, w, &R, &P) || !plan_infeed(p, o, w))
		return false;
	w->plans = NEW_N(&p->mem, exec_plan *, w->n_plans);
	for (int i = 0; i < w->n_plans; i++) {
		exec_opts opts = {.n_replicas = R, .n_partitions = P, .pool = p->opts.pool,
		                  .faithful = p->opts.faithful,
		                  .members = w->n_plans > 1 ? w->members[i] : NULL};
		w->plans[i] = plan_nested(p, w->functions[i], &opts);
		if (!w->plans[i])
			return false;
	}
	for (int d = 0; d < R * P; d++) {
		n_in += w->plans[w->plan_of[d]]->n_args;
		n_out += w->plans[w->plan_of[d]]->n_results;
	}
	if (n_in != o->n_operands || n_out != o->n_results)
		return plan_error(p, o, "the programs have %d arguments and %d results", n_in,
		                  n_out);
	step *s = host_step(p, o, run_parallel);
	s->params = w;
	step_add(p, s);
	return true;
}
