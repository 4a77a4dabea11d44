/* expand.h - ops that are computed as several simpler ones.
 *
 * For such an op exec/kernel/kernels.def names a function expand_x(), which inserts simpler ops
 * before the op and replaces it by calling expand_done(). The new ops are expanded in turn, so that
 * one expansion may use another.
 *
 *     bool expand_chlo_twice(expander *e, op *o)
 *     {
 *             return expand_done(e, o, build_binary(&e->b, OP_ADD, operand(o, 0), operand(o, 0)));
 *     } */
#ifndef TESS_EXEC_REWRITE_EXPAND_H
#define TESS_EXEC_REWRITE_EXPAND_H

#include "exec/steps/plan.h"

typedef struct expander {
	exec_plan *p;
	tess_ctx *ctx;
	arena *mem;     /* for the duration of the expansion */
	builder b;      /* inserts ops: before the expanded op, or at the end of a body */
	bool quantized; /* some value is quantized */
} expander;

typedef bool expand_fn(expander *e, op *o);
#define EXPANDED(kind, name) expand_fn expand_##name;
#include "exec/kernel/kernels.def"
#define EXPANDED(target, name) expand_fn expand_##name;
#include "exec/rewrite/customs.def"

/* ---- replacing an op ------------------------------------------------------------------------ */

/* Replaces the op's only result by `by` and erases the op. @return true. */
bool expand_done(expander *e, op *o, value *by);
bool expand_done_all(expander *e, op *o, value *const *by);

/* ---- new ops ---------------------------------------------------------------------------- */

/* Every element is `v`, rounded to the type. */
value *expand_splat(expander *e, const type *t, double v);
/* Sums over these dimensions. */
value *expand_sum(expander *e, value *v, const int64_t *dims, int n);
value *expand_dot(expander *e, value *a, value *b, const dot_dims *d, const type *t);
/* The dimension that a custom call searches for the best elements; -1: none. */
int64_t expand_best_dim(expander *e, const op *o);
/* Copies the function that the custom call names first into the region of `to`. */
bool expand_called(expander *e, const op *call, op *to, int region);

static inline const type *type_of_elem(tess_ctx *ctx, const type *t, dtype elem)
{
	return type_with_elem(ctx, t, type_scalar(ctx, elem));
}

/* The type of the result of a chlo.broadcast_… op; NULL: it is not one. */
const type *expand_broadcast_type(expander *e, const op *o);

/* ---- quantized values (expand_quant.c) ----------------------------------------------------- */

bool type_is_quantized(const type *t);
/* True if the op computes with quantized elements, rather than moving them. */
bool quantized_computes(const op *o);
/* Computes the op on the numbers that the elements represent. */
expand_fn expand_quantized;
/* Replaces quantized types by their storage types. */
void quantized_to_storage(expander *e, op *func);

/* Expands all such ops of the function. (expand.c) */
bool expand_function(exec_plan *p, op *func);

#endif
