/* expand.h - ops that are said in terms of others.
 *
 * exec/kernel/kernels.def names for such an op a function expand_x(): it puts simpler ops in front
 * of the op and then takes its place with expand_done().  What it put there is looked
 * at in turn, so that one expansion may lean on another.
 *
 *     bool expand_chlo_twice(expander *e, op *o)
 *     {
 *             return expand_done(e, o, build_binary(&e->b, OP_ADD, operand(o, 0), operand(o, 0)));
 *     }
 */
#ifndef TESS_EXEC_REWRITE_EXPAND_H
#define TESS_EXEC_REWRITE_EXPAND_H

#include "exec/steps/plan.h"

typedef struct expander {
	exec_plan *p;
	tess_ctx *ctx;
	arena *mem;     /* for the time of the expansion */
	builder b;      /* of new ops: before the one that is expanded, or at the end of a body */
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

/* Every element is `v`, as near as the type has it. */
value *expand_splat(expander *e, const type *t, double v);
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

static inline const type *type_of_elem(tess_ctx *ctx, const type *t, dtype elem)
{
	return type_with_elem(ctx, t, type_scalar(ctx, elem));
}

/* The type of a chlo.broadcast_… op's result; NULL: it is none. */
const type *expand_broadcast_type(expander *e, const op *o);

/* ---- quantized values (expand_quant.c) ----------------------------------------------------- */

bool type_is_quantized(const type *t);
/* True if the op computes with quantized elements, instead of moving them. */
bool quantized_computes(const op *o);
/* The op on what the elements stand for. */
expand_fn expand_quantized;
/* From here on quantized values are their storage. */
void quantized_to_storage(expander *e, op *func);

/* Expands what the function has of such ops. */
bool expand_function(exec_plan *p, op *func);

#endif
