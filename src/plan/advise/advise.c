/* advise.c - what to change in a program that is annotated.
 *
 * Each change that may be worthwhile is tried: the program with it is propagated, partitioned and
 * costed. The best one is taken, and the next best ones are tried again together with it, until
 * nothing gains enough. So everything that is advised has been tried, also if two changes have the
 * same effect. */
#include "plan/advise/advise.h"

#include "partition/partition.h"
#include "shardy/shardy.h"

#include <math.h>
#include <stdlib.h>

/* the most changes that are tried, advised, and tried again after one is taken */
enum { TRIED = 64, ADVISED = 5, AGAIN = 16 };

typedef struct advice_search {
	advisor w;
	const target *t;
	advice_list *out;
	int64_t budget;
	plan_cost now;  /* with all changes that are taken */
	plan_cost best; /* of the best program so far */
	double promise; /* its promise */
	bool stopped;   /* the caller has stopped the search */
} advice_search;

/* ---- a program with a change -------------------------------------------------------------------------- */

static void apply_at(module *m, advice_kind kind, value *v, const advice_place *p)
{
	func *f = op_func(module_main(m));
	op *o = value_def(v);
	switch (kind) {
	case ADVICE_CONSTRAIN: build_behind(m, OP_SDY_SHARDING_CONSTRAINT, v, p->to); break;
	case ADVICE_RECONSTRAIN: v->sharding = p->to; break;
	case ADVICE_DROP:
		value_replace_uses(v, operand(o, 0));
		op_erase(o);
		break;
	case ADVICE_SHARD:
		v->sharding = p->to;
		if (p->result >= 0)
			f->result_shardings[p->result] = p->to;
		break;
	case ADVICE_DONATE:
		attrs_set(&m->mem, &f->arg_attrs[p->argument], name_known(m->ctx, N_jax_buffer_donor),
		          attr_bool(m->ctx, true));
		break;
	case ADVICE_MESH:
	case ADVICE_LOOKUP: break;
	}
}

/* Makes a change in a copy of the program whose values are numbered by `order`, except where a
 * later change was made, according to `done`; and records in `done` where it was made. */
static void apply_change(module *m, const value_order *order, const value_order *told, const advice *a,
                         bool *done)
{
	for (int i = 0; i < a->n; i++) {
		const advice_place *p = &a->places[i];
		int k = value_order_number(told, p->v);
		bool annotates = a->kind != ADVICE_DONATE && a->kind != ADVICE_LOOKUP;
		if (annotates && done[k])
			continue;
		done[k] |= annotates;
		apply_at(m, a->kind, order->ptr[k], p);
		if (a->kind == ADVICE_DROP)
			order->ptr[k] = NULL;
	}
}

/* ---- the program with what is taken -------------------------------------------------------------- */

/* Returns the mesh with all changes that are taken, and one more, which may be NULL. */
static const mesh *mesh_with(const advice_search *s, const advice *more)
{
	const mesh *mesh = more ? more->mesh : NULL;
	for (int i = s->out->list.len; i-- > 0 && !mesh;)
		mesh = s->out->list.ptr[i].mesh;
	return mesh;
}

/* Returns the program with all changes that are taken, and one more, which may be NULL; the caller
 * releases it. `order` gets the present order of the program's values. NULL: another mesh lacks
 * axes, or parts of axes, that the program names. */
static module *with_changes(const advice_search *s, const advice *more, value_order *order)
{
	const advice_list *l = s->out;
	const mesh *mesh = mesh_with(s, more);
	plan_subject bare = *s->w.s;
	bare.n_sites = 0;
	module *m = mesh ? plan_applied(&bare, &(plan){.mesh = mesh}) : module_clone(bare.m);
	bool *done = NEW_N(s->w.mem, bool, s->w.values.n + 1);
	value_order_of(m, s->w.mem, order);
	if (more)
		apply_change(m, order, &s->w.values, more, done);
	for (int i = l->list.len; i-- > 0;)
		apply_change(m, order, &s->w.values, &l->list.ptr[i], done);
	bool lookups = more && more->kind == ADVICE_LOOKUP;
	for (int i = 0; i < l->list.len; i++)
		lookups |= l->list.ptr[i].kind == ADVICE_LOOKUP;
	if (lookups) /* last, because it erases values that are then unused */
		advise_run_pass(m, LOOKUP_PASS, s->w.mem);
	if (!mesh || module_verify(m))
		return m;
	module_free(m);
	return NULL;
}

