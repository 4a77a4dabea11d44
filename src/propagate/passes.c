/* passes.c - the propagation passes: loops of walks.
 *
 * User priorities are the outer loop, op priorities the one inside, strategies the innermost. Each
 * pass leaves out the loops that it does not have. */
#include "propagate/walk.h"

/* ---- rules -------------------------------------------------------------- */

/* True if the op's rule may change when ops around it do. The rule of a concatenation depends on
 * whether its operands are slices, that of some custom calls on their users. */
static bool rule_looks_around(const op *o)
{
	return o->kind == OP_CONCATENATE || o->kind == OP_CUSTOM_CALL;
}

static void write_rules(module *m, const pass_options *o)
{
	unsigned flags = rule_flags(o->conservative, o->more_rules);
	for (op *i = op_next(m->top, m->top); i; i = op_next(i, m->top)) {
		if ((!o->keep_rules && !rule_looks_around(i)) || op_attr(i, N_sdy_sharding_rule))
			continue;
		const sharding_rule *r = op_rule(m, i, flags, &m->ctx->scratch);
		if (r)
			op_set_attr(m, i, N_sdy_sharding_rule, attr_rule(m->ctx, r));
	}
}

static void drop_rules(module *m)
{
	for (op *o = op_next(m->top, m->top); o; o = op_next(o, m->top)) {
		const attr *a = o->attrs.n ? op_attr(o, N_sdy_sharding_rule) : NULL;
		if (a && a->kind == AT_RULE && !a->rule->custom)
			op_set_attr(m, o, N_sdy_sharding_rule, NULL);
	}
}

/* ---- one walk ---------------------------------------------------------------------------- */

static void take_turns(walk *w, uint32_t from, uint32_t to)
{
	for (uint32_t n = from; n < to; n++)
		if (w->sweep || !node_is_settled(&w->g.nodes[n], w->strategy))
			walk_turn(w, n);
}

/* Propagates until nothing changes, with w->round and w->strategy. */
static void run_walk(walk *w)
{
	const graph *g = &w->g;
	if (w->canonical) {
		if (w->sweep)
			walk_sweep(w);
		walk_run_canonical(w);
		return;
	}
	take_turns(w, g->n_ops, g->n_nodes);
	take_turns(w, 0, g->n_ops);
	w->sweep = false; /* erasing pushes what becomes unused, so the sweep is complete */
	take_turns(w, g->n_ops, g->n_nodes);
}

/* ---- loops -------------------------------------------------------------------------------- */

typedef void schedule_fn(walk *w, const pass_options *o);

static void run_basic(walk *w, const pass_options *o)
{
	UNUSED(o);
	w->strategy = RUN_BASIC;
	run_walk(w);
}

static void run_strategies(walk *w, const pass_options *o)
{
	if (o->strategy != STRATEGY_AGGRESSIVE)
		run_basic(w, o);
	if (o->strategy != STRATEGY_BASIC) {
		w->strategy = RUN_AGGRESSIVE;
		run_walk(w);
	}
}

static void run_op_priorities(walk *w, const pass_options *o)
{
	if (!o->op_priority) {
		run_strategies(w, o);
		return;
	}
	for (w->round = 0; w->round < N_ROUNDS; w->round++)
		run_strategies(w, o);
	w->round = -1;
}

void walk_leave_rules(const walk *w, const pass_options *o)
{
	if (!o->keep_rules && w->g.own_rules)
		drop_rules(w->m);
	if (o->keep_rules || o->pin_rules)
		write_rules(w->m, o);
}

static bool run_recorded(module *m, const pass_options *o, schedule_fn *schedule)
{
	arena *mem = o->why ? trail_memory(o->why) : &m->ctx->scratch;
	walk *w = NEW(mem, walk);
	debug_log *debug = debug_begin(m, o, mem);
	if (!walk_start(w, m, o, mem))
		return false;
	w->debug = debug;
	if (o->why)
		trail_begin(o->why, w);
	schedule(w, o);
	walk_finish(w);
	if (debug)
		debug_save(debug);
	walk_leave_rules(w, o);
	return true;
}

