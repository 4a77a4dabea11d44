/* schedule.c - a step as three streams: computation, near links, far links.
 *
 * Clusters run in program order, one after the other. A collective starts when its operand is
 * available and its links are free, and a cluster waits for the collectives whose results it takes.
 * If several collectives could run, the links work on the one whose result is needed first, and
 * interrupt another one for it, since messages are sent in chunks. So the reduction of a gradient,
 * which only the optimizer needs, does not delay the gathering of the next layer's weights.
 *
 * A gather of parameters could start at the start of the step, but its result needs memory from
 * then on. Such gathers start in the order in which they are needed, as long as the results that
 * wait to be used fit into the machine's `prefetch_bytes`, and at the latest at their place in the
 * program.
 *
 * Collectives that run beside computation slow it down: by the machine's `contention` times the
 * time in which links work and nothing waits for them. Where in the step that happens makes no
 * difference.
 *
 * A step never takes longer if any part of it takes less time. At each cluster, the transfers that
 * must be finished are finished as early as their starts and lengths allow, because no other
 * transfer goes before them; and the starts follow from the clusters before. So this also holds for
 * the time that is spent waiting, and with it for clusters + (1 - contention) * waiting +
 * contention * work of the links. */
#include "cost/schedule.h"

#include <stdlib.h>

typedef struct underway {
	int task;
	double left; /* seconds of work that remain */
} underway;

typedef struct link_state {
	VEC(underway) heap; /* by need, then by number */
	double clock;      /* the time up to which its work is known */
	double busy;
} link_state;

typedef struct scheduler {
	const target *t;
	const task *tasks;
	int n;
	arena *mem;
	timeline_events *events;
	link_state links[STREAMS]; /* only STREAM_NEAR and STREAM_FAR are used */
	int *first, *next;         /* transfers by the task after which they start: [n + 1], [n] */
	int *heirs, *next_heir;    /* transfers by the transfer whose result they take */
	int *ahead, n_ahead, passed; /* transfers that wait for memory, in the order in which they
	                              * are needed; how many of them may start */
	bool *ready, *started, *done, *admitted;
	double *begun, *held; /* by task: when it started; how long everything waited for it */
	double now, exposed;
	scheduled loops; /* what links do within loops */
	double in_flight;        /* bytes of results that wait to be used */
	double early, prefetched; /* of these, bytes that were transferred before their place in
				   * the program; the most at any time */
	int at;                  /* the current position in the list */
} scheduler;

/* ---- the heap of a link ----------------------------------------------------------- */

static bool needed_before(const scheduler *s, int a, int b)
{
	int x = s->tasks[a].need, y = s->tasks[b].need;
	return x != y ? x < y : a < b;
}

static void sift_up(const scheduler *s, link_state *l, int i)
{
	while (i > 0 && needed_before(s, l->heap.ptr[i].task, l->heap.ptr[(i - 1) / 2].task)) {
		underway p = l->heap.ptr[i];
		l->heap.ptr[i] = l->heap.ptr[(i - 1) / 2];
		l->heap.ptr[(i - 1) / 2] = p;
		i = (i - 1) / 2;
	}
}

static void sift_down(const scheduler *s, link_state *l, int i)
{
	for (;;) {
		int least = i;
		for (int k = 2 * i + 1; k <= 2 * i + 2 && k < l->heap.len; k++)
			if (needed_before(s, l->heap.ptr[k].task, l->heap.ptr[least].task))
				least = k;
		if (least == i)
			return;
		underway p = l->heap.ptr[i];
		l->heap.ptr[i] = l->heap.ptr[least];
		l->heap.ptr[least] = p;
		i = least;
	}
}

static void remove_first(const scheduler *s, link_state *l)
{
	l->heap.ptr[0] = l->heap.ptr[--l->heap.len];
	sift_down(s, l, 0);
}

/* ---- transfers -------------------------------------------------------------------------- */

static void advance(scheduler *s, stream on, double until, double within);

static void start_transfer(scheduler *s, int k, double at)
{
	link_state *l = &s->links[s->tasks[k].on];
	if (s->started[k])
		return;
	s->started[k] = true;
	advance(s, s->tasks[k].on, at, at);
	vec_push(s->mem, &l->heap, (underway){k, s->tasks[k].seconds});
	sift_up(s, l, l->heap.len - 1);
	s->begun[k] = -1;
}

/* The operand of transfer k is available. */
static void be_ready(scheduler *s, int k, double at)
{
	int after = s->tasks[k].after;
	if (after >= 0 && !s->done[after]) {
		s->next_heir[k] = s->heirs[after];
		s->heirs[after] = k;
		return;
	}
	s->ready[k] = true;
	if (s->tasks[k].ahead <= 0 || s->admitted[k])
		start_transfer(s, k, at);
}

