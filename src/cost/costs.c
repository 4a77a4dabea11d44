/* costs.c - the costs of a whole program: clusters, collectives, the step, memory.
 *
 * One walk in program order, into calls as well, counts clusters and collectives and lists the
 * tasks that are to be scheduled. The body of a loop has a list of its own, and the loop is one
 * task. Of several branches only one runs: the most expensive one counts.
 *
 * For a collective the schedule needs three things. First, when its operand is available. Each
 * value has the number of the task after which it is available; operations that are fused into
 * others pass that number on, and what elementwise operations compute from parameters is always
 * available. Second, which other collective's result it takes, found in the same way. Third, which
 * task needs its result first. That is found backwards, after a block has been walked. */
#include "cost/collective.h"
#include "cost/memory.h"
#include "cost/schedule.h"

/* When a value is available in the current list; values of other lists are READY_ENTRY. */
typedef struct arrival {
	int list; /* number of the list */
	int ready; /* as in a task */
	int from;  /* the transfer whose result it is, or -1 */
} arrival;

/* From these follows by which resource the step is bound. */
typedef struct bound_seconds {
	double arithmetic, launches; /* of clusters that are bound by it */
	double links[STREAMS];
} bound_seconds;

typedef struct cost_walk {
	const module *m;
	arena *mem;
	clusters clusters;
	collective_costs *collectives;
	costs *out;
	task_list tasks;
	arrival *arrivals; /* [n_values] */
	int *task_of;      /* [n_ops]: task + 1; of a call, its first task */
	int *needed;       /* [n_ops]: the task that needs it first, for ops that are not
			    * clusters */
	int list, n_lists; /* the current list */
	int depth;
	bound_seconds bounds;
} cost_walk;

static void block_costs(cost_walk *w, const block *b, double times);

/* ---- when values are there -------------------------------------------------------------- */

static arrival arrival_of(const cost_walk *w, const value *v)
{
	arrival a = w->arrivals[v->id];
	return a.list == w->list ? a : (arrival){w->list, READY_ENTRY, -1};
}

static void set_arrivals(cost_walk *w, const op *o, int ready, int from)
{
	for (int i = 0; i < o->n_results; i++)
		w->arrivals[o->results[i].id] = (arrival){w->list, ready, from};
}

/* Which part of a stack of parameters is taken is known in advance. What devices exchange is not. */
static bool is_index(const value *v)
{
	return v->type->is_static && v->type->n_elems == 1 && dtype_is_int(v->type->dtype);
}

/* Returns when all operands are available. */
static arrival operands_arrival(const cost_walk *w, const op *o)
{
	arrival all = {w->list, READY_ALWAYS, -1};
	for (int i = 0; i < o->n_operands; i++) {
		arrival a = arrival_of(w, operand(o, i));
		if (is_index(operand(o, i)) && !op_is_collective(o))
			continue;
		all.ready = a.ready > all.ready ? a.ready : all.ready;
		all.from = a.from > all.from ? a.from : all.from;
	}
	return all;
}

/* ---- tasks ------------------------------------------------------------------------------- */

static int add_task(cost_walk *w, task t)
{
	vec_push(w->mem, &w->tasks, t);
	w->task_of[t.o->id] = w->tasks.len;
	return w->tasks.len - 1;
}

static void add_collective(cost_walk *w, collective col, double times)
{
	costs *c = w->out;
	stream on = col.far ? STREAM_FAR : STREAM_NEAR;
	arrival a = operands_arrival(w, col.o);
	double more = (double)(col.result_bytes - col.bytes);
	int k = add_task(w, (task){.o = col.o,
	                           .on = on,
	                           .seconds = col.seconds,
	                           .ready = a.ready,
	                           .after = a.from,
	                           .ahead = more > 0 ? (double)col.result_bytes : 0,
	                           .collective = c->collectives.len});
	set_arrivals(w, col.o, a.ready, k);
	col.times = times;
	vec_push(w->mem, &c->collectives, col);
	c->comm_bytes += times * col.wire_bytes;
}

