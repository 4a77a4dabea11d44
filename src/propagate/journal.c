/* journal.c - records turns, and repeats those that a change of annotations concerns. */
#include "propagate/journal.h"

/* ---- times ------------------------------------------------------------------------ */

/* The turns of a run: the results of main, every op, the results again. */
static uint64_t turns_of_run(const journal *j)
{
	return (uint64_t)j->w->g.n_ops + 2 * (uint64_t)j->n_results;
}

static uint32_t node_of_turn(const journal *j, turn_time t)
{
	uint64_t at = (t - 1) % turns_of_run(j), n_ops = j->w->g.n_ops;
	if (at < j->n_results)
		return (uint32_t)(n_ops + at);
	at -= j->n_results;
	return (uint32_t)at; /* results are numbered after the ops */
}

/* The first turn after `t` at place `at` of a run; 0: none. */
static turn_time next_turn_at(const journal *j, uint64_t at, turn_time t)
{
	uint64_t first = 1 + at, n = turns_of_run(j);
	uint64_t run = t < first ? 0 : (t - first) / n + 1;
	return run < j->n_runs ? first + run * n : 0;
}

static turn_time earlier(turn_time a, turn_time b) { return !a || (b && b < a) ? b : a; }

/* The first turn after `t` that is known to visit the node; 0: none. */
static turn_time next_look(const journal *j, uint32_t node, turn_time t)
{
	uint32_t n_ops = j->w->g.n_ops;
	turn_time next = next_turn_at(j, (uint64_t)j->n_results + node, t);
	if (node >= n_ops)
		next = earlier(next, next_turn_at(j, node - n_ops, t));
	int low = 0, high = j->woken[node].len;
	while (low < high) {
		int middle = (low + high) / 2;
		if (j->woken[node].ptr[middle] <= t)
			low = middle + 1;
		else
			high = middle;
	}
	return low < j->woken[node].len ? earlier(next, j->woken[node].ptr[low]) : next;
}

/* ---- sorted lists ----------------------------------------------------------------- */

static void add_woken(journal *j, uint32_t node, turn_time t)
{
	int i = j->woken[node].len;
	while (i && j->woken[node].ptr[i - 1] > t)
		i--;
	if (i && j->woken[node].ptr[i - 1] == t)
		return;
	vec_push(j->mem, &j->woken[node], t);
	turn_time *at = j->woken[node].ptr + i;
	memmove(at + 1, at, sizeof *at * (size_t)(j->woken[node].len - 1 - i));
	*at = t;
}

static void drop_woken(journal *j, uint32_t node, turn_time t)
{
	int i = j->woken[node].len;
	while (i && j->woken[node].ptr[i - 1] > t)
		i--;
	if (!i || j->woken[node].ptr[i - 1] != t)
		return;
	turn_time *at = j->woken[node].ptr + i - 1;
	memmove(at, at + 1, sizeof *at * (size_t)(j->woken[node].len - i));
	j->woken[node].len--;
}

static void add_version(journal *j, uint32_t slot, turn_time t, view_no v)
{
	version_list *l = &j->versions[slot];
	int i = l->len;
	while (i && l->ptr[i - 1].time > t)
		i--;
	if (i && l->ptr[i - 1].time == t) {
		l->ptr[i - 1].view = v;
		return;
	}
	vec_push(j->mem, l, (version){0});
	memmove(l->ptr + i + 1, l->ptr + i, sizeof *l->ptr * (size_t)(l->len - 1 - i));
	l->ptr[i] = (version){t, v};
}

static void drop_version(journal *j, uint32_t slot, turn_time t)
{
	version_list *l = &j->versions[slot];
	int i = l->len;
	while (i && l->ptr[i - 1].time > t)
		i--;
	if (!i || l->ptr[i - 1].time != t)
		return;
	memmove(l->ptr + i - 1, l->ptr + i, sizeof *l->ptr * (size_t)(l->len - i));
	l->len--;
}

/* ---- how slots differ from before the change ------------------------------------------------ */

/* Keeps the versions of a slot that is about to change. */
static void keep_before(journal *j, uint32_t slot)
{
	if (j->changed_no[slot])
		return;
	const version_list *l = &j->versions[slot];
	version_list copy = {0};
	if (l->len) {
		copy.ptr = COPY_N(&j->w->m->ctx->scratch, l->ptr, l->len);
		copy.len = copy.cap = l->len;
	}
	vec_push(j->mem, &j->changed, (struct changed_slot){slot, j->begin[slot], copy});
	j->changed_no[slot] = (uint32_t)j->changed.len;
}

