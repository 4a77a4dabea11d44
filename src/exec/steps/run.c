/* run.c - runs a plan.
 *
 * Steps run one after the other. The tasks of a step (distinct instance, tile) are independent and
 * are distributed over the pool's workers if there is enough work. */
#include "exec/steps/plan.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

/* Work of fewer nanoseconds is done by the calling thread. */
static const double worth_sharing = 15000;

static int64_t now_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* ---- memory ---------------------------------------------------------------------- */

/* Callers number the instances of an argument as they like, but classes are numbered by first
 * appearance. */
static void bind_argument(char **instances, const slot *s, const exec_value *arg)
{
	for (int c = 0; c < s->cls->n; c++) {
		int device = s->cls->first[c]; /* no map: one for all, or one per device */
		instances[c] = arg->data[arg->of ? arg->of[device] : arg->n > 1 ? device : 0];
	}
}

static void run_reset(struct run *r, const exec_value *args)
{
	const exec_plan *p = r->p;
	for (int i = 0; i < p->slots.len; i++) {
		slot *s = p->slots.ptr[i];
		r->base[i] = s->kind == IN_CONST ? (char *)s->data
		                                 : r->arena + slot_root(s)->offset;
		if (s->kind == IN_ARG && args)
			bind_argument(r->given[i], s, &args[s->arg]);
	}
	if (p->opts.members)
		memcpy(r->active, p->opts.members, (size_t)p->n_devices);
	else
		memset(r->active, 1, (size_t)p->n_devices);
	r->failed = 0;
	r->failed_text[0] = 0;
	r->next = 0;
	probes_free(r->probes);
	r->probes = NULL;
	if (r->trace)
		trace_begin(r->trace);
	r->began = r->asked = p->opts.proceed ? now_ns() : 0;
	r->unclocked = 0;
	r->blocked = NULL;
	r->status = TESS_OK;
	r->failed_at = NULL;
	r->n_checks = 0;
	r->told = false;
	r->check_failed = false;
}

/* ---- kernels ----------------------------------------------------------------------- */

typedef struct phase {
	struct run *r;
	const step *s;
} phase;

static bool is_active(const struct run *r, const step *s, int32_t cls)
{
	if (!class_is_here(s->plan->cls, cls))
		return false;
	return !s->plan->masked || r->active[s->plan->cls->first[cls]];
}

static void run_task(const struct run *r, const step *s, int32_t cls, int64_t tile, int worker)
{
	char *room = r->scratch + (size_t)worker * r->scratch_bytes;
	char **at = (char **)room;
	for (int i = 0; i < s->n_in + s->n_out; i++)
		at[i] = ref_at(r, &s->plan->refs[i], cls);
	call c = {at, tile, cls, worker, room + r->table_bytes, (struct run *)r};
	s->run(s, &c);
}

static void run_kernel_task(void *arg, int64_t i, int worker)
{
	const phase *ph = arg;
	int32_t cls = (int32_t)(i / ph->s->n_tiles);
	int64_t begin = ph->r->trace ? trace_now(ph->r->trace) : 0;
	if (!is_active(ph->r, ph->s, cls))
		return;
	run_task(ph->r, ph->s, cls, i % ph->s->n_tiles, worker);
	if (ph->r->trace)
		trace_task(ph->r->trace, ph->s, cls, worker, begin);
}

static void run_part_task(void *arg, int64_t i, int worker)
{
	const phase *ph = arg;
	int32_t cls = (int32_t)(i / ph->s->n_tiles);
	char *room = ph->r->scratch + (size_t)worker * ph->r->scratch_bytes;
	int64_t begin = ph->r->trace ? trace_now(ph->r->trace) : 0;
	if (!is_active(ph->r, ph->s, cls))
		return;
	ph->s->plan->run_part(ph->r, ph->s, cls, i % ph->s->n_tiles, room);
	if (ph->r->trace)
		trace_task(ph->r->trace, ph->s, cls, worker, begin);
}

static void run_tasks(struct run *r, step *s, pool_fn *fn)
{
	phase ph = {r, s};
	int64_t n = (int64_t)s->plan->cls->n * s->n_tiles;
	pool *workers = r->p->opts.pool;
	double ns = s->cost * s->plan->cls->n_here;
	if (workers && n > 1 && ns > worth_sharing) {
		pool_run(workers, n, ns, fn, &ph);
		return;
	}
	for (int64_t i = 0; i < n; i++)
		fn(&ph, i, 0);
}

