/* find.c - the whole search for a plan. */
#include "plan/polish.h"

#include <math.h>
#include <stdlib.h>

/* ---- what is asked for ------------------------------------------------------------------- */

int64_t plan_memory_limit(const target *t, int64_t limit)
{
	const double usable = 0.92; /* of a device; the rest is for what no estimate covers */
	return limit ? limit : (int64_t)(usable * t->memory_bytes);
}

static bool devices_of(tess_ctx *ctx, const plan_subject *s, const plan_options *o, int64_t *out)
{
	*out = o->devices ? o->devices : s->given ? s->given->n_devices : 0;
	if (*out > PARTITION_DEVICES)
		return diag_error(ctx, NOWHERE, E_PLAN_MESH,
		                  "a plan for %" PRId64 " devices; a program is partitioned for at most %d", *out,
		                  PARTITION_DEVICES);
	if (*out > 0)
		return true;
	return diag_error(ctx, NOWHERE, E_PLAN_MESH,
	                  "the program has no mesh, so the number of devices must be given");
}

static bool find_meshes(tess_ctx *ctx, const plan_subject *s, const plan_options *o, int64_t devices,
                        arena *mem, mesh_list *out)
{
	if (!s->mesh_fixed)
		return plan_meshes(ctx, o->mesh, devices, o->target, mem, out);
	if (s->given->n_devices == devices && s->given->n_axes <= PLAN_AXES && !o->mesh) {
		vec_push(mem, out, s->given);
		return true;
	}
	writer w;
	writer_init(&w, mem);
	mesh_print(&w, s->given);
	return diag_error(ctx, NOWHERE, E_PLAN_MESH,
	                  "what stays of the program (%s) names the axes of its mesh %s: a plan keeps "
	                  "that mesh, of at most %d axes, is for its %" PRId64
	                  " devices, and takes no --mesh",
	                  o->keep == PLAN_KEEP_NONE ? "operations over axes"
	                                            : "annotations, or operations over axes",
	                  writer_z(&w), PLAN_AXES, s->given->n_devices);
}

/* Applies the tactic that was asked for to the meshes that have its axes. */
static bool search_one_tactic(plan_search *w, const mesh_list *meshes)
{
	tactic t, there;
	const name *axes[PLAN_AXES];
	int n = 0;
	if (!tactic_parse(w->ctx, w->o->tactic, &t, axes))
		return false;
	for (int i = 0; i < meshes->len; i++) {
		const mesh *m = meshes->ptr[i];
		int known = 0;
		there = (tactic){.n = m->n_axes, .pins = PINS_ALL};
		for (int a = 0; a < t.n; a++) {
			int at = mesh_axis_index(m, axes[a]);
			if (at < 0)
				continue;
			there.on[at] = t.on[a];
			known++;
		}
		if (known == t.n && t.n == m->n_axes) {
			for (there.pins = PINS_ALL; there.pins < PIN_CHOICES; there.pins++)
				search_tactic(w, m, &there);
			n++;
		}
	}
	if (n)
		return true;
	return diag_error(w->ctx, NOWHERE, E_PLAN_OPTION,
	                  "no mesh has the axes of the tactic '%s' and no others; --mesh says which axes "
	                  "there are", w->o->tactic);
}

/* ---- the whole ------------------------------------------------------------------------------------ */

static bool cost_annotated(const module *given, const plan_options *o, int64_t devices,
                           plan_result *out)
{
	const plan_subject *s = &out->subject;
	if (!s->given || s->given->n_devices != devices)
		return false;
	out->annotated = plan_costs(given, o->target, PARTITION_FASTEST, &out->annotated_cost);
	return out->annotated;
}

static bool is_among(const mesh *m, const mesh *const *list, int n)
{
	for (int i = 0; i < n; i++)
		if (list[i] == m)
			return true;
	return false;
}

/* The mesh of one axis, if there are others, too; NULL: there is none. */
static const mesh *mesh_of_one_axis(const mesh_list *meshes)
{
	const mesh *m = meshes->ptr[0];
	return meshes->len > 1 && m->n_axes == 1 ? m : NULL;
}

