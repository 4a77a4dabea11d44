/* reduce.c - eliminates nodes that have at most two neighbors.
 *
 * What is cheapest for such a node depends on the states of its neighbors only. Without neighbors
 * its cost is a constant, with one it is added to the neighbor's costs, and with two it becomes the
 * table of an edge between them. If they have an edge already, both tables are added. So the costs
 * of all other choices stay the same, and the node's state can be found afterwards. Most operations
 * have two operands or fewer, and a program is left with a third of its nodes. The messages of
 * pairs.c then take a third of the time, and fewer sweeps. The bound is higher, too, since in the
 * sum of two tables the neighbors' states are the same ones for both (a cycle of three nodes is
 * considered as a whole; Sontag et al. 2008).
 *
 * Which nodes these are depends on the edges alone, so it is found once, and the tables are
 * computed again when costs have changed. */
#include "plan/model/reduce.h"

#include <math.h>

/* The cost of two nodes' states. It is that of an edge of the graph, or the sum of two others, or
 * what a node between the two costs. */
typedef struct joint {
	int a, b; /* a < b */
	int rows, cols;
	const int *row, *col; /* [states of a], [states of b] */
	double *table;        /* [rows * cols] */
	const pair_edge *edge; /* NULL: of none */
	int node;              /* between the two; -1: none */
	int of[2];             /* the joints that were added up, or those of the node: with a, and with b */
	const int *row_of[2], *col_of[2]; /* [rows], [cols] in the joints that were added up */
	bool gone;
} joint;

typedef struct removal {
	int node, n;     /* number of neighbors */
	int with[2];     /* joints with them */
	int first, last; /* the joints that were made instead, without the last */
} removal;

typedef VEC(int) joint_list;

struct pair_reduction {
	const pair_graph *g;
	arena *mem;
	double never;  /* the one in the tables of edges */
	double **own;  /* [nodes][states]: with what neighbors that are gone add */
	VEC(joint) joints;
	joint_list *at; /* [nodes]: joints of the node; some may be gone */
	VEC(removal) removals;
	int *in_core;  /* [nodes]; -1: gone */
	pair_graph core;
	double *between, *least; /* room for two tables of a node */
};

/* ---- least sums -------------------------------------------------------------------------------- */

static inline double smaller(double a, double b) { return a < b ? a : b; }

/* Takes four rows at a time, so that what it computes is read and written less often. */
void pair_least_sums(const double *restrict at, const double *restrict table, int near, int far,
                     double *restrict fresh)
{
	int r = 1;
	for (int c = 0; c < far; c++)
		fresh[c] = at[0] + table[c];
	for (; r + 4 <= near; r += 4) {
		const double *row = table + (size_t)r * (size_t)far;
		double first = at[r], second = at[r + 1], third = at[r + 2], fourth = at[r + 3];
		for (int c = 0; c < far; c++) {
			double one = smaller(first + row[c], second + row[c + far]);
			double two = smaller(third + row[c + 2 * far], fourth + row[c + 3 * far]);
			fresh[c] = smaller(smaller(one, two), fresh[c]);
		}
	}
	for (; r < near; r++) {
		const double *row = table + (size_t)r * (size_t)far;
		for (int c = 0; c < far; c++)
			fresh[c] = smaller(at[r] + row[c], fresh[c]);
	}
}

/* ---- which nodes ------------------------------------------------------------------------------------- */

/* The rows of a sum of two tables: each pair of rows that a state has. */
typedef struct row_pairs {
	int n;
	int *of_state, *first, *second;
} row_pairs;

static row_pairs pairs_of_rows(arena *mem, int states, const int *one, int n_one, const int *two, int n_two)
{
	row_pairs p = {0, NEW_N(mem, int, states), NEW_N(mem, int, states), NEW_N(mem, int, states)};
	arena *scratch = &mem->ctx->scratch;
	arena_mark here = arena_here(scratch);
	int *number = NEW_N(scratch, int, n_one * n_two); /* 0: not seen yet */
	for (int i = 0; i < states; i++) {
		int *at = &number[one[i] * n_two + two[i]];
		if (!*at) {
			p.first[p.n] = one[i];
			p.second[p.n] = two[i];
			*at = ++p.n;
		}
		p.of_state[i] = *at - 1;
	}
	arena_back(scratch, here);
	return p;
}

