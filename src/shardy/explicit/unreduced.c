/* unreduced.c - inserts the ops that complete pending reductions, and those that introduce them.
 *
 * A value is unreduced along axes over which its devices hold terms that are still to be combined.
 * If its user does not expect that, an sdy.all_reduce is inserted. If the user expects more
 * unreduced axes than the value has, each of these axes either shards a dimension
 * (sdy.sharded_to_unreduced) or is unused (sdy.replicated_to_unreduced). */
#include "shardy/explicit/explicit.h"

static axis_list unreduced_list(const sharding *s)
{
	return s ? (axis_list){s->unreduced, s->n_unreduced} : (axis_list){0};
}

static op *insert_all_reduce(insertion *at, value *in, axis_list axes, reduction r,
                             const sharding *out)
{
	tess_ctx *ctx = at->b.m->ctx;
	op *o = insert_unary(at, OP_SDY_ALL_REDUCE, in, out);
	op_set_attr(at->b.m, o, N_reduction_axes, attr_axes(ctx, axes.ptr, axes.n));
	if (r != RED_SUM)
		op_set_attr(at->b.m, o, N_reduction_op, attr_i32(ctx, r));
	return o;
}

static bool unreduced_conflict(const insertion *at, const op *o, const char *what)
{
	const sharding *s = o->n_results ? o->results[0].sharding : NULL;
	place where = s ? op_sharding_places(at->b.m, o, RESULT_PART(o, 0), s).all
	                : op_place(at->b.m, o);
	return diag_error(at->b.m->ctx, where, E_RESHARD_UNREDUCED, "'%s' op %s",
	                  op_name(o), what);
}

bool reduce_for_user(insertion *at, use *u, const sharding **from, const sharding *user)
{
	const sharding *s = *from;
	if (!s || !s->n_unreduced)
		return true;
	const mesh *mesh = sharding_mesh(at->b.m, s);
	if (user && sharding_mesh(at->b.m, user) != mesh)
		return unreduced_conflict(
			at, u->owner, "has an unreduced operand on another mesh than its result");
	axis_list axes = axes_minus(at->mem, unreduced_list(s), unreduced_list(user), mesh);
	if (!axes.n)
		return true;
	axis_list kept = axes_minus(at->mem, unreduced_list(s), axes, mesh);
	*from = sharding_with_unreduced(at->b.m->ctx, s, kept, s->reduction);
	op *o = insert_all_reduce(at, u->value, axes, s->reduction, *from);
	op_set_operand(u->owner, use_index(u), result(o, 0));
	return true;
}

/* ---- introducing unreduced axes ------------------------------------------------------------- */

/* The steps that make a value unreduced along the axes `gained`. */
typedef struct unreduced_plan {
	const mesh *mesh;
	axis_list gained;
	axis_list *taken;   /* [rank]: axes that no longer shard a dimension */
	axis_list from_dims; /* all axes in `taken` */
	dim_sharding *dims; /* the dimensions until then */
	bool reshard;       /* the dimensions also change in other ways */
} unreduced_plan;

/* Returns the axes of `in` after its prefix `out`. */
static axis_list behind_prefix(arena *mem, axis_list in, axis_list out, const mesh *mesh)
{
	axes_vec rest = {0};
	axis_ref suffix;
	if (out.n && !axis_eq(out.ptr[out.n - 1], in.ptr[out.n - 1]) &&
	    axis_suffix_without_overlap(in.ptr[out.n - 1], out.ptr[out.n - 1], mesh, &suffix))
		vec_push(mem, &rest, suffix);
	for (int i = out.n; i < in.n; i++)
		vec_push(mem, &rest, in.ptr[i]);
	return (axis_list){rest.ptr, rest.len};
}

