/* changes.c - changes of a program's annotations that may be worth while.
 *
 * Most that goes wrong with annotations is of a few kinds: an axis that data is sharded over is lost
 * on the way; a constraint names the wrong dimension; parameters or their moments are whole where
 * they need not be; state is not donated.  Which dimensions belong together the factors of the
 * program's operations say, so nothing depends on names. */
#include "plan/advise/advise.h"

#include "shardy/shardy.h"

#include <stdlib.h>

/* ---- values by number ------------------------------------------------------------------------ */

static void add_numbered(value_order *l, arena *mem, value *v, int *room)
{
	if (l->n == *room) {
		value **old = l->ptr;
		*room = *room ? 2 * *room : 256;
		l->ptr = NEW_N(mem, value *, *room);
		if (l->n)
			memcpy(l->ptr, old, sizeof *old * (size_t)l->n);
	}
	l->ptr[l->n++] = v;
	*ptr_map_at(&l->number, mem, v) = (void *)(uintptr_t)l->n;
}

void value_order_of(module *m, arena *mem, value_order *out)
{
	int room = 0;
	*out = (value_order){0};
	for (op *o = m->top; o; o = op_next(o, m->top)) {
		for (int i = 0; i < o->n_results; i++)
			add_numbered(out, mem, result(o, i), &room);
		for (int r = 0; r < op_n_regions(o); r++)
			for (const block *b = op_region(o, r)->first; b; b = b->next)
				for (int i = 0; i < b->n_args; i++)
					add_numbered(out, mem, b->args[i], &room);
	}
}

static int place_in(const value_order *l, const value *v)
{
	return (int)(uintptr_t)ptr_map_get(&l->number, v) - 1;
}

/* ---- changes that are alike -------------------------------------------------------------------- */

/* "params['layers'][*]['w']", of params['layers'][3]['w']. */
static void put_path_alike(writer *w, const char *path)
{
	for (const char *c = path; *c; c++)
		if (*c < '0' || *c > '9')
			put_c(w, *c);
		else if (!w->len || w->ptr[w->len - 1] != '*')
			put_c(w, '*');
}

/* What is alike: arguments whose paths differ in numbers only, values of one place in the source.  Of a
 * constraint the place is that of who called what made it, too: a helper is called for many. */
static bool put_alike(writer *w, const attr *loc, advice_kind kind)
{
	const attr *frames[2] = {0};
	if (loc && loc->kind == AT_LOC_NAME && !loc->n) {
		put_path_alike(w, loc->text->s);
		return true;
	}
	bool calls = kind == ADVICE_RECONSTRAIN || kind == ADVICE_DROP;
	int n = source_own_frames(loc, frames, calls ? 2 : 1);
	if (!n && (frames[0] = source_file(loc)))
		n = 1;
	for (int i = 0; i < n; i++)
		put_f(w, "%s:%" PRId64 ":%" PRId64 " ", frames[i]->text->s, frames[i]->ints[0],
		      frames[i]->ints[1]);
	return n > 0;
}

/* The change with this key, listed. */
static advice_change *known_change(advisor *w, const name *key, advice_kind kind, const name *axis)
{
	void **known = ptr_map_at(&w->known, w->mem, key);
	advice_change *c = *known;
	if (!c) {
		*known = c = NEW(w->mem, advice_change);
		*c = (advice_change){.a = {.kind = kind, .axis = axis}};
	}
	if (c->round != w->round) {
		c->round = w->round;
		c->number = w->list.len;
		c->bytes = 0;
		memset(&c->places, 0, sizeof c->places); /* what is taken keeps those that it had */
		vec_push(w->mem, &w->list, c);
	}
	return c;
}

