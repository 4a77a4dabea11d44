/* graph.c - builds nodes, slots, and the lists of nodes that a change wakes.
 *
 * The order is that of Shardy's notifyShardingModified() in basic_propagation.cc. A value that gets
 * a new sharding wakes the users of the other targets of its edge, then the op that defines it,
 * then its users, newest use first. A use by a terminator wakes the nodes of the value into which
 * it flows. */
#include "propagate/graph.h"

typedef struct graph_maker {
	graph *g;
	VEC(uint32_t) func_edges; /* nodes whose sources are known once all calls are */
	op **first_caller, **next_caller, **last_caller; /* by op id; NULL: no calls */
	uint32_t *followed, round; /* by value id: last round in which its users were added */
} graph_maker;

/* ---- nodes ------------------------------------------------------------------------ */

uint32_t bearer_slot(value *v)
{
	if (value_def(v) && !op_has(value_def(v), DATA_FLOW))
		return value_slot(v);
	const value *bearer = value_shardable(v);
	return bearer ? value_slot(bearer) : SLOT_NONE;
}

static bool is_offload(const op *o)
{
	const attr *target = op_attr(o, N_call_target_name);
	return target && target->text &&
	       (str_is(name_str(target->text), "MoveToDevice") ||
	        str_is(name_str(target->text), "MoveToHost"));
}

static node_class classify_node(const op *o)
{
	enum { BY_TRAITS }; /* of ops that are not listed */
	static const uint8_t listed[OP_COUNT] = {
		[OP_SDY_PROPAGATION_BARRIER] = 1 + NODE_FIXED,
		[OP_RESHAPE] = 1 + NODE_THROUGH,
		[OP_TRANSPOSE] = 1 + NODE_THROUGH,
		[OP_DYNAMIC_SLICE] = 1 + NODE_WINDOW,
		[OP_DYNAMIC_UPDATE_SLICE] = 1 + NODE_WINDOW,
		[OP_BROADCAST_IN_DIM] = 1 + NODE_BROADCAST,
		[OP_FUNC_FUNC] = 1 + NODE_INERT,
		[OP_FUNC_CALL] = 1 + NODE_INERT,
		[OP_SDY_MESH] = 1 + NODE_INERT,
		[OP_SDY_SHARDING_GROUP] = 1 + NODE_INERT,
		[OP_IOTA] = 1 + NODE_INERT,
	};
	if (o->kind == OP_CUSTOM_CALL)
		return is_offload(o) ? NODE_THROUGH : NODE_OTHER;
	if (op_has(o, EDGE))
		return result(o, 0)->type->is_static ? NODE_THROUGH : NODE_INERT;
	if (listed[o->kind] != BY_TRAITS)
		return (node_class)(listed[o->kind] - 1);
	if (op_has(o, TERMINATOR | CONSTANT | DATA_FLOW))
		return NODE_INERT;
	return op_is_elementwise(o) ? NODE_THROUGH : NODE_OTHER;
}

static void add_tensor(graph *g, value *v)
{
	vec_push(g->mem, &g->tensors, v ? bearer_slot(v) : SLOT_NONE);
}

static void add_sources(graph *g, const value *owner)
{
	const use *source;
	for (int i = 0; (source = flow_source(owner, i)); i++)
		add_tensor(g, source->value);
}

/* The sources of a function's edge: what callers pass for an argument, or what the callee
 * returns. */
static void add_func_sources(graph_maker *k, const op *edge)
{
	const value *owner = operand(edge, 0);
	if (!value_def(owner)) {
		const op *func = value_op(owner);
		for (op *c = k->first_caller ? k->first_caller[func->id] : NULL; c;
		     c = k->next_caller[c->id])
			add_tensor(k->g, operand(c, (int)owner->index));
		return;
	}
	const attr *callee = op_attr(value_def(owner), N_callee);
	const op *func = callee ? module_lookup(k->g->m, callee->text) : NULL;
	op *end = func && op_body(func) ? block_terminator(op_body(func)) : NULL;
	if (end && (int)owner->index < end->n_operands)
		add_tensor(k->g, operand(end, (int)owner->index));
}

