/* arguments.c - other shardings of arguments, with the results that are their next state, and
 * donation.
 *
 * Parameters, or their moments, are often not sharded where they could be, and state is often not
 * donated. */
#include "plan/advise/advise.h"

/* ---- arguments ------------------------------------------------------------------------------------ */

/* Finds, by site, the result that is the next state of an argument; -1: none. */
void advise_arguments_note(advisor *w)
{
	w->next = NEW_N(w->mem, int, w->s->n_sites + 1);
	for (int i = 0; i < w->s->n_sites; i++)
		w->next[i] = -1;
	for (int i = 0; i < w->s->n_sites; i++)
		if (w->s->sites[i].kind == SITE_RESULT && w->s->sites[i].follows >= 0)
			w->next[w->s->sites[i].follows] = w->s->sites[i].number;
}

/* Returns the dimension whose shards remain largest when one more axis shards it; -1: no dimension
 * can be divided. */
static int best_dim(const advisor *w, const sharding *now, const type *t, const name *axis)
{
	int best = -1;
	for (int d = 0; d < t->rank; d++) {
		int64_t shards = now ? sharding_dim_shards(now, d, w->mesh) : 1;
		int64_t most = best < 0 ? 0
		                        : t->dims[best] / (now ? sharding_dim_shards(now, best, w->mesh) : 1);
		if (t->dims[d] / shards > most && advise_with_axis(w, now, t, axis, d))
			best = d;
	}
	return best;
}

/* The batch of data keeps its sharding, since data is loaded like that. */
static bool axis_is_of_batch(const advisor *w, int i, const name *axis)
{
	const plan_site *site = &w->s->sites[i];
	const group_list *batch = &w->roles.used[USE_BATCH];
	for (int d = 0; batch->len && w->roles.of[i] == ROLE_INPUT && d < site->type->rank; d++)
		if (group_of(&w->roles.groups, site->v, d) == batch->ptr[0] &&
		    advise_has_axis_on(advise_sharding_now(w, site->v), d, axis))
			return true;
	return false;
}

static void look_at_argument(advisor *w, int i, const name *axis)
{
	const plan_site *site = &w->s->sites[i];
	const sharding *now = advise_sharding_now(w, site->v);
	if (advise_is_elsewhere(w, now) || axis_is_of_batch(w, i, axis))
		return;
	for (int d = 0; d < site->type->rank; d++) {
		const sharding *to = advise_has_axis_on(now, d, axis)
		                             ? NULL
		                             : advise_with_axis(w, now, site->type, axis, d);
		if (to)
			advise_add_place(w, advise_change_for(w, ADVICE_SHARD, site->v, to, axis), site->v,
			          site->number, w->next[i], to);
	}
}

static void add_state(advisor *w, advice_change *c, int i, const sharding *to)
{
	const plan_site *site = &w->s->sites[i];
	if (to && to != advise_sharding_now(w, site->v))
		advise_add_place(w, c, site->v, site->number, w->next[i], to);
}

/* Shards all state of some roles over an axis that does not shard it yet: ZeRO. */
static void shard_state(advisor *w, const name *axis, bool parameters)
{
	advice_change *c = advise_change_named(w, ADVICE_SHARD, parameters ? "all state" : "moments", axis);
	for (int i = 0; i < w->s->n_sites; i++) {
		const plan_site *site = &w->s->sites[i];
		bool state = site->kind == SITE_ARGUMENT &&
		             (w->roles.of[i] == ROLE_MOMENT ||
		              (parameters && w->roles.of[i] == ROLE_PARAMETER));
		const sharding *now = state ? advise_sharding_now(w, site->v) : NULL;
		if (!state || advise_is_elsewhere(w, now) ||
		    (now && sharding_uses_axis(now, axis_full(axis))))
			continue;
		int d = best_dim(w, now, site->type, axis);
		if (d >= 0)
			add_state(w, c, i, advise_with_axis(w, now, site->type, axis, d));
	}
}

/* Shards the moments of an optimizer like their parameters. */
static void shard_moments_alike(advisor *w)
{
	advice_change *c = advise_change_named(w, ADVICE_SHARD, "moments as parameters", NULL);
	for (int i = 0; i < w->s->n_sites; i++) {
		const plan_site *site = &w->s->sites[i];
		if (site->kind != SITE_ARGUMENT || site->moment_of < 0)
			continue;
		const sharding *of = advise_sharding_now(w, w->s->sites[site->moment_of].v);
		if (!advise_is_elsewhere(w, of) && !advise_is_elsewhere(w, advise_sharding_now(w, site->v)))
			add_state(w, c, i, of);
	}
}

static void find_sharded(advisor *w)
{
	const mesh *m = w->mesh;
	for (int a = 0; a < m->n_axes; a++) {
		const name *axis = m->axes[a].name;
		for (int i = 0; i < w->s->n_sites; i++)
			if (w->s->sites[i].kind == SITE_ARGUMENT && advise_can_change(w, w->s->sites[i].type))
				look_at_argument(w, i, axis);
		shard_state(w, axis, true);
		shard_state(w, axis, false);
	}
	shard_moments_alike(w);
}

/* ---- donation ------------------------------------------------------------------------------------ */

static void find_donors(advisor *w)
{
	const func *f = op_func(module_main(w->s->m));
	advice_change *c = advise_change_named(w, ADVICE_DONATE, "donate", NULL);
	for (int i = 0; i < w->s->n_sites; i++) {
		const plan_site *site = &w->s->sites[i];
		if (site->kind != SITE_ARGUMENT || w->next[i] < 0)
			continue;
		const attr_list *attrs = &f->arg_attrs[site->number];
		if (!attrs_get(attrs, N_tf_aliasing_output) && !attrs_get(attrs, N_jax_buffer_donor))
			advise_add_place(w, c, site->v, site->number, -1, NULL);
	}
}

/* ---- all --------------------------------------------------------------------------------------- */

void advise_arguments_find(advisor *w)
{
	find_sharded(w);
	find_donors(w);
}
