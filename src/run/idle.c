/* idle.c - keeps the state of runs between runs.
 *
 * What a run needs besides its plan is kept with the plan for the next run. A framework keeps
 * hundreds of plans; so over all plans that share a pool, little more than IDLE_MOST bytes are
 * kept, and the state that has been idle longest is freed first. The most recent one is kept
 * however large it is: a training loop has a single plan. */
#include "run/session.h"

#include <pthread.h>
#include <stdlib.h>

enum { IDLE_MOST = 256 << 20 };

struct idle_runs {
	pthread_mutex_t lock; /* guards these lists and those of all plans */
	size_t bytes;
	idle_run *newest, *oldest;
};

idle_runs *idle_runs_new(void)
{
	idle_runs *all = calloc(1, sizeof *all);
	if (all)
		pthread_mutex_init(&all->lock, NULL);
	return all;
}

void idle_runs_free(idle_runs *all)
{
	if (all)
		pthread_mutex_destroy(&all->lock);
	free(all);
}

/* Removes the run's state from both lists. */
static idle_run *unlink_run(idle_runs *all, idle_run *r)
{
	idle_run **at = r->home;
	while (*at != r)
		at = &(*at)->next;
	*at = r->next;
	*(r->newer ? &r->newer->older : &all->newest) = r->older;
	*(r->older ? &r->older->newer : &all->oldest) = r->newer;
	all->bytes -= r->bytes;
	return r;
}

idle_run *idle_take(idle_runs *all, idle_run **home)
{
	pthread_mutex_lock(&all->lock);
	idle_run *r = *home ? unlink_run(all, *home) : NULL;
	pthread_mutex_unlock(&all->lock);
	return r;
}

void idle_give(idle_runs *all, idle_run **home, idle_run *r)
{
	idle_run *gone = NULL;
	pthread_mutex_lock(&all->lock);
	r->home = home;
	r->next = *home;
	*home = r;
	r->newer = NULL;
	r->older = all->newest;
	*(all->newest ? &all->newest->newer : &all->oldest) = r;
	all->newest = r;
	all->bytes += r->bytes;
	while (all->bytes > IDLE_MOST && all->oldest != r) {
		idle_run *old = unlink_run(all, all->oldest);
		old->next = gone;
		gone = old;
	}
	pthread_mutex_unlock(&all->lock);
	while (gone) {
		idle_run *old = gone;
		gone = old->next;
		old->release(old);
	}
}