static bool crosses_manual_axes(const op *o)
{
	if (o->kind != OP_SDY_DATA_FLOW_EDGE)
		return false;
	const value *owner = operand(o, 0);
	const op *parent = value_op(owner);
	if (parent->kind != OP_SDY_MANUAL_COMPUTATION)
		return false;
	const attr *axes = op_attr(parent, N_manual_axes);
	return axes && axes->n > 0;
}

static void add_tensors(graph_maker *k, node *n)
{
	graph *g = k->g;
	const op *o = n->op;
	n->tensors = (uint32_t)g->tensors.len;
	vec_push(g->mem, &g->tensors, 0);
	if (o->kind == OP_SDY_DATA_FLOW_EDGE)
		add_sources(g, operand(o, 0));
	else if (o->kind == OP_SDY_FUNC_DATA_FLOW_EDGE)
		add_func_sources(k, o);
	else
		for (int i = 0; i < o->n_operands; i++)
			add_tensor(g, operand(o, i));
	int n_operands = g->tensors.len - (int)n->tensors - 1;
	for (int i = 0; i < o->n_results; i++)
		add_tensor(g, result(o, i));
	g->tensors.ptr[n->tensors] = (uint32_t)(n_operands + o->n_results);
	if (!o->n_results || !n_operands)
		n->class = NODE_INERT; /* a rule has operands and results */
}

static void add_node(graph_maker *k, op *o)
{
	graph *g = k->g;
	node *n = &g->nodes[g->n_ops];
	g->node_of[o->id] = g->n_ops++;
	n->op = o;
	n->class = (uint8_t)classify_node(o);
	n->own_rule = o->attrs.n && op_attr(o, N_sdy_sharding_rule);
	g->own_rules = g->own_rules || n->own_rule;
	if (n->class == NODE_INERT)
		return;
	n->elementwise = op_is_elementwise(o);
	n->manual = crosses_manual_axes(o);
	if (o->kind == OP_SDY_FUNC_DATA_FLOW_EDGE)
		vec_push(g->mem, &k->func_edges, g->n_ops - 1);
	else
		add_tensors(k, n);
}

/* The nodes that join what main returns with its results. */
static void add_result_nodes(graph *g)
{
	op *end = g->main ? block_terminator(op_body(g->main)) : NULL;
	g->n_nodes = g->n_ops;
	for (int i = 0; end && i < end->n_operands && i < op_func(g->main)->type->n_out; i++) {
		node *n = &g->nodes[g->n_nodes++];
		n->op = g->main;
		n->class = operand(end, i)->type->is_static ? NODE_RESULT : NODE_INERT;
		n->tensors = (uint32_t)g->tensors.len;
		vec_push(g->mem, &g->tensors, 2);
		add_tensor(g, operand(end, i));
		vec_push(g->mem, &g->tensors, result_slot(g, i));
	}
}

/* ---- calls ------------------------------------------------------------------------ */

static void add_call(graph_maker *k, op *call)
{
	graph *g = k->g;
	const attr *callee = op_attr(call, N_callee);
	const op *func = callee ? module_lookup(g->m, callee->text) : NULL;
	if (!func)
		return;
	if (!k->first_caller) {
		k->first_caller = NEW_N(g->mem, op *, g->m->n_ops);
		k->last_caller = NEW_N(g->mem, op *, g->m->n_ops);
		k->next_caller = NEW_N(g->mem, op *, g->m->n_ops);
		k->followed = NEW_N(g->mem, uint32_t, g->m->n_values);
	}
	if (k->last_caller[func->id])
		k->next_caller[k->last_caller[func->id]->id] = call;
	else
		k->first_caller[func->id] = call;
	k->last_caller[func->id] = call;
}

/* ---- wakes ------------------------------------------------------------------------ */

static void wake_users(graph_maker *k, const value *v, uint32_t flags);

