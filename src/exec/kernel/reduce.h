/* reduce.h - what the kernels of reduce share. */
#ifndef TESS_EXEC_KERNEL_REDUCE_H
#define TESS_EXEC_KERNEL_REDUCE_H

#include "exec/kernel.h"

/* Elements that are folded at a time. */
enum { REDUCE_CHUNK = 1024 };

typedef struct reduce_plan {
	/* Kept and reduced dimensions, joined; strides in the operands, in elements. */
	int n_kept, n_reduced;
	int64_t kept[MAX_RANK], kept_strides[MAX_RANK];
	int64_t reduced[MAX_RANK], reduced_strides[MAX_RANK];
	int64_t run;  /* the last reduced dimension if it is contiguous, else 1 */
	int64_t row;  /* the last kept dimension if it is contiguous, else 1 */
	int64_t rest; /* combinations of the other reduced dimensions */
	/* one operand and one operation */
	vec_op op;
	vec_type type;
	vec_fn *load, *store, *apply;
	vec_fold_fn *fold;
	vec_rows_fn *rows; /* NULL: elements must be loaded first */
	int64_t pieces;    /* of a long fold */
	/* in general */
	int n; /* operands */
	const body *body;
	vec_fn **widen; /* from the operand's type to the result's, where they differ */
} reduce_plan;

/* Offset of an index, given by its position. */
static inline int64_t reduce_offset(int64_t at, int n, const int64_t *dims, const int64_t *strides)
{
	int64_t offset = 0;
	for (int i = n - 1; i >= 0; i--) {
		offset += at % dims[i] * strides[i];
		at /= dims[i];
	}
	return offset;
}

/* Joins the dimensions of an operand: kept ones, and reduced ones. */
void reduce_dims(reduce_plan *k, const tensor *in, const bool *is_reduced);
/* Elements in computing type: in place, or through `room` for a narrow type. */
const char *reduce_loaded(const reduce_plan *k, const char *from, int64_t n, char *room);

/* One operation, on one operand (reduce.c).  false: the body is more. */
bool prepare_reduce_op(step *s, reduce_plan *k);
/* The plan of a long fold in pieces, for plan_reduce_pieces(); NULL: the op is none. */
const reduce_plan *reduce_long_fold(exec_plan *p, const op *o);
void plan_reduce_pieces(exec_plan *p, const op *o, const reduce_plan *k);

/* A body that keeps the larger or the smaller of two elements, and beside it its place, where the
 * places are those of an iota along the only dimension that is reduced (exec/steps/argmax.c). */
typedef struct arg_reduction {
	int value;     /* which of the two operands has the elements */
	int dimension; /* that is reduced */
	bool max;
	vec_ties ties;
} arg_reduction;
/* false: the op is another reduction. */
bool arg_reduction_of(const module *m, const op *o, arg_reduction *r);
/* Plans one (argmax.c).  @return false after a diagnostic. */
bool plan_arg_reduction(exec_plan *p, const op *o, const arg_reduction *r);

/* Any body, on any number of operands (reduce_any.c).  k->n and the dimensions are set.
 * @return false after a diagnostic. */
bool prepare_reduce_any(exec_plan *p, step *s, reduce_plan *k);

#endif
