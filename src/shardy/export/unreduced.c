/* unreduced.c - sdy-verify-unreduced-axes: checks that only the ops meant to complete a pending
 * reduction do so.
 *
 * A value that is unreduced along an axis holds partial terms of a sum, maximum or minimum. An op
 * may pass them on, or add pending sums of its own (a product whose contracting dimension is
 * sharded); a reduce adds pending reductions of its own kind. Only a reshard, a constraint or a
 * collective may remove an axis. At calls, returns and ends of regions, both sides must list the
 * same axes. */
#include "shardy/export/export.h"

/* What an op may introduce or remove: a reduction, or NEVER. */
enum { NEVER = -1 };

typedef struct unreduced_check {
	module *m;
	arena *mem;
} unreduced_check;

typedef VEC(const sharding *) pending_list;

static bool is_explicit_reshard(const value *v)
{
	return value_def_has(value_past_barriers((value *)v), RESHARDS);
}

static const sharding *behind_barriers(const unreduced_check *c, const value *v)
{
	return value_sharding(c->m, value_past_barriers((value *)v));
}

static axis_list pending_axes(const sharding *s)
{
	return s ? (axis_list){s->unreduced, s->n_unreduced} : (axis_list){0};
}

static const char *pending_word(reduction r)
{
	return r == RED_SUM ? "sum" : r == RED_MAX ? "max" : "min";
}

/* Returns the place of an axis in the unreduced list of a result; if none has it, of the sharding
 * of the first result that has one; else of the op. */
static place pending_place(const unreduced_check *c, const op *o, const axis_ref *axis)
{
	place first = op_place(c->m, o);
	for (int i = o->n_results; i-- > 0;) {
		const sharding *s = o->results[i].sharding;
		if (!s)
			continue;
		sharding_places p = op_sharding_places(c->m, o, RESULT_PART(o, i), s);
		first = p.all;
		for (int k = 0; axis && p.unreduced && k < s->n_unreduced; k++)
			if (axis_eq(s->unreduced[k], *axis))
				return p.unreduced[k];
	}
	return first;
}

static bool unreduced_error(const unreduced_check *c, const op *o, place at, const char *fmt, ...)
	PRINTF(4, 5);
static bool unreduced_error(const unreduced_check *c, const op *o, place at, const char *fmt, ...)
{
	PRINTED(text, c->mem, fmt);
	return diag_error(c->m->ctx, at, E_UNREDUCED_LOST, "'%s' op %s", op_name(o),
	                  text);
}

/* ---- checking what an op introduces and removes --------------------------------------------- */

static axis_list all_pending(const unreduced_check *c, const pending_list *l)
{
	axes_vec v = {0};
	for (int i = 0; i < l->len; i++)
		for (int k = 0; l->ptr[i] && k < l->ptr[i]->n_unreduced; k++)
			vec_push(c->mem, &v, l->ptr[i]->unreduced[k]);
	return (axis_list){v.ptr, v.len};
}

/* Returns the mesh that all of them have; NULL if there is none, or more than one. */
static const mesh *one_mesh_of(const unreduced_check *c, const pending_list *a,
                               const pending_list *b)
{
	const pending_list *lists[] = {a, b};
	const mesh *found = NULL;
	for (int l = 0; l < COUNT(lists); l++)
		for (int i = 0; i < lists[l]->len; i++) {
			const sharding *s = lists[l]->ptr[i];
			const mesh *on = s ? sharding_mesh(c->m, s) : NULL;
			if (on && found && on != found)
				return NULL;
			if (on)
				found = on;
		}
	return found;
}

/* Checks that shardings in which any of the axes is pending have reduction `want`. */
static bool pending_by(const unreduced_check *c, const op *o, const pending_list *l,
                       axis_list axes, int want, const char *what)
{
	for (int i = 0; i < l->len; i++) {
		const sharding *s = l->ptr[i];
		if (s && (int)s->reduction != want && axes_overlap(pending_axes(s), axes))
			return unreduced_error(c, o, pending_place(c, o, &s->unreduced[0]),
			                       "%s a pending %s, expected %s", what,
			                       pending_word(s->reduction),
			                       pending_word((reduction)want));
	}
	return true;
}