/* ---- collectives ----------------------------------------------------------------------- */

/* Ends the run and records why, because another thread may be using the context. */
static bool run_fails(struct run *r, const step *s, diag_code code, const char *why, ...)
	PRINTF(4, 5);
static bool run_fails(struct run *r, const step *s, diag_code code, const char *why, ...)
{
	va_list args;
	va_start(args, why);
	vsnprintf(r->failed_text, sizeof r->failed_text, why, args);
	va_end(args);
	r->failed_at = s;
	r->failed_code = code;
	r->status = TESS_INVALID;
	return false;
}

/* If control flow differs between devices, either all members of a group take part or none. */
static bool groups_meet(struct run *r, const step *s)
{
	const groups *g = s->plan->groups;
	for (int k = 0; k < g->n; k++)
		for (int i = 1; i < g->sizes[k]; i++)
			if (r->active[g->members[k][i]] != r->active[g->members[k][0]])
				return run_fails(
				    r, s, E_EXEC_MEET,
				    "%s: devices %d and %d should meet here, but only %s comes",
				    op_kind_name(s->op->kind), g->members[k][0], g->members[k][i],
				    r->active[g->members[k][0]] ? "the first" : "the second");
	return true;
}

static bool senders_are_there(struct run *r, const step *s)
{
	for (int d = 0; d < r->p->n_devices; d++) {
		int from = s->plan->sources[d];
		if (r->active[d] && from >= 0 && !r->active[from])
			return run_fails(r, s, E_EXEC_MEET,
			                 "%s: device %d waits for device %d, which does not come",
			                 op_kind_name(s->op->kind), d, from);
	}
	return true;
}

static void run_collective(struct run *r, step *s)
{
	if (s->plan->masked && !(s->plan->groups ? groups_meet(r, s) : senders_are_there(r, s)))
		return;
	exchange_run(r, s->plan->exchange, s->plan->at);
	if (r->status == TESS_OK)
		run_tasks(r, s, run_part_task);
}

/* ---- host steps ----------------------------------------------------------------------- */

/* If the step says so, only one of the ranks with the same operands calls. */
static bool is_called(const struct run *r, const step *s, int32_t cls)
{
	const exec_plan *p = r->p;
	return !s->plan->alone || !p->ranks ||
	       p->ranks->own[s->plan->cls->first[cls]];
}

static void run_host(struct run *r, step *s)
{
	for (int32_t cls = 0; cls < s->plan->cls->n; cls++) {
		if (!is_active(r, s, cls) || !is_called(r, s, cls))
			continue;
		char **at = (char **)r->scratch;
		for (int i = 0; i < s->n_in + s->n_out; i++)
			at[i] = ref_at(r, &s->plan->refs[i], cls);
		s->plan->host(r, s, &(call){at, 0, cls, 0, r->scratch + r->table_bytes, r});
	}
	if (s->plan->alone && r->status == TESS_OK && !r->failed)
		exchange_run(r, s->plan->exchange, s->plan->at);
}

/* ---- control ------------------------------------------------------------------------------ */

static void run_steps(struct run *r, const step_list *list);

/* The predicate of a class of control; for other ranks' devices, what was exchanged. */
static int64_t predicate(const struct run *r, const step *s, int32_t cls)
{
	return elem_get_int(s->t[0].dtype, step_instance(r, s, 0, cls));
}

/* The region that a case or if takes. */
static int branch_of(const step *s, int64_t index)
{
	int n = s->plan->n_blocks;
	if (s->op->kind == OP_IF)
		return index ? 0 : 1;
	return index < 0 || index >= n ? n - 1 : (int)index;
}

static void run_case(struct run *r, step *s)
{
	const classes *control = s->plan->control;
	if (classes_is_uniform(control)) {
		run_steps(r, &s->plan->blocks[branch_of(s, predicate(r, s, 0))]);
		return;
	}
	exchange_run(r, s->plan->exchange, s->plan->at);
	if (r->status != TESS_OK)
		return;
	int n = r->p->n_devices;
	int32_t *branch = malloc((size_t)n * (sizeof *branch + 1));
	if (!branch) {
		r->status = TESS_NOMEM;
		return;
	}
	uint8_t *outer = (uint8_t *)(branch + n);
	memcpy(outer, r->active, (size_t)n);
	/* All predicates are read first: a branch may overwrite their memory. */
	for (int d = 0; d < n; d++)
		branch[d] = outer[d] ? branch_of(s, predicate(r, s, control->of[d])) : -1;
	for (int b = 0; b < s->plan->n_blocks; b++) {
		bool any = false;
		for (int d = 0; d < n; d++) {
			r->active[d] = branch[d] == b;
			any |= r->active[d];
		}
		if (any)
			run_steps(r, &s->plan->blocks[b]);
	}
	memcpy(r->active, outer, (size_t)n);
	free(branch);
}