/* True if the mesh has a plan that is not far from the best. */
static bool is_worth_seeds(const plan_search *w, const mesh *m)
{
	const double far = 2;
	bool good = false;
	for (int i = 0; i < w->trials.len; i++)
		good |= w->trials.ptr[i]->p.mesh == m && w->trials.ptr[i]->price < far * w->best->price;
	return good;
}

/* Tries what the model suggests for the two best meshes beside the one of one axis, and for a third
 * one if it becomes one of the best two after these have been compared. If one axis is best after some
 * others were tried, or leaves hardly anything to gain, the rest is left out. `seeded_one`: the mesh of
 * one axis, if this has been done for it; NULL: it has not. */
static void search_models(plan_search *w, plan_seeder *seeder, const mesh *seeded_one)
{
	enum { SEEDED = 2, MOST_SEEDED = 3 };
	const double little = 0.01, some = 0.05;
	const mesh *seeded[MOST_SEEDED + 1] = {seeded_one};
	int one = seeded_one ? 1 : 0, n = one;
	bool one_does = one && search_room(w) < some; /* others hardly gain */
	while (n < MOST_SEEDED + one && search_room(w) > little) {
		const plan_trial *t = search_best_beside(w, NULL);
		if (t && is_among(t->p.mesh, seeded, n))
			t = search_best_beside(w, t->p.mesh);
		if (!t || is_among(t->p.mesh, seeded, n) || ((n > one || one_does) && w->best->p.mesh->n_axes == 1))
			break;
		seeded[n++] = t->p.mesh;
		search_seeds(w, seeder, t->p.mesh);
		if (n >= SEEDED + one)
			search_compare_meshes(w);
	}
	if (!w->o->mesh && !w->s->mesh_fixed)
		search_splits(w, seeder);
}

/* True unless all devices together are faster than one could be; or if no tactic applies, or all have
 * what is forbidden. */
static bool may_be_best_unsharded(const plan_search *w, int64_t devices)
{
	return !w->best || w->best->p.cost.step_seconds > w->bound * (double)devices;
}

/* Tries tactics, the given annotations, and what the model suggests. If one axis leaves little to
 * gain, the model comes before the tactics of more axes: the better the best plan is, the fewer of
 * these are tried. */
static void search_widely(plan_search *w, const mesh_list *meshes, int64_t devices)
{
	const double little = 0.2;
	const plan_subject *s = w->s;
	bool fits = w->o->keep == PLAN_KEEP_NONE && !w->o->mesh && s->given &&
	            s->given->n_devices == devices && s->given->n_axes <= PLAN_AXES;
	const mesh *one = mesh_of_one_axis(meshes), *seeded = NULL;
	plan_seeder *seeder = NULL;
	search_tactics_of_one_axis(w, meshes);
	if (one && search_room(w) < little && (seeder = plan_seeder_new(s, w->mem)))
		search_seeds(w, seeder, (seeded = one));
	search_tactics_of_more_axes(w, meshes);
	if (fits)
		search_given(w);
	if (may_be_best_unsharded(w, devices))
		search_unannotated(w, meshes->ptr[0]);
	if (w->best && !seeder)
		seeder = plan_seeder_new(s, w->mem);
	if (seeder && one && !seeded && is_worth_seeds(w, one))
		search_seeds(w, seeder, (seeded = one));
	search_models(w, seeder, seeded);
	plan_seeder_free(seeder);
}

static bool nothing_possible(const plan_search *w)
{
	int64_t forbidden = 0;
	for (int i = 0; i < w->trials.len; i++)
		forbidden += w->trials.ptr[i]->forbidden;
	if (forbidden)
		return diag_error(w->ctx, NOWHERE, E_PLAN_PROGRAM,
		                  "no plan is left by what is forbidden (%s): all of %" PRId64
		                  " that can be partitioned have such a collective",
		                  w->o->forbid, forbidden);
	return plan_report_why(w->s, w->o->target, PARTITION_BY_BYTES, &w->trials.ptr[0]->p,
	                   arena_printf(w->mem, "none of %" PRId64 " plans can be partitioned; this is "
	                                "why the first one cannot", w->evaluated));
}

