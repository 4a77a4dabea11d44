/* Passes: parsing of pipelines, splitting of files, expected diagnostics. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <tessera/passes.h>

#include "shardy/shardy.h"

/* Parses a pipeline. @return number of passes, or -1 */
static int parse(tess_ctx *ctx, const char *text, pass_list *l)
{
	*l = (pass_list){.mem = &ctx->scratch};
	return pass_list_parse(ctx, l, text) ? l->steps.len : -1;
}

static void test_spellings(void **state)
{
	tess_ctx *ctx = *state;
	pass_list l;
	assert_int_equal(parse(ctx, "", &l), 0);
	assert_int_equal(parse(ctx, "cse", &l), 1);
	assert_int_equal(parse(ctx, "cse,canonicalize", &l), 2);
	assert_int_equal(parse(ctx, "builtin.module(cse, func.func( symbol-dce ),inline)", &l), 3);
	assert_int_equal(parse(ctx, "builtin.module()", &l), 0);
	assert_int_equal(parse(ctx, "canonicalize{enable-patterns=sdy-reshard}", &l), 1);
	assert_true(str_is(l.steps.ptr[0].opts.enable_patterns, "sdy-reshard"));
	assert_int_equal(parse(ctx, "canonicalize{enable-patterns='a, b'},cse", &l), 2);
	assert_true(str_is(l.steps.ptr[0].opts.enable_patterns, "a, b"));
	assert_int_equal(diag_errors(ctx), 0);
}

static void test_misspellings(void **state)
{
	static const struct {
		const char *text;
		uint32_t col;
	} wrong[] = {
		{"cs", 1},        {"cse,", 5},        {"cse canonicalize", 5},
		{"cse{", 4},      {"cse{x=1}", 5},    {"builtin.module(cse", 1},
		{"nest(cse)", 1}, {"cse{}}", 6},      {"canonicalize{enable-patterns='a}", 30},
	};
	tess_ctx *ctx = *state;
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		pass_list l;
		diag_clear(ctx);
		assert_int_equal(parse(ctx, wrong[i].text, &l), -1);
		assert_int_equal(diag_errors(ctx), 1);
		assert_int_equal(diag_at(ctx, 0)->col, wrong[i].col);
	}
	diag_clear(ctx);
}

static void test_options(void **state)
{
	UNUSED(state);
	pass_options o = pass_options_default();
	assert_true(o.halo && o.update_non_divisible && !o.conservative);
	const pass_option *strategy = pass_option_find(STR("propagation-strategy"));
	assert_true(pass_option_set(&o, strategy, STR("basic")));
	assert_int_equal(o.strategy, STRATEGY_BASIC);
	assert_false(pass_option_set(&o, strategy, STR("best")));
	assert_false(pass_option_set(&o, pass_option_find(STR("replica-count")), STR("8x")));
	assert_true(
		pass_option_set(&o, pass_option_find(STR("enable-halo-exchange")), STR("false")));
	assert_false(o.halo);
}

/* The table of passes names only existing options. */
static void test_table(void **state)
{
	UNUSED(state);
	for (int i = 0; i < pass_def_count(); i++) {
		const char *s = pass_def_at(i)->options;
		while (*s) {
			size_t n = strcspn(s, " ");
			const pass_option *o = pass_option_find((tess_str){s, n});
			assert_non_null(o);
			assert_true(pass_def_takes(pass_def_at(i), o));
			s += n + (s[n] == ' ');
		}
	}
}

static void test_pipelines_expand(void **state)
{
	tess_ctx *ctx = *state;
	pass_list l;
	for (int i = 0; i < pass_def_count(); i++)
		if (pass_def_at(i)->expand)
			assert_true(parse(ctx, pass_def_at(i)->name, &l) > 5);
}

static void test_split(void **state)
{
	UNUSED(state);
	tess_str rest = STR("a\n// -----\nb\nc\n// ----- \n"), chunk;
	uint32_t line = 1, at;
	assert_true(split_next(&rest, &line, &chunk, &at));
	assert_true(str_is(chunk, "a\n") && at == 1);
	assert_true(split_next(&rest, &line, &chunk, &at));
	assert_true(str_is(chunk, "b\nc\n") && at == 3);
	assert_true(split_next(&rest, &line, &chunk, &at));
	assert_true(chunk.len == 0 && at == 6);
	assert_false(split_next(&rest, &line, &chunk, &at));
}