static void plan_dims(const insertion *at, unreduced_plan *p, const sharding *in,
                      const sharding *out)
{
	p->taken = NEW_N(at->mem, axis_list, in->rank);
	p->dims = COPY_N(at->mem, out->dims, out->rank);
	for (int d = 0; d < in->rank && d < out->rank; d++) {
		axis_list a = dim_axes(&in->dims[d]), b = dim_axes(&out->dims[d]);
		if (axes_eq(a, b))
			continue;
		axis_list rest = {0};
		bool shrinks = axes_prefix_of_strictly(b, a);
		if (shrinks)
			rest = behind_prefix(at->mem, a, b, p->mesh);
		if (!shrinks || axes_minus(at->mem, rest, p->gained, p->mesh).n) {
			p->reshard = true;
			continue;
		}
		p->taken[d] = rest;
		p->from_dims = axes_joined(at->mem, p->from_dims, rest);
		p->dims[d] = in->dims[d];
	}
}

static const attr *axes_per_dim(const insertion *at, const axis_list *lists, int rank)
{
	const attr **dims = NEW_N(at->mem, const attr *, rank);
	for (int d = 0; d < rank; d++)
		dims[d] = attr_axes(at->b.m->ctx, lists[d].ptr, lists[d].n);
	return attr_of(at->b.m->ctx, &(attr){.kind = AT_AXES_LIST, .list = dims, .n = rank});
}

/* The intermediate sharding: old dimensions, with the unused axes unreduced. */
static const sharding *with_replicated_unreduced(const insertion *at, const unreduced_plan *p,
                                                 const sharding *in, const sharding *out,
                                                 axis_list axes)
{
	axis_list all = axes_joined(at->mem, unreduced_list(in), axes);
	axis_ref *sorted = COPY_N(at->mem, all.ptr, all.n);
	int n = axes_sort_and_merge(sorted, all.n, p->mesh);
	sharding s = *out;
	s.mesh = in->mesh;
	s.dims = p->dims;
	s.unreduced = sorted;
	s.n_unreduced = n;
	return sharding_of(at->b.m->ctx, &s);
}

static value *carry_out(insertion *at, const unreduced_plan *p, value *v, const sharding *in,
                        const sharding *out)
{
	module *m = at->b.m;
	if (p->reshard)
		v = insert_reshard(at, v, sharding_with_dims(m->ctx, in, p->dims, in->rank));
	axis_list unused = axes_minus(at->mem, p->gained, p->from_dims, p->mesh);
	if (unused.n) {
		op *o = insert_unary(at, OP_SDY_REPLICATED_TO_UNREDUCED, v,
		                     with_replicated_unreduced(at, p, in, out, unused));
		op_set_attr(m, o, N_axes, attr_axes(m->ctx, unused.ptr, unused.n));
		v = result(o, 0);
	}
	if (p->from_dims.n) {
		op *o = insert_unary(at, OP_SDY_SHARDED_TO_UNREDUCED, v, out);
		op_set_attr(m, o, N_axes, axes_per_dim(at, p->taken, in->rank));
		v = result(o, 0);
	}
	return v;
}

bool make_unreduced(insertion *at, use *u, const sharding *want, const sharding **now)
{
	const sharding *in = value_sharding(at->b.m, u->value);
	*now = NULL;
	if (!in || !want || !want->n_unreduced)
		return true;
	unreduced_plan p = {.mesh = sharding_mesh(at->b.m, in)};
	if (sharding_mesh(at->b.m, want) != p.mesh)
		return unreduced_conflict(at, u->owner,
		                          "wants an operand unreduced that is on another mesh");
	p.gained = axes_minus(at->mem, unreduced_list(want), unreduced_list(in), p.mesh);
	if (!p.gained.n)
		return true;
	if (axes_minus(at->mem, unreduced_list(in), unreduced_list(want), p.mesh).n)
		return unreduced_conflict(
			at, u->owner,
			"has an operand that is unreduced along other axes than wanted");
	plan_dims(at, &p, in, want);
	value *v = carry_out(at, &p, u->value, in, want);
	if (v == u->value)
		return true;
	op_set_operand(u->owner, use_index(u), v);
	*now = v->sharding;
	return true;
}

