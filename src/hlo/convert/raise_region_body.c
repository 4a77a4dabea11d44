/* raise_region_body.c - builds the manual computation of a region: its operands, results, shardings
 * and body. */
#include "hlo/convert/raise_region.h"

#include <stdlib.h>

bool region_refuse(region_finder *s, const op *o, const char *what)
{
	if (!s->failed)
		diag_error(s->r->ctx, op_place(s->r->to, o), E_HLO_MANUAL, "%s", what);
	s->failed = true;
	return false;
}

/* ---- entries and exits ---------------------------------------------------------------------- */

/* Returns the names of the axes along which the entry makes its operand manual. */
static const attr *manual_axes_of(region_finder *s, const op *entry, const mesh *m)
{
	tess_ctx *ctx = s->r->ctx;
	const hlo_sharding *h = entry ? gspmd_sharding(ctx, &entry->attrs)
	                              : hlo_sharding_simple(ctx, HS_MANUAL);
	axis_list axes;
	if (!h || !hlo_sharding_manual_axes(ctx, h, m, &axes))
		return NULL;
	const attr **names = NEW_N(s->r->mem, const attr *, axes.n + 1);
	for (int i = 0; i < axes.n; i++) {
		if (!axis_is_full(axes.ptr[i]))
			return NULL;
		names[i] = attr_string(ctx, axes.ptr[i].axis);
	}
	return attr_of(ctx, &(attr){.kind = AT_MANUAL_AXES, .list = names, .n = axes.n});
}

/* Checks that all shardings use one mesh, and all entries the same axes. */
static bool take_edge(region_finder *s, gspmd_region *g, const op *o, const sharding *given)
{
	static const char meshes[] = "the shardings of this manual region need several meshes, or "
	                             "are given on none: give it as sdy.manual_computation";
	const op *entry = s->edges[o->id] == ENTRY ? o : NULL;
	const mesh *m = module_mesh(s->r->to, given->mesh);
	const attr *axes = m && (entry || !g->axes) ? manual_axes_of(s, entry, m) : g->axes;
	if (!m || !axes || (g->axes && !mesh_ref_eq(g->mesh, given->mesh)))
		return region_refuse(s, o, meshes);
	if (g->axes && axes != g->axes)
		return region_refuse(s, o, "this manual region is entered along other axes before");
	g->axes = axes;
	g->mesh = given->mesh;
	g->whole = axes->n == m->n_axes;
	return true;
}

/* If the entry does not change the shape, nothing is sharded. */
static const sharding *whole_sharding(region_finder *s, const op *o)
{
	const type *t = o->results[0].type;
	const name *symbol = s->r->mesh;
	if (t != operand(o, 0)->type || !symbol || !type_is_tensor(t))
		return NULL;
	return sharding_replicated(s->r->ctx, (mesh_ref){.symbol = symbol}, t->rank);
}

static value *add_operand(region_finder *s, gspmd_region *g, value *v, const sharding *in,
                          const type *local)
{
	vec_push(s->r->mem, &g->operands, v);
	vec_push(s->r->mem, &g->in, in);
	vec_push(s->r->mem, &g->types, local);
	return v;
}

/* Takes the entry's operand and its sharding, from the @Sharding call before it or its own. */
static bool take_entry(region_finder *s, gspmd_region *g, op *o)
{
	value *v = operand(o, 0);
	const op *mark = value_def_of(v, OP_SDY_SHARDING_CONSTRAINT);
	const sharding *given = v->sharding ? v->sharding : whole_sharding(s, o);
	if (!given)
		return region_refuse(s, o, "nothing says how the operand of @SPMDFullToShardShape "
		                           "is sharded: mark it with @Sharding");
	if (mark)
		v = operand(mark, 0);
	add_operand(s, g, v, given, o->results[0].type);
	return take_edge(s, g, o, given);
}

static bool take_exit(region_finder *s, gspmd_region *g, op *o)
{
	if (!o->results[0].sharding)
		o->results[0].sharding = whole_sharding(s, o);
	if (!o->results[0].sharding)
		return region_refuse(s, o, "nothing says how the result of @SPMDShardToFullShape "
		                           "is sharded");
	return take_edge(s, g, o, o->results[0].sharding);
}

