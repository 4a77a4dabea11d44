/* model.c - nodes and edges of a program's model.
 *
 * A node offers ports: one for each tensor that it takes or gives, with the layouts that occur there and
 * which of them each of its states has.  An edge joins two ports of tensors of one type.  The table of an
 * edge depends on the type and the two lists of layouts only, and most edges share theirs with others.
 *
 * A value with several kinds of users gets a node of its own, so that it is gathered once for all of
 * them: who needs a part slices it from the whole for nothing. */
#include "plan/model/model.h"

#include "plan/model/strategy.h"

#include <math.h>
#include <stdlib.h>

/* Layouts at one tensor of a node. */
typedef struct port {
	int node;
	const type *t;
	int n;                   /* different layouts */
	const plan_layout *list; /* [n] */
	const int *of_state;     /* [states of the node] */
	uint64_t key;            /* of the list */
} port;

typedef struct model_node {
	int states;
	double *seconds; /* [states] of all runs */
	double *bytes;   /* [states] where memory is fullest */
	double *own;     /* [states] what the solver sees */
	port out;        /* of a node that is one tensor */
	port *ports;     /* of an operation: operands, then results */
	const strategy *ways; /* of an operation: [states] */
	digest key;
	int place; /* nodes are visited in the order of their places, then as they were made */
} model_node;

typedef struct edge_table {
	const type *t;
	const port *from, *to; /* the first that needed it */
	double *price, *turned;
} edge_table;

/* Uses that are alike, of which there is one edge. */
typedef struct edge_entry {
	int from, result, to, operand;
	double times;
} edge_entry;

struct plan_model {
	const plan_graph *g;
	const plan_classes *k;
	const plan_works *works;
	const mesh *mesh;
	const model_guide *guide; /* NULL: none */
	arena *mem;
	pricer p;
	VEC(model_node) nodes;
	VEC(pair_edge) edges;
	VEC(const edge_table *) tables; /* of each edge, in the same order */
	int *node_of_arg;    /* [classes of arguments] */
	int *node_of_op;     /* [classes of operations]; of control: of its first result */
	int *node_of_result; /* [results of main] those that are no state; -1 */
	int *holder;         /* where a value is held for its users: by first_value[class] + result; -1 */
	int *first_value;    /* [classes of operations + 1]; values of arguments come behind */
	cons_tab shared;     /* edge_table */
	bool *alive;         /* [graph's ops] the result is kept where memory is fullest */
	int *rank;           /* [nodes] in the order in which the solver visits them */
	pair_graph pairs;    /* in that order */
	pair_solver *solver;
	double noise;        /* seconds */
};

/* ---- ports ------------------------------------------------------------------------------------------- */

static uint64_t layouts_key(const plan_layout *l, int n)
{
	return hash_bytes(l, sizeof *l * (size_t)n, (uint64_t)n);
}

/* Of the layouts that the states have, each once. */
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

/* A node that is where a tensor lies. */
static int add_tensor_node(plan_model *m, const type *t, const plan_layout *l, int n, digest key,
                           int place)
{
	int at = new_node(m, n, key, place);
	m->nodes.ptr[at].out = make_port(m, at, t, l, n);
	return at;
}

/* ---- the guide ------------------------------------------------------------------------------------------- */

/* What a coarse node's state settles: factors of its operation, or dimensions of its tensor. */
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

/* Whether the layout is what the user's sharding allows: what is closed exactly, what is open at least. */
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

/* Of a state that is not donated, the next one lies beside it. */
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
		int at = add_tensor_node(m, v->type, l, n, m->k->args[c].key, -1);
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
		int at = add_tensor_node(m, t, l, n, (digest){11, (uint64_t)i}, g->n_ops);
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

/* A loop or a choice: each of its results is a tensor that lies somewhere. */
static void add_flow_nodes(plan_model *m, int c)
{
	const op_class *of = &m->k->ops[c];
	const op *o = m->g->ops[of->first].o;
	m->node_of_op[c] = m->nodes.len;
	for (int i = 0; i < (int)o->n_results; i++) {
		const plan_layout *l;
		int coarse = m->guide ? m->guide->coarse->node_of_op[c] + i : 0;
		int n = layouts_of(&m->p, result(o, i)->type, settled_by(m, coarse), &l);
		add_tensor_node(m, result(o, i)->type, l, n, digest_mix(of->key, (uint64_t)i), of->first);
	}
}

