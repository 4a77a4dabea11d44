/* order.c - the order in which kernels run on CPUs.
 *
 * XLA's compiler for CPUs runs first what can run first, so that many kernels can run at the same
 * time. A kernel is appended to a queue when its last operand is available; kernels that wait for
 * the same value are appended in program order. The kernel that ends the block is last.
 *
 * All-reduces of one kind that do not depend on each other are merged into one with several
 * operands. It runs when all of these are available, and gives all results at the same time. */
#include "cost/kernels.h"

typedef struct kernel_queue {
	cpu_block *c;
	int *queue; /* kernels */
	int queued, taken, at;
	int *arrived;      /* by group of merged all-reduces: members whose operands are
			    * available */
	int *members;      /* number of members */
	int *place;        /* when the group runs, + 1; -1: its members run separately */
	int *waiting;      /* groups of which some members' operands are available, the first
			    * such group first */
	int n_waiting, n_seen;
	int *first, *next; /* the first kernel of a group, and by kernel the next one; + 1 */
} kernel_queue;

/* ---- all-reduces that are one -------------------------------------------------------------------- */

/* The compiler for CPUs replaces a reduce-scatter by an all-reduce, and takes a part of its
 * result. */
static bool is_summed(const op *o)
{
	return op_is_device_reduction(o) && o->n_operands == 1 &&
	       op_body_kind(o, 0) != OP_UNKNOWN;
}

static bool are_of_one_kind(const op *a, const op *b)
{
	return operand(a, 0)->type->dtype == operand(b, 0)->type->dtype &&
	       op_body_kind(a, 0) == op_body_kind(b, 0) &&
	       op_attr(a, N_replica_groups) == op_attr(b, N_replica_groups);
}

enum { KINDS = 8 };

/* How many all-reduces of each kind a kernel depends on, one after the other. */
typedef struct sums_before {
	int n[KINDS];
} sums_before;

static sums_before find_sums_before(const cpu_block *c, const sums_before *sums,
                                    const cpu_kernel *k)
{
	sums_before most = {{0}};
	for (int i = 0; i < k->n_inputs; i++) {
		int by = c->buffers.ptr[c->inputs.ptr[k->first_input + i].buffer].by;
		for (int kind = 0; by >= 0 && kind < KINDS; kind++)
			if (sums[by].n[kind] > most.n[kind])
				most.n[kind] = sums[by].n[kind];
	}
	return most;
}

static int kind_of_sum(const op **kinds, const op *o)
{
	int kind = 0;
	while (kind < KINDS && kinds[kind] && !are_of_one_kind(kinds[kind], o))
		kind++;
	if (kind < KINDS)
		kinds[kind] = o;
	return kind;
}

/* All-reduces of one kind that depend on equally many of that kind are merged. */
static void join_sums(cpu_block *c)
{
	int n = c->kernels.len;
	const op *kinds[KINDS] = {NULL};
	sums_before *sums = NEW_N(c->w->mem, sums_before, n);
	int(*with)[KINDS] = arena_zalloc(c->w->mem, sizeof *with * (size_t)(n + 1));
	for (int i = 0; i < n; i++) {
		cpu_kernel *k = &c->kernels.ptr[i];
		sums[i] = find_sums_before(c, sums, k);
		int kind = !k->copies && is_summed(k->o) ? kind_of_sum(kinds, k->o) : KINDS;
		if (kind == KINDS)
			continue;
		int *one = &with[sums[i].n[kind]++][kind];
		if (!*one)
			*one = ++c->n_with;
		k->with = *one;
	}
}

/* ---- the queue -------------------------------------------------------------------------------------- */

static void queue_members(kernel_queue *q, int with)
{
	for (int i = q->first[with]; i; i = q->next[i - 1])
		if (!q->c->kernels.ptr[i - 1].missing)
			q->queue[q->queued++] = i - 1;
}

static void queue_up(kernel_queue *q, int i)
{
	int with = q->c->kernels.ptr[i].with;
	if (!with || q->place[with] < 0)
		q->queue[q->queued++] = i;
	else if (++q->arrived[with] == q->members[with])
		queue_members(q, with);
	else if (q->arrived[with] == 1)
		q->waiting[q->n_waiting++] = with;
}

static void value_is_there(kernel_queue *q, int buffer)
{
	const cpu_block *c = q->c;
	for (int i = c->first_user[buffer]; i < c->first_user[buffer + 1]; i++)
		if (--c->kernels.ptr[c->users[i]].missing == 0)
			queue_up(q, c->users[i]);
}

static void run_kernel(kernel_queue *q, int i)
{
	cpu_kernel *k = &q->c->kernels.ptr[i];
	int *place = k->with ? &q->place[k->with] : NULL;
	if (place && *place > 0) {
		k->at = *place - 1;
	} else {
		k->at = q->at++;
		if (place && !*place)
			*place = k->at + 1;
	}
	for (int n = 0; n < k->n_outputs; n++)
		value_is_there(q, k->first_output + n);
}

/* If groups wait for each other, the members of the group that has waited longest run separately. A
 * group that is complete, or whose members run separately, is not looked at again. */
static bool part_longest_waiting(kernel_queue *q)
{
	while (q->n_seen < q->n_waiting) {
		int with = q->waiting[q->n_seen++];
		if (q->arrived[with] < q->members[with]) {
			q->place[with] = -1;
			queue_members(q, with);
			return true;
		}
	}
	return false;
}

static void find_missing(cpu_block *c)
{
	for (int i = 0; i < c->kernels.len; i++) {
		cpu_kernel *k = &c->kernels.ptr[i];
		k->missing = 0;
		for (int n = 0; n < k->n_inputs; n++)
			k->missing += c->buffers.ptr[c->inputs.ptr[k->first_input + n].buffer].by >=
			              0;
	}
}

void order_kernels(cpu_block *c)
{
	int n = c->kernels.len;
	arena *mem = c->w->mem;
	join_sums(c);
	kernel_queue q = {.c = c, .queue = NEW_N(mem, int, n + 1)};
	q.arrived = NEW_N(mem, int, c->n_with + 1);
	q.members = NEW_N(mem, int, c->n_with + 1);
	q.place = NEW_N(mem, int, c->n_with + 1);
	q.waiting = NEW_N(mem, int, c->n_with + 1);
	q.first = NEW_N(mem, int, c->n_with + 1);
	q.next = NEW_N(mem, int, n);
	for (int i = n - 1; i >= 0; i--) {
		int with = c->kernels.ptr[i].with;
		q.members[with]++;
		q.next[i] = q.first[with];
		q.first[with] = i + 1;
	}
	find_missing(c);
	/* The last kernel, which ends the block, comes last. */
	for (int i = 0; i < n; i++)
		if (!c->kernels.ptr[i].missing)
			queue_up(&q, i);
	do {
		while (q.taken < q.queued)
			run_kernel(&q, q.queue[q.taken++]);
	} while (part_longest_waiting(&q));
	c->order = q.queue;
	ASSERT(q.queued == n);
}
