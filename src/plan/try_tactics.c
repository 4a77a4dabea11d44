/* try_tactics.c - all tactics over the meshes. */
#include "plan/search.h"

#include <math.h>
#include <stdlib.h>

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
	tactic t = {.n = m->n_axes, .pins = PINS_ALL};
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
		bare.pins = PINS_NONE;
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
