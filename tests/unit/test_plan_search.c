/* test_plan_search.c - the search's plans, compared with all plans of small programs. */
#include "plan/plan.h"

#include "plan_fixture.h"

#include <math.h>

#define DOT(result, a, b, dims, ta, tb, tr)                                                        \
	"  %" result " = stablehlo.dot_general %" a ", %" b ", " dims " : (tensor<" ta ">, tensor<"  \
	tb ">) -> tensor<" tr ">\n"
#define COLUMNS "contracting_dims = [1] x [0]"

static const char *const mlp_text =
	"func.func @main(%x: tensor<2048x4096xf32>, %w1: tensor<4096x16384xf32>,\n"
	"    %w2: tensor<16384x4096xf32>) -> tensor<2048x4096xf32> {\n"
	DOT("h", "x", "w1", COLUMNS, "2048x4096xf32", "4096x16384xf32", "2048x16384xf32")
	"  %t = stablehlo.tanh %h : tensor<2048x16384xf32>\n"
	DOT("y", "t", "w2", COLUMNS, "2048x16384xf32", "16384x4096xf32", "2048x4096xf32")
	"  return %y : tensor<2048x4096xf32>\n}\n";

/* The batch is too small to be split, so the parameters must be. */
static const char *const decode_text =
	"func.func @main(%x: tensor<4x8192xf32>, %w1: tensor<8192x16384xf32>,\n"
	"    %w2: tensor<16384x8192xf32>) -> tensor<4x8192xf32> {\n"
	DOT("h", "x", "w1", COLUMNS, "4x8192xf32", "8192x16384xf32", "4x16384xf32")
	"  %t = stablehlo.tanh %h : tensor<4x16384xf32>\n"
	DOT("y", "t", "w2", COLUMNS, "4x16384xf32", "16384x8192xf32", "4x8192xf32")
	"  return %y : tensor<4x8192xf32>\n}\n";

static const char *const attention_text =
	"func.func @main(%x: tensor<8192x2048xf32>, %wq: tensor<2048x256xf32>,\n"
	"    %wk: tensor<2048x256xf32>) -> tensor<8192x2048xf32> {\n"
	DOT("q", "x", "wq", COLUMNS, "8192x2048xf32", "2048x256xf32", "8192x256xf32")
	DOT("k", "x", "wk", COLUMNS, "8192x2048xf32", "2048x256xf32", "8192x256xf32")
	DOT("s", "q", "k", "contracting_dims = [1] x [1]", "8192x256xf32", "8192x256xf32",
	    "8192x8192xf32")
	"  %e = stablehlo.exponential %s : tensor<8192x8192xf32>\n"
	DOT("o", "e", "x", COLUMNS, "8192x8192xf32", "8192x2048xf32", "8192x2048xf32")
	"  return %o : tensor<8192x2048xf32>\n}\n";

static const char *const convolution_text =
	"func.func @main(%x: tensor<64x64x64x64xf32>, %k: tensor<3x3x64x256xf32>)\n"
	"    -> tensor<64x64x64x256xf32> {\n"
	"  %y = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],\n"
	"    window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : "
	"i64}\n"
	"    : (tensor<64x64x64x64xf32>, tensor<3x3x64x256xf32>) -> tensor<64x64x64x256xf32>\n"
	"  return %y : tensor<64x64x64x256xf32>\n}\n";

/* Message passing: a product with an adjacency matrix, and an update of the nodes. */
static const char *const messages_text =
	"func.func @main(%a: tensor<16384x16384xf32>, %h: tensor<16384x512xf32>,\n"
	"    %w: tensor<512x512xf32>) -> tensor<16384x512xf32> {\n"
	DOT("m", "a", "h", COLUMNS, "16384x16384xf32", "16384x512xf32", "16384x512xf32")
	DOT("u", "m", "w", COLUMNS, "16384x512xf32", "512x512xf32", "16384x512xf32")
	"  %n = stablehlo.add %u, %h : tensor<16384x512xf32>\n"
	"  return %n : tensor<16384x512xf32>\n}\n";

