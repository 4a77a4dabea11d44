/* pairs.c - sequential tree-reweighted message passing (TRW-S; Kolmogorov 2006).
 *
 * Nodes are visited in order and back. Each one sends messages to the nodes that come later: the
 * least cost, of everything behind it, of each of their states. A node that is in several chains
 * gives each of them the same share of its own cost. The sum of the least costs of all chains is a
 * lower bound of every choice, and it never falls. A choice is made on the way: each node takes the
 * state that is cheapest with the states that are chosen already and the messages of the other
 * nodes.
 *
 * All of this is done for the core of the graph (reduce.h). The other nodes are chosen at the end.
 *
 * A message depends on the state only through its row or column of the edge's table, so messages
 * have as many entries as these, and a node's costs are first reduced to them. */
#include "plan/model/certify.h"
#include "plan/model/eliminate.h"

#include <math.h>

/* An edge, seen from one of its nodes, the near one. */
typedef struct pair_link {
	int other;
	int near, far;     /* number of rows and columns of the table */
	const int *side;   /* [states of the node]: its row */
	const int *across; /* [states of the other node]: its column */
	bool each;         /* each state of the node has its own row, the same number */
	const double *table;  /* [near * far] */
	const double *turned; /* [far * near]: the table of the other node's link */
	double *in, *out;  /* messages: [near], [far] */
} pair_link;

struct pair_solver {
	const pair_graph *whole;
	pair_reduction *reduction;
	const pair_graph *g;     /* its core */
	arena *mem;
	double possible;         /* the sum of the largest costs of the whole graph's edges, without
				  * PAIR_NEVER */
	double constant;         /* cost of the nodes outside the core, beyond what is in its costs */
	double entries;          /* of all tables */
	double never;            /* the value that represents PAIR_NEVER in the tables: slightly
				  * more than everything else can cost, so that no digits are
				  * lost */
	int *links_from;         /* [n + 1] */
	pair_link *links;        /* of node i from links_from[i] on, to earlier nodes first */
	int *earlier;            /* [n]: number of links to earlier nodes */
	int *link_of_a, *link_of_b; /* [n_edges] */
	double **turned;            /* [n_edges] */
	int *state, *best;
	double **at_least;   /* [n][states]: the least cost of all choices with this state */
	bool *settled; /* [n]: with the present choice of the others, no other state is cheaper */
	double *theta, *choice, *reduced, *fresh; /* room for one node, or one side of an edge */
};

/* ---- the graph as nodes see it ------------------------------------------------------------------- */

static void place_links(pair_solver *s)
{
	const pair_graph *g = s->g;
	s->links_from = NEW_N(s->mem, int, g->n + 2);
	s->links = NEW_N(s->mem, pair_link, 2 * g->n_edges);
	s->earlier = NEW_N(s->mem, int, g->n);
	s->link_of_a = NEW_N(s->mem, int, g->n_edges);
	s->link_of_b = NEW_N(s->mem, int, g->n_edges);
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
		s->link_of_b[e] = s->links_from[b] + early[b]++;
		s->link_of_a[e] = s->links_from[a] + s->earlier[a] + late[a]++;
	}
}

static bool rows_are_states(const int *side, int rows, int states)
{
	for (int i = 0; i < states; i++)
		if (side[i] != i)
			return false;
	return rows == states;
}

static void make_links(pair_solver *s)
{
	place_links(s);
	s->turned = NEW_N(s->mem, double *, s->g->n_edges);
	for (int i = 0; i < s->g->n_edges; i++) {
		const pair_edge *e = &s->g->edges[i];
		double *to_a = NEW_N(s->mem, double, e->rows), *to_b = NEW_N(s->mem, double, e->cols);
		double *turned = s->turned[i] = NEW_N(s->mem, double, e->rows * e->cols);
		s->links[s->link_of_a[i]] =
			(pair_link){e->b, e->rows, e->cols, e->row, e->col,
		                    rows_are_states(e->row, e->rows, s->g->states[e->a]), e->table, turned, to_a, to_b};
		s->links[s->link_of_b[i]] =
			(pair_link){e->a, e->cols, e->rows, e->col, e->row,
		                    rows_are_states(e->col, e->cols, s->g->states[e->b]), turned, e->table, to_b, to_a};
		s->entries += e->rows * e->cols;
	}
}

