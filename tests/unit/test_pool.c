/* test_pool.c - index ranges run by several threads, some of which do not come. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>
#include <unistd.h>

#include "base/pool.h"

enum { N = 1000 };
static const double much = 1e9; /* nanoseconds: worth waking all workers */

static void pause_ms(int ms) { nanosleep(&(struct timespec){.tv_nsec = ms * 1000000L}, NULL); }

/* ---- every index is run once ---------------------------------------------------------------- */

typedef struct tally {
	atomic_int times[N];
	atomic_int by[8];
} tally;

static void count(void *arg, int64_t i, int worker)
{
	tally *t = arg;
	atomic_fetch_add(&t->times[i], 1);
	atomic_fetch_add(&t->by[worker], 1);
}

/* Few and many indices, with and without enough work to wake a worker. */
static void each_index_is_run_once(void **unused)
{
	(void)unused;
	for (int threads = 1; threads <= 4; threads++) {
		pool *p = pool_new(threads);
		assert_int_equal(pool_size(p), threads);
		for (int n = 0; n <= N; n = n * 3 + 1) {
			for (int turn = 0; turn < 40; turn++) {
				tally t = {0};
				pool_run(p, n, turn % 2 ? much : 1, count, &t);
				for (int i = 0; i < N; i++)
					assert_int_equal(t.times[i], i < n);
			}
		}
		pool_free(p);
	}
}

/* ---- a worker that does not join ------------------------------------------------------------ */

static pthread_t helper;
static atomic_bool helped;
static int hold[2]; /* a pipe: the helper reads from it */

static void stop_here(int signal)
{
	char c;
	(void)signal;
	(void)!read(hold[0], &c, 1);
}

/* The caller waits at its index until a worker has joined. */
static void meet(void *arg, int64_t i, int worker)
{
	(void)arg, (void)i;
	if (worker) {
		helper = pthread_self();
		atomic_store(&helped, true);
	}
	while (!atomic_load(&helped))
		pause_ms(1);
}

/* If another program uses a worker's core, the phase ends without it. It helps again later. */
static void a_worker_that_does_not_come_is_not_waited_for(void **unused)
{
	(void)unused;
	assert_int_equal(pipe(hold), 0);
	signal(SIGUSR1, stop_here);
	signal(SIGALRM, SIG_DFL);
	pool *p = pool_new(2);
	pool_run(p, 2, much, meet, NULL);
	pause_ms(20); /* now asleep, not at an index */
	assert_int_equal(pthread_kill(helper, SIGUSR1), 0);
	pause_ms(20);

	alarm(20);
	tally t = {0};
	for (int turn = 0; turn < 10; turn++)
		pool_run(p, N, much, count, &t);
	alarm(0);
	assert_int_equal(t.by[0], 10 * N);

	assert_int_equal(write(hold[1], "", 1), 1);
	atomic_store(&helped, false);
	pool_run(p, 2, much, meet, NULL);
	pool_free(p);
	close(hold[0]);
	close(hold[1]);
}

/* ---- several callers ------------------------------------------------------------------------ */

static void *call_often(void *arg)
{
	for (int turn = 0; turn < 2000; turn++) {
		tally t = {0};
		pool_run(arg, 20, turn % 3 ? 20e3 : much, count, &t);
		for (int i = 0; i < 20; i++)
			if (t.times[i] != 1)
				return arg;
	}
	return NULL;
}

static void callers_share_the_workers(void **unused)
{
	(void)unused;
	pool *p = pool_new(3);
	pthread_t callers[4];
	for (int i = 0; i < 4; i++)
		assert_int_equal(pthread_create(&callers[i], NULL, call_often, p), 0);
	for (int i = 0; i < 4; i++) {
		void *wrong = NULL;
		pthread_join(callers[i], &wrong);
		assert_null(wrong);
	}
	pool_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_index_is_run_once),
		cmocka_unit_test(a_worker_that_does_not_come_is_not_waited_for),
		cmocka_unit_test(callers_share_the_workers),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