/* Returns the sum of two joints of the same nodes, without its table. */
static joint sum_of(const pair_reduction *r, int one, int two)
{
	const joint *x = &r->joints.ptr[one], *y = &r->joints.ptr[two];
	row_pairs a = pairs_of_rows(r->mem, r->g->states[x->a], x->row, x->rows, y->row, y->rows);
	row_pairs b = pairs_of_rows(r->mem, r->g->states[x->b], x->col, x->cols, y->col, y->cols);
	return (joint){.a = x->a, .b = x->b, .rows = a.n, .cols = b.n, .row = a.of_state, .col = b.of_state,
	               .node = -1, .of = {one, two}, .row_of = {a.first, a.second}, .col_of = {b.first, b.second}};
}

/* Returns the newest joint of two nodes; -1: none. */
static int joint_between(pair_reduction *r, int a, int b)
{
	joint_list *l = r->at[a].len < r->at[b].len ? &r->at[a] : &r->at[b];
	for (int i = l->len - 1; i >= 0; i--) {
		const joint *j = &r->joints.ptr[l->ptr[i]];
		if (!j->gone && j->a == a && j->b == b)
			return l->ptr[i];
	}
	return -1;
}

static int push_joint(pair_reduction *r, joint j)
{
	j.table = NEW_N(r->mem, double, j.rows * j.cols);
	vec_push(r->mem, &r->joints, j);
	return r->joints.len - 1;
}

static void add_joint(pair_reduction *r, joint j)
{
	int other = joint_between(r, j.a, j.b), at = push_joint(r, j);
	if (other >= 0) {
		r->joints.ptr[other].gone = r->joints.ptr[at].gone = true;
		at = push_joint(r, sum_of(r, other, at));
	}
	vec_push(r->mem, &r->at[j.a], at);
	vec_push(r->mem, &r->at[j.b], at);
}

/* Writes the first joints of the node, and forgets those that are gone. @return how many, at most 3 */
static int joints_of(pair_reduction *r, int node, int *out)
{
	joint_list *l = &r->at[node];
	int n = 0;
	while (n < l->len && n < 3) {
		if (r->joints.ptr[l->ptr[n]].gone)
			l->ptr[n] = l->ptr[--l->len];
		else {
			out[n] = l->ptr[n];
			n++;
		}
	}
	return n;
}

static bool node_is_row(const joint *j, int node) { return j->a == node; }
static int other_node(const joint *j, int node) { return j->a == node ? j->b : j->a; }
static int rows_beyond(const joint *j, int node) { return j->a == node ? j->cols : j->rows; }
static const int *row_beyond(const joint *j, int node) { return j->a == node ? j->col : j->row; }

/* Returns what a node with two joints costs its neighbors, without its table. */
static joint joint_through(const pair_reduction *r, int node, const int *with)
{
	const joint *x = &r->joints.ptr[with[0]], *y = &r->joints.ptr[with[1]];
	bool swap = other_node(x, node) > other_node(y, node);
	const joint *of_a = swap ? y : x, *of_b = swap ? x : y;
	return (joint){.a = other_node(of_a, node), .b = other_node(of_b, node), .rows = rows_beyond(of_a, node),
	               .cols = rows_beyond(of_b, node), .row = row_beyond(of_a, node),
	               .col = row_beyond(of_b, node), .node = node, .of = {with[swap], with[!swap]}};
}

/* True if computing its table takes longer than the sweeps that it saves, or the table is far larger
 * than those that it replaces. */
static bool costs_too_much(const pair_reduction *r, int node, const int *with)
{
	enum { MOST_SWEEPS = 64, MOST_GROWTH = 4 };
	const joint *x = &r->joints.ptr[with[0]], *y = &r->joints.ptr[with[1]];
	double rows = rows_beyond(x, node), cols = rows_beyond(y, node), states = r->g->states[node];
	double before = states * (rows + cols), after = rows * cols;
	return after * states > MOST_SWEEPS * before || after > MOST_GROWTH * before;
}

/* @return whether it is gone */
static bool remove_node(pair_reduction *r, int node)
{
	int with[3] = {-1, -1, -1}, n = joints_of(r, node, with);
	if (n > 2 || (n == 2 && costs_too_much(r, node, with)))
		return false;
	removal gone = {.node = node, .n = n, .with = {with[0], with[1]}, .first = r->joints.len};
	for (int i = 0; i < n; i++)
		r->joints.ptr[with[i]].gone = true;
	if (n == 2)
		add_joint(r, joint_through(r, node, with));
	gone.last = r->joints.len;
	vec_push(r->mem, &r->removals, gone);
	r->in_core[node] = -1;
	return true;
}

