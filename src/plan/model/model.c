/* model.c - makes the nodes of a program's model, and the graph that the solver gets. */
#include "plan/model/nodes.h"

#include <stdlib.h>

/* ---- ports ------------------------------------------------------------------------------------------- */

static uint64_t layouts_key(const plan_layout *l, int n)
{
	return hash_bytes(l, sizeof *l * (size_t)n, (uint64_t)n);
}

/* Makes a port from the layouts that the states have, each of them once. */
static port make_port(plan_model *m, int node, const type *t, const plan_layout *each, int states)
{
	plan_layout *list = NEW_N(m->mem, plan_layout, states);
	int *of = NEW_N(m->mem, int, states), n = 0;
	for (int i = 0; i < states; i++) {
		int at = 0;
		while (at < n && !layout_eq(list[at], each[i]))
			at++;
		if (at == n)
			list[n++] = each[i];
		of[i] = at;
	}
	return (port){node, t, n, list, of, layouts_key(list, n)};
}

static int new_node(plan_model *m, int states, digest key, int place)
{
	model_node n = {.states = states, .key = key, .place = place};
	n.seconds = NEW_N(m->mem, double, states);
	n.bytes = NEW_N(m->mem, double, states);
	n.own = NEW_N(m->mem, double, states);
	vec_push(m->mem, &m->nodes, n);
	return m->nodes.len - 1;
}

/* Adds a node whose states are layouts of a tensor. */
int model_add_tensor(plan_model *m, const type *t, const plan_layout *l, int n, digest key,
                     int place)
{
	int at = new_node(m, n, key, place);
	m->nodes.ptr[at].out = make_port(m, at, t, l, n);
	return at;
}

/* ---- the guide ------------------------------------------------------------------------------------------- */

/* Returns what the state of a coarse node decides: factors of its operation, or dimensions of its
 * tensor. */
static settled_axes settled_by(const plan_model *m, int coarse_node)
{
	settled_axes s = all_axes_free();
	if (!m->guide)
		return s;
	const model_node *n = &m->guide->coarse->nodes.ptr[coarse_node];
	int state = m->guide->state[coarse_node];
	const int8_t *at = n->ways ? n->ways[state].factor : n->out.list[n->out.of_state[state]].on;
	for (int a = 0; a < m->mesh->n_axes; a++)
		if (a != m->guide->split && a != m->guide->split + 1)
			s.at[a] = at[a > m->guide->split ? a - 1 : a];
	return s;
}

/* ---- arguments ------------------------------------------------------------------------------------------ */

/* True if the layout agrees with the user's sharding: a closed dimension exactly, an open one at
 * least. */
static bool layout_obeys(const plan_model *m, const sharding *s, plan_layout l)
{
	for (int a = 0; a < m->mesh->n_axes; a++) {
		int wanted = LAYOUT_WHOLE;
		for (int d = 0; d < s->rank; d++)
			for (int i = 0; i < s->dims[d].n_axes; i++)
				if (s->dims[d].axes[i].axis == m->mesh->axes[a].name)
					wanted = d;
		bool free = wanted < 0 && (l.on[a] < 0 || s->dims[l.on[a]].open);
		if (wanted != l.on[a] && !free)
			return false;
	}
	return true;
}

static int allowed_layouts(plan_model *m, const value *v, settled_axes settled, plan_layout **out)
{
	const plan_layout *all;
	int n_all = layouts_of(&m->p, v->type, settled, &all), n = 0;
	*out = NEW_N(m->mem, plan_layout, n_all);
	for (int i = 0; i < n_all; i++)
		if (!v->sharding || v->sharding->rank != v->type->rank ||
		    layout_obeys(m, v->sharding, all[i]))
			(*out)[n++] = all[i];
	if (!n)
		(*out)[n++] = layout_whole();
	return n;
}