static bool run_pass(module *m, const pass_options *o, schedule_fn *schedule)
{
	if (o->why || !o->record_trail)
		return run_recorded(m, o, schedule);
	pass_options recording = *o;
	recording.why = trail_new(m->ctx);
	bool good = run_recorded(m, &recording, schedule);
	trail_free(recording.why);
	return good;
}

/* ---- user priorities ------------------------------------------------------------------------- */

/* A sharding whose dimensions have priorities. `outside` if no walk sees it, because it is that of
 * a result of another function than main. */
typedef struct priority_ref {
	uint32_t slot;
	const sharding **outside;
	const sharding *written;
} priority_ref;

typedef struct priority_plan {
	walk *w;
	VEC(priority_ref) refs;
	VEC(int64_t) priorities; /* greater than 0, ascending */
} priority_plan;

static int64_t dim_priority(const dim_sharding *d)
{
	return d->priority == PRIORITY_NONE ? 0 : d->priority;
}

/* Dimensions that must wait become empty and closed. Their axes are kept among the replicated ones,
 * so that no dimension can take them. */
static const sharding *park(module *m, const sharding *s)
{
	arena *mem = &m->ctx->scratch;
	dim_sharding *dims = COPY_N(mem, s->dims, s->rank);
	axes_vec replicated = {0};
	for (int i = 0; i < s->n_replicated; i++)
		vec_push(mem, &replicated, s->replicated[i]);
	for (int d = 0; d < s->rank; d++) {
		if (dim_priority(&dims[d]) > 0) {
			for (int i = 0; i < dims[d].n_axes; i++)
				vec_push(mem, &replicated, dims[d].axes[i]);
			dims[d] = (dim_sharding){0};
		}
		dims[d].priority = PRIORITY_NONE;
	}
	const mesh *on = sharding_mesh(m, s);
	if (on)
		axes_sort(replicated.ptr, replicated.len, on);
	sharding out = *s;
	out.dims = dims;
	out.replicated = replicated.ptr;
	out.n_replicated = replicated.len;
	return sharding_of(m->ctx, &out);
}

static bool among(const dim_sharding *d, axis_ref a)
{
	for (int i = 0; i < d->n_axes; i++)
		if (axis_eq(d->axes[i], a))
			return true;
	return false;
}

/* Restores the dimensions of `written` that have this priority. */
static const sharding *unpark(module *m, const sharding *now, const sharding *written,
                              int64_t priority)
{
	arena *mem = &m->ctx->scratch;
	if (!now || now->rank != written->rank)
		return now;
	dim_sharding *dims = COPY_N(mem, now->dims, now->rank);
	axis_ref *replicated = arena_alloc(mem,
	                                   sizeof *replicated * (size_t)(now->n_replicated + 1));
	int n = 0;
	for (int i = 0; i < now->n_replicated; i++) {
		bool returns = false;
		for (int d = 0; d < now->rank; d++)
			returns = returns || (dim_priority(&written->dims[d]) == priority &&
			                      among(&written->dims[d], now->replicated[i]));
		if (!returns)
			replicated[n++] = now->replicated[i];
	}
	for (int d = 0; d < now->rank; d++)
		if (dim_priority(&written->dims[d]) == priority) {
			dims[d] = written->dims[d];
			dims[d].priority = PRIORITY_NONE;
		}
	sharding out = *now;
	out.dims = dims;
	out.replicated = replicated;
	out.n_replicated = n;
	return sharding_of(m->ctx, &out);
}

static void add_priority(priority_plan *p, int64_t priority)
{
	int i = 0;
	while (i < p->priorities.len && p->priorities.ptr[i] < priority)
		i++;
	if (i < p->priorities.len && p->priorities.ptr[i] == priority)
		return;
	vec_push(p->w->mem, &p->priorities, 0);
	for (int k = p->priorities.len - 1; k > i; k--)
		p->priorities.ptr[k] = p->priorities.ptr[k - 1];
	p->priorities.ptr[i] = priority;
}

/* @return the sharding with which propagation starts. */
static const sharding *plan_sharding(priority_plan *p, const sharding *s, priority_ref ref)
{
	bool marked = false, waits = false;
	for (int d = 0; s && d < s->rank; d++) {
		int64_t priority = dim_priority(&s->dims[d]);
		marked = marked || s->dims[d].priority != PRIORITY_NONE;
		if (priority > 0)
			add_priority(p, priority);
		waits = waits || priority > 0;
	}
	if (!marked)
		return s;
	ref.written = s;
	if (waits)
		vec_push(p->w->mem, &p->refs, ref);
	return park(p->w->m, s);
}

