/* constants.c - sdy-constant-or-scalar-splitter.
 *
 * A constant that two ops share would tie their shardings together for no reason. So every use gets
 * its own copy of the constant, and of expressions of constants alone: pure elementwise ops,
 * broadcasts, reshapes, slices, and calls of functions that contain nothing else. The same holds
 * for broadcasts of scalars. Scalars themselves are not sharded and stay shared.
 *
 * Constants become sdy.constant, which is not folded or merged, until sdy-constant-or-scalar-merger
 * merges them again. */
#include "shardy/import/import.h"

typedef VEC(op *) splitter_ops;

typedef struct splitter {
	module *m;
	op *func;             /* the current function */
	bool varies;          /* the current region is known to be varying */
	int counter;          /* for unique names */
	int64_t copied;
	bool failed;
	ptr_map varying;      /* names of functions and computations that are not constant */
	splitter_ops constants, expansions; /* of the current region */
	VEC(uint8_t) state;   /* by op id: IS_… */
} splitter;

enum { IS_CONSTANT = 1, IS_EXPANSION = 2, IN_GROUP = 4 };
enum { MAX_SPLIT_OPS = 20 * 1000 * 1000 };

static uint8_t *splitter_state(splitter *s, const op *o)
{
	while (s->state.len <= (int)o->id)
		vec_push(&s->m->ctx->scratch, &s->state, 0);
	return &s->state.ptr[o->id];
}

static bool is_varying(const splitter *s, const name *n) { return ptr_map_get(&s->varying, n); }

static void set_varying(splitter *s, const name *n)
{
	*ptr_map_at(&s->varying, &s->m->ctx->scratch, n) = (void *)n;
}

/* True if the results are constant whenever the operands are. */
static bool preserves_constants(const splitter *s, const op *o)
{
	if (o->kind == OP_FUNC_CALL) {
		const op *f = call_callee(s->m, o);
		return f && !func_is_declaration(f) && !is_varying(s, func_original_name(f));
	}
	if (op_computation_name(o))
		return !is_varying(s, op_computation_name(o));
	if (!op_has(o, PURE))
		return false;
	return o->kind == OP_BROADCAST_IN_DIM || o->kind == OP_RESHAPE || o->kind == OP_SLICE ||
	       op_is_elementwise(o);
}

static bool is_constant_expression(splitter *s, const op *o)
{
	if (o->kind == OP_SDY_CONSTANT || o->kind == OP_IOTA)
		return true;
	if (!preserves_constants(s, o))
		return false;
	for (int i = 0; i < o->n_operands; i++) {
		const op *def = value_def(operand(o, i));
		if (!def || !(*splitter_state(s, def) & IS_CONSTANT))
			return false;
	}
	return true;
}

/* ---- copying ------------------------------------------------------------------------- */

/* A copy of a member of a sharding group becomes a member, too. */
static void copy_group_members(splitter *s, value *v, op *at, ptr_map *map)
{
	if (!(*splitter_state(s, value_def(v)) & IN_GROUP))
		return;
	for (use *u = v->uses; u; u = u->next)
		if (u->owner->kind == OP_SDY_SHARDING_GROUP)
			op_insert_before(at, op_clone(s->m, u->owner, map, &s->m->ctx->scratch));
}

static bool copied_too_much(splitter *s, const op *at)
{
	if (s->copied <= MAX_SPLIT_OPS)
		return false;
	if (!s->failed)
		diag_error(s->m->ctx, op_place(s->m, at), E_CONSTANT_COPIES,
		           "a copy of each constant expression for each use makes more than %d "
		           "operations",
		           MAX_SPLIT_OPS);
	s->failed = true;
	return true;
}

/* Copies `o` right before itself; the map has the copies of its operands. */
static void copy_op(splitter *s, op *o, value *v, ptr_map *map)
{
	uint32_t before = s->m->n_ops;
	op *copy = op_clone(s->m, o, map, &s->m->ctx->scratch);
	s->copied += s->m->n_ops - before;
	op_insert_before(o, copy);
	op *callee = op_callee(s->m, copy);
	if (callee && !call_own_copy(s->m, copy, callee, &s->counter, &s->copied))
		s->failed = true;
	copy_group_members(s, v, o, map);
}

typedef struct copy_frame {
	value *v;
	int next; /* next operand to visit */
} copy_frame;

/* Copies the expression that computes `v`, for one use. Keeps its own stack, since an expression
 * may be as deep as the program is long. */
static value *copy_expression(splitter *s, value *v)
{
	if (type_is_scalar_tensor(v->type) || copied_too_much(s, value_def(v)))
		return v;
	arena *mem = &s->m->ctx->scratch;
	ptr_map map = {0};
	VEC(copy_frame) stack = {0};
	vec_push(mem, &stack, (copy_frame){v, 0});
	while (stack.len) {
		copy_frame *top = &stack.ptr[stack.len - 1];
		op *o = value_def(top->v);
		if (top->next == o->n_operands) {
			value *done = top->v;
			stack.len--;
			if (!ptr_map_get(&map, done))
				copy_op(s, o, done, &map);
			continue;
		}
		value *in = operand(o, top->next++);
		if (value_def(in) && !type_is_scalar_tensor(in->type) && !ptr_map_get(&map, in))
			vec_push(mem, &stack, (copy_frame){in, 0});
	}
	return ptr_map_get(&map, v);
}

