/* test_sharding_axis.c - the algebra of axes and sub-axes.
 *
 * The cases follow Shardy's definitions for axis references. "x" has 16 devices and "y" has 4,
 * unless a test says otherwise. */
#include "sharding_fixture.h"

#define MESH "<[\"x\"=16, \"y\"=4]>"
#define X "\"x\""
#define Y "\"y\""
#define SUB(pre, size) "\"x\":(" #pre ")" #size
#define YSUB(pre, size) "\"y\":(" #pre ")" #size

typedef struct pair {
	const char *a, *b;
} pair;
#define FOR_PAIRS(p, list) for (const pair *p = list; p < list + COUNT(list); p++)

static void contains(void **state)
{
	static const pair strict[] = {
		{X, SUB(2, 4)}, {SUB(1, 4), SUB(1, 2)}, {SUB(2, 4), SUB(4, 2)}, {SUB(1, 8), SUB(2, 2)},
	};
	static const pair equal[] = {{X, X}, {SUB(1, 4), SUB(1, 4)}};
	static const pair neither[] = {
		{X, Y}, {X, YSUB(1, 2)}, {SUB(1, 4), SUB(4, 2)}, {SUB(1, 4), SUB(2, 4)},
	};
	(void)state;
	FOR_PAIRS(p, strict) {
		axis_ref a = axis_text(p->a), b = axis_text(p->b);
		assert_true(axis_contains(a, b));
		assert_false(axis_contains(b, a));
	}
	FOR_PAIRS(p, equal) {
		axis_ref a = axis_text(p->a), b = axis_text(p->b);
		assert_true(axis_eq(a, b) && axis_contains(a, b) && axis_contains(b, a));
	}
	FOR_PAIRS(p, neither) {
		axis_ref a = axis_text(p->a), b = axis_text(p->b);
		assert_false(axis_contains(a, b) || axis_contains(b, a));
	}
}

static void prefixes(void **state)
{
	static const pair strict[] = {
		{SUB(1, 4), X}, {SUB(1, 2), SUB(1, 4)}, {SUB(2, 2), SUB(2, 8)},
	};
	static const pair equal[] = {{X, X}, {SUB(2, 4), SUB(2, 4)}};
	static const pair neither[] = {
		{X, Y}, {SUB(1, 2), Y}, {SUB(1, 4), SUB(4, 2)}, {SUB(1, 4), SUB(2, 4)},
	};
	(void)state;
	FOR_PAIRS(p, strict) {
		axis_ref a = axis_text(p->a), b = axis_text(p->b);
		assert_true(axis_prefix_of(a, b));
		assert_false(axis_prefix_of(b, a));
	}
	FOR_PAIRS(p, equal) {
		axis_ref a = axis_text(p->a), b = axis_text(p->b);
		assert_true(axis_prefix_of(a, b) && axis_prefix_of(b, a));
	}
	FOR_PAIRS(p, neither) {
		axis_ref a = axis_text(p->a), b = axis_text(p->b);
		assert_false(axis_prefix_of(a, b) || axis_prefix_of(b, a));
	}
}

static void suffixes(void **state)
{
	static const pair strict[] = {
		{SUB(2, 4), X}, {SUB(4, 2), SUB(2, 4)}, {SUB(2, 2), SUB(1, 4)},
	};
	static const pair equal[] = {{X, X}, {SUB(2, 4), SUB(2, 4)}};
	static const pair neither[] = {
		{X, Y}, {SUB(1, 2), SUB(2, 4)}, {SUB(1, 4), SUB(2, 4)}, {SUB(1, 4), X}, {SUB(2, 2), X},
	};
	const mesh *m = mesh_text("<[\"x\"=8, \"y\"=4]>");
	(void)state;
	FOR_PAIRS(p, strict) {
		axis_ref a = axis_text(p->a), b = axis_text(p->b);
		assert_true(axis_suffix_of(a, b, m));
		assert_false(axis_suffix_of(b, a, m));
	}
	FOR_PAIRS(p, equal) {
		axis_ref a = axis_text(p->a), b = axis_text(p->b);
		assert_true(axis_suffix_of(a, b, m));
	}
	FOR_PAIRS(p, neither) {
		axis_ref a = axis_text(p->a), b = axis_text(p->b);
		assert_false(axis_suffix_of(a, b, m) || axis_suffix_of(b, a, m));
	}
}

