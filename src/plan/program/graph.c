/* graph.c - finds the operations of a program, and their users.
 *
 * In one walk in program order, the source of each value is found. The body of a function is walked
 * once for each call. */
#include "plan/program/graph.h"

#include "cost/cost.h"

/* Where a value comes from. */
typedef struct value_source {
	int from, result;
} value_source;

typedef struct graph_builder {
	plan_graph *g;
	arena *mem;
	value_source *source; /* by value id; those of a function are for the present call */
	VEC(graph_op) ops;
	VEC(graph_use) uses;
	uint32_t depth; /* depth of nested calls */
} graph_builder;

/* ---- operations and uses --------------------------------------------------------------------- */

static value_source *source_at(const graph_builder *k, const value *v) { return &k->source[v->id]; }

static void add_use(graph_builder *k, value *v, int to, int operand_no)
{
	value_source s = v ? *source_at(k, v) : (value_source){GRAPH_NOWHERE, 0};
	vec_push(k->mem, &k->uses, (graph_use){s.from, s.result, to, operand_no, v});
}

static value *yield_of(const block *b, int i)
{
	return b && b->last && i < b->last->n_operands ? operand(b->last, i) : NULL;
}

static void add_block_ops(graph_builder *k, const block *b, double times);

/* The arguments of the body are the operands from `from` on, and what it yields are the results. */
static void go_through(graph_builder *k, const op *o, const block *body, double times)
{
	for (int i = 0; i < body->n_args; i++)
		if (i < o->n_operands)
			*source_at(k, body->args[i]) = *source_at(k, operand(o, i));
	add_block_ops(k, body, times);
	for (int i = 0; i < (int)o->n_results; i++) {
		const value *v = yield_of(body, i);
		if (v)
			*source_at(k, result(o, i)) = *source_at(k, v);
	}
}

/* True for barriers and data-flow edges, which pass on their operands. */
static bool op_hands_on(const op *o)
{
	return op_has(o, EDGE) || o->kind == OP_OPTIMIZATION_BARRIER ||
	       o->kind == OP_SDY_PROPAGATION_BARRIER;
}

static const block *body_gone_through(const graph_builder *k, const op *o)
{
	const op *callee = op_callee(k->g->m, o);
	if (o->kind == OP_SDY_NAMED_COMPUTATION)
		return op_body(o);
	return callee && k->depth < k->g->m->ctx->opts.max_depth ? op_body(callee) : NULL;
}

/* The values that a loop carries are arguments of its body and condition. */
static void add_carried(graph_builder *k, const op *o, int at)
{
	for (int r = 0; o->kind == OP_WHILE && r < op_n_regions(o); r++)
		for (int i = 0; op_block(o, r) && i < op_block(o, r)->n_args; i++)
			*source_at(k, op_block(o, r)->args[i]) = (value_source){at, i};
}

static void add_regions(graph_builder *k, const op *o, double times)
{
	int64_t trips = o->kind == OP_WHILE ? while_trip_count(k->g->m, o) : 1;
	if (!trips)
		k->g->unknown_loops = true;
	for (int r = 0; r < op_n_regions(o); r++)
		if (op_block(o, r))
			add_block_ops(k, op_block(o, r), times * (double)max_i64(trips, 1));
}

/* Adds what the body of a loop, or each branch of a choice, yields. */
static void add_yields(graph_builder *k, const op *o, int to)
{
	int n = o->n_operands;
	for (int r = o->kind == OP_WHILE ? 1 : 0; r < op_n_regions(o); r++)
		for (int i = 0; i < (int)o->n_results; i++)
			add_use(k, yield_of(op_block(o, r), i), to, n++);
}

static void add_graph_op(graph_builder *k, op *o, double times)
{
	int at = k->ops.len;
	if (k->g->of_op[o->id] < 0)
		k->g->of_op[o->id] = at;
	vec_push(k->mem, &k->ops, (graph_op){.o = o, .times = times});
	for (int i = 0; i < (int)o->n_results; i++)
		*source_at(k, result(o, i)) = (value_source){at, i};
	if (op_has(o, CONTROL)) {
		add_carried(k, o, at);
		add_regions(k, o, times);
	}
	k->ops.ptr[at].uses = k->uses.len;
	for (int i = 0; i < o->n_operands; i++)
		add_use(k, operand(o, i), at, i);
	if (op_has(o, CONTROL))
		add_yields(k, o, at);
	k->ops.ptr[at].n_uses = k->uses.len - k->ops.ptr[at].uses;
}

static void add_block_ops(graph_builder *k, const block *b, double times)
{
	k->depth++;
	for (op *o = b->first; o; o = o->next) {
		const block *through = body_gone_through(k, o);
		if (op_has(o, TERMINATOR))
			continue;
		if (through)
			go_through(k, o, through, times);
		else if (op_hands_on(o))
			for (int i = 0; i < (int)o->n_results; i++)
				*source_at(k, result(o, i)) = *source_at(k, operand(o, i));
		else
			add_graph_op(k, o, times);
	}
	k->depth--;
}

