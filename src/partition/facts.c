/* facts.c - which local values stand for a global one.
 *
 * A value may be needed in several spreads. Every copy that has been made is kept, so that a second
 * user costs nothing and a new copy starts from the nearest one. What is made inside a region
 * cannot be used outside, so changes are logged, and undone on leaving the region.
 *
 * There are more ways to get a value in a spread than a reshard. An iota or splat is made again
 * (made_anywhere), the op that made it may be repeated (remake.c), what a loop does not change is
 * fetched before the loop, and a copy that will be needed in any case (fact_sure) may be made
 * first. */
#include "partition/local.h"

#include <math.h>

static void set_facts(emitter *e, const value *v, global_facts f)
{
	if (e->regions)
		vec_push(e->keep, &e->log, (undo){v->id, e->facts[v->id]});
	e->facts[v->id] = f;
}

value *fact_origin(emitter *e, const value *global)
{
	value *v = (value *)global, *end = v;
	while (!e->origins[end->id] && value_def_has(end, RESHARDS))
		end = operand(value_def(end), 0);
	if (e->origins[end->id])
		end = e->origins[end->id];
	for (; v != end && !e->origins[v->id]; v = operand(value_def(v), 0))
		e->origins[v->id] = end;
	return end;
}

/* ---- what each device makes ----------------------------------------------------------------------- */

bool made_anywhere(emitter *e, const value *v)
{
	const op *o = value_def(fact_origin(e, v));
	return o && type_is_tensor(v->type) && v->type->elem->kind != TY_QUANT &&
	       (o->kind == OP_IOTA || op_is_splat(o));
}

value *splat_block(emitter *e, const op *o, const spread *as)
{
	const attr *a = op_attr(o, N_value);
	const type *t = spread_local_type(&e->sp, as, result(o, 0)->type);
	return build_constant(&e->b, attr_dense(e->ctx, t, a->data, a->data_len, true));
}

value *iota_block(emitter *e, const op *o, const spread *as)
{
	const type *whole = result(o, 0)->type, *t = spread_local_type(&e->sp, as, whole);
	int d = (int)op_int(o, N_iota_dimension, 0);
	value *part = build_iota(&e->b, t->dtype, t->dims, t->rank, d);
	if (!as->dims[d].n)
		return part;
	value *offset = device_offset(e, as, d, whole->dims[d]);
	offset = build_convert(&e->b, offset, whole->dtype);
	return build_binary(&e->b, OP_ADD, part, build_fill(&e->b, offset, t));
}

value *make_here(emitter *e, value *v, const spread *as)
{
	const op *o = value_def(fact_origin(e, v)), *was = e->b.like;
	e->b.like = o;
	v = o->kind == OP_IOTA ? iota_block(e, o, as) : splat_block(e, o, as);
	e->b.like = was;
	return v;
}

/* ---- regions -------------------------------------------------------------------------------------- */

int facts_enter(emitter *e)
{
	e->regions++;
	return e->log.len;
}

void facts_leave(emitter *e, int mark)
{
	e->regions--;
	while (e->log.len > mark) {
		undo *u = &e->log.ptr[--e->log.len];
		e->facts[u->id] = u->was;
	}
}

void fact_add(emitter *e, const value *global, const spread *as, value *local)
{
	global_facts f = e->facts[global->id];
	stand_in *s = NEW(e->keep, stand_in);
	*s = (stand_in){as, local, f.copies};
	f.copies = s;
	set_facts(e, global, f);
}

const spread *fact_spread(emitter *e, const sharding *s, int rank)
{
	if (!s || s->rank != rank)
		return spread_whole(&e->sp, rank);
	void **known = ptr_map_at(&e->spread_of, e->keep, s);
	if (!*known)
		*known = (void *)spread_of_sharding(&e->sp, s, sharding_mesh(e->from, s), rank);
	return *known;
}

/* The spread of the value's own sharding, even while terms hide a part of it. */
static const spread *said_spread(emitter *e, const value *global)
{
	known_spread *said = &e->said[global->id];
	if (said->known)
		return said->as;
	const sharding *s = type_is_tensor(global->type) ? value_sharding(e->from, global) : NULL;
	*said = (known_spread){true, s ? fact_spread(e, s, global->type->rank) : NULL};
	return said->as;
}

const spread *fact_wanted(emitter *e, const value *global)
{
	return terms_hide(e, global, said_spread(e, global));
}

/* Reports an error if a sharding inside a manual computation uses its axes, which are taken. */
static void check_manual(emitter *e, const value *global, const spread *s)
{
	if (!e->manual.n || digits_disjoint(spread_used(e->mem, s), e->manual))
		return;
	const op *o = value_op(global);
	e->failed = true;
	diag_error(e->ctx, op_place(e->from, o), E_PARTITION_MANUAL,
	           "a sharding inside of a manual computation, or of a function called there, uses "
	           "one of its manual axes");
}

/* Of a value with many uses only this many are looked at. */
enum { USES_SEEN = 32 };

