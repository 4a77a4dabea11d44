/* uses.c - the edges of a program's model: what it costs to move values to their users.
 *
 * The values that are kept at the place where most is alive count there, too. */
#include "plan/model/nodes.h"

/* Uses that are alike, for which there is one edge. */
typedef struct edge_entry {
	int from, result, to, operand;
	double times;
} edge_entry;

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

/* True for values that compilers compute again, or inside their users, instead of keeping them. */
static bool is_not_kept(const op *o)
{
	return op_has(o, FREE | CONSTANT) || (op_has(o, SIMPLE | MOVES) && o->n_operands <= 1);
}

/* Finds the values that are kept where most is alive, if nothing is sharded: in a training step,
 * what the forward pass computes for the backward pass. */
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

int model_value_number(const plan_model *m, const graph_use *u)
{
	return u->from >= 0 ? m->first_value[m->k->of_op[u->from]] + u->result
	                    : m->first_value[m->k->n_ops] + m->k->of_arg[-1 - u->from];
}

const port *model_source_port(const plan_model *m, const graph_use *u)
{
	if (u->from < 0)
		return &m->nodes.ptr[m->node_of_arg[m->k->of_arg[-1 - u->from]]].out;
	const op *o = m->g->ops[u->from].o;
	int node = m->node_of_op[m->k->of_op[u->from]];
	return op_is_flow(o) ? &m->nodes.ptr[node + u->result].out
	                     : &m->nodes.ptr[node].ports[o->n_operands + u->result];
}

/* Returns the port where the use needs its value; NULL: any layout will do. */
const port *model_target_port(const plan_model *m, const graph_use *u)
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
	int first = o->kind == OP_WHILE ? 0 : o->n_operands; /* of a choice, only what its
							      * branches yield */
	if (u->operand < first || !o->n_results)
		return NULL;
	return &m->nodes.ptr[node + (u->operand - first) % (int)o->n_results].out;
}

/* A use of a value that differs from its other uses. */
typedef struct use_kind {
	const port *to;
	double times;
} use_kind;

typedef struct value_users {
	const port *from;
	double made;   /* how often the value is computed in a step */
	VEC(use_kind) kinds;
} value_users;

static double use_times(const plan_model *m, const graph_use *u)
{
	return u->to >= 0 ? m->g->ops[u->to].times : 1;
}

/* True if it is whole in every state, as constants are: each user that needs a part already has
 * it. */
static bool always_whole(const port *p)
{
	return p->n == 1 && layout_eq(p->list[0], layout_whole());
}

static void note_use_kind(plan_model *m, value_users *v, const graph_use *u)
{
	const port *to = model_target_port(m, u);
	if (!to || always_whole(v->from))
		return;
	for (int i = 0; i < v->kinds.len; i++)
		if (v->kinds.ptr[i].to == to) {
			v->kinds.ptr[i].times += use_times(m, u);
			return;
		}
	vec_push(m->mem, &v->kinds, (use_kind){to, use_times(m, u)});
}

/* Returns how often all operations, or arguments, of a class occur. */
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
		value_users *of = &v[model_value_number(m, u)];
		if (!of->from) {
			of->from = model_source_port(m, u);
			of->made = value_times(m, u);
		}
		note_use_kind(m, of, u);
	}
	return v;
}

/* Lists the layouts that the value has or is needed in. */
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

/* A user that has only one layout does not need a node that holds the value. */
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
		int at = model_add_tensor(m, from.t, l, n, digest_mix(source->key, 12), source->place);
		m->holder[number] = at;
		add_edge(m, &from, &m->nodes.ptr[at].out, v->made);
		from = m->nodes.ptr[at].out;
	}
	for (int i = 0; i < v->kinds.len; i++)
		add_edge(m, &from, v->kinds.ptr[i].to, v->kinds.ptr[i].times);
}

/* A value that is kept where most is alive has the layout in which it is held for its users. */
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

/* The array of nodes moves while nodes are added, so ports that others refer to are copied
 * first. */
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

void model_add_edges(plan_model *m)
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
