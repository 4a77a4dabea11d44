/* seed.c - makes plans of the model's solutions for several prices of memory. */
#include "plan/model/seed.h"

/* The solution for a mesh that guides those for meshes in which one of its axes is divided. */
typedef struct seed_guide {
	const mesh *m;
	const plan_model *model;
	const int *state;
} seed_guide;

struct plan_seeder {
	const plan_subject *s;
	arena *mem;
	module *flat; /* the program without calls, so that kernels are the ones that will run */
	op **ops;     /* of flat: the operation at each position of the subject's main; erased
		       * ones have no parent */
	bool *sites;      /* by id of these: the value is a site */
	plan_graph graph; /* of flat */
	plan_classes classes;
	plan_works works; /* for the last target that was asked for */
	VEC(seed_guide) guides; /* for the meshes of one or two axes that were asked for, and this target */
};

static bool make_flat(plan_seeder *w)
{
	pass_options o = pass_options_default();
	const block *body = op_body(module_main(w->s->m));
	VEC(op *) ops = {0};
	w->flat = module_clone(w->s->m);
	for (op *i = body ? op_body(module_main(w->flat))->first : NULL; i; i = i->next)
		vec_push(w->mem, &ops, i);
	w->ops = ops.ptr;
	return pass_inline(w->flat, &o) && plan_graph_of(w->flat, w->mem, &w->graph);
}

static bool *ops_of_sites(const plan_seeder *w)
{
	bool *sites = NEW_N(w->mem, bool, w->flat->n_ops);
	for (int i = 0; i < w->s->n_sites; i++)
		if (w->s->sites[i].kind == SITE_VALUE)
			sites[w->ops[w->s->sites[i].number]->id] = true;
	return sites;
}

plan_seeder *plan_seeder_new(const plan_subject *s, arena *mem)
{
	plan_seeder *w = NEW(mem, plan_seeder);
	diag_mark said = diag_here(s->m->ctx);
	w->s = s;
	w->mem = mem;
	bool good = make_flat(w);
	diag_back(s->m->ctx, said);
	if (good) {
		w->sites = ops_of_sites(w);
		classes_find(&w->graph, mem, &w->classes);
		return w;
	}
	module_free(w->flat);
	return NULL;
}

void plan_seeder_free(plan_seeder *w)
{
	if (w)
		module_free(w->flat);
}

/* The next state of an argument is sharded like the argument, and what the user has fixed is not
 * changed. */
static const sharding *seed_at(const plan_seeder *w, const plan_site *site, const model_shardings *sh)
{
	if (site->fixed)
		return NULL;
	switch (site->kind) {
	case SITE_ARGUMENT: return sh->arg[site->number];
	case SITE_RESULT: return sh->result[site->number];
	case SITE_VALUE: {
		const op *o = w->ops[site->number];
		return o->parent ? sh->value[o->results[site->v->index].id] : NULL;
	}
	}
	return NULL;
}