static bool op_is_flow(const op *o) { return op_has(o, CONTROL); }

static void add_op_nodes(plan_model *m)
{
	rule_memo rules = {.m = m->g->m, .mem = m->mem, .flags = RULE_BEYOND_SHARDY};
	m->node_of_op = NEW_N(m->mem, int, m->k->n_ops);
	for (int c = 0; c < m->k->n_ops; c++) {
		const op *o = m->g->ops[m->k->ops[c].first].o;
		if (op_is_flow(o))
			add_flow_nodes(m, c);
		else
			add_strategy_node(m, c, rule_memo_get(&rules, o, m->mem));
	}
}

/* ---- memory -------------------------------------------------------------------------------------------------- */

static int *last_uses(const plan_graph *g, arena *mem)
{
	int *last = NEW_N(mem, int, g->n_ops);
	for (int i = 0; i < g->n_ops; i++) {
		last[i] = i;
		for (int k = 0; k < g->ops[i].n_users; k++) {
			const graph_use *u = &g->uses[g->users[g->ops[i].users + k]];
			last[i] = u->to > last[i] ? u->to : last[i];
		}
	}
	return last;
}

static double result_bytes_of(const op *o)
{
	double sum = 0;
	for (int i = 0; i < (int)o->n_results; i++)
		sum += (double)max_i64(type_bytes(o->results[i].type), 0);
	return sum;
}

/* Compilers rather compute it again, or inside of who reads it, than keep it. */
static bool is_not_kept(const op *o)
{
	return op_has(o, FREE | CONSTANT) || (op_has(o, SIMPLE | MOVES) && o->n_operands <= 1);
}

/* Finds what is kept where most is, all being whole: in a training step what forward computes for
 * backward. */
static void find_alive(plan_model *m)
{
	const plan_graph *g = m->g;
	const int *last = last_uses(g, m->mem);
	double *ends = NEW_N(m->mem, double, g->n_ops + 1), now = 0, most = -1;
	int at = 0;
	m->alive = NEW_N(m->mem, bool, g->n_ops);
	for (int i = 0; i < g->n_ops; i++) {
		double bytes = is_not_kept(g->ops[i].o) ? 0 : result_bytes_of(g->ops[i].o);
		now += bytes - ends[i];
		ends[last[i] + 1] += bytes;
		if (now > most) {
			most = now;
			at = i;
		}
	}
	for (int i = 0; i <= at && i < g->n_ops; i++)
		m->alive[i] = last[i] >= at && !is_not_kept(g->ops[i].o);
}

static void add_bytes(plan_model *m, const port *p, double times)
{
	model_node *n = &m->nodes.ptr[p->node];
	for (int i = 0; i < n->states; i++)
		n->bytes[i] += times * layout_bytes(&m->p, p->t, p->list[p->of_state[i]]);
}

/* ---- edges ---------------------------------------------------------------------------------------------------- */

static bool table_fits(const void *obj, const void *key)
{
	const edge_table *a = obj, *b = key;
	return a->t == b->t && a->from->n == b->from->n && a->to->n == b->to->n &&
	       !memcmp(a->from->list, b->from->list, sizeof(plan_layout) * (size_t)a->from->n) &&
	       !memcmp(a->to->list, b->to->list, sizeof(plan_layout) * (size_t)a->to->n);
}

static const edge_table *table_of(plan_model *m, const port *from, const port *to)
{
	edge_table key = {.t = from->t, .from = from, .to = to};
	uint64_t h = hash_mix(hash_mix(from->key, to->key), from->t->hash);
	edge_table *found = cons_find(&m->shared, h, table_fits, &key);
	if (found)
		return found;
	found = NEW(m->mem, edge_table);
	*found = key;
	found->from = arena_copy(m->mem, from, sizeof *from);
	found->to = arena_copy(m->mem, to, sizeof *to);
	found->price = NEW_N(m->mem, double, from->n * to->n);
	found->turned = NEW_N(m->mem, double, from->n * to->n);
	for (int i = 0; i < from->n; i++)
		for (int k = 0; k < to->n; k++)
			found->price[i * to->n + k] = found->turned[k * from->n + i] =
				layout_price(&m->p, from->t, from->list[i], to->list[k]);
	cons_add(&m->shared, m->mem, h, found);
	return found;
}