/* The change of this kind, to this sharding, of all that is alike. */
static advice_change *change_for(advisor *w, advice_kind kind, const value *v, const sharding *to,
                             const name *axis)
{
	tess_ctx *ctx = w->s->m->ctx;
	writer key;
	writer_init(&key, w->mem);
	if (!put_alike(&key, value_loc(v), kind))
		put_f(&key, "%d", place_in(&w->values, v));
	put_f(&key, " %d %p %p", (int)kind, (const void *)v->type, (const void *)to);
	return known_change(w, name_of(ctx, writer_str(&key)), kind, axis);
}

static void add_place(advisor *w, advice_change *c, value *v, int argument, int result,
                      const sharding *to)
{
	vec_push(w->mem, &c->places,
	         (advice_place){.v = v, .argument = argument, .result = result, .to = to});
	c->bytes += (double)type_bytes(v->type);
}

/* ---- shardings ----------------------------------------------------------------------------------- */

static const sharding *sharding_now(const advisor *w, const value *v)
{
	int i = place_in(&w->values, v);
	return i >= 0 ? w->propagated[i] : NULL;
}

/* A value that is sharded over another mesh of the program is left as it is. */
static bool is_elsewhere(const advisor *w, const sharding *s)
{
	return s && s->mesh.symbol != w->s->mesh_symbol;
}

/* The change with this name, which concerns many values. */
static advice_change *change_named(advisor *w, advice_kind kind, const char *what, const name *axis)
{
	writer key;
	writer_init(&key, w->mem);
	put_f(&key, "%s %s", what, axis ? axis->s : "");
	return known_change(w, name_of(w->s->m->ctx, writer_str(&key)), kind, axis);
}

static mesh_ref plan_mesh_ref(const advisor *w)
{
	return (mesh_ref){.symbol = w->s->mesh_symbol};
}

/* `s` with an axis on dimension `dim` and nowhere else; NULL: shards would not be of one size. */
static const sharding *with_axis(const advisor *w, const sharding *s, const type *t,
                                 const name *axis, int dim)
{
	tess_ctx *ctx = w->s->m->ctx;
	const mesh *m = w->mesh;
	axis_ref a = axis_full(axis);
	dim_sharding *dims = NEW_N(w->mem, dim_sharding, t->rank);
	for (int d = 0; d < t->rank; d++) {
		axes_vec kept = {0};
		int n = s ? s->dims[d].n_axes : 0;
		for (int i = 0; i < n; i++)
			if (!axis_overlaps(s->dims[d].axes[i], a))
				vec_push(w->mem, &kept, s->dims[d].axes[i]);
		if (d == dim)
			vec_push(w->mem, &kept, a);
		dims[d] = (dim_sharding){
			.axes = kept.ptr, .n_axes = kept.len, .priority = PRIORITY_NONE};
		int64_t shards = axes_size((axis_list){kept.ptr, kept.len}, m);
		if (!shards || t->dims[d] % shards)
			return NULL;
	}
	return sharding_with_dims(ctx, sharding_replicated(ctx, plan_mesh_ref(w), t->rank), dims,
	                          t->rank);
}

static bool has_axis_on(const sharding *s, int dim, const name *axis)
{
	return s && dim < s->rank && axes_overlap_axis(dim_axes(&s->dims[dim]), axis_full(axis));
}

static bool can_change(const advisor *w, const type *t)
{
	return type_is_tensor(t) && t->is_static && t->rank > 0 &&
	       type_bytes(t) >= w->least_bytes;
}

/* ---- an axis is lost on the way --------------------------------------------------------------- */

/* Groups of dimensions over which arguments are sharded along one axis: data, and others. */
typedef struct carried {
	const name *axis;
	bool *data, *other; /* [groups] */
} carried;