static bool kept_alike(const unreduced_check *c, const op *o, const pending_list *from,
                       const pending_list *to)
{
	for (int t = 0; t < to->len; t++)
		for (int f = 0; f < from->len; f++) {
			const sharding *a = from->ptr[f], *b = to->ptr[t];
			if (a && b && a->reduction != b->reduction &&
			    axes_overlap(pending_axes(a), pending_axes(b)))
				return unreduced_error(c, o, pending_place(c, o, NULL),
				                       "turns a pending %s into a pending %s",
				                       pending_word(a->reduction),
				                       pending_word(b->reduction));
		}
	return true;
}

static bool check_transition(const unreduced_check *c, const op *o, const pending_list *from,
                             const pending_list *to, int introduces, int removes)
{
	axis_list before = all_pending(c, from), after = all_pending(c, to);
	const mesh *mesh = before.n || after.n ? one_mesh_of(c, from, to) : NULL;
	if (!mesh)
		return true;
	axis_list added = axes_minus(c->mem, after, before, mesh);
	axis_list removed = axes_minus(c->mem, before, after, mesh);
	if (added.n && introduces == NEVER)
		return unreduced_error(c, o, pending_place(c, o, &added.ptr[0]),
		                       "cannot leave axis \"%s\" unreduced",
		                       added.ptr[0].axis->s);
	if (added.n && !pending_by(c, o, to, added, introduces, "leaves"))
		return false;
	if (removed.n && removes == NEVER)
		return unreduced_error(c, o, pending_place(c, o, NULL),
		                       "loses the pending reduction along axis \"%s\"; a reshard, "
		                       "constraint or collective has to finish it",
		                       removed.ptr[0].axis->s);
	if (removed.n && !pending_by(c, o, from, removed, removes, "finishes"))
		return false;
	return kept_alike(c, o, from, to);
}

/* ---- kinds of ops --------------------------------------------------------------------------- */

static void push_operand(const unreduced_check *c, pending_list *l, const value *v)
{
	vec_push(c->mem, l, is_explicit_reshard(v) ? NULL : behind_barriers(c, v));
}

static bool check_plain(const unreduced_check *c, const op *o, int n_operands, int introduces)
{
	pending_list from = {0}, to = {0};
	for (int i = 0; i < n_operands; i++)
		push_operand(c, &from, operand(o, i));
	for (int i = 0; i < o->n_results; i++)
		vec_push(c->mem, &to, behind_barriers(c, result(o, i)));
	return check_transition(c, o, &from, &to, introduces, NEVER);
}

static int reduction_of_kind(op_kind kind)
{
	monoid by = monoid_of_op(kind);
	return by == MONOID_SUM || by == MONOID_MAX || by == MONOID_MIN ? (int)by : NEVER;
}

/* Returns the reduction that a reducer applies to all its values, or NEVER. */
static int body_reduction(const op *o)
{
	const op *end = op_body(o) ? op_body(o)->last : NULL;
	int all = NEVER;
	for (int i = 0; end && i < end->n_operands; i++) {
		const op *def = value_def(operand(end, i));
		int one = def ? reduction_of_kind(def->kind) : NEVER;
		if (one == NEVER || (i && one != all))
			return NEVER;
		all = one;
	}
	return all;
}

/* Checks StableHLO's own collectives in the body of a manual computation. */
static bool check_collective(const unreduced_check *c, const op *o)
{
	const sharding *from = behind_barriers(c, operand(o, 0));
	const sharding *to = behind_barriers(c, result(o, 0));
	pending_list in = {&from, 1, 1}, out = {&to, 1, 1};
	return check_transition(c, o, &in, &out, NEVER, body_reduction(o));
}

/* ---- calls, returns and regions ------------------------------------------------------------- */

static bool same_axes_of(const sharding *a, const sharding *b)
{
	axis_list l = pending_axes(a), r = pending_axes(b);
	for (int i = 0; i < l.n; i++) {
		bool there = false;
		for (int k = 0; k < r.n; k++)
			there |= axis_eq(l.ptr[i], r.ptr[k]);
		if (!there)
			return false;
	}
	return l.n == r.n;
}

