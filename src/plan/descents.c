/* descents.c - from which plans descents start, and how long they may take. */
#include "plan/polish.h"

#include <math.h>

/* Returns how many evaluations are worthwhile: as many as take about a second if a quarter of a
 * step may be saved; for a small program, enough to try pairs of changes. */
static int64_t usual_work(const plan_search *w)
{
	enum { OPERATIONS = 150000, LEAST = 20, MOST = 4000 };
	const double usual = 0.25, least = 0.1, most = 2;
	double share = fmin(fmax(search_room(w) / usual, least), most);
	const sketch_pair *few = &w->sketch.few;
	int64_t n = few->layers ? 0 : w->s->m->n_ops;
	for (int i = 0; i < 2 && few->layers; i++)
		n += few->of[i].m->n_ops;
	return min_i64(max_i64((int64_t)(share * OPERATIONS / (double)max_i64(n, 1)), LEAST), MOST);
}

/* Tries the plan that leaves all arguments whole and does not annotate values. */
static const plan_trial *try_whole(plan_search *w, const plan_trial *like)
{
	const sharding **at = NEW_N(w->mem, const sharding *, w->s->n_sites + 1);
	for (int i = 0; i < w->s->n_sites; i++) {
		const plan_site *s = &w->s->sites[i];
		if (!s->fixed && (s->kind == SITE_ARGUMENT || s->follows >= 0))
			at[i] = sharding_replicated(w->ctx, (mesh_ref){.symbol = w->s->mesh_symbol},
			                            s->type->rank);
	}
	int n = w->trials.len;
	const plan_trial *t = search_try(w, like->p.mesh, at, &like->t);
	if (w->trials.len > n)
		w->trials.ptr[n]->from = "all arguments whole";
	return t;
}

static bool says_little(const plan_trial *t) { return t->t.n && t->t.pins != PINS_ALL; }

static const plan_trial *best_with_pins(const plan_search *w)
{
	const plan_trial *best = NULL;
	for (int i = 0; i < w->trials.len; i++) {
		const plan_trial *t = w->trials.ptr[i];
		if (t->possible && !says_little(t) && (!best || t->price < best->price))
			best = t;
	}
	return best;
}

/* Returns the best plan of another mesh and other tactics. Descents from similar plans mostly end
 * at the same plan. */
static const plan_trial *best_unlike(const plan_search *w, const plan_trial *first)
{
	const plan_trial *best = NULL;
	for (int i = 0; i < w->trials.len; i++) {
		const plan_trial *t = w->trials.ptr[i];
		bool alike = t->p.mesh == first->p.mesh ||
		             (t->t.n && t->t.n == first->t.n && !memcmp(t->t.on, first->t.on, sizeof t->t.on));
		if (t->possible && !alike && (!best || t->price < best->price))
			best = t;
	}
	return best;
}

/* Sets what the search minimizes: time, or only memory. */
static void search_by(plan_search *w, bool smallest)
{
	w->smallest = smallest;
	search_judge_all(w);
}

/* If nothing fits, changes the plan that takes the least memory so that it takes less. */
static void polish_smallest(plan_search *w, const site_classes *classes, int64_t work)
{
	if (!w->best || w->best->fits)
		return;
	search_by(w, true);
	search_polish(w, classes, w->best, false, work);
	if (w->best->fits)
		search_by(w, false);
}

void search_descend(plan_search *w, const site_classes *classes)
{
	enum { SMALL = 1000 };
	const double little = 0.05, much = 0.3; /* what a second descent should gain; for a large
						 * program, since it takes long */
	const double near = 1.05; /* a second descent may start this much worse than the first
				   * one ended */
	int64_t work = w->o->budget ? w->o->budget : usual_work(w);
	if (w->o->tactic)
		return;
	polish_smallest(w, classes, work);
	const plan_trial *first = search_best_beside(w, NULL);
	if (!first)
		return;
	const plan_trial *second = best_unlike(w, first);
	const plan_trial *pinned = says_little(first) ? best_with_pins(w) : NULL;
	search_polish(w, classes, first, false, work);
	if (pinned && pinned->price < near * search_best_beside(w, NULL)->price)
		search_polish(w, classes, pinned, false, work);
	if (second && second->price < near * search_best_beside(w, NULL)->price &&
	    search_room(w) > (w->sketch.more.layers ? much : little))
		search_polish(w, classes, second, false, work / 2);
	const plan_trial *whole = work >= SMALL ? try_whole(w, first) : NULL;
	if (whole && whole->possible)
		search_polish(w, classes, whole, true, work);
}

void search_descend_again(plan_search *w, const site_classes *classes, int n,
                          const plan_trial *unlimited)
{
	int64_t work = usual_work(w);
	if (w->best->number >= n)
		search_polish(w, classes, w->best, false, work);
	w->steep = true;
	search_judge_all(w);
	search_polish(w, classes, unlimited, false, work);
	w->steep = false;
	search_judge_all(w);
}