static carried carried_by_arguments(const advisor *w, const name *axis)
{
	const dim_groups *g = &w->roles.groups;
	carried c = {axis, NEW_N(w->mem, bool, g->n + 1), NEW_N(w->mem, bool, g->n + 1)};
	for (int i = 0; i < w->s->n_sites; i++) {
		const plan_site *site = &w->s->sites[i];
		if (site->kind != SITE_ARGUMENT)
			continue;
		for (int d = 0; d < site->type->rank; d++) {
			int k = group_of(g, site->v, d);
			if (k >= 0 && has_axis_on(sharding_now(w, site->v), d, axis))
				(w->roles.of[i] == ROLE_INPUT ? c.data : c.other)[k] = true;
		}
	}
	return c;
}

static void constrain(advisor *w, value *v, int dim, const name *axis)
{
	const sharding *now = sharding_now(w, v);
	const sharding *to = has_axis_on(now, dim, axis) ? NULL : with_axis(w, now, v->type, axis, dim);
	if (to && to != now)
		add_place(w, change_for(w, ADVICE_CONSTRAIN, v, to, axis), v, -1, -1, to);
}

/* The axis that data has along a group belongs to it everywhere; one that parameters have, to values that
 * use it for nothing else. */
static void look_at_lost(advisor *w, value *v, const carried *c)
{
	const sharding *now = sharding_now(w, v);
	if (is_elsewhere(w, now) || !can_change(w, v->type) || op_has(value_def(v), CONSTANT))
		return;
	bool unused = !now || !sharding_uses_axis(now, axis_full(c->axis));
	for (int d = 0; d < v->type->rank; d++) {
		int k = group_of(&w->roles.groups, v, d);
		if (k < 0 || !(c->data[k] || (unused && c->other[k])) || has_axis_on(now, d, c->axis))
			continue;
		constrain(w, v, d, c->axis);
		return;
	}
}

static void find_lost_axes(advisor *w)
{
	const mesh *m = w->mesh;
	for (int a = 0; a < m->n_axes; a++) {
		carried c = carried_by_arguments(w, m->axes[a].name);
		for (op *o = w->s->m->top; o; o = op_next(o, w->s->m->top))
			for (int i = 0; !op_has(o, ANNOTATES) && i < o->n_results; i++)
				look_at_lost(w, result(o, i), &c);
	}
}

/* ---- reshapes ---------------------------------------------------------------------------------- */

static bool share_a_factor(const dim_factors *a, const dim_factors *b)
{
	for (int i = 0; i < a->n; i++)
		for (int j = 0; j < b->n; j++)
			if (a->factors[i] == b->factors[j])
				return true;
	return false;
}

/* The axes of a dimension follow the first of those that it is split into, which may have too few
 * elements, or be the one that a loop goes along: each of the others may have them. */
static void look_at_split(advisor *w, op *o)
{
	value *v = result(o, 0);
	const sharding *now = sharding_now(w, operand(o, 0));
	if (!now || is_elsewhere(w, now) || is_elsewhere(w, sharding_now(w, v)))
		return;
	const sharding_rule *r = op_rule(w->s->m, o, 0, w->mem);
	for (int from = 0; r && from < now->rank; from++)
		for (int a = 0; a < now->dims[from].n_axes; a++)
			for (int to = 0; to < v->type->rank; to++)
				if (share_a_factor(&rule_operand(r, 0)->dims[from],
				                   &rule_result(r, 0)->dims[to]))
					constrain(w, v, to, now->dims[from].axes[a].axis);
}

static void find_splits(advisor *w)
{
	for (op *o = w->s->m->top; o; o = op_next(o, w->s->m->top))
		if (o->kind == OP_RESHAPE && can_change(w, o->results[0].type))
			look_at_split(w, o);
}

/* ---- the same line for others -------------------------------------------------------------------- */

static const name *place_of_op(const advisor *w, const op *o)
{
	writer key;
	writer_init(&key, w->mem);
	return put_alike(&key, op_loc(o), ADVICE_CONSTRAIN) ? name_of(w->s->m->ctx, writer_str(&key)) : NULL;
}