/* Returns a sharding that splits dimension `dim`; -1: closed and whole; -2: none. */
static const sharding *option(const plan_subject *s, const mesh *m, int site, int dim)
{
	axis_ref a = axis_full(m->axes[0].name);
	const type *t = s->sites[site].type;
	if (dim == -2)
		return NULL;
	const sharding *whole =
		sharding_replicated(ctx, (mesh_ref){.symbol = s->mesh_symbol}, t->rank);
	return dim < 0 ? whole
	               : sharding_with_dim(ctx, whole, dim,
	                                   (dim_sharding){&a, 1, false, PRIORITY_NONE});
}

static bool divides(const plan_subject *s, const mesh *m, int site, int dim)
{
	return dim < 0 || s->sites[site].type->dims[dim] % m->axes[0].size == 0;
}

/* Returns the smallest step time of all plans that annotate arguments and values from `site` on. */
static double least(const plan_subject *s, const target *t, plan *p, int site, int *n)
{
	if (site == s->n_sites) {
		++*n;
		return plan_evaluate(s, t, NULL, p) ? p->cost.step_seconds : HUGE_VAL;
	}
	if (s->sites[site].kind == SITE_RESULT) {
		p->at[site] = NULL;
		return least(s, t, p, site + 1, n);
	}
	double best = HUGE_VAL;
	int first = s->sites[site].kind == SITE_ARGUMENT ? -1 : -2;
	for (int d = first; d < s->sites[site].type->rank; d++) {
		if (!divides(s, p->mesh, site, d))
			continue;
		p->at[site] = option(s, p->mesh, site, d);
		double found = least(s, t, p, site + 1, n);
		best = found < best ? found : best;
	}
	return best;
}

static void check_program(const char *text, int at_least)
{
	module *m = parse(text);
	plan_subject s;
	plan_result r;
	int n = 0;
	const target *t = target_named("h100x8");
	plan_options o = {.target = t, .devices = 8, .mesh = "data=8"};
	assert_true(plan_find(m, &o, &ctx->perm, &r));
	assert_true(plan_subject_of(m, PLAN_KEEP_NONE, &ctx->perm, &s));
	plan p = {.mesh = r.best.mesh, .at = NEW_N(&ctx->perm, const sharding *, s.n_sites)};
	double best = least(&s, t, &p, 0, &n);
	print_message("%d plans, best %.9g s, found %.9g s (%+.2f %%), %d evaluated\n", n, best,
	              r.best.cost.step_seconds, (r.best.cost.step_seconds / best - 1) * 100,
	              (int)r.evaluated);
	assert_true(n >= at_least);
	assert_true(r.best.cost.step_seconds <= best * 1.005);
	assert_true(best <= r.best.cost.step_seconds * (1 + 1e-12));
	assert_true(r.bound > 0 && r.bound <= best);
	module_free(r.subject.m);
	module_free(s.m);
}

static void test_mlp(void **state)
{
	(void)state;
	check_program(mlp_text, 400);
}

static void test_decode(void **state)
{
	(void)state;
	check_program(decode_text, 72);
}

static void test_attention(void **state)
{
	(void)state;
	check_program(attention_text, 2000);
}

static void test_convolution(void **state)
{
	(void)state;
	check_program(convolution_text, 80);
}

static void test_messages(void **state)
{
	(void)state;
	check_program(messages_text, 400);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_mlp, setup, teardown),
		cmocka_unit_test_setup_teardown(test_decode, setup, teardown),
		cmocka_unit_test_setup_teardown(test_attention, setup, teardown),
		cmocka_unit_test_setup_teardown(test_convolution, setup, teardown),
		cmocka_unit_test_setup_teardown(test_messages, setup, teardown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