static void add_self_cost(plan_model *m, const port *from, const port *to, const edge_table *t,
                          double times)
{
	model_node *n = &m->nodes.ptr[from->node];
	for (int i = 0; i < n->states; i++) {
		double price = t->price[from->of_state[i] * to->n + to->of_state[i]];
		n->seconds[i] += price >= PAIR_NEVER ? PAIR_NEVER : times * price;
	}
}

static void add_edge(plan_model *m, const port *from, const port *to, double times)
{
	if (from->t != to->t || times <= 0)
		return;
	const edge_table *t = table_of(m, from, to);
	if (from->node == to->node)
		add_self_cost(m, from, to, t, times);
	else
		vec_push(m->mem, &m->edges,
		         (pair_edge){from->node, to->node, from->n, to->n, from->of_state, to->of_state,
		                     t->price, times});
	if (from->node != to->node)
		vec_push(m->mem, &m->tables, t);
}

/* ---- values and their users ------------------------------------------------------------------------------------ */

/* A value of a class: result `r` of a class of operations, or a class of arguments. */
static int value_number(const plan_model *m, const graph_use *u)
{
	return u->from >= 0 ? m->first_value[m->k->of_op[u->from]] + u->result
	                    : m->first_value[m->k->n_ops] + m->k->of_arg[-1 - u->from];
}

static const port *source_port(const plan_model *m, const graph_use *u)
{
	if (u->from < 0)
		return &m->nodes.ptr[m->node_of_arg[m->k->of_arg[-1 - u->from]]].out;
	const op *o = m->g->ops[u->from].o;
	int node = m->node_of_op[m->k->of_op[u->from]];
	return op_is_flow(o) ? &m->nodes.ptr[node + u->result].out
	                     : &m->nodes.ptr[node].ports[o->n_operands + u->result];
}

/* Where the use needs it; NULL: it does not matter. */
static const port *target_port(const plan_model *m, const graph_use *u)
{
	const plan_graph *g = m->g;
	if (u->to < 0) {
		int r = -1 - u->to, a = g->arg_of_result[r];
		int node = a >= 0 ? m->node_of_arg[m->k->of_arg[a]] : m->node_of_result[r];
		return node < 0 ? NULL : &m->nodes.ptr[node].out;
	}
	const op *o = g->ops[u->to].o;
	int node = m->node_of_op[m->k->of_op[u->to]];
	if (!op_is_flow(o))
		return &m->nodes.ptr[node].ports[u->operand];
	int first = o->kind == OP_WHILE ? 0 : o->n_operands; /* of a choice only what its branches yield */
	if (u->operand < first || !o->n_results)
		return NULL;
	return &m->nodes.ptr[node + (u->operand - first) % (int)o->n_results].out;
}

/* A use that differs from others of its value. */
typedef struct use_kind {
	const port *to;
	double times;
} use_kind;

typedef struct value_users {
	const port *from;
	double made;   /* how often the value is computed, in all */
	VEC(use_kind) kinds;
} value_users;

static double use_times(const plan_model *m, const graph_use *u)
{
	return u->to >= 0 ? m->g->ops[u->to].times : 1;
}

/* Whole in every state, as constants are: whoever needs a part has it. */
static bool always_whole(const port *p)
{
	return p->n == 1 && layout_eq(p->list[0], layout_whole());
}

static void note_use_kind(plan_model *m, value_users *v, const graph_use *u)
{
	const port *to = target_port(m, u);
	if (!to || always_whole(v->from))
		return;
	for (int i = 0; i < v->kinds.len; i++)
		if (v->kinds.ptr[i].to == to) {
			v->kinds.ptr[i].times += use_times(m, u);
			return;
		}
	vec_push(m->mem, &v->kinds, (use_kind){to, use_times(m, u)});
}

