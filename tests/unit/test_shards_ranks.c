/* test_shards_ranks.c - running programs on shards in several processes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../support/board.h"
#include "shards_fixture.h"

enum { RANKS = 3, DEVICES = 8, MOST = 8 * DEVICES };

/* In random order: a mesh may order its devices arbitrarily. */
static const int32_t device_ranks[DEVICES] = {2, 0, 1, 1, 0, 2, 0, 1};

typedef struct job {
	tess_ctx *ctx;
	tess_module *m;
	tess_exec *alone, *together;
	tess_ranks *ranks;
	int rank;
	tess_buffer *in[MOST], *expected[MOST], *out[MOST];
	size_t n_in, n_out;
} job;

static const char *text_of(tess_ctx *ctx)
{
	static char text[4000];
	char *all = tess_diag_render(ctx, false);
	snprintf(text, sizeof text, "%s", all ? all : "");
	tess_text_free(all);
	return text;
}

static tess_ranks *join(tess_ctx *ctx, char *board, int rank)
{
	tess_ranks_opts o = TESS_RANKS_OPTS_INIT;
	o.patience = 120; /* for a busy machine */
	o.rank = rank;
	o.count = RANKS;
	o.put = board_put;
	o.get = board_get;
	o.user = board;
	tess_ranks *r = tess_ranks_open(ctx, "tcp", &o);
	if (!r)
		fputs(text_of(ctx), stderr);
	return r;
}

/* Random inputs of any size, but few iterations for loops. */
static void cut_inputs(job *j)
{
	j->n_in = tess_exec_input_count(j->alone);
	for (size_t i = 0; i < j->n_in; i++) {
		tess_tensor t;
		MUST(tess_exec_input(j->alone, i, &t) && i < MOST / DEVICES);
		char *data = malloc(t.bytes + 1);
		for (size_t k = 0; k < t.bytes / 4; k++)
			if (t.dtype == TESS_I32)
				((int32_t *)data)[k] = (int32_t)(k * 5 % 7);
			else
				((float *)data)[k] = 1.0f / (float)(k + 3);
		t.data = data;
		MUST(shards_cut(j->alone, i, &t, j->in + i * DEVICES));
		free(data);
	}
}

static tess_exec *plan(const job *j, bool ranks)
{
	tess_exec_opts o = TESS_EXEC_OPTS_INIT;
	o.shards = true;
	o.ranks = ranks ? j->ranks : NULL;
	o.device_ranks = ranks ? device_ranks : NULL;
	o.n_device_ranks = DEVICES;
	tess_exec *e = tess_exec_new(j->m, &o);
	if (!e)
		fputs(text_of(j->ctx), stderr);
	MUST(e != NULL);
	return e;
}

static job *job_new(char *board, int rank)
{
	job *j = calloc(1, sizeof *j);
	j->rank = rank;
	j->ctx = tess_ctx_new(NULL);
	j->m = tess_module_parse_file(j->ctx, TEST_DATA "/ranks/mpi.mlir", NULL);
	j->ranks = join(j->ctx, board, rank);
	MUST(j->m && j->ranks);
	MUST(tess_ranks_rank(j->ranks) == rank && tess_ranks_count(j->ranks) == RANKS);
	j->alone = plan(j, false);
	j->together = plan(j, true);
	MUST(!tess_exec_talks(j->alone) && tess_exec_talks(j->together));
	cut_inputs(j);
	j->n_out = tess_exec_output_count(j->alone);
	MUST(tess_exec_run_shards(j->alone, j->in, NULL, j->expected, j->ctx) == TESS_OK);
	for (size_t i = 0; i < j->n_in * DEVICES; i++)
		if (device_ranks[i % DEVICES] != rank) { /* buffers of other ranks are ignored */
			tess_buffer_free(j->in[i]);
			j->in[i] = NULL;
		}
	return j;
}

static void buffers_free(tess_buffer **b, size_t n)
{
	for (size_t i = 0; i < n; i++)
		tess_buffer_free(b[i]);
}

static void job_free(job *j, tess_status expected)
{
	buffers_free(j->in, j->n_in * DEVICES);
	buffers_free(j->expected, j->n_out * DEVICES);
	tess_exec_free(j->alone);
	tess_exec_free(j->together);
	MUST(tess_ranks_close(j->ranks, NULL) == expected);
	tess_module_free(j->m);
	tess_ctx_free(j->ctx);
	free(j);
}

