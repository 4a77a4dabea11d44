/* expand.h - ops that are said in terms of others.
 *
 * exec/kernel/kernels.def names for such an op a function expand_x(): it puts simpler ops in front
 * of the op and then takes its place with expand_done().  What it put there is looked
 * at in turn, so that one expansion may lean on another.
 *
 *     bool expand_chlo_twice(expander *e, op *o)
 *     {
 *             return expand_done(e, o, expand_binary(e, OP_ADD, operand(o, 0), operand(o, 0)));
 *     }
 */
#ifndef TESS_EXEC_REWRITE_EXPAND_H
#define TESS_EXEC_REWRITE_EXPAND_H

#include "exec/steps/plan.h"

typedef struct expander {
	exec_plan *p;
	tess_ctx *ctx;
	module *m;
	arena *mem;     /* for the time of the expansion */
	op *at;         /* new ops go before it, or, where it is NULL, */
	block *end;     /* to the end of this block, */
	const op *like; /* and stand where this one does in the program's text */
	bool quantized; /* some value is */
} expander;

typedef bool expand_fn(expander *e, op *o);
#define EXPANDED(kind, name) expand_fn expand_##name;
#include "exec/kernel/kernels.def"
#define EXPANDED(target, name) expand_fn expand_##name;
#include "exec/rewrite/customs.def"

/* ---- taking an op's place -------------------------------------------------------------- */

/* The op's only result is `by`; the op goes.  @return true. */
bool expand_done(expander *e, op *o, value *by);
bool expand_done_all(expander *e, op *o, value *const *by);

/* ---- new ops ---------------------------------------------------------------------------- */

op *expand_op(expander *e, op_kind kind, value *const *in, int n, const type *const *out, int n_out,
              int n_regions);
value *expand_one(expander *e, op_kind kind, value *const *in, int n, const type *t);
value *expand_unary(expander *e, op_kind kind, value *a);
value *expand_binary(expander *e, op_kind kind, value *a, value *b);
/* Every element is `v`, as near as the type has it. */
value *expand_splat(expander *e, const type *t, double v);
value *expand_constant(expander *e, const attr *dense);
value *expand_ints(expander *e, dtype t, const int64_t *v, int n); /* of rank 1 */
value *expand_convert(expander *e, value *v, dtype to);
value *expand_compare(expander *e, const char *direction, value *a, value *b);
value *expand_select(expander *e, value *which, value *yes, value *no);
/* Dimension i of the value is dimension dims[i] of the result; of size 1 it is repeated. */
value *expand_broadcast(expander *e, value *v, const type *t, const int64_t *dims, int n);
value *expand_fill(expander *e, value *scalar, const type *t);
value *expand_reshape(expander *e, value *v, const int64_t *dims, int rank);
value *expand_transpose(expander *e, value *v, const int64_t *permutation);
value *expand_iota(expander *e, dtype t, const int64_t *dims, int rank, int dim);
/* Sum over these dimensions. */
value *expand_sum(expander *e, value *v, const int64_t *dims, int n);
/* Dimension numbers: a struct's n fields, by their N_ names, are lists of integers; a list
 * of -1 elements is the one number in its front. */
typedef struct int_field {
	int name;
	const int64_t *v;
	int n;
} int_field;
const attr *expand_struct(expander *e, const char *name, const int_field *fields, int n);
value *expand_dot(expander *e, value *a, value *b, const dot_dims *d, const type *t);
/* The dimension along which a custom call looks for the best elements; -1: none. */
int64_t expand_best_dim(expander *e, const op *o);
/* The region of `to` becomes what the function does that the custom call names first. */
bool expand_called(expander *e, const op *call, op *to, int region);
/* An op of the same kind and attributes. */
op *expand_again(expander *e, const op *o, value *const *in, const type *const *out);

static inline const type *type_of_elem(tess_ctx *ctx, const type *t, dtype elem)
{
	return type_with_elem(ctx, t, type_scalar(ctx, elem));
}

/* The type of a chlo.broadcast_… op's result; NULL: it is none. */
const type *expand_broadcast_type(expander *e, const op *o);

/* ---- quantized values (expand_quant.c) ----------------------------------------------------- */

bool type_is_quantized(const type *t);
/* Whether the op computes with quantized elements, instead of moving them. */
bool quantized_computes(const op *o);
/* The op on what the elements stand for. */
expand_fn expand_quantized;
/* From here on quantized values are their storage. */
void quantized_to_storage(expander *e, op *func);

/* Expands what the function has of such ops. */
bool expand_function(exec_plan *p, op *func);

#endif
