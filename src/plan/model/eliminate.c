/* eliminate.c - eliminates variables one by one (bucket elimination; Dechter 1999).
 *
 * A variable is a node with more than one possible state. To eliminate it, all tables that it is in
 * are added up, and for each choice of the other variables in these tables only its cheapest state
 * is kept. The result is a table without the variable. When all are eliminated, their states are
 * found in the reverse order. The work depends on how many variables are in one table, so the next
 * variable is always one whose table is among the smallest. */
#include "plan/model/eliminate.h"

enum { SIZE_CLASSES = 64, MOST_TOGETHER = 40 };

/* A table over some variables; the last variable varies fastest. */
typedef struct pair_factor {
	int n;
	const int *of; /* [n] variables, ascending */
	double *table;
	bool gone; /* it was added to another one */
} pair_factor;

typedef VEC(int) number_list;

typedef struct variable {
	int node, states;
	double *own;         /* [states]: including edges to nodes that have one state; set when
			      * the order is known */
	number_list beside;  /* variables in the same tables, ascending, without the eliminated
			      * ones */
	number_list factors;
	int size_class;      /* of the table that eliminating it gives */
	bool gone;
} variable;

typedef struct elimination {
	const pair_graph *g;
	const pair_states *left;
	double never;
	arena *mem;
	int n;
	variable *vars; /* [n] */
	int *order;     /* [n] */
	int *var_of;    /* [nodes]; -1: the node has one state */
	int *chosen;    /* [n] */
	VEC(pair_factor) factors;
} elimination;

/* ---- variables and their tables ------------------------------------------------------------------- */

static double edge_cost(const elimination *e, const pair_edge *edge, int state_a, int state_b)
{
	double cost = edge->table[edge->row[state_a] * edge->cols + edge->col[state_b]];
	return cost < PAIR_NEVER ? cost * edge->times : e->never;
}

static void make_variables(elimination *e)
{
	e->var_of = NEW_N(e->mem, int, e->g->n);
	e->vars = NEW_N(e->mem, variable, e->g->n);
	for (int i = 0; i < e->g->n; i++) {
		int states = e->left->n[i];
		e->var_of[i] = states > 1 ? e->n : -1;
		if (states <= 1)
			continue;
		e->vars[e->n++] = (variable){.node = i, .states = states};
	}
}

static void insert_number(arena *mem, number_list *l, int number)
{
	int at = l->len;
	while (at > 0 && l->ptr[at - 1] >= number)
		at--;
	if (at < l->len && l->ptr[at] == number)
		return;
	vec_push(mem, l, 0);
	memmove(l->ptr + at + 1, l->ptr + at, sizeof(int) * (size_t)(l->len - 1 - at));
	l->ptr[at] = number;
}

static void note_neighbours(elimination *e, const pair_edge *edge)
{
	int a = e->var_of[edge->a], b = e->var_of[edge->b];
	if (a < 0 || b < 0)
		return;
	insert_number(e->mem, &e->vars[a].beside, b);
	insert_number(e->mem, &e->vars[b].beside, a);
}

static void fill_own_costs(elimination *e)
{
	for (int i = 0; i < e->n; i++) {
		variable *v = &e->vars[i];
		v->own = NEW_N(e->mem, double, v->states);
		for (int k = 0; k < v->states; k++) {
			double own = e->g->own[v->node][e->left->list[v->node][k]];
			v->own[k] = own < PAIR_NEVER ? own : e->never;
		}
	}
}

/* An edge to a node with one state is part of the other node's cost. */
static void add_to_own_costs(elimination *e, const pair_edge *edge)
{
	int a = e->var_of[edge->a], b = e->var_of[edge->b];
	const int *of_a = e->left->list[edge->a], *of_b = e->left->list[edge->b];
	for (int k = 0; a >= 0 && b < 0 && k < e->vars[a].states; k++)
		e->vars[a].own[k] += edge_cost(e, edge, of_a[k], of_b[0]);
	for (int k = 0; b >= 0 && a < 0 && k < e->vars[b].states; k++)
		e->vars[b].own[k] += edge_cost(e, edge, of_a[0], of_b[k]);
}

