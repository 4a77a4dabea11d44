/* queue.c - the client's thread: it runs tasks one after the other, in the order they came.
 *
 * A program that never waits for its results, as a training loop that prints no loss, would put all its
 * steps into the queue, with the batch of each.  So only some wait: who calls another one waits, too. */
#include "plugin.h"

#include <stdlib.h>

enum { MOST_WAITING = 32 };

struct queue {
	pthread_mutex_t lock;
	pthread_cond_t changed; /* a task has come, or they end */
	pthread_cond_t taken;   /* a task has been taken from the queue */
	task *first, **end;
	int waiting;
	pthread_t thread;
	bool started, running, ending;
};

struct queue *queue_new(void)
{
	struct queue *q = calloc(1, sizeof *q);
	if (!q)
		return NULL;
	pthread_mutex_init(&q->lock, NULL);
	pthread_cond_init(&q->changed, NULL);
	pthread_cond_init(&q->taken, NULL);
	q->end = &q->first;
	return q;
}

static void *work(void *arg)
{
	struct queue *q = arg;
	pthread_mutex_lock(&q->lock);
	for (;;) {
		while (!q->first && !q->ending)
			pthread_cond_wait(&q->changed, &q->lock);
		task *t = q->first;
		if (!t)
			break;
		q->first = t->next;
		if (!q->first)
			q->end = &q->first;
		q->waiting--;
		pthread_cond_signal(&q->taken);
		q->running = true;
		pthread_mutex_unlock(&q->lock);
		t->run(t);
		pthread_mutex_lock(&q->lock);
		q->running = false;
	}
	pthread_mutex_unlock(&q->lock);
	return NULL;
}

/* The thread begins with the first task: threads do not survive a fork, which JAX's users do. */
void queue_push(struct queue *q, task *t)
{
	t->next = NULL;
	pthread_mutex_lock(&q->lock);
	if (!q->started)
		q->started = pthread_create(&q->thread, NULL, work, q) == 0;
	bool here = !q->started;
	if (!here) {
		while (q->waiting >= MOST_WAITING && !pthread_equal(q->thread, pthread_self()))
			pthread_cond_wait(&q->taken, &q->lock);
		*q->end = t;
		q->end = &t->next;
		q->waiting++;
		pthread_cond_signal(&q->changed);
	}
	pthread_mutex_unlock(&q->lock);
	if (here) /* no thread is to be had: as if it were not asynchronous */
		t->run(t);
}

bool queue_is_idle(struct queue *q)
{
	pthread_mutex_lock(&q->lock);
	bool idle = !q->first && !q->running;
	pthread_mutex_unlock(&q->lock);
	return idle;
}

void queue_free(struct queue *q)
{
	pthread_mutex_lock(&q->lock);
	q->ending = true;
	pthread_cond_signal(&q->changed);
	pthread_mutex_unlock(&q->lock);
	if (q->started)
		pthread_join(q->thread, NULL);
	pthread_cond_destroy(&q->changed);
	pthread_cond_destroy(&q->taken);
	pthread_mutex_destroy(&q->lock);
	free(q);
}
