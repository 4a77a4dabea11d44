/* explicit.h - where an op wants other shardings than its values have (inside
 * partition).
 *
 * sdy-insert-explicit-reshards looks at each op through its sharding rule, finds
 * shardings with which the op can run in place on every device, and puts reshards
 * around it.  The choices are Shardy's: insert_explicit_reshards.cc and
 * explicit_reshards_util.cc. */
#ifndef TESS_SHARDY_EXPLICIT_EXPLICIT_H
#define TESS_SHARDY_EXPLICIT_EXPLICIT_H

#include "op/op.h"

/* ---- an op seen through its factors (view.c) ------------------------------ */

/* How one factor shards one tensor.  See propagate/projection.h for the idea; here
 * the axes stand written out, since every list is looked at once only. */
typedef struct factor_axes {
	bool present;
	axis_list axes;
	axis_list overflow; /* what comes after in the dimension and does not fit */
} factor_axes;

typedef struct tensor_view {
	factor_axes *factors; /* [n_factors] */
	bool *closed;         /* [rank] */
	axis_list replicated, unreduced;
	reduction reduction;
} tensor_view;

typedef struct op_view {
	module *m;
	arena *mem;
	const sharding_rule *rule;
	const mesh *mesh;
	mesh_ref ref;
	int n_operands, n_tensors;
	tensor_view *tensors; /* operands, then results */
} op_view;

/* The axes of each factor, the same in all tensors. */
typedef axis_list *factor_lists;

/* shardings: of operands and results; NULL counts as replicated. */
void view_build(op_view *v, const sharding *const *shardings);
/* The sharding of a tensor as the view has it now. */
const sharding *view_sharding(const op_view *v, int tensor);
/* Gives a factor these axes, and no overflow, in all tensors that have it; marks
 * those in changed[n_tensors] where it had others. */
void view_set_factor(op_view *v, int factor, axis_list axes, bool *changed);
bool view_overflows(const op_view *v, bool *changed);
int64_t view_shards(const op_view *v, int tensor);
/* Of each factor the axes that begin its lists in all tensors. */
factor_lists view_common_prefixes(const op_view *v);
/* The axes of a factor if they are the same in all its tensors. */
bool view_factor_agrees(const op_view *v, int factor, axis_list *axes);

bool rule_has_kind(factor_set s, int factor);
axis_list axes_joined(arena *mem, axis_list a, axis_list b);

/* ---- the choice (search.c) --------------------------------------------------- */

/* Axes for each factor with which the op runs in place. */
factor_lists find_common_axes(const op_view *v, const op *o);
/* Hands axes out over factors, from the first: where an axis has a divisor in common
 * with what is left of a factor, the factor takes that.  Once none takes any more,
 * the rest is the overflow of the last. */
void hand_out_axes(const op_view *v, factor_axes *factors, const int64_t *sizes, int n,
                   axis_list axes);

/* ---- putting ops in, one after the other -------------------------------------------------- */

typedef struct insertion {
	builder b;
	arena *mem;
	bool sound_reductions; /* pass_options: parts are only ever combined as they should be */
	bool as_shardy;        /* pass_options.sdy_compatible */
} insertion;

static inline void insert_before(insertion *at, op *o)
{
	at->b.at = o->parent;
	at->b.before = o;
}

static inline void insert_after(insertion *at, op *o)
{
	at->b.at = o->parent;
	at->b.before = o->next;
}

static inline void insert_after_value(insertion *at, const value *v)
{
	at->b.at = value_block(v);
	at->b.before = value_def(v) ? value_def(v)->next : value_owner(v)->first;
}

/* An op of one operand and one result, at the point. */
static inline op *insert_unary(insertion *at, op_kind kind, value *in, const sharding *s)
{
	at->b.like = value_def(in);
	op *o = value_def(build_sharded(&at->b, kind, in, s));
	if (!at->b.like)
		op_set_loc(at->b.m, o, value_loc(in));
	return o;
}

static inline value *insert_reshard(insertion *at, value *in, const sharding *s)
{
	return result(insert_unary(at, OP_SDY_RESHARD, in, s), 0);
}

/* ---- unreduced axes (unreduced.c) ------------------------------------------------- */

/* Each returns false after a diagnostic. */

/* A value that is unreduced along axes that its user does not have unreduced is
 * reduced along them first.  *from: its sharding, before and after. */
bool reduce_for_user(insertion *at, use *u, const sharding **from, const sharding *user);
/* A user that wants more unreduced axes than the value has: what makes them.  *now:
 * the sharding then, NULL if nothing was to be done. */
bool make_unreduced(insertion *at, use *u, const sharding *want, const sharding **now);
/* The same for the operands of an op, and for a reshard, which may go. */
bool reduce_operands(insertion *at, op *o);
bool reshard_to_unreduced(insertion *at, op *o, bool *gone);
/* Reduces the results along the axes that split reduction factors: those of `factors`,
 * or, if that is NULL, those on which the tensors agree. */
bool reduce_results(insertion *at, op *o, const op_view *v, const axis_list *factors);

bool op_can_leave_partial(const op *o);

/* ---- special cases --------------------------------------------------------------------------- */

/* dot.c */
void reshard_dot_result(insertion *at, op *o, op_view *v, const sharding *out);
/* device.c: an op whose result is on one device only. */
bool is_on_one_device(const module *m, const sharding *s);
bool reshard_one_device_op(insertion *at, op *o);

#endif
