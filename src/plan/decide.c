/* decide.c - the decisions of a plan, each with what it would cost to decide otherwise.
 *
 * A decision is that an axis shards certain dimensions of the arguments, or values, of one role.
 * The alternative is not to shard them over that axis and to leave the rest as it is. It is
 * evaluated like any other plan. */
#include "plan/search.h"

#include <math.h>

/* "4.2 MB less on a device" */
static const char *amount_less(void (*put_amount)(writer *w, double v), double v, const char *where,
                               arena *mem)
{
	writer w;
	writer_init(&w, mem);
	put_amount(&w, v);
	put_f(&w, " less %s", where);
	return writer_z(&w);
}

/* Returns where the difference is largest. */
static const char *why_of(const plan_cost *a, const plan_cost *b, bool fits, arena *mem)
{
	const double little = 1e-4;
	double far = b->far_seconds - a->far_seconds;
	double near = b->comm_seconds - b->far_seconds - a->comm_seconds + a->far_seconds;
	double work = b->compute_seconds - a->compute_seconds;
	if (!fits)
		return amount_less(put_bytes, (double)(b->peak_bytes - a->peak_bytes), "on a device", mem);
	if (b->step_seconds - a->step_seconds <= little * a->step_seconds)
		return "hardly matters";
	if (far >= near && far >= work)
		return amount_less(put_seconds, far, "between nodes", mem);
	if (near >= work)
		return amount_less(put_seconds, near, "within nodes", mem);
	return amount_less(put_seconds, work, "computation", mem);
}

/* Returns what the plan costs, evaluated on as many layers as the other one. */
static plan_cost cost_beside(const plan_trial *best, const plan_trial *next)
{
	plan_cost c = best->p.cost;
	if (best->sure && !next->sure)
		plan_cost_scale(&c, plan_ratio(best->guess, best->price), 1);
	return c;
}

/* The search compares programs of a few layers. Their costs are reported in proportion to what the
 * plan costs on the whole program. */
static plan_cost cost_as_whole(const plan_cost *beside, const plan_cost *whole, const plan_cost *next)
{
	plan_cost c = *next;
	plan_cost_scale(&c, plan_ratio(whole->step_seconds, beside->step_seconds),
	                (double)whole->peak_bytes / (double)max_i64(beside->peak_bytes, 1));
	return c;
}

/* A plan that differs in one decision and is better on the whole program; NULL: there is none. */
typedef struct better_trial {
	const plan_trial *t;
	plan_cost cost;
	bool fits;
} better_trial;

/* True if it is better by more than a user could notice. */
static bool decided_better(const plan_cost *c, bool fits, const plan_cost *than, bool than_fits)
{
	const double little = 1e-4;
	if (fits != than_fits)
		return fits;
	return fits ? c->step_seconds < than->step_seconds * (1 - little)
	            : (double)c->peak_bytes < (double)than->peak_bytes * (1 - little);
}

/* Fills in what the alternative costs and why the plan's decision is better. The alternative is
 * evaluated on the whole program if it is better on few layers, or if they say nothing because it
 * has another mesh. */
static void price_other_way(plan_search *w, const plan_trial *best, const plan_trial *next,
                            const plan_result *out, plan_decision *row, better_trial *better)
{
	plan_cost now = cost_beside(best, next), other = next->p.cost;
	row->next_cost = cost_as_whole(&now, &out->best.cost, &other);
	row->next_fits = next->fits;
	bool as_whole = !w->sketch.few.layers && next->p.mesh != best->p.mesh;
	if (as_whole || decided_better(&row->next_cost, next->fits, &out->best.cost, out->fits)) {
		const plan_trial *whole = search_whole(w, next);
		if (!whole->possible) {
			row->next = NULL;
			return;
		}
		now = out->best.cost;
		row->next_cost = other = whole->p.cost;
		row->next_fits = whole->fits;
		if (decided_better(&other, whole->fits, better->t ? &better->cost : &now,
		              better->t ? better->fits : out->fits))
			*better = (better_trial){next, other, whole->fits};
	}
	row->why = why_of(&now, &other, row->next_fits || !out->fits, w->mem);
}

static void decide_mesh(plan_search *w, const plan_trial *best, plan_result *out, better_trial *better)
{
	const plan_trial *next = search_best_beside(w, best->p.mesh);
	plan_decision row = {.what = "the shape of the mesh"};
	writer text;
	if (!next)
		return;
	next = search_surely(w, next);
	writer_init(&text, w->mem);
	for (int a = 0; a < next->p.mesh->n_axes; a++)
		put_f(&text, "%s%s=%" PRId64, a ? " x " : "", next->p.mesh->axes[a].name->s,
		      next->p.mesh->axes[a].size);
	row.next = writer_z(&text);
	price_other_way(w, best, next, out, &row, better);
	vec_push(w->mem, &out->decisions, row);
}

/* ---- what an axis shards -------------------------------------------------------------------- */

static const char *const role_words[] = {
	[ROLE_INPUT] = "data",
	[ROLE_PARAMETER] = "parameters",
	[ROLE_MOMENT] = "moments",
	[ROLE_PRODUCT] = "products",
	[ROLE_COPY] = "parameters where they are used",
	[ROLE_OTHER] = "other values",
};
static const char *const use_words[] = {
	[USE_BATCH] = "batch",   [USE_SEQUENCE] = "sequence",  [USE_WIDTH] = "width",
	[USE_INNER] = "inner",   [USE_HIDDEN] = "inner",       [USE_EXPERT] = "experts",
	[USE_FEATURE] = "features", [USES] = "other dimensions",
};