static void copy_instances(struct run *r, const slot *to, const slot *from)
{
	for (int32_t c = 0; c < to->cls->n; c++)
		if (class_is_here(to->cls, c) && r->active[to->cls->first[c]])
			memcpy(slot_instance(r, to, c), slot_instance(r, from, c), to->bytes);
}

static void end_iteration(struct run *r, const step *s)
{
	for (int i = 0; i < s->plan->n_carries; i++) {
		const carry *c = &s->plan->carries[i];
		if (!c->next || c->how == CARRY_SHARED)
			continue;
		if (c->how == CARRY_COPY) {
			copy_instances(r, c->slot, c->next);
			continue;
		}
		char **a = &r->base[c->slot->id], **b = &r->base[c->next->id], *t = *a;
		*a = *b;
		*b = t;
	}
}

/* Deactivates devices whose condition has become false. @return true if any device is left. */
static bool still_going(struct run *r, const step *s)
{
	const classes *control = s->plan->control;
	bool any = false;
	exchange_run(r, s->plan->exchange, s->plan->at);
	for (int d = 0; d < r->p->n_devices && r->status == TESS_OK; d++) {
		r->active[d] = r->active[d] && predicate(r, s, control->of[d]);
		any |= r->active[d];
	}
	return any;
}

static void run_while(struct run *r, step *s)
{
	bool uniform = classes_is_uniform(s->plan->control);
	size_t n = (size_t)r->p->n_devices;
	uint8_t *outer = uniform ? NULL : malloc(n);
	if (!uniform && !outer) {
		r->status = TESS_NOMEM;
		return;
	}
	if (outer)
		memcpy(outer, r->active, n);
	while (r->status == TESS_OK) {
		run_steps(r, &s->plan->blocks[0]);
		if (uniform ? !predicate(r, s, 0) : !still_going(r, s))
			break;
		run_steps(r, &s->plan->blocks[1]);
		end_iteration(r, s);
	}
	if (outer)
		memcpy(r->active, outer, n);
	free(outer);
}

/* ---- failing, asking, and running in order -------------------------------------------------- */

void call_fail(const call *c, const step *s, const char *what)
{
	struct run *r = c->run;
	static_assert(sizeof(r->failed_at) == sizeof(void *), "one word");
	if (!__atomic_exchange_n(&r->failed, 1, __ATOMIC_ACQ_REL)) {
		r->failed_at = s;
		r->failed_why = what;
	}
}

void exec_state_explain(const exec_state *r, tess_ctx *ctx)
{
	if (r->failed_text[0])
		diag_error(ctx, r->failed_at ? op_place(r->p->m, r->failed_at->op) : NOWHERE,
		           r->failed_code, "%s", r->failed_text);
}

/* The estimated nanoseconds of a step; ones that wait for ranks or the caller take any time. */
static double reckoned_ns(const step *s)
{
	const double least = 100, any = 100000;
	return s->plan->kind == STEP_KERNEL ? s->cost * s->plan->cls->n_here + least : any;
}

/* Asks the caller now and then whether to go on. Reading the clock takes as long as many a step, so
 * that is only done when a part of the pause may be over. */
static void ask_to_proceed(struct run *r, const step *s)
{
	const int64_t pause = 20000000;
	const double look = 50000;
	r->unclocked += reckoned_ns(s);
	if (r->unclocked < look)
		return;
	const int64_t now = now_ns();
	r->unclocked = 0;
	if (now - r->asked < pause)
		return;
	r->asked = now;
	if (!r->p->opts.proceed(r->p->opts.user, r->next, r->p->main.len,
	                        (double)(now - r->began) * 1e-9))
		r->status = TESS_STOPPED;
}

static void run_one_step(struct run *r, step *s)
{
	if (s->plan->once && r->done[s->plan->at] && !s->plan->exchange)
		return;
	r->done[s->plan->at] = true;
	if (r->trace)
		trace_step(r->trace);
	if (r->p->opts.proceed)
		ask_to_proceed(r, s);
	if (r->status != TESS_OK)
		return;
	switch (s->plan->kind) {
	case STEP_KERNEL:
		run_tasks(r, s, run_kernel_task);
		break;
	case STEP_COLLECTIVE:
		run_collective(r, s);
		break;
	case STEP_HOST:
		run_host(r, s);
		break;
	case STEP_CASE:
		run_case(r, s);
		break;
	case STEP_WHILE:
		run_while(r, s);
		break;
	}
	if (r->failed)
		run_fails(r, r->failed_at, E_EXEC_INVALID, "%s: %s", op_name(r->failed_at->op),
		          r->failed_why);
}

