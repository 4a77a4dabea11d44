/* test_propagate.c - the algebra of axis lists, and the trail of propagation. */
#include "propagate/propagate.h"

#include "propagate/projection.h"
#include "mlir/mlir.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static tess_ctx *ctx;
static jmp_buf frame;

static module *parse(const char *text)
{
	mlir_parse_opts o = {0};
	module *m = mlir_parse(ctx, source_new(ctx, "test", str_of(text)), &o);
	assert_non_null(m);
	return m;
}

static int setup(void **state)
{
	(void)state;
	ctx = ctx_new(NULL);
	if (setjmp(frame))
		return -1;
	ctx->frame = &frame;
	return ctx ? 0 : -1;
}

static int teardown(void **state)
{
	(void)state;
	ctx_free(ctx);
	return 0;
}

/* ---- lists ------------------------------------------------------------------------- */

static const char *const mesh_text =
    "sdy.mesh @mesh = <[\"x\"=8, \"y\"=2, \"z\"=3]>\n"
    "func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> { return %a : tensor<8xf32> }\n";

typedef struct fixture {
	module *m;
	book b;
	const mesh *mesh;
} fixture;

static void open_book(fixture *f)
{
	f->m = parse(mesh_text);
	book_init(&f->b, f->m, &ctx->scratch);
	f->mesh = module_mesh(f->m, (mesh_ref){.symbol = name_of_z(ctx, "mesh")});
	assert_non_null(f->mesh);
}

static part_no part(fixture *f, const char *axis, int64_t pre, int64_t size)
{
	return book_part(&f->b, f->mesh, (axis_ref){name_of_z(ctx, axis), pre, size});
}

static list_no list2(fixture *f, part_no a, part_no b)
{
	return book_list(&f->b, (part_no[]){a, b}, b ? 2 : 1);
}

static void test_lists_merge(void **state)
{
	(void)state;
	fixture f;
	open_book(&f);
	part_no x = part(&f, "x", 1, 0), y = part(&f, "y", 1, 0), z = part(&f, "z", 1, 0);
	part_no x2 = part(&f, "x", 1, 2), x4 = part(&f, "x", 1, 4);
	bool grow = true;
	assert_int_equal(list_merge(&f.b, list2(&f, x, 0), list2(&f, x, y), &grow),
	                 list2(&f, x, y));
	assert_true(grow);
	assert_int_equal(list_merge(&f.b, list2(&f, x, y), list2(&f, x, z), &grow),
	                 list2(&f, x, 0));
	assert_false(grow);
	grow = false;
	assert_int_equal(list_merge(&f.b, list2(&f, x, 0), list2(&f, x, y), &grow),
	                 list2(&f, x, 0));
	grow = true;
	assert_int_equal(list_merge(&f.b, list2(&f, x2, 0), list2(&f, x4, 0), &grow),
	                 list2(&f, x4, 0));
	assert_int_equal(list_merge(&f.b, list2(&f, x2, y), list2(&f, x4, 0), &grow),
	                 list2(&f, x2, 0));
	assert_false(grow);
	module_free(f.m);
}

static void test_lists_prefix(void **state)
{
	(void)state;
	fixture f;
	open_book(&f);
	part_no x = part(&f, "x", 1, 0), y = part(&f, "y", 1, 0), x2 = part(&f, "x", 1, 2);
	assert_true(list_strict_prefix(&f.b, 0, list2(&f, x, 0)));
	assert_true(list_strict_prefix(&f.b, list2(&f, x, 0), list2(&f, x, y)));
	assert_true(list_strict_prefix(&f.b, list2(&f, x2, 0), list2(&f, x, y)));
	assert_false(list_strict_prefix(&f.b, list2(&f, y, 0), list2(&f, x, y)));
	assert_false(list_strict_prefix(&f.b, list2(&f, x, y), list2(&f, x, y)));
	assert_true(list_prefix(&f.b, list2(&f, x, y), list2(&f, x, y)));
	module_free(f.m);
}

static void test_part_clear_of(void **state)
{
	(void)state;
	fixture f;
	open_book(&f);
	part_no x = part(&f, "x", 1, 0), y = part(&f, "y", 1, 0);
	part_no minor = part(&f, "x", 4, 2);
	assert_int_equal(part_clear_of(&f.b, x, list2(&f, y, 0)), x);
	assert_int_equal(part_clear_of(&f.b, x, list2(&f, x, 0)), 0);
	assert_int_equal(part_clear_of(&f.b, x, list2(&f, minor, 0)), part(&f, "x", 1, 4));
	module_free(f.m);
}