static void count_cluster(cost_walk *w, const cluster *k, double times)
{
	costs *c = w->out;
	double traffic = k->memory_bytes / c->target->memory_bandwidth;
	c->total.flops += times * k->w.flops;
	c->total.bytes += times * k->w.bytes;
	c->unfused_bytes += times * k->unfused_bytes;
	c->compute_seconds += times * k->peak_seconds;
	c->memory_seconds += times * traffic;
	c->op_seconds += times * k->seconds;
	if (c->target->launch_seconds > (k->peak_seconds > traffic ? k->peak_seconds : traffic))
		w->bounds.launches += times * k->seconds;
	else if (k->peak_seconds > traffic)
		w->bounds.arithmetic += times * k->seconds;
	vec_push(w->mem, &c->ops,
	         (op_cost){.o = k->main,
	                   .times = times,
	                   .w = k->w,
	                   .memory_bytes = k->memory_bytes,
	                   .unfused_bytes = k->unfused_bytes,
	                   .peak_seconds = k->peak_seconds,
	                   .seconds = k->seconds});
}

/* What is computed element by element from parameters alone can be computed at any time before its
 * use. */
static void add_cluster(cost_walk *w, const cluster *k, double times)
{
	arrival a = operands_arrival(w, k->root);
	bool before = a.ready == READY_ALWAYS && a.from < 0 && op_has(k->root, ELEMENTWISE | MOVES);
	int i = add_task(w, (task){.o = k->root, .on = STREAM_COMPUTE, .seconds = k->seconds});
	set_arrivals(w, k->root, before ? READY_ALWAYS : i, -1);
	count_cluster(w, k, times);
}

/* The results of an op that runs with an earlier cluster are available when that is. */
static void join_cluster(cost_walk *w, const op *o, const op *root)
{
	arrival own = operands_arrival(w, o), a = arrival_of(w, result(root, 0));
	bool before = a.ready == READY_ALWAYS && own.ready == READY_ALWAYS && own.from < 0;
	set_arrivals(w, o, before ? READY_ALWAYS : w->task_of[root->id] - 1, -1);
}

static void add_op(cost_walk *w, const op *o, double times)
{
	collective col;
	if (collective_of(w->collectives, o, &col)) {
		add_collective(w, col, times);
	} else if (w->clusters.at[o->id]) {
		add_cluster(w, w->clusters.at[o->id], times);
	} else if (w->clusters.with[o->id]) {
		join_cluster(w, o, w->clusters.with[o->id]);
	} else {
		arrival a = operands_arrival(w, o);
		set_arrivals(w, o, a.ready, a.from);
	}
}

/* ---- which task needs a result ----------------------------------------------------------- */

static const op *op_around(const op *o, const block *b)
{
	while (o && o->parent != b)
		o = op_parent(o);
	return o;
}

/* `end` is the task after the block. */
static int needed_by(const cost_walk *w, const op *o, const block *b, int end)
{
	int least = end;
	for (int i = 0; i < o->n_results; i++)
		for (const use *u = o->results[i].uses; u; u = u->next) {
			const op *a = op_around(u->owner, b);
			int at = !a || op_has(a, TERMINATOR) ? end : w->needed[a->id];
			least = at < least ? at : least;
		}
	return least;
}

static void find_needs(cost_walk *w, const block *b)
{
	int end = w->tasks.len;
	for (const op *o = b->last; o; o = o->prev) {
		const op *with = w->clusters.with[o->id];
		int k = w->task_of[with ? with->id : o->id] - 1;
		task *t = k >= 0 && k < end ? &w->tasks.ptr[k] : NULL;
		if (t && (t->on == STREAM_COMPUTE || o->kind == OP_FUNC_CALL)) {
			w->needed[o->id] = k;
			continue;
		}
		w->needed[o->id] = needed_by(w, o, b, end);
		if (t)
			t->need = w->needed[o->id];
	}
}

/* ---- control flow ------------------------------------------------------------------------- */

/* Counts the transfers of a complete list, since only then it is known which are merged. */
static void count_transfers(cost_walk *w)
{
	costs *c = w->out;
	merge_transfers(c->target, &w->tasks, c->collectives.ptr, w->mem);
	for (int i = 0; i < w->tasks.len; i++) {
		const task *t = &w->tasks.ptr[i];
		if (t->on == STREAM_COMPUTE)
			continue;
		double seconds = c->collectives.ptr[t->collective].times * t->seconds;
		c->comm_seconds += seconds;
		w->bounds.links[t->on] += seconds;
	}
}

static double seconds_so_far(const costs *c) { return c->op_seconds + c->comm_seconds; }