/* How often all operations, or arguments, of a class are there. */
static double value_times(const plan_model *m, const graph_use *u)
{
	return u->from >= 0 ? m->k->ops[m->k->of_op[u->from]].times
	                    : m->k->args[m->k->of_arg[-1 - u->from]].n;
}

static value_users *list_value_users(plan_model *m, int n)
{
	const plan_graph *g = m->g;
	value_users *v = NEW_N(m->mem, value_users, n);
	for (int i = 0; i < g->n_uses; i++) {
		const graph_use *u = &g->uses[i];
		if (u->from == GRAPH_NOWHERE)
			continue;
		value_users *of = &v[value_number(m, u)];
		if (!of->from) {
			of->from = source_port(m, u);
			of->made = value_times(m, u);
		}
		note_use_kind(m, of, u);
	}
	return v;
}

/* The layouts that the value has or is needed in. */
static int held_layouts(plan_model *m, const value_users *v, plan_layout **out)
{
	int n = 0, all = v->from->n;
	for (int i = 0; i < v->kinds.len; i++)
		all += v->kinds.ptr[i].to->n;
	*out = NEW_N(m->mem, plan_layout, all);
	for (int i = -1; i < v->kinds.len; i++) {
		const port *p = i < 0 ? v->from : v->kinds.ptr[i].to;
		for (int k = 0; k < p->n; k++) {
			int at = 0;
			while (at < n && !layout_eq((*out)[at], p->list[k]))
				at++;
			if (at == n)
				(*out)[n++] = p->list[k];
		}
	}
	return n;
}

/* A port with one layout only needs nobody to hold the value for it. */
static bool wants_holder(const value_users *v)
{
	int n = 0;
	for (int i = 0; i < v->kinds.len; i++)
		n += v->kinds.ptr[i].to->n > 1;
	return n > 1;
}

static void add_value_edges(plan_model *m, value_users *v, int number)
{
	m->holder[number] = -1;
	if (!v->from)
		return;
	port from = *v->from;
	if (wants_holder(v)) {
		plan_layout *l;
		int n = held_layouts(m, v, &l);
		const model_node *source = &m->nodes.ptr[from.node];
		int at = add_tensor_node(m, from.t, l, n, digest_mix(source->key, 12), source->place);
		m->holder[number] = at;
		add_edge(m, &from, &m->nodes.ptr[at].out, v->made);
		from = m->nodes.ptr[at].out;
	}
	for (int i = 0; i < v->kinds.len; i++)
		add_edge(m, &from, v->kinds.ptr[i].to, v->kinds.ptr[i].times);
}

/* What is kept where memory is fullest lies as its users hold it. */
static void add_kept_bytes(plan_model *m, const value_users *v)
{
	double *kept = NEW_N(m->mem, double, m->k->n_ops);
	for (int i = 0; i < m->g->n_ops; i++)
		if (m->alive[i] && !op_is_flow(m->g->ops[i].o))
			kept[m->k->of_op[i]]++;
	for (int c = 0; c < m->k->n_ops; c++) {
		const op *o = m->g->ops[m->k->ops[c].first].o;
		for (int r = 0; kept[c] > 0 && r < (int)o->n_results; r++) {
			int number = m->first_value[c] + r, at = m->holder[number];
			if (v[number].from)
				add_bytes(m, at >= 0 ? &m->nodes.ptr[at].out : v[number].from, kept[c]);
		}
	}
}

static int number_model_values(plan_model *m)
{
	int n = 0;
	m->first_value = NEW_N(m->mem, int, m->k->n_ops + 1);
	for (int c = 0; c < m->k->n_ops; c++) {
		m->first_value[c] = n;
		n += (int)m->g->ops[m->k->ops[c].first].o->n_results;
	}
	m->first_value[m->k->n_ops] = n;
	return n + m->k->n_args;
}