static bool divides_alike(const advisor *w, const sharding *to, const type *t)
{
	bool fits = type_is_tensor(t) && t->is_static && t->rank == to->rank;
	for (int d = 0; fits && d < t->rank; d++)
		fits = t->dims[d] % sharding_dim_shards(to, d, w->mesh) == 0;
	return fits;
}

static place_ops *ops_at(advisor *w, const name *place)
{
	place_ops **at = (place_ops **)ptr_map_at(&w->at_place, w->mem, place);
	if (!*at)
		*at = NEW(w->mem, place_ops);
	return *at;
}

static void note_place(advisor *w, op *o, place_ops *at)
{
	vec_push(w->mem, &at->ops, o);
	if (source_runs_backwards(op_loc(o)))
		return;
	at->first = at->first ? at->first : o->parent;
	if (o->parent == at->first)
		*ptr_map_at(&at->types, w->mem, result(o, 0)->type) = o;
}

static void list_places(advisor *w)
{
	for (op *o = w->s->m->top; o; o = op_next(o, w->s->m->top)) {
		const name *place = o->n_results == 1 ? place_of_op(w, o) : NULL;
		if (place)
			note_place(w, o, ops_at(w, place));
	}
}

static bool is_of_expression(const place_ops *at, const type *t)
{
	return !at->first || ptr_map_get(&at->types, t);
}

/* A line that runs for each of several tensors, as those of jax.tree.map, constrains all of them: those of
 * other types, too, that the same operation makes.  A constraint that it cannot be for all is none that JAX
 * takes, and one of what is no value of the line cannot be written there: the change has no places then. */
static void constrain_others(advisor *w, advice_change *c, const advice_place *first)
{
	const op *made_by = value_def(first->v);
	const name *place = place_of_op(w, made_by);
	const place_ops *at = place ? ops_at(w, place) : NULL;
	bool possible = !at || is_of_expression(at, first->v->type);
	for (int i = 0; at && possible && i < at->ops.len; i++) {
		op *o = at->ops.ptr[i];
		value *v = result(o, 0);
		if (o->kind != made_by->kind || v->type == first->v->type || !is_of_expression(at, v->type))
			continue;
		possible = divides_alike(w, first->to, v->type);
		if (possible)
			add_place(w, c, v, -1, -1, first->to);
	}
	if (!possible)
		c->places.len = 0;
}

static void complete_constraints(advisor *w)
{
	int n = 0;
	for (int i = 0; i < w->list.len; i++) {
		advice_change *c = w->list.ptr[i];
		if (c->a.kind == ADVICE_CONSTRAIN && c->places.len && value_def(c->places.ptr[0].v)) {
			const advice_place first = c->places.ptr[0];
			constrain_others(w, c, &first);
		}
		if (c->a.kind != ADVICE_CONSTRAIN || c->places.len)
			w->list.ptr[n++] = c;
	}
	w->list.len = n;
}

/* ---- constraints ------------------------------------------------------------------------------- */

static void look_at_constraint(advisor *w, op *o)
{
	value *v = result(o, 0);
	int at = place_in(&w->values, v);
	const sharding *now = at >= 0 ? w->annotated[at] : NULL;
	const mesh *m = w->mesh;
	if (!now || now->rank != v->type->rank || now->mesh.symbol != w->s->mesh_symbol)
		return;
	add_place(w, change_for(w, ADVICE_DROP, v, now, NULL), v, -1, -1, NULL);
	for (int a = 0; a < m->n_axes; a++)
		for (int d = 0; d < v->type->rank; d++) {
			const name *axis = m->axes[a].name;
			const sharding *to = has_axis_on(now, d, axis)
			                             ? NULL
			                             : with_axis(w, now, v->type, axis, d);
			if (to)
				add_place(w, change_for(w, ADVICE_RECONSTRAIN, v, to, axis), v, -1,
				          -1, to);
		}
}

static void find_constraints(advisor *w)
{
	for (op *o = w->s->m->top; o; o = op_next(o, w->s->m->top))
		if (o->kind == OP_SDY_SHARDING_CONSTRAINT && can_change(w, o->results[0].type))
			look_at_constraint(w, o);
}

