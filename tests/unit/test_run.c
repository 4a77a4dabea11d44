/* test_run.c - running plans: the same results with any number of workers, no allocations in the
 * iterations of a loop, runs that are stopped, traces, and comparing results. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/lent.h"
#include <tessera/diag.h>
#include <tessera/module.h>
#include <tessera/run.h>

#define LEN(a) (sizeof(a) / sizeof *(a))

/* ---- allocations ----------------------------------------------------------------- */

/* Counts allocations through the context and, if the C library allows it, every malloc(). */
static int64_t n_allocations;

static void *counting_realloc(void *user, void *old, size_t size)
{
	(void)user;
	n_allocations += size > 0;
	if (size)
		return realloc(old, size);
	free(old);
	return NULL;
}

#if defined(__has_feature) /* clang's way to tell */
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED
#endif
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED
#endif
#if defined(__GLIBC__) && !defined(SANITIZED)
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *malloc(size_t n)
{
	n_allocations++;
	return __libc_malloc(n);
}
void *calloc(size_t n, size_t size)
{
	n_allocations++;
	return __libc_calloc(n, size);
}
#endif

/* ---- a program to run -------------------------------------------------------------- */

typedef struct job {
	tess_ctx *ctx;
	tess_module *m;
	tess_exec *e;
	tess_npz *z;
	tess_tensor in[64];
	size_t n;
} job;

static void job_start(job *j, const char *text, const char *path, const tess_exec_opts *o)
{
	tess_ctx_opts co = TESS_CTX_OPTS_INIT;
	co.realloc = counting_realloc;
	*j = (job){.ctx = tess_ctx_new(&co)};
	j->m = path ? tess_module_parse_file(j->ctx, path, NULL)
	            : tess_module_parse(j->ctx, (tess_str){text, strlen(text)}, "test", NULL);
	assert_non_null(j->m);
	j->e = tess_exec_new(j->m, o);
	if (!j->e)
		print_error("%s\n", lent(tess_diag_render(j->ctx, false)).ptr);
	assert_non_null(j->e);
	j->n = tess_exec_input_count(j->e);
}

static void job_inputs(job *j, const char *path)
{
	j->z = tess_npz_open(j->ctx, path);
	assert_non_null(j->z);
	assert_in_range(j->n, 0, LEN(j->in));
	for (size_t i = 0; i < j->n; i++) {
		char name[32];
		snprintf(name, sizeof name, "in%zu", i);
		assert_true(tess_npz_find(j->z, name, &j->in[i]));
	}
}

static void job_end(job *j)
{
	tess_exec_free(j->e);
	tess_module_free(j->m);
	tess_npz_free(j->z);
	tess_ctx_free(j->ctx);
}

/* ---- workers ------------------------------------------------------------------------- */

static void same_outputs(const job *a, const job *b)
{
	tess_tensor x, y;
	for (size_t i = 0; tess_exec_output(a->e, i, &x); i++) {
		assert_true(tess_exec_output(b->e, i, &y));
		assert_memory_equal(x.data, y.data, x.bytes);
	}
}

static void same_for_any_workers(void **unused)
{
	(void)unused;
	const char *program = TEST_DATA "/../examples/gpt_step.mlir";
	const char *inputs = TEST_DATA "/../examples/gpt_step.npz";
	tess_exec_opts o = TESS_EXEC_OPTS_INIT;
	job one, many;
	o.threads = 1;
	job_start(&one, NULL, program, &o);
	job_inputs(&one, inputs);
	assert_int_equal(tess_exec_run(one.e, one.in, one.n), TESS_OK);
	for (int i = 0; i < 4; i++) {
		o.threads = i < 3 ? 2 + i : 3;
		o.faithful = i == 3; /* each device has its own copies; same results */
		job_start(&many, NULL, program, &o);
		job_inputs(&many, inputs);
		for (int run = 0; run < 3; run++) {
			assert_int_equal(tess_exec_run(many.e, many.in, many.n), TESS_OK);
			same_outputs(&one, &many);
		}
		job_end(&many);
	}
	job_end(&one);
}

