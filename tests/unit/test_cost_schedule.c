/* Times of collectives and schedules of steps, checked by hand and on random lists of tasks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cost/schedule.h"

#include <tessera/core.h>

static tess_ctx *ctx;

static const stream C = STREAM_COMPUTE, NEAR = STREAM_NEAR, FAR = STREAM_FAR;

static uint64_t state = 1;

static double random_to(double most)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return most * (double)(state >> 33) / (double)(1u << 31);
}

static void assert_near(double a, double b) { assert_true(a < b * (1 + 1e-9) + 1e-12 && b < a * (1 + 1e-9) + 1e-12); }

static scheduled schedule_tasks(const target *t, const task *tasks, int n, double times, arena *mem)
{
	task_list list = {0};
	for (int i = 0; i < n; i++)
		vec_push(mem, &list, tasks[i]);
	return schedule_of(t, &list, times, mem, NULL);
}

static void hides_what_is_needed_later(void **unused)
{
	arena mem;
	arena_init(&mem, ctx);
	target t = {.prefetch_bytes = 100};
	/* Weights of 50 bytes for each of three clusters. Nothing hides the first gather; the other
	 * two run beside the first two clusters. */
	task tasks[] = {
		{.on = FAR, .seconds = 4, .ready = READY_ALWAYS, .after = -1, .need = 1, .ahead = 50},
		{.on = C, .seconds = 10},
		{.on = FAR, .seconds = 4, .ready = READY_ALWAYS, .after = -1, .need = 3, .ahead = 50},
		{.on = C, .seconds = 10},
		{.on = FAR, .seconds = 14, .ready = READY_ALWAYS, .after = -1, .need = 5, .ahead = 50},
		{.on = C, .seconds = 10},
	};
	scheduled s = schedule_tasks(&t, tasks, 6, 1, &mem);
	/* 4, then 10 with the second and 6 of the third beside, 8 more beside the second. */
	assert_near(s.seconds, 34);
	assert_near(s.exposed, 4);
	assert_near(s.busy[FAR], 22);
	assert_near(s.prefetched, 100);
	/* Memory for one gather at a time: each starts when the one before is used. */
	t.prefetch_bytes = 50;
	s = schedule_tasks(&t, tasks, 6, 1, &mem);
	assert_near(s.seconds, 4 + 10 + 14 - 10 + 10 + 10);
	assert_near(s.prefetched, 50);
	/* Half of the hidden time is lost. */
	t.contention = 0.5;
	tasks[4].seconds = 4;
	s = schedule_tasks(&t, tasks, 6, 1, &mem);
	assert_near(s.seconds, 4 + 12 + 12 + 10);
	arena_free(&mem);
	(void)unused;
}

static void what_is_needed_first_goes_first(void **unused)
{
	arena mem;
	arena_init(&mem, ctx);
	target t = {.prefetch_bytes = 1};
	/* A transfer from the first cluster that nothing waits for, and one from the second cluster
	 * that the last one needs. */
	task tasks[] = {
		{.on = C, .seconds = 1},
		{.on = NEAR, .seconds = 8, .ready = 0, .after = -1, .need = 6},
		{.on = C, .seconds = 1},
		{.on = NEAR, .seconds = 2, .ready = 2, .after = -1, .need = 5},
		{.on = C, .seconds = 1},
		{.on = C, .seconds = 1},
	};
	scheduled s = schedule_tasks(&t, tasks, 6, 1, &mem);
	/* The second interrupts the first at 2 and ends at 4. The first has 7 left then. */
	assert_near(s.seconds, 11);
	assert_near(s.exposed, 1 + 6);
	/* A transfer that takes the other's result waits for it. */
	tasks[1].need = 5;
	tasks[3].after = 1;
	s = schedule_tasks(&t, tasks, 6, 1, &mem);
	assert_near(s.seconds, 1 + 8 + 2 + 1);
	arena_free(&mem);
	(void)unused;
}

