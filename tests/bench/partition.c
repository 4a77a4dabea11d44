/* partition.c - how long partitioning takes, beside propagation.
 *
 *   bench_partition FILE...
 *
 * For each program the best of five: milliseconds of processor time to propagate, to partition, and
 * the second over the first; then the totals. */
#include <stdio.h>
#include <tessera/partition.h>
#include <time.h>

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

typedef struct times {
	double propagate, partition;
} times;

static int measure(const char *path, times *best)
{
	tess_ctx *ctx = tess_ctx_new(NULL);
	tess_module *m = ctx ? tess_module_parse_file(ctx, path, NULL) : NULL;
	double a = now(), b, c;
	tess_status status = m ? tess_module_propagate(m) : TESS_INVALID;
	b = now();
	if (status == TESS_OK)
		status = tess_module_partition(m, NULL, NULL);
	c = now();
	if (status == TESS_OK && (!best->propagate || b - a < best->propagate))
		best->propagate = b - a;
	if (status == TESS_OK && (!best->partition || c - b < best->partition))
		best->partition = c - b;
	if (status == TESS_OK || !m)
		tess_module_free(m);
	tess_ctx_free(ctx);
	return status == TESS_OK;
}

int main(int argc, char **argv)
{
	times sum = {0, 0};
	for (int i = 1; i < argc; i++) {
		times best = {0, 0};
		int good = 1;
		for (int k = 0; k < 5 && good; k++)
			good = measure(argv[i], &best);
		const char *name = argv[i];
		for (const char *s = name; *s; s++)
			if (*s == '/')
				name = s + 1;
		if (!good) {
			printf("%-32s refused\n", name);
			continue;
		}
		printf("%-32s %8.2f %8.2f %6.2f\n", name, best.propagate, best.partition,
		       best.partition / best.propagate);
		sum.propagate += best.propagate;
		sum.partition += best.partition;
	}
	printf("%-32s %8.2f %8.2f %6.2f\n", "total", sum.propagate, sum.partition,
	       sum.propagate > 0 ? sum.partition / sum.propagate : 0);
	return 0;
}