/* Products, sums and transposes that are large enough to be divided into tiles. */
static const char large[] =
	"func.func @main() -> (tensor<300x260xf32>, tensor<260xf32>, tensor<f32>, tensor<260x300xf32>) {\n"
	"  %i = stablehlo.iota dim = 0 : tensor<300x300xf32>\n"
	"  %j = stablehlo.iota dim = 1 : tensor<300x260xf32>\n"
	"  %a = stablehlo.sine %i : tensor<300x300xf32>\n"
	"  %b = stablehlo.cosine %j : tensor<300x260xf32>\n"
	"  %p = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<300x300xf32>, tensor<300x260xf32>) -> tensor<300x260xf32>\n"
	"  %z = stablehlo.constant dense<0.0> : tensor<f32>\n"
	"  %c = stablehlo.reduce(%p init: %z) applies stablehlo.add across dimensions = [0] : (tensor<300x260xf32>, tensor<f32>) -> tensor<260xf32>\n"
	"  %s = stablehlo.reduce(%p init: %z) applies stablehlo.add across dimensions = [0, 1] : (tensor<300x260xf32>, tensor<f32>) -> tensor<f32>\n"
	"  %e = stablehlo.tanh %p : tensor<300x260xf32>\n"
	"  %t = stablehlo.transpose %e, dims = [1, 0] : (tensor<300x260xf32>) -> tensor<260x300xf32>\n"
	"  return %p, %c, %s, %t : tensor<300x260xf32>, tensor<260xf32>, tensor<f32>, tensor<260x300xf32>\n"
	"}\n";

static void same_for_any_tiles(void **unused)
{
	(void)unused;
	tess_exec_opts o = TESS_EXEC_OPTS_INIT;
	job one, many;
	o.threads = 1;
	job_start(&one, large, NULL, &o);
	assert_int_equal(tess_exec_run(one.e, NULL, 0), TESS_OK);
	for (o.threads = 2; o.threads < 6; o.threads++) {
		job_start(&many, large, NULL, &o);
		assert_int_equal(tess_exec_run(many.e, NULL, 0), TESS_OK);
		same_outputs(&one, &many);
		job_end(&many);
	}
	job_end(&one);
}

/* ---- loops ------------------------------------------------------------------------------ */

static const char loop[] =
	"func.func @main(%n: tensor<i32>, %x: tensor<64x64xf32>) -> tensor<64x64xf32> {\n"
	"  %zero = stablehlo.constant dense<0> : tensor<i32>\n"
	"  %one = stablehlo.constant dense<1> : tensor<i32>\n"
	"  %r:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<64x64xf32>\n"
	"    cond {\n"
	"      %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
	"      stablehlo.return %p : tensor<i1>\n"
	"    } do {\n"
	"      %k = stablehlo.add %i, %one : tensor<i32>\n"
	"      %q = stablehlo.dot_general %y, %x, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>\n"
	"      %w = stablehlo.tanh %q : tensor<64x64xf32>\n"
	"      %t = stablehlo.transpose %w, dims = [1, 0] : (tensor<64x64xf32>) -> tensor<64x64xf32>\n"
	"      stablehlo.return %k, %t : tensor<i32>, tensor<64x64xf32>\n"
	"    }\n"
	"  return %r#1 : tensor<64x64xf32>\n"
	"}\n";

static void iterations_take_no_memory(void **unused)
{
	(void)unused;
	static float x[64 * 64];
	static const int64_t square[2] = {64, 64};
	int32_t n = 3;
	tess_tensor in[2] = {
		{.name = "", .dtype = TESS_I32, .data = &n, .bytes = sizeof n},
		{.name = "", .dtype = TESS_F32, .rank = 2, .dims = square, .data = x, .bytes = sizeof x},
	};
	tess_exec_opts o = TESS_EXEC_OPTS_INIT;
	job j;
	for (int i = 0; i < 64 * 64; i++)
		x[i] = (float)(i % 13) * 0.01f;
	job_start(&j, loop, NULL, &o);
	assert_int_equal(tess_exec_run(j.e, in, 2), TESS_OK); /* allocates what all runs need */
	int64_t before = n_allocations;
	assert_int_equal(tess_exec_run(j.e, in, 2), TESS_OK);
	int64_t few = n_allocations - before;
	n = 300;
	before = n_allocations;
	assert_int_equal(tess_exec_run(j.e, in, 2), TESS_OK);
	assert_int_equal(n_allocations - before, few);
	job_end(&j);
}

/* ---- stopping a run, and its trace ---------------------------------------------------------- */

typedef struct watch {
	int calls;
	int64_t total;
} watch;