typedef struct decider {
	plan_search *w;
	const plan_trial *best;
	int axis;
	site_role role;
	double bytes[USES + 1], whole; /* of the sites, by the use of the dimension that the axis
				        * shards; of those that it does not shard */
	bool any;
} decider;

static int dim_over(const sharding *s, const name *axis)
{
	for (int d = 0; d < s->rank; d++)
		for (int i = 0; i < s->dims[d].n_axes; i++)
			if (s->dims[d].axes[i].axis == axis)
				return d;
	return -1;
}

static group_use use_of_dim(const decider *d, const plan_site *s, int dim)
{
	int group = group_of(&d->w->roles.groups, s->v, dim);
	for (int u = 0; u < USES; u++)
		for (int i = 0; i < d->w->roles.used[u].len; i++)
			if (d->w->roles.used[u].ptr[i] == group)
				return (group_use)u;
	return USES;
}

static bool is_decided(const plan_search *w, const plan_trial *t, site_role role, int i)
{
	const plan_site *s = &w->s->sites[i];
	return s->kind != SITE_RESULT && !s->fixed && t->p.at[i] && w->roles.of[i] == role;
}

void search_without(const plan_search *w, const plan_trial *t, int axis, site_role role, const sharding **at)
{
	const plan_subject *s = w->s;
	ASSERT(axis < t->p.mesh->n_axes);
	memcpy(at, t->p.at, sizeof *at * (size_t)s->n_sites);
	for (int i = 0; i < s->n_sites; i++)
		if (is_decided(w, t, role, i))
			at[i] = sharding_without(w->ctx, at[i], t->p.mesh->axes[axis].name);
	for (int i = 0; i < s->n_sites; i++)
		if (s->sites[i].follows >= 0 && !s->sites[i].fixed)
			at[i] = at[s->sites[i].follows];
}

/* Counts the bytes of what the axis shards. */
static void count_decided(decider *d)
{
	const plan_subject *s = d->w->s;
	for (int i = 0; i < s->n_sites; i++) {
		if (!is_decided(d->w, d->best, d->role, i))
			continue;
		double bytes = (double)max_i64(type_bytes(s->sites[i].type), 0);
		int dim = dim_over(d->best->p.at[i], d->best->p.mesh->axes[d->axis].name);
		if (dim < 0) {
			d->whole += bytes;
			continue;
		}
		d->any = true;
		d->bytes[use_of_dim(d, &s->sites[i], dim)] += bytes;
	}
}

/* Writes "parameters: inner over model", in the order of the bytes; dimensions with few bytes are
 * left out. */
static const char *decision_text(const decider *d)
{
	const double little = 0.02;
	double all = d->whole;
	bool said[USES + 1] = {false};
	writer w;
	writer_init(&w, d->w->mem);
	put_f(&w, "%s: ", role_words[d->role]);
	for (int u = 0; u <= USES; u++)
		all += d->bytes[u];
	for (int n = 0; n <= USES; n++) {
		int most = -1;
		for (int u = 0; u <= USES; u++)
			if (!said[u] && (most < 0 || d->bytes[u] > d->bytes[most]))
				most = u;
		said[most] = true;
		if (n && d->bytes[most] <= little * all)
			break;
		put_f(&w, "%s%s", n ? ", " : "", use_words[most]);
	}
	put_f(&w, " over %s", d->best->p.mesh->axes[d->axis].name->s);
	if (d->whole > little * all)
		put_f(&w, " (%.0f %%)", 100 * (1 - d->whole / all));
	return writer_z(&w);
}

static void decide_role(plan_search *w, const plan_trial *best, int axis, site_role role,
                        plan_result *out, better_trial *better)
{
	const double near = 1.01; /* few layers are hardly ever further off for one decision than for
				   * the other */
	decider d = {.w = w, .best = best, .axis = axis, .role = role};
	count_decided(&d);
	if (!d.any)
		return;
	const sharding **at = NEW_N(w->mem, const sharding *, w->s->n_sites + 1);
	search_without(w, best, axis, role, at);
	plan_decision row = {.what = decision_text(&d)};
	const plan_trial *next = search_changed(w, best, at);
	if (next && next->price < near * best->guess)
		next = search_surely(w, next);
	if (next && next->possible) {
		row.next = "not over it";
		price_other_way(w, best, next, out, &row, better);
	}
	vec_push(w->mem, &out->decisions, row);
}

const plan_trial *plan_decide(plan_search *w, const plan_trial *best, bool settled, plan_result *out)
{
	better_trial better = {0};
	settled |= w->o->tactic != NULL; /* a tactic that was asked for is not changed */
	best = search_surely(w, best);
	out->decisions.len = 0;
	decide_mesh(w, best, out, &better);
	for (int a = 0; a < best->p.mesh->n_axes; a++)
		for (int r = ROLE_INPUT; r <= ROLE_COPY && (settled || !better.t); r++)
			decide_role(w, best, a, (site_role)r, out, &better);
	return settled ? NULL : better.t;
}