/* True if the slot's sharding after turn `t` differs from the one it had before the change. */
static bool differs_at(const journal *j, uint32_t slot, turn_time t)
{
	if (!j->changed_no[slot])
		return false;
	const struct changed_slot *c = &j->changed.ptr[j->changed_no[slot] - 1];
	return version_at(&c->before, c->begin, t) !=
	       version_at(&j->versions[slot], j->begin[slot], t);
}

/* ---- turns to repeat ------------------------------------------------------------------------ */

static void push_due(journal *j, turn_time t)
{
	vec_push(j->mem, &j->due, t);
	turn_time *heap = j->due.ptr;
	for (int i = j->due.len - 1, up; i && heap[up = (i - 1) / 2] > t; i = up) {
		heap[i] = heap[up];
		heap[up] = t;
	}
}

static turn_time pop_due(journal *j)
{
	turn_time *heap = j->due.ptr, first = heap[0], last = heap[--j->due.len];
	int i = 0, n = j->due.len;
	for (int k; (k = 2 * i + 1) < n; i = k) {
		if (k + 1 < n && heap[k + 1] < heap[k])
			k++;
		if (heap[k] >= last)
			break;
		heap[i] = heap[k];
	}
	heap[i] = last;
	return first;
}

/* If the slot differs after turn `t`, schedules the next turn that reads it. */
static void schedule_slot(journal *j, uint32_t slot, turn_time t)
{
	turn_time next = 0;
	if (!differs_at(j, slot, t))
		return;
	for (uint32_t i = j->reader_at[slot]; i < j->reader_at[slot + 1]; i++)
		next = earlier(next, next_look(j, j->readers[i], t));
	if (next)
		push_due(j, next);
}

static void schedule_node(journal *j, uint32_t n, turn_time t)
{
	const graph *g = &j->w->g;
	const node *nd = &g->nodes[n];
	for (int i = 0; i < node_n_tensors(g, nd); i++)
		schedule_slot(j, node_slot(g, nd, i), t);
}

static bool node_differs(const journal *j, uint32_t n, turn_time t)
{
	const graph *g = &j->w->g;
	const node *nd = &g->nodes[n];
	for (int i = 0; i < node_n_tensors(g, nd); i++)
		if (differs_at(j, node_slot(g, nd, i), t))
			return true;
	return false;
}

/* ---- one turn ------------------------------------------------------------------------------- */

static void set_run(journal *j, uint64_t run)
{
	j->w->strategy = !j->both ? j->only : run % 2 ? RUN_AGGRESSIVE : RUN_BASIC;
	j->w->round = j->rounds ? (int)(j->both ? run / 2 : run) : -1;
}

static void take_turn(journal *j, turn_time t)
{
	uint32_t node = node_of_turn(j, t);
	j->time = t;
	j->n_taken++;
	j->now.looked.len = j->now.written.len = 0;
	set_run(j, (t - 1) / turns_of_run(j));
	walk_turn(j->w, node);
	j->n_visits += (uint64_t)j->now.looked.len;
}

/* Records what the turn visited and wrote. `old` is its former record, which is swapped into
 * j->now. */
static void record_turn(journal *j, turn_time t, turn *old)
{
	for (int i = 0; i < j->now.written.len; i++) {
		uint32_t slot = j->now.written.ptr[i];
		if (j->again)
			keep_before(j, slot);
		add_version(j, slot, t, j->w->at[slot]);
	}
	for (int i = 1; i < j->now.looked.len; i++)
		add_woken(j, j->now.looked.ptr[i], t);
	if (!old && !j->now.written.len)
		return;
	turn *to = old ? old : NEW(j->mem, turn);
	if (!old)
		*ptr_map_at(&j->turns, j->mem, (void *)(uintptr_t)t) = to;
	turn before = *to;
	*to = j->now;
	j->now = before;
}

/* ---- repeating turns ------------------------------------------------------------------------ */

static void forget_record(journal *j, turn_time t, const turn *old)
{
	for (int i = 0; i < old->written.len; i++) {
		keep_before(j, old->written.ptr[i]);
		drop_version(j, old->written.ptr[i], t);
	}
	for (int i = 1; i < old->looked.len; i++)
		drop_woken(j, old->looked.ptr[i], t);
}

static void schedule_after(journal *j, turn_time t, const turn *record)
{
	for (int i = 0; i < record->looked.len; i++)
		schedule_node(j, record->looked.ptr[i], t);
	for (int i = 0; i < record->written.len; i++)
		schedule_slot(j, record->written.ptr[i], t);
}