static void add_factor(elimination *e, pair_factor f)
{
	for (int i = 0; i < f.n; i++)
		vec_push(e->mem, &e->vars[f.of[i]].factors, e->factors.len);
	vec_push(e->mem, &e->factors, f);
}

static void add_pair_factor(elimination *e, const pair_edge *edge)
{
	int a = e->var_of[edge->a], b = e->var_of[edge->b];
	if (a < 0 || b < 0)
		return;
	int rows = e->vars[a].states, cols = e->vars[b].states, *of = NEW_N(e->mem, int, 2);
	double *table = NEW_N(e->mem, double, rows * cols);
	of[0] = a;
	of[1] = b;
	for (int r = 0; r < rows; r++)
		for (int c = 0; c < cols; c++)
			table[r * cols + c] =
				edge_cost(e, edge, e->left->list[edge->a][r], e->left->list[edge->b][c]);
	add_factor(e, (pair_factor){2, of, table, false});
}

/* ---- the order -------------------------------------------------------------------------------------- */

static double table_size(const elimination *e, const variable *v)
{
	double size = v->states;
	for (int i = 0; i < v->beside.len; i++)
		size *= e->vars[v->beside.ptr[i]].states;
	return size;
}

static void place_by_size(elimination *e, number_list *queue, int at)
{
	variable *v = &e->vars[at];
	double size = table_size(e, v);
	int c = 0;
	while (c < SIZE_CLASSES - 1 && size >= 2) {
		size /= 2;
		c++;
	}
	v->size_class = c;
	vec_push(e->mem, &queue[c], at);
}

/* Returns the newest variable of the smallest class, and skips those that have moved to another
 * class since; -1: there is none. */
static int take_smallest(const elimination *e, number_list *queue)
{
	for (int c = 0; c < SIZE_CLASSES; c++)
		while (queue[c].len > 0) {
			int at = queue[c].ptr[--queue[c].len];
			if (!e->vars[at].gone && e->vars[at].size_class == c)
				return at;
		}
	return -1;
}

/* All neighbors of the variable become neighbors of each other. */
static void join_neighbours(elimination *e, number_list *queue, int at)
{
	const variable *v = &e->vars[at];
	for (int i = 0; i < v->beside.len; i++) {
		number_list *l = &e->vars[v->beside.ptr[i]].beside;
		int kept = 0;
		for (int k = 0; k < l->len; k++)
			if (l->ptr[k] != at)
				l->ptr[kept++] = l->ptr[k];
		l->len = kept;
		for (int k = 0; k < v->beside.len; k++)
			if (k != i)
				insert_number(e->mem, l, v->beside.ptr[k]);
		place_by_size(e, queue, v->beside.ptr[i]);
	}
}

/* Returns false if it takes more than `most` additions, or a table has too many variables. */
static bool find_order(elimination *e, double most)
{
	number_list queue[SIZE_CLASSES] = {0};
	double sum = 0;
	int done = 0;
	e->order = NEW_N(e->mem, int, e->n);
	for (int i = e->n - 1; i >= 0; i--)
		place_by_size(e, queue, i);
	for (int at; (at = take_smallest(e, queue)) >= 0;) {
		variable *v = &e->vars[at];
		sum += table_size(e, v);
		if (sum > most || v->beside.len > MOST_TOGETHER)
			return false;
		v->gone = true;
		e->order[done++] = at;
		join_neighbours(e, queue, at);
	}
	return true;
}

/* ---- elimination ------------------------------------------------------------------------------------- */

/* A position in a table of the variable, while the states of the other variables change. */
typedef struct factor_walk {
	const double *at;
	int step;                /* distance between states of the variable */
	int along[MOST_TOGETHER]; /* the same for its neighbors; 0: they are not in the table */
} factor_walk;

static factor_walk walk_of(const elimination *e, const pair_factor *f, int var)
{
	const number_list *beside = &e->vars[var].beside;
	factor_walk w = {.at = f->table};
	int step = 1;
	for (int i = f->n - 1; i >= 0; i--) {
		if (f->of[i] == var)
			w.step = step;
		for (int k = 0; k < beside->len; k++)
			if (beside->ptr[k] == f->of[i])
				w.along[k] = step;
		step *= e->vars[f->of[i]].states;
	}
	return w;
}

