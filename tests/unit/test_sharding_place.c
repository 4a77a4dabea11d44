/* test_sharding_place.c - local shapes, boxes, and equal placements. */
#include "sharding_fixture.h"

#include <stdlib.h>

static const sharding *on_mesh(const char *dims)
{
	return sharding_text(arena_printf(&ctx->scratch, "<@m, %s>", dims));
}

/* ---- local shapes -------------------------------------------------------- */

static void local_shapes(void **state)
{
	static const struct {
		const char *mesh, *dims;
		int rank;
		int64_t global[3], local[3];
	} cases[] = {
		{"<[\"x\"=2, \"y\"=4, \"z\"=2]>", "[{\"x\"}, {\"z\", \"y\"}]", 2, {4, 8}, {2, 1}},
		{"<[\"x\"=2, \"y\"=3, \"z\"=4]>", "[{\"x\"}, {}]", 2, {8, 4}, {4, 4}},
		{"<[\"x\"=2, \"y\"=3, \"z\"=4]>", "[{\"y\"}, {}]", 2, {8, 4}, {3, 4}},
		{"<[\"x\"=2, \"y\"=3, \"z\"=4]>", "[{\"x\", \"z\"}, {\"y\"}]", 2, {8, 4}, {1, 2}},
		/* dimensions that the axes do not divide */
		{"<[\"x\"=8, \"y\"=2, \"z\"=3]>", "[{\"x\"}, {\"y\"}, {\"z\"}]", 3, {7, 3, 8}, {1, 2, 3}},
		{"<[\"x\"=4]>", "[{\"x\":(1)2}, {\"x\":(2)2}]", 2, {2, 4}, {1, 2}},
		{"<[\"x\"=4]>", "[{\"x\"}, {}]", 2, {0, 5}, {0, 5}},
		{"<[\"x\"=4]>", "[{\"x\"}, {}]", 2, {INT64_MIN, 5}, {INT64_MIN, 5}},
		{"<[], device_ids=[3]>", "[]", 2, {8, 4}, {8, 4}},
		{"<[\"x\"=4]>", "[{\"x\"}]", 1, {INT64_MAX}, {INT64_MAX / 4 + 1}},
	};
	(void)state;
	for (int i = 0; i < COUNT(cases); i++) {
		int64_t local[3];
		sharding_local_shape(on_mesh(cases[i].dims), mesh_text(cases[i].mesh),
		                     cases[i].global, cases[i].rank, local);
		assert_memory_equal(local, cases[i].local, sizeof(int64_t) * (size_t)cases[i].rank);
	}
	int64_t global = 8, local;
	sharding_local_shape(NULL, NULL, &global, 1, &local);
	assert_int_equal(local, 8);
}

/* ---- boxes --------------------------------------------------------------- */

static void check_box(const char *mesh_name, const char *dims, const int64_t *global, int rank,
                      int64_t position, const char *want)
{
	int64_t begin[3], end[3];
	writer w;
	writer_init(&w, &ctx->scratch);
	sharding_box(on_mesh(dims), mesh_text(mesh_name), global, rank, position, begin, end);
	for (int d = 0; d < rank; d++)
		put_f(&w, "%s%" PRId64 ":%" PRId64, d ? " " : "", begin[d], end[d]);
	put_c(&w, 0);
	assert_string_equal(w.ptr, want);
}

static void boxes(void **state)
{
	static const int64_t shape[] = {4, 8}, odd[] = {7}, tiny[] = {1}, none[] = {0};
	const char *xyz = "<[\"x\"=2, \"y\"=4, \"z\"=2]>", *x4 = "<[\"x\"=4]>";
	(void)state;
	/* position 13 is x=1 y=2 z=1; z is major in the second dimension */
	check_box(xyz, "[{\"x\"}, {\"z\", \"y\"}]", shape, 2, 13, "2:4 6:7");
	check_box(xyz, "[{\"y\", \"x\"}, {}]", shape, 2, 13, "4:4 0:8");
	check_box(xyz, "[{}, {\"y\":(1)2}]", shape, 2, 13, "0:4 4:8");
	check_box(xyz, "[{}, {\"y\":(2)2}]", shape, 2, 13, "0:4 0:4");
	check_box(xyz, "[{\"y\":(2)2, \"y\":(1)2}, {}]", shape, 2, 13, "1:2 0:8");
	/* 7 over 4: pieces of 2, the last one shorter */
	check_box(x4, "[{\"x\"}]", odd, 1, 0, "0:2");
	check_box(x4, "[{\"x\"}]", odd, 1, 3, "6:7");
	/* fewer elements than devices: the rest is empty */
	check_box(x4, "[{\"x\"}]", tiny, 1, 0, "0:1");
	check_box(x4, "[{\"x\"}]", tiny, 1, 1, "1:1");
	check_box(x4, "[{\"x\"}]", tiny, 1, 3, "1:1");
	check_box(x4, "[{\"x\"}]", none, 1, 2, "0:0");
	check_box("<[], device_ids=[3]>", "[]", shape, 2, 0, "0:4 0:8");
}

