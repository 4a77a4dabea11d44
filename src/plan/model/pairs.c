/* pairs.c - sequential tree-reweighted message passing (TRW-S; Kolmogorov 2006).
 *
 * Nodes are visited in order and back.  Each sends messages to those that are still to come: what each of
 * their states costs at least for what lies behind.  A node that is in several chains gives each the same
 * share of its own cost.  The sum of what all chains cost at least is a lower bound of every choice, and it
 * never falls.  A choice is read off on the way: each node takes the state that is cheapest with those that
 * are chosen already and the messages of the others.
 *
 * A message depends on the state only through its row or column of the edge's table, so messages have as
 * many entries as these, and a node's costs are first brought down to them. */
#include "plan/model/pairs.h"

#include <math.h>

typedef struct pair_link {
	int edge, other;
	bool first; /* the node is the edge's `a` */
} pair_link;

struct pair_solver {
	const pair_graph *g;
	arena *mem;
	double **to_a, **to_b;   /* [n_edges] messages, by row and by column */
	double **turned;         /* [n_edges] the table times `times` with rows and columns exchanged */
	double **straight;       /* [n_edges] the table times `times` */
	double possible;         /* the sum of what all edges cost at most, but for what must not be */
	double never;            /* what stands for PAIR_NEVER in the tables: a little more than what everything
	                          * else can cost, so that no digits are lost */
	int *links_from;         /* [n + 1] */
	pair_link *links;        /* of node i from links_from[i], earlier nodes first */
	int *earlier;            /* [n] how many of them */
	int *state, *best;
	double *theta, *choice, *reduced, *fresh; /* room for one node, one side of an edge */
};

/* ---- the graph as nodes see it ------------------------------------------------------------------- */

static const int *side_of(const pair_solver *s, const pair_link *l)
{
	const pair_edge *e = &s->g->edges[l->edge];
	return l->first ? e->row : e->col;
}

static double *message_in(const pair_solver *s, const pair_link *l)
{
	return (l->first ? s->to_a : s->to_b)[l->edge];
}

static void make_links(pair_solver *s)
{
	const pair_graph *g = s->g;
	s->links_from = NEW_N(s->mem, int, g->n + 2);
	s->links = NEW_N(s->mem, pair_link, 2 * g->n_edges);
	s->earlier = NEW_N(s->mem, int, g->n);
	for (int e = 0; e < g->n_edges; e++) {
		s->links_from[g->edges[e].a + 1]++;
		s->links_from[g->edges[e].b + 1]++;
		s->earlier[g->edges[e].b]++;
	}
	for (int i = 0; i < g->n; i++)
		s->links_from[i + 1] += s->links_from[i];
	int *early = NEW_N(s->mem, int, g->n), *late = NEW_N(s->mem, int, g->n);
	for (int e = 0; e < g->n_edges; e++) {
		int a = g->edges[e].a, b = g->edges[e].b;
		s->links[s->links_from[b] + early[b]++] = (pair_link){e, a, false};
		s->links[s->links_from[a] + s->earlier[a] + late[a]++] = (pair_link){e, b, true};
	}
}

static void make_pair_tables(pair_solver *s)
{
	const pair_graph *g = s->g;
	s->to_a = NEW_N(s->mem, double *, g->n_edges);
	s->to_b = NEW_N(s->mem, double *, g->n_edges);
	s->turned = NEW_N(s->mem, double *, g->n_edges);
	s->straight = NEW_N(s->mem, double *, g->n_edges);
	for (int i = 0; i < g->n_edges; i++) {
		const pair_edge *e = &g->edges[i];
		double most = 0;
		ASSERT(e->a < e->b);
		s->to_a[i] = NEW_N(s->mem, double, e->rows);
		s->to_b[i] = NEW_N(s->mem, double, e->cols);
		s->straight[i] = NEW_N(s->mem, double, e->rows * e->cols);
		s->turned[i] = NEW_N(s->mem, double, e->rows * e->cols);
		for (int k = 0; k < e->rows * e->cols; k++)
			if (e->table[k] < PAIR_NEVER && e->table[k] * e->times > most)
				most = e->table[k] * e->times;
		s->possible += most;
	}
}