/* Starts a list; the list so far is returned, for leave_list(). */
typedef struct outer_list {
	task_list tasks;
	int list;
} outer_list;

static outer_list enter_list(cost_walk *w)
{
	outer_list outer = {w->tasks, w->list};
	w->tasks = (task_list){0};
	w->list = ++w->n_lists;
	return outer;
}

/* The inner list becomes one task of the outer one. */
static void leave_list(cost_walk *w, const op *o, outer_list outer, const task_list *inner,
                       double turns)
{
	scheduled s = schedule_of(w->out->target, inner, turns, w->mem, NULL);
	w->tasks = outer.tasks;
	w->list = outer.list;
	task t = {.o = o, .on = STREAM_COMPUTE, .seconds = s.seconds, .exposed = s.exposed};
	memcpy(t.busy, s.busy, sizeof t.busy);
	if (s.prefetched > w->out->step.prefetched_bytes)
		w->out->step.prefetched_bytes = s.prefetched;
	set_arrivals(w, o, add_task(w, t), -1);
}

/* What one branch costs, and what all costs were before it. */
typedef struct branch_sums {
	costs out;
	bound_seconds bounds;
	task_list tasks;
} branch_sums;

/* Counts into fresh lists, so that branches do not overwrite each other's. */
static branch_sums one_branch(cost_walk *w, const branch_sums *before, const block *b, double times)
{
	*w->out = before->out;
	memset(&w->out->ops, 0, sizeof w->out->ops);
	memset(&w->out->collectives, 0, sizeof w->out->collectives);
	w->bounds = before->bounds;
	w->tasks = (task_list){0};
	w->list = ++w->n_lists;
	if (b)
		block_costs(w, b, times);
	count_transfers(w);
	return (branch_sums){*w->out, w->bounds, w->tasks};
}

/* Only one branch runs: the most expensive one counts. The collectives of the others are listed
 * without any time. */
static void branch_costs(cost_walk *w, const op *o, double times)
{
	int n = op_n_regions(o), best = 0;
	outer_list outer = enter_list(w);
	const branch_sums before = {.out = *w->out, .bounds = w->bounds};
	branch_sums *each = NEW_N(w->mem, branch_sums, n + 1);
	each[0] = before;
	for (int r = 0; r < n; r++) {
		each[r] = one_branch(w, &before, op_block(o, r), times);
		if (seconds_so_far(&each[r].out) > seconds_so_far(&each[best].out))
			best = r;
	}
	*w->out = each[best].out;
	w->bounds = each[best].bounds;
	w->out->ops = before.out.ops;
	w->out->collectives = before.out.collectives;
	for (int i = 0; n && i < each[best].out.ops.len; i++)
		vec_push(w->mem, &w->out->ops, each[best].out.ops.ptr[i]);
	for (int r = 0; r < n; r++)
		for (int i = 0; i < each[r].out.collectives.len; i++) {
			collective c = each[r].out.collectives.ptr[i];
			c.times = r == best ? c.times : 0;
			vec_push(w->mem, &w->out->collectives, c);
		}
	leave_list(w, o, outer, &each[best].tasks, 1);
}

/* A value that a loop passes on unchanged is available in every iteration. */
static void arrive_in_body(cost_walk *w, const op *o, const block *b, bool outer_always[])
{
	const op *end = op_block(o, 1) ? block_terminator(op_block(o, 1)) : NULL;
	for (int i = 0; i < b->n_args; i++) {
		bool unchanged = end && i < end->n_operands &&
		                 operand(end, i) == op_block(o, 1)->args[i] && outer_always[i];
		w->arrivals[b->args[i]->id] =
			(arrival){w->list, unchanged ? READY_ALWAYS : READY_ENTRY, -1};
	}
}

static void while_costs(cost_walk *w, const op *o, double times)
{
	int64_t trips = while_trip_count(w->m, o);
	bool *always = NEW_N(w->mem, bool, o->n_operands + 1);
	if (!trips) {
		w->out->unknown_loops++;
		trips = 1;
	}
	for (int i = 0; i < o->n_operands; i++)
		always[i] = arrival_of(w, operand(o, i)).ready == READY_ALWAYS;
	outer_list outer = enter_list(w);
	for (int r = 0; r < op_n_regions(o); r++)
		if (op_block(o, r)) {
			arrive_in_body(w, o, op_block(o, r), always);
			block_costs(w, op_block(o, r), times * (double)trips);
		}
	count_transfers(w);
	task_list inner = w->tasks;
	leave_list(w, o, outer, &inner, (double)trips);
}