/* Runs steps inside of control flow. */
static void run_steps(struct run *r, const step_list *list)
{
	for (int i = 0; i < list->len && r->status == TESS_OK; i++) {
		run_one_step(r, list->ptr[i]);
		if (r->blocked)
			call_fail(
				&(call){.run = r}, r->blocked,
				"waiting for a message inside of control flow is not supported yet");
		r->blocked = NULL;
	}
}

void exec_collect(exec_plan *p, exec_value *results)
{
	for (int i = 0; i < p->n_results; i++) {
		const classes *c = p->result_cls[i];
		results[i].n = c->n;
		results[i].of = c->of;
		for (int32_t k = 0; k < c->n; k++)
			p->result_data[i][k] =
			    class_is_here(c, k) ? ref_at(p->run, &p->results[i], k)
			                        : exchange_ghost(p->run, p->result_exchange, i, k);
		results[i].data = (void **)p->result_data[i];
		results[i].type = p->result_types[i];
	}
}

tess_status exec_begin(exec_plan *p, const exec_value *args)
{
	if (!p->run && !(p->run = exec_state_new(p)))
		return TESS_NOMEM;
	run_reset(p->run, args);
	return TESS_OK;
}

static void run_on(struct run *r)
{
	const step_list *main = &r->p->main;
	r->blocked = NULL;
	while (r->next < main->len && r->status == TESS_OK) {
		run_one_step(r, main->ptr[r->next]);
		if (r->blocked)
			break;
		r->next++;
	}
}

tess_status exec_continue(exec_plan *p)
{
	struct run *r = p->run;
	run_on(r);
	exec_state_explain(r, p->ctx);
	return r->status == TESS_OK && r->check_failed ? TESS_FAILED : r->status;
}

/* Runs the steps, between the agreements of the ranks before and after. */
static void run_in_turn(struct run *r)
{
	exchange_begin(r);
	exchange_agree(r);
	if (r->status == TESS_OK)
		run_on(r);
	if (r->status == TESS_OK)
		exchange_run(r, r->p->result_exchange, r->p->n_steps);
	if (r->status != TESS_OK || r->check_failed)
		exchange_fail(r);
	exchange_end(r);
}

/* A rank without devices has nothing to do; the others exchange results. */
static tess_status run_with_ranks(exec_plan *p)
{
	struct run *r = p->run;
	if (!p->ranks->busy[p->opts.ranks->rank])
		return TESS_OK;
	run_in_turn(r);
	exec_state_explain(r, p->ctx);
	return r->status == TESS_OK && r->check_failed ? TESS_FAILED : r->status;
}

tess_status exec_run(exec_plan *p, const exec_value *args, exec_value *results)
{
	tess_status status = exec_begin(p, args);
	if (status != TESS_OK && p->ranks)
		exchange_give_up(p, "out of memory");
	if (status != TESS_OK)
		return status;
	status = p->ranks ? run_with_ranks(p) : exec_continue(p);
	if (status == TESS_OK || status == TESS_FAILED)
		exec_collect(p, results);
	return status;
}

/* ---- running on shards ---------------------------------------------------------------------- */

/* Copies results that were not computed in the caller's memory. */
static void copy_results(struct run *r)
{
	const exec_plan *p = r->p;
	for (int i = 0; i < p->n_results; i++)
		for (int32_t k = 0; p->places[i].copied && k < p->result_cls[i]->n; k++)
			if (class_is_here(p->result_cls[i], k))
				memcpy(r->results[i][k], ref_at(r, &p->results[i], k),
				       p->places[i].bytes);
}

tess_status exec_state_run(exec_state *r)
{
	run_reset(r, NULL);
	if (r->p->ranks)
		run_in_turn(r);
	else
		run_on(r);
	if (r->status == TESS_OK)
		copy_results(r);
	return r->status;
}

void exec_give_up(const exec_plan *p, const char *why)
{
	if (p->ranks)
		exchange_give_up(p, why);
}

bool exec_talks(const exec_plan *p) { return p->ranks && p->ranks->talk; }
