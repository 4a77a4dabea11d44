/* test_shards.c - running programs on the shards that devices hold. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../support/lent.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/module.h>
#include <tessera/shards.h>
#include <unistd.h>

#include "shards_fixture.h"

#define LEN(a) (sizeof(a) / sizeof *(a))

/* ---- one example from start to end ---------------------------------------------------------- */

static void a_step_takes_what_the_last_one_gave(void **unused)
{
	static const char text[] =
		"sdy.mesh @mesh = <[\"x\"=2]>\n"
		"func.func @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}]>},\n"
		"                %b: tensor<2xf32>)\n"
		"    -> (tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}]>}, tensor<2xf32>) {\n"
		"  %0 = stablehlo.add %a, %a : tensor<4xf32>\n"
		"  %1 = stablehlo.add %b, %b : tensor<2xf32>\n"
		"  return %0, %1 : tensor<4xf32>, tensor<2xf32>\n"
		"}\n";
	(void)unused;
	tess_ctx *ctx = tess_ctx_new(NULL);
	tess_module *m = tess_module_parse(ctx, (tess_str){text, strlen(text)}, "test", NULL);
	tess_exec_opts opts = TESS_EXEC_OPTS_INIT;
	opts.shards = true;
	tess_exec *e = tess_exec_new(m, &opts);
	assert_non_null(e);

	tess_tensor part;
	assert_int_equal(tess_exec_devices(e), 2);
	assert_true(tess_exec_input_shard(e, 0, &part));
	assert_true(part.rank == 1 && part.dims[0] == 2 && part.bytes == 8);
	assert_non_null(tess_exec_output_sharding(e, 0, NULL));
	assert_null(tess_exec_output_sharding(e, 1, NULL));

	/* %a is [1, 2] on device 0 and [3, 4] on device 1; both have %b = [5, 6]. */
	tess_buffer *left = tess_buffer_new(8), *right = tess_buffer_new(8), *b = tess_buffer_new(8);
	memcpy(tess_buffer_data(left), (float[]){1, 2}, 8);
	memcpy(tess_buffer_data(right), (float[]){3, 4}, 8);
	memcpy(tess_buffer_data(b), (float[]){5, 6}, 8);
	tess_buffer *in[4] = {left, right, b, tess_buffer_share(b)}, *out[4];
	const bool donated[2] = {true, true};
	assert_int_equal(tess_exec_run_shards(e, in, donated, out, ctx), TESS_OK);
	assert_int_equal(tess_exec_run_shards(e, out, donated, in, ctx), TESS_OK);

	assert_memory_equal(tess_buffer_data(in[0]), ((float[]){4, 8}), 8);
	assert_memory_equal(tess_buffer_data(in[1]), ((float[]){12, 16}), 8);
	assert_memory_equal(tess_buffer_data(in[3]), ((float[]){20, 24}), 8);
	assert_ptr_equal(in[2], in[3]); /* one buffer for both devices */
	assert_ptr_equal(in[0], left);  /* in the memory of the first */
	for (int i = 0; i < 4; i++)
		tess_buffer_free(in[i]);
	tess_exec_free(e);
	tess_module_free(m);
	tess_ctx_free(ctx);
}

/* ---- whole values and shards ---------------------------------------------------------------- */

typedef struct job {
	tess_ctx *ctx;
	tess_module *m;
	tess_exec *e;
	size_t n_in, n_out, devices;
} job;

static job job_of(tess_module *(*read)(tess_ctx *ctx, const char *from), const char *from)
{
	tess_exec_opts o = TESS_EXEC_OPTS_INIT;
	job j = {.ctx = tess_ctx_new(NULL)};
	o.shards = true;
	o.threads = 2;
	j.m = read(j.ctx, from);
	j.e = j.m ? tess_exec_new(j.m, &o) : NULL;
	if (!j.e)
		print_error("%s\n", lent(tess_diag_render(j.ctx, false)).ptr);
	assert_non_null(j.e);
	j.n_in = tess_exec_input_count(j.e);
	j.n_out = tess_exec_output_count(j.e);
	j.devices = (size_t)tess_exec_devices(j.e);
	return j;
}

static tess_module *read_text(tess_ctx *ctx, const char *text)
{
	return tess_module_parse(ctx, (tess_str){text, strlen(text)}, "test", NULL);
}

static tess_module *read_path(tess_ctx *ctx, const char *path)
{
	return tess_module_parse_file(ctx, path, NULL);
}

