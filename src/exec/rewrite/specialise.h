/* specialise.h - ops of unknown shape, specialized for given arguments.
 *
 * For such an op exec/kernel/kernels.def and customs.def name a function specialise_x(): it makes
 * the op with the known shape, and replaces the other by calling expand_done(). */
#ifndef TESS_EXEC_REWRITE_SPECIALISE_H
#define TESS_EXEC_REWRITE_SPECIALISE_H

#include "exec/rewrite/expand.h"

typedef struct special {
	expander e;
	exec_plan *p;
	op *func;
	const exec_value *args;
	uint8_t *read; /* by argument: a shape depends on its elements */
} special;

/* Specializes the function, which calls no other, for arguments of these types. */
bool specialise_in_place(module *m, op *func, const exec_value *args);

typedef bool specialise_fn(special *s, op *o);
#define SPECIALISED(kind, name) specialise_fn specialise_##name;
#include "exec/kernel/kernels.def"
#define SPECIALISED(target, name) specialise_fn specialise_##name;
#include "exec/rewrite/customs.def"

/* The attribute of a custom call that says which of its last operands are the shapes of its
 * results; NULL: it has none. */
const attr *custom_shape_operands(tess_ctx *ctx, const op *o);
specialise_fn specialise_shaped_call;

/* The integers of an operand, as many as `rank` (-1: any number), computed if necessary; NULL after
 * a diagnostic (specialise_ints.c). */
const int64_t *special_ints(special *s, const op *o, int i, int rank);
/* The number of windows along a dimension with padding and dilation. */
int64_t special_windows(int64_t size, int64_t low, int64_t high, int64_t dilation, int64_t window,
                        int64_t window_dilation, int64_t stride);
/* The type of a convolution's result; NULL: its dimension numbers are wrong. */
const type *special_convolution_type(special *s, const op *o);

#endif