/* The next state of an argument that is not donated takes memory in addition. */
static void add_arg_nodes(plan_model *m)
{
	const plan_graph *g = m->g;
	double *times = NEW_N(m->mem, double, m->k->n_args);
	const int *donor = func_donors(g->m, g->main, m->mem);
	for (int i = 0; i < g->n_args; i++)
		times[m->k->of_arg[i]]++;
	for (int i = 0; i < g->n_results; i++)
		if (g->arg_of_result[i] >= 0 && donor[i] != g->arg_of_result[i])
			times[m->k->of_arg[g->arg_of_result[i]]]++;
	const int *coarse = m->guide ? m->guide->coarse->node_of_arg : NULL;
	m->node_of_arg = NEW_N(m->mem, int, m->k->n_args);
	for (int c = 0; c < m->k->n_args; c++) {
		const value *v = op_body(g->main)->args[m->k->args[c].first];
		plan_layout *l;
		int n = allowed_layouts(m, v, settled_by(m, coarse ? coarse[c] : 0), &l);
		int at = model_add_tensor(m, v->type, l, n, m->k->args[c].key, -1);
		m->node_of_arg[c] = at;
		for (int i = 0; i < n; i++)
			m->nodes.ptr[at].bytes[i] = times[c] * layout_bytes(&m->p, v->type, l[i]);
	}
}

static void add_output_nodes(plan_model *m)
{
	const plan_graph *g = m->g;
	m->node_of_result = NEW_N(m->mem, int, g->n_results);
	for (int i = 0; i < g->n_results; i++) {
		const plan_layout *l;
		const type *t = graph_result(g, i)->v->type;
		m->node_of_result[i] = -1;
		if (g->arg_of_result[i] >= 0 || !type_is_tensor(t) || !t->is_static)
			continue;
		int coarse = m->guide ? m->guide->coarse->node_of_result[i] : 0;
		int n = layouts_of(&m->p, t, settled_by(m, coarse), &l);
		int at = model_add_tensor(m, t, l, n, (digest){11, (uint64_t)i}, g->n_ops);
		m->node_of_result[i] = at;
		for (int s = 0; s < n; s++)
			m->nodes.ptr[at].bytes[s] = layout_bytes(&m->p, t, l[s]);
	}
}

/* ---- operations ------------------------------------------------------------------------------------------- */

static void add_strategy_node(plan_model *m, int c, const sharding_rule *r)
{
	const op_class *of = &m->k->ops[c];
	const op *o = m->g->ops[of->first].o;
	strategies s;
	int coarse = m->guide ? m->guide->coarse->node_of_op[c] : 0;
	strategies_of(&m->p, o, r, &m->works->of[c], settled_by(m, coarse), &s);
	int at = new_node(m, s.n, of->key, of->first), n = s.n_operands + s.n_results;
	plan_layout *each = NEW_N(m->mem, plan_layout, s.n);
	model_node *node = &m->nodes.ptr[at];
	node->ports = NEW_N(m->mem, port, n);
	node->ways = s.ptr;
	for (int t = 0; t < n; t++) {
		for (int i = 0; i < s.n; i++)
			each[i] = strategy_layout(&s, i, t);
		const type *type = t < s.n_operands ? operand(o, t)->type : result(o, t - s.n_operands)->type;
		node->ports[t] = make_port(m, at, type, each, s.n);
	}
	for (int i = 0; i < s.n; i++)
		node->seconds[i] = of->times * s.ptr[i].seconds;
	m->node_of_op[c] = at;
}

/* Each result of a loop or choice is a tensor with a layout. */
static void add_flow_nodes(plan_model *m, int c)
{
	const op_class *of = &m->k->ops[c];
	const op *o = m->g->ops[of->first].o;
	m->node_of_op[c] = m->nodes.len;
	for (int i = 0; i < (int)o->n_results; i++) {
		const plan_layout *l;
		int coarse = m->guide ? m->guide->coarse->node_of_op[c] + i : 0;
		int n = layouts_of(&m->p, result(o, i)->type, settled_by(m, coarse), &l);
		model_add_tensor(m, result(o, i)->type, l, n, digest_mix(of->key, (uint64_t)i), of->first);
	}
}