/* The boxes of all devices cover the tensor, and shards do not overlap. */
static void boxes_tile(void **state)
{
	static const int64_t global[] = {7, 3, 8};
	const mesh *m = mesh_text("<[\"x\"=8, \"y\"=2, \"z\"=3]>");
	const sharding *s = on_mesh("[{\"x\"}, {\"y\"}, {\"z\"}]");
	int count[7 * 3 * 8] = {0};
	(void)state;
	for (int64_t p = 0; p < m->n_devices; p++) {
		int64_t b[3], e[3];
		sharding_box(s, m, global, 3, p, b, e);
		for (int64_t i = b[0]; i < e[0]; i++)
			for (int64_t j = b[1]; j < e[1]; j++)
				for (int64_t k = b[2]; k < e[2]; k++)
					count[(i * 3 + j) * 8 + k]++;
	}
	for (int i = 0; i < COUNT(count); i++)
		assert_int_equal(count[i], 1);
}

static void device_order(void **state)
{
	const mesh *m = mesh_text("<[\"a\"=3, \"b\"=2], device_ids=[0, 2, 4, 1, 3, 5]>");
	(void)state;
	for (int64_t i = 0; i < 6; i++)
		assert_int_equal(mesh_position_of(m, mesh_device_at(m, i)), i);
	assert_int_equal(mesh_device_at(m, 1), 2);
	assert_int_equal(mesh_position_of(m, 1), 3);
	assert_int_equal(mesh_position_of(m, 6), -1);
	assert_int_equal(mesh_position_of(m, -1), -1);
	m = mesh_text("<[], device_ids=[7]>");
	assert_int_equal(mesh_device_at(m, 0), 7);
	assert_int_equal(mesh_position_of(m, 7), 0);
	assert_int_equal(mesh_position_of(m, 0), -1);
}

/* ---- equal placement ----------------------------------------------------- */

typedef struct placement_case {
	const char *mesh_a, *a, *mesh_b, *b;
	int rank;
	int64_t dims[2];
	bool same;
} placement_case;

#define XY "<[\"x\"=4, \"y\"=2]>"
#define FLAT "<[\"devices\"=8]>"
#define AB "<[\"a\"=4, \"b\"=2]>"
#define XYZ "<[\"x\"=2, \"y\"=2, \"z\"=2], device_ids=[0, 4, 2, 6, 1, 5, 3, 7]>"