/* A node is looked at again when it has lost a neighbor. */
static void remove_nodes(pair_reduction *r)
{
	joint_list queue = {0};
	for (int i = 0; i < r->g->n; i++)
		vec_push(r->mem, &queue, i);
	for (int k = 0; k < queue.len; k++) {
		int node = queue.ptr[k];
		if (r->in_core[node] < 0 || !remove_node(r, node))
			continue;
		const removal *gone = &r->removals.ptr[r->removals.len - 1];
		for (int i = 0; i < gone->n; i++)
			vec_push(r->mem, &queue, other_node(&r->joints.ptr[gone->with[i]], node));
	}
}

static void make_core(pair_reduction *r)
{
	const pair_graph *g = r->g;
	pair_edge *edges = NEW_N(r->mem, pair_edge, r->joints.len);
	int *states = NEW_N(r->mem, int, g->n), n = 0, n_edges = 0;
	const double **own = NEW_N(r->mem, const double *, g->n);
	for (int i = 0; i < g->n; i++) {
		if (r->in_core[i] < 0)
			continue;
		states[n] = g->states[i];
		own[n] = r->own[i];
		r->in_core[i] = n++;
	}
	for (int i = 0; i < r->joints.len; i++) {
		const joint *j = &r->joints.ptr[i];
		if (!j->gone)
			edges[n_edges++] = (pair_edge){r->in_core[j->a], r->in_core[j->b], j->rows, j->cols,
			                               j->row, j->col, j->table, 1};
	}
	r->core = (pair_graph){n, states, own, n_edges, edges};
}

/* Makes room for the costs of one node for the rows of two neighbors. */
static void make_table_room(pair_reduction *r)
{
	size_t most = 1, rows = 1;
	for (int i = 0; i < r->removals.len; i++) {
		const removal *gone = &r->removals.ptr[i];
		for (int k = 0; k < gone->n; k++) {
			size_t beyond = (size_t)rows_beyond(&r->joints.ptr[gone->with[k]], gone->node),
			       states = (size_t)r->g->states[gone->node];
			most = beyond * states > most ? beyond * states : most;
			rows = beyond + states > rows ? beyond + states : rows;
		}
	}
	r->between = arena_alloc(r->mem, sizeof(double) * most);
	r->least = arena_alloc(r->mem, sizeof(double) * rows);
}

pair_reduction *pair_reduction_new(const pair_graph *g, arena *mem)
{
	pair_reduction *r = NEW(mem, pair_reduction);
	r->g = g;
	r->mem = mem;
	r->own = NEW_N(mem, double *, g->n);
	r->at = NEW_N(mem, joint_list, g->n);
	r->in_core = NEW_N(mem, int, g->n);
	for (int i = 0; i < g->n; i++)
		r->own[i] = NEW_N(mem, double, g->states[i]);
	for (int i = 0; i < g->n_edges; i++) {
		const pair_edge *e = &g->edges[i];
		ASSERT(e->a < e->b);
		add_joint(r, (joint){.a = e->a, .b = e->b, .rows = e->rows, .cols = e->cols, .row = e->row,
		                     .col = e->col, .edge = e, .node = -1});
	}
	remove_nodes(r);
	make_core(r);
	make_table_room(r);
	return r;
}

const pair_graph *pair_reduction_core(const pair_reduction *r) { return &r->core; }

/* ---- their costs --------------------------------------------------------------------------------------- */

static double lesser(double a, double b) { return a < b ? a : b; }

static void fill_from_edge(const joint *j, double never)
{
	const pair_edge *e = j->edge;
	for (int i = 0; i < e->rows * e->cols; i++)
		j->table[i] = e->table[i] < PAIR_NEVER ? e->table[i] * e->times : never;
}

static void fill_sum(const pair_reduction *r, const joint *j)
{
	const joint *x = &r->joints.ptr[j->of[0]], *y = &r->joints.ptr[j->of[1]];
	for (int row = 0; row < j->rows; row++) {
		const double *of_x = x->table + (size_t)j->row_of[0][row] * (size_t)x->cols;
		const double *of_y = y->table + (size_t)j->row_of[1][row] * (size_t)y->cols;
		double *out = j->table + (size_t)row * (size_t)j->cols;
		for (int c = 0; c < j->cols; c++)
			out[c] = lesser(of_x[j->col_of[0][c]] + of_y[j->col_of[1][c]], r->never);
	}
}