static void job_end(job *j)
{
	tess_exec_free(j->e);
	tess_module_free(j->m);
	tess_ctx_free(j->ctx);
}

typedef struct whole_job {
	tess_exec *e;
	tess_npz *z;
	tess_tensor in[64];
} whole_job;

static whole_job whole_run(const job *j, const char *inputs)
{
	tess_exec_opts o = TESS_EXEC_OPTS_INIT;
	whole_job w = {.z = tess_npz_open(j->ctx, inputs)};
	o.whole = true;
	w.e = tess_exec_new(j->m, &o);
	assert_non_null(w.e);
	for (size_t i = 0; i < j->n_in; i++) {
		char name[32];
		snprintf(name, sizeof name, "in%zu", i);
		assert_true(tess_npz_find(w.z, name, &w.in[i]));
	}
	assert_int_equal(tess_exec_run(w.e, w.in, j->n_in), TESS_OK);
	return w;
}

/* A training step with many arguments and results: none donated, some, and all of them. */
static void shards_are_those_of_the_whole(void **unused)
{
	(void)unused;
	job j = job_of(read_path, TEST_DATA "/../examples/gpt_step.mlir");
	whole_job w = whole_run(&j, TEST_DATA "/../examples/gpt_step.npz");
	tess_buffer **in = calloc(j.n_in * j.devices, sizeof *in);
	tess_buffer **out = calloc(j.n_out * j.devices, sizeof *out);
	bool *donated = calloc(j.n_in, sizeof *donated);
	for (int round = 0; round < 3; round++) {
		for (size_t i = 0; i < j.n_in; i++) {
			assert_true(shards_cut(j.e, i, &w.in[i], in + i * j.devices));
			donated[i] = round == 2 || (round == 1 && i % 2);
		}
		assert_int_equal(tess_exec_run_shards(j.e, in, donated, out, j.ctx), TESS_OK);
		for (size_t i = 0; i < j.n_out; i++) {
			tess_tensor whole;
			tess_exec_output(w.e, i, &whole);
			assert_true(shards_agree(j.e, i, &whole, out + i * j.devices,
			                         tess_tolerance_of(whole.dtype)));
		}
		for (size_t i = 0; i < j.n_out * j.devices; i++)
			tess_buffer_free(out[i]);
		for (size_t i = 0; i < j.n_in * j.devices; i++)
			if (!donated[i / j.devices])
				tess_buffer_free(in[i]);
	}
	free(in);
	free(out);
	free(donated);
	tess_exec_free(w.e);
	tess_npz_free(w.z);
	job_end(&j);
}

/* ---- memory of results ---------------------------------------------------------------------- */

static tess_buffer *floats(const float *data, size_t n)
{
	tess_buffer *b = tess_buffer_new(n * sizeof *data);
	memcpy(tess_buffer_data(b), data, n * sizeof *data);
	return b;
}

static const float *floats_of(const tess_buffer *b) { return tess_buffer_data(b); }

static void every_kind_of_result(void **unused)
{
	(void)unused;
	job j = job_of(read_text,
	               "sdy.mesh @mesh = <[\"x\"=2]>\n"
	               "func.func @main(%a: tensor<2xf32>, %b: tensor<2xf32>) -> (tensor<2xf32>,\n"
	               "    tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {\n"
	               "  %c = stablehlo.constant dense<[7.0, 8.0]> : tensor<2xf32>\n"
	               "  %zero = stablehlo.constant dense<0> : tensor<i32>\n"
	               "  %one = stablehlo.constant dense<1> : tensor<i32>\n"
	               "  %five = stablehlo.constant dense<5> : tensor<i32>\n"
	               "  %sum = stablehlo.add %a, %c : tensor<2xf32>\n"
	               "  %n, %x = stablehlo.while(%i = %zero, %y = %sum) : tensor<i32>, tensor<2xf32>\n"
	               "  cond {\n"
	               "    %less = stablehlo.compare LT, %i, %five : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
	               "    stablehlo.return %less : tensor<i1>\n"
	               "  } do {\n"
	               "    %next = stablehlo.add %i, %one : tensor<i32>\n"
	               "    %twice = stablehlo.add %y, %y : tensor<2xf32>\n"
	               "    stablehlo.return %next, %twice : tensor<i32>, tensor<2xf32>\n"
	               "  }\n"
	               "  return %a, %c, %sum, %sum, %x : tensor<2xf32>, tensor<2xf32>,\n"
	               "    tensor<2xf32>, tensor<2xf32>, tensor<2xf32>\n"
	               "}\n");
	tess_buffer *a = floats((float[]){1, 2}, 2), *b = floats((float[]){0, 0}, 2), *out[10];
	tess_buffer *const in[] = {a, a, b, b};
	const float expected[5][2] = {{1, 2}, {7, 8}, {8, 10}, {8, 10}, {256, 320}};
	for (int round = 0; round < 2; round++) {
		assert_int_equal(tess_exec_run_shards(j.e, in, NULL, out, j.ctx), TESS_OK);
		assert_ptr_equal(out[0], a); /* an unchanged argument */
		for (int i = 0; i < 10; i++) {
			assert_ptr_equal(out[i], out[i & ~1]);
			assert_memory_equal(floats_of(out[i]), expected[i / 2], 8);
		}
		for (int i = 0; i < 10; i++)
			tess_buffer_free(out[i]);
	}
	assert_memory_equal(floats_of(a), expected[0], 8);
	tess_buffer_free(a);
	tess_buffer_free(b);
	job_end(&j);
}

