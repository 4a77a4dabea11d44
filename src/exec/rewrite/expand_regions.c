/* expand_regions.c - ops that only say how often, on what or when a region is computed. */
#include "exec/rewrite/expand.h"

/* Moves the ops of a block before `e->b.before`, or to the end of `e->b.at`, with these arguments,
 * and returns what the block returned. */
static value **expand_splice(expander *e, block *b, value *const *args)
{
	for (int i = 0; i < b->n_args; i++)
		value_replace_uses(b->args[i], args[i]);
	op *end = b->last;
	const builder here = {.m = e->b.m, .before = e->b.before, .at = e->b.at};
	value **out = NEW_N(e->mem, value *, end->n_operands + 1);
	for (op *o = b->first, *next; o != end; o = next) {
		next = o->next;
		op_unlink(o);
		build_put(&here, o);
	}
	for (int i = 0; i < end->n_operands; i++)
		out[i] = operand(end, i);
	return out;
}

static bool splice_in_place(expander *e, op *o, value *const *args)
{
	block *b = op_body(o);
	if (!b || !b->last || b->n_args != o->n_operands || b->last->n_operands != o->n_results)
		return plan_error(e->p, o, "the body does not fit operands and results");
	return expand_done_all(e, o, expand_splice(e, b, args));
}

static value **operands_of(expander *e, const op *o)
{
	value **v = NEW_N(e->mem, value *, o->n_operands + 1);
	for (int i = 0; i < o->n_operands; i++)
		v[i] = operand(o, i);
	return v;
}

bool expand_named_computation(expander *e, op *o)
{
	return splice_in_place(e, o, operands_of(e, o));
}

/* Asynchronous work is done where it starts. */
bool expand_async_start(expander *e, op *o)
{
	block *b = op_body(o);
	if (!b || !b->last || b->n_args != o->n_operands)
		return plan_error(e->p, o, "the body does not fit the operands");
	int n = b->last->n_operands;
	value **out = expand_splice(e, b, operands_of(e, o));
	for (use *u = result(o, 0)->uses, *next; u; u = next) {
		next = u->next;
		if (u->owner->kind != OP_ASYNC_DONE || u->owner->n_results != n)
			return plan_error(e->p, u->owner, "does not wait for what is started");
		expand_done_all(e, u->owner, out);
	}
	op_erase(o);
	return true;
}

bool expand_async_done(expander *e, op *o)
{
	return plan_unsupported(e->p, o, "a future that does not come from an async_start is");
}

/* ---- map --------------------------------------------------------------------------------- */

static value *mapped(expander *e, ptr_map *map, value *v, const type *shape)
{
	value *to = ptr_map_get(map, v);
	if (!to) /* from outside: the same for each element */
		to = *ptr_map_at(map, e->mem, v) = build_fill(&e->b, v, shape);
	return to;
}

/* Applies the body's ops to whole tensors. */
bool expand_map(expander *e, op *o)
{
	const block *b = op_body(o);
	const type *shape = result(o, 0)->type;
	ptr_map map = {0};
	for (int i = 0; i < b->n_args; i++)
		*ptr_map_at(&map, e->mem, b->args[i]) = operand(o, i);
	for (const op *k = b->first; k != b->last; k = k->next) {
		if (op_has(k, CONSTANT)) {
			value *c = build_constant(&e->b, op_attr(k, N_value));
			*ptr_map_at(&map, e->mem, result(k, 0)) = build_fill(&e->b, c, shape);
			continue;
		}
		bool moves = k->kind == OP_RESHAPE || k->kind == OP_BROADCAST_IN_DIM;
		if (op_n_regions(k) || k->n_results != 1 || result(k, 0)->type->rank ||
		    !(moves || op_has(k, ELEMENTWISE)))
			return plan_unsupported(e->p, k, "this operation in a map is");
		value **in = NEW_N(e->mem, value *, k->n_operands);
		for (int i = 0; i < k->n_operands; i++)
			in[i] = mapped(e, &map, operand(k, i), shape);
		const type *t = type_with_elem(e->ctx, shape, result(k, 0)->type->elem);
		*ptr_map_at(&map, e->mem, result(k, 0)) =
			moves ? in[0] : result(build_like(&e->b, k, in, k->n_operands, &t), 0);
	}
	value *out = mapped(e, &map, operand(b->last, 0), shape);
	return expand_done(e, o, out);
}

/* ---- scan --------------------------------------------------------------------------------- */

/* A loop over a dimension; it carries the index, the outputs so far, and the scan's own values. */
typedef struct scan_loop {
	expander *e;
	op *o;
	int n_in, n_carry, n_out;
	int64_t dim, size;
	bool reverse;
} scan_loop;

static value *scan_int(scan_loop *s, int64_t v)
{
	const type *t = type_tensor(s->e->ctx, DT_I32, NULL, 0);
	return expand_splat(s->e, t, (double)v);
}

