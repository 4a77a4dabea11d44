/* test_plan_pairs.c - the solver for pairwise costs, compared with trying every choice. */
#include "plan/model/eliminate.h"
#include "plan/model/reduce.h"

#include "plan_fixture.h"

#include <math.h>

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

/* In graphs as small as these the best choice is always found, and the bound says so. */
static void against_all_choices(void **state)
{
	(void)state;
	int n = 0;
	for (int i = 0; i < 300; i++) {
		seed = (uint64_t)i;
		pair_graph g = random_graph(&ctx->scratch, 2 + below(6), 4, below(4));
		double best = best_of_all(&g);
		if (best >= PAIR_NEVER)
			continue; /* every choice has an infinite cost */
		n++;
		pair_solution s = solved(&g);
		assert_true(s.bound <= best + 1e-9 && s.energy >= best - 1e-9);
		assert_true(s.energy - best < 1e-9);
		assert_true(best - s.bound < 1e-6);
	}
	assert_true(n > 250);
}

/* All states of all nodes, whatever was learned of them. */
static void elimination(void **state)
{
	(void)state;
	int n = 0;
	for (int i = 0; i < 300; i++) {
		seed = (uint64_t)i + 3000;
		pair_graph g = random_graph(&ctx->scratch, 2 + below(7), 4, below(8));
		int list[] = {0, 1, 2, 3}, *lists[9], choice[9] = {-1};
		pair_states all = {COPY_N(&ctx->scratch, g.states, g.n), lists};
		for (int k = 0; k < g.n; k++)
			lists[k] = list;
		double best = best_of_all(&g);
		if (best >= PAIR_NEVER)
			continue;
		assert_true(pairs_choose_among(&g, 1e3, &all, 1e9, &ctx->scratch, choice));
		assert_true(fabs(pair_energy(&g, choice) - best) < 1e-9);
		n++;
	}
	assert_true(n > 200);
}

