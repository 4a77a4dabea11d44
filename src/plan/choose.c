/* choose.c - chooses the best of the plans that seem best, by evaluating them on the whole program.
 *
 * Costs from a few layers may be off by more than plans differ. How far off they were for the plans
 * that were evaluated on the whole program shows which other plans may be better. */
#include "plan/search.h"

#include <math.h>
#include <stdlib.h>

static int by_choice(const void *a, const void *b)
{
	const plan_trial *x = *(plan_trial *const *)a, *y = *(plan_trial *const *)b;
	if (x->fits != y->fits)
		return x->fits ? -1 : 1;
	if (x->price != y->price)
		return x->price < y->price ? -1 : 1;
	if (x->p.cost.peak_bytes != y->p.cost.peak_bytes)
		return x->p.cost.peak_bytes < y->p.cost.peak_bytes ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

/* True if a plan of the same size and time was evaluated on the whole program. */
static bool is_known_size(const plan_search *w, const plan_trial *t)
{
	for (int i = 0; i < w->wholes.len; i++) {
		const plan_trial *k = w->wholes.ptr[i];
		if (k->sure == t->sure && k->p.cost.peak_bytes == t->p.cost.peak_bytes &&
		    k->p.cost.step_seconds == t->p.cost.step_seconds)
			return true;
	}
	return false;
}

/* True if a plan on the same mesh that needs nearly the same memory was evaluated on the whole
 * program. */
static bool is_as_small(const plan_search *w, const plan_trial *t)
{
	const double same = 1e-3;
	for (int i = 0; i < w->wholes.len; i++) {
		const plan_cost *k = &w->wholes.ptr[i]->p.cost;
		if (w->wholes.ptr[i]->p.mesh == t->p.mesh &&
		    fabs((double)k->peak_bytes / (double)max_i64(t->p.cost.peak_bytes, 1) - 1) < same)
			return true;
	}
	return false;
}

/* Returns the smallest of the trials that have been evaluated neither on the whole program nor on
 * more layers. */
static const plan_trial *smallest_trial(plan_search *w)
{
	enum { MOST = 12 };
	const plan_trial *least = NULL;
	for (int n = 0; n < MOST && !(least && least->sure); n++) {
		least = least ? search_surely(w, least) : NULL;
		for (int i = 0; i < w->trials.len; i++) {
			const plan_trial *t = w->trials.ptr[i];
			if (t->possible && !t->at_last && !is_known_size(w, t) && !is_as_small(w, t) &&
			    (!least || t->p.cost.peak_bytes < least->p.cost.peak_bytes))
				least = t;
		}
	}
	return least;
}

/* Evaluates the trial on the whole program, and makes it *best if it is better. */
static void choose_better(plan_search *w, const plan_trial *t, const plan_trial **best, int *surest)
{
	const plan_trial *whole = search_whole(w, t);
	if (!whole->possible || !chosen_before(whole, *best))
		return;
	*best = whole;
	*surest = t->number;
}

/* The ratio of the cost of the whole program to the cost from few layers: the smallest and the
 * largest of the plans that were evaluated on the whole program, on the mesh or, if that is NULL,
 * on any. For all meshes the range includes 1, since the costs from few layers may be right for
 * other plans. */
typedef struct few_wrong {
	double least, most;
} few_wrong;

static few_wrong few_wrong_on(const plan_search *w, const mesh *m)
{
	few_wrong f = m ? (few_wrong){HUGE_VAL, 0} : (few_wrong){1, 1};
	for (int i = 0; i < w->wholes.len; i++) {
		const plan_trial *t = w->wholes.ptr[i];
		if (!t->possible || !t->at_last->possible || (m && t->p.mesh != m))
			continue;
		f.least = fmin(f.least, plan_ratio(t->at_last->price, t->price));
		f.most = fmax(f.most, plan_ratio(t->at_last->price, t->price));
	}
	return f;
}

/* Returns the price of the whole program if few layers are as far off for this plan as for others
 * on its mesh. */
static double whole_price(const plan_search *w, const plan_trial *t)
{
	double there = few_wrong_on(w, t->p.mesh).least;
	return t->price * (there < HUGE_VAL ? there : few_wrong_on(w, NULL).least);
}

/* True if a plan that seems equally good on the mesh, or has the same size and time on another
 * mesh, was evaluated on the whole program: the two hardly differ. */
static bool seems_known(const plan_search *w, const plan_trial *t)
{
	const double same = 1e-5;
	for (int i = 0; i < w->wholes.len; i++)
		if (w->wholes.ptr[i]->p.mesh == t->p.mesh && fabs(plan_ratio(w->wholes.ptr[i]->price, t->price) - 1) < same)
			return true;
	return is_known_size(w, t);
}

/* True if a plan that was not evaluated on the whole program may be better than the best one that
 * was. */
static bool is_doubtful(const plan_search *w, const plan_trial *t, const plan_trial *best)
{
	return whole_price(w, t) < best->price && !seems_known(w, t);
}

/* Returns the unchanged tactic that may be better than the best plan, given how far off few layers
 * can be, and that seems best if they are as far off for it as for others on its mesh; NULL: there
 * is none. */
static const plan_trial *doubtful_tactic(const plan_search *w, const plan_trial *best)
{
	const plan_trial *next = NULL;
	const double more = 1.05; /* few layers may be further off than seen so far, */
	const double twice = 2;   /* or as far the other way as they are for the best plan */
	few_wrong all = few_wrong_on(w, NULL);
	double wrong = fmax(all.most, 1 / all.least) - 1, least = HUGE_VAL;
	double most = fmax(fmin(best->price * all.most, best->at_last->price * more) / all.least,
	                   best->at_last->price * (1 + twice * wrong));
	for (int i = 0; i < w->trials.len; i++) {
		const plan_trial *t = w->trials.ptr[i];
		if (!t->possible || !t->t.n || t->improved || t->at_last || t->price >= most || seems_known(w, t))
			continue;
		double seconds = whole_price(w, t);
		if (seconds < least) {
			least = seconds;
			next = t;
		}
	}
	return next;
}

/* Evaluates some of these tactics on the whole program, if it repeats layers, whether it is folded or
 * not. */
static void choose_tactic(plan_search *w, const plan_trial **best, int *surest)
{
	enum { MOST = 8, MANY = 4 };
	for (int n = 0; n < MOST && w->sketch.layers.layers >= MANY && *best; n++) {
		const plan_trial *next = doubtful_tactic(w, w->trials.ptr[*surest]);
		if (!next)
			return;
		choose_better(w, next, best, surest);
	}
}

/* Tries the chosen tactic with fewer annotations of values inside the program, which few layers
 * cannot tell apart. */
static void choose_saying(plan_search *w, const plan_trial **best, int *surest)
{
	const double same = 1e-4;
	const plan_trial *chosen = w->trials.ptr[*surest];
	tactic t = chosen->t;
	if (!t.n || chosen->improved || !w->sketch.few.layers)
		return;
	for (t.pins = PINS_SUMS; t.pins <= PINS_NONE; t.pins++) {
		const plan_trial *less = search_tactic(w, chosen->p.mesh, &t);
		if (less && less->possible && !less->at_last && less->guess < chosen->guess * (1 + same))
			choose_better(w, less, best, surest);
	}
}

const plan_trial *search_choose(plan_search *w, int *surest)
{
	enum { FEW = 3, FEW_LARGE = 1, MOST = 12, DOUBTFUL = 4, SMALLEST = 4 };
	const double same = 1e-5;
	double about = w->sketch.few.layers ? 1.005 : 1.015; /* the order by weighted seconds may
							      * differ from the real one by this
							      * factor */
	VEC(const plan_trial *) list = {0};
	const plan_trial *best = NULL, *t;
	int doubtful = 0;
	search_compare_meshes(w);
	bool any_fits = w->best && w->best->fits; /* by few layers; otherwise the smallest one is
						   * tried below */
	for (int i = 0; i < w->trials.len; i++)
		if (w->trials.ptr[i]->possible)
			vec_push(w->mem, &list, w->trials.ptr[i]);
	if (list.len)
		qsort(list.ptr, (size_t)list.len, sizeof *list.ptr, by_choice);
	for (int i = 0, n = 0; i < list.len && n < MOST; i++) {
		t = list.ptr[i];
		bool enough = n >= (w->sketch.more.layers ? FEW_LARGE : FEW) && best && best->fits == any_fits;
		if (enough && t->price >= best->price * about)
			break;
		if (i && t->p.mesh == list.ptr[i - 1]->p.mesh && t->price <= list.ptr[i - 1]->price * (1 + same))
			continue; /* it costs the same, so it hardly differs */
		if (enough && ((w->sketch.more.layers && !is_doubtful(w, t, best)) || doubtful++ >= DOUBTFUL ||
		               !is_doubtful(w, search_surely(w, t), best)))
			continue;
		n++;
		choose_better(w, t, &best, surest);
	}
	for (int i = 0; i < SMALLEST && best && !best->fits && (t = smallest_trial(w)); i++)
		choose_better(w, t, &best, surest);
	choose_tactic(w, &best, surest);
	if (best)
		choose_saying(w, &best, surest);
	return best;
}

const plan_trial *search_choose_again(plan_search *w, const plan_result *out, int first, int *number)
{
	enum { MOST = 3 };
	const double little = 1e-4;
	plan_trial *chosen = NEW(w->mem, plan_trial);
	*chosen = (plan_trial){.p = out->best, .fits = out->fits};
	const plan_trial *now = chosen;
	double most = w->trials.ptr[*number]->price * (1 - little);
	for (int n = 0; n < MOST && !w->o->tactic; n++) {
		const plan_trial *best = NULL;
		for (int i = first; i < w->trials.len; i++) {
			const plan_trial *t = w->trials.ptr[i];
			if (t->possible && !t->at_last && t->fits >= now->fits && t->price < most &&
			    (!best || t->price < best->price) && !seems_known(w, t))
				best = t;
		}
		if (!best)
			break;
		choose_better(w, best, &now, number);
	}
	return now == chosen ? NULL : now;
}
