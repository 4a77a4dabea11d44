/* raise_region.c - GSPMD's manual regions become manual computations.
 *
 *   %1 = custom_call @Sharding(%a) {mhlo.sharding = "{devices=[8,1]<=[8]}"}
 *   %2 = custom_call @SPMDFullToShardShape(%1) {mhlo.sharding = "{manual}"}
 *   %3 = call @shmap_body(%2)
 *   %4 = custom_call @Sharding(%3) {mhlo.sharding = "{manual}"}
 *   %5 = custom_call @SPMDShardToFullShape(%4) {mhlo.sharding = "{devices=[8,1]<=[8]}"}
 *
 * is what JAX writes; PyTorch/XLA writes any operations instead of the one call, and no mark
 * before and behind.  So a region is what depends on the results of @SPMDFullToShardShape, the
 * entries, up to @SPMDShardToFullShape, the exits.  How an entry's operand is cut stands with the
 * mark before it, or with the operand; what an exit gives, with the exit.  Whatever else the
 * region uses is the same on all devices: what is made of constants alone is computed inside, the
 * rest comes in replicated.
 *
 * A manual computation is one operation: what follows it cannot come before its end.  Where the
 * text has it so, the block is sorted; where that is impossible, the region is refused. */
#include "hlo/convert/raise.h"
#include <stdlib.h>

typedef enum region_edge { NO_EDGE, ENTRY, EXIT } region_edge;
enum { OUTSIDE = UINT32_MAX };

typedef struct gspmd_region {
	VEC(op *) entries;
	VEC(op *) exits;
	VEC(op *) members; /* in order, entries and exits as well */
	VEC(op *) sunk;    /* of constants alone; they are copied */
	VEC(value *) operands;
	VEC(const sharding *) in;
	VEC(const type *) types;
	ptr_map inside;       /* value -> what stands for it in the body */
	const attr *axes;
	mesh_ref mesh;
	bool whole; /* manual along all axes of the mesh */
	op *made;
} gspmd_region;

typedef VEC(op *) op_list;
typedef VEC(block *) block_list;

typedef struct region_finder {
	hlo_raiser *r;
	uint32_t n;     /* operations there were */
	uint32_t *set;  /* [n] another of the same region, itself for the first; or OUTSIDE */
	uint32_t *at;   /* [n] how many stand before it in its block */
	uint8_t *edges; /* [n] region_edge */
	bool *sinks;    /* [n] made of constants alone */
	VEC(op *) made;
	bool failed;
} region_finder;

static bool refuse(region_finder *s, const op *o, const char *what)
{
	if (!s->failed)
		diag_error(s->r->ctx, op_place(s->r->to, o), E_HLO_MANUAL, "%s", what);
	s->failed = true;
	return false;
}

static region_edge edge_of(const op *o)
{
	if (o->kind != OP_CUSTOM_CALL || o->n_operands != 1 || o->n_results != 1)
		return NO_EDGE;
	return op_calls(o, "SPMDFullToShardShape")   ? ENTRY
	       : op_calls(o, "SPMDShardToFullShape") ? EXIT
	                                             : NO_EDGE;
}

/* ---- what belongs together ------------------------------------------------------------ */

static uint32_t region_first(region_finder *s, uint32_t id)
{
	while (s->set[id] != id)
		id = s->set[id] = s->set[s->set[id]];
	return id;
}

static bool is_member(const region_finder *s, const op *o)
{
	return o && o->id < s->n && s->set[o->id] != OUTSIDE;
}

static void join_region(region_finder *s, const op *o, const op *with)
{
	if (!is_member(s, o))
		s->set[o->id] = o->id;
	if (with)
		s->set[region_first(s, o->id)] = region_first(s, with->id);
}

/* The member that makes this value for others of the region; NULL: it is outside of all. */
static op *maker_inside(const region_finder *s, const value *v)
{
	op *def = value_def(v);
	return is_member(s, def) && s->edges[def->id] != EXIT ? def : NULL;
}

/* True if the value is made outside of this op, in the regions of which it may be used. */
static bool comes_from_outside(const value *v, const op *o)
{
	return !op_inside(block_parent(value_block(v)), o);
}

static bool may_sink(const region_finder *s, const op *o)
{
	if (o->kind == OP_FUNC_CALL)
		return !o->n_operands && o->n_results == 1 && value_has_one_use(&o->results[0]);
	return s->edges[o->id] == NO_EDGE && o->kind != OP_SDY_SHARDING_CONSTRAINT &&
	       op_has(o, PURE | BODY_PURE | COLLECTIVE);
}

