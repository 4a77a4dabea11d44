/* nomem.c - fails the n-th allocation, for every n.
 *
 *   nomem [-s STEP] PIPELINE FILE...
 *
 * Each program is parsed, run through the pipeline and printed while the n-th
 * request for memory fails, for n = 1, 1 + STEP, … until a run needs fewer.  Every run must end
 * with TESS_NOMEM or as the last one does, print nothing else, and give back all
 * its memory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/passes.h>

typedef struct source_of_memory {
	long n, fail_at; /* requests so far; the one that fails, 0: none */
	long live;       /* blocks not given back */
} source_of_memory;

static void *failing_realloc(void *user, void *old, size_t size)
{
	source_of_memory *s = user;
	if (size == 0) {
		s->live -= old != NULL;
		free(old);
		return NULL;
	}
	if (++s->n == s->fail_at)
		return NULL;
	void *p = realloc(old, size);
	s->live += !old && p;
	return p;
}

/* One run; @return its status, TESS_NOMEM also if there was no context. */
static tess_status run_once(source_of_memory *s, const char *pipeline, const char *path)
{
	tess_ctx_opts copts = TESS_CTX_OPTS_INIT;
	copts.realloc = failing_realloc;
	copts.user = s;
	tess_ctx *ctx = tess_ctx_new(&copts);
	if (!ctx)
		return TESS_NOMEM;
	tess_opt_opts opts = TESS_OPT_OPTS_INIT;
	opts.pipeline = pipeline;
	char *out;
	tess_status status = tess_opt_file(ctx, path, &opts, &out);
	tess_text_free(out);
	tess_text_free(tess_diag_render(ctx, false));
	tess_ctx_free(ctx);
	return status;
}

static int check_file(const char *pipeline, const char *path, long step)
{
	source_of_memory all = {0};
	tess_status expected = run_once(&all, pipeline, path);
	int failed = all.live != 0;
	if (failed)
		fprintf(stderr, "%s: %ld blocks not given back\n", path, all.live);
	for (long n = 1; n <= all.n && !failed; n += step) {
		source_of_memory s = {.fail_at = n};
		tess_status status = run_once(&s, pipeline, path);
		failed = s.live != 0 || (status != TESS_NOMEM && status != expected);
		if (failed)
			fprintf(stderr,
			        "%s: allocation %ld fails: status %d, %ld blocks not given back\n",
			        path, n, (int)status, s.live);
	}
	printf("%s: %ld allocations, status %d\n", path, all.n, (int)expected);
	return failed;
}

int main(int argc, char **argv)
{
	long step = 1;
	int first = 1, failed = 0;
	if (argc > 2 && strcmp(argv[1], "-s") == 0) {
		step = strtol(argv[2], NULL, 10);
		first = 3;
	}
	if (argc < first + 2 || step < 1) {
		fprintf(stderr, "usage: nomem [-s STEP] PIPELINE FILE...\n");
		return 2;
	}
	for (int i = first + 1; i < argc; i++)
		failed |= check_file(argv[first], argv[i], step);
	return failed;
}
