/* threads.c - how many threads OpenBLAS may use.
 *
 * It shares each call out to threads of its own, which wait for each other by giving way to whoever
 * wants to run.  For the matrices of a batch, which our workers compute one each, that is more threads than
 * cores; for small ones the waiting takes longer than the work, on a busy machine a thousand times: the
 * QR factors of two matrices 200x100 took 1.6 s instead of 3 ms.  So only what is large and alone is
 * shared out.
 *
 * The number is the library's, for the whole process: who asks first sets it, who leaves last
 * restores it. */
#include "exec/linalg/routines.h"

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int users, was; /* by `lock` */

void one_thread_begin(const lapack_threads *t)
{
	if (!t->get || !t->set)
		return;
	pthread_mutex_lock(&lock);
	if (users++ == 0) {
		was = t->get();
		if (was > 1)
			t->set(1);
	}
	pthread_mutex_unlock(&lock);
}

void one_thread_end(const lapack_threads *t)
{
	if (!t->get || !t->set)
		return;
	pthread_mutex_lock(&lock);
	if (--users == 0 && was > 1)
		t->set(was);
	pthread_mutex_unlock(&lock);
}
