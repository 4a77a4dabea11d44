/* walk.c - the order in which ops are visited, and what a visit does.
 *
 * People ask what JAX will do with their program, so the order is Shardy's, down to the accidents
 * of MLIR's greedy pattern driver (useTopDownTraversal, one iteration, no folding):
 *
 *   - A run starts with all ops on a stack, so that they pop in pre-order.
 *   - A tensor that gets a new sharding pushes the ops that graph.c lists for it, except the
 *     current op; an op that already waits keeps its place. Of the ops pushed together the last one
 *     is visited first.
 *   - Operands are changed before results, each from what the visit read when it started.
 *   - An op without side effects whose results are unused is erased when it pops, and the ops that
 *     define its operands are pushed if at most one other op uses them.
 *
 * Source: MLIR, GreedyPatternRewriteDriver.cpp; Shardy, basic_propagation.cc.
 *
 * Two things make it fast without changing a result:
 *
 *   - The initial stack is not built: an op that has not popped yet is one whose number is not
 *     below the cursor.
 *   - A visit that changes nothing leaves the mark `seen`: the directions that it was allowed. The
 *     outcome of a visit depends only on the shardings of the op's tensors, on the strategy and on
 *     the directions. Any change of one of the tensors removes the mark; graph.c lists every op
 *     that a slot concerns, also those that Shardy forgets to wake. So another visit with the same
 *     directions would change nothing again, and because a visit without changes pushes nothing, no
 *     other op can tell that it was skipped. Thus the five rounds of op priorities read one byte
 *     per op instead of visiting all ops. */
#include "propagate/journal.h"

/* ---- changes ----------------------------------------------------------------------- */

/* Puts a node on the worklist, unless it waits already. */
static void push_node(walk *w, uint32_t n)
{
	node *nd = &w->g.nodes[n];
	if (n >= w->cursor || nd->waiting || nd->erased)
		return;
	nd->waiting = true;
	vec_push(w->mem, &w->stack, n);
}

static void forget_seen(walk *w, uint32_t slot)
{
	for (const uint32_t *at = wakes_begin(&w->g, slot); at; at = wakes_next(at)) {
		node *nd = &w->g.nodes[*at & WAKE_NODE];
		nd->seen[RUN_BASIC] = nd->seen[RUN_AGGRESSIVE] = SEEN_NEVER;
	}
}

/* Wakes the nodes that a change of `slot` concerns, except `self`. */
static void wake(walk *w, uint32_t slot, uint32_t self)
{
	for (const uint32_t *at = wakes_begin(&w->g, slot); at; at = wakes_next(at))
		if (!(*at & WAKE_LATER) && (*at & WAKE_NODE) != self)
			push_node(w, *at & WAKE_NODE);
}

static view_no sharding_at(walk *w, uint32_t slot)
{
	if (w->log)
		journal_load(w->log, slot);
	return w->at[slot];
}

static void put_sharding(walk *w, uint32_t slot, view_no v)
{
	w->at[slot] = v;
	forget_seen(w, slot);
	if (w->log)
		journal_write(w->log, slot);
}

/* The first result of an op that gets a sharding gives the other results an open one on the same
 * mesh, because in the text either all results of an op have shardings or none. */
static void open_siblings(walk *w, uint32_t slot, view_no v)
{
	const value *me = slot_value(&w->g, slot);
	if (!me || !value_def(me) || value_def(me)->n_results < 2)
		return;
	for (int i = 0; i < value_def(me)->n_results; i++) {
		const value *sibling = result(value_def(me), i);
		uint32_t s = value_slot(sibling);
		if (s == slot || sharding_at(w, s))
			continue;
		int rank = type_is_tensor(sibling->type) ? sibling->type->rank : 0;
		const view *now = view_at(w->b, v);
		put_sharding(w, s, book_open(w->b, now->ref, now->mesh, rank));
	}
}

void walk_set(walk *w, uint32_t slot, view_no v)
{
	bool first = !sharding_at(w, slot);
	put_sharding(w, slot, v);
	if (first)
		open_siblings(w, slot, v);
}