static bool check_call(const unreduced_check *c, const op *call)
{
	const op *f = call_callee(c->m, call);
	const block *body = f ? op_body(f) : NULL;
	for (int i = 0; body && i < call->n_operands && i < body->n_args; i++) {
		const value *v = operand(call, i);
		if (!is_explicit_reshard(v) &&
		    !same_axes_of(behind_barriers(c, v), body->args[i]->sharding))
			return unreduced_error(c, call, op_place(c->m, call),
			                       "passes operand %d with other unreduced axes than "
			                       "@%s expects",
			                       i, op_symbol(f)->s);
	}
	for (int i = 0; f && i < call->n_results && i < op_func(f)->type->n_out; i++)
		if (!same_axes_of(op_func(f)->result_shardings[i],
		                  behind_barriers(c, result(call, i))))
			return unreduced_error(
				c, call, pending_place(c, call, NULL),
				"expects result %d with other unreduced axes than @%s "
				"returns",
				i, op_symbol(f)->s);
	return true;
}

static const sharding *expected_at_border(const unreduced_check *c, const op *up, int i)
{
	if (op_is_func(up))
		return i < op_func(up)->type->n_out ? op_func(up)->result_shardings[i] : NULL;
	if (i >= up->n_results)
		return NULL;
	const sharding *s = behind_barriers(c, result(up, i));
	return op_is_manual(up) ? sharding_inside_manual(c->m, up, s) : s;
}

static bool check_terminator(const unreduced_check *c, const op *o)
{
	for (int i = 0; i < o->n_operands; i++) {
		const sharding *to = expected_at_border(c, op_parent(o), i);
		const value *v = operand(o, i);
		if (to && !is_explicit_reshard(v) && !same_axes_of(behind_barriers(c, v), to))
			return unreduced_error(c, o, op_place(c->m, o),
			                       "returns operand %d with other unreduced axes than "
			                       "are expected; a reshard has to change them",
			                       i);
	}
	return true;
}

static bool check_op_unreduced(const unreduced_check *c, op *o)
{
	switch (o->kind) {
	case OP_SDY_RESHARD:
	case OP_SDY_SHARDING_CONSTRAINT:
		return op_verify(c->m, o);
	case OP_REDUCE:
		return check_plain(c, o, o->n_operands / 2, body_reduction(o));
	case OP_SDY_ALL_REDUCE:
	case OP_SDY_REDUCE_SCATTER:
		return behind_barriers(c, operand(o, 0))
		               ? op_verify(c->m, o)
		               : unreduced_error(c, o, op_place(c->m, o),
		                                 "needs an operand with a sharding");
	case OP_ALL_REDUCE:
	case OP_REDUCE_SCATTER:
		return o->n_operands != 1 || check_collective(c, o);
	case OP_FUNC_CALL:
		return check_call(c, o);
	case OP_FUNC_RETURN:
	case OP_SDY_RETURN:
		return check_terminator(c, o);
	}
	if (op_has(o, TERMINATOR))
		return true; /* of a reducer, or of control flow, whose op is checked itself */
	return check_plain(c, o, o->n_operands, RED_SUM);
}

/* True if there are ops that are checked wherever they occur. */
static bool module_reduces(const module *m)
{
	return module_has(m, OP_SDY_ALL_REDUCE) || module_has(m, OP_SDY_REDUCE_SCATTER) ||
	       module_has(m, OP_ALL_REDUCE) || module_has(m, OP_REDUCE_SCATTER);
}

/* Reports the first error of each function; later ones would follow from it. */
bool pass_verify_unreduced_axes(module *m, const pass_options *o)
{
	UNUSED(o);
	if (!shardings_any_unreduced(m->ctx) && !module_reduces(m))
		return true;
	unreduced_check c = {m, &m->ctx->scratch};
	bool ok = true;
	for (op *f = module_body(m)->first; f; f = f->next) {
		if (!op_is_func(f) || func_is_declaration(f))
			continue;
		for (op *i = op_first_post(f); i != f; i = op_next_post(i, f)) {
			arena_mark here = arena_here(c.mem);
			bool good = check_op_unreduced(&c, i);
			arena_back(c.mem, here);
			if (!good) {
				ok = false;
				break;
			}
		}
	}
	return ok;
}
