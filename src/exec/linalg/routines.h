/* routines.h - LAPACK routines as custom calls use them. */
#ifndef TESS_EXEC_LINALG_ROUTINES_H
#define TESS_EXEC_LINALG_ROUTINES_H

#include "exec/kernel.h"

enum { MAX_VALUES = 9 };

typedef struct lapack_work {
	char *room;  /* work array of `length` elements */
	int length;  /* -1: the routine only stores the size it needs in room[0] */
	char *reals; /* work array of reals, for complex routines */
	int *ints;
	int n_ints;
} lapack_work;

typedef struct lapack_plan lapack_plan;
/* x, r: operands and results, column-major matrices. */
typedef int lapack_run(const lapack_plan *k, char **x, char **r, const lapack_work *w);

typedef struct lapack_routine {
	const char *name;
	const char *form;  /* operands and results, in the notation of form.c */
	int8_t from[4];    /* the operand that a result starts as a copy of; -1: none */
	lapack_run *run;
	lapack_run *own;   /* used if there is no library; may be NULL */
	const char *complex_form; /* if it differs from `form` */
	const char *modes; /* the letters allowed for "mode" */
	/* Sets the results if a matrix is empty; NULL: copies of operands, and zeros. */
	void (*empty)(const lapack_plan *k, char **r);
	bool blas; /* takes no work array */
} lapack_routine;

typedef void lapack_fn(void);
/* A function of the module tessera_xerbla.so (xerbla.c). */
typedef int lapack_hear(bool listen);

/* OpenBLAS's functions for its number of threads; NULL for another library. (threads.c) */
typedef struct lapack_threads {
	int (*get)(void);
	void (*set)(int n);
} lapack_threads;
/* Between these two calls, the library uses no threads of its own. */
void one_thread_begin(const lapack_threads *t);
void one_thread_end(const lapack_threads *t);

struct lapack_plan {
	const lapack_routine *routine;
	lapack_run *run;
	lapack_fn *fn; /* NULL: use our own routine */
	lapack_hear *hear; /* NULL: rejected arguments cannot be detected */
	lapack_threads threads; /* NULL members: the library may use as many as it likes */
	bool two_parts, wide; /* complex elements; 64-bit parts */
	bool empty; /* a matrix is empty: the routine is not called */
	int m, n;           /* of the first operand */
	int right;          /* columns of the last operand */
	char mode, uplo, side, trans, diag, left_vectors, right_vectors;
	bool left, transpose;
	int low, high;
	int n_values;
	int64_t batch;
	int64_t elements[MAX_VALUES]; /* of one matrix, vector or scalar */
	int64_t rows[MAX_VALUES], columns[MAX_VALUES]; /* 0: not transposed */
	size_t offset[MAX_VALUES];    /* in the scratch */
	size_t work_at, reals_at, ints_at, scratch;
	int work_length, n_ints;
};

/* Returns the routine of a target such as lapack_sgetrf_ffi, with its letter (s, d, c or z) and
 * LAPACK's symbol; NULL if there is none. */
const lapack_routine *lapack_routine_of(const op *o, char *letter, char *symbol, size_t size);
/* Checks that operands, results and options are valid for the routine, or reports why not. */
bool lapack_fits(exec_plan *p, const step *s, const lapack_plan *k, int n_batch);

/* Returns the library's symbol and its thread functions. *why: what is wrong with the library that
 * the user named, or NULL. */
lapack_fn *lapack_symbol(const char *name, lapack_threads *threads, const char **why);
lapack_hear *lapack_hearing(void);

#endif