/* The results of functions that propagation does not enter from main. */
static void plan_other_results(priority_plan *p)
{
	for (op *f = module_body(p->w->m)->first; f; f = f->next) {
		if (!op_is_func(f) || f == p->w->g.main)
			continue;
		for (int i = 0; i < op_func(f)->type->n_out; i++) {
			const sharding **at = &op_func(f)->result_shardings[i];
			*at = plan_sharding(p, *at, (priority_ref){.outside = at});
		}
	}
}

static void plan_priorities(priority_plan *p)
{
	walk *w = p->w;
	for (uint32_t s = 1; s < w->g.n_slots; s++) {
		const value *v = w->at[s] ? slot_value(&w->g, s) : NULL;
		if (!w->at[s] || (v && flow_edge(v)))
			continue;
		const sharding *written = book_sharding(w->b, w->at[s]);
		const sharding *first = plan_sharding(p, written, (priority_ref){.slot = s});
		if (first != written)
			walk_set(w, s, book_load(w->b, first));
	}
	plan_other_results(p);
}

static void unpark_all(priority_plan *p, int64_t priority)
{
	walk *w = p->w;
	for (int i = 0; i < p->refs.len; i++) {
		const priority_ref *r = &p->refs.ptr[i];
		if (r->outside) {
			*r->outside = unpark(w->m, *r->outside, r->written, priority);
			continue;
		}
		const sharding *now = book_sharding(w->b, w->at[r->slot]);
		const sharding *next = unpark(w->m, now, r->written, priority);
		if (next == now)
			continue;
		view_no v = book_load(w->b, next);
		walk_set(w, r->slot, v);
		if (w->why)
			trail_add_start(w, r->slot, v);
	}
}

void walk_run_user_priorities(walk *w, const pass_options *o)
{
	priority_plan p = {.w = w};
	plan_priorities(&p);
	run_op_priorities(w, o);
	for (int i = 0; i < p.priorities.len; i++) {
		w->priority = p.priorities.ptr[i];
		unpark_all(&p, w->priority);
		run_op_priorities(w, o);
	}
}

/* ---- the passes ------------------------------------------------------------------------------ */

bool pass_basic_propagate(module *m, const pass_options *o)
{
	return run_pass(m, o, run_basic);
}

bool pass_aggressive_propagate(module *m, const pass_options *o)
{
	return run_pass(m, o, run_strategies);
}

bool pass_op_priority_propagate(module *m, const pass_options *o)
{
	return run_pass(m, o, run_op_priorities);
}

bool pass_user_priority_propagate(module *m, const pass_options *o)
{
	return run_pass(m, o, walk_run_user_priorities);
}

/* ---- rules as attributes ---------------------------------------------------------------------- */

/* Warns, once for each name, of an op through which nothing propagates. */
static void warn_unknown(module *m, const op *o, ptr_map *warned)
{
	const char *target = op_call_target(o);
	const name *what = name_of_z(m->ctx, *target ? target : op_name(o));
	void **before = ptr_map_at(warned, &m->mem, what);
	if (*before)
		return;
	*before = m;
	diag_warn(m->ctx, op_place(m, o), E_NO_RULE,
	          *target ? "custom call @%s is unknown to the sharding rule registry"
	                  : "op '%s' is unknown to the sharding rule registry",
	          what->s);
}

bool pass_populate_op_sharding_rules(module *m, const pass_options *o)
{
	unsigned flags = o->conservative ? RULE_CONSERVATIVE : 0;
	arena *mem = &m->ctx->scratch;
	ptr_map warned = {0};
	for (op *i = m->top; i; i = op_next(i, m->top)) {
		if (!op_rule_is_known(i))
			warn_unknown(m, i, &warned);
		arena_mark here = arena_here(mem);
		const sharding_rule *r = op_rule(m, i, flags, mem);
		if (r)
			op_set_attr(m, i, N_sdy_sharding_rule, attr_rule(m->ctx, r));
		arena_back(mem, here);
	}
	return true;
}