/* Gives the sharding that a member of a sharding group has got to the other members. */
static void set_group(walk *w, uint32_t slot, view_no v, uint32_t self, bool waking)
{
	if (!w->g.group_at || !w->g.group_at[slot])
		return;
	for (uint32_t at = w->g.group_at[slot]; w->g.wakes.ptr[at] != GROUP_END; at++) {
		uint32_t member = w->g.wakes.ptr[at];
		if (member == slot)
			continue;
		uint32_t bearer = bearer_slot(slot_value(&w->g, member));
		if (bearer == SLOT_NONE)
			continue;
		walk_set(w, bearer, v);
		if (w->why)
			trail_add_group(w, slot, bearer, v);
		if (waking)
			wake(w, member, self);
	}
}

/* ---- a visit -------------------------------------------------------------------------- */

/* True if no other op uses the operands. Scalars do not count. */
static bool has_operands_to_itself(const op *o)
{
	for (int i = 0; i < o->n_operands; i++) {
		const value *v = operand(o, i);
		if (!value_has_one_use(v) && !type_is_scalar_tensor(v->type))
			return false;
	}
	return true;
}

static enum direction barrier_direction(const op *o)
{
	const attr *a = op_attr(o, N_allowed_direction);
	if (!a)
		return DIR_NONE;
	if (a->kind == AT_INT)
		return (enum direction)(a->i & DIR_BOTH);
	const name *word = a->kind == AT_ENUM ? a->word : a->text;
	if (!word)
		return DIR_NONE;
	return str_is(name_str(word), "FORWARD")    ? DIR_FORWARD
	       : str_is(name_str(word), "BACKWARD") ? DIR_BACKWARD
	       : str_is(name_str(word), "BOTH")     ? DIR_BOTH
	                                            : DIR_NONE;
}

/* Returns the allowed directions of pass-through factors and of other factors, two bits each. A
 * round allows what the rounds before it allow. Source: Shardy, opPropagationSchedule in
 * op_priority_propagation.cc. */
uint8_t walk_directions(const walk *w, const node *n)
{
#define DIRECTIONS(through, others) ((through) | (others) << 2)
	enum direction fixed;
	if (n->class == NODE_FIXED) {
		fixed = barrier_direction(n->op);
		return (uint8_t)DIRECTIONS(fixed, fixed);
	}
	if (n->class == NODE_RESULT || w->round < 0 || w->round > 3)
		return DIRECTIONS(DIR_BOTH, DIR_BOTH);
	bool own = w->round > 0 || has_operands_to_itself(n->op);
	switch (n->class) {
	case NODE_THROUGH:
		return own || w->round >= 2 ? DIRECTIONS(DIR_BOTH, DIR_BOTH) : 0;
	case NODE_WINDOW:
		if (w->round == 3)
			return DIRECTIONS(DIR_BOTH, DIR_BOTH);
		if (w->round == 2)
			return DIRECTIONS(DIR_BOTH, DIR_FORWARD);
		return own ? DIRECTIONS(DIR_FORWARD, DIR_FORWARD) : 0;
	case NODE_BROADCAST:
		return w->round == 3   ? DIRECTIONS(DIR_BACKWARD, DIR_BACKWARD)
		       : w->round == 2 ? DIRECTIONS(DIR_BACKWARD, DIR_NONE)
		                       : 0;
	default:
		return w->round == 3   ? DIRECTIONS(DIR_BOTH, DIR_BOTH)
		       : w->round == 2 ? DIRECTIONS(DIR_BOTH, DIR_NONE)
		                       : 0;
	}
#undef DIRECTIONS
}

/* The edge of an argument of a manual computation has the sharding as seen inside, without the
 * manual axes, and its sources are outside. The edge of a result has the one as seen outside, and
 * its sources are inside. @return the sharding seen from the other side: what the sources see, or,
 * if `back`, what the edge keeps. */
static const sharding *turn_manual(walk *w, const op *edge, const sharding *s, bool back)
{
	const value *owner = operand(edge, 0);
	const op *o = value_op(owner);
	if (back == !value_def(owner))
		return sharding_inside_manual(w->m, o, s);
	const attr *lists = op_attr(o, value_def(owner) ? N_out_shardings : N_in_shardings);
	bool listed = lists && (int)owner->index < lists->n;
	return sharding_outside_manual(w->m, o, listed ? lists->shardings[owner->index] : NULL, s);
}