static const char doubles[] =
	"sdy.mesh @mesh = <[\"x\"=2]>\n"
	"func.func @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}]>})\n"
	"    -> (tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}]>}) {\n"
	"  %0 = stablehlo.add %a, %a : tensor<4xf32>\n"
	"  return %0 : tensor<4xf32>\n"
	"}\n";

/* Memory is not reused if it is not tessera's, or if someone else has a reference to it. */
static void only_free_memory_is_reused(void **unused)
{
	(void)unused;
	job j = job_of(read_text, doubles);
	static const float theirs[2] __attribute__((aligned(16))) = {3, 4};
	tess_buffer *left = floats((float[]){1, 2}, 2);
	tess_buffer *in[2] = {tess_buffer_share(left),
	                      tess_buffer_wrap(theirs, sizeof theirs, NULL, NULL)};
	tess_buffer *out[2];
	const bool donated = true;
	assert_int_equal(tess_exec_run_shards(j.e, in, &donated, out, j.ctx), TESS_OK);
	assert_true(out[0] != left && floats_of(left)[0] == 1 && theirs[0] == 3);
	assert_memory_equal(floats_of(out[1]), ((float[]){6, 8}), 8);
	tess_buffer_free(out[0]);
	tess_buffer_free(out[1]);
	tess_buffer_free(left);
	job_end(&j);
}

/* As on real devices, nothing is shared. */
static void faithful_devices_have_their_own(void **unused)
{
	(void)unused;
	static const char text[] = "sdy.mesh @mesh = <[\"x\"=2]>\n"
				   "func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {\n"
				   "  %0 = stablehlo.add %a, %a : tensor<2xf32>\n"
				   "  return %0 : tensor<2xf32>\n"
				   "}\n";
	tess_ctx *ctx = tess_ctx_new(NULL);
	tess_module *m = read_text(ctx, text);
	tess_exec_opts o = TESS_EXEC_OPTS_INIT;
	o.shards = o.faithful = true;
	tess_exec *e = tess_exec_new(m, &o);
	assert_int_equal(tess_exec_devices(e), 2);
	tess_buffer *in[2] = {floats((float[]){1, 2}, 2), floats((float[]){1, 2}, 2)}, *out[2];
	const bool donated = true;
	const void *memory[2] = {in[0], in[1]};
	assert_int_equal(tess_exec_run_shards(e, in, &donated, out, ctx), TESS_OK);
	for (int d = 0; d < 2; d++) {
		assert_ptr_equal(out[d], memory[d]);
		assert_memory_equal(floats_of(out[d]), ((float[]){2, 4}), 8);
		tess_buffer_free(out[d]);
	}
	tess_exec_free(e);
	tess_module_free(m);
	tess_ctx_free(ctx);
}

/* Each device has, and returns, a term of a sum. */
static void unreduced_values_are_terms(void **unused)
{
	(void)unused;
	job j = job_of(read_text,
	               "sdy.mesh @mesh = <[\"x\"=2]>\n"
	               "func.func @main(%a: tensor<2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={\"x\"}>})\n"
	               "    -> (tensor<2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={\"x\"}>}) {\n"
	               "  %0 = stablehlo.add %a, %a : tensor<2xf32>\n"
	               "  return %0 : tensor<2xf32>\n"
	               "}\n");
	tess_buffer *in[2] = {floats((float[]){1, 2}, 2), floats((float[]){10, 20}, 2)}, *out[2];
	const bool donated = true;
	assert_int_equal(tess_exec_run_shards(j.e, in, &donated, out, j.ctx), TESS_OK);
	assert_true(floats_of(out[0])[1] + floats_of(out[1])[1] == 44);
	const tess_sharding *s = tess_exec_output_sharding(j.e, 0, NULL);
	assert_non_null(s);
	assert_int_equal(tess_sharding_axis_count(s, TESS_AXES_UNREDUCED), 1);
	tess_buffer_free(out[0]);
	tess_buffer_free(out[1]);
	job_end(&j);
}