/* Returns what a row of the neighbor costs with a state of the node. */
static double cost_beyond(const joint *j, int node, int state, int row)
{
	return node_is_row(j, node) ? j->table[(size_t)j->row[state] * (size_t)j->cols + (size_t)row]
	                            : j->table[(size_t)row * (size_t)j->cols + (size_t)j->col[state]];
}

static void fill_through(const pair_reduction *r, const joint *j)
{
	const joint *x = &r->joints.ptr[j->of[0]], *y = &r->joints.ptr[j->of[1]];
	int states = r->g->states[j->node];
	const double *own = r->own[j->node];
	double *table = r->between, *at = r->least;
	for (int s = 0; s < states; s++)
		for (int c = 0; c < j->cols; c++)
			table[s * j->cols + c] = own[s] + cost_beyond(y, j->node, s, c);
	for (int row = 0; row < j->rows; row++) {
		double *out = j->table + (size_t)row * (size_t)j->cols;
		for (int s = 0; s < states; s++)
			at[s] = cost_beyond(x, j->node, s, row);
		pair_least_sums(at, table, states, j->cols, out);
		for (int c = 0; c < j->cols; c++)
			out[c] = lesser(out[c], r->never);
	}
}

static void fill_joints(const pair_reduction *r, int first, int last, bool edges)
{
	for (int i = first; i < last; i++) {
		const joint *j = &r->joints.ptr[i];
		if (j->edge && edges)
			fill_from_edge(j, r->never);
		else if (!j->edge && j->node < 0)
			fill_sum(r, j);
		else if (j->node >= 0)
			fill_through(r, j);
	}
}

/* Adds what the node costs at least to the states of its only neighbor. */
static void add_to_neighbor(const pair_reduction *r, const removal *gone)
{
	const joint *j = &r->joints.ptr[gone->with[0]];
	int node = gone->node, other = other_node(j, node), rows = rows_beyond(j, node);
	double *least = r->least, *own = r->own[other];
	for (int row = 0; row < rows; row++) {
		least[row] = HUGE_VAL;
		for (int s = 0; s < r->g->states[node]; s++)
			least[row] = lesser(least[row], r->own[node][s] + cost_beyond(j, node, s, row));
	}
	for (int s = 0; s < r->g->states[other]; s++)
		own[s] = lesser(own[s] + least[row_beyond(j, node)[s]], r->never);
}

static double least_own_cost(const pair_reduction *r, int node)
{
	double least = r->own[node][0];
	for (int s = 1; s < r->g->states[node]; s++)
		least = lesser(least, r->own[node][s]);
	return least;
}

double pair_reduction_fill(pair_reduction *r, double never)
{
	double constant = 0;
	bool edges = never != r->never;
	r->never = never;
	for (int i = 0; i < r->g->n; i++)
		for (int s = 0; s < r->g->states[i]; s++)
			r->own[i][s] = r->g->own[i][s] < PAIR_NEVER ? r->g->own[i][s] : never;
	fill_joints(r, 0, r->removals.len ? r->removals.ptr[0].first : r->joints.len, edges);
	for (int i = 0; i < r->removals.len; i++) {
		const removal *gone = &r->removals.ptr[i];
		if (gone->n == 0)
			constant += least_own_cost(r, gone->node);
		else if (gone->n == 1)
			add_to_neighbor(r, gone);
		else
			fill_joints(r, gone->first, gone->last, edges);
	}
	return constant;
}

/* ---- their states ---------------------------------------------------------------------------------------- */

/* Returns the cheapest state of a node whose neighbors' states are known. */
static int cheapest_beside(const pair_reduction *r, const removal *gone, const int *state)
{
	int best = 0;
	double least = HUGE_VAL;
	for (int s = 0; s < r->g->states[gone->node]; s++) {
		double cost = r->own[gone->node][s];
		for (int i = 0; i < gone->n; i++) {
			const joint *j = &r->joints.ptr[gone->with[i]];
			int row = row_beyond(j, gone->node)[state[other_node(j, gone->node)]];
			cost += cost_beyond(j, gone->node, s, row);
		}
		if (cost < least) {
			least = cost;
			best = s;
		}
	}
	return best;
}

void pair_reduction_expand(const pair_reduction *r, const int *core, int *state)
{
	for (int i = 0; i < r->g->n; i++)
		if (r->in_core[i] >= 0)
			state[i] = core[r->in_core[i]];
	for (int i = r->removals.len - 1; i >= 0; i--)
		state[r->removals.ptr[i].node] = cheapest_beside(r, &r->removals.ptr[i], state);
}