static void turn_tables(pair_solver *s)
{
	for (int i = 0; i < s->g->n_edges; i++) {
		const pair_edge *e = &s->g->edges[i];
		for (int r = 0; r < e->rows; r++)
			for (int c = 0; c < e->cols; c++)
				s->turned[i][c * e->rows + r] = e->table[r * e->cols + c];
	}
}

static double possible_of_edges(const pair_graph *g)
{
	double sum = 0;
	for (int i = 0; i < g->n_edges; i++) {
		const pair_edge *e = &g->edges[i];
		double most = 0;
		for (int k = 0; k < e->rows * e->cols; k++)
			if (e->table[k] < PAIR_NEVER && e->table[k] * e->times > most)
				most = e->table[k] * e->times;
		sum += most;
	}
	return sum;
}

static void find_never(pair_solver *s)
{
	double sum = s->possible, never = 1e-12;
	for (int i = 0; i < s->whole->n; i++) {
		double most = 0;
		for (int k = 0; k < s->whole->states[i]; k++)
			if (s->whole->own[i][k] < PAIR_NEVER && s->whole->own[i][k] > most)
				most = s->whole->own[i][k];
		sum += most;
	}
	while (never < sum)
		never *= 4;
	s->never = never;
}

/* Own costs may have changed since the last run. */
static void fill_costs(pair_solver *s)
{
	find_never(s);
	s->constant = pair_reduction_fill(s->reduction, s->never);
	turn_tables(s);
}

/* Copies the node's own costs. */
static void take_own(const pair_solver *s, int i, double *out)
{
	memcpy(out, s->g->own[i], sizeof *out * (size_t)s->g->states[i]);
}