static void fill_pair_tables(pair_solver *s)
{
	for (int i = 0; i < s->g->n_edges; i++) {
		const pair_edge *e = &s->g->edges[i];
		for (int r = 0; r < e->rows; r++)
			for (int c = 0; c < e->cols; c++) {
				double cost = e->table[r * e->cols + c];
				cost = cost < PAIR_NEVER ? cost * e->times : s->never;
				s->straight[i][r * e->cols + c] = s->turned[i][c * e->rows + r] = cost;
			}
	}
}

/* Own costs may be others than in the last run. */
static void find_never(pair_solver *s)
{
	double sum = s->possible, never = 1e-12;
	for (int i = 0; i < s->g->n; i++) {
		double most = 0;
		for (int k = 0; k < s->g->states[i]; k++)
			if (s->g->own[i][k] < PAIR_NEVER && s->g->own[i][k] > most)
				most = s->g->own[i][k];
		sum += most;
	}
	while (never < sum)
		never *= 4;
	if (never == s->never)
		return;
	s->never = never;
	fill_pair_tables(s);
}

/* The node's own costs. */
static void take_own(const pair_solver *s, int i, double *out)
{
	for (int k = 0; k < s->g->states[i]; k++)
		out[k] = s->g->own[i][k] < PAIR_NEVER ? s->g->own[i][k] : s->never;
}

pair_solver *pair_solver_new(const pair_graph *g, arena *mem)
{
	pair_solver *s = NEW(mem, pair_solver);
	int most = 1;
	s->g = g;
	s->mem = mem;
	for (int i = 0; i < g->n; i++)
		most = g->states[i] > most ? g->states[i] : most;
	for (int i = 0; i < g->n_edges; i++) {
		most = g->edges[i].rows > most ? g->edges[i].rows : most;
		most = g->edges[i].cols > most ? g->edges[i].cols : most;
	}
	make_links(s);
	make_pair_tables(s);
	s->state = NEW_N(mem, int, g->n);
	s->best = NEW_N(mem, int, g->n);
	s->theta = NEW_N(mem, double, most);
	s->choice = NEW_N(mem, double, most);
	s->reduced = NEW_N(mem, double, most);
	s->fresh = NEW_N(mem, double, most);
	return s;
}

/* What the edge costs for each row or column of its far side, if the near side is `at`. */
static const double *edge_row(const pair_solver *s, const pair_link *l, int at)
{
	const pair_edge *e = &s->g->edges[l->edge];
	return l->first ? s->straight[l->edge] + (size_t)at * (size_t)e->cols
	                : s->turned[l->edge] + (size_t)at * (size_t)e->rows;
}

double pair_energy(const pair_graph *g, const int *state)
{
	double sum = 0;
	for (int i = 0; i < g->n; i++)
		sum += g->own[i][state[i]];
	for (int i = 0; i < g->n_edges; i++) {
		const pair_edge *e = &g->edges[i];
		double cost = e->table[e->row[state[e->a]] * e->cols + e->col[state[e->b]]];
		sum += cost < PAIR_NEVER ? cost * e->times : PAIR_NEVER;
	}
	return sum;
}

/* ---- one pass ---------------------------------------------------------------------------------------- */

static int least_of(const double *v, int n)
{
	int best = 0;
	for (int i = 1; i < n; i++)
		if (v[i] < v[best])
			best = i;
	return best;
}

/* The same link from the other side. */
static pair_link link_back(const pair_link *l) { return (pair_link){l->edge, 0, !l->first}; }

/* Adds to `out` what the neighbour, whose state is chosen, makes each state cost. */
static void add_chosen(const pair_solver *s, const pair_link *l, double *out, int n)
{
	pair_link back = link_back(l);
	const double *row = edge_row(s, &back, side_of(s, &back)[s->state[l->other]]);
	const int *side = side_of(s, l);
	for (int i = 0; i < n; i++)
		out[i] += row[side[i]];
}

static void add_message(const pair_solver *s, const pair_link *l, double *out, int n)
{
	const double *in = message_in(s, l);
	const int *side = side_of(s, l);
	for (int i = 0; i < n; i++)
		out[i] += in[side[i]];
}

