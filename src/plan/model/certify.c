/* certify.c - raises the bound of a solution where messages cannot raise it any more.
 *
 * Messages look at one edge at a time. Around a cycle, the best states of each edge may not be the
 * best ones together, and the bound then stays below every choice. If two nodes are joined, so that
 * each pair of their states is one state, they are considered together, but that takes many states.
 *
 * So we ask whether any choice costs less than a price, that at which the bound would be good
 * enough. States with which every choice costs more are left out. In the rest, neighbors of a node
 * are joined, two at a time, those with the fewest states first. The node then has one neighbor
 * less, and with two left it is eliminated (reduce.h). The smaller graph is solved, and all of this
 * is repeated with it, until its bound says that nothing costs less than the price. */
#include "plan/model/certify.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_BESIDE = 8, MOST_ROUNDS = 20, ROUND_SWEEPS = 200 };

/* One round: the states that are left in the core of the last graph, and the graph of these. */
typedef struct tightening {
	solver_view of;
	arena *mem;
	int *n, **left;   /* [nodes of the core]: states under the price */
	int *partner;     /* [nodes of the core]: the node with which it is joined; -1: none */
	int *number;      /* [nodes of the core]: its node in the graph */
	int **state_of;   /* [nodes of the core]: for each state of that node, the state in the core */
	pair_graph graph;
	int most;         /* states of a pair that is joined */
	int size;         /* sum of states, and of nodes */
} tightening;

/* ---- the states that are left ----------------------------------------------------------------------- */

/* Returns false if a node has none: then no choice costs less than the price. */
static bool leave_states_under(tightening *t, double price)
{
	const pair_graph *core = t->of.core;
	t->n = NEW_N(t->mem, int, core->n);
	t->left = NEW_N(t->mem, int *, core->n);
	for (int i = 0; i < core->n; i++) {
		t->left[i] = NEW_N(t->mem, int, core->states[i]);
		for (int k = 0; k < core->states[i]; k++)
			if (t->of.at_least[i][k] < price)
				t->left[i][t->n[i]++] = k;
		if (!t->n[i])
			return false;
	}
	return true;
}

/* ---- which nodes are joined ---------------------------------------------------------------------------- */

typedef struct node_pair {
	double cost;
	int beside; /* the node whose neighbors they are */
	int a, b;   /* a < b */
} node_pair;

typedef VEC(node_pair) node_pairs;
typedef int few_nodes[MOST_BESIDE];

static int by_cost(const void *x, const void *y)
{
	const node_pair *p = x, *q = y;
	if (p->cost != q->cost)
		return p->cost < q->cost ? -1 : 1;
	if (p->beside != q->beside)
		return p->beside < q->beside ? -1 : 1;
	return p->a != q->a ? (p->a < q->a ? -1 : 1) : (p->b > q->b) - (p->b < q->b);
}

/* Adds the pairs of the node's neighbors that have few states together. If it has many neighbors,
 * it takes more such pairs until it is eliminated. */
static void add_pairs_beside(const tightening *t, int node, const int *beside, int n, node_pairs *out)
{
	double more = ldexp(1, 2 * (n - 3));
	for (int i = 0; i < n; i++)
		for (int k = 0; k < n; k++) {
			double states = (double)t->n[beside[i]] * t->n[beside[k]];
			if (beside[i] < beside[k] && states <= t->most)
				vec_push(t->mem, out, ((node_pair){more * states, node, beside[i], beside[k]}));
		}
}

static node_pairs pairs_to_join(const tightening *t)
{
	const pair_graph *core = t->of.core;
	int *n = NEW_N(t->mem, int, core->n);
	few_nodes *beside = NEW_N(t->mem, few_nodes, core->n);
	node_pairs out = {0};
	for (int i = 0; i < core->n_edges; i++) {
		int a = core->edges[i].a, b = core->edges[i].b;
		if (n[a] < MOST_BESIDE)
			beside[a][n[a]] = b;
		if (n[b] < MOST_BESIDE)
			beside[b][n[b]] = a;
		n[a]++;
		n[b]++;
	}
	for (int i = 0; i < core->n; i++)
		if (n[i] > 2 && n[i] <= MOST_BESIDE)
			add_pairs_beside(t, i, beside[i], n[i], &out);
	if (out.len)
		qsort(out.ptr, (size_t)out.len, sizeof *out.ptr, by_cost);
	return out;
}

