/* merge.c - collectives that compilers merge.
 *
 * Starting a collective takes as long as sending some ten thousand bytes. So compilers merge
 * collectives of one kind among the same devices into one with several operands, if all operands
 * are available before the first result is needed, up to a size that takes far longer to send than
 * to start. The first of them counts completely, and each other one counts what it adds. For large
 * ones it makes no difference: they are not merged here, so that a step does not depend on how many
 * of them fit together. */
#include "cost/collective.h"

enum { MOST_TOGETHER = 32 << 20, MOST_OF_ONE = 4 << 20, OPEN_PARTIES = 8 };

/* Those that have been merged so far. */
typedef struct together {
	const collective *first;
	const attr *groups;
	double bytes;  /* of operands */
	double larger; /* of operands or results, whichever has more bytes */
	int need;      /* the first task that waits for one of them */
	int number;    /* 1 for the first such list */
} together;

/* XLA's compiler for CPUs merges all-reduces only. */
static bool may_merge(const target *t, const collective *c)
{
	if (max_i64(c->bytes, c->result_bytes) > MOST_OF_ONE)
		return false;
	if (c->kind == TRANSFER_ALL_REDUCE || (c->kind == TRANSFER_REDUCE_SCATTER && !t->is_cpu))
		return op_body_kind(c->o, 0) != OP_UNKNOWN;
	return c->kind == TRANSFER_ALL_GATHER && !t->is_cpu;
}

static bool are_alike(const together *p, const collective *c)
{
	const op *a = p->first->o, *b = c->o;
	return a->kind == b->kind && p->groups == op_attr(b, N_replica_groups) &&
	       operand(a, 0)->type->dtype == operand(b, 0)->type->dtype &&
	       (c->kind == TRANSFER_ALL_GATHER || op_body_kind(a, 0) == op_body_kind(b, 0));
}

static double seconds_together(const target *t, const collective *c, double bytes)
{
	return transfer_of(t, c->kind, bytes, &c->place).seconds;
}

/* What a collective takes by itself beyond the transfer, as transposing, it takes among others, too. */
static double seconds_added(const target *t, const together *p, const collective *c)
{
	double bytes = (double)c->bytes;
	double beyond = c->seconds - seconds_together(t, c, bytes);
	return seconds_together(t, c, p->bytes + bytes) - seconds_together(t, c, p->bytes) + beyond;
}

/* Those that were merged take the results of others only if these have lower numbers, so that no
 * two of them wait for each other.
 * @param waits the highest number of those whose results it takes, directly or not
 * @return true if it is merged with these, and then takes no longer than what it adds */
static bool goes_with(const target *t, together *p, int waits, task *k, collective *all)
{
	collective *c = &all[k->collective];
	double larger = p->larger + (double)max_i64(c->bytes, c->result_bytes);
	if (!p->first || !are_alike(p, c) || k->ready >= p->need || larger > MOST_TOGETHER ||
	    waits >= p->number)
		return false;
	double adds = seconds_added(t, p, c);
	c->seconds = k->seconds = adds < c->seconds ? adds : c->seconds;
	p->bytes += (double)c->bytes;
	p->larger = larger;
	p->need = k->need < p->need ? k->need : p->need;
	return true;
}

/* Devices that share cores take turns at a collective (target.turn_seconds); those that start at the
 * same position of the program are one after the other in one turn, and the first of them counts it. */
static void share_turn(const target *t, bool turned[], task *k, collective *c)
{
	bool *at = &turned[k->ready - READY_ALWAYS];
	double turn = t->cores && *at ? t->turn_seconds : 0;
	*at = true;
	c->seconds = k->seconds = c->seconds > turn ? c->seconds - turn : 0;
}

void merge_transfers(const target *t, const task_list *tasks, collective *all, arena *mem)
{
	together open[OPEN_PARTIES] = {0};
	int *numbers = NEW_N(mem, int, tasks->len + 1); /* of transfers: the highest number that
	                                                 * its result waits for */
	bool *turned = NEW_N(mem, bool, tasks->len - READY_ALWAYS + 1); /* by position */
	int newest = 0;
	for (int i = 0; i < tasks->len; i++) {
		task *k = &tasks->ptr[i];
		collective *c = k->on == STREAM_COMPUTE ? NULL : &all[k->collective];
		numbers[i] = c && k->after >= 0 ? numbers[k->after] : 0;
		bool joined = false, may = c && may_merge(t, c);
		for (int n = 0; n < OPEN_PARTIES && may && !joined; n++) {
			joined = goes_with(t, &open[n], numbers[i], k, all);
			numbers[i] = joined ? open[n].number : numbers[i];
		}
		if (c && !joined)
			share_turn(t, turned, k, c);
		if (!may || joined)
			continue;
		numbers[i] = ++newest;
		open[newest % OPEN_PARTIES] = (together){.first = c,
		                                         .groups = op_attr(c->o, N_replica_groups),
		                                         .bytes = (double)c->bytes,
		                                         .larger = (double)max_i64(c->bytes, c->result_bytes),
		                                         .need = k->need,
		                                         .number = newest};
	}
}
