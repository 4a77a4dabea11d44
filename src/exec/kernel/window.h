/* window.h - the plan of a window, shared by reduce_window and select_and_scatter. */
#ifndef TESS_EXEC_KERNEL_WINDOW_H
#define TESS_EXEC_KERNEL_WINDOW_H

#include "exec/kernel.h"

typedef struct window_plan {
	int rank;
	int64_t size[MAX_RANK], stride[MAX_RANK], low[MAX_RANK], base[MAX_RANK], dilation[MAX_RANK];
	int64_t n_window;
	const body *body;   /* the reducer, or the scatter function */
	const body *select;
	int scan_dim;       /* -1: none */
	bool scan_back;     /* the window reaches to the end instead of from the start */
	int n;              /* operands */
	/* for rows of features (pool.c): */
	int line;           /* the last dimension along which the window moves */
	int64_t row;        /* number of contiguous elements after it, each a window of its own */
	vec_fn *apply;
} window_plan;

/* Set up a faster kernel and return true, or return false if the window is not of their kind.
 * scan_reduce (scan.c): scans by one operation. pool_reduce, pool_scatter (pool.c): windows over
 * rows of contiguous elements, as in pooling. */
bool scan_reduce(exec_plan *p, step *s, window_plan *k);
bool pool_reduce(exec_plan *p, step *s, window_plan *k);
bool pool_scatter(exec_plan *p, step *s, window_plan *k);

#endif
