/* scale.c - evaluates plans that seem good on more layers, and compares meshes by that.
 *
 * The cost from the fewest layers (sketch.c) may be off by 3 % on one mesh and right on another,
 * which changes the order of the two. On one mesh it is off by nearly the same factor for all plans
 * that are worth considering. So one plan of each mesh that seems good is evaluated on more layers,
 * and the costs of other plans there are scaled accordingly. */
#include "plan/search.h"

#include <math.h>

static const mesh_scale *scale_of(const plan_search *w, const mesh *m)
{
	for (int i = 0; i < w->scales.len; i++)
		if (w->scales.ptr[i].m == m)
			return &w->scales.ptr[i];
	return NULL;
}

void search_scale(const plan_search *w, const mesh *m, plan_cost *c)
{
	const mesh_scale *s = scale_of(w, m);
	if (s)
		plan_cost_scale(c, s->seconds, s->bytes);
}

/* True if the cost is that of few layers, scaled. */
static bool is_scaled(const plan_trial *t) { return t->possible && !t->rough && !t->sure; }

static void add_scale(plan_search *w, const mesh_scale *s)
{
	vec_push(w->mem, &w->scales, *s);
	for (int i = 0; i < w->trials.len; i++)
		if (w->trials.ptr[i]->p.mesh == s->m && is_scaled(w->trials.ptr[i]))
			plan_cost_scale(&w->trials.ptr[i]->p.cost, s->seconds, s->bytes);
}

/* The first sure plan on a mesh sets its scale; a plan that cannot be partitioned says nothing
 * about others. */
static void scale_mesh(plan_search *w, const plan_trial *t, const plan_cost *few)
{
	mesh_scale s = {.m = t->p.mesh, .seconds = 1, .bytes = 1};
	if (t->possible) {
		s.seconds = plan_ratio(t->p.cost.step_seconds, few->step_seconds);
		s.bytes = (double)t->p.cost.peak_bytes / (double)max_i64(few->peak_bytes, 1);
	}
	add_scale(w, &s);
}

void search_take_scales(plan_search *w)
{
	for (int i = 0; i < w->earlier_scales.len; i++)
		if (!scale_of(w, w->earlier_scales.ptr[i].m))
			add_scale(w, &w->earlier_scales.ptr[i]);
}

void search_rescale(plan_search *w, plan_trial *t)
{
	if (!is_scaled(t))
		return;
	for (int i = 0; i < w->earlier_scales.len; i++) {
		const mesh_scale *s = &w->earlier_scales.ptr[i];
		if (s->m == t->p.mesh)
			plan_cost_scale(&t->p.cost, 1 / s->seconds, 1 / s->bytes);
	}
	search_scale(w, t->p.mesh, &t->p.cost);
}

static bool is_same(double a, double b)
{
	const double rounding = 1e-9;
	return fabs(a - b) <= rounding * fabs(b);
}

/* Returns a sure trial that costs exactly the same on both programs of the fewest layers, on the same
 * mesh; NULL: none is known. The two differ in annotations that have no effect, so another layer does
 * not make them differ either. */
static const plan_trial *sure_twin(const plan_search *w, const plan_trial *t)
{
	for (int i = 0; i < w->trials.len && !t->rough; i++) {
		const plan_trial *k = w->trials.ptr[i];
		if (k->sure && k->possible && k->p.mesh == t->p.mesh && k->few.seconds == t->few.seconds &&
		    k->few.bytes == t->few.bytes && is_same(k->guessed.seconds, t->guessed.seconds) &&
		    is_same((double)k->guessed.bytes, (double)t->guessed.bytes))
			return k;
	}
	return NULL;
}

const plan_trial *search_surely(plan_search *w, const plan_trial *t)
{
	plan_trial *known = t->final ? NULL : w->trials.ptr[t->number];
	if (!known || known->sure || !known->possible || !search_may_evaluate(w))
		return t;
	const plan_trial *twin = sure_twin(w, known);
	if (twin) {
		known->p.cost = twin->p.cost;
		known->sure = true;
		search_judge_all(w);
		return known;
	}
	plan_cost few = known->p.cost;
	bool first = !scale_of(w, t->p.mesh) && !known->rough;
	known->possible = sketch_evaluate_surely(&w->sketch, w->s, w->o->target, &w->memo, &w->finals, &known->p);
	known->sure = true;
	known->rough = false;
	w->evaluated++;
	if (first) {
		scale_mesh(w, known, &few);
		known->guessed = (sketch_few){known->p.cost.step_seconds, known->p.cost.peak_bytes};
	}
	search_judge_all(w);
	return known;
}

/* True if `a` becomes `b` by moving factors of two between its axes. */
static bool is_moved(const mesh *a, const mesh *b)
{
	if (a->n_axes != b->n_axes)
		return false;
	for (int i = 0; i < a->n_axes; i++) {
		int64_t large = max_i64(a->axes[i].size, b->axes[i].size), small = min_i64(a->axes[i].size, b->axes[i].size);
		int64_t times = large / small;
		if (a->axes[i].name != b->axes[i].name || large % small || (times & (times - 1)))
			return false;
	}
	return true;
}

/* Returns the least scale of the meshes that differ by moved factors of two; 0: none is known. */
static double scale_of_moved(const plan_search *w, const mesh *m)
{
	double least = 0;
	for (int i = 0; i < w->scales.len; i++)
		if (is_moved(w->scales.ptr[i].m, m) && (!least || w->scales.ptr[i].seconds < least))
			least = w->scales.ptr[i].seconds;
	return least;
}

/* Returns the best trial on the meshes that have no scale yet, if it is about as good as `than`
 * would be with the same scale. If few layers are far wrong about the mesh of `than`, they may be as
 * far wrong in the other direction elsewhere. On meshes with the same axes they are wrong by nearly the
 * same factor. */
static const plan_trial *best_unscaled(const plan_search *w, const plan_trial *than)
{
	const mesh_scale *scale = scale_of(w, than->p.mesh);
	const double much = 1.1, same = scale ? scale->seconds : 1;
	const double about = 1.04 * (same > much ? same : 1 / same), about_moved = 1.01;
	const plan_trial *best = NULL;
	for (int i = 0; i < w->trials.len; i++) {
		const plan_trial *t = w->trials.ptr[i];
		if (!t->possible || t->sure || t->price >= about * than->price || scale_of(w, t->p.mesh) ||
		    (best && t->price >= best->price))
			continue;
		double moved = scale_of_moved(w, t->p.mesh);
		if (!moved || moved * t->price < about_moved * than->price)
			best = t;
	}
	return best;
}

void search_compare_meshes(plan_search *w)
{
	enum { MOST = 12, MOST_UNSCALED = 8 };
	int unscaled = 0;
	for (int i = 0; i < MOST && !w->stopped; i++) {
		const plan_trial *t = search_best_beside(w, NULL);
		if (t && t->sure) {
			const plan_trial *other = search_best_beside(w, t->p.mesh);
			t = other && !other->sure ? other
			    : unscaled++ < MOST_UNSCALED ? best_unscaled(w, t)
			                                 : NULL;
		}
		if (!t || t->sure)
			return;
		search_surely(w, t);
	}
}
