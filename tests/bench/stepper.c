/* stepper.c - steps of a program, timed one by one: tessera's side of tests/bench/executor.
 *
 *   stepper FILE.mlir [INPUTS.npz|-] [whole] [threads=N] [trace=FILE]
 *
 * Without inputs (-) arguments are filled with small numbers.  Prints the seconds that it
 * took to read, partition and plan; then, for each line "N" of standard input, runs N steps
 * and prints the seconds of each, on one line. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../support/lent.h"
#include <tessera/diag.h>
#include <tessera/module.h>
#include <tessera/run.h>

static double seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void complain(tess_ctx *ctx)
{
	tess_str text = lent(tess_diag_render(ctx, false));
	fwrite(text.ptr, 1, text.len, stderr);
	exit(1);
}

/* Numbers between 0 and 1, which every type of NumPy's has. */
static void fill(const tess_tensor *t, void *data)
{
	size_t n = t->bytes;
	uint32_t x = 12345;
	if (t->dtype == TESS_F32) {
		float *to = data;
		for (size_t i = 0; i < n / 4; i++)
			to[i] = (float)((x = x * 1664525u + 1013904223u) >> 8) * 0x1p-24f - 0.5f;
	} else if (t->dtype == TESS_F64) {
		double *to = data;
		for (size_t i = 0; i < n / 8; i++)
			to[i] = (double)((x = x * 1664525u + 1013904223u) >> 8) * 0x1p-24 - 0.5;
	} else if (t->dtype == TESS_BF16) {
		uint16_t *to = data; /* 0.5 to 1 */
		for (size_t i = 0; i < n / 2; i++)
			to[i] = (uint16_t)(0x3f00 | ((x = x * 1664525u + 1013904223u) >> 25));
	} else {
		memset(data, 0, n);
	}
}

static tess_tensor *inputs_of(tess_exec *e, const tess_npz *z)
{
	size_t n = tess_exec_input_count(e);
	tess_tensor *list = calloc(n + 1, sizeof *list);
	for (size_t i = 0; i < n; i++) {
		char key[32];
		snprintf(key, sizeof key, "in%zu", i);
		if (z && tess_npz_find(z, key, &list[i]))
			continue;
		tess_exec_input(e, i, &list[i]);
		void *data = aligned_alloc(64, (list[i].bytes + 63) & ~(size_t)63);
		fill(&list[i], data);
		list[i].data = data;
	}
	return list;
}

static void write_trace(tess_exec *e, const char *path)
{
	tess_str text = lent(tess_exec_trace(e));
	FILE *f = fopen(path, "w");
	if (f && fwrite(text.ptr, 1, text.len, f) == text.len && !fclose(f))
		return;
	fprintf(stderr, "stepper: cannot write %s\n", path);
	exit(1);
}

int main(int argc, char **argv)
{
	if (argc < 3) {
		fputs("usage: stepper FILE.mlir [INPUTS.npz|-] [whole] [threads=N] [trace=FILE]\n",
		      stderr);
		return 2;
	}
	tess_exec_opts opts = TESS_EXEC_OPTS_INIT;
	const char *trace = NULL;
	for (int i = 3; i < argc; i++) {
		if (!strcmp(argv[i], "whole"))
			opts.whole = true;
		if (!strncmp(argv[i], "threads=", 8))
			opts.threads = atoi(argv[i] + 8);
		if (!strncmp(argv[i], "trace=", 6))
			trace = argv[i] + 6;
	}
	opts.trace = trace != NULL;
	double begin = seconds();
	tess_ctx *ctx = tess_ctx_new(NULL);
	tess_module *m = tess_module_parse_file(ctx, argv[1], NULL);
	tess_exec *e = m ? tess_exec_new(m, &opts) : NULL;
	if (!e)
		complain(ctx);
	printf("%.9f\n", seconds() - begin);
	fflush(stdout);
	tess_npz *z = strcmp(argv[2], "-") ? tess_npz_open(ctx, argv[2]) : NULL;
	size_t n = tess_exec_input_count(e);
	tess_tensor *inputs = inputs_of(e, z);
	for (int steps; scanf("%d", &steps) == 1; putchar('\n'), fflush(stdout))
		for (int i = 0; i < steps; i++) {
			double start = seconds();
			if (tess_exec_run(e, inputs, n) != TESS_OK)
				complain(ctx);
			printf("%.9f ", seconds() - start);
		}
	if (trace)
		write_trace(e, trace);
	tess_exec_free(e);
	tess_module_free(m);
	tess_ctx_free(ctx);
	return 0;
}
