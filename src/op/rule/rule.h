/* rule.h - how a sharding rule is made (inside op; the rule itself: ir/rule.h).
 *
 * A maker starts with no factors.  A rule function adds factors in the order in
 * which propagation shall meet them and maps dimensions to them; rule_done() then
 * gives every dimension that is still unmapped a factor of size 1 of its own.
 * Source of order, kinds and sizes: Shardy, op_sharding_rule_registry.cc.
 *
 * A rule takes about 100 ns: nothing is hashed, and a dimension with one factor,
 * or with consecutive ones, points into a constant table. */
#ifndef TESS_OP_RULE_RULE_H
#define TESS_OP_RULE_RULE_H

#include "op/op.h"

/* What sharding a factor means for the op; PASS costs nothing. */
enum factor_kind {
	PASS,
	REDUCE,      /* leaves a partial result */
	REPLICATE,   /* must be whole on every device */
	PERMUTE,     /* needs an exchange between neighbours */
	BLOCKED = 8, /* besides: propagation does not follow it */
};

enum { NO_DIM = -1 };

typedef struct rule_maker {
	const module *m;
	const op *o;
	arena *mem;
	bool conservative;
	bool beyond_shardy; /* and right to compute by: see RULE_BEYOND_SHARDY */
	sharding_rule *rule;
	tensor_factors *tensors; /* rule->tensors */
	dim_factors **dims;      /* of each tensor */
	VEC(int64_t) sizes;
} rule_maker;

/* Fills in the rule of r->o.  false: there is none (a case that propagation cannot
 * follow, or an op that does not verify). */
typedef bool rule_fn(rule_maker *r);

const type *rule_operand_type(const rule_maker *r, int i);
const type *rule_result_type(const rule_maker *r, int i);
/* Whether there are at least so many operands and results, all with static shapes. */
bool rule_has_shapes(const rule_maker *r, int n_operands, int n_results);

/* A new factor, not yet mapped; returns its number. */
int rule_factor(rule_maker *r, int64_t size, int kind);
/* Appends the factor to a dimension.  A factor of size 1 stands alone: it is not
 * added to a dimension that has one.  NO_DIM: nothing happens. */
void rule_map_operand(rule_maker *r, int operand, int64_t dim, int factor);
void rule_map_result(rule_maker *r, int result, int64_t dim, int factor);

/* One factor over the first two operands and the first result, each in the given
 * dimension or NO_DIM.  Its size is that of the first dimension named. */
void rule_tie(rule_maker *r, int kind, int64_t lhs, int64_t rhs, int64_t out);
void rule_tie_size(rule_maker *r, int kind, int64_t size, int64_t lhs, int64_t rhs, int64_t out);
/* One factor over the same dimension of all operands, or results, or both, that are
 * not scalars. */
void rule_tie_operands(rule_maker *r, int kind, int64_t size, int64_t dim);
void rule_tie_results(rule_maker *r, int kind, int64_t size, int64_t dim);
void rule_tie_all(rule_maker *r, int kind, int64_t size, int64_t dim);
/* The factors 0…rank-1 over all dimensions of everything, at once: only on a fresh
 * maker. */
bool rule_pointwise(rule_maker *r, const type *shape);
/* rule_tie_all() for each of n dimensions. */
void rule_tie_leading(rule_maker *r, const type *shape, int n);
/* The same for all dimensions; `kind` for those whose size changes from `in` to
 * `out`.  false: the ranks differ. */
bool rule_tie_equal(rule_maker *r, const type *in, const type *out, int kind);

/* Tensor `tensor`, counted over operands and results, has the factor on this dimension. */
void rule_map_tensor(rule_maker *r, int tensor, int64_t dim, int factor);
bool rule_lists(const int64_t *list, int n, int64_t dim);

/* Whether its target stands in custom_rules.def, or it brings its own rule. */
bool custom_call_is_known(const op *o);

/* The rule functions, by the names in ops.def. */
#define OP(id, opname, form, traits, ...) __VA_ARGS__
#define RULE(f) rule_fn rule_##f;
#define RULE_MORE(f) rule_fn rule_##f;
#include "op/ops.def"

#endif