/* The sharding of tensor `t` of a node. */
static view_no tensor_view(walk *w, const node *n, int t)
{
	view_no v = sharding_at(w, node_slot(&w->g, n, t));
	if (!v || !n->manual || t < node_n_operands(&w->g, n))
		return v;
	return book_load(w->b, turn_manual(w, n->op, book_sharding(w->b, v), false));
}

static view_no kept_view(walk *w, const node *n, int t, view_no v)
{
	if (!n->manual || t < node_n_operands(&w->g, n))
		return v;
	return book_load(w->b, turn_manual(w, n->op, book_sharding(w->b, v), true));
}

/* Reads the shardings of a node's tensors. @return true if all are the same. */
static bool read_views(walk *w, const node *n)
{
	const int n_tensors = node_n_tensors(&w->g, n);
	bool equal = true;
	if (n_tensors > w->room_views) {
		w->room_views = 2 * n_tensors;
		w->views = arena_alloc(w->mem, sizeof *w->views * (size_t)w->room_views);
	}
	for (int t = 0; t < n_tensors; t++) {
		w->views[t] = tensor_view(w, n, t);
		equal = equal && w->views[t] == w->views[0];
	}
	return equal;
}

/* Finds the mesh of the shardings that were read. @return REFUSED_NOT, or why nothing can pass. */
static refusal find_mesh_of_views(walk *w, int n_tensors)
{
	projection *p = &w->p;
	bool any = false;
	p->mesh = NULL;
	for (int t = 0; t < n_tensors; t++) {
		if (!w->views[t])
			continue;
		const view *v = view_at(w->b, w->views[t]);
		if (!v->mesh)
			return REFUSED_MESH;
		any = any || v->mask;
		if (!p->mesh || mesh_is_empty(p->mesh)) {
			p->mesh = v->mesh;
			p->mesh_ref = v->ref;
		} else if (v->mesh != p->mesh && !mesh_is_empty(v->mesh)) {
			return REFUSED_MESH;
		}
	}
	if (!p->mesh)
		return REFUSED_RULE;
	return mesh_is_maximal(p->mesh) ? REFUSED_DEVICE : any ? REFUSED_NOT : REFUSED_RULE;
}

refusal walk_read(walk *w, const node *n)
{
	read_views(w, n);
	return find_mesh_of_views(w, node_n_tensors(&w->g, n));
}

bool walk_find_rule(walk *w, node *n)
{
	if (n->rule || node_find_rule(w, n))
		return true;
	n->class = NODE_INERT;
	return false;
}

/* Gives the tensors their new shardings. If shardings cannot express a tensor's new axes, because
 * they would need strides, it keeps what it has. */
static bool commit(walk *w, uint32_t self, const view_no *now, bool waking)
{
	node *n = &w->g.nodes[self];
	const int n_tensors = node_n_tensors(&w->g, n);
	bool any = false;
	for (int t = 0; t < n_tensors; t++) {
		uint32_t slot = node_slot(&w->g, n, t);
		if (!now[t] || slot == SLOT_NONE)
			continue;
		any = true;
		view_no kept = kept_view(w, n, t, now[t]);
		walk_set(w, slot, kept);
		if (w->why)
			trail_add_tensor(w, self, t, kept);
		if (waking)
			wake(w, slot, self);
		/* Shardy hands the sharding that passed on to the group, not its form on the edge
		 * of a manual computation. */
		set_group(w, slot, now[t], self, waking);
	}
	return any;
}

static void log_step(walk *w, const node *n)
{
	const int n_tensors = node_n_tensors(&w->g, n);
	value **bearers = NEW_N(w->mem, value *, n_tensors);
	for (int t = 0; t < n_tensors; t++) {
		uint32_t slot = node_slot(&w->g, n, t);
		bearers[t] = slot_value(&w->g, slot);
		w->p.updated[t] = w->p.updated[t] && slot != SLOT_NONE;
	}
	if (n->class == NODE_RESULT)
		bearers[1] = bearers[0];
	debug_add_step(w->debug, &(debug_step){n->op, &w->p, bearers});
}

