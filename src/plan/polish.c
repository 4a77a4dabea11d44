/* polish.c - changes the best plans at one place after the other, as long as that helps.
 *
 * A tactic shards all parameters by one rule, where the best plan has exceptions: attention by
 * sequence and the rest by columns, or the embedding differently from the layers. So each class of
 * sites is given each of its shardings in turn, and a change is kept if the exact cost falls.
 * Classes for which the plan sends most come first. A parameter is tried alone and together with its
 * moments, since they are best sharded alike, and changing only one of them would be more
 * expensive. */
#include "plan/polish.h"

#include <math.h>
#include <stdlib.h>

/* ---- classes ---------------------------------------------------------------------------- */

static int class_key(const plan_subject *s, const plan_sketch *k, int i)
{
	const plan_site *site = &s->sites[i];
	const plan_graph *g = &k->layers.graph;
	const plan_classes *c = &k->layers.classes;
	if (site->kind == SITE_ARGUMENT)
		return c->of_arg[site->number];
	if (site->kind != SITE_VALUE)
		return -1;
	const op *o = value_def(site->v);
	int at = o && o->id < (uint32_t)g->n_ids ? g->of_op[o->id] : -1;
	return at < 0 ? -1 : c->n_args + c->of_op[at];
}

typedef VEC(int) int_list;

/* The parameter that a moment belongs to is the one whose next state is computed from it. */
static int parameter_class(const plan_subject *s, const int *of, const site_class *c)
{
	const plan_site *first = &s->sites[c->sites[0]];
	return first->kind == SITE_ARGUMENT && first->moment_of >= 0 ? of[first->moment_of] : -1;
}

void site_classes_of(const plan_subject *s, const plan_sketch *k, arena *mem, site_classes *out)
{
	const plan_classes *c = &k->layers.classes;
	int n_keys = c->n_args + c->n_ops, *number = NEW_N(mem, int, n_keys + 1);
	int *of = NEW_N(mem, int, s->n_sites + 1);
	int_list *lists = NEW_N(mem, int_list, n_keys + 1);
	site_class *ptr = NEW_N(mem, site_class, n_keys + 1);
	*out = (site_classes){.ptr = ptr, .of = of};
	for (int i = 0; i < s->n_sites; i++) {
		const plan_site *site = &s->sites[i];
		int key = site->fixed ? -1 : class_key(s, k, i);
		of[i] = site->follows >= 0 && !site->fixed ? of[site->follows] : -1;
		if (key >= 0) {
			if (!number[key])
				number[key] = ++out->n;
			of[i] = number[key] - 1;
		}
		if (of[i] < 0)
			continue;
		vec_push(mem, &lists[of[i]], i);
		ptr[of[i]].bytes += (double)max_i64(type_bytes(site->type), 0);
	}
	for (int i = 0; i < out->n; i++) {
		ptr[i].n = lists[i].len;
		ptr[i].sites = lists[i].ptr;
	}
	for (int i = 0; i < out->n; i++)
		ptr[i].parameter = parameter_class(s, of, &ptr[i]);
}

/* ---- shardings ----------------------------------------------------------------------------- */

typedef struct descent {
	plan_search *w;
	const site_classes *c;
	const plan_trial *at;
	const sharding **trial; /* [n_sites] */
	int *returned; /* [n_sites] returned_sites() */
	bool steepest; /* of a sweep only the best change is made, at its end */
	const plan_trial *found; /* the plan with that change */
	int64_t end; /* number of evaluations at which it ends */
	int64_t patience, gave_up; /* number of evaluations without a gain after which it also
				    * ends */
	bool over;
} descent;

void sharding_dims_of(const mesh *m, const sharding *s, int *dims)
{
	for (int a = 0; a < m->n_axes; a++) {
		dims[a] = -1;
		for (int d = 0; s && d < s->rank; d++)
			for (int i = 0; i < s->dims[d].n_axes; i++)
				if (s->dims[d].axes[i].axis == m->axes[a].name)
					dims[a] = d;
	}
}