/* Starts a walk in each table that the variable is still in. */
static int walks_of(const elimination *e, int var, bool gone, factor_walk **out)
{
	const number_list *in = &e->vars[var].factors;
	int n = 0;
	*out = NEW_N(e->mem, factor_walk, in->len);
	for (int i = 0; i < in->len; i++)
		if (gone || !e->factors.ptr[in->ptr[i]].gone)
			(*out)[n++] = walk_of(e, &e->factors.ptr[in->ptr[i]], var);
	return n;
}

static double least_own(const variable *v, const factor_walk *w, int n, int *state)
{
	double least = 0;
	for (int k = 0; k < v->states; k++) {
		double sum = v->own[k];
		for (int f = 0; f < n; f++)
			sum += w[f].at[k * w[f].step];
		if (!k || sum < least) {
			least = sum;
			*state = k;
		}
	}
	return least;
}

/* Goes to the next choice of the neighbors; the state of the last one varies fastest. */
static void walk_on(const elimination *e, const number_list *beside, factor_walk *w, int n, int *state)
{
	for (int i = beside->len - 1; i >= 0; i--) {
		bool over = ++state[i] == e->vars[beside->ptr[i]].states;
		int by = over ? 1 - state[i] : 1;
		for (int f = 0; f < n; f++)
			w[f].at += by * w[f].along[i];
		if (!over)
			return;
		state[i] = 0;
	}
}

static void eliminate_variable(elimination *e, int var)
{
	variable *v = &e->vars[var];
	factor_walk *walks;
	int n = walks_of(e, var, false, &walks), state[MOST_TOGETHER] = {0}, least;
	size_t size = 1;
	for (int i = 0; i < v->beside.len; i++)
		size *= (size_t)e->vars[v->beside.ptr[i]].states;
	double *table = arena_alloc(e->mem, sizeof(double) * size);
	for (size_t i = 0; i < size; i++) {
		table[i] = least_own(v, walks, n, &least);
		walk_on(e, &v->beside, walks, n, state);
	}
	number_list kept = {0};
	for (int i = 0; i < v->factors.len; i++) {
		pair_factor *f = &e->factors.ptr[v->factors.ptr[i]];
		if (!f->gone)
			vec_push(e->mem, &kept, v->factors.ptr[i]);
		f->gone = true;
	}
	v->factors = kept;
	if (v->beside.len)
		add_factor(e, (pair_factor){v->beside.len, v->beside.ptr, table, false});
}

/* Finds the cheapest state, given those of the variables that were eliminated later. */
static void read_off(elimination *e, int var)
{
	const variable *v = &e->vars[var];
	factor_walk *walks;
	int n = walks_of(e, var, true, &walks);
	for (int f = 0; f < n; f++)
		for (int i = 0; i < v->beside.len; i++)
			walks[f].at += e->chosen[v->beside.ptr[i]] * walks[f].along[i];
	least_own(v, walks, n, &e->chosen[var]);
}

bool pairs_choose_among(const pair_graph *g, double never, const pair_states *left, double most, arena *mem,
                        int *state)
{
	elimination e = {.g = g, .left = left, .never = never, .mem = mem};
	make_variables(&e);
	for (int i = 0; i < g->n_edges; i++)
		note_neighbours(&e, &g->edges[i]);
	if (!find_order(&e, most))
		return false; /* most calls end here, before any cost was looked at */
	fill_own_costs(&e);
	for (int i = 0; i < g->n_edges; i++) {
		add_to_own_costs(&e, &g->edges[i]);
		add_pair_factor(&e, &g->edges[i]);
	}
	for (int i = 0; i < e.n; i++)
		eliminate_variable(&e, e.order[i]);
	e.chosen = NEW_N(mem, int, e.n);
	for (int i = e.n - 1; i >= 0; i--)
		read_off(&e, e.order[i]);
	for (int i = 0; i < g->n; i++)
		state[i] = left->list[i][e.var_of[i] < 0 ? 0 : e.chosen[e.var_of[i]]];
	return true;
}
