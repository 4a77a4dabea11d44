/* explicit.h - reshards around ops whose operands or results have other shardings than the op
 * needs; internal to shardy.
 *
 * sdy-insert-explicit-reshards looks at each op through its sharding rule, finds shardings with
 * which it runs without communication on every device, and inserts reshards around it. The choices
 * are Shardy's: insert_explicit_reshards.cc and explicit_reshards_util.cc. */
#ifndef TESS_SHARDY_EXPLICIT_EXPLICIT_H
#define TESS_SHARDY_EXPLICIT_EXPLICIT_H

#include "op/op.h"

/* ---- the factors of an op (view.c) ---------------------------------------------------------- */

/* How one factor shards one tensor. propagate/projection.h explains the idea; here the axes are
 * plain lists, since each is read only once. */
typedef struct factor_axes {
	bool present;
	axis_list axes;
	axis_list overflow; /* further axes of the dimension, which do not fit the factor */
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

/* The axes of each factor, for all tensors alike. */
typedef axis_list *factor_lists;

/* shardings: of operands and results; NULL means replicated. */
void view_build(op_view *v, const sharding *const *shardings);
/* Returns the current sharding of a tensor. */
const sharding *view_sharding(const op_view *v, int tensor);
/* Sets the axes of a factor, without overflow, in all tensors that have it; marks in
 * changed[n_tensors] those where it had other axes. */
void view_set_factor(op_view *v, int factor, axis_list axes, bool *changed);
bool view_overflows(const op_view *v, bool *changed);
int64_t view_shards(const op_view *v, int tensor);
/* Returns, for each factor, the longest common prefix of its axes in all tensors. */
factor_lists view_common_prefixes(const op_view *v);
/* Finds the axes of a factor if all its tensors have the same ones. */
bool view_factor_agrees(const op_view *v, int factor, axis_list *axes);

bool rule_has_kind(factor_set s, int factor);
axis_list axes_joined(arena *mem, axis_list a, axis_list b);

/* ---- choosing the axes (search.c) ----------------------------------------------------------- */

/* Returns axes for each factor with which the op runs without communication. */
factor_lists find_common_axes(const op_view *v, const op *o);
/* Distributes axes over factors, starting with the first: if an axis has a divisor in common with
 * what remains of a factor's size, the factor takes that part. When no factor takes any more, the
 * rest is the overflow of the last one. (view.c) */
void hand_out_axes(const op_view *v, factor_axes *factors, const int64_t *sizes, int n,
                   axis_list axes);

/* ---- inserting ops -------------------------------------------------------------------------- */

typedef struct insertion {
	builder b;
	arena *mem;
	bool sound_reductions; /* pass_options: reduce only with the op's own reduction */
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

/* Inserts an op with one operand and one result. */
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

/* These return false after a diagnostic. */

/* If a value is unreduced along axes for which its user is not, inserts the reduction. *from: its
 * sharding, before and after. */
bool reduce_for_user(insertion *at, use *u, const sharding **from, const sharding *user);
/* If a user wants more unreduced axes than the value has, inserts the conversion. *now: the
 * sharding afterward, NULL if nothing was inserted. */
bool make_unreduced(insertion *at, use *u, const sharding *want, const sharding **now);
/* Does both for the operands of an op; and for a reshard, which may be removed. */
bool reduce_operands(insertion *at, op *o);
bool reshard_to_unreduced(insertion *at, op *o, bool *gone);
/* Reduces the results along the axes of reduction factors: those in `factors`, or, if that is NULL,
 * those on which the tensors agree. */
bool reduce_results(insertion *at, op *o, const op_view *v, const axis_list *factors);

bool op_can_leave_partial(const op *o);

/* ---- special cases --------------------------------------------------------------------------- */

/* dot.c */
void reshard_dot_result(insertion *at, op *o, op_view *v, const sharding *out);
/* device.c: ops whose results are on a single device. */
bool is_on_one_device(const module *m, const sharding *s);
bool reshard_one_device_op(insertion *at, op *o);

#endif
