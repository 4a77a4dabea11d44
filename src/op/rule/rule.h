/* rule.h - how a sharding rule is made (inside op; the rule itself: ir/rule.h).
 *
 * A maker starts without factors. A rule function adds factors, in the order in which propagation
 * will visit them, and maps dimensions to them. rule_done() then gives every dimension that is
 * still unmapped a factor of size 1 of its own. The order, kinds and sizes of factors are those of
 * Shardy, op_sharding_rule_registry.cc.
 *
 * Making a rule takes about 100 ns: nothing is hashed, and a dimension with one factor, or with
 * consecutive ones, points into a constant table. */
#ifndef TESS_OP_RULE_RULE_H
#define TESS_OP_RULE_RULE_H

#include "op/op.h"

/* What sharding a factor means for the op; PASS needs nothing. */
enum factor_kind {
	PASS,
	REDUCE,      /* leaves a partial result */
	REPLICATE,   /* must be whole on every device */
	PERMUTE,     /* needs an exchange between neighbors */
	BLOCKED = 8, /* in addition: propagation does not follow it */
};

enum { NO_DIM = -1 };

typedef struct rule_maker {
	const module *m;
	const op *o;
	arena *mem;
	bool conservative;
	bool beyond_shardy; /* and right to compute by, see RULE_BEYOND_SHARDY */
	sharding_rule *rule;
	tensor_factors *tensors; /* rule->tensors */
	dim_factors **dims;      /* of each tensor */
	VEC(int64_t) sizes;
} rule_maker;

/* Fills in the rule of r->o. Returns false if there is none: a case that propagation cannot follow,
 * or an op that does not verify. */
typedef bool rule_fn(rule_maker *r);

const type *rule_operand_type(const rule_maker *r, int i);
const type *rule_result_type(const rule_maker *r, int i);
/* True if there are at least this many operands and results, and all have static shapes. */
bool rule_has_shapes(const rule_maker *r, int n_operands, int n_results);

/* A new factor, not yet mapped; returns its number. */
int rule_factor(rule_maker *r, int64_t size, int kind);
/* Appends the factor to a dimension, or does nothing if `dim` is NO_DIM. A factor of size 1 is not
 * added to a dimension that has a factor already. */
void rule_map_operand(rule_maker *r, int operand, int64_t dim, int factor);
void rule_map_result(rule_maker *r, int result, int64_t dim, int factor);

/* Adds one factor for a dimension each (or NO_DIM) of the first two operands and the first result.
 * Its size is that of the first dimension given. */
void rule_tie(rule_maker *r, int kind, int64_t lhs, int64_t rhs, int64_t out);
void rule_tie_size(rule_maker *r, int kind, int64_t size, int64_t lhs, int64_t rhs, int64_t out);
/* Add one factor for the same dimension of all operands, or all results, or both, except
 * scalars. */
void rule_tie_operands(rule_maker *r, int kind, int64_t size, int64_t dim);
void rule_tie_results(rule_maker *r, int kind, int64_t size, int64_t dim);
void rule_tie_all(rule_maker *r, int kind, int64_t size, int64_t dim);
/* Adds the factors 0…rank-1 for all dimensions of everything at once; only for a new maker. */
bool rule_pointwise(rule_maker *r, const type *shape);
/* rule_tie_all() for each of n dimensions. */
void rule_tie_leading(rule_maker *r, const type *shape, int n);
/* The same for all dimensions; `kind` is for those whose size differs between `in` and `out`.
 * Returns false if the ranks differ. */
bool rule_tie_equal(rule_maker *r, const type *in, const type *out, int kind);

/* Maps a dimension of a tensor, counted over operands and results, to the factor. */
void rule_map_tensor(rule_maker *r, int tensor, int64_t dim, int factor);
bool rule_lists(const int64_t *list, int n, int64_t dim);

/* True if its target is in custom_rules.def, or if it has a rule of its own. */
bool custom_call_is_known(const op *o);

/* The rule functions, by the names in ops.def. */
#define OP(id, opname, form, traits, ...) __VA_ARGS__
#define RULE(f) rule_fn rule_##f;
#define RULE_MORE(f) rule_fn rule_##f;
#include "op/ops.def"

#endif