/* The nodes' array moves while nodes are added: ports that others point to are copied out first. */
static void pin_ports(plan_model *m, value_users *v, int n)
{
	for (int i = 0; i < n; i++) {
		if (!v[i].from)
			continue;
		v[i].from = arena_copy(m->mem, v[i].from, sizeof(port));
		for (int k = 0; k < v[i].kinds.len; k++)
			v[i].kinds.ptr[k].to = arena_copy(m->mem, v[i].kinds.ptr[k].to, sizeof(port));
	}
}

static void add_edges_of_values(plan_model *m)
{
	int n = number_model_values(m);
	value_users *v = list_value_users(m, n);
	pin_ports(m, v, n);
	m->holder = NEW_N(m->mem, int, n);
	for (int i = 0; i < n; i++)
		add_value_edges(m, &v[i], i);
	find_alive(m);
	add_kept_bytes(m, v);
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

/* An edge whose nodes are visited the other way round. */
static pair_edge turned_edge(pair_edge e, const edge_table *t)
{
	return (pair_edge){e.b, e.a, e.cols, e.rows, e.col, e.row, t->turned, e.times};
}

/* Messages go along the program: who holds a value comes behind who makes it. */
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

/* Axes of one size on equal links can be exchanged in every solution, and messages of all together prefer
 * none.  A little noise does, the same in every run. */
static const double NOISE = 4e-6; /* of what all work takes at least */

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
	if (!mesh->n_axes || mesh->n_axes > LAYOUT_AXES)
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
	add_edges_of_values(m);
	order_nodes(m);
	m->noise = NOISE * least_work(m);
	m->solver = pair_solver_new(&m->pairs, mem);
	return m;
}

const pair_graph *model_pairs(const plan_model *m) { return &m->pairs; }

model_size model_size_of(const plan_model *m)
{
	model_size s = {.nodes = m->nodes.len, .edges = m->edges.len};
	for (int i = 0; i < m->nodes.len; i++)
		s.most_states = m->nodes.ptr[i].states > s.most_states ? m->nodes.ptr[i].states
		                                                       : s.most_states;
	for (int i = 0; i < m->edges.len; i++)
		s.entries += (int64_t)m->edges.ptr[i].rows * m->edges.ptr[i].cols;
	return s;
}

/* ---- solutions ---------------------------------------------------------------------------------------------------- */

static double state_noise(const plan_model *m, const model_node *n, int state)
{
	digest d = digest_mix(n->key, (uint64_t)state);
	return m->noise * (double)(d.b >> 11) / 9007199254740992.0;
}

static void set_own_costs(plan_model *m, double lambda, bool noise)
{
	for (int i = 0; i < m->nodes.len; i++) {
		model_node *n = &m->nodes.ptr[i];
		for (int s = 0; s < n->states; s++)
			n->own[s] = n->seconds[s] + lambda * n->bytes[s] +
			            (noise ? state_noise(m, n, s) : 0);
	}
}

/* With noise first; what is learned so holds without it, too, so that the bound is of the costs as they
 * are. */
void model_solve(plan_model *m, double lambda, int sweeps, model_solution *out)
{
	enum { LAST_SWEEPS = 3 };
	static const double GAP = 1e-4;
	pair_solution noisy, s;
	set_own_costs(m, lambda, true);
	pair_solve(m->solver, sweeps, GAP / 2, &noisy);
	set_own_costs(m, lambda, false);
	pair_solve(m->solver, LAST_SWEEPS, GAP / 2, &s);
	double energy = pair_energy(&m->pairs, noisy.state), bytes = 0;
	bool better = energy < s.energy;
	int *state = NEW_N(m->mem, int, m->nodes.len);
	for (int i = 0; i < m->nodes.len; i++) {
		state[i] = (better ? noisy : s).state[m->rank[i]];
		bytes += m->nodes.ptr[i].bytes[state[i]];
	}
	energy = better ? energy : s.energy;
	*out = (model_solution){.bytes = bytes,
	                        .energy = energy,
	                        .seconds = energy - lambda * bytes,
	                        .bound = s.bound,
	                        .sweeps = noisy.sweeps + s.sweeps,
	                        .state = state};
}