/* In one round a node is in at most one pair, or next to one. */
static void choose_partners(tightening *t)
{
	int n = t->of.core->n;
	node_pairs pairs = pairs_to_join(t);
	bool *busy = NEW_N(t->mem, bool, n);
	t->partner = NEW_N(t->mem, int, n);
	for (int i = 0; i < n; i++)
		t->partner[i] = -1;
	for (int i = 0; i < pairs.len; i++) {
		const node_pair *p = &pairs.ptr[i];
		if (busy[p->a] || busy[p->b] || busy[p->beside])
			continue;
		busy[p->a] = busy[p->b] = busy[p->beside] = true;
		t->partner[p->a] = p->b;
		t->partner[p->b] = p->a;
	}
}

/* ---- the graph of what is left --------------------------------------------------------------------------- */

static double *costs_of_one(tightening *t, int i)
{
	double *own = NEW_N(t->mem, double, t->n[i]);
	for (int k = 0; k < t->n[i]; k++)
		own[k] = t->of.core->own[i][t->left[i][k]];
	t->state_of[i] = t->left[i];
	return own;
}

/* Sets the costs of the pairs of states of two nodes, without those that have an infinite one.
 * `edge`: between the two, or NULL. @return how many states are possible */
static int costs_of_pair(tightening *t, int a, int b, const pair_edge *edge, double *own)
{
	int n = 0;
	for (int i = 0; i < t->n[a]; i++)
		for (int k = 0; k < t->n[b]; k++) {
			int of_a = t->left[a][i], of_b = t->left[b][k];
			double cost = t->of.core->own[a][of_a] + t->of.core->own[b][of_b];
			cost += edge ? edge->table[edge->row[of_a] * edge->cols + edge->col[of_b]] : 0;
			if (cost >= t->of.never)
				continue;
			t->state_of[a][n] = of_a;
			t->state_of[b][n] = of_b;
			own[n++] = cost;
		}
	return n;
}

/* Returns the edges between partners, by the earlier one; NULL: they have none. */
static const pair_edge **edges_of_partners(const tightening *t)
{
	const pair_graph *core = t->of.core;
	const pair_edge **out = NEW_N(t->mem, const pair_edge *, core->n);
	for (int i = 0; i < core->n_edges; i++)
		if (t->partner[core->edges[i].a] == core->edges[i].b)
			out[core->edges[i].a] = &core->edges[i];
	return out;
}

/* Returns false if two partners have no state together. */
static bool make_nodes(tightening *t)
{
	const pair_graph *core = t->of.core;
	const pair_edge **between = edges_of_partners(t);
	int *states = NEW_N(t->mem, int, core->n), n = 0;
	const double **own = NEW_N(t->mem, const double *, core->n);
	t->number = NEW_N(t->mem, int, core->n);
	t->state_of = NEW_N(t->mem, int *, core->n);
	for (int i = 0; i < core->n; i++) {
		int with = t->partner[i], most = with < 0 ? t->n[i] : t->n[i] * t->n[with];
		if (with >= 0 && with < i) {
			t->number[i] = t->number[with];
			continue;
		}
		t->number[i] = n;
		if (with < 0) {
			states[n] = most;
			own[n++] = costs_of_one(t, i);
			continue;
		}
		double *pair = NEW_N(t->mem, double, most);
		t->state_of[i] = NEW_N(t->mem, int, most);
		t->state_of[with] = NEW_N(t->mem, int, most);
		own[n] = pair;
		if (!(states[n++] = costs_of_pair(t, i, with, between[i], pair)))
			return false;
	}
	for (int k = 0; n && k < states[0]; k++)
		((double *)(uintptr_t)own[0])[k] += t->of.constant;
	t->graph = (pair_graph){.n = n, .states = states, .own = own};
	return true;
}

/* The rows that some state has, numbered anew. @return how many */
static int rows_left(const tightening *t, const int *row, int rows, int node, int **of_state, int **old)
{
	int states = t->graph.states[t->number[node]], n = 0, *number = NEW_N(t->mem, int, rows);
	*of_state = NEW_N(t->mem, int, states);
	*old = NEW_N(t->mem, int, rows);
	for (int k = 0; k < states; k++) {
		int r = row[t->state_of[node][k]];
		if (!number[r]) {
			(*old)[n] = r;
			number[r] = ++n;
		}
		(*of_state)[k] = number[r] - 1;
	}
	return n;
}

