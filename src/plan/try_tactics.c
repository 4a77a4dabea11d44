/* try_tactics.c - tries all tactics on the meshes. */
#include "plan/search.h"

#include <math.h>
#include <stdlib.h>

/* What people use over the slow axes of a mesh, and over the last one; those that go with the most
 * outer ones come first. */
static const tactic_id outer_tactics[] = {
	TACTIC_DATA,   TACTIC_ZERO2,       TACTIC_FSDP,    TACTIC_STATIONARY,
	TACTIC_EXPERT, TACTIC_EXPERT_FSDP, TACTIC_CONTEXT, TACTIC_CONTEXT_FSDP,
};
static const tactic_id inner_tactics[] = {
	TACTIC_DATA,           TACTIC_FSDP,         TACTIC_MEGATRON_SP, TACTIC_MEGATRON,
	TACTIC_MEGATRON_WIDTH, TACTIC_EXPERT_MODEL, TACTIC_EXPERT,      TACTIC_CONTEXT,
	TACTIC_FEATURES,       TACTIC_STATIONARY,   TACTIC_MEGATRON_MLP,
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

/* Returns the least seconds of the possible trials on the mesh, of tactic `t` unless it is NULL;
 * HUGE_VAL: there are none. */
static double least_seconds_of(const plan_trial *const *list, int n, const mesh *m, const tactic *t)
{
	double least = HUGE_VAL;
	for (int i = 0; i < n; i++)
		if (list[i]->p.mesh == m && list[i]->possible && (!t || same_tactic(&list[i]->t, t)))
			least = fmin(least, list[i]->p.cost.step_seconds);
	return least;
}

/* Seconds of a tactic over a mesh; HUGE_VAL: it was not tried, or is not possible. */
static double tactic_seconds(const plan_search *w, const mesh *m, const tactic *t)
{
	double there = least_seconds_of((const plan_trial *const *)w->trials.ptr, w->trials.len, m, t);
	return there < HUGE_VAL ? there : least_seconds_of(w->twins.ptr, w->twins.len, m, t);
}

static double least_seconds_on(const plan_search *w, const mesh *m)
{
	double there = least_seconds_of((const plan_trial *const *)w->trials.ptr, w->trials.len, m, NULL);
	return fmin(there, least_seconds_of(w->twins.ptr, w->twins.len, m, NULL));
}

/* True if the tactic was so slow on another mesh that it will be slow on this one, too. */
static bool was_hopeless(const plan_search *w, const mesh *there, const tactic *t)
{
	const double far = 2.5;
	double seconds = there ? tactic_seconds(w, there, t) : HUGE_VAL;
	return seconds < HUGE_VAL && seconds > far * least_seconds_on(w, there);
}

static tactic tactic_pair(const mesh *m, tactic_id outer, tactic_id inner)
{
	tactic t = {.n = m->n_axes, .pins = PINS_ALL};
	for (int a = 0; a + 1 < m->n_axes; a++)
		t.on[a] = outer;
	t.on[m->n_axes - 1] = inner;
	return t;
}

/* Tactics that take this many times as long as the best are not tried: the less there is to gain,
 * the smaller. */
static double far_enough(const plan_search *w) { return 1.04 + 2 * search_room(w); }

/* Returns the outer, or inner, tactic that is best with data parallelism over the other axes;
 * TACTIC_DATA: none. */
static tactic_id best_beside_data(const plan_search *w, const mesh *m, bool outer)
{
	tactic_id best = TACTIC_DATA;
	double least = HUGE_VAL;
	for (int i = 0; i < w->trials.len; i++) {
		const plan_trial *k = w->trials.ptr[i];
		tactic_id mine = k->t.on[outer ? 0 : m->n_axes - 1], other = k->t.on[outer ? m->n_axes - 1 : 0];
		if (k->p.mesh != m || !k->possible || !k->t.n || other != TACTIC_DATA || mine == TACTIC_DATA ||
		    mine == TACTIC_WHOLE || k->price >= least)
			continue;
		best = mine;
		least = k->price;
	}
	return best;
}

/* The effect of two tactics, each with data parallelism over the other axes, predicts the effect of
 * both together well enough to leave out pairs that are far slower than the best, if that fits. */
static bool seems_hopeless(const plan_search *w, const mesh *m, const tactic *t, double far)
{
	tactic_id outer = t->on[0], inner = t->on[t->n - 1];
	tactic alone[] = {tactic_pair(m, outer, TACTIC_DATA), tactic_pair(m, TACTIC_DATA, inner),
	                  tactic_pair(m, TACTIC_DATA, TACTIC_DATA)};
	double seconds[COUNT(alone)];
	if (outer == TACTIC_DATA || inner == TACTIC_DATA || !w->best || !w->best->fits)
		return false;
	for (int i = 0; i < COUNT(alone); i++)
		if ((seconds[i] = tactic_seconds(w, m, &alone[i])) == HUGE_VAL)
			return false;
	return seconds[0] + seconds[1] - seconds[2] > far * least_seconds_on(w, m);
}

/* True if an outer tactic is far from the best even with the inner one that is best with data
 * parallelism, and the best fits: then it is far with the other inner ones, too. */
static bool outer_is_hopeless(const plan_search *w, const mesh *m, tactic_id outer)
{
	const double far = 2.5;
	tactic t = tactic_pair(m, outer, best_beside_data(w, m, false));
	double seconds = tactic_seconds(w, m, &t);
	return outer != TACTIC_DATA && w->best && w->best->fits && seconds < HUGE_VAL &&
	       seconds > far * least_seconds_on(w, m);
}

/* Returns the mesh of all devices as one axis; NULL: none was tried. */
static const mesh *mesh_tried_whole(const plan_search *w)
{
	for (int i = 0; i < w->trials.len; i++)
		if (w->trials.ptr[i]->p.mesh->n_axes == 1)
			return w->trials.ptr[i]->p.mesh;
	return NULL;
}

static bool joined_by_fast_links(const plan_search *w, const mesh *m)
{
	const target *t = w->o->target;
	return !t->node_devices || m->n_devices <= t->node_devices;
}

/* With data parallelism over the others, a tactic over k of n devices sends (k - 1) / (n - 1) of what
 * it sends over all of them. So one that waits long for the links over all, where the same links join
 * all, waits over some. Half of that may be hidden. What it computes does not count: a dimension that
 * all devices do not divide may be divided by some. */
static bool is_slow_over_all(const plan_search *w, const mesh *m, tactic_id id, int64_t size, double far)
{
	tactic t = {.n = 1, .on = {id}, .pins = PINS_ALL};
	const mesh *whole = mesh_tried_whole(w);
	double share = (double)(size - 1) / (double)(m->n_devices - 1);
	if (!whole || id == TACTIC_DATA || !joined_by_fast_links(w, m) || !w->best || !w->best->fits)
		return false;
	for (int i = 0; i < w->trials.len; i++) {
		const plan_trial *k = w->trials.ptr[i];
		if (k->p.mesh == whole && k->possible && same_tactic(&k->t, &t))
			return 1 + share * plan_ratio(k->p.cost.exposed_seconds, least_seconds_on(w, whole)) / 2 > far;
	}
	return false;
}

static bool is_slow_as_one_axis(const plan_search *w, const mesh *m, tactic_id outer, tactic_id inner, double far)
{
	int64_t last = m->axes[m->n_axes - 1].size;
	return is_slow_over_all(w, m, outer, m->n_devices / last, far) || is_slow_over_all(w, m, inner, last, far);
}

static void try_pair(plan_search *w, const mesh *m, tactic_id outer, tactic_id inner, double far, const mesh *like)
{
	tactic t = tactic_pair(m, outer, inner);
	if (tactic_applies(&w->roles, inner) && !is_slow_as_one_axis(w, m, outer, inner, far) &&
	    !seems_hopeless(w, m, &t, far) && !was_hopeless(w, like, &t))
		search_tactic(w, m, &t);
}

/* Where experts are sharded, far less of the state is gathered than without: then a tactic may be far better
 * than it is with data parallelism. */
static void try_with_experts(plan_search *w, const mesh *m, tactic_id outer, tactic_id inner)
{
	tactic t = tactic_pair(m, outer, inner);
	if (inner == TACTIC_EXPERT || inner == TACTIC_EXPERT_MODEL)
		search_tactic(w, m, &t);
}

/* Tries an outer tactic over all axes but the last with each inner one, in the order of how good
 * these are with data parallelism; the less there is to gain, the fewer. Pairs that were good on
 * another mesh are tried again: the best of each may be far better with fewer annotations. */
static void try_outer(plan_search *w, const mesh *m, tactic_id outer, const mesh *like)
{
	const double near = fmin(1.5, far_enough(w)), far = near + fmin(0.1, search_room(w));
	bool best = like && outer == best_beside_data(w, m, true);
	tactic_id inner = best_beside_data(w, m, false);
	if (outer != TACTIC_DATA) {
		try_pair(w, m, outer, TACTIC_DATA, best ? far : near, like);
		try_pair(w, m, outer, inner, like ? far : near, like);
		try_with_experts(w, m, outer, inner);
	}
	for (int k = 0; k < COUNT(inner_tactics) && !outer_is_hopeless(w, m, outer); k++)
		try_pair(w, m, outer, inner_tactics[k], best || (like && inner == inner_tactics[k]) ? far : near, like);
}

/* If most of the best plan's time is not computation, as in loops that communicate in each iteration, a
 * part of the devices may be faster than all of them. */
static void try_fewer_devices(plan_search *w, const mesh *m)
{
	const double much = 0.3;
	const tactic_id pairs[][2] = {{TACTIC_WHOLE, TACTIC_DATA},
	                              {TACTIC_DATA, TACTIC_WHOLE},
	                              {TACTIC_WHOLE, best_beside_data(w, m, false)}};
	for (int i = 0; i < COUNT(pairs) && tactic_applies(&w->roles, TACTIC_DATA) && search_room(w) > much; i++) {
		tactic t = tactic_pair(m, pairs[i][0], pairs[i][1]);
		search_tactic(w, m, &t);
	}
}

/* Tries all tactics of one axis; of several axes, all pairs. `like`: a mesh of as many axes on
 * which they were tried; NULL: there is none. */
static void try_all_tactics(plan_search *w, const mesh *m, const mesh *like)
{
	tactic t = {.n = 1, .pins = PINS_ALL};
	for (int i = 0; i < TACTICS && m->n_axes == 1; i++)
		if (tactic_applies(&w->roles, (t.on[0] = (tactic_id)i)))
			search_tactic(w, m, &t);
	for (int i = 0; i < COUNT(outer_tactics) && m->n_axes > 1; i++)
		if (tactic_applies(&w->roles, outer_tactics[i]))
			try_outer(w, m, outer_tactics[i], like);
	if (m->n_axes > 1)
		try_fewer_devices(w, m);
}

static int by_price(const void *a, const void *b)
{
	const plan_trial *x = *(plan_trial *const *)a, *y = *(plan_trial *const *)b;
	if (x->price != y->price)
		return x->price < y->price ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

typedef VEC(const plan_trial *) trial_list;

/* Returns the trials of tactics, the best first, of mesh `m`; NULL: of any. */
static trial_list tactics_by_price(const plan_search *w, const mesh *m)
{
	trial_list list = {0};
	for (int i = 0; i < w->trials.len; i++) {
		const plan_trial *t = w->trials.ptr[i];
		if (t->possible && t->t.n && (!m || t->p.mesh == m))
			vec_push(w->mem, &list, t);
	}
	if (list.len)
		qsort(list.ptr, (size_t)list.len, sizeof *list.ptr, by_price);
	return list;
}

/* True if a better trial of the list costs the same, and only has more or fewer annotations of
 * values inside. */
static bool is_repeated(const trial_list *list, int i)
{
	const plan_trial *t = list->ptr[i];
	for (int k = 0; k < i; k++) {
		const plan_trial *b = list->ptr[k];
		if (!memcmp(b->t.on, t->t.on, sizeof t->t.on) && b->p.cost.step_seconds == t->p.cost.step_seconds &&
		    b->p.cost.peak_bytes == t->p.cost.peak_bytes)
			return true;
	}
	return false;
}

/* True if tactics that are good elsewhere were tried on the mesh, and all are far from the best. */
static bool seems_unfit(const plan_search *w, const mesh *m)
{
	enum { TRIED = 2 };
	const double far = 2.5;
	int tried = 0;
	for (int i = 0; i < w->trials.len; i++)
		tried += w->trials.ptr[i]->p.mesh == m && w->trials.ptr[i]->possible;
	return tried >= TRIED && w->best->fits && least_seconds_on(w, m) > far * w->best->p.cost.step_seconds;
}

/* Tries the best tactics of one mesh on another one with as many axes. */
static void try_best_of(plan_search *w, const mesh *from, const mesh *to)
{
	enum { SEVERAL = 5 };
	trial_list list = tactics_by_price(w, from);
	for (int i = 0; i < list.len && i < SEVERAL && !seems_unfit(w, to); i++)
		if (!is_repeated(&list, i))
			search_tactic(w, to, &list.ptr[i]->t);
}

/* Tries the same tactic with fewer annotations of values inside; if few are worse than all, also
 * with none. *lost: how many times in a row none was far worse than few. */
static void try_fewer_pins(plan_search *w, const plan_trial *of, int *lost)
{
	enum { OFTEN = 3 };
	const double same = 1.02, far = 1.5;
	tactic t = of->t;
	t.pins = PINS_SUMS;
	const plan_trial *sums = search_tactic(w, of->p.mesh, &t);
	t.pins = PINS_NONE;
	if (!sums || !sums->possible || *lost >= OFTEN ||
	    sums->p.cost.step_seconds > same * of->p.cost.step_seconds)
		return;
	const plan_trial *none = search_tactic(w, of->p.mesh, &t);
	bool loses = !none || !none->possible || none->p.cost.step_seconds > far * sums->p.cost.step_seconds;
	*lost = loses ? *lost + 1 : 0;
}

/* A tactic that is slow if products are annotated may be the best if they are not, since they
 * cannot be gathered for a while then. So the best trial of each tactic over an axis is tried like
 * that, unless it is far from the best of all, however much memory it takes. */
static void try_pins_on(plan_search *w, const mesh *m, int *lost)
{
	const double far = fmin(1.6, far_enough(w));
	bool seen[PLAN_AXES][TACTICS] = {{false}};
	double least = least_seconds_on(w, m);
	trial_list list = tactics_by_price(w, m);
	for (int i = 0; i < list.len; i++) {
		const plan_trial *t = list.ptr[i];
		bool first = false;
		if (t->t.pins != PINS_ALL || t->p.cost.step_seconds > far * least)
			continue;
		for (int a = 0; a < m->n_axes; a++) {
			first |= !seen[a][t->t.on[a]];
			seen[a][t->t.on[a]] = true;
		}
		if (first)
			try_fewer_pins(w, t, lost);
	}
}

/* Does the same for the best trials on any mesh. */
static void try_pins_of_best(plan_search *w, int *lost)
{
	enum { SEVERAL = 3 };
	trial_list list = tactics_by_price(w, NULL);
	for (int i = 0; i < list.len && i < SEVERAL; i++)
		try_fewer_pins(w, list.ptr[i], lost);
}

/* Returns the best trial on a mesh with this number of axes. */
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

/* True if all axes but the last divide the batch of some data. */
static bool divides_batch(const plan_search *w, const mesh *m)
{
	const group_list *batch = &w->roles.used[USE_BATCH];
	int64_t outer = m->n_devices / m->axes[m->n_axes - 1].size;
	for (int i = 0; i < w->s->n_sites && batch->len; i++) {
		const plan_site *s = &w->s->sites[i];
		for (int d = 0; s->kind == SITE_ARGUMENT && d < s->type->rank; d++)
			if (group_of(&w->roles.groups, s->v, d) == batch->ptr[0] && s->type->dims[d] % outer == 0)
				return true;
	}
	return false;
}

/* Returns the first of the meshes with this number of axes on which tactics say something about
 * those on other meshes: most tactics do not apply if there are more devices than samples. */
static const mesh *starting_mesh(const plan_search *w, const mesh_list *meshes, int n_axes)
{
	const mesh *first = NULL;
	for (int i = 0; i < meshes->len; i++) {
		const mesh *m = meshes->ptr[i];
		if (m->n_axes != n_axes)
			continue;
		if (divides_batch(w, m))
			return m;
		first = first ? first : m;
	}
	return first;
}

/* Tries all tactics on the first mesh with this number of axes, and those that are best there on the
 * others. Returns the first one; NULL: there is none. */
static const mesh *try_meshes_of_axes(plan_search *w, const mesh_list *meshes, int n_axes)
{
	const mesh *first = starting_mesh(w, meshes, n_axes);
	if (!first)
		return NULL;
	try_all_tactics(w, first, NULL);
	for (int i = 0; i < meshes->len; i++)
		if (meshes->ptr[i] != first && meshes->ptr[i]->n_axes == n_axes)
			try_best_of(w, first, meshes->ptr[i]);
	return first;
}

void search_tactics_of_one_axis(plan_search *w, const mesh_list *meshes) { try_meshes_of_axes(w, meshes, 1); }

/* Then tries all tactics on the best mesh with the most axes, where others may be good, with all and
 * with few annotations of values inside; and the best of these on the other meshes. */
void search_tactics_of_more_axes(plan_search *w, const mesh_list *meshes)
{
	int lost = 0;
	const mesh *start = starting_mesh(w, meshes, 1);
	for (int n = 2; n <= PLAN_AXES; n++) {
		const mesh *m = try_meshes_of_axes(w, meshes, n);
		start = m ? m : start;
	}
	const plan_trial *best = start ? best_of_axes(w, start->n_axes) : NULL;
	if (best) {
		const mesh *there = best->p.mesh;
		try_all_tactics(w, there, start);
		try_pins_on(w, there, &lost);
		for (int i = 0; i < meshes->len; i++)
			if (meshes->ptr[i]->n_axes == there->n_axes)
				try_best_of(w, there, meshes->ptr[i]);
	}
	try_pins_of_best(w, &lost);
}