static bool take_edges(region_finder *s, gspmd_region *g)
{
	for (int i = 0; i < g->entries.len; i++)
		if (!take_entry(s, g, g->entries.ptr[i]))
			return false;
	for (int i = 0; i < g->exits.len; i++)
		if (!take_exit(s, g, g->exits.ptr[i]))
			return false;
	return true;
}

/* ---- the body ----------------------------------------------------------------------------- */

/* Skips a sharding constraint on the exit's operand: the exit has the sharding. */
static value *exit_value(const op *o)
{
	value *v = operand(o, 0);
	const op *mark = value_def_of(v, OP_SDY_SHARDING_CONSTRAINT);
	return mark && value_has_one_use(v) ? operand(mark, 0) : v;
}

/* Records the operations that compute the value from constants alone, to be copied. */
static void sink_value(region_finder *s, gspmd_region *g, value *v)
{
	arena *mem = s->r->mem;
	VEC(op *) todo = {0};
	vec_push(mem, &todo, value_def(v));
	while (todo.len) {
		op *o = todo.ptr[--todo.len];
		if (*ptr_map_at(&g->inside, mem, &o->results[0]))
			continue;
		for (int i = 0; i < o->n_results; i++)
			*ptr_map_at(&g->inside, mem, &o->results[i]) = &o->results[i];
		vec_push(mem, &g->sunk, o);
		for (op *x = o; x; x = op_next(x, o))
			for (int i = 0; i < x->n_operands; i++)
				if (x == o || comes_from_outside(operand(x, i), o))
					vec_push(mem, &todo, value_def(operand(x, i)));
	}
}

/* Makes this value available in the body, unless it is defined inside. */
static bool take_value(region_finder *s, gspmd_region *g, value *v, const op *member)
{
	op *def = value_def(v);
	if (maker_inside(s, v) || ptr_map_get(&g->inside, v))
		return true;
	if (def && def->parent == member->parent && def->id < s->n && s->sinks[def->id]) {
		sink_value(s, g, v);
		return true;
	}
	if (!type_is_tensor(v->type))
		return region_refuse(s, member,
		                     "a value that is not a tensor enters this manual region");
	const sharding *in = g->whole ? sharding_replicated(s->r->ctx, g->mesh, v->type->rank)
	                              : sharding_open(s->r->ctx, g->mesh, v->type->rank);
	*ptr_map_at(&g->inside, s->r->mem, v) = add_operand(s, g, v, in, v->type);
	return true;
}

static bool take_values(region_finder *s, gspmd_region *g)
{
	for (int i = 0; i < g->members.len; i++) {
		op *o = g->members.ptr[i];
		if (s->edges[o->id] == ENTRY)
			continue;
		for (op *x = o; x; x = op_next(x, o))
			for (int k = 0; k < x->n_operands; k++)
				if ((x == o || comes_from_outside(operand(x, k), o)) &&
				    !take_value(s, g, operand(x, k), o))
					return false;
	}
	return true;
}

typedef struct placed_op {
	uint32_t at;
	op *o;
} placed_op;

static int compare_placed(const void *a, const void *b)
{
	const placed_op *x = a, *y = b;
	return x->at < y->at ? -1 : x->at > y->at;
}

/* Copies what is computed from constants alone, in program order. */
static void copy_sunk(region_finder *s, gspmd_region *g, block *body)
{
	placed_op *sorted = NEW_N(s->r->mem, placed_op, g->sunk.len + 1);
	for (int i = 0; i < g->sunk.len; i++)
		sorted[i] = (placed_op){s->at[g->sunk.ptr[i]->id], g->sunk.ptr[i]};
	if (g->sunk.len)
		qsort(sorted, (size_t)g->sunk.len, sizeof *sorted, compare_placed);
	for (int i = 0; i < g->sunk.len; i++) {
		g->sunk.ptr[i] = sorted[i].o;
		op_append(body, op_clone(s->r->to, sorted[i].o, &g->inside, s->r->mem));
	}
}

static void erase_leftover(op *o)
{
	for (int i = 0; i < o->n_results; i++)
		if (o->results[i].uses)
			return;
	op_erase(o);
}