static void call_costs(cost_walk *w, const op *o, double times)
{
	const op *f = call_callee(w->m, o);
	if (!f || func_is_declaration(f))
		return;
	const block *b = op_body(f);
	const op *end = block_terminator(b);
	int first = w->tasks.len;
	for (int i = 0; i < b->n_args && i < o->n_operands; i++)
		w->arrivals[b->args[i]->id] = arrival_of(w, operand(o, i));
	block_costs(w, b, times);
	for (int i = 0; end && i < o->n_results && i < end->n_operands; i++)
		w->arrivals[o->results[i].id] = arrival_of(w, operand(end, i));
	w->task_of[o->id] = w->tasks.len > first ? first + 1 : 0;
}

/* A kernel that somebody wrote, or one of a library. */
static cluster cluster_of_kernel(const cost_walk *w, const op *o, const kernel_estimate *e)
{
	const target *t = w->out->target;
	bool exact = e->exact && operand(o, 0)->type->dtype == DT_F32;
	double compute = e->w.flops / (exact ? t->flops_f32 : op_flop_rate(t, o));
	double traffic = memory_seconds(t, e->w.bytes);
	cluster k = {.root = o,
	             .main = o,
	             .w = e->w,
	             .memory_bytes = e->w.bytes,
	             .unfused_bytes = e->w.bytes,
	             .peak_seconds = compute};
	compute /= t->product_efficiency * e->share;
	k.seconds = t->launch_seconds + (compute > traffic ? compute : traffic);
	return k;
}

static void op_costs(cost_walk *w, const op *o, double times)
{
	kernel_estimate known;
	if (o->kind == OP_CUSTOM_CALL && custom_call_estimate(o, &known)) {
		cluster k = cluster_of_kernel(w, o, &known);
		add_cluster(w, &k, times);
		return;
	}
	if (o->kind == OP_CUSTOM_CALL && !op_is_collective(o) && !op_places(o))
		w->out->custom_calls++;
	add_op(w, o, times);
}

static void block_costs(cost_walk *w, const block *b, double times)
{
	if (++w->depth < MOST_NESTED) {
		for (const op *o = b->first; o; o = o->next) {
			w->task_of[o->id] = 0;
			if (o->kind == OP_WHILE)
				while_costs(w, o, times);
			else if (op_has(o, CONTROL))
				branch_costs(w, o, times);
			else if (o->kind == OP_FUNC_CALL)
				call_costs(w, o, times);
			else if (!op_has(o, LISTED))
				op_costs(w, o, times);
			else if (op_body(o))
				block_costs(w, op_body(o), times);
		}
		find_needs(w, b);
	}
	w->depth--;
}

/* ---- the step ----------------------------------------------------------------------------- */

static bound bound_of(const cost_walk *w)
{
	const costs *c = w->out;
	const bound_seconds *b = &w->bounds;
	double near = b->links[STREAM_NEAR], far = b->links[STREAM_FAR];
	if (far > near && far > c->op_seconds)
		return BOUND_FAR;
	if (near > c->op_seconds)
		return BOUND_NEAR;
	double traffic = c->op_seconds - b->arithmetic - b->launches;
	if (b->launches > traffic && b->launches > b->arithmetic)
		return BOUND_LAUNCH;
	return b->arithmetic > traffic ? BOUND_COMPUTE : BOUND_MEMORY;
}

/* Contention slows down everything by the same factor. */
static void stretch_timeline(costs *c, double seconds)
{
	double end = 0;
	for (int i = 0; i < c->timeline.len; i++)
		if (c->timeline.ptr[i].end > end)
			end = c->timeline.ptr[i].end;
	for (int i = 0; i < c->timeline.len && end > 0; i++) {
		c->timeline.ptr[i].begin *= seconds / end;
		c->timeline.ptr[i].end *= seconds / end;
	}
}