static bool search_all(plan_search *w, int64_t devices, plan_result *out)
{
	mesh_list meshes = {0};
	if (!find_meshes(w->ctx, w->s, w->o, devices, w->mem, &meshes))
		return false;
	out->n_meshes = meshes.len;
	if (!w->o->tactic)
		search_widely(w, &meshes, devices);
	else if (!search_one_tactic(w, &meshes))
		return false;
	return w->best || search_wholes(w) || nothing_possible(w);
}

/* Returns the places of arguments in the user's tree. */
static const char **site_places(const plan_search *w)
{
	const plan_classes *c = &w->sketch.layers.classes;
	const char **places = NEW_N(w->mem, const char *, w->s->n_sites + 1);
	for (int i = 0; i < w->s->n_sites; i++)
		if (w->s->sites[i].kind == SITE_ARGUMENT)
			places[i] = c->args[c->of_arg[w->s->sites[i].number]].place;
	return places;
}

/* Returns the chosen plan with fewer annotations, if that does not cost more on the whole program as
 * users write it. */
static const plan_trial *say_less(plan_search *w, const site_classes *c, const plan_trial *found)
{
	const plan_trial *less = search_minimise(w, c, found), *whole = search_whole(w, found);
	const plan_trial *t = less == found ? whole : search_whole(w, less);
	if (!chosen_before(whole, t))
		return t;
	whole = search_written(w, found);
	t = search_written(w, less);
	return chosen_before(whole, t) ? whole : t;
}

/* Returns 0 if some plan is faster than the bound. */
static double bound_that_holds(const plan_search *w, const plan_result *r)
{
	double least = r->best.cost.step_seconds;
	for (int i = 0; i < r->frontier.len; i++)
		least = fmin(least, r->frontier.ptr[i].cost.step_seconds);
	return w->bound <= least ? w->bound : 0;
}

static void take_plan(plan_search *w, const plan_trial *found, const plan_trial *whole, plan_result *out)
{
	out->best = whole->p;
	out->best.tactic = search_origin(w, found);
	out->fits = whole->fits;
}

/* Finds the decisions of the chosen plan. If deciding one of them otherwise is better, that plan is
 * taken, and its decisions are found. @return the trial of the plan */
static const plan_trial *decide_chosen(plan_search *w, const plan_trial *found, plan_result *out)
{
	enum { MOST = 8 };
	const plan_trial *better = found;
	for (int i = 0; better; i++) {
		found = better;
		take_plan(w, found, search_whole(w, found), out);
		better = plan_decide(w, found, i == MOST, out);
	}
	return found;
}

/* Takes a plan, changed where deciding otherwise is better, and with as few annotations as do.
 * Returns its trial with all annotations. */
static const plan_trial *take_decided(plan_search *w, const site_classes *c, int number,
                                      plan_result *out)
{
	enum { MOST = 4 };
	const plan_trial *found = NULL, *best = w->trials.ptr[number];
	for (int i = 0; i < MOST && best; i++) {
		int first = w->trials.len;
		found = decide_chosen(w, w->trials.ptr[number], out);
		number = found->number;
		best = search_choose_again(w, out, first, &number);
	}
	take_plan(w, found, say_less(w, c, found), out);
	return found;
}

/* Returns the best plan that was evaluated on the whole program, if it is better than the one that was
 * taken; NULL: there is none. */
static const plan_trial *better_plan(const plan_search *w, const plan_result *out)
{
	const plan_trial taken = {.p = out->best, .fits = out->fits}, *best = &taken, *found = NULL;
	for (int i = 0; i < w->wholes.len; i++) {
		const plan_trial *t = w->wholes.ptr[i];
		if (!t->at_last->possible || !search_may_take(w, t) || !chosen_before(t->at_last, best))
			continue;
		best = t->at_last;
		found = t;
	}
	return found;
}

