/* xerbla.c - replaces the function that LAPACK calls on an invalid argument. It is a module of its
 * own, since only a library opened with RTLD_GLOBAL takes precedence over LAPACK's own xerbla_
 * (open.c). */
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define SEEN __attribute__((visibility("default")))

static _Thread_local bool listening;
static _Thread_local int complaint;

/* Starts or stops listening on this thread. @return the number of the argument that was rejected
 * since the last call; 0 if none was */
SEEN int tess_xerbla_hear(bool listen);
SEEN void xerbla_(const char *routine, const int *argument, size_t length);

int tess_xerbla_hear(bool listen)
{
	int heard = complaint;
	listening = listen;
	complaint = 0;
	return heard;
}

/* If this thread listens, records the argument and returns, and then so does the routine. Otherwise
 * prints what LAPACK would print. */
void xerbla_(const char *routine, const int *argument, size_t length)
{
	if (listening)
		complaint = *argument;
	else
		fprintf(stderr, " ** On entry to %.*s parameter number %2d had an illegal value\n",
		        (int)length, routine, *argument);
}
