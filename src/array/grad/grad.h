/* grad.h - what the derivative rules share. */
#ifndef TESS_ARRAY_GRAD_GRAD_H
#define TESS_ARRAY_GRAD_GRAD_H

#include "array/control.h"
#include "array/expand/expand.h"

typedef struct backward {
	tess_ctx *ctx;
	ptr_map again;      /* value of the function -> its copy */
	ptr_map cotangents; /* value of the function -> cotangent of the copy */
	ptr_map active;     /* values that depend on what is differentiated for */
	const anode *node;
	avalue *ct; /* of the node's first result; NULL: none came */
	bool failed;
} backward;
/* A rule: gives cotangents of the node's operands. */
typedef void back_fn(backward *b);

back_fn *back_written_rule(const array_op *op); /* what is written out in other operations */
/* Makers of cotangents, from operands, results, and the results' cotangents. */
extern const expand_row grad_matrix_rows[];

#define BACK(op, rule) back_fn rule;
#include "array/grad/grad.def"
#undef BACK

/* Operations written into the function being traced; NULL after a failure. */
avalue *back1(backward *b, const char *op, avalue *x, const params *a);
avalue *back2(backward *b, const char *op, avalue *x, avalue *y, const params *a);
avalue *back_times(backward *b, avalue *x, avalue *y);
avalue *back_number(backward *b, double v);
params *back_ints(backward *b, const char *key, const int64_t *v, int n);
params *back_params(backward *b); /* a copy of the node's */
/* out_sharding (or another key): the sharding of t. */
params *back_spec(backward *b, params *a, const char *key, const atype *t);

/* An operation of several operands: the copies of operands from..to come after the first; `last`,
 * if there is one, behind them, or second in an update of a slice. */
avalue *back_apply(backward *b, const char *op, avalue *first, int from, int to, avalue *last,
                   const params *a);

/* A collective over some manual axes, with what it makes of them (NULL: nothing to say); of no axes
 * the value itself. */
avalue *back_over(backward *b, const char *op, const char *to, avalue *ct, axis_set axes);

avalue *again(backward *b, int i); /* the copy of operand i, and of the first result */
avalue *again_out(backward *b);
avalue *back_ct(backward *b, int i); /* cotangent of result i; NULL: none came */
bool is_active(const backward *b, const avalue *v);
/* True if parameter i of body k of a node depends on what is differentiated; what a loop carries
 * may do so in a later round. */
bool body_wants(const backward *b, const anode *n, int k, int i);
/* Adds a cotangent of operand i, brought to the type that it must have. */
void back_give(backward *b, int i, avalue *ct);
/* The value with the sharding and element type of `want`. */
avalue *back_fit(backward *b, avalue *v, const atype *want);
avalue *back_zeros(backward *b, const atype *primal); /* a cotangent of 0 */

/* f written again, then backwards.
 * @param params of f; out_cts: cotangents of its results, NULL where none came
 * @param wanted the parameters that are differentiated for
 * @param outs the results; may be NULL
 * @param cts of the wanted parameters; NULL where none came */
bool reverse_into(tess_ctx *ctx, const afn *f, avalue *const *params, avalue *const *out_cts,
                  const bool *wanted, avalue **outs, avalue **cts);

#endif
