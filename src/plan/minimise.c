/* minimise.c - a plan says of values inside of the program no more than it must.
 *
 * Annotations that propagation would find by itself, or that change nothing, are left out: each one that
 * stays has to be put into the user's program by hand, and keeps compilers from choosing otherwise. */
#include "plan/polish.h"

typedef struct minimiser {
	plan_search *w;
	const site_classes *c;
	const plan_trial *at;
	const sharding **trial;
	const int *list; /* classes of values, smallest first */
} minimiser;

static bool is_dearer(const plan_trial *t, const plan_trial *than)
{
	const double same = 1e-5;
	return !t || !t->possible || t->p.cost.step_seconds > than->p.cost.step_seconds * (1 + same) ||
	       (double)t->p.cost.peak_bytes > (double)than->p.cost.peak_bytes * (1 + same);
}

/* Leaves out classes list[from] to list[to - 1], if the plan costs no more without them; else some of
 * them, by halves. */
static void leave_out(minimiser *q, int from, int to)
{
	const plan_subject *s = q->w->s;
	bool any = false;
	if (from >= to)
		return;
	memcpy(q->trial, q->at->p.at, sizeof *q->trial * (size_t)s->n_sites);
	for (int i = from; i < to; i++) {
		const site_class *c = &q->c->ptr[q->list[i]];
		for (int k = 0; k < c->n; k++) {
			any |= q->trial[c->sites[k]] != NULL;
			q->trial[c->sites[k]] = NULL;
		}
	}
	if (!any)
		return;
	const plan_trial *t = search_changed(q->w, q->at, q->trial);
	if (!is_dearer(t, q->at)) {
		q->at = t;
	} else if (to - from > 1) {
		leave_out(q, from, (from + to) / 2);
		leave_out(q, (from + to) / 2, to);
	}
}

const plan_trial *search_minimise(plan_search *w, const site_classes *c, const plan_trial *from)
{
	minimiser q = {.w = w, .c = c, .at = from};
	int n = 0, *list = NEW_N(w->mem, int, c->n + 1);
	for (int i = 0; i < c->n; i++)
		if (w->s->sites[c->ptr[i].sites[0]].kind == SITE_VALUE)
			list[n++] = i;
	q.list = list;
	q.trial = NEW_N(w->mem, const sharding *, w->s->n_sites + 1);
	leave_out(&q, 0, n);
	return q.at;
}