static value **scan_starts(scan_loop *s, value *v, value *whole, value *at)
{
	value **in = NEW_N(s->e->mem, value *, whole->type->rank + 2), *zero = scan_int(s, 0);
	int n = 0;
	in[n++] = whole;
	if (v)
		in[n++] = v;
	for (int d = 0; d < whole->type->rank; d++)
		in[n++] = d == s->dim ? at : zero;
	return in;
}

static value *scan_slice(scan_loop *s, value *whole, value *at, const type *t)
{
	expander *e = s->e;
	int64_t *sizes = COPY_N(e->mem, whole->type->dims, whole->type->rank);
	sizes[s->dim] = 1;
	value *v = build_dynamic_slice(&e->b, whole, scan_starts(s, NULL, whole, at) + 1, sizes);
	return build_reshape(&e->b, v, t->dims, t->rank);
}

static value *scan_store(scan_loop *s, value *whole, value *at, value *v)
{
	expander *e = s->e;
	int rank = whole->type->rank;
	int64_t *sizes = COPY_N(e->mem, whole->type->dims, rank);
	sizes[s->dim] = 1;
	v = build_reshape(&e->b, v, sizes, rank);
	return build(&e->b, OP_DYNAMIC_UPDATE_SLICE, scan_starts(s, v, whole, at), rank + 2,
	             whole->type);
}

/* condition: index < size */
static void scan_condition(scan_loop *s, op *loop)
{
	expander *e = s->e;
	e->b.at = op_block(loop, 0);
	value *less = build_compare(&e->b, COMPARE_LT, e->b.at->args[0], scan_int(s, s->size));
	build_op(&e->b, OP_RETURN, &less, 1, NULL, 0, 0);
}

static bool scan_body(scan_loop *s, op *loop)
{
	expander *e = s->e;
	block *b = op_body(s->o), *to = op_block(loop, 1);
	value **args = NEW_N(e->mem, value *, b->n_args + 1);
	value **next = NEW_N(e->mem, value *, loop->n_operands + 1);
	e->b.at = to;
	value *at = to->args[0];
	if (s->reverse)
		at = build_binary(&e->b, OP_SUBTRACT, scan_int(s, s->size - 1), at);
	for (int i = 0; i < b->n_args; i++)
		args[i] = i < s->n_in ? scan_slice(s, operand(s->o, i), at, b->args[i]->type)
		                      : to->args[1 + s->n_out + i - s->n_in];
	value **out = expand_splice(e, b, args);
	next[0] = build_binary(&e->b, OP_ADD, to->args[0], scan_int(s, 1));
	for (int i = 0; i < s->n_out; i++)
		next[1 + i] = scan_store(s, to->args[1 + i], at, out[i]);
	for (int i = 0; i < s->n_carry; i++)
		next[1 + s->n_out + i] = out[s->n_out + i];
	build_op(&e->b, OP_RETURN, next, loop->n_operands, NULL, 0, 0);
	return true;
}

bool expand_scan(expander *e, op *o)
{
	int n, n_out;
	const int64_t *in = op_ints(e->b.m, o, N_operandSegmentSizes, &n);
	const int64_t *out = op_ints(e->b.m, o, N_resultSegmentSizes, &n_out);
	const block *b = op_body(o);
	scan_loop s = {.e = e, .o = o, .n_in = n == 2 ? (int)in[0] : 0, .dim = op_int(o, N_dimension, 0),
	          .reverse = op_bool(o, N_is_reverse)};
	for (int i = 0; i < o->n_results; i++)
		if (result(o, i)->type->dtype == DT_NONE)
			return plan_unsupported(e->p, o, "such a result is");
	s.n_carry = o->n_operands - s.n_in;
	s.n_out = n_out == 2 ? (int)out[0] : o->n_results - s.n_carry;
	s.size = op_int(o, N_scan_dim_size, s.n_in ? operand(o, 0)->type->dims[s.dim] : 0);
	if (b->n_args != o->n_operands || s.n_out < 0 ||
	    b->last->n_operands != s.n_out + s.n_carry || o->n_results != s.n_out + s.n_carry)
		return plan_error(e->p, o, "the body does not fit operands and results");
	int count = 1 + s.n_out + s.n_carry;
	value **init = NEW_N(e->mem, value *, count);
	const type **types = NEW_N(e->mem, const type *, count);
	init[0] = scan_int(&s, 0);
	for (int i = 0; i < s.n_out; i++)
		init[1 + i] = expand_splat(e, result(o, i)->type, 0);
	for (int i = 0; i < s.n_carry; i++)
		init[1 + s.n_out + i] = operand(o, s.n_in + i);
	for (int i = 0; i < count; i++)
		types[i] = init[i]->type;
	op *loop = build_op(&e->b, OP_WHILE, init, count, types, count, 2);
	for (int r = 0; r < 2; r++) {
		block *to = block_new(e->b.m, op_region(loop, r));
		for (int i = 0; i < count; i++)
			block_add_arg(e->b.m, to, types[i]);
	}
	e->b.before = NULL;
	scan_condition(&s, loop);
	scan_body(&s, loop);
	value **results = NEW_N(e->mem, value *, count);
	for (int i = 1; i < count; i++)
		results[i - 1] = result(loop, i);
	return expand_done_all(e, o, results);
}
