/* xerbla.c - what LAPACK calls when it does not like an argument: a module of its own, since only a
 * library that is opened for all symbols comes before LAPACK's own xerbla_ (open.c). */
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define SEEN __attribute__((visibility("default")))

static _Thread_local bool listening;
static _Thread_local int complaint;

/* Starts or ends listening on this thread.
 * @return the number of the argument that was complained of since the last call; 0: none */
SEEN int tess_xerbla_hear(bool listen);
SEEN void xerbla_(const char *routine, const int *argument, size_t length);

int tess_xerbla_hear(bool listen)
{
	int heard = complaint;
	listening = listen;
	complaint = 0;
	return heard;
}

/* Returns, whereupon the routine does, too.  Others in the process read what LAPACK would print. */
void xerbla_(const char *routine, const int *argument, size_t length)
{
	if (listening)
		complaint = *argument;
	else
		fprintf(stderr, " ** On entry to %.*s parameter number %2d had an illegal value\n",
		        (int)length, routine, *argument);
}