static void find_step(cost_walk *w)
{
	costs *c = w->out;
	count_transfers(w);
	scheduled s = schedule_of(c->target, &w->tasks, 1, w->mem, &c->timeline);
	stretch_timeline(c, s.seconds);
	c->step.serial_seconds = seconds_so_far(c);
	c->step.overlapped_seconds = s.seconds;
	c->step.exposed_communication_seconds = s.exposed;
	if (s.prefetched > c->step.prefetched_bytes)
		c->step.prefetched_bytes = s.prefetched;
	c->step.mfu = s.seconds > 0 ? c->compute_seconds / s.seconds : 0;
	c->step.bound = bound_of(w);
}

/* No prediction of a published run to which a constant was fitted is off by more than a quarter
 * (docs/costs.md). A compiler that overlaps nothing needs the serial time. */
seconds_range step_range(const step_time *s)
{
	const double off = 1.25;
	double slow = s->serial_seconds > s->overlapped_seconds ? s->serial_seconds : s->overlapped_seconds;
	return (seconds_range){s->overlapped_seconds / off, slow * off};
}

/* ---- which op of the local program a collective is ------------------------------------------ */

typedef struct collective_walk {
	const module *m;
	arena *mem;
	collective_list *out;
	int depth;
} collective_walk;

static void list_collectives(collective_walk *w, const block *b);

static void list_in_op(collective_walk *w, const op *o)
{
	const op *f = op_callee(w->m, o);
	if (f && !func_is_declaration(f))
		list_collectives(w, op_body(f));
	for (int r = 0; op_has(o, CONTROL | LISTED) && r < op_n_regions(o); r++)
		if (op_block(o, r))
			list_collectives(w, op_block(o, r));
}

/* Lists them in the order of block_costs(). */
static void list_collectives(collective_walk *w, const block *b)
{
	if (++w->depth < MOST_NESTED)
		for (const op *o = b->first; o; o = o->next) {
			if (op_is_collective(o))
				vec_push(w->mem, w->out, o);
			else if (o->kind == OP_FUNC_CALL || op_n_regions(o))
				list_in_op(w, o);
		}
	w->depth--;
}

void collectives_of(const module *m, arena *mem, collective_list *out)
{
	const op *main_func = module_main(m);
	collective_walk w = {m, mem, out, 0};
	*out = (collective_list){0};
	if (main_func && !func_is_declaration(main_func))
		list_collectives(&w, op_body(main_func));
}

/* Replacing calls, and computing once what was computed twice, keeps all collectives and their
 * order. */
static void name_local_collectives(cost_walk *w, const module *local)
{
	collective_list list;
	collectives_of(local, w->mem, &list);
	for (int i = 0; i < list.len && list.len == w->out->collectives.len; i++)
		w->out->collectives.ptr[i].o = list.ptr[i];
}

static void find_costs(const module *m, const module *opened, const program_meshes *meshes, const target *t,
                       bool brief, arena *mem, costs *out)
{
	const module *walked = opened ? opened : m;
	if (t->cores) {
		target *shared = NEW(mem, target);
		*shared = target_shared(t, devices_of_program(walked));
		t = shared;
	}
	*out = (costs){.target = t};
	const op *main_func = module_main(walked);
	if (!main_func || func_is_declaration(main_func))
		return;
	const block *b = op_body(main_func);
	collective_costs collectives = {walked, meshes, t, mem, {0}};
	cost_walk w = {.m = walked,
	               .mem = mem,
	               .collectives = &collectives,
	               .out = out,
	               .list = 1,
	               .n_lists = 1};
	w.clusters = clusters_of(walked, t, mem);
	w.arrivals = NEW_N(mem, arrival, walked->n_values + 1);
	w.task_of = NEW_N(mem, int, walked->n_ops + 1);
	w.needed = NEW_N(mem, int, walked->n_ops + 1);
	for (int i = 0; i < b->n_args; i++)
		w.arrivals[b->args[i]->id] = (arrival){w.list, READY_ALWAYS, -1};
	block_costs(&w, b, 1);
	find_step(&w);
	if (walked != m)
		name_local_collectives(&w, m);
	if (opened)
		memory_of(opened, &w.clusters, brief, mem, &out->mem, &out->host);
}

void costs_of(const module *m, const module *opened, const program_meshes *meshes, const target *t,
              arena *mem, costs *out)
{
	find_costs(m, opened, meshes, t, false, mem, out);
}

void costs_briefly(const module *m, const module *opened, const program_meshes *meshes, const target *t,
                   arena *mem, costs *out)
{
	find_costs(m, opened, meshes, t, true, mem, out);
}