/* ---- several threads --------------------------------------------------------------------- */

enum { THREADS = 4, RUNS = 200 };

typedef struct runner {
	pthread_t thread;
	job *j;
	float number;
	int wrong;
} runner;

/* A donated value is passed from run to run, and doubled each time. */
static void *run_often(void *arg)
{
	runner *r = arg;
	for (int k = 0; k < RUNS; k++) {
		tess_buffer *in[2] = {floats((float[]){r->number, 1}, 2),
		                      floats((float[]){2, r->number}, 2)}, *out[2];
		const bool donated = k % 2;
		tess_status status = tess_exec_run_shards(r->j->e, in, &donated, out, NULL);
		r->wrong += status != TESS_OK || floats_of(out[0])[0] != 2 * r->number ||
		            floats_of(out[1])[1] != 2 * r->number;
		for (int i = 0; i < 2; i++) {
			tess_buffer_free(out[i]);
			if (!donated)
				tess_buffer_free(in[i]);
		}
	}
	return NULL;
}

static void threads_run_one_program(void **unused)
{
	(void)unused;
	job j = job_of(read_text, doubles);
	runner r[THREADS];
	for (int i = 0; i < THREADS; i++) {
		r[i] = (runner){.j = &j, .number = (float)(i + 1)};
		assert_int_equal(pthread_create(&r[i].thread, NULL, run_often, &r[i]), 0);
	}
	for (int i = 0; i < 20; i++) /* meanwhile the context is used for something else */
		tess_module_free(read_text(j.ctx, doubles));
	for (int i = 0; i < THREADS; i++) {
		pthread_join(r[i].thread, NULL);
		assert_int_equal(r[i].wrong, 0);
	}
	job_end(&j);
}

typedef struct stepper {
	pthread_t thread;
	job *j;
	tess_buffer *const *in;
	const tess_buffer *const *expected;
	int wrong;
} stepper;

static void *step_a_few_times(void *arg)
{
	stepper *s = arg;
	const size_t n = s->j->n_out * s->j->devices;
	tess_buffer **out = calloc(n, sizeof *out);
	for (int k = 0; k < 3; k++) {
		s->wrong += tess_exec_run_shards(s->j->e, s->in, NULL, out, NULL) != TESS_OK;
		for (size_t i = 0; i < n && !s->wrong; i++)
			s->wrong += memcmp(tess_buffer_data(out[i]), tess_buffer_data(s->expected[i]),
			                   tess_buffer_bytes(out[i])) != 0;
		for (size_t i = 0; i < n; i++)
			tess_buffer_free(out[i]);
	}
	free(out);
	return NULL;
}

/* A program whose steps are worth several threads: a pool's, which one run at a time uses. */
static void threads_share_a_pool(void **unused)
{
	(void)unused;
	job j = job_of(read_path, TEST_DATA "/../examples/gpt_step.mlir");
	whole_job w = whole_run(&j, TEST_DATA "/../examples/gpt_step.npz");
	tess_buffer **in = calloc(j.n_in * j.devices, sizeof *in);
	tess_buffer **out = calloc(j.n_out * j.devices, sizeof *out);
	for (size_t i = 0; i < j.n_in; i++)
		assert_true(shards_cut(j.e, i, &w.in[i], in + i * j.devices));
	assert_int_equal(tess_exec_run_shards(j.e, in, NULL, out, NULL), TESS_OK);
	stepper s[THREADS];
	for (int i = 0; i < THREADS; i++) {
		s[i] = (stepper){.j = &j, .in = in, .expected = (const tess_buffer *const *)out};
		assert_int_equal(pthread_create(&s[i].thread, NULL, step_a_few_times, &s[i]), 0);
	}
	for (int i = 0; i < THREADS; i++) {
		pthread_join(s[i].thread, NULL);
		assert_int_equal(s[i].wrong, 0);
	}
	for (size_t i = 0; i < j.n_in * j.devices; i++)
		tess_buffer_free(in[i]);
	for (size_t i = 0; i < j.n_out * j.devices; i++)
		tess_buffer_free(out[i]);
	free(in);
	free(out);
	tess_exec_free(w.e);
	tess_npz_free(w.z);
	job_end(&j);
}