/* True if something may pass between the node's tensors. */
static bool may_pass(walk *w, node *n)
{
	if (read_views(w, n) && (n->identity || !w->views[0]))
		return false;
	return find_mesh_of_views(w, node_n_tensors(&w->g, n)) == REFUSED_NOT && walk_find_rule(w, n);
}

/* Visits a node. @return true if some sharding changed. */
static bool visit(walk *w, uint32_t self, uint8_t directions, bool waking)
{
	node *n = &w->g.nodes[self];
	uint8_t *seen = &n->seen[w->strategy];
	*seen = SEEN_SETTLED; /* until something may pass */
	if (!may_pass(w, n))
		return false;
	const outcome *o = walk_outcome(w, n, directions);
	if (o->settled)
		return false;
	*seen = directions;
	if (!o->now || !commit(w, self, o->now, waking))
		return false;
	if (w->debug)
		log_step(w, n);
	return true;
}

/* The directions in which a node must be visited; 0: a visit would change nothing. */
static uint8_t new_directions(const walk *w, uint32_t n)
{
	const node *nd = &w->g.nodes[n];
	if (nd->erased || node_is_settled(nd, w->strategy))
		return 0;
	uint8_t directions = walk_directions(w, nd);
	return nd->seen[w->strategy] == directions ? 0 : directions;
}

/* Records in the journal that a node is visited. In a repeated turn the marks are of another time,
 * so they are dropped. */
static void note_look(walk *w, uint32_t n)
{
	node *nd = &w->g.nodes[n];
	if (nd->class == NODE_INERT || nd->erased || !walk_directions(w, nd))
		return;
	journal_look(w->log, n);
	if (w->log->again)
		nd->seen[w->strategy] = SEEN_NEVER;
}

static void visit_if_new(walk *w, uint32_t n, bool waking)
{
	if (w->log)
		note_look(w, n);
	uint8_t directions = new_directions(w, n);
	if (directions)
		visit(w, n, directions, waking);
}

/* ---- the parts that canonical.c calls ------------------------------------------------------- */

/* Lets the strategy spread what the node's tensors have. @return true if anything passed; only the
 * cells of w->p have changed. */
static bool spread(walk *w, uint32_t self, uint8_t directions)
{
	node *n = &w->g.nodes[self];
	uint8_t *seen = &n->seen[w->strategy];
	*seen = SEEN_SETTLED; /* until something may pass */
	if (!may_pass(w, n) || !walk_project(w, n, directions))
		return false;
	*seen = directions;
	return walk_spread(w);
}

bool walk_look(walk *w, uint32_t n)
{
	uint8_t directions = new_directions(w, n);
	return directions && spread(w, n, directions);
}

view_no walk_offer(walk *w, uint32_t n, int t)
{
	const node *nd = &w->g.nodes[n];
	uint32_t slot = node_slot(&w->g, nd, t);
	if (!w->p.updated[t] || slot == SLOT_NONE)
		return 0;
	view_no now = projection_store(&w->p, t), old = w->views[t];
	if (now == old || (!old && view_at(w->b, now)->empty_axes))
		return 0;
	return kept_view(w, nd, t, now);
}

void walk_record(walk *w, uint32_t n, uint32_t slot, view_no v)
{
	const node *nd = &w->g.nodes[n];
	if (!spread(w, n, walk_directions(w, nd)))
		return;
	for (int t = 0; t < node_n_tensors(&w->g, nd); t++) {
		bool taken = node_slot(&w->g, nd, t) == slot && walk_offer(w, n, t) == v;
		w->p.updated[t] = taken;
		if (taken && w->why)
			trail_add_tensor(w, n, t, v);
	}
	if (w->debug)
		log_step(w, nd);
}

/* ---- unused ops ------------------------------------------------------------------------- */

/* An op that defines an operand of an erased op may be unused now. Shardy's driver visits it again,
 * unless two other ops use it. */
