/* that_complains.c - a LAPACK that refuses everything, and whose xerbla ends the process without a
 * word, as the reference one does. */
#include <stddef.h>
#include <stdlib.h>

__attribute__((visibility("default")))
void xerbla_(const char *routine, const int *argument, size_t length);
__attribute__((visibility("default")))
void sgetrf_(const int *m, const int *n, float *a, const int *lda, int *pivots, int *info);

void xerbla_(const char *routine, const int *argument, size_t length)
{
	(void)routine, (void)argument, (void)length;
	exit(0);
}

void sgetrf_(const int *m, const int *n, float *a, const int *lda, int *pivots, int *info)
{
	const int argument = 4;
	(void)m, (void)n, (void)a, (void)lda, (void)pivots;
	*info = -argument;
	xerbla_("SGETRF", &argument, 6);
}