static void placements(void **state)
{
	static const placement_case cases[] = {
		/* one mesh is a flat list of devices, the other a grid */
		{FLAT, "[{\"devices\":(1)4}, {\"devices\":(4)2}]", XY, "[{\"x\"}, {\"y\"}]", 2,
		 {8, 8}, true},
		{FLAT, "[{\"devices\":(4)2}, {\"devices\":(1)4}]", XY, "[{\"x\"}, {\"y\"}]", 2,
		 {8, 8}, false},
		{FLAT, "[{\"devices\"}]", XY, "[{\"x\", \"y\"}]", 1, {8}, true},
		{FLAT, "[{\"devices\"}]", XY, "[{\"y\", \"x\"}]", 1, {8}, false},
		{FLAT, "[{\"devices\":(2)2}]", XY, "[{\"x\":(2)2}]", 1, {8}, true},
		/* @mesh_1 orders its devices so that z is the highest bit of the id */
		{AB, "[{\"b\"}]", XYZ, "[{\"x\"}]", 1, {8}, true},
		{AB, "[{\"a\"}]", XYZ, "[{\"z\", \"y\"}]", 1, {8}, true},
		{AB, "[{\"a\"}]", XYZ, "[{\"y\", \"z\"}]", 1, {8}, false},
		{AB, "[{\"b\"}]", XYZ, "[{\"z\"}]", 1, {8}, false},
		{AB, "[{}]", XYZ, "[{}]", 1, {8}, true},
		{AB, "[{}], unreduced={\"b\"}", XYZ, "[{}], unreduced={\"x\"}", 1, {8}, true},
		{AB, "[{}], unreduced={\"b\"}", XYZ, "[{}], unreduced={\"y\"}", 1, {8}, false},
		{AB, "[{}], unreduced={\"a\"}", XYZ, "[{}], unreduced={\"y\", \"z\"}", 1, {8}, true},
		/* openness, priorities and explicit replication do not affect placement */
		{XY, "[{\"x\", ?}p1], replicated={\"y\"}", XY, "[{\"x\"}]", 1, {8}, true},
		{XY, "[{\"x\"}]", XY, "[{\"x\"}]", 1, {8}, true},
		{XY, "[{\"x\"}]", XY, "[{\"y\"}]", 1, {8}, false},
		/* partial sums are not the sum */
		{XY, "[{}], unreduced={\"x\"}", XY, "[{}]", 1, {8}, false},
		{XY, "[{}], unreduced={\"x\"}", XY, "[{}], unreduced=max{\"x\"}", 1, {8}, false},
		{XY, "[{}], unreduced={\"x\", \"y\"}", FLAT, "[{}], unreduced={\"devices\"}", 1, {8},
		 true},
		/* with at most one element, the order of axes does not matter */
		{XY, "[{\"x\", \"y\"}]", XY, "[{\"y\", \"x\"}]", 1, {1}, true},
		{XY, "[{\"x\", \"y\"}]", XY, "[{\"y\", \"x\"}]", 1, {2}, false},
		{XY, "[{\"x\"}]", XY, "[{\"y\"}]", 1, {0}, true},
		{XY, "[{\"x\"}]", XY, "[{\"y\"}]", 1, {1}, false},
		{XY, "[{\"x\", \"y\"}]", XY, "[{\"x\"}]", 1, {1}, false},
		/* one device, no particular device, too few */
		{"<[], device_ids=[0]>", "[]", "<[\"x\"=1]>", "[{\"x\"}]", 1, {8}, true},
		{"<[], device_ids=[1]>", "[]", "<[\"x\"=1]>", "[{\"x\"}]", 1, {8}, false},
		{"<[], device_ids=[1]>", "[]", "<[], device_ids=[1]>", "[]", 1, {8}, true},
		{"<[], device_ids=[1]>", "[]", "<[], device_ids=[2]>", "[]", 1, {8}, false},
		{"<[\"x\"=4]>", "[{\"x\"}]", XY, "[{\"x\"}]", 1, {8}, false},
		{"<[]>", "[{}]", XY, "[{}]", 1, {8}, true},
		{"<[]>", "[{}]", XY, "[{\"x\"}]", 1, {8}, false},
		{"<[\"x\"=2], device_ids=[1, 0]>", "[{\"x\"}]", "<[\"x\"=2]>", "[{\"x\"}]", 1, {8},
		 false},
		{"<[\"x\"=2], device_ids=[1, 0]>", "[{\"x\"}]", "<[\"y\"=2], device_ids=[1, 0]>",
		 "[{\"y\"}]", 1, {8}, true},
	};
	(void)state;
	for (int i = 0; i < COUNT(cases); i++) {
		const placement_case *c = &cases[i];
		const sharding *a = on_mesh(c->a), *b = on_mesh(c->b);
		const mesh *ma = mesh_text(c->mesh_a), *mb = mesh_text(c->mesh_b);
		if (sharding_same_placement(a, ma, b, mb, c->dims, c->rank) != c->same ||
		    sharding_same_placement(b, mb, a, ma, c->dims, c->rank) != c->same)
			fail_msg("%s on %s, %s on %s", c->a, c->mesh_a, c->b, c->mesh_b);
	}
	int64_t eight = 8;
	assert_true(sharding_same_placement(NULL, NULL, on_mesh("[{}]"), mesh_text(XY), &eight, 1));
	assert_true(sharding_same_placement(NULL, NULL, NULL, NULL, &eight, 1));
	assert_false(sharding_same_placement(NULL, NULL, on_mesh("[{\"x\"}]"), mesh_text(XY),
	                                     &eight, 1));
}