const sharding *sharding_by_dims(const plan_subject *s, const mesh *m, const type *t, const int *dims)
{
	axis_ref axes[PLAN_AXES];
	dim_sharding list[TESS_MAX_RANK];
	int n = 0;
	for (int d = 0; d < t->rank; d++) {
		int64_t shards = 1;
		list[d] = (dim_sharding){.axes = axes + n, .priority = PRIORITY_NONE};
		for (int a = 0; a < m->n_axes; a++)
			if (dims[a] == d) {
				axes[n++] = axis_full(m->axes[a].name);
				list[d].n_axes++;
				shards *= m->axes[a].size;
			}
		if (t->dims[d] % shards)
			return NULL;
	}
	return sharding_of(s->m->ctx, &(sharding){.mesh = {.symbol = s->mesh_symbol},
	                                          .rank = t->rank,
	                                          .dims = list});
}

/* Returns by site of a value the site of the result that it is returned as, if the result is no
 * state; -1: none. Both are changed together. */
static int *returned_sites(const plan_subject *s, arena *mem)
{
	const op *ret = op_body(module_main(s->m))->last;
	int *site_of = NEW_N(mem, int, s->m->n_values + 1), *returned = NEW_N(mem, int, s->n_sites + 1);
	for (int i = 0; i < s->n_sites; i++) {
		returned[i] = -1;
		if (s->sites[i].kind == SITE_VALUE)
			site_of[s->sites[i].v->id] = i + 1;
	}
	for (int i = 0; i < s->n_sites; i++) {
		const plan_site *r = &s->sites[i];
		if (r->kind != SITE_RESULT || r->fixed || r->follows >= 0)
			continue;
		int at = site_of[operand(ret, r->number)->id] - 1;
		if (at >= 0)
			returned[at] = i;
	}
	return returned;
}

/* ---- moves ------------------------------------------------------------------------------------ */

static void put_class(const descent *d, int class, const sharding *s)
{
	for (int i = 0; i < d->c->ptr[class].n; i++) {
		int site = d->c->ptr[class].sites[i];
		if (s && s->rank != d->w->s->sites[site].type->rank)
			continue;
		d->trial[site] = s;
		if (d->returned[site] >= 0)
			d->trial[d->returned[site]] = s;
	}
}

static void take_present(descent *d)
{
	memcpy(d->trial, d->at->p.at, sizeof *d->trial * (size_t)d->w->s->n_sites);
}

enum { PARTITIONS = 3 }; /* partitions that are compared */

static int64_t pair_ops(const sketch_pair *p) { return (int64_t)p->of[0].m->n_ops + p->of[1].m->n_ops; }

/* Returns how many evaluations take as long as one of the whole program. */
static int64_t whole_work(const plan_search *w)
{
	return PARTITIONS * (int64_t)w->s->m->n_ops / max_i64(pair_ops(&w->sketch.few), 1);
}

/* The same for evaluating a plan on more layers. */
static int64_t sure_work(const plan_search *w)
{
	const plan_sketch *k = &w->sketch;
	if (!k->few.layers)
		return 0;
	return k->more.layers ? (pair_ops(&k->more) + PARTITIONS * (int64_t)k->more.of[1].m->n_ops) / pair_ops(&k->few)
	                      : whole_work(w);
}

/* A descent that goes by what few layers say ends where these are wrong. So a change must also be
 * better on more layers, and on the whole program. */
static bool changed_for_better(descent *d, const plan_trial *t)
{
	plan_search *w = d->w;
	const double least = 1 - (w->sketch.few.layers ? 3e-4 : 1e-6);
	if (t->guess >= d->found->guess * least)
		return false;
	if (!t->sure)
		d->end -= sure_work(w);
	if (search_surely(w, t)->price >= d->found->price * least)
		return false;
	if (!w->sketch.more.layers)
		return true; /* a sure cost is that of the whole program */
	d->end -= whole_work(w);
	return search_whole(w, t)->price < search_whole(w, d->found)->price * least;
}

/* Evaluates d->trial, which becomes the present plan if it is better. */
static void try_trial(descent *d)
{
	plan_search *w = d->w;
	const plan_trial *t = !d->over && w->evaluated < min_i64(d->end, d->gave_up)
	                              ? search_changed(w, d->at, d->trial)
	                              : NULL;
	d->over = !t;
	if (t && changed_for_better(d, t)) {
		bool gains = t->price < d->found->price * (1 - 1e-3);
		d->found = t;
		d->gave_up = gains ? w->evaluated + d->patience : d->gave_up;
	}
	if (!d->steepest)
		d->at = d->found;
}