/* ---- arguments ------------------------------------------------------------------------------------ */

/* By site: the result that is the next state of an argument; -1. */
static void find_next_states(advisor *w)
{
	w->next = NEW_N(w->mem, int, w->s->n_sites + 1);
	for (int i = 0; i < w->s->n_sites; i++)
		w->next[i] = -1;
	for (int i = 0; i < w->s->n_sites; i++)
		if (w->s->sites[i].kind == SITE_RESULT && w->s->sites[i].follows >= 0)
			w->next[w->s->sites[i].follows] = w->s->sites[i].number;
}

/* The dimension whose shards over one more axis stay largest; -1: none divides. */
static int best_dim(const advisor *w, const sharding *now, const type *t, const name *axis)
{
	int best = -1;
	for (int d = 0; d < t->rank; d++) {
		int64_t shards = now ? sharding_dim_shards(now, d, w->mesh) : 1;
		int64_t most = best < 0 ? 0
		                        : t->dims[best] / (now ? sharding_dim_shards(now, best, w->mesh) : 1);
		if (t->dims[d] / shards > most && with_axis(w, now, t, axis, d))
			best = d;
	}
	return best;
}

/* The batch of data stays where it is: that is how it is loaded. */
static bool axis_is_of_batch(const advisor *w, int i, const name *axis)
{
	const plan_site *site = &w->s->sites[i];
	const group_list *batch = &w->roles.used[USE_BATCH];
	for (int d = 0; batch->len && w->roles.of[i] == ROLE_INPUT && d < site->type->rank; d++)
		if (group_of(&w->roles.groups, site->v, d) == batch->ptr[0] &&
		    has_axis_on(sharding_now(w, site->v), d, axis))
			return true;
	return false;
}

static void look_at_argument(advisor *w, int i, const name *axis)
{
	const plan_site *site = &w->s->sites[i];
	const sharding *now = sharding_now(w, site->v);
	if (is_elsewhere(w, now) || axis_is_of_batch(w, i, axis))
		return;
	for (int d = 0; d < site->type->rank; d++) {
		const sharding *to = has_axis_on(now, d, axis)
		                             ? NULL
		                             : with_axis(w, now, site->type, axis, d);
		if (to)
			add_place(w, change_for(w, ADVICE_SHARD, site->v, to, axis), site->v,
			          site->number, w->next[i], to);
	}
}

static void add_state(advisor *w, advice_change *c, int i, const sharding *to)
{
	const plan_site *site = &w->s->sites[i];
	if (to && to != sharding_now(w, site->v))
		add_place(w, c, site->v, site->number, w->next[i], to);
}

/* All state of some roles over one axis that it is not over: ZeRO. */
static void shard_state(advisor *w, const name *axis, bool parameters)
{
	advice_change *c = change_named(w, ADVICE_SHARD, parameters ? "all state" : "moments", axis);
	for (int i = 0; i < w->s->n_sites; i++) {
		const plan_site *site = &w->s->sites[i];
		bool state = site->kind == SITE_ARGUMENT &&
		             (w->roles.of[i] == ROLE_MOMENT ||
		              (parameters && w->roles.of[i] == ROLE_PARAMETER));
		const sharding *now = state ? sharding_now(w, site->v) : NULL;
		if (!state || is_elsewhere(w, now) ||
		    (now && sharding_uses_axis(now, axis_full(axis))))
			continue;
		int d = best_dim(w, now, site->type, axis);
		if (d >= 0)
			add_state(w, c, i, with_axis(w, now, site->type, axis, d));
	}
}