static void turns_of_a_loop_overlap(void **unused)
{
	arena mem;
	arena_init(&mem, ctx);
	target t = {.prefetch_bytes = 100};
	task weights[] = {
		{.on = FAR, .seconds = 4, .ready = READY_ALWAYS, .after = -1, .need = 1, .ahead = 50},
		{.on = C, .seconds = 10},
	};
	assert_near(schedule_tasks(&t, weights, 2, 1000, &mem).seconds, 10004);
	weights[0].ready = READY_ENTRY; /* produced by the previous iteration */
	assert_near(schedule_tasks(&t, weights, 2, 1000, &mem).seconds, 14000);
	/* The same if the iteration ends with another transfer, after which no cluster comes. */
	task layer[] = {
		{.on = FAR, .seconds = 4, .ready = READY_ENTRY, .after = -1, .need = 1},
		{.on = C, .seconds = 10},
		{.on = FAR, .seconds = 3, .ready = 1, .after = -1, .need = 3},
	};
	scheduled s = schedule_tasks(&t, layer, 3, 1000, &mem);
	assert_near(s.seconds, 17000);
	assert_near(s.exposed, 7000);
	/* And if it has no cluster at all. */
	task links[] = {
		{.on = FAR, .seconds = 4, .ready = READY_ENTRY, .after = -1, .need = 2},
		{.on = FAR, .seconds = 3, .ready = READY_ENTRY, .after = 0, .need = 2},
	};
	assert_near(schedule_tasks(&t, links, 2, 1000, &mem).seconds, 7000);
	arena_free(&mem);
	(void)unused;
}

/* Makes n random tasks. Transfers depend on tasks before them. */
static void random_tasks(task *tasks, int n)
{
	int last = READY_ALWAYS;
	for (int i = 0; i < n; i++) {
		task k = {.on = (stream)random_to(2.999), .seconds = random_to(5), .after = -1};
		if (k.on != STREAM_COMPUTE) {
			k.ready = random_to(1) < 0.5 ? last : READY_ALWAYS;
			k.need = i + 1 + (int)random_to(n - i - 0.001);
			k.ahead = random_to(1) < 0.5 ? random_to(10) : 0;
		} else {
			last = i;
		}
		tasks[i] = k;
	}
}

static void faster_is_never_slower(void **unused)
{
	enum { N = 24 };
	target t = {.prefetch_bytes = 12};
	for (int round = 0; round < 4000; round++) {
		arena mem;
		arena_init(&mem, ctx);
		task tasks[N];
		random_tasks(tasks, N);
		double before = schedule_tasks(&t, tasks, N, 1, &mem).seconds, serial = 0;
		for (int i = 0; i < N; i++)
			serial += tasks[i].seconds;
		assert_true(before <= serial + 1e-9);
		for (int i = 0; i < N; i++)
			if (random_to(1) < 0.3)
				tasks[i].seconds *= random_to(1);
		assert_true(schedule_tasks(&t, tasks, N, 1, &mem).seconds <= before + 1e-9);
		arena_free(&mem);
	}
	(void)unused;
}

static double seconds_on(const target *t, int kind, double bytes, int64_t size, int64_t stride)
{
	group_place g = group_along(t, &size, &stride, 1);
	return transfer_of(t, (transfer)kind, bytes, &g).seconds;
}

static void better_links_are_never_slower(void **unused)
{
	for (int round = 0; round < 40000; round++) {
		target t = *target_at((int)random_to(target_count() - 0.001)), better = t;
		int kind = (int)random_to(TRANSFER_PERMUTE + 0.999);
		int64_t size = 2 + (int64_t)random_to(200), stride = 1 + (int64_t)random_to(12);
		double bytes = 1 + random_to(1e3) * random_to(1e3) * random_to(1e3);
		better.link_bandwidth *= 1 + random_to(3);
		better.far_bandwidth *= 1 + random_to(3);
		better.link_latency *= random_to(1);
		better.far_latency *= random_to(1);
		double before = seconds_on(&t, kind, bytes, size, stride);
		assert_true(seconds_on(&better, kind, bytes, size, stride) <= before * (1 + 1e-12));
		assert_true(seconds_on(&t, kind, bytes * (1 + random_to(1)), size, stride) >=
		            before * (1 - 1e-12));
	}
	(void)unused;
}

