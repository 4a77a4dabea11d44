/* reduce.h - the plan of a reduce, shared by its kernels. */
#ifndef TESS_EXEC_KERNEL_REDUCE_H
#define TESS_EXEC_KERNEL_REDUCE_H

#include "exec/kernel.h"

/* Elements folded at a time. */
enum { REDUCE_CHUNK = 1024 };

typedef struct reduce_plan {
	/* Kept and reduced dimensions, merged; strides in the operands, in elements. */
	int n_kept, n_reduced;
	int64_t kept[MAX_RANK], kept_strides[MAX_RANK];
	int64_t reduced[MAX_RANK], reduced_strides[MAX_RANK];
	int64_t run;  /* size of the last reduced dimension if it is contiguous, else 1 */
	int64_t row;  /* size of the last kept dimension if it is contiguous, else 1 */
	int64_t rest; /* number of positions in the other reduced dimensions */
	/* for one operand and one operation: */
	vec_op op;
	vec_type type;
	vec_fn *load, *store, *apply;
	vec_fold_fn *fold;
	vec_rows_fn *rows; /* NULL: elements must be widened first */
	int64_t pieces;    /* a long fold is cut into */
	/* for any body: */
	int n; /* operands */
	const body *body;
	vec_fn **widen; /* from the operand's dtype to the result's, if they differ */
} reduce_plan;

/* Returns the memory offset of the row-major position `at` in the given dimensions. */
static inline int64_t reduce_offset(int64_t at, int n, const int64_t *dims, const int64_t *strides)
{
	int64_t offset = 0;
	for (int i = n - 1; i >= 0; i--) {
		offset += at % dims[i] * strides[i];
		at /= dims[i];
	}
	return offset;
}

/* Merges the dimensions of an operand into kept and reduced ones. */
void reduce_dims(reduce_plan *k, const tensor *in, const bool *is_reduced);
/* Returns n elements in the computing type: in place, or widened into `room`. */
const char *reduce_loaded(const reduce_plan *k, const char *from, int64_t n, char *room);

/* Prepares a step for one operand and one operation (reduce.c); false for any other body. */
bool prepare_reduce_op(step *s, reduce_plan *k);
/* Returns the plan of a fold that is long enough to be cut into pieces, for plan_reduce_pieces();
 * NULL if it is not. */
const reduce_plan *reduce_long_fold(exec_plan *p, const op *o);
void plan_reduce_pieces(exec_plan *p, const op *o, const reduce_plan *k);

/* A reduction that returns the largest or smallest element and its index: the body keeps the better
 * of two elements and, with it, its index, and the indices operand is an iota along the only
 * reduced dimension (recognized in exec/steps/argmax.c). */
typedef struct arg_reduction {
	int value;     /* which of the two operands holds the elements */
	int dimension; /* the reduced dimension */
	bool max;
	vec_ties ties;
} arg_reduction;
/* Returns false if the op is another kind of reduction. */
bool arg_reduction_of(const module *m, const op *o, arg_reduction *r);
/* Plans an arg_reduction (argmax.c). @return false after a diagnostic. */
bool plan_arg_reduction(exec_plan *p, const op *o, const arg_reduction *r);

/* Prepares a step for any body and any number of operands (reduce_any.c). The caller has set k->n
 * and the dimensions. @return false after a diagnostic. */
bool prepare_reduce_any(exec_plan *p, step *s, reduce_plan *k);

#endif
