/* reshape.c - a plan on meshes with the same axes in other sizes.
 *
 * There are too many meshes of three axes to try them all. So the best plan on each of a few such
 * meshes is tried on those whose axes differ by a factor of two. */
#include "plan/polish.h"

/* Returns the sharding with its axes on the same dimensions, without the axes whose size on `m` does
 * not divide the dimension. */
static const sharding *sharding_on(const plan_search *w, const plan_trial *t, int site, const mesh *m)
{
	const type *of = w->s->sites[site].type;
	int64_t shards[TESS_MAX_RANK];
	int dims[PLAN_AXES];
	if (!t->p.at[site])
		return NULL;
	for (int d = 0; d < of->rank; d++)
		shards[d] = 1;
	sharding_dims_of(m, t->p.at[site], dims);
	for (int a = 0; a < m->n_axes; a++) {
		if (dims[a] < 0)
			continue;
		if (of->dims[dims[a]] % (shards[dims[a]] * m->axes[a].size))
			dims[a] = -1;
		else
			shards[dims[a]] *= m->axes[a].size;
	}
	return sharding_by_dims(w->s, m, of, dims);
}

static void try_on(plan_search *w, const plan_trial *t, const mesh *m)
{
	const sharding **at = NEW_N(w->mem, const sharding *, w->s->n_sites + 1);
	for (int i = 0; i < w->s->n_sites; i++)
		at[i] = w->s->sites[i].fixed ? t->p.at[i] : sharding_on(w, t, i, m);
	search_moved(w, t, m, at);
}

/* Tries the plan on each mesh with one axis half, and another twice as large. */
static void try_moves(plan_search *w, const plan_trial *t)
{
	const int n = t->p.mesh->n_axes;
	for (int from = 0; from < n; from++)
		for (int to = 0; to < n; to++) {
			const mesh *m = plan_mesh_moved(w->ctx, t->p.mesh, w->o->target, from, to);
			if (m)
				try_on(w, t, m);
		}
}

/* Returns the best trial on a mesh of three axes that is not in the list, if it is about as good as the
 * best of all; NULL: there is none. */
static const plan_trial *next_to_move(const plan_search *w, const mesh *const *list, int n)
{
	enum { AXES = 3 };
	const double near = 1.1;
	const plan_trial *next = NULL;
	for (int i = 0; i < w->trials.len; i++) {
		const plan_trial *t = w->trials.ptr[i];
		bool known = t->p.mesh->n_axes < AXES;
		for (int k = 0; k < n; k++)
			known |= list[k] == t->p.mesh;
		if (!known && t->possible && t->price < near * w->best->price && (!next || t->price < next->price))
			next = t;
	}
	return next;
}

void search_reshape(plan_search *w, plan_seeder *seeder)
{
	enum { MESHES = 4 };
	const mesh *list[MESHES];
	for (int n = 0; n < MESHES && w->best; n++) {
		const plan_trial *t = next_to_move(w, list, n);
		if (!t)
			break;
		const mesh *before = search_best_beside(w, NULL)->p.mesh;
		list[n] = t->p.mesh;
		try_moves(w, t);
		const mesh *now = search_best_beside(w, NULL)->p.mesh;
		if (now != before)
			search_seeds(w, seeder, now);
	}
}
