/* search.c - plans are evaluated once, and the best of them is known at any time. */
#include "plan/search.h"

#include <math.h>

/* What does not fit is dearer the more it lacks, so that a search finds its way back. */
static double price_of(const plan_search *w, const plan_trial *t)
{
	enum { SURCHARGE = 3 };
	double over = (double)t->p.cost.peak_bytes / (double)w->limit - 1;
	if (!t->possible)
		return HUGE_VAL;
	return t->p.cost.step_seconds * (1 + (over > 0 ? SURCHARGE * over : 0));
}

static void judge(const plan_search *w, plan_trial *t)
{
	t->fits = t->possible && t->p.cost.peak_bytes <= w->limit;
	t->price = price_of(w, t);
	t->guess = t->sure ? t->guess : t->price;
}

static uint64_t trial_key(const plan_search *w, const mesh *m, const sharding *const *at)
{
	uint64_t key = hash_mix(1, m->hash);
	for (int i = 0; i < w->s->n_sites; i++)
		key = hash_mix(key, at[i] ? at[i]->hash : 0);
	return key ? key : 1;
}

static bool better(const plan_trial *a, const plan_trial *b)
{
	if (!b || !a->possible)
		return a->possible;
	return a->fits != b->fits ? a->fits : a->price < b->price;
}

void search_judge_all(plan_search *w)
{
	w->best = NULL;
	for (int i = 0; i < w->trials.len; i++) {
		judge(w, w->trials.ptr[i]);
		if (better(w->trials.ptr[i], w->best))
			w->best = w->trials.ptr[i];
	}
}

static void tell_progress(plan_search *w)
{
	plan_progress p = {.evaluated = w->evaluated,
	                   .best = w->best ? &w->best->p : NULL,
	                   .fits = w->best && w->best->fits,
	                   .bound = w->bound};
	if (w->o->progress && !w->o->progress(w->o->user, &p))
		w->stopped = true;
}

/* By the sketch, compared with the best plan if that is known. */
static bool evaluate_by_sketch(plan_search *w, plan_trial *n)
{
	sketch_result r;
	const plan_trial *best = w->best;
	sketch_rival rival = {0};
	if (best)
		rival = (sketch_rival){&best->p.cost, best->few, best->fits};
	bool good = sketch_evaluate(&w->sketch, w->s, w->o->target, &w->memo, best ? &rival : NULL,
	                            &n->p, &r);
	n->rough = r.rough;
	n->few = r.few;
	if (good && !n->rough)
		search_scale(w, n->p.mesh, &n->p.cost);
	return good;
}

/* The cost of a plan, by the sketch or at last. */
static void cost_trial(plan_search *w, plan_trial *n)
{
	n->possible = n->final ? plan_evaluate_fastest(w->s, w->o->target, &w->finals, &n->p)
	                       : evaluate_by_sketch(w, n);
	n->forbidden = n->possible && plan_forbidden(&w->forbidden, &n->p.cost);
	n->possible &= !n->forbidden;
	n->sure = n->final || !w->sketch.few.layers;
	judge(w, n);
	w->evaluated++;
}

static plan_trial *evaluate_trial(plan_search *w, const mesh *m, const sharding **at, const tactic *t,
                                  bool final)
{
	plan_trial *n = NEW(w->mem, plan_trial);
	n->p = (plan){.mesh = m, .at = COPY_N(w->mem, at, w->s->n_sites + 1)};
	n->t = *t;
	n->number = w->trials.len;
	n->final = final;
	cost_trial(w, n);
	return n;
}

bool search_may_evaluate(const plan_search *w)
{
	return !w->stopped && (!w->o->budget || w->evaluated < w->o->budget);
}

const plan_trial *search_try(plan_search *w, const mesh *m, const sharding **at, const tactic *t)
{
	uint64_t key = trial_key(w, m, at);
	plan_trial *known = ptr_map_get(&w->known, (const void *)(uintptr_t)key);
	if (known)
		return known;
	if (!search_may_evaluate(w))
		return NULL;
	plan_trial *n = evaluate_trial(w, m, at, t, false);
	vec_push(w->mem, &w->trials, n);
	*ptr_map_at(&w->known, w->mem, (const void *)(uintptr_t)key) = n;
	if (better(n, w->best))
		w->best = n;
	tell_progress(w);
	return n;
}

const plan_trial *search_whole(plan_search *w, const plan_trial *t)
{
	if (t->final)
		return t;
	plan_trial *known = w->trials.ptr[t->number];
	if (!known->at_last)
		known->at_last = evaluate_trial(w, t->p.mesh, t->p.at, &t->t, true);
	return known->at_last;
}

const plan_trial *search_tactic(plan_search *w, const mesh *m, const tactic *t)
{
	arena *scratch = &w->ctx->scratch;
	arena_mark here = arena_here(scratch);
	plan p = {.mesh = m, .at = NEW_N(scratch, const sharding *, w->s->n_sites + 1)};
	tactic_apply(w->s, &w->roles, t, &p);
	const plan_trial *found = search_try(w, m, p.at, t);
	arena_back(scratch, here);
	return found;
}

const plan_trial *search_best_beside(const plan_search *w, const mesh *other)
{
	const plan_trial *best = NULL;
	for (int i = 0; i < w->trials.len; i++) {
		const plan_trial *t = w->trials.ptr[i];
		if (t->possible && t->p.mesh != other && (!best || t->price < best->price))
			best = t;
	}
	return best;
}

/* ---- plans of others ------------------------------------------------------------------------ */

const plan_trial *search_changed(plan_search *w, const plan_trial *from, const sharding **at)
{
	int n = w->trials.len;
	const plan_trial *t = search_try(w, from->p.mesh, at, &from->t);
	if (w->trials.len > n) {
		w->trials.ptr[n]->from = from->from;
		w->trials.ptr[n]->improved = true;
	}
	return t;
}

/* Of no tactic. */
static void try_from(plan_search *w, const mesh *m, const sharding **at, const char *from)
{
	int n = w->trials.len;
	search_try(w, m, at, &(tactic){.pins = PINS_ALL});
	if (w->trials.len > n)
		w->trials.ptr[n]->from = from;
}

void search_seeds(plan_search *w, plan_seeder *seeder, const mesh *m)
{
	plan_seeds seeds = {0};
	if (!seeder || w->stopped)
		return;
	plan_seeds_of(seeder, m, w->o->target, w->limit, &seeds);
	for (int i = 0; i < seeds.len; i++)
		try_from(w, m, seeds.ptr[i].at, "suggested by the model");
}

void search_given(plan_search *w)
{
	try_from(w, w->s->given, w->s->given_at, "as annotated");
}