/* Memory of results is reused for later results of any program that shares the pool. Buffers
 * outlive the pool and the programs. */
static void programs_share_memory(void **unused)
{
	(void)unused;
	static const char text[] =
		"func.func @main(%a: tensor<65536xf32>) -> tensor<65536xf32> {\n"
		"  %0 = stablehlo.add %a, %a : tensor<65536xf32>\n"
		"  return %0 : tensor<65536xf32>\n"
		"}\n";
	tess_ctx *ctx = tess_ctx_new(NULL);
	tess_module *m = read_text(ctx, text);
	tess_exec_opts o = TESS_EXEC_OPTS_INIT;
	tess_pool *pool = o.pool = tess_pool_new(2);
	o.shards = true;
	tess_exec *one = tess_exec_new(m, &o), *two = tess_exec_new(m, &o);
	tess_buffer *in = tess_buffer_new(65536 * 4), *out, *again, *third;
	memset(tess_buffer_data(in), 0, 65536 * 4);
	assert_int_equal(tess_exec_run_shards(one, &in, NULL, &out, ctx), TESS_OK);
	const void *memory = tess_buffer_data(out);
	assert_int_equal(tess_exec_run_shards(two, &in, NULL, &again, ctx), TESS_OK);
	assert_ptr_not_equal(tess_buffer_data(again), memory);
	tess_buffer_free(out);
	assert_int_equal(tess_exec_run_shards(two, &in, NULL, &third, ctx), TESS_OK);
	assert_ptr_equal(tess_buffer_data(third), memory);
	tess_exec_free(one);
	tess_exec_free(two);
	tess_pool_free(pool);
	tess_module_free(m);
	tess_ctx_free(ctx);
	assert_true(floats_of(third)[65535] == 0);
	tess_buffer_free(in);
	tess_buffer_free(again);
	tess_buffer_free(third);
}

/* Resident bytes per byte of memory: ThreadSanitizer keeps four more. */
#ifdef __SANITIZE_THREAD__
static const double held_for_a_byte = 5;
#else
static const double held_for_a_byte = 1;
#endif

static double resident_megabytes(void)
{
	long pages = 0, resident = 0;
	FILE *f = fopen("/proc/self/statm", "r");
	if (f && fscanf(f, "%ld %ld", &pages, &resident) != 2)
		resident = 0;
	if (f)
		fclose(f);
	return (double)resident * (double)sysconf(_SC_PAGESIZE) / 1e6;
}

/* Idle programs release the memory that they need besides their plan. Of 40 programs with 16 MB
 * each, as many keep it as fit in 256 MB. */
static void idle_programs_are_small(void **unused)
{
	(void)unused;
	static const char text[] =
		"func.func @main(%a: tensor<2048x2048xf32>) -> tensor<f32> {\n"
		"  %t = stablehlo.transpose %a, dims = [1, 0] : (tensor<2048x2048xf32>) -> tensor<2048x2048xf32>\n"
		"  %r = stablehlo.reverse %t, dims = [0, 1] : tensor<2048x2048xf32>\n"
		"  %c = stablehlo.concatenate %r, %t, dim = 0 : (tensor<2048x2048xf32>, tensor<2048x2048xf32>) -> tensor<4096x2048xf32>\n"
		"  %z = stablehlo.constant dense<0.0> : tensor<f32>\n"
		"  %s = stablehlo.reduce(%c init: %z) applies stablehlo.add across dimensions = [0, 1] : (tensor<4096x2048xf32>, tensor<f32>) -> tensor<f32>\n"
		"  return %s : tensor<f32>\n"
		"}\n";
	enum { PROGRAMS = 40, ROUNDS = 2 };
	tess_ctx *ctx = tess_ctx_new(NULL);
	tess_module *m = read_text(ctx, text);
	tess_exec_opts o = TESS_EXEC_OPTS_INIT;
	tess_exec *all[PROGRAMS];
	tess_buffer *in = tess_buffer_new(4 << 22), *out;
	o.pool = tess_pool_new(1);
	o.shards = true;
	memset(tess_buffer_data(in), 0, 4 << 22);
	for (int i = 0; i < PROGRAMS; i++)
		all[i] = tess_exec_new(m, &o);
	assert_true(tess_exec_memory(all[0]) >= 16 << 20);
	const double before = resident_megabytes();
	for (int i = 0; i < PROGRAMS * ROUNDS; i++) {
		assert_int_equal(tess_exec_run_shards(all[i % PROGRAMS], &in, NULL, &out, ctx), TESS_OK);
		assert_true(floats_of(out)[0] == 0);
		tess_buffer_free(out);
	}
	assert_true(resident_megabytes() - before < 350 * held_for_a_byte);
	for (int i = 0; i < PROGRAMS; i++)
		tess_exec_free(all[i]);
	tess_pool_free(o.pool);
	tess_buffer_free(in);
	tess_module_free(m);
	tess_ctx_free(ctx);
}

