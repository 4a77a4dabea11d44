/* split.c - plans on meshes with one more axis than the best ones have.
 *
 * An axis is divided in two for either of two reasons. Links between nodes and within nodes are best
 * used in different ways. And a plan that shards parameters over many devices gathers them from all of
 * these, where one that keeps them whole may not fit: between the two, only a part of the axis shards
 * them (hybrid sharded data parallelism). */
#include "plan/polish.h"

/* ---- at the boundary of nodes ---------------------------------------------------------------------- */

/* Returns the same sharding for a mesh on which the axis `axis` is divided in two. */
static const sharding *sharding_split(const plan_search *w, const sharding *s, const mesh *m, int axis)
{
	const name *whole = m->axes[axis].name, *part = m->axes[axis + 1].name;
	tess_ctx *ctx = w->ctx;
	for (int d = 0; s && d < s->rank; d++) {
		dim_sharding dim = s->dims[d];
		axis_ref *axes = NEW_N(&ctx->scratch, axis_ref, dim.n_axes + 1);
		int n = 0;
		for (int i = 0; i < dim.n_axes; i++) {
			axes[n++] = dim.axes[i];
			if (dim.axes[i].axis == whole)
				axes[n++] = axis_full(part);
		}
		dim.axes = axes;
		dim.n_axes = n;
		s = sharding_with_dim(ctx, s, d, dim);
	}
	return s;
}

/* Returns the best tactic on a mesh; NULL: there is none. */
static const plan_trial *best_tactic_on(const plan_search *w, const mesh *m)
{
	const plan_trial *best = NULL;
	for (int i = 0; i < w->trials.len; i++) {
		const plan_trial *t = w->trials.ptr[i];
		if (t->p.mesh == m && t->possible && t->t.n && !t->improved && (!best || t->price < best->price))
			best = t;
	}
	return best;
}

/* Tries the best tactics of a mesh on a mesh on which the axis `axis` is divided in two: they are
 * kept over one part, and each tactic is tried over the other. */
static void try_split_tactics(plan_search *w, const mesh *from, const mesh *m, int axis)
{
	const plan_trial *best = best_tactic_on(w, from);
	for (int i = 0; best && i < 2 * TACTICS; i++) {
		tactic t = {.n = m->n_axes, .pins = best->t.pins};
		tactic_id other = (tactic_id)(i / 2);
		for (int a = 0; a < m->n_axes; a++)
			t.on[a] = best->t.on[a <= axis ? a : a - 1];
		if (!tactic_applies(&w->roles, other) || t.on[axis] == other)
			continue;
		t.on[axis + i % 2] = other;
		search_tactic(w, m, &t);
	}
}

/* Tries a plan on the mesh whose axis with both kinds of links is divided in two, and what the model
 * suggests there. */
static void split_at_nodes(plan_search *w, plan_seeder *seeder, const plan_trial *t)
{
	int axis;
	const mesh *m = plan_mesh_split(w->ctx, t->p.mesh, w->o->target, &axis);
	if (!m)
		return;
	const sharding **at = NEW_N(w->mem, const sharding *, w->s->n_sites + 1);
	for (int i = 0; i < w->s->n_sites; i++)
		at[i] = sharding_split(w, t->p.at[i], m, axis);
	search_try_from(w, m, at, t->from ? t->from : tactic_text(&t->t, t->p.mesh, w->mem));
	try_split_tactics(w, t->p.mesh, m, axis);
	search_seeds(w, seeder, m);
}

void search_unannotated(plan_search *w, const mesh *m)
{
	const sharding **none = NEW_N(w->mem, const sharding *, w->s->n_sites + 1);
	search_try_from(w, m, none, "without annotations");
}

/* ---- for state ------------------------------------------------------------------------------------- */

static bool is_state(site_role r) { return r == ROLE_PARAMETER || r == ROLE_MOMENT; }

static bool shards_state(const plan_search *w, const plan_trial *t, int axis)
{
	int dims[PLAN_AXES];
	for (int i = 0; i < w->s->n_sites; i++) {
		sharding_dims_of(t->p.mesh, t->p.at[i], dims);
		if (is_state(w->roles.of[i]) && dims[axis] >= 0)
			return true;
	}
	return false;
}

/* Returns the smallest divisor above the square root; 0: there is none but the number itself. */
static int64_t middle_divisor(int64_t n)
{
	for (int64_t k = 2; k < n; k++)
		if (k * k > n && n % k == 0)
			return k;
	return 0;
}

/* Tries what the model suggests if an axis that shards state is divided in the middle. From there,
 * search_reshape() finds better sizes. (The best mesh of one axis, divided like that, is among those of two
 * axes.) */
static void split_for_state(plan_search *w, plan_seeder *seeder, const plan_trial *t)
{
	for (int a = 0; a < t->p.mesh->n_axes && t->p.mesh->n_axes > 1; a++) {
		if (!shards_state(w, t, a))
			continue;
		const mesh *m = plan_mesh_divided(w->ctx, t->p.mesh, w->o->target, a,
		                                  middle_divisor(t->p.mesh->axes[a].size), a ? "tensor" : "fsdp");
		if (m)
			search_seeds(w, seeder, m);
	}
}

/* ---- which plans ----------------------------------------------------------------------------------- */

/* True if a step waits for links in more than this share of it. */
static bool exposes(const plan_cost *c, double share) { return c->exposed_seconds > share * c->step_seconds; }
/* True if a step computes slower than it could in more than this share of it. */
static bool loses(const plan_cost *c, double share)
{
	return c->step_seconds - c->compute_seconds > share * c->step_seconds;
}

/* Divides axes of the best plans of two meshes at nodes, if communication takes much of their steps, and
 * those of the best one for state. A program that has too few layers to be folded should be planned
 * quickly, so only one such mesh is tried; and so is one whose best plan has one axis. */
void search_splits(plan_search *w, plan_seeder *seeder)
{
	enum { MESHES = 2 };
	const double much = 0.25, lost = 0.3, some = 0.1;
	const plan_trial *first = search_best_beside(w, NULL);
	const plan_trial *list[MESHES] = {first, first ? search_best_beside(w, first->p.mesh) : NULL};
	for (int i = 0; i < MESHES && list[i]; i++) {
		const plan_cost *c = &list[i]->p.cost;
		bool worth = i ? w->sketch.few.layers && first->p.mesh->n_axes > 1 && loses(c, lost)
		               : exposes(c, much) || loses(c, lost);
		if (worth && list[i]->p.mesh != w->s->given)
			split_at_nodes(w, seeder, list[i]);
	}
	if (first && w->sketch.few.layers && first->p.mesh != w->s->given && search_room(w) > some)
		split_for_state(w, seeder, first);
	search_reshape(w, seeder);
}