/* ---- the trail ------------------------------------------------------------------------ */

static const char *const step_text =
    "sdy.mesh @mesh = <[\"x\"=2, \"y\"=4]>\n"
    "func.func @main(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}, {}]>},\n"
    "    %w: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {\"y\"}]>},\n"
    "    %v: tensor<32x16xf32>) -> tensor<8x16xf32> {\n"
    "  %0 = stablehlo.dot %a, %w : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>\n"
    "  %1 = stablehlo.tanh %0 : tensor<8x32xf32>\n"
    "  %2 = stablehlo.reshape %1 : (tensor<8x32xf32>) -> tensor<8x4x8xf32>\n"
    "  %3 = stablehlo.reshape %2 : (tensor<8x4x8xf32>) -> tensor<8x32xf32>\n"
    "  %4 = stablehlo.dot %3, %v : (tensor<8x32xf32>, tensor<32x16xf32>) -> tensor<8x16xf32>\n"
    "  return %4 : tensor<8x16xf32>\n"
    "}\n";

static const sharding *now_of(ptr_map *now, const trail *t, const value *v)
{
	const sharding *s = ptr_map_get(now, v);
	return s ? s : trail_initial(t, v);
}

static bool has_axis(const sharding *s, axis_ref a)
{
	return s && sharding_uses_axis(s, a);
}

/* Replays the steps: the source of each step already has what it passes on, and in the end every
 * value has its final sharding. */
static void replay(const trail *t)
{
	ptr_map now = {0};
	for (int i = 0; i < trail_count(t); i++) {
		trail_step s = trail_at(t, i);
		if (s.cause == STEP_OP && s.from) {
			assert_true(s.after.n > 0);
			for (int k = 0; k < s.after.n; k++)
				assert_true(has_axis(now_of(&now, t, s.from), s.after.ptr[k]));
		}
		if (s.value)
			*ptr_map_at(&now, &ctx->scratch, s.value) = (void *)(uintptr_t)s.sharding;
	}
	for (int i = 0; i < trail_count(t); i++) {
		trail_step s = trail_at(t, i);
		if (s.value)
			assert_ptr_equal(now_of(&now, t, s.value), s.value->sharding);
	}
}

static void test_trail_replays(void **state)
{
	(void)state;
	module *m = parse(step_text);
	trail *t = trail_new(ctx);
	pass_options o = pass_options_default();
	o.why = t;
	assert_true(pass_user_priority_propagate(m, &o));
	assert_true(trail_count(t) >= 6);
	replay(t);
	trail_free(t);
	module_free(m);
}

static void test_trail_changes_nothing(void **state)
{
	(void)state;
	module *m = parse(step_text), *with = parse(step_text);
	trail *t = trail_new(ctx);
	pass_options o = pass_options_default(), recording = o;
	recording.why = t;
	assert_true(pass_user_priority_propagate(m, &o));
	assert_true(pass_user_priority_propagate(with, &recording));
	writer a, b;
	mlir_print_opts print = MLIR_PRINT_OPTS_INIT;
	writer_init(&a, &ctx->scratch);
	writer_init(&b, &ctx->scratch);
	mlir_print(&a, m, &print);
	mlir_print(&b, with, &print);
	assert_true(str_eq(writer_str(&a), writer_str(&b)));
	trail_free(t);
	module_free(m);
	module_free(with);
}

/* Shardy's result depends on the order of independent operations: notes on its order of visits,
 * seed 2. By default, tessera's result depends on the order in the same way. */
static const sharding *third_argument(const char *first, const char *second)
{
	const char *text = arena_printf(
		&ctx->scratch,
		"sdy.mesh @mesh = <[\"x\"=2]>\n"
		"func.func @main(%%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}, {}]>},\n"
		"    %%b: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {\"x\"}]>},\n"
		"    %%c: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {\n"
		"  %%0 = stablehlo.add %%%s, %%c : tensor<8x8xf32>\n"
		"  %%1 = stablehlo.add %%%s, %%c : tensor<8x8xf32>\n"
		"  return %%0, %%1 : tensor<8x8xf32>, tensor<8x8xf32>\n"
		"}\n",
		first, second);
	module *m = parse(text);
	pass_options o = pass_options_default();
	assert_true(pass_basic_propagate(m, &o));
	const sharding *s = op_body(module_main(m))->args[2]->sharding;
	module_free(m);
	return s;
}