static void wake_node(graph *g, const op *o, uint32_t flags)
{
	uint32_t n = g->node_of[o->id];
	if (g->nodes[n].class != NODE_INERT)
		vec_push(g->mem, &g->wakes, n | flags);
}

/* The users of a value beyond a call are added once for a list: several calls may lead there, and
 * the second time would add the same nodes. */
static void wake_users_beyond(graph_maker *k, const value *v, uint32_t flags)
{
	if (k->followed[v->id] == k->round)
		return;
	k->followed[v->id] = k->round;
	wake_users(k, v, flags);
}

static void wake_callers(graph_maker *k, const op *func, int i, uint32_t flags)
{
	for (const op *c = k->first_caller[func->id]; c; c = k->next_caller[c->id])
		if (i < c->n_results)
			wake_users_beyond(k, result(c, i), flags);
}

static void wake_callee(graph_maker *k, const op *call, int i, uint32_t flags)
{
	const attr *callee = op_attr(call, N_callee);
	const op *func = callee ? module_lookup(k->g->m, callee->text) : NULL;
	block *body = func ? op_body(func) : NULL;
	if (body && i < body->n_args)
		wake_users_beyond(k, body->args[i], flags);
}

static void wake_use(graph_maker *k, const use *u, uint32_t flags)
{
	graph *g = k->g;
	const op *user = u->owner;
	uint32_t n = g->node_of[user->id];
	if (g->nodes[n].class != NODE_INERT) { /* so it is neither a terminator nor data flow */
		vec_push(g->mem, &g->wakes, n | flags);
		return;
	}
	const op *edge = flow_edge_of_source(u);
	if (edge) {
		/* Shardy's getEdgeOwnerFromSource() does not find the edge of an argument of a
		 * manual or named computation, so Shardy misses the change. */
		bool lost = !op_has(user, TERMINATOR) && op_has(user, LISTED);
		wake_node(g, edge, lost ? WAKE_LATER : flags);
	} else if (user->kind == OP_FUNC_RETURN) {
		const op *func = op_parent(user);
		if (func == g->main)
			vec_push(g->mem, &g->wakes,
			         (g->n_ops + (uint32_t)use_index(u)) | WAKE_LATER);
		if (k->first_caller)
			wake_callers(k, func, use_index(u), flags);
	} else if (user->kind == OP_FUNC_CALL) {
		if (k->first_caller)
			wake_callee(k, user, use_index(u), flags);
	}
}

static void wake_users(graph_maker *k, const value *v, uint32_t flags)
{
	for (const use *u = v->uses; u; u = u->next)
		wake_use(k, u, flags);
}

/* The other targets of an edge: for the result of a while also the arguments of its regions. */
static void wake_targets(graph_maker *k, const value *owner, uint32_t flags)
{
	const value *target;
	for (int i = 0; (target = flow_other_target(owner, i)); i++)
		wake_users(k, target, flags);
}

static void add_wakes(graph_maker *k, value *v)
{
	graph *g = k->g;
	uint32_t slot = value_slot(v), owner = g->node_of[value_op(v)->id];
	const op *def = value_def(v);
	if (g->wake_at[slot])
		return;
	k->round++;
	g->wake_at[slot] = (uint32_t)g->wakes.len;
	if (!def || g->nodes[owner].class == NODE_INERT || def->kind == OP_SDY_DATA_FLOW_EDGE)
		vec_push(g->mem, &g->wakes, owner | WAKE_OWNER);
	if (def && def->kind == OP_SDY_DATA_FLOW_EDGE)
		wake_targets(k, operand(def, 0), 0);
	if (def)
		wake_node(g, def, 0);
	wake_users(k, v, 0);
	if (def && def->kind == OP_WHILE)
		wake_targets(k, v, WAKE_LATER);
	g->wakes.ptr[g->wakes.len - 1] |= WAKE_LAST;
}

