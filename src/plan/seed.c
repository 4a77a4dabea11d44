/* seed.c - the model's solutions at several prices of memory, as plans. */
#include "plan/seed.h"

struct plan_seeder {
	const plan_subject *s;
	arena *mem;
	plan_graph graph;
	plan_classes classes;
};

plan_seeder *plan_seeder_new(const plan_subject *s, arena *mem)
{
	plan_seeder *w = NEW(mem, plan_seeder);
	diag_mark said = diag_here(s->m->ctx);
	w->s = s;
	w->mem = mem;
	bool good = plan_graph_of(s->m, mem, &w->graph);
	diag_back(s->m->ctx, said);
	if (!good)
		return NULL;
	classes_find(&w->graph, mem, &w->classes);
	return w;
}

/* A result of a state is as its argument; what the user has fixed stays as it is. */
static const sharding *seed_at(const plan_site *site, const model_shardings *sh)
{
	if (site->fixed)
		return NULL;
	switch (site->kind) {
	case SITE_ARGUMENT: return sh->arg[site->number];
	case SITE_RESULT: return sh->result[site->number];
	case SITE_VALUE: return sh->value[site->v->id];
	}
	return NULL;
}

static const sharding **seed_sites(const plan_seeder *w, plan_model *m, const model_solution *s)
{
	model_shardings sh;
	const sharding **at = NEW_N(w->mem, const sharding *, w->s->n_sites);
	model_shardings_of(m, s, (mesh_ref){.symbol = w->s->mesh_symbol}, w->mem, &sh);
	for (int i = 0; i < w->s->n_sites; i++)
		at[i] = seed_at(&w->s->sites[i], &sh);
	return at;
}

static void add_seed(const plan_seeder *w, const plan_seed *seed, plan_seeds *out, int first)
{
	size_t size = sizeof *seed->at * (size_t)w->s->n_sites;
	for (int i = first; i < out->len; i++)
		if (!memcmp(out->ptr[i].at, seed->at, size))
			return;
	vec_push(w->mem, out, *seed);
}

void plan_seeds_of(plan_seeder *w, const mesh *mesh, const target *t, plan_seeds *out)
{
	enum { SWEEPS = 60 };
	/* Seconds that a byte is worth.  A step of one second and a memory of 100 GB weigh the same at
	 * 1e-11; at the first price memory only decides between plans that take the same time. */
	static const double prices[] = {1e-13, 1e-12, 4e-12, 1.6e-11, 6.4e-11};
	plan_model *m = model_new(&w->graph, &w->classes, mesh, t, w->mem);
	int first = out->len;
	for (int i = 0; m && i < COUNT(prices); i++) {
		model_solution s;
		model_solve(m, prices[i], SWEEPS, &s);
		plan_seed seed = {seed_sites(w, m, &s), prices[i], s.seconds, s.bytes, s.bound};
		add_seed(w, &seed, out, first);
	}
}
