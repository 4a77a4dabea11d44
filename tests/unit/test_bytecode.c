/* Truncated or damaged bytecode: a diagnostic with the byte offset, never a half-read module. */
#include "module_fixture.h"

#include <stdio.h>
#include <tessera/passes.h>

typedef struct file {
	char *bytes;
	size_t len;
} file;

static file file_of(const char *name)
{
	char path[512];
	snprintf(path, sizeof path, TEST_DATA "/bytecode/Inputs/%s", name);
	FILE *f = fopen(path, "rb");
	assert_non_null(f);
	file out = {malloc(1 << 20), 0};
	out.len = fread(out.bytes, 1, 1 << 20, f);
	fclose(f);
	return out;
}

static bool has(tess_str s, const char *what)
{
	for (size_t i = 0; i + strlen(what) <= s.len; i++)
		if (!memcmp(s.ptr + i, what, strlen(what)))
			return true;
	return false;
}

static const char *const samples[] = {"sample.v0.bc",     "sample.v1.bc",    "sample.v2.bc",
                                      "sample.v3.bc",     "sample.v4.bc",    "sample.v5.bc",
                                      "sample.v6.bc",     "sample.1.16.0.bc", "sample.1.19.0.bc",
                                      "old.0.9.0.bc",     "old.0.13.0.bc",   "old.1.0.0.bc",
                                      "old.1.5.0.bc",     "tree.jax_export", "two.jax_export",
                                      "shape.jax_export", "symbolic_two.jax_export",
                                      "vjp_two.jax_export", "sharded_matmul.jax_export",
                                      "wide.bc",          "memrefs.bc",      "quantized.bc",
                                      "resources.bc",     "no_elements.bc",  "before_1.20.bc"};

static void test_every_prefix(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
		file f = file_of(samples[i]);
		tess_module *whole = tess_module_parse(ctx, (tess_str){f.bytes, f.len}, "whole", NULL);
		assert_non_null(whole);
		tess_module_free(whole);
		for (size_t n = 4; n < f.len; n++) {
			/* exact, so that a sanitizer detects overreads */
			char *cut = malloc(n);
			memcpy(cut, f.bytes, n);
			tess_module *m = tess_module_parse(ctx, (tess_str){cut, n}, "cut", NULL);
			assert_null(m);
			assert_true(has(lent(tess_diag_render(ctx, false)), "at byte "));
			tess_diag_clear(ctx);
			free(cut);
		}
		free(f.bytes);
	}
}

/* The same for a gzipped file. */
static void test_every_gzipped_prefix(void **state)
{
	(void)state;
	file f = file_of("sample.v6.bc.gz");
	tess_module *m = tess_module_parse(ctx, (tess_str){f.bytes, f.len}, "all", NULL);
	if (!m && has(lent(tess_diag_render(ctx, false)), "this build has no zlib")) {
		free(f.bytes);
		skip();
	}
	assert_non_null(m);
	tess_module_free(m);
	for (size_t n = 4; n < f.len; n++) {
		m = tess_module_parse(ctx, (tess_str){f.bytes, n}, "cut", NULL);
		assert_null(m);
		assert_true(has(lent(tess_diag_render(ctx, false)), "at byte "));
		tess_diag_clear(ctx);
	}
	free(f.bytes);
}

/* The bytes do not depend on what was written before. */
static void test_same_bytes(void **state)
{
	(void)state;
	file f = file_of("sample.v6.bc");
	tess_module *m = tess_module_parse(ctx, (tess_str){f.bytes, f.len}, "sample", NULL);
	char *first[2] = {NULL, NULL};
	size_t lens[2];
	for (int i = 0; i < 8; i++) {
		tess_write_opts opts = TESS_WRITE_OPTS_INIT;
		char *bytes = NULL;
		size_t n;
		opts.target = i % 2 ? "1.16.0" : NULL;
		assert_int_equal(tess_module_write(m, &opts, &bytes, &n), TESS_OK);
		if (i < 2) {
			first[i] = bytes;
			lens[i] = n;
			continue;
		}
		assert_int_equal(n, lens[i % 2]);
		assert_memory_equal(bytes, first[i % 2], n);
		tess_text_free(bytes);
	}
	tess_text_free(first[0]);
	tess_text_free(first[1]);
	tess_module_free(m);
	free(f.bytes);
}

