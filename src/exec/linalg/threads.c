/* threads.c - limits the number of OpenBLAS's threads.
 *
 * OpenBLAS divides each call among threads of its own, which wait for each other by yielding the
 * processor. For the matrices of a batch, which our workers compute one each, that is more threads
 * than cores; for small matrices the waiting takes longer than the work, on a busy machine a
 * thousand times longer: the QR factors of two 200x100 matrices took 1.6 s instead of 3 ms. So the
 * library uses its threads only for a single large matrix.
 *
 * The number is the library's, for the whole process: the first user sets it, and the last one
 * restores it. */
#include "exec/linalg/routines.h"

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int users, was; /* guarded by `lock` */

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