double model_solve_within(plan_model *m, double bytes, int sweeps, model_solution *out)
{
	enum { STEPS = 7 };
	double low = 0, high = 0;
	model_solve(m, 0, sweeps, out);
	if (out->bytes <= bytes)
		return 0;
	model_solution now;
	for (double lambda = 1e-13; lambda < 1e-7; lambda *= 8) {
		model_solve(m, lambda, sweeps, &now);
		high = lambda;
		if (now.bytes <= bytes)
			break;
		low = lambda;
	}
	*out = now;
	for (int i = 0; i < STEPS && now.bytes <= bytes && high > 1.1 * low; i++) {
		double middle = low > 0 ? sqrt(low * high) : high / 4;
		model_solution trial;
		model_solve(m, middle, sweeps, &trial);
		if (trial.bytes <= bytes) {
			high = middle;
			*out = now = trial;
		} else {
			low = middle;
		}
	}
	return high;
}

/* ---- shardings ------------------------------------------------------------------------------------------------------ */

static const sharding *node_sharding(const plan_model *m, const model_solution *s, const port *p,
                                     mesh_ref ref)
{
	plan_layout l = p->list[p->of_state[s->state[p->node]]];
	if (!type_is_tensor(p->t) || !p->t->is_static || layout_is_partial(l))
		return NULL;
	return layout_sharding(m->g->m->ctx, m->mesh, ref, p->t->rank, l);
}

/* A value lies as its operation gives it; what has terms, as its users hold it. */
static const sharding *value_sharding_of(const plan_model *m, const model_solution *s, int op, int r,
                                         mesh_ref ref)
{
	graph_use u = {.from = op, .result = r};
	const sharding *own = node_sharding(m, s, source_port(m, &u), ref);
	int at = m->holder[value_number(m, &u)];
	return own || at < 0 ? own : node_sharding(m, s, &m->nodes.ptr[at].out, ref);
}

/* Whether the use needs another layout than its operand has. */
static bool use_changes_layout(const plan_model *m, const model_solution *s, const graph_use *u)
{
	const port *from = u->from == GRAPH_NOWHERE ? NULL : source_port(m, u), *to = target_port(m, u);
	return from && to &&
	       !layout_eq(from->list[from->of_state[s->state[from->node]]],
	                  to->list[to->of_state[s->state[to->node]]]);
}

static void mark_changes(const plan_model *m, const model_solution *s, bool *changes)
{
	const plan_graph *g = m->g;
	for (int i = 0; i < g->n_uses; i++) {
		const graph_use *u = &g->uses[i];
		if (!use_changes_layout(m, s, u))
			continue;
		if (u->from >= 0)
			changes[g->ops[u->from].o->id] = true;
		if (u->to >= 0)
			changes[g->ops[u->to].o->id] = true;
	}
}

void model_shardings_of(plan_model *m, const model_solution *s, mesh_ref ref, arena *mem,
                        model_shardings *out)
{
	const plan_graph *g = m->g;
	out->arg = NEW_N(mem, const sharding *, g->n_args);
	out->result = NEW_N(mem, const sharding *, g->n_results);
	out->value = NEW_N(mem, const sharding *, g->m->n_values);
	out->changes = NEW_N(mem, bool, g->m->n_ops);
	mark_changes(m, s, out->changes);
	for (int i = 0; i < g->n_args; i++) {
		const model_node *n = &m->nodes.ptr[m->node_of_arg[m->k->of_arg[i]]];
		out->arg[i] = node_sharding(m, s, &n->out, ref);
		out->value[op_body(g->main)->args[i]->id] = out->arg[i];
	}
	for (int i = 0; i < g->n_results; i++) {
		int a = g->arg_of_result[i], node = m->node_of_result[i];
		out->result[i] = a >= 0      ? out->arg[a]
		                 : node >= 0 ? node_sharding(m, s, &m->nodes.ptr[node].out, ref)
		                             : NULL;
	}
	for (int i = 0; i < g->n_ops; i++) {
		const op *o = g->ops[i].o;
		for (int r = 0; op_parent(o) == g->main && r < (int)o->n_results; r++)
			out->value[result(o, r)->id] = value_sharding_of(m, s, i, r, ref);
	}
}
