/* grad.h - what the derivative rules share. */
#ifndef TESS_ARRAY_GRAD_GRAD_H
#define TESS_ARRAY_GRAD_GRAD_H

#include "array/control.h"
#include "array/expand/expand.h"

typedef struct backward {
	tess_ctx *ctx;
	ptr_map again;      /* value of the function -> its copy */
	ptr_map cotangents; /* value of the function -> cotangent of the copy */
	ptr_map active;     /* values that depend on what is differentiated */
	const anode *node;
	avalue *ct; /* of the node's first result; NULL: 0 */
	bool failed;
} backward;
/* A rule: computes cotangents of the node's operands. */
typedef void back_fn(backward *b);

back_fn *back_written_rule(const array_op *op); /* for operations that are expanded */
/* Makers of cotangents, from operands, results, and the results' cotangents. */
extern const expand_row grad_matrix_rows[];

#define BACK(op, rule) back_fn rule;
#include "array/grad/grad.def"
#undef BACK

/* Emit operations into the function being traced; NULL after a failure. */
avalue *back1(backward *b, const char *op, avalue *x, const params *a);
avalue *back2(backward *b, const char *op, avalue *x, avalue *y, const params *a);
avalue *back_times(backward *b, avalue *x, avalue *y);
avalue *back_number(backward *b, double v);
params *back_ints(backward *b, const char *key, const int64_t *v, int n);
params *back_params(backward *b); /* a copy of the node's */
/* Sets out_sharding (or another key) to the sharding of t. */
params *back_spec(backward *b, params *a, const char *key, const atype *t);

/* Emits an operation on several operands: `first`, the copies of operands from..to, and `last`, if
 * it is not NULL, at the end, or second for an update of a slice. */
avalue *back_apply(backward *b, const char *op, avalue *first, int from, int to, avalue *last,
                   const params *a);

/* Emits a collective over some manual axes, and what it casts to (NULL: nothing); without axes
 * returns the value itself. */
avalue *back_over(backward *b, const char *op, const char *to, avalue *ct, axis_set axes);

avalue *again(backward *b, int i); /* the copies of operand i, and of the first result */
avalue *again_out(backward *b);
avalue *back_ct(backward *b, int i); /* cotangent of result i; NULL: 0 */
bool is_active(const backward *b, const avalue *v);
/* True if parameter i of body k of a node depends on what is differentiated, possibly in a later
 * iteration of a loop. */
bool body_wants(const backward *b, const anode *n, int k, int i);
/* Adds a cotangent of operand i, converted to the type that it must have. */
void back_give(backward *b, int i, avalue *ct);
/* Converts a value to the sharding and dtype of `want`. */
avalue *back_fit(backward *b, avalue *v, const atype *want);
avalue *back_zeros(backward *b, const atype *primal); /* a cotangent of 0 */

/* Emits f again, and its backward pass.
 * @param params of f; out_cts: cotangents of its results, NULL for 0
 * @param wanted the parameters that are differentiated
 * @param outs the results; may be NULL
 * @param cts of the wanted parameters; NULL for 0 */
bool reverse_into(tess_ctx *ctx, const afn *f, avalue *const *params, avalue *const *out_cts,
                  const bool *wanted, avalue **outs, avalue **cts);

#endif
