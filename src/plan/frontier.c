/* frontier.c - the Pareto frontier: plans that no other plan beats in both time and memory. */
#include "plan/search.h"

#include <math.h>
#include <stdlib.h>

const char *search_origin(const plan_search *w, const plan_trial *t)
{
	const char *from = t->from ? t->from : tactic_text(&t->t, t->p.mesh, w->mem);
	return t->improved ? arena_printf(w->mem, "%s, then changed where that helps", from) : from;
}

static int by_seconds_then_bytes(const void *a, const void *b)
{
	const plan_trial *x = *(plan_trial *const *)a, *y = *(plan_trial *const *)b;
	if (x->p.cost.step_seconds != y->p.cost.step_seconds)
		return x->p.cost.step_seconds < y->p.cost.step_seconds ? -1 : 1;
	if (x->p.cost.peak_bytes != y->p.cost.peak_bytes)
		return x->p.cost.peak_bytes < y->p.cost.peak_bytes ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

bool search_may_take(const plan_search *w, const plan_trial *t) { return !w->o->tactic || !t->improved; }

typedef VEC(const plan_trial *) trial_vec;

/* Keeps the plans that no other plan of the list beats in both time and memory, the fastest
 * first. */
static void keep_frontier(trial_vec *list)
{
	int64_t least = INT64_MAX;
	int n = 0;
	if (list->len)
		qsort(list->ptr, (size_t)list->len, sizeof *list->ptr, by_seconds_then_bytes);
	for (int i = 0; i < list->len; i++)
		if (list->ptr[i]->p.cost.peak_bytes < least) {
			least = list->ptr[i]->p.cost.peak_bytes;
			list->ptr[n++] = list->ptr[i];
		}
	list->len = n;
}

/* True if time and memory of the plans hardly differ. */
static bool nearly_same(const plan_cost *a, const plan_cost *b)
{
	const double little = 0.02;
	return fabs(a->step_seconds - b->step_seconds) <= little * b->step_seconds &&
	       fabs((double)(a->peak_bytes - b->peak_bytes)) <= little * (double)b->peak_bytes;
}

static void thin_out(trial_vec *list)
{
	int n = 0;
	for (int i = 0; i < list->len; i++)
		if (!n || !nearly_same(&list->ptr[i]->p.cost, &list->ptr[n - 1]->p.cost))
			list->ptr[n++] = list->ptr[i];
	list->len = n;
}

/* If there are many, keeps some between the fastest and the smallest. */
void search_frontier(plan_search *w, plan_result *out)
{
	const plan_trial best = {.p = out->best, .possible = true, .fits = out->fits, .final = true};
	enum { SHOWN = 5, SHOWN_OF_LARGE = 2 };
	trial_vec list = {0}, whole = {0};
	out->frontier.len = 0;
	for (int i = 0; i < w->trials.len; i++)
		if (w->trials.ptr[i]->possible && !w->trials.ptr[i]->rough && search_may_take(w, w->trials.ptr[i]))
			vec_push(w->mem, &list, w->trials.ptr[i]);
	keep_frontier(&list);
	thin_out(&list);
	int shown = (int)min_i64(list.len, w->sketch.more.layers ? SHOWN_OF_LARGE : SHOWN);
	for (int i = 0; i < shown; i++) {
		int at = shown > 1 ? i * (list.len - 1) / (shown - 1) : 0;
		const plan_trial *t = search_whole(w, list.ptr[at]);
		if (t->possible && (chosen_before(t, &best) || chosen_before(&best, t)))
			vec_push(w->mem, &whole, t); /* another one of the same cost is not shown */
	}
	vec_push(w->mem, &whole, &best);
	keep_frontier(&whole);
	for (int i = 0; i < whole.len; i++) {
		plan p = whole.ptr[i]->p;
		p.tactic = p.tactic ? p.tactic : search_origin(w, whole.ptr[i]);
		vec_push(w->mem, &out->frontier, p);
	}
}