static bool stop_at_third(void *user, const tess_progress *p)
{
	watch *w = user;
	w->total = p->total;
	return ++w->calls < 3;
}

static void a_run_is_ended(void **unused)
{
	(void)unused;
	static float x[64 * 64];
	static const int64_t square[2] = {64, 64};
	int32_t n = INT32_MAX; /* would take hours */
	tess_tensor in[2] = {
		{.name = "", .dtype = TESS_I32, .data = &n, .bytes = sizeof n},
		{.name = "", .dtype = TESS_F32, .rank = 2, .dims = square, .data = x, .bytes = sizeof x},
	};
	tess_exec_opts o = TESS_EXEC_OPTS_INIT;
	watch w = {0};
	job j;
	o.proceed = stop_at_third;
	o.user = &w;
	job_start(&j, loop, NULL, &o);
	assert_int_equal(tess_exec_run(j.e, in, 2), TESS_STOPPED);
	assert_int_equal(w.calls, 3);
	assert_true(w.total > 0);
	n = 2; /* it can be run again */
	w.calls = -100;
	assert_int_equal(tess_exec_run(j.e, in, 2), TESS_OK);
	job_end(&j);
}

static void a_trace_names_operations(void **unused)
{
	(void)unused;
	tess_exec_opts o = TESS_EXEC_OPTS_INIT;
	job j;
	o.trace = true;
	job_start(&j, large, NULL, &o);
	assert_int_equal(tess_exec_run(j.e, NULL, 0), TESS_OK);
	tess_str text = lent(tess_exec_trace(j.e));
	assert_non_null(text.ptr);
	assert_non_null(strstr(text.ptr, "\"stablehlo.dot_general\""));
	assert_non_null(strstr(text.ptr, "\"device 0\""));
	job_end(&j);
}

/* Values that depend only on constants are computed in the first run, also in a loop, and are not
 * overwritten later. */
static void constants_are_computed_once(void **unused)
{
	(void)unused;
	static const char text[] =
		"func.func @main(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {\n"
		"  %i = stablehlo.iota dim = 0 : tensor<8xf32>\n"
		"  %s = stablehlo.sine %i : tensor<8xf32>\n"
		"  %r = stablehlo.reverse %s, dims = [0] : tensor<8xf32>\n"
		"  %k = stablehlo.concatenate %r, dim = 0 : (tensor<8xf32>) -> tensor<8xf32>\n"
		"  %zero = stablehlo.constant dense<0> : tensor<i32>\n"
		"  %one = stablehlo.constant dense<1> : tensor<i32>\n"
		"  %two = stablehlo.constant dense<2> : tensor<i32>\n"
		"  %w:2 = stablehlo.while(%n = %zero, %y = %k) : tensor<i32>, tensor<8xf32>\n"
		"    cond {\n"
		"      %p = stablehlo.compare LT, %n, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
		"      stablehlo.return %p : tensor<i1>\n"
		"    } do {\n"
		"      %m = stablehlo.add %n, %one : tensor<i32>\n"
		"      %c = stablehlo.cosine %k : tensor<8xf32>\n"
		"      %d = stablehlo.concatenate %c, dim = 0 : (tensor<8xf32>) -> tensor<8xf32>\n"
		"      %e = stablehlo.add %y, %d : tensor<8xf32>\n"
		"      stablehlo.return %m, %e : tensor<i32>, tensor<8xf32>\n"
		"    }\n"
		"  %v = stablehlo.add %w#1, %x : tensor<8xf32>\n"
		"  return %v, %k : tensor<8xf32>, tensor<8xf32>\n"
		"}\n";
	static const float zeros[8];
	static const int64_t eight[1] = {8};
	tess_tensor in[1] = {{.name = "",
	                      .dtype = TESS_F32,
	                      .rank = 1,
	                      .dims = eight,
	                      .data = zeros,
	                      .bytes = sizeof zeros}},
		    out;
	tess_exec_opts o = TESS_EXEC_OPTS_INIT;
	job j;
	o.trace = true;
	job_start(&j, text, NULL, &o);
	for (int run = 0; run < 3; run++) {
		assert_int_equal(tess_exec_run(j.e, in, 1), TESS_OK);
		tess_str trace = lent(tess_exec_trace(j.e));
		assert_int_equal(memmem(trace.ptr, trace.len, "stablehlo.sine", 14) != NULL,
		                 run == 0);
		assert_int_equal(memmem(trace.ptr, trace.len, "stablehlo.cosine", 16) != NULL,
		                 run == 0);
		for (int i = 0; i < 8; i++) {
			float k = sinf((float)(7 - i));
			tess_exec_output(j.e, 0, &out);
			assert_true(fabsf(((const float *)out.data)[i] - (k + 2 * cosf(k))) <
			            1e-5f);
			tess_exec_output(j.e, 1, &out);
			assert_true(fabsf(((const float *)out.data)[i] - k) < 1e-6f);
		}
	}
	job_end(&j);
}