/* What takes too long is not begun, and where one state is left of each node there is nothing to do. */
static void elimination_within_limits(void **state)
{
	(void)state;
	seed = 1;
	pair_graph g = random_graph(&ctx->scratch, 9, 4, 20);
	int list[] = {0, 1, 2, 3}, *lists[9], choice[9] = {-1};
	pair_states all = {COPY_N(&ctx->scratch, g.states, g.n), lists};
	for (int k = 0; k < g.n; k++)
		lists[k] = list;
	assert_false(pairs_choose_among(&g, 1e3, &all, 10, &ctx->scratch, choice));
	assert_int_equal(choice[0], -1);
	for (int k = 0; k < g.n; k++)
		all.n[k] = 1;
	assert_true(pairs_choose_among(&g, 1e3, &all, 0, &ctx->scratch, choice));
	assert_int_equal(choice[0], 0);
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

/* ---- graphs with fewer nodes --------------------------------------------------------------------- */

/* The cheapest choice of the core is the cheapest one of the graph, also when costs have changed. */
static void fewer_nodes(void **state)
{
	(void)state;
	int n = 0, smaller = 0;
	for (int i = 0; i < 300; i++) {
		seed = (uint64_t)i + 4000;
		pair_graph g = random_graph(&ctx->scratch, 4 + below(5), 4, 4 + below(8));
		pair_reduction *r = pair_reduction_new(&g, &ctx->scratch);
		const pair_graph *core = pair_reduction_core(r);
		for (int turn = 0; turn < 2; turn++) {
			double constant = pair_reduction_fill(r, 1e3), best = best_of_all(&g);
			int list[] = {0, 1, 2, 3}, *lists[9], of_core[9], choice[9];
			pair_states all = {COPY_N(&ctx->scratch, core->states, core->n), lists};
			for (int k = 0; k < core->n; k++)
				lists[k] = list;
			assert_true(pairs_choose_among(core, 1e3, &all, 1e9, &ctx->scratch, of_core));
			pair_reduction_expand(r, of_core, choice);
			if (best < PAIR_NEVER) {
				assert_true(fabs(constant + pair_energy(core, of_core) - best) < 1e-9);
				assert_true(fabs(pair_energy(&g, choice) - best) < 1e-9);
				n++;
			}
			for (int k = 0; k < g.states[1]; k++)
				((double *)(uintptr_t)g.own[1])[k] = cost();
		}
		smaller += core->n > 0 && core->n < g.n;
	}
	assert_true(n > 400 && smaller > 50);
}

/* Every number of rows and columns, as rows are taken four at a time. */
static void sums(void **state)
{
	(void)state;
	double at[12], table[144], fresh[12];
	for (int i = 0; i < 144; i++) {
		at[i % 12] = cost();
		table[i] = cost();
	}
	for (int near = 1; near <= 12; near++)
		for (int far = 1; far <= 12; far++) {
			pair_least_sums(at, table, near, far, fresh);
			for (int c = 0; c < far; c++) {
				double least = at[0] + table[c];
				for (int r = 1; r < near; r++)
					least = fmin(least, at[r] + table[r * far + c]);
				assert_true(fresh[c] == least);
			}
		}
}

/* Returns a ring of n nodes with k states each; neighbors should differ. */
static pair_graph ring(arena *mem, int n, int k)
{
	int *states = NEW_N(mem, int, n), *row = NEW_N(mem, int, k);
	const double **own = NEW_N(mem, const double *, n);
	pair_edge *edges = NEW_N(mem, pair_edge, n);
	double *table = NEW_N(mem, double, k * k);
	for (int i = 0; i < k; i++) {
		row[i] = i;
		table[i * k + i] = 1;
	}
	for (int i = 0; i < n; i++) {
		states[i] = k;
		own[i] = NEW_N(mem, double, k);
		edges[i] = (pair_edge){i < n - 1 ? i : 0, i < n - 1 ? i + 1 : n - 1, k, k, row, row, table, 1};
	}
	return (pair_graph){n, states, own, n, edges};
}

/* Three nodes with two states cannot all differ, but any two of them can, which is all that messages
 * see. */
static void odd_rings(void **state)
{
	(void)state;
	for (int n = 3; n < 12; n++) {
		pair_graph g = ring(&ctx->scratch, n, 2);
		pair_solution s;
		pair_solve(pair_solver_new(&g, &ctx->scratch), 1, 1e-9, &s);
		assert_true(s.energy == n % 2 && s.bound == n % 2);
	}
}

/* Tables that would take long to compute, or be far larger than what they replace, are not made. */
static void large_tables(void **state)
{
	(void)state;
	pair_graph g = ring(&ctx->scratch, 4, 20), large = ring(&ctx->scratch, 4, 200);
	assert_int_equal(pair_reduction_core(pair_reduction_new(&g, &ctx->scratch))->n, 0);
	assert_int_equal(pair_reduction_core(pair_reduction_new(&large, &ctx->scratch))->n, 4);
}

/* A grid of n x n nodes with two states, whose edges ask for equal or different states at random. */
static pair_graph frustrated_grid(arena *mem, int n)
{
	int *states = NEW_N(mem, int, n * n), *row = NEW_N(mem, int, 2), n_edges = 0;
	const double **own = NEW_N(mem, const double *, n * n);
	pair_edge *edges = NEW_N(mem, pair_edge, 2 * n * n);
	row[1] = 1;
	for (int i = 0; i < n * n; i++) {
		double *costs = NEW_N(mem, double, 2);
		states[i] = 2;
		own[i] = costs;
		costs[0] = cost() / 10;
		for (int down = 0; down < 2; down++) {
			double *table = NEW_N(mem, double, 4);
			int to = down ? i + n : i + 1;
			if (down ? to >= n * n : to % n == 0)
				continue;
			table[1] = table[2] = below(2) ? cost() : 0;
			table[0] = table[3] = table[1] > 0 ? 0 : cost();
			edges[n_edges++] = (pair_edge){i, to, 2, 2, row, row, table, 1};
		}
	}
	return (pair_graph){n * n, states, own, n_edges, edges};
}

/* Messages leave a gap in a grid, whose cycles cannot all be satisfied. It is closed, and the bound
 * and the choice are those of the whole grid. */
static void certificates(void **state)
{
	(void)state;
	int open = 0;
	for (int i = 0; i < 40; i++) {
		seed = (uint64_t)i + 5000;
		pair_graph g = frustrated_grid(&ctx->scratch, 8);
		pair_solver *p = pair_solver_new(&g, &ctx->scratch);
		pair_solution s;
		int list[] = {0, 1}, *lists[64], best[64];
		pair_states all = {COPY_N(&ctx->scratch, g.states, g.n), lists};
		for (int k = 0; k < g.n; k++)
			lists[k] = list;
		assert_true(pairs_choose_among(&g, 1e3, &all, 1e9, &ctx->scratch, best));
		double least = pair_energy(&g, best);
		pair_solve(p, 12, 1e-4, &s);
		open += s.energy - s.bound > 1e-3 * s.energy;
		pair_certify(p, 1e-3, &s);
		assert_true(s.energy == pair_energy(&g, s.state));
		assert_true(s.bound <= least * (1 + 1e-9) && s.energy >= least * (1 - 1e-9));
		assert_true(s.energy - s.bound <= 1e-3 * s.energy * (1 + 1e-9));
	}
	assert_true(open > 20);
}

/* In random graphs, with nodes that have infinite costs together, a certificate is never wrong. */
static void certificates_against_all_choices(void **state)
{
	(void)state;
	for (int i = 0; i < 300; i++) {
		seed = (uint64_t)i + 6000;
		pair_graph g = random_graph(&ctx->scratch, 6 + below(3), 4, 8 + below(8));
		pair_solver *p = pair_solver_new(&g, &ctx->scratch);
		pair_solution s;
		double best = best_of_all(&g);
		pair_solve(p, 1, 1e-9, &s);
		pair_certify(p, 1e-9, &s);
		assert_true(best >= PAIR_NEVER || s.bound <= best + 1e-9);
		assert_true(s.energy == pair_energy(&g, s.state) && s.energy >= best - 1e-9);
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
	    cmocka_unit_test_setup_teardown(elimination, setup, teardown),
	    cmocka_unit_test_setup_teardown(elimination_within_limits, setup, teardown),
	    cmocka_unit_test_setup_teardown(sums, setup, teardown),
	    cmocka_unit_test_setup_teardown(fewer_nodes, setup, teardown),
	    cmocka_unit_test_setup_teardown(odd_rings, setup, teardown),
	    cmocka_unit_test_setup_teardown(large_tables, setup, teardown),
	    cmocka_unit_test_setup_teardown(trees, setup, teardown),
	    cmocka_unit_test_setup_teardown(certificates, setup, teardown),
	    cmocka_unit_test_setup_teardown(certificates_against_all_choices, setup, teardown),
	    cmocka_unit_test_setup_teardown(warm_starts, setup, teardown),
	    cmocka_unit_test_setup_teardown(no_edges, setup, teardown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