/* Some plans are only evaluated on the whole program because they take less memory. One of them may
 * then turn out to be the best. *found: its trial. */
static bool take_best(plan_search *w, const site_classes *classes, plan_result *out,
                      const plan_trial **found)
{
	enum { MOST = 3 };
	int number = 0;
	const plan_trial *best = search_choose(w, &number);
	if (!best)
		return plan_report_why(w->s, w->o->target, PARTITION_FASTEST, &w->best->p,
		                   arena_printf(w->mem, "what seems best of %" PRId64
		                                " plans cannot be partitioned", w->evaluated));
	out->class_of = classes->of;
	out->places = site_places(w);
	for (int i = 0; i < MOST && best; i++) {
		*found = take_decided(w, classes, number, out);
		search_frontier(w, out);
		best = better_plan(w, out);
		number = best ? best->number : number;
	}
	out->bound = bound_that_holds(w, out);
	out->evaluated = w->evaluated;
	return true;
}

/* True if the plan that is best within the memory of the machine is best within the limit, too: it
 * fits, and nothing that did not fit there is faster. */
static bool is_best_within(const plan_search *w, const plan_trial *found, const plan_result *out,
                           int64_t usual)
{
	if (out->best.cost.peak_bytes > w->limit)
		return false;
	for (int i = 0; i < w->trials.len; i++) {
		const plan_trial *t = w->trials.ptr[i];
		if (t->fits && t->p.cost.peak_bytes > usual && t->price < found->price)
			return false;
	}
	return true;
}

/* Searches within the memory of the machine, and again within the limit (again.c), unless the plan
 * is within both. A budget is spent on one search; and a tactic that was asked for has the same few
 * plans within any limit. */
static bool search_within(plan_search *w, int64_t devices, plan_result *out)
{
	const int64_t usual = plan_memory_limit(w->o->target, 0);
	const plan_trial *found = NULL;
	site_classes classes;
	site_classes_of(w->s, &w->sketch, w->mem, &classes);
	w->limit = w->o->budget || w->o->tactic ? w->asked : usual;
	if (!search_all(w, devices, out))
		return false;
	search_descend(w, &classes);
	if (!take_best(w, &classes, out, &found))
		return false;
	if (w->limit == w->asked)
		return true;
	w->limit = w->asked;
	search_judge_all(w);
	out->fits = out->best.cost.peak_bytes <= w->limit;
	if (is_best_within(w, found, out, usual)) {
		plan_decide(w, found, true, out);
		return true;
	}
	search_anew(w);
	if (!search_all(w, devices, out))
		return false;
	search_descend(w, &classes);
	int n = w->trials.len;
	found = search_recall_all(w, found);
	search_descend_again(w, &classes, n, found);
	return take_best(w, &classes, out, &found);
}

bool plan_find(const module *given, const plan_options *o, arena *mem, plan_result *out)
{
	tess_ctx *ctx = given->ctx;
	int64_t devices;
	*out = (plan_result){.limit = plan_memory_limit(o->target, o->limit)};
	plan_search w = {.ctx = ctx, .mem = mem, .o = o, .s = &out->subject, .asked = out->limit};
	w.memo.mem = w.finals.mem = mem;
	w.memo.propagation = w.finals.propagation = propagation_memo_new(mem);
	if (!plan_subject_of(given, o->keep, mem, &out->subject) ||
	    !forbid_parse(ctx, o->forbid, mem, &w.forbidden) ||
	    !devices_of(ctx, &out->subject, o, &devices))
		return false;
	cost_annotated(given, o, devices, out);
	w.bound = plan_bound(&out->subject, o->target, devices);
	plan_roles_of(&out->subject, mem, &w.roles);
	bool found = plan_sketch_of(&out->subject, mem, &w.sketch);
	if (found) {
		plan_sketch_make_ready(&w.sketch, &out->subject, w.memo.propagation, mem);
		found = search_within(&w, devices, out);
	}
	plan_sketch_free(&w.sketch);
	plan_ready_free(&out->subject);
	return found;
}