pair_solver *pair_solver_new(const pair_graph *whole, arena *mem)
{
	pair_solver *s = NEW(mem, pair_solver);
	int most = 1;
	s->whole = whole;
	s->reduction = pair_reduction_new(whole, mem);
	s->possible = possible_of_edges(whole);
	s->mem = mem;
	const pair_graph *g = s->g = pair_reduction_core(s->reduction);
	for (int i = 0; i < g->n; i++)
		most = g->states[i] > most ? g->states[i] : most;
	for (int i = 0; i < g->n_edges; i++) {
		most = g->edges[i].rows > most ? g->edges[i].rows : most;
		most = g->edges[i].cols > most ? g->edges[i].cols : most;
	}
	make_links(s);
	s->state = NEW_N(mem, int, g->n);
	s->best = NEW_N(mem, int, g->n);
	s->settled = NEW_N(mem, bool, g->n);
	s->at_least = NEW_N(mem, double *, g->n);
	for (int i = 0; i < g->n; i++)
		s->at_least[i] = NEW_N(mem, double, g->states[i]);
	s->theta = NEW_N(mem, double, most);
	s->choice = NEW_N(mem, double, most);
	s->reduced = NEW_N(mem, double, most);
	s->fresh = NEW_N(mem, double, most);
	return s;
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

static double least_value(const double *v, int n)
{
	double least = v[0];
	for (int i = 1; i < n; i++)
		least = v[i] < least ? v[i] : least;
	return least;
}

/* Adds to `out` what each of the node's n states has by its row. */
static void add_by_row(const pair_link *l, const double *restrict by_row, double *restrict out, int n)
{
	const int *side = l->side;
	if (l->each)
		for (int i = 0; i < n; i++)
			out[i] += by_row[i];
	else
		for (int i = 0; i < n; i++)
			out[i] += by_row[side[i]];
}

/* Adds what each state costs with the state that is chosen for the neighbor. */
static void add_chosen(const pair_solver *s, const pair_link *l, double *out, int n)
{
	int column = l->across[s->state[l->other]];
	add_by_row(l, l->turned + (size_t)column * (size_t)l->near, out, n);
}

static void add_message(const pair_link *l, double *out, int n) { add_by_row(l, l->in, out, n); }

/* Finds the least of the node's costs in each row. */
static const double *least_by_row(const pair_solver *s, const pair_link *l, int n)
{
	const double *theta = s->theta;
	const int *side = l->side;
	double *reduced = s->reduced;
	if (l->each)
		return theta;
	for (int r = 0; r < l->near; r++)
		reduced[r] = HUGE_VAL;
	for (int i = 0; i < n; i++)
		if (theta[i] < reduced[side[i]])
			reduced[side[i]] = theta[i];
	return reduced;
}

/* Sends a share of the node's costs over one edge. Returns by how much the message was lowered. */
static double send_message(pair_solver *s, const pair_link *l, int n, double share)
{
	const double *in = l->in, *costs = least_by_row(s, l, n);
	double *reduced = s->reduced, *fresh = s->fresh, *out = l->out;
	for (int r = 0; r < l->near; r++)
		reduced[r] = costs[r] * share - in[r];
	pair_least_sums(reduced, l->table, l->near, l->far, fresh);
	double least = least_value(fresh, l->far);
	for (int c = 0; c < l->far; c++)
		out[c] = fresh[c] - least;
	return least;
}

/* Chooses the state that is cheapest with the states that are chosen already and the messages of
 * the other nodes. */
static void choose_state(pair_solver *s, int i, bool forward)
{
	int n = s->g->states[i], from = s->links_from[i], links = s->links_from[i + 1] - from;
	take_own(s, i, s->choice);
	for (int k = 0; k < links; k++) {
		if ((k < s->earlier[i]) == forward)
			add_chosen(s, &s->links[from + k], s->choice, n);
		else
			add_message(&s->links[from + k], s->choice, n);
	}
	s->state[i] = least_of(s->choice, n);
}

/* All messages to a node were sent when the bound was `before`, or later, and with a given state
 * each of its chains costs as much more as the node itself. */
static void note_least(pair_solver *s, int i, bool forward, double before, double least)
{
	for (int k = 0; k < s->g->states[i]; k++) {
		double now = before + (s->theta[k] - least), *at = &s->at_least[i][k];
		*at = forward || now > *at ? now : *at;
	}
}

/* Sends the node's messages. @return its part of the bound */
static double visit_node(pair_solver *s, int i, bool forward, double before)
{
	int n = s->g->states[i], from = s->links_from[i], links = s->links_from[i + 1] - from;
	int behind = forward ? s->earlier[i] : links - s->earlier[i], ahead = links - behind;
	int chains = behind > ahead ? behind : ahead > 0 ? ahead : 1;
	take_own(s, i, s->theta);
	for (int k = 0; k < links; k++)
		add_message(&s->links[from + k], s->theta, n);
	double least = least_value(s->theta, n);
	note_least(s, i, forward, before, least);
	double bound = (1 - (double)ahead / chains) * least;
	for (int k = forward ? s->earlier[i] : 0; k < (forward ? links : s->earlier[i]); k++)
		bound += send_message(s, &s->links[from + k], n, 1.0 / chains);
	return bound;
}

/* `choose`: makes a choice on the way. `before`: the bound of the last pass. */
static double one_pass(pair_solver *s, bool forward, bool choose, double before)
{
	double bound = s->constant;
	for (int k = 0; k < s->g->n; k++) {
		int i = forward ? k : s->g->n - 1 - k;
		if (choose)
			choose_state(s, i, forward);
		bound += visit_node(s, i, forward, before);
	}
	return bound;
}

/* ---- the choice ---------------------------------------------------------------------------------------- */

/* Computes what the node costs in each state if all others keep their chosen states. */
static void costs_beside_chosen(pair_solver *s, int i, double *out)
{
	take_own(s, i, out);
	for (int k = s->links_from[i]; k < s->links_from[i + 1]; k++)
		add_chosen(s, &s->links[k], out, s->g->states[i]);
}

/* Changes the state of single nodes as long as that is cheaper. A node is looked at again when a
 * neighbor has changed. */
static void improve_choice(pair_solver *s)
{
	enum { MOST_ROUNDS = 20 };
	bool changed = true;
	memset(s->settled, false, sizeof(bool) * (size_t)s->g->n);
	for (int round = 0; changed && round < MOST_ROUNDS; round++) {
		changed = false;
		for (int i = 0; i < s->g->n; i++) {
			if (s->settled[i])
				continue;
			s->settled[i] = true;
			costs_beside_chosen(s, i, s->choice);
			int least = least_of(s->choice, s->g->states[i]);
			if (s->choice[least] >= s->choice[s->state[i]])
				continue;
			s->state[i] = least;
			changed = true;
			for (int k = s->links_from[i]; k < s->links_from[i + 1]; k++)
				s->settled[s->links[k].other] = false;
		}
	}
}

static void keep_if_better(pair_solver *s, double *energy)
{
	double now = s->constant + pair_energy(s->g, s->state);
	if (now >= *energy)
		return;
	*energy = now;
	memcpy(s->best, s->state, sizeof(int) * (size_t)s->g->n);
}

/* ---- few states ---------------------------------------------------------------------------------------- */

/* Finds the states with which a choice may cost less than `price`, and adds those that are
 * chosen. */
static void states_under(const pair_solver *s, double price, pair_states *out)
{
	for (int i = 0; i < s->g->n; i++) {
		out->n[i] = 0;
		for (int k = 0; k < s->g->states[i]; k++)
			if (s->at_least[i][k] < price || k == s->best[i])
				out->list[i][out->n[i]++] = k;
	}
}

/* A choice that costs less cannot have a state with which every choice costs more. Of the other
 * states the best choice is found exactly. If there are too many, only those are considered that
 * take about as long as the sweeps took. */
static void choose_exactly(pair_solver *s, int sweeps, double *energy, double *bound)
{
	enum { TRIES = 8, FEWER = 4 };
	const double share = 1.0 / 8, most = share * s->entries * sweeps;
	arena *mem = &s->mem->ctx->scratch; /* s->mem may hold what is interned */
	arena_mark here = arena_here(mem);
	pair_states left = {NEW_N(mem, int, s->g->n), NEW_N(mem, int *, s->g->n)};
	double room = *energy - *bound;
	for (int i = 0; i < s->g->n; i++)
		left.list[i] = NEW_N(mem, int, s->g->states[i]);
	for (int i = 0; i < TRIES; i++, room /= FEWER) {
		double price = *bound + room;
		arena_mark before = arena_here(mem);
		states_under(s, price, &left);
		bool found = pairs_choose_among(s->g, s->never, &left, most, mem, s->state);
		arena_back(mem, before);
		if (!found)
			continue;
		keep_if_better(s, energy);
		*bound = fmin(*energy, price); /* a choice that costs less than `price` would have been found */
		break;
	}
	arena_back(mem, here);
}

void pair_solve(pair_solver *s, int sweeps, double gap, pair_solution *out)
{
	enum { PATIENCE = 8, CHOICES = 3 }; /* making a choice takes as long as sending messages */
	double energy = 4 * PAIR_NEVER * (double)(s->whole->n + s->whole->n_edges + 1);
	fill_costs(s);
	double bound = -energy, last_gain = bound;
	int done = 0, still = 0;
	while (done < sweeps && still < PATIENCE && energy - bound > gap * energy) {
		for (int back = 0; back < 2; back++) {
			bool choose = done % CHOICES == 0 || done + 1 == sweeps;
			double now = one_pass(s, !back, choose, bound);
			bound = now > bound ? now : bound;
			if (!choose)
				continue;
			improve_choice(s);
			keep_if_better(s, &energy);
		}
		still = bound - last_gain > 4e-6 * energy ? 0 : still + 1;
		last_gain = bound;
		done++;
	}
	if (done > 0 && energy - bound > gap * energy)
		choose_exactly(s, done, &energy, &bound);
	out->state = NEW_N(s->mem, int, s->whole->n);
	pair_reduction_expand(s->reduction, s->best, out->state);
	out->energy = pair_energy(s->whole, out->state);
	out->bound = fmin(bound, out->energy);
	out->sweeps = done;
}

solver_view pair_solver_view(const pair_solver *s)
{
	return (solver_view){s->mem, s->whole, s->reduction, s->g, s->constant, s->never, s->at_least};
}