static void add_op_nodes(plan_model *m)
{
	m->node_of_op = NEW_N(m->mem, int, m->k->n_ops);
	for (int c = 0; c < m->k->n_ops; c++) {
		const op *o = m->g->ops[m->k->ops[c].first].o;
		if (op_is_flow(o))
			add_flow_nodes(m, c);
		else
			add_strategy_node(m, c, op_rule_shared(m->g->m, o, RULE_BEYOND_SHARDY, m->mem));
	}
}

/* ---- what the solver sees ------------------------------------------------------------------------------ */

typedef struct node_place {
	int node, place;
} node_place;

static int by_place(const void *a, const void *b)
{
	const node_place *x = a, *y = b;
	return x->place != y->place ? (x->place < y->place ? -1 : 1) : (x->node > y->node) - (x->node < y->node);
}

/* Returns an edge whose nodes are visited in the other order. */
static pair_edge turned_edge(pair_edge e, const edge_table *t)
{
	return (pair_edge){e.b, e.a, e.cols, e.rows, e.col, e.row, t->turned, e.times};
}

/* Messages are passed along the program: a node that holds a value comes after the one that
 * computes it. */
static void order_nodes(plan_model *m)
{
	int n = m->nodes.len;
	node_place *order = NEW_N(m->mem, node_place, n);
	int *states = NEW_N(m->mem, int, n);
	const double **own = NEW_N(m->mem, const double *, n);
	m->rank = NEW_N(m->mem, int, n);
	for (int i = 0; i < n; i++)
		order[i] = (node_place){i, m->nodes.ptr[i].place};
	qsort(order, (size_t)n, sizeof *order, by_place);
	for (int i = 0; i < n; i++) {
		m->rank[order[i].node] = i;
		states[i] = m->nodes.ptr[order[i].node].states;
		own[i] = m->nodes.ptr[order[i].node].own;
	}
	for (int i = 0; i < m->edges.len; i++) {
		pair_edge *e = &m->edges.ptr[i];
		e->a = m->rank[e->a];
		e->b = m->rank[e->b];
		if (e->a > e->b)
			*e = turned_edge(*e, m->tables.ptr[i]);
	}
	m->pairs = (pair_graph){n, states, own, m->edges.len, m->edges.ptr};
}

/* Axes of one size on equal links can be exchanged in every solution, and the messages of all of
 * them together prefer none. A little noise does, the same in every run. */
static const double NOISE = 4e-6; /* relative to the least time of all work */

static double least_work(const plan_model *m)
{
	double sum = 0;
	for (int i = 0; i < m->nodes.len; i++) {
		const model_node *n = &m->nodes.ptr[i];
		double least = n->seconds[0];
		for (int s = 1; s < n->states; s++)
			least = n->seconds[s] < least ? n->seconds[s] : least;
		sum += least;
	}
	return sum;
}

/* ---- the model -------------------------------------------------------------------------------------------------- */

plan_model *model_new(const plan_graph *g, const plan_classes *k, const plan_works *works,
                      const mesh *mesh, const model_guide *guide, arena *mem)
{
	if (!mesh->n_axes || mesh->n_axes > PLAN_AXES)
		return NULL;
	plan_model *m = NEW(mem, plan_model);
	m->g = g;
	m->k = k;
	m->mesh = mesh;
	m->guide = guide;
	m->mem = mem;
	m->works = works;
	pricer_init(&m->p, works->t, mesh, mem);
	add_arg_nodes(m);
	add_op_nodes(m);
	add_output_nodes(m);
	model_add_edges(m);
	order_nodes(m);
	m->noise = NOISE * least_work(m);
	m->solver = pair_solver_new(&m->pairs, mem);
	return m;
}

const pair_graph *model_pairs(const plan_model *m) { return &m->pairs; }