/* Looks at the operands of the op and of all that is in its regions. */
static bool look_at_op(region_finder *s, op *o)
{
	region_edge edge = s->edges[o->id] = (uint8_t)edge_of(o);
	bool sinks = may_sink(s, o), nested = false;
	if (edge != NO_EDGE)
		join_region(s, o, NULL);
	for (op *x = o; x; x = op_next(x, o)) {
		nested = nested || (x != o && edge_of(x) != NO_EDGE);
		for (int i = 0; i < x->n_operands; i++) {
			value *v = operand(x, i);
			if (x != o && !comes_from_outside(v, o))
				continue;
			op *def = value_def(v), *maker = maker_inside(s, v);
			sinks = sinks && def && def->parent == o->parent && s->sinks[def->id];
			if (maker && edge == ENTRY)
				return refuse(s, o, "this manual region stands within another: give "
				                    "the inner one as a function that is called");
			if (maker && op_has(o, TERMINATOR))
				return refuse(s, value_def(v),
				              "this value of one device leaves its manual region "
				              "without @SPMDShardToFullShape");
			if (maker)
				join_region(s, o, maker);
		}
	}
	s->sinks[o->id] = sinks && !is_member(s, o);
	return !nested || !is_member(s, o) ||
	       refuse(s, o, "a manual region stands within another: give the inner one as a "
	                    "function that is called");
}

static bool find_members(region_finder *s, block *b)
{
	uint32_t at = 0;
	for (op *o = b->first; o; o = o->next) {
		s->at[o->id] = at++;
		if (!look_at_op(s, o))
			return false;
	}
	return true;
}

/* ---- what comes in and goes out ---------------------------------------------------------- */

/* The names of the axes along which the entry makes its operand manual. */
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

/* One mesh for all that is given, and the same axes. */
static bool take_edge(region_finder *s, gspmd_region *g, const op *o, const sharding *given)
{
	static const char meshes[] = "the shardings of this manual region need several meshes, or "
	                             "are given on none: give it as sdy.manual_computation";
	const op *entry = s->edges[o->id] == ENTRY ? o : NULL;
	const mesh *m = module_mesh(s->r->to, given->mesh);
	const attr *axes = m && (entry || !g->axes) ? manual_axes_of(s, entry, m) : g->axes;
	if (!m || !axes || (g->axes && !mesh_ref_eq(g->mesh, given->mesh)))
		return refuse(s, o, meshes);
	if (g->axes && axes != g->axes)
		return refuse(s, o, "this manual region is entered along other axes before");
	g->axes = axes;
	g->mesh = given->mesh;
	g->whole = axes->n == m->n_axes;
	return true;
}

/* The same shape before and behind is cut along nothing. */
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

/* The operand and its sharding, of the mark before the entry, or its own. */
static bool take_entry(region_finder *s, gspmd_region *g, op *o)
{
	value *v = operand(o, 0);
	op *mark = value_def(v);
	const sharding *given = v->sharding ? v->sharding : whole_sharding(s, o);
	if (!given)
		return refuse(s, o, "nothing says how the operand of @SPMDFullToShardShape is "
		                    "sharded: mark it with @Sharding");
	if (mark && mark->kind == OP_SDY_SHARDING_CONSTRAINT)
		v = operand(mark, 0);
	add_operand(s, g, v, given, o->results[0].type);
	return take_edge(s, g, o, given);
}