static void overlaps(void **state)
{
	static const pair yes[] = {
		{X, X}, {SUB(2, 2), SUB(2, 2)}, {SUB(1, 4), SUB(1, 2)},
		{X, SUB(2, 4)}, {SUB(1, 4), SUB(2, 4)}, {SUB(2, 8), SUB(4, 2)},
	};
	static const pair no[] = {
		{X, Y}, {X, YSUB(1, 2)}, {SUB(1, 4), SUB(4, 2)}, {SUB(1, 2), SUB(4, 2)},
	};
	(void)state;
	FOR_PAIRS(p, yes) {
		assert_true(axis_overlaps(axis_text(p->a), axis_text(p->b)));
		assert_true(axis_overlaps(axis_text(p->b), axis_text(p->a)));
	}
	FOR_PAIRS(p, no) {
		assert_false(axis_overlaps(axis_text(p->a), axis_text(p->b)));
		assert_false(axis_overlaps(axis_text(p->b), axis_text(p->a)));
	}
}

/* On an axis of 6, (1)2 and (1)3 need cuts that no common factorization has. */
static void coexistence(void **state)
{
	static const pair yes[] = {
		{X, Y}, {X, YSUB(2, 2)}, {X, X}, {X, SUB(2, 2)}, {SUB(2, 2), SUB(2, 2)},
		{SUB(1, 2), SUB(1, 4)}, {SUB(1, 2), SUB(2, 4)}, {SUB(1, 2), SUB(4, 2)},
		{SUB(1, 2), SUB(6, 2)}, {SUB(1, 4), SUB(2, 2)}, {SUB(1, 4), SUB(2, 4)},
		{SUB(1, 4), YSUB(1, 3)},
	};
	static const pair no[] = {
		{SUB(1, 2), SUB(1, 3)}, {SUB(1, 2), SUB(3, 2)}, {SUB(1, 3), SUB(2, 3)},
		{SUB(2, 3), SUB(3, 2)},
	};
	(void)state;
	FOR_PAIRS(p, yes) {
		assert_true(axis_can_coexist(axis_text(p->a), axis_text(p->b)));
		assert_true(axis_can_coexist(axis_text(p->b), axis_text(p->a)));
	}
	FOR_PAIRS(p, no) {
		assert_false(axis_can_coexist(axis_text(p->a), axis_text(p->b)));
		assert_false(axis_can_coexist(axis_text(p->b), axis_text(p->a)));
	}
}

static void order(void **state)
{
	static const pair less[] = {
		{X, Y}, {SUB(1, 4), YSUB(2, 4)}, {X, YSUB(2, 4)}, {SUB(1, 4), Y},
		{SUB(1, 4), SUB(2, 4)}, {SUB(1, 4), SUB(1, 8)}, {SUB(1, 4), X},
		{SUB(1, 4), SUB(2, 2)}, {X, SUB(2, 2)},
	};
	const mesh *m = mesh_text("<[\"y\"=4, \"x\"=16]>");
	(void)state;
	FOR_PAIRS(p, less) {
		axis_ref a = axis_text(p->a), b = axis_text(p->b);
		assert_true(axis_cmp(a, b) < 0 && axis_cmp(b, a) > 0);
		assert_int_equal(axis_cmp(a, a), 0);
		/* In this mesh y comes before x. Parts of one axis keep their order. */
		assert_true(axis_cmp_mesh(a, b, m) * (a.axis == b.axis ? 1 : -1) < 0);
	}
	/* Axes that are not in the mesh come last, by name. */
	assert_true(axis_cmp_mesh(axis_text("\"a\""), axis_text(X), m) > 0);
	assert_true(axis_cmp_mesh(axis_text("\"a\""), axis_text("\"b\""), m) < 0);
}

/* a, b -> result; NULL: no result. */
typedef struct operation {
	const char *a, *b, *result;
} operation;
typedef bool binary_fn(axis_ref a, axis_ref b, axis_ref *out);

static void check_operation(binary_fn *fn, const operation *o, bool swapped)
{
	axis_ref a = axis_text(swapped ? o->b : o->a), b = axis_text(swapped ? o->a : o->b), out;
	bool found = fn(a, b, &out);
	if (found != (o->result != NULL) || (found && !axis_eq(out, axis_text(o->result))))
		fail_msg("%s with %s: %s", o->a, o->b,
		         found ? axes_string((axis_list){&out, 1}) : "none");
}

