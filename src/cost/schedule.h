/* schedule.h - when clusters and collectives run, beside each other. Internal to cost. */
#ifndef TESS_COST_SCHEDULE_H
#define TESS_COST_SCHEDULE_H

#include "cost/cost.h"

enum {
	READY_ENTRY = -1,  /* when the list of tasks starts */
	READY_ALWAYS = -2, /* before that: computed from parameters only */
};

/* A cluster, a collective, or a whole loop.  Tasks are numbered in program order. */
typedef struct task {
	const op *o;
	stream on;
	double seconds;
	/* Of transfers: the task after which it may start, or READY_…; another transfer whose result
	 * it takes, or -1; the first task that waits for it, or the number of tasks. */
	int ready, after, need;
	double ahead; /* bytes of its result, if that has more than its operand: they are in memory
		       * while it waits to be used; 0: it is started as soon as possible */
	/* Of loops: how long links work in it, and how long only links do. */
	double busy[STREAMS], exposed;
	int collective; /* of transfers, their number among the collectives of the costs */
} task;
typedef VEC(task) task_list;

typedef struct scheduled {
	double seconds, exposed;
	double busy[STREAMS];
	double prefetched; /* the most bytes that were gathered before their place in the program
			    * at any time */
} scheduled;

/* Schedules `times` repetitions of the list, one after the other. `events`, if not NULL, gets the
 * events. */
scheduled schedule_of(const target *t, const task_list *tasks, double times, arena *mem,
                      timeline_events *events);

#endif