/* Returns the edge between what is left of its nodes. */
static pair_edge edge_left(const tightening *t, const pair_edge *e)
{
	int *row, *col, *old_row, *old_col;
	int rows = rows_left(t, e->row, e->rows, e->a, &row, &old_row);
	int cols = rows_left(t, e->col, e->cols, e->b, &col, &old_col);
	int a = t->number[e->a], b = t->number[e->b];
	double *table = NEW_N(t->mem, double, rows * cols);
	for (int r = 0; r < rows; r++)
		for (int c = 0; c < cols; c++) {
			double cost = e->table[old_row[r] * e->cols + old_col[c]];
			table[a < b ? r * cols + c : c * rows + r] = cost < t->of.never ? cost : PAIR_NEVER;
		}
	return a < b ? (pair_edge){a, b, rows, cols, row, col, table, 1}
	             : (pair_edge){b, a, cols, rows, col, row, table, 1};
}

static void make_edges(tightening *t)
{
	const pair_graph *core = t->of.core;
	pair_edge *edges = NEW_N(t->mem, pair_edge, core->n_edges);
	for (int i = 0; i < core->n_edges; i++)
		if (t->number[core->edges[i].a] != t->number[core->edges[i].b])
			edges[t->graph.n_edges++] = edge_left(t, &core->edges[i]);
	t->graph.edges = edges;
}

/* Returns NULL if no choice of the solver's graph costs less than the price. */
static tightening *tightened(const pair_solver *s, double price, int most, arena *mem)
{
	tightening *t = NEW(mem, tightening);
	t->of = pair_solver_view(s);
	t->mem = mem;
	t->most = most;
	if (!leave_states_under(t, price))
		return NULL;
	choose_partners(t);
	if (!make_nodes(t))
		return NULL;
	make_edges(t);
	t->size = t->graph.n;
	for (int i = 0; i < t->graph.n; i++)
		t->size += t->graph.states[i];
	return t;
}

/* ---- rounds ------------------------------------------------------------------------------------------------ */

/* Finds the choice in the first graph that a choice in the last one is. */
static void choice_before(tightening *const *rounds, int n, const int *last, int *out)
{
	const int *state = last;
	for (int i = n - 1; i >= 0; i--) {
		const tightening *t = rounds[i];
		int *core = NEW_N(t->mem, int, t->of.core->n);
		int *whole = i ? NEW_N(t->mem, int, rounds[i - 1]->graph.n) : out;
		for (int k = 0; k < t->of.core->n; k++)
			core[k] = t->state_of[k][state[t->number[k]]];
		pair_reduction_expand(t->of.reduction, core, whole);
		state = whole;
	}
}

/* Returns how many states a pair may have that is joined in round n: more than before if the last
 * round has made the graph hardly smaller; 0: that did not help either. */
static int most_joined(tightening *const *rounds, int n)
{
	enum { FIRST = 100, LAST = 6400, MORE = 4 };
	if (!n)
		return FIRST;
	int most = rounds[n - 1]->most, size = rounds[n - 1]->size;
	if (n < 2 || size < 0.9 * rounds[n - 2]->size)
		return most;
	return most < LAST ? MORE * most : size < rounds[n - 2]->size ? LAST : 0;
}

/* Takes what a round has found: no choice costs less than the price or the round's bound. */
static void take_round(tightening *const *rounds, int n, const pair_solution *now, pair_solution *out)
{
	const pair_graph *g = rounds[0]->of.whole;
	out->sweeps += now->sweeps;
	if (now->energy < out->energy) {
		choice_before(rounds, n, now->state, out->state);
		out->energy = pair_energy(g, out->state);
	}
	out->bound = fmin(fmax(out->bound, now->bound), out->energy);
}

void pair_certify(const pair_solver *s, double gap, pair_solution *out)
{
	tightening *rounds[MOST_ROUNDS];
	arena *mem = &pair_solver_view(s).mem->ctx->scratch;
	arena_mark here = arena_here(mem);
	for (int i = 0; i < MOST_ROUNDS && out->energy < PAIR_NEVER; i++) {
		pair_solution now;
		double price = out->energy * (1 - gap);
		int most = most_joined(rounds, i);
		if (out->bound >= price || !most)
			break;
		rounds[i] = tightened(s, price, most, mem);
		if (!rounds[i]) {
			out->bound = price;
			break;
		}
		pair_solver *next = pair_solver_new(&rounds[i]->graph, mem);
		pair_solve(next, ROUND_SWEEPS, gap / 8, &now);
		now.bound = fmin(now.bound, price);
		take_round(rounds, i + 1, &now, out);
		s = next;
	}
	arena_back(mem, here);
}