/* ---- errors --------------------------------------------------------------------------------- */

static void buffers_have_to_fit(void **unused)
{
	(void)unused;
	job j = job_of(read_text, doubles);
	tess_ctx *errors = tess_ctx_new(NULL);
	tess_buffer *in[2] = {floats((float[]){1, 2}, 2), floats((float[]){1, 2, 3}, 3)}, *out[2];
	const bool donated = true;
	tess_diag d;
	assert_int_equal(tess_exec_run_shards(j.e, in, NULL, out, errors), TESS_INVALID);
	assert_true(tess_diag_get(errors, 0, &d) && tess_diag_count(j.ctx) == 0);
	assert_string_equal(d.message.ptr, "input 0 of device 1 has 12 bytes, not 8");
	assert_null(out[0]);
	tess_buffer_free(in[1]);
	in[1] = NULL;
	assert_int_equal(tess_exec_run_shards(j.e, in, &donated, out, errors), TESS_INVALID);
	assert_true(tess_diag_get(errors, 1, &d));
	assert_string_equal(d.message.ptr, "input 0 of device 1 is missing");
	assert_int_equal(tess_exec_run_shards(j.e, NULL, NULL, out, errors), TESS_USAGE);
	assert_int_equal(tess_exec_run_shards(NULL, in, NULL, out, errors), TESS_USAGE);
	assert_int_equal(tess_exec_run(j.e, NULL, 0), TESS_USAGE);
	tess_ctx_free(errors);
	job_end(&j);
}

/* If an operation fails, the reason and its location are in the context that the caller passed. */
static void a_run_says_why_it_fails(void **unused)
{
	(void)unused;
	job j = job_of(read_text,
	               "func.func @main(%i: tensor<i32>, %a: tensor<2xf32>) -> tensor<2xf32> {\n"
	               "  %0 = \"stablehlo.case\"(%i) ({\n"
	               "    stablehlo.return %a : tensor<2xf32>\n"
	               "  }, {\n"
	               "    %1 = stablehlo.custom_call @nobody_knows(%a) : (tensor<2xf32>) -> tensor<2xf32>\n"
	               "    stablehlo.return %1 : tensor<2xf32>\n"
	               "  }) : (tensor<i32>) -> tensor<2xf32>\n"
	               "  return %0 : tensor<2xf32>\n"
	               "}\n");
	tess_ctx *errors = tess_ctx_new(NULL);
	const int32_t zero[4] __attribute__((aligned(16))) = {0}, one[4] __attribute__((aligned(16))) = {1};
	tess_buffer *in[2] = {tess_buffer_wrap(zero, 4, NULL, NULL), floats((float[]){1, 2}, 2)};
	tess_buffer *bad[2] = {tess_buffer_wrap(one, 4, NULL, NULL), in[1]}, *out[1];
	tess_diag d;
	for (int round = 0; round < 2; round++) {
		assert_int_equal(tess_exec_run_shards(j.e, in, NULL, out, errors), TESS_OK);
		tess_buffer_free(out[0]);
		assert_int_equal(tess_exec_run_shards(j.e, bad, NULL, out, errors), TESS_INVALID);
		assert_true(tess_diag_get(errors, (size_t)round, &d));
		assert_int_equal(d.line, 5);
		assert_null(out[0]);
	}
	tess_buffer_free(in[0]);
	tess_buffer_free(in[1]);
	tess_buffer_free(bad[0]);
	tess_ctx_free(errors);
	job_end(&j);
}

static void count_releases(void *user) { ++*(int *)user; }