static void run_and_compare(job *j)
{
	tess_status status = tess_exec_run_shards(j->together, j->in, NULL, j->out, j->ctx);
	if (status != TESS_OK)
		fputs(text_of(j->ctx), stderr);
	MUST(status == TESS_OK);
	for (size_t i = 0; i < j->n_out * DEVICES; i++) {
		const tess_buffer *got = j->out[i], *want = j->expected[i];
		if (device_ranks[i % DEVICES] != j->rank) {
			MUST(!got);
			continue;
		}
		MUST(tess_buffer_bytes(got) == tess_buffer_bytes(want));
		MUST(!memcmp(tess_buffer_data(got), tess_buffer_data(want),
		             tess_buffer_bytes(want)));
	}
	buffers_free(j->out, j->n_out * DEVICES);
}

static void same_bytes(int rank, void *board)
{
	job *j = job_new(board, rank);
	for (int i = 0; i < 5; i++)
		run_and_compare(j);
	job_free(j, TESS_OK);
}

/* ---- failures ------------------------------------------------------------------------------- */

static void must_hear(job *j, const char *why)
{
	tess_status status = tess_exec_run_shards(j->together, j->in, NULL, j->out, j->ctx);
	MUST(status == TESS_INVALID);
	if (!strstr(text_of(j->ctx), why))
		fputs(text_of(j->ctx), stderr);
	MUST(strstr(text_of(j->ctx), why));
	for (size_t i = 0; i < j->n_out * DEVICES; i++)
		MUST(!j->out[i]);
	tess_diag_clear(j->ctx);
}

static void one_gives_up(int rank, void *board)
{
	job *j = job_new(board, rank);
	run_and_compare(j);
	if (rank == 1)
		tess_exec_give_up(j->together, "its argument was poisoned");
	else
		must_hear(j, "rank 1: its argument was poisoned");
	run_and_compare(j);
	if (rank == 2) {
		tess_buffer *b = j->in[5];
		j->in[5] = NULL;
		must_hear(j, "input 0 of device 5 is missing");
		j->in[5] = b;
	} else {
		must_hear(j, "rank 2: its inputs do not fit");
	}
	run_and_compare(j);
	job_free(j, TESS_OK);
}

static void one_dies(int rank, void *board)
{
	job *j = job_new(board, rank);
	run_and_compare(j);
	board_meet(board, "ran", rank, RANKS);
	if (rank == 1)
		kill(getpid(), SIGKILL);
	must_hear(j, "rank 1: it has died, or was killed");
	must_hear(j, "rank 1: it has died, or was killed");
	job_free(j, TESS_FAILED);
}

static void another_program(int rank, void *board)
{
	job *j = job_new(board, rank);
	if (rank == 2) {
		tess_exec_free(j->together);
		tess_module_free(j->m);
		static const char text[] =
			"sdy.mesh @m = <[\"x\"=8]>\n"
			"func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{\"x\"}]>})"
			" -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{}]>}) {\n"
			"  return %a : tensor<8xf32>\n}\n";
		j->m = tess_module_parse(j->ctx, (tess_str){text, sizeof text - 1}, "other", NULL);
		j->together = plan(j, true);
		tess_buffer *in[DEVICES] = {0}, *out[DEVICES], *b = tess_buffer_new(4);
		in[0] = in[5] = b;
		MUST(tess_exec_run_shards(j->together, in, NULL, out, j->ctx) == TESS_INVALID);
		MUST(strstr(text_of(j->ctx), "rank 2 does not run the program that rank 0 runs"));
		tess_buffer_free(b);
	} else {
		must_hear(j, "rank 2 does not run the program that rank 0 runs");
	}
	board_meet(board, "heard", rank, RANKS); /* its end would be all that others hear */
	job_free(j, TESS_OK);
}

static void run(void (*fn)(int rank, void *board), unsigned lost)
{
	char *board = board_new();
	assert_non_null(board);
	assert_int_equal(in_processes(RANKS, fn, board, lost), 0);
	board_free(board);
}

static void test_same(void **unused) { (void)unused; run(same_bytes, 0); }
static void test_gives_up(void **unused) { (void)unused; run(one_gives_up, 0); }
static void test_dies(void **unused) { (void)unused; run(one_dies, 2); }
static void test_another(void **unused) { (void)unused; run(another_program, 0); }

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same),
		cmocka_unit_test(test_gives_up),
		cmocka_unit_test(test_dies),
		cmocka_unit_test(test_another),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