static void overlap(void **state)
{
	static const operation cases[] = {
		{X, X, X}, {SUB(1, 4), X, SUB(1, 4)}, {SUB(4, 8), X, SUB(4, 8)},
		{SUB(2, 2), SUB(2, 2), SUB(2, 2)}, {SUB(1, 2), SUB(1, 4), SUB(1, 2)},
		{SUB(2, 2), SUB(1, 4), SUB(2, 2)}, {SUB(2, 2), SUB(1, 8), SUB(2, 2)},
		{SUB(1, 4), SUB(2, 4), SUB(2, 2)}, {SUB(4, 4), SUB(2, 4), SUB(4, 2)},
		{X, Y, NULL}, {X, YSUB(1, 2), NULL}, {SUB(1, 4), SUB(4, 2), NULL},
		{SUB(1, 2), SUB(4, 2), NULL},
		/* cannot coexist */
		{SUB(1, 2), SUB(3, 2), NULL}, {SUB(1, 3), SUB(2, 3), NULL},
		{SUB(2, 3), SUB(3, 2), NULL}, {SUB(1, 2), SUB(1, 3), NULL},
	};
	(void)state;
	for (int i = 0; i < COUNT(cases); i++) {
		check_operation(axis_overlap, &cases[i], false);
		check_operation(axis_overlap, &cases[i], true);
	}
}

static void common_prefix(void **state)
{
	static const operation cases[] = {
		{X, X, X}, {SUB(2, 4), SUB(2, 4), SUB(2, 4)}, {SUB(1, 4), X, SUB(1, 4)},
		{SUB(1, 2), SUB(1, 4), SUB(1, 2)}, {SUB(2, 4), SUB(2, 8), SUB(2, 4)},
		{X, Y, NULL}, {SUB(1, 2), SUB(2, 4), NULL}, {SUB(1, 2), YSUB(1, 2), NULL},
		{SUB(1, 2), SUB(1, 3), NULL},
	};
	(void)state;
	for (int i = 0; i < COUNT(cases); i++) {
		check_operation(axis_common_prefix, &cases[i], false);
		check_operation(axis_common_prefix, &cases[i], true);
	}
}

static void prefix_without_overlap(void **state)
{
	static const operation cases[] = {
		{X, X, NULL}, {SUB(2, 2), SUB(2, 2), NULL}, {SUB(1, 4), SUB(1, 2), NULL},
		{SUB(1, 2), SUB(1, 4), NULL}, {SUB(2, 4), X, NULL}, {X, SUB(2, 4), SUB(1, 2)},
		{SUB(2, 4), SUB(1, 4), NULL}, {SUB(1, 4), SUB(2, 4), SUB(1, 2)},
		{SUB(4, 2), SUB(2, 8), NULL}, {SUB(2, 8), SUB(4, 2), SUB(2, 2)},
		/* no overlap: the whole axis */
		{X, Y, X}, {Y, X, Y}, {X, YSUB(1, 2), X}, {SUB(1, 4), SUB(4, 2), SUB(1, 4)},
		{SUB(4, 2), SUB(1, 4), SUB(4, 2)}, {SUB(1, 2), SUB(4, 2), SUB(1, 2)},
		{SUB(4, 2), SUB(1, 2), SUB(4, 2)},
		/* cannot coexist */
		{SUB(1, 2), SUB(3, 2), NULL}, {SUB(3, 2), SUB(1, 2), NULL},
		{SUB(1, 3), SUB(2, 3), NULL}, {SUB(2, 3), SUB(1, 3), NULL},
		{SUB(2, 3), SUB(3, 2), NULL}, {SUB(3, 2), SUB(2, 3), NULL},
	};
	(void)state;
	for (int i = 0; i < COUNT(cases); i++)
		check_operation(axis_prefix_without_overlap, &cases[i], false);
}

static const mesh *suffix_mesh;

static bool suffix_without_overlap_fn(axis_ref a, axis_ref b, axis_ref *out)
{
	return axis_suffix_without_overlap(a, b, suffix_mesh, out);
}

static void suffix_without_overlap(void **state)
{
	static const operation cases[] = {
		{X, X, NULL}, {SUB(2, 2), SUB(2, 2), NULL}, {SUB(1, 4), SUB(2, 2), NULL},
		{SUB(2, 2), SUB(1, 4), NULL}, {SUB(2, 4), X, NULL}, {X, SUB(2, 4), SUB(8, 2)},
		{SUB(1, 4), SUB(2, 4), NULL}, {SUB(2, 4), SUB(1, 4), SUB(4, 2)},
		{SUB(4, 2), SUB(2, 8), NULL}, {SUB(2, 8), SUB(4, 2), SUB(8, 2)},
		{X, Y, X}, {X, YSUB(1, 2), X}, {SUB(1, 4), SUB(4, 2), SUB(1, 4)},
		{SUB(4, 2), SUB(1, 4), SUB(4, 2)}, {SUB(1, 2), SUB(4, 2), SUB(1, 2)},
		{SUB(1, 3), SUB(2, 3), NULL}, {SUB(2, 3), SUB(1, 3), NULL},
		{SUB(3, 2), SUB(1, 2), NULL}, {SUB(1, 2), SUB(3, 2), NULL},
	};
	(void)state;
	suffix_mesh = mesh_text(MESH);
	for (int i = 0; i < COUNT(cases); i++)
		check_operation(suffix_without_overlap_fn, &cases[i], false);
}