/* True if the turn reads anything that differs. */
static bool is_concerned(const journal *j, turn_time t, const turn *old)
{
	if (node_differs(j, node_of_turn(j, t), t - 1))
		return true;
	for (int i = 1; old && i < old->looked.len; i++)
		if (node_differs(j, old->looked.ptr[i], t - 1))
			return true;
	return false;
}

static void retake_turn(journal *j, turn_time t)
{
	turn *old = ptr_map_get(&j->turns, (void *)(uintptr_t)t);
	if (!is_concerned(j, t, old))
		return;
	if (old)
		forget_record(j, t, old);
	take_turn(j, t);
	record_turn(j, t, old);
	if (!old)
		old = ptr_map_get(&j->turns, (void *)(uintptr_t)t);
	if (old)
		schedule_after(j, t, old);
	schedule_after(j, t, &j->now);
	schedule_node(j, node_of_turn(j, t), t);
}

void journal_change(journal *j, uint32_t slot, view_no v)
{
	if (!j->again) /* the first since the last update */
		for (; j->changed.len; j->changed.len--)
			j->changed_no[j->changed.ptr[j->changed.len - 1].slot] = 0;
	j->again = true;
	keep_before(j, slot);
	j->begin[slot] = v;
}

bool journal_update(journal *j, uint64_t limit)
{
	turn_time last = 0;
	j->n_visits = 0;
	j->due.len = 0;
	for (int i = 0; j->again && i < j->changed.len; i++)
		schedule_slot(j, j->changed.ptr[i].slot, 0);
	while (j->due.len && j->n_visits <= limit) {
		turn_time t = pop_due(j);
		if (t != last)
			retake_turn(j, t);
		last = t;
	}
	j->again = false;
	return !j->due.len;
}

view_no journal_result(const journal *j, uint32_t slot)
{
	const version_list *l = &j->versions[slot];
	return l->len ? l->ptr[l->len - 1].view : j->begin[slot];
}

/* ---- start and full run --------------------------------------------------------------------- */

static void find_readers(journal *j)
{
	const graph *g = &j->w->g;
	uint32_t *at = NEW_N(j->mem, uint32_t, g->n_slots + 2);
	for (uint32_t n = 0; n < g->n_nodes; n++)
		for (int t = 0; t < node_n_tensors(g, &g->nodes[n]); t++)
			at[node_slot(g, &g->nodes[n], t) + 2]++;
	for (uint32_t s = 2; s < g->n_slots + 2; s++)
		at[s] += at[s - 1];
	j->readers = NEW_N(j->mem, uint32_t, at[g->n_slots + 1] + 1);
	for (uint32_t n = 0; n < g->n_nodes; n++)
		for (int t = 0; t < node_n_tensors(g, &g->nodes[n]); t++)
			j->readers[at[node_slot(g, &g->nodes[n], t) + 1]++] = n;
	j->reader_at = at;
}

void journal_init(journal *j, walk *w, const pass_options *o)
{
	*j = (journal){.w = w, .mem = w->mem, .rounds = o->op_priority};
	const graph *g = &w->g;
	j->both = o->strategy == STRATEGY_BASIC_THEN_AGGRESSIVE;
	j->only = o->strategy == STRATEGY_BASIC ? RUN_BASIC : RUN_AGGRESSIVE;
	j->n_runs = (j->both ? 2 : 1) * (j->rounds ? N_ROUNDS : 1);
	j->n_results = g->n_nodes - g->n_ops;
	find_readers(j);
	j->versions = NEW_N(j->mem, version_list, g->n_slots);
	j->woken = NEW_N(j->mem, time_list, g->n_nodes);
	j->begin = COPY_N(j->mem, w->begin, g->n_slots);
	j->loaded = NEW_N(j->mem, uint64_t, g->n_slots);
	j->changed_no = NEW_N(j->mem, uint32_t, g->n_slots);
	w->log = j;
}

void journal_run(journal *j)
{
	walk *w = j->w;
	const graph *g = &w->g;
	j->again = false;
	j->n_visits = 0;
	for (uint32_t s = 0; s < g->n_slots; s++)
		j->versions[s].len = 0;
	for (uint32_t n = 0; n < g->n_nodes; n++)
		j->woken[n].len = 0;
	for (uint32_t i = 0; i < j->turns.cap; i++) {
		turn *old = j->turns.slots[i].val;
		if (old)
			old->looked.len = old->written.len = 0;
	}
	memcpy(w->at, j->begin, sizeof *w->at * g->n_slots);
	walk_forget(w);
	for (turn_time t = 1; t <= turns_of_run(j) * j->n_runs; t++) {
		take_turn(j, t);
		if (j->now.written.len)
			record_turn(j, t, ptr_map_get(&j->turns, (void *)(uintptr_t)t));
	}
}
