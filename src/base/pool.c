/* pool.c - worker threads that run index ranges in phases.
 *
 * In a phase, threads draw indices from an atomic counter. The caller draws, too, until none is
 * left, and closes the phase; then it only waits for workers that are still at an index. A worker
 * that has not joined by then, because other programs use the cores, is not waited for. To join, a
 * worker increments `inside`, then checks whether the phase is still open; to close it, the caller
 * marks it closed, then checks `inside`.
 *
 * Between phases workers spin for a moment and then sleep, so that many short phases cost no system
 * calls. Waking a worker costs as much as a short phase, so sleepers are woken only when the work
 * that they could have shared exceeds `patience`. This is doubled when a worker was woken for
 * nothing, since all work was done by the time it came, and halved when it was not. */
#include "base/pool.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

struct pool {
	int n_threads;
	pthread_mutex_t run; /* held by the running phase */
	pthread_t *threads;
	/* The phase: workers read n, fn, arg only while it is open and `inside` counts them. */
	atomic_ullong phase; /* odd while one is open */
	atomic_int inside;
	atomic_llong next;
	int64_t n;
	pool_fn *fn;
	void *arg;
	/* Sleeping workers. */
	pthread_mutex_t lock;
	pthread_cond_t wake, done;
	atomic_int sleepers;
	int wakes; /* number of sleepers that may get up */
	bool stop;
	atomic_bool caller_sleeps;
	double missed;           /* nanoseconds of work since sleepers were last woken */
	_Atomic double patience; /* nanoseconds */
};

static const double least_patience = 50e3, most_patience = 2e6;

/* Iterations before going to sleep, about 200 and 50 microseconds. Waking takes 50, and more if
 * other programs use the cores. */
enum { WORKER_SPINS = 8000, CALLER_SPINS = 2000 };

typedef struct worker_arg {
	pool *p;
	int index;
} worker_arg;

static inline void spin_pause(void)
{
#if defined(__x86_64__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("isb");
#endif
}

/* Returns true if there was an index to draw. */
static bool work(pool *p, int worker)
{
	int64_t i, n = p->n;
	bool any = false;
	for (; (i = atomic_fetch_add(&p->next, 1)) < n; any = true)
		p->fn(p->arg, i, worker);
	return any;
}

/* ---- workers -------------------------------------------------------------------------- */

static bool phase_is_new(pool *p, unsigned long long seen)
{
	unsigned long long now = atomic_load(&p->phase);
	return now & 1 && now != seen;
}

/* Returns true if a phase other than `seen` is opened; spins for a moment. */
static bool phase_comes(pool *p, unsigned long long seen)
{
	for (int spin = 0; spin < WORKER_SPINS; spin++, spin_pause())
		if (phase_is_new(p, seen))
			return true;
	return false;
}

/* Helps with the open phase. @return true if there was something left to do */
static bool help(pool *p, int worker, unsigned long long *seen)
{
	bool any = false;
	atomic_fetch_add(&p->inside, 1);
	*seen = atomic_load(&p->phase);
	if (*seen & 1)
		any = work(p, worker);
	atomic_fetch_sub(&p->inside, 1);
	if (atomic_load(&p->caller_sleeps)) {
		pthread_mutex_lock(&p->lock);
		pthread_cond_signal(&p->done);
		pthread_mutex_unlock(&p->lock);
	}
	return any;
}

/* A phase that was just opened may not have counted this thread as a sleeper, so checks for one
 * again. @return false if the pool ends */
static bool sleep_until_woken(pool *p, unsigned long long seen)
{
	pthread_mutex_lock(&p->lock);
	atomic_fetch_add(&p->sleepers, 1);
	while (!p->wakes && !p->stop && !phase_is_new(p, seen))
		pthread_cond_wait(&p->wake, &p->lock);
	if (p->wakes)
		p->wakes--;
	atomic_fetch_sub(&p->sleepers, 1);
	bool go_on = !p->stop;
	pthread_mutex_unlock(&p->lock);
	return go_on;
}