static const sharding **seed_sites(const plan_seeder *w, plan_model *m, const model_solution *s)
{
	model_shardings sh;
	const sharding **at = NEW_N(w->mem, const sharding *, w->s->n_sites + 1);
	model_shardings_of(m, s, (mesh_ref){.symbol = w->s->mesh_symbol}, w->sites, w->mem, &sh);
	for (int i = 0; i < w->s->n_sites; i++)
		at[i] = seed_at(w, &w->s->sites[i], &sh);
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

/* The seconds that a byte is worth. A step of one second and a memory of 100 GB weigh the same at
 * 1e-11; at the last price, memory only decides between plans that take the same time. With
 * expensive memory the solver has the fewest choices, and its messages help with the next price. */
static const double memory_prices[] = {6.4e-11, 1.6e-11, 4e-12, 1e-12, 1e-13};

/* A guide's price: not so high that a few bytes decide, nor so low that nothing would fit. */
static const double guide_price = 4e-12;

enum { SEED_SWEEPS = 24, FEW_SWEEPS = 12 };

/* A small program, which should be planned quickly, gets fewer sweeps. If its plan with the least
 * memory takes a small part of the limit, memory is worth nothing, and only the last price is tried
 * in addition. @return the solution that may guide others */
static const int *seeds_of_model(const plan_seeder *w, plan_model *m, int64_t limit, plan_seeds *out, int first)
{
	enum { SMALL_PART = 8, SMALL_PROGRAM = 2000, LAST = COUNT(memory_prices) - 1 };
	bool scarce = true, small = w->graph.n_ops < SMALL_PROGRAM;
	const int *guide = NULL;
	for (int i = 0; i <= LAST; i = scarce || i == LAST ? i + 1 : LAST) {
		model_solution s;
		model_solve(m, memory_prices[i], small ? FEW_SWEEPS : SEED_SWEEPS, &s);
		plan_seed seed = {seed_sites(w, m, &s), memory_prices[i], s.seconds, s.bytes};
		scarce = scarce && (!small || s.bytes * SMALL_PART > (double)limit);
		if (memory_prices[i] >= guide_price || !scarce)
			guide = s.state;
		add_seed(w, &seed, out, first);
	}
	return guide;
}

/* Returns the mesh in which axis `at` and the next one are merged. */
static const mesh *merged_mesh(const mesh *m, tess_ctx *ctx, int at)
{
	mesh_axis *axes = NEW_N(&ctx->scratch, mesh_axis, m->n_axes);
	for (int i = 0; i < m->n_axes - 1; i++)
		axes[i] = m->axes[i < at ? i : i == at ? at : i + 1];
	axes[at].size *= m->axes[at + 1].size;
	return mesh_of(ctx, axes, m->n_axes - 1, NULL, 0);
}

/* Meshes are compared by their sizes: what their axes are called makes no difference to the model. */
static bool has_sizes_of(const mesh *a, const mesh *b)
{
	for (int i = 0; a->n_axes == b->n_axes && i < a->n_axes; i++)
		if (a->axes[i].size != b->axes[i].size)
			return false;
	return a->n_axes == b->n_axes;
}

static const seed_guide *known_guide(const plan_seeder *w, const mesh *m)
{
	for (int i = 0; i < w->guides.len; i++)
		if (has_sizes_of(w->guides.ptr[i].m, m))
			return &w->guides.ptr[i];
	return NULL;
}

static const seed_guide *guide_for(plan_seeder *w, const mesh *m)
{
	const seed_guide *known = known_guide(w, m);
	if (known)
		return known;
	plan_model *coarse = model_new(&w->graph, &w->classes, &w->works, m, NULL, w->mem);
	model_solution s;
	model_solve(coarse, guide_price, SEED_SWEEPS, &s);
	vec_push(w->mem, &w->guides, ((seed_guide){m, coarse, s.state}));
	return &w->guides.ptr[w->guides.len - 1];
}

/* On a mesh of three axes there are a hundred ways to divide a product. So what two neighboring
 * axes do is first decided for both together, and then for each of them, while the third keeps what
 * it did. Where one of these two meshes of two axes was solved already, the other one is left out. */
static void seeds_by_splits(plan_seeder *w, const mesh *fine, int64_t limit, plan_seeds *out)
{
	int first = out->len;
	bool known = false;
	for (int at = 0; at + 1 < fine->n_axes; at++)
		known |= known_guide(w, merged_mesh(fine, w->s->m->ctx, at)) != NULL;
	for (int at = 0; at + 1 < fine->n_axes; at++) {
		const mesh *merged = merged_mesh(fine, w->s->m->ctx, at);
		if (known && !known_guide(w, merged))
			continue;
		const seed_guide *of = guide_for(w, merged);
		model_guide guide = {of->model, of->state, at};
		seeds_of_model(w, model_new(&w->graph, &w->classes, &w->works, fine, &guide, w->mem), limit, out, first);
	}
}

void plan_seeds_of(plan_seeder *w, const mesh *fine, const target *t, int64_t limit, plan_seeds *out)
{
	if (!fine->n_axes || fine->n_axes > PLAN_AXES)
		return;
	if (w->works.t != t) {
		plan_works_of(&w->graph, &w->classes, t, w->mem, &w->works);
		w->guides.len = 0; /* they were for another machine */
	}
	if (fine->n_axes > 2)
		seeds_by_splits(w, fine, limit, out);
	else {
		plan_model *m = model_new(&w->graph, &w->classes, &w->works, fine, NULL, w->mem);
		const int *state = seeds_of_model(w, m, limit, out, out->len);
		if (!known_guide(w, fine))
			vec_push(w->mem, &w->guides, ((seed_guide){fine, m, state}));
	}
}