static void finish_transfer(scheduler *s, int k, double at)
{
	s->done[k] = true;
	if (s->events)
		vec_push(s->mem, s->events,
		         (timeline_event){s->tasks[k].o, s->tasks[k].on, s->begun[k], at,
		                          s->tasks[k].collective, s->held[k]});
	for (int h = s->heirs[k]; h >= 0;) {
		int next = s->next_heir[h];
		be_ready(s, h, at);
		h = next;
	}
}

/* Moves the clock of a link to `until`. The link works until then, or only until `within` if that is
 * earlier. */
static void advance(scheduler *s, stream on, double until, double within)
{
	link_state *l = &s->links[on];
	double end = within < until ? within : until;
	while (l->heap.len && l->clock < end) {
		underway *p = &l->heap.ptr[0];
		double run = p->left < end - l->clock ? p->left : end - l->clock;
		int k = p->task;
		if (s->begun[k] < 0)
			s->begun[k] = l->clock;
		l->clock += run;
		l->busy += run;
		p->left -= run;
		if (p->left > 0)
			continue;
		remove_first(s, l);
		finish_transfer(s, k, l->clock);
	}
	if (l->clock < until)
		l->clock = until;
}

/* Starts transfers that wait for memory, in the order in which they are needed, as long as there is
 * memory; and in any case those whose place in the program has come, and those that task `forced`
 * needs, with all before them. */
static void admit(scheduler *s, int forced)
{
	while (s->passed < s->n_ahead) {
		int k = s->ahead[s->passed];
		const task *t = &s->tasks[k];
		bool room = s->in_flight + t->ahead <= s->t->prefetch_bytes;
		if (t->need > forced && k > s->at && !room)
			return;
		s->passed++;
		s->admitted[k] = true;
		s->in_flight += t->ahead;
		s->early += k > s->at ? t->ahead : 0;
		if (s->ready[k])
			start_transfer(s, k, s->now);
	}
}

static void note_prefetched(scheduler *s)
{
	if (s->early > s->prefetched)
		s->prefetched = s->early;
}

/* From its place in the program on, the memory of a transfer is counted by how long values live. */
static void pass_transfer(scheduler *s, int k)
{
	s->at = k;
	s->early -= s->admitted[k] ? s->tasks[k].ahead : 0;
	admit(s, -1);
}

/* Runs the first transfer of a link to its end, when nothing else runs from `last` on. */
static void run_first(scheduler *s, link_state *l, double *last)
{
	underway p = l->heap.ptr[0];
	if (s->begun[p.task] < 0)
		s->begun[p.task] = l->clock;
	l->clock += p.left;
	l->busy += p.left;
	remove_first(s, l);
	if (l->clock > *last) {
		s->held[p.task] += l->clock - *last;
		*last = l->clock;
	}
	finish_transfer(s, p.task, l->clock);
}

/* Runs the transfers that the task needs; other links work meanwhile. */
static void wait_for(scheduler *s, int needed_by)
{
	double last = s->now;
	for (bool more = true; more;) {
		more = false;
		for (int on = STREAM_NEAR; on < STREAMS; on++) {
			link_state *l = &s->links[on];
			while (l->heap.len && s->tasks[l->heap.ptr[0].task].need <= needed_by) {
				run_first(s, l, &last);
				more = true;
			}
		}
	}
	s->exposed += last - s->now;
	s->now = last;
}

/* ---- clusters --------------------------------------------------------------------------- */

static void start_after(scheduler *s, int k)
{
	for (int j = s->first[k]; j >= 0; j = s->next[j])
		be_ready(s, j, s->now);
}

/* Runs the cluster; links work beside it, as long as they have something to do. */
static void run_cluster(scheduler *s, int k)
{
	const task *t = &s->tasks[k];
	double begin = s->now;
	for (int on = STREAM_NEAR; on < STREAMS; on++) {
		double start = s->links[on].clock, from = start > begin ? start : begin;
		advance(s, on, begin, begin);
		advance(s, on, begin + t->seconds, from + t->seconds - t->busy[on]);
		s->loops.busy[on] += t->busy[on];
	}
	s->now += t->seconds;
	s->loops.exposed += t->exposed;
	if (s->events && t->seconds > 0)
		vec_push(s->mem, s->events, (timeline_event){t->o, t->on, begin, s->now, -1, t->exposed});
}

/* Releases the memory of results that the task has used. */
static void release_memory(scheduler *s, int *used, int k)
{
	for (; *used < s->passed && s->tasks[s->ahead[*used]].need <= k; ++*used)
		s->in_flight -= s->tasks[s->ahead[*used]].ahead;
}

static void run_schedule(scheduler *s)
{
	int used = 0;
	start_after(s, s->n);
	s->at = -1;
	admit(s, -1);
	for (int k = 0; k < s->n; k++) {
		if (s->tasks[k].on != STREAM_COMPUTE) {
			pass_transfer(s, k);
			continue;
		}
		s->at = k;
		admit(s, k);
		wait_for(s, k);
		release_memory(s, &used, k);
		admit(s, k);
		note_prefetched(s);
		run_cluster(s, k);
		start_after(s, k);
	}
	admit(s, s->n);
	wait_for(s, s->n);
}