static void push_definitions(walk *w, const op *o)
{
	for (int i = 0; i < o->n_operands; i++) {
		const value *v = operand(o, i);
		const op *other = NULL;
		bool many = false;
		if (!value_def(v))
			continue;
		for (const use *u = v->uses; u && !many; u = u->next) {
			if (u->owner == o || u->owner == other)
				continue;
			many = other != NULL;
			other = u->owner;
		}
		if (!many)
			push_node(w, w->g.node_of[value_def(v)->id]);
	}
}

static void forget_op(walk *w, op *o)
{
	for (int r = op_n_regions(o) - 1; r >= 0; r--)
		for (block *b = op_region(o, r)->last; b; b = b->prev)
			for (op *i = b->last, *before; i; i = before) {
				before = i->prev;
				forget_op(w, i);
			}
	push_definitions(w, o);
	w->g.nodes[w->g.node_of[o->id]].erased = true;
	op_erase(o);
}

static bool is_unused(const op *o)
{
	for (int i = 0; i < o->n_results; i++)
		if (o->results[i].uses)
			return false;
	return op_is_dead_if_unused(o);
}

/* ---- a run ------------------------------------------------------------------------------- */

static void visit_or_erase(walk *w, uint32_t n)
{
	op *o = w->g.nodes[n].op;
	if (w->sweep && !w->g.nodes[n].erased && is_unused(o))
		forget_op(w, o);
	else
		visit_if_new(w, n, true);
}

void walk_turn(walk *w, uint32_t n)
{
	if (n >= w->g.n_ops) {
		/* What main returns, and its results: changes wake no node. */
		visit_if_new(w, n, false);
		return;
	}
	w->cursor = n + 1;
	visit_or_erase(w, n);
	while (w->stack.len) {
		n = w->stack.ptr[--w->stack.len];
		w->g.nodes[n].waiting = false;
		visit_or_erase(w, n);
	}
}

bool graph_has_unused(const graph *g)
{
	bool any = false;
	for (uint32_t n = 0; n < g->n_ops && !any; n++)
		any = !g->nodes[n].erased && is_unused(g->nodes[n].op);
	return any;
}

/* The order does not matter as long as users come before what they use. */
void walk_sweep(walk *w)
{
	for (uint32_t n = w->g.n_ops; n-- > 0;) {
		op *o = w->g.nodes[n].op;
		if (!w->g.nodes[n].erased && is_unused(o))
			forget_op(w, o);
	}
	for (int i = 0; i < w->stack.len; i++)
		w->g.nodes[w->stack.ptr[i]].waiting = false;
	w->stack.len = 0;
	w->sweep = false;
}

/* ---- start and end -------------------------------------------------------------------------- */

/* Manual and named computations without edges have their shardings in attributes that are lists. */
static void load_lists(walk *w, const op *o)
{
	block *body = op_body(o);
	for (int i = 0; i < o->n_results; i++)
		w->at[value_slot(result(o, i))] =
		    book_load(w->b, value_sharding(w->m, result(o, i)));
	for (int i = 0; body && i < body->n_args; i++)
		w->at[value_slot(body->args[i])] =
		    book_load(w->b, value_sharding(w->m, body->args[i]));
}

static void load_value(walk *w, const value *v)
{
	if (v->sharding)
		w->at[value_slot(v)] = book_load(w->b, v->sharding);
}

static void load_op(walk *w, const node *n)
{
	const op *o = n->op;
	for (int i = 0; i < o->n_results; i++)
		load_value(w, result(o, i));
	for (int r = 0; r < op_n_regions(o); r++)
		for (const block *b = op_region(o, r)->first; b; b = b->next)
			for (int i = 0; i < b->n_args; i++)
				load_value(w, b->args[i]);
	if (n->class == NODE_INERT && op_has(o, LISTED))
		load_lists(w, o);
}

static void load_shardings(walk *w)
{
	const graph *g = &w->g;
	for (uint32_t n = 0; n < g->n_ops; n++)
		load_op(w, &g->nodes[n]);
	for (int i = 0; i < (int)(g->n_nodes - g->n_ops); i++)
		w->at[result_slot(g, i)] = book_load(w->b, op_func(g->main)->result_shardings[i]);
}

