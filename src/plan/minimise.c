/* minimise.c - removes annotations of values inside the program that a plan does not need.
 *
 * Annotations that propagation would find by itself, or that have no effect, are left out: the user
 * has to put each one that remains into the program by hand, and it keeps compilers from choosing
 * another sharding. */
#include "plan/polish.h"

typedef struct minimiser {
	plan_search *w;
	const site_classes *c;
	const mesh *mesh;
	plan_cost cost;      /* with all annotations, on few layers */
	const sharding **at; /* [n_sites]: the annotations that remain */
	const sharding **trial;
	const int *list; /* classes of values, the smallest first */
} minimiser;

static bool is_dearer(const minimiser *q, const plan_cost *c)
{
	const double same = 1e-5;
	return c->step_seconds > q->cost.step_seconds * (1 + same) ||
	       (double)c->peak_bytes > (double)q->cost.peak_bytes * (1 + same);
}

static void copy_sites(const minimiser *q, const sharding **to, const sharding *const *from)
{
	memcpy(to, from, sizeof *to * (size_t)q->w->s->n_sites);
}

/* True if the plan does not cost more without the classes list[from] to list[to - 1]; they are then
 * left out. */
static bool can_do_without(minimiser *q, int from, int to)
{
	plan_cost cost;
	bool any = false;
	copy_sites(q, q->trial, q->at);
	for (int i = from; i < to; i++) {
		const site_class *c = &q->c->ptr[q->list[i]];
		for (int k = 0; k < c->n; k++) {
			any |= q->trial[c->sites[k]] != NULL;
			q->trial[c->sites[k]] = NULL;
		}
	}
	if (any && (!search_few(q->w, q->mesh, q->trial, &cost) || is_dearer(q, &cost)))
		return false;
	copy_sites(q, q->at, q->trial);
	return true;
}

/* Leaves out these classes, or some of them, by halving the list. `needed`: it is known that not
 * all can be left out. @return true if all are left out */
static bool leave_out(minimiser *q, int from, int to, bool needed)
{
	if (from >= to || (!needed && can_do_without(q, from, to)))
		return true;
	if (to - from > 1) {
		int half = (from + to) / 2;
		bool all = leave_out(q, from, half, false);
		leave_out(q, half, to, all); /* if one half is left out, the other one is the one
					      * that is needed */
	}
	return false;
}

const plan_trial *search_minimise(plan_search *w, const site_classes *c, const plan_trial *from)
{
	minimiser q = {.w = w, .c = c, .mesh = from->p.mesh};
	int n = 0, *list = NEW_N(w->mem, int, c->n + 1);
	for (int i = 0; i < c->n; i++)
		if (w->s->sites[c->ptr[i].sites[0]].kind == SITE_VALUE)
			list[n++] = i;
	q.list = list;
	q.at = COPY_N(w->mem, from->p.at, w->s->n_sites + 1);
	q.trial = NEW_N(w->mem, const sharding *, w->s->n_sites + 1);
	if (!search_few(w, q.mesh, q.at, &q.cost))
		return from;
	leave_out(&q, 0, n, false);
	const plan_trial *less = search_changed(w, from, q.at);
	return less ? less : from;
}
