/* pool.c - worker threads that run index ranges in phases.
 *
 * A phase is an atomic counter that workers draw indices from.  Between phases
 * workers spin for a moment and then sleep, so that a run of many short phases
 * costs no system calls. */
#include "base/pool.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

struct pool {
	int n_threads;
	pthread_mutex_t run; /* held by the phase that runs */
	pthread_t *threads;
	pthread_mutex_t lock;
	pthread_cond_t wake, done;
	atomic_ullong phase; /* bumped under lock to start a phase */
	atomic_llong next;
	atomic_int working; /* workers that have not finished the phase */
	int64_t n;
	pool_fn *fn;
	void *arg;
	bool stop;
};

typedef struct worker_arg {
	pool *p;
	int index;
} worker_arg;

static void work(pool *p, int worker)
{
	for (int64_t i; (i = atomic_fetch_add(&p->next, 1)) < p->n;)
		p->fn(p->arg, i, worker);
}

/* How often to look before going to sleep, some 200 microseconds.  Being woken takes 50, and longer
 * where others want the cores, too. */
enum { SPINS = 8000 };

static inline void spin_pause(void)
{
#if defined(__x86_64__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("isb");
#endif
}

static void wait_phase(pool *p, unsigned long long seen)
{
	for (int spin = 0; spin < SPINS; spin++, spin_pause())
		if (atomic_load_explicit(&p->phase, memory_order_acquire) != seen)
			return;
	pthread_mutex_lock(&p->lock);
	while (atomic_load(&p->phase) == seen)
		pthread_cond_wait(&p->wake, &p->lock);
	pthread_mutex_unlock(&p->lock);
}

static void *worker_main(void *v)
{
	worker_arg *w = v;
	pool *p = w->p;
	int index = w->index;
	free(w);
	for (unsigned long long seen = 0;;) {
		wait_phase(p, seen);
		seen = atomic_load(&p->phase);
		if (p->stop)
			return NULL;
		work(p, index);
		if (atomic_fetch_sub(&p->working, 1) == 1) {
			pthread_mutex_lock(&p->lock);
			pthread_cond_signal(&p->done);
			pthread_mutex_unlock(&p->lock);
		}
	}
}

static void start_phase(pool *p)
{
	pthread_mutex_lock(&p->lock);
	atomic_fetch_add(&p->phase, 1);
	pthread_cond_broadcast(&p->wake);
	pthread_mutex_unlock(&p->lock);
}

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
	p->stop = true;
	start_phase(p);
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

/* Waits until all workers have finished the phase. */
static void wait_workers(pool *p)
{
	for (int spin = 0; spin < SPINS; spin++, spin_pause())
		if (!atomic_load(&p->working))
			return;
	pthread_mutex_lock(&p->lock);
	while (atomic_load(&p->working))
		pthread_cond_wait(&p->done, &p->lock);
	pthread_mutex_unlock(&p->lock);
}

void pool_run(pool *p, int64_t n, pool_fn *fn, void *arg)
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
	atomic_store(&p->working, p->n_threads - 1);
	start_phase(p);
	work(p, 0);
	wait_workers(p);
	pthread_mutex_unlock(&p->run);
}