/* The moments of an optimizer as their parameters are. */
static void shard_moments_alike(advisor *w)
{
	advice_change *c = change_named(w, ADVICE_SHARD, "moments as parameters", NULL);
	for (int i = 0; i < w->s->n_sites; i++) {
		const plan_site *site = &w->s->sites[i];
		if (site->kind != SITE_ARGUMENT || site->moment_of < 0)
			continue;
		const sharding *of = sharding_now(w, w->s->sites[site->moment_of].v);
		if (!is_elsewhere(w, of) && !is_elsewhere(w, sharding_now(w, site->v)))
			add_state(w, c, i, of);
	}
}

static void find_arguments(advisor *w)
{
	const mesh *m = w->mesh;
	for (int a = 0; a < m->n_axes; a++) {
		const name *axis = m->axes[a].name;
		for (int i = 0; i < w->s->n_sites; i++)
			if (w->s->sites[i].kind == SITE_ARGUMENT && can_change(w, w->s->sites[i].type))
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
	advice_change *c = change_named(w, ADVICE_DONATE, "donate", NULL);
	for (int i = 0; i < w->s->n_sites; i++) {
		const plan_site *site = &w->s->sites[i];
		if (site->kind != SITE_ARGUMENT || w->next[i] < 0)
			continue;
		const attr_list *attrs = &f->arg_attrs[site->number];
		if (!attrs_get(attrs, N_tf_aliasing_output) && !attrs_get(attrs, N_jax_buffer_donor))
			add_place(w, c, site->v, site->number, -1, NULL);
	}
}

/* ---- lookups of the place where they are ------------------------------------------------------------ */

static const attr *lookup_attr(const op *o)
{
	return o->kind == OP_GATHER    ? op_attr(o, N_dimension_numbers)
	       : o->kind == OP_SCATTER ? op_attr(o, N_scatter_dimension_numbers)
	                               : NULL;
}

bool advise_run_pass(module *m, const char *name, arena *mem)
{
	pass_options o = pass_options_default();
	pass_list passes = {.mem = mem};
	run_opts quiet = {0};
	diag_mark said = diag_here(m->ctx);
	pass_list_add_named(&passes, name, &o);
	bool good = pass_list_run_on_main(m, &passes, &quiet);
	diag_back(m->ctx, said);
	return good;
}

/* What the pass changes in a copy. */
static void note_lookups(advisor *w)
{
	module *m = module_clone(w->s->m);
	value_order order;
	value_order_of(m, w->mem, &order);
	const attr **before = NEW_N(w->mem, const attr *, order.n + 1);
	for (int i = 0; i < order.n; i++)
		before[i] = value_def(order.ptr[i]) ? lookup_attr(value_def(order.ptr[i])) : NULL;
	if (advise_run_pass(m, LOOKUP_PASS, w->mem))
		for (int i = 0; i < order.n; i++)
			if (before[i] && lookup_attr(value_def(order.ptr[i])) != before[i])
				vec_push(w->mem, &w->lookups, w->values.ptr[i]);
	module_free(m);
}

/* x[jnp.arange(n), i], and its derivative: where x is sharded in that dimension, which each device looks up in
 * its part only, sums complete what another has. */
static void find_lookups(advisor *w)
{
	advice_change *c = change_named(w, ADVICE_LOOKUP, "lookups", NULL);
	for (int i = 0; i < w->lookups.len; i++) {
		value *v = w->lookups.ptr[i];
		const sharding *s = sharding_now(w, operand(value_def(v), 0));
		if (s && s->rank && s->dims[0].n_axes)
			add_place(w, c, v, -1, -1, NULL);
	}
}

/* ---- the mesh ------------------------------------------------------------------------------------- */

/* As many devices in axes of other sizes. */
static void find_other_shapes(advisor *w)
{
	enum { MOST = 12 };
	const mesh *m = w->mesh;
	tess_ctx *ctx = w->s->m->ctx;
	if (m->n_axes != 2 || m->n_device_ids)
		return;
	int found = 0;
	for (int64_t n = 2; n < m->n_devices && found < MOST; n *= 2) {
		mesh_axis axes[2] = {m->axes[0], m->axes[1]};
		axes[0].size = n;
		axes[1].size = m->n_devices / n;
		if (m->n_devices % n || n == m->axes[0].size)
			continue;
		writer key;
		writer_init(&key, w->mem);
		put_f(&key, "mesh %" PRId64, n);
		advice_change *c = known_change(w, name_of(ctx, writer_str(&key)), ADVICE_MESH, NULL);
		c->a.mesh = mesh_of(ctx, axes, 2, NULL, 0);
		c->bytes = 1e30;
		found++;
	}
}

/* ---- all ---------------------------------------------------------------------------------------------- */

static int by_change_bytes(const void *a, const void *b)
{
	const advice_change *x = *(advice_change *const *)a, *y = *(advice_change *const *)b;
	if (x->bytes != y->bytes)
		return x->bytes > y->bytes ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

/* Of each kind some; changes of large values are many, and of little use one by one. */
static void choose_changes(advisor *w)
{
	int left[] = {
		[ADVICE_CONSTRAIN] = 16, [ADVICE_RECONSTRAIN] = 12, [ADVICE_DROP] = 6,
		[ADVICE_SHARD] = 16, [ADVICE_DONATE] = 1, [ADVICE_MESH] = 12,
		[ADVICE_LOOKUP] = 1,
	};
	for (int i = 0; i < w->list.len; i++) {
		advice_change *c = w->list.ptr[i];
		c->chosen = (c->a.n || c->a.mesh) && left[c->a.kind]-- > 0;
	}
}

void advice_changes_find(advisor *w)
{
	w->round++;
	w->list.len = 0;
	if (!w->next) {
		find_next_states(w);
		note_lookups(w);
		list_places(w);
	}
	find_lost_axes(w);
	find_splits(w);
	find_constraints(w);
	find_arguments(w);
	find_donors(w);
	find_lookups(w);
	find_other_shapes(w);
	complete_constraints(w);
	for (int i = 0; i < w->list.len; i++) {
		advice_change *c = w->list.ptr[i];
		c->a.n = c->places.len;
		c->a.places = c->places.ptr;
	}
	if (w->list.len)
		qsort(w->list.ptr, (size_t)w->list.len, sizeof *w->list.ptr, by_change_bytes);
	choose_changes(w);
}

/* ---- a program with a change -------------------------------------------------------------------------- */

static void apply_at(module *m, advice_kind kind, value *v, const advice_place *p)
{
	func *f = op_func(module_main(m));
	op *o = value_def(v);
	switch (kind) {
	case ADVICE_CONSTRAIN: build_behind(m, OP_SDY_SHARDING_CONSTRAINT, v, p->to); break;
	case ADVICE_RECONSTRAIN: v->sharding = p->to; break;
	case ADVICE_DROP:
		value_replace_uses(v, operand(o, 0));
		op_erase(o);
		break;
	case ADVICE_SHARD:
		v->sharding = p->to;
		if (p->result >= 0)
			f->result_shardings[p->result] = p->to;
		break;
	case ADVICE_DONATE:
		attrs_set(&m->mem, &f->arg_attrs[p->argument], name_known(m->ctx, N_jax_buffer_donor),
		          attr_bool(m->ctx, true));
		break;
	case ADVICE_MESH:
	case ADVICE_LOOKUP: break;
	}
}

void advice_change_apply(module *m, const value_order *order, const value_order *told, const advice *a,
                         bool *done)
{
	for (int i = 0; i < a->n; i++) {
		const advice_place *p = &a->places[i];
		int k = place_in(told, p->v);
		bool annotates = a->kind != ADVICE_DONATE && a->kind != ADVICE_LOOKUP;
		if (annotates && done[k])
			continue;
		done[k] |= annotates;
		apply_at(m, a->kind, order->ptr[k], p);
		if (a->kind == ADVICE_DROP)
			order->ptr[k] = NULL;
	}
}