/* ---- lists ------------------------------------------------------------------------------- */

typedef struct by_need {
	int task, need;
} by_need;

static int in_order_of_need(const void *a, const void *b)
{
	const by_need *x = a, *y = b;
	return x->need != y->need ? (x->need > y->need) - (x->need < y->need)
	                          : (x->task > y->task) - (x->task < y->task);
}

/* Lists the transfers that wait for memory. */
static void list_ahead(scheduler *s)
{
	by_need *list = NEW_N(s->mem, by_need, s->n + 1);
	for (int k = 0; k < s->n; k++)
		if (s->tasks[k].on != STREAM_COMPUTE && s->tasks[k].ahead > 0)
			list[s->n_ahead++] = (by_need){k, s->tasks[k].need};
	if (s->n_ahead)
		qsort(list, (size_t)s->n_ahead, sizeof *list, in_order_of_need);
	s->ahead = NEW_N(s->mem, int, s->n_ahead + 1);
	for (int i = 0; i < s->n_ahead; i++)
		s->ahead[i] = list[i].task;
}

static void list_starts(scheduler *s)
{
	s->first = NEW_N(s->mem, int, s->n + 1);
	s->next = NEW_N(s->mem, int, s->n + 1);
	s->heirs = NEW_N(s->mem, int, s->n + 1);
	s->next_heir = NEW_N(s->mem, int, s->n + 1);
	for (int k = 0; k <= s->n; k++)
		s->first[k] = s->next[k] = s->heirs[k] = s->next_heir[k] = -1;
	for (int k = s->n - 1; k >= 0; k--) {
		int after = s->tasks[k].ready;
		if (s->tasks[k].on == STREAM_COMPUTE)
			continue;
		after = after < 0 ? s->n : after;
		s->next[k] = s->first[after];
		s->first[after] = k;
	}
}

static scheduled schedule_once(const target *t, const task_list *tasks, arena *mem,
                               timeline_events *events)
{
	scheduler s = {.t = t, .tasks = tasks->ptr, .n = tasks->len, .mem = mem, .events = events};
	list_starts(&s);
	list_ahead(&s);
	s.ready = NEW_N(mem, bool, s.n + 1);
	s.started = NEW_N(mem, bool, s.n + 1);
	s.done = NEW_N(mem, bool, s.n + 1);
	s.admitted = NEW_N(mem, bool, s.n + 1);
	s.begun = NEW_N(mem, double, s.n + 1);
	s.held = NEW_N(mem, double, s.n + 1);
	run_schedule(&s);
	double busy = s.links[STREAM_NEAR].busy + s.links[STREAM_FAR].busy;
	double hidden = busy > s.exposed ? busy - s.exposed : 0;
	scheduled out = {.seconds = s.now + t->contention * hidden,
	                 .exposed = s.exposed + s.loops.exposed,
	                 .prefetched = s.prefetched};
	for (int on = STREAM_NEAR; on < STREAMS; on++)
		out.busy[on] = s.links[on].busy + s.loops.busy[on];
	return out;
}

/* Returns the last task that is no transfer; READY_ALWAYS: there is none. */
static int last_cluster(const task_list *l)
{
	for (int i = l->len - 1; i >= 0; i--)
		if (l->ptr[i].on == STREAM_COMPUTE)
			return i;
	return READY_ALWAYS;
}

/* Repeats the list: what comes from parameters may start in the iteration before, and what comes from
 * that iteration itself starts after its last cluster. */
static task_list twice(const task_list *once, arena *mem)
{
	task_list two = {0};
	int n = once->len, last = last_cluster(once);
	for (int i = 0; i < 2 * n; i++) {
		task t = once->ptr[i % n];
		if (i >= n) {
			t.ready = t.ready == READY_ENTRY ? last : t.ready < 0 ? t.ready : t.ready + n;
			t.after += t.after >= 0 ? n : 0;
			t.need += n;
		}
		vec_push(mem, &two, t);
	}
	return two;
}

static double over_turns(double one, double two, double times)
{
	double more = two > one ? two - one : 0;
	return times < 1 ? one * times : one + (times - 1) * more;
}

scheduled schedule_of(const target *t, const task_list *tasks, double times, arena *mem,
                      timeline_events *events)
{
	scheduled one = schedule_once(t, tasks, mem, events);
	if (times == 1 || !tasks->len)
		return one;
	task_list two_turns = twice(tasks, mem);
	scheduled two = schedule_once(t, &two_turns, mem, NULL), out = one;
	out.seconds = over_turns(one.seconds, two.seconds, times);
	out.exposed = over_turns(one.exposed, two.exposed, times);
	for (int on = STREAM_NEAR; on < STREAMS; on++)
		out.busy[on] = one.busy[on] * times;
	if (two.prefetched > out.prefetched)
		out.prefetched = two.prefetched;
	return out;
}
