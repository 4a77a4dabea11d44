/* routines.h - routines of LAPACK, as custom calls want them. */
#ifndef TESS_EXEC_LINALG_ROUTINES_H
#define TESS_EXEC_LINALG_ROUTINES_H

#include "exec/kernel.h"

enum { MAX_VALUES = 9 };

typedef struct lapack_work {
	char *room;  /* `length` elements */
	int length;  /* -1: the routine only says how many it wants, as room[0] */
	char *reals; /* of complex routines */
	int *ints;
	int n_ints;
} lapack_work;

typedef struct lapack_plan lapack_plan;
/* x, r: operands and results, matrices by columns. */
typedef int lapack_run(const lapack_plan *k, char **x, char **r, const lapack_work *w);

typedef struct lapack_routine {
	const char *name;
	const char *form;  /* its operands and results, as form.c reads them */
	int8_t from[4];    /* the operand that a result begins with; -1: none */
	lapack_run *run;
	lapack_run *own;   /* where there is no library; may be NULL */
	const char *complex_form; /* where it differs */
	const char *modes; /* the letters that "mode" may be */
	/* What the results of matrices without elements are, if not copies of operands and zeros. */
	void (*empty)(const lapack_plan *k, char **r);
	bool blas; /* without a work array */
} lapack_routine;

typedef void lapack_fn(void);
/* Of the module tessera_xerbla.so (xerbla.c). */
typedef int lapack_hear(bool listen);

/* What OpenBLAS has for the number of its threads; NULL: another library.  (threads.c) */
typedef struct lapack_threads {
	int (*get)(void);
	void (*set)(int n);
} lapack_threads;
/* Between them calls use no threads of the library's own. */
void one_thread_begin(const lapack_threads *t);
void one_thread_end(const lapack_threads *t);

struct lapack_plan {
	const lapack_routine *routine;
	lapack_run *run;
	lapack_fn *fn; /* NULL: the routine is our own */
	lapack_hear *hear; /* NULL: complaints cannot be heard */
	lapack_threads threads; /* none: the routine may use what it likes */
	bool two_parts, wide; /* elements of two parts; parts of 64 bits */
	bool empty; /* a matrix has no elements: the routine is not called */
	int m, n;           /* of the first operand */
	int right;          /* columns of the last operand */
	char mode, uplo, side, trans, diag, left_vectors, right_vectors;
	bool left, transpose;
	int low, high;
	int n_values;
	int64_t batch;
	int64_t elements[MAX_VALUES]; /* of one matrix, vector or scalar */
	int64_t rows[MAX_VALUES], columns[MAX_VALUES]; /* 0: not to be turned */
	size_t offset[MAX_VALUES];    /* in the scratch */
	size_t work_at, reals_at, ints_at, scratch;
	int work_length, n_ints;
};

/* The routine of a target such as lapack_sgetrf_ffi: its letter, s, d, c or z, and LAPACK's symbol.
 * NULL: there is none. */
const lapack_routine *lapack_routine_of(const op *o, char *letter, char *symbol, size_t size);
/* Checks that operands, results and options are what the routine takes; else a diagnostic. */
bool lapack_fits(exec_plan *p, const step *s, const lapack_plan *k, int n_batch);

/* The library's symbol, and what that library has for its threads.  *why: what is wrong with the library
 * that the user names, or NULL. */
lapack_fn *lapack_symbol(const char *name, lapack_threads *threads, const char **why);
lapack_hear *lapack_hearing(void);

#endif