static void learn(pool *p, bool useful)
{
	double now = atomic_load(&p->patience), then = useful ? now / 2 : now * 2;
	atomic_store(&p->patience, then < least_patience  ? least_patience
	                           : then > most_patience ? most_patience
	                                                  : then);
}

static void *worker_main(void *v)
{
	worker_arg *w = v;
	pool *p = w->p;
	int index = w->index;
	free(w);
	unsigned long long seen = 0;
	while (sleep_until_woken(p, seen)) {
		bool useful = false;
		while (phase_comes(p, seen))
			useful |= help(p, index, &seen);
		learn(p, useful);
	}
	return NULL;
}

/* ---- the caller ------------------------------------------------------------------------- */

/* Wakes sleepers for a phase of n indices if it pays. */
static void call_workers(pool *p, int64_t n, double ns)
{
	int sleepers = atomic_load(&p->sleepers);
	p->missed += ns;
	if (!sleepers || p->missed < atomic_load(&p->patience))
		return;
	p->missed = 0;
	pthread_mutex_lock(&p->lock);
	p->wakes = atomic_load(&p->sleepers);
	if (p->wakes > n - 1)
		p->wakes = (int)(n - 1);
	for (int i = 0; i < p->wakes; i++)
		pthread_cond_signal(&p->wake);
	pthread_mutex_unlock(&p->lock);
}

/* Waits for the workers in the phase, which is closed. */
static void wait_workers(pool *p)
{
	for (int spin = 0; spin < CALLER_SPINS; spin++, spin_pause())
		if (!atomic_load(&p->inside))
			return;
	pthread_mutex_lock(&p->lock);
	atomic_store(&p->caller_sleeps, true);
	while (atomic_load(&p->inside))
		pthread_cond_wait(&p->done, &p->lock);
	atomic_store(&p->caller_sleeps, false);
	pthread_mutex_unlock(&p->lock);
}

void pool_run(pool *p, int64_t n, double ns, pool_fn *fn, void *arg)
{
	if (n <= 1 || p->n_threads == 1 || pthread_mutex_trylock(&p->run)) {
		for (int64_t i = 0; i < n; i++)
			fn(arg, i, 0);
		return;
	}
	p->n = n;
	p->fn = fn;
	p->arg = arg;
	atomic_store(&p->next, 0);
	atomic_fetch_add(&p->phase, 1);
	call_workers(p, n, ns);
	work(p, 0);
	atomic_fetch_add(&p->phase, 1);
	wait_workers(p);
	pthread_mutex_unlock(&p->run);
}

/* ---- creating and freeing ------------------------------------------------------------------- */

pool *pool_new(int n_threads)
{
	if (n_threads <= 0)
		n_threads = (int)sysconf(_SC_NPROCESSORS_ONLN);
	if (n_threads < 1)
		n_threads = 1;
	pool *p = calloc(1, sizeof *p);
	if (!p)
		return NULL;
	p->threads = calloc((size_t)n_threads, sizeof *p->threads);
	p->n_threads = 1;
	atomic_store(&p->patience, least_patience);
	pthread_mutex_init(&p->run, NULL);
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->wake, NULL);
	pthread_cond_init(&p->done, NULL);
	for (int i = 1; p->threads && i < n_threads; i++) {
		worker_arg *w = malloc(sizeof *w);
		if (!w)
			break;
		*w = (worker_arg){p, i};
		if (pthread_create(&p->threads[i], NULL, worker_main, w)) {
			free(w);
			break;
		}
		p->n_threads++;
	}
	return p;
}

void pool_free(pool *p)
{
	if (!p)
		return;
	pthread_mutex_lock(&p->lock);
	p->stop = true;
	pthread_cond_broadcast(&p->wake);
	pthread_mutex_unlock(&p->lock);
	for (int i = 1; i < p->n_threads; i++)
		pthread_join(p->threads[i], NULL);
	pthread_cond_destroy(&p->done);
	pthread_cond_destroy(&p->wake);
	pthread_mutex_destroy(&p->lock);
	pthread_mutex_destroy(&p->run);
	free(p->threads);
	free(p);
}

int pool_size(const pool *p) { return p->n_threads; }