static void buffers_are_counted(void **unused)
{
	(void)unused;
	int released = 0;
	float theirs = 0;
	tess_buffer *b = tess_buffer_wrap(&theirs, sizeof theirs, count_releases, &released);
	assert_ptr_equal(tess_buffer_share(b), b);
	tess_buffer_free(b);
	assert_int_equal(released, 0);
	tess_buffer_free(b);
	assert_int_equal(released, 1);
	tess_buffer_free(NULL);
	assert_null(tess_buffer_share(NULL));
	assert_null(tess_buffer_new(SIZE_MAX));
	b = tess_buffer_new(0);
	assert_true((uintptr_t)tess_buffer_data(b) % 64 == 0 && tess_buffer_bytes(b) == 0);
	tess_buffer_free(b);
}

/* ---- programs that share a plan ------------------------------------------------------------- */

static tess_status get(tess_plans *p, const char *text, int threads, tess_ctx *errors, tess_exec **e)
{
	tess_exec_opts o = TESS_EXEC_OPTS_INIT;
	o.threads = threads;
	return tess_plans_get(p, (tess_str){text, strlen(text)}, "test", &o, errors, e);
}

static void equal_programs_share_a_plan(void **unused)
{
	(void)unused;
	static const char other[] = "func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {\n"
				    "  return %a : tensor<2xf32>\n"
				    "}\n";
	static const char bad[] = "func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {\n"
				  "  return %b : tensor<2xf32>\n"
				  "}\n";
	tess_ctx *errors = tess_ctx_new(NULL);
	tess_plans *p = tess_plans_new(1);
	tess_exec *a, *b, *c, *d;
	tess_diag said;
	assert_int_equal(get(p, doubles, 1, errors, &a), TESS_OK);
	assert_int_equal(get(p, doubles, 1, errors, &b), TESS_OK);
	assert_int_equal(get(p, doubles, 2, errors, &c), TESS_OK);
	assert_int_equal(get(p, other, 1, errors, &d), TESS_OK);
	assert_true(a == b && a != c && c != d);
	assert_int_equal(tess_diag_count(errors), 0);
	for (int round = 0; round < 2; round++) {
		assert_int_equal(get(p, bad, 1, errors, &b), TESS_INVALID);
		assert_null(b);
		assert_true(tess_diag_get(errors, (size_t)round, &said));
		assert_int_equal(said.line, 2);
		assert_string_equal(said.file, "test");
	}
	tess_exec_free(a); /* once for `a`, once for `b`, which was the same */
	tess_exec_free(a);
	tess_exec_free(c);
	tess_plans_free(p); /* `d` is still in use */
	tess_buffer *in = floats((float[]){1, 2}, 2), *out;
	assert_int_equal(tess_exec_run_shards(d, &in, NULL, &out, errors), TESS_OK);
	assert_ptr_equal(in, out);
	tess_buffer_free(in);
	tess_buffer_free(out);
	tess_exec_free(d);
	tess_ctx_free(errors);
}

static void what_nobody_has_is_forgotten(void **unused)
{
	(void)unused;
	tess_plans *p = tess_plans_new(2);
	tess_exec *first[5], *again;
	for (int i = 0; i < 5; i++) {
		assert_int_equal(get(p, doubles, i + 1, NULL, &first[i]), TESS_OK);
		if (i)
			tess_exec_free(first[i]);
	}
	for (int i = 3; i < 5; i++) { /* the last two are in the cache */
		assert_int_equal(get(p, doubles, i + 1, NULL, &again), TESS_OK);
		assert_ptr_equal(again, first[i]);
		tess_exec_free(again);
	}
	assert_int_equal(get(p, doubles, 1, NULL, &again), TESS_OK);
	assert_ptr_equal(again, first[0]); /* also one that is in use */
	tess_exec_free(again);
	tess_exec_free(first[0]);
	tess_plans_free(p);
}

typedef struct asker {
	pthread_t thread;
	tess_plans *p;
	tess_exec *e;
	float got;
} asker;

static void *ask_and_run(void *arg)
{
	asker *a = arg;
	tess_buffer *in[2] = {floats((float[]){1, 2}, 2), floats((float[]){3, 4}, 2)}, *out[2];
	const bool donated = true;
	if (get(a->p, doubles, 1, NULL, &a->e) != TESS_OK ||
	    tess_exec_run_shards(a->e, in, &donated, out, NULL) != TESS_OK)
		return NULL;
	a->got = floats_of(out[1])[1];
	tess_buffer_free(out[0]);
	tess_buffer_free(out[1]);
	return NULL;
}