static bool is_taken_whole(emitter *e, const value *global)
{
	const block *b = value_block(global);
	int seen = 0;
	if (!type_is_tensor(global->type) || value_has_one_use(global))
		return false;
	for (const use *u = global->uses; u && seen < USES_SEEN; u = u->next, seen++)
		if (u->owner->parent == b && local_takes_whole(e, u->owner, use_index(u)))
			return true;
	return false;
}

void fact_define(emitter *e, value *global, const spread *as, value *local)
{
	const spread *home = said_spread(e, global);
	as = terms_show(e, global, as);
	if (!home)
		home = spread_with_partial(&e->sp, as, (digits){0, NULL}, MONOID_SUM);
	check_manual(e, global, home);
	set_facts(e, global, (global_facts){.home = home, .leaving = e->facts[global->id].leaving,
	                                    .taken_whole = is_taken_whole(e, global)});
	fact_add(e, global, as, local);
}

void fact_alias(emitter *e, const value *to, global_facts from, const spread *home)
{
	from.home = home;
	if (e->facts[to->id].leaving)
		from.leaving = e->facts[to->id].leaving;
	from.taken_whole |= is_taken_whole(e, to);
	set_facts(e, to, from);
}

void fact_set_leaving(emitter *e, const value *global, const spread *as)
{
	global_facts f = e->facts[global->id];
	f.leaving = as;
	set_facts(e, global, f);
}

const spread *fact_goal(emitter *e, const value *global)
{
	const spread *wanted = fact_wanted(e, global);
	return wanted || !value_has_one_use(global) ? wanted : e->facts[global->id].leaving;
}

bool fact_varies(emitter *e, const op *o)
{
	if (op_has(o, DEVICE_ID))
		return true;
	for (int i = 0; i < o->n_operands; i++)
		if (e->facts[operand(o, i)->id].varies)
			return true;
	return false;
}

void fact_set_varying(emitter *e, const value *global)
{
	global_facts f = e->facts[global->id];
	f.varies = true;
	set_facts(e, global, f);
}

void fact_set_invariant(emitter *e, const value *arg, value *outside, block *before)
{
	global_facts f = e->facts[arg->id];
	loop_invariant *l = NEW(e->keep, loop_invariant);
	*l = (loop_invariant){outside, before};
	f.invariant = l;
	set_facts(e, arg, f);
}

/* True if the value does not change in the loop, can be fetched before it, and is small enough to
 * be kept while the loop runs. */
static bool comes_before_loop(emitter *e, const value *global, const spread *as)
{
	enum { ROOM_IN_LOOP = 64 * 1024 };
	return e->facts[global->id].invariant && !as->partial.n &&
	       spread_local_bytes(as, global->type) <= ROOM_IN_LOOP;
}

/* True if the only user of the value is in the same block: it can choose the spread better. */
static bool can_wait(const value *v)
{
	return value_has_one_use(v) && v->uses->owner->parent == value_block(v);
}

void fact_settle(emitter *e, value *global)
{
	if (!value_unused(global) && !can_wait(global))
		fact_get_home(e, global);
}

const spread *fact_home(emitter *e, const value *global)
{
	ASSERT(e->facts[global->id].home);
	return terms_hide(e, global, e->facts[global->id].home);
}

/* The copy from which `as` is reached at the lowest cost. */
static const stand_in *nearest_copy(emitter *e, const value *global, const spread *as,
                                    const reshard_plan **plan)
{
	const stand_in *best = NULL;
	for (const stand_in *s = e->facts[global->id].copies; s; s = s->older) {
		if (best && reshard_least(&e->sp, s->as, as, global->type) >= (*plan)->cost)
			continue;
		const reshard_plan *p = reshard_plan_for(&e->plans, s->as, as, global->type);
		if (best && p->cost >= (*plan)->cost)
			continue;
		best = s;
		*plan = p;
	}
	return best;
}

value *fact_at_hand(emitter *e, const value *global, const spread *as)
{
	as = terms_show(e, global, as);
	for (const stand_in *s = e->facts[global->id].copies; s; s = s->older)
		if (s->as == as)
			return s->v;
	return NULL;
}

int fact_sure(emitter *e, const value *global, const spread *out[2])
{
	const global_facts *f = &e->facts[global->id];
	const op *o = e->b.like;
	int n = 0;
	if (!o || o->parent != value_block(global) || terms_has(e, global) ||
	    !fact_at_hand(e, global, f->home))
		return 0;
	if (f->leaving && !f->leaving->partial.n)
		out[n++] = f->leaving;
	if (f->taken_whole)
		out[n++] = spread_whole(&e->sp, value_rank(global));
	return n;
}

/* The spread of fact_sure() from which `as` is reached at the lowest cost, if that is less than
 * *most, which is then set to it; else NULL. */
static const spread *sure_way(emitter *e, const value *global, const spread *as, double *most)
{
	const spread *sure[2], *best = NULL;
	for (int n = fact_sure(e, global, sure); n-- > 0;) {
		double cost = reshard_plan_for(&e->plans, sure[n], as, global->type)->cost;
		if (cost >= *most)
			continue;
		*most = cost;
		best = sure[n];
	}
	return best;
}