static void test_order_is_shardys(void **state)
{
	(void)state;
	const sharding *ab = third_argument("a", "b"), *ba = third_argument("b", "a");
	assert_non_null(ab);
	assert_non_null(ba);
	assert_int_equal(ab->dims[0].n_axes, 1);
	assert_int_equal(ba->dims[1].n_axes, 1);
}

static void test_obstacles(void **state)
{
	(void)state;
	module *m = parse(step_text);
	trail *t = trail_new(ctx);
	pass_options o = pass_options_default();
	obstacle *found;
	o.why = t;
	assert_true(pass_user_priority_propagate(m, &o));
	/* %a's dimension 1 and %w's dimension 0 are closed: they get nothing from anybody. */
	const value *a = op_body(module_main(m))->args[0];
	int n = trail_obstacles(t, a, 1, &found);
	for (int i = 0; i < n; i++)
		assert_int_equal(found[i].why, REFUSED_CLOSED);
	trail_free(t);
	module_free(m);
}

/* ---- equal attributes -------------------------------------------------------------------- */

static const sharding *swap_x_and_y(void *arg, const sharding *s)
{
	const sharding **pair = arg;
	return s == pair[0] ? pair[1] : s == pair[1] ? pair[0] : s;
}

/* Operations with equal attributes share one list, and are still mapped once each. */
static void test_equal_lists_are_mapped_once(void **state)
{
	(void)state;
	module *m = parse("sdy.mesh @mesh = <[\"x\"=2, \"y\"=2]>\n"
	                  "func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {\n"
	                  "  %0 = stablehlo.negate %a {u = #sdy.sharding<@mesh, [{\"x\"}]>} : tensor<8xf32>\n"
	                  "  %1 = stablehlo.negate %0 {u = #sdy.sharding<@mesh, [{\"x\"}]>} : tensor<8xf32>\n"
	                  "  %2 = stablehlo.negate %1 {u = #sdy.sharding<@mesh, [{\"y\"}]>} : tensor<8xf32>\n"
	                  "  return %2 : tensor<8xf32>\n}\n");
	const name *u = name_of_z(ctx, "u");
	op *first = op_body(module_main(m))->first, *second = first->next, *third = second->next;
	const sharding *pair[] = {attrs_get_named(&first->attrs, u)->sharding,
	                          attrs_get_named(&third->attrs, u)->sharding};
	assert_ptr_equal(first->attrs.ptr, second->attrs.ptr);
	module_map_shardings(m, swap_x_and_y, pair);
	assert_ptr_equal(attrs_get_named(&first->attrs, u)->sharding, pair[1]);
	assert_ptr_equal(attrs_get_named(&second->attrs, u)->sharding, pair[1]);
	assert_ptr_equal(attrs_get_named(&third->attrs, u)->sharding, pair[0]);
	module_free(m);
}

/* ---- memory ----------------------------------------------------------------------------- */

static void count_trim(void *user) { ++*(int *)user; }

/* Returns how many times memory is returned to the system for a chain of this many ops. */
static int trims_of_chain(int n_ops)
{
	int n = 0;
	tess_ctx_opts opts = TESS_CTX_OPTS_INIT;
	opts.trim = count_trim;
	opts.user = &n;
	tess_ctx *own = ctx_new(&opts), *outer = ctx;
	assert_non_null(own);
	own->frame = &frame;
	ctx = own;
	writer w;
	writer_init(&w, &own->scratch);
	put_lit(&w, "func.func @main(%0: tensor<8xf32>) -> tensor<8xf32> {\n");
	for (int i = 0; i < n_ops; i++)
		put_f(&w, "  %%%d = stablehlo.negate %%%d : tensor<8xf32>\n", i + 1, i);
	put_f(&w, "  return %%%d : tensor<8xf32>\n}\n", n_ops);
	module *m = parse(writer_z(&w));
	pass_options o = pass_options_default();
	assert_true(pass_basic_propagate(m, &o));
	module_free(m);
	ctx_free(own);
	ctx = outer;
	return n;
}

static void test_large_program_trims(void **state)
{
	(void)state;
	assert_int_equal(trims_of_chain(100), 0);
	assert_int_equal(trims_of_chain(20000), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(test_lists_merge, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_lists_prefix, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_part_clear_of, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_trail_replays, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_trail_changes_nothing, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_order_is_shardys, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_obstacles, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_equal_lists_are_mapped_once, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_large_program_trims, setup, teardown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
