/* decide.c - the decisions of a plan, each with the best other one.
 *
 * A decision is the tactic of one axis.  The best other one is the cheapest plan that differs there
 * alone, and its price is exact: the search has evaluated it. */
#include "plan/search.h"

#include <math.h>

static bool differs_only_at(const plan_trial *a, const plan_trial *b, int axis)
{
	if (a->p.mesh != b->p.mesh || a->t.n != b->t.n || a->t.pins != b->t.pins)
		return false;
	for (int i = 0; i < a->t.n; i++)
		if ((a->t.on[i] != b->t.on[i]) != (i == axis))
			return false;
	return true;
}

static const plan_trial *next_best(const plan_search *w, const plan_trial *best, int axis)
{
	const plan_trial *found = NULL;
	for (int i = 0; i < w->trials.len; i++) {
		const plan_trial *t = w->trials.ptr[i];
		if (t->possible && differs_only_at(t, best, axis) &&
		    (!found || t->price < found->price))
			found = t;
	}
	return found;
}

/* Where the greatest difference is. */
static const char *why_of(const plan_cost *a, const plan_cost *b, bool fits, arena *mem)
{
	const double milli = 1e3, giga = 1e9;
	double far = b->far_seconds - a->far_seconds;
	double near = b->comm_seconds - b->far_seconds - a->comm_seconds + a->far_seconds;
	double work = b->compute_seconds - a->compute_seconds;
	if (!fits)
		return arena_printf(mem, "%.3g GB less on a device",
		                    (double)(b->peak_bytes - a->peak_bytes) / giga);
	if (far >= near && far >= work)
		return arena_printf(mem, "%.3g ms less between nodes", far * milli);
	if (near >= work)
		return arena_printf(mem, "%.3g ms less within nodes", near * milli);
	return arena_printf(mem, "%.3g ms less computation", work * milli);
}

static void decide_mesh(const plan_search *w, const plan_trial *best, plan_result *out)
{
	const plan_trial *next = NULL;
	writer text;
	for (int i = 0; i < w->trials.len; i++) {
		const plan_trial *t = w->trials.ptr[i];
		if (t->possible && t->p.mesh != best->p.mesh && (!next || t->price < next->price))
			next = t;
	}
	if (!next)
		return;
	writer_init(&text, w->mem);
	for (int a = 0; a < next->p.mesh->n_axes; a++)
		put_f(&text, "%s%s=%" PRId64, a ? " x " : "", next->p.mesh->axes[a].name->s,
		      next->p.mesh->axes[a].size);
	bool fits = next->fits;
	vec_push(w->mem, &out->decisions,
	         (plan_decision){.what = "the shape of the mesh",
	                         .why = why_of(&best->p.cost, &next->p.cost, fits, w->mem),
	                         .next = writer_z(&text),
	                         .next_cost = next->p.cost,
	                         .next_fits = fits});
}

void plan_decide(const plan_search *w, const plan_trial *best, plan_result *out)
{
	decide_mesh(w, best, out);
	for (int a = 0; a < best->t.n; a++) {
		const plan_trial *next = next_best(w, best, a);
		const char *axis = best->p.mesh->axes[a].name->s;
		plan_decision d = {.what = arena_printf(w->mem, "%s over %s: %s",
		                                        tactic_word(best->t.on[a]), axis,
		                                        tactic_about(best->t.on[a]))};
		if (next) {
			d.next = tactic_word(next->t.on[a]);
			d.next_cost = next->p.cost;
			d.next_fits = next->fits;
			d.why = why_of(&best->p.cost, &next->p.cost, d.next_fits, w->mem);
		}
		vec_push(w->mem, &out->decisions, d);
	}
}
