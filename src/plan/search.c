/* search.c - evaluates each plan once, and keeps the best one. */
#include "plan/search.h"

#include <math.h>

/* A plan that does not fit is the more expensive the more memory it lacks, so that a search can
 * find its way back; steeply, if that is all that a search is for. If only memory counts, time
 * decides between plans of nearly the same size. */
static double price_of(const plan_search *w, sketch_few cost)
{
	const double second = 1e-5, surcharge = w->steep ? 30 : 3;
	double over = (double)cost.bytes / (double)w->limit - 1;
	if (w->smallest)
		return (1 + over) * (1 + second * cost.seconds);
	return cost.seconds * (1 + (over > 0 ? surcharge * over : 0));
}

static sketch_few seconds_and_bytes(const plan_cost *c) { return (sketch_few){c->step_seconds, c->peak_bytes}; }

static void judge(const plan_search *w, plan_trial *t)
{
	t->fits = t->possible && t->p.cost.peak_bytes <= w->limit;
	if (!t->sure || !w->sketch.few.layers)
		t->guessed = seconds_and_bytes(&t->p.cost);
	t->price = t->possible ? price_of(w, seconds_and_bytes(&t->p.cost)) : HUGE_VAL;
	t->guess = t->possible ? price_of(w, t->guessed) : HUGE_VAL;
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

bool chosen_before(const plan_trial *a, const plan_trial *b)
{
	if (!b || a->fits != b->fits)
		return !b || a->fits;
	const double rounding = 1e-12;
	double seconds = a->p.cost.step_seconds, least = b->p.cost.step_seconds;
	int64_t bytes = a->p.cost.peak_bytes, fewest = b->p.cost.peak_bytes;
	bool faster = seconds < least * (1 - rounding), slower = least < seconds * (1 - rounding);
	if (a->fits)
		return faster || (!slower && bytes < fewest);
	return bytes < fewest || (bytes == fewest && faster);
}

void search_judge_all(plan_search *w)
{
	w->best = NULL;
	for (int i = 0; i < w->trials.len; i++) {
		judge(w, w->trials.ptr[i]);
		if (better(w->trials.ptr[i], w->best))
			w->best = w->trials.ptr[i];
	}
	for (int i = 0; i < w->wholes.len; i++)
		judge(w, w->wholes.ptr[i]->at_last);
}

/* Of two searches, tells the best plan of both that is within the limit that was asked for. */
static void tell_progress(plan_search *w)
{
	bool of_both = w->earlier.len || w->limit != w->asked;
	const plan_trial *best = of_both && w->told ? w->told : w->best;
	plan_progress p = {.evaluated = w->evaluated,
	                   .best = best ? &best->p : NULL,
	                   .fits = best && best->possible && best->p.cost.peak_bytes <= w->asked,
	                   .bound = w->bound};
	if (w->o->progress && !w->o->progress(w->o->user, &p))
		w->stopped = true;
}

/* Evaluates by the sketch, in comparison with the best plan if there is one. */
static bool evaluate_by_sketch(plan_search *w, plan_trial *n)
{
	sketch_result r;
	const plan_trial *best = w->best;
	sketch_rival rival = {0};
	if (best)
		rival = (sketch_rival){&best->p.cost, best->few, best->fits, fmin(1.6, 1.12 + 4 * search_room(w))};
	bool good = sketch_evaluate(&w->sketch, w->s, w->o->target, &w->memo, best ? &rival : NULL,
	                            &n->p, &r);
	n->rough = r.rough;
	n->few = r.few;
	if (good && !n->rough)
		search_scale(w, n->p.mesh, &n->p.cost);
	return good;
}

/* Evaluates by more layers. */
static void evaluate_surely(plan_search *w, plan_trial *n)
{
	n->possible = sketch_evaluate_surely(&w->sketch, w->s, w->o->target, &w->memo, &w->finals, &n->p);
	n->sure = true;
	n->rough = false;
}

/* Finds the cost of a plan, by the sketch or of the whole program. If it is not linear in the fewest
 * layers, more of them say it. */
static void cost_trial(plan_search *w, plan_trial *n)
{
	n->sure = n->final || !w->sketch.few.layers;
	n->possible = n->final ? plan_evaluate_fastest(w->s, w->o->target, &w->finals, &n->p)
	                       : evaluate_by_sketch(w, n);
	if (!n->possible && !n->sure && n->few.seconds > 0) {
		evaluate_surely(w, n);
		n->guessed = seconds_and_bytes(&n->p.cost);
	}
	n->forbidden = n->possible && plan_forbidden(&w->forbidden, &n->p.cost);
	n->possible &= !n->forbidden;
	judge(w, n);
	w->evaluated++;
}

static plan_trial *evaluate_trial(plan_search *w, const mesh *m, const sharding **at, const tactic *t,
                                  bool final)
{
	plan_trial *n = NEW(w->mem, plan_trial);
	n->p = (plan){.mesh = m, .at = COPY_N(w->mem, at, w->s->n_sites + 1)};
	n->t = *t;
	n->final = final;
	cost_trial(w, n);
	return n;
}

bool search_may_evaluate(const plan_search *w)
{
	return !w->stopped && (!w->o->budget || w->evaluated < w->o->budget);
}

/* ---- axes that can be merged -------------------------------------------------------------------- */

/* True if the dimension has both axes, the second directly after the first, or neither. */
static bool has_together(const dim_sharding *d, const name *first, const name *second)
{
	for (int i = 0; i < d->n_axes; i++) {
		if (d->axes[i].axis == second)
			return false;
		if (d->axes[i].axis != first)
			continue;
		if (++i == d->n_axes || d->axes[i].axis != second)
			return false;
	}
	return true;
}

static bool are_together(const plan_search *w, const sharding *const *at, const name *first, const name *second)
{
	for (int i = 0; i < w->s->n_sites; i++)
		for (int d = 0; at[i] && d < at[i]->rank; d++)
			if (!has_together(&at[i]->dims[d], first, second))
				return false;
	return true;
}

const sharding *sharding_without(tess_ctx *ctx, const sharding *s, const name *axis)
{
	for (int d = 0; s && d < s->rank; d++) {
		dim_sharding dim = s->dims[d];
		axis_ref *axes = NEW_N(&ctx->scratch, axis_ref, dim.n_axes + 1);
		int n = 0;
		for (int i = 0; i < dim.n_axes; i++)
			if (dim.axes[i].axis != axis)
				axes[n++] = dim.axes[i];
		if (n == dim.n_axes)
			continue;
		dim.axes = axes;
		dim.n_axes = n;
		s = sharding_with_dim(ctx, s, d, dim);
	}
	return s;
}

/* Returns the key of the same plan on the mesh where axes that always come together are merged; 0:
 * there are none. */
static uint64_t merged_key(const plan_search *w, const mesh *m, const sharding **at)
{
	arena *scratch = &w->ctx->scratch;
	arena_mark here = arena_here(scratch);
	mesh_axis axes[PLAN_AXES];
	int n = 1;
	memset(axes, 0, sizeof axes);
	axes[0] = m->axes[0];
	for (int a = 1; a < m->n_axes; a++) {
		if (!are_together(w, at, axes[n - 1].name, m->axes[a].name)) {
			axes[n++] = m->axes[a];
			continue;
		}
		axes[n - 1].size *= m->axes[a].size;
		const sharding **less = NEW_N(scratch, const sharding *, w->s->n_sites + 1);
		for (int i = 0; i < w->s->n_sites; i++)
			less[i] = sharding_without(w->ctx, at[i], m->axes[a].name);
		at = less;
	}
	uint64_t key = n < m->n_axes ? trial_key(w, mesh_of(w->ctx, axes, n, NULL, 0), at) : 0;
	arena_back(scratch, here);
	return key;
}

static plan_trial *known_trial(const plan_search *w, uint64_t key)
{
	return ptr_map_get(&w->known, (const void *)(uintptr_t)key);
}

/* Returns the trial that does the same on a mesh with fewer axes; NULL: none is known. It is also
 * recorded as the cost of the tactic on this mesh. */
static const plan_trial *trial_merged(plan_search *w, const mesh *m, uint64_t key, const tactic *t)
{
	const plan_trial *same = known_trial(w, key);
	if (!same || same->p.mesh == m || !t->n)
		return same;
	plan_trial *twin = NEW(w->mem, plan_trial);
	*twin = *same;
	twin->p.mesh = m;
	twin->t = *t;
	vec_push(w->mem, &w->twins, twin);
	return same;
}

/* ---- trials -------------------------------------------------------------------------------------- */

static void add_key(plan_search *w, uint64_t key, plan_trial *n)
{
	void **slot = ptr_map_at(&w->known, w->mem, (const void *)(uintptr_t)key);
	*slot = *slot ? *slot : n;
}

void search_add(plan_search *w, plan_trial *n)
{
	n->number = w->trials.len;
	vec_push(w->mem, &w->trials, n);
	if (n->at_last)
		vec_push(w->mem, &w->wholes, n);
	add_key(w, n->key, n);
	if (n->merged)
		add_key(w, n->merged, n);
	judge(w, n);
	if (better(n, w->best))
		w->best = n;
	bool fits = n->possible && n->p.cost.peak_bytes <= w->asked;
	if (fits && (!w->told || n->p.cost.step_seconds < w->told->p.cost.step_seconds))
		w->told = n;
}

static bool is_listed(const plan_search *w, const plan_trial *t)
{
	return t->number < w->trials.len && w->trials.ptr[t->number] == t;
}

/* Returns a trial of the search before (again.c) that this one may take over; NULL: there is none. What a
 * few layers say is scaled and rough by what else was evaluated, so it is found again. */
static plan_trial *recalled(const plan_search *w, const mesh *m, uint64_t key, const tactic *t)
{
	const void *by = (const void *)(uintptr_t)key;
	plan_trial *n = w->sketch.few.layers ? NULL : ptr_map_get(&w->earlier_known, by);
	if (!n || n->p.mesh != m || is_listed(w, n))
		return NULL;
	n->t = *t;
	n->from = NULL;
	n->improved = false;
	return n;
}

const plan_trial *search_try(plan_search *w, const mesh *m, const sharding **at, const tactic *t)
{
	uint64_t key = trial_key(w, m, at);
	const plan_trial *known = known_trial(w, key);
	if (known)
		return known;
	uint64_t merged = m->n_axes > 1 ? merged_key(w, m, at) : 0;
	if (merged && (known = trial_merged(w, m, merged, t)))
		return known;
	plan_trial *n = recalled(w, m, key, t);
	if (!n && !search_may_evaluate(w))
		return NULL;
	n = n ? n : evaluate_trial(w, m, at, t, false);
	n->key = key;
	n->merged = merged;
	search_add(w, n);
	tell_progress(w);
	return n;
}

bool search_few(plan_search *w, const mesh *m, const sharding **at, bool written, plan_cost *out)
{
	plan p = {.mesh = m, .at = at, .written = written};
	if (!search_may_evaluate(w))
		return false;
	w->evaluated++;
	bool good = sketch_evaluate_few(&w->sketch, w->s, w->o->target, &w->memo, &p, out);
	tell_progress(w);
	return good && !plan_forbidden(&w->forbidden, out);
}

const plan_trial *search_whole(plan_search *w, const plan_trial *t)
{
	if (t->final)
		return t;
	plan_trial *known = w->trials.ptr[t->number];
	if (!known->at_last) {
		plan_trial *n = evaluate_trial(w, t->p.mesh, t->p.at, &t->t, true);
		n->from = known->from;
		n->improved = known->improved;
		known->at_last = n;
		vec_push(w->mem, &w->wholes, known);
	}
	return known->at_last;
}

const plan_trial *search_written(plan_search *w, const plan_trial *t)
{
	const plan_trial *whole = search_whole(w, t);
	plan_trial *n = NEW(w->mem, plan_trial);
	if (whole == t || !whole->possible)
		return whole;
	*n = *whole;
	n->p.written = true;
	cost_trial(w, n);
	n->p.written = false;
	if (!n->possible || !chosen_before(whole, n))
		return whole;
	return w->trials.ptr[t->number]->at_last = n;
}

bool search_wholes(plan_search *w)
{
	enum { MOST = 12 };
	for (int i = 0; i < w->trials.len && i < MOST && w->sketch.few.layers; i++) {
		plan_trial *n = w->trials.ptr[i];
		const plan_trial *whole = n->forbidden ? NULL : search_whole(w, n);
		if (!whole || !whole->possible)
			continue;
		n->p.cost = whole->p.cost;
		n->possible = true;
		n->rough = false;
		judge(w, n);
		if (better(n, w->best))
			w->best = n;
	}
	return w->best;
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

double search_room(const plan_search *w)
{
	double least = HUGE_VAL;
	if (!w->best || !w->best->fits)
		return 1;
	for (int i = 0; i < w->trials.len; i++)
		if (w->trials.ptr[i]->possible && !w->trials.ptr[i]->rough)
			least = fmin(least, w->trials.ptr[i]->p.cost.compute_seconds);
	return fmax(1 - plan_ratio(least, w->best->p.cost.step_seconds), 0);
}

/* ---- plans of others ------------------------------------------------------------------------ */

const plan_trial *search_changed(plan_search *w, const plan_trial *from, const sharding **at)
{
	return search_moved(w, from, from->p.mesh, at);
}

const plan_trial *search_moved(plan_search *w, const plan_trial *from, const mesh *m, const sharding **at)
{
	int n = w->trials.len;
	const plan_trial *t = search_try(w, m, at, &from->t);
	if (w->trials.len > n) {
		w->trials.ptr[n]->from = from->from;
		w->trials.ptr[n]->improved = true;
	}
	return t;
}

const plan_trial *search_try_from(plan_search *w, const mesh *m, const sharding **at, const char *from)
{
	int n = w->trials.len;
	const plan_trial *t = search_try(w, m, at, &(tactic){.pins = PINS_ALL});
	if (w->trials.len > n)
		w->trials.ptr[n]->from = from;
	return t;
}

static bool is_lookup(const plan_site *s)
{
	return s->kind == SITE_VALUE && op_has(value_def(s->v), SELECTS | UPDATES);
}

/* The model considers each use of a lookup separately; together with its neighbors it may be better
 * left to propagation. */
static const sharding **without_lookups(const plan_search *w, const sharding *const *at)
{
	const sharding **less = COPY_N(w->mem, at, w->s->n_sites + 1);
	for (int i = 0; i < w->s->n_sites; i++)
		if (is_lookup(&w->s->sites[i]))
			less[i] = NULL;
	return less;
}

void search_seeds(plan_search *w, plan_seeder *seeder, const mesh *m)
{
	static const char from[] = "suggested by the model";
	const double far = 1.6;
	plan_seeds seeds = {0};
	const plan_trial *best = NULL;
	const sharding **best_at = NULL; /* not those of `best`, which may be on a mesh with merged axes */
	if (!seeder || !w->best || w->stopped)
		return;
	double serial = w->best->p.cost.compute_seconds + w->best->p.cost.comm_seconds;
	plan_seeds_of(seeder, m, w->o->target, w->limit, &seeds);
	for (int i = 0; i < seeds.len; i++) {
		if (w->best->fits && seeds.ptr[i].seconds > far * serial)
			continue;
		const plan_trial *t = search_try_from(w, m, seeds.ptr[i].at, from);
		if (!t || (best && t->price >= best->price))
			continue;
		best = t;
		best_at = seeds.ptr[i].at;
	}
	if (best)
		search_try_from(w, m, without_lookups(w, best_at), from);
}

void search_given(plan_search *w)
{
	search_try_from(w, w->s->given, w->s->given_at, "as annotated");
}