/* Sends a share of the node's costs over one edge; returns what the message was lowered by. */
static double send_message(pair_solver *s, const pair_link *l, int n, double share)
{
	const pair_edge *e = &s->g->edges[l->edge];
	int near = l->first ? e->rows : e->cols, far = l->first ? e->cols : e->rows;
	const int *side = side_of(s, l);
	const double *in = message_in(s, l);
	double *out = (l->first ? s->to_b : s->to_a)[l->edge];
	for (int r = 0; r < near; r++)
		s->reduced[r] = HUGE_VAL;
	for (int i = 0; i < n; i++)
		if (s->theta[i] < s->reduced[side[i]])
			s->reduced[side[i]] = s->theta[i];
	for (int c = 0; c < far; c++)
		s->fresh[c] = HUGE_VAL;
	for (int r = 0; r < near; r++) {
		double at = s->reduced[r] * share - in[r];
		const double *row = edge_row(s, l, r);
		for (int c = 0; c < far; c++)
			s->fresh[c] = at + row[c] < s->fresh[c] ? at + row[c] : s->fresh[c];
	}
	double least = s->fresh[least_of(s->fresh, far)];
	for (int c = 0; c < far; c++)
		out[c] = s->fresh[c] - least;
	return least;
}

/* Chooses the node's state, and sends its messages on.  @return its part of the bound. */
static double visit_node(pair_solver *s, int i, bool forward)
{
	int n = s->g->states[i], from = s->links_from[i], links = s->links_from[i + 1] - from;
	int behind = forward ? s->earlier[i] : links - s->earlier[i], ahead = links - behind;
	int chains = behind > ahead ? behind : ahead > 0 ? ahead : 1;
	take_own(s, i, s->theta);
	take_own(s, i, s->choice);
	for (int k = 0; k < links; k++) {
		const pair_link *l = &s->links[from + k];
		add_message(s, l, s->theta, n);
		if ((k < s->earlier[i]) == forward)
			add_chosen(s, l, s->choice, n);
		else
			add_message(s, l, s->choice, n);
	}
	s->state[i] = least_of(s->choice, n);
	double bound = (1 - (double)ahead / chains) * s->theta[least_of(s->theta, n)];
	for (int k = 0; k < links; k++)
		if ((k < s->earlier[i]) != forward)
			bound += send_message(s, &s->links[from + k], n, 1.0 / chains);
	return bound;
}

static double one_pass(pair_solver *s, bool forward)
{
	double bound = 0;
	for (int k = 0; k < s->g->n; k++)
		bound += visit_node(s, forward ? k : s->g->n - 1 - k, forward);
	return bound;
}

/* ---- the choice ---------------------------------------------------------------------------------------- */

/* Changes single nodes of the choice as long as that is cheaper. */
static void improve_choice(pair_solver *s)
{
	enum { MOST_ROUNDS = 20 };
	bool changed = true;
	memcpy(s->state, s->best, sizeof(int) * (size_t)s->g->n);
	for (int round = 0; changed && round < MOST_ROUNDS; round++) {
		changed = false;
		for (int i = 0; i < s->g->n; i++) {
			int n = s->g->states[i];
			take_own(s, i, s->choice);
			for (int k = s->links_from[i]; k < s->links_from[i + 1]; k++)
				add_chosen(s, &s->links[k], s->choice, n);
			int least = least_of(s->choice, n);
			if (s->choice[least] >= s->choice[s->state[i]])
				continue;
			s->state[i] = least;
			changed = true;
		}
	}
}

static void keep_if_better(pair_solver *s, double *energy)
{
	double now = pair_energy(s->g, s->state);
	if (now >= *energy)
		return;
	*energy = now;
	memcpy(s->best, s->state, sizeof(int) * (size_t)s->g->n);
}

void pair_solve(pair_solver *s, int sweeps, double gap, pair_solution *out)
{
	enum { PATIENCE = 8 };
	double energy = 4 * PAIR_NEVER * (double)(s->g->n + s->g->n_edges + 1);
	find_never(s);
	double bound = -energy, last_gain = bound;
	int done = 0, still = 0;
	while (done < sweeps && still < PATIENCE && energy - bound > gap * energy) {
		for (int back = 0; back < 2; back++) {
			double now = one_pass(s, !back);
			bound = now > bound ? now : bound;
			keep_if_better(s, &energy);
		}
		still = bound - last_gain > 1e-7 * energy ? 0 : still + 1;
		last_gain = bound;
		done++;
	}
	improve_choice(s);
	keep_if_better(s, &energy);
	*out = (pair_solution){COPY_N(s->mem, s->best, s->g->n), energy, bound, done};
}