/* True while the descent goes on with plans of this mesh. A change whose plan is known on a mesh with
 * fewer axes, or more, leads there (search_try()), where the axes that were listed mean nothing. */
static bool stays_on(const descent *d, const mesh *m) { return !d->over && d->at->p.mesh == m; }

/* Changes by axis go on there with the axes that it has. */
static bool has_axis(const descent *d, int axis) { return axis < d->at->p.mesh->n_axes; }

/* Tries a sharding for a class and, if `moments`, for its moments. */
static void try_move(descent *d, int class, bool moments, const sharding *s)
{
	take_present(d);
	put_class(d, class, s);
	for (int i = 0; moments && i < d->c->n; i++)
		if (d->c->ptr[i].parameter == class)
			put_class(d, i, s);
	try_trial(d);
}

static bool has_moments(const descent *d, int class)
{
	for (int i = 0; i < d->c->n; i++)
		if (d->c->ptr[i].parameter == class)
			return true;
	return false;
}

typedef VEC(const sharding *) sharding_options;

/* All shardings of a class: each axis along each dimension or none, counted like the digits of a
 * number. If there are too many, only those that differ from the present one by one axis. An annotation
 * of a value is not removed, since that hardly ever gains anything. */
static void list_options(const descent *d, int class, sharding_options *out)
{
	enum { MOST = 40 };
	const mesh *m = d->at->p.mesh;
	const plan_site *site = &d->w->s->sites[d->c->ptr[class].sites[0]];
	int now[PLAN_AXES], dims[PLAN_AXES], rank = site->type->rank;
	int64_t all = 1;
	sharding_dims_of(m, d->at->p.at[d->c->ptr[class].sites[0]], now);
	for (int a = 0; a < m->n_axes; a++)
		all *= rank + 1;
	for (int64_t k = 0; k < all; k++) {
		int changed = 0;
		int64_t rest = k;
		for (int a = 0; a < m->n_axes; a++, rest /= rank + 1) {
			dims[a] = (int)(rest % (rank + 1)) - 1;
			changed += dims[a] != now[a];
		}
		if (all > MOST && changed > 1)
			continue;
		const sharding *s = sharding_by_dims(d->w->s, m, site->type, dims);
		if (s)
			vec_push(d->w->mem, out, s);
	}
	if (site->kind == SITE_VALUE && !d->at->p.at[d->c->ptr[class].sites[0]])
		vec_push(d->w->mem, out, NULL);
}

static void move_class(descent *d, int class)
{
	sharding_options list = {0};
	const mesh *m = d->at->p.mesh;
	bool moments = has_moments(d, class);
	list_options(d, class, &list);
	for (int i = 0; i < list.len && stays_on(d, m); i++) {
		try_move(d, class, false, list.ptr[i]);
		if (moments && stays_on(d, m))
			try_move(d, class, true, list.ptr[i]);
	}
}

/* Changes two classes at once: values of which one is computed from the other are often better only
 * if both change. */
static void move_pair(descent *d, int a, int b)
{
	sharding_options of_a = {0}, of_b = {0};
	const mesh *m = d->at->p.mesh;
	list_options(d, a, &of_a);
	list_options(d, b, &of_b);
	for (int i = 0; i < of_a.len; i++)
		for (int k = 0; k < of_b.len && stays_on(d, m); k++) {
			take_present(d);
			put_class(d, a, of_a.ptr[i]);
			put_class(d, b, of_b.ptr[k]);
			try_trial(d);
		}
}

/* ---- groups ----------------------------------------------------------------------------------- */

static int dim_in_group(const descent *d, const plan_site *s, int group)
{
	for (int i = 0; s->v && i < s->type->rank; i++)
		if (group_of(&d->w->roles.groups, s->v, i) == group)
			return i;
	return -1;
}

/* Lets the axis shard the group wherever it occurs. Elsewhere the axis is kept or, if `alone`,
 * removed. */