/* Finds the shardings of the values that still exist. */
static bool find_shardings(advice_search *s)
{
	value_order now, after;
	advisor *w = &s->w;
	module *m = with_changes(s, NULL, &now);
	w->annotated = NEW_N(w->mem, const sharding *, now.n + 1);
	for (int i = 0; m && i < now.n; i++)
		w->annotated[i] = now.ptr[i] ? value_sharding(m, now.ptr[i]) : NULL;
	bool good = m && advise_run_pass(m, "shard", w->mem);
	if (good) {
		value_order_of(m, w->mem, &after);
		w->propagated = NEW_N(w->mem, const sharding *, now.n + 1);
		for (int i = 0; i < now.n; i++)
			if (now.ptr[i] && ptr_map_get(&after.number, now.ptr[i]))
				w->propagated[i] = value_sharding(m, now.ptr[i]);
	}
	if (m)
		module_free(m);
	return good;
}

/* ---- trying -------------------------------------------------------------------------------------- */

static bool try_change(advice_search *s, const advice *a, plan_cost *out)
{
	if (s->stopped || s->out->tried >= s->budget)
		return false;
	s->out->tried++;
	arena_mark here = arena_here(s->w.mem);
	diag_mark said = diag_here(s->w.s->m->ctx);
	value_order order;
	module *m = with_changes(s, a, &order);
	bool good = m && plan_costs(m, s->t, s->out->partition, out);
	diag_back(s->w.s->m->ctx, said);
	if (m)
		module_free(m);
	arena_back(s->w.mem, here);
	return good;
}

/* ---- what is better -------------------------------------------------------------------------------- */

static double over_limit(const advice_search *s, const plan_cost *c)
{
	double over = (double)c->peak_bytes / (double)s->out->limit - 1;
	return over > 0 ? over : 0;
}

/* Memory counts a third as much as time, and more than everything else if the program does not
 * fit. */
static double promise_of(const advice_search *s, const plan_cost *c)
{
	const plan_cost *now = &s->now;
	double time = log(plan_ratio(now->step_seconds, c->step_seconds));
	double memory = log((double)now->peak_bytes / (double)max_i64(c->peak_bytes, 1));
	double before = over_limit(s, now), after = over_limit(s, c);
	if (before > 0)
		return memory + 0.3 * time + (after > 0 ? 0 : 1);
	return after > 0 ? -1 : time + 0.3 * memory;
}

/* A change is worthwhile if it takes 3 % less time and memory does not grow by more than three
 * times as much, or if it takes 5 % less memory and hardly more time. As long as the program does
 * not fit, only memory counts. */
static bool is_worth_while(const advice_search *s, const plan_cost *c)
{
	const plan_cost *now = &s->now;
	double time = plan_ratio(now->step_seconds, c->step_seconds);
	double memory = (double)now->peak_bytes / (double)max_i64(c->peak_bytes, 1);
	if (over_limit(s, now) > 0)
		return memory > 1.05;
	return (time > 1.03 && promise_of(s, c) > log(1.03)) || (memory > 1.05 && time > 0.99);
}

/* A change of what the caller passes is a larger step than one inside the program: state that is
 * sharded differently has to be moved and kept like that, and another mesh affects all programs on
 * it. So such a change has to gain twice as much to come first. */
static double weight_of(advice_kind kind)
{
	return kind == ADVICE_SHARD || kind == ADVICE_MESH ? 0.5 : 1;
}

static void try_again(advice_search *s, advice_change *c)
{
	c->tried = true;
	c->a.before = s->now;
	c->promise = try_change(s, &c->a, &c->a.after) ? weight_of(c->a.kind) * promise_of(s, &c->a.after) : -1;
	c->gain = c->promise > 0 && is_worth_while(s, &c->a.after) ? c->promise : 0;
	if (c->gain > s->promise) {
		s->promise = c->gain;
		s->best = c->a.after;
	}
	if (s->out->proceed && !s->stopped)
		s->stopped = !s->out->proceed(s->out->user, s->out->tried, &s->best);
}