static void merging(void **state)
{
	static const operation cases[] = {
		{SUB(1, 4), SUB(4, 2), SUB(1, 8)}, {SUB(2, 2), SUB(4, 4), SUB(2, 8)},
		{SUB(1, 8), SUB(8, 2), X},
	};
	static const pair no[] = {
		{X, X}, {SUB(1, 2), SUB(1, 2)}, {X, Y}, {SUB(1, 2), YSUB(2, 2)}, {X, SUB(4, 2)},
		{SUB(1, 2), SUB(4, 2)}, {SUB(4, 2), SUB(1, 4)},
	};
	const mesh *m = mesh_text(MESH);
	(void)state;
	for (int i = 0; i < COUNT(cases); i++) {
		axis_ref a = axis_text(cases[i].a), b = axis_text(cases[i].b);
		assert_true(axis_can_merge(a, b));
		assert_false(axis_can_merge(b, a));
		assert_true(axis_eq(axis_merge(a, b, m), axis_text(cases[i].result)));
	}
	FOR_PAIRS(p, no)
		assert_false(axis_can_merge(axis_text(p->a), axis_text(p->b)));
}

static void sizes(void **state)
{
	const mesh *m = mesh_text(MESH);
	(void)state;
	assert_int_equal(axis_size(axis_text(X), m), 16);
	assert_int_equal(axis_size(axis_text(SUB(2, 4)), m), 4);
	assert_int_equal(axis_next_pre(axis_text(X), m), 16);
	assert_int_equal(axis_next_pre(axis_text(SUB(2, 4)), m), 8);
	assert_int_equal(axis_pre(axis_text(X)), 1);
	assert_int_equal(axis_pre(axis_text(SUB(2, 4))), 2);
	const name *x = name_of_z(ctx, "x");
	assert_true(axis_eq(axis_sub(m, x, 1, 16), axis_text(X)));
	assert_true(axis_eq(axis_sub(m, x, 1, 8), axis_text(SUB(1, 8))));
}

/* Laws that relate the operations, over all sub-axes of an axis of 24 (2 * 2 * 2 * 3, so that some
 * cannot coexist). */
static void laws(void **state)
{
	enum { FULL = 24, MAX = 64 };
	const mesh *m = mesh_text("<[\"x\"=24]>");
	const name *x = name_of_z(ctx, "x");
	axis_ref all[MAX];
	int n = 0;
	(void)state;
	for (int64_t pre = 1; pre < FULL; pre++)
		for (int64_t size = 2; pre * size <= FULL; size++)
			if (FULL % (pre * size) == 0)
				all[n++] = axis_sub(m, x, pre, size);
	assert_in_range(n, 10, MAX);
	for (int i = 0; i < n; i++) {
		for (int j = 0; j < n; j++) {
			axis_ref a = all[i], b = all[j], o, p, s;
			bool together = axis_can_coexist(a, b);
			bool meets = axis_overlap(a, b, &o);
			assert_int_equal(meets, together && axis_overlaps(a, b));
			if (!meets)
				continue;
			assert_true(axis_contains(a, o) && axis_contains(b, o));
			/* a is the part before b, the common part, and the part after b */
			int64_t size = axis_size(o, m);
			if (axis_prefix_without_overlap(a, b, &p)) {
				assert_true(axis_prefix_of(p, a) && !axis_overlaps(p, b));
				size *= axis_size(p, m);
			}
			if (axis_suffix_without_overlap(a, b, m, &s)) {
				assert_true(axis_suffix_of(s, a, m) && !axis_overlaps(s, b));
				size *= axis_size(s, m);
			}
			assert_int_equal(size, axis_size(a, m));
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(contains), cmocka_unit_test(prefixes), cmocka_unit_test(suffixes),
		cmocka_unit_test(overlaps), cmocka_unit_test(coexistence), cmocka_unit_test(order),
		cmocka_unit_test(overlap), cmocka_unit_test(common_prefix),
		cmocka_unit_test(prefix_without_overlap), cmocka_unit_test(suffix_without_overlap),
		cmocka_unit_test(merging), cmocka_unit_test(sizes), cmocka_unit_test(laws),
	};
	return cmocka_run_group_tests(tests, fixture_open, fixture_close);
}