static bool take_exit(region_finder *s, gspmd_region *g, op *o)
{
	if (!o->results[0].sharding)
		o->results[0].sharding = whole_sharding(s, o);
	if (!o->results[0].sharding)
		return refuse(s, o, "nothing says how the result of @SPMDShardToFullShape is "
		                    "sharded");
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

/* A mark on what goes out says what the exit says. */
static value *exit_value(const op *o)
{
	value *v = operand(o, 0);
	op *mark = value_def(v);
	bool is_mark = mark && mark->kind == OP_SDY_SHARDING_CONSTRAINT && value_has_one_use(v);
	return is_mark ? operand(mark, 0) : v;
}

/* Notes what the value is made of, constants alone, for copies in the body. */
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

/* What the body needs of this value, unless it is made inside. */
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
		return refuse(s, member, "a value that is not a tensor enters this manual region");
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

/* Copies of what is made of constants alone, in the order in which it stands. */
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

/* Ends the body with what the exits give, which the computation's results replace. */
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

/* Drops operations whose results are not used: a region without an exit. */
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

/* The entries became arguments; marks and constants that were for the region alone go too. */
static void erase_leftovers(gspmd_region *g)
{
	for (int i = 0; i < g->entries.len; i++) {
		op *mark = value_def(operand(g->entries.ptr[i], 0));
		op_erase(g->entries.ptr[i]);
		if (mark && mark->kind == OP_SDY_SHARDING_CONSTRAINT)
			erase_leftover(mark);
	}
	for (int i = g->sunk.len; i-- > 0;)
		erase_leftover(g->sunk.ptr[i]);
}

static bool make_region(region_finder *s, gspmd_region *g)
{
	if (erase_unused_region(s, g))
		return true;
	if (!take_edges(s, g) || !take_values(s, g))
		return false;
	make_computation(s, g);
	erase_leftovers(g);
	return true;
}

/* ---- order ------------------------------------------------------------------------------ */

/* The operands of an op and of all that is in its regions, one after the other. */
typedef struct operand_walk {
	op *root, *at;
	int i;
} operand_walk;

static value *next_operand(operand_walk *w)
{
	while (w->at && w->i == w->at->n_operands) {
		w->at = op_next(w->at, w->root);
		w->i = 0;
	}
	return w->at ? operand(w->at, w->i++) : NULL;
}

enum { UNSEEN, WAITING, PLACED }; /* op.mark */

/* Appends the op behind all of its block that it needs; false if it needs itself. */
static bool place_op(region_finder *s, op *o, op_list *order)
{
	VEC(operand_walk) stack = {0};
	vec_push(s->r->mem, &stack, (operand_walk){o, o, 0});
	o->mark = WAITING;
	while (stack.len) {
		operand_walk *w = &stack.ptr[stack.len - 1];
		const value *v = next_operand(w);
		op *def = v ? value_def(v) : NULL;
		if (!v) {
			w->root->mark = PLACED;
			vec_push(s->r->mem, order, w->root);
			stack.len--;
		} else if (def && def->parent == o->parent && def->mark != PLACED) {
			if (def->mark == WAITING)
				return false;
			def->mark = WAITING;
			vec_push(s->r->mem, &stack, (operand_walk){def, def, 0});
		}
	}
	return true;
}

/* Puts what a region needs before it, and what needs it behind. */
static bool sort_block(region_finder *s, block *b)
{
	op_list order = {0};
	op *end = b->last, *bad = NULL;
	for (op *o = b->first; o; o = o->next)
		o->mark = UNSEEN;
	for (op *o = b->first; o && !bad; o = o->next)
		if (o->mark == UNSEEN && !place_op(s, o, &order))
			bad = o;
	for (op *o = b->first; o; o = o->next) {
		if (bad && o->mark == WAITING && o->kind == OP_SDY_MANUAL_COMPUTATION)
			bad = o;
		o->mark = 0;
	}
	if (bad)
		return refuse(s, bad, "what leaves this manual region comes into it again: give it "
		                      "as several regions");
	op *at = b->first;
	for (int i = 0; i < order.len; i++)
		if (order.ptr[i] == at) {
			at = at->next;
		} else if (order.ptr[i] != end) {
			op_unlink(order.ptr[i]);
			op_insert_before(at, order.ptr[i]);
		}
	return true;
}

/* ---- one block ------------------------------------------------------------------------------ */

/* The regions of the block in the order of their first operations. */
static bool raise_regions(region_finder *s, block *b)
{
	arena *mem = s->r->mem;
	ptr_map by_first = {0};
	VEC(gspmd_region *) regions = {0};
	for (op *o = b->first; o; o = o->next) {
		if (!is_member(s, o))
			continue;
		void **slot = ptr_map_at(&by_first, mem, &s->set[region_first(s, o->id)]);
		gspmd_region *g = *slot ? *slot : (*slot = NEW(mem, gspmd_region));
		if (!g->members.len)
			vec_push(mem, &regions, g);
		vec_push(mem, &g->members, o);
		if (s->edges[o->id] == ENTRY)
			vec_push(mem, &g->entries, o);
		if (s->edges[o->id] == EXIT)
			vec_push(mem, &g->exits, o);
	}
	for (int i = 0; i < regions.len; i++)
		if (!make_region(s, regions.ptr[i]))
			return false;
	return true;
}

/* Blocks in which regions begin or end, outer ones first. */
static void find_blocks(hlo_raiser *r, block_list *out)
{
	ptr_map seen = {0};
	for (op *o = r->to->top; o; o = op_next(o, r->to->top)) {
		if (edge_of(o) == NO_EDGE)
			continue;
		void **slot = ptr_map_at(&seen, r->mem, o->parent);
		if (!*slot)
			vec_push(r->mem, out, o->parent);
		*slot = o;
	}
}

/* ---- functions that are regions ----------------------------------------------------------- */

static op *private_callee(const module *m, const op *call)
{
	const attr *callee = call->kind == OP_FUNC_CALL ? op_attr(call, N_callee) : NULL;
	op *f = callee ? module_lookup(m, callee->text) : NULL;
	const attr *v = f ? op_attr(f, N_sym_visibility) : NULL;
	bool one = f && op_is_func(f) && !func_is_declaration(f) && !op_body(f)->next;
	return one && v && strcmp(v->text->s, "private") == 0 ? f : NULL;
}

static void copy_opened(region_finder *s, op *call, const op *f)
{
	ptr_map map = {0};
	const block *body = op_body(f);
	for (int i = 0; i < body->n_args; i++)
		*ptr_map_at(&map, s->r->mem, body->args[i]) = operand(call, i);
	for (const op *o = body->first; o != body->last; o = o->next)
		op_insert_before(call, op_clone(s->r->to, o, &map, s->r->mem));
	for (int i = 0; i < call->n_results; i++) {
		value *given = operand(body->last, i), *copy = ptr_map_get(&map, given);
		value_replace_uses(result(call, i), copy ? copy : given);
	}
	op_erase(call);
}

/* A function that is called for a region is its body; so for regions within that body. */
static void open_calls(region_finder *s, op *made, ptr_map *opened, int depth)
{
	block *b = op_body(made);
	for (op *o = b->first, *next; o; o = next) {
		op *f = private_callee(s->r->to, o), *before = o->prev;
		next = o->next;
		if (!f || depth == 0 || s->r->to->n_ops / 100 > s->n + 10000)
			continue;
		copy_opened(s, o, f);
		*ptr_map_at(opened, s->r->mem, f) = f;
		for (op *x = before ? before->next : b->first; x != next; x = x->next)
			if (x->kind == OP_SDY_MANUAL_COMPUTATION)
				open_calls(s, x, opened, depth - 1);
	}
}

/* Erases functions that were opened and that are no longer called. */
static void erase_opened(region_finder *s, ptr_map *opened)
{
	module *m = s->r->to;
	ptr_map called = {0};
	VEC(op *) unused = {0};
	for (op *o = m->top; o; o = op_next(o, m->top)) {
		op *f = private_callee(m, o);
		if (f)
			*ptr_map_at(&called, s->r->mem, f) = f;
	}
	for (op *f = module_body(m)->first; f; f = f->next)
		if (ptr_map_get(opened, f) && !ptr_map_get(&called, f))
			vec_push(s->r->mem, &unused, f);
	for (int i = 0; i < unused.len; i++) {
		module_remove_symbol(m, op_symbol(unused.ptr[i]));
		op_erase(unused.ptr[i]);
	}
}

void raise_gspmd_regions(hlo_raiser *r)
{
	block_list blocks = {0};
	ptr_map opened = {0};
	uint32_t n = r->to->n_ops;
	find_blocks(r, &blocks);
	if (!blocks.len)
		return;
	region_finder s = {.r = r, .n = n, .set = NEW_N(r->mem, uint32_t, n),
	                   .at = NEW_N(r->mem, uint32_t, n), .edges = NEW_N(r->mem, uint8_t, n),
	                   .sinks = NEW_N(r->mem, bool, n)};
	memset(s.set, 0xff, sizeof *s.set * n);
	for (int i = 0; i < blocks.len && !s.failed; i++) {
		block *b = blocks.ptr[i];
		if (find_members(&s, b) && raise_regions(&s, b))
			sort_block(&s, b);
	}
	for (int i = 0; i < s.made.len && !s.failed; i++)
		open_calls(&s, s.made.ptr[i], &opened, ASSIGN_MAX);
	if (opened.len)
		erase_opened(&s, &opened);
	for (int i = 0; i < s.made.len; i++)
		raise_forget_names(r->to, s.made.ptr[i]);
}
