/* find.c - the whole search for a plan. */
#include "plan/polish.h"

#include <math.h>
#include <stdlib.h>

/* ---- what is asked for ------------------------------------------------------------------- */

int64_t plan_memory_limit(const target *t, int64_t limit)
{
	const double usable = 0.92; /* of a device; the rest is for what no estimate sees */
	return limit ? limit : (int64_t)(usable * t->memory_bytes);
}

static bool devices_of(tess_ctx *ctx, const plan_subject *s, const plan_options *o, int64_t *out)
{
	*out = o->devices ? o->devices : s->given ? s->given->n_devices : 0;
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

/* The meshes that have the axes of the tactic that is asked for, which it is applied to. */
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

/* What a plan began as. */
static const char *origin_text(const plan_search *w, const plan_trial *t)
{
	const char *from = t->t.n ? tactic_text(&t->t, t->p.mesh, w->mem) : t->from ? t->from : "";
	return t->improved ? arena_printf(w->mem, "%s, then changed where that helps", from) : from;
}

/* ---- the frontier of time and memory ------------------------------------------------------------ */

static int by_seconds_then_bytes(const void *a, const void *b)
{
	const plan_trial *x = *(plan_trial *const *)a, *y = *(plan_trial *const *)b;
	if (x->p.cost.step_seconds != y->p.cost.step_seconds)
		return x->p.cost.step_seconds < y->p.cost.step_seconds ? -1 : 1;
	if (x->p.cost.peak_bytes != y->p.cost.peak_bytes)
		return x->p.cost.peak_bytes < y->p.cost.peak_bytes ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

typedef VEC(const plan_trial *) trial_vec;

/* Those of the list than which no other takes less time and memory, fastest first. */
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

/* Whether the plans are hardly told apart by time and memory. */
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

/* Of many plans on it, some from the fastest to the smallest; all are evaluated as a whole. */
static void find_frontier(plan_search *w, plan_result *out)
{
	const plan_trial best = {.p = out->best, .possible = true, .final = true};
	enum { SHOWN = 5, SHOWN_OF_LARGE = 2 };
	trial_vec list = {0}, whole = {0};
	for (int i = 0; i < w->trials.len; i++)
		if (w->trials.ptr[i]->possible && !w->trials.ptr[i]->rough)
			vec_push(w->mem, &list, w->trials.ptr[i]);
	keep_frontier(&list);
	thin_out(&list);
	int shown = (int)min_i64(list.len, w->sketch.more.layers ? SHOWN_OF_LARGE : SHOWN);
	for (int i = 0; i < shown; i++) {
		int at = shown > 1 ? i * (list.len - 1) / (shown - 1) : 0;
		const plan_trial *t = search_whole(w, list.ptr[at]);
		if (t->possible)
			vec_push(w->mem, &whole, t);
	}
	vec_push(w->mem, &whole, &best);
	keep_frontier(&whole);
	for (int i = 0; i < whole.len; i++) {
		plan p = whole.ptr[i]->p;
		p.tactic = p.tactic ? p.tactic : origin_text(w, whole.ptr[i]);
		vec_push(w->mem, &out->frontier, p);
	}
}

/* ---- what is chosen ----------------------------------------------------------------------------- */

static int by_choice(const void *a, const void *b)
{
	const plan_trial *x = *(plan_trial *const *)a, *y = *(plan_trial *const *)b;
	if (x->fits != y->fits)
		return x->fits ? -1 : 1;
	if (x->price != y->price)
		return x->price < y->price ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

/* What fits goes before what does not; of that, what takes less memory. */
static bool chosen_before(const plan_trial *a, const plan_trial *b)
{
	if (!b || a->fits != b->fits)
		return !b || a->fits;
	return a->fits ? a->p.cost.step_seconds < b->p.cost.step_seconds
	            : a->p.cost.peak_bytes < b->p.cost.peak_bytes;
}

/* Whether a plan of the same size and time was evaluated as a whole. */
static bool is_known_size(const plan_search *w, const plan_trial *t)
{
	for (int i = 0; i < w->wholes.len; i++) {
		const plan_trial *k = w->wholes.ptr[i];
		if (k->sure == t->sure && k->p.cost.peak_bytes == t->p.cost.peak_bytes &&
		    k->p.cost.step_seconds == t->p.cost.step_seconds)
			return true;
	}
	return false;
}

/* Of those that have not been evaluated as a whole, and surely. */
static const plan_trial *smallest_trial(plan_search *w)
{
	enum { MOST = 12 };
	const plan_trial *least = NULL;
	for (int n = 0; n < MOST && !(least && least->sure); n++) {
		least = least ? search_surely(w, least) : NULL;
		for (int i = 0; i < w->trials.len; i++) {
			const plan_trial *t = w->trials.ptr[i];
			if (t->possible && !t->at_last && !is_known_size(w, t) &&
			    (!least || t->p.cost.peak_bytes < least->p.cost.peak_bytes))
				least = t;
		}
	}
	return least;
}

/* The trial evaluated on the whole program, if it is better so than *best. */
static void choose_better(plan_search *w, const plan_trial *t, const plan_trial **best, int *surest)
{
	const plan_trial *whole = search_whole(w, t);
	if (!whole->possible || !chosen_before(whole, *best))
		return;
	*best = whole;
	*surest = t->number;
}

/* What the whole program takes of what few layers say: the least and the most of those that were evaluated as a
 * whole, on the mesh, or of all if it is NULL; 1 is among all, since few layers may be right of what was not. */
typedef struct few_wrong {
	double least, most;
} few_wrong;

static few_wrong few_wrong_on(const plan_search *w, const mesh *m)
{
	few_wrong f = m ? (few_wrong){HUGE_VAL, 0} : (few_wrong){1, 1};
	for (int i = 0; i < w->wholes.len; i++) {
		const plan_trial *t = w->wholes.ptr[i];
		if (!t->possible || !t->at_last->possible || (m && t->p.mesh != m))
			continue;
		f.least = fmin(f.least, t->at_last->price / t->price);
		f.most = fmax(f.most, t->at_last->price / t->price);
	}
	return f;
}

/* What the whole program may take, if few layers are as wrong of the plan as of others on its mesh. */
static double whole_price(const plan_search *w, const plan_trial *t)
{
	double there = few_wrong_on(w, t->p.mesh).least;
	return t->price * (there < HUGE_VAL ? there : few_wrong_on(w, NULL).least);
}

/* Whether a plan that seems as good on the mesh, or is the same in size and time on another, was evaluated as a
 * whole: it is hardly another one. */
static bool seems_known(const plan_search *w, const plan_trial *t)
{
	const double same = 1e-5;
	for (int i = 0; i < w->wholes.len; i++)
		if (w->wholes.ptr[i]->p.mesh == t->p.mesh && fabs(w->wholes.ptr[i]->price / t->price - 1) < same)
			return true;
	return is_known_size(w, t);
}

/* Whether a plan that was not evaluated as a whole may be better than the best one that was. */
static bool is_doubtful(const plan_search *w, const plan_trial *t, const plan_trial *best)
{
	return whole_price(w, t) < best->price && !seems_known(w, t);
}

/* Of the tactics as they are that may be better than the best, as far as few layers can be wrong, the one that seems
 * best if they are as wrong of it as of others on its mesh; NULL: there is none. */
static const plan_trial *doubtful_tactic(const plan_search *w, const plan_trial *best)
{
	const plan_trial *next = NULL;
	const double more = 1.05; /* few layers may be more wrong than was seen */
	few_wrong all = few_wrong_on(w, NULL);
	double most = fmin(best->price * all.most, best->at_last->price * more) / all.least, least = HUGE_VAL;
	for (int i = 0; i < w->trials.len; i++) {
		const plan_trial *t = w->trials.ptr[i];
		if (!t->possible || !t->t.n || t->improved || t->at_last || t->price >= most || seems_known(w, t))
			continue;
		double seconds = whole_price(w, t);
		if (seconds < least) {
			least = seconds;
			next = t;
		}
	}
	return next;
}

/* Some of them, evaluated on the whole program. */
static void choose_tactic(plan_search *w, const plan_trial **best, int *surest)
{
	enum { MOST = 8 };
	for (int n = 0; n < MOST && w->sketch.few.layers && *best; n++) {
		const plan_trial *next = doubtful_tactic(w, w->trials.ptr[*surest]);
		if (!next)
			return;
		choose_better(w, next, best, surest);
	}
}

/* The best of the plans that seem best, evaluated on the whole program: a few, and others as long as they seem
 * better than what was found, or nothing fits. */
static const plan_trial *choose_trial(plan_search *w, int *surest)
{
	enum { FEW = 3, FEW_LARGE = 2, MOST = 12, DOUBTFUL = 4, SMALLEST = 4 };
	const double same = 1e-5;
	double about = w->sketch.few.layers ? 1.005 : 1.015; /* weighed by seconds, these may change places */
	VEC(const plan_trial *) list = {0};
	const plan_trial *best = NULL, *t;
	int doubtful = 0;
	search_compare_meshes(w);
	for (int i = 0; i < w->trials.len; i++)
		if (w->trials.ptr[i]->possible)
			vec_push(w->mem, &list, w->trials.ptr[i]);
	if (list.len)
		qsort(list.ptr, (size_t)list.len, sizeof *list.ptr, by_choice);
	for (int i = 0, n = 0; i < list.len && n < MOST; i++) {
		t = list.ptr[i];
		bool enough = n >= (w->sketch.more.layers ? FEW_LARGE : FEW) && best && best->fits;
		if (enough && t->price >= best->price * about)
			break;
		if (i && t->p.mesh == list.ptr[i - 1]->p.mesh && t->price <= list.ptr[i - 1]->price * (1 + same))
			continue; /* costs the same: it hardly differs */
		if (enough && (doubtful++ >= DOUBTFUL || !is_doubtful(w, search_surely(w, t), best)))
			continue;
		n++;
		choose_better(w, t, &best, surest);
	}
	for (int i = 0; i < SMALLEST && best && !best->fits && (t = smallest_trial(w)); i++)
		choose_better(w, t, &best, surest);
	choose_tactic(w, &best, surest);
	return best;
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

/* Whether the mesh has one axis, and a plan that is not far from the best. */
static bool is_worth_seeds(const plan_search *w, const mesh *m)
{
	const double far = 2;
	bool good = false;
	for (int i = 0; i < w->trials.len && m->n_axes == 1; i++)
		good |= w->trials.ptr[i]->p.mesh == m && w->trials.ptr[i]->price < far * w->best->price;
	return good;
}

/* Of the best plan's step. */
static double exposed_share(const plan_search *w)
{
	return w->best->p.cost.exposed_seconds / w->best->p.cost.step_seconds;
}

/* What the model suggests for meshes of one axis, for the two best others, and for a third that is one of them as
 * soon as they have been compared. */
static void search_models(plan_search *w, const mesh_list *meshes)
{
	enum { SEEDED = 2, MOST_SEEDED = 3 };
	const double little = 0.01, much = 0.25;
	plan_seeder *seeder = w->best ? plan_seeder_new(w->s, w->mem) : NULL;
	const mesh *seeded[MOST_SEEDED + 1];
	int n = 0, one = 0;
	if (seeder && meshes->len > 1 && is_worth_seeds(w, meshes->ptr[0])) {
		search_seeds(w, seeder, meshes->ptr[0]);
		seeded[n++] = meshes->ptr[one++];
	}
	while (n < MOST_SEEDED + one && search_room(w) > little) {
		const plan_trial *t = search_best_beside(w, NULL);
		if (t && is_among(t->p.mesh, seeded, n))
			t = search_best_beside(w, t->p.mesh);
		if (!t || is_among(t->p.mesh, seeded, n))
			break;
		seeded[n++] = t->p.mesh;
		search_seeds(w, seeder, t->p.mesh);
		if (n >= SEEDED + one)
			search_compare_meshes(w);
	}
	bool free = !w->o->mesh && !w->s->mesh_fixed;
	if (free && w->best && w->best->p.mesh != w->s->given && exposed_share(w) > much)
		search_split(w, seeder);
	plan_seeder_free(seeder);
}

/* Tactics, what the program came with, and what the model suggests. */
static void search_widely(plan_search *w, const mesh_list *meshes, int64_t devices)
{
	const plan_subject *s = w->s;
	bool fits = w->o->keep == PLAN_KEEP_NONE && !w->o->mesh && s->given &&
	            s->given->n_devices == devices && s->given->n_axes <= PLAN_AXES;
	search_tactics(w, meshes);
	if (fits)
		search_given(w);
	search_models(w, meshes);
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
	return diag_error(w->ctx, NOWHERE, E_PLAN_PROGRAM,
	                  "none of %" PRId64 " plans can be partitioned: `tess partition` says why, "
	                  "of the program with a mesh", w->evaluated);
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
	return w->best || nothing_possible(w);
}

/* ---- the descent ---------------------------------------------------------------------------------- */

/* Evaluations that are worth while: as many as take about a second where a quarter of a step may be saved, for a
 * small program enough to try pairs of changes. */
static int64_t usual_work(const plan_search *w)
{
	enum { OPERATIONS = 150000, LEAST = 20, MOST = 4000 };
	const double usual = 0.25, least = 0.1, most = 2;
	double share = fmin(fmax(search_room(w) / usual, least), most);
	const sketch_pair *few = &w->sketch.few;
	int64_t n = few->layers ? 0 : w->s->m->n_ops;
	for (int i = 0; i < 2 && few->layers; i++)
		n += few->of[i].m->n_ops;
	return min_i64(max_i64((int64_t)(share * OPERATIONS / (double)max_i64(n, 1)), LEAST), MOST);
}

/* All arguments whole, and nothing said of values. */
static const plan_trial *try_whole(plan_search *w, const plan_trial *like)
{
	const sharding **at = NEW_N(w->mem, const sharding *, w->s->n_sites + 1);
	for (int i = 0; i < w->s->n_sites; i++) {
		const plan_site *s = &w->s->sites[i];
		if (!s->fixed && (s->kind == SITE_ARGUMENT || s->follows >= 0))
			at[i] = sharding_replicated(w->ctx, (mesh_ref){.symbol = w->s->mesh_symbol},
			                            s->type->rank);
	}
	return search_try(w, like->p.mesh, at, &like->t);
}

static bool says_little(const plan_trial *t) { return t->t.n && t->t.pins != PINS_ALL; }

static const plan_trial *best_with_pins(const plan_search *w)
{
	const plan_trial *best = NULL;
	for (int i = 0; i < w->trials.len; i++) {
		const plan_trial *t = w->trials.ptr[i];
		if (t->possible && !says_little(t) && (!best || t->price < best->price))
			best = t;
	}
	return best;
}

/* The best of another mesh and of other tactics: from the same ones a descent mostly ends at the same plan. */
static const plan_trial *best_unlike(const plan_search *w, const plan_trial *first)
{
	const plan_trial *best = NULL;
	for (int i = 0; i < w->trials.len; i++) {
		const plan_trial *t = w->trials.ptr[i];
		bool alike = t->p.mesh == first->p.mesh ||
		             (t->t.n && t->t.n == first->t.n && !memcmp(t->t.on, first->t.on, sizeof t->t.on));
		if (t->possible && !alike && (!best || t->price < best->price))
			best = t;
	}
	return best;
}

/* What the search goes by: time, or memory alone. */
static void search_by(plan_search *w, bool smallest)
{
	w->smallest = smallest;
	search_judge_all(w);
}

/* Where nothing fits, what takes least memory is changed to take less. */
static void polish_smallest(plan_search *w, const site_classes *classes, int64_t work)
{
	if (!w->best || w->best->fits)
		return;
	search_by(w, true);
	search_polish(w, classes, w->best, false, work);
	if (w->best->fits)
		search_by(w, false);
}

/* From the best plan, also from the best that says more of values if that one says little, since there is
 * more to change; from the best of other tactics on another mesh, and, of small programs, from one that says nothing. */
static void polish_best(plan_search *w, const site_classes *classes)
{
	enum { SMALL = 1000 };
	const double little = 0.05, much = 0.3; /* to gain by a second descent; of a large program it takes long */
	const double near = 1.05; /* to what the first descent has found, for a second one to get there */
	int64_t work = w->o->budget ? w->o->budget : usual_work(w);
	if (w->o->tactic)
		return;
	polish_smallest(w, classes, work);
	const plan_trial *first = search_best_beside(w, NULL);
	if (!first)
		return;
	const plan_trial *second = best_unlike(w, first);
	const plan_trial *pinned = says_little(first) ? best_with_pins(w) : NULL;
	search_polish(w, classes, first, false, work);
	if (pinned && pinned->price < near * search_best_beside(w, NULL)->price)
		search_polish(w, classes, pinned, false, work);
	if (second && second->price < near * search_best_beside(w, NULL)->price &&
	    search_room(w) > (w->sketch.more.layers ? much : little))
		search_polish(w, classes, second, false, work / 2);
	const plan_trial *whole = work >= SMALL ? try_whole(w, first) : NULL;
	if (whole && whole->possible)
		search_polish(w, classes, whole, true, work);
}

/* Where arguments stand in the user's tree. */
static const char **site_places(const plan_search *w)
{
	const plan_classes *c = &w->sketch.layers.classes;
	const char **places = NEW_N(w->mem, const char *, w->s->n_sites + 1);
	for (int i = 0; i < w->s->n_sites; i++)
		if (w->s->sites[i].kind == SITE_ARGUMENT)
			places[i] = c->args[c->of_arg[w->s->sites[i].number]].place;
	return places;
}

/* The chosen plan with fewer annotations, if that costs no more on the whole program either. */
static const plan_trial *say_less(plan_search *w, const site_classes *c, const plan_trial *found)
{
	const plan_trial *less = search_minimise(w, c, found), *whole = search_whole(w, found);
	const plan_trial *t = less == found ? whole : search_whole(w, less);
	return chosen_before(whole, t) ? whole : t;
}

/* None, should a plan be faster. */
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
	out->best.tactic = origin_text(w, found);
	out->fits = whole->fits;
}

/* The chosen plan and its decisions.  Where one decision turns out to be better otherwise, that plan is
 * taken, and its decisions are looked at.  @return the trial of the plan. */
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

/* What was tried for the decisions of a plan may be better than it: of trials since `first` those that seem so are
 * evaluated on the whole program.  NULL: none is. */
static const plan_trial *choose_again(plan_search *w, const plan_result *out, int first, int *number)
{
	enum { MOST = 3 };
	const double little = 1e-4;
	const plan_trial chosen = {.p = out->best, .fits = out->fits}, *now = &chosen;
	double most = w->trials.ptr[*number]->price * (1 - little);
	for (int n = 0; n < MOST && !w->o->tactic; n++) {
		const plan_trial *best = NULL;
		for (int i = first; i < w->trials.len; i++) {
			const plan_trial *t = w->trials.ptr[i];
			if (t->possible && !t->at_last && t->fits >= now->fits && t->price < most &&
			    (!best || t->price < best->price) && !seems_known(w, t))
				best = t;
		}
		if (!best)
			break;
		choose_better(w, best, &now, number);
	}
	return now == &chosen ? NULL : now;
}

static bool take_best(plan_search *w, plan_result *out)
{
	enum { MOST = 4 };
	int number = 0;
	site_classes classes;
	site_classes_of(w->s, &w->sketch, w->mem, &classes);
	polish_best(w, &classes);
	const plan_trial *best = choose_trial(w, &number);
	if (!best)
		return diag_error(w->ctx, NOWHERE, E_PLAN_PROGRAM,
		                  "what seems best of %" PRId64 " plans cannot be partitioned",
		                  w->evaluated);
	out->class_of = classes.of;
	out->places = site_places(w);
	const plan_trial *found = NULL;
	for (int i = 0; i < MOST && best; i++) {
		int first = w->trials.len;
		found = decide_chosen(w, w->trials.ptr[number], out);
		number = found->number;
		best = choose_again(w, out, first, &number);
	}
	take_plan(w, found, say_less(w, &classes, found), out);
	find_frontier(w, out);
	out->bound = bound_that_holds(w, out);
	out->evaluated = w->evaluated;
	return true;
}

bool plan_find(const module *given, const plan_options *o, arena *mem, plan_result *out)
{
	tess_ctx *ctx = given->ctx;
	int64_t devices;
	*out = (plan_result){.limit = plan_memory_limit(o->target, o->limit)};
	plan_search w = {.ctx = ctx, .mem = mem, .o = o, .s = &out->subject, .limit = out->limit};
	w.memo.mem = w.finals.mem = mem;
	if (!plan_subject_of(given, o->keep, mem, &out->subject) ||
	    !forbid_parse(ctx, o->forbid, mem, &w.forbidden) ||
	    !devices_of(ctx, &out->subject, o, &devices))
		return false;
	cost_annotated(given, o, devices, out);
	w.bound = plan_bound(&out->subject, o->target, devices);
	plan_roles_of(&out->subject, mem, &w.roles);
	bool found = plan_sketch_of(&out->subject, mem, &w.sketch) && search_all(&w, devices, out) &&
	             take_best(&w, out);
	plan_sketch_free(&w.sketch);
	return found;
}