/* For the last use of an op on scalars, uses the original: its last copy would be right before it,
 * and the original would be erased. */
static bool serve_last_use(value *v)
{
	op *o = value_def(v);
	if (!value_has_one_use(v) || o->n_results != 1 || op_n_regions(o) ||
	    o->kind == OP_FUNC_CALL || type_is_scalar_tensor(v->type))
		return false;
	for (int i = 0; i < o->n_operands; i++)
		if (value_def(operand(o, i)) && !type_is_scalar_tensor(operand(o, i)->type))
			return false;
	for (int i = 0; i < o->n_operands; i++)
		op_set_operand(o, i, operand(o, i)); /* makes its use the newest, as for a copy */
	return true;
}

static void copy_operands(splitter *s, op *o)
{
	arena *mem = &s->m->ctx->scratch;
	for (int i = 0; i < o->n_operands; i++) {
		value *v = operand(o, i);
		if (!value_def(v) || !*splitter_state(s, value_def(v)))
			continue;
		if (serve_last_use(v))
			continue;
		arena_mark here = arena_here(mem);
		op_set_operand(o, i, copy_expression(s, v));
		arena_back(mem, here);
	}
}

/* ---- walking a region ----------------------------------------------------------------------- */

/* A region is varying once one of its ops is. */
static void note_varying(splitter *s, const op *o)
{
	if (s->varies || op_has(o, TERMINATOR) || preserves_constants(s, o))
		return;
	s->varies = true;
	const op *up = op_enclosing(op_parent(o), OP_SDY_NAMED_COMPUTATION);
	if (up && op_computation_name(up))
		set_varying(s, op_computation_name(up));
	set_varying(s, func_original_name(s->func));
}

/* Returns IN_GROUP if a result is in a sharding group. The caller stores it, since a constant may
 * have many uses. */
static uint8_t group_state(const op *o)
{
	for (int i = 0; i < o->n_results; i++)
		for (const use *u = result(o, i)->uses; u; u = u->next)
			if (u->owner->kind == OP_SDY_SHARDING_GROUP)
				return IN_GROUP;
	return 0;
}

static void split_op(splitter *s, op *o)
{
	arena *mem = &s->m->ctx->scratch;
	if (o->kind == OP_SDY_SHARDING_GROUP)
		return;
	if (is_constant_expression(s, o)) {
		*splitter_state(s, o) = IS_CONSTANT | group_state(o);
		vec_push(mem, &s->constants, o);
		return;
	}
	note_varying(s, o);
	if (op_repeats_scalar(o)) {
		*splitter_state(s, o) = IS_EXPANSION | group_state(o);
		vec_push(mem, &s->expansions, o);
		return;
	}
	copy_operands(s, o);
}

/* Being in a sharding group does not keep a value alive. */
static void erase_if_unused(op *o)
{
	for (int i = 0; i < o->n_results; i++)
		for (use *u = result(o, i)->uses; u; u = u->next)
			if (u->owner->kind != OP_SDY_SHARDING_GROUP)
				return;
	for (int i = 0; i < o->n_results; i++)
		while (result(o, i)->uses)
			op_erase(result(o, i)->uses->owner);
	op_erase(o);
}

/* Handles the ops in a region of `root`, except those in named computations, which have been
 * handled before. Erases originals of which every user has its own copy, users first. */
static void split_region(splitter *s, op *root)
{
	s->constants.len = s->expansions.len = 0;
	s->varies = false;
	for (op *o = op_next(root, root), *next; o; o = next) {
		next = o->kind == OP_SDY_NAMED_COMPUTATION ? op_skip(o, root) : op_next(o, root);
		split_op(s, o);
	}
	for (int i = 0; i < s->expansions.len; i++)
		erase_if_unused(s->expansions.ptr[i]);
	for (int i = s->constants.len - 1; i >= 0; i--)
		erase_if_unused(s->constants.ptr[i]);
}

static void constants_become_sdy(module *m)
{
	module_note_kind(m, OP_SDY_CONSTANT);
	for (op *o = m->top; o; o = op_next(o, m->top))
		if (o->kind == OP_CONSTANT)
			o->kind = OP_SDY_CONSTANT;
}

bool pass_constant_or_scalar_splitter(module *m, const pass_options *o)
{
	UNUSED(o);
	splitter s = {.m = m};
	constants_become_sdy(m);
	func_list l = module_callees_first(m, &m->ctx->scratch);
	bool named = module_has(m, OP_SDY_NAMED_COMPUTATION);
	for (int i = 0; i < l.len; i++) {
		s.func = l.ptr[i];
		for (op *in = named ? op_first_post(s.func) : NULL, *next; in; in = next) {
			next = op_next_post(in, s.func);
			if (in->kind == OP_SDY_NAMED_COMPUTATION)
				split_region(&s, in);
		}
		split_region(&s, s.func);
	}
	return !s.failed;
}
