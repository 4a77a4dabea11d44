/* that_counts.c - a LAPACK with threads of its own, as OpenBLAS has them: its LU factorization says how
 * many it may use. */
__attribute__((visibility("default"))) int openblas_get_num_threads(void);
__attribute__((visibility("default"))) void openblas_set_num_threads(int n);
__attribute__((visibility("default")))
void sgetrf_(const int *m, const int *n, float *a, const int *lda, int *pivots, int *info);

static int threads = 8;

int openblas_get_num_threads(void) { return threads; }
void openblas_set_num_threads(int n) { threads = n; }

void sgetrf_(const int *m, const int *n, float *a, const int *lda, int *pivots, int *info)
{
	(void)lda;
	for (int i = 0; i < *m * *n; i++)
		a[i] = (float)threads;
	for (int i = 0; i < *n && i < *m; i++)
		pivots[i] = i + 1;
	*info = 0;
}
