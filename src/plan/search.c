/* search.c - plans are evaluated once, and the best of them is known at any time. */
#include "plan/search.h"

#include <math.h>
#include <stdlib.h>

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
	search_try(w, m, at, &(tactic){.pins = true});
	if (w->trials.len > n)
		w->trials.ptr[n]->from = from;
}

void search_seeds(plan_search *w, plan_seeder *seeder, const mesh *m)
{
	plan_seeds seeds = {0};
	if (!seeder || w->stopped)
		return;
	plan_seeds_of(seeder, m, w->o->target, &seeds);
	for (int i = 0; i < seeds.len; i++)
		try_from(w, m, seeds.ptr[i].at, "suggested by the model");
}

void search_given(plan_search *w)
{
	try_from(w, w->s->given, w->s->given_at, "as annotated");
}

/* ---- tactics ------------------------------------------------------------------------------ */

/* What people do over the slow axes of a mesh, and over the last one. */
static const tactic_id outer_tactics[] = {
	TACTIC_DATA,   TACTIC_ZERO2,       TACTIC_FSDP,    TACTIC_STATIONARY,
	TACTIC_EXPERT, TACTIC_EXPERT_FSDP, TACTIC_CONTEXT, TACTIC_CONTEXT_FSDP,
};
static const tactic_id inner_tactics[] = {
	TACTIC_MEGATRON,     TACTIC_MEGATRON_SP, TACTIC_MEGATRON_WIDTH, TACTIC_EXPERT_MODEL,
	TACTIC_EXPERT,       TACTIC_CONTEXT,     TACTIC_STATIONARY,     TACTIC_FEATURES,
	TACTIC_DATA,         TACTIC_FSDP,
};

static bool same_tactic(const tactic *a, const tactic *b)
{
	if (a->n != b->n || a->pins != b->pins)
		return false;
	for (int i = 0; i < a->n; i++)
		if (a->on[i] != b->on[i])
			return false;
	return true;
}

/* Whether the tactic was so slow on another mesh that it is on this one, too. */
static bool was_hopeless(const plan_search *w, const mesh *there, const tactic *t)
{
	const double far = 4;
	const plan_trial *same = NULL;
	double least = HUGE_VAL;
	for (int i = 0; there && i < w->trials.len; i++) {
		const plan_trial *k = w->trials.ptr[i];
		if (k->p.mesh != there || !k->possible)
			continue;
		least = fmin(least, k->p.cost.step_seconds);
		same = same_tactic(&k->t, t) ? k : same;
	}
	return same && same->p.cost.step_seconds > far * least;
}

/* All tactics of one axis; of more, outer ones over all but the last.  `like`: a mesh of as many axes
 * where they were tried; NULL: there is none. */
static void try_all_tactics(plan_search *w, const mesh *m, const mesh *like)
{
	tactic t = {.n = m->n_axes, .pins = true};
	for (int i = 0; i < TACTICS && m->n_axes == 1; i++)
		if (tactic_applies(&w->roles, (t.on[0] = (tactic_id)i)))
			search_tactic(w, m, &t);
	for (int i = 0; i < COUNT(outer_tactics) && m->n_axes > 1; i++)
		for (int k = 0; k < COUNT(inner_tactics); k++) {
			for (int a = 0; a + 1 < m->n_axes; a++)
				t.on[a] = outer_tactics[i];
			t.on[m->n_axes - 1] = inner_tactics[k];
			if (tactic_applies(&w->roles, outer_tactics[i]) &&
			    tactic_applies(&w->roles, inner_tactics[k]) && !was_hopeless(w, like, &t))
				search_tactic(w, m, &t);
		}
}

static int by_price(const void *a, const void *b)
{
	const plan_trial *x = *(plan_trial *const *)a, *y = *(plan_trial *const *)b;
	if (x->price != y->price)
		return x->price < y->price ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

/* The best tactics of one mesh over another of as many axes. */
static void try_best_of(plan_search *w, const mesh *from, const mesh *to)
{
	enum { SEVERAL = 5 };
	VEC(const plan_trial *) list = {0};
	for (int i = 0; i < w->trials.len; i++)
		if (w->trials.ptr[i]->p.mesh == from)
			vec_push(w->mem, &list, w->trials.ptr[i]);
	if (list.len)
		qsort(list.ptr, (size_t)list.len, sizeof *list.ptr, by_price);
	for (int i = 0; i < list.len && i < SEVERAL; i++)
		if (list.ptr[i]->t.n)
			search_tactic(w, to, &list.ptr[i]->t);
}

/* The best tactics with nothing said of values inside. */
static void try_bare(plan_search *w)
{
	enum { SEVERAL = 12 };
	VEC(const plan_trial *) list = {0};
	for (int i = 0; i < w->trials.len; i++)
		if (w->trials.ptr[i]->possible && w->trials.ptr[i]->t.n)
			vec_push(w->mem, &list, w->trials.ptr[i]);
	if (list.len)
		qsort(list.ptr, (size_t)list.len, sizeof *list.ptr, by_price);
	for (int i = 0; i < list.len && i < SEVERAL; i++) {
		tactic bare = list.ptr[i]->t;
		bare.pins = false;
		search_tactic(w, list.ptr[i]->p.mesh, &bare);
	}
}

/* The best trial on a mesh of so many axes. */
static const plan_trial *best_of_axes(const plan_search *w, int n_axes)
{
	const plan_trial *best = NULL;
	for (int i = 0; i < w->trials.len; i++) {
		const plan_trial *t = w->trials.ptr[i];
		if (t->possible && t->p.mesh->n_axes == n_axes && (!best || t->price < best->price))
			best = t;
	}
	return best;
}

/* On the first mesh of each number of axes all, on others those that are best there; then all on the best mesh
 * of the most axes, where others may be good. */
void search_tactics(plan_search *w, const mesh_list *meshes)
{
	const mesh *start = NULL;
	for (int i = 0; i < meshes->len; i++) {
		const mesh *m = meshes->ptr[i];
		if (start && start->n_axes == m->n_axes) {
			try_best_of(w, start, m);
			continue;
		}
		try_all_tactics(w, m, NULL);
		start = m;
	}
	const plan_trial *best = start ? best_of_axes(w, start->n_axes) : NULL;
	if (best)
		try_all_tactics(w, best->p.mesh, start);
	try_bare(w);
}
