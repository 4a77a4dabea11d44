/* schedule.h - when clusters and collectives run, beside each other; inside cost. */
#ifndef TESS_COST_SCHEDULE_H
#define TESS_COST_SCHEDULE_H

#include "cost/cost.h"

enum {
	READY_ENTRY = -1,  /* when the list of tasks is entered */
	READY_ALWAYS = -2, /* before that: made of parameters only */
};

/* A cluster, a collective, or a whole loop.  Tasks are numbered in program order. */
typedef struct task {
	const op *o;
	stream on;
	double seconds;
	/* Of transfers: the task after which it may start, or READY_…; another transfer whose result
	 * it takes, or -1; the first task that waits for it, or the number of tasks. */
	int ready, after, need;
	double ahead; /* bytes that its result takes while it waits to be used, where that is more
	               * than its operand takes; 0: it is started as soon as it can be */
	/* Of loops: how long links work meanwhile, and nothing but links. */
	double busy[STREAMS], exposed;
	int collective; /* of transfers: its number among the collectives of the costs */
} task;
typedef VEC(task) task_list;

typedef struct scheduled {
	double seconds, exposed;
	double busy[STREAMS];
	double prefetched; /* most bytes that were gathered before their place at one time */
} scheduled;

/* `times` repetitions of the list after each other.  Gets the events if `events` is not NULL. */
scheduled schedule_of(const target *t, const task_list *tasks, double times, arena *mem,
                      timeline_events *events);

#endif
