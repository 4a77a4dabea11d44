/* values.c - constraints of values inside a program that may be worthwhile.
 *
 * Most problems are of a few kinds: an axis that shards data is lost on the way, or ends at a
 * reshape; or a constraint names the wrong dimension. Which dimensions belong together follows from
 * the factors of the program's operations, so nothing depends on names. */
#include "plan/advise/advise.h"

/* ---- an axis is lost on the way --------------------------------------------------------------- */

/* Groups of dimensions along which an axis shards arguments: data, and others. */
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
			if (k >= 0 && advise_has_axis_on(advise_sharding_now(w, site->v), d, axis))
				(w->roles.of[i] == ROLE_INPUT ? c.data : c.other)[k] = true;
		}
	}
	return c;
}

static void constrain(advisor *w, value *v, int dim, const name *axis)
{
	const sharding *now = advise_sharding_now(w, v);
	const sharding *to = advise_has_axis_on(now, dim, axis) ? NULL : advise_with_axis(w, now, v->type, axis, dim);
	if (to && to != now)
		advise_add_place(w, advise_change_for(w, ADVICE_CONSTRAIN, v, to, axis), v, -1, -1, to);
}

/* An axis that shards data along a group may shard every value of the group. An axis that shards
 * parameters along a group may shard a value that does not use it otherwise. */
static void look_at_lost(advisor *w, value *v, const carried *c)
{
	const sharding *now = advise_sharding_now(w, v);
	if (advise_is_elsewhere(w, now) || !advise_can_change(w, v->type) || op_has(value_def(v), CONSTANT))
		return;
	bool unused = !now || !sharding_uses_axis(now, axis_full(c->axis));
	for (int d = 0; d < v->type->rank; d++) {
		int k = group_of(&w->roles.groups, v, d);
		if (k < 0 || !(c->data[k] || (unused && c->other[k])) || advise_has_axis_on(now, d, c->axis))
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

/* When a dimension is split, its axes go to the first of the new dimensions, which may have too few
 * elements, or be the one over which a loop runs. So each of the other dimensions is tried. */
static void look_at_split(advisor *w, op *o)
{
	value *v = result(o, 0);
	const sharding *now = advise_sharding_now(w, operand(o, 0));
	if (!now || advise_is_elsewhere(w, now) || advise_is_elsewhere(w, advise_sharding_now(w, v)))
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
		if (o->kind == OP_RESHAPE && advise_can_change(w, o->results[0].type))
			look_at_split(w, o);
}

/* ---- constraints ------------------------------------------------------------------------------- */

static void look_at_constraint(advisor *w, op *o)
{
	value *v = result(o, 0);
	int at = value_order_number(&w->values, v);
	const sharding *now = at >= 0 ? w->annotated[at] : NULL;
	const mesh *m = w->mesh;
	if (!now || now->rank != v->type->rank || now->mesh.symbol != w->s->mesh_symbol)
		return;
	advise_add_place(w, advise_change_for(w, ADVICE_DROP, v, now, NULL), v, -1, -1, NULL);
	for (int a = 0; a < m->n_axes; a++)
		for (int d = 0; d < v->type->rank; d++) {
			const name *axis = m->axes[a].name;
			const sharding *to = advise_has_axis_on(now, d, axis)
			                             ? NULL
			                             : advise_with_axis(w, now, v->type, axis, d);
			if (to)
				advise_add_place(w, advise_change_for(w, ADVICE_RECONSTRAIN, v, to, axis), v, -1,
				          -1, to);
		}
}

static void find_constraints(advisor *w)
{
	for (op *o = w->s->m->top; o; o = op_next(o, w->s->m->top))
		if (o->kind == OP_SDY_SHARDING_CONSTRAINT && advise_can_change(w, o->results[0].type))
			look_at_constraint(w, o);
}

/* ---- the same line for others -------------------------------------------------------------------- */

static const name *place_of_op(const advisor *w, const op *o)
{
	writer key;
	writer_init(&key, w->mem);
	return advise_put_alike(&key, op_loc(o), ADVICE_CONSTRAIN) ? name_of(w->s->m->ctx, writer_str(&key)) : NULL;
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

/* A source line that runs for several tensors, such as one inside jax.tree.map, constrains all of
 * them, also those of other types that the same operation makes. JAX rejects a constraint that is
 * impossible for one of them, and a constraint of a value that the line does not have cannot be
 * written there: in these cases the change has no places. */
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
			advise_add_place(w, c, v, -1, -1, first->to);
	}
	if (!possible)
		c->places.len = 0;
}

void advise_constraints_complete(advisor *w)
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

/* ---- lookups of the place where they are ------------------------------------------------------------ */

static const attr *lookup_attr(const op *o)
{
	return o->kind == OP_GATHER    ? op_attr(o, N_dimension_numbers)
	       : o->kind == OP_SCATTER ? op_attr(o, N_scatter_dimension_numbers)
	                               : NULL;
}

/* Finds the lookups that the pass changes in a copy of the program. */
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

/* Finds x[jnp.arange(n), i] and its derivative. If x is sharded along that dimension, each device
 * looks up its own part only, and a sum adds the parts of the other devices. */
void advise_lookups_find(advisor *w)
{
	advice_change *c = advise_change_named(w, ADVICE_LOOKUP, "lookups", NULL);
	for (int i = 0; i < w->lookups.len; i++) {
		value *v = w->lookups.ptr[i];
		const sharding *s = advise_sharding_now(w, operand(value_def(v), 0));
		if (s && s->rank && s->dims[0].n_axes)
			advise_add_place(w, c, v, -1, -1, NULL);
	}
}

/* ---- all --------------------------------------------------------------------------------------- */

void advise_values_note(advisor *w)
{
	note_lookups(w);
	list_places(w);
}

void advise_values_find(advisor *w)
{
	find_lost_axes(w);
	find_splits(w);
	find_constraints(w);
}