static void move_group(descent *d, int group, int axis, bool alone)
{
	const plan_subject *s = d->w->s;
	const mesh *m = d->at->p.mesh;
	if (!has_axis(d, axis))
		return;
	take_present(d);
	for (int i = 0; i < s->n_sites; i++) {
		int dims[PLAN_AXES], at = dim_in_group(d, &s->sites[i], group);
		if (d->c->of[i] < 0 || s->sites[i].kind == SITE_RESULT || (at < 0 && !alone))
			continue;
		sharding_dims_of(m, d->trial[i], dims);
		dims[axis] = at;
		const sharding *moved = sharding_by_dims(s, m, s->sites[i].type, dims);
		if (moved)
			d->trial[i] = moved;
	}
	for (int i = 0; i < s->n_sites; i++)
		if (s->sites[i].follows >= 0 && d->c->of[i] >= 0)
			d->trial[i] = d->trial[s->sites[i].follows];
	try_trial(d);
}

/* A program of more than MOST groups gets none of these changes. */
static void move_groups(descent *d)
{
	enum { MOST = 24 };
	const dim_groups *g = &d->w->roles.groups;
	for (int a = 0; has_axis(d, a); a++)
		for (int k = 0; k < g->n && g->n <= MOST && !d->over; k++) {
			move_group(d, k, a, false);
			move_group(d, k, a, true);
		}
}

/* Removes an axis from everything of one role, as decide.c does: often a whole tactic uses one axis
 * too many. */
static void move_roles(descent *d)
{
	for (int a = 0; has_axis(d, a); a++)
		for (int r = ROLE_INPUT; r <= ROLE_COPY && has_axis(d, a) && !d->over; r++) {
			search_without(d->w, d->at, a, (site_role)r, d->trial);
			try_trial(d);
		}
}

/* ---- sweeps ----------------------------------------------------------------------------------- */

typedef struct class_rank {
	int class;
	double seconds, bytes;
} class_rank;

static int by_seconds_then_bytes_of_class(const void *a, const void *b)
{
	const class_rank *x = a, *y = b;
	if (x->seconds != y->seconds)
		return x->seconds < y->seconds ? 1 : -1;
	if (x->bytes != y->bytes)
		return x->bytes < y->bytes ? 1 : -1;
	return (x->class > y->class) - (x->class < y->class);
}

/* Puts the classes for which the present plan sends most first; if only memory counts, those that
 * take most. */
static void rank_classes(const descent *d, double *seconds, class_rank *order)
{
	memset(seconds, 0, sizeof *seconds * (size_t)d->c->n);
	if (!d->w->smallest)
		search_blame(d->w, d->at, d->c, seconds);
	for (int i = 0; i < d->c->n; i++)
		order[i] = (class_rank){i, seconds[i], d->c->ptr[i].bytes};
	if (d->c->n)
		qsort(order, (size_t)d->c->n, sizeof *order, by_seconds_then_bytes_of_class);
}

/* Tries roles, each class alone, then groups; and pairs of classes if nothing has changed. */
static void sweep(descent *d, const class_rank *order)
{
	const double gain = 1e-3;
	const plan_trial *before = d->at;
	move_roles(d);
	for (int i = 0; i < d->c->n && !d->over; i++)
		move_class(d, order[i].class);
	move_groups(d);
	for (int i = 0; i < d->c->n && d->found->price >= before->price * (1 - gain); i++)
		for (int k = 0; k < i && !d->over; k++)
			move_pair(d, order[k].class, order[i].class);
	d->at = d->found;
}

const plan_trial *search_polish(plan_search *w, const site_classes *c, const plan_trial *from,
                                bool steepest, int64_t budget)
{
	enum { PATIENCE = 40, PART = 4, PART_FOLDED = 2 };
	const double gain = 1e-3;
	int64_t part = w->sketch.few.layers ? PART_FOLDED : PART; /* few layers are evaluated
								   * quickly */
	descent d = {.w = w,
	             .c = c,
	             .at = from,
	             .found = from,
	             .steepest = steepest,
	             .end = w->evaluated + budget,
	             .patience = max_i64(budget / part, PATIENCE)};
	search_surely(w, from);
	d.gave_up = w->evaluated + d.patience;
	d.trial = NEW_N(w->mem, const sharding *, w->s->n_sites + 1);
	d.returned = returned_sites(w->s, w->mem);
	class_rank *order = NEW_N(w->mem, class_rank, c->n + 1);
	double *seconds = NEW_N(w->mem, double, c->n + 1);
	for (double before = HUGE_VAL; !d.over && d.at->price < before * (1 - gain);) {
		before = d.at->price;
		rank_classes(&d, seconds, order);
		sweep(&d, order);
	}
	return d.at;
}