/* The number of devices does not matter if both meshes have the same order. For 4,096 permuted ones
 * each device is checked. */
static void many_devices(void **state)
{
	enum { N = 4096 };
	static const int64_t dims[] = {1 << 30, 1 << 30};
	const mesh *huge = mesh_text("<[\"x\"=1099511627776, \"y\"=1048576]>");
	const mesh *flat = mesh_text("<[\"d\"=1152921504606846976]>");
	(void)state;
	assert_true(sharding_same_placement(on_mesh("[{\"y\"}, {\"x\":(1)2}]"), huge,
	                                    on_mesh("[{\"d\":(1099511627776)1048576}, "
	                                            "{\"d\":(1)2}]"),
	                                    flat, dims, 2));
	int64_t ids[N];
	for (int i = 0; i < N; i++)
		ids[i] = i % 64 * 64 + i / 64;
	mesh_axis ab[] = {{name_of_z(ctx, "a"), 64}, {name_of_z(ctx, "b"), 64}};
	const mesh *turned = mesh_of(ctx, ab, 2, ids, N), *straight = mesh_of(ctx, ab, 2, NULL, 0);
	assert_true(mesh_verify(ctx, turned, NOWHERE));
	assert_true(sharding_same_placement(on_mesh("[{\"a\"}, {\"b\"}]"), turned,
	                                    on_mesh("[{\"b\"}, {\"a\"}]"), straight, dims, 2));
	assert_false(sharding_same_placement(on_mesh("[{\"a\"}, {\"b\"}]"), turned,
	                                     on_mesh("[{\"a\"}, {\"b\"}]"), straight, dims, 2));
}

/* ---- compared with counting ----------------------------------------------------------------- */

static uint64_t random_state = 88172645463325252u;

static int random_below(int n)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (int)(random_state % (uint64_t)n);
}

/* Returns a mesh of 24 devices: the factors 2, 2, 2, 3 in any order, some of them joined, and
 * sometimes with a device order. */
static const mesh *random_mesh(void)
{
	enum { N = 24 };
	static const char *const names[] = {"p", "q", "r", "s"};
	int factors[] = {2, 2, 2, 3};
	int64_t ids[N];
	mesh_axis axes[4];
	int n = 0;
	for (int i = 3; i > 0; i--) {
		int j = random_below(i + 1), t = factors[i];
		factors[i] = factors[j];
		factors[j] = t;
	}
	for (int i = 0; i < 4; i++) {
		if (n && random_below(2)) {
			axes[n - 1].size *= factors[i];
			continue;
		}
		axes[n] = (mesh_axis){name_of_z(ctx, names[n]), factors[i]};
		n++;
	}
	for (int i = 0; i < N; i++)
		ids[i] = i;
	if (random_below(3) == 0)
		for (int i = N - 1; i > 0; i--) {
			int j = random_below(i + 1);
			int64_t t = ids[i];
			ids[i] = ids[j];
			ids[j] = t;
		}
	return mesh_of(ctx, axes, n, ids, N);
}

/* Splits each axis into primes and assigns these to two dimensions, to the unreduced axes, or to
 * nothing. */
