/* test_plan_fold.c - finding repeated layers in a program, and shortening it to fewer of them. */
#include "plan/program/fold.h"

#include "plan_fixture.h"

#include <stdlib.h>

/* ---- periods --------------------------------------------------------------------------- */

static void finds_periods(void **state)
{
	(void)state;
	int seq[200], n = 0;
	for (int i = 0; i < 7; i++)
		seq[n++] = 100 + i;
	int start = n;
	for (int i = 0; i < 9; i++)
		for (int k = 0; k < 6; k++)
			seq[n++] = k == 4 ? 1 : k; /* twice in a period */
	seq[n++] = 99;
	int second = n;
	for (int i = 0; i < 9; i++)
		for (int k = 0; k < 5; k++)
			seq[n++] = 20 + k;
	period_runs runs;
	periods_find(seq, n, &ctx->scratch, &runs);
	assert_int_equal(runs.len, 2);
	assert_int_equal(runs.ptr[0].start, start);
	assert_int_equal(runs.ptr[0].period, 6);
	assert_int_equal(runs.ptr[0].length, 54);
	assert_int_equal(runs.ptr[1].start, second);
	assert_int_equal(runs.ptr[1].length, 45);
}

static void finds_no_periods(void **state)
{
	(void)state;
	int seq[64] = {0};
	period_runs runs;
	for (int i = 0; i < 64; i++)
		seq[i] = (i * i) % 61;
	periods_find(seq, 64, &ctx->scratch, &runs);
	assert_int_equal(runs.len, 0);
	periods_find(seq, 0, &ctx->scratch, &runs);
	assert_int_equal(runs.len, 0);
}

/* ---- programs ---------------------------------------------------------------------------- */

static int by_key(const void *a, const void *b)
{
	return digest_cmp(((const op_class *)a)->key, ((const op_class *)b)->key);
}

/* Each class of operations occurs equally often in both programs. */
static void assert_alike(module *a, module *b)
{
	plan_graph g, h;
	plan_classes k, l;
	assert_true(plan_graph_of(a, &ctx->scratch, &g) && plan_graph_of(b, &ctx->scratch, &h));
	classes_find(&g, &ctx->scratch, &k);
	classes_find(&h, &ctx->scratch, &l);
	assert_int_equal(g.n_ops, h.n_ops);
	assert_int_equal(g.n_args, h.n_args);
	assert_int_equal(g.n_results, h.n_results);
	assert_int_equal(k.n_ops, l.n_ops);
	op_class *x = COPY_N(&ctx->scratch, k.ops, k.n_ops), *y = COPY_N(&ctx->scratch, l.ops, l.n_ops);
	qsort(x, (size_t)k.n_ops, sizeof *x, by_key);
	qsort(y, (size_t)k.n_ops, sizeof *y, by_key);
	for (int i = 0; i < k.n_ops; i++) {
		assert_true(digest_eq(x[i].key, y[i].key));
		assert_int_equal(x[i].n, y[i].n);
	}
}

/* Keeping one to four of nine layers gives the same program as one written with that many. */
static void keeps_layers(void **state)
{
	(void)state;
	fold_layers l;
	assert_true(fold_layers_of(parse(layered_text(9)), &ctx->scratch, &l));
	assert_int_equal(l.layers, 9);
	assert_int_equal(l.runs.len, 3);
	for (int layers = 1; layers <= 4; layers++) {
		folded f;
		assert_true(fold_program(&l, layers, &ctx->scratch, &f));
		assert_true(module_verify(kept(f.m)));
		module *written = parse(layered_text(layers));
		assert_alike(f.m, written);
		assert_in_range(f.m->n_ops, 1, written->n_ops); /* it needs no more memory */
	}
}

/* Everything that was left out maps to its counterpart. */
static void maps_what_is_left_out(void **state)
{
	(void)state;
	fold_layers l;
	folded f;
	assert_true(fold_layers_of(parse(layered_text(9)), &ctx->scratch, &l));
	assert_true(fold_program(&l, 2, &ctx->scratch, &f) && kept(f.m));
	assert_int_equal(f.arg[0], 0);
	assert_int_equal(f.arg[8], 1);
	assert_int_equal(f.arg[9], 2);
	assert_true(f.arg[4] == 0 || f.arg[4] == 1);
	assert_int_equal(f.result[0], 0);
	assert_int_equal(f.result[1], 1);
	assert_int_equal(f.result[9], 2);
	assert_true(f.result[5] == 1 || f.result[5] == 2);
	const op *o = op_body(module_main(l.graph.m))->first;
	for (int i = 0; i < f.n_ops; i++, o = o->next) {
		const op *p = op_body(module_main(f.m))->first;
		for (int k = 0; k < f.op[i]; k++)
			p = p->next;
		assert_int_equal(o->kind, p->kind);
		assert_ptr_equal(o->results[0].type, p->results[0].type);
	}
}

/* Donated arguments refer to their results by number. */
static void renumbers_donations(void **state)
{
	(void)state;
	writer w;
	const char *text = layered_text(9), *at = text, *mark;
	writer_init(&w, &ctx->perm);
	for (int i = 0; (mark = strstr(at, "tensor<16x16xf32>, %")) && i < 9; i++) {
		put_mem(&w, at, (size_t)(mark - at) + 17);
		put_f(&w, " {tf.aliasing_output = %d : i32}", i + 1);
		at = mark + 17;
	}
	put_z(&w, at);
	fold_layers l;
	folded f;
	assert_true(fold_layers_of(parse(writer_z(&w)), &ctx->scratch, &l));
	assert_true(fold_program(&l, 2, &ctx->scratch, &f) && kept(f.m));
	const int *donor = func_donors(f.m, module_main(f.m), &ctx->scratch);
	assert_int_equal(donor[0], -1);
	assert_int_equal(donor[1], 0);
	assert_int_equal(donor[2], 1);
}

static void says_what_all_layers_cost(void **state)
{
	(void)state;
	fold_layers l = {.layers = 32};
	assert_int_equal(fold_extrapolated_bytes(&l, 2, 20, 30), 320);
	assert_true(fold_extrapolated(&l, 1, 10, 20) == 320);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(finds_periods, setup, teardown),
	    cmocka_unit_test_setup_teardown(finds_no_periods, setup, teardown),
	    cmocka_unit_test_setup_teardown(keeps_layers, setup, teardown),
	    cmocka_unit_test_setup_teardown(maps_what_is_left_out, setup, teardown),
	    cmocka_unit_test_setup_teardown(renumbers_donations, setup, teardown),
	    cmocka_unit_test_setup_teardown(says_what_all_layers_cost, setup, teardown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