static void threads_ask_for_one_program(void **unused)
{
	(void)unused;
	for (int round = 0; round < 20; round++) {
		tess_plans *p = tess_plans_new(0);
		asker a[THREADS];
		for (int i = 0; i < THREADS; i++) {
			a[i] = (asker){.p = p};
			assert_int_equal(pthread_create(&a[i].thread, NULL, ask_and_run, &a[i]), 0);
		}
		for (int i = 0; i < THREADS; i++)
			pthread_join(a[i].thread, NULL);
		for (int i = 0; i < THREADS; i++) {
			assert_true(a[i].got == 8);
			assert_ptr_equal(a[i].e, a[0].e);
		}
		for (int i = 0; i < THREADS; i++)
			tess_exec_free(a[i].e);
		tess_plans_free(p);
	}
}

static void *allowed(void *user, void *old, size_t size)
{
	int64_t *left = user;
	if (!size) {
		free(old);
		return NULL;
	}
	return (*left)-- > 0 ? realloc(old, size) : NULL;
}

static void memory_runs_out_while_planning(void **unused)
{
	(void)unused;
	tess_exec *e = NULL;
	for (int64_t n = 0; !e; n++) {
		int64_t left = INT64_MAX;
		tess_ctx_opts co = TESS_CTX_OPTS_INIT;
		tess_exec_opts o = TESS_EXEC_OPTS_INIT;
		co.realloc = allowed;
		co.user = &left;
		o.shards = true;
		o.threads = 1;
		tess_ctx *ctx = tess_ctx_new(&co);
		tess_module *m = read_text(ctx, doubles);
		left = n;
		e = tess_exec_new(m, &o);
		assert_true(e ? n > 0 : tess_diag_errors(ctx) == 0);
		left = INT64_MAX;
		tess_exec_free(e);
		tess_module_free(m);
		tess_ctx_free(ctx);
	}
}

static void nothing_is_asked(void **unused)
{
	(void)unused;
	tess_tensor t;
	const tess_mesh *mesh;
	assert_true(!tess_buffer_data(NULL) && !tess_buffer_bytes(NULL));
	assert_false(tess_exec_input_shard(NULL, 0, &t) || tess_exec_output_shard(NULL, 0, &t));
	assert_null(tess_exec_input_sharding(NULL, 0, &mesh));
	assert_null(mesh);
	assert_true(!tess_exec_devices(NULL) && !tess_exec_input_count(NULL));
	tess_exec *e;
	assert_int_equal(tess_plans_get(NULL, (tess_str){0}, "", NULL, NULL, &e), TESS_USAGE);
	assert_null(e);
	tess_plans_free(NULL);
	tess_pool_free(NULL);
}

/* Checks and prints report to the context, which runs on shards do not use. */
static void some_programs_are_not_for_shards(void **unused)
{
	(void)unused;
	tess_ctx *ctx = tess_ctx_new(NULL);
	tess_exec_opts o = TESS_EXEC_OPTS_INIT;
	tess_module *m = read_text(ctx, "func.func @main(%a: tensor<2xf32>) {\n"
	                                "  check.expect_eq %a, %a : tensor<2xf32>\n"
	                                "  return\n"
	                                "}\n");
	tess_diag d;
	o.shards = true;
	assert_null(tess_exec_new(m, &o));
	assert_true(tess_diag_get(ctx, 0, &d) && d.line == 2);
	o.direct = true;
	assert_null(tess_exec_new(m, &o));
	o.direct = false;
	o.trace = true;
	assert_null(tess_exec_new(m, &o));
	assert_int_equal(tess_diag_errors(ctx), 3);
	tess_module_free(m);
	tess_ctx_free(ctx);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_step_takes_what_the_last_one_gave),
		cmocka_unit_test(shards_are_those_of_the_whole),
		cmocka_unit_test(every_kind_of_result),
		cmocka_unit_test(only_free_memory_is_reused),
		cmocka_unit_test(faithful_devices_have_their_own),
		cmocka_unit_test(unreduced_values_are_terms),
		cmocka_unit_test(threads_run_one_program),
		cmocka_unit_test(threads_share_a_pool),
		cmocka_unit_test(programs_share_memory),
		cmocka_unit_test(idle_programs_are_small),
		cmocka_unit_test(buffers_have_to_fit),
		cmocka_unit_test(a_run_says_why_it_fails),
		cmocka_unit_test(buffers_are_counted),
		cmocka_unit_test(equal_programs_share_a_plan),
		cmocka_unit_test(what_nobody_has_is_forgotten),
		cmocka_unit_test(threads_ask_for_one_program),
		cmocka_unit_test(memory_runs_out_while_planning),
		cmocka_unit_test(nothing_is_asked),
		cmocka_unit_test(some_programs_are_not_for_shards),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