static void move_members(region_finder *s, gspmd_region *g, block *body)
{
	for (int i = 0; i < g->members.len; i++) {
		op *o = g->members.ptr[i];
		if (s->edges[o->id] != NO_EDGE)
			continue;
		op_unlink(o);
		op_append(body, o);
		for (op *x = o; x; x = op_next(x, o))
			for (int k = 0; k < x->n_operands; k++) {
				value *to = ptr_map_get(&g->inside, operand(x, k));
				if (to)
					op_set_operand(x, k, to);
			}
	}
}

/* Ends the body with the exits' operands; the exits' results are replaced by the computation's. */
static void end_body(region_finder *s, gspmd_region *g, block *body)
{
	module *to = s->r->to;
	int n = g->exits.len;
	value **v = NEW_N(s->r->mem, value *, n + 1);
	for (int i = 0; i < n; i++) {
		value *given = exit_value(g->exits.ptr[i]), *other = ptr_map_get(&g->inside, given);
		v[i] = other ? other : given;
	}
	block_close(to, body, OP_SDY_RETURN, v, n);
	for (int i = 0; i < n; i++) {
		op *o = g->exits.ptr[i], *mark = value_def(operand(o, 0));
		value_take_name(to, result(g->made, i), result(o, 0));
		value_replace_uses(&o->results[0], &g->made->results[i]);
		bool marked = exit_value(o) != operand(o, 0);
		op_erase(o);
		if (marked)
			op_erase(mark);
	}
}

/* Erases a region without exits, whose results are not used. */
static bool erase_unused_region(region_finder *s, gspmd_region *g)
{
	for (int i = 0; i < g->members.len; i++) {
		const op *o = g->members.ptr[i];
		if (g->exits.len || (s->edges[o->id] == NO_EDGE && !op_is_dead_if_unused(o) &&
		                     !op_has(o, COLLECTIVE)))
			return false;
	}
	for (int i = g->members.len; i-- > 0;)
		op_erase(g->members.ptr[i]);
	return true;
}

static void make_computation(region_finder *s, gspmd_region *g)
{
	hlo_raiser *r = s->r;
	int n_in = g->operands.len, n_out = g->exits.len;
	const type **types = NEW_N(r->mem, const type *, n_out + 1);
	const sharding **out = NEW_N(r->mem, const sharding *, n_out + 1);
	for (int i = 0; i < n_out; i++) {
		types[i] = g->exits.ptr[i]->results[0].type;
		out[i] = g->exits.ptr[i]->results[0].sharding;
	}
	op *at = n_out ? g->exits.ptr[0] : g->members.ptr[g->members.len - 1];
	const builder b = builder_before(r->to, at);
	op *o = build_op(&b, OP_SDY_MANUAL_COMPUTATION, g->operands.ptr, n_in, types, n_out, 1);
	op_set_attr(r->to, o, N_in_shardings, attr_shardings(r->ctx, g->in.ptr, n_in));
	op_set_attr(r->to, o, N_out_shardings, attr_shardings(r->ctx, out, n_out));
	op_set_attr(r->to, o, N_manual_axes, g->axes);
	block *body = block_new(r->to, op_region(o, 0));
	for (int i = 0; i < n_in; i++) {
		value *arg = block_add_arg(r->to, body, g->types.ptr[i]);
		if (i < g->entries.len)
			value_replace_uses(&g->entries.ptr[i]->results[0], arg);
		else
			*ptr_map_at(&g->inside, r->mem, g->operands.ptr[i]) = arg;
	}
	g->made = o;
	copy_sunk(s, g, body);
	move_members(s, g, body);
	end_body(s, g, body);
	vec_push(r->mem, &s->made, o);
}

/* Erases the entries, now arguments, and constraints and constants that only the region used. */
static void erase_leftovers(gspmd_region *g)
{
	for (int i = 0; i < g->entries.len; i++) {
		op *mark = value_def_of(operand(g->entries.ptr[i], 0), OP_SDY_SHARDING_CONSTRAINT);
		op_erase(g->entries.ptr[i]);
		if (mark)
			erase_leftover(mark);
	}
	for (int i = g->sunk.len; i-- > 0;)
		erase_leftover(g->sunk.ptr[i]);
}

bool region_make(region_finder *s, gspmd_region *g)
{
	if (erase_unused_region(s, g))
		return true;
	if (!take_edges(s, g) || !take_values(s, g))
		return false;
	make_computation(s, g);
	erase_leftovers(g);
	return true;
}
