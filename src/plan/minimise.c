/* minimise.c - removes annotations of values inside the program that a plan does not need.
 *
 * Annotations that propagation would find by itself, or that have no effect, are left out: the user
 * has to put each one that remains into the program by hand, and it keeps compilers from choosing
 * another sharding.
 *
 * The user writes a constraint behind the value. That is more than an annotation: users of an
 * annotated value may take it as it was computed, but a constraint is another value, which has to be
 * computed. Suppose that a product is annotated as whole on every device and is cut into pieces that
 * all are split. Nobody needs the product whole, but its constraint gathers it. So plans are compared
 * in the form in which they are written. If that is dearer, annotations are first opened in dimensions
 * that have no axes, or left out, where that helps. */
#include "plan/polish.h"

typedef struct minimiser {
	plan_search *w;
	const site_classes *c;
	const mesh *mesh;
	plan_cost cost;      /* as written, on few layers: what no change may exceed */
	const sharding **at; /* [n_sites]: the annotations that remain */
	const sharding **trial;
	const int *list; /* classes of values, the smallest first */
} minimiser;

static bool is_dearer(const plan_cost *c, const plan_cost *than)
{
	const double same = 1e-5;
	return c->step_seconds > than->step_seconds * (1 + same) ||
	       (double)c->peak_bytes > (double)than->peak_bytes * (1 + same);
}

static void copy_sites(const minimiser *q, const sharding **to, const sharding *const *from)
{
	memcpy(to, from, sizeof *to * (size_t)q->w->s->n_sites);
}

/* Returns the sharding with its dimensions that have no axes open. */
static const sharding *with_open_dims(tess_ctx *ctx, const sharding *s)
{
	for (int d = 0; s && d < s->rank; d++) {
		dim_sharding dim = s->dims[d];
		dim.open |= !dim.n_axes;
		s = sharding_with_dim(ctx, s, d, dim);
	}
	return s;
}

/* Sets q->trial to q->at with the classes list[from] to list[to - 1] open where they have no axes, or
 * left out. Returns false if that changes nothing. */
static bool try_less(minimiser *q, int from, int to, bool open)
{
	bool any = false;
	copy_sites(q, q->trial, q->at);
	for (int i = from; i < to; i++) {
		const site_class *c = &q->c->ptr[q->list[i]];
		for (int k = 0; k < c->n; k++) {
			const sharding **at = &q->trial[c->sites[k]], *was = *at;
			*at = open ? with_open_dims(q->w->ctx, was) : NULL;
			any |= *at != was;
		}
	}
	return any;
}

/* True if the plan does not cost more without the classes list[from] to list[to - 1]; they are then
 * left out. */
static bool can_do_without(minimiser *q, int from, int to)
{
	plan_cost cost;
	if (try_less(q, from, to, false) && (!search_few(q->w, q->mesh, q->trial, true, &cost) ||
	                                     is_dearer(&cost, &q->cost)))
		return false;
	copy_sites(q, q->at, q->trial);
	return true;
}

/* Takes the trial if it costs less. */
static void take_cheaper(minimiser *q)
{
	plan_cost cost;
	if (!search_few(q->w, q->mesh, q->trial, true, &cost) || is_dearer(&cost, &q->cost) ||
	    !is_dearer(&q->cost, &cost))
		return;
	q->cost = cost;
	copy_sites(q, q->at, q->trial);
}

/* Opens or leaves out each of the n classes whose constraints cost more than they gain. */
static void leave_out_harmful(minimiser *q, int n)
{
	for (int i = 0; i < n; i++)
		for (int open = 1; open >= 0; open--)
			if (try_less(q, i, i + 1, open))
				take_cheaper(q);
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
	plan_cost annotated;
	if (!search_few(w, q.mesh, q.at, false, &annotated) || !search_few(w, q.mesh, q.at, true, &q.cost))
		return from;
	if (is_dearer(&q.cost, &annotated))
		leave_out_harmful(&q, n);
	leave_out(&q, 0, n, false);
	const plan_trial *less = search_changed(w, from, q.at);
	return less ? less : from;
}