void walk_forget(walk *w)
{
	for (uint32_t n = 0; n < w->g.n_nodes; n++)
		memset(w->g.nodes[n].seen, SEEN_NEVER, sizeof w->g.nodes[n].seen);
}

/* The trail outlives the pass, and the canonical order goes by the numbers of shardings. */
static propagation_memo *memo_of(const walk *w, const pass_options *o)
{
	return o->memo && !o->why && !w->canonical ? o->memo : propagation_memo_new(w->mem);
}

static void begin_walk(walk *w, const pass_options *o)
{
	w->memo = memo_of(w, o);
	visit_memo *v = propagation_memo_open(w->memo, w->m, rule_flags(w->conservative, w->more_rules));
	w->b = &v->book;
	w->outcomes = &v->outcomes;
	w->p = (projection){.b = w->b, .mem = w->mem};
	w->at = NEW_N(w->mem, view_no, w->g.n_slots);
	load_shardings(w);
	if (w->keeps_begin)
		w->begin = COPY_N(w->mem, w->at, w->g.n_slots);
	walk_forget(w);
}

static walk walk_new(module *m, const pass_options *o, arena *mem)
{
	return (walk){.m = m,
	              .mem = mem,
	              .conservative = o->conservative,
	              .more_rules = o->more_rules,
	              .canonical = o->order == ORDER_CANONICAL,
	              .round = -1,
	              .sweep = true,
	              .keeps_begin = o->why != NULL};
}

bool walk_open(walk *w, module *m, const pass_options *o, arena *mem)
{
	*w = walk_new(m, o, mem);
	w->keeps_begin = true;
	if (!graph_build(&w->g, m, mem))
		return false;
	begin_walk(w, o);
	return true;
}

bool walk_start(walk *w, module *m, const pass_options *o, arena *mem)
{
	*w = walk_new(m, o, mem);
	graph *g = &w->g;
	if (!graph_build(g, m, mem))
		return false;
	if (g->groups.len && !groups_sync(m, g->groups.ptr, g->groups.len) &&
	    !graph_build(g, m, mem))
		return false;
	begin_walk(w, o);
	return true;
}

void walk_again(walk *w, const graph *g, const pass_options *o, arena *mem)
{
	*w = walk_new(g->m, o, mem);
	w->g = *g;
	w->sweep = false;
	begin_walk(w, o);
}

/* The annotation of a slot. If w->begin was not kept, the program still has it. */
static view_no begin_of(walk *w, uint32_t slot, value *v)
{
	if (w->begin)
		return w->begin[slot];
	if (!v)
		return book_load(w->b,
		                 op_func(w->g.main)->result_shardings[slot_result(&w->g, slot)]);
	if (v->sharding || !op_has(value_op(v), LISTED))
		return book_load(w->b, v->sharding);
	return book_load(w->b, value_sharding(w->m, v));
}

static void finish_value(walk *w, value *v)
{
	uint32_t s = value_slot(v);
	if (w->at[s] && w->at[s] != begin_of(w, s, v))
		value_set_sharding(w->m, v, book_sharding(w->b, w->at[s]));
}

static void finish_op(walk *w, const op *o)
{
	for (int i = 0; i < o->n_results; i++)
		finish_value(w, result(o, i));
	for (int r = 0; r < op_n_regions(o); r++)
		for (const block *b = op_region(o, r)->first; b; b = b->next)
			for (int i = 0; i < b->n_args; i++)
				finish_value(w, b->args[i]);
}

static void finish_result(walk *w, int i)
{
	uint32_t s = result_slot(&w->g, i);
	if (w->at[s] && w->at[s] != begin_of(w, s, NULL))
		op_func(w->g.main)->result_shardings[i] = book_sharding(w->b, w->at[s]);
}

void walk_finish(walk *w)
{
	const graph *g = &w->g;
	for (uint32_t n = 0; n < g->n_ops; n++)
		if (!g->nodes[n].erased)
			finish_op(w, g->nodes[n].op);
	for (int i = 0; i < (int)(g->n_nodes - g->n_ops); i++)
		finish_result(w, i);
}