/* ---- operands and reshards ------------------------------------------------------------------ */

static bool has_unreduced_operand(const insertion *at, const op *o)
{
	for (int i = 0; i < o->n_operands; i++) {
		const sharding *s = value_sharding(at->b.m, operand(o, i));
		if (s && s->n_unreduced)
			return true;
	}
	return false;
}

static bool unreduced_results_agree(const insertion *at, op *o)
{
	axis_list first = unreduced_list(value_sharding(at->b.m, result(o, 0)));
	for (int i = 1; i < o->n_results; i++)
		if (!axes_eq(first, unreduced_list(value_sharding(at->b.m, result(o, i)))))
			return unreduced_conflict(
				at, o, "has results that are unreduced along different axes");
	return true;
}

bool reduce_operands(insertion *at, op *o)
{
	if (op_is_sdy_reduction(o) && !at->as_shardy)
		return true; /* completes the reduction itself */
	if (!o->n_results)
		return !has_unreduced_operand(at, o) ||
		       unreduced_conflict(at, o, "has an unreduced operand, but no result");
	if (o->n_results > 1 && !unreduced_results_agree(at, o))
		return false;
	if (!has_unreduced_operand(at, o))
		return true;
	const sharding *to = value_sharding(at->b.m, result(o, 0));
	insert_before(at, o);
	for (int i = 0; i < o->n_operands; i++) {
		const sharding *from = value_sharding(at->b.m, operand(o, i));
		if (!reduce_for_user(at, &op_uses(o)[i], &from, to))
			return false;
	}
	return true;
}

bool reshard_to_unreduced(insertion *at, op *o, bool *gone)
{
	const sharding *now;
	*gone = false;
	insert_before(at, o);
	if (!make_unreduced(at, op_uses(o), result(o, 0)->sharding, &now))
		return false;
	if (!now)
		return true;
	*gone = true;
	value_replace_uses(result(o, 0), operand(o, 0));
	op_erase(o);
	return true;
}

/* ---- how partial results combine ------------------------------------------------------------ */

/* `and` and `or` of booleans are their minimum and maximum. */
static bool reduction_of_monoid(monoid by, dtype elem, reduction *out)
{
	bool truth = elem == DT_I1;
	if (truth && (by == MONOID_AND || by == MONOID_OR))
		by = by == MONOID_AND ? MONOID_MIN : MONOID_MAX;
	bool known = by == MONOID_MAX || by == MONOID_MIN ||
	             (by == MONOID_SUM && !truth); /* adding booleans is `or` */
	if (known)
		*out = (reduction)by;
	return known;
}

/* Finds the reduction of result i, if the reducer combines its values independently. */
static bool reduction_of_body(const op *o, int i, reduction *out)
{
	const op *end = op_body(o) ? op_body(o)->last : NULL;
	const op *f = end && i < end->n_operands ? value_def(operand(end, i)) : NULL;
	const block *b = op_body(o);
	int n = b ? b->n_args / 2 : 0;
	if (!f || f->n_operands != 2 || i >= n)
		return false;
	const value *x = b->args[i], *y = b->args[i + n], *lhs = operand(f, 0),
		    *rhs = operand(f, 1);
	return ((lhs == x && rhs == y) || (lhs == y && rhs == x)) &&
	       reduction_of_monoid(monoid_of_op(f->kind), result(f, 0)->type->dtype, out);
}

static bool has_reducer(const op *o) { return o->kind == OP_REDUCE || o->kind == OP_SCATTER; }

/* Finds how the partial values of result i combine if a reduced dimension is sharded. Returns false
 * if a sharding cannot express it (a product, an argmax). */
static bool result_reduction(const op *o, int i, reduction *out)
{
	*out = RED_SUM;
	if (has_reducer(o))
		return reduction_of_body(o, i, out);
	return true; /* products; and gathers, for which the other devices hold zeros */
}

bool op_can_leave_partial(const op *o)
{
	reduction r;
	for (int i = 0; i < o->n_results; i++)
		if (!result_reduction(o, i, &r))
			return false;
	return true;
}