static void collectives_by_hand(void **unused)
{
	target t = {.link_bandwidth = 100e9, .link_efficiency = 1, .link_latency = 1e-6,
	            .node_devices = 8, .far_bandwidth = 10e9, .far_efficiency = 1,
	            .far_latency = 10e-6};
	int64_t eight = 8, sixty_four = 64, one = 1;
	/* 7/8 of 800 MB there and back, 14 steps */
	assert_near(seconds_on(&t, TRANSFER_ALL_REDUCE, 800e6, 8, 1), 14e-3 + 14e-6);
	/* A small one: each device sends to all. */
	assert_near(seconds_on(&t, TRANSFER_ALL_REDUCE, 100, 8, 1), 700 / 100e9 + 1e-6);
	/* Each far link carries an eighth of what one ring through 64 devices would: 63/64 of 800
	 * MB, twice, at 8 x 10e9. Latency is that of two rounds: 7 steps between nodes, 56
	 * within. */
	group_place g = group_along(&t, &sixty_four, &one, 1);
	transfer_cost c = transfer_of(&t, TRANSFER_ALL_REDUCE, 800e6, &g);
	assert_string_equal(c.algorithm, "ring");
	assert_near(c.seconds, 2 * 63 / 64. * 800e6 / 80e9 + 2 * (7 * 10e-6 + 56 * 1e-6));
	assert_near(c.wire_bytes, 2 * 63 / 64. * 800e6);
	assert_near(c.far_bytes, c.wire_bytes / 8);
	assert_int_equal(c.over, LINK_FAR);
	/* 8 devices at distance 8: each on another node. */
	g = group_along(&t, &eight, &eight, 1);
	assert_int_equal(g.in_node, 1);
	c = transfer_of(&t, TRANSFER_ALL_GATHER, 10e6, &g);
	assert_near(c.seconds, 7 * 10e6 / 10e9 + 7 * 10e-6);
	/* In an all-to-all of 64 devices in 8 nodes, 56/64 leaves the node. */
	g = group_along(&t, &sixty_four, &one, 1);
	c = transfer_of(&t, TRANSFER_ALL_TO_ALL, 64e6, &g);
	assert_near(c.seconds, 56e6 / 10e9 + 10e-6);
	(void)unused;
}

/* 16 devices along one axis of a torus; 256 along two axes, both used at once. */
static void torus_by_hand(void **unused)
{
	target t = {.link_bandwidth = 100e9, .link_efficiency = 1, .link_latency = 1e-6,
	            .torus_axes = 2, .torus_extent = 16};
	assert_near(seconds_on(&t, TRANSFER_ALL_GATHER, 10e6, 16, 1), 15 * 10e6 / 100e9 + 8e-6);
	assert_near(seconds_on(&t, TRANSFER_ALL_GATHER, 10e6, 256, 1),
	            255 * 10e6 / 200e9 + 16e-6);
	/* On average, a message crosses 4 of the 16 links of its ring. */
	assert_near(seconds_on(&t, TRANSFER_ALL_TO_ALL, 16e6, 16, 1), 15e6 * 4 / 100e9 + 1e-6);
	(void)unused;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hides_what_is_needed_later),
		cmocka_unit_test(what_is_needed_first_goes_first),
		cmocka_unit_test(turns_of_a_loop_overlap),
		cmocka_unit_test(faster_is_never_slower),
		cmocka_unit_test(better_links_are_never_slower),
		cmocka_unit_test(collectives_by_hand),
		cmocka_unit_test(torus_by_hand),
	};
	ctx = tess_ctx_new(NULL);
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	tess_ctx_free(ctx);
	return failed;
}