/* live: number of allocated blocks. Allocations fail after `left` more blocks; -1: never. */
typedef struct scarce {
	int64_t live, left;
} scarce;

static void *scarce_realloc(void *user, void *old, size_t size)
{
	scarce *s = user;
	if (!size) {
		s->live -= old != NULL;
		free(old);
		return NULL;
	}
	if (s->left == 0)
		return NULL;
	s->left -= s->left > 0;
	s->live += !old;
	return realloc(old, size);
}

/* Makes and runs a program in a context that can allocate only `granted` blocks. */
static tess_status run_with_few_blocks(const char *text, bool direct, const tess_tensor *in,
                                       int granted)
{
	scarce s = {.left = -1};
	tess_ctx_opts co = TESS_CTX_OPTS_INIT;
	tess_status status = TESS_NOMEM;
	co.realloc = scarce_realloc;
	co.user = &s;
	tess_ctx *ctx = tess_ctx_new(&co);
	tess_module *m = tess_module_parse(ctx, (tess_str){text, strlen(text)}, "test", NULL);
	assert_non_null(m);
	s.left = granted;
	tess_exec_opts o = TESS_EXEC_OPTS_INIT;
	o.direct = direct;
	o.threads = 1;
	tess_exec *e = tess_exec_new(m, &o);
	if (e)
		status = tess_exec_run(e, in, 1);
	s.left = -1;
	if (e && status == TESS_NOMEM) /* with enough memory the same executable runs */
		assert_int_equal(tess_exec_run(e, in, 1), TESS_OK);
	tess_exec_free(e);
	tess_module_free(m);
	tess_ctx_free(ctx);
	assert_int_equal(s.live, 0);
	return status;
}

/* Allows one block more each time, until the run succeeds. Every failure frees everything. */
static void what_cannot_be_made_leaves_nothing(void **state)
{
	static const char *const texts[] = { /* partitioned; planned when there are inputs */
		"func.func @main(%a: tensor<3xf32>) -> tensor<3xf32> {"
		" %0 = stablehlo.add %a, %a : tensor<3xf32>"
		" return %0 : tensor<3xf32> }",
		"func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {"
		" %0 = stablehlo.add %a, %a : tensor<?xf32>"
		" return %0 : tensor<?xf32> }",
	};
	const tess_tensor in = {.dtype = TESS_F32, .rank = 1, .dims = (int64_t[]){3}, .bytes = 12,
	                        .data = (float[]){1, 2, 3}};
	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		int granted = 0;
		while (run_with_few_blocks(texts[i], i == 1, &in, granted) != TESS_OK)
			assert_in_range(++granted, 1, 10000);
	}
}

/* tess_exec_input() returns an input's type without data: it cannot be used as input yet. */
static void inputs_need_their_data(void **state)
{
	(void)state;
	job j;
	job_start(&j,
	          "func.func @main(%a: tensor<3xf32>, %b: tensor<0xf32>) -> tensor<3xf32> {"
	          " %0 = stablehlo.add %a, %a : tensor<3xf32> return %0 : tensor<3xf32> }",
	          NULL, NULL);
	for (size_t i = 0; i < 2; i++)
		assert_true(tess_exec_input(j.e, i, &j.in[i]));
	assert_int_equal(tess_exec_run(j.e, j.in, 2), TESS_INVALID);
	assert_non_null(strstr(lent(tess_diag_render(j.ctx, false)).ptr, "input 0 has no data"));
	assert_int_equal(tess_exec_run(j.e, NULL, 2), TESS_USAGE);
	assert_int_equal(tess_exec_run(NULL, j.in, 2), TESS_USAGE);
	j.in[0].data = (float[]){1, 2, 3};
	assert_int_equal(tess_exec_run(j.e, j.in, 2), TESS_OK); /* the empty one needs no data */
	job_end(&j);
}

