/* reshape.c - a plan on meshes with the same axes in other sizes.
 *
 * There are too many meshes of three axes to try them all. So the best plan is tried on those whose
 * axes differ from its own by a factor of two, and this is repeated while one of them is better. */
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

void search_reshape(plan_search *w, plan_seeder *seeder)
{
	enum { AXES = 3, ROUNDS = 3 };
	const plan_trial *from = NULL;
	for (int n = 0; n < ROUNDS; n++) {
		const plan_trial *best = search_best_beside(w, NULL);
		if (!best || best == from || best->p.mesh->n_axes < AXES)
			break;
		from = best;
		for (int a = 0; a < AXES * AXES; a++) {
			const mesh *m = plan_mesh_moved(w->ctx, best->p.mesh, w->o->target, a / AXES, a % AXES);
			if (m)
				try_on(w, best, m);
		}
		const plan_trial *now = search_best_beside(w, NULL);
		if (now->p.mesh != best->p.mesh)
			search_seeds(w, seeder, now->p.mesh);
	}
}
