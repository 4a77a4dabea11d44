/* test_plan_pairs.c - the solver for pairwise costs, compared with trying every choice. */
#include "plan/model/pairs.h"

#include "plan_fixture.h"

static uint64_t seed;

static uint64_t next_random(void)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return seed >> 33;
}

static int below(int n) { return (int)(next_random() % (uint64_t)n); }
static double cost(void) { return (double)below(1000) / 1000; }

/* Returns a connected graph of n nodes with up to k states each and `more` additional edges. States
 * share rows and columns. */
static pair_graph random_graph(arena *mem, int n, int k, int more)
{
	int *states = NEW_N(mem, int, n);
	double **own = NEW_N(mem, double *, n);
	pair_edge *edges = NEW_N(mem, pair_edge, n - 1 + more);
	for (int i = 0; i < n; i++) {
		states[i] = 1 + below(k);
		own[i] = NEW_N(mem, double, states[i]);
		for (int s = 0; s < states[i]; s++)
			own[i][s] = cost();
	}
	for (int e = 0; e < n - 1 + more; e++) {
		int b = e < n - 1 ? e + 1 : 1 + below(n - 1), a = below(b);
		int rows = 1 + below(k), cols = 1 + below(k);
		int *row = NEW_N(mem, int, states[a]), *col = NEW_N(mem, int, states[b]);
		double *table = NEW_N(mem, double, rows * cols);
		for (int s = 0; s < states[a]; s++)
			row[s] = below(rows);
		for (int s = 0; s < states[b]; s++)
			col[s] = below(cols);
		for (int i = 0; i < rows * cols; i++)
			table[i] = below(12) ? cost() : PAIR_NEVER;
		edges[e] = (pair_edge){a, b, rows, cols, row, col, table, 1 + below(3)};
	}
	return (pair_graph){n, states, (const double *const *)own, n - 1 + more, edges};
}

static double best_of_all(const pair_graph *g)
{
	int state[16] = {0};
	double best = pair_energy(g, state);
	for (;;) {
		int i = 0;
		while (i < g->n && ++state[i] == g->states[i])
			state[i++] = 0;
		if (i == g->n)
			return best;
		double e = pair_energy(g, state);
		best = e < best ? e : best;
	}
}

static pair_solution solved(const pair_graph *g)
{
	pair_solution s;
	pair_solve(pair_solver_new(g, &ctx->scratch), 200, 1e-9, &s);
	assert_true(s.energy == pair_energy(g, s.state));
	return s;
}

/* The bound is a lower bound, the energy that of the solution. On most graphs they are equal. */
static void against_all_choices(void **state)
{
	(void)state;
	int met = 0, optimal = 0, n = 0;
	for (int i = 0; i < 300; i++) {
		seed = (uint64_t)i;
		pair_graph g = random_graph(&ctx->scratch, 2 + below(6), 4, below(4));
		double best = best_of_all(&g);
		if (best >= PAIR_NEVER)
			continue; /* every choice has an infinite cost */
		n++;
		pair_solution s = solved(&g);
		assert_true(s.bound <= best + 1e-9 && s.energy >= best - 1e-9);
		met += s.energy - s.bound < 1e-6;
		optimal += s.energy - best < 1e-9;
	}
	assert_true(n > 250);
	assert_true(met > n * 8 / 10);
	assert_true(optimal > n * 95 / 100);
}

/* On trees they are always equal. */
static void trees(void **state)
{
	(void)state;
	for (int i = 0; i < 200; i++) {
		seed = (uint64_t)i + 1000;
		pair_graph g = random_graph(&ctx->scratch, 2 + below(7), 4, 0);
		double best = best_of_all(&g);
		if (best >= PAIR_NEVER)
			continue;
		pair_solution s = solved(&g);
		assert_true(s.energy - best < 1e-6 * best);
		assert_true(best - s.bound < 1e-6 * best);
	}
}

/* A second run with other costs starts from the messages of the first, and is still right. */
static void warm_starts(void **state)
{
	(void)state;
	for (int i = 0; i < 100; i++) {
		seed = (uint64_t)i + 2000;
		pair_graph g = random_graph(&ctx->scratch, 6, 4, 1);
		pair_solver *p = pair_solver_new(&g, &ctx->scratch);
		pair_solution s;
		pair_solve(p, 100, 1e-9, &s);
		for (int k = 0; k < g.states[2]; k++)
			((double *)(uintptr_t)g.own[2])[k] = cost();
		double best = best_of_all(&g);
		pair_solve(p, 100, 1e-9, &s);
		assert_true(s.bound <= best + 1e-9 && s.energy >= best - 1e-9);
	}
}

static void no_edges(void **state)
{
	(void)state;
	static const double a[] = {3, 1, 2};
	pair_graph g = {1, (int[]){3}, (const double *const[]){a}, 0, NULL};
	pair_solution s = solved(&g);
	assert_int_equal(s.state[0], 1);
	assert_true(s.bound == 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(against_all_choices, setup, teardown),
	    cmocka_unit_test_setup_teardown(trees, setup, teardown),
	    cmocka_unit_test_setup_teardown(warm_starts, setup, teardown),
	    cmocka_unit_test_setup_teardown(no_edges, setup, teardown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
