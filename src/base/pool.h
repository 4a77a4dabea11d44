/* pool.h - a fixed set of worker threads that run index ranges in phases. */
#ifndef TESS_BASE_POOL_H
#define TESS_BASE_POOL_H

#include <stdint.h>

typedef struct pool pool;

/* n_threads 0: as many as the machine has cores. The caller is one of them. @return NULL without
 * threads or memory */
pool *pool_new(int n_threads);
void pool_free(pool *p);
int pool_size(const pool *p);

/* Runs fn(arg, i, worker) for every i in [0, n), in total about `ns` nanoseconds of work for one
 * thread; returns when all are done. It does not depend on workers: the caller does what none has
 * started, as worker 0, and everything if another thread's phase is running. fn must not call
 * pool_run(). */
typedef void pool_fn(void *arg, int64_t i, int worker);
void pool_run(pool *p, int64_t n, double ns, pool_fn *fn, void *arg);

#endif