/* Without verification, a value may be used before it is defined. */
static void test_used_before(void **state)
{
	(void)state;
	static const char text[] = "\"builtin.module\"() ({ \"func.func\"() <{function_type = () -> "
	                           "tensor<f32>, sym_name = \"main\"}> ({ %1 = \"stablehlo.negate\""
	                           "(%0) : (tensor<f32>) -> tensor<f32> %0 = \"stablehlo.constant\"() "
	                           "<{value = dense<1.0> : tensor<f32>}> : () -> tensor<f32> "
	                           "\"func.return\"(%1) : (tensor<f32>) -> () }) : () -> () }) "
	                           ": () -> ()";
	tess_parse_opts how = TESS_PARSE_OPTS_INIT;
	how.skip_verify = true;
	char *bytes = NULL;
	size_t n;
	tess_module *m = tess_module_parse(ctx, tess_str_of(text), "text", &how);
	assert_non_null(m);
	assert_int_equal(tess_module_write(m, NULL, &bytes, &n), TESS_OK);
	tess_module *again = tess_module_parse(ctx, (tess_str){bytes, n}, "again", &how);
	assert_non_null(again);
	assert_string_equal(lent(tess_module_print(again, NULL)).ptr,
	                    lent(tess_module_print(m, NULL)).ptr);
	tess_module_free(m);
	tess_module_free(again);
	tess_text_free(bytes);
}

static tess_op *first_op(tess_module *m, const char *name)
{
	tess_op *o = tess_op_walk(tess_module_op(m), tess_module_op(m));
	while (o && !tess_op_is(o, name))
		o = tess_op_walk(o, tess_module_op(m));
	assert_non_null(o);
	return o;
}

static void assert_written_as_printed(tess_module *m)
{
	char *bytes = NULL;
	size_t n;
	assert_int_equal(tess_module_write(m, NULL, &bytes, &n), TESS_OK);
	tess_module *again = tess_module_parse(ctx, (tess_str){bytes, n}, "again", NULL);
	assert_non_null(again);
	assert_string_equal(lent(tess_module_print(again, NULL)).ptr,
	                    lent(tess_module_print(m, NULL)).ptr);
	tess_module_free(again);
	tess_text_free(bytes);
}

/* What is recorded about the operations of a block is right after any edits. */
static void test_after_edits(void **state)
{
	(void)state;
	tess_module *m = parsed(
		"sdy.mesh @mesh = <[\"a\"=2]>\n"
		"func.func @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"a\"}, {}]>}) -> "
		"(tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {\"a\"}]>}) {\n"
		"%0 = stablehlo.negate %x : tensor<8x8xf32>\n"
		"%1 = stablehlo.cosine %x : tensor<8x8xf32>\n"
		"%2 = stablehlo.tanh %x : tensor<8x8xf32>\n"
		"return %2 : tensor<8x8xf32> }");
	tess_op *tanh = first_op(m, "stablehlo.tanh");
	assert_int_equal(tess_op_erase(m, first_op(m, "stablehlo.cosine")), TESS_OK);
	assert_written_as_printed(m);
	assert_int_equal(tess_op_move(m, tanh, tess_op_parent_block(tanh), first_op(m, "stablehlo.negate")),
	                 TESS_OK);
	assert_written_as_printed(m);
	assert_int_equal(tess_module_run_passes(m, "sdy-propagation-pipeline,sdy-insert-explicit-reshards"),
	                 TESS_OK);
	assert_written_as_printed(m);
	tess_module_free(m);
}

/* A module knows its operations' locations after the bytes that it was read from are freed. */
static void test_locations(void **state)
{
	(void)state;
	file f = file_of("sample.v6.bc");
	tess_module *m = tess_module_parse(ctx, (tess_str){f.bytes, f.len}, "sample", NULL);
	assert_non_null(m);
	memset(f.bytes, 0, f.len);
	free(f.bytes);
	tess_module *same = parsed("func.func @f() { return }"); /* another source in between */
	assert_non_null(tess_op_location(first_op(m, "stablehlo.tanh")));
	tess_module_free(same);
	tess_module_free(m);
}

/* Changes each byte: whatever the result, nothing is read out of bounds. */
static void test_every_byte(void **state)
{
	(void)state;
	for (size_t i = 5; i < 8; i++) {
		file f = file_of(samples[i]);
		for (size_t n = 4; n < f.len; n++) {
			tess_ctx *own = tess_ctx_new(NULL);
			char was = f.bytes[n];
			f.bytes[n] = (char)(was ^ (1 << (n % 8)));
			tess_module *m = tess_module_parse(own, (tess_str){f.bytes, f.len}, "x", NULL);
			if (!m)
				assert_true(tess_diag_count(own) > 0);
			tess_module_free(m);
			f.bytes[n] = was;
			tess_ctx_free(own);
		}
		free(f.bytes);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_every_prefix, setup, teardown),
		cmocka_unit_test_setup_teardown(test_every_gzipped_prefix, setup, teardown),
		cmocka_unit_test_setup_teardown(test_same_bytes, setup, teardown),
		cmocka_unit_test_setup_teardown(test_used_before, setup, teardown),
		cmocka_unit_test_setup_teardown(test_locations, setup, teardown),
		cmocka_unit_test_setup_teardown(test_after_edits, setup, teardown),
		cmocka_unit_test_setup_teardown(test_every_byte, setup, teardown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