/* A complex number is one element, even if both parts differ. */
static void complex_elements_are_compared(void **state)
{
	(void)state;
	static const float want[6] = {1, 2, 3, 4, 5, 6}, found[6] = {1, 2, 9, 9, 5, 9};
	static const int64_t three[1] = {3};
	tess_tensor got = {.name = "",
	                   .dtype = TESS_C64,
	                   .rank = 1,
	                   .dims = three,
	                   .data = found,
	                   .bytes = sizeof found},
		    expected = got;
	tess_difference d;
	expected.data = want;
	assert_false(tess_tensor_compare(&got, &expected, tess_tolerance_of(TESS_C64), &d));
	assert_int_equal(d.elements, 3);
	assert_int_equal(d.wrong, 2);
	assert_int_equal(d.first, 1);
	assert_true(d.got == 9 && d.expected == 3);
	assert_true(tess_tensor_compare(&got, &got, tess_tolerance_of(TESS_C64), &d));
}

static tess_difference compare_one(tess_dtype type, const void *found, const void *want, size_t bytes)
{
	static const int64_t one[1] = {1};
	tess_tensor got = {.name = "", .dtype = type, .rank = 1, .dims = one, .data = found,
	                   .bytes = bytes},
		    expected = got;
	tess_difference d;
	expected.data = want;
	assert_false(tess_tensor_compare(&got, &expected, tess_tolerance_of(type), &d));
	assert_int_equal(d.wrong, 1);
	return d;
}

/* As an unsigned integer, -7 is 249. */
static void integers_are_compared(void **state)
{
	(void)state;
	tess_difference d = compare_one(TESS_I8, (int8_t[]){-7}, (int8_t[]){5}, 1);
	assert_true(d.got == -7 && d.expected == 5);
	d = compare_one(TESS_UI8, (int8_t[]){-7}, (int8_t[]){5}, 1);
	assert_true(d.got == 249 && d.expected == 5);
	d = compare_one(TESS_I64, (int64_t[]){-7}, (int64_t[]){INT32_MIN}, 8);
	assert_true(d.got == -7 && d.expected == INT32_MIN);
}

/* Each run may have other sizes of open dimensions. A plan is reused while they are the same. */
static void dimensions_change_between_runs(void **state)
{
	(void)state;
	static const int64_t two[1] = {2}, three[1] = {3};
	const float data[3] = {1, 2, 3};
	const int64_t *dims[] = {three, three, two, three};
	tess_exec_opts o = TESS_EXEC_OPTS_INIT;
	job j;
	o.direct = true;
	job_start(&j,
	          "func.func @main(%x: tensor<?xf32>) -> (tensor<i32>, tensor<?xf32>) {"
	          " %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>"
	          " %0 = stablehlo.add %x, %x : tensor<?xf32>"
	          " return %n, %0 : tensor<i32>, tensor<?xf32> }",
	          NULL, &o);
	for (int i = 0; i < 4; i++) {
		int64_t n = dims[i][0];
		tess_tensor out, in = {.name = "x", .dtype = TESS_F32, .rank = 1, .dims = dims[i],
		                       .data = data, .bytes = (size_t)n * sizeof(float)};
		assert_int_equal(tess_exec_run(j.e, &in, 1), TESS_OK);
		assert_true(tess_exec_output(j.e, 0, &out));
		assert_int_equal(*(const int32_t *)out.data, n);
		assert_true(tess_exec_output(j.e, 1, &out));
		assert_int_equal(out.dims[0], n);
		for (int64_t k = 0; k < n; k++)
			assert_true(((const float *)out.data)[k] == 2 * data[k]);
	}
	job_end(&j);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_for_any_workers),
		cmocka_unit_test(same_for_any_tiles),
		cmocka_unit_test(iterations_take_no_memory),
		cmocka_unit_test(constants_are_computed_once),
		cmocka_unit_test(a_run_is_ended),
		cmocka_unit_test(a_trace_names_operations),
		cmocka_unit_test(complex_elements_are_compared),
		cmocka_unit_test(integers_are_compared),
		cmocka_unit_test(dimensions_change_between_runs),
		cmocka_unit_test(inputs_need_their_data),
		cmocka_unit_test(what_cannot_be_made_leaves_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