static int by_gain(const void *a, const void *b)
{
	const advice_change *x = *(advice_change *const *)a, *y = *(advice_change *const *)b;
	if (x->gain != y->gain)
		return x->gain > y->gain ? -1 : 1;
	if (x->promise != y->promise)
		return x->promise > y->promise ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

static void sort_by_gain(advisor *w)
{
	if (w->list.len)
		qsort(w->list.ptr, (size_t)w->list.len, sizeof *w->list.ptr, by_gain);
}

/* Changes with equal costs do the same at other places: they have a common cause with the one that
 * is taken. */
static bool does_the_same(const plan_cost *a, const plan_cost *b)
{
	return fabs(plan_ratio(a->step_seconds, b->step_seconds) - 1) < 0.04 &&
	       fabs(plan_ratio((double)a->peak_bytes, (double)b->peak_bytes) - 1) < 0.1;
}

static void take_change(advice_search *s)
{
	advice_change *best = s->w.list.ptr[0];
	for (int i = 1; i < s->w.list.len; i++) {
		advice_change *c = s->w.list.ptr[i];
		if (c->promise > 0 && c->a.axis == best->a.axis && does_the_same(&c->a.after, &best->a.after))
			c->promise = -1;
	}
	vec_push(s->w.mem, &s->out->list, best->a);
	s->now = s->best = best->a.after;
	s->promise = 0;
	best->taken = true;
}

/* Tries the most promising changes again, and some of those that were found since. */
static void try_next(advice_search *s)
{
	advisor *w = &s->w;
	int again = AGAIN / 2, new = AGAIN / 2;
	sort_by_gain(w);
	for (int i = 0; i < w->list.len; i++) {
		advice_change *c = w->list.ptr[i];
		bool old = c->tried;
		c->gain = 0;
		if (c->taken || (old ? c->promise <= 0 : !c->chosen))
			continue;
		if (old ? again-- > 0 : new-- > 0)
			try_again(s, c);
	}
	sort_by_gain(w);
}

static bool search_changes(advice_search *s)
{
	advisor *w = &s->w;
	for (bool first = true; s->out->list.len < ADVISED && !s->stopped; first = false) {
		w->mesh = mesh_with(s, NULL);
		w->mesh = w->mesh ? w->mesh : w->s->given;
		if (!find_shardings(s))
			return false;
		advice_changes_find(w);
		for (int i = 0; first && i < w->list.len; i++)
			if (w->list.ptr[i]->chosen)
				try_again(s, w->list.ptr[i]);
		if (!first)
			try_next(s);
		sort_by_gain(w);
		if (!w->list.len || w->list.ptr[0]->gain <= 0)
			break;
		take_change(s);
	}
	return true;
}

bool plan_advise(const module *given, const target *t, int64_t limit, int64_t budget, arena *mem,
                 advice_list *out)
{
	advice_search s = {.w = {.s = &out->subject, .mem = mem}, .t = t, .out = out};
	*out = (advice_list){.partition = out->partition,
	                     .proceed = out->proceed,
	                     .user = out->user,
	                     .limit = plan_memory_limit(t, limit)};
	s.budget = budget ? budget : TRIED + ADVISED * AGAIN;
	if (!plan_subject_of(given, PLAN_KEEP_ANNOTATIONS, mem, &out->subject))
		return false;
	if (!out->subject.given)
		return diag_error(given->ctx, NOWHERE, E_PLAN_MESH,
		                  "the program has no mesh; `tess plan` finds one, and shardings");
	if (!plan_costs(out->subject.m, t, out->partition, &out->as_it_is))
		return plan_report_why(&out->subject, t, out->partition, NULL,
		                       "so the program cannot be partitioned as it is annotated");
	s.now = s.best = out->as_it_is;
	s.w.least_bytes = out->as_it_is.peak_bytes / 500;
	plan_roles_of(&out->subject, mem, &s.w.roles);
	value_order_of(out->subject.m, mem, &s.w.values);
	return search_changes(&s);
}