static void add_result_wakes(graph *g)
{
	for (uint32_t n = g->n_ops; n < g->n_nodes; n++) {
		g->wake_at[result_slot(g, (int)(n - g->n_ops))] = (uint32_t)g->wakes.len;
		vec_push(g->mem, &g->wakes, n | WAKE_LATER | WAKE_LAST);
	}
}

static void add_all_wakes(graph_maker *k)
{
	graph *g = k->g;
	for (uint32_t i = 0; i < g->n_ops; i++) {
		const op *o = g->nodes[i].op;
		for (int r = 0; r < o->n_results; r++)
			add_wakes(k, result(o, r));
		for (int r = 0; r < op_n_regions(o); r++)
			for (block *b = op_region(o, r)->first; b; b = b->next)
				for (int a = 0; a < b->n_args; a++)
					add_wakes(k, b->args[a]);
	}
	add_result_wakes(g);
}

/* ---- values -------------------------------------------------------------------------- */

/* The arguments of a block have ascending ids: binary search. */
static value *arg_with_id(const block *b, uint32_t id)
{
	int low = 0, high = b->n_args;
	while (low < high) {
		int middle = low + (high - low) / 2;
		if (b->args[middle]->id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low < b->n_args && b->args[low]->id == id ? b->args[low] : NULL;
}

value *slot_value(const graph *g, uint32_t slot)
{
	uint32_t at = g->wake_at[slot], n = g->wakes.ptr[at] & WAKE_NODE;
	if (!at || n >= g->n_ops)
		return NULL;
	const op *o = g->nodes[n].op;
	if (o->n_results && slot - value_slot(result(o, 0)) < (uint32_t)o->n_results)
		return result(o, (int)(slot - value_slot(result(o, 0))));
	value *arg = NULL;
	for (int r = 0; r < op_n_regions(o) && !arg; r++)
		for (const block *b = op_region(o, r)->first; b && !arg; b = b->next)
			arg = arg_with_id(b, slot - 1);
	return arg;
}

/* ---- the shardings of the program ------------------------------------------------- */

bool slot_bears(const graph *g, uint32_t slot)
{
	value *v = slot_value(g, slot);
	if (!v)
		return slot_result(g, slot) < (int)(g->n_nodes - g->n_ops);
	return bearer_slot(v) == slot &&
	       !(value_def(v) && g->nodes[g->node_of[value_def(v)->id]].erased);
}

bool value_has_own_sharding(const value *v)
{
	return value_def(v) ? !op_has(value_def(v), DATA_FLOW) : op_is_func(value_op(v));
}

void value_put_sharding(module *m, value *v, const sharding *s)
{
	if (value_has_own_sharding(v))
		v->sharding = s;
	else if (value_sharding(m, v) != s)
		value_set_sharding(m, v, s);
}

const sharding *slot_sharding(const graph *g, uint32_t slot)
{
	const value *v = slot_value(g, slot);
	return v ? value_sharding(g->m, v) : op_func(g->main)->result_shardings[slot_result(g, slot)];
}

bool slot_put_sharding(const graph *g, uint32_t slot, const sharding *s)
{
	value *v = slot_value(g, slot);
	if (slot_sharding(g, slot) == s)
		return false;
	if (v)
		value_put_sharding(g->m, v, s);
	else
		op_func(g->main)->result_shardings[slot_result(g, slot)] = s;
	return true;
}

/* ---- groups ------------------------------------------------------------------------- */

/* Lists the members of each group id, in program order. */
static void add_groups(graph *g)
{
	op *const *groups = g->groups.ptr;
	int n = g->groups.len;
	arena *mem = g->mem;
	int64_t n_ids = 0;
	for (int i = 0; i < n; i++)
		n_ids = max_i64(n_ids, op_int(groups[i], N_group_id, 0) + 1);
	if (n_ids > 2 * (int64_t)n) /* not numbered by sdy-sharding-group-import */
		n_ids = 0;
	g->group_at = NEW_N(mem, uint32_t, g->n_slots);
	uint32_t *counts = NEW_N(mem, uint32_t, n_ids + 1), *at = NEW_N(mem, uint32_t, n_ids + 1);
	for (int i = 0; i < n; i++) {
		int64_t id = op_int(groups[i], N_group_id, 0);
		if (id >= 0 && id < n_ids)
			counts[id]++;
	}
	for (int64_t id = 0; id < n_ids; id++) {
		at[id] = (uint32_t)g->wakes.len;
		for (uint32_t i = 0; i <= counts[id]; i++)
			vec_push(mem, &g->wakes, GROUP_END);
	}
	uint32_t *fill = COPY_N(mem, at, n_ids + 1);
	for (int i = 0; i < n; i++) {
		int64_t id = op_int(groups[i], N_group_id, 0);
		if (id < 0 || id >= n_ids)
			continue;
		uint32_t slot = value_slot(operand(groups[i], 0));
		g->wakes.ptr[fill[id]++] = slot;
		g->group_at[slot] = at[id];
	}
}

/* ---- the whole graph ------------------------------------------------------------------------ */

static bool check_result_types(module *m, const op *o)
{
	for (int i = 0; i < o->n_results; i++) {
		const type *t = result(o, i)->type;
		if (t->is_static)
			continue;
		if (t->kind == TY_TUPLE)
			return diag_error(m->ctx, op_place(m, o), E_PROPAGATE_TYPE,
			                  "propagation does not go through tuples");
		if (t->kind == TY_TENSOR || t->kind == TY_UNRANKED || t->kind == TY_VECTOR ||
		    t->kind == TY_MEMREF)
			return diag_error(
				m->ctx, op_place(m, o), E_PROPAGATE_TYPE,
				"propagation needs ranked tensors of static shape: give the sizes "
				"of open dimensions with --dim (with_dims() in Python), or lower "
				"the program for arguments of known sizes");
	}
	return true;
}

/* Does everything in one walk over the program: each walk takes as long as propagation itself. */
static bool add_ops(graph_maker *k)
{
	graph *g = k->g;
	module *m = g->m;
	for (op *o = op_next(m->top, m->top); o; o = op_next(o, m->top)) {
		if (!check_result_types(m, o))
			return false;
		if (o->kind == OP_FUNC_CALL)
			add_call(k, o);
		else if (o->kind == OP_SDY_SHARDING_GROUP)
			vec_push(g->mem, &g->groups, o);
		add_node(k, o);
	}
	for (int i = 0; i < k->func_edges.len; i++)
		add_tensors(k, &g->nodes[k->func_edges.ptr[i]]);
	return true;
}

/* In programs with at least this many ops the graph takes more memory than reading did. */
enum { LARGE_PROGRAM = 8192 };

bool graph_build(graph *g, module *m, arena *mem)
{
	*g = (graph){.m = m, .mem = mem, .main = module_main(m)};
	if (g->main && func_is_declaration(g->main))
		g->main = NULL;
	uint32_t n_results = g->main ? (uint32_t)op_func(g->main)->type->n_out : 0;
	graph_maker k = {.g = g};
	if (m->n_ops >= LARGE_PROGRAM)
		ctx_trim(m->ctx);
	g->n_slots = 1 + m->n_values + n_results;
	g->nodes = NEW_N(mem, node, m->n_ops + n_results);
	g->node_of = NEW_N(mem, uint32_t, m->n_ops);
	g->wake_at = NEW_N(mem, uint32_t, g->n_slots);
	vec_reserve(mem, &g->tensors, (int)min_i64(3 * (int64_t)m->n_ops, 1 << 28));
	vec_reserve(mem, &g->wakes, (int)min_i64(4 * (int64_t)m->n_ops, 1 << 28));
	vec_push(mem, &g->tensors, 0); /* the list of nodes without tensors */
	vec_push(mem, &g->wakes, WAKE_OWNER | WAKE_LAST); /* the list of slots without an owner */
	if (!add_ops(&k))
		return false;
	add_result_nodes(g);
	add_all_wakes(&k);
	if (g->groups.len)
		add_groups(g);
	return true;
}