double fact_least(emitter *e, const value *global, const int64_t *block)
{
	const spread *sure[2];
	bool free = e->facts[global->id].invariant || made_anywhere(e, global) || terms_has(e, global) ||
	            fact_sure(e, global, sure) || e->remaking->might(e, global);
	double least = free ? 0 : INFINITY;
	for (const stand_in *s = e->facts[global->id].copies; s && least > 0; s = s->older)
		least = fmin(least, reshard_missing_to(s->as, block, global->type));
	return least > 0 ? least + e->sp.step_bytes : 0;
}

/* How many times a loop is assumed to run when work before it is compared with work inside. */
enum { TYPICAL_TRIPS = 8 };

double fact_cost(emitter *e, const value *global, const spread *as)
{
	const reshard_plan *p = NULL;
	if (fact_at_hand(e, global, as))
		return 0;
	as = terms_show(e, global, as);
	if (!nearest_copy(e, global, as, &p))
		return 0;
	if (made_anywhere(e, global) && !as->partial.n)
		return 0;
	if (comes_before_loop(e, global, as))
		return p->cost / TYPICAL_TRIPS;
	double cost = p->cost;
	sure_way(e, global, as, &cost);
	return fmin(cost, e->remaking->cost(e, global, as, cost));
}

/* A reduction gets the location of the op that made the partial sum, which the user knows. */
static value *make_move(emitter *e, const move *m, value *v, const value *global)
{
	const op *was = e->b.like;
	bool completes = m->kind == MOVE_REDUCE || m->kind == MOVE_SCATTER;
	if (value_def(global) && (completes || !was || !op_loc(was)))
		e->b.like = value_def(e->journey->moved);
	v = emit_move(e, m, v, global->type);
	e->b.like = was;
	return v;
}

/* True if the op can use its operand in the spread of its result: it is elementwise, or everything
 * is whole and the result is no smaller than the operand. */
static bool takes_like_result(const op *o, const value *global, const spread *goal)
{
	return op_is_pointwise(o) ||
	       (spread_is_whole(goal) && o->n_results == 1 && !op_has(o, PRODUCT) &&
	        type_bytes(result(o, 0)->type) >= type_bytes(global->type));
}

int fact_sharers(emitter *e, const value *global, const op *o)
{
	enum { MOST_SHARERS = 8 };
	const spread *as = o->n_results && !value_has_one_use(global) ? fact_goal(e, result(o, 0)) : NULL;
	int n = 1, seen = 0;
	if (!as || !takes_like_result(o, global, as))
		return 1;
	for (const use *u = global->uses; u && seen < USES_SEEN && n < MOST_SHARERS; u = u->next, seen++) {
		const op *other = u->owner;
		if (other == o || other->parent != o->parent || !other->n_results ||
		    e->facts[result(other, 0)->id].copies)
			continue;
		const spread *goal = fact_goal(e, result(other, 0));
		n += goal && (goal == as || (spread_is_whole(goal) && spread_is_whole(as))) &&
		     takes_like_result(other, global, goal);
	}
	return n;
}

static value *fetch_before_loop(emitter *e, value *global, const spread *as)
{
	const loop_invariant *l = e->facts[global->id].invariant;
	block *was = e->b.at;
	e->b.at = l->before;
	value *v = fact_get(e, l->outside, as);
	e->b.at = was;
	fact_add(e, global, as, v);
	return v;
}

value *fact_get(emitter *e, value *global, const spread *as)
{
	const reshard_plan *p = NULL;
	value *v = fact_at_hand(e, global, as);
	if (v)
		return v;
	as = terms_show(e, global, as);
	const stand_in *s = nearest_copy(e, global, as, &p);
	ASSERT(s);
	double cost = p->cost;
	const spread *first = sure_way(e, global, as, &cost);
	if (e->remaking->cost(e, global, as, cost) < cost)
		return e->remaking->make(e, global, as);
	if (first && first != as) {
		fact_get(e, global, first);
		s = nearest_copy(e, global, as, &p);
	}
	if (p->cost >= e->sp.step_bytes && made_anywhere(e, global) && !as->partial.n) {
		v = make_here(e, global, as);
		fact_add(e, global, as, v);
		return v;
	}
	if (p->cost >= e->sp.step_bytes && comes_before_loop(e, global, as))
		return fetch_before_loop(e, global, as);
	v = s->v;
	const journey j = {s->as->partial.n ? fact_origin(e, global) : global, s->as, as,
	                   e->b.like};
	e->journey = &j;
	for (int i = 0; i < p->n; i++) {
		v = make_move(e, &p->moves[i], v, global);
		fact_add(e, global, p->moves[i].after, v);
	}
	e->journey = NULL;
	return v;
}

value *fact_get_whole(emitter *e, value *global)
{
	return fact_get(e, global, spread_whole(&e->sp, value_rank(global)));
}

const attr *fact_constant(emitter *e, const value *global)
{
	const op *made = value_def(fact_origin(e, global));
	return made && op_has(made, CONSTANT) ? op_attr(made, N_value) : NULL;
}

value *fact_get_home(emitter *e, value *global)
{
	return fact_get(e, global, fact_home(e, global));
}