static const sharding *random_sharding(const mesh *m)
{
	enum { PLACES = 3 };
	axes_vec lists[PLACES] = {{0}};
	for (int i = 0; i < m->n_axes; i++) {
		int64_t size = m->axes[i].size, pre = 1;
		while (pre < size) {
			int64_t rest = size / pre;
			int64_t k = rest % 3 == 0 && (rest == 3 || random_below(2)) ? 3 : 2;
			int to = random_below(PLACES + 2);
			if (to < PLACES)
				axes_append(&lists[to], &ctx->scratch,
				            axis_sub(m, m->axes[i].name, pre, k), m);
			pre *= k;
		}
	}
	for (int d = 0; d < 2; d++) /* in another order within the dimension */
		if (lists[d].len > 1 && random_below(2)) {
			axis_ref t = lists[d].ptr[0];
			lists[d].ptr[0] = lists[d].ptr[lists[d].len - 1];
			lists[d].ptr[lists[d].len - 1] = t;
		}
	dim_sharding dims[2] = {{lists[0].ptr, lists[0].len, false, PRIORITY_NONE},
	                        {lists[1].ptr, lists[1].len, false, PRIORITY_NONE}};
	return sharding_of(ctx, &(sharding){.mesh = {.symbol = name_of_z(ctx, "m")}, .rank = 2,
	                                    .dims = dims, .unreduced = lists[2].ptr,
	                                    .n_unreduced = random_below(2) ? lists[2].len : 0});
}

/* Returns the shard number of a device by definition: from its coordinates, and their digits. */
static int64_t number_on(const mesh *m, axis_list l, int64_t device, bool zero_these)
{
	int64_t coords[8], rest = mesh_position_of(m, device), number = 0;
	for (int i = m->n_axes - 1; i >= 0; i--) {
		coords[i] = rest % m->axes[i].size;
		rest /= m->axes[i].size;
	}
	for (int i = 0; i < l.n; i++) {
		int axis = mesh_axis_index(m, l.ptr[i].axis);
		int64_t minor = m->axes[axis].size / (axis_pre(l.ptr[i]) * axis_size(l.ptr[i], m));
		int64_t digit = coords[axis] / minor % axis_size(l.ptr[i], m);
		number = number * axis_size(l.ptr[i], m) + digit;
		coords[axis] -= digit * minor;
	}
	if (zero_these) { /* the number from the remaining axes identifies the group */
		number = 0;
		for (int i = 0; i < m->n_axes; i++)
			number = number * m->axes[i].size + coords[i];
	}
	return number;
}

static bool holds(const sharding *s, const mesh *m, int d, int64_t size, int64_t device, int64_t at)
{
	axis_list l = dim_axes(&s->dims[d]);
	int64_t shards = axes_size(l, m), piece = (size + shards - 1) / shards;
	return at / piece == number_on(m, l, device, false);
}

static bool same_by_counting(const sharding *a, const mesh *ma, const sharding *b, const mesh *mb,
                             const int64_t *dims)
{
	axis_list ua = {a->unreduced, a->n_unreduced}, ub = {b->unreduced, b->n_unreduced};
	for (int64_t v = 0; v < ma->n_devices; v++) {
		for (int d = 0; d < 2; d++)
			for (int64_t i = 0; i < dims[d]; i++)
				if (holds(a, ma, d, dims[d], v, i) !=
				    holds(b, mb, d, dims[d], v, i))
					return false;
		for (int64_t u = 0; u < v; u++)
			if ((number_on(ma, ua, u, true) == number_on(ma, ua, v, true)) !=
			    (number_on(mb, ub, u, true) == number_on(mb, ub, v, true)))
				return false;
	}
	return true;
}

static void random_placements(void **state)
{
	enum { ROUNDS = 20000 };
	int same = 0;
	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		const mesh *ma = random_mesh(), *mb = random_below(3) ? random_mesh() : ma;
		const sharding *a = random_sharding(ma), *b = random_sharding(mb);
		int64_t dims[] = {random_below(9), 1 + random_below(30)};
		/* empty shards of a tensor without elements do not differ */
		bool want = same_by_counting(a, ma, b, mb, dims);
		if (sharding_same_placement(a, ma, b, mb, dims, 2) != want)
			fail_msg("%s %s\n%s %s\n%dx%d: %s", mesh_string(ma), sharding_string(a),
			         mesh_string(mb), sharding_string(b), (int)dims[0], (int)dims[1],
			         want ? "same" : "not the same");
		same += want;
		arena_free(&ctx->scratch);
	}
	assert_in_range(same, ROUNDS / 100, ROUNDS / 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(local_shapes),      cmocka_unit_test(boxes),
		cmocka_unit_test(boxes_tile),        cmocka_unit_test(device_order),
		cmocka_unit_test(placements),        cmocka_unit_test(many_devices),
		cmocka_unit_test(random_placements),
	};
	return cmocka_run_group_tests(tests, fixture_open, fixture_close);
}