static void add_main(graph_builder *k, const block *b)
{
	for (uint32_t i = 0; i < k->g->m->n_values; i++)
		k->source[i].from = GRAPH_NOWHERE;
	for (int i = 0; i < b->n_args; i++)
		source_at(k, b->args[i])->from = -1 - i;
	add_block_ops(k, b, 1);
	k->g->n_results = b->last->n_operands;
	for (int i = 0; i < b->last->n_operands; i++)
		add_use(k, operand(b->last, i), -1 - i, 0);
	k->g->ops = k->ops.ptr;
	k->g->n_ops = k->ops.len;
	k->g->uses = k->uses.ptr;
	k->g->n_uses = k->uses.len;
}

/* Sorts the uses by the value that they use, with a counting sort. */
static void list_users(plan_graph *g, arena *mem)
{
	int *at = NEW_N(mem, int, g->n_ops);
	g->arg_first = NEW_N(mem, int, g->n_args + 1);
	for (int i = 0; i < g->n_uses; i++) {
		int from = g->uses[i].from;
		if (from >= 0 && from != GRAPH_NOWHERE)
			g->ops[from].n_users++;
		else if (from < 0)
			g->arg_first[-from]++;
	}
	for (int i = 0, n = 0; i < g->n_ops; n += g->ops[i++].n_users)
		g->ops[i].users = at[i] = n;
	for (int i = 0; i < g->n_args; i++)
		g->arg_first[i + 1] += g->arg_first[i];
	int *arg_at = COPY_N(mem, g->arg_first, g->n_args + 1);
	g->users = NEW_N(mem, int, g->n_uses);
	g->arg_users = NEW_N(mem, int, g->n_uses);
	for (int i = 0; i < g->n_uses; i++) {
		int from = g->uses[i].from;
		if (from >= 0 && from != GRAPH_NOWHERE)
			g->users[at[from]++] = i;
		else if (from < 0)
			g->arg_users[arg_at[-1 - from]++] = i;
	}
}

/* ---- states --------------------------------------------------------------------------------------- */

/* A result is the next state of the nearest argument of its type from which it is computed element
 * by element: w - rate * m is the next state of w. The same holds for a cache that is written
 * to. */
enum { MAX_LOOKED_AT = 48 };

static bool hands_state(const op *o, int operand_no)
{
	if (o->kind == OP_WHILE)
		return operand_no < (int)o->n_results;
	return op_keeps_elements(o, operand_no) && !op_has(o, COLLECTIVE | MOVES);
}

static int nearest_argument(const plan_graph *g, int result_no, const bool *taken)
{
	int queue[MAX_LOOKED_AT], n = 0;
	const graph_use *out = graph_result(g, result_no);
	const type *t = out->v->type;
	if (out->from == GRAPH_NOWHERE || !type_is_tensor(t) || !t->rank)
		return -1;
	int next = out->from;
	for (int head = 0;; next = queue[head++]) {
		if (next < 0) {
			if (!taken[-1 - next] && op_body(g->main)->args[-1 - next]->type == t)
				return -1 - next;
		} else {
			const graph_op *o = &g->ops[next];
			for (int i = 0; i < o->n_uses && n < MAX_LOOKED_AT; i++) {
				const graph_use *u = &g->uses[o->uses + i];
				if (u->from != GRAPH_NOWHERE && u->v->type == t && hands_state(o->o, u->operand))
					queue[n++] = u->from;
			}
		}
		if (head == n)
			return -1;
	}
}

static void find_states(plan_graph *g, arena *mem)
{
	bool *taken = NEW_N(mem, bool, g->n_args);
	const int *donor = func_donors(g->m, g->main, mem);
	g->arg_of_result = NEW_N(mem, int, g->n_results);
	for (int i = 0; i < g->n_results; i++) {
		g->arg_of_result[i] = donor[i];
		if (donor[i] >= 0)
			taken[donor[i]] = true;
	}
	for (int i = 0; i < g->n_results; i++) {
		int a = g->arg_of_result[i] >= 0 ? -1 : nearest_argument(g, i, taken);
		if (a < 0)
			continue;
		g->arg_of_result[i] = a;
		taken[a] = true;
	}
}

bool plan_graph_of(module *m, arena *mem, plan_graph *out)
{
	op *main = module_main_or_only(m);
	const block *body = main ? op_body(main) : NULL;
	if (!body || body->next || !body->last || !program_openable(m))
		return false;
	*out = (plan_graph){.m = m, .main = main, .n_args = body->n_args, .n_ids = (int)m->n_ops};
	graph_builder k = {.g = out, .mem = mem};
	k.source = NEW_N(mem, value_source, m->n_values);
	out->of_op = arena_alloc(mem, sizeof *out->of_op * (size_t)m->n_ops);
	memset(out->of_op, -1, sizeof *out->of_op * (size_t)m->n_ops);
	add_main(&k, body);
	list_users(out, mem);
	find_states(out, mem);
	return true;
}
