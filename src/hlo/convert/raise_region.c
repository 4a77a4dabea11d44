/* raise_region.c - converts GSPMD's manual regions to manual computations.
 *
 *   %1 = custom_call @Sharding(%a) {mhlo.sharding = "{devices=[8,1]<=[8]}"}
 *   %2 = custom_call @SPMDFullToShardShape(%1) {mhlo.sharding = "{manual}"}
 *   %3 = call @shmap_body(%2)
 *   %4 = custom_call @Sharding(%3) {mhlo.sharding = "{manual}"}
 *   %5 = custom_call @SPMDShardToFullShape(%4) {mhlo.sharding = "{devices=[8,1]<=[8]}"}
 *
 * is what JAX writes; PyTorch/XLA writes any operations instead of the single call, and no
 * @Sharding calls around them. So a region is everything that depends on the results of
 * @SPMDFullToShardShape (its entries), up to @SPMDShardToFullShape (its exits). The sharding of an
 * entry's operand is on the @Sharding call before it, or on the operand itself; that of an exit's
 * result is on the exit. Other values that the region uses are the same on all devices: those
 * computed from constants alone are computed inside, others are passed in replicated.
 *
 * A manual computation is a single operation, so what follows it in program order cannot be needed
 * inside it. The block is sorted accordingly; if that is impossible, the region is rejected. */
#include "hlo/convert/raise_region.h"

static region_edge edge_of(const op *o)
{
	if (o->kind != OP_CUSTOM_CALL || o->n_operands != 1 || o->n_results != 1)
		return NO_EDGE;
	return op_calls(o, "SPMDFullToShardShape")   ? ENTRY
	       : op_calls(o, "SPMDShardToFullShape") ? EXIT
	                                             : NO_EDGE;
}

/* ---- finding the members of regions --------------------------------------------------------- */

static uint32_t region_first(region_finder *s, uint32_t id)
{
	while (s->set[id] != id)
		id = s->set[id] = s->set[s->set[id]];
	return id;
}

static void join_region(region_finder *s, const op *o, const op *with)
{
	if (!is_member(s, o))
		s->set[o->id] = o->id;
	if (with)
		s->set[region_first(s, o->id)] = region_first(s, with->id);
}

static bool may_sink(const region_finder *s, const op *o)
{
	if (o->kind == OP_FUNC_CALL)
		return !o->n_operands && o->n_results == 1 && value_has_one_use(&o->results[0]);
	return s->edges[o->id] == NO_EDGE && o->kind != OP_SDY_SHARDING_CONSTRAINT &&
	       op_has(o, PURE | BODY_PURE | COLLECTIVE);
}

/* Looks at the operands of the op and of everything in its regions. */
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
				return region_refuse(s, o, "this manual region is inside another: make the "
				                           "inner one a function that is called");
			if (maker && op_has(o, TERMINATOR))
				return region_refuse(s, value_def(v),
				                     "this value of one device leaves its manual "
				                     "region without @SPMDShardToFullShape");
			if (maker)
				join_region(s, o, maker);
		}
	}
	s->sinks[o->id] = sinks && !is_member(s, o);
	return !nested || !is_member(s, o) ||
	       region_refuse(s, o, "a manual region is inside another: make the inner one a function "
	                           "that is called");
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

/* ---- sorting the block ---------------------------------------------------------------------- */

/* Iterates over the operands of an op and of everything in its regions. */
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

/* Appends the op after all ops of its block that it needs; returns false if it needs itself. */
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

/* Moves what a region needs before it, and what needs the region after it. */
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
		if (bad && o->mark == WAITING && op_is_manual(o))
			bad = o;
		o->mark = 0;
	}
	if (bad)
		return region_refuse(s, bad, "what leaves this manual region comes into it again: "
		                             "give it as several regions");
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

/* ---- the regions of a block ----------------------------------------------------------------- */

/* Converts the regions of the block in the order of their first operations. */
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
		if (!region_make(s, regions.ptr[i]))
			return false;
	return true;
}

/* Lists the blocks in which regions start or end, outer ones first. */
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

/* ---- inlining functions that are called as regions ------------------------------------------ */

static op *private_callee(const module *m, const op *call)
{
	op *f = op_callee(m, call);
	const attr *v = f ? op_attr(f, N_sym_visibility) : NULL;
	bool one = f && !func_is_declaration(f) && !op_body(f)->next;
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

/* If a region calls a private function, inlines it, and handles the regions inside it likewise. */
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
			if (op_is_manual(x))
				open_calls(s, x, opened, depth - 1);
	}
}

/* Erases functions that were inlined and are no longer called. */
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