/* The op that defines every value that the body returns, as far as it is a monoid. */
static monoid monoid_returned(const op *o)
{
	const op *end = has_reducer(o) && op_body(o) ? block_terminator(op_body(o)) : NULL;
	op_kind kind = OP_UNKNOWN;
	for (int i = 0; end && i < end->n_operands; i++) {
		const op *f = value_def(operand(end, i));
		if (!f || (i && f->kind != kind))
			return MONOID_NONE;
		kind = (op_kind)f->kind;
	}
	return monoid_of_op(kind);
}

/* Does what Shardy does: if each value that the body returns is a maximum, parts are combined by
 * maximum, and so for minima; all else is summed. That is wrong for products of elements, for `and`,
 * and for most reducers of several values such as an argmax. */
static reduction shardy_reduction(insertion *at, const op *o, int i)
{
	reduction right;
	bool sayable = result_reduction(o, i, &right);
	monoid by = monoid_returned(o);
	reduction taken = by == MONOID_MAX || by == MONOID_MIN ? (reduction)by : RED_SUM;
	bool same = right == taken || (taken == RED_SUM && by == MONOID_OR);
	if (!sayable || !same)
		diag_warn(
			at->b.m->ctx, op_place(at->b.m, o), E_REDUCTION_LOST,
			"the all_reduce behind '%s' %s the parts of result %d, as Shardy's does, but "
			"they do not combine by a %s",
			op_name(o),
			taken == RED_SUM   ? "sums"
			: taken == RED_MAX ? "takes the maximum of"
			                   : "takes the minimum of",
			i,
			taken == RED_SUM   ? "sum"
			: taken == RED_MAX ? "maximum"
			                   : "minimum");
	return taken;
}

/* ---- completing the reductions of results --------------------------------------------------- */

static bool agreed_reduction_axes(insertion *at, const op *o, const op_view *v, axis_list *out)
{
	for (int i = 0; i < v->rule->reduction.n; i++) {
		axis_list l;
		if (!view_factor_agrees(v, v->rule->reduction.factors[i], &l))
			return unreduced_conflict(
				at, o,
				"has an unreduced result, but operands that are split "
				"differently where they are reduced");
		*out = axes_joined(at->mem, *out, l);
	}
	return true;
}

bool reduce_results(insertion *at, op *o, const op_view *v, const axis_list *factors)
{
	axis_list axes = {0};
	if (!o->n_results || !v->rule->reduction.n)
		return true;
	const sharding *first = value_sharding(at->b.m, result(o, 0));
	if (!factors && (!first || !first->n_unreduced))
		return true;
	if (!factors && !agreed_reduction_axes(at, o, v, &axes))
		return false;
	for (int i = 0; factors && i < v->rule->reduction.n; i++)
		axes = axes_joined(at->mem, axes, factors[v->rule->reduction.factors[i]]);
	axes = axes_minus(at->mem, axes, unreduced_list(first), v->mesh);
	if (!axes.n)
		return true;
	axis_ref *sorted = COPY_N(at->mem, axes.ptr, axes.n);
	axes = (axis_list){sorted, axes_sort_and_merge(sorted, axes.n, v->mesh)};
	insert_after(at, o);
	for (int i = 0; i < o->n_results; i++) {
		value *r = result(o, i);
		const sharding *s = value_sharding(at->b.m, r);
		if (!s)
			s = sharding_replicated(at->b.m->ctx, v->ref,
			                        type_is_tensor(r->type) ? r->type->rank : 0);
		reduction kind = s->reduction;
		if (!s->n_unreduced && at->sound_reductions)
			result_reduction(o, i, &kind);
		else if (!s->n_unreduced)
			kind = shardy_reduction(at, o, i);
		op *reduce = insert_all_reduce(at, r, axes, kind, s);
		value_replace_uses_except(r, result(reduce, 0), reduce);
	}
	return true;
}