/* Reports an error at the `^` of the text's n-th line, and compares with the expected ones. */
static int differences(tess_ctx *ctx, const char *text, int error_line, const char *message,
                       bool any_note)
{
	source *src = source_new(ctx, "t", str_of(text));
	uint32_t at = 0;
	for (int line = 1; line < error_line; line++)
		at = (uint32_t)(strchr(text + at, '\n') - text) + 1;
	if (error_line) {
		diag_error(ctx, (place){src, at, at + 1}, E_SYNTAX, "%s", message);
		diag_note(ctx, (place){src, 0, 1}, "a note");
	}
	mismatch_list list = {0};
	expect_compare(ctx, src, any_note, &ctx->scratch, &list);
	assert_int_equal(diag_count(ctx), 0);
	return list.len;
}

static void test_expectations(void **state)
{
	tess_ctx *ctx = *state;
	assert_int_equal(differences(ctx, "x\n", 0, "", true), 0);
	assert_int_equal(differences(ctx, "x // expected-error {{bad}}\n", 0, "", true), 1);
	assert_int_equal(differences(ctx, "x // expected-error {{bad}}\n", 1, "so bad", true), 0);
	assert_int_equal(differences(ctx, "x // expected-error {{}}\n", 1, "so bad", false), 1);
	assert_int_equal(differences(ctx, "x // expected-error {{good}}\n", 1, "so bad", true), 2);
	assert_int_equal(differences(ctx, "x // expected-warning {{bad}}\n", 1, "so bad", true), 2);
	assert_int_equal(differences(ctx, "x\n// expected-error@-1 {{bad}}\n", 1, "bad", true), 0);
	assert_int_equal(differences(ctx, "// expected-error@+2 {{bad}}\n\nx", 3, "bad", true), 0);
	assert_int_equal(differences(ctx, "x\n// expected-error@above {{bad}}\n", 1, "bad", true),
	                 0);
	assert_int_equal(differences(ctx,
	                             "// expected-error@below {{bad}}\n"
	                             "// expected-note@above {{a note}}\nx\n",
	                             3, "bad", false),
	                 0);
	assert_int_equal(differences(ctx, "// expected-error-re@+1 {{rank {{[0-9]+}}.}}\nx\n", 2,
	                             "rank 12.", true),
	                 0);
	assert_int_equal(differences(ctx, "// expected-error-re@+1 {{rank {{[0-9]+}}.}}\nx\n", 2,
	                             "rank 12", true),
	                 2);
}

typedef struct taken {
	char text[400000];
	size_t len;
	int pieces, last; /* the piece `last` is refused; 0: none */
} taken;

static bool take(void *user, tess_str piece)
{
	taken *t = user;
	if (++t->pieces == t->last)
		return false;
	assert_true(t->len + piece.len <= sizeof t->text);
	memcpy(t->text + t->len, piece.ptr, piece.len);
	t->len += piece.len;
	return true;
}

/* A text delivered in pieces gives the same result as the whole text. */
static void test_pieces(void **state)
{
	UNUSED(state);
	tess_ctx *ctx = tess_ctx_new(NULL);
	writer w;
	char *whole, *none;
	taken *t = calloc(1, sizeof *t);
	tess_opt_opts opts = TESS_OPT_OPTS_INIT;
	writer_init(&w, &ctx->perm);
	put_lit(&w, "func.func @main(%arg0: tensor<f32>) {\n");
	for (int i = 0; i < 5000; i++)
		put_f(&w, "  %%%d = stablehlo.add %%arg0, %%arg0 : tensor<f32>\n", i);
	put_lit(&w, "  return\n}\n");
	assert_int_equal(tess_opt(ctx, writer_str(&w), "", &opts, &whole), TESS_OK);
	size_t len = strlen(whole);
	opts.write = take;
	opts.user = t;
	assert_int_equal(tess_opt(ctx, writer_str(&w), "", &opts, &none), TESS_OK);
	assert_true(t->pieces > 2 && t->len == len && !none);
	assert_memory_equal(t->text, whole, len);
	*t = (taken){.last = 2};
	assert_int_equal(tess_opt(ctx, writer_str(&w), "", &opts, &none), TESS_IO);
	assert_int_equal(t->pieces, 2);
	tess_text_free(whole);
	free(t);
	tess_ctx_free(ctx);
}

static int make_context(void **state)
{
	tess_ctx *ctx = ctx_new(NULL);
	static jmp_buf never;
	ctx->frame = &never;
	*state = ctx;
	return 0;
}

static int drop_context(void **state)
{
	ctx_free(*state);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_spellings),   cmocka_unit_test(test_misspellings),
		cmocka_unit_test(test_options),     cmocka_unit_test(test_table),
		cmocka_unit_test(test_split),       cmocka_unit_test(test_expectations),
		cmocka_unit_test(test_pipelines_expand), cmocka_unit_test(test_pieces),
	};
	return cmocka_run_group_tests(tests, make_context, drop_context);
}
